// Schemes side by side. Above: the first probe around the first contact, step by step, and as a
// whole, the reference as a broad grey line under the schemes. Below: the worst error of all
// probes. Each curve is narrower than the one before and all but the first are dashed, so that
// every one of several that coincide is seen.

#include "chart.h"
#include "compare.h"
#include "probes.h"
#include "subject.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FLOOR 1e-16     // least error that is drawn: a logarithm needs one
#define BROAD "#CFCFCF" // the reference

#define NARROW 1.6 // width of the last curve
#define STEP   1.3 // by which the one before is wider, with few curves
#define WIDER  3.2 // by which the first is wider than the last at most

typedef struct pen {
    sis_chart_stroke stroke;
    char dash[32]; // of the stroke
} pen;

/** Curves that are drawn after that of a contender; of all: -1. */
static int32_t curves_after(const sis_compare* c, int32_t i) {
    int32_t count = 0;
    for (int32_t k = i + 1; k < c->count; k++)
        count += c->contenders[k].ran;
    return count;
}

/** How much wider a curve is than the last one, -1: the first curve. */
static double excess(const sis_compare* c, int32_t i) {
    int32_t steps = curves_after(c, -1) - 1;
    double step = steps > 0 ? fmin(STEP, WIDER / steps) : 0;
    return step * (i < 0 ? steps : curves_after(c, i));
}

/** The pen of a contender. Dashes are of a length on paper, not of a multiple of the width, and no
 * two curves that follow each other have the same. */
static void pen_of(pen* p, const sis_compare* c, int32_t i) {
    static const double on[] = {18, 9, 14, 5};
    int32_t rank = curves_after(c, -1) - 1 - curves_after(c, i);
    p->stroke = (sis_chart_stroke){.colour = "black"};
    sis_chart_style(sis_scheme_word(c->contenders[i].scheme), &p->stroke);
    double width = NARROW + excess(c, i);
    snprintf(p->dash, sizeof p->dash, "1");
    if (rank > 0)
        snprintf(p->dash, sizeof p->dash, "(%.3g,%.3g)", on[(rank - 1) % 4] / width, 14 / width);
    p->stroke.dash = p->dash;
    p->stroke.width = width;
}

/** The reference lies under all. */
static double broad_width(const sis_compare* c) {
    return NARROW + excess(c, -1) + 3;
}

/** Panels beside each other: from `left` to `right`, nominal pixels from the left edge. */
static void place(sis_canvas* canvas, int left, int right, double low, double high) {
    canvas->left = left;
    canvas->right = canvas->width - right;
    sis_canvas_panel(canvas, low, high);
}

static void heading(const sis_canvas* canvas, const char* text) {
    fprintf(canvas->script, "set label ");
    sis_canvas_text(canvas, text);
    fprintf(canvas->script, " at graph 0,1 offset character 0,0.7 left tc rgb '" SIS_INK "'\n");
}

/** A time axis over seconds. */
static sis_unit time_axis(const sis_canvas* canvas, double from, double to) {
    sis_unit unit = sis_unit_pick(to, "s");
    sis_canvas_range(canvas, "x", from / unit.factor, to / unit.factor, 0);
    sis_canvas_label(canvas, "x", "time", unit.text);
    return unit;
}

// ---------------------------------------------------------------------------- the first probe

static const sis_trace* trace_of(const sis_contender* who, bool zoom) {
    return zoom ? &who->zoom : &who->whole;
}

/** Lowest and highest value of all lines. */
static void extent(const sis_compare* c, bool zoom, double* min, double* max) {
    const sis_contender* first = NULL;
    for (int32_t i = -1; i < c->count; i++) {
        const sis_contender* who = i < 0 ? &c->reference : &c->contenders[i];
        if (!who->ran) continue;
        const sis_trace* trace = trace_of(who, zoom);
        *min = first ? fmin(*min, trace->min) : trace->min;
        *max = first ? fmax(*max, trace->max) : trace->max;
        first = who;
    }
}

static void plot_signals(const sis_canvas* canvas, const sis_compare* c, bool zoom) {
    const char* separator = "plot ";
    if (c->reference.ran) {
        fprintf(canvas->script, "plot $reference with lines lw %.3g lc rgb '" BROAD "'",
                broad_width(c));
        separator = ", ";
    }
    for (int32_t i = 0; i < c->count; i++) {
        if (!c->contenders[i].ran) continue;
        pen p;
        pen_of(&p, c, i);
        bool marked = zoom && c->contenders[i].zoom.window.count <= 80;
        fprintf(canvas->script, "%s$scheme%d with %s lw %.3g dt %s pt %d ps %.3g lc rgb '%s'",
                separator, (int)i, marked ? "linespoints" : "lines", p.stroke.width, p.dash,
                p.stroke.mark, 0.7 + 0.15 * excess(c, i), p.stroke.colour);
        separator = ", ";
    }
    fprintf(canvas->script, "\n");
}

static void draw_signals(const sis_canvas* canvas, const sis_compare* c, bool zoom, double from,
                         double to) {
    sis_probe_info info = sis_system_probe(c->model, 0);
    sis_unit time = time_axis(canvas, from, to);
    double min = 0, max = 0;
    extent(c, zoom, &min, &max);
    sis_unit unit = sis_unit_pick(fmax(fabs(min), fabs(max)), info.unit);
    sis_canvas_range(canvas, "y", min / unit.factor, max / unit.factor, 0.06);
    sis_canvas_label(canvas, "y", sis_quantity_word(info.quantity), unit.text);
    for (int32_t i = -1; i < c->count; i++) {
        const sis_contender* who = i < 0 ? &c->reference : &c->contenders[i];
        if (!who->ran) continue;
        char name[32] = "reference";
        if (i >= 0) snprintf(name, sizeof name, "scheme%d", (int)i);
        sis_canvas_trace(canvas, name, trace_of(who, zoom), who->rate, 0, &time, unit.factor);
    }
    char text[400];
    if (zoom && *c->subject.name)
        snprintf(text, sizeof text, "%s during the first contact of %s", info.name,
                 c->subject.name);
    else if (zoom)
        snprintf(text, sizeof text, "%s in the first %d periods", info.name, SIS_COMPARE_PERIODS);
    else
        sis_probe_title(&info, text, sizeof text);
    heading(canvas, text);
    fprintf(canvas->script, "unset key\nset ytics autofreq\n");
    plot_signals(canvas, c, zoom);
    fprintf(canvas->script, "unset arrow\n"); // the legend is drawn once
}

// ---------------------------------------------------------------------------- the errors

static void write_errors(const sis_canvas* canvas, const sis_compare* c, int32_t i,
                         const sis_unit* time) {
    const sis_contender* who = i < 0 ? &c->reference : &c->contenders[i];
    sis_window window = {.first = c->first_row, .count = c->row_count};
    fprintf(canvas->script, "$error%d << END\n", (int)i + 1);
    for (int32_t n = 0; n < c->column_count; n++) {
        double row = (double)sis_window_step(&window, c->column_count, n);
        fprintf(canvas->script, "%.12g %.6g\n", row / c->plan.rate / time->factor,
                fmax(FLOOR, who->columns[n]));
    }
    fprintf(canvas->script, "END\n");
}

/** The least power of ten that the axis shows: below all errors, and not far below. */
static double lowest_error(const sis_compare* c) {
    double least = 1e-3;
    for (int32_t i = -1; i < c->count; i++) {
        const sis_contender* who = i < 0 ? &c->reference : &c->contenders[i];
        // Half of the columns, so that a start without any error does not stretch the axis.
        double level = who->ran ? who->columns[c->column_count / 2] : 1;
        if (level > 0 && level < least) least = level;
    }
    return fmax(FLOOR, pow(10, floor(log10(least)) - 1));
}

static void draw_errors(const sis_canvas* canvas, const sis_compare* c, double from, double to) {
    sis_unit time = time_axis(canvas, from, to);
    heading(canvas, "error of the worst probe, relative to its peak");
    for (int32_t i = -1; i < c->count; i++)
        if (i < 0 || c->contenders[i].ran) write_errors(canvas, c, i, &time);
    fprintf(canvas->script,
            "set logscale y\nset ylabel 'error'\nset format y '1e%%T'\nset yrange [%g:10]\n"
            "set ytics autofreq\nunset mytics\nunset key\n"
            "plot %g with lines lw 0.8 dt (2,3) lc rgb '#808080', "
            "$error0 with lines lw %.3g lc rgb '" BROAD "'",
            lowest_error(c), SIS_COMPARE_GOOD, broad_width(c));
    for (int32_t i = 0; i < c->count; i++) {
        if (!c->contenders[i].ran) continue;
        pen p;
        pen_of(&p, c, i);
        fprintf(canvas->script, ", $error%d with lines lw %.3g dt %s lc rgb '%s'", (int)i + 1,
                p.stroke.width, p.dash, p.stroke.colour);
    }
    fprintf(canvas->script, "\nunset logscale y\nset format y '%%h'\n");
}

// ---------------------------------------------------------------------------- the picture

/** One entry of the legend, drawn with the first panel; returns where the next one begins. */
static double legend_entry(const sis_canvas* canvas, double x, const char* text,
                           const sis_chart_stroke* s) {
    double y = 1 - 72.0 / canvas->height, w = canvas->width;
    fprintf(canvas->script,
            "set arrow from screen %.5f,%.5f to screen %.5f,%.5f nohead lw %g dt %s lc rgb '%s'\n",
            x / w, y, (x + 36) / w, y, s->width, s->dash, s->colour);
    if (s->mark)
        fprintf(canvas->script, "set label '' at screen %.5f,%.5f point pt %d ps 0.9 lc rgb '%s'\n",
                (x + 18) / w, y, s->mark, s->colour);
    fprintf(canvas->script, "set label ");
    sis_canvas_text(canvas, text);
    fprintf(canvas->script, " at screen %.5f,%.5f left tc rgb '" SIS_INK "'\n", (x + 44) / w, y);
    return x + 66 + 10.0 * (double)strlen(text);
}

static void draw_legend(const sis_canvas* canvas, const sis_compare* c) {
    double x = 20;
    for (int32_t i = 0; i < c->count; i++) {
        if (!c->contenders[i].ran) continue;
        pen p;
        pen_of(&p, c, i);
        x = legend_entry(canvas, x, sis_scheme_word(c->contenders[i].scheme), &p.stroke);
    }
    sis_chart_stroke broad = {.colour = BROAD, .dash = "1", .width = broad_width(c)};
    if (c->reference.ran) legend_entry(canvas, x, "reference", &broad);
}

bool sis_compare_draw(const sis_compare* c, sis_format format, const char* title, int descriptor,
                      sis_fault* fault) {
    char subtitle[128];
    double from = (double)c->first_row / c->plan.rate;
    double to = (double)(c->first_row + c->row_count) / c->plan.rate;
    bool zoom = c->zoom_to > c->zoom_from;
    if (c->plan.oversample > 1)
        snprintf(subtitle, sizeof subtitle, "schemes side by side, %g Hz × %d", c->plan.rate,
                 (int)c->plan.oversample);
    else
        snprintf(subtitle, sizeof subtitle, "schemes side by side, %g Hz", c->plan.rate);
    sis_canvas canvas;
    if (!sis_canvas_open(&canvas, format, 1500, 1000, title, subtitle, fault)) return false;
    canvas.top = 118;
    int middle = canvas.width / 2;
    double bottom = c->reference.ran ? 0.52 : 0;
    draw_legend(&canvas, c);
    if (zoom) {
        place(&canvas, 115, middle - 40, bottom, 0.97);
        draw_signals(&canvas, c, true, c->zoom_from, c->zoom_to);
    }
    place(&canvas, zoom ? middle + 80 : 115, canvas.width - 40, bottom, 0.97);
    draw_signals(&canvas, c, false, from, to);
    if (c->reference.ran) {
        place(&canvas, 115, canvas.width - 40, 0, 0.4);
        draw_errors(&canvas, c, from, to);
    }
    return sis_canvas_draw(&canvas, descriptor, fault);
}
