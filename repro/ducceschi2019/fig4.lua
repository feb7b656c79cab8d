about { place = "Fig. 4", title = "Snapshots of a string against a point barrier, 44.1 kHz" }

-- K = 5e6, alpha = 1.4, barrier 0.1 mm from the string at 0.5 m, L = 1 m, rho = 0.063 kg/m, r = 0.5 mm, T0 = 500 N, E = 2e11 Pa,
-- F0 = 10 N, t_wid = 1 ms: caption; the scene has the three schemes side by side.
local strings = use "lib/ducceschi2019_string"
local times = { 8e-3, 14e-3, 15e-3, 17e-3, 19e-3, 25e-3 } -- contact from 13.6 to 19.9 ms
local names = { "iterative", "non-iterative", "modal" }
local r = run("ducceschi2019/fig4", { duration = 0.03, shapes = times })

local function shape_apart(a, b)
  local sum, size = 0, 0
  for i = 1, #b.x do
    sum, size = sum + (strings.at(a, b.x[i]) - b.u[i]) ^ 2, size + b.u[i] ^ 2
  end
  return math.sqrt(sum / size)
end
local apart = { {}, {} }
for i, shot in ipairs(r.shapes) do
  for j = 2, 3 do apart[j - 1][i] = shape_apart(shot.bodies[names[j]], shot.bodies.iterative) end
end
claim { "the three schemes yield consistent solutions: shape of the non-iterative scheme against the iterative one at 8, 14, " ..
        "15, 17, 19, 25 ms", published = "consistent, some differences", measured = apart[1], digits = 2,
        holds = math.max(table.unpack(apart[1])) < 0.05 }
claim { "the three schemes yield consistent solutions: shape of the modal scheme against the iterative one at the same times",
        published = "consistent, some differences", measured = apart[2], digits = 2,
        holds = math.max(table.unpack(apart[2])) < 0.15 and apart[2][1] > 0.005 }

-- The modal string with the iterative scheme: the same collision, the other string.
local other = run(strings.scene { model = "modal" }, { shapes = times })
local dispersion = {}
for i, shot in ipairs(r.shapes) do dispersion[i] = shape_apart(other.shapes[i].bodies[1], shot.bodies.iterative) end
claim { "shape of the modal string with the iterative scheme against finite differences at the times of the snapshots: " ..
        "dispersion makes nearly all of the difference", published = false, measured = dispersion,
        digits = 2, holds = math.abs(dispersion[6] / apart[2][6] - 1) < 0.1 }

local links = { r.links["iterative contact"], r.links["non-iterative contact"], r.links["modal contact"] }
claim { "largest penetration, iterative, non-iterative, modal", published = false,
        measured = { 1e6 * links[1].max_penetration, 1e6 * links[2].max_penetration, 1e6 * links[3].max_penetration },
        unit = "um", holds = math.abs(links[1].max_penetration - 6.42e-5) < 1e-7 }
claim { "least force, iterative, non-iterative, modal: negative is a pull", published = false,
        measured = { links[1].min_force, links[2].min_force, links[3].min_force }, unit = "N", digits = 2,
        holds = links[1].min_force == 0 and links[2].min_force < 0 }

-- ---------------------------------------------------------------------------- what the caption leaves open
local function psi_against_newton(o)
  o.scheme = "newton"
  local a = run(strings.scene(o), { rate = o.rate })
  o.scheme = "quadratised"
  local b = run(strings.scene(o), { rate = o.rate })
  return strings.apart(b.probes.u, a.probes.u), a.links.contact.max_penetration, a
end
local here = psi_against_newton {}
choice { "where the force acts", taken = "0.3 L", why = "not printed",
         otherwise = string.format("relative difference of the outputs of the two finite difference schemes within 30 ms: " ..
           "%.4f at 0.3 L; %.4f at 0.1 L, %.4f at 0.45 L, %.4f at 0.8 L",
           here, (psi_against_newton { place = 0.1 }), (psi_against_newton { place = 0.45 }), (psi_against_newton { place = 0.8 })) }
local down, deep = psi_against_newton { peak = -10 }
choice { "side of the barrier", taken = "below the string (b = -1e-4 m, eta = b - u), push away from it",
         why = "b = +1e-4 with eta = b - u starts inside the barrier; Eqs. 50 and 53 fit eta = u - b, a barrier above, as well",
         otherwise = string.format("a push towards the barrier (the mirror image of a barrier above): penetration %.3g m " ..
           "instead of %.3g m, outputs of the two finite difference schemes %.4f apart instead of %.4f",
           deep, links[1].max_penetration, down, here) }
local N = r.bodies.iterative.segments
local fine = inspect("ducceschi2019/fig4", { rate = 220500 }).bodies.iterative.segments
local _, soft = psi_against_newton { K = 5e6 / N }
local _, softer = psi_against_newton { K = 5e6 / fine, rate = 220500 }
local _, same = psi_against_newton { rate = 220500 }
choice { "weight of the contact", taken = "point: K in N/m^alpha",
         why = "the paper calls phi a density per length, which on a grid makes the point barrier a spring of stiffness h K",
         otherwise = string.format("as a density the penetration goes from %.3g to %.3g m between 44.1 and 220.5 kHz, away " ..
           "from any limit; as a point from %.3g to %.3g m",
           soft, softer, links[1].max_penetration, same) }
local steel, _, light = psi_against_newton { density = 0.0063 }
choice { "density of the string", taken = "0.063 kg/m as printed",
         why = string.format("with r = 0.5 mm that is %.0f kg/m^3, ten times steel, though E is that of steel: 0.0063 may be " ..
           "meant", 0.063 / (math.pi * 5e-4 ^ 2)),
         otherwise = string.format("with 0.0063 kg/m the barrier is harder in comparison: outputs of the two finite " ..
           "difference schemes %.3f apart instead of %.4f, penetration %.3g m (see Fig. 5)",
           steel, here, light.links.contact.max_penetration) }
choice { "times of the snapshots", taken = "8, 14, 15, 17, 19, 25 ms",
         why = "in the picture only; before, during and after the first contact",
         otherwise = string.format("largest difference of the outputs at any time within 30 ms, relative to the largest " ..
           "output: non-iterative %.3f, modal %.3f",
           (r.probes[2] - r.probes[1]):absmax() / r.probes[1]:absmax(), (r.probes[3] - r.probes[1]):absmax() / r.probes[1]:absmax()) }

if pictures then
  strings.snapshots("fig4", "String against a point barrier, fs = 44.1 kHz: iterative, non-iterative and modal non-iterative schemes.",
    times, function(i, j) return r.shapes[i].bodies[names[j]] end,
    { x = vec { 0.49, 0.51 }, y = vec { -1e-4, -1e-4 }, scheme = "barrier" }, 40e-6)
end
