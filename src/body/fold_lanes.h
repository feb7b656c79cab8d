// What lies beyond the folds of a string or of a row of a plate (body.h), LANES places from side
// `part` on. Of narrow registers and of those that hold one rung.
#ifndef SIS_FOLD_LANES_H
#define SIS_FOLD_LANES_H

#include "base/lanes.h"

#if LANES <= 4
// Before the first rung: sides 1 and 2 of each other, and `ends` of the others.
LANES_FN lanes fold_before(const double* rung, lanes ends, int32_t part) {
#if LANES == 4
    (void)part;
    __m256d crossed = _mm256_permute4x64_pd((__m256d)lanes_load(rung), _MM_SHUFFLE(3, 1, 2, 0));
    return (lanes)_mm256_blend_pd(crossed, (__m256d)ends, 9);
#elif LANES == 2
    return part == 0 ? (lanes){ends[0], rung[2]} : (lanes){rung[1], ends[1]};
#else
    return part == 1 ? rung[2] : part == 2 ? rung[1] : ends;
#endif
}

// Behind the last rung: sides 0 and 1, 2 and 3 of each other.
LANES_FN lanes fold_behind(const double* rung, int32_t part) {
#if LANES == 4
    (void)part;
    return (lanes)_mm256_permute_pd((__m256d)lanes_load(rung), 5);
#elif LANES == 2
    return (lanes){rung[part + 1], rung[part]};
#else
    return rung[part ^ 1];
#endif
}
#endif

#endif
