-- Newton's cradle: five steel balls on pendulums, almost touching. The first one is lifted and lets go;
-- the blow runs through the row and the last one flies off, again and again.
local N, M = 5, 0.05
local lift  = param { "lift", 0.04, min = 1e-3, max = 0.2, unit = "m", label = "how far the first ball is lifted" }
local space = param { "space", 1e-5, min = 0, max = 1e-3, unit = "m", label = "space between balls at rest" }

local ball = {}
for n = 1, N do
  -- a pendulum of 0.15 m swings at 1.29 Hz; a little air resistance
  ball[n] = mass { name = "ball" .. n, mass = M, frequency = 1.29, damping = 0.05, position = n == 1 and -lift or 0 }
end
for n = 1, N - 1 do
  contact { name = "click" .. n, above = ball[n + 1], below = ball[n], gap = space, K = 6e9, alpha = 1.5, damping = 0.02 }
end
probe { on = ball[N], quantity = "force", name = "clicks", channel = 1 }
for n = 1, N do probe { on = ball[n], quantity = "displacement", name = "x" .. n } end
render { rate = 96000, duration = 3, normalise = true, title = "Newton's cradle" }
