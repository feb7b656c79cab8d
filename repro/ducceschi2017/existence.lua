about { place = "Sec. 3.3.1", title = "Existence of real roots for α = 1: the bound on the time step" }

-- One step from every kind of state, k = M = 1 and K = q: from u^0 = h + w to u^1 = h + (1 + x) w, -1.5 < x < 0.5, and
-- entries from below h. The velocity makes up for the force at u^0.
local scene = [[
local q, s = param { "q", 1 }, param { "s", 1 }
local laws = { "two-sided", "one-sided", "centre-limited" }
local which = param { "law", 1 }
local h, w, count = which > 1 and 1 or 0, 0.1, 400
local rest = barrier { height = 0 }
local function start(position, velocity)
    local m = mass { mass = 1, position = position, velocity = velocity }
    contact { above = rest, below = m, K = q, alpha = 1, law = laws[which], gap = h, scheme = "root", s = s }
end
for i = 1, count do start(h + w, ((2 * i - 1) / count - 1.5) * w + q * w / 2) end
if h > 0 then
    for i = 0, 40 do start(h - w * 10 ^ (-i / 4), w) end
end
render { rate = 1, duration = 2 }
]]

-- States without a real root, and how many of them move outwards, u^1 > u^0 > 0.
local function complex_states(law, s, q)
    local r, count, outwards = run(scene, { set = { law = law, s = s, q = q }, lenient = true }), 0, 0
    for i = 1, #r.links do
        if r.links[i].first_complex == 1 then
            count = count + 1
            if i > 300 and i <= 400 then outwards = outwards + 1 end
        end
    end
    return count, outwards
end
local most = 1e6
local function printed(s) return (s + 0.5) / (s * (s - 0.5)) end
local function repaired(s) return 1 / (s * (2 * s - 1)) end

local at_half = complex_states(1, 0.5, most)
claim { string.format("(3a), s = 1/2: states of 400 without a real root at K k²/M = %g", most), published = "0: unconditionally positive",
        measured = at_half, holds = at_half == 0 }

local three, enough = complex_states(1, 3, 0.9 * printed(3)), true
for _, s in ipairs { 0.6, 0.8, 1, 1.5, 3, 10 } do
    for law = 1, 3 do
        enough = enough and (law > 1 and s < 1 or complex_states(law, s, repaired(s)) == 0)
    end
end
claim { "a sufficient bound for s > 1/2 (and s ≥ 1 for (3b), (3c)): K k²/M for s = 3, and states of 400 without a real root at 0.9 of it",
        published = string.format("(s + ½)/(s(s − ½)) = %.4g, 0 states", printed(3)),
        measured = string.format("%d states; with 1/(s(2s − 1)) = %.4g: %d", three, repaired(3), complex_states(1, 3, repaired(3))),
        holds = three > 0 and enough, expect = "reproduced with correction",
        why = "a factor 2 is lost on the way (errata); with it the same reasoning gives 1/(s(2s − 1)), which is sufficient for all "
            .. "s and all three potentials that were tried" }

local outwards = 0
for _, s in ipairs { 0.5, 0.7, 1, 2, 3, 10 } do
    for _, q in ipairs { 0.1, 1, 10, 100 } do
        local _, n = complex_states(1, s, q)
        outwards = outwards + n
    end
end
claim { "s ≥ 1/2: states without a real root and with uⁿ > uⁿ⁻¹ > 0 (24 pairs of s and K k²/M, 100 states each)", published = 0,
        measured = outwards, within = 0 }

-- States without a real root at 0.99 and at 1.01 of a bound.
local function around(law, s, bound)
    return complex_states(law, s, 0.99 * bound), complex_states(law, s, 1.01 * bound)
end
local within, beyond, far = 0, math.huge, 0
for _, s in ipairs { 1.25, 2, 3, 10 } do
    for law = 1, 3 do
        local below, above = around(law, s, root_limit(s, "two-sided"))
        within, beyond = math.max(within, below), math.min(beyond, above)
    end
    far = math.max(far, printed(s) / root_limit(s, "two-sided"))
end
claim { "the exact bound for s > 1 is K k²/M = 1/(s(s − 1)): most states of 400 without a real root at 0.99 of it, fewest at 1.01 of it, "
        .. "s = 1.25, 2, 3, 10, three potentials", published = false, measured = { within, beyond }, digits = 1,
        holds = within == 0 and beyond > 0 }
claim { "largest ratio of the printed bound to the exact one, at s = 10", published = false, measured = far, holds = far > 2 }

local free = complex_states(2, 1, most) + complex_states(3, 1, most)
claim { string.format("case 3, entering (3b) or (3c): s ≥ 1 is sufficient; states of 882 without a real root for s = 1, K k²/M = %g", most),
        published = 0, measured = free, within = 0 }
within, beyond = 0, math.huge
for _, s in ipairs { 0.5, 0.7, 0.9 } do
    for law = 2, 3 do
        local below, above = around(law, s, root_limit(s, "one-sided"))
        within, beyond = math.max(within, below), math.min(beyond, above)
    end
end
claim { string.format("entering with s < 1 has real roots up to q(1 − s)(1 + sq) = 1, q = K k²/M (s = 1/2: q = √5 − 1 = %.4g): most states of 441 "
        .. "without a real root at 0.99 of it, fewest at 1.01 of it", root_limit(0.5, "one-sided")),
        published = false, measured = { within, beyond }, digits = 1, holds = within == 0 and beyond > 0 }

if pictures then
    local function limit(law, s) -- the largest q without complex states, to 0.1 %
        if complex_states(law, s, most) == 0 then return math.huge end
        local low, high = 1e-3, most
        while high > 1.001 * low do
            local middle = math.sqrt(low * high)
            if complex_states(law, s, middle) == 0 then low = middle else high = middle end
        end
        return low
    end
    local s, law_a, law_b = vec { 1.1, 1.25, 1.5, 2, 2.5, 3, 4, 5 }, vec(8), vec(13)
    local sb = vec { 0.5, 0.6, 0.7, 0.8, 0.9, 1.1, 1.25, 1.5, 2, 2.5, 3, 4, 5 }
    for i = 1, #s do law_a[i] = limit(1, s[i]) end
    for i = 1, #sb do law_b[i] = limit(2, sb[i]) end
    local above, over, below = range(0.51, 5, 300), range(1.01, 5, 300), range(0.5, 0.995, 100)
    figure { height = 60, panels = { { x = { label = "s", from = 0, to = 5 }, y = { label = "largest K k²/M", log = true, from = 0.01, to = 100 },
        legend = "outside", lines = {
            { x = above, y = above:map(printed), name = "printed bound", style = "dash", scheme = "reference" },
            { x = above, y = above:map(repaired), name = "printed, repaired", style = "dot" },
            { x = over, y = over:map(function(x) return root_limit(x, "two-sided") end), name = "exact", scheme = "exact" },
            { x = below, y = below:map(function(x) return root_limit(x, "one-sided") end), name = "exact, entering", style = "dash-dot" },
            { x = s, y = law_a, name = "measured (3a)", style = "points", scheme = "root" },
            { x = sb, y = law_b, name = "measured (3b)", style = "points" } } } },
        caption = "Largest K k²/M for which every state has real roots, α = 1. (3a) has no limit for s ≤ 1, (3b) none for s = 1." }
end
