-- Cubic oscillator: a mass on a hardening spring, whose pitch rises with amplitude
-- With a = K1/m and b = K3/m the exact frequency of
-- amplitude A is sqrt(a + b A^2) / (4 K(q)), K the complete elliptic integral of parameter q = b A^2 / (2 (a + b A^2)).
local amplitude = param { "amplitude", 0.5, min = 1e-3, max = 2, unit = "m", label = "initial displacement" }

local m = mass { mass = 0.01, position = amplitude }
spring { between = { m, "ground" }, K1 = 100, K3 = 20000 }
probe { on = m, quantity = "displacement", name = "u" }
render { rate = 44100, duration = 1, normalise = true }
