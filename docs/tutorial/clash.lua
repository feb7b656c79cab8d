-- A ball of 10 g runs into another one that is at rest.
local K = param { "K", 1e8, min = 1e5, max = 1e11, scale = "log", unit = "N/m^1.5", label = "hardness" }
local other = param { "other", 0.03, min = 1e-3, max = 1, scale = "log", unit = "kg", label = "mass of the other ball" }
local left = mass { mass = 0.01, position = -0.01, velocity = 1 }
local right = mass { mass = other }
contact { above = right, below = left, K = K, alpha = 1.5, damping = 0.2 }
probe { on = left, quantity = "velocity", name = "left" }
probe { on = right, quantity = "velocity", name = "right" }
render { rate = 44100, duration = 0.03 }
