// The strings, their contacts and their start against the second way of string_reference.h: same
// equations, other arithmetic, so only rounding may part them.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "string_reference.h"

static const double push_peak = 4, push_width = 1.5e-3, push_start = 0.4e-3;

static const method newton_mean = {"newton", SIS_SCHEME_NEWTON, false, SIS_POTENTIAL_MEAN};
static const method newton_mid = {"newton mid", SIS_SCHEME_NEWTON, false, SIS_POTENTIAL_MIDPOINT};
static const method psi = {"quadratised", SIS_SCHEME_QUADRATISED, false, SIS_POTENTIAL_MEAN};

static double low_bed(double x) {
    return -2e-4 - 3e-3 * (x - 0.25) * (x - 0.25);
}

// A scene beside its reference. The scene is compiled first: the reference takes its grid from it.
typedef struct pair {
    sis_scene* scene;
    sis_system* system;
    ref* other;
    real row[4][REF_DOFS]; // what the probes read
    int rows;
    bool pushed;
    bool free; // nothing to touch
} pair;

static void listen(pair* p, int body, double x) {
    ref_read(p->other, body, x, 3, 1, p->row[p->rows++]);
}

// What two runs of the same scene differ by: `program` the program's from the reference's, `shaken`
// that of the reference when its push or start is off by the last bit of a double, both of the
// largest value. The quadratised scheme amplifies roundings (an open point keeps its psi, the
// sample in which it closes again decides): no two arithmetics can agree better than `shaken`.
typedef struct distance {
    double program, shaken;
} distance;

static double value(const pair* p, int i, const real* u) {
    real sum = 0;
    for (int j = 0; j < p->other->dofs; j++)
        sum += p->row[i][j] * u[j];
    return (double)sum;
}

static double push_now(const pair* p, double t) {
    return p->pushed ? push_at(push_peak, push_width, push_start, t) : 0;
}

static void note(double* worst, double off) {
    if (!(off <= *worst)) *worst = off;
}

static distance apart(pair* p, int32_t frames) {
    const double bit = 1 + 0x1p-52;
    run r = run_system(p->system, frames, 64);
    ref* twin = malloc(sizeof *twin);
    if (!twin) exit(1);
    memcpy(twin, p->other, sizeof *twin);
    for (int i = 0; i < twin->dofs; i++)
        twin->u[i] *= (real)bit;
    const bool shake = p->other->scheme == SIS_SCHEME_QUADRATISED;
    distance worst = {0, 0};
    double reach = 0;
    ref_start(p->other, push_now(p, 0));
    ref_start(twin, push_now(p, 0) * bit);
    for (int32_t n = 0; n < frames; n++) {
        const real *u = n ? p->other->u : p->other->before, *v = n ? twin->u : twin->before;
        for (int i = 0; i < p->rows; i++) {
            const double exact = value(p, i, u);
            reach = fmax(reach, fabs(exact));
            note(&worst.program, fabs(run_at(&r, n, i) - exact));
            if (shake) note(&worst.shaken, fabs(value(p, i, v) - exact));
        }
        const double t = n * p->other->k;
        if (n) ref_step(p->other, push_now(p, t));
        if (n && shake) ref_step(twin, push_now(p, t) * bit);
    }
    bool touched = p->free || sis_system_link_count(r.system) == 0;
    for (int32_t i = 0; i < sis_system_link_count(r.system); i++)
        touched |= sis_state_link(r.system, r.state, i).max_penetration > 0;
    CHECK(touched);
    run_free(&r);
    free(twin);
    free(p->other);
    return (distance){worst.program / reach, worst.shaken / reach};
}

// Rounding, and a thousand times what one rounding grows to.
static double judged(distance g) {
    CHECK_NEAR(g.program, 0, 1e-12 + 1000 * g.shaken);
    CHECK_NEAR(g.shaken, 0, 1e-6); // else the case proves nothing
    return g.program;
}

// ---------------------------------------------------------------------------- one string on a bed

static double on_bed(const sis_string_def* def, const method* how, double K, double alpha,
                     double gap, int32_t frames) {
    pair p = {.pushed = true};
    sis_scene* scene = sis_scene_new();
    const sis_id string = put(scene, SIS_KIND_STRING, def);
    sis_contact_def contact = sis_contact_default();
    contact.above = string;
    contact.below = put_bed(scene, low_bed, 0);
    contact.K = K;
    contact.alpha = alpha;
    contact.gap = gap;
    contact.scheme = how->scheme;
    contact.potential = how->potential;
    put(scene, SIS_KIND_CONTACT, &contact);
    put_push(scene, string, 0.17, push_peak, push_width, push_start);
    put_pickup(scene, string, 0.411, SIS_QUANTITY_DISPLACEMENT);
    put_pickup(scene, string, 0.013, SIS_QUANTITY_DISPLACEMENT); // next to the end: ghosts
    p.system = compiled(scene, SHORT_RATE);
    const sis_body_info used = sis_system_body(p.system, 0);
    p.other = ref_new(SHORT_RATE, how->scheme, how->potential == SIS_POTENTIAL_MIDPOINT);
    const int body = ref_string(p.other, def, &used);
    ref_push(p.other, body, 0.17);
    ref_bed(p.other, body, 0, def->length, low_bed, 0, K, alpha);
    for (int c = 0; c < p.other->contacts; c++)
        p.other->offset[c] -= (real)gap;
    listen(&p, body, 0.411);
    listen(&p, body, 0.013);
    return judged(apart(&p, frames));
}

static void every_model_agrees_with_the_dense_two_step_form(void) {
    static const struct { double K, alpha; } walls[] = {{1e6, 1}, {1e8, 1.4}, {1e11, 2.3}};
    const method* hows[] = {&newton_mean, &newton_mid, &psi};
    for (int i = 0; i < STRING_KINDS; i++) {
        const sis_string_def def = string_as(string_short(), &string_kinds[i]);
        for (int w = 0; w < 3; w++) {
            printf("  %-22s alpha %.1f:", string_kinds[i].name, walls[w].alpha);
            for (int m = 0; m < 3; m++) {
                const double gone = on_bed(&def, hows[m], walls[w].K, walls[w].alpha, 0, 100);
                printf("  %s %.1e", hows[m]->name, gone);
            }
            printf("\n");
        }
    }
}

static void clamped_strings_agree_too(void) {
    static const int kinds[] = {FD, FD_PLAIN, STAR, STAR_PLAIN, GAMMA_07, TRAPEZOID_PLAIN};
    for (int i = 0; i < 6; i++) {
        sis_string_def def = string_as(string_short(), &string_kinds[kinds[i]]);
        def.ends = SIS_ENDS_CLAMPED;
        const double a = on_bed(&def, &newton_mean, 1e8, 1.4, 0, 100);
        const double b = on_bed(&def, &psi, 1e8, 1.4, 0, 100);
        printf("  clamped %-20s newton %.1e, quadratised %.1e\n", string_kinds[kinds[i]].name, a,
               b);
    }
}

static void kirchhoff_carrier_agrees_with_the_linearly_implicit_form(void) {
    static const int kinds[] = {FD, FD_PLAIN, STAR, STAR_PLAIN, MODAL, MODAL_PLAIN};
    const method* hows[] = {&newton_mean, &newton_mid, &psi};
    for (int i = 0; i < 6; i++)
        for (int m = 0; m < 3; m++) {
            sis_string_def def = string_as(string_short(), &string_kinds[kinds[i]]);
            def.nonlinear = SIS_KIRCHHOFF_CARRIER;
            if (def.model != SIS_STRING_MODAL) def.segments = 22;
            const double gone = on_bed(&def, hows[m], 1e8, 1.4, 0, 100);
            printf("  stretching %-18s %-12s %.1e\n", string_kinds[kinds[i]].name, hows[m]->name,
                   gone);
        }
}

static void t60_gives_the_same_string_as_its_sigmas(void) {
    // sigma = 3 ln 10/T60 = s0 + s1 beta^2(f)
    sis_string_def def = string_short(), by_time = string_short();
    const double c2 = def.tension / def.density, kappa2 = string_stiffness(&def) / def.density;
    double pairs[4] = {200, 0, 1500, 0};
    for (int i = 0; i < 4; i += 2) {
        const double w = 2 * PI * pairs[i];
        const double b2 = (sqrt(c2 * c2 + 4 * kappa2 * w * w) - c2) / (2 * kappa2);
        pairs[i + 1] = 3 * log(10) / (def.sigma0 + def.sigma1 * b2);
    }
    by_time.sigma0 = by_time.sigma1 = (double)NAN;
    by_time.t60 = (sis_envelope){pairs, 2};
    sis_scene* scene = sis_scene_new();
    put(scene, SIS_KIND_STRING, &by_time);
    sis_system* system = compiled(scene, SHORT_RATE);
    const sis_body_info used = sis_system_body(system, 0);
    CHECK_NEAR(used.sigma0, def.sigma0, 1e-9 * def.sigma0);
    CHECK_NEAR(used.sigma1, def.sigma1, 1e-9 * def.sigma1);
    sis_system_free(system);
}

// ---------------------------------------------------------------------------- starts

static double started(const sis_string_def* def, sis_pluck_shape form, int32_t mode) {
    const double height = 4e-3, at = 0.23;
    pair p = {.pushed = false};
    sis_scene* scene = sis_scene_new();
    const sis_id string = put(scene, SIS_KIND_STRING, def);
    if (form == SIS_PLUCK_MODE)
        put_mode(scene, string, mode, height);
    else
        put_pluck(scene, string, form, at, height);
    put_pickup(scene, string, 0.411, SIS_QUANTITY_DISPLACEMENT);
    p.system = compiled(scene, SHORT_RATE);
    const sis_body_info used = sis_system_body(p.system, 0);
    p.other = ref_new(SHORT_RATE, SIS_SCHEME_NEWTON, false);
    const int body = ref_string(p.other, def, &used);
    for (int i = 0; i < p.other->dofs; i++) {
        const double x = def->length * (i + 1) / used.segments, L = def->length;
        const bool modal = def->model == SIS_STRING_MODAL;
        if (form == SIS_PLUCK_MODE)
            p.other->u[i] = modal ? (i == mode - 1 ? height : 0) : height * sin(mode * PI * x / L);
        else if (modal) // the sine series of the triangle
            p.other->u[i] = 2 * height * L * L / (PI * PI * (i + 1) * (i + 1) * at * (L - at)) *
                            sin((i + 1) * PI * at / L);
        else
            p.other->u[i] = height * fmin(x / at, (L - x) / (L - at));
    }
    ref_shape(p.other, body);
    listen(&p, body, 0.411);
    return judged(apart(&p, 200));
}

static void plucks_start_as_the_reference_does(void) {
    for (int i = 0; i < STRING_KINDS; i++) {
        sis_string_def def = string_as(string_short(), &string_kinds[i]);
        printf("  %-22s mode %.1e, triangle %.1e", string_kinds[i].name,
               started(&def, SIS_PLUCK_MODE, 3), started(&def, SIS_PLUCK_TRIANGLE, 0));
        def.nonlinear = SIS_KIRCHHOFF_CARRIER;
        if (def.model != SIS_STRING_TRAPEZOID)
            printf(", stretched %.1e", started(&def, SIS_PLUCK_TRIANGLE, 0));
        printf("\n");
    }
}

// Pressed onto its bed at the start (a negative gap), deepest in the middle.
static void strings_that_start_inside_agree(void) {
    for (int i = 0; i < STRING_KINDS; i++) {
        const sis_string_def def = string_as(string_short(), &string_kinds[i]);
        printf("  inside %-22s newton %.1e, midpoint %.1e, quadratised %.1e\n",
               string_kinds[i].name, on_bed(&def, &newton_mean, 1e8, 1.4, -4e-4, 100),
               on_bed(&def, &newton_mid, 1e8, 1.4, -4e-4, 100),
               on_bed(&def, &psi, 1e8, 1.4, -4e-4, 100));
    }
}

// ---------------------------------------------------------------------------- points, two bodies

static double on_frets(const sis_string_def* def, const method* how, int order) {
    static const double frets[] = {0.061, 0.0915, 0.1234, 0.31, 0.32, 0.57};
    pair p = {.pushed = true};
    sis_scene* scene = sis_scene_new();
    const sis_id string = put(scene, SIS_KIND_STRING, def);
    sis_barrier_def neck = sis_barrier_default();
    neck.height = -3e-4;
    neck.at = (sis_list){frets, 6};
    sis_contact_def contact = sis_contact_default();
    contact.above = string;
    contact.below = put(scene, SIS_KIND_BARRIER, &neck);
    contact.K = 1e6;
    contact.alpha = 1.3;
    contact.interpolation = order;
    contact.scheme = how->scheme;
    put(scene, SIS_KIND_CONTACT, &contact);
    put_push(scene, string, 0.17, push_peak, push_width, push_start);
    put_pickup(scene, string, 0.411, SIS_QUANTITY_DISPLACEMENT);
    p.system = compiled(scene, SHORT_RATE);
    const sis_body_info used = sis_system_body(p.system, 0);
    p.other = ref_new(SHORT_RATE, how->scheme, how->potential == SIS_POTENTIAL_MIDPOINT);
    const int body = ref_string(p.other, def, &used);
    ref_push(p.other, body, 0.17);
    for (int i = 0; i < 6; i++) {
        const int c = ref_contact(p.other, 1e6, 1.3, -3e-4);
        ref_read(p.other, body, frets[i], order, -1, p.other->col[c]);
    }
    listen(&p, body, 0.411);
    return judged(apart(&p, 100));
}

static void frets_agree_with_every_interpolation(void) {
    for (int i = 0; i < STRING_KINDS; i++) {
        const sis_string_def def = string_as(string_short(), &string_kinds[i]);
        printf("  frets %-22s newton %.1e, quadratised %.1e", string_kinds[i].name,
               on_frets(&def, &newton_mean, 3), on_frets(&def, &psi, 3));
        if (i == FD || i == STAR)
            printf(", order 1 %.1e, order 0 %.1e", on_frets(&def, &newton_mean, 1),
                   on_frets(&def, &newton_mean, 0));
        printf("\n");
    }
}

// A mass on a spring and damper from the string, a spring to the ground, one between two places of
// the string.
static double sprung(const string_kind* kind) {
    pair p = {.pushed = true};
    sis_scene* scene = sis_scene_new();
    const sis_string_def def = string_as(string_short(), kind);
    const sis_id string = put(scene, SIS_KIND_STRING, &def);
    const sis_id load = put_mass(scene, 1e-3, 0, 0);
    sis_spring_def spring = sis_spring_default();
    spring.a = string;
    spring.at_a = 0.44;
    spring.b = load;
    spring.K1 = 2e3;
    spring.damping = 0.3;
    put(scene, SIS_KIND_SPRING, &spring);
    spring.at_a = 0.1;
    spring.b = SIS_GROUND;
    spring.K1 = 5e4;
    spring.damping = 0;
    put(scene, SIS_KIND_SPRING, &spring);
    spring.at_a = 0.2;
    spring.b = string;
    spring.at_b = 0.41;
    spring.K1 = 1e4;
    spring.damping = 0.1;
    put(scene, SIS_KIND_SPRING, &spring);
    put_push(scene, string, 0.17, push_peak, push_width, push_start);
    put_pickup(scene, string, 0.411, SIS_QUANTITY_DISPLACEMENT);
    put_probe(scene, load, SIS_QUANTITY_DISPLACEMENT);
    p.system = compiled(scene, SHORT_RATE);
    p.free = true;
    const sis_body_info used = sis_system_body(p.system, 0);
    p.other = ref_new(SHORT_RATE, SIS_SCHEME_NEWTON, false);
    const int body = ref_string(p.other, &def, &used), mass = ref_mass(p.other, 1e-3, 0, 0);
    ref_push(p.other, body, 0.17);
    real to_load[REF_DOFS] = {0}, to_ground[REF_DOFS] = {0}, to_itself[REF_DOFS] = {0};
    ref_read(p.other, body, 0.44, 3, 1, to_load);
    ref_read(p.other, mass, 0, 0, -1, to_load);
    ref_read(p.other, body, 0.1, 3, 1, to_ground);
    ref_read(p.other, body, 0.2, 3, 1, to_itself);
    ref_read(p.other, body, 0.41, 3, -1, to_itself);
    ref_spring(p.other, to_load, 2e3, 0.3);
    ref_spring(p.other, to_ground, 5e4, 0);
    ref_spring(p.other, to_itself, 1e4, 0.1);
    listen(&p, body, 0.411);
    listen(&p, mass, 0);
    return judged(apart(&p, 100));
}

static void springs_agree(void) {
    for (int i = 0; i < STRING_KINDS; i++)
        printf("  springs %-22s %.1e\n", string_kinds[i].name, sprung(&string_kinds[i]));
}

// The upper one is pushed down onto the lower of length L; grids of `up` and `down` intervals.
static double clash(const string_kind* kind, int32_t up, int32_t down, double L,
                    const method* how) {
    pair p = {.pushed = true};
    sis_scene* scene = sis_scene_new();
    sis_string_def def[2];
    for (int i = 0; i < 2; i++) {
        def[i] = string_as(string_short(), kind);
        def[i].tension = i ? 45 : 60;
        if (i) def[i].length = L;
        def[i].segments = i ? down : up;
        if (kind->model == SIS_STRING_MODAL) def[i].modes = 20;
    }
    const sis_id upper = put(scene, SIS_KIND_STRING, &def[0]);
    const sis_id lower = put(scene, SIS_KIND_STRING, &def[1]);
    sis_contact_def contact = sis_contact_default();
    contact.above = upper;
    contact.below = lower;
    contact.K = 1e8;
    contact.alpha = 1.5;
    contact.gap = 2e-4;
    contact.scheme = how->scheme;
    contact.potential = how->potential;
    put(scene, SIS_KIND_CONTACT, &contact);
    put_push(scene, upper, 0.17, push_peak, push_width, push_start);
    put_pickup(scene, upper, 0.411, SIS_QUANTITY_DISPLACEMENT);
    put_pickup(scene, lower, 0.411, SIS_QUANTITY_DISPLACEMENT);
    p.system = compiled(scene, SHORT_RATE);
    p.other = ref_new(SHORT_RATE, how->scheme, how->potential == SIS_POTENTIAL_MIDPOINT);
    for (int i = 0; i < 2; i++) {
        const sis_body_info used = sis_system_body(p.system, i);
        ref_string(p.other, &def[i], &used);
    }
    // Points of the coarser grid, as far as both strings reach.
    const double h = fmax(def[0].length / up, L / down), end = fmin(def[0].length, L);
    for (int i = 1; i * h < end - 1e-9; i++) {
        const int c = ref_contact(p.other, 1e8 * h, 1.5, -2e-4);
        ref_read(p.other, 0, h * i, 3, -1, p.other->col[c]);
        ref_read(p.other, 1, h * i, 3, 1, p.other->col[c]);
    }
    ref_push(p.other, 0, 0.17);
    listen(&p, 0, 0.411);
    listen(&p, 1, 0.411);
    return judged(apart(&p, 100));
}

static void two_strings_agree_on_equal_and_unequal_grids(void) {
    static const int kinds[] = {FD, STAR, TRAPEZOID_PLAIN, MODAL};
    for (int i = 0; i < 4; i++) {
        const string_kind* kind = &string_kinds[kinds[i]];
        printf("  two strings %-20s equal %.1e %.1e, unequal %.1e %.1e, shorter %.1e\n", kind->name,
               clash(kind, 24, 24, 0.6, &newton_mean), clash(kind, 24, 24, 0.6, &psi),
               clash(kind, 25, 20, 0.6, &newton_mean), clash(kind, 18, 25, 0.6, &psi),
               clash(kind, 20, 16, 0.45, &newton_mean));
    }
}

static double hammered(const string_kind* kind, const method* how) {
    const double place = 0.0771, speed = 2;
    pair p = {.pushed = false};
    sis_scene* scene = sis_scene_new();
    const sis_string_def def = string_as(string_short(), kind);
    const sis_id string = put(scene, SIS_KIND_STRING, &def);
    const sis_id hammer = put_mass(scene, 3e-3, -3e-4, speed);
    sis_contact_def contact = sis_contact_default();
    contact.above = string;
    contact.below = hammer;
    contact.at_above = (sis_list){&place, 1};
    contact.K = 3e8;
    contact.alpha = 2.5;
    contact.scheme = how->scheme;
    contact.potential = how->potential;
    put(scene, SIS_KIND_CONTACT, &contact);
    put_pickup(scene, string, 0.411, SIS_QUANTITY_DISPLACEMENT);
    put_probe(scene, hammer, SIS_QUANTITY_DISPLACEMENT);
    p.system = compiled(scene, SHORT_RATE);
    const sis_body_info used = sis_system_body(p.system, 0);
    p.other = ref_new(SHORT_RATE, how->scheme, how->potential == SIS_POTENTIAL_MIDPOINT);
    const int body = ref_string(p.other, &def, &used), mass = ref_mass(p.other, 3e-3, 0, 0);
    const int dof = p.other->dofs - 1;
    p.other->u[dof] = -3e-4;
    const int c = ref_contact(p.other, 3e8, 2.5, 0);
    ref_read(p.other, body, place, 3, -1, p.other->col[c]);
    ref_read(p.other, mass, 0, 0, 1, p.other->col[c]);
    listen(&p, body, 0.411);
    listen(&p, mass, 0);
    p.other->launch[dof] = speed;
    return judged(apart(&p, 100));
}

static void a_hammer_agrees(void) {
    for (int i = 0; i < STRING_KINDS; i++) {
        const double a = hammered(&string_kinds[i], &newton_mean),
                     b = hammered(&string_kinds[i], &psi);
        printf("  hammer %-22s newton %.1e, quadratised %.1e\n", string_kinds[i].name, a, b);
    }
}

int main(void) {
    RUN(every_model_agrees_with_the_dense_two_step_form);
    RUN(clamped_strings_agree_too);
    RUN(kirchhoff_carrier_agrees_with_the_linearly_implicit_form);
    RUN(t60_gives_the_same_string_as_its_sigmas);
    RUN(plucks_start_as_the_reference_does);
    RUN(strings_that_start_inside_agree);
    RUN(frets_agree_with_every_interpolation);
    RUN(springs_agree);
    RUN(two_strings_agree_on_equal_and_unequal_grids);
    RUN(a_hammer_agrees);
    return CHECK_REPORT();
}
