-- A string that wraps itself around a bent bridge, as on a tanpura.
local buzz = param { "buzz", 1, min = 0, max = 1, label = "1: with the bridge, 0: without" }
local height = param { "height", 2e-5, min = 0, max = 1e-3, unit = "m", label = "room between string and bridge" }
local wire = string { length = 1, tension = 40, density = 9.2e-4, radius = 1.9e-4, youngs = 2e11,
                      t60 = { { 100, 6 }, { 4000, 2 } } }
pluck { on = wire, at = 0.6, height = 4e-3 }
if buzz > 0 then
  local bridge = barrier { height = function(x) return -height - 0.25 * (x - 0.01) ^ 2 end, to = 0.06 }
  contact { above = wire, below = bridge, K = 1e9, alpha = 1.5, name = "bridge" }
end
probe { on = wire, at = 0.9, quantity = "velocity", name = "out" }
render { rate = 44100, duration = 4, normalise = true }
