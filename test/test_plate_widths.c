// However large a plate is, and at every width, its points move as the scheme says, point by point:
// the same bits, with edges, tension, losses and forces. What it loses is a plain sum.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "examples.h"
#include "step/system.h"
#include "wide/width.h"

enum { LONGEST = 42, HIGHEST = 24, SAMPLES = 40 };

typedef struct kind_of_plate {
    sis_ends edge;
    bool stiff, tight, lossy, tuned;
} kind_of_plate;

static const kind_of_plate kinds[] = {
    {SIS_ENDS_SUPPORTED, true, false, false, false}, {SIS_ENDS_CLAMPED, true, false, true, false},
    {SIS_ENDS_SUPPORTED, true, true, true, false},   {SIS_ENDS_CLAMPED, true, true, false, false},
    {SIS_ENDS_SUPPORTED, false, true, true, false},  {SIS_ENDS_SUPPORTED, true, false, true, true},
    {SIS_ENDS_CLAMPED, true, false, false, true},    {SIS_ENDS_SUPPORTED, true, true, false, true},
    {SIS_ENDS_CLAMPED, true, true, true, true},      {SIS_ENDS_SUPPORTED, false, true, true, true}};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

// A plate of as many cells as wished, not square, stable at 44.1 kHz, pushed off its middle.
static sis_system* make(const kind_of_plate* kind, int nx, int ny, int32_t lanes) {
    const double h = 0.01, k = 1 / 44100., thickness = 1e-3, density = 1000;
    sis_scene* scene = sis_scene_new();
    sis_error error = {0};
    sis_plate_def def = sis_plate_default();
    def.length = h * nx;
    def.width = 1.1 * h * ny;
    def.thickness = thickness;
    def.material_density = density;
    def.poisson = 0.3;
    def.edge = kind->edge;
    def.tuned = kind->tuned;
    def.segments_x = nx;
    def.segments_y = ny;
    if (kind->tight) def.tension = 0.1 * density * thickness * (h / k) * (h / k);
    if (kind->stiff)
        def.youngs = 0.02 * density * pow(h * h / k, 2) * 12 * (1 - 0.3 * 0.3) / pow(thickness, 2);
    if (kind->lossy) {
        def.sigma0 = 2;
        def.sigma1 = 0.01 * h * h / k;
    }
    sis_id plate = example_added(sis_scene_add_plate(scene, &def, &error), &error);
    sis_force_def force = sis_force_default();
    force.on = plate;
    force.at = 0.37 * def.length;
    force.at_y = 0.58 * def.width;
    force.peak = 0.1;
    force.width = 2e-4;
    example_added(sis_scene_add_force(scene, &force, &error), &error);
    sis_options options = sis_options_default(scene);
    options.rate = 44100;
    options.lanes = lanes;
    sis_system* system = sis_compile(scene, &options, &error);
    sis_scene_free(scene);
    if (!system) printf("  %d x %d: %s\n", nx, ny, error.text);
    return system;
}

// The same plate by itself, its edges around it.
typedef double grid[HIGHEST + 1][LONGEST + 1];
typedef struct plain_plate {
    const plate_group* p;
    grid u, d, force;
    double lost; // J
} plain_plate;

// g on the edges: what their mirrors make of u beside them.
static void bend_edges(const plate_group* p, grid u, grid g) {
    const int nx = p->nx, ny = p->ny;
    for (int j = 1; j < ny; j++) {
        g[j][0] = p->step.edge * u[j][1];
        g[j][nx] = p->step.edge * u[j][nx - 1];
    }
    for (int i = 1; i < nx; i++) {
        g[0][i] = p->step.edge * p->ratio * u[1][i];
        g[ny][i] = p->step.edge * p->ratio * u[ny - 1][i];
    }
}

// A number beyond the edges, 0 along x, the mirror image along y.
static double beyond(const plate_group* p, grid u, int j, int i) {
    if (i < 0 || i > p->nx) return 0;
    return j < 0 ? p->mirror * u[-j][i] : j > p->ny ? p->mirror * u[2 * p->ny - j][i] : u[j][i];
}

// x dxx u + x2 dxx2 u + y dyy u + y2 dyy2 u
static double cross_at(const plate_group* p, const plate_cross* c, grid u, int j, int i) {
    const double here = u[j][i];
    const double dxx = (u[j][i - 1] - here) - (here - u[j][i + 1]);
    const double dyy = (u[j + 1][i] - here) - (here - u[j - 1][i]);
    const double dxx2 = (beyond(p, u, j, i - 2) - here) - (here - beyond(p, u, j, i + 2));
    const double dyy2 = (beyond(p, u, j + 2, i) - here) - (here - beyond(p, u, j - 2, i));
    return (c->y * dyy + c->y2 * dyy2) + (c->x * dxx + c->x2 * dxx2);
}

// Of a tuned plate: g = late d - its bends of u, with mirror images beyond the edges, and what
// pulls in place of pull lap u.
static void bend_tuned(plain_plate* s, grid g, grid pulls) {
    const plate_group* p = s->p;
    const plate_cross *b = &p->step.bends, *t = &p->step.pulls;
    const int nx = p->nx, ny = p->ny;
    for (int j = 1; j < ny; j++) {
        for (int i = 1; i < nx; i++) {
            g[j][i] = p->step.late * s->d[j][i] - cross_at(p, b, s->u, j, i);
            pulls[j][i] = cross_at(p, t, s->u, j, i);
        }
        for (int i = 1, end = 0; end < 2; i = nx - 1, end++) {
            g[j][i] -= b->x2 * (p->mirror * s->u[j][i]);
            pulls[j][i] += t->x2 * (p->mirror * s->u[j][i]);
        }
        if (!p->clamped) continue;
        g[j][0] = -2 * (b->x * s->u[j][1] + b->x2 * s->u[j][2]);
        g[j][nx] = -2 * (b->x * s->u[j][nx - 1] + b->x2 * s->u[j][nx - 2]);
    }
    for (int i = 1; i < nx && p->clamped; i++) {
        g[0][i] = -2 * b->y * s->u[1][i] + -2 * b->y2 * s->u[2][i];
        g[ny][i] = -2 * b->y * s->u[ny - 1][i] + -2 * b->y2 * s->u[ny - 2][i];
    }
}

// lap u = dxx u + ratio dyy u,  g = late d - bend lap u,  d+ = keep d + lap g + pull lap u + give F
static void step_plainly(plain_plate* s) {
    static grid g, lap, next, pulls;
    const plate_group* p = s->p;
    const double bend = p->step.bend, ratio = p->ratio;
    memset(g, 0, sizeof g);
    for (int j = 1; j < p->ny; j++)
        for (int i = 1; i < p->nx; i++) {
            const double here = s->u[j][i];
            lap[j][i] = ratio * ((s->u[j + 1][i] - here) - (here - s->u[j - 1][i])) -
                        ((here - s->u[j][i - 1]) + (here - s->u[j][i + 1]));
            g[j][i] = p->step.late * s->d[j][i] - bend * lap[j][i];
        }
    bend_edges(p, s->u, g);
    if (p->tuned) bend_tuned(s, g, pulls);
    for (int j = 1; j < p->ny; j++)
        for (int i = 1; i < p->nx; i++) {
            next[j][i] = p->step.keep * s->d[j][i] +
                         (((g[j][i - 1] + g[j][i + 1]) + ratio * (g[j + 1][i] + g[j - 1][i])) -
                          (2 + 2 * ratio) * g[j][i]);
            if (p->step.pull > 0) next[j][i] += p->tuned ? pulls[j][i] : p->step.pull * lap[j][i];
        }
    double sum = 0;
    for (int j = 1; j < p->ny; j++)
        for (int i = 1; i < p->nx; i++) {
            const double more = p->step.admittance * s->force[j][i];
            s->u[j][i] = (s->u[j][i] + next[j][i]) + more;
            next[j][i] += more;
            lap[j][i] = next[j][i] + s->d[j][i]; // from here on the travel
            const double left = i > 1 ? lap[j][i - 1] : 0, below = j > 1 ? lap[j - 1][i] : 0;
            sum += lap[j][i] * (lap[j][i] - p->loss_along * left - p->loss_across * below);
            s->d[j][i] = next[j][i];
        }
    s->lost += p->loss * sum;
}

// Reads the points of an array over all degrees of freedom.
static void read_points(const sis_system* system, const double* values, grid out) {
    const body_group* bodies = &system->body_groups[GROUP_STRING];
    const plate_group* p = bodies->data;
    for (int j = 1; j < p->ny; j++)
        for (int i = 1; i < p->nx; i++)
            out[j][i] = values[bodies->first + plate_place(p->nx, i, j)];
}

// What is no point stays 0.
static bool rest_is_still(const sis_system* system, const double* values) {
    const body_group* bodies = &system->body_groups[GROUP_STRING];
    const plate_group* p = bodies->data;
    int32_t others = 0;
    for (int32_t i = 0; i < bodies->count; i++)
        others += values[bodies->first + i] != 0;
    for (int j = 1; j < p->ny; j++)
        for (int i = 1; i < p->nx; i++)
            others -= values[bodies->first + plate_place(p->nx, i, j)] != 0;
    return others == 0;
}

// What acts on each point in the sample that comes.
static void forces_of(const sis_system* system, const sis_state* state, grid force) {
    double* F = calloc((size_t)system->dof_count, sizeof *F);
    if (!F) exit(1);
    state_view view = sis_view(system, state);
    view.motion.F = F;
    if (sis_state_samples(state) <= system->forced_until)
        sis_apply_sources(system, &view, sis_state_samples(state));
    read_points(system, F, force);
    free(F);
}

static void run_beside(const kind_of_plate* kind, int nx, int ny, int32_t lanes) {
    static plain_plate plain;
    static grid u, d;
    sis_system* system = make(kind, nx, ny, lanes);
    CHECK(system != NULL);
    if (!system) return;
    sis_state* state = example_state(system);
    memset(&plain, 0, sizeof plain);
    memset(u, 0, sizeof u);
    memset(d, 0, sizeof d);
    plain.p = system->body_groups[GROUP_STRING].data;
    CHECK(plain.p->tuned == kind->tuned);
    sis_step(system, state, &(sis_block){.frames = 1}); // its step was made at compile
    read_points(system, sis_view(system, state).motion.u, plain.u);
    read_points(system, sis_view(system, state).motion.d, plain.d);
    const double before = sis_state_energy(system, state).dissipated;
    bool same = true, still = true;
    for (int n = 1; n < SAMPLES; n++) {
        forces_of(system, state, plain.force);
        step_plainly(&plain);
        sis_step(system, state, &(sis_block){.frames = 1});
        const body_motion motion = sis_view(system, state).motion;
        read_points(system, motion.u, u);
        read_points(system, motion.d, d);
        same = same && !memcmp(u, plain.u, sizeof u) && !memcmp(d, plain.d, sizeof d);
        still = still && rest_is_still(system, motion.u) && rest_is_still(system, motion.d);
    }
    const sis_energy e = sis_state_energy(system, state);
    const double lost = e.dissipated - before;
    bool moved = false;
    for (int i = 1; i < nx; i++)
        moved = moved || u[1][i] != 0;
    CHECK(same && moved);
    CHECK(still);
    CHECK(kind->lossy ? lost > 0 : lost == 0);
    CHECK_NEAR(lost, plain.lost, 1e-13 * (e.supplied + plain.lost));
    CHECK_NEAR(e.residual, 0, 1e-13 * e.supplied);
    if (!same || !still)
        printf("  %d x %d, kind %d, %d lanes\n", nx, ny, (int)(kind - kinds), lanes);
    free(state);
    sis_system_free(system);
}

static void plates_move_point_by_point_at_every_width(void) {
    for (int nx = 2; nx <= LONGEST; nx++)
        for (int ny = 2; ny <= 12; ny += 1 + nx % 2)
            for (int32_t lanes = 1; lanes <= sis_widest(); lanes *= 2)
                run_beside(&kinds[(nx + ny) % KINDS], nx, ny, lanes);
    for (int ny = 2; ny <= HIGHEST; ny++)
        for (int kind = 0; kind < KINDS; kind++)
            run_beside(&kinds[kind], 3 + (ny * 5) % 31, ny, sis_widest());
    for (int nx = 2; nx <= 34; nx++) // every number of places behind the last point
        for (int kind = 0; kind < KINDS; kind++)
            run_beside(&kinds[kind], nx, 7, sis_widest());
}

int main(void) {
    RUN(plates_move_point_by_point_at_every_width);
    return CHECK_REPORT();
}
