#include "times.h"

#include "subject.h"

#include <math.h>
#include <stdlib.h>

#define TIMES 6  // when none are asked for
#define LOOK  32 // steps between two looks at whether anything moves

/** The period of the slowest body of the kind, s. */
static double period(const sis_system* system, sis_kind kind) {
    double longest = 0;
    for (int32_t i = 0; i < sis_system_body_count(system); i++) {
        sis_body_info body = sis_system_body(system, i);
        if (body.kind == kind && body.frequency > 0) longest = fmax(longest, 1 / body.frequency);
    }
    return longest > 0 ? longest : (double)INFINITY;
}

static bool moves(const sis_system* system, const sis_state* state, sis_kind kind, double* u) {
    for (int32_t i = 0; i < sis_system_body_count(system); i++) {
        sis_body_info body = sis_system_body(system, i);
        if (body.kind != kind) continue;
        sis_state_shape(system, state, i, u);
        for (int32_t j = 0; j < body.points; j++)
            if (u[j] != 0) return true;
    }
    return false;
}

static size_t most_points(const sis_system* system) {
    int32_t most = 1;
    for (int32_t i = 0; i < sis_system_body_count(system); i++) {
        int32_t points = sis_system_body(system, i).points;
        if (points > most) most = points;
    }
    return (size_t)most;
}

/** What is at rest is not shown before it moves: what the first step of a picture from the start
 *  is. `*rests` tells that nothing moves at it. */
static bool first_motion(const sis_picture* picture, sis_kind kind, sis_window* window, bool* rests,
                         sis_fault* fault) {
    sis_state* state = sis_run_state(picture->system, fault);
    double* u = malloc(most_points(picture->system) * sizeof *u);
    if (!state || !u) {
        free(state);
        free(u);
        return sis_fault_no_memory(fault);
    }
    *rests = !moves(picture->system, state, kind, u);
    uint64_t step = 0;
    sis_block block = {.frames = LOOK};
    if (*rests)
        while (step + LOOK < window->count && !moves(picture->system, state, kind, u)) {
            sis_step(picture->system, state, &block);
            step += LOOK;
        }
    // What never moves is shown from the start on.
    uint64_t skipped = step + LOOK < window->count && step > LOOK ? step - LOOK : 0;
    window->first += skipped;
    window->count -= skipped;
    free(u);
    free(state);
    return true;
}

static bool spread(sis_times* times, const sis_picture* picture, sis_kind kind, sis_fault* fault) {
    sis_window window = sis_picture_window(picture);
    bool rests = false;
    if (picture->from == 0 && !first_motion(picture, kind, &window, &rests, fault)) return false;
    double steps = fmin(period(picture->system, kind) * times->rate, (double)(window.count - 1));
    for (int i = 0; i < TIMES; i++) {
        uint64_t step = window.first + (uint64_t)llround((i + rests) * steps / TIMES);
        if (times->count && times->step[times->count - 1] == step) continue;
        times->step[times->count++] = step;
    }
    return true;
}

static bool take_given(sis_times* times, const sis_picture* picture, sis_fault* fault) {
    uint64_t steps = sis_plan_steps(&picture->plan);
    for (int32_t i = 0; i < picture->time_count; i++) {
        double step = round(picture->times[i] * times->rate);
        if (!(step < (double)steps))
            return sis_fault_set(fault, SIS_FAULT_REQUEST,
                                 "--times: %g s is not before the end of the run at %g s",
                                 picture->times[i], (double)steps / times->rate);
        times->step[times->count++] = (uint64_t)step;
    }
    return true;
}

bool sis_times_choose(sis_times* times, const sis_picture* picture, sis_kind kind,
                      sis_fault* fault) {
    *times = (sis_times){.rate = sis_plan_step_rate(&picture->plan)};
    return picture->times ? take_given(times, picture, fault) : spread(times, picture, kind, fault);
}

uint64_t sis_times_cut(const sis_times* times, uint64_t step) {
    for (int32_t t = 0; t < times->count; t++)
        if (times->step[t] + 1 > step) return times->step[t] + 1;
    return step + SIS_FRAMES_MAX;
}

int32_t sis_times_at_end(const sis_times* times, const sis_frames* frames) {
    uint64_t last = frames->first + (uint64_t)frames->count - 1;
    for (int32_t t = 0; t < times->count; t++)
        if (times->step[t] == last) return t;
    return -1;
}

bool sis_times_run(const sis_times* times, const sis_picture* picture, sis_sink sink,
                   sis_fault* fault) {
    sis_picture run = *picture;
    run.from = 0;
    run.to = (double)times->step[times->count - 1] / times->rate;
    return sis_picture_run(&run, sink, fault);
}

const char* sis_times_print(const sis_times* times, int32_t i, char* text, size_t size) {
    sis_unit unit = sis_unit_pick((double)times->step[times->count - 1] / times->rate, "s");
    snprintf(text, size, "t = %.4g %s", (double)times->step[i] / times->rate / unit.factor,
             unit.text);
    return text;
}
