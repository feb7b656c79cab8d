-- Felt piano: one string of a grand, struck from below by a felt hammer
-- The felt hardens as it is squeezed (force K depth^alpha, alpha 2.3 to 3), so a strong blow lasts shorter and sounds
-- brighter, not only louder. Waves come back from the near end while the hammer is still there and throw it off in several
-- pushes; then the string rings alone, a little sharp of harmonic because it is stiff. Length, weight, thickness, hammer and
-- felt are close to those of C2, C4 and C7 in Chaigne and Askenfelt (J. Acoust. Soc. Am. 95, 1994), joined
-- by straight lines over log f0; the tension follows from the pitch. Listened to on both sides of the bridge end: left
-- nearer to the bridge, right nearer to the middle. A key that sounds can be struck again: the hammer lies on its rail and
-- every blow throws it, against a string that still swings. When the key goes up, felt falls onto the string.
-- tuning: after 0.4 s
local f0       = param { "f0", 130.81, min = 55, max = 2093.1, scale = "log", unit = "Hz", label = "pitch" }
local strike   = param { "strike", 2, min = 0.3, max = 7, scale = "log", unit = "m/s", label = "velocity of the hammer" }
local hardness = param { "hardness", 1, min = 0.05, max = 20, scale = "log", label = "hardness of the felt against an ordinary one" }
local place    = param { "place", 1, min = 0.3, max = 3, scale = "log", label = "where it strikes, against the usual place" }
local decay    = param { "decay", 9, min = 0.5, max = 30, scale = "log", unit = "s", label = "how long middle C rings (60 dB)" }
local blow     = input { "blow", trigger = true, min = 0.3 / strike, max = 7 / strike, label = "throws the hammer; 1: as fast as strike says" }
local key      = input { "key", 1, min = 0, max = 1, smooth = 0.008, label = "1: down; 0: up, the damper falls" }
local pedal    = input { "pedal", 0, min = 0, max = 1, smooth = 0.02, label = "lifts the damper, whatever the key does" }

-- Between C2, C4 and C7, and a little beyond: v1, v2, v3 are the values there.
local function at_pitch(v1, v2, v3)
  local x = math.log(f0)
  local a, b, low, high = 65.41, 261.63, v1, v2
  if f0 > 261.63 then a, b, low, high = 261.63, 2093.0, v2, v3 end
  local part = (x - math.log(a)) / (math.log(b) - math.log(a))
  return math.exp(math.log(low) + part * (math.log(high) - math.log(low)))
end
local L = at_pitch(1.90, 0.62, 0.09)
local ring = decay * (261.63 / f0) ^ 0.5
local s = string { name = "string", length = L, frequency = f0, density = at_pitch(18.4e-3, 6.34e-3, 5.19e-3),
                   radius = at_pitch(6.0e-4, 5.0e-4, 4.3e-4), youngs = 2e11,
                   t60 = { { f0, ring }, { math.max(3000, 4 * f0), ring / 6 } } }
-- The hammer lies on its rail, far enough below that the string does not reach it, and flies up from there. Its weight is what
-- the lever leaves of it: it slows the slowest blow by a twentieth. The rail has thick felt that swallows the fall: the
-- hammer comes up from there at 1/damping at most.
local weight, below, air = at_pitch(4.9e-3, 2.97e-3, 2.2e-3), 6e-3, 1
local hammer = mass { name = "hammer", mass = weight, position = -below, damping = air }
contact { name = "felt", above = s, below = hammer, at_above = at_pitch(0.12, 0.12, 0.0625) * place * L,
          K = hardness * at_pitch(4e8, 4.5e9, 1e12), alpha = at_pitch(2.3, 2.5, 3), damping = 0.1 }
local throw = weight * (math.sqrt(strike ^ 2 + 2 * below) + air * below)
force { name = "throw", on = hammer, shape = "impulse", peak = throw, trigger = blow }
gravity { g = 1 }
contact { name = "rail", above = hammer, below = barrier { name = "rail", height = -below }, K = 1e5, alpha = 1.5, damping = 50 }
-- The damper, felt that presses on the string from above; key and pedal both lift it. It resists about as much as the string
-- does: more would hold it like a finger.
local lift, press, resists = 6e-3, 5e-4, 2 * L * f0 * at_pitch(18.4e-3, 6.34e-3, 5.19e-3)
contact { name = "damper", above = barrier { name = "damper", height = lift * pedal }, below = s, at = { 0.071 * L, 0.17 * L },
          gap = lift * key - press, K = resists / 20 / press ^ 1.5, alpha = 1.5, damping = 20 }
probe { on = s, at = 0.95 * L, quantity = "velocity", name = "left", channel = 1 }
probe { on = s, at = 0.86 * L, quantity = "velocity", name = "right", channel = 2, gain = 0.7 }
render { rate = 48000, duration = 4, normalise = true, title = "Felt piano" }
play { pitch = "f0", velocity = "blow", gate = "key", pedal = "pedal", mode = "keys" }

preset { "Una corda", hardness = 0.2, decay = 7 }
preset { "Bright", hardness = 6 }
preset { "Toy piano", hardness = 18, place = 0.45, decay = 2 }
