// Sound from outside: the strings of a scene ring with it, bit by bit as offline, however it is cut
// into blocks.
#include "live_random.h"
#include "live_scenes.h"
#include "script_help.h"

#include "sistrum/downsample.h"

static const double rate = 48000;
enum { ROWS = 12000 };
static float in[2][ROWS], live_out[2][ROWS], again[2][ROWS], offline[2][ROWS];

static void make_sound(void) {
    dice d = {.seed = 4};
    for (int32_t n = 0; n < ROWS; n++) {
        in[0][n] = (float)((dice_unit(&d) - 0.5) * exp(-(n % 4000) / 1000.0));
        in[1][n] = (float)(0.3 * sin(0.05 * n));
    }
}

/** As `render --sound` does: the inputs start at 0 and go along straight lines from row to row. */
static void render_offline(const char* text) {
    sis_script* script = sis_script_load_text(text, strlen(text), "scene", NULL, 0, &error);
    const sis_gestures* g = sis_script_gestures(script);
    sis_setting silence[2];
    for (int32_t i = 0; i < g->sound_count; i++)
        silence[i] = (sis_setting){sis_script_input(script, g->sound[i]).name, 0};
    sis_script* quiet =
        sis_script_load_text(text, strlen(text), "scene", silence, g->sound_count, &error);
    sis_scene* scene = sis_script_scene(quiet);
    int32_t over = sis_scene_render(scene).oversample;
    if (over < 1) over = 1;
    sis_options how = sis_options_default(scene);
    sis_error why = {.text = ""};
    how.rate = rate * over;
    sis_system* system = sis_compile(scene, &how, &why);
    CHECK(system != NULL);
    sis_state* state = sis_state_init(system, aligned_alloc(64, sis_state_size(system)));
    int32_t probes = sis_system_probe_count(system), inputs = sis_system_input_count(system);
    double *row = calloc((size_t)probes, sizeof *row),
           *moves = calloc((size_t)inputs, sizeof *moves);
    double step[2], kept[4];
    void* memory = over > 1 ? malloc(sis_downsampler_size(over, 2)) : NULL;
    sis_downsampler* filter = memory ? sis_downsampler_init(over, 2, memory) : NULL;
    for (int32_t n = 0, out = 0; n < ROWS; n++)
        for (int32_t k = 0; k < over; k++) {
            for (int32_t i = 0; i < inputs; i++)
                moves[i] = sis_state_input(system, state, i);
            for (int32_t i = 0; i < g->sound_count; i++) {
                double now = (double)in[i][n], before = n ? (double)in[i][n - 1] : 0;
                moves[g->sound[i]] = sis_system_input(system, g->sound[i]).max *
                                     (before + (now - before) * (k + 1) / over);
            }
            sis_step(system, state, &(sis_block){.frames = 1, .probes = row, .inputs = moves});
            step[0] = step[1] = 0;
            for (int32_t i = 0; i < probes; i++) {
                sis_probe_info p = sis_system_probe(system, i);
                if (p.channel == 1 || p.channel == 2) step[p.channel - 1] += p.gain * row[i];
            }
            int32_t got = filter ? sis_downsampler_run(filter, step, 1, kept) : 1;
            for (int32_t i = 0; i < got && out < ROWS; i++, out++) {
                offline[0][out] = (float)(filter ? kept[2 * i] : step[0]);
                offline[1][out] = (float)(filter ? kept[2 * i + 1] : step[1]);
            }
        }
    free(row);
    free(moves);
    free(memory);
    free(state);
    sis_system_free(system);
    sis_script_free(quiet);
    sis_script_free(script);
}

static void play_through(const char* text, int32_t block, bool in_place, float (*out)[ROWS]) {
    sis_live* live = plain_live(rate, false);
    dice d = {.seed = 8};
    CHECK(load_text(live, text));
    CHECK(sis_live_sound_inputs(live) == 2);
    for (int32_t n = 0; n < ROWS;) {
        int32_t frames = block > 0 ? block : (int32_t)dice_below(&d, (uint32_t)-block);
        if (frames > ROWS - n) frames = ROWS - n;
        sis_live_block b = {
            .frames = frames, .out = {out[0] + n, out[1] + n}, .in = {in[0] + n, in[1] + n}};
        if (in_place) {
            memcpy(out[0] + n, in[0] + n, (size_t)frames * sizeof(float));
            memcpy(out[1] + n, in[1] + n, (size_t)frames * sizeof(float));
            b.in[0] = out[0] + n;
            b.in[1] = out[1] + n;
        }
        sis_live_run(live, &b);
        n += frames;
    }
    sis_live_free(live);
}

static long differing(float (*a)[ROWS], float (*b)[ROWS]) {
    long wrong = 0;
    for (int side = 0; side < 2; side++)
        for (int32_t n = 0; n < ROWS; n++)
            wrong += a[side][n] != b[side][n];
    return wrong;
}

static void sound_comes_out_as_offline(void) {
    size_t size = 0;
    char* resonator = read_scene("resonator", &size);
    resonator[size] = '\0';
    const char* texts[] = {resonator, SMALL_EFFECT};
    make_sound();
    for (int i = 0; i < 2; i++) {
        render_offline(texts[i]);
        play_through(texts[i], 64, false, live_out);
        long wrong = differing(offline, live_out);
        printf("  %s: %ld values differ, largest %g\n", i ? "oversampled" : "resonator", wrong,
               largest(live_out[0], ROWS));
        CHECK(wrong == 0);
        CHECK(largest(live_out[0], ROWS) > 0 && largest(live_out[1], ROWS) > 0);
        play_through(texts[i], 1, true, again);
        CHECK(differing(live_out, again) == 0);
        play_through(texts[i], -700, true, again);
        CHECK(differing(live_out, again) == 0);
    }
    free(resonator);
}

/** What sound plays never ends, is one voice, whatever keys and knobs do, and goes on in the next
 * scene. */
static void there_is_one_voice_that_listens(void) {
    sis_live* live = plain_live(rate, false);
    dice d = {.seed = 1};
    CHECK(load_text(live, SMALL_EFFECT));
    for (int i = 0; i < 60; i++) {
        sis_live_event e = key_event(0, 0x90 | (int)dice_below(&d, 16), 60, (int)dice_below(&d, 2));
        sis_live_block b = {.frames = 256,
                            .out = {again[0], NULL},
                            .in = {in[0], in[1]},
                            .events = &e,
                            .event_count = 1};
        if (i % 4 == 0) sis_live_knob_set(live, 0, 1 + dice_unit(&d));
        if (i == 20) sis_live_panic(live);
        if (i == 40) CHECK(load_text(live, SMALL_EFFECT));
        sis_live_work(live);
        sis_live_run(live, &b);
    }
    CHECK(status_of(live).voices == 1);
    CHECK(largest(again[0], 256) > 0);
    sis_live_free(live);
}

// Its inputs of controllers, pressure and wheel are heard themselves.
#define LISTENER                                                                                   \
    "local a = input{ 'a', 0, min = -1, max = 1, unit = 'N' } local x = input{ 'x', 0.25 }\n"      \
    "local b = input{ 'b', 1, min = 0.5, max = 2 }\n"                                              \
    "local m = mass{ mass = 1, position = 1 } local s = mass{ mass = 1 }\n"                        \
    "force{ on = s, shape = 'constant', peak = a }\n"                                              \
    "probe{ on = m, gain = x, channel = 1 } probe{ on = m, gain = b, channel = 2 }\n"              \
    "render{ rate = 48000, duration = 1 }\n"                                                       \
    "play{ sound = { 'a' }, mode = 'mono', bend = 'b', cc = { [1] = 'x' } }\n"

static double heard_after(sis_live* live, int status, int first, int second, int side) {
    sis_live_event e = key_event(0, status, first, second);
    float out[2][64];
    sis_live_block block = {
        .frames = 64, .out = {out[0], out[1]}, .events = &e, .event_count = status ? 1 : 0};
    sis_live_run(live, &block);
    return (double)out[side][63];
}

// No key is down: controllers and wheels of any channel move what sounds, also in a scene that is
// loaded later; they moved its knobs alone. A key that is down has its own channel.
static void controllers_move_an_effect(void) {
    sis_live_options o = sis_live_options_default();
    o.worker = o.guard = o.limiter = o.dc_blocker = false;
    sis_live* live = sis_live_new(&o, NULL);
    sis_live_offline(live, true);
    CHECK(load_text(live, LISTENER));
    double full = 4 * heard_after(live, 0, 0, 0, 0), one = heard_after(live, 0, 0, 0, 1);
    CHECK(full > 0 && one > 0);
    CHECK_NEAR(heard_after(live, 0xB0, 1, 127, 0) / full, 1, 1e-6);
    CHECK_NEAR(heard_after(live, 0xB4, 1, 0, 0), 0, 1e-9);
    CHECK_NEAR(heard_after(live, 0xE7, 0, 0, 1) / one, exp2(-2.0 / 12), 1e-6);
    heard_after(live, 0xB7, 1, 127, 0);
    CHECK(load_text(live, LISTENER " "));
    for (int i = 0; i < 400; i++)
        heard_after(live, 0, 0, 0, 0);
    CHECK_NEAR(heard_after(live, 0, 0, 0, 0) / full, 1, 1e-6);
    CHECK_NEAR(heard_after(live, 0x92, 60, 100, 0) / full, 0.25, 1e-6); // nothing came on channel 3
    CHECK_NEAR(heard_after(live, 0xB7, 1, 0, 0) / full, 0.25, 1e-6);
    CHECK_NEAR(heard_after(live, 0xB2, 1, 127, 0) / full, 1, 1e-6);
    heard_after(live, 0x82, 60, 0, 0);
    CHECK_NEAR(heard_after(live, 0xB7, 1, 0, 0), 0, 1e-9);
    sis_live_free(live);
}

int main(void) {
    RUN(sound_comes_out_as_offline);
    RUN(there_is_one_voice_that_listens);
    RUN(controllers_move_an_effect);
    return check_report();
}
