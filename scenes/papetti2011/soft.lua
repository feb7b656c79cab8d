-- Soft impact of Papetti, Avanzini and Rocchesso 2011 (section 3.3.1, figure 4): 10 g, hundreds of samples
-- of contact. Look at the phase portrait and at force over compression: here all schemes lie on one curve.
-- (K = 1e5 is our choice: the exponent in the caption is not legible in the copy we have.)
local K = param { "K", 1e5, min = 1e3, max = 1e12, scale = "log", unit = "N/m^alpha", label = "stiffness" }
local alpha = param { "alpha", 1.6, min = 1, max = 4, label = "exponent of the force" }
local mu = param { "mu", 0.5, min = 0, max = 10, unit = "s/m", label = "Hunt-Crossley damping" }
local v = param { "v", 0.3, min = 0.01, max = 10, scale = "log", unit = "m/s", label = "speed at first touch" }

local ball = mass { mass = 0.01, velocity = -v }
local wall = barrier { height = 0 }
local hit = contact { name = "impact", above = ball, below = wall, K = K, alpha = alpha, damping = mu, scheme = "am1" }
probe { on = ball, quantity = "displacement", name = "u" }
probe { on = ball, quantity = "velocity", name = "v" }
probe { on = hit, quantity = "force", name = "f" }
probe { on = hit, quantity = "penetration", name = "x" }
render { rate = 44100, duration = 0.012, title = "Papetti, Avanzini and Rocchesso 2011: soft" }
