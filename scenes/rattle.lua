-- Rattle: a loose rod between two shaken stops; it sounds only by colliding
-- The rods of a sistrum, the pea of a whistle, a loose screw: something free to move a little within something that is
-- shaken. While the frame turns round the rod flies on and is caught by the stop on the other side; each landing is a click,
-- and whether the next one comes early or late depends on the last: regular when the play is small, erratic when it is wide.
-- The force of the two stops is what is heard, one counted up and one down, so that it is the rod's acceleration. Steel on
-- steel, 2 g. With more play than it is shaken it is silent.
-- silent: play=0.01 amount=1e-4
local room   = param { "play", 2e-4, min = 1e-6, max = 1e-2, scale = "log", unit = "m", label = "half the free play" }
local shake  = param { "shake", 40, min = 1, max = 400, scale = "log", unit = "Hz", label = "shaking frequency" }
local amount = param { "amount", 1e-3, min = 1e-4, max = 5e-3, scale = "log", unit = "m", label = "how far it is shaken" }

local frame = {}
for n = 0, 4000 do frame[n + 1] = { n / 4000, amount * math.sin(2 * math.pi * shake * n / 4000) } end
local top    = mass { name = "upper stop", path = frame }
local bottom = mass { name = "lower stop", path = frame }
local rod    = mass { name = "rod", mass = 2e-3, frequency = 15, damping = 2 }

local up   = contact { name = "up", above = top, below = rod, K = 4e8, alpha = 1.5, damping = 0.5, gap = room }
local down = contact { name = "down", above = rod, below = bottom, K = 4e8, alpha = 1.5, damping = 0.5, gap = room }
probe { on = down, quantity = "force", name = "blows from below", channel = 1 }
probe { on = up, quantity = "force", name = "blows from above", channel = 1, gain = -1 }
probe { on = rod, quantity = "displacement", name = "rod" }
render { rate = 48000, duration = 1, normalise = true, title = "Rattle" }
play { velocity = "amount" }
