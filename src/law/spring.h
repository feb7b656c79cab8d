// Permanent connection with elongation eta = u_a - u_b: linear stiffness K1 (N/m), cubic stiffness
// K3 (N/m^3), damper R (N s/m). Willemsen 2019, section 7.
//
//   f = K1 mu_tt eta + K3 eta^2 mu_t. eta + R delta_t. eta        affine in r = eta^{n+1} -
//   eta^{n-1}
//     = q + a r,   q = K1 (eta + eta-)/2 + K3 eta^2 eta-,   a = K1/4 + K3 eta^2/2,  and R/(2k) r
//
// with stored energy K1/2 ((eta + eta-)/2)^2 + K3/4 (eta eta-)^2 >= 0 and loss R (delta_t. eta)^2:
// no stiffness limits the rate.
#ifndef SIS_LAW_SPRING_H
#define SIS_LAW_SPRING_H

typedef struct spring_law {
    double K1, K3, R;
} spring_law;

// A force of one sample with a >= 0, about a travel `at` near the one that will come out: f = force
// + a (r - at). (Written as q + a r the two terms of a stiff law would cancel.)
typedef struct affine {
    double force, a, at;
} affine;

// The conservative part: no force at r = -q/a.
static inline affine spring_elastic(const spring_law* law, double eta, double before) {
    double cubic = law->K3 * eta * eta, a = 0.25 * law->K1 + 0.5 * cubic;
    double q = 0.5 * law->K1 * (eta + before) + cubic * before;
    return (affine){0, a, a > 0 ? -q / a : 0};
}

static inline double spring_damper(const spring_law* law, double k) {
    return law->R / (2 * k);
}

static inline double spring_energy(const spring_law* law, double eta, double before) {
    double mean = 0.5 * (eta + before), cross = eta * before;
    return 0.5 * law->K1 * mean * mean + 0.25 * law->K3 * cross * cross;
}

#endif
