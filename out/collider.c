#include "collider.h"

#include "probes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_free_mass(const sis_system* system, const char* name) {
    for (int32_t i = 0; i < sis_system_body_count(system); i++) {
        sis_body_info body = sis_system_body(system, i);
        bool mass = body.kind == SIS_KIND_MASS && !body.driven;
        if (mass && strcmp(body.name, name) == 0) return true;
    }
    return false;
}

/** Whether a body can enter and leave that contact: a two-sided one never lets go. */
static bool meets(const sis_link_info* link, const char* name) {
    bool opens = link->kind == SIS_KIND_CONTACT && sis_law_sides(link->law) != SIS_LAW_TWO_SIDED;
    return opens && (strcmp(link->above, name) == 0 || strcmp(link->below, name) == 0);
}

static bool can_depart(const sis_system* system, const char* name) {
    if (!is_free_mass(system, name)) return false;
    for (int32_t i = 0; i < sis_system_link_count(system); i++) {
        sis_link_info link = sis_system_link(system, i);
        if (meets(&link, name)) return true;
    }
    return false;
}

/** The first probed mass that collides, or the first mass that does. */
static const char* choose_subject(const sis_system* system) {
    for (int32_t i = 0; i < sis_system_probe_count(system); i++) {
        const char* on = sis_system_probe(system, i).on;
        if (can_depart(system, on)) return on;
    }
    for (int32_t i = 0; i < sis_system_body_count(system); i++) {
        const char* name = sis_system_body(system, i).name;
        if (can_depart(system, name)) return name;
    }
    return "";
}

bool sis_collider_watch(sis_scene* scene, const sis_system* model, int32_t probe_count,
                        sis_collider* collider, sis_fault* fault) {
    *collider = (sis_collider){.velocity = probe_count};
    collider->first_contact = collider->last_contact = probe_count + 1;
    snprintf(collider->name, sizeof collider->name, "%s", choose_subject(model));
    sis_id body = sis_scene_find(scene, SIS_KIND_MASS, collider->name);
    if (!*collider->name || body == SIS_NONE) {
        *collider->name = 0;
        return true;
    }
    bool fine = sis_probes_add(scene, body, SIS_QUANTITY_VELOCITY, fault);
    for (int32_t i = 0; fine && i < sis_system_link_count(model); i++) {
        sis_link_info link = sis_system_link(model, i);
        int32_t watched = collider->last_contact - collider->first_contact;
        if (!meets(&link, collider->name) || watched == SIS_COLLIDER_LINKS) continue;
        sis_id contact = sis_scene_find(scene, SIS_KIND_CONTACT, link.name);
        fine = sis_probes_add(scene, contact, SIS_QUANTITY_PENETRATION, fault);
        collider->last_contact++;
    }
    return fine;
}

double sis_collider_deepest(const sis_collider* collider, const double* values) {
    double eta = values[collider->first_contact];
    for (int32_t i = collider->first_contact + 1; i < collider->last_contact; i++)
        eta = fmax(eta, values[i]);
    return eta;
}
