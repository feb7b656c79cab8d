-- Simple harmonic oscillator of Ducceschi 2017 (section 4.1, figure 3): 1 kg tuned to 11 Hz, at 2300 Hz.
-- Look at the pitch: s = 1/2 rings at 10.998 Hz, s = 1 at 11.165, s = 3 at 11.856, the last two with odd
-- harmonics that a linear spring does not have. "classic" is equation 22, the same mass on its own spring.
local s = param { "s", 1, min = 0.5, max = 10, label = "free parameter of the family" }
local f0 = param { "f0", 11, min = 1, max = 500, scale = "log", unit = "Hz", label = "natural frequency" }
local u0 = param { "u0", -0.1, min = -1, max = 1, unit = "m", label = "initial displacement" }
local v0 = param { "v0", 0.5, min = -20, max = 20, unit = "m/s", label = "initial velocity" }

local K = (2 * math.pi * f0) ^ 2
local m = mass { name = "root", mass = 1, position = u0, velocity = v0 }
local rest = barrier { height = 0 }
contact { above = rest, below = m, K = K, alpha = 1, law = "two-sided", scheme = "root", s = s }
local reference = mass { name = "classic", mass = 1, stiffness = K, position = u0, velocity = v0 }
probe { on = m, quantity = "displacement", name = "u" }
probe { on = reference, quantity = "displacement", name = "classic" }
render { rate = 2300, duration = 4, normalise = true, title = "Ducceschi 2017: harmonic oscillator" }
