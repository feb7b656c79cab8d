-- Tromba: a bowed string on a bridge that stands on one foot and rattles with the other
-- The tromba marina has one long gut string and a bridge like a boot. Its heel stands firmly, its toe hangs a hair above the
-- soundboard. The bow drags the string along and lets it slip, once a period; the bridge rocks with it, and in every rocking
-- the toe slaps the board: a hard, bright tone, as of a trumpet, on top of the string's. How near the toe is (toe: players
-- shift it with a thread) decides between a purr and a bray. The bridge, a mass on its heel, is a soft end of the string;
-- the tension is chosen so that the string on it rings at f0. After Willemsen, Serafin, Bilbao and Ducceschi (SMC 2020);
-- spruce board of 4 mm, gut of 1.8 mm. The string is more on the left, the board on both sides. While it sounds the player
-- presses (lean), takes the bow along the string (place), draws it slower (hold) and lifts the toe (shim); when the key goes
-- up the bow stops and a hand lies on the string.
-- tuning: --set bow=0.05 --set stroke=0.2 --set pluck=2e-3 --set toe=1e-3 after 0.4 s
local f0       = param { "f0", 65.41, min = 32.7, max = 220, scale = "log", unit = "Hz", label = "pitch of the open string" }
local bow_     = param { "bow", 0.5, min = 0.05, max = 4, scale = "log", unit = "N", label = "pressure of the bow, at 0.15 m/s" }
local speed    = param { "speed", 0.15, min = 0.08, max = 0.6, scale = "log", unit = "m/s", label = "speed of the bow" }
local toe      = param { "toe", 3e-6, min = 0, max = 1e-3, unit = "m", label = "from the toe of the bridge to the board" }
local pluck_   = param { "pluck", 0, min = 0, max = 5e-3, unit = "m", label = "plucked as well, so far" }
local stroke   = param { "stroke", 2.2, min = 0.2, max = 8, unit = "s", label = "length of the stroke" }
local decay    = param { "decay", 2.5, min = 0.3, max = 12, scale = "log", unit = "s", label = "how long the string rings (60 dB)" }
local place    = input { "place", 0.13, min = 0.04, max = 0.35, smooth = 0.01, label = "where it is bowed, in lengths of the string" }
local lean     = input { "lean", 0, min = 0, max = 5, smooth = 0.01, label = "pressed harder than 'bow' by so many times that" }
local hold     = input { "hold", 1, min = 0, max = 1, smooth = 0.03, label = "velocity of the bow: 1 as 'speed' says; 0: it stops, and a hand lies on the string" }
local shim     = input { "shim", 0, min = 0, max = 3e-5, unit = "m", smooth = 0.01, label = "thread that lifts the toe further" }

local sounding = 1.5 * (40 / f0) ^ 0.6
local radius, gut = 9e-4, 1300
local density, EI = gut * math.pi * radius ^ 2, 5e9 * math.pi * radius ^ 4 / 4
-- From the bridge to the tailpiece it is a sixth of that: a whole number of steps of the grid, so that the bridge is at a point of it.
-- The grid: h^2 >= (c^2 k^2 + sqrt(c^4 k^4 + 16 kappa^2 k^2))/2, and some room for losses.
local step, c, kappa = 1 / 44100, 2 * sounding * f0, math.sqrt(EI / density)
local h = 1.06 * math.sqrt(((c * step) ^ 2 + math.sqrt((c * step) ^ 4 + 16 * (kappa * step) ^ 2)) / 2)
local left = math.floor(sounding / h)
local right = math.floor(left / 6 + 0.5)
local behind = sounding * right / left
local L = sounding + behind
local bridge_mass, bridge_tone, heel = 6e-3, 900, 3e5 -- kg, Hz, N/m

-- The tension at which a string held by heel and bridge rings at f0 between nut and bridge, k = w/c:
-- T k (cot k sounding + cot k behind) + D = 0, D the stiffness of bridge and heel in a row at w; bisected over k. A stiff string does
-- not turn freely over the bridge: it is shorter by half of sqrt(EI/T), on this grid by 0.4.
local w = 2 * math.pi * f0
local stand = bridge_mass * ((2 * math.pi * bridge_tone) ^ 2 - w * w)
local D = heel * stand / (heel + stand)
local T = density * (2 * sounding * f0) ^ 2
for _ = 1, 5 do
  local length = sounding - 0.4 * math.sqrt(EI / T)
  local low, high = 0.8 * math.pi / length, math.pi / length
  for _ = 1, 60 do
    local k = (low + high) / 2
    if density * w * w / k * (1 / math.tan(k * length) + 1 / math.tan(k * behind)) + D > 0 then low = k else high = k end
  end
  T = density * (w / low) ^ 2 - EI * low ^ 2
end
local s = string { name = "string", length = L, tension = T, density = density, radius = radius, youngs = 5e9, segments = left + right,
                   t60 = { { f0, decay }, { 2500, decay / 8 } } }
local bridge = mass { name = "bridge", mass = bridge_mass, frequency = bridge_tone, damping = 300 }
local board = plate { name = "board", size = { 1.35, 0.19 }, thickness = 4e-3, material_density = 430, youngs = 9e9, poisson = 0.3,
                      sigma0 = 25, sigma1 = 0.004, model = "modal", modes = 90 }
spring { name = "heel", between = { s, bridge }, at_a = sounding, K1 = heel }
contact { name = "toe", above = bridge, below = board, at_below = { 1.02, 0.12 }, K = 2e8, alpha = 1.3, gap = shim + toe, damping = 0.1 }
local press = bow_ * (speed / 0.15) ^ 0.9 -- a faster bow is pressed harder, or the string jumps to its octave
-- A stroke: envelopes that the hand scales while it sounds.
bow { name = "bow", on = s, at = place * sounding,
      velocity = hold * { { 0, 0 }, { 0.08, speed }, { stroke, speed }, { stroke + 0.1, 0.5 * speed } },
      force = (1 + lean) * { { 0, 0 }, { 0.06, press }, { stroke, press }, { stroke + 0.08, 0 } } }
local Z = math.sqrt(T * density)
for i, x in ipairs { 0.1, 0.16 } do
  spring { name = "hand" .. i, between = { s, "ground" }, at_a = x * sounding, damping = 3 * Z - 3 * Z * hold }
end
if pluck_ > 0 then pluck { name = "finger", on = s, shape = "triangle", at = 0.3 * sounding, height = pluck_ } end
probe { on = s, at = 0.9 * sounding, quantity = "velocity", name = "string left", channel = 1, gain = 0.08 }
probe { on = s, at = 0.8 * sounding, quantity = "velocity", name = "string right", channel = 2, gain = 0.03 }
probe { on = board, at = { 0.31, 0.07 }, quantity = "velocity", name = "board left", channel = 1, gain = 2 }
probe { on = board, at = { 0.77, 0.11 }, quantity = "velocity", name = "board right", channel = 2, gain = 3 }
render { rate = 44100, duration = 3, normalise = true, title = "Tromba" }
play { pitch = "f0", velocity = "speed", gate = "hold", pressure = "lean", release = 0.4, cc = { [1] = "shim", [74] = "place" } }
