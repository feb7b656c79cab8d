-- Fast particle against a stiff barrier, Ducceschi 2017 (section 4.2, figures 4 and 5): 1 kg at 20 m/s.
-- Look at the energies: with s = 3 the contact holds less than nothing for a moment (-0.66 of the total at
-- 44.1 kHz, -0.012 at 441 kHz); every exit speed is exact. s = 1/2 meets a complex root at 44.1 kHz and says so.
-- Beside it: sistrum compare with --schemes newton,root.
local s = param { "s", 1, min = 0.5, max = 10, label = "free parameter of the family" }
local K = param { "K", 5e9, min = 1e4, max = 1e11, scale = "log", unit = "N/m^alpha", label = "barrier stiffness" }
local alpha = param { "alpha", 1.3, min = 1, max = 4, label = "exponent of the force" }
local v0 = param { "v0", 20, min = 1, max = 100, unit = "m/s", label = "initial velocity" }

local m = mass { mass = 1, position = -0.5, velocity = v0 }
local wall = barrier { height = 0.1 }
contact { above = wall, below = m, K = K, alpha = alpha, scheme = "root", s = s }
probe { on = m, quantity = "displacement", name = "u" }
probe { on = m, quantity = "velocity", name = "v" }
render { rate = 44100, duration = 0.06, title = "Ducceschi 2017: colliding mass" }
