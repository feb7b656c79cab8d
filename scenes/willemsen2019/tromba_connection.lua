-- Tromba marina with the string tied to the bridge by a spring, Willemsen 2019 (section 7 with the losses of 7.1, equations 38
-- to 71): K1, K3 and a damper 2 sigma_x between string and bridge, and a one-sided contact of the bridge with the plate.
-- Three bodies, two links, one block of two; the notes eliminate by hand. As published the contact pulls (min_force in the report)
-- and glues the bridge to the body: it is closed most of the time, with --scheme ledger one sample in a hundred, which is a rattle.
-- The notes print no numbers: string, plate and bridge are those of the author's instrument (as in tromba_marina.lua), K1, K3,
-- sigma_x and the pluck are ours, K3 so large that it matters.
local K = param { "K", 5e8, min = 1e5, max = 1e12, scale = "log", unit = "N/m^alpha", label = "stiffness of bridge against body" }
local K1 = param { "K1", 1e5, min = 1e2, max = 1e8, scale = "log", unit = "N/m", label = "spring between string and bridge" }
local K3 = param { "K3", 1e15, min = 0, max = 1e19, unit = "N/m^3", label = "its cubic part" }
local height = param { "height", 1e-3, min = 0, max = 5e-3, unit = "m", label = "height of the pluck" }
local bow_force = param { "bow_force", 0, min = 0, max = 5, unit = "N", label = "force of the bow; 0: none" }
local bow_velocity = param { "bow_velocity", 0.2, min = -1, max = 1, unit = "m/s", label = "velocity of the bow" }
local foot = param { "foot", 1.65, min = 0.1, max = 1.8, unit = "m", label = "where the bridge stands under the string" }

local L, radius, rho, f0 = 1.9, 5e-4, 7850, 32
local T = 4 * f0 ^ 2 * L ^ 2 * rho * math.pi * radius ^ 2
local s = string { name = "u", length = L, tension = T, material_density = rho, radius = radius, youngs = 2e11, sigma0 = 0.1,
                   sigma1 = 0.05, segments = 226, tuned = false }
local bridge = mass { name = "w", mass = 0.001, frequency = 500, damping = 0.05 }
local body = plate { name = "v", size = { 1.35, 0.18 }, thickness = 0.01, material_density = 50, youngs = 2e5, poisson = 0.3,
                     sigma0 = 2, sigma1 = 0.05, segments = { 134, 17 }, tuned = false }
spring { name = "connection", between = { s, bridge }, at_a = foot, K1 = K1, K3 = K3, damping = 0.01 }
local rattle = contact { name = "rattle", above = bridge, below = body, at_below = { 1.08, 0.135 }, interpolation = 0, gap = 5e-6,
                         K = K, alpha = 1.3, scheme = "quadratised" }
if height > 0 then pluck { on = s, shape = "raised-cosine", at = 0.3 * L, height = height, width = 0.4 } end
if bow_force > 0 then bow { on = s, at = 0.2 * L, force = bow_force, velocity = bow_velocity } end
probe { on = s, at = 0.5, quantity = "velocity", name = "u'", channel = 1 }
probe { on = body, at = { 0.4, 0.09 }, quantity = "velocity", name = "v'", channel = 2 }
probe { on = bridge, quantity = "displacement", name = "w" }
probe { on = s, at = foot, quantity = "displacement", name = "u_br" }
probe { on = rattle, quantity = "penetration", name = "eta" }
probe { on = rattle, quantity = "force", name = "f" }
render { rate = 44100, duration = 2, normalise = true, title = "Willemsen 2019: tromba marina, connected" }
