about { place = "Sec. 8, Eq. 72", title = "The two-sided contact with free play: ε > 0" }
local bodies, systems = use "lib/willemsen2019_bodies", use "lib/willemsen2019_systems"

-- The notes give Eq. 72 with ε and go on with ε = 0. The program has it with ε as law = "centre-limited", gap = ε.
local led = [[
local m = mass { name = "m", mass = 1, path = { { 0, -1 }, { 1, 1 } } }
local hit = contact { name = "c", above = mass { mass = 1e12 }, below = m, K = 1, alpha = param { "alpha", 1, min = 1, max = 3 },
                      law = "centre-limited", gap = 0.2 }
probe { on = m, quantity = "displacement", name = "eta" }
probe { on = hit, quantity = "force", name = "f" }
render { rate = 1000, duration = 1 }
]]
local function law(eta, alpha) return math.max(math.abs(eta) - 0.2, 0) ^ alpha * (eta < 0 and -1 or 1) end
local function furthest(r, alpha)
  local off = 0
  for n = 3, #r.t - 2 do
    local eta = r.probes.eta[n]
    if math.abs(math.abs(eta) - 0.2) > 0.005 then off = math.max(off, math.abs(r.probes.f[n] - law(eta, alpha))) end
  end
  return off
end
local slow = {}
for i, alpha in ipairs { 1, 1.3, 2 } do slow[i] = run(led, { scheme = "newton", set = { alpha = alpha } }) end
local off = { furthest(slow[1], 1), furthest(slow[2], 1.3), furthest(slow[3], 2) }
claim { "force of the contact with ε = 0.2 m and K = 1 on a mass led slowly through it, furthest from Eq. 72 (α = 1; 1.3; 2)",
        published = "K [|η| - ε]₊^α sgn(η) (Eq. 72)", measured = off, unit = "N", digits = 1, holds = math.max(off[1], off[2], off[3]) < 1e-4 }

-- The tromba of Sec. 8 with ε between string and bridge.
local plays, acts, balance = { 0, 1e-6, 5e-6, 2e-5 }, {}, 0
for i, play in ipairs(plays) do
  local r = run("willemsen2019/tromba", { set = { play = play }, duration = 0.2, unaudited = true })
  acts[i] = 100 * r.links.foot.contact_samples / r.steps
end
for _, scheme in ipairs { "quadratised", "ledger", "newton" } do
  local r = run("willemsen2019/tromba", { set = { play = 5e-6 }, scheme = scheme, duration = 3000 / 44100, energy = true })
  balance = math.max(balance, r.balance)
end
claim { "part of the steps in which the contact of string and bridge acts, tromba of Sec. 8, 0.2 s, ε = 0, 1, 5, 20 µm",
        published = "there will always be a force", measured = acts, unit = "%", digits = 2, expect = "reproduced with correction",
        holds = acts[1] > 95 and acts[2] < acts[1] and acts[3] < acts[2] and acts[4] < acts[3],
        why = "of ε = 0 only (at first the wave is still on its way to the bridge): within the free play there is none" }
claim { "energy out of nothing with ε = 5 µm, all losses, largest of quadratised, ledger and newton", published = "none, as ψ ψ' = φ' (App. A)",
        measured = balance, digits = 1, holds = balance < 1e-11 }

-- A mass that flies to and fro in the free play, α = 1: the period is 4 ε/v and two contacts of π √(M/K), exactly. Eqs. 73 to 75 with ε
-- put back, g = sgn(η) √(K(α+1)/2) [|η| - ε]₊^((α-1)/2), solved apart; with the odd ψ; and the program.
local rate, M, play, v, alpha = 44100, 1e-3, 1e-4, 0.3, 1
local k, steps, count = 1 / rate, 4000, 24
local function stiffness(samples) return M * (math.pi / (samples * k)) ^ 2 end -- of a contact that lasts so long
local function notes(K, even, now, before)
  local s = systems.mass_barrier { k = k, mass = bodies.mass { k = k, M = M }, barrier = 0,
                                   contacts = { { K = K, alpha = alpha, both = true, even = even, play = play } } }
  s.mass:start(now, before)
  s:begin()
  local u = vec(steps + 1)
  u[1], u[2] = before, now
  local start, drift = s:energy(), 0
  for n = 3, steps + 1 do
    s:step()
    u[n], drift = s.mass.u, math.max(drift, math.abs(s:energy() / start - 1))
  end
  return u, drift
end
local function program(K, scheme, from)
  local r = run(([[
local m = mass { name = "m", mass = %g, position = %.17g, velocity = %g }
contact { above = barrier { height = 0 }, below = m, K = %.17g, alpha = %g, law = "centre-limited", gap = %g }
probe { on = m, quantity = "displacement", name = "u" }
render { rate = %d, duration = 0.1 }
]]):format(M, from, v, K, alpha, play, rate), { scheme = scheme, duration = steps * k })
  return r.probes.u, r.balance
end
-- Period, and least speed at which the middle is passed, over v.
local function told(u)
  local first, last, turns, least = nil, nil, -1, 1
  for n = 2, #u do
    if (u[n - 1] <= 0) ~= (u[n] <= 0) then
      least = math.min(least, math.abs(u[n] - u[n - 1]) * rate / v)
      if u[n] > 0 then last, turns = n - u[n] / (u[n] - u[n - 1]), turns + 1; first = first or last end
    end
  end
  return turns > 0 and (last - first) / turns or math.huge, least
end
local ways = { "even", "quadratised", "newton", "ledger" }
local function study(samples)
  local K, exact = stiffness(samples), 4 * play / v * rate + 2 * samples
  local result, drift, apart = {}, 0, 0
  for _, way in ipairs(ways) do result[way] = { period = {}, speed = {} } end
  for i = 1, count do
    local from = play * (-0.9 + 0.3 * i / count) -- arrives at other phases of the sampling
    for _, way in ipairs(ways) do
      local u, lost
      if way == "even" then u, lost = notes(K, true, from + v * k, from) else u, lost = program(K, way, from) end
      if way == "quadratised" then -- the odd ψ
        apart = math.max(apart, (u:sub(1, 200) - notes(K, false, from + v * k, from):sub(1, 200)):absmax() / play)
      end
      local period, speed = told(u)
      result[way].period[i], result[way].speed[i], drift = 100 * (period / exact - 1), speed, math.max(drift, lost)
    end
  end
  return result, drift, apart
end
local function median(list)
  local sorted = table.move(list, 1, count, 1, {})
  table.sort(sorted)
  return (sorted[count // 2] + sorted[count // 2 + 1]) / 2
end
local short, drift5, apart5 = study(5)
local long, drift20, apart20 = study(20)
local drift = math.max(drift5, drift20)
claim { "u of the next step by one division (Eqs. 16 and 75) with ε put back into Eqs. 73 to 75: the program beside it, largest distance " ..
        "in 200 steps, of ε, contacts of 5 and 20 samples", published = "K |η|^α sgn(η) (Eqs. 73 to 75)", measured = math.max(apart5, apart20),
        digits = 1, holds = math.max(apart5, apart20) < 1e-9, expect = "reproduced with correction",
        why = "φ = K/(α+1) [|η| - ε]₊^(α+1) and its g, which the notes leave out; with the odd ψ (Sec. 8)" }
claim { "energy that Eq. 75 with ε makes or loses in 4000 steps, ψ >= 0, and the program", published = "none, as ψ ψ' = φ' (App. A)", measured = drift,
        digits = 1, holds = drift < 1e-9 }
local function medians(result, what)
  local list = {}
  for i, way in ipairs(ways) do list[i] = median(result[way][what]) end
  return list
end
local speeds = { medians(short, "speed"), medians(long, "speed") }
local because = "ψ does not return to 0 when the mass leaves one side, and what is left of it acts on the other"
for i, samples in ipairs { 5, 20 } do
  claim { string.format("least speed of a mass in the free play in 4000 steps, of its speed at the start, contacts of %d samples, median of %d starts " ..
          "(ψ >= 0 as in Eq. 75; odd ψ, quadratised; newton; ledger)", samples, count), published = false, measured = speeds[i], digits = 2,
          holds = math.min(speeds[i][3], speeds[i][4]) > 0.999 and math.max(speeds[i][1], speeds[i][2]) < 1, why = i == 1 and because or nil }
end
local off5, off20 = medians(short, "period"), medians(long, "period")
claim { "its period against 4 ε/v and two contacts, exactly, median of the starts, contacts of 5 samples (as before)", published = false,
        measured = off5, unit = "%", digits = 2, holds = math.abs(off5[3]) < 3 and math.abs(off5[4]) < 3 and math.min(off5[1], off5[2]) > 5 }
claim { "the same, contacts of 20 samples", published = false, measured = off20, unit = "%", digits = 2,
        holds = math.abs(off20[3]) < 0.5 and math.abs(off20[4]) < 0.5 }

if pictures then
  local x, lines = { label = "η", unit = "m", from = -1, to = 1 }, {}
  for i, name in ipairs { "α = 1", "α = 1.3", "α = 2" } do
    lines[i] = { x = slow[i].probes.eta, y = slow[i].probes.f, name = name, colour = ({ "ink", "sky", "purple" })[i] }
  end
  local dots, start = {}, vec(count, function(i) return -0.9 + 0.3 * i / count end)
  for i, way in ipairs { "even", "quadratised", "ledger" } do
    dots[i] = { x = start, y = vec(short[way].speed), name = ({ "ψ ≥ 0", "odd ψ", "ledger" })[i], style = "points",
                colour = i == 1 and "black" or nil, scheme = i > 1 and way or nil, point = i == 1 and "circle" or "disc" }
  end
  figure { columns = 2, width = "two", height = 55,
    caption = "(a) Eq. 72 with ε = 0.2 m and K = 1, as a contact of the program has it; (b) a mass in the free play, contacts of 5 " ..
              "samples: least speed in 4000 steps, of that at the start, by where it starts: Eq. 75 (ψ ≥ 0), quadratised (odd ψ) and ledger.",
    panels = { { title = "(a) Eq. 72", x = x, y = { label = "force", unit = "N" }, lines = lines, legend = "top left" },
               { title = "(b) in the free play", x = { label = "start, of ε", from = -0.9, to = -0.6 },
                 y = { label = "least speed", from = 0, to = 1.1 }, legend = "outside", lines = dots } } }
end
