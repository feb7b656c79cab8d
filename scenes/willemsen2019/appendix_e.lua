-- A free mass between an ideal string and a rigid barrier below, Willemsen 2019 (appendix E, equations 93 to 101).
-- No stiffness, no losses, no spring: whatever the mass does is done by its two contacts. The notes solve for the two rates of
-- penetration at once (2 x 2, not symmetric); here the same two contacts are one symmetric block. In equation 101 the first
-- term must be -(u - u-)/k. The notes print no numbers: all are ours.
local K = param { "K", 1e7, min = 1e3, max = 1e10, scale = "log", unit = "N/m^alpha", label = "stiffness of both contacts" }
local v0 = param { "v0", 1, min = 0.05, max = 10, scale = "log", unit = "m/s", label = "velocity of the mass" }

local L = 1
local s = string { name = "u", length = L, tension = 100, density = 5e-3, segments = 200, tuned = false }
local m = mass { name = "w", mass = 0.002, position = -1e-3, velocity = v0 }
local b = barrier { height = -2e-3 }
contact { name = "M", above = s, below = m, at_above = 0.3 * L, interpolation = 0, K = K, alpha = 1.3, scheme = "quadratised" }
contact { name = "B", above = m, below = b, K = K, alpha = 1.3, scheme = "quadratised" }
probe { on = s, at = 0.85 * L, quantity = "velocity", name = "u'", channel = 1 }
probe { on = m, quantity = "displacement", name = "w" }
render { rate = 44100, duration = 1, normalise = true, title = "Willemsen 2019: appendix E" }
