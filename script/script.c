// Loading a scene: text -> Lua state -> run -> scene, params and inputs. The Lua state lives on with
// the script only where sis_compile has to call functions of the scene: the heights of barriers.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decimal_point.h"
#include "loader.h"
#include "scene_file.h"

static void fail(sis_script_error* error, const char* name, int line, const char* sentence) {
    sis_loader_tell(error, SIS_SCRIPT_WRONG, name, line, sentence);
}

static void starve(sis_script_error* error, const char* name) {
    sis_loader_tell(error, SIS_SCRIPT_NO_MEMORY, name, 0, "there is no memory left for the scene");
}

// The end of a long name tells more than its beginning, and the reason must fit behind it.
static void keep_name(const char* name, char* kept, size_t room) {
    char clean[4096];
    size_t length = sis_clean(name, clean, sizeof clean), most = room - 1;
    const char* end = clean;
    if (length >= sizeof clean) length = strlen(clean);
    if (length > most) {
        end += length - (most - 3);
        while (((unsigned char)*end & 0xC0) == 0x80) // not in the middle of a letter
            end++;
    }
    snprintf(kept, room, "%s%s", end == clean ? "" : "...", end);
}

// ---------------------------------------------------------------------------- the text

// Steps over a byte order mark and a first line "#!...", whose line break stays so that lines
// count.
static void skip_head(const char** text, size_t* size) {
    if (*size >= 3 && memcmp(*text, "\xEF\xBB\xBF", 3) == 0) {
        *text += 3;
        *size -= 3;
    }
    if (*size == 0 || **text != '#') return;
    while (*size > 0 && **text != '\n' && **text != '\r') {
        ++*text;
        --*size;
    }
}

// Precompiled chunks can crash Lua, and a zero byte is in no text.
static bool is_text(const char* text, size_t size, const char* name, sis_script_error* error) {
    const char* zero = size ? memchr(text, '\0', size) : NULL;
    if (size && text[0] == LUA_SIGNATURE[0]) {
        fail(error, name, 0, "it is compiled Lua; a scene is text");
        return false;
    }
    if (!zero) return true;
    int line = 1;
    for (const char* c = text; c < zero; c++)
        line += *c == '\n';
    fail(error, name, line, "there is a zero byte; a scene is text");
    return false;
}

// ---------------------------------------------------------------------------- running it

// Everything that can fail inside Lua, in one protected call.
static int run(lua_State* L) {
    sis_loader* loader = sis_loader_of(L);
    sis_loader_open(L);
    lua_settop(L, 0);
    sis_loader_parse(L, loader->text, loader->left, "=" SIS_SOURCE);
    sis_loader_watch(L);
    lua_call(L, 0, 0);
    if (loader->profiles > 0) lua_gc(L, LUA_GCCOLLECT); // what stays is what heights need
    return 0;
}

static void close_lua(sis_loader* loader) {
    if (loader->lua) lua_close(loader->lua);
    loader->lua = NULL;
}

static bool run_scene(sis_loader* loader, sis_script_error* error) {
    const char* name = loader->script->name;
    lua_State* L = loader->lua = lua_newstate(sis_loader_allocate, loader);
    if (!L && loader->refusals > 0)
        fail(error, name, 0, "the scene may not have memory enough to begin");
    else if (!L)
        starve(error, name);
    if (!L) return false;
    *(sis_loader**)lua_getextraspace(L) = loader;
    lua_pushcfunction(L, sis_loader_note_line);
    lua_pushcfunction(L, run);
    int status = lua_pcall(L, 0, 0, 1);
    if (status != LUA_OK) sis_loader_explain(L, loader, status, name, error);
    lua_settop(L, 0);
    loader->finished = true;
    if (loader->profiles == 0) close_lua(loader);
    return status == LUA_OK;
}

static bool load(sis_loader* loader, sis_script_error* error) {
    const char* name = loader->script->name;
    skip_head(&loader->text, &loader->left);
    if (!is_text(loader->text, loader->left, name, error)) return false;
    sis_loader_allow(loader, loader->limits.work, loader->limits.seconds);
    if (!run_scene(loader, error)) return false;
    if (sis_scene_count(loader->script->scene) == 0) {
        fail(error, name, 0, "the scene is empty");
        return false;
    }
    sis_sentence why = {.length = 0};
    const char* key = "";
    if (!sis_loader_play_known(loader->script, &key, &why)) {
        fail(error, name, loader->script->play.line, why.text);
        snprintf(error->object, sizeof error->object, "play");
        snprintf(error->key, sizeof error->key, "%s", key);
        return false;
    }
    if (!sis_loader_presets_known(loader->script, error)) return false;
    return sis_loader_settings_known(loader, error);
}

// ---------------------------------------------------------------------------- public

sis_script* sis_script_load_limited(const char* text, size_t size, const char* name,
                                    const sis_setting* settings, int32_t count,
                                    const sis_limits* limits, sis_script_error* error) {
    sis_script_error unwanted;
    if (!error) error = &unwanted;
    *error = (sis_script_error){.status = SIS_SCRIPT_OK};
    sis_script* script = calloc(1, sizeof *script);
    if (script) keep_name(name ? name : "scene", script->name, sizeof script->name);
    if (script) script->scene = sis_scene_new();
    if (!script || !script->scene) {
        sis_script_free(script);
        starve(error, "scene");
        return NULL;
    }
    script->loader = (sis_loader){
        .script = script,
        .height_of = SIS_NONE,
        .settings = settings,
        .setting_count = settings && count > 0 ? count : 0,
        .limits = *limits,
        .status = SIS_SCRIPT_WRONG,
        .text = text ? text : "",
        .left = text ? size : 0,
    };
    sis_decimal_point point = sis_decimal_point_begin();
    bool loaded = load(&script->loader, error);
    sis_decimal_point_end(point);
    script->loader.settings = NULL; // the caller's, as the text is
    script->loader.text = NULL;
    if (loaded) return script;
    sis_script_free(script);
    return NULL;
}

sis_script* sis_script_load_text(const char* text, size_t size, const char* name,
                                 const sis_setting* settings, int32_t count,
                                 sis_script_error* error) {
    return sis_script_load_limited(text, size, name, settings, count, &sis_limits_default, error);
}

sis_script* sis_script_load(const char* path, const sis_setting* settings, int32_t count,
                            sis_script_error* error) {
    sis_script_error unwanted;
    if (!error) error = &unwanted;
    if (!path) path = "";
    char why[256];
    size_t size = 0;
    char* text = sis_file_read(path, &size, why, sizeof why);
    bool starved = !text && errno == ENOMEM;
    if (!text) {
        sis_sentence sentence = {.length = 0};
        sis_say(&sentence, "cannot read the scene: %s", why);
        char name[sizeof((sis_script*)0)->name];
        keep_name(path, name, sizeof name);
        *error = (sis_script_error){.status = SIS_SCRIPT_OK};
        if (starved)
            starve(error, name);
        else
            fail(error, name, 0, sentence.text);
        return NULL;
    }
    sis_script* script = sis_script_load_text(text, size, path, settings, count, error);
    free(text);
    return script;
}

void sis_script_free(sis_script* script) {
    if (!script) return;
    close_lua(&script->loader);
    sis_scene_free(script->scene);
    sis_loader_free_presets(script);
    free(script->params);
    free(script->inputs);
    free(script->followers);
    free(script->lines);
    free(script);
}

sis_scene* sis_script_scene(const sis_script* script) {
    return script->scene;
}

const char* sis_script_name(const sis_script* script) {
    return script->name;
}

int32_t sis_script_line(const sis_script* script, sis_id object) {
    return object >= 0 && object < script->line_room ? script->lines[object] : 0;
}

// A key of the definition as a scene spells it: the length of a plate is part of its size.
static const char* spelt(sis_kind kind, const char* key) {
    const sis_field* field = sis_loader_field(kind, key);
    return field ? sis_loader_key(field) : key;
}

void sis_script_locate(const sis_script* script, const sis_error* error,
                       sis_script_error* located) {
    const sis_loader* loader = &script->loader;
    sis_kind kind = sis_scene_kind(script->scene, error->object);
    int line = sis_script_line(script, error->object);
    bool height = error->object >= 0 && error->object == loader->height_of;
    if (height && strcmp(error->key, "height") == 0) line = loader->height_line;
    *located = (sis_script_error){.line = line};
    if (kind != SIS_KIND_COUNT) {
        snprintf(located->object, sizeof located->object, "%s '%s'", sis_kind_word(kind),
                 sis_scene_name(script->scene, error->object));
        snprintf(located->key, sizeof located->key, "%s", spelt(kind, error->key));
    }
    sis_sentence sentence = {.length = 0};
    size_t length = strlen(located->object);
    if (strncmp(error->text, located->object, length) != 0)
        sis_say(&sentence, "%s: ", located->object);
    sis_say(&sentence, "%s", error->text);
    bool starved = error->status == SIS_NO_MEMORY;
    sis_loader_tell(located, starved ? SIS_SCRIPT_NO_MEMORY : SIS_SCRIPT_WRONG, script->name, line,
                    sentence.text);
}

int32_t sis_script_param_count(const sis_script* script) {
    return script->param_count;
}

sis_param sis_script_param(const sis_script* script, int32_t i) {
    if (i < 0 || i >= script->param_count) return (sis_param){.name = NULL};
    const sis_kept_param* param = &script->params[i];
    return (sis_param){
        .name = param->name,
        .label = param->label,
        .unit = param->unit,
        .value = param->value,
        .fallback = param->fallback,
        .min = param->min,
        .max = param->max,
        .logarithmic = param->logarithmic,
    };
}

const sis_play* sis_script_play(const sis_script* script) {
    return script->play.given ? &script->play.play : NULL;
}

const sis_gestures* sis_script_gestures(const sis_script* script) {
    return script->play.given ? &script->play.gestures : NULL;
}

bool sis_script_strikes(const sis_script* script, int32_t i) {
    const sis_gestures* g = sis_script_gestures(script);
    if (i < 0 || i >= script->input_count || !script->inputs[i].trigger) return false;
    for (int32_t c = 0; g && c < g->course_count; c++)
        if (g->courses[c].velocity == i) return true;
    return !g || g->velocity == i;
}
