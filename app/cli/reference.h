/** @file reference.h
 * Every word and key of the scene language, one after the other, for those who print them.
 */
#ifndef SISTRUM_CLI_REFERENCE_H
#define SISTRUM_CLI_REFERENCE_H

#include <stdbool.h>

/** One key of a word. `fallback` is "needed" where it is. */
typedef struct reference_key {
    const char *key, *unit, *range, *fallback, *doc;
    bool words; // the range lists words, which a scene writes in quotes
    bool live;  // may follow an input while it sounds
} reference_key;

/** Who prints: called for each word, then for its keys, then for its example. */
typedef struct reference_printer {
    void* self;
    void (*word)(void* self, const char* group, const char* word, const char* what);
    void (*key)(void* self, const reference_key* key);
    void (*parts)(void* self, const char* of); // keys that follow are those of tables inside `of`
    void (*example)(void* self, const char* scene);
} reference_printer;

void reference_walk(const reference_printer* printer);

/** `sistrum help --reference --json`: the same as data. */
int help_reference_json(void);

#endif
