// Where everything of a figure lies. Boxes of data are equally large; what is around them takes
// what it needs.

#include "chart_inside.h"

#include <math.h>
#include <stdlib.h>

#define EDGE       0.6  // mm of white around the figure
#define AROUND     12.5 // mm of a row that are not data
#define X_APART    12.0 // mm between numbers along x
#define Y_APART    8.0  // along y
#define TITLE_ROOM 4.4  // mm
#define TITLE_UP   2.4  // from the box to the middle of the title
#define STRIP_UP   0.7  // and to the lower edge of a legend
#define LABEL_ROOM 4.3
#define ASIDE      2.0 // mm between columns

typedef struct grid {
    size_t columns, rows;
    double box_width;
    double left[16], right[16]; // mm beside the boxes of a column
} grid;

#define COLUMNS_MAX 16

static bool has_label(const sis_ruler* ruler, const sis_chart_axis* axis) {
    char text[SIS_LABEL_ROOM];
    sis_ruler_label(ruler, axis->label, axis->unit, text, sizeof text);
    return *text != 0;
}

// ---------------------------------------------------------------------------- widths

static double left_of(const sis_place* p) {
    double label = has_label(&p->y, &p->panel->y) ? LABEL_ROOM : 0;
    return EDGE + label + p->y.tic_width + TIC_ROOM;
}

static double right_of(const sis_place* p) {
    const sis_chart_image* image = p->panel->image;
    if (image) {
        sis_chart_axis axis = {.label = image->label, .unit = image->unit};
        double label = has_label(&p->z, &axis) ? LABEL_ROOM : 0;
        return BAR_GAP + BAR_WIDTH + TIC_ROOM + p->z.tic_width + label + EDGE;
    }
    const sis_tic* last = p->x.tic_count ? &p->x.tics[p->x.tic_count - 1] : NULL;
    double over = last ? 0.5 * sis_print_width(last->text, TIC_PT) : 0;
    double to_end = last ? (1 - sis_ruler_share(&p->x, last->at)) * p->box.width : 0;
    return EDGE + fmax(1, over - to_end + 0.6);
}

static void set_tics(sis_place* p) {
    sis_ruler_tics(&p->x, p->box.width, fmax(X_APART, 1.7 * p->x.tic_width));
    sis_ruler_tics(&p->y, p->box.height, Y_APART);
    if (p->panel->image) sis_ruler_tics(&p->z, p->box.height, Y_APART);
}

static void set_widths(sis_layout* layout, grid* g) {
    double taken = 0;
    for (size_t c = 0; c < g->columns; c++) {
        g->left[c] = g->right[c] = 0;
        for (size_t i = c; i < layout->count; i += g->columns) {
            g->left[c] = fmax(g->left[c], left_of(&layout->places[i]));
            g->right[c] = fmax(g->right[c], right_of(&layout->places[i]));
        }
        if (c) g->left[c] += ASIDE;
        taken += g->left[c] + g->right[c];
    }
    g->box_width = fmax(8, (layout->width - taken) / (double)g->columns);
}

/** Widens a range about its middle. */
static void stretch(sis_ruler* ruler, double ratio) {
    double middle = 0.5 * (ruler->from + ruler->to), half = 0.5 * (ruler->to - ruler->from);
    ruler->from = middle - half * ratio;
    ruler->to = middle + half * ratio;
}

/** Equal scales: a range that the data chose grows, else the box shrinks. */
static void make_equal(sis_place* p) {
    if (!p->panel->equal || p->x.logarithmic || p->y.logarithmic) return;
    double x_scale = fabs(p->x.to - p->x.from) / p->box.width; // per mm
    double y_scale = fabs(p->y.to - p->y.from) / p->box.height;
    double ratio = x_scale / y_scale;
    bool growing = !p->panel->image && (ratio > 1 ? p->y.free : p->x.free);
    if (growing && ratio > 1)
        stretch(&p->y, ratio);
    else if (growing)
        stretch(&p->x, 1 / ratio);
    else if (ratio > 1)
        p->box.height = fmax(4, p->box.height / ratio);
    else
        p->box.width = fmax(4, p->box.width * ratio);
}

static void set_boxes(sis_layout* layout, grid* g, double box_height) {
    for (size_t i = 0; i < layout->count; i++) {
        sis_place* p = &layout->places[i];
        p->box = (sis_box){.width = g->box_width, .height = box_height};
        sis_ruler_fit(p->panel, &p->x, &p->y);
        if (p->panel->image) sis_ruler_fit_image(p->panel->image, &p->z);
        make_equal(p);
        set_tics(p); // once for the widths of numbers, once with room for them
        set_tics(p);
    }
}

/** What a title has from the left edge of its box: as far as the numbers of the next panel. */
static double title_room(const sis_layout* layout, const grid* g, size_t i) {
    size_t c = i % g->columns;
    const sis_place* p = &layout->places[i];
    double room = 0.5 * (g->box_width + p->box.width); // an equal one lies in the middle
    for (size_t next = c; next < g->columns; next++) {
        bool last = next + 1 == g->columns;
        room += g->right[next] + (last ? 0 : g->left[next + 1]);
        const sis_place* beside =
            !last && i + next + 1 - c < layout->count ? p + next + 1 - c : NULL;
        if (beside) return room - beside->y.tic_width - 2 * TIC_ROOM;
        room += last ? 0 : g->box_width;
    }
    return room - EDGE;
}

static void set_places(sis_layout* layout, const grid* g) {
    double left = 0;
    for (size_t c = 0; c < g->columns; c++) {
        left += g->left[c];
        for (size_t i = c; i < layout->count; i += g->columns) {
            sis_box* box = &layout->places[i].box;
            box->left = left + 0.5 * (g->box_width - box->width); // an equal one may be narrower
            // Labels of a column lie on one line.
            layout->places[i].label_left =
                g->left[c] - EDGE - 0.5 * LABEL_PT * PT - (c ? ASIDE : 0);
            layout->places[i].label_right = g->right[c] - EDGE - 0.5 * LABEL_PT * PT;
            layout->places[i].title_room = title_room(layout, g, i);
        }
        left += g->box_width + g->right[c];
    }
}

/** Panels that share an axis with the one below show its numbers only when they name it. */
static void choose_numbers(sis_layout* layout, const grid* g) {
    for (size_t i = 0; i < layout->count; i++) {
        sis_place* p = &layout->places[i];
        const sis_place* below = i + g->columns < layout->count ? p + g->columns : NULL;
        bool named = p->panel->x.label && *p->panel->x.label;
        bool same = below && below->x.from == p->x.from && below->x.to == p->x.to &&
                    below->x.logarithmic == p->x.logarithmic;
        p->x_numbers = named || !same;
        p->x_label = p->x_numbers && has_label(&p->x, &p->panel->x);
    }
}

// ---------------------------------------------------------------------------- legends

static bool pick_lines(sis_place* p) {
    const sis_chart_panel* panel = p->panel;
    for (size_t i = 0; i < panel->line_count; i++)
        if (!sis_pick(panel, &panel->lines[i], &p->x, &p->y, &p->box, &p->picked[i])) return false;
    return true;
}

/** A legend that leaves it open where it is may be left out when an earlier panel has all of it. */
static bool is_told(const sis_layout* layout, size_t i) {
    const sis_key* key = &layout->places[i].key;
    bool told = false;
    for (size_t k = 0; k < i && !told; k++)
        told = sis_key_repeats(key, &layout->places[k].key);
    return told && layout->places[i].panel->legend == SIS_LEGEND_AUTO;
}

/** Above its own panel, beside the title when there is room. */
static void place_strip(sis_place* p, double room) {
    sis_key_wrap(&p->key, room);
    double title = p->panel->title ? sis_print_width(p->panel->title, LABEL_PT) + 4 : 0;
    p->key.beside = title > 0 && p->key.count == p->key.in_row && title + p->key.box.width < room;
    p->key.box.left = p->box.left + (p->key.beside ? room - p->key.box.width : 0);
}

/** Inside where that is possible. When none is, all are joined above the panels, unless a stroke
 *  means different things there. */
static void place_legends(sis_layout* layout) {
    size_t outside = 0, last = 0;
    bool inside = false;
    for (size_t i = 0; i < layout->count; i++) {
        sis_place* p = &layout->places[i];
        if (p->panel->legend != SIS_LEGEND_NONE) sis_key_gather(&p->key, p->panel);
        if (is_told(layout, i)) p->key.count = 0;
        p->key.framed = sis_key_settle(p);
        inside = inside || (p->key.framed && p->key.count);
        if (p->key.framed) continue;
        sis_key_gather(&layout->key, p->panel);
        outside++;
        last = i;
    }
    // A single one that is asked for in the first panel is meant for all of them.
    bool asked = outside == 1 && last == 0 && layout->count > 1 &&
                 layout->places[0].panel->legend == SIS_LEGEND_OUTSIDE;
    bool joined = !inside && (outside > 1 || asked) && !sis_key_contradicts(&layout->key);
    if (!joined) layout->key.count = 0;
    sis_key_wrap(&layout->key, layout->width - layout->places[0].box.left - EDGE);
    layout->key.box.left = layout->places[0].box.left;
    for (size_t i = 0; i < layout->count; i++) {
        sis_place* p = &layout->places[i];
        if (!p->key.framed && joined)
            p->key.count = 0;
        else if (!p->key.framed)
            place_strip(p, p->box.width);
    }
}

// ---------------------------------------------------------------------------- heights

typedef struct row {
    double above, box, below; // mm
} row;

static row row_of(const sis_layout* layout, const grid* g, size_t number) {
    row r = {0};
    for (size_t i = number * g->columns; i < (number + 1) * g->columns && i < layout->count; i++) {
        const sis_place* p = &layout->places[i];
        bool titled = p->panel->title && *p->panel->title;
        double strip = p->key.framed || p->key.beside ? 0 : sis_key_height(&p->key);
        double numbers = p->x_numbers ? TIC_ROOM + TIC_PT * PT + 0.6 : 1;
        double label = p->x_label ? LABEL_ROOM - 0.4 : 0;
        r.above = fmax(r.above, (titled ? TITLE_ROOM : 1.6) + strip);
        r.box = fmax(r.box, p->box.height);
        r.below = fmax(r.below, numbers + label + EDGE);
    }
    return r;
}

static void set_heights(sis_layout* layout, const grid* g) {
    double head = sis_key_height(&layout->key) + EDGE, height = head;
    for (size_t n = 0; n < g->rows; n++) {
        row r = row_of(layout, g, n);
        height += r.above + r.box + r.below;
    }
    layout->height = height;
    layout->key.box.bottom = height - head;
    double top = height - head;
    for (size_t n = 0; n < g->rows; n++) {
        row r = row_of(layout, g, n);
        for (size_t i = n * g->columns; i < (n + 1) * g->columns && i < layout->count; i++) {
            sis_place* p = &layout->places[i];
            p->box.bottom = top - r.above - p->box.height;
            p->key.box.bottom =
                p->key.framed ? p->key.box.bottom + p->box.bottom : top - r.above + STRIP_UP;
            bool below = !p->key.framed && !p->key.beside;
            p->title_up = TITLE_UP + (below ? sis_key_height(&p->key) : 0);
        }
        top -= r.above + r.box + r.below;
    }
    for (size_t i = 0; i < layout->count; i++)
        if (layout->places[i].key.framed)
            layout->places[i].key.box.left += layout->places[i].box.left;
}

// ---------------------------------------------------------------------------- all

static bool allocate(sis_layout* layout, const sis_chart* chart) {
    size_t lines = 0;
    layout->places = calloc(chart->panel_count, sizeof *layout->places);
    if (!layout->places) return false;
    layout->count = chart->panel_count;
    for (size_t i = 0; i < layout->count; i++) {
        sis_place* p = &layout->places[i];
        size_t count = chart->panels[i].line_count;
        p->panel = &chart->panels[i];
        p->picked = calloc(count + 1, sizeof *p->picked);
        p->mark_texts = calloc(p->panel->mark_count + 1, sizeof *p->mark_texts);
        p->mark_covers = calloc(p->panel->mark_count + 1, sizeof *p->mark_covers);
        p->key.lines = calloc(count + 1, sizeof(sis_entry));
        lines += count;
        if (!p->picked || !p->mark_texts || !p->mark_covers || !p->key.lines) return false;
    }
    layout->key.lines = calloc(lines + 1, sizeof(sis_entry));
    return layout->key.lines != NULL;
}

bool sis_layout_make(sis_layout* layout, const sis_chart* chart, sis_fault* fault) {
    *layout = (sis_layout){.width = chart->width};
    if (!chart->panel_count)
        return sis_fault_set(fault, SIS_FAULT_REQUEST, "a figure needs a panel");
    grid g = {.columns = (size_t)(chart->columns < 1 ? 1 : chart->columns)};
    if (g.columns > COLUMNS_MAX) g.columns = COLUMNS_MAX;
    if (g.columns > chart->panel_count) g.columns = chart->panel_count;
    g.rows = (chart->panel_count + g.columns - 1) / g.columns;
    if (!allocate(layout, chart)) return sis_fault_no_memory(fault);
    double box_height = fmax(8, chart->height - AROUND);
    g.box_width = chart->width / (double)g.columns - 15;
    for (int pass = 0; pass < 3; pass++) {
        set_boxes(layout, &g, box_height);
        if (pass < 2) set_widths(layout, &g);
    }
    choose_numbers(layout, &g);
    set_places(layout, &g);
    for (size_t i = 0; i < layout->count; i++)
        if (!pick_lines(&layout->places[i])) return sis_fault_no_memory(fault);
    place_legends(layout);
    set_heights(layout, &g);
    return true;
}

void sis_layout_free(sis_layout* layout) {
    for (size_t i = 0; layout->places && i < layout->count; i++) {
        sis_place* p = &layout->places[i];
        for (size_t k = 0; p->picked && k < p->panel->line_count; k++)
            free(p->picked[k].index);
        free(p->picked);
        free(p->mark_texts);
        free(p->mark_covers);
        free(p->key.lines);
    }
    free(layout->places);
    free(layout->key.lines);
    *layout = (sis_layout){0};
}
