-- The tromba marina of Willemsen 2019 (section 8), plucked: bodies and numbers of scenes/willemsen2019/tromba.lua. $contact is how its two
-- contacts are put into numbers, $plucks a list of heights in mm: one instrument each. Probed is the body where the bridge rattles on it.
return [[
local L, radius, rho, f0 = 1.9, 5e-4, 7850, 32
local T = 4 * f0 ^ 2 * L ^ 2 * rho * math.pi * radius ^ 2
for _, height in ipairs { $plucks } do
  local s = string { length = L, tension = T, material_density = rho, radius = radius, youngs = 2e11,
                     sigma0 = 0.1, sigma1 = 0.05, segments = 226, tuned = false }
  local bridge = mass { mass = 0.001, frequency = 500, damping = 0.05 }
  local body = plate { size = { 1.35, 0.18 }, thickness = 0.01, material_density = 50, youngs = 2e5, poisson = 0.3, sigma0 = 2, sigma1 = 0.05,
                       segments = { 134, 17 }, tuned = false }
  contact { above = s, below = bridge, at_above = 1.65, interpolation = 0, K = 5e6, alpha = 1.3, law = "two-sided", $contact }
  local rattle = contact { above = bridge, below = body, at_below = { 1.08, 0.135 }, interpolation = 0, gap = 5e-6, K = 5e8, alpha = 1.3, $contact }
  pluck { on = s, shape = "raised-cosine", at = 0.3 * L, height = 1e-3 * height, width = 0.4 }
  probe { on = body, at = { 1.08, 0.135 }, quantity = "displacement" }
  probe { on = rattle, quantity = "force" }
end
render { rate = 44100, duration = 2 }
]]
