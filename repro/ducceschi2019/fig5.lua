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

-- Which of the two schemes is the better behaved hangs on where the force acts.
local places, better, light_better = {}, 0, 0
for i, place in ipairs { 0.1, 0.3, 0.45, 0.8 } do
  local fd, by_modes = deterioration { place = place }, (deterioration { place = place, model = "modal" })
  local light_fd = deterioration { place = place, density = 0.0063 }
  local light_modes = deterioration { place = place, density = 0.0063, model = "modal" }
  better, light_better = better + (by_modes < fd and 1 or 0), light_better + (light_modes < light_fd and 1 or 0)
  places[i] = string.format("%.4f and %.4f (%.2f and %.2f) at %.2f L", fd, by_modes, light_fd, light_modes, place)
end

-- Deterioration. On one and the same string the collision is all that differs.
local k1, p1, c1 = strings.energies_apart(psi, newton)
local k2, p2, c2 = strings.energies_apart(modal, modal_newton)
local kinetic, dispersion = strings.energies_apart(modal, newton), (strings.energies_apart(modal_newton, newton))
claim { "kinetic and potential energy deteriorate, particularly with the non-iterative finite difference scheme: relative " ..
        "difference of the kinetic energy to the iterative scheme within 60 ms, non-iterative and modal",
        published = "non-iterative visibly off, modal better", measured = { k1, kinetic }, digits = 2, holds = k1 > kinetic,
        expect = "does not reproduce",
        why = string.format("the modal string is further off, by dispersion: %.2f with the iterative scheme on both strings. " ..
          "With 0.0063 kg/m the deterioration is seen (below)", dispersion) }
claim { "relative difference of kinetic and potential energy within 60 ms, non-iterative against iterative", published = false,
        measured = { k1, p1 }, digits = 2, holds = k1 > 1e-3 and k1 < 0.05 }
claim { "the modal scheme is better behaved: relative difference of kinetic and potential energy to the modal string with the " ..
        "iterative scheme", published = "somewhat better", measured = { k2, p2 }, digits = 2, holds = k2 < k1 and p2 < p1,
        why = string.format("with the force at 0.3 L; so in %d of 4 places tried", better) }
claim { "relative difference of the collision energy: non-iterative, modal, each against the iterative scheme on the same string",
        published = false, measured = { c1, c2 }, digits = 2, holds = c2 < c1 }

local light, light_c, light_kept = deterioration { density = 0.0063 }
local light_modal, light_modal_c, light_modal_kept = deterioration { density = 0.0063, model = "modal" }
claim { "with 0.0063 kg/m the deterioration is seen: kinetic energy of the non-iterative and of the modal scheme, each " ..
        "against the iterative one on the same string",
        published = "non-iterative visibly off, modal better", measured = { light, light_modal }, digits = 2,
        holds = light > 0.05 and light_modal < light,
        expect = "reproduced with correction", why = string.format("0.063 kg/m with r = 0.5 mm is %.0f kg/m^3; a tenth is " ..
          "steel, which E is of. That the modal scheme is better hangs on the rest: so in %d of 4 places of the force, not within " ..
          "100 ms and not with a push towards the barrier (left unsaid)", 0.063 / (math.pi * 5e-4 ^ 2), light_better) }
claim { "with 0.0063 kg/m: collision energy, non-iterative and modal, each against the iterative scheme on the same string",
        published = false, measured = { light_c, light_modal_c }, digits = 2, holds = light_c > 0.5 and light_modal_c < light_c }
claim { "with 0.0063 kg/m: share of H kept in the open contact, non-iterative and modal", published = false,
        measured = { light_kept, light_modal_kept }, digits = 2, holds = light_kept > 0.01 }
local hard, hard_c, hard_kept = deterioration { K = 5e8 }
claim { "with K = 5e8 and the density printed: kinetic and collision energy of the non-iterative scheme, share of H kept",
        published = false, measured = { hard, hard_c, hard_kept }, digits = 2, holds = hard > 0.08 }
local ledger = run("ducceschi2019/fig5", { scheme = "ledger", rate = rate, duration = 0.06, energy = true })
local lk, lp, lc = strings.energies_apart(ledger, newton)
claim { "ledger, as explicit as the non-iterative scheme: kinetic, potential, collision energy against the iterative one",
        published = false, measured = { lk, lp, lc }, digits = 2, holds = lc < 1e-6 }

choice { "where the force acts", taken = "0.3 L", why = "not printed", otherwise = string.format(
         "kinetic energy, non-iterative and modal, each against iterative, in brackets with 0.0063 kg/m: %s",
           table.concat(places, ", ")) }
local short, short_c = deterioration { duration = 0.03 }
local long, long_c = deterioration { duration = 0.1 }
local lengths = {}
for i, duration in ipairs { 0.03, 0.06, 0.1 } do
  local fd = deterioration { density = 0.0063, duration = duration }
  local by_modes = deterioration { density = 0.0063, duration = duration, model = "modal" }
  lengths[i] = string.format("%.3f and %.3f within %.0f ms", fd, by_modes, 1e3 * duration)
end
choice { "length of the run", taken = "60 ms", why = "in the picture only", otherwise = string.format(
         "non-iterative against iterative within 30, 60, 100 ms: kinetic %.4f, %.4f, %.4f, collision energy %.3f, %.3f, %.3f. " ..
           "With 0.0063 kg/m, kinetic energy, non-iterative and modal: %s", short, k1, long, short_c, c1, long_c,
           table.concat(lengths, ", ")) }
local toward = deterioration { density = 0.0063, peak = -10 }
local toward_modal = deterioration { density = 0.0063, peak = -10, model = "modal" }
choice { "direction of the push", taken = "away from the barrier", why = "not printed", otherwise = string.format(
         "towards it, with 0.0063 kg/m: kinetic energy, non-iterative %.3f, modal %.3f", toward, toward_modal) }

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
