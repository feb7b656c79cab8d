-- Guitar: a steel string with frets under it, low enough to buzz
-- A fretted string rings between the fret behind the finger and the saddle, and the frets beyond the finger stand just below
-- it. Plucked hard, or with a low action, the wave that returns from the finger dips onto them: each landing is a short
-- bright blow on metal, near the crest of the swing, and takes height from the wave, so a note begins with a growl and
-- clears up. With a high action it never touches. One of the six strings is taken, the highest that reaches the note, and
-- its fret; gauges and tensions of a light bronze set (0.012 to 0.053 inch, 103 to 136 N on 648 mm). The plectrum rounds the
-- corner of the pluck; heard by two pickups, bridge on the left, neck on the right. Hands stay on it while it sounds: one
-- bends the string aside (bend), the other leans on it at the saddle (mute), and a released key lays a hand on it (hold).
-- tuning: --set action=0.05 after 0.2 s
local f0     = param { "f0", 146.83, min = 65.4, max = 1046.5, scale = "log", unit = "Hz", label = "pitch" }
local pull   = param { "pull", 3e-3, min = 2e-4, max = 7e-3, scale = "log", unit = "m", label = "how far it is plucked" }
local place  = param { "place", 0.17, min = 0.04, max = 0.5, label = "where it is plucked, from the saddle, in sounding lengths" }
local thumb  = param { "thumb", 4e-3, min = 1e-3, max = 0.03, scale = "log", unit = "m", label = "width of the plectrum or thumb" }
local action = param { "action", 1.8e-3, min = 3e-4, max = 0.05, scale = "log", unit = "m", label = "string over the twelfth fret" }
local fret   = param { "fret", 1, min = 0.01, max = 10, scale = "log", label = "hardness of the frets: 0.01 gut, 1 nickel silver" }
local decay  = param { "decay", 5, min = 0.3, max = 15, scale = "log", unit = "s", label = "how long it rings (60 dB)" }
local bend   = input { "bend", 1, min = 2 ^ (-1 / 12), max = 2 ^ (3 / 12), smooth = 0.005, label = "string bent: times the pitch" }
local mute   = input { "mute", 0, min = 0, max = 1, smooth = 0.02, label = "palm on the string at the saddle" }
local hold   = input { "hold", 1, min = 0, max = 1, smooth = 0.02, label = "1: the string is free; 0: a hand lies on it" }

local scale = 0.648
local open, tension, core = 82.41, 114, 2.2e-4 -- Hz, N, m: what bends is the core of a wound string
local others = { { 110, 133, 2e-4 }, { 146.83, 136, 1.8e-4 }, { 196, 134, 1.6e-4 }, { 246.94, 103, 2.03e-4 }, { 329.63, 103, 1.52e-4 } }
for _, one in ipairs(others) do
  if f0 > one[1] * 0.999 then open, tension, core = one[1], one[2], one[3] end
end
local density = tension / (2 * scale * open) ^ 2
local L = math.min(scale, scale * open / f0)
local s = string { name = "string", length = L, frequency = f0, bend = bend, density = density, radius = core, youngs = 2e11,
                   t60 = { { f0, decay }, { math.max(4000, 5 * f0), decay / 5 } } }

-- x = 0 is the fret under the finger, at `nut` from the nut; the neck falls away from the line to the saddle.
local nut = scale - L
local places = {}
for n = 1, 21 do
  local x = scale * (1 - 2 ^ (-n / 12)) - nut
  if x > 0.004 and x < 0.9 * L then places[#places + 1] = x end
end
if #places > 0 then
  local frets = barrier { name = "frets", at = places, height = function(x) return -1e-4 - action * x / (scale / 2) end }
  contact { name = "buzz", above = s, below = frets, K = 1e8 * fret, alpha = 1.5, damping = 0.1 }
end
-- Hands are soft: they take speed from the string, about as much as its own waves could (Z), and hold nothing.
local Z = math.sqrt(tension * density)
spring { name = "palm", between = { s, "ground" }, at_a = 0.97 * L, damping = 6 * Z * mute }
for i, x in ipairs { 0.92, 0.945 } do
  spring { name = "hand" .. i, between = { s, "ground" }, at_a = x * L, damping = 2 * Z - 2 * Z * hold }
end
-- A corner as wide as the thumb: seven triangles beside each other, weighted like a bell.
local at = (1 - place) * L
for i, weight in ipairs { 1, 6, 15, 20, 15, 6, 1 } do
  local x = math.min(at + (i - 4) / 6 * thumb, 0.99 * L)
  pluck { name = "thumb" .. i, on = s, shape = "triangle", at = x, height = pull * weight / 64 }
end
-- Pulled equally far, a shorter string moves faster: the gain makes all keys about equally loud.
local even = (146.83 / f0) ^ 0.67
probe { on = s, at = 0.94 * L, quantity = "velocity", name = "bridge pickup", channel = 1, gain = even }
probe { on = s, at = 0.79 * L, quantity = "velocity", name = "neck pickup", channel = 2, gain = 0.5 * even }
render { rate = 48000, duration = 3, normalise = true, title = "Guitar" }
play { pitch = "f0", velocity = "pull", gate = "hold", bend = "bend", bend_range = 2, cc = { [1] = "mute" } }

preset { "Over the neck", place = 0.38, thumb = 0.014, decay = 6 }
preset { "At the bridge", place = 0.06, thumb = 1.5e-3 }
preset { "Low action", action = 6e-4 }
preset { "Palm mute", thumb = 6e-3, mute = 0.6 }
