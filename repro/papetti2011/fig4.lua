about { place = "Fig. 4", title = "Soft impact: all methods agree" }

local lib = use "lib/papetti2011_impact"
local hits = lib.hits("papetti2011/soft", lib.schemes)

-- Largest difference between two of the methods at one sample, % of the largest value.
local function spread(of, key)
    local most, size = 0, of.rk4[key]:absmax()
    for i, one in ipairs(lib.schemes) do
        for j = 1, i - 1 do most = math.max(most, (of[one][key] - of[lib.schemes[j]][key]):absmax()) end
    end
    return 100 * most / size
end

local samples = lib.list(function(scheme) return hits[scheme].last - 1 end)
claim { "samples of contact (AM1, Verlet, Heun, RK4)", published = "many", measured = samples,
        holds = lib.all(samples, function(n) return n > 100 end) }

local alike = 0.5 -- %, what counts as the same curve
local apart = { spread(hits, "x"), spread(hits, "v"), spread(hits, "f"), spread(hits, "H") }
claim { "largest difference between the methods in x, v, f, H, of the largest value", published = "substantially overlap", measured = apart,
        unit = "%",
        digits = 2, holds = lib.all(apart, function(percent) return percent < alike end) }

local function errors(key) return lib.list(function(scheme) return lib.errors(hits[scheme])[key] end) end
claim { "largest compression against x max of Eq. 4 (AM1, Verlet, Heun, RK4)", published = "tangent", measured = errors("depth"), unit = "%",
        digits = 2,
        holds = lib.all(errors("depth"), function(off) return math.abs(off) < 0.02 end) }
claim { "exit speed against the exact one (AM1, Verlet, Heun, RK4)", published = "tangent", measured = errors("true_speed"), unit = "%", digits = 2,
        holds = lib.all(errors("true_speed"), function(off) return math.abs(off) < 0.001 end) }
claim { "H at the end of the contact against the exact one (AM1, Verlet, Heun, RK4)", published = "the exact final H",
        measured = errors("true_energy"), unit = "%",
        digits = 2,
        holds = lib.all(errors("true_energy"), function(off) return math.abs(off) < 0.001 end) }

local rises = lib.list(function(scheme) return select(2, lib.rises(hits[scheme])) end)
claim { "largest rise of H from one sample to the next, % of H₀ (AM1, Verlet, Heun, RK4)",
        published = "H decreases until the end of the contact", measured = rises,
        digits = 2, holds = lib.all(rises, function(rise) return rise < 1e-4 end) }

-- Footnote 3.
local elastic = lib.hits("papetti2011/soft", lib.schemes, { set = { mu = 0 } })
local kept = lib.list(function(scheme) return 100 * (elastic[scheme].final / elastic[scheme].start - 1) end)
claim { "change of the energy without loss, μ = 0 (AM1, Verlet, Heun, RK4)", published = "none (footnote 3)", measured = kept, unit = "%",
        digits = 2,
        holds = lib.all(kept, function(change) return math.abs(change) < 0.001 end) }

local ours = lib.hit("papetti2011/soft", "invariant")
claim { "invariant: error of the exit speed", published = false, measured = lib.errors(ours).true_speed, unit = "%", digits = 2,
        holds = math.abs(lib.errors(ours).true_speed) < 1e-11 }

local others, overlap, hard = {}, 0, nil
for i, K in ipairs { 1e4, 1e6, 1e8, 1e9 } do
    local set = lib.hits("papetti2011/soft", lib.schemes, { set = { K = K }, duration = 0.03 })
    local off = spread(set, "x")
    others[i] = string.format("k = %.0e: %d samples, differences in x %.2g %%, exit speeds within %.2g %%", K, set.rk4.last - 1, off,
        vec(lib.list(function(scheme) return lib.errors(set[scheme]).true_speed end)):absmax())
    if not hard and off < alike then overlap = K else hard = hard or { K, set.rk4.last - 1 } end
end
choice { "stiffness k", taken = "1e5 N/m^1.6", why = "the exponent of the caption is not legible in the copy we have (it looks like 5 or 9); "
             .. "a contact of many samples is asked for",
         otherwise = table.concat(others, "; ") .. string.format(". In x they agree within %g %% up to k = %.0e", alike, overlap)
             .. (hard and string.format(", no longer with the %d samples of %.0e", hard[2], hard[1]) or "") }
choice { "panels", taken = "(a) phase portrait, (b) force over compression, (c) force, (d) energies over samples",
         why = "the order in which Sec. 3.3 names the plots; the text speaks of (a) and of the panel of the energies",
             otherwise = "the curves are the same" }

if pictures then
    figure { columns = 2, width = "two", height = 55, panels = lib.panels("papetti2011/soft", hits, 40),
             caption = "Soft impact, k = 1e5 N/m^1.6, μ = 0.5 s/m, α = 1.6, v in = 0.3 m/s. Every method is marked at samples of its own." }
end
