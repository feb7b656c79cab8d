// The factor of a band in the order of banded.h, made when a scene is compiled.
#include "body/banded.h"

#include <math.h>

// Of the tie, relative to the point itself: far below rounding.
static const double FADED = 1e-22;

int32_t sis_banded_steps(int32_t count, int32_t width) {
    return count > 3 * width ? (count - 3 * width) / 4 : 0;
}

// What the steps so far have changed among the points that are next and the parting ones: rows and
// columns are this point, the next, the one after it, the nearest parting point, the one behind it.
// It is symmetric: what is on and above the diagonal is kept.
typedef struct front {
    double at[5][5];
} front;

typedef struct band_of {
    const double* diagonal[3];
    int32_t width;
} band_of;

static double entry(const band_of* A, int32_t i, int32_t j) {
    int32_t apart = i < j ? j - i : i - j;
    return apart <= A->width ? A->diagonal[apart][i < j ? i : j] : 0;
}

// Eliminates this point; the next takes its place. Only an inner chain is tied to parting points.
static void pass_on(front* f, bool inner) {
    double(*at)[5] = f->at;
    const double d = at[0][0];
#define LEFT(r, c) (at[r][c] - at[0][r] * at[0][c] / d)
    if (inner) {
        const double next[2] = {LEFT(1, 3), LEFT(1, 4)}, after[2] = {LEFT(2, 3), LEFT(2, 4)};
        at[3][3] = LEFT(3, 3);
        at[3][4] = LEFT(3, 4);
        at[4][4] = LEFT(4, 4);
        for (int j = 0; j < 2; j++) {
            at[0][3 + j] = next[j];
            at[1][3 + j] = after[j];
        }
    }
    const double here = LEFT(1, 1), beside = LEFT(1, 2), there = LEFT(2, 2);
#undef LEFT
    at[0][0] = here;
    at[0][1] = beside;
    at[1][1] = there;
    at[0][2] = at[1][2] = at[2][2] = at[2][3] = at[2][4] = 0;
}

// One chain from point `first` on; what it changes beyond its end is left in the front.
static front eliminate(const band_of* A, int32_t first, int32_t steps, bool inner,
                       banded_step* step, banded_tie* tie, int32_t* reach) {
    front f = {{{0}}};
    int32_t way = inner ? -1 : 1;
    for (int32_t k = 0; k < steps; k++) {
        int32_t i = first + way * k;
        for (int j = 0; j < 3; j++)
            f.at[0][j] += j <= A->width ? entry(A, i, i + way * j) : 0;
        for (int j = 0; j < 2 && inner; j++)
            f.at[0][3 + j] += entry(A, i, first + 1 + j);
        double inverse = 1 / f.at[0][0];
        step[k].inverse[inner] = inverse;
        step[k].next[inner] = f.at[0][1] * inverse;
        step[k].after_next[inner] = f.at[0][2] * inverse;
        for (int j = 0; j < 2 && inner; j++) {
            tie[k].DR[j] = f.at[0][3 + j];
            tie[k].R[j] = f.at[0][3 + j] * inverse;
            if (fabs(tie[k].R[j]) > FADED) *reach = k + 1;
        }
        pass_on(&f, inner);
    }
    return f;
}

// Adds what a chain and its mirror changed among points of the rest.
static void add_front(const front* f, const int place[4], int size,
                      double rest[BANDED_REST][BANDED_ROW]) {
    static const int row[4] = {0, 1, 3, 4};
    for (int r = 0; r < 4; r++)
        for (int c = 0; c < 4; c++) {
            if (place[r] < 0 || place[c] < 0) continue;
            const double more = r < c ? f->at[row[r]][row[c]] : f->at[row[c]][row[r]];
            rest[place[r]][place[c]] += more;
            rest[size - 1 - place[r]][size - 1 - place[c]] += more;
        }
}

// In place, by Gauss and Jordan; no pivot is needed where all eigenvalues are positive.
static void invert(double m[BANDED_REST][BANDED_ROW], int size) {
    for (int p = 0; p < size; p++) {
        double inverse = 1 / m[p][p];
        m[p][p] = 1;
        for (int c = 0; c < size; c++)
            m[p][c] *= inverse;
        for (int r = 0; r < size; r++) {
            if (r == p) continue;
            double factor = m[r][p];
            m[r][p] = 0;
            for (int c = 0; c < size; c++)
                m[r][c] -= factor * m[p][c];
        }
    }
}

// Where the i-th point of the rest is.
static int32_t place_of(const banded* A, int32_t i) {
    int32_t at = A->steps + i;
    if (i >= A->meeting) at += A->steps;
    if (i >= A->meeting + A->part) at += A->steps;
    return at;
}

void sis_banded_factor(int32_t count, int32_t width, const double* main, const double* off1,
                       const double* off2, banded_step* step, banded_tie* tie, banded* out) {
    const band_of A = {{main, off1, off2}, width};
    int32_t steps = sis_banded_steps(count, width), left = count - 4 * steps;
    *out = (banded){.count = count,
                    .width = width,
                    .steps = steps,
                    .step = step,
                    .tie = tie,
                    .diagonal = {main, off1, off2}};
    out->part = steps ? width + (left - 3 * width) % 2 : count % 2;
    out->meeting = (left - out->part) / 2;
    for (int32_t r = 0; r < left; r++)
        for (int32_t c = 0; c < left; c++)
            out->inverse[r][c] = entry(&A, place_of(out, r), place_of(out, c));
    if (steps) {
        int32_t meeting = out->meeting;
        front outer = eliminate(&A, 0, steps, false, step, tie, &out->reach);
        front inner = eliminate(&A, 2 * steps + meeting - 1, steps, true, step, tie, &out->reach);
        bool two = width > 1;
        add_front(&outer, (int[4]){0, two ? 1 : -1, -1, -1}, left, out->inverse);
        add_front(&inner,
                  (int[4]){meeting - 1, two ? meeting - 2 : -1, meeting, two ? meeting + 1 : -1},
                  left, out->inverse);
    }
    invert(out->inverse, left);
}
