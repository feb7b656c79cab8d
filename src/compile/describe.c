// What a compiled system says of itself.
#include "compile/system.h"

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
    return system->link_count;
}

sis_link_info sis_system_link(const sis_system* system, int32_t i) {
    return i >= 0 && i < system->link_count ? system->link_info[i] : (sis_link_info){0};
}
