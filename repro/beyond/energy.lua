about { place = "energy", title = "Largest energy imbalance per scheme and case" }

local cost, cases = use "lib/beyond_cost", use "lib/beyond_cases"
local names = { "ledger", "newton", "midpoint", "exact", "quadratised", "release", "root 1/2", "root 1", "root 3", "am1", "verlet",
                "heun", "rk4", "invariant" }
for i, name in ipairs(names) do names[i] = { key = name, plucks = "1" } end
local ways = cost.ways(names)

-- What each case can be run with; the rest is refused by name.
local balance, ran, complex = {}, 0, {}
for c, case in ipairs(cases) do
  for _, way in ipairs(ways) do
    local r = run(cost.scene(case.scene, way), { duration = case.duration, lenient = true, may_fail = true })
    if not r.failed then
      balance[way.key] = balance[way.key] or {}
      balance[way.key][c], ran = r.balance, ran + 1
      complex[way.key] = (complex[way.key] or 0) + r.links[case.link].complex_roots
    end
  end
end

local function largest(key)
  local most, count = 0, 0
  for _, value in pairs(balance[key]) do most, count = math.max(most, value), count + 1 end
  return most, count
end
local passive, text = { "ledger", "newton", "midpoint", "quadratised", "release", "exact", "root 1", "root 3" }, {}
local worst = 0
for i, key in ipairs(passive) do
  local most, count = largest(key)
  worst = math.max(worst, most)
  text[i] = string.format("%s %.1e (%d)", ({ midpoint = "ledger midpoint", release = "quadratised release" })[key] or key, most, count)
end
claim { "largest imbalance over the energy of the run, all cases it can do (how many): schemes that keep energy by construction", published = false,
        measured = table.concat(text, "; "),
        holds = worst < 1e-12 and select(2, largest("ledger")) == #cases }
text = {}
for i, key in ipairs { "am1", "verlet", "heun", "rk4", "invariant" } do text[i] = string.format("%s %.2g", key, (largest(key))) end
claim { "the same, integrators of Papetti, Avanzini and Rocchesso 2011", published = false, measured = table.concat(text, "; "),
        holds = largest("rk4") > 1e-3 and largest("am1") > 1e-2 }
claim { "root s = 1/2: complex roots on the way, and the imbalance they leave", published = false, 
        measured = { complex["root 1/2"], (largest("root 1/2")) }, holds = complex["root 1/2"] > 0 and largest("root 1/2") > 1e-6 }
claim { "energy alone tells little: quadratised as published, which pulls (see adhesion), keeps it as well as ledger: largest imbalance of both",
        published = false, digits = 2,
        measured = { (largest("quadratised")), (largest("ledger")) }, holds = largest("quadratised") < 1e-12 }

if pictures then
  local lines = {}
  for i, way in ipairs(ways) do
    local x, y = {}, {}
    for c = 1, #cases do
      local value = balance[way.key][c]
      if value then x[#x + 1], y[#y + 1] = c + 0.055 * (i - 7.5), math.max(value, 1e-16) end
    end
    lines[i] = cost.line(way, vec(x), vec(y))
    lines[i].style = "points"
  end
  local key = {}
  for c, case in ipairs(cases) do key[c] = c .. " " .. case.name end
  figure { width = "two", height = 62, panels = { { x = { label = table.concat(key, ", "), from = 0.5, to = #cases + 0.5 },
             y = { label = "imbalance over energy", log = true, from = 1e-17, to = 10 }, lines = lines, legend = "outside" } },
           caption = "Largest difference of stored and dissipated less supplied energy at any time, over the largest energy, at 44.1 kHz. "
                     .. string.format("Schemes for single masses appear in %d cases only.", select(2, largest "rk4")) }
end
