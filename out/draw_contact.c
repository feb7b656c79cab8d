// Which contacts are closed when, and which bows stick. Contacts of several points have a map of
// time and place each, which is read at every step. The others have a band each: what a contact has
// been through is counted by the state, so it is enough to cut the run at every column of the
// picture and read the counts there. Springs are never open and have none.

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
    char name[160];
    bool never_opens;        // a two-sided law
    int32_t velocity, force; // probes of a bow; -1: a contact
    double grip;             // m/s, of a bow: slower than this it sticks
    uint64_t counted;
    float* closed; // [columns], share of the steps of the column
} band;

typedef struct bands {
    sis_window window;
    int32_t columns;
    int32_t count, left_out;
    band band[BANDS_MAX];
    float* closed; // of all bands
    int32_t map_count, maps_left_out;
    sis_contact_map map[MAPS_MAX];
} bands;

/** The first step after a column. */
static uint64_t column_end(const bands* b, int32_t column) {
    return column + 1 < b->columns ? sis_window_step(&b->window, b->columns, column + 1)
                                   : b->window.first + b->window.count;
}

static uint64_t next_cut(const void* self, uint64_t step) {
    const bands* b = self;
    if (step < b->window.first) return b->window.first;
    if (!sis_window_has(&b->window, step)) return step + SIS_FRAMES_MAX;
    if (b->map_count) return step + 1;
    int32_t column = sis_window_column(&b->window, b->columns, step);
    return column_end(b, column);
}

/** Steps of the block in which a band is filled. */
static uint64_t count_filled(band* one, const sis_frames* frames) {
    uint64_t filled = 0;
    if (one->velocity < 0) {
        uint64_t now = sis_state_link(frames->system, frames->state, one->link).contact_samples;
        filled = now - one->counted;
        one->counted = now;
        return filled;
    }
    // A bow that is lifted gives no force and does not stick.
    for (int32_t n = 0; n < frames->count; n++) {
        const double* row = frames->probes + (size_t)n * (size_t)frames->probe_count;
        filled += row[one->force] != 0 && fabs(row[one->velocity]) < one->grip;
    }
    return filled;
}

static bool take(void* self, const sis_frames* frames, sis_fault* fault) {
    (void)fault;
    bands* b = self;
    bool shown = sis_window_has(&b->window, frames->first);
    for (int32_t i = 0; i < b->count; i++) {
        band* one = &b->band[i];
        uint64_t filled = count_filled(one, frames);
        if (!shown) continue;
        int32_t column = sis_window_column(&b->window, b->columns, frames->first);
        uint64_t first = sis_window_step(&b->window, b->columns, column);
        one->closed[column] += (float)((double)filled / (double)(column_end(b, column) - first));
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
        double to = (double)column_end(b, end - 1);
        // However short, a contact must be visible. What never opens is of no interest, and pale.
        double shade = b->band[i].never_opens ? 0.15 : fmin(1, 0.5 + 0.5 * (double)closed[c]);
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
        sis_canvas_tic(canvas, b->band[i].name, i + 1);
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

static band* add_band(bands* b, int32_t link, const char* name) {
    band* new = &b->band[b->count];
    *new = (band){.link = link, .velocity = -1, .force = -1};
    new->closed = b->closed + (size_t)b->count++*(size_t)b->columns;
    snprintf(new->name, sizeof new->name, "%s", name);
    return new;
}

static void add_contact(bands* b, int32_t link, const sis_link_info* info) {
    band* new = add_band(b, link, info->name);
    new->never_opens = sis_law_sides(info->law) == SIS_LAW_TWO_SIDED;
    if (new->never_opens) snprintf(new->name, sizeof new->name, "%s (two-sided)", info->name);
}

/** The last probe of a quantity is the one that was added for the picture. */
static int32_t find_probe(const sis_system* system, const char* on, sis_quantity quantity) {
    int32_t found = -1;
    for (int32_t i = 0; i < sis_system_probe_count(system); i++) {
        sis_probe_info p = sis_system_probe(system, i);
        if (p.quantity == quantity && strcmp(p.on, on) == 0) found = i;
    }
    return found;
}

static void add_bow(bands* b, const sis_system* system, int32_t link, const sis_link_info* info) {
    int32_t velocity = find_probe(system, info->name, SIS_QUANTITY_VELOCITY);
    int32_t force = find_probe(system, info->name, SIS_QUANTITY_FORCE);
    if (velocity < 0 || force < 0 || !(info->alpha > 0)) return;
    band* new = add_band(b, link, info->name);
    new->velocity = velocity;
    new->force = force;
    new->grip = sis_fact_grip(info);
    snprintf(new->name, sizeof new->name, "%s (sticks)", info->name);
}

static bool add_map(bands* b, const sis_system* system, int32_t link) {
    if (b->map_count == MAPS_MAX) {
        b->maps_left_out++;
        return true;
    }
    int32_t columns = b->columns < PIXELS ? b->columns : PIXELS;
    return sis_contact_map_open(&b->map[b->map_count++], system, link, &b->window, columns);
}

static bool add_link(bands* b, const sis_system* system, int32_t link) {
    sis_link_info info = sis_system_link(system, link);
    if (info.kind == SIS_KIND_SPRING) return true;
    if (sis_fact_spread(system, link)) return add_map(b, system, link);
    if (b->count == BANDS_MAX)
        b->left_out++;
    else if (info.kind == SIS_KIND_BOW)
        add_bow(b, system, link, &info);
    else
        add_contact(b, link, &info);
    return true;
}

static bool choose(bands* b, const sis_picture* picture, sis_fault* fault) {
    b->closed = calloc((size_t)BANDS_MAX * (size_t)b->columns, sizeof *b->closed);
    if (!b->closed) return sis_fault_no_memory(fault);
    for (int32_t i = 0; i < sis_system_link_count(picture->system); i++)
        if (!add_link(b, picture->system, i)) return sis_fault_no_memory(fault);
    return b->count || b->map_count ||
           sis_fault_set(fault, SIS_FAULT_SCENE, "the scene has no contact: add contact{}");
}

bool sis_draw_contact(const sis_picture* picture, int descriptor, sis_fault* fault) {
    bands b = {.window = sis_picture_window(picture), .columns = SIS_COLUMNS};
    if (b.window.count < SIS_COLUMNS) b.columns = (int32_t)b.window.count;
    sis_sink sink = {.self = &b, .take = take, .next_cut = next_cut};
    bool fine = choose(&b, picture, fault) && sis_picture_run(picture, sink, fault) &&
                draw(picture, &b, descriptor, fault);
    free(b.closed);
    for (int32_t i = 0; i < b.map_count; i++)
        sis_contact_map_close(&b.map[i]);
    return fine;
}
