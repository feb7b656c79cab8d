-- Tromba marina with the string held on the bridge by a two-sided contact, Willemsen 2019 (section 8, equations 72 to 83):
-- collision rather than connection. The published scheme throughout, but for the odd psi of the two-sided law (equation 75 with
-- the even one puts an error of a sample into every zero crossing). As published the bridge sticks to the body most of the time;
-- --scheme ledger, with which tromba_marina.lua is played, lets it rattle. The notes print no numbers: these are those of the
-- author's instrument, plucked by default; height = 0 and bow_force = 0.5 bow it.
local K1 = param { "K1", 5e6, min = 1e4, max = 1e9, scale = "log", unit = "N/m^alpha", label = "stiffness of string against bridge" }
local K2 = param { "K2", 5e8, min = 1e5, max = 1e12, scale = "log", unit = "N/m^alpha", label = "stiffness of bridge against body" }
local play = param { "play", 0, min = 0, max = 1e-3, unit = "m", label = "epsilon of equation 72: half the free play of string and bridge" }
local height = param { "height", 1e-3, min = 0, max = 5e-3, unit = "m", label = "height of the pluck" }
local bow_force = param { "bow_force", 0, min = 0, max = 5, unit = "N", label = "force of the bow; 0: none" }
local bow_velocity = param { "bow_velocity", 0.2, min = -1, max = 1, unit = "m/s", label = "velocity of the bow" }

local L, radius, rho, f0 = 1.9, 5e-4, 7850, 32
local T = 4 * f0 ^ 2 * L ^ 2 * rho * math.pi * radius ^ 2
local s = string { name = "u", length = L, tension = T, material_density = rho, radius = radius, youngs = 2e11, sigma0 = 0.1,
                   sigma1 = 0.05, segments = 226, tuned = false }
local bridge = mass { name = "w", mass = 0.001, frequency = 500, damping = 0.05 }
local body = plate { name = "v", size = { 1.35, 0.18 }, thickness = 0.01, material_density = 50, youngs = 2e5, poisson = 0.3,
                     sigma0 = 2, sigma1 = 0.05, segments = { 134, 17 }, tuned = false }
local foot = contact { name = "foot", above = s, below = bridge, at_above = 1.65, interpolation = 0, K = K1, alpha = 1.3,
                       law = play > 0 and "centre-limited" or "two-sided", gap = play, scheme = "quadratised" }
local rattle = contact { name = "rattle", above = bridge, below = body, at_below = { 1.08, 0.135 }, interpolation = 0, gap = 5e-6,
                         K = K2, alpha = 1.3, scheme = "quadratised" }
if height > 0 then pluck { on = s, shape = "raised-cosine", at = 0.3 * L, height = height, width = 0.4 } end
if bow_force > 0 then bow { on = s, at = 0.2 * L, force = bow_force, velocity = bow_velocity } end
probe { on = s, at = 0.5, quantity = "velocity", name = "u'", channel = 1 }
probe { on = body, at = { 0.4, 0.09 }, quantity = "velocity", name = "v'", channel = 2 }
probe { on = bridge, quantity = "displacement", name = "w" }
probe { on = foot, quantity = "penetration", name = "eta1" }
probe { on = rattle, quantity = "penetration", name = "eta2" }
probe { on = rattle, quantity = "force", name = "f" }
render { rate = 44100, duration = 2, normalise = true, title = "Willemsen 2019: tromba marina" }
