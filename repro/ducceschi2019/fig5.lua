about { place = "Fig. 5", title = "Energies of the string against a point barrier, 44.1 kHz" }

local strings = use "lib/ducceschi2019_string"
local rate = 44100
local list = strings.energies(rate, 0.06)
local newton, psi, modal, modal_newton = table.unpack(list)
local pushed = math.ceil(1e-3 * rate) + 1 -- the force has vanished
local H = newton.energy.total[#newton.energy.total]

local drift, totals = 0, {}
for i = 1, 3 do
  local total = list[i].energy.total
  totals[i] = 1e3 * total[#total]
  drift = math.max(drift, (total:sub(pushed, #total) - total[#total]):absmax() / total[#total])
end
claim { "total energy is conserved after the forcing vanishes: largest relative variation, three schemes",
        published = "conserved", measured = drift, digits = 2, holds = drift < 1e-12 }
claim { "the three schemes have the same total energy overall", published = "the same", measured = totals, unit = "mJ",
        digits = 4, holds = math.abs(totals[2] / totals[1] - 1) < 1e-12 and math.abs(totals[3] / totals[1] - 1) < 0.01 }

-- Bound (45) says: kinetic energy <= H.
local most = {}
for i = 1, 3 do most[i] = list[i].energy.kinetic:max() / list[i].energy.total[#list[i].energy.total] end
claim { "bounds (45) are verified: largest kinetic energy over H", published = "at most 1", measured = most,
        holds = math.max(table.unpack(most)) <= 1 }

local tops = { newton.energy.contact:max() / H, (psi.energy.contact:max()) / H, (modal.energy.contact:max()) / (totals[3] / 1e3) }
local kept = { psi.links[1].trapped_max / H, modal.links[1].trapped_max / (totals[3] / 1e3) }
claim { "excess kinetic energy becomes extra collision energy: share of H kept in the open contact, non-iterative, modal",
        published = "some", measured = kept, digits = 2, holds = kept[1] > 1e-4 and kept[2] > 1e-4 }
claim { "largest share of H in the contact: iterative, non-iterative, modal", published = false, measured = tops, digits = 3,
        holds = math.abs(tops[2] / tops[1] - 1) < 0.1 }

-- Non-iterative against iterative on one and the same string: relative difference of kinetic and collision energy, share of H
-- kept in the open contact.
local function deterioration(o)
  local runs = {}
  for i, scheme in ipairs { "newton", "quadratised" } do
    o.scheme = scheme
    runs[i] = run(strings.scene(o), { duration = o.duration or 0.06, energy = true })
  end
  local kinetic, _, collision = strings.energies_apart(runs[2], runs[1])
  return kinetic, collision, runs[2].links.contact.trapped_max / runs[2].energy.total[#runs[2].t]
end

-- Everything left unsaid, with the density printed and with that of steel: the two non-iterative schemes, each against the
-- iterative one on the same string.
local variants = { { "0.1 L", place = 0.1 }, { "0.3 L", place = 0.3 }, { "0.45 L", place = 0.45 }, { "0.8 L", place = 0.8 },
                   { "within 30 ms", duration = 0.03 }, { "within 100 ms", duration = 0.1 }, { "pushed towards the barrier", peak = -10 } }
local better, worse, count, found = 0, {}, 0, { [0.063] = {}, [0.0063] = {} }
for _, density in ipairs { 0.063, 0.0063 } do
  for i, variant in ipairs(variants) do
    local cell = {}
    for _, model in ipairs { "fd", "modal" } do
      local o = { density = density, model = model, place = variant.place, duration = variant.duration, peak = variant.peak }
      cell[model] = { deterioration(o) } -- kinetic, collision, kept
    end
    found[density][i], count = cell, count + 1
    if cell.modal[1] < 0.98 * cell.fd[1] then better = better + 1
    else worse[#worse + 1] = ("%s with %g kg/m (%.3g and %.3g)"):format(variant[1], density, cell.fd[1], cell.modal[1]) end
  end
end
local steel_fd, steel_modal = found[0.0063][2].fd, found[0.0063][2].modal

-- Deterioration. On one and the same string the collision is all that differs.
local k1, p1, c1 = strings.energies_apart(psi, newton)
local k2, p2, c2 = strings.energies_apart(modal, modal_newton)
local kinetic, dispersion = strings.energies_apart(modal, newton), (strings.energies_apart(modal_newton, newton))
claim { "kinetic and potential energy deteriorate with the non-iterative finite difference scheme: relative difference of the " ..
        "kinetic energy to the iterative scheme within 60 ms, with 0.063 and with 0.0063 kg/m",
        published = "evident", measured = { k1, steel_fd[1] }, digits = 2, holds = k1 < 0.02 and steel_fd[1] > 0.05,
        expect = "reproduced with correction",
        why = string.format("seen with 0.0063 kg/m, hardly with what is printed: 0.063 kg/m with r = 0.5 mm is %.0f kg/m^3; a tenth " ..
          "is steel, which E is of", 0.063 / (math.pi * 5e-4 ^ 2)) }
claim { "the modal scheme is better behaved, seen as in the figure: relative difference of the kinetic energy to the iterative " ..
        "finite difference scheme within 60 ms, non-iterative and modal",
        published = "modal somewhat better", measured = { k1, kinetic }, digits = 2, holds = k1 > kinetic,
        expect = "does not reproduce",
        why = string.format("the modal string is further off, by dispersion: %.2f with the iterative scheme on both strings", dispersion) }
claim { "the modal scheme is better behaved, each against the iterative scheme on the same string, kinetic energy: cases in which it " ..
        "is so, by 2 % or more, of all tried (place of the force, length of the run, direction of the push, density)",
        published = "modal somewhat better", measured = string.format("%d of %d", better, count),
        holds = k2 < k1 and steel_modal[1] < steel_fd[1] and better > count / 2 and better < count,
        expect = "reproduced with correction",
        why = string.format("so with the choices taken here, but it hangs on what is left unsaid. Not so: %s", table.concat(worse, ", ")) }
claim { "relative difference of kinetic and potential energy within 60 ms, each against the iterative scheme on the same string: " ..
        "non-iterative, modal", published = false, measured = { k1, p1, k2, p2 }, digits = 2, holds = k1 > 1e-3 and k1 < 0.05 }
claim { "relative difference of the collision energy: non-iterative, modal, each against the iterative scheme on the same string",
        published = false, measured = { c1, c2 }, digits = 2, holds = c2 < c1 }
claim { "with 0.0063 kg/m: kinetic energy, non-iterative and modal, each against the iterative scheme on the same string",
        published = false, measured = { steel_fd[1], steel_modal[1] }, digits = 2, holds = steel_modal[1] < steel_fd[1] }
claim { "with 0.0063 kg/m: collision energy, non-iterative and modal, each against the iterative scheme on the same string",
        published = false, measured = { steel_fd[2], steel_modal[2] }, digits = 2,
        holds = steel_fd[2] > 0.5 and steel_modal[2] < steel_fd[2] }
claim { "with 0.0063 kg/m: share of H kept in the open contact, non-iterative and modal", published = false,
        measured = { steel_fd[3], steel_modal[3] }, digits = 2, holds = steel_fd[3] > 0.01 }
local hard, hard_c, hard_kept = deterioration { K = 5e8 }
claim { "with K = 5e8 and the density printed: kinetic and collision energy of the non-iterative scheme, share of H kept",
        published = false, measured = { hard, hard_c, hard_kept }, digits = 2, holds = hard > 0.08 }
local ledger = run("ducceschi2019/fig5", { scheme = "ledger", rate = rate, duration = 0.06, energy = true })
local lk, lp, lc = strings.energies_apart(ledger, newton)
claim { "ledger: kinetic, potential, collision energy against the iterative one",
        published = false, measured = { lk, lp, lc }, digits = 2, holds = lc < 1e-6 }

-- Kinetic energy of some variants, non-iterative and modal.
local function told(first, last)
  local list = {}
  for i = first, last do
    local printed, steel = found[0.063][i], found[0.0063][i]
    list[#list + 1] = string.format("%.4f and %.4f (%.3f and %.3f) %s", printed.fd[1], printed.modal[1], steel.fd[1], steel.modal[1],
                                    variants[i][1])
  end
  return table.concat(list, ", ")
end
choice { "where the force acts", taken = "0.3 L", why = "not printed",
         otherwise = "kinetic energy, non-iterative and modal, each against iterative, in brackets with 0.0063 kg/m: " .. told(1, 4) }
choice { "length of the run", taken = "60 ms", why = "in the picture only",
         otherwise = string.format("the same: %s; collision energy, non-iterative against iterative within 30, 60, 100 ms: %.3f, " ..
           "%.3f, %.3f",
           told(5, 6), found[0.063][5].fd[2], c1, found[0.063][6].fd[2]) }
choice { "direction of the push", taken = "away from the barrier", why = "not printed", otherwise = "the same: " .. told(7, 7) }

if pictures then
  strings.energy_figure("fig5", list, "Energies of the string of Fig. 4, fs = 44.1 kHz: (a) kinetic, (b) potential, (c) " ..
    "collision, (d) total.", 1, 0.065)
  local steel = {}
  for i, s in ipairs(strings.schemes) do
    steel[i] = run(strings.scene { density = 0.0063, model = s.model, scheme = s.scheme }, { duration = 0.06, energy = true })
  end
  strings.energy_figure("fig5_steel", steel, "The same with 0.0063 kg/m, which the radius and steel ask for: the " ..
    "non-iterative schemes keep collision energy.", 1, 0.065, 40)
end
