-- Slapped bass: a thumb throws a bass string onto its frets, or a finger pops it
-- The thumb throws the string down near the end of the neck (slap), or a finger pulls it up and lets it snap back (pop).
-- Either way it swings wider than the action and lands on the frets, one after the other as the wave runs to the nut, and
-- where it dips between them, on the fingerboard. Each landing is short and makes a wave of its own: the bright clank of the
-- first tenth of a second. Once the swing is smaller than the action the string is free and what is left is the plain low
-- note. One of four wound strings on 864 mm is taken, the highest that reaches the note, and its fret; a wound string bends
-- like its core, but weighs more. Pickups: near the bridge left, at the neck right. neck = 0: no neck. While it sounds the
-- finger bends the string (bend), slides up on a neck without frets (slide), and a released key lays a hand on it (hold).
-- tuning: --set neck=0 --set slap=5 after 0.3 s
local f0     = param { "f0", 41.2, min = 30.86, max = 261.63, scale = "log", unit = "Hz", label = "pitch" }
local slap   = param { "slap", 25, min = 0.5, max = 60, scale = "log", unit = "N", label = "strength of the thumb" }
local pop    = param { "pop", 0, min = 0, max = 1.2e-2, unit = "m", label = "how far a finger pulls it up" }
local action = param { "action", 2.2e-3, min = 5e-4, max = 5e-3, unit = "m", label = "height of the string over the twelfth fret" }
local neck   = param { "neck", 1, min = 0, max = 1, label = "1: frets and fingerboard; 0: none" }
local decay  = param { "decay", 8, min = 0.5, max = 20, scale = "log", unit = "s", label = "how long it rings (60 dB)" }
local bend   = input { "bend", 1, min = 2 ^ (-1 / 12), max = 2 ^ (3 / 12), smooth = 0.005, label = "string bent: times the pitch" }
local hold   = input { "hold", 1, min = 0, max = 1, smooth = 0.03, label = "1: the string is free; 0: a hand lies on it" }

local scale = 0.864
local open, density, core = 41.2, 0.0335, 3.5e-4 -- Hz, kg/m, m: tensions are 160 to 200 N
for _, one in ipairs { { 55, 0.0205, 3e-4 }, { 73.42, 0.0121, 2.6e-4 }, { 98, 0.0063, 2.3e-4 } } do
  if f0 > one[1] * 0.999 then open, density, core = one[1], one[2], one[3] end
end
local L = scale * math.min(1, open / f0)
local slide  = input { "slide", 0, min = 0, max = 0.25 * L, unit = "m", smooth = 0.04, label = "finger slid up so far (neck = 0)" }
local s = string { name = "string", length = L, frequency = f0, bend = bend, density = density, radius = core, youngs = 2e11,
                   t60 = { { f0, decay }, { math.max(1500, 5 * f0), 0.1875 * decay } } }
-- x = 0 is the nut, or the fret under the finger; the string rises towards the bridge.
local nut = scale - L
local function fret_top(x) return -4e-4 * L / scale - (action - 4e-4) * 2 * x / scale end
if neck > 0.5 then
  local frets = {}
  for n = 1, 20 do
    local x = scale * (1 - 2 ^ (-n / 12)) - nut
    if x > 0.004 and x < 0.9 * L then frets[#frets + 1] = x end
  end
  contact { name = "on frets", above = s, below = barrier { name = "frets", height = fret_top, at = frets },
            K = 2e8, alpha = 1.5, damping = 0.3 }
  contact { name = "on wood", above = s, K = 1e8, alpha = 1.5,
            below = barrier { name = "fingerboard", height = function(x) return fret_top(x) - 1e-3 end,
                              to = math.max(0.1 * L, 0.7 * scale - nut) } }
end
-- The hand takes speed from the string, about as much as its waves could (Z). Without a neck the finger that stops the string
-- may slide: it holds the string where it stands and rubs on what is behind it, as a bow that does not move.
local Z = density * 2 * L * f0
for i, x in ipairs { 0.92, 0.945 } do
  spring { name = "hand" .. i, between = { s, "ground" }, at_a = x * L, damping = 2 * Z - 2 * Z * hold }
end
if neck <= 0.5 then
  contact { name = "stop", above = s, below = barrier { name = "finger", height = 0 }, at_above = slide + 1e-6,
            K = 2e6, alpha = 1, law = "two-sided", sounding = "right" }
  bow { name = "behind it", on = s, at = 0.92 * slide + 1e-6, force = 2 * Z, velocity = 0, curve = 0.2 }
end
force { name = "thumb", on = s, at = 0.74 * L, shape = "raised-cosine", peak = -slap * L / scale, width = 4e-3 * L / scale }
if pop > 0 then pluck { name = "finger", on = s, shape = "triangle", at = 0.78 * L, height = pop } end
-- Fretted notes clank more: the gain makes all keys about equally loud.
local even = (41.2 / f0) ^ 0.12
probe { on = s, at = 0.88 * L, quantity = "velocity", name = "bridge pickup", channel = 1, gain = even }
probe { on = s, at = 0.77 * L, quantity = "velocity", name = "neck pickup", channel = 2, gain = 0.6 * even }
render { rate = 48000, duration = 3, normalise = true, title = "Slapped bass" }
play { pitch = "f0", velocity = "slap", gate = "hold", bend = "bend", bend_range = 2, cc = { [1] = "slide" } }

preset { "Pop", pop = 7e-3 }
preset { "Low action", action = 1e-3, decay = 5 }
preset { "Fretless", neck = 0, decay = 6 }
