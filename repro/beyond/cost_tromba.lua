about { place = "cost 7", title = "Accuracy against cost: tromba marina, plucked (Willemsen 2019, Sec. 8)", alone = true }

local cost = use "lib/beyond_cost"
local scene, plucks, count = use "lib/beyond_tromba", "0.9, 1, 1.1", 3
local seconds = 0.05 -- the reference still converges

local names = { "ledger", "newton", "midpoint", "quadratised", "release" }
for i, name in ipairs(names) do names[i] = { key = name, plucks = plucks } end
local case = { scene = scene, ways = cost.ways(names), times = { 1, 2, 4, 8 }, bodies = count, duration = seconds, rounds = 3 }

local function reference(times)
  return run(cost.scene(scene, case.ways[2]), { oversample = times, every = times, duration = seconds, unaudited = true }).probes
end
-- rms over the plucks, so that no scheme has good or bad luck with when the bridge meets the body.
local function departure(probes, right)
  local sum = 0
  for i = 1, 2 * count, 2 do sum = sum + cost.departure(probes[i], right[i]) ^ 2 end
  return math.sqrt(sum / count)
end
local right = reference(32)
local unsure = departure(reference(16), right)
function case.error(r) return departure(r.probes, right) end
local c = cost.measure(case)

claim { "reference: newton at 32 times 44.1 kHz on the same grids; change from half that rate", published = false, measured = unsure, digits = 2,
        holds = unsure < 1e-3 }
cost.tell(case, c, 0.01)
claim { "ledger and newton: largest difference of their errors, relative", published = false, digits = 2,
        measured = (vec(c.ledger.error) / vec(c.newton.error) - 1):absmax(), holds = (vec(c.ledger.error) / vec(c.newton.error) - 1):absmax() < 0.02 }
claim { "release over ledger, midpoint over ledger: errors at 44.1 kHz", published = false, digits = 2,
        why = "where the bridge touches for a sample or two the mean potential of newton and ledger is the less accurate one",
        measured = { c.release.error[1] / c.ledger.error[1], c.midpoint.error[1] / c.ledger.error[1] },
        holds = c.release.error[1] < c.ledger.error[1] and c.midpoint.error[1] < c.ledger.error[1] }
claim { "errors at 8 times 44.1 kHz over those at 44.1 kHz: ledger, release, quadratised as published, whose pull the rate does not cure",
        published = false, digits = 2,
        measured = { c.ledger.error[4] / c.ledger.error[1], c.release.error[4] / c.release.error[1], c.quadratised.error[4] / c.quadratised.error[1] },
        holds = c.ledger.error[4] < 0.1 * c.ledger.error[1] and c.quadratised.error[4] > 0.3 * c.quadratised.error[1] }

figure { width = "one", height = 60, panels = { cost.panel(case, c) },
         caption = string.format("Displacement of the body under the bridge in the first %g ms against the converged one on the same grids, "
                                 .. "relative, rms over three heights of the pluck. Points from left to right: 1, 2, 4, 8 times 44.1 kHz.", 1e3 * seconds) }
