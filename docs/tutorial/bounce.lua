-- A glass marble falls on a table and bounces until it rests.
local drop = param { "drop", 0.02, min = 1e-3, max = 1, unit = "m", label = "height of the fall" }
local marble = mass { mass = 0.01, position = drop }
local top = barrier { height = 0 }
gravity { g = 9.81 }
local hit = contact { above = marble, below = top, K = 1e9, alpha = 1.5, damping = 0.1 }
probe { on = hit, quantity = "force", name = "blows" }
probe { on = marble, quantity = "displacement", name = "height" }
render { rate = 44100, duration = 2, normalise = true }
