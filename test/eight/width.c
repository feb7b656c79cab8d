// The widest kernels are there, in plain C (wide/target.h beside this) for AVX2.
#define sis_widest sis_widest_here
#include "wide/width.c"
#undef sis_widest

int32_t sis_widest(void);
int32_t sis_widest(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? 8 : 2;
}
