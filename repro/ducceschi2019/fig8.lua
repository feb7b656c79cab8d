about { place = "Fig. 8", title = "Snapshots of a string over a bent barrier, 5 times 44.1 kHz" }

-- K = 5e6, alpha = 1.4, b = -1e-4 - 1e-4 x - 1e-3 x^2, the string and the force of Fig. 4: caption.
local strings = use "lib/ducceschi2019_string"
local bent = "-1e-4 - 1e-4 * x - 1e-3 * x ^ 2"
local rate, duration = 5 * 44100, 0.04
local times = { 5e-3, 12.5e-3, 13.5e-3, 22e-3, 33e-3, 39e-3 } -- contacts around 13 and 33 ms
local r = run("ducceschi2019/fig8", { duration = duration, shapes = times })
local names = { "iterative", "non-iterative", "modal" }

local apart = { {}, {} }
for i, shot in ipairs(r.shapes) do
  for j = 2, 3 do apart[j - 1][i] = strings.apart(shot.bodies[names[j]].u, shot.bodies.iterative.u) end
end
local ends = { apart[1][6], apart[2][6] }
claim { "consistent solutions after multiple collisions: shape at 39 ms, non-iterative and modal against iterative",
        published = "consistent", measured = ends, digits = 2, holds = ends[1] < 0.01 and ends[2] < 0.1 }
local outputs = { strings.apart(r.probes[2], r.probes[1]), strings.apart(r.probes[3], r.probes[1]) }
claim { "output at 0.9 L, non-iterative and modal against iterative", published = false, measured = outputs, digits = 2,
        holds = outputs[1] < 0.01 and outputs[2] < 0.1 }
claim { "energy balance of the three strings together: largest residual over the largest energy", published = "conserved",
        measured = r.balance, digits = 2, holds = r.balance < 1e-12 }
claim { "segments of the grid (Eq. 44), modes (Eq. 61), points that touch at once", published = false,
        measured = { r.bodies.iterative.segments, r.bodies.modal.modes, r.links[1].points_max },
        holds = r.bodies.iterative.segments == 522 and r.bodies.modal.modes == 332 }

-- ---------------------------------------------------------------------------- how rigid is it?
local depth, N = {}, r.bodies.iterative.segments
for i = 1, 3 do depth[i] = 1e6 * r.links[i].max_penetration end
claim { "the obstacle is fairly rigid: penetration, K per length as Eqs. 29 to 33 have it", published = "fairly rigid",
        measured = depth, unit = "um", holds = depth[1] < 50, expect = "does not reproduce",
        why = "as a density K = 5e6 is soft: the string sinks deeper than its distance at rest (100 um at x = 0)" }
local function points(o, over, more)
  o.height, o.place, o.K = bent, 0.8, 5e6 * (over == 5 and N or 223)
  return run(strings.scene(o), { rate = 44100 * over, duration = duration, shapes = more })
end
local hard, soft = points({}, 5, times), points({ scheme = "quadratised" }, 5, times)
claim { "the obstacle is fairly rigid: penetration, K per point of the grid, iterative and non-iterative",
        published = "fairly rigid",
        measured = { 1e6 * hard.links.contact.max_penetration, 1e6 * soft.links.contact.max_penetration }, unit = "um",
        holds = hard.links.contact.max_penetration < 50e-6, expect = "reproduced with correction",
        why = "K taken in N/m^alpha at each point, as in Fig. 4" }
claim { "consistent solutions with K per point of the grid: output of the non-iterative scheme against iterative",
        published = "consistent", measured = strings.apart(soft.probes.u, hard.probes.u), digits = 2,
        holds = strings.apart(soft.probes.u, hard.probes.u) < 0.05 }

local coarse = points({}, 1)
local thin = run(strings.scene { height = bent, place = 0.8 }, { rate = 44100, duration = duration })
choice { "weight of the contact", taken = "density: K in N/m^(alpha+1), each point with weight h",
         why = "Eqs. 29 to 33; the second picture takes K per point",
         otherwise = string.format("penetration at 44.1 and 220.5 kHz: %.3g and %.3g m as a density, %.3g and %.3g m per " ..
           "point, which grows harder with the grid",
           thin.links.contact.max_penetration, r.links[1].max_penetration,
           coarse.links.contact.max_penetration, hard.links.contact.max_penetration) }
local elsewhere = {}
for i, scheme in ipairs { "newton", "quadratised" } do
  elsewhere[i] = run(strings.scene { height = bent, place = 0.3, scheme = scheme }, { rate = rate, duration = duration })
end
choice { "where the force acts", taken = "0.8 L", why = "not printed", otherwise = string.format(
         "at 0.3 L: output of the non-iterative scheme %.1e from the iterative one instead of %.1e, penetration %.3g m " ..
           "instead of %.3g m",
           strings.apart(elsewhere[2].probes.u, elsewhere[1].probes.u), outputs[1], elsewhere[1].links.contact.max_penetration,
           r.links[1].max_penetration) }
choice { "times of the snapshots", taken = "5, 12.5, 13.5, 22, 33, 39 ms",
         why = "in the picture only; before, during and after the first two collisions",
         otherwise = string.format("shape of the modal scheme against the iterative one at these times: %.4f, %.4f, %.4f, " ..
           "%.4f, %.4f, %.4f", table.unpack(apart[2])) }

-- ---------------------------------------------------------------------------- pictures
if pictures then
  local x = range(0, 1, 101)
  local below = { x = x, y = x:map(function(at) return -1e-4 - 1e-4 * at - 1e-3 * at ^ 2 end), scheme = "barrier" }
  strings.snapshots("fig8", "String over a bent barrier, fs = 220.5 kHz, K per length: the three schemes.", times,
    function(i, j) return r.shapes[i].bodies[names[j]] end, below, 15e-6)
  local modal = points({ scheme = "quadratised", model = "modal" }, 5, times)
  local runs = { hard, soft, modal }
  strings.snapshots("fig8_points", "The same with K per point of the grid: a fairly rigid barrier.", times,
    function(i, j) return runs[j].shapes[i].bodies[1] end, below, 40e-6)
end
