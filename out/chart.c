// Draws a figure: gnuplot gets axes from 0 to 1 and places on them, so that ranges, logarithms and
// tics are settled here.

#include "chart_inside.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#define DPI      300.0     // of PNG
#define FAR      50.0      // heights of the panel: lines that leave it further are cut there
#define FRAME    "#606060" // axes
#define GRID     "#E4E4E4"
#define OVER     8.0                                // mm that a label may be longer than its axis
#define SMALL_PT 6.0                                // smallest letters of a label
#define THIN     0.9                                // width of axes
#define SVG_BOLD "DejaVu Sans\" font-weight=\"bold" // svg knows no weights: past the family's quote

// ---------------------------------------------------------------------------- the page

/** Pixels (of PDF: inches) of a mm. */
static double scale_of(sis_format format) {
    return format == SIS_FORMAT_PNG ? DPI / 25.4 : format == SIS_FORMAT_SVG ? 96 / 25.4 : 1 / 25.4;
}

double sis_chart_letters(sis_format format, double pt) {
    // A point of pngcairo has 4/3 pixels, those of svg are pixels.
    return format == SIS_FORMAT_PNG ? pt * DPI / 96 : format == SIS_FORMAT_SVG ? pt * 96 / 72 : pt;
}

double sis_chart_points(sis_format format) {
    return format == SIS_FORMAT_PNG ? 1.8 : format == SIS_FORMAT_SVG ? 0.5 : 0.3;
}

static void set_terminal(const sis_canvas* canvas, const sis_layout* layout) {
    static const char* const name[] = {"", "pngcairo", "svg", "pdfcairo"};
    double scale = scale_of(canvas->format);
    double dots = canvas->format == SIS_FORMAT_PNG   ? DPI / 72
                  : canvas->format == SIS_FORMAT_SVG ? 96.0 / 72
                                                     : 1.25;
    double width = layout->width * scale, height = layout->height * scale;
    if (canvas->format != SIS_FORMAT_PDF) {
        width = round(width);
        height = round(height);
    }
    fprintf(canvas->script,
            "set encoding utf8\n"
            "set terminal %s noenhanced size %.6g,%.6g font 'DejaVu Sans,%.4g' linewidth %.4g "
            "dashlength %g rounded background rgb 'white'\n",
            name[canvas->format], width, height, sis_chart_letters(canvas->format, TIC_PT),
            SIS_CHART_WIDTH * dots, canvas->format == SIS_FORMAT_PNG ? 2.3 : 1.0);
    fprintf(canvas->script,
            "set multiplot\nunset key\nset clip two\nset xrange [0:1]\nset yrange [0:1]\n"
            "set style fill solid 1 noborder\n");
}

static void put_at(const sis_canvas* canvas, const sis_layout* layout, const char* text, double x,
                   double y, const char* family, double pt, const char* how) {
    fprintf(canvas->script, "set label ");
    sis_canvas_text(canvas, text);
    fprintf(canvas->script, " at screen %.6f,%.6f %s font '%s,%.4g' tc rgb '" SIS_INK "'\n",
            x / layout->width, y / layout->height, how, family,
            sis_chart_letters(canvas->format, pt));
}

void sis_chart_put(const sis_canvas* canvas, const sis_layout* layout, const char* text, double x,
                   double y, double pt, const char* how) {
    put_at(canvas, layout, text, x, y, "DejaVu Sans", pt, how);
}

static void put_bold(const sis_canvas* canvas, const sis_layout* layout, const char* text, double x,
                     double y) {
    bool svg = canvas->format == SIS_FORMAT_SVG;
    put_at(canvas, layout, text, x, y, svg ? SVG_BOLD : "DejaVu Sans:Bold", LABEL_PT, "left");
}

// ---------------------------------------------------------------------------- around the data

/** Letters of a label that would be longer than `room` mm are smaller, to a degree. */
static double label_pt(const char* text, double room) {
    double width = sis_print_width(text, LABEL_PT);
    return width > room ? fmax(SMALL_PT, LABEL_PT * room / width) : LABEL_PT;
}

/** "(a) text" from the left edge of the box on: the letter is bold. */
static void put_title(const sis_canvas* canvas, const sis_layout* layout, const sis_place* p) {
    const char* title = p->panel->title;
    if (!title || !*title) return;
    char letter[16] = "";
    if (title[0] == '(' && title[1] && title[2] == ')')
        snprintf(letter, sizeof letter, "%.3s", title);
    const char* rest = title + strlen(letter);
    while (*letter && *rest == ' ')
        rest++;
    double wide = *letter ? 1.12 * sis_print_width(letter, LABEL_PT) + (*rest ? 1.2 : 0) : 0;
    double y = p->box.bottom + p->box.height + p->title_up;
    if (*letter) put_bold(canvas, layout, letter, p->box.left, y);
    if (*rest)
        sis_chart_put(canvas, layout, rest, p->box.left + wide, y,
                      label_pt(rest, p->title_room - wide), "left");
}

static void put_labels(const sis_canvas* canvas, const sis_layout* layout, const sis_place* p) {
    char text[SIS_LABEL_ROOM];
    const sis_box* b = &p->box;
    sis_ruler_label(&p->x, p->panel->x.label, p->panel->x.unit, text, sizeof text);
    double below = TIC_ROOM + TIC_PT * PT + 2.1;
    if (p->x_label)
        sis_chart_put(canvas, layout, text, b->left + 0.5 * b->width, b->bottom - below,
                      label_pt(text, b->width + OVER), "center");
    sis_ruler_label(&p->y, p->panel->y.label, p->panel->y.unit, text, sizeof text);
    if (*text)
        sis_chart_put(canvas, layout, text, b->left - p->label_left, b->bottom + 0.5 * b->height,
                      label_pt(text, b->height + OVER), "center rotate by 90");
}

/** Letters over data need something light behind them. */
static void put_over(const sis_canvas* canvas, const sis_layout* layout, const char* text, double x,
                     double y, bool covers) {
    double width = sis_print_width(text, TIC_PT);
    if (covers && *text)
        fprintf(
            canvas->script,
            "set object rectangle from screen %.6f,%.6f to screen %.6f,%.6f front fs transparent "
            "solid 0.8 noborder fc rgb 'white'\n",
            (x - 0.3) / layout->width, (y - 1.3) / layout->height,
            (x + width + 0.3) / layout->width, (y + 1.3) / layout->height);
    sis_chart_put(canvas, layout, text, x, y, TIC_PT, "left front");
}

static void put_note(const sis_canvas* canvas, const sis_layout* layout, const sis_place* p) {
    double y = p->box.bottom + p->note_y - 0.5 * KEY_LINE;
    const char* c = p->panel->note;
    while (c && *c) {
        char line[256];
        size_t length = strcspn(c, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, c);
        put_over(canvas, layout, line, p->box.left + p->note_x, y,
                 p->note_covers || p->panel->image);
        y -= KEY_LINE;
        c += length + (c[length] == '\n');
    }
}

static void put_marks(const sis_canvas* canvas, const sis_layout* layout, const sis_place* p) {
    for (size_t i = 0; i < p->panel->mark_count; i++) {
        const sis_chart_mark* mark = &p->panel->marks[i];
        double factor = mark->upright ? p->panel->x.factor : p->panel->y.factor;
        double at = sis_ruler_share(mark->upright ? &p->x : &p->y, factor * mark->at);
        if (!(at >= 0 && at <= 1)) continue;
        fprintf(canvas->script, "set arrow from graph %.6f,%.6f to graph %.6f,%.6f ",
                mark->upright ? at : 0, mark->upright ? 0 : at, mark->upright ? at : 1,
                mark->upright ? 1 : at);
        fprintf(canvas->script, "nohead %s lw 1 dt (4,4) lc rgb '#707070'\n",
                p->panel->image ? "front" : "back");
        const sis_box* text = &p->mark_texts[i];
        if (mark->text && *mark->text)
            put_over(canvas, layout, mark->text, p->box.left + text->left,
                     p->box.bottom + text->bottom + 0.5 * KEY_LINE,
                     p->mark_covers[i] || p->panel->image);
    }
}

/** Short tics between those of a logarithmic axis. */
static void put_short_tics(const sis_canvas* canvas, const sis_ruler* r, bool first) {
    double low = fmin(r->from, r->to), high = fmax(r->from, r->to);
    if (!r->logarithmic || log10(high / low) > 6.5) return;
    for (int n = (int)floor(log10(low)); n <= (int)floor(log10(high)); n++)
        for (int digit = 2; digit <= 9; digit++) {
            double at = digit * pow(10, n);
            if (at < low || at > high) continue;
            fprintf(canvas->script, "%s'' %.9g 1", first ? "" : ", ", sis_ruler_share(r, at));
            first = false;
        }
}

static void put_tics(const sis_canvas* canvas, const char* axis, const sis_ruler* r) {
    fprintf(canvas->script, "unset %stics\nset %stics " SIS_TIC_LOOK " (", axis, axis);
    for (int i = 0; i < r->tic_count; i++)
        fprintf(canvas->script, "%s'' %.9g %d", i ? ", " : "", sis_ruler_share(r, r->tics[i].at),
                *r->tics[i].text == 0);
    put_short_tics(canvas, r, r->tic_count == 0);
    fprintf(canvas->script, ")\n");
}

/** Numbers are placed here: how far from the axis gnuplot does it depends on the format. */
static void put_numbers(const sis_canvas* canvas, const sis_layout* layout, const sis_place* p) {
    const sis_box* b = &p->box;
    for (int i = 0; p->x_numbers && i < p->x.tic_count; i++)
        sis_chart_put(canvas, layout, p->x.tics[i].text,
                      b->left + b->width * sis_ruler_share(&p->x, p->x.tics[i].at),
                      b->bottom - TIC_ROOM - 0.5 * TIC_PT * PT, TIC_PT, "center");
    for (int i = 0; i < p->y.tic_count; i++)
        sis_chart_put(canvas, layout, p->y.tics[i].text, b->left - TIC_ROOM,
                      b->bottom + b->height * sis_ruler_share(&p->y, p->y.tics[i].at), TIC_PT,
                      "right");
}

// ---------------------------------------------------------------------------- data

static double kept(double share) {
    return fmin(FAR, fmax(-FAR, share));
}

static void send_line(const sis_canvas* canvas, const sis_place* p, size_t number) {
    const sis_chart_line* line = &p->panel->lines[number];
    const sis_picked* picked = &p->picked[number];
    double zero = p->y.logarithmic ? 0 : fmin(1, fmax(0, sis_ruler_share(&p->y, 0)));
    fprintf(canvas->script, "$line%zu << END\n", number);
    for (size_t k = 0; k < picked->count; k++) {
        size_t i = picked->index[k];
        if (i == SIS_GAP) {
            fputc('\n', canvas->script);
            continue;
        }
        double x = kept(sis_ruler_share(&p->x, p->panel->x.factor * line->x[i]));
        double y = kept(sis_ruler_share(&p->y, p->panel->y.factor * line->y[i]));
        if (line->stroke.curve == SIS_CURVE_IMPULSES)
            fprintf(canvas->script, "%.6f %.6f 0 %.6f\n", x, zero, y - zero);
        else
            fprintf(canvas->script, "%.6f %.6f\n", x, y);
    }
    fprintf(canvas->script, "END\n");
}

static bool is_closed(const sis_chart_line* line) {
    size_t n = line->count;
    return n > 2 && line->x[0] == line->x[n - 1] && line->y[0] == line->y[n - 1];
}

static void plot_line(const sis_canvas* canvas, const sis_place* p, size_t number) {
    const sis_chart_stroke* s = &p->panel->lines[number].stroke;
    FILE* script = canvas->script;
    if (!p->picked[number].count) return;
    fprintf(script, ", $line%zu ", number);
    switch (s->curve) {
    case SIS_CURVE_LINE:
    case SIS_CURVE_STEPS:
        fprintf(script, "with %s lw %g dt %s lc rgb '%s'",
                s->curve == SIS_CURVE_STEPS ? "steps" : "lines", s->width, s->dash, s->colour);
        break;
    case SIS_CURVE_LINESPOINTS:
        fprintf(script, "with lines lw %g dt %s lc rgb '%s', $line%zu ", s->width, s->dash,
                s->colour, number);
        fprintf(script, "with points pt %d ps %g lw 1 lc rgb '%s'", s->mark,
                sis_chart_points(canvas->format), s->colour);
        break;
    case SIS_CURVE_POINTS:
        fprintf(script, "with points pt %d ps %g lw 1 lc rgb '%s'", s->mark,
                sis_chart_points(canvas->format), s->colour);
        break;
    case SIS_CURVE_IMPULSES:
        fprintf(script, "using 1:2:3:4 with vectors nohead lw %g lc rgb '%s'", s->width, s->colour);
        break;
    case SIS_CURVE_FILL:
        fprintf(script, "with filledcurves %s lc rgb '%s'",
                is_closed(&p->panel->lines[number]) ? "closed" : "y1=0", s->colour);
        break;
    }
}

// ---------------------------------------------------------------------------- panels

static void set_box(const sis_canvas* canvas, const sis_layout* layout, const sis_place* p) {
    double w = layout->width, h = layout->height;
    const sis_box* b = &p->box;
    fprintf(canvas->script,
            "unset label\nunset arrow\nunset object\n"
            "set lmargin at screen %.6f\nset rmargin at screen %.6f\n"
            "set bmargin at screen %.6f\nset tmargin at screen %.6f\n",
            b->left / w, (b->left + b->width) / w, b->bottom / h, (b->bottom + b->height) / h);
    fprintf(canvas->script, "set border %d front lw %g lc rgb '" FRAME "'\n",
            p->panel->image ? 15 : 3, THIN);
    if (p->panel->image)
        fprintf(canvas->script, "unset grid\n");
    else
        fprintf(canvas->script, "set grid xtics ytics back lt 1 lw 0.6 lc rgb '" GRID "'\n");
}

static bool draw_panel(const sis_canvas* canvas, const sis_layout* layout, const sis_place* p,
                       sis_fault* fault) {
    const sis_chart_image* image = p->panel->image;
    set_box(canvas, layout, p);
    put_tics(canvas, "x", &p->x);
    put_tics(canvas, "y", &p->y);
    put_numbers(canvas, layout, p);
    put_title(canvas, layout, p);
    put_labels(canvas, layout, p);
    put_marks(canvas, layout, p);
    put_note(canvas, layout, p);
    sis_key_draw(canvas, layout, &p->key);
    if (p == layout->places) sis_key_draw(canvas, layout, &layout->key);
    if (image) sis_chart_set_image(canvas, layout, p);
    for (size_t i = 0; i < p->panel->line_count; i++)
        send_line(canvas, p, i);
    fprintf(canvas->script, "plot ");
    if (image)
        sis_chart_plot_image(canvas, p);
    else
        fprintf(canvas->script, "NaN");
    for (size_t i = 0; i < p->panel->line_count; i++)
        plot_line(canvas, p, i);
    fputc('\n', canvas->script);
    return !image || sis_chart_send_image(canvas, p) || sis_fault_no_memory(fault);
}

bool sis_chart_draw(const sis_chart* chart, sis_format format, int descriptor, sis_fault* fault) {
    sis_layout layout;
    bool fine = sis_layout_make(&layout, chart, fault);
    sis_canvas canvas = {.format = format, .script = fine ? tmpfile() : NULL};
    if (fine && !canvas.script)
        fine =
            sis_fault_set(fault, SIS_FAULT_RUN, "cannot make a working file: %s", strerror(errno));
    if (fine) set_terminal(&canvas, &layout);
    for (size_t i = 0; fine && i < layout.count; i++)
        fine = draw_panel(&canvas, &layout, &layout.places[i], fault);
    fine = fine && sis_canvas_draw(&canvas, descriptor, fault);
    if (fine && format == SIS_FORMAT_PNG) fine = sis_png_resolution(descriptor, DPI, fault);
    sis_canvas_close(&canvas);
    sis_layout_free(&layout);
    return fine;
}
