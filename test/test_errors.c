// Errors as values: clean texts, the object and the key an error is about, plain decimal numbers.
#include "check.h"
#include "text.h"

#include <sistrum/sistrum.h>
#include <stdlib.h>

#define BAD "\xEF\xBF\xBD" // U+FFFD

static void cleans(const char* text, const char* expected) {
    char clean[256];
    size_t size = sis_clean(text, clean, sizeof clean);
    CHECK(strcmp(clean, expected) == 0);
    if (strcmp(clean, expected) != 0) printf("'%s' is not '%s'\n", clean, expected);
    CHECK(size == strlen(expected) && sis_clean(text, NULL, 0) == size);
}

static void what_cannot_be_printed_is_replaced(void) {
    cleans("", "");
    cleans("plain, \xC2\xB5 \xE9\x9F\xB3 \xF0\x9F\x8E\xB8",
           "plain, \xC2\xB5 \xE9\x9F\xB3 \xF0\x9F\x8E\xB8");
    cleans("a\nb\tc\rd\x0B\x0C", "a b c d  ");
    cleans("a\x1B[31mb\x7F\x01", "a" BAD "[31mb" BAD BAD);
    cleans("\xC2\x85|\xC2\x9B|\xC2\xA0", " |" BAD "|\xC2\xA0"); // C1; a space that stays
    cleans("\xE2\x80\xA8\xE2\x80\xA9", "  ");                   // lines, paragraphs
    cleans("\xE2\x80\xAA\xE2\x80\xAE\xE2\x81\xA6\xE2\x81\xA9", BAD BAD BAD BAD); // directions
    cleans("\xE2\x80\x8B\xE2\x80\x8E\xE2\x80\x8F\xD8\x9C\xEF\xBB\xBF", BAD BAD BAD BAD BAD);
    cleans("\xFF\xC3", BAD BAD);                         // no UTF-8, and one that is cut
    cleans("\xC0\x80\xE0\x80\x80", BAD BAD BAD BAD BAD); // overlong
    cleans("\xED\xA0\x80\xF4\x90\x80\x80", BAD BAD BAD BAD BAD BAD BAD); // surrogate, too large
    cleans("\xEF\xBF\xBE", BAD);                                         // no character
}

static void a_cut_never_splits_a_letter(void) {
    const char text[] = "\xC2\xB5\xE9\x9F\xB3\x1B\xF0\x9F\x8E\xB8z";
    for (size_t room = 1; room < 20; room++) {
        char clean[32], again[64];
        memset(clean, 'x', sizeof clean);
        size_t whole = sis_clean(text, clean, room);
        CHECK(whole == 13 && strlen(clean) < room);
        CHECK(sis_clean(clean, again, sizeof again) == strlen(clean) && strcmp(clean, again) == 0);
    }
}

// Random bytes: what comes out is clean, whatever goes in.
static void cleaning_twice_is_cleaning_once(void) {
    unsigned seed = 1;
    for (int i = 0; i < 20000; i++) {
        char raw[41], once[128], twice[128];
        for (int j = 0; j < 40; j++) {
            seed = seed * 1664525u + 1013904223u;
            unsigned pick = seed >> 24;
            raw[j] = (char)(pick < 60 ? 0xE2 : pick < 90 ? 0x80 : seed >> 16 & 255);
        }
        raw[40] = 0;
        sis_clean(raw, once, sizeof once);
        CHECK(sis_clean(once, twice, sizeof twice) == strlen(once) && strcmp(once, twice) == 0);
    }
}

// ---------------------------------------------------------------------------- object and key

static sis_scene* small_scene(sis_id* string) {
    sis_scene* scene = sis_scene_new();
    sis_string_def def = sis_string_default();
    def.name = "low";
    def.length = 0.6;
    def.tension = 60;
    def.density = 1e-3;
    *string = sis_scene_add_string(scene, &def, NULL);
    return scene;
}

static void what_is_not_added_names_its_key(void) {
    sis_id string;
    sis_scene* scene = small_scene(&string);
    sis_error error = {.status = SIS_OK};
    sis_mass_def mass = sis_mass_default();
    mass.mass = -1;
    CHECK(sis_scene_add_mass(scene, &mass, &error) == SIS_NONE);
    CHECK(error.object == SIS_NONE && strcmp(error.key, "mass") == 0);
    sis_string_def twice = sis_string_default();
    twice.length = 1;
    twice.tension = 10;
    twice.frequency = 100;
    twice.density = 1e-3;
    CHECK(sis_scene_add_string(scene, &twice, &error) == SIS_NONE);
    CHECK(strcmp(error.key, "tension") == 0);
    sis_probe_def probe = sis_probe_default();
    probe.on = string;
    probe.at = 2;
    CHECK(sis_scene_add_probe(scene, &probe, &error) == SIS_NONE);
    CHECK(strcmp(error.key, "at") == 0);
    probe.at = 0.1;
    probe.name = "a\x1B";
    CHECK(sis_scene_add_probe(scene, &probe, &error) == SIS_NONE);
    CHECK(strcmp(error.key, "name") == 0 && !strchr(error.text, '\x1B'));
    sis_scene_free(scene);
}

static void what_cannot_be_compiled_names_object_and_key(void) {
    sis_id string;
    sis_scene* scene = small_scene(&string);
    sis_error error = {.status = SIS_OK};
    sis_mass_def fast = sis_mass_default();
    fast.mass = 1;
    fast.frequency = 1e6;
    fast.name = "f\xE2\x80\xAE"; // turns the direction: kept clean
    sis_id mass = sis_scene_add_mass(scene, &fast, &error);
    CHECK(mass != SIS_NONE && strcmp(sis_scene_name(scene, mass), "f" BAD) == 0);
    CHECK(sis_scene_add_mass(scene, &fast, &error) == SIS_NONE && strcmp(error.key, "name") == 0);
    sis_options options = {.rate = 44100, .scheme = SIS_SCHEME_AS_GIVEN};
    CHECK(!sis_compile(scene, &options, &error));
    CHECK(error.object == mass && strcmp(error.key, "frequency") == 0);
    CHECK_TEXT(error.text, "mass 'f" BAD "': the spring of 'frequency'");
    sis_scene_free(scene);

    scene = small_scene(&string);
    sis_pluck_def pluck = sis_pluck_default();
    pluck.on = string;
    pluck.shape = SIS_PLUCK_MODE;
    pluck.height = 1e-3;
    pluck.mode = 19999;
    sis_id mode = sis_scene_add_pluck(scene, &pluck, &error);
    CHECK(!sis_compile(scene, &options, &error));
    CHECK(error.object == mode && strcmp(error.key, "mode") == 0);
    options.rate = 0; // belongs to no object
    CHECK(!sis_compile(scene, &options, &error));
    CHECK(error.object == SIS_NONE && !*error.key);
    sis_scene_free(scene);
}

static bool breaks(void* context, double x, double* out, sis_error* error) {
    (void)context;
    (void)x;
    (void)out;
    error->status = SIS_BAD_VALUE;
    snprintf(error->text, sizeof error->text, "no height\n\x1B here");
    return false;
}

static void a_profile_that_fails_is_its_barriers_height(void) {
    sis_id string;
    sis_scene* scene = small_scene(&string);
    sis_error error = {.status = SIS_OK};
    sis_barrier_def bridge = sis_barrier_default();
    bridge.profile.value = breaks;
    sis_contact_def contact = sis_contact_default();
    contact.above = string;
    contact.below = sis_scene_add_barrier(scene, &bridge, &error);
    contact.K = 1e9;
    contact.alpha = 1.5;
    CHECK(sis_scene_add_contact(scene, &contact, &error) != SIS_NONE);
    sis_options options = {.rate = 44100, .scheme = SIS_SCHEME_AS_GIVEN};
    CHECK(!sis_compile(scene, &options, &error));
    CHECK(error.object == contact.below && strcmp(error.key, "height") == 0);
    CHECK(strcmp(error.text, "no height " BAD " here") == 0);
    sis_scene_free(scene);
}

// ---------------------------------------------------------------------------- numbers

static void numbers_are_plain_decimals(void) {
    static const char* const good[] = {"0",   "-1",   "+2.5", ".5",      "5.",
                                       "1e3", "1E-3", "-0.0", "1.5e+10", "00012"};
    static const char* const bad[] = {"",
                                      " ",
                                      "1 ",
                                      " 1",
                                      "0x10",
                                      "0x1p3",
                                      "inf",
                                      "nan",
                                      "-inf",
                                      "1e",
                                      "e1",
                                      ".",
                                      "+",
                                      "1e+",
                                      "1,5",
                                      "1e999",
                                      "1s",
                                      "--1",
                                      "1..2",
                                      "+.e1",
                                      "\xC2\xA0"
                                      "1"};
    double value = 0;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        CHECK(sis_text_number(good[i], &value) && value == strtod(good[i], NULL));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK(!sis_text_number(bad[i], &value));
    long whole = 0;
    CHECK(sis_text_whole("-12", -20, 20, &whole) && whole == -12);
    CHECK(!sis_text_whole("21", -20, 20, &whole) && !sis_text_whole("1.0", 0, 9, &whole));
    CHECK(!sis_text_whole("0x1", 0, 9, &whole) && !sis_text_whole("1e0", 0, 9, &whole));
    CHECK(!sis_text_whole("99999999999999999999", 0, 9, &whole));
}

int main(void) {
    RUN(what_cannot_be_printed_is_replaced);
    RUN(a_cut_never_splits_a_letter);
    RUN(cleaning_twice_is_cleaning_once);
    RUN(what_is_not_added_names_its_key);
    RUN(what_cannot_be_compiled_names_object_and_key);
    RUN(a_profile_that_fails_is_its_barriers_height);
    RUN(numbers_are_plain_decimals);
    return CHECK_REPORT();
}
