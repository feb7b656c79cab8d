// sistrum plot study.db: what a study found. Lines of a measure against a param, a family of them for
// the few values of another; a map of a measure over two params, where these form a grid; else points,
// in classes of colours.

#include "plot_study.h"

#include "say.h"

#include <stdio.h>
#include <string.h>

bool plot_is_study(const char* path) {
    char head[16] = "";
    FILE* file = path ? fopen(path, "rb") : NULL;
    bool is = file && fread(head, 1, sizeof head, file) == sizeof head &&
              !memcmp(head, "SQLite format 3", sizeof head);
    if (file) fclose(file);
    return is;
}

#ifndef SISTRUM_SWEEP

int plot_study(const options* o) {
    (void)o;
    return complain(EXIT_RUN, "this program was built without SQLite, which studies need");
}

#else

#include "files.h"
#include "studies.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>

enum { FAMILY_MOST = 10, CLASSES = 6, DIGITS_MOST = 6 };

/** One row that is drawn. */
typedef struct point {
    double x, y, c;
} point;

/** What is drawn. */
typedef struct drawing {
    int32_t x, y, c; // columns; c -1: none
    point* points;   // [count]
    size_t count, room;
    bool lost; // out of memory
    double *xs, *ys;
    double* zs;
    size_t x_count, y_count;    // of a map; 0: it is none
    double values[FAMILY_MOST]; // of c, of a family of lines
    size_t family;              // how many; 0: it is none
    bool pareto, most[2];       // a front is drawn; x and y are the better the larger
    point* front;               // [front_count], by x
    size_t front_count;
} drawing;

static void close_drawing(drawing* d) {
    free(d->points);
    free(d->xs);
    free(d->ys);
    free(d->zs);
    free(d->front);
}

// ---------------------------------------------------------------------------- data

static bool take_point(void* self, const sis_row* row) {
    drawing* d = self;
    point p = {row->values[d->x], row->values[d->y], d->c >= 0 ? row->values[d->c] : 0};
    if (!isfinite(p.x) || !isfinite(p.y) || !isfinite(p.c)) return true;
    if (d->count == d->room) {
        size_t room = d->room ? 2 * d->room : 1024;
        point* more = realloc(d->points, room * sizeof *more);
        d->lost = !more;
        if (!more) return false;
        d->points = more;
        d->room = room;
    }
    d->points[d->count++] = p;
    return true;
}

static int by_number(double a, double b) {
    return (a > b) - (a < b);
}

static int by_x(const void* a, const void* b) {
    const point *p = a, *q = b;
    int order = by_number(p->x, q->x);
    return order ? order : by_number(p->y, q->y);
}

static int by_colour(const void* a, const void* b) {
    const point *p = a, *q = b;
    int order = by_number(p->c, q->c);
    return order ? order : by_x(a, b);
}

static int by_value(const void* a, const void* b) {
    return by_number(*(const double*)a, *(const double*)b);
}

/** The different values of x (or y), in their order; the caller frees them. */
static double* values_of(const drawing* d, bool of_y, size_t* count) {
    double* values = malloc((d->count + 1) * sizeof *values);
    *count = 0;
    for (size_t i = 0; values && i < d->count; i++)
        values[i] = of_y ? d->points[i].y : d->points[i].x;
    if (values) qsort(values, d->count, sizeof *values, by_value);
    for (size_t i = 0; values && i < d->count; i++)
        if (!*count || values[i] != values[*count - 1]) values[(*count)++] = values[i];
    return values;
}

/** A full grid of two params is a map of the colour. */
static bool find_map(drawing* d, sis_fault* fault) {
    size_t across = 0, up = 0;
    d->xs = values_of(d, false, &across);
    d->ys = values_of(d, true, &up);
    if (!d->xs || !d->ys) return sis_fault_no_memory(fault);
    if (across < 2 || up < 2 || across * up != d->count) return true;
    d->zs = malloc(d->count * sizeof *d->zs);
    if (!d->zs) return sis_fault_no_memory(fault);
    qsort(d->points, d->count, sizeof *d->points, by_x);
    for (size_t i = 0; i < d->count; i++) {
        if (d->points[i].x != d->xs[i / up] || d->points[i].y != d->ys[i % up]) return true;
        d->zs[i % up * across + i / up] = d->points[i].c;
    }
    d->x_count = across;
    d->y_count = up;
    return true;
}

/** Few values of the colour make a family of lines. */
static void find_family(drawing* d) {
    qsort(d->points, d->count, sizeof *d->points, by_colour);
    for (size_t i = 0; i < d->count; i++) {
        if (i && d->points[i].c == d->points[i - 1].c) continue;
        if (d->family == FAMILY_MOST) {
            d->family = 0;
            return;
        }
        d->values[d->family++] = d->points[i].c;
    }
}

// ---------------------------------------------------------------------------- Pareto front

/** A run is on the front where no other is at least as good in x and in y and better in one of them.
 * From the best x on, these are the runs whose y is better than all before. */
static bool find_front(drawing* d, sis_fault* fault) {
    double x_sign = d->most[0] ? -1 : 1, y_sign = d->most[1] ? -1 : 1, best = (double)INFINITY;
    d->front = malloc((d->count + 1) * sizeof *d->front);
    if (!d->front) return sis_fault_no_memory(fault);
    for (size_t i = 0; i < d->count; i++)
        d->front[i] = (point){x_sign * d->points[i].x, y_sign * d->points[i].y, 0};
    qsort(d->front, d->count, sizeof *d->front, by_x);
    for (size_t i = 0; i < d->count; i++) {
        if (!(d->front[i].y < best)) continue;
        best = d->front[i].y;
        d->front[d->front_count++] = d->front[i];
    }
    for (size_t i = 0; i < d->front_count; i++)
        d->front[i] = (point){x_sign * d->front[i].x, y_sign * d->front[i].y, 0};
    qsort(d->front, d->front_count, sizeof *d->front, by_x);
    return true;
}

// ---------------------------------------------------------------------------- axes

static sis_chart_axis axis_of(const sis_base* base, int32_t column, const double* low_high,
                              const char* unit) {
    double low = low_high[0], high = low_high[1];
    return (sis_chart_axis){.label = sis_base_column(base, column),
                            .unit = unit,
                            .factor = 1,
                            .from = (double)NAN,
                            .to = (double)NAN,
                            .logarithmic = low > 0 && high / low >= 30};
}

/** The unit of a measure is what its text begins with: "Hz, mean frequency ...". */
static void find_measure_unit(const char* column, char unit[32]) {
    if (!strncmp(column, "measured_", 9)) column += 9;
    size_t length = strcspn(column, "@");
    for (int i = 0; sis_measure_word(i); i++) {
        const char* doc = sis_measure_doc(i);
        if (strlen(sis_measure_word(i)) != length || strncmp(sis_measure_word(i), column, length))
            continue;
        size_t end = strcspn(doc, ", ");
        if (doc[end] == ',' && end < 32) snprintf(unit, 32, "%.*s", (int)end, doc);
    }
}

void plot_find_unit(sis_base* base, int32_t column, char unit[32]) {
    unit[0] = '\0';
    if (column == sis_base_params(base) && *sis_base_manifest(base, "fit")) {
        snprintf(unit, 32, "dB"); // its distance
        return;
    }
    if (column >= sis_base_params(base)) {
        find_measure_unit(sis_base_column(base, column), unit);
        return;
    }
    const char* text = sis_base_manifest(base, "scene");
    sis_script* script = sis_script_load_text(text, strlen(text), "scene", NULL, 0, NULL);
    for (int32_t i = 0; script && i < sis_script_param_count(script); i++) {
        sis_param param = sis_script_param(script, i);
        if (!strcmp(param.name, sis_base_column(base, column)))
            snprintf(unit, 32, "%.31s", param.unit);
    }
    for (int32_t i = 0; script && i < sis_script_input_count(script); i++) {
        sis_input input = sis_script_input(script, i);
        if (!strcmp(input.name, sis_base_column(base, column)))
            snprintf(unit, 32, "%.31s", input.unit);
    }
    sis_script_free(script);
}

static void range_of(const drawing* d, size_t offset, double low_high[2]) {
    low_high[0] = (double)INFINITY;
    low_high[1] = -(double)INFINITY;
    for (size_t i = 0; i < d->count; i++) {
        double value;
        memcpy(&value, (const char*)&d->points[i] + offset, sizeof value);
        low_high[0] = fmin(low_high[0], value);
        low_high[1] = fmax(low_high[1], value);
    }
}

// ---------------------------------------------------------------------------- lines

/** Lines of a chart, with their numbers and names. */
typedef struct bundle {
    sis_chart_line lines[FAMILY_MOST + 1]; // and the front
    char names[FAMILY_MOST + 1][160];
    double *x, *y; // of all points
    size_t count;
} bundle;

static bool is_function(const point* points, size_t count) {
    for (size_t i = 1; i < count; i++)
        if (points[i].x == points[i - 1].x) return false;
    return count > 1;
}

/** Points [from, to), which are sorted by x, as one line. */
static void add_line(bundle* b, const drawing* d, size_t from, size_t to, bool joined) {
    sis_chart_line* line = &b->lines[b->count];
    *line = (sis_chart_line){.x = b->x + from,
                             .y = b->y + from,
                             .count = to - from,
                             .name = b->names[b->count],
                             .stroke = sis_chart_style_plain((int)b->count)};
    for (size_t i = from; i < to; i++) {
        b->x[i] = d->points[i].x;
        b->y[i] = d->points[i].y;
    }
    bool line_like = joined && is_function(d->points + from, to - from);
    line->stroke.curve = line_like ? SIS_CURVE_LINE : SIS_CURVE_POINTS;
    b->count++;
}

/** Above all others, black. */
static void add_front(bundle* b, const drawing* d) {
    sis_chart_line* line = &b->lines[b->count];
    double *x = b->x + d->count, *y = b->y + d->count;
    for (size_t i = 0; i < d->front_count; i++) {
        x[i] = d->front[i].x;
        y[i] = d->front[i].y;
    }
    snprintf(b->names[b->count], sizeof b->names[0], "Pareto front, %zu %s", d->front_count,
             sis_plural(d->front_count, "run", "runs"));
    *line = (sis_chart_line){
        .x = x,
        .y = y,
        .count = d->front_count,
        .name = b->names[b->count],
        .stroke = {
            .colour = "black", .dash = "1", .width = 2, .mark = 7, .curve = SIS_CURVE_LINESPOINTS}};
    b->count++;
}

/** Whether two numbers are the same in as many digits as a legend has at most. */
static bool reads_same(double a, double b, int digits) {
    char texts[2][32];
    snprintf(texts[0], sizeof texts[0], "%.*g", digits, a);
    snprintf(texts[1], sizeof texts[1], "%.*g", digits, b);
    return !strcmp(texts[0], texts[1]);
}

/** Digits, at least `least`, by which values that follow each other in order and differ also differ
 * in print. */
static int digits_of(const double* values, size_t count, int least) {
    int digits = least;
    for (size_t i = 1; i < count; i++)
        while (digits < DIGITS_MOST && !reads_same(values[i - 1], values[i], DIGITS_MOST) &&
               reads_same(values[i - 1], values[i], digits))
            digits++;
    return digits;
}

static void name_class(bundle* b, const char* colour, int digits, const double ends[2]) {
    char* name = b->names[b->count];
    if (reads_same(ends[0], ends[1], digits))
        snprintf(name, sizeof b->names[0], "%s %.*g", colour, digits, ends[0]);
    else
        snprintf(name, sizeof b->names[0], "%s %.*g to %.*g", colour, digits, ends[0], digits,
                 ends[1]);
}

/** Points in classes of about equal number; values that read the same are in one of them. */
static void make_classes(bundle* b, const drawing* d, const char* colour) {
    double ends[2 * CLASSES];
    size_t count = 0, starts[CLASSES + 1] = {0};
    const point* p = d->points;
    for (size_t k = 0; k < CLASSES; k++) {
        size_t from = starts[count], to = d->count * (k + 1) / CLASSES;
        while (to > from && to < d->count && reads_same(p[to - 1].c, p[to].c, DIGITS_MOST))
            to++;
        if (to <= from) continue;
        ends[2 * count] = p[from].c;
        ends[2 * count + 1] = p[to - 1].c;
        starts[++count] = to;
    }
    int digits = digits_of(ends, 2 * count, 3);
    for (size_t k = 0; k < count; k++) {
        name_class(b, colour, digits, ends + 2 * k);
        add_line(b, d, starts[k], starts[k + 1], false);
    }
}

/** A line for each value of the colour, or points in classes. */
static void make_lines(bundle* b, drawing* d, const char* colour) {
    size_t from = 0;
    if (d->c < 0) {
        qsort(d->points, d->count, sizeof *d->points, by_x);
        if (d->pareto) snprintf(b->names[0], sizeof b->names[0], "all runs");
        add_line(b, d, 0, d->count, !d->pareto);
        return;
    }
    int digits = digits_of(d->values, d->family, 4);
    for (size_t k = 0; k < d->family; k++) {
        size_t to = from;
        while (to < d->count && d->points[to].c == d->values[k])
            to++;
        snprintf(b->names[b->count], sizeof b->names[0], "%s %.*g", colour, digits, d->values[k]);
        add_line(b, d, from, to, !d->pareto);
        from = to;
    }
    if (!d->family) make_classes(b, d, colour);
}

// ---------------------------------------------------------------------------- the picture

bool plot_chart(const sis_chart* chart, const options* o, sis_fault* fault) {
    sis_files* files = sis_files_new();
    if (!files) return sis_fault_no_memory(fault);
    sis_files_protect(files, o->scene, "database");
    int descriptor = sis_files_add(files, o->out, fault);
    bool fine = descriptor >= 0 &&
                sis_chart_draw(chart, sis_format_of(o->out), descriptor, fault) &&
                sis_files_commit(files, fault);
    sis_files_free(files);
    return fine;
}

static bool draw_panel(const sis_chart_panel* panel, const options* o, sis_fault* fault) {
    sis_chart chart = {
        .width = SIS_CHART_TWO, .height = 100, .columns = 1, .panels = panel, .panel_count = 1};
    return plot_chart(&chart, o, fault);
}

static bool draw(sis_base* base, drawing* d, const options* o, sis_fault* fault) {
    char units[3][32];
    double x[2], y[2];
    range_of(d, offsetof(point, x), x);
    range_of(d, offsetof(point, y), y);
    plot_find_unit(base, d->x, units[0]);
    plot_find_unit(base, d->y, units[1]);
    plot_find_unit(base, d->c >= 0 ? d->c : d->x, units[2]);
    sis_chart_panel panel = {.x = axis_of(base, d->x, x, units[0]),
                             .y = axis_of(base, d->y, y, units[1])};
    bundle* b = calloc(1, sizeof *b);
    if (b) b->x = malloc((2 * d->count + 1) * sizeof *b->x);
    if (b) b->y = malloc((2 * d->count + 1) * sizeof *b->y);
    bool fine = (b && b->x && b->y) || sis_fault_no_memory(fault);
    const char* colour = d->c >= 0 ? sis_base_column(base, d->c) : "";
    sis_chart_image image = {.x = d->xs,
                             .y = d->ys,
                             .z = d->zs,
                             .x_count = d->x_count,
                             .y_count = d->y_count,
                             .label = colour,
                             .unit = units[2],
                             .from = (double)NAN,
                             .to = (double)NAN};
    if (fine && d->x_count) panel.image = &image;
    if (fine && !d->x_count) make_lines(b, d, colour);
    if (fine && d->pareto) add_front(b, d);
    if (fine) {
        panel.lines = b->lines;
        panel.line_count = b->count;
        fine = draw_panel(&panel, o, fault);
    }
    if (b) free(b->x);
    if (b) free(b->y);
    free(b);
    return fine;
}

// ---------------------------------------------------------------------------- the request

static int find_column(const sis_base* base, const char* option, const char* name,
                       int32_t* column) {
    const char* names[SIS_AXES_MOST + SIS_MEASURES_MOST];
    *column = name ? sis_base_find(base, name) : -1;
    if (!name || *column >= 0) return EXIT_DONE;
    int count = 0;
    for (int32_t i = 0; i < sis_base_columns(base); i++)
        names[count++] = sis_base_column(base, i);
    const char* guess = closest(name, names, count);
    if (guess)
        return complain(EXIT_USAGE, "%s: the study has no '%s' (did you mean '%s'?)", option, name,
                        guess);
    return complain(EXIT_USAGE, "%s: the study has no '%s'", option, name);
}

/** "min,max": what is better of x and of y. */
static int read_pareto(const char* word, drawing* d) {
    static const char* const words[] = {"min,min", "max,min", "min,max", "max,max"};
    d->pareto = word != NULL;
    for (int i = 0; word && i < 4; i++) {
        if (strcmp(word, words[i]) != 0) continue;
        d->most[0] = i % 2 == 1;
        d->most[1] = i / 2 == 1;
        return EXIT_DONE;
    }
    return !word ? EXIT_DONE
                 : complain(EXIT_USAGE,
                            "--pareto says what is better of x and of y: min,min, min,max, max,min "
                            "or max,max, not '%s'",
                            word);
}

/** The first param, and the first measure; of a front, which weighs two measures, the first two. */
static void choose_columns(const sis_base* base, drawing* d) {
    int32_t params = sis_base_params(base), columns = sis_base_columns(base);
    bool two = d->pareto && params + 1 < columns;
    int32_t first = params < columns ? params : 0;
    if (d->x < 0) d->x = two ? (d->y == first ? first + 1 : first) : 0;
    if (d->y < 0) d->y = two && d->x == first ? first + 1 : first;
}

static int draw_study(sis_base* base, const options* o) {
    drawing d = {.c = -1};
    sis_fault fault = {.kind = SIS_FAULT_RUN};
    int code = find_column(base, "--x", o->x, &d.x);
    if (!code) code = find_column(base, "--y", o->y, &d.y);
    if (!code) code = find_column(base, "--colour", o->colour, &d.c);
    if (!code) code = read_pareto(o->pareto, &d);
    if (code) return code;
    bool chosen = o->x || o->y || o->colour || o->pareto;
    if (!chosen && *sis_base_manifest(base, "fit"))
        return plot_fit(base, o, &fault) ? EXIT_DONE : complain_fault(&fault);
    choose_columns(base, &d);
    if (d.pareto && d.x == d.y)
        return complain(EXIT_USAGE, "--pareto weighs two numbers: --x and --y are the same");
    bool fine = sis_base_each(base, "", take_point, &d, &fault);
    if (d.lost) fine = sis_fault_no_memory(&fault);
    if (fine && !d.count)
        fine = sis_fault_set(&fault, SIS_FAULT_RUN, "'%s' has no run with these numbers", o->scene);
    bool map = d.c >= 0 && !d.pareto && d.x < sis_base_params(base) && d.y < sis_base_params(base);
    fine = fine && (!map || find_map(&d, &fault));
    if (fine && d.c >= 0 && !d.x_count) find_family(&d);
    if (fine && d.pareto) fine = find_front(&d, &fault);
    fine = fine && draw(base, &d, o, &fault);
    close_drawing(&d);
    return fine ? EXIT_DONE : complain_fault(&fault);
}

int plot_study(const options* o) {
    sis_fault fault = {.kind = SIS_FAULT_RUN};
    static const char* const taken[] = {"--out",    "--x",     "--y", "--colour",
                                        "--pareto", "--quiet", NULL};
    if (studies_check(o, "sistrum plot study.db", taken)) return EXIT_USAGE;
    if (!o->out) return complain(EXIT_USAGE, "plot needs an output: -o out.png (or .svg, .pdf)");
    if (sis_format_of(o->out) == SIS_FORMAT_NONE)
        return complain(EXIT_USAGE, "a picture is a .png, .svg or .pdf file, not '%s'", o->out);
    if (!sis_canvas_available(&fault)) return complain_fault(&fault);
    sis_base* base = sis_base_read(o->scene, &fault);
    if (!base) return complain_fault(&fault);
    int code = draw_study(base, o);
    sis_base_close(base, NULL);
    return code;
}

#endif
