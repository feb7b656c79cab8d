about { place = "App. F, Eqs. 102 to 109", title = "Signs in the iterative scheme of Ducceschi and Bilbao 2019" }
-- Mass on a spring under a barrier at b, the numbers of Sec. 3; Eq. 109, and Eq. 23 of Ducceschi and Bilbao 2019, which it corrects.
local beside = use "lib/willemsen2019_compare"
local rate, M, omega, b, K, alpha = 44100, 0.01, 2 * math.pi * 110, 1e-3, 5e6, 1.3
local k = 1 / rate
local function phi(eta) return K / (alpha + 1) * math.max(eta, 0) ^ (alpha + 1) end

-- The root of r - 2u + 2u- + k^2 omega^2 u + (k^2/M) (phi(r + from) - phi(from))/r. It rises with r: halving finds it.
local function root(known, from)
  local function G(r)
    local chord = math.abs(r) > 1e-12 * (math.abs(from) + 1e-12) and (phi(from + r) - phi(from)) / r or K * math.max(from, 0) ^ alpha
    return r + known + k ^ 2 / M * chord
  end
  local low, high = -1, 1
  for _ = 1, 200 do
    local middle = (low + high) / 2
    if middle == low or middle == high then break end
    if G(middle) > 0 then high = middle else low = middle end
  end
  return math.abs(G(low)) < math.abs(G(high)) and low or high
end

-- `wrong`: phi(r + a) - phi(a), a = b - u^{n-1}; else phi(r - a) - phi(-a).
local function go(u, before, steps, wrong)
  local path, start, worst = { before, u }, nil, 0
  for n = 1, steps do
    local H = M / 2 * ((u - before) / k) ^ 2 + M * omega ^ 2 / 2 * u * before + (phi(u - b) + phi(before - b)) / 2
    start = start or H
    worst = math.max(worst, math.abs(H / start - 1))
    local a = b - before
    local r = root(2 * before - 2 * u + (k * omega) ^ 2 * u, wrong and a or -a)
    before, u = u, before + r
    path[n + 2] = u
    if math.abs(u) > 1 then return path, worst, n end
  end
  return path, worst, steps
end

local scene = "willemsen2019/mass_spring_barrier"
local r = run(scene, { scheme = "newton", duration = 0.03, energy = true, shapes = { 0, k } })
local before, now = r.shapes[1].bodies.u.u[1], r.shapes[2].bodies.u.u[1]
local path, drift = go(now, before, 1200)
local printed, printed_drift, lasted = go(now, before, 1200, true)
local off = 0
for n = 1, 1200 do off = math.max(off, math.abs(path[n] - r.probes.u[n])) end
claim { "the program (newton) against Eq. 109, solved apart: largest distance in 1200 steps, of the displacement",
        published = "the step is the root of Eq. 109",
        measured = off / r.probes.u:absmax(), digits = 2, holds = off < 1e-9 * r.probes.u:absmax() }
claim { "energy out of nothing: Eq. 109; Eq. 23 of Ducceschi and Bilbao 2019 as printed", published = "the signs of the arguments are inverted",
        measured = { drift, printed_drift }, digits = 2, holds = drift < 1e-9 and printed_drift > 0.1 }
claim { "the printed one from rest at -2 mm, barrier at 1 mm", published = false, holds = math.abs(printed[3] - path[3]) > 1e-4 and lasted < 100,
        measured = string.format("thrown to %.2f mm in one step, 1 m away after %d", 1e3 * printed[3], lasted),
        why = "with φ(a) the barrier acts where it is not: a > 0 is the distance to it" }

local from_below = { go(now, before, 400) }
choice { "the run", taken = "that of Sec. 3, K = 5e6 N/m^α", why = "the appendix has none",
         otherwise = string.format("400 steps instead of 1200: Eq. 109 closes to %.0e", from_below[2]) }

local t = vec(#path, function(n) return (n - 1) * k end)
figure { columns = 2, width = "two",
  caption = "Iterative scheme: (a) Eq. 109 (points) and the program's newton; (b) with the signs of Eq. 23 of Ducceschi and Bilbao 2019 "
            .. "as printed.",
  panels = {
    { title = "(a) Eq. 109 and newton", x = { label = "t", unit = "ms", factor = 1e3, from = 0, to = 25 }, y = { label = "u", unit = "mm",
      factor = 1e3 },
      marks = { { y = b, text = "barrier" } },
      lines = { { x = r.t, y = r.probes.u, scheme = "newton" },
                { x = t:every(12), y = vec(path):every(12), name = "Eq. 109", scheme = "reference", style = "points" } } },
    { title = "(b) signs as printed", x = { label = "t", unit = "ms", factor = 1e3, from = 0, to = 0.8 }, y = { label = "u", unit = "mm",
      factor = 1e3 },
      marks = { { y = b, text = "barrier" } },
      lines = { { x = r.t, y = r.probes.u, scheme = "newton" },
                { x = t:sub(1, #printed), y = vec(printed), name = "signs as printed", colour = "grey", style = "line" } } } } }
