about { place = "Fig. 2", title = "The tromba marina as a network: string, bridge and body, at rest and bowed" }
-- The paper draws the system; here it is the network that the program builds of it, bowed with 0.5 N at a fifth of its length.
local tromba = use "lib/willemsen2019_tromba"
local rate, scene = tromba.rate, "willemsen2019/tromba"
local bowed = { height = 0, bow_force = 0.5 }
local late = 0.55
local r = run(scene, { scheme = "ledger", set = bowed, duration = 0.6, energy = true, shapes = { 0, late } })
local kinds, links = {}, {}
for i, b in ipairs(r.bodies) do kinds[i] = b.kind end
for i, l in ipairs(r.links) do links[i] = string.format("%s of %d point%s", l.name, l.points, l.points == 1 and "" or "s") end
local bodies_are, links_are = table.concat(kinds, ", "), table.concat(links, ", ")
claim { "bodies of the network; what links them", published = "a string, a bridge (mass) and body", measured = bodies_are .. "; " .. links_are,
        holds = bodies_are == "string, mass, plate", expect = "reproduced with correction",
        why = "the caption calls the body a rigid barrier; text and equations have a plate" }

local p = r.probes
local away = p.eta1:rms() / p.w:rms()
claim { "string and bridge, how far apart, of how far the bridge moves (rms)", published = false, measured = away,
        digits = 2, holds = away < 0.2 }
-- Periods of the length between nut and bridge.
local second = p["u'"]:sub(#p["u'"] // 2, #p["u'"])
local nominal = 32 * tromba.L / 1.65
local heard = pitch(second, r.rate, nominal)
local knocks = tromba.knocks(r, "eta2")
local closed, pulled = tromba.rattle(r, "eta2")
claim { "knocks of the bridge on the body in 0.6 s; part of the steps closed; part in which it pulls (ledger)", published = false,
        measured = { knocks, closed, pulled }, digits = 3, holds = knocks > 20 and closed < 0.2 and pulled == 0,
        why = "the instrument itself is known for its rattling bridge; the notes show no run" }
claim { "pitch under the bow, nominal from nut to bridge", published = false, measured = { heard, nominal }, unit = "Hz", digits = 4,
        holds = math.abs(heard / nominal - 1) < 0.01 }
local e = r.energy
claim { "energy from the bow; lost; held, after 0.6 s; out of nothing", published = false, unit = "J",
        measured = { e.supplied[#e.t], e.dissipated[#e.t], e.total[#e.t], e.residual:absmax() }, digits = 3,
        holds = e.supplied[#e.t] > 0 and r.balance < 1e-11 }
local harder = run(scene, { scheme = "ledger", set = { height = 0, bow_force = 1 }, duration = 0.3, unaudited = true })
choice { "bow", taken = "0.5 N at 0.2 m/s, at a fifth of the length", why = "the notes leave the bow to other texts",
         otherwise = string.format("1 N: %d knocks in 0.3 s, closed in %.1f %% of the steps", tromba.knocks(harder, "eta2"),
                                   100 * tromba.rattle(harder, "eta2")) }

local shift = 1.65 - tromba.body_at[1] -- the body lies under the string so that the bridge stands on it
local function section(shape) -- the body along the line through the bridge
  local v = shape.bodies.v
  local across = #v.x
  return v.x + shift, v.u:sub(1 + across * tromba.at_y, across * (tromba.at_y + 1)) - tromba.gap
end
local function side(title, shape, x, y)
  local bx, by = section(shape)
  local w = shape.bodies.w.u[1]
  local foot = by[1 + tromba.at_x]
  return { title = title, x = x, y = y,
           lines = { { x = shape.bodies.u.x, y = shape.bodies.u.u, name = "string", colour = "ink" },
                     { x = vec { 1.65, 1.65 }, y = vec { foot, w }, name = "bridge", colour = "purple", style = "linespoints", width = 2 },
                     { x = bx, y = by, name = "body", colour = "green", width = 2 } } }
end
local function micro(from, to) return { label = "displacement", unit = "µm", factor = 1e6, from = from, to = to } end
local x = { label = "x", unit = "m", from = 0, to = 2 }
local rest, played = r.shapes[1], r.shapes[2]
local whole = { title = "(b) string, bowed", x = x, y = { label = "displacement", unit = "mm", factor = 1e3 },
                marks = { { x = 0.2 * tromba.L, text = "bow" } },
                lines = { { x = played.bodies.u.x, y = played.bodies.u.u, name = "string", colour = "ink" } }, legend = false }
local now = { label = "t", unit = "ms", factor = 1e3, from = 1e3 * late, to = 1e3 * late + 40 }
figure { columns = 2, width = "two",
  caption = string.format("The tromba marina as a network. (a) At rest; (b) string under the bow at %.2f s, (c) the same enlarged; (d) where they "
            .. "meet; (e) body; (f) energies.", late),
  panels = { side("(a) at rest", rest, x, micro(-15, 15)), whole,
    side("(c) the same, enlarged", played, { label = "x", unit = "m", from = 1.4, to = 2 }, micro(-150, 150)),
    tromba.meeting(r, "(d) where they meet", p.w - p.eta1, "eta2", { x = now, y = micro(-100, 200) }), tromba.body(r, "(e) body", 2),
    { title = "(f) energies", x = { label = "t", unit = "ms", factor = 1e3 }, y = { label = "energy", unit = "mJ", factor = 1e3 },
      lines = { { x = e.t, y = e.supplied, scheme = "supplied" }, { x = e.t, y = e.dissipated, scheme = "dissipated" },
                { x = e.t, y = e.total, scheme = "total" } } } } }
