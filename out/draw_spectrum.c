// Level over frequency of the probes, a panel each, with the frequencies of the strongest peaks.

#include "decimate.h"
#include "probes.h"
#include "spectrum.h"
#include "subject.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PANELS_MAX  6
#define FLOOR_DB    100.0 // below the largest: what is drawn
#define PEAK_DB     70.0  // below the largest: what is labelled
#define PEAKS_MAX   100   // that are looked for
#define LABELS_MAX  14    // that are written
#define WINDOW      1.0   // s, unless the picture says otherwise
#define WINDOW_MOST (1 << 19)
#define HEARD_LOW   20.0  // Hz
#define LABEL_WIDTH 19.0  // nominal pixels from one label to the next
#define LABEL_TALL  150.0 // nominal pixels that labels need above the curve

typedef struct panels {
    sis_window rows; // shown
    double rate;     // rows per second
    int32_t probes;  // of the system
    int32_t count;   // shown
    uint64_t fed;    // rows so far
    sis_spectrum spectrum[PANELS_MAX];
    sis_decimator* decimator; // NULL: a step is a row
    double* mixed;            // [SIS_FRAMES_MAX][count]
    bool linear;              // axis of the frequency
    double a4;                // Hz
    double low, high;         // Hz, ends of the axis
    double floor, top;        // dB, the same
} panels;

// ---------------------------------------------------------------------------- running

static bool take_rows(void* self, const double* rows, int32_t count, sis_fault* fault) {
    (void)fault;
    panels* p = self;
    for (int32_t n = 0; n < count; n++, p->fed++)
        for (int32_t i = 0; i < p->count && p->fed >= p->rows.first; i++)
            sis_spectrum_add(&p->spectrum[i], rows[(size_t)n * (size_t)p->count + (size_t)i]);
    return true;
}

static bool take(void* self, const sis_frames* frames, sis_fault* fault) {
    panels* p = self;
    size_t count = (size_t)p->count;
    for (int32_t n = 0; n < frames->count; n++)
        memcpy(p->mixed + (size_t)n * count, frames->probes + (size_t)n * (size_t)p->probes,
               count * sizeof *p->mixed);
    return p->decimator ? sis_decimator_feed(p->decimator, p->mixed, frames->count, fault)
                        : take_rows(p, p->mixed, frames->count, fault);
}

static bool run(const sis_picture* picture, const sis_plan* plan, panels* p, sis_fault* fault) {
    p->mixed = malloc((size_t)p->count * SIS_FRAMES_MAX * sizeof *p->mixed);
    if (!p->mixed) return sis_fault_no_memory(fault);
    if (plan->oversample > 1) {
        p->decimator =
            sis_decimator_new(plan->oversample, p->count, plan->rows, take_rows, p, fault);
        if (!p->decimator) return false;
    }
    bool fine = sis_picture_run(picture, (sis_sink){.self = p, .take = take}, fault) &&
                (!p->decimator || sis_decimator_finish(p->decimator, fault));
    for (int32_t i = 0; fine && i < p->count; i++)
        sis_spectrum_finish(&p->spectrum[i]);
    return fine;
}

// ---------------------------------------------------------------------------- axes

/** dB of bin k, not below the floor. */
static double level_of(const sis_spectrum* s, size_t k, double largest) {
    double share = largest > 0 ? s->amplitude[k] / largest : 0;
    return share > 0 ? fmax(-FLOOR_DB, 20 * log10(share)) : -FLOOR_DB;
}

/** The highest frequency that is above the floor in any panel, Hz. */
static double highest_heard(const panels* p) {
    double highest = 0;
    for (int32_t i = 0; i < p->count; i++) {
        const sis_spectrum* s = &p->spectrum[i];
        double largest = sis_spectrum_largest(s);
        size_t k = s->size / 2;
        while (k > 1 && level_of(s, k, largest) <= -FLOOR_DB)
            k--;
        highest = fmax(highest, sis_spectrum_frequency(s, k));
    }
    return highest;
}

/** Half of the lowest peak, and all that is heard. */
static double lowest_shown(const panels* p) {
    double lowest = HEARD_LOW;
    for (int32_t i = 0; i < p->count; i++) {
        sis_peak peaks[PEAKS_MAX];
        int32_t count = sis_spectrum_peaks(&p->spectrum[i], PEAK_DB, peaks, PEAKS_MAX);
        for (int32_t k = 0; k < count; k++)
            lowest = fmin(lowest, peaks[k].frequency / 2);
    }
    return lowest;
}

static void choose_axes(panels* p) {
    double bin = sis_spectrum_frequency(&p->spectrum[0], 1);
    p->high = fmin(1.15 * highest_heard(p), p->rate / 2);
    p->low = p->linear ? 0 : fmax(bin, lowest_shown(p));
    // Of what is short or slow at least two octaves.
    if (p->high < 4 * fmax(p->low, bin)) p->high = p->rate / 2;
    if (p->low > p->high / 4) p->low = p->high / 4;
}

/** 0 .. 1 along the axis. */
static double place_of(const panels* p, double frequency) {
    return p->linear ? (frequency - p->low) / (p->high - p->low)
                     : log(frequency / p->low) / log(p->high / p->low);
}

/** 10, 20, 50, 100, ... with "1k" for 1000: as they are written on an axis of sound. */
static void set_octaves(const sis_canvas* canvas, const panels* p, bool lowest) {
    const char* separator = "set xtics (";
    for (int decade = (int)floor(log10(p->low)); decade <= (int)log10(p->high) + 1; decade++)
        for (int step = 1; step <= 5; step += step == 1 ? 1 : 3) {
            double at = step * pow(10, decade);
            char text[48] = "";
            if (at < 0.999 * p->low || at > 1.001 * p->high) continue;
            if (lowest)
                snprintf(text, sizeof text, at >= 1000 ? "%gk" : "%g", at >= 1000 ? at / 1e3 : at);
            fprintf(canvas->script, "%s", separator);
            sis_canvas_tic(canvas, text, at);
            separator = ", ";
        }
    fprintf(canvas->script, ")\nset logscale x\n");
}

/** Returns how many Hz one of the axis is. */
static double set_frequency(const sis_canvas* canvas, const panels* p, bool lowest) {
    sis_unit unit = sis_unit_pick(p->high, "Hz");
    if (!p->linear) unit = (sis_unit){.factor = 1, .text = "Hz"};
    sis_canvas_range(canvas, "x", p->low / unit.factor, p->high / unit.factor, 0);
    sis_canvas_label(canvas, "x", lowest ? "frequency" : "", lowest ? unit.text : "");
    if (p->linear)
        fprintf(canvas->script, lowest ? "set format x '%%h'\n" : "set format x ''\n");
    else
        set_octaves(canvas, p, lowest);
    return unit.factor;
}

// ---------------------------------------------------------------------------- drawing

/** The largest level of each column of the picture that holds a bin. */
static void write_curve(const sis_canvas* canvas, const panels* p, int32_t panel, double factor) {
    const sis_spectrum* s = &p->spectrum[panel];
    double largest = sis_spectrum_largest(s), most = -FLOOR_DB, at = 0;
    int32_t column = -1;
    fprintf(canvas->script, "$curve << END\n");
    for (size_t k = 1; k <= s->size / 2; k++) {
        double frequency = sis_spectrum_frequency(s, k);
        if (frequency > p->high) break;
        int32_t own = (int32_t)floor(SIS_COLUMNS * place_of(p, frequency));
        if (own != column && at > 0) fprintf(canvas->script, "%.9g %.5g\n", at / factor, most);
        double level = level_of(s, k, largest);
        if (own != column || level >= most) {
            most = level;
            at = frequency;
        }
        column = own;
    }
    fprintf(canvas->script, "%.9g %.5g\nEND\n", at / factor, most);
}

/** "440.02 Hz A4 +0": as exact as the window tells; the note and the cents from it when it does. */
static void write_label(const panels* p, const sis_spectrum* s, double frequency, char* text,
                        size_t size) {
    double known = 0.02 * s->rate / (double)s->window; // Hz
    int decimals = (int)fmin(9, fmax(0, ceil(-log10(known)) - 1));
    double key = 69 + 12 * log2(frequency / p->a4);
    int32_t nearest = (int32_t)floor(key + 0.5);
    double cents = 100 * (key - nearest);
    char name[16];
    size_t used = (size_t)snprintf(text, size, "%.*f Hz", decimals, frequency);
    if (nearest < 0 || nearest > 127 || used >= size) return;
    used += (size_t)snprintf(text + used, size - used, " %s", sis_note_name(nearest, name));
    if (used < size && 1731 * known / frequency < 3)
        snprintf(text + used, size - used, " %+.0f", fabs(cents) < 0.5 ? 0 : cents);
}

/** Labels the strongest peaks that leave room for each other. */
static void write_labels(const sis_canvas* canvas, const panels* p, int32_t panel, double factor) {
    const sis_spectrum* s = &p->spectrum[panel];
    double width = canvas->width - canvas->left - canvas->right, taken[LABELS_MAX];
    sis_peak peaks[PEAKS_MAX];
    int32_t count = sis_spectrum_peaks(s, PEAK_DB, peaks, PEAKS_MAX), written = 0;
    for (int32_t i = 0; i < count && written < LABELS_MAX; i++) {
        double at = width * place_of(p, peaks[i].frequency);
        bool room = at > 0.5 * LABEL_WIDTH && at < width;
        for (int32_t k = 0; k < written; k++)
            room = room && fabs(taken[k] - at) >= LABEL_WIDTH;
        if (!room) continue;
        taken[written++] = at;
        char text[64];
        write_label(p, s, peaks[i].frequency, text, sizeof text);
        fprintf(canvas->script, "set label ");
        sis_canvas_text(canvas, text);
        fprintf(canvas->script,
                " at %.9g,%.5g left rotate by 90 offset character 0,0.6 font ',%g' tc rgb '" SIS_INK
                "' point pt 7 ps 0.4 lc rgb '" SIS_VERMILLION "'\n",
                peaks[i].frequency / factor, fmin(0, peaks[i].level), sis_canvas_small(canvas));
    }
}

/** "out: velocity of string1; 0 dB is 23.1 mm/s". */
static void write_title(const sis_canvas* canvas, const sis_picture* picture, const panels* p,
                        int32_t panel) {
    sis_probe_info info = sis_system_probe(picture->system, panel);
    double largest = sis_spectrum_largest(&p->spectrum[panel]);
    char title[400], zero[64];
    sis_probe_title(&info, title, sizeof title);
    size_t used = strlen(title);
    if (largest > 0)
        snprintf(title + used, sizeof title - used, "; 0 dB is %s",
                 sis_unit_print(zero, sizeof zero, largest, info.unit, 3));
    else
        snprintf(title + used, sizeof title - used, "; silent");
    fprintf(canvas->script, "set label ");
    sis_canvas_text(canvas, title);
    fprintf(canvas->script, " at graph 0,1 offset character 0,0.7 left tc rgb '" SIS_INK "'\n");
}

static void draw_panel(sis_canvas* canvas, const sis_picture* picture, const panels* p,
                       int32_t panel) {
    double height = 1.0 / p->count, gap = p->count > 1 ? 0.16 : 0.06;
    bool lowest = panel == p->count - 1;
    sis_canvas_panel(canvas, 1 - (panel + 1) * height, 1 - (panel + gap) * height);
    double factor = set_frequency(canvas, p, lowest);
    double pixels = (canvas->height - canvas->top - canvas->bottom) * height * (1 - gap);
    sis_canvas_range(canvas, "y", -FLOOR_DB, FLOOR_DB * LABEL_TALL / (pixels - LABEL_TALL), 0);
    sis_canvas_label(canvas, "y", "level", "dB");
    write_title(canvas, picture, p, panel);
    write_labels(canvas, p, panel, factor);
    write_curve(canvas, p, panel, factor);
    fprintf(canvas->script,
            "set ytics -%g,20,0\nunset key\n"
            "plot $curve with filledcurves y1=-%g fc rgb '#DCEBF5' fs solid noborder, "
            "$curve with lines lw 1 lc rgb '" SIS_BLUE "'\n",
            FLOOR_DB, FLOOR_DB);
}

static bool draw(const sis_picture* picture, panels* p, int descriptor, sis_fault* fault) {
    char subtitle[240], rate[64], window[48], more[64] = "", mean[64] = "a window of";
    const sis_spectrum* s = &p->spectrum[0];
    if (p->count < p->probes)
        snprintf(more, sizeof more, ", the first %d of %d probes", (int)p->count, (int)p->probes);
    if (s->windows > 1)
        snprintf(mean, sizeof mean, "mean of %llu windows of", (unsigned long long)s->windows);
    sis_unit_print(window, sizeof window, (double)s->window / s->rate, "s", 3);
    snprintf(subtitle, sizeof subtitle, "spectrum%s, %s %s, %s", more, mean, window,
             sis_picture_rate(picture, rate, sizeof rate));
    sis_canvas canvas;
    int height = p->count == 1 ? 800 : 160 + 380 * p->count;
    if (!sis_canvas_open(&canvas, picture->format, 1400, height, picture->title, subtitle, fault))
        return false;
    canvas.top = 50;
    choose_axes(p);
    for (int32_t i = 0; i < p->count; i++)
        draw_panel(&canvas, picture, p, i);
    return sis_canvas_draw(&canvas, descriptor, fault);
}

bool sis_draw_spectrum(const sis_picture* picture, int descriptor, sis_fault* fault) {
    sis_plan plan;
    panels p = {.rows = sis_picture_rows(picture, &plan),
                .probes = sis_system_probe_count(picture->system),
                .linear = picture->linear,
                .a4 = picture->a4 > 0 ? picture->a4 : 440};
    p.rate = plan.rate;
    uint64_t window = (uint64_t)ceil(fmin(WINDOW * p.rate, WINDOW_MOST));
    if (window > p.rows.count) window = p.rows.count;
    if (!p.probes)
        return sis_fault_set(fault, SIS_FAULT_SCENE,
                             "the scene has no probe to show: add probe{ on = ... }");
    if (!sis_picture_span(picture, &p.rows, WINDOW_MOST, &window, fault)) return false;
    bool fine = true;
    for (; fine && p.count < p.probes && p.count < PANELS_MAX; p.count++)
        fine = sis_spectrum_open(&p.spectrum[p.count], p.rate, p.rows.count, window, fault);
    fine = fine && run(picture, &plan, &p, fault) && draw(picture, &p, descriptor, fault);
    for (int32_t i = 0; i < p.count; i++)
        sis_spectrum_close(&p.spectrum[i]);
    sis_decimator_free(p.decimator);
    free(p.mixed);
    return fine;
}
