/** @file canvas.h
 * A picture drawn by gnuplot. The script is collected in an anonymous file and gnuplot's output
 * goes straight to the descriptor of the target, so no shell and no file name is involved; texts
 * are quoted so that nothing in a scene can become a command.
 */
#ifndef SISTRUM_OUT_CANVAS_H
#define SISTRUM_OUT_CANVAS_H

#include "fault.h"
#include "text.h"
#include "trace.h"

#include <stdio.h>

typedef enum sis_format {
    SIS_FORMAT_NONE, ///< not a picture
    SIS_FORMAT_PNG,
    SIS_FORMAT_SVG,
    SIS_FORMAT_PDF,
} sis_format;

/** The format a file name asks for by its ending. */
sis_format sis_format_of(const char* path);

// Colours that stay apart for every kind of colour vision (Okabe and Ito 2008).
#define SIS_BLUE       "#0072B2"
#define SIS_SKY        "#56B4E9"
#define SIS_VERMILLION "#D55E00"
#define SIS_GREEN      "#009E73"
#define SIS_ORANGE     "#E69F00"
#define SIS_PURPLE     "#CC79A7"
#define SIS_GREY       "#B8B8B8"
#define SIS_INK        "#303030"

typedef struct sis_canvas {
    FILE* script; // gnuplot commands go here
    sis_format format;
    int width, height; // nominal pixels
    int left, right;   // margins of all panels, nominal pixels
    int top, bottom;   // of the area that the panels share
    int panels;        // so far
} sis_canvas;

#define SIS_COLUMNS 1200 // columns that a line or an image is resolved into

/** Is gnuplot there? To be asked before a long run. */
bool sis_canvas_available(sis_fault* fault);

/** Starts a picture with its heading: a title, and what it shows in smaller letters. */
bool sis_canvas_open(sis_canvas* canvas, sis_format format, int width, int height,
                     const char* title, const char* subtitle, sis_fault* fault);

/** Writes a text as a quoted gnuplot string that shows literally. */
void sis_canvas_text(const sis_canvas* canvas, const char* text);

/** Writes a tic with a label that shows literally, for a list of them. */
void sis_canvas_tic(const sis_canvas* canvas, const char* text, double at);

/** The font size of small letters. */
double sis_canvas_small(const sis_canvas* canvas);

/** Places the next panel between the heights `low` and `high`, 0 .. 1 of the shared area. */
void sis_canvas_panel(sis_canvas* canvas, double low, double high);

/** Sets the range of "x" or "y" to min .. max, widened when empty and by `air` of its length. */
void sis_canvas_range(const sis_canvas* canvas, const char* axis, double min, double max,
                      double air);

/** Sets the label of an axis: the quantity and, in brackets, the unit when there is one. */
void sis_canvas_label(const sis_canvas* canvas, const char* axis, const char* quantity,
                      const char* unit);

/** Sets the x axis to the time of a window of steps at `rate`; only the lowest panel shows numbers.
 */
sis_unit sis_canvas_time(const sis_canvas* canvas, const sis_window* window, double rate,
                         bool lowest);

/** Defines the data block $NAME from a trace: time ((step + shift)/rate) and value in their units.
 */
void sis_canvas_trace(const sis_canvas* canvas, const char* name, const sis_trace* trace,
                      double rate, double shift, const sis_unit* time, double value_factor);

/** Draws onto a descriptor and ends the canvas. */
bool sis_canvas_draw(sis_canvas* canvas, int descriptor, sis_fault* fault);

/** Gives up; fine after drawing. */
void sis_canvas_close(sis_canvas* canvas);

#endif
