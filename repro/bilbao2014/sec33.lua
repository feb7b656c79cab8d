about { place = "Sec. 3.3, Eqs. 20, 21", title = "Stability: the unconditionally stable scheme, and the finest grid of the parameterized one" }

local S, V = use "lib/bilbao2014_string", use "lib/bilbao2014_vector"
local chance = V.chance(33)

-- A string by chance at its limit (21) with gamma = 0: N segments, k such that T k^2/(rho h^2) = 1 - stiff, 4 EI k^2/(rho h^4) = stiff.
local function string_at_limit(N)
  local stiff = chance(0.01, 0.95)
  local s = { L = 10 ^ chance(-1, 0.5), T = 10 ^ chance(0, 3), rho = 10 ^ chance(-4, -1) }
  local h = s.L / N
  local k = h * math.sqrt((1 - stiff) * s.rho / s.T)
  s.EI = stiff * s.rho * h ^ 4 / (4 * k ^ 2)
  return s, k
end

-- l_unc: strings and grids by chance, each point thrown by chance, every other string against a barrier.
local least, worst, finest, touched, runs = math.huge, 0, 0, 0, 40
for i = 1, runs do
  local coarse = 2 + math.floor(chance(0, 6))
  local s, k = string_at_limit(coarse)
  local N = math.max(2, math.floor(coarse * 10 ^ chance(-0.3, 1.3) + 0.5))
  finest = math.max(finest, N / coarse)
  local u, v, b = {}, {}, {}
  for l = 1, N - 1 do u[l], v[l], b[l] = chance(-1e-3, 1e-3), chance(-1, 1) * 1e-3 / k, -1e-3 - chance(0, 1e-3) end
  local start, alpha, reached = nil, chance(1, 3), 0
  V.run { string = s, k = k, N = N, steps = 100, u = u, v = v, barrier = i % 2 == 0 and b or nil, alpha = alpha,
          K = s.rho / k ^ 2 * 10 ^ chance(-1, 4) / 1e-3 ^ (alpha - 1), -- the contact from soft to a hundred times a sample's inertia
          watch = function(_, h_L, h_B)
            start = start or h_L + h_B
            least, worst = math.min(least, h_L / start), math.max(worst, math.abs((h_L + h_B) / start - 1))
            reached = math.max(reached, h_B / start)
          end }
  if reached > 1e-3 then touched = touched + 1 end
end
claim { string.format("h_L of (20) is not negative and the scheme l_unc unconditionally stable: least h_L over h^0; largest change of the " ..
        "energy; %d strings by chance, on grids up to %.0f times as fine as l_0 may have, %d of them hit a barrier", runs, finest, touched),
        published = "unconditionally stable", measured = { least, worst }, digits = 1, holds = least >= 0 and worst < 1e-9 and touched > 10 }

-- The same of the program: the string of Fig. 3 on finer and finer grids, and beside the plain copy on a coarse one.
local function scene(model, more)
  return ([[
local L = 0.8
local s = string { name = "s", length = L, tension = 38.5, material_density = 7850, radius = %s, youngs = 2e11, tuned = false, model = %s }
pluck { on = s, shape = "triangle", at = L / 4, height = 4e-3 }
probe { on = s, at = 0.9 * L, name = "u" }
render { rate = 44100, duration = 0.02 }
]]):format(more.radius, model) .. (more.barrier and [[
local b = barrier { height = function(x) return -5e-4 - 1e-3 * (2 * x / L - 1) ^ 2 end }
contact { name = "touch", above = s, below = b, K = 1e10, alpha = 1.5, scheme = "newton" }
]] or "")
end
local thin, k = S.steel(1e-4), 1 / 44100
local allowed = math.floor(thin.L / S.h_min(thin, k, 0))
local balance, highest = 0, 0
for _, times in ipairs { 1, 4, 16, 64 } do
  local r = run(scene(([["trapezoid", segments = %d]]):format(times * allowed), { radius = 1e-4, barrier = times < 10 }), { energy = true })
  balance, highest = math.max(balance, r.balance), math.max(highest, r.probes.u:absmax())
end
claim { "the same of this program: residual of the energy, and largest displacement at 0.9 L in 20 ms, string of Fig. 3 with 1, 4 (both over " ..
        "a barrier), 16 and 64 times the points that l_0 may have", published = "unconditionally stable",
        measured = string.format("%.0e, %.1f mm", balance, 1e3 * highest), holds = balance < 1e-9 and highest < 4.1e-3 }

local steps, N = 200, 3 * allowed // 2
local times = { 0, 1 / 44100, steps / 44100 }
local program = run(scene(([["trapezoid", segments = %d]]):format(N), { radius = 1e-4, barrier = true }), { shapes = times })
local function points(shape)
  local x = {}
  for l = 1, N - 1 do x[l] = shape.bodies.s.u[l + 1] end
  return x
end
local u, v, b = points(program.shapes[2]), points(program.shapes[1]), {}
for l = 1, N - 1 do v[l], b[l] = (u[l] - v[l]) / k, -5e-4 - 1e-3 * (2 * l / N - 1) ^ 2 end
local last
V.run { string = thin, k = k, N = N, steps = steps - 1, u = u, v = v, barrier = b, K = 1e10, alpha = 1.5,
        watch = function(_, _, _, after) last = after end }
local far, size, final = 0, 0, points(program.shapes[3])
for l = 1, N - 1 do far, size = math.max(far, math.abs(final[l] - last[l])), math.max(size, math.abs(last[l])) end
claim { string.format("this program beside (24) with l_unc, solved apart by Newton on (25): largest distance after %d samples on %d points, " ..
        "of the displacements", steps, N - 1), published = false, measured = far / size, digits = 1, holds = far / size < 1e-9 }

-- (21): whether all modes of l_gamma keep h_L >= 0 on a grid of N segments of length h.
local function stable(s, k, gamma, h, N)
  local pull, bend = s.T * k ^ 2 / (s.rho * h ^ 2), 4 * s.EI * k ^ 2 / (s.rho * h ^ 4)
  for j = 1, N - 1 do
    local p = math.sin(j * math.pi / (2 * N)) ^ 2
    if pull * p + bend * p ^ 2 > 1 + gamma * p then return false end
  end
  return true
end
local broken, tried, share = { above = 0, below = 0, right = 0, finer = 0 }, { above = 0, below = 0 }, 1
for i = 1, 400 do
  local s, k = string_at_limit(20)
  local gamma, N = i % 2 == 0 and chance(0.02, 3) or chance(-0.9, -0.02), 60 + math.floor(chance(0, 60))
  local sign = gamma > 0 and "above" or "below"
  local printed, right = S.h_min(s, k, gamma, true), S.h_min(s, k, gamma)
  tried[sign] = tried[sign] + 1
  if not stable(s, k, gamma, printed, N) then broken[sign] = broken[sign] + 1 end
  if not stable(s, k, gamma, right, N) then broken.right = broken.right + 1 end
  if not stable(s, k, gamma, 0.995 * right, N) then broken.finer = broken.finer + 1 end
  share = math.min(share, right / printed)
end
claim { string.format("l_gamma is stable when gamma >= -1 and h >= h_min of (21): unstable on the finest grid, as printed, of %d strings by " ..
        "chance with gamma from 0.02 to 3, of %d with gamma from -0.9 to -0.02; of all %d with 1 + gamma under the root", tried.above,
        tried.below, tried.above + tried.below),
        published = "0", measured = { broken.above, broken.below, broken.right }, expect = "reproduced with correction",
        holds = broken.right == 0 and broken.above > 0.9 * tried.above and broken.below == 0,
        why = string.format("it must read sqrt(k^2 + 16 (1 + gamma) EI rho/T^2) (errata); as printed the grid is too fine for gamma > 0, and " ..
          "too coarse for gamma < 0, with down to %.2f of the points that are stable", share) }
claim { "and no finer: unstable of these 400 on a grid 0.5 % finer than the right one", published = false, measured = broken.finer,
        holds = broken.finer == 400 }

-- A run of it, gamma = 0.7, string of Fig. 1: the largest displacement of each sample.
local thick = S.steel(5e-4)
local function pulse(x) return math.abs(x - 0.24) < 0.02 and 5e-4 * (1 + math.cos(math.pi * (x - 0.24) / 0.02)) or 0 end
local function heights(printed)
  local list, N = {}, math.floor(thick.L / S.h_min(thick, k, 0.7, printed))
  S.run { string = thick, k = k, N = N, gamma = 0.7, shape = pulse, steps = 200, watch = function(n, u)
    local most = 0
    for l = 1, #u do most = math.max(most, math.abs(u[l])) end
    list[n + 1] = most
  end }
  return list, N
end
local blown, many = heights(true)
local tame, few = heights(false)
local top = 0
for _, x in ipairs(tame) do top = math.max(top, x) end
claim { string.format("a pulse of 1 mm, gamma = 0.7, string of Fig. 1: largest displacement after at most 200 samples on the printed grid, " ..
        "N = %d, and on the right one, N = %d", many, few), published = "stable", measured = { blown[#blown], top }, unit = "m",
        digits = 2, holds = blown[#blown] > 1 and top < 1.01e-3, expect = "reproduced with correction",
        why = string.format("as printed it grows without bound (ended after %d samples)", #blown - 1) }
local function asked(segments)
  local r = run(scene(([["implicit", gamma = 0.7, segments = %d]]):format(segments), { radius = 5e-4 }), { may_fail = true })
  return r.failed and "refused" or "runs"
end
claim { "this program with these two grids", published = false, measured = asked(many) .. ", " .. asked(few),
        holds = asked(many) == "refused" and asked(few) == "runs" }

if pictures then
  -- Growth a sample of the fastest growing mode: the larger root of z + 1/z = 2 - 4 q.
  local function growth(q) return q > 1 and 2 * q - 1 + math.sqrt((2 * q - 1) ^ 2 - 1) or 1 end
  local ratio = range(0.5, 1.5, 201)
  local function curve(gamma, printed)
    local edge = S.h_min(thick, k, gamma, printed)
    return ratio:map(function(x)
      local h = x * edge
      return growth((thick.T * k ^ 2 / (thick.rho * h ^ 2) + 4 * thick.EI * k ^ 2 / (thick.rho * h ^ 4)) / (1 + gamma))
    end)
  end
  local function samples(list) return vec(#list, function(i) return i - 1 end) end
  figure { width = "two", columns = 2, height = 60,
    caption = "(a) Largest displacement of a pulse on the string of Fig. 1, gamma = 0.7, on the finest grid of (21) as printed and as it must " ..
              "be. (b) Growth a sample of the fastest growing mode over the length of a segment, in lengths of (21) as printed; with 1 + gamma " ..
              "under the root all of them begin to grow at 1. l_unc does not grow on any grid.",
    panels = { { title = "(a) gamma = 0.7", x = { label = "sample" }, y = { label = "largest |u|", unit = "m", log = true, to = 1e4 },
                 legend = "top right",
                 lines = { { x = samples(blown), y = vec(blown), name = ("printed, N = %d"):format(many), colour = "red" },
                           { x = samples(tame), y = vec(tame), name = ("right, N = %d"):format(few), colour = "black" } } },
               { title = "(b) finest grid", x = { label = "h/h_min as printed", from = 0.5, to = 1.5 },
                 y = { label = "growth a sample", log = true, from = 0.9, to = 20 }, legend = "top right", marks = { { x = 1 } },
                 lines = { { x = ratio, y = curve(0.7, true), name = "γ = 0.7", colour = "red" },
                           { x = ratio, y = curve(0, true), name = "γ = 0", colour = "black" },
                           { x = ratio, y = curve(-0.5, true), name = "γ = −0.5", colour = "blue" },
                           { x = ratio, y = ratio * 0 + 1, name = "l_unc", colour = "grey", style = "dash" } } } } }
end
