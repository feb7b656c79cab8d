about { place = "Fig. 5", title = "Collision of a fast particle against a stiff barrier: energy components" }

local scene, touch, alpha = "ducceschi2017/collision", 0.03, 1.3
local rates = { 44100, 441000 }
local columns = { { scheme = "newton", name = "benchmark" }, { s = 1, name = "s = 1" }, { s = 3, name = "s = 3" } }

local runs, balance, drift, least = {}, 0, 0, {}
for i, rate in ipairs(rates) do
    runs[i], least[i] = {}, {}
    for j, how in ipairs(columns) do
        local r = run(scene, { scheme = how.scheme, set = { s = how.s }, rate = rate, duration = 0.031, energy = true })
        local total = r.energy.total
        runs[i][j], balance = r, math.max(balance, r.balance)
        drift = math.max(drift, total:max() / total[1] - 1, 1 - total:min() / total[1])
        least[i][j] = r.energy.contact:min() / total[1]
    end
end

claim { "total energy is constant: largest residual over the total, six runs", published = "conserved", measured = balance, digits = 2,
        holds = balance < 1e-11 and drift < 1e-11 }
claim { "s = 3: least potential energy over the total, 44.1 and 441 kHz: not non-negative, and its minimum tends to zero as the rate is increased",
        published = "< 0, → 0", measured = { least[1][3], least[2][3] }, holds = least[1][3] < -0.1 and least[2][3] < 0
            and least[2][3] > 0.1 * least[1][3] }
claim { "benchmark and s = 1: least potential energy over the total", published = "≥ 0",
        measured = math.min(least[1][1], least[1][2], least[2][1], least[2][2]), digits = 2,
        holds = math.min(least[1][1], least[1][2], least[2][1], least[2][2]) > -1e-12 }

-- Over 60 arrival phases. From (9) the parabola cannot go below phi (1 - s (alpha + 1)/(2 alpha)).
local phases = [[
local s, alpha, rate = param { "s", 3 }, param { "alpha", 1.3 }, param { "rate", 44100 }
local wall = barrier { height = 0 }
for i = 1, 60 do
    local m = mass { mass = 1, position = -(3 + (i - 0.5) / 60) * 20 / rate, velocity = 20 }
    contact { above = wall, below = m, K = 5e9, alpha = alpha, scheme = "root", s = s }
end
]]
local function lowest(s, rate, a) -- mean and extreme over the phases, of the total
    local r = run(phases, { set = { s = s, rate = rate, alpha = a or alpha }, rate = rate, duration = 3e-4, lenient = true })
    local sum, worst, room = 0, 0, 0
    for i = 1, #r.links do
        sum, worst = sum + r.links[i].lowest / 200, math.min(worst, r.links[i].lowest / 200)
        room = math.min(room, (r.links[i].lowest - r.links[i].lowest_bound) / 200)
    end
    return sum / #r.links, worst, room
end
local means = {}
for i, rate in ipairs { 44100, 441000, 4410000 } do means[i] = lowest(3, rate) end
local order, early = math.log(means[2] / means[3], 10), math.log(means[1] / means[2], 10)
claim { "the kinetic energy exceeds the total (15) up to a correction of the order of k²: s = 3, minus the least potential energy over "
        .. "the total at 44.1 kHz, 441 kHz and 4.41 MHz, mean of 60 arrival phases", published = "order 2",
        measured = string.format("%.3g, %.3g, %.2g; order %.2f, then %.2f (α + 1 = %.2f)", -means[1], -means[2], -means[3], early, order, alpha + 1),
        holds = order > 2 and math.abs(order - alpha - 1) < 0.05 }

-- (11): the parabola has no negative values while s <= 2 alpha/(alpha + 1), which is 1 for alpha = 1.
local edge = 2 * alpha / (alpha + 1)
local _, inside = lowest(0.99 * edge, 441000)
local _, outside = lowest(1.01 * edge, 441000)
local _, linear = lowest(1, 441000, 1)
claim { string.format("non-negative for 0 < s ≤ 1 and every α ≥ 1: least of 60 arrival phases over the total at 441 kHz, s = 1, α = 1, and "
        .. "s = %.3g, α = 1.3", 0.99 * edge), published = "≥ 0", measured = { linear, inside }, holds = linear >= 0 and inside >= 0 }
claim { string.format("the edge for a given α is s = 2α/(α + 1), from (11): least for α = 1.3 and s = %.3g, 1.01 of it", 1.01 * edge),
        published = false, measured = outside, holds = outside < 0 }
local _, worst, room = lowest(3, 44100)
claim { "bounded from below for every s > 0, by φ(1 − s(α + 1)/2α) from (9): least of 60 arrival phases over the total, s = 3 at 44.1 kHz, and "
        .. "how far any goes below its bound", published = "bounded", measured = { worst, -room }, holds = worst < 0 and room >= 0 }

local ledger = run(scene, { scheme = "ledger", duration = 0.031, energy = true })
claim { "the default scheme, ledger, at 44.1 kHz: least potential energy and residual over the total", published = false,
        measured = { ledger.energy.contact:min() / ledger.energy.total[1], ledger.balance }, digits = 2,
        holds = ledger.energy.contact:min() >= 0 and ledger.balance < 1e-11 }

local panels = {}
for i, rate in ipairs(rates) do
    for j, how in ipairs(columns) do
        local e, lines = runs[i][j].energy, {}
        for _, part in ipairs { "total", "kinetic", "contact" } do
            lines[#lines + 1] = { x = e.t - touch, y = e[part], scheme = part, name = part == "contact" and "potential" or part }
        end
        panels[#panels + 1] = { title = string.format("(%s) %s, %g kHz", ("abcdef"):sub(#panels + 1, #panels + 1), how.name, rate / 1000),
            x = { label = "t − 30 ms", unit = "µs", factor = 1e6, from = -50, to = 200 },
            y = { label = "energy", unit = "J", from = -250, to = 400 }, lines = lines, legend = #panels == 0 and "bottom right" }
    end
end
figure { columns = 3, width = "two", panels = panels,
         caption = "Energies of the runs of Fig. 4; the benchmark is scheme (23). For s = 3 the potential energy is negative for a moment, and the kinetic energy above the total." }
