about { place = "cost 5", title = "Accuracy against cost: implicit string over a parabola (Bilbao 2014, Fig. 3)", alone = true }

local cost = use "lib/beyond_cost"
local published = 'model = "implicit", gamma = "optimal", tuned = false'
local result = cost.string {
  scene = [[
local L = 0.8
local s = string { length = L, tension = 38.5, material_density = 7850, radius = 1e-4, youngs = 2e11, $string }
local parabola = barrier { height = function(x) local y = x / L return -0.0015 + 0.004 * y - 0.004 * y ^ 2 end }
contact { above = s, below = parabola, K = 1e13, alpha = 2.3, $contact }
pluck { on = s, shape = "triangle", at = L / 4, height = 4e-3 }
probe { on = s, at = 0.9 * L, quantity = "displacement" }
render { rate = 44100, duration = 0.1 }
]],
  duration = 0.005, alone = 0.01, times = { 1, 2, 4 }, modes = { 80, 84 }, goal = 0.1, goal_alone = 0.02, rounds = 6,
  reference = { string = 'tuned = true', times = 64, said = "tuned fd string", within = 0.02 },
  ways = {
    { key = "ledger", string = published }, { key = "newton", string = published }, { key = "midpoint", string = published },
    { key = "quadratised", string = published }, { key = "release", string = published },
    { key = "tuned", way = "ledger", string = 'tuned = true', name = "ledger, tuned fd", colour = cost.shades.ledger[1], width = 1.6 },
  },
}
local a, b = result.a, result.b
claim { "quadratised over ledger, error at 44.1 kHz: (a), (b)", published = false, digits = 2,
        measured = { a.quadratised.error[1] / a.ledger.error[1], b.quadratised.error[1] / b.ledger.error[1] },
        holds = a.quadratised.error[1] > 3 * a.ledger.error[1] and b.quadratised.error[1] > 2 * b.ledger.error[1] }
claim { "midpoint potential over ledger, error at 44.1 kHz: (a), (b): better where contacts last a sample or two", published = false, digits = 2,
        measured = { a.midpoint.error[1] / a.ledger.error[1], b.midpoint.error[1] / b.ledger.error[1] },
        holds = a.midpoint.error[1] < a.ledger.error[1] and b.midpoint.error[1] < b.ledger.error[1] }
claim { "release over ledger, error in (b) at 1 and 8 times 44.1 kHz: worse when hard, better once contacts are resolved", published = false,
        digits = 2, measured = { b.release.error[1] / b.ledger.error[1], b.release.error[4] / b.ledger.error[4] },
        holds = b.release.error[1] > b.ledger.error[1] and b.release.error[4] < b.ledger.error[4] }

cost.string_figure(result, "Displacement at 0.9 of the length against the converged one, relative, rms. (a) 5 ms against the equation, as far "
  .. "as a reference converges for a triangle on so hard a barrier; points from left to right: 1, 2, 4 times 44.1 kHz. (b) 10 ms, 80 exact modes and "
  .. "83 points of contact at all rates: 1 to 16 times.")
