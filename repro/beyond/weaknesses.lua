about { place = "weaknesses", title = "Where ledger is not the best choice", alone = true }

local cost, impacts, sweep = use "lib/beyond_cost", use "lib/beyond_impacts", use "lib/beyond_sweep"

-- 1. It is late, as newton is: the mean of two potentials underrates a contact of few samples.
local late = sweep.run({ "ledger", "newton", "midpoint", "exact", "release", "rk4" }, { 2.5 }, { 1.3 })
local function rms(key) return late[key][1][1].delay:rms() * impacts.rate end
claim { "lossless contact of 2.5 samples, α = 1.3, rms delay in samples: ledger, newton, ledger midpoint, quadratised release, rk4, exact",
        published = false, digits = 2, measured = { rms "ledger", rms "newton", rms "midpoint", rms "release", rms "rk4", rms "exact" },
        holds = rms "midpoint" < 0.5 * rms "ledger" and rms "release" < rms "ledger",
        why = "use potential = \"midpoint\", or exact for single masses" }

-- 2. With Hunt-Crossley losses the exit speed is exact with the mean potential only.
local lossy = impacts.new({ mass = 0.01, K = 1e9, alpha = 1.5, mu = 0.5, speed = 1 }, 32, 20)
local off = {}
for _, way in ipairs(cost.ways { "ledger", "midpoint", "rk4", "verlet", "invariant" }) do
  off[way.key] = (impacts.read(lossy, run(cost.scene(lossy.scene, way), { unaudited = true })).speed - 1):absmax()
end
claim { "impact with loss (Papetti, Avanzini and Rocchesso 2011, case 2), worst exit speed: ledger, ledger midpoint, verlet, rk4, invariant",
        published = false, digits = 2,
        measured = { off.ledger, off.midpoint, off.verlet, off.rk4, off.invariant }, holds = off.ledger < 1e-12 and off.rk4 < off.midpoint and off.invariant < 1e-12,
        why = "with potential = \"midpoint\", and in blocks, the loss of an impact is that of the plain product" }

-- 3. A sample in contact costs more than with quadratised or root; all masses in contact all the time.
local hit = impacts.new(impacts.lasting(400, 1.3), 64, -350)
local contact = { scene = hit.scene, ways = cost.ways { "ledger", "newton", "exact", "quadratised", "root 1", "verlet", "rk4" },
                  times = { 1 }, bodies = 64, duration = hit.duration, rounds = 9, error = function() return 1 end }
local ns = cost.measure(contact)
claim { "a mass in contact, ns per sample", published = false,
        measured = cost.list(contact, ns, "%.0f", function(c) return c.ns[1] end), holds = true }

-- 4. α = 1 on explicit strings has a closed form; ledger solves it for the same numbers.
local flat = [[
local s = string { length = 1, tension = 500, density = 0.063, radius = 5e-4, youngs = 2e11, $string }
local touch = contact { above = s, below = barrier { height = 0, from = $from, to = $to }, gap = -1e-3, K = $K, alpha = $alpha, $contact }
probe { on = s, at = 0.5, quantity = "displacement" }
render { rate = 44100, duration = 0.002 }
]]
local function pressed(names, string, from, to, alpha)
  local list = {}
  for i, name in ipairs(names) do
    list[i] = { key = name, string = string, from = tostring(from), to = tostring(to), alpha = tostring(alpha), K = alpha == 1 and "1e4" or "1e5" }
  end
  local case = { scene = flat, ways = cost.ways(list), times = { 1 }, duration = 100 / cost.rate, rounds = 7 }
  local ends, points = {}, 0
  function case.error(r, _, way)
    ends[way.key], points = r.probes[1], r.links[1].points_max
    return 1
  end
  return cost.measure(case), points, ends, case
end
local linear, points, ends, case = pressed({ "ledger", "newton", "exact" }, "tuned = false", 0.1, 0.9, 1)
claim { string.format("α = 1, explicit string pressed on %d points, ns per point and sample", points), published = false,
        measured = cost.list(case, linear, "%.0f", function(c) return c.ns[1] / points end), holds = true,
        why = "exact gives the same numbers by a square root" }
local apart = (ends.ledger - ends.exact):absmax() / ends.exact:absmax()
claim { "the same: largest difference of ledger and exact, relative", published = false, digits = 2, measured = apart, holds = apart < 1e-9 }

-- 5. Blocks: on implicit and modal strings all touching points are solved together, by Newton steps, and ledger is no cheaper than newton.
local strings = { fd = "tuned = false", implicit = 'model = "implicit", gamma = "optimal", tuned = false' }
local widths, cost_of = { 0.02, 0.05, 0.1, 0.2, 0.4, 0.8 }, {}
for model, text in pairs(strings) do
  for _, width in ipairs(widths) do
    local c, n = pressed({ "ledger", "newton", "quadratised" }, text, 0.5 - width / 2, 0.5 + width / 2, 1.4)
    for key, curve in pairs(c) do
      local line = cost_of[model .. key] or { x = {}, y = {}, model = model, way = curve.way }
      cost_of[model .. key] = line
      line.x[#line.x + 1], line.y[#line.y + 1] = n, curve.ns[1]
    end
  end
end
local function most(key) local line = cost_of[key] return line.y[#line.y] end
claim { string.format("string pressed on %d (fd) and %d (implicit) points, µs per sample: ledger, newton, quadratised on fd; the same on implicit",
                      cost_of.fdledger.x[#widths], cost_of.implicitledger.x[#widths]), published = false,
        measured = { most "fdledger" / 1e3, most "fdnewton" / 1e3, most "fdquadratised" / 1e3,
                     most "implicitledger" / 1e3, most "implicitnewton" / 1e3, most "implicitquadratised" / 1e3 },
        holds = true, why = "there ledger takes Newton steps as newton does, and costs as much" }

-- 6. Cases of the papers in which another scheme is as good or better at the same rate.
local function compare(scene, more, names, reference, duration)
  local list = {}
  for i, name in ipairs(names) do
    list[i] = { key = name }
    for key, value in pairs(more) do list[i][key] = value end
  end
  for key, value in pairs(reference) do if key ~= "times" then list[1][key] = value end end -- the reference comes first
  local ways = cost.ways(list)
  local fine = { oversample = reference.times, every = reference.times, duration = duration, unaudited = true }
  local right = run(cost.scene(scene, ways[1]), fine).probes[1]
  table.remove(ways, 1)
  local case = { scene = scene, ways = ways, times = { 1 }, duration = duration, rounds = 7 }
  function case.error(r) return cost.departure(r.probes[1], right) end
  return cost.measure(case), case
end
local bent = [[
local s = string { length = 1, tension = 500, density = 0.063, radius = 5e-4, youngs = 2e11, $string }
local bent = barrier { height = function(x) return -1e-4 - 1e-4 * x - 1e-3 * x ^ 2 end }
contact { above = s, below = bent, K = 5e6, alpha = 1.4, $contact }
force { on = s, at = 0.8, shape = "raised-cosine", peak = 10, width = 1e-3 }
probe { on = s, at = 0.9, quantity = "displacement" }
render { rate = 44100, duration = 0.03 }
]]
local soft, soft_case = compare(bent, { string = "tuned = false" }, { "newton", "ledger", "newton", "quadratised" },
                                { string = 'model = "implicit", gamma = "tuned"', times = 8 }, 0.03)
claim { "soft distributed barrier on the published string (Ducceschi and Bilbao 2019, Fig. 8): error at 44.1 kHz, mostly the string's own",
        published = false, measured = cost.list(soft_case, soft, "%.4f", function(c) return c.error[1] end),
        holds = math.abs(soft.quadratised.error[1] / soft.ledger.error[1] - 1) < 0.02 }
claim { "the same: µs per sample", published = false, holds = true,
        measured = cost.list(soft_case, soft, "%.2f", function(c) return c.ns[1] / 1e3 end),
        why = "where contacts are soft quadratised is as good and costs less" }
local rattle, rattle_case = compare(use "lib/beyond_tromba", { plucks = "1" }, { "newton", "ledger", "midpoint", "release" }, { times = 16 }, 0.05)
claim { "tromba marina: error of the body under the bridge at 44.1 kHz, first 50 ms", published = false,
        measured = cost.list(rattle_case, rattle, "%.4f", function(c) return c.error[1] end),
        holds = rattle.release.error[1] < rattle.ledger.error[1],
        why = "rattling of a sample or two: release and the midpoint potential are nearer to the converged motion" }

-- 7. The midpoint potential, better when hard, pays with single samples that stand deeper than the bound of newton and ledger.
local parabola = use "lib/beyond_cases"[3]
local deep = {}
for i, way in ipairs(cost.ways { "ledger", "midpoint", "release" }) do
  deep[i] = 1e3 * run(cost.scene(parabola.scene, way), { duration = parabola.duration, unaudited = true }).links[1].max_penetration
end
claim { "string over a parabola (Bilbao 2014, Fig. 3): deepest penetration in mm: ledger, ledger midpoint, quadratised release", published = false,
        measured = deep, holds = deep[2] > 2 * deep[1] and deep[3] > 2 * deep[1] }

local lines = {}
for _, key in ipairs { "fdledger", "fdnewton", "fdquadratised", "implicitledger", "implicitnewton", "implicitquadratised" } do
  local line = cost_of[key]
  lines[#lines + 1] = cost.line(line.way, vec(line.x), vec(line.y))
  lines[#lines].name = line.way.name .. ", " .. line.model
  if line.model == "implicit" then
    lines[#lines].colour = cost.shades[line.way.key][1]
  end
end
figure { width = "one", height = 60,
         panels = { { x = { label = "points that touch", log = true }, y = { label = "cost of a sample", unit = "µs", factor = 1e-3, log = true },
                      lines = lines, legend = "outside" } },
         caption = "A string pressed onto a flat barrier of growing width: explicit strings (fd) solve each point alone, implicit ones all together." }
