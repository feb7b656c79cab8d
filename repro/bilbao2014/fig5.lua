about { place = "Fig. 5", title = "Microfeatures of a leftward-travelling pulse on a smooth barrier" }

local H = use "lib/bilbao2014_shape"
local rate, c = 44100, math.sqrt(38.5 / (7850 * math.pi * 1e-8)) -- m/s, of long waves

-- Shapes four times a sample from just before the pulse of the scene touches until it reaches the left end.
local function every(first, count, part)
  local times = {}
  for i = 1, count do times[i] = (first + i / part) / rate end
  return times
end
local function transit(set, oversample, options)
  options = options or {}
  options.set, options.oversample, options.duration = set, oversample, 0.0019
  options.shapes = options.shapes or every(42, 60, math.min(oversample, 4))
  if oversample == 1 then options.shapes = every(20, 50, 1) end
  local r = run("bilbao2014/fig5", options)
  r.most, r.points = 0, 0
  for i, shot in ipairs(r.shapes) do
    local pieces, points = H.pieces(shot.contacts.touch.eta)
    r.most, r.points = math.max(r.most, pieces), math.max(r.points, points)
    r.first, r.parted = r.first or pieces > 0 and i, r.parted or pieces > 1 and i
    if pieces > 0 then r.last = i end
  end
  return r
end

-- Most pieces at any time from sample 20 to 80, looked at four times a sample (each sample where there are no more): parting
-- is brief and easily missed.
local function most_pieces(set, oversample)
  local part, most = math.min(oversample, 4), 0
  for window = 0, part - 1 do
    local first, last = 20 + 60 / part * window, 20 + 60 / part * (window + 1)
    local o = { set = set, oversample = oversample, duration = (last + 1) / rate, shapes = every(first, 60, part) }
    for _, shot in ipairs(run("bilbao2014/fig5", o).shapes) do
      most = math.max(most, (H.pieces(shot.contacts.touch.eta)))
    end
  end
  return most
end
local rates = { 1, 4, 16 } -- times 44.1 kHz
local cases = { { "taken", {} }, { "pulse of 4 mm", { depth = 4e-3 } }, { "0.2 m wide", { width = 0.2 } },
                { "parabola half as steep", { drop = 1.5e-3 } }, { "twice as steep", { drop = 6e-3 } }, { "K = 1e11", { K = 1e11 } },
                { "K = 1e15", { K = 1e15 } } }
local parts, told, coarsely = { 0, 0, 0 }, {}, {} -- how many cases part at each rate; in words; which do at 44.1 kHz
for i, case in ipairs(cases) do
  local most = {}
  for n, over in ipairs(rates) do
    most[n] = most_pieces(case[2], over)
    if most[n] > 1 then parts[n] = parts[n] + 1 end
  end
  if most[1] > 1 then coarsely[#coarsely + 1] = case[1] end
  told[i] = ("%s %d, %d, %d"):format(case[1], most[1], most[2], most[3])
end

local coarse, r, fine = transit({}, 1), transit({}, 4), transit({}, 16)
claim { "regions of contact may not be contiguous: most separate pieces at a time at 44.1, 176.4 and 705.6 kHz",
        published = "not contiguous", measured = { coarse.most, r.most, fine.most },
        holds = coarse.most >= 2 and r.most >= 2 and fine.most >= 2,
        why = "it is the string's and not the grid's: see the other pulses and barriers beside" }
claim { ("of the %d pulses and barriers tried, so many part at 44.1, 176.4 and 705.6 kHz"):format(#cases), published = false,
        measured = parts, holds = parts[2] == #cases and parts[3] == #cases and parts[1] >= 1,
        why = ("at 44.1 kHz only: %s; there the grid is too coarse for the others"):format(table.concat(coarsely, ", ")) }

-- Binding: from when it has parted the string stays on the barrier, in a short piece that moves with the pulse.
local start, stop = r.shapes[r.parted + 4], r.shapes[r.last]
local function leftmost(shot)
  local touch = shot.contacts.touch
  for j = 1, #touch.eta do
    if touch.eta[j] > 0 then return touch.x[j] end
  end
end
local unbroken = true
for i = r.first, r.last do unbroken = unbroken and leftmost(r.shapes[i]) ~= nil end
local way = leftmost(start) - leftmost(stop)
claim { "binding to the barrier during transit: way of the contact without a break after it has parted; its speed over that of " ..
        "free waves",
        published = "binds", measured = { ("%.2f m"):format(way), ("%.2f"):format(way / (stop.t - start.t) / c) },
        holds = unbroken and way > 0.1 }

-- Sharpening: the largest curvature of the front, against the same pulse far above any barrier.
local function sharpest(shape)
  local most, h = 0, shape.x[3] - shape.x[2]
  for i = 2, #shape.x - 1 do
    if shape.x[i] <= 0.4 then most = math.max(most, math.abs(shape.u[i - 1] - 2 * shape.u[i] + shape.u[i + 1]) / h ^ 2) end
  end
  return most
end
local function sharpening(o, free)
  local most = 0
  for i = o.first, o.last do most = math.max(most, sharpest(o.shapes[i].bodies.string) / sharpest(free.shapes[i].bodies.string)) end
  return most
end
local far = { gap = 1e-2 }
local ratio = { sharpening(coarse, transit(far, 1)), sharpening(r, transit(far, 4)), sharpening(fine, transit(far, 16)) }
claim { "sharpening of the wavefront: largest curvature over that of the same pulse without a barrier, at 44.1, 176.4 and 705.6 kHz",
        published = "sharpens", measured = ratio, digits = 2, holds = ratio[1] > 2 and ratio[2] > ratio[1] and ratio[3] > ratio[2],
        why = "the corner that runs with the contact is as sharp as the grid and K allow" }
-- The plucked string of Fig. 3: every sample of its first 8 ms.
local plucked = 0
for part = 0, 5 do
  for _, shot in ipairs(run("bilbao2014/fig3", { duration = 0.009, shapes = every(60 * part, 60, 1) }).shapes) do
    plucked = math.max(plucked, (H.pieces(shot.contacts[1].eta)))
  end
end
claim { "the plucked string of Fig. 3: most separate pieces at a time in its first 8 ms", published = false, measured = plucked,
        holds = plucked >= 2 }
local ledger = transit({}, 4, { scheme = "ledger" })
claim { "largest energy deviation of these runs; pieces by ledger", published = false,
        measured = { math.max(coarse.balance, r.balance, fine.balance), ledger.most }, digits = 2,
        holds = math.max(coarse.balance, r.balance, fine.balance) < 1e-13 and ledger.most == r.most }

choice { "pulse and barrier",
         why = "the paper prints none; the string of Fig. 3, and a barrier that rises under the pulse like a sitar's bridge",
         taken = "raised cosine, 8 mm downwards, 0.3 m wide, at 0.8 L, at rest: its left half of 4 mm travels; a parabola from " ..
                 "0.1 mm below the left end, 3 mm lower at L/4",
         otherwise = "most pieces at 44.1, 176.4 and 705.6 kHz: " .. table.concat(told, "; ") }
choice { "sample rate", taken = "176.4 kHz in the picture", why = "the features are as small as a point of the grid at 44.1 kHz",
         otherwise = ("most points in contact: %d at 44.1, %d at 176.4, %d at 705.6 kHz"):format(coarse.points, r.points, fine.points) }

if pictures then
  local panels = {}
  for n, i in ipairs { r.first, r.parted, r.parted + 9, r.parted + 24 } do
    local shot = r.shapes[i]
    local body, touch = shot.bodies.string, shot.contacts.touch
    local x, y = {}, {}
    for j = 1, #touch.eta do
      if touch.eta[j] > 0 then x[#x + 1], y[#y + 1] = touch.x[j], touch.height[j] - touch.eta[j] end
    end
    local pieces = H.pieces(touch.eta)
    panels[n] = { title = ("(%s) t = %.3f ms"):format(("abcd"):sub(n, n), 1e3 * shot.t),
                  x = { label = "x", unit = "m", from = 0.05, to = 0.3 },
                  y = { label = "u", unit = "mm", factor = 1e3, from = -6, to = 1 },
                  lines = { { x = touch.x, y = touch.height, name = "barrier", scheme = "barrier" },
                            { x = body.x, y = body.u, name = "string", colour = "black" },
                            { x = vec(x), y = vec(y), name = "in contact", colour = "red", style = "points", point = "disc" } },
                  note = ("%d point%s, %d piece%s"):format(#x, #x == 1 and "" or "s", pieces, pieces == 1 and "" or "s"),
                  legend = n == 1 and "outside" or false }
  end
  figure { caption = "A pulse travels left onto a barrier that rises towards the end (176.4 kHz): it touches, the contact " ..
                     "parts, and a short piece of it runs on with the sharpened front.",
           width = "two", columns = 2, height = 50, panels = panels }
end
