about { place = "Fig. 3", title = "Error of the approximate exit speed" }

local lib = use "lib/papetti2011_impact"

-- Percentage error of Eqs. 7 and 8 at z = mu v_in.
local function error_at(z)
    local i = impact { mass = 0.01, K = 1e9, alpha = 1.5, mu = z, speed = 1 }
    return 100 * (i.exit_speed_fit / i.exit_speed - 1)
end

local z = range(0.01, 10, 1000)
local off = z:map(error_at)
local most, at = off:max()
claim { "largest error, %; the axis of the figure ends at 2.5 %", published = "below 2.5", measured = most, digits = 4,
        holds = most < 2.5 and most > 2 }
claim { "μ v in of the largest error", published = false, measured = z[at], holds = math.abs(z[at] - 3) < 0.02 }
claim { "error at μ v in = 0.001 and at 40: the two limits that are fitted", published = "none", measured = { error_at(1e-3), error_at(40) },
        unit = "%", digits = 2, holds = math.abs(error_at(1e-3)) < 1e-11 and math.abs(error_at(40)) < 1e-10 }

local order = math.log(math.abs(error_at(0.01) / error_at(0.005)), 2)
claim { "power of μ v in with which this relative error begins", published = false, measured = order, holds = math.abs(order - 4) < 0.1 }

-- Sec. 2.1.2: v_out / v_in hangs on mu v_in only. Runs with the scheme that leaves with the exact speed, other masses, walls and exponents.
local function restitution(mass, K, alpha, mu, v)
    local r = run(string.format([[
        local ball = mass { mass = %.17g, velocity = -%.17g }
        local hit = contact { above = ball, below = barrier { height = 0 }, K = %.17g, alpha = %.17g, damping = %.17g, scheme = "invariant" }
        probe { on = ball, quantity = "velocity", name = "v" }
        render { rate = 44100, duration = 0.02 }]], mass, v, K, alpha, mu))
    return r.probes.v[#r.t - 1] / v
end
local spread = vec { restitution(0.01, 1e9, 1.5, 0.5, 1), restitution(1, 1e8, 1.1, 0.1, 5), restitution(0.001, 1e10, 2.3, 2, 0.25) }
claim { "restitution of three impacts with μ v in = 0.5 but other m, k, α, μ, v in: spread", published = "a function of μ v in only",
        measured = (spread:max()) - (spread:min()), digits = 2, holds = (spread:max()) - (spread:min()) < 1e-12 }

local runs = range(0.5, 9.5, 19)
local found = runs:map(function(loss)
    local i = impact { mass = 0.01, K = 1e9, alpha = 1.5, mu = loss, speed = 1 }
    return 100 * (i.exit_speed_fit / restitution(0.01, 1e9, 1.5, loss, 1) - 1)
end)
local apart = (found - runs:map(error_at)):absmax()
claim { "error against the exit speed of runs (invariant, 44.1 kHz), less that against the zero of Eq. 6", published = false, measured = apart,
        unit = "%", digits = 2,
        holds = apart < 1e-9 }

choice { "range of μ v in", taken = "0 .. 10", why = "the numbers of the axis are not legible in the copy we have",
         otherwise = string.format("the maximum lies at %.2f, and beyond 10 the error stays below %.1e %%", z[at], error_at(10)) }

figure { caption = "Percentage error of Eqs. 7 and 8 against the zero of Eq. 6; points: against runs with invariant.",
         panels = { { x = { label = "μ times speed of arrival", from = 0, to = 10 }, y = { label = "error", unit = "%", from = 0, to = 2.5 },
                      lines = { { x = z, y = off, scheme = "exact", name = "against Eq. 6" },
                                { x = runs, y = found, scheme = "invariant", style = "points", name = "against runs (invariant)" } } } } }
