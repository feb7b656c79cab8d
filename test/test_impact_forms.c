// Closed forms of an impact (Hunt and Crossley): what is known without stepping at all, against
// longer arithmetic and against the motion itself.
#include <float.h>

#include "check.h"
#include "reference.h"

// ---------------------------------------------------------------------------- longer arithmetic

// z - log(1 + z), without cancellation.
static long double excess(long double z) {
    if (fabsl(z) > 0.05L) return z - log1pl(z);
    long double sum = 0, power = z * z;
    for (int n = 2; n < 40; n++, power *= -z)
        sum += power / n;
    return sum;
}

// q = mu v_out of z = mu v_in: excess(-q) = excess(z), 0 < q < min(1, z).
static long double exit_of(long double z) {
    const long double want = excess(z);
    long double low = 0, high = z < 1 ? z : 1;
    for (int i = 0; i < 200; i++) {
        const long double q = low + (high - low) / 2;
        if (excess(-q) > want)
            high = q;
        else
            low = q;
    }
    return low;
}

static long double depth_of(const sis_impact* c, long double v) {
    const long double t = (long double)c->alpha + 1, m = c->mass, mu = c->mu, speed = c->speed;
    const long double rest = c->mu > 0 ? (excess(mu * speed) - excess(mu * v)) / (mu * mu)
                                       : (speed - v) * (speed + v) / 2;
    return powl(t * m / (long double)c->K * rest, 1 / t);
}

// The two hard impacts of Papetti, Avanzini and Rocchesso 2011, and the marble of figure 1 at 4
// m/s.
static const sis_impact published[] = {
    {0.01, 1e7, 1.1, 0.1, 0.3}, {0.01, 1e9, 1.5, 0.5, 1}, {0.01, 1e9, 1.5, 0.5, 4}};
enum { PUBLISHED = sizeof published / sizeof *published };

static const double alphas[] = {1, 1.1, 1.3, 1.5, 2, 2.5, 3, 4.2};
enum { ALPHAS = sizeof alphas / sizeof *alphas };

// mu v = 10^-12 ... 10^6, with other numbers that change from one to the next.
enum { DECADES = 18, PER_DECADE = 4, LADDER = DECADES * PER_DECADE + 1 };

static sis_impact rung(int i) {
    const double z = pow(10, -12 + (double)i / PER_DECADE), speed = pow(10, (i % 7) - 3.0);
    return (sis_impact){.mass = pow(10, (i % 5) - 3.0),
                        .K = pow(10, (i % 9) + 2.0),
                        .alpha = alphas[i % ALPHAS],
                        .mu = z / speed,
                        .speed = speed};
}

// ---------------------------------------------------------------------------- exit speed

static void exit_speed_solves_its_equation(void) {
    double worst = 0, residual = 0;
    for (int i = 0; i < LADDER; i++) {
        const sis_impact c = rung(i);
        const long double z = (long double)c.mu * (long double)c.speed;
        const double v = sis_impact_exit_speed(&c);
        const double error = (double)((long double)v * (long double)c.mu / exit_of(z) - 1);
        CHECK_NEAR(error, 0, 1e-14);
        worst = fmax(worst, fabs(error));
        CHECK(v > 0 && v <= c.speed);
        CHECK_NEAR(sis_impact_restitution(&c), v / c.speed, 4 * DBL_EPSILON);
        if (z > 1) continue; // there 1 - q, and with it the equation, is below the digits of q
        const long double q = (long double)v * (long double)c.mu;
        const double left = (double)(excess(-q) / excess(z) - 1);
        CHECK_NEAR(left, 0, 1e-14);
        residual = fmax(residual, fabs(left));
    }
    printf("  mu v 1e-12 ... 1e6: exit speed within %.2g, its equation within %.2g\n", worst,
           residual);
}

static void more_loss_and_more_speed_restitute_less(void) {
    double before = 1;
    for (int i = 0; i < 400; i++) {
        const double z = pow(10, -6 + 10.0 * i / 399);
        const sis_impact c = {0.02, 3e6, 1.7, z / 2.5, 2.5};
        const double e = sis_impact_restitution(&c);
        CHECK(e < before);
        CHECK(sis_impact_exit_speed(&c) <= 1 / c.mu * (1 + 1e-15)); // v_lim of the paper
        if (z < 1e-3) CHECK_NEAR(e, 1 - 2 * z / 3 + 4 * z * z / 9, z * z * z + 4e-16);
        before = e;
    }
}

static void without_loss_nothing_is_lost(void) {
    for (int i = 0; i < LADDER; i++) {
        sis_impact c = rung(i);
        c.mu = 0;
        CHECK(sis_impact_exit_speed(&c) == c.speed);
        CHECK(sis_impact_restitution(&c) == 1);
        CHECK_NEAR(sis_impact_exit_speed_fit(&c) / c.speed, 1, 4 * DBL_EPSILON);
        const double X = wall_depth(c.mass, c.K, c.alpha, c.speed);
        CHECK_NEAR(sis_impact_max_depth(&c) / X, 1, 1e-14);
        CHECK_NEAR(sis_impact_duration(&c) * c.speed / (2 * wall_theta(c.alpha) * X), 1, 1e-12);
        const double part = pow(1 - 0.64, 1 / (c.alpha + 1));
        CHECK_NEAR(sis_impact_depth(&c, 0.8 * c.speed) / X, part, 1e-14);
        CHECK_NEAR(sis_impact_depth(&c, -0.8 * c.speed) / X, part, 1e-14);
        const sis_impact still = c;
        c.mu = 1e-300; // as good as none, and no step between the two
        CHECK_NEAR(sis_impact_exit_speed(&c) / c.speed, 1, 1e-15);
        CHECK_NEAR(sis_impact_max_depth(&c) / sis_impact_max_depth(&still), 1, 1e-14);
        CHECK_NEAR(sis_impact_duration(&c) / sis_impact_duration(&still), 1, 1e-12);
    }
}

// ---------------------------------------------------------------------------- the published fit

static double fit_error(double z) {
    const sis_impact c = {1, 1, 1.5, z, 1};
    return sis_impact_exit_speed_fit(&c) * z / (double)exit_of(z) - 1;
}

static void fit_is_exact_where_it_was_fitted(void) {
    const sis_impact c = {1, 1, 1.5, 1e-3, 1}; // mu v = 1e-3, in units of 1/mu
    const double left = 1e-3 * sis_impact_exit_speed_fit(&c) - (double)exit_of(1e-3L);
    CHECK_NEAR(left, 0, 1e-14);
    // The expansion is exact to the fifth order: ten times the argument, 10^5 times the error.
    CHECK(fabs(fit_error(0.1)) < 1e-5);
    CHECK(fabs(fit_error(0.01)) < 1e-9);
    CHECK_NEAR(fit_error(40), 0, 1e-12); // and the other limit
    // Few digits are left of 1 - P exp(-2z) when z is small, unless it is computed with care.
    for (double z = 1e-12; z < 1e-3; z *= 10)
        CHECK_NEAR(fit_error(z), 0, 1e-12);
    printf("  residual at mu v = 1e-3: %.2g; relative error at 0.1: %.2g\n", left, fit_error(0.1));
}

static void fit_is_two_percent_off_at_three(void) {
    double worst = 0, where = 0;
    for (double z = 0.01; z < 20; z += 0.001) {
        const double error = fabs(fit_error(z));
        CHECK(error <= 0.0205);
        if (error > worst) {
            worst = error;
            where = z;
        }
    }
    CHECK_NEAR(100 * worst, 2.045, 0.0005);
    CHECK_NEAR(where, 3.00, 0.01);
    printf("  largest error %.4f %% at mu v = %.3f\n", 100 * worst, where);
}

// Last column of table 1, which does not reproduce: these are the numbers.
static void fit_of_the_published_cases(void) {
    static const double percent[] = {-3.3e-7, 1.25e-2};
    for (int i = 0; i < 2; i++) {
        const sis_impact* c = &published[i];
        const double exact = sis_impact_exit_speed(c);
        const double off = 100 * (sis_impact_exit_speed_fit(c) / exact - 1);
        CHECK_NEAR(off / percent[i], 1, 0.005);
        printf("  case %d: exit %.12g m/s, fit %+.3g %%\n", i + 1, exact, off);
    }
}

// ---------------------------------------------------------------------------- depth

static void depth_agrees_with_longer_arithmetic(void) {
    static const double parts[] = {0.999999, 0.99, 0.7, 0.2, 0, -0.1, -0.6, -0.99};
    double worst = 0;
    for (int i = 0; i < LADDER; i++) {
        const sis_impact c = rung(i);
        const double out = sis_impact_exit_speed(&c);
        for (int p = 0; p < 8; p++) {
            const double v = parts[p] * (parts[p] > 0 ? c.speed : out);
            const double error =
                (double)((long double)sis_impact_depth(&c, v) / depth_of(&c, v) - 1);
            CHECK_NEAR(error, 0, 1e-12);
            if (v == 0) CHECK_NEAR(sis_impact_max_depth(&c) / sis_impact_depth(&c, v), 1, 1e-14);
            worst = fmax(worst, fabs(error));
        }
    }
    printf("  x(v) within %.2g\n", worst);
}

static void depth_ends_where_the_contact_ends(void) {
    for (int i = 0; i < LADDER; i++) {
        const sis_impact c = rung(i);
        const double out = sis_impact_exit_speed(&c), most = sis_impact_max_depth(&c);
        CHECK(sis_impact_depth(&c, c.speed) == 0);
        // A root of small order stretches the last digit of the exit speed.
        CHECK_NEAR(sis_impact_depth(&c, -out) / most, 0, 4 * pow(1e-15, 1 / (c.alpha + 1)));
        CHECK(isnan(sis_impact_depth(&c, 1.001 * c.speed)));
        CHECK(isnan(sis_impact_depth(&c, -1.001 * out)));
        CHECK(isnan(sis_impact_depth(&c, (double)NAN)));
    }
}

// The motion itself, integrated without any of these forms.
enum { ROWS = 4096 };
static double path_x[ROWS], path_v[ROWS];

// Follows the motion for longer than the contact can last; returns the time between two rows.
static double follow(const sis_impact* c) {
    const wall w = {.mass = c->mass, .K = c->K, .alpha = c->alpha, .mu = c->mu};
    const double slowest = 1 / c->speed + 1 / sis_impact_exit_speed(c);
    const double step = 3 * sis_impact_max_depth(c) * slowest / ROWS;
    wall_exact(&w, 0, c->speed, step, ROWS, path_x, path_v);
    CHECK(path_x[ROWS - 1] < 0);
    return step;
}

// How far x(v) moves when the last digit of v does: the way back at the limit velocity -1/mu has
// no inverse in double.
static double blur(const sis_impact* c, double x, double v) {
    return DBL_EPSILON * c->mass * v * v / (c->K * pow(x, c->alpha) * fmax(1 + c->mu * v, 0));
}

static void depth_is_on_the_path_of_the_motion(void) {
    double worst = 0, deepest = 0;
    for (int a = 0; a < ALPHAS; a++)
        for (int z = -3; z <= 3; z++) {
            const sis_impact c = {0.03, 2e7, alphas[a], pow(10, z) / 1.7, 1.7};
            const double most = sis_impact_max_depth(&c), out = sis_impact_exit_speed(&c);
            int inside = 0, back = 0;
            double high = 0;
            follow(&c);
            for (int n = 1; n < ROWS; n++) {
                const double x = path_x[n], v = path_v[n];
                high = fmax(high, x / most);
                if (x <= 0 || v <= -out || !(blur(&c, x, v) < 1e-11 * most)) continue;
                const double error = (sis_impact_depth(&c, v) - x) / most;
                CHECK_NEAR(error, 0, 1e-10);
                worst = fmax(worst, fabs(error));
                inside++;
                back += v < 0;
            }
            if (z < 2) CHECK(inside > 800 && back > 400);
            CHECK_NEAR(-path_v[ROWS - 1] / out, 1, 1e-12);
            CHECK(high <= 1 + 1e-12 && high > 1 - 1e-3);
            deepest = fmax(deepest, high);
        }
    printf("  x(v) on the path within %.2g x_max; the path goes %.15f x_max deep\n", worst,
           deepest);
}

// ---------------------------------------------------------------------------- duration

static double followed_duration(const sis_impact* c) {
    const double step = follow(c);
    return (ROWS - 1) * step - path_x[ROWS - 1] / path_v[ROWS - 1]; // back along the free flight
}

static void duration_is_that_of_the_motion(void) {
    double worst = 0;
    for (int a = 0; a < ALPHAS; a++)
        for (int z = -5; z <= 3; z++) {
            const sis_impact c = {0.03, 2e7, alphas[a], pow(10, z) / 1.7, 1.7};
            const double error = sis_impact_duration(&c) / followed_duration(&c) - 1;
            CHECK_NEAR(error, 0, 1e-10);
            worst = fmax(worst, fabs(error));
        }
    printf("  durations within %.2g of the motion\n", worst);
}

static void duration_of_the_published_cases(void) {
    static const double samples[] = {7.667, 5.861};
    for (int i = 0; i < PUBLISHED; i++) {
        const double tau = 44100 * sis_impact_duration(&published[i]);
        CHECK_NEAR(tau / (44100 * followed_duration(&published[i])), 1, 1e-10);
        if (i < 2) CHECK_NEAR(tau, samples[i], 0.0005);
        printf("  %.4f samples at 44.1 kHz\n", tau);
    }
}

// tau ~ (m/K)^(1/(alpha+1)) at a given speed, whatever the loss.
static void duration_scales_with_mass_over_stiffness(void) {
    for (int i = 0; i < LADDER; i += 5) {
        const sis_impact c = rung(i);
        sis_impact heavy = c;
        heavy.mass *= 32;
        heavy.K /= 8;
        const double want = pow(256, 1 / (c.alpha + 1));
        CHECK_NEAR(sis_impact_duration(&heavy) / sis_impact_duration(&c) / want, 1, 1e-12);
        CHECK_NEAR(sis_impact_max_depth(&heavy) / sis_impact_max_depth(&c) / want, 1, 1e-13);
        CHECK(sis_impact_exit_speed(&heavy) == sis_impact_exit_speed(&c));
    }
}

// Just inside the range in which there are answers, all of them are ordinary numbers.
static void answers_at_the_edges_of_the_range(void) {
    static const double speeds[] = {1e-100, 1, 1e100}, scales[] = {1e-79, 1, 1e79};
    static const double zs[] = {0, 1e-20, 1e-3, 1, 1e10, 9e14}, steep[] = {1, 1.5, 100};
    for (int i = 0; i < 3 * 3 * 6 * 3; i++) {
        sis_impact c = {.speed = speeds[i % 3], .K = 1, .alpha = steep[i / 54]};
        c.mu = fmin(zs[i / 9 % 6] / c.speed, 1e100);
        c.mass = scales[i / 3 % 3] / (c.alpha + 1);
        const double exit = sis_impact_exit_speed(&c), most = sis_impact_max_depth(&c);
        CHECK(exit > 0 && exit <= c.speed && isfinite(sis_impact_exit_speed_fit(&c)));
        CHECK_NEAR(most / (double)depth_of(&c, 0), 1, 1e-10);
        CHECK_NEAR(sis_impact_depth(&c, 0) / most, 1, 1e-12);
        CHECK(sis_impact_depth(&c, -exit) == 0 && sis_impact_depth(&c, c.speed) == 0);
        const double lasts = sis_impact_duration(&c); // longer than there and back at these speeds
        CHECK(isfinite(lasts) && lasts >= (1 - 1e-12) * (most / c.speed + most / exit));
        CHECK(sis_impact_restitution(&c) > 0 && sis_impact_restitution(&c) <= 1);
    }
}

int main(void) {
    RUN(exit_speed_solves_its_equation);
    RUN(more_loss_and_more_speed_restitute_less);
    RUN(without_loss_nothing_is_lost);
    RUN(fit_is_exact_where_it_was_fitted);
    RUN(fit_is_two_percent_off_at_three);
    RUN(fit_of_the_published_cases);
    RUN(depth_agrees_with_longer_arithmetic);
    RUN(depth_ends_where_the_contact_ends);
    RUN(depth_is_on_the_path_of_the_motion);
    RUN(duration_is_that_of_the_motion);
    RUN(duration_of_the_published_cases);
    RUN(duration_scales_with_mass_over_stiffness);
    RUN(answers_at_the_edges_of_the_range);
    return CHECK_REPORT();
}
