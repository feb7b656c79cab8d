-- Figs. 1 to 3 of Ducceschi and Bilbao 2019: the sprung mass and its barrier, all three laid out alike.
local mass = {}

local M, w, b = 0.01, 2 * math.pi * 10, 0.2 -- kg, rad/s, m: caption of Fig. 1
local u0, v0 = -0.5, 1
mass.colliding = math.sqrt(v0 ^ 2 + w ^ 2 * (u0 ^ 2 - b ^ 2)) -- m/s at the barrier

function mass.run(K, rate, scheme, more)
  local options = { set = { K = K }, rate = rate, scheme = scheme, energy = true }
  for key, value in pairs(more or {}) do options[key] = value end
  return run("ducceschi2019/lumped", options)
end

-- Starts the mass a part of a step later on its way, so that it meets the barrier at another phase of the sampling.
function mass.later(K, rate, scheme, part, more)
  local t = part / rate
  local options = { rate = rate, scheme = scheme, energy = true }
  for key, value in pairs(more or {}) do options[key] = value end
  options.set = { K = K, position = u0 * math.cos(w * t) + v0 / w * math.sin(w * t),
                  velocity = v0 * math.cos(w * t) - u0 * w * math.sin(w * t) }
  return run("ducceschi2019/lumped", options)
end

-- Lower quartile, median, upper quartile and largest of a list.
function mass.spread(list)
  local sorted = table.move(list, 1, #list, 1, {})
  table.sort(sorted)
  local function at(part)
    local place = 1 + part * (#sorted - 1)
    local low = math.floor(place)
    return sorted[low] + (place - low) * ((sorted[low + 1] or sorted[low]) - sorted[low])
  end
  return { at(0.25), at(0.5), at(0.75), at(1) }
end

-- Speeds at the barrier after each collision relative to the right one, minus 1: from the energy that is not in the contact
-- in the step in which it opens.
function mass.exits(r)
  local list, eta, e = {}, r.probes.eta, r.energy
  for n = 2, #eta do
    if eta[n - 1] > 0 and eta[n] <= 0 then
      local square = 2 / M * (e.kinetic[n] + e.elastic[n]) - w ^ 2 * b ^ 2
      list[#list + 1] = math.sqrt(math.max(square, 0)) / mass.colliding - 1
    end
  end
  return list
end

-- Largest |u^n - u^(n-1)|/k over the bound of Eq. 22, with the factor of the discrete oscillator (see errata).
function mass.speed_over_bound(r)
  local n, H = #r.probes.u, r.energy.total[1]
  local fastest = (r.probes.u:sub(2, n) - r.probes.u:sub(1, n - 1)):absmax() * r.rate
  return fastest / math.sqrt(2 * H / M / (1 - (w / r.rate / 2) ^ 2))
end

-- (H - H_start)/H_start of Figs. 1 to 3 (e), (f).
function mass.variation(r) return (r.energy.total - r.energy.total[1]) / r.energy.total[1] end

-- Part of v between two times.
local function window(v, t, from, to, every)
  local rate = 1 / (t[2] - t[1])
  local first, last = math.max(1, math.ceil((from - t[1]) * rate + 1)), math.min(#v, math.floor((to - t[1]) * rate + 1))
  return v:sub(first, last):every(every)
end

-- Six panels as in the paper: displacement, potential, energy variation; early on the left, late on the right. Two more for what
-- cannot be seen in the first: how far the displacements are apart (away: unit, factor and range of each).
function mass.figure(runs, caption, spans, every, drift, away)
  local panels, names = {}, { "iterative (newton)", "non-iterative (quadratised)" }
  local rows = {
    { label = "u", unit = "m", of = function(r) return r.probes.u, r.t end, from = -0.55, to = 0.3 },
    { label = "φ", unit = "J", of = function(r) return r.energy.contact, r.energy.t end, from = 0, to = 5.5 },
    { label = "ΔH", unit = "", of = function(r) return mass.variation(r), r.energy.t end, from = -drift, to = drift },
  }
  for i, row in ipairs(rows) do
    for j, span in ipairs(spans) do
      local lines = {}
      for s, scheme in ipairs { "newton", "quadratised" } do
        local v, t = row.of(runs[scheme])
        local step = i == 2 and 1 or every -- contacts are short
        lines[s] = { x = window(t, t, span[1], span[2], step), y = window(v, t, span[1], span[2], step), scheme = scheme,
                     name = names[s], style = s == 2 and i < 3 and "dash" or "line", width = s == 1 and i < 3 and 2.4 or 1 }
      end
      panels[#panels + 1] = { title = "(" .. string.sub("abcdef", 2 * i - 2 + j, 2 * i - 2 + j) .. ")", lines = lines,
        x = { label = "t", unit = "s", from = span[1], to = span[2] },
        y = { label = row.label, unit = row.unit, from = row.from, to = row.to },
        marks = i == 1 and { { y = b, text = j == 1 and "barrier" or nil } } or nil, legend = i == 1 and j == 1 and "outside" }
    end
  end
  for j, span in ipairs(spans) do
    local t, apart = runs.newton.t, runs.quadratised.probes.u - runs.newton.probes.u
    panels[6 + j] = { title = ("(%s) non-iterative − iterative"):format(("gh"):sub(j, j)), legend = false,
      x = { label = "t", unit = "s", from = span[1], to = span[2] },
      y = { label = "difference of u", unit = away[j].unit, factor = away[j].factor, from = -away[j].to, to = away[j].to },
      lines = { { x = window(t, t, span[1], span[2], every), y = window(apart, t, span[1], span[2], every), scheme = "quadratised",
                  style = "line" } } }
  end
  figure { caption = caption .. " (a), (b) displacement; (c), (d) contact energy: mean phi of the iterative scheme, psi^2/2 of the " ..
    "non-iterative one; (e), (f) variation of the total energy; (g), (h) difference of the displacements.", columns = 2,
    width = "two", height = 40, panels = panels }
end

return mass
