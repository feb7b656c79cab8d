// Legends and notes: what they say, and where they cover no data.

#include "chart_inside.h"

#include <math.h>
#include <string.h>

#define ACROSS 120 // cells of the map of what is taken
#define UP     80
#define MARGIN 1.2 // mm between a legend and the edge of its panel

// ---------------------------------------------------------------------------- entries

static bool same_stroke(const sis_chart_stroke* a, const sis_chart_stroke* b) {
    return strcmp(a->colour, b->colour) == 0 && strcmp(a->dash, b->dash) == 0 &&
           a->width == b->width && a->curve == b->curve &&
           (a->mark == b->mark ||
            (a->curve != SIS_CURVE_POINTS && a->curve != SIS_CURVE_LINESPOINTS));
}

static bool is_in(const sis_key* key, const sis_chart_line* line) {
    for (size_t i = 0; i < key->count; i++)
        if (strcmp(key->lines[i]->name, line->name) == 0 &&
            same_stroke(&key->lines[i]->stroke, &line->stroke))
            return true;
    return false;
}

void sis_key_gather(sis_key* key, const sis_chart_panel* panel) {
    for (size_t i = 0; i < panel->line_count; i++) {
        const sis_chart_line* line = &panel->lines[i];
        if (line->name && *line->name && !is_in(key, line)) key->lines[key->count++] = line;
    }
}

bool sis_key_contradicts(const sis_key* key) {
    for (size_t i = 0; i < key->count; i++)
        for (size_t k = 0; k < i; k++)
            if (same_stroke(&key->lines[i]->stroke, &key->lines[k]->stroke)) return true;
    return false;
}

bool sis_key_repeats(const sis_key* key, const sis_key* other) {
    for (size_t i = 0; i < key->count; i++)
        if (!is_in(other, key->lines[i])) return false;
    return true;
}

#define ENTRIES_APART 3.0 // mm between the columns of a legend

/** Width of the widest entry of a column. */
static double column_width(const sis_key* key, size_t column) {
    double widest = 0;
    for (size_t i = column; i < key->count; i += key->in_row)
        widest = fmax(widest, sis_print_width(key->lines[i]->name, TIC_PT));
    return KEY_SAMPLE + KEY_GAP + widest;
}

static double left_of_column(const sis_key* key, size_t column) {
    double sum = 0;
    for (size_t c = 0; c < column; c++)
        sum += column_width(key, c) + ENTRIES_APART;
    return sum;
}

/** Lays out as many columns as asked for. */
static void lay_out(sis_key* key, size_t in_row) {
    key->in_row = in_row;
    key->box.width = left_of_column(key, in_row) - ENTRIES_APART;
    size_t rows = (key->count + in_row - 1) / in_row;
    key->box.height = (double)rows * KEY_LINE;
}

void sis_key_wrap(sis_key* key, double width) {
    if (!key->count) return;
    size_t in_row = key->count;
    for (lay_out(key, in_row); in_row > 1 && key->box.width > width; lay_out(key, in_row))
        in_row--;
    // Rows of about the same length.
    size_t rows = (key->count + in_row - 1) / in_row;
    size_t even = (key->count + rows - 1) / rows;
    lay_out(key, even);
    if (key->box.width > width) lay_out(key, in_row);
}

double sis_key_height(const sis_key* key) {
    return key->count ? key->box.height + 0.8 : 0;
}

// ---------------------------------------------------------------------------- free room

typedef struct map {
    unsigned char taken[UP][ACROSS];
} map;

static void take_cell(map* m, double x, double y) {
    if (!(x >= 0 && x <= 1 && y >= 0 && y <= 1)) return;
    int column = (int)(x * (ACROSS - 1e-9)), line = (int)(y * (UP - 1e-9));
    m->taken[line][column] = 1;
}

static void take_segment(map* m, double x0, double y0, double x1, double y1) {
    // Far ends are cut, or a steep line would take a long walk.
    if ((x0 < 0 && x1 < 0) || (x0 > 1 && x1 > 1) || (y0 < 0 && y1 < 0) || (y0 > 1 && y1 > 1))
        return;
    double length = fmax(fabs(x1 - x0) * ACROSS, fabs(y1 - y0) * UP);
    int steps = (int)fmin(4000, ceil(2 * length) + 1);
    for (int i = 0; i <= steps; i++) {
        double share = (double)i / steps;
        take_cell(m, x0 + share * (x1 - x0), y0 + share * (y1 - y0));
    }
}

/** Everything below a line, one after the other. */
static void take_below(map* m, double x0, double y0, double x1, double y1) {
    int steps = (int)fmin(2.0 * ACROSS, ceil(2 * fabs(x1 - x0) * ACROSS) + 1);
    for (int i = 0; i <= steps; i++) {
        double share = (double)i / steps, x = x0 + share * (x1 - x0);
        take_segment(m, x, 0, x, fmin(1, y0 + share * (y1 - y0)));
    }
}

static void take_line(map* m, const sis_place* p, size_t number) {
    const sis_chart_line* line = &p->panel->lines[number];
    const sis_picked* picked = &p->picked[number];
    bool joined =
        line->stroke.curve != SIS_CURVE_POINTS && line->stroke.curve != SIS_CURVE_IMPULSES;
    double last_x = nan(""), last_y = nan("");
    double zero = fmin(1, fmax(0, p->y.logarithmic ? 0 : sis_ruler_share(&p->y, 0)));
    for (size_t k = 0; k < picked->count; k++) {
        double x = nan(""), y = nan("");
        if (picked->index[k] != SIS_GAP) {
            x = sis_ruler_share(&p->x, p->panel->x.factor * line->x[picked->index[k]]);
            y = sis_ruler_share(&p->y, p->panel->y.factor * line->y[picked->index[k]]);
            take_cell(m, x, y);
        }
        if (joined && last_x == last_x && x == x) take_segment(m, last_x, last_y, x, y);
        if (line->stroke.curve == SIS_CURVE_FILL && last_x == last_x && x == x)
            take_below(m, last_x, last_y, x, y);
        if (line->stroke.curve == SIS_CURVE_IMPULSES && x == x) take_segment(m, x, zero, x, y);
        last_x = x;
        last_y = y;
    }
}

static void take_box(map* m, const sis_box* box, const sis_box* panel) {
    for (int line = 0; line < UP; line++)
        for (int column = 0; column < ACROSS; column++) {
            double x = (column + 0.5) / ACROSS * panel->width;
            double y = (line + 0.5) / UP * panel->height;
            if (x >= box->left && x <= box->left + box->width && y >= box->bottom &&
                y <= box->bottom + box->height)
                m->taken[line][column] = 1;
        }
}

/** Taken cells under a box, of all cells under it. */
static double covered(const map* m, const sis_box* box, const sis_box* panel) {
    int first = (int)fmax(0, floor(box->left / panel->width * ACROSS));
    int last = (int)fmin(ACROSS - 1, ceil((box->left + box->width) / panel->width * ACROSS));
    int low = (int)fmax(0, floor(box->bottom / panel->height * UP));
    int high = (int)fmin(UP - 1, ceil((box->bottom + box->height) / panel->height * UP));
    int count = 0, all = 0;
    for (int line = low; line <= high; line++)
        for (int column = first; column <= last; column++, all++)
            count += m->taken[line][column];
    return all ? (double)count / all : 0;
}

/** A box of a size at -1, 0 or 1 of both directions, from the corner of the panel. */
static sis_box box_at(const sis_box* panel, double width, double height, int x, int y) {
    return (sis_box){.left = MARGIN + 0.5 * (x + 1) * (panel->width - width - 2 * MARGIN),
                     .bottom = MARGIN + 0.5 * (y + 1) * (panel->height - height - 2 * MARGIN),
                     .width = width,
                     .height = height};
}

static const int corners[8][2] = {{1, 1}, {-1, 1}, {1, -1}, {-1, -1},
                                  {0, 1}, {0, -1}, {1, 0},  {-1, 0}};

/** The first place of `count` that covers least; how much in `*share`. */
static sis_box least_covered(const map* m, const sis_box* panel, double width, double height,
                             int count, double* share) {
    sis_box best = {0};
    *share = INFINITY;
    for (int i = 0; i < count; i++) {
        sis_box box = box_at(panel, width, height, corners[i][0], corners[i][1]);
        double now = covered(m, &box, panel);
        if (now < *share) {
            best = box;
            *share = now;
        }
    }
    return best;
}

/** Names of marks stand at one of the ends of their line, on the side that covers least. */
static void place_mark(sis_place* p, map* m, size_t number) {
    const sis_chart_mark* mark = &p->panel->marks[number];
    double factor = mark->upright ? p->panel->x.factor : p->panel->y.factor;
    double at = sis_ruler_share(mark->upright ? &p->x : &p->y, factor * mark->at);
    if (!(at >= 0 && at <= 1) || !mark->text || !*mark->text) return;
    double width = sis_print_width(mark->text, TIC_PT), least = INFINITY;
    double x = at * p->box.width, y = at * p->box.height;
    for (int i = 0; i < 4; i++) {
        double end = i % 2 ? -1 : 1, side = i / 2 ? -1 : 1;
        sis_box box = {.width = width, .height = KEY_LINE};
        if (mark->upright) {
            box.left = side > 0 ? x + 0.6 : x - 0.6 - width;
            box.bottom = end > 0 ? p->box.height - KEY_LINE : 0.3;
        } else {
            box.left = end > 0 ? p->box.width - width - 0.4 : 0.6;
            box.bottom = side > 0 ? y + 0.1 : y - 0.1 - KEY_LINE;
        }
        bool inside = box.left >= 0 && box.left + width <= p->box.width && box.bottom >= 0 &&
                      box.bottom + KEY_LINE <= p->box.height;
        double share = covered(m, &box, &p->box) + (inside ? 0 : 1);
        if (share < least) p->mark_texts[number] = box;
        least = fmin(least, share);
    }
    p->mark_covers[number] = least > 0;
    take_box(m, &p->mark_texts[number], &p->box);
}

static void place_marks(sis_place* p, map* m) {
    for (size_t i = 0; i < p->panel->mark_count; i++)
        place_mark(p, m, i);
    for (size_t i = 0; i < p->panel->mark_count; i++) {
        const sis_chart_mark* mark = &p->panel->marks[i];
        double factor = mark->upright ? p->panel->x.factor : p->panel->y.factor;
        double at = sis_ruler_share(mark->upright ? &p->x : &p->y, factor * mark->at);
        if (!(at >= 0 && at <= 1)) continue;
        if (mark->upright)
            take_segment(m, at, 0, at, 1);
        else
            take_segment(m, 0, at, 1, at);
    }
}

static void place_note(sis_place* p, const map* m) {
    const char* note = p->panel->note;
    if (!note || !*note) return;
    double width = 0, rows = 0, share;
    for (const char* c = note; c; rows++) {
        char line[256];
        size_t length = strcspn(c, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, c);
        width = fmax(width, sis_print_width(line, TIC_PT));
        c = c[length] ? c + length + 1 : NULL;
    }
    sis_box box = least_covered(m, &p->box, width, rows * KEY_LINE, 6, &share);
    p->note_x = box.left;
    p->note_y = box.bottom + box.height;
    p->note_covers = share > 0;
}

/** False: it would cover data, or is too large. */
static bool place_key(sis_place* p, const map* m) {
    sis_key* key = &p->key;
    const sis_chart_panel* panel = p->panel;
    lay_out(key, 1);
    double width = key->box.width, height = key->box.height, share = 0;
    if (panel->legend == SIS_LEGEND_INSIDE) {
        key->box = box_at(&p->box, width, height, panel->legend_x, panel->legend_y);
        return true;
    }
    key->box = least_covered(m, &p->box, width, height, 8, &share);
    bool fits = width < p->box.width - 2 * MARGIN && height < 0.7 * p->box.height;
    return fits && share == 0 && !panel->image;
}

bool sis_key_settle(sis_place* place) {
    map m = {0};
    const sis_chart_panel* panel = place->panel;
    for (size_t i = 0; i < panel->line_count; i++)
        take_line(&m, place, i);
    bool given = panel->legend == SIS_LEGEND_INSIDE && place->key.count > 0;
    if (given && place_key(place, &m)) take_box(&m, &place->key.box, &place->box);
    place_marks(place, &m);
    bool inside = place->key.count == 0 || given;
    if (!inside && panel->legend == SIS_LEGEND_AUTO) {
        inside = place_key(place, &m);
        if (inside) take_box(&m, &place->key.box, &place->box);
    }
    place_note(place, &m);
    return inside;
}

// ---------------------------------------------------------------------------- drawing

static void draw_sample(const sis_canvas* canvas, const sis_layout* layout,
                        const sis_chart_stroke* s, double x, double y) {
    double w = layout->width, h = layout->height, end = x + KEY_SAMPLE, middle = x + KEY_SAMPLE / 2;
    bool marked = s->curve == SIS_CURVE_POINTS || s->curve == SIS_CURVE_LINESPOINTS;
    if (s->curve == SIS_CURVE_FILL)
        fprintf(canvas->script,
                "set object rectangle from screen %.6f,%.6f to screen %.6f,%.6f front fs solid 1 "
                "noborder fc rgb '%s'\n",
                x / w, (y - 1) / h, end / w, (y + 1) / h, s->colour);
    else if (s->curve == SIS_CURVE_IMPULSES)
        fprintf(canvas->script,
                "set arrow from screen %.6f,%.6f to screen %.6f,%.6f nohead front lw %g lc rgb "
                "'%s'\n",
                middle / w, (y - 1.2) / h, middle / w, (y + 1.2) / h, s->width, s->colour);
    else if (s->curve != SIS_CURVE_POINTS)
        fprintf(canvas->script,
                "set arrow from screen %.6f,%.6f to screen %.6f,%.6f nohead front lw %g dt %s lc "
                "rgb '%s'\n",
                x / w, y / h, end / w, y / h, s->width, s->dash, s->colour);
    if (marked)
        fprintf(canvas->script,
                "set label '' at screen %.6f,%.6f point pt %d ps %g lw 1 lc rgb '%s' front\n",
                middle / w, y / h, s->mark, sis_chart_points(canvas->format), s->colour);
}

void sis_key_draw(const sis_canvas* canvas, const sis_layout* layout, const sis_key* key) {
    if (!key->count) return;
    double w = layout->width, h = layout->height;
    const sis_box* b = &key->box;
    if (key->framed)
        fprintf(canvas->script,
                "set object rectangle from screen %.6f,%.6f to screen %.6f,%.6f front fs solid 1 "
                "noborder fc rgb 'white'\n",
                (b->left - KEY_RIM) / w, (b->bottom - 0.3) / h, (b->left + b->width + KEY_RIM) / w,
                (b->bottom + b->height + 0.3) / h);
    for (size_t i = 0; i < key->count; i++) {
        size_t column = i % key->in_row, row = i / key->in_row;
        double x = b->left + left_of_column(key, column);
        double y = b->bottom + b->height - ((double)row + 0.5) * KEY_LINE;
        draw_sample(canvas, layout, &key->lines[i]->stroke, x, y);
        sis_chart_put(canvas, layout, key->lines[i]->name, x + KEY_SAMPLE + KEY_GAP, y, TIC_PT,
                      "left front");
    }
}
