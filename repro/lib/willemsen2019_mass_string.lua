-- Mass on a spring under a stiff string, sections 6 and 6.1 of Willemsen 2019, as scenes/willemsen2019/mass_string.lua has it.
local bodies, systems = use "lib/willemsen2019_bodies", use "lib/willemsen2019_systems"

local radius, rho = 4e-4, 7850
local M = { rate = 44100, N = 90, L = 0.7, mass = 0.003, rhoA = rho * math.pi * radius ^ 2, EI = 2e11 * math.pi * radius ^ 4 / 4, K = 1e7,
            alpha = 1.3 }
M.at = math.floor(0.15 * M.N + 0.5) -- the point of the grid nearest to 0.15 L

-- The system of the notes: solver "mass_string" or "mass_string_newton".
function M.system(solver)
  local k = 1 / M.rate
  return systems[solver] { k = k, at = M.at, contacts = { { K = M.K, alpha = M.alpha } },
    scheme = solver == "mass_string_newton" and "newton" or nil,
    string = bodies.string { k = k, length = M.L, N = M.N, T = 120, rhoA = M.rhoA, EI = M.EI },
    mass = bodies.mass { k = k, M = M.mass, omega = 2 * math.pi * 60 } }
end

-- Sets it to the first two shapes of a run.
function M.start(s, r)
  local before, now = r.shapes[1].bodies, r.shapes[2].bodies
  s.string:start(now.u.u, before.u.u)
  s.mass:start(now.w.u[1], before.w.u[1])
  s:begin()
end

return M
