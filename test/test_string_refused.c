// Barriers with a profile, and what strings refuse: every refusal is one sentence that names what
// is wrong and what would work.
#include <stdlib.h>

#include "check.h"
#include "string_reference.h"

// ---------------------------------------------------------------------------- profiles

typedef struct witness {
    int calls;
    double low, high; // m, where it was asked
    double fails_at;  // m, refuses to answer beyond
} witness;

static bool witnessed(void* context, double x, double* out, sis_error* error) {
    witness* w = context;
    w->calls++;
    w->low = fmin(w->low, x);
    w->high = fmax(w->high, x);
    if (x > w->fails_at) {
        if (error) {
            error->status = SIS_BAD_VALUE;
            snprintf(error->text, sizeof error->text, "the luthier ran out of wood");
        }
        return false;
    }
    *out = bent_2019(x);
    return true;
}

static bool not_a_number(void* context, double x, double* out, sis_error* error) {
    (void)context;
    (void)error;
    *out = x > 0.5 ? (double)NAN : -1e-4;
    return true;
}

static sis_id put_profile(sis_scene* scene, bool (*value)(void*, double, double*, sis_error*),
                          void* context, double from, double to) {
    sis_barrier_def def = sis_barrier_default();
    def.profile = (sis_profile){.value = value, .context = context};
    def.from = from;
    def.to = to;
    return put(scene, SIS_KIND_BARRIER, &def);
}

static sis_scene* over(bool (*value)(void*, double, double*, sis_error*), void* context,
                       double from, double to) {
    sis_scene* scene = sis_scene_new();
    const sis_string_def def = string_2019();
    const sis_id string = put(scene, SIS_KIND_STRING, &def);
    const method how = method_of(SIS_SCHEME_LEDGER, SIS_POTENTIAL_MEAN);
    put_contact(scene, string, put_profile(scene, value, context, from, to), 5e6, 1.4, &how);
    put_push(scene, string, 0.8, 10, 1e-3, 0);
    put_pickup(scene, string, 0.9, SIS_QUANTITY_DISPLACEMENT);
    return scene;
}

static void profiles_are_read_at_the_points_of_the_grid(void) {
    witness w = {0, HUGE_VAL, -HUGE_VAL, 10};
    sis_system* system = compiled(over(witnessed, &w, (double)NAN, (double)NAN), 44100);
    const int calls = w.calls;
    const sis_body_info body = sis_system_body(system, 0);
    const sis_link_info link = sis_system_link(system, 0);
    CHECK(link.distributed && link.points == body.segments - 1);
    CHECK_NEAR(link.weight, 1.0 / body.segments, 1e-15);
    CHECK(calls >= link.points);
    CHECK(w.low >= 0 && w.high <= 1);
    for (int32_t j = 0; j < link.points; j++) {
        const sis_contact_point point = sis_system_contact_point(system, 0, j);
        CHECK_NEAR(point.at_above, (j + 1.0) / body.segments, 1e-14);
        CHECK(isnan(point.at_below));
        CHECK_NEAR(point.height, bent_2019(point.at_above), 1e-18);
        CHECK_NEAR(sis_system_place(system, 0, j + 1), point.at_above, 1e-14);
    }
    run r = run_system(system, 500, 100);
    CHECK(w.calls == calls); // by compile and by nothing else
    CHECK(sis_state_link(r.system, r.state, 0).max_penetration > 0);
    run_free(&r);
}

static void ranges_take_the_interior_points_inside(void) {
    witness w = {0, HUGE_VAL, -HUGE_VAL, 10};
    sis_system* system = compiled(over(witnessed, &w, 0.25, 0.5), 44100);
    const int32_t N = sis_system_body(system, 0).segments;
    int32_t inside = 0;
    for (int32_t i = 1; i < N; i++)
        inside += (double)i / N >= 0.25 && (double)i / N <= 0.5;
    CHECK(sis_system_link(system, 0).points == inside);
    CHECK(sis_system_contact_point(system, 0, 0).at_above >= 0.25);
    CHECK(sis_system_contact_point(system, 0, inside - 1).at_above <= 0.5);
    CHECK(w.low >= 0.25 && w.high <= 0.5);
    sis_system_free(system);
}

// ---------------------------------------------------------------------------- sentences

// Compiles what must be refused, and gives the sentence.
static sis_error refusal(sis_scene* scene) {
    sis_error error = {.status = SIS_OK};
    const sis_options options = {.rate = 44100, .scheme = SIS_SCHEME_AS_GIVEN, .unaudited = false};
    sis_system* system = sis_compile(scene, &options, &error);
    CHECK(system == NULL);
    CHECK(error.status != SIS_OK);
    printf("  %s\n", error.text);
    sis_system_free(system);
    sis_scene_free(scene);
    return error;
}

static sis_error refused_add(sis_scene* scene, sis_kind kind, const void* def) {
    sis_error error = {.status = SIS_OK};
    CHECK(sis_scene_add(scene, kind, def, &error) == SIS_NONE);
    CHECK(error.status != SIS_OK);
    printf("  %s\n", error.text);
    return error;
}

static void a_profile_that_fails_gives_its_own_sentence(void) {
    witness w = {0, HUGE_VAL, -HUGE_VAL, 0.6};
    sis_error error = refusal(over(witnessed, &w, (double)NAN, (double)NAN));
    CHECK_TEXT(error.text, "ran out of wood");
    error = refusal(over(not_a_number, NULL, (double)NAN, (double)NAN));
    CHECK_TEXT(error.text, "barrier");
}

static sis_scene* alone(const sis_string_def* def) {
    sis_scene* scene = sis_scene_new();
    put(scene, SIS_KIND_STRING, def);
    return scene;
}

static void grids_that_cannot_be_stable_name_the_ones_that_can(void) {
    static const struct {
        int kind;
        const char* most;
    } rows[] = {{FD, "219"},         {FD_PLAIN, "223"}, {STAR, "185"},
                {STAR_PLAIN, "181"}, {GAMMA_0, "223"},  {GAMMA_07, "258"}};
    for (int i = 0; i < 6; i++) {
        sis_string_def def = string_as(string_2019(), &string_kinds[rows[i].kind]);
        def.segments = 300;
        const sis_error error = refusal(alone(&def));
        CHECK(error.status == SIS_REFUSED);
        CHECK_TEXT(error.text, "300");
        CHECK_TEXT(error.text, rows[i].most);
        CHECK_TEXT(error.text, "segments");
        def.segments = atoi(rows[i].most); // and what the sentence says does work
        sis_system* system = compiled(alone(&def), 44100);
        CHECK(sis_system_body(system, 0).segments == def.segments);
        sis_system_free(system);
    }
    sis_string_def def = string_as(string_2019(), &string_kinds[TRAPEZOID_PLAIN]);
    def.segments = 300; // no limit here
    sis_system* system = compiled(alone(&def), 44100);
    CHECK(sis_system_body(system, 0).segments == 300);
    sis_system_free(system);
}

static void grids_too_fine_for_any_memory_are_refused(void) {
    sis_string_def def = string_2019();
    def.youngs = 0; // stiffness would keep the grid coarse
    sis_scene* scene = alone(&def);
    sis_error error = {.status = SIS_OK};
    const sis_options options = {.rate = 1e9, .scheme = SIS_SCHEME_AS_GIVEN, .unaudited = false};
    CHECK(sis_compile(scene, &options, &error) == NULL);
    printf("  %s\n", error.text);
    CHECK_TEXT(error.text, "segments");
    CHECK_TEXT(error.text, "rate");
    sis_scene_free(scene);
}

static void too_many_modes_name_how_many_there_are(void) {
    for (int i = MODAL; i <= MODAL_PLAIN; i++) {
        sis_string_def def = string_as(string_2019(), &string_kinds[i]);
        sis_system* system = compiled(alone(&def), 44100);
        char most[16];
        snprintf(most, sizeof most, "%d", sis_system_body(system, 0).modes);
        def.modes = sis_system_body(system, 0).modes;
        sis_system_free(system);
        system = compiled(alone(&def), 44100);
        CHECK(sis_system_body(system, 0).modes == def.modes);
        sis_system_free(system);
        def.modes = i == MODAL ? 1000 : def.modes + 1;
        const sis_error error = refusal(alone(&def));
        CHECK_TEXT(error.text, "modes");
        CHECK_TEXT(error.text, most);
    }
}

// A string of some kind over a flat bed.
static sis_scene* bed(const string_kind* kind, double level, sis_scheme scheme, double alpha,
                      double mu) {
    sis_scene* scene = sis_scene_new();
    const sis_string_def def = string_as(string_2019(), kind);
    sis_contact_def contact = sis_contact_default();
    contact.above = put(scene, SIS_KIND_STRING, &def);
    contact.below = put_bed(scene, NULL, level);
    contact.K = 5e6;
    contact.alpha = alpha;
    contact.damping = mu;
    contact.scheme = scheme;
    put(scene, SIS_KIND_CONTACT, &contact);
    return scene;
}

static void barriers_above_the_string_at_rest_are_refused(void) {
    const sis_error error = refusal(bed(&string_kinds[FD], 1e-4, SIS_SCHEME_LEDGER, 1.4, 0));
    CHECK_TEXT(error.text, "barrier");
    CHECK_TEXT(error.text, "0.0001");
}

static void schemes_that_cannot_work_on_a_string_name_those_that_can(void) {
    sis_error error = refusal(bed(&string_kinds[FD], -1e-4, SIS_SCHEME_EXACT, 1.4, 0));
    CHECK_TEXT(error.text, "exact");
    CHECK_TEXT(error.text, "alpha");
    static const int others[] = {STAR, STAR_PLAIN, TRAPEZOID_PLAIN, MODAL};
    for (int i = 0; i < 4; i++) {
        error = refusal(bed(&string_kinds[others[i]], -1e-4, SIS_SCHEME_EXACT, 1, 0));
        CHECK_TEXT(error.text, "exact");
    }
    error = refusal(bed(&string_kinds[FD], -1e-4, SIS_SCHEME_EXACT, 1, 0.1));
    CHECK_TEXT(error.text, "damping");
    for (int scheme = SIS_SCHEME_ROOT; scheme < SIS_SCHEME_COUNT; scheme++) {
        error = refusal(bed(&string_kinds[FD], -1e-4, (sis_scheme)scheme, 1.4, 0));
        CHECK_TEXT(error.text, sis_scheme_word((sis_scheme)scheme));
        CHECK_TEXT(error.text, "ledger"); // what can
    }
    sis_system* system = compiled(bed(&string_kinds[FD], -1e-4, SIS_SCHEME_EXACT, 1, 0), 44100);
    CHECK(sis_system_link(system, 0).scheme == SIS_SCHEME_EXACT);
    sis_system_free(system);
}

// Clamped modes stretch a string together: their matrix is not to grow without bound.
static void too_many_clamped_modes_that_stretch_are_refused(void) {
    sis_scene* scene = sis_scene_new();
    sis_string_def def = string_2019();
    def.model = SIS_STRING_MODAL;
    def.ends = SIS_ENDS_CLAMPED;
    def.nonlinear = SIS_KIRCHHOFF_CARRIER;
    def.length = 300;
    def.name = "rope";
    put(scene, SIS_KIND_STRING, &def);
    const sis_error error = refusal(scene);
    CHECK_TEXT(error.text, "rope");
    CHECK_TEXT(error.text, "'modes'");
    scene = sis_scene_new();
    def.modes = 40;
    put(scene, SIS_KIND_STRING, &def);
    sis_system_free(compiled(scene, 44100));
}

static void definitions_that_make_no_sense_are_refused(void) {
    sis_scene* scene = sis_scene_new();
    sis_string_def def = string_2019();
    const sis_id string = put(scene, SIS_KIND_STRING, &def);

    def.youngs = 0;
    def.nonlinear = SIS_KIRCHHOFF_CARRIER;
    CHECK_TEXT(refused_add(scene, SIS_KIND_STRING, &def).text, "kirchhoff-carrier");
    def = string_2019();
    def.gamma = 0.2;
    CHECK_TEXT(refused_add(scene, SIS_KIND_STRING, &def).text, "implicit");
    def = string_2019();
    def.modes = 12;
    CHECK_TEXT(refused_add(scene, SIS_KIND_STRING, &def).text, "modal");
    def = string_2019();
    def.length = (double)NAN;
    CHECK_TEXT(refused_add(scene, SIS_KIND_STRING, &def).text, "length");
    def = string_2019();
    def.material_density = 7850;
    CHECK_TEXT(refused_add(scene, SIS_KIND_STRING, &def).text, "both");

    sis_pluck_def pluck = sis_pluck_default();
    pluck.on = string;
    pluck.height = 1e-3;
    pluck.at = 1.2;
    CHECK_TEXT(refused_add(scene, SIS_KIND_PLUCK, &pluck).text, "outside");
    pluck.shape = SIS_PLUCK_RAISED_COSINE;
    pluck.at = 0.1;
    pluck.width = 0.5;
    CHECK_TEXT(refused_add(scene, SIS_KIND_PLUCK, &pluck).text, "0.2");

    sis_force_def force = sis_force_default();
    force.on = string;
    force.peak = 1;
    force.width = 1e-3;
    CHECK_TEXT(refused_add(scene, SIS_KIND_FORCE, &force).text, "at");
    force.at = 1.5;
    CHECK_TEXT(refused_add(scene, SIS_KIND_FORCE, &force).text, "outside");
    sis_scene_free(scene);
}

static void losses_that_would_have_to_be_negative_are_refused(void) {
    static const double pairs[] = {100, 1, 2000, 8}; // rings longer at high frequencies
    sis_string_def def = string_2019();
    def.t60 = (sis_envelope){pairs, 2};
    sis_scene* scene = sis_scene_new();
    sis_error error = {.status = SIS_OK};
    if (sis_scene_add_string(scene, &def, &error) == SIS_NONE)
        sis_scene_free(scene);
    else
        error = refusal(scene);
    CHECK(error.status != SIS_OK);
    CHECK_TEXT(error.text, "t60");
}

static void modes_that_a_string_does_not_have_cannot_be_plucked(void) {
    static const int kinds[] = {FD, STAR, MODAL};
    for (int i = 0; i < 3; i++) {
        const sis_string_def def = string_as(string_2019(), &string_kinds[kinds[i]]);
        sis_scene* scene = sis_scene_new();
        put_mode(scene, put(scene, SIS_KIND_STRING, &def), 5000, 1e-3);
        CHECK_TEXT(refusal(scene).text, "mode");
    }
}

int main(void) {
    RUN(profiles_are_read_at_the_points_of_the_grid);
    RUN(ranges_take_the_interior_points_inside);
    RUN(a_profile_that_fails_gives_its_own_sentence);
    RUN(grids_that_cannot_be_stable_name_the_ones_that_can);
    RUN(grids_too_fine_for_any_memory_are_refused);
    RUN(too_many_modes_name_how_many_there_are);
    RUN(barriers_above_the_string_at_rest_are_refused);
    RUN(schemes_that_cannot_work_on_a_string_name_those_that_can);
    RUN(definitions_that_make_no_sense_are_refused);
    RUN(too_many_clamped_modes_that_stretch_are_refused);
    RUN(losses_that_would_have_to_be_negative_are_refused);
    RUN(modes_that_a_string_does_not_have_cannot_be_plucked);
    return CHECK_REPORT();
}
