-- Hard impact with loss, Papetti, Avanzini and Rocchesso 2011 (case 2, figures 1, 2 and 6, table 1b): 10 g,
-- 5.86 samples of contact. Look at the exit speed against the published fit: am1 +2.551 %, verlet +0.839 %,
-- heun -4.692 %, rk4 -0.105 %; and, with v = 1 ... 4, at the phase portrait and the hysteresis of the force.
local K = param { "K", 1e9, min = 1e3, max = 1e12, scale = "log", unit = "N/m^alpha", label = "stiffness" }
local alpha = param { "alpha", 1.5, min = 1, max = 4, label = "exponent of the force" }
local mu = param { "mu", 0.5, min = 0, max = 10, unit = "s/m", label = "Hunt-Crossley damping" }
local v = param { "v", 1, min = 0.01, max = 10, scale = "log", unit = "m/s", label = "speed at first touch" }

local ball = mass { mass = 0.01, velocity = -v }
local wall = barrier { height = 0 }
local hit = contact { name = "impact", above = ball, below = wall, K = K, alpha = alpha, damping = mu, scheme = "am1" }
probe { on = ball, quantity = "displacement", name = "u" }
probe { on = ball, quantity = "velocity", name = "v" }
probe { on = hit, quantity = "force", name = "f" }
probe { on = hit, quantity = "penetration", name = "x" }
render { rate = 44100, duration = 0.001, title = "Papetti, Avanzini and Rocchesso 2011: case2" }
