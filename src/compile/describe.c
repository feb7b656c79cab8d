// What a compiled system says of itself.
#include "compile/plan.h"

double sis_system_rate(const sis_system* system) {
    return system->rate;
}

size_t sis_system_size(const sis_system* system) {
    return sizeof *system + system->arena.used;
}

int32_t sis_system_probe_count(const sis_system* system) {
    return system->probe_count;
}

sis_probe_info sis_system_probe(const sis_system* system, int32_t i) {
    return i >= 0 && i < system->probe_count ? system->probe_info[i] : (sis_probe_info){0};
}

int32_t sis_system_body_count(const sis_system* system) {
    return system->body_count;
}

sis_body_info sis_system_body(const sis_system* system, int32_t i) {
    return i >= 0 && i < system->body_count ? system->body_info[i] : (sis_body_info){0};
}

int32_t sis_system_link_count(const sis_system* system) {
    return system->group_count;
}

sis_link_info sis_system_link(const sis_system* system, int32_t i) {
    return i >= 0 && i < system->group_count ? system->link_info[i] : (sis_link_info){0};
}

static const string_form* string_at(const sis_system* system, int32_t body) {
    for (int32_t i = 0; i < system->string_count; i++)
        if (system->strings[i].body == body) return &system->strings[i];
    return NULL;
}

double sis_system_place(const sis_system* system, int32_t body, int32_t j) {
    const string_form* form = string_at(system, body);
    for (int32_t i = 0; i < system->plate_count; i++) {
        const plate_form* f = &system->plates[i];
        if (f->body == body) return j < 0 ? 0 : j % (f->nx + 1) * f->length / f->nx;
    }
    if (!form || j < 0 || j > form->segments) return 0;
    return j == form->segments ? form->length : j * form->h;
}

sis_contact_point sis_system_contact_point(const sis_system* system, int32_t link, int32_t j) {
    if (link < 0 || link >= system->group_count || j < 0 || j >= system->groups[link].count)
        return (sis_contact_point){0, 0, 0, 0, 0};
    return system->groups[link].points[j];
}
