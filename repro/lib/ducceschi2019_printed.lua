-- The schemes of Ducceschi and Bilbao 2019 written out, each with a switch for what the paper prints: for misprints.lua.
local printed = {}

-- phi and psi' = phi'/sqrt(2 phi) of Eq. 9, K in N/m^alpha (or density), 0 when open.
local function phi(law, eta) return eta > 0 and law.K / (law.alpha + 1) * eta ^ (law.alpha + 1) or 0 end
local function slope(law, eta) return eta > 0 and math.sqrt(law.K * (law.alpha + 1) / 2) * eta ^ ((law.alpha - 1) / 2) or 0 end

-- Root of r - base + c (phi(a + r) - phi(a))/r = 0: increasing in r, between leaving for good and no force at all.
local function travel(law, a, base, c)
  if a <= 0 and a + base <= 0 then return base end
  local held = phi(law, a)
  local low, high = (base - math.sqrt(base ^ 2 + 4 * c * held)) / 2, base
  for _ = 1, 70 do
    local r = (low + high) / 2
    local force = r ~= 0 and (phi(law, a + r) - held) / r or law.K * math.max(a, 0) ^ law.alpha
    if r - base + c * force > 0 then high = r else low = r end
  end
  return (low + high) / 2
end

-- Sprung mass under a barrier, Eqs. 19 to 28. Returns the energy at the start, the largest departure from it, the largest
-- |u^n - u^(n-1)|/k and the lowest u.
-- o.a = "printed": Eq. 23 with a = b - u; o.g(eta): instead of psi'; o.iterative: Eq. 19, otherwise Eq. 24.
function printed.mass(o)
  local k, M, w = 1 / o.rate, o.mass, 2 * math.pi * o.frequency
  local law, b = { K = o.K, alpha = o.alpha }, o.barrier
  local before, u = o.position, o.position + k * o.velocity - k ^ 2 / 2 * w ^ 2 * o.position
  local psi, start, off, fastest, lowest = 0, nil, 0, 0, u
  for _ = 1, o.steps do
    local held = o.iterative and (phi(law, u - b) + phi(law, before - b)) / 2 or psi ^ 2 / 2
    local H = M / 2 * ((u - before) / k) ^ 2 + M / 2 * w ^ 2 * u * before + held
    start = start or H
    off = math.max(off, math.abs(H - start))
    fastest = math.max(fastest, math.abs(u - before) / k)
    lowest = math.min(lowest, u)
    if off > 1e30 * start then break end
    local next
    if o.iterative then
      local a = o.a == "printed" and b - before or before - b
      next = before + travel(law, a, 2 * (u - before) - k ^ 2 * w ^ 2 * u, k ^ 2 / M)
    else
      local g = (o.g or slope)(law, u - b)
      next = (M / k ^ 2 * (2 * u - before) - M * w ^ 2 * u + g ^ 2 / 4 * before - psi * g) / (M / k ^ 2 + g ^ 2 / 4)
      psi = psi + g * (next - before) / 2
    end
    before, u = u, next
  end
  return start, off, fastest, lowest
end

-- String of the captions of Figs. 4 to 8.
printed.string = { length = 1, tension = 500, density = 0.063, stiffness = 2e11 * math.pi * 5e-4 ^ 4 / 4 }

local function push(o, t) return t <= 1e-3 and o.peak / 2 * (1 - math.cos(2 * math.pi * t / 1e-3)) or 0 end

-- String over a point barrier in the middle by finite differences, Eq. 50. Returns energy supplied, the largest departure of
-- the energy from it, and the displacement under the force when it ends.
-- o.psi_sign: -1 as printed; o.force = false: as printed.
function printed.grid(o)
  local s, k, law = printed.string, 1 / o.rate, { K = o.K, alpha = 1.4 }
  local T, rho, EI = s.tension, s.density, s.stiffness
  local N = math.floor(s.length / math.sqrt((T * k ^ 2 + math.sqrt(T ^ 2 * k ^ 4 + 16 * EI * rho * k ^ 2)) / (2 * rho))) -- Eq. 44
  local h, middle, driven = s.length / N, (N + 1) // 2, math.floor(o.place * N + 0.5)
  local before, u, psi, supplied, off, under = {}, {}, 0, 0, 0, 0
  for m = -1, N + 1 do before[m], u[m] = 0, 0 end
  local function curve(v, m) return (v[m + 1] - 2 * v[m] + v[m - 1]) / h ^ 2 end
  for n = 0, o.steps do
    u[-1], u[N + 1], before[-1], before[N + 1] = -u[1], -u[N - 1], -before[1], -before[N - 1]
    local H = psi ^ 2 / 2
    for m = 0, N do
      H = H + h * (rho / 2 * ((u[m] - before[m]) / k) ^ 2 + EI / 2 * curve(u, m) * curve(before, m))
      if m < N then H = H + T / (2 * h) * (u[m + 1] - u[m]) * (before[m + 1] - before[m]) end
    end
    off = math.max(off, math.abs(H - supplied))
    if off > 1e30 then break end
    local bend, next = {}, { [0] = 0, [N] = 0 }
    for m = 0, N do bend[m] = curve(u, m) end
    bend[-1], bend[N + 1] = -bend[1], -bend[N - 1]
    local F = push(o, n * k)
    for m = 1, N - 1 do
      local load = T * bend[m] - EI * (bend[m + 1] - 2 * bend[m] + bend[m - 1]) / h ^ 2
      if m == driven and o.force ~= false then load = load + F / h end
      -- K is the stiffness of the point: spread over the h of the node.
      local g = m == middle and slope(law, o.barrier - u[m]) / math.sqrt(h) or 0
      local hold = psi / math.sqrt(h)
      local v = rho / k ^ 2 * (2 * u[m] - before[m]) + g ^ 2 / 4 * before[m] + o.psi_sign * g * hold + load
      next[m] = v / (rho / k ^ 2 + g ^ 2 / 4)
      if m == middle then psi = psi - g * math.sqrt(h) * (next[m] - before[m]) / 2 end
    end
    if o.force ~= false then supplied = supplied + F * (next[driven] - before[driven]) / 2 end
    if n * k <= 1e-3 then under = next[driven] end
    before, u = u, next
  end
  return supplied, off, under
end

-- The same string by its modes, Eqs. 57 to 60, the barrier again a point: one unknown y = eta^(n+1) - eta^(n-1).
-- o.contact_sign, o.q_sign, o.push_sign: -1 as printed. Returns as printed.grid does.
function printed.modes(o)
  local s, k, law = printed.string, 1 / o.rate, { K = o.K, alpha = 1.4 }
  local w, at, under, q, last, c, W = {}, {}, {}, {}, {}, 2 * k ^ 2 / (s.density * s.length), 0
  for p = 1, 10000 do
    local beta = (p * math.pi / s.length) ^ 2
    w[p] = math.sqrt(beta * (s.tension + s.stiffness * beta) / s.density)
    if w[p] >= 2 * o.rate then w[p] = nil break end -- Eq. 61
    at[p], under[p], q[p], last[p] = math.sin(p * math.pi / 2), math.sin(p * math.pi * o.place), 0, 0
    W = W + c * at[p] ^ 2
  end
  local psi, supplied, off, driven = 0, 0, 0, 0
  for n = 0, o.steps do
    local H, eta, was = psi ^ 2 / 2, o.barrier, o.barrier
    for p = 1, #w do
      H = H + s.density * s.length / 4 * (((q[p] - last[p]) / k) ^ 2 + w[p] ^ 2 * q[p] * last[p])
      eta, was = eta - at[p] * q[p], was - at[p] * last[p]
    end
    off = math.max(off, math.abs(H - supplied))
    if off > 1e30 then break end
    local F, free, y = push(o, n * k), {}, o.barrier - was
    for p = 1, #w do
      free[p] = 2 * q[p] - last[p] - k ^ 2 * w[p] ^ 2 * q[p] + o.push_sign * c * under[p] * F
      y = y - at[p] * free[p]
    end
    local g = slope(law, eta)
    y = (y - o.contact_sign * W * g * psi) / (1 + o.q_sign * W * g ^ 2 / 4)
    local force, travelled = o.contact_sign * g * psi + o.q_sign * g ^ 2 / 4 * y, 0
    for p = 1, #w do
      local next = free[p] + c * at[p] * force
      travelled = travelled + under[p] * (next - last[p])
      last[p], q[p] = q[p], next
    end
    psi = psi + g * y / 2
    supplied = supplied + F * travelled / 2
    if n * k <= 1e-3 then
      driven = 0
      for p = 1, #w do driven = driven + under[p] * q[p] end
    end
  end
  return supplied, off, driven, #w
end

return printed
