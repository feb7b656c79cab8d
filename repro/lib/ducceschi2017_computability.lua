-- The experiment of Ducceschi 2017, Fig. 2: 1 kg on a spring K = 1000 N/m^alpha, thrown from -1 mm, for the exponents 1, 3, ... 13.
local root = use "lib/ducceschi2017_root"
local it = { M = 1, K = 1e3, u0 = -1e-3, steps = 200, alphas = { 1, 3, 5, 7, 9, 11, 13 },
             laws = { "two-sided", "one-sided", "centre-limited" }, h = { 0, 0.1, 0.1 } } -- m; the paper gives no h here

local scene = [[
local s, v0, u0 = param { "s", 1 }, param { "v0", 1 }, param { "u0", -1e-3 }
local first = param { "first", 0 } -- s; k/2 takes the force at u0 out of the first step of (3a): u^1 = u0 + k v0
local laws = { "two-sided", "one-sided", "centre-limited" }
local law, h = laws[param { "law", 1 }], param { "h", 0 }
local rest = barrier { height = 0 }
for alpha = 1, 13, 2 do
    local m = mass { mass = 1, position = u0, velocity = v0 - first * 1e3 * math.abs(u0) ^ alpha }
    contact { above = rest, below = m, K = 1e3, alpha = alpha, law = law, gap = h, scheme = "root", s = s }
    probe { on = m, quantity = "displacement" }
end
]]

-- The time steps k1 ... k4.
function it.k(i) return 2 ^ (i - 2) / math.sqrt(it.K) end

-- Seven runs, one for each exponent: the first complex step (0: none), the least discriminant up to there, and whether
-- the program and the discriminant agree in every step. of: s, v0, and if need be u0, law (1, 2, 3: 3a, 3b, 3c), plain.
function it.runs(of, k, steps)
    local h = it.h[of.law or 1]
    local set = { s = of.s, v0 = of.v0, u0 = of.u0, law = of.law, h = h, first = of.plain and k / 2 or 0 }
    local r = run(scene, { set = set, rate = 1 / k, duration = (steps or it.steps) * k, lenient = true })
    local first, least, agree = {}, {}, true
    for i, alpha in ipairs(it.alphas) do
        local potential, u = root.potential(it.laws[of.law or 1], it.K, alpha, h), r.probes[i]
        first[i], least[i] = r.links[i].first_complex, math.huge
        for n = 1, first[i] > 0 and first[i] or #u - 1 do
            local D, size = root.discriminant(potential, of.s, it.M, k, u[n], u[n + 1])
            least[i] = math.min(least[i], D)
            agree = agree and (D < -1e-14 * size) == (n == first[i])
        end
    end
    return first, least, agree
end

-- How many of the 28 runs, seven exponents at four time steps, meet a complex root.
function it.complex(of, steps)
    local count = 0
    for i = 1, 4 do
        for _, at in ipairs((it.runs(of, it.k(i), steps))) do count = count + (at > 0 and 1 or 0) end
    end
    return count
end

return it
