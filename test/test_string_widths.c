// However long an explicit string is, and at every width, its points move as the scheme says, point
// by point: the same bits, with ends, losses, forces, the energy audit and a barrier below.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "examples.h"
#include "step/system.h"
#include "wide/width.h"

enum { LONGEST = 90, SAMPLES = 150, AROUND = 2 };

typedef struct kind_of_string {
    sis_ends ends;
    double s0, s1; // of sigma0 and sigma1 k/h^2
    bool detects;
} kind_of_string;

static const kind_of_string kinds[] = {{SIS_ENDS_SUPPORTED, 0, 0, false},
                                       {SIS_ENDS_CLAMPED, 0, 0, true},
                                       {SIS_ENDS_SUPPORTED, 3, 0.02, true},
                                       {SIS_ENDS_CLAMPED, 3, 0.01, false}};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

// A string with as many segments as wished, stable at 44.1 kHz, plucked off its middle and pushed.
static sis_system* make(const kind_of_string* kind, int segments, int32_t lanes) {
    const double h = 1. / segments, k = 1 / 44100., density = 0.01, radius = 1e-2;
    sis_scene* scene = sis_scene_new();
    sis_error error = {0};
    sis_string_def def = sis_string_default();
    def.length = 1;
    def.density = density;
    def.radius = radius;
    def.tension = density * 0.4 * (h / k) * (h / k);
    def.youngs = density * 0.03 * pow(h * h / k, 2) / (3.141592653589793 / 4 * pow(radius, 4));
    def.tuned = false;
    def.segments = segments;
    def.ends = kind->ends;
    def.sigma0 = kind->s0;
    def.sigma1 = kind->s1 * h * h / k;
    sis_id string = example_added(sis_scene_add_string(scene, &def, &error), &error);
    sis_pluck_def pluck = sis_pluck_default();
    pluck.on = string;
    pluck.shape = SIS_PLUCK_TRIANGLE;
    pluck.at = 0.3;
    pluck.height = 3e-4;
    example_added(sis_scene_add_pluck(scene, &pluck, &error), &error);
    sis_force_def force = sis_force_default();
    force.on = string;
    force.at = 0.62;
    force.peak = 0.1;
    force.width = 5e-4;
    example_added(sis_scene_add_force(scene, &force, &error), &error);
    if (kind->detects) // far below: nothing touches
        example_contact(scene, string, example_barrier(scene, -1), example_schemes[0], 1e6, 1.4,
                        SIS_LAW_ONE_SIDED, 0, 0);
    sis_options options = sis_options_default(scene);
    options.rate = 44100;
    options.lanes = lanes;
    sis_system* system = sis_compile(scene, &options, &error);
    sis_scene_free(scene);
    if (!system) printf("  %d segments: %s\n", segments, error.text);
    return system;
}

// The same string by itself, its ends and what lies behind them around it.
typedef struct plain_string {
    int32_t points;
    double room_u[LONGEST + 2 * AROUND], room_d[LONGEST + 2 * AROUND];
} plain_string;

static void read_points(const sis_system* system, const sis_state* state, plain_string* s) {
    const body_group* bodies = &system->body_groups[GROUP_STRING];
    const body_motion motion = sis_view(system, state).motion;
    for (int32_t p = 0; p < s->points; p++) {
        s->room_u[AROUND + p] = motion.u[bodies->first + p];
        s->room_d[AROUND + p] = motion.d[bodies->first + p];
    }
}

// d+ = keep d + late (d_-1 + d_1) + near (e_-1 - e_0) - far (e_-2 - e_1) + give F
static void step_plainly(const string_pull* f, const double* force, plain_string* s) {
    double *u = s->room_u + AROUND, *d = s->room_d + AROUND, next[LONGEST];
    const int32_t n = s->points;
    u[-2] = f->mirror * u[0];
    u[-1] = u[n] = d[-1] = d[n] = 0;
    u[n + 1] = f->mirror * u[n - 1];
    for (int32_t p = 0; p < n; p++) {
        double pulled = f->near * ((u[p - 1] - u[p]) - (u[p] - u[p + 1])) -
                        f->far * ((u[p - 2] - u[p - 1]) - (u[p + 1] - u[p + 2]));
        next[p] = (f->keep * d[p] + f->late * (d[p - 1] + d[p + 1])) + pulled;
    }
    for (int32_t p = 0; p < n; p++) {
        u[p] += next[p];
        d[p] = next[p] + f->admittance * force[p];
        u[p] += f->admittance * force[p];
    }
}

static bool same_points(const plain_string* a, const plain_string* b) {
    bool same = true;
    for (int32_t i = AROUND; i < AROUND + a->points; i++)
        same = same && a->room_u[i] == b->room_u[i] && a->room_d[i] == b->room_d[i];
    return same;
}

// What acts on each point in the sample that comes.
static void forces_of(const sis_system* system, const sis_state* state, double* force) {
    const body_group* bodies = &system->body_groups[GROUP_STRING];
    double* F = calloc((size_t)system->dof_count, sizeof *F);
    if (!F) exit(1);
    state_view view = sis_view(system, state);
    view.motion.F = F;
    if (sis_state_samples(state) <= system->forced_until)
        sis_apply_sources(system, &view, sis_state_samples(state));
    for (int32_t p = 0; p < bodies->count; p++)
        force[p] = F[bodies->first + p];
    free(F);
}

static void run_beside(const kind_of_string* kind, int segments, int32_t lanes) {
    sis_system* system = make(kind, segments, lanes);
    CHECK(system != NULL);
    if (!system) return;
    const string_group* s = system->body_groups[GROUP_STRING].data;
    sis_state* state = example_state(system);
    plain_string plain = {.points = segments - 1}, here = {.points = segments - 1};
    double force[LONGEST], shape[LONGEST + 2];
    sis_step(system, state, &(sis_block){.frames = 1}); // its step was made at compile
    read_points(system, state, &plain);
    sis_state_shape(system, state, 0, shape);
    bool even = true, same = true;
    for (int32_t p = 0; p < plain.points; p++) { // the pluck as it was asked for
        double x = (p + 1.) / segments, asked = 3e-4 * (x < 0.3 ? x / 0.3 : (1 - x) / 0.7);
        even = even && fabs(shape[p + 1] - asked) < 1e-18;
    }
    for (int n = 1; n < SAMPLES; n++) {
        forces_of(system, state, force);
        step_plainly(&s->step, force, &plain);
        sis_step(system, state, &(sis_block){.frames = 1});
        read_points(system, state, &here);
        same = same && same_points(&plain, &here);
    }
    sis_energy e = sis_state_energy(system, state);
    CHECK(even);
    CHECK(same);
    CHECK(fabs(e.residual) <= 1e-13 * (system->initial + e.supplied));
    if (!even || !same) printf("  %d segments, %d lanes\n", segments, (int)lanes);
    free(state);
    sis_system_free(system);
}

static void strings_move_point_by_point_at_every_width(void) {
    for (int segments = 2; segments <= LONGEST; segments++)
        for (int32_t lanes = 1; lanes <= sis_widest(); lanes *= 2)
            run_beside(&kinds[segments % KINDS], segments, lanes);
    for (int segments = 24; segments < 44; segments++) // every number of points left over
        for (int kind = 0; kind < KINDS; kind++)
            run_beside(&kinds[kind], segments, sis_widest());
}

int main(void) {
    RUN(strings_move_point_by_point_at_every_width);
    return CHECK_REPORT();
}
