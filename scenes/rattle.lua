-- A loose element between two stops, shaken by its spring: the snare of a drum, the jack of a doll, the
-- rods of a sistrum. It sounds only by colliding.
local play  = param { "play", 2e-4, min = 1e-6, max = 1e-2, scale = "log", unit = "m", label = "half the free play" }
local shake = param { "shake", 40, min = 1, max = 400, unit = "Hz", label = "shaking frequency" }

local frame = {}
for n = 0, 4000 do frame[n + 1] = { n / 4000, 1e-3 * math.sin(2 * math.pi * shake * n / 4000) } end
local top    = mass { name = "upper stop", path = frame }
local bottom = mass { name = "lower stop", path = frame }
local rod    = mass { name = "rod", mass = 2e-3, frequency = 15, damping = 2 }

contact { name = "up",   above = top, below = rod, K = 4e8, alpha = 1.5, damping = 0.5, gap = play }
contact { name = "down", above = rod, below = bottom, K = 4e8, alpha = 1.5, damping = 0.5, gap = play }
probe { on = rod, quantity = "force", name = "rattle" }
probe { on = rod, quantity = "displacement", name = "rod" }
render { rate = 48000, duration = 1, normalise = true, title = "Rattle" }
