-- Slide guitar: a steel bar glides along the string and is its end
-- A string of a lap steel, 572 mm long, and a bar that lies on it instead of a finger on a fret: the string rings between bar
-- and bridge, and where the bar goes the pitch goes, without steps. The bar is a stop with a place that moves (slide); the
-- hand rocks it for vibrato. Fingers trail on the string behind the bar, or that part would sing too: they rub, as a bow that
-- does not move, and hold nothing (trail). One of six strings in open G is taken, the highest whose bar would lie at the fifth
-- fret or above, so that there is room to glide five semitones down; a note places the bar, then the hand moves it.
-- tuning: after 0.2 s
local f0    = param { "f0", 196, min = 110, max = 1046.5, scale = "log", unit = "Hz", label = "pitch where the bar is set down" }
local pull  = param { "pull", 2e-3, min = 2e-4, max = 5e-3, scale = "log", unit = "m", label = "how far it is plucked" }
local place = param { "place", 0.2, min = 0.04, max = 0.5, label = "where it is plucked, from the bridge, in sounding lengths" }
local bar   = param { "bar", 4e6, min = 1e5, max = 1e8, scale = "log", unit = "N/m", label = "how firmly the bar stops the string" }
local decay = param { "decay", 6, min = 0.3, max = 15, scale = "log", unit = "s", label = "how long it rings (60 dB)" }

local L, open, tension, core = 0.572, 73.42, 100, 2.2e-4 -- m, Hz, N, m: what bends is the core of a wound string
for _, one in ipairs { { 98, 120, 2e-4 }, { 146.83, 130, 1.8e-4 }, { 196, 125, 1.6e-4 }, { 246.94, 100, 2.03e-4 }, { 293.66, 95, 1.6e-4 } } do
  if f0 >= one[1] * 2 ^ (5.5 / 12) then open, tension, core = one[1], one[2], one[3] end
end
local density = tension / (2 * L * open) ^ 2
local EI = 2e11 * math.pi * core ^ 4 / 4
-- A stiff string, k = pi/length: rho w^2 = T k^2 + EI k^4. It does not turn freely under the bar: it rings shorter by half of sqrt(EI/T).
local w = 2 * math.pi * f0
local k = math.sqrt((math.sqrt(tension ^ 2 + 4 * EI * density * w * w) - tension) / (2 * EI))
local sounds = math.pi / k
local rest = L - sounds - 0.5 * math.sqrt(EI / tension)
local slide = input { "slide", 0, min = sounds * (1 - 2 ^ (5 / 12)), max = sounds * (1 - 2 ^ (-5 / 12)), unit = "m", smooth = 0.03,
                      label = "how far the bar has gone: its ends are five semitones" }
local trail = input { "trail", 1, min = 0, max = 3, smooth = 0.01, label = "fingers behind the bar" }
local hold  = input { "hold", 1, min = 0, max = 1, smooth = 0.02, label = "1: the string is free; 0: a hand lies on it" }

local s = string { name = "string", length = L, tension = tension, density = density, radius = core, youngs = 2e11,
                   t60 = { { open, decay }, { 4000, decay / 5 } } }
local Z = math.sqrt(tension * density)
contact { name = "bar", above = s, below = barrier { name = "steel", height = 0 }, at_above = slide + rest, K = bar, alpha = 1,
          law = "two-sided", sounding = "right" }
bow { name = "fingers", on = s, at = 0.9 * slide + 0.9 * rest, force = 2 * Z * trail, velocity = 0, curve = 0.2 }
spring { name = "hand", between = { s, "ground" }, at_a = L - 0.08 * (L - rest), damping = 4 * Z - 4 * Z * hold }
-- The pick draws the string aside and lets go, wherever the bar is by then.
force { name = "pick", on = s, at = L - place * (L - rest), peak = tension * pull / (place * (1 - place) * (L - rest)),
        shape = { { 0, 0 }, { 0.004, 0.2 }, { 0.01, 1 }, { 0.0103, 0 } } }
local even = (196 / f0) ^ 0.6
probe { on = s, at = 0.97 * L, quantity = "velocity", name = "bridge pickup", channel = 1, gain = even }
probe { on = s, at = 0.92 * L, quantity = "velocity", name = "second pickup", channel = 2, gain = 0.5 * even }
render { rate = 48000, duration = 3, normalise = true, title = "Slide guitar" }
play { pitch = "f0", velocity = "pull", gate = "hold", bend = "slide", bend_range = 5, cc = { [1] = "trail" } }
