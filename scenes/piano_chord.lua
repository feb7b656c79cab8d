-- Piano chord: three strings share one hammer and one bridge, in unison or as a chord
-- From the middle of a piano upwards one hammer strikes three strings. They end on the same bridge, a heavy thing that gives
-- a little (here a mass on a spring): what one string loses there the others find. Struck together they push the bridge
-- together and lose fast; a little out of tune they drift out of step, the bridge stands still between them, and the sound
-- dies twice: first quickly, then slowly (Weinreich, J. Acoust. Soc. Am. 62, 1977). second and third tune two of them up by
-- semitones: 4 and 7 make a chord out of one blow. The hammer, felt and strings are close to the middle C of Chaigne and Askenfelt
-- (J. Acoust. Soc. Am. 95, 1994). When the key goes up, a damper falls onto all three.
-- tuning: --set second=12 --set third=12 after 0.4 s
local f0     = param { "f0", 261.63, min = 55, max = 1046.5, scale = "log", unit = "Hz", label = "pitch of the first string" }
local strike = param { "strike", 2.5, min = 0.3, max = 7, scale = "log", unit = "m/s", label = "velocity of the hammer" }
local second = param { "second", 0.02, min = -1, max = 12, unit = "semitones", label = "second string above the first" }
local third  = param { "third", -0.015, min = -1, max = 12, unit = "semitones", label = "third string above the first" }
local bridge = param { "bridge", 1, min = 1e-3, max = 3, scale = "log", label = "how much the bridge gives way" }
local hardness = param { "hardness", 1, min = 0.05, max = 20, scale = "log", label = "hardness of the felt against an ordinary one" }
local decay  = param { "decay", 14, min = 0.5, max = 30, scale = "log", unit = "s", label = "how long the strings ring by themselves (60 dB)" }
local key    = input { "key", 1, min = 0, max = 1, smooth = 0.01, label = "1: the key is down; 0: up, the dampers fall" }
local pedal  = input { "pedal", 0, min = 0, max = 1, smooth = 0.02, label = "lifts the dampers, whatever the key does" }

local scaling = (261.63 / f0) ^ 0.8
local L = 0.62 * scaling
local density = 6.34e-3 * scaling ^ 0.4
local hammer = mass { name = "hammer", mass = 4.5e-3, position = -1e-5, velocity = strike, damping = 2 }
local foot = mass { name = "bridge", mass = 0.12, frequency = 150, damping = 160 }
local damper = barrier { name = "damper", height = 6e-3 * pedal }
local pin, over = 1.5e4 * bridge, 0.985 * L -- the strings run over the bridge a little before their ends

-- Tuned where it is: the tension T at which an ideal string held at `over` by pin and bridge rings at f, from
-- T k sin k L + D sin k over sin k (L - over) = 0, D = pin D_b/(pin + D_b), D_b = m (w_b^2 - w^2) the bridge's stiffness at w; bisected.
local function pitch_alone(f)
  local w = 2 * math.pi * f
  local board = 0.12 * ((2 * math.pi * 150) ^ 2 - w * w)
  local held = pin * board / (pin + board)
  local low, high = 0.9 * f, 1.1 * f
  for _ = 1, 60 do
    local g = (low + high) / 2 -- of the string by itself; k = w/c = pi f/(g L), T = density (2 g L)^2
    local k = math.pi * f / (g * L)
    local T = density * (2 * g * L) ^ 2
    local sum = T * k * math.sin(k * L) + held * math.sin(k * over) * math.sin(k * (L - over))
    if sum > 0 then high = g else low = g end
  end
  return low
end
-- The board moves less for high notes: the gain makes all keys about equally loud.
local even = (f0 / 261.63) ^ 0.45
for n, up in ipairs { 0, second, third } do
  local pitch = f0 * 2 ^ (up / 12)
  local s = string { name = "string" .. n, length = L, frequency = pitch_alone(pitch), density = density, radius = 5e-4,
                     youngs = 2e11, t60 = { { f0, decay }, { math.max(3000, 4 * f0), decay / 6 } } }
  contact { name = "felt" .. n, above = s, below = hammer, at_above = 0.12 * L, K = 2e9 * hardness, alpha = 2.5, damping = 0.1 }
  spring { name = "pin" .. n, between = { s, foot }, at_a = over, K1 = pin }
  -- Felt that presses on it from above, and resists about as much as the string does; key and pedal both lift it.
  contact { name = "damper" .. n, above = damper, below = s, at = { 0.071 * L, 0.17 * L }, gap = 6e-3 * key - 5e-4,
            K = 2 * L * pitch * density / 20 / 5e-4 ^ 1.5, alpha = 1.5, damping = 20 }
  -- Each string on its own side, and a little on the other, so that they do not cancel in mono when they drift out of step.
  probe { on = s, at = 0.93 * L, quantity = "velocity", name = "side" .. n, channel = n == 2 and 2 or 1, gain = 0.25 * even }
  probe { on = s, at = 0.93 * L, quantity = "velocity", name = "far" .. n, channel = n == 2 and 1 or 2, gain = 0.1 * even }
end
-- The hammer falls back onto its rail, covered with thick felt that swallows the fall: it comes up from there at 1/damping at most.
gravity { g = 9.81, on = hammer }
contact { name = "rail", above = hammer, below = barrier { name = "rail", height = -0.015 }, K = 1e5, alpha = 1.5, damping = 10 }
probe { on = foot, quantity = "velocity", name = "soundboard left", channel = 1, gain = 40 * even }
probe { on = foot, quantity = "velocity", name = "soundboard right", channel = 2, gain = 40 * even }
render { rate = 48000, duration = 4, normalise = true, title = "Piano chord" }
play { pitch = "f0", velocity = "strike", gate = "key", pedal = "pedal" }
