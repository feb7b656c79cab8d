about { place = "App. C, Eq. 91", title = "A mass between a string and a rigid barrier" }
-- Appendix C derives Eq. 24 (see Sec. 4) and ends with this "weird collision case". The notes print no numbers.
local beside = use "lib/willemsen2019_compare"
local bodies, systems = use "lib/willemsen2019_bodies", use "lib/willemsen2019_systems"

local rate, N, L, radius = 44100, 90, 0.7, 4e-4
local k, scene, rhoA = 1 / rate, "willemsen2019/mass_between", 7850 * math.pi * radius ^ 2
local runs = {}
for _, scheme in ipairs { "quadratised", "ledger", "newton" } do
  runs[scheme] = run(scene, { scheme = scheme, energy = true, duration = 0.06, shapes = beside.times(rate, 1000, 50) })
end
local r = runs.quadratised
local notes = systems.mass_between { k = k, at = math.floor(0.3 * N + 0.5), barrier = -1e-3,
  string = bodies.string { k = k, length = L, N = N, T = 120, rhoA = rhoA, EI = 2e11 * math.pi * radius ^ 4 / 4, s0 = 0.5, s1 = 2e-4 },
  mass = bodies.mass { k = k, M = 0.002, omega = 2 * math.pi * 40 }, contacts = { { K = 1e7, alpha = 1.3 }, { K = 1e7, alpha = 1.3 } } }
local names = { string = "u", mass = "w" }
local off, later = beside.along(r, notes, names, 500), beside.along(r, notes, names)
claim { "the program against Eq. 91 solved apart for u_m and w as in Secs. 4 and 6: largest distance in 500 steps, of the displacements",
        published = "string and mass from a 2 x 2 system (Eq. 91)", measured = off, digits = 2, holds = off < 1e-8 }
claim { "the same in 1000 steps: rounding grows from blow to blow", published = false, measured = later, digits = 1, holds = later < 1e-4 }
local ms, mb = r.links.ms, r.links.mb
claim { string.format("steps of %d in contact, mass with string; mass with barrier; iterations", r.steps),
        published = "two collisions, no iteration",
        measured = { ms.contact_samples, mb.contact_samples, ms.iterations + mb.iterations }, digits = 4,
        holds = ms.contact_samples > 0 and mb.contact_samples > 0 and ms.iterations + mb.iterations == 0 }
claim { "energy out of nothing, losses of the string counted (quadratised; ledger; newton)", published = "none, as ψ ψ' = φ' (App. A)",
        measured = { r.balance, runs.ledger.balance, runs.newton.balance }, digits = 1,
        holds = math.max(r.balance, runs.ledger.balance, runs.newton.balance) < 1e-11 }
local H = r.energy.total:absmax()
claim { "energy held by open contacts, at most, of the whole; largest pull of the string's, of its push (quadratised; ledger)",
        published = false, digits = 2, measured = { math.max(ms.trapped_max, mb.trapped_max) / H, ms.min_force / ms.max_force,
        math.max(runs.ledger.links.ms.trapped_max, runs.ledger.links.mb.trapped_max), runs.ledger.links.ms.min_force },
        holds = math.max(ms.trapped_max, mb.trapped_max) > 0 and runs.ledger.links.ms.trapped_max == 0 and runs.ledger.links.ms.min_force >= 0 }
claim { "steps in contact with the string, with the ledger", published = false, measured = runs.ledger.links.ms.contact_samples, digits = 4,
        holds = runs.ledger.links.ms.contact_samples < ms.contact_samples, why = "a string whose contact pulls keeps the mass" }
local tight = run(scene, { set = { room = 0 }, duration = 0.06 })
choice { "numbers", taken = "0.7 m of 0.8 mm steel at 120 N, plucked by 3 mm at 0.3 L; 2 g at 40 Hz, 0.5 mm above the barrier and below the "
         .. "string; K = 1e7 N/m^α, α = 1.3", why = "the notes print none",
         otherwise = string.format("no room at all: energy closes to %.0e", tight.balance) }

-- The way of the mass and of the string above it, from the system of the notes.
local t, u, w = {}, {}, {}
notes.string:start(r.shapes[2].bodies.u.u, r.shapes[1].bodies.u.u)
notes.mass:start(r.shapes[2].bodies.w.u[1], r.shapes[1].bodies.w.u[1])
notes:begin()
for n = 1, pictures and 1300 or 1 do
  notes:step()
  t[n], u[n], w[n] = (n + 1) * k, notes.string.u[notes.at + 2], notes.mass.u
end
local time = { label = "t", unit = "ms", factor = 1e3, from = 0, to = 30 }
local shapes = { title = "(b) shapes", x = { label = "x", unit = "m" }, y = { label = "displacement", unit = "mm", factor = 1e3 }, lines = {},
                 marks = { { y = -1e-3, text = "barrier" } } }
for n, frame in ipairs { 1, 7, 12, 17 } do
  local s, colour = r.shapes[frame], ({ "ink", "sky", "green", "purple" })[n]
  table.insert(shapes.lines, { x = s.bodies.u.x, y = s.bodies.u.u, colour = colour, name = string.format("%.1f ms", 1e3 * s.t) })
  table.insert(shapes.lines, { x = vec { 0.3 * L }, y = vec { s.bodies.w.u[1] }, colour = colour, style = "points", point = "disc" })
end
figure { columns = 2, width = "two",
  caption = "A mass between a string and a barrier, published scheme. (a) Mass and the string above it; (b) shapes, the mass as a point; "
            .. "(c) energies; (d) energy out of nothing.",
  panels = {
    { title = "(a) mass and string above it", x = time, y = { label = "displacement", unit = "mm", factor = 1e3 }, marks = { { y = -1e-3,
      text = "barrier" } },
      lines = { { x = vec(t), y = vec(u), name = "string", colour = "ink" }, { x = vec(t), y = vec(w), name = "mass", colour = "purple" } } },
    shapes, beside.energies(r, "(c) energies", { x = time, parts = { "kinetic", "elastic", "contact", "dissipated", "total" } }),
    beside.residuals({ { "quadratised", r }, { "ledger", runs.ledger }, { "newton", runs.newton } }, "(d) energy out of nothing") } }
