-- A mass on a hardening spring: the cubic oscillator of Ducceschi 2017, whose pitch rises with amplitude.
-- Exact frequency: w = pi sqrt(K1/m + K3 A^2/m) / (2 K(m')), an elliptic integral (see docs/physics.md).
local amplitude = param { "amplitude", 0.5, min = 1e-3, max = 2, unit = "m", label = "initial displacement" }

local m = mass { mass = 0.01, position = amplitude }
spring { between = { m, "ground" }, K1 = 100, K3 = 20000 }
probe { on = m, quantity = "displacement", name = "u" }
render { rate = 44100, duration = 1, normalise = true }
