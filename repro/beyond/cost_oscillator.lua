about { place = "cost 1", title = "Accuracy against cost: mass on a spring against a hard barrier (Ducceschi and Bilbao 2019, Fig. 2)", alone = true }

local cost = use "lib/beyond_cost"
local phases, seconds = 8, 0.5 -- starts spread over one sample; ten bounces of 2.4 samples each

-- Masses a part of a sample apart on one way, so that no scheme has good or bad luck with when it meets the barrier.
local scene = [[
local w, u0, v0 = 2 * math.pi * 10, -0.5, 1
local b = barrier { height = 0.2 }
for i = 0, $phases - 1 do
  local t = i / $phases / 44100
  local m = mass { mass = 0.01, frequency = 10, position = u0 * math.cos(w * t) + v0 / w * math.sin(w * t),
                   velocity = v0 * math.cos(w * t) - u0 * w * math.sin(w * t) }
  contact { above = b, below = m, K = 7e7, alpha = 1.1, $contact }
  probe { on = m, quantity = "displacement" }
end
render { rate = 44100, duration = 1 }
]]

-- One mass at many times the rate; the later starts are later rows of it.
local fine = 64
local function reference(key, times)
  local way = cost.ways { { key = key, phases = 1 } }[1]
  return run(cost.scene(scene, way), { oversample = times, every = times // phases, duration = seconds + 1e-3, unaudited = true }).probes[1]
end
local u = reference("exact", fine)
local unsure = cost.departure(reference("exact", fine // 2), u)
local other = cost.departure(reference("newton", fine), u)

local names = { "ledger", "newton", "midpoint", "exact", "quadratised", "release" }
for i, name in ipairs(names) do names[i] = { key = name, phases = phases } end
local case = { scene = scene, ways = cost.ways(names), times = { 1, 2, 4, 8, 16 }, bodies = phases, duration = seconds }
function case.error(r)
  local sum = 0
  for i = 1, phases do
    local right = u:sub(i, #u):every(phases)
    sum = sum + cost.departure(r.probes[i], right) ^ 2
  end
  return math.sqrt(sum / phases)
end
local curves = cost.measure(case)

claim { string.format("reference: exact flow at %d times 44.1 kHz; change from half that rate, and newton at %d times", fine, fine),
        published = false, measured = { unsure, other }, holds = unsure < 1e-8 and other < 1e-5 }
cost.tell(case, curves, 1e-3)
local c = curves
claim { "ledger over newton: error, all rates alike", published = false, measured = c.ledger.error[1] / c.newton.error[1], digits = 5,
        holds = math.abs(c.ledger.error[1] / c.newton.error[1] - 1) < 1e-3 and math.abs(c.ledger.error[5] / c.newton.error[5] - 1) < 1e-3 }
claim { "quadratised over ledger: error at 1, 4, 16 times 44.1 kHz", published = false, digits = 2,
        measured = { c.quadratised.error[1] / c.ledger.error[1], c.quadratised.error[3] / c.ledger.error[3],
                     c.quadratised.error[5] / c.ledger.error[5] },
        holds = c.quadratised.error[1] > 20 * c.ledger.error[1] and c.quadratised.error[5] > 2 * c.ledger.error[5] }
claim { "order of convergence from 8 to 16 times: ledger, midpoint, exact", published = false, digits = 3,
        measured = { math.log(c.ledger.error[4] / c.ledger.error[5], 2), math.log(c.midpoint.error[4] / c.midpoint.error[5], 2),
                     math.log(c.exact.error[4] / c.exact.error[5], 2) },
        holds = math.abs(math.log(c.ledger.error[4] / c.ledger.error[5], 2) - 2) < 0.05 }
claim { "a contact of one mass is solved exactly by scheme exact: ledger's error over its own at 44.1 kHz", published = false,
        measured = c.ledger.error[1] / c.exact.error[1], digits = 2, holds = c.ledger.error[1] > 1e3 * c.exact.error[1] }

figure { width = "one", height = 60, panels = { cost.panel(case, curves) },
         caption = string.format("Displacement in the first %g s against the converged one (relative, rms over %d starts within one sample). "
                                 .. "Points from left to right: 1, 2, 4, 8, 16 times 44.1 kHz.", seconds, phases) }
