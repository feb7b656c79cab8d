// What stands between the voices and the ear: limiter, DC blocker, gain, guard, numbers that are
// not finite.
#include "live_help.h"
#include "live_scenes.h"

static const double rate = 48000;
enum { ROWS = 24000 };
static float heard[ROWS], in[2][ROWS];

static sis_live* playing(const char* scene, int key) {
    sis_live* live = plain_live(rate, false);
    sis_live_offline(live, true);
    CHECK(load_text(live, scene));
    play_midi(live, heard, 64, 0x90, key, 127);
    return live;
}

static double rms(const float* values, int32_t count) {
    double sum = 0;
    for (int32_t n = 0; n < count; n++)
        sum += (double)values[n] * (double)values[n];
    return sqrt(sum / count);
}

// ---------------------------------------------------------------------------- limiter

static void the_limiter_holds_and_says_so(void) {
    sis_live* live = playing(SMALL_TONE, 69);
    sis_live_gain(live, 100);
    sis_live_protect(live, false, true, false);
    play_on(live, heard, ROWS);
    sis_live_status status = status_of(live);
    CHECK(largest(heard, ROWS) <= 0.99 && largest(heard, ROWS) > 0.9);
    CHECK(status.limited > 19 && status.limited < 21); // 10 to 0.989
    CHECK(status.limited_frames > ROWS / 2);
    sis_live_protect(live, false, false, false);
    play_on(live, heard, ROWS);
    CHECK(largest(heard, ROWS) > 5);
    sis_live_gain(live, 1);
    sis_live_protect(live, false, true, false);
    for (int i = 0; i < 4; i++)
        play_on(live, heard, ROWS);
    uint64_t before = status_of(live).limited_frames;
    play_on(live, heard, ROWS);
    CHECK(status_of(live).limited == 0 && status_of(live).limited_frames == before);
    sis_live_free(live);
}

static void what_is_below_the_ceiling_keeps_its_bits(void) {
    sis_live* plain = playing(SMALL_TONE, 69);
    sis_live* limited = playing(SMALL_TONE, 69);
    static float other[ROWS];
    sis_live_protect(limited, false, true, false);
    play_on(plain, heard, ROWS);
    play_on(limited, other, ROWS);
    CHECK(memcmp(heard, other, sizeof heard) == 0 && largest(heard, ROWS) > 0.05);
    sis_live_free(plain);
    sis_live_free(limited);
}

// ---------------------------------------------------------------------------- DC and gain

/** The left channel of the scene is a constant: its pitch in Hz. */
static void the_dc_blocker_takes_away_a_constant(void) {
    sis_live* live = playing(SMALL_MONO, 69);
    play_on(live, heard, 64);
    CHECK_NEAR(heard[63], 440, 0.01);
    sis_live_protect(live, false, false, true);
    for (int i = 0; i < 4; i++)
        play_on(live, heard, ROWS);
    CHECK(largest(heard, ROWS) < 1e-6);
    sis_live_free(live);
}

static void the_dc_blocker_leaves_what_is_heard(void) {
    double hz[128];
    for (int i = 0; i < 128; i++)
        hz[i] = 100;
    for (int key = 0; key < 2; key++) {
        sis_live* live = playing(SMALL_TONE, 30);
        if (key) hz[69] = 5000;
        sis_live_tune(live, hz);
        play_midi(live, heard, 64, 0x80, 30, 0);
        sis_live_panic(live);
        play_on(live, heard, 4800);
        play_midi(live, heard, 4800, 0x90, 69, 127);
        play_on(live, heard, ROWS);
        double before = rms(heard, ROWS);
        sis_live_protect(live, false, false, true);
        play_on(live, heard, ROWS);
        play_on(live, heard, ROWS);
        double decay = before / rms(heard, ROWS);
        // against the decay of the tone itself, in the same time
        sis_live_protect(live, false, false, false);
        play_on(live, heard, ROWS);
        double third = rms(heard, ROWS);
        play_on(live, heard, ROWS);
        double natural = pow(third / rms(heard, ROWS), 2);
        double change = 20 * log10(decay / natural);
        printf("  %g Hz: %.4f dB\n", key ? 5000.0 : 100.0, -change);
        CHECK(fabs(change) <= 0.01);
        sis_live_free(live);
    }
}

static void gain_glides(void) {
    sis_live* live = playing(SMALL_MONO, 69);
    sis_live_gain(live, 0.5);
    play_on(live, heard, ROWS);
    CHECK_NEAR(heard[0], 440, 2);
    CHECK_NEAR(heard[960], 220, 2); // 20 ms
    CHECK_NEAR(heard[ROWS - 1], 220, 1e-4);
    CHECK(largest_step(heard, ROWS) < 2);
    sis_live_gain(live, (double)NAN);
    sis_live_gain(live, -1);
    play_on(live, heard, 64);
    CHECK_NEAR(heard[63], 220, 1e-4);
    sis_live_free(live);
}

// ---------------------------------------------------------------------------- guard

/** Of a deadline that nothing can keep one voice is left, and each that went is counted. */
static void the_guard_fades_voices_before_the_deadline(void) {
    sis_live_options o = sis_live_options_default();
    sis_live_error error = {.text = ""};
    o.worker = false;
    o.load_most = 1e-9;
    sis_live* live = sis_live_new(&o, &error);
    CHECK(load_text(live, SMALL_PLAYED));
    sis_live_prepare(live, 100);
    for (int i = 0; i < 100 && sis_live_work(live); i++)
        play_on(live, heard, 64);
    sis_live_event chord[6];
    for (int i = 0; i < 6; i++)
        chord[i] = key_event(0, 0x90, 60 + 2 * i, 100);
    play_block_of(live, heard, 64, chord, 6);
    CHECK(status_of(live).voices == 6);
    play_on(live, heard, 64);
    play_on(live, heard, 64);
    sis_live_status status = status_of(live);
    CHECK(status.voices == 1 && status.guarded == 5);
    CHECK(status.load > 0);
    // offline there is time, and without a guard nobody asks
    sis_live_panic(live);
    play_on(live, heard, 4800);
    sis_live_offline(live, true);
    play_block_of(live, heard, 64, chord, 6);
    play_on(live, heard, 64);
    CHECK(status_of(live).voices == 6 && status_of(live).guarded == 5);
    sis_live_offline(live, false);
    sis_live_protect(live, false, true, true);
    play_on(live, heard, 64);
    CHECK(status_of(live).voices == 6);
    sis_live_free(live);
}

// ---------------------------------------------------------------------------- not finite

static void what_is_not_finite_neither_enters_nor_leaves(void) {
    sis_live* live = playing(SMALL_EFFECT, 60);
    for (int32_t n = 0; n < ROWS; n++) {
        in[0][n] = n % 3 ? 0.1f : (float)NAN;
        in[1][n] = n % 2 ? (float)INFINITY : 3e38f;
    }
    sis_live_block b = {.frames = ROWS, .out = {heard, NULL}, .in = {in[0], in[1]}};
    sis_live_run(live, &b);
    bool finite = true;
    for (int32_t n = 0; n < ROWS; n++)
        finite = finite && isfinite(heard[n]);
    CHECK(finite && largest(heard, ROWS) > 0);
    // afterwards it is an effect as before
    for (int32_t n = 0; n < ROWS; n++)
        in[0][n] = in[1][n] = (float)(0.1 * sin(0.04 * n));
    for (int i = 0; i < 10; i++)
        sis_live_run(live, &b);
    CHECK(largest(heard, ROWS) > 0 && largest(heard, ROWS) < 100);
    CHECK(status_of(live).voices == 1);
    sis_live_free(live);
}

int main(void) {
    RUN(the_limiter_holds_and_says_so);
    RUN(what_is_below_the_ceiling_keeps_its_bits);
    RUN(the_dc_blocker_takes_away_a_constant);
    RUN(the_dc_blocker_leaves_what_is_heard);
    RUN(gain_glides);
    RUN(the_guard_fades_voices_before_the_deadline);
    RUN(what_is_not_finite_neither_enters_nor_leaves);
    return check_report();
}
