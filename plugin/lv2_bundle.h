/** @file lv2_bundle.h
 * Reads what a bundle says of itself and its scene.
 */
#ifndef SISTRUM_PLUGIN_LV2_BUNDLE_H
#define SISTRUM_PLUGIN_LV2_BUNDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** One knob that has a port. */
typedef struct bundle_knob {
    const char* symbol;
    const char* name; ///< in the scene
} bundle_knob;

typedef struct bundle {
    char* text; ///< of bundle.txt, which the others point into
    const char* uri;
    const char* name; ///< of the scene in sentences
    double peak;
    int32_t sound; ///< channels of sound from outside, 0 .. 2
    bundle_knob* knobs;
    int32_t knob_count;
    char* scene; ///< text of scene.lua
    size_t scene_size;
} bundle;

/** Reads bundle.txt and, where `with_scene`, scene.lua of a folder. False: `why` is a sentence.
 * bundle_free in any case. */
bool bundle_read(bundle* b, const char* folder, bool with_scene, char* why, size_t room);
void bundle_free(bundle* b);

#endif
