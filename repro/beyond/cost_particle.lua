about { place = "cost 2", title = "Accuracy against cost: fast particle against a stiff barrier (Ducceschi 2017, Fig. 4)", alone = true }

local cost, impacts = use "lib/beyond_cost", use "lib/beyond_impacts"
local phases = 64
local p = { mass = 1, K = 5e9, alpha = 1.3, mu = 0, speed = 20 } -- Sec. 4.2
local hit = impacts.new(p, phases, 0)
hit = impacts.new(p, phases, hit.samples) -- as long again after the contact

local case = { scene = hit.scene, times = { 1, 2, 4, 8, 16 }, bodies = phases, duration = hit.duration, rounds = 9,
               ways = cost.ways { "ledger", "newton", "midpoint", { key = "exact", hidden = true }, "quadratised", "release",
                                  "root 1/2", "root 1", "root 3" } }
local complex, fastest = {}, {}
function case.error(r, times, way)
  local read = impacts.read(hit, r)
  if times == 1 then complex[way.key], fastest[way.key] = read.complex, (read.speed - 1):absmax() end
  return read.position:rms() / hit.exact.max_depth
end
local c = cost.measure(case)

claim { "reference: closed form; contact of so many samples at 44.1 kHz, depth in mm", published = false,
        measured = { hit.samples, 1e3 * hit.exact.max_depth }, holds = math.abs(hit.samples - 5.80) < 0.01 }
cost.tell(case, c, 0.05)
local function gain(key) return c[key].error[4] / c[key].error[5] end
claim { "errors at 8 over 16 times 44.1 kHz, second order: ledger, newton, root s = 1/2; first: quadratised, root s = 1, s = 3", published = false,
        measured = { gain "ledger", gain "newton", gain "root 1/2", gain "quadratised", gain "root 1", gain "root 3" },
        holds = math.abs(gain "ledger" - 4) < 0.1 and gain "quadratised" < 3 and gain "root 1" < 3 }
claim { string.format("arrivals of %d that meet a complex root at 44.1 kHz: root s = 1/2, 1, 3", phases), published = false,
        measured = { complex["root 1/2"], complex["root 1"], complex["root 3"] },
        holds = complex["root 1/2"] > 0 and complex["root 1"] == 0 and complex["root 3"] == 0 }
claim { "worst exit speed at 44.1 kHz, relative error: ledger, newton, exact, root s = 1, quadratised", published = false, digits = 2,
        measured = { fastest.ledger, fastest.newton, fastest.exact, fastest["root 1"], fastest.quadratised },
        holds = fastest.ledger < 1e-14 and fastest.newton < 1e-14 and fastest["root 1"] < 1e-13 and fastest.quadratised > 0.01 }

figure { width = "one", height = 62, panels = { cost.panel(case, c, { y = { label = "error over depth", log = true },
           note = string.format("exact: %.0e at %.0f ns", c.exact.error[1], c.exact.ns[1]) }) },
         caption = string.format("Position one contact time after the bounce, rms over %d phases of arrival, over the deepest penetration; cost "
           .. "while the "
                                 .. "mass is in contact or near it, %d samples of which %.1f in contact. Points from left to right: 1, 2, 4, 8, "
                                   .. "16 times "
                                 .. "44.1 kHz; exact, at rounding, lies far below.", phases, hit.rows, hit.samples) }
