// How much a scene may use before it is refused. Not installed; tests sweep the limits.
#ifndef SISTRUM_BUDGET_H
#define SISTRUM_BUDGET_H

#include "script.h"

typedef struct sis_limits {
    size_t memory;    // bytes held by Lua
    size_t text;      // bytes of one Lua string, so that no single string operation takes long
    uint64_t work;    // Lua instructions, plus one for each element a library function touches
    double seconds;   // s of CPU time, in case single instructions are slow
    int64_t elements; // that one call of a table function may run over
    int32_t points;   // of all envelopes and lists of the scene together
    int32_t params;
    uint64_t height_work;  // instructions of one call of a height function
    double height_seconds; // s of CPU time of one call
    uint64_t cheap_work;   // a call of no more than this is free; what others take is added up,
    double cheap_seconds;  // s, and all of it together may be `work` and `seconds` once more
} sis_limits;

extern const sis_limits sis_limits_default;

/** sis_script_load_text with other limits. [setup] */
sis_script* sis_script_load_limited(const char* text, size_t size, const char* name,
                                    const sis_setting* settings, int32_t count,
                                    const sis_limits* limits, sis_script_error* error);

#endif
