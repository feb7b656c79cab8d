/** @file presets.h
 * --preset: the sets of values that a scene names.
 */
#ifndef SISTRUM_CLI_PRESETS_H
#define SISTRUM_CLI_PRESETS_H

#include "job.h"

/** The preset of that name; NULL: one without settings. EXIT_DONE, or a complaint was made. */
int preset_find(const job* j, const char* name, sis_preset* preset);

/** "K = 1e+07 N, press = 2": what it sets. */
void preset_print(const sis_script* script, const sis_preset* preset, char* text, size_t size);

#endif
