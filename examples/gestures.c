// Hands on sounding bodies:  gestures strike | bow | effect | game
#include <math.h>
#include <sistrum/script.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RATE = 48000, BLOCK = 64 };

static const char* const scenes[][2] = {
    {"strike", // blows on a string that rings already
     "local blow = input{ 'blow', trigger = true, max = 2 }\n"
     "local s = string{ length = 0.62, frequency = 220, density = 6.3e-3, sigma0 = 0.5 }\n"
     "force{ on = s, at = 0.07, peak = 2, width = 1e-3, trigger = blow }\n"
     "probe{ on = s, at = 0.57, quantity = 'velocity' }\n"},
    {"bow", // force and velocity of a bow along curves
     "local press = input{ 'press', 0, max = 2, unit = 'N', smooth = 0.01 }\n"
     "local speed = input{ 'speed', 0, min = -0.3, max = 0.3, unit = 'm/s', smooth = 0.01 }\n"
     "local s = string{ length = 0.7, frequency = 98, density = 5e-3, sigma0 = 1, sigma1 = 2e-3 }\n"
     "bow{ on = s, at = 0.08, force = press, velocity = speed }\n"
     "probe{ on = s, at = 0.65, quantity = 'velocity' }\n"},
    {"effect", // sound from outside shakes a string
     "local sound = input{ 'sound', 0, min = -1, max = 1 }\n"
     "local s = string{ length = 0.6, frequency = 147, density = 4e-3, sigma0 = 2, sigma1 = 1e-3 "
     "}\n"
     "force{ on = s, at = 0.11, shape = 'constant', peak = 0.5 * sound }\n"
     "probe{ on = s, at = 0.5, quantity = 'velocity' }\n"},
    {"game", // things hit a glass pane: momentum, place and hardness of each
     "local blow = input{ 'momentum', trigger = true, max = 1, unit = 'N s' }\n"
     "local x = input{ 'x', 0.2, min = 0.05, max = 0.35, unit = 'm' }\n"
     "local y = input{ 'y', 0.15, min = 0.05, max = 0.25, unit = 'm' }\n"
     "local hard = input{ 'K', 1e7, min = 1e4, max = 1e9 }\n"
     "local pane = plate{ size = { 0.4, 0.3 }, thickness = 3e-3, material_density = 2500,\n"
     "  youngs = 7e10, poisson = 0.22, sigma0 = 3, sigma1 = 0.01, model = 'modal', modes = 150 }\n"
     "local thing = mass{ mass = 0.02, position = -2e-3, frequency = 3, damping = 20 }\n"
     "force{ on = thing, shape = 'impulse', peak = 1, trigger = blow }\n"
     "contact{ above = pane, below = thing, at_above = { x, y }, K = hard, alpha = 1.5, gap = "
     "-2e-3 }\n"
     "probe{ on = pane, at = { 0.1, 0.08 }, quantity = 'velocity' }\n"},
};

static sis_system* compile(const char* text) {
    sis_script_error wrong = {0};
    sis_error error = {0};
    sis_script* script = sis_script_load_text(text, strlen(text), "scene", NULL, 0, &wrong);
    if (!script) fprintf(stderr, "%s\n", wrong.text), exit(3);
    sis_options options = sis_options_default(sis_script_scene(script));
    options.rate = RATE;
    sis_system* system = sis_compile(sis_script_scene(script), &options, &error);
    sis_script_free(script);
    if (!system) fprintf(stderr, "%s\n", error.text), exit(3);
    return system;
}

// ---- what the hand does in the block that begins at sample n

static void give(const sis_system* system, sis_state* voice, const char* name, double value) {
    sis_state_input_set(system, voice, sis_system_input_find(system, name), value);
}

static void strike(const sis_system* system, sis_state* voice, int n) { // twice, the second harder
    if (n == 0) give(system, voice, "blow", 1);
    if (n == RATE / 2 / BLOCK * BLOCK) give(system, voice, "blow", 1.5);
}

static void bow(const sis_system* system, sis_state* voice, int n) { // down, and up again
    give(system, voice, "press", 0.8 * (1 - fabs(2.0 * n / RATE - 1)));
    give(system, voice, "speed", n < RATE / 2 ? 0.2 : -0.2);
}

static void game(const sis_system* system, sis_state* voice, int n) { // a contact of the engine
    static const struct contact {
        double when, mass, velocity, x, y, stiffness;
    } contacts[] = {{0.1, 0.02, 1.5, 0.2, 0.15, 3e7}, {0.5, 0.05, 0.4, 0.3, 0.1, 2e5}};
    for (int i = 0; i < 2; i++)
        if ((int)(contacts[i].when * RATE) / BLOCK == n / BLOCK) {
            give(system, voice, "x", contacts[i].x);
            give(system, voice, "y", contacts[i].y);
            give(system, voice, "K", contacts[i].stiffness);
            give(system, voice, "momentum", contacts[i].mass * contacts[i].velocity);
        }
}

int main(int argc, char** argv) {
    int which = 0;
    while (argc > 1 && which < 4 && strcmp(argv[1], scenes[which][0]) != 0)
        which++;
    if (argc != 2 || which == 4) return fprintf(stderr, "gestures strike|bow|effect|game\n"), 2;
    sis_system* system = compile(scenes[which][1]);
    sis_state* voice = sis_state_init(system, aligned_alloc(64, sis_state_size(system)));
    double sound[BLOCK], heard[BLOCK], loudest[2] = {0};
    for (int n = 0; n < RATE; n += BLOCK) { // ---- in the audio thread
        for (int i = 0; i < BLOCK; i++)     // a saw of 110 Hz from outside
            sound[i] = 2 * fmod((n + i) * 110.0 / RATE, 1) - 1;
        if (which == 0) strike(system, voice, n);
        if (which == 1) bow(system, voice, n);
        if (which == 3) game(system, voice, n);
        sis_step(
            system, voice,
            &(sis_block){.frames = BLOCK, .probes = heard, .inputs = which == 2 ? sound : NULL});
        for (int i = 0; i < BLOCK; i++)
            loudest[n >= RATE / 2] = fmax(loudest[n >= RATE / 2], fabs(heard[i]));
    }
    sis_energy energy = sis_state_energy(system, voice);
    sis_balance balance = {0};
    sis_balance_add(&balance, &energy, 1);
    printf("%s: loudest %.4f m/s, later %.4f m/s; the energy balance %s\n", argv[1], loudest[0],
           loudest[1], sis_balance_residual(&balance) < 1e-11 ? "closes" : "is open");
    free(voice);
    sis_system_free(system);
    return 0;
}
