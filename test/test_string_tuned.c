// Strings that nobody chose: they ring and decay as they should, in every model, held in either
// way.
#include "check.h"
#include "string_reference.h"

static double uniform(unsigned* seed, double from, double to) {
    *seed = *seed * 1664525u + 1013904223u;
    return from + (to - from) * ((*seed >> 8) / 16777216.0);
}

static double log_uniform(unsigned* seed, double from, double to) {
    return exp(uniform(seed, log(from), log(to)));
}

// From gut to steel, 55 to 700 Hz if it were ideal. Its clamps reach sqrt(EI/T), a few hundredths
// of its length at most.
static sis_string_def any_string(unsigned* seed) {
    sis_string_def def = string_2019();
    def.sigma0 = def.sigma1 = NAN;
    def.density = NAN;
    for (;;) {
        def.length = log_uniform(seed, 0.25, 2);
        def.radius = log_uniform(seed, 1e-4, 6e-4);
        def.youngs = log_uniform(seed, 3e9, 2.1e11);
        def.material_density = log_uniform(seed, 1100, 8500);
        def.tension = string_density(&def) * pow(2 * def.length * log_uniform(seed, 55, 700), 2);
        if (sqrt(string_stiffness(&def) / def.tension) < 0.01 * def.length) return def;
    }
}

static const int all[] = {FD, STAR, GAMMA_TUNED, TRAPEZOID, MODAL};
enum { ALL = sizeof all / sizeof *all };

static sis_system* alone(sis_string_def def, double rate) {
    sis_scene* scene = sis_scene_new();
    put(scene, SIS_KIND_STRING, &def);
    return compiled(scene, rate);
}

// ---------------------------------------------------------------------------- pitch

// 0 where a clamped stiff string has a partial: u and u' are 0 at both ends, counted from one of
// them (the program counts from the middle), over cosh(b L).
static double hold(const sis_string_def* def, double w) {
    const double T = def->tension, EI = string_stiffness(def), r = string_density(def);
    const double root = sqrt(T * T + 4 * EI * r * w * w), L = def->length;
    const double a = sqrt(2 * r * w * w / (T + root)), b = sqrt((root + T) / (2 * EI));
    return 2 / cosh(b * L) - 2 * cos(a * L) + (b / a - a / b) * tanh(b * L) * sin(a * L);
}

static double clamped_partial(const sis_string_def* def, int32_t p) {
    double low = exact_omega(def, p), high = exact_omega(def, p + 1);
    const bool sign = hold(def, low * (1 + 1e-9)) > 0;
    for (int i = 0; i < 200; i++) {
        const double w = (low + high) / 2;
        *((hold(def, w) > 0) == sign ? &low : &high) = w;
    }
    return low / (2 * PI);
}

// First partials of many strings, in cents off the string itself: clamps are no worse than
// supports.
static void first_partials_of_any_string_are_in_tune(void) {
    static const double rates[] = {44100, 48000, 96000};
    double worst[ALL][2][6] = {0};
    unsigned seed = 2026;
    for (int n = 0; n < 60; n++) {
        sis_string_def any = any_string(&seed);
        for (int i = 0; i < ALL; i++)
            for (int e = 0; e < 2; e++) {
                sis_string_def def = string_as(any, &string_kinds[all[i]]);
                def.ends = e ? SIS_ENDS_CLAMPED : SIS_ENDS_SUPPORTED;
                sis_system* system = alone(def, rates[n % 3]);
                for (int32_t p = 1; p <= 5; p++) {
                    double rings = 0, exact = 0;
                    CHECK(sis_system_partial(system, 0, p, &rings, &exact));
                    const double truth =
                        e ? clamped_partial(&def, p) : exact_omega(&def, p) / (2 * PI);
                    CHECK_NEAR(exact, truth, 1e-9 * truth);
                    worst[i][e][p] = fmax(worst[i][e][p], fabs(cents(rings, truth)));
                }
                sis_system_free(system);
            }
    }
    for (int i = 0; i < ALL; i++)
        for (int e = 0; e < 2; e++) {
            printf("  %-20s %-9s", string_kinds[all[i]].name, e ? "clamped" : "supported");
            for (int p = 1; p <= 5; p++)
                printf(" %7.4f", worst[i][e][p]);
            printf(" cents at most\n");
            if (e) CHECK(worst[i][e][1] < 0.01);
            for (int p = 1; p <= 5; p++) // one cent but for what the grid does between its ends
                CHECK(worst[i][e][p] < 1 + (e ? 1.3 * worst[i][0][p] : 12));
            if (all[i] == MODAL) CHECK(worst[i][e][5] < 1e-9);
        }
}

// ---------------------------------------------------------------------------- decay

// What is at f Hz in a part of a signal, through a window that leaves other partials out.
static void listen(const double* x, int32_t count, double f, double rate, double* size,
                   double* phase) {
    double re = 0, im = 0;
    for (int32_t n = 0; n < count; n++) {
        const double window = pow(sin(PI * (n + 0.5) / count), 4), t = n / rate;
        re += window * x[n] * cos(2 * PI * f * t);
        im -= window * x[n] * sin(2 * PI * f * t);
    }
    *size = hypot(re, im);
    *phase = atan2(im, re);
}

typedef struct heard {
    double t60, frequency;
} heard;

static heard hear(const run* r, double near, double rate) {
    const int32_t half = r->frames / 2;
    double size[2], phase[2];
    for (int i = 0; i < 2; i++)
        listen(r->rows + i * half, half, near, rate, &size[i], &phase[i]);
    const double turn = remainder(phase[1] - phase[0] - 2 * PI * near * half / rate, 2 * PI);
    return (heard){half / rate * 3 * log(10) / log(size[0] / size[1]),
                   near + turn * rate / (2 * PI * half)};
}

// t60 at two partials, the decay of both and of one between them in the sound. The sound rings at
// sqrt(w^2 - sigma^2).
static void strings_decay_as_asked_for(void) {
    enum { LOW = 1, BETWEEN = 3, HIGH = 6 };
    static const double rates[] = {44100, 48000, 22050, 96000};
    unsigned seed = 60;
    double worst[ALL][2] = {0}, between[ALL] = {0}, detuned[2] = {0};
    for (int n = 0; n < 4; n++) {
        sis_string_def any = any_string(&seed);
        const double slow = log_uniform(&seed, 0.5, 4), fast = slow * uniform(&seed, 0.15, 0.7);
        const double rate = rates[n];
        for (int i = 0; i < ALL; i++)
            for (int e = 0; e < 2; e++) {
                sis_string_def def = string_as(any, &string_kinds[all[i]]);
                def.ends = e ? SIS_ENDS_CLAMPED : SIS_ENDS_SUPPORTED;
                double f[HIGH + 1], own[HIGH + 1];
                sis_system* system = alone(def, rate);
                for (int32_t p = 1; p <= HIGH; p++)
                    CHECK(sis_system_partial(system, 0, p, &own[p], &f[p]));
                sis_system_free(system);
                double pairs[4] = {f[LOW], slow, f[HIGH], fast};
                def.t60 = (sis_envelope){pairs, 2};
                sis_scene* scene = sis_scene_new();
                const sis_id string = put(scene, SIS_KIND_STRING, &def);
                put_pluck(scene, string, SIS_PLUCK_TRIANGLE, 0.13 * def.length, 1e-3);
                put_pickup(scene, string, 0.41 * def.length, SIS_QUANTITY_DISPLACEMENT);
                run r = run_scene(scene, rate, (int32_t)(0.4 * rate));
                const heard low = hear(&r, f[LOW], rate), high = hear(&r, own[HIGH], rate);
                const heard middle = hear(&r, own[BETWEEN], rate);
                worst[i][e] = fmax(worst[i][e], fabs(low.t60 / slow - 1));
                worst[i][e] = fmax(worst[i][e], fabs(high.t60 / fast - 1));
                const double sigma = 3 * log(10) / slow;
                const double rings = sqrt(f[LOW] * f[LOW] - pow(sigma / (2 * PI), 2));
                detuned[e] = fmax(detuned[e], fabs(cents(low.frequency, rings)));
                // sigma = s0 + s1 beta^2 between them
                const sis_body_info used = sis_system_body(r.system, 0);
                const double b2 = pow(BETWEEN * PI / def.length, 2);
                const double asked = 3 * log(10) / (used.sigma0 + used.sigma1 * b2);
                if (!e) between[i] = fmax(between[i], fabs(middle.t60 / asked - 1));
                CHECK(middle.t60 < slow * 1.01 && middle.t60 > fast * 0.99);
                CHECK_NEAR(run_residual(&r), 0, 1e-12);
                run_free(&r);
            }
    }
    for (int i = 0; i < ALL; i++) {
        printf(
            "  T60 of %-20s supported off by %.3f %%, between the two asked for %.2f %%; clamped "
            "%.3f %%\n",
            string_kinds[all[i]].name, 100 * worst[i][0], 100 * between[i], 100 * worst[i][1]);
        CHECK(worst[i][0] < 0.002 && worst[i][1] < 0.002);
        CHECK(between[i] < (all[i] == TRAPEZOID ? 0.025 : 0.01)); // it warps as it detunes
    }
    printf("  first partial in the sound off by %.4f cents supported, %.4f clamped\n", detuned[0],
           detuned[1]);
    CHECK(detuned[0] < 1 && detuned[1] < 0.05);
}

// sigma0 and sigma1 of a clamped string: those of the differential equation, to first order.
static void clamps_weigh_sigma1(void) {
    unsigned seed = 5;
    for (int n = 0; n < 3; n++) {
        sis_string_def any = any_string(&seed);
        double decay[ALL];
        any.ends = SIS_ENDS_CLAMPED;
        any.sigma0 = 0;
        any.sigma1 = 2 / pow(PI / any.length, 2); // about 2 1/s
        for (int i = 0; i < ALL; i++) {
            const sis_string_def def = string_as(any, &string_kinds[all[i]]);
            sis_scene* scene = sis_scene_new();
            const sis_id string = put(scene, SIS_KIND_STRING, &def);
            put_mode(scene, string, 1, 1e-3);
            put_pickup(scene, string, 0.5 * def.length, SIS_QUANTITY_DISPLACEMENT);
            run r = run_scene(scene, 44100, 17640);
            decay[i] = 3 * log(10) / hear(&r, clamped_partial(&def, 1), 44100).t60;
            run_free(&r);
        }
        // sigma = sigma1 rho dw^2/dT: how fast the square of a partial grows with the tension is
        // the integral of the square of its slope.
        sis_string_def more = any, less = any;
        more.tension *= 1 + 1e-4;
        less.tension *= 1 - 1e-4;
        const double grows = pow(2 * PI, 2) * (pow(clamped_partial(&more, 1), 2) -
                                               pow(clamped_partial(&less, 1), 2));
        const double sigma =
            any.sigma1 * string_density(&any) * grows / (more.tension - less.tension);
        printf("  clamped: sigma %.5f 1/s;", sigma);
        for (int i = 0; i < ALL; i++) {
            printf(" %.5f", decay[i]);
            CHECK_NEAR(decay[i], sigma, 2e-3 * sigma);
        }
        printf("\n");
    }
}

// ---------------------------------------------------------------------------- starts

enum { SEGMENTS = 100 };
static const double at = 0.23, width = 0.1, height = 1e-3;

static sis_string_def clamped_string(sis_string_model model) {
    sis_string_def def = string_2019();
    def.length = 0.7;
    def.radius = 8e-4;
    def.ends = SIS_ENDS_CLAMPED;
    def.segments = SEGMENTS;
    def.model = model;
    return def;
}

static bool triangle(void* context, double x, double* out, sis_error* error) {
    (void)context, (void)error;
    *out = height * (x < at ? x / at : (0.7 - x) / (0.7 - at));
    return true;
}

static bool bump(void* context, double x, double* out, sis_error* error) {
    (void)context, (void)error;
    const double away = fabs(x - at);
    *out = away < width / 2 ? height / 2 * (1 + cos(2 * PI * away / width)) : 0;
    return true;
}

// The shape of a clamped string of modes at the start, by word or by function.
static void begin(sis_pluck_shape word, bool by_function, double* u) {
    sis_scene* scene = sis_scene_new();
    const sis_string_def def = clamped_string(SIS_STRING_MODAL);
    sis_pluck_def pluck = sis_pluck_default();
    pluck.on = put(scene, SIS_KIND_STRING, &def);
    if (by_function) {
        pluck.profile.value = word == SIS_PLUCK_TRIANGLE ? triangle : bump;
    } else {
        pluck.shape = word;
        pluck.at = at;
        pluck.height = height;
        if (word == SIS_PLUCK_RAISED_COSINE) pluck.width = width;
    }
    put(scene, SIS_KIND_PLUCK, &pluck);
    run r = run_system(compiled(scene, 44100), 0, 1);
    sis_state_shape(r.system, r.state, 0, u);
    run_free(&r);
}

// A clamped string of modes begins with the shape it is given.
static void clamped_modes_take_the_shape_they_are_given(void) {
    for (int form = 0; form < 2; form++) {
        double word[SEGMENTS + 1], function[SEGMENTS + 1], worst = 0, apart = 0, given;
        const sis_pluck_shape kind = form ? SIS_PLUCK_RAISED_COSINE : SIS_PLUCK_TRIANGLE;
        begin(kind, false, word);
        begin(kind, true, function);
        for (int32_t j = 1; j < SEGMENTS; j++) {
            const double x = 0.7 * j / SEGMENTS;
            (form ? bump : triangle)(NULL, x, &given, NULL);
            const bool rings = fabs(x - at) < 0.02 || x < 0.03 || x > 0.67; // a kink, a clamp
            if (!rings) worst = fmax(worst, fabs(word[j] - given));
            apart = fmax(apart, fabs(word[j] - function[j]));
        }
        printf("  %s of 1 mm: off by %.1e m, word and function apart by %.1e m\n",
               form ? "a bump" : "a triangle", worst, apart);
        CHECK(worst < 2e-5);
        CHECK(apart < 1e-6);
    }
}

// Thrown flat and pulled by gravity, modes fall as a grid does.
static void clamped_modes_fall_as_a_grid_does(void) {
    double low[2];
    for (int grid = 0; grid < 2; grid++) {
        sis_scene* scene = sis_scene_new();
        const sis_string_def def = clamped_string(grid ? SIS_STRING_FD : SIS_STRING_MODAL);
        sis_pluck_def throw = sis_pluck_default();
        const sis_id string = throw.on = put(scene, SIS_KIND_STRING, &def);
        throw.height = NAN;
        throw.velocity = -1;
        put(scene, SIS_KIND_PLUCK, &throw);
        sis_gravity_def gravity = sis_gravity_default();
        gravity.on = (sis_objects){&string, 1};
        gravity.g = 4000; // as much as the throw in a quarter of a millisecond
        put(scene, SIS_KIND_GRAVITY, &gravity);
        put_pickup(scene, string, 0.31, SIS_QUANTITY_DISPLACEMENT);
        run r = run_scene(scene, 44100, 20);
        low[grid] = run_at(&r, 19, 0);
        CHECK_NEAR(run_residual(&r), 0, 1e-12);
        run_free(&r);
    }
    printf("  modes %.6g m, a grid %.6g m\n", low[0], low[1]);
    CHECK_NEAR(low[0], low[1], 2e-3 * fabs(low[1]));
}

int main(void) {
    RUN(first_partials_of_any_string_are_in_tune);
    RUN(strings_decay_as_asked_for);
    RUN(clamps_weigh_sigma1);
    RUN(clamped_modes_take_the_shape_they_are_given);
    RUN(clamped_modes_fall_as_a_grid_does);
    return CHECK_REPORT();
}
