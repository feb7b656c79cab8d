-- Embedded: a glass marble bounces on a table; its blows are the sound.
local K = param { "K", 1e9, min = 1e6, max = 1e10, scale = "log", unit = "N/m^1.5", label = "hardness" }
local drop = param { "drop", 0.02, min = 1e-3, max = 1, unit = "m", label = "height of the fall" }
local marble = mass { mass = 0.01, position = drop }
local top = barrier { height = 0 }
contact { above = marble, below = top, K = K, alpha = 1.5, damping = 0.1 }
gravity {}
probe { on = marble, quantity = "force", name = "blows" }
