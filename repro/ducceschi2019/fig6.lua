about { place = "Fig. 6", title = "Energies of the string against a point barrier, 5 times 44.1 kHz" }

local strings = use "lib/ducceschi2019_string"
local base, duration = 44100, 0.06
local once, five = strings.energies(base, duration), strings.energies(5 * base, duration)

local drift, totals = 0, {}
for i = 1, 3 do
  local total = five[i].energy.total
  totals[i] = 1e3 * total[#total]
  drift = math.max(drift, (total:sub(1200, #total) - total[#total]):absmax() / total[#total]) -- from 5.4 ms: long after the force
end
claim { "total energy is conserved after the forcing vanishes: largest relative variation, three schemes",
        published = "conserved", measured = drift, digits = 2, holds = drift < 1e-12 }
claim { "the three schemes have the same total energy", published = "the same", measured = totals, unit = "mJ", digits = 4,
        holds = math.abs(totals[2] / totals[1] - 1) < 1e-12 and math.abs(totals[3] / totals[1] - 1) < 2e-3 }

local names = { [2] = "non-iterative", [3] = "modal" }
for i = 2, 3 do
  local k1, p1, c1 = strings.energies_apart(once[i], once[1])
  local k5, p5, c5 = strings.energies_apart(five[i], five[1])
  claim { "components much more consistent: kinetic, potential, collision energy of the " .. names[i] ..
          " scheme against the iterative one", published = "much closer than in Fig. 5",
          measured = { k5, p5, c5 }, digits = 2, holds = k5 < k1 / 2.5 and p5 < p1 / 2.5 and c5 < c1 / 1.5 }
  claim { "kinetic, potential, collision energy of the " .. names[i] .. " scheme against the iterative one at 44.1 kHz",
          published = false, measured = { k1, p1, c1 }, digits = 2, holds = k1 > k5 and p1 > p5 and c1 > c5 }
end
local H, modal_H = totals[1] / 1e3, totals[3] / 1e3
local kept = { five[2].links[1].trapped_max / H, five[3].links[1].trapped_max / modal_H }
claim { "share of H kept in the open contact, non-iterative, modal", published = false, measured = kept, digits = 2,
        holds = kept[1] < once[2].links[1].trapped_max / H and kept[2] < once[3].links[1].trapped_max / modal_H }
local tops = {}
for i = 1, 3 do tops[i] = five[i].energy.contact:max() / (totals[i] / 1e3) end
claim { "largest share of H in the contact: iterative, non-iterative, modal", published = "consistent", measured = tops,
        digits = 3, holds = math.abs(tops[2] / tops[1] - 1) < 0.05 and math.abs(tops[3] / tops[1] - 1) < 0.1 }

if pictures then
  strings.energy_figure("fig6", five, "As Fig. 5 at fs = 220.5 kHz: (a) kinetic, (b) potential, (c) collision, (d) total.", 5, 0.065)
end
