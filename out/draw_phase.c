// Displacement against velocity of masses. The velocity is (u^{n+1} - u^{n-1})/2k, the same that a
// velocity probe reads, so a displacement probe is all that is needed.
//
// The line is coloured by time. A short path is drawn whole. A long one passes the same places over
// and over and would be many megabytes: of it only what reaches a new cell of a fine grid is drawn,
// in a second run, once the range is known from the first.

#include "subject.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PANELS_MAX 6
#define POINTS_MAX 20000 // drawn whole
#define CELLS_X    900   // of the grid
#define CELLS_Y    600

typedef struct point {
    double u, v; // m, m/s
    double step; // NaN: the line is interrupted here
} point;

typedef struct orbit {
    int32_t probe;
    sis_probe_info info;
    double min_u, max_u, min_v, max_v;
    double before, now; // u^{n-1}, u^n
    uint64_t passed;    // points of the path, drawn or not
    size_t count, room;
    point* points;
    // of the second run
    bool* visited; // [CELLS_Y][CELLS_X]
    point last;    // from which the line goes on
    bool started, down;
} orbit;

typedef struct orbits {
    sis_window window;
    double rate; // steps per second
    bool whole;  // drawn
    bool second; // run
    bool lost;   // out of memory
    int32_t count, left_out;
    orbit orbit[PANELS_MAX];
} orbits;

// ---------------------------------------------------------------------------- collecting

static double cell_x(const orbit* o, double u) {
    return (u - o->min_u) / (o->max_u - o->min_u) * (CELLS_X - 1);
}

static double cell_y(const orbit* o, double v) {
    return (v - o->min_v) / (o->max_v - o->min_v) * (CELLS_Y - 1);
}

/** Marks the cells on the straight way from one point to another, without the first; true when any
 *  of them is new. */
static bool visit(orbit* o, point from, point to) {
    double x = cell_x(o, from.u), y = cell_y(o, from.v);
    double dx = cell_x(o, to.u) - x, dy = cell_y(o, to.v) - y;
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
    o->min_u = o->passed ? fmin(o->min_u, p.u) : p.u;
    o->max_u = o->passed ? fmax(o->max_u, p.u) : p.u;
    o->min_v = o->passed ? fmin(o->min_v, p.v) : p.v;
    o->max_v = o->passed ? fmax(o->max_v, p.v) : p.v;
    o->passed++;
}

/** Moves the pen: down over new cells, up over those that are drawn already. */
static void trace(orbits* all, orbit* o, point p) {
    if (!o->started) {
        o->last = p;
        o->started = true;
        return;
    }
    double dx = cell_x(o, p.u) - cell_x(o, o->last.u), dy = cell_y(o, p.v) - cell_y(o, o->last.v);
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

static bool take(void* self, const sis_frames* frames, sis_fault* fault) {
    orbits* all = self;
    size_t probes = (size_t)frames->probe_count;
    for (int32_t i = 0; i < all->count; i++) {
        orbit* o = &all->orbit[i];
        for (int32_t n = 0; n < frames->count; n++) {
            uint64_t step = frames->first + (uint64_t)n;
            double next = frames->probes[(size_t)n * probes + (size_t)o->probe];
            point p = {o->now, (next - o->before) * 0.5 * all->rate, (double)step - 1};
            o->before = o->now;
            o->now = next;
            if (step < 2 || !sis_window_has(&all->window, step - 1)) continue;
            if (all->second) {
                trace(all, o, p);
            } else {
                measure(o, p);
                if (all->whole) keep(all, o, p);
            }
        }
    }
    return !all->lost || sis_fault_no_memory(fault);
}

// ---------------------------------------------------------------------------- drawing

static void write_line(const sis_canvas* canvas, const orbits* all, const orbit* o,
                       const sis_unit* u, const sis_unit* v, const sis_unit* time) {
    fprintf(canvas->script, "$orbit << END\n");
    for (size_t i = 0; i < o->count; i++) {
        const point* p = &o->points[i];
        if (isnan(p->step))
            fprintf(canvas->script, "\n");
        else
            fprintf(canvas->script, "%.7g %.7g %.7g\n", p->u / u->factor, p->v / v->factor,
                    p->step / all->rate / time->factor);
    }
    fprintf(canvas->script, "END\n");
}

static void plot_line(const sis_canvas* canvas, const orbits* all, const sis_unit* time) {
    double from = (double)all->window.first / all->rate / time->factor;
    double to = (double)(all->window.first + all->window.count) / all->rate / time->factor;
    // From dark to light, so that it also reads in grey.
    fprintf(canvas->script,
            "set palette defined (0 '#352A87', 0.35 '#0072B2', 0.6 '#009E73', 0.85 '#E69F00', 1 "
            "'#F0C030')\nset cbrange [%.9g:%.9g]\nset cblabel ",
            from, to);
    char label[80];
    snprintf(label, sizeof label, all->whole ? "time (%s)" : "time of the first pass (%s)",
             time->text);
    sis_canvas_text(canvas, label);
    fprintf(canvas->script, "\nplot $orbit using 1:2:3 with lines lw 1.1 lc palette\n");
}

/** Panels side by side: columns x rows. */
static void place(sis_canvas* canvas, int i, int columns, int rows) {
    int room = 260; // between panels: numbers, labels and the colour bar
    int width = (canvas->width - 115 - 160 - room * (columns - 1)) / columns;
    canvas->left = 115 + (i % columns) * (width + room);
    canvas->right = canvas->width - canvas->left - width;
    double height = 1.0 / rows, gap = rows > 1 ? 0.27 : 0.03;
    int row = rows - 1 - i / columns;
    sis_canvas_panel(canvas, row * height, (row + 1 - gap) * height);
}

static void draw_orbit(sis_canvas* canvas, const orbits* all, const orbit* o) {
    sis_unit u = sis_unit_pick(fmax(fabs(o->min_u), fabs(o->max_u)), "m");
    sis_unit v = sis_unit_pick(fmax(fabs(o->min_v), fabs(o->max_v)), "m/s");
    double end = (double)(all->window.first + all->window.count) / all->rate;
    sis_unit time = sis_unit_pick(end, "s");
    sis_canvas_range(canvas, "x", o->min_u / u.factor, o->max_u / u.factor, 0.04);
    sis_canvas_range(canvas, "y", o->min_v / v.factor, o->max_v / v.factor, 0.04);
    sis_canvas_label(canvas, "x", "displacement", u.text);
    sis_canvas_label(canvas, "y", "velocity", v.text);
    fprintf(canvas->script, "unset key\nset label ");
    sis_canvas_text(canvas, o->info.on);
    fprintf(canvas->script, " at graph 0,1 offset character 0,0.7 left tc rgb '" SIS_INK "'\n");
    write_line(canvas, all, o, &u, &v, &time);
    plot_line(canvas, all, &time);
}

static bool draw(const sis_picture* picture, orbits* all, int descriptor, sis_fault* fault) {
    int columns = all->count == 1 ? 1 : all->count > 4 ? 3 : 2;
    int rows = (all->count + columns - 1) / columns;
    char rate[64], subtitle[200], more[64] = "";
    if (all->left_out) snprintf(more, sizeof more, " of the first %d masses", (int)all->count);
    snprintf(subtitle, sizeof subtitle, "phase%s, %s", more,
             sis_picture_rate(picture, rate, sizeof rate));
    sis_canvas canvas;
    static const int widths[] = {0, 1100, 1500, 1800};
    if (!sis_canvas_open(&canvas, picture->format, widths[columns], rows == 1 ? 780 : 1100,
                         picture->title, subtitle, fault))
        return false;
    canvas.top = 85;
    for (int i = 0; i < all->count; i++) {
        place(&canvas, i, columns, rows);
        draw_orbit(&canvas, all, &all->orbit[i]);
    }
    return sis_canvas_draw(&canvas, descriptor, fault);
}

// ---------------------------------------------------------------------------- choosing

static bool is_mass(const sis_system* system, const char* name) {
    for (int32_t i = 0; i < sis_system_body_count(system); i++) {
        sis_body_info body = sis_system_body(system, i);
        if (body.kind == SIS_KIND_MASS && strcmp(body.name, name) == 0) return true;
    }
    return false;
}

static bool choose(orbits* all, const sis_picture* picture, sis_fault* fault) {
    for (int32_t i = 0; i < sis_system_probe_count(picture->system); i++) {
        sis_probe_info info = sis_system_probe(picture->system, i);
        bool wanted = info.quantity == SIS_QUANTITY_DISPLACEMENT;
        if (!wanted || !is_mass(picture->system, info.on)) continue;
        for (int32_t j = 0; j < all->count; j++)
            if (strcmp(all->orbit[j].info.on, info.on) == 0) wanted = false;
        if (!wanted) continue;
        if (all->count == PANELS_MAX) {
            all->left_out++;
            continue;
        }
        all->orbit[all->count++] = (orbit){.probe = i, .info = info};
    }
    return all->count ||
           sis_fault_set(fault, SIS_FAULT_SCENE,
                         "no probe reads the displacement of a mass: add probe{ on = ..., quantity "
                         "= \"displacement\" }");
}

/** A mass that rests has no extent; the grid needs one. */
static bool prepare_second(orbits* all, sis_fault* fault) {
    all->second = true;
    for (int32_t i = 0; i < all->count; i++) {
        orbit* o = &all->orbit[i];
        if (!(o->max_u > o->min_u)) o->max_u = o->min_u + fmax(1e-12, fabs(o->min_u));
        if (!(o->max_v > o->min_v)) o->max_v = o->min_v + fmax(1e-12, fabs(o->min_v));
        o->visited = calloc((size_t)CELLS_X * CELLS_Y, sizeof *o->visited);
        if (!o->visited) return sis_fault_no_memory(fault);
    }
    return true;
}

static bool collect(orbits* all, const sis_picture* picture, sis_fault* fault) {
    sis_sink sink = {.self = all, .take = take};
    all->whole = all->window.count <= POINTS_MAX;
    if (!sis_picture_run(picture, sink, fault)) return false;
    if (all->orbit[0].passed < 1)
        return sis_fault_set(fault, SIS_FAULT_REQUEST,
                             "a phase picture needs at least 3 samples; widen --from and --to");
    return all->whole || (prepare_second(all, fault) && sis_picture_run(picture, sink, fault));
}

bool sis_draw_phase(const sis_picture* picture, int descriptor, sis_fault* fault) {
    orbits all = {.window = sis_picture_window(picture),
                  .rate = sis_plan_step_rate(&picture->plan)};
    bool fine = choose(&all, picture, fault) && collect(&all, picture, fault) &&
                draw(picture, &all, descriptor, fault);
    for (int32_t i = 0; i < all.count; i++) {
        free(all.orbit[i].points);
        free(all.orbit[i].visited);
    }
    return fine;
}
