// sistrum help --reference --json: the words and keys of the scene language for editors, which
// complete them and show what they mean (web/src/page/editor_code.js).

#include "print_json.h"
#include "reference.h"

#include <stdlib.h>
#include <string.h>

typedef struct writer {
    sis_json json;
    json_t* words;
    json_t *word, *keys; // which are being filled; held here too, where memory may run out
    const char* group;
} writer;

static void hold(json_t** place, json_t* value) {
    json_decref(*place);
    *place = value;
}

/** {"key": "K", ...}: the words of `range` are those in quotes, or all of it. */
static json_t* words_of(sis_json* json, const reference_key* k) {
    json_t* list = json_array();
    const char* stops = k->words ? ", " : "\"";
    char* rest = NULL;
    char* copy = strdup(k->range);
    if (!copy) json->complete = false;
    char* part = copy ? strtok_r(copy, stops, &rest) : NULL;
    bool inside = k->words || k->range[0] == '"';
    for (; part; part = strtok_r(NULL, stops, &rest), inside = k->words || !inside)
        if (inside) sis_json_append(json, list, sis_json_text(part));
    free(copy);
    return list;
}

static void add_key(void* self, const reference_key* k) {
    writer* w = self;
    json_t* key = json_object();
    bool needed = !strcmp(k->fallback, "needed");
    sis_json_set(&w->json, key, "key", sis_json_text(k->key));
    sis_json_set(&w->json, key, "unit", sis_json_text(k->unit));
    sis_json_set(&w->json, key, "range", sis_json_text(k->range));
    sis_json_set(&w->json, key, "words", words_of(&w->json, k));
    sis_json_set(&w->json, key, "default", sis_json_text(needed ? "" : k->fallback));
    sis_json_set(&w->json, key, "needed", json_boolean(needed));
    sis_json_set(&w->json, key, "live", json_boolean(k->live));
    sis_json_set(&w->json, key, "about", sis_json_text(k->doc));
    sis_json_append(&w->json, w->keys, key);
}

static void add_word(void* self, const char* group, const char* word, const char* what) {
    writer* w = self;
    if (group) w->group = group;
    hold(&w->word, json_object());
    hold(&w->keys, json_array());
    sis_json_append(&w->json, w->words, json_incref(w->word));
    sis_json_set(&w->json, w->word, "word", sis_json_text(word));
    sis_json_set(&w->json, w->word, "group", sis_json_text(w->group));
    sis_json_set(&w->json, w->word, "about", sis_json_text(what));
    sis_json_set(&w->json, w->word, "keys", json_incref(w->keys));
}

static void add_parts(void* self, const char* of) {
    writer* w = self;
    json_t* parts = json_object();
    hold(&w->keys, json_array());
    sis_json_set(&w->json, parts, of, json_incref(w->keys));
    sis_json_set(&w->json, w->word, "parts", parts);
}

static void add_example(void* self, const char* scene) {
    writer* w = self;
    sis_json_set(&w->json, w->word, "example", json_string(scene));
}

int help_reference_json(void) {
    writer w = {.json = {.complete = true}, .words = json_array(), .group = ""};
    json_t* root = json_object();
    sis_json_set(&w.json, root, "words", w.words);
    reference_walk(&(reference_printer){&w, add_word, add_key, add_parts, add_example});
    hold(&w.word, NULL);
    hold(&w.keys, NULL);
    return print_json(&w.json, root);
}
