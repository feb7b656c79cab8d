-- Mass on a spring under a rigid barrier, Willemsen 2019 (section 3, equations 19 to 21): it keeps coming back.
-- Listen to it: a plain tone that is cut off on one side has overtones. K = 5e9 makes contacts of two or three samples: up to three
-- quarters of the energy are then held by the open contact between bounces (trapped_max in the report), none with --scheme
-- ledger. The notes print no numbers: all of them are ours.
local K = param { "K", 5e6, min = 1e2, max = 1e10, scale = "log", unit = "N/m^alpha", label = "barrier stiffness" }
local alpha = param { "alpha", 1.3, min = 1, max = 4, label = "exponent of the force" }
local f0 = param { "f0", 110, min = 20, max = 1000, scale = "log", unit = "Hz", label = "frequency of the spring" }

local m = mass { name = "u", mass = 0.01, frequency = f0, position = -2e-3 }
local b = barrier { height = 1e-3 }
contact { above = b, below = m, K = K, alpha = alpha, scheme = "quadratised" }
probe { on = m, quantity = "velocity", name = "v" }
probe { on = m, quantity = "displacement", name = "u" }
render { rate = 44100, duration = 1, normalise = true, title = "Willemsen 2019: mass, spring and barrier" }
