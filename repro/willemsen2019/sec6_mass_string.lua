about { place = "Sec. 6, Eqs. 28 to 31", title = "Mass on a spring strikes a stiff string" }
-- The notes print no numbers: those of the scene are ours.
local beside, here = use "lib/willemsen2019_compare", use "lib/willemsen2019_mass_string"

local rate, scene = here.rate, "willemsen2019/mass_string"
local k = 1 / rate
local runs = {}
for _, scheme in ipairs { "quadratised", "ledger" } do
  runs[scheme] = run(scene, { scheme = scheme, energy = true, duration = 0.03, shapes = beside.times(rate, 1000, 40) })
end
local r, link = runs.quadratised, runs.quadratised.links[1]
local notes = here.system "mass_string"
local off = beside.along(r, notes, { string = "u", mass = "w" })
claim { "the program against the matrix of Eq. 30 with g^2/4 in its corner, solved apart: largest distance, of the displacements",
        published = "string and mass from a 2 x 2 system (Eq. 30)", measured = off, digits = 2, holds = off < 1e-9,
        expect = "reproduced with correction",
        why = "the lower right entry is printed as M/k^2 + g^2/k^2 (errata)" }

-- Eq. 31 for the struck point, beside what the matrix gave it; and the way of the mass and of that point.
local c, i, apart, t, u, w, f = notes.contacts[1], here.at + 2, 0, {}, {}, {}, {}
here.start(notes, r)
for n = 1, 1000 do
  local g = c.eta > 0 and math.sqrt(c.K * (c.alpha + 1) / 2) * c.eta ^ ((c.alpha - 1) / 2) or 0
  local before, psi = c.before, c.psi
  notes.string:free()
  local alone = notes.string.next[i]
  notes:step()
  local force = g ^ 2 / 4 * (c.eta - before) + psi * g
  apart = math.max(apart, math.abs(alone + k ^ 2 / (here.rhoA * here.L / here.N) * force - notes.string.u[i]))
  t[n], u[n], w[n], f[n] = (n + 1) * k, notes.string.u[i], notes.mass.u, force
end
claim { "Eq. 31 beside Eq. 30: the displacement of the struck point, furthest apart", published = "the same",
        measured = apart / vec(u):absmax(), digits = 1, holds = apart < 1e-12 * vec(u):absmax() }

local point = here.rhoA * here.L / here.N
local together = 1 / (1 / point + 1 / here.mass)
claim { "mass that the contact feels: mass of one point, ρ A h; with the striking mass; the program's", unit = "g",
        published = "the mass it interacts with is only ρ A h", measured = { 1e3 * point, 1e3 * together, 1e3 * link.mass }, digits = 5,
        holds = math.abs(link.mass / together - 1) < 1e-12 }
claim { "iterations", published = "none", measured = link.iterations, holds = link.iterations == 0 and link.contact_samples > 20 }
claim { "energy out of nothing (quadratised; ledger)", published = "none, as ψ ψ' = φ' (App. A)",
        measured = { r.balance, runs.ledger.balance }, digits = 1, holds = math.max(r.balance, runs.ledger.balance) < 1e-12 }
claim { "largest energy held by the open contact, of the whole; largest pull, of the largest push (quadratised; ledger)", published = false,
        measured = { link.trapped_max / r.energy.total:absmax(), link.min_force / link.max_force, runs.ledger.links[1].trapped_max,
                     runs.ledger.links[1].min_force }, digits = 2,
        holds = link.trapped_max > 0 and runs.ledger.links[1].trapped_max == 0 and runs.ledger.links[1].min_force >= 0 }

local middle = run(scene, { set = { place = 0.5 }, duration = 0.03 })
choice { "numbers", taken = "0.7 m of 0.8 mm steel at 120 N, 90 intervals; 3 g at 60 Hz from 1 mm below at 2 m/s, at 0.15 L; "
         .. "K = 1e7 N/m^α, α = 1.3", why = "the notes print none",
         otherwise = string.format("struck in the middle: energy closes to %.0e", middle.balance) }

local time = { label = "t", unit = "ms", factor = 1e3, from = 0, to = 12 }
local shapes = { title = "(a) shapes, the mass as a point", x = { label = "x", unit = "m" }, y = { label = "displacement", unit = "mm",
  factor = 1e3 }, lines = {} }
for n, frame in ipairs { 3, 5, 8, 14 } do
  local s, colour = r.shapes[frame], ({ "ink", "sky", "green", "purple" })[n]
  table.insert(shapes.lines, { x = s.bodies.u.x, y = s.bodies.u.u, colour = colour, name = string.format("%.1f ms", 1e3 * s.t) })
  table.insert(shapes.lines, { x = vec { here.at * here.L / here.N }, y = vec { s.bodies.w.u[1] }, colour = colour, style = "points",
                               point = "disc" })
end
figure { columns = 2, width = "two",
  caption = "Mass under a string, published scheme. (a) Shapes of the string and the mass (points); (b) mass and struck point; "
            .. "(c) energies; (d) energy out of nothing.",
  panels = { shapes,
    { title = "(b) mass and struck point", x = time, y = { label = "displacement", unit = "mm", factor = 1e3 },
      lines = { { x = vec(t), y = vec(u), name = "string", colour = "ink" }, { x = vec(t), y = vec(w), name = "mass", colour = "purple" } } },
    beside.energies(r, "(c) energies", { x = time }),
    beside.residuals({ { "quadratised", r }, { "ledger", runs.ledger } }, "(d) energy out of nothing") } }
