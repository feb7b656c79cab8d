-- The program beside the notes' own unknowns, and the panels that every system of Willemsen 2019 gets.
local M = {}

-- Times of shapes for `along`: the first two steps and `count` more up to `last`.
function M.times(rate, last, count)
  local t = { 0, 1 / rate }
  for i = 1, count do t[i + 2] = math.floor(last * i / count) / rate end
  return t
end

local function furthest(body, kind, u)
  local off, peak = 0, 0
  for i = 1, #u do
    local own = kind == "mass" and body.u or body.u[kind == "string" and i + 1 or i]
    local apart = math.abs(u[i] - own)
    if not (apart <= off) then off = apart end -- NaN stays
    peak = math.max(peak, math.abs(own))
  end
  return off, peak
end

-- Steps the system s of the notes along with the run r, from its first two shapes. names = { string = "u", mass = "w" }: which body
-- of the run a part of the system is. Returns the largest distance of any body at any of the times, relative to its largest
-- displacement; `last`: the last step to go to (rounding grows in collisions, and two ways of summing part).
function M.along(r, s, names, last)
  local off, peak, step = {}, {}, 1
  for part, name in pairs(names) do
    local before, now = r.shapes[1].bodies[name].u, r.shapes[2].bodies[name].u
    if #now == 1 then before, now = before[1], now[1] end
    s[part]:start(now, before)
    off[part], peak[part] = 0, 0
  end
  s:begin()
  for i = 3, #r.shapes do
    if last and r.shapes[i].t * r.rate > last + 0.5 then break end
    while step < math.floor(r.shapes[i].t * r.rate + 0.5) do
      s:step()
      step = step + 1
    end
    for part, name in pairs(names) do
      local kind = s[part].N and "string" or s[part].Nx and "plate" or "mass"
      local apart, most = furthest(s[part], kind, r.shapes[i].bodies[name].u)
      if not (apart <= off[part]) then off[part] = apart end
      peak[part] = math.max(peak[part], most)
    end
  end
  local worst = 0
  for part in pairs(names) do
    if not (off[part] / peak[part] <= worst) then worst = off[part] / peak[part] end
  end
  return worst
end

-- Displacements from a probe of the velocity of a mass, (u^{n+1} - u^{n-1})/(2k), and its first two shapes: exact.
function M.path(r, probe, body)
  local v, u = r.probes[probe], vec(#r.t)
  u[1], u[2] = r.shapes[1].bodies[body].u[1], r.shapes[2].bodies[body].u[1]
  for n = 3, #u do u[n] = u[n - 2] + 2 / r.rate * v[n - 1] end
  return u
end

-- Energies of a run over time in ms; `parts` = { "kinetic", "elastic", "contact", "total" } or fewer.
function M.energies(r, title, more)
  local e, names = r.energy, { elastic = "potential" }
  local panel = { title = title, x = { label = "t", unit = "ms", factor = 1e3, from = 0 },
                  y = { label = "energy", unit = "mJ", factor = 1e3 }, lines = {} }
  for i, part in ipairs(more and more.parts or { "kinetic", "elastic", "contact", "total" }) do
    panel.lines[i] = { x = e.t, y = e[part], scheme = names[part] or part, name = part == "elastic" and "elastic" or part }
  end
  for key, value in pairs(more or {}) do
    if key ~= "parts" then panel[key] = value end
  end
  return panel
end

-- Energy out of nothing of several runs, each relative to what flowed.
function M.residuals(runs, title, more)
  local panel = { title = title, x = { label = "t", unit = "ms", factor = 1e3, from = 0 }, lines = {} }
  local most = 0
  for i, entry in ipairs(runs) do
    local e = entry[2].energy
    local residual = e.residual / math.max(e.total:absmax(), e.supplied:absmax(), e.dissipated:absmax())
    most = math.max(most, residual:absmax())
    panel.lines[i] = { x = e.t, y = residual, scheme = entry[1], style = "line", width = 0.8 }
  end
  local room = math.max(math.ceil(1.1e15 * most), 1)
  panel.y = { label = "residual", factor = 1e15, unit = "10⁻¹⁵", from = -room, to = room }
  for key, value in pairs(more or {}) do panel[key] = value end
  return panel
end

return M
