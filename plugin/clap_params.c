// The list of params: those of the plugin itself, then the knobs of the scene.
#include "clap_player.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------- the list

/** FNV-1a: a number that depends on nothing but the name. */
static clap_id number_of(const char* name) {
    uint32_t hash = 2166136261u;
    for (; *name; name++)
        hash = (hash ^ (uint8_t)*name) * 16777619u;
    return hash == CLAP_INVALID_ID ? 0 : hash;
}

typedef struct param_list {
    clap_param* all;
    int32_t count;
} param_list;

static clap_param* add(param_list* list, param_kind kind, const char* key, const char* name) {
    clap_param* param = &list->all[list->count++];
    *param = (clap_param){.kind = kind};
    snprintf(param->key, sizeof param->key, "%s", key);
    snprintf(param->name, sizeof param->name, "%s", name);
    atomic_init(&param->index, -1);
    return param;
}

static void add_own(param_list* list, param_kind kind, const char* name, const char* unit,
                    const double range[3]) {
    char key[64];
    snprintf(key, sizeof key, "/%s", name); // no name of a scene begins so
    clap_param* param = add(list, kind, key, name);
    param->id = number_of(key);
    snprintf(param->unit, sizeof param->unit, "%s", unit);
    param->min = range[0];
    param->max = range[1];
    param->fallback = range[2];
    atomic_init(&param->value, range[2]);
}

/** What a host shows: the label as far as its first comma, with a capital. */
static void show(clap_param* param, const sis_live_knob* knob) {
    const char* label = knob->label && *knob->label ? knob->label : knob->name;
    snprintf(param->name, sizeof param->name, "%.*s", (int)strcspn(label, ",;"), label);
    if (param->name[0] >= 'a' && param->name[0] <= 'z') param->name[0] -= 'a' - 'A';
}

static void add_knob(param_list* list, const sis_live_knob* knob, int32_t index) {
    clap_param* param = add(list, PARAM_KNOB, knob->name, "");
    show(param, knob);
    for (int32_t i = 0; i + 1 < list->count; i++)
        if (!strcmp(list->all[i].name, param->name))
            snprintf(param->name, sizeof param->name, "%s (%s)", list->all[i].name, param->key);
    snprintf(param->unit, sizeof param->unit, "%s", knob->unit ? knob->unit : "");
    param->id = number_of(knob->name);
    param->min = knob->trigger && knob->min > 0 ? 0 : knob->min;
    param->max = knob->max;
    param->logarithmic = knob->logarithmic && knob->min > 0 && !knob->trigger;
    param->trigger = knob->trigger;
    param->input = knob->input;
    param->fallback = knob->trigger ? 0 : knob->fallback;
    atomic_init(&param->index, index);
    atomic_init(&param->value, knob->trigger ? 0 : knob->value);
}

static bool is_taken(const param_list* list, int32_t i) {
    for (int32_t k = 0; k < i; k++)
        if (list->all[k].id == list->all[i].id) return true;
    return list->all[i].id == CLAP_INVALID_ID;
}

static param_list list_of(const clap_player* p) {
    int32_t knobs = sis_live_knob_count(p->live), presets = sis_live_preset_count(p->live);
    param_list list = {.all = calloc((size_t)knobs + 5, sizeof(clap_param))};
    if (!list.all) return list;
    for (int32_t i = 0; i < knobs; i++) {
        sis_live_knob knob = sis_live_knob_at(p->live, i);
        if (knob.name) add_knob(&list, &knob, i);
    }
    if (presets > 0) add_own(&list, PARAM_PRESET, "Preset", "", (double[]){0, presets, 0});
    add_own(&list, PARAM_GAIN, "Gain", "dB", (double[]){-60, 24, 0});
    add_own(&list, PARAM_LIMITER, "Limiter", "", (double[]){0, 1, 1});
    add_own(&list, PARAM_DC_BLOCKER, "DC blocker", "", (double[]){0, 1, 1});
    add_own(&list, PARAM_NORMALISE, "Normalise", "", (double[]){0, 1, 1});
    for (int32_t i = 0; i < list.count; i++)
        while (is_taken(&list, i))
            list.all[i].id++;
    return list;
}

void clap_params_free(clap_player* p) {
    free(p->params);
    p->params = NULL;
    p->param_count = 0;
}

/** What the plugin itself has goes from list to list. */
static void keep_own(const clap_player* p, param_list* list) {
    for (int32_t i = 0; i < list->count; i++) {
        const clap_param* old =
            list->all[i].kind == PARAM_KNOB ? NULL : clap_params_get(p, list->all[i].id, NULL);
        if (old) atomic_store(&list->all[i].value, atomic_load(&old->value));
    }
}

bool clap_params_read(clap_player* p) {
    param_list list = list_of(p);
    if (!list.all) return false;
    keep_own(p, &list);
    clap_params_free(p);
    p->params = list.all;
    p->param_count = list.count;
    return true;
}

bool clap_params_fit(const clap_player* p) {
    param_list list = list_of(p);
    bool fits = list.all && list.count == p->param_count;
    for (int32_t i = 0; fits && i < list.count; i++) {
        const clap_param *a = &list.all[i], *b = &p->params[i];
        fits = a->id == b->id && a->min == b->min && a->max == b->max &&
               a->fallback == b->fallback && a->logarithmic == b->logarithmic &&
               a->trigger == b->trigger && a->input == b->input && !strcmp(a->name, b->name) &&
               !strcmp(a->unit, b->unit);
    }
    free(list.all);
    return fits;
}

void clap_params_follow(clap_player* p) {
    for (int32_t i = 0; i < p->param_count; i++) {
        clap_param* param = &p->params[i];
        if (param->kind != PARAM_KNOB) continue;
        int32_t index = sis_live_knob_find(p->live, param->key);
        atomic_store(&param->index, index);
        if (index < 0 || atomic_load(&param->moved)) continue;
        double value = param->trigger ? 0 : sis_live_knob_at(p->live, index).value;
        atomic_store(&param->value, value);
    }
}

clap_param* clap_params_get(const clap_player* p, clap_id id, const void* cookie) {
    uintptr_t at = (uintptr_t)cookie;
    if (at > 0 && at <= (uintptr_t)p->param_count && p->params[at - 1].id == id)
        return &p->params[at - 1];
    for (int32_t i = 0; i < p->param_count; i++)
        if (p->params[i].id == id) return &p->params[i];
    return NULL;
}

// ---------------------------------------------------------------------------- what the host asks

static uint32_t CLAP_ABI count(const clap_plugin_t* plugin) {
    return (uint32_t)clap_player_of(plugin)->param_count;
}

static uint32_t flags_of(const clap_param* param) {
    // What [main] has to do cannot be at the very frame.
    if (param->kind == PARAM_PRESET || param->kind == PARAM_NORMALISE) return CLAP_PARAM_IS_STEPPED;
    if (param->kind != PARAM_KNOB && param->kind != PARAM_GAIN)
        return CLAP_PARAM_IS_STEPPED | CLAP_PARAM_IS_AUTOMATABLE;
    uint32_t flags = CLAP_PARAM_IS_AUTOMATABLE;
    if (param->input && !param->trigger) flags |= CLAP_PARAM_IS_MODULATABLE;
    return flags;
}

static const char* module_of(const clap_param* param) {
    if (param->kind == PARAM_PRESET) return "";
    if (param->kind != PARAM_KNOB) return "Output";
    if (param->trigger) return "Blows";
    return param->input ? "Gestures" : "Instrument";
}

static bool CLAP_ABI get_info(const clap_plugin_t* plugin, uint32_t index,
                              clap_param_info_t* info) {
    const clap_player* p = clap_player_of(plugin);
    if (index >= (uint32_t)p->param_count || !info) return false;
    const clap_param* param = &p->params[index];
    *info = (clap_param_info_t){
        .id = param->id,
        .flags = flags_of(param),
        .cookie = (void*)((uintptr_t)index + 1), // checked against the id: an old one does no harm
        .min_value = clap_param_plain_min(param),
        .max_value = clap_param_plain_max(param),
        .default_value = clap_param_plain(param, param->fallback),
    };
    snprintf(info->name, sizeof info->name, "%s", param->name);
    snprintf(info->module, sizeof info->module, "%s", module_of(param));
    return true;
}

static bool CLAP_ABI get_value(const clap_plugin_t* plugin, clap_id id, double* value) {
    const clap_param* param = clap_params_get(clap_player_of(plugin), id, NULL);
    if (!param || !value) return false;
    *value = clap_param_plain(param, atomic_load(&param->value));
    return true;
}

static bool CLAP_ABI value_to_text(const clap_plugin_t* plugin, clap_id id, double value,
                                   char* text, uint32_t room) {
    const clap_player* p = clap_player_of(plugin);
    const clap_param* param = clap_params_get(p, id, NULL);
    return param && text && room && clap_param_write(p, param, value, text, room);
}

static bool CLAP_ABI text_to_value(const clap_plugin_t* plugin, clap_id id, const char* text,
                                   double* value) {
    const clap_player* p = clap_player_of(plugin);
    const clap_param* param = clap_params_get(p, id, NULL);
    return param && text && value && clap_param_parse(p, param, text, value);
}

const clap_plugin_params_t clap_params_extension = {
    count, get_info, get_value, value_to_text, text_to_value, clap_params_flush,
};
