/** @file chart.h
 * Figures as a journal prints them: panels in a grid, each with lines or an image, drawn by gnuplot
 * at the size of print. Texts and numbers are the caller's and live until the figure is drawn.
 *
 * Data may hold anything: what is not a finite number, and on a logarithmic axis what is not
 * positive, is a gap in its line. Long lines are thinned out to what the print can resolve, without
 * losing a peak.
 */
#ifndef SISTRUM_OUT_CHART_H
#define SISTRUM_OUT_CHART_H

#include "canvas.h"

#include <stddef.h>

#define SIS_CHART_ONE 85.0  // mm, one column of a journal
#define SIS_CHART_TWO 170.0 // mm, both

typedef enum sis_curve {
    SIS_CURVE_LINE,
    SIS_CURVE_POINTS,
    SIS_CURVE_LINESPOINTS,
    SIS_CURVE_IMPULSES,
    SIS_CURVE_STEPS,
    SIS_CURVE_FILL, ///< the area inside of a closed line, or from a line down to the lower border
} sis_curve;

/** How a line is drawn. */
typedef struct sis_chart_stroke {
    const char* colour; ///< "#0072B2" or "black"
    const char* dash;   ///< as gnuplot writes it: "1" is solid, "(5,6)"
    double width;       ///< of SIS_CHART_WIDTH
    int mark;           ///< number of gnuplot's point type
    sis_curve curve;
} sis_chart_stroke;

#define SIS_CHART_WIDTH 0.55 // pt, of a line of width 1

/** The stroke of a scheme or of anything else that has its own in all figures ("ledger", "root
 * 1/2", "kinetic", "barrier"). False: the word has none. */
bool sis_chart_style(const char* word, sis_chart_stroke* stroke);

/** The i-th word that has a stroke; NULL: there are no more. */
const char* sis_chart_style_word(int i);

/** The stroke of the i-th line that says nothing about it. */
sis_chart_stroke sis_chart_style_plain(int i);

/** A colour by its name ("blue", "vermillion") or as "#RRGGBB"; NULL: there is none. */
const char* sis_chart_colour(const char* name);

typedef struct sis_chart_axis {
    const char* label; ///< NULL: none
    const char* unit;  ///< NULL or "": none
    double factor;     ///< what is shown is factor times the data
    double from, to;   ///< as shown; NaN: what the data need
    bool logarithmic;
} sis_chart_axis;

typedef struct sis_chart_line {
    const double *x, *y; ///< [count]
    size_t count;
    const char* name; ///< NULL or "": not in the legend
    sis_chart_stroke stroke;
} sis_chart_line;

typedef enum sis_palette {
    SIS_PALETTE_HEAT,      ///< white to dark, the larger the darker
    SIS_PALETTE_GREY,      ///< white to black
    SIS_PALETTE_DIVERGING, ///< blue, white at zero, red
} sis_palette;

typedef struct sis_chart_image {
    const double* x; ///< [x_count], increasing or decreasing
    const double* y; ///< [y_count]
    const double* z; ///< [y_count][x_count]
    size_t x_count, y_count;
    const char *label, *unit; ///< of the colour bar
    double from, to;          ///< NaN: what the data need
    sis_palette palette;
} sis_chart_image;

/** A thin line across the panel. */
typedef struct sis_chart_mark {
    double at;        ///< in the data
    bool upright;     ///< at x, else at y
    const char* text; ///< NULL: none
} sis_chart_mark;

typedef enum sis_legend {
    SIS_LEGEND_AUTO,    ///< where no data are; outside when there is no such place
    SIS_LEGEND_NONE,    //
    SIS_LEGEND_INSIDE,  ///< at legend_x, legend_y
    SIS_LEGEND_OUTSIDE, ///< above the panels
} sis_legend;

typedef struct sis_chart_panel {
    const char* title; ///< "(a) text": the letter is bold; NULL: none
    sis_chart_axis x, y;
    bool equal; ///< one of x is as long as one of y
    sis_legend legend;
    int legend_x, legend_y; ///< -1 left or bottom, 0 centre, 1 right or top
    const char* note;       ///< in a corner, lines parted by '\n'; NULL: none
    const sis_chart_mark* marks;
    size_t mark_count;
    const sis_chart_line* lines;
    size_t line_count;
    const sis_chart_image* image; ///< under the lines; NULL: none
} sis_chart_panel;

typedef struct sis_chart {
    double width;  ///< mm
    double height; ///< mm of a row of panels with its labels
    int columns;
    const sis_chart_panel* panels;
    size_t panel_count; ///< at least 1
} sis_chart;

/** Draws onto a descriptor: PNG of 300 pixels to the inch, SVG and PDF of the size of print. */
bool sis_chart_draw(const sis_chart* chart, sis_format format, int descriptor, sis_fault* fault);

/** The data of all lines, before their factor: panel,line,x,y. Very long lines as they are drawn.
 */
bool sis_chart_write_lines(const sis_chart* chart, FILE* stream, sis_fault* fault);

/** Those of all images: panel,image,x,y,z. Very large ones by every n-th row and column. */
bool sis_chart_write_images(const sis_chart* chart, FILE* stream, sis_fault* fault);

#endif
