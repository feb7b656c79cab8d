about { place = "Fig. 8", title = "Case 1 under gravity: what errors do to bounces" }

local lib = use "lib/papetti2011_impact"
local mass, bounces = 0.01, 8 -- kg; bounces whose flight ends within the 0.55 s of the figure

-- When the mass is back on the floor after each bounce, s, and its energy in the flight before, J.
local function flights(t, u, v, g)
    local back, energy, before = {}, {}, u[4]
    for i = 4, #u - 1 do
        local here = u[i + 1]
        if before >= 0 and here < 0 then -- the parabola of the flight, from two samples before the contact
            local square = v[i - 2] ^ 2 + 2 * g * u[i - 2]
            table.insert(back, t[i - 2] + (v[i - 2] + math.sqrt(square)) / g)
            table.insert(energy, mass / 2 * square)
        end
        before = here
    end
    return { back = back, energy = energy }
end

-- Delays, ms, and errors of the energy, %, of a run against a reference, bounce by bounce.
local function errors(run_of, reference)
    local delay, energy = {}, {}
    for n = 1, bounces do
        delay[n] = 1e3 * (run_of.back[n] - reference.back[n])
        energy[n] = 100 * (run_of.energy[n] / reference.energy[n] - 1)
    end
    return { delay = delay, energy = energy }
end

local runs, found = {}, {}
for _, scheme in ipairs { "am1", "rk4", "verlet", "heun", "invariant" } do
    local r = run("papetti2011/bouncing", { scheme = scheme })
    runs[scheme], found[scheme] = r, flights(r.t, r.probes.u, r.probes.v, 9.81)
end
local off = {}
for scheme, one in pairs(found) do off[scheme] = errors(one, found.invariant) end
local function size(list) return vec(list):absmax() end

-- The reference itself, against eight times the rate.
local fine = run("papetti2011/bouncing", { scheme = "invariant", rate = 8 * lib.rate })
local sure = errors(found.invariant, flights(fine.t, fine.probes.u, fine.probes.v, 9.81))
claim { "reference (invariant) at 44.1 kHz against 353 kHz: return times; energies", published = false,
        measured = string.format("%.1e ms; %.1e %%", size(sure.delay), size(sure.energy)),
        holds = size(sure.delay) < 1e-3 and size(sure.energy) < 1e-3 }

for i, scheme in ipairs { "am1", "rk4" } do
    local name = i == 1 and "AM1" or "RK4"
    claim { name .. ": delay of the return to the floor after bounces 1 to 8", published = "rebounds happen at the wrong time",
            measured = off[scheme].delay, unit = "ms",
            holds = math.abs(off[scheme].delay[1]) > 0.05 and size(off[scheme].delay) > 0.5 }
    claim { name .. ": error of the energy after bounces 1 to 8", published = "energy is wrongly dissipated", measured = off[scheme].energy,
            unit = "%",
            holds = size(off[scheme].energy) > 1 }
end
claim { "largest of these errors of the energy: AM1, RK4, Verlet, Heun", published = "AM1 and RK4 perform best", unit = "%",
        measured = { size(off.am1.energy), size(off.rk4.energy), size(off.verlet.energy), size(off.heun.energy) },
        holds = math.max(size(off.am1.energy), size(off.rk4.energy)) < math.min(size(off.verlet.energy), size(off.heun.energy)) }
local free = lib.list(function(scheme) return lib.errors(lib.hit("papetti2011/case1", scheme)).energy end, { "am1", "rk4" }) -- Table 1(a)
claim { string.format("error of the energy after the first bounce, AM1 and RK4; without gravity (Table 1(a)) %s %%", lib.text("%+.3f", free)),
        published = false, unit = "%", measured = { off.am1.energy[1], off.rk4.energy[1] },
        holds = math.abs(off.am1.energy[1] - free[1]) < 0.06 and math.abs(off.rk4.energy[1] - free[2]) < 0.06 }

-- "Those errors accumulate at each impact event": for that every bounce would have to add to what there is.
local function adding(list)
    local count = 0
    for n = 2, bounces do if math.abs(list[n]) > math.abs(list[n - 1]) then count = count + 1 end end
    return count
end
claim { "bounces, of 7, after which the delay is larger than before: AM1, RK4; the error of the energy: AM1, RK4",
        published = "errors accumulate at each impact",
        measured = string.format("%d, %d; %d, %d", adding(off.am1.delay), adding(off.rk4.delay), adding(off.am1.energy), adding(off.rk4.energy)),
        holds = adding(off.am1.delay) == bounces - 1 and adding(off.rk4.delay) == bounces - 1, expect = "does not reproduce",
        why = "the error of one impact changes with the phase of arrival, in sign too: some bounces take back what others gave" }

-- Many balls, each first touching at another phase within a step: what holds on average, whatever the last digits do. With `rest` they
-- are dropped, and arrive with 0.3 m/s.
local function balls(scheme, count, g, rest)
    local r = run(string.format([[
        local wall = barrier { height = 0 }
        for i = 0, %d do
            local ahead = i / %d * 0.3 / 44100
            local ball = mass { mass = 0.01, position = %s, velocity = %s }
            contact { above = ball, below = wall, K = 1e7, alpha = 1.1, damping = 0.1, scheme = "am1" }
            probe { on = ball, quantity = "displacement" }
            probe { on = ball, quantity = "velocity" }
        end
        gravity { g = %.17g }
        render { rate = 44100, duration = 0.63 }]], count - 1, count, rest and string.format("ahead + %.17g", 0.3 ^ 2 / 2 / g) or "ahead",
            rest and "0" or "-0.3", g),
        { scheme = scheme })
    local list = {}
    for i = 1, count do list[i] = flights(r.t, r.probes[2 * i - 1], r.probes[2 * i], g) end
    if rest then for _, one in ipairs(list) do table.remove(one.back, 1) table.remove(one.energy, 1) end end
    return list
end
-- rms over the balls, bounce by bounce, of AM1 and RK4.
local function rms_errors(count, g, rest)
    local exact, rms = balls("invariant", count, g, rest), {}
    for name, scheme in pairs { AM1 = "am1", RK4 = "rk4" } do
        local ours, delay, energy = balls(scheme, count, g, rest), vec(bounces), vec(bounces)
        for i = 1, count do
            local one = errors(ours[i], exact[i])
            delay, energy = delay + vec(one.delay) ^ 2, energy + vec(one.energy) ^ 2
        end
        rms[name] = { delay = {}, energy = {} }
        for n = 1, bounces do rms[name].delay[n], rms[name].energy[n] = (delay[n] / count) ^ 0.5, (energy[n] / count) ^ 0.5 end
    end
    return rms
end
local rms = rms_errors(24, 9.81)
for _, name in ipairs { "AM1", "RK4" } do
    local delay, energy = rms[name].delay, rms[name].energy
    claim { name .. ": rms delay after bounces 1 to 8, of 24 balls at other phases of arrival", published = "errors accumulate", measured = delay,
            unit = "ms",
            holds = adding(delay) == bounces - 1 and delay[bounces] > 5 * delay[1] }
    claim { name .. ": rms error of the energy of these", published = "errors accumulate", measured = energy, unit = "%",
            holds = energy[bounces] > 2 * energy[1] }
end

local function last_of(g, rest)
    local other = rms_errors(12, g, rest)
    return string.format("AM1 %.2f ms and %.2f %%, RK4 %.2f ms and %.2f %%", other.AM1.delay[bounces], other.AM1.energy[bounces],
        other.RK4.delay[bounces],
                         other.RK4.energy[bounces])
end
choice { "start", taken = "x = 0 and v = v in = 0.3 m/s at t = 0", why = "gravity is superimposed on the simulation of case 1",
         otherwise = "dropped from rest at 4.6 mm, rms after 8 bounces: " .. last_of(9.81, true) }
choice { "g", taken = "9.81 m/s^2", why = "not said", otherwise = "9.80665 m/s^2, rms after 8 bounces: " .. last_of(9.80665) }

if pictures then
    local lines = {}
    for _, scheme in ipairs { "am1", "rk4", "invariant" } do
        local r = runs[scheme]
        table.insert(lines, { x = r.t:every(8), y = r.probes.u:every(8), scheme = scheme == "invariant" and "exact" or scheme,
            style = scheme == "invariant" and "dash" or "line" })
    end
    figure { caption = "Case 1 with gravity: height of the mass above the floor.", width = "two", height = 60,
             panels = { { x = { label = "t", unit = "s", from = 0, to = 0.55 }, y = { label = "height -x", unit = "mm", factor = 1e3 },
                 lines = lines } } }
end
