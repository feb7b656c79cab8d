about { place = "Fig. 6", title = "Hard impact with loss, case 2" }

local lib = use "lib/papetti2011_impact"
local hits = lib.hits("papetti2011/case2", lib.schemes)

claim { "μ v in", published = 0.5, measured = hits.am1.mu * hits.am1.speed, within = 1e-12 }
lib.contact_time(hits, 5)

-- Eq. 24: H falls, except at the end.
local counts, where = {}, true
for i, scheme in ipairs(lib.schemes) do
    local count, _, at = lib.rises(hits[scheme])
    counts[i] = count
    where = where and count <= 1 and (count == 0 or at == hits[scheme].last)
end
claim { "steps in which H rises (AM1, Verlet, Heun, RK4)", published = "none, except at the end of the interaction", measured = counts,
        holds = where }

local off = {}
for _, scheme in ipairs(lib.schemes) do off[scheme] = lib.errors(hits[scheme]) end
local function energies(schemes) return lib.list(function(scheme) return off[scheme].energy end, schemes) end
claim { "final energy against the exact one, Verlet", published = "above the exact final H", measured = off.verlet.energy, unit = "%", digits = 4,
        holds = off.verlet.energy > 0 }
claim { "final energy against the exact one, Heun", published = "above the exact final H", measured = off.heun.energy, unit = "%", digits = 4,
        holds = off.heun.energy > 0,
        expect = "does not reproduce", why = "Table 1(b) of the paper says -9.164 % itself" }
claim { "final energy against the exact one, AM1 beside Verlet and Heun",
        published = "AM1 behaves better, even if sometimes above the exact final H",
        measured = energies { "am1", "verlet", "heun" }, unit = "%", digits = 4, holds = math.abs(off.am1.energy) < math.abs(off.verlet.energy),
        expect = "does not reproduce", why = "better than Heun only, as in Table 1(b)" }
claim { "RK4: largest compression and final energy", published = "about x max and the exact final H",
        measured = { off.rk4.depth, off.rk4.energy }, unit = "%",
        holds = math.abs(off.rk4.depth) < 2.5 and math.abs(off.rk4.energy) < 0.3 }
local depths = lib.list(function(scheme) return off[scheme].depth end)
claim { "largest compression against x max (AM1, Verlet, Heun, RK4)", published = "not exceeded", measured = depths, unit = "%",
        holds = lib.all(depths, function(percent) return percent <= 0 end) }

-- Over the phases of arrival within a sample.
local rms = lib.list(function(scheme) return 2 * lib.phases(hits[scheme], scheme, 48):rms() end)
claim { "rms error of the final energy over 48 phases of arrival (AM1, Verlet, Heun, RK4)", published = false, measured = rms, unit = "%",
        holds = rms[4] < rms[2] and rms[2] < rms[1] and rms[1] < rms[3] }

local truth = lib.hit("papetti2011/case2", "invariant")
local ours, rise = lib.errors(truth), select(2, lib.rises(truth))
claim { "invariant: error of the exit speed; largest rise of H, %", published = false, measured = { ours.true_speed, rise }, digits = 2,
        holds = math.abs(ours.true_speed) < 1e-11 and rise == 0 }

if pictures then
    figure { columns = 2, width = "two", height = 55, panels = lib.panels("papetti2011/case2", hits),
             caption = "Hard impact, case 2: k = 1e9 N/m^1.5, μ = 0.5 s/m, α = 1.5, v in = 1 m/s." }
end
