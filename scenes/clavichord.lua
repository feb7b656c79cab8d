-- Clavichord: a brass tangent hits the string and stays, being hammer and bridge in one
-- The tangent at the end of the key divides the string. To its right, up to the bridge, it sounds; to its left cloth takes
-- every motion away. So the note begins with a blow, and the pitch is that of the part between tangent and bridge for as
-- long as the key is held: let go (key, or held), cloth is on the whole string and silence follows. Pressing deeper pulls the
-- string up and tightens it (Kirchhoff and Carrier): a swaying finger gives the vibrato called Bebung, by itself (bebung) or
-- as the player presses (deeper; let it begin at 0, the string is not lifted yet). A faster key is louder. Yellow brass wire,
-- 0.3 mm thick. The string is tuned so that the sounding part with its tangent, its stiffness and the pull of the key rings at f0.
-- tuning: --set bebung=0 --set held=4 after 0.5 s
local f0     = param { "f0", 220, min = 65.4, max = 1046.5, scale = "log", unit = "Hz", label = "pitch" }
local strike = param { "strike", 0.5, min = 0.05, max = 2, scale = "log", unit = "m/s", label = "velocity of the tangent" }
local press  = param { "press", 3e-3, min = 5e-4, max = 4e-3, unit = "m", label = "how far it lifts the string" }
local bebung = param { "bebung", 0.35, min = 0, max = 0.6, label = "vibrato of the finger, part of press" }
local sway   = param { "sway", 5, min = 2, max = 9, unit = "Hz", label = "speed of the vibrato" }
local held   = param { "held", 4, min = 0.1, max = 4, unit = "s", label = "when the key is let go by itself; 4: only by the player" }
local decay  = param { "decay", 4, min = 0.3, max = 12, scale = "log", unit = "s", label = "how long it rings (60 dB)" }
local deeper = input { "deeper", 0, min = 0, max = 2.5e-3, unit = "m", smooth = 0.02, label = "how much further the finger presses" }
local key    = input { "key", 1, min = 0, max = 1, smooth = 0.02, label = "1: the key is down; 0: let go, cloth is on the string" }

local radius, brass, youngs = 1.5e-4, 8500, 1.05e11
local density, EI, EA = brass * math.pi * radius ^ 2, youngs * math.pi * radius ^ 4 / 4, youngs * math.pi * radius ^ 2
local sounding = 0.62 * (220 / f0) ^ 0.85
local blade = 3e7 -- N/m^1.5: brass on brass, along a narrow edge
-- About 10 cm lie to the left of the tangent: a whole number of steps of the grid, so that it meets the string at a point of it.
-- The grid: h^2 >= (c^2 k^2 + sqrt(c^4 k^4 + 16 kappa^2 k^2))/2, and a tenth more room for a tension that grows.
local step, c, kappa = 1 / 44100, 2 * sounding * f0, math.sqrt(EI / density)
local h = 1.1 * math.sqrt(((c * step) ^ 2 + math.sqrt((c * step) ^ 4 + 16 * (kappa * step) ^ 2)) / 2)
local right = math.floor(sounding / h)
local left = math.max(4, math.floor(0.1 / (sounding / right) + 0.5))
local damped = sounding * left / right
local L = sounding + damped
-- The tension at which it rings at f0 with the edge of the tangent under it, a spring of the slope of its force where it rests:
-- the sum over the modes of the grid, a_n sin^2(n pi left/N)/(w_n^2 - w^2), a_n = 2/(density L), is -1/slope, for
-- w_n^2 = (c^2 + kappa^2 q) q and q = (2/h sin(n pi/2N))^2; w as steps of the rate see it, 2/k sin(w k/2); bisected. That grid is
-- the same at every rate from 44.1 kHz on, and tuned = false leaves its stiffness alone: so is the pitch, within 1.4 cents.
local N, w = left + right, 2 * 48000 * math.sin(math.pi * f0 / 48000)
local q, weight = {}, {}
for n = 1, N - 1 do
  q[n] = (2 * N / L * math.sin(n * math.pi / (2 * N))) ^ 2
  weight[n] = 2 / (density * L) * math.sin(n * math.pi * left / N) ^ 2
end
local ideal = density * (2 * sounding * f0) ^ 2
local low, high = 0.9 * ideal, 1.06 * ideal
for _ = 1, 45 do
  local T = (low + high) / 2
  local rests = (T * press * (1 / damped + 1 / sounding) / blade) ^ (2 / 3)
  local sum = 1 / (1.5 * blade * math.sqrt(rests))
  for n = 1, N - 1 do sum = sum + weight[n] / ((T / density + kappa ^ 2 * q[n]) * q[n] - w * w) end
  if sum > 0 then low = T else high = T end
end
local T = low
-- Lifted by `press` the string is longer: that much of the tension comes from the key.
local pull = EA / (2 * L) * press ^ 2 * (1 / damped + 1 / sounding)
local s = string { name = "string", length = L, tension = T - pull, density = density, radius = radius, youngs = youngs,
                   nonlinear = "kirchhoff-carrier", segments = left + right, tuned = false,
                   t60 = { { f0, decay }, { math.max(4000, 5 * f0), decay / 6 } } }
-- Up at constant speed from just below the string; the last quarter of the way is braked by the finger. Then it sways, and falls.
local path, rise, last = {}, 0, 0
local function go(t, u)
  if t > last then path[#path + 1], last = { t, u }, t end
end
local from = -2e-5
path[1] = { 0, from }
local straight = (0.75 * press - from) / strike
go(straight, 0.75 * press)
local soft = 2 * 0.25 * press / strike
for i = 1, 12 do
  local x = i / 12
  go(straight + soft * x, press * (0.75 + 0.25 * (2 * x - x * x)))
end
rise = straight + soft
local steps = math.floor((held - 0.3) * 1000)
for i = 1, steps do
  local t = 0.3 + i / 1000
  local swell = math.min(1, i / 300)
  if t > rise then go(t, press * (1 + bebung * swell * math.sin(2 * math.pi * sway * (t - 0.3)))) end
end
if held < 4 then
  go(math.max(held, rise + 0.01), press)
  go(math.max(held, rise + 0.01) + 0.02, -2e-3)
end
local tangent = mass { name = "tangent", path = path }
contact { name = "blade", above = s, below = tangent, at_above = damped, gap = -deeper, K = blade, alpha = 1.5 }
-- Cloth woven between the strings, to the left of the tangent; to its right when the key is let go.
for n = 1, 4 do spring { name = "cloth" .. n, between = { s, "ground" }, at_a = damped * (0.1 + 0.18 * n), damping = 0.25 } end
for n, x in ipairs { 0.07, 0.18 } do
  spring { name = "listing" .. n, between = { s, "ground" }, at_a = damped + x * sounding, damping = 0.25 * (1 - key) }
end
probe { on = s, at = damped + 0.93 * sounding, quantity = "velocity", name = "left", channel = 1 }
probe { on = s, at = damped + 0.81 * sounding, quantity = "velocity", name = "right", channel = 2, gain = 0.7 }
render { rate = 48000, duration = 3, normalise = true, title = "Clavichord" }
play { pitch = "f0", velocity = "strike", gate = "key", pressure = "deeper", release = 0.2 }

preset { "Plain", bebung = 0 }
preset { "Trembling", bebung = 0.55, sway = 6.5 }
preset { "Dry", bebung = 0.2, decay = 0.8 }
