// The energy balance. Upper panel: the stored and the lost energies stacked on each other. The top
// of the stack is H + dissipated, and the dashed line is what came in, H(0) + supplied; the two
// coincide, and the lower panel shows by how much they do not.

#include "subject.h"

#include <math.h>
#include <stdlib.h>

/** Sums over the steps of one column. */
typedef struct column {
    double kinetic, elastic, contact, dissipated, supplied;
    double contact_max;
    double step; // sum of step numbers
    uint64_t count;
} column;

typedef struct balance {
    sis_window window;
    column* columns; // [SIS_COLUMNS]
    sis_trace residual;
    double initial;     // J
    sis_balance energy; // of the whole run
} balance;

static bool take(void* self, const sis_frames* frames, sis_fault* fault) {
    (void)fault;
    balance* b = self;
    sis_balance_add(&b->energy, frames->energy, frames->count);
    for (int32_t n = 0; n < frames->count; n++) {
        const sis_energy* e = &frames->energy[n];
        uint64_t step = frames->first + (uint64_t)n;
        if (!sis_window_has(&b->window, step)) continue;
        sis_trace_add(&b->residual, step, e->residual);
        column* c = &b->columns[sis_window_column(&b->window, SIS_COLUMNS, step)];
        c->kinetic += e->kinetic;
        c->elastic += e->elastic;
        c->contact += e->contact;
        c->dissipated += e->dissipated;
        c->supplied += e->supplied;
        c->contact_max = fmax(c->contact_max, e->contact);
        c->step += (double)step;
        c->count++;
    }
    return true;
}

/** Data block $stack: time, four heights of the stack, input, largest contact energy. */
static void write_stack(const sis_canvas* canvas, const balance* b, double rate,
                        const sis_unit* time, const sis_unit* unit) {
    fprintf(canvas->script, "$stack << END\n");
    for (int i = 0; i < SIS_COLUMNS; i++) {
        const column* c = &b->columns[i];
        if (!c->count) continue;
        double share = 1 / ((double)c->count * unit->factor);
        double one = c->contact * share, two = one + c->kinetic * share;
        double three = two + c->elastic * share, four = three + c->dissipated * share;
        fprintf(canvas->script, "%.12g %.9g %.9g %.9g %.9g %.9g ",
                (c->step / (double)c->count + 0.5) / rate / time->factor, one, two, three, four,
                c->supplied * share + b->initial / unit->factor);
        if (c->contact_max > 0)
            fprintf(canvas->script, "%.9g\n", c->contact_max / unit->factor);
        else
            fprintf(canvas->script, "NaN\n");
    }
    fprintf(canvas->script, "END\n");
}

/** Which of the parts are there at all. */
static column parts(const balance* b) {
    column most = {0};
    for (int i = 0; i < SIS_COLUMNS; i++) {
        const column* c = &b->columns[i];
        most.kinetic = fmax(most.kinetic, c->kinetic);
        most.elastic = fmax(most.elastic, c->elastic);
        most.contact = fmax(most.contact, c->contact);
        most.dissipated = fmax(most.dissipated, c->dissipated);
    }
    return most;
}

static double stack_top(const balance* b) {
    double top = 0;
    for (int i = 0; i < SIS_COLUMNS; i++) {
        const column* c = &b->columns[i];
        if (!c->count) continue;
        double stored = c->kinetic + c->elastic + c->contact;
        top = fmax(top, (stored + c->dissipated) / (double)c->count);
        top = fmax(top, c->contact_max);
        top = fmax(top, b->initial + c->supplied / (double)c->count);
    }
    return top;
}

/** One layer between two columns of the data block. */
static void plot_layer(const sis_canvas* canvas, bool there, const char* between,
                       const char* colour, const char* name) {
    if (there)
        fprintf(canvas->script, "$stack using %s with filledcurves lc rgb '%s' title '%s', ",
                between, colour, name);
}

static void plot_stack(const sis_canvas* canvas, const balance* b, bool averaged) {
    column most = parts(b);
    fprintf(canvas->script, "set style fill solid 1.0 noborder\n"
                            "set key at graph 1,1.12 right top horizontal Left reverse maxrows 1 "
                            "width -3\nplot ");
    plot_layer(canvas, most.contact > 0, "1:(0):2", SIS_VERMILLION, "contact");
    plot_layer(canvas, most.kinetic > 0, "1:2:3", SIS_BLUE, "kinetic");
    plot_layer(canvas, most.elastic > 0, "1:3:4", SIS_SKY, "elastic");
    plot_layer(canvas, most.dissipated > 0, "1:4:5", "#D4D4D4", "dissipated");
    // Where a column holds many steps its mean is drawn, which flattens short contacts: their
    // largest value is drawn over it.
    if (averaged && most.contact > 0)
        fprintf(canvas->script, "$stack using 1:7 with impulses lw 1 lc rgb '" SIS_VERMILLION
                                "' title 'contact, largest', ");
    fprintf(canvas->script, "$stack using 1:6 with lines lw 1.2 dt (6,4) lc rgb 'black' title "
                            "'initial + supplied'\n");
}

static void draw_stack(sis_canvas* canvas, const sis_picture* picture, const balance* b) {
    double rate = sis_plan_step_rate(&picture->plan);
    double top = stack_top(b);
    sis_unit unit = sis_unit_pick(top, "J");
    sis_canvas_panel(canvas, 0.36, 0.95);
    sis_unit time = sis_canvas_time(canvas, &b->window, rate, false);
    sis_canvas_range(canvas, "y", 0, top > 0 ? 1.04 * top / unit.factor : 1, 0);
    write_stack(canvas, b, rate, &time, &unit);
    bool averaged = b->window.count > SIS_COLUMNS;
    char label[80] = "energy";
    if (averaged) {
        char span[48];
        sis_unit_print(span, sizeof span, (double)b->window.count / SIS_COLUMNS / rate, "s", 2);
        snprintf(label, sizeof label, "energy, means over %s", span);
    }
    sis_canvas_label(canvas, "y", label, unit.text);
    plot_stack(canvas, b, averaged);
}

static void draw_residual(sis_canvas* canvas, const sis_picture* picture, const balance* b) {
    double rate = sis_plan_step_rate(&picture->plan);
    const sis_trace* residual = &b->residual;
    double scale = b->energy.flowed > 0 ? b->energy.flowed : 1;
    double size = fmax(fabs(residual->min), fabs(residual->max)) / scale;
    int power = size > 0 ? (int)floor(log10(size)) : -16;
    double factor = pow(10, power);
    char label[64], largest[96];
    sis_canvas_panel(canvas, 0, 0.25);
    sis_unit time = sis_canvas_time(canvas, &b->window, rate, true);
    snprintf(label, sizeof label, "1e%d of what flowed", power);
    sis_canvas_label(canvas, "y", label, "");
    double low = fmin(0, residual->min) / scale / factor;
    double high = fmax(0, residual->max) / scale / factor;
    sis_canvas_range(canvas, "y", low, high, 0.08);
    sis_canvas_trace(canvas, "residual", residual, rate, 0.5, &time, factor * scale);
    snprintf(largest, sizeof largest,
             "stored + dissipated − supplied − initial: at most %.2g of what flowed", size);
    fprintf(canvas->script, "unset key\nset label ");
    sis_canvas_text(canvas, largest);
    fprintf(canvas->script,
            " at graph 0,1.12 left tc rgb '" SIS_INK "'\n"
            "set ytics autofreq\nset ytics %g\n"
            "plot 0 with lines lw 0.8 lc rgb '#808080', "
            "$residual with lines lw 0.9 lc rgb '" SIS_GREEN "'\n",
            high - low > 7     ? 5.0
            : high - low > 3.5 ? 2.0
                               : 1.0);
}

static bool draw(const sis_picture* picture, balance* b, int descriptor, sis_fault* fault) {
    char rate[64], subtitle[128];
    snprintf(subtitle, sizeof subtitle, "energy balance, %s",
             sis_picture_rate(picture, rate, sizeof rate));
    sis_canvas canvas;
    if (!sis_canvas_open(&canvas, picture->format, 1400, 900, picture->title, subtitle, fault))
        return false;
    draw_stack(&canvas, picture, b);
    draw_residual(&canvas, picture, b);
    return sis_canvas_draw(&canvas, descriptor, fault);
}

bool sis_draw_energy(const sis_picture* picture, int descriptor, sis_fault* fault) {
    balance b = {.window = sis_picture_window(picture)};
    sis_state* state = sis_run_state(picture->system, fault);
    if (!state) return false;
    sis_energy start = sis_state_energy(picture->system, state);
    free(state);
    b.initial = start.total;
    sis_balance_add(&b.energy, &start, 1);
    b.columns = calloc(SIS_COLUMNS, sizeof *b.columns);
    bool room = sis_trace_open(&b.residual, &b.window, SIS_COLUMNS) && b.columns;
    bool fine = room || sis_fault_no_memory(fault);
    fine = fine && sis_picture_run(picture, (sis_sink){.self = &b, .take = take}, fault);
    if (fine) sis_trace_finish(&b.residual);
    fine = fine && draw(picture, &b, descriptor, fault);
    sis_trace_close(&b.residual);
    free(b.columns);
    return fine;
}
