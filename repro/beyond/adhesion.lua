about { place = "adhesion", title = "Barriers that pull and energy that stays behind, per scheme" }

local cost, cases = use "lib/beyond_cost", use "lib/beyond_cases"
local names = { "ledger", "newton", "midpoint", "quadratised", "release" }
for i, name in ipairs(names) do names[i] = { key = name, plucks = "1" } end
local ways, shown = cost.ways(names), 4 -- the first cases: those with impacts of few samples

-- Least force over the largest; samples in which the contact pulls over those in which it acts; energy held by open contacts over all there is.
local pull, share, trapped, closed, deep = {}, {}, {}, {}, {}
for c = 1, shown do
  local case = cases[c]
  for _, way in ipairs(ways) do
    local r = run(cost.scene(case.scene, way), { duration = case.duration, energy = true })
    local link, force, pulls, acts = r.links[case.link], r.probes[#r.probes], 0, 0
    for n = 1, #force do
      if force[n] ~= 0 then acts = acts + 1 end
      if force[n] < 0 then pulls = pulls + 1 end
    end
    for list, value in pairs { [pull] = math.max(0, -link.min_force / link.max_force), [share] = pulls / acts,
      [trapped] = link.trapped_max / r.energy.total:max(),
                               [closed] = link.contact_samples, [deep] = link.max_penetration } do
      list[way.key] = list[way.key] or {}
      list[way.key][c] = value
    end
  end
end

local function largest(list, keys)
  local most = 0
  for _, key in ipairs(keys) do for c = 1, shown do most = math.max(most, list[key][c]) end end
  return most
end
local of = "; hard oscillator, point barrier, parabola, tromba marina"
claim { "quadratised as published: strongest pull over the largest push" .. of, published = false, measured = pull.quadratised,
        holds = pull.quadratised[2] > 0.05 and pull.quadratised[3] > 0.5 and pull.quadratised[4] > 0.05 }
claim { "quadratised as published: samples that pull, of those in which the contact acts" .. of, published = false, measured = share.quadratised,
        holds = share.quadratised[2] > 0.1 and share.quadratised[4] > 0.3 }
claim { "quadratised as published: energy held by open contacts, of all there is" .. of, published = false, measured = trapped.quadratised,
        holds = trapped.quadratised[1] > 0.5 and trapped.quadratised[3] > 0.1 }
local others = { "ledger", "midpoint", "newton", "release" }
claim { "ledger, ledger midpoint, newton, quadratised with release: strongest pull in all four", published = false,
        measured = largest(pull, others), holds = largest(pull, others) == 0 }
claim { "energy held by open contacts, largest of the four: ledger, ledger midpoint, newton, release", published = false, digits = 2,
        measured = { largest(trapped, { "ledger" }), largest(trapped, { "midpoint" }), largest(trapped, { "newton" }),
                     largest(trapped, { "release" }) },
        holds = largest(trapped, { "ledger", "midpoint", "newton" }) < 1e-15 and largest(trapped, { "release" }) < 1e-5 }
claim { "tromba marina: samples with the bridge on the body in 0.2 s: newton, ledger, release, quadratised (glued)", published = false,
        measured = { closed.newton[4], closed.ledger[4], closed.release[4], closed.quadratised[4] },
        holds = closed.ledger[4] == closed.newton[4] and closed.quadratised[4] > 5 * closed.ledger[4] }
claim { "parabola: deepest penetration in mm: newton, ledger, ledger midpoint, release, quadratised (bound of Bilbao 2014: 0.13)", published = false,
        measured = { 1e3 * deep.newton[3], 1e3 * deep.ledger[3], 1e3 * deep.midpoint[3], 1e3 * deep.release[3], 1e3 * deep.quadratised[3] },
        holds = deep.ledger[3] < 1.3e-4 and deep.quadratised[3] > 1.3e-4 and deep.midpoint[3] > 1.3e-4 }

if pictures then
  local function panel(title, label, list, legend, log)
    local lines = {}
    for i, way in ipairs(ways) do
      for c = 1, shown do -- a bar down to the axis
        local middle = c + 0.14 * (i - 3)
        local bar = cost.line(way, vec { middle - 0.06, middle + 0.06 }, vec { list[way.key][c], list[way.key][c] })
        bar.style, bar.name = "fill", c == 1 and way.name or ""
        lines[#lines + 1] = bar
      end
    end
    return { title = title, lines = lines, legend = legend or false,
             x = { from = 0.5, to = shown + 0.5, label = log and "1 oscillator  2 point  3 parabola  4 tromba" or "" },
             y = { label = label, from = log and 1e-9 or 0, to = 1, log = log } }
  end
  figure { width = "one", height = 40,
           panels = { panel("(a) strongest pull", "of largest push", pull, "outside"), panel("(b) samples that pull", "of all that act", share),
                      panel("(c) energy in open contacts", "of all there is", trapped, false, true) },
           caption = "The four cases at 44.1 kHz. No bar: zero, or rounding. Only quadratised as published pulls; with release it still keeps a little "
                     .. "energy behind." }
end
