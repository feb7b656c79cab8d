// Fingers on the scene, and the voice that is shown.
#include "inside.h"

#include <math.h>

// ---------------------------------------------------------------------------- from any thread

void sis_live_finger(sis_live* live, int32_t finger, int32_t body, double x, double y,
                     double press) {
    if (finger < 0 || finger >= live->options.fingers) return;
    sis_finger_set* f = &live->finger_sets[finger];
    atomic_fetch_add(&f->writes, 1);
    atomic_store(&f->body, body);
    atomic_store(&f->x, x);
    atomic_store(&f->y, y);
    atomic_store(&f->press, press);
    atomic_fetch_add(&f->writes, 1);
}

void sis_live_own(const sis_live* live, int32_t* bodies, int32_t* links) {
    sis_lock_take(live->lock);
    *bodies = live->shown ? live->shown->own_bodies : 0;
    *links = live->shown ? live->shown->own_links : 0;
    sis_lock_leave(live->lock);
}

// ---------------------------------------------------------------------------- the audio thread

// What is being written comes with the next block.
static void take_one(sis_finger_set* f, sis_finger* want) {
    const uint32_t before = atomic_load(&f->writes);
    const sis_finger now = {atomic_load(&f->body), atomic_load(&f->x), atomic_load(&f->y),
                            atomic_load(&f->press)};
    if (before % 2 == 0 && before > 0 && atomic_load(&f->writes) == before) *want = now;
}

// The state that fingers touch is always there, or begins: one that failed, too.
static void begin_touched(sis_live* live) {
    sis_engine* e = live->engine;
    if (!e || !e->seat->fingers || sis_stage_sounding(&e->stage, e->seat) > 0) return;
    sis_stage_start(&e->stage, live->row, e->seat);
}

void sis_live_take_fingers(sis_live* live) {
    if (!live->options.fingers) return;
    for (int32_t i = 0; i < live->options.fingers; i++)
        take_one(&live->finger_sets[i], &live->fingers.want[i]);
    begin_touched(live);
}

void sis_live_lift_fingers(sis_live* live) {
    sis_engine* e = live->engine;
    if (!live->options.fingers) return;
    for (int32_t i = 0; i < live->options.fingers; i++)
        atomic_store(&live->finger_sets[i].press, (double)NAN);
    sis_fingers_lift(&live->fingers);
    for (int32_t i = 0; e && i < e->stage.count; i++)
        if (e->stage.voices[i]->state)
            sis_voice_cut(e->stage.voices[i], live->row, e->stage.block.fade);
    begin_touched(live);
}

bool sis_live_look(const sis_live* live, const sis_system** system, const sis_state** state) {
    const sis_stage* s = live->engine ? &live->engine->stage : NULL;
    const sis_voice* shown = NULL;
    for (int32_t i = 0; s && i < s->count; i++) {
        const sis_voice* v = s->voices[i];
        if (v->state && (!shown || v->cut == SIS_NEVER || shown->cut != SIS_NEVER)) shown = v;
    }
    if (!shown) return false;
    *system = shown->tone->system;
    *state = shown->state;
    return true;
}
