-- The papers' cases at 44.1 kHz as one text each, $contact being how the contact is put into numbers. `link`: which contact is looked at.
-- Each has one probe of that contact's force.
local tromba = use "lib/beyond_tromba"
return {
  { name = "hard oscillator", link = 1, duration = 1, scene = [[
local m = mass { mass = 0.01, frequency = 10, position = -0.5, velocity = 1 }
local touch = contact { above = barrier { height = 0.2 }, below = m, K = 7e7, alpha = 1.1, $contact }
probe { on = touch, quantity = "force" }
render { rate = 44100, duration = 1 }
]] }, -- Ducceschi and Bilbao 2019, Fig. 2
  { name = "point barrier", link = 1, duration = 0.1, scene = [[
local s = string { length = 1, tension = 500, density = 0.063, radius = 5e-4, youngs = 2e11, tuned = false }
local touch = contact { above = s, below = barrier { height = -1e-4, at = 0.5 }, K = 5e6, alpha = 1.4, $contact }
force { on = s, at = 0.3, shape = "raised-cosine", peak = 10, width = 1e-3 }
probe { on = touch, quantity = "force" }
render { rate = 44100, duration = 0.1 }
]] }, -- Ducceschi and Bilbao 2019, Fig. 4
  { name = "parabola", link = 1, duration = 0.1, scene = [[
local L = 0.8
local s = string { length = L, tension = 38.5, material_density = 7850, radius = 1e-4, youngs = 2e11,
                   model = "implicit", gamma = "optimal", tuned = false }
local parabola = barrier { height = function(x) local y = x / L return -0.0015 + 0.004 * y - 0.004 * y ^ 2 end }
local touch = contact { above = s, below = parabola, K = 1e13, alpha = 2.3, $contact }
pluck { on = s, shape = "triangle", at = L / 4, height = 4e-3 }
probe { on = touch, quantity = "force" }
render { rate = 44100, duration = 0.1 }
]] }, -- Bilbao 2014, Fig. 3
  { name = "tromba marina", link = 2, duration = 0.2, scene = tromba }, -- Willemsen 2019, Sec. 8
  { name = "bent barrier", link = 1, duration = 0.03, scene = [[
local s = string { length = 1, tension = 500, density = 0.063, radius = 5e-4, youngs = 2e11, tuned = false }
local bent = barrier { height = function(x) return -1e-4 - 1e-4 * x - 1e-3 * x ^ 2 end }
local touch = contact { above = s, below = bent, K = 5e6, alpha = 1.4, $contact }
force { on = s, at = 0.8, shape = "raised-cosine", peak = 10, width = 1e-3 }
probe { on = touch, quantity = "force" }
render { rate = 44100, duration = 0.03 }
]] }, -- Ducceschi and Bilbao 2019, Fig. 8
  { name = "fast particle", link = 1, duration = 0.06, scene = [[
local m = mass { mass = 1, position = -0.5, velocity = 20 }
local touch = contact { above = barrier { height = 0.1 }, below = m, K = 5e9, alpha = 1.3, $contact }
probe { on = touch, quantity = "force" }
render { rate = 44100, duration = 0.06 }
]] }, -- Ducceschi 2017, Fig. 4
  { name = "bouncing ball", link = 1, duration = 0.6, lossy = true, scene = [[
local ball = mass { mass = 0.01, velocity = -0.3 }
local touch = contact { above = ball, below = barrier { height = 0 }, K = 1e7, alpha = 1.1, damping = 0.1, $contact }
gravity { g = 9.81 }
probe { on = touch, quantity = "force" }
render { rate = 44100, duration = 0.6 }
]] }, -- Papetti, Avanzini and Rocchesso 2011, Fig. 8
}
