about { place = "Sec. 6.1, Eqs. 32 to 37", title = "The same blow by iteration, beside the non-iterative scheme" }
local beside, here = use "lib/willemsen2019_compare", use "lib/willemsen2019_mass_string"

local rate, scene = here.rate, "willemsen2019/mass_string_newton"
local runs = {}
for _, scheme in ipairs { "quadratised", "ledger", "newton" } do
  runs[scheme] = run(scene, { scheme = scheme, energy = true, duration = 0.03, shapes = beside.times(rate, 1000, 40) })
end
local r, link = runs.newton, runs.newton.links[1]
local notes = here.system "mass_string_newton"
local off = beside.along(r, notes, { string = "u", mass = "w" })
claim { "the program against Eqs. 34 to 37, their signs put right, solved apart: largest distance, of the displacements",
        published = "the step is the root of one function (Eqs. 33 to 37)", measured = off, digits = 2, holds = off < 1e-9,
        expect = "reproduced with correction",
        why = "Eq. 33 lacks k^2/(ρ A) twice, Eq. 34 needs a plus, Eq. 37 is not the derivative of Eq. 34 (errata)" }
claim { "iterations a step in contact (mean; most); of the non-iterative scheme", published = "Newton-Raphson against none",
        measured = { link.iterations_mean, link.iterations_max, runs.quadratised.links[1].iterations }, digits = 3,
        holds = link.iterations > 0 and runs.quadratised.links[1].iterations == 0 }
claim { "energy out of nothing (newton; quadratised; ledger)", published = "both conserve (App. A, B)", digits = 1,
        measured = { r.balance, runs.quadratised.balance, runs.ledger.balance },
        holds = math.max(r.balance, runs.quadratised.balance, runs.ledger.balance) < 1e-12 }

-- Both against the same blow at a high rate: the string keeps its grid, so that only the steps in time get finer.
local finest, most_over = 256, 32
local function way(scheme, over)
  local v = run(scene, { scheme = scheme, oversample = over, duration = 0.003, shapes = { 0, 1 / (over * rate) } })
  return beside.path(v, "w'", "w")
end
local exact = way("newton", finest)
local function wrong(scheme, over)
  local u, most = way(scheme, over), 0
  for n = 1, #u, over do most = math.max(most, math.abs(u[n] - exact[(n - 1) * (finest // over) + 1])) end
  return most / exact:absmax()
end
local rates, errors = {}, { quadratised = {}, newton = {}, ledger = {} }
for i = 1, 6 do
  rates[i] = rate * 2 ^ (i - 1)
  for scheme, list in pairs(errors) do list[i] = wrong(scheme, 2 ^ (i - 1) // 1) end
end
claim { "furthest from the way of the mass at 256 times the rate in 3 ms, of its largest displacement, at 44.1 kHz (quadratised; newton; "
        .. "ledger)", published = false, digits = 2,
        measured = { errors.quadratised[1], errors.newton[1], errors.ledger[1] },
        holds = errors.quadratised[1] < 0.01 and math.abs(errors.ledger[1] / errors.newton[1] - 1) < 1e-3 }
claim { string.format("the same at %.1f MHz", 1e-6 * rates[6]), published = false, digits = 2,
        measured = { errors.quadratised[6], errors.newton[6], errors.ledger[6] },
        holds = errors.quadratised[6] < errors.quadratised[1] / 5 and errors.newton[6] < errors.newton[1] / 50 }
local largest = 0
for n = 1, 220 do largest = math.max(largest, math.abs(runs.ledger.probes["w'"][n] - r.probes["w'"][n])) end
claim { "ledger beside newton: velocity of the mass, furthest apart in 5 ms, of 2 m/s", published = false,
        measured = largest / 2, digits = 1, holds = largest / 2 < 1e-5 }

local hard = run(scene, { set = { K = 1e9 }, duration = 0.03 })
choice { "stiffness", taken = "K = 1e7 N/m^α", why = "the notes print none",
         otherwise = string.format("K = 1e9: %.1f iterations a step in contact, at most %d; energy closes to %.0e",
                                   hard.links[1].iterations_mean, hard.links[1].iterations_max, hard.balance) }

local strays = { title = "(f) error at 44.1 kHz", x = { label = "t", unit = "ms", factor = 1e3, from = 0, to = 3 }, y = { label = "error",
  unit = "µm", factor = 1e6 },
                 lines = {} }
for i, scheme in ipairs { "quadratised", "newton" } do
  local u = way(scheme, 1)
  local off = vec(#u, function(n) return u[n] - exact[(n - 1) * finest + 1] end)
  strays.lines[i] = { x = r.t:sub(1, #u), y = off, scheme = scheme }
end
local time = { label = "t", unit = "ms", factor = 1e3, from = 0, to = 5 }
figure { columns = 2, width = "two",
  caption = "The blow of Sec. 6 by iteration. (a) Velocity of the mass; (b) force; (c) energies of newton; (d) energy out of nothing; "
            .. "(e) error of the way of the mass over the rate; (f) over time, at 44.1 kHz.",
  panels = {
    { title = "(a) velocity of the mass", x = time, y = { label = "w'", unit = "m/s" },
      lines = { { x = r.t, y = runs.quadratised.probes["w'"], scheme = "quadratised", width = 2.6 }, { x = r.t, y = r.probes["w'"], scheme = "newton" } } },
    { title = "(b) force of the contact", x = { label = "t", unit = "ms", factor = 1e3, from = 3, to = 5 }, y = { label = "force", unit = "N" },
      lines = { { x = r.t, y = runs.quadratised.probes.f, scheme = "quadratised" }, { x = r.t, y = r.probes.f, scheme = "newton" } } },
    beside.energies(r, "(c) energies of newton", { x = { label = "t", unit = "ms", factor = 1e3, from = 0, to = 12 } }),
    beside.residuals({ { "quadratised", runs.quadratised }, { "ledger", runs.ledger }, { "newton", r } }, "(d) energy out of nothing"),
    { title = "(e) error over the rate", x = { label = "rate", unit = "Hz", log = true }, y = { label = "error", log = true },
      lines = { { x = vec(rates), y = vec(errors.quadratised), scheme = "quadratised", style = "linespoints" },
                { x = vec(rates), y = vec(errors.newton), scheme = "newton", style = "linespoints" },
                { x = vec(rates), y = vec(errors.ledger), scheme = "ledger", style = "points" } } },
    strays } }
