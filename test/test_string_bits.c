// Strings give the same bits for any block size, from every compile of the same scene, and after
// their state has been saved and put back.
#include <stdlib.h>

#include "check.h"
#include "string_reference.h"

enum { FRAMES = 600 };

static sis_id touch(sis_scene* scene, sis_id above, sis_id below, double K, double alpha,
                    sis_scheme scheme, double gap) {
    sis_contact_def def = sis_contact_default();
    def.above = above;
    def.below = below;
    def.K = K;
    def.alpha = alpha;
    def.scheme = scheme;
    def.gap = gap;
    return put(scene, SIS_KIND_CONTACT, &def);
}

// Everything that a string can meet, in every model: a bed, frets, another string, a mass, a
// spring.
static sis_scene* everything(void) {
    static const double frets[] = {0.1, 0.21, 0.33}, place = 0.077;
    static const int kinds[] = {FD, STAR, TRAPEZOID_PLAIN, MODAL, STAR_PLAIN};
    static const sis_scheme schemes[] = {SIS_SCHEME_LEDGER, SIS_SCHEME_NEWTON,
                                         SIS_SCHEME_QUADRATISED, SIS_SCHEME_LEDGER,
                                         SIS_SCHEME_LEDGER};
    sis_scene* scene = sis_scene_new();
    sis_id before = SIS_NONE;
    for (int i = 0; i < 5; i++) {
        sis_string_def def = string_as(string_short(), &string_kinds[kinds[i]]);
        if (i == 4) {
            def.nonlinear = SIS_KIRCHHOFF_CARRIER;
            def.segments = 18;
        }
        const sis_id string = put(scene, SIS_KIND_STRING, &def);
        sis_barrier_def neck = sis_barrier_default();
        neck.height = -4e-4;
        neck.at = (sis_list){frets, 3};
        touch(scene, string, put(scene, SIS_KIND_BARRIER, &neck), 1e7, 1.3, schemes[i], 0);
        touch(scene, string, put_bed(scene, NULL, -7e-4), 1e9, 1.7, schemes[i], 0);
        if (before != SIS_NONE) touch(scene, before, string, 1e8, 1.5, SIS_SCHEME_LEDGER, 1e-3);
        put_push(scene, string, 0.17 + 0.03 * i, 3, 1.5e-3, i * 1e-3);
        put_pickup(scene, string, 0.411, SIS_QUANTITY_DISPLACEMENT);
        put_pickup(scene, string, 0.211, SIS_QUANTITY_VELOCITY);
        before = string;
    }
    const sis_id hammer = put_mass(scene, 3e-3, -2e-4, 1);
    sis_contact_def contact = sis_contact_default();
    contact.above = before;
    contact.below = hammer;
    contact.at_above = (sis_list){&place, 1};
    contact.K = 3e7;
    contact.alpha = 2.3;
    contact.damping = 0.1;
    const sis_id last = put(scene, SIS_KIND_CONTACT, &contact);
    sis_spring_def spring = sis_spring_default();
    spring.a = before;
    spring.at_a = 0.44;
    spring.b = hammer;
    spring.K1 = 500;
    spring.damping = 0.05;
    put(scene, SIS_KIND_SPRING, &spring);
    put_gravity(scene, 9.81);
    put_probe(scene, last, SIS_QUANTITY_FORCE);
    return scene;
}

static bool same(const run* a, const run* b) {
    return a->frames == b->frames && a->probes == b->probes &&
           memcmp(a->rows, b->rows, sizeof(double) * (size_t)a->frames * (size_t)a->probes) == 0 &&
           memcmp(a->energy, b->energy, sizeof(sis_energy) * (size_t)a->frames) == 0 &&
           memcmp(a->state, b->state, sis_state_size(a->system)) == 0;
}

static void every_contact_of_the_scene_is_used(void) {
    run r = run_system(compiled(everything(), SHORT_RATE), FRAMES, FRAMES);
    for (int32_t i = 0; i < sis_system_link_count(r.system); i++)
        if (sis_system_link(r.system, i).kind == SIS_KIND_CONTACT)
            CHECK(sis_state_link(r.system, r.state, i).contact_samples > 0);
    printf("  %d bodies, %d links, residual %.1e\n", sis_system_body_count(r.system),
           sis_system_link_count(r.system), run_residual(&r));
    CHECK_NEAR(run_residual(&r), 0, 1e-11);
    run_free(&r);
}

static void block_sizes_and_compiles_give_the_same_bits(void) {
    static const int32_t blocks[] = {1, 7, 64, 333};
    run whole = run_system(compiled(everything(), SHORT_RATE), FRAMES, FRAMES);
    for (int i = 0; i < 4; i++) { // each from a compile of its own
        run cut = run_system(compiled(everything(), SHORT_RATE), FRAMES, blocks[i]);
        CHECK(sis_state_size(cut.system) == sis_state_size(whole.system));
        CHECK(same(&whole, &cut));
        run_free(&cut);
    }
    run_free(&whole);
}

static void a_saved_state_goes_on_as_if_nothing_had_happened(void) {
    run whole = run_system(compiled(everything(), SHORT_RATE), FRAMES, FRAMES);
    run half = run_system(compiled(everything(), SHORT_RATE), FRAMES / 2, 50);
    const size_t size = sis_state_size(half.system);
    sis_state* copy = aligned_alloc(64, size);
    double* rows = calloc((size_t)(FRAMES / 2) * (size_t)whole.probes, sizeof(double));
    CHECK(copy && rows);
    if (copy && rows) {
        memcpy(copy, half.state, size);
        sis_step(half.system, copy, &(sis_block){FRAMES / 2, rows, NULL, NULL});
        const double* rest = whole.rows + (size_t)(FRAMES / 2) * (size_t)whole.probes;
        CHECK(memcmp(rows, rest, sizeof(double) * (FRAMES / 2) * (size_t)whole.probes) == 0);
    }
    free(copy);
    free(rows);
    run_free(&whole);
    run_free(&half);
}

int main(void) {
    RUN(every_contact_of_the_scene_is_used);
    RUN(block_sizes_and_compiles_give_the_same_bits);
    RUN(a_saved_state_goes_on_as_if_nothing_had_happened);
    return CHECK_REPORT();
}
