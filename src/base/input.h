// Inputs: numbers that the player moves while it sounds.
#ifndef SIS_INPUT_H
#define SIS_INPUT_H

#include <stdint.h>

// What an input remembers. Part of the flat state.
typedef struct input_state {
    double target;    // what it was given last
    double value;     // in this sample; of a trigger: the last blow, 0 before the first
    double slope;     // a sample, while it is on the way
    uint64_t left;    // samples until it is there; of a trigger: the sample of the last blow
    double waiting;   // of a trigger: a blow for the next sample; 0: none
    uint64_t clamped; // values that were none, or outside of the range
} input_state;

// A number that follows an input: offset + scale times its value; input -1: offset alone.
typedef struct live_number {
    int32_t input;
    double scale, offset;
} live_number;

static inline double live_at(live_number number, const input_state* inputs) {
    return number.input < 0 ? number.offset
                            : number.offset + number.scale * inputs[number.input].value;
}

// A curve that blows start again; -1: it began with the run.
typedef struct live_start {
    double blow;    // what it is multiplied by
    uint64_t since; // samples since it began
} live_start;

static inline live_start live_since(int32_t trigger, const input_state* inputs, uint64_t sample) {
    if (trigger < 0) return (live_start){1, sample};
    const input_state* input = &inputs[trigger];
    return (live_start){input->value, sample >= input->left ? sample - input->left : 0};
}

#endif
