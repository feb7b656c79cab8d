#include "clap_player.h"

#include <string.h>

// CLAP gives the factory no place of its own: this is the one variable. [main] only.
static struct {
    clap_scenes scenes;
    int32_t users; // inits without deinit
} library;

static uint32_t CLAP_ABI count(const clap_plugin_factory_t* factory) {
    (void)factory;
    return (uint32_t)library.scenes.count;
}

static const clap_plugin_descriptor_t* CLAP_ABI descriptor(const clap_plugin_factory_t* factory,
                                                           uint32_t index) {
    (void)factory;
    return index < (uint32_t)library.scenes.count ? &library.scenes.all[index]->descriptor : NULL;
}

static const clap_plugin_t* CLAP_ABI create(const clap_plugin_factory_t* factory,
                                            const clap_host_t* host, const char* id) {
    (void)factory;
    if (!host || !id || !clap_version_is_compatible(host->clap_version)) return NULL;
    const clap_scene* scene = clap_scenes_get(&library.scenes, id);
    return scene ? clap_player_new(host, scene) : NULL;
}

static const clap_plugin_factory_t factory = {count, descriptor, create};

static bool CLAP_ABI init(const char* path) {
    if (library.users++ == 0) clap_scenes_find(&library.scenes, path);
    return true;
}

static void CLAP_ABI deinit(void) {
    if (library.users > 0 && --library.users == 0) clap_scenes_free(&library.scenes);
}

static const void* CLAP_ABI get_factory(const char* id) {
    return id && !strcmp(id, CLAP_PLUGIN_FACTORY_ID) ? &factory : NULL;
}

CLAP_EXPORT const clap_plugin_entry_t clap_entry = {CLAP_VERSION_INIT, init, deinit, get_factory};
