about { place = "delay", title = "Delay of a free mass after the bounce against the duration of contact, every scheme" }

local cost, sweep, impacts = use "lib/beyond_cost", use "lib/beyond_sweep", use "lib/beyond_impacts"
local names = { "quadratised", "release", "root 1/2", "root 1", "root 3", "am1", "verlet", "rk4", "invariant", "exact", "midpoint",
                "ledger", "newton" }
local found, ways = sweep.run(names)
local samples, alphas = sweep.samples, sweep.alphas
local function at(N) for i, one in ipairs(samples) do if one == N then return i end end end
local function delay(key, a, i) return found[key][a][i].delay * impacts.rate end

-- A contact of 2.5 samples, α = 1.1.
local hard = sweep.run(names, { 2.5 }, { 1.1 })
local text, mean, jitter = {}, {}, {}
for _, way in ipairs(ways) do
  mean[way.key], jitter[way.key] = sweep.spread(hard[way.key][1][1].delay * impacts.rate)
  local shown = math.abs(mean[way.key]) < 5e-4 and 0 or mean[way.key] -- no -0.000
  text[#text + 1] = string.format("%s %.3f ± %.3f", way.name, shown, jitter[way.key])
end
claim { "contact of 2.5 samples, α = 1.1: delay in samples, mean ± deviation over the arrivals", published = false,
        measured = table.concat(text, "; "),
        holds = math.abs(mean.ledger - 0.731) < 0.003 and math.abs(mean.newton - 0.731) < 0.003 and math.abs(mean.midpoint - 0.312) < 0.003
                and math.abs(mean.exact) < 1e-9 and jitter.ledger < 0.01 and jitter.release > 0.3 }
local function mean_of(key, a, N) return (sweep.spread(delay(key, a, at(N)))) end
local function rms(key, a, N) return delay(key, a, at(N)):rms() end
local function times_length(N) return N * mean_of("ledger", 1, N) end
claim { string.format("ledger, α = 1: mean delay times duration N of contact, 4, 10, 40 samples: the delay falls as %.2f/N", times_length(40)),
        published = false, measured = { times_length(4), times_length(10), times_length(40) },
        holds = math.abs(times_length(40) - 2.06) < 0.02 and math.abs(times_length(10) / times_length(40) - 1) < 0.05 }
claim { "α = 1, rms delay at contacts of 4, 10, 40 samples: quadratised; release: as large at any duration, because it hangs on the arrival",
        published = false, digits = 2, measured = { rms("quadratised", 1, 4), rms("quadratised", 1, 10), rms("quadratised", 1, 40),
                     rms("release", 1, 4), rms("release", 1, 10), rms("release", 1, 40) },
        holds = rms("release", 1, 40) > 0.5 and rms("release", 1, 4) > 0.5 }
claim { "α = 2.3, rms delay at a contact of 5 samples: release, ledger, rk4: here ledger is the latest", published = false, digits = 2,
        measured = { rms("release", 3, 5), rms("ledger", 3, 5), rms("rk4", 3, 5) },
        holds = rms("release", 3, 5) < rms("ledger", 3, 5) and rms("rk4", 3, 5) < rms("ledger", 3, 5) }
claim { "root, α = 1.3, contacts of 10 and 40 samples: mean delay (negative: early) of s = 1; s = 3: a higher rate does not help", published = false,
        measured = { mean_of("root 1", 2, 10), mean_of("root 1", 2, 40), mean_of("root 3", 2, 10), mean_of("root 3", 2, 40) },
        holds = mean_of("root 1", 2, 40) < -1 and mean_of("root 3", 2, 40) < -6 }
local function largest(key)
  local most = 0
  for a = 1, #alphas do for i = 1, #samples do most = math.max(most, delay(key, a, i):absmax()) end end
  return most
end
claim { "largest delay of all, samples: exact; invariant", published = false, digits = 2, measured = { largest "exact", largest "invariant" },
        holds = largest "exact" < 1e-9 and largest "invariant" < 1e-4 }

if pictures then
  local panels = {}
  for a, alpha in ipairs(alphas) do
    local lines = {}
    for _, way in ipairs(ways) do
      if way.key ~= "exact" and way.key ~= "invariant" then
        lines[#lines + 1] = cost.line(way, vec(samples), vec(#samples, function(i) return delay(way.key, a, i):rms() end))
        if way.key == "verlet" then lines[#lines].name = "verlet, heun" end
      end
    end
    panels[a] = { title = string.format("(%s) α = %g", ("abc"):sub(a, a), alpha), lines = lines, legend = a == 1 and "outside" or false,
                  x = { label = "duration of contact", unit = "samples", log = true, from = 0.25, to = 50 },
                  y = { label = a == 1 and "rms delay" or nil, unit = a == 1 and "samples" or nil, log = true, from = 1e-4, to = 30 } }
  end
  figure { width = "two", columns = 3, height = 62, panels = panels,
           caption = string.format("When a free mass leaves a lossless barrier, against the exact time: rms over %d arrivals within one sample. "
                                   .. "exact and invariant (below %.0e) are not drawn.", sweep.phases,
                                   10 ^ math.ceil(math.log(math.max(largest "exact", largest "invariant"), 10))) }
end
