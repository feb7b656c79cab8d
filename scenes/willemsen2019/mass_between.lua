-- A mass between a string and a rigid barrier below, Willemsen 2019 (appendix C, equation 91, "weird collision case").
-- It lies loosely on the barrier; the string falls on it, throws it down, and gets it back. Two contacts share the mass and
-- are solved together. Losses of the string as in the notes; the notes print no numbers: all are ours.
local K = param { "K", 1e7, min = 1e3, max = 1e10, scale = "log", unit = "N/m^alpha", label = "stiffness of both contacts" }
local height = param { "height", 3e-3, min = 1e-4, max = 1e-2, unit = "m", label = "height of the pluck" }
local room = param { "room", 5e-4, min = 0, max = 5e-3, unit = "m", label = "room between mass and barrier, and mass and string" }

local L = 0.7
local s = string { name = "u", length = L, tension = 120, material_density = 7850, radius = 4e-4, youngs = 2e11, sigma0 = 0.5,
                   sigma1 = 2e-4, segments = 90, tuned = false }
local m = mass { name = "w", mass = 0.002, frequency = 40, position = -room }
local b = barrier { height = -2 * room }
contact { name = "ms", above = s, below = m, at_above = 0.3 * L, interpolation = 0, K = K, alpha = 1.3, scheme = "quadratised" }
contact { name = "mb", above = m, below = b, K = K, alpha = 1.3, scheme = "quadratised" }
pluck { on = s, shape = "triangle", at = 0.3 * L, height = height }
probe { on = s, at = 0.6, quantity = "velocity", name = "u'", channel = 1 }
probe { on = m, quantity = "displacement", name = "w" }
render { rate = 44100, duration = 1, normalise = true, title = "Willemsen 2019: a mass between" }
