about { place = "cost 3", title = "Accuracy against cost: impacts of Papetti, Avanzini and Rocchesso 2011 (Table 1)", alone = true }

local cost, impacts = use "lib/beyond_cost", use "lib/beyond_impacts"
local phases = 64
local names = { "ledger", "newton", "midpoint", "quadratised", "am1", "verlet", "heun", "rk4", "invariant" }
local impacts_of = {
  { title = "(a) case 1", mass = 0.01, K = 1e7, alpha = 1.1, mu = 0.1, speed = 0.3 },
  { title = "(b) case 2", mass = 0.01, K = 1e9, alpha = 1.5, mu = 0.5, speed = 1 },
}
local panels = {}
for i, one in ipairs(impacts_of) do
  local p = { mass = one.mass, K = one.K, alpha = one.alpha, mu = one.mu, speed = one.speed }
  local hit = impacts.new(p, phases, impact(p).duration * impacts.rate)
  local case = { scene = hit.scene, times = { 1, 2, 4, 8, 16 }, bodies = phases, duration = hit.duration, rounds = 9, ways = cost.ways(names),
                 said = ", " .. one.title:sub(5) }
  local fastest = {}
  function case.error(r, times, way)
    local read = impacts.read(hit, r)
    if times == 1 then fastest[way.key] = (read.speed - 1):absmax() end
    return read.position:rms() / hit.exact.max_depth
  end
  local c = cost.measure(case)
  cost.tell(case, c, 0.02)
  claim { "worst exit speed at 44.1 kHz, relative error: ledger, quadratised, am1, verlet, heun, rk4, invariant" .. case.said, published = false,
          digits = 2, measured = { fastest.ledger, fastest.quadratised, fastest.am1, fastest.verlet, fastest.heun, fastest.rk4, fastest.invariant },
          holds = fastest.invariant < 1e-12 and fastest.ledger < 0.02 }
  claim { "rk4 is more accurate than ledger where a point mass meets a wall: its error over ledger's at 44.1 kHz" .. case.said, published = false,
          digits = 2, measured = c.rk4.error[1] / c.ledger.error[1], holds = c.rk4.error[1] < 0.3 * c.ledger.error[1] }
  panels[i] = cost.panel(case, c, { title = one.title, y = { label = "error over depth", log = true }, legend = i == 1 and "outside" or false })
end

figure { width = "one", height = 50, panels = cost.align(panels),
         caption = string.format("Hunt-Crossley impacts: position one contact time after the bounce, rms over %d phases of arrival, over the "
                                 .. "deepest penetration. Points from left to right: 1, 2, 4, 8, 16 times 44.1 kHz. exact and root have no loss and "
                                 .. "are not shown.", phases) }
