about { place = "Sec. 3.3.3", title = "Real roots for exponents above one: what the brute force search of the paper concludes" }

local it = use "lib/ducceschi2017_computability"
local speeds, family = { 1, 20 }, { 0.5, 1, 3 }

-- Computability against s, for the three potentials.
local ss, counts, falling = { 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4 }, {}, true
for law = 1, 3 do
    counts[law] = vec(#ss)
    for i, s in ipairs(ss) do
        for _, v0 in ipairs(speeds) do counts[law][i] = counts[law][i] + it.complex { s = s, v0 = v0, law = law } end
        falling = falling and (i == 1 or counts[law][i] <= counts[law][i - 1])
    end
end
claim { "computability is increased as s is increased: runs of 56, (3a), with complex roots for s = 1/2, 1, 1.5, 2, 3",
        published = "falling", measured = { counts[1][1], counts[1][6], counts[1][8], counts[1][10], counts[1][12] },
        digits = 2, holds = falling }

local same, as_drawn = {}, true
for law = 2, 3 do
    for a, v0 in ipairs(speeds) do
        local n = {}
        for b, s in ipairs(family) do n[b] = it.complex { s = s, v0 = v0, law = law } end
        same[#same + 1] = table.concat(n, ", ")
        as_drawn = as_drawn and n[1] > 0 and n[3] == 0 and (a == 1 and n[2] == 0 or a == 2 and n[2] > 0 and n[2] < n[1])
    end
end
claim { "the same conclusions apply to (3b) and (3c): runs of 28 with complex roots, s = 1/2, 1, 3; (3b) at 1 and 20 m/s, (3c) at "
        .. "1 and 20 m/s", published = "as in Fig. 2", measured = table.concat(same, "; "), holds = as_drawn }

it.h[2], it.h[3] = 0, 0
local flush = {}
for i, v0 in ipairs(speeds) do
    flush[i] = string.format("%d, %d, %d", it.complex { s = 0.5, v0 = v0, law = 2 }, it.complex { s = 1, v0 = v0, law = 2 },
                             it.complex { s = 3, v0 = v0, law = 2 })
end
choice { "h of (3b) and (3c)", taken = "0.1 m", why = "not said; the particle then starts outside",
         otherwise = "h = 0: (3b) " .. table.concat(flush, "; ") .. ", and (3c) is then (3a)" }

-- s = 1, 1 <= alpha <= 3: thrown from 0 at speed v the first step has Δ ~ 1 + 5/2 q - q^2/2, q = K k^4 v^2/M, for alpha = 3.
local function real_at(v0, i) return it.runs({ s = 1, v0 = v0 }, it.k(i), 20)[2] == 0 end
local function limit(i)
    local low, high = 1, 1000
    for _ = 1, 20 do
        local middle = math.sqrt(low * high)
        if real_at(middle, i) then low = middle else high = middle end
    end
    return low
end
local limits, derived = {}, {}
for i = 1, 4 do
    limits[i] = limit(i)
    derived[i] = math.sqrt((5 + math.sqrt(33)) / 2 * it.M / it.K) / it.k(i) ^ 2
end
local off = 0
for i = 1, 4 do off = math.max(off, math.abs(limits[i] / derived[i] - 1)) end
claim { "s = 1, α = 3: speed up to which the roots are real at k₁, k₂, k₃, k₄", published = "real whenever k ≤ 2/√(K/M) = k₃",
        measured = limits, unit = "m/s", holds = limits[3] > 20, expect = "does not reproduce",
        why = "for α > 1 K/M is no frequency: the limit depends on the amplitude. A particle thrown from 0 has real roots while "
            .. "K k⁴ v₀²/M ≤ (5 + √33)/2; v₀ = 20 m/s at k₃, a case of Fig. 2, is beyond it" }
claim { "distance of these speeds from K k⁴ v₀²/M = (5 + √33)/2, which neglects u₀ = −1 mm", published = false, measured = 100 * off,
        unit = "%", digits = 2, holds = off < 0.01 }
local unlimited = root_limit(1, "two-sided") == math.huge
claim { "s = 1, α = 1: largest K k²/M with real roots in every state", published = "at least 4",
        measured = unlimited and "no limit" or root_limit(1, "two-sided"), holds = unlimited }

-- s > 2: released from rest inside the potential instead of thrown from outside.
local inside = {}
for i, s in ipairs { 2.1, 3, 10 } do inside[i] = it.complex { s = s, v0 = 0, u0 = 1 } end
local first = it.runs({ s = 3, v0 = 0, u0 = 1 }, it.k(2))
claim { "unconditional realness for every α ≥ 1 if s > 2: runs of 28 with complex roots when the particle is released from rest at "
        .. "u₀ = 1 m, s = 2.1, 3, 10", published = "none", measured = inside, digits = 2,
        holds = inside[1] + inside[2] + inside[3] == 0, expect = "does not reproduce",
        why = string.format("the search of the paper throws the particle from where the potential is next to nothing. With α = 1, s = 3 and k₂ the roots are complex at "
            .. "step %d; α = 1 needs K k²/M ≤ 1/(s(s − 1)) = %.3g", first[1], root_limit(3, "two-sided")) }

-- Thrown from outside, (3b) and (3c): s, alpha, K, v0 and the distance spread evenly over their ranges.
local outside = [[
local count = 500
local rest = barrier { height = 0 }
local function spread(i, by) return i * by % 1 end
for i = 1, count do
    local law = i % 2 == 0 and "one-sided" or "centre-limited"
    local m = mass { mass = 1, position = -0.1 * spread(i, 0.7548776662), velocity = 10 ^ (3 * spread(i, 0.5698402910) - 1) }
    contact { above = rest, below = m, K = 10 ^ (8 * spread(i, 0.6180339887)), alpha = 1 + 4 * spread(i, 0.8191725134),
              law = law, gap = 0.1, scheme = "root", s = 2.01 + 8 * spread(i, 0.6710436067) }
end
render { rate = 1000, duration = 1 }
]]
local r, met = run(outside, { lenient = true }), 0
for i = 1, #r.links do met = met + (r.links[i].complex_roots > 0 and 1 or 0) end
claim { "s > 2, (3b) and (3c) thrown from outside (1 ≤ α ≤ 5, K = 1 to 10⁸, v₀ = 0.1 to 100 m/s at 1 kHz): runs of 500 with complex roots",
        published = 0, measured = met, within = 0 }

local lines = {}
for law, name in ipairs { "(3a) power law", "(3b) one-sided", "(3c) centre-limited" } do
    lines[law] = { x = vec(ss), y = counts[law], name = name, style = "linespoints" }
end
figure { panels = { { x = { label = "s", from = 0, to = 4 }, y = { label = "complex runs of 56", from = 0, to = 45 },
                      lines = lines, legend = "top right" } },
         caption = "Runs of Fig. 2 with complex roots against the free parameter, for the three potentials (h = 0.1 m)." }
