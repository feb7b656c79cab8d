// Images: a grid of values as colours, with a bar that tells what they mean.

#include "chart_inside.h"

#include <math.h>
#include <stdlib.h>

#define BEYOND   1e9 // far outside of the axis
#define CELLS_MM 6.0 // to the mm; print shows no more of a colour

// Dark is much, so that what is near nothing takes no ink; the lightness falls evenly.
static const char* const palettes[] = {
    [SIS_PALETTE_HEAT] =
        "0 '#FFFFFF', 0.15 '#FEEBC8', 0.35 '#FBB765', 0.55 '#E8702A', 0.75 '#B0283E',"
        " 0.9 '#5A1650', 1 '#1B0A2E'",
    [SIS_PALETTE_GREY] = "0 '#FFFFFF', 1 '#000000'",
    [SIS_PALETTE_DIVERGING] = "0 '#053A66', 0.2 '" SIS_BLUE "', 0.4 '#A9D3EA', 0.5 '#FFFFFF', 0.6 "
                              "'#F6C3A0', 0.8 '" SIS_VERMILLION "', 1 '#7A2E00'",
};

typedef struct cells {
    int across, up;
} cells;

/** How many cells show `count` even places: few places are interpolated, of many each cell takes
 * the same number, or stripes would appear. */
static int cell_count(const double* at, size_t count, double factor, const sis_ruler* ruler,
                      double length) {
    int most = (int)fmax(1, length * CELLS_MM);
    double seen = 0;
    for (size_t i = 0; i < count; i++) {
        double share = sis_ruler_share(ruler, factor * at[i]);
        seen += share >= 0 && share <= 1;
    }
    if (ruler->logarithmic || seen < 0.5 * most) return most;
    return (int)ceil(seen / ceil(seen / most));
}

static cells cells_of(const sis_place* p) {
    const sis_chart_panel* panel = p->panel;
    const sis_chart_image* image = panel->image;
    return (cells){cell_count(image->x, image->x_count, panel->x.factor, &p->x, p->box.width),
                   cell_count(image->y, image->y_count, panel->y.factor, &p->y, p->box.height)};
}

void sis_chart_set_image(const sis_canvas* canvas, const sis_layout* layout,
                         const sis_place* place) {
    const sis_chart_image* image = place->panel->image;
    const sis_ruler* z = &place->z;
    double w = layout->width, h = layout->height;
    const sis_box* b = &place->box;
    fprintf(canvas->script,
            "set palette defined (%s) maxcolors 0\nset cbrange [%.12g:%.12g]\n"
            "set colorbox vertical user origin screen %.6f,%.6f size %.6f,%.6f border\n",
            palettes[image->palette], fmin(z->from, z->to), fmax(z->from, z->to),
            (b->left + b->width + BAR_GAP) / w, b->bottom / h, BAR_WIDTH / w, b->height / h);
    double right = b->left + b->width + BAR_GAP + BAR_WIDTH;
    fprintf(canvas->script, "unset cbtics\nset cbtics " SIS_TIC_LOOK " (");
    for (int i = 0; i < z->tic_count; i++) {
        fprintf(canvas->script, "%s'' %.12g", i ? ", " : "", z->tics[i].at);
    }
    fprintf(canvas->script, ")\n");
    for (int i = 0; i < z->tic_count; i++)
        sis_chart_put(canvas, layout, z->tics[i].text, right + TIC_ROOM,
                      b->bottom + b->height * sis_ruler_share(z, z->tics[i].at), TIC_PT, "left");
    char text[SIS_LABEL_ROOM];
    sis_ruler_label(z, image->label, image->unit, text, sizeof text);
    if (*text)
        sis_chart_put(canvas, layout, text, b->left + b->width + place->label_right,
                      b->bottom + 0.5 * b->height, LABEL_PT, "center rotate by 90");
}

void sis_chart_plot_image(const sis_canvas* canvas, const sis_place* place) {
    cells c = cells_of(place);
    fprintf(canvas->script,
            "'-' binary array=(%d,%d) format='%%float' origin=(%.9g,%.9g) dx=%.9g dy=%.9g with "
            "image notitle",
            c.across, c.up, 0.5 / c.across, 0.5 / c.up, 1.0 / c.across, 1.0 / c.up);
}

// ---------------------------------------------------------------------------- values of cells

/** Places of values along one direction, as shares of the axis in increasing order. */
typedef struct places {
    double* share; // [count]
    size_t count;
    bool backwards; // the values run the other way
} places;

/** What a cell shows along one direction. */
typedef struct span {
    size_t first, last; // places in it, or the nearest one
    size_t left, right; // places around its middle
    double part;        // of the right one
    bool outside;
} span;

static bool make_places(places* p, const sis_ruler* ruler, const double* at, size_t count,
                        double factor) {
    *p = (places){.share = malloc(count * sizeof *p->share), .count = count};
    if (!p->share) return false;
    p->backwards = count > 1 && (sis_ruler_share(ruler, factor * at[count - 1]) <
                                 sis_ruler_share(ruler, factor * at[0]));
    for (size_t i = 0; i < count; i++) {
        double share = sis_ruler_share(ruler, factor * at[p->backwards ? count - 1 - i : i]);
        p->share[i] = isnan(share) ? -BEYOND : share; // zero on a logarithmic axis
    }
    return true;
}

/** The first place at or above `share`, by halves; count: there is none. */
static size_t first_from(const places* p, double share) {
    size_t low = 0, high = p->count;
    while (low < high) {
        size_t half = (low + high) / 2;
        if (p->share[half] < share)
            low = half + 1;
        else
            high = half;
    }
    return low;
}

static span span_of(const places* p, double low, double high) {
    double middle = 0.5 * (low + high);
    size_t end = p->count - 1, above = first_from(p, middle);
    span s = {.left = above ? above - 1 : 0, .right = above <= end ? above : end};
    double wide = p->share[s.right] - p->share[s.left];
    s.part = wide > 0 ? (middle - p->share[s.left]) / wide : 0;
    size_t first = first_from(p, low), past = first_from(p, high);
    s.first = past > first ? first : s.part < 0.5 ? s.left : s.right;
    s.last = past > first ? past - 1 : s.first;
    // Half a place beyond the ends still belongs to them.
    double before = end ? p->share[1] - p->share[0] : 2;
    double behind = end ? p->share[end] - p->share[end - 1] : 2;
    s.outside = middle < p->share[0] - 0.5001 * before || middle > p->share[end] + 0.5001 * behind;
    return s;
}

typedef struct picture {
    const sis_chart_image* image;
    places x, y;
} picture;

static double value(const picture* p, size_t i, size_t j) {
    if (p->x.backwards) i = p->x.count - 1 - i;
    if (p->y.backwards) j = p->y.count - 1 - j;
    return p->image->z[j * p->x.count + i];
}

static bool stronger(const picture* p, double z, double than) {
    if (!isfinite(z)) return false;
    bool either = p->image->palette == SIS_PALETTE_DIVERGING;
    return isnan(than) || (either ? fabs(z) > fabs(than) : z > than);
}

/** Between two values: linear, or the nearer one where the other is missing. */
static double between(double left, double right, double part) {
    double sum = (1 - part) * left + part * right;
    return isfinite(sum) ? sum : part < 0.5 ? left : right;
}

// Of many values in a cell the strongest is shown, so that no peak is lost; in between, what a
// straight line says.
static double along_x(const picture* p, const span* x, size_t j) {
    if (x->last == x->first) return between(value(p, x->left, j), value(p, x->right, j), x->part);
    double best = nan("");
    for (size_t i = x->first; i <= x->last; i++)
        if (stronger(p, value(p, i, j), best)) best = value(p, i, j);
    return best;
}

static double along_y(const picture* p, const span* x, const span* y) {
    if (y->last == y->first)
        return between(along_x(p, x, y->left), along_x(p, x, y->right), y->part);
    double best = nan("");
    for (size_t j = y->first; j <= y->last; j++) {
        double z = along_x(p, x, j);
        if (stronger(p, z, best)) best = z;
    }
    return best;
}

static float cell_value(const picture* p, const sis_ruler* ruler, const span* x, const span* y) {
    double z = x->outside || y->outside ? nan("") : along_y(p, x, y);
    double low = fmin(ruler->from, ruler->to), high = fmax(ruler->from, ruler->to);
    return isfinite(z) ? (float)fmin(high, fmax(low, z)) : nanf("");
}

static void send_rows(const sis_canvas* canvas, const sis_place* place, const picture* p,
                      const span* across, cells c) {
    for (int j = 0; j < c.up; j++) {
        span y = span_of(&p->y, (double)j / c.up, (j + 1.0) / c.up);
        for (int i = 0; i < c.across; i++) {
            float z = cell_value(p, &place->z, &across[i], &y);
            fwrite(&z, sizeof z, 1, canvas->script);
        }
    }
    fputc('\n', canvas->script);
}

bool sis_chart_send_image(const sis_canvas* canvas, const sis_place* place) {
    const sis_chart_panel* panel = place->panel;
    const sis_chart_image* image = panel->image;
    picture p = {.image = image};
    cells c = cells_of(place);
    span* across = malloc((size_t)c.across * sizeof *across);
    bool fine = make_places(&p.x, &place->x, image->x, image->x_count, panel->x.factor);
    fine = make_places(&p.y, &place->y, image->y, image->y_count, panel->y.factor) && fine;
    fine = fine && across;
    for (int i = 0; fine && i < c.across; i++)
        across[i] = span_of(&p.x, (double)i / c.across, (i + 1.0) / c.across);
    if (fine) send_rows(canvas, place, &p, across, c);
    free(p.x.share);
    free(p.y.share);
    free(across);
    return fine;
}
