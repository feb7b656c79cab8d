// Explicit strings, four points at a time: AVX2.
#include "body/string.h"

#if SIS_HAS_AVX2
#include "base/avx2_begin.h"
#define LANES 4
#include "body/string_lanes.h"

void sis_string_fly_4(const string_pull* f, int32_t count, double* u, const double* d, double* next,
                      double* taken) {
    fly(f, count, u, d, next, taken);
}

string_travels sis_string_travels_4(int32_t count, const double* d, const double* next) {
    return travels_of(count, d, next);
}

double sis_string_taken_4(const string_pull* f, int32_t count, const double* d, const double* next,
                          double share) {
    return taken_from(f, count, d, next, share);
}
#include "base/avx2_end.h"
#else
void sis_string_fly_4(const string_pull* f, int32_t count, double* u, const double* d, double* next,
                      double* taken) {
    sis_string_fly_2(f, count, u, d, next, taken);
}

string_travels sis_string_travels_4(int32_t count, const double* d, const double* next) {
    return sis_string_travels_2(count, d, next);
}

double sis_string_taken_4(const string_pull* f, int32_t count, const double* d, const double* next,
                          double share) {
    return sis_string_taken_2(f, count, d, next, share);
}
#endif
