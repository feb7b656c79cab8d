// Strings given by what they ring at: the tension is found from `frequency`, with the ends, the
// stiffness and the losses counted, and what is heard is that frequency.
#include <stdio.h>

#include "check.h"
#include "string_reference.h"

static double square(double x) {
    return x * x;
}

static sis_system* string_alone(const sis_string_def* def, double rate) {
    sis_scene* scene = sis_scene_new();
    put(scene, SIS_KIND_STRING, def);
    return compiled(scene, rate);
}

// Frequency of a decaying sinusoid, Hz, from the recursion x+ = 2 r cos(w k) x - r^2 x- that it
// obeys, by least squares.
static double ringing_with_loss(const double* x, int32_t count, double rate) {
    double aa = 0, ab = 0, bb = 0, ay = 0, by = 0;
    for (int32_t n = 1; n + 1 < count; n++) {
        const double a = x[n], b = x[n - 1], y = x[n + 1];
        aa += a * a, ab += a * b, bb += b * b, ay += a * y, by += b * y;
    }
    const double det = aa * bb - ab * ab;
    const double p = (ay * bb - by * ab) / det, q = (by * aa - ay * ab) / det;
    return rate * acos(p / (2 * sqrt(-q))) / (2 * PI);
}

// The first mode alone, as it is heard.
static double heard(const sis_string_def* def, double rate, int32_t frames) {
    sis_scene* scene = sis_scene_new();
    const sis_id string = put(scene, SIS_KIND_STRING, def);
    put_mode(scene, string, 1, 1e-3);
    put_pickup(scene, string, def->length * 0.37, SIS_QUANTITY_DISPLACEMENT);
    run r = run_scene(scene, rate, frames);
    const double frequency = ringing_with_loss(r.rows, frames, rate);
    run_free(&r);
    return frequency;
}

// Steel of 1 mm; as long as a string of 120 m/s needs.
static sis_string_def steel(double frequency) {
    sis_string_def def = sis_string_default();
    def.length = 60 / frequency;
    def.frequency = frequency;
    def.material_density = 7850;
    def.radius = 2e-4;
    def.youngs = 2e11;
    return def;
}

static void supported_strings_ring_at_the_frequency_given(void) {
    static const double t60[] = {100, 8, 4000, 3}, one[] = {0, 0.5};
    static const int kinds[] = {FD, STAR, GAMMA_TUNED, TRAPEZOID, MODAL};
    for (int i = 0; i < 5; i++) {
        double worst = 0;
        for (int key = 33; key <= 96; key += 7) // A1 to C7
            for (int loss = 0; loss < 4; loss++) {
                const double f = 440 * exp2((key - 69) / 12.0);
                sis_string_def def = string_as(steel(f), &string_kinds[kinds[i]]);
                if (loss == 1) def.t60 = (sis_envelope){.count = 2, .points = t60};
                if (loss == 2) def.t60 = (sis_envelope){.count = 1, .points = one};
                if (loss == 3) def.sigma0 = 0.05 * f, def.sigma1 = 1e-3;
                const double off = cents(heard(&def, 44100, 6000), f);
                CHECK_NEAR(off, 0, 0.1);
                worst = fmax(worst, fabs(off));
            }
        printf("  A1 to C7, %-22s within %.4f cents\n", string_kinds[kinds[i]].name, worst);
    }
}

// Without the loss in the formula this would be 5 cents flat.
static void a_heavy_loss_does_not_lower_the_pitch(void) {
    sis_string_def def = string_as(steel(110), &string_kinds[MODAL]);
    def.sigma0 = 50;
    CHECK_NEAR(cents(heard(&def, 44100, 4000), 110), 0, 0.01);
    def.frequency = NAN;
    def.tension = square(2 * 110 * def.length) * string_density(&def) -
                  string_stiffness(&def) * square(PI / def.length);
    CHECK(cents(heard(&def, 44100, 4000), 110) < -4);
}

// A scheme as published takes the tension of the string itself; a tuned one that of its grid.
static void clamped_strings_ring_at_the_frequency_given(void) {
    for (int key = 33; key <= 96; key += 9)
        for (int tuned = 0; tuned < 2; tuned++) {
            const double f = 440 * exp2((key - 69) / 12.0);
            sis_string_def def = steel(f);
            def.radius = 1e-4; // thicker ones, so short and clamped, are bars that ring higher
            def.ends = SIS_ENDS_CLAMPED;
            def.tuned = tuned;
            sis_system* system = string_alone(&def, 44100);
            const sis_body_info used = sis_system_body(system, 0);
            double rings = 0, exact = 0;
            CHECK(sis_system_partial(system, 0, 1, &rings, &exact));
            CHECK_NEAR(cents(tuned ? rings : exact, f), 0, 1e-6);
            // Less than a supported one needs: the clamps stiffen it.
            const double b = PI / def.length;
            const double supported = square(2 * PI * f / b) * used.density - used.stiffness * b * b;
            if (!tuned) CHECK(used.tension < supported);
            printf("  clamped%s %7.2f Hz: %.4f N (supported %.4f), its grid %+.3f cents\n",
                   tuned ? ", tuned" : "", f, used.tension, supported, cents(rings, f));
            sis_system_free(system);
        }
}

static sis_error refusal(const sis_string_def* def) {
    sis_error error = {.status = SIS_OK};
    sis_scene* scene = sis_scene_new();
    if (sis_scene_add_string(scene, def, &error) != SIS_NONE) {
        const sis_options options = {.rate = 44100};
        sis_system* system = sis_compile(scene, &options, &error);
        CHECK(!system);
        sis_system_free(system);
    }
    sis_scene_free(scene);
    return error;
}

// A bar is the lowest string there is: a little above its pitch there is a tension, below none.
static void frequencies_below_the_stiffness_are_refused_with_the_lowest(void) {
    for (int clamped = 0; clamped < 2; clamped++)
        for (int lossy = 0; lossy < 2; lossy++) {
            sis_string_def def = steel(100);
            def.length = 0.3;
            def.radius = 2e-3;
            def.ends = clamped ? SIS_ENDS_CLAMPED : SIS_ENDS_SUPPORTED;
            if (lossy) def.sigma0 = 30;
            const double root = clamped ? 4.730040744862704 : PI; // of a bar
            const double w =
                square(root / def.length) * sqrt(string_stiffness(&def) / string_density(&def));
            const double lowest = sqrt(w * w - square(lossy ? 30 : 0)) / (2 * PI);
            char number[64];
            def.frequency = 0.99 * lowest;
            snprintf(number, sizeof number, "%.6g", lowest);
            const sis_error error = refusal(&def);
            CHECK(error.status == SIS_REFUSED);
            CHECK_TEXT(error.text, "is too low: its stiffness alone rings at");
            CHECK_TEXT(error.text, number);
            def.frequency = 1.001 * lowest;
            sis_system* system = string_alone(&def, 44100);
            CHECK(sis_system_body(system, 0).tension > 0);
            sis_system_free(system);
        }
}

static void tension_and_frequency_are_one_too_many_or_too_few(void) {
    sis_string_def def = steel(220);
    def.tension = 50;
    CHECK_TEXT(refusal(&def).text, "give 'tension' or 'frequency', not both");
    def.tension = def.frequency = NAN;
    CHECK_TEXT(refusal(&def).text, "'tension' (N) is missing, or 'frequency' (Hz)");
    def.frequency = -3;
    CHECK_TEXT(refusal(&def).text, "frequency");
    def.frequency = 1e6;
    def.length = 1000;
    CHECK_TEXT(refusal(&def).text, "would need a tension of");
}

int main(void) {
    RUN(supported_strings_ring_at_the_frequency_given);
    RUN(a_heavy_loss_does_not_lower_the_pitch);
    RUN(clamped_strings_ring_at_the_frequency_given);
    RUN(frequencies_below_the_stiffness_are_refused_with_the_lowest);
    RUN(tension_and_frequency_are_one_too_many_or_too_few);
    return CHECK_REPORT();
}
