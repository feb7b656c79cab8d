about { place = "Fig. 6", title = "Cubic oscillator against the benchmark scheme (25), s = 1/2, 1, 3" }

local root = use "lib/ducceschi2017_root"
local scene, rate, K, v0 = "ducceschi2017/cubic", 44100, 1e10, 5
local family, names = { 0.5, 1, 3 }, { "1/2", "1", "3" }
local function simulate(s, more) -- more: v0, rate
    more = more or {}
    return run(scene, { set = { s = s, v0 = more.v0 or v0 }, rate = more.rate, duration = 1, energy = true })
end
-- Half a period is an impact on a spring of the same law.
local function exact(v) return 1 / (2 * impact { mass = 1, K = K, alpha = 3, mu = 0, speed = v }.duration) end

local runs, f, balance = {}, {}, 0
for i, s in ipairs(family) do
    runs[i] = simulate(s)
    f[i] = pitch(runs[i].probes.u, rate, exact(v0))
    balance = math.max(balance, runs[i].balance)
end
local bench = pitch(runs[1].probes.benchmark, rate, exact(v0))

claim { string.format("fundamental, s = 1/2, 1, 3; benchmark %.3f Hz, exact %.3f Hz: a little faster than the benchmark", bench, exact(v0)),
        published = "faster for s ≠ 1/2", measured = f, unit = "Hz", digits = 6,
        holds = math.abs(f[1] - bench) < 0.02 and f[2] > bench + 0.5 and f[3] > f[2] + 1 }

local shown = 0.05 -- s, of the time axis
local apart = {}
for i, r in ipairs(runs) do
    apart[i] = (r.probes.u - r.probes.benchmark):sub(1, math.floor(shown * rate)):absmax() / r.probes.benchmark:absmax()
end
claim { string.format("s = 1/2 is virtually undistinguishable from the benchmark, more and more discrepancies as s is increased: largest distance in "
        .. "%g ms over the amplitude, s = 1/2, 1, 3", 1e3 * shown), published = "growing with s", measured = apart,
        holds = apart[1] < 0.01 and apart[2] > 0.1 and apart[3] > apart[2] }

-- The program against (17) stepped right here from its first two samples.
local stray, cube = 0, root.potential("two-sided", K, 3)
for i, s in ipairs(family) do
    local u = runs[i].probes.u
    local before, now = u[1], u[2]
    for n = 3, math.floor(shown * rate) do
        before, now = now, root.step(cube, s, 1, 1 / rate, before, now)
        stray = math.max(stray, math.abs(now - u[n]) / u:absmax())
    end
end
claim { string.format("the program is the scheme (17): largest distance from it in %g ms over the amplitude, s = 1/2, 1, 3", 1e3 * shown),
        published = false, measured = stray, digits = 2, holds = stray < 1e-9 }

-- Level of all that is above a frequency, dB over the fundamental.
local function above(u, from, fs)
    local sp = spectrum(u, fs or rate, { window = "blackman" })
    local first = math.floor(from / sp.f[2]) + 1
    local rest = sp.amplitude:sub(first, #sp.amplitude)
    return 10 * math.log(rest:dot(rest), 10) - 20 * math.log(sp.amplitude:max(), 10)
end
local high, clean = {}, above(runs[1].probes.benchmark, 1500)
for i, r in ipairs(runs) do high[i] = above(r.probes.u, 1500) end
claim { string.format("several spectral peaks appear for s ≠ 1/2 in the higher frequency range: level above 1.5 kHz over the fundamental, s = 1/2, 1, 3; "
        .. "benchmark %.0f dB", clean), published = "for s = 1, 3 only", measured = high, unit = "dB",
        holds = high[1] < clean + 3 and high[2] > clean + 80 and high[3] > high[2] + 10 }

local finer = { above(simulate(1, { rate = 4 * rate }).probes.u, 1500, 4 * rate), above(simulate(3, { rate = 4 * rate }).probes.u, 1500, 4 * rate) }
claim { "increasing the sampling rate reduces it: the same at 176.4 kHz, s = 1, 3", published = "lower", measured = finer, unit = "dB",
        holds = finer[1] < high[2] - 10 and finer[2] < high[3] - 10 }

-- Hardening: f ~ sqrt(v0), twice for four times the speed.
local harder = simulate(1, { v0 = 4 * v0 })
local f4 = pitch(harder.probes.u, rate, 2 * f[2])
local b4 = pitch(harder.probes.benchmark, rate, exact(4 * v0))
claim { "hardening: frequency at v₀ = 20 m/s over that at 5 m/s, benchmark and s = 1 (exact: 2)", published = "higher", measured = { b4 / bench, f4 / f[2] },
        digits = 4, holds = math.abs(b4 / bench - 2) < 0.01 and f4 / f[2] > 1.95 }
local n = 15 -- a harmonic the benchmark does not have to speak of
local p1, a1 = pitch(runs[2].probes.u, rate, n * f[2])
local p4, a4 = pitch(harder.probes.u, rate, n * f4)
local _, none = pitch(runs[2].probes.benchmark, rate, n * bench)
claim { string.format("spurious peaks harden too, s = 1: harmonic %d at 5 and at 20 m/s (benchmark: %.0f dB lower at 5 m/s)", n, 20 * math.log(a1 / none, 10)),
        published = "higher", measured = { p1, p4 }, unit = "Hz", digits = 4, holds = p4 > 1.9 * p1 and a1 > 1e3 * none and a4 > a1 }
claim { "energy: largest residual over the total", published = "conserved", measured = balance, digits = 2, holds = balance < 1e-10 }

-- The benchmark by itself: (25) is of second order and stable at any time step.
local cubic = "local m = mass { mass = 1, velocity = 5 }\nspring { between = { m, \"ground\" }, K3 = 1e10 }\n"
    .. "probe { on = m, quantity = \"displacement\", name = \"u\" }"
local fine = run(cubic, { rate = 2 * rate, duration = 1 })
local order = math.log((bench - exact(v0)) / (pitch(fine.probes.u, 2 * rate, exact(v0)) - exact(v0)), 2)
local crude = run(cubic, { rate = 100, duration = 10 })
claim { "the benchmark (25) is second-order accurate: order of its frequency", published = 2, measured = order, within = 0.05 }
claim { "and unconditionally stable: residual over the total at 100 Hz, less than one sample a period", published = "stable", measured = crude.balance, digits = 2,
        holds = crude.balance < 1e-12 and crude.probes.u:absmax() < 0.1 }

local ledger = run(scene, { scheme = "ledger", duration = 1 })
claim { "the default scheme, ledger: fundamental and level above 1.5 kHz over it", published = false,
        measured = string.format("%.3f Hz, %.0f dB", pitch(ledger.probes.u, rate, exact(v0)), above(ledger.probes.u, 1500)),
        holds = math.abs(pitch(ledger.probes.u, rate, exact(v0)) - exact(v0)) < 0.05 and above(ledger.probes.u, 1500) < -150 }
choice { "length of the run and window of the spectra", taken = "1 s, Blackman", why = "not said",
         otherwise = string.format("0.5 s: level above 1.5 kHz %.1f and %.1f dB, s = 1, 3", above(runs[2].probes.u:sub(1, rate // 2), 1500),
             above(runs[3].probes.u:sub(1, rate // 2), 1500)) }

local panels = {}
for i, r in ipairs(runs) do
    panels[i] = { title = "s = " .. names[i], x = { label = "t", unit = "ms", factor = 1e3, from = 0, to = 1e3 * shown },
        y = { label = "u", unit = "mm", factor = 1e3, from = -12, to = 18 }, legend = "top right",
        lines = { { x = r.t, y = r.probes.u, scheme = "root " .. names[i], style = "line", name = "scheme (17)", width = 2.4 },
                  { x = r.t, y = r.probes.benchmark, scheme = "reference", name = "benchmark (25)", style = "dash", width = 0.8 } } }
    local lines = {}
    for j, u in ipairs { r.probes.u, r.probes.benchmark } do
        local sp = spectrum(u:sub(1, 32768), rate, { window = "blackman" })
        lines[j] = { x = sp.f, y = 20 * sp.amplitude:log10(), scheme = j == 1 and "root " .. names[i] or "reference", style = j == 2 and "dash" or "line",
                     width = j == 2 and 0.8 or 1.6 }
    end
    panels[3 + i] = { x = { label = "f", unit = "kHz", factor = 1e-3, from = 0, to = 6 },
        y = { label = "level re 1 m", unit = "dB", from = -200, to = -20 }, lines = lines, legend = false }
end
figure { columns = 3, width = "two", panels = panels,
         caption = "Cubic oscillator, K = 10¹⁰, M = 1 kg, at 44.1 kHz, v₀ = 5 m/s, u₀ = 0. Top: displacement, bottom: spectrum." }
