-- The mass of case 1 bounces under gravity, Papetti, Avanzini and Rocchesso 2011 (section 4.3, figure 8).
-- Look at when it lands: percents of exit speed become milliseconds after a few bounces. After ten of them the
-- energy is off by 1e-2 with am1 or rk4, and by 1e-6 with invariant.
local K = param { "K", 1e7, min = 1e3, max = 1e12, scale = "log", unit = "N/m^alpha", label = "stiffness" }
local alpha = param { "alpha", 1.1, min = 1, max = 4, label = "exponent of the force" }
local mu = param { "mu", 0.1, min = 0, max = 10, unit = "s/m", label = "Hunt-Crossley damping" }
local v = param { "v", 0.3, min = 0.01, max = 10, scale = "log", unit = "m/s", label = "speed at first touch" }

local ball = mass { mass = 0.01, velocity = -v }
local wall = barrier { height = 0 }
local hit = contact { name = "impact", above = ball, below = wall, K = K, alpha = alpha, damping = mu, scheme = "am1" }
gravity { g = 9.81 }
probe { on = ball, quantity = "displacement", name = "u" }
probe { on = ball, quantity = "velocity", name = "v" }
probe { on = hit, quantity = "force", name = "f" }
probe { on = hit, quantity = "penetration", name = "x" }
render { rate = 44100, duration = 0.6, title = "Papetti, Avanzini and Rocchesso 2011: bouncing" }
