-- Mass on a spring thrown up against a rigid barrier, Ducceschi and Bilbao 2019 (figures 1 to 3). K = 5e4 is figure 1, 7e7 figures
-- 2 and 3, --rate 220500 figure 3. Look at sistrum plot --what energy, with --scheme newton, quadratised or ledger: with K = 7e7
-- quadratised keeps three fifths of the speed at the first collision, the open contact the rest of the energy.
local K = param { "K", 7e7, min = 1e3, max = 1e11, scale = "log", unit = "N/m^alpha", label = "barrier stiffness" }
local position = param { "position", -0.5, min = -1, max = 0.19, unit = "m", label = "start" }
local velocity = param { "velocity", 1, min = -100, max = 100, unit = "m/s", label = "speed at the start" }

local m = mass { name = "u", mass = 0.01, frequency = 10, position = position, velocity = velocity }
local b = barrier { height = 0.2 }
local touch = contact { name = "contact", above = b, below = m, K = K, alpha = 1.1, scheme = "quadratised" }
probe { on = m, quantity = "displacement", name = "u" }
probe { on = touch, quantity = "penetration", name = "eta" }
render { rate = 44100, duration = 1, normalise = true, title = "Ducceschi and Bilbao 2019: mass, spring and barrier" }
