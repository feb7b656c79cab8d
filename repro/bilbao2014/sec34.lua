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

-- Existence and uniqueness of the vector equation (25), A positive definite: chance makes strings of 1 to 40 points, A of l_gamma
-- (-0.95 < gamma < 4) or of l_unc, alpha from 1 to 3, places a and g of length 1 at each point, and stiffness m K from 1e-2 to 1e8.
local V = use "lib/bilbao2014_vector"
local chance = V.chance(2014)
local function list(n, low, high)
  local x = {}
  for l = 1, n do x[l] = chance(low, high) end
  return x
end
local function equation(case)
  local n = 1 + math.floor(chance(0, 40))
  local e = { a = list(n, -1, 1), g = list(n, -1, 1), mK = 10 ^ chance(-2, 8), alpha = case % 5 == 0 and 1 or chance(1, 3) }
  if case % 2 == 0 then
    local gamma = chance(-0.95, 4)
    e.A, e.least = V.A_gamma(n, gamma), 1 + math.min(gamma, 0)
  else
    e.A, e.least = V.A_unc(n, 10 ^ chance(-2, 3), 10 ^ chance(-2, 3)), 1
  end
  return e, n
end
-- Of two points r, q: (F(r) - F(q)).(r - q)/|r - q|^2, at least the lowest eigenvalue of A when F is the slope of a convex function.
local function rise(e, r, q)
  local F, G, sum, size = V.residual(e, r), V.residual(e, q), 0, 0
  for l = 1, #r do sum, size = sum + (F[l] - G[l]) * (r[l] - q[l]), size + (r[l] - q[l]) ^ 2 end
  return sum / size
end
local cases, starts = 120, 5
local apart, least, unmet, lost, made = 0, math.huge, 0, 0, 0
for case = 1, cases do
  local e, n = equation(case)
  local first
  for i = 1, starts do
    local start = list(n, -10 ^ (i - 3), 10 ^ (i - 3)) -- 0.01 to 100 times the lengths of the case
    local root, count = V.newton(e, start, true)
    if not V.newton(e, start) then lost = lost + 1 end
    if root then
      made = made + count
      first = first or root
      local scale = 0
      for l = 1, n do scale = math.max(scale, math.abs(first[l]), math.abs(e.a[l])) end
      for l = 1, n do apart = math.max(apart, math.abs(root[l] - first[l]) / scale) end
    else
      unmet = unmet + 1
    end
    least = math.min(least, rise(e, start, list(n, -2, 2)) / e.least)
  end
end
claim { string.format("the vector equation (25) has a unique solution, A positive definite: largest spread of the roots of %d " ..
        "equations by chance (l_gamma and l_unc, 1 to 40 points) from %d starts each, relative; starts without a root", cases, starts),
        published = "unique", measured = { apart, unmet }, digits = 1, holds = apart < 1e-10 and unmet == 0 }
claim { "why: the left side of (25) rises: least (F(r) - F(q)).(r - q)/|r - q|^2 of these starts and other points, over the lowest " ..
        "eigenvalue of A", published = false, measured = least, digits = 3, holds = least >= 1 - 1e-9,
        why = "A is positive definite and the mean force of a convex potential rises, so that there is one root at most" }
claim { string.format("Newton from these %d starts: ends with no root when its steps are taken whole; mean iterations when they are " ..
        "halved as needed", cases * starts), published = false, measured = { lost, made / (cases * starts) }, digits = 2, holds = unmet == 0,
        why = "the paper leaves the convergence of Newton's method open" }
local function lowest(s) -- of A with gamma_*: the mode of the shortest waves, as gamma_* < 0
  local gamma = S.gamma_star(s, k)
  local points = math.floor(s.L / S.h_min(s, k, gamma)) - 1
  return 1 + gamma * math.cos(math.pi / (2 * (points + 1))) ^ 2
end
local positive = { lowest(S.steel(5e-4)), lowest(thin) }
claim { "A is positive definite here: its lowest eigenvalue with gamma_*, strings of Figs. 1 and 3", published = "positive definite",
        measured = positive, digits = 2, holds = math.min(positive[1], positive[2]) > 0 }
-- Without a positive definite A: two points, gamma < -1.
local e = { A = V.A_gamma(2, -1.8), a = { 0, 0 }, g = { 0.3, 0.1 }, mK = 3, alpha = 2 }
local found = {}
for i = 1, 60 do
  local root = V.newton(e, list(2, -2, 2))
  local new = root ~= nil
  for _, other in ipairs(found) do
    if root and math.abs(root[1] - other[1]) + math.abs(root[2] - other[2]) < 1e-6 then new = false end
  end
  if new then found[#found + 1] = root end
end
claim { "the condition is needed: roots that Newton finds with gamma = -1.8, two points, where A is not positive definite",
        published = false, measured = #found, holds = #found > 1 }

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
