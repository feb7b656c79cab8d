// run and inspect: a scene with options in, a table of everything that can be known about it out.

#include "experiment.h"

#include <math.h>
#include <string.h>

#define EXPERIMENT "sistrum experiment"

static int collect(lua_State* L) {
    sis_experiment_close(luaL_checkudata(L, 1, EXPERIMENT));
    return 0;
}

// ---------------------------------------------------------------------------- fields of tables

static void set_number(lua_State* L, const char* key, double value) {
    lua_pushnumber(L, value);
    lua_setfield(L, -2, key);
}

static void set_count(lua_State* L, const char* key, uint64_t count) {
    lua_pushinteger(L, (lua_Integer)count);
    lua_setfield(L, -2, key);
}

static void set_text(lua_State* L, const char* key, const char* text) {
    lua_pushstring(L, text ? text : "");
    lua_setfield(L, -2, key);
}

/** A new vec as a field of the table on top. */
static sis_vec* set_vec(lua_State* L, const char* key, size_t count) {
    sis_vec* v = sis_vec_push(L, count);
    lua_setfield(L, -2, key);
    return v;
}

/** The value on top into the table below it, under its number and its name. */
static void set_entry(lua_State* L, int32_t i, const char* name) {
    if (name && *name) {
        lua_pushvalue(L, -1);
        lua_setfield(L, -3, name);
    }
    lua_rawseti(L, -2, i + 1);
}

// ---------------------------------------------------------------------------- bodies and links

/** partial(p): what the model rings at and the exact frequency; nothing beyond the last. */
static int partial(lua_State* L) {
    const sis_experiment* e = lua_touserdata(L, lua_upvalueindex(1));
    double rings, exact;
    if (!sis_system_partial(e->system, (int32_t)lua_tointeger(L, lua_upvalueindex(2)),
                            (int32_t)luaL_checkinteger(L, 1), &rings, &exact))
        return 0;
    lua_pushnumber(L, rings);
    lua_pushnumber(L, exact);
    return 2;
}

static void push_body(lua_State* L, const sis_experiment* e, int experiment, int32_t i) {
    sis_body_info b = sis_system_body(e->system, i);
    lua_newtable(L);
    set_text(L, "name", b.name);
    set_text(L, "kind", sis_kind_word(b.kind));
    set_number(L, "frequency", b.frequency);
    set_number(L, "margin", b.margin);
    set_count(L, "points", (uint64_t)b.points);
    set_count(L, "segments", (uint64_t)b.segments);
    set_count(L, "segments_y", (uint64_t)b.segments_y);
    set_count(L, "modes", (uint64_t)b.modes);
    set_number(L, "length", b.length);
    set_number(L, "width", b.width);
    set_number(L, "h_over_hmin", b.h_over_hmin);
    set_number(L, "gamma", b.gamma);
    set_number(L, "tension", b.tension);
    set_number(L, "density", b.density);
    set_number(L, "stiffness", b.stiffness);
    set_number(L, "used", b.used);
    set_number(L, "sigma0", b.sigma0);
    set_number(L, "sigma1", b.sigma1);
    lua_pushvalue(L, experiment);
    lua_pushinteger(L, i);
    lua_pushcclosure(L, partial, 2);
    lua_setfield(L, -2, "partial");
}

static void set_report(lua_State* L, const sis_link_report* r) {
    set_number(L, "max_penetration", r->max_penetration);
    set_number(L, "max_force", r->max_force);
    set_number(L, "min_force", r->min_force);
    set_number(L, "trapped_max", r->trapped_max);
    set_count(L, "contact_samples", r->contact_samples);
    set_count(L, "points_max", r->points_max);
    set_count(L, "iterations", r->iterations);
    set_number(L, "iterations_mean",
               r->iterated_samples ? (double)r->iterations / (double)r->iterated_samples : 0);
    set_count(L, "iterations_max", r->iterations_max);
    set_count(L, "unconverged", r->unconverged);
    set_count(L, "powers_max", r->powers_max);
    set_number(L, "lowest", r->lowest);
    set_number(L, "lowest_bound", r->lowest_bound);
    set_count(L, "complex_roots", r->complex_roots);
    set_count(L, "first_complex", r->first_complex);
    set_number(L, "discriminant", r->discriminant);
    set_count(L, "impacts", r->impacts);
    set_number(L, "drift_max", r->drift_max);
    set_count(L, "diverged", r->diverged);
}

static void push_link(lua_State* L, const sis_experiment* e, int32_t i) {
    sis_link_info k = sis_system_link(e->system, i);
    lua_newtable(L);
    set_text(L, "name", k.name);
    set_text(L, "kind", sis_kind_word(k.kind));
    set_text(L, "scheme", k.kind == SIS_KIND_CONTACT ? sis_scheme_word(k.scheme) : "");
    set_count(L, "points", (uint64_t)k.points);
    set_number(L, "weight", k.weight);
    set_number(L, "compliance", k.compliance);
    set_number(L, "mass", k.mass);
    set_number(L, "K", k.K);
    set_number(L, "alpha", k.alpha);
    set_number(L, "mu", k.mu);
    set_number(L, "gap", k.gap);
    if (!e->state) return;
    sis_link_report report = sis_state_link(e->system, e->state, i);
    set_report(L, &report);
}

/** bodies and links into the table on top. */
static void set_model(lua_State* L, const sis_experiment* e, int experiment) {
    lua_newtable(L);
    for (int32_t i = 0; i < sis_system_body_count(e->system); i++) {
        push_body(L, e, experiment, i);
        set_entry(L, i, sis_system_body(e->system, i).name);
    }
    lua_setfield(L, -2, "bodies");
    lua_newtable(L);
    for (int32_t i = 0; i < sis_system_link_count(e->system); i++) {
        push_link(L, e, i);
        set_entry(L, i, sis_system_link(e->system, i).name);
    }
    lua_setfield(L, -2, "links");
    set_number(L, "rate", sis_system_rate(e->system));
}

// ---------------------------------------------------------------------------- arrays

/** Vecs for probes and energies into the table on top. */
static void set_signals(lua_State* L, sis_experiment* e) {
    static const char* const names[7] = {"kinetic",    "elastic", "contact", "supplied",
                                         "dissipated", "total",   "residual"};
    double rate = sis_system_rate(e->system);
    uint64_t every = e->request.every;
    size_t kept = (size_t)((sis_plan_steps(&e->plan) + every - 1) / every);
    sis_vec* t = set_vec(L, "t", kept);
    for (size_t n = 0; n < kept; n++)
        t->data[n] = (double)(n * every) / rate;
    int32_t count = sis_system_probe_count(e->system);
    // An array of pointers. NOLINTNEXTLINE(bugprone-sizeof-expression)
    e->probes = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *e->probes, 0);
    lua_setfield(L, -2, "arrays"); // keeps it alive
    lua_newtable(L);
    for (int32_t p = 0; p < count; p++) {
        e->probes[p] = sis_vec_push(L, kept);
        set_entry(L, p, sis_system_probe(e->system, p).name);
    }
    lua_setfield(L, -2, "probes");
    if (!e->request.energy || e->request.unaudited) return;
    lua_newtable(L);
    for (int i = 0; i < 7; i++)
        e->energy[i] = set_vec(L, names[i], kept);
    sis_vec* half = set_vec(L, "t", kept);
    for (size_t n = 0; n < kept; n++)
        half->data[n] = ((double)(n * every) + 0.5) / rate;
    lua_setfield(L, -2, "energy");
}

/** A shot that hangs on the table on top. */
static sis_shot* new_shot(lua_State* L, sis_experiment* e, int32_t time) {
    sis_shot* shot = lua_newuserdatauv(L, sizeof *shot, 0);
    lua_setfield(L, -2, "shot");
    *shot = (sis_shot){.time = time, .body = -1, .next = e->shots};
    e->shots = shot;
    return shot;
}

static void push_body_shape(lua_State* L, sis_experiment* e, int32_t time, int32_t i) {
    sis_body_info b = sis_system_body(e->system, i);
    lua_newtable(L);
    sis_shot* shot = new_shot(L, e, time);
    shot->body = i;
    shot->u = set_vec(L, "u", (size_t)b.points);
    bool plate = b.kind == SIS_KIND_PLATE;
    size_t along = plate ? (size_t)b.segments + 1 : (size_t)b.points;
    sis_vec* x = set_vec(L, "x", along);
    for (size_t j = 0; j < along; j++)
        x->data[j] = sis_system_place(e->system, i, (int32_t)j);
    if (!plate) return;
    sis_vec* y = set_vec(L, "y", (size_t)b.segments_y + 1);
    for (size_t j = 0; j < y->count; j++)
        y->data[j] = (double)j * b.width / b.segments_y;
}

static void push_contact_shape(lua_State* L, sis_experiment* e, int32_t time, int32_t i) {
    sis_link_info k = sis_system_link(e->system, i);
    size_t count = (size_t)k.points;
    lua_newtable(L);
    sis_shot* shot = new_shot(L, e, time);
    shot->link = i;
    shot->eta = set_vec(L, "eta", count);
    shot->force = set_vec(L, "force", count);
    sis_vec* x = set_vec(L, "x", count);
    sis_vec* height = set_vec(L, "height", count);
    for (size_t j = 0; j < count; j++) {
        sis_contact_point point = sis_system_contact_point(e->system, i, (int32_t)j);
        x->data[j] = isnan(point.at_above) ? point.at_below : point.at_above;
        height->data[j] = point.height;
    }
}

/** Room for the shapes at all times, into the table on top. */
static void set_shapes(lua_State* L, sis_experiment* e) {
    double rate = sis_system_rate(e->system);
    lua_newtable(L);
    for (int32_t n = 0; n < e->request.time_count; n++) {
        double step = round(e->request.times[n] * rate);
        if (!(step < (double)sis_plan_steps(&e->plan)))
            luaL_error(L, "run: %f s is after the end of the run", e->request.times[n]);
        e->steps[n] = (uint64_t)step;
        if (n && e->steps[n] == e->steps[n - 1])
            luaL_error(L, "run: two times of shapes fall on one step");
        lua_newtable(L);
        set_number(L, "t", (double)e->steps[n] / rate);
        lua_newtable(L);
        for (int32_t i = 0; i < sis_system_body_count(e->system); i++) {
            push_body_shape(L, e, n, i);
            set_entry(L, i, sis_system_body(e->system, i).name);
        }
        lua_setfield(L, -2, "bodies");
        lua_newtable(L);
        for (int32_t i = 0; i < sis_system_link_count(e->system); i++) {
            push_contact_shape(L, e, n, i);
            set_entry(L, i, sis_system_link(e->system, i).name);
        }
        lua_setfield(L, -2, "contacts");
        lua_rawseti(L, -2, n + 1);
    }
    lua_setfield(L, -2, "shapes");
}

// ---------------------------------------------------------------------------- the words

/** The scene is one of the sources of this item. */
static void note_scene(lua_State* L, const char* scene) {
    json_t* result = sis_lab_of(L)->result;
    json_t* scenes = json_object_get(result, "scenes");
    size_t i;
    json_t* known;
    if (strchr(scene, '\n')) {
        json_object_set_new(result, "inside", json_true());
        return;
    }
    json_array_foreach(scenes, i, known) if (!strcmp(json_string_value(known), scene)) return;
    json_array_append_new(scenes, json_string(scene));
}

/** The failure as a table with its sentence, or as an error. */
static int fail(lua_State* L, const sis_experiment* e, const sis_fault* fault) {
    if (!e->request.may_fail) return luaL_error(L, "%s", fault->text);
    lua_newtable(L);
    set_text(L, "failed", fault->text);
    return 1;
}

/** Reads the arguments and compiles; false: the result of the word is on top. */
static sis_experiment* prepare(lua_State* L, const char* word, bool* ready) {
    const sis_lab* lab = sis_lab_after_about(L, word);
    lua_settop(L, 2);
    sis_experiment* e = lua_newuserdatauv(L, sizeof *e, 0);
    memset(e, 0, sizeof *e);
    luaL_setmetatable(L, EXPERIMENT);
    sis_request_read(L, &e->request);
    note_scene(L, e->request.scene);
    sis_fault fault = {.kind = SIS_FAULT_NONE};
    *ready = sis_experiment_prepare(e, lab->study, &fault);
    if (!*ready) fail(L, e, &fault);
    return e;
}

static int inspect(lua_State* L) {
    bool ready;
    sis_experiment* e = prepare(L, "inspect", &ready);
    if (!ready) return 1;
    lua_newtable(L);
    set_model(L, e, 3);
    return 1;
}

static int run(lua_State* L) {
    bool ready;
    sis_experiment* e = prepare(L, "run", &ready);
    if (!ready) return 1;
    sis_fault fault = {.kind = SIS_FAULT_NONE};
    lua_newtable(L);
    set_signals(L, e);
    set_shapes(L, e);
    if (!sis_experiment_go(e, &fault)) return fail(L, e, &fault);
    set_model(L, e, 3);
    set_count(L, "steps", e->run.done);
    set_number(L, "seconds", e->run.seconds);
    set_number(L, "ns", 1e9 * e->run.seconds / (double)e->run.done);
    set_number(L, "balance", sis_balance_residual(&e->balance));
    return 1;
}

// ---------------------------------------------------------------------------- closed forms

static double required(lua_State* L, const char* key) {
    if (lua_getfield(L, 1, key) != LUA_TNUMBER) luaL_error(L, "impact: %s must be a number", key);
    double value = lua_tonumber(L, -1);
    lua_pop(L, 1);
    return value;
}

static int depth(lua_State* L) {
    const sis_impact* hit = lua_touserdata(L, lua_upvalueindex(1));
    lua_pushnumber(L, sis_impact_depth(hit, luaL_checknumber(L, 1)));
    return 1;
}

static int impact(lua_State* L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    sis_impact* hit = lua_newuserdatauv(L, sizeof *hit, 0);
    *hit = (sis_impact){.mass = required(L, "mass"),
                        .K = required(L, "K"),
                        .alpha = required(L, "alpha"),
                        .mu = required(L, "mu"),
                        .speed = required(L, "speed")};
    lua_newtable(L);
    set_number(L, "exit_speed", sis_impact_exit_speed(hit));
    set_number(L, "exit_speed_fit", sis_impact_exit_speed_fit(hit));
    set_number(L, "max_depth", sis_impact_max_depth(hit));
    set_number(L, "restitution", sis_impact_restitution(hit));
    set_number(L, "duration", sis_impact_duration(hit));
    lua_pushvalue(L, -2);
    lua_pushcclosure(L, depth, 1);
    lua_setfield(L, -2, "depth");
    return 1;
}

static int root_limit(lua_State* L) {
    static const char* const words[] = {"one-sided", "two-sided", "centre-limited", NULL};
    static const sis_law laws[] = {SIS_LAW_ONE_SIDED, SIS_LAW_TWO_SIDED, SIS_LAW_CENTRE_LIMITED};
    double s = luaL_checknumber(L, 1);
    lua_pushnumber(L, sis_root_limit(s, laws[luaL_checkoption(L, 2, "one-sided", words)]));
    return 1;
}

void sis_run_open(lua_State* L) {
    luaL_newmetatable(L, EXPERIMENT);
    lua_pushcfunction(L, collect);
    lua_setfield(L, -2, "__gc");
    lua_pop(L, 1);
    lua_register(L, "run", run);
    lua_register(L, "inspect", inspect);
    lua_register(L, "impact", impact);
    lua_register(L, "root_limit", root_limit);
}
