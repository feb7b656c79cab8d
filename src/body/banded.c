// The four chains of banded.h side by side: while one waits for its last product the processor does
// those of the others.
#include "body/banded.h"

// A chain on its way in: what the point at hand loses by the two before it.
typedef struct chain_in {
    double near, far, later; // R_{k-1,k} y_{k-1}, R_{k-2,k} y_{k-2}, R_{k-1,k+1} y_{k-1}
} chain_in;

SIS_INLINE double step_in(chain_in* c, double* x, double next, double after_next, bool two) {
    double y = (two ? *x - c->far : *x) - c->near;
    *x = y;
    c->near = next * y;
    if (two) {
        c->far = c->later;
        c->later = after_next * y;
    }
    return y;
}

// The last two points of a chain change the rest beyond its end.
SIS_INLINE void end_in(const chain_in* c, double* x, int32_t way, bool two) {
    x[0] = (two ? x[0] - c->far : x[0]) - c->near;
    if (two) x[way] -= c->later;
}

// On its way out: the two points solved last.
typedef struct chain_out {
    double near, far;
} chain_out;

SIS_INLINE void step_out(chain_out* c, double* x, double given, double inverse, double next,
                         double after_next, bool two) {
    double v = given * inverse;
    v = (two ? v - after_next * c->far : v) - next * c->near;
    c->far = c->near;
    c->near = v;
    *x = v;
}

// Where the chains begin: the ends, and both sides of the points in the middle.
typedef struct chain_starts {
    double *left, *right, *mid_left, *mid_right;
} chain_starts;

SIS_INLINE chain_starts starts_of(const banded* A, double* x) {
    int32_t last = A->count - 1, middle = 2 * A->steps + A->meeting - 1;
    return (chain_starts){x, x + last, x + middle, x + (last - middle)};
}

// D R x <- R^-T x along the chains; x of the rest gets what is left of it.
SIS_INLINE void sweep_in(const banded* A, double* x, bool two) {
    const chain_starts s = starts_of(A, x);
    const banded_step* step = A->step;
    chain_in l = {0, 0, 0}, r = l, ml = l, mr = l;
    double tied_l[2] = {0, 0}, tied_r[2] = {0, 0};
    int32_t k = 0;
    for (; k < A->reach; k++) {
        const banded_tie* tie = &A->tie[k];
        step_in(&l, s.left + k, step[k].next[0], step[k].after_next[0], two);
        step_in(&r, s.right - k, step[k].next[0], step[k].after_next[0], two);
        double yl = step_in(&ml, s.mid_left - k, step[k].next[1], step[k].after_next[1], two);
        double yr = step_in(&mr, s.mid_right + k, step[k].next[1], step[k].after_next[1], two);
        tied_l[0] += tie->R[0] * yl;
        tied_r[0] += tie->R[0] * yr;
        if (two) {
            tied_l[1] += tie->R[1] * yl;
            tied_r[1] += tie->R[1] * yr;
        }
    }
    for (; k < A->steps; k++) {
        step_in(&l, s.left + k, step[k].next[0], step[k].after_next[0], two);
        step_in(&r, s.right - k, step[k].next[0], step[k].after_next[0], two);
        step_in(&ml, s.mid_left - k, step[k].next[1], step[k].after_next[1], two);
        step_in(&mr, s.mid_right + k, step[k].next[1], step[k].after_next[1], two);
    }
    end_in(&l, s.left + k, 1, two);
    end_in(&ml, s.mid_left - k, -1, two);
    end_in(&mr, s.mid_right + k, 1, two);
    end_in(&r, s.right - k, -1, two);
    s.mid_left[1] -= tied_l[0];
    s.mid_right[-1] -= tied_r[0];
    if (two) {
        s.mid_left[2] -= tied_l[1];
        s.mid_right[-2] -= tied_r[1];
    }
}

// x <- R^-1 D^-1 x along the chains, from the rest outwards.
SIS_INLINE void sweep_out(const banded* A, double* x, bool two) {
    const chain_starts s = starts_of(A, x);
    int32_t k = A->steps - 1;
    chain_out l = {s.left[k + 1], two ? s.left[k + 2] : 0};
    chain_out r = {s.right[-k - 1], two ? s.right[-k - 2] : 0};
    chain_out ml = {s.mid_left[-k - 1], two ? s.mid_left[-k - 2] : 0};
    chain_out mr = {s.mid_right[k + 1], two ? s.mid_right[k + 2] : 0};
    double tied_l[2] = {s.mid_left[1], two ? s.mid_left[2] : 0};
    double tied_r[2] = {s.mid_right[-1], two ? s.mid_right[-2] : 0};
    for (; k >= A->reach; k--) {
        const banded_step* p = &A->step[k];
        double o = p->inverse[0], i = p->inverse[1];
        step_out(&l, s.left + k, s.left[k], o, p->next[0], p->after_next[0], two);
        step_out(&r, s.right - k, s.right[-k], o, p->next[0], p->after_next[0], two);
        step_out(&ml, s.mid_left - k, s.mid_left[-k], i, p->next[1], p->after_next[1], two);
        step_out(&mr, s.mid_right + k, s.mid_right[k], i, p->next[1], p->after_next[1], two);
    }
    for (; k >= 0; k--) {
        const banded_step* p = &A->step[k];
        const banded_tie* tie = &A->tie[k];
        double o = p->inverse[0], i = p->inverse[1];
        double yl = s.mid_left[-k] - tie->DR[0] * tied_l[0];
        double yr = s.mid_right[k] - tie->DR[0] * tied_r[0];
        if (two) {
            yl -= tie->DR[1] * tied_l[1];
            yr -= tie->DR[1] * tied_r[1];
        }
        step_out(&l, s.left + k, s.left[k], o, p->next[0], p->after_next[0], two);
        step_out(&r, s.right - k, s.right[-k], o, p->next[0], p->after_next[0], two);
        step_out(&ml, s.mid_left - k, yl, i, p->next[1], p->after_next[1], two);
        step_out(&mr, s.mid_right + k, yr, i, p->next[1], p->after_next[1], two);
    }
}

static void solve_rest(const banded* A, double* x) {
    double given[BANDED_ROW], found[BANDED_ROW] = {0};
    double* run[3] = {x + A->steps, x + 2 * A->steps + A->meeting,
                      x + 3 * A->steps + A->meeting + A->part};
    const int32_t length[3] = {A->meeting, A->part, A->meeting};
    int32_t size = 0;
    for (int i = 0; i < 3; i++)
        for (int32_t j = 0; j < length[i]; j++)
            given[size++] = run[i][j];
    for (int32_t c = 0; c < size; c++)
        for (int r = 0; r < BANDED_ROW; r++)
            found[r] += A->inverse[c][r] * given[c];
    size = 0;
    for (int i = 0; i < 3; i++)
        for (int32_t j = 0; j < length[i]; j++)
            run[i][j] = found[size++];
}

void sis_banded_solve(const banded* A, double* x) {
    if (A->steps == 0) {
        solve_rest(A, x);
    } else if (A->width > 1) {
        sweep_in(A, x, true);
        solve_rest(A, x);
        sweep_out(A, x, true);
    } else {
        sweep_in(A, x, false);
        solve_rest(A, x);
        sweep_out(A, x, false);
    }
}
