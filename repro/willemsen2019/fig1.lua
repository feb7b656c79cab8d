about { place = "Fig. 1, Eqs. 1 to 4", title = "The positive part of η, as a contact of the program feels it" }
-- A mass led slowly from -1 m to 1 m through another one at 0, too heavy to be moved: with K = 1 N/m and alpha = 1 the force is
-- [eta]_+ itself.
local scene = [[
local m = mass { name = "m", mass = 1, path = { { 0, -1 }, { 1, 1 } } }
local hit = contact { name = "c", above = mass { mass = 1e12 }, below = m, K = 1,
                      alpha = param { "alpha", 1, min = 1, max = 3 }, scheme = "newton",
                      law = param { "both", 0 } > 0 and "two-sided" or "one-sided" }
probe { on = m, quantity = "displacement", name = "eta" }
probe { on = hit, quantity = "force", name = "f" }
render { rate = 1000, duration = 1 }
]]
local function positive(eta) return (eta + math.abs(eta)) / 2 end -- (2)

-- Furthest from `law`, over the steps that have both neighbours on one side; and the force while apart.
local function furthest(r, law)
  local eta, f, off, open = r.probes.eta, r.probes.f, 0, 0
  for n = 3, #eta - 2 do
    if math.abs(eta[n]) > 0.005 then off = math.max(off, math.abs(f[n] - law(eta[n]))) end
    if eta[n] < -0.005 then open = math.max(open, math.abs(f[n])) end
  end
  return off, open
end
local runs, off, open = {}, {}, 0
for i, scheme in ipairs { "newton", "quadratised", "ledger" } do
  runs[i] = run(scene, { scheme = scheme })
  local apart
  off[i], apart = furthest(runs[i], positive)
  open = math.max(open, apart)
end
claim { "force of a contact with K = 1 N/m, α = 1, against (η + |η|)/2, furthest (newton; quadratised; ledger)", unit = "N",
        published = "[η]₊ = (η + |η|)/2 (Eq. 2)", measured = off, digits = 1, holds = off[1] < 1e-12 and off[2] < 2e-3 and off[3] < 2e-3 }
claim { "largest force while the two are apart", unit = "N", published = "non-zero only in contact", measured = open, holds = open == 0 }

local function power(alpha) return function(eta) return positive(eta) ^ alpha end end
local laws = {}
for i, alpha in ipairs { 1.3, 2, 3 } do
  local r = run(scene, { set = { alpha = alpha } })
  local far, apart = furthest(r, power(alpha))
  laws[i] = { alpha = alpha, run = r, off = far }
end
claim { "force against K [η]₊^α, furthest (α = 1.3; 2; 3)", unit = "N", published = "f = K [η]₊^α (Eq. 1)", digits = 1,
        measured = { laws[1].off, laws[2].off, laws[3].off }, holds = math.max(laws[1].off, laws[2].off, laws[3].off) < 1e-4 }
local both = run(scene, { set = { both = 1, alpha = 1.3 } })
local two_sided = furthest(both, function(eta) return eta * math.abs(eta) ^ 0.3 end)
claim { "two-sided contact against K |η|^α sgn(η), α = 1.3, furthest", unit = "N", published = "f = K |η|^α sgn(η) (Eq. 72)", digits = 1,
        measured = two_sided, holds = two_sided < 1e-4 }

choice { "how slowly the mass is led", taken = "2 m in 1000 steps", why = "the notes plot a formula, no run",
         otherwise = string.format("2 m in 100 steps: furthest from Eq. 2 %.0e N (newton)", (furthest(run(scene, { rate = 100 }), positive))) }

local x = { label = "η", unit = "m", from = -1, to = 1 }
local lines = { { x = both.probes.eta, y = both.probes.f, name = "α = 1.3, two-sided", colour = "grey", style = "dash" } }
for i, law in ipairs(laws) do
  lines[i + 1] = { x = law.run.probes.eta, y = law.run.probes.f, name = string.format("α = %g", law.alpha),
                   colour = ({ "ink", "sky", "purple" })[i] }
end
figure { columns = 2, width = "two",
  caption = "(a) [η]₊ of Eq. 2 and the force of a contact with K = 1 N/m, α = 1, on a mass led slowly through it; "
            .. "(b) K [η]₊^α, and the two-sided law of Sec. 8.",
  panels = {
    { title = "(a) positive part", x = x, y = { label = "[η]₊", unit = "m" },
      lines = { { x = runs[1].probes.eta, y = runs[1].probes.eta:map(positive), name = "(η + |η|)/2", scheme = "exact" },
                { x = runs[2].probes.eta:every(50), y = runs[2].probes.f:every(50), scheme = "quadratised", style = "points" } } },
    { title = "(b) laws of force", x = x, y = { label = "force", unit = "N", from = -1, to = 1 }, lines = lines } } }
