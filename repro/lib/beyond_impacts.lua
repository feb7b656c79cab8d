-- One impact of a mass on a wall at many phases of arrival: masses that start one to two samples before the wall, evenly spread.
-- Everything is measured from the free flight after the contact, where the exact one is known in closed form.
local impacts = { rate = 44100 }

-- p: mass, K, alpha, mu, speed. `after`: samples of 44100 Hz that are run beyond the end of the contact.
function impacts.new(p, phases, after)
  local hit = { p = p, phases = phases, exact = impact(p) }
  hit.samples = hit.exact.duration * impacts.rate -- that the contact lasts
  hit.rows = math.ceil(hit.samples + after) + 4
  hit.duration = hit.rows / impacts.rate
  hit.scene = string.format([[
local wall = barrier { height = 0 }
for i = 1, %d do
  local ball = mass { mass = %.17g, velocity = -%.17g, position = %.17g * (1 + (i - 0.5) / %d) }
  contact { above = ball, below = wall, K = %.17g, alpha = %.17g, %s $contact }
  probe { on = ball, quantity = "displacement" }
  probe { on = ball, quantity = "velocity" }
end
render { rate = 44100, duration = %.17g }
]], phases, p.mass, p.speed, p.speed / impacts.rate, phases, p.K, p.alpha, p.mu > 0 and string.format("damping = %.17g,", p.mu) or "", hit.duration)
  return hit
end

-- The mass whose contact lasts so many samples: 1 kg at 1 m/s, no loss.
function impacts.lasting(samples, alpha)
  local one = impact { mass = 1, K = 1, alpha = alpha, mu = 0, speed = 1 }
  local K = (one.duration * impacts.rate / samples) ^ (alpha + 1)
  return { mass = 1, K = K, alpha = alpha, mu = 0, speed = 1 }
end

-- Reads a run of hit.scene: per phase the exit speed over the exact one, the position at the end less the exact one (m), the delay of
-- the flight after the contact (s: when it left the wall, less the exact time; only of those that did), how many phases
-- met complex roots, and how many are still inside.
function impacts.read(hit, r)
  local list, delays = { speed = vec(hit.phases), position = vec(hit.phases), complex = 0, inside = 0 }, {}
  local out = hit.exact.exit_speed
  for i = 1, hit.phases do
    local u, v = r.probes[2 * i - 1], r.probes[2 * i]
    local n = #u
    local left = (1 + (i - 0.5) / hit.phases) / impacts.rate + hit.exact.duration
    list.speed[i] = v[n] / out
    list.position[i] = u[n] - out * (r.t[n] - left)
    if u[n] > 0 then delays[#delays + 1] = r.t[n] - u[n] / v[n] - left else list.inside = list.inside + 1 end
    if r.links[i].complex_roots > 0 then list.complex = list.complex + 1 end
  end
  list.delay = vec(delays)
  return list
end

return impacts
