about { place = "Sec. 3.3.2", title = "General study of hard impacts" }

local lib = use "lib/papetti2011_impact"

-- Impacts of 1 m/s with k such that the contact lasts 4 to 10 samples and begins on a sample, as in the paper; exponents 1.1 to 2.5.
local function family(losses)
    local list = {}
    for _, alpha in ipairs { 1.1, 1.5, 2, 2.5 } do
        for _, mu in ipairs(losses) do
            local one = { mass = 0.01, K = 1e9, alpha = alpha, mu = mu, speed = 1 }
            one.exact = impact(one)
            for samples = 4, 10, 0.5 do
                table.insert(list, lib.stretched(one, samples))
            end
        end
    end
    return list
end
local families = { family { 0.003, 0.01, 0.03 }, family { 0.3, 0.5, 1, 2 } } -- case 1 and case 2, mu v_in

local function energies(list, scheme) return lib.exits(list, scheme):map(function(off) return 100 * ((1 + off / 100) ^ 2 - 1) end) end
local function median(errors)
    local sizes = {}
    for i = 1, #errors do sizes[i] = math.abs(errors[i]) end
    table.sort(sizes)
    return sizes[(#sizes + 1) // 2]
end
local off, share, middle = { {}, {} }, { {}, {} }, { {}, {} }
for case = 1, 2 do
    for _, scheme in ipairs(lib.schemes) do
        off[case][scheme] = energies(families[case], scheme)
        share[case][scheme], middle[case][scheme] = lib.share_above(off[case][scheme]), median(off[case][scheme])
    end
end
-- Impacts of case 2 in which AM1 ends nearer to H_tau, %.
local function am1_better(than)
    local count = 0
    for i = 1, #off[2].am1 do if math.abs(off[2].am1[i]) < math.abs(off[2][than][i]) then count = count + 1 end end
    return 100 * count / #off[2].am1
end

local any = { {}, {} } -- the same families at any phase of arrival
for case = 1, 2 do
    for i, scheme in ipairs(lib.schemes) do
        local above = 0
        for phase = 0, 11 do
            local ahead = {}
            for j = 1, #families[case] do ahead[j] = phase / 12 end
            above = above + lib.share_above(lib.exits(families[case], scheme, ahead)) / 12
        end
        any[case][i] = above
    end
end
local of = { string.format("case 1, %d impacts: ", #families[1]), string.format("case 2, %d impacts: ", #families[2]) }
-- any: AM1, Verlet, Heun, RK4. The paper starts its contacts on a sample (Sec. 2.1).
local which = "; of those that arrive at any phase"
claim { of[1] .. "energy after the impact above the exact one, Verlet, Heun" .. which, published = "typically",
        measured = { share[1].verlet, share[1].heun, any[1][2], any[1][3] }, unit = "%", digits = 2,
        holds = share[1].verlet > 50 and share[1].heun > 50, expect = "reproduced with correction",
        why = "of contacts that begin on a sample, as those of the paper do; at any phase half of Verlet's and a third of Heun's are" }
claim { of[1] .. "energy after the impact above the exact one, AM1" .. which, published = "generally",
        measured = { share[1].am1, any[1][1] }, unit = "%", digits = 2, holds = share[1].am1 > 50 and any[1][1] > 50 }
claim { of[1] .. "median error of the energy, RK4 beside AM1, Verlet, Heun", published = "RK4 about the exact final H", unit = "%",
        measured = { middle[1].rk4, middle[1].am1, middle[1].verlet, middle[1].heun },
        holds = middle[1].rk4 < math.min(middle[1].am1, middle[1].verlet, middle[1].heun) }
claim { of[2] .. "energy after the impact above the exact one, Verlet" .. which, published = "typically",
        measured = { share[2].verlet, any[2][2] }, unit = "%", digits = 2, holds = share[2].verlet > 50, expect = "reproduced with correction",
        why = "of contacts that begin on a sample, as those of the paper do; at any phase it is about half" }
claim { of[2] .. "energy after the impact above the exact one, Heun", published = "typically", measured = share[2].heun, unit = "%",
        holds = share[2].heun > 50,
        expect = "does not reproduce", why = "Eq. 22 loses energy with loss: in Table 1(b) too" }
claim { of[2] .. "AM1 ends nearer to the exact final H than Verlet; than Heun", published = "AM1 tends to be better than the two",
        measured = { am1_better("verlet"), am1_better("heun") },
        unit = "%", holds = am1_better("verlet") > 50 and am1_better("heun") > 50, expect = "does not reproduce",
        why = string.format("better than Heun only: median errors of the energy %.3g (AM1), %.3g (Verlet), %.3g %% (Heun)", middle[2].am1,
            middle[2].verlet, middle[2].heun) }
claim { of[2] .. "energy after the impact above the exact one, AM1", published = "sometimes", measured = share[2].am1, unit = "%",
        holds = share[2].am1 > 0 and share[2].am1 < 90, expect = "does not reproduce", why = "always, in these impacts" }
claim { of[2] .. "median error of the energy, RK4", published = "small", measured = middle[2].rk4, unit = "%", holds = middle[2].rk4 < 0.3 }

-- Contacts of every length: rms error of v_out over 24 phases of arrival and over the lengths within half a sample.
local lengths = vec { 2, 2.5, 3, 3.5, 4, 5, 6, 8, 12, 16, 24, 32 }
local models = { { mass = 0.01, K = 1e7, alpha = 1.1, mu = 0.1, speed = 0.3 }, { mass = 0.01, K = 1e9, alpha = 1.5, mu = 0.5, speed = 1 } }
for _, model in ipairs(models) do model.exact = impact(model) end
local function spread(model, scheme, samples)
    local impacts, ahead = {}, {}
    for part = -3, 3, 2 do
        for phase = 0, 23 do
            table.insert(impacts, lib.stretched(model, samples + part / 8))
            table.insert(ahead, phase / 24)
        end
    end
    return lib.exits(impacts, scheme, ahead)
end
local rms = { {}, {} }
for case = 1, 2 do
    for _, scheme in ipairs(lib.schemes) do rms[case][scheme] = lengths:map(function(samples) return spread(models[case], scheme,
        samples):rms() end) end
end
for case = 1, 2 do
    local function at(index) return lib.list(function(scheme) return rms[case][scheme][index] end) end
    local two, four, eight = at(1), at(5), at(8)
    claim { string.format("case %d: rms error of the exit speed, contacts of 2; 4; 8 samples (AM1, Verlet, Heun, RK4)", case),
            published = "increases quickly below 4 samples",
            measured = string.format("%s; %s; %s %%", lib.text("%.3g", two), lib.text("%.3g", four), lib.text("%.2g", eight)),
            holds = two[1] > 2 * four[1] and two[2] > 2 * four[2] and two[3] > 2 * four[3] and two[4] > 2 * four[4] }
    claim { string.format("case %d: smallest of the errors with contacts of 2 samples", case), published = "all are unreliable",
            measured = math.min(table.unpack(two)), unit = "%",
            holds = math.min(table.unpack(two)) > 3 }
end
local ours = lib.list(function(case) return spread(models[case], "invariant", 2):absmax() end, { 1, 2 })
claim { "invariant: largest error of the exit speed with contacts of 2 samples, case 1, case 2", published = false, measured = ours,
        unit = "%", digits = 2,
        holds = math.max(ours[1], ours[2]) < 1e-10 }

choice { "the impacts of the study", taken = "α 1.1 .. 2.5, contacts of 4 .. 10 samples that begin on a sample; μ v in 0.003 .. 0.03 (case 1), 0.3 .. 2 (case 2)",
         why = "no numbers are given beyond the two examples",
         otherwise = string.format("arriving at any phase, above the exact final H are (AM1, Verlet, Heun, RK4) %s %% in case 1, %s %% in case 2",
             lib.text("%.0f", any[1]), lib.text("%.0f", any[2])) }

if pictures then
    local panels = {}
    for case = 1, 2 do
        local lines = {}
        for _, scheme in ipairs(lib.schemes) do table.insert(lines, { x = lengths, y = rms[case][scheme], scheme = scheme,
            style = "linespoints" }) end
        panels[case] = { title = string.format("(%s) exit speed, case %d", case == 1 and "a" or "b", case), x = { label = "contact time", unit = "samples",
            log = true, from = 1.8, to = 35 },
                         y = { label = "rms error", unit = "%", log = true, from = 1e-3, to = 1e3 }, lines = lines, marks = { { x = 4,
                             text = "4 samples" } },
                         legend = case == 1 and "top right" or false }
    end
    figure { caption = "Error of the exit speed over the length of the contact, rms over 24 phases of arrival. Not in the paper.", columns = 2,
             width = "two", panels = panels }
end
