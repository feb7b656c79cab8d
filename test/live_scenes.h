/** @file live_scenes.h
 * Small scenes for the tests of the live library: each compiles in a millisecond, together they have
 * every mode, params, inputs, blows, presets, oversampling and sound from outside.
 */
#ifndef SISTRUM_TEST_LIVE_SCENES_H
#define SISTRUM_TEST_LIVE_SCENES_H

/** A ball on a spring, at the pitch of its note. `points` changes the layout of the state. */
#define SMALL_VOICES                                                                               \
    "local f0 = param{ 'f0', 220, min = 55, max = 1760, scale = 'log', unit = 'Hz' }\n"            \
    "local v0 = param{ 'v0', 1, min = 0.1, max = 2, scale = 'log', unit = 'm/s' }\n"               \
    "local stiff = param{ 'stiff', 1e4, min = 1e2, max = 1e6, scale = 'log' }\n"                   \
    "local balls = param{ 'balls', 1, min = 1, max = 4 }\n"                                        \
    "local level = input{ 'level', 1, min = 0, max = 2, smooth = 0.01 }\n"                         \
    "local m = mass{ mass = 0.01, velocity = v0, frequency = f0, damping = 2 }\n"                  \
    "for i = 2, math.floor(balls) do mass{ mass = 0.01, frequency = 100 * i } end\n"               \
    "contact{ above = m, below = barrier{ height = -1e-4 }, K = stiff, alpha = 1.5 }\n"            \
    "probe{ on = m, quantity = 'velocity', channel = 1, gain = level }\n"                          \
    "probe{ on = m, quantity = 'velocity', channel = 2, gain = 0.5 }\n"                            \
    "preset{ 'Soft', stiff = 1e3, level = 0.5 } preset{ 'Hard', stiff = 5e5 }\n"
#define SMALL_PLAYED                                                                               \
    SMALL_VOICES "render{ rate = 48000, duration = 1 }\n"                                          \
                 "play{ pitch = 'f0', velocity = 'v0', voices = 8, cc = { [1] = 'level' } }\n"
#define SMALL_OVERSAMPLED                                                                          \
    SMALL_VOICES "render{ rate = 48000, duration = 1, oversample = 2 }\n"                          \
                 "play{ pitch = 'f0', velocity = 'v0', voices = 4, release = 0.2 }\n"

/** Struck again and again, its pitch bent by an input, its pedal its own. */
#define SMALL_KEYS                                                                                 \
    "local f0 = param{ 'f0', 220, min = 55, max = 1760, scale = 'log', unit = 'Hz' }\n"            \
    "local hit = input{ 'hit', trigger = true, min = 0.1, max = 2 }\n"                             \
    "local key = input{ 'key', 1, min = 0, max = 1, smooth = 0.01 }\n"                             \
    "local pedal = input{ 'pedal', 0, min = 0, max = 1, smooth = 0.01 }\n"                         \
    "local m = mass{ mass = 0.01, frequency = f0 }\n"                                              \
    "force{ on = m, shape = 'impulse', peak = 0.01, trigger = hit }\n"                             \
    "spring{ between = { m, 'ground' }, K1 = 0, damping = 0.2 - 0.19 * key }\n"                    \
    "spring{ between = { m, 'ground' }, K1 = 0, damping = 0.1 - 0.1 * pedal }\n"                   \
    "probe{ on = m, quantity = 'velocity', channel = 1 }\n"                                        \
    "render{ rate = 48000, duration = 1 }\n"                                                       \
    "play{ pitch = 'f0', velocity = 'hit', gate = 'key', pedal = 'pedal', mode = 'keys' }\n"

/** One voice whose pitch is an input. */
#define SMALL_MONO                                                                                 \
    "local f = input{ 'f', 440, min = 20, max = 8000, unit = 'Hz' }\n"                             \
    "local v = input{ 'v', 0 } local hold = input{ 'hold', 0 }\n"                                  \
    "local m = mass{ mass = 1, position = 1 }\n"                                                   \
    "local s = mass{ mass = 0.01, velocity = 1, frequency = 300, damping = 0.5 }\n"                \
    "probe{ on = m, gain = f, channel = 1 } probe{ on = m, gain = hold, channel = 2 }\n"           \
    "probe{ on = s, gain = v, channel = 2 }\n"                                                     \
    "render{ rate = 48000, duration = 1 }\n"                                                       \
    "play{ mode = 'mono', pitch = 'f', velocity = 'v', gate = 'hold' }\n"

#define SMALL_COURSES                                                                              \
    "local a = input{ 'a', 440, min = 20, max = 8000, unit = 'Hz' }\n"                             \
    "local b = input{ 'b', 440, min = 20, max = 8000, unit = 'Hz' }\n"                             \
    "local ga = input{ 'ga', 0 } local gb = input{ 'gb', 0 }\n"                                    \
    "local m = mass{ mass = 1, position = 1 }\n"                                                   \
    "local s = mass{ mass = 0.01, velocity = 1, frequency = 300, damping = 0.5 }\n"                \
    "probe{ on = m, gain = a, channel = 1 } probe{ on = m, gain = b, channel = 2 }\n"              \
    "probe{ on = s, gain = ga, channel = 1 } probe{ on = s, gain = gb, channel = 2 }\n"            \
    "render{ rate = 48000, duration = 1 }\n"                                                       \
    "play{ courses = { { lowest = 'E2', highest = 'E5', pitch = 'a', gate = 'ga' },\n"             \
    "                  { lowest = 'A3', pitch = 'b', gate = 'gb' } } }\n"

/** Strings for the sound of others. */
#define SMALL_EFFECT                                                                               \
    "local drive = param{ 'drive', 1, min = 0.1, max = 10, scale = 'log', unit = 'N' }\n"          \
    "local left = input{ 'left', 0, min = -drive, max = drive, unit = 'N' }\n"                     \
    "local right = input{ 'right', 0, min = -drive, max = drive, unit = 'N' }\n"                   \
    "local a = mass{ mass = 0.01, frequency = 300, damping = 1 }\n"                                \
    "local b = mass{ mass = 0.01, frequency = 400, damping = 1 }\n"                                \
    "force{ on = a, shape = 'constant', peak = left }\n"                                           \
    "force{ on = b, shape = 'constant', peak = right }\n"                                          \
    "contact{ above = a, below = barrier{ height = -1e-5 }, K = 1e5, alpha = 1.5 }\n"              \
    "probe{ on = a, quantity = 'velocity', channel = 1 }\n"                                        \
    "probe{ on = b, quantity = 'velocity', channel = 2 }\n"                                        \
    "render{ rate = 48000, duration = 1, oversample = 2 }\n"                                       \
    "play{ sound = { 'left', 'right' }, mode = 'mono' }\n"

/** A pure tone, nearly. */
#define SMALL_TONE                                                                                 \
    "local f0 = param{ 'f0', 440, min = 20, max = 8000, scale = 'log', unit = 'Hz' }\n"            \
    "local m = mass{ mass = 0.01, velocity = 0.1, frequency = f0, damping = 0.001 }\n"             \
    "probe{ on = m, quantity = 'velocity', channel = 1 } render{ rate = 48000, duration = 1 }\n"   \
    "play{ pitch = 'f0', voices = 4 }\n"

/** No play{}: any key starts it; a knob strikes it. */
#define SMALL_ALONE                                                                                \
    "local hit = input{ 'hit', trigger = true, min = 0, max = 2 }\n"                               \
    "local m = mass{ mass = 0.01, velocity = 1, frequency = 500, damping = 3 }\n"                  \
    "force{ on = m, shape = 'impulse', peak = 0.01, trigger = hit }\n"                             \
    "probe{ on = m, quantity = 'velocity', channel = 1 } render{ rate = 48000, duration = 1 }\n"

static const char* const small_scenes[] = {
    SMALL_PLAYED,  SMALL_OVERSAMPLED, SMALL_KEYS,  SMALL_MONO,
    SMALL_COURSES, SMALL_EFFECT,      SMALL_ALONE,
};
enum { SMALL_SCENES = sizeof small_scenes / sizeof *small_scenes };

#endif
