about { place = "Secs. 3.4, 4.1, 5", title = "What the schemes cost: gamma_*, the closed form, the solver", alone = true }

local S = use "lib/bilbao2014_string"

local function scene(radius, model, contact)
  return ([[
local L = 0.8
local s = string { name = "s", length = L, tension = 38.5, material_density = 7850, radius = %g, youngs = 2e11, tuned = false, model = %s }
%s
pluck { on = s, shape = "triangle", at = L / 4, height = 4e-3 }
probe { on = s, at = 0.9 * L, name = "u" }
render { rate = 44100, duration = 0.5 }
]]):format(radius, model, contact or "")
end
local default, optimal, trapezoid = [["fd"]], [["implicit", gamma = "optimal"]], [["trapezoid"]]
local function barrier(K, alpha)
  return ([[
local b = barrier { height = function(x) return -5e-4 - 1e-3 * (2 * x / L - 1) ^ 2 end }
contact { name = "touch", above = s, below = b, K = %g, alpha = %g }]]):format(K, alpha)
end

-- ns a step: the least of several runs, which is what the machine does when it is left alone.
local function cost(text, scheme)
  local least, r = math.huge, nil
  for _ = 1, 5 do
    r = run(text, { scheme = scheme, unaudited = true })
    least = math.min(least, r.ns)
  end
  return least, r
end

-- Fig. 1: the string alone.
local plain, fd = cost(scene(5e-4, default))
local star, implicit = cost(scene(5e-4, optimal))
local unconditional = cost(scene(5e-4, trapezoid))
claim { "points of the grid, default and optimal", published = false,
        measured = { fd.bodies.s.segments - 1, implicit.bodies.s.segments - 1 },
        holds = implicit.bodies.s.segments < fd.bodies.s.segments }
claim { "the optimal scheme is more efficient than the default one: ns a sample of the optimal scheme over that of the default one",
        published = "below 1", measured = star / plain, digits = 2, holds = star < plain, expect = "does not reproduce",
        why = string.format("%.0f %% fewer points, but each sample is a tridiagonal solve, which waits for itself from point to point: " ..
                            "%.0f against %.0f ns (unconditionally stable: %.0f ns)",
                            100 - 100 * implicit.bodies.s.segments / fd.bodies.s.segments, star, plain, unconditional) }
-- Efficient as what it costs to be in tune: the rate at which the default scheme gets mode 20 as right.
local function off(rate)
  local rings, exact = inspect(scene(5e-4, default), { rate = rate }).bodies.s.partial(20)
  return 1200 * math.log(rings / exact, 2)
end
local rings, exact = implicit.bodies.s.partial(20)
local goal, over = math.abs(1200 * math.log(rings / exact, 2)), 1
while math.abs(off(44100 * over)) > goal do over = over + 1 end
local slow = cost((scene(5e-4, default):gsub("render.-\n", ("render { rate = %d, duration = 0.5 / %d }\n"):format(44100 * over, over))))
claim { "the default scheme as well in tune at mode 20 needs so many times the rate, and then costs so many times the optimal one",
        published = false, measured = { over, slow * over / star }, digits = 2, holds = slow * over > star,
        why = "in this sense the remark of the paper holds" }

-- The closed form: one scalar equation in plain Lua, and a whole string in the program. In turn, and the least of several rounds of
-- each, so that what else the machine does falls on both alike.
local thin, k = S.steel(1e-4), 1 / 44100
local K, m = 1e8, k ^ 2 / thin.rho
local function seconds(solver, count) -- an equation; the clock of some machines ticks every few ms
  local start = clock()
  for i = 1, count do solver(((i * 7) % 101 - 50.3) * 1e-6, ((i * 13) % 103 - 60.2) * 1e-6) end
  return (clock() - start) / count
end
local soft = scene(1e-4, default, barrier(K, 1))
local scalar, whole, mean = { math.huge, math.huge }, { math.huge, math.huge }, nil
for _ = 1, 7 do
  scalar[1] = math.min(scalar[1], seconds(function(a, g) return S.closed_form(a, g, m * K / 2) end, 300000))
  scalar[2] = math.min(scalar[2], seconds(function(a, g) return (S.newton(a, g, m, K, 1)) end, 10000))
  whole[1] = math.min(whole[1], run(soft, { scheme = "exact", unaudited = true }).ns)
  local r = run(soft, { scheme = "newton", unaudited = true })
  whole[2], mean = math.min(whole[2], r.ns), r.links.touch.iterations_mean
end
local one, all = scalar[2] / scalar[1], whole[2] / whole[1]
claim { "an exact solution (alpha = 1) leads to a great acceleration with respect to an iterative solver: time of Newton over that of " ..
        "the closed form, one scalar equation in plain Lua; whole string in this program",
        published = "great", measured = { one, all }, digits = 2, holds = one > 2 and all > 0.8 and all < 3,
        expect = "reproduced with correction",
        why = string.format("great for the equation by itself with Newton from the free motion; little for a string in this program: few " ..
                            "points touch at a time, and its newton begins so near that it needs %.1f iterations on average", mean) }

-- The conclusion calls the solver the bottleneck.
local alone = cost(scene(1e-4, optimal))
local hard = scene(1e-4, optimal, barrier(1e13, 2.3))
local newton, r = cost(hard, "newton")
local ledger, psi = cost(hard, "ledger"), cost(hard, "quadratised")
claim { "the bottleneck is the solver of the vector nonlinear equation: share of the contact in the time of a sample, newton, " ..
        "string of Fig. 3",
        published = "the bottleneck", measured = 100 * (1 - alone / newton), unit = "%", digits = 2, holds = newton > 2 * alone }
claim { "ns a sample: string alone; with the barrier by newton, ledger, quadratised", published = false,
        measured = { alone, newton, ledger, psi }, unit = "ns", digits = 3, holds = r.links.touch.iterations_max > 0 }
