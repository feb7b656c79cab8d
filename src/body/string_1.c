// Explicit strings, one point at a time.
#define LANES 1
#include "body/string_lanes.h"

void sis_string_fly_1(const string_pull* f, int32_t count, double* u, const double* d, double* next,
                      double* taken) {
    fly(f, count, u, d, next, taken);
}

string_travels sis_string_travels_1(int32_t count, const double* d, const double* next) {
    return travels_of(count, d, next);
}

double sis_string_taken_1(const string_pull* f, int32_t count, const double* d, const double* next,
                          double share) {
    return taken_from(f, count, d, next, share);
}
