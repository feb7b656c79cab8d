about { place = "Fig. 5", title = "Hard impact with hardly any loss, case 1" }

local lib = use "lib/papetti2011_impact"
local hits = lib.hits("papetti2011/case1", lib.schemes)

claim { "μ v in", published = 0.03, measured = hits.am1.mu * hits.am1.speed, within = 1e-12 }
lib.contact_time(hits, 8)

-- "Prone to oscillations": H rises where it may only fall (Eq. 24).
local counts = lib.list(function(scheme) return (lib.rises(hits[scheme])) end)
local rises = lib.list(function(scheme) return select(2, lib.rises(hits[scheme])) end)
claim { "steps in which H rises, and the largest rise in % of H₀ (AM1, Verlet, Heun, RK4)", published = "H of Verlet and Heun oscillates",
        measured = string.format("%s; %s %%", lib.text("%d", counts), lib.text("%.3g", rises)),
        holds = counts[2] >= 2 and counts[3] >= 2 and counts[4] == 0 }

-- "Even in case of not-too-hard impacts", tens of samples, mu v_in -> 0: a softer wall (Eq. 9), a tenth of the loss.
local softer = lib.stretched(hits.am1, 30).K
local long = lib.hits("papetti2011/case1", lib.schemes, { set = { K = softer, mu = 0.01 } })
local long_counts = lib.list(function(scheme) return (lib.rises(long[scheme])) end)
local long_rises = lib.list(function(scheme) return select(2, lib.rises(long[scheme])) end)
local long_off = lib.list(function(scheme) return lib.errors(long[scheme]).true_energy end)
claim { "the same with a contact of 30 samples and μ v in = 0.003", published = "oscillates even in not-too-hard impacts",
        measured = string.format("%s; %s %%", lib.text("%d", long_counts), lib.text("%.2g", long_rises)),
        holds = long_counts[2] >= 5 and long_counts[3] >= 5 }
claim { "final energy against the exact one of these (AM1, Verlet, Heun, RK4)", published = "inconsistent for Verlet and Heun, typically above",
        measured = long_off, unit = "%", digits = 2, holds = long_off[2] > 0.01 and long_off[3] > 0.01 }

local off = {}
for _, scheme in ipairs(lib.schemes) do off[scheme] = lib.errors(hits[scheme]) end
claim { "final energy against the exact one, Verlet and Heun", published = "above the exact final H",
        measured = { off.verlet.energy, off.heun.energy }, unit = "%",
        digits = 4,
        holds = off.verlet.energy > 1 and off.heun.energy > 1 }
claim { "largest compression against x max, Verlet and Heun", published = "often above x max", measured = { off.verlet.depth, off.heun.depth },
        unit = "%", digits = 4,
        holds = off.verlet.depth > 0 and off.heun.depth > 0 }

-- H of the exact motion at the samples: invariant follows it.
local truth = lib.hit("papetti2011/case1", "invariant")
local _, turn = hits.am1.x:max()
local short = 100 * (hits.am1.H[turn] - truth.H[turn]) / truth.start
local gained = 100 * (hits.am1.H[hits.am1.last] - hits.am1.H[turn] - truth.H[truth.last] + truth.H[turn]) / truth.start
claim { "AM1: H at the deepest sample less the exact one; what it then gains more than the exact motion, % of H₀",
        published = "loses too much in compression, gains spurious energy in decompression", measured = { short, gained },
        holds = short < -0.3 and gained > 0.3 }
claim { "AM1: final energy against the exact one", published = "above the exact final H", measured = off.am1.energy, unit = "%", digits = 4,
        holds = off.am1.energy > 1 }
claim { "RK4: final energy against the exact one", published = "about the exact final H", measured = off.rk4.energy, unit = "%",
        holds = math.abs(off.rk4.energy) < 0.3 }

-- Is that so whenever the mass arrives?
local share = lib.list(function(scheme) return lib.share_above(lib.phases(hits[scheme], scheme, 48)) end)
claim { "arrivals after which the energy is above the exact one, of 48 phases within a sample (AM1, Verlet, Heun, RK4)", published = false,
        measured = share, unit = "%",
        holds = lib.all(share, function(percent) return percent > 30 and percent < 60 end) }
local ours, rise = lib.errors(truth), select(2, lib.rises(truth))
claim { "invariant: error of the exit speed; largest rise of H, %", published = false, measured = { ours.true_speed, rise }, digits = 2,
        holds = math.abs(ours.true_speed) < 1e-11 and rise == 0 }
claim { "energy that comes from nowhere, of the largest: AM1, Verlet, Heun, RK4; invariant", published = false,
        measured = string.format("%s; %.0e", lib.text("%.2g", lib.list(function(scheme) return hits[scheme].run.balance end)), truth.run.balance),
        holds = truth.run.balance < 1e-12 }

if pictures then
    figure { columns = 2, width = "two", height = 55, panels = lib.panels("papetti2011/case1", hits),
             caption = "Hard impact, case 1: k = 1e7 N/m^1.1, μ = 0.1 s/m, α = 1.1, v in = 0.3 m/s." }
end
