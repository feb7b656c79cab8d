-- NAME: a struck string that buzzes on a curved bridge, and a wooden board that answers
--
-- A scene is a Lua file. Each word below makes one thing; all units are SI (m, kg, s, N, Hz).
--   sistrum render NAME.lua -o NAME.wav                 hear it
--   sistrum render NAME.lua -o low.wav --set f0=73.4    turn a knob without editing
--   sistrum help string                                 every key of a word, with unit, range and default

-- param: a knob. "name", default, range; `scale = "log"` for what the ear takes in ratios.
local f0     = param { "f0", 110, min = 40, max = 440, scale = "log", unit = "Hz", label = "pitch" }
local strike = param { "strike", 2.5, min = 0.2, max = 6, unit = "m/s", label = "velocity of the hammer" }
local buzz   = param { "buzz", 0.3, min = 0.03, max = 3, scale = "log", unit = "m", label = "roundness of the bridge" }

-- string: frequency is its pitch (or give tension), radius and youngs its stiffness, t60 how long it rings:
-- { frequency, seconds until it is 60 dB down }, low and high. Lua does the arithmetic: higher strings are shorter.
local L = 0.8 * (110 / f0) ^ 0.8
local wire = string { length = L, frequency = f0, material_density = 7850, radius = 2.5e-4, youngs = 2e11,
                      t60 = { { 100, 10 }, { 4000, 4 } } }

-- barrier: a rigid obstacle. Its height may be a function of the place x along the string, here a parabola
-- whose top touches the string 6 mm from the end.
local bridge = barrier { height = function(x) return -(x - 0.006) ^ 2 / (2 * buzz) end, from = 0, to = 0.04 }

-- contact: who may collide with whom. The force is K (penetration)^alpha, and only pushes; damping makes it
-- lose energy. Without this line the string would pass through the bridge.
contact { above = wire, below = bridge, K = 1e10, alpha = 1.5, damping = 0.01 }

-- mass: a point. This one is a felt hammer that flies up at the string from just below; felt is softer than
-- steel (small K) and hardens when pressed (large alpha). damping brings it to rest after the blow.
local hammer = mass { mass = 4e-3, position = -1e-4, velocity = strike, damping = 20 }
contact { above = wire, below = hammer, at_above = 0.13 * L, K = 3e8, alpha = 2.3, damping = 0.1 }

-- modal: a body given by its modes: { frequency, t60, mass, shape }. spring: ties two bodies for good.
-- This one is soft, or it would pull the string out of tune.
local board = modal { modes = { { 98, 0.5, 0.15, 1 }, { 204, 0.4, 0.1, -0.9 }, { 391, 0.3, 0.08, 0.8 } } }
spring { between = { wire, board }, at_a = 0.99 * L, at_b = 1, K1 = 120 }

-- probe: where to listen. The first one is the left channel of the sound, channel = 2 the right one.
probe { on = wire, at = 0.9 * L, quantity = "velocity", name = "wire", channel = 1 }
probe { on = wire, at = 0.9 * L, quantity = "velocity", gain = 0.6, name = "wire again", channel = 2 }
probe { on = board, at = 1, quantity = "velocity", gain = 1500, name = "board", channel = 2 }

-- render: how long and how fine. oversample: steps per sample, for a bridge of many points.
render { rate = 44100, oversample = 2, duration = 4, normalise = true, title = "NAME" }

-- play: which knobs a note turns: sistrum render NAME.lua -o a.wav --note E2 --velocity 0.5, or --midi song.mid.
play { pitch = "f0", velocity = "strike" }

-- Try: take the hammer away and pluck: pluck { on = wire, shape = "triangle", at = 0.2 * L, height = 2e-3 }
-- or bow: bow { on = wire, at = 0.1 * L, force = 0.5, velocity = 0.2 }. Put plate { ... } where the board is.
-- gravity { g = 9.81 } pulls masses down, force { ... } pushes anything. `sistrum scenes` has more to copy from:
-- sistrum new mine --from sitar
