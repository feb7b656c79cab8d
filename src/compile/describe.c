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

static const body_spec* body_at(const sis_system* system, int32_t body) {
    return body >= 0 && body < system->body_count ? system->bodies[body] : NULL;
}

double sis_system_place(const sis_system* system, int32_t body, int32_t j) {
    const body_spec* spec = body_at(system, body);
    if (!spec || !spec->nx || j < 0) return 0;
    if (spec->ny) return j % (spec->nx + 1) * spec->length / spec->nx;
    return j > spec->nx ? 0 : j == spec->nx ? spec->length : j * spec->hx;
}

bool sis_system_partial(const sis_system* system, int32_t body, int32_t p, double* rings,
                        double* exact) {
    const body_spec* spec = body_at(system, body);
    return spec && spec->class->partial && spec->class->partial(system, spec, p, rings, exact);
}

sis_contact_point sis_system_contact_point(const sis_system* system, int32_t link, int32_t j) {
    if (link < 0 || link >= system->group_count || j < 0 || j >= system->groups[link].count)
        return (sis_contact_point){0, 0, 0, 0, 0};
    return system->groups[link].points[j];
}
