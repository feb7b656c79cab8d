// Blocks of contacts that move each other, from three to several hundred: their linear algebra over
// lanes against sums written out one after another, and what scenes with them must hold.
#include "check.h"

#include "reference.h"
#include "wide/width.h"

enum { MOST = 120, RATE = 44100 };

// ---------------------------------------------------------------------------- algebra

// A set of links with a random positive definite G, and its dense form.
typedef struct matter {
    network_block block;
    network_set set;
    int32_t n, row[MOST], at[MOST];
    size_t start[MOST];
    double dense[MOST][MOST];
    double G[MOST * (MOST + PROFILE_PAD)], L[3 * MOST * (MOST + PROFILE_PAD)];
    double scratch[PROFILE_PANEL * (MOST + PROFILE_PAD)];
    double s[MOST + PROFILE_PAD], base[MOST + PROFILE_PAD];
} matter;

// G = B^T B of random modes, each link with those of places near it only where `reach` is short.
static void make_dense(matter* m, int32_t reach, uint64_t* seed) {
    static double B[MOST][2 * MOST];
    for (int32_t i = 0; i < m->n; i++)
        for (int32_t k = 0; k < m->n + reach; k++)
            B[i][k] = k >= i && k <= i + reach ? random_unit(seed) - 0.3 : 0;
    for (int32_t i = 0; i < m->n; i++)
        for (int32_t j = 0; j < m->n; j++) {
            m->dense[i][j] = 0;
            for (int32_t k = 0; k < m->n + reach; k++)
                m->dense[i][j] += 1e-6 * B[i][k] * B[j][k];
        }
}

static void make(matter* m, int32_t n, int32_t reach, double slope, bool rigid, uint64_t* seed) {
    memset(m, 0, sizeof *m);
    m->n = n;
    make_dense(m, reach, seed);
    size_t size = 0;
    const int32_t side = network_square_side(n);
    const bool square = n >= SQUARE_LEAST && n <= SQUARE_MOST;
    for (int32_t i = 0; i < n; i++) {
        int32_t first = 0;
        while (first < i && m->dense[i][first] == 0)
            first++;
        m->row[i] = first;
        m->start[i] = size;
        for (int32_t j = 0; j < n && square; j++)
            m->G[i * side + j] = m->dense[i][j];
        for (int32_t j = first; j <= i && !square; j++)
            m->G[size + (size_t)(j - first)] = m->dense[i][j];
        size += (size_t)(i - first + 1 + PROFILE_PAD);
        m->base[i] = rigid && random_unit(seed) < 0.1 ? 0 : 1;
        m->s[i] = m->base[i] == 0 ? 1 : sqrt(slope * random_log(seed, 0.01, 1) / m->dense[i][i]);
    }
    m->block = (network_block){.count = n, .wide = !square};
    m->set = (network_set){.block = &m->block,
                           .count = n,
                           .at = m->at,
                           .row = m->row,
                           .start = m->start,
                           .G = m->G,
                           .L = m->L,
                           .square = square ? side : 0,
                           .scale = 1};
}

static const profile_algebra* algebra(const matter* m, int32_t lanes) {
    const profile_kernel* kernel = sis_wide(lanes)->profile;
    return m->set.square ? &kernel->square : &kernel->wide;
}

// x of (diag(base) + S G S) x = right by sums one after another in long doubles.
static void solve_dense(const matter* m, const double* right, double* x) {
    static long double L[MOST][MOST];
    long double y[MOST];
    for (int32_t i = 0; i < m->n; i++) {
        for (int32_t j = 0; j <= i; j++) {
            long double sum = (long double)m->s[i] * m->dense[i][j] * m->s[j];
            if (i == j) sum += m->base[i];
            for (int32_t k = 0; k < j; k++)
                sum -= L[i][k] * L[j][k];
            L[i][j] = i == j ? sqrtl(sum) : sum / L[j][j];
        }
        y[i] = right[i];
        for (int32_t k = 0; k < i; k++)
            y[i] -= L[i][k] * y[k];
        y[i] /= L[i][i];
    }
    for (int32_t i = m->n - 1; i >= 0; i--) {
        for (int32_t k = i + 1; k < m->n; k++)
            y[i] -= L[k][i] * y[k];
        y[i] /= L[i][i];
        x[i] = (double)y[i];
    }
}

static double size_of(const double* v, int32_t n) {
    double sum = 0;
    for (int32_t i = 0; i < n; i++)
        sum += v[i] * v[i];
    return sqrt(sum);
}

static double distance(const double* a, const double* b, int32_t n) {
    double d[MOST];
    for (int32_t i = 0; i < n; i++)
        d[i] = a[i] - b[i];
    return size_of(d, n);
}

static void random_vector(double* v, int32_t n, uint64_t* seed) {
    for (int32_t i = 0; i < MOST + PROFILE_PAD; i++)
        v[i] = i < n ? random_unit(seed) - 0.5 : 0;
}

static void products_are_those_of_the_dense_matrix_at_every_width(void) {
    static matter m;
    uint64_t seed = 1;
    for (int trial = 0; trial < check_count(60, 2000); trial++) {
        int32_t n = 3 + (int32_t)(random_unit(&seed) * (MOST - 3));
        if (trial % 2) n = 3 + n % 14;
        make(&m, n, trial % 3 ? n : 5, 1, false, &seed);
        double v[MOST + PROFILE_PAD], one[MOST + PROFILE_PAD] = {0}, want[MOST] = {0};
        random_vector(v, n, &seed);
        algebra(&m, 1)->multiply(&m.set, v, one);
        for (int32_t i = 0; i < n; i++)
            for (int32_t j = 0; j < n; j++)
                want[i] += m.dense[i][j] * v[j];
        CHECK(distance(one, want, n) <= 1e-14 * size_of(want, n) * sqrt(n));
        for (int32_t lanes = 2; lanes <= sis_widest(); lanes *= 2) {
            double wide[MOST + PROFILE_PAD] = {0};
            algebra(&m, lanes)->multiply(&m.set, v, wide);
            CHECK(memcmp(one, wide, (size_t)n * sizeof *one) == 0);
        }
    }
}

static void factors_solve_the_dense_system_at_every_width(void) {
    static matter m;
    uint64_t seed = 2;
    double worst = 0;
    for (int trial = 0; trial < check_count(80, 2000); trial++) {
        int32_t n = 3 + (int32_t)(random_unit(&seed) * (MOST - 3));
        if (trial % 2) n = 3 + n % 14;
        const double slope = random_log(&seed, 1e-3, 1e6);
        make(&m, n, trial % 3 ? n : 7, slope, trial % 5 == 0, &seed);
        double right[MOST + PROFILE_PAD], one[MOST + PROFILE_PAD], want[MOST];
        random_vector(right, n, &seed);
        solve_dense(&m, right, want);
        memcpy(one, right, sizeof one);
        algebra(&m, 1)->factor(&m.set, m.base, m.s, m.scratch);
        algebra(&m, 1)->substitute(&m.set, one);
        double off = distance(one, want, n) / size_of(want, n);
        worst = fmax(worst, off / (1 + slope * n));
        CHECK(off <= 1e-14 * (1 + slope * n)); // its condition
        for (int32_t lanes = 2; lanes <= sis_widest(); lanes *= 2) {
            double wide[MOST + PROFILE_PAD];
            memcpy(wide, right, sizeof wide);
            memset(m.L, 0x7f, sizeof m.L); // nothing of the last factor is used
            algebra(&m, lanes)->factor(&m.set, m.base, m.s, m.scratch);
            algebra(&m, lanes)->substitute(&m.set, wide);
            CHECK(memcmp(one, wide, (size_t)n * sizeof *one) == 0);
        }
    }
    printf("  off by %.1e of the condition\n", worst);
}

static void conjugate_gradients_end_where_the_factor_leads(void) {
    static matter m;
    uint64_t seed = 3;
    for (int trial = 0; trial < check_count(40, 1000); trial++) {
        int32_t n = 20 + (int32_t)(random_unit(&seed) * (MOST - 20));
        make(&m, n, trial % 2 ? n : 9, random_log(&seed, 1e-3, 10), false, &seed);
        double right[MOST + PROFILE_PAD], want[MOST], one[MOST + PROFILE_PAD];
        random_vector(right, n, &seed);
        solve_dense(&m, right, want);
        for (int32_t lanes = 1; lanes <= sis_widest(); lanes *= 2) {
            double step[MOST + PROFILE_PAD], x[MOST + PROFILE_PAD];
            memcpy(step, right, sizeof step);
            CHECK(sis_wide(lanes)->profile->conjugate(&m.set, m.s, step, x,
                                                      1e-15 * size_of(right, n), 4 * n, m.scratch));
            CHECK(distance(x, want, n) <= 1e-12 * size_of(want, n));
            if (lanes == 1) memcpy(one, x, sizeof one);
            CHECK(memcmp(one, x, (size_t)n * sizeof *one) == 0);
        }
        // Told to stop early it says so, and what it has found and what is left belong together.
        double step[MOST + PROFILE_PAD], x[MOST + PROFILE_PAD], rest[MOST];
        memcpy(step, right, sizeof step);
        CHECK(!sis_wide(1)->profile->conjugate(&m.set, m.s, step, x, 0, 1, m.scratch));
        solve_dense(&m, step, rest);
        for (int32_t i = 0; i < n; i++)
            rest[i] += x[i];
        CHECK(distance(rest, want, n) <= 1e-12 * size_of(want, n));
    }
}

// ---------------------------------------------------------------------------- scenes

// A body that many contacts hold from both sides, and what else is on it.
typedef struct held {
    int body;   // 0 modal string, 1 modal plate, 2 explicit membrane with cubic weights
    int count;  // contacts
    double aG;  // their slope times their own compliance, about
    double gap; // m; < 0: pressed in from the start
    double alpha, mu;
    bool spring, rigid, bow, quadratised;
} held;

static sis_id held_body(sis_scene* scene, int kind) {
    if (kind == 0) {
        sis_string_def def = sis_string_default();
        def.length = 1;
        def.tension = 100;
        def.density = 5e-3;
        def.radius = 3e-4;
        def.youngs = 2e11;
        def.model = SIS_STRING_MODAL;
        def.modes = 60;
        return put(scene, SIS_KIND_STRING, &def);
    }
    sis_plate_def def = sis_plate_default();
    def.length = def.width = 0.5;
    def.thickness = 2e-4;
    def.material_density = 1500;
    def.tension = 1000;
    def.sigma0 = 2;
    def.model = kind == 1 ? SIS_PLATE_MODAL : SIS_PLATE_FD;
    if (kind == 1)
        def.modes = 80;
    else
        def.segments_x = def.segments_y = 30;
    return put(scene, SIS_KIND_PLATE, &def);
}

static void hold(sis_scene* scene, const held* h, sis_id body, sis_id barrier, int i,
                 uint64_t* seed) {
    // k^2 modes/mass of a string, k^2/(rho h^2) of a point of a membrane
    const double G[] = {60 / 5e-3, 80 / 0.075 * 2, 1 / (0.3 * 0.0166 * 0.0166)};
    const double depth = h->gap < 0 ? -h->gap : 1e-4;
    double place[2] = {0.05 + 0.4 * random_unit(seed), 0.05 + 0.4 * random_unit(seed)};
    sis_contact_def c = sis_contact_default();
    if (h->body == 0) place[0] = (i + 1.) / (h->count + 1);
    const sis_list at = {place, h->body == 0 ? 1 : 2};
    c.above = i % 2 ? barrier : body;
    c.below = i % 2 ? body : barrier;
    *(i % 2 ? &c.at_below : &c.at_above) = at;
    c.alpha = h->alpha;
    c.K = h->aG / (G[h->body] / RATE / RATE) / h->alpha / pow(depth, h->alpha - 1);
    c.gap = h->gap;
    c.damping = h->mu;
    if (h->quadratised && i % 3 == 0) {
        c.scheme = SIS_SCHEME_QUADRATISED;
        c.release = true;
        c.damping = 0;
    }
    put(scene, SIS_KIND_CONTACT, &c);
}

static void hold_more(sis_scene* scene, const held* h, sis_id body) {
    sis_force_def kick = sis_force_default();
    kick.on = body;
    kick.at = 0.21;
    if (h->body) kick.at_y = 0.17;
    kick.peak = 0.5;
    kick.width = 1e-3;
    put(scene, SIS_KIND_FORCE, &kick);
    for (int i = 0; i < 2; i++) {
        if (!(i ? h->rigid : h->spring)) continue;
        sis_spring_def spring = sis_spring_default();
        spring.a = body;
        spring.b = put_mass(scene, 0.01, 0, 0);
        spring.at_a = 0.13 + 0.2 * i;
        if (h->body) spring.at_a_y = 0.3;
        if (i)
            spring.rigid = true;
        else
            spring.K1 = 1e4, spring.damping = 0.1;
        put(scene, SIS_KIND_SPRING, &spring);
    }
    if (h->bow) {
        sis_bow_def bow = sis_bow_default();
        bow.on = body;
        bow.at = 0.1;
        if (h->body) bow.at_y = 0.11;
        bow.velocity = 0.1;
        bow.force = 0.3;
        put(scene, SIS_KIND_BOW, &bow);
    }
    sis_probe_def probe = sis_probe_default();
    probe.on = body;
    probe.at = 0.37;
    if (h->body) probe.at_y = 0.22;
    put(scene, SIS_KIND_PROBE, &probe);
}

static sis_system* held_system(const held* h, int32_t lanes, sis_scheme scheme) {
    sis_error error = {0};
    uint64_t seed = 77;
    sis_scene* scene = sis_scene_new();
    sis_id body = held_body(scene, h->body), barrier = put_barrier(scene, 0);
    for (int i = 0; i < h->count; i++)
        hold(scene, h, body, barrier, i, &seed);
    hold_more(scene, h, body);
    sis_options options = sis_options_default(scene);
    options.rate = RATE;
    options.lanes = lanes;
    options.scheme = scheme;
    sis_system* system = sis_compile(scene, &options, &error);
    sis_scene_free(scene);
    if (!system) {
        fprintf(stderr, "%s\n", error.text);
        exit(1);
    }
    return system;
}

static held random_held(int trial, uint64_t* seed) {
    static const int counts[] = {3, 5, 8, 9, 14, 17, 24, 40, 70, 110};
    held h = {.body = trial % 3,
              .count = counts[(int)(random_unit(seed) * 10)],
              .aG = random_log(seed, 1e-3, 300),
              .gap = random_unit(seed) < 0.5 ? -1e-3 : 1e-5,
              .alpha = 1 + 1.5 * random_unit(seed),
              .mu = random_unit(seed) < 0.4 ? random_log(seed, 0.01, 10) : 0,
              .spring = random_unit(seed) < 0.3,
              .rigid = random_unit(seed) < 0.2,
              .bow = random_unit(seed) < 0.2,
              .quadratised = random_unit(seed) < 0.2};
    if (h.bow && h.body) h.bow = false;
    return h;
}

enum { FRAMES = SANITIZED ? 60 : 250 };

static double least_force(const run* r) {
    double least = 0;
    for (int32_t i = 0; i < sis_system_link_count(r->system); i++)
        if (sis_system_link(r->system, i).kind == SIS_KIND_CONTACT)
            least = fmin(least, sis_state_link(r->system, r->state, i).min_force);
    return least;
}

static void blocks_balance_their_energy_and_never_pull_with_the_same_bits_at_every_width(void) {
    uint64_t seed = 5;
    double worst = 0;
    int32_t largest = 0;
    for (int trial = 0; trial < check_count(36, 600); trial++) {
        const held h = random_held(trial, &seed);
        run one = run_system(held_system(&h, 1, SIS_SCHEME_AS_GIVEN), FRAMES, 64);
        const double residual = run_residual(&one);
        worst = fmax(worst, residual);
        CHECK(residual <= 1e-12);
        CHECK(least_force(&one) >= 0);
        const int32_t size = sis_system_link(one.system, 0).block_size;
        if (size > largest) largest = size;
        for (int32_t lanes = 2; lanes <= sis_widest(); lanes *= 2) {
            run wide = run_system(held_system(&h, lanes, SIS_SCHEME_AS_GIVEN), FRAMES,
                                  lanes == 2 ? 7 : 100);
            CHECK(memcmp(one.rows, wide.rows, FRAMES * sizeof *one.rows) == 0);
            run_free(&wide);
        }
        run_free(&one);
    }
    printf("  residual %.1e, largest block %d\n", worst, (int)largest);
    CHECK(largest > 60);
}

// Before hard contacts have multiplied the rounding: a string thrown between them is chaotic.
enum { SOON = 60 };

static void ledger_in_large_blocks_is_newton(void) {
    uint64_t seed = 6;
    double worst = 0;
    for (int trial = 0; trial < check_count(18, 300); trial++) {
        held h = random_held(trial, &seed);
        h.quadratised = h.bow = false;
        run ledger = run_system(held_system(&h, 0, SIS_SCHEME_AS_GIVEN), SOON, SOON);
        run newton = run_system(held_system(&h, 0, SIS_SCHEME_NEWTON), SOON, SOON);
        double off = 0, size = 0;
        for (int32_t n = 0; n < SOON; n++) {
            size = fmax(size, fabs(run_at(&newton, n, 0)));
            off = fmax(off, fabs(run_at(&newton, n, 0) - run_at(&ledger, n, 0)));
        }
        worst = fmax(worst, off / size);
        CHECK(off <= 1e-9 * size);
        run_free(&ledger);
        run_free(&newton);
    }
    printf("  %.1e apart\n", worst);
}

int main(void) {
    RUN(products_are_those_of_the_dense_matrix_at_every_width);
    RUN(factors_solve_the_dense_system_at_every_width);
    RUN(conjugate_gradients_end_where_the_factor_leads);
    RUN(blocks_balance_their_energy_and_never_pull_with_the_same_bits_at_every_width);
    RUN(ledger_in_large_blocks_is_newton);
    return CHECK_REPORT();
}
