// Values of params: between the host's numbers and the scene's, and to the instrument.
#include "clap_player.h"

#include "sistrum/elementary.h"

#include <math.h>

double clap_param_plain(const clap_param* param, double value) {
    return param->logarithmic ? sis_log10(value) : value;
}

double clap_param_plain_min(const clap_param* param) {
    return clap_param_plain(param, param->min);
}

double clap_param_plain_max(const clap_param* param) {
    return clap_param_plain(param, param->max);
}

static double hold(const clap_param* param, double value) {
    if (value < param->min) return param->min;
    return value > param->max ? param->max : value;
}

/** Ends, default and the value of now come back to the last bit: a host that sends what it was told
 * moves nothing. */
double clap_param_value(const clap_param* param, double plain) {
    if (!param->logarithmic) {
        bool whole = param->kind != PARAM_KNOB && param->kind != PARAM_GAIN;
        return hold(param, whole ? trunc(plain) : plain);
    }
    const double exact[] = {param->min, param->max, param->fallback, atomic_load(&param->value)};
    for (int i = 0; i < 4; i++)
        if (plain == sis_log10(exact[i])) return exact[i];
    return hold(param, sis_power(10, plain));
}

bool clap_param_take(clap_param* param, double plain, double* value) {
    if (isnan(plain)) return false;
    double before = atomic_load(&param->value);
    double now = clap_param_value(param, plain);
    atomic_store(&param->value, now);
    *value = now;
    if (param->offset != 0) // NOLINTNEXTLINE: exact
        *value = clap_param_value(param, clap_param_plain(param, now) + param->offset);
    // A blow is the way from 0 to another value: a host may send the same value again.
    return !param->trigger || (before == 0 && now != 0);
}

/** Limiter and DC blocker as they are set; the guard is for live playing, offline it rests. */
static void protect(clap_player* p) {
    bool on[2] = {true, true};
    for (int32_t i = 0; i < p->param_count; i++) {
        double value = atomic_load(&p->params[i].value);
        if (p->params[i].kind == PARAM_LIMITER) on[0] = value != 0;
        if (p->params[i].kind == PARAM_DC_BLOCKER) on[1] = value != 0;
    }
    sis_live_protect(p->live, true, on[0], on[1]);
}

void clap_param_apply(clap_player* p, clap_param* param, double value) {
    switch (param->kind) {
    case PARAM_KNOB: {
        int32_t index = atomic_load(&param->index);
        if (atomic_load(&p->exchanging))
            atomic_store(&param->moved, true);
        else if (index >= 0)
            sis_live_knob_set(p->live, index, value);
        break;
    }
    case PARAM_GAIN:
        sis_live_gain(p->live, value == 0 ? 1 : sis_power(10, value / 20));
        break;
    case PARAM_LIMITER:
    case PARAM_DC_BLOCKER:
        protect(p);
        break;
    case PARAM_NORMALISE:
        atomic_store(&p->normalise_wanted, value != 0 ? 2 : 1);
        break;
    case PARAM_PRESET:
        atomic_store(&p->preset_wanted, (int32_t)value);
        break;
    }
}

// ---------------------------------------------------------------------------- flush

/** [main] does at once what only it may do, [audio] asks for it. */
static bool is_main(const clap_player* p) {
    if (p->host_threads && p->host_threads->is_main_thread && p->active)
        return p->host_threads->is_main_thread(p->host);
    return !p->active;
}

static void flush_one(clap_player* p, const clap_event_header_t* header) {
    if (!header || header->space_id != CLAP_CORE_EVENT_SPACE_ID ||
        header->type != CLAP_EVENT_PARAM_VALUE || header->size < sizeof(clap_event_param_value_t))
        return;
    const clap_event_param_value_t* event = (const clap_event_param_value_t*)(const void*)header;
    clap_param* param = clap_params_get(p, event->param_id, event->cookie);
    double value = 0;
    if (param && clap_param_take(param, event->value, &value)) clap_param_apply(p, param, value);
}

void clap_params_flush(const clap_plugin_t* plugin, const clap_input_events_t* in,
                       const clap_output_events_t* out) {
    (void)out;
    clap_player* p = clap_player_of(plugin);
    if (!p->live) return;
    uint32_t count = in && in->size ? in->size(in) : 0;
    for (uint32_t i = 0; i < count; i++)
        flush_one(p, in->get(in, i));
    if (is_main(p))
        clap_player_catch_up(p);
    else
        clap_player_ask_main(p);
}
