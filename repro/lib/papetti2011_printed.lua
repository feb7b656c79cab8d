-- The recursions of Papetti, Avanzini and Rocchesso 2011 written out, with a switch for what the paper prints: for misprints.lua.
-- A state is compression x, velocity v and the force f that the method keeps; c: mass, K, alpha, mu, speed; h: step, s.
local printed = {}

function printed.law(c, x, v) return x > 0 and c.K * x ^ c.alpha * (1 + c.mu * v) or 0 end -- (1)

-- (20), solved by bisection in the new force.
function printed.am1(c, s, h)
    local push = h / (2 * c.mass)
    local shift = h / 2 * push
    local x, v = s.x + h * s.v - shift * s.f, s.v - push * s.f
    local low, high = 0, printed.law(c, x, v)
    for _ = 1, 100 do
        local f = (low + high) / 2
        if f > printed.law(c, x - shift * f, v - push * f) then high = f else low = f end
    end
    return { x = x - shift * low, v = v - push * low, f = low }
end

-- (21). sign = 1: as printed.
function printed.verlet(c, s, h, sign)
    local a = (sign or -1) * h / (2 * c.mass)
    local half = s.v + a * s.f
    local x = s.x + h * half
    local f = printed.law(c, x, half)
    return { x = x, v = half + a * f, f = f }
end

-- (22), which keeps the force at the predicted velocity.
function printed.heun(c, s, h)
    local guess = s.v - h * s.f / c.mass
    local x = s.x + h / 2 * (s.v + guess)
    local f = printed.law(c, x, guess)
    return { x = x, v = s.v - h / 2 * (s.f + f) / c.mass, f = f }
end

-- (22) with the force worked out anew from x and v at the beginning of each step.
function printed.heun_refreshed(c, s, h)
    local new = printed.heun(c, { x = s.x, v = s.v, f = printed.law(c, s.x, s.v) }, h)
    return new
end

-- Heun of the textbooks, RK2: both x and v are predicted by Euler and corrected by the trapezoid.
function printed.heun_textbook(c, s, h)
    local f = printed.law(c, s.x, s.v)
    local x, v = s.x + h * s.v, s.v - h * f / c.mass
    local next = printed.law(c, x, v)
    return { x = s.x + h / 2 * (s.v + v), v = s.v - h / 2 * (f + next) / c.mass, f = next }
end

-- Steps until the mass has left, at most `most` of them; returns the state and the number of steps.
function printed.hit(step, c, h, most, sign)
    local s, count = { x = 0, v = c.speed, f = 0 }, 0
    repeat
        s = step(c, s, h, sign)
        count = count + 1
    until s.x <= 0 or count >= most
    return s, count
end

return printed
