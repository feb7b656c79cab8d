-- Shapes of strings: exact ones, differences, regions of contact.

local H = {}

-- A supported stiff string let go from a raised cosine (pulse: at, width, height), as the exact sum of its modes: a function of t
-- that gives u as a function of x. Mode p has the amplitude 2/L times the integral of pulse times sin(beta x).
function H.modes(s, pulse, count)
  local beta, omega, amplitude, kappa = {}, {}, {}, 2 * math.pi / pulse.width
  for p = 1, count do
    local b = p * math.pi / s.L
    local lobe = math.abs(b / kappa - 1) < 1e-9 and pulse.width / 2 or
                 math.sin(b * pulse.width / 2) * (2 / b + 1 / (kappa - b) - 1 / (kappa + b))
    beta[p], omega[p] = b, math.sqrt((s.T * b ^ 2 + s.EI * b ^ 4) / s.rho)
    amplitude[p] = pulse.height / s.L * math.sin(b * pulse.at) * lobe
  end
  return function(t)
    local now = {}
    for p = 1, count do now[p] = amplitude[p] * math.cos(omega[p] * t) end
    return function(x)
      local u = 0
      for p = 1, count do u = u + now[p] * math.sin(beta[p] * x) end
      return u
    end
  end
end

-- Relative rms difference of a kept shape from u(x).
function H.off(shape, exact)
  local gone, size = 0, 0
  for i = 1, #shape.x do
    local y = exact(shape.x[i])
    gone, size = gone + (shape.u[i] - y) ^ 2, size + y ^ 2
  end
  return math.sqrt(gone / size)
end

-- Separate pieces in which eta > 0, and points in them.
function H.pieces(eta)
  local pieces, points = 0, 0
  for i = 1, #eta do
    if eta[i] > 0 then
      points = points + 1
      if i == 1 or eta[i - 1] <= 0 then pieces = pieces + 1 end
    end
  end
  return pieces, points
end

return H
