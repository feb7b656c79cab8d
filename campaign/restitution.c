// Exit speeds of a Hunt-Crossley mass on a wall against the closed form
//
//   mu v - log(1 + mu v) = -mu e v - log(1 - mu e v),   e: restitution
//
// for contacts shorter than a sample and longer ones. Masses arrive at many phases of the sample.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "campaign.h"

static const double alphas[] = {1, 1.5, 2.5, 3.5};
static const double losses[] = {1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2, 0.1, 0.3, 1, 3, 10}; // mu v
static const double lengths[] = {0.1, 0.3, 1, 3, 10};                                    // samples
enum { ALPHAS = 4, LOSSES = 11, LENGTHS = 5, PHASES = 16 };

// Relative, what ledger may be off in contacts of at most EXACT_LENGTH samples with mu v of at most
// EXACT_LOSS; in others it is not worse than newton.
static const double EXIT_OFF = 1e-6, EXACT_LENGTH = 1, EXACT_LOSS = 3;

typedef struct exits {
    double sum, worst; // relative errors of exit speeds
    int count;
} exits;

// The impact that lasts so many samples: its duration goes as K^(-1/(alpha + 1)).
static sis_impact impact_of(double alpha, double loss, double length, double rate) {
    sis_impact impact = {.mass = 0.0137, .K = 1, .alpha = alpha, .speed = 1.9};
    impact.mu = loss / impact.speed;
    impact.K = pow(sis_impact_duration(&impact) * rate / length, alpha + 1);
    return impact;
}

static void add_ball(sis_scene* scene, const sis_impact* impact, double away) {
    sis_mass_def m = sis_mass_default();
    sis_barrier_def b = sis_barrier_default();
    sis_contact_def c = sis_contact_default();
    sis_probe_def p = sis_probe_default();
    m.mass = impact->mass;
    m.position = away;
    m.velocity = -impact->speed;
    b.height = 0;
    c.above = p.on = sis_scene_add_mass(scene, &m, NULL);
    c.below = sis_scene_add_barrier(scene, &b, NULL);
    c.K = impact->K;
    c.alpha = impact->alpha;
    c.damping = impact->mu;
    sis_scene_add_contact(scene, &c, NULL);
    p.quantity = SIS_QUANTITY_VELOCITY;
    sis_scene_add_probe(scene, &p, NULL);
}

// Balls side by side, each at its own phase. A ball that is still inside has not left: its speed
// counts as it is.
static bool throw_all(const sis_impact* impact, double length, sis_scheme scheme, double rate,
                      double errors[PHASES]) {
    const double exact = sis_impact_exit_speed(impact);
    sis_scene* scene = sis_scene_new();
    for (int i = 0; i < PHASES; i++)
        add_ball(scene, impact, (1 + (i + 0.37) / PHASES) * impact->speed / rate);
    sis_error error = {.status = SIS_OK};
    sis_system* system = sis_compile(scene, &(sis_options){.rate = rate, .scheme = scheme}, &error);
    sis_scene_free(scene);
    sis_state* state = system ? aligned_alloc(64, sis_state_size(system)) : NULL;
    if (!state) {
        printf("restitution: %s\n", error.text);
        sis_system_free(system);
        return false;
    }
    double row[PHASES];
    sis_state_init(system, state);
    for (int n = 0; n < 60 + 40 * (int)length; n++)
        sis_step(system, state, &(sis_block){.frames = 1, .probes = row});
    for (int i = 0; i < PHASES; i++)
        errors[i] = row[i] / exact - 1;
    free(state);
    sis_system_free(system);
    return true;
}

static bool measure(sis_scheme scheme, exits all[LOSSES][LENGTHS]) {
    const double rate = 44100;
    memset(all, 0, sizeof(exits) * LOSSES * LENGTHS);
    for (int l = 0; l < LOSSES; l++)
        for (int n = 0; n < LENGTHS; n++)
            for (int a = 0; a < ALPHAS; a++) {
                double errors[PHASES];
                const sis_impact impact = impact_of(alphas[a], losses[l], lengths[n], rate);
                exits* e = &all[l][n];
                if (!throw_all(&impact, lengths[n], scheme, rate, errors)) return false;
                for (int i = 0; i < PHASES; i++) {
                    e->sum += fabs(errors[i]);
                    e->count++;
                    if (!(fabs(errors[i]) <= fabs(e->worst))) e->worst = errors[i];
                }
            }
    return true;
}

static void tell(sis_scheme scheme, exits all[LOSSES][LENGTHS], bool table) {
    for (int l = 0; l < LOSSES; l++) {
        const sis_impact impact = impact_of(1, losses[l], 1, 44100);
        if (table)
            printf("EXIT\t%s\t%g\t%.4f", sis_scheme_word(scheme), losses[l],
                   sis_impact_restitution(&impact));
        else
            printf("  mu v %-6g e %.4f ", losses[l], sis_impact_restitution(&impact));
        for (int n = 0; n < LENGTHS; n++) {
            const exits* e = &all[l][n];
            const double mean = 100 * e->sum / e->count, worst = 100 * e->worst;
            printf(table ? "\t%.*g / %+.*g" : "  %7.*g /%+8.*g", mean < 99.5 ? 2 : 3, mean,
                   fabs(worst) < 99.5 ? 2 : 3, worst);
        }
        printf("\n");
    }
}

// The largest error where the exit speed shall be exact; false: ledger is worse than it may be.
static bool judge(exits all[2][LOSSES][LENGTHS], double* worst) {
    bool holds = true;
    *worst = 0;
    for (int l = 0; l < LOSSES; l++)
        for (int n = 0; n < LENGTHS; n++) {
            const exits *e = &all[0][l][n], *newton = &all[1][l][n];
            const double off = fabs(e->worst), room = 1 + EXIT_OFF;
            if (lengths[n] <= EXACT_LENGTH && losses[l] <= EXACT_LOSS) {
                *worst = off <= *worst ? *worst : off;
                holds = holds && off <= EXIT_OFF;
            }
            const bool better = off <= EXIT_OFF ||
                                (off <= room * fabs(newton->worst) && e->sum <= room * newton->sum);
            if (!better) printf("FAIL restitution: mu v %g, %g samples\n", losses[l], lengths[n]);
            holds = holds && better;
        }
    return holds;
}

bool restitution_run(sis_scheme scheme, bool table) {
    const sis_scheme schemes[] = {scheme, SIS_SCHEME_NEWTON};
    exits all[2][LOSSES][LENGTHS];
    double worst;
    for (int s = 0; s < 2; s++) {
        if (!measure(schemes[s], all[s])) return false;
        printf("restitution %s: exit speed off, mean / worst in %%, contacts of 0.1, 0.3, 1, 3, 10 "
               "samples\n",
               sis_scheme_word(schemes[s]));
        tell(schemes[s], all[s], false);
        if (table) tell(schemes[s], all[s], true);
    }
    const bool holds = judge(all, &worst);
    printf(
        "restitution %s: %d impacts, exit speed off by at most %.0e (law: %g up to %g samples and "
        "mu v %g, else not worse than newton)\n",
        sis_scheme_word(scheme), LOSSES * LENGTHS * ALPHAS * PHASES, worst, EXIT_OFF, EXACT_LENGTH,
        EXACT_LOSS);
    return holds;
}
