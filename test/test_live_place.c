// Places that move while it sounds: stops that slide, bows, mallets and pickups. The energy balance
// closes whatever the hand does, and a stop ends the string where it says.
#include "live.h"

enum { FRAMES = SANITIZED ? 400 : 3000 };

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

enum { MOST_PARTIALS = 3 };

typedef struct slide {
    sis_string_model model;
    sis_sounding sounding;
    bool tuned;
    double from, to, speed; // m, m, m/s
    int partials;
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
    def.segments = s->model == SIS_STRING_MODAL ? 0 : 100;
    def.modes = s->model == SIS_STRING_MODAL ? 100 : 0;
    const sis_id string = put(scene, SIS_KIND_STRING, &def);
    const stop at = {&methods[LEDGER], SIS_LAW_TWO_SIDED, 1e7, 1, 0, 0, s->from, false, s->sounding};
    live(scene, put_stop(scene, string, &at), "at", s->from, 0.1 * LENGTH, 0.9 * LENGTH);
    sis_pluck_def start = sis_pluck_default();
    start.on = string;
    start.profile = (sis_profile){.value = shape_of, .context = s};
    put(scene, SIS_KIND_PLUCK, &start);
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

// What is left of a signal at the expected phase, smoothed twice over `wide` samples (Hann), one
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
        for (int32_t j = -wide; j <= wide; j++) { // the square of a Hann window falls fast
            const double h = 0.5 + 0.5 * cos(PI * j / wide), w = h * h;
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
    const int32_t wide = (int32_t)(1.5 * rate / slowest), room = s->frames / EACH + 2;
    double *re = calloc((size_t)room, sizeof *re), *im = calloc((size_t)room, sizeof *im);
    double* cents = calloc((size_t)room, sizeof *cents);
    const int32_t count = mix_down(s, r, wide, re, im) - 1;
    pitch p = {0, 0, 0};
    for (int32_t i = 0; i < count; i++) {
        const double turn = atan2(im[i + 1] * re[i] - re[i + 1] * im[i],
                                  re[i + 1] * re[i] + im[i + 1] * im[i]);
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

static void show(void) {
    for (int m = 0; m < 4; m++)
        for (int tuned = 0; tuned < 2; tuned++)
            for (int sounding = 0; sounding < 3; sounding++) {
                printf("model %d tuned %d sounding %d:", m, tuned, sounding);
                for (int i = 0; i < 6; i++) {
                    slide s = {models[m], (sis_sounding)sounding, tuned, 0.195 + i * 0.2 * 0.0065, 0,
                               0, 1, 30000};
                    run r = run_slide(&s);
                    const pitch p = pitch_of(&s, &r);
                    printf(" %.3f", p.mean);
                    run_free(&r);
                }
                printf("\n");
            }
    for (int m = 0; m < 4; m++)
        for (int sounding = 0; sounding < 3; sounding++) {
            slide s = {models[m], (sis_sounding)sounding, true, sounding == 2 ? 0.52 : 0.13, sounding == 2 ? 0.13 : 0.52, 0.1, 1, 170000};
            run r = run_slide(&s);
            const pitch p = pitch_of(&s, &r);
            printf("slide model %d sounding %d: most %.3f mean %.3f ripple %.4f residual %.2g\n", m, sounding, p.most, p.mean, p.ripple, residual_from(&r, 0));
            run_free(&r);
        }
}

int main(int argc, char** argv) {
    (void)argv;
    if (argc > 1) {
        show();
        return 0;
    }
    RUN(a_stop_a_bow_and_a_pickup_slide_together);
    RUN(a_finger_slides_over_frets);
    RUN(the_crossing_of_two_strings_may_move);
    RUN(a_mallet_moves_over_a_plate);
    RUN(a_place_that_could_move_is_a_place);
    return CHECK_REPORT();
}
