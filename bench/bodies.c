// What modal bodies and whole instruments cost: a mass on a body of 1, 8, 32 and 128 modes, where
// the time of the tromba marina goes, and the scenes in real time.
#include "cases.h"
#include "example_bodies.h"
#include "sections.h"

// ---------------------------------------------------------------------------- modal bodies

static timed_case* modal_case(int scheme, int modes, example_strike strike) {
    enum { SAMPLES = 8820 };
    sis_scene* scene = example_struck_modes(example_schemes[scheme], modes, strike);
    return case_of_system(scene_compiled(scene, 44100, SIS_SCHEME_AS_GIVEN, AUDITED, true), SAMPLES,
                          false);
}

static void table_of_modes(bench_report* r) {
    static const int counts[] = {1, 8, 32, 128};
    static const int schemes[] = {0, 1, 3}; // of example_schemes
    enum { COUNTS = 4, SCHEMES = 3 };
    timed_case *flight[COUNTS], *bounce[COUNTS][SCHEMES], *pressed[COUNTS][SCHEMES];
    for (int m = 0; m < COUNTS; m++) {
        flight[m] = modal_case(0, counts[m], EXAMPLE_APART);
        for (int s = 0; s < SCHEMES; s++) {
            bounce[m][s] = modal_case(schemes[s], counts[m], EXAMPLE_BOUNCING);
            pressed[m][s] = modal_case(schemes[s], counts[m], EXAMPLE_RESTING);
        }
    }
    cases_measure(0.1e9);
    report_begin(r, "A Hunt-Crossley mass (alpha 1.5) on a modal body at 44100 Hz: ns per sample",
                 "modes|scheme|apart|bouncing|inside|resting|inside");
    for (int m = 0; m < COUNTS; m++)
        for (int s = 0; s < SCHEMES; s++) {
            report_row(r);
            report_text(r, "%d", counts[m]);
            report_text(r, "%s", example_schemes[schemes[s]].word);
            report_number(r, flight[m]->best, 0, "");
            report_number(r, bounce[m][s]->best, 0, "");
            report_number(r, 100 * case_touching(bounce[m][s], 0), 1, " %");
            report_number(r, pressed[m][s]->best, 0, "");
            report_number(r, 100 * case_touching(pressed[m][s], 0), 1, " %");
        }
    report_end(r, true, "Audited.");
    cases_end();
}

// ---------------------------------------------------------------------------- tromba marina

// Which lines of scenes/tromba_marina.lua are cut for each row.
static const struct {
    const char* words;
    scene_audit audit;
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

static void table_of_shares(bench_report* r, const double* ns) {
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
    report_begin(r, "Where the time of the tromba marina goes", "part|ns/sample|of whole");
    for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++) {
        report_row(r);
        report_text(r, "%s", shares[i].words);
        report_number(r, shares[i].ns, 0, "");
        report_number(r, 100 * shares[i].ns / ns[WHOLE], 1, " %");
    }
    report_end(r, true,
               "Differences of the rows above, unaudited but for the last two; small ones are "
               "uncertain by what a run\nvaries. The last is paid only by those who ask for "
               "energies.");
}

static void table_of_tromba(bench_report* r) {
    timed_case* part[PARTS];
    double ns[PARTS];
    for (int i = 0; i < PARTS; i++)
        part[i] = case_of_system(scene_system("tromba_marina", tromba_parts[i].without, 1,
                                              SIS_SCHEME_AS_GIVEN, tromba_parts[i].audit, true),
                                 4410, tromba_parts[i].outputs);
    cases_measure(0.3e9);
    report_begin(r, "Tromba marina (string of 226 segments, bridge, plate of 134 x 17), 0.1 s",
                 "lines of the scene|ns/sample|real time");
    for (int i = 0; i < PARTS; i++) {
        ns[i] = part[i]->best;
        report_row(r);
        report_text(r, "%s", tromba_parts[i].words);
        report_number(r, ns[i], 0, "");
        report_number(r, 1e9 / (ns[i] * 44100), 2, "x");
    }
    report_end(r, true, NULL);
    table_of_shares(r, ns);
    cases_end();
}

// ---------------------------------------------------------------------------- scenes

static void table_of_scenes(bench_report* r, bool quick) {
    static const char* scenes[] = {"hammer_string",  "strings_clash", "tanpura", "tromba_marina",
                                   "prepared_piano", "snare",         "sistrum"};
    enum { SCENES = sizeof scenes / sizeof scenes[0] };
    report_begin(r, "Scenes, the first 0.25 s on one core",
                 "scene|steps/s|bodies|points|ns/step|real time|unaudited");
    for (int i = 0; i < (quick ? 3 : SCENES); i++) {
        sis_system* system = scene_system(scenes[i], NULL, 1, SIS_SCHEME_AS_GIVEN, AUDITED, true);
        int samples = system ? (int)(0.25 * sis_system_rate(system)) : 2;
        timed_case* c = case_of_system(system, samples, false);
        timed_case* fast = case_of_system(
            scene_system(scenes[i], NULL, 1, SIS_SCHEME_AS_GIVEN, UNAUDITED, true), samples, false);
        cases_measure(0.3e9);
        if (c->system && fast->system) {
            int32_t bodies = sis_system_body_count(c->system), points = 0;
            for (int32_t b = 0; b < bodies; b++)
                points += sis_system_body(c->system, b).points;
            double rate = sis_system_rate(c->system);
            report_row(r);
            report_text(r, "%s", scenes[i]);
            report_text(r, "%g", rate);
            report_text(r, "%d", (int)bodies);
            report_text(r, "%d", (int)points);
            report_number(r, c->best, 0, "");
            report_number(r, 1e9 / (c->best * rate), 2, "x");
            report_number(r, 1e9 / (fast->best * rate), 2, "x");
        }
        cases_end();
    }
    report_end(r, true, "steps/s: rate times oversampling; points: of all grids, ends included.");
}

void section_bodies(const bench_context* b) {
    cases_begin(b->quick);
    table_of_modes(b->report);
    table_of_tromba(b->report);
    table_of_scenes(b->report, b->quick);
}
