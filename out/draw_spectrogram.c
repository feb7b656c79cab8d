// Level of the sound over time and frequency: what the WAV holds, channel by channel.

#include "fourier.h"
#include "sound.h"
#include "subject.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CHANNELS_MAX 4
#define SLICES       700  // columns of the picture
#define BINS         2048 // of a slice at most
#define ROWS         640  // of the picture at most
#define FLOOR_DB     100. // below the loudest
#define AUDIBLE_DB   85. // below the loudest: higher frequencies that are always fainter are cut off
#define APART_DB     50.0      // a channel that is weaker by this has a scale of its own
#define PERIODS      6         // of the lowest string: a window that tells its partials apart
#define WINDOW_MOST  (1 << 16) // rows: 700 columns of them take seconds

typedef struct slices {
    sis_window rows;  // shown
    double rate;      // rows per second
    int32_t channels; // of the sound
    int32_t shown;    // channels
    int32_t window;   // rows of a slice
    int32_t size;     // of the transform, a power of two
    int32_t bins;     // kept: size/2 or its half, quarter, ...
    int32_t slices;   // columns
    int32_t done;     // columns so far
    uint64_t fed;     // rows so far
    double* ring;     // [shown][size]: the last rows
    double* taper;    // [window]
    double taper_sum;
    double last[CHANNELS_MAX]; // row
    double *re, *im;           // [size]
    float* level;              // [shown][slices][bins], amplitude
    int32_t top;               // bins that are drawn
    int32_t group;             // bins to a row of the picture: the strongest is drawn
} slices;

/** Where the i-th of the last `window` rows is. */
static size_t ring_at(const slices* s, int32_t i) {
    return (size_t)((s->fed + (uint64_t)(s->size - s->window + i)) & (uint64_t)(s->size - 1));
}

/** The slice of the last `window` rows of a channel; several bins of the transform in one of the
 *  picture: the strongest. */
static void slice(slices* s, int32_t channel) {
    const double* ring = s->ring + (size_t)channel * (size_t)s->size;
    // Displacements rest anywhere, and nobody hears where: without the mean the rest is visible.
    double mean = 0;
    for (int32_t i = 0; i < s->window; i++)
        mean += s->taper[i] * ring[ring_at(s, i)];
    mean /= s->taper_sum;
    memset(s->re, 0, (size_t)s->size * sizeof *s->re);
    memset(s->im, 0, (size_t)s->size * sizeof *s->im);
    for (int32_t i = 0; i < s->window; i++)
        s->re[i] = s->taper[i] * (ring[ring_at(s, i)] - mean);
    sis_fourier(s->re, s->im, (size_t)s->size);
    size_t first = ((size_t)channel * (size_t)s->slices + (size_t)s->done) * (size_t)s->bins;
    int32_t group = s->size / 2 / s->bins;
    for (int32_t k = 0; k < s->size / 2; k++) {
        float* level = &s->level[first + (size_t)(k / group)];
        *level = fmaxf(*level, (float)hypot(s->re[k], s->im[k]));
    }
}

/** The row at which the window of a slice is complete: its middle and half a window. At both ends
 * of the sound the window stays inside: what rests before and after would show as sound at 0 Hz. */
static uint64_t complete_at(const slices* s, int32_t column) {
    double middle = ((double)column + 0.5) * (double)s->rows.count / s->slices;
    uint64_t window = (uint64_t)s->window, end = s->rows.first + s->rows.count;
    uint64_t at = s->rows.first + (uint64_t)middle + window / 2;
    if (end < window) return at;
    return at < window ? window : at > end ? end : at;
}

static void feed(slices* s, const double* row) {
    for (int32_t c = 0; c < s->shown; c++) {
        double* ring = s->ring + (size_t)c * (size_t)s->size;
        // The sound rests at its first value before the start: silence would be a jump.
        for (int32_t i = 0; s->fed == 0 && i < s->size; i++)
            ring[i] = row[c];
        ring[s->fed & (uint64_t)(s->size - 1)] = row[c];
        s->last[c] = row[c];
    }
    s->fed++;
    while (s->done < s->slices && s->fed == complete_at(s, s->done)) {
        for (int32_t c = 0; c < s->shown; c++)
            slice(s, c);
        s->done++;
    }
}

static bool take_rows(void* self, const double* rows, int32_t count, sis_fault* fault) {
    (void)fault;
    slices* s = self;
    for (int32_t n = 0; n < count; n++)
        feed(s, rows + (size_t)n * (size_t)s->channels);
    return true;
}

// ---------------------------------------------------------------------------- drawing

/** The largest level of a channel; 0: it is silent. */
static double loudest(const slices* s, int32_t channel) {
    size_t size = (size_t)s->slices * (size_t)s->bins;
    const float* level = s->level + (size_t)channel * size;
    float most = 0;
    for (size_t i = 0; i < size; i++)
        most = fmaxf(most, level[i]);
    return (double)most;
}

/** What is 0 dB in a channel: the loudest of all channels, or of this one alone if it would hardly
 *  be seen, as that of a soundboard beside its string. */
static double zero_of(const slices* s, int32_t channel) {
    double own = loudest(s, channel), most = own;
    for (int32_t c = 0; c < s->shown; c++)
        most = fmax(most, loudest(s, c));
    if (!(most > 0)) return 1;
    return own > 0 && own < most * pow(10, -APART_DB / 20) ? own : most;
}

/** Cuts off what is silent at the top, in tenths of the whole so that the axis stays round. */
static void choose_rows(slices* s) {
    size_t size = (size_t)s->slices * (size_t)s->bins;
    int32_t highest = 0;
    for (int32_t c = 0; c < s->shown; c++) {
        float audible = (float)(zero_of(s, c) * pow(10, -AUDIBLE_DB / 20));
        for (size_t i = 0; i < size; i++) {
            int32_t bin = (int32_t)(i % (size_t)s->bins);
            if (s->level[(size_t)c * size + i] > audible && bin > highest) highest = bin;
        }
    }
    int32_t tenths = 1 + (int32_t)(11.0 * highest / s->bins); // and a tenth of air
    s->top = tenths < 10 ? s->bins * tenths / 10 : s->bins;
    s->group = (s->top + ROWS - 1) / ROWS;
    s->top -= s->top % s->group;
}

static float strongest(const slices* s, size_t first) {
    float most = 0;
    for (int32_t k = 0; k < s->group; k++)
        most = fmaxf(most, s->level[first + (size_t)k]);
    return most;
}

/** The picture as raw floats after the plot command: as text gnuplot needs seconds for it. */
static void write_map(const sis_canvas* canvas, const slices* s, int32_t channel, double most) {
    for (int32_t k = 0; k < s->top; k += s->group)
        for (int32_t t = 0; t < s->slices; t++) {
            size_t at = ((size_t)channel * (size_t)s->slices + (size_t)t) * (size_t)s->bins;
            double share = (double)strongest(s, at + (size_t)k) / most;
            double db = share > 0 ? fmax(-FLOOR_DB, 20 * log10(share)) : -FLOOR_DB;
            float narrow = (float)db;
            fwrite(&narrow, sizeof narrow, 1, canvas->script);
        }
    fputc('\n', canvas->script);
}

static void plot_map(const sis_canvas* canvas, const slices* s, const sis_unit* time,
                     const sis_unit* frequency) {
    double slice_length = (double)s->rows.count / s->slices / s->rate / time->factor;
    double row = s->rate / 2 / s->bins * s->group / frequency->factor;
    fprintf(canvas->script,
            "set palette defined (0 '#FFFFFF', 0.25 '#D6E9F5', 0.5 '" SIS_SKY "', 0.72 '" SIS_BLUE
            "', 0.88 '#3B1F6B', 1 '#14041F')\n"
            "set cbrange [-%g:0]\nset cblabel 'level (dB)'\nunset key\n"
            "plot '-' binary array=(%d,%d) format='%%float' origin=(%.12g,%.12g) dx=%.12g "
            "dy=%.12g with image\n",
            FLOOR_DB, (int)s->slices, (int)(s->top / s->group),
            (double)s->rows.first / s->rate / time->factor + 0.5 * slice_length, 0.5 * row,
            slice_length, row);
}

/** "channel 2: 0 dB is 81 dB below that of channel 1". */
static void put_title(const sis_canvas* canvas, const slices* s, int32_t channel) {
    char title[96], more[64] = "";
    int32_t other = channel;
    for (int32_t c = 0; c < s->shown; c++)
        if (zero_of(s, c) > zero_of(s, other)) other = c;
    if (other != channel)
        snprintf(more, sizeof more, ": 0 dB is %.0f dB below that of channel %d",
                 20 * log10(zero_of(s, other) / zero_of(s, channel)), (int)other + 1);
    snprintf(title, sizeof title, "channel %d%s", (int)channel + 1, more);
    fprintf(canvas->script, "set label ");
    sis_canvas_text(canvas, title);
    fprintf(canvas->script, " at graph 0,1 offset character 0,0.7 left tc rgb '" SIS_INK "'\n");
}

static void draw_channel(sis_canvas* canvas, const slices* s, int32_t channel) {
    double height = 1.0 / s->shown;
    bool lowest = channel == s->shown - 1;
    sis_canvas_panel(canvas, 1 - (channel + 1) * height,
                     1 - (channel + (s->shown > 1 ? 0.16 : 0.03)) * height);
    sis_unit time = sis_canvas_time(canvas, &s->rows, s->rate, lowest);
    double highest = s->rate / 2 * s->top / s->bins;
    sis_unit frequency = sis_unit_pick(highest, "Hz");
    sis_canvas_range(canvas, "y", 0, highest / frequency.factor, 0);
    sis_canvas_label(canvas, "y", "frequency", frequency.text);
    if (s->channels > 1) put_title(canvas, s, channel);
    plot_map(canvas, s, &time, &frequency);
    write_map(canvas, s, channel, zero_of(s, channel));
}

static bool draw(const sis_picture* picture, slices* s, int descriptor, sis_fault* fault) {
    char subtitle[160], rate[64], window[48];
    sis_unit_print(window, sizeof window, s->window / s->rate, "s", 3);
    snprintf(subtitle, sizeof subtitle, "spectrogram, windows of %s, %s", window,
             sis_picture_rate(picture, rate, sizeof rate));
    sis_canvas canvas;
    int height = s->shown == 1 ? 800 : 200 + 330 * s->shown;
    if (!sis_canvas_open(&canvas, picture->format, 1400, height, picture->title, subtitle, fault))
        return false;
    canvas.right = 195;
    canvas.top = 50;
    choose_rows(s);
    for (int32_t c = 0; c < s->shown; c++)
        draw_channel(&canvas, s, c);
    return sis_canvas_draw(&canvas, descriptor, fault);
}

// ---------------------------------------------------------------------------- set-up

/** About 45 ms of sound, and of a low string some periods, but no more than an eighth of what is
 *  shown. */
static uint64_t usual_window(const sis_system* system, double rate, uint64_t rows) {
    double seconds = 0.045;
    for (int32_t i = 0; i < sis_system_body_count(system); i++) {
        sis_body_info body = sis_system_body(system, i);
        if (body.kind == SIS_KIND_STRING && body.frequency > 0)
            seconds = fmax(seconds, PERIODS / body.frequency);
    }
    uint64_t window = 64;
    while (window < 8192 && (double)window < seconds * rate && window * 8 < rows)
        window *= 2;
    return window;
}

static bool allocate(slices* s, sis_fault* fault) {
    size_t size = (size_t)s->size, shown = (size_t)s->shown, window = (size_t)s->window;
    s->ring = calloc(shown * size, sizeof *s->ring);
    s->taper = malloc(window * sizeof *s->taper);
    s->re = malloc(size * sizeof *s->re);
    s->im = malloc(size * sizeof *s->im);
    s->level = calloc(shown * (size_t)s->slices * (size_t)s->bins, sizeof *s->level);
    if (!s->ring || !s->taper || !s->re || !s->im || !s->level) return sis_fault_no_memory(fault);
    for (size_t i = 0; i < window; i++)
        s->taper_sum += s->taper[i] = sis_taper(i, window);
    return true;
}

static bool listen(const sis_picture* picture, const sis_plan* plan, slices* s, sis_fault* fault) {
    sis_sound* sound = sis_sound_new(picture->system, plan, take_rows, s, fault);
    bool fine = sound && sis_picture_run(picture, sis_sound_sink(sound), fault) &&
                sis_sound_finish(sound, fault);
    sis_sound_free(sound);
    // The last windows reach beyond the end, where the sound rests as well.
    while (fine && s->done < s->slices) {
        double last[CHANNELS_MAX];
        memcpy(last, s->last, sizeof last);
        feed(s, last);
    }
    return fine;
}

bool sis_draw_spectrogram(const sis_picture* picture, int descriptor, sis_fault* fault) {
    sis_plan plan;
    slices s = {.rows = sis_picture_rows(picture, &plan),
                .channels = sis_sound_channels(picture->system)};
    s.rate = plan.rate;
    uint64_t window = usual_window(picture->system, s.rate, s.rows.count);
    if (!sis_picture_span(picture, &s.rows, WINDOW_MOST, &window, fault)) return false;
    s.shown = s.channels < CHANNELS_MAX ? s.channels : CHANNELS_MAX;
    s.window = (int32_t)window;
    s.size = (int32_t)sis_fourier_size((size_t)window, 64);
    s.slices = s.rows.count < SLICES ? (int32_t)s.rows.count : SLICES;
    for (s.bins = s.size / 2; s.bins > BINS;)
        s.bins /= 2;
    bool fine = allocate(&s, fault);
    fine = fine && listen(picture, &plan, &s, fault) && draw(picture, &s, descriptor, fault);
    free(s.ring);
    free(s.taper);
    free(s.re);
    free(s.im);
    free(s.level);
    return fine;
}
