-- Cubic oscillator of Ducceschi 2017 (section 4.3, figure 6): 1 kg, force K u^3, thrown out of rest at 5 m/s.
-- Look at the pitch and listen to the top of the spectrum: exact 113.385 Hz, s = 1/2 113.373, s = 1 114.249,
-- s = 3 117.914. "benchmark" is equation 25, the cubic spring of this program (113.383 Hz).
local s = param { "s", 1, min = 0.5, max = 10, label = "free parameter of the family" }
local K = param { "K", 1e10, min = 1e6, max = 1e12, scale = "log", unit = "N/m^3", label = "stiffness" }
local v0 = param { "v0", 5, min = 0.1, max = 20, unit = "m/s", label = "initial velocity" }

local m = mass { name = "root", mass = 1, velocity = v0 }
local rest = barrier { height = 0 }
contact { above = rest, below = m, K = K, alpha = 3, law = "two-sided", scheme = "root", s = s }
local reference = mass { name = "benchmark", mass = 1, velocity = v0 }
spring { between = { reference, "ground" }, K3 = K }
probe { on = m, quantity = "displacement", name = "u" }
probe { on = reference, quantity = "displacement", name = "benchmark" }
render { rate = 44100, duration = 1, normalise = true, title = "Ducceschi 2017: cubic oscillator" }
