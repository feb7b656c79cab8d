about { place = "Secs. 1, 3.3, 4", title = "Speed of the iterative and the non-iterative schemes", alone = true, slow = true }

local strings = use "lib/ducceschi2019_string"
local loops = use "lib/ducceschi2019_loops"
local bent = "-1e-4 - 1e-4 * x - 1e-3 * x ^ 2" -- Fig. 8

-- CPU time in us per sample of 44.1 kHz, best of five runs; the run itself.
local function cost(o, over, duration)
  local best, r = math.huge, nil
  for _ = 1, 5 do
    r = run(strings.scene(o), { rate = 44100 * over, duration = duration, unaudited = true, every = 100 })
    best = math.min(best, 1e6 * r.seconds / (duration * 44100))
  end
  return best, r
end
local newton, r = cost({ height = bent, place = 0.8 }, 1, 0.1)
local psi = cost({ height = bent, place = 0.8, scheme = "quadratised" }, 1, 0.1)
local psi5 = cost({ height = bent, place = 0.8, scheme = "quadratised" }, 5, 0.1)
local ledger = cost({ height = bent, place = 0.8, scheme = "ledger" }, 1, 0.1)

claim { "Fig. 8, non-iterative scheme at 5 times 44.1 kHz faster than the iterative one at 44.1 kHz: its time over the " ..
        "other's, this program", published = "less than 1",
        measured = psi5 / newton, digits = 2, holds = psi5 < newton, expect = "does not reproduce",
        why = string.format("five times the rate is %.1f times the work, and Newton's method needs %.1f iterations, not 20; " ..
          "near 1 only if all points make 20 iterations in every step, contact or not (beside)",
          psi5 / psi, r.links.contact.iterations_mean) }
claim { "Fig. 8 at 44.1 kHz: time per sample, iterative, non-iterative, ledger", published = false,
        measured = { newton, psi, ledger }, unit = "us", digits = 2, holds = psi < newton }
claim { "significant speedups, in some cases of one order of magnitude: time of the iterative scheme over that of the " ..
        "non-iterative one at the same rate, Fig. 8, this program",
        published = "up to 10", measured = newton / psi, digits = 2, holds = newton / psi > 5, expect = "does not reproduce",
        why = "an iterative scheme that stops when it has converged, at the points that touch, costs little more" }

-- The experiment of the paper: 20 iterations, always, in an interpreter.
local function interpreted(o)
  o.duration = 0.036
  local first = loops(o)
  local second, u, iterated = loops(o)
  return math.min(first, second), u, iterated
end
local slow, u5 = interpreted { over = 5 }
local same = interpreted { over = 1 }
local touching, u, few = interpreted { over = 1, iterations = 20, where = "touching" }
local contact, _, some = interpreted { over = 1, iterations = 20, where = "contact" }
local always = interpreted { over = 1, iterations = 20, where = "always" }
claim { "Fig. 8 as plain loops in one interpreter: time of the non-iterative scheme at 5 times 44.1 kHz over 20 iterations at " ..
        "44.1 kHz, at touching points, at all points while any touches, at all points in every step",
        published = false, measured = { slow / touching, slow / contact, slow / always }, digits = 2,
        holds = slow > touching and slow > contact and slow < 1.4 * always }
claim { "Fig. 8 as plain loops: points iterated in a step, on average, touching, all while any touches", published = false,
        measured = { few, some }, digits = 2, holds = few < 20 and some < 100 }
claim { "Fig. 8 as plain loops at 44.1 kHz: time of 20 iterations over the non-iterative scheme, touching, all while any " ..
        "touches, all in every step", published = false,
        measured = { touching / same, contact / same, always / same }, digits = 2,
        holds = touching / same < 5 and always / same > 5 }
claim { "Fig. 8 as plain loops: output of the non-iterative scheme at 5 times 44.1 kHz against 20 iterations at 44.1 kHz",
        published = false, measured = strings.apart(u5, u), digits = 2, holds = strings.apart(u5, u) < 0.1 }

-- Modes: fast when small, slow with many points.
local point_fd = cost({ scheme = "quadratised" }, 1, 0.1)
local point_modal = cost({ scheme = "quadratised", model = "modal" }, 1, 0.1)
local bent_modal = cost({ height = bent, place = 0.8, scheme = "quadratised", model = "modal" }, 1, 0.1)
claim { "many barrier points have a significant impact on the modal scheme: time of Fig. 8 over that of Fig. 4, 44.1 kHz",
        published = "significant", measured = bent_modal / point_modal, digits = 2, holds = bent_modal / point_modal > 3 }
claim { "time per sample at 44.1 kHz, Fig. 4: finite differences, modal; Fig. 8: finite differences, modal", published = false,
        measured = { point_fd, point_modal, psi, bent_modal }, unit = "us", digits = 2, holds = bent_modal > psi }
