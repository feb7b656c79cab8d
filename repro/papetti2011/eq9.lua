about { place = "Eq. 9", title = "Contact time" }

local lib = use "lib/papetti2011_impact"
local case1 = { mass = 0.01, K = 1e7, alpha = 1.1, mu = 0.1, speed = 0.3 }
local case2 = { mass = 0.01, K = 1e9, alpha = 1.5, mu = 0.5, speed = 1 }

-- Eq. 9 as printed; v = v_in - y^(alpha + 1) and -v_out + y^(alpha + 1) take the singularities at its ends away.
local function printed_time(c)
    local t, out, sum, parts = c.alpha + 1, impact(c).exit_speed, 0, 2000
    local function integrand(v)
        local bracket = -c.mu * (v - c.speed) + math.log(math.abs((1 + c.mu * v) / (1 + c.mu * c.speed)))
        return 1 / ((1 + c.mu * v) * bracket ^ (c.alpha / t))
    end
    for _, from in ipairs { c.speed, -out } do
        local width = math.abs(from) ^ (1 / t) / parts
        for i = 1, parts do
            local y = (i - 0.5) * width
            sum = sum + integrand(from > 0 and from - y ^ t or from + y ^ t) * t * y ^ c.alpha * width
        end
    end
    return (c.mass / c.K) ^ (1 / t) * (c.mu ^ 2 / t) ^ (c.alpha / t) * sum
end

local function with(c, changes)
    local new = {}
    for key, value in pairs(c) do new[key] = changes[key] or value end
    return impact(new).duration
end

for i, c in ipairs { case1, case2 } do
    local time = impact(c).duration
    local fine = lib.hit("papetti2011/case" .. i, "rk4", { rate = 256 * lib.rate, duration = 1.3 * time })
    local counted = (fine.last - 1) / (256 * lib.rate)
    claim { string.format("case %d: contact time by Eq. 9 as printed, less that of the library and that of a run (RK4, 256 steps a sample)", i),
            published = "the integral of Eq. 9",
            measured = string.format("%.4f samples, %.0e, %.0e", time * lib.rate, (printed_time(c) - time) * lib.rate, (counted - time) * lib.rate),
            holds = math.abs(printed_time(c) / time - 1) < 1e-5 and math.abs(counted / time - 1) < 1e-3 }
    local power = math.log(with(c, { K = c.K / 16 }) / time) / math.log(16)
    claim { string.format("case %d: power of m/k in the contact time", i), published = string.format("1/(α + 1) = %.4g", 1 / (c.alpha + 1)),
            measured = power, digits = 6, holds = math.abs(power - 1 / (c.alpha + 1)) < 1e-9 }
    local scaled = with(c, { K = 10 * c.K, mass = 10 * c.mass }) / time - 1
    claim { string.format("case %d: m and k both times 10: change of the contact time, relative", i), published = "none: m/k only",
            measured = scaled, digits = 2, holds = math.abs(scaled) < 1e-12 }
end

-- Sec. 2.1.3: hard and soft.
local times, forces, ordered = {}, {}, true
for i, K in ipairs { 1e5, 1e6, 1e7, 1e8 } do
    local hit = lib.hit("papetti2011/case1", "rk4", { set = { K = K }, rate = 16 * lib.rate, duration = 4e-3 })
    times[i], forces[i] = hit.exact.duration * lib.rate, hit.f:max()
    ordered = ordered and (i == 1 or (forces[i] > forces[i - 1] and times[i] < times[i - 1]))
end
claim { "contact times of case 1 with k = 1e5 .. 1e8, " .. lib.text("%.3g", times) .. " samples: largest forces",
        published = "hard (short) is high, soft is low force",
        measured = forces, unit = "N", holds = ordered }
