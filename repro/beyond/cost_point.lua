about { place = "cost 4", title = "Accuracy against cost: string on a point barrier (Ducceschi and Bilbao 2019, Figs. 4 and 5)", alone = true }

local cost = use "lib/beyond_cost"
local published, own, best = 'tuned = false', 'tuned = true', 'model = "modal"'
local result = cost.string {
  scene = [[
local s = string { length = 1, tension = 500, density = 0.063, radius = 5e-4, youngs = 2e11, $string }
contact { above = s, below = barrier { height = -1e-4, at = 0.5 }, K = 5e6, alpha = 1.4, $contact }
force { on = s, at = 0.3, shape = "raised-cosine", peak = 10, width = 1e-3 }
probe { on = s, at = 0.9, quantity = "displacement" }
render { rate = 44100, duration = 0.1 }
]],
  duration = 0.04, alone = 0.1, times = { 1, 2, 4, 8 }, modes = { 140, 150 }, goal = 0.02, goal_alone = 1e-3,
  reference = { string = best, times = 32, said = "modal string of exact modes", within = 1e-4 },
  ways = {
    { key = "ledger", string = published, name = "ledger" }, { key = "newton", string = published },
    { key = "quadratised", string = published },
    { key = "modal", way = "quadratised", string = 'model = "modal", tuned = false', name = "quadratised, modal", colour = cost.shades.quadratised[1] },
    { key = "tuned", way = "ledger", string = own, name = "ledger, tuned fd", colour = cost.shades.ledger[1], width = 1.6 },
    { key = "best", way = "ledger", string = best, name = "ledger, tuned modal", colour = cost.shades.ledger[2], width = 1.6 },
  },
}
local a, b = result.a, result.b
claim { "as published the string's own dispersion hides the contact: quadratised over ledger, error of (a) at 44.1 kHz", published = false,
        digits = 3, measured = a.quadratised.error[1] / a.ledger.error[1], holds = math.abs(a.quadratised.error[1] / a.ledger.error[1] - 1) < 0.15 }
claim { "what a tuned string gains with the same contact: error of (a) at 44.1 kHz, fd as published over tuned fd, over tuned modal",
        published = false, digits = 2, measured = { a.ledger.error[1] / a.tuned.error[1], a.ledger.error[1] / a.best.error[1] },
        holds = a.ledger.error[1] > 3 * a.tuned.error[1] and a.ledger.error[1] > 8 * a.best.error[1] }
claim { "the contact alone: quadratised over ledger at 1, 4, 16 times 44.1 kHz", published = false, digits = 2,
        measured = { b.quadratised.error[1] / b.ledger.error[1], b.quadratised.error[3] / b.ledger.error[3],
                     b.quadratised.error[5] / b.ledger.error[5] },
        holds = b.quadratised.error[1] > 5 * b.ledger.error[1] and b.quadratised.error[5] > 20 * b.ledger.error[5] }
local needed = cost.needs(b.quadratised, b.ledger.error[1])
claim { "the contact alone: times 44.1 kHz that quadratised needs for what ledger does at 44.1 kHz; release", published = false, digits = 2,
        measured = { needed or ">16", cost.needs(b.release, b.ledger.error[1]) or ">16" }, holds = not needed or needed > 4 }
claim { "ledger and newton: largest difference of their errors in (b), relative", published = false, digits = 2,
        measured = (vec(b.ledger.error) / vec(b.newton.error) - 1):absmax(), holds = (vec(b.ledger.error) / vec(b.newton.error) - 1):absmax() < 1e-3 }

cost.string_figure(result, "Displacement at 0.9 of the length against the converged one, relative, rms. (a) 40 ms against the equation, each "
  .. "string on its own grid; points from left to right: 1, 2, 4, 8 times 44.1 kHz. (b) 100 ms, 140 exact modes at all rates, so that only the "
  .. "contact errs: 1 to 16 times.")
