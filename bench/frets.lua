-- A lossy steel string of 154 segments over 20 frets that it never reaches.
local L = 0.65
local s = string { length = L, tension = 70, material_density = 7850, radius = 2e-4, youngs = 2e11, sigma0 = 0.9, sigma1 = 6e-4, tuned = false, segments = 154 }
local places = {}
for n = 1, 20 do places[n] = L * (1 - 2 ^ (-n / 12)) end
local b = barrier { height = -2e-3, at = places }
contact { above = s, below = b, K = 1e8, alpha = 1.5 }
pluck { on = s, shape = "triangle", at = 0.8 * L, height = 1e-3 }
probe { on = s, at = 0.9 * L, quantity = "velocity" }
render { rate = 96000, duration = 1 }
