about { place = "Fig. 1", title = "Frequency responses of three schemes for a stiff string, and its exact modes" }

local names = { "default", "optimal", "unconditional" }
local models = { default = "fd", optimal = "implicit", unconditional = "trapezoid" } -- whose colours they have
local places = { at = 0.271, pickup = 0.929 } -- off the nodes of all modes shown
local r = run("bilbao2014/fig1", { set = places })
local probe = { default = r.probes[1], optimal = r.probes[2], unconditional = r.probes[3] }

local function cents(name, p)
  local rings, exact = r.bodies[name].partial(p)
  return rings and 1200 * math.log(rings / exact, 2), exact
end

-- The exact modes below half the sample rate.
local modes, nyquist = {}, r.rate / 2
for p = 1, r.bodies.default.segments - 1 do
  local _, exact = r.bodies.default.partial(p)
  if exact < nyquist then modes[p] = exact end
end

local N = { r.bodies.default.segments, r.bodies.optimal.segments, r.bodies.unconditional.segments }
claim { "gamma_* matches the number of degrees of freedom of the scheme to that of the string: moving points, modes below 22 050 Hz",
        published = "matched", measured = { N[2] - 1, #modes }, holds = math.abs(N[2] - 1 - #modes) <= 1 }
claim { "segments of the grids: default, optimal, unconditional; gamma_*", published = false,
        measured = { N[1], N[2], N[3], r.bodies.optimal.gamma }, holds = N[1] == 104 and N[2] == 83 and N[3] == 104 }

-- How far each scheme is out of tune at some modes, and up to where it stays within 10 cents.
local shown = { 10, 20, 40, 60, 80 }
local off, reach = {}, {}
for _, name in ipairs(names) do
  off[name] = {}
  for i, p in ipairs(shown) do off[name][i] = cents(name, p) end
  for p = 1, #modes do
    local c = cents(name, p)
    if not c or math.abs(c) > 10 then break end
    reach[name] = modes[p]
  end
end
claim { "the optimal scheme gives an excellent match to modal frequencies over a wide range: modes 10, 20, 40, 60, 80",
        published = "excellent match", measured = off.optimal, unit = "cents", digits = 2, holds = reach.optimal > 15e3,
        why = string.format("within 10 cents up to %.1f kHz (default: %.0f Hz); the very top is left out: mode 80 is %.0f cents flat",
                            reach.optimal / 1e3, reach.default, -off.optimal[5]) }
claim { "the default scheme, modes 10, 20, 40, 60, 80", published = false, measured = off.default, unit = "cents", digits = 3,
        holds = off.default[2] < -30 and off.default[5] < -500 }
claim { "the unconditionally stable scheme warps severely in the low audio range: modes 10, 20, 40, 60, 80", published = "severe",
        measured = off.unconditional, unit = "cents", digits = 3,
        holds = off.unconditional[2] < -45 and off.unconditional[3] < -200 }
claim { "mode 10, where the tension rules: default, optimal", published = false, measured = { off.default[1], off.optimal[1] },
        unit = "cents", digits = 2, holds = off.default[1] < 0 and off.optimal[1] > 0,
        why = "gamma_* cancels the error of the stiff modes; low ones are about as wrong as with the default scheme, in the other " ..
              "direction" }

-- The responses themselves, not only the dispersion relation.
local worst = 0
for _, name in ipairs(names) do
  for _, p in ipairs { 5, 10, 20, 30 } do
    local rings = r.bodies[name].partial(p)
    worst = math.max(worst, math.abs(1200 * math.log(pitch(probe[name], r.rate, rings, 3) / rings, 2)))
  end
end
claim { "partials of the computed responses against the dispersion relation of each scheme, largest difference", published = false,
        measured = worst, unit = "cents", digits = 2, holds = worst < 0.2 }

local tuned = inspect [[
local s = string { name = "s", length = 0.8, tension = 38.5, material_density = 7850, radius = 5e-4, youngs = 2e11, model = "implicit" }
probe { on = s, at = 0.72 }
render { rate = 44100, duration = 0.01 }
]]
local better = {}
for i, p in ipairs(shown) do
  local rings, exact = tuned.bodies.s.partial(p)
  better[i] = 1200 * math.log(rings / exact, 2)
end
claim { "gamma_* with the corrected stiffness, the default of this program: modes 10, 20, 40, 60, 80", published = false,
        measured = better, unit = "cents", digits = 2, holds = math.abs(better[1]) < 1 and math.abs(better[5]) < 30,
        why = string.format("N = %d, the same work", tuned.bodies.s.segments) }

-- Unsaid: the pulse and the pickup (they weigh the partials and do not move them), the grid of the unconditional scheme.
local wide = run("bilbao2014/fig1", { set = { width = 0.08, at = 0.43, pickup = 0.831 } })
local moved = 0
for i = 1, 3 do
  for _, p in ipairs { 5, 10 } do
    local rings = r.bodies[names[i]].partial(p)
    moved = math.max(moved, math.abs(1200 * math.log(pitch(wide.probes[i], r.rate, rings, 3) / rings, 2)))
  end
end
choice { "the short raised cosine pulse and the place of the output", taken = "1 mm high, 40 mm wide at 0.271 L; output at 0.929 L",
         why = "short, and off the nodes of the modes shown",
         otherwise = string.format("80 mm at 0.43 L heard at 0.831 L moves no partial by more than %.1e cents: places weigh " ..
                                   "partials and do not move them", moved) }
local function trapezoid(segments)
  local i = inspect(string.format([[
local s = string { name = "s", length = 0.8, tension = 38.5, material_density = 7850, radius = 5e-4, youngs = 2e11,
                   model = "trapezoid", tuned = false, segments = %d }
probe { on = s, at = 0.72 }
render { rate = 44100, duration = 0.01 }
]], segments))
  local off = {}
  for n, p in ipairs { 20, 40 } do
    local rings, exact = i.bodies.s.partial(p)
    off[n] = 1200 * math.log(rings / exact, 2)
  end
  return string.format("%.0f and %.0f cents with N = %d", off[1], off[2], segments)
end
choice { "grid of the unconditionally stable scheme", taken = string.format("N = %d, that of the default scheme", N[3]),
         why = "it has no limit of its own",
         otherwise = "modes 20 and 40 are off by " ..
                     table.concat({ trapezoid(83), trapezoid(104), trapezoid(208), trapezoid(1000) }, ", ") }

if pictures then
  local floor = -80 -- dB: side lobes of the window are lower
  local function panel(title, from, to, legend)
    local inside = {}
    for p = 1, #modes do
      if modes[p] > from and modes[p] < to then inside[#inside + 1] = modes[p] end
    end
    -- Impulses come down from 0 dB: the whole height of the panel.
    local lines = { { x = vec(inside), y = vec(#inside, function() return floor end), name = "exact modes", colour = "grey",
                      style = "impulses", width = 0.8 } }
    for i, name in ipairs(names) do
      local s = spectrum(probe[name], r.rate, { size = 131072, window = "blackman" })
      local first, last = math.max(1, math.floor(from / s.f[2])), math.ceil(to / s.f[2])
      lines[i + 1] = { x = s.f:sub(first, last),
                       y = s.amplitude:sub(first, last):map(function(a) return 20 * math.log(a / 1e-3 + 1e-9, 10) end),
                       name = name, scheme = models[name], style = "line", width = 0.8 }
    end
    return { title = title, x = { label = "f", unit = "kHz", factor = 1e-3, from = from / 1e3, to = to / 1e3 },
             y = { label = "level re 1 mm", unit = "dB", from = floor, to = -20 }, lines = lines, legend = legend }
  end
  local tune = {}
  for i, name in ipairs(names) do
    local x, y = {}, {}
    for p = 1, math.min(#modes, r.bodies[name].segments - 1) do
      x[p], y[p] = modes[p], (cents(name, p))
    end
    tune[i] = { x = vec(x), y = vec(y), name = name, scheme = models[name], style = "linespoints" }
  end
  figure { caption = "Frequency responses of the three schemes; grey lines are the exact modes. Below: how far each mode is " ..
                     "out of tune.",
           width = "two", columns = 1,
           panels = { panel("(a) low audio range", 0, 2.5e3, "outside"), panel("(b) higher modes", 5e3, 10e3, false),
                      { title = "(c) detuning", x = { label = "exact frequency", unit = "kHz", factor = 1e-3, from = 0, to = 22 },
                        y = { label = "off by", unit = "cents", from = -600, to = 50 }, lines = tune, legend = false } } }
end
