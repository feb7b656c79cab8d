// Fingers that slide over bodies on barriers: most points of the barrier move nothing but
// themselves and have their closed forms, beside the few that are solved together. Each sample may
// be solved either way; random scenes hold all laws whatever the hands do.
#include "live.h"

#include "step/system.h"

static const double WILD = 1e3; // J

enum { FRAMES = 560, LOOK = 7, FRETS_MOST = 16, SLOWER = 8 };

// ---------------------------------------------------------------------------- random scenes

typedef enum touched_kind { STRING, PLATE, MODES, BODY_KINDS } touched_kind;

// What a scene is made of; the same seed makes the same scene.
typedef struct trial {
    uint64_t seed;
    double rate;
    touched_kind body;
    sis_string_model model;
    const method* how;
    double length, width, mu;
    double softer;   // factor of the stiffness: another compile of the same scene
    double pressing; // of gravity, m/s^2
    char words[120];
} trial;

static double unit(trial* t) {
    return random_unit(&t->seed);
}

static int pick(trial* t, int count) {
    return (int)(unit(t) * count);
}

static sis_id random_body(trial* t, sis_scene* scene) {
    if (t->body != STRING) {
        t->length = 0.4, t->width = 0.3;
        return put_plate(scene, t->body == PLATE ? SIS_PLATE_FD : SIS_PLATE_MODAL);
    }
    sis_string_def def = sis_string_default();
    def.length = t->length = 0.5 + 0.5 * unit(t);
    def.density = 0.003;
    def.tension = 60 + 60 * unit(t);
    def.radius = 2.5e-4;
    def.youngs = pick(t, 2) ? 2e9 : 0;
    def.sigma0 = pick(t, 2) ? 0.5 : 0;
    def.sigma1 = pick(t, 2) ? 1e-4 : 0;
    def.model = t->model;
    def.segments = t->model == SIS_STRING_MODAL ? 0 : 50 + pick(t, 20);
    def.modes = t->model == SIS_STRING_MODAL ? 40 : 0;
    return put(scene, SIS_KIND_STRING, &def);
}

static sis_contact_def random_law(trial* t, double softest, double stiffest) {
    sis_contact_def def = sis_contact_default();
    def.K = random_log(&t->seed, softest, stiffest) * t->softer;
    def.alpha = 1 + 1.5 * unit(t);
    def.damping = t->mu;
    def.scheme = t->how->scheme;
    def.release = t->how->release;
    def.potential = t->how->potential;
    def.interpolation = pick(t, 2) ? 3 : 1;
    return def;
}

// Below all of the body: a grid of points, each of which only one link holds.
static sis_id put_floor(trial* t, sis_scene* scene, sis_id body) {
    sis_barrier_def floor = sis_barrier_default();
    floor.height = -1e-6 * unit(t);
    floor.from = 0.05 * t->length;
    // Where all points meet, fewer.
    const bool meet = t->body == MODES || (t->body == STRING && t->model != SIS_STRING_FD);
    floor.to = (meet ? 0.3 : 0.95) * t->length;
    if (t->body != STRING) {
        floor.from_y = 0.05 * t->width;
        floor.to_y = 0.95 * t->width;
    }
    sis_contact_def def = random_law(t, 1e7, 1e9);
    def.above = body;
    def.below = put(scene, SIS_KIND_BARRIER, &floor);
    return put(scene, SIS_KIND_CONTACT, &def);
}

// Between the points of the grid, on either side: they move points of the floor and each other.
static void put_frets(trial* t, sis_scene* scene, sis_id body) {
    double places[2 * FRETS_MOST];
    const int count = 4 + pick(t, 12), numbers = t->body == STRING ? 1 : 2;
    for (int i = 0; i < count; i++) {
        places[numbers * i] = t->length * (0.06 + 0.88 * unit(t));
        if (numbers == 2) places[2 * i + 1] = t->width * (0.06 + 0.88 * unit(t));
    }
    sis_contact_def def = random_law(t, 1e4, 1e6);
    const bool above = pick(t, 3) == 0;
    const sis_id fret = put_barrier(scene, above ? 1e-6 : -1e-6);
    def.above = above ? fret : body;
    def.below = above ? body : fret;
    def.at = (sis_list){places, numbers * count};
    put(scene, SIS_KIND_CONTACT, &def);
}

static void put_finger(trial* t, sis_scene* scene, sis_id body, int i) {
    const double at[] = {t->length * (0.3 + 0.2 * i), 0.4 * t->width};
    const bool mass = pick(t, 4) == 0;
    sis_contact_def def = random_law(t, 1e4, 1e6);
    def.above = mass ? put_mass(scene, 0.01, 1e-5, -0.1) : put_barrier(scene, 1e-4);
    def.below = body;
    def.at = (sis_list){at, t->body == STRING ? 1 : 2};
    if (t->body == STRING && !mass && pick(t, 2)) def.sounding = SIS_SOUNDING_RIGHT;
    const sis_id finger = put(scene, SIS_KIND_CONTACT, &def);
    live(scene, finger, "at", at[0], 0.1 * t->length, 0.9 * t->length);
    if (t->body != STRING) live(scene, finger, "at_y", at[1], 0.1 * t->width, 0.9 * t->width);
    if (!mass) live(scene, finger, "gap", 0, -6e-4, 1e-4);
    if (pick(t, 3) == 0) live(scene, finger, "K", def.K, 0.1 * def.K, 10 * def.K);
}

static trial random_trial(uint64_t seed) {
    static const int all[] = {LEDGER, NEWTON, RELEASE, LEDGER_MID, NEWTON_MID};
    static const double rates[] = {44100, 48000, 96000};
    static const char* const bodies[] = {"string", "plate", "modal plate"};
    trial t = {.seed = seed, .softer = 1};
    for (int i = 0; i < 8; i++)
        unit(&t); // seeds that follow each other begin alike
    const int how = all[pick(&t, 5)];
    t.rate = rates[pick(&t, 3)];
    t.body = (touched_kind)(pick(&t, 4) % BODY_KINDS); // half of them strings
    t.model = pick(&t, 3) ? SIS_STRING_FD : models[pick(&t, 4)];
    t.how = &methods[how];
    t.mu = pick(&t, 3) ? 0 : random_log(&t.seed, 0.01, 10);
    t.pressing = random_log(&t.seed, 1, 100);
    snprintf(t.words, sizeof t.words, "seed %llu: %s of model %d, %s, mu %.2g, %g Hz",
             (unsigned long long)seed, bodies[t.body], (int)t.model, t.how->name, t.mu, t.rate);
    return t;
}

static sis_scene* random_scene(uint64_t seed, double softer, trial* t) {
    *t = random_trial(seed);
    t->softer = softer;
    sis_scene* scene = sis_scene_new();
    const sis_id body = random_body(t, scene);
    put_floor(t, scene, body);
    if (pick(t, 3)) put_frets(t, scene, body);
    const int fingers = 1 + pick(t, 3);
    for (int i = 0; i < fingers; i++)
        put_finger(t, scene, body, i);
    if (t->body != STRING || pick(t, 2)) put_gravity(scene, t->pressing);
    sis_pluck_def p = sis_pluck_default();
    p.on = body;
    p.at = 0.3 * t->length;
    p.height = (pick(t, 2) ? 1 : -1) * random_log(&t->seed, 1e-6, 1e-3);
    if (t->body == STRING) put(scene, SIS_KIND_PLUCK, &p);
    sis_probe_def ear = sis_probe_default();
    ear.on = body;
    ear.at = 0.71 * t->length;
    if (t->body != STRING) ear.at_y = 0.4 * t->width;
    put(scene, SIS_KIND_PROBE, &ear);
    return scene;
}

// The same gestures as elsewhere, SLOWER.
static double* hands(const sis_system* system, uint64_t seed) {
    return gesture_rows(system, (gesture)(1 + seed % 4), SLOWER * FRAMES, seed);
}

// ---------------------------------------------------------------------------- each sample both ways

typedef struct both_ways {
    long samples, apart, joint; // samples looked at, points solved apart, and with others
    double worst;               // largest difference, of the largest travel
} both_ways;

// What a block does from a state where its points would fly by free[]: new energies in it.
static body_work solve_from(const sis_system* system, sis_state* state, int32_t p, int32_t b,
                            uint64_t seed, bool together, state_view* view) {
    const state_view whole = sis_view(system, state);
    *view = sis_part_view(sis_part(system, p), &whole);
    const sis_system* live = sis_live_system(sis_part(system, p), view);
    network_block block = live->blocks[b];
    network_work* work = &view->work;
    if (together) block.sleeps = false;
    for (int32_t i = block.first; i < block.first + block.count; i++) {
        const double d = work->memory.eta[i] - work->memory.before[i];
        work->free[i] = 2 * d + (1e-7 + 0.5 * fabs(d)) * (random_unit(&seed) - 0.5);
    }
    const body_work done = sis_network_solve(&block, live->links, live->k, work);
    sis_live_done(live, view);
    return done;
}

static void compare_block(const sis_system* system, const sis_state* state, int32_t p, int32_t b,
                          sis_state* room[2], uint64_t seed, both_ways* sum) {
    const network_block* block = &sis_part(system, p)->blocks[b];
    state_view view[2];
    body_work done[2];
    double size = 0, energy = 0, off = 0, missed = 0;
    for (int i = 0; i < 2; i++) {
        memcpy(room[i], state, sis_state_size(system));
        done[i] = solve_from(system, room[i], p, b, seed, i, &view[i]);
    }
    for (int32_t i = block->first; i < block->first + block->count; i++) {
        const network_work *one = &view[0].work, *other = &view[1].work;
        sum->apart += one->chosen[i] == LINK_APART;
        sum->joint += one->chosen[i] == true;
        CHECK((one->chosen[i] != 0) == (other->chosen[i] != 0) || one->force[i] == other->force[i]);
        size = fmax(size, fmax(fabs(one->free[i]), fabs(one->travel[i] - one->free[i])));
        energy += fabs(one->memory.E[i]);
        missed += fabs(one->memory.E[i] - other->memory.E[i]);
        off = fmax(off, fabs(one->travel[i] - other->travel[i]));
    }
    missed += fabs(done[0].dissipated - done[1].dissipated);
    CHECK(off <= 1e-9 * size);
    CHECK(missed <= 1e-9 * (energy + fabs(done[0].dissipated)));
    sum->samples++;
    if (size > 0) sum->worst = fmax(sum->worst, off / size);
}

static void compare_blocks(const sis_system* system, const sis_state* state, sis_state* room[2],
                           uint64_t seed, both_ways* sum) {
    const int32_t parts = system->parts ? system->part_count : 1;
    const state_view whole = sis_view(system, state);
    for (int32_t p = 0; p < parts; p++) {
        const sis_system* part = sis_part(system, p);
        const state_view view = sis_part_view(part, &whole);
        for (int32_t b = 0; b < part->block_count; b++) {
            const network_block* block = &part->blocks[b];
            if (!block->sleeps || block->slide == block->count || !view.blocks[b].awake) continue;
            compare_block(system, state, p, b, room, seed, sum);
        }
    }
}

static void apart_is_together(uint64_t seed, both_ways* sum) {
    trial t;
    sis_scene* scene = random_scene(seed, 1, &t);
    sis_system* system = compiled(scene, t.rate, 0);
    const size_t size = sis_state_size(system);
    const int32_t inputs = sis_system_input_count(system);
    sis_state* room[2] = {aligned_alloc(64, size), aligned_alloc(64, size)};
    sis_state* state = sis_state_init(system, aligned_alloc(64, size));
    double* rows = hands(system, seed);
    for (int32_t n = 0; n < FRAMES; n += LOOK) {
        sis_step(system, state, &(sis_block){LOOK, NULL, NULL, rows + (size_t)n * (size_t)inputs});
        // Where hands have thrown it beyond all bounds contacts owe energy, and each way pays its own.
        if (sis_state_energy(system, state).total < WILD)
            compare_blocks(system, state, room, seed + (uint64_t)n, sum);
    }
    free(rows);
    free(state);
    free(room[0]);
    free(room[1]);
    sis_system_free(system);
    sis_scene_free(scene);
}

static void points_apart_move_as_if_solved_with_all_others(void) {
    const int trials = check_count(SANITIZED ? 10 : 60, 1000);
    both_ways sum = {0};
    for (int i = 0; i < trials; i++) {
        const long before = check_now.failures;
        apart_is_together(100u + (uint64_t)i, &sum);
        if (check_now.failures > before) printf("    %s\n", random_trial(100u + (uint64_t)i).words);
    }
    printf("        %ld samples, %ld points apart, %ld together, differences %.1e\n", sum.samples,
           sum.apart, sum.joint, sum.worst);
    CHECK(sum.apart > 100 * trials && sum.joint > 100 * trials);
}

// ---------------------------------------------------------------------------- whatever hands do

static void check_links(const run* r) {
    for (int32_t l = 0; l < sis_system_link_count(r->system); l++) {
        const sis_link_info info = sis_system_link(r->system, l);
        const sis_link_report report = sis_state_link(r->system, r->state, l);
        if (info.kind == SIS_KIND_CONTACT) CHECK(report.min_force >= 0);
        CHECK(isfinite(report.max_force));
        if (run_peak(r) < WILD) CHECK(report.unconverged == 0);
    }
}

// All blocks, and all widths: 8 is that of few machines.
static void check_all_cuts(const sis_scene* scene, double rate, const double* rows, const run* r) {
    static const int32_t blocks[] = {1, 7, 64, 7}, lanes[] = {1, 2, 4, 8};
    for (int i = 0; i < 4; i++) {
        run part = run_live(compiled(scene, rate, lanes[i]), rows, r->frames, blocks[i]);
        CHECK(same_rows(r, &part));
        run_free(&part);
    }
}

// Half way another compile of the scene, with other stiffnesses, goes on.
static double check_adopted(uint64_t seed, const double* rows) {
    trial t;
    sis_scene* scenes[2] = {random_scene(seed, 1, &t), random_scene(seed, 1.7, &t)};
    run r = run_live(compiled(scenes[0], t.rate, 0), rows, FRAMES / 2, 64);
    sis_system* next = compiled(scenes[1], t.rate, 0);
    const int32_t inputs = sis_system_input_count(next);
    const size_t size = sis_state_size(next);
    void* room = aligned_alloc(64, 2 * (size + sis_state_size(r.system)));
    sis_error error = {0};
    sis_energy* energy = calloc(FRAMES / 2, sizeof *energy);
    sis_balance balance = {0};
    memcpy(room, r.state, sis_state_size(r.system));
    CHECK(sis_state_adopt(next, r.system, room, &error));
    if (error.status) printf("    %s\n", error.text);
    for (int32_t n = 0; n < FRAMES / 2; n += 8)
        sis_step(
            next, room,
            &(sis_block){8, NULL, energy + n, rows + (size_t)(FRAMES / 2 + n) * (size_t)inputs});
    sis_balance_add(&balance, r.energy, FRAMES / 2);
    sis_balance_add(&balance, energy, FRAMES / 2);
    sis_system_free(next);
    free(room);
    free(energy);
    run_free(&r);
    sis_scene_free(scenes[0]);
    sis_scene_free(scenes[1]);
    return sis_balance_residual(&balance);
}

static double check_trial(uint64_t seed) {
    trial t;
    sis_scene* scene = random_scene(seed, 1, &t);
    sis_system* system = compiled(scene, t.rate, 0);
    double* rows = hands(system, seed);
    run r = run_live(system, rows, FRAMES, 4096);
    const bool rested = r.energy[FRAMES - 1].total == 0 && r.energy[FRAMES - 1].supplied == 0;
    const double off = rested ? 0 : residual_from(&r, 0), adopted = check_adopted(seed, rows);
    CHECK(off <= 1e-12);
    CHECK(adopted <= 1e-12);
    for (int32_t n = 0; n < FRAMES; n++)
        if (!isfinite(run_at(&r, n, 0))) CHECK(isfinite(run_at(&r, n, 0)));
    check_links(&r);
    check_all_cuts(scene, t.rate, rows, &r);
    check_copy(scene, t.rate, rows, &r);
    free(rows);
    run_free(&r);
    sis_scene_free(scene);
    return fmax(off, adopted);
}

static void energy_adds_up_and_bits_are_the_same_whatever_hands_do(void) {
    const int trials = check_count(SANITIZED ? 6 : 40, 400);
    double most = 0;
    for (int i = 0; i < trials; i++) {
        const long before = check_now.failures;
        const double off = check_trial(5000u + (uint64_t)i);
        if (check_now.failures > before)
            printf("    %s: %.2g\n", random_trial(5000u + (uint64_t)i).words, off);
        most = fmax(most, off);
    }
    printf("        %d scenes: residual %.2g\n", trials, most);
}

int main(void) {
    RUN(points_apart_move_as_if_solved_with_all_others);
    RUN(energy_adds_up_and_bits_are_the_same_whatever_hands_do);
    return CHECK_REPORT();
}
