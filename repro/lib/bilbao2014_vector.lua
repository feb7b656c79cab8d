-- The vector equation (25) of Bilbao 2014 and the unconditionally stable scheme (15b), in plain Lua and of nothing of the library.
-- Losses are left out. Matrices are symmetric with two diagonals beside the main one: A[0], A[1], A[2] hold A_ll, A_l,l+1, A_l,l+2, l = 1 .. n.
local S = use "lib/bilbao2014_string"
local V = {}

-- one + c2 X + c4 X^2 with X = -h^2 Dxx, supported ends, n points.
local function matrix(n, one, c2, c4)
  local A = { [0] = {}, {}, {} }
  for l = 1, n do
    local ends = (l == 1 and 1 or 0) + (l == n and 1 or 0)
    A[0][l] = one + 2 * c2 + (6 - ends) * c4
    A[1][l] = l < n and -c2 - 4 * c4 or 0
    A[2][l] = l < n - 1 and c4 or 0
  end
  return A
end

-- A of l_gamma and of l_unc after eq. 24; pull = T k^2/(rho h^2), bend = EI k^2/(rho h^4).
function V.A_gamma(n, gamma) return matrix(n, 1, gamma / 4, 0) end
function V.A_unc(n, pull, bend) return matrix(n, 1, pull / 4, bend / 4) end

-- Numbers from 0 to 1 that look like chance and are the same everywhere.
function V.chance(seed)
  local state = seed
  return function(low, high)
    state = (state * 6364136223846793005 + 1442695040888963407) & 0x7fffffffffffffff
    return (low or 0) + ((high or 1) - (low or 0)) * ((state >> 20) / 2.0 ^ 43)
  end
end

function V.times(A, x)
  local n, y = #x, {}
  for l = 1, n do
    y[l] = A[0][l] * x[l] + (l < n and A[1][l] * x[l + 1] or 0) + (l < n - 1 and A[2][l] * x[l + 2] or 0)
           + (l > 1 and A[1][l - 1] * x[l - 1] or 0) + (l > 2 and A[2][l - 2] * x[l - 2] or 0)
  end
  return y
end

-- (A + diag) x = y by L D L^T; diag may be nil.
function V.solve(A, diag, y)
  local n, D, p, q, x = #y, {}, {}, {}, {}
  for l = 1, n do
    local before, second = p[l - 1] or 0, q[l - 2] or 0
    D[l] = A[0][l] + (diag and diag[l] or 0) - before ^ 2 * (D[l - 1] or 0) - second ^ 2 * (D[l - 2] or 0)
    p[l] = (A[1][l] - before * (q[l - 1] or 0) * (D[l - 1] or 0)) / D[l]
    q[l] = A[2][l] / D[l]
    x[l] = y[l] - before * (x[l - 1] or 0) - second * (x[l - 2] or 0)
  end
  for l = n, 1, -1 do x[l] = x[l] / D[l] - p[l] * (x[l + 1] or 0) - q[l] * (x[l + 2] or 0) end
  return x
end

-- Left side of (25) and the slopes of its mean forces. e: A, g, a, mK = m K, alpha.
function V.residual(e, r)
  local F, slope = V.times(e.A, r), {}
  for l = 1, #r do
    local mean
    mean, slope[l] = S.mean_force(r[l], e.a[l], e.mK, e.alpha)
    F[l] = F[l] + e.g[l] + mean
  end
  return F, slope
end

local function square(x)
  local sum = 0
  for l = 1, #x do sum = sum + x[l] ^ 2 end
  return sum
end

-- Newton's method on (25) from `start`: the root and the iterations, nil if there were 300. With `damped` a step is halved while it
-- does not make the residual smaller.
function V.newton(e, start, damped)
  local r = table.move(start, 1, #start, 1, {})
  local F, slope = V.residual(e, r)
  for count = 1, 300 do
    local step, size, most = V.solve(e.A, slope, F), 0, 0
    for l = 1, #r do size, most = math.max(size, math.abs(step[l])), math.max(most, math.abs(r[l]), math.abs(e.a[l])) end
    local part, old = 1, square(F)
    repeat
      local try = {}
      for l = 1, #r do try[l] = r[l] - part * step[l] end
      local F_try, slope_try = V.residual(e, try)
      local better = not damped or square(F_try) < old or size * part <= 1e-13 * most
      part = part / 2
      if better then r, F, slope = try, F_try, slope_try end
    until better
    if size <= 1e-13 * most then return r, count end
  end
end

-- Steps (24) with l_unc, no losses: o = { string, k, N, steps, u, v (lists of the start), barrier (list), K, alpha,
-- watch(n, h_L, h_B, u) }. h_L is (20), h_B (18).
function V.run(o)
  local s, k, n, h = o.string, o.k, o.N - 1, o.string.L / o.N
  local pull, bend = s.T * k ^ 2 / (s.rho * h ^ 2), s.EI * k ^ 2 / (s.rho * h ^ 4)
  local A, P = V.A_unc(n, pull, bend), matrix(n, 0, pull, bend) -- P: minus that after eq. 24
  local u, before = o.u, {}
  local alpha = o.alpha or 1
  local function phi(x) return x > 0 and o.K / (alpha + 1) * x ^ (alpha + 1) or 0 end
  for l = 1, n do before[l] = u[l] - k * o.v[l] end
  local free = {}
  for l = 1, n do free[l] = 0 end
  for count = 1, o.steps do
    local Pu, Ab, g, a, after = V.times(P, u), V.times(A, before), {}, {}, {}
    for l = 1, n do
      g[l] = 2 * u[l] - Pu[l] / 2 - 2 * Ab[l] -- B u + (C - A) u-, where C = -A
      a[l] = o.barrier and o.barrier[l] - before[l]
    end
    if o.barrier then
      local r = V.newton({ A = A, g = g, a = a, mK = o.K * k ^ 2 / s.rho, alpha = alpha }, free, true)
      for l = 1, n do after[l] = before[l] - r[l] end
    else
      local rise = V.solve(A, nil, g)
      for l = 1, n do after[l] = before[l] + rise[l] end
    end
    local d, mean, barrier = {}, {}, 0
    for l = 1, n do
      d[l], mean[l] = (after[l] - u[l]) / k, (after[l] + u[l]) / 2
      if o.barrier then barrier = barrier + h / 2 * (phi(o.barrier[l] - after[l]) + phi(o.barrier[l] - u[l])) end
    end
    local bent, elastic = V.times(P, mean), 0
    for l = 1, n do elastic = elastic + mean[l] * bent[l] end
    o.watch(count, s.rho * h / 2 * square(d) + s.rho * h / 2 / k ^ 2 * elastic, barrier, after)
    before, u = u, after
  end
end

return V
