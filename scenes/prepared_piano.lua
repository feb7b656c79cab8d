-- A prepared piano string. The felt hammer throws it up; a bolt lies loosely on it, held by its weight and a soft spring. The
-- string tosses the bolt into the air in one part of its swing and meets it again in another, never at the same moment twice, so
-- every landing is a small blow with metal's hardness: it takes the low partials to pieces and feeds high ones, long after the felt
-- has let go. When the string can no longer throw it off (its acceleration is below g), the bolt rides along as added mass, and what
-- is left is another, lower and duller tone. bolt = 0 is the plain string.
local f0     = param { "f0", 130.8, min = 50, max = 400, scale = "log", unit = "Hz", label = "pitch of the plain string" }
local strike = param { "strike", 3, min = 0.3, max = 7, scale = "log", unit = "m/s", label = "velocity of the hammer" }
local bolt   = param { "bolt", 1.5e-3, min = 0, max = 1e-2, unit = "kg", label = "mass of the bolt; 0: none" }
local place  = param { "place", 0.37, min = 0.05, max = 0.95, label = "where the bolt lies, in lengths of the string" }
local hold   = param { "hold", 18, min = 1, max = 120, scale = "log", unit = "Hz", label = "how tightly its spring holds it" }

local L, radius, steel = 1.0, 5e-4, 7850
local T = (2 * L * f0) ^ 2 * steel * math.pi * radius ^ 2
local s = string { name = "string", length = L, tension = T, material_density = steel, radius = radius, youngs = 2e11,
                   t60 = { { 130, 18 }, { 4000, 4 } } }
local hammer = mass { name = "hammer", mass = 5e-3, position = -1e-4, velocity = strike }
contact { name = "felt", above = s, below = hammer, at_above = 0.12 * L, K = 1.5e9, alpha = 2.5, damping = 0.1 }
if bolt > 0 then
  local loose = mass { name = "bolt", mass = bolt, frequency = hold, damping = 0.5 }
  contact { name = "rattle", above = loose, below = s, at_below = place * L, K = 2e8, alpha = 1.5, damping = 0.03 }
end
gravity { g = 9.81 }
probe { on = s, at = 0.93 * L, quantity = "velocity", name = "out" }
render { rate = 44100, oversample = 2, duration = 4, normalise = true, title = "Prepared piano" }
