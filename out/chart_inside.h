// What the files of chart.h share. Lengths are in mm from the lower left corner of the figure.
#ifndef SISTRUM_OUT_CHART_INSIDE_H
#define SISTRUM_OUT_CHART_INSIDE_H

#include "chart.h"

#define TIC_PT    7.0 // letters of numbers, legends and notes
#define LABEL_PT  8.0 // of labels and titles
#define PT        (25.4 / 72)
#define TIC_ROOM  1.5 // mm between an axis and its numbers
#define BAR_GAP   1.8 // mm between an image and its colour bar
#define BAR_WIDTH 3.0 // mm

typedef struct sis_box {
    double left, bottom, width, height;
} sis_box;

// ---------------------------------------------------------------------------- chart_axis.c

#define SIS_TICS_MAX 24

typedef struct sis_tic {
    double at;
    char text[40]; // "": a short one without a number
} sis_tic;

/** An axis as it is drawn. */
typedef struct sis_ruler {
    double from, to; // as shown; to < from: it runs backwards
    bool free;       // the data chose an end
    bool logarithmic;
    int power; // numbers at tics are parts of 10^power
    int tic_count;
    sis_tic tics[SIS_TICS_MAX];
    double tic_width; // mm, of the widest number
} sis_ruler;

/** Where a shown value is: 0 at `from`, 1 at `to`; NaN: nowhere. */
double sis_ruler_share(const sis_ruler* ruler, double value);

/** Ranges of both axes, from what the panel says and from its data. */
void sis_ruler_fit(const sis_chart_panel* panel, sis_ruler* x, sis_ruler* y);

/** Range of the colours. */
void sis_ruler_fit_image(const sis_chart_image* image, sis_ruler* z);

/** Few round numbers, about one in `apart` mm of `length`. */
void sis_ruler_tics(sis_ruler* ruler, double length, double apart);

#define SIS_LABEL_ROOM 256

/** "u (10⁻³ m)"; "" when there is nothing to say. */
void sis_ruler_label(const sis_ruler* ruler, const char* label, const char* unit, char* text,
                     size_t size);

/** Width of a text, about, mm. */
double sis_print_width(const char* text, double pt);

// ---------------------------------------------------------------------------- chart_line.c

#define SIS_GAP SIZE_MAX

/** Which points of a line are drawn; SIS_GAP between two of them: not joined. */
typedef struct sis_picked {
    size_t* index;
    size_t count, room;
} sis_picked;

/** Picks what a box of that size can show. False: no memory. */
bool sis_pick(const sis_chart_panel* panel, const sis_chart_line* line, const sis_ruler* x,
              const sis_ruler* y, const sis_box* box, sis_picked* picked);

// ---------------------------------------------------------------------------- chart_layout.c

typedef const sis_chart_line* sis_entry; // of a legend

/** A legend: lines with a name, each pair of name and stroke once. */
typedef struct sis_key {
    sis_entry* lines;
    size_t count;
    sis_box box;   // without its rim
    size_t in_row; // entries in a row
    bool framed;   // it lies on a panel: white behind it
    bool beside;   // on the line of the title
} sis_key;

typedef struct sis_place {
    const sis_chart_panel* panel;
    sis_box box; // of the data
    sis_ruler x, y, z;
    bool x_numbers, x_label;
    double title_up;                // mm from the box to the middle of the title
    double title_room;              // mm from the left edge of the box on
    double label_left, label_right; // mm from the box to the middle of the upright labels
    sis_picked* picked;             // [line_count]
    sis_key key;
    double note_x, note_y; // upper left corner of the note, from the lower left one of the box
    bool note_covers;      // data lie under it
    sis_box* mark_texts;   // [mark_count], likewise
    bool* mark_covers;     // [mark_count]
} sis_place;

typedef struct sis_layout {
    double width, height;
    sis_place* places; // [count]
    size_t count;
    sis_key key; // above all panels
} sis_layout;

/** Finds a place for everything. */
bool sis_layout_make(sis_layout* layout, const sis_chart* chart, sis_fault* fault);
void sis_layout_free(sis_layout* layout);

// ---------------------------------------------------------------------------- chart_key.c

#define KEY_SAMPLE 6.0 // mm of line before a name
#define KEY_LINE   3.4 // mm from row to row
#define KEY_GAP    1.2 // mm between line and name
#define KEY_RIM    0.8 // mm of white around a legend

/** Gathers the entries of a panel, behind those that are there. */
void sis_key_gather(sis_key* key, const sis_chart_panel* panel);

/** Whether a stroke has two names: such legends must not be joined. */
bool sis_key_contradicts(const sis_key* key);

/** Lays the entries out in rows of at most `width` mm. */
void sis_key_wrap(sis_key* key, double width);

/** Whether all entries are among those of another legend. */
bool sis_key_repeats(const sis_key* key, const sis_key* other);

/** Finds a place for legend, note and names of marks inside of a panel. False: there is none for
 * the legend. */
bool sis_key_settle(sis_place* place);

/** Height of a legend that is laid out, 0: it has no entries. */
double sis_key_height(const sis_key* key);

void sis_key_draw(const sis_canvas* canvas, const sis_layout* layout, const sis_key* key);

// ---------------------------------------------------------------------------- chart.c

#define SIS_TIC_LOOK "nomirror out scale 0.35,0.2"

/** A text that shows literally, at a place in mm; `how` are gnuplot's words for it. */
void sis_chart_put(const sis_canvas* canvas, const sis_layout* layout, const char* text, double x,
                   double y, double pt, const char* how);
double sis_chart_letters(sis_format format, double pt); // size of a font in gnuplot's numbers
double sis_chart_points(sis_format format);             // size of a point, likewise

// ---------------------------------------------------------------------------- chart_image.c

/** Palette, colour bar and, as first part of the plot, the image. */
void sis_chart_set_image(const sis_canvas* canvas, const sis_layout* layout,
                         const sis_place* place);
void sis_chart_plot_image(const sis_canvas* canvas, const sis_place* place);

/** Its numbers, after the plot command. False: no memory. */
bool sis_chart_send_image(const sis_canvas* canvas, const sis_place* place);

// ---------------------------------------------------------------------------- chart_png.c

/** Writes into a PNG how many pixels a metre of it has, so that it is printed in its size. */
bool sis_png_resolution(int descriptor, double dpi, sis_fault* fault);

#endif
