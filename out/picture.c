#include "picture.h"

#include "probes.h"
#include "subject.h"

#include <math.h>
#include <stdlib.h>

#define WINDOW_LEAST 16 // samples of a spectrum

typedef struct drawer {
    const char* word;
    bool (*draw)(const sis_picture* picture, int descriptor, sis_fault* fault);
} drawer;

static const drawer drawers[SIS_SUBJECT_COUNT] = {
    [SIS_SUBJECT_ENERGY] = {"energy", sis_draw_energy},
    [SIS_SUBJECT_SIGNAL] = {"signal", sis_draw_signal},
    [SIS_SUBJECT_PHASE] = {"phase", sis_draw_phase},
    [SIS_SUBJECT_PENETRATION] = {"penetration", sis_draw_penetration},
    [SIS_SUBJECT_HYSTERESIS] = {"hysteresis", sis_draw_hysteresis},
    [SIS_SUBJECT_CONTACT] = {"contact", sis_draw_contact},
    [SIS_SUBJECT_SNAPSHOTS] = {"snapshots", sis_draw_snapshots},
    [SIS_SUBJECT_PLATE] = {"plate", sis_draw_plate},
    [SIS_SUBJECT_BOW] = {"bow", sis_draw_bow},
    [SIS_SUBJECT_SPECTRUM] = {"spectrum", sis_draw_spectrum},
    [SIS_SUBJECT_SPECTROGRAM] = {"spectrogram", sis_draw_spectrogram},
};

const char* sis_subject_word(sis_subject subject) {
    return (unsigned)subject < SIS_SUBJECT_COUNT ? drawers[subject].word : "";
}

bool sis_picture_draw(const sis_picture* picture, int descriptor, sis_fault* fault) {
    return sis_canvas_available(fault) &&
           drawers[picture->subject].draw(picture, descriptor, fault);
}

/** Two probes of everything of a kind that the scene has. */
static bool add_pairs(sis_scene* scene, sis_kind kind, sis_quantity one, sis_quantity other,
                      sis_fault* fault) {
    int32_t count = sis_scene_count(scene); // of what was there before
    for (sis_id id = 0; id < count; id++)
        if (sis_scene_kind(scene, id) == kind &&
            !(sis_probes_add(scene, id, one, fault) && sis_probes_add(scene, id, other, fault)))
            return false;
    return true;
}

bool sis_picture_probes(sis_scene* scene, sis_subject subject, const sis_options* how,
                        sis_fault* fault) {
    static const sis_quantity plane[] = {SIS_QUANTITY_DISPLACEMENT, SIS_QUANTITY_VELOCITY};
    switch (subject) {
    case SIS_SUBJECT_PHASE:
        return sis_probes_add_bodies(scene, how, plane, 2, fault);
    case SIS_SUBJECT_PENETRATION:
    case SIS_SUBJECT_HYSTERESIS:
        return add_pairs(scene, SIS_KIND_CONTACT, SIS_QUANTITY_PENETRATION, SIS_QUANTITY_FORCE,
                         fault);
    case SIS_SUBJECT_BOW:
    case SIS_SUBJECT_CONTACT:
        return add_pairs(scene, SIS_KIND_BOW, SIS_QUANTITY_VELOCITY, SIS_QUANTITY_FORCE, fault);
    default:
        return true;
    }
}

sis_window sis_picture_window(const sis_picture* picture) {
    double rate = sis_plan_step_rate(&picture->plan);
    uint64_t steps = sis_plan_steps(&picture->plan);
    // A step that is meant may be missed by a rounding of from * rate.
    uint64_t first = (uint64_t)ceil(picture->from * rate - 1e-6);
    uint64_t end = (uint64_t)floor(picture->to * rate + 1e-6) + 1;
    if (end > steps) end = steps;
    if (first >= end) first = end - 1;
    return (sis_window){.first = first, .count = end - first};
}

sis_window sis_picture_rows(const sis_picture* picture, sis_plan* plan) {
    sis_window steps = sis_picture_window(picture);
    uint64_t o = (uint64_t)picture->plan.oversample;
    *plan = picture->plan;
    plan->rows = (steps.first + steps.count + o - 1) / o;
    return (sis_window){.first = steps.first / o, .count = plan->rows - steps.first / o};
}

bool sis_picture_span(const sis_picture* picture, const sis_window* rows, uint64_t most,
                      uint64_t* window, sis_fault* fault) {
    if (!(picture->window > 0)) return true;
    double rate = picture->plan.rate, wanted = floor(picture->window * rate + 0.5);
    if (wanted > (double)rows->count)
        return sis_fault_set(fault, SIS_FAULT_REQUEST,
                             "--window %g s is longer than the %g s that are shown",
                             picture->window, (double)rows->count / rate);
    if (wanted < WINDOW_LEAST)
        return sis_fault_set(fault, SIS_FAULT_REQUEST,
                             "--window %g s is too short: %d samples at %g Hz, %g s, are the least",
                             picture->window, WINDOW_LEAST, rate, WINDOW_LEAST / rate);
    if (wanted > (double)most)
        return sis_fault_set(fault, SIS_FAULT_REQUEST,
                             "--window %g s is too long: %llu samples at %g Hz, %g s, are the most",
                             picture->window, (unsigned long long)most, rate, (double)most / rate);
    *window = (uint64_t)wanted;
    return true;
}

bool sis_picture_run(const sis_picture* picture, sis_sink sink, sis_fault* fault) {
    sis_state* state = sis_run_state(picture->system, fault);
    if (!state) return false;
    sis_window window = sis_picture_window(picture);
    sis_run run = {.system = picture->system,
                   .state = state,
                   .steps = window.first + window.count,
                   .sinks = &sink,
                   .sink_count = 1,
                   .progress = picture->progress,
                   .progress_self = picture->progress_self};
    if (picture->gestures) run.gestures = sis_input_curves_fill;
    run.gestures_self = picture->gestures;
    bool fine = sis_run_go(&run, fault);
    free(state);
    return fine;
}

const char* sis_picture_rate(const sis_picture* picture, char* text, size_t size) {
    if (picture->plan.oversample == 1)
        snprintf(text, size, "%g Hz", picture->plan.rate);
    else
        snprintf(text, size, "%g Hz × %d", picture->plan.rate, (int)picture->plan.oversample);
    return text;
}
