// Which contacts are closed when: one band per contact. What a contact has been through is counted
// by the state, so no probe is needed: the run is cut at every column of the picture and the counts
// are read there.

#include "subject.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BANDS_MAX 40

typedef struct band {
    int32_t link;
    const char* name;
    uint64_t counted;
    float* closed; // [columns], share of the steps of the column
} band;

typedef struct bands {
    sis_window window;
    int32_t columns;
    int32_t count, left_out;
    band band[BANDS_MAX];
} bands;

static uint64_t next_cut(const void* self, uint64_t step) {
    const bands* b = self;
    if (step < b->window.first) return b->window.first;
    if (!sis_window_has(&b->window, step)) return step + SIS_FRAMES_MAX;
    int32_t column = sis_window_column(&b->window, b->columns, step);
    return column + 1 < b->columns ? sis_window_step(&b->window, b->columns, column + 1)
                                   : b->window.first + b->window.count;
}

static bool take(void* self, const sis_frames* frames, sis_fault* fault) {
    (void)fault;
    bands* b = self;
    bool shown = sis_window_has(&b->window, frames->first);
    for (int32_t i = 0; i < b->count; i++) {
        band* one = &b->band[i];
        uint64_t now = sis_state_link(frames->system, frames->state, one->link).contact_samples;
        if (shown) {
            int32_t column = sis_window_column(&b->window, b->columns, frames->first);
            uint64_t first = sis_window_step(&b->window, b->columns, column);
            uint64_t next = column + 1 < b->columns
                                ? sis_window_step(&b->window, b->columns, column + 1)
                                : b->window.first + b->window.count;
            one->closed[column] += (float)((double)(now - one->counted) / (double)(next - first));
        }
        one->counted = now;
    }
    return true;
}

/** A rectangle per run of columns that look the same: time from, to, band, share. */
static void write_band(const sis_canvas* canvas, const bands* b, int32_t i, double rate,
                       const sis_unit* time) {
    const float* closed = b->band[i].closed;
    for (int32_t c = 0; c < b->columns;) {
        int32_t end = c + 1;
        while (end < b->columns && fabsf(closed[end] - closed[c]) < 0.01f &&
               (closed[end] > 0) == (closed[c] > 0))
            end++;
        double from = (double)sis_window_step(&b->window, b->columns, c);
        double to = end < b->columns ? (double)sis_window_step(&b->window, b->columns, end)
                                     : (double)(b->window.first + b->window.count);
        // However short, a contact must be visible.
        double shade = fmin(1, 0.5 + 0.5 * (double)closed[c]);
        if (closed[c] > 0)
            fprintf(canvas->script, "%.12g %d %.12g %.12g %g %g %g\n",
                    0.5 * (from + to) / rate / time->factor, (int)i + 1, from / rate / time->factor,
                    to / rate / time->factor, i + 0.64, i + 1.36, shade);
        c = end;
    }
}

static void set_names(const sis_canvas* canvas, const bands* b) {
    fprintf(canvas->script, "set ytics (");
    for (int32_t i = 0; i < b->count; i++) {
        if (i) fprintf(canvas->script, ", ");
        sis_canvas_text(canvas, b->band[i].name);
        fprintf(canvas->script, " %d", (int)i + 1);
    }
    fprintf(canvas->script, ") scale 0\n");
}

/** Room for the longest name, about ten pixels a letter. */
static int left_margin(const bands* b) {
    size_t longest = 0;
    for (int32_t i = 0; i < b->count; i++) {
        size_t length = strlen(b->band[i].name);
        if (length > longest) longest = length;
    }
    return longest < 14 ? 160 : 50 + 10 * (int)longest;
}

static bool draw(const sis_picture* picture, const bands* b, int descriptor, sis_fault* fault) {
    char rate_text[64], subtitle[160], more[64] = "";
    double rate = sis_plan_step_rate(&picture->plan);
    if (b->left_out) snprintf(more, sizeof more, ", the first %d", (int)b->count);
    snprintf(subtitle, sizeof subtitle, "closed contacts%s, %s", more,
             sis_picture_rate(picture, rate_text, sizeof rate_text));
    sis_canvas canvas;
    int height = 250 + (b->count < 8 ? 70 : 34) * b->count;
    if (!sis_canvas_open(&canvas, picture->format, 1400, height, picture->title, subtitle, fault))
        return false;
    canvas.left = left_margin(b);
    canvas.top = 95;
    sis_canvas_panel(&canvas, 0, 1);
    sis_unit time = sis_canvas_time(&canvas, &b->window, rate, true);
    // The first contact on top.
    fprintf(canvas.script, "set yrange [%g:0.4]\nset style fill solid 1.0 noborder\n",
            b->count + 0.6);
    set_names(&canvas, b);
    fprintf(canvas.script, "$bands << END\n");
    for (int32_t i = 0; i < b->count; i++)
        write_band(&canvas, b, i, rate, &time);
    fprintf(canvas.script, "-1e30 0 -1e30 -1e30 0 0 0\nEND\n"); // never empty
    bool coarse = b->window.count > (uint64_t)b->columns;
    fprintf(canvas.script,
            "set palette defined (0 'white', 1 '" SIS_VERMILLION "')\nset cbrange [0:1]\n"
            "set grid noytics\n"
            "unset colorbox\nunset key\n"
            "set label '%s' at graph 0,1 offset character 0,0.7 left tc rgb '" SIS_INK "'\n"
            "plot $bands using 1:2:3:4:5:6:7 with boxxyerror lc palette\n",
            coarse ? "the darker, the larger the share of the time a contact is closed"
                   : "filled while closed");
    return sis_canvas_draw(&canvas, descriptor, fault);
}

static bool choose(bands* b, const sis_picture* picture, sis_fault* fault) {
    for (int32_t i = 0; i < sis_system_link_count(picture->system); i++) {
        sis_link_info link = sis_system_link(picture->system, i);
        if (link.kind != SIS_KIND_CONTACT) continue;
        if (b->count == BANDS_MAX) {
            b->left_out++;
            continue;
        }
        band* new = &b->band[b->count++];
        *new = (band){.link = i, .name = link.name};
        new->closed = calloc((size_t)b->columns, sizeof *new->closed);
        if (!new->closed) return sis_fault_no_memory(fault);
    }
    return b->count ||
           sis_fault_set(fault, SIS_FAULT_SCENE, "the scene has no contact: add contact{}");
}

bool sis_draw_contact(const sis_picture* picture, int descriptor, sis_fault* fault) {
    bands b = {.window = sis_picture_window(picture), .columns = SIS_COLUMNS};
    if (b.window.count < SIS_COLUMNS) b.columns = (int32_t)b.window.count;
    sis_sink sink = {.self = &b, .take = take, .next_cut = next_cut};
    bool fine = choose(&b, picture, fault) && sis_picture_run(picture, sink, fault) &&
                draw(picture, &b, descriptor, fault);
    for (int32_t i = 0; i < b.count; i++)
        free(b.band[i].closed);
    return fine;
}
