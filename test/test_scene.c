// Building a scene: every wrong value is one sentence that names object, key, unit and value, and
// leaves the scene as it was; every combination that cannot work is refused with what would.
#include <stdlib.h>

#include "check.h"
#include "reference.h"

// A scene with one object of each kind, so that any definition has something to refer to.
typedef struct stage {
    sis_scene* scene;
    sis_id mass, other, barrier, contact, spring, string;
} stage;

static stage new_stage(void) {
    stage s = {.scene = sis_scene_new()};
    s.mass = put_mass(s.scene, 0.01, 0, 0);
    s.other = put_mass(s.scene, 0.02, 1, 0);
    s.barrier = put_barrier(s.scene, -1);
    s.contact = put_contact(s.scene, s.mass, s.barrier, 1e6, 1.5, &methods[LEDGER]);
    s.spring = put_spring(s.scene, s.mass, s.other, 100, 0, 0);
    sis_string_def wire = sis_string_default();
    wire.length = 0.65;
    wire.tension = 70;
    wire.density = 1e-3;
    s.string = sis_scene_add_string(s.scene, &wire, NULL);
    return s;
}

// A legal definition of a kind on that stage, with a name to look for.
typedef union any_def {
    sis_mass_def mass;
    sis_string_def string;
    sis_plate_def plate;
    sis_modal_def modal;
    sis_barrier_def barrier;
    sis_contact_def contact;
    sis_spring_def spring;
    sis_bow_def bow;
    sis_force_def force;
    sis_pluck_def pluck;
    sis_gravity_def gravity;
    sis_probe_def probe;
    sis_render_def render;
    sis_input_def input;
} any_def;

static any_def legal(const stage* s, sis_kind kind) {
    static const double frequency[] = {440, 990}, mass[] = {0.01, 0.02};
    any_def def;
    memset(&def, 0, sizeof def);
    sis_def_default(kind, &def);
    *(const char**)&def = "culprit";
    switch (kind) {
    case SIS_KIND_MASS:
        def.mass.mass = 0.1;
        break;
    case SIS_KIND_STRING:
        def.string.length = 0.65;
        def.string.tension = 70;
        def.string.density = 1e-3;
        def.string.radius = 1e-4;
        def.string.youngs = 2e11;
        break;
    case SIS_KIND_PLATE:
        def.plate.length = 0.4;
        def.plate.width = 0.3;
        def.plate.thickness = 1e-3;
        def.plate.material_density = 7850;
        def.plate.youngs = 2e11;
        def.plate.tension = 100;
        break;
    case SIS_KIND_MODAL:
        def.modal.frequency = (sis_list){frequency, 2};
        def.modal.mass = (sis_list){mass, 2};
        break;
    case SIS_KIND_BOW:
        def.bow.on = s->mass;
        def.bow.force = 1;
        def.bow.velocity = 0.1;
        break;
    case SIS_KIND_PLUCK:
        def.pluck.on = s->string;
        def.pluck.at = 0.3;
        def.pluck.height = 1e-3;
        break;
    case SIS_KIND_BARRIER:
        def.barrier.height = 0.5;
        break;
    case SIS_KIND_CONTACT:
        def.contact.above = s->mass;
        def.contact.below = s->other;
        def.contact.K = 1e5;
        def.contact.alpha = 1.3;
        break;
    case SIS_KIND_SPRING:
        def.spring.a = s->mass;
        def.spring.b = SIS_GROUND;
        break;
    case SIS_KIND_FORCE:
        def.force.on = s->mass;
        def.force.peak = 1;
        def.force.width = 1e-3;
        break;
    case SIS_KIND_PROBE:
        def.probe.on = s->mass;
        break;
    case SIS_KIND_INPUT:
        def.input.value = 0.5;
        break;
    default:
        break;
    }
    return def;
}

static void expect_refusal(const stage* s, sis_kind kind, const any_def* def, sis_status status,
                           const char* const* parts, int count) {
    sis_error error = {.status = SIS_OK};
    const int32_t before = sis_scene_count(s->scene);
    CHECK(sis_scene_add(s->scene, kind, def, &error) == SIS_NONE);
    CHECK(sis_scene_add(s->scene, kind, def, NULL) == SIS_NONE);
    CHECK(error.status == status);
    CHECK(sis_scene_count(s->scene) == before);
    for (int i = 0; i < count; i++)
        CHECK_TEXT(error.text, parts[i]);
    CHECK(strlen(error.text) < sizeof error.text - 1); // not cut off
    CHECK(strchr(error.text, '\n') == NULL);
}

#define REFUSED(stage, kind, def, status, ...)                                                     \
    do {                                                                                           \
        const char* const parts_[] = {__VA_ARGS__};                                                \
        expect_refusal(&(stage), kind, &(def), status, parts_,                                     \
                       (int)(sizeof parts_ / sizeof *parts_));                                     \
    } while (0)

static void defaults_are_legal_or_named(void) {
    stage s = new_stage();
    for (int kind = 0; kind < SIS_KIND_COUNT; kind++) {
        const any_def def = legal(&s, (sis_kind)kind);
        sis_error error = {.status = SIS_OK};
        const sis_id id = sis_scene_add(s.scene, (sis_kind)kind, &def, &error);
        CHECK(id == sis_scene_count(s.scene) - 1);
        CHECK(sis_scene_kind(s.scene, id) == (sis_kind)kind);
        CHECK(strcmp(sis_scene_name(s.scene, id), "culprit") == 0);
        if (id == SIS_NONE) printf("    %s: %s\n", sis_kind_word((sis_kind)kind), error.text);
    }
    sis_scene_free(s.scene);
}

// Fields that mean something only beside others, or on a string or plate: their range is not the
// whole story.
static bool stands_alone(const sis_field* f) {
    static const struct {
        sis_kind kind;
        const char* key;
    } together[] = {
        {SIS_KIND_STRING, "density"}, {SIS_KIND_STRING, "material_density"},
        {SIS_KIND_STRING, "gamma"},   {SIS_KIND_BARRIER, "from"},
        {SIS_KIND_BARRIER, "to"},     {SIS_KIND_PLUCK, "width"},
        {SIS_KIND_INPUT, "value"},    {SIS_KIND_INPUT, "min"},
        {SIS_KIND_INPUT, "max"},
    };
    for (size_t i = 0; i < sizeof together / sizeof *together; i++)
        if (f->kind == together[i].kind && strcmp(f->key, together[i].key) == 0) return false;
    return strcmp(f->key, "at") != 0 && strncmp(f->key, "at_", 3) != 0;
}

// Every number of the schema, below and above its range, and not a number.
static void numbers_stay_in_their_range(void) {
    int32_t count = 0;
    const sis_field* fields = sis_schema(&count);
    CHECK(count > 40);
    for (int32_t i = 0; i < count; i++) {
        const sis_field* f = &fields[i];
        if (f->type != SIS_FIELD_NUMBER) continue;
        stage s = new_stage();
        const double wrong[] = {f->min - (1 + fabs(f->min)), f->max * 2 + 1, HUGE_VAL, -HUGE_VAL};
        for (int j = 0; j < 4; j++) {
            any_def def = legal(&s, f->kind);
            *(double*)((char*)&def + f->offset) = wrong[j];
            char value[40];
            snprintf(value, sizeof value, "%g", wrong[j]);
            REFUSED(s, f->kind, def, SIS_BAD_VALUE, sis_kind_word(f->kind), "culprit", f->key,
                    f->unit, value);
        }
        const double edges[] = {f->min, f->max};
        for (int j = 0; j < 2 && stands_alone(f); j++) { // both ends of the range are inside
            any_def def = legal(&s, f->kind);
            def.mass.name = NULL;
            if (f->kind == SIS_KIND_INPUT) def.input.name = j ? "most" : "least"; // it needs one
            *(double*)((char*)&def + f->offset) = edges[j];
            if (f->kind == SIS_KIND_STRING && strcmp(f->key, "frequency") == 0)
                def.string.tension = (double)NAN; // which it stands for
            if (strcmp(f->key, "s") == 0)
                def.contact.scheme = SIS_SCHEME_ROOT; // it needs its scheme
            sis_error error = {.status = SIS_OK};
            const bool once = f->kind == SIS_KIND_RENDER;
            const sis_id id = sis_scene_add(s.scene, f->kind, &def, &error);
            if (!(once && j == 1)) {
                CHECK(id != SIS_NONE);
                if (id == SIS_NONE)
                    printf("    %s %s = %g: %s\n", sis_kind_word(f->kind), f->key, edges[j],
                           error.text);
            }
        }
        sis_scene_free(s.scene);
    }
}

static void missing_numbers_are_named(void) {
    int32_t count = 0;
    const sis_field* fields = sis_schema(&count);
    for (int32_t i = 0; i < count; i++) {
        const sis_field* f = &fields[i];
        if (!f->required) continue;
        stage s = new_stage();
        any_def def = legal(&s, f->kind);
        if (f->type == SIS_FIELD_NUMBER)
            *(double*)((char*)&def + f->offset) = (double)NAN;
        else if (f->type == SIS_FIELD_OBJECT)
            *(sis_id*)((char*)&def + f->offset) = SIS_NONE;
        REFUSED(s, f->kind, def, SIS_BAD_VALUE, "culprit", f->key, "missing", f->unit);
        sis_scene_free(s.scene);
    }
    stage s = new_stage(); // needed in context
    any_def def = legal(&s, SIS_KIND_MASS);
    def.mass.mass = (double)NAN;
    REFUSED(s, SIS_KIND_MASS, def, SIS_BAD_VALUE, "culprit", "mass", "kg", "missing");
    def = legal(&s, SIS_KIND_STRING);
    def.string.tension = (double)NAN;
    REFUSED(s, SIS_KIND_STRING, def, SIS_BAD_VALUE, "culprit", "tension", "N", "missing");
    def = legal(&s, SIS_KIND_FORCE);
    def.force.peak = (double)NAN;
    REFUSED(s, SIS_KIND_FORCE, def, SIS_BAD_VALUE, "culprit", "peak", "N", "missing");
    def = legal(&s, SIS_KIND_FORCE);
    def.force.width = (double)NAN;
    REFUSED(s, SIS_KIND_FORCE, def, SIS_BAD_VALUE, "culprit", "width", "s", "missing");
    sis_scene_free(s.scene);
}

// NaN where a default exists is not "not given" but wrong.
static void a_number_with_a_default_cannot_be_nan(void) {
    int32_t count = 0;
    const sis_field* fields = sis_schema(&count);
    for (int32_t i = 0; i < count; i++) {
        const sis_field* f = &fields[i];
        if (f->type != SIS_FIELD_NUMBER || f->required || isnan(f->fallback)) continue;
        stage s = new_stage();
        any_def def = legal(&s, f->kind);
        *(double*)((char*)&def + f->offset) = (double)NAN;
        REFUSED(s, f->kind, def, SIS_BAD_VALUE, "culprit", f->key, "nan");
        sis_scene_free(s.scene);
    }
}

static void words_and_integers_are_checked(void) {
    int32_t count = 0;
    const sis_field* fields = sis_schema(&count);
    for (int32_t i = 0; i < count; i++) {
        const sis_field* f = &fields[i];
        stage s = new_stage();
        any_def def = legal(&s, f->kind);
        if (f->type == SIS_FIELD_WORD) {
            *(int*)((char*)&def + f->offset) = 77;
            REFUSED(s, f->kind, def, SIS_BAD_VALUE, "culprit", f->key, "77", f->words);
            *(int*)((char*)&def + f->offset) = -3;
            REFUSED(s, f->kind, def, SIS_BAD_VALUE, "culprit", f->key, "-3");
        } else if (f->type == SIS_FIELD_INTEGER) {
            *(int32_t*)((char*)&def + f->offset) = 123456;
            REFUSED(s, f->kind, def, SIS_BAD_VALUE, "culprit", f->key, "123456");
            *(int32_t*)((char*)&def + f->offset) = -5;
            REFUSED(s, f->kind, def, SIS_BAD_VALUE, "culprit", f->key, "-5");
        }
        sis_scene_free(s.scene);
    }
    CHECK(count > 0);
}

static void envelopes_must_increase_and_stay_in_range(void) {
    stage s = new_stage();
    const double back[] = {0, 0, 0.2, 1, 0.1, 2}, still[] = {0, 0, 0.1, 1, 0.1, 2};
    const double high[] = {0, 0, 0.1, 1e7}, holes[] = {0, (double)NAN, 1, 0},
                 late[] = {(double)NAN, 0};
    any_def def = legal(&s, SIS_KIND_MASS);
    def.mass.mass = (double)NAN;
    def.mass.path = (sis_envelope){back, 3};
    REFUSED(s, SIS_KIND_MASS, def, SIS_BAD_VALUE, "culprit", "path", "increase", "0.1", "3");
    def.mass.path = (sis_envelope){still, 3};
    REFUSED(s, SIS_KIND_MASS, def, SIS_BAD_VALUE, "culprit", "path", "increase", "0.1");
    def.mass.path = (sis_envelope){high, 2};
    REFUSED(s, SIS_KIND_MASS, def, SIS_BAD_VALUE, "culprit", "path", "1e+07", " m");
    def.mass.path = (sis_envelope){holes, 2};
    REFUSED(s, SIS_KIND_MASS, def, SIS_BAD_VALUE, "culprit", "path", "nan");
    def.mass.path = (sis_envelope){late, 1};
    REFUSED(s, SIS_KIND_MASS, def, SIS_BAD_VALUE, "culprit", "path", "nan");
    def.mass.path = (sis_envelope){NULL, 2};
    REFUSED(s, SIS_KIND_MASS, def, SIS_BAD_VALUE, "culprit", "path");
    def.mass.path = (sis_envelope){high, -1};
    REFUSED(s, SIS_KIND_MASS, def, SIS_BAD_VALUE, "culprit", "path", "-1");
    def = legal(&s, SIS_KIND_FORCE);
    def.force.shape = SIS_FORCE_ENVELOPE;
    REFUSED(s, SIS_KIND_FORCE, def, SIS_BAD_VALUE, "culprit", "envelope");
    def.force.shape = SIS_FORCE_CONSTANT;
    def.force.envelope = (sis_envelope){still, 2};
    REFUSED(s, SIS_KIND_FORCE, def, SIS_BAD_VALUE, "culprit", "envelope");
    sis_scene_free(s.scene);
}

// Every list of the schema: no number outside its range, and numbers where it says that there are.
static void lists_stay_in_their_range(void) {
    int32_t count = 0;
    const sis_field* fields = sis_schema(&count);
    for (int32_t i = 0; i < count; i++) {
        const sis_field* f = &fields[i];
        if (f->type != SIS_FIELD_LIST) continue;
        stage s = new_stage();
        const double wrong[] = {f->min - (1 + fabs(f->min)), f->max * 2 + 1, (double)NAN};
        for (int j = 0; j < 3; j++) {
            any_def def = legal(&s, f->kind);
            const double values[] = {f->max, wrong[j]};
            *(sis_list*)((char*)&def + f->offset) = (sis_list){values, 2};
            char value[40];
            snprintf(value, sizeof value, "%g", wrong[j]);
            REFUSED(s, f->kind, def, SIS_BAD_VALUE, "culprit", f->key, "number 2", f->unit, value);
        }
        any_def def = legal(&s, f->kind);
        *(sis_list*)((char*)&def + f->offset) = (sis_list){NULL, 2};
        REFUSED(s, f->kind, def, SIS_BAD_VALUE, "culprit", f->key, "2");
        *(sis_list*)((char*)&def + f->offset) = (sis_list){wrong, -1};
        REFUSED(s, f->kind, def, SIS_BAD_VALUE, "culprit", f->key, "-1");
        *(sis_list*)((char*)&def + f->offset) = (sis_list){wrong, 100001};
        REFUSED(s, f->kind, def, SIS_BAD_VALUE, "culprit", f->key, "100001");
        sis_scene_free(s.scene);
    }
    CHECK(count > 0);
}

static void references_must_fit(void) {
    stage s = new_stage();
    const sis_id wrong[] = {s.contact, s.spring, 999, -7, SIS_GROUND};
    for (int i = 0; i < 5; i++) {
        any_def def = legal(&s, SIS_KIND_CONTACT);
        def.contact.above = wrong[i];
        REFUSED(s, SIS_KIND_CONTACT, def, SIS_BAD_VALUE, "culprit", "above", "mass");
        def = legal(&s, SIS_KIND_CONTACT);
        def.contact.below = wrong[i];
        REFUSED(s, SIS_KIND_CONTACT, def, SIS_BAD_VALUE, "culprit", "below", "mass");
        def = legal(&s, SIS_KIND_FORCE);
        def.force.on = wrong[i];
        REFUSED(s, SIS_KIND_FORCE, def, SIS_BAD_VALUE, "culprit", "on", "mass");
        if (wrong[i] != SIS_GROUND) {
            def = legal(&s, SIS_KIND_SPRING);
            def.spring.b = wrong[i];
            REFUSED(s, SIS_KIND_SPRING, def, SIS_BAD_VALUE, "culprit", "b", "ground");
        }
    }
    any_def def = legal(&s, SIS_KIND_SPRING);
    def.spring.a = s.barrier;
    REFUSED(s, SIS_KIND_SPRING, def, SIS_BAD_VALUE, "culprit", "a", "barrier");
    def = legal(&s, SIS_KIND_FORCE);
    def.force.on = s.barrier;
    REFUSED(s, SIS_KIND_FORCE, def, SIS_BAD_VALUE, "culprit", "on", "barrier");
    def = legal(&s, SIS_KIND_PROBE);
    def.probe.on = 999;
    REFUSED(s, SIS_KIND_PROBE, def, SIS_BAD_VALUE, "culprit", "on");
    sis_scene_free(s.scene);
}

static void combinations_that_mean_nothing_are_refused(void) {
    static const double path[] = {0, 0, 1, 1};
    stage s = new_stage();
    const sis_id second = put_barrier(s.scene, 2);
    any_def def = legal(&s, SIS_KIND_CONTACT);
    def.contact.below = s.mass;
    REFUSED(s, SIS_KIND_CONTACT, def, SIS_REFUSED, "culprit", "same body");
    def.contact.above = s.barrier;
    def.contact.below = second;
    REFUSED(s, SIS_KIND_CONTACT, def, SIS_REFUSED, "culprit", "barriers");
    def = legal(&s, SIS_KIND_CONTACT);
    def.contact.release = true;
    REFUSED(s, SIS_KIND_CONTACT, def, SIS_REFUSED, "culprit", "release", "quadratised");
    def = legal(&s, SIS_KIND_CONTACT);
    def.contact.law = SIS_LAW_CENTRE_LIMITED;
    def.contact.gap = -1e-3;
    REFUSED(s, SIS_KIND_CONTACT, def, SIS_BAD_VALUE, "culprit", "gap", "m");
    def = legal(&s, SIS_KIND_SPRING);
    def.spring.b = s.mass;
    REFUSED(s, SIS_KIND_SPRING, def, SIS_REFUSED, "culprit", "same");
    def.spring.a = def.spring.b = SIS_GROUND;
    REFUSED(s, SIS_KIND_SPRING, def, SIS_REFUSED, "culprit", "same");
    def = legal(&s, SIS_KIND_MASS);
    def.mass.frequency = 100;
    def.mass.stiffness = 100;
    REFUSED(s, SIS_KIND_MASS, def, SIS_REFUSED, "culprit", "frequency", "stiffness");
    def = legal(&s, SIS_KIND_MASS);
    def.mass.path = (sis_envelope){path, 2};
    def.mass.velocity = 1;
    REFUSED(s, SIS_KIND_MASS, def, SIS_REFUSED, "culprit", "path", "velocity");
    def = legal(&s, SIS_KIND_PROBE);
    def.probe.on = s.contact;
    REFUSED(s, SIS_KIND_PROBE, def, SIS_REFUSED, "culprit", "contact", "displacement");
    def.probe.on = s.spring;
    def.probe.quantity = SIS_QUANTITY_VELOCITY;
    REFUSED(s, SIS_KIND_PROBE, def, SIS_REFUSED, "culprit", "spring", "velocity");
    sis_mass_def hand = sis_mass_default();
    hand.path = (sis_envelope){path, 2};
    def = legal(&s, SIS_KIND_FORCE);
    const sis_id left = put(s.scene, SIS_KIND_MASS, &hand),
                 right = put(s.scene, SIS_KIND_MASS, &hand);
    def.force.on = left;
    REFUSED(s, SIS_KIND_FORCE, def, SIS_REFUSED, "culprit", "driven");
    // nothing a force could move
    def = legal(&s, SIS_KIND_CONTACT);
    def.contact.above = left;
    def.contact.below = right;
    REFUSED(s, SIS_KIND_CONTACT, def, SIS_REFUSED, "culprit", "driven");
    def.contact.below = s.barrier;
    REFUSED(s, SIS_KIND_CONTACT, def, SIS_REFUSED, "culprit", "driven");
    def = legal(&s, SIS_KIND_SPRING);
    def.spring.a = left;
    REFUSED(s, SIS_KIND_SPRING, def, SIS_REFUSED, "culprit", "move");
    def.spring.b = right;
    REFUSED(s, SIS_KIND_SPRING, def, SIS_REFUSED, "culprit", "move");
    sis_scene_free(s.scene);
}

static void names_and_singletons(void) {
    stage s = new_stage();
    any_def def = legal(&s, SIS_KIND_MASS);
    put(s.scene, SIS_KIND_MASS, &def);
    REFUSED(s, SIS_KIND_MASS, def, SIS_REFUSED, "culprit", "taken");
    CHECK(sis_scene_find(s.scene, SIS_KIND_MASS, "culprit") == sis_scene_count(s.scene) - 1);
    CHECK(sis_scene_find(s.scene, SIS_KIND_MASS, "nobody") == SIS_NONE);
    def.mass.name = "";
    REFUSED(s, SIS_KIND_MASS, def, SIS_BAD_VALUE, "mass", "name");
    def.mass.name = "two\nlines";
    REFUSED(s, SIS_KIND_MASS, def, SIS_BAD_VALUE, "mass", "name", "control");
    char endless[3000];
    memset(endless, 'x', sizeof endless);
    endless[sizeof endless - 1] = 0;
    def.mass.name = endless;
    REFUSED(s, SIS_KIND_MASS, def, SIS_BAD_VALUE, "mass", "name", "2999");
    def = legal(&s, SIS_KIND_GRAVITY);
    def.gravity.name = NULL;
    put(s.scene, SIS_KIND_GRAVITY, &def);
    put(s.scene, SIS_KIND_GRAVITY, &def); // they add up
    def = legal(&s, SIS_KIND_RENDER);
    def.render.name = NULL;
    put(s.scene, SIS_KIND_RENDER, &def);
    REFUSED(s, SIS_KIND_RENDER, def, SIS_REFUSED, "render", "twice");
    CHECK(sis_scene_name(s.scene, s.mass) && strcmp(sis_scene_name(s.scene, s.mass), "mass1") == 0);
    CHECK(strcmp(sis_scene_name(s.scene, s.other), "mass2") == 0);
    CHECK(strcmp(sis_scene_name(s.scene, 12345), "") == 0);
    sis_error error = {.status = SIS_OK};
    CHECK(sis_scene_add(s.scene, SIS_KIND_COUNT, &def, &error) == SIS_NONE && *error.text);
    CHECK(sis_scene_add(s.scene, SIS_KIND_MASS, NULL, &error) == SIS_NONE && *error.text);
    sis_scene_free(s.scene);
    sis_scene_free(NULL);
    sis_system_free(NULL);
}

// ---------------------------------------------------------------------------- compile

static void expect_no_system(sis_scene* scene, double rate, sis_scheme scheme, sis_status status,
                             const char* const* parts, int count) {
    sis_error error = {.status = SIS_OK};
    const sis_options options = {.rate = rate, .scheme = scheme};
    CHECK(sis_compile(scene, &options, NULL) == NULL);
    CHECK(sis_compile(scene, &options, &error) == NULL);
    CHECK(error.status == status);
    for (int i = 0; i < count; i++)
        CHECK_TEXT(error.text, parts[i]);
    CHECK(strchr(error.text, '\n') == NULL);
    sis_scene_free(scene);
}

#define NO_SYSTEM(scene, rate, scheme, status, ...)                                                \
    do {                                                                                           \
        const char* const parts_[] = {__VA_ARGS__};                                                \
        expect_no_system(scene, rate, scheme, status, parts_,                                      \
                         (int)(sizeof parts_ / sizeof *parts_));                                   \
    } while (0)

static sis_scene* sprung_scene(double frequency) {
    sis_scene* scene = sis_scene_new();
    sis_mass_def def = sis_mass_default();
    def.name = "reed";
    def.mass = 0.001;
    def.frequency = frequency;
    put(scene, SIS_KIND_MASS, &def);
    return scene;
}

// w k < 2, that is rate > pi f: refused from the limit on, with the rate that would do.
static void springs_too_fast_for_the_rate_are_refused(void) {
    sis_error error = {.status = SIS_OK};
    for (double rate = 8000; rate < 100000; rate *= 1.7) {
        const sis_options options = {
            .rate = rate, .scheme = SIS_SCHEME_AS_GIVEN, .unaudited = false};
        sis_scene* good = sprung_scene(0.9999 * rate / PI);
        sis_system* system = sis_compile(good, &options, &error);
        CHECK(system != NULL);
        if (system) CHECK(sis_system_body(system, 0).margin > 0);
        sis_system_free(system);
        sis_scene_free(good);
        NO_SYSTEM(sprung_scene(rate / PI), rate, SIS_SCHEME_AS_GIVEN, SIS_REFUSED, "reed", "Hz",
                  "rate");
        NO_SYSTEM(sprung_scene(1.0001 * rate / PI), rate, SIS_SCHEME_AS_GIVEN, SIS_REFUSED, "reed",
                  "rate");
    }
    NO_SYSTEM(sprung_scene(20000), 44100, SIS_SCHEME_AS_GIVEN, SIS_REFUSED, "20000 Hz", "44100",
              "62831.9");
}

static sis_scene* wall_scene(const method* how, double mu, bool spring) {
    sis_scene* scene = sis_scene_new();
    const sis_id mass = put_mass(scene, 0.01, 0, 1);
    sis_contact_def def = sis_contact_default();
    def.name = "bump";
    def.above = put_barrier(scene, 1e-3);
    def.below = mass;
    def.K = 1e6;
    def.alpha = 1.5;
    def.damping = mu;
    def.scheme = how->scheme;
    def.release = how->release;
    def.potential = how->potential;
    put(scene, SIS_KIND_CONTACT, &def);
    if (spring) put_spring(scene, mass, SIS_GROUND, 100, 0, 0);
    return scene;
}

static void schemes_that_cannot_work_are_refused(void) {
    const sis_scheme given = SIS_SCHEME_AS_GIVEN;
    method middle = methods[PLAIN];
    middle.potential = SIS_POTENTIAL_MIDPOINT;
    NO_SYSTEM(wall_scene(&methods[EXACT], 0.1, false), 44100, given, SIS_REFUSED, "bump", "exact",
              "damping");
    NO_SYSTEM(wall_scene(&methods[LEDGER], 0.1, false), 44100, SIS_SCHEME_EXACT, SIS_REFUSED,
              "bump", "exact", "damping");
    NO_SYSTEM(wall_scene(&methods[EXACT], 0, true), 44100, given, SIS_REFUSED, "bump", "exact",
              "ledger");
    NO_SYSTEM(wall_scene(&middle, 0, false), 44100, given, SIS_REFUSED, "bump", "midpoint",
              "newton");
    NO_SYSTEM(wall_scene(&methods[LEDGER_MID], 0, false), 44100, SIS_SCHEME_QUADRATISED,
              SIS_REFUSED, "bump", "midpoint", "ledger");
    middle.scheme = SIS_SCHEME_EXACT;
    NO_SYSTEM(wall_scene(&middle, 0, false), 44100, given, SIS_REFUSED, "bump", "midpoint");
    sis_error error = {.status = SIS_OK}; // one scheme for all overrides what was given
    sis_scene* scene = wall_scene(&methods[RELEASE], 0, false);
    const sis_options options = {.rate = 44100, .scheme = SIS_SCHEME_NEWTON};
    sis_system* system = sis_compile(scene, &options, &error);
    CHECK(system && sis_system_link(system, 0).scheme == SIS_SCHEME_NEWTON);
    sis_system_free(system);
    sis_scene_free(scene);
}

static void scenes_that_cannot_run_are_refused(void) {
    const sis_scheme given = SIS_SCHEME_AS_GIVEN;
    NO_SYSTEM(sis_scene_new(), 44100, given, SIS_REFUSED, "mass");
    NO_SYSTEM(sprung_scene(10), 0, given, SIS_BAD_VALUE, "rate", "Hz");
    NO_SYSTEM(sprung_scene(10), -5, given, SIS_BAD_VALUE, "rate", "Hz", "-5");
    NO_SYSTEM(sprung_scene(10), (double)NAN, given, SIS_BAD_VALUE, "rate", "nan");
    NO_SYSTEM(sprung_scene(10), HUGE_VAL, given, SIS_BAD_VALUE, "rate", "inf");
    NO_SYSTEM(sprung_scene(10), 44100, (sis_scheme)17, SIS_BAD_VALUE, "scheme", "17");
    sis_scene* scene = sprung_scene(10);
    put_probe(scene, 0, SIS_QUANTITY_PENETRATION);
    NO_SYSTEM(scene, 44100, given, SIS_REFUSED, "probe", "reed", "contact");
}

// What a system says of itself.
static void systems_describe_themselves(void) {
    sis_scene* scene = wall_scene(&methods[RELEASE], 0, true);
    put_probe(scene, 0, SIS_QUANTITY_VELOCITY);
    sis_error error = {.status = SIS_OK};
    const sis_options options = {.rate = 48000, .scheme = SIS_SCHEME_AS_GIVEN, .unaudited = false};
    sis_system* system = sis_compile(scene, &options, &error);
    sis_scene_free(scene); // systems live on
    CHECK(system != NULL);
    if (!system) return;
    CHECK(sis_system_rate(system) == 48000);
    CHECK(sis_system_body_count(system) == 2 && sis_system_link_count(system) == 2);
    const sis_link_info bump = sis_system_link(system, 0), spring = sis_system_link(system, 1);
    CHECK_TEXT(bump.name, "bump");
    CHECK_TEXT(bump.above, "barrier1");
    CHECK_TEXT(bump.below, "mass1");
    CHECK(bump.kind == SIS_KIND_CONTACT && spring.kind == SIS_KIND_SPRING);
    CHECK(bump.scheme == SIS_SCHEME_QUADRATISED && bump.points == 1);
    CHECK(bump.block == spring.block && bump.block_size == 2);
    CHECK_NEAR(bump.compliance, 1 / (48000.0 * 48000 * 0.01), 1e-20);
    const sis_probe_info probe = sis_system_probe(system, 0);
    CHECK_TEXT(probe.on, "mass1");
    CHECK_TEXT(probe.unit, "m/s");
    CHECK(probe.channel == 1 && probe.gain == 1);
    CHECK(sis_system_link(system, 7).name == NULL && sis_system_body(system, -1).name == NULL);
    CHECK(sis_state_size(system) % 64 == 0 && sis_system_size(system) > 0);
    sis_system_free(system);
}

int main(void) {
    RUN(defaults_are_legal_or_named);
    RUN(numbers_stay_in_their_range);
    RUN(missing_numbers_are_named);
    RUN(a_number_with_a_default_cannot_be_nan);
    RUN(words_and_integers_are_checked);
    RUN(envelopes_must_increase_and_stay_in_range);
    RUN(lists_stay_in_their_range);
    RUN(references_must_fit);
    RUN(combinations_that_mean_nothing_are_refused);
    RUN(names_and_singletons);
    RUN(springs_too_fast_for_the_rate_are_refused);
    RUN(schemes_that_cannot_work_are_refused);
    RUN(scenes_that_cannot_run_are_refused);
    RUN(systems_describe_themselves);
    return CHECK_REPORT();
}
