// A block of a host: its events become events of the instrument, in order and at their frames. [audio]
#include "clap_player.h"

#include <math.h>
#include <string.h>

/** Where a block has come to. */
typedef struct pass {
    clap_player* p;
    const clap_process_t* process;
    uint32_t start; // first frame that is not played yet
    int32_t count;  // events from there on
} pass;

static float* out_channel(const clap_process_t* process, uint32_t channel) {
    const clap_audio_buffer_t* port =
        process->audio_outputs_count && process->audio_outputs ? process->audio_outputs : NULL;
    return port && port->data32 && channel < port->channel_count ? port->data32[channel] : NULL;
}

static const float* in_channel(const clap_process_t* process, uint32_t channel) {
    const clap_audio_buffer_t* port =
        process->audio_inputs_count && process->audio_inputs ? process->audio_inputs : NULL;
    if (!port || !port->data32) return NULL;
    return channel < port->channel_count ? port->data32[channel] : NULL;
}

/** Plays `frames` frames, at most frames_max. Events beyond them wait for the next. */
static void play(pass* a, uint32_t frames) {
    clap_player* p = a->p;
    int32_t now = 0;
    while (now < a->count && (!frames || (uint32_t)p->events[now].frame < frames))
        now++;
    sis_live_block block = {.frames = (int32_t)frames, .events = p->events, .event_count = now};
    for (uint32_t c = 0; c < 2; c++) {
        float* out = out_channel(a->process, c);
        const float* in = p->sound_inputs > (int32_t)c ? in_channel(a->process, c) : NULL;
        block.out[c] = out ? out + a->start : NULL;
        block.in[c] = in ? in + a->start : NULL;
    }
    sis_live_run(p->live, &block);
    a->start += frames;
    a->count -= now;
    memmove(p->events, p->events + now, (size_t)a->count * sizeof *p->events);
    for (int32_t i = 0; i < a->count; i++)
        p->events[i].frame -= (int32_t)frames;
}

static void play_to(pass* a, uint32_t end) {
    while (a->start < end)
        play(a, end - a->start < a->p->frames_max ? end - a->start : a->p->frames_max);
}

/** Room for an event at frame `time`. */
static sis_live_event* place(pass* a, uint32_t time) {
    // A block of the instrument holds frames_max frames: what is before it is played.
    while (time > a->start && time - a->start >= a->p->frames_max)
        play(a, a->p->frames_max);
    if (a->count == EVENTS_MOST) play_to(a, time);
    // All at one frame: the rest of them is a frame late, or at the first one of the next block.
    if (a->count == EVENTS_MOST) play(a, a->start < a->process->frames_count ? 1 : 0);
    sis_live_event* event = &a->p->events[a->count++];
    int32_t frame = time > a->start ? (int32_t)(time - a->start) : 0;
    *event = (sis_live_event){.frame = frame, .channel = -1, .key = -1, .note = -1};
    return event;
}

// ---------------------------------------------------------------------------- notes

static void tell_end(const clap_process_t* process, const clap_note* note) {
    const clap_output_events_t* out = process->out_events;
    if (!out || !out->try_push) return;
    clap_event_note_t end = {
        .header = {.size = sizeof end,
                   .time = process->frames_count ? process->frames_count - 1 : 0,
                   .space_id = CLAP_CORE_EVENT_SPACE_ID,
                   .type = CLAP_EVENT_NOTE_END},
        .note_id = note->note,
        .port_index = note->port,
        .channel = note->channel,
        .key = note->key,
    };
    out->try_push(out, &end.header);
}

/** The oldest note is told as ended where there is no room for another. */
static void remember(pass* a, const clap_event_note_t* event) {
    clap_player* p = a->p;
    if (p->note_count == NOTES_MOST) {
        tell_end(a->process, &p->notes[0]);
        p->note_count--;
        memmove(p->notes, p->notes + 1, (size_t)p->note_count * sizeof *p->notes);
    }
    p->notes[p->note_count++] =
        (clap_note){event->note_id, event->port_index, event->channel, event->key};
}

/** Tells the host which of its notes have ended. */
static void tell_ends(pass* a) {
    clap_player* p = a->p;
    int32_t ended[64], count;
    while ((count = sis_live_ended(p->live, ended, 64)) > 0)
        for (int32_t i = 0; i < count; i++)
            for (int32_t k = 0; k < p->note_count; k++) {
                if (p->notes[k].note != ended[i]) continue;
                tell_end(a->process, &p->notes[k]);
                p->notes[k] = p->notes[--p->note_count];
                break;
            }
}

static void tell_value(const clap_process_t* process, const clap_param* param, double value) {
    const clap_output_events_t* out = process->out_events;
    if (!out || !out->try_push) return;
    clap_event_param_value_t event = {
        .header = {.size = sizeof event,
                   .time = process->frames_count ? process->frames_count - 1 : 0,
                   .space_id = CLAP_CORE_EVENT_SPACE_ID,
                   .type = CLAP_EVENT_PARAM_VALUE},
        .param_id = param->id,
        .note_id = -1,
        .port_index = -1,
        .channel = -1,
        .key = -1,
        .value = clap_param_plain(param, value),
    };
    out->try_push(out, &event.header);
}

/** A controller has moved an input: the host's knob follows. */
static void tell_moved(const pass* a) {
    clap_player* p = a->p;
    int32_t knobs[64], count;
    double values[64];
    while ((count = sis_live_moved(p->live, knobs, values, 64)) > 0)
        for (int32_t i = 0; i < count; i++)
            for (int32_t k = 0; k < p->param_count; k++) {
                clap_param* param = &p->params[k];
                if (param->kind != PARAM_KNOB || atomic_load(&param->index) != knobs[i]) continue;
                atomic_store(&param->value, values[i]);
                tell_value(a->process, param, values[i]);
            }
}

static bool is_within(int value, int most) {
    return value >= -1 && value <= most;
}

static void take_note(pass* a, const clap_event_note_t* event, uint32_t time) {
    bool on = event->header.type == CLAP_EVENT_NOTE_ON;
    if (!is_within(event->channel, 15) || !is_within(event->key, 127)) return;
    if (on && (event->key < 0 || isnan(event->velocity))) return;
    sis_live_event* e = place(a, time);
    e->kind = SIS_LIVE_NOTE_OFF;
    if (on) e->kind = SIS_LIVE_NOTE_ON;
    if (event->header.type == CLAP_EVENT_NOTE_CHOKE) e->kind = SIS_LIVE_NOTE_CHOKE;
    e->channel = on && event->channel < 0 ? 0 : event->channel;
    e->key = event->key;
    e->note = event->note_id < 0 ? -1 : event->note_id;
    // CLAP: a note on with velocity 0 is one. The softest that there is, as of MIDI.
    e->value = fmin(fmax(event->velocity, 1.0 / 127), 1);
    if (on) remember(a, event);
}

/** Semitones, pressure and brightness have a meaning here; volume, pan, vibrato and expression have
 * none. */
static void take_expression(pass* a, const clap_event_note_expression_t* event, uint32_t time) {
    if (!is_within(event->channel, 15) || !is_within(event->key, 127) || isnan(event->value))
        return;
    uint8_t kind = SIS_LIVE_BEND;
    double value = fmin(fmax(event->value, -120), 120);
    if (event->expression_id != CLAP_NOTE_EXPRESSION_TUNING) value = fmin(fmax(value, 0), 1);
    if (event->expression_id == CLAP_NOTE_EXPRESSION_PRESSURE)
        kind = SIS_LIVE_PRESSURE;
    else if (event->expression_id == CLAP_NOTE_EXPRESSION_BRIGHTNESS)
        kind = SIS_LIVE_TIMBRE;
    else if (event->expression_id != CLAP_NOTE_EXPRESSION_TUNING)
        return;
    sis_live_event* e = place(a, time);
    e->kind = kind;
    e->channel = event->channel;
    e->key = event->key;
    e->note = event->note_id < 0 ? -1 : event->note_id;
    e->value = value;
}

static void take_midi(pass* a, const clap_event_midi_t* event, uint32_t time) {
    if (event->data[0] < 0x80) return;
    sis_live_event* e = place(a, time);
    e->kind = SIS_LIVE_MIDI;
    memcpy(e->bytes, event->data, 3);
}

static void take_sysex(pass* a, const clap_event_midi_sysex_t* event, uint32_t time) {
    if (!event->buffer || !event->size) return;
    sis_live_event* e = place(a, time);
    e->kind = SIS_LIVE_SYSEX;
    e->data = event->buffer;
    e->size = event->size;
}

// ---------------------------------------------------------------------------- params

/** Inputs move at their frame. A param is compiled first; offline the instrument waits for that
 * where a block begins, so one begins there. */
static void move(pass* a, clap_param* param, double value, uint32_t time) {
    int32_t index = atomic_load(&param->index);
    bool now = param->input || !atomic_load(&a->p->offline);
    if (param->kind == PARAM_KNOB && index >= 0 && now && !atomic_load(&a->p->exchanging)) {
        sis_live_event* e = place(a, time);
        e->kind = SIS_LIVE_KNOB;
        e->index = index;
        e->value = value;
        return;
    }
    // What has no event acts between two blocks: one ends here.
    play_to(a, time);
    clap_param_apply(a->p, param, value);
}

static void take_value(pass* a, const clap_event_param_value_t* event, uint32_t time) {
    clap_param* param = clap_params_get(a->p, event->param_id, event->cookie);
    double value = 0;
    if (param && clap_param_take(param, event->value, &value)) move(a, param, value, time);
}

static void take_modulation(pass* a, const clap_event_param_mod_t* event, uint32_t time) {
    clap_param* param = clap_params_get(a->p, event->param_id, event->cookie);
    if (!param || !param->input || param->trigger || !isfinite(event->amount)) return;
    param->offset = event->amount;
    double plain = clap_param_plain(param, atomic_load(&param->value));
    move(a, param, clap_param_value(param, plain + param->offset), time);
}

// ---------------------------------------------------------------------------- a block

/** An event of a known type, as long as that type is; NULL: none of ours. */
static const void* known(const clap_event_header_t* header) {
    static const struct {
        uint16_t type;
        size_t size;
    } kinds[] = {
        {CLAP_EVENT_NOTE_ON, sizeof(clap_event_note_t)},
        {CLAP_EVENT_NOTE_OFF, sizeof(clap_event_note_t)},
        {CLAP_EVENT_NOTE_CHOKE, sizeof(clap_event_note_t)},
        {CLAP_EVENT_NOTE_EXPRESSION, sizeof(clap_event_note_expression_t)},
        {CLAP_EVENT_PARAM_VALUE, sizeof(clap_event_param_value_t)},
        {CLAP_EVENT_PARAM_MOD, sizeof(clap_event_param_mod_t)},
        {CLAP_EVENT_MIDI, sizeof(clap_event_midi_t)},
        {CLAP_EVENT_MIDI_SYSEX, sizeof(clap_event_midi_sysex_t)},
    };
    if (!header || header->space_id != CLAP_CORE_EVENT_SPACE_ID) return NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (header->type == kinds[i].type) return header->size >= kinds[i].size ? header : NULL;
    return NULL;
}

static void take(pass* a, const clap_event_header_t* header, uint32_t time) {
    const void* event = known(header);
    if (!event) return;
    switch (header->type) {
    case CLAP_EVENT_NOTE_ON:
    case CLAP_EVENT_NOTE_OFF:
    case CLAP_EVENT_NOTE_CHOKE:
        take_note(a, event, time);
        break;
    case CLAP_EVENT_NOTE_EXPRESSION:
        take_expression(a, event, time);
        break;
    case CLAP_EVENT_PARAM_VALUE:
        take_value(a, event, time);
        break;
    case CLAP_EVENT_PARAM_MOD:
        take_modulation(a, event, time);
        break;
    case CLAP_EVENT_MIDI:
        take_midi(a, event, time);
        break;
    default:
        take_sysex(a, event, time);
        break;
    }
}

/** An event that comes before its turn is taken in its turn, one beyond the block at its end. */
static void take_all(pass* a) {
    const clap_input_events_t* in = a->process->in_events;
    uint32_t count = in && in->size && in->get ? in->size(in) : 0;
    uint32_t last = a->process->frames_count ? a->process->frames_count - 1 : 0, time = 0;
    for (uint32_t i = 0; i < count; i++) {
        const clap_event_header_t* header = in->get(in, i);
        if (!header) continue;
        if (header->time > time) time = header->time < last ? header->time : last;
        take(a, header, time);
    }
}

/** Channels that the instrument does not have are silent. */
static void finish_outputs(const clap_process_t* process) {
    for (uint32_t i = 0; process->audio_outputs && i < process->audio_outputs_count; i++) {
        clap_audio_buffer_t* port = &process->audio_outputs[i];
        port->constant_mask = 0;
        for (uint32_t c = i ? 0 : 2; port->data32 && c < port->channel_count; c++)
            if (port->data32[c]) memset(port->data32[c], 0, process->frames_count * sizeof(float));
    }
}

/** Nothing sounds and nothing will by itself: the host may let it rest. */
static bool is_at_rest(clap_player* p) {
    sis_live_status status;
    sis_live_status_read(p->live, &status);
    return p->takes_notes && !p->sound_inputs && !status.voices && !status.fading && !status.keys &&
           !status.waiting;
}

clap_process_status clap_player_process(const clap_plugin_t* plugin,
                                        const clap_process_t* process) {
    clap_player* p = clap_player_of(plugin);
    if (!p->active || !process) return CLAP_PROCESS_ERROR;
    pass a = {.p = p, .process = process};
    take_all(&a);
    play_to(&a, process->frames_count);
    if (a.count) play(&a, 0); // of a block without frames
    finish_outputs(process);
    clap_player_ask_main(p);
    tell_ends(&a);
    if (!atomic_load(&p->exchanging)) tell_moved(&a);
    if (!is_at_rest(p)) return CLAP_PROCESS_CONTINUE;
    for (int32_t i = 0; i < p->note_count; i++) // those that the host gave no number
        tell_end(process, &p->notes[i]);
    p->note_count = 0;
    return CLAP_PROCESS_SLEEP;
}
