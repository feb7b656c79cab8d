-- String over a bent distributed barrier, Ducceschi and Bilbao 2019 (figure 8): the iterative scheme, the non-iterative
-- one and the modal non-iterative one side by side, at five times the audio rate. A tanpura's bridge, in outline.
-- K is a density: the barrier is as stiff on any grid. The force acts at 0.8 of the length, which is not printed.
-- Look at sistrum plot --what snapshots; the modal string solves all its touching points together and takes longest.
local K = param { "K", 5e6, min = 1e3, max = 1e13, scale = "log", unit = "N/m^(alpha+1)", label = "barrier stiffness" }
local place = param { "place", 0.8, min = 0.05, max = 0.95, unit = "m", label = "where the force acts" }

local function bent(x) return -1e-4 - 1e-4 * x - 1e-3 * x ^ 2 end
local function wire(name, model, scheme)
  local s = string { name = name, length = 1, tension = 500, density = 0.063, radius = 5e-4, youngs = 2e11,
                     model = model, tuned = false }
  local b = barrier { name = name .. " barrier", height = bent }
  contact { name = name .. " contact", above = s, below = b, K = K, alpha = 1.4, scheme = scheme }
  force { on = s, at = place, shape = "raised-cosine", peak = 10, width = 1e-3 }
  probe { on = s, at = 0.9, quantity = "displacement", name = name }
end
wire("iterative", "fd", "newton")
wire("non-iterative", "fd", "quadratised")
wire("modal", "modal", "quadratised")
render { rate = 220500, duration = 0.03, title = "Ducceschi and Bilbao 2019: bent barrier" }
