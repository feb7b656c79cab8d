-- Timpani: a kettledrum with a pedal, struck again and again while it rings
-- A felt mallet falls on a calfskin of 0.62 m by 0.52 m. The sides are such that the partials of a blow on its middle line
-- stand at 1, 1.5, 2.1 and 2.7 times the lowest: near the fifth and the octave that the air in a kettle gives to a round one.
-- The foot stretches the skin while it sounds (pedal): a glissando, and what already rings goes along, gaining energy on the
-- way up. The mallet hangs above the skin and every blow throws it, so a roll meets a skin that moves: some blows give, some
-- take. Near the edge (place) it is thin and bright, in the middle dull: even partials are silent there. A hand on the
-- skin (mute) ends it.
-- tuning: after 0.3 s
local f0     = param { "f0", 98, min = 58, max = 220.1, scale = "log", unit = "Hz", label = "pitch, the pedal in its middle" }
local strike = param { "strike", 3, min = 0.5, max = 8, scale = "log", unit = "m/s", label = "velocity of the mallet" }
local felt   = param { "felt", 1, min = 0.1, max = 30, scale = "log", label = "hardness of the mallet: 0.1 fleece, 1 felt, 30 wood" }
local ring   = param { "ring", 4, min = 0.5, max = 12, scale = "log", unit = "s", label = "how long it rings (60 dB)" }

-- A membrane lx by ly: w^2 = T/m k^2 + D/m k^4, m its mass and D its stiffness.
local lx, ly, thickness, skin = 0.62, 0.524, 3e-4, 1380
local k2 = (math.pi / lx) ^ 2 + (math.pi / ly) ^ 2
local stiff = 3.5e9 * thickness ^ 2 / (12 * (1 - 0.38 ^ 2) * skin)
local T = skin * thickness * ((2 * math.pi * f0) ^ 2 / k2 - stiff * k2)
local fourth = 2 ^ (10 / 12) -- of the tension, for five semitones

local blow  = input { "blow", trigger = true, min = 0.5 / strike, max = 8 / strike, label = "throws the mallet; 1: as fast as strike says" }
local pedal = input { "pedal", T, min = T / fourth, max = T * fourth, unit = "N/m", smooth = 0.03, label = "tension of the skin, a fourth down to a fourth up" }
local place = input { "place", 0.24, min = 0.06, max = 0.5, label = "where the mallet lands: from near the edge to the middle" }
local mute  = input { "mute", 0, min = 0, max = 1, smooth = 0.02, label = "a hand on the skin" }

local head = plate { name = "skin", size = { lx, ly }, thickness = thickness, material_density = skin, youngs = 3.5e9, poisson = 0.38,
                     tension = pedal, sigma0 = 6.91 / ring, sigma1 = 0.004, segments = { 32, 27 } }
-- The mallet hangs above, out of reach of the skin; the hand draws it up, and catches it there without a bounce.
local weight, above = 0.02, 0.012
local mallet = mass { name = "mallet", mass = weight, position = above, damping = 1 }
contact { name = "felt", above = mallet, below = head, at_below = { place * lx, 0.5 * ly }, K = 6e6 * felt, alpha = 2, damping = 0.15 }
contact { name = "hand", above = barrier { name = "hand", height = above }, below = mallet, K = 1e6, alpha = 1.5, damping = 50 }
gravity { g = -1, on = mallet }
local throw = -weight * (math.sqrt(strike ^ 2 + 2 * above) + above)
force { name = "throw", on = mallet, shape = "impulse", peak = throw, trigger = blow }
for n, x in ipairs { 0.3, 0.61 } do
  spring { name = "palm" .. n, between = { head, "ground" }, at_a = { x * lx, (0.2 + 0.3 * n) * ly }, damping = 6 * mute }
end
-- A tight skin moves less: the gain makes all keys about equally loud.
local even = (f0 / 98) ^ 0.6
probe { on = head, at = { 0.17 * lx, 0.37 * ly }, quantity = "velocity", name = "left", channel = 1, gain = even }
probe { on = head, at = { 0.76 * lx, 0.59 * ly }, quantity = "velocity", name = "right", channel = 2, gain = even }
render { rate = 44100, duration = 4, normalise = true, title = "Timpani" }
play { pitch = "f0", velocity = "blow", mode = "keys", bend = "pedal", bend_range = 5, cc = { [1] = "mute", [74] = "place" } }

preset { "Fleece", felt = 0.15, ring = 7 }
preset { "Wooden sticks", felt = 25, place = 0.1 }
preset { "Muffled", mute = 0.6 }
