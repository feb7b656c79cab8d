-- The G string of a guitar, plucked.
local f0 = param { "f0", 196, min = 80, max = 800, scale = "log", unit = "Hz", label = "pitch" }
local place = param { "place", 0.13, min = 0.02, max = 0.63, unit = "m", label = "where it is plucked" }
local length, radius, steel = 0.65, 2e-4, 7850
local density = steel * math.pi * radius ^ 2
local tension = (2 * length * f0) ^ 2 * density
local wire = string { length = length, tension = tension, density = density, radius = radius, youngs = 2e11,
                      t60 = { { 100, 4 }, { 3000, 1 } } }
pluck { on = wire, at = place, height = 3e-3 }
probe { on = wire, at = 0.6, quantity = "velocity", name = "bridge" }
render { rate = 44100, duration = 3, normalise = true }
