about { place = "Sec. 5, Eqs. 25 to 27", title = "Two stiff strings strike one another along their length" }
-- The notes print no numbers: those of the scene are ours.
local bodies, systems = use "lib/willemsen2019_bodies", use "lib/willemsen2019_systems"
local beside = use "lib/willemsen2019_compare"

local rate, N, L, steps = 44100, 90, 0.7, 600
local k, scene = 1 / rate, "willemsen2019/string_string"
local runs = {}
for _, scheme in ipairs { "quadratised", "ledger", "newton" } do
  runs[scheme] = run(scene, { scheme = scheme, energy = true, duration = 0.04, shapes = beside.times(rate, steps, 30) })
end
local r = runs.quadratised

local function steel(tension) -- as the scene has it
  local radius, rho = 4e-4, 7850
  return bodies.string { k = k, length = L, N = N, T = tension, rhoA = rho * math.pi * radius ^ 2, EI = 2e11 * math.pi * radius ^ 4 / 4 }
end
local contacts = {}
for l = 1, N - 1 do contacts[l] = { K = 5e8, alpha = 1.3, gap = 1e-3, weight = L / N } end
local notes = systems.string_string { k = k, upper = steel(120), lower = steel(80), contacts = contacts }
local names = { upper = "u", lower = "w" }
local off, later = beside.along(r, notes, names, 300), beside.along(r, notes, names)
claim { "the program against the 2 x 2 matrices of Eq. 27, solved apart at every point: largest distance in 300 steps, of the displacements",
        published = "both strings from a 2 x 2 system per point (Eq. 27)", measured = off, digits = 2, holds = off < 1e-10 }
claim { string.format("the same in %d steps: rounding grows from blow to blow", steps), published = false, measured = later, digits = 1,
        holds = later < 1e-4 }
local link = r.links[1]
claim { "points with a contact of their own; most of them closed at once", published = "ψ, g and η separate for every grid point",
        measured = { link.points, link.points_max }, holds = link.points == N - 1 and link.points_max > 3 }
claim { "energy out of nothing (quadratised; ledger; newton)", published = "none, as ψ ψ' = φ' (App. A)",
        measured = { r.balance, runs.ledger.balance, runs.newton.balance }, digits = 1,
        holds = math.max(r.balance, runs.ledger.balance, runs.newton.balance) < 1e-12 }
claim { "pull of the one-sided contacts, of the largest push (quadratised; ledger; newton)", published = false,
        measured = { link.min_force / link.max_force, runs.ledger.links[1].min_force, runs.newton.links[1].min_force }, digits = 2,
        holds = link.min_force < 0 and runs.ledger.links[1].min_force >= 0 and runs.newton.links[1].min_force >= 0,
        why = "a point that parts with ψ < 0 attracts at its next contact" }

local H = r.energy.total:absmax()
claim { "energy held by the points while open, at most, of the whole (quadratised; ledger)", published = false, digits = 2,
        measured = { link.trapped_max / H, runs.ledger.links[1].trapped_max / H },
        holds = link.trapped_max > 0.01 * H and runs.ledger.links[1].trapped_max == 0 }

-- Each string for itself, from the system of the notes.
local t, up, low = {}, {}, {}
notes.upper:start(r.shapes[2].bodies.u.u, r.shapes[1].bodies.u.u)
notes.lower:start(r.shapes[2].bodies.w.u, r.shapes[1].bodies.w.u)
notes:begin()
for n = 1, 880 do
  notes:step()
  if n % 4 == 0 then
    t[#t + 1], up[#up + 1], low[#low + 1] = (n + 0.5) * k, notes.upper:energy(), notes.lower:energy()
  end
end
local passed = vec(low):max() / (up[1] + low[1])
claim { "largest part of the energy that the lower string, at rest at first, comes to hold in 20 ms", published = false,
        measured = passed, digits = 3, holds = passed > 0.05 }

-- Strings whose points do not lie above one another, which the notes leave out.
local unlike = run([[
local function steel(name, tension, segments)
  return string { name = name, length = 0.7, tension = tension, material_density = 7850, radius = 4e-4, youngs = 2e11, segments = segments,
                  tuned = false }
end
local upper, lower = steel("u", 120, 90), steel("w", 80, 77)
contact { above = upper, below = lower, gap = 1e-3, K = 5e8, alpha = 1.3, scheme = "quadratised" }
pluck { on = upper, shape = "raised-cosine", at = 0.25, height = 4e-3, width = 0.3 }
render { rate = 44100, duration = 0.04 }
]])
choice { "grids of the two strings", taken = "90 intervals both", why = "the notes assume the same grid spacing for both",
         otherwise = string.format("90 and 77 intervals, one read between its points: energy closes to %.0e", unlike.balance) }
local softer = run(scene, { set = { K = 5e6 }, duration = 0.04 })
choice { "numbers", taken = "0.7 m of 0.8 mm steel, 120 N above 80 N, 1 mm apart, plucked by 4 mm, K = 5e8 N/m^(α+1), α = 1.3",
         why = "the notes print none; K is a force per metre of string, the nodal stiffness K h",
         otherwise = string.format("K = 5e6: energy closes to %.0e", softer.balance) }

local function shapes(title, i)
  local s = r.shapes[i].bodies
  return { title = string.format("%s t = %.2f ms", title, 1e3 * r.shapes[i].t), x = { label = "x", unit = "m" },
           y = { label = "displacement", unit = "mm", factor = 1e3, from = -3, to = 5 }, legend = i == 1 and "top right" or false,
           lines = { { x = s.u.x, y = s.u.u, name = "u, above", colour = "ink" },
                     { x = s.w.x, y = s.w.u - 1e-3, name = "w, below", colour = "purple" } } }
end
local time = { label = "t", unit = "ms", factor = 1e3, from = 0, to = 20 }
figure { columns = 2, width = "two",
  caption = "Two strings, the upper one plucked; the lower one is drawn 1 mm down, where it hangs. (a) to (c) Shapes; (d) energies; "
            .. "(e) energy of each string; (f) energy out of nothing.",
  panels = { shapes("(a)", 1), shapes("(b)", 10), shapes("(c)", 18), beside.energies(r, "(d) energies", { x = time }),
    { title = "(e) energy of each string", x = time, y = { label = "energy", unit = "mJ", factor = 1e3 }, legend = "top right",
      lines = { { x = vec(t), y = vec(up), name = "u, above", colour = "ink" },
                { x = vec(t), y = vec(low), name = "w, below", colour = "purple" } } },
    beside.residuals({ { "quadratised", r }, { "ledger", runs.ledger }, { "newton", runs.newton } }, "(f) energy out of nothing", { x = time }) } }
