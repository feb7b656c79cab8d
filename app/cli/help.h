/** @file help.h
 * The texts of --help.
 */
#ifndef SISTRUM_CLI_HELP_H
#define SISTRUM_CLI_HELP_H

#include "options.h"

/** Prints what the program can do. */
void help_all(void);

/** Prints what a command does and its options. */
void help_command(command c);

/** `sistrum help [WORD]`: a command, a word of the scene language, or everything. */
int help_word(const char* word);

/** One key of a word as a scene writes it. */
typedef struct help_key {
    const char* key;
    const char* unit;
    const char* doc;
    char range[256];
    char fallback[32]; // "": none
    bool number;       // a number, or made of numbers
    bool word;         // one of several words
    bool spelled;      // written otherwise than in the schema: the range tells its units, too
    bool needed;
    bool live; // may follow an input while it sounds
} help_key;

/** Describes a row of the schema; false: it is part of another key. */
bool help_of_key(const sis_field* field, help_key* key);

/** What the key may be, as the schema says: into key->range. */
void help_range(help_key* key, const sis_field* field);

/** `sistrum help --reference`: prints docs/scene-reference.md. */
int help_reference(void);

#endif
