// Axes as a user writes them: names, ranges and values.

#include "note.h"
#include "sistrum/elementary.h"
#include "suggest.h"
#include "sweep_number.h"
#include "sweep_points.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIST_MOST = 1000000 }; // values of one axis

void sis_points_close(sis_points* p) {
    for (int32_t i = 0; i < p->axis_count; i++)
        free(p->axes[i].values);
    free(p->pairs);
    *p = (sis_points){.a4 = p->a4};
}

// ---------------------------------------------------------------------------- names

/** The names that the scene has, for a suggestion and for a list. */
static bool no_such_name(const char* option, const char* name, const sis_script* script,
                         sis_fault* fault) {
    sis_suggestion suggestion = sis_suggest(name);
    char list[400] = "";
    for (int32_t i = 0; i < sis_script_param_count(script) + sis_script_input_count(script); i++) {
        int32_t params = sis_script_param_count(script);
        const char* known = i < params ? sis_script_param(script, i).name
                                       : sis_script_input(script, i - params).name;
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", known);
        sis_suggest_from(&suggestion, known);
    }
    if (suggestion.best)
        return sis_fault_set(fault, SIS_FAULT_REQUEST,
                             "%s: the scene has no param or input '%.60s' (did you mean '%s'?)",
                             option, name, suggestion.best);
    return sis_fault_set(fault, SIS_FAULT_REQUEST,
                         "%s: the scene has no param or input '%.60s'; it has: %s", option, name,
                         *list ? list : "none");
}

static bool find_param(const sis_script* script, sis_axis* a) {
    for (int32_t i = 0; i < sis_script_param_count(script); i++) {
        sis_param p = sis_script_param(script, i);
        if (strcmp(p.name, a->name) != 0) continue;
        snprintf(a->unit, sizeof a->unit, "%.31s", p.unit);
        a->kind = SIS_AXIS_PARAM;
        a->min = p.min;
        a->max = p.max;
        a->logarithmic = p.logarithmic;
        return true;
    }
    return false;
}

static bool find_input(const sis_script* script, sis_axis* a) {
    for (int32_t i = 0; i < sis_script_input_count(script); i++) {
        sis_input input = sis_script_input(script, i);
        if (strcmp(input.name, a->name) != 0) continue;
        snprintf(a->unit, sizeof a->unit, "%.31s", input.unit);
        a->kind = input.trigger ? SIS_AXIS_BLOW : SIS_AXIS_INPUT;
        a->min = input.min;
        a->max = input.max;
        return true;
    }
    return false;
}

static bool has_velocity(const sis_script* script) {
    const sis_play* play = sis_script_play(script);
    const sis_gestures* g = sis_script_gestures(script);
    if (!play) return false;
    for (int32_t i = 0; i < g->course_count; i++)
        if (g->courses[i].velocity >= 0) return true;
    return play->velocity >= 0 || g->velocity >= 0;
}

static double key_of(const sis_points* p, double hz) {
    return 69 + 12 * sis_log2(hz / p->a4);
}

/** "note" and "velocity": what play{} of the scene takes. */
static bool find_note(const sis_points* p, const sis_script* script, sis_axis* a,
                      sis_fault* fault) {
    bool note = !strcmp(a->name, "note");
    const sis_play* play = sis_script_play(script);
    if (note ? !play || !sis_play_is_pitched(play, sis_script_gestures(script))
             : !has_velocity(script))
        return sis_fault_set(fault, SIS_FAULT_REQUEST,
                             "--axis %s: the scene does not say how notes play it: add play{ %s = "
                             "\"NAME\" } to it",
                             a->name, note ? "pitch" : "velocity");
    a->kind = note ? SIS_AXIS_NOTE : SIS_AXIS_VELOCITY;
    a->max = 1;
    sis_param range;
    if (!note ||
        !sis_note_range(script, sis_gesture_course_at(sis_script_gestures(script), 261.6), &range))
        return true;
    // By less than a hundredth of a cent beyond: whoever writes max = 2093 means C7.
    a->min = key_of(p, range.min) - 1e-3;
    a->max = key_of(p, range.max) + 1e-3;
    return true;
}

/** A new column of that name; NULL: there is none, or it is there already. */
static sis_axis* add_axis(sis_points* p, const char* option, const char* name,
                          const sis_script* script, sis_fault* fault) {
    sis_axis a = {.column = -1};
    snprintf(a.name, sizeof a.name, "%.63s", name);
    for (int32_t i = 0; i < p->axis_count; i++)
        if (!strcmp(p->axes[i].name, a.name)) {
            sis_fault_set(fault, SIS_FAULT_REQUEST, "%s: '%s' is varied twice", option, a.name);
            return NULL;
        }
    if (p->axis_count == SIS_AXES_MOST) {
        sis_fault_set(fault, SIS_FAULT_REQUEST, "a study varies at most %d things", SIS_AXES_MOST);
        return NULL;
    }
    bool played = !strcmp(a.name, "note") || !strcmp(a.name, "velocity");
    bool found = strlen(name) < sizeof a.name && (find_param(script, &a) || find_input(script, &a));
    if (!found && played && !find_note(p, script, &a, fault)) return NULL;
    if (!found && !played) {
        no_such_name(option, name, script, fault);
        return NULL;
    }
    p->axes[p->axis_count] = a;
    return &p->axes[p->axis_count++];
}

// ---------------------------------------------------------------------------- values

static bool in_range(const char* option, const sis_axis* a, double value, sis_fault* fault) {
    if (value >= a->min && value <= a->max) return true;
    const char* unit = a->kind == SIS_AXIS_NOTE ? "(MIDI keys)" : a->unit;
    char text[SIS_DECIMAL];
    return sis_fault_set(fault, SIS_FAULT_REQUEST,
                         "%s: %s is outside the range of '%s': %.6g .. %.6g%s%s", option,
                         sis_decimal(value, text), a->name, a->min, a->max, *unit ? " " : "", unit);
}

/** A number; of notes also A3, C#4 or 220Hz. */
static bool read_value(const sis_points* p, const char* option, const sis_axis* a, const char* text,
                       double* value, sis_fault* fault) {
    sis_note_text note;
    if (sis_text_number(text, value)) return true;
    if (a->kind != SIS_AXIS_NOTE)
        return sis_fault_set(fault, SIS_FAULT_REQUEST, "%s: '%.60s' is not a number", option, text);
    if (!sis_note_read(text, &note, fault)) return false;
    *value = note.key >= 0 ? note.key : key_of(p, note.hz);
    return true;
}

/** Cuts the text at the next separator; NULL: it was the last part. */
static char* cut(char* text, char separator) {
    char* at = strchr(text, separator);
    if (at) *at = '\0';
    return at ? at + 1 : NULL;
}

static bool read_list(const sis_points* p, const char* option, sis_axis* a, char* text,
                      sis_fault* fault) {
    size_t room = 1;
    for (const char* c = text; *c; c++)
        room += *c == ',';
    if (room > LIST_MOST)
        return sis_fault_set(fault, SIS_FAULT_REQUEST, "%s: a list has at most %d values", option,
                             LIST_MOST);
    a->form = SIS_AXIS_LIST;
    a->values = calloc(room, sizeof *a->values);
    if (!a->values) return sis_fault_no_memory(fault);
    for (char* next; text; text = next) {
        next = cut(text, ',');
        double* value = &a->values[a->count++];
        if (!read_value(p, option, a, text, value, fault) || !in_range(option, a, *value, fault))
            return false;
    }
    return true;
}

static bool read_scale(const char* option, sis_axis* a, const char* word, sis_fault* fault) {
    a->logarithmic = !strcmp(word, "log");
    if (!a->logarithmic && strcmp(word, "linear") != 0)
        return sis_fault_set(fault, SIS_FAULT_REQUEST,
                             "%s: '%.60s' is no scale: write log or linear", option, word);
    return true;
}

/** from:to, from:to:log, from:to:count, from:to:log:count */
static bool read_steps(const sis_points* p, const char* option, sis_axis* a, char* parts[4],
                       int count, sis_fault* fault) {
    long steps = 0;
    bool counted = count > 2 && sis_text_whole(parts[count - 1], 1, 1000000000, &steps);
    const char* scale = count == 4 || (count == 3 && !counted) ? parts[2] : NULL;
    if (count == 4 && !counted)
        return sis_fault_set(fault, SIS_FAULT_REQUEST,
                             "%s: '%.60s' is no count: it must be a whole number from 1 to 1e9",
                             option, parts[3]);
    if (count == 3 && !counted && strcmp(parts[2], "log") != 0 && strcmp(parts[2], "linear") != 0)
        return sis_fault_set(fault, SIS_FAULT_REQUEST,
                             "%s: '%.60s' is no count: it must be a whole number from 1 to 1e9",
                             option, parts[2]);
    a->form = counted ? SIS_AXIS_STEPS : SIS_AXIS_DRAWN;
    a->count = (uint64_t)steps;
    if (counted) a->logarithmic = false; // the scale of a param is for draws
    if (scale && !read_scale(option, a, scale, fault)) return false;
    if (!read_value(p, option, a, parts[0], &a->from, fault) ||
        !read_value(p, option, a, parts[1], &a->to, fault) ||
        !in_range(option, a, a->from, fault) || !in_range(option, a, a->to, fault))
        return false;
    if (a->logarithmic && !(a->from > 0 && a->to > 0))
        return sis_fault_set(fault, SIS_FAULT_REQUEST,
                             "%s: on a log scale both ends must be above 0", option);
    return true;
}

static bool read_axis(sis_points* p, const char* option, sis_axis* a, char* text,
                      sis_fault* fault) {
    char* parts[4] = {text};
    int count = 1;
    if (strchr(text, ',')) return read_list(p, option, a, text, fault);
    for (char* next = cut(text, ':'); next; next = cut(next, ':')) {
        if (count == 4)
            return sis_fault_set(fault, SIS_FAULT_REQUEST,
                                 "%s: too many parts: write NAME=from:to:count or "
                                 "NAME=from:to:log:count",
                                 option);
        parts[count++] = next;
    }
    if (count == 1) return read_list(p, option, a, text, fault);
    if (!read_steps(p, option, a, parts, count, fault)) return false;
    if (a->form == SIS_AXIS_DRAWN) a->column = p->drawn++;
    return true;
}

bool sis_points_axis(sis_points* p, const char* text, const sis_script* script, sis_fault* fault) {
    const char* equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1])
        return sis_fault_set(
            fault, SIS_FAULT_REQUEST,
            "--axis needs NAME=from:to:count, NAME=from:to:log:count or NAME=a,b,c,"
            " not '%.100s'",
            text);
    char name[256], option[128];
    snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
    snprintf(option, sizeof option, "--axis %.100s", text);
    char* values = strdup(equals + 1);
    if (!values) return sis_fault_no_memory(fault);
    sis_axis* a = add_axis(p, "--axis", name, script, fault);
    bool fine = a && read_axis(p, option, a, values, fault);
    free(values);
    return fine;
}

// ---------------------------------------------------------------------------- draws

static bool draw_all_of(sis_points* p, sis_axis* a, sis_fault* fault) {
    a->form = SIS_AXIS_DRAWN;
    a->column = p->drawn++;
    a->from = a->min;
    a->to = a->max;
    if (isfinite(a->min) && isfinite(a->max)) return true;
    return sis_fault_set(fault, SIS_FAULT_REQUEST,
                         "--free %s: it has no range to draw from: give --axis %s=from:to", a->name,
                         a->name);
}

static bool is_taken(const sis_points* p, const sis_setting* settings, int32_t count,
                     const char* name) {
    for (int32_t i = 0; i < p->axis_count; i++)
        if (!strcmp(p->axes[i].name, name)) return true;
    for (int32_t i = 0; i < count; i++)
        if (!strcmp(settings[i].name, name)) return true;
    return false;
}

static bool has_range(const sis_points* p, int32_t count, const char* name) {
    for (int32_t i = 0; i < count; i++)
        if (!strcmp(p->axes[i].name, name)) return p->axes[i].form == SIS_AXIS_DRAWN;
    return false;
}

bool sis_points_free(sis_points* p, const char* names, const sis_setting* settings,
                     int32_t setting_count, const sis_script* script, sis_fault* fault) {
    for (int32_t i = 0; !names && i < sis_script_param_count(script); i++) {
        sis_param param = sis_script_param(script, i);
        if (!isfinite(param.min) || !isfinite(param.max) || !(param.max > param.min)) continue;
        if (is_taken(p, settings, setting_count, param.name)) continue;
        sis_axis* a = add_axis(p, "--random", param.name, script, fault);
        if (!a || !draw_all_of(p, a, fault)) return false;
    }
    int32_t given = p->axis_count; // --axis NAME=from:to says from where to where
    while (names) {
        char name[256];
        size_t length = strcspn(names, ",");
        snprintf(name, sizeof name, "%.*s", length < 250 ? (int)length : 250, names);
        sis_axis* a = has_range(p, given, name) ? NULL : add_axis(p, "--free", name, script, fault);
        if (!has_range(p, given, name) && (!a || !draw_all_of(p, a, fault))) return false;
        names = names[length] ? names + length + 1 : NULL;
    }
    return true;
}

// ---------------------------------------------------------------------------- pairs

static char* trim_end(char* text) {
    size_t length = strlen(text);
    while (length && strchr(" \t\r\n", text[length - 1]))
        text[--length] = '\0';
    return text;
}

/** The next field of a line, without spaces at both ends and without quotes; *line goes on behind
 * it, NULL: it was the last. Between quotes commas are no ends, and "" is a quote. */
static char* cut_field(char** line) {
    char* text = *line + strspn(*line, " \t");
    if (*text != '"') {
        *line = cut(text, ',');
        return trim_end(text);
    }
    char *from = text + 1, *to = text;
    while (*from && (*from != '"' || from[1] == '"')) {
        from += *from == '"';
        *to++ = *from++;
    }
    from += *from == '"';
    *line = cut(from, ',');
    memmove(to, from, strlen(from) + 1); // behind the quotes there should be nothing
    return trim_end(text);
}

static bool read_heading(sis_points* p, char* line, const char* name, const sis_script* script,
                         sis_fault* fault) {
    while (line) {
        sis_axis* a = add_axis(p, name, cut_field(&line), script, fault);
        if (!a) return false;
        a->form = SIS_AXIS_PAIRED;
        a->column = p->pair_columns++;
    }
    return true;
}

static bool read_pair(sis_points* p, int32_t first, char* line, const char* where, double* row,
                      sis_fault* fault) {
    int32_t column = 0;
    for (; line && column < p->pair_columns; column++) {
        const sis_axis* a = &p->axes[first + column];
        if (!read_value(p, where, a, cut_field(&line), &row[column], fault) ||
            !in_range(where, a, row[column], fault))
            return false;
    }
    return (column == p->pair_columns && !line) ||
           sis_fault_set(fault, SIS_FAULT_REQUEST, "%s: expected %d %s, as in the first line",
                         where, (int)p->pair_columns, p->pair_columns == 1 ? "column" : "columns");
}

static bool add_pairs(sis_points* p, char* text, const char* name, const sis_script* script,
                      sis_fault* fault) {
    int32_t first = p->axis_count;
    size_t room = 0;
    bool named = false;
    int number = 0;
    for (char* next; text; text = next) {
        next = cut(text, '\n');
        number++;
        char where[160];
        snprintf(where, sizeof where, "%.120s:%d", name, number);
        char* line = text + strspn(text, " \t\r");
        if (!*line || *line == '#') continue;
        if (!named) {
            if (!read_heading(p, line, where, script, fault)) return false;
            named = true;
            continue;
        }
        if (p->pair_count == room) {
            room = room ? 2 * room : 64;
            double* more = realloc(p->pairs, room * (size_t)p->pair_columns * sizeof *more);
            if (!more) return sis_fault_no_memory(fault);
            p->pairs = more;
        }
        double* row = p->pairs + p->pair_count * (uint64_t)p->pair_columns;
        if (!read_pair(p, first, line, where, row, fault)) return false;
        p->pair_count++;
    }
    return p->pair_count || sis_fault_set(fault, SIS_FAULT_REQUEST,
                                          "%s: there is no run in it: the first line names params, "
                                          "each further line has their values",
                                          name);
}

bool sis_points_pairs(sis_points* p, const char* text, const char* name, const sis_script* script,
                      sis_fault* fault) {
    if (!strncmp(text, "\xEF\xBB\xBF", 3)) text += 3;
    char* copy = strdup(text);
    if (!copy) return sis_fault_no_memory(fault);
    bool fine = add_pairs(p, copy, name, script, fault);
    free(copy);
    return fine;
}
