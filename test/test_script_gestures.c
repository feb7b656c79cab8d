// Random gestures on every live key of every shipped scene with inputs: whatever a hand does within
// the declared ranges, numbers stay finite, the energy balance closes, contacts never pull and no body
// passes through another, and the cutting into blocks and the width do not matter. 10^4 runs in the
// long form.
#include "check.h"
#include "reference.h"
#include "script.h"

#include <dirent.h>

enum { FRAMES = 1500, MOST_INPUTS = 64, MOST_SCENES = 200, MOST_LINKS = 128 };

/** How a hand moves: each input has its own of these. */
typedef enum habit { RESTS, WALKS, JUMPS, SWINGS, SHAKES, HABITS } habit;

static double between(uint64_t* seed, double low, double high) {
    return low + (high - low) * random_unit(seed);
}

/** One input over all rows. A trigger is struck now and then. */
static void draw_input(uint64_t* seed, sis_input_info info, int32_t inputs, double* rows) {
    habit h = (habit)(random_unit(seed) * HABITS);
    double value = between(seed, info.min, info.max), span = info.max - info.min;
    double turn = random_log(seed, 1e-4, 0.5), step = random_log(seed, 1e-5, 0.1) * span;
    for (int32_t n = 0; n < FRAMES; n++) {
        double r = random_unit(seed);
        if (info.trigger) {
            rows[(size_t)n * (size_t)inputs] =
                n == 3 || r < 0.001 ? between(seed, info.min, info.max) : 0;
            continue;
        }
        if (h == WALKS) value += between(seed, -step, step);
        if (h == JUMPS && r < 0.005) value = between(seed, info.min, info.max);
        if (h == SWINGS) value = info.min + span * 0.5 * (1 + sin(turn * n));
        if (h == SHAKES) value = between(seed, info.min, info.max);
        value = fmin(info.max, fmax(info.min, value));
        rows[(size_t)n * (size_t)inputs] = value;
    }
}

typedef struct trial {
    double residual, pulled, loudest;
    double stored;            // J, largest
    double depth[MOST_LINKS]; // m, largest of each contact
    bool finite;
    uint64_t hash;
} trial;

static uint64_t hash_of(uint64_t hash, const double* values, size_t count) {
    const unsigned char* at = (const unsigned char*)values;
    for (size_t i = 0; i < count * sizeof *values; i++)
        hash = (hash ^ at[i]) * 0x100000001b3u;
    return hash;
}

/** `rows` NULL: the inputs rest. */
static trial play(const sis_system* system, const double* rows, int32_t block) {
    const size_t probes = (size_t)sis_system_probe_count(system);
    const size_t inputs = (size_t)sis_system_input_count(system);
    trial t = {.finite = true, .hash = 0xcbf29ce484222325u};
    double* heard = calloc(probes * FRAMES + 1, sizeof *heard);
    sis_energy* energy = calloc(FRAMES, sizeof *energy);
    sis_state* state = aligned_alloc(SIS_STATE_ALIGN, sis_state_size(system));
    sis_balance balance = {0};
    sis_state_init(system, state);
    t.stored = sis_state_energy(system, state).total;
    for (int32_t n = 0; n < FRAMES; n += block) {
        int32_t now = FRAMES - n < block ? FRAMES - n : block;
        sis_step(system, state,
                 &(sis_block){now, heard + (size_t)n * probes, energy + n,
                              rows ? rows + (size_t)n * inputs : NULL});
    }
    sis_balance_add(&balance, energy, FRAMES);
    t.residual = sis_balance_residual(&balance);
    t.hash = hash_of(t.hash, heard, probes * FRAMES);
    t.hash = hash_of(t.hash, &energy[0].kinetic, FRAMES * sizeof *energy / sizeof(double));
    for (size_t i = 0; i < probes * FRAMES; i++) {
        t.finite = t.finite && isfinite(heard[i]);
        t.loudest = fmax(t.loudest, fabs(heard[i]));
    }
    for (int32_t n = 0; n < FRAMES; n++)
        t.stored = fmax(t.stored, energy[n].total);
    for (int32_t l = 0; l < sis_system_link_count(system) && l < MOST_LINKS; l++) {
        sis_link_info info = sis_system_link(system, l);
        t.depth[l] = sis_state_link(system, state, l).max_penetration;
        if (info.kind == SIS_KIND_CONTACT && info.law == SIS_LAW_ONE_SIDED)
            t.pulled = fmin(t.pulled, sis_state_link(system, state, l).min_force);
    }
    free(heard);
    free(energy);
    free(state);
    return t;
}

typedef struct scene_file {
    char name[64];
    sis_script* script;
    int32_t inputs;
} scene_file;

static scene_file files[MOST_SCENES];
static int file_count;

static sis_system* compiled(const scene_file* file, double rate, int32_t lanes, sis_scheme scheme) {
    sis_error error = {0};
    sis_scene* scene = sis_script_scene(file->script);
    sis_options options = sis_options_default(scene);
    options.rate *= rate;
    options.lanes = lanes;
    options.scheme = scheme;
    sis_system* system = sis_compile(scene, &options, &error);
    if (!system && scheme == SIS_SCHEME_AS_GIVEN) printf("%s: %s\n", file->name, error.text);
    return system;
}

static void find_scenes(void) {
    DIR* folder = opendir(SISTRUM_SOURCE_DIR "/scenes");
    for (struct dirent* entry; folder && (entry = readdir(folder)) && file_count < MOST_SCENES;) {
        const char* end = strrchr(entry->d_name, '.');
        scene_file* file = &files[file_count];
        char path[512];
        if (!end || strcmp(end, ".lua") != 0 || strlen(entry->d_name) >= sizeof file->name)
            continue;
        snprintf(path, sizeof path, "%s/scenes/%s", SISTRUM_SOURCE_DIR, entry->d_name);
        memcpy(file->name, entry->d_name, strlen(entry->d_name) + 1);
        sis_script_error wrong;
        file->script = sis_script_load(path, NULL, 0, &wrong);
        CHECK(file->script != NULL);
        if (!file->script) continue;
        sis_system* system = compiled(file, 1, 0, SIS_SCHEME_AS_GIVEN);
        file->inputs = system ? sis_system_input_count(system) : 0;
        sis_system_free(system);
        if (file->inputs > 0 && file->inputs <= MOST_INPUTS)
            file_count++;
        else
            sis_script_free(file->script);
    }
    if (folder) closedir(folder);
}

static void scenes_with_inputs_compile(void) {
    find_scenes();
    CHECK(file_count > 0);
    printf("  %d scenes have inputs\n", file_count);
}

static double* drawn(const sis_system* system, uint64_t* seed) {
    int32_t inputs = sis_system_input_count(system);
    double* rows = calloc((size_t)FRAMES * (size_t)inputs, sizeof *rows);
    for (int32_t i = 0; rows && i < inputs; i++)
        draw_input(seed, sis_system_input(system, i), inputs, rows + i);
    return rows;
}

/** Over many runs. */
typedef struct extreme {
    double residual, depth;
} extreme;

/** The least that the K of a contact can be, if it follows an input. */
static double least_K(const scene_file* file, const sis_link_info* link) {
    const sis_scene* scene = sis_script_scene(file->script);
    double least = link->K;
    for (int32_t i = 0; i < sis_script_follower_count(file->script); i++) {
        sis_follower f = sis_script_follower(file->script, i);
        sis_input input = sis_script_input(file->script, f.input);
        if (strcmp(f.key, "K") != 0 || strcmp(sis_scene_name(scene, f.object), link->name) != 0)
            continue;
        least = fmin(f.scale * input.min, f.scale * input.max) + f.offset;
    }
    return least;
}

/** What the deepest point of a contact has stored, relative to the most that it can have: between
 * two samples the mean of both potentials is stored, so that at one of them it is at most twice all
 * energy there is. */
static double deepest(const scene_file* file, const sis_system* system, const trial* t) {
    double most = 0;
    CHECK(sis_system_link_count(system) <= MOST_LINKS);
    for (int32_t l = 0; l < sis_system_link_count(system) && l < MOST_LINKS; l++) {
        sis_link_info info = sis_system_link(system, l);
        bool stores = info.scheme == SIS_SCHEME_LEDGER || info.scheme == SIS_SCHEME_NEWTON;
        if (info.kind != SIS_KIND_CONTACT || !stores || info.potential != SIS_POTENTIAL_MEAN)
            continue;
        double K = least_K(file, &info) * info.weight / (info.alpha + 1);
        most = fmax(most, K * pow(t->depth[l], info.alpha + 1) / (2 * t->stored));
    }
    return most;
}

/** One run: of a scene, at a rate, by a scheme. The residual where inputs rest is at most 1e-12. */
static void check_run_of(const scene_file* file, uint64_t* seed, extreme* worst) {
    static const double rates[] = {1, 1.0884, 2.1769};
    const uint64_t begin = *seed;
    double rate = rates[(int)(random_unit(seed) * 3)];
    sis_system* system = compiled(file, rate, 0, SIS_SCHEME_AS_GIVEN);
    CHECK(system != NULL);
    if (!system) return;
    bool rests = random_unit(seed) < 0.1;
    double* rows = drawn(system, seed);
    trial t = play(system, rests ? NULL : rows, 64);
    double depth = t.stored > 0 ? deepest(file, system, &t) : 0;
    bool good = t.finite && t.residual <= (rests ? 1e-12 : 1e-11) && t.pulled >= 0;
    bool apart = depth <= 1 + 1e-9;
    CHECK(good);
    CHECK(apart);
    if (!good || !apart)
        printf("  %s, seed %llu, rate x %g: residual %g, pulled %g N, depth %g of what its energy "
               "allows, %s\n",
               file->name, (unsigned long long)begin, rate, t.residual, t.pulled, depth,
               t.finite ? "finite" : "NOT FINITE");
    worst->residual = fmax(worst->residual, t.residual);
    worst->depth = fmax(worst->depth, depth);
    free(rows);
    sis_system_free(system);
}

static void whatever_a_hand_does_the_balance_closes(void) {
    const int runs = check_count(SANITIZED ? 60 : 150, 10000);
    uint64_t seed = 20261118;
    extreme worst = {0};
    for (int i = 0; i < runs && file_count; i++) {
        uint64_t own = seed + 1000003u * (uint64_t)i;
        check_run_of(&files[i % file_count], &own, &worst);
    }
    printf("  %d runs, largest residual %.1e, a point stored at most %.2g of what it could\n", runs,
           worst.residual, worst.depth);
}

static void blocks_and_widths_do_not_matter(void) {
    static const int32_t blocks[] = {1, 7, 4096};
    static const int32_t lanes[] = {1, 2, 4};
    const int rounds = check_count(1, 20);
    uint64_t seed = 5;
    for (int i = 0; i < rounds * file_count; i++) {
        sis_system* system = compiled(&files[i % file_count], 1, 0, SIS_SCHEME_AS_GIVEN);
        if (!system) continue;
        double* rows = drawn(system, &seed);
        trial one = play(system, rows, 64);
        int way = i % 3;
        CHECK(play(system, rows, blocks[way]).hash == one.hash);
        sis_system* narrow = compiled(&files[i % file_count], 1, lanes[way], SIS_SCHEME_AS_GIVEN);
        bool same = narrow && play(narrow, rows, 64).hash == one.hash;
        CHECK(!narrow || same);
        if (narrow && !same) printf("  %s, %d lanes\n", files[i % file_count].name, lanes[way]);
        free(rows);
        sis_system_free(narrow);
        sis_system_free(system);
    }
}

/** A trapezoid string whose tension moves, with fingers that slide and links that rest: each of them
 *  remakes the compliance of their block. */
static const char hands[] =
    "local T1 = input { 'T1', 0.163531, min = 0, max = 1 }\n"
    "local b0 = string { length = 0.0671051, model = 'trapezoid', tension = (20.5269 + 61.5808 * "
    "T1), density = 0.00285333, radius = 7.67448e-05, youngs = 10404200000.0, sigma0 = 0.0248184, "
    "sigma1 = 0.00196157 }\n"
    "pluck { on = b0, at = 0.0292573, height = -1.43485e-05 }\n"
    "local b1 = modal { modes = { { frequency = 215.617, t60 = 1.5, mass = 0.03, shape = { 1, 0.7 "
    "} }, { frequency = 1876.17, sigma = 9, mass = 0.03, shape = { 1, -0.4 } } } }\n"
    "local i2 = input { 'i2', 0.761225, min = 0, max = 1 }\n"
    "local t3 = input { 't3', trigger = true, min = 0, max = 5 }\n"
    "local r0 = mass { path = { { 0, 0 }, { 0.005, 1.97164e-05 }, { 0.01, 0 } }, trigger = t3 }\n"
    "contact { above = r0, below = b0, K = 2721730000.0, alpha = 1.5, damping = (0.0 + 25.3613 * "
    "i2), scheme = 'quadratised', release = true, at = 0.0278531 }\n"
    "local i4 = input { 'i4', 11699900000.0, min = 0.0, max = 11699900000.0, smooth = 8.74504e-05 "
    "}\n"
    "local i5 = input { 'i5', 0.0, min = -0.0, max = 7.60716e-07 }\n"
    "local i6 = input { 'i6', 3.7272, min = 0.0, max = 3.77107 }\n"
    "local t7 = input { 't7', trigger = true, min = 0, max = 1 }\n"
    "local r1 = mass { path = { { 0, 0 }, { 0.005, 2.67305e-05 }, { 0.01, 0 } }, trigger = t7 }\n"
    "local i8 = input { 'i8', 0.0151692, min = 0.0151692, max = 0.0274519 }\n"
    "contact { above = r1, below = b0, K = i4, alpha = 1.97611, gap = i5, damping = i6, scheme = "
    "'newton', at = i8 }\n"
    "local i9 = input { 'i9', 0.673112, min = 0, max = 1, smooth = 1.07331e-05 }\n"
    "local i10 = input { 'i10', 0.0312561, min = 0.0, max = 0.0312561 }\n"
    "local i11 = input { 'i11', -6.92841e-06, min = -6.92841e-06, max = 2.08535e-06, smooth = "
    "0.000717828 }\n"
    "local r2 = barrier { height = i11 }\n"
    "local i12 = input { 'i12', 0.0131959, min = 0.0131959, max = 0.0189767 }\n"
    "contact { above = b0, below = r2, K = (0.0 + 3.95944e+16 * i9), alpha = 3.0, damping = i10, "
    "scheme = 'ledger', at = i12 }\n"
    "local i13 = input { 'i13', 1434.27, min = 0.0, max = 1434.27 }\n"
    "local i14 = input { 'i14', 0.700379, min = 0, max = 1, smooth = 0.00580403 }\n"
    "local i15 = input { 'i15', 0.0, min = 0.0, max = 883.547 }\n"
    "spring { between = { b1, b0 }, at_a = 2, at_b = 0.00949637, K1 = i13, K3 = (0.0 + "
    "111566000000000.0 * i14), damping = i15 }\n"
    "local i16 = input { 'i16', 2.89108, min = -0.774889, max = 2.89108 }\n"
    "local t17 = input { 't17', trigger = true, min = 0, max = 5 }\n"
    "force { on = b1, at = 2, shape = 'constant', peak = i16, width = 2.14044e-05, trigger = t17 "
    "}\n"
    "probe { on = b0, at = 0.061062, quantity = 'displacement' }\n"
    "probe { on = b1, at = 1, quantity = 'velocity' }\n"
    "render { rate = 8000, oversample = 1, duration = 0.1 }\n";

static void many_hands_on_a_trapezoid_string_have_the_same_bits(void) {
    sis_script_error wrong = {0};
    scene_file file = {.name = "hands"};
    file.script = sis_script_load_text(hands, strlen(hands), "hands", NULL, 0, &wrong);
    CHECK(file.script != NULL);
    if (!file.script) printf("%s\n", wrong.text);
    sis_system* system = file.script ? compiled(&file, 1, 0, SIS_SCHEME_AS_GIVEN) : NULL;
    for (uint64_t trial_seed = 1; system && trial_seed <= 20; trial_seed++) {
        uint64_t seed = trial_seed * 7919;
        double* rows = drawn(system, &seed);
        trial one = play(system, rows, 64);
        CHECK(play(system, rows, 7).hash == one.hash);
        CHECK(play(system, rows, FRAMES).hash == one.hash);
        CHECK(one.finite);
        free(rows);
    }
    sis_system_free(system);
    sis_script_free(file.script);
}

int main(void) {
    RUN(scenes_with_inputs_compile);
    RUN(whatever_a_hand_does_the_balance_closes);
    RUN(blocks_and_widths_do_not_matter);
    RUN(many_hands_on_a_trapezoid_string_have_the_same_bits);
    for (int i = 0; i < file_count; i++)
        sis_script_free(files[i].script);
    return CHECK_REPORT();
}
