-- Newton's cradle: five steel balls on pendulums, almost touching; one is lifted and let go
-- The first ball swings down and hits the row; the blow runs through as a wave of compression, each pair of balls pressed
-- flat for a hundred microseconds (Hertz: force K depth^1.5), and the last one flies off with nearly all of the motion,
-- again and again. Nearly: the balls in between keep a little, steel loses a little, and after some minutes all five swing
-- together. What is heard are the forces of the first pair (left) and of the last (right), a hair apart in time. Balls of 23
-- mm (50 g), threads of 0.15 m.
local lift  = param { "lift", 0.04, min = 1e-3, max = 0.2, scale = "log", unit = "m", label = "how far the first ball is lifted" }
local space = param { "space", 1e-5, min = 0, max = 1e-3, unit = "m", label = "space between balls at rest" }
local hard  = param { "hard", 6e9, min = 1e5, max = 2e10, scale = "log", unit = "N/m^1.5", label = "hardness: 1e5 rubber, 1e8 wood, 6e9 steel" }
local loss  = param { "loss", 0.02, min = 0, max = 1, unit = "s/m", label = "what a blow loses, per speed" }

local N, M = 5, 0.05
local ball = {}
for n = 1, N do
  -- a pendulum of 0.15 m swings at 1.29 Hz; a little air resistance
  ball[n] = mass { name = "ball" .. n, mass = M, frequency = 1.29, damping = 0.05, position = n == 1 and -lift or 0 }
end
local click = {}
for n = 1, N - 1 do
  click[n] = contact { name = "click" .. n, above = ball[n + 1], below = ball[n], gap = space, K = hard, alpha = 1.5, damping = loss }
end
probe { on = click[1], quantity = "force", name = "first click", channel = 1 }
probe { on = click[N - 1], quantity = "force", name = "last click", channel = 2 }
for n = 1, N do probe { on = ball[n], quantity = "displacement", name = "x" .. n } end
render { rate = 96000, duration = 3, normalise = true, title = "Newton's cradle" }
play { velocity = "lift" }
