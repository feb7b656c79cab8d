-- The string of Figs. 4 to 8 of Ducceschi and Bilbao 2019, one at a time and with everything the captions leave unsaid open.
local strings = {}

-- The three schemes of the paper.
strings.schemes = {
  { name = "iterative", model = "fd", scheme = "newton", legend = "iterative (newton)" },
  { name = "non-iterative", model = "fd", scheme = "quadratised", legend = "non-iterative (quadratised)" },
  { name = "modal", model = "modal", scheme = "quadratised", legend = "modal (quadratised)" },
}

-- Line of the i-th scheme, drawn so that lines on top of each other are all seen.
function strings.line(i, x, y)
  local s = strings.schemes[i]
  return { x = x, y = y, scheme = s.model == "modal" and "modal" or s.scheme, name = s.legend,
           style = i == 2 and "dash" or "line", width = ({ 2.8, 1.2, 0.8 })[i] }
end

-- What a line of the i-th scheme differs by from another, the first one mostly: drawn as seen best, modal below.
function strings.difference(i, x, y, other)
  local s = strings.schemes[i]
  return { x = x, y = y - other, scheme = s.model == "modal" and "modal" or s.scheme, name = s.legend, style = "line",
           width = i == 1 and 2.4 or 1 }
end

-- Shape of a body between the nodes of another: both run over 0 .. L = 1 evenly.
function strings.at(shape, x)
  local n = #shape.u - 1
  local i = math.min(math.floor(x * n), n - 1)
  return shape.u[i + 1] + (x * n - i) * (shape.u[i + 2] - shape.u[i + 1])
end

-- Six snapshots as in the paper, and below each how far the other two schemes are from the iterative one. shots(i, j): shape of
-- scheme j at the i-th time, barrier: its line, reach: range of the differences, m.
function strings.snapshots(name, caption, times, shots, barrier, reach)
  local panels = {}
  for i, t in ipairs(times) do
    local place, first = (i > 3 and 6 or 0) + (i - 1) % 3 + 1, shots(i, 1)
    local x = { label = "x", unit = "m", from = 0, to = 1 }
    local lines, apart = { barrier }, {}
    for j = 1, 3 do lines[j + 1] = strings.line(j, shots(i, j).x, shots(i, j).u) end
    for n, j in ipairs { 3, 2 } do
      local other = shots(i, j)
      apart[n] = strings.difference(j, first.x, first.x:map(function(at) return strings.at(other, at) end), first.u)
    end
    panels[place] = { title = string.format("t = %.1f ms", 1e3 * t), lines = lines, legend = i == 1 and "outside", x = x,
                      y = { label = "u", unit = "mm", factor = 1e3, from = -0.7, to = 0.7 } }
    panels[place + 3] = { title = string.format("%.1f ms, minus iterative", 1e3 * t), lines = apart, legend = false, x = x,
                          y = { label = "difference", unit = "µm", factor = 1e6, from = -1e6 * reach, to = 1e6 * reach } }
  end
  figure { name = name, caption = caption .. " Second and fourth row: how far the other two are from the iterative one.",
           columns = 3, width = "two", height = 38, panels = panels }
end

-- A scene with one string: model, scheme, place, peak, height (m or a function of x as text), density, K, segments.
function strings.scene(o)
  local at = type(o.height) == "string" and "height = function(x) return " .. o.height .. " end"
             or string.format("height = %g, at = 0.5", o.height or -1e-4)
  return string.format([[
local s = string { length = 1, tension = 500, density = %g, radius = 5e-4, youngs = 2e11, model = "%s", tuned = false%s }
local b = barrier { %s }
contact { name = "contact", above = s, below = b, K = %.17g, alpha = 1.4, scheme = "%s" }
force { on = s, at = %g, shape = "raised-cosine", peak = %g, width = 1e-3 }
probe { on = s, at = 0.9, quantity = "displacement", name = "u" }
render { rate = 44100, duration = 0.03 }]], o.density or 0.063, o.model or "fd", o.segments and ", segments = " .. o.segments or "", at,
    o.K or 5e6, o.scheme or "newton", o.place or 0.3, o.peak or 10)
end

-- sqrt(sum (a - b)^2/sum b^2) over the samples both have.
function strings.apart(a, b)
  local n = math.min(#a, #b)
  a, b = a:sub(1, n), b:sub(1, n)
  return (a - b):rms() / b:rms()
end

-- The three energies of two runs, compared.
function strings.energies_apart(a, b)
  return strings.apart(a.energy.kinetic, b.energy.kinetic), strings.apart(a.energy.elastic, b.energy.elastic),
         strings.apart(a.energy.contact, b.energy.contact)
end

-- The energies of Figs. 5 and 6: schemes in the order of strings.schemes, then the modal string with the iterative scheme, which
-- tells what is due to the string (dispersion) from what is due to the collision.
function strings.energies(rate, duration)
  local list = {}
  for i, s in ipairs(strings.schemes) do
    list[i] = run("ducceschi2019/fig5", { set = { modal = s.model == "modal" and 1 or 0 }, scheme = s.scheme, rate = rate,
      duration = duration, energy = true })
  end
  list[4] = run("ducceschi2019/fig5", { set = { modal = 1 }, scheme = "newton", rate = rate, duration = duration, energy = true })
  return list
end

-- Four panels: kinetic, potential, collision and total energy of the three schemes; share of H that the collision
-- energy is drawn up to, ms that are shown. Two more: how far kinetic and potential energy are from those of the iterative scheme.
function strings.energy_figure(name, list, caption, every, share, to)
  local panels, H = {}, list[1].energy.total[#list[1].t]
  local parts = { { "kinetic", "kinetic energy", 1 }, { "elastic", "potential energy", 1 }, { "contact", "collision energy", share },
                  { "total", "total energy", 1.1 } }
  for i, part in ipairs(parts) do
    local lines = {}
    for j = 1, 3 do lines[j] = strings.line(j, list[j].energy.t:every(every), list[j].energy[part[1]]:every(every)) end
    panels[i] = { title = "(" .. string.sub("abcd", i, i) .. ")", lines = lines, legend = i == 1 and "outside",
                  x = { label = "t", unit = "ms", factor = 1e3, from = 0, to = to or 60 },
                  y = { label = part[2], unit = "mJ", factor = 1e3, from = 0, to = part[3] * 1e3 * H } }
  end
  for i = 1, 2 do
    local part, lines = parts[i], {}
    for n, j in ipairs { 3, 2 } do
      lines[n] = strings.difference(j, list[j].energy.t:every(every), list[j].energy[part[1]]:every(every),
                                    list[1].energy[part[1]]:every(every))
    end
    panels[4 + i] = { title = ("(%s) %s, minus iterative"):format(("ef"):sub(i, i), part[2]), lines = lines, legend = false,
                      x = { label = "t", unit = "ms", factor = 1e3, from = 0, to = to or 60 },
                      y = { label = "difference", unit = "mJ", factor = 1e3 } }
  end
  figure { name = name, caption = caption .. " (e), (f) difference of kinetic and potential energy to the iterative scheme.",
           columns = 2, width = "two", height = 40, panels = panels }
end

return strings
