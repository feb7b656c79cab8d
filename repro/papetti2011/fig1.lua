about { place = "Fig. 1", title = "Phase portrait of impacts at 1 to 4 m/s" }

local lib = use "lib/papetti2011_impact"
local fine = 64 * lib.rate -- the figure is of the continuous system

local speeds, hits = { 1, 2, 3, 4 }, {}
for i, v in ipairs(speeds) do hits[i] = lib.hit("papetti2011/case2", "rk4", { set = { v = v }, rate = fine, duration = 4e-4 }) end
local limit = -1 / hits[1].mu

local function per_speed(f)
    local list = {}
    for i, hit in ipairs(hits) do list[i] = f(hit) end
    return list
end

-- Largest distance of the run from x(v) of Eq. 3, relative to x_max.
local function off_curve(hit)
    local off = 0
    for i = 1, hit.last - 1 do
        if hit.v[i] <= hit.speed and hit.v[i] >= -hit.exact.exit_speed then
            off = math.max(off, math.abs(hit.x[i] - hit.exact.depth(hit.v[i])) / hit.exact.max_depth)
        end
    end
    return off
end

local out = per_speed(function(hit) return hit.exit end)
claim { "speed after the collision at v in = 1, 2, 3, 4 m/s", published = "smaller than v in", measured = out, unit = "m/s", digits = 4,
        holds = out[1] < 1 and out[2] < 2 and out[3] < 3 and out[4] < 4 }

local far = {}
for i, v in ipairs { 4, 10, 40 } do far[i] = impact { mass = 0.01, K = 1e9, alpha = 1.5, mu = 0.5, speed = v }.exit_speed / -limit end
claim { "exit speed over the limit value v lim at v in = 4, 10, 40 m/s", published = "converges to 1", measured = far, digits = 6,
        holds = far[1] < far[2] and far[2] <= far[3] and math.abs(far[3] - 1) < 1e-6 }

local deep = per_speed(function(hit) return hit.depth / hit.exact.max_depth - 1 end)
claim { "largest compression of the runs against Eq. 4, relative", published = "x max as in Eq. 4", measured = deep, digits = 2,
        holds = lib.all(deep, function(off) return math.abs(off) < 2e-4 end) }

local curve = per_speed(off_curve)
claim { "distance of the runs from the curve x(v) of Eq. 3, relative to x max", published = "on the curve", measured = curve, digits = 2,
        holds = lib.all(curve, function(off) return off < 1e-3 end) }

-- Started inside on either side of v = v_lim, where the two terms of the force cancel.
local inside = [[
    local v = param { "v", 3, min = -10, max = 10, unit = "m/s" }
    local ball = mass { mass = 0.01, position = -100e-6, velocity = v }
    local hit = contact { above = ball, below = barrier { height = 0 }, K = 1e9, alpha = 1.5, damping = 0.5, scheme = "rk4" }
    probe { on = ball, quantity = "displacement", name = "u" }
    probe { on = ball, quantity = "velocity", name = "v" }
    probe { on = hit, quantity = "force", name = "f" }
    render { rate = 2822400, duration = 5e-5 }]]

-- Nearest approach to v_lim of what starts at v, m/s, and the force of the first sample, N.
local function from_inside(v)
    local r = run(inside, { set = { v = -v } })
    local nearest = math.huge
    for i = 1, #r.t - 1 do
        if r.probes.u[i] < 0 then nearest = math.min(nearest, (-r.probes.v[i] - limit) * (v > limit and 1 or -1)) end
    end
    return nearest, r.probes.f[2], r
end
local below, sticky, fast = from_inside(-3)
local above, push, slow = from_inside(-1)
local _, zero = from_inside(limit)
claim { "nearest approach to v = v lim from -3 m/s; from -1 m/s: neither region is entered from the other", published = "never entered",
        measured = { below, above }, unit = "m/s", holds = below > 0 and above > 0 }
claim { "force at x = 0.1 mm and v = v lim, relative to k x^α", published = "elastic and dissipative terms cancel",
        measured = math.abs(zero) / (1e9 * 1e-4 ^ 1.5), holds = math.abs(zero) < 1e-12 * 1e9 * 1e-4 ^ 1.5 }
claim { "force at v = -3 m/s < v lim; at -1 m/s", published = "sticky (inward) below v lim", measured = { sticky, push }, unit = "N",
        holds = sticky < 0 and push > 0 }
local lowest = per_speed(function(hit) return hit.run.links[1].min_force end)
claim { "least force of the impacts that start at x = 0", published = "never sticky", measured = lowest, unit = "N",
        holds = lib.all(lowest, function(f) return f >= 0 end) }
local rise = per_speed(function(hit)
    local most = -math.huge
    for i = 2, hit.last do most = math.max(most, hit.v[i] - hit.v[i - 1]) end
    return most
end)
claim { string.format("largest change of v in one step of %.2f µs", 1e6 / fine), published = "v(t + dt) <= v(t) (Sec. 4.2)",
        measured = rise, unit = "m/s", digits = 2,
        holds = lib.all(rise, function(step) return step <= 1e-9 end) }

local between = {}
for i, v in ipairs { 1.5, 2.5, 3.5 } do between[i] = impact(lib.impact_of(hits[1], { speed = v })).exit_speed end
choice { "speeds", taken = "v in = 1, 2, 3, 4 m/s", why = "the caption says 1 .. 4",
         otherwise = string.format("1.5, 2.5, 3.5 m/s leave with %s m/s, between the others", lib.text("%.3f", between)) }

if pictures then
    local lines = {}
    for i, hit in ipairs(hits) do
        local x, v = lib.portrait(hit.exact, hit.speed, 301)
        table.insert(lines, { x = x, y = v, scheme = "exact", name = i == 1 and "in contact, Eq. 3" or "" })
    end
    for i, hit in ipairs(hits) do
        table.insert(lines, { x = hit.x:sub(1, hit.last):every(24), y = hit.v:sub(1, hit.last):every(24), scheme = "rk4", style = "points",
                              name = i == 1 and "run, rk4" or "" })
    end
    for i, hit in ipairs(hits) do
        table.insert(lines, { x = vec { -6e-5, 0 }, y = vec { hit.speed, hit.speed }, colour = "grey", style = "dash",
            name = i == 1 and "free" or "" })
        table.insert(lines, { x = vec { -6e-5, 0 }, y = vec { -hit.exit, -hit.exit }, colour = "grey", style = "dash", name = "" })
    end
    figure { caption = "Phase portrait: m = 10 g, k = 1e9 N/m^1.5, μ = 0.5 s/m, α = 1.5, v in = 1 .. 4 m/s. Solid: in contact; "
                 .. string.format("dashed: free; points: run (RK4, %.1f MHz).", 1e-6 * fine),
             height = 60, panels = { { x = { label = "compression x", unit = "µm", factor = 1e6, from = -60, to = 160 },
             y = { label = "velocity v", unit = "m/s", from = -3, to = 5 }, lines = lines, legend = "top right",
             marks = { { y = limit, text = "v lim" } } } } }
end
