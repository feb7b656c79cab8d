// Stops on strings, at rest and sliding: the part that sounds ends where the stop says, on every
// grid, without ripple and without noise.
#include "live.h"

static const double rate = 44100;

// ---------------------------------------------------------------------------- pitch

typedef struct slide {
    sis_string_model model;
    sis_sounding sounding;
    bool tuned;
    double gamma, youngs;
    double from, to, speed; // m, m, m/s
    int32_t segments;       // or modes; 0: as many as are stable
    int partials;           // that sound from the start; 0: those that a soft blow wakes
    int32_t frames;
} slide;

static const double LENGTH = 0.65, TENSION = 30, OPEN = 80; // m, N, Hz

// Partials of the part that sounds, and nothing in the other.
static bool shape_of(void* context, double x, double* out, sis_error* error) {
    const slide* s = context;
    const bool right = s->sounding != SIS_SOUNDING_LEFT;
    const double part = right ? (x - s->from) / (LENGTH - s->from) : x / s->from;
    (void)error;
    *out = 0;
    for (int p = 1; p <= s->partials && part > 0 && part < 1; p++)
        *out += 1e-3 * sin(p * PI * part);
    return true;
}

static double place_at(const slide* s, int32_t n) {
    const double gone = n / rate * s->speed, all = fabs(s->to - s->from);
    return s->from + (s->to > s->from ? 1 : -1) * fmin(gone, all);
}

static run run_slide(slide* s) {
    sis_scene* scene = sis_scene_new();
    sis_string_def def = sis_string_default();
    def.length = LENGTH;
    def.tension = TENSION;
    def.density = TENSION / (4 * LENGTH * LENGTH * OPEN * OPEN);
    def.model = s->model;
    def.tuned = s->tuned;
    if (s->gamma != 0) def.gamma = s->gamma;
    if (s->youngs > 0) def.youngs = s->youngs, def.radius = 3e-4;
    def.segments = s->model == SIS_STRING_MODAL ? 0 : s->segments;
    def.modes = s->model == SIS_STRING_MODAL ? s->segments : 0;
    const sis_id string = put(scene, SIS_KIND_STRING, &def);
    const stop at = {&methods[LEDGER], SIS_LAW_TWO_SIDED, 1e7, 1, 0, 0, s->from, false,
                     s->sounding};
    live(scene, put_stop(scene, string, &at), "at", s->from, 0.1 * LENGTH, 0.9 * LENGTH);
    sis_pluck_def start = sis_pluck_default();
    start.on = string;
    start.profile = (sis_profile){.value = shape_of, .context = s};
    sis_force_def blow = sis_force_default();
    blow.on = string;
    blow.at = 0.5;
    blow.peak = 1;
    blow.width = 5e-3;
    if (s->partials)
        put(scene, SIS_KIND_PLUCK, &start);
    else
        put(scene, SIS_KIND_FORCE, &blow);
    listen(scene, string, (s->sounding == SIS_SOUNDING_LEFT ? 0.06 : 0.94) * LENGTH);
    double* rows = calloc((size_t)s->frames, sizeof *rows);
    for (int32_t n = 0; n < s->frames; n++)
        rows[n] = place_at(s, n);
    run r = run_live(compiled(scene, rate, 0), rows, s->frames, 4096);
    free(rows);
    sis_scene_free(scene);
    return r;
}

// Hz, of the part that sounds.
static double expected(const slide* s, int32_t n) {
    const double x = place_at(s, n), length = s->sounding == SIS_SOUNDING_LEFT ? x : LENGTH - x;
    return OPEN * LENGTH / length;
}

// What is left of a signal at the expected phase, smoothed over `wide` samples on either side, one
// number in EACH samples.
enum { EACH = 32 };

static int32_t mix_down(const slide* s, const run* r, int32_t wide, double* re, double* im) {
    const int32_t count = s->frames;
    double *a = calloc((size_t)count, sizeof *a), *b = calloc((size_t)count, sizeof *b), phase = 0;
    int32_t out = 0;
    for (int32_t n = 0; n < count; n++) {
        a[n] = run_at(r, n, 0) * cos(2 * PI * phase);
        b[n] = -run_at(r, n, 0) * sin(2 * PI * phase);
        phase += 0.5 * (expected(s, n) + expected(s, n + 1)) / rate;
    }
    for (int32_t n = wide; n + wide < count; n += EACH, out++) {
        re[out] = im[out] = 0;
        for (int32_t j = -wide; j <= wide; j++) {
            const double h = 0.5 + 0.5 * cos(PI * j / wide), w = h * h * h * h;
            re[out] += w * a[n + j];
            im[out] += w * b[n + j];
        }
    }
    free(a);
    free(b);
    return out;
}

typedef struct pitch {
    double most, mean, ripple; // cents: largest, mean, rms at the rate of cells
} pitch;

static pitch pitch_of(const slide* s, const run* r) {
    const double slowest = fmin(expected(s, 0), expected(s, s->frames - 1));
    const int32_t wide = (int32_t)(3 * rate / slowest), room = s->frames / EACH + 2;
    double *re = calloc((size_t)room, sizeof *re), *im = calloc((size_t)room, sizeof *im);
    double* cents = calloc((size_t)room, sizeof *cents);
    const int32_t count = mix_down(s, r, wide, re, im) - 1;
    pitch p = {0, 0, 0};
    for (int32_t i = 0; i < count; i++) {
        const double turn =
            atan2(im[i + 1] * re[i] - re[i + 1] * im[i], re[i + 1] * re[i] + im[i + 1] * im[i]);
        const double f = turn / (2 * PI) * rate / EACH, at = expected(s, wide + EACH * i);
        cents[i] = 1200 * log2(1 + f / at);
        p.most = fmax(p.most, fabs(cents[i]));
        p.mean += cents[i] / count;
    }
    const double cell = s->speed > 0 ? LENGTH / 100 / s->speed : 0.05; // s
    const int32_t half = (int32_t)(0.5 * cell * rate / EACH);
    int32_t used = 0;
    for (int32_t i = half; i + half < count; i++, used++) {
        double slow = 0;
        for (int32_t j = -half; j < half; j++)
            slow += cents[i + j] / (2 * half);
        p.ripple += (cents[i] - slow) * (cents[i] - slow);
    }
    p.ripple = sqrt(p.ripple / (used ? used : 1));
    free(re);
    free(im);
    free(cents);
    return p;
}

// A spectrum by halves.
static void transform(double* re, double* im, int32_t n) {
    for (int32_t i = 1, j = 0; i < n; i++) {
        int32_t bit = n >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            double t = re[i];
            re[i] = re[j];
            re[j] = t;
            t = im[i];
            im[i] = im[j];
            im[j] = t;
        }
    }
    for (int32_t size = 2; size <= n; size *= 2)
        for (int32_t k = 0; k < size / 2; k++) {
            const double c = cos(2 * PI * k / size), s = -sin(2 * PI * k / size);
            for (int32_t i = k; i < n; i += size) {
                const int32_t j = i + size / 2;
                const double a = re[j] * c - im[j] * s, b = re[j] * s + im[j] * c;
                re[j] = re[i] - a, im[j] = im[i] - b;
                re[i] += a, im[i] += b;
            }
        }
}
enum { WINDOW = 8192 };

// The strongest above 3 kHz against the strongest below 500 Hz, dB.
static double noise_of(const run* r, int32_t from) {
    static double re[WINDOW], im[WINDOW];
    double high = 0, low = 0;
    for (int32_t n = 0; n < WINDOW; n++) {
        const double h = 0.5 - 0.5 * cos(2 * PI * n / WINDOW);
        re[n] = run_at(r, from + n, 0) * h * h * h * h;
        im[n] = 0;
    }
    transform(re, im, WINDOW);
    for (int32_t i = 0; i < WINDOW / 2; i++) {
        const double f = i * rate / WINDOW, size = re[i] * re[i] + im[i] * im[i];
        if (f < 500) low = fmax(low, size);
        if (f > 3000) high = fmax(high, size);
    }
    return 10 * log10(high / low);
}
static pitch pitch_slid(slide s) {
    run r = run_slide(&s);
    const pitch p = pitch_of(&s, &r);
    CHECK(residual_from(&r, 0) <= 1e-11);
    run_free(&r);
    return p;
}

// All over a cell, on both sides, on strings tuned or not, implicit ones too.
static void a_stop_ends_the_part_that_sounds_where_it_says(void) {
    double most = 0;
    for (int m = 0; m < 5; m++)
        for (int side = 1; side < 3; side++)
            for (int i = 0; i < 5; i++) {
                slide s = {.model = m < 4 ? models[m] : SIS_STRING_IMPLICIT,
                           .gamma = m < 4 ? 0 : 0.3,
                           .sounding = (sis_sounding)side,
                           .tuned = true,
                           .from = (side == 1 ? 0.195 : 0.455) + i * 0.2 * LENGTH / 100,
                           .segments = 100,
                           .partials = 1,
                           .frames = SANITIZED ? 6000 : 12000};
                s.to = s.from;
                most = fmax(most, fabs(pitch_slid(s).mean));
            }
    printf("        a stop that rests: %.3f cents\n", most);
    CHECK(most <= 0.1);
}

// The stiffness of a string is its own, that of its grid is not.
static void a_stop_says_the_same_on_every_grid(void) {
    for (int side = 1; side < 3; side++) {
        slide s = {.model = SIS_STRING_TRAPEZOID,
                   .sounding = (sis_sounding)side,
                   .tuned = true,
                   .youngs = 2e11,
                   .from = side == 1 ? 0.2 : 0.45,
                   .to = side == 1 ? 0.2 : 0.45,
                   .segments = 40,
                   .partials = 1,
                   .frames = 12000};
        const double coarse = pitch_slid(s).mean;
        s.segments = 120;
        const double fine = pitch_slid(s).mean;
        printf("        a stiff string of 40 and 120 segments: %.3f and %.3f cents\n", coarse,
               fine);
        CHECK_NEAR(coarse, fine, 0.3);
    }
}

// Where no partial of the part behind comes near, on a coarse grid.
static void a_stop_that_slides_does_not_ripple(void) {
    for (int m = 0; m < (SANITIZED ? 1 : 4); m++)
        for (int side = 1; side < 3; side++) {
            const bool right = side == SIS_SOUNDING_RIGHT;
            const slide s = {.model = models[m],
                             .sounding = (sis_sounding)side,
                             .tuned = true,
                             .from = right ? 0.13 : 0.52,
                             .to = right ? 0.3 : 0.35,
                             .speed = 0.1,
                             .segments = 100,
                             .partials = 1,
                             .frames = SANITIZED ? 20000 : 75000};
            const pitch p = pitch_slid(s);
            printf("        a slide: at most %.3f cents, ripple %.4f\n", p.most, p.ripple);
            CHECK(p.most <= 0.3);
            CHECK(p.ripple <= 0.03);
        }
}

// From a fifth of the string to four fifths of it: partials of both parts cross on the way.
static void a_stop_that_slides_follows_the_pitch(void) {
    if (SANITIZED) CHECK_SKIP("a long slide");
    for (int m = 0; m < (SANITIZED ? 0 : 4); m++) {
        const slide s = {.model = models[m],
                         .sounding = SIS_SOUNDING_RIGHT,
                         .tuned = true,
                         .from = 0.2 * LENGTH,
                         .to = 0.8 * LENGTH,
                         .speed = 0.1,
                         .partials = 1,
                         .frames = 171000};
        const pitch p = pitch_slid(s);
        printf("        a long slide: at most %.3f cents, mean %.3f\n", p.most, p.mean);
        CHECK(p.most <= 3);
        CHECK(fabs(p.mean) <= 0.1);
    }
}

static void a_stop_that_slides_does_not_hiss(void) {
    for (int m = 0; m < 4; m++) {
        slide s = {.model = models[m],
                   .sounding = SIS_SOUNDING_RIGHT,
                   .tuned = true,
                   .from = 0.2,
                   .to = 0.3,
                   .speed = 0.1,
                   .segments = 100,
                   .partials = 0,
                   .frames = 500 + 3 * WINDOW};
        run r = run_slide(&s);
        double most = -HUGE_VAL;
        for (int i = 0; i < 3; i++)
            most = fmax(most, noise_of(&r, 500 + i * WINDOW));
        printf("        above 3 kHz: %.1f dB\n", most);
        CHECK(most <= -80);
        run_free(&r);
    }
}

int main(void) {
    RUN(a_stop_ends_the_part_that_sounds_where_it_says);
    RUN(a_stop_says_the_same_on_every_grid);
    RUN(a_stop_that_slides_does_not_ripple);
    RUN(a_stop_that_slides_follows_the_pitch);
    RUN(a_stop_that_slides_does_not_hiss);
    return CHECK_REPORT();
}
