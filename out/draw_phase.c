// Paths in a plane, coloured by time: displacement against velocity of masses and of a point of
// other bodies (phase), penetration against force of contacts (hysteresis: the area inside is what
// an impact at one point loses), and relative velocity against friction of bows.
//
// A contact is drawn while it is closed or gives a force.
//
// A short path is drawn whole. A long one passes the same places over and over and would be many
// megabytes: of it only what reaches a new cell of a fine grid is drawn, in a second run, once the
// range is known from the first.

#include "facts.h"
#include "probes.h"
#include "subject.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PANELS_MAX 6
#define POINTS_MAX 20000 // drawn whole
#define MARKS_MAX  150   // points that can be told apart
#define CELLS_X    900   // of the grid
#define CELLS_Y    600
#define CURVE      600  // pieces of a friction curve
#define AIR        0.04 // around a path, of its extent

typedef struct point {
    double x, y; // m, m/s; or m, N; or m/s, N
    double step; // NaN: the line is interrupted here
} point;

typedef struct orbit {
    char name[160];
    int32_t x, y; // probes
    bool several; // points of contact: the deepest and the sum of the forces are shown
    int32_t link; // of a bow
    double min_x, max_x, min_y, max_y;
    double first_step, last_step; // of the points
    bool inside, deep;            // the contact gives a force; it is closed
    uint64_t passed;              // points of the path, drawn or not
    size_t count, room;
    point* points;
    // of the second run
    bool* visited; // [CELLS_Y][CELLS_X]
    point last;    // from which the line goes on
    bool started, down;
} orbit;

/** What is against what in a picture. */
typedef struct plane {
    sis_quantity x, y;
    const char *x_label, *y_label;
    const char *x_unit, *y_unit;
    const char* things;
} plane;

static const plane body_plane = {.x = SIS_QUANTITY_DISPLACEMENT,
                                 .y = SIS_QUANTITY_VELOCITY,
                                 .x_label = "displacement",
                                 .y_label = "velocity",
                                 .x_unit = "m",
                                 .y_unit = "m/s",
                                 .things = "bodies"};
static const plane contact_plane = {.x = SIS_QUANTITY_PENETRATION,
                                    .y = SIS_QUANTITY_FORCE,
                                    .x_label = "penetration",
                                    .y_label = "force",
                                    .x_unit = "m",
                                    .y_unit = "N",
                                    .things = "contacts"};
static const plane bow_plane = {.x = SIS_QUANTITY_VELOCITY,
                                .y = SIS_QUANTITY_FORCE,
                                .x_label = "velocity of the body relative to the bow",
                                .y_label = "friction",
                                .x_unit = "m/s",
                                .y_unit = "N",
                                .things = "bows"};

typedef struct orbits {
    const plane* plane;
    bool contacts; // drawn while they are closed
    sis_window window;
    double rate; // steps per second
    bool whole;  // drawn
    bool second; // run
    bool lost;   // out of memory
    int32_t count, left_out;
    orbit orbit[PANELS_MAX];
} orbits;

// ---------------------------------------------------------------------------- collecting

static double cell_x(const orbit* o, double x) {
    return (x - o->min_x) / (o->max_x - o->min_x) * (CELLS_X - 1);
}

static double cell_y(const orbit* o, double y) {
    return (y - o->min_y) / (o->max_y - o->min_y) * (CELLS_Y - 1);
}

/** Marks the cells on the straight way from one point to another, without the first; true when any
 *  of them is new. */
static bool visit(orbit* o, point from, point to) {
    double x = cell_x(o, from.x), y = cell_y(o, from.y);
    double dx = cell_x(o, to.x) - x, dy = cell_y(o, to.y) - y;
    int steps = (int)ceil(fmax(fabs(dx), fabs(dy)));
    bool any = false;
    for (int i = 1; i <= steps; i++) {
        long column = lround(x + dx * i / steps), row = lround(y + dy * i / steps);
        bool* cell = &o->visited[row * CELLS_X + column];
        any = any || !*cell;
        *cell = true;
    }
    return any;
}

static void keep(orbits* all, orbit* o, point p) {
    if (o->count == o->room) {
        size_t room = o->room ? 2 * o->room : 4096;
        point* points = realloc(o->points, room * sizeof *points);
        if (!points) {
            all->lost = true;
            return;
        }
        o->points = points;
        o->room = room;
    }
    o->points[o->count++] = p;
}

static void measure(orbit* o, point p) {
    o->min_x = o->passed ? fmin(o->min_x, p.x) : p.x;
    o->max_x = o->passed ? fmax(o->max_x, p.x) : p.x;
    o->min_y = o->passed ? fmin(o->min_y, p.y) : p.y;
    o->max_y = o->passed ? fmax(o->max_y, p.y) : p.y;
    if (!o->passed++) o->first_step = p.step;
    o->last_step = p.step;
}

/** Moves the pen: down over new cells, up over those that are drawn already. */
static void trace(orbits* all, orbit* o, point p) {
    if (!o->started) {
        o->last = p;
        o->started = true;
        return;
    }
    double dx = cell_x(o, p.x) - cell_x(o, o->last.x), dy = cell_y(o, p.y) - cell_y(o, o->last.y);
    if (fabs(dx) < 1 && fabs(dy) < 1) return;
    bool new = visit(o, o->last, p);
    if (new && !o->down) {
        keep(all, o, (point){.step = nan("")});
        keep(all, o, o->last);
    }
    if (new) keep(all, o, p);
    o->down = new;
    o->last = p;
}

/** Takes the next point of the path. */
static void pass(orbits* all, orbit* o, point p) {
    if (all->second) {
        trace(all, o, p);
    } else {
        measure(o, p);
        if (all->whole) keep(all, o, p);
    }
}

/** The next point is not connected with the last one. */
static void lift(orbits* all, orbit* o) {
    if (all->whole && !all->second && o->count) keep(all, o, (point){.step = nan("")});
    o->started = o->down = false;
}

static void take_contact(orbits* all, orbit* o, point p) {
    bool inside = p.x > 0 || p.y != 0, changed = inside != o->inside;
    bool seen = p.step > (double)all->window.first; // the step before
    point origin = {0, 0, p.step};
    o->inside = inside;
    if (changed && inside) lift(all, o);
    // The force begins and ends in the origin; schemes whose force is a mean over two steps may
    // have some of it before, and those are drawn as they are.
    if (changed && seen && (inside ? p.x > 0 : o->deep)) pass(all, o, origin);
    if (inside) pass(all, o, p);
    o->deep = p.x > 0;
}

static bool take(void* self, const sis_frames* frames, sis_fault* fault) {
    orbits* all = self;
    for (int32_t i = 0; i < all->count; i++) {
        orbit* o = &all->orbit[i];
        for (int32_t n = 0; n < frames->count; n++) {
            uint64_t step = frames->first + (uint64_t)n;
            const double* row = frames->probes + (size_t)n * (size_t)frames->probe_count;
            if (!sis_window_has(&all->window, step)) continue;
            point p = {row[o->x], row[o->y], (double)step};
            if (all->contacts)
                take_contact(all, o, p);
            else
                pass(all, o, p);
        }
    }
    return !all->lost || sis_fault_no_memory(fault);
}

// ---------------------------------------------------------------------------- drawing

static void write_line(const sis_canvas* canvas, const orbits* all, const orbit* o,
                       const sis_unit* x, const sis_unit* y, const sis_unit* time) {
    fprintf(canvas->script, "$orbit << END\n");
    for (size_t i = 0; i < o->count; i++) {
        const point* p = &o->points[i];
        if (isnan(p->step))
            fprintf(canvas->script, "\n");
        else
            fprintf(canvas->script, "%.7g %.7g %.7g\n", p->x / x->factor, p->y / y->factor,
                    p->step / all->rate / time->factor);
    }
    fprintf(canvas->script, "\n-1e30 -1e30 0\nEND\n"); // never empty
}

static void plot_line(const sis_canvas* canvas, const orbits* all, const orbit* o,
                      const sis_unit* time, bool friction) {
    double from = (double)all->window.first, to = from + (double)all->window.count;
    if (all->contacts && o->last_step > o->first_step) {
        from = o->first_step;
        to = o->last_step;
    }
    from /= all->rate * time->factor;
    to /= all->rate * time->factor;
    bool few = all->whole && o->count <= MARKS_MAX;
    // From dark to light, so that it also reads in grey.
    fprintf(canvas->script,
            "set palette defined (0 '#352A87', 0.35 '#0072B2', 0.6 '#009E73', 0.85 '#E69F00', 1 "
            "'#F0C030')\nset cbrange [%.9g:%.9g]\nset cblabel ",
            from, to);
    char label[80];
    snprintf(label, sizeof label, all->whole ? "time (%s)" : "time of the first pass (%s)",
             time->text);
    sis_canvas_text(canvas, label);
    fprintf(canvas->script, "\nplot %s$orbit using 1:2:3 with %s lc palette\n",
            friction ? "$friction with lines lw 5 lc rgb '#D0D0D0', " : "",
            friction ? "points pt 7 ps 0.45"
            : few    ? "linespoints lw 1.6 pt 7 ps 0.7"
                     : "lines lw 1.1");
}

/** Panels side by side: columns x rows. */
static void place(sis_canvas* canvas, int i, int columns, int rows) {
    int room = 260; // between panels: numbers, labels and the colour bar
    int width = (canvas->width - 115 - 160 - room * (columns - 1)) / columns;
    canvas->left = 115 + (i % columns) * (width + room);
    canvas->right = canvas->width - canvas->left - width;
    double gap = rows > 1 ? 0.16 : 0, height = (0.97 - gap * (rows - 1)) / rows;
    int row = rows - 1 - i / columns;
    double low = row * (height + gap);
    sis_canvas_panel(canvas, low, low + height);
}

/** Ranges that hold the path and, of a bow, both branches of the curve on the side it is on. */
static void find_range(const orbits* all, const orbit* o, const sis_link_info* bow, double* range) {
    range[0] = o->min_x;
    range[1] = o->max_x;
    range[2] = o->min_y;
    range[3] = o->max_y;
    if (all->plane != &bow_plane || !(bow->K > 0)) return;
    double reach = 2.5 * sis_fact_grip(bow);
    range[0] = fmin(range[0], -reach);
    range[1] = fmax(range[1], reach);
    range[2] = fmin(range[2], -bow->K);
    range[3] = fmax(range[3], bow->K);
}

/** The friction curve F_N Phi(v) behind the path of a bow, with its largest F_N, from one side of
 *  the panel to the other. */
static void write_friction(const sis_canvas* canvas, const sis_link_info* bow, const double* range,
                           const sis_unit* x, const sis_unit* y) {
    double air = AIR * (range[1] - range[0]), from = range[0] - air, to = range[1] + air;
    fprintf(canvas->script, "$friction << END\n");
    for (int i = 0; i <= CURVE; i++) {
        double v = from + (to - from) * i / CURVE;
        fprintf(canvas->script, "%.7g %.7g\n", v / x->factor,
                sis_fact_friction(bow, v) / y->factor);
    }
    fprintf(canvas->script, "END\n");
}

static void put_title(const sis_canvas* canvas, const orbits* all, const orbit* o,
                      const sis_link_info* bow) {
    char title[300];
    snprintf(title, sizeof title, o->passed ? "%s" : "%s: open all the time", o->name);
    size_t used = strlen(title);
    if (all->plane == &bow_plane && bow->K > 0)
        snprintf(title + used, sizeof title - used, "; grey: F_N up to %.4g N, a = %.4g s²/m²",
                 bow->K, bow->alpha);
    fprintf(canvas->script, "unset key\nset label ");
    sis_canvas_text(canvas, title);
    fprintf(canvas->script, " at graph 0,1 offset character 0,0.7 left tc rgb '" SIS_INK "'\n");
}

static void draw_orbit(sis_canvas* canvas, const sis_system* system, const orbits* all,
                       const orbit* o) {
    const plane* p = all->plane;
    sis_link_info bow = {0};
    if (p == &bow_plane) bow = sis_system_link(system, o->link);
    double range[4], end = (double)(all->window.first + all->window.count);
    find_range(all, o, &bow, range);
    sis_unit x = sis_unit_pick(fmax(fabs(range[0]), fabs(range[1])), p->x_unit);
    sis_unit y = sis_unit_pick(fmax(fabs(range[2]), fabs(range[3])), p->y_unit);
    if (all->contacts && o->last_step > o->first_step) end = o->last_step;
    sis_unit time = sis_unit_pick(end / all->rate, "s");
    sis_canvas_range(canvas, "x", range[0] / x.factor, range[1] / x.factor, AIR);
    sis_canvas_range(canvas, "y", range[2] / y.factor, range[3] / y.factor, AIR);
    sis_canvas_label(canvas, "x", o->several ? "largest penetration" : p->x_label, x.text);
    sis_canvas_label(canvas, "y", o->several ? "force of all points" : p->y_label, y.text);
    put_title(canvas, all, o, &bow);
    write_line(canvas, all, o, &x, &y, &time);
    if (bow.K > 0) write_friction(canvas, &bow, range, &x, &y);
    plot_line(canvas, all, o, &time, bow.K > 0);
}

static bool draw(const sis_picture* picture, orbits* all, int descriptor, sis_fault* fault) {
    int columns = all->count == 1 ? 1 : all->count > 4 ? 3 : 2;
    int rows = (all->count + columns - 1) / columns;
    char rate[64], subtitle[200], more[64] = "";
    if (all->left_out)
        snprintf(more, sizeof more, " of the first %d %s", (int)all->count, all->plane->things);
    snprintf(subtitle, sizeof subtitle, "%s%s, %s", sis_subject_word(picture->subject), more,
             sis_picture_rate(picture, rate, sizeof rate));
    sis_canvas canvas;
    static const int widths[] = {0, 1100, 1500, 1800};
    if (!sis_canvas_open(&canvas, picture->format, widths[columns], rows == 1 ? 780 : 1100,
                         picture->title, subtitle, fault))
        return false;
    canvas.top = 85;
    for (int i = 0; i < all->count; i++) {
        place(&canvas, i, columns, rows);
        draw_orbit(&canvas, picture->system, all, &all->orbit[i]);
    }
    return sis_canvas_draw(&canvas, descriptor, fault);
}

// ---------------------------------------------------------------------------- choosing

/** The first probe of a quantity of an object, or the last one; -1: there is none. */
static int32_t find_probe(const sis_system* system, const char* on, sis_quantity quantity,
                          bool last) {
    int32_t found = -1;
    for (int32_t i = 0; i < sis_system_probe_count(system) && (last || found < 0); i++) {
        sis_probe_info info = sis_system_probe(system, i);
        if (info.quantity == quantity && strcmp(info.on, on) == 0) found = i;
    }
    return found;
}

/** Probes of a body may read any place; those that were added for the picture are the last ones
 *  and read the same. */
static orbit* add(orbits* all, const sis_system* system, const char* on, sis_kind kind) {
    bool placed = *sis_probe_where(kind);
    orbit new = {.x = find_probe(system, on, all->plane->x, placed),
                 .y = find_probe(system, on, all->plane->y, placed)};
    if (new.x < 0 || new.y < 0) return NULL;
    if (all->count == PANELS_MAX) {
        all->left_out++;
        return NULL;
    }
    snprintf(new.name, sizeof new.name, "%s%s", on, sis_probe_where(kind));
    all->orbit[all->count] = new;
    return &all->orbit[all->count++];
}

/** What of that name a probe reads; a barrier when it is no body that moves. */
static sis_kind kind_of(const sis_system* system, const char* name) {
    for (int32_t i = 0; i < sis_system_body_count(system); i++) {
        sis_body_info body = sis_system_body(system, i);
        if (body.kind != SIS_KIND_BARRIER && strcmp(body.name, name) == 0) return body.kind;
    }
    return SIS_KIND_BARRIER;
}

/** In the order of the probes, so that what the scene itself looks at comes first. */
static bool choose_bodies(orbits* all, const sis_system* system, sis_fault* fault) {
    for (int32_t i = 0; i < sis_system_probe_count(system); i++) {
        sis_probe_info info = sis_system_probe(system, i);
        bool first = find_probe(system, info.on, info.quantity, false) == i;
        sis_kind kind = kind_of(system, info.on);
        if (first && info.quantity == SIS_QUANTITY_DISPLACEMENT && kind != SIS_KIND_BARRIER)
            add(all, system, info.on, kind);
    }
    return all->count || sis_fault_set(fault, SIS_FAULT_SCENE,
                                       "no body has probes of its displacement and its velocity");
}

static bool choose_contacts(orbits* all, const sis_system* system, sis_fault* fault) {
    for (int32_t i = 0; i < sis_system_link_count(system); i++) {
        sis_link_info link = sis_system_link(system, i);
        orbit* o = link.kind == SIS_KIND_CONTACT ? add(all, system, link.name, link.kind) : NULL;
        if (o) o->several = link.points > 1;
    }
    return all->count ||
           sis_fault_set(fault, SIS_FAULT_SCENE, "the scene has no contact: add contact{}");
}

static bool choose_bows(orbits* all, const sis_system* system, sis_fault* fault) {
    for (int32_t i = 0; i < sis_system_link_count(system); i++) {
        sis_link_info link = sis_system_link(system, i);
        orbit* o = link.kind == SIS_KIND_BOW ? add(all, system, link.name, link.kind) : NULL;
        if (!o) continue;
        char where[80];
        o->link = i;
        snprintf(o->name, sizeof o->name, "%s on %s%s", link.name, link.below,
                 sis_fact_where(system, i, 0, false, where, sizeof where));
    }
    return all->count || sis_fault_set(fault, SIS_FAULT_SCENE, "the scene has no bow: add bow{}");
}

// ---------------------------------------------------------------------------- runs

/** What rests has no extent; the grid needs one. */
static bool prepare_second(orbits* all, sis_fault* fault) {
    all->second = true;
    for (int32_t i = 0; i < all->count; i++) {
        orbit* o = &all->orbit[i];
        if (!(o->max_x > o->min_x)) o->max_x = o->min_x + fmax(1e-12, fabs(o->min_x));
        if (!(o->max_y > o->min_y)) o->max_y = o->min_y + fmax(1e-12, fabs(o->min_y));
        o->inside = o->deep = o->started = o->down = false;
        o->visited = calloc((size_t)CELLS_X * CELLS_Y, sizeof *o->visited);
        if (!o->visited) return sis_fault_no_memory(fault);
    }
    return true;
}

static bool collect(orbits* all, const sis_picture* picture, sis_fault* fault) {
    sis_sink sink = {.self = all, .take = take};
    all->whole = all->window.count <= POINTS_MAX;
    if (!sis_picture_run(picture, sink, fault)) return false;
    return all->whole || (prepare_second(all, fault) && sis_picture_run(picture, sink, fault));
}

static bool draw_paths(const sis_picture* picture, orbits* all, int descriptor, sis_fault* fault) {
    bool fine = collect(all, picture, fault) && draw(picture, all, descriptor, fault);
    for (int32_t i = 0; i < all->count; i++) {
        free(all->orbit[i].points);
        free(all->orbit[i].visited);
    }
    return fine;
}

bool sis_draw_phase(const sis_picture* picture, int descriptor, sis_fault* fault) {
    orbits all = {.plane = &body_plane,
                  .window = sis_picture_window(picture),
                  .rate = sis_plan_step_rate(&picture->plan)};
    return choose_bodies(&all, picture->system, fault) &&
           draw_paths(picture, &all, descriptor, fault);
}

bool sis_draw_hysteresis(const sis_picture* picture, int descriptor, sis_fault* fault) {
    orbits all = {.plane = &contact_plane,
                  .contacts = true,
                  .window = sis_picture_window(picture),
                  .rate = sis_plan_step_rate(&picture->plan)};
    return choose_contacts(&all, picture->system, fault) &&
           draw_paths(picture, &all, descriptor, fault);
}

bool sis_draw_bow(const sis_picture* picture, int descriptor, sis_fault* fault) {
    orbits all = {.plane = &bow_plane,
                  .window = sis_picture_window(picture),
                  .rate = sis_plan_step_rate(&picture->plan)};
    return choose_bows(&all, picture->system, fault) &&
           draw_paths(picture, &all, descriptor, fault);
}
