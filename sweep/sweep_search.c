#include "sweep_search.h"

#include "sistrum/elementary.h"
#include "sweep_draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    N_MOST = SIS_SEARCH_DIMENSIONS,
    POINTS_MOST = 1024, // of a generation
    MEMORY = 12,        // generations whose best values are compared
    DOUBLED_MOST = 3,   // times that generations are doubled
    VAIN_MOST = 3,      // descents in a row that found nothing better, after which it is over
};
static const double pi = 3.14159265358979323846;
static const double sigma_first = 0.2;  // of the ranges
static const double step_least = 1e-8;  // a descent ends where steps are shorter than this,
static const double moves_least = 1e-4, // or its best values differ by less than this share,
    condition_most = 1e14;              // or its steps are that much longer one way than another
static const double better = 0.99;      // a descent that found less than this share was not in vain

struct sis_search {
    int32_t n, count; // dimensions; points of this generation
    uint64_t seed;
    uint64_t asked;    // points so far
    uint64_t explored; // of those that explore
    bool explores;     // this generation
    int32_t descents, vain;
    double best; // of all so far
    // of this descent
    double best_here, best_before; // its lowest value; the lowest of all before it
    int32_t lambda, generations;
    double recent[MEMORY]; // best values of the last generations
    double mean[N_MOST], sigma;
    double path_c[N_MOST], path_s[N_MOST]; // evolution paths of the covariance and of sigma
    double c[N_MOST * N_MOST];             // covariance
    double axes[N_MOST * N_MOST];          // its eigenvectors, one a column
    double lengths[N_MOST];                // square roots of its eigenvalues
    double* y;                  // [count][n]: steps of this generation, in units of sigma
    double* points;             // [count][n]
    int32_t order[POINTS_MOST]; // by value
};

// ---------------------------------------------------------------------------- chance

/** A number that is distributed normally (Box and Muller 1958), of a point and a dimension. */
static double normal(const sis_search* s, uint64_t point, int32_t dimension) {
    double u = sis_draw_at(SIS_DRAW_UNIFORM, s->seed, point, 0, 2 * dimension);
    double v = sis_draw_at(SIS_DRAW_UNIFORM, s->seed, point, 0, 2 * dimension + 1);
    return sqrt(-2 * sis_log(1 - u)) * sis_cos(2 * pi * v);
}

/** Back into 0 .. 1, mirrored at the ends. */
static double reflected(double x) {
    double turns = x - 2 * floor(x / 2);
    return turns > 1 ? 2 - turns : turns;
}

// ---------------------------------------------------------------------------- eigenvectors

/** One rotation of Jacobi's, that makes c[p][q] zero. */
static void rotate(double* c, double* axes, int32_t n, int32_t p, int32_t q) {
    double apq = c[p * n + q];
    if (apq == 0) return;
    double theta = (c[q * n + q] - c[p * n + p]) / (2 * apq);
    double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
    double cosine = 1 / sqrt(t * t + 1), sine = t * cosine;
    for (int32_t k = 0; k < n; k++) {
        double a = c[k * n + p], b = c[k * n + q];
        c[k * n + p] = cosine * a - sine * b;
        c[k * n + q] = sine * a + cosine * b;
    }
    for (int32_t k = 0; k < n; k++) {
        double a = c[p * n + k], b = c[q * n + k];
        c[p * n + k] = cosine * a - sine * b;
        c[q * n + k] = sine * a + cosine * b;
    }
    for (int32_t k = 0; k < n; k++) {
        double a = axes[k * n + p], b = axes[k * n + q];
        axes[k * n + p] = cosine * a - sine * b;
        axes[k * n + q] = sine * a + cosine * b;
    }
}

/** Eigenvectors and lengths of the covariance, by sweeps of rotations. */
static void find_axes(sis_search* s) {
    int32_t n = s->n;
    double c[N_MOST * N_MOST];
    memcpy(c, s->c, (size_t)n * (size_t)n * sizeof *c);
    memset(s->axes, 0, sizeof s->axes);
    for (int32_t i = 0; i < n; i++)
        s->axes[i * n + i] = 1;
    for (int round = 0; round < 50; round++) {
        double off = 0, on = 0;
        for (int32_t p = 0; p < n; p++) {
            on += c[p * n + p] * c[p * n + p];
            for (int32_t q = p + 1; q < n; q++)
                off += c[p * n + q] * c[p * n + q];
        }
        if (!(off > 1e-30 * on)) break;
        for (int32_t p = 0; p < n; p++)
            for (int32_t q = p + 1; q < n; q++)
                rotate(c, s->axes, n, p, q);
    }
    for (int32_t i = 0; i < n; i++)
        s->lengths[i] = sqrt(fmax(c[i * n + i], 0));
}

// ---------------------------------------------------------------------------- a descent

static int32_t least_lambda(const sis_search* s) {
    return 4 + (int32_t)floor(3 * sis_log((double)s->n));
}

/** From a point, with steps that are the same in all directions. */
static void begin_descent(sis_search* s, const double* from) {
    int32_t n = s->n, doubled = s->descents < DOUBLED_MOST ? s->descents : DOUBLED_MOST;
    s->lambda = least_lambda(s) << doubled;
    s->descents++;
    s->generations = 0;
    s->explores = false;
    s->sigma = sigma_first;
    memcpy(s->mean, from, (size_t)n * sizeof *from);
    memset(s->path_c, 0, sizeof s->path_c);
    memset(s->path_s, 0, sizeof s->path_s);
    memset(s->c, 0, sizeof s->c);
    for (int32_t i = 0; i < n; i++)
        s->c[i * n + i] = 1;
    find_axes(s);
}

static void begin_exploring(sis_search* s) {
    s->explores = true;
    s->best_here = (double)INFINITY;
    s->best_before = s->best;
}

static void ask_exploring(sis_search* s) {
    int32_t n = s->n, wanted = 8 * n;
    for (s->count = 16; s->count < wanted;)
        s->count *= 2;
    sis_draw draw = n <= SIS_SOBOL_DIMENSIONS ? SIS_DRAW_SOBOL : SIS_DRAW_UNIFORM;
    for (int32_t k = 0; k < s->count; k++, s->explored++)
        for (int32_t i = 0; i < n; i++)
            s->points[k * n + i] = sis_draw_at(draw, s->seed, s->explored, 0, i);
}

// x = m + sigma y,  y = B D z,  z normal: B D^2 B^T = C
static void ask_descending(sis_search* s) {
    int32_t n = s->n;
    s->count = s->lambda;
    for (int32_t k = 0; k < s->count; k++) {
        double z[N_MOST];
        for (int32_t j = 0; j < n; j++)
            z[j] = s->lengths[j] * normal(s, s->asked + (uint64_t)k, j);
        for (int32_t i = 0; i < n; i++) {
            double y = 0;
            for (int32_t j = 0; j < n; j++)
                y += s->axes[i * n + j] * z[j];
            s->y[k * n + i] = y;
            s->points[k * n + i] = reflected(s->mean[i] + s->sigma * y);
        }
    }
}

/** The numbers of the strategy that follow from n and lambda (table 1 of the tutorial). */
typedef struct constants {
    double weights[POINTS_MOST / 2];
    int32_t parents;
    double mass;                  // mu_eff
    double cc, cs, c1, cmu, damp; // learning rates
    double length;                // of a normal vector, on average
} constants;

static void find_constants(const sis_search* s, constants* k) {
    double n = s->n, sum = 0, squares = 0;
    k->parents = s->lambda / 2;
    for (int32_t i = 0; i < k->parents; i++) {
        k->weights[i] = sis_log((s->lambda + 1) / 2.0) - sis_log(i + 1.0);
        sum += k->weights[i];
    }
    for (int32_t i = 0; i < k->parents; i++) {
        k->weights[i] /= sum;
        squares += k->weights[i] * k->weights[i];
    }
    double m = k->mass = 1 / squares;
    k->cc = (4 + m / n) / (n + 4 + 2 * m / n);
    k->cs = (m + 2) / (n + m + 5);
    k->c1 = 2 / ((n + 1.3) * (n + 1.3) + m);
    k->cmu = fmin(1 - k->c1, 2 * (m - 2 + 1 / m) / ((n + 2) * (n + 2) + m));
    k->damp = 1 + 2 * fmax(0, sqrt((m - 1) / (n + 1)) - 1) + k->cs;
    k->length = sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n));
}

/** path_s = (1 - cs) path_s + sqrt(cs (2 - cs) mass) C^(-1/2) y. Returns its length. */
static double turn_sigma_path(sis_search* s, const constants* k, const double* y) {
    int32_t n = s->n;
    double white[N_MOST], length = 0, gain = sqrt(k->cs * (2 - k->cs) * k->mass);
    for (int32_t j = 0; j < n; j++) {
        double along = 0;
        for (int32_t i = 0; i < n; i++)
            along += s->axes[i * n + j] * y[i];
        white[j] = s->lengths[j] > 0 ? along / s->lengths[j] : 0;
    }
    for (int32_t i = 0; i < n; i++) {
        double at = 0;
        for (int32_t j = 0; j < n; j++)
            at += s->axes[i * n + j] * white[j];
        s->path_s[i] = (1 - k->cs) * s->path_s[i] + gain * at;
        length += s->path_s[i] * s->path_s[i];
    }
    return sqrt(length);
}

/** C = (1 - c1 - cmu) C + c1 path_c path_c^T + cmu sum w y y^T */
static void turn_covariance(sis_search* s, const constants* k, bool stalls) {
    int32_t n = s->n;
    double keep = 1 - k->c1 - k->cmu + (stalls ? k->c1 * k->cc * (2 - k->cc) : 0);
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j <= i; j++) {
            double rank = 0;
            for (int32_t p = 0; p < k->parents; p++) {
                const double* y = &s->y[s->order[p] * n];
                rank += k->weights[p] * y[i] * y[j];
            }
            double sum = keep * s->c[i * n + j] + k->c1 * s->path_c[i] * s->path_c[j];
            s->c[i * n + j] = s->c[j * n + i] = sum + k->cmu * rank;
        }
}

static double longest(const sis_search* s) {
    double most = 0;
    for (int32_t i = 0; i < s->n; i++)
        most = fmax(most, s->lengths[i]);
    return most;
}

static void descend(sis_search* s) {
    int32_t n = s->n;
    constants k;
    find_constants(s, &k);
    double y[N_MOST] = {0};
    for (int32_t p = 0; p < k.parents; p++)
        for (int32_t i = 0; i < n; i++)
            y[i] += k.weights[p] * s->y[s->order[p] * n + i];
    for (int32_t i = 0; i < n; i++)
        s->mean[i] += s->sigma * y[i];
    double length = turn_sigma_path(s, &k, y);
    double settled = 1 - sis_power(1 - k.cs, 2.0 * (s->generations + 1));
    bool stalls = length / sqrt(settled) > (1.4 + 2 / (n + 1.0)) * k.length;
    double gain = stalls ? 0 : sqrt(k.cc * (2 - k.cc) * k.mass);
    for (int32_t i = 0; i < n; i++)
        s->path_c[i] = (1 - k.cc) * s->path_c[i] + gain * y[i];
    turn_covariance(s, &k, stalls);
    s->sigma *= sis_exp(fmin(1, k.cs / k.damp * (length / k.length - 1)));
    find_axes(s);
    double most = longest(s); // beyond half of a range steps only come back
    if (s->sigma * most > 0.5) s->sigma = 0.5 / most;
}

/** Whether this descent has nowhere to go. */
static bool is_stuck(const sis_search* s) {
    double low = (double)INFINITY, high = 0, shortest = (double)INFINITY;
    for (int32_t i = 0; i < s->n; i++)
        shortest = fmin(shortest, s->lengths[i]);
    double most = longest(s);
    if (!(s->sigma * most > step_least) || !(most < sqrt(condition_most) * shortest)) return true;
    if (s->generations < MEMORY) return false;
    for (int i = 0; i < MEMORY; i++) {
        low = fmin(low, s->recent[i]);
        high = fmax(high, s->recent[i]);
    }
    return !(high - low > moves_least * low);
}

// ---------------------------------------------------------------------------- all of it

sis_search* sis_search_new(int32_t dimensions, uint64_t seed) {
    sis_search* s = calloc(1, sizeof *s);
    size_t room = (size_t)POINTS_MOST * (size_t)dimensions;
    if (s) s->y = calloc(room, sizeof *s->y);
    if (s) s->points = calloc(room, sizeof *s->points);
    if (!s || !s->y || !s->points) {
        sis_search_free(s);
        return NULL;
    }
    s->n = dimensions;
    s->seed = seed;
    s->best = (double)INFINITY;
    begin_exploring(s);
    return s;
}

void sis_search_free(sis_search* s) {
    if (s) free(s->y);
    if (s) free(s->points);
    free(s);
}

int32_t sis_search_ask(sis_search* s, const double** points) {
    if (s->explores)
        ask_exploring(s);
    else
        ask_descending(s);
    *points = s->points;
    return s->count;
}

/** Of equal values the first is the better one. */
static void sort(sis_search* s, const double* values) {
    for (int32_t k = 0; k < s->count; k++) {
        int32_t at = k;
        double value = isnan(values[k]) ? (double)INFINITY : values[k];
        for (; at > 0; at--) {
            double before = values[s->order[at - 1]];
            if (!(value < (isnan(before) ? (double)INFINITY : before))) break;
            s->order[at] = s->order[at - 1];
        }
        s->order[at] = k;
    }
}

void sis_search_tell(sis_search* s, const double* values) {
    sort(s, values);
    s->asked += (uint64_t)s->count;
    double first = values[s->order[0]], lowest = isnan(first) ? (double)INFINITY : first;
    s->best_here = fmin(s->best_here, lowest);
    s->best = fmin(s->best, lowest);
    if (s->explores) {
        begin_descent(s, &s->points[s->order[0] * s->n]);
        return;
    }
    descend(s);
    s->recent[s->generations++ % MEMORY] = lowest;
    if (!is_stuck(s)) return;
    s->vain = s->best_here < better * s->best_before ? 0 : s->vain + 1;
    begin_exploring(s);
}

int32_t sis_search_descents(const sis_search* s) {
    return s->descents;
}

bool sis_search_over(const sis_search* s) {
    return s->vain >= VAIN_MOST;
}
