// The psi schemes of Ducceschi and Bilbao 2019 and Willemsen 2019: phi = psi^2/2, and psi is a
// state:
//
//   f = g (psi+ + psi)/2,   psi+ - psi = g r/2,   g = psi'(eta^n) = sqrt(K t/2) x^((alpha-1)/2)
//
// Energy psi^2/2 is conserved for any g. As published g = 0 when open, so psi keeps what is left at
// separation (trapped energy, and a pull at the next contact when psi < 0). `release` adds the
// rules that repair it: the sign of psi in contact, and when open and parting the g that empties
// psi.
#include "contact/contact.h"

#include <math.h>

double sis_quadratised_g(const power_law* law, const contact_problem* p, double psi, bool release) {
    double x = power_depth(law, p->now);
    if (x > 0) {
        // psi' = phi'/sqrt(2 phi) = t sqrt(phi/2)/x; the power is already in phi_now. Two-sided
        // laws take the odd psi = sgn(eta) sqrt(2 phi): g > 0 on both sides.
        double g = law->class == LAW_TABLE ? sis_law_psi_slope(law, x)
                                           : law->t * sqrt(0.5 * p->phi_now) / x;
        return release && !law->both && psi < 0 ? -g : g;
    }
    if (power_is_spring(law)) return sqrt(law->K); // psi = sqrt(K) eta, in the middle too
    if (!release || law->both || psi == 0 || p->free >= 0) return 0;
    return 4 * psi / (sqrt(p->free * p->free + 4 * p->G * psi * psi) - p->free);
}

// No force at r = -4 psi/g.
affine sis_quadratised_force(double g, double psi) {
    return (affine){0, 0.25 * g * g, g != 0 ? -4 * psi / g : 0};
}
