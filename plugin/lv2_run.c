// What happens in every block. No memory, no lock, no system call.

#include "lv2_plugin.h"

#include <lv2/atom/util.h>
#include <math.h>

static float control(const plugin* p, enum lv2_port port, float fallback) {
    const float* at = p->fixed[port];
    return at && isfinite(*at) ? *at : fallback;
}

static void tell(plugin* p, enum lv2_port port, double value) {
    float* at = p->fixed[port];
    if (at) *at = (float)value;
}

// ---------------------------------------------------------------------------- sound

/** Copies what comes in, before anything is written: the host may give one buffer for both. */
static void take_sound(plugin* p, uint32_t frames, sis_live_block* block) {
    for (int32_t c = 0; c < p->bundle.sound; c++) {
        const float* from = p->sound[c];
        for (uint32_t i = 0; from && i < frames; i++)
            p->pieces[c][i] = isfinite(from[p->played + i]) ? from[p->played + i] : 0;
        block->in[c] = from ? p->pieces[c] : NULL;
    }
}

/** Plays up to a frame of this call, with the events that wait; none of them is later. */
static void play_until(plugin* p, uint32_t end) {
    int32_t first = 0;
    do {
        uint32_t frames = end - p->played;
        if (p->bundle.sound && frames > PIECE) frames = PIECE;
        sis_live_block block = {.frames = (int32_t)frames, .events = p->events + first};
        for (int c = 0; c < 2; c++) {
            float* out = p->fixed[PORT_LEFT + c];
            block.out[c] = out ? out + p->played : NULL;
        }
        take_sound(p, frames, &block);
        bool last = p->played + frames >= end;
        for (int32_t i = first; i < p->event_count; i++) {
            int32_t frame = p->events[i].frame - (int32_t)p->played;
            if (!last && frame >= (int32_t)frames) break;
            p->events[i].frame = frame;
            block.event_count++;
        }
        sis_live_run(p->live, &block);
        first += block.event_count;
        p->played += frames;
    } while (p->played < end);
    p->event_count = 0;
}

void plugin_event(plugin* p, const sis_live_event* event) {
    // Full: what is there is played up to this frame. Events beyond that many at one frame are lost.
    if (p->event_count == EVENTS_MOST && (uint32_t)event->frame > p->played)
        play_until(p, (uint32_t)event->frame);
    if (p->event_count < EVENTS_MOST) p->events[p->event_count++] = *event;
}

// ---------------------------------------------------------------------------- control ports

static void take_switches(plugin* p) {
    bool offline = control(p, PORT_FREEWHEEL, 0) > 0;
    if (offline != p->offline) sis_live_offline(p->live, p->offline = offline);
    float gain = control(p, PORT_GAIN, p->gain);
    gain = gain < GAIN_LEAST ? GAIN_LEAST : gain > GAIN_MOST ? GAIN_MOST : gain;
    if (gain != p->gain) {
        p->gain = gain;
        sis_live_gain(p->live, gain == 0 ? 1 : pow(10, (double)gain / 20));
    }
    if (p->raw) return;
    bool limiter = control(p, PORT_LIMITER, p->limiter) > 0;
    bool dc = control(p, PORT_DC, p->dc) > 0;
    bool guard = control(p, PORT_GUARD, p->guard) > 0;
    if (limiter == p->limiter && dc == p->dc && guard == p->guard) return;
    p->limiter = limiter, p->dc = dc, p->guard = guard;
    sis_live_protect(p->live, guard, limiter, dc);
}

/** The number that a float of a port means: the scene's own where it rounds to the same. */
static double exact(const knob_port* port, float value) {
    for (int i = 0; i < 3; i++)
        if (value == (float)port->values[i]) return port->values[i];
    return value;
}

/** Whether the port tells what it told before. */
static bool is_known(knob_port* port, float value) {
    bool known = value == port->seen;
    // Hosts write ports of a project as decimals, and a digit may get lost.
    if (port->restored) known = fabsf(value - port->seen) <= 1e-6f * fabsf(port->seen);
    port->restored = false;
    return known;
}

static void take_knobs(plugin* p) {
    for (int32_t i = 0; i < p->bundle.knob_count; i++) {
        knob_port* port = &p->knobs[i];
        if (!port->at) continue;
        const float value = *port->at;
        if (!isfinite(value)) continue;
        bool known = is_known(port, value);
        port->seen = value;
        if (known) continue;
        if (port->knob < 0 || (port->trigger && value == 0)) continue;
        port->value = exact(port, value);
        plugin_event(
            p, &(sis_live_event){
                   .kind = SIS_LIVE_KNOB, .note = -1, .index = port->knob, .value = port->value});
    }
}

// ---------------------------------------------------------------------------- events

static void take_midi(plugin* p, const uint8_t* bytes, uint32_t size, uint32_t frame) {
    sis_live_event event = {.frame = (int32_t)frame, .note = -1};
    if (size == 0) return;
    uint8_t status = bytes[0];
    bool two = (status & 0xe0) == 0xc0; // program and channel pressure
    if (status == 0xf0) {
        event.kind = SIS_LIVE_SYSEX;
        event.data = bytes;
        event.size = size;
    } else if (status == 0xff) {
        event.kind = SIS_LIVE_PANIC;
    } else if (status >= 0x80 && status < 0xf0 && size >= (two ? 2u : 3u)) {
        event.kind = SIS_LIVE_MIDI;
        for (uint32_t i = 0; i < 3 && i < size; i++)
            event.bytes[i] = bytes[i];
    } else {
        return;
    }
    plugin_event(p, &event);
}

static void take_atom(plugin* p, const LV2_Atom* atom, uint32_t frame) {
    const words* w = &p->words;
    if (atom->type == w->midi)
        take_midi(p, LV2_ATOM_BODY_CONST(atom), atom->size, frame);
    else if ((atom->type == w->object || atom->type == w->blank) &&
             atom->size >= sizeof(LV2_Atom_Object_Body))
        message_take(p, (const LV2_Atom_Object*)atom, frame);
}

/** Events of the host, which come in order; what is out of order or of the block is moved into it. */
static void take_events(plugin* p, uint32_t frames) {
    const LV2_Atom_Sequence* sequence = p->fixed[PORT_CONTROL];
    if (!sequence || sequence->atom.type != p->words.sequence) return;
    if (sequence->atom.size < sizeof sequence->body) return;
    bool beats = sequence->body.unit == p->words.beats;
    const uint8_t* end = (const uint8_t*)&sequence->body + sequence->atom.size;
    const LV2_Atom_Event* event = lv2_atom_sequence_begin(&sequence->body);
    int64_t last = 0;
    while ((const uint8_t*)(event + 1) <= end &&
           event->body.size <= (size_t)(end - (const uint8_t*)(event + 1))) {
        int64_t frame = beats ? last : event->time.frames;
        if (frame >= (int64_t)frames) frame = (int64_t)frames - 1;
        if (frame < last) frame = last;
        last = frame;
        take_atom(p, &event->body, (uint32_t)frame);
        event = lv2_atom_sequence_next(event);
    }
}

static void tell_status(plugin* p) {
    if (!p->fixed[PORT_VOICES] && !p->fixed[PORT_LOAD]) return;
    sis_live_status status;
    sis_live_status_read(p->live, &status);
    tell(p, PORT_VOICES, status.voices);
    tell(p, PORT_LOAD, isfinite(status.load) ? 100 * status.load : 0);
}

void plugin_run(LV2_Handle handle, uint32_t frames) {
    plugin* p = handle;
    LV2_Atom_Forge_Frame answers;
    if (frames > INT32_MAX) frames = INT32_MAX;
    p->played = 0;
    p->has_run = p->has_run || frames > 0;
    take_switches(p);
    if (frames > 0) take_knobs(p);
    message_begin(p, &answers);
    take_events(p, frames);
    play_until(p, frames);
    message_tell_moved(p, frames ? frames - 1 : 0);
    message_end(p, &answers);
    tell(p, PORT_LATENCY, p->latency);
    tell_status(p);
}
