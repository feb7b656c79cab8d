// sistrum.clap: the same events give the same sound, however blocks are cut, before and after a state is saved; main and audio
// thread at the same time.
#include "clap_host.h"

#include "check.h"

#include <pthread.h>

static clap_file file;
static clap_host_rack rack, other;

enum { FRAMES = 24000 };
static float sound[2][FRAMES];

static const char* turned = "Gestures"; // the kind of knobs that a tune turns

/** The first knob of that kind. */
static bool find_knob(clap_host_rack* r, clap_param_info_t* info) {
    for (uint32_t i = 0; r->params->get_info(r->plugin, i, info); i++)
        if (!strcmp(info->module, turned)) return true;
    return false;
}

/** What happens at the n-th step of a tune. */
static void add_step(clap_host_rack* r, uint32_t n, uint32_t time) {
    clap_param_info_t gain, knob;
    bool has_gain = rack_find(r, "Gain", &gain), has_knob = find_knob(r, &knob);
    double range = has_knob ? knob.max_value - knob.min_value : 0;
    int key = 50 + (int)(n / 8 % 5);
    if (n % 8 == 0) rack_note(r, time, key, 0.7);
    if (n % 8 == 3 && has_knob) rack_param(r, time, &knob, knob.min_value + range * (n % 7) / 7);
    if (n % 8 == 4) rack_midi(r, time, 0xE0, 0, 64 + (int)(n % 16));
    if (n % 8 == 5) rack_note(r, time, key, 0);
    if (n % 8 == 6 && has_gain) rack_param(r, time, &gain, -(double)(n % 5));
}

/** Plays it in blocks of these lengths into `sound`. */
static uint64_t play_tune(clap_host_rack* r, const uint32_t* cuts, uint32_t cut_count) {
    uint32_t at = 0, next = 0;
    for (uint32_t c = 0; at < FRAMES; c = (c + 1) % cut_count) {
        uint32_t length = cuts[c] < FRAMES - at ? cuts[c] : FRAMES - at;
        for (; next * 331 < at + length; next++)
            add_step(r, next, next * 331 - at);
        rack_process(r, length);
        for (int k = 0; k < 2; k++)
            memcpy(sound[k] + at, r->out[k], length * sizeof(float));
        at += length;
    }
    bool finite = true, loud = false;
    for (uint32_t i = 0; i < FRAMES; i++) {
        finite = finite && isfinite(sound[0][i]) && isfinite(sound[1][i]);
        loud = loud || sound[0][i] != 0;
    }
    CHECK(finite);
    CHECK(loud);
    return host_hash(HOST_HASH, sound, sizeof sound);
}

static uint64_t tune_of(const char* id, double rate, uint32_t most, const uint32_t* cuts,
                        uint32_t cut_count) {
    bool opened = rack_open(&rack, &file, id);
    CHECK(opened);
    if (!opened) return 0;
    CHECK(rack_make_plain(&rack));
    CHECK(rack_activate(&rack, rate, most));
    uint64_t hash = play_tune(&rack, cuts, cut_count);
    rack_close(&rack);
    return hash;
}

static const char* const scenes[] = {"org.sistrum.tanpura",    "org.sistrum.guitar",
                                     "org.sistrum.felt_piano", "org.sistrum.tromba",
                                     "org.sistrum.snare",      "org.sistrum.sitar"};
enum { SCENES = sizeof scenes / sizeof *scenes };

static void the_sound_does_not_depend_on_blocks(void) {
    static const uint32_t even[] = {256}, odd[] = {1, 64, 7, 500, 0, 333, 1024}, small[] = {17};
    int count = check_count(2, SCENES);
    for (int i = 0; i < count; i++) {
        uint64_t hash = tune_of(scenes[i], 48000, 256, even, 1);
        CHECK(tune_of(scenes[i], 48000, 1024, odd, 7) == hash);
        CHECK(tune_of(scenes[i], 48000, 17, small, 1) == hash);
        CHECK(tune_of(scenes[i], 48000, 16, even, 1) == hash); // longer blocks than announced
        CHECK(tune_of(scenes[i], 44100, 256, even, 1) != hash);
    }
}

static void automated_params_do_not_depend_on_blocks_either(void) {
    static const uint32_t even[] = {256}, odd[] = {1, 64, 7, 500, 0, 333, 1024};
    turned = "Instrument";
    for (int i = 0; i < 3; i++) {
        uint64_t hash = tune_of(scenes[i], 48000, 256, even, 1);
        CHECK(tune_of(scenes[i], 48000, 256, even, 1) == hash);
        CHECK(tune_of(scenes[i], 48000, 1024, odd, 7) == hash);
    }
    turned = "Gestures";
}

static void an_instrument_takes_any_rate_and_goes_back(void) {
    static const uint32_t even[] = {256};
    CHECK(rack_open(&rack, &file, "org.sistrum.tanpura"));
    CHECK(rack_make_plain(&rack));
    CHECK(rack_activate(&rack, 48000, 256));
    uint64_t hash = play_tune(&rack, even, 1);
    const double rates[] = {8000, 44100, 96000, 192000};
    for (int i = 0; i < 4; i++) {
        CHECK(rack_activate(&rack, rates[i], 64u << i));
        play_tune(&rack, even, 1);
    }
    CHECK(!rack_activate(&rack, 10, 64));
    CHECK(!rack_activate(&rack, NAN, 64));
    uint32_t count = rack.params->count(rack.plugin);
    for (uint32_t i = 0; i < count; i++) { // as it began
        clap_param_info_t info;
        rack.params->get_info(rack.plugin, i, &info);
        rack_param(&rack, 0, &info, info.default_value);
    }
    rack_flush(&rack);
    CHECK(rack_make_plain(&rack));
    CHECK(rack_activate(&rack, 48000, 256));
    CHECK(play_tune(&rack, even, 1) == hash);
    rack_close(&rack);
}

// ---------------------------------------------------------------------------- states

/** Every param somewhere in its range. */
static void turn_all(clap_host_rack* r) {
    uint32_t count = r->params->count(r->plugin);
    for (uint32_t i = 0; i < count; i++) {
        clap_param_info_t info;
        r->params->get_info(r->plugin, i, &info);
        if (!strcmp(info.name, "Preset") || !strcmp(info.module, "Blows")) continue;
        double range = info.max_value - info.min_value;
        rack_param(r, 0, &info, info.min_value + range * (0.3 + 0.4 * (i % 3) / 3));
    }
    rack_flush(r);
}

static void check_same_values(void) {
    uint32_t count = rack.params->count(rack.plugin);
    CHECK(count == other.params->count(other.plugin));
    for (uint32_t i = 0; i < count; i++) {
        clap_param_info_t info;
        double a = NAN, b = NAN;
        rack.params->get_info(rack.plugin, i, &info);
        CHECK(rack.params->get_value(rack.plugin, info.id, &a));
        CHECK(other.params->get_value(other.plugin, info.id, &b));
        CHECK(a == b);
        if (a != b) printf("%s: %.17g became %.17g\n", info.name, a, b);
    }
}

static void a_restored_state_sounds_the_same(void) {
    static const uint32_t even[] = {128};
    int count = check_count(2, SCENES);
    for (int i = 0; i < count; i++) {
        host_text text = {.step = 1000}, again = {0};
        CHECK(rack_open(&rack, &file, scenes[i]));
        CHECK(rack_open(&other, &file, scenes[i]));
        turn_all(&rack);
        CHECK(rack_save(&rack, &text));
        CHECK(rack_load(&other, &text));
        check_same_values();
        CHECK(rack_save(&other, &again));
        CHECK(text.size == again.size && !memcmp(text.bytes, again.bytes, text.size));
        CHECK(rack_make_plain(&rack) && rack_make_plain(&other));
        CHECK(rack_activate(&rack, 48000, 128) && rack_activate(&other, 48000, 128));
        uint64_t hash = play_tune(&rack, even, 1);
        CHECK(play_tune(&other, even, 1) == hash);
        rack_close(&rack);
        rack_close(&other);
        host_text_free(&text);
        host_text_free(&again);
    }
}

/** The state of a guitar in a tanpura: it is that guitar now, and params of the same name stay. */
static void a_state_brings_its_own_scene(void) {
    for (int active = 0; active < 2; active++) {
        host_text text = {0};
        CHECK(rack_open(&rack, &file, "org.sistrum.guitar"));
        turn_all(&rack);
        CHECK(rack_save(&rack, &text));
        CHECK(rack_open(&other, &file, "org.sistrum.tanpura"));
        if (active) CHECK(rack_activate(&other, 48000, 256));
        if (active) rack_note(&other, 0, 50, 1);
        if (active) rack_process(&other, 256);
        uint32_t before = other.params->count(other.plugin);
        CHECK(rack_load(&other, &text));
        if (active) {
            // Hosts may keep the list until they have deactivated it, as they were asked to.
            CHECK(other.restarts == 1);
            CHECK(other.params->count(other.plugin) == before);
            rack_process(&other, 256);
            rack_deactivate(&other);
        }
        CHECK(other.rescan_flags & CLAP_PARAM_RESCAN_ALL);
        check_same_values();
        rack_close(&rack);
        rack_close(&other);
        host_text_free(&text);
    }
}

static void a_damaged_state_is_refused_and_changes_nothing(void) {
    host_text text = {0};
    CHECK(rack_open(&rack, &file, "org.sistrum.tanpura"));
    CHECK(rack_open(&other, &file, "org.sistrum.tanpura"));
    turn_all(&rack);
    turn_all(&other);
    CHECK(rack_save(&rack, &text));
    size_t size = text.size;
    for (size_t cut = 0; cut < 200 && cut < size; cut += 7) {
        text.size = cut;
        *other.log = 0;
        CHECK(!rack_load(&other, &text));
        CHECK(*other.log);
    }
    text.size = size;
    text.bytes[strlen("sistrum-clap ")] = '9';
    CHECK(!rack_load(&other, &text));
    CHECK_TEXT(other.log, "newer");
    check_same_values();
    rack_close(&rack);
    rack_close(&other);
    host_text_free(&text);
}

// ---------------------------------------------------------------------------- threads

static _Atomic bool playing;

/** [audio]: notes and automation without end. */
static void* audio_thread(void* unused) {
    (void)unused;
    clap_param_info_t knob;
    knob.id = CLAP_INVALID_ID;
    knob.cookie = NULL;
    for (uint32_t n = 0; playing; n++) {
        rack_note(&rack, 3, 45 + (int)(n % 12), n % 2 ? 0 : 0.6);
        rack_param(&rack, 9, &knob, 0.5);
        rack_process(&rack, 64);
    }
    return NULL;
}

static void main_and_audio_run_at_the_same_time(void) {
    host_text text = {0}, guitar = {0};
    CHECK(rack_open(&other, &file, "org.sistrum.guitar"));
    CHECK(rack_save(&other, &guitar));
    rack_close(&other);
    CHECK(rack_open(&rack, &file, "org.sistrum.tanpura"));
    CHECK(rack_activate(&rack, 48000, 64));
    playing = true;
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, audio_thread, NULL) == 0);
    for (int i = 0; i < (SANITIZED ? 6 : 30); i++) {
        clap_param_info_t info;
        double value;
        for (uint32_t k = 0; rack.params->get_info(rack.plugin, k, &info); k++)
            CHECK(rack.params->get_value(rack.plugin, info.id, &value));
        CHECK(rack_save(&rack, &text));
        CHECK(rack_load(&rack, i % 3 == 2 ? &guitar : &text));
        rack.plugin->on_main_thread(rack.plugin);
    }
    playing = false;
    pthread_join(thread, NULL);
    rack_close(&rack);
    host_text_free(&text);
    host_text_free(&guitar);
}

/** A host that lets silent plugins rest hears of the end of notes. */
static void notes_end_and_silence_sleeps(void) {
    CHECK(rack_open(&rack, &file, "org.sistrum.felt_piano"));
    CHECK(rack.render->set(rack.plugin, CLAP_RENDER_OFFLINE));
    CHECK(rack_activate(&rack, 48000, 512));
    rack_process(&rack, 512);
    CHECK(rack.status == CLAP_PROCESS_SLEEP);
    rack_note(&rack, 0, 60, 0.5);
    rack_process(&rack, 512);
    CHECK(rack.status == CLAP_PROCESS_CONTINUE);
    rack_note(&rack, 0, 60, 0);
    for (int i = 0; i < 20000 && rack.status != CLAP_PROCESS_SLEEP; i++)
        rack_process(&rack, 512);
    CHECK(rack.status == CLAP_PROCESS_SLEEP);
    CHECK(rack.note_ends == 1);
    rack_close(&rack);
}

static bool is_silent(const clap_host_rack* r, uint32_t frames) {
    for (uint32_t i = 0; i < frames; i++)
        if (r->out[0][i] != 0 || r->out[1][i] != 0) return false;
    return true;
}

/** What fades after a choke, or after another state came, is heard to its end: until then the plugin
 * does not sleep. */
static void what_fades_is_heard_to_its_end(void) {
    host_text text = {0};
    CHECK(rack_open(&rack, &file, "org.sistrum.tanpura"));
    CHECK(rack_make_plain(&rack));
    CHECK(rack_activate(&rack, 48000, 32));
    CHECK(rack_save(&rack, &text));
    for (int choked = 0; choked < 2; choked++) {
        rack_note(&rack, 0, 50, 1);
        for (int i = 0; i < 300; i++)
            rack_process(&rack, 32);
        CHECK(!is_silent(&rack, 32));
        rack_note(&rack, 0, 50, 0);
        if (choked) rack.events[0].header.type = CLAP_EVENT_NOTE_CHOKE;
        if (!choked) rack_process(&rack, 32);
        if (!choked) CHECK(rack_load(&rack, &text));
        rack_process(&rack, 32);
        CHECK(!is_silent(&rack, 32));
        for (int i = 0; i < 2000 && rack.status != CLAP_PROCESS_SLEEP; i++)
            rack_process(&rack, 32);
        CHECK(rack.status == CLAP_PROCESS_SLEEP);
        rack_process(&rack, 32);
        CHECK(is_silent(&rack, 32));
    }
    rack_close(&rack);
    host_text_free(&text);
}

/** CLAP: a note on of velocity 0 is no note off. */
static void velocity_0_is_a_soft_note(void) {
    CHECK(rack_open(&rack, &file, "org.sistrum.tanpura"));
    CHECK(rack.render->set(rack.plugin, CLAP_RENDER_OFFLINE));
    CHECK(rack_activate(&rack, 48000, 512));
    rack_note(&rack, 0, 50, 1);
    rack.events[0].note.velocity = 0;
    rack_process(&rack, 512);
    CHECK(rack.status == CLAP_PROCESS_CONTINUE);
    CHECK(!is_silent(&rack, 512));
    rack_close(&rack);
}

/** A scene that some rates are too low for: it is refused there, and plays at the one before. */
static void a_rate_that_is_refused_is_no_end(void) {
    host_text text = {0};
    CHECK(rack_open(&rack, &file, "org.sistrum.tanpura"));
    static const char state[] =
        "sistrum-live 1\nname fine\nscene 231\n"
        "local f0 = param{ 'f0', 220, min = 110, max = 440, unit = 'Hz' }\n"
        "local s = string{ length = 1, frequency = f0, density = 1e-3, segments = 200 }\n"
        "pluck{ on = s, at = 0.3, height = 1e-3 } probe{ on = s, at = 0.4 } play{ pitch = 'f0' }";
    CHECK(rack_activate(&rack, 192000, 512));
    text.bytes = (char*)(uintptr_t)state;
    text.size = sizeof state - 1;
    CHECK(rack_load(&rack, &text));
    CHECK(rack.render->set(rack.plugin, CLAP_RENDER_OFFLINE));
    CHECK(!rack_activate(&rack, 48000, 512));
    CHECK_TEXT(rack.log, "steps per second");
    CHECK(rack_activate(&rack, 192000, 512));
    rack_note(&rack, 0, 57, 1);
    rack_process(&rack, 512);
    CHECK(!is_silent(&rack, 512));
    rack_close(&rack);
}

int main(int count, char** words) {
    if (count != 2 || !clap_file_open(&file, words[1])) {
        fprintf(stderr, "usage: test_clap_sound PLUGIN\n");
        return 2;
    }
    RUN(the_sound_does_not_depend_on_blocks);
    RUN(automated_params_do_not_depend_on_blocks_either);
    RUN(an_instrument_takes_any_rate_and_goes_back);
    RUN(a_restored_state_sounds_the_same);
    RUN(a_state_brings_its_own_scene);
    RUN(a_damaged_state_is_refused_and_changes_nothing);
    RUN(main_and_audio_run_at_the_same_time);
    RUN(notes_end_and_silence_sleeps);
    RUN(what_fades_is_heard_to_its_end);
    RUN(velocity_0_is_a_soft_note);
    RUN(a_rate_that_is_refused_is_no_end);
    clap_file_close(&file);
    return CHECK_REPORT();
}
