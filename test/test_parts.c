// Parts of a system: bodies that no link joins do not know of each other. The same bits for any
// number of threads and any length of blocks, and each part sounds as it does alone.
#include "check.h"
#include "crew.h"
#include "reference.h"

#include <sistrum/sistrum.h>

// Long runs where they are fast.
#if defined(__OPTIMIZE__) && !SANITIZED
enum { FRAMES = 1200 };
#else
enum { FRAMES = 150 };
#endif
enum { KINDS = 12, GROUPS_MOST = 40 };
static const double rate = 44100;
static const double nowhere = (double)NAN;

// ---------------------------------------------------------------------------- groups of bodies

// Bodies that links join. All numbers follow from its seed, so that it can be built again alone.
typedef struct group {
    uint64_t seed;
    int kind;
    sis_id a, b, barrier; // its bodies
    sis_id link;
} group;

static double unit(group* g) {
    return random_unit(&g->seed);
}

static double between(group* g, double low, double high) {
    return random_log(&g->seed, low, high);
}

static sis_id must(sis_id id, const sis_error* error) {
    if (id == SIS_NONE) printf("%s\n", error->text);
    CHECK(id != SIS_NONE);
    return id;
}

static sis_id add_string(group* g, sis_scene* scene, sis_string_model model, sis_nonlinear grows) {
    sis_error error = {0};
    sis_string_def s = sis_string_default();
    s.length = 0.7;
    s.frequency = between(g, 150, 300);
    s.material_density = 7850;
    s.radius = between(g, 1.5e-4, 3e-4);
    s.youngs = 2e11;
    s.sigma0 = between(g, 0.3, 3);
    s.sigma1 = between(g, 1e-5, 1e-4);
    s.model = model;
    s.nonlinear = grows;
    if (model == SIS_STRING_IMPLICIT) s.segments = 40;
    return must(sis_scene_add_string(scene, &s, &error), &error);
}

static sis_id add_mass(group* g, sis_scene* scene, double position, double velocity) {
    sis_error error = {0};
    sis_mass_def m = sis_mass_default();
    m.mass = between(g, 1e-3, 1e-2);
    m.position = position;
    m.velocity = velocity;
    return must(sis_scene_add_mass(scene, &m, &error), &error);
}

static sis_id add_barrier(sis_scene* scene, double height, bool along) {
    sis_error error = {0};
    sis_barrier_def b = sis_barrier_default();
    b.height = height;
    if (along) {
        b.from = 0.1;
        b.to = 0.5;
    }
    return must(sis_scene_add_barrier(scene, &b, &error), &error);
}

static sis_id add_plate(group* g, sis_scene* scene) {
    sis_error error = {0};
    sis_plate_def p = sis_plate_default();
    p.length = 0.3;
    p.width = 0.2;
    p.thickness = 2e-4;
    p.material_density = 1400;
    p.youngs = 0;
    p.tension = between(g, 2000, 4000);
    p.sigma0 = 2;
    p.segments_x = 12;
    p.segments_y = 9;
    return must(sis_scene_add_plate(scene, &p, &error), &error);
}

static sis_id add_modal(group* g, sis_scene* scene) {
    sis_error error = {0};
    double frequency[30], mass[30], sigma[30];
    for (int i = 0; i < 30; i++) {
        frequency[i] = 100.0 * (i + 1) * between(g, 0.95, 1.05);
        mass[i] = 0.05;
        sigma[i] = 1 + i;
    }
    sis_modal_def m = sis_modal_default();
    m.frequency = (sis_list){frequency, 30};
    m.mass = (sis_list){mass, 30};
    m.sigma = (sis_list){sigma, 30};
    return must(sis_scene_add_modal(scene, &m, &error), &error);
}

static sis_id add_hand(group* g, sis_scene* scene) {
    sis_error error = {0};
    double path[] = {0, 2e-3, 0.01, -1e-3, 0.03, 2e-3};
    sis_mass_def m = sis_mass_default();
    path[3] *= between(g, 0.5, 2);
    m.path = (sis_envelope){path, 3};
    return must(sis_scene_add_mass(scene, &m, &error), &error);
}

// A string of some model above a barrier along it: many points touch at once.
static bool over_barrier(const group* g) {
    return g->kind == 0 || g->kind >= 9;
}

static void add_bodies(group* g, sis_scene* scene) {
    static const sis_string_model models[] = {SIS_STRING_IMPLICIT, SIS_STRING_TRAPEZOID,
                                              SIS_STRING_MODAL};
    switch (g->kind) {
    case 0: // a string over a barrier
    case 4: // whose tension grows
        g->a = add_string(g, scene, SIS_STRING_FD, g->kind ? SIS_KIRCHHOFF_CARRIER : SIS_LINEAR);
        g->barrier = add_barrier(scene, -between(g, 1e-5, 1e-3), g->kind == 0);
        break;
    case 1: // a hammer and a string
        g->a = add_string(g, scene, SIS_STRING_FD, SIS_LINEAR);
        g->b = add_mass(g, scene, 1e-4, -between(g, 0.5, 3));
        break;
    case 2: // strings tied together
        g->a = add_string(g, scene, SIS_STRING_FD, SIS_LINEAR);
        g->b = add_string(g, scene, SIS_STRING_IMPLICIT, SIS_LINEAR);
        break;
    case 3: // a bowed string
        g->a = add_string(g, scene, SIS_STRING_FD, SIS_LINEAR);
        break;
    case 5: // a stick and a membrane
        g->a = add_plate(g, scene);
        g->b = add_mass(g, scene, 1e-4, -between(g, 0.5, 3));
        break;
    case 6: // a mallet and a bar
        g->a = add_modal(g, scene);
        g->b = add_mass(g, scene, 1e-4, -between(g, 0.5, 3));
        break;
    case 7: // a finger on a string
        g->a = add_string(g, scene, SIS_STRING_FD, SIS_LINEAR);
        g->b = add_hand(g, scene);
        break;
    case 9:  // a banded string over a barrier
    case 10: // another one
    case 11: // a modal one
        g->a = add_string(g, scene, models[g->kind - 9], SIS_LINEAR);
        g->barrier = add_barrier(scene, -between(g, 1e-5, 1e-4), true);
        break;
    default: // a mass on a wall
        g->a = add_mass(g, scene, 1e-3, -between(g, 0.5, 3));
        g->barrier = add_barrier(scene, 0, false);
        break;
    }
}

static bool has_string(const group* g) {
    return g->kind != 5 && g->kind != 6 && g->kind != 8;
}

static sis_id add_contact(group* g, sis_scene* scene, sis_id above, sis_id below) {
    sis_error error = {0};
    double at[] = {0.35}, on_plate[] = {0.1, 0.08};
    sis_contact_def c = sis_contact_default();
    c.above = above;
    c.below = below;
    c.K = between(g, 1e6, 1e8);
    c.alpha = 1 + 1.5 * unit(g);
    c.damping = unit(g) < 0.5 ? 0.1 : 0;
    c.scheme = unit(g) < 0.5 ? SIS_SCHEME_LEDGER : SIS_SCHEME_NEWTON;
    if (has_string(g) && !over_barrier(g)) c.at = (sis_list){at, 1};
    if (g->kind == 5) c.at = (sis_list){on_plate, 2};
    return must(sis_scene_add_contact(scene, &c, &error), &error);
}

static sis_id add_bow(group* g, sis_scene* scene) {
    sis_error error = {0};
    double speed[] = {0, 0, 0.01, 0.2, 0.03, -0.1};
    sis_bow_def bow = sis_bow_default();
    bow.on = g->a;
    bow.at = 0.08;
    bow.force = between(g, 0.2, 1);
    bow.velocity_curve = (sis_envelope){speed, 3};
    bow.method = unit(g) < 0.5 ? SIS_BOW_NEWTON : SIS_BOW_LINEAR;
    return must(sis_scene_add_bow(scene, &bow, &error), &error);
}

static void add_links(group* g, sis_scene* scene) {
    sis_error error = {0};
    if (g->kind == 2) {
        sis_spring_def s = sis_spring_default();
        s.a = g->a;
        s.b = g->b;
        s.at_a = s.at_b = 0.2;
        s.K1 = between(g, 100, 1e4);
        s.damping = 0.1;
        g->link = must(sis_scene_add_spring(scene, &s, &error), &error);
    } else if (g->kind == 3) {
        g->link = add_bow(g, scene);
    } else {
        bool falls = g->kind == 1 || g->kind >= 5;
        bool on_wall = over_barrier(g) || g->kind == 4 || g->kind == 8;
        sis_id above = on_wall ? g->a : falls ? g->b : g->a;
        g->link = add_contact(g, scene, above, on_wall ? g->barrier : g->a);
    }
    if (has_string(g) && g->kind != 3) {
        sis_pluck_def p = sis_pluck_default();
        p.on = g->a;
        p.shape = SIS_PLUCK_RAISED_COSINE;
        p.at = 0.2;
        p.width = 0.1;
        p.height = between(g, 1e-4, 2e-3);
        must(sis_scene_add_pluck(scene, &p, &error), &error);
    }
    if (unit(g) < 0.4) {
        sis_force_def f = sis_force_default();
        f.on = g->a;
        f.at = has_string(g) ? 0.3 : g->kind == 5 ? 0.1 : g->kind == 6 ? 1 : nowhere;
        if (g->kind == 5) f.at_y = 0.05;
        f.shape = SIS_FORCE_RAISED_COSINE;
        f.peak = between(g, 0.01, 1);
        f.width = 1e-3;
        f.start = 0.02 * unit(g);
        must(sis_scene_add_force(scene, &f, &error), &error);
    }
}

// The force of its link and the velocity of its first body.
enum { PROBES = 2 };
static void add_probes(group* g, sis_scene* scene) {
    sis_error error = {0};
    sis_probe_def p = sis_probe_default();
    p.on = g->link;
    p.quantity = SIS_QUANTITY_FORCE;
    must(sis_scene_add_probe(scene, &p, &error), &error);
    p.on = g->a;
    p.quantity = SIS_QUANTITY_VELOCITY;
    p.at = has_string(g) ? 0.25 : g->kind == 5 ? 0.12 : g->kind == 6 ? 1 : nowhere;
    if (g->kind == 5) p.at_y = 0.05;
    must(sis_scene_add_probe(scene, &p, &error), &error);
}

static sis_system* compile(sis_scene* scene, bool unaudited, int32_t lanes) {
    sis_error error = {0};
    sis_options options = sis_options_default(scene);
    options.rate = rate;
    options.unaudited = unaudited;
    options.lanes = lanes;
    sis_system* system = sis_compile(scene, &options, &error);
    if (!system) printf("%s\n", error.text);
    CHECK(system != NULL);
    sis_scene_free(scene);
    return system;
}

// All of them in one scene: bodies, links and probes of neighbours far apart from each other.
static sis_system* compile_groups(const group* given, int count, bool unaudited, int32_t lanes) {
    group groups[GROUPS_MOST];
    memcpy(groups, given, (size_t)count * sizeof *groups);
    sis_scene* scene = sis_scene_new();
    for (int i = 0; i < count; i++)
        add_bodies(&groups[i], scene);
    for (int i = 0; i < count; i++) // not in the order of the bodies
        add_links(&groups[(i * 7 + 3) % count], scene);
    for (int i = 0; i < count; i++)
        add_probes(&groups[i], scene);
    return compile(scene, unaudited, lanes);
}

static void random_groups(uint64_t seed, group* groups, int count) {
    for (int i = 0; i < count; i++)
        groups[i] = (group){.seed = seed * 1000 + (uint64_t)i,
                            .kind = (int)(random_unit(&seed) * KINDS),
                            .a = SIS_NONE,
                            .b = SIS_NONE};
}

// ---------------------------------------------------------------------------- runs

// Everything that a run shows.
typedef struct record {
    double* probes;
    sis_energy* energy;
    sis_link_report* links;
    sis_energy last;
} record;

static void lend(void* crew, int32_t count, void (*work)(void*, int32_t), void* data) {
    sis_crew_run(crew, count, work, data);
}

static sis_state* new_state(const sis_system* system) {
    void* memory = aligned_alloc(SIS_STATE_ALIGN, sis_state_size(system));
    sis_state* state = sis_state_init(system, memory);
    CHECK(state != NULL);
    return state;
}

static record play(const sis_system* system, int threads, int block, bool energies) {
    const size_t probes = (size_t)sis_system_probe_count(system);
    const size_t links = (size_t)sis_system_link_count(system);
    record r = {.probes = calloc(probes * FRAMES, sizeof(double)),
                .energy = calloc(FRAMES, sizeof(sis_energy)),
                .links = calloc(links + 1, sizeof(sis_link_report))};
    sis_crew* crew = threads ? sis_crew_new(threads) : NULL;
    sis_threads lent = {crew, lend};
    sis_state* state = new_state(system);
    for (int n = 0; n < FRAMES; n += block) {
        sis_block b = {FRAMES - n < block ? FRAMES - n : block, r.probes + (size_t)n * probes,
                       energies ? r.energy + n : NULL, NULL};
        if (threads)
            sis_step_threads(system, state, &b, &lent);
        else
            sis_step(system, state, &b);
    }
    for (size_t i = 0; i < links; i++)
        r.links[i] = sis_state_link(system, state, (int32_t)i);
    r.last = sis_state_energy(system, state);
    free(state);
    sis_crew_free(crew);
    return r;
}

static void free_record(record* r) {
    free(r->probes);
    free(r->energy);
    free(r->links);
}

static bool same_report(const sis_link_report* a, const sis_link_report* b) {
    return a->max_force == b->max_force && a->min_force == b->min_force &&
           a->max_penetration == b->max_penetration && a->trapped_max == b->trapped_max &&
           a->contact_samples == b->contact_samples && a->points_max == b->points_max &&
           a->iterations == b->iterations && a->powers_max == b->powers_max;
}

static bool same_records(const sis_system* system, const record* a, const record* b) {
    const size_t probes = (size_t)sis_system_probe_count(system);
    bool same = memcmp(a->probes, b->probes, probes * FRAMES * sizeof(double)) == 0 &&
                memcmp(a->energy, b->energy, FRAMES * sizeof(sis_energy)) == 0 &&
                memcmp(&a->last, &b->last, sizeof a->last) == 0;
    for (int32_t i = 0; same && i < sis_system_link_count(system); i++)
        same = same_report(&a->links[i], &b->links[i]);
    return same;
}

// ---------------------------------------------------------------------------- laws

static void threads_and_blocks_change_no_bit(void) {
    static const int threads[] = {0, 1, 2, 3, 7}, blocks[] = {1, 7, 64, 4096};
    for (int trial = 0; trial < check_count(SANITIZED ? 2 : 4, 40); trial++) {
        group groups[GROUPS_MOST];
        int count = 8 + trial * 11 % (GROUPS_MOST - 8);
        random_groups(101 + (uint64_t)trial, groups, count);
        sis_system* system = compile_groups(groups, count, trial % 4 == 3, 0);
        CHECK(sis_system_parts(system) > 1);
        record first = play(system, 0, FRAMES, true);
        for (size_t t = 0; t < sizeof threads / sizeof *threads; t++)
            for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++) {
                record r = play(system, threads[t], blocks[b], true);
                CHECK(same_records(system, &first, &r));
                free_record(&r);
            }
        free_record(&first);
        sis_system_free(system);
    }
}

static void a_part_sounds_as_it_does_alone(void) {
    for (int trial = 0; trial < check_count(3, 30); trial++) {
        group groups[GROUPS_MOST];
        int count = 20;
        random_groups(501 + (uint64_t)trial, groups, count);
        sis_system* system = compile_groups(groups, count, false, 0);
        record all = play(system, 2, 64, false);
        double stored = 0, dissipated = 0, supplied = 0;
        for (int i = 0; i < count; i++) {
            sis_system* one = compile_groups(&groups[i], 1, false, 0);
            CHECK(sis_system_parts(one) == 1);
            record alone = play(one, 0, 64, false);
            bool same = true;
            for (size_t n = 0; n < FRAMES; n++)
                same = same && memcmp(&all.probes[(n * (size_t)count + (size_t)i) * PROBES],
                                      &alone.probes[n * PROBES], PROBES * sizeof(double)) == 0;
            CHECK(same);
            stored += alone.last.total;
            supplied += alone.last.supplied;
            dissipated += alone.last.dissipated;
            free_record(&alone);
            sis_system_free(one);
        }
        CHECK_NEAR(all.last.total, stored, 1e-12 * stored);
        CHECK_NEAR(all.last.supplied, supplied, 1e-12 * (stored + fabs(supplied)));
        CHECK_NEAR(all.last.dissipated, dissipated, 1e-12 * (stored + dissipated));
        CHECK(fabs(all.last.residual) < 1e-12 * (stored + dissipated));
        free_record(&all);
        sis_system_free(system);
    }
}

static void the_width_changes_no_bit_of_a_part(void) {
    group groups[GROUPS_MOST];
    random_groups(77, groups, 24);
    sis_system* scalar = compile_groups(groups, 24, false, 1);
    sis_system* wide = compile_groups(groups, 24, false, 0);
    CHECK(sis_system_parts(scalar) == sis_system_parts(wide));
    record a = play(scalar, 2, 64, true), b = play(wide, 3, 64, true);
    CHECK(same_records(scalar, &a, &b));
    free_record(&a);
    free_record(&b);
    sis_system_free(scalar);
    sis_system_free(wide);
}

// Neighbours tied to each other are one part, however many they are.
static void what_links_join_is_one_part(void) {
    sis_error error = {0};
    sis_scene* scene = sis_scene_new();
    group g = {.seed = 5, .kind = 0};
    sis_id last = SIS_NONE;
    for (int i = 0; i < 30; i++) {
        sis_id string = add_string(&g, scene, SIS_STRING_FD, SIS_LINEAR);
        sis_spring_def s = sis_spring_default();
        s.a = last;
        s.b = string;
        s.at_a = s.at_b = 0.3;
        s.K1 = 100;
        if (i) must(sis_scene_add_spring(scene, &s, &error), &error);
        last = string;
    }
    sis_system* system = compile(scene, false, 0);
    CHECK(sis_system_parts(system) == 1);
    sis_system_free(system);
}

// A barrier does not move, so it joins nothing; many parts have about the same to do.
static void strings_over_one_barrier_are_parts(void) {
    sis_scene* scene = sis_scene_new();
    group g = {.seed = 6, .kind = 0};
    sis_id barrier = add_barrier(scene, -1e-4, true);
    for (int i = 0; i < 100; i++)
        add_contact(&g, scene, add_string(&g, scene, SIS_STRING_FD, SIS_LINEAR), barrier);
    sis_system* system = compile(scene, false, 0);
    CHECK(sis_system_parts(system) >= 32);
    CHECK(sis_system_parts(system) <= 64);
    sis_system_free(system);
}

// Too little for another thread: as before, and masses lie side by side.
static void small_scenes_are_one_part(void) {
    group groups[GROUPS_MOST];
    for (int i = 0; i < GROUPS_MOST; i++)
        groups[i] = (group){.seed = 9 + (uint64_t)i, .kind = 8};
    sis_system* system = compile_groups(groups, GROUPS_MOST, false, 0);
    CHECK(sis_system_parts(system) == 1);
    CHECK(sis_system_parts(NULL) == 0);
    sis_system_free(system);
}

// A saved state goes on with the same bits, whoever stepped it before.
static void a_state_may_be_moved_between_blocks(void) {
    group groups[GROUPS_MOST];
    random_groups(88, groups, 24);
    sis_system* system = compile_groups(groups, 24, false, 0);
    record r = play(system, 0, FRAMES, false);
    const size_t probes = (size_t)sis_system_probe_count(system), size = sis_state_size(system);
    double* heard = calloc(probes * FRAMES, sizeof *heard);
    sis_crew* crew = sis_crew_new(3);
    sis_state *state = new_state(system), *moved = new_state(system);
    for (int n = 0; n < FRAMES; n += 50) {
        sis_block b = {50, heard + (size_t)n * probes, NULL, NULL};
        sis_step_threads(system, state, &b, n % 100 ? &(sis_threads){crew, lend} : NULL);
        memcpy(moved, state, size);
        memset(state, 0xff, size);
        sis_state* swap = state;
        state = moved;
        moved = swap;
    }
    CHECK(memcmp(heard, r.probes, probes * FRAMES * sizeof *heard) == 0);
    sis_crew_free(crew);
    free(state);
    free(moved);
    free(heard);
    free_record(&r);
    sis_system_free(system);
}

int main(void) {
    RUN(threads_and_blocks_change_no_bit);
    RUN(a_part_sounds_as_it_does_alone);
    RUN(the_width_changes_no_bit_of_a_part);
    RUN(what_links_join_is_one_part);
    RUN(strings_over_one_barrier_are_parts);
    RUN(small_scenes_are_one_part);
    RUN(a_state_may_be_moved_between_blocks);
    return CHECK_REPORT();
}
