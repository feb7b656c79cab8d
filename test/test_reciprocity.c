// Reciprocity: what a force at A does at B, the same force at B does at A, on one body and through
// springs between bodies. It holds when every place is read and written with the same weights: an
// error here conserves energy and is not seen by the energy balance.
#include "check.h"
#include "string_reference.h"

// The other body of a pair.
typedef enum partner { ALONE, MASS, STRING, PLATE, PARTNERS } partner;
static const char* const partner_names[] = {"one string", "string-mass", "string-string",
                                            "string-plate"};

// Every model as it is made, and a tuned one whose gamma is given.
enum { GIVEN = STRING_KINDS, KINDS };
static const string_kind* kind_of(int i) {
    static const string_kind given = {"implicit gamma 0.4, tuned", SIS_STRING_IMPLICIT, 0.4,
                                      SIS_GAMMA_OPTIMAL, true};
    return i == GIVEN ? &given : &string_kinds[i];
}

// A place on a body; y counts on plates only.
typedef struct place {
    double x, y;
} place;

typedef struct pair {
    const string_kind *kind, *other;
    partner with;
    bool clamped, rigid;
    place from, to, joint, joint_other; // on the string, on the partner; where they are tied
} pair;

static sis_id add_string(sis_scene* scene, const string_kind* kind, bool clamped, double length) {
    sis_string_def def = string_as(string_short(), kind);
    def.length = length;
    if (clamped && def.model != SIS_STRING_MODAL) def.ends = SIS_ENDS_CLAMPED;
    return put(scene, SIS_KIND_STRING, &def);
}

static sis_id add_partner(sis_scene* scene, const pair* p) {
    if (p->with == MASS) return put_mass(scene, 2e-3, 0, 0);
    if (p->with == STRING) return add_string(scene, p->other, p->clamped, 0.45);
    sis_plate_def def = sis_plate_default();
    def.length = 0.3;
    def.width = 0.2;
    def.thickness = 1e-3;
    def.material_density = 2700;
    def.youngs = 7e10;
    def.sigma0 = 2;
    def.sigma1 = 1e-3;
    if (p->clamped) def.edge = SIS_ENDS_CLAMPED;
    return put(scene, SIS_KIND_PLATE, &def);
}

// Pushed at one place, heard at the other; `back`: the other way.
static run heard(const pair* p, bool back) {
    sis_scene* scene = sis_scene_new();
    const sis_id string = add_string(scene, p->kind, p->clamped, 0.6);
    sis_id other = string;
    if (p->with != ALONE) {
        other = add_partner(scene, p);
        sis_spring_def tie = sis_spring_default();
        tie.a = string;
        tie.b = other;
        tie.at_a = p->joint.x;
        if (p->with != MASS) tie.at_b = p->joint_other.x;
        if (p->with == PLATE) tie.at_b_y = p->joint_other.y;
        tie.rigid = p->rigid;
        if (!p->rigid) tie.K1 = 3e4, tie.damping = 0.1;
        put(scene, SIS_KIND_SPRING, &tie);
    }
    sis_force_def force = sis_force_default();
    sis_probe_def probe = sis_probe_default();
    force.on = back ? other : string;
    probe.on = back ? string : other;
    const place source = back ? p->to : p->from, ear = back ? p->from : p->to;
    if (!(back && p->with == MASS)) force.at = source.x;
    if (back && p->with == PLATE) force.at_y = source.y;
    if (back || p->with != MASS) probe.at = ear.x;
    if (!back && p->with == PLATE) probe.at_y = ear.y;
    force.shape = SIS_FORCE_RAISED_COSINE;
    force.peak = 1;
    force.width = 1e-3;
    probe.quantity = SIS_QUANTITY_DISPLACEMENT;
    put(scene, SIS_KIND_FORCE, &force);
    put(scene, SIS_KIND_PROBE, &probe);
    return run_scene(scene, SHORT_RATE, 400);
}

// How far the two ways are apart, over the largest displacement.
static double apart(const pair* p) {
    run there = heard(p, false), back = heard(p, true);
    double reach = 0, off = 0;
    for (int32_t n = 0; n < there.frames; n++) {
        reach = fmax(reach, fabs(run_at(&there, n, 0)));
        off = fmax(off, fabs(run_at(&there, n, 0) - run_at(&back, n, 0)));
    }
    CHECK(reach > 0);
    CHECK_NEAR(run_residual(&there), 0, 1e-13);
    CHECK_NEAR(run_residual(&back), 0, 1e-13);
    run_free(&there);
    run_free(&back);
    return off / reach;
}

static double inside(uint64_t* seed, double length) {
    return length * (0.02 + 0.96 * random_unit(seed));
}

static pair random_pair(uint64_t* seed, int kind, partner with) {
    const double length[] = {0.6, 0, 0.45, 0.3};
    pair p = {.kind = kind_of(kind), .with = with};
    p.other = kind_of((int)(KINDS * random_unit(seed)));
    p.clamped = random_unit(seed) < 0.5;
    p.rigid = random_unit(seed) < 0.3;
    p.from.x = inside(seed, 0.6);
    p.joint.x = inside(seed, 0.6);
    p.to = (place){inside(seed, length[with]), inside(seed, 0.2)};
    p.joint_other = (place){inside(seed, length[with]), inside(seed, 0.2)};
    return p;
}

static void source_and_listener_may_change_places(void) {
    uint64_t seed = 5;
    for (int with = 0; with < PARTNERS; with++)
        for (int kind = 0; kind < KINDS; kind++) {
            double worst = 0;
            for (int i = 0; i < (SANITIZED ? 2 : 12); i++) {
                const pair p = random_pair(&seed, kind, (partner)with);
                const double off = apart(&p);
                CHECK_NEAR(off, 0, 1e-12);
                worst = fmax(worst, off);
            }
            printf("  %-13s %-25s off by at most %.1e\n", partner_names[with], kind_of(kind)->name,
                   worst);
        }
}

// Heard at 0.41 m: a string pushed at 0.17 m, itself or by a grain that is tied to it there.
static run pushed(const string_kind* kind, bool grain) {
    sis_scene* scene = sis_scene_new();
    const sis_id string = add_string(scene, kind, false, 0.6);
    sis_spring_def tie = sis_spring_default();
    sis_force_def force = sis_force_default();
    force.on = string;
    force.at = tie.at_a = 0.17;
    force.shape = SIS_FORCE_RAISED_COSINE;
    force.peak = 1;
    force.width = 1e-3;
    if (grain) {
        tie.a = string;
        tie.b = force.on = put_mass(scene, 1e-10, 0, 0);
        tie.rigid = true;
        force.at = (double)NAN;
        put(scene, SIS_KIND_SPRING, &tie);
    }
    put(scene, SIS_KIND_FORCE, &force);
    put_pickup(scene, string, 0.41, SIS_QUANTITY_DISPLACEMENT);
    return run_scene(scene, SHORT_RATE, 400);
}

static void a_force_through_a_rigid_link_is_the_force_itself(void) {
    for (int kind = 0; kind < KINDS; kind++) {
        run itself = pushed(kind_of(kind), false), through = pushed(kind_of(kind), true);
        double reach = 0, off = 0;
        for (int32_t n = 0; n < itself.frames; n++) {
            reach = fmax(reach, fabs(run_at(&itself, n, 0)));
            off = fmax(off, fabs(run_at(&itself, n, 0) - run_at(&through, n, 0)));
        }
        printf("  %-25s off by %.1e\n", kind_of(kind)->name, off / reach);
        CHECK_NEAR(off / reach, 0, 1e-5); // the mass of the grain
        run_free(&itself);
        run_free(&through);
    }
}

int main(void) {
    RUN(a_force_through_a_rigid_link_is_the_force_itself);
    RUN(source_and_listener_may_change_places);
    return CHECK_REPORT();
}
