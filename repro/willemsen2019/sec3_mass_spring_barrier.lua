about { place = "Sec. 3, Eqs. 19 to 21", title = "Mass on a spring against a rigid barrier" }
-- The notes print no numbers: those of the scene are ours.
local bodies, systems = use "lib/willemsen2019_bodies", use "lib/willemsen2019_systems"
local beside = use "lib/willemsen2019_compare"

local rate, duration = 44100, 0.05
local k, scene = 1 / rate, "willemsen2019/mass_spring_barrier"
local r = run(scene, { energy = true, duration = duration, shapes = beside.times(rate, 1000, 20) })
local notes = systems.mass_barrier { k = k, mass = bodies.mass { k = k, M = 0.01, omega = 2 * math.pi * 110 }, barrier = 1e-3,
                                     contacts = { { K = 5e6, alpha = 1.3 } } }
local off = beside.along(r, notes, { mass = "u" })
claim { "the program against Eqs. 12, 17 and 21, and 18 with its g, solved apart: largest distance, of the displacement",
        published = "u of the next step by one division (Eqs. 20, 21)", measured = off, digits = 2, holds = off < 1e-10,
        expect = "reproduced with correction",
        why = "Eq. 18 is printed without the factor g (errata)" }
claim { "iterations", published = "solved by a division, as in Sec. 2", measured = r.links[1].iterations,
        holds = r.links[1].iterations == 0 and r.links[1].contact_samples > 100 }

-- Soft, as the scene has it, and hard: contacts of two or three samples.
local soft, hard = {}, {}
for _, scheme in ipairs { "quadratised", "ledger", "newton" } do
  soft[scheme] = run(scene, { scheme = scheme, energy = true, duration = duration })
  hard[scheme] = run(scene, { scheme = scheme, energy = true, duration = 0.5, set = { K = 5e9 } })
end
local function largest(runs, what)
  local most = 0
  for _, run in pairs(runs) do most = math.max(most, what(run)) end
  return most
end
local balance = function(run) return run.balance end
claim { "energy out of nothing, largest of quadratised, ledger and newton (K = 5e6; 5e9 N/m^α)",
        published = "none, as ψ ψ' = φ' (App. A)", measured = { largest(soft, balance), largest(hard, balance) }, digits = 1,
        holds = largest(soft, balance) < 1e-12 and largest(hard, balance) < 1e-12 }

local function held(runs, scheme) return runs[scheme].links[1].trapped_max / runs[scheme].energy.total:absmax() end
claim { "largest energy held by the open contact, K = 5e6, of the whole (quadratised; ledger; newton)", published = false,
        measured = { held(soft, "quadratised"), held(soft, "ledger"), held(soft, "newton") }, digits = 2,
        holds = held(soft, "quadratised") > 1e-5 and held(soft, "ledger") < 1e-12 }
claim { "the same, K = 5e9, 0.5 s", published = false, measured = { held(hard, "quadratised"), held(hard, "ledger"), held(hard, "newton") },
        digits = 2, holds = held(hard, "quadratised") > 0.3 and held(hard, "ledger") < 1e-12,
        why = "all schemes conserve what they count, but ψ keeps a part of it while nothing touches: the mass swings with less" }
claim { "pull of the one-sided contact, of its largest push, K = 5e9 (quadratised; ledger)", published = false,
        measured = { hard.quadratised.links[1].min_force / hard.quadratised.links[1].max_force,
                     hard.ledger.links[1].min_force / hard.ledger.links[1].max_force }, digits = 2,
        holds = hard.quadratised.links[1].min_force < 0 and hard.ledger.links[1].min_force >= 0 }

-- Fifth return to the barrier, against a run at 64 times the rate.
local exact = run(scene, { scheme = "newton", oversample = 64, duration = duration })
local function wrong(run)
  local most = 0
  for n = 1, #run.t do most = math.max(most, math.abs(run.probes.u[n] - exact.probes.u[64 * (n - 1) + 1])) end
  return most / exact.probes.u:absmax()
end
local errors = { wrong(soft.quadratised), wrong(soft.ledger), wrong(soft.newton) }
claim { "furthest from the motion at 64 times the rate in 50 ms, K = 5e6 (quadratised; ledger; newton)", published = false,
        measured = errors, digits = 2, holds = errors[1] < 0.2 and errors[2] < 0.2 }

local slower = run(scene, { set = { f0 = 55 }, energy = true, duration = duration })
choice { "numbers", taken = "M = 10 g, 110 Hz, from -2 mm, barrier at 1 mm, K = 5e6 N/m^α, α = 1.3, 44.1 kHz",
         why = "the notes print none",
         otherwise = string.format("55 Hz: energy closes to %.0e; K = 5e9: to %.0e", slower.balance, hard.quadratised.balance) }

local time = { label = "t", unit = "ms", factor = 1e3, from = 0, to = 25 }
local function motion(title, runs, legend)
  local panel = { title = title, x = time, y = { label = "u", unit = "mm", factor = 1e3, from = -4, to = 1.8 },
                  marks = { { y = 1e-3, text = "barrier" } }, lines = {}, legend = legend }
  for _, scheme in ipairs { "quadratised", "newton" } do
    table.insert(panel.lines, { x = runs[scheme].t, y = runs[scheme].probes.u, scheme = scheme,
                                width = scheme == "quadratised" and 2.6 or nil })
  end
  return panel
end
local function schemes_of(of) return { { "quadratised", of.quadratised }, { "ledger", of.ledger }, { "newton", of.newton } } end
figure { columns = 2, width = "two",
  caption = "Mass on a spring under a rigid barrier, K = 5e6 N/m^α (a, b, e) and 5e9 (c, d, f): motion, energies of the published "
            .. "scheme, energy out of nothing.",
  panels = {
    motion("(a) K = 5e6, motion", soft, "bottom right"), beside.energies(soft.quadratised, "(b) K = 5e6, energies", { x = time }),
    motion("(c) K = 5e9, motion", hard, false), beside.energies(hard.quadratised, "(d) K = 5e9, energies", { x = time, legend = false }),
    beside.residuals(schemes_of(soft), "(e) K = 5e6, energy out of nothing"),
    beside.residuals(schemes_of(hard), "(f) K = 5e9, energy out of nothing", { legend = false }) } }
