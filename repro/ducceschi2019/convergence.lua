about { place = "Secs. 3.3, 4", title = "Order of convergence of the iterative and the non-iterative schemes" }

-- The string of Fig. 4 on a grid that stays the same (100 segments), so that only the time step changes. Difference to the iterative
-- scheme at 128 times 44.1 kHz within 25 ms: the first contact lasts from 13.6 to 19.9 ms.
local strings = use "lib/ducceschi2019_string"
local base, duration = 44100, 0.025
local function output(scheme, over)
  local options = { rate = over * base, duration = duration, every = over, unaudited = true }
  return run(strings.scene { scheme = scheme, segments = 100 }, options).probes.u
end
local reference = output("newton", 128)
local overs, error, order = { 1, 2, 4, 8, 16 }, {}, {}
for _, scheme in ipairs { "newton", "quadratised", "ledger" } do
  error[scheme] = {}
  for i, over in ipairs(overs) do error[scheme][i] = strings.apart(output(scheme, over), reference) end
  order[scheme] = math.log(error[scheme][1] / error[scheme][5]) / math.log(16)
end
claim { "the iterative scheme converges faster: order in the time step, iterative and non-iterative",
        published = "iterative faster", measured = { order.newton, order.quadratised }, digits = 2,
        holds = math.abs(order.newton - 2) < 0.15 and order.quadratised < 1.6 }
claim { "at the same rate the iterative scheme is closer to the converged solution: iterative at 1, 2, 4, 8, 16 times 44.1 kHz",
        published = "closer", measured = error.newton, digits = 2,
        holds = error.newton[1] < error.quadratised[1] and error.newton[3] < error.quadratised[3] }
claim { "difference to the converged solution, non-iterative scheme at the same rates", published = "further off",
        measured = error.quadratised, digits = 2, holds = error.quadratised[5] < error.quadratised[1] }
claim { "difference to the converged solution, ledger, at the same rates", published = false,
        measured = error.ledger, digits = 2,
        holds = math.abs(error.ledger[1] / error.newton[1] - 1) < 1e-3 and math.abs(error.ledger[5] / error.newton[5] - 1) < 1e-2 }

-- Along the limit of stability grid and time step shrink together, and dispersion covers the difference.
local limit = {}
for i, over in ipairs { 1, 2, 4 } do
  local a = run(strings.scene { scheme = "newton" }, { rate = over * base, duration = duration, every = over })
  local b = run(strings.scene { scheme = "quadratised" }, { rate = over * base, duration = duration, every = over })
  limit[i] = strings.apart(b.probes.u, a.probes.u)
end
claim { "non-iterative against iterative on the grids of the paper at 1, 2, 4 times 44.1 kHz", published = "converge together",
        measured = limit, digits = 2, holds = limit[3] < limit[1] / 2 }

-- The same for the mass of Figs. 1 to 3: delay after one soft bounce (K = 5e4) over 16 arrivals between two samples.
local mass = use "lib/ducceschi2019_mass"
local function jitter(scheme, over)
  local sum = 0
  for i = 1, 16 do
    local a = mass.later(5e4, over * base, scheme, (i - 1) / 16, { duration = 0.06 })
    local exact = mass.later(5e4, over * base, "exact", (i - 1) / 16, { duration = 0.06 })
    sum = sum + (a.probes.u[#a.t] - exact.probes.u[#a.t]) ^ 2
  end
  return math.sqrt(sum / 16)
end
local slope = {}
for i, scheme in ipairs { "newton", "quadratised" } do
  slope[i] = math.log(jitter(scheme, 1) / jitter(scheme, 8)) / math.log(8)
end
claim { "order for the mass of Fig. 1 after one collision: iterative, non-iterative (alpha = 1.1: (alpha + 1)/2)",
        published = false, measured = slope, digits = 3,
        holds = math.abs(slope[1] - 2) < 0.1 and math.abs(slope[2] - 1.05) < 0.2 }

if pictures then
  local lines = {}
  for i, scheme in ipairs { "newton", "quadratised", "ledger" } do
    lines[i] = { x = vec(overs), y = vec(error[scheme]), scheme = scheme, style = i == 3 and "dash" or "linespoints",
                 width = ({ 2.4, 1, 1 })[i] }
  end
  figure { caption = "String of Fig. 4 on a fixed grid: relative difference of the output to the converged one within 25 ms.",
           width = "one", height = 60, panels = { { lines = lines, legend = "outside",
           x = { label = "fs/44.1 kHz", log = true }, y = { label = "relative difference", log = true } } } }
end
