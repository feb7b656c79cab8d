#include "experiment.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT_MOST 1000000000 // of every and oversample

// ---------------------------------------------------------------------------- what is asked for

static void read_settings(lua_State* L, sis_request* request, int index) {
    luaL_checktype(L, index, LUA_TTABLE);
    lua_pushnil(L);
    while (lua_next(L, index)) {
        if (lua_type(L, -2) != LUA_TSTRING || lua_type(L, -1) != LUA_TNUMBER)
            luaL_error(L, "run: set must be a table of names and numbers");
        if (request->setting_count == SIS_SETTINGS_MOST)
            luaL_error(L, "run: more than %d settings", SIS_SETTINGS_MOST);
        request->settings[request->setting_count++] =
            (sis_setting){lua_tostring(L, -2), lua_tonumber(L, -1)};
        lua_pop(L, 1);
    }
}

static void read_times(lua_State* L, sis_request* request, int index) {
    luaL_checktype(L, index, LUA_TTABLE);
    request->time_count = (int32_t)lua_rawlen(L, index);
    if (request->time_count > SIS_SHAPES_MOST)
        luaL_error(L, "run: more than %d times of shapes", SIS_SHAPES_MOST);
    for (int32_t i = 0; i < request->time_count; i++) {
        lua_rawgeti(L, index, i + 1);
        request->times[i] = luaL_checknumber(L, -1);
        if (!(request->times[i] >= 0) || (i && !(request->times[i] > request->times[i - 1])))
            luaL_error(L, "run: times of shapes must be >= 0 and increase");
        lua_pop(L, 1);
    }
}

static sis_scheme read_scheme(lua_State* L, int index) {
    const char* word = luaL_checkstring(L, index);
    for (int i = 0; i < SIS_SCHEME_COUNT; i++)
        if (!strcmp(word, sis_scheme_word((sis_scheme)i))) return (sis_scheme)i;
    return (sis_scheme)luaL_error(L, "run: there is no scheme '%s'", word);
}

/** A number; NaN is none, it stands for what the scene says. */
static double read_number(lua_State* L, const char* key, int index) {
    double value = luaL_checknumber(L, index);
    if (!isfinite(value)) luaL_error(L, "run: %s must be a finite number", key);
    return value;
}

static double read_count(lua_State* L, const char* key, int index) {
    double value = luaL_checknumber(L, index);
    if (!(value >= 1 && value <= COUNT_MOST) || value != floor(value))
        luaL_error(L, "run: %s is %f; it must be a whole number from 1 to %d", key, value,
                   COUNT_MOST);
    return value;
}

static void read_option(lua_State* L, sis_request* request, const char* key, int index) {
    if (!strcmp(key, "set"))
        read_settings(L, request, index);
    else if (!strcmp(key, "shapes"))
        read_times(L, request, index);
    else if (!strcmp(key, "scheme"))
        request->scheme = read_scheme(L, index);
    else if (!strcmp(key, "rate"))
        request->rate = read_number(L, key, index);
    else if (!strcmp(key, "oversample"))
        request->oversample = read_count(L, key, index);
    else if (!strcmp(key, "duration"))
        request->duration = read_number(L, key, index);
    else if (!strcmp(key, "every"))
        request->every = (uint64_t)read_count(L, key, index);
    else if (!strcmp(key, "energy"))
        request->energy = lua_toboolean(L, index);
    else if (!strcmp(key, "unaudited"))
        request->unaudited = lua_toboolean(L, index);
    else if (!strcmp(key, "lenient"))
        request->lenient = lua_toboolean(L, index);
    else if (!strcmp(key, "may_fail"))
        request->may_fail = lua_toboolean(L, index);
    else
        luaL_error(L, "run: unknown option '%s'", key);
}

void sis_request_read(lua_State* L, sis_request* request) {
    *request = (sis_request){.scene = luaL_checkstring(L, 1),
                             .scheme = SIS_SCHEME_AS_GIVEN,
                             .rate = NAN,
                             .oversample = NAN,
                             .duration = NAN,
                             .every = 1};
    if (lua_isnoneornil(L, 2)) return;
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_pushnil(L);
    while (lua_next(L, 2)) {
        if (lua_type(L, -2) != LUA_TSTRING) luaL_error(L, "run: options have names");
        read_option(L, request, lua_tostring(L, -2), lua_gettop(L));
        lua_pop(L, 1);
    }
}

// ---------------------------------------------------------------------------- loading

static bool load(sis_experiment* e, const sis_study* study, sis_fault* fault) {
    const sis_request* request = &e->request;
    sis_script_error error = {.status = SIS_SCRIPT_WRONG};
    if (strchr(request->scene, '\n')) {
        e->script = sis_script_load_text(request->scene, strlen(request->scene), "[scene]",
                                         request->settings, request->setting_count, &error);
    } else {
        char path[4096];
        int length = snprintf(path, sizeof path, "%s/scenes/%s.lua", study->root, request->scene);
        if (length < 0 || (size_t)length >= sizeof path)
            return sis_fault_set(fault, SIS_FAULT_RUN, "the name of the scene is too long");
        e->script = sis_script_load(path, request->settings, request->setting_count, &error);
    }
    bool starved = error.status == SIS_SCRIPT_NO_MEMORY;
    return e->script ||
           sis_fault_set(fault, starved ? SIS_FAULT_RUN : SIS_FAULT_SCENE, "%s", error.text);
}

/** What was asked for, or what the scene says. */
static double either(double asked, double scene) {
    return isnan(asked) ? scene : asked;
}

bool sis_experiment_prepare(sis_experiment* e, const sis_study* study, sis_fault* fault) {
    const sis_request* request = &e->request;
    if (!load(e, study, fault)) return false;
    sis_render_def render = sis_scene_render(sis_script_scene(e->script));
    if (!sis_plan_make(either(request->rate, render.rate),
                       (int32_t)either(request->oversample, render.oversample),
                       either(request->duration, render.duration), &e->plan, fault))
        return false;
    sis_options how = {.rate = sis_plan_step_rate(&e->plan),
                       .scheme = request->scheme,
                       .unaudited = request->unaudited};
    sis_error error = {.status = SIS_REFUSED};
    e->system = sis_compile(sis_script_scene(e->script), &how, &error);
    if (e->system) return true;
    sis_script_error wrong;
    sis_script_locate(e->script, &error, &wrong);
    bool starved = error.status == SIS_NO_MEMORY;
    return sis_fault_set(fault, starved ? SIS_FAULT_RUN : SIS_FAULT_SCENE, "%s", wrong.text);
}

// ---------------------------------------------------------------------------- running

static void keep_energy(sis_experiment* e, const sis_energy* energy, uint64_t step) {
    sis_balance_add(&e->balance, energy, 1);
    if (!e->energy[0] || step % e->request.every) return;
    const double values[7] = {energy->kinetic,  energy->elastic,    energy->contact,
                              energy->supplied, energy->dissipated, energy->total,
                              energy->residual};
    for (int i = 0; i < 7; i++)
        e->energy[i]->data[step / e->request.every] = values[i];
}

static void take_shots(sis_experiment* e, const sis_frames* frames) {
    uint64_t last = frames->first + (uint64_t)frames->count - 1;
    for (sis_shot* shot = e->shots; shot; shot = shot->next) {
        if (e->steps[shot->time] != last) continue;
        if (shot->body >= 0)
            sis_state_shape(frames->system, frames->state, shot->body, shot->u->data);
        else
            sis_state_contact(frames->system, frames->state, shot->link, shot->eta->data,
                              shot->force->data);
    }
}

static bool take(void* self, const sis_frames* frames, sis_fault* fault) {
    (void)fault;
    sis_experiment* e = self;
    for (int32_t n = 0; n < frames->count; n++) {
        uint64_t step = frames->first + (uint64_t)n;
        if (frames->energy) keep_energy(e, &frames->energy[n], step);
        if (step % e->request.every) continue;
        const double* row = frames->probes + (size_t)n * (size_t)frames->probe_count;
        for (int32_t p = 0; p < frames->probe_count; p++)
            e->probes[p]->data[step / e->request.every] = row[p];
    }
    take_shots(e, frames);
    return true;
}

/** A block ends with each step whose shapes are wanted. */
static uint64_t next_cut(const void* self, uint64_t step) {
    const sis_experiment* e = self;
    for (int32_t i = 0; i < e->request.time_count; i++)
        if (e->steps[i] >= step) return e->steps[i] + 1;
    return step + SIS_FRAMES_MAX;
}

bool sis_experiment_go(sis_experiment* e, sis_fault* fault) {
    e->state = sis_run_state(e->system, fault);
    if (!e->state) return false;
    sis_energy start = sis_state_energy(e->system, e->state);
    if (!e->request.unaudited) sis_balance_add(&e->balance, &start, 1);
    sis_sink sink = {.self = e, .take = take, .next_cut = next_cut};
    e->run = (sis_run){.system = e->system,
                       .state = e->state,
                       .steps = sis_plan_steps(&e->plan),
                       .sinks = &sink,
                       .sink_count = 1,
                       .lenient = e->request.lenient,
                       .unaudited = e->request.unaudited};
    bool done = sis_run_go(&e->run, fault);
    e->run.sinks = NULL;
    return done;
}

void sis_experiment_close(sis_experiment* e) {
    free(e->state);
    sis_system_free(e->system);
    sis_script_free(e->script);
    e->state = NULL;
    e->system = NULL;
    e->script = NULL;
}
