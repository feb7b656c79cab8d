-- Tanpura drone: four strings, stroked in turn, each grazing a curved bridge
-- Four open strings (fourth below, tonic, tonic, low octave) are stroked one after the other, again and again. Near its end
-- each runs over a broad bridge that falls away as a parabola, and a cotton thread (the jiva) under it is chosen so that at
-- rest it just touches: every swing, however small, wraps it around and lets it go. Each landing makes high partials out of
-- low ones, and as the swing dies the place where it lands creeps towards the thread, so a formant climbs and falls over
-- seconds: the shimmer of a tanpura. The player's art is where the thread lies (thread) and how thick it is (jiva before it
-- sounds, lift while it sounds: the strings come off the bridge, soft ones first).
-- Steel wire of 0.3 mm on 0.95 m, the low string bronze of 0.5 mm; the strings stand from left to right.
-- tuning: --set only=2 --set jiva=0.02 after 0.4 s
local f0     = param { "f0", 138.59, min = 98, max = 233.1, scale = "log", unit = "Hz", label = "sa: pitch of the two middle strings" }
local stroke = param { "stroke", 0.5, min = 0.03, max = 1.5, scale = "log", unit = "N", label = "strength of the fingers" }
local pause  = param { "pause", 0.8, min = 0.15, max = 3, unit = "s", label = "from one string to the next" }
local thread = param { "thread", 9e-3, min = 3e-3, max = 0.025, unit = "m", label = "from the thread to where the string grazes" }
local jiva   = param { "jiva", 0, min = 0, max = 0.02, unit = "m", label = "string over the bridge; 0.02: no buzz" }
local curve  = param { "curve", 0.6, min = 0.1, max = 5, scale = "log", unit = "m", label = "radius of the bridge's curve" }
local decay  = param { "decay", 8, min = 1, max = 30, scale = "log", unit = "s", label = "how long a string rings (60 dB)" }
local only   = param { "only", 0, min = 0, max = 4, label = "1 to 4: this string alone; 0: all" }
local lift   = input { "lift", 0, min = 0, max = 1e-4, unit = "m", smooth = 0.02, label = "thread pushed in: the strings that much higher" }

local L = 0.95
local even = f0 / 138.59 -- the fingers move a tighter string less: the gain makes all keys about equally loud
local choice = math.floor(only + 0.5)
-- Worn flat for 3 mm on both sides of where it is highest, so that a string finds it there.
local bridge = barrier { name = "bridge", from = 0, to = 0.045, height = -lift + function(x)
  return -jiva - math.max(math.abs(x - thread) - 3e-3, 0) ^ 2 / (2 * curve)
end }
for n, times in ipairs { 3 / 4, 1, 1, 1 / 2 } do
  if choice == 0 or choice == n then
    local radius, density = 1.5e-4, 7850
    if n == 4 then radius, density = 2.5e-4, 8800 end
    local f = f0 * times * (n == 3 and choice == 0 and 1.0006 or 1) -- a cent apart: the two beat once in ten seconds
    local s = string { name = "string" .. n, length = L, frequency = f, material_density = density, radius = radius,
                       youngs = n == 4 and 1.1e11 or 2e11,
                       segments = n == 4 and f0 < 180 and 256 or nil, -- the low string need not be finer than the others
                       t60 = { { f, decay }, { 5000, decay / 12 } } }
    contact { name = "jawari" .. n, above = s, below = bridge, K = 3e9, alpha = 1.5 }
    -- A finger draws the string aside and slips off: three rounds of the four.
    for round = 0, (choice == 0 and 2 or 0) do
      local start = choice == 0 and (n - 1 + 4.6 * round) * pause or 0
      force { name = "finger" .. n .. "round" .. round + 1, on = s, at = (0.38 + 0.01 * round) * L, start = start,
              peak = stroke * (n == 4 and 1.5 or 1),
              shape = { { 0, 0 }, { 0.006, 0.25 }, { 0.014, 0.9 }, { 0.018, 1 }, { 0.0184, 0 } } }
    end
    local right = (n - 1) / 3
    probe { on = s, at = 0.06 * L, quantity = "velocity", name = "left " .. n, channel = 1, gain = even * (1 - 0.7 * right) }
    probe { on = s, at = 0.09 * L, quantity = "velocity", name = "right " .. n, channel = 2, gain = even * (0.3 + 0.7 * right) }
  end
end
-- Two steps a sample: the bridge is a few centimetres and needs more than a point or two.
render { rate = 44100, oversample = 2, duration = 7, normalise = true, title = "Tanpura drone" }
play { pitch = "f0", velocity = "stroke", cc = { [1] = "lift" } }
