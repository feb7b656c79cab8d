// The linear algebra of wide blocks (network.h: network_block.wide) over lanes: products with G,
// the Cholesky factor of I + S G S and its substitutions, conjugate gradients. Included by
// src/wide.
//
// Rows have PROFILE_PAD places behind their diagonal, 0 in G, so that a pass over a row needs no
// special case at its end. Entries that are stored side by side lie in different lanes and each has
// its own sum in ascending order; sums along a row are eight (lanes_sums), whatever the width. So
// the bits are the same at every width.
#include "base/lanes.h"
#include "network/network.h"

// Places of a row of `count` numbers that a pass looks at: whole groups of eight.
LANES_FN int32_t whole_places(int32_t count) {
    return (count + 7) / 8 * 8;
}

// sum a_j b_j over whole groups of eight.
LANES_FN double dot_places(const double* a, const double* b, int32_t places) {
    lanes_sums sums = lanes_sums_none();
    double eight[8];
    for (int32_t j = 0; j < places; j += 8)
        for (int32_t k = 0; k < 8; k += LANES)
            lanes_sums_add(&sums, k, lanes_load(a + j + k) * lanes_load(b + j + k));
    lanes_sums_keep(&sums, eight);
    return sis_sum_of_eight(eight);
}

// ---------------------------------------------------------------------------- products

// The same from rows without their zeros: each entry of out is in a lane of its own.
LANES_FN void sparse_multiply(const network_set* set, const double* v, double* out) {
    const sparse_rows* rows = &set->block->sparse;
    const lanes scale = lanes_all(set->scale);
    for (int32_t i = 0; i < set->count; i += 8) {
        lanes sum[8 / LANES];
        for (int k = 0; k < 8 / LANES; k++)
            sum[k] = lanes_all(0);
        for (size_t at = rows->start[i / 8]; at < rows->start[i / 8 + 1]; at += 8)
            for (int k = 0; k < 8 / LANES; k++)
                sum[k] += lanes_load(rows->G + at + k * LANES) *
                          lanes_gather(v, rows->column + at + k * LANES);
        for (int k = 0; k < 8 / LANES; k++)
            lanes_store(out + i + k * LANES, scale * sum[k]);
    }
}

// out = G v: row i gives its products with v to out_i, and its column to those above. What the pass
// adds to out_i itself and behind it is put back.
static void profile_multiply(const network_set* set, const double* restrict v,
                             double* restrict out) {
    const int32_t n = set->count;
    if (set->whole && set->block->sparse.start) {
        sparse_multiply(set, v, out);
        return;
    }
    for (int32_t i = 0; i < n; i += LANES)
        lanes_store(out + i, lanes_all(0));
    for (int32_t i = 0; i < n; i++) {
        const int32_t first = set->row[i], places = whole_places(i - first + 1);
        const double *g = set->G + set->start[i], *x = v + first;
        double* to = out + first;
        lanes_sums sums = lanes_sums_none();
        const lanes here = lanes_all(v[i]);
        double eight[8];
        for (int32_t j = 0; j < places; j += 8)
            for (int32_t k = 0; k < 8; k += LANES) {
                const lanes entry = lanes_load(g + j + k);
                lanes_sums_add(&sums, k, entry * lanes_load(x + j + k));
                lanes_store(to + j + k, lanes_load(to + j + k) + entry * here);
            }
        lanes_sums_keep(&sums, eight);
        out[i] = sis_sum_of_eight(eight); // nothing was there before: rows below come later
    }
    for (int32_t i = 0; i < n && set->scale != 1; i++)
        out[i] *= set->scale;
}

// ---------------------------------------------------------------------------- Cholesky

// The columns of a panel, transposed: entry (i, p + m) is at T[m][i]; 0 outside the profile.
typedef struct panel {
    double* T;
    int32_t stride;
    int32_t first, width; // columns p .. p + width - 1
    int32_t end;          // of the rows that have entries in them
} panel;

static panel panel_open(const network_set* set, int32_t p, double* T) {
    const int32_t left = set->count - p, width = left < PROFILE_PANEL ? left : PROFILE_PANEL;
    panel t = {T, set->count + PROFILE_PAD, p, width, p + width};
    for (int32_t i = p; i < set->count; i++)
        if (set->row[i] < p + width) t.end = i + 1;
    for (int32_t i = p; i < t.end; i++) {
        const double* row = set->L + set->start[i] + (p - set->row[i]);
        for (int32_t m = 0; m < width; m++)
            T[m * t.stride + i] = p + m >= set->row[i] && p + m <= i ? row[m] : 0;
    }
    for (int32_t m = 0; m < width; m++)
        for (int32_t k = 0; k < PROFILE_PAD; k++)
            T[m * t.stride + t.end + k] = 0;
    return t;
}

// `count` LANES entries of a column j .. j + count LANES - 1 of row i, or by the same products of
// column i at rows j ..: less those with columns `from` .. `to` - 1 of the panel.
LANES_FN void take_columns(const panel* t, int32_t i, int32_t j, int32_t from, int32_t to,
                           const int count, double* entries) {
    lanes sum[4];
    for (int k = 0; k < count; k++)
        sum[k] = lanes_load(entries + k * LANES);
    for (int32_t m = from; m < to; m++) {
        const double* column = t->T + m * t->stride;
        const lanes by = lanes_all(column[i]);
        for (int k = 0; k < count; k++)
            sum[k] -= by * lanes_load(column + j + k * LANES);
    }
    for (int k = 0; k < count; k++)
        lanes_store(entries + k * LANES, sum[k]);
}

// All of them from j to `last`, and what whole lanes have behind it.
LANES_FN void take_all(const panel* t, int32_t i, int32_t j, int32_t last, int32_t from, int32_t to,
                       double* entries) {
    int32_t k = 0;
    for (; j + k + 3 * LANES <= last; k += 4 * LANES)
        take_columns(t, i, j + k, from, to, 4, entries + k);
    for (; j + k <= last; k += LANES)
        take_columns(t, i, j + k, from, to, 1, entries + k);
}

// Column m of the panel: T[m][i] -= sum_{l < m} T[l][i] T[l][p + m], then by 1/L_mm.
static void panel_column(const panel* t, int32_t m) {
    const int32_t from = t->first + m;
    double* column = t->T + m * t->stride;
    take_all(t, from, from, t->end - 1, 0, m, column + from);
    // Every eigenvalue is >= 1 (rigid links: > 0); the floor only catches rounding when S G S is
    // enormous.
    const double square = column[from], inverse = 1 / sqrt(square > 1e-300 ? square : 1e-300);
    for (int32_t i = from + 1; i < t->end; i += LANES)
        lanes_store(column + i, lanes_load(column + i) * inverse);
    column[from] = inverse;
    for (int32_t k = 0; k < PROFILE_PAD; k++)
        column[t->end + k] = 0;
}

static void panel_close(const network_set* set, const panel* t) {
    for (int32_t i = t->first; i < t->end; i++) {
        const int32_t last = i < t->first + t->width ? i - t->first + 1 : t->width;
        const int32_t from = set->row[i] > t->first ? set->row[i] - t->first : 0;
        double* row = set->L + set->start[i] + (t->first - set->row[i]);
        for (int32_t m = from; m < last; m++)
            row[m] = t->T[m * t->stride + i];
    }
}

// The rows below a panel.
static void panel_subtract(const network_set* set, const panel* t) {
    const int32_t below = t->first + t->width;
    for (int32_t i = below; i < t->end; i++) {
        const int32_t first = set->row[i], from = first > t->first ? first - t->first : 0;
        if (first >= below) continue;
        take_all(t, i, below, i, from, t->width, set->L + set->start[i] + (below - first));
    }
}

// L_ij = (M_ij - sum_m L_im L_jm)/L_jj with M = diag(base) + S G S; the diagonal holds 1/L_ii. By
// panels of columns: each is finished, then taken from the rows below. Each entry is M_ij less its
// products in ascending order, as by the scalar form (profile.c).
static void profile_factor(const network_set* set, const double* base, const double* s,
                           double* scratch) {
    for (int32_t i = 0; i < set->count; i++) {
        const int32_t first = set->row[i], places = whole_places(i - first + 1);
        const double* g = set->G + set->start[i];
        double* row = set->L + set->start[i];
        const lanes own = lanes_all(set->scale * s[i]);
        for (int32_t j = 0; j < places; j += LANES)
            lanes_store(row + j, own * lanes_load(g + j) * lanes_load(s + first + j));
        row[i - first] += base[i];
    }
    for (int32_t p = 0; p < set->count; p += PROFILE_PANEL) {
        const panel t = panel_open(set, p, scratch);
        for (int32_t m = 0; m < t.width; m++)
            panel_column(&t, m);
        panel_close(set, &t);
        panel_subtract(set, &t);
    }
    for (int32_t i = 0; i < set->count; i++) // what passes over rows left behind the diagonal
        for (int32_t k = 1; k <= PROFILE_PAD; k++)
            set->L[set->start[i] + (size_t)(i - set->row[i] + k)] = 0;
}

// L L^T y = y. Places behind y are 0.
static void profile_substitute(const network_set* set, double* y) {
    for (int32_t i = 0; i < set->count; i++) {
        const int32_t first = set->row[i];
        const double* row = set->L + set->start[i];
        const double right = y[i];
        y[i] = 0;
        y[i] = (right - dot_places(row, y + first, whole_places(i - first + 1))) * row[i - first];
    }
    for (int32_t i = set->count - 1; i >= 0; i--) {
        const int32_t first = set->row[i], places = whole_places(i - first + 1);
        const double* row = set->L + set->start[i];
        double *to = y + first, here = y[i] * row[i - first];
        for (int32_t j = 0; j < places; j += LANES)
            lanes_store(to + j, lanes_load(to + j) - lanes_load(row + j) * here);
        y[i] = here;
    }
}

// ---------------------------------------------------------------------------- soft contacts

// Conjugate gradients on (I + S G S) x = step with the diagonal as preconditioner, until the
// residual is below `enough`: it replaces step.
static bool profile_conjugate(const network_set* set, const double* s, double* step, double* x,
                              double enough, int32_t most, double* scratch) {
    const int32_t n = set->count, stride = n + PROFILE_PAD, places = whole_places(n);
    double *inverse = scratch, *p = inverse + stride, *t = p + stride, *Gt = t + stride;
    double* z = Gt + stride;
    for (int32_t i = 0; i < stride; i++)
        x[i] = p[i] = t[i] = inverse[i] = 0;
    for (int32_t i = 0; i < n; i++) {
        const double own = set->G[set->start[i] + (size_t)(i - set->row[i])];
        inverse[i] = 1 / (1 + set->scale * s[i] * own * s[i]);
    }
    double last = 0;
    for (int32_t turn = 0;; turn++) {
        if (sqrt(dot_places(step, step, places)) <= enough) return true;
        if (turn == most) return false;
        for (int32_t i = 0; i < places; i += LANES)
            lanes_store(z + i, lanes_load(inverse + i) * lanes_load(step + i));
        const double now = dot_places(step, z, places);
        const lanes carried = lanes_all(turn ? now / last : 0);
        for (int32_t i = 0; i < places; i += LANES) {
            const lanes next = lanes_load(z + i) + carried * lanes_load(p + i);
            lanes_store(p + i, next);
            lanes_store(t + i, lanes_load(s + i) * next);
        }
        profile_multiply(set, t, Gt);
        for (int32_t i = 0; i < places; i += LANES) // (I + S G S) p
            lanes_store(t + i, lanes_load(p + i) + lanes_load(s + i) * lanes_load(Gt + i));
        const double curve = dot_places(p, t, places), length = now / curve;
        if (!(curve > 0)) return false;
        const lanes far = lanes_all(length);
        for (int32_t i = 0; i < places; i += LANES) {
            lanes_store(x + i, lanes_load(x + i) + far * lanes_load(p + i));
            lanes_store(step + i, lanes_load(step + i) - far * lanes_load(t + i));
        }
        last = now;
    }
}

// ---------------------------------------------------------------------------- small sets

// A matrix of a small set is a square of `stride` 8 or 16 numbers a side, 0 beyond the set: entry
// (i, j) at j stride + i. Each entry is in a lane of its own; its sum goes over j, or m, ascending.
LANES_FN void square_product(const double* G, const int32_t stride, int32_t n, const double* v,
                             double scale, double* out) {
    lanes sum[16 / LANES];
    for (int32_t k = 0; k < stride / LANES; k++)
        sum[k] = lanes_all(0);
    for (int32_t j = 0; j < n; j++, G += stride) {
        const lanes by = lanes_all(v[j]);
        for (int32_t k = 0; k < stride / LANES; k++)
            sum[k] += lanes_load(G + k * LANES) * by;
    }
    for (int32_t k = 0; k < stride / LANES; k++)
        lanes_store(out + k * LANES, sum[k] * scale);
}

static void square_multiply(const network_set* set, const double* v, double* out) {
    if (set->square == 8)
        square_product(set->G, 8, set->count, v, set->scale, out);
    else
        square_product(set->G, 16, set->count, v, set->scale, out);
}

// The factor by columns, 0 on and above the diagonal; the same by rows; and 1/L_ii.
typedef struct square_factors {
    double *column, *row, *inverse;
} square_factors;

LANES_FN square_factors factors_of(const network_set* set) {
    const int32_t side = set->square;
    return (square_factors){set->L, set->L + side * side, set->L + 2 * side * side};
}

// The lanes of a set from place `from` on that lie behind place j.
LANES_FN lanes_mask lanes_behind(int32_t from, int32_t j) {
    return lanes_from_which(((2u << (LANES - 1)) - 1) & ~((2u << (j - from)) - 1));
}

// Numbers are written by lanes and read one by one: the other way round a processor waits until all
// of them are written.
LANES_FN void factor_square(const network_set* set, const int32_t stride, const double* base,
                            const double* s) {
    const square_factors L = factors_of(set);
    const double *G = set->G, scale = set->scale;
    const int32_t count = set->count;
    for (int32_t i = 0; i < count * stride; i += LANES)
        lanes_store(L.row + i, lanes_all(0));
    for (int32_t j = 0; j < count; j++, G += stride) {
        double *column = L.column + j * stride, *row = L.row + j * stride;
        const lanes own = lanes_all(scale * s[j]);
        const int32_t from = j / LANES * LANES;
        for (int32_t i = from; i < stride; i += LANES) {
            lanes sum = own * lanes_load(G + i) * lanes_load(s + i);
            if (i == from) // -0 changes no number
                sum += lanes_pick(lanes_from_which(1u << (j - from)), lanes_all(base[j]),
                                  lanes_all(-0.0));
            for (int32_t m = 0; m < j; m++)
                sum -= lanes_load(L.column + m * stride + i) * row[m];
            lanes_store(column + i, sum);
        }
        const double square = column[j], inverse = 1 / sqrt(square > 1e-300 ? square : 1e-300);
        L.inverse[j] = inverse;
        for (int32_t i = from; i < stride; i += LANES) {
            lanes below = lanes_load(column + i) * inverse;
            if (i == from) below = lanes_pick(lanes_behind(from, j), below, lanes_all(0));
            lanes_store(column + i, below);
        }
        for (int32_t i = j + 1; i < count; i++)
            L.row[i * stride + j] = column[i];
    }
}

static void square_factor(const network_set* set, const double* base, const double* s,
                          double* scratch) {
    (void)scratch;
    if (set->square == 8)
        factor_square(set, 8, base, s);
    else
        factor_square(set, 16, base, s);
}

#if defined(__clang__)
#define SQUARE_UNROLL _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__)
#define SQUARE_UNROLL _Pragma("GCC unroll 8")
#else
#define SQUARE_UNROLL
#endif

// The diagonal of L.column and L.row is 0, so that a place keeps what it is when its turn comes.
LANES_FN void substitute_square(const network_set* set, const int32_t stride, double* y) {
    const square_factors L = factors_of(set);
    const int32_t count = set->count;
    double down[16] = {0}, up[16];
    for (int32_t j = 0; j < count; j++) {
        const double here = down[j] = y[j] * L.inverse[j];
        for (int32_t i = j / LANES * LANES; i < stride; i += LANES)
            lanes_store(y + i, lanes_load(y + i) - lanes_load(L.column + j * stride + i) * here);
    }
    for (int32_t i = count - 1; i >= 0; i--) {
        const double here = up[i] = down[i] * L.inverse[i];
        for (int32_t j = 0; j < i; j += LANES)
            lanes_store(down + j, lanes_load(down + j) - lanes_load(L.row + i * stride + j) * here);
    }
    for (int32_t i = 0; i < count; i++)
        y[i] = up[i];
}

// Up to eight links, one number after the other: each waits for the one before, and lanes would have
// it wait for memory too. The same operations on every number; `count` is a constant.
LANES_FN void substitute_few(const network_set* set, const int32_t count, double* y) {
    const square_factors L = factors_of(set);
    double v[8];
    for (int32_t i = 0; i < count; i++)
        v[i] = y[i];
    SQUARE_UNROLL
    for (int32_t j = 0; j < count; j++) {
        v[j] *= L.inverse[j];
        SQUARE_UNROLL
        for (int32_t i = j + 1; i < count; i++)
            v[i] -= L.column[j * 8 + i] * v[j];
    }
    SQUARE_UNROLL
    for (int32_t i = count - 1; i >= 0; i--) {
        v[i] *= L.inverse[i];
        SQUARE_UNROLL
        for (int32_t j = 0; j < i; j++)
            v[j] -= L.column[j * 8 + i] * v[i];
    }
    for (int32_t i = 0; i < count; i++)
        y[i] = v[i];
}

static void square_substitute(const network_set* set, double* y) {
    switch (set->count) {
    case 3:
        substitute_few(set, 3, y);
        break;
    case 4:
        substitute_few(set, 4, y);
        break;
    case 5:
        substitute_few(set, 5, y);
        break;
    case 6:
        substitute_few(set, 6, y);
        break;
    case 7:
        substitute_few(set, 7, y);
        break;
    case 8:
        substitute_few(set, 8, y);
        break;
    default:
        substitute_square(set, 16, y);
        break;
    }
}

static const profile_kernel profile_passes = {
    .wide = {profile_multiply, profile_factor, profile_substitute},
    .square = {square_multiply, square_factor, square_substitute},
    .conjugate = profile_conjugate};
