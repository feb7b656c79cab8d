-- A felt hammer strikes a string on which a bolt lies.
local strike = param { "strike", 3, min = 0.3, max = 7, scale = "log", unit = "m/s", label = "velocity of the hammer" }
local bolt = param { "bolt", 1.5e-3, min = 0, max = 1e-2, unit = "kg", label = "mass of the bolt; 0: none" }
local wire = string { length = 1, tension = 422, density = 6.165e-3, radius = 5e-4, youngs = 2e11,
                      t60 = { { 130, 9 }, { 4000, 2 } } }
local hammer = mass { mass = 5e-3, position = -1e-4, velocity = strike, name = "hammer" }
contact { above = wire, below = hammer, at_above = 0.12, K = 1.5e9, alpha = 2.5, damping = 0.1, name = "felt" }
if bolt > 0 then
  local loose = mass { mass = bolt, frequency = 30, damping = 0.5, name = "bolt" }
  contact { above = loose, below = wire, at_below = 0.37, K = 2e8, alpha = 1.5, damping = 0.03, name = "rattle" }
end
probe { on = wire, at = 0.93, quantity = "velocity", name = "out" }
render { rate = 44100, oversample = 2, duration = 4, normalise = true }
