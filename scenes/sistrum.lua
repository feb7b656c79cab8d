-- Sistrum: a bronze hoop on a handle, with rods that lie loosely in its holes
-- The rattle of ancient Egypt. Shaken, the hoop runs away from under the rods and catches them at the other side of the
-- holes; nothing else makes them sound. Hoop and rods are bodies given by their modes: each flies as a whole (0 Hz) and
-- rings in its bending modes (a free rod: 1, 2.757, 5.404 and 8.933 times the lowest, its ends moving most). Each end of a
-- rod is a contact with free play on both sides, so one stroke of the hand gives a scatter of clicks that depends on where
-- every rod happened to be: the scene is exact, the rhythm is not. Shaken less than the rods have room it is silent.
-- silent: width=2e-3
local speed = param { "speed", 4.5, min = 1, max = 9, unit = "Hz", label = "strokes of the hand per second" }
local width = param { "width", 0.025, min = 2e-3, max = 0.06, unit = "m", label = "how far the hand swings" }
local room  = param { "play", 3e-3, min = 1e-4, max = 1e-2, scale = "log", unit = "m", label = "play of the rods, to each side" }
local pitch = param { "pitch", 1150, min = 300, max = 4000, scale = "log", unit = "Hz", label = "lowest mode of the longest rod" }
local rods  = param { "rods", 4, min = 1, max = 5, label = "how many rods" }

local count = math.floor(rods + 0.5)
-- The hand swings to and fro for a second and a half, then holds still.
local path = {}
for n = 0, 2000 do
  local t = n / 1000
  local swell = t < 1.5 and math.sin(math.pi * t / 1.5) ^ 0.5 or 0
  path[n + 1] = { t, width / 2 * swell * math.sin(2 * math.pi * speed * t) }
end
local hand = mass { name = "hand", path = path }

-- Places of the hoop: 1 the handle, a node of its bending; then two holes for each rod; at last what is heard of it, its bending
-- and not its flight. The flanks move in opposite directions in the odd modes.
local function hoop_shape(number)
  local shape = { number == 0 and 1 or 0 }
  for r = 1, count do
    for side = -1, 1, 2 do
      local along = 0.25 + 0.6 * r / count -- from the handle to the crown
      shape[#shape + 1] = number == 0 and 1 or math.sin(number * math.pi * along / 2) * (number % 2 == 1 and side or 1)
    end
  end
  shape[#shape + 1] = number == 0 and 0 or 1
  return shape
end
local hoop_modes = { { frequency = 0, mass = 0.25, shape = hoop_shape(0) } }
for number, f in ipairs { 310, 820, 1570, 2490, 3680 } do
  hoop_modes[number + 1] = { frequency = f, t60 = 1.1 - 0.15 * number, mass = 0.12, shape = hoop_shape(number) }
end
local hoop = modal { name = "hoop", modes = hoop_modes }
spring { name = "grip", between = { hand, hoop }, at_b = 1, K1 = 2500, damping = 12 }

for r = 1, count do
  local higher = ({ 1, 1.17, 1.43, 1.62, 1.95 })[r] -- shorter ones are higher, and lighter by the root of it
  local f, m = pitch * higher, 0.018 / math.sqrt(higher)
  local modes = { { frequency = 0, mass = m, shape = { 1, 1, 0 } }, { frequency = 0, mass = m / 3, shape = { -1, 1, 0 } } }
  for number, times in ipairs { 1, 2.757, 5.404, 8.933 } do
    local swing = 1.4 -- the ends of a free rod move twice as far as its mean; the holes are a little further in
    if f * times < 20000 then
      modes[#modes + 1] = { frequency = f * times, t60 = 1.6 / number, mass = m,
                            shape = { swing, number % 2 == 1 and swing or -swing, 1 } }
    end
  end
  local rod = modal { name = "rod" .. r, modes = modes }
  for side = 1, 2 do
    contact { name = "hole" .. r .. (side == 1 and "left" or "right"), above = rod, below = hoop, at_above = side,
              at_below = 2 * r - 1 + side, law = "centre-limited", gap = room * (1 + 0.05 * r), K = 5e8, alpha = 1.5,
              damping = 0.15 }
  end
  probe { on = rod, at = 3, quantity = "velocity", name = "rod" .. r, channel = 2 - r % 2 }
end
probe { on = hoop, at = 2 * count + 2, quantity = "velocity", name = "hoop", channel = 1 }
probe { on = hoop, at = 2 * count + 2, quantity = "velocity", name = "hoop right", channel = 2 }
render { rate = 48000, duration = 3, normalise = true, title = "Sistrum" }
play { velocity = "width" }
