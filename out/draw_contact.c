// Which contacts are closed when. Contacts of several points along a string have a map of time and
// place each, which is read at every step. The others have a band each: what a contact has been
// through is counted by the state, so it is enough to cut the run at every column of the picture
// and read the counts there.

#include "contact_map.h"
#include "facts.h"
#include "subject.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BANDS_MAX 40
#define MAPS_MAX  4
#define PIXELS    800 // columns of a map: a contact of one step must be visible

// Heights in nominal pixels.
#define TOP      95
#define MAP      420
#define MAP_ONLY 560 // a single map
#define BETWEEN  70
#define BAND     34
#define BAND_FEW 70 // when there are few and nothing else

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
    int32_t map_count, maps_left_out;
    sis_contact_map map[MAPS_MAX];
} bands;

static uint64_t next_cut(const void* self, uint64_t step) {
    const bands* b = self;
    if (step < b->window.first) return b->window.first;
    if (!sis_window_has(&b->window, step)) return step + SIS_FRAMES_MAX;
    if (b->map_count) return step + 1;
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
    for (int32_t i = 0; shown && i < b->map_count; i++)
        sis_contact_map_take(&b->map[i], frames->system, frames->state, frames->first);
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

/** The bands, in the panel that was placed last. */
static void draw_bands(const sis_canvas* canvas, const bands* b, double rate) {
    sis_unit time = sis_canvas_time(canvas, &b->window, rate, true);
    // The first contact on top.
    fprintf(canvas->script,
            "set yrange [%g:0.4]\nset ylabel ''\nset style fill solid 1.0 noborder\n",
            b->count + 0.6);
    set_names(canvas, b);
    fprintf(canvas->script, "$bands << END\n");
    for (int32_t i = 0; i < b->count; i++)
        write_band(canvas, b, i, rate, &time);
    fprintf(canvas->script, "-1e30 0 -1e30 -1e30 0 0 0\nEND\n"); // never empty
    bool coarse = b->window.count > (uint64_t)b->columns;
    fprintf(canvas->script,
            "set palette defined (0 'white', 1 '" SIS_VERMILLION "')\nset cbrange [0:1]\n"
            "set grid xtics noytics\n"
            "unset colorbox\nunset key\n"
            "set label '%s' at graph 0,1 offset character 0,0.7 left tc rgb '" SIS_INK "'\n"
            "plot $bands using 1:2:3:4:5:6:7 with boxxyerror lc palette\n",
            coarse ? "the darker, the larger the share of the time a contact is closed"
                   : "filled while closed");
}

/** Heights of the panels and of what is between them. */
typedef struct layout {
    double map, bands, between, area;
} layout;

static layout plan(const bands* b) {
    layout l = {.between = b->map_count + (b->count > 0) > 1 ? BETWEEN : 0};
    if (b->map_count) l.map = b->map_count == 1 && !b->count ? MAP_ONLY : MAP;
    if (b->count) l.bands = (b->count < 8 && !b->map_count ? BAND_FEW : BAND) * b->count;
    if (b->count) l.bands += b->map_count ? 20 : 80;
    l.area = b->map_count * (l.map + l.between) + l.bands - (b->count ? 0 : l.between);
    return l;
}

static void draw_panels(sis_canvas* canvas, const sis_picture* picture, const bands* b, layout l) {
    double rate = sis_plan_step_rate(&picture->plan);
    double top = l.area;
    for (int32_t i = 0; i < b->map_count; i++) {
        sis_canvas_panel(canvas, (top - l.map) / l.area, top / l.area);
        sis_contact_map_draw(&b->map[i], picture->system, canvas, rate,
                             !b->count && i == b->map_count - 1);
        top -= l.map + l.between;
    }
    if (!b->count) return;
    sis_canvas_panel(canvas, 0, l.bands / l.area);
    draw_bands(canvas, b, rate);
}

static bool draw(const sis_picture* picture, const bands* b, int descriptor, sis_fault* fault) {
    char rate_text[64], subtitle[160], more[64] = "";
    int32_t shown = b->count + b->map_count, left_out = b->left_out + b->maps_left_out;
    if (left_out) snprintf(more, sizeof more, ", %d of %d", (int)shown, (int)(shown + left_out));
    snprintf(subtitle, sizeof subtitle, "closed contacts%s, %s", more,
             sis_picture_rate(picture, rate_text, sizeof rate_text));
    sis_canvas canvas;
    layout l = plan(b);
    int height = (int)l.area + TOP + 75;
    if (!sis_canvas_open(&canvas, picture->format, 1400, height, picture->title, subtitle, fault))
        return false;
    if (b->count) canvas.left = left_margin(b);
    if (b->map_count) canvas.right = 195; // the colour bar
    canvas.top = TOP;
    draw_panels(&canvas, picture, b, l);
    return sis_canvas_draw(&canvas, descriptor, fault);
}

static bool add_band(bands* b, int32_t link, const char* name) {
    if (b->count == BANDS_MAX) {
        b->left_out++;
        return true;
    }
    band* new = &b->band[b->count++];
    *new = (band){.link = link, .name = name};
    new->closed = calloc((size_t)b->columns, sizeof *new->closed);
    return new->closed != NULL;
}

static bool add_map(bands* b, const sis_system* system, int32_t link) {
    if (b->map_count == MAPS_MAX) {
        b->maps_left_out++;
        return true;
    }
    int32_t columns = b->columns < PIXELS ? b->columns : PIXELS;
    return sis_contact_map_open(&b->map[b->map_count++], system, link, &b->window, columns);
}

static bool choose(bands* b, const sis_picture* picture, sis_fault* fault) {
    for (int32_t i = 0; i < sis_system_link_count(picture->system); i++) {
        sis_link_info link = sis_system_link(picture->system, i);
        if (link.kind != SIS_KIND_CONTACT) continue;
        bool fine = sis_fact_spread(picture->system, i) ? add_map(b, picture->system, i)
                                                        : add_band(b, i, link.name);
        if (!fine) return sis_fault_no_memory(fault);
    }
    return b->count || b->map_count ||
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
    for (int32_t i = 0; i < b.map_count; i++)
        sis_contact_map_close(&b.map[i]);
    return fine;
}
