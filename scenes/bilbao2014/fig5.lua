-- A pulse runs onto a smooth barrier, Bilbao 2014 (figure 5): the string of figure 3, let go from a raised cosine, downwards, at the
-- right; its left half travels left onto a parabola that rises towards the end, as a sitar's bridge does. Look at the contact
-- (sistrum plot --what contact --oversample 4): first touched is a stretch of the string that falls into two pieces, then a short
-- one runs to the end with the front. The paper prints no parameters; these are ours.
local L = 0.8
local depth = param { "depth", 8e-3, min = 1e-4, max = 2e-2, unit = "m", label = "depth of the pulse" }
local width = param { "width", 0.3, min = 0.05, max = 0.6, unit = "m", label = "width of the pulse" }
local at = param { "at", 0.8, min = 0.1, max = 0.9, label = "place of the pulse over the length" }
local top = param { "top", 0, min = 0, max = 1, label = "place of the top of the barrier over the length" }
local gap = param { "gap", 1e-4, min = 0, max = 1e-2, unit = "m", label = "gap at its top" }
local drop = param { "drop", 3e-3, min = 0, max = 0.1, unit = "m", label = "fall of the barrier a quarter of the length off its top" }
local K = param { "K", 1e13, min = 1e6, max = 1e15, scale = "log", unit = "N/m^(alpha+1)", label = "barrier stiffness" }

local s = string { name = "string", length = L, tension = 38.5, material_density = 7850, radius = 1e-4, youngs = 2e11,
                   model = "implicit", gamma = "optimal", tuned = false }
local b = barrier { name = "barrier", height = function(x) return -gap - drop * ((x / L - top) / 0.25) ^ 2 end }
contact { name = "touch", above = s, below = b, K = K, alpha = 2.3, scheme = "newton" }
pluck { on = s, shape = "raised-cosine", at = at * L, height = -depth, width = width }
probe { on = s, at = 0.9 * L, quantity = "displacement", name = "u" }
render { rate = 44100, duration = 0.01, normalise = true, title = "Bilbao 2014: a pulse over a smooth barrier" }
