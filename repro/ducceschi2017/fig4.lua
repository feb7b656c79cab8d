about { place = "Fig. 4", title = "Collision of a fast particle against a stiff barrier: displacement and velocity" }

local scene, h, v0, touch = "ducceschi2017/collision", 0.1, 20, 0.03 -- touch s: 0.6 m at 20 m/s
local exact = impact { mass = 1, K = 5e9, alpha = 1.3, mu = 0, speed = v0 }
local rates, family, names = { 44100, 441000 }, { 0.5, 1, 3 }, { "1/2", "1", "3" }

local function simulate(rate, s) -- s = nil: the benchmark scheme (23)
    return run(scene, { scheme = not s and "newton" or nil, set = { s = s }, rate = rate, duration = 0.031, lenient = true })
end
local function delay(r) -- s: how much later than the exact particle it flies back
    local n = #r.t
    return (r.probes.u[n] - (h - v0 * (r.t[n] - touch - exact.duration))) / v0
end
local function apart(r, bench) -- largest distance from the benchmark during the contact, over the largest depth
    local last = math.floor((touch + exact.duration) * r.rate) + 1
    return (r.probes.u - bench.probes.u):sub(1, last):absmax() / exact.max_depth
end

local bench, runs, speed = {}, {}, 0
for i, rate in ipairs(rates) do
    bench[i], runs[i] = simulate(rate), {}
    for j, s in ipairs(family) do
        runs[i][j] = simulate(rate, s)
        local v = runs[i][j].probes.v
        if i + j > 2 then speed = math.max(speed, math.abs(v[#v - 1] / -v0 - 1)) end
    end
end
local function each(i, of)
    return { of(runs[i][1], bench[i]), of(runs[i][2], bench[i]), of(runs[i][3], bench[i]) }
end
local coarse, fine = each(1, apart), each(2, apart)

claim { "departs more and more from the benchmark as s is increased: largest distance during the contact, over the largest depth, "
        .. "s = 1/2, 1, 3 at 44.1 kHz", published = "growing with s", measured = coarse,
        holds = coarse[1] < coarse[2] and coarse[2] < coarse[3] }
claim { "the same at 441 kHz: differences are reduced when the sampling rate is increased", published = "smaller", measured = fine,
        holds = fine[1] < coarse[1] and fine[2] < coarse[2] and fine[3] < coarse[3] }

-- s = 1/2 arriving at 200 phases of a sample, beside the benchmark.
local phases = [[
local count = 200
local wall = barrier { height = 0 }
for i = 1, 2 * count do
    local m = mass { mass = 1, position = -(3 + (i % count + 0.5) / count) * 20 / 44100, velocity = 20 }
    contact { above = wall, below = m, K = 5e9, alpha = 1.3, scheme = i <= count and "root" or "newton", s = i <= count and 0.5 or nil }
    probe { on = m, quantity = "displacement" }
end
render { rate = 44100, duration = 30 / 44100 }
]]
local r, stuck, real_apart = run(phases, { lenient = true }), 0, 0
for i = 1, 200 do
    if r.links[i].complex_roots > 0 then
        stuck = stuck + 1
    else
        real_apart = math.max(real_apart, (r.probes[i] - r.probes[200 + i]):absmax() / exact.max_depth)
    end
end
local half = runs[1][1].links[1]
local nudged = true -- by a millionth of a sample either way it is complex as well: rounding does not decide
for _, by in ipairs { -1e-9, 1e-9 } do
    local r2 = run(scene, { set = { s = 0.5, v0 = v0 * (1 + by) }, duration = 0.031, lenient = true })
    nudged = nudged and r2.links[1].first_complex == half.first_complex
end
local before = (runs[1][1].probes.u - bench[1].probes.u):sub(1, half.first_complex + 1):absmax() / exact.max_depth
claim { "s = 1/2 is virtually indistinguishable from the benchmark: largest distance over the largest depth, at 44.1 kHz for arrivals with "
        .. "real roots, and at 441 kHz", published = "indistinguishable", measured = { real_apart, fine[1] }, digits = 2,
        holds = real_apart < 0.1 * coarse[2] and fine[1] < 1e-3 }
claim { "s = 1/2 at 44.1 kHz runs with the parameters of the caption", published = "drawn",
        measured = string.format("complex root at sample %d, Δ = %.2f of its terms", half.first_complex, half.discriminant),
        holds = half.complex_roots == 0, expect = "does not reproduce",
        why = string.format("0.6 m at 20 m/s are %g samples: the particle arrives on a sample, which is one of the %d of %d arrival phases "
            .. "that meet a complex root at the turning point. The picture goes on with its real part", touch * rates[1], stuck, 200) }
claim { "the same: distance from the benchmark up to the complex root and with its real part after it, over the largest depth; a millionth of a "
        .. "sample earlier or later " .. (nudged and "it is complex too" or "it is real"), published = false,
        measured = { before, coarse[1] }, digits = 2, holds = nudged and coarse[1] < 0.05 }

local fast = { simulate(4410000, 1), simulate(4410000, 3), simulate(4410000) }
local function micro(r) return 1e6 * delay(r) end
local lag = { { micro(runs[1][2]), micro(runs[2][2]), micro(fast[1]) }, { micro(runs[1][3]), micro(runs[2][3]), micro(fast[2]) } }
claim { "the same dynamics in the limit of infinite sampling rate: delay of the rebound after the exact one at 44.1 kHz, 441 kHz and "
        .. "4.41 MHz; s = 1, then s = 3", published = "→ 0",
        measured = { lag[1][1], lag[1][2], lag[1][3], lag[2][1], lag[2][2], lag[2][3] }, unit = "µs",
        holds = math.abs(lag[1][3]) < 0.02 * math.abs(lag[1][1]) and math.abs(lag[2][3]) < 0.05 * math.abs(lag[2][1]) }
claim { "the same for the benchmark", published = false, measured = { micro(bench[1]), micro(bench[2]), micro(fast[3]) }, unit = "µs",
        holds = math.abs(micro(fast[3])) < 1e-3 }
claim { "speed after the collision over 20 m/s, less 1, largest of the real runs", published = false, measured = speed, digits = 2,
        holds = speed < 1e-11 }
local ledger = run(scene, { scheme = "ledger", duration = 0.031 })
local same = (ledger.probes.u - bench[1].probes.u):absmax() / exact.max_depth
claim { "the default scheme, ledger, at 44.1 kHz: largest distance from the benchmark over the largest depth", published = false,
        measured = same, digits = 2, holds = same < 1e-6 }
local function velocities(backward) -- largest distance from the benchmark, m/s, s = 1/2, 1, 3
    local list = {}
    for j = 1, 3 do
        local off = runs[1][j].probes.u - bench[1].probes.u
        local d = backward and off:sub(2, #off) - off:sub(1, #off - 1) or (off:sub(3, #off) - off:sub(1, #off - 2)) / 2
        list[j] = string.format("%.2g", d:absmax() * rates[1])
    end
    return table.concat(list, ", ")
end
choice { "which velocity", taken = "(uⁿ⁺¹ − uⁿ⁻¹)/2k", why = "not said; it belongs to the same instants as u",
         otherwise = string.format("(uⁿ − uⁿ⁻¹)/k: largest distance from the benchmark %s m/s (s = 1/2, 1, 3) instead of %s; the same order",
             velocities(true), velocities(false)) }

local panels = {}
for i, what in ipairs { { "u", "(a)", "u − h", "mm", 1e3, -2.5, 1 }, { "v", "(b)", "velocity", "m/s", 1, -25, 30 } } do
    local lines = {}
    for j, rate in ipairs(rates) do
        local style = j == 2 and "dash" or "line"
        local function line(r, options)
            local y = r.probes[what[1]]
            options.x, options.y, options.style = r.t - touch, i == 1 and y - h or y, style
            if j == 2 then options.name = "" end
            lines[#lines + 1] = options
        end
        line(bench[j], { scheme = "newton", name = "benchmark (23)", width = 2.4 })
        for k, s in ipairs(names) do line(runs[j][k], { scheme = "root " .. s, name = "s = " .. s }) end
    end
    panels[i] = { title = what[2], x = { label = "t − 30 ms", unit = "µs", factor = 1e6, from = -50, to = 200 },
        y = { label = what[3], unit = what[4], factor = what[5], from = what[6], to = what[7] }, lines = lines, legend = i == 1 and "bottom left",
        note = i == 2 and "solid 44.1 kHz, dashed 441 kHz" or nil }
end
figure { columns = 2, width = "two", height = 60, panels = panels,
         caption = "1 kg at 20 m/s against K = 5·10⁹, α = 1.3. Solid: 44.1 kHz, dashed: 441 kHz." }
