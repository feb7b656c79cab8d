// Random host calls in random order: events of all kinds with numbers of all kinds, blocks of 0 to many frames, activate,
// deactivate, reset, flush, states whole and damaged. No crash, no hang, every sample finite.
//   test_clap_fuzz PLUGIN [EVENTS [SEED]]
#include "clap_host.h"

#include "check.h"

#include <stdlib.h>

static clap_file file;
static clap_host_rack rack;
static host_text saved;
static uint64_t seed = 1;
static long events_wanted, events_done;

static uint32_t random_of(uint32_t most) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((seed >> 33) % most);
}

static double any_number(void) {
    static const double odd[] = {0,      -0.0,   1,        -1,        0.5, 1e300,
                                 -1e300, 1e-310, INFINITY, -INFINITY, NAN};
    uint32_t kind = random_of(4);
    if (kind == 0) return odd[random_of(sizeof odd / sizeof *odd)];
    return (random_of(20001) - 10000.0) / (kind == 1 ? 10 : 10000);
}

static int16_t any_short(int most) {
    uint32_t kind = random_of(16);
    if (kind == 0) return -1;
    if (kind == 1) return (int16_t)(random_of(65536) - 32768);
    return (int16_t)random_of((uint32_t)most);
}

static void any_note(uint32_t time) {
    static const uint16_t types[] = {CLAP_EVENT_NOTE_ON, CLAP_EVENT_NOTE_OFF, CLAP_EVENT_NOTE_ON,
                                     CLAP_EVENT_NOTE_CHOKE, CLAP_EVENT_NOTE_END};
    clap_event_note_t* note = &rack_add(&rack, types[random_of(5)], sizeof *note, time)->note;
    note->note_id = (int32_t)random_of(40) - 1;
    note->port_index = any_short(2);
    note->channel = any_short(16);
    note->key = any_short(128);
    note->velocity = random_of(8) ? random_of(1001) / 1000.0 : any_number();
}

static void any_expression(uint32_t time) {
    clap_event_note_expression_t* e =
        &rack_add(&rack, CLAP_EVENT_NOTE_EXPRESSION, sizeof *e, time)->expression;
    e->expression_id = (clap_note_expression)random_of(9) - 1;
    e->note_id = (int32_t)random_of(40) - 1;
    e->channel = any_short(16);
    e->key = any_short(128);
    e->value = any_number();
}

static void any_param(uint32_t time) {
    clap_param_info_t info = {.id = random_of(1000)};
    uint32_t count = rack.params->count(rack.plugin);
    if (random_of(16)) rack.params->get_info(rack.plugin, random_of(count), &info);
    if (!random_of(8)) info.cookie = (void*)(uintptr_t)random_of(100000);
    double range = info.max_value - info.min_value;
    double value = random_of(4) ? info.min_value + range * random_of(1001) / 1000 : any_number();
    if (random_of(4)) {
        rack_param(&rack, time, &info, value);
        return;
    }
    clap_event_param_mod_t* mod = &rack_add(&rack, CLAP_EVENT_PARAM_MOD, sizeof *mod, time)->mod;
    mod->param_id = info.id;
    mod->cookie = info.cookie;
    mod->amount = any_number();
}

static void any_sysex(uint32_t time) {
    static uint8_t bytes[64][64];
    uint8_t* own = bytes[random_of(64)];
    static const uint8_t tuning[] = {0xF0, 0x7F, 0x7F, 0x08, 0x02, 0x00, 0x01, 60, 60, 10, 3, 0xF7};
    clap_event_midi_sysex_t* e = &rack_add(&rack, CLAP_EVENT_MIDI_SYSEX, sizeof *e, time)->sysex;
    for (int i = 0; i < 64; i++)
        own[i] = (uint8_t)random_of(256);
    if (random_of(2)) memcpy(own, tuning, sizeof tuning);
    e->buffer = random_of(16) ? own : NULL;
    e->size = random_of(65);
}

static void any_event(uint32_t frames) {
    // In order, as a rule.
    static uint32_t last;
    last = random_of(8) ? last + random_of(8) : random_of(2 * frames + 2);
    if (!rack.event_count) last = 0;
    uint32_t kind = random_of(16);
    if (kind < 5)
        any_note(last);
    else if (kind < 7)
        any_expression(last);
    else if (kind < 11)
        any_param(last);
    else if (kind < 14)
        rack_midi(&rack, last, (int)random_of(random_of(8) ? 128 : 256) | (random_of(16) ? 128 : 0),
                  (int)random_of(random_of(8) ? 128 : 256), (int)random_of(128));
    else if (kind == 14)
        any_sysex(last);
    else {
        host_event* e = rack_add(&rack, (uint16_t)random_of(40), random_of(64), last);
        e->header.space_id = (uint16_t)random_of(3);
    }
    events_done++;
}

static void any_block(void) {
    static const uint32_t lengths[] = {0, 1, 2, 16, 64, 64, 64, 128, 256, 1000, 4096};
    uint32_t frames = lengths[random_of(sizeof lengths / sizeof *lengths)];
    uint32_t count = random_of(64) ? random_of(24) : random_of(3000);
    for (uint32_t i = 0; i < count; i++)
        any_event(frames);
    if (rack.audio_ports->count(rack.plugin, true))
        for (uint32_t i = 0; i < frames; i++)
            rack.in[0][i] = rack.in[1][i] =
                (float)(random_of(64) ? random_of(100) / 100.0 : any_number());
    for (int c = 0; c < 2; c++)
        memset(rack.out[c], 0, frames * sizeof(float));
    if (!random_of(16)) {
        rack_flush(&rack);
        return;
    }
    rack_process(&rack, frames);
    bool finite = true;
    for (int c = 0; c < 2; c++)
        for (uint32_t i = 0; i < frames; i++)
            finite = finite && isfinite(rack.out[c][i]) && fabsf(rack.out[c][i]) < 1e6f;
    CHECK(finite);
}

static void damage(host_text* text) {
    for (uint32_t n = random_of(4); n && text->size; n--)
        text->bytes[random_of((uint32_t)text->size)] = (char)random_of(256);
    if (!random_of(4) && text->size) text->size = random_of((uint32_t)text->size);
}

static void any_state(void) {
    if (random_of(2) || !saved.size) {
        CHECK(rack_save(&rack, &saved));
        return;
    }
    size_t size = saved.size;
    if (random_of(2)) damage(&saved);
    saved.step = random_of(2) ? 1 + random_of(3000) : 0;
    rack_load(&rack, &saved);
    saved.size = random_of(2) ? saved.size : size;
    if (random_of(2)) saved.size = 0;
}

static void any_call(void) {
    uint32_t kind = random_of(400);
    if (kind == 0)
        rack_deactivate(&rack);
    else if (kind == 1) {
        static const double rates[] = {8000, 44100, 48000, 96000, 5, 1e9, NAN};
        rack_activate(&rack, rates[random_of(7)], 1 + random_of(5000));
    } else if (kind == 2)
        rack.plugin->reset(rack.plugin);
    else if (kind == 3)
        any_state();
    else if (kind == 4)
        rack.plugin->on_main_thread(rack.plugin);
    else if (kind == 5)
        rack.render->set(rack.plugin, (int32_t)random_of(3));
    else if (kind == 6)
        rack.plugin->get_extension(rack.plugin, random_of(2) ? "clap.none" : "");
    else
        any_block();
    if (!rack.active && !random_of(4)) rack_activate(&rack, 48000, 256);
}

static void nothing_a_host_does_breaks_it(void) {
    uint32_t count = file.factory->get_plugin_count(file.factory);
    for (uint32_t turn = 0; events_done < events_wanted; turn++) {
        const char* id = file.factory->get_plugin_descriptor(file.factory, random_of(count))->id;
        bool opened = rack_open(&rack, &file, id);
        CHECK(opened);
        if (!opened) continue;
        // Not offline: a note waits for nothing.
        rack_activate(&rack, 48000, 256);
        long end = events_done + 2000;
        if (end > events_wanted) end = events_wanted;
        while (events_done < end)
            any_call();
        rack_close(&rack);
    }
}

int main(int count, char** words) {
    if (count < 2 || !clap_file_open(&file, words[1])) {
        fprintf(stderr, "usage: test_clap_fuzz PLUGIN [EVENTS [SEED]]\n");
        return 2;
    }
    events_wanted = count > 2 ? atol(words[2]) : check_count(10000, 1000000);
    if (count > 3) seed = strtoull(words[3], NULL, 10);
    RUN(nothing_a_host_does_breaks_it);
    printf("%ld events\n", events_done);
    host_text_free(&saved);
    clap_file_close(&file);
    return CHECK_REPORT();
}
