-- The corrections of Papetti, Avanzini and Rocchesso 2011 (section 4.2, figure 7): compression held to its maximum, exit
-- speed set. Look at the energy with --set corrected=0 and 1: it ends where it must, but on the way it still rises; with
-- --scheme invariant it never does. As it stands this is case 1; case 2: K = 1e9, alpha = 1.5, mu = 0.5, v = 1.
local K = param { "K", 1e7, min = 1e3, max = 1e12, scale = "log", unit = "N/m^alpha", label = "stiffness" }
local alpha = param { "alpha", 1.1, min = 1, max = 4, label = "exponent of the force" }
local mu = param { "mu", 0.1, min = 0, max = 10, unit = "s/m", label = "Hunt-Crossley damping" }
local v = param { "v", 0.3, min = 0.01, max = 10, scale = "log", unit = "m/s", label = "speed at first touch" }
local corrected = param { "corrected", 1, min = 0, max = 1, label = "corrections on (1) or off (0)" }

local ball = mass { mass = 0.01, velocity = -v }
local wall = barrier { height = 0 }
local hit = contact { name = "impact", above = ball, below = wall, K = K, alpha = alpha, damping = mu, scheme = "verlet",
                      corrected = corrected >= 0.5 }
probe { on = ball, quantity = "displacement", name = "u" }
probe { on = ball, quantity = "velocity", name = "v" }
probe { on = hit, quantity = "force", name = "f" }
probe { on = hit, quantity = "penetration", name = "x" }
render { rate = 44100, duration = 0.001, title = "Papetti, Avanzini and Rocchesso 2011: corrected" }
