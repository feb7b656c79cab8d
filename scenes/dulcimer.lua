-- Dulcimer: a light hammer bounces on a pair of steel strings
-- The player lets a springy stick fall and does not hold it back: the head hits a course of two strings, is thrown off by
-- the waves that return from the near bridge, and the hand's small constant push brings it back after 2 m v/F seconds. Each
-- landing meets strings that move already, so it may add to the tone or take from it; the bounces crowd together until the
-- hand lifts the hammer (roll). The two strings are a few cents apart and beat. Hard heads (bare wood) and strong blows are
-- brighter: the contact is shorter. Steel wire of 0.45 mm, a sounding length of 0.9 m at D3, shorter for higher courses;
-- left and right are the two strings.
-- tuning: --set roll=0.01 --set beat=0 after 0.5 s
local f0     = param { "f0", 293.66, min = 98, max = 1568, scale = "log", unit = "Hz", label = "pitch" }
local strike = param { "strike", 1.8, min = 0.3, max = 6, scale = "log", unit = "m/s", label = "velocity of the hammer" }
local hand   = param { "hand", 0.3, min = 0.03, max = 3, scale = "log", unit = "N", label = "push of the hand: more bounces, closer" }
local roll   = param { "roll", 0.4, min = 0.01, max = 1.5, scale = "log", unit = "s", label = "when the hand lifts the hammer" }
local head   = param { "head", 1, min = 0.02, max = 30, scale = "log", label = "hardness of the head: 0.02 felt, 1 wood, 30 metal" }
local place  = param { "place", 0.14, min = 0.04, max = 0.45, label = "where it strikes, in lengths of the string" }
local beat   = param { "beat", 2.5, min = 0, max = 20, unit = "cents", label = "how far apart the two strings are" }
local decay  = param { "decay", 5, min = 0.3, max = 15, scale = "log", unit = "s", label = "how long it rings (60 dB)" }

local L = 0.9 * (146.83 / f0) ^ 0.85
local hammer = mass { name = "hammer", mass = 6e-3, position = 1e-4, velocity = -strike, damping = 1 }
-- The hand pushes, then lifts within 20 ms, enough to turn round a hammer that comes down, and holds it up in the fingers: a
-- soft stop above its highest bounce, from which it comes back at 1/damping at most.
local lift, top = 6e-3 * (1.2 * strike + 0.5) / 0.02, 0.02 + 1.2 * 6e-3 * strike ^ 2 / (2 * hand)
force { name = "hand", on = hammer, shape = { { 0, -hand }, { roll, -hand }, { roll + 0.005, lift }, { roll + 0.02, lift }, { roll + 0.025, 0.02 } } }
-- High courses answer the hammer more weakly: the gain makes all keys about equally loud.
local even = (f0 / 293.66) ^ 0.3
for n = 1, 2 do
  local pitch = f0 * 2 ^ ((n == 1 and -beat or beat) / 2400)
  local s = string { name = "string" .. n, length = L, frequency = pitch, material_density = 7850, radius = 2.25e-4, youngs = 2e11,
                     t60 = { { f0, decay }, { math.max(4000, 5 * f0), decay / 4 } } }
  contact { name = "head" .. n, above = hammer, below = s, at_below = place * L, K = 1e10 * head, alpha = 2.5, damping = 0.25 }
  probe { on = s, at = 0.94 * L, quantity = "velocity", name = "near " .. n, channel = n, gain = even }
  probe { on = s, at = 0.71 * L, quantity = "velocity", name = "far " .. n, channel = 3 - n, gain = 0.25 * even }
end
contact { name = "fingers", above = barrier { name = "fingers", height = top }, below = hammer, K = 1e5, alpha = 1.5, damping = 10 }
render { rate = 48000, duration = 3, normalise = true, title = "Dulcimer" }
play { pitch = "f0", velocity = "strike", release = 0.5 }

preset { "Felt hammers", hand = 0.06, head = 0.03 }
preset { "Metal hammers", head = 20, place = 0.08 }
preset { "Long roll", hand = 1.2, roll = 1.3 }
preset { "Out of tune", beat = 14 }
