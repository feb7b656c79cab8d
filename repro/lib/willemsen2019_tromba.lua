-- The tromba marina of Willemsen 2019, sections 7 and 8, as scenes/willemsen2019/tromba*.lua have it: a string, a bridge, a plate.
-- String, plate and bridge are those of the author's instrument; the notes themselves print no numbers.
local bodies, systems = use "lib/willemsen2019_bodies", use "lib/willemsen2019_systems"

local radius, L, f0 = 5e-4, 1.9, 32
local M = { rate = 44100, L = L, N = 226, Nx = 134, Ny = 17, size = { 1.35, 0.18 }, rho_s = 7850, rho_p = 50, H = 0.01, mass = 0.001,
            gap = 5e-6, body_at = { 1.08, 0.135 } }
M.rhoA = M.rho_s * math.pi * radius ^ 2
M.T = 4 * f0 ^ 2 * L ^ 2 * M.rhoA
M.EI = 2e11 * math.pi * radius ^ 4 / 4
M.at = math.floor(1.65 / L * M.N + 0.5)
M.at_x, M.at_y = math.floor(1.08 / 1.35 * M.Nx + 0.5), math.floor(0.135 / 0.18 * M.Ny + 0.5)

-- The system of the notes. `solver`: "tromba_connection", "tromba" or "tromba_rates"; `more`: spring, contacts, and grids other than
-- those of the scenes (N, at, Nx, Ny, size, at_x, at_y, rho_p, wrong).
function M.system(solver, more)
  local k = 1 / M.rate
  local function of(key) return more[key] or M[key] end
  return systems[solver] { k = k, at = of "at", at_plate = 1 + of "at_x" + (of "Nx" + 1) * of "at_y", spring = more.spring,
    contacts = more.contacts, wrong = more.wrong, rho_s = M.rho_s, rho_p = of "rho_p",
    string = bodies.string { k = k, length = L, N = of "N", T = M.T, rhoA = M.rhoA, EI = M.EI, s0 = 0.1, s1 = 0.05 },
    mass = bodies.mass { k = k, M = M.mass, omega = 2 * math.pi * 500, R = 0.05 },
    plate = bodies.plate { k = k, size = of "size", Nx = of "Nx", Ny = of "Ny", D = 2e5 * M.H ^ 3 / (12 * (1 - 0.3 ^ 2)),
                           rhoH = of "rho_p" * M.H, s0 = 2, s1 = 0.05 } }
end

-- How a one-sided contact behaved: part of the steps it was closed, part it pulled, its largest pull over its largest push.
function M.rattle(r, eta)
  local f, closed, pulled = r.probes.f, 0, 0
  for n = 1, #f do
    if r.probes[eta][n] > 0 then closed = closed + 1 end
    if f[n] < 0 then pulled = pulled + 1 end
  end
  return closed / #f, pulled / #f, f:min() / f:max()
end

-- Closings of the contact: each is one knock of the bridge on the body.
function M.knocks(r, eta)
  local x, count = r.probes[eta], 0
  for n = 2, #x do
    if x[n] > 0 and x[n - 1] <= 0 then count = count + 1 end
  end
  return count
end

-- When the bridge sticks to the body depends on the last digits, so that one run tells an accident: nine plucks of 0.996 to 1.004 mm for
-- 0.6 s. Medians with least and most: part of the steps in which the contact is closed, part in which it pulls, and knocks, as a text;
-- then the median parts.
function M.plucks(scene, scheme, eta)
  local lists = { {}, {}, {} }
  for i = 1, 9 do
    local r = run(scene, { scheme = scheme, set = { height = 1e-3 * (1 + 1e-3 * (i - 5)) }, duration = 0.6, unaudited = true })
    local closed, pulled = M.rattle(r, eta)
    lists[1][i], lists[2][i], lists[3][i] = 100 * closed, 100 * pulled, M.knocks(r, eta)
  end
  for _, list in ipairs(lists) do table.sort(list) end
  local function told(list, form) return (form .. " (" .. form .. " to " .. form .. ")"):format(list[5], list[1], list[9]) end
  local text = ("closed in %s %% of the steps, pulls in %s %%, %s knocks"):format(told(lists[1], "%.0f"), told(lists[2], "%.0f"),
                                                                               told(lists[3], "%d"))
  return text, lists[1][5] / 100, lists[2][5] / 100
end

-- String, bridge and body where they meet, in micrometres; the body is drawn at the height where the bridge touches it.
function M.meeting(r, title, u, eta, more)
  local panel = { title = title, y = { label = "displacement", unit = "µm", factor = 1e6 },
                  lines = { { x = r.t, y = r.probes.w + r.probes[eta], name = "body", colour = "green", width = 3 },
                            { x = r.t, y = u, name = "string", colour = "ink" },
                            { x = r.t, y = r.probes.w, name = "bridge", colour = "purple" } } }
  for key, value in pairs(more) do panel[key] = value end
  return panel
end

-- The body at one of the shapes.
function M.body(r, title, i)
  local v = r.shapes[i].bodies.v
  return { title = title, x = { label = "x", unit = "m" }, y = { label = "y", unit = "m" },
           image = { x = v.x, y = v.y, z = 1e6 * v.u, label = "v", unit = "µm", palette = "diverging" } }
end

return M
