#include "sweep_draw.h"

#include <stddef.h>

static const double two_53 = 9007199254740992.0;

const char* sis_draw_word(sis_draw draw) {
    static const char* const words[] = {"uniform", "sobol", "latin"};
    return (unsigned)draw < 3 ? words[draw] : NULL;
}

// ---------------------------------------------------------------------------- hashes

/** The output function of splitmix64 (Steele, Lea and Flood 2014): every bit of the argument
 * changes half of the bits of the result. */
static uint64_t scatter(uint64_t x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static uint64_t hash(uint64_t seed, uint64_t index, uint64_t dimension) {
    uint64_t x = scatter(seed + 0x9e3779b97f4a7c15u);
    x = scatter(x ^ (dimension + 1) * 0xd1342543de82ef95u);
    return scatter(x + index * 0x9e3779b97f4a7c15u);
}

static double unit(uint64_t bits) {
    return (double)(bits >> 11) / two_53;
}

// ---------------------------------------------------------------------------- Sobol

// Primitive polynomials and first direction numbers of Joe and Kuo 2008 (new-joe-kuo-6), dimensions
// 2 .. 21: degree, inner coefficients, m_1 .. m_degree. Dimension 1 is van der Corput's sequence.
static const struct direction {
    uint8_t degree, inner, m[7];
} directions[SIS_SOBOL_DIMENSIONS - 1] = {
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
};

enum { BITS = 53 };

/** v_1 .. v_53, each as a whole number of 2^-53: v_j = m_j 2^(53 - j). */
static void find_directions(int32_t dimension, uint64_t v[BITS]) {
    for (int j = 0; dimension == 0 && j < BITS; j++)
        v[j] = (uint64_t)1 << (BITS - 1 - j);
    if (dimension == 0) return;
    const struct direction* d = &directions[dimension - 1];
    int s = d->degree;
    for (int j = 0; j < BITS; j++) {
        if (j < s) {
            v[j] = (uint64_t)d->m[j] << (BITS - 1 - j);
            continue;
        }
        v[j] = v[j - s] ^ v[j - s] >> s;
        for (int k = 1; k < s; k++)
            if (d->inner >> (s - 1 - k) & 1) v[j] ^= v[j - k];
    }
}

static uint64_t sobol_bits(uint64_t index, int32_t dimension) {
    uint64_t v[BITS], bits = 0;
    find_directions(dimension, v);
    for (int j = 0; j < BITS && index >> j; j++)
        if (index >> j & 1) bits ^= v[j];
    return bits;
}

double sis_draw_sobol(uint64_t index, int32_t dimension) {
    return (double)sobol_bits(index, dimension) / two_53;
}

// ---------------------------------------------------------------------------- Latin

// Four rounds of a Feistel network permute 0 .. 4^half - 1; whoever lands beyond the count walks on
// along its cycle, which comes back below it.
uint64_t sis_draw_permute(uint64_t index, uint64_t count, uint64_t key) {
    int half = 1;
    while (half < 32 && (uint64_t)1 << 2 * half < count)
        half++;
    uint64_t mask = ((uint64_t)1 << half) - 1, at = index;
    do {
        uint64_t left = at >> half, right = at & mask;
        for (uint64_t round = 0; round < 4; round++) {
            uint64_t next = left ^ (hash(key, right, round) & mask);
            left = right;
            right = next;
        }
        at = left << half | right;
    } while (at >= count);
    return at;
}

double sis_draw_at(sis_draw draw, uint64_t seed, uint64_t index, uint64_t count,
                   int32_t dimension) {
    uint64_t d = (uint64_t)dimension;
    if (draw == SIS_DRAW_SOBOL) {
        uint64_t shift = hash(seed, 0, d) >> (64 - BITS);
        return (double)(sobol_bits(index, dimension) ^ shift) / two_53;
    }
    if (draw == SIS_DRAW_LATIN) {
        uint64_t cell = sis_draw_permute(index, count, hash(seed, 1, d));
        double u = ((double)cell + unit(hash(seed, index + 2, d))) / (double)count;
        double end = (double)(cell + 1) / (double)count; // rounding must not leave the interval
        return u < end ? u : (double)cell / (double)count;
    }
    return unit(hash(seed, index, d));
}
