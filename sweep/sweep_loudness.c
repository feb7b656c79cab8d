// Loudness as ITU-R BS.1770-4 has it: K weighting, blocks of 400 ms that overlap by three quarters,
// an absolute gate at -70 LUFS and a relative one 10 LU below the mean of what is above it.

#include "sweep_sound.h"

#include "sistrum/elementary.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
static const double gate_most = -70; // LUFS: what is below it counts never
static const double offset = -0.691; // so that 997 Hz at full scale in one channel are -3.01 LUFS

/** y = b0 x + b1 x' + b2 x'' - a1 y' - a2 y'', with its state. */
typedef struct biquad {
    double b0, b1, b2, a1, a2;
    double x1, x2, y1, y2;
} biquad;

static double pass(biquad* f, double x) {
    double y = f->b0 * x + f->b1 * f->x1 + f->b2 * f->x2 - f->a1 * f->y1 - f->a2 * f->y2;
    f->x2 = f->x1;
    f->x1 = x;
    f->y2 = f->y1;
    f->y1 = y;
    return y;
}

// The recommendation lists coefficients for 48 kHz; these are the analog filters behind them, for
// any rate: a shelf of +4 dB above 1682 Hz for the head, then a high-pass at 38 Hz.
static biquad shelf(double rate) {
    double K = sis_tan(pi * 1681.974450955533 / rate), Q = 0.7071752369554196;
    double high = sis_power(10, 3.999843853973347 / 20);
    double band = sis_power(high, 0.4996667741545416), a0 = 1 + K / Q + K * K;
    return (biquad){.b0 = (high + band * K / Q + K * K) / a0,
                    .b1 = 2 * (K * K - high) / a0,
                    .b2 = (high - band * K / Q + K * K) / a0,
                    .a1 = 2 * (K * K - 1) / a0,
                    .a2 = (1 - K / Q + K * K) / a0};
}

static biquad high_pass(double rate) {
    double K = sis_tan(pi * 38.13547087602444 / rate), Q = 0.5003270373238773;
    double a0 = 1 + K / Q + K * K;
    return (biquad){
        .b0 = 1, .b1 = -2, .b2 = 1, .a1 = 2 * (K * K - 1) / a0, .a2 = (1 - K / Q + K * K) / a0};
}

/** Adds the squares of one channel, weighted, to those of each tenth of a second. */
static void add_channel(const sis_heard* heard, int32_t channel, uint64_t tenth, uint64_t tenths,
                        double* squares) {
    biquad head = shelf(heard->rate), low = high_pass(heard->rate);
    uint64_t rows = tenth * tenths;
    size_t channels = (size_t)heard->channels;
    for (uint64_t n = 0; n < rows; n++) {
        double y = pass(&low, pass(&head, heard->frames[n * channels + (size_t)channel]));
        squares[n / tenth] += y * y;
    }
}

static double loudness_of(double square) {
    return offset + 10 * sis_log10(square);
}

/** The mean square of the blocks that are louder than a gate; 0: none is. */
static double gated(const double* squares, uint64_t blocks, uint64_t wide, double rows,
                    double gate) {
    double sum = 0, count = 0;
    for (uint64_t b = 0; b < blocks; b++) {
        double square = 0;
        for (uint64_t i = 0; i < wide; i++)
            square += squares[b + i];
        square /= rows;
        if (!(square > 0) || !(loudness_of(square) > gate)) continue;
        sum += square;
        count++;
    }
    return count > 0 ? sum / count : 0;
}

bool sis_heard_loudness(sis_ear* ear, const sis_heard* heard, double* lufs, const char** why,
                        sis_fault* fault) {
    uint64_t tenth = (uint64_t)round(heard->rate / 10), wide = 4;
    *lufs = (double)NAN;
    *why = "it needs a rate of 4000 Hz at least";
    if (!(heard->rate >= 4000)) return true;
    uint64_t tenths = heard->rows / tenth;
    if (tenths < wide) { // one block, of what there is
        tenth = heard->rows;
        tenths = wide = 1;
    }
    if (!sis_ear_room(ear, (size_t)tenths, fault)) return false;
    double* squares = ear->re;
    memset(squares, 0, (size_t)tenths * sizeof *squares);
    for (int32_t c = 0; c < heard->channels; c++)
        add_channel(heard, c, tenth, tenths, squares);
    uint64_t blocks = tenths - wide + 1;
    double rows = (double)(wide * tenth);
    double mean = gated(squares, blocks, wide, rows, gate_most);
    if (mean > 0)
        mean = gated(squares, blocks, wide, rows, fmax(gate_most, loudness_of(mean) - 10));
    *why = "the sound is below the gate of -70 LUFS";
    if (mean > 0) *lufs = loudness_of(mean);
    return true;
}
