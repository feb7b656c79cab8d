-- Mass under a rigid barrier, Willemsen 2019 (section 2, equations 10 to 18): the first system of the notes.
-- Look at the velocity: a little of the energy stays in the open contact, so it comes back slower than it went. With
-- --scheme ledger or newton it comes back as fast. The notes print no numbers: all of them are ours.
local K = param { "K", 5e4, min = 1e2, max = 1e10, scale = "log", unit = "N/m^alpha", label = "barrier stiffness" }
local alpha = param { "alpha", 1.3, min = 1, max = 4, label = "exponent of the force" }
local v0 = param { "v0", 1, min = 0.01, max = 20, scale = "log", unit = "m/s", label = "initial velocity" }

local m = mass { name = "u", mass = 0.01, position = -0.01, velocity = v0 }
local b = barrier { height = 0 }
local hit = contact { above = b, below = m, K = K, alpha = alpha, scheme = "quadratised" }
probe { on = m, quantity = "displacement", name = "u" }
probe { on = m, quantity = "velocity", name = "v" }
probe { on = hit, quantity = "force", name = "f" }
render { rate = 44100, duration = 0.03, title = "Willemsen 2019: mass and barrier" }
