-- Error against cost of the ways to put a contact into numbers. Cost is time per 1/44100 s of sound, whatever the rate of the
-- steps is: a scheme at four times the rate stands beside another at once the rate with what both really take.
local cost = { rate = 44100 }

-- The ways: `contact` stands in a scene for $contact; the rest is how a line of a picture looks.
local ways = {
  ledger = { contact = 'scheme = "ledger"', scheme = "ledger" },
  midpoint = { contact = 'scheme = "ledger", potential = "midpoint"', scheme = "midpoint", name = "ledger, midpoint" },
  newton = { contact = 'scheme = "newton"', scheme = "newton" },
  quadratised = { contact = 'scheme = "quadratised"', scheme = "quadratised" },
  release = { contact = 'scheme = "quadratised", release = true', scheme = "release", name = "quadratised, release" },
  exact = { contact = 'scheme = "exact"', scheme = "exact" },
  ["root 1/2"] = { contact = 'scheme = "root", s = 0.5', scheme = "root 1/2", name = "root, s = 1/2" },
  ["root 1"] = { contact = 'scheme = "root", s = 1', scheme = "root 1", name = "root, s = 1" },
  ["root 3"] = { contact = 'scheme = "root", s = 3', scheme = "root 3", name = "root, s = 3" },
}
for _, scheme in ipairs { "am1", "verlet", "heun", "rk4", "invariant" } do
  ways[scheme] = { contact = 'scheme = "' .. scheme .. '"', scheme = scheme }
end

-- The same scheme on another string: its mark and hue, another shade.
cost.shades = { ledger = { "#4FA3D8", "#9CCBEA" }, newton = { "#B37B00" }, quadratised = { "#F2A573" } }

-- The ways of these names; a name may be a table { key = , and what differs from ways[key] }.
function cost.ways(names)
  local list = {}
  for i, name in ipairs(names) do
    local own = type(name) == "table" and name or {}
    list[i] = { key = own.key or name }
    for key, value in pairs(ways[own.way or list[i].key]) do list[i][key] = value end
    for key, value in pairs(own) do list[i][key] = value end
    list[i].name = list[i].name or list[i].scheme
  end
  return list
end

-- A scene for a way: $words are replaced by its fields.
function cost.scene(text, way)
  return (text:gsub("%$(%a+)", function(word) return assert(way[word], word) end))
end

-- Runs all ways at all rates. case: scene (text with $words), ways, times (of 44100 Hz), error (function of a run, the times and the
-- way; nil: no point), bodies (cost is per body), rounds, duration; a way may end early (way.most).
-- Rounds are outermost, so that a busy moment of the machine hits all ways alike and the best time of each counts; runs above 0.1 s
-- are made twice only. Returns by key { times = {}, error = {}, ns = {} }.
function cost.measure(case)
  local curves = {}
  for round = 1, case.rounds or 5 do
    for _, way in ipairs(case.ways) do
      local curve = curves[way.key] or { times = {}, error = {}, ns = {}, way = way }
      curves[way.key] = curve
      local text = cost.scene(case.scene, way)
      for _, times in ipairs(case.times) do
        local known
        for i, done in ipairs(curve.times) do known = done == times and i or known end
        local taken = known and curve.ns[known] * (case.duration * cost.rate) * (case.bodies or 1) * 1e-9
        if times <= (way.most or 1 / 0) and (round == 1 or known and (round == 2 or taken < 0.1)) then
          local r = run(text, { oversample = times, every = times, duration = case.duration, unaudited = true, lenient = true })
          local ns = 1e9 * r.seconds / (r.steps / times) / (case.bodies or 1)
          local off = round == 1 and case.error(r, times, way)
          if off then
            local i = #curve.times + 1
            curve.times[i], curve.error[i], curve.ns[i] = times, off, ns
          elseif known then
            curve.ns[known] = math.min(curve.ns[known], ns)
          end
        end
      end
    end
  end
  return curves
end

-- A probe against a reference, relative and rms, over the rows both have.
function cost.departure(v, reference)
  local n = math.min(#v, #reference)
  return (v:sub(1, n) - reference:sub(1, n)):rms() / reference:sub(1, n):rms()
end

local function logs(a, b, part) return math.exp(math.log(a) + part * (math.log(b) - math.log(a))) end

-- How many times 44100 Hz, and what cost, a curve needs for an error: between its points on logarithmic scales. More than the curve
-- has: nil. What is better already at its first point: that.
function cost.needs(curve, error)
  if curve.error[1] <= error then return curve.times[1], curve.ns[1] end
  for i = 2, #curve.error do
    local a, b = curve.error[i - 1], curve.error[i]
    if b <= error then
      local part = math.log(a / error) / math.log(a / b)
      return logs(curve.times[i - 1], curve.times[i], part), logs(curve.ns[i - 1], curve.ns[i], part)
    end
  end
end

-- One text per way: its name and f(curve) as a number.
function cost.list(case, curves, form, f)
  local list = {}
  for _, way in ipairs(case.ways) do
    local value = curves[way.key] and f(curves[way.key])
    if value then list[#list + 1] = way.name .. " " .. string.format(form, value) end
  end
  return table.concat(list, "; ")
end

-- What every case says: errors, of which the scripts assert what follows from them, and times, which are shown only.
function cost.tell(case, curves, goal)
  claim { "error at 44.1 kHz" .. (case.said or ""), published = false,
          measured = cost.list(case, curves, "%.2g", function(c) return c.times[1] == 1 and c.error[1] end), holds = true }
  claim { string.format("error at %d times 44.1 kHz", case.times[#case.times]) .. (case.said or ""), published = false,
          measured = cost.list(case, curves, "%.2g", function(c) return c.times[#c.times] == case.times[#case.times] and c.error[#c.error] end),
          holds = true }
  claim { "time per 1/44100 s at 44.1 kHz, ns" .. (case.said or ""), published = false,
          measured = cost.list(case, curves, "%.0f", function(c) return c.times[1] == 1 and c.ns[1] end), holds = true }
  if not goal then return end
  claim { string.format("time per 1/44100 s for an error of %.2g, ns%s (a way not named does not reach it)", goal, case.said or ""),
          published = false, measured = cost.list(case, curves, "%.0f", function(c) return select(2, cost.needs(c, goal)) end), holds = true }
end

-- How the line of a way looks.
function cost.line(way, x, y)
  return { x = x, y = y, scheme = way.scheme, name = way.name, colour = way.colour, width = way.width, style = "linespoints" }
end

-- A panel; more: fields of its own (title, marks, note, legend, y).
function cost.panel(case, curves, more)
  local lines = {}
  for _, way in ipairs(case.ways) do
    local c = curves[way.key]
    if c and #c.times > 0 and not way.hidden then
      lines[#lines + 1] = cost.line(way, vec(c.ns), vec(c.error))
    end
  end
  local panel = { x = { label = "cost per 1/44100 s", unit = "µs", factor = 1e-3, log = true },
                  y = { label = "relative error", log = true }, lines = lines, legend = "outside" }
  for key, value in pairs(more or {}) do panel[key] = value end
  return panel
end

-- One axis of cost for all panels.
function cost.align(panels)
  local from, to = 1 / 0, 0
  for _, panel in ipairs(panels) do
    for _, line in ipairs(panel.lines) do from, to = math.min(from, (line.x:min())), math.max(to, (line.x:max())) end
  end
  for _, panel in ipairs(panels) do panel.x.from, panel.x.to = 0.8e-3 * from, 1.25e-3 * to end
  return panels
end

-- Two panels of a string and its barrier: what a user gets, and what the contact alone does to it. spec: scene (with $string and
-- $contact), duration, reference { string =, times = }, ways of (a), times of (a), modes = { modes, segments } of (b).
-- (a) compares with the equation, so that the error of the string itself counts; (b) gives all ways the same number of exact modes
-- and the same points of contact at all rates: then only the contact depends on the rate.
function cost.string(spec)
  local function reference(way, times, duration)
    return run(cost.scene(spec.scene, way), { oversample = times, every = times, duration = duration, unaudited = true }).probes[1]
  end
  local function pair(string, times, duration)
    local way = cost.ways { { key = "newton", string = string } }[1]
    local u = reference(way, times, duration)
    return u, cost.departure(reference(way, times // 2, duration), u)
  end
  local whole = { scene = spec.scene, ways = cost.ways(spec.ways), times = spec.times, duration = spec.duration, rounds = spec.rounds,
                  said = ", string and contact" }
  local u, unsure = pair(spec.reference.string, spec.reference.times, spec.duration)
  function whole.error(r) return cost.departure(r.probes[1], u) end
  local modal = string.format('model = "modal", modes = %d, segments = %d', spec.modes[1], spec.modes[2])
  local names = { "ledger", "newton", "midpoint", "quadratised", "release" }
  for i, name in ipairs(names) do names[i] = { key = name, string = modal } end
  local alone = { scene = spec.scene, ways = cost.ways(names), times = spec.times_alone or { 1, 2, 4, 8, 16 }, duration = spec.alone,
                  rounds = spec.rounds, said = ", contact alone" }
  local w, unsure_alone = pair(modal, spec.fine or 64, spec.alone)
  function alone.error(r) return cost.departure(r.probes[1], w) end
  local result = { whole = whole, alone = alone, unsure = unsure, unsure_alone = unsure_alone, a = cost.measure(whole), b = cost.measure(alone) }
  claim { string.format("reference of (a): newton at %d times 44.1 kHz, %s; change from half that rate", spec.reference.times, spec.reference.said),
          published = false, measured = unsure, digits = 2, holds = unsure < spec.reference.within }
  claim { string.format("reference of (b): newton at %d times 44.1 kHz, %d exact modes; change from half that rate", spec.fine or 64, spec.modes[1]),
          published = false, measured = unsure_alone, digits = 2, holds = unsure_alone < 2e-3 }
  cost.tell(whole, result.a, spec.goal)
  cost.tell(alone, result.b, spec.goal_alone)
  return result
end

function cost.string_figure(result, caption)
  local a = cost.panel(result.whole, result.a, { title = "(a) string and contact" })
  local b = cost.panel(result.alone, result.b, { title = "(b) the contact alone" })
  figure { width = "one", height = 58, panels = cost.align { a, b }, caption = caption }
end

return cost
