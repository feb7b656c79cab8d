// Decayed sounds end. A damped body halves its motion for ever, and below 1e-308 numbers are
// denormal, which takes most processors many times as long. So whatever has fallen to 1e-150 of the
// largest it ever was is set to 0: every LOOK samples, counted from the start, so that blocks do
// not matter. Until then the squares of it, too, are normal numbers if it ever was above 1e-4. A
// body may come to rest away from 0 (on a table; held by the rounding of a spring): then its
// increments end.
//
// What is taken away is a share 1e-150 of an energy whose balance closes to 1e-16: as losses it
// rounds to nothing, and the balance closes as before.
#include "step/system.h"

#include <math.h>

enum { LOOK = 256 };
#define NOTHING 1e-150

static void end_decayed(const body_group* bodies, state_view* view) {
    double *u = view->motion.u, *d = view->motion.d, *rest = view->motion.rest;
    for (int32_t i = bodies->first; i < bodies->first + bodies->count; i++) {
        double now = fabs(u[i]) + fabs(d[i]);
        if (now > view->largest[i]) view->largest[i] = now;
        double least = NOTHING * view->largest[i];
        if (!(fabs(d[i]) < least)) continue;
        d[i] = 0;
        if (fabs(rest[i]) < least) rest[i] = 0;
        if (fabs(u[i]) < least) u[i] = 0;
    }
}

void sis_end_decayed(const sis_system* system, state_view* view) {
    if (view->samples % LOOK) return;
    for (int32_t b = 0; b < system->alive_count; b++)
        end_decayed(&system->body_groups[system->alive[b]], view);
}
