-- The schemes of Bilbao 2014 in plain Lua, as printed and as they must be: a switch for every misprint that can be run, and nothing
-- of the library, so that the two check each other. Letters are the paper's; vectors hold l = 1 .. N-1.

local S = {}

-- Steel of Fig. 1 (radius 0.5 mm) and Fig. 3 (0.1 mm).
function S.steel(radius)
  local area = math.pi * radius ^ 2
  return { L = 0.8, T = 38.5, rho = 7850 * area, EI = 2e11 * math.pi * radius ^ 4 / 4, EA = 2e11 * area }
end

-- Exact frequency of mode p of a supported stiff string, Hz.
function S.frequency(s, p)
  local beta = p * math.pi / s.L
  return math.sqrt((s.T * beta ^ 2 + s.EI * beta ^ 4) / s.rho) / (2 * math.pi)
end

-- Eq. 22.
function S.gamma_star(s, k)
  local h2 = 2 * math.pi ^ 2 * s.EI / (s.T * (math.sqrt(1 + 4 * s.EI * s.rho * (math.pi / (s.T * k)) ^ 2) - 1))
  return -1 + s.T * k ^ 2 / (s.rho * h2) + 4 * s.EI * k ^ 2 / (s.rho * h2 ^ 2)
end

-- Eq. 21; `printed` leaves out the factor 1 + gamma under the root.
function S.h_min(s, k, gamma, printed)
  local factor = printed and 1 or 1 + gamma
  return math.sqrt(s.T * k / (2 * s.rho * (1 + gamma)) * (k + math.sqrt(k ^ 2 + 16 * s.EI * s.rho * factor / s.T ^ 2)))
end

-- Second difference with supported ends.
local function dxx(u, h)
  local n, v = #u, {}
  for l = 1, n do v[l] = ((u[l - 1] or 0) - 2 * u[l] + (u[l + 1] or 0)) / h ^ 2 end
  return v
end

-- a . b, and Dx+ a . Dx+ b.
local function dot(a, b)
  local sum = 0
  for l = 1, #a do sum = sum + a[l] * b[l] end
  return sum
end
local function slopes(a, b, h)
  local sum = 0
  for l = 1, #a + 1 do sum = sum + ((a[l] or 0) - (a[l - 1] or 0)) * ((b[l] or 0) - (b[l - 1] or 0)) end
  return sum / h ^ 2
end

-- Solves (d - o h^2 Dxx) x = y: tridiagonal, Thomas.
local function solve(d, o, y)
  local n, pivot, x = #y, d + 2 * o, {}
  local c = {}
  x[1] = y[1] / pivot
  for l = 2, n do
    c[l - 1] = -o / pivot
    pivot = d + 2 * o + o * c[l - 1]
    x[l] = (y[l] + o * x[l - 1]) / pivot
  end
  for l = n - 1, 1, -1 do x[l] = x[l] - c[l] * x[l + 1] end
  return x
end

-- Steps `o.steps` samples of l_gamma from the shape `o.shape(x)` at rest. o: string, k, N, gamma, sigma0, sigma1; `backward` takes the
-- loss of 15a as printed; `stretch` is the factor on the term of Kirchhoff and Carrier, 1 as it must be (-1: sign as printed,
-- 1/h: h left out); `contact(a, g, l)` returns r of eq. 26 (gamma = 0, sigma1 = 0), `watch(n, u, stored, lost, h)` sees every sample: energy
-- eq. 19 with 32, power lost eq. 18. Ends early, and says so, when the string leaves every bound.
function S.run(o)
  local s, k, N = o.string, o.k, o.N
  local h, gamma, s0, s1 = s.L / N, o.gamma or 0, o.sigma0 or 0, o.sigma1 or 0
  local m = k ^ 2 / s.rho
  local stretch = (o.stretch or 0) * m * s.EA * h / (4 * s.L)
  local inertia, loss = gamma / 4, k * s1 / h ^ 2
  local u, before, stored = {}, nil, nil
  for l = 1, N - 1 do u[l] = o.shape(l * h) end

  -- A u+ = y with the rank one of Kirchhoff and Carrier along v, by Sherman and Morrison.
  local function implicit(y, v, d, off, weight)
    local x = solve(d, off, y)
    if weight == 0 then return x end
    local z = solve(d, off, v)
    local part = weight * dot(v, x) / (1 + weight * dot(v, z))
    for l = 1, #x do x[l] = x[l] - part * z[l] end
    return x
  end

  for n = 0, o.steps do
    local v = dxx(u, h)
    local v4 = s.EI ~= 0 and dxx(v, h) or v
    local vb, y, after = before and dxx(before, h), {}, nil
    if not before then -- at rest: u^1 = u^-1
      for l = 1, N - 1 do y[l] = 2 * (u[l] - gamma * h ^ 2 / 4 * v[l]) + m * (s.T * v[l] - s.EI * v4[l]) end
      after = implicit(y, v, 2, 2 * inertia, 2 * stretch)
    else
      local held = stretch * dot(v, before)
      for l = 1, N - 1 do
        local lu, lb = u[l] - gamma * h ^ 2 / 4 * v[l], before[l] - gamma * h ^ 2 / 4 * vb[l]
        local mu, mb = k * (s0 * u[l] - s1 * v[l]), k * (s0 * before[l] - s1 * vb[l])
        y[l] = 2 * lu - lb + m * (s.T * v[l] - s.EI * v4[l]) - held * v[l] + (o.backward and 2 * (mb - mu) or mb)
      end
      after = o.backward and implicit(y, v, 1, inertia, stretch) or implicit(y, v, 1 + k * s0, inertia + loss, stretch)
      if o.contact then
        for l = 1, N - 1 do after[l] = before[l] - o.contact(o.barrier(l * h) - before[l], after[l] - before[l], l) end
      end
    end

    local d, w, lost = {}, {}, 0
    for l = 1, N - 1 do d[l] = (after[l] - u[l]) / k end
    if before then
      for l = 1, N - 1 do w[l] = (after[l] - before[l]) / (2 * k) end
      lost = 2 * s.rho * h * (s0 * dot(w, w) + s1 * slopes(w, w, h))
    end
    local product = slopes(u, after, h)
    stored = s.rho * h / 2 * (dot(d, d) + gamma * h ^ 2 / 4 * slopes(d, d, h)) + s.T * h / 2 * product
             + (s.EI ~= 0 and s.EI * h / 2 * dot(v, dxx(after, h)) or 0)
             + (stretch ~= 0 and s.EA * h ^ 2 / (8 * s.L) * product ^ 2 or 0)
    if o.watch then o.watch(n, u, stored, lost, h) end
    if not (math.abs(after[N // 2]) < 1e3 and math.abs(after[N // 4]) < 1e3) then return n end
    before, u = u, after
  end
end

-- Roots of eq. 26 for alpha = 1 as listed after it, with its m^.
function S.closed_form(a, g, m)
  if a >= 0 then
    if g <= a * (1 - m) then return -(g + 2 * a * m) / (1 + m) end
    return -(g + math.sqrt(g ^ 2 + 4 * m * a ^ 2)) / 2
  end
  if g >= a then return -g end
  return (-g - 2 * a * m + math.sqrt(g ^ 2 + 4 * m * a * (g - a))) / (2 * (1 + m))
end

-- phi = K/(alpha + 1) [eta]+^(alpha + 1) of eq. 5, and its slope.
local function phi(eta, K, alpha) return eta > 0 and K / (alpha + 1) * eta ^ (alpha + 1) or 0 end
local function force(eta, K, alpha) return eta > 0 and K * eta ^ alpha or 0 end

-- Mean force over a step, (phi(r + a) - phi(a))/r, and its slope in r, which is not negative: phi is convex. Of short steps the
-- series, as the difference has lost its digits.
function S.mean_force(r, a, K, alpha)
  if a > 0 and math.abs(r) < 1e-3 * a then
    local x, term, mean, slope = r / a, K * a ^ alpha, 0, 0
    for j = 0, 5 do -- term: K alpha (alpha - 1) .. a^alpha x^j/(j + 1)!
      mean = mean + term
      term = term * (alpha - j) / (j + 2)
      slope = slope + (j + 1) * term / a
      term = term * x
    end
    return mean, slope
  end
  if r == 0 then return 0, 0 end
  local mean = (phi(r + a, K, alpha) - phi(a, K, alpha)) / r
  return mean, (force(r + a, K, alpha) - mean) / r
end

-- Residual of eq. 26, r + g + m (phi(r + a) - phi(a))/r, and its slope in r.
function S.residual(r, a, g, m, K, alpha)
  local mean, slope = S.mean_force(r, a, K, alpha)
  return r + g + m * mean, 1 + m * slope
end

-- Newton's method on eq. 26 from r = start (the free motion -g unless told): root and iterations.
function S.newton(a, g, m, K, alpha, start)
  local r = start or -g
  if a <= 0 and a - g <= 0 then return -g, 0 end
  for i = 1, 100 do
    local f, slope = S.residual(r, a, g, m, K, alpha)
    local step = f / slope
    r = r - step
    if math.abs(step) <= 1e-14 * math.max(math.abs(a), math.abs(r), math.abs(g)) then return r, i end
  end
  return r, 100
end

return S
