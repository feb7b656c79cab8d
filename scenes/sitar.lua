-- Sitar: the main string over its wide curved bridge, the jawari
-- The string ends in a groove (x = 0), and a few millimetres before that it grazes the top of a gently curved bridge, b(x) =
-- -(x - crest)^2/(2 curve). Whenever a wave bends the string down there, it meets the bridge and wraps around it, so the end
-- of the free string moves to and fro within every period, and each landing turns slow motion into fast: overtones are fed
-- as long as the note lasts instead of dying first. It touches at rest already, so soft notes buzz too. Steel wire of 0.3
-- mm, 0.89 m from groove to nut; higher notes are fretted, that is shorter, lower ones a slacker string. bridge = 0 is the
-- same string on a plain end. Melodies are made by meend: the string is pulled along its fret while it sounds, up to five
-- semitones (meend). A released key lays a finger on it (hold).
-- tuning: --set bridge=0 after 0.3 s
local f0     = param { "f0", 185, min = 65.4, max = 740, scale = "log", unit = "Hz", label = "pitch" }
local pull   = param { "pull", 2.5e-3, min = 2e-4, max = 6e-3, scale = "log", unit = "m", label = "how far it is plucked" }
local place  = param { "place", 0.14, min = 0.06, max = 0.4, label = "where it is plucked, in sounding lengths" }
local crest  = param { "crest", 8e-3, min = 0, max = 0.025, unit = "m", label = "from the groove to the top of the bridge" }
local curve  = param { "curve", 0.5, min = 0.05, max = 5, scale = "log", unit = "m", label = "radius of the bridge's curve" }
local bridge = param { "bridge", 0.03, min = 0, max = 0.06, unit = "m", label = "length of the bridge; below 5 mm: none" }
local decay  = param { "decay", 10, min = 0.5, max = 30, scale = "log", unit = "s", label = "how long it rings (60 dB)" }
local meend  = input { "meend", 1, min = 2 ^ (-1 / 12), max = 2 ^ (5 / 12), smooth = 0.005, label = "string pulled aside: times the pitch" }
local hold   = input { "hold", 1, min = 0, max = 1, smooth = 0.05, label = "1: the string is free; 0: a finger lies on it" }

local L = 0.89 * math.min(1, 185 / f0)
local s = string { name = "baj", length = L, frequency = f0, bend = meend, material_density = 7850, radius = 1.5e-4, youngs = 2e11,
                   t60 = { { f0, decay }, { math.max(4000, 5 * f0), decay / 5 } } }
if bridge > 5e-3 then
  local jawari = barrier { name = "jawari", height = function(x) return -(x - crest) ^ 2 / (2 * curve) end, from = 0, to = bridge }
  contact { name = "on the bridge", above = s, below = jawari, K = 1e10, alpha = 1.5 }
end
-- The finger takes as much speed from the string as its waves can give (Z).
local Z = 7850 * math.pi * 1.5e-4 ^ 2 * 2 * L * f0
spring { name = "finger", between = { s, "ground" }, at_a = 0.61 * L, damping = Z - Z * hold }
pluck { name = "mizrab", on = s, shape = "triangle", at = place * L, height = pull }
-- Pulled equally far, a higher string moves faster: the gain makes all keys about equally loud.
local even = (185 / f0) ^ 0.9
probe { on = s, at = 0.9 * L, quantity = "velocity", name = "left", channel = 1, gain = even }
probe { on = s, at = 0.8 * L, quantity = "velocity", name = "right", channel = 2, gain = 0.7 * even }
-- The bridge is three centimetres long: a fine grid, so that it is more than a point or two.
render { rate = 44100, oversample = 3, duration = 4, normalise = true, title = "Sitar" }
play { pitch = "f0", velocity = "pull", gate = "hold", bend = "meend", bend_range = 5 }

preset { "Open", crest = 0.015, curve = 1.5 }
preset { "Closed", crest = 4e-3, curve = 0.2 }
preset { "No jawari", bridge = 0, decay = 6 }
