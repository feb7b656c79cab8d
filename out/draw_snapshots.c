// Shapes of strings at some times, a panel each, all with the same axes: the string, the barriers
// and the points of other bodies that it may touch, and where it does touch.

#include "snapshots.h"
#include "subject.h"

#include <math.h>
#include <stdlib.h>

#define GROUPS_MAX 3

// Heights and widths in nominal pixels.
#define PANEL   180
#define BETWEEN 46 // rows: the time stands there
#define APART   34 // columns
#define TOP     118

/** The axes that all panels share. */
typedef struct axes {
    double low, high; // m
    double length;    // m
    sis_unit x, u;
    double tick; // of u, in its unit
} axes;

static const char* string_colour(int32_t i) {
    static const char* const colours[] = {SIS_BLUE, SIS_ORANGE, SIS_GREEN, SIS_PURPLE, SIS_SKY};
    return colours[i % 5];
}

// ---------------------------------------------------------------------------- axes

static void reach(axes* a, double u) {
    a->low = fmin(a->low, u);
    a->high = fmax(a->high, u);
}

/** What the strings do sets the axis. Of what they touch as much is shown as is near to them. */
static void reach_touch(axes* a, const sis_snapshots* s, const sis_touch* touch) {
    double room = a->high > a->low ? 0.35 * (a->high - a->low) : (double)INFINITY;
    double low = a->low - room, high = a->high + room;
    for (int32_t j = 0; j < touch->info.points; j++)
        if (!isnan(touch->edge[j])) reach(a, fmin(high, fmax(low, touch->edge[j])));
    for (int32_t n = 0; touch->other >= 0 && n < s->times.count * touch->info.points; n++)
        reach(a, fmin(high, fmax(low, touch->u[n])));
}

/** 1, 2 or 5 times a power of ten, so that a small panel has four or five. */
static double tick_of(double range) {
    double power = pow(10, floor(log10(range / 4))), rest = range / 4 / power;
    return (rest < 1.5 ? 1 : rest < 3.5 ? 2 : rest < 7.5 ? 5 : 10) * power;
}

static axes find_axes(const sis_snapshots* s) {
    axes a = {.low = INFINITY, .high = -INFINITY};
    for (int32_t i = 0; i < s->shape_count; i++) {
        const sis_shape* shape = &s->shapes[i];
        a.length = fmax(a.length, shape->info.length);
        for (int32_t n = 0; n < s->times.count * shape->info.points; n++)
            reach(&a, shape->u[n] + shape->offset);
    }
    axes strings = a;
    for (int32_t i = 0; i < s->touch_count; i++) {
        axes with = strings;
        reach_touch(&with, s, &s->touches[i]);
        reach(&a, with.low);
        reach(&a, with.high);
    }
    if (!(a.high > a.low)) a.low -= 1e-3, a.high += 1e-3;
    double air = 0.08 * (a.high - a.low);
    a.low -= air;
    a.high += air;
    a.x = sis_unit_place(a.length);
    double size = fmax(fabs(a.low), fabs(a.high));
    a.u = size < 1e-5 || size > 1 ? sis_unit_pick(size, "m") : (sis_unit){1e-3, "mm"};
    a.tick = tick_of((a.high - a.low) / a.u.factor);
    return a;
}

// ---------------------------------------------------------------------------- data

static void write_string(const sis_canvas* canvas, const sis_shape* shape, int32_t i, int32_t t,
                         const axes* a) {
    const double* u = shape->u + (size_t)t * (size_t)shape->info.points;
    fprintf(canvas->script, "$string%d << END\n", (int)i);
    for (int32_t j = 0; j < shape->info.points; j++)
        fprintf(canvas->script, "%.7g %.7g\n", shape->x[j] / a->x.factor,
                (u[j] + shape->offset) / a->u.factor);
    fprintf(canvas->script, "END\n");
}

/** Where the string gets a force: on the string. */
static void write_forces(const sis_canvas* canvas, const sis_snapshots* s, const sis_touch* touch,
                         int32_t i, int32_t t, const axes* a) {
    const sis_shape* shape = &s->shapes[touch->shape];
    const double* force = touch->force + (size_t)t * (size_t)touch->info.points;
    fprintf(canvas->script, "$force%d << END\n-1e30 -1e30\n", (int)i); // never empty
    for (int32_t j = 0; j < touch->info.points; j++)
        if (force[j] != 0)
            fprintf(canvas->script, "%.7g %.7g\n", touch->x[j] / a->x.factor,
                    (sis_shape_at(shape, t, touch->x[j]) + shape->offset) / a->u.factor);
    fprintf(canvas->script, "END\n");
}

static void write_point(const sis_canvas* canvas, double x, double u, const axes* a) {
    fprintf(canvas->script, "%.7g %.7g\n", x / a->x.factor, u / a->u.factor);
}

/** A barrier along a range. Its last points are half a cell from its ends, and a whole one from the
 *  ends of the string, which nothing can touch. */
static void write_range(const sis_canvas* canvas, const sis_touch* touch, double length,
                        const axes* a) {
    const double *x = touch->x, *u = touch->edge;
    int32_t last = touch->info.points - 1;
    double cell = touch->info.weight;
    double from = x[0] < 1.5 * cell ? 0 : x[0] - cell / 2;
    double to = length - x[last] < 1.5 * cell ? length : x[last] + cell / 2;
    double low = last ? (u[1] - u[0]) / (x[1] - x[0]) : 0;
    double high = last ? (u[last] - u[last - 1]) / (x[last] - x[last - 1]) : 0;
    write_point(canvas, from, u[0] + low * (from - x[0]), a);
    for (int32_t j = 0; j <= last; j++)
        write_point(canvas, x[j], u[j], a);
    write_point(canvas, to, u[last] + high * (to - x[last]), a);
}

/** A barrier, or where another body is at every place where it may touch. */
static void write_edge(const sis_canvas* canvas, const sis_snapshots* s, const sis_touch* touch,
                       int32_t i, int32_t t, const axes* a) {
    const double* u = touch->u + (size_t)t * (size_t)touch->info.points;
    fprintf(canvas->script, "$edge%d << END\n", (int)i);
    if (touch->other < 0 && touch->info.distributed)
        write_range(canvas, touch, s->shapes[touch->shape].info.length, a);
    else
        for (int32_t j = 0; j < touch->info.points; j++)
            write_point(canvas, touch->x[j], touch->other < 0 ? touch->edge[j] : u[j], a);
    fprintf(canvas->script, "END\n");
}

// ---------------------------------------------------------------------------- a panel

/** A quoted name in the legend, once in a picture. */
static void put_title(const sis_canvas* canvas, bool named, const char* name) {
    if (!named) {
        fprintf(canvas->script, " notitle");
        return;
    }
    fprintf(canvas->script, " title ");
    sis_canvas_text(canvas, name);
}

/** The second string of a contact between strings is drawn as a string. */
static bool is_second(const sis_snapshots* s, const sis_touch* touch) {
    for (int32_t i = 0; touch->other >= 0 && i < s->shape_count; i++)
        if (s->shapes[i].body == touch->other) return true;
    return false;
}

static void plot_edge(const sis_canvas* canvas, const sis_touch* touch, int32_t i, const axes* a,
                      bool named) {
    // What is below is filled to the bottom, what is above to the top.
    double far = (touch->above ? a->low : a->high) / a->u.factor;
    const char* name = touch->above ? touch->info.below : touch->info.above;
    if (touch->other >= 0) {
        fprintf(canvas->script, "$edge%d with points pt 7 ps 1.5 lc rgb '" SIS_INK "'", (int)i);
        put_title(canvas, named, name);
    } else if (touch->info.distributed) {
        fprintf(canvas->script,
                "$edge%d using 1:2:(%.9g) with filledcurves fs solid 1.0 lc rgb '#DCDCDC'", (int)i,
                far);
        put_title(canvas, named, name);
        fprintf(canvas->script, ", $edge%d with lines lw 1.2 lc rgb '#707070' notitle", (int)i);
    } else {
        fprintf(canvas->script,
                "$edge%d using 1:(%.9g):(0):($2-%.9g) with vectors nohead lw 1.6 lc rgb '#C4C4C4' "
                "notitle, $edge%d with points pt 7 ps 0.6 lc rgb '#707070'",
                (int)i, far, far, (int)i);
        put_title(canvas, named, name);
    }
    fprintf(canvas->script, ", ");
}

static void plot_panel(const sis_canvas* canvas, const sis_snapshots* s, int32_t group, int32_t t,
                       const axes* a, bool named) {
    bool touches = false;
    for (int32_t i = 0; i < s->touch_count; i++) {
        const sis_touch* touch = &s->touches[i];
        if (s->shapes[touch->shape].group != group) continue;
        if (!is_second(s, touch)) write_edge(canvas, s, touch, i, t, a);
        write_forces(canvas, s, touch, i, t, a);
    }
    for (int32_t i = 0; i < s->shape_count; i++)
        if (s->shapes[i].group == group) write_string(canvas, &s->shapes[i], i, t, a);
    fprintf(canvas->script, "plot ");
    for (int32_t i = 0; i < s->touch_count; i++)
        if (s->shapes[s->touches[i].shape].group == group && !is_second(s, &s->touches[i]))
            plot_edge(canvas, &s->touches[i], i, a, named);
    fprintf(canvas->script, "0 with lines lw 0.7 lc rgb '#A0A0A0' notitle");
    for (int32_t i = 0; i < s->shape_count; i++) {
        if (s->shapes[i].group != group) continue;
        fprintf(canvas->script, ", $string%d with lines lw 1.7 lc rgb '%s'", (int)i,
                string_colour(i));
        put_title(canvas, named, s->shapes[i].info.name);
    }
    for (int32_t i = 0; i < s->touch_count; i++) {
        if (s->shapes[s->touches[i].shape].group != group) continue;
        fprintf(canvas->script, ", $force%d with points pt 7 ps 0.75 lc rgb '" SIS_VERMILLION "'",
                (int)i);
        put_title(canvas, named && !touches, "touching");
        touches = true;
    }
    fprintf(canvas->script, "\n");
}

/** Numbers and labels stand at the left and at the bottom only. */
static void set_axes(const sis_canvas* canvas, const axes* a, bool left, bool lowest) {
    sis_canvas_range(canvas, "x", 0, a->length / a->x.factor, 0);
    sis_canvas_range(canvas, "y", a->low / a->u.factor, a->high / a->u.factor, 0);
    fprintf(canvas->script, "set format x '%s'\nset format y '%s'\nset ytics %.9g\n",
            lowest ? "%h" : "", left ? "%h" : "", a->tick);
    sis_canvas_label(canvas, "x", lowest ? "x" : "", lowest ? a->x.text : "");
    sis_canvas_label(canvas, "y", left ? "u" : "", left ? a->u.text : "");
}

/** The time of a panel; in the first panels of several groups also what they show. */
static void put_time(const sis_canvas* canvas, const sis_snapshots* s, int32_t t) {
    char text[128];
    sis_times_print(&s->times, t, text, sizeof text);
    fprintf(canvas->script, "set label ");
    sis_canvas_text(canvas, text);
    fprintf(canvas->script, " at graph 0,1 offset character 0,0.6 left tc rgb '" SIS_INK "'\n");
}

// ---------------------------------------------------------------------------- the picture

typedef struct grid {
    int32_t columns, rows, groups;
} grid;

/** One group: the times in reading order. Several: a column each, and the times downwards. */
static grid lay_out(const sis_snapshots* s) {
    int32_t times = s->times.count, groups = s->group_count;
    if (groups > GROUPS_MAX) groups = GROUPS_MAX;
    if (groups > 1) return (grid){groups, times, groups};
    int32_t columns = times == 1 ? 1 : times <= 8 ? 2 : times <= 15 ? 3 : 4;
    return (grid){columns, (times + columns - 1) / columns, 1};
}

static void draw_panel(sis_canvas* canvas, const sis_snapshots* s, const axes* a, grid g, int32_t i,
                       int edge) {
    bool several = g.groups > 1;
    int32_t column = i % g.columns, row = i / g.columns;
    int32_t t = several ? row : i, group = several ? column : 0;
    int width = (canvas->width - edge - 40 - APART * (g.columns - 1)) / g.columns;
    canvas->left = edge + column * (width + APART);
    canvas->right = canvas->width - canvas->left - width;
    double area = g.rows * (PANEL + BETWEEN) - BETWEEN;
    double top = area - row * (PANEL + BETWEEN);
    sis_canvas_panel(canvas, (top - PANEL) / area, top / area);
    bool lowest = i + g.columns >= (several ? g.rows * g.columns : s->times.count);
    set_axes(canvas, a, column == 0, lowest);
    put_time(canvas, s, t);
    // The legend of each group, above its first panel.
    if (t == 0)
        fprintf(canvas->script,
                "set key at screen %.5f,%.5f left top horizontal Left reverse maxrows 1 samplen "
                "1.2\n",
                (double)canvas->left / canvas->width, 1 - 52.0 / canvas->height);
    plot_panel(canvas, s, group, t, a, t == 0);
    fprintf(canvas->script, "unset key\n");
}

static bool draw(const sis_picture* picture, const sis_snapshots* s, int descriptor,
                 sis_fault* fault) {
    char subtitle[160], rate[64], more[64] = "";
    grid g = lay_out(s);
    if (s->group_count > g.groups)
        snprintf(more, sizeof more, ", %d of %d strings apart", (int)g.groups, (int)s->group_count);
    snprintf(subtitle, sizeof subtitle, "snapshots%s, %s", more,
             sis_picture_rate(picture, rate, sizeof rate));
    sis_canvas canvas;
    int height = TOP + 75 + g.rows * (PANEL + BETWEEN) - BETWEEN;
    if (!sis_canvas_open(&canvas, picture->format, 1400, height, picture->title, subtitle, fault))
        return false;
    canvas.top = TOP;
    axes a = find_axes(s);
    int32_t panels = g.groups > 1 ? g.rows * g.columns : s->times.count;
    for (int32_t i = 0; i < panels; i++)
        draw_panel(&canvas, s, &a, g, i, 115);
    return sis_canvas_draw(&canvas, descriptor, fault);
}

bool sis_draw_snapshots(const sis_picture* picture, int descriptor, sis_fault* fault) {
    sis_snapshots s;
    bool fine = sis_snapshots_take(&s, picture, fault) && draw(picture, &s, descriptor, fault);
    sis_snapshots_close(&s);
    return fine;
}
