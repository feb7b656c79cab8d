// The grid of a plate, and its operator: as published, or tuned.
//
// With X = (2/hx sin(m pi/2 nx))^2 and Y alike, mode (m, l) of a supported grid has the eigenvalue
//
//   S = (ax X + ay Y) (bx X + bx2 X^2 + by Y + by2 Y^2) + px X + px2 X^2 + py Y + py2 Y^2
//
// and rings where (4/k^2) sin^2(w k/2) = S. As published ax = ay = 1, bx = by = kappa^2, px = py =
// c^2 and the rest is 0: X = beta^2 - hx^2 beta^4/12 makes it flat in order h^2. Of order 4 are bx2
// = kappa^2 hx^2/6, px2 = c^2 hx^2/12, and bx = by = kappa^2 - k^2 c^4/12 for the step in time. A
// tuned plate starts from there:
//
//   supported: ax X = beta^2 at a low m, so that sigma1 is right; px, px2 make the first and
//   another
//     line of modes exact; b are the least squares of the first partials, near those of order 4.
//   clamped: a and b make the first modes of a clamped beam of that grid right, their (phi', phi')
//     and (phi'', phi'').
//
// Grids with clamped edges are even functions on a ring, held at the edges: their eigenvalues lie
// between the least and the largest S of m = 0 .. nx, l = 0 .. ny. So for both kinds of edges K >=
// 0 if all S >= 0, and a step is stable if 1 - k s1 (ax X + ay Y) - k^2/4 S > 0 for all of them.
#include "compile/plan.h"

#include <math.h>

enum { FITTED = 12, UNKNOWNS = 4, MOST_GRID = 1000000 };

static double eigen_of(int32_t n, double length, double m) {
    return square(2 * n / length * sis_sin(0.5 * PI * m / n));
}

static double lap_of(const plate_tuning* t, double X, double Y) {
    return t->ax * X + t->ay * Y;
}

double sis_plate_eigenvalue(const plate_tuning* t, double X, double Y) {
    const plate_poly *b = &t->bends, *p = &t->pulls;
    return lap_of(t, X, Y) * (b->x * X + b->x2 * X * X + b->y * Y + b->y2 * Y * Y) +
           (p->x * X + p->x2 * X * X + p->y * Y + p->y2 * Y * Y);
}

// ---------------------------------------------------------------------------- stability

// The margin over some of the modes of a grid, `most` intervals a side; -1 where S is negative.
static double margin_over(const plate_spec* f, const plate_tuning* t, double k, double scale,
                          int32_t most) {
    int32_t mx = f->nx < most ? f->nx : most, my = f->ny < most ? f->ny : most;
    double least = 1;
    for (int32_t j = 0; j <= my; j++) {
        double Y = scale * eigen_of(f->ny, f->width, (double)j * f->ny / my);
        for (int32_t i = 0; i <= mx; i++) {
            double X = scale * eigen_of(f->nx, f->length, (double)i * f->nx / mx);
            double S = sis_plate_eigenvalue(t, X, Y);
            if (!(S >= 0)) return -1;
            least = fmin(least, 1 - k * f->s1 * lap_of(t, X, Y) - 0.25 * k * k * S);
        }
    }
    return least;
}

enum { SOME = 24, ALL = INT32_MAX };

// Where no number is negative, S grows with X and Y.
static double margin_of(const plate_spec* f, double k) {
    const plate_poly *b = &f->tuning.bends, *p = &f->tuning.pulls;
    bool grows = fmin(fmin(b->x, b->x2), fmin(b->y, b->y2)) >= 0 &&
                 fmin(fmin(p->x, p->x2), fmin(p->y, p->y2)) >= 0;
    return margin_over(f, &f->tuning, k, 1, grows ? 1 : ALL);
}

// By how much the spacings could shrink, if the operator stayed what it is.
double sis_plate_slack(const plate_spec* f, double k) {
    double low = 0.05, high = 1;
    for (int i = 0; i < 40; i++) {
        double middle = 0.5 * (low + high);
        if (margin_over(f, &f->tuning, k, 1 / square(middle), SOME) > LEAST_MARGIN)
            high = middle;
        else
            low = middle;
    }
    return 1 / high;
}

// ---------------------------------------------------------------------------- least squares

typedef struct squares {
    double A[UNKNOWNS][UNKNOWNS], b[UNKNOWNS], largest;
} squares;

static void add_row(squares* s, const double* row, double right) {
    for (int i = 0; i < UNKNOWNS; i++) {
        for (int j = 0; j < UNKNOWNS; j++)
            s->A[i][j] += row[i] * row[j];
        s->b[i] += row[i] * right;
        s->largest = fmax(s->largest, fabs(row[i]));
    }
}

// The first `n` unknowns, the others 0; `ridge` of the largest number holds each near 0.
static void solve_squares(squares* s, int n, double ridge, double* x) {
    for (int i = 0; i < n; i++)
        s->A[i][i] += square(ridge * s->largest);
    for (int i = 0; i < n; i++) { // Cholesky
        for (int j = 0; j <= i; j++) {
            double sum = s->A[i][j];
            for (int l = 0; l < j; l++)
                sum -= s->A[i][l] * s->A[j][l];
            s->A[i][j] = i == j ? sqrt(fmax(sum, 1e-300)) : sum / s->A[j][j];
        }
        x[i] = s->b[i];
        for (int l = 0; l < i; l++)
            x[i] -= s->A[i][l] * x[l];
        x[i] /= s->A[i][i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int l = i + 1; l < n; l++)
            x[i] -= s->A[l][i] * x[l];
        x[i] /= s->A[i][i];
    }
    for (int i = n; i < UNKNOWNS; i++)
        x[i] = 0;
}

// How much a mode counts that turns by so much in a step, rad: the high ones give way.
static double weight_of(double turn) {
    return 1 / square(1 + square(turn / 0.12));
}

// ---------------------------------------------------------------------------- supported plates

// px, px2 of a line of n intervals for c^2 = 1: exact for the first mode and another.
static void tune_line(int32_t n, double length, double share, double* one, double* two) {
    double X = eigen_of(n, length, 1), beta2 = square(PI / length);
    int32_t m = n < 6 ? 2 : n < 12 ? 3 : 4;
    *two = 0;
    if (n > 2) {
        double Z = eigen_of(n, length, m), r = square(m * PI / length) / Z;
        *two = share * (r - beta2 / X) / (Z - X);
    }
    *one = beta2 / X - *two * X;
}

// What makes X the beta^2 of a mode that is lost by sigma1: of the second one, between the first
// ones that all should decay as asked for, or of the first on a coarse line.
static double loss_of_line(int32_t n, double length) {
    int32_t m = n < 12 ? 1 : 2;
    return square(m * PI / length) / eigen_of(n, length, m);
}

// What the bending part must be for a mode, and its share of each unknown, all over the whole.
static bool mode_row(const plate_spec* f, const plate_tuning* t, const plate_mode* mode, double k,
                     double scale, double* row, double* right) {
    if (mode->m >= f->nx || mode->l >= f->ny || mode->w * k > 0.9 * PI) return false;
    double X = eigen_of(f->nx, f->length, mode->m), Y = eigen_of(f->ny, f->width, mode->l);
    double hx2 = square(f->length / f->nx), hy2 = square(f->width / f->ny);
    double whole = square(2 / k * sis_sin(0.5 * mode->w * k));
    double part = scale * lap_of(t, X, Y) / whole;
    row[0] = part * X;
    row[1] = part * Y;
    row[2] = part * X * X * hx2;
    row[3] = part * Y * Y * hy2;
    *right = (whole - sis_plate_eigenvalue(t, X, Y)) / whole;
    return true;
}

static void tune_supported(const plate_spec* f, double k, double share, plate_tuning* t) {
    double c2 = f->tension / f->density, kappa2 = f->stiffness / f->density;
    double scale = kappa2 + square(k * c2) / 12, row[UNKNOWNS], more[UNKNOWNS], right, weight;
    plate_mode modes[2 * FITTED];
    squares s = {0};
    int32_t found = sis_plate_modes(f, 2 * FITTED, modes), rows = 0;
    for (int32_t i = 0; i < found && rows < FITTED; i++)
        if (mode_row(f, t, &modes[i], k, scale, row, &right)) {
            weight = share < 1 ? square(modes[0].w / modes[i].w) : weight_of(modes[i].w * k);
            for (int c = 0; c < UNKNOWNS; c++)
                row[c] *= weight;
            add_row(&s, row, weight * right);
            rows++;
        }
    if (!rows) return;
    solve_squares(&s, share < 1 ? 2 : UNKNOWNS, 1e-4, more);
    t->bends.x += scale * more[0];
    t->bends.y += scale * more[1];
    t->bends.x2 += scale * more[2] * square(f->length / f->nx);
    t->bends.y2 += scale * more[3] * square(f->width / f->ny);
}

// ---------------------------------------------------------------------------- clamped plates

enum { SHAPES = 8, LOWEST = 4 };

// beta L of the j-th mode of a clamped beam, cos cosh = 1.
static double clamped_root(int32_t j) {
    double x = (j + 0.5) * PI;
    for (int i = 0; i < 20; i++)
        x -= (sis_cos(x) - 1 / sis_cosh(x)) / (-sis_sin(x) + sis_tanh(x) / sis_cosh(x));
    return x;
}

// Its shape at the points 0 .. n, without the difference of two large numbers.
static void clamped_shape(int32_t j, int32_t n, double* v) {
    double r = clamped_root(j),
           off = (sis_cos(r) - sis_sin(r) - sis_exp(-r)) / (sis_sinh(r) - sis_sin(r));
    for (int32_t i = 0; i <= n; i++) {
        double x = r * (2 * i > n ? n - i : i) / n, odd = j % 2 == 0 && 2 * i > n ? -1 : 1;
        v[i] = odd *
               (0.5 * (sis_exp(-x) * (2 - off) + sis_exp(x) * off) - sis_cos(x) +
                (1 - off) * sis_sin(x)) /
               sqrt(n);
    }
    v[0] = v[n] = 0;
}

// (phi', phi') of the j-th mode, (phi'', phi'') is r^4, for length 1 and (phi, phi) = 1.
static double clamped_slopes(int32_t j) {
    double r = clamped_root(j), s = r * (sis_cosh(r) - sis_cos(r)) / (sis_sinh(r) - sis_sin(r));
    return s * (s - 2);
}

// (phi, A phi) for A = 1, X, X^2, X^3 in units of the spacing, over sampled shapes.
typedef struct clamped_line {
    int32_t count;
    double A[4][SHAPES][SHAPES];
} clamped_line;

// X v on the ring of 2 n points of which v are the first n + 1.
static void bend_ring(double* v, int32_t n) {
    double before = v[1];
    for (int32_t i = 0; i <= n; i++) {
        double here = v[i], after = i < n ? v[i + 1] : before;
        v[i] = 2 * here - before - after;
        before = here;
    }
}

// `scratch` has SHAPES + 1 times n + 1 places.
static void sample_line(clamped_line* line, int32_t n, double* scratch) {
    double* bent = scratch + (ptrdiff_t)SHAPES * (n + 1);
    line->count = n - 1 < SHAPES ? n - 1 : SHAPES;
    for (int32_t j = 0; j < line->count; j++)
        clamped_shape(j + 1, n, scratch + (ptrdiff_t)j * (n + 1));
    for (int32_t b = 0; b < line->count; b++) {
        for (int32_t i = 0; i <= n; i++)
            bent[i] = scratch[(ptrdiff_t)b * (n + 1) + i];
        for (int p = 0; p < 4; p++) {
            for (int32_t a = 0; a < line->count; a++) {
                double sum = 0;
                for (int32_t i = 1; i < n; i++)
                    sum += scratch[(ptrdiff_t)a * (n + 1) + i] * bent[i];
                line->A[p][a][b] = sum;
            }
            bend_ring(bent, n);
        }
    }
}

// Makes the shapes orthonormal.
static void straighten(clamped_line* line) {
    int32_t n = line->count;
    for (int32_t i = 0; i < n; i++) {
        for (int32_t j = 0; j <= i; j++) { // away with those before, then to length 1
            double part = line->A[0][i][j];
            if (i == j) part = 1 - 1 / sqrt(fmax(line->A[0][i][i], 1e-300));
            for (int p = 0; p < 4; p++)
                for (int32_t c = 0; c < n; c++)
                    line->A[p][i][c] -= part * line->A[p][j][c];
            for (int p = 0; p < 4; p++)
                for (int32_t c = 0; c < n; c++)
                    line->A[p][c][i] -= part * line->A[p][c][j];
        }
    }
}

// Turns shapes i and j into each other by the angle that makes K_ij 0.
static void turn_shapes(clamped_line* line, double (*K)[SHAPES], int32_t i, int32_t j) {
    if (fabs(K[i][j]) < 1e-300) return;
    double theta = 0.5 * (K[j][j] - K[i][i]) / K[i][j];
    double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
    double c = 1 / sqrt(t * t + 1), s = t * c;
    for (int p = 0; p <= 4; p++) {
        double(*A)[SHAPES] = p < 4 ? line->A[p] : K;
        for (int32_t l = 0; l < line->count; l++) {
            double a = A[i][l], b = A[j][l];
            A[i][l] = c * a - s * b;
            A[j][l] = s * a + c * b;
        }
        for (int32_t l = 0; l < line->count; l++) {
            double a = A[l][i], b = A[l][j];
            A[l][i] = c * a - s * b;
            A[l][j] = s * a + c * b;
        }
    }
}

// Turns the shapes into the modes of one X^2 + two X^3.
static void find_modes(clamped_line* line, double one, double two) {
    double K[SHAPES][SHAPES] = {{0}};
    for (int32_t i = 0; i < line->count; i++)
        for (int32_t j = 0; j < line->count; j++)
            K[i][j] = one * line->A[2][i][j] + two * line->A[3][i][j];
    for (int sweep = 0; sweep < 12; sweep++)
        for (int32_t i = 0; i < line->count; i++)
            for (int32_t j = i + 1; j < line->count; j++)
                turn_shapes(line, K, i, j);
}

// Row i of the shapes with the i-th smallest (phi, X^2 phi) among the first.
static int32_t nth_mode(const clamped_line* line, int32_t nth) {
    for (int32_t i = 0; i < line->count; i++) {
        int32_t below = 0;
        for (int32_t j = 0; j < line->count; j++)
            below += line->A[2][j][j] < line->A[2][i][i];
        if (below == nth) return i;
    }
    return 0;
}

// a, and b = one X + two X^2 in units of the spacing, of a clamped line of n intervals: a b and b
// of its modes are those of the beam. `turn` is kappa k/h^2.
static void tune_clamped_line(clamped_line* line, int32_t n, double turn, double share, double* a,
                              double* one, double* two) {
    int32_t lowest = n < 7 ? 1 : n < 13 ? (n - 1) / 3 : LOWEST;
    *a = *one = 1;
    *two = share / 6;
    for (int round = 0; round < 6; round++) {
        squares s = {0};
        double more[UNKNOWNS];
        find_modes(line, *a * *one, *a * *two);
        for (int32_t j = 0; j < lowest && j < line->count; j++) {
            int32_t i = nth_mode(line, j);
            double X = line->A[1][i][i], X2 = line->A[2][i][i], X3 = line->A[3][i][i];
            double slopes = clamped_slopes(j + 1) / square(n);
            double bends = square(square(clamped_root(j + 1) / n));
            if (j == 0) *a = slopes / X;
            double weight = share < 1 ? 1 / square(square(j + 1)) : weight_of(turn * sqrt(bends));
            double less = 0.1 * weight;
            double row[UNKNOWNS] = {weight * *a * X2 / bends, weight * *a * X3 / bends};
            add_row(&s, row, weight - row[0] - row[1] * share / 6);
            double next[UNKNOWNS] = {less * X / slopes, less * X2 / slopes};
            add_row(&s, next, less - next[0] - next[1] * share / 6);
        }
        solve_squares(&s, share < 1 ? 1 : 2, lowest == 1 ? 0.05 : 1e-3, more);
        *one = 1 + more[0];
        *two = share / 6 + more[1];
    }
}

// The bending part, and the step in time for the first mode as far as it bends.
static bool tune_clamped(const plate_spec* f, double k, double share, plate_tuning* t,
                         sis_arena* arena, sis_error* error) {
    double kappa2 = f->stiffness / f->density, less = square(k * f->tension / f->density) / 12;
    int32_t n[2] = {f->nx, f->ny};
    double length[2] = {f->length, f->width}, one[2], two[2], a[2], slopes[2], bends[2];
    for (int i = 0; i < 2; i++) {
        clamped_line line = {0};
        size_t room = (size_t)(SHAPES + 1) * (size_t)(n[i] + 1) * sizeof(double);
        double* values = sis_arena_take(arena, room, error);
        if (!values) return false;
        sample_line(&line, n[i], values);
        straighten(&line);
        double turn = k * sqrt(kappa2) * square(n[i] / length[i]);
        tune_clamped_line(&line, n[i], turn, share, &a[i], &one[i], &two[i]);
        slopes[i] = clamped_slopes(1) / square(length[i]);
        bends[i] = square(square(clamped_root(1) / length[i]));
    }
    double w = sqrt(kappa2 * (bends[0] + bends[1] + 2 * slopes[0] * slopes[1]));
    double b = kappa2 * square(sis_sin(fmin(0.5 * PI, 0.5 * w * k)) / (0.5 * w * k)) - less;
    t->ax = a[0];
    t->ay = a[1];
    t->bends = (plate_poly){b * one[0], b * two[0] * square(length[0] / n[0]), b * one[1],
                            b * two[1] * square(length[1] / n[1])};
    return true;
}

// ---------------------------------------------------------------------------- a plate

// As published.
static void leave_untuned(plate_spec* f) {
    double c2 = f->tension / f->density, kappa2 = f->stiffness / f->density;
    f->tuned = false;
    f->tuning =
        (plate_tuning){.ax = 1, .ay = 1, .bends = {kappa2, 0, kappa2, 0}, .pulls = {c2, 0, c2, 0}};
}

// Of order 4, with a share of what reaches two points far.
static void start_tuning(plate_spec* f, double k, double share) {
    double c2 = f->tension / f->density, kappa2 = f->stiffness / f->density;
    double hx2 = square(f->length / f->nx), hy2 = square(f->width / f->ny);
    double b = kappa2 - square(k * c2) / 12, far = share * kappa2 / 6, pulled = share * c2 / 12;
    f->tuning = (plate_tuning){.ax = 1,
                               .ay = 1,
                               .bends = {b, far * hx2, b, far * hy2},
                               .pulls = {c2, pulled * hx2, c2, pulled * hy2}};
}

static bool tune(plate_spec* f, double k, double share, sis_arena* arena, sis_error* error) {
    plate_tuning* t = &f->tuning;
    double c2 = f->tension / f->density;
    start_tuning(f, k, share);
    if (f->edge == SIS_ENDS_CLAMPED) return tune_clamped(f, k, share, t, arena, error);
    t->ax = loss_of_line(f->nx, f->length);
    t->ay = loss_of_line(f->ny, f->width);
    tune_line(f->nx, f->length, share, &t->pulls.x, &t->pulls.x2);
    tune_line(f->ny, f->width, share, &t->pulls.y, &t->pulls.y2);
    t->pulls = (plate_poly){c2 * t->pulls.x, c2 * t->pulls.x2, c2 * t->pulls.y, c2 * t->pulls.y2};
    tune_supported(f, k, share, t);
    return true;
}

// Tunes the grid of a plate as far as it stays stable; on a grid near the limit of the published
// scheme less of what reaches two points far, or nothing. False: out of memory.
static bool tune_stably(plate_spec* f, double k, double least, sis_arena* arena, sis_error* error) {
    f->tuned = true;
    for (double share = 1; share > least - 0.05; share -= 0.1) {
        f->share = share;
        if (!tune(f, k, share, arena, error)) return false;
        f->margin = margin_of(f, k);
        if (f->margin > LEAST_MARGIN) return true;
    }
    leave_untuned(f);
    f->margin = margin_of(f, k);
    return true;
}

bool sis_plate_retune(compile_plan* plan, const plate_spec* f, double tension, plate_tuning* tuning,
                      sis_error* error) {
    const double k = plan->system->k;
    plate_spec trial = *f;
    trial.tension = tension;
    if (!f->tuned)
        leave_untuned(&trial);
    else if (!tune(&trial, k, f->share, &plan->arena, error))
        return false;
    *tuning = trial.tuning;
    const double margin = margin_of(&trial, k);
    if (margin > LEAST_MARGIN) return true;
    return sis_fail_key(error, SIS_REFUSED, "tension",
                        "its grid of {%d, %d} cannot be stable at %g N/m (margin %.3g), which "
                        "'tension' reaches between %g and %g: take a narrower range, fewer "
                        "'segments' or tuned = false",
                        (int)f->nx, (int)f->ny, tension, margin, f->low, f->top);
}

// ---------------------------------------------------------------------------- the grid

// The longest line of a grid whose other side has n intervals.
static int32_t longest_line(plate_spec* f, double k, bool along_x, int32_t n, int32_t most) {
    int32_t low = 1, high = most + 1;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        f->nx = along_x ? middle : n;
        f->ny = along_x ? n : middle;
        start_tuning(f, k, 1);
        if (margin_over(f, &f->tuning, k, 1, SOME) > LEAST_MARGIN)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// The tuned grid of most points with nearly square cells, of those near `few` intervals along the
// shorter side. False: there is none, or no memory.
static bool find_tuned_grid(plate_spec* f, double k, double few, int32_t most, double most_points,
                            sis_arena* arena, sis_error* error) {
    bool along_x = f->length >= f->width;
    plate_spec best = {0};
    for (double n = fmax(2, few - 4); n <= few + 1; n++) {
        plate_spec trial = *f;
        int32_t many = longest_line(&trial, k, along_x, (int32_t)n, most), least = many * 3 / 5;
        // What is fitted may need a little more room than what it starts from.
        for (; many >= 2 && many >= least; many -= 1 + many / 64) {
            trial.nx = along_x ? many : (int32_t)n;
            trial.ny = along_x ? (int32_t)n : many;
            double points = (trial.nx - 1.0) * (trial.ny - 1);
            if (n * many > most_points) continue;
            if (best.tuned && points <= (best.nx - 1.0) * (best.ny - 1)) break;
            if (!tune_stably(&trial, k, 1, arena, error)) return false;
            if (!trial.tuned) continue;
            best = trial;
            break;
        }
    }
    if (best.tuned) *f = best;
    return best.tuned;
}

// ---------------------------------------------------------------------------- of a scene

// As published a grid is stable while 1 - k s1 Q - k^2/4 (kappa^2 Q^2 + c^2 Q) > 0, Q = 4/hx^2 +
// 4/hy^2. The largest Q that leaves LEAST_MARGIN.
static double largest_Q(const plate_spec* f, double k) {
    double a = 0.25 * k * k * f->stiffness / f->density;
    double b = k * f->s1 + 0.25 * k * k * f->tension / f->density, c = 1 - 2 * LEAST_MARGIN;
    return 2 * c / (b + sqrt(b * b + 4 * a * c));
}

// A grid at the limit of stability has too many points, or too few across the plate.
static bool refuse_grid(const sis_plate_def* def, const plate_spec* f, double rate,
                        sis_error* error) {
    double h = sqrt(8 / largest_Q(f, 1 / rate));
    if (fmin(f->length, f->width) < 4 * h && !def->segments_x)
        return sis_fail_key(
            error, SIS_REFUSED, "segments",
            "at %g steps per second points of a grid must be %.3g m apart, which "
            "leaves none across %g m: raise 'rate' or 'oversample', or take model = "
            "\"modal\"",
            rate, h, fmin(f->length, f->width));
    else
        return sis_fail_key(error, SIS_REFUSED, "segments",
                            "its grid would have more than %d points at %g steps per second: lower "
                            "'rate' or 'oversample', give 'segments', or take model = \"modal\"",
                            MOST_GRID, rate);
}

// As published, nearly square cells: the short side first, the long one takes what stability
// leaves.
static bool published_grid(const plate_spec* f, double k, int32_t* nx, int32_t* ny) {
    double Q = largest_Q(f, k), h = sqrt(8 / Q);
    double shorter = fmin(f->length, f->width), longer = fmax(f->length, f->width);
    double few = fmax(2, floor(shorter / h)), left = Q - 4 * few * few / (shorter * shorter);
    double many = left > 0 ? floor(longer * sqrt(left / 4)) : 0;
    if (!(many >= 2 && few <= PLATE_SIDE && many <= PLATE_SIDE && few * many <= MOST_GRID))
        return false;
    *nx = (int32_t)(f->length >= f->width ? many : few);
    *ny = (int32_t)(f->length >= f->width ? few : many);
    return true;
}

// The grid asked for, or that of most points, tuned if it can be. A modal plate has one for
// pictures.
bool sis_plate_grid(compile_plan* plan, const sis_plate_def* def, plate_spec* f, sis_error* error) {
    int32_t nx = 0, ny = 0;
    double k = plan->system->k, rate = plan->system->rate;
    bool any = published_grid(f, k, &nx, &ny), modal = f->model == SIS_PLATE_MODAL;
    if (modal && !any) nx = ny = 32;
    f->nx = def->segments_x ? def->segments_x : nx;
    f->ny = def->segments_y ? def->segments_y : ny;
    if ((double)f->nx * f->ny > MOST_GRID || (!modal && !def->segments_x && !any))
        return refuse_grid(def, f, rate, error);
    leave_untuned(f);
    f->margin = margin_of(f, k);
    bool tuned = def->tuned && !modal && f->margin > LEAST_MARGIN;
    if (tuned && !def->segments_x &&
        find_tuned_grid(f, k, nx < ny ? nx : ny, PLATE_SIDE, MOST_GRID, &plan->arena, error))
        return true;
    if (tuned && !def->segments_x) {
        f->nx = nx;
        f->ny = ny;
    }
    if (tuned && !tune_stably(f, k, 0, &plan->arena, error)) return false;
    if (modal || f->margin > LEAST_MARGIN) return true;
    if (f->live)
        return sis_fail_key(error, SIS_REFUSED, "tension",
                            "'segments' = {%d, %d} cannot be stable at %g steps per second with "
                            "the %g N/m that 'tension' reaches (margin %.3g): needs about {%d, %d} "
                            "at most, a higher rate or a narrower range",
                            (int)f->nx, (int)f->ny, rate, f->top, f->margin, (int)nx, (int)ny);
    return sis_fail(
        error, SIS_REFUSED,
        "'segments' = {%d, %d} cannot be stable at %g steps per second (margin %.3g): needs "
        "about {%d, %d} at most, or a higher rate",
        (int)f->nx, (int)f->ny, rate, f->margin, (int)nx, (int)ny);
}
