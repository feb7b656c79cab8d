-- A tromba marina: a bowed string on a bridge that rattles against a soundboard.
local press = param { "press", 0.5, min = 0.05, max = 3, scale = "log", unit = "N", label = "force of the bow" }
local stroke = param { "stroke", 0.2, min = 0.02, max = 1, unit = "m/s", label = "velocity of the bow" }
local gap = param { "gap", 5e-6, min = 0, max = 1e-3, unit = "m", label = "room under the loose foot" }
local length, radius, steel, f0 = 1.9, 5e-4, 7850, 32
local density = steel * math.pi * radius ^ 2
local wire = string { length = length, tension = (2 * length * f0) ^ 2 * density, density = density, radius = radius,
                      youngs = 2e11, sigma0 = 0.1, sigma1 = 0.05, name = "wire" }
bow { on = wire, at = 0.38, force = press, velocity = { { 0, 0 }, { 0.1, stroke } }, name = "bow" }
local bridge = mass { mass = 1e-3, frequency = 500, damping = 0.05, name = "bridge" }
contact { above = wire, below = bridge, at_above = 1.65, K = 5e6, alpha = 1.3, law = "two-sided", name = "foot" }
local body = plate { size = { 1.35, 0.18 }, thickness = 0.01, material_density = 50, youngs = 2e5, sigma0 = 2,
                     sigma1 = 0.05, segments = { 67, 9 }, name = "body" }
contact { above = bridge, below = body, at_below = { 1.08, 0.135 }, K = 5e8, alpha = 1.3, gap = gap, name = "rattle" }
probe { on = wire, at = 0.5, quantity = "velocity", channel = 1, name = "string" }
probe { on = body, at = { 0.4, 0.09 }, quantity = "velocity", channel = 2, gain = 3000, name = "soundboard" }
render { rate = 44100, duration = 3, normalise = true }
