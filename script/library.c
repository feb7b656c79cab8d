// The texts of the library.
#include "library.h"

#include <stddef.h>

// What the files of bodies begin with: a body of single low modes and of the statistics of the many
// above them. `low` lists frequency, quality, modal mass and the shape at each place; from `from`
// Hz on there is a mode every `spacing` Hz, of `quality` and `mass`, a number or a function of its
// frequency. `given` is what the scene changes of it. modal{} takes no mode that rings less than
// 1 ms, as the highest of a small `decay` would.
#define BODY_OF_MODES                                                                              \
    "local function body_of_modes(body, given)\n"                                                  \
    "  local size, decay, highest = given.size or 1, given.decay or 1, given.highest or 5000\n"    \
    "  local modes = {}\n"                                                                         \
    "  local function add(frequency, quality, mass, shape)\n"                                      \
    "    local f = frequency / size\n"                                                             \
    "    local t60 = 3 * math.log(10) * quality * decay / (math.pi * f)\n"                         \
    "    modes[#modes + 1] = { f, math.max(t60, 1e-3), mass * size ^ 3, shape }\n"                 \
    "  end\n"                                                                                      \
    "  for _, mode in ipairs(body.low) do\n"                                                       \
    "    if mode[1] <= highest * size then add(mode[1], mode[2], mode[3], mode[4]) end\n"          \
    "  end\n"                                                                                      \
    "  -- Multiples of roots follow no pattern and are the same in every run.\n"                   \
    "  local roots = { math.sqrt(2), math.sqrt(3), math.sqrt(5) }\n"                               \
    "  local function wave(n, root) return math.sin(2 * math.pi * n * root) end\n"                 \
    "  local n, f = 0, body.from\n"                                                                \
    "  while f <= highest * size do\n"                                                             \
    "    n = n + 1\n"                                                                              \
    "    local shape = {}\n"                                                                       \
    "    for place, root in ipairs(roots) do shape[place] = math.sqrt(2) * wave(n, root) end\n"    \
    "    local mass = body.mass\n"                                                                 \
    "    if type(mass) == 'function' then mass = mass(f) end\n"                                    \
    "    add(f, body.quality, mass, shape)\n"                                                      \
    "    f = body.from + body.spacing * (n + 0.3 * wave(n, math.sqrt(11)))\n"                      \
    "  end\n"                                                                                      \
    "  if #modes == 0 then error('use: no mode of this body is below highest', 0) end\n"           \
    "  return modal { name = given.name or body.name, modes = modes }\n"                           \
    "end\n"

// Low modes: air and top together and against each other, the back, the top in two, two and three
// parts (after chapter 9 of Fletcher and Rossing 1998). Above, a mode of the top every 45 Hz, so
// heavy that the bridge moves 0.02 m/s per newton in the mean.
static const char guitar[] =
    BODY_OF_MODES "return body_of_modes({\n"
                  "  name = 'guitar body',\n"
                  "  low = {\n"
                  "    { 98, 25, 0.5, { 1, 0.8, 0.8 } },\n"
                  "    { 205, 30, 0.13, { 1, 0.8, 0.8 } },\n"
                  "    { 228, 35, 0.9, { 1, 0.7, 0.7 } },\n"
                  "    { 280, 35, 0.35, { 0.3, 1, -1 } },\n"
                  "    { 385, 35, 0.4, { 0.5, -1, -1 } },\n"
                  "    { 440, 40, 0.3, { 0.7, -0.9, -0.9 } },\n"
                  "  },\n"
                  "  from = 490, spacing = 45, quality = 45, mass = 0.25,\n"
                  "}, ...)\n";

// A mode every 20 Hz or so, of a quality of 50 (Ege, Boutillon and Rebillat 2013, below 1.1 kHz), so
// heavy that the bridge moves 0.002 m/s per newton in the mean.
static const char soundboard[] =
    BODY_OF_MODES "return body_of_modes({\n"
                  "  name = 'soundboard',\n"
                  "  low = {\n"
                  "    { 62, 40, 7, { 1, 0.8, 1 } },\n"
                  "    { 91, 45, 7, { 0.8, -1, 0.9 } },\n"
                  "    { 113, 45, 6.5, { -0.9, 0.7, 1 } },\n"
                  "    { 138, 50, 6.5, { 1, 0.9, -0.8 } },\n"
                  "    { 157, 50, 6.5, { 0.6, -1, 1 } },\n"
                  "  },\n"
                  "  from = 180, spacing = 20, quality = 50, mass = 6.25,\n"
                  "}, ...)\n";

// The air (A0), the rhomboid (CBR) and the two modes of the corpus, B1- and B1+ (after chapter 10 of
// Fletcher and Rossing 1998). Above, a mode every 60 Hz, lighter around 2.4 kHz, where the bridge
// rocks (its hill).
static const char violin[] = BODY_OF_MODES
    "return body_of_modes({\n"
    "  name = 'violin body',\n"
    "  low = {\n"
    "    { 275, 18, 0.9, { 1, 0.8, 0.6 } },\n"
    "    { 405, 40, 1.2, { 0.4, 1, -1 } },\n"
    "    { 455, 45, 0.35, { 1, 1, 0.3 } },\n"
    "    { 540, 45, 0.3, { 1, 0.9, -0.5 } },\n"
    "  },\n"
    "  from = 640, spacing = 60, quality = 45,\n"
    "  mass = function(f) return 0.6 / (1 + 3 * math.exp(-((f - 2400) / 900) ^ 2)) end,\n"
    "}, ...)\n";

static const sis_library_file files[] = {
    {"bodies/guitar", "a classical guitar's: 1 the bridge, 2 and 3 the sides of the top", guitar},
    {"bodies/soundboard", "a small grand piano's: 1 and 2 the bridges, 3 between ribs", soundboard},
    {"bodies/violin", "a violin's: 1 the bridge, 2 and 3 the sides of the top", violin},
};

const sis_library_file* sis_library_at(int32_t i) {
    return i >= 0 && i < (int32_t)(sizeof files / sizeof files[0]) ? &files[i] : NULL;
}
