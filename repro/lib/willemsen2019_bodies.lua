-- The bodies of Willemsen 2019 as the notes step them: u^n and u^{n-1} kept, u^{n+1} worked out. A second implementation beside the
-- program's, plain on purpose. Every row of a body reads
--     inertia u^{n+1} = row + force,      inertia: all that stands before u^{n+1}
-- Losses as in section 8 (77): sigma_0 and R in 1/s. Ends of strings and edges of plates are supported, u_{-1} = -u_1.

-- M delta_tt u = -M omega^2 u - M R delta_t. u + force                                                                   (77b)
local Mass = {}
Mass.__index = Mass

function Mass:inertia() return self.M / self.k ^ 2 + self.M * self.R / (2 * self.k) end

function Mass:row()
  local M, k = self.M, self.k
  return M / k ^ 2 * (2 * self.u - self.before) - M * self.omega ^ 2 * self.u + M * self.R / (2 * k) * self.before
end

function Mass:free() self.next = self:row() / self:inertia() end

function Mass:start(now, before) self.u, self.before = now, before end

function Mass:advance() self.before, self.u = self.u, self.next end

function Mass:energy()
  return self.M / 2 * ((self.u - self.before) / self.k) ^ 2 + self.M * self.omega ^ 2 / 2 * self.u * self.before
end

function Mass:loss() return self.k * self.M * self.R * ((self.next - self.before) / (2 * self.k)) ^ 2 end

-- rho A delta_tt u = T delta_xx u - E I delta_xxxx u - 2 rho A sigma_0 delta_t. u + 2 rho A sigma_1 delta_t- delta_xx u + J force
-- Point l of 0 .. N lies at index l + 2.                                                                                 (77a)
local String = {}
String.__index = String

function String:inertia() return self.rhoA / self.k ^ 2 + self.rhoA * self.s0 / self.k end

function String:free()
  local k, h, u, v, next = self.k, self.h, self.u, self.before, self.next
  local lambda2, mu2 = self.T * k ^ 2 / (self.rhoA * h ^ 2), self.EI * k ^ 2 / (self.rhoA * h ^ 4) -- (66)
  local s0, s1 = self.s0 * k, 2 * self.s1 * k / h ^ 2
  local last = self.N + 2
  u[1], u[last + 1] = -u[3], -u[last - 1]
  for i = 3, last - 1 do -- (68a), with -6 mu^2 in its centre
    next[i] = ((2 - 2 * lambda2 - 6 * mu2 - 2 * s1) * u[i] + (lambda2 + 4 * mu2 + s1) * (u[i + 1] + u[i - 1]) -
               mu2 * (u[i + 2] + u[i - 2]) + (-1 + s0 + 2 * s1) * v[i] - s1 * (v[i + 1] + v[i - 1])) / (1 + s0)
  end
end

function String:start(now, before) -- tables or vecs of the N + 1 points
  for l = 0, self.N do
    self.u[l + 2], self.before[l + 2], self.next[l + 2] = now[l + 1], before[l + 1], 0
  end
  for _, u in ipairs { self.u, self.before, self.next } do u[1], u[self.N + 3] = -u[3], -u[self.N + 1] end
end

function String:advance() self.before, self.u, self.next = self.u, self.next, self.before end

function String:energy() -- the term in sigma_1 belongs to the backward difference delta_t- and is none of the loss
  local k, h, u, w = self.k, self.h, self.u, self.before
  local kinetic, slopes, bends, shear = 0, 0, 0, 0
  for i = 2, self.N + 1 do
    local v, along = (u[i] - w[i]) / k, (u[i + 1] - w[i + 1]) / k
    kinetic, shear = kinetic + v * v, shear + (along - v) ^ 2
    slopes = slopes + (u[i + 1] - u[i]) * (w[i + 1] - w[i])
    if i > 2 then bends = bends + (u[i + 1] - 2 * u[i] + u[i - 1]) * (w[i + 1] - 2 * w[i] + w[i - 1]) end
  end
  return h * (self.rhoA / 2 * kinetic + self.T / (2 * h ^ 2) * slopes + self.EI / (2 * h ^ 4) * bends -
              k / 2 * self.rhoA * self.s1 / h ^ 2 * shear)
end

function String:loss()
  local speeds, shear, k = 0, 0, self.k
  for i = 2, self.N + 1 do
    local v, along = (self.next[i] - self.before[i]) / (2 * k), (self.next[i + 1] - self.before[i + 1]) / (2 * k)
    speeds, shear = speeds + v * v, shear + (along - v) ^ 2
  end
  return 2 * k * self.rhoA * self.h * (self.s0 * speeds + self.s1 / self.h ^ 2 * shear)
end

-- rho H delta_tt v = -D Laplace Laplace v - 2 rho H sigma_0 delta_t. v + 2 rho H sigma_1 delta_t- Laplace v + J force
-- Point (x, y) of 0 .. Nx, 0 .. Ny lies at index 1 + x + (Nx + 1) y. Squares in the notes; here hx and hy may differ.    (77c)
local Plate = {}
Plate.__index = Plate

function Plate:inertia() return self.rhoH / self.k ^ 2 + self.rhoH * self.s0 / self.k end

-- Edges stay 0, so that the Laplacian twice is the biharmonic operator of a supported plate.
function Plate:laplace(u, to)
  local across, a, b = self.Nx + 1, 1 / self.hx ^ 2, 1 / self.hy ^ 2
  for y = 1, self.Ny - 1 do
    for i = across * y + 2, across * y + self.Nx do
      to[i] = a * (u[i + 1] + u[i - 1]) + b * (u[i + across] + u[i - across]) - 2 * (a + b) * u[i]
    end
  end
end

function Plate:free()
  local k, u, v, next, bent, twice = self.k, self.u, self.before, self.next, self.bent, self.twice
  self:laplace(u, bent) -- that of v is known from the step before
  self:laplace(bent, twice)
  local mu, s0, s1, past = self.D * k ^ 2 / self.rhoH, self.s0 * k, 2 * self.s1 * k, self.bent_before
  for y = 1, self.Ny - 1 do
    for i = (self.Nx + 1) * y + 2, (self.Nx + 1) * y + self.Nx do
      next[i] = (2 * u[i] - v[i] - mu * twice[i] + s0 * v[i] + s1 * (bent[i] - past[i])) / (1 + s0)
    end
  end
end

function Plate:start(now, before)
  local points = (self.Nx + 1) * (self.Ny + 1)
  for i = 1, points do self.u[i], self.before[i] = now and now[i] or 0, before and before[i] or 0 end
  for _, a in ipairs { self.next, self.bent, self.bent_before, self.twice } do
    for i = 1, points do a[i] = 0 end
  end
  self:laplace(self.before, self.bent_before)
end

function Plate:advance()
  self.before, self.u, self.next = self.u, self.next, self.before
  self.bent_before, self.bent = self.bent, self.bent_before
end

-- Squares of the slopes of u summed over the cells.
local function slopes2(p, u)
  local across, sum = p.Nx + 1, 0
  for y = 0, p.Ny do
    for x = 0, p.Nx do
      local i = 1 + x + across * y
      if x < p.Nx then sum = sum + ((u(i + 1) - u(i)) / p.hx) ^ 2 end
      if y < p.Ny then sum = sum + ((u(i + across) - u(i)) / p.hy) ^ 2 end
    end
  end
  return sum
end

function Plate:energy()
  local k, u, w, kinetic, bends = self.k, self.u, self.before, 0, 0
  self:laplace(u, self.bent)
  for i = 1, #u do
    kinetic, bends = kinetic + ((u[i] - w[i]) / k) ^ 2, bends + self.bent[i] * self.bent_before[i]
  end
  local shear = slopes2(self, function(i) return (u[i] - w[i]) / k end)
  return self.hx * self.hy * (self.rhoH / 2 * kinetic + self.D / 2 * bends - k / 2 * self.rhoH * self.s1 * shear)
end

function Plate:loss()
  local k, speeds = self.k, 0
  local function v(i) return (self.next[i] - self.before[i]) / (2 * k) end
  for i = 1, #self.u do speeds = speeds + v(i) ^ 2 end
  return 2 * k * self.rhoH * self.hx * self.hy * (self.s0 * speeds + self.s1 * slopes2(self, v))
end

local function made(class, body, defaults)
  for key, value in pairs(defaults) do body[key] = body[key] or value end
  return setmetatable(body, class)
end

return {
  -- k s; M kg, omega 1/s, R 1/s
  mass = function(b) return made(Mass, b, { omega = 0, R = 0, u = 0, before = 0 }) end,
  -- k s; length m, N intervals, T N, rhoA kg/m, EI N m^2, s0 1/s, s1 m^2/s
  string = function(b)
    b.h = b.length / b.N
    return made(String, b, { EI = 0, s0 = 0, s1 = 0, u = {}, before = {}, next = {} })
  end,
  -- k s; size m, Nx, Ny intervals, D N m, rhoH kg/m^2, s0 1/s, s1 m^2/s
  plate = function(b)
    b.hx, b.hy = b.size[1] / b.Nx, b.size[2] / b.Ny
    return made(Plate, b, { s0 = 0, s1 = 0, u = {}, before = {}, next = {}, bent = {}, bent_before = {}, twice = {} })
  end,
}
