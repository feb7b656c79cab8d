// Explicit strings, two points at a time: the registers that every x86-64 and arm64 has.
#include "body/string.h"

#if defined(__GNUC__)
#define LANES 2
#include "body/string_lanes.h"

void sis_string_fly_2(const string_pull* f, int32_t count, double* u, const double* d, double* next,
                      double* taken) {
    fly(f, count, u, d, next, taken);
}

string_travels sis_string_travels_2(int32_t count, const double* d, const double* next) {
    return travels_of(count, d, next);
}

double sis_string_taken_2(const string_pull* f, int32_t count, const double* d, const double* next,
                          double share) {
    return taken_from(f, count, d, next, share);
}
#else
void sis_string_fly_2(const string_pull* f, int32_t count, double* u, const double* d, double* next,
                      double* taken) {
    sis_string_fly_1(f, count, u, d, next, taken);
}

string_travels sis_string_travels_2(int32_t count, const double* d, const double* next) {
    return sis_string_travels_1(count, d, next);
}

double sis_string_taken_2(const string_pull* f, int32_t count, const double* d, const double* next,
                          double share) {
    return sis_string_taken_1(f, count, d, next, share);
}
#endif
