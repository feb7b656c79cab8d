// Whatever bytes come, the readers of songs, scales and keyboard maps end soon, with a result that
// can be used or with one sentence.
#include "check.h"
#include "midi.h"
#include "midi_bytes.h"
#include "scala.h"

#include <stdlib.h>

static uint64_t seed = 1;

static uint32_t draw(uint32_t below) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % below;
}

// The sanitizers see a read beyond the end only where the memory ends.
static unsigned char* copy_of(const void* bytes, size_t size) {
    unsigned char* copy = malloc(size ? size : 1);
    if (copy && size) memcpy(copy, bytes, size);
    return copy;
}

static int read_count, refused_count;

static void told(bool fine, const sis_fault* fault, const char* name) {
    read_count += fine;
    refused_count += !fine;
    if (fine) return;
    CHECK(fault->kind == SIS_FAULT_SCENE && strstr(fault->text, name));
    CHECK(!strchr(fault->text, '\n'));
}

static void try_song(const unsigned char* bytes, size_t size) {
    unsigned char* copy = copy_of(bytes, size);
    sis_song song;
    sis_fault fault = {.kind = SIS_FAULT_NONE};
    bool fine = sis_song_read(copy, size, "x.mid", &song, &fault);
    told(fine, &fault, "x.mid: ");
    for (int32_t i = 0; fine && i < song.count; i++) {
        const sis_song_note* n = &song.notes[i];
        CHECK(n->start >= 0 && n->end >= n->start && n->end <= SIS_SONG_MOST_SECONDS);
        CHECK(i == 0 || n->start >= n[-1].start);
        CHECK(n->key < 128 && n->velocity > 0 && n->velocity < 128 && n->channel < 16);
    }
    sis_song_free(&song);
    free(copy);
}

static void try_scale(const unsigned char* bytes, size_t size) {
    static sis_scale scale;
    static sis_keymap map;
    sis_tuning tuning;
    char* copy = (char*)copy_of(bytes, size);
    sis_fault fault = {.kind = SIS_FAULT_NONE};
    bool fine = sis_scale_read(copy, size, "x.scl", &scale, &fault);
    told(fine, &fault, "x.scl:");
    map = sis_keymap_linear(440);
    if (fine) CHECK(sis_tuning_scala(&scale, &map, "x.scl", &tuning, &fault));
    for (int key = 0; fine && key < SIS_KEYS; key++)
        CHECK(isnan(tuning.hz[key]) || (tuning.hz[key] >= 1e-3 && tuning.hz[key] <= 1e6));
    free(copy);
}

static void try_map(const unsigned char* bytes, size_t size) {
    static sis_scale scale = {.count = 3, .cents = {100, 700, 1200}};
    static sis_keymap map;
    sis_tuning tuning;
    char* copy = (char*)copy_of(bytes, size);
    sis_fault fault = {.kind = SIS_FAULT_NONE};
    bool fine = sis_keymap_read(copy, size, "x.kbm", &map, &fault) &&
                sis_tuning_scala(&scale, &map, "x.kbm", &tuning, &fault);
    told(fine, &fault, "x.kbm:");
    free(copy);
}

typedef void (*trial)(const unsigned char* bytes, size_t size);

static void random_bytes(trial try, const char* head, size_t head_size) {
    unsigned char bytes[512];
    for (int round = 0; round < 5000; round++) {
        size_t size = draw(sizeof bytes);
        for (size_t i = 0; i < size; i++)
            bytes[i] = (unsigned char)draw(256);
        size_t kept = draw(2) && head_size <= size ? head_size : 0;
        memcpy(bytes, head, kept);
        try(bytes, size);
    }
}

// Bits flipped, bytes replaced by telling ones, pieces cut out, doubled or put elsewhere.
static void mutate(unsigned char* bytes, size_t* size, size_t room) {
    static const unsigned char telling[] = {0,    1,    0x7F, 0x80, 0xFF, 0xF0, 0xF7,
                                            0x90, 0x2F, 0x51, '0',  '9',  '.',  '/',
                                            '-',  '\n', 'x',  '!',  ' ',  'e'};
    for (uint32_t count = 1 + draw(4); count > 0 && *size > 0; count--) {
        size_t at = draw((uint32_t)*size), length = 1 + draw(8);
        switch (draw(5)) {
        case 0:
            bytes[at] ^= (unsigned char)(1u << draw(8));
            break;
        case 1:
            bytes[at] = telling[draw(sizeof telling)];
            break;
        case 2:
            if (length > *size - at) length = *size - at;
            memmove(bytes + at, bytes + at + length, *size - at - length);
            *size -= length;
            break;
        case 3:
            if (length > *size - at || *size + length > room) break;
            memmove(bytes + at + length, bytes + at, *size - at);
            *size += length;
            break;
        default:
            *size = at; // the rest is missing
            if (draw(4)) *size += draw((uint32_t)(room - at)) % 4;
        }
    }
}

static void mutations(trial try, const void* good, size_t good_size) {
    static unsigned char bytes[1 << 13];
    for (int round = 0; round < 20000; round++) {
        size_t size = good_size;
        memset(bytes, 0, sizeof bytes);
        memcpy(bytes, good, size);
        mutate(bytes, &size, sizeof bytes);
        try(bytes, size);
    }
}

static midi_bytes m;

static void write_song(void) {
    midi_head(&m, 1, 2, 480);
    midi_begin(&m);
    MIDI(&m, 0, "\xFF\x03\x04name");
    MIDI(&m, 0, "\xFF\x51\x03\x07\xA1\x20");
    MIDI(&m, 960, "\xFF\x51\x03\x0F\x42\x40");
    midi_end(&m);
    midi_begin(&m);
    MIDI(&m, 0, "\xF0\x03\x7E\x00\xF7");
    MIDI(&m, 0, "\xB0\x40\x7F");
    for (int i = 0; i < 10; i++) {
        MIDI(&m, 10, "\x90\x3C\x64");
        MIDI(&m, 300, "\x40\x64");
        MIDI(&m, 300, "\x3C\x00");
        MIDI(&m, 0, "\x80\x40\x00");
        MIDI(&m, 0, "\xE0\x10\x40");
    }
    MIDI(&m, 0, "\xB0\x40\x00");
    midi_end(&m);
}

static void begin(void) {
    read_count = refused_count = 0;
}

static void end(void) {
    printf("  %d read, %d refused\n", read_count, refused_count);
    CHECK(refused_count > 100);
}

static void no_bytes_break_the_reader_of_songs(void) {
    begin();
    write_song();
    try_song(m.data, m.size);
    CHECK(read_count == 1);
    random_bytes(try_song, (const char*)m.data, 22);
    mutations(try_song, m.data, m.size);
    for (size_t size = 0; size < m.size; size++)
        try_song(m.data, size);
    CHECK(read_count > 100);
    end();
}

static void no_text_breaks_the_reader_of_scales(void) {
    static const char good[] = "! a scale\nJust\n 5\n!\n 9/8\n 5/4\n 701.955\n 5/3 sixth\n 2/1\n";
    begin();
    random_bytes(try_scale, good, 20);
    mutations(try_scale, good, sizeof good - 1);
    CHECK(read_count > 100);
    end();
}

static void no_text_breaks_the_reader_of_maps(void) {
    static const char good[] = "! map\n5\n0\n127\n60\n69\n440.0\n3\n0\nx\n1\n2\n3\n";
    begin();
    random_bytes(try_map, good, 20);
    mutations(try_map, good, sizeof good - 1);
    CHECK(read_count > 100);
    end();
}

int main(void) {
    RUN(no_bytes_break_the_reader_of_songs);
    RUN(no_text_breaks_the_reader_of_scales);
    RUN(no_text_breaks_the_reader_of_maps);
    return CHECK_REPORT();
}
