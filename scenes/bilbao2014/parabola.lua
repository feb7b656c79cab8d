-- The plucked string over a parabola of Bilbao 2014 (figures 3, 4 and 6, equation 23, appendix) with everything the paper
-- leaves unsaid as a param: where the triangle has its apex, how far the barrier is below the string in the middle and at the
-- ends, losses, the place that is listened to. As it stands it is fig3.lua. Try --set height=8e-3 --set sigma0=1 --set
-- sigma1=5e-4 and listen to the pitch fall, or --set stretch=1 for a string that stiffens as it swings (Kirchhoff and Carrier).
local L = 0.8
local radius = param { "radius", 1e-4, min = 5e-5, max = 1e-3, scale = "log", unit = "m", label = "radius of the string" }
local height = param { "height", 4e-3, min = 1e-5, max = 2e-2, unit = "m", label = "height of the pluck" }
local apex = param { "apex", 0.25, min = 0.05, max = 0.95, label = "apex of the triangle over the length" }
local middle = param { "middle", 5e-4, min = 0, max = 0.1, unit = "m", label = "gap in the middle" }
local ends = param { "ends", 1.5e-3, min = 0, max = 0.1, unit = "m", label = "gap at the ends" }
local K = param { "K", 1e13, min = 1e4, max = 1e17, scale = "log", unit = "N/m^(alpha+1)", label = "barrier stiffness" }
local alpha = param { "alpha", 2.3, min = 1, max = 4, label = "exponent of the force" }
local sigma0 = param { "sigma0", 0, min = 0, max = 100, unit = "1/s", label = "loss at all frequencies" }
local sigma1 = param { "sigma1", 0, min = 0, max = 0.1, unit = "m^2/s", label = "loss at high frequencies" }
local stretch = param { "stretch", 0, min = 0, max = 1, label = "1: tension grows with the amplitude" }
local pickup = param { "pickup", 0.9, min = 0.01, max = 0.99, label = "place of the pickup over the length" }

local s = string { name = "string", length = L, tension = 38.5, material_density = 7850, radius = radius, youngs = 2e11,
                   sigma0 = sigma0, sigma1 = sigma1, model = "implicit", gamma = "optimal", tuned = false,
                   nonlinear = stretch > 0.5 and "kirchhoff-carrier" or "linear" }
local b = barrier { name = "barrier", height = function(x) return -middle - (ends - middle) * (2 * x / L - 1) ^ 2 end }
local touch = contact { name = "touch", above = s, below = b, K = K, alpha = alpha, scheme = "newton" }
pluck { on = s, shape = "triangle", at = apex * L, height = height }
probe { on = s, at = pickup * L, quantity = "displacement", name = "u" }
probe { on = touch, quantity = "penetration", name = "depth" }
render { rate = 44100, duration = 0.1, normalise = true, title = "Bilbao 2014: string over a parabola" }
