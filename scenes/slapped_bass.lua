-- Slapped bass: a thumb throws a bass string onto its frets, or a finger pops it
-- The thumb throws the string down near the end of the neck (slap), or a finger pulls it up and lets it snap back (pop).
-- Either way it swings wider than the action and lands on the frets, one after the other as the wave runs to the nut, and
-- where it dips between them, on the fingerboard. Each landing is short and makes a wave of its own: the bright clank of the
-- first tenth of a second. Once the swing is smaller than the action the string is free and what is left is the plain low
-- note. One of four wound strings on 864 mm is taken, the highest that reaches the note, and its fret; a wound string bends
-- like its core, but weighs more. Pickups: near the bridge left, at the neck right. neck = 0: no neck.
-- tuning: --set neck=0 --set slap=5 after 0.3 s
local f0     = param { "f0", 41.2, min = 30.86, max = 261.63, scale = "log", unit = "Hz", label = "pitch" }
local slap   = param { "slap", 25, min = 0.5, max = 60, scale = "log", unit = "N", label = "strength of the thumb" }
local pop    = param { "pop", 0, min = 0, max = 1.2e-2, unit = "m", label = "how far a finger pulls it up" }
local action = param { "action", 2.2e-3, min = 5e-4, max = 5e-3, unit = "m", label = "height of the string over the twelfth fret" }
local neck   = param { "neck", 1, min = 0, max = 1, label = "1: frets and fingerboard; 0: none" }
local decay  = param { "decay", 8, min = 0.5, max = 20, scale = "log", unit = "s", label = "how long it rings (60 dB)" }

local scale = 0.864
local open, density, core = 41.2, 0.0335, 3.5e-4 -- Hz, kg/m, m: tensions are 160 to 200 N
for _, one in ipairs { { 55, 0.0205, 3e-4 }, { 73.42, 0.0121, 2.6e-4 }, { 98, 0.0063, 2.3e-4 } } do
  if f0 > one[1] * 0.999 then open, density, core = one[1], one[2], one[3] end
end
local L = scale * math.min(1, open / f0)
local s = string { name = "string", length = L, frequency = f0, density = density, radius = core, youngs = 2e11,
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
force { name = "thumb", on = s, at = 0.74 * L, shape = "raised-cosine", peak = -slap * L / scale, width = 4e-3 * L / scale }
if pop > 0 then pluck { name = "finger", on = s, shape = "triangle", at = 0.78 * L, height = pop } end
-- Fretted notes clank more: the gain makes all keys about equally loud.
local even = (41.2 / f0) ^ 0.12
probe { on = s, at = 0.88 * L, quantity = "velocity", name = "bridge pickup", channel = 1, gain = even }
probe { on = s, at = 0.77 * L, quantity = "velocity", name = "neck pickup", channel = 2, gain = 0.6 * even }
render { rate = 48000, duration = 3, normalise = true, title = "Slapped bass" }
play { pitch = "f0", velocity = "slap", release = 0.15 }
