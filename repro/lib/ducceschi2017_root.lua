-- The quadratic of Ducceschi 2017: its potentials (Eq. 3), the parabola that stands for them (Eq. 6) and the coefficients
-- of A y^2 + B y + C = 0, y = u^{n+1} - u^{n-1} (Eq. 16), which are right as printed.
local root = {}

-- phi, phi', phi'' at u of K/(alpha + 1) x^{alpha + 1}: x = |u| for "two-sided" (3a), [u - h]_+ for "one-sided" (3b),
-- [|u| - h]_+ for "centre-limited" (3c).
function root.potential(law, K, alpha, h)
    return function(u)
        local side = (law ~= "one-sided" and u < 0) and -1 or 1
        local x = side * u - (h or 0)
        if x <= 0 then return 0, 0, (law == "two-sided" and alpha == 1) and K or 0 end
        return K / (alpha + 1) * x ^ (alpha + 1), side * K * x ^ alpha, K * alpha * x ^ (alpha - 1)
    end
end

-- P of Eq. 6: what the potential at `from` is taken to be after a move.
function root.held(potential, s, from, move)
    local phi, slope, curve = potential(from)
    return phi + s * move * slope + s * move ^ 2 / 2 * curve
end

function root.quadratic(potential, s, M, k, before, now)
    local _, slope, curve = potential(now)
    local d = now - before
    local A = M / k ^ 2 + s * curve
    local B = -2 * M / k ^ 2 * d + 2 * s * slope - 2 * s * d * curve
    local C = 2 * root.held(potential, s, now, -d) - 2 * root.held(potential, s, before, d)
    return A, B, C
end

-- Eq. 18, and the size of its terms: what a difference of them can be trusted to.
function root.discriminant(potential, s, M, k, before, now)
    local A, B, C = root.quadratic(potential, s, M, k, before, now)
    return B ^ 2 - 4 * A * C, B ^ 2 + math.abs(4 * A * C)
end

-- u^{n+1} by the rule of Eq. 19; nil: the roots are complex.
function root.step(potential, s, M, k, before, now)
    local A, B, C = root.quadratic(potential, s, M, k, before, now)
    local D = B ^ 2 - 4 * A * C
    if D < 0 then return nil end
    return before + (-B + (B >= 0 and -1 or 1) * math.sqrt(D)) / (2 * A)
end

return root
