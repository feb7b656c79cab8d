about { place = "App. E, Eqs. 93 to 101", title = "A free mass between an ideal string and a barrier, solved for two rates" }
-- The notes print no numbers: those of the scene are ours.
local beside = use "lib/willemsen2019_compare"
local bodies, systems = use "lib/willemsen2019_bodies", use "lib/willemsen2019_systems"

local rate, N, L = 44100, 200, 1
local k, scene = 1 / rate, "willemsen2019/appendix_e"
local runs = {}
for _, scheme in ipairs { "quadratised", "ledger", "newton" } do
  runs[scheme] = run(scene, { scheme = scheme, energy = true, duration = 0.05, shapes = beside.times(rate, 1000, 50) })
end
local r = runs.quadratised
local notes = systems.appendix_e { k = k, at = math.floor(0.3 * N + 0.5), barrier = -2e-3,
  string = bodies.string { k = k, length = L, N = N, T = 100, rhoA = 5e-3 }, mass = bodies.mass { k = k, M = 0.002 },
  contacts = { { K = 1e7, alpha = 1.3 }, { K = 1e7, alpha = 1.3 } } }
local names = { string = "u", mass = "w" }
local off, later = beside.along(r, notes, names, 500), beside.along(r, notes, names)
claim { "the program against Eqs. 95, 98, 100, and 101 put right, solved apart: largest distance in 500 steps, of the displacements",
        published = "the rates of penetration from two equations (Eqs. 98, 101)", measured = off, digits = 2, holds = off < 1e-9,
        expect = "reproduced with correction",
        why = "the first term of Eq. 101 must be -(u - u^{n-1})/k (errata); the matrix below it is right" }
claim { "the same in 1000 steps: rounding grows from blow to blow", published = false, measured = later, digits = 1, holds = later < 1e-4 }

-- The final A and v of the appendix: Eq. 101 less Eq. 98. Same unknowns, same solution, on states of all sizes.
local seed = 7
local function number()
  seed = seed * 16807 % 2147483647
  return 0.01 + seed / 2147483647
end
local function solve2(a, b, c, d, p, q) return (p * d - b * q) / (a * d - b * c), (a * q - c * p) / (a * d - b * c) end
local apart = 0
for _ = 1, 200 do
  local M, line, gB, gM = 1e-3 * number(), 1e-5 * number(), 1e4 * number(), 1e4 * number()
  local bB, bM, bs = (k * gB) ^ 2 / (4 * M), (k * gM) ^ 2 / (4 * M), (k * gM) ^ 2 / (4 * line)
  local known, rest = number() - 0.5, number() - 0.5 -- right sides of Eqs. 98 and 101
  local x1, y1 = solve2(1 + bB, -bM, 1, 1 + bs, known, rest)
  local x2, y2 = solve2(1 + bB, -bM, -bB, 1 + bM + bs, known, rest - known)
  apart = math.max(apart, math.abs(x1 - x2), math.abs(y1 - y2))
end
claim { "Eqs. 98 and 101 beside the final A and v, furthest apart over 200 states", published = "the same: Eq. 98 subtracted from Eq. 101",
        measured = apart, digits = 1, holds = apart < 1e-12 }
claim { "energy out of nothing (quadratised; ledger; newton)", published = "none, as ψ ψ' = φ' (App. A)",
        measured = { r.balance, runs.ledger.balance, runs.newton.balance }, digits = 1,
        holds = math.max(r.balance, runs.ledger.balance, runs.newton.balance) < 1e-11 }
local M, B = r.links.M, r.links.B
claim { "steps in contact, mass with string; mass with barrier; iterations", published = "a matrix of two rows",
        measured = { M.contact_samples, B.contact_samples, M.iterations + B.iterations }, digits = 4,
        holds = M.contact_samples > 0 and B.contact_samples > 0 and M.iterations + B.iterations == 0 }
local H = r.energy.total:absmax()
claim { "energy held by open contacts, at most, of the whole (quadratised; ledger)", published = false, digits = 2,
        measured = { math.max(M.trapped_max, B.trapped_max) / H, math.max(runs.ledger.links.M.trapped_max, runs.ledger.links.B.trapped_max) },
        holds = math.max(M.trapped_max, B.trapped_max) > 0 and runs.ledger.links.M.trapped_max == 0 }
local slow = run(scene, { set = { v0 = 0.1 }, duration = 0.05 })
choice { "numbers", taken = "1 m, 100 N, 5 g/m, 200 intervals; 2 g at 1 m/s between string and barrier, at 0.3 L; K = 1e7 N/m^α, "
         .. "α = 1.3", why = "the notes print none", otherwise = string.format("0.1 m/s: energy closes to %.0e", slow.balance) }

local t, u = {}, {}
notes.string:start(r.shapes[2].bodies.u.u, r.shapes[1].bodies.u.u)
notes.mass:start(r.shapes[2].bodies.w.u[1], r.shapes[1].bodies.w.u[1])
notes:begin()
for n = 1, pictures and 1300 or 1 do
  notes:step()
  t[n], u[n] = (n + 1) * k, notes.string.u[notes.at + 2]
end
local time = { label = "t", unit = "ms", factor = 1e3, from = 0, to = 30 }
local shapes = { title = "(b) shapes", x = { label = "x", unit = "m" }, y = { label = "displacement", unit = "mm", factor = 1e3 }, lines = {},
                 marks = { { y = -2e-3, text = "barrier" } } }
for n, frame in ipairs { 4, 7, 12, 37 } do
  local s, colour = r.shapes[frame], ({ "ink", "sky", "green", "purple" })[n]
  table.insert(shapes.lines, { x = s.bodies.u.x, y = s.bodies.u.u, colour = colour, name = string.format("%.1f ms", 1e3 * s.t) })
  table.insert(shapes.lines, { x = vec { 0.3 * L }, y = vec { s.bodies.w.u[1] }, colour = colour, style = "points", point = "disc" })
end
figure { columns = 2, width = "two",
  caption = "A free mass between an ideal string and a barrier, published scheme. (a) Mass and the string above it; (b) shapes, the mass as a "
            .. "point; (c) energies; (d) energy out of nothing.",
  panels = {
    { title = "(a) mass and string above it", x = time, y = { label = "displacement", unit = "mm", factor = 1e3 }, marks = { { y = -2e-3,
      text = "barrier" } },
      lines = { { x = vec(t), y = vec(u), name = "string", colour = "ink" }, { x = r.t, y = r.probes.w, name = "mass", colour = "purple" } } },
    shapes, beside.energies(r, "(c) energies", { x = time }),
    beside.residuals({ { "quadratised", r }, { "ledger", runs.ledger }, { "newton", runs.newton } }, "(d) energy out of nothing") } }
