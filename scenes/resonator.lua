-- Resonator: seven strings that sound from outside sets into motion, each on a bridge that buzzes
-- An effect: a voice, a drum loop or another instrument (play{ sound = }, --sound FILE.wav) pushes tuned strings near their
-- ends, the left channel the first, third, fifth and seventh, the right channel the others. Each rings where the sound has
-- one of its partials, as the sympathetic strings of a sitar do. Near the other end each just touches the edge of a bridge:
-- every swing lands there and flies off again, which makes high partials out of low ones, so that even a dark sound
-- comes back bright. lift takes the bridge away while it sounds, damp lays a hand on the strings, tune turns all pegs, dry
-- is how much of the sound itself is heard.
-- Bronze wire, 0.5 m. When no sound comes from outside, one push at the start makes all of them ring.
local root   = param { "root", 146.83, min = 65.4, max = 330, scale = "log", unit = "Hz", label = "pitch of the lowest string" }
local chord  = param { "chord", 1, min = 1, max = 5, label = "1 pentatonic, 2 minor pentatonic, 3 major scale, 4 minor scale, 5 partials" }
local decay  = param { "decay", 3, min = 0.2, max = 12, scale = "log", unit = "s", label = "how long the strings ring (60 dB)" }
local drive  = param { "drive", 0.3, min = 0.01, max = 3, scale = "log", unit = "N", label = "force of a sound at full scale" }
local thread = param { "thread", 0.04, min = 0.01, max = 0.2, scale = "log", label = "from the end to the edge of the bridge, in lengths of the string" }
local left   = input { "left", -drive, min = -drive, max = drive, unit = "N", label = "sound for the strings on the left" }
local right  = input { "right", -drive, min = -drive, max = drive, unit = "N", label = "sound for the strings on the right" }
local tune   = input { "tune", 1, min = 2 ^ (-5 / 12), max = 2 ^ (5 / 12), smooth = 0.02, label = "all strings: times their pitch" }
local lift   = input { "lift", 0, min = 0, max = 1e-3, unit = "m", smooth = 0.02, label = "bridge taken away so far: 0 buzzes, 1e-3 is clean" }
local damp   = input { "damp", 0, min = 0, max = 1, smooth = 0.02, label = "a hand on the strings" }
local dry    = input { "dry", 0, min = 0, max = 1, smooth = 0.02, label = "how much of the sound itself is heard" }

local L = 0.5
local steps = ({ { 0, 7, 12, 14, 16, 19, 24 }, { 0, 7, 12, 15, 17, 19, 24 }, { 0, 2, 4, 5, 7, 9, 11 }, { 0, 2, 3, 5, 7, 8, 10 },
                 { 0, 12, 19.02, 24, 27.86, 31.02, 33.69 } })[math.floor(chord + 0.5)]
for n, step in ipairs(steps) do
  local f = root * 2 ^ (step / 12)
  local s = string { name = "string" .. n, length = L, frequency = f, bend = tune, material_density = 8800,
                     radius = 3e-4 * (146.83 / f) ^ 0.5, youngs = 1.1e11, t60 = { { f, decay }, { 5000, decay / 8 } } }
  local edge = barrier { name = "bridge" .. n, at = thread * L, height = -lift }
  contact { name = "jawari" .. n, above = s, below = edge, K = 1e6, alpha = 1 }
  spring { name = "hand" .. n, between = { s, "ground" }, at_a = 0.37 * L, K1 = 0, damping = 0.3 * damp }
  force { name = "push" .. n, on = s, at = 0.92 * L, shape = "constant", peak = n % 2 == 1 and left or right }
  local side = (n % 2 == 1 and -0.7 or 0.7) * (1 - n / 14) -- low strings stand far apart
  probe { on = s, at = 0.88 * L, quantity = "velocity", name = "left " .. n, channel = 1, gain = 0.2 * (1 - side) }
  probe { on = s, at = 0.86 * L, quantity = "velocity", name = "right " .. n, channel = 2, gain = 0.2 * (1 + side) }
end
-- The sound itself: light membranes in thick oil, which move as fast as they are pushed.
for channel, push in ipairs { left, right } do
  local skin = mass { name = "membrane" .. channel, mass = drive / 1e5, damping = 1e5, frequency = 500 }
  force { name = "on membrane" .. channel, on = skin, shape = "constant", peak = push }
  probe { on = skin, quantity = "velocity", name = "dry " .. channel, channel = channel, gain = dry }
end
render { rate = 48000, duration = 3, normalise = true, title = "Resonator" }
play { sound = { "left", "right" }, mode = "mono", cc = { [1] = "damp", [74] = "lift" } }

preset { "Sympathetic strings", chord = 3, decay = 5, dry = 0.4 }
preset { "Clean", lift = 1e-3 }
preset { "Drum with strings", decay = 0.5, drive = 1, dry = 0.6 }
preset { "Harmonics", chord = 5, decay = 6, thread = 0.02 }
