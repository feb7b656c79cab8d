// Standard MIDI files: notes at the times that tempo map and pedal give by hand, and broken files
// refused with the byte.
#include "check.h"
#include "midi.h"
#include "midi_bytes.h"

#include <stdio.h>

static midi_bytes m;
static sis_song song;
static sis_fault fault;

static bool reads(void) {
    sis_song_free(&song);
    fault.text[0] = '\0';
    bool fine = sis_song_read(m.data, m.size, "x.mid", &song, &fault);
    if (!fine) printf("    %s\n", fault.text);
    return fine;
}

static void note_is(int i, int key, int velocity, double start, double end) {
    CHECK(i < song.count);
    if (i >= song.count) return;
    const sis_song_note* n = &song.notes[i];
    CHECK(n->key == key && n->velocity == velocity);
    CHECK_NEAR(n->start, start, 1e-12);
    CHECK_NEAR(n->end, end, 1e-12);
}

// Without a tempo a quarter is half a second.
static void one_note(void) {
    midi_head(&m, 0, 1, 480);
    midi_begin(&m);
    MIDI(&m, 480, "\x90\x45\x50");
    MIDI(&m, 960, "\x80\x45\x40");
    midi_end(&m);
    CHECK(reads() && song.count == 1);
    note_is(0, 69, 0x50, 0.5, 1.5);
    CHECK_NEAR(song.seconds, 1.5, 1e-12);
}

static void running_status_and_velocity_zero(void) {
    midi_head(&m, 0, 1, 96);
    midi_begin(&m);
    MIDI(&m, 0, "\x93\x3C\x40");
    MIDI(&m, 96, "\x3E\x41"); // repeats 0x93
    MIDI(&m, 96, "\x3C\x00"); // ends the first
    MIDI(&m, 200, "\x3E\x00");
    midi_end(&m);
    CHECK(reads() && song.count == 2);
    note_is(0, 60, 0x40, 0, 1);
    note_is(1, 62, 0x41, 0.5, 0.5 * 392 / 96);
    CHECK(song.notes[0].channel == 3);
}

// Tempo track: 120, from tick 480 on 60, from tick 1440 on 240 beats a minute.
//   tick 0: 0 s; 240: 0.25; 480: 0.5; 960: 1.5; 1440: 2.5; 1920: 2.75
static void a_tempo_map_of_another_track_counts(void) {
    midi_head(&m, 1, 3, 480);
    midi_begin(&m);
    MIDI(&m, 0, "\xFF\x51\x03\x07\xA1\x20");
    MIDI(&m, 480, "\xFF\x51\x03\x0F\x42\x40");
    MIDI(&m, 960, "\xFF\x51\x03\x03\xD0\x90");
    midi_end(&m);
    midi_begin(&m);
    MIDI(&m, 240, "\x90\x3C\x64");
    MIDI(&m, 720, "\x90\x3C\x00");
    MIDI(&m, 480, "\x90\x40\x64");
    MIDI(&m, 480, "\x90\x40\x00");
    midi_end(&m);
    midi_begin(&m);
    MIDI(&m, 960, "\x99\x24\x7F"); // channel 10 is not special
    MIDI(&m, 960, "\x89\x24\x00");
    midi_end(&m);
    CHECK(reads() && song.count == 3);
    note_is(0, 60, 100, 0.25, 1.5);
    note_is(1, 36, 127, 1.5, 2.75);
    note_is(2, 64, 100, 2.5, 2.75);
    CHECK(song.notes[1].channel == 9);
}

static void film_time_knows_no_tempo(void) {
    static const struct {
        int division;
        double ticks; // a second
    } rows[] = {{0xE728, 1000}, {0xE850, 24 * 80.0}, {0xE364, 100 * 30000 / 1001.0}, {0xE201, 30}};
    for (int i = 0; i < 4; i++) {
        midi_head(&m, 0, 1, rows[i].division);
        midi_begin(&m);
        MIDI(&m, 0, "\xFF\x51\x03\x01\x00\x00");
        MIDI(&m, 10, "\x90\x3C\x64");
        MIDI(&m, 3000, "\x80\x3C\x64");
        midi_end(&m);
        CHECK(reads());
        note_is(0, 60, 100, 10 / rows[i].ticks, 3010 / rows[i].ticks);
    }
}

static void what_is_not_played_is_skipped(void) {
    midi_head(&m, 0, 1, 480);
    midi_put(&m, "XFIH\0\0\0\x03zzz", 11); // a chunk of another kind
    midi_begin(&m);
    MIDI(&m, 0, "\xFF\x03\x05hello");
    MIDI(&m, 0, "\xF0\x03\x7E\x00\xF7");
    MIDI(&m, 0, "\xF7\x02\xF3\x01");
    MIDI(&m, 0, "\xC0\x05");
    MIDI(&m, 0, "\xD0\x05");
    MIDI(&m, 0, "\xA0\x3C\x10");
    MIDI(&m, 0, "\xB0\x07\x10");
    MIDI(&m, 0, "\xE0\x00\x40"); // a bend that bends nothing
    MIDI(&m, 0, "\xE0\x00\x50");
    MIDI(&m, 480, "\x90\x3C\x64");
    MIDI(&m, 480, "\xFF\x7F\x00");
    MIDI(&m, 0, "\x80\x3C\x64");
    midi_end(&m);
    CHECK(reads() && song.count == 1 && song.event_count == 6);
    note_is(0, 60, 100, 0.5, 1);
}

static void a_longer_header_is_skipped(void) {
    midi_head(&m, 0, 1, 480);
    m.data[7] = 8;
    midi_put(&m, "zz", 2);
    midi_begin(&m);
    MIDI(&m, 0, "\x90\x3C\x64");
    MIDI(&m, 480, "\x80\x3C\x64");
    midi_end(&m);
    CHECK(reads() && song.count == 1);
}

static void the_pedal_holds_notes(void) {
    midi_head(&m, 0, 1, 500);
    midi_begin(&m);
    MIDI(&m, 0, "\xB0\x40\x7F");
    MIDI(&m, 0, "\x90\x3C\x64"); // 0 .. 4, held
    MIDI(&m, 0, "\x91\x3C\x65"); // 0 .. 1: another channel has no pedal
    MIDI(&m, 1000, "\x80\x3C\x00");
    MIDI(&m, 0, "\x81\x3C\x00");
    MIDI(&m, 1000, "\x90\x3C\x66"); // 2 .. 6: still down when the pedal comes up
    MIDI(&m, 2000, "\xB0\x40\x3F");
    MIDI(&m, 2000, "\x80\x3C\x00");
    midi_end(&m);
    CHECK(reads() && song.count == 3);
    note_is(0, 60, 100, 0, 4);
    note_is(1, 60, 101, 0, 1);
    note_is(2, 60, 102, 2, 6);
}

// All notes off (123) leaves to the pedal what it holds; all sound off (120) does not.
static void all_off_with_and_without_the_pedal(void) {
    midi_head(&m, 0, 1, 500);
    midi_begin(&m);
    MIDI(&m, 0, "\xB0\x40\x7F");
    MIDI(&m, 0, "\x90\x3C\x64"); // held from 1 on, 0 .. 3
    MIDI(&m, 0, "\x90\x3D\x64"); // down at 123, 0 .. 3
    MIDI(&m, 0, "\x91\x3E\x64"); // another channel, 0 .. 6
    MIDI(&m, 1000, "\x80\x3C\x00");
    MIDI(&m, 1000, "\xB0\x7B\x00");
    MIDI(&m, 500, "\x90\x3F\x64"); // down at 120, 2.5 .. 3
    MIDI(&m, 500, "\xB0\x78\x00");
    MIDI(&m, 0, "\x90\x40\x64"); // 3 .. 5: the pedal is still down
    MIDI(&m, 1000, "\x80\x40\x00");
    MIDI(&m, 1000, "\xB0\x40\x00");
    MIDI(&m, 1000, "\x81\x3E\x00");
    midi_end(&m);
    CHECK(reads() && song.count == 5);
    note_is(0, 60, 100, 0, 3);
    note_is(1, 61, 100, 0, 3);
    note_is(2, 62, 100, 0, 6);
    note_is(3, 63, 100, 2.5, 3);
    note_is(4, 64, 100, 3, 5);
}

// Against the standard, but some files do so.
static void running_status_outlives_meta_events(void) {
    midi_head(&m, 0, 1, 500);
    midi_begin(&m);
    MIDI(&m, 0, "\x92\x3C\x40");
    MIDI(&m, 500, "\xFF\x01\x02hi");
    MIDI(&m, 0, "\x3E\x41");
    MIDI(&m, 500, "\xF0\x02\x7E\xF7");
    MIDI(&m, 0, "\x3C\x00");
    midi_end(&m);
    CHECK(reads() && song.count == 2);
    note_is(0, 60, 0x40, 0, 1);
    note_is(1, 62, 0x41, 0.5, 1);
    CHECK(song.count == 2 && song.notes[1].channel == 2);
}

static void two_channels(void) {
    midi_head(&m, 0, 1, 500);
    midi_begin(&m);
    MIDI(&m, 0, "\x90\x02\x40");
    MIDI(&m, 0, "\x9F\x3C\x41");
    MIDI(&m, 500, "\x90\x7E\x42");
    MIDI(&m, 500, "\x8F\x3C\x00");
    MIDI(&m, 1000, "\x80\x7E\x00");
    midi_end(&m);
    CHECK(reads() && song.count == 3);
}

static void a_part_of_a_song(void) {
    two_channels();
    CHECK(sis_song_keep_channel(&song, 15, "x.mid", &fault) && song.count == 1);
    note_is(0, 60, 0x41, 0, 1);
    CHECK_NEAR(song.seconds, 1, 1e-12); // it ends with its own last note
    two_channels();
    CHECK(!sis_song_keep_channel(&song, 9, "x.mid", &fault) && song.count == 0);
    CHECK_TEXT(fault.text, "x.mid: there is no note on channel 10; there are some on 1, 16");
    two_channels();
    CHECK(sis_song_transpose(&song, 1) == 0 && song.count == 3);
    note_is(2, 127, 0x42, 0.5, 2);
    CHECK(sis_song_transpose(&song, 1) == 1 && song.count == 2);
    CHECK_NEAR(song.seconds, 2, 1e-12);
    CHECK(sis_song_transpose(&song, -5) == 1 && song.count == 1);
    note_is(0, 57, 0x41, 0, 1);
}

static void the_first_of_two_on_a_key_ends_first(void) {
    midi_head(&m, 0, 1, 500);
    midi_begin(&m);
    MIDI(&m, 0, "\x90\x3C\x01");
    MIDI(&m, 1000, "\x90\x3C\x02");
    MIDI(&m, 1000, "\x80\x3C\x00");
    MIDI(&m, 1000, "\x80\x3C\x00");
    MIDI(&m, 1000, "\x80\x3C\x00"); // of no note
    midi_end(&m);
    CHECK(reads() && song.count == 2);
    note_is(0, 60, 1, 0, 2);
    note_is(1, 60, 2, 1, 3);
}

static void what_never_ends_ends_with_the_song(void) {
    midi_head(&m, 0, 1, 500);
    midi_begin(&m);
    MIDI(&m, 0, "\x90\x3C\x01");
    MIDI(&m, 0, "\x90\x3D\x01");
    MIDI(&m, 0, "\x90\x3E\x01");
    MIDI(&m, 1000, "\xB0\x7B\x00"); // all notes off
    MIDI(&m, 0, "\x90\x3F\x01");
    MIDI(&m, 2000, "\xFF\x06\x00");
    midi_end(&m);
    CHECK(reads() && song.count == 4);
    note_is(0, 60, 1, 0, 1);
    note_is(2, 62, 1, 0, 1);
    note_is(3, 63, 1, 1, 3);
}

// ---------------------------------------------------------------------------- broken

static void refused(const char* part) {
    sis_song_free(&song);
    fault.text[0] = '\0';
    CHECK(!sis_song_read(m.data, m.size, "x.mid", &song, &fault));
    CHECK(fault.kind == SIS_FAULT_SCENE);
    CHECK_TEXT(fault.text, "x.mid: ");
    CHECK_TEXT(fault.text, part);
}

// A song whose only track begins with these bytes.
static void broken_track(const char* bytes, size_t count, const char* part) {
    midi_head(&m, 0, 1, 480);
    midi_begin(&m);
    midi_put(&m, bytes, count);
    midi_end(&m);
    refused(part);
}

#define BROKEN(bytes, part) broken_track(bytes, sizeof(bytes) - 1, part)

static void good(void) {
    midi_head(&m, 0, 1, 480);
    midi_begin(&m);
    MIDI(&m, 0, "\x90\x3C\x64");
    MIDI(&m, 480, "\x80\x3C\x64");
    midi_end(&m);
}

static void broken_heads_are_refused(void) {
    m.size = 0;
    refused("byte 0: it is not a MIDI file");
    midi_put(&m, "RIFF....RMID", 12);
    refused("byte 0: it is a RIFF file");
    good();
    m.size = 13;
    refused("byte 13: the file ends in its header");
    static const struct {
        int at, value;
        const char* part;
    } rows[] = {{7, 5, "byte 4: a header of 5 bytes"},
                {4, 1, "byte 4: a header of 16777222 bytes"},
                {9, 2, "byte 8: it is of format 2"},
                {9, 3, "byte 8: format 3 is unknown"},
                {11, 0, "byte 10: it has no tracks"},
                {11, 2, "byte 10: format 0 has one track, not 2"},
                {12, 0xE9, "byte 12: a division of 23 frames a second"},
                {17, 'x', "the file ends after 0 of 1 track"},
                {18, 1, "byte 18: a chunk of 167772"},
                {21, 11, "ends in the middle of"},
                {21, 9, "track 1 ends without an end-of-track event"},
                {21, 14, "byte 18: a chunk of 14 bytes, but only 13 are left"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        good();
        m.data[rows[i].at] = (unsigned char)rows[i].value;
        refused(rows[i].part);
    }
    good();
    m.data[12] = m.data[13] = 0;
    refused("byte 12: a division of 0 ticks a quarter");
    good();
    m.data[9] = 1, m.data[11] = 2;
    refused("the file ends after 1 of 2 tracks");
    for (size_t size = 14; size < 35; size++) { // cut anywhere
        good();
        CHECK(m.size == 35);
        m.size = size;
        refused("byte ");
    }
}

static void broken_tracks_are_refused(void) {
    BROKEN("\x81\x82\x83\x84\x05\x90\x3C\x64", "byte 22: a delta time has more than four bytes");
    BROKEN("\x00\x3C\x64", "byte 23: an event begins with the data byte 0x3C");
    BROKEN("\x00\x90\x3C\x90", "byte 25: 0x90 stands where a data byte below 0x80 must be");
    BROKEN("\x00\xFF\x01\x00\x00\x3C\x64", "there is no event to repeat");
    BROKEN("\x00\xF2\x01\x02", "byte 23: the status 0xF2 does not belong in a file");
    BROKEN("\x00\xFF\x51\x02\x01\x02", "byte 23: a tempo has 3 bytes, not 2");
    BROKEN("\x00\xFF\x51\x03\x00\x00\x00", "a tempo of 0 microseconds");
    BROKEN("\x00\xFF\x01\x7F", "a meta event of 127 bytes goes beyond the end of track 1");
    BROKEN("\x00\xF0\x7F", "a system exclusive event of 127 bytes goes beyond");
    BROKEN("\x00\xFF\x90\x00", "0x90 is no kind of meta event");
    BROKEN("\x00\xFF\x2F\x00\x00\x90\x3C\x64", "track 1 goes on for 8 bytes after its end");
    BROKEN("\x00\xFF\x2F\x01\x00", "the end of a track has no bytes");
    BROKEN("\x00\xFF\x01\x00", "there is no note in it");
}

static void songs_without_end_are_refused(void) {
    midi_head(&m, 0, 1, 1);
    midi_begin(&m);
    MIDI(&m, 0, "\x90\x3C\x64");
    MIDI(&m, 0xFFFFFFF, "\x80\x3C\x64");
    midi_end(&m);
    refused("h can be played");
}

static void too_many_notes_are_refused(void) {
    enum { NOTES = SIS_SONG_MOST_NOTES + 1 };
    static unsigned char bytes[14 + 8 + 3 * NOTES + 8];
    midi_head(&m, 0, 1, 480);
    midi_begin(&m);
    memcpy(bytes, m.data, m.size);
    size_t at = m.size;
    for (int i = 0; i < NOTES; i++) {
        bytes[at++] = 0;
        if (i == 0) bytes[at++] = 0x90;
        bytes[at++] = 60;
        bytes[at++] = 1;
    }
    memcpy(bytes + at, "\x00\xFF\x2F\x00", 4);
    at += 4;
    for (int i = 0; i < 4; i++)
        bytes[m.size - 4 + (size_t)i] = (unsigned char)((at - m.size) >> (8 * (3 - i)));
    sis_song_free(&song);
    CHECK(!sis_song_read(bytes, at, "x.mid", &song, &fault));
    CHECK_TEXT(fault.text, "there are more than 100000 notes");
}

int main(void) {
    RUN(one_note);
    RUN(running_status_and_velocity_zero);
    RUN(a_tempo_map_of_another_track_counts);
    RUN(film_time_knows_no_tempo);
    RUN(what_is_not_played_is_skipped);
    RUN(a_longer_header_is_skipped);
    RUN(the_pedal_holds_notes);
    RUN(all_off_with_and_without_the_pedal);
    RUN(running_status_outlives_meta_events);
    RUN(a_part_of_a_song);
    RUN(the_first_of_two_on_a_key_ends_first);
    RUN(what_never_ends_ends_with_the_song);
    RUN(broken_heads_are_refused);
    RUN(broken_tracks_are_refused);
    RUN(songs_without_end_are_refused);
    RUN(too_many_notes_are_refused);
    sis_song_free(&song);
    return CHECK_REPORT();
}
