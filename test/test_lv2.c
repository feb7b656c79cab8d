// The LV2 plugin as a host loads it: the binary in a bundle that `sistrum plugin` wrote.

#include "check.h"
#include "lv2_help.h"

#include <dlfcn.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

// A plucked string with knobs of both kinds, a trigger, and names that are hard to write.
static const char scene[] =
    "local f0 = param { 'f0', 220, min = 80, max = 1000, unit = 'Hz' }\n"
    "local peak = param { 'peak', 1, min = 0.1, max = 2 }\n"
    "local loss = param { 'loss', 2, min = 0.3, max = 20, scale = 'log', unit = '1/s' }\n"
    "local lift = input { 'lift', 0, min = 0, max = 1e-3, unit = 'm', smooth = 0 }\n"
    "local loud = input { 'a \"loud\" \\xc3\\xa9', 1, min = 0, max = 2, smooth = 0 }\n"
    "local s = string { length = 0.6, frequency = f0, density = 1e-3, sigma0 = loss, segments = 40 "
    "}\n"
    "local b = barrier { height = lift - 1e-3 }\n"
    "contact { above = s, below = b, K = 1e7, alpha = 1 }\n"
    "force { on = s, at = 0.1, peak = peak, width = 1e-3 }\n"
    "local hit = input { 'hit', trigger = true, min = 0, max = 2 }\n"
    "force { on = s, at = 0.3, shape = 'raised-cosine', peak = 5, width = 1e-3, trigger = hit }\n"
    "probe { on = s, at = 0.5, quantity = 'velocity', gain = loud }\n"
    "render { rate = 48000, duration = 0.5, title = 'Knocked' }\n"
    "play { pitch = 'f0', velocity = 'peak', release = 0.1, cc = { [20] = 'lift' } }\n";

static char folder[] = "/tmp/sistrum-lv2-XXXXXX";
static char bundle_path[64];
static const LV2_Descriptor* descriptor;

enum { KNOBS = 4, LOSS = PORT_FIXED, LIFT, LOUD, HIT, PORTS };

static int run_program(const char* name) {
    char path[80];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    char* arguments[] = {SISTRUM_PROGRAM, "plugin", path, "-o", folder, "--quiet", NULL};
    pid_t child = 0;
    int status = -1;
    if (posix_spawn(&child, SISTRUM_PROGRAM, NULL, NULL, arguments, environ) != 0) return -1;
    waitpid(child, &status, 0);
    return status;
}

static void the_program_writes_a_bundle_that_loads(void) {
    char path[96];
    CHECK(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/knocked.lua", folder);
    FILE* stream = fopen(path, "w");
    CHECK(stream && fwrite(scene, 1, sizeof scene - 1, stream) == sizeof scene - 1);
    if (stream) fclose(stream);
    CHECK(run_program("knocked.lua") == 0);
    snprintf(bundle_path, sizeof bundle_path, "%s/knocked.lv2/", folder);
    snprintf(path, sizeof path, "%ssistrum.so", bundle_path);
    void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    CHECK(library != NULL);
    if (!library) return;
    LV2_Descriptor_Function find = NULL;
    void* symbol = dlsym(library, "lv2_descriptor");
    memcpy(&find, &symbol, sizeof find);
    CHECK(find != NULL);
    if (!find) return;
    descriptor = find(0);
    CHECK(descriptor != NULL && find(1) == NULL && find(UINT32_MAX) == NULL);
    if (descriptor) CHECK_TEXT(descriptor->URI, "urn:sistrum:knocked");
}

/** A host with the plugin in it, at the values of the scene. */
static host* open_host(double rate, uint32_t room, bool raw) {
    host* h = calloc(1, sizeof *h);
    if (!h || !host_open(h, descriptor, bundle_path, rate, (int32_t)room, raw)) {
        printf("%s", h ? h->said : "no memory\n");
        exit(1);
    }
    host_connect(h, PORTS, room);
    h->controls[LOSS] = 2;
    h->controls[LIFT] = 0;
    h->controls[LOUD] = 1;
    h->controls[PORT_FREEWHEEL] = 1;
    return h;
}

static void play_song(float* sound, uint32_t room, uint32_t cut, bool raw) {
    host* h = open_host(48000, room, raw);
    descriptor->activate(h->handle);
    host_play(h, sound, cut, 7);
    host_free(h);
}

static float* new_sound(void) {
    float* sound = calloc(2 * SONG_FRAMES, sizeof *sound);
    if (!sound) exit(1);
    return sound;
}

static double loudest(const float* sound, size_t count) {
    double most = 0;
    for (size_t i = 0; i < count; i++)
        most = isfinite(sound[i]) ? fmax(most, fabs((double)sound[i])) : (double)INFINITY;
    return most;
}

static void the_song_sounds_the_same_in_any_blocks(void) {
    float *first = new_sound(), *other = new_sound();
    const uint32_t cuts[] = {1, 64, 127, 4096, 0};
    for (int raw = 0; raw < 2; raw++) {
        play_song(first, 512, 512, raw);
        double most = loudest(first, 2 * SONG_FRAMES);
        CHECK(most > 1e-6 && most < 1000);
        if (!raw) CHECK(most <= 1 && most > 0.05);
        for (int i = SANITIZED; i < 5; i++) {
            play_song(other, 4096, cuts[i], raw);
            CHECK(!memcmp(first, other, 2 * SONG_FRAMES * sizeof *first));
        }
    }
    free(first);
    free(other);
}

static void a_saved_project_opens_as_it_was(void) {
    float *first = new_sound(), *other = new_sound();
    host *h = open_host(48000, 256, true), *fresh = open_host(48000, 256, true);
    float deep = 4e-4f;
    h->controls[LOSS] = 7;
    host_patch(h, 3, host_map(h, "urn:sistrum:knocked#lift"), &deep); // its port stays at 0
    host_run(h, 256);
    CHECK(host_save(h) == LV2_STATE_SUCCESS);
    // Words have other numbers in another session.
    for (int i = 0; i < h->stored_count; i++) {
        const host_value* v = &h->stored[i];
        host_store(fresh, host_map(fresh, h->words[v->key - 1]), v->bytes, v->size,
                   host_map(fresh, h->words[v->type - 1]), v->flags);
    }
    CHECK(host_restore(fresh) == LV2_STATE_SUCCESS);
    if (*fresh->said) printf("%s", fresh->said);
    fresh->controls[LOSS] = 7; // hosts restore ports by themselves
    descriptor->activate(h->handle);
    host_play(h, first, 256, 0);
    descriptor->activate(fresh->handle);
    host_play(fresh, other, 256, 0);
    CHECK(loudest(first, 2 * SONG_FRAMES) > 1e-6);
    CHECK(!memcmp(first, other, 2 * SONG_FRAMES * sizeof *first));
    play_song(other, 256, 256, true);
    CHECK(memcmp(first, other, 2 * SONG_FRAMES * sizeof *first) != 0);
    host_free(h);
    host_free(fresh);
    free(first);
    free(other);
}

static void what_is_no_state_is_refused_and_the_scene_plays_on(void) {
    host* h = open_host(48000, 256, false);
    CHECK(host_restore(h) == LV2_STATE_ERR_NO_PROPERTY);
    host_save(h);
    CHECK(h->stored_count > 0);
    memcpy(h->stored[0].bytes, "?!", 2);
    CHECK(host_restore(h) != LV2_STATE_SUCCESS);
    CHECK_TEXT(h->said, "sistrum: ");
    host_midi(h, 0, 0x90, 57, 100);
    double most = 0;
    for (int i = 0; i < 40; i++) {
        host_run(h, 256);
        host_clear(h);
        most = fmax(most, loudest(h->left, 256));
    }
    CHECK(most > 1e-3);
    host_free(h);
}

static void nothing_is_left_of_what_sounded_before_it_was_activated(void) {
    host* h = open_host(48000, 256, true);
    descriptor->activate(h->handle);
    host_midi(h, 0, 0x90, 57, 100);
    double before = 0;
    for (int i = 0; i < 20; i++) {
        host_run(h, 256);
        host_clear(h);
        before = loudest(h->left, 256);
    }
    CHECK(before > 1e-6);
    descriptor->activate(h->handle);
    host_run(h, 256);
    CHECK(loudest(h->left, 256) == 0);
    host_free(h);
}

/** Plays a note and sets `loud` to 0 at a frame of it; where the sound ends. */
static int64_t silent_from(bool by_message, int64_t frame) {
    host* h = open_host(48000, 1024, true);
    float zero = 0;
    int64_t last = -1;
    host_midi(h, 0, 0x90, 57, 127);
    for (int64_t at = 0; at < 4096; at += 1024) {
        if (at == frame - frame % 1024 && by_message)
            host_patch(h, frame - at, host_map(h, "urn:sistrum:knocked#a__loud____"), &zero);
        if (at >= frame && !by_message) h->controls[LOUD] = 0;
        host_run(h, 1024);
        host_clear(h);
        for (int64_t i = 0; i < 1024; i++)
            if (h->left[i] != 0) last = at + i;
    }
    host_free(h);
    return last + 1;
}

static void a_message_moves_a_knob_at_its_very_frame(void) {
    int64_t port = silent_from(false, 2048);
    CHECK(port >= 2048 && port < 2052);
    CHECK(silent_from(true, 2048) == port);
    CHECK(silent_from(true, 2048 + 333) == port + 333);
}

/** Runs so many blocks; the energy of what comes out. */
static double energy_of(host* h, int blocks) {
    double sum = 0;
    for (int b = 0; b < blocks; b++) {
        host_run(h, 256);
        host_clear(h);
        for (int i = 0; i < 256; i++)
            sum += (double)h->left[i] * (double)h->left[i];
    }
    return sum;
}

static void a_trigger_is_a_blow_when_it_changes(void) {
    host* h = open_host(48000, 256, true);
    h->controls[LOSS] = 20; // dies away in a third of a second
    CHECK(energy_of(h, 4) == 0);
    h->controls[HIT] = 1;
    double first = energy_of(h, 60), after = energy_of(h, 60);
    CHECK(first > 0 && after < 0.1 * first); // it stays up: no second blow
    h->controls[HIT] = 0;
    CHECK(energy_of(h, 60) < 0.1 * first);
    h->controls[HIT] = 1;
    CHECK(energy_of(h, 60) > 0.5 * first);
    host_free(h);
}

static void who_asks_is_answered(void) {
    host* h = open_host(48000, 256, false);
    h->controls[LOSS] = 5;
    host_patch(h, 10, 0, NULL);
    host_run(h, 256);
    int answers = 0;
    CHECK(h->answers.sequence.atom.type == host_map(h, LV2_ATOM__Sequence));
    LV2_ATOM_SEQUENCE_FOREACH(&h->answers.sequence, event) {
        const LV2_Atom_Object* object = (const LV2_Atom_Object*)&event->body;
        const LV2_Atom *property = NULL, *value = NULL;
        lv2_atom_object_get(object, host_map(h, LV2_PATCH__property), &property,
                            host_map(h, LV2_PATCH__value), &value, 0);
        CHECK(property && value);
        if (!property || !value) break;
        if (((const LV2_Atom_URID*)property)->body == host_map(h, "urn:sistrum:knocked#loss"))
            CHECK(((const LV2_Atom_Float*)value)->body == 5);
        answers++;
    }
    CHECK(answers == KNOBS);
    host_clear(h);
    host_run(h, 256);
    CHECK(h->answers.sequence.atom.size == sizeof(LV2_Atom_Sequence_Body));
    host_free(h);
}

static void a_controller_that_moves_an_input_is_told(void) {
    host* h = open_host(48000, 256, false);
    host_run(h, 256);
    host_clear(h);
    host_midi(h, 5, 0xB0, 20, 127);
    host_run(h, 256);
    int told = 0;
    LV2_ATOM_SEQUENCE_FOREACH(&h->answers.sequence, event) {
        const LV2_Atom_Object* object = (const LV2_Atom_Object*)&event->body;
        const LV2_Atom *property = NULL, *value = NULL;
        CHECK(object->body.otype == host_map(h, LV2_PATCH__Set) && event->time.frames < 256);
        lv2_atom_object_get(object, host_map(h, LV2_PATCH__property), &property,
                            host_map(h, LV2_PATCH__value), &value, 0);
        CHECK(property && value);
        if (!property || !value) break;
        CHECK(((const LV2_Atom_URID*)property)->body == host_map(h, "urn:sistrum:knocked#lift"));
        CHECK(((const LV2_Atom_Float*)value)->body == 1e-3f);
        told++;
    }
    CHECK(told == 1);
    host_clear(h);
    host_run(h, 256); // the port of the host still says 0: it is not taken for a new value
    CHECK(h->answers.sequence.atom.size == sizeof(LV2_Atom_Sequence_Body));
    host_free(h);
}

static void ports_that_nobody_connects_are_fine(void) {
    host* h = calloc(1, sizeof *h);
    CHECK(h && host_open(h, descriptor, bundle_path, 48000, 64, false));
    if (!h || !h->handle) return;
    descriptor->run(h->handle, 64); // before activate, no port at all
    host_connect(h, PORTS, 64);
    for (uint32_t i = 0; i < PORTS + 5; i++) {
        descriptor->connect_port(h->handle, i, NULL);
        host_midi(h, 0, 0x90, 60, 90);
        host_run(h, 64);
        host_run(h, 0);
    }
    descriptor->activate(h->handle);
    descriptor->activate(h->handle);
    descriptor->run(h->handle, 64);
    if (descriptor->deactivate) {
        descriptor->deactivate(h->handle);
        descriptor->deactivate(h->handle);
    }
    descriptor->run(h->handle, 64);
    host_free(h);
}

static void a_rate_that_nothing_runs_at_is_refused_with_a_sentence(void) {
    host* h = calloc(1, sizeof *h);
    CHECK(h && !host_open(h, descriptor, bundle_path, 10, 64, false));
    CHECK(h && !strncmp(h->said, "sistrum: ", 9));
    CHECK(h && !host_open(h, descriptor, "/nowhere/", 48000, 64, false));
    CHECK_TEXT(h->said, "bundle.txt");
    if (h) host_free(h);
    CHECK(descriptor->instantiate(descriptor, 48000, bundle_path, NULL) == NULL);
}

// ---------------------------------------------------------------------------- random calls

static uint64_t dice_state = 1;

static uint32_t dice(uint32_t sides) {
    dice_state = dice_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(dice_state >> 33) % sides;
}

static void add_random_event(host* h) {
    uint8_t bytes[64];
    int64_t frame = (int64_t)dice(600) - 40;
    uint32_t size = 1 + dice(dice(8) ? 3 : 64);
    float value = dice(4) ? (float)dice(1000) / 100 : (float[]){NAN, INFINITY, -1e30f}[dice(3)];
    for (uint32_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)dice(256);
    if (dice(2)) bytes[0] = (uint8_t)(0x80 + dice(0x70));
    if (!dice(20)) bytes[0] = 0xf0;
    if (dice(3))
        host_add(h, frame, host_map(h, LV2_MIDI__MidiEvent), bytes, size);
    else if (dice(3))
        host_patch(h, frame, 1 + dice(h->word_count + 2), dice(4) ? &value : NULL);
    else // any bytes as any kind of atom
        host_add(h, frame, 1 + dice(h->word_count), bytes, size);
}

static void one_random_call(host* h) {
    static const float odd[] = {NAN, INFINITY, -INFINITY, 0, 1, -1, 1e30f, 1e-30f};
    uint32_t ports = PORTS, port = dice(ports);
    switch (dice(24)) {
    case 0:
        descriptor->activate(h->handle);
        break;
    case 1:
        if (port > PORT_RIGHT) descriptor->connect_port(h->handle, port, NULL);
        break;
    case 2:
        host_connect(h, ports, h->room);
        break;
    case 3:
        if (!dice(20)) host_save(h);
        break;
    case 4:
        if (!dice(20)) host_restore(h);
        break;
    case 5:
        if (port > PORT_RIGHT) h->controls[port] = odd[dice(8)];
        break;
    case 6:
        if (port > PORT_RIGHT) h->controls[port] = (float)dice(10000) / 1000;
        break;
    default:
        for (uint32_t n = dice(8); n > 0; n--)
            add_random_event(h);
        h->controls[PORT_FREEWHEEL] = dice(50) == 0;
        host_run(h, dice(8) ? dice(h->room + 1) : 0);
        host_clear(h);
        break;
    }
}

static void no_order_of_calls_brings_it_down(void) {
    const int calls = check_count(SANITIZED ? 600 : 3000, 100000);
    host* h = open_host(44100, 512, false);
    bool finite = true;
    for (int i = 0; i < calls; i++) {
        one_random_call(h);
        finite = finite && loudest(h->left, h->room) < 1e3 && loudest(h->right, h->room) < 1e3;
        if (i % 1000 == 999) { // another rate: hosts make the plugin anew
            host_close(h);
            if (!host_open(h, descriptor, bundle_path, 8000.0 + dice(90000), 512, false)) break;
            host_connect(h, PORTS, 512);
        }
    }
    CHECK(finite && h->handle);
    host_free(h);
}

int main(void) {
    RUN(the_program_writes_a_bundle_that_loads);
    if (!descriptor) return CHECK_REPORT();
    RUN(the_song_sounds_the_same_in_any_blocks);
    RUN(a_saved_project_opens_as_it_was);
    RUN(nothing_is_left_of_what_sounded_before_it_was_activated);
    RUN(what_is_no_state_is_refused_and_the_scene_plays_on);
    RUN(a_message_moves_a_knob_at_its_very_frame);
    RUN(a_trigger_is_a_blow_when_it_changes);
    RUN(who_asks_is_answered);
    RUN(a_controller_that_moves_an_input_is_told);
    RUN(ports_that_nobody_connects_are_fine);
    RUN(a_rate_that_nothing_runs_at_is_refused_with_a_sentence);
    RUN(no_order_of_calls_brings_it_down);
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command) != 0 ? 1 : CHECK_REPORT();
}
