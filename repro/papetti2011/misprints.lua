about { place = "errata", title = "What is wrong or not legible as printed" }

local lib = use "lib/papetti2011_impact"
local printed = use "lib/papetti2011_printed"
local cases = { { mass = 0.01, K = 1e7, alpha = 1.1, mu = 0.1, speed = 0.3 }, { mass = 0.01, K = 1e9, alpha = 1.5, mu = 0.5, speed = 1 } }
local exact = { impact(cases[1]), impact(cases[2]) }
local h = 1 / lib.rate

-- Error of v_out in both cases, %, against the exact one.
local function errors(step)
    local list = {}
    for i, c in ipairs(cases) do list[i] = 100 * (-printed.hit(step, c, h, 40).v / exact[i].exit_speed - 1) end
    return list
end

misprint { "Sec. 2, after Eq. 1", printed = "0 <= λ <= k", right = "λ >= 0",
           note = "The two have different units; μ = λ/k is in s/m and may be larger than 1." }

-- b_j from Eq. 6: with q = mu |v_out| and z = mu v_in it says q q' (1 + z) = z (1 - q), which gives the series of q term by term;
-- b_j are the first terms of (1 - q) e^(2z).
local q = { 1 }
local function square(n) -- of order n in q^2, from the terms below q[n]
    local sum = 0
    for j = 1, n - 1 do sum = sum + (q[j] or 0) * (q[n - j] or 0) end
    return sum
end
for n = 2, 4 do q[n] = -(q[n - 1] + n / 2 * square(n) + (n + 1) / 2 * square(n + 1)) / (n + 1) end
local b, factorial = {}, { [0] = 1, 1, 2, 6, 24 }
for n = 0, 4 do
    b[n] = 2 ^ n / factorial[n]
    for j = 1, n do b[n] = b[n] - q[j] * 2 ^ (n - j) / factorial[n - j] end
end
misprint { "Eq. 8", printed = "b₀ = 1, b₁ = μ, b₂ .. b₄ not legible in the copy we have",
           right = "b₂ = 2/3 μ^2, b₃ = 2/9 μ^3, b₄ = 14/135 μ^4",
           note = string.format("The series of Eq. 6 gives b_j/μ^j = %.6f, %.6f, %.6f, %.6f, %.6f.", b[0], b[1], b[2], b[3], b[4]) }
claim { "b₂, b₃, b₄ of the series of Eq. 6 less 2/3, 2/9, 14/135", published = false, measured = { b[2] - 2 / 3, b[3] - 2 / 9, b[4] - 14 / 135 },
        digits = 1, holds = math.max(math.abs(b[2] - 2 / 3), math.abs(b[3] - 2 / 9), math.abs(b[4] - 14 / 135)) < 1e-14 }

local wrong = printed.hit(printed.verlet, cases[1], h, 8, 1)
local right = printed.hit(printed.verlet, cases[1], h, 8)
misprint { "Eqs. 20 to 23", printed = "+ f in every update", right = "- f: Eq. 2 is m a = -f",
           measure = "Eq. 21, case 1: velocity after 8 steps over v in", printed_gives = wrong.v / 0.3, right_gives = right.v / 0.3,
           holds = wrong.v > 0.3 and right.v < 0, note = "In Eq. 20 the sign is not legible." }

local heun, refreshed, textbook = errors(printed.heun), errors(printed.heun_refreshed), errors(printed.heun_textbook)
misprint { "Eq. 22", printed = "called Heun, RK2; x moves with the mean of v and its prediction, and the force at the predicted velocity is kept",
           right = "Heun: x predicted by Euler, and f_n = f(x_n, v_n)", measure = "error of the exit speed, case 1, case 2", printed_gives = heun,
           right_gives = textbook,
           unit = "%", holds = math.abs(heun[1] - 1.467) < 1e-3 and math.abs(heun[2] + 4.680) < 1e-3 and math.abs(textbook[1] - heun[1]) > 1,
           note = string.format("Table 1 is of Eq. 22 as printed. With the force worked out anew in each step Eq. 22 gives %+.3f, %+.3f %%.",
               refreshed[1], refreshed[2]) }

local am1 = -printed.hit(printed.am1, cases[2], h, 40).v
misprint { "Table 1(b)", printed = "errors of the exit speed and of H against the analytical values",
           right = "against the approximate exit speed of Eqs. 7 and 8",
           measure = "error of the exit speed of AM1 (printed: +2.551 %)", printed_gives = 100 * (am1 / exact[2].exit_speed - 1),
           right_gives = 100 * (am1 / exact[2].exit_speed_fit - 1), unit = "%", digits = 4,
           holds = math.abs(100 * (am1 / exact[2].exit_speed_fit - 1) - 2.551) < 5e-4,
           note = "In Table 1(a) the two are the same to all digits." }

local fit = { 100 * (exact[1].exit_speed_fit / exact[1].exit_speed - 1), 100 * (exact[2].exit_speed_fit / exact[2].exit_speed - 1) }
misprint { "Table 1, last column", printed = "about -10^-2 and -10^-4", right = "about -10^-7 and +10^-2",
           measure = "approximate exit speed against the zero of Eq. 6, case 1, case 2", printed_gives = { -1e-2, -1e-4 }, right_gives = fit,
               unit = "%", digits = 2,
           holds = math.abs(fit[1] / -3.3e-7 - 1) < 0.01 and math.abs(fit[2] / 1.25e-2 - 1) < 0.01 }

local time = { exact[1].duration * lib.rate, exact[2].duration * lib.rate }
local steps = { select(2, printed.hit(printed.am1, cases[1], h, 40)), select(2, printed.hit(printed.am1, cases[2], h, 40)) }
misprint { "Captions of Figs. 5 and 6", printed = "contact time of 8 and of 5 samples; how they are counted is not said",
           right = "no one way of counting gives both", measure = "contact time of case 1, case 2 by Eq. 9", printed_gives = { 8, 5 },
           right_gives = time, unit = "samples", digits = 4, holds = math.abs(time[1] - 7.667) < 1e-3 and math.abs(time[2] - 5.861) < 1e-3,
           note = string.format("Steps until x <= 0: %d and %d; samples with x > 0: %d and %d.", steps[1], steps[2], steps[1] - 1, steps[2] - 1) }
