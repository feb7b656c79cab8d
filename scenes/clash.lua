-- Clash: two steel strings one above the other, close enough to hit each other
-- The upper string is plucked and falls onto the lower one, which lay still. Where they meet they push each other apart
-- along a moving piece of their length, part, and meet again elsewhere: the second string is played by the first, and each
-- time in another shape. The nearer they are and the harder the pluck, the more blows, and the brighter and rougher the
-- tone; once the swings are smaller than the distance, two clean strings ring on, apart by the interval you chose. Energy
-- only ever goes to and fro between them: what one loses the other has. Steel wire of 0.4 mm. Upper string on the left,
-- lower on the right. With distance = 0.05 they never meet.
-- tuning: --set distance=0.05 after 0.2 s
local f0       = param { "f0", 110, min = 55, max = 1046.5, scale = "log", unit = "Hz", label = "pitch of the plucked string" }
local pull     = param { "pull", 4e-3, min = 3e-4, max = 8e-3, scale = "log", unit = "m", label = "how far it is plucked" }
local place    = param { "place", 0.2, min = 0.05, max = 0.5, label = "where it is plucked, in lengths of the string" }
local interval = param { "interval", 7, min = -12, max = 19, unit = "semitones", label = "pitch of the other string above it" }
local distance = param { "distance", 1e-3, min = 5e-5, max = 0.05, scale = "log", unit = "m", label = "from one string to the other" }
local hard     = param { "hard", 1, min = 1e-3, max = 10, scale = "log", label = "hardness: 0.001 wrapped in wool, 1 steel" }
local decay    = param { "decay", 5, min = 0.3, max = 15, scale = "log", unit = "s", label = "how long they ring (60 dB)" }

local L = 0.8 * (110 / f0) ^ 0.8
local radius = 2e-4 * (110 / f0) ^ 0.15
local other = f0 * 2 ^ (interval / 12)
-- One grid for both, as fine as the tighter one allows, so that each point of one string faces one of the other:
-- h^2 >= (c^2 k^2 + sqrt(c^4 k^4 + 16 kappa^2 k^2))/2, and a little room for the losses; k = 1/44100 s, so that it stands
-- at that rate and above. `frequency` counts the grid in, at whatever rate.
local step, c, kappa = 1 / 44100, 2 * L * math.max(f0, other), math.sqrt(2e11 / 7850) * radius / 2
local h = math.sqrt(((c * step) ^ 2 + math.sqrt((c * step) ^ 4 + 16 * (kappa * step) ^ 2)) / 2)
local segments = math.floor(0.96 * L / h)
local pair = {}
for n, f in ipairs { f0, other } do
  pair[n] = string { name = n == 1 and "upper" or "lower", length = L, frequency = f, material_density = 7850, radius = radius,
                     segments = segments, youngs = 2e11, t60 = { { f, decay }, { math.max(4000, 5 * f), decay / 4 } } }
end
contact { name = "clash", above = pair[1], below = pair[2], gap = distance, K = 5e9 * hard, alpha = 1.5 }
pluck { name = "finger", on = pair[1], shape = "raised-cosine", at = place * L, height = 0.4 * pull, width = 2 * math.min(place, 0.1) * L }
pluck { name = "nail", on = pair[1], shape = "triangle", at = place * L, height = 0.6 * pull }
-- Pulled equally far, a shorter string moves faster: the gain makes all keys about equally loud.
local even = (110 / f0) ^ 0.8
probe { on = pair[1], at = 0.93 * L, quantity = "velocity", name = "upper", channel = 1, gain = even }
probe { on = pair[2], at = 0.93 * L, quantity = "velocity", name = "lower", channel = 2, gain = even }
render { rate = 48000, duration = 3, normalise = true, title = "Clash" }
play { pitch = "f0", velocity = "pull", release = 0.3 }
