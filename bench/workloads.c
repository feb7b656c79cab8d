// Every workload with every scheme that it takes, audited and not, against the machine's limit and
// against plain scalar C of the same scheme (scalar.c).
#include "cases.h"
#include "example_bodies.h"
#include "example_strings.h"
#include "scalar.h"
#include "sections.h"
#include "stencil_cases.h"

/** What a workload is measured against. */
typedef enum workload_limit { LIMIT_NONE, LIMIT_STRING, LIMIT_PLATE } workload_limit;

typedef struct workload {
    const char* name;
    const char* scene; // a Lua scene, or NULL: made by `build`
    double times;      // its rate times this
    sis_scene* (*build)(void);
    double seconds; // timed
    workload_limit limit;
    int example; // row of example_workloads, for the scalar reference; -1: none
} workload;

// The mass of the modal bodies on a wall.
static sis_scene* build_mass(void) {
    sis_scene* scene = example_scene_new();
    sis_id mass = example_mass(scene, 5e-3, 0, 0, 2e-4, 0);
    example_contact(scene, mass, example_barrier(scene, 0), example_schemes[0], 1e7, 1.5,
                    SIS_LAW_ONE_SIDED, 0, 0.2);
    example_gravity(scene, 9.81);
    return scene;
}

static sis_scene* build_modes_1(void) {
    return example_struck_modes(example_schemes[0], 1, EXAMPLE_BOUNCING);
}

static sis_scene* build_modes_8(void) {
    return example_struck_modes(example_schemes[0], 8, EXAMPLE_BOUNCING);
}

static sis_scene* build_modes_32(void) {
    return example_struck_modes(example_schemes[0], 32, EXAMPLE_BOUNCING);
}

static const workload workloads[] = {
    {"A", "A", 1, NULL, 1, LIMIT_STRING, 0},
    {"A5", "A", 5, NULL, 0.2, LIMIT_STRING, 1},
    {"B", "B", 1, NULL, 1, LIMIT_STRING, 2},
    {"C", "C", 1, NULL, 1, LIMIT_STRING, 3},
    {"tromba-marina", "tromba_marina", 1, NULL, 0.5, LIMIT_PLATE, -1},
    {"hammer-string", "hammer_string", 1, NULL, 0.5, LIMIT_NONE, -1},
    {"hunt-crossley", NULL, 1, build_mass, 0.5, LIMIT_NONE, -1},
    {"modes-1", NULL, 1, build_modes_1, 0.5, LIMIT_NONE, -1},
    {"modes-8", NULL, 1, build_modes_8, 0.5, LIMIT_NONE, -1},
    {"modes-32", NULL, 1, build_modes_32, 0.5, LIMIT_NONE, -1},
};
enum { WORKLOADS = sizeof workloads / sizeof workloads[0] };

static const sis_scheme schemes[] = {SIS_SCHEME_LEDGER, SIS_SCHEME_QUADRATISED, SIS_SCHEME_NEWTON,
                                     SIS_SCHEME_EXACT};
enum { SCHEMES = sizeof schemes / sizeof schemes[0] };

int workload_count(void) {
    return WORKLOADS;
}

const char* workload_name(int i) {
    return workloads[i].name;
}

sis_system* workload_system(int i, sis_scheme scheme, scene_audit audit) {
    const workload* w = &workloads[i];
    if (w->scene) return scene_system(w->scene, NULL, w->times, scheme, audit, false);
    return scene_compiled(w->build(), 44100 * w->times, scheme, audit, false);
}

// ---------------------------------------------------------------------------- the scalar reference

static scalar_string scalar_of(const sis_system* system, const example_workload* w) {
    sis_body_info info = sis_system_body(system, 0);
    double rate = sis_system_rate(system), k = 1 / rate, h = info.length / info.segments;
    double pull = info.tension * k * k / (info.density * h * h);
    double bend = info.used * k * k / (info.density * h * h * h * h);
    double s0k = info.sigma0 * k, s1k = info.sigma1 * k / (h * h), scale = 1 / (1 + s0k);
    scalar_string s = {.points = info.segments - 1,
                       .here = 2 - scale * (2 * pull + 6 * bend + 4 * s1k + 2 * s0k),
                       .beside = scale * (pull + 4 * bend + 2 * s1k),
                       .far = -scale * bend,
                       .was = scale * (4 * s1k + 2 * s0k) - 1,
                       .was_beside = -scale * 2 * s1k,
                       .push = scale * k * k / (info.density * h),
                       .spacing = h,
                       .rate = rate};
    if (!w) return s;
    s.alpha = w->alpha;
    s.K_over_t = w->K * h / (w->alpha + 1);
    s.half_power = pow(0.5, w->alpha + 1);
    s.half_cosine = w->shape == SIS_FORCE_HALF_COSINE;
    s.peak = w->peak;
    s.width = w->width;
    memcpy(s.bend, w->bend, sizeof s.bend);
    double place = w->at / h, base = floor(place), a = place - base;
    s.force_first = (int)base - 2;
    s.force_weight[0] = -a * (a - 1) * (a - 2) / 6;
    s.force_weight[1] = (a - 1) * (a + 1) * (a - 2) / 2;
    s.force_weight[2] = -a * (a + 1) * (a - 2) / 2;
    s.force_weight[3] = a * (a + 1) * (a - 1) / 6;
    return s;
}

/** Largest difference of the two shapes in the first samples, of the largest displacement. */
static double disagreement(const sis_system* system, const scalar_string* s) {
    enum { COMPARED = 1000 };
    sis_state* state = example_state(system);
    double* reference = calloc(scalar_string_size(s), sizeof *reference);
    double* u = calloc((size_t)s->points + 2, sizeof *u);
    double apart = 0, most = 0;
    if (!reference || !u) example_starve();
    scalar_string_start(s, reference);
    for (int n = 0; n < COMPARED; n++) {
        sis_step(system, state, &(sis_block){.frames = 1});
        sis_state_shape(system, state, 0, u);
        scalar_string_run(s, reference, n, 1);
        const double* v = scalar_string_shape(s, reference);
        for (int i = 0; i < s->points; i++) {
            double here = fabs(u[i + 1] - v[i]);
            if (!(here <= apart)) apart = here; // also when it is not a number
            most = fmax(most, fabs(u[i + 1]));
        }
    }
    free(u);
    free(reference);
    free(state);
    return apart / most;
}

/** Share of the samples in which it touches, of 1. */
static double twin_inside(const scalar_string* s, int samples) {
    double* reference = calloc(scalar_string_size(s), sizeof *reference);
    int inside = 0;
    if (!reference) example_starve();
    scalar_string_start(s, reference);
    for (int n = 0; n < samples; n++) {
        scalar_string_run(s, reference, n, 1);
        inside += scalar_string_inside(s, reference);
    }
    free(reference);
    return (double)inside / samples;
}

static void run_twin(timed_case* c) {
    scalar_string_run(c->data, c->u, c->from, c->now);
}

static timed_case* case_of_twin(const scalar_string* s, int samples) {
    timed_case* c = case_of_loop(run_twin, s->points, scalar_string_size(s), samples);
    scalar_string_start(s, c->u);
    c->data = s;
    case_rewinds(c);
    return c;
}

// The bodies of the tromba marina, free: string and plate one after the other.
typedef struct scalar_bodies {
    scalar_string string;
    scalar_plate plate;
} scalar_bodies;

static void run_bodies(timed_case* c) {
    const scalar_bodies* both = c->data;
    size_t size = scalar_string_size(&both->string);
    for (int n = 0; n + 3 <= c->now; n += 3) { // three levels: back where it began
        scalar_string_run(&both->string, c->u, n + 1, 3);
        scalar_plate_run(&both->plate, c->u + size, 3);
    }
}

static timed_case* case_of_bodies(scalar_bodies* both, const sis_system* system, int samples) {
    both->string = scalar_of(system, NULL);
    const double m = 0.04, loss = 0.01; // stable: kappa k/h^2 = 0.2, sigma1 k/h^2 = 0.01
    both->plate = (scalar_plate){133,    16, 2 - 20 * m - 8 * loss, 8 * m + 2 * loss,
                                 -2 * m, -m, 8 * loss - 1,          -2 * loss};
    size_t size = scalar_string_size(&both->string), plate = (size_t)3 * 137 * 20;
    timed_case* c = case_of_loop(run_bodies, 133 * 16, size + plate, samples / 3 * 3);
    scalar_string_start(&both->string, c->u);
    c->u[size + 137 * 8 + 60] = 1e-3;
    c->u[SCALAR_PAD + 60] = 1e-3;
    c->data = both;
    case_rewinds(c);
    return c;
}

// ---------------------------------------------------------------------------- instructions

/** Instructions per sample of a case, from the file that tools/bench.sh makes; NaN: not counted. */
static double instructions_of(const bench_context* b, const char* name) {
    FILE* file = b->counts ? fopen(b->counts, "r") : NULL;
    char line[128];
    double count = (double)NAN;
    while (file && fgets(line, sizeof line, file)) {
        size_t length = strcspn(line, ",");
        if (line[length] && strlen(name) == length && strncmp(line, name, length) == 0)
            count = strtod(line + length + 1, NULL);
    }
    if (file) fclose(file);
    return count;
}

// ---------------------------------------------------------------------------- one workload

typedef struct workload_cases {
    timed_case *fast[SCHEMES], *audited[SCHEMES], *limit, *reference;
    timed_case* open; // the reference far above its barrier
    scalar_string scalar, above;
    scalar_bodies bodies;
    double apart; // of the reference
} workload_cases;

static void add_cases(int i, workload_cases* all) {
    const workload* w = &workloads[i];
    all->limit = all->reference = all->open = NULL;
    all->apart = (double)NAN;
    for (int s = 0; s < SCHEMES; s++) {
        sis_system* system = workload_system(i, schemes[s], UNAUDITED);
        int samples = system ? (int)(w->seconds * sis_system_rate(system)) : 2;
        if (s == 0 && system && w->example >= 0) {
            all->scalar = scalar_of(system, &example_workloads[w->example]);
            all->apart = disagreement(system, &all->scalar);
            all->reference = case_of_twin(&all->scalar, samples);
            all->above = all->scalar;
            all->above.bend[0] -= 1;
            all->open = case_of_twin(&all->above, samples);
        }
        if (s == 0 && system && w->limit == LIMIT_STRING)
            all->limit = limit_of_string(sis_system_body(system, 0).segments - 1, 4000, true);
        if (s == 0 && system && w->limit == LIMIT_PLATE) {
            all->limit = limit_of_plate(133, 16, 2000, true);
            all->reference = case_of_bodies(&all->bodies, system, 3000);
        }
        all->fast[s] = case_of_system(system, samples, false);
        if (system) all->fast[s]->points = 0;
        system = system ? workload_system(i, schemes[s], AUDITED) : NULL;
        all->audited[s] = case_of_system(system, samples, false);
    }
}

static int points_of(const sis_system* system) {
    int points = 0;
    for (int32_t b = 0; b < sis_system_body_count(system); b++) {
        sis_body_info info = sis_system_body(system, b);
        points += info.kind == SIS_KIND_MODAL ? info.modes : info.points;
    }
    return points;
}

/** What rounding has left over in the energy balance at the end, relative to what flowed. */
static double residual_of(const timed_case* c) {
    sis_energy e = sis_state_energy(c->system, c->state);
    sis_balance balance = {0};
    sis_balance_add(&balance, &e, 1);
    return sis_balance_residual(&balance);
}

/** What plain C would take if it touched in as many samples as the core: collisions are chaotic,
   and the two, which round differently, do not. */
static double twin_touching(const workload_cases* all, double inside, double core_inside) {
    double open = all->open ? all->open->best : (double)NAN;
    return open + (all->reference->best - open) * core_inside / inside;
}

static void tell(const bench_context* b, int i, const workload_cases* all) {
    bench_report* r = b->report;
    const char* name = workloads[i].name;
    double limit = all->limit ? all->limit->best : (double)NAN;
    double reference = all->reference ? all->reference->best : (double)NAN, inside = (double)NAN;
    if (all->open && all->reference) inside = twin_inside(&all->scalar, all->reference->samples);
    for (int s = 0; s < SCHEMES; s++) {
        const timed_case *fast = all->fast[s], *audited = all->audited[s];
        if (!fast->system || !audited->system) continue;
        const char* scheme = sis_scheme_word(schemes[s]);
        char full[REPORT_NAME];
        snprintf(full, sizeof full, "%s/%s", name, scheme);
        double ns = fast->best, rate = sis_system_rate(fast->system);
        double audit = audited->best / ns - 1;
        report_row(r);
        report_text(r, "%s", name);
        report_text(r, "%s", scheme);
        report_number(r, ns, 0, "");
        report_number(r, ns / points_of(fast->system), 2, "");
        report_number(r, 100 * limit / ns, 0, " %");
        report_number(r, 1e9 / (ns * rate), 1, "x");
        double touching = case_touching(fast, 0);
        double equal =
            all->open && all->reference ? twin_touching(all, inside, touching) / ns : (double)NAN;
        report_number(r, reference / ns, 2, "x");
        report_number(r, equal, 2, "x");
        report_number(r, 100 * audit, 0, " %");
        report_number(r, 100 * touching, 0, " %");
        report_number(r, instructions_of(b, full), 0, "");
        report_keep(r, ns, "%s", full);
        report_keep(r, audited->best, "%s/audited", full);
        report_keep(r, residual_of(audited), "residual/%s", full);
        if (s > 0) continue;
        report_keep(r, 1e9 / (ns * rate), "realtime/%s", name);
        report_keep(r, limit / ns, "share/%s", name);
        report_keep(r, equal, "equal/%s", name);
        report_keep(r, audit, "audit/%s", name);
    }
    if (all->reference) report_keep(r, reference, "%s/scalar", name);
    if (!isfinite(all->apart)) return;
    report_keep(r, all->open->best, "%s/scalar/open", name);
    report_keep(r, all->apart, "agree/%s", name);
    report_keep(r, inside, "inside/%s/scalar", name);
}

static void table_of_twins(bench_report* r) {
    report_begin(r, "Plain scalar C of the same scheme",
                 "workload|ns/sample|real time|inside|above its barrier|differs by (1000 samples)");
    for (int i = 0; i < WORKLOADS; i++) {
        const char* name = workloads[i].name;
        double ns = report_value_of(r, "%s/scalar", name),
               apart = report_value_of(r, "agree/%s", name);
        if (!isfinite(ns)) continue;
        double rate = 44100 * workloads[i].times;
        if (strcmp(name, "C") == 0) rate = 48000;
        report_row(r);
        report_text(r, "%s", name);
        report_number(r, ns, 0, "");
        report_number(r, 1e9 / (ns * rate), 2, "x");
        report_number(r, 100 * report_value_of(r, "inside/%s/scalar", name), 0, " %");
        report_number(r, report_value_of(r, "%s/scalar/open", name), 0, "");
        if (isfinite(apart))
            report_text(r, "%.1e", apart);
        else
            report_text(r, "-");
    }
    report_end(r, true,
               "bench/scalar.c: two-step recursion, one point after the other, libm's pow, -O2. "
               "Above its barrier: ns per\nsample where it never touches. Differs by: largest "
               "difference of shapes from the core's, of the largest\ndisplacement. Tromba "
               "marina: string and plate alone, without bow, bridge and contacts.");
}

void section_workloads(const bench_context* b) {
    bench_report* r = b->report;
    cases_begin(b->quick);
    report_begin(
        r, "Workloads on one core",
        "workload|scheme|ns/sample|ns/point|of the limit|real time|x scalar|at equal contact|"
        "audit costs|inside|instructions");
    for (int i = 0; i < WORKLOADS; i++) {
        static workload_cases all;
        add_cases(i, &all);
        cases_measure(0.25e9);
        tell(b, i, &all);
        cases_end();
    }
    report_end(r, true,
               "Unaudited; audit costs: what recording the work of forces and losses adds. Of the "
               "limit: time of the\nbare wide stencil of the string (tromba marina: of the plate) "
               "over the whole time. X scalar: against\nplain scalar C; at equal contact: if that "
               "touched in as many samples. Inside: samples in which the first\ncontact touches. "
               "Instructions per sample: counted by tools/bench.sh.");
    table_of_twins(r);
}
