// What a run is shown with: traces, texts and units, departures from a contact, and pictures.

#include "canvas.h"
#include "check.h"
#include "departure.h"
#include "files.h"
#include "out_help.h"
#include "picture.h"
#include "text.h"
#include "trace.h"

#include <stdlib.h>
#include <unistd.h>

// ---------------------------------------------------------------------------- traces and texts

static void a_trace_keeps_every_extreme(void) {
    sis_window window = {.first = 1000, .count = 100000};
    sis_trace trace;
    CHECK(sis_trace_open(&trace, &window, 50));
    for (uint64_t n = 0; n < 200000; n++)
        sis_trace_add(&trace, n, n == 77777 ? 9 : n == 12345 ? -7 : sin(0.1 * (double)n));
    sis_trace_finish(&trace);
    CHECK(trace.point_count <= 200 && trace.point_count >= 150);
    CHECK(trace.max == 9 && trace.min == -7);
    int peaks = 0;
    for (int i = 0; i < trace.point_count; i++) {
        peaks += trace.points[i].value == 9 && trace.points[i].step == 77777;
        peaks += trace.points[i].value == -7 && trace.points[i].step == 12345;
        CHECK(i == 0 || trace.points[i].step > trace.points[i - 1].step);
    }
    CHECK(peaks == 2);
    CHECK(trace.points[0].step == 1000 && trace.points[trace.point_count - 1].step == 100999);
    sis_trace_close(&trace);
}

static void a_short_trace_keeps_everything(void) {
    sis_window window = {.first = 0, .count = 37};
    sis_trace trace;
    CHECK(sis_trace_open(&trace, &window, 10));
    for (uint64_t n = 0; n < 37; n++)
        sis_trace_add(&trace, n, (double)(n * n % 11));
    sis_trace_finish(&trace);
    CHECK(trace.point_count == 37);
    sis_trace_close(&trace);
}

static void columns_and_steps_agree(void) {
    for (uint64_t count = 1; count < 400; count += 7) {
        sis_window window = {.first = 5, .count = count};
        int32_t columns = count < 60 ? (int32_t)count : 60;
        for (int32_t c = 0; c < columns; c++) {
            uint64_t step = sis_window_step(&window, columns, c);
            CHECK(sis_window_column(&window, columns, step) == c);
            CHECK(step == 5 || sis_window_column(&window, columns, step - 1) == c - 1);
        }
    }
}

static void texts_become_printable(void) {
    char* clean = sis_text_clean("a\nb\x7f µ \xff\xc3 \xed\xa0\x80 é");
    CHECK(clean &&
          !strcmp(
              clean,
              "a b\xEF\xBF\xBD µ \xEF\xBF\xBD\xEF\xBF\xBD \xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD é"));
    free(clean);
}

static void units_fit_the_number(void) {
    char text[64];
    CHECK(!strcmp(sis_unit_print(text, sizeof text, 0.0012, "m", 3), "1.2 mm"));
    CHECK(!strcmp(sis_unit_print(text, sizeof text, 0, "m", 3), "0 m"));
    CHECK(!strcmp(sis_unit_print(text, sizeof text, 1000, "N", 3), "1 kN"));
    CHECK(!strcmp(sis_unit_print(text, sizeof text, -833e-6, "s", 2), "-833 µs"));
    CHECK(!strcmp(sis_unit_print(text, sizeof text, 1e-18, "J", 3), "1 1e-18 J"));
    CHECK(!strcmp(sis_unit_print(text, sizeof text, 999.99999e-9, "m", 4), "1 µm"));
}

// ---------------------------------------------------------------------------- departures

/** Feeds a throw against a wall at eta = 0 that turns at once: eta = a t^2/2 - v |t|, so that it
 *  leaves with speed v; `phase` of a step lies between the instant and the next step. */
static sis_departure departure(double v, double a, double phase) {
    double rate = 1000;
    sis_departure d = sis_departure_begin(rate);
    for (int n = -20; n < 20; n++) {
        double t = (n + phase) / rate; // since leaving
        double eta = t > -0.01 && t < 0 ? 1e-3 : -v * fabs(t) + 0.5 * a * t * t;
        sis_departure_add(&d, (uint64_t)(n + 20), eta, v - a * t);
    }
    return d;
}

static void a_departure_is_followed_back_to_its_instant(void) {
    for (double phase = 0.05; phase < 1; phase += 0.1) {
        CHECK_NEAR(departure(2, 0, phase).speed, 2, 1e-12);
        CHECK_NEAR(departure(2, 50, phase).speed, 2, 1e-12);
        CHECK_NEAR(departure(2, -50, phase).speed, 2, 1e-12);
        sis_departure d = departure(2, 50, phase);
        CHECK(d.closed && d.opened && d.ended == 20 && d.began == 10);
    }
}

static void a_departure_needs_a_contact(void) {
    sis_departure d = sis_departure_begin(1000);
    for (uint64_t n = 0; n < 10; n++)
        sis_departure_add(&d, n, -1, 3);
    CHECK(!d.closed && isnan(d.speed));
    for (uint64_t n = 10; n < 20; n++)
        sis_departure_add(&d, n, 1, 3);
    CHECK(d.closed && !d.opened && d.began == 10 && isnan(d.speed));
    // Hit again at once.
    sis_departure_add(&d, 20, -1, -4);
    sis_departure_add(&d, 21, 1, 5);
    CHECK(d.ended == 20 && d.speed == 4);
}

// ---------------------------------------------------------------------------- pictures

static void pictures_find_their_probes(void) {
    sis_fault fault = {0};
    if (!sis_canvas_available(&fault)) {
        CHECK_SKIP("gnuplot is not installed");
        return;
    }
    const sis_subject subjects[] = {SIS_SUBJECT_PHASE, SIS_SUBJECT_PENETRATION,
                                    SIS_SUBJECT_HYSTERESIS, SIS_SUBJECT_CONTACT};
    for (int i = 0; i < 4; i++) {
        sis_system* system = ringing(8000, subjects[i]);
        sis_picture picture = {.subject = subjects[i],
                               .format = SIS_FORMAT_SVG,
                               .title = "it's \"a\" <test> & more",
                               .system = system,
                               .to = 0.1};
        CHECK(sis_plan_make(8000, 1, 0.1, &picture.plan, &fault));
        sis_files* files = sis_files_new();
        int descriptor = sis_files_add(files, in_folder("p.svg"), &fault);
        CHECK(sis_picture_draw(&picture, descriptor, &fault));
        CHECK(sis_files_commit(files, &fault));
        sis_files_free(files);
        size_t size = 0;
        unsigned char* b = slurp(in_folder("p.svg"), &size);
        CHECK(b && size > 2000);
        if (b) b[size < (1 << 22) ? size : size - 1] = 0;
        CHECK(b && strstr((const char*)b, "it's \"a\" &lt;test"));
        CHECK(b && strstr((const char*)b, "</svg>"));
        free(b);
        unlink(in_folder("p.svg"));
        sis_system_free(system);
    }
}

static void endings_choose_the_format(void) {
    CHECK(sis_format_of("a.png") == SIS_FORMAT_PNG && sis_format_of("x/A.SVG") == SIS_FORMAT_SVG);
    CHECK(sis_format_of("a.b.pdf") == SIS_FORMAT_PDF);
    CHECK(sis_format_of("png") == SIS_FORMAT_NONE && sis_format_of("x.png/a") == SIS_FORMAT_NONE);
    CHECK(sis_format_of("a.jpg") == SIS_FORMAT_NONE && sis_format_of("") == SIS_FORMAT_NONE);
}

int main(void) {
    snprintf(folder, sizeof folder, "/tmp/sistrum-test-XXXXXX");
    if (!mkdtemp(folder)) return 1;
    RUN(a_trace_keeps_every_extreme);
    RUN(a_short_trace_keeps_everything);
    RUN(columns_and_steps_agree);
    RUN(texts_become_printable);
    RUN(units_fit_the_number);
    RUN(a_departure_is_followed_back_to_its_instant);
    RUN(a_departure_needs_a_contact);
    RUN(pictures_find_their_probes);
    RUN(endings_choose_the_format);
    rmdir(folder);
    return CHECK_REPORT();
}
