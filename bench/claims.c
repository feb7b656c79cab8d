// What must hold (default scheme, unaudited, ratios within one run on one core), beside what was
// measured. Nobody's exit code depends on it.
#include "sections.h"

#include <math.h>

typedef struct claim {
    const char* words;
    const char* value; // name of what is compared, see report_keep
    double least, most;
    double scale; // shown times this
    const char* unit;
    int digits;
} claim;

#define ANY HUGE_VAL

static const claim claims[] = {
    {"free explicit string N = 223: at least 70 % of the stencil limit", "limit/string/223", 0.70,
     ANY, 100, " %", 0},
    {"plate 134 x 17: at least 60 % of its stencil limit", "limit/plate/134x17", 0.60, ANY, 100,
     " %", 0},
    {"A: at least 4 x plain scalar C at equal contact", "equal/A", 4, ANY, 1, "x", 2},
    {"A: then 6 x", "equal/A", 6, ANY, 1, "x", 2},
    {"A: about 0.018 s of one core per second", "cpu/A", 0, 0.018, 1, " s", 4},
    {"B: at least 4 x plain scalar C at equal contact", "equal/B", 4, ANY, 1, "x", 2},
    {"C: at least 4 x plain scalar C at equal contact", "equal/C", 4, ANY, 1, "x", 2},
    {"tromba marina: at least 60 % of the plate stencil limit", "share/tromba-marina", 0.60, ANY,
     100, " %", 0},
    {"tromba marina: about 2 us per sample", "tromba-marina/ledger", 0, 2000, 1e-3, " us", 2},
    {"tromba marina: real time factor at least 11", "realtime/tromba-marina", 11, ANY, 1, "x", 1},
    {"tromba marina: 3.5 x the author's program (7.4 us)", "tromba-marina/ledger", 0, 7400 / 3.5,
     1e-3, " us", 2},
    {"touching point: ledger at most 4 x quadratised (string)", "ratio/string/quadratised", 0, 4, 1,
     "x", 2},
    {"touching point: ledger at most 4 x quadratised (mass)", "ratio/mass/quadratised", 0, 4, 1,
     "x", 2},
    {"touching point: ledger at most 0.8 x newton (string)", "ratio/string/newton", 0, 0.8, 1, "x",
     2},
    {"touching point: ledger at most 0.8 x newton (mass)", "ratio/mass/newton", 0, 0.8, 1, "x", 2},
    {"damping of contacts: at most 1.6 x (A)", "damped/A", 0, 1.6, 1, "x", 2},
    {"damping of contacts: at most 1.6 x (B)", "damped/B", 0, 1.6, 1, "x", 2},
    {"damping of contacts: at most 1.6 x (C)", "damped/C", 0, 1.6, 1, "x", 2},
    {"20 frets that nothing touches: at most 1.5 x the free string", "frets", 0, 1.5, 1, "x", 2},
    {"the same, audited", "frets/audited", 0, 1.5, 1, "x", 2},
    {"at equal error cheaper than quadratised", "equal-error/quadratised", 0, 1, 1, "x", 2},
    {"at equal error cheaper than newton", "equal-error/newton", 0, 1, 1, "x", 2},
    {"exponent of time against N, 100 to 3200, free: 0.9 to 1.1", "exponent/points/free", 0.9, 1.1,
     1, "", 2},
    {"the same over an open barrier", "exponent/points/open", 0.9, 1.1, 1, "", 2},
    {"the same with all points touching", "exponent/points/touching", 0.9, 1.1, 1, "", 2},
    {"exponent of time against N, 50 to 1500, half of an implicit string touching: at most 1.15",
     "exponent/banded/implicit", 0, 1.15, 1, "", 2},
    {"the same, of a trapezoid string", "exponent/banded/trapezoid", 0, 1.15, 1, "", 2},
    {"exponent of time against independent contacts: 0.9 to 1.1", "exponent/contacts", 0.9, 1.1, 1,
     "", 2},
    {"dense blocks: cubic part from n =, chain of balls", "cubic/chain of balls", 0, ANY, 1, "", 0},
    {"dense blocks: cubic part from n =, implicit string", "cubic/implicit string", 0, ANY, 1, "",
     0},
    {"dense blocks: cubic part from n =, modal string", "cubic/modal string", 0, ANY, 1, "", 0},
    {"audit: at most 25 % on A", "audit/A", -ANY, 0.25, 100, " %", 0},
    {"audit: at most 25 % (ledger, largest of all workloads)", "audit", -ANY, 0.25, 100, " %", 0},
    {"whole renders: at least 90 % of the engine's speed (slowest playable scene)", "render", 0.90,
     ANY, 100, " %", 0},
    {"32 voices of felt_piano, guitar and sitar on a core at 48 kHz, blocks of 128", "voices/light",
     32, ANY, 1, "", 0},
    {"8 voices of tanpura_drone, tromba_marina and snare", "voices/heavy", 8, ANY, 1, "", 1},
    {"block of 64 at 48 kHz: p99.9 below half its deadline (longest of all scenes)", "deadline", 0,
     0.5, 100, " %", 0},
    {"100 strings with a barrier each in 2 threads: 1.8 x, by the work of parts", "threads/2/work",
     1.8, ANY, 1, "x", 2},
    {"the same by the clock on the wall", "threads/2/wall", 1.8, ANY, 1, "x", 2},
    {"an input that nothing follows costs nothing", "gesture/unused", -ANY, 0.01, 100, " %", 1},
    {"an input that rests: below 1 %, largest of all fields", "gesture/resting", -ANY, 0.01, 100,
     " %", 1},
    {"forces, bows and tension that move in every sample: below 10 %, the largest",
     "gesture/moving", -ANY, 0.1, 100, " %", 1},
    {"energy: residual at most 1e-12 (largest of all workloads)", "residual", 0, 1e-12, 1, "", -1},
};
enum { CLAIMS = sizeof claims / sizeof claims[0] };

static void derive(bench_report* r) {
    double ns = report_value_of(r, "A/ledger"), residual = (double)NAN, audit = (double)NAN;
    report_keep(r, ns * 44100 * 1e-9, "cpu/A");
    static const char* where[] = {"string", "mass"};
    static const char* other[] = {"quadratised", "newton"};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            report_keep(r,
                        report_value_of(r, "touching/%s/1.4/ledger", where[i]) /
                            report_value_of(r, "touching/%s/1.4/%s", where[i], other[j]),
                        "ratio/%s/%s", where[i], other[j]);
    for (int i = 0; i < workload_count(); i++) { // fmax passes over what is not a number
        residual = fmax(residual, report_value_of(r, "residual/%s/ledger", workload_name(i)));
        audit = fmax(audit, report_value_of(r, "audit/%s", workload_name(i)));
    }
    report_keep(r, residual, "residual");
    report_keep(r, audit, "audit");
}

void section_claims(const bench_context* b) {
    bench_report* r = b->report;
    derive(r);
    report_begin(r, "What must hold", "claim|measured|holds");
    for (int i = 0; i < CLAIMS; i++) {
        const claim* c = &claims[i];
        double value = report_value_of(r, "%s", c->value);
        bool only_told = c->least == 0 && c->most == ANY;
        report_row(r);
        report_text(r, "%s", c->words);
        if (c->digits < 0 && isfinite(value))
            report_text(r, "%.1e", value);
        else
            report_number(r, value * c->scale, c->digits, c->unit);
        report_text(r, "%s",
                    !isfinite(value) || only_told           ? "-"
                    : value >= c->least && value <= c->most ? "yes"
                                                            : "no");
    }
    report_end(r, true, "Measured in this run; a dash: not measured, or only told.");
}
