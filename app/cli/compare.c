// sistrum compare: the schemes side by side, as a table and as a picture.

#include "compare.h"

#include "files.h"
#include "job.h"
#include "say.h"
#include "table.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Of the reference, when none is asked for. Strings and plates have more points at a higher rate,
// too.
#define FACTOR        32
#define FACTOR_STRING 8
#define FACTOR_PLATE  4

static int check_request(const options* o) {
    if (!o->scene)
        return complain(EXIT_USAGE,
                        "compare needs a scene: sistrum compare SCENE --schemes ledger,newton");
    if (o->out && sis_format_of(o->out) == SIS_FORMAT_NONE)
        return complain(EXIT_USAGE, "a picture is a .png, .svg or .pdf file, not '%s'", o->out);
    sis_fault fault;
    if (o->out && !sis_canvas_available(&fault)) return complain_fault(&fault);
    return EXIT_DONE;
}

static void choose_schemes(sis_compare* c, const options* o, sis_scheme* all) {
    for (int i = 0; i < SIS_SCHEME_COUNT; i++)
        all[i] = (sis_scheme)i;
    c->only_possible = o->scheme_count == 0;
    c->schemes = o->scheme_count ? o->schemes : all;
    c->scheme_count = o->scheme_count ? o->scheme_count : SIS_SCHEME_COUNT;
}

// ---------------------------------------------------------------------------- the table

static void head(table* t) {
    static const char* const titles[] = {"scheme",    "exit speed", "error",     "worst error",
                                         "1 % until", "drift",      "min force", "trapped",
                                         "iter.",     "ns/step",    "per impact"};
    table_row(t);
    for (int i = 0; i < 11; i++)
        table_cell(t, i, "%s", titles[i]);
}

/** A dash for what is not there, and a zero that looks like one. */
static void cell(table* t, int column, const char* format, double value) {
    char text[48];
    snprintf(text, sizeof text, format, value);
    table_cell(t, column, "%s", isnan(value) ? "-" : value == 0 ? "0" : text);
}

/** The line of the scene that an error is about; 0: none. */
static int line_of(const job* j, const sis_error* error) {
    sis_script_error located;
    sis_script_locate(j->script, error, &located);
    return (int)located.line;
}

static void tell_scheme(table* t, const job* j, const sis_contender* who) {
    char text[64];
    table_row(t);
    table_cell(t, 0, "%s", sis_scheme_word(who->scheme));
    if (!who->ran) {
        int line = line_of(j, &who->about);
        if (line)
            table_rest(t, "line %d: %s", line, who->why);
        else
            table_rest(t, "%s", who->why);
        return;
    }
    bool left = !isnan(who->exit_speed);
    table_cell(t, 1, "%s",
               left ? sis_unit_print(text, sizeof text, who->exit_speed, "m/s", 5) : "-");
    cell(t, 2, "%+.3g %%", 100 * who->exit_error);
    cell(t, 3, "%.2g", who->error);
    if (isinf(who->good_until))
        table_cell(t, 4, "end");
    else
        table_cell(t, 4, "%s",
                   isnan(who->good_until)
                       ? "-"
                       : sis_unit_print(text, sizeof text, who->good_until, "s", 4));
    cell(t, 5, "%.1e", who->drift);
    table_cell(t, 6, "%s", sis_unit_print(text, sizeof text, who->min_force, "N", 3));
    cell(t, 7, "%.1e", who->trapped);
    cell(t, 8, "%.2f", who->iterations);
    cell(t, 9, "%.0f", who->nanoseconds);
    cell(t, 10, "%+.1e", who->scheme >= SIS_SCHEME_AM1 ? who->drift_mean : nan(""));
}

static void tell_reference(table* t, const sis_compare* c) {
    const sis_contender* r = &c->reference;
    char from[48], to[48], until[96] = "";
    if (!r->ran) {
        table_rest(t, "none: %s", *r->why ? r->why : "no scheme of the scene can be one");
        return;
    }
    if (isfinite(r->good_until))
        snprintf(until, sizeof until, ", more than 1 %% after %s",
                 sis_unit_print(from, sizeof from, r->good_until, "s", 4));
    double first = (double)c->first_row, end = first + (double)c->row_count;
    sis_unit_print(from, sizeof from, first / c->plan.rate, "s", 4);
    sis_unit_print(to, sizeof to, end / c->plan.rate, "s", 4);
    table_rest(t,
               "%s at %d times the rate (%g Hz); from itself at half of that it differs by %.1e%s. "
               "Errors are relative to the peak of each probe, from %s to %s.",
               sis_scheme_word(r->scheme), (int)c->factor, r->rate, r->error, until, from, to);
}

static void tell_subject(table* t, const sis_compare* c) {
    const sis_departure* d = &c->departure;
    char at[48], length[48];
    double steps = (double)(d->ended - d->began) * d->k * sis_plan_step_rate(&c->plan);
    if (!d->closed || !c->reference.ran) {
        table_rest(t, "of %s: it touches nothing", c->subject.name);
        return;
    }
    sis_unit_print(at, sizeof at, (double)d->began * d->k, "s", 4);
    if (!d->opened) {
        table_rest(t, "of %s: it touches at %s and does not leave", c->subject.name, at);
        return;
    }
    sis_unit_print(length, sizeof length, (double)(d->ended - d->began) * d->k, "s", 3);
    table_rest(t, "of %s, when it leaves its first contact: at %s for %s (%.3g steps)",
               c->subject.name, at, length, steps);
}

static table schemes_table(const sis_compare* c, const job* j) {
    table t = {0};
    head(&t);
    for (int32_t i = 0; i < c->count; i++)
        tell_scheme(&t, j, &c->contenders[i]);
    return t;
}

/** What stands below the schemes. */
static table notes_table(const sis_compare* c) {
    table t = {0};
    table_row(&t);
    table_cell(&t, 0, "reference");
    tell_reference(&t, c);
    if (*c->subject.name) {
        table_row(&t);
        table_cell(&t, 0, "exit speed");
        tell_subject(&t, c);
    }
    for (int32_t i = 0; i < c->count; i++)
        if (c->contenders[i].ran && c->contenders[i].complex_roots) {
            table_row(&t);
            table_cell(&t, 0, "%s", sis_scheme_word(c->contenders[i].scheme));
            table_rest(&t, "went on with the real part of %llu complex %s: energy breaks there",
                       (unsigned long long)c->contenders[i].complex_roots,
                       sis_plural(c->contenders[i].complex_roots, "root", "roots"));
        }
    if (c->added_probes) {
        table_row(&t);
        table_cell(&t, 0, "probes");
        table_rest(&t, "the scene has none: the displacements of its bodies are compared");
    }
    if (!c->contact_count) {
        table_row(&t);
        table_cell(&t, 0, "contacts");
        table_rest(&t, "the scene has none, so that all schemes are the same");
    }
    return t;
}

// ---------------------------------------------------------------------------- the work

/** None of the schemes could run: the scene refused them all, or the runs broke off. */
static int none_ran(const sis_compare* c, const job* j) {
    const sis_contender* first = &c->contenders[0];
    int line = line_of(j, c->count ? &first->about : &c->refused);
    char place[300];
    snprintf(place, sizeof place, line ? "%s:%d" : "%s", sis_script_name(j->script), line);
    if (!c->count)
        return complain(EXIT_SCENE, "%s: no scheme runs this scene: %s", place, c->refusal);
    return complain(first->refused ? EXIT_SCENE : EXIT_RUN, "%s: %s%s: %s", place,
                    c->count > 1 ? "none of the schemes runs; " : "",
                    sis_scheme_word(first->scheme), first->why);
}

static bool write_files(const sis_compare* c, const job* j, const options* o, int picture, int json,
                        sis_fault* fault) {
    if (o->out && !sis_compare_draw(c, sis_format_of(o->out), job_title(j), picture, fault))
        return false;
    return !o->json || sis_compare_write(c, j->name, json, fault);
}

/** Names the files and prints the tables, which are made first: there must be memory for them. */
static int publish(const sis_compare* c, const job* j, const options* o, sis_files* files) {
    sis_fault fault;
    table schemes = schemes_table(c, j), notes = notes_table(c);
    int code = EXIT_DONE;
    if (schemes.lost || notes.lost)
        code = complain(EXIT_RUN, "out of memory");
    else if (!sis_files_commit(files, &fault))
        code = o->out ? complain_fault(&fault) : complain_output(&fault);
    else if (!o->json || !sis_path_is_standard(o->json)) {
        table_print(&schemes, NULL);
        printf("\n");
        table_print(&notes, NULL);
        code = finish_output();
    }
    table_free(&schemes);
    table_free(&notes);
    return code;
}

static int work(sis_compare* c, const job* j, const options* o, sis_files* files) {
    sis_fault fault;
    int picture = -1, json = -1;
    sis_files_protect(files, o->scene, "scene");
    if (o->out && (picture = sis_files_add(files, o->out, &fault)) < 0)
        return complain_fault(&fault);
    if (o->json && (json = sis_files_add(files, o->json, &fault)) < 0)
        return complain_fault(&fault);
    progress bar = progress_begin(o->quiet);
    c->progress = progress_show;
    c->progress_self = &bar;
    bool fine = sis_compare_go(c, &fault);
    c->progress_self = NULL; // the bar ends here
    progress_end(&bar);
    if (fine && !c->ran) return none_ran(c, j);
    if (!fine || !write_files(c, j, o, picture, json, &fault)) return complain_fault(&fault);
    return publish(c, j, o, files);
}

int command_compare(const options* o) {
    int code = check_request(o);
    if (code) return code;
    job j;
    sis_scheme all[SIS_SCHEME_COUNT];
    sis_compare c = {.factor = isnan(o->reference) ? FACTOR : (int32_t)o->reference};
    code = job_load(&j, o);
    if (!code && isnan(o->reference) && job_has(&j, SIS_KIND_STRING)) c.factor = FACTOR_STRING;
    if (!code && isnan(o->reference) && job_has(&j, SIS_KIND_PLATE)) c.factor = FACTOR_PLATE;
    if (!code) code = job_window(&j, o, &c.from, &c.to);
    if (!code) {
        choose_schemes(&c, o, all);
        c.scene = sis_script_scene(j.script);
        c.plan = j.plan;
        c.gestures = job_gestures(&j);
        sis_files* files = sis_files_new();
        code = files ? work(&c, &j, o, files) : complain(EXIT_RUN, "out of memory");
        sis_files_free(files);
        sis_compare_close(&c);
    }
    job_close(&j);
    return code;
}
