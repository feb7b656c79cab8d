// What plates, modal bodies and whole instruments cost: a point of the free plate against the bare
// stencil of stencil.c, a mass on a body of 1, 8 and 32 modes, where the time of the tromba marina
// goes, and the scenes in real time. How it is timed: cases.h.
#include "bodies.h"

#include "cases.h"
#include "example_bodies.h"
#include "script.h"
#include "stencil.h"

// ---------------------------------------------------------------------------- points of a plate

static void run_plate(timed_case* c, stencil_plate* bare) {
    bare(c->u, c->u + c->numbers / 2, c->columns, c->points / c->columns, c->samples);
}

static void run_plate_scalar(timed_case* c) {
    run_plate(c, stencil_plate_scalar);
}

static void run_plate_wide(timed_case* c) {
    run_plate(c, stencil_plate_wide);
}

static timed_case* add_plate_stencil(void (*bare)(timed_case*), int columns, int rows,
                                     int samples) {
    size_t row = (size_t)columns + 2 * STENCIL_PAD;
    size_t numbers = 2 * row * ((size_t)rows + 2 * STENCIL_PAD);
    timed_case* c = case_of_loop(bare, columns * rows, numbers, samples);
    c->columns = columns;
    size_t middle = row * ((size_t)rows / 2 + STENCIL_PAD) + (size_t)columns / 2 + STENCIL_PAD;
    c->u[middle] = c->u[numbers / 2 + middle] = 1e-3; // a pinch, at rest
    return c;
}

// With its books of energy given and lost, or without.
typedef enum audit { AUDITED, UNAUDITED } audit;

static sis_system* compiled(const sis_scene* scene, double rate, audit books, const char* says) {
    sis_error error = {0};
    sis_options options = sis_options_default(scene);
    options.rate = rate;
    options.unaudited = books == UNAUDITED;
    sis_system* system = sis_compile(scene, &options, &error);
    if (!system) fprintf(stderr, "%s: %s\n", says, error.text);
    return system;
}

static timed_case* add_scene(sis_scene* scene, int samples, audit books, const char* says) {
    sis_system* system = compiled(scene, 44100, books, says);
    sis_scene_free(scene);
    return case_of_system(system, samples, false);
}

static void table_of_plates(double share) {
    static const int grids[][2] = {{134, 17}, {20, 20}, {40, 40}, {80, 80}, {160, 160}};
    static const struct {
        const char* word;
        example_plate_kind kind;
        audit books;
    } kinds[] = {{"plate", EXAMPLE_STIFF, UNAUDITED},
                 {"lossy", EXAMPLE_STIFF_LOSSY, UNAUDITED},
                 {"membrane", EXAMPLE_MEMBRANE, UNAUDITED},
                 {"audited", EXAMPLE_STIFF_LOSSY, AUDITED}};
    enum { GRIDS = sizeof grids / sizeof grids[0], KINDS = 4, COLUMNS = 2 + KINDS };
    timed_case* table[GRIDS][COLUMNS];
    for (int g = 0; g < GRIDS; g++) {
        int nx = grids[g][0], ny = grids[g][1], columns = nx - 1, rows = ny - 1;
        int samples = 4000000 / (columns * rows) / 2 * 2;
        table[g][0] = add_plate_stencil(run_plate_scalar, columns, rows, samples);
        table[g][1] =
            add_plate_stencil(can_run_wide() ? run_plate_wide : NULL, columns, rows, samples);
        for (int i = 0; i < KINDS; i++)
            table[g][2 + i] = add_scene(example_plate_grid(nx, ny, kinds[i].kind), samples,
                                        kinds[i].books, "plate");
    }
    cases_measure(share);
    printf(
        "\nA point of an explicit plate, ns per sample; scalar, wide: the bare loop of 13 points "
        "of stencil.c\n\n%10s %9s %9s",
        "segments", "scalar", "wide");
    for (int i = 0; i < KINDS; i++)
        printf(" %9s%s", kinds[i].word, i == 0 ? "    p/wide" : "");
    printf("\n");
    for (int g = 0; g < GRIDS; g++) {
        int points = (grids[g][0] - 1) * (grids[g][1] - 1);
        printf("%6d x%3d", grids[g][0], grids[g][1]);
        for (int i = 0; i < COLUMNS; i++) {
            print_number(table[g][i]->best / points, 9, 3);
            if (i != 2) continue;
            print_number(table[g][2]->best / table[g][1]->best, 8, 2);
            printf("x");
        }
        printf("\n");
    }
    printf(
        "\nplate: without losses; membrane: tension only, lossy; audited: lossy, what is lost is "
        "booked.\n");
    cases_end();
}

// ---------------------------------------------------------------------------- modal bodies

static void table_of_modes(double share) {
    static const int counts[] = {1, 8, 32, 128};
    static const int schemes[] = {0, 1, 3}; // of example_schemes
    enum { COUNTS = 4, SCHEMES = 3, SAMPLES = 8820 };
    timed_case *flight[COUNTS], *bounce[COUNTS][SCHEMES], *pressed[COUNTS][SCHEMES];
    for (int m = 0; m < COUNTS; m++) {
        example_scheme ledger = example_schemes[0];
        flight[m] = add_scene(example_struck_modes(ledger, counts[m], EXAMPLE_APART), SAMPLES,
                              AUDITED, "modes");
        for (int s = 0; s < SCHEMES; s++) {
            example_scheme scheme = example_schemes[schemes[s]];
            bounce[m][s] = add_scene(example_struck_modes(scheme, counts[m], EXAMPLE_BOUNCING),
                                     SAMPLES, AUDITED, "modes");
            pressed[m][s] = add_scene(example_struck_modes(scheme, counts[m], EXAMPLE_RESTING),
                                      SAMPLES, AUDITED, "modes");
        }
    }
    cases_measure(share);
    printf("\nA Hunt-Crossley mass (alpha 1.5) on a modal body at 44100 Hz, ns per sample\n\n"
           "%6s %-12s %9s %9s %9s %9s %9s\n",
           "modes", "scheme", "apart", "bouncing", "inside", "resting", "inside");
    for (int m = 0; m < COUNTS; m++)
        for (int s = 0; s < SCHEMES; s++) {
            printf("%6d %-12s", counts[m], example_schemes[schemes[s]].word);
            print_number(flight[m]->best, 9, 0);
            const timed_case* both[] = {bounce[m][s], pressed[m][s]};
            for (int i = 0; i < 2; i++) {
                print_number(both[i]->best, 9, 0);
                if (!both[i]->system) continue;
                sis_link_report report = sis_state_link(both[i]->system, both[i]->state, 0);
                printf(" %7.1f %%", 100. * (double)report.contact_samples / both[i]->samples);
            }
            printf("\n");
        }
    cases_end();
}

// ---------------------------------------------------------------------------- scenes

/** The text of a scene of the project; the caller frees it. NULL: cannot be read. */
static char* scene_text(const char* name) {
    char path[512];
    snprintf(path, sizeof path, "%s/scenes/%s.lua", SISTRUM_SOURCE_DIR, name);
    FILE* file = fopen(path, "rb");
    if (!file) {
        fprintf(stderr, "bench: cannot read %s\n", path);
        return NULL;
    }
    enum { LIMIT = 1 << 16 };
    char* text = calloc(LIMIT, 1);
    size_t size = text ? fread(text, 1, LIMIT - 1, file) : 0;
    fclose(file);
    if (size) return text;
    free(text);
    return NULL;
}

/** Cuts every line out of `text` that begins with one of the words, which end with NULL. */
static void cut_lines(char* text, const char* const* words) {
    char* to = text;
    for (char* line = text; *line;) {
        char* end = strchr(line, '\n');
        size_t size = end ? (size_t)(end - line) + 1 : strlen(line);
        bool cut = false;
        for (int i = 0; words && words[i]; i++)
            cut = cut || strncmp(line, words[i], strlen(words[i])) == 0;
        if (!cut) {
            memmove(to, line, size);
            to += size;
        }
        line += size;
    }
    *to = '\0';
}

/** A scene less some lines, as a system with the rate it asks for; NULL: said why. */
static sis_system* scene_system(const char* name, const char* const* without, audit books) {
    char* text = scene_text(name);
    if (!text) return NULL;
    cut_lines(text, without);
    sis_script_error wrong = {0};
    sis_script* script = sis_script_load_text(text, strlen(text), name, NULL, 0, &wrong);
    free(text);
    if (!script) {
        fprintf(stderr, "bench: %s\n", wrong.text);
        return NULL;
    }
    sis_scene* scene = sis_script_scene(script);
    sis_render_def run = sis_scene_render(scene);
    sis_system* system = compiled(scene, run.rate * run.oversample, books, name);
    sis_script_free(script);
    return system;
}

// Which lines of scenes/tromba_marina.lua are cut for each row.
static const struct {
    const char* words;
    audit books;
    bool outputs;
    const char* without[6];
} tromba_parts[] = {
    {"whole, probes and energies written", AUDITED, true, {NULL}},
    {"whole", AUDITED, false, {NULL}},
    {"whole, unaudited", UNAUDITED, false, {NULL}},
    {"without contacts", UNAUDITED, false, {"contact"}},
    {"string and bow",
     UNAUDITED,
     false,
     {"contact", "local body", "local bridge", "probe { on = body"}},
    {"string alone",
     UNAUDITED,
     false,
     {"bow", "contact", "local body", "local bridge", "probe { on = body"}},
    {"plate alone",
     UNAUDITED,
     false,
     {"bow", "contact", "local s", "local bridge", "probe { on = s"}},
};
enum { WRITTEN, WHOLE, FAST, APART, BOWED, STRING, PLATE, PARTS };

static void table_of_tromba(double share) {
    timed_case* part[PARTS];
    double ns[PARTS];
    const double rate = 44100;
    for (int i = 0; i < PARTS; i++)
        part[i] = case_of_system(
            scene_system("tromba_marina", tromba_parts[i].without, tromba_parts[i].books), 4410,
            tromba_parts[i].outputs);
    cases_measure(share);
    printf("\nTromba marina (string of 226 segments, bridge, plate of 134 x 17), the first 0.1 s "
           "on one core\n\n%-36s %10s %9s\n",
           "lines of the scene", "ns/sample", "realtime");
    for (int i = 0; i < PARTS; i++) {
        ns[i] = part[i]->best;
        printf("%-36s", tromba_parts[i].words);
        print_number(ns[i], 10, 0);
        print_number(1e9 / (ns[i] * rate), 8, 2);
        printf("x\n");
    }
    const struct {
        const char* words;
        double ns;
    } shares[] = {{"plate, free step", ns[PLATE]},
                  {"string, free step", ns[STRING]},
                  {"bridge, and that there are three", ns[APART] - ns[PLATE] - ns[BOWED]},
                  {"bow", ns[BOWED] - ns[STRING]},
                  {"contacts and their solve", ns[FAST] - ns[APART]},
                  {"audit: what is given and lost", ns[WHOLE] - ns[FAST]},
                  {"energies of all points, written", ns[WRITTEN] - ns[WHOLE]}};
    printf("\n%-36s %10s %9s\n", "where it goes", "ns/sample", "of whole");
    for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++) {
        printf("%-36s", shares[i].words);
        print_number(shares[i].ns, 10, 0);
        print_number(100 * shares[i].ns / ns[WHOLE], 8, 1);
        printf("%%\n");
    }
    printf(
        "\nDifferences of the rows above, unaudited but for the last two; small ones are "
        "uncertain by what a run\nvaries. The last is paid only by those who ask for energies.\n");
    cases_end();
}

static void table_of_scenes(double share) {
    static const char* names[] = {"hammer_string",  "strings_clash", "tanpura", "tromba_marina",
                                  "prepared_piano", "snare",         "sistrum"};
    enum { NAMES = sizeof names / sizeof names[0] };
    timed_case *audited[NAMES], *fast[NAMES];
    for (int i = 0; i < NAMES; i++) {
        sis_system* system = scene_system(names[i], NULL, AUDITED);
        int samples = system ? (int)(0.25 * sis_system_rate(system)) : 2;
        audited[i] = case_of_system(system, samples, false);
        fast[i] = case_of_system(scene_system(names[i], NULL, UNAUDITED), samples, false);
    }
    cases_measure(share);
    printf("\nScenes, the first 0.25 s on one core\n\n%-16s %8s %7s %7s %10s %9s %10s\n", "scene",
           "steps/s", "bodies", "points", "ns/step", "realtime", "unaudited");
    for (int i = 0; i < NAMES; i++) {
        const timed_case* c = audited[i];
        if (!c->system || !fast[i]->system) continue;
        int32_t bodies = sis_system_body_count(c->system), points = 0;
        for (int32_t b = 0; b < bodies; b++)
            points += sis_system_body(c->system, b).points;
        double rate = sis_system_rate(c->system);
        printf("%-16s %8g %7d %7d %10.0f %8.2fx %9.2fx\n", names[i], rate, (int)bodies, (int)points,
               c->best, 1e9 / (c->best * rate), 1e9 / (fast[i]->best * rate));
    }
    printf("\nsteps/s: rate times oversampling; points: of all grids, ends included.\n");
    cases_end();
}

void bench_bodies(bool quick) {
    cases_begin(quick);
    table_of_plates(0.15e9);
    table_of_modes(0.1e9);
    table_of_tromba(0.5e9);
    table_of_scenes(0.5e9);
}
