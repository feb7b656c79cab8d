about { place = "errata", title = "Printed equations against what they must be" }

local printed = use "lib/ducceschi2019_printed"
local strings = use "lib/ducceschi2019_string"

local function with(o, more)
  local t = {}
  for k, v in pairs(o) do t[k] = v end
  for k, v in pairs(more) do t[k] = v end
  return t
end
-- Departure of the energy from that of the start, relative.
local function off(o)
  local start, departure = printed.mass(o)
  return departure / start
end
local function said(x) return x > 1e20 and "more than 1e20 (stopped)" or x end

-- ---------------------------------------------------------------------------- mass and barrier, Sec. 2
local fig1 = { rate = 44100, mass = 0.01, frequency = 10, position = -0.5, velocity = 1, barrier = 0.2, K = 5e4,
               alpha = 1.1, steps = 4410 }

local right, wrong = off(with(fig1, { iterative = true })), off(with(fig1, { iterative = true, a = "printed" }))
misprint { "Eq. 23", printed = "a = b - u^(n-1)", right = "a = u^(n-1) - b, from eta = u - b of Eq. 11",
           measure = "largest departure of the energy within 0.1 s of Fig. 1, relative", printed_gives = said(wrong),
           right_gives = right, digits = 2, holds = right < 1e-10 and wrong > 1e6 }

-- K [eta]^0 with alpha = 1: 0^0 is 1, and the barrier holds the mass from the start.
local one = with(fig1, { alpha = 1 })
local function everywhere(law) return math.sqrt(law.K) end
local _, _, fast = printed.mass(one)
local _, still, slow = printed.mass(with(one, { g = everywhere }))
misprint { "Eq. 26", printed = "g = phi'/sqrt(2 phi)", 
           right = "g = sqrt(K (alpha + 1)/2) [eta]_+^((alpha - 1)/2), and 0 for eta <= 0",
           measure = "fastest motion in Fig. 1 with alpha = 1, where 0^0 is taken as 1", printed_gives = slow, right_gives = fast,
           unit = "m/s", digits = 3, holds = slow < 0.1 * fast and still < 1e-9,
           note = "0/0 as long as the contact is open; with 0^0 = 1 the energy is still conserved" }
misprint { "text after Eq. 28", printed = "once u^(n+1) is computed, from (25a)",
           right = "from (28): (25a) still holds psi^(n+1/2)" }

-- A free oscillator of w0 k = 1.5: the cross term u^n u^(n-1) of H takes from the kinetic part.
local quick = with(fig1, { K = 0, frequency = 1.5 * 44100 / (2 * math.pi), position = 0.1, velocity = 0 })
local H, _, fastest = printed.mass(quick)
local bound = math.sqrt(2 * H / quick.mass)
local string_run = run(strings.scene { density = 0.0063, place = 0.1 }, { energy = true, duration = 0.06 })
local excess = math.sqrt(string_run.energy.kinetic:max() / string_run.energy.total[#string_run.t])
misprint { "Eqs. 22, 45, 62", printed = "|u^n - u^(n-1)|/k <= sqrt(2 H/M)", 
           right = "<= sqrt(2 H/M/(1 - (w0 k/2)^2)); strings: mode by mode",
           measure = "fastest step over the bound, oscillator with w0 k = 1.5", printed_gives = fastest / bound,
           right_gives = fastest / bound * math.sqrt(1 - 1.5 ^ 2 / 4),
           digits = 4, holds = excess > 1 and fastest > 1.3 * bound and fastest * math.sqrt(1 - 1.5 ^ 2 / 4) < 1.0001 * bound,
           note = string.format("H bounds the kinetic energy together with u^n u^(n-1), which may be negative. The factor is " ..
             "1 + %.1e in Figs. 1 and 2; the string of Fig. 4 with 0.0063 kg/m, pushed at 0.1 L, exceeds Eq. 45 by %.1e",
             1 / math.sqrt(1 - (math.pi * 10 / 44100) ^ 2) - 1, excess - 1) }

-- ---------------------------------------------------------------------------- string and barrier, Sec. 3
misprint { "Eq. 39", printed = "||f||^2 = <u, u>", right = "<f, f>" }

local fig4 = { rate = 44100, K = 5e6, place = 0.3, peak = 10, barrier = -1e-4, steps = 880, psi_sign = 1 }
local supplied, departure = printed.grid(fig4)
local _, away = printed.grid(with(fig4, { psi_sign = -1 }))
misprint { "Eq. 50, v_m", printed = "- g psi", right = "+ g psi, from eta = b - u of Eq. 31",
           measure = "largest departure of the energy within 20 ms of Fig. 4, relative to what the force supplies",
           printed_gives = said(away / supplied),
           right_gives = departure / supplied, digits = 2, holds = departure / supplied < 1e-12 and away / supplied > 1e6,
           note = "the wall attracts" }
local _, _, driven = printed.grid(fig4)
local _, _, undriven = printed.grid(with(fig4, { force = false }))
misprint { "Eq. 50, v_m", printed = "no force", right = "+ I_m(x_F) F^n, as in Eq. 46", 
           measure = "displacement under the force when it ends", unit = "mm", printed_gives = 1e3 * undriven,
           right_gives = 1e3 * driven, holds = undriven == 0 and driven > 4e-4 }

local modes = with(fig4, { contact_sign = 1, q_sign = 1, push_sign = 1 })
local modal_supplied, modal_off, modal_driven = printed.modes(modes)
local _, attract = printed.modes(with(modes, { contact_sign = -1, q_sign = -1 }))
misprint { "Eqs. 53, 57, 59", printed = "+ <psi g, X_p>/(rho ||X_p||^2)", right = "- <psi g, X_p>/(rho ||X_p||^2), from Eq. 29b",
           measure = "largest departure of the energy within 20 ms of Fig. 4, relative",
           printed_gives = said(attract / modal_supplied), right_gives = modal_off / modal_supplied, digits = 2,
           holds = modal_off / modal_supplied < 1e-12 and attract / modal_supplied > 1e3,
           note = "printed with + and the sign of Eq. 60 that follows from it; or eta = u - b, a barrier above the string" }
local _, _, upside_down = printed.modes(with(modes, { push_sign = -1 }))
misprint { "Eqs. 53, 57, 59", printed = "+ X_p(x_F) F/(rho ||X_p||^2)", right = "- X_p(x_F) F/(rho ||X_p||^2), from Eq. 29b",
           unit = "mm", measure = "displacement under the upward force when it ends", printed_gives = 1e3 * upside_down,
           right_gives = 1e3 * modal_driven, holds = math.abs(upside_down + modal_driven) < 1e-9 }
local _, indefinite = printed.modes(with(modes, { q_sign = -1 }))
misprint { "Eq. 60", printed = "Q_p = k/(2 rho ||X_p||^2) <g^2 delta_t. eta, X_p>", right = "with a minus, or with delta_t. u",
           measure = "largest departure of the energy within 20 ms of Fig. 4, relative, the other signs right",
           printed_gives = indefinite / modal_supplied, right_gives = modal_off / modal_supplied, digits = 2,
           holds = indefinite / modal_supplied > 1e-3 and modal_off / modal_supplied < 1e-12,
           note = "the matrix becomes indefinite for hard barriers" }

-- Two obstacles with equal g: the perturbation of the matrix is g^2 (X X^T) with X of two columns, its eigenvalues those of X^T X.
local function gram(x, y)
  local aa, ab, bb = 0, 0, 0
  for p = 1, 142 do
    local a, b = math.sin(p * math.pi * x), math.sin(p * math.pi * y)
    aa, ab, bb = aa + a * a, ab + a * b, bb + b * b
  end
  local middle, spread = (aa + bb) / 2, math.sqrt((aa - bb) ^ 2 / 4 + ab ^ 2)
  return (middle - spread) / (middle + spread)
end
local second = gram(0.2, 0.3)
misprint { "Sec. 3.2", printed = "a rank-one perturbation, Sherman-Morrison", 
           right = "the rank is the number of points in contact: Woodbury, or one rank-one update a point",
           measure = "second over first eigenvalue of the perturbation, points at 0.2 and 0.3 L in contact", printed_gives = 0,
           right_gives = second, digits = 2, holds = second > 0.5,
           note = "true of the point barrier of Figs. 4 to 7, not of Fig. 8" }

-- ---------------------------------------------------------------------------- captions
local held = 5e6 / 2.4 * 1e-4 ^ 2.4 -- phi at eta = b
local refused = inspect(strings.scene { height = 1e-4 }, { may_fail = true }).failed
misprint { "Fig. 4", printed = "b = 1e-4 m with eta = b - u", right = "b = -1e-4 m, or eta = u - b",
           measure = "energy in the barrier before the force acts", unit = "mJ",
           printed_gives = 1e3 * held, right_gives = 0, holds = refused ~= nil and held > 0.1 * supplied,
           note = string.format("the string would start 0.1 mm inside the barrier; the force supplies %.2f mJ. Such a scene " ..
             "is refused", 1e3 * supplied) }
local density = 0.063 / (math.pi * 5e-4 ^ 2)
misprint { "Figs. 4 and 8", printed = "rho = 0.063 kg/m", right = "probably 0.0063 kg/m",
           measure = "density of the wire with r = 0.5 mm", unit = "kg/m^3",
           printed_gives = density, right_gives = density / 10, digits = 4, holds = density > 23000,
           note = "heavier than any element, while E = 2e11 Pa is steel (7850 kg/m^3). The figures here keep 0.063; the " ..
             "deterioration that Fig. 5 is said to show is seen with 0.0063, not with 0.063. A wound string would be as heavy" }
misprint { "Fig. 5", printed = "Hk stands is the kinetic energy", right = "Hk is the kinetic energy" }
misprint { "Eqs. 29 to 33, Figs. 4 to 8", 
           printed = "phi is an energy per length, K = 5e6 for a point and a distributed barrier alike",
           right = "N/m^alpha at a point, N/m^(alpha+1) along a length",
           note = "numbers of both readings stand with Figs. 4 and 8" }
