// Spectra of signals: amplitudes, the exact place of a partial, levels over time.

#include "lab.h"

#include "fourier.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define SIZE_MOST (1u << 24)

static const double pi = 3.14159265358979323846;

/** Hann, Blackman or none, symmetric about the middle of `count` samples. */
static double window(int kind, size_t i, size_t count) {
    double x = 2 * pi * ((double)i + 0.5) / (double)count;
    if (kind == 0) return 0.5 - 0.5 * cos(x);
    if (kind == 1) return 0.42 - 0.5 * cos(x) + 0.08 * cos(2 * x);
    return 1;
}

static size_t power_of_two(lua_State* L, size_t least) {
    size_t n = 2;
    while (n < least) {
        n *= 2;
        if (n > SIZE_MOST) luaL_error(L, "spectrum: more than 2^24 samples");
    }
    return n;
}

static int window_option(lua_State* L, int index) {
    static const char* const words[] = {"hann", "blackman", "none", NULL};
    int kind = 0;
    if (lua_istable(L, index)) {
        lua_getfield(L, index, "window");
        kind = luaL_checkoption(L, -1, "hann", words);
        lua_pop(L, 1);
    }
    return kind;
}

static double number_option(lua_State* L, int index, const char* key, double fallback) {
    if (!lua_istable(L, index)) return fallback;
    lua_getfield(L, index, key);
    double value = luaL_optnumber(L, -1, fallback);
    lua_pop(L, 1);
    return value;
}

static size_t count_option(lua_State* L, int index, const char* key, double fallback) {
    double value = number_option(L, index, key, fallback);
    if (!(value >= 0 && value <= SIZE_MOST)) luaL_error(L, "%s is %f", key, value);
    return (size_t)value;
}

static size_t at_least(size_t a, size_t b) {
    return a > b ? a : b;
}

/** spectrum(v, rate, options) */
static int spectrum(lua_State* L) {
    sis_lab_after_about(L, "spectrum");
    const sis_vec* v = sis_vec_check(L, 1);
    double rate = luaL_checknumber(L, 2);
    int kind = window_option(L, 3);
    size_t n = power_of_two(L, at_least(v->count, count_option(L, 3, "size", 0)));
    sis_vec* re = sis_vec_push(L, n);
    sis_vec* im = sis_vec_push(L, n);
    double sum = 0;
    for (size_t i = 0; i < v->count; i++) {
        double w = window(kind, i, v->count);
        re->data[i] = w * v->data[i];
        sum += w;
    }
    sis_fourier(re->data, im->data, n);
    lua_newtable(L);
    sis_vec* f = sis_vec_push(L, n / 2 + 1);
    sis_vec* a = sis_vec_push(L, n / 2 + 1);
    for (size_t i = 0; i <= n / 2; i++) {
        f->data[i] = rate * (double)i / (double)n;
        a->data[i] = (i && i < n / 2 ? 2 : 1) * hypot(re->data[i], im->data[i]) / sum;
    }
    lua_setfield(L, -3, "amplitude");
    lua_setfield(L, -2, "f");
    return 1;
}

/** Amplitude of a Hann-windowed signal at one frequency, by a recursion. */
static double amplitude_at(const sis_vec* v, double rate, double f) {
    double turn = 2 * pi * f / rate, c = cos(turn), s = sin(turn), re = 1, im = 0, x = 0, y = 0;
    double step = 2 * pi / (double)v->count, hc = cos(step), hs = sin(step);
    double wc = cos(step / 2), ws = sin(step / 2);
    for (size_t i = 0; i < v->count; i++) {
        double w = (0.5 - 0.5 * wc) * v->data[i];
        x += w * re;
        y -= w * im;
        double next = re * c - im * s;
        im = re * s + im * c;
        re = next;
        next = wc * hc - ws * hs;
        ws = wc * hs + ws * hc;
        wc = next;
    }
    return 2 * hypot(x, y) / (0.5 * (double)v->count);
}

/** pitch(v, rate, near): climbs the main lobe from the best of a few places around, then golden
 *  section. */
static int pitch(lua_State* L) {
    sis_lab_after_about(L, "pitch");
    const sis_vec* v = sis_vec_check(L, 1);
    double rate = luaL_checknumber(L, 2), near = luaL_checknumber(L, 3);
    luaL_argcheck(L, v->count >= 16, 1, "too short to have a pitch");
    luaL_argcheck(L, near > 0 && near < rate / 2, 3, "must be between 0 and half the rate");
    double bin = rate / (double)v->count, at = near, best = -1;
    double reach = luaL_optnumber(L, 4, fmax(2 * bin, 0.02 * near));
    double from = fmax(bin / 2, near - reach), to = fmin(near + reach, rate / 2);
    for (size_t i = 0; from + (double)i * bin / 2 <= to; i++) {
        double f = from + (double)i * bin / 2, a = amplitude_at(v, rate, f);
        if (a > best) {
            best = a;
            at = f;
        }
    }
    // The best may lie on the flank of the partial: up it goes.
    double way = at > near ? bin / 2 : -bin / 2, next;
    while (at + way > bin && at + way < rate / 2 &&
           (next = amplitude_at(v, rate, at + way)) > best) {
        at += way;
        best = next;
    }
    double low = at - bin / 2, high = at + bin / 2, ratio = (sqrt(5) - 1) / 2;
    double f1 = high - ratio * (high - low), f2 = low + ratio * (high - low);
    double a1 = amplitude_at(v, rate, f1), a2 = amplitude_at(v, rate, f2);
    for (int turn = 0; turn < 60 && high - low > 1e-9 * at; turn++) {
        bool left = a1 > a2;
        if (left) {
            high = f2;
            f2 = f1;
            a2 = a1;
            f1 = high - ratio * (high - low);
            a1 = amplitude_at(v, rate, f1);
        } else {
            low = f1;
            f1 = f2;
            a1 = a2;
            f2 = low + ratio * (high - low);
            a2 = amplitude_at(v, rate, f2);
        }
    }
    double amplitude = amplitude_at(v, rate, (low + high) / 2);
    lua_pushnumber(L, isnan(amplitude) ? amplitude : (low + high) / 2);
    lua_pushnumber(L, amplitude);
    return 2;
}

/** Level in dB re the largest, cut at -200; in place. */
static void to_level(sis_vec* v) {
    double most = 0;
    for (size_t i = 0; i < v->count; i++)
        most = fmax(most, v->data[i]);
    for (size_t i = 0; i < v->count; i++) {
        double level = most > 0 ? 20 * log10(v->data[i] / most + 1e-300) : -200;
        v->data[i] = level < -200 ? -200 : level; // and NaN stays what it is
    }
}

/** spectrogram(v, rate, { size, hop }) */
static int spectrogram(lua_State* L) {
    sis_lab_after_about(L, "spectrogram");
    const sis_vec* v = sis_vec_check(L, 1);
    double rate = luaL_checknumber(L, 2);
    size_t size = power_of_two(L, at_least(16, count_option(L, 3, "size", 1024)));
    size_t hop = at_least(1, count_option(L, 3, "hop", (double)size / 4));
    luaL_argcheck(L, v->count >= size, 1, "shorter than one window");
    size_t columns = (v->count - size) / hop + 1, rows = size / 2 + 1;
    sis_vec* re = sis_vec_push(L, size);
    sis_vec* im = sis_vec_push(L, size);
    lua_newtable(L);
    sis_vec* level = sis_vec_push(L, columns * rows);
    lua_setfield(L, -2, "level");
    sis_vec* t = sis_vec_push(L, columns);
    lua_setfield(L, -2, "t");
    sis_vec* f = sis_vec_push(L, rows);
    lua_setfield(L, -2, "f");
    for (size_t c = 0; c < columns; c++) {
        t->data[c] = ((double)(c * hop) + 0.5 * (double)size) / rate;
        for (size_t i = 0; i < size; i++)
            re->data[i] = window(0, i, size) * v->data[c * hop + i];
        memset(im->data, 0, size * sizeof(double));
        sis_fourier(re->data, im->data, size);
        for (size_t r = 0; r < rows; r++)
            level->data[r * columns + c] = hypot(re->data[r], im->data[r]);
    }
    for (size_t r = 0; r < rows; r++)
        f->data[r] = rate * (double)r / (double)size;
    to_level(level);
    return 1;
}

void sis_spectra_open(lua_State* L) {
    lua_register(L, "spectrum", spectrum);
    lua_register(L, "pitch", pitch);
    lua_register(L, "spectrogram", spectrogram);
}
