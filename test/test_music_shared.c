// Notes that share a state: keys struck again, one voice, courses; scenes of channels; the same bits
// as the core stepped by hand and for any number of threads; and songs that no hand plays.
#include "song_help.h"

// ---------------------------------------------------------------------------- who shares a state

// Blows on a mass that falls onto a floor: far from linear.
#define DRUM                                                                                       \
    "local hit = input{ 'hit', trigger = true }\n"                                                 \
    "local m = mass{ mass = 0.01, frequency = 200, damping = 20 }\n"                               \
    "force{ on = m, shape = 'impulse', peak = 0.01, trigger = hit }\n"                             \
    "probe{ on = m, quantity = 'velocity' }\n"

static void write_blows(bool twice) {
    begin();
    MIDI(&m, 0, "\x90\x3C\x7F");
    MIDI(&m, 3, "\x80\x3C\x64");
    if (twice) MIDI(&m, 20, "\x90\x3C\x7F");
    if (twice) MIDI(&m, 3, "\x80\x3C\x64");
    midi_end(&m);
}

// How far two blows on one key are from the sum of two single ones, before and after the second. The
// first blow of a state comes with its second step, so the second one is 91 steps later.
static void compare_with_sum(const char* scene, double* early, double* late) {
    enum { SECOND = 92, APART = SECOND - 1 };
    write_blows(false);
    heard single = play(scene);
    CHECK(p.voices_max == 1);
    write_blows(true);
    heard both = play(scene);
    CHECK(p.voices_max == 1 && p.played == 2 && both.rows > 400 && single.rows > 400);
    *early = *late = 0;
    for (uint64_t n = 0; n < 400; n++) {
        double sum = single.pairs[2 * n];
        if (n >= APART) sum += single.pairs[2 * (n - APART)];
        double* off = n < SECOND ? early : late;
        *off = fmax(*off, fabs(both.pairs[2 * n] - sum));
    }
    free(single.pairs);
    free(both.pairs);
}

// Linear, the second blow adds to what rings.
static void a_key_that_sounds_is_struck_again(void) {
    double early, late;
    compare_with_sum(DRUM "play{ velocity = 'hit', mode = 'keys' }", &early, &late);
    CHECK_NEAR(early, 0, 1e-15);
    CHECK_NEAR(late, 0, 1e-12);
}

// With a floor it meets a mass that moves: no sum of two that do not know each other.
static void the_second_blow_meets_what_rings(void) {
    double early, late;
    compare_with_sum(DRUM "contact{ above = m, below = barrier{ height = -1e-4 }, K = 1e6,\n"
                          "         alpha = 1.5 }\n"
                          "play{ velocity = 'hit', mode = 'keys' }",
                     &early, &late);
    CHECK_NEAR(early, 0, 1e-15);
    CHECK(late > 0.05);
}

static void keys_of_two_channels_are_two_keys(void) {
    begin();
    MIDI(&m, 0, "\x90\x3C\x7F");
    MIDI(&m, 0, "\x91\x3C\x7F");
    MIDI(&m, 0, "\x90\x3D\x7F");
    MIDI(&m, 10, "\x80\x3C\x7F");
    midi_end(&m);
    heard h = play(DRUM "play{ velocity = 'hit', mode = 'keys' }");
    CHECK(p.voices_max == 3);
    free(h.pairs);
}

#define LINE                                                                                       \
    "local f = input{ 'f', 440, min = 20, max = 8000, unit = 'Hz' }\n"                             \
    "local v = input{ 'v', 0 } local hold = input{ 'hold', 0 }\n"                                  \
    "local m = mass{ mass = 1, position = 1 }\n"                                                   \
    "probe{ on = m, gain = f, channel = 1 }\n"

static void one_voice_plays_the_last_key_and_falls_back(void) {
    begin();
    MIDI(&m, 0, "\x90\x45\x7F");   // A4
    MIDI(&m, 100, "\x90\x51\x40"); // A5
    MIDI(&m, 100, "\x90\x39\x40"); // A3
    MIDI(&m, 100, "\x80\x51\x00"); // in the middle: nothing is heard of it
    MIDI(&m, 100, "\x80\x39\x00");
    MIDI(&m, 100, "\x80\x45\x00");
    midi_end(&m);
    heard h = play(LINE "probe{ on = m, gain = hold, channel = 2 }\n"
                        "play{ mode = 'mono', pitch = 'f', velocity = 'v', gate = 'hold' }");
    static const double pitch[] = {440, 880, 220, 220, 440};
    for (int i = 0; i < 5; i++)
        CHECK_NEAR(at(&h, 100 * i + 1, 0), pitch[i], 1e-9);
    CHECK(at(&h, 1, 1) == 1 && before(&h, 500, 1) == 1 && at(&h, 500, 1) == 0);
    CHECK(p.voices_max == 1 && p.systems == 1 && p.played == 3);
    free(h.pairs);
    h = play(LINE "probe{ on = m, gain = v, channel = 2 }\n"
                  "play{ mode = 'mono', pitch = 'f', velocity = 'v', gate = 'hold' }");
    CHECK(at(&h, 1, 1) == 1);
    CHECK_NEAR(at(&h, 400, 1), 64.0 / 127, 1e-12); // falling back is no blow
    free(h.pairs);
}

// Notes that end together, by a pedal or by one message, end as they began: the pitch does not go
// back to an older one while the sound dies away.
static void keys_that_end_together_leave_the_last_pitch(void) {
    static const char* const ends[] = {"\xB0\x40\x00", "\xB0\x42\x00", "\xB0\x7B\x00"};
    for (int i = 0; i < 3; i++) {
        begin();
        if (i == 0) MIDI(&m, 0, "\xB0\x40\x7F");
        MIDI(&m, 0, "\x90\x51\x7F");   // A5
        MIDI(&m, 100, "\x90\x45\x7F"); // A4
        MIDI(&m, 100, "\x90\x39\x7F"); // A3
        if (i == 1) MIDI(&m, 0, "\xB0\x42\x7F");
        if (i < 2) MIDI(&m, 50, "\x80\x51\x00\x00\x80\x39\x00\x00\x80\x45\x00");
        midi_event(&m, 50, ends[i], 3);
        MIDI(&m, 100, "\xB0\x40\x00");
        midi_end(&m);
        heard h = play(LINE "probe{ on = m, gain = hold, channel = 2 }\n"
                            "play{ mode = 'mono', pitch = 'f', velocity = 'v', gate = 'hold' }");
        int end = i == 2 ? 250 : 300;
        CHECK(before(&h, end, 0) == 220 && before(&h, end, 1) == 1);
        CHECK(at(&h, end, 0) == 220 && at(&h, end, 1) == 0);
        free(h.pairs);
    }
}

#define COURSES                                                                                    \
    "local a = input{ 'a', 440, min = 20, max = 8000, unit = 'Hz' }\n"                             \
    "local b = input{ 'b', 440, min = 20, max = 8000, unit = 'Hz' }\n"                             \
    "local ga = input{ 'ga', 0 } local gb = input{ 'gb', 0 }\n"                                    \
    "local m = mass{ mass = 1, position = 1 }\n"                                                   \
    "probe{ on = m, gain = a, channel = 1 } probe{ on = m, gain = b, channel = 2 }\n"              \
    "play{ courses = { { lowest = 'E2', highest = 'E5', pitch = 'a', gate = 'ga' },\n"             \
    "                  { lowest = 'A3', pitch = 'b', gate = 'gb' } } }"

static void a_note_takes_the_free_course_nearest_below_it(void) {
    begin();
    MIDI(&m, 0, "\x90\x45\x7F");   // A4: course b, A3 is nearer below than E2
    MIDI(&m, 100, "\x90\x48\x7F"); // C5: b is held, so a
    MIDI(&m, 100, "\x90\x34\x7F"); // E3: a alone reaches it, though it is held
    MIDI(&m, 100, "\x90\x51\x7F"); // A5: b alone, held
    MIDI(&m, 100, "\x80\x45\x00"); // its string is not its own any more
    MIDI(&m, 100, "\x80\x51\x00");
    MIDI(&m, 100, "\x90\x45\x7F"); // b is free again
    MIDI(&m, 100, "\x80\x45\x00");
    MIDI(&m, 0, "\x80\x34\x00");
    MIDI(&m, 0, "\x80\x48\x00");
    midi_end(&m);
    heard h = play(COURSES);
    static const double left[] = {440, 523.2511, 164.8138, 164.8138, 164.8138, 164.8138, 164.8138};
    static const double right[] = {440, 440, 440, 880, 880, 880, 440};
    for (int i = 0; i < 7; i++) {
        CHECK_NEAR(at(&h, 100 * i, 0), left[i], 1e-4);
        CHECK_NEAR(at(&h, 100 * i, 1), right[i], 1e-4);
    }
    CHECK(p.voices_max == 1 && p.systems == 1 && p.played == 5);
    free(h.pairs);
}

static void a_note_that_no_course_reaches_is_skipped(void) {
    sis_song_note notes[] = {{.key = 30, .velocity = 64, .end = 1}};
    sis_song song = {.notes = notes, .count = 1};
    sis_tuning tuning = sis_tuning_equal(440);
    sis_script* script = load(COURSES);
    sis_performance one = {
        .script = script, .song = &song, .song_name = "x.mid", .tuning = &tuning};
    sis_fault fault = {.text = ""};
    int32_t skipped = 0;
    CHECK(script && !sis_performance_fit(&one, &song, &skipped, &fault) && skipped == 1);
    CHECK_TEXT(fault.text, "x.mid: note F#1 at 0 s is on none of the courses: E2 .. G9");
    sis_script_free(script);
}

// ---------------------------------------------------------------------------- scenes of channels

static void channels_and_programs_have_their_scenes(void) {
    begin();
    MIDI(&m, 0, "\x90\x3C\x64"); // the first scene
    MIDI(&m, 0, "\x91\x3C\x64"); // the other
    MIDI(&m, 0, "\xC2\x05");
    MIDI(&m, 0, "\x92\x3C\x64"); // the other by its program
    MIDI(&m, 0, "\xC2\x06");
    MIDI(&m, 0, "\x92\x3D\x64"); // a program that nobody has
    MIDI(&m, 0, "\xE1\x7F\x7F");
    MIDI(&m, 100, "\x80\x3C\x64");
    MIDI(&m, 0, "\x81\x3C\x64");
    MIDI(&m, 0, "\x82\x3C\x64");
    MIDI(&m, 0, "\x82\x3D\x64");
    midi_end(&m);
    other = METER("input{ 'x', 100, min = 0, max = 200 }", "cc = { [1] = 'x' }");
    heard h = play(METER("input{ 'x', 1, min = 0.5, max = 2 }", "bend = 'x'"));
    CHECK(at(&h, 0, 0) == 202);
    CHECK(p.left_out.bends == 1 && p.left_out.programs == 1);
    other = NULL;
    free(h.pairs);
}

// ---------------------------------------------------------------------------- exactness

#define STRUNG                                                                                     \
    "local f = param{ 'f', 440, min = 20, max = 3000, unit = 'Hz' }\n"                             \
    "local push = input{ 'push', 0, min = -1, max = 1 }\n"                                         \
    "local hit = input{ 'hit', trigger = true }\n"                                                 \
    "local m = mass{ mass = 0.01, frequency = f, damping = 20 }\n"                                 \
    "force{ on = m, shape = 'raised-cosine', peak = 0.1, width = 2e-3, trigger = hit }\n"          \
    "force{ on = m, shape = 'constant', peak = push }\n"                                           \
    "contact{ above = m, below = barrier{ height = -1e-5 }, K = 1e6, alpha = 1.5 }\n"              \
    "probe{ on = m, quantity = 'velocity' }\n"                                                     \
    "play{ pitch = 'f', velocity = 'hit', mode = 'keys', cc = { [1] = 'push' } }"

// The song is the core stepped by hand, with a row of inputs a sample, in one block.
static void a_song_is_the_scene_with_rows_of_inputs(void) {
    enum { ROWS = 3000 };
    begin();
    MIDI(&m, 0, "\x90\x45\x7F");
    MIDI(&m, 37, "\xB0\x01\x7F");
    MIDI(&m, 300, "\x90\x45\x40");
    MIDI(&m, 77, "\xB0\x01\x00");
    MIDI(&m, 400, "\x80\x45\x40");
    MIDI(&m, 0, "\x80\x45\x40");
    midi_end(&m);
    heard h = play(STRUNG);
    sis_script* script = load(STRUNG);
    sis_options how = {.rate = rate, .scheme = SIS_SCHEME_AS_GIVEN, .unaudited = true};
    sis_system* system = script ? sis_compile(sis_script_scene(script), &how, NULL) : NULL;
    CHECK(system != NULL);
    if (!system) return;
    static double rows[ROWS][2], out[ROWS];
    for (int n = 0; n < ROWS; n++) {
        rows[n][0] = n < 37 * 4 ? 0 : n < 414 * 4 ? 1 : -1;
        rows[n][1] = n == 1 ? 1 : n == 337 * 4 ? 64.0 / 127 : 0; // step 0 was made at compile
    }
    sis_state* state = sis_state_init(system, aligned_alloc(64, sis_state_size(system)));
    sis_step(system, state, &(sis_block){.frames = ROWS, .probes = out, .inputs = rows[0]});
    int wrong = 0;
    for (uint64_t n = 0; n < ROWS; n++)
        wrong += n >= h.rows || h.pairs[2 * n] != out[n];
    CHECK(wrong == 0);
    free(state);
    free(h.pairs);
    sis_system_free(system);
    sis_script_free(script);
}

static uint64_t seed = 7;

static uint32_t draw(uint32_t below) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % below;
}

static void put_random(uint32_t count, uint32_t ticks) {
    for (uint32_t i = 0; i < count; i++) {
        static const unsigned char kinds[] = {0x80, 0x90, 0x90, 0xA0, 0xB0, 0xC0, 0xD0, 0xE0};
        static const unsigned char numbers[] = {1, 64, 66, 74, 6, 100, 101, 120, 121, 123, 7};
        unsigned char kind = kinds[draw(sizeof kinds)], one = (unsigned char)(40 + draw(50));
        if (kind == 0xB0) one = numbers[draw(sizeof numbers)];
        unsigned char bytes[] = {kind | (unsigned char)draw(16), one, (unsigned char)draw(128)};
        if (kind == 0xB0 && (one == 100 || one == 101)) bytes[2] = (unsigned char)draw(7);
        midi_event(&m, draw(ticks), (const char*)bytes, kind == 0xC0 || kind == 0xD0 ? 2 : 3);
    }
}

#define ALL_GESTURES                                                                               \
    "local f = input{ 'f', 440, min = 60, max = 2000, unit = 'Hz', smooth = 0.01 }\n"              \
    "local v = input{ 'v', trigger = true } local hold = input{ 'hold', 0, smooth = 2e-3 }\n"      \
    "local bend = input{ 'bend', 1, min = 0.5, max = 2 } local press = input{ 'press', 0 }\n"      \
    "local mod = input{ 'mod', 0 } local damp = input{ 'damp', 0 }\n"                              \
    "local m = mass{ mass = 0.01, frequency = 200, damping = 20 }\n"                               \
    "force{ on = m, shape = 'impulse', peak = 0.01, trigger = v }\n"                               \
    "force{ on = m, shape = 'constant', peak = press }\n"                                          \
    "contact{ above = m, below = barrier{ height = -1e-4 + 1e-5 * mod }, K = 1e6, alpha = 1.5 }\n" \
    "probe{ on = m, quantity = 'velocity', gain = bend, channel = 1 }\n"                           \
    "probe{ on = m, quantity = 'velocity', gain = hold, channel = 2 }\n"                           \
    "play{ pitch = 'f', velocity = 'v', gate = 'hold', pressure = 'press', bend = 'bend',\n"       \
    "      pedal = 'damp', cc = { [1] = 'mod' }, voices = 6, release = 0.3, mode = '%s' }"

static void threads_change_no_bit(void) {
    static const char* const modes[] = {"voices", "keys", "mono"};
    for (int i = 0; i < 3; i++) {
        char scene[2048];
        snprintf(scene, sizeof scene, ALL_GESTURES, modes[i]);
        begin();
        put_random(3000, 12);
        midi_end(&m);
        heard one = play(scene);
        int32_t most = p.voices_max;
        for (threads_now = 2; threads_now <= 5; threads_now += 3) {
            heard many = play(scene);
            CHECK(many.rows == one.rows && p.voices_max == most);
            CHECK(many.rows == one.rows &&
                  memcmp(many.pairs, one.pairs, (size_t)one.rows * 16) == 0);
            free(many.pairs);
        }
        threads_now = 1;
        printf("  %s: %d notes, at most %d voices\n", modes[i], (int)p.played, (int)most);
        CHECK(p.played > 300 && most > 0);
        for (uint64_t n = 0; n < 2 * one.rows; n++)
            if (!isfinite(one.pairs[n])) CHECK(isfinite(one.pairs[n]));
        free(one.pairs);
    }
}

// ---------------------------------------------------------------------------- hostile songs

/** A track of any size: `count` events of three bytes, all at once. */
static size_t write_crowd(unsigned char* bytes, const unsigned char* events, size_t kinds,
                          size_t count) {
    static const unsigned char head[] = "MThd\0\0\0\x06\0\0\0\x01\x03\xE8MTrk";
    size_t size = sizeof head - 1 + 4, start = size;
    memcpy(bytes, head, sizeof head - 1);
    for (size_t i = 0; i < count; i++) {
        bytes[size++] = 0;
        memcpy(bytes + size, events + 3 * (i % kinds), 3);
        size += 3;
    }
    memcpy(bytes + size, "\0\x90\x3C\x40\x60\x80\x3C\x40\0\xFF\x2F\0", 12);
    size += 12;
    for (int i = 0; i < 4; i++)
        bytes[start - 4 + (size_t)i] = (unsigned char)((size - start) >> (8 * (3 - i)));
    return size;
}

// A hundred thousand events at once: stuck notes, wheels, zones that come and go, pedals.
static void crowds_of_events_end_soon(void) {
    enum { MANY = 100000 };
    static const unsigned char crowds[][12] = {
        {0x90, 0x3C, 0x40, 0x90, 0x3C, 0x41, 0x90, 0x3D, 0x41, 0x91, 0x3C, 0x01}, // stuck notes
        {0xE0, 0x01, 0x40, 0xE0, 0x01, 0x20, 0xB0, 0x01, 0x03, 0x90, 0x3C, 0x01}, // wheels
        {0xB0, 0x42, 0x7F, 0x90, 0x3C, 0x40, 0x80, 0x3C, 0x40, 0xB0, 0x42, 0x00}, // pedals
        {0xB0, 0x65, 0x00, 0xB0, 0x64, 0x06, 0xB0, 0x06, 0x0F, 0x91, 0x3C, 0x01}, // zones
        {0xB0, 0x64, 0x00, 0xE0, 0x01, 0x01, 0xB0, 0x65, 0x00, 0xB0, 0x06, 0x01}, // ranges
        {0xB0, 0x7B, 0x00, 0xB0, 0x78, 0x00, 0xB0, 0x79, 0x00, 0x90, 0x3C, 0x01}, // all off
    };
    static unsigned char bytes[4 * MANY + 64];
    char scene[2048];
    snprintf(scene, sizeof scene, ALL_GESTURES, "mono");
    for (size_t i = 0; i < sizeof crowds / sizeof *crowds; i++) {
        double start = check_seconds();
        size_t size = write_crowd(bytes, crowds[i], 4, MANY - 1);
        sis_song song;
        sis_fault fault = {.text = ""};
        heard h = {.rows = 0};
        bool read = sis_song_read(bytes, size, "x.mid", &song, &fault);
        if (read) CHECK(song.event_count <= 2 * SIS_SONG_MOST_EVENTS);
        if (read) CHECK(perform(scene, &song, &h, &fault));
        printf("  crowd %d: %s, %.2f s\n", (int)i, read ? "played" : fault.text,
               check_seconds() - start);
        CHECK(check_seconds() - start < 60);
        sis_song_free(&song);
        free(h.pairs);
    }
}

// Controllers long after the last note do not keep it waiting; nor do delta times without end.
static void what_comes_long_after_the_last_note_is_not_waited_for(void) {
    begin();
    MIDI(&m, 0, "\x90\x3C\x40");
    MIDI(&m, 100, "\x80\x3C\x40");
    for (int i = 0; i < 1000; i++)
        MIDI(&m, 0xFFFFFFF, "\xB0\x01\x40");
    midi_end(&m);
    double start = check_seconds();
    heard h = play(PLAIN);
    CHECK(h.rows < 100000 && check_seconds() - start < 10);
    free(h.pairs);
}

int main(void) {
    CHECK(open_scenes());
    RUN(a_key_that_sounds_is_struck_again);
    RUN(the_second_blow_meets_what_rings);
    RUN(keys_of_two_channels_are_two_keys);
    RUN(one_voice_plays_the_last_key_and_falls_back);
    RUN(keys_that_end_together_leave_the_last_pitch);
    RUN(a_note_takes_the_free_course_nearest_below_it);
    RUN(a_note_that_no_course_reaches_is_skipped);
    RUN(channels_and_programs_have_their_scenes);
    RUN(a_song_is_the_scene_with_rows_of_inputs);
    RUN(threads_change_no_bit);
    RUN(crowds_of_events_end_soon);
    RUN(what_comes_long_after_the_last_note_is_not_waited_for);
    close_scenes();
    return CHECK_REPORT();
}
