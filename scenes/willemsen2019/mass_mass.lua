-- Two masses on springs of their own, one above the other, Willemsen 2019 (section 4, equations 22 to 24; appendix C).
-- The lower one is thrown up against the upper one. Both springs need omega squared in the matrix of equation 24.
-- Look at the energies (sistrum plot --what energy): constant to rounding. The notes print no numbers: all are ours.
local K = param { "K", 1e7, min = 1e2, max = 1e10, scale = "log", unit = "N/m^alpha", label = "stiffness of the contact" }
local ratio = param { "ratio", 3, min = 0.1, max = 100, scale = "log", label = "mass of the upper one over the lower one" }
local v0 = param { "v0", 1.5, min = 0.01, max = 20, scale = "log", unit = "m/s", label = "velocity of the lower one" }

local upper = mass { name = "u", mass = 0.005 * ratio, frequency = 90, position = 1e-3 }
local lower = mass { name = "w", mass = 0.005, frequency = 140, velocity = v0 }
contact { above = upper, below = lower, K = K, alpha = 1.3, scheme = "quadratised" }
probe { on = upper, quantity = "velocity", name = "u'", channel = 1 }
probe { on = lower, quantity = "velocity", name = "w'", channel = 2 }
render { rate = 44100, duration = 1, normalise = true, title = "Willemsen 2019: mass and mass" }
