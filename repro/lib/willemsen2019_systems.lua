-- The systems of Willemsen 2019 as the notes solve them, in their own unknowns; numbers in brackets are equations. `wrong`
-- names a misprint that is put back, alone, into what is otherwise right. Bodies come from lib/willemsen2019_bodies.
--     local s = systems.mass_barrier { mass = bodies.mass {...}, contacts = { { K = , alpha = } }, barrier = 0, wrong = "18" }
-- Starts from two states (start of the bodies), then s:begin() and s:step(). A contact may have a gap: eta + gap is the notes' eta.

local S = {}
S.__index = S

-- [eta]_+, or of a contact that acts both ways [|eta| - epsilon]_+ (72), where `play` is epsilon.
local function positive(c, eta) return c.both and math.max(math.abs(eta) - (c.play or 0), 0) or math.max(eta, 0) end

local function phi(c, eta) return c.K / (c.alpha + 1) * positive(c, eta) ^ (c.alpha + 1) end -- (4), (74)

-- (12), and 0 when open also for alpha = 1. Two-sided (75): the odd psi, whose slope is positive; `even`: as printed.
local function slope(c)
  local x = positive(c, c.eta)
  if x <= 0 and not c.never_open then return 0 end -- never_open: [eta]_+^0 = 1, as (12) reads for alpha = 1
  local g = math.sqrt(c.K * (c.alpha + 1) / 2) * x ^ ((c.alpha - 1) / 2)
  return c.even and c.eta < 0 and -g or g
end

-- psi^{1/2}: the mean (9) of the odd psi; else the psi of the mean energy (phi^0 + phi^1)/2.
local function odd_psi(c, eta) return (eta < 0 and -1 or 1) * math.sqrt(2 * phi(c, eta)) end
local function first_psi(c)
  if c.both and not c.even then return (odd_psi(c, c.eta) + odd_psi(c, c.before)) / 2 end
  return math.sqrt(phi(c, c.eta) + phi(c, c.before))
end

-- (10b), that is (18) with its g
local function follow(c, g, eta, wrong)
  c.psi = c.psi + (wrong == "18" and 1 or g) * (eta - c.before) / 2
  if wrong == "9" then c.psi = (math.sqrt(2 * phi(c, eta)) + math.sqrt(2 * phi(c, c.eta))) / 2 end
  c.before, c.eta = c.eta, eta
end

-- A x = v by elimination; the matrices of the notes need no pivots.
local function solve(A, v)
  local n, x = #v, {}
  for i = 1, n do
    for j = i + 1, n do
      local part = A[j][i] / A[i][i]
      for c = i, n do A[j][c] = A[j][c] - part * A[i][c] end
      v[j] = v[j] - part * v[i]
    end
  end
  for i = n, 1, -1 do
    x[i] = v[i]
    for j = i + 1, n do x[i] = x[i] - A[i][j] * x[j] end
    x[i] = x[i] / A[i][i]
  end
  return x
end

-- What the bodies would do alone stands in `next`; inertia times it is the row of a point.
local function point(body, i) return body.next[i] * body:inertia() end

-- Sections 2, 3: (16), (21)
local function mass_barrier(s)
  local m, c = s.mass, s.contacts[1]
  local g = slope(c)
  m.next = (m:row() + g ^ 2 / 4 * m.before - c.psi * g) / (m:inertia() + g ^ 2 / 4)
  follow(c, g, m.next - s.barrier, s.wrong)
end

-- Section 4: (24)
local function mass_mass(s)
  local u, w, c = s.upper, s.lower, s.contacts[1]
  local g = slope(c)
  local a = g ^ 2 / 4
  local row_u, row_w = u:row(), w:row()
  if s.wrong == "24" then -- M omega instead of M omega^2
    row_u = row_u + u.M * (u.omega ^ 2 - u.omega) * u.u
    row_w = row_w + w.M * (w.omega ^ 2 - w.omega) * w.u
  end
  local x = solve({ { u:inertia() + a, -a }, { -a, w:inertia() + a } },
                  { row_u - a * c.before + c.psi * g, row_w + a * c.before - c.psi * g })
  u.next, w.next = x[1], x[2]
  follow(c, g, x[2] - x[1])
end

-- Section 5: (27), point by point; K per metre of string. One contact a point, at l = 1 .. N - 1.
local function string_string(s)
  local u, w = s.upper, s.lower
  for l, c in ipairs(s.contacts) do
    local g, i = slope(c), l + 2
    if g ~= 0 then
      local a = g ^ 2 / 4
      local x = solve({ { u:inertia() + a, -a }, { -a, w:inertia() + a } },
                      { point(u, i) - a * (c.before + c.gap) + c.psi * g, point(w, i) + a * (c.before + c.gap) - c.psi * g })
      u.next[i], w.next[i] = x[1], x[2]
    end
    follow(c, g, w.next[i] - u.next[i] - c.gap)
  end
end

-- Section 6: (30)
local function mass_string(s)
  local u, m, c, i = s.string, s.mass, s.contacts[1], s.at + 2
  local g = slope(c)
  local a, h = g ^ 2 / 4, u.h
  local x = solve({ { u:inertia() + a / h, -a / h }, { -a, m:inertia() + (s.wrong == "30" and g ^ 2 / s.k ^ 2 or a) } },
                  { point(u, i) + (-a * c.before + c.psi * g) / h, m:row() + a * c.before - c.psi * g })
  u.next[i], m.next = x[1], x[2]
  follow(c, g, x[2] - x[1])
end

-- The mean force over the step from a to x, and its slope over x.
local function chord(c, a, x)
  local r = x - a
  if math.abs(r) < 1e-9 * (math.abs(a) + math.abs(x)) then
    local middle = positive(c, a + r / 2)
    return c.K * middle ^ c.alpha, middle > 0 and c.K * c.alpha * middle ^ (c.alpha - 1) / 2 or 0
  end
  local mean = (phi(c, x) - phi(c, a)) / r
  return mean, (c.K * positive(c, x) ^ c.alpha - mean) / r
end

-- Section 6.1: (34) to (37). Newton's method is bracketed, but for the misprints, which are taken as they stand.
local function mass_string_newton(s)
  local u, m, c, i, k = s.string, s.mass, s.contacts[1], s.at + 2, s.k
  local part = k ^ 2 / (u.rhoA * u.h) + k ^ 2 / m.M
  local b = u.next[i] - m.next
  if s.wrong == "33" then -- T delta_xx and E I delta_xxxx without k^2/(rho A)
    b = -2 * c.eta + c.before + k ^ 2 * m.omega ^ 2 * m.u +
        (u.next[i] - 2 * u.u[i] + u.before[i]) * u.rhoA / k ^ 2
  end
  local sign = s.wrong == "34" and -1 or 1
  local x, low, high, last = -b, c.before - 1, -b, 0 -- G rises: its root is at most at -b
  if s.wrong then low, high = -math.huge, math.huge end
  for count = 1, 60 do
    local mean, rise = chord(c, c.before, x)
    local G, slope_G = x + sign * part * mean + b, 1 + sign * part * rise
    if s.wrong == "37" and x ~= c.before then
      slope_G = 1 - part * c.K / (2 * (c.alpha + 1)) * 2 * (positive(c, x) - positive(c, c.before)) / (x - c.before)
    end
    if G > 0 then high = math.min(high, x) else low = math.max(low, x) end
    local to = x - G / slope_G
    if not s.wrong and not (to >= low and to <= high) then to = (low + high) / 2 end
    s.iterations, last = math.max(s.iterations or 0, count), math.abs(to - x)
    if last <= 4e-16 * math.abs(x) then break end
    x = to
  end
  local force = chord(c, c.before, x)
  u.next[i] = u.next[i] + k ^ 2 / (u.rhoA * u.h) * force
  m.next = m.next - k ^ 2 / m.M * force
  c.before, c.eta = c.eta, m.next - u.next[i]
end

-- Section 7 with the losses of 7.1 as 7.2 writes it for a program: (59) to (64), (69) to (71). R and sigma in 1/s, so
-- theta_s = h rho A (1 + sigma_0 k), theta_b = 4 M + 2 M R k; sigma_x in kg/s.
local function tromba_connection(s)
  local u, m, p, c, k, wrong = s.string, s.mass, s.plate, s.contacts[1], s.k, s.wrong
  local i, j = s.at + 2, s.at_plate
  local hs, cell, rhoA = u.h, p.hx * p.hy, u.rhoA
  local g = slope(c)
  local a, eta, old = k ^ 2 * g ^ 2 / 4, s.spring.eta, s.spring.before
  local from = c.before + c.gap
  local uI, wI, vI = u.next[i], m:row() / m:inertia(), p.next[j]
  if wrong == "52c" then -- delta_xx instead of the Laplacian in the loss of the plate, at the bridge
    local across = p.Nx + 1
    local function dyy(v) return (v[j + across] - 2 * v[j] + v[j - across]) / p.hy ^ 2 end
    vI = vI - 2 * p.s1 * k * (dyy(p.u) - dyy(p.before)) / (1 + p.s0 * k)
  elseif wrong == "66" then -- rho_s instead of rho_p
    vI = vI + p.D * k ^ 2 / p.rhoH * p.twice[j] * (1 - s.rho_p / s.rho_s) / (1 + p.s0 * k)
  elseif wrong == "68a" then -- -mu_s^2 instead of -6 mu_s^2
    uI = uI + 5 * u.EI * k ^ 2 / (rhoA * hs ^ 4) * u.u[i] / (1 + u.s0 * k)
  elseif wrong == "68c" then -- no sigma_0p k before v^{n-1}
    vI = vI - p.s0 * k * p.before[j] / (1 + p.s0 * k)
  end
  local soft = k * (s.spring.K1 + 2 * s.spring.K3 * eta ^ 2)
  local plus, minus = soft + 4 * s.spring.sigma, soft - 4 * s.spring.sigma                     -- (63)
  local theta_s, theta_b = hs * rhoA * (1 + u.s0 * k), 4 * m.M + 2 * m.M * m.R * k             -- (59), (60)
  local both = theta_b + 4 * a
  local D = plus * k ^ 2 * (both + 4 * theta_s) + 4 * k * theta_s * both
  local first = both * (2 * k * s.spring.K1 * eta + minus * (wrong == "46" and from or old) + plus * uI)
  local rest = plus * (theta_b * wI + (wrong == "47" and 4 or -4) * a * from + 4 * k ^ 2 * c.psi * g)
  local F = theta_s * (first - rest) / D                                                       -- (62)
  if wrong == "62" then F = (plus * theta_s * both * first - rest) / (plus * both * D) end
  local Theta = plus * theta_s * 4 * a / D                                                     -- (64)
  local A13 = wrong == "71 A13" and -Theta / (rhoA * hs ^ 2) or -Theta * k ^ 2 / (rhoA * hs)
  local A23 = (wrong == "71 A23" and Theta or Theta * k ^ 2) - a
  local MB, MP = m.M * (1 + m.R * k / 2), p.rhoH * (1 + p.s0 * k)
  local x = solve({ { 1 + u.s0 * k, 0, A13 }, { 0, MB + a, A23 }, { 0, -a / cell, MP + a / cell } },
                  { (1 + u.s0 * k) * uI - F * k ^ 2 / (hs * rhoA), MB * wI - a * from + k ^ 2 * (c.psi * g + F),
                    MP * vI + (a * from - k ^ 2 * c.psi * g) / cell })                          -- (71)
  if wrong == "44" or wrong == "54" then -- w^{n+1} from the printed line, all else as solved
    local push = wrong == "54" and -a * from or a * x[3] - k ^ 2 * from
    x[2] = (MB * wI + push + k ^ 2 * (c.psi * g + F - Theta * x[3])) / (MB + a)
  end
  u.next[i], m.next, p.next[j] = x[1], x[2], x[3]
  s.spring.before, s.spring.eta, s.spring.rate = eta, x[1] - x[2], (x[1] - x[2] - old) / (2 * k)
  follow(c, g, x[3] - x[2] - c.gap)
end

-- Section 8 in displacements: (78)
local function tromba(s)
  local u, m, p, c1, c2 = s.string, s.mass, s.plate, s.contacts[1], s.contacts[2]
  local i, j = s.at + 2, s.at_plate
  local g1, g2, hs, cell = slope(c1), slope(c2), u.h, p.hx * p.hy
  local a1, a2 = g1 ^ 2 / 4, g2 ^ 2 / 4
  local f1, f2 = a1 * (c1.before + c1.gap) - c1.psi * g1, a2 * (c2.before + c2.gap) - c2.psi * g2
  local x = solve({ { u:inertia() + a1 / hs, -a1 / hs, 0 }, { -a1, m:inertia() + a1 + a2, -a2 },
                    { 0, -a2 / cell, p:inertia() + a2 / cell } },
                  { point(u, i) - f1 / hs, m:row() + f1 - f2, point(p, j) + f2 / cell })
  u.next[i], m.next, p.next[j] = x[1], x[2], x[3]
  follow(c1, g1, x[2] - x[1] - c1.gap)
  follow(c2, g2, x[3] - x[2] - c2.gap)
end

-- Section 8 in the rates of penetration: (81) to (83)
local function tromba_rates(s)
  local u, m, p, c1, c2, k = s.string, s.mass, s.plate, s.contacts[1], s.contacts[2], s.k
  local i, j = s.at + 2, s.at_plate
  local g1, g2 = slope(c1), slope(c2)
  local on_w, on_u = 2 * m.M * (2 + m.R * k), 4 * u.rhoA * u.h * (1 + u.s0 * k)
  local on_v = 4 * p.hx * p.hy * p.rhoH * (1 + p.s0 * k)
  local kk1, kk2, push1, push2 = (g1 * k) ^ 2, (g2 * k) ^ 2, c1.psi * g1, c2.psi * g2
  local uI, wI, vI = u.next[i], m.next, p.next[j]
  if s.wrong == "82c" then
    local across = p.Nx + 1
    local function dyy(v) return (v[j + across] - 2 * v[j] + v[j - across]) / p.hy ^ 2 end
    vI = vI - 2 * p.s1 * k * (dyy(p.u) - dyy(p.before)) / (1 + p.s0 * k)
  end
  local shared = 2 * k * (push1 - push2) / on_w
  local x = solve({ { 1 + kk1 / on_w + kk1 / on_u, -kk2 / on_w }, { -kk1 / on_w, 1 + kk2 / on_w + kk2 / on_v } },
                  { (wI - m.before - uI + u.before[i]) / (2 * k) - shared - 2 * k * push1 / on_u,
                    (vI - p.before[j] - wI + m.before) / (2 * k) + shared - 2 * k * push2 / on_v })
  local f1, f2 = g1 ^ 2 * k / 2 * x[1] + push1, g2 ^ 2 * k / 2 * x[2] + push2
  u.next[i] = uI + 4 * k ^ 2 / on_u * f1
  m.next = wI - 4 * k ^ 2 / on_w * (f1 - f2)
  p.next[j] = vI - 4 * k ^ 2 / on_v * f2
  follow(c1, g1, m.next - u.next[i] - c1.gap)
  follow(c2, g2, p.next[j] - m.next - c2.gap)
end

-- Appendix C: (91), solved for u_m and w as in sections 4 and 6
local function mass_between(s)
  local u, m, c1, c2, i = s.string, s.mass, s.contacts[1], s.contacts[2], s.at + 2
  local g1, g2, h = slope(c1), slope(c2), u.h
  local a1, a2 = g1 ^ 2 / 4, g2 ^ 2 / 4
  local f1 = a1 * c1.before - c1.psi * g1
  local x = solve({ { u:inertia() + a1 / h, -a1 / h }, { -a1, m:inertia() + a1 + a2 } },
                  { point(u, i) - f1 / h, m:row() + f1 + a2 * m.before + c2.psi * g2 })
  u.next[i], m.next = x[1], x[2]
  follow(c1, g1, x[2] - x[1])
  follow(c2, g2, s.barrier - x[2])
end

-- Appendix E: (98) and (101), then (95) and (100)
local function appendix_e(s)
  local u, m, cm, cb, i, k = s.string, s.mass, s.contacts[1], s.contacts[2], s.at + 2, s.k
  local gm, gb = slope(cm), slope(cb)
  local line = u.rhoA * u.h
  local known = -(m.u - m.before) / k + k / (2 * m.M) * (gm * cm.psi - gb * cb.psi)
  local bend = (u.u[i + 1] - 2 * u.u[i] + u.u[i - 1]) / u.h ^ 2
  local sum = s.wrong == "101" and u.u[i] + u.before[i] or u.u[i] - u.before[i]
  local x = solve({ { 1 + (k * gb) ^ 2 / (4 * m.M), -(k * gm) ^ 2 / (4 * m.M) }, { 1, 1 + (k * gm) ^ 2 / (4 * line) } },
                  { known, -sum / k - u.T * k / (2 * u.rhoA) * bend - k * gm * cm.psi / (2 * line) })
  m.next = m.before - 2 * k * x[1]
  u.next[i] = -2 * k * x[1] + u.before[i] - 2 * k * x[2]
  follow(cm, gm, m.next - u.next[i])
  follow(cb, gb, s.barrier - m.next)
end

-- eta of every contact at one time; which: "u" or "before".
local function etas(s, which)
  local function value(body, i) return i and body[which][i] or body[which] end
  if s.upper and s.upper.N then
    local eta = {}
    for l, c in ipairs(s.contacts) do eta[l] = value(s.lower, l + 2) - value(s.upper, l + 2) - c.gap end
    return eta
  end
  if s.upper then return { value(s.lower) - value(s.upper) } end
  local w = value(s.mass)
  if not s.string then return { w - s.barrier } end
  local first = w - value(s.string, s.at + 2)
  if s.spring then return { value(s.plate, s.at_plate) - w - s.contacts[1].gap } end
  if s.plate then return { first - s.contacts[1].gap, value(s.plate, s.at_plate) - w - s.contacts[2].gap } end
  return { first, s.barrier and s.barrier - w }
end

-- After the bodies have their two states.
function S:begin()
  local now, before = etas(self, "u"), etas(self, "before")
  for i, c in ipairs(self.contacts) do
    c.eta, c.before = now[i], before[i]
    c.psi = first_psi(c)
  end
  if self.spring then
    local i = self.at + 2
    self.spring.eta, self.spring.before = self.string.u[i] - self.mass.u, self.string.before[i] - self.mass.before
  end
  self.lost = 0
end

function S:step(audited)
  for _, b in ipairs(self.bodies) do b:free() end
  self.solve(self)
  if audited then
    for _, b in ipairs(self.bodies) do self.lost = self.lost + b:loss() end
    if self.spring then self.lost = self.lost + self.k * 2 * self.spring.sigma * self.spring.rate ^ 2 end
  end
  for _, b in ipairs(self.bodies) do b:advance() end
end

function S:energy()
  local H = 0
  for _, b in ipairs(self.bodies) do H = H + b:energy() end
  for _, c in ipairs(self.contacts) do
    H = H + (self.scheme == "newton" and phi(c, c.eta) / 2 + phi(c, c.before) / 2 or (c.weight or 1) * c.psi ^ 2 / 2)
  end
  local s = self.spring
  if s then H = H + s.K1 / 2 * ((s.eta + s.before) / 2) ^ 2 + s.K3 / 4 * (s.eta * s.before) ^ 2 end
  return H
end

-- Energy out of nothing, largest in `count` steps, of the energy at the start; no further than `enough`.
function S:imbalance(count, enough)
  self:begin()
  local start, worst = self:energy(), 0
  for n = 1, count do
    self:step(true)
    local off = math.abs(self:energy() + self.lost - start) / start
    if not (off <= worst) then worst = off end
    if not (worst < enough) then return worst, n end
  end
  return worst, count
end

local solvers = { mass_barrier = mass_barrier, mass_mass = mass_mass, string_string = string_string, mass_string = mass_string,
                  mass_string_newton = mass_string_newton, tromba_connection = tromba_connection, tromba = tromba,
                  tromba_rates = tromba_rates, mass_between = mass_between, appendix_e = appendix_e }
local systems = {}
for name, solver in pairs(solvers) do
  systems[name] = function(s)
    s.solve, s.bodies = solver, {}
    for _, part in ipairs { "upper", "lower", "string", "mass", "plate" } do
      if s[part] then s.bodies[#s.bodies + 1] = s[part] end
    end
    for _, c in ipairs(s.contacts) do c.gap = c.gap or 0 end
    return setmetatable(s, S)
  end
end
return systems
