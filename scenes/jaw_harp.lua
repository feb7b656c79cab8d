-- Jaw harp: a steel tongue beats into a mouth whose vowel picks the harmonics
-- The tongue is a reed held at one end (modes at 1, 6.27, 17.5 and 34.4 times the lowest). By itself it hums, low and nearly
-- pure. At every swing it meets what stands in its way, light things that each ring at a formant of the mouth: it lifts
-- them, runs away from under them, and catches them again, once a period. So the mouth gets pulses, with all harmonics of
-- f0, and lifts out those near its formants. Changing the vowel (0 is u, 0.5 is a, 1 is i) is all the melody a jaw harp has:
-- vowel is how the mouth begins, and from there jaw (the first formant) and tongue (the second) move it while it sounds.
-- The mouth is so light beside the tongue that the pitch stays. Further away (gap) only wide swings reach it and the twang
-- is short. Formants near those of Peterson and Barney (J. Acoust. Soc. Am. 24, 1952).
-- tuning: --set gap=0.01 after 0.3 s
local f0    = param { "f0", 65.41, min = 32.7, max = 261.63, scale = "log", unit = "Hz", label = "pitch of the tongue" }
local pull  = param { "pull", 4e-3, min = 5e-4, max = 8e-3, scale = "log", unit = "m", label = "how far the tip is pulled" }
local gap   = param { "gap", 0, min = 0, max = 0.01, unit = "m", label = "from the tongue to the mouth" }
local vowel = param { "vowel", 0.35, min = 0, max = 1, label = "shape of the mouth: 0 u, 0.5 a, 1 i" }
local hum   = param { "hum", 0.15, min = 0.01, max = 1, scale = "log", label = "how loud the tongue itself is" }
local decay = param { "decay", 3, min = 0.3, max = 12, scale = "log", unit = "s", label = "how long the tongue swings (60 dB)" }

-- A clamped and free reed of 2 g: the tip moves 2, then -2, ... in units of the mode's mean; the mouth is at two thirds of its length.
local modes = {}
for n, times in ipairs { 1, 6.267, 17.55, 34.39 } do
  local tip = n % 2 == 1 and 2 or -2
  modes[n] = { frequency = f0 * times, t60 = decay / n ^ 2, mass = 2e-3, shape = { tip, tip * ({ 0.55, 0.28, -0.65, 0.3 })[n] } }
end
local tongue = modal { name = "tongue", modes = modes }
-- A finger draws the tip away within 20 ms and lets it go.
local yields = 0 -- m/N, of the tip
for n = 1, #modes do yields = yields + modes[n].shape[1] ^ 2 / (modes[n].mass * (2 * math.pi * modes[n].frequency) ^ 2) end
force { name = "finger", on = tongue, at = 1, peak = pull / yields,
        shape = { { 0, 0 }, { 0.005, 0.15 }, { 0.015, 0.85 }, { 0.02, 1 }, { 0.0203, 0 } } }

-- Pulled equally far, a higher tongue moves faster, as f0: the gain makes all keys about equally loud.
local even = 65.41 / f0
-- Formants of u, a and i, and between them.
local function between(u, a, i) return vowel < 0.5 and u + (a - u) * 2 * vowel or a + (i - a) * (2 * vowel - 1) end
local F = { between(300, 730, 270), between(870, 1090, 2290), between(2240, 2440, 3010), 3600 }
local function part(f, low, high) return (f ^ 2 - low ^ 2) / (high ^ 2 - low ^ 2) end
local jaw   = input { "jaw", part(F[1], 270, 730), min = 0, max = 1, smooth = 0.02, label = "first formant: 0 closed, 270 Hz; 1 open, 730 Hz" }
local front = input { "front", part(F[2], 870, 2290), min = 0, max = 1, smooth = 0.02, label = "second formant: 0 tongue back, 870 Hz; 1 in front, 2290 Hz" }
for n, f in ipairs(F) do
  -- The first two are tuned by springs that follow the player, from the lowest square of the frequency to the highest.
  local weight = 2e-8 * (1000 / f) ^ 1.5
  local formant = mass { name = "formant" .. n, mass = weight, frequency = n > 2 and f or 0, damping = 2 * math.pi * (50 + 0.03 * f) }
  local range = n == 1 and { 270, 730, jaw } or n == 2 and { 870, 2290, front }
  if range then
    local unit = weight * 4 * math.pi ^ 2
    spring { name = "cheek" .. n, between = { formant, "ground" }, K1 = unit * range[1] ^ 2 + unit * (range[2] ^ 2 - range[1] ^ 2) * range[3] }
  end
  contact { name = "meets" .. n, above = formant, below = tongue, at_below = 2, gap = gap, K = 1000, alpha = 1.3, damping = 10 }
  probe { on = formant, quantity = "velocity", name = "mouth" .. n, channel = 1, gain = even * ({ 1, 0.7, 0.4, 0.25 })[n] }
  probe { on = formant, quantity = "velocity", name = "room" .. n, channel = 2, gain = even * ({ 0.8, 0.5, 0.6, 0.3 })[n] }
end
probe { on = tongue, at = 1, quantity = "velocity", name = "tongue left", channel = 1, gain = hum * even }
probe { on = tongue, at = 2, quantity = "velocity", name = "tongue right", channel = 2, gain = hum * even }
render { rate = 48000, duration = 3, normalise = true, title = "Jaw harp" }
play { pitch = "f0", velocity = "pull", cc = { [1] = "front", [74] = "jaw" } }
