#include "probes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char* sis_quantity_word(sis_quantity quantity) {
    switch (quantity) {
    case SIS_QUANTITY_DISPLACEMENT:
        return "displacement";
    case SIS_QUANTITY_VELOCITY:
        return "velocity";
    case SIS_QUANTITY_FORCE:
        return "force";
    case SIS_QUANTITY_PENETRATION:
        return "penetration";
    }
    return "";
}

/** `at` is NaN for what has no places. */
static bool add(sis_scene* scene, sis_id on, sis_quantity quantity, double at, sis_fault* fault) {
    sis_probe_def def = sis_probe_default();
    sis_error error = {.status = SIS_OK};
    char name[256];
    snprintf(name, sizeof name, isnan(at) ? "%s of %s" : "%s of %s at %g L",
             sis_quantity_word(quantity), sis_scene_name(scene, on), SIS_PROBE_SHARE);
    def.on = on;
    def.quantity = quantity;
    def.at = at;
    // A scene may have a probe of that name already.
    def.name = sis_scene_find(scene, SIS_KIND_PROBE, name) == SIS_NONE ? name : NULL;
    if (sis_scene_add_probe(scene, &def, &error) != SIS_NONE) return true;
    return sis_fault_set(fault, SIS_FAULT_RUN, "%s", error.text);
}

bool sis_probes_add(sis_scene* scene, sis_id on, sis_quantity quantity, sis_fault* fault) {
    return add(scene, on, quantity, nan(""), fault);
}

/** The length of a string of a compiled scene; NaN: unknown. */
static double length_of(const sis_system* system, const char* name) {
    for (int32_t i = 0; system && i < sis_system_body_count(system); i++) {
        sis_body_info body = sis_system_body(system, i);
        if (body.kind == SIS_KIND_STRING && strcmp(body.name, name) == 0) return body.length;
    }
    return nan("");
}

static bool has_string(const sis_scene* scene) {
    for (sis_id id = 0; id < sis_scene_count(scene); id++)
        if (sis_scene_kind(scene, id) == SIS_KIND_STRING) return true;
    return false;
}

bool sis_probes_add_bodies(sis_scene* scene, const sis_options* how, const sis_quantity* quantities,
                           int count, sis_fault* fault) {
    int32_t objects = sis_scene_count(scene); // that were there before
    sis_system* system = has_string(scene) ? sis_compile(scene, how, NULL) : NULL;
    bool fine = true;
    for (sis_id id = 0; fine && id < objects; id++) {
        sis_kind kind = sis_scene_kind(scene, id);
        double at = nan("");
        if (kind == SIS_KIND_STRING)
            at = SIS_PROBE_SHARE * length_of(system, sis_scene_name(scene, id));
        bool read = kind == SIS_KIND_MASS || !isnan(at);
        for (int q = 0; fine && read && q < count; q++)
            fine = add(scene, id, quantities[q], at, fault);
    }
    sis_system_free(system);
    return fine;
}

void sis_probe_title(const sis_probe_info* probe, char* text, size_t size) {
    char plain[256];
    const char* quantity = sis_quantity_word(probe->quantity);
    snprintf(plain, sizeof plain, "%s of %s", quantity, probe->on);
    bool says_all =
        strcmp(probe->name, probe->on) == 0 || strncmp(probe->name, plain, strlen(plain)) == 0;
    snprintf(text, size, says_all ? "%s" : "%s: %s of %s", probe->name, quantity, probe->on);
}
