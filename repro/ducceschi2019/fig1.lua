about { place = "Fig. 1", title = "Sprung mass against a soft barrier, 44.1 kHz" }

-- M = 10 g, u0 = -0.5 m, v0 = 1 m/s, b = 0.2 m, f0 = 10 Hz, alpha = 1.1, K = 5e4: caption.
local mass = use "lib/ducceschi2019_mass"
local K, rate = 5e4, 44100
local newton, psi = mass.run(K, rate, "newton"), mass.run(K, rate, "quadratised")
local amplitude = newton.probes.u:absmax()

local function apart(duration)
  local a = mass.run(K, rate, "newton", { duration = duration, energy = false })
  local b = mass.run(K, rate, "quadratised", { duration = duration, energy = false })
  return (a.probes.u - b.probes.u):absmax() / amplitude
end
local second, three, ten = (newton.probes.u - psi.probes.u):absmax() / amplitude, apart(3), apart(10)
claim { "the two schemes yield a converged solution for a long period: largest difference of u within 1 s, relative to its " ..
        "amplitude", published = "none to be seen", measured = second, holds = second < 0.01 }
claim { "largest difference of u between the two schemes within 3 and 10 s, relative to its amplitude: what psi keeps of each " ..
        "collision adds up", published = false, measured = { three, ten }, digits = 2, holds = three < 0.1 and ten > 0.5 }

-- Height and time of the last top of the potential within 1 s.
local function last_top(r)
  local n = #r.t
  local top, at = r.energy.contact:sub(n - n // 16, n):max() -- one collision in 1/16 s
  return top, r.energy.t[n - n // 16 - 1 + at]
end
local top, at = last_top(newton)
local psi_top, psi_at = last_top(psi)
claim { "the potential is the same: top of the last collision within 1 s, iterative and non-iterative",
        published = "no difference to be seen", measured = { top, psi_top }, unit = "J", digits = 5,
        holds = math.abs(psi_top / top - 1) < 2e-3 }
claim { "the potential is the same: time between the tops of the two schemes", published = "no difference to be seen",
        measured = 1e3 * (psi_at - at), unit = "ms", digits = 2, holds = math.abs(psi_at - at) < 1e-4 }

local pointwise = (newton.energy.contact - psi.energy.contact):absmax() / newton.energy.contact:max()
claim { "largest difference of the potential at one and the same time within 1 s, relative to its top: the shift in time on a " ..
        "steep slope", published = false, measured = pointwise, digits = 2, holds = pointwise > 0.05 and pointwise < 0.12 }

local drift = math.max(mass.variation(newton):absmax(), mass.variation(psi):absmax())
claim { "variation of the total energy within 1 s, both schemes", published = "rounding", measured = drift, digits = 2,
        holds = drift < 1e-11 }

local exits, least = mass.exits(psi), 0
for _, e in ipairs(exits) do if math.abs(e) > math.abs(least) then least = e end end
claim { "speed after the first collision, non-iterative, relative to the right one, minus 1", published = false,
        measured = exits[1], holds = math.abs(exits[1] + 5e-5) < 0.6e-5 }
claim { string.format("speed after a collision, non-iterative, worst of the %d within 1 s, relative to the right one, minus 1",
        #exits), published = false, measured = least, holds = math.abs(least) < 1e-2 }
local link = psi.links.contact
claim { "psi may go negative: least force of the non-iterative scheme, which then pulls (largest force beside it)",
        published = false, measured = { link.min_force, link.max_force }, unit = "N", holds = link.min_force < 0 }

claim { "iterations that the iterative scheme needs: mean, largest (the paper makes 20)", published = false,
        measured = { newton.links.contact.iterations_mean, newton.links.contact.iterations_max },
        holds = newton.links.contact.iterations_max < 20 }

local exact = mass.run(K, rate, "exact")
local off = {}
for i, r in ipairs { newton, psi, mass.run(K, rate, "ledger") } do off[i] = (r.probes.u - exact.probes.u):absmax() / amplitude end
claim { "largest departure from the exact motion within 1 s, relative: iterative, non-iterative, ledger", published = false,
        measured = off, digits = 2, holds = off[1] < 0.01 and off[2] < 0.01 and math.abs(off[3] - off[1]) < 1e-6 }

choice { "times shown in the left and right panels", taken = "0 to 0.2 s and 0.8 to 1 s",
         why = "\"at times indicated\" in a picture only",
         otherwise = string.format("relative difference of the two schemes within 0.2, 1 and 10 s: %.1e, %.1e, %.1e",
           apart(0.2), second, ten) }

if pictures then
  mass.figure({ newton = newton, quadratised = psi }, "Sprung mass against a barrier with K = 5e4, fs = 44.1 kHz.",
    { { 0, 0.2 }, { 0.8, 1 } }, 2, 3e-14, { { unit = "mm", factor = 1e3, to = 2 }, { unit = "mm", factor = 1e3, to = 2 } })
end
