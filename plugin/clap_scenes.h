// Which scenes the factory offers. [main]
#ifndef SISTRUM_CLAP_SCENES_H
#define SISTRUM_CLAP_SCENES_H

#include "clap_api.h"

/** One scene: its text, and what a host's list says of it. */
typedef struct clap_scene {
    char* text;
    size_t size;
    char file[256]; // its name in sentences: "tanpura.lua"
    char id[256];   // "org.sistrum.tanpura"
    char name[128]; // "Tanpura"
    char about[256];
    const char* features[6];
    clap_plugin_descriptor_t descriptor;
} clap_scene;

typedef struct clap_scenes {
    clap_scene** all; // by id
    int32_t count, room;
} clap_scenes;

/** All scenes: those of the folders, `plugin_path` says where the plugin lies, then those inside the
 * plugin that no folder has. A scene that does not load is left out with a sentence on standard
 * error. */
void clap_scenes_find(clap_scenes* scenes, const char* plugin_path);
void clap_scenes_free(clap_scenes* scenes);

/** NULL: there is none. */
const clap_scene* clap_scenes_get(const clap_scenes* scenes, const char* id);

/** Adds one; a known id is left as it is. */
void clap_scenes_add(clap_scenes* scenes, const char* prefix, const char* name, const char* text,
                     size_t size);

/** The scenes that the plugin was built with, the last one has no name. */
typedef struct clap_scene_text {
    const char* name;
    const char* text;
} clap_scene_text;
extern const clap_scene_text clap_scene_texts[];

#endif
