// Strings that start with functions and velocities: the motion against exact solutions, and a
// string thrown flat onto a wall.
#include <stdlib.h>

#include "check.h"
#include "string_reference.h"

static sis_error error;

// ---------------------------------------------------------------------------- functions

/** A sum of sines, m or m/s. */
typedef struct sines {
    double length;
    double part[3]; // of modes 1, 2 and 3
} sines;

static bool sines_at(void* context, double x, double* out, sis_error* why) {
    const sines* s = context;
    (void)why;
    *out = 0;
    for (int p = 0; p < 3; p++)
        *out += s->part[p] * sin((p + 1) * PI * x / s->length);
    return true;
}

static sis_profile profile_of(sines* s) {
    return (sis_profile){.value = sines_at, .context = s};
}

static sis_id put_start(sis_scene* scene, sis_id on, sines* form, sines* velocity) {
    sis_pluck_def def = sis_pluck_default();
    def.on = on;
    if (form) def.profile = profile_of(form);
    if (velocity) def.velocity_profile = profile_of(velocity);
    return put(scene, SIS_KIND_PLUCK, &def);
}

static sis_id put_thrown(sis_scene* scene, sis_id on, double velocity) {
    sis_pluck_def def = sis_pluck_default();
    def.on = on;
    def.velocity = velocity;
    return put(scene, SIS_KIND_PLUCK, &def);
}

static sis_string_def random_string(uint64_t* seed) {
    sis_string_def def = sis_string_default();
    def.length = random_log(seed, 0.3, 2);
    def.density = random_log(seed, 5e-4, 2e-2);
    def.tension = 4 * def.length * def.length * def.density * // f1 from 60 to 300 Hz
                  pow(random_log(seed, 60, 300), 2);
    def.radius = 3e-4;
    def.youngs = random_log(seed, 1e9, 2e11);
    return def;
}

// ---------------------------------------------------------------------------- free motion

// The first row is what was given, and the energy that of the velocity.
static void the_first_row_is_the_given_start(void) {
    uint64_t seed = 11;
    static const double rates[] = {22050, 44100, 48000, 96000};
    for (int kind = 0; kind < STRING_KINDS; kind++)
        for (int i = 0; i < 4; i++) {
            sis_string_def def = random_string(&seed);
            def = string_as(def, &string_kinds[kind]);
            sines u = {def.length, {1e-3 * random_unit(&seed), -1e-3, 5e-4}};
            sines v = {def.length, {0.3, random_unit(&seed), -0.4}};
            const double at = def.length * (0.1 + 0.8 * random_unit(&seed));
            double height, speed;
            sines_at(&u, at, &height, NULL);
            sines_at(&v, at, &speed, NULL);
            for (int moved = 0; moved < 2; moved++) {
                sis_scene* scene = sis_scene_new();
                const sis_id string = put(scene, SIS_KIND_STRING, &def);
                put_start(scene, string, moved ? &u : NULL, &v);
                put_pickup(scene, string, at, SIS_QUANTITY_DISPLACEMENT);
                put_pickup(scene, string, at, SIS_QUANTITY_VELOCITY);
                run r = run_scene(scene, rates[i], 300);
                // between the points of a grid these are interpolated
                CHECK_NEAR(run_at(&r, 0, 0), moved ? height : 0, 3e-7);
                CHECK_NEAR(run_at(&r, 0, 1), speed, 3e-4);
                CHECK_NEAR(run_residual(&r), 0, 1e-12);
                double squares = 0;
                for (int p = 0; p < 3; p++)
                    squares += v.part[p] * v.part[p];
                const double kinetic = 0.25 * string_density(&def) * def.length * squares;
                // Modes that ring exactly: less by sinc^2(w k). Plain gamma: its own mass.
                // Trapezoid: the elastic energy is that of the middle of the step.
                const bool other = string_kinds[kind].model != SIS_STRING_FD;
                if (!moved) {
                    CHECK_NEAR(r.energy[0].total / kinetic, 1, other ? 2e-2 : 1e-9);
                    CHECK_NEAR(r.energy[0].elastic / kinetic, 0, other ? 2e-2 : 1e-9);
                }
                run_free(&r);
            }
        }
}

// One mode thrown with v reaches v/w, and returns to 0 after half a period.
static void a_thrown_mode_swings_as_far_as_v_over_omega(void) {
    uint64_t seed = 3;
    for (int kind = 0; kind < STRING_KINDS; kind++) {
        sis_string_def def = string_as(random_string(&seed), &string_kinds[kind]);
        const double w = exact_omega(&def, 1), speed = 0.7, rate = 96000;
        sines v = {def.length, {speed, 0, 0}};
        sis_scene* scene = sis_scene_new();
        const sis_id string = put(scene, SIS_KIND_STRING, &def);
        put_start(scene, string, NULL, &v);
        put_pickup(scene, string, 0.5 * def.length, SIS_QUANTITY_DISPLACEMENT);
        run r = run_scene(scene, rate, (int32_t)(2 * PI / w * rate));
        double worst = 0;
        for (int32_t n = 0; n < r.frames; n++)
            worst = fmax(worst, fabs(run_at(&r, n, 0) - speed / w * sin(w * n / rate)));
        const bool exact = string_kinds[kind].model == SIS_STRING_MODAL && def.tuned;
        CHECK_NEAR(worst * w / speed, 0, exact ? 1e-9 : 2e-2);
        run_free(&r);
    }
}

// What stands at 0.3 of the string after a time, on a grid that stays, at a rate.
static double reached(const string_kind* kind, bool touching, double rate) {
    static sines u, v;
    sis_string_def def = sis_string_default();
    def.length = 0.7;
    def.density = 4e-3;
    def.tension = 60;
    def.radius = 4e-4;
    def.youngs = 4e10;
    def.sigma0 = 9;
    def = string_as(def, kind);
    if (kind->model == SIS_STRING_IMPLICIT) def.gamma = 0.4;
    if (kind->model == SIS_STRING_MODAL) def.modes = 9;
    def.segments = 10;
    u = (sines){def.length, {1e-3, -4e-4, 2e-4}};
    v = (sines){def.length, {-0.5, 0.8, 0.3}};
    sis_scene* scene = sis_scene_new();
    const sis_id string = put(scene, SIS_KIND_STRING, &def);
    put_start(scene, string, &u, &v);
    if (touching) { // pressed in from the start, so that contacts push in the first step
        sis_contact_def contact = sis_contact_default();
        contact.above = string;
        contact.below = put_barrier(scene, 0);
        contact.K = 2e8;
        contact.alpha = 2;
        contact.gap = -3e-3;
        put(scene, SIS_KIND_CONTACT, &contact);
    }
    put_pickup(scene, string, 0.3 * def.length, SIS_QUANTITY_DISPLACEMENT);
    const int32_t steps = (int32_t)floor(1.5e-3 * rate + 0.5);
    run r = run_scene(scene, rate, steps + 1);
    const double at = run_at(&r, steps, 0);
    CHECK_NEAR(run_residual(&r), 0, 1e-12);
    run_free(&r);
    return at;
}

static void starts_with_velocity_are_second_order(void) {
    static const int kinds[] = {FD_PLAIN, GAMMA_07, TRAPEZOID_PLAIN, MODAL_PLAIN, FD, TRAPEZOID};
    for (int touching = 0; touching < 2; touching++)
        for (int i = 0; i < 6; i++) {
            double at[5];
            for (int j = 0; j < 5; j++)
                at[j] = reached(&string_kinds[kinds[i]], touching, 32000 << j);
            const double order = log2(fabs(at[2] - at[3]) / fabs(at[3] - at[4]));
            printf("  %s%s: order %.3f\n", string_kinds[kinds[i]].name,
                   touching ? ", in contact" : "", order);
            CHECK_NEAR(order, 2, 0.1);
        }
}

// The motion of a string without contacts is linear in its start.
static void several_plucks_add_up(void) {
    uint64_t seed = 7;
    for (int kind = 0; kind < STRING_KINDS; kind++) {
        sis_string_def def = string_as(random_string(&seed), &string_kinds[kind]);
        sines u = {def.length, {1e-3, 2e-4, 0}}, v = {def.length, {0.2, 0, 0.1}};
        run r[3];
        for (int which = 0; which < 3; which++) {
            sis_scene* scene = sis_scene_new();
            const sis_id string = put(scene, SIS_KIND_STRING, &def);
            if (which != 1) put_start(scene, string, &u, &v);
            if (which != 0) put_thrown(scene, string, -0.4);
            if (which != 0) put_pluck(scene, string, SIS_PLUCK_TRIANGLE, 0.3 * def.length, 2e-3);
            put_pickup(scene, string, 0.37 * def.length, SIS_QUANTITY_DISPLACEMENT);
            r[which] = run_scene(scene, 44100, 200);
        }
        for (int32_t n = 0; n < 200; n++)
            CHECK_NEAR(run_at(&r[0], n, 0) + run_at(&r[1], n, 0), run_at(&r[2], n, 0), 1e-14);
        for (int which = 0; which < 3; which++)
            run_free(&r[which]);
    }
}

// A function says what a word says.
static void functions_and_words_agree(void) {
    uint64_t seed = 5;
    for (int kind = 0; kind < STRING_KINDS; kind++) {
        sis_string_def def = string_as(random_string(&seed), &string_kinds[kind]);
        sines u = {def.length, {0, 1e-3, 0}};
        run r[2];
        for (int which = 0; which < 2; which++) {
            sis_scene* scene = sis_scene_new();
            const sis_id string = put(scene, SIS_KIND_STRING, &def);
            if (which)
                put_start(scene, string, &u, NULL);
            else
                put_mode(scene, string, 2, 1e-3);
            put_pickup(scene, string, 0.3 * def.length, SIS_QUANTITY_DISPLACEMENT);
            r[which] = run_scene(scene, 44100, 100);
        }
        for (int32_t n = 0; n < 100; n++)
            CHECK_NEAR(run_at(&r[0], n, 0), run_at(&r[1], n, 0), 1e-12);
        run_free(&r[0]);
        run_free(&r[1]);
    }
}

// ---------------------------------------------------------------------------- onto a wall

// An ideal string, held at both ends, is thrown down flat with v onto a rigid wall g below it. It
// falls as d'Alembert says: -v t in the middle, straight lines at rest to both ends, of slope v/c.
// At g/v its middle, L - 2 c g/v long, lands all at once and leaves with v: what has stopped before
// stays as it is, so that from here on the motion runs backwards. At 2 g/v the string is flat and
// flies up with v, as a free string does, until it is flat again at 2 g/v + L/c, falling with v.
typedef struct fall {
    double length, c, speed, gap; // m, m/s, m/s, m
} fall;

static double risen(const fall* f, double x, double t) {
    const double turn = f->length / f->c, back = fmin(t, turn - t);
    return f->speed * fmin(back, fmin(x, f->length - x) / f->c);
}

static double fall_exact(const fall* f, double x, double t) {
    const double down = 2 * f->gap / f->speed, turn = down + f->length / f->c;
    t -= turn * floor(t / turn);
    return t < down ? -risen(f, x, fmin(t, down - t)) : risen(f, x, t - down);
}

static run fall_run(const fall* f, const string_kind* kind, const method* how, double K,
                    double alpha, double rate, double time) {
    sis_string_def def = sis_string_default();
    def.length = f->length;
    def.density = 8e-3;
    def.tension = f->c * f->c * def.density;
    def = string_as(def, kind);
    sis_scene* scene = sis_scene_new();
    const sis_id string = put(scene, SIS_KIND_STRING, &def);
    put_contact(scene, string, put_barrier(scene, -f->gap), K, alpha, how);
    put_thrown(scene, string, -f->speed);
    for (int i = 1; i <= 9; i += 2)
        put_pickup(scene, string, 0.1 * i * f->length, SIS_QUANTITY_DISPLACEMENT);
    return run_scene(scene, rate, (int32_t)(time * rate));
}

// Largest distance from the exact motion over the depth of the wall.
static double fall_error(const fall* f, const run* r, double rate) {
    double worst = 0;
    for (int32_t n = 0; n < r->frames; n++)
        for (int i = 0; i < 5; i++)
            worst = fmax(worst, fabs(run_at(r, n, i) -
                                     fall_exact(f, (0.1 + 0.2 * i) * f->length, n / rate)));
    return worst / f->gap;
}

// A wall that gives within less than a sample: one bounce is off by some samples at most.
static void a_string_thrown_on_a_rigid_wall_follows_the_exact_motion(void) {
    static const int kinds[] = {FD, STAR, GAMMA_TUNED, TRAPEZOID, MODAL};
    const fall f = {0.9, 120, 1.3, 1.5e-3};
    const double time = 1.4 * (2 * f.gap / f.speed + f.length / f.c);
    for (int m = 0; m < METHODS; m++) {
        double error_at[3];
        for (int j = 0; j < 3; j++) {
            const double rate = 22050 << j;
            run r = fall_run(&f, &string_kinds[FD], &methods[m], 1e14, 1, rate, time);
            error_at[j] = fall_error(&f, &r, rate);
            CHECK_NEAR(run_residual(&r), 0, 1e-12);
            run_free(&r);
        }
        printf("  fd %s, 22 to 88 kHz: off by %.3f %.3f %.3f of the depth\n", methods[m].name,
               error_at[0], error_at[1], error_at[2]);
        CHECK(error_at[0] < 0.3);
        CHECK(error_at[2] < 0.4 * error_at[0]);
    }
    for (int i = 1; i < 5; i++)
        for (int m = 0; m < METHODS; m++) {
            double error_at[2];
            if (m == EXACT) continue; // its points must not move each other
            for (int j = 0; j < 2; j++) {
                const double rate = 11025 << (2 * j);
                run r = fall_run(&f, &string_kinds[kinds[i]], &methods[m], 1e11, 1, rate, time);
                error_at[j] = fall_error(&f, &r, rate);
                CHECK_NEAR(run_residual(&r), 0, 1e-11);
                run_free(&r);
            }
            printf("  %s %s, 11 and 44 kHz: %.3f %.3f\n", string_kinds[kinds[i]].name,
                   methods[m].name, error_at[0], error_at[1]);
            if (m != PLAIN && m != RELEASE) CHECK(error_at[1] < 0.2);
        }
}

// A softer wall keeps the string for pi sqrt(rho/K) at each of the two bounces: off by about the
// way it flies meanwhile.
static void softer_walls_come_nearer_as_they_stiffen(void) {
    const fall f = {0.9, 120, 1.3, 1.5e-3};
    const double rate = 352800, time = 1.2 * (2 * f.gap / f.speed + f.length / f.c);
    for (int m = 0; m < 4; m++) {
        double before = 0;
        for (int j = 0; j < 4; j++) {
            const double K = 2e5 * pow(16, j);
            run r = fall_run(&f, &string_kinds[FD], &methods[m], K, 1, rate, time);
            const double off = fall_error(&f, &r, rate) * f.gap;
            const double way = f.speed * PI * sqrt(8e-3 / K);
            if (m == 0) printf("  K = %g N/m^2: off by %.3g of that way\n", K, off / way);
            CHECK(off < 2.5 * way + 6 * f.speed / rate);
            if (j) CHECK(off < 0.45 * before);
            before = off;
            run_free(&r);
        }
    }
}

// Whatever is thrown, at any place, in any model, with losses: the balance closes from the start.
static void the_balance_of_thrown_strings_closes(void) {
    uint64_t seed = 20;
    static const double rates[] = {22050, 44100, 48000, 96000};
    for (int i = 0; i < (SANITIZED ? 22 : 88); i++) {
        const int kind = i % STRING_KINDS, m = i % METHODS;
        sis_string_def def = random_string(&seed);
        def.sigma0 = 3 * random_unit(&seed);
        def.sigma1 = 1e-3 * random_unit(&seed);
        def = string_as(def, &string_kinds[kind]);
        const bool stretches = def.model != SIS_STRING_TRAPEZOID && i % 3 == 0;
        if (stretches) def.nonlinear = SIS_KIRCHHOFF_CARRIER;
        if (def.model == SIS_STRING_MODAL || stretches) def.segments = 40;
        if (def.model == SIS_STRING_MODAL) def.modes = 15;
        sis_scene* scene = sis_scene_new();
        const sis_id string = put(scene, SIS_KIND_STRING, &def);
        sines u = {def.length, {1e-4 * random_unit(&seed), 0, 0}};
        put_thrown(scene, string, -2 * random_unit(&seed));
        put_start(scene, string, &u, NULL);
        sis_contact_def contact = sis_contact_default();
        contact.above = string;
        contact.below = put_barrier(scene, -1e-3 * random_unit(&seed));
        contact.K = random_log(&seed, 1e4, 1e13);
        contact.alpha = 1 + 2 * random_unit(&seed);
        contact.scheme = m == EXACT ? SIS_SCHEME_LEDGER : methods[m].scheme;
        contact.release = methods[m].release;
        contact.potential = methods[m].potential;
        put(scene, SIS_KIND_CONTACT, &contact);
        put_pickup(scene, string, 0.4 * def.length, SIS_QUANTITY_VELOCITY);
        run r = run_scene(scene, rates[i % 4], 400);
        CHECK_NEAR(run_residual(&r), 0, 1e-11);
        CHECK_NEAR(r.energy[0].residual, 0, 1e-12 * r.energy[0].total);
        run_free(&r);
    }
}

// ---------------------------------------------------------------------------- refused

static bool nowhere(void* context, double x, double* out, sis_error* why) {
    (void)context;
    *out = x < 0.5 ? 0 : (double)NAN;
    (void)why;
    return true;
}

static void refused(const sis_pluck_def* def, sis_scene* scene, const char* part) {
    error = (sis_error){.status = SIS_OK};
    CHECK(sis_scene_add_pluck(scene, def, &error) == SIS_NONE);
    CHECK_TEXT(error.text, part);
}

static void starts_that_cannot_be_are_refused_by_name(void) {
    sis_string_def def = string_short();
    sis_scene* scene = sis_scene_new();
    const sis_id string = put(scene, SIS_KIND_STRING, &def);
    const sis_id mass = put_mass(scene, 1, 0, 0);
    sines u = {def.length, {1e-3, 0, 0}};
    sis_pluck_def pluck = sis_pluck_default();
    pluck.on = string;
    refused(&pluck, scene, "'height' (m) is missing");
    pluck.velocity = 1;
    pluck.velocity_profile = profile_of(&u);
    refused(&pluck, scene, "'velocity' as a number or as a function");
    pluck.velocity_profile = (sis_profile){NULL, NULL, NULL};
    pluck.at = 0.1;
    refused(&pluck, scene, "'height' (m) of its shape is missing");
    pluck.profile = profile_of(&u);
    refused(&pluck, scene, "a function is the whole shape");
    pluck.at = (double)NAN;
    pluck.profile.over = NULL;
    pluck.profile.value = NULL;
    pluck.on = mass;
    refused(&pluck, scene, "'on' must be a string, plate or modal body, got mass");
    pluck.on = string;
    pluck.velocity = 2e6;
    refused(&pluck, scene, "'velocity' must be between");
    pluck = sis_pluck_default();
    pluck.on = string;
    pluck.height = 1;
    pluck.shape = SIS_PLUCK_MODE;
    pluck.mode = 1;
    pluck.mode_y = 2;
    refused(&pluck, scene, "is a mode of a plate");
    pluck = sis_pluck_default();
    pluck.on = string;
    pluck.velocity_profile.value = nowhere;
    put(scene, SIS_KIND_PLUCK, &pluck);
    const sis_options options = sis_options_default(scene);
    CHECK(sis_compile(scene, &options, &error) == NULL);
    CHECK_TEXT(error.text, "pluck 'pluck1': 'velocity' at 0.5");
    CHECK_TEXT(error.text, "must be between -1e+06 and 1e+06 m/s, got");
    sis_scene_free(scene);
}

int main(void) {
    RUN(the_first_row_is_the_given_start);
    RUN(a_thrown_mode_swings_as_far_as_v_over_omega);
    RUN(starts_with_velocity_are_second_order);
    RUN(several_plucks_add_up);
    RUN(functions_and_words_agree);
    RUN(a_string_thrown_on_a_rigid_wall_follows_the_exact_motion);
    RUN(softer_walls_come_nearer_as_they_stiffen);
    RUN(the_balance_of_thrown_strings_closes);
    RUN(starts_that_cannot_be_are_refused_by_name);
    return CHECK_REPORT();
}
