-- Two stiff strings, one right above the other on the same grid, Willemsen 2019 (section 5, equations 25 to 27).
-- K is a force density: every pair of points has K h. No losses; energy stays, and moves from one string to the other.
-- Look at sistrum plot --what snapshots, and at --what contact. The notes print no numbers: all
-- are ours.
local K = param { "K", 5e8, min = 1e4, max = 1e12, scale = "log", unit = "N/m^(alpha+1)", label = "stiffness of the contact" }
local height = param { "height", 4e-3, min = 1e-4, max = 1e-2, unit = "m", label = "height of the pluck" }
local gap = param { "gap", 1e-3, min = 0, max = 1e-2, unit = "m", label = "distance of the strings at rest" }

local function steel(name, tension)
  return string { name = name, length = 0.7, tension = tension, material_density = 7850, radius = 4e-4, youngs = 2e11,
                  segments = 90, tuned = false }
end
local upper, lower = steel("u", 120), steel("w", 80)
contact { above = upper, below = lower, gap = gap, K = K, alpha = 1.3, scheme = "quadratised" }
pluck { on = upper, shape = "raised-cosine", at = 0.25, height = height, width = 0.3 }
probe { on = upper, at = 0.6, quantity = "velocity", name = "u'", channel = 1 }
probe { on = lower, at = 0.6, quantity = "velocity", name = "w'", channel = 2 }
render { rate = 44100, duration = 1, normalise = true, title = "Willemsen 2019: string and string" }
