-- String against a point barrier at its middle, Ducceschi and Bilbao 2019 (figures 4, 6 and 7): the iterative scheme,
-- the non-iterative one and the modal non-iterative one side by side, each on a string of its own.
-- The barrier is a point stiffness and stands 0.1 mm below the string (printed above it, where the string would start
-- inside). Where the force acts is not printed; 0.3 of the length is ours. Rate 220500 is figure 7b.
local K = param { "K", 5e6, min = 1e3, max = 1e11, scale = "log", unit = "N/m^alpha", label = "barrier stiffness" }
local place = param { "place", 0.3, min = 0.05, max = 0.95, unit = "m", label = "where the force acts" }

local function wire(name, model, scheme)
  local s = string { name = name, length = 1, tension = 500, density = 0.063, radius = 5e-4, youngs = 2e11,
                     model = model, tuned = false }
  local b = barrier { name = name .. " barrier", height = -1e-4, at = 0.5 }
  contact { name = name .. " contact", above = s, below = b, K = K, alpha = 1.4, scheme = scheme }
  force { on = s, at = place, shape = "raised-cosine", peak = 10, width = 1e-3 }
  probe { on = s, at = 0.9, quantity = "displacement", name = name }
end
wire("iterative", "fd", "newton")
wire("non-iterative", "fd", "quadratised")
wire("modal", "modal", "quadratised")
render { rate = 44100, duration = 0.1, title = "Ducceschi and Bilbao 2019: point barrier" }
