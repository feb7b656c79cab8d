-- Energies of a string that meets a point barrier, Ducceschi and Bilbao 2019 (figures 5 and 6): one string, so that the
-- energies are its own. Look at sistrum plot --what energy, with --scheme newton, quadratised or ledger.
-- As published, quadratised pulls the string back (-0.7 N) and keeps 0.3 % of the energy in the open contact; newton and
-- ledger do neither. The total is the same for all of them.
-- Parameters and our choices as in fig4.lua; --rate 220500 is figure 6.
local K = param { "K", 5e6, min = 1e3, max = 1e11, scale = "log", unit = "N/m^alpha", label = "barrier stiffness" }
local place = param { "place", 0.3, min = 0.05, max = 0.95, unit = "m", label = "where the force acts" }
local modal = param { "modal", 0, min = 0, max = 1, label = "0: finite differences, 1: modes" }

local s = string { length = 1, tension = 500, density = 0.063, radius = 5e-4, youngs = 2e11, tuned = false,
                   model = modal >= 0.5 and "modal" or "fd" }
local b = barrier { height = -1e-4, at = 0.5 }
contact { above = s, below = b, K = K, alpha = 1.4, scheme = "quadratised" }
force { on = s, at = place, shape = "raised-cosine", peak = 10, width = 1e-3 }
probe { on = s, at = 0.9, quantity = "displacement", name = "u" }
render { rate = 44100, duration = 0.1, title = "Ducceschi and Bilbao 2019: energies" }
