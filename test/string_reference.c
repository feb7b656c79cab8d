#include "string_reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------- strings of the
// papers

sis_string_def string_2019(void) {
    sis_string_def def = sis_string_default();
    def.length = 1;
    def.tension = 500;
    def.density = 0.063;
    def.radius = 5e-4;
    def.youngs = 2e11;
    return def;
}

sis_string_def string_2014(double radius) {
    sis_string_def def = sis_string_default();
    def.length = 0.8;
    def.tension = 38.5;
    def.material_density = 7850;
    def.radius = radius;
    def.youngs = 2e11;
    return def;
}

sis_string_def string_short(void) {
    sis_string_def def = sis_string_default();
    def.length = 0.6;
    def.tension = 60;
    def.density = 5e-3;
    def.radius = 4e-4;
    def.youngs = 2e11;
    def.sigma0 = 2;
    def.sigma1 = 1e-3;
    return def;
}

const string_kind string_kinds[STRING_KINDS] = {
    {"fd", SIS_STRING_FD, NAN, SIS_GAMMA_OPTIMAL, true},
    {"fd published", SIS_STRING_FD, NAN, SIS_GAMMA_OPTIMAL, false},
    {"implicit", SIS_STRING_IMPLICIT, NAN, SIS_GAMMA_OPTIMAL, true},
    {"implicit published", SIS_STRING_IMPLICIT, NAN, SIS_GAMMA_OPTIMAL, false},
    {"implicit gamma tuned", SIS_STRING_IMPLICIT, NAN, SIS_GAMMA_TUNED, true},
    {"implicit gamma 0", SIS_STRING_IMPLICIT, 0, SIS_GAMMA_OPTIMAL, false},
    {"implicit gamma 0.7", SIS_STRING_IMPLICIT, 0.7, SIS_GAMMA_OPTIMAL, false},
    {"trapezoid published", SIS_STRING_TRAPEZOID, NAN, SIS_GAMMA_OPTIMAL, false},
    {"trapezoid", SIS_STRING_TRAPEZOID, NAN, SIS_GAMMA_OPTIMAL, true},
    {"modal", SIS_STRING_MODAL, NAN, SIS_GAMMA_OPTIMAL, true},
    {"modal leapfrog", SIS_STRING_MODAL, NAN, SIS_GAMMA_OPTIMAL, false},
};

sis_string_def string_as(sis_string_def def, const string_kind* kind) {
    def.model = kind->model;
    def.gamma = kind->gamma;
    def.gamma_rule = kind->rule;
    def.tuned = kind->tuned;
    return def;
}

// ---------------------------------------------------------------------------- scenes

double bent_2019(double x) {
    return -1e-4 - 1e-4 * x - 1e-3 * x * x;
}

double bridge_2014(double x) {
    const double y = x / 0.8 - 0.5;
    return -2e-3 - 12e-3 * y * y;
}

static bool profile_value(void* context, double x, double* out, sis_error* error) {
    (void)error;
    *out = (*(const shape*)context)(x);
    return true;
}

sis_id put_bed(sis_scene* scene, shape height, double level) {
    // A profile keeps a pointer, so the functions it may point to live here for ever.
    static shape known[8];
    sis_barrier_def def = sis_barrier_default();
    if (!height) {
        def.height = level;
        return put(scene, SIS_KIND_BARRIER, &def);
    }
    int i = 0;
    while (i < 7 && known[i] && known[i] != height)
        i++;
    known[i] = height;
    def.profile = (sis_profile){.value = profile_value, .context = &known[i]};
    return put(scene, SIS_KIND_BARRIER, &def);
}

sis_id put_push(sis_scene* scene, sis_id on, double at, double peak, double width, double start) {
    sis_force_def def = sis_force_default();
    def.on = on;
    def.at = at;
    def.peak = peak;
    def.width = width;
    def.start = start;
    return put(scene, SIS_KIND_FORCE, &def);
}

sis_id put_pluck(sis_scene* scene, sis_id on, sis_pluck_shape form, double at, double height) {
    sis_pluck_def def = sis_pluck_default();
    def.on = on;
    def.shape = form;
    def.at = at;
    def.height = height;
    return put(scene, SIS_KIND_PLUCK, &def);
}

sis_id put_mode(sis_scene* scene, sis_id on, int32_t mode, double height) {
    sis_pluck_def def = sis_pluck_default();
    def.on = on;
    def.shape = SIS_PLUCK_MODE;
    def.mode = mode;
    def.height = height;
    return put(scene, SIS_KIND_PLUCK, &def);
}

void put_pickup(sis_scene* scene, sis_id on, double at, sis_quantity quantity) {
    sis_probe_def def = sis_probe_default();
    def.on = on;
    def.at = at;
    def.quantity = quantity;
    put(scene, SIS_KIND_PROBE, &def);
}

sis_system* compiled(sis_scene* scene, double rate) {
    sis_error error = {.status = SIS_OK};
    const sis_options options = {.rate = rate, .scheme = SIS_SCHEME_AS_GIVEN};
    sis_system* system = sis_compile(scene, &options, &error);
    sis_scene_free(scene);
    if (system) return system;
    fprintf(stderr, "compile: %s\n", error.text);
    exit(1);
}

method method_of(sis_scheme scheme, sis_potential potential) {
    return (method){sis_scheme_word(scheme), scheme, false, potential};
}

// ---------------------------------------------------------------------------- formulas of the laws

double string_stiffness(const sis_string_def* def) {
    return isnan(def->radius) ? 0 : def->youngs * PI * pow(def->radius, 4) / 4;
}

double string_stretch(const sis_string_def* def) {
    return isnan(def->radius) ? 0 : def->youngs * PI * def->radius * def->radius;
}

double string_density(const sis_string_def* def) {
    return isnan(def->density) ? def->material_density * PI * def->radius * def->radius
                               : def->density;
}

double exact_omega(const sis_string_def* def, int32_t p) {
    const double beta = p * PI / def->length;
    return beta * sqrt((def->tension + string_stiffness(def) * beta * beta) / string_density(def));
}

double cents(double measured, double exact) {
    return 1200 * log2(measured / exact);
}

double ringing(const double* x, int32_t count, double rate) {
    // Least squares of x+ + x- = 2c x, written in differences so that low pitches keep their
    // digits: x+ - 2x + x- = -4 sin^2(w k/2) x.
    real top = 0, bottom = 0;
    for (int32_t n = 1; n + 1 < count; n++) {
        const real bend = (real)x[n + 1] - 2 * (real)x[n] + (real)x[n - 1];
        top -= bend * (real)x[n];
        bottom += (real)x[n] * (real)x[n];
    }
    return (double)(2 * asinl(sqrtl(top / bottom) / 2)) * rate / (2 * PI);
}

double push_at(double peak, double width, double start, double t) {
    const double s = t - start;
    return s < 0 || s >= width ? 0 : peak / 2 * (1 - cos(2 * PI * s / width));
}

// ---------------------------------------------------------------------------- the second way

ref* ref_new(double rate, sis_scheme scheme, bool midpoint) {
    ref* r = calloc(1, sizeof *r);
    if (!r) exit(1);
    r->k = 1 / rate;
    r->scheme = scheme;
    r->midpoint = midpoint;
    r->share = 1;
    return r;
}

static void dense_product(real to[REF_DOFS][REF_DOFS], real a[REF_DOFS][REF_DOFS],
                          real b[REF_DOFS][REF_DOFS], int first, int n) {
    for (int i = first; i < first + n; i++)
        for (int j = first; j < first + n; j++) {
            real sum = 0;
            for (int m = first; m < first + n; m++)
                sum += a[i][m] * b[m][j];
            to[i][j] = sum;
        }
}

// Dxx and Dxxxx between the ends. Dxx Dxx is the supported Dxxxx; a clamp (ghost u_-1 = mirror u_1)
// adds (1 + mirror)/h^4 at either end.
static void differences(ref* r, const ref_body* b, real h, real mirror,
                        real d4[REF_DOFS][REF_DOFS]) {
    const int f = b->first, n = b->count;
    for (int i = f; i < f + n; i++) {
        r->D2[i][i] = -2 / (h * h);
        if (i > f) r->D2[i][i - 1] = r->D2[i - 1][i] = 1 / (h * h);
    }
    dense_product(d4, r->D2, r->D2, f, n);
    d4[f][f] += (1 + mirror) / (h * h * h * h);
    d4[f + n - 1][f + n - 1] += (1 + mirror) / (h * h * h * h);
}

static void grid_matrices(ref* r, const sis_string_def* def, const sis_body_info* used, real h) {
    static real d4[REF_DOFS][REF_DOFS]; // large
    const ref_body* b = &r->body[r->bodies];
    const real k = r->k, rho = used->density, s0 = used->sigma0_used, s1 = used->sigma1_used;
    const bool fd = def->model == SIS_STRING_FD, whole = def->model == SIS_STRING_TRAPEZOID;
    const real gamma = def->model == SIS_STRING_IMPLICIT ? (real)used->gamma : 0;
    differences(r, b, h, used->mirror, d4);
    for (int i = b->first; i < b->first + b->count; i++)
        for (int j = b->first; j < b->first + b->count; j++) {
            const real one = i == j, d2 = r->D2[i][j];
            const real P = k * k / rho * ((real)used->tension * d2 - (real)used->used * d4[i][j]);
            const real L = one - gamma * h * h / 4 * d2 - (whole ? P / 4 : 0);
            const real M = k * (s0 * one - (fd ? 0 : s1 * d2)), late = fd ? 2 * k * s1 * d2 : 0;
            r->P[i][j] = b->scale * P;
            r->L[i][j] = L;
            r->A[i][j] = b->scale * (L + M);
            r->B[i][j] = b->scale * (2 * L + P + late);
            r->C[i][j] = b->scale * (M - L - late);
        }
}

// A slope of N segments mirrored at both ends, again and again.
static int mirrored(int j, int N) {
    j = ((j % (2 * N)) + 2 * N) % (2 * N);
    return j < N ? j : 2 * N - 1 - j;
}

// out = W in for slopes, W of seven taps.
static void filtered(int N, const real taps[7], const real* in, real* out) {
    for (int i = 0; i < N; i++) {
        out[i] = 0;
        for (int j = -3; j <= 3; j++)
            out[i] += taps[j + 3] * in[mirrored(i + j, N)];
    }
}

// The matrix of the stretch: -Dxx, of a tuned string D^T F L F D/h^2 with the half-band filter F
// and the mass L; of a tuned modal one partials below a quarter of the rate only.
static void stretch_matrix(const ref* r, ref_body* b, const sis_string_def* def,
                           const sis_body_info* used) {
    const int n = b->count, N = n + 1;
    const real F[7] = {-1 / 32.L, 0, 9 / 32.L, 0.5L, 9 / 32.L, 0, -1 / 32.L},
               h = b->length / (real)N;
    const real g = def->model == SIS_STRING_IMPLICIT ? (real)used->gamma / 4 : 0;
    const real L[7] = {0, 0, -g, 1 + 2 * g, -g, 0, 0};
    for (int j = 0; j < n; j++) {
        real a[REF_DOFS + 1] = {0}, c[REF_DOFS + 1];
        for (int i = 0; i < n && (b->modal || !def->tuned); i++)
            b->S[i][j] = -r->D2[b->first + i][b->first + j];
        if (b->modal && def->tuned && exact_omega(def, j + 1) >= acos(-1) / 2 / r->k)
            b->S[j][j] = 0;
        if (b->modal || !def->tuned) continue;
        a[j] = 1 / (h * h);
        a[j + 1] = -1 / (h * h);
        filtered(N, F, a, c);
        filtered(N, L, c, a);
        filtered(N, F, a, c);
        for (int i = 0; i < n; i++)
            b->S[i][j] = c[i] - c[i + 1];
    }
}

// q'' + 2 s q' + w^2 q: exact (w_d, s) when tuned, leapfrog when not.
static void modal_matrices(ref* r, const sis_string_def* def, const sis_body_info* used) {
    const ref_body* b = &r->body[r->bodies];
    const real k = r->k, pi = acosl(-1);
    for (int i = b->first; i < b->first + b->count; i++) {
        const real beta = (real)(i - b->first + 1) * pi / (real)def->length, b2 = beta * beta;
        const real s = (real)used->sigma0 + (real)used->sigma1 * b2;
        const real w2 = b2 * ((real)used->tension + (real)used->stiffness * b2) / used->density;
        const real wd = sqrtl(w2 - s * s);
        const real loss = used->tuned ? tanhl(s * k) : s * k;
        const real bend = used->tuned ? 2 * (1 - cosl(wd * k) / coshl(s * k)) : w2 * k * k;
        r->D2[i][i] = -b2;
        r->P[i][i] = -b->scale * bend;
        r->L[i][i] = 1;
        r->A[i][i] = b->scale * (1 + loss);
        r->B[i][i] = b->scale * (2 - bend);
        r->C[i][i] = b->scale * (loss - 1);
    }
}

int ref_string(ref* r, const sis_string_def* def, const sis_body_info* used) {
    ref_body* b = &r->body[r->bodies];
    const real h = (real)def->length / used->segments, k = r->k, rho = used->density;
    const real EA = def->nonlinear ? string_stretch(def) : 0;
    const bool modal = def->model == SIS_STRING_MODAL;
    *b = (ref_body){.first = r->dofs,
                    .count = modal ? used->modes : used->segments - 1,
                    .modal = modal,
                    .clamped = def->ends == SIS_ENDS_CLAMPED,
                    .through = def->model == SIS_STRING_IMPLICIT && def->tuned,
                    .segments = used->segments,
                    .length = def->length};
    if (b->through) b->root = (real)used->gamma * h * h / 8;
    b->scale = (modal ? rho * (real)def->length / 2 : rho * h) / (k * k);
    b->kap = modal ? k * k * EA / (8 * rho) : k * k * EA * h / (4 * rho * (real)def->length);
    if (b->first + b->count > REF_DOFS) {
        fprintf(stderr, "the reference has room for %d degrees of freedom\n", REF_DOFS);
        exit(1);
    }
    r->dofs += b->count;
    if (modal)
        modal_matrices(r, def, used);
    else
        grid_matrices(r, def, used, h);
    if (def->nonlinear) stretch_matrix(r, b, def, used);
    return r->bodies++;
}

int ref_mass(ref* r, double mass, double stiffness, double damping) {
    ref_body* b = &r->body[r->bodies];
    const int i = r->dofs++;
    const real k = r->k;
    *b = (ref_body){.first = i, .count = 1, .scale = (real)mass / (k * k)};
    r->P[i][i] = -(real)stiffness;
    r->L[i][i] = 1;
    r->A[i][i] = b->scale * (1 + (real)damping * k / 2);
    r->B[i][i] = 2 * b->scale - (real)stiffness;
    r->C[i][i] = -b->scale * (1 - (real)damping * k / 2);
    return r->bodies++;
}

// ---------------------------------------------------------------------------- reading and pushing

void ref_read(const ref* r, int body, double x, int order, real factor, real* row) {
    const ref_body* b = &r->body[body];
    if (b->length == 0) {
        row[b->first] += factor;
        return;
    }
    for (int p = 1; b->modal && p <= b->count; p++)
        row[b->first + p - 1] += factor * sinl((real)p * acosl(-1) * (real)x / (real)b->length);
    if (b->modal) return;
    real plain[REF_DOFS] = {0};
    const real place = (real)x * b->segments / (real)b->length;
    const int left = order == 0   ? (int)floorl(place + 0.5L)
                     : order == 1 ? (int)floorl(place)
                                  : (int)floorl(place) - 1;
    for (int i = left; i <= left + order; i++) {
        real weight = 1;
        for (int j = left; j <= left + order; j++)
            if (j != i) weight *= (place - j) / (i - j);
        int at = i;
        if (at < 0 || at > b->segments) { // ghosts: odd about a supported end, even about a clamp
            at = at < 0 ? -at : 2 * b->segments - at;
            if (!b->clamped) weight = -weight;
        }
        if (at > 0 && at < b->segments) plain[b->first + at - 1] += factor * weight;
    }
    for (int i = b->first; i < b->first + b->count; i++) {
        row[i] += plain[i];
        for (int j = b->first; b->through && j < b->first + b->count; j++)
            row[i] -= b->root * r->D2[i][j] * plain[j];
    }
}

void ref_push(ref* r, int body, double x) {
    ref_read(r, body, x, 3, 1, r->push);
}

int ref_contact(ref* r, double K, double alpha, double offset) {
    const int c = r->contacts++;
    if (c >= REF_CONTACTS) exit(1);
    r->K[c] = K;
    r->alpha[c] = alpha;
    r->offset[c] = offset;
    return c;
}

void ref_spring(ref* r, const real* col, double K1, double R) {
    const real K = K1, loss = (real)R / (2 * (real)r->k);
    for (int i = 0; i < r->dofs; i++)
        for (int j = 0; j < r->dofs; j++) {
            r->A[i][j] += (K / 4 + loss) * col[i] * col[j];
            r->B[i][j] -= K / 2 * col[i] * col[j];
            r->C[i][j] -= (K / 4 - loss) * col[i] * col[j];
        }
}

void ref_bed(ref* r, int body, double from, double to, shape height, double level, double K,
             double alpha) {
    const ref_body* b = &r->body[body];
    const double h = b->length / b->segments;
    for (int i = 1; i < b->segments; i++) {
        const double x = b->length * i / b->segments;
        if (x < from || x > to) continue;
        const int c = ref_contact(r, K * h, alpha, height ? height(x) : level);
        ref_read(r, body, x, 3, -1, r->col[c]);
    }
}

double ref_at(const ref* r, const real* row) {
    real sum = 0;
    for (int i = 0; i < r->dofs; i++)
        sum += row[i] * r->u[i];
    return (double)sum;
}

// ---------------------------------------------------------------------------- steps

// Gauss elimination with row pivots; overwrites both.
static void solve(int n, real matrix[REF_DOFS][REF_DOFS], real* x) {
    for (int i = 0; i < n; i++) {
        int best = i;
        for (int j = i + 1; j < n; j++)
            if (fabsl(matrix[j][i]) > fabsl(matrix[best][i])) best = j;
        for (int j = i; j < n && best != i; j++) {
            const real swap = matrix[i][j];
            matrix[i][j] = matrix[best][j];
            matrix[best][j] = swap;
        }
        const real swap = x[i];
        x[i] = x[best];
        x[best] = swap;
        for (int j = i + 1; j < n; j++) {
            const real factor = matrix[j][i] / matrix[i][i];
            if (factor == 0) continue;
            for (int m = i; m < n; m++)
                matrix[j][m] -= factor * matrix[i][m];
            x[j] -= factor * x[i];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            x[i] -= matrix[i][j] * x[j];
        x[i] /= matrix[i][i];
    }
}

void ref_shape(ref* r, int body) {
    static real R[REF_DOFS][REF_DOFS]; // large
    const ref_body* b = &r->body[body];
    real u[REF_DOFS] = {0};
    for (int i = 0; i < b->count; i++) {
        u[i] = r->u[b->first + i];
        for (int j = 0; j < b->count; j++)
            R[i][j] = (i == j) - (b->through ? b->root * r->D2[b->first + i][b->first + j] : 0);
    }
    solve(b->count, R, u);
    for (int i = 0; i < b->count; i++)
        r->u[b->first + i] = u[i];
}

static real dot(const ref* r, const real* a, const real* b) {
    real sum = 0;
    for (int i = 0; i < r->dofs; i++)
        sum += a[i] * b[i];
    return sum;
}

static void add_outer(const ref* r, real matrix[REF_DOFS][REF_DOFS], const real* v, real factor) {
    for (int i = 0; factor != 0 && i < r->dofs; i++)
        for (int j = 0; v[i] != 0 && j < r->dofs; j++)
            matrix[i][j] += factor * v[i] * v[j];
}

static real slope_of(real K, real alpha, real eta) {
    return eta > 0 ? K * powl(eta, alpha) : 0;
}

// (phi(a + y) - phi(a))/y and its derivative by y: mean of phi' over the step by Gauss's rule where
// the quotient would cancel, the quotient elsewhere.
static real mean_force(real K, real alpha, real a, real y, real* slope) {
    static const real node[3] = {0, 0.538469310105683091036314420700L,
                                 0.906179845938663992797626878299L};
    static const real weight[3] = {0.568888888888888888888888888889L,
                                   0.478628670499366468041291514836L,
                                   0.236926885056189087514264040720L};
    const real e = a + y, t = alpha + 1;
    if (a <= 0 && e <= 0) {
        *slope = 0;
        return 0;
    }
    if (a > 0 && fabsl(y) < 1e-3L * a) {
        real force = 0;
        *slope = 0;
        for (int i = -2; i <= 2; i++) {
            const real s = 0.5L + 0.5L * (i < 0 ? -node[-i] : node[i]), w = weight[abs(i)] / 2;
            force += w * slope_of(K, alpha, a + s * y);
            *slope += w * s * alpha * slope_of(K, alpha - 1, a + s * y);
        }
        return force;
    }
    const real quotient = ((e > 0 ? K / t * powl(e, t) : 0) - (a > 0 ? K / t * powl(a, t) : 0)) / y;
    *slope = (slope_of(K, alpha, e) - quotient) / y;
    return quotient;
}

// Residual and Jacobian of A x + share sum col f(x) = rhs; returns the size of the residual.
static real residual(ref* r, real A[REF_DOFS][REF_DOFS], const real* rhs, const real* x, real* out,
                     real jacobian[REF_DOFS][REF_DOFS]) {
    for (int i = 0; i < r->dofs; i++)
        out[i] = dot(r, A[i], x) - rhs[i];
    if (jacobian) memcpy(jacobian, A, sizeof r->A);
    for (int c = 0; c < r->contacts; c++) {
        const real y = dot(r, r->col[c], x) + r->offset[c] - r->then[c];
        const real a = r->midpoint ? (r->now[c] + r->then[c]) / 2 : r->then[c];
        real slope;
        r->force[c] = mean_force(r->K[c], r->alpha[c], a, r->midpoint ? y / 2 : y, &slope);
        for (int i = 0; r->force[c] != 0 && i < r->dofs; i++)
            out[i] += r->share * r->col[c][i] * r->force[c];
        if (jacobian)
            add_outer(r, jacobian, r->col[c], r->share * (r->midpoint ? slope / 2 : slope));
    }
    return sqrtl(dot(r, out, out));
}

static void newton(ref* r, real A[REF_DOFS][REF_DOFS], const real* rhs, real* x) {
    static real jacobian[REF_DOFS][REF_DOFS];
    real out[REF_DOFS], trial[REF_DOFS], trial_out[REF_DOFS];
    for (int pass = 0; pass < 200; pass++) {
        const real size = residual(r, A, rhs, x, out, jacobian);
        if (size == 0) return;
        solve(r->dofs, jacobian, out);
        real step = 1, next = 0, moved = 0, reach = 0;
        for (int cut = 0; cut < 40; cut++, step /= 2) {
            for (int i = 0; i < r->dofs; i++)
                trial[i] = x[i] - step * out[i];
            next = residual(r, A, rhs, trial, trial_out, NULL);
            if (next < size) break;
        }
        if (!(next < size)) return; // nothing left but rounding
        for (int i = 0; i < r->dofs; i++) {
            moved = fmaxl(moved, fabsl(trial[i] - x[i]));
            reach = fmaxl(reach, fabsl(trial[i]));
            x[i] = trial[i];
        }
        if (moved <= 1e-18L * reach) return;
    }
}

// (A + sum g^2/4 col col^T) u+ = ... + sum (g^2/4 col.u- - g psi) col, psi+ = psi + g col.(u+ -
// u-)/2
static void quadratised(ref* r, real A[REF_DOFS][REF_DOFS], const real* rhs, real* x) {
    real g[REF_CONTACTS];
    memcpy(x, rhs, sizeof r->u);
    for (int c = 0; c < r->contacts; c++) {
        const real t = r->alpha[c] + 1;
        g[c] = r->now[c] > 0 ? sqrtl(r->K[c] * t / 2) * powl(r->now[c], (t - 2) / 2) : 0;
        const real pull = g[c] * g[c] / 4 * dot(r, r->col[c], r->before) - g[c] * r->psi[c];
        add_outer(r, A, r->col[c], g[c] * g[c] / 4);
        for (int i = 0; i < r->dofs; i++)
            x[i] += pull * r->col[c][i];
    }
    solve(r->dofs, A, x);
    for (int c = 0; c < r->contacts; c++) {
        const real y = dot(r, r->col[c], x) - dot(r, r->col[c], r->before);
        r->force[c] = g[c] * (r->psi[c] + g[c] * y / 4);
        r->psi[c] += g[c] * y / 2;
    }
}

// Kirchhoff-Carrier adds kap v v^T (`share` x + known) to the left side A x, v = S u: curvature
// times the tension that u^n and the mean of its neighbours make.
static void add_stretch(const ref* r, const ref_body* body, real share, const real* known,
                        real A[REF_DOFS][REF_DOFS], real* rhs) {
    real v[REF_DOFS] = {0};
    for (int i = 0; body->kap > 0 && i < body->count; i++)
        for (int j = 0; j < body->count; j++)
            v[body->first + i] += body->S[i][j] * r->u[body->first + j];
    const real kap = body->kap * body->scale, pull = kap * dot(r, v, known);
    add_outer(r, A, v, share * kap);
    for (int i = 0; i < r->dofs; i++)
        rhs[i] -= pull * v[i];
}

static void read_contacts(ref* r) {
    for (int c = 0; c < r->contacts; c++) {
        r->now[c] = dot(r, r->col[c], r->u) + r->offset[c];
        r->then[c] = dot(r, r->col[c], r->before) + r->offset[c];
    }
}

static real potential(const ref* r, int c, real eta) {
    return slope_of(r->K[c], r->alpha[c], eta) * fmaxl(eta, 0) / (r->alpha[c] + 1);
}

// Half the kick of a step from rest, x = u^1 - u^0:
//   A x = (P u^0 + F)/2 - kap v v^T (u^0 + u^1)/2 - sum col f/2,  f = (phi^1 - phi^0)/(eta^1 -
//   eta^0)
void ref_start(ref* r, double F) {
    static real A[REF_DOFS][REF_DOFS], work[REF_DOFS][REF_DOFS];
    real rhs[REF_DOFS], next[REF_DOFS], moved[REF_DOFS];
    const bool midpoint = r->midpoint;
    memcpy(A, r->A, sizeof r->A);
    memcpy(r->before, r->u, sizeof r->u);
    for (int i = 0; i < r->dofs; i++)
        rhs[i] = (dot(r, r->P[i], r->u) + r->push[i] * (real)F) / 2;
    for (int b = 0; b < r->bodies; b++)
        add_stretch(r, &r->body[b], 0.5L, r->u, A, rhs);
    for (int i = 0; i < r->dofs; i++)
        moved[i] = r->u[i] + (real)r->k * r->launch[i];
    for (int i = 0; i < r->dofs; i++)
        rhs[i] += dot(r, A[i], moved);
    read_contacts(r);
    memcpy(work, A, sizeof A);
    memcpy(next, rhs, sizeof rhs);
    solve(r->dofs, work, next);
    r->share = 0.5L;
    r->midpoint = false;
    newton(r, A, rhs, next);
    r->share = 1;
    r->midpoint = midpoint;
    memcpy(r->u, next, sizeof next);
    read_contacts(r);
    for (int c = 0; c < r->contacts; c++)
        r->psi[c] = sqrtl(potential(r, c, r->then[c]) + potential(r, c, r->now[c]));
}

void ref_step(ref* r, double F) {
    static real A[REF_DOFS][REF_DOFS], work[REF_DOFS][REF_DOFS];
    real rhs[REF_DOFS], next[REF_DOFS];
    memcpy(A, r->A, sizeof r->A);
    for (int i = 0; i < r->dofs; i++)
        rhs[i] = dot(r, r->B[i], r->u) + dot(r, r->C[i], r->before) + r->push[i] * (real)F;
    for (int b = 0; b < r->bodies; b++)
        add_stretch(r, &r->body[b], 1, r->before, A, rhs);
    read_contacts(r);
    if (r->scheme == SIS_SCHEME_QUADRATISED) {
        quadratised(r, A, rhs, next);
    } else {
        memcpy(work, A, sizeof A);
        memcpy(next, rhs, sizeof rhs);
        solve(r->dofs, work, next);
        newton(r, A, rhs, next);
    }
    memcpy(r->before, r->u, sizeof r->u);
    memcpy(r->u, next, sizeof next);
}
