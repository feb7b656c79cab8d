// Axes of a figure: what range they show, and few round numbers along them.

#include "chart_inside.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define AIR       0.05  // of the range, above and below the data
#define DECADES   30    // that a logarithmic axis shows at most, unless told otherwise
#define CONSTANT  1e-9  // a range of less than this of its numbers is drawn as a constant
#define HUGE_SIZE 1e150 // beyond this, arithmetic of ranges overflows: what blew up is a gap

// ---------------------------------------------------------------------------- texts

/** Advance of a character of DejaVu Sans, of its size. */
static double advance(const unsigned char* c) {
    static const unsigned char ascii[] =
        {32, 40, 46, 84, 64, 95, 78, 27, 39, 39, 50, 84, 32,  36, 32, 34, 64, 64, 64, 64,
         64, 64, 64, 64, 64, 64, 34, 34, 84, 84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77,
         75, 29, 29, 66, 56, 86, 75, 79, 60, 79, 69, 63, 61,  73, 68, 99, 69, 61, 69, 39,
         34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35, 63, 63,  28, 28, 58, 28, 97, 63, 61,
         63, 63, 41, 52, 39, 63, 59, 82, 59, 59, 52, 64, 34,  64, 84}; // hundredths, from the space
                                                                       // on
    if (*c >= 0x20 && *c < 0x7f) return 0.01 * ascii[*c - 0x20];
    if (*c == 0xe2)
        return c[1] == 0x81 || c[1] == 0x82 ? 0.43 : c[1] == 0x80 ? 0.5 : 0.84; // ⁻³ – ≤
    if (*c == 0xc2) return c[1] == 0xb5 ? 0.64 : 0.42;                          // µ ²
    if (*c == 0xc3) return c[1] == 0x97 ? 0.84 : 0.62;                          // × é
    return 0.66;                                                                // Greek
}

double sis_print_width(const char* text, double pt) {
    double sum = 0;
    for (const unsigned char* c = (const unsigned char*)text; *c; c++)
        if ((*c & 0xc0) != 0x80) sum += advance(c);
    return sum * pt * PT;
}

/** "10⁻³". */
static void print_power(char* text, size_t size, int power) {
    static const char* const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    char plain[16];
    snprintf(plain, sizeof plain, "%d", power);
    size_t used = (size_t)snprintf(text, size, "10");
    for (const char* c = plain; *c && used < size; c++)
        used +=
            (size_t)snprintf(text + used, size - used, "%s", *c == '-' ? "⁻" : raised[*c - '0']);
}

/** A number with the minus of print. */
static void print_number(char* text, size_t size, double value, int decimals) {
    char plain[64];
    snprintf(plain, sizeof plain, "%.*f", decimals, value);
    bool zero = strspn(plain, "-0.") == strlen(plain);
    if (zero)
        snprintf(text, size, "0");
    else
        snprintf(text, size, "%s%s", *plain == '-' ? "−" : "", plain + (*plain == '-'));
}

void sis_ruler_label(const sis_ruler* ruler, const char* label, const char* unit, char* text,
                     size_t size) {
    char power[48] = "", inside[128];
    if (!label) label = "";
    if (!unit) unit = "";
    if (ruler->power) print_power(power, sizeof power, ruler->power);
    const char* times = *power && !*unit ? "×" : "";
    snprintf(inside, sizeof inside, "%s%s%s%s", times, power, *power && *unit ? " " : "", unit);
    if (!*inside)
        snprintf(text, size, "%s", label);
    else if (*label)
        snprintf(text, size, "%s (%s)", label, inside);
    else
        snprintf(text, size, *unit ? "(%s)" : "%s", inside);
}

// ---------------------------------------------------------------------------- ranges

/** Whether a number can be shown at all. */
static bool can_show(double value, bool logarithmic) {
    return fabs(value) < HUGE_SIZE && (!logarithmic || value > 1 / HUGE_SIZE);
}

double sis_ruler_share(const sis_ruler* ruler, double value) {
    if (!can_show(value, ruler->logarithmic)) return nan("");
    if (!ruler->logarithmic) return (value - ruler->from) / (ruler->to - ruler->from);
    return log(value / ruler->from) / log(ruler->to / ruler->from);
}

typedef struct extent {
    double min, max;
    bool logarithmic, any;
} extent;

static void widen(extent* e, double value) {
    if (!can_show(value, e->logarithmic)) return;
    e->min = e->any ? fmin(e->min, value) : value;
    e->max = e->any ? fmax(e->max, value) : value;
    e->any = true;
}

/** Half a cell beyond the first and the last place: cells lie around their places. */
static void widen_cells(extent* e, const double* at, size_t count, double factor) {
    if (count < 2) {
        if (count) widen(e, factor * at[0]);
        return;
    }
    double first = at[0] - 0.5 * (at[1] - at[0]);
    double last = at[count - 1] + 0.5 * (at[count - 1] - at[count - 2]);
    widen(e, factor * (e->logarithmic ? at[0] : first));
    widen(e, factor * (e->logarithmic ? at[count - 1] : last));
}

/** Room for numbers that are all the same, or for none. */
static void make_room(extent* e) {
    if (!e->any) {
        e->min = e->logarithmic ? 1 : 0;
        e->max = e->logarithmic ? 10 : 1;
        return;
    }
    double size = fmax(fabs(e->min), fabs(e->max));
    if (e->max - e->min > CONSTANT * size) return;
    if (e->logarithmic) {
        e->min /= 3;
        e->max *= 3;
    } else {
        double middle = 0.5 * (e->min + e->max);
        e->min = middle - (size > 0 ? 0.5 * size : 1);
        e->max = middle + (size > 0 ? 0.5 * size : 1);
    }
}

/** The range: what the axis says, else the data and some air. */
static void settle(sis_ruler* ruler, const sis_chart_axis* axis, extent e, double air) {
    bool log = axis->logarithmic;
    double from = can_show(axis->from, log) ? axis->from : nan("");
    double to = can_show(axis->to, log) ? axis->to : nan("");
    if (log && e.any) e.min = fmax(e.min, e.max * pow(10, -DECADES));
    make_room(&e);
    double ratio = e.max / e.min;
    double low = log ? e.min / pow(ratio, air) : e.min - air * (e.max - e.min);
    double high = log ? e.max * pow(ratio, air) : e.max + air * (e.max - e.min);
    *ruler = (sis_ruler){.logarithmic = log, .free = isnan(from) || isnan(to)};
    ruler->from = isnan(from) ? low : from;
    ruler->to = isnan(to) ? high : to;
    // One end was given and the data lie beyond it.
    bool one = isnan(from) != isnan(to);
    double step = log ? 10 * ruler->from : ruler->from + fmax(1, fabs(ruler->from));
    double back = log ? ruler->to / 10 : ruler->to - fmax(1, fabs(ruler->to));
    if (one && !(ruler->to > ruler->from) && isnan(to)) ruler->to = step;
    if (one && !(ruler->to > ruler->from)) ruler->from = back;
    if (ruler->to == ruler->from) ruler->to = step; // both were given, as one
}

/** No line reaches from end to end. */
static bool is_scattered(const sis_chart_panel* panel) {
    for (size_t i = 0; i < panel->line_count; i++) {
        sis_curve curve = panel->lines[i].stroke.curve;
        bool few = curve == SIS_CURVE_LINESPOINTS && panel->lines[i].count <= 40;
        if (!few && curve != SIS_CURVE_POINTS && curve != SIS_CURVE_IMPULSES) return false;
    }
    return panel->line_count > 0 && !panel->image;
}

static void widen_marks(extent* e, const sis_chart_panel* panel, bool upright, double factor) {
    for (size_t i = 0; i < panel->mark_count; i++)
        if (panel->marks[i].upright == upright) widen(e, factor * panel->marks[i].at);
}

static extent extent_x(const sis_chart_panel* panel) {
    extent e = {.logarithmic = panel->x.logarithmic};
    double factor = panel->x.factor;
    for (size_t i = 0; i < panel->line_count; i++)
        for (size_t k = 0; k < panel->lines[i].count; k++)
            if (isfinite(panel->lines[i].y[k])) widen(&e, factor * panel->lines[i].x[k]);
    if (panel->image) widen_cells(&e, panel->image->x, panel->image->x_count, factor);
    widen_marks(&e, panel, true, factor);
    return e;
}

/** Of what is to be seen between the ends of x. */
static extent extent_y(const sis_chart_panel* panel, const sis_ruler* x) {
    extent e = {.logarithmic = panel->y.logarithmic};
    double factor = panel->y.factor;
    double low = fmin(x->from, x->to), high = fmax(x->from, x->to);
    for (size_t i = 0; i < panel->line_count; i++) {
        const sis_chart_line* line = &panel->lines[i];
        for (size_t k = 0; k < line->count; k++) {
            double at = panel->x.factor * line->x[k];
            if (at >= low && at <= high) widen(&e, factor * line->y[k]);
        }
        if (line->stroke.curve == SIS_CURVE_IMPULSES) widen(&e, 0);
    }
    if (panel->image) widen_cells(&e, panel->image->y, panel->image->y_count, factor);
    widen_marks(&e, panel, false, factor);
    return e;
}

void sis_ruler_fit(const sis_chart_panel* panel, sis_ruler* x, sis_ruler* y) {
    settle(x, &panel->x, extent_x(panel), is_scattered(panel) ? 0.03 : 0);
    settle(y, &panel->y, extent_y(panel, x), panel->image ? 0 : AIR);
}

void sis_ruler_fit_image(const sis_chart_image* image, sis_ruler* z) {
    extent e = {0};
    for (size_t i = 0; i < image->x_count * image->y_count; i++)
        widen(&e, image->z[i]);
    if (image->palette == SIS_PALETTE_DIVERGING && e.any) {
        e.max = fmax(fabs(e.min), fabs(e.max)); // white is zero
        e.min = -e.max;
    }
    sis_chart_axis axis = {.from = image->from, .to = image->to};
    settle(z, &axis, e, 0);
}

// ---------------------------------------------------------------------------- tics

static sis_tic* add_tic(sis_ruler* r, double at) {
    if (r->tic_count == SIS_TICS_MAX) return NULL;
    sis_tic* tic = &r->tics[r->tic_count++];
    *tic = (sis_tic){.at = at};
    return tic;
}

/** 1, 2 or 5 times a power of ten, at least `least`. */
static double round_step(double least) {
    double power = pow(10, floor(log10(least)));
    double share = least / power * (1 - 1e-9);
    return power * (share <= 1 ? 1 : share <= 2 ? 2 : share <= 5 ? 5 : 10);
}

static void linear_tics(sis_ruler* r, int most) {
    double low = fmin(r->from, r->to), high = fmax(r->from, r->to);
    double step = round_step((high - low) / most), size = fmax(fabs(low), fabs(high));
    double slack = 1e-6 * (high - low);
    // Numbers of many zeros share their power of ten, told beside the unit.
    r->power = size < 0.01 || size >= 99999 ? (int)floor(log10(size) + 1e-9) : 0;
    double unit = pow(10, r->power);
    int decimals = (int)fmax(0, -floor(log10(step / unit) + 1e-9));
    if (decimals > 15) decimals = 15;
    r->tic_count = 0;
    for (double n = ceil((low - slack) / step); n * step <= high + slack; n++) {
        sis_tic* tic = add_tic(r, n * step);
        if (!tic) return;
        print_number(tic->text, sizeof tic->text, n * step / unit, decimals);
    }
}

/** Two numbers tell a scale, three show that it is even: denser when there are fewer. */
static void enough_tics(sis_ruler* r, int most, int limit) {
    for (int n = most; n <= most + 6; n++) {
        linear_tics(r, n);
        if (r->tic_count >= 3 && r->tic_count <= limit) return;
    }
    for (int n = most; n <= most + 6; n++) {
        linear_tics(r, n);
        if (r->tic_count >= 2) return;
    }
}

/** Every decade or every few of them; short tics between when there is room. */
static void decade_tics(sis_ruler* r, int first, int last, int most) {
    int step = 1;
    while ((last - first) / step + 1 > most)
        step = step == 1 ? 2 : step == 2 ? 3 : step == 3 ? 5 : 2 * step;
    int begin = (int)(ceil((double)first / step) * step);
    for (int n = begin; n <= last; n += step) {
        sis_tic* tic = add_tic(r, pow(10, n));
        if (tic) print_power(tic->text, sizeof tic->text, n);
    }
    for (int n = first; step > 1 && n <= last; n++)
        if (n % step) add_tic(r, pow(10, n));
}

/** Less than two decades: 1, 2 and 5 of each. */
static void part_tics(sis_ruler* r, double low, double high) {
    static const double share[] = {1, 2, 5};
    for (int n = (int)floor(log10(low)); n <= (int)ceil(log10(high)); n++)
        for (int i = 0; i < 3; i++) {
            double at = share[i] * pow(10, n);
            if (at < low * (1 - 1e-9) || at > high * (1 + 1e-9)) continue;
            sis_tic* tic = add_tic(r, at);
            if (!tic) return;
            char power[24];
            print_power(power, sizeof power, n);
            if (n >= -2 && n <= 3)
                print_number(tic->text, sizeof tic->text, at, n < 0 ? -n : 0);
            else if (i == 0)
                snprintf(tic->text, sizeof tic->text, "%s", power);
            else
                snprintf(tic->text, sizeof tic->text, "%g×%s", share[i], power);
        }
}

static void logarithmic_tics(sis_ruler* r, int most, int limit) {
    double low = fmin(r->from, r->to), high = fmax(r->from, r->to);
    int first = (int)ceil(log10(low) - 1e-9), last = (int)floor(log10(high) + 1e-9);
    if (last - first >= 1 && log10(high / low) >= 1.6)
        decade_tics(r, first, last, most);
    else
        part_tics(r, low, high);
    if (r->tic_count >= 2) return;
    enough_tics(r, most, limit); // a narrow range looks almost linear
}

void sis_ruler_tics(sis_ruler* ruler, double length, double apart) {
    int most = (int)fmin(8, fmax(2, length / apart));
    int limit = (int)fmax(most, length / (0.6 * apart));
    ruler->tic_count = 0;
    ruler->power = 0;
    if (ruler->logarithmic)
        logarithmic_tics(ruler, most, limit);
    else
        enough_tics(ruler, most, limit);
    ruler->tic_width = 0;
    for (int i = 0; i < ruler->tic_count; i++)
        ruler->tic_width = fmax(ruler->tic_width, sis_print_width(ruler->tics[i].text, TIC_PT));
}
