// A felt hammer strikes a string, in blocks of 64 samples as an audio callback asks for them.
#include <math.h>
#include <sistrum/sistrum.h>
#include <stdio.h>
#include <stdlib.h>

static sis_error error; // of the last call that failed: one sentence

static sis_id made(sis_id id) {
    if (id == SIS_NONE) fprintf(stderr, "%s\n", error.text), exit(1);
    return id;
}

int main(void) {
    sis_scene* scene = sis_scene_new(); // ---- once, anywhere: what exists

    sis_string_def wire = sis_string_default(); // what is not set has its default
    wire.length = 0.62, wire.tension = 670, wire.density = 6.3e-3;
    wire.radius = 5e-4, wire.youngs = 2e11, wire.sigma0 = 0.5, wire.sigma1 = 3e-4;
    sis_mass_def felt = sis_mass_default();
    felt.mass = 3e-3, felt.position = -1e-4, felt.velocity = 3;
    sis_contact_def blow = sis_contact_default();
    blow.above = made(sis_scene_add_string(scene, &wire, &error));
    blow.below = made(sis_scene_add_mass(scene, &felt, &error));
    blow.at_above = (sis_list){(const double[]){0.07}, 1};
    blow.K = 4.5e9, blow.alpha = 2.5;
    sis_probe_def ear = sis_probe_default();
    ear.on = blow.above, ear.at = 0.57, ear.quantity = SIS_QUANTITY_VELOCITY;
    made(sis_scene_add_contact(scene, &blow, &error));
    made(sis_scene_add_probe(scene, &ear, &error));
    sis_options options = sis_options_default(scene);
    options.rate = 48000;

    // ---- constant from here on, shared by any number of voices
    sis_system* system = sis_compile(scene, &options, &error);
    sis_scene_free(scene);
    if (!system) return fprintf(stderr, "%s\n", error.text), 1;
    sis_state* voice = sis_state_init(system, aligned_alloc(64, sis_state_size(system)));

    double block[64], loudest = 0; // ---- in the audio thread: no memory, no lock, no system call
    for (int n = 0; n < 48000 / 64; n++) {
        sis_step(system, voice, &(sis_block){.frames = 64, .probes = block});
        for (int i = 0; i < 64; i++)
            loudest = fmax(loudest, fabs(block[i]));
    }
    sis_energy energy = sis_state_energy(system, voice);
    sis_balance balance = {0};
    sis_balance_add(&balance, &energy, 1);
    const char* audit = sis_balance_residual(&balance) < 1e-12 ? "closes" : "is open";
    printf("loudest %.6f m/s, stored %.3f mJ, lost %.3f mJ, the energy balance %s\n", loudest,
           energy.total * 1e3, energy.dissipated * 1e3, audit);
    free(voice);
    sis_system_free(system);
    return 0;
}
