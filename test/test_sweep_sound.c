// Measures of sounds whose answers are known.

#include "check.h"
#include "sweep_draw.h"
#include "sweep_sound.h"

static const double pi = 3.14159265358979323846;

enum { MOST = 48000 * 8 };
static double frames[2 * MOST];

/** A decaying tone of equal partials; t60 0: it does not decay. */
static sis_heard tone(double f, int partials, double t60, double rate, double seconds) {
    sis_heard heard = {
        .frames = frames, .rows = (uint64_t)(rate * seconds), .channels = 1, .rate = rate};
    for (uint64_t n = 0; n < heard.rows; n++) {
        double t = (double)n / rate, sum = 0;
        for (int p = 1; p <= partials; p++)
            sum += sin(2 * pi * f * p * t + p);
        frames[n] = sum * (t60 > 0 ? pow(10, -3 * t / t60) : 1);
    }
    return heard;
}

static double pitch_of(const sis_heard* heard) {
    sis_ear ear = {0};
    double hz = 0;
    const char* why = "";
    sis_fault fault;
    CHECK(sis_ear_hear(&ear, heard, &fault));
    CHECK(sis_heard_pitch(&ear, heard, &hz, &why, &fault));
    if (isnan(hz)) CHECK(*why);
    sis_ear_free(&ear);
    return hz;
}

static double centroid_of(const sis_heard* heard) {
    sis_ear ear = {0};
    double hz = 0;
    const char* why = "";
    sis_fault fault;
    CHECK(sis_ear_hear(&ear, heard, &fault));
    CHECK(sis_heard_centroid(&ear, heard, &hz, &why, &fault));
    sis_ear_free(&ear);
    return hz;
}

static double t60_of(const sis_heard* heard) {
    sis_ear ear = {0};
    const char* why = "";
    sis_fault fault;
    CHECK(sis_ear_hear(&ear, heard, &fault));
    double seconds = sis_heard_t60(&ear, heard, &why);
    sis_ear_free(&ear);
    return seconds;
}

static double loudness_of(const sis_heard* heard) {
    sis_ear ear = {0};
    double lufs = 0;
    const char* why = "";
    sis_fault fault;
    CHECK(sis_heard_loudness(&ear, heard, &lufs, &why, &fault));
    sis_ear_free(&ear);
    return lufs;
}

// ---------------------------------------------------------------------------- pitch

static void the_pitch_of_a_sine_is_its_frequency(void) {
    static const double rates[] = {22050, 44100, 48000};
    for (size_t r = 0; r < 3; r++)
        for (double f = 30; f < 4000; f *= 1.37) {
            sis_heard heard = tone(f, 1, 0, rates[r], 1);
            CHECK_NEAR(pitch_of(&heard) / f, 1, 2e-6);
        }
}

static void the_pitch_of_a_decaying_tone_is_that_of_its_first_partial(void) {
    for (double f = 60; f < 1500; f *= 1.51) {
        sis_heard heard = tone(f, 6, 1.5, 44100, 1);
        CHECK_NEAR(pitch_of(&heard) / f, 1, 1e-4);
    }
}

/** All partials up to half of the rate, equally loud. */
static sis_heard bright_tone(double f, double rate, double seconds) {
    sis_heard heard = {
        .frames = frames, .rows = (uint64_t)(seconds * rate), .channels = 1, .rate = rate};
    for (uint64_t n = 0; n < heard.rows; n++) {
        double sum = 0;
        for (int p = 1; p * f < rate / 2; p++)
            sum += sin(2 * pi * p * f * (double)n / rate + p * p);
        frames[n] = sum;
    }
    return heard;
}

static void high_and_bright_tones_are_not_heard_as_a_multiple_of_their_period(void) {
    static const double rates[] = {8000, 44100};
    for (size_t r = 0; r < 2; r++)
        for (double share = 0.01; share < 0.46; share *= 1.17) {
            sis_heard heard = tone(share * rates[r], 1, 0, rates[r], 0.5);
            CHECK_NEAR(pitch_of(&heard) / (share * rates[r]), 1, 1e-4);
            heard = bright_tone(share * rates[r], rates[r], 0.5);
            CHECK_NEAR(pitch_of(&heard) / (share * rates[r]), 1, 1e-4);
        }
}

static void a_tone_without_its_first_partial_keeps_its_pitch(void) {
    sis_heard heard = tone(200, 6, 0, 44100, 1);
    for (uint64_t n = 0; n < heard.rows; n++)
        frames[n] -= sin(2 * pi * 200 * (double)n / 44100 + 1);
    CHECK_NEAR(pitch_of(&heard) / 200, 1, 1e-3);
}

static void noise_and_silence_have_no_pitch(void) {
    sis_heard heard = {.frames = frames, .rows = 44100, .channels = 1, .rate = 44100};
    for (uint64_t n = 0; n < heard.rows; n++)
        frames[n] = sis_draw_at(SIS_DRAW_UNIFORM, 1, n, 1, 0) - 0.5;
    CHECK(isnan(pitch_of(&heard)));
    memset(frames, 0, sizeof frames);
    CHECK(isnan(pitch_of(&heard)));
    CHECK(isnan(centroid_of(&heard)));
    CHECK(isnan(t60_of(&heard)));
    CHECK(isnan(loudness_of(&heard)));
}

// ---------------------------------------------------------------------------- the others

static void the_centroid_of_a_sine_is_its_frequency_and_of_two_their_mean(void) {
    sis_heard one = tone(3000, 1, 0, 44100, 1);
    CHECK_NEAR(centroid_of(&one), 3000, 5);
    sis_heard two = tone(3000, 2, 0, 44100, 1);
    CHECK_NEAR(centroid_of(&two), 4500, 10);
    for (uint64_t n = 0; n < two.rows; n++)
        frames[n] += 100; // where it rests does not count
    CHECK_NEAR(centroid_of(&two), 4500, 10);
}

static void the_decay_that_was_given_is_found(void) {
    for (double t60 = 0.2; t60 < 20; t60 *= 1.7) {
        sis_heard heard = tone(441, 1, t60, 44100, 2);
        CHECK_NEAR(t60_of(&heard) / t60, 1, 5e-3);
    }
    sis_heard brief = tone(2000, 1, 0.05, 44100, 0.1);
    CHECK_NEAR(t60_of(&brief) / 0.05, 1, 0.02);
}

static void a_tone_that_grows_has_no_decay(void) {
    sis_heard heard = tone(441, 1, 0, 44100, 1);
    for (uint64_t n = 0; n < heard.rows; n++)
        frames[n] *= 1 + (double)n;
    CHECK(isnan(t60_of(&heard)));
}

static void levels_are_those_of_a_sine(void) {
    sis_heard heard = tone(441, 1, 0, 44100, 1);
    for (uint64_t n = 0; n < heard.rows; n++)
        frames[n] *= 1e-200; // squares of these vanish
    CHECK_NEAR(sis_heard_rms(&heard) / 1e-200, sqrt(0.5), 1e-12);
    CHECK_NEAR(sis_heard_peak(&heard) / 1e-200, 1, 1e-3);
    for (uint64_t n = 0; n < heard.rows; n++)
        frames[n] *= 1e-110; // what scales it would overflow
    CHECK_NEAR(sis_heard_rms(&heard) / 1e-310, sqrt(0.5), 1e-6);
}

// ---------------------------------------------------------------------------- loudness

/** 1 kHz in both channels, `db` below full scale, for some seconds from row `from` on. */
static uint64_t add_stereo(uint64_t from, double f, double db, double rate, double seconds) {
    uint64_t rows = (uint64_t)(rate * seconds);
    for (uint64_t n = from; n < from + rows; n++)
        frames[2 * n] = frames[2 * n + 1] = pow(10, db / 20) * sin(2 * pi * f * (double)n / rate);
    return from + rows;
}

static void the_reference_sine_has_the_loudness_of_the_recommendation(void) {
    static const double rates[] = {44100, 48000, 96000, 32000};
    for (size_t r = 0; r < 4; r++) {
        sis_heard heard = tone(997, 1, 0, rates[r], 2);
        CHECK_NEAR(loudness_of(&heard), -3.01, 0.02); // ITU-R BS.1770: 0 dBFS in one channel
    }
}

static void two_channels_add_3_db_and_silence_is_gated(void) {
    // EBU Tech 3341, cases 1 and 3, with shorter pieces
    sis_heard heard = {.frames = frames, .channels = 2, .rate = 48000};
    heard.rows = add_stereo(0, 1000, -23, 48000, 4);
    CHECK_NEAR(loudness_of(&heard), -23, 0.1);
    heard.rows = add_stereo(0, 1000, -36, 48000, 1);
    heard.rows = add_stereo(heard.rows, 1000, -23, 48000, 5);
    heard.rows = add_stereo(heard.rows, 1000, -36, 48000, 1);
    CHECK_NEAR(loudness_of(&heard), -23, 0.3);
    heard.rows = add_stereo(0, 1000, -80, 48000, 3);
    CHECK(isnan(loudness_of(&heard)));
}

static void a_sound_shorter_than_a_block_is_one_block(void) {
    sis_heard heard = tone(997, 1, 0, 48000, 0.3);
    CHECK_NEAR(loudness_of(&heard), -3.01, 0.1);
}

// ---------------------------------------------------------------------------- Fourier

static void the_transform_is_the_sum_that_defines_it(void) {
    enum { SIZE = 64 };
    sis_ear ear = {0};
    sis_fault fault;
    double x[SIZE], y[SIZE];
    CHECK(sis_ear_room(&ear, SIZE, &fault));
    for (uint64_t i = 0; i < SIZE; i++) {
        x[i] = ear.re[i] = sis_draw_at(SIS_DRAW_UNIFORM, 1, i, 1, 0) - 0.5;
        y[i] = ear.im[i] = sis_draw_at(SIS_DRAW_UNIFORM, 1, i, 1, 1) - 0.5;
    }
    CHECK(sis_ear_fourier(&ear, SIZE, &fault));
    for (int k = 0; k < SIZE; k++) {
        double a = 0, b = 0;
        for (int n = 0; n < SIZE; n++) {
            double c = cos(2 * pi * k * n / SIZE), s = -sin(2 * pi * k * n / SIZE);
            a += x[n] * c - y[n] * s;
            b += x[n] * s + y[n] * c;
        }
        CHECK_NEAR(a, ear.re[k], 1e-12);
        CHECK_NEAR(b, ear.im[k], 1e-12);
    }
    sis_ear_free(&ear);
}

int main(void) {
    RUN(the_pitch_of_a_sine_is_its_frequency);
    RUN(the_pitch_of_a_decaying_tone_is_that_of_its_first_partial);
    RUN(high_and_bright_tones_are_not_heard_as_a_multiple_of_their_period);
    RUN(a_tone_without_its_first_partial_keeps_its_pitch);
    RUN(noise_and_silence_have_no_pitch);
    RUN(the_centroid_of_a_sine_is_its_frequency_and_of_two_their_mean);
    RUN(the_decay_that_was_given_is_found);
    RUN(a_tone_that_grows_has_no_decay);
    RUN(levels_are_those_of_a_sine);
    RUN(the_reference_sine_has_the_loudness_of_the_recommendation);
    RUN(two_channels_add_3_db_and_silence_is_gated);
    RUN(a_sound_shorter_than_a_block_is_one_block);
    RUN(the_transform_is_the_sum_that_defines_it);
    return CHECK_REPORT();
}
