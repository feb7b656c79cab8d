about { place = "Fig. 3", title = "Snapshots of a plucked string over a parabolic barrier" }

local H = use "lib/bilbao2014_shape"
local ms = { 0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 8 } -- the last two for the comparison below
local times = {}
for i, t in ipairs(ms) do times[i] = t * 1e-3 end
local r = run("bilbao2014/fig3", { duration = 0.0085, shapes = times })
local N = r.bodies.string1.segments
claim { "segments of the grid at 44.1 kHz with r = 0.1 mm", published = false, measured = N, holds = N == 87 }

-- Separate collisions: spells in which some point touches.
local function collisions(set)
  local run10 = run("bilbao2014/parabola", { set = set, duration = 0.02 })
  local depth, count, touching = run10.probes.depth, 0, false
  for n = 1, #depth do
    local now = depth[n] > 0
    if now and not touching then count = count + 1 end
    touching = now
  end
  return count, run10
end
local count = collisions {}
claim { "the evolution illustrates multiple collisions: separate spells of contact in the first 20 ms (five periods)",
        published = "multiple", measured = count, holds = count > 1 }

-- Energy and (23) belong to the same run: see Fig. 4 and Eq. 23. Here: is the picture that of the string or of the grid? The same at 8 x.
local fine = run("bilbao2014/fig3", { duration = 0.0085, shapes = times, oversample = 8 })
local apart = {}
for i, shot in ipairs(r.shapes) do
  local a, b = shot.bodies.string1, fine.shapes[i].bodies.string1
  local most = 0
  for j = 1, #a.x do -- linear between the points of the fine grid
    local place = a.x[j] / 0.8 * (#b.x - 1)
    local k = math.min(math.floor(place), #b.x - 2)
    local u = b.u[k + 1] + (place - k) * (b.u[k + 2] - b.u[k + 1])
    most = math.max(most, math.abs(a.u[j] - u))
  end
  apart[i] = 1e3 * most
end
claim { "largest distance of the profiles from those at 352.8 kHz: at 1, 2, 4, 8 ms", published = false,
        measured = { apart[3], apart[5], apart[9], apart[10] }, unit = "mm", digits = 2, holds = apart[9] < 0.4,
        why = "corners of the profile are as wide as a grid point" }

local function told(set)
  local n, other = collisions(set)
  return string.format("%d spells, energy deviation %.0e, deepest %.0f µm", n, other.balance, 1e6 * other.links.touch.max_penetration)
end
choice { "the parabola", taken = "0.5 mm below the string in the middle, 1.5 mm at the ends, along the whole string",
         why = "the string of 4 mm meets it in every period",
         otherwise = "in 20 ms: " .. told {} .. ". 2 mm in the middle, 5 mm at the ends: " .. told { middle = 2e-3, ends = 5e-3 } ..
                     ". Touching at the ends, 2 mm below in the middle: " .. told { middle = 2e-3, ends = 0 } }
choice { "the apex of the triangle", taken = "L/4", why = "gives the published bound (23); half the length does not (Eq. 23)",
         otherwise = "apex at L/2: " .. told { apex = 0.5 } .. "; at L/10: " .. told { apex = 0.1 } }
choice { "the times of the snapshots",
         taken = ("every 0.5 ms from 0 to 3.5 ms: nearly one period, %.2f ms"):format(1e3 / r.bodies.string1.frequency),
         why = "they are in the picture of the paper only",
         otherwise = ("they show the first of %d meetings with the barrier in 20 ms"):format(count) }

if pictures then
  local panels = {}
  local x = range(0, 0.8, 81)
  local parabola = x:map(function(place) return -5e-4 - 1e-3 * (place / 0.4 - 1) ^ 2 end) -- that of the scene
  for i = 1, 8 do
    local shot = r.shapes[i]
    local touch, body = shot.contacts[1], shot.bodies.string1
    local pieces, points = H.pieces(touch.eta)
    panels[i] = { title = ("t = %.1f ms"):format(ms[i]), x = { label = "x", unit = "m", from = 0, to = 0.8 },
                  y = { label = "u", unit = "mm", factor = 1e3, from = -1.8, to = 4.2 },
                  lines = { { x = x, y = parabola, name = "barrier", scheme = "barrier" },
                            { x = body.x, y = body.u, name = "string", colour = "black" } },
                  note = points > 0 and ("%d points touch"):format(points) or nil, legend = i == 1 and "outside" or false }
  end
  figure { caption = "Snapshots of the string over the parabola. K = 1e13, alpha = 2.3, gamma_*, newton.", width = "two",
           columns = 2, height = 40, panels = panels }
end
