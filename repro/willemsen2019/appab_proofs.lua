about { place = "Apps. A, B and D, Eqs. 6 to 9", title = "ψ ψ' = φ', and what ψ is in a run" }
local bodies, systems = use "lib/willemsen2019_bodies", use "lib/willemsen2019_systems"

local rate, alpha, b = 44100, 1.3, 1e-3
local k = 1 / rate
local function phi(K, eta) return K / (alpha + 1) * math.max(eta, 0) ^ (alpha + 1) end
local function psi(K, eta) return math.sqrt(2 * phi(K, eta)) end

-- App. A, Eq. 86: psi times g of Eq. 12 beside phi' = K eta^alpha.
local off, K = 0, 5e6
for i = 1, 100 do
  local eta = 1e-9 * 10 ^ (i * 0.06)
  local g = math.sqrt(K * (alpha + 1) / 2) * eta ^ ((alpha - 1) / 2)
  off = math.max(off, math.abs(psi(K, eta) * g / (K * eta ^ alpha) - 1))
end
claim { "ψ times g of Eq. 12 beside φ', furthest over penetrations of 1 nm to 1 mm", published = "ψ ψ' = φ' (Eq. 86)", measured = off,
        digits = 1, holds = off < 1e-14 }

-- App. D, Eq. 92: the slope of K |eta|^(alpha+1)/(alpha+1), by differences.
local function both(eta) return K / (alpha + 1) * math.abs(eta) ^ (alpha + 1) end
off = 0
for i = -50, 50 do
  local eta, h = i * 1e-5, 1e-9
  local slope = (both(eta + h) - both(eta - h)) / (2 * h)
  local law = i == 0 and 0 or K * math.abs(eta) ^ alpha * (eta > 0 and 1 or -1)
  off = math.max(off, math.abs(slope - law) / (K * 5e-4 ^ alpha))
end
claim { "slope of φ of Eq. 92 beside K |η|^α sgn(η), furthest from -0.5 to 0.5 mm, of the largest", published = "φ' = K |η|^α sgn(η) (Eqs. 72, 92)",
        measured = off, digits = 1, holds = off < 1e-7 }

-- A run of Sec. 3: psi as the scheme has it, and the mean of psi(eta) over the step, Eq. 9.
local function follow(stiffness, steps)
  local s = systems.mass_barrier { k = k, mass = bodies.mass { k = k, M = 0.01, omega = 2 * math.pi * 110 }, barrier = b,
                                   contacts = { { K = stiffness, alpha = alpha } } }
  s.mass:start(-2e-3, -2e-3)
  s:begin()
  local c, found = s.contacts[1], { t = {}, psi = {}, mean = {}, work = 0, sums = 0 }
  for n = 1, steps do
    local before, eta_before = c.psi, c.before
    local eta = c.eta
    s:step()
    -- (85): (mu psi)(delta psi) beside delta (psi^2/2); (88): delta mu psi(eta) beside delta_t. psi(eta)
    found.work = math.max(found.work, math.abs((c.psi + before) / 2 * (c.psi - before) - (c.psi ^ 2 - before ^ 2) / 2))
    local p, q, r = psi(stiffness, c.eta), psi(stiffness, eta), psi(stiffness, eta_before)
    found.sums = math.max(found.sums, math.abs(((p + q) / 2 - (q + r) / 2) - (p - r) / 2))
    found.t[n], found.psi[n], found.mean[n] = (n + 0.5) * k, c.psi, (p + q) / 2
  end
  local largest = vec(found.mean):max()
  found.departs = (vec(found.psi) - vec(found.mean)):absmax() / largest
  found.work, found.sums = found.work / largest ^ 2, found.sums / largest
  return found
end
local soft, hard = follow(5e6, 1100), follow(5e9, 1100)
claim { "(μ ψ)(δ ψ) beside δ φ, φ = ψ^2/2, furthest in a run of Sec. 3", published = "(μ ψ)(δ ψ) = δ φ (Eq. 85)", measured = soft.work,
        digits = 1, holds = soft.work < 1e-15 }
claim { "difference of the means of ψ(η) beside its centred difference, furthest in that run", published = "the two are the same (Eq. 88)",
        measured = soft.sums,
        digits = 1, holds = soft.sums < 1e-15 }
claim { "ψ of the scheme off the mean of ψ(η), of its largest, in 25 ms (K = 5e6; 5e9 N/m^α)", published = "ψ = μ ψ(η) (Eq. 9)",
        unit = "%", measured = { 100 * soft.departs, 100 * hard.departs }, digits = 2, holds = soft.departs < 1e-3,
        expect = "does not reproduce",
        why = "Eq. 10b makes ψ a state of its own; Eq. 9 can only start it, and with it Apps. A and B are not both true in one run" }
local slower = follow(5e6 / 100, 1100)
choice { "the run", taken = "that of Sec. 3, K = 5e6 and 5e9 N/m^α", why = "the appendices have none",
         otherwise = string.format("K = 5e4: ψ strays by %.2g %%", 100 * slower.departs) }

local function panel(title, run, from, to, style)
  return { title = title, x = { label = "t", unit = "ms", factor = 1e3, from = from, to = to }, y = { label = "ψ", unit = "√J" },
           lines = { { x = vec(run.t), y = vec(run.mean), name = "mean of ψ(η)", scheme = "reference", style = style },
                     { x = vec(run.t), y = vec(run.psi), name = "ψ of the scheme", scheme = "quadratised", style = style } } }
end
figure { columns = 2, width = "two",
         caption = "ψ as the scheme carries it and as Eq. 9 would have it, in the run of Sec. 3: (a) K = 5e6, first blow; (b) K = 5e9 "
                   .. "N/m^α, first blows.",
         panels = { panel("(a) K = 5e6, first blow", soft, 2.5, 4.5, "linespoints"), panel("(b) K = 5e9, first blows", hard, 0, 25, "line") } }
