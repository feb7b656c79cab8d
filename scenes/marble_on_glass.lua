-- Marble on glass: glass marbles fall on a glass plate and bounce until they rest
-- Each marble meets the plate for some 50 millionths of a second (Hertz: force K depth^1.5, K from the modulus of glass and
-- the radius), shorter the faster it falls. What it gives to the plate it lacks at the next bounce: the times between
-- bounces shrink as a geometric series and run together into a buzz before it lies still. The plate is a sum of its modes,
-- held at its edges; it rings between the blows, and a marble that lands on a moving plate leaves it faster or slower than
-- it would from one at rest. Window glass: 70 GPa, 2500 kg/m^3; marbles of 16 mm, 5.3 g.
local height  = param { "height", 0.08, min = 2e-3, max = 0.5, scale = "log", unit = "m", label = "how high they fall from" }
local marbles = param { "marbles", 2, min = 1, max = 5, label = "how many marbles" }
local size    = param { "size", 0.30, min = 0.12, max = 0.6, unit = "m", label = "length of the plate" }
local thick   = param { "thick", 8e-3, min = 3e-3, max = 0.012, scale = "log", unit = "m", label = "thickness of the plate" }
local hard    = param { "hard", 1, min = 1e-3, max = 3, scale = "log", label = "hardness of the marbles: 0.001 cork, 0.03 wood, 1 glass, 3 steel" }
local decay   = param { "decay", 0.8, min = 0.1, max = 4, scale = "log", unit = "s", label = "how long the plate rings (60 dB)" }

local lx, ly = size, 0.77 * size
-- Modes below 18 kHz: f = pi/2 sqrt(D/(rho H)) ((p/lx)^2 + (q/ly)^2).
local bending = math.pi / 2 * math.sqrt(7e10 * thick ^ 2 / (12 * (1 - 0.22 ^ 2) * 2500))
local modes = 0
for p = 1, 60 do
  for q = 1, 60 do
    if bending * ((p / lx) ^ 2 + (q / ly) ^ 2) < 18000 then modes = modes + 1 end
  end
end
local glass = plate { name = "plate", size = { lx, ly }, thickness = thick, material_density = 2500, youngs = 7e10, poisson = 0.22,
                      sigma0 = 3 * math.log(10) / decay, sigma1 = 4e-3, model = "modal", modes = math.min(modes, 120) }
local radius = 8e-3
local K = 4 / 3 * 7e10 / (2 * (1 - 0.22 ^ 2)) * math.sqrt(radius) * hard
for n = 1, math.floor(marbles + 0.5) do
  -- It begins where it has fallen from that height already, the next one a moment later.
  local marble = mass { name = "marble" .. n, mass = 2500 * 4 / 3 * math.pi * radius ^ 3, position = 1e-4 + 8e-3 * (n - 1),
                         velocity = -math.sqrt(2 * 9.81 * height) }
  contact { name = "blow" .. n, above = marble, below = glass, K = K, alpha = 1.5, damping = 0.02,
            at_below = { lx * (0.18 + 0.61 * (0.618 * n % 1)), ly * (0.21 + 0.55 * (0.755 * n % 1)) } }
end
gravity { g = 9.81 }
probe { on = glass, at = { 0.19 * lx, 0.31 * ly }, quantity = "velocity", name = "left", channel = 1 }
probe { on = glass, at = { 0.83 * lx, 0.42 * ly }, quantity = "velocity", name = "right", channel = 2 }
render { rate = 48000, oversample = 2, duration = 2.5, normalise = true, title = "Marble on glass" }
play { velocity = "height" }
