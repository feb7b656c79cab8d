// The four chains of banded.h side by side: while one waits for its last product the processor does
// those of the others. The halves of the string are mirrors of each other, so they take one lane
// each (base/lanes.h) where there are two.
#include "body/banded.h"

#if defined(__GNUC__)
#define LANES 2
#else
#define LANES 1
#endif
#include "base/lanes.h"

// The points of each lane, counted towards the middle of the string.
typedef struct half {
    double* from[LANES];
    int32_t way[LANES]; // 1, or -1 from the right
} half;

LANES_FN lanes half_load(const half* h, int32_t i) {
#if LANES == 1
    return h->from[0][h->way[0] * i];
#else
    return (lanes){h->from[0][i], h->from[1][-i]};
#endif
}

LANES_FN void half_store(const half* h, int32_t i, lanes x) {
#if LANES == 1
    h->from[0][h->way[0] * i] = x;
#else
    h->from[0][i] = x[0];
    h->from[1][-i] = x[1];
#endif
}

// A chain on its way in: what the point at hand loses by the two before it.
typedef struct chain_in {
    lanes near, far, later; // R_{k-1,k} y_{k-1}, R_{k-2,k} y_{k-2}, R_{k-1,k+1} y_{k-1}
} chain_in;

LANES_FN lanes lose(const chain_in* c, lanes x, bool two) {
    if (two) x -= c->far;
    return x - c->near;
}

LANES_FN lanes step_in(chain_in* c, const half* h, int32_t i, double next, double after_next,
                       bool two) {
    lanes y = lose(c, half_load(h, i), two);
    half_store(h, i, y);
    c->near = next * y;
    if (two) {
        c->far = c->later;
        c->later = after_next * y;
    }
    return y;
}

// The last two points of a chain change the rest beyond its end.
LANES_FN void end_in(const chain_in* c, const half* h, int32_t i, int32_t way, bool two) {
    half_store(h, i, lose(c, half_load(h, i), two));
    if (two) half_store(h, i + way, half_load(h, i + way) - c->later);
}

// On its way out: the two points solved last.
typedef struct chain_out {
    lanes near, far;
} chain_out;

LANES_FN void step_out(chain_out* c, const half* h, int32_t i, lanes given, double inverse,
                       double next, double after_next, bool two) {
    lanes v = given * inverse;
    if (two) v -= after_next * c->far;
    v -= next * c->near;
    c->far = c->near;
    c->near = v;
    half_store(h, i, v);
}

// x <- R^-T x along the chains; the inner one of each half begins at `middle`. What it changes of
// the parting points, which may belong to both halves, is left in `tied`.
LANES_FN void sweep_in(const banded* A, const half* h, lanes tied[2], bool two) {
    const banded_step* step = A->step;
    int32_t k = 0, middle = 2 * A->steps + A->meeting - 1;
    lanes zero = lanes_all(0), tied0 = zero, tied1 = zero;
    chain_in outer = {zero, zero, zero}, inner = outer;
    for (; k < A->reach; k++) {
        const banded_tie* tie = &A->tie[k];
        step_in(&outer, h, k, step[k].next[0], step[k].after_next[0], two);
        lanes y = step_in(&inner, h, middle - k, step[k].next[1], step[k].after_next[1], two);
        tied0 += tie->R[0] * y;
        if (two) tied1 += tie->R[1] * y;
    }
    for (; k < A->steps; k++) {
        step_in(&outer, h, k, step[k].next[0], step[k].after_next[0], two);
        step_in(&inner, h, middle - k, step[k].next[1], step[k].after_next[1], two);
    }
    end_in(&outer, h, k, 1, two);
    end_in(&inner, h, middle - k, -1, two);
    tied[0] = tied0;
    tied[1] = tied1;
}

// x <- R^-1 D^-1 x along the chains, from the rest outwards.
LANES_FN void sweep_out(const banded* A, const half* h, bool two) {
    int32_t k = A->steps - 1, middle = 2 * A->steps + A->meeting - 1;
    lanes zero = lanes_all(0);
    chain_out outer = {half_load(h, k + 1), two ? half_load(h, k + 2) : zero};
    chain_out inner = {half_load(h, middle - k - 1), two ? half_load(h, middle - k - 2) : zero};
    lanes tied0 = half_load(h, middle + 1), tied1 = two ? half_load(h, middle + 2) : zero;
    for (; k >= A->reach; k--) {
        const banded_step* p = &A->step[k];
        step_out(&outer, h, k, half_load(h, k), p->inverse[0], p->next[0], p->after_next[0], two);
        step_out(&inner, h, middle - k, half_load(h, middle - k), p->inverse[1], p->next[1],
                 p->after_next[1], two);
    }
    for (; k >= 0; k--) {
        const banded_step* p = &A->step[k];
        const banded_tie* tie = &A->tie[k];
        lanes y = half_load(h, middle - k) - tie->DR[0] * tied0;
        if (two) y -= tie->DR[1] * tied1;
        step_out(&outer, h, k, half_load(h, k), p->inverse[0], p->next[0], p->after_next[0], two);
        step_out(&inner, h, middle - k, y, p->inverse[1], p->next[1], p->after_next[1], two);
    }
}

// The rest lies in three runs. (Their length has a bound, so that no call copies these few
// numbers.)
enum { RUNS = 3, RUN_MOST = 4 };

static void solve_rest(const banded* A, double* x) {
    double found[BANDED_ROW];
    double* run[RUNS] = {x + A->steps, x + 2 * A->steps + A->meeting,
                         x + 3 * A->steps + A->meeting + A->part};
    const int32_t length[RUNS] = {A->meeting, A->part, A->meeting};
    lanes sum[BANDED_ROW / LANES];
    int32_t c = 0;
    for (int r = 0; r < BANDED_ROW; r += LANES)
        sum[r / LANES] = lanes_all(0);
    for (int i = 0; i < RUNS; i++)
        for (int32_t j = 0; j < length[i]; j++, c++)
            for (int r = 0; r < BANDED_ROW; r += LANES)
                sum[r / LANES] += lanes_load(A->inverse[c] + r) * run[i][j];
    for (int r = 0; r < BANDED_ROW; r += LANES)
        lanes_store(found + r, sum[r / LANES]);
    c = 0;
    for (int i = 0; i < RUNS; i++)
        for (int32_t j = 0; j < RUN_MOST && j < length[i]; j++)
            run[i][j] = found[c++];
}

// The halves one after the other, or both at once.
enum { HALVES = 2 / LANES };

LANES_FN void solve(const banded* A, double* x, bool two) {
    double* last = x + A->count - 1;
    int32_t parting = 2 * A->steps + A->meeting;
    half h[HALVES];
    double tied[2][2]; // by nearness, then side
    for (int i = 0; i < HALVES; i++) {
#if LANES == 1
        h[i] = (half){{i ? last : x}, {i ? -1 : 1}};
        lanes t[2];
        sweep_in(A, &h[i], t, two);
        tied[0][i] = t[0];
        tied[1][i] = t[1];
#else
        h[i] = (half){{x, last}, {1, -1}};
        lanes t[2];
        sweep_in(A, &h[i], t, two);
        lanes_store(tied[0], t[0]);
        lanes_store(tied[1], t[1]);
#endif
    }
    x[parting] -= tied[0][0];
    last[-parting] -= tied[0][1];
    if (two) {
        x[parting + 1] -= tied[1][0];
        last[-parting - 1] -= tied[1][1];
    }
    solve_rest(A, x);
    for (int i = 0; i < HALVES; i++)
        sweep_out(A, &h[i], two);
}

void sis_banded_solve(const banded* A, double* x) {
    if (A->steps == 0)
        solve_rest(A, x);
    else if (A->width > 1)
        solve(A, x, true);
    else
        solve(A, x, false);
}
