// The header read by C++ and the library called from it: names, types and linkage fit.
#include "sistrum/sistrum.h"

#include "check.h"

#include <cstdlib>

static void a_scene_can_be_played_from_cpp() {
    sis_error error = {};
    sis_scene* scene = sis_scene_new();
    sis_mass_def mass = sis_mass_default();
    mass.mass = 0.01;
    mass.position = 0.001;
    mass.velocity = -1;
    sis_barrier_def barrier = sis_barrier_default();
    barrier.height = 0;
    sis_contact_def contact = sis_contact_default();
    contact.above = sis_scene_add_mass(scene, &mass, &error);
    contact.below = sis_scene_add_barrier(scene, &barrier, &error);
    contact.K = 1e6;
    contact.alpha = 1.5;
    CHECK(sis_scene_add_contact(scene, &contact, &error) != SIS_NONE);

    sis_options options = sis_options_default(scene);
    sis_system* system = sis_compile(scene, &options, &error);
    CHECK(system != nullptr);
    sis_scene_free(scene);
    if (!system) return;
    sis_state* state = sis_state_init(system, std::aligned_alloc(64, sis_state_size(system)));
    sis_block block = {4410, nullptr, nullptr, nullptr};
    sis_step(system, state, &block);
    sis_energy energy = sis_state_energy(system, state);
    CHECK_NEAR(energy.total, 0.005, 1e-12); // m v^2/2, all of it back after the bounce
    CHECK_NEAR(energy.residual, 0, 1e-14);
    std::free(state);
    sis_system_free(system);
}

int main() {
    RUN(a_scene_can_be_played_from_cpp);
    return CHECK_REPORT();
}
