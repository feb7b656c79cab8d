// Explicit strings, one point at a time.
#define LANES 1
#include "body/string_lanes.h"

void sis_string_fly_1(const string_pull* f, int32_t count, double* u, const double* d, double* next,
                      string_travels* travels) {
    fly(f, count, u, d, next, travels);
}

string_travels sis_string_travels_1(int32_t count, const double* d, const double* next) {
    return travels_of(count, d, next);
}
