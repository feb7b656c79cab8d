#include "sweep_target.h"

#include "sistrum/elementary.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
static const double floor_power = 1e-6; // 60 dB below the loudest bin
static const double hearing = 20000;    // Hz
enum { BIN_FIRST = 2 };                 // below it is what a constant leaks into

void sis_target_free(sis_target* t) {
    free(t->levels);
    *t = (sis_target){.levels = NULL};
}

// ---------------------------------------------------------------------------- measures

static bool read_goal(sis_target* t, const char* text, sis_measures* measures,
                      const sis_functions* own, sis_fault* fault) {
    char word[96];
    double value = 0;
    size_t length = strcspn(text, "=");
    snprintf(word, sizeof word, "%.*s", length < 90 ? (int)length : 90, text);
    if (!text[length] || !length || !sis_text_number(text + length + 1, &value))
        return sis_fault_set(fault, SIS_FAULT_REQUEST,
                             "--target %.100s: write MEASURE=NUMBER, such as centroid=1200", text);
    if (!strcmp(word, "distance"))
        return sis_fault_set(fault, SIS_FAULT_REQUEST,
                             "--target %.100s: the distance is what a fit makes small; --tolerance "
                             "says when it is small enough",
                             text);
    if (!sis_measures_read(measures, word, own, fault)) {
        sis_fault wrong = *fault; // it names another option
        const char* rest = strchr(wrong.text, ' ');
        bool named = !strncmp(wrong.text, "--measure", 9) && rest;
        if (named)
            snprintf(fault->text, sizeof fault->text, "--target%s%s",
                     wrong.text[9] == ':' ? ":" : "", rest);
        return false;
    }
    bool decibel = measures->list[measures->count - 1].kind == SIS_MEASURE_LOUDNESS;
    if (value == 0 && !decibel)
        return sis_fault_set(fault, SIS_FAULT_REQUEST,
                             "--target %.100s: distances are ratios to the goal, which 0 has not: "
                             "give another value",
                             text);
    t->decibel[t->goal_count] = decibel;
    t->goals[t->goal_count++] = value;
    return true;
}

bool sis_target_goals(sis_target* t, const sis_fit_spec* fit, sis_measures* measures,
                      const sis_functions* own, sis_fault* fault) {
    measures->list[measures->count++] =
        (sis_measure){.kind = SIS_MEASURE_DISTANCE, .name = "distance"};
    for (const char* rest = fit->goals; rest;) {
        char text[256];
        size_t length = strcspn(rest, ",");
        snprintf(text, sizeof text, "%.*s", length < 250 ? (int)length : 250, rest);
        if (!read_goal(t, text, measures, own, fault)) return false;
        rest = rest[length] ? rest + length + 1 : NULL;
    }
    return true;
}

/** 0 where the value is the goal; it grows by 120 dB until 0 and on for the other sign. */
static double ratio_db(double value, double goal) {
    double share = value / goal;
    const double db = 8.685889638065037; // 20/ln 10
    if (share < 0) return -120 - db * sis_log(1 - share);
    return fmax(db * sis_log(share), -120);
}

double sis_target_measures(const sis_target* t, const double* values) {
    double sum = 0;
    for (int32_t i = 0; i < t->goal_count; i++) {
        double off = t->decibel[i]    ? values[i] - t->goals[i]
                     : values[i] == 0 ? -120
                                      : ratio_db(values[i], t->goals[i]);
        if (!isfinite(values[i])) return (double)NAN;
        sum += off * off;
    }
    return t->goal_count ? sqrt(sum / t->goal_count) : 0;
}

// ---------------------------------------------------------------------------- another rate

enum { CROSSINGS = 32, STEPS = 512 }; // of the kernel to each side; its points between two of them

/** sin(pi x)/(pi x) under a Hann window, at x = i/STEPS. */
static void make_kernel(double kernel[CROSSINGS * STEPS + 2]) {
    for (int i = 0; i <= CROSSINGS * STEPS + 1; i++) {
        double x = (double)i / STEPS;
        double window = x < CROSSINGS ? 0.5 + 0.5 * sis_cos(pi * x / CROSSINGS) : 0;
        kernel[i] = (i ? sis_sin(pi * x) / (pi * x) : 1) * window;
    }
}

void sis_resample(const double* from, uint64_t count, double rate, double* to, uint64_t to_count,
                  double to_rate) {
    double kernel[CROSSINGS * STEPS + 2], step = rate / to_rate;
    double cut = step > 1 ? 1 / step : 1; // of the band that is there
    make_kernel(kernel);
    for (uint64_t n = 0; n < to_count; n++) {
        double at = (double)n * step, reach = CROSSINGS / cut, sum = 0;
        double low = ceil(fmax(at - reach, 0)), high = fmin(floor(at + reach), (double)count - 1);
        for (double k = low; k <= high; k++) {
            double x = fabs(at - k) * cut * STEPS, whole = floor(x);
            size_t i = (size_t)whole;
            if (i > CROSSINGS * STEPS) continue;
            double weight = kernel[i] + (kernel[i + 1] - kernel[i]) * (x - whole);
            sum += from[(size_t)k] * weight;
        }
        to[n] = sum * cut;
    }
}

// ---------------------------------------------------------------------------- spectrograms

/** Window lengths, and how many windows and bins there are. */
static void lay_out(sis_target* t, double rate, double top, uint64_t rows) {
    size_t size = 128;
    for (double r = 44100 * 1.5; r < rate; r *= 2)
        size *= 2;
    for (double r = 44100 / 1.5; r > rate && size > 16; r /= 2)
        size /= 2;
    t->level_count = 0;
    for (int w = 0; w < SIS_WINDOWS; w++, size *= 4) {
        size_t hop = size / 2, last = (size_t)fmin(top / rate * (double)size, (double)hop);
        size_t frames = (size_t)(rows / hop);
        t->sizes[w] = size;
        t->frames[w] = frames ? frames : 1;
        t->bins[w] = last >= BIN_FIRST ? last + 1 - BIN_FIRST : 0;
        t->level_count += t->frames[w] * t->bins[w];
    }
}

/** A window whose middle is row `at`, under a Hann window; zeros where there is no row. */
static void fill(const sis_ear* ear, uint64_t rows, uint64_t at, size_t size, double* to) {
    for (size_t i = 0; i < size; i++) {
        uint64_t row = at + i - size / 2; // before the first one: beyond all
        to[i] = row < rows ? ear->mono[row] * ear->taper[i] : 0;
    }
}

/** The power of the bins of two windows, one of which was the real, one the imaginary part. */
static void split(const sis_ear* ear, size_t size, size_t bins, double* a, double* b) {
    double scale = 1 / ((double)size * (double)size);
    for (size_t i = 0; i < bins; i++) {
        size_t k = i + BIN_FIRST, m = size - k;
        double ar = ear->re[k] + ear->re[m], ai = ear->im[k] - ear->im[m];
        double br = ear->im[k] + ear->im[m], bi = ear->re[m] - ear->re[k];
        a[i] = (ar * ar + ai * ai) * scale;
        if (b) b[i] = (br * br + bi * bi) * scale;
    }
}

/** Powers [level_count] of the sound in ear->mono. */
static bool take_powers(const sis_target* t, sis_ear* ear, uint64_t rows, double* power,
                        sis_fault* fault) {
    for (int w = 0; w < SIS_WINDOWS; w++) {
        size_t size = t->sizes[w], hop = size / 2, bins = t->bins[w];
        if (!sis_ear_hann(ear, size, fault) || !sis_ear_room(ear, size, fault)) return false;
        for (size_t f = 0; f < t->frames[w]; f += 2) {
            bool second = f + 1 < t->frames[w];
            fill(ear, rows, (uint64_t)f * hop, size, ear->re);
            fill(ear, second ? rows : 0, (uint64_t)(f + 1) * hop, size, ear->im);
            if (!sis_ear_fourier(ear, size, fault)) return false;
            split(ear, size, bins, power, second ? power + bins : NULL);
            power += second ? 2 * bins : bins;
        }
    }
    return true;
}

static double loudest(const double* power, size_t count) {
    double most = 0;
    for (size_t i = 0; i < count; i++)
        most = power[i] > most ? power[i] : most;
    return most;
}

static void to_levels(double* power, size_t count, double peak) {
    const double db = 4.3429448190325185; // 10/ln 10
    for (size_t i = 0; i < count; i++)
        power[i] = db * sis_log(power[i] / peak + floor_power);
}

static bool hear_target(sis_target* t, const sis_heard* sound, double rate, uint64_t rows,
                        sis_ear* ear, sis_fault* fault) {
    if (!sis_ear_hear(ear, sound, fault)) return false;
    if (sound->rate != rate) {
        double* other = malloc((size_t)(rows + 1) * sizeof *other);
        if (!other) return sis_fault_no_memory(fault);
        sis_resample(ear->mono, sound->rows, sound->rate, other, rows, rate);
        sis_heard heard = {.frames = other, .rows = rows, .channels = 1, .rate = rate};
        bool fine = sis_ear_hear(ear, &heard, fault);
        free(other);
        if (!fine) return false;
    }
    t->levels = malloc((t->level_count + 1) * sizeof *t->levels);
    if (!t->levels) return sis_fault_no_memory(fault);
    if (!take_powers(t, ear, rows, t->levels, fault)) return false;
    t->peak = loudest(t->levels, t->level_count);
    if (!(t->peak > 0) || !isfinite(t->peak))
        return sis_fault_set(fault, SIS_FAULT_REQUEST,
                             "--target: the first %.3g s of the sound%s are silent: cut it so that "
                             "it begins where the run does",
                             (double)rows / rate,
                             sound->channels > 1 ? ", all channels mixed," : "");
    to_levels(t->levels, t->level_count, t->peak);
    return true;
}

bool sis_target_hear(sis_target* t, const sis_fit_spec* fit, double rate, uint64_t rows,
                     sis_fault* fault) {
    sis_ear ear = {0};
    double top = fmin(fmin(0.45 * rate, 0.45 * fit->sound.rate), hearing);
    t->rate = rate;
    t->rows = rows;
    t->level = fit->level;
    lay_out(t, rate, top, rows);
    if (rows < t->sizes[0])
        return sis_fault_set(fault, SIS_FAULT_REQUEST,
                             "--target: %.3g s are too short to be compared: sound and run must "
                             "last %.3g s at least, the shortest window",
                             (double)rows / rate, (double)t->sizes[0] / rate);
    bool fine = hear_target(t, &fit->sound, rate, rows, &ear, fault);
    sis_ear_free(&ear);
    return fine;
}

// ---------------------------------------------------------------------------- distance

/** The mean over window lengths of the means of (level - target - mean)^power, power 1 or 2. */
static double mean_difference(const sis_target* t, const double* levels, double mean, int power) {
    double sum = 0;
    int used = 0;
    const double* goal = t->levels;
    for (int w = 0; w < SIS_WINDOWS; w++) {
        size_t count = t->frames[w] * t->bins[w];
        double part = 0;
        for (size_t i = 0; i < count; i++) {
            double off = levels[i] - goal[i] - mean;
            part += power == 2 ? off * off : off;
        }
        if (count) sum += part / (double)count;
        used += count > 0;
        levels += count;
        goal += count;
    }
    return used ? sum / used : 0;
}

bool sis_target_sound(const sis_target* t, sis_ear* ear, const sis_heard* heard, double* db,
                      sis_fault* fault) {
    if (t->level_count > ear->level_room) {
        free(ear->levels);
        ear->levels = malloc(t->level_count * sizeof *ear->levels);
        ear->level_room = ear->levels ? t->level_count : 0;
        if (!ear->levels) return sis_fault_no_memory(fault);
    }
    uint64_t rows = heard->rows < t->rows ? heard->rows : t->rows;
    if (!take_powers(t, ear, rows, ear->levels, fault)) return false;
    double peak = loudest(ear->levels, t->level_count);
    *db = (double)NAN;
    if (!(peak > 0) || !isfinite(peak)) return true;
    to_levels(ear->levels, t->level_count, t->level ? t->peak : peak);
    double mean = t->level ? 0 : mean_difference(t, ear->levels, 0, 1);
    *db = sqrt(mean_difference(t, ear->levels, mean, 2));
    return true;
}
