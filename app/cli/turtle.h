/** @file turtle.h
 * The texts of an LV2 bundle: what hosts read of it (Turtle) and what the plugin reads of itself.
 */
#ifndef SISTRUM_CLI_TURTLE_H
#define SISTRUM_CLI_TURTLE_H

#include <sistrum/live.h>
#include <stdio.h>

enum { SYMBOL_ROOM = 96 };

/** What is told of a scene that becomes a plugin. */
typedef struct plugin_about {
    const char* stem;             // NAME of NAME.lv2
    const char* title;            // for lists of plugins
    const char* line;             // one line about it; "": none
    const char* file;             // name of the scene in sentences
    sis_live* live;               // it is loaded there
    double peak;                  // that is full scale
    bool properties;              // knobs are patch:writable too
    char (*symbols)[SYMBOL_ROOM]; // [knob_count]: see turtle_symbols
    int32_t knob_count;
} plugin_about;

/** Finds a valid symbol for every knob, no two of them equal. False: no memory. The caller frees
 * about->symbols. */
bool turtle_symbols(plugin_about* about);

// Each writes one file; errors stay in the stream.
void turtle_manifest(FILE* to, const plugin_about* about);
void turtle_plugin(FILE* to, const plugin_about* about);
void turtle_presets(FILE* to, const plugin_about* about); // turns the knobs of about->live
void turtle_bundle(FILE* to, const plugin_about* about);

#endif
