#include "curves.h"

#include "text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LINE_MOST = 1024 }; // bytes of a line

bool sis_input_curves_open(sis_input_curves* gestures, int32_t count, sis_fault* fault) {
    *gestures = (sis_input_curves){.count = count};
    gestures->curves = calloc((size_t)count + 1, sizeof *gestures->curves);
    return gestures->curves || sis_fault_no_memory(fault);
}

void sis_input_curves_close(sis_input_curves* gestures) {
    sis_outside_close(gestures->sound);
    for (int32_t i = 0; gestures->curves && i < gestures->count; i++)
        free(gestures->curves[i].points);
    free(gestures->curves);
    *gestures = (sis_input_curves){.count = 0};
}

bool sis_input_curves_move(const sis_input_curves* gestures) {
    for (int32_t i = 0; i < gestures->count; i++)
        if (gestures->curves[i].count) return true;
    return gestures->sound;
}

// ---------------------------------------------------------------------------- reading

/** A file that is being read. */
typedef struct reader {
    sis_input_curves* gestures;
    int32_t which; // -1: the lines say
    const char* path;
    FILE* stream;
    int line;   // its number
    bool begun; // a line of points, or the names of the columns, was read
} reader;

static bool wrong(const reader* r, sis_fault* fault, const char* sentence, const char* about) {
    return sis_fault_set(fault, SIS_FAULT_REQUEST, "%s:%d: %s%.200s", r->path, r->line, sentence,
                         about);
}

/** Without the spaces at both ends; changes the text. */
static char* trim(char* text) {
    while (*text == ' ' || *text == '\t')
        text++;
    size_t length = strlen(text);
    while (length && strchr(" \t\r\n", text[length - 1]))
        text[--length] = '\0';
    return text;
}

static bool add_point(const reader* r, sis_input_curve* curve, double time, double value,
                      sis_fault* fault) {
    if (curve->count && !(time > curve->points[2 * curve->count - 2]))
        return wrong(r, fault, "times must increase from line to line, of input ", curve->name);
    if (curve->trigger && time < 0)
        return wrong(r, fault, "a blow before the start of the run, of input ", curve->name);
    if (curve->count == curve->room) {
        size_t room = curve->room ? 2 * curve->room : 64;
        double* points = realloc(curve->points, 2 * room * sizeof *points);
        if (!points) return sis_fault_no_memory(fault);
        curve->points = points;
        curve->room = room;
    }
    double* point = &curve->points[2 * curve->count++];
    point[0] = time;
    point[1] = value;
    return true;
}

static sis_input_curve* find_curve(const sis_input_curves* g, const char* name) {
    for (int32_t i = 0; i < g->count; i++)
        if (!strcmp(g->curves[i].name, name)) return &g->curves[i];
    return NULL;
}

/** The input that a line names, as it stands there or without the spaces around it. */
static sis_input_curve* named(const reader* r, char* name, sis_fault* fault) {
    sis_input_curve* curve = find_curve(r->gestures, name);
    if (!curve) curve = find_curve(r->gestures, trim(name));
    if (!curve) wrong(r, fault, "the scene has no input ", name);
    return curve;
}

/** Names of columns: as many as there should be, and none of them is a number. */
static bool is_heading(const reader* r, const char* time, const char* value) {
    double number;
    return !r->begun && !sis_text_number(time, &number) && !sis_text_number(value, &number);
}

/** "time,value" or "time,name,value"; a name may hold commas, numbers do not. */
static bool take_line(reader* r, char* text, sis_fault* fault) {
    char *first = strchr(text, ','), *last = strrchr(text, ',');
    bool whole = first && (r->which >= 0 ? first == last : first != last);
    double time, value;
    if (!whole)
        return wrong(r, fault,
                     r->which >= 0 ? "expected two columns, time,value, got "
                                   : "expected three columns, time,name,value, got ",
                     trim(text));
    *first = *last = '\0';
    char *time_text = trim(text), *value_text = trim(last + 1);
    bool heading = is_heading(r, time_text, value_text);
    r->begun = true;
    if (heading) return true;
    if (!sis_text_number(time_text, &time)) return wrong(r, fault, "no number: ", time_text);
    if (!sis_text_number(value_text, &value)) return wrong(r, fault, "no number: ", value_text);
    sis_input_curve* curve =
        r->which >= 0 ? &r->gestures->curves[r->which] : named(r, first + 1, fault);
    return curve && add_point(r, curve, time, value, fault);
}

/** One line, which has to fit; false: there is none, or it does not, or it is no text. */
static bool next_line(reader* r, char line[LINE_MOST], bool* fine, sis_fault* fault) {
    if (!fgets(line, LINE_MOST, r->stream)) return false;
    r->line++;
    size_t length = strlen(line);
    if (length + 1 < LINE_MOST && (feof(r->stream) || (length && line[length - 1] == '\n')))
        return true;
    *fine = wrong(r, fault, "this is no line of a curve: ",
                  length + 1 < LINE_MOST ? "it has a zero byte" : "it is longer than 1022 bytes");
    return false;
}

static bool read_lines(reader* r, sis_fault* fault) {
    char line[LINE_MOST];
    bool fine = true;
    while (fine && next_line(r, line, &fine, fault)) {
        char* text = line;
        if (r->line == 1 && !strncmp(text, "\xEF\xBB\xBF", 3)) text += 3;
        char kept[LINE_MOST];
        snprintf(kept, sizeof kept, "%s", text);
        const char* bare = trim(kept);
        if (*bare && *bare != '#') fine = take_line(r, text, fault);
    }
    if (fine && ferror(r->stream))
        fine = sis_fault_set(fault, SIS_FAULT_REQUEST, "cannot read the curve '%s': %s", r->path,
                             strerror(errno));
    return fine;
}

static size_t count_points(const sis_input_curves* g) {
    size_t count = 0;
    for (int32_t i = 0; i < g->count; i++)
        count += g->curves[i].count;
    return count;
}

bool sis_input_curves_read(sis_input_curves* gestures, int32_t which, const char* path,
                           sis_fault* fault) {
    reader r = {.gestures = gestures, .which = which, .path = path, .stream = fopen(path, "r")};
    size_t before = count_points(gestures);
    if (!r.stream)
        return sis_fault_set(fault, SIS_FAULT_REQUEST, "cannot read the curve '%s': %s", path,
                             strerror(errno));
    bool fine = read_lines(&r, fault);
    fclose(r.stream);
    for (int32_t i = 0; i < gestures->count; i++)
        if (which < 0 || which == i) gestures->curves[i].given = true;
    if (fine && count_points(gestures) == before && which >= 0 && !gestures->curves[which].trigger)
        fine = sis_fault_set(fault, SIS_FAULT_REQUEST,
                             "%s: there is no point in it: a curve has a line time,value a point",
                             path);
    return fine;
}

// ---------------------------------------------------------------------------- rows

/** Between points i - 1 and i. */
static double between(const sis_input_curve* curve, size_t i, double time) {
    const double* p = &curve->points[2 * i];
    if (i == 0) return p[1];
    if (i == curve->count) return p[-1];
    return p[-1] + (p[1] - p[-1]) * ((time - p[-2]) / (p[0] - p[-2]));
}

double sis_input_curve_at(const sis_input_curve* curve, double time) {
    size_t i = 0;
    while (i < curve->count && curve->points[2 * i] <= time)
        i++;
    return between(curve, i, time);
}

static void fill_numbers(sis_input_curve* curve, const sis_input_curves* g, uint64_t first,
                         int32_t count, double* column) {
    for (int32_t n = 0; n < count; n++, column += g->count) {
        double time = (double)(first + (uint64_t)n) / g->rate;
        while (curve->next < curve->count && curve->points[2 * curve->next] <= time)
            curve->next++;
        *column = curve->count ? between(curve, curve->next, time) : curve->held;
    }
}

static void fill_blows(sis_input_curve* curve, const sis_input_curves* g, uint64_t first,
                       int32_t count, double* column) {
    for (int32_t n = 0; n < count; n++)
        column[(size_t)n * (size_t)g->count] = 0;
    for (; curve->next < curve->count; curve->next++) {
        const double* blow = &curve->points[2 * curve->next];
        double step = round(blow[0] * g->rate);
        if (!(step < (double)(first + (uint64_t)count))) break;
        if (step < (double)first) continue;
        column[(size_t)(step - (double)first) * (size_t)g->count] = blow[1];
    }
}

void sis_input_curves_fill(void* self, uint64_t first, int32_t count, double* rows) {
    sis_input_curves* g = self;
    for (int32_t i = 0; i < g->count; i++) {
        if (first == 0) g->curves[i].next = 0;
        (g->curves[i].trigger ? fill_blows : fill_numbers)(&g->curves[i], g, first, count,
                                                           rows + i);
    }
    if (g->sound) sis_outside_fill(g->sound, first, count, g->count, rows);
}
