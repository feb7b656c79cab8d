-- The two finite difference schemes of Ducceschi and Bilbao 2019 as plain loops in one interpreter, as their Matlab experiments were:
-- string of Fig. 8 over the bent barrier, K a density. Returns seconds of CPU per second of sound, the output at 0.9 L, and how many
-- points are iterated in a step on average.
-- o.over: rate/44100; o.iterations: of Newton at each point, nil: the non-iterative scheme; o.where: "touching" points are iterated,
-- "contact": all points in a step in which any touches, as code on whole vectors does it, "always": all points in every step.
return function(o)
  local T, rho, EI, K, alpha = 500, 0.063, 2e11 * math.pi * 5e-4 ^ 4 / 4, 5e6, 1.4
  local k = 1 / (44100 * o.over)
  local N = math.floor(1 / math.sqrt((T * k ^ 2 + math.sqrt(T ^ 2 * k ^ 4 + 16 * EI * rho * k ^ 2)) / (2 * rho))) -- Eq. 44
  local h, m = 1 / N, k ^ 2 / rho
  local tension, bending, driven, out = m * T / h ^ 2, m * EI / h ^ 4, math.floor(0.8 * N + 0.5), math.floor(0.9 * N + 0.5)
  local u, before, psi, b, free, record, iterated = {}, {}, {}, {}, {}, {}, 0
  for i = -1, N + 1 do u[i], before[i], psi[i], b[i] = 0, 0, 0, -1e-4 - 1e-4 * i * h - 1e-3 * (i * h) ^ 2 end
  local phi_scale, g_scale = K / (alpha + 1), math.sqrt(K * (alpha + 1) / 2)
  local function phi(eta) return eta > 0 and phi_scale * eta ^ (alpha + 1) or 0 end
  local function force(eta) return eta > 0 and K * eta ^ alpha or 0 end

  -- y = eta^(n+1) - eta^(n-1) of r + m (phi(a + y) - phi(a))/y = y_free, by so many steps of Newton from y_free.
  local function newton(a, y_free)
    local y, held = y_free, phi(a)
    for _ = 1, o.iterations do
      local slope, secant
      if y > 1e-12 or y < -1e-12 then
        secant = (phi(a + y) - held) / y
        slope = (force(a + y) - secant) / y
      else
        secant, slope = force(a), 0
      end
      y = y - (y - y_free + m * secant) / (1 + m * slope)
    end
    return y
  end

  local steps = math.floor(o.duration / k)
  local began = clock()
  for n = 0, steps - 1 do
    u[-1], u[N + 1] = -u[1], -u[N - 1]
    local touches = false
    for i = 1, N - 1 do
      local left, here, right = u[i - 1], u[i], u[i + 1]
      local inner = left - 2 * here + right
      local outer = u[i - 2] - 4 * left + 6 * here - 4 * right + u[i + 2]
      local next = 2 * here - before[i] + tension * inner - bending * outer
      if i == driven and n * k <= 1e-3 then next = next + m / h * 5 * (1 - math.cos(2 * math.pi * n * k / 1e-3)) end
      free[i] = next
      touches = touches or next < b[i] or before[i] < b[i]
    end
    if not o.iterations then
      for i = 1, N - 1 do
        local eta = b[i] - u[i]
        if eta > 0 then
          local g = g_scale * eta ^ ((alpha - 1) / 2)
          local c = m * g * g / 4
          local next = (free[i] + c * before[i] + m * g * psi[i]) / (1 + c) -- Eq. 50 with its sign right
          psi[i] = psi[i] - g * (next - before[i]) / 2
          free[i] = next
        end
      end
    elseif touches or o.where == "always" then
      for i = 1, N - 1 do
        if o.where ~= "touching" or free[i] < b[i] or before[i] < b[i] then
          free[i] = before[i] - newton(b[i] - before[i], before[i] - free[i])
          iterated = iterated + 1
        end
      end
    end
    for i = 1, N - 1 do u[i], before[i] = free[i], u[i] end
    if n % o.over == 0 then record[#record + 1] = u[out] end
  end
  return (clock() - began) / o.duration, vec(record), iterated / steps
end
