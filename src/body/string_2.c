// Explicit strings, two points at a time: the registers that every x86-64 and arm64 has.
#include "body/string.h"

#if defined(__GNUC__)
#define LANES 2
#include "body/string_lanes.h"

void sis_string_fly_2(const string_pull* f, int32_t count, double* u, const double* d, double* next,
                      string_travels* travels) {
    fly(f, count, u, d, next, travels);
}

string_travels sis_string_travels_2(int32_t count, const double* d, const double* next) {
    return travels_of(count, d, next);
}
#else
void sis_string_fly_2(const string_pull* f, int32_t count, double* u, const double* d, double* next,
                      string_travels* travels) {
    sis_string_fly_1(f, count, u, d, next, travels);
}

string_travels sis_string_travels_2(int32_t count, const double* d, const double* next) {
    return sis_string_travels_1(count, d, next);
}
#endif
