about { place = "Eq. 23", title = "The bound on penetration, and how deep the schemes go" }

local K, alpha, published = 1e13, 2.3, 1.3e-4 -- m
local function bound(H, stiffness, N) return (2 * (alpha + 1) * H / (stiffness * 0.8 / N)) ^ (1 / (alpha + 1)) end

-- The energy of the start as the scheme counts it.
local function start(apex)
  local r = run("bilbao2014/parabola", { set = { apex = apex, K = K }, duration = 1e-4, energy = true })
  return bound(r.energy.total[1], K, r.bodies.string.segments)
end
local function runs(set, schemes, seconds)
  local deep = {}
  for _, scheme in ipairs(schemes) do
    local r = run("bilbao2014/parabola", { set = set, scheme = scheme, energy = true, duration = seconds })
    deep[scheme] = r.links.touch.max_penetration
    deep.bound = bound(r.energy.total[1], set.K or K, r.bodies.string.segments)
    deep.balance = math.max(deep.balance or 0, r.balance)
  end
  return deep
end

local schemes = { "newton", "ledger", "quadratised" }
local quarter = runs({}, schemes)
local centre = start(0.5)
claim { "penetration bound of the string of Fig. 3, apex at L/4", published = published, measured = quarter.bound, unit = "m",
        within = 0.05e-4, why = "the apex is not printed" }
claim { "the same, apex at L/2", published = false, measured = centre, unit = "m", holds = centre < 1.25e-4,
        why = "a triangle in the middle has less energy" }

-- Apexes for which the bound rounds to 1.3e-4. On the grid the apex is cut off a little: scan.
local places, bounds, low, high = {}, {}, nil, nil
for i = 0, 86 do
  places[i + 1] = 0.07 + 0.005 * i
  bounds[i + 1] = start(places[i + 1])
  if bounds[i + 1] >= 1.25e-4 and bounds[i + 1] < 1.35e-4 then low, high = low or places[i + 1], places[i + 1] end
end
claim { "apexes between which the bound is 1.3e-4 m as printed, over L (and their mirror images)", published = false,
        measured = { low, high }, digits = 3, holds = low > 0.195 and high < 0.295 }

claim { "the scheme of the paper (newton) stays below the bound", published = "bounded", measured = quarter.newton / quarter.bound,
        digits = 2, holds = quarter.newton <= quarter.bound }
claim { "ledger, penetration over the bound", published = false, measured = quarter.ledger / quarter.bound, digits = 2,
        holds = quarter.ledger <= quarter.bound }
claim { "quadratised, penetration over the bound", published = false, measured = quarter.quadratised / quarter.bound, digits = 2,
        holds = quarter.quadratised > quarter.bound,
        why = "nothing ties its psi to the potential: energy bounds psi, not the penetration" }

-- "Can be made as small as desired using an appropriate K."
local stiff, deep = {}, { bound = {}, newton = {}, ledger = {}, quadratised = {} }
local within, broken = true, 0
for i = 0, 10 do
  stiff[i + 1] = 10 ^ (7 + i)
  local d = runs({ K = stiff[i + 1] }, schemes, 0.05)
  for key, list in pairs(deep) do list[i + 1] = d[key] end
  within = within and d.newton <= d.bound and d.ledger <= d.bound
  if d.quadratised > d.bound then broken = broken + 1 end
end
local slope = math.log(deep.newton[11] / deep.newton[1], 10) / 10
claim { "the bound can be made as small as desired by K: deepest penetration of newton for K = 1e7 and 1e17", published = "any",
        measured = { deep.newton[1], deep.newton[11] }, unit = "m", digits = 2, holds = deep.newton[11] < 1e-5 }
claim { "exponent of K: of the bound, of the penetration of newton between these two", published = false,
        measured = { -1 / (alpha + 1), slope }, digits = 2, holds = math.abs(slope + 1 / (alpha + 1)) < 0.05 }
claim { "newton and ledger within the bound for K = 1e7 .. 1e17; of these 11, quadratised breaks it in", published = false,
        measured = broken, holds = within and broken >= 5 }

choice { "the apex of the triangle", taken = "L/4", why = "gives the printed 1.3e-4 m",
         otherwise = string.format("%.3g m at L/10, %.3g m at L/5, %.3g m at L/3, %.3g m at L/2",
                                   start(0.1), start(0.2), start(1 / 3), centre) }

if pictures then
  local apexes, below = { 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5 }, { newton = {}, ledger = {}, quadratised = {} }
  for i, apex in ipairs(apexes) do
    local d = runs({ apex = apex }, schemes)
    for key, list in pairs(below) do list[i] = d[key] end
  end
  local a = { { x = vec(places), y = vec(bounds), name = "bound (23)", colour = "black" } }
  local b = { { x = vec(stiff), y = vec(deep.bound), name = "bound (23)", colour = "black" } }
  for i, scheme in ipairs(schemes) do
    a[i + 1] = { x = vec(apexes), y = vec(below[scheme]), scheme = scheme, style = "linespoints" }
    b[i + 1] = { x = vec(stiff), y = vec(deep[scheme]), scheme = scheme, style = "linespoints" }
  end
  figure { caption = "Deepest penetration against the bound (23): (a) by the apex of the triangle, K = 1e13, 100 ms; (b) by K, " ..
                     "apex at L/4, 50 ms.",
           width = "two", columns = 2, height = 60,
           panels = { { title = "(a) apex", x = { label = "apex / L", from = 0.05, to = 0.5 },
                        y = { label = "penetration", unit = "µm", factor = 1e6, log = true, from = 30, to = 1000 }, lines = a,
                        marks = { { y = published, text = "published: 130 µm" } }, legend = "outside" },
                      { title = "(b) stiffness", x = { label = "K", unit = "N/m^3.3", log = true },
                        y = { label = "penetration", unit = "µm", factor = 1e6, log = true }, lines = b, legend = false } } }
end
