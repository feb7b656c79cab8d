about { place = "errata", title = "Formulas that are wrong as printed, each put back alone into what is right" }
-- The notes are a draft. One measure for nearly all: energy that the system makes out of nothing, of the energy at its start. The
-- systems are small (lib/willemsen2019_systems); how much a misprint does depends on their numbers, that it does not close does not.
local bodies, systems = use "lib/willemsen2019_bodies", use "lib/willemsen2019_systems"
local tromba = use "lib/willemsen2019_tromba"

local k, steps, enough = 1 / 44100, 400, 1000

local function mass(M, frequency, u, v)
  local m = bodies.mass { k = k, M = M, omega = 2 * math.pi * frequency }
  m:start(u + k * v, u)
  return m
end
local function hump(N, at, width, height) -- raised cosine, in parts of the length
  local u = {}
  for l = 0, N do
    local d = 2 * (l / N - at) / width
    u[l + 1] = math.abs(d) < 1 and l > 0 and l < N and height / 2 * (1 + math.cos(math.pi * d)) or 0
  end
  return u
end
local function wire(EI)
  local s = bodies.string { k = k, length = 1, N = 60, T = 100, rhoA = 5e-3, EI = EI }
  local u = hump(60, 0.3, 0.4, 0)
  s:start(u, u)
  return s
end
local steel = 2e11 * math.pi * 4e-4 ^ 4 / 4

local make = {}
function make.mass_barrier(wrong)
  return systems.mass_barrier { k = k, mass = mass(0.01, 110, -1e-3, 1), barrier = 0, contacts = { { K = 5e4, alpha = 1.3 } }, wrong = wrong }
end
function make.mass_mass(wrong)
  return systems.mass_mass { k = k, upper = mass(0.015, 90, 1e-3, 0), lower = mass(0.005, 140, 0, 1.5),
                             contacts = { { K = 1e7, alpha = 1.3 } }, wrong = wrong }
end
function make.mass_string(wrong)
  return systems.mass_string { k = k, string = wire(steel), mass = mass(0.003, 60, -1e-3, 2), at = 12,
                               contacts = { { K = 1e7, alpha = 1.3 } }, wrong = wrong }
end
function make.mass_string_newton(wrong)
  return systems.mass_string_newton { k = k, string = wire(steel), mass = mass(0.003, 60, -1e-3, 2), at = 12, scheme = "newton",
                                      contacts = { { K = 1e7, alpha = 1.3 } }, wrong = wrong }
end
function make.appendix_e(wrong)
  return systems.appendix_e { k = k, string = wire(0), mass = mass(0.002, 0, -1e-3, 1), barrier = -2e-3, at = 18,
                              contacts = { { K = 1e7, alpha = 1.3 }, { K = 1e7, alpha = 1.3 } }, wrong = wrong }
end
-- The instrument with a small body, plucked downwards near the bridge; `fine`: the string's own grid, rho_p: another body.
local function instrument(solver, more)
  more.N = more.fine and tromba.N or 100
  more.at = more.fine and tromba.at or 87
  more.size, more.Nx, more.Ny, more.at_x, more.at_y = { 0.18, 0.12 }, 9, 6, 6, 4
  local s = tromba.system(solver, more)
  local u = hump(more.N, 0.75, 0.3, -1e-3)
  s.string:start(u, u)
  s.plate:start()
  return s
end
function make.connection(wrong, more)
  return instrument("tromba_connection", { wrong = wrong, fine = more and more.fine, rho_p = more and more.rho_p,
    spring = { K1 = 1e5, K3 = 1e14, sigma = 0.005 }, contacts = { { K = 5e8, alpha = 1.3 } } })
end
function make.rates(wrong)
  return instrument("tromba_rates", { wrong = wrong, contacts = { { K = 5e6, alpha = 1.3, both = true }, { K = 5e8, alpha = 1.3 } } })
end

local right_ones = {}
local function wrong_in(system, name, place, printed, right, more)
  local key = system .. (more and more.rho_p or "") .. (more and more.fine and "fine" or "")
  right_ones[key] = right_ones[key] or make[system](nil, more):imbalance(steps, enough)
  local gives, after = make[system](name, more):imbalance(steps, enough)
  local fine = right_ones[key] < 1e-11 and (gives > 1e-5 or gives ~= gives)
  if after < steps then gives = string.format("more than %g after %d steps", enough, after) end
  misprint { place, printed = printed, right = right, measure = string.format("energy out of nothing in %d steps, of that at the start", steps),
             printed_gives = gives, right_gives = right_ones[key], digits = 2, holds = fine, note = more and more.note }
end

misprint { "Sec. 2, unit of K", printed = "N/m ???", right = "N/m^α; per metre of string, N/m^(α+1), in Sec. 5" }
wrong_in("mass_barrier", "9", "Eq. 9", "ψ^{n-1/2} = μ_{t-} ψ(η^n) in every step", "only for ψ^{1/2}; then Eq. 10b carries ψ", {
  note = "Eq. 85 needs φ^{n-1/2} = (ψ^{n-1/2})²/2 and Eq. 88 its mean over two steps: not both with Eq. 9" })

-- Eq. 12 with alpha = 1, where [eta]_+^0 is 1 also when open.
local function pull(never_open)
  local s = systems.mass_barrier { k = k, mass = mass(0.01, 0, -1e-3, 1), barrier = 0,
                                   contacts = { { K = 5e4, alpha = 1, never_open = never_open } } }
  s:begin()
  local most, m = 0, s.mass
  for _ = 1, steps do
    local free = 2 * m.u - m.before
    local open = m.u <= 0
    s:step()
    if open then most = math.max(most, math.abs(m.u - free) * m.M / k ^ 2) end
  end
  return most
end
local stuck, apart = pull(true), pull(false)
misprint { "Eq. 12, α = 1", printed = "[η]₊^{(α-1)/2} = 0^0 = 1 for η ≤ 0", right = "g = 0 for η ≤ 0, whatever α", unit = "N",
           measure = "largest force while apart, K = 5e4 N/m, 10 g at 1 m/s from 1 mm", printed_gives = stuck, right_gives = apart,
           holds = stuck > 1 and apart < 1e-6, note = "the mass hangs on a spring from the start" }
misprint { "Sec. 2, heading of step 4", printed = "φ^{n+1/2}", right = "ψ^{n+1/2}" }
wrong_in("mass_barrier", "18", "Eq. 18", "ψ^{n+1/2} = ψ^{n-1/2} + (η^{n+1} - η^{n-1})/2", "ψ^{n+1/2} = ψ^{n-1/2} + g (η^{n+1} - η^{n-1})/2")
misprint { "Eqs. 20, 23, 26, 28, 32, 38, 49", printed = "δ_t, μ_t", right = "δ_{t·}, μ_{t·}",
           note = "the dot may have been lost in the copy that was read" }
wrong_in("mass_mass", "24", "Eqs. 24, 89, 90", "M₁ω₁u, M₂ω₂w", "M₁ω₁²u, M₂ω₂²w")
misprint { "Eq. 28a", printed = "ψ_1^{n-1/2}", right = "ψ^{n-1/2}" }
wrong_in("mass_string", "30", "Eq. 30, A22", "M/k² + g²/k²", "M/k² + g²/4")
wrong_in("mass_string_newton", "33", "Eq. 33", "T δ_xx u, E I δ_xxxx u", "both times k²/(ρA)")
wrong_in("mass_string_newton", "34", "Eq. 34", "η^{n+1} - (k²/ρAh + k²/M) Δφ/Δη + b", "η^{n+1} + (k²/ρAh + k²/M) Δφ/Δη + b")
wrong_in("mass_string_newton", "37", "Eq. 37", "1 - (..) K/(2(α+1)) (η⁺ + |η⁺| - η⁻ - |η⁻|)/(η⁺ - η⁻)",
         "1 + (k²/ρAh + k²/M) (φ'(η⁺) - Δφ/Δη)/Δη, at least 1", { note = "Newton's method without a bracket, 60 steps" })
misprint { "Fig. 2, caption", printed = "body (rigid barrier)", right = "body (plate), as in the text and Eq. 38c" }
misprint { "before Eq. 43; before Eq. 45; Eq. 43c", printed = "(93); (91g); an empty line", right = "(38); (38g); nothing" }
wrong_in("connection", "44", "Eq. 44, second line", "g²/4 (v⁺ - w⁺) - η_c⁻", "g²/4 (v⁺ - w⁺ - η_c⁻)", { note = "the lines after it are right" })
wrong_in("connection", "46", "Eq. 46", "+ η_c^{n-1}", "+ η_s^{n-1}")
wrong_in("connection", "47", "F'_α after Eq. 47", "+ g²/4 η_c^{n-1}", "- g²/4 η_c^{n-1}, as in Eq. 56")
wrong_in("connection", "52c", "Eq. 52c", "2σ_{1,p} δ_{t-} δ_xx v", "2σ_{1,p} δ_{t-} δ_Δ v")
wrong_in("connection", "54", "Eq. 54", "no v_br^{n+1}", "+ g²/4 v_br^{n+1} in the numerator")
misprint { "Eq. 58", printed = "σ_0", right = "σ_{0,s}" }
wrong_in("connection", "62", "Eq. 62", "φ₊θ_s(θ_b + g²k²)[(θ_b + g²k²)(..)] - φ₊(..) over φ₊(θ_b + g²k²)(..)",
         "θ_s[(θ_b + g²k²)(..) - φ₊(..)] over φ₊k²(θ_b + g²k² + 4θ_s) + 4kθ_s(θ_b + g²k²)",
         { note = "φ₊(θ_b + g²k²) cancels, so that K_1 = K_3 = σ_× = 0 is not 0/0" })
misprint { "Eqs. 65, 71", printed = "η^{n-1}", right = "η_c^{n-1}" }
wrong_in("connection", "66", "Eq. 66", "μ_p² = D k²/(ρ_s H h⁴)", "D k²/(ρ_p H h_p⁴)", { note = "ρ_p = 50, ρ_s = 7850 kg/m³" })
misprint { "after Eq. 67", printed = "σ_{2,p} = σ_{2,p}/ρ_p H", right = "σ_{1,p} = σ_{1,p}/ρ_p H; then θ_s = h_s ρ_s A (1 + σ_{0,s}k)",
           note = "7.1 has σ in kg/(m s) and R in kg/s, Sec. 8 both in 1/s" }
wrong_in("connection", "68a", "Eq. 68a", "-μ_s² before u_l^n", "-6μ_s²; -5μ_s² next to a supported end", { fine = true })
wrong_in("connection", "68c", "Eq. 68c", "(-1 + 8σ_{1,p}k/h²) v^{n-1}", "(-1 + σ_{0,p}k + 8σ_{1,p}k/h²) v^{n-1}")
wrong_in("connection", "71 A13", "Eq. 71, A13", "-Θ/(ρ_s A h_s²)", "-Θk²/(ρ_s A h_s)")
wrong_in("connection", "71 A23", "Eq. 71, A23", "Θ - g²k²/4", "Θk² - g²k²/4")
misprint { "Eq. 75, last form", printed = "η √(K(α+1)/2) |η|^{(α-3)/2}",
           right = "0 times infinity at η = 0: the form before it, or the odd ψ (Sec. 8)" }
misprint { "Eq. 76a", printed = "u_t^n", right = "u_l^n", note = "or a fault of the copy that was read" }
misprint { "Eq. 78", printed = "ψ_1^{n-1}; η, ψ, g without index in the last row", right = "ψ_1^{n-1/2}; η_2, ψ_2, g_2" }
wrong_in("rates", "82c", "Eq. 82c", "2σ_{1,p}k² δ_{t-} δ_xx v", "2σ_{1,p}k² δ_{t-} δ_Δ v")
misprint { "Eq. 86, second line", printed = "d/dt", right = "d/dη" }
misprint { "Eq. 88, first line", printed = "½(ψ(η^n) + ψ(η^{n-1}))", right = "δ_{t+} before it" }
misprint { "Eq. 91a", printed = "δ_xxx", right = "δ_xxxx" }
wrong_in("appendix_e", "101", "Eq. 101", "-(u^n + u^{n-1})/k", "-(u^n - u^{n-1})/k", { note = "the matrix after it is right" })
