-- Impacts of one mass over the duration of contact in samples: every way, three exponents, arrivals spread over one sample.
local cost, impacts = use "lib/beyond_cost", use "lib/beyond_impacts"
local sweep = { alphas = { 1, 1.3, 2.3 }, phases = 32 }
sweep.samples = { 0.3, 0.4, 0.55, 0.75, 1, 1.4, 2, 2.5, 3, 4, 5, 7, 10, 14, 20, 28, 40 }

-- by way, alpha and place in sweep.samples: what impacts.read says.
function sweep.run(names, samples, alphas)
  local found, ways = {}, cost.ways(names)
  for a, alpha in ipairs(alphas or sweep.alphas) do
    for i, N in ipairs(samples or sweep.samples) do
      local hit = impacts.new(impacts.lasting(N, alpha), sweep.phases, 30)
      for _, way in ipairs(ways) do
        found[way.key] = found[way.key] or { way = way }
        found[way.key][a] = found[way.key][a] or {}
        found[way.key][a][i] = impacts.read(hit, run(cost.scene(hit.scene, way), { lenient = true, unaudited = true }))
      end
    end
  end
  return found, ways
end

-- Mean and standard deviation.
function sweep.spread(v)
  local mean = v:sum() / #v
  return mean, (v - mean):rms()
end

return sweep
