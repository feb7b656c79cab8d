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

#define NAME_MAX_BYTES 63 // of any name in a scene

#define TEXT_OF(number)  #number
#define SHARE_OF(number) TEXT_OF(number)

const char* sis_probe_where(sis_kind kind) {
    sis_places places = sis_kind_places(kind);
    if (places == SIS_PLACES_LINE) return " at " SHARE_OF(SIS_PROBE_SHARE) " L";
    if (places == SIS_PLACES_AREA)
        return " at " SHARE_OF(SIS_PROBE_SHARE_X) " lx, " SHARE_OF(SIS_PROBE_SHARE_Y) " ly";
    return places == SIS_PLACES_NUMBER ? " at place 1" : "";
}

/** `x` and `y` are NaN for what has no such places. */
static bool add(sis_scene* scene, sis_id on, sis_quantity quantity, double x, double y,
                sis_fault* fault) {
    sis_probe_def def = sis_probe_default();
    sis_error error = {.status = SIS_OK};
    char name[256];
    snprintf(name, sizeof name, "%s of %s%s", sis_quantity_word(quantity),
             sis_scene_name(scene, on), sis_probe_where(sis_scene_kind(scene, on)));
    def.on = on;
    def.quantity = quantity;
    def.at = x;
    def.at_y = y;
    // A scene may have a probe of that name already, and some names are too long to add to.
    bool fits = strlen(name) <= NAME_MAX_BYTES;
    def.name = fits && sis_scene_find(scene, SIS_KIND_PROBE, name) == SIS_NONE ? name : NULL;
    if (sis_scene_add_probe(scene, &def, &error) != SIS_NONE) return true;
    return sis_fault_set(fault, SIS_FAULT_RUN, "%s", error.text);
}

bool sis_probes_add(sis_scene* scene, sis_id on, sis_quantity quantity, sis_fault* fault) {
    return add(scene, on, quantity, nan(""), nan(""), fault);
}

/** Where a body is read; false: it does not move, or nobody knows where it ends. */
static bool find_place(const sis_system* system, sis_kind kind, const char* name, double* x,
                       double* y) {
    *x = *y = nan("");
    sis_places places = sis_kind_places(kind);
    if (places == SIS_PLACES_NONE) return sis_kind_moves(kind);
    if (places == SIS_PLACES_NUMBER) *x = 1;
    for (int32_t i = 0; system && i < sis_system_body_count(system); i++) {
        sis_body_info body = sis_system_body(system, i);
        if (body.kind != kind || strcmp(body.name, name) != 0) continue;
        if (places == SIS_PLACES_LINE) *x = SIS_PROBE_SHARE * body.length;
        if (places != SIS_PLACES_AREA) continue;
        *x = SIS_PROBE_SHARE_X * body.length;
        *y = SIS_PROBE_SHARE_Y * body.width;
    }
    return !isnan(*x);
}

/** Whether the scene has bodies whose size must be known. */
static bool has_sizes(const sis_scene* scene) {
    for (sis_id id = 0; id < sis_scene_count(scene); id++) {
        if (sis_kind_places(sis_scene_kind(scene, id)) >= SIS_PLACES_LINE) return true;
    }
    return false;
}

bool sis_probes_add_bodies(sis_scene* scene, const sis_options* how, const sis_quantity* quantities,
                           int count, sis_fault* fault) {
    int32_t objects = sis_scene_count(scene); // that were there before
    sis_error error = {.status = SIS_OK};
    sis_system* system = has_sizes(scene) ? sis_compile(scene, how, &error) : NULL;
    bool fine = error.status != SIS_NO_MEMORY || sis_fault_no_memory(fault);
    for (sis_id id = 0; fine && id < objects; id++) {
        double x, y;
        bool read =
            find_place(system, sis_scene_kind(scene, id), sis_scene_name(scene, id), &x, &y);
        for (int q = 0; fine && read && q < count; q++)
            fine = add(scene, id, quantities[q], x, y, fault);
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
