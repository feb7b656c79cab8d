-- Prepared piano: a loose bolt dances on a struck string, and a screw sits in it
-- The felt hammer throws the string up; a bolt lies loosely on it, held by its weight and a soft spring. The string tosses
-- the bolt into the air in one part of its swing and meets it again in another, never at the same moment twice, so every
-- landing is a small blow with metal's hardness: it takes the low partials to pieces and feeds high ones, long after the
-- felt has let go. When the string can no longer throw it off (its acceleration is below g), the bolt rides along as added
-- mass. A screw is wedged in for good: a mass that splits the string in two parts of unrelated pitch, as of a gong. bolt = 0
-- and screw = 0 are the plain string: steel of 1 mm, a hammer of 5 g, about as in the bass of Chaigne and Askenfelt (1994).
-- When the key goes up, a damper falls onto the string; the bolt still rattles for a moment.
-- tuning: --set bolt=0 --set screw=0 after 0.4 s
local f0     = param { "f0", 130.8, min = 55, max = 523.3, scale = "log", unit = "Hz", label = "pitch of the plain string" }
local strike = param { "strike", 3, min = 0.3, max = 7, scale = "log", unit = "m/s", label = "velocity of the hammer" }
local bolt   = param { "bolt", 1.5e-3, min = 0, max = 1e-2, unit = "kg", label = "mass of the bolt; 0: none" }
local place  = param { "place", 0.37, min = 0.05, max = 0.95, label = "where the bolt lies, in lengths of the string" }
local hold   = param { "hold", 18, min = 1, max = 120, scale = "log", unit = "Hz", label = "how tightly its spring holds it" }
local screw  = param { "screw", 0, min = 0, max = 5e-3, unit = "kg", label = "mass of the screw; 0: none" }
local thread = param { "thread", 0.23, min = 0.05, max = 0.95, label = "where the screw sits, in lengths of the string" }
local decay  = param { "decay", 9, min = 0.5, max = 25, scale = "log", unit = "s", label = "how long the plain string rings (60 dB)" }
local key    = input { "key", 1, min = 0, max = 1, smooth = 0.01, label = "1: the key is down; 0: up, the damper falls" }
local pedal  = input { "pedal", 0, min = 0, max = 1, smooth = 0.02, label = "lifts the damper, whatever the key does" }

local L = (130.8 / f0) ^ 0.8
local s = string { name = "string", length = L, frequency = f0, material_density = 7850, radius = 5e-4, youngs = 2e11,
                   t60 = { { f0, decay }, { math.max(4000, 5 * f0), decay / 4.4 } } }
local hammer = mass { name = "hammer", mass = 5e-3, position = -1e-4, velocity = strike, damping = 2 }
contact { name = "felt", above = s, below = hammer, at_above = 0.12 * L, K = 1.5e9, alpha = 2.5, damping = 0.1 }
if bolt > 0 then
  local loose = mass { name = "bolt", mass = bolt, frequency = hold, damping = 0.5 }
  contact { name = "rattle", above = loose, below = s, at_below = place * L, K = 2e8, alpha = 1.5, damping = 0.03 }
end
if screw > 0 then
  local wedged = mass { name = "screw", mass = screw, damping = 3 }
  spring { name = "wedge", between = { s, wedged }, at_a = thread * L, K1 = 2e6, damping = 0.3 }
end
-- Felt that presses on the string from above, and resists about as much as the string does; key and pedal both lift it.
contact { name = "damper", above = barrier { name = "damper", height = 8e-3 * pedal }, below = s, at = { 0.071 * L, 0.17 * L },
          gap = 8e-3 * key - 5e-4, K = 2 * L * f0 * 7850 * math.pi * 5e-4 ^ 2 / 20 / 5e-4 ^ 1.5, alpha = 1.5, damping = 20 }
-- Weight, for the bolt and for the hammer, which falls back onto its rail and comes up from that felt at 1/damping at most.
gravity { g = 9.81 }
contact { name = "rail", above = hammer, below = barrier { name = "rail", height = -0.015 }, K = 1e5, alpha = 1.5, damping = 10 }
probe { on = s, at = 0.93 * L, quantity = "velocity", name = "left", channel = 1 }
probe { on = s, at = 0.82 * L, quantity = "velocity", name = "right", channel = 2, gain = 0.7 }
render { rate = 44100, oversample = 2, duration = 4, normalise = true, title = "Prepared piano" }
play { pitch = "f0", velocity = "strike", gate = "key", pedal = "pedal" }

preset { "Plain string", bolt = 0 }
preset { "Screw", bolt = 0, screw = 3e-3, thread = 0.31 }
preset { "Loose bolt", bolt = 4e-3, hold = 6 }
preset { "Bolt and screw", bolt = 2e-3, screw = 1.5e-3 }
