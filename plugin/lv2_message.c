// Patch messages: a knob is set at a frame of its own (patch:Set), and those who ask are answered
// (patch:Get).

#include "lv2_plugin.h"

#include <lv2/atom/util.h>
#include <math.h>

/** A number of any kind; NaN: it is none. */
static double read_number(const words* w, const LV2_Atom* atom) {
    if (atom->type == w->number_float && atom->size == sizeof(float))
        return ((const LV2_Atom_Float*)atom)->body;
    if (atom->type == w->number_double && atom->size == sizeof(double))
        return ((const LV2_Atom_Double*)atom)->body;
    if (atom->type == w->number_long && atom->size == sizeof(int64_t))
        return (double)((const LV2_Atom_Long*)atom)->body;
    if ((atom->type == w->number_int || atom->type == w->number_bool) &&
        atom->size == sizeof(int32_t))
        return ((const LV2_Atom_Int*)atom)->body;
    return (double)NAN;
}

/** The atom under a key of an object; NULL: none. As lv2_atom_object_get, but it never reads
 * beyond the object. */
static const LV2_Atom* find_value(const LV2_Atom_Object* object, LV2_URID key) {
    const uint8_t* end = (const uint8_t*)&object->body + object->atom.size;
    const LV2_Atom_Property_Body* at = (const LV2_Atom_Property_Body*)(&object->body + 1);
    while ((const uint8_t*)(at + 1) <= end &&
           at->value.size <= (size_t)(end - (const uint8_t*)(at + 1))) {
        if (at->key == key) return &at->value;
        at = lv2_atom_object_next(at);
    }
    return NULL;
}

static void answer(plugin* p, const knob_port* port, uint32_t frame) {
    LV2_Atom_Forge* f = &p->forge;
    LV2_Atom_Forge_Frame object;
    if (port->knob < 0 || !p->fixed[PORT_NOTIFY]) return;
    // Time, object, two keys with their values: all of it or nothing.
    if (f->size - f->offset < 96) return;
    lv2_atom_forge_frame_time(f, frame);
    lv2_atom_forge_object(f, &object, 0, p->words.set);
    lv2_atom_forge_key(f, p->words.property);
    lv2_atom_forge_urid(f, port->property);
    lv2_atom_forge_key(f, p->words.value);
    lv2_atom_forge_float(f, (float)port->value);
    lv2_atom_forge_pop(f, &object);
}

static void set(plugin* p, knob_port* port, double value, uint32_t frame) {
    if (port->knob < 0 || !isfinite(value) || (port->trigger && value == 0)) return;
    port->value = fmin(fmax(value, port->values[1]), port->values[2]);
    plugin_event(p, &(sis_live_event){.frame = (int32_t)frame,
                                      .kind = SIS_LIVE_KNOB,
                                      .note = -1,
                                      .index = port->knob,
                                      .value = value});
}

void message_take(plugin* p, const LV2_Atom_Object* object, uint32_t frame) {
    const words* w = &p->words;
    bool sets = object->body.otype == w->set, gets = object->body.otype == w->get;
    if (!sets && !gets) return;
    const LV2_Atom* property = find_value(object, w->property);
    const LV2_Atom* value = sets ? find_value(object, w->value) : NULL;
    bool named = property && property->type == w->urid && property->size == sizeof(LV2_URID);
    LV2_URID name = named ? ((const LV2_Atom_URID*)property)->body : 0;
    for (int32_t i = 0; i < p->bundle.knob_count; i++) {
        knob_port* port = &p->knobs[i];
        if (gets && (!property || port->property == name)) answer(p, port, frame);
        if (sets && value && named && port->property == name)
            set(p, port, read_number(w, value), frame);
    }
}

void message_tell_moved(plugin* p, uint32_t frame) {
    int32_t knobs[64], count;
    double values[64];
    while ((count = sis_live_moved(p->live, knobs, values, 64)) > 0)
        for (int32_t i = 0; i < count; i++)
            for (int32_t k = 0; k < p->bundle.knob_count; k++) {
                if (p->knobs[k].knob != knobs[i]) continue;
                p->knobs[k].value = values[i];
                answer(p, &p->knobs[k], frame);
            }
}

void message_begin(plugin* p, LV2_Atom_Forge_Frame* sequence) {
    LV2_Atom_Sequence* port = p->fixed[PORT_NOTIFY];
    if (!port) return;
    uint32_t room = port->atom.size; // as the host says before the call
    lv2_atom_forge_set_buffer(&p->forge, (uint8_t*)port, room);
    lv2_atom_forge_sequence_head(&p->forge, sequence, 0);
}

void message_end(plugin* p, LV2_Atom_Forge_Frame* sequence) {
    if (p->fixed[PORT_NOTIFY] && sequence->ref) lv2_atom_forge_pop(&p->forge, sequence);
}
