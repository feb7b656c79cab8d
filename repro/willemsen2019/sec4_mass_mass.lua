about { place = "Sec. 4, Eqs. 22 to 24, App. C", title = "Two masses on springs strike one another" }
-- The notes print no numbers: those of the scene are ours.
local bodies, systems = use "lib/willemsen2019_bodies", use "lib/willemsen2019_systems"
local beside = use "lib/willemsen2019_compare"

local rate, duration = 44100, 0.03
local k, scene = 1 / rate, "willemsen2019/mass_mass"
local runs = {}
for _, scheme in ipairs { "quadratised", "ledger", "newton" } do
  runs[scheme] = run(scene, { scheme = scheme, energy = true, duration = duration, shapes = beside.times(rate, 1000, 20) })
end
local r = runs.quadratised
local notes = systems.mass_mass { k = k, upper = bodies.mass { k = k, M = 0.015, omega = 2 * math.pi * 90 },
                                  lower = bodies.mass { k = k, M = 0.005, omega = 2 * math.pi * 140 },
                                  contacts = { { K = 1e7, alpha = 1.3 } } }
local off = beside.along(r, notes, { upper = "u", lower = "w" })
claim { "the program against the matrix of Eq. 24 with ω squared, solved apart: largest distance, of the displacements",
        published = "both masses from a 2 x 2 system (Eq. 24)", measured = off, digits = 2, holds = off < 1e-10,
        expect = "reproduced with correction",
        why = "Eqs. 24, 89 and 90 are printed with M ω instead of M ω^2 (errata)" }
claim { "energy out of nothing (quadratised; ledger; newton)", published = "none, as ψ ψ' = φ' (App. A)",
        measured = { r.balance, runs.ledger.balance, runs.newton.balance }, digits = 1,
        holds = math.max(r.balance, runs.ledger.balance, runs.newton.balance) < 1e-12 }

-- The barrier that moves by itself: whatever it does to the mass, nothing is taken from it.
local driven = run([[
local w = mass { mass = 0.005, frequency = 140, velocity = 1.5 }
local path = {}
for n = 0, 1000 do path[n + 1] = { n / 20000, 1e-3 + 5e-4 * math.sin(2 * math.pi * 90 * n / 20000) } end
contact { above = mass { mass = 1, path = path }, below = w, K = 1e7, alpha = 1.3, scheme = "quadratised" }
render { rate = 44100, duration = 0.03 }
]], { energy = true })
local H = driven.energy.total
local drift = (H - H[1]):absmax() / H[1]
claim { "a barrier moved by hand: how far the energy strays, of that at the start; with the work of the hand counted",
        published = "the energy balance would be incorrect", measured = { drift, driven.balance }, digits = 2,
        holds = drift > 0.01 and driven.balance < 1e-12 }

-- Free masses, the upper one at rest: the lower one gives it 4 m M/(m + M)^2 of its energy.
local free = [[
local ratio, release = param { "ratio", 1, min = 1e-3, max = 1e6 }, param { "release", 0 }
local v, w = param { "v", 1 }, param { "w", 0 }
local m = param { "m", 0.005 }
local above = mass { name = "u", mass = m * ratio, velocity = w }
local below = mass { name = "w", mass = m, position = -1e-3, velocity = v }
contact { above = above, below = below, K = param { "K", 1e6 }, alpha = 1.5, scheme = "quadratised", release = release > 0 }
probe { on = above, quantity = "velocity", name = "u" }
probe { on = below, quantity = "velocity", name = "w" }
render { rate = 44100, duration = 1000 / 44100 }
]]
local function after(set, scheme)
  local p = run(free, { set = set, scheme = scheme, unaudited = true }).probes
  return p.u[991], p.w[991]
end
local ratios, given, exact, worst = {}, {}, {}, 0
for i = 1, 21 do
  local q = 10 ^ ((i - 1) / 4 - 1)
  ratios[i], exact[i] = q, 4 * q / (1 + q) ^ 2
  given[i] = q * after { ratio = q } ^ 2
  worst = math.max(worst, math.abs(given[i] / exact[i] - 1))
end
local bat = 1e3 * after { ratio = 1e3 } ^ 2
claim { "energy a ball gives to a bat of 1000 times its mass, of its own (quadratised; 4 m M/(m + M)^2)",
        published = "some energy of the ball is transferred into the bat", measured = { bat, 4e3 / 1001 ^ 2 }, digits = 4,
        holds = math.abs(bat / (4e3 / 1001 ^ 2) - 1) < 1e-3 }

local blow = { m = 0.03, ratio = 1 / 3, v = 0.5, w = -1 }
local u, w = after(blow)
blow.release = 1
local ru, rw = after(blow)
local lu, lw = after({ m = 0.03, ratio = 1 / 3, v = 0.5, w = -1 }, "ledger")
claim { "momentum out of nothing, of 5 g m/s, 30 g at 0.5 m/s against 10 g at -1 m/s (quadratised; ledger)",
        published = "the force is positive on u, negative on w, and the same", measured = { (0.01 * u + 0.03 * w) / 0.005 - 1,
        (0.01 * lu + 0.03 * lw) / 0.005 - 1 }, digits = 1,
        holds = math.abs(0.01 * u + 0.03 * w - 0.005) < 1e-15 and math.abs(0.01 * lu + 0.03 * lw - 0.005) < 1e-15 }
claim { "their velocities after it (exact: 1.25 and -0.25; quadratised; with the release rule; ledger)", published = false,
        measured = { u, w, ru, rw, lu, lw }, unit = "m/s", digits = 13,
        holds = math.abs(u - 1.249999986421) < 1e-12 and math.abs(w + 0.2499999954737) < 1e-12 and
                math.abs(ru - 1.25) < 1e-12 and math.abs(rw + 0.25) < 1e-12 and math.abs(lu - 1.25) < 1e-12 }

local heavy = run(scene, { set = { ratio = 100 }, duration = duration })
choice { "numbers", taken = "15 g at 90 Hz above 5 g at 140 Hz thrown up at 1.5 m/s, 1 mm apart, K = 1e7 N/m^α, α = 1.3",
         why = "the notes print none",
         otherwise = string.format("the upper one 100 times heavier: energy closes to %.0e; ratios of 0.1 to 1e4: energy given is the exact "
                                   .. "one within %.0e", heavy.balance, worst) }

local time = { label = "t", unit = "ms", factor = 1e3, from = 0, to = 20 }
local ledger, fine = runs.ledger, range(-1, 4, 200):map(function(x) return 10 ^ x end)
figure { columns = 2, width = "two",
  caption = "Two masses on springs, the lower one thrown up. (a) Motion; (b) energies; (c) energy out of nothing; (d) energy a free mass "
            .. "gives to one at rest over the ratio of their masses.",
  panels = {
    { title = "(a) motion", x = time, y = { label = "displacement", unit = "mm", factor = 1e3 },
      lines = { { x = r.t, y = beside.path(r, "u'", "u"), name = "u, above", colour = "ink" },
                { x = r.t, y = beside.path(r, "w'", "w"), name = "w, below", colour = "purple" } } },
    beside.energies(r, "(b) energies", { x = time }),
    beside.residuals({ { "quadratised", r }, { "ledger", ledger }, { "newton", runs.newton } }, "(c) energy out of nothing"),
    { title = "(d) one mass at rest", x = { label = "M₁ / M₂", log = true }, y = { label = "energy given", from = 0, to = 1.05 },
      lines = { { x = fine, y = fine:map(function(q) return 4 * q / (1 + q) ^ 2 end), scheme = "exact" },
                { x = vec(ratios), y = vec(given), scheme = "quadratised", style = "points" } } } } }
