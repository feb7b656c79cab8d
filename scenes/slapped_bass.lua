-- The low E string of a bass guitar, slapped. The thumb throws it down near the end of the neck (slap), or a finger
-- pulls it up and lets it snap back (pop). Either way it swings wider than the action and lands on the frets, one after
-- the other as the wave runs to the nut, and where it dips between them, on the fingerboard. Each landing is short and
-- makes a wave of its own: the bright clank of the first tenth of a second. Once the swing is smaller than the action
-- the string is free and what is left is the plain low note.
local f0     = param { "f0", 41.2, min = 30, max = 100, scale = "log", unit = "Hz", label = "pitch of the open string" }
local slap   = param { "slap", 25, min = 0, max = 60, unit = "N", label = "strength of the thumb" }
local pop    = param { "pop", 0, min = 0, max = 1.2e-2, unit = "m", label = "how far a finger pulls it up" }
local action = param { "action", 2.2e-3, min = 5e-4, max = 5e-3, unit = "m", label = "height of the string over the twelfth fret" }
local neck   = param { "neck", 1, min = 0, max = 1, label = "1: frets and fingerboard; 0: none" }

-- A wound string bends like its core (radius), but weighs more.
local L, density = 0.864, 0.0335
local s = string { name = "E", length = L, tension = (2 * L * f0) ^ 2 * density, density = density, radius = 3.5e-4,
                   youngs = 2e11, t60 = { { 41, 16 }, { 1500, 3 } } }
-- x = 0 is the nut; the string rises towards the bridge.
local function fret_top(x) return -4e-4 - (action - 4e-4) * 2 * x / L end
if neck > 0.5 then
  local frets = {}
  for n = 1, 20 do frets[n] = L * (1 - 2 ^ (-n / 12)) end
  contact { name = "on frets", above = s, below = barrier { name = "frets", height = fret_top, at = frets },
            K = 2e8, alpha = 1.5, damping = 0.3 }
  contact { name = "on wood", above = s, K = 1e8, alpha = 1.5, damping = 1,
            below = barrier { name = "fingerboard", height = function(x) return fret_top(x) - 1e-3 end, to = 0.7 * L } }
end
if slap > 0 then force { name = "thumb", on = s, at = 0.74 * L, shape = "raised-cosine", peak = -slap, width = 4e-3 } end
if pop > 0 then pluck { name = "finger", on = s, shape = "triangle", at = 0.78 * L, height = pop } end
probe { on = s, at = 0.88 * L, quantity = "velocity", name = "pickup" }
render { rate = 48000, duration = 3, normalise = true, title = "Slapped bass" }
