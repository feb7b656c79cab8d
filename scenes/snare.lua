-- Snare: a drumhead struck with a stick, and two steel wires that rattle under it
-- A stick strikes the head, a membrane held at its edge; under it lie two steel wires, drawn just tight enough to touch. The
-- head pushes them away and they come back late, on their own time, each at its own places: a crowd of small hard landings,
-- dense and irregular, that turns the head's few low modes into noise. The noise is loudest right after the blow and follows
-- the head down, because only a moving head throws wires. snares = 0 lifts them off: a plain drum remains. (The wires are
-- listened to as well: they are small but fast. The air of the shell is left out.) Mylar of a quarter of a millimetre, 0.35
-- kg/m^2; steel wires of half a millimetre. While it sounds, the strainer lifts the wires off or pulls them tighter.
-- tuning: --set snares=0 after 0.1 s
local pitch   = param { "pitch", 190, min = 80, max = 400, scale = "log", unit = "Hz", label = "lowest mode of the head" }
local strike  = param { "strike", 4, min = 0.3, max = 10, scale = "log", unit = "m/s", label = "velocity of the stick" }
local place   = input { "place", 0.45, min = 0.1, max = 0.9, label = "where the stick lands, from one edge to the other" }
local snares  = param { "snares", 1, min = 0, max = 1, label = "1: wires on; 0: off" }
local tighten = param { "tighten", 10, min = 2, max = 80, scale = "log", unit = "N", label = "tension of the wires" }
local tip     = param { "tip", 1, min = 0.02, max = 20, scale = "log", label = "hardness of the stick: 0.02 felt, 1 wood, 20 nylon" }
local damp    = param { "damp", 5, min = 1, max = 60, scale = "log", unit = "1/s", label = "damping of the head" }
local lift    = input { "lift", 0, min = -1e-4, max = 8e-3, unit = "m", smooth = 0.01, label = "strainer: how far the wires are let down; below 0 pressed on" }
local pull    = input { "pull", 1, min = 0.6, max = 1.5, smooth = 0.01, label = "how tight the wires are now, as a factor of their pitch" }

-- A membrane lx by ly has its lowest mode at c/2 sqrt(1/lx^2 + 1/ly^2).
local lx, ly, thickness, mylar = 0.32, 0.30, 2.5e-4, 1380
local nx, ny = 32, 30
-- so of wave number k, k^2 = pi^2 (1/lx^2 + 1/ly^2), a little less on a grid; stiff as well: w^2 = c^2 k^2 + D/(rho H) k^4.
local k2 = (2 * nx / lx * math.sin(math.pi / (2 * nx))) ^ 2 + (2 * ny / ly * math.sin(math.pi / (2 * ny))) ^ 2
local stiff = 3.5e9 * thickness ^ 2 / (12 * (1 - 0.38 ^ 2) * mylar)
local c = math.sqrt((2 * math.pi * pitch) ^ 2 / k2 - stiff * k2)
local head = plate { name = "head", size = { lx, ly }, thickness = thickness, material_density = mylar, youngs = 3.5e9,
                     poisson = 0.38, tension = c ^ 2 * mylar * thickness, sigma0 = damp, sigma1 = 0.003, segments = { nx, ny } }
-- The hand slows the stick down after the blow, within a few hundredths of a second.
local stick = mass { name = "stick", mass = 0.012, position = 1e-4, velocity = -strike, damping = 30 }
contact { name = "tip", above = stick, below = head, at_below = { place * lx, 0.52 * ly }, K = 3e7 * tip, alpha = 1.7, damping = 0.2 }
probe { on = head, at = { 0.31 * lx, 0.37 * ly }, quantity = "velocity", name = "head left", channel = 1 }
probe { on = head, at = { 0.68 * lx, 0.59 * ly }, quantity = "velocity", name = "head right", channel = 2 }
if snares > 0.5 then
  for n, y in ipairs { 0.46, 0.57 } do
    local wire = string { name = "wire" .. n, length = lx, tension = tighten * (1 + 0.13 * n), material_density = 7850,
                          radius = 2.5e-4, youngs = 2e10, bend = pull, t60 = { { 100, 3 }, { 4000, 1.5 } },
                          segments = tighten < 25 and 64 or nil } -- slack wires need no finer grid than the head
    local on_head, on_wire = {}, {}
    for j = 1, 7 do -- not evenly: no mode of the wire has a node at all of them
      local x = lx * (j - 0.21 * math.sin(2.3 * j + n)) / 8
      on_head[j], on_wire[j] = { x, y * ly }, x
    end
    contact { name = "buzz" .. n, above = head, below = wire, at_above = on_head, at_below = on_wire, gap = 2e-5 + lift, K = 2e7,
              alpha = 1.5, damping = 0.02 }
    probe { on = wire, at = 0.41 * lx, quantity = "velocity", name = "wire" .. n, channel = n, gain = 0.14 }
  end
end
render { rate = 44100, duration = 1.2, normalise = true, title = "Snare" }
play { pitch = "pitch", velocity = "strike", cc = { [1] = "pull", [4] = "lift", [74] = "place" } }

preset { "Tight", tighten = 40, damp = 12 }
preset { "Loose wires", tighten = 3, damp = 8, pull = 0.8 }
preset { "Tom, wires off", snares = 0, tip = 0.3, damp = 3 }
preset { "Felt mallet", tip = 0.03 }
