about { place = "Sec. 9", title = "Any system of elements: strings, masses, barriers and a plate in one collision" }
-- "Using the tools described in this chapter, you can build any system of elements and let them collide."
local beside = use "lib/willemsen2019_compare"
local scene = [[
local function wire(name, tension, segments)
  return string { name = name, length = 0.7, tension = tension, material_density = 7850, radius = 4e-4, youngs = 2e11, sigma0 = 0.5,
                  sigma1 = 2e-4, segments = segments, tuned = false }
end
local a, b = wire("a", 120, 90), wire("b", 80, 90)
local ball = mass { name = "ball", mass = 0.004, frequency = 30, position = -3e-3, velocity = 3 }
local hammer = mass { name = "hammer", mass = 0.003, position = 4e-3, velocity = -2 }
local bridge = mass { name = "bridge", mass = 0.002, frequency = 200, damping = 1 }
local board = plate { name = "board", size = { 0.3, 0.2 }, thickness = 2e-3, material_density = 500, youngs = 1e10, poisson = 0.3,
                      sigma0 = 2, sigma1 = 0.01, segments = { 18, 12 }, tuned = false }
local floor = barrier { height = -5e-3 }
local how = { K = 1e7, alpha = 1.3, scheme = "quadratised" }
local function meet(c)
  c.K, c.alpha, c.scheme = c.K or how.K, how.alpha, how.scheme
  return contact(c)
end
meet { name = "strings", above = a, below = b, gap = 1e-3, K = 5e8 }       -- Sec. 5
meet { name = "hammer", above = hammer, below = a, at_below = 0.1 }        -- Sec. 6
meet { name = "ball", above = b, below = ball, at_above = 0.2 }            -- Sec. 6
meet { name = "floor", above = ball, below = floor }                      -- Sec. 2
meet { name = "masses", above = hammer, below = ball, gap = 2e-3 }         -- Sec. 4
meet { name = "foot", above = b, below = bridge, at_above = 0.6, law = "two-sided" } -- Sec. 8
meet { name = "rattle", above = bridge, below = board, at_below = { 0.1, 0.08 }, gap = 5e-6, K = 5e8 }
pluck { on = a, shape = "raised-cosine", at = 0.3, height = 3e-3, width = 0.3 }
for _, m in ipairs { ball, hammer, bridge } do probe { on = m, quantity = "displacement" } end
render { rate = 44100, duration = 0.1 }
]]
local runs, touched, least = {}, {}, math.huge
for _, scheme in ipairs { "quadratised", "ledger", "newton" } do
  runs[scheme] = run(scene, { scheme = scheme, energy = true, shapes = { 0.002, 0.01 } })
end
local r = runs.quadratised
for i, link in ipairs(r.links) do
  touched[i] = string.format("%s %d", link.name, link.contact_samples)
  least = math.min(least, link.contact_samples)
end
claim { string.format("%d bodies, %d contacts: steps of %d in which each is closed", #r.bodies, #r.links, r.steps), published = "let them collide",
        measured = table.concat(touched, ", "), holds = least > 0 }
claim { "energy out of nothing in 0.1 s (quadratised; ledger; newton)", published = "any system can be built", digits = 1,
        measured = { r.balance, runs.ledger.balance, runs.newton.balance },
        holds = math.max(r.balance, runs.ledger.balance, runs.newton.balance) < 1e-11 }
local pull, ledger_pull = 0, 0
for i, link in ipairs(r.links) do
  if link.name ~= "foot" then
    pull, ledger_pull = math.min(pull, link.min_force / link.max_force), math.min(ledger_pull, runs.ledger.links[i].min_force)
  end
end
claim { "largest pull of a one-sided contact, of its largest push (quadratised; ledger)", published = false, measured = { pull, ledger_pull },
        digits = 2, holds = pull < 0 and ledger_pull >= 0 }
local fast = run(scene, { rate = 96000, duration = 0.05 })
choice { "the system", taken = "two strings, three masses, a plate, a barrier, seven contacts", why = "the notes name no example",
         otherwise = string.format("at 96 kHz: energy closes to %.0e", fast.balance) }

local time = { label = "t", unit = "ms", factor = 1e3, from = 0, to = 40 }
local masses = { title = "(b) masses", x = time, y = { label = "displacement", unit = "mm", factor = 1e3, from = -8, to = 12 }, lines = {},
                 marks = { { y = -5e-3, text = "barrier" } } }
for i, name in ipairs { "ball", "hammer", "bridge" } do
  masses.lines[i] = { x = r.t, y = r.probes[i], name = name, colour = ({ "purple", "orange", "green" })[i] }
end
local s = r.shapes[1].bodies
figure { columns = 2, width = "two",
  caption = "A system of everything, published scheme. (a) Strings, ball and hammer at 2 ms; (b) masses; (c) energies; (d) energy out of nothing.",
  panels = {
    { title = "(a) strings, ball, hammer at 2 ms", x = { label = "x", unit = "m" }, y = { label = "displacement", unit = "mm", factor = 1e3 },
      lines = { { x = s.a.x, y = s.a.u, name = "string a", colour = "ink" }, { x = s.b.x, y = s.b.u - 1e-3, name = "string b", colour = "sky" },
                { x = vec { 0.2 }, y = vec { s.ball.u[1] - 1e-3 }, name = "ball", colour = "purple", style = "points", point = "disc" },
                { x = vec { 0.1 }, y = vec { s.hammer.u[1] }, name = "hammer", colour = "orange", style = "points", point = "disc" } } },
    masses, beside.energies(r, "(c) energies", { x = time, parts = { "kinetic", "elastic", "contact", "dissipated", "total" } }),
    beside.residuals({ { "quadratised", r }, { "ledger", runs.ledger }, { "newton", runs.newton } }, "(d) energy out of nothing") } }
