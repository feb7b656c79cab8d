-- The main string of a sitar. It ends in a groove (x = 0), and a few millimetres before that it grazes the top of a wide,
-- gently curved bridge, the jawari: b(x) = -(x - crest)^2/(2 curve). Whenever a wave bends the string down there, it
-- meets the bridge and wraps around it, so the end of the free string moves to and fro within every period, and each
-- landing turns slow motion into fast: overtones are fed as long as the note lasts instead of dying first. The string
-- touches at rest already, so soft notes buzz too. bridge = 0 is the same string on a plain end.
local f0     = param { "f0", 185, min = 80, max = 400, scale = "log", unit = "Hz", label = "pitch of the open string" }
local pull   = param { "pull", 2.5e-3, min = 2e-4, max = 6e-3, unit = "m", label = "how far it is plucked" }
local crest  = param { "crest", 8e-3, min = 0, max = 0.025, unit = "m", label = "from the groove to the top of the bridge" }
local curve  = param { "curve", 0.5, min = 0.05, max = 5, scale = "log", unit = "m", label = "radius of the bridge's curve" }
local bridge = param { "bridge", 0.03, min = 0, max = 0.06, unit = "m", label = "length of the bridge" }

local L, radius, steel = 0.89, 1.5e-4, 7850
local T = (2 * L * f0) ^ 2 * steel * math.pi * radius ^ 2
local s = string { name = "baj", length = L, tension = T, material_density = steel, radius = radius, youngs = 2e11,
                   t60 = { { 200, 20 }, { 4000, 10 } } }
if bridge > 0 then
  local jawari = barrier { name = "jawari", height = function(x) return -(x - crest) ^ 2 / (2 * curve) end,
                           from = 0, to = bridge }
  contact { above = s, below = jawari, K = 1e10, alpha = 1.5, damping = 0.05 }
end
pluck { on = s, shape = "triangle", at = 0.14 * L, height = pull }
probe { on = s, at = 0.9 * L, quantity = "velocity", name = "out" }
-- The bridge is three centimetres long: a fine grid, so that it is more than a point or two.
render { rate = 44100, oversample = 4, duration = 4, normalise = true, title = "Sitar" }
