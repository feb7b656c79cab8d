-- A steel plate, struck by a wooden mallet.
local board = plate { size = { 0.5, 0.35 }, thickness = 1e-3, material_density = 7850, youngs = 2e11, sigma0 = 1, sigma1 = 1e-3 }
local mallet = mass { mass = 0.02, position = 1e-4, velocity = -2, name = "mallet" }
contact { above = mallet, below = board, at_below = { 0.18, 0.12 }, K = 1e7, alpha = 2, damping = 0.2, name = "blow" }
probe { on = board, at = { 0.41, 0.09 }, quantity = "velocity", name = "ear" }
render { rate = 44100, duration = 3, normalise = true }
