about { place = "Sec. 3.4", title = "Newton's method: iterations, uniqueness, and the closed form for alpha = 1" }

local S = use "lib/bilbao2014_string"
local thin, k = S.steel(1e-4), 1 / 44100
local N = math.floor(thin.L / S.h_min(thin, k, 0))
local m = k ^ 2 / thin.rho

-- Plain Newton from the free motion (lib/bilbao2014_string), default scheme: eq. 26, point by point. Mean and most over the
-- points in contact.
local function plain(K, alpha)
  local sum, count, most = 0, 0, 0
  S.run { string = thin, k = k, N = N, steps = 400, shape = function(x) return 4e-3 * math.min(x / 0.2, (0.8 - x) / 0.6) end,
          barrier = function(x) return -5e-4 - 1e-3 * (2 * x / 0.8 - 1) ^ 2 end,
          contact = function(a, g)
            local r, i = S.newton(a, g, m, K, alpha)
            if i > 0 then sum, count, most = sum + i, count + 1, math.max(most, i) end
            return r
          end }
  return sum / count, most
end
-- The program's: all points together, gamma_*, from a starting value that knows the contact.
local function ours(K, alpha)
  local r = run("bilbao2014/parabola", { set = { K = K, alpha = alpha }, duration = 0.02 })
  return r.links.touch.iterations_mean, r.links.touch.iterations_max
end

local stiff = { 1e5, 1e7, 1e9, 1e11, 1e13, 1e15 }
local lists = { plain23 = {}, plain14 = {}, ours23 = {}, ours14 = {} }
local rises = true
for i, K in ipairs(stiff) do
  lists.plain23[i], lists.ours23[i] = plain(K, 2.3), ours(K, 2.3)
  lists.plain14[i], lists.ours14[i] = plain(K, 1.4), ours(K, 1.4)
  rises = rises and (i == 1 or lists.plain23[i] > lists.plain23[i - 1])
end
claim { "the larger K, the more iterations: mean of plain Newton from the free motion, alpha = 2.3, K = 1e5, 1e7, ... 1e15",
        published = "rises with K", measured = lists.plain23, digits = 2, holds = rises }
claim { "the same for alpha = 1.4", published = "rises with K", measured = lists.plain14, digits = 2,
        holds = lists.plain14[6] > 2 * lists.plain14[1] }
claim { "newton of this program, with a starting value that knows the contact, alpha = 2.3", published = false,
        measured = lists.ours23, digits = 2, holds = lists.ours23[6] < lists.plain23[6] }
claim { "the same for alpha = 1.4", published = false, measured = lists.ours14, digits = 2,
        holds = lists.ours14[6] < lists.plain14[6] }

-- Existence and uniqueness: from wherever Newton starts, it ends at the same root, and the residual rises everywhere (slope at least 1).
local apart, least = 0, math.huge
for i = -6, 6 do
  for j = -6, 6 do
    local a, g = (i + 0.4) * 1e-5, (j + 0.3) * 1e-5
    local root = S.newton(a, g, m, 1e13, 2.3)
    for _, start in ipairs { -1e-3, -1e-5, 1e-6, 1e-4, 1e-3 } do
      apart = math.max(apart, math.abs(S.newton(a, g, m, 1e13, 2.3, start) - root) / math.max(math.abs(a), math.abs(root)))
      local _, slope = S.residual(start, a, g, m, 1e13, 2.3)
      least = math.min(least, slope)
    end
  end
end
claim { "one solution, wherever Newton starts: largest relative spread of the roots of 169 cases from 5 starts each",
        published = "unique", measured = apart, digits = 1, holds = apart < 1e-10 }
claim { "smallest slope of the residual of eq. 26 met", published = false, measured = least, digits = 6, holds = least >= 1 - 1e-9,
        why = "it rises everywhere, so it has one root" }

-- Closed form: the exact scheme on an explicit string is the newton scheme.
local scene = [[
local L = 0.8
local s = string { length = L, tension = 38.5, material_density = 7850, radius = 1e-4, youngs = 2e11, model = "fd", tuned = false }
local b = barrier { height = function(x) return -5e-4 - 1e-3 * (2 * x / L - 1) ^ 2 end }
contact { name = "touch", above = s, below = b, K = 1e8, alpha = 1 }
pluck { on = s, shape = "triangle", at = L / 4, height = 4e-3 }
probe { on = s, at = 0.9 * L, name = "u" }
render { rate = 44100, duration = 0.1 }
]]
local closed, iterated = run(scene, { scheme = "exact" }), run(scene, { scheme = "newton" })
local n = 882
local gone = (closed.probes.u:sub(1, n) - iterated.probes.u:sub(1, n)):rms() / closed.probes.u:sub(1, n):rms()
claim { "alpha = 1: each scalar equation is solved exactly; closed form against Newton, output of 20 ms, relative",
        published = "exact", measured = gone, digits = 1, holds = gone < 1e-8 }
claim { "energy deviation in 100 ms: closed form, Newton", published = false, measured = { closed.balance, iterated.balance },
        digits = 1, holds = closed.balance < 1e-12 }
local saved = { plain(1e8, 1) }
claim { "iterations that it saves, K = 1e8: mean and largest of plain Newton, mean of newton of this program", published = false,
        measured = { saved[1], saved[2], iterated.links.touch.iterations_mean }, digits = 2, holds = saved[1] > 2,
        why = "the starting value of this program is the root for most of its cases" }

if pictures then
  figure { caption = "Newton iterations a sample in contact against the stiffness of the barrier: plain Newton from the free " ..
                     "motion, point by point, and newton of this program.",
           height = 60,
           panels = { { x = { label = "K", unit = "N/mᵅ⁺¹", log = true }, y = { label = "mean iterations", from = 0 },
                        lines = { { x = vec(stiff), y = vec(lists.plain14), name = "plain, α = 1.4", colour = "black",
                                    style = "linespoints", point = "circle" },
                                  { x = vec(stiff), y = vec(lists.plain23), name = "plain, α = 2.3", colour = "black",
                                    style = "linespoints", point = "disc" },
                                  { x = vec(stiff), y = vec(lists.ours14), name = "newton, α = 1.4", scheme = "newton",
                                    style = "linespoints", point = "circle" },
                                  { x = vec(stiff), y = vec(lists.ours23), name = "newton, α = 2.3", scheme = "newton",
                                    style = "linespoints", point = "disc" } },
                        legend = "top left" } } }
end
