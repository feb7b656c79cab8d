-- Mass on a spring under a stiff string, Willemsen 2019 (section 6.1, equations 32 to 37): the iterative scheme.
-- The same numbers as in mass_string.lua, so that the two can be laid over each other; the report counts the steps of Newton's method
-- (iterations_mean). Equation 34 needs a plus before the forces, and the slope of equation 37 must be at least 1.
-- The mass meets one point of the grid, as in the notes (interpolation = 0). The notes print no numbers: all are ours.
local K = param { "K", 1e7, min = 1e3, max = 1e10, scale = "log", unit = "N/m^alpha", label = "stiffness of the contact" }
local v0 = param { "v0", 2, min = 0.1, max = 10, scale = "log", unit = "m/s", label = "velocity of the mass" }
local place = param { "place", 0.15, min = 0.05, max = 0.95, label = "where it strikes, in lengths of the string" }

local L = 0.7
local s = string { name = "u", length = L, tension = 120, material_density = 7850, radius = 4e-4, youngs = 2e11, segments = 90,
                   tuned = false }
local m = mass { name = "w", mass = 0.003, frequency = 60, position = -1e-3, velocity = v0 }
local hit = contact { above = s, below = m, at_above = place * L, interpolation = 0, K = K, alpha = 1.3, scheme = "newton" }
probe { on = s, at = 0.6, quantity = "velocity", name = "u'", channel = 1 }
probe { on = m, quantity = "velocity", name = "w'" }
probe { on = hit, quantity = "force", name = "f" }
render { rate = 44100, duration = 1, normalise = true, title = "Willemsen 2019: mass and string, iterative" }
