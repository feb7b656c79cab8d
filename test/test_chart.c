// Figures: what they show of any data, how they look from outside, and the word figure{}.

#include "canvas.h"
#include "chart.h"
#include "chart_inside.h"
#include "check.h"
#include "files.h"
#include "out_help.h"
#include "study.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define TAU 6.283185307179586

static bool can_draw(void) {
    sis_fault fault = {0};
    if (sis_canvas_available(&fault)) return true;
    CHECK_SKIP("gnuplot is not installed");
    return false;
}

/** CPU time of this process: gnuplot's follows from what it is given. */
static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static sis_chart_axis axis(const char* label, const char* unit) {
    return (sis_chart_axis){
        .label = label, .unit = unit, .factor = 1, .from = nan(""), .to = nan("")};
}

static sis_chart_line line_of(const double* x, const double* y, size_t count, const char* word) {
    sis_chart_line line = {.x = x, .y = y, .count = count, .name = word};
    CHECK(sis_chart_style(word, &line.stroke));
    return line;
}

/** The bytes of a drawn figure, to be freed. */
static unsigned char* drawn(const sis_chart* chart, sis_format format, size_t* size) {
    sis_fault fault = {0};
    FILE* file = tmpfile();
    *size = 0;
    bool fine = file && sis_chart_draw(chart, format, fileno(file), &fault);
    if (!fine) printf("%s\n", fault.text);
    CHECK(fine);
    unsigned char* bytes = calloc(1, 1 << 22);
    if (file && bytes && fseek(file, 0, SEEK_SET) == 0)
        *size = fread(bytes, 1, (1 << 22) - 1, file);
    if (file) fclose(file);
    return bytes;
}

static unsigned number_at(const unsigned char* bytes) {
    return (unsigned)bytes[0] << 24 | (unsigned)bytes[1] << 16 | (unsigned)bytes[2] << 8 | bytes[3];
}

// ---------------------------------------------------------------------------- numbers

static void every_scheme_has_its_own_stroke(void) {
    for (int i = 0; i < SIS_SCHEME_COUNT; i++) {
        sis_chart_stroke stroke;
        CHECK(sis_chart_style(sis_scheme_word((sis_scheme)i), &stroke));
        for (int k = 0; k < i; k++) {
            sis_chart_stroke other;
            CHECK(sis_chart_style(sis_scheme_word((sis_scheme)k), &other));
            CHECK(strcmp(stroke.colour, other.colour) != 0 || strcmp(stroke.dash, other.dash) != 0);
        }
    }
    static const char* const words[] = {"root 1/2", "root 1",  "root 3",    "reference", "barrier",
                                        "total",    "kinetic", "potential", "elastic",   "contact"};
    sis_chart_stroke stroke;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        CHECK(sis_chart_style(words[i], &stroke));
    CHECK(!sis_chart_style("nothing", &stroke));
    CHECK(sis_chart_colour("blue") && sis_chart_colour("#12aBeF") && !sis_chart_colour("#12aBeG'"));
    int count = 0;
    while (sis_chart_style_word(count))
        count++;
    CHECK(count >= 26 && !sis_chart_style_word(-1));
}

/** Rulers of a panel of one line. */
static void fit(const double* x, const double* y, size_t count, bool logarithmic, sis_ruler* rx,
                sis_ruler* ry) {
    sis_chart_line line = line_of(x, y, count, "ledger");
    sis_chart_panel panel = {
        .x = axis("x", ""), .y = axis("y", ""), .lines = &line, .line_count = 1};
    panel.y.logarithmic = logarithmic;
    sis_ruler_fit(&panel, rx, ry);
    sis_ruler_tics(rx, 70, 12);
    sis_ruler_tics(ry, 35, 8);
}

static void axes_have_few_round_numbers(void) {
    for (int n = -200; n <= 200; n++) {
        double size = pow(10, 0.31 * n), x[2] = {0, 1};
        double y[2] = {-0.37 * size * (n % 3), size};
        for (int logarithmic = 0; logarithmic < 2; logarithmic++) {
            sis_ruler rx, ry;
            fit(x, y, 2, logarithmic, &rx, &ry);
            CHECK(ry.tic_count >= 2 && ry.to > ry.from && isfinite(ry.to - ry.from));
            int numbers = 0;
            for (int i = 0; i < ry.tic_count; i++) {
                double share = sis_ruler_share(&ry, ry.tics[i].at);
                CHECK(share >= -1e-5 && share <= 1 + 1e-5);
                CHECK(strlen(ry.tics[i].text) <= 16);
                numbers += *ry.tics[i].text != 0;
            }
            CHECK(numbers >= 2 && numbers <= 8);
        }
    }
}

static void numbers_are_printed_as_in_print(void) {
    sis_ruler rx, ry;
    double x[2] = {0, 1}, small[2] = {-3e-5, 4e-5}, wide[2] = {1e-12, 1e3};
    char text[SIS_LABEL_ROOM];
    fit(x, small, 2, false, &rx, &ry);
    CHECK(!strcmp(ry.tics[0].text, "−2") && !strcmp(ry.tics[1].text, "0"));
    sis_ruler_label(&ry, "u", "m", text, sizeof text);
    CHECK_TEXT(text, "u (10⁻⁵ m)");
    sis_ruler_label(&ry, "error", NULL, text, sizeof text);
    CHECK_TEXT(text, "error (×10⁻⁵)");
    fit(x, wide, 2, true, &rx, &ry);
    bool found = false;
    for (int i = 0; i < ry.tic_count; i++)
        found = found || !strcmp(ry.tics[i].text, "10⁻⁵");
    CHECK(found && ry.power == 0);
    sis_ruler_label(&ry, "error", "", text, sizeof text);
    CHECK(!strcmp(text, "error"));
}

static void any_data_have_a_range(void) {
    double x[3] = {1, 1, 1}, y[3] = {5, 5, 5}, none[3] = {nan(""), INFINITY, -INFINITY};
    double below[3] = {0, -1, -2}, huge[3] = {-1e308, 1e308, 1};
    const double* data[] = {y, none, below, huge};
    for (size_t i = 0; i < 4; i++)
        for (int logarithmic = 0; logarithmic < 2; logarithmic++)
            for (size_t count = 0; count <= 3; count++) {
                sis_ruler rx, ry;
                fit(x, data[i], count, logarithmic, &rx, &ry);
                CHECK(isfinite(rx.from) && isfinite(rx.to) && rx.from < rx.to);
                CHECK(isfinite(ry.from) && isfinite(ry.to) && ry.from < ry.to);
                CHECK(!logarithmic || ry.from > 0);
            }
}

// ---------------------------------------------------------------------------- thinning

#define LONG 1000000

static sis_picked picked_of(const double* x, const double* y, size_t count, sis_curve curve) {
    sis_chart_line line = line_of(x, y, count, "ledger");
    sis_ruler rx, ry;
    sis_box box = {.width = 70, .height = 35};
    sis_picked picked = {0};
    line.stroke.curve = curve;
    sis_chart_panel panel = {
        .x = axis("x", ""), .y = axis("y", ""), .lines = &line, .line_count = 1};
    sis_ruler_fit(&panel, &rx, &ry);
    CHECK(sis_pick(&panel, &line, &rx, &ry, &box, &picked));
    return picked;
}

static bool has(const sis_picked* picked, size_t index) {
    for (size_t i = 0; i < picked->count; i++)
        if (picked->index[i] == index) return true;
    return false;
}

static void a_long_line_keeps_its_peaks(void) {
    double* x = malloc(2 * LONG * sizeof *x);
    double* y = x + LONG;
    if (!x) return;
    for (size_t i = 0; i < LONG; i++) {
        x[i] = sqrt((double)i); // not even
        y[i] = sin(0.37 * (double)i);
    }
    y[777777] = 3;
    y[123456] = -4;
    sis_picked picked = picked_of(x, y, LONG, SIS_CURVE_LINE);
    CHECK(picked.count < 4000 && picked.count > 1500);
    CHECK(has(&picked, 777777) && has(&picked, 123456) && has(&picked, 0) &&
          has(&picked, LONG - 1));
    for (size_t i = 1; i < picked.count; i++)
        CHECK(picked.index[i] > picked.index[i - 1]);
    free(picked.index);
    // Rounds that were made are not made again, and points that coincide are one.
    for (size_t i = 0; i < LONG; i++) {
        x[i] = cos(TAU / 500 * (double)i);
        y[i] = sin(TAU / 500 * (double)i);
    }
    picked = picked_of(x, y, LONG, SIS_CURVE_LINE);
    CHECK(picked.count >= 500 && picked.count < 1200);
    free(picked.index);
    picked = picked_of(x, y, LONG, SIS_CURVE_POINTS);
    CHECK(picked.count >= 300 && picked.count <= 2500);
    free(picked.index);
    free(x);
}

static void what_is_no_number_is_a_gap(void) {
    double x[12], y[12];
    for (int i = 0; i < 12; i++) {
        x[i] = i;
        y[i] = i == 4 || i == 5 || i == 0 ? nan("") : i == 9 ? (double)INFINITY : (double)(i * i);
    }
    sis_picked picked = picked_of(x, y, 12, SIS_CURVE_LINE);
    static const size_t expected[] = {1, 2, 3, SIS_GAP, 6, 7, 8, SIS_GAP, 10, 11};
    CHECK(picked.count == 10);
    for (size_t i = 0; i < picked.count && i < 10; i++)
        CHECK(picked.index[i] == expected[i]);
    free(picked.index);
    x[7] = -1; // a line that turns back
    picked = picked_of(x, y, 12, SIS_CURVE_LINE);
    CHECK(picked.count >= 10 && picked.index[3] == SIS_GAP && picked.index[7] == SIS_GAP);
    free(picked.index);
}

// ---------------------------------------------------------------------------- pictures

#define POINTS 400
#define ACROSS 21
#define UP     11

#define NASTY "'a' \"b\" \\c @{d}_2^3 %g `ls` $e"

/** A figure with everything in it. */
typedef struct everything {
    double x[POINTS], y[3][POINTS];
    double grid_x[ACROSS], grid_y[UP], grid[UP * ACROSS];
    sis_chart_line lines[12];
    sis_chart_mark marks[2];
    sis_chart_image image;
    sis_chart_panel panels[5];
    sis_chart chart;
} everything;

static void fill_data(everything* e) {
    for (int i = 0; i < POINTS; i++) {
        e->x[i] = 1e-3 * (i + 1);
        e->y[0][i] = 1e-3 * cos(0.05 * i);
        e->y[1][i] = i > 100 && i < 120 ? nan("") : 1e-3 * sin(0.05 * i);
        e->y[2][i] = pow(10, -0.02 * i) * (i % 50 ? 1 : -1);
    }
    for (int i = 0; i < ACROSS; i++)
        e->grid_x[i] = i;
    for (int j = 0; j < UP; j++)
        e->grid_y[j] = j * j;
    for (int i = 0; i < UP * ACROSS; i++)
        e->grid[i] = i == 50 ? nan("") : sin(0.3 * i);
}

static void fill_lines(everything* e) {
    static const sis_curve curves[] = {SIS_CURVE_POINTS, SIS_CURVE_LINESPOINTS, SIS_CURVE_IMPULSES,
                                       SIS_CURVE_STEPS};
    e->lines[0] = line_of(e->x, e->y[0], POINTS, "ledger");
    e->lines[1] = line_of(e->x, e->y[1], POINTS, "newton");
    e->lines[2] = line_of(e->x, e->y[2], POINTS, "quadratised");
    e->lines[3] = line_of(e->x, e->y[0], POINTS, "barrier");
    for (int i = 0; i < 4; i++) {
        e->lines[4 + i] = line_of(e->x, e->y[0], 10, "root 1");
        e->lines[4 + i].stroke.curve = curves[i];
    }
    e->lines[8] = line_of(e->y[0], e->y[1], POINTS, "reference"); // turns back
    e->lines[8].name = NASTY;
    e->lines[9] = line_of(e->x, e->y[0], 0, "total"); // empty
}

static void make_everything(everything* e) {
    fill_data(e);
    fill_lines(e);
    e->marks[0] = (sis_chart_mark){.at = 0.1, .upright = true, .text = "impact"};
    e->marks[1] = (sis_chart_mark){.at = 1e-3, .text = "bound"};
    e->image = (sis_chart_image){.x = e->grid_x,
                                 .y = e->grid_y,
                                 .z = e->grid,
                                 .x_count = ACROSS,
                                 .y_count = UP,
                                 .label = "level",
                                 .unit = "dB",
                                 .from = nan(""),
                                 .to = nan("")};
    for (int i = 0; i < 5; i++)
        e->panels[i] = (sis_chart_panel){.x = axis("t", "ms"), .y = axis("η", "µm")};
    sis_chart_panel* p = e->panels;
    p[0].title = "(a) lines";
    p[0].x.factor = 1e3;
    p[0].lines = e->lines;
    p[0].line_count = 2;
    p[0].marks = e->marks;
    p[0].mark_count = 2;
    p[0].note = "α = 1.3\nsecond";
    p[1].title = "(b) decades";
    p[1].y.logarithmic = p[1].x.logarithmic = true;
    p[1].lines = &e->lines[2];
    p[1].line_count = 1;
    p[1].legend = SIS_LEGEND_OUTSIDE;
    p[2].title = "(c) styles";
    p[2].lines = &e->lines[3];
    p[2].line_count = 5;
    p[2].legend = SIS_LEGEND_INSIDE;
    p[2].legend_x = -1;
    p[3].title = NASTY;
    p[3].x.label = NASTY;
    p[3].lines = &e->lines[8];
    p[3].line_count = 2;
    p[3].equal = true;
    p[4].title = "(e) image";
    p[4].image = &e->image;
    p[4].lines = e->lines;
    p[4].line_count = 1;
    e->chart = (sis_chart){
        .width = SIS_CHART_TWO, .height = 45, .columns = 2, .panels = p, .panel_count = 5};
}

static void a_figure_has_the_size_of_print(void) {
    if (!can_draw()) return;
    everything e = {0};
    make_everything(&e);
    size_t size, again_size;
    unsigned char* png = drawn(&e.chart, SIS_FORMAT_PNG, &size);
    CHECK(png && size > 30000 && !memcmp(png, "\x89PNG\r\n\x1a\n", 8));
    CHECK(png && number_at(png + 16) == 2008 && number_at(png + 20) > 1500);
    // 300 pixels to the inch, told by the chunk after the header.
    CHECK(png && !memcmp(png + 37, "pHYs", 4) && number_at(png + 41) == 11811);
    CHECK(png && !memcmp(png + size - 8, "IEND", 4));
    unsigned char* again = drawn(&e.chart, SIS_FORMAT_PNG, &again_size);
    CHECK(png && again && size == again_size && !memcmp(png, again, size));
    free(png);
    free(again);
}

static void texts_show_literally(void) {
    if (!can_draw()) return;
    everything e = {0};
    make_everything(&e);
    size_t size, again_size;
    char* svg = (char*)drawn(&e.chart, SIS_FORMAT_SVG, &size);
    char* again = (char*)drawn(&e.chart, SIS_FORMAT_SVG, &again_size);
    CHECK(svg && again && size == again_size && !strcmp(svg, again));
    static const char* const texts[] = {
        "width=\"643\"", "t (ms)",  "η (10⁻³ µm)", "level (dB)", "newton", "10⁻⁶", "impact",
        "bound",         "α = 1.3", "second",      "barrier",    "lines",  "−1"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        CHECK(svg && strstr(svg, texts[i]));
    // Title, label and legend; the one that starts with a quote has a space before it.
    int found = 0;
    for (const char* c = svg; c && (c = strstr(c, NASTY)) != NULL; c++)
        found++;
    CHECK(found == 3);
    CHECK(svg && strstr(svg, "font-weight=\"bold\"") && strstr(svg, "</svg>"));
    free(svg);
    free(again);
}

static void nothing_at_all_is_a_figure_too(void) {
    if (!can_draw()) return;
    double none[2] = {nan(""), nan("")}, one[1] = {1};
    sis_chart_line lines[] = {line_of(none, none, 2, "ledger"), line_of(one, one, 0, "newton")};
    sis_chart_image image = {
        .x = one, .y = one, .z = none, .x_count = 1, .y_count = 1, .from = nan(""), .to = nan("")};
    sis_chart_panel panels[3] = {{.lines = lines, .line_count = 2}, {0}, {.image = &image}};
    for (int i = 0; i < 3; i++) {
        panels[i].x = panels[i].y = axis(NULL, NULL);
        panels[i].x.logarithmic = i == 1;
    }
    sis_chart chart = {
        .width = SIS_CHART_ONE, .height = 20, .columns = 3, .panels = panels, .panel_count = 3};
    size_t size;
    unsigned char* svg = drawn(&chart, SIS_FORMAT_SVG, &size);
    CHECK(size > 1000 && svg && strstr((char*)svg, "</svg>"));
    free(svg);
}

static void a_million_points_are_drawn_fast(void) {
    if (!can_draw()) return;
    double* x = malloc(2 * LONG * sizeof *x);
    double* y = x + LONG;
    if (!x) return;
    for (size_t i = 0; i < LONG; i++) {
        x[i] = 1e-6 * (double)i;
        y[i] = sin(0.37 * (double)i);
    }
    sis_chart_line line = line_of(x, y, LONG, "ledger");
    sis_chart_panel panel = {
        .x = axis("t", "s"), .y = axis("u", "m"), .lines = &line, .line_count = 1};
    sis_chart chart = {
        .width = SIS_CHART_ONE, .height = 45, .columns = 1, .panels = &panel, .panel_count = 1};
    size_t size;
    double start = seconds();
    free(drawn(&chart, SIS_FORMAT_SVG, &size));
    CHECK(size > 10000 && size < 200000);
    CHECK(SANITIZED || seconds() - start < 1);
    FILE* csv = tmpfile();
    sis_fault fault = {0};
    CHECK(csv && sis_chart_write_lines(&chart, csv, &fault) && ftell(csv) < 1000000);
    if (csv) fclose(csv);
    free(x);
}

static void numbers_are_written_exactly(void) {
    double x[2] = {0.1, 1.0 / 3}, y[2] = {nan(""), -0.5};
    sis_chart_line line = line_of(x, y, 2, "ledger");
    sis_chart_panel panel = {.title = "a, \"b\"", .x = axis("", ""), .y = axis("", "")};
    panel.lines = &line;
    panel.line_count = 1;
    sis_chart chart = {
        .width = SIS_CHART_ONE, .height = 45, .columns = 1, .panels = &panel, .panel_count = 1};
    char text[512] = "";
    sis_fault fault = {0};
    FILE* csv = tmpfile();
    CHECK(csv && sis_chart_write_lines(&chart, csv, &fault));
    if (!csv) return;
    rewind(csv);
    text[fread(text, 1, sizeof text - 1, csv)] = 0;
    fclose(csv);
    CHECK(!strcmp(text, "panel,line,x,y\n\"a, \"\"b\"\"\",ledger,0.10000000000000001,\n"
                        "\"a, \"\"b\"\"\",ledger,0.33333333333333331,-0.5\n"));
}

// ---------------------------------------------------------------------------- figure{}

/** Runs a script that makes figures; the sentence in `fault` when it fails. */
static json_t* run_script(const char* body, const char* out, sis_fault* fault) {
    FILE* file = fopen(in_folder("repro/paper/item.lua"), "w");
    CHECK(file != NULL);
    if (!file) return NULL;
    fprintf(file, "about { place = \"Fig. 1\", title = \"test\" }\nlocal v = range(0, 1, 5)\n%s\n",
            body);
    fclose(file);
    sis_study study = {.root = folder, .paper = "paper", .item = "item", .out = out};
    json_t* result = sis_study_run(&study, fault);
    unlink(in_folder("repro/paper/item.lua"));
    return result;
}

static bool exists(const char* name) {
    return access(in_folder(name), F_OK) == 0;
}

static void a_figure_leaves_its_files(void) {
    if (!can_draw()) return;
    static const char body[] =
        "figure { caption = 'c', panels = { { x = { label = 't' }, lines = { { x = v, y = v * v, "
        "scheme = 'ledger' } }, image = { x = v, y = { 1, 2 }, z = vec(10) } } } }";
    static const char* const files[] = {"item.png", "item.svg", "item.csv", "item.image.csv"};
    for (int drawing = 0; drawing < 2; drawing++) {
        sis_fault fault = {0};
        json_t* result = run_script(body, drawing ? folder : NULL, &fault);
        if (!result) printf("%s\n", fault.text);
        CHECK(result != NULL);
        json_t* figure = json_array_get(json_object_get(result, "figures"), 0);
        CHECK_TEXT(json_string_value(json_object_get(figure, "name")), "item");
        CHECK_TEXT(json_string_value(json_object_get(figure, "caption")), "c");
        json_decref(result);
        for (size_t i = 0; i < 4; i++) {
            CHECK(exists(files[i]) == drawing);
            unlink(in_folder(files[i]));
        }
    }
}

#define LINES "{ lines = { { x = v, y = v } } }"

static void what_is_wrong_is_named(void) {
    static const char* const wrong[][2] = {
        {"figure { panels = { { lines = { { x = v, y = v, colur = 'blue' } } } } }",
         "figure, panel 1, line 1: unknown key 'colur'"},
        {"figure { panels = { " LINES ", { lines = { { x = v, y = vec(3) } } } } }",
         "figure, panel 2, line 1: x has 5 numbers and y has 3"},
        {"figure { panels = { { y = { log = 1 }, lines = {} } } }",
         "figure, panel 1, y: log must be true or false, not a number"},
        {"figure { panels = { { lines = { { x = v, y = v, scheme = 'x' } } } } }",
         "scheme 'x' has no colour; there are ledger,"},
        {"figure { panels = { { image = { x = v, y = v, z = v } } } }",
         "figure, panel 1, image: z has 5 numbers; x times y is 5 times 5"},
        {"figure { panels = { { marks = { {} }, lines = {} } } }", "mark 1: needs either x or y"},
        {"figure { panels = { { legend = 'up', lines = { { x = v, y = v } } } } }",
         "legend is 'up'"},
        {"figure { panels = { {} } }", "figure, panel 1: needs lines or an image"},
        {"figure { panels = { " LINES ", { lines = {} } } }",
         "figure, panel 2: needs lines or an image"},
        {"figure { panels = { { lines = { { x = v, y = v }, { x = v, y = v / 0 * 0 } } } } }",
         "figure, panel 1, line 2: there is nothing to draw: none of 5 points is finite"},
        {"figure { panels = { { y = { log = true }, lines = { { x = v, y = -v } } } } }",
         "figure, panel 1, line 1: there is nothing to draw"},
        {"figure { panels = { { lines = { { x = {}, y = {} } } } } }", "none of 0 points"},
        {"figure { panels = { { y = { log = true }, lines = { { x = v, y = vec(5), style = 'fill' "
         "} } } } }",
         "figure, panel 1: there is nothing to draw: all bars"},
        {"local one = { x = v, y = v }\nfigure { panels = { { y = { log = true }, lines = { { x = "
         "v, "
         "y = vec(5), style = 'fill' }, one } } } }\nerror('fine')",
         "fine"},
        {"figure { panels = { { image = { x = v, y = { 1 }, z = v * (0 / 0) } } } }",
         "figure, panel 1, image: there is nothing to draw"},
        {"figure { panels = 3 }", "figure: panels must be a list of tables, not a number"},
        {"figure { name = '../x', panels = { " LINES " } }", "must be made of letters"},
        {"figure { columns = 0, panels = { { lines = {} } } }", "columns is 0"},
        {"figure { panels = { " LINES " } } figure { panels = { " LINES " } }",
         "there is a figure 'item' already"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        sis_fault fault = {0};
        json_t* result = run_script(wrong[i][0], NULL, &fault);
        CHECK(result == NULL);
        CHECK_TEXT(fault.text, wrong[i][1]);
        json_decref(result);
    }
}

/** Where the n-th text of an SVG that is `text` begins, pixels; NaN: there is none. */
static double text_left(const char* svg, const char* text, int n) {
    const char* at = svg;
    while (at && n-- >= 0)
        at = strstr(at + 1, text);
    double left = nan("");
    if (!at) return left;
    for (const char* place = svg; (place = strstr(place, "translate(")) && place < at; place++)
        left = strtod(place + strlen("translate("), NULL);
    return left;
}

static void titles_begin_where_their_boxes_do(void) {
    if (!can_draw()) return;
    double x[2] = {0, 1}, y[2] = {-250, 400};
    sis_chart_line line = line_of(x, y, 2, "total");
    sis_chart_panel panels[6];
    for (int i = 0; i < 6; i++)
        panels[i] = (sis_chart_panel){.title = i == 0   ? "(a) a benchmark (23), 44.1 kHz"
                                               : i == 5 ? "(a) and a longer title at the end"
                                                        : "(a) s",
                                      .x = axis("t", "ms"),
                                      .y = axis("energy", "J"),
                                      .lines = &line,
                                      .line_count = 1};
    sis_chart chart = {
        .width = SIS_CHART_TWO, .height = 45, .columns = 3, .panels = panels, .panel_count = 6};
    size_t size;
    char* svg = (char*)drawn(&chart, SIS_FORMAT_SVG, &size);
    for (int i = 0; svg && i < 3; i++) {
        double above = text_left(svg, ">(a)<", i), below = text_left(svg, ">(a)<", i + 3);
        CHECK(above > 20 && fabs(above - below) < 0.1);
    }
    free(svg);
}

int main(void) {
    snprintf(folder, sizeof folder, "/tmp/sistrum-test-XXXXXX");
    if (!mkdtemp(folder)) return 1;
    if (mkdir(in_folder("repro"), 0700) || mkdir(in_folder("repro/paper"), 0700)) return 1;
    RUN(every_scheme_has_its_own_stroke);
    RUN(axes_have_few_round_numbers);
    RUN(numbers_are_printed_as_in_print);
    RUN(any_data_have_a_range);
    RUN(a_long_line_keeps_its_peaks);
    RUN(what_is_no_number_is_a_gap);
    RUN(a_figure_has_the_size_of_print);
    RUN(texts_show_literally);
    RUN(titles_begin_where_their_boxes_do);
    RUN(nothing_at_all_is_a_figure_too);
    RUN(a_million_points_are_drawn_fast);
    RUN(numbers_are_written_exactly);
    RUN(a_figure_leaves_its_files);
    RUN(what_is_wrong_is_named);
    rmdir(in_folder("repro/paper"));
    rmdir(in_folder("repro"));
    rmdir(folder);
    return CHECK_REPORT();
}
