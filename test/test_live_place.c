// Places that move while it sounds: stops that slide, bows, mallets and pickups. The energy balance
// closes whatever the hand does, and a stop ends the string where it says.
#include "live.h"

enum { FRAMES = SANITIZED ? 300 : 2000 };

static const double rate = 44100;
static const int schemes[] = {LEDGER, LEDGER_MID, NEWTON, NEWTON_MID, RELEASE};

// ---------------------------------------------------------------------------- scenes

typedef struct stop {
    const method* how;
    sis_law law;
    double K, alpha, mu, height, at;
    bool under; // the stop is above the string
    sis_sounding sounding;
} stop;

static sis_id put_stop(sis_scene* scene, sis_id string, const stop* s) {
    const sis_id barrier = put_barrier(scene, s->height);
    sis_contact_def def = sis_contact_default();
    def.above = s->under ? barrier : string;
    def.below = s->under ? string : barrier;
    def.at = (sis_list){&s->at, 1};
    def.K = s->K;
    def.alpha = s->alpha;
    def.law = s->law;
    def.damping = s->mu;
    def.scheme = s->how->scheme;
    def.release = s->how->release;
    def.potential = s->how->potential;
    def.sounding = s->sounding;
    def.gap = s->law == SIS_LAW_CENTRE_LIMITED ? 1e-4 : 0;
    return put(scene, SIS_KIND_CONTACT, &def);
}

// A stop, a bow and a pickup that slide along a string over a barrier, beside a spring that stays.
static void a_stop_a_bow_and_a_pickup_slide_together(void) {
    double most = 0;
    for (int m = 0; m < 4; m++)
        for (int s = 0; s < 5; s++)
            for (int how = 1; how < GESTURES; how++) {
                sis_scene* scene = sis_scene_new();
                const sis_id string = put_string(scene, models[m]);
                const stop at = {&methods[schemes[s]],
                                 (sis_law)(how % 3),
                                 1e6,
                                 1 + 0.5 * (s % 3),
                                 0.1,
                                 how % 3 ? 0 : -2e-4,
                                 0.2,
                                 false,
                                 (sis_sounding)(s % 3)};
                const sis_id finger = put_stop(scene, string, &at);
                live(scene, finger, "at", 0.2, 0.05, 0.4);
                if (s == 1) live(scene, finger, "K", 1e6, 0, 1e8);
                if (s == 2 && how % 3 < 2) live(scene, finger, "gap", 0, -1e-3, 1e-3);
                sis_bow_def stroke = sis_bow_default();
                stroke.on = string;
                stroke.at = 0.5;
                stroke.force = 0.5;
                stroke.velocity = 0.1;
                live(scene, put(scene, SIS_KIND_BOW, &stroke), "at", 0.5, 0.3, 0.6);
                sis_probe_def ear = sis_probe_default();
                ear.on = string;
                ear.at = 0.3;
                ear.quantity = s % 2 ? SIS_QUANTITY_VELOCITY : SIS_QUANTITY_DISPLACEMENT;
                live(scene, put(scene, SIS_KIND_PROBE, &ear), "at", 0.3, 0.01, 0.64);
                pluck(scene, string, 0.3, 2e-3);
                if (s % 2) {
                    sis_spring_def spring = sis_spring_default();
                    spring.a = string;
                    spring.at_a = 0.25;
                    spring.b = put_mass(scene, 0.01, 0, 0);
                    spring.K1 = 1e4;
                    put(scene, SIS_KIND_SPRING, &spring);
                }
                most = fmax(most, check_laws(scene, rate, (gesture)how, FRAMES, 31));
            }
    printf("        stop, bow and pickup: residual %.2g\n", most);
}

// A one-sided finger over a string that also lies on a barrier along half of it.
static void a_finger_slides_over_frets(void) {
    double most = 0;
    for (int m = 0; m < 4; m++)
        for (int how = 1; how < GESTURES; how++) {
            sis_scene* scene = sis_scene_new();
            const sis_id string = put_string(scene, models[m]);
            const stop at = {&methods[LEDGER],  SIS_LAW_ONE_SIDED, 1e6, 1.5, 0.2, 1e-3, 0.2, true,
                             SIS_SOUNDING_RIGHT};
            const sis_id finger = put_stop(scene, string, &at);
            live(scene, finger, "at", 0.2, 0.05, 0.6);
            live(scene, finger, "gap", 0, -3e-3, 0);
            sis_barrier_def frets = sis_barrier_default();
            const double places[] = {0.1, 0.15, 0.2, 0.22, 0.3, 0.31, 0.315};
            frets.height = -1e-3;
            sis_contact_def def = sis_contact_default();
            def.above = string;
            def.below = put(scene, SIS_KIND_BARRIER, &frets);
            def.at = (sis_list){places, 7};
            def.K = 1e7;
            def.alpha = 1.5;
            def.sounding = SIS_SOUNDING_RIGHT;
            put(scene, SIS_KIND_CONTACT, &def);
            pluck(scene, string, 0.3, 3e-3);
            listen(scene, string, 0.5);
            most = fmax(most, check_laws(scene, rate, (gesture)how, FRAMES, 12));
        }
    printf("        a finger over frets: residual %.2g\n", most);
}

// Two fingers and a bow along a string over a barrier: many links share one block.
static void fingers_slide_over_a_barrier(void) {
    double most = 0;
    for (int m = 0; m < 4; m++)
        for (int s = 0; s < 6; s++) {
            static const int all[] = {LEDGER, NEWTON, RELEASE, PLAIN, LEDGER_MID, NEWTON_MID};
            sis_scene* scene = sis_scene_new();
            const sis_id string = put_string(scene, models[m]);
            sis_barrier_def below = sis_barrier_default();
            below.height = -1e-3;
            below.from = 0.1;
            below.to = 0.4;
            sis_contact_def def = sis_contact_default();
            def.above = string;
            def.below = put(scene, SIS_KIND_BARRIER, &below);
            def.K = 1e9;
            def.alpha = 1.5;
            live(scene, put(scene, SIS_KIND_CONTACT, &def), "K", 1e9, 1e6, 1e10);
            for (int i = 0; i < 2; i++) {
                const stop at = {&methods[all[s]],
                                 SIS_LAW_ONE_SIDED,
                                 1e6,
                                 1.5,
                                 0.2,
                                 1e-3,
                                 0.2 + 0.2 * i,
                                 true,
                                 (sis_sounding)(2 * i)};
                const sis_id finger = put_stop(scene, string, &at);
                live(scene, finger, "at", at.at, 0.05 + 0.1 * i, 0.4 + 0.1 * i);
                live(scene, finger, "gap", -1e-3, -3e-3, 0);
            }
            bow(scene, string, 0.6);
            pluck(scene, string, 0.3, 2e-3);
            listen(scene, string, 0.5);
            most = fmax(most, check_laws_of(scene, rate, (gesture)(1 + s % 4), FRAMES / 2, 12,
                                            all[s] == PLAIN));
        }
    printf("        two fingers over a barrier: residual %.2g\n", most);
}

// Two strings that touch where they cross, each at a place that moves; and one whose tension grows.
static void the_crossing_of_two_strings_may_move(void) {
    double most = 0;
    for (int m = 0; m < 4; m++)
        for (int how = 1; how < GESTURES; how++) {
            sis_scene* scene = sis_scene_new();
            const sis_id above = put_string(scene, models[m]);
            sis_string_def second = sis_string_default();
            second.length = 0.5;
            second.tension = 100;
            second.density = 0.002;
            second.radius = 3e-4;
            second.youngs = 1e9;
            second.nonlinear = SIS_KIRCHHOFF_CARRIER;
            second.model = models[(m + how) % 4];
            second.segments = second.model == SIS_STRING_MODAL ? 0 : 40;
            const sis_id below = put(scene, SIS_KIND_STRING, &second);
            const double at_above[] = {0.3}, at_below[] = {0.2};
            sis_contact_def def = sis_contact_default();
            def.above = above;
            def.below = below;
            def.at_above = (sis_list){at_above, 1};
            def.at_below = (sis_list){at_below, 1};
            def.gap = 1e-3;
            def.K = 1e6;
            def.alpha = 1.5;
            const sis_id contact = put(scene, SIS_KIND_CONTACT, &def);
            live(scene, contact, "at_above", 0.3, 0.02, 0.6);
            if (how != GESTURE_SINE) live(scene, contact, "at_below", 0.2, 0.1, 0.45);
            if (how == GESTURE_WALK) live(scene, contact, "gap", 1e-3, 0, 2e-3);
            pluck(scene, above, 0.3, 3e-3);
            listen(scene, below, 0.3);
            most = fmax(most, check_laws(scene, rate, (gesture)how, FRAMES, 3));
        }
    printf("        a crossing: residual %.2g\n", most);
}

static void a_mallet_moves_over_a_plate(void) {
    double most = 0;
    for (int m = 0; m < 2; m++)
        for (int how = 1; how < GESTURES; how++) {
            sis_scene* scene = sis_scene_new();
            const sis_id plate = put_plate(scene, m ? SIS_PLATE_MODAL : SIS_PLATE_FD);
            const double at[] = {0.11, 0.13}, bead[] = {0.3, 0.2};
            sis_contact_def def = sis_contact_default();
            def.above = put_mass(scene, 0.02, 1e-3, -1);
            def.below = plate;
            def.at = (sis_list){at, 2};
            def.K = 1e6;
            def.alpha = 2;
            def.damping = 0.1;
            const sis_id contact = put(scene, SIS_KIND_CONTACT, &def);
            live(scene, contact, "at", 0.11, 0.05, 0.35);
            if (how != GESTURE_SINE) live(scene, contact, "at_y", 0.13, 0.05, 0.25);
            def.above = put_mass(scene, 0.02, 1e-3, -1);
            def.at = (sis_list){bead, 2};
            put(scene, SIS_KIND_CONTACT, &def);
            put_gravity(scene, 50);
            sis_probe_def probe = sis_probe_default();
            probe.on = plate;
            probe.at = 0.2;
            probe.at_y = 0.1;
            const sis_id ear = put(scene, SIS_KIND_PROBE, &probe);
            live(scene, ear, "at", 0.2, 0.01, 0.39);
            live(scene, ear, "at_y", 0.1, 0.01, 0.29);
            most = fmax(most, check_laws(scene, rate, (gesture)how, FRAMES, 8));
        }
    printf("        a mallet over a plate: residual %.2g\n", most);
}

// ---------------------------------------------------------------------------- laws of places

// A stop at rest is the same whether its place could move or not.
static void a_place_that_could_move_is_a_place(void) {
    for (int m = 0; m < 4; m++) {
        run r[2];
        for (int moving = 0; moving < 2; moving++) {
            sis_scene* scene = sis_scene_new();
            const sis_id string = put_string(scene, models[m]);
            const stop at = {
                &methods[LEDGER], SIS_LAW_ONE_SIDED, 1e6, 1.5, 0.1, -1e-4, 0.217, false,
                SIS_SOUNDING_LEFT};
            const sis_id finger = put_stop(scene, string, &at);
            if (moving) live(scene, finger, "at", 0.217, 0.1, 0.4);
            pluck(scene, string, 0.3, 3e-3);
            listen(scene, string, 0.5);
            r[moving] = run_live(compiled(scene, rate, 0), NULL, FRAMES, 64);
            sis_scene_free(scene);
        }
        for (int n = 0; n < FRAMES; n++)
            CHECK_NEAR(run_at(&r[0], n, 0), run_at(&r[1], n, 0), 1e-10);
        run_free(&r[0]);
        run_free(&r[1]);
    }
}

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

// ---------------------------------------------------------------------------- refusals

static const char* refused(sis_scene* scene) {
    static char text[512];
    snprintf(text, sizeof text, "%s", refusal_of(scene, rate).text);
    sis_scene_free(scene);
    return text;
}

static sis_scene* with_stop(sis_id* finger, sis_id* string) {
    sis_scene* scene = sis_scene_new();
    *string = put_string(scene, SIS_STRING_FD);
    const stop at = {&methods[LEDGER], SIS_LAW_ONE_SIDED, 1e6, 1.5, 0, -1e-3, 0.2, false,
                     SIS_SOUNDING_NONE};
    *finger = put_stop(scene, *string, &at);
    return scene;
}

static bool slope(void* context, double x, double* out, sis_error* error) {
    (void)context, (void)error;
    *out = -0.01 * x;
    return true;
}

static void what_cannot_move_is_said_in_one_sentence(void) {
    sis_id finger, string;
    sis_scene* scene = with_stop(&finger, &string);
    live(scene, finger, "at", 0.2, 0.1, 0.7);
    CHECK_TEXT(refused(scene), "'at' must stay between the ends of the string, 0 and 0.65 m, and "
                               "input 'at2' takes it from 0.1 to 0.7 m");
    scene = with_stop(&finger, &string);
    sis_contact_def def = sis_contact_default();
    const double places[] = {0.1, 0.3};
    def.above = string;
    def.below = put_barrier(scene, -1e-3);
    def.at = (sis_list){places, 2};
    def.K = 1e6;
    def.alpha = 1;
    live(scene, put(scene, SIS_KIND_CONTACT, &def), "at", 0.1, 0.05, 0.2);
    CHECK_TEXT(refused(scene), "give it one place, not 2");
    scene = with_stop(&finger, &string);
    sis_barrier_def ramp = sis_barrier_default();
    ramp.profile = (sis_profile){.value = slope};
    def.above = string;
    def.below = put(scene, SIS_KIND_BARRIER, &ramp);
    def.at = (sis_list){places, 1};
    live(scene, put(scene, SIS_KIND_CONTACT, &def), "at", 0.1, 0.05, 0.2);
    CHECK_TEXT(refused(scene), "whose 'height' must then be one number");
    scene = with_stop(&finger, &string);
    sis_bow_def stroke = sis_bow_default();
    stroke.on = put_mass(scene, 0.01, 0, 1);
    stroke.force = stroke.velocity = 0.1;
    live(scene, put(scene, SIS_KIND_BOW, &stroke), "at", 0.1, 0.05, 0.2);
    CHECK_TEXT(refused(scene), "what it is on has no places");
    scene = with_stop(&finger, &string);
    sis_error error = {0};
    const sis_id knob = put_input(scene, "knob", 0.1, 0.05, 0.2);
    CHECK(!sis_scene_bind(scene, finger, "at_y", knob, 1, 0, &error));
    CHECK_TEXT(error.text, "'at' has one number");
    const double one[] = {1}, f[] = {200, 300}, mass[] = {0.1, 0.1}, shape[] = {1, 0.5, 0.3, 1};
    sis_modal_def body = sis_modal_default();
    body.frequency = (sis_list){f, 2};
    body.mass = (sis_list){mass, 2};
    body.shape = (sis_list){shape, 4};
    body.points = 2;
    def.above = put_mass(scene, 0.01, 0, 1);
    def.below = put(scene, SIS_KIND_MODAL, &body);
    def.at = (sis_list){one, 1};
    live(scene, put(scene, SIS_KIND_CONTACT, &def), "at", 1, 1, 2);
    CHECK_TEXT(refused(scene), "places move along strings and over plates, not on a modal body");
    scene = with_stop(&finger, &string);
    def.above = put_mass(scene, 0.01, 0, 1);
    def.below = put_barrier(scene, -1e-3);
    def.at = (sis_list){NULL, 0};
    def.sounding = SIS_SOUNDING_LEFT;
    put(scene, SIS_KIND_CONTACT, &def);
    CHECK_TEXT(refused(scene), "'sounding' is for a stop at places of a string");
}

int main(void) {
    RUN(a_stop_a_bow_and_a_pickup_slide_together);
    RUN(a_finger_slides_over_frets);
    RUN(fingers_slide_over_a_barrier);
    RUN(the_crossing_of_two_strings_may_move);
    RUN(a_mallet_moves_over_a_plate);
    RUN(a_place_that_could_move_is_a_place);
    RUN(a_stop_ends_the_part_that_sounds_where_it_says);
    RUN(a_stop_says_the_same_on_every_grid);
    RUN(a_stop_that_slides_does_not_ripple);
    RUN(a_stop_that_slides_follows_the_pitch);
    RUN(a_stop_that_slides_does_not_hiss);
    RUN(what_cannot_move_is_said_in_one_sentence);
    return CHECK_REPORT();
}
