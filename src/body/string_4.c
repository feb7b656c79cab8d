// Explicit strings, four points at a time: AVX2.
#include "body/string.h"

#if SIS_HAS_AVX2
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC target("avx2,fma")
#endif
#define LANES 4
#include "body/string_lanes.h"

void sis_string_fly_4(const string_pull* f, int32_t count, double* u, const double* d, double* next,
                      string_travels* travels) {
    fly(f, count, u, d, next, travels);
}

string_travels sis_string_travels_4(int32_t count, const double* d, const double* next) {
    return travels_of(count, d, next);
}
#if defined(__clang__)
#pragma clang attribute pop
#endif
#else
void sis_string_fly_4(const string_pull* f, int32_t count, double* u, const double* d, double* next,
                      string_travels* travels) {
    sis_string_fly_2(f, count, u, d, next, travels);
}

string_travels sis_string_travels_4(int32_t count, const double* d, const double* next) {
    return sis_string_travels_2(count, d, next);
}
#endif
