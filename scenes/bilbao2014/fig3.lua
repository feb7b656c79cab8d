-- Plucked string over a parabolic barrier, Bilbao 2014 (figures 3 and 4): no losses, gamma_*, 4 mm triangle.
-- Look at the snapshots (sistrum plot --what snapshots), the energies and the penetration: energy is constant to
-- rounding, and the string never goes deeper than the bound of equation 23 (1.3e-4 m), in fact not half of it.
-- Apex and barrier are not printed: a quarter of the length gives the printed bound.
local L = 0.8
local height = param { "height", 4e-3, min = 1e-4, max = 1e-2, unit = "m", label = "height of the pluck" }
local K = param { "K", 1e13, min = 1e6, max = 1e15, scale = "log", unit = "N/m^(alpha+1)", label = "barrier stiffness" }

local s = string { length = L, tension = 38.5, material_density = 7850, radius = 1e-4, youngs = 2e11,
                   model = "implicit", gamma = "optimal", tuned = false }
local b = barrier { height = function(x) local y = x / L return -0.0015 + 0.004 * y - 0.004 * y ^ 2 end }
contact { above = s, below = b, K = K, alpha = 2.3, scheme = "newton" }
pluck { on = s, shape = "triangle", at = L / 4, height = height }
probe { on = s, at = 0.9 * L, quantity = "displacement", name = "u" }
render { rate = 44100, duration = 0.1, normalise = true, title = "Bilbao 2014: string over a parabola" }
