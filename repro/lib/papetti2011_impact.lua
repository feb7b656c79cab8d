-- One mass that hits a wall, as Papetti, Avanzini and Rocchesso 2011 look at it: compression x and its velocity v point into the
-- wall, the Hamiltonian H = T + V is that of the integrator itself. Parameters are read from the run, so the scenes are their only place.
local lib = { schemes = { "am1", "verlet", "heun", "rk4" } }

lib.rate = 44100 -- Hz, "a standard audio sample rate" (Sec. 3.3)

-- Closed forms of the impact that a run shows.
local function closed_forms(r)
    local wall = r.links[1]
    return impact { mass = wall.mass, K = wall.K, alpha = wall.alpha, mu = wall.mu, speed = -r.probes.v[1] }
end

-- Runs a scene with one impact. x, v, f, H, T, V: vecs per sample; last: the first sample after the contact; exact: closed forms;
-- depth, exit: largest compression and speed after the impact; start, final: Hamiltonian before and after.
function lib.hit(scene, scheme, options)
    local asked = { scheme = scheme, energy = true }
    for key, value in pairs(options or {}) do asked[key] = value end
    local r = run(scene, asked)
    local wall, x = r.links[1], -r.probes.u
    local hit = { run = r, scheme = scheme, x = x, f = r.probes.f, exact = closed_forms(r), mass = wall.mass, K = wall.K,
                  alpha = wall.alpha, mu = wall.mu, speed = -r.probes.v[1] }
    hit.start = wall.mass / 2 * hit.speed ^ 2
    hit.V = x:map(function(depth) return depth > 0 and wall.K * depth ^ (wall.alpha + 1) / (wall.alpha + 1) or 0 end)
    -- Row n of the energies is that after the step from n to n + 1.
    hit.H = vec(#x, function(i) return i == 1 and hit.start or r.energy.total[i - 1] end)
    hit.T = hit.H - hit.V
    hit.v = vec(#x, function(i)
        return (r.probes.v[i] > 0 and -1 or 1) * math.sqrt(2 * math.max(hit.T[i], 0) / wall.mass)
    end)
    local touched = false
    for i = 1, #x do
        touched = touched or x[i] > 0
        if touched and x[i] <= 0 then hit.last = i break end
    end
    hit.depth = x:max()
    hit.exit = r.probes.v[#x - 1]
    hit.final = wall.mass / 2 * hit.exit ^ 2
    hit.H_tau = wall.mass / 2 * hit.exact.exit_speed ^ 2
    return hit
end

-- The same for several schemes, by name.
function lib.hits(scene, schemes, options)
    local hits = {}
    for _, scheme in ipairs(schemes) do hits[scheme] = lib.hit(scene, scheme, options) end
    return hits
end

-- Percentage errors of Table 1. v_out is the approximate one of Eqs. 7 and 8, as everywhere in the paper.
function lib.errors(hit)
    local ratio = hit.exit / hit.exact.exit_speed_fit
    return { depth = 100 * (hit.depth / hit.exact.max_depth - 1), speed = 100 * (ratio - 1), energy = 100 * (ratio ^ 2 - 1),
             true_speed = 100 * (hit.exit / hit.exact.exit_speed - 1),
             true_energy = 100 * ((hit.exit / hit.exact.exit_speed) ^ 2 - 1) }
end

-- Where Eq. 24, H_{n+1} <= H_n, is broken during the contact: how often, and the largest rise in % of H_0.
function lib.rises(hit)
    local count, most, where = 0, 0, 0
    for i = 2, hit.last do
        local rise = 100 * (hit.H[i] - hit.H[i - 1]) / hit.start
        if rise > 1e-9 then count = count + 1 end
        if rise > most then most, where = rise, i end
    end
    return count, most, where
end

-- The contact time in the captions of Figs. 5 and 6, samples: how they are counted is not said, so each way stands here, and one
-- of them has to give the printed number for every method.
function lib.contact_time(hits, printed)
    local time = hits.am1.exact.duration * lib.rate
    local steps = lib.list(function(scheme) return hits[scheme].last - 1 end)
    local inside = lib.list(function(scheme) return hits[scheme].last - 2 end)
    local function is_printed(count) return count == printed end
    claim { "contact time: by Eq. 9; steps until x <= 0; samples with x > 0 (AM1, Verlet, Heun, RK4)", published = printed, unit = "samples",
            measured = string.format("%.3f; %s; %s", time, lib.text("%d", steps), lib.text("%d", inside)),
            holds = math.floor(time + 0.5) == printed or lib.all(steps, is_printed) or lib.all(inside, is_printed) }
end

-- f of every one of the four schemes, as a list and as a text.
function lib.list(f, schemes)
    local list = {}
    for i, scheme in ipairs(schemes or lib.schemes) do list[i] = f(scheme) end
    return list
end

function lib.text(form, values)
    local texts = {}
    for i, value in ipairs(values) do texts[i] = string.format(form, value) end
    return table.concat(texts, ", ")
end

-- True when all of a list satisfy a condition.
function lib.all(list, condition)
    for _, value in ipairs(list) do if not condition(value) then return false end end
    return true
end

-- The impact of a hit, with other numbers.
function lib.impact_of(hit, changes)
    local one = { mass = hit.mass, K = hit.K, alpha = hit.alpha, mu = hit.mu, speed = hit.speed }
    for key, value in pairs(changes or {}) do one[key] = value end
    return one
end

-- The wall made softer or harder until the contact lasts so many samples (Eq. 9); the exit speed stays.
function lib.stretched(one, samples)
    local exact = one.exact or impact(lib.impact_of(one))
    return lib.impact_of(one, { K = one.K * (exact.duration * lib.rate / samples) ^ (one.alpha + 1),
                                exact = { duration = samples / lib.rate, exit_speed = exact.exit_speed } })
end

-- Error of v_out against the exact one, %, of many impacts, all in one scene. `ahead`: where in a step each first touches, 0 .. 1
-- (0: on a sample); nil: all on a sample.
function lib.exits(impacts, scheme, ahead)
    local lines, longest, exit = { [[
        local wall = barrier { height = 0 }
        local function hit(m, K, alpha, mu, v, start)
            local ball = mass { mass = m, velocity = -v, position = start }
            contact { above = ball, below = wall, K = K, alpha = alpha, damping = mu, scheme = "am1" }
            probe { on = ball, quantity = "velocity" }
        end]] }, 0, {}
    for i, one in ipairs(impacts) do
        local start = ahead and ahead[i] * one.speed / lib.rate or 0
        lines[i + 1] = string.format("hit(%.17g, %.17g, %.17g, %.17g, %.17g, %.17g)", one.mass, one.K, one.alpha, one.mu, one.speed, start)
        local exact = one.exact or impact(one)
        longest, exit[i] = math.max(longest, exact.duration), exact.exit_speed
    end
    table.insert(lines, string.format("render { rate = %.17g, duration = %.17g }", lib.rate, 1.3 * longest + 8 / lib.rate))
    local r = run(table.concat(lines, "\n"), { scheme = scheme, lenient = true }) -- the shortest contacts make a method diverge
    return vec(#impacts, function(i)
        local v = r.probes[i]
        return 100 * (v[#v - 1] / exit[i] - 1)
    end)
end

-- The same for one impact at `count` phases of arrival.
function lib.phases(one, scheme, count)
    local impacts, ahead = {}, {}
    for i = 1, count do impacts[i], ahead[i] = one, (i - 1) / count end
    return lib.exits(impacts, scheme, ahead)
end

-- Part of a vec that is above zero, %.
function lib.share_above(errors)
    local count = 0
    for i = 1, #errors do if errors[i] > 0 then count = count + 1 end end
    return 100 * count / #errors
end

-- Closed curve of the exact impact in the phase plane, Eq. 3: v from v_in to -v_out, and x(v).
function lib.portrait(exact, speed, count)
    local out = exact.exit_speed
    local v = vec(count, function(i)
        local part = (1 - math.cos(math.pi * (i - 1) / (count - 1))) / 2 -- dense at the ends, where x(v) is steep
        return i == count and -out or speed - (speed + out) * part
    end)
    return v:map(exact.depth), v
end

-- What the methods are drawn against, over samples: invariant at 16 times the rate follows the exact motion.
local function exact_motion(scene, last)
    local fine = lib.hit(scene, "invariant", { rate = 16 * lib.rate })
    local count = math.min(16 * last, #fine.x)
    local n = vec(count, function(i) return (i - 1) / 16 end)
    return { n = n, f = fine.f:sub(1, count), H = fine.H:sub(1, count), T = fine.T:sub(1, count), V = fine.V:sub(1, count) }
end

-- The four panels of Figs. 4 to 6: the exact curves and the methods. `sparse`: every so many samples are marked, each method at its
-- own, for curves that lie upon one another; T and V are then drawn too.
function lib.panels(scene, hits, sparse)
    local one = hits.am1
    local exact, shown = one.exact, one.last + 1
    local depth, v = lib.portrait(exact, one.speed, 201)
    local law = vec(201, function(i) return one.K * depth[i] ^ one.alpha * (1 + one.mu * v[i]) end)
    local motion = exact_motion(scene, shown)
    local portrait, characteristic = { { x = depth, y = v, scheme = "exact" } }, { { x = depth, y = law, scheme = "exact" } }
    local force, energy = { { x = motion.n, y = motion.f, scheme = "exact" } }, {}
    local dashes = { H = "line", T = "dash", V = "dot" }
    for _, key in ipairs(sparse and { "H", "T", "V" } or { "H" }) do
        table.insert(energy, { x = motion.n, y = motion[key], scheme = "exact", name = sparse and key or "", style = dashes[key] })
    end
    local style = sparse and "points" or "linespoints"
    for i, scheme in ipairs(lib.schemes) do
        local hit, first = hits[scheme], sparse and 1 + (i - 1) * sparse // #lib.schemes or 1
        local function part(values) return values:sub(first, shown):every(sparse or 1) end
        local n = part(vec(shown, function(k) return k - 1 end))
        table.insert(portrait, { x = part(hit.x), y = part(hit.v), scheme = scheme, style = style })
        table.insert(characteristic, { x = part(hit.x), y = part(hit.f), scheme = scheme, style = style })
        table.insert(force, { x = n, y = part(hit.f), scheme = scheme, style = style })
        for _, key in ipairs(sparse and { "H", "T", "V" } or { "H" }) do table.insert(energy, { x = n, y = part(hit[key]), scheme = scheme,
            name = "", style = style }) end
    end
    local deepest = 1.08e6 * exact.max_depth
    local samples = { label = "sample n", from = 0, to = shown }
    return {
        { title = "(a) phase portrait", x = { label = "compression x", unit = "µm", factor = 1e6, to = 1.2 * deepest },
            y = { label = "velocity v", unit = "m/s" },
          lines = portrait, legend = "left",
          marks = { { x = exact.max_depth, text = "x max" }, { y = -exact.exit_speed, text = "v out" } } },
        { title = "(b) force over compression", x = { label = "compression x", unit = "µm", factor = 1e6, from = 0, to = deepest },
            y = { label = "force f", unit = "N" },
          lines = characteristic, legend = false },
        { title = "(c) force", x = samples, y = { label = "force f", unit = "N" }, lines = force, legend = false },
        { title = sparse and "(d) total H, kinetic T, potential V" or "(d) energy", x = samples,
            y = { label = sparse and "energies H, T, V" or "Hamiltonian H", unit = "mJ", factor = 1e3 },
          lines = energy, legend = sparse and "right" or false, marks = { { y = one.start, text = "H₀" }, { y = one.H_tau, text = "exact end" } } },
    }
end

return lib
