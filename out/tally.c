#include "tally.h"

#include <math.h>
#include <stdlib.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

bool sis_tally_open(sis_tally* tally, const sis_system* system, const sis_state* state,
                    int32_t oversample, sis_fault* fault) {
    *tally = (sis_tally){.oversample = oversample, .probe_count = sis_system_probe_count(system)};
    tally->probes = calloc((size_t)tally->probe_count + 1, sizeof *tally->probes);
    if (!tally->probes) return sis_fault_no_memory(fault);
    tally->last = sis_state_energy(system, state);
    tally->initial = tally->last.total;
    sis_balance_add(&tally->balance, &tally->last, 1);
    return true;
}

/** The largest value is now `largest`. Powers of two change no digit of what was summed so far, so
 * that the sum does not depend on where blocks end. */
static void grow(sis_tally_probe* probe, double largest) {
    int exponent = 0;
    probe->largest = largest;
    frexp(largest, &exponent);
    double scale = ldexp(1, exponent > -1000 ? -exponent : 1000);
    if (scale == probe->scale) return;
    double shrink = probe->scale > 0 ? scale / probe->scale : 0;
    probe->squares *= shrink * shrink;
    probe->scale = scale;
}

/** Rows of probes in a block: those of one probe are `stride` numbers apart. */
typedef struct rows_of {
    const double* values;
    size_t count, stride;
} rows_of;

/** The numbers of a few probes, side by side. */
enum { FEW = 4 };
typedef struct few {
    double min[FEW], max[FEW], scale[FEW], squares[FEW];
} few;

// One probe alone waits for each value of its sums; side by side each takes the same steps as
// alone. Compilers do not find the minimum of two pairs by themselves.
#if defined(__SSE2__)
#define FOR_A_WIDTH static inline __attribute__((always_inline))

/** Two of `width` numbers, the first of them `from`; what is not there is 0. */
FOR_A_WIDTH __m128d two_of(const double* row, int from, int width) {
    if (width >= from + 2) return _mm_loadu_pd(row + from);
    return width > from ? _mm_load_sd(row + from) : _mm_setzero_pd();
}

FOR_A_WIDTH void sweep(few* f, rows_of rows, int width) {
    __m128d min01 = _mm_loadu_pd(f->min), min23 = _mm_loadu_pd(f->min + 2);
    __m128d max01 = _mm_loadu_pd(f->max), max23 = _mm_loadu_pd(f->max + 2);
    __m128d scale01 = _mm_loadu_pd(f->scale), scale23 = _mm_loadu_pd(f->scale + 2);
    __m128d sum01 = _mm_loadu_pd(f->squares), sum23 = _mm_loadu_pd(f->squares + 2);
    const double* row = rows.values;
    for (size_t n = 0; n < rows.count; n++, row += rows.stride) {
        __m128d value01 = two_of(row, 0, width), value23 = two_of(row, 2, width);
        min01 = _mm_min_pd(value01, min01);
        max01 = _mm_max_pd(value01, max01);
        value01 = _mm_mul_pd(scale01, value01);
        sum01 = _mm_add_pd(sum01, _mm_mul_pd(value01, value01));
        if (width <= 2) continue;
        min23 = _mm_min_pd(value23, min23);
        max23 = _mm_max_pd(value23, max23);
        value23 = _mm_mul_pd(scale23, value23);
        sum23 = _mm_add_pd(sum23, _mm_mul_pd(value23, value23));
    }
    _mm_storeu_pd(f->min, min01);
    _mm_storeu_pd(f->min + 2, min23);
    _mm_storeu_pd(f->max, max01);
    _mm_storeu_pd(f->max + 2, max23);
    _mm_storeu_pd(f->squares, sum01);
    _mm_storeu_pd(f->squares + 2, sum23);
}
#else
#define FOR_A_WIDTH static inline

FOR_A_WIDTH void sweep(few* f, rows_of rows, int width) {
    for (size_t n = 0; n < rows.count; n++)
        for (int p = 0; p < width; p++) {
            double value = rows.values[n * rows.stride + (size_t)p], scaled = f->scale[p] * value;
            f->min[p] = value < f->min[p] ? value : f->min[p];
            f->max[p] = value > f->max[p] ? value : f->max[p];
            f->squares[p] += scaled * scaled;
        }
}
#endif

/** Range and squares in one sweep. A value larger than all before changes the scale of the squares:
 *  then they are summed once more, with it. */
FOR_A_WIDTH void add_few(sis_tally_probe* probes, rows_of rows, int width) {
    few f = {0};
    bool grown = false, again = false;
    do {
        for (int p = 0; p < width; p++) {
            f.min[p] = probes[p].min;
            f.max[p] = probes[p].max;
            f.scale[p] = probes[p].scale;
            f.squares[p] = probes[p].squares;
        }
        sweep(&f, rows, width);
        again = false;
        for (int p = 0; p < width && !grown; p++) {
            sis_tally_probe* probe = &probes[p];
            double largest = -f.min[p] > f.max[p] ? -f.min[p] : f.max[p];
            if (largest > probe->largest) grow(probe, largest);
            again = again || probe->scale != f.scale[p];
        }
        grown = true;
    } while (again);
    for (int p = 0; p < width; p++) {
        probes[p].min = f.min[p];
        probes[p].max = f.max[p];
        probes[p].squares = f.squares[p];
    }
}

static void add_all(sis_tally_probe* probes, size_t count, rows_of rows) {
    size_t p = 0;
    for (; p + FEW <= count; p += FEW, rows.values += FEW)
        add_few(probes + p, rows, FEW);
    if (count - p == 3)
        add_few(probes + p, rows, 3);
    else if (count - p == 2)
        add_few(probes + p, rows, 2);
    else if (count - p == 1)
        add_few(probes + p, rows, 1);
}

static bool take(void* self, const sis_frames* frames, sis_fault* fault) {
    (void)fault;
    sis_tally* tally = self;
    sis_balance_add(&tally->balance, frames->energy, frames->energies);
    tally->gaps = tally->gaps || frames->energies < frames->count;
    if (frames->energies) tally->last = frames->energy[frames->energies - 1];
    uint64_t every = (uint64_t)tally->oversample, past = frames->first % every;
    uint64_t skip = past ? every - past : 0, frame_count = (uint64_t)frames->count;
    if (skip >= frame_count) return true;
    size_t columns = (size_t)frames->probe_count,
           rows = (size_t)((frame_count - skip - 1) / every) + 1;
    const double* values = frames->probes + (size_t)skip * columns;
    for (size_t p = 0; p < columns && !tally->rows; p++)
        tally->probes[p].min = tally->probes[p].max = values[p];
    add_all(tally->probes, columns, (rows_of){values, rows, (size_t)every * columns});
    tally->rows += rows;
    return true;
}

sis_sink sis_tally_sink(sis_tally* tally) {
    return (sis_sink){.self = tally, .take = take};
}

double sis_tally_rms(const sis_tally* tally, int32_t probe) {
    const sis_tally_probe* p = &tally->probes[probe];
    return p->scale > 0 ? sqrt(p->squares / (double)tally->rows) / p->scale : 0;
}

double sis_tally_share(const sis_tally* tally, double joules) {
    return tally->balance.highest > 0 ? joules / tally->balance.highest : 0;
}

void sis_tally_keep(sis_tally* tally, sis_store* store) {
    sis_store_walk(store, &tally->rows, sizeof tally->rows);
    sis_store_walk(store, tally->probes, (size_t)tally->probe_count * sizeof *tally->probes);
    sis_store_walk(store, &tally->initial, sizeof tally->initial);
    sis_store_walk(store, &tally->balance, sizeof tally->balance);
    sis_store_walk(store, &tally->gaps, sizeof tally->gaps);
    sis_store_walk(store, &tally->last, sizeof tally->last);
}

void sis_tally_close(sis_tally* tally) {
    free(tally->probes);
    tally->probes = NULL;
}
