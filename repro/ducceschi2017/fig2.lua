about { place = "Fig. 2", title = "Computability: least discriminant by s, exponent, time step and initial speed" }

local root = use "lib/ducceschi2017_root"
local it = use "lib/ducceschi2017_computability"
local speeds, family, names = { 1, 20 }, { 0.5, 1, 3 }, { "1/2", "1", "3" }
local steps = { "k₁", "k₂", "k₃", "k₄" }

-- grid[speed][s][time step] = { first, least }, .complex: how many of the 28 runs of a panel.
local grid, agree, total = {}, true, 0
for a, v0 in ipairs(speeds) do
    grid[a] = {}
    for b, s in ipairs(family) do
        local cell = { complex = 0 }
        for i = 1, 4 do
            local first, least, same = it.runs({ s = s, v0 = v0 }, it.k(i))
            cell[i], agree = { first = first, least = least }, agree and same
            for _, at in ipairs(first) do cell.complex = cell.complex + (at > 0 and 1 or 0) end
        end
        grid[a][b], total = cell, total + cell.complex
    end
end
local slow, fast = grid[1], grid[2]

local linear = math.huge
for a = 1, 2 do
    for i = 1, 4 do
        local run = grid[a][1][i]
        linear = math.min(linear, run.first[1] == 0 and run.least[1] or -1)
    end
end
claim { "s = 1/2: least Δ for α = 1 over all time steps and both speeds", published = "always positive", measured = linear,
        unit = "N²", holds = linear > 0 }
claim { "s = 1/2: runs of 28 with complex roots, v₀ = 1 and 20 m/s",
        published = "poorly behaved for higher α, especially under extreme initial conditions",
        measured = { slow[1].complex, fast[1].complex }, digits = 2, holds = slow[1].complex > 5 and fast[1].complex == 24 }
claim { "s = 1, v₀ = 1 m/s: runs of 28 with complex roots", published = 0, measured = slow[2].complex, within = 0 }

local broken = {}
for i = 1, 3 do
    for j = 1, 2 do
        if fast[2][i].first[j] > 0 then broken[#broken + 1] = string.format("α = %d at %s", it.alphas[j], steps[i]) end
    end
end
local k3 = it.k(3)
local D, size = root.discriminant(root.potential("two-sided", it.K, 3), 1, it.M, k3, it.u0, it.u0 + k3 * 20)
claim { "s = 1, v₀ = 20 m/s: complex roots among α = 1, 3 and k₁, k₂, k₃", published = "none", measured = table.concat(broken, ", "),
        holds = #broken == 0, expect = "does not reproduce",
        why = string.format("the very first step has Δ = %.3g N², %.1f %% of its terms; the limit lies at a lower speed "
            .. "(Sec. 3.3.3). The other five are real", D, 100 * D / size) }
claim { "s = 1, v₀ = 20 m/s: runs of 28 with complex roots", published = false, measured = fast[2].complex, digits = 2,
        holds = fast[2].complex == 15 }
claim { "s = 3, both speeds: runs of 56 with complex roots", published = 0, measured = slow[3].complex + fast[3].complex, within = 0 }

-- The asymptote: how much the least Δ still changes from α = 7 to 13, and how far from (2 M v0/k)^2 it ends, which is the Δ of the
-- free particle. Largest of the four time steps, each speed by itself.
local change, short = {}, {}
for a, v0 in ipairs(speeds) do
    change[a], short[a] = 0, 0
    for i = 1, 4 do
        local least = grid[a][3][i].least
        change[a] = math.max(change[a], math.abs(least[7] / least[4] - 1))
        short[a] = math.max(short[a], math.abs(least[7] / (2 * it.M * v0 / it.k(i)) ^ 2 - 1))
    end
end
local level = true -- at k3 and k4, 1 m/s
for i = 3, 4 do level = level and math.abs(slow[3][i].least[7] / slow[3][i].least[4] - 1) < 0.01 end
claim { "s = 3, v₀ = 20 m/s: the least Δ seems to have reached an asymptote: its largest change from α = 7 to 13 over the four time steps",
        published = "reached", measured = 100 * change[2], unit = "%", digits = 2, holds = change[2] < 0.01 }
local axis = { -4, 10 } -- decades of the pictures
local lift = math.log(1 + change[1], 10) -- decades
claim { string.format("s = 3, v₀ = 1 m/s: the same; in the %d decades of the axis", axis[2] - axis[1]), published = "seems reached",
        measured = string.format("%.0f %%, %.2f decades", 100 * change[1], lift), holds = lift < 0.02 * (axis[2] - axis[1]) and level,
        expect = "reproduced with correction",
        why = string.format("so it seems on a logarithmic axis, and so it is at k₃ and k₄; at k₁ and k₂ it still rises, and α = 13 is %.0f %% "
            .. "away from (2 M v₀/k)², the Δ of the free particle and the level that all others reach", 100 * short[1]) }
claim { "largest distance from (2 M v₀/k)² at α = 13, v₀ = 20 m/s", published = false, measured = 100 * short[2], unit = "%", digits = 2,
        holds = short[2] < 0.01 }
claim { string.format("runs of the 168 with complex roots within %d steps; that number hangs on the length (below)", it.steps), published = false, measured = total, holds = total == 52 }
claim { "steps in which the sign of Δ, from the displacements by Eqs. 16 and 18, and the report of the program differ",
        published = false, measured = agree and "none" or "some", holds = agree }

-- k3 is the largest time step of the classic scheme (22).
local classic = "mass { mass = 1, stiffness = 1e3, velocity = 1 }\n"
local function stands(k) return not run(classic, { rate = 1 / k, duration = 9 * k, may_fail = true }).failed end
claim { "the classic scheme (22) at 0.999 k₃ and at 1.001 k₃", published = "k₃ is its largest time step",
        measured = { stands(0.999 * k3) and "runs" or "refused", stands(1.001 * k3) and "runs" or "refused" },
        holds = stands(0.999 * k3) and not stands(1.001 * k3) }

local function counts(length, plain)
    local list = {}
    for _, v0 in ipairs(speeds) do
        for _, s in ipairs(family) do list[#list + 1] = it.complex({ s = s, v0 = v0, plain = plain }, length) end
    end
    return table.concat(list, ", ")
end
local function periods(alpha) -- of the runs at 1 m/s and the shortest time step
    return it.steps * it.k(1) / (2 * impact { mass = it.M, K = it.K, alpha = alpha, mu = 0, speed = 1 }.duration)
end
choice { "how long each run is", taken = string.format("%d steps", it.steps),
         why = string.format("not said; at 1 m/s and k₁ these are %.0f periods for α = 1, %.1f for α = 13", periods(1), periods(13)),
         otherwise = string.format("complex runs by panel (v₀ = 1: s = 1/2, 1, 3; v₀ = 20: s = 1/2, 1, 3): %s after 50 steps, "
             .. "%s after %d, %s after 1000: only s = 1/2 at 1 m/s goes on losing runs", counts(50), counts(it.steps), it.steps,
             counts(1000)) }
choice { "first step", taken = "u¹ = u₀ + k v₀ − k² φ′(u₀)/2M", why = "second order; not said",
         otherwise = string.format("u¹ = u₀ + k v₀: complex runs by panel %s", counts(it.steps, true)) }
choice { "scale of Δ", taken = "B² − 4AC of Eqs. 16 to 18, in N², logarithmic", why = "Sec. 3.3.1 drops positive factors, Fig. 2 does not say",
         otherwise = "a factor common to a time step moves its colour up or down and no point in or out" }

local panels = {}
for a, v0 in ipairs(speeds) do
    for b in ipairs(family) do
        local lines = {}
        for i = 1, 4 do
            local run, y = grid[a][b][i], {}
            for j, at in ipairs(run.first) do y[j] = at == 0 and run.least[j] or 0 / 0 end
            lines[i] = { x = vec(it.alphas), y = vec(y), name = steps[i], style = "linespoints" }
        end
        panels[#panels + 1] = { title = string.format("s = %s, v₀ = %g m/s", names[b], v0), lines = lines,
            x = { label = "α", from = 0, to = 14 }, legend = b == 1 and a == 2 and "top right",
            y = { label = "min Δ", unit = "N²", log = true, from = 10 ^ axis[1], to = 10 ^ axis[2] } }
    end
end
figure { columns = 3, width = "two", panels = panels,
         caption = "Least discriminant of each run. A missing point is a run with complex roots. M = 1 kg, K = 1000, u₀ = −1 mm, "
             .. "k₁ = √(M/4K), k₂ = √(M/K), k₃ = √(4M/K), k₄ = √(16M/K)." }
