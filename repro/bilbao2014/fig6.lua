about { place = "Fig. 6", title = "Spectrograms of plucked strings over a barrier, by amplitude" }

local S = use "lib/bilbao2014_string"
local free = S.frequency(S.steel(1e-4), 1) -- Hz, without a barrier
local heights = { 0.4e-3, 2e-3, 4e-3, 8e-3 }
local mm = "0.4, 2, 4, 8 mm"

-- A pluck with losses, over the parabola of Fig. 3 unless told.
local function pluck(height, set, seconds)
  local all = { height = height, sigma0 = 1, sigma1 = 5e-4, pickup = 0.31 }
  for key, value in pairs(set or {}) do all[key] = value end
  return run("bilbao2014/parabola", { set = all, duration = seconds or 1 })
end
-- Pitch of the 50 ms from a time on, Hz, by the largest autocorrelation from 222 to 544 Hz, and how large that is: 1 is periodic.
-- (The tone glides; the peak of a spectrum would be any of the frequencies it passes.)
local function tone(r, from)
  local first, count, u = math.floor(from * r.rate), math.floor(0.05 * r.rate), r.probes.u
  u = u - u:sub(first + 1, first + count):sum() / count -- the barrier pushes the mean up
  local now, likeness, best = u:sub(first + 1, first + count), {}, nil
  for lag = 80, 200 do
    local then_ = u:sub(first + 1 + lag, first + count + lag)
    likeness[lag] = now:dot(then_) / math.sqrt(now:dot(now) * then_:dot(then_))
  end
  for lag = 81, 199 do
    local peak = likeness[lag] >= likeness[lag - 1] and likeness[lag] >= likeness[lag + 1]
    if peak and (not best or likeness[lag] > likeness[best]) then best = lag end
  end
  local low, top, high = likeness[best - 1], likeness[best], likeness[best + 1]
  return r.rate / (best + (low - high) / (2 * (low - 2 * top + high))), top
end
-- How like noise: geometric over arithmetic mean of the power from 0.5 to 5 kHz of the first 0.2 s, dB. 0 is white noise's, less 2.5.
local function flatness(r)
  local s = spectrum(r.probes.u:sub(1, 8820), r.rate)
  local log, sum, count = 0, 0, 0
  for i = 1, #s.f do
    if s.f[i] > 500 and s.f[i] < 5000 then
      local power = s.amplitude[i] ^ 2
      log, sum, count = log + math.log(power), sum + power, count + 1
    end
  end
  return 10 / math.log(10) * (log / count - math.log(sum / count))
end

local runs, early, late, noise, likeness = {}, {}, {}, {}, {}
for i, height in ipairs(heights) do
  runs[i] = pluck(height)
  early[i], likeness[i] = tone(runs[i], 0)
  late[i], noise[i] = tone(runs[i], 0.9), flatness(runs[i])
end
claim { "effective change in pitch with the amplitude of excitation: first 50 ms, " .. mm, published = "changes", measured = early,
        unit = "Hz", digits = 4,
        holds = math.abs(early[1] - free) < 0.2 and early[2] > early[1] + 50 and early[3] > early[2] + 20 and
                early[4] > early[3] + 20,
        why = "upwards: the barrier cuts off a part of every period" }
claim { "accompanied by noise-like timbres: spectral flatness from 0.5 to 5 kHz, first 0.2 s, " .. mm, published = "noise-like",
        measured = noise, unit = "dB", digits = 2, holds = noise[1] < -60 and noise[2] > -25 and noise[4] > -25 }
claim { "likeness of the first 50 ms to themselves one period later, 1 if periodic, " .. mm, published = false, measured = likeness,
        digits = 2, holds = likeness[1] > 0.99 and likeness[2] < 0.9 and likeness[4] < likeness[2] }
claim { ("under losses the pitch falls back to that of the string alone, %.1f Hz: after 0.9 s"):format(free), published = false,
        measured = late, unit = "Hz", digits = 4, holds = math.abs(late[1] - free) < 0.2 and math.abs(late[4] - free) < 0.5 }
local worst = 0
for i = 1, #runs do worst = math.max(worst, runs[i].balance) end
claim { "largest deviation of the energy balance of the four runs, losses included", published = false, measured = worst,
        digits = 2, holds = worst < 1e-13 }

local function told(set)
  local list = {}
  for i, height in ipairs(heights) do list[i] = string.format("%.0f", (tone(pluck(height, set, 0.06), 0))) end
  return table.concat(list, ", ") .. " Hz"
end
choice { "the barrier", taken = "the parabola of Fig. 3, 0.5 and 1.5 mm below", why = "the paper goes on with the same string",
         otherwise = "with 2 and 5 mm below " .. told { middle = 2e-3, ends = 5e-3 } ..
                     "; 2 mm below in the middle and none at the ends " .. told { middle = 2e-3, ends = 0 } ..
                     ": where the string does not reach it nothing changes, else the pitch rises" }
choice { "amplitudes", taken = mm, why = "from no contact to contact in every period",
         otherwise = string.format("1 mm: %.0f Hz; 6 mm: %.0f Hz", (tone(pluck(1e-3, nil, 0.06), 0)), (tone(pluck(6e-3, nil, 0.06), 0))) }
choice { "losses", taken = "sigma0 = 1 1/s, sigma1 = 5e-4 m^2/s", why = "a tone of some seconds",
         otherwise = "with twice these losses " .. told { sigma0 = 2, sigma1 = 1e-3 } .. "; with half " ..
                     told { sigma0 = 0.5, sigma1 = 2.5e-4 } }
choice { "apex and output", taken = "L/4; displacement at 0.31 L", why = "as Fig. 3; off the nodes of low partials",
         otherwise = "with the apex in the middle " .. told { apex = 0.5 } .. "; heard at 0.9 L " .. told { pickup = 0.9 } }

if pictures then
  local panels = {}
  for i, height in ipairs(heights) do
    local s = spectrogram(runs[i].probes.u, runs[i].rate, { size = 2048, hop = 256 })
    panels[i] = { title = string.format("(%s) %g mm", ("abcd"):sub(i, i), 1e3 * height),
                  x = { label = "t", unit = "s", from = 0, to = 1 },
                  y = { label = "f", unit = "kHz", factor = 1e-3, from = 0, to = 5 },
                  image = { x = s.t, y = s.f, z = s.level, label = "level re the largest", unit = "dB", from = -80, to = 0 } }
  end
  figure { caption = "Spectrograms of the displacement at 0.31 L of strings let go from triangles of four heights over the " ..
                     "parabola of Fig. 3, with losses.",
           width = "two", columns = 2, height = 55, panels = panels }
end
