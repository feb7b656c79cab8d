about { place = "Fig. 4", title = "Energies, energy deviation and penetration of the string over the barrier" }

local r = run("bilbao2014/parabola", { energy = true })
local e = r.energy
local string_energy = e.kinetic + e.elastic
local deviation = (e.total - e.total[1]) / e.total[1]
local depth = r.probes.depth:map(function(d) return d > 0 and d or 0 end)
local bound = (2 * (2.3 + 1) * e.total[1] / (1e13 * 0.8 / r.bodies.string.segments)) ^ (1 / 3.3)

claim { "energy is conserved to machine accuracy: largest |h^n - h^0|/h^0 in 100 ms", published = "machine accuracy",
        measured = deviation:absmax(), digits = 2, holds = deviation:absmax() < 1e-13 }
claim { "total energy; largest share of it in the barrier", published = false,
        measured = { string.format("%.3f mJ", 1e3 * e.total[1]), string.format("%.0f %%", 100 * e.contact:max() / e.total[1]) },
        holds = e.contact:max() < e.total[1] and e.contact:min() >= 0 }
claim { "in practice the bound of 1.3e-4 m is overly conservative: largest penetration", published = "below 1.3e-4 m",
        measured = depth:max(), unit = "m", holds = depth:max() < 0.6 * bound }
claim { "largest penetration over the bound", published = false, measured = depth:max() / bound, digits = 2,
        holds = depth:max() < bound }
local ledger = run("bilbao2014/parabola", { scheme = "ledger", energy = true })
claim { "ledger: largest energy deviation, deepest penetration over that of newton", published = false,
        measured = { ledger.balance, ledger.links.touch.max_penetration / r.links.touch.max_penetration }, digits = 4,
        holds = ledger.balance < 1e-13 and math.abs(ledger.links.touch.max_penetration / r.links.touch.max_penetration - 1) < 1e-3 }
-- Without losses, but is it the solver that conserves? A Newton that is stopped early does not.
claim { "Newton iterations in contact: mean, largest", published = false,
        measured = { r.links.touch.iterations_mean, r.links.touch.iterations_max }, digits = 2,
        holds = r.links.touch.iterations_max < 20 }

local function other(set)
  local o = run("bilbao2014/parabola", { set = set })
  return string.format("%.0e and %.0f µm", o.balance, 1e6 * o.links.touch.max_penetration)
end
choice { "parabola, apex", taken = "as in Fig. 3: 0.5 and 1.5 mm below, L/4", why = "unsaid; the figure is of the same run",
         otherwise = "energy deviation and deepest penetration: 2 and 5 mm below: " .. other { middle = 2e-3, ends = 5e-3 } ..
                     "; apex at L/2: " .. other { apex = 0.5 } .. "; both: " .. other { middle = 2e-3, ends = 5e-3, apex = 0.5 } }

if pictures then
  figure { caption = "Left: energies of string and barrier and their sum. Middle: normalised energy deviation. Right: largest " ..
                     "penetration at each sample, and the bound (23).",
           width = "two", columns = 3, height = 50,
           panels = { { title = "(a) energies", x = { label = "t", unit = "ms", factor = 1e3, from = 0, to = 100 },
                        y = { label = "energy", unit = "mJ", factor = 1e3, from = 0, to = 2.4 },
                        lines = { { x = e.t, y = string_energy, name = "string", colour = "red", width = 0.5 },
                                  { x = e.t, y = e.contact, name = "barrier", colour = "blue", width = 0.5 },
                                  { x = e.t, y = e.total, name = "total", colour = "black" } },
                        legend = "right" },
                      { title = "(b) deviation", x = { label = "t", unit = "ms", factor = 1e3, from = 0, to = 100 },
                        y = { label = "(h − h₀)/h₀" },
                        lines = { { x = e.t:every(4), y = deviation:every(4), name = "newton", colour = "black", style = "points",
                                    point = "plus" } },
                        legend = false },
                      { title = "(c) penetration", x = { label = "t", unit = "ms", factor = 1e3, from = 0, to = 100 },
                        y = { label = "largest eta", unit = "µm", factor = 1e6, from = 0, to = 150 },
                        lines = { { x = r.t, y = depth, name = "newton", scheme = "newton", style = "impulses" } },
                        marks = { { y = bound, text = "bound (23)" } }, legend = false } } }
end
