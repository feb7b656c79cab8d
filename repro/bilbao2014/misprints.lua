about { place = "errata", title = "What the printed equations say and what their own energy balances need" }

-- Each misprint is run both ways in a plain Lua copy of the scheme (lib/bilbao2014_string) at 44.1 kHz. "Thick" is the string of
-- Fig. 1, "thin" that of Fig. 3. The page is known here as a transcription only: what lacks a letter may have lost it there.
local S = use "lib/bilbao2014_string"
local k = 1 / 44100
local thick, thin = S.steel(5e-4), S.steel(1e-4)
local star = S.gamma_star(thick, k)
local inspection = "plain by inspection"

local function pulse(x) return math.abs(x - 0.24) < 0.02 and 5e-4 * (1 + math.cos(math.pi * (x - 0.24) / 0.02)) or 0 end
local function triangle(height) return function(x) return height * math.min(x / 0.2, (0.8 - x) / 0.6) end end

-- Eq. 21: the number of segments, and what becomes of a pulse on that grid.
local function segments(gamma, printed) return math.floor(thick.L / S.h_min(thick, k, gamma, printed)) end
misprint { "Eq. 21", printed = "sqrt(k^2 + 16 EI rho/T^2)", right = "sqrt(k^2 + 16 (1 + gamma) EI rho/T^2)",
           measure = "N of Fig. 1 with gamma_*", printed_gives = segments(star, true), right_gives = segments(star), digits = 2,
           holds = segments(star, true) == 68 and segments(star) == 83,
           note = string.format("Eq. 22 chooses gamma_* so that N = L/h_* = %.2f; only the right form gives that back",
                                thick.L / S.h_min(thick, k, star)) }
local function largest(printed)
  local most = 0
  S.run { string = thick, k = k, N = segments(0.7, printed), gamma = 0.7, shape = pulse, steps = 200,
          watch = function(_, u) for l = 1, #u do most = math.max(most, math.abs(u[l])) end end }
  return most
end
local blown, tame = largest(true), largest(false)
misprint { "Eq. 21", printed = "the same, gamma > 0", right = "the same",
           measure = "largest displacement within 200 samples, gamma = 0.7, pulse of 1 mm", printed_gives = blown,
           right_gives = tame, unit = "m", digits = 2, holds = blown > 1 and tame < 1.01e-3,
           note = "unstable as printed; the run is ended when it leaves all bounds" }

-- The energies h^n, the power q^n of (18), and with u_x in place of u_tx as (8) has it, of a lossy run of the thick string.
local function history(sigma0, backward)
  local stored, lost, bent = {}, {}, {}
  S.run { string = thick, k = k, N = 83, gamma = star, sigma0 = sigma0, sigma1 = 5e-4, shape = pulse, steps = 500, backward = backward,
          watch = function(n, u, e, q, h)
            local sum = 0
            for l = 1, #u + 1 do sum = sum + ((u[l] or 0) - (u[l - 1] or 0)) ^ 2 / h ^ 2 end
            stored[n], lost[n], bent[n] = e, q, 2 * thick.rho * h * 5e-4 * sum
          end }
  return stored, lost, bent
end
-- Largest |h^n - h^0 + sum k q| over h^0.
local function balance(stored, lost)
  local sum, worst = 0, 0
  for n = 1, #stored do
    sum = sum + k * lost[n]
    worst = math.max(worst, math.abs(stored[n] - stored[0] + sum))
  end
  return worst / stored[0]
end
local stored, lost = history(1)
local centred, one_sided = balance(stored, lost), balance(history(1, true))
misprint { "Eqs. 15a, 15b", printed = "loss with the backward difference",
           right = "loss with the centred difference, as M in the matrices after eq. 24 has it",
           measure = "energy balance (17) with (18), thick string, sigma0 = 1 1/s, sigma1 = 5e-4 m^2/s, relative",
           printed_gives = one_sided, right_gives = centred, digits = 2, holds = one_sided > 1e-5 and centred < 1e-12 }
misprint { "Eqs. 15a, 15b", printed = "E D_xxxx", right = "EI D_xxxx", note = inspection .. ": units, and P after eq. 24" }
misprint { "P after eq. 24", printed = "EI D_xxx", right = "EI D_xxxx", note = inspection }
misprint { "Eq. 2", printed = "EI d_xxx d_xx", right = "EI d_xxxx", note = inspection }

local function derivative(reach) -- |delta h + q| over the largest q: reach 0 backward, 1 centred
  local worst, most = 0, 0
  for n = 1, #stored - 1 do
    worst = math.max(worst, math.abs((stored[n + reach] - stored[n - 1]) / ((1 + reach) * k) + lost[n]))
    most = math.max(most, lost[n])
  end
  return worst / most
end
local wide, back = derivative(1), derivative(0)
misprint { "Eq. 17", printed = "delta_t h = -q", right = "delta_t- h = -q: h^n lives between n and n + 1",
           measure = "largest |delta h + q| over the largest q", printed_gives = wide, right_gives = back, digits = 2,
           holds = wide > 0.01 and back < 1e-9 }
local rubbed, taken, bent = history(0)
local with_ux, with_utx = balance(rubbed, bent), balance(rubbed, taken)
misprint { "Eq. 8", printed = "sigma1 (d_x u)^2", right = "sigma1 (d_t d_x u)^2, as in (18)",
           measure = "energy balance, sigma1 only, relative", printed_gives = with_ux, right_gives = with_utx, digits = 2,
           holds = with_ux > 0.01 and with_utx < 1e-12, note = "the units of the printed one are not those of a power either" }

-- Closed form for alpha = 1: residual of eq. 26 at the root, relative to its largest term, over a grid of a and g in all four cases.
local K, m = 1e8, k ^ 2 / thin.rho
local function root_error(m_hat)
  local worst = 0
  for i = -10, 10 do
    for j = -10, 10 do
      local a, g = (i + 0.5) * 1e-5, (j + 0.25) * 1e-5
      local r = S.closed_form(a, g, m_hat)
      worst = math.max(worst, math.abs((S.residual(r, a, g, m, K, 1))) / math.max(math.abs(r), math.abs(g)))
    end
  end
  return worst
end
local wrong, good = root_error(m), root_error(m * K / 2)
misprint { "closed form after eq. 26", printed = "m^ = m/A of eq. 26", right = "m^ = m K/(2 A)",
           measure = "residual of eq. 26, alpha = 1, K = 1e8, relative", printed_gives = wrong, right_gives = good, digits = 2,
           holds = wrong > 0.1 and good < 1e-12 }

-- Kirchhoff and Carrier: thin string, mode 1 of 6 mm, pitch by the zero crossings of the middle.
local function stretched(factor)
  local first, last, count, old, e0, worst = nil, nil, 0, nil, nil, 0
  S.run { string = thin, k = k, N = 80, shape = function(x) return 6e-3 * math.sin(math.pi * x / 0.8) end, steps = 1200, stretch = factor,
          watch = function(n, u, e)
            local y = u[40]
            e0 = e0 or e
            worst = math.max(worst, math.abs(e - e0) / e0)
            if old and old < 0 and y >= 0 then
              last = n - y / (y - old)
              if first then count = count + 1 else first = last end
            end
            old = y
          end }
  return count > 1 and count / (k * (last - first)) or 0, worst
end
local plain = S.frequency(thin, 1)
local function cents(f) return f > 0 and 1200 * math.log(f / plain, 2) or "no tone" end
local up, kept = stretched(1)
local down, drifted = stretched(-1)
misprint { "Eqs. 27, 28, 31", printed = "L[u] + K[u], K = +(EA/2L) (int u_x^2) u_xx",
           right = "L[u] - K[u]: stretching adds tension", measure = "pitch of mode 1 at 6 mm against a small amplitude",
           printed_gives = cents(down), right_gives = cents(up), unit = "cents", holds = down < plain and up > plain,
           note = string.format("the string would soften; the energy with (32) is off by %.1e as printed, by %.0e with " ..
                                "the right sign", drifted, kept) }
local _, no_h = stretched(80 / 0.8)
misprint { "Eq. 31", printed = "(EA/2L) (D u)^T (mu D u) D_xx u", right = "(EA h/2L) (D u)^T (mu D u) D_xx u",
           measure = "energy balance with (32), relative", printed_gives = no_h, right_gives = kept, digits = 2,
           holds = no_h > 0.1 and kept < 1e-12, note = "without h it is not the gradient of (32)" }
-- Of a triangle: int u_x dx = 0, int u_x^2 dx = height^2 (1/a + 1/b).
local share = thin.EA / (8 * thin.L) * (6e-3 ^ 2 * (1 / 0.2 + 1 / 0.6)) ^ 2
misprint { "Eq. 29", printed = "(EA/8L) (int u_x dx)^2", right = "(EA/8L) (int u_x^2 dx)^2",
           measure = "energy of stretching of a 6 mm triangle, thin string", printed_gives = 0, right_gives = share, unit = "J",
           holds = share > 0, note = "between fixed ends the integral of u_x vanishes" }

-- Eq. 30: + f where eq. 14 has - f. alpha = 1, closed form, m^ = 0.05: soft enough to watch it.
local function deepest(sign)
  local deep = 0
  S.run { string = thin, k = k, N = 80, shape = triangle(4e-3), steps = 400, barrier = function() return -1e-3 end,
          contact = function(a, g) return S.closed_form(a, g, 0.05 * sign) end,
          watch = function(_, u) for l = 1, #u do deep = math.max(deep, -1e-3 - u[l]) end end }
  return deep
end
local pulled, pushed = deepest(-1), deepest(1)
misprint { "Eq. 30", printed = "l u + k[u] + f = 0", right = "l u + k[u] - f = 0, as (14)",
           measure = "deepest penetration in 9 ms, flat barrier 1 mm below, m^ = 0.05", printed_gives = pulled,
           right_gives = pushed, unit = "m", digits = 2, holds = pulled > 1 and pushed < 1e-3, note = "the barrier would attract" }

misprint { "Sec. 4.3", printed = "bottom panel of Figure 4", right = "right panel",
           note = inspection .. ": the caption has left, middle and right" }
misprint { "Eq. 4", printed = "alpha > 1", right = "alpha >= 1", note = inspection .. ": Sec. 3.4 solves alpha = 1 in closed form" }
