-- Hard impact with hardly any loss, Papetti, Avanzini and Rocchesso 2011 (case 1, figure 5, table 1a): 10 g,
-- 7.67 samples of contact. Look at the exit speed: am1 +1.293 %, verlet +1.660 %, heun +1.467 %, rk4 -0.125 %,
-- invariant exact. Choose with --scheme, or see them side by side with sistrum compare.
local K = param { "K", 1e7, min = 1e3, max = 1e12, scale = "log", unit = "N/m^alpha", label = "stiffness" }
local alpha = param { "alpha", 1.1, min = 1, max = 4, label = "exponent of the force" }
local mu = param { "mu", 0.1, min = 0, max = 10, unit = "s/m", label = "Hunt-Crossley damping" }
local v = param { "v", 0.3, min = 0.01, max = 10, scale = "log", unit = "m/s", label = "speed at first touch" }

local ball = mass { mass = 0.01, velocity = -v }
local wall = barrier { height = 0 }
local hit = contact { name = "impact", above = ball, below = wall, K = K, alpha = alpha, damping = mu, scheme = "am1" }
probe { on = ball, quantity = "displacement", name = "u" }
probe { on = ball, quantity = "velocity", name = "v" }
probe { on = hit, quantity = "force", name = "f" }
probe { on = hit, quantity = "penetration", name = "x" }
render { rate = 44100, duration = 0.001, title = "Papetti, Avanzini and Rocchesso 2011: case1" }
