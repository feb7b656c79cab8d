// A panel of figure{}: axes, lines, image, marks.

#include "figure_read.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------------------- axes

static void read_axis(const sis_spot* panel, const char* key, sis_chart_axis* axis, bool* equal) {
    static const char* const keys[] = {"label", "unit",   "from",  "to",
                                       "log",   "factor", "equal", NULL};
    sis_spot spot;
    *axis = (sis_chart_axis){.factor = 1, .from = nan(""), .to = nan("")};
    if (!sis_spot_table(panel, key, &spot)) return;
    sis_spot_keys(&spot, keys);
    axis->label = sis_spot_text(&spot, "label");
    axis->unit = sis_spot_text(&spot, "unit");
    axis->factor = sis_spot_number(&spot, "factor", 1);
    axis->from = sis_spot_number(&spot, "from", nan(""));
    axis->to = sis_spot_number(&spot, "to", nan(""));
    axis->logarithmic = sis_spot_flag(&spot, "log");
    *equal = sis_spot_flag(&spot, "equal") || *equal;
    if (axis->factor == 0) sis_spot_refuse(&spot, "factor must not be 0");
    if (axis->from == axis->to) sis_spot_refuse(&spot, "from and to are both %g", axis->from);
    if (axis->logarithmic && (axis->from <= 0 || axis->to <= 0))
        sis_spot_refuse(&spot, "from and to of a logarithmic axis must be larger than 0");
    lua_pop(panel->L, 1);
}

// ---------------------------------------------------------------------------- lines

static const char* const style_words[] = {"line",        "dash",     "dot",   "dash-dot", "points",
                                          "linespoints", "impulses", "steps", "fill",     NULL};

static void apply_style(sis_chart_stroke* stroke, int style) {
    static const char* const dashes[] = {"1", "(7,4)", "(1.5,3)", "(7,3,1.5,3)"};
    static const sis_curve curves[] = {SIS_CURVE_LINE,     SIS_CURVE_LINE,   SIS_CURVE_LINE,
                                       SIS_CURVE_LINE,     SIS_CURVE_POINTS, SIS_CURVE_LINESPOINTS,
                                       SIS_CURVE_IMPULSES, SIS_CURVE_STEPS,  SIS_CURVE_FILL};
    if (style < 0) return;
    if (style < 4) stroke->dash = dashes[style];
    stroke->curve = curves[style];
}

/** A scheme, else the plain stroke of the line's place in the panel. */
static void read_scheme(const sis_spot* spot, size_t number, sis_chart_line* line) {
    const char* scheme = sis_spot_text(spot, "scheme");
    line->stroke = sis_chart_style_plain((int)number);
    if (!scheme) return;
    if (!sis_chart_style(scheme, &line->stroke)) {
        char known[400] = "";
        const char* word;
        for (int i = 0; (word = sis_chart_style_word(i)) != NULL; i++)
            snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", i ? ", " : "",
                     word);
        sis_spot_refuse(spot, "scheme '%.40s' has no colour; there are %s", scheme, known);
    }
    line->name = scheme;
}

/** A point: a word, or the number of gnuplot's. */
static int read_point(const sis_spot* spot, int otherwise) {
    static const char* const words[] = {
        "plus",     "cross", "star",          "square",     "box",     "circle", "disc",
        "triangle", "wedge", "triangle down", "wedge down", "diamond", "gem",    NULL};
    lua_State* L = spot->L;
    lua_pushliteral(L, "point");
    bool number = lua_rawget(L, spot->index) == LUA_TNUMBER;
    lua_pop(L, 1);
    if (!number) {
        int word = sis_spot_word(spot, "point", words);
        return word < 0 ? otherwise : word + 1;
    }
    double value = sis_spot_number(spot, "point", 0);
    if (!(value >= 1 && value <= 15) || value != floor(value))
        sis_spot_refuse(spot, "point is %g; it must be a whole number from 1 to 15, or a word",
                        value);
    return (int)value;
}

static void read_line(const sis_spot* spot, size_t number, sis_chart_line* line) {
    static const char* const keys[] = {"x",     "y",     "name",  "scheme", "colour",
                                       "style", "width", "point", NULL};
    size_t x_count;
    sis_spot_keys(spot, keys);
    line->x = sis_spot_numbers(spot, "x", &x_count);
    line->y = sis_spot_numbers(spot, "y", &line->count);
    if (x_count != line->count)
        sis_spot_refuse(spot, "x has %zu %s and y has %zu", x_count,
                        sis_plural(x_count, "number", "numbers"), line->count);
    read_scheme(spot, number, line);
    if (sis_spot_has(spot, "name")) line->name = sis_spot_text(spot, "name");
    const char* colour = sis_spot_text(spot, "colour");
    if (colour) line->stroke.colour = sis_chart_colour(colour);
    if (!line->stroke.colour)
        sis_spot_refuse(spot,
                        "colour '%.40s' is unknown; there are blue, sky, vermillion, red, green, "
                        "orange, purple, grey, lightgrey, ink, black and \"#RRGGBB\"",
                        colour);
    apply_style(&line->stroke, sis_spot_word(spot, "style", style_words));
    line->stroke.width = sis_spot_number(spot, "width", line->stroke.width);
    if (!(line->stroke.width > 0 && line->stroke.width <= 20))
        sis_spot_refuse(spot, "width is %g; it must be above 0 and at most 20", line->stroke.width);
    line->stroke.mark = read_point(spot, line->stroke.mark);
}

static bool can_be_shown(double value, const sis_chart_axis* axis) {
    double shown = value * axis->factor;
    return isfinite(shown) && (!axis->logarithmic || shown > 0);
}

static bool has_point(const sis_chart_panel* panel, const sis_chart_line* line) {
    for (size_t i = 0; i < line->count; i++)
        if (can_be_shown(line->x[i], &panel->x) && can_be_shown(line->y[i], &panel->y)) return true;
    return false;
}

/** A bar of height zero: on a logarithmic axis it is not to be seen. */
static bool is_no_bar(const sis_chart_line* line) {
    for (size_t i = 0; i < line->count; i++)
        if (line->y[i] != 0 || !isfinite(line->x[i])) return false;
    return line->count && line->stroke.curve == SIS_CURVE_FILL;
}

/** A line that does not show is no figure: something has gone wrong before. */
static bool check_points(const sis_spot* spot, const sis_chart_panel* panel,
                         const sis_chart_line* line) {
    bool shows = has_point(panel, line);
    if (!shows && !is_no_bar(line))
        sis_spot_refuse(spot, "there is nothing to draw: none of %zu %s is finite%s", line->count,
                        sis_plural(line->count, "point", "points"),
                        panel->x.logarithmic || panel->y.logarithmic
                            ? " and, on a logarithmic axis, larger than 0"
                            : "");
    return shows;
}

static void read_lines(const sis_spot* spot, sis_chart_panel* panel) {
    size_t count = sis_spot_list(spot, "lines");
    sis_chart_line* lines = sis_spot_room(spot, count, sizeof *lines);
    bool shows = !count;
    for (size_t i = 0; i < count; i++) {
        sis_spot line = sis_spot_element(spot, "line", i);
        read_line(&line, i, &lines[i]);
        shows = check_points(&line, panel, &lines[i]) || shows;
        lua_pop(spot->L, 1);
    }
    lua_pop(spot->L, 1);
    if (!shows) sis_spot_refuse(spot, "there is nothing to draw: all bars are of height zero");
    panel->lines = lines;
    panel->line_count = count;
}

// ---------------------------------------------------------------------------- image, marks

static bool is_monotonic(const double* x, size_t count) {
    for (size_t i = 1; i < count; i++)
        if (!(count > 1 && x[1] > x[0] ? x[i] > x[i - 1] : x[i] < x[i - 1])) return false;
    return true;
}

static void read_image(const sis_spot* panel_spot, sis_chart_panel* panel) {
    static const char* const keys[] = {"x",    "y",  "z",       "label", "unit",
                                       "from", "to", "palette", NULL};
    static const char* const palettes[] = {"heat", "grey", "diverging", NULL};
    sis_spot spot;
    if (!sis_spot_table(panel_spot, "image", &spot)) return;
    sis_chart_image* image = sis_spot_room(&spot, 1, sizeof *image);
    size_t z_count;
    sis_spot_keys(&spot, keys);
    image->x = sis_spot_numbers(&spot, "x", &image->x_count);
    image->y = sis_spot_numbers(&spot, "y", &image->y_count);
    image->z = sis_spot_numbers(&spot, "z", &z_count);
    if (z_count != image->x_count * image->y_count || !z_count)
        sis_spot_refuse(&spot, "z has %zu %s; x times y is %zu times %zu", z_count,
                        sis_plural(z_count, "number", "numbers"), image->x_count, image->y_count);
    bool empty = true;
    for (size_t i = 0; i < z_count && empty; i++)
        empty = !isfinite(image->z[i]);
    if (empty)
        sis_spot_refuse(&spot, "there is nothing to draw: none of %zu %s is finite", z_count,
                        sis_plural(z_count, "value", "values"));
    if (!is_monotonic(image->x, image->x_count)) sis_spot_refuse(&spot, "x must be increasing");
    if (!is_monotonic(image->y, image->y_count)) sis_spot_refuse(&spot, "y must be increasing");
    image->label = sis_spot_text(&spot, "label");
    image->unit = sis_spot_text(&spot, "unit");
    image->from = sis_spot_number(&spot, "from", nan(""));
    image->to = sis_spot_number(&spot, "to", nan(""));
    if (image->from >= image->to)
        sis_spot_refuse(&spot, "from is %g and to is %g", image->from, image->to);
    int palette = sis_spot_word(&spot, "palette", palettes);
    image->palette = palette < 0 ? SIS_PALETTE_HEAT : (sis_palette)palette;
    lua_pop(spot.L, 1);
    panel->image = image;
}

static void read_marks(const sis_spot* spot, sis_chart_panel* panel) {
    static const char* const keys[] = {"x", "y", "text", NULL};
    size_t count = sis_spot_list(spot, "marks");
    sis_chart_mark* marks = sis_spot_room(spot, count, sizeof *marks);
    for (size_t i = 0; i < count; i++) {
        sis_spot mark = sis_spot_element(spot, "mark", i);
        sis_spot_keys(&mark, keys);
        marks[i].upright = sis_spot_has(&mark, "x");
        if (marks[i].upright == sis_spot_has(&mark, "y"))
            sis_spot_refuse(&mark, "needs either x or y");
        marks[i].at = sis_spot_number(&mark, marks[i].upright ? "x" : "y", 0);
        marks[i].text = sis_spot_text(&mark, "text");
        lua_pop(spot->L, 1);
    }
    lua_pop(spot->L, 1);
    panel->marks = marks;
    panel->mark_count = count;
}

// ---------------------------------------------------------------------------- legend

/** "top right", "left", "bottom centre". */
static void read_corner(const sis_spot* spot, const char* text, sis_chart_panel* panel) {
    static const char* const words[] = {"left", "right", "bottom", "top", "centre", "center"};
    panel->legend = SIS_LEGEND_INSIDE;
    const char* c = text;
    while (*c) {
        size_t length = strcspn(c, " "), i = 0;
        while (i < 6 && (strlen(words[i]) != length || strncmp(words[i], c, length) != 0))
            i++;
        if (i < 2)
            panel->legend_x = i ? 1 : -1;
        else if (i < 4)
            panel->legend_y = i == 3 ? 1 : -1;
        else if (i == 6)
            sis_spot_refuse(spot,
                            "legend is '%.40s'; it must be \"outside\", false, or made of top, "
                            "bottom, left, right, centre",
                            text);
        c += length;
        c += strspn(c, " ");
    }
}

/** A single line whose name is only that of its scheme needs no legend unless one is asked for. */
static bool needs_legend(const sis_spot* spot, const sis_chart_panel* panel) {
    if (panel->line_count != 1) return true;
    sis_spot_list(spot, "lines");
    sis_spot line = sis_spot_element(spot, "line", 0);
    bool named = sis_spot_has(&line, "name");
    lua_pop(spot->L, 2);
    return named;
}

static void read_legend(const sis_spot* spot, sis_chart_panel* panel) {
    lua_State* L = spot->L;
    lua_pushliteral(L, "legend");
    int type = lua_rawget(L, spot->index);
    bool on = lua_toboolean(L, -1);
    lua_pop(L, 1);
    panel->legend = SIS_LEGEND_AUTO;
    if (type == LUA_TNIL && !needs_legend(spot, panel)) panel->legend = SIS_LEGEND_NONE;
    if (type == LUA_TBOOLEAN && !on) panel->legend = SIS_LEGEND_NONE;
    if (type == LUA_TNIL || type == LUA_TBOOLEAN) return;
    const char* text = sis_spot_text(spot, "legend");
    if (strcmp(text, "outside") == 0)
        panel->legend = SIS_LEGEND_OUTSIDE;
    else
        read_corner(spot, text, panel);
}

// ---------------------------------------------------------------------------- all

void sis_figure_panel(const sis_spot* spot, sis_chart_panel* panel) {
    static const char* const keys[] = {"title", "x",     "y",     "legend", "note",
                                       "marks", "lines", "image", NULL};
    sis_spot_keys(spot, keys);
    panel->title = sis_spot_text(spot, "title");
    panel->note = sis_spot_text(spot, "note");
    read_axis(spot, "x", &panel->x, &panel->equal);
    read_axis(spot, "y", &panel->y, &panel->equal);
    read_marks(spot, panel);
    read_lines(spot, panel);
    read_image(spot, panel);
    if (!panel->image && !panel->line_count) sis_spot_refuse(spot, "needs lines or an image");
    read_legend(spot, panel);
}
