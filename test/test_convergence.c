// Orders of convergence, measured: what halving the step buys.
#include <stdlib.h>

#include "check.h"
#include "reference.h"

enum { PHASES = 16, DOUBLINGS = 4 };

// Mean |error| of the position of a free mass a while after a bounce of `length` samples, in
// seconds of lag, averaged over the arrival phase. Contact and flight last as long at every rate.
static double bounce_lag(double alpha, double length, int phases, const method* how) {
    const double contact = 1e-3, rate = length / contact, k = 1 / rate, mass = 0.011, speed = 1.4;
    const double K = wall_stiffness(mass, alpha, speed, contact);
    const int32_t frames = (int32_t)(2.5 * length);
    sis_scene* scene = sis_scene_new();
    for (int i = 0; i < phases; i++) {
        const sis_id ball = put_mass(scene, mass, -(2 + (i + 0.5) / phases) * k * speed, speed);
        put_contact(scene, put_barrier(scene, 0), ball, K, alpha, how);
        put_probe(scene, ball, SIS_QUANTITY_DISPLACEMENT);
    }
    run r = run_scene(scene, rate, frames);
    double sum = 0;
    for (int i = 0; i < phases; i++) {
        const double arrival = -run_at(&r, 0, i) / speed;
        const double exact = -speed * ((frames - 1) * k - arrival - contact);
        const double lag = (run_at(&r, frames - 1, i) - exact) / speed;
        sum += lag * lag;
    }
    run_free(&r);
    return sqrt(sum / phases);
}

static double order_of(double alpha, double from, int phases, const method* how, double* least,
                       double* most) {
    double before = bounce_lag(alpha, from, phases, how), first = before;
    *least = HUGE_VAL;
    *most = -HUGE_VAL;
    for (int i = 1; i <= DOUBLINGS; i++) {
        const double now = bounce_lag(alpha, from * (1 << i), phases, how);
        const double order = log2(before / now);
        *least = fmin(*least, order);
        *most = fmax(*most, order);
        before = now;
    }
    return log2(first / before) / DOUBLINGS;
}

static void bounces_converge_at_second_order(void) {
    static const double alphas[] = {1, 1.1, 1.5, 2, 2.5, 3};
    static const int which[] = {NEWTON, LEDGER, LEDGER_MID, NEWTON_MID};
    for (int m = 0; m < 4; m++) {
        printf("  %-20s", methods[which[m]].name);
        for (int a = 0; a < 6; a++) {
            double least, most;
            const double order = order_of(alphas[a], 16, PHASES, &methods[which[m]], &least, &most);
            CHECK_NEAR(order, 2, 0.1);
            CHECK(least > 1.85 && most < 2.15);
            printf(" alpha %g: %.3f", alphas[a], order);
        }
        printf("\n");
    }
}

// psi' ~ eta^((alpha-1)/2) is not smooth where contact begins.
static void quadratised_converges_at_half_alpha_plus_one(void) {
    static const double alphas[] = {1, 1.1, 1.5, 2, 2.5};
    for (int m = RELEASE; m <= PLAIN; m++) {
        printf("  %-20s", methods[m].name);
        for (int a = 0; a < 5; a++) {
            double least, most;
            const double order = order_of(alphas[a], 16, 64, &methods[m], &least, &most);
            CHECK_NEAR(order, (alphas[a] + 1) / 2, 0.2);
            printf(" alpha %g: %.3f", alphas[a], order);
        }
        printf("\n");
    }
}

// Error of a sprung mass that bounces: the exact flow is left with the error of the spring.
static double sprung_error(double alpha, double rate, double mu, const method* how) {
    const double span = 6e-3;
    const int32_t frames = (int32_t)(span * rate) + 1;
    const bounce b = {.mass = 0.01,
                      .frequency = 130,
                      .position = -1e-3,
                      .velocity = 0.6,
                      .height = -4e-4,
                      .K = wall_stiffness(0.01, alpha, 0.6, 8e-4),
                      .alpha = alpha,
                      .mu = mu};
    const wall w = {
        .mass = 0.01, .K = b.K, .alpha = alpha, .mu = mu, .omega = 2 * PI * 130, .rest = 4e-4};
    run r = run_scene(bounce_scene(&b, how), rate, frames);
    double* exact = calloc((size_t)frames, sizeof(double));
    wall_exact(&w, -6e-4, 0.6, 1 / rate, frames, exact, NULL);
    // rms over the last third, bounced once or twice, so that no single zero of the error decides
    double sum = 0, count = 0;
    for (int32_t n = frames * 2 / 3; n < frames; n++) {
        const double error = run_at(&r, n, 0) + 4e-4 - exact[n];
        sum += error * error;
        count += 1;
    }
    free(exact);
    run_free(&r);
    return sqrt(sum / count);
}

static void sprung_bounces_converge_at_second_order(void) {
    static const int which[] = {EXACT, LEDGER, NEWTON, LEDGER_MID};
    for (int m = 0; m < 4; m++)
        for (double alpha = 1; alpha < 3.1; alpha += 0.5) {
            const double coarse = sprung_error(alpha, 96000, 0, &methods[which[m]]);
            const double fine = sprung_error(alpha, 768000, 0, &methods[which[m]]);
            const double order = log2(coarse / fine) / 3;
            CHECK_NEAR(order, 2, 0.1);
            if (alpha == 1.5) printf("  %-20s order %.3f\n", methods[which[m]].name, order);
        }
}

// The same with Hunt-Crossley loss on.
static void lossy_bounces_converge_at_second_order(void) {
    static const int which[] = {LEDGER, NEWTON, LEDGER_MID, NEWTON_MID};
    for (int m = 0; m < 4; m++)
        for (double alpha = 1.5; alpha < 2.6; alpha += 0.5) {
            const double coarse = sprung_error(alpha, 96000, 0.5, &methods[which[m]]);
            const double fine = sprung_error(alpha, 768000, 0.5, &methods[which[m]]);
            const double order = log2(coarse / fine) / 3;
            CHECK_NEAR(order, 2, 0.15);
            if (alpha == 1.5) printf("  %-20s order %.3f\n", methods[which[m]].name, order);
        }
}

// Exit speed of a Hunt-Crossley impact against its first integral
//   I = K x^(alpha+1)/(alpha+1) + M/mu^2 (mu v - ln(1 + mu v)).
static double restitution(double mu, double speed) {
    const double level = mu * speed - log1p(mu * speed);
    double low = -1 / mu * (1 - 1e-15), high = 0;
    for (int i = 0; i < 200; i++) {
        const double v = 0.5 * (low + high);
        if (mu * v - log1p(mu * v) > level)
            low = v;
        else
            high = v;
    }
    return -0.5 * (low + high);
}

static void lossy_exit_speeds_follow_the_first_integral(void) {
    static const int which[] = {LEDGER, NEWTON, LEDGER_MID, NEWTON_MID, RELEASE};
    const double rate = 192000, k = 1 / rate, mass = 0.01, speed = 1.3;
    for (int m = 0; m < 5; m++)
        for (double mu = 0.05; mu < 1; mu *= 2.5) {
            const bounce b = {.mass = mass,
                              .position = -2.4 * k * speed,
                              .velocity = speed,
                              .K = wall_stiffness(mass, 1.5, speed, 200 * k),
                              .alpha = 1.5,
                              .mu = mu,
                              .flipped = m & 1};
            run r = run_scene(bounce_scene(&b, &methods[which[m]]), rate, 300);
            const double v = fabs(run_at(&r, 299, 1));
            CHECK_NEAR(v, restitution(mu, speed), 2e-4 * speed);
            run_free(&r);
        }
}

int main(void) {
    RUN(bounces_converge_at_second_order);
    RUN(quadratised_converges_at_half_alpha_plus_one);
    RUN(sprung_bounces_converge_at_second_order);
    RUN(lossy_bounces_converge_at_second_order);
    RUN(lossy_exit_speeds_follow_the_first_integral);
    return CHECK_REPORT();
}
