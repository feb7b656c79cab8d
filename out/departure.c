#include "departure.h"

#include <math.h>

sis_departure sis_departure_begin(double rate) {
    return (sis_departure){.k = 1 / rate, .speed = nan("")};
}

// Velocity probes are centred differences, so the first one that no contact force has touched is
// that of the second open sample. From there the flight is followed back to eta = 0, so that what
// gravity and springs did since does not count as an error:
//
//   eta(t) = eta1 + b t + a t^2/2 = 0,  b = (eta2 - eta0)/2k,  a = (eta2 - 2 eta1 + eta0)/k^2
//   v(t) = v1 + (v2 - v1) t/k
static double leaving_speed(const sis_departure* d) {
    double k = d->k, b = (d->eta[2] - d->eta[0]) / (2 * k);
    double a = ((d->eta[2] - d->eta[1]) - (d->eta[1] - d->eta[0])) / (k * k);
    double root = b + copysign(sqrt(fmax(0, b * b - 2 * a * d->eta[1])), b);
    double back = root != 0 ? -2 * d->eta[1] / root : 0;
    if (!(back <= 0 && back >= -2 * k)) back = 0; // not a flight
    return fabs(d->v[1] + (d->v[2] - d->v[1]) * back / k);
}

void sis_departure_add(sis_departure* d, uint64_t step, double eta, double v) {
    if (!d->closed) {
        d->closed = eta > 0;
        d->began = step;
        return;
    }
    if (!d->opened && eta > 0) return;
    if (!d->opened) d->ended = step;
    d->opened = true;
    if (d->held == 3) return;
    d->eta[d->held] = eta;
    d->v[d->held++] = v;
    // A body that is hit again at once has the speed between the two blows.
    if (eta > 0) {
        d->speed = fabs(d->v[d->held - 2]);
        d->held = 3;
    } else if (d->held == 3) {
        d->speed = leaving_speed(d);
    }
}
