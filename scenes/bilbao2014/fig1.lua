-- Three schemes for one stiff string, Bilbao 2014 (figure 1): steel, 0.8 m, 38.5 N, 1 mm thick, no losses, no barrier.
-- Listen to or look at the partials (sistrum plot --what spectrogram): the default scheme goes flat towards the top,
-- the one with gamma_* stays near, the unconditionally stable one is out of tune from the low partials on.
-- Place and width of the "short raised cosine pulse" are not printed; these are ours.
local L = 0.8
local width = param { "width", 0.04, min = 0.02, max = 0.4, scale = "log", unit = "m", label = "width of the pulse" }
local at = param { "at", 0.3, min = 0.05, max = 0.95, label = "place of the pulse over the length" }
local pickup = param { "pickup", 0.9, min = 0.01, max = 0.99, label = "place of the pickup over the length" }

local function steel(name, model, gamma)
  return string { name = name, length = L, tension = 38.5, material_density = 7850, radius = 5e-4, youngs = 2e11,
                  model = model, gamma = gamma, tuned = false }
end
local strings = {
  steel("default", "fd"),
  steel("optimal", "implicit", "optimal"),
  steel("unconditional", "trapezoid"),
}
for channel, s in ipairs(strings) do
  pluck { on = s, shape = "raised-cosine", at = at * L, height = 1e-3, width = width }
  probe { on = s, at = pickup * L, quantity = "displacement", channel = channel }
end
render { rate = 44100, duration = 1, normalise = true, title = "Bilbao 2014: three schemes" }
