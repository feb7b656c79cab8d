-- Marimba: a wooden bar and a yarn mallet, with a buzzing membrane if wanted
-- The bar is given by its modes: free at both ends and hollowed out below until its overtones are at 4 and about 10 times
-- the lowest. The mallet is a mass with a soft head; it touches for about as long as the lowest mode turns round, so it
-- stirs the fundamental and hardly the rest, unless head or blow are hard: then the contact is shorter and the double octave
-- speaks. Wood loses high modes first. The marimbas of Mexico and Guatemala buzz: a small membrane at the resonator rattles
-- against its rim (charleo). Here it is a light loose plate by the bar, at rest a hair's breadth away: strong notes buzz,
-- soft ones do not. Rosewood: shapes of a free bar, masses of a 4 1/3 octave one.
-- tuning: --set buzz=0 after 0.1 s
local f0     = param { "f0", 220, min = 65.4, max = 2093.1, scale = "log", unit = "Hz", label = "pitch" }
local strike = param { "strike", 1.5, min = 0.2, max = 6, scale = "log", unit = "m/s", label = "velocity of the mallet" }
local head   = param { "head", 1, min = 0.03, max = 100, scale = "log", label = "hardness of the mallet: 0.1 soft yarn, 1 hard yarn, 30 rubber" }
local place  = param { "place", 0.4, min = 0.05, max = 0.95, label = "where it strikes, in lengths of the bar" }
local buzz   = param { "buzz", 3e-4, min = 0, max = 3e-3, unit = "kg", label = "mass of the buzzing membrane; 0: none" }
local decay  = param { "decay", 1, min = 0.2, max = 5, scale = "log", label = "how long it rings, against rosewood" }

-- Shape of mode n = 1, 2, 3 of a free bar at x from 0 to 1: cosh b x + cos b x - s (sinh b x + sin b x), the ends at +-2.
local function free_bar(n, x)
  local b = ({ 4.730041, 7.853205, 10.995608 })[n]
  local function cosh(v) return (math.exp(v) + math.exp(-v)) / 2 end
  local function sinh(v) return (math.exp(v) - math.exp(-v)) / 2 end
  local s = (cosh(b) - math.cos(b)) / (sinh(b) - math.sin(b))
  return cosh(b * x) + math.cos(b * x) - s * (sinh(b * x) + math.sin(b * x))
end
local bar_mass = 0.45 * (65.4 / f0) ^ 0.75 -- kg
local ring = 2.2 * (110 / f0) ^ 0.8 * decay -- s, 60 dB
local modes = {}
for n, times in ipairs { 1, 3.98, 9.6 } do
  if f0 * times < 20000 then
    modes[n] = { frequency = f0 * times, t60 = ring / times ^ 0.7, mass = bar_mass,
                 shape = { free_bar(n, place), free_bar(n, 0.31), free_bar(n, 0.96), free_bar(n, 0.44) } }
  end
end
local bar = modal { name = "bar", modes = modes }
-- Players take harder and lighter mallets for higher bars.
local mallet = mass { name = "mallet", mass = 0.03 * (220 / f0) ^ 0.3, position = 1e-4, velocity = -strike, damping = 1 }
contact { name = "head", above = mallet, below = bar, at_below = 1, K = 4e8 * head * (f0 / 220) ^ 1.8, alpha = 2, damping = 0.3 }
if buzz > 0 then
  local skin = mass { name = "membrane", mass = buzz, frequency = 1.37 * f0, damping = 60 }
  contact { name = "charleo", above = bar, below = skin, at_above = 4, gap = 1e-5 * (220 / f0), K = 2e5, alpha = 1.3, damping = 0.1 }
  probe { on = skin, quantity = "velocity", name = "buzz left", channel = 1, gain = 0.15 }
  probe { on = skin, quantity = "velocity", name = "buzz right", channel = 2, gain = 0.1 }
end
probe { on = bar, at = 2, quantity = "velocity", name = "left", channel = 1 }
probe { on = bar, at = 3, quantity = "velocity", name = "right", channel = 2, gain = -0.6 } -- the end swings against the middle
render { rate = 48000, duration = 2, normalise = true, title = "Marimba" }
play { pitch = "f0", velocity = "strike" }

preset { "Soft yarn", head = 0.1, buzz = 0 }
preset { "Xylophone", head = 60, buzz = 0, decay = 0.4 }
preset { "Gyil, strong buzz", head = 8, buzz = 7e-5, decay = 0.7 }
