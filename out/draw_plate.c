// Shapes of plates at some times, seen from above: a panel for each time, in the plate's own aspect
// ratio, all of them with one scale of colours. Marks are where other things touch the plate,
// filled while there is a force.

#include "facts.h"
#include "plates.h"
#include "subject.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SHEETS_MAX 4
#define NAMED_MAX  6   // links that still can be named beside their points
#define IMAGE      480 // pixels along the longer side of a plate

// Nominal pixels.
#define WIDTH    1400 // at most; long headings need
#define LEAST    900
#define LEFT     115
#define RIGHT    190 // the colour bar
#define TOP      122
#define BOTTOM   80
#define AREA     1000 // height that the panels of a picture should fit into
#define APART    40   // columns
#define BETWEEN  48   // rows: the time stands there
#define HEADING  40   // of a plate, when there are several
#define ABOVE    92   // space between plates: numbers and label
#define LOWEST   14   // height of a panel, however long the plate is
#define FEW_TICS 60   // panels that are lower have tics at their edges only
#define TIC_X    55   // space between two numbers
#define TIC_Y    34

/** Where the panels of one plate are. */
typedef struct block {
    int32_t columns, rows;
    double width, height; // of a panel
    double top, total;    // from the top of the area, without the heading
} block;

// ---------------------------------------------------------------------------- layout

static double height_of(double width, const sis_body_info* plate) {
    return fmax(LOWEST, width * plate->width / plate->length);
}

static double total_of(int32_t rows, double height) {
    return rows * (height + BETWEEN) - BETWEEN;
}

/** As many columns as make the panels largest within a height; a long plate has one. */
static block fit(const sis_body_info* plate, int32_t times, double room) {
    block best = {.columns = 1, .rows = times};
    for (int32_t columns = 1; columns <= times; columns++) {
        block b = {.columns = columns, .rows = (times + columns - 1) / columns};
        double widest = (double)(WIDTH - LEFT - RIGHT - APART * (columns - 1)) / columns;
        double highest = (room + BETWEEN) / b.rows - BETWEEN;
        b.width = fmin(widest, fmax(30, highest) * plate->length / plate->width);
        b.height = height_of(b.width, plate);
        b.total = total_of(b.rows, b.height);
        if (b.width > best.width * 1.02) best = b;
    }
    return best;
}

/** Plates follow each other downwards; `blocks` has room for SHEETS_MAX. Returns the height. */
static double lay_out(const sis_plates* p, int32_t shown, block* blocks, double* width) {
    double top = 0;
    *width = LEAST - LEFT - RIGHT;
    for (int32_t i = 0; i < shown; i++) {
        blocks[i] = fit(&p->sheets[i].info, p->times.count, fmax(240, (double)AREA / shown));
        top += shown > 1 ? HEADING : 0;
        blocks[i].top = top;
        *width = fmax(*width, blocks[i].columns * (blocks[i].width + APART) - APART);
        top += blocks[i].total + (i + 1 < shown ? ABOVE : 0);
    }
    return top;
}

// ---------------------------------------------------------------------------- a panel

/** A picture of the plate between its edges, linear between its points: raw floats after the plot
 *  command. */
static void write_image(const sis_canvas* canvas, const sis_sheet* sheet, int32_t t, int columns,
                        int rows, double factor) {
    const sis_body_info* b = &sheet->info;
    const double* u = sheet->u + (size_t)t * (size_t)b->points;
    for (int j = 0; j < rows; j++)
        for (int i = 0; i < columns; i++) {
            double x = (i + 0.5) / columns * b->length, y = (j + 0.5) / rows * b->width;
            float value = (float)(sis_fact_read(b, u, x, y) / factor);
            fwrite(&value, sizeof value, 1, canvas->script);
        }
    fputc('\n', canvas->script);
}

typedef struct mark {
    sis_kind kind;
    bool acts;
    int type; // of gnuplot's points
    const char* title;
} mark;

static const mark marks[] = {
    {SIS_KIND_CONTACT, false, 6, "contact, open"}, {SIS_KIND_CONTACT, true, 7, "contact, touching"},
    {SIS_KIND_SPRING, false, 4, "spring"},         {SIS_KIND_SPRING, true, 5, "spring"},
    {SIS_KIND_BOW, false, 8, "bow, lifted"},       {SIS_KIND_BOW, true, 9, "bow"},
};
#define MARKS ((int)(sizeof marks / sizeof *marks))

/** Whether a mark is seen at any time on any plate: then it is in the legend. */
static bool is_seen(const sis_plates* p, const mark* m, int32_t shown) {
    for (int32_t i = 0; i < p->spot_count; i++)
        for (int32_t t = 0; p->spots[i].kind == m->kind && t < p->times.count; t++)
            if (p->spots[i].sheet < shown && p->spots[i].acts[t] == m->acts) return true;
    return false;
}

/** The points of one mark: data block $markN. */
static void write_marks(const sis_canvas* canvas, const sis_plates* p, int32_t sheet, int32_t t,
                        int which, double factor) {
    fprintf(canvas->script, "$mark%d << END\n-1e30 -1e30\n", which); // never empty
    for (int32_t i = 0; i < p->spot_count; i++) {
        const sis_spot* spot = &p->spots[i];
        bool fits = spot->sheet == sheet && spot->kind == marks[which].kind &&
                    spot->acts[t] == marks[which].acts;
        if (fits) fprintf(canvas->script, "%.7g %.7g\n", spot->x / factor, spot->y / factor);
    }
    fprintf(canvas->script, "END\n");
}

/** Beside a single point; a row of points would be hidden, and has its name above or below. */
static void put_name(const sis_canvas* canvas, const sis_body_info* plate, const sis_spot* spot,
                     bool single, double factor) {
    bool right = spot->x < 0.7 * plate->length, above = spot->y < 0.85 * plate->width;
    fprintf(canvas->script, "set label ");
    sis_canvas_text(canvas, spot->name);
    fprintf(canvas->script, " at %.7g,%.7g offset character %s %s front boxed tc rgb 'black'\n",
            spot->x / factor, spot->y / factor,
            single ? (right ? "1.2,0" : "-1.2,0") : (above ? "0,1" : "0,-1"),
            !single ? "center"
            : right ? "left"
                    : "right");
}

/** Names of the links, in the first panel of a plate. */
static void put_names(const sis_canvas* canvas, const sis_plates* p, int32_t sheet, double factor) {
    int32_t links = 0;
    for (int32_t i = 0; i < p->spot_count; i++)
        links += p->spots[i].sheet == sheet && p->spots[i].first;
    for (int32_t i = 0; links <= NAMED_MAX && i < p->spot_count; i++) {
        const sis_spot* spot = &p->spots[i];
        if (spot->sheet != sheet || !spot->first) continue;
        bool single = sis_system_link(p->system, spot->link).points == 1;
        put_name(canvas, &p->sheets[sheet].info, spot, single, factor);
    }
}

/** 1, 2 or 5 times a power of ten, so that tics are `space` pixels apart or more. */
static double tic_of(double range, double pixels, double space) {
    double least = range * space / pixels, power = pow(10, floor(log10(least)));
    double rest = least / power * (1 - 1e-9);
    return (rest <= 1 ? 1 : rest <= 2 ? 2 : rest <= 5 ? 5 : 10) * power;
}

/** Numbers stand at the left and at the bottom only. A low panel has room for two. */
static void set_axes(const sis_canvas* canvas, const sis_body_info* plate, const sis_unit* unit,
                     const block* b, int32_t t, int32_t times) {
    double lx = plate->length / unit->factor, ly = plate->width / unit->factor;
    bool left = t % b->columns == 0, lowest = t + b->columns >= times, low = b->height < FEW_TICS;
    sis_canvas_range(canvas, "x", 0, lx, 0);
    sis_canvas_range(canvas, "y", 0, ly, 0);
    fprintf(canvas->script, "set format x '%s'\nset format y '%s'\nset xtics %.9g\n",
            lowest ? "%h" : "", left ? "%h" : "", tic_of(lx, b->width, TIC_X));
    if (low)
        fprintf(canvas->script, "set ytics (%.9g)\n", ly);
    else
        fprintf(canvas->script, "set ytics %.9g\n", tic_of(ly, b->height, TIC_Y));
    sis_canvas_label(canvas, "x", lowest ? "x" : "", lowest ? unit->text : "");
    left = left && (!low || t == 0); // once is enough where they would touch each other
    sis_canvas_label(canvas, "y", left ? "y" : "", left ? unit->text : "");
    // The four edges; clamped ones are bold.
    fprintf(canvas->script, "set border 15 front lw 1 lc rgb '#606060'\nunset object\n");
    if (plate->ends == SIS_ENDS_CLAMPED)
        fprintf(canvas->script, "set object rectangle from graph 0,0 to graph 1,1 front fs empty "
                                "border rgb '" SIS_INK "' lw 3.5\n");
}

static void put_text(const sis_canvas* canvas, const char* text, const char* where) {
    fprintf(canvas->script, "set label ");
    sis_canvas_text(canvas, text);
    fprintf(canvas->script, " %s left tc rgb '" SIS_INK "'\n", where);
}

static void plot_panel(const sis_canvas* canvas, const sis_plates* p, int32_t sheet, int32_t t,
                       const sis_unit* place, const sis_unit* height) {
    const sis_body_info* b = &p->sheets[sheet].info;
    double longer = fmax(b->length, b->width);
    int columns = (int)fmax(2, round(IMAGE * b->length / longer));
    int rows = (int)fmax(2, round(IMAGE * b->width / longer));
    double dx = b->length / place->factor / columns, dy = b->width / place->factor / rows;
    for (int i = 0; i < MARKS; i++)
        write_marks(canvas, p, sheet, t, i, place->factor);
    fprintf(canvas->script,
            "plot '-' binary array=(%d,%d) format='%%float' origin=(%.12g,%.12g) dx=%.12g dy=%.12g "
            "with image notitle",
            columns, rows, 0.5 * dx, 0.5 * dy, dx, dy);
    for (int i = 0; i < MARKS; i++) // on a white ground, so that it is seen on every colour
        fprintf(canvas->script,
                ", $mark%d with points pt %d ps 1.8 lc rgb 'white' notitle, $mark%d with points pt "
                "%d ps 1.3 lw 1.2 lc rgb 'black' notitle",
                i, marks[i].type | 1, i, marks[i].type); // the filled one of a pair is odd
    fputc('\n', canvas->script);
    write_image(canvas, &p->sheets[sheet], t, columns, rows, height->factor);
}

// ---------------------------------------------------------------------------- the picture

/** The colour bar beside the whole area, with the first panel. */
static void set_colours(const sis_canvas* canvas, const sis_plates* p, const sis_unit* unit) {
    double most = p->most > 0 ? p->most / unit->factor : 1;
    double low = (double)canvas->bottom / canvas->height;
    double high = 1 - (double)canvas->top / canvas->height;
    double size = fmin(high - low, 560.0 / canvas->height);
    fprintf(canvas->script,
            "set palette defined (0 '#053061', 0.1 '#2166AC', 0.2 '#4393C3', 0.3 '#92C5DE', 0.4 "
            "'#D1E5F0', 0.5 '#F7F7F7', 0.6 '#FDDBC7', 0.7 '#F4A582', 0.8 '#D6604D', 0.9 '#B2182B', "
            "1 '#67001F')\nset cbrange [%.9g:%.9g]\n"
            "set colorbox vertical user origin screen %.5f,%.5f size screen %.5f,%.5f\n",
            -most, most, 1 - (RIGHT - 30.0) / canvas->width, high - size, 24.0 / canvas->width,
            size);
    sis_canvas_label(canvas, "cb", "displacement u", unit->text);
}

/** The legend of the marks, above the first panel. */
static void put_legend(const sis_canvas* canvas, const sis_plates* p, int32_t shown) {
    double x = LEFT, y = 1 - 68.0 / canvas->height;
    bool spring = false; // the two marks of a spring are one entry
    for (int i = 0; i < MARKS; i++) {
        if (!is_seen(p, &marks[i], shown) || (marks[i].kind == SIS_KIND_SPRING && spring)) continue;
        spring = spring || marks[i].kind == SIS_KIND_SPRING;
        char where[80];
        fprintf(canvas->script,
                "set label '' at screen %.5f,%.5f point pt %d ps 1.3 lw 1.2 lc rgb 'black'\n",
                (x + 8) / canvas->width, y, marks[i].type);
        snprintf(where, sizeof where, "at screen %.5f,%.5f", (x + 24) / canvas->width, y);
        put_text(canvas, marks[i].title, where);
        x += 54 + 10.0 * (double)strlen(marks[i].title);
    }
}

/** "soundboard: 1.35 m × 180 mm, edges supported". */
static void describe(const sis_body_info* plate, char* text, size_t size) {
    char lx[48], ly[48], edge[32];
    snprintf(text, size, "%s: %s × %s, edges %s%s", plate->name,
             sis_unit_print(lx, sizeof lx, plate->length, "m", 4),
             sis_unit_print(ly, sizeof ly, plate->width, "m", 4),
             sis_fact_word(SIS_KIND_PLATE, "edge", (int)plate->ends, edge, sizeof edge),
             plate->ends == SIS_ENDS_CLAMPED ? " (bold)" : "");
}

static void place_panel(sis_canvas* canvas, const block* b, int32_t t, double area) {
    canvas->left = LEFT + (int)((t % b->columns) * (b->width + APART));
    canvas->right = canvas->width - canvas->left - (int)b->width;
    int32_t row = t / b->columns;
    double top = area - b->top - row * (b->height + BETWEEN);
    sis_canvas_panel(canvas, (top - b->height) / area, top / area);
}

static void draw_sheet(sis_canvas* canvas, const sis_plates* p, int32_t i, const block* b,
                       int32_t shown, double area, const sis_unit* height) {
    const sis_body_info* plate = &p->sheets[i].info;
    sis_unit place = sis_unit_place(fmax(plate->length, plate->width));
    for (int32_t t = 0; t < p->times.count; t++) {
        char text[300];
        place_panel(canvas, b, t, area);
        if (i == 0 && t == 0) {
            set_colours(canvas, p, height);
            put_legend(canvas, p, shown);
        } else {
            fprintf(canvas->script, "unset colorbox\n");
        }
        if (shown > 1 && t == 0) {
            describe(plate, text, sizeof text);
            put_text(canvas, text, "at graph 0,1 offset character 0,2");
        }
        set_axes(canvas, plate, &place, b, t, p->times.count);
        put_text(canvas, sis_times_print(&p->times, t, text, sizeof text),
                 "at graph 0,1 offset character 0,0.7");
        if (t == 0) put_names(canvas, p, i, place.factor);
        plot_panel(canvas, p, i, t, &place, height);
    }
}

static bool draw(const sis_picture* picture, const sis_plates* p, int descriptor,
                 sis_fault* fault) {
    int32_t shown = p->sheet_count < SHEETS_MAX ? p->sheet_count : SHEETS_MAX;
    char subtitle[400], rate[64], what[300];
    describe(&p->sheets[0].info, what, sizeof what);
    if (p->sheet_count > shown)
        snprintf(what, sizeof what, "%d of %d plates", (int)shown, (int)p->sheet_count);
    else if (shown > 1)
        snprintf(what, sizeof what, "%d plates", (int)shown);
    snprintf(subtitle, sizeof subtitle, "%s, %s%s", what,
             sis_picture_rate(picture, rate, sizeof rate), p->most > 0 ? "" : ", at rest");
    block blocks[SHEETS_MAX];
    double width, area = lay_out(p, shown, blocks, &width);
    sis_canvas canvas;
    int high = TOP + BOTTOM + (int)fmax(180, area);
    if (!sis_canvas_open(&canvas, picture->format, LEFT + (int)width + RIGHT, high, picture->title,
                         subtitle, fault))
        return false;
    canvas.top = TOP;
    canvas.bottom = high - TOP - (int)area;
    fprintf(canvas.script,
            "unset grid\nunset key\nset tics front\n"
            "set style textbox opaque fillcolor rgb 'white' noborder margins 0.4,0.2\n");
    sis_unit height = sis_unit_pick(p->most > 0 ? p->most : 1, "m");
    for (int32_t i = 0; i < shown; i++)
        draw_sheet(&canvas, p, i, &blocks[i], shown, area, &height);
    return sis_canvas_draw(&canvas, descriptor, fault);
}

bool sis_draw_plate(const sis_picture* picture, int descriptor, sis_fault* fault) {
    sis_plates p;
    bool fine = sis_plates_take(&p, picture, fault) && draw(picture, &p, descriptor, fault);
    sis_plates_close(&p);
    return fine;
}
