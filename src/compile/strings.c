// Strings of a scene: the grid, the corrected stiffness and losses, and the stability margin.
//
// A grid of spacing h is stable while 1 + gamma - pull - 4 bend (- 4 s1k when explicit) > 0 with
// pull = T k^2/(rho h^2), bend = EI' k^2/(rho h^4); for clamped ends too. On the limit itself z =
// -1 is a double root, so the margin is kept above LEAST_MARGIN.
#include "compile/plan.h"

#include <float.h>
#include <math.h>

enum { MOST_SEGMENTS = 100000, MOST_MODES = 20000, MOST_STRETCHED = 2000 };

// ---------------------------------------------------------------------------- the string itself

// sigma(f) = 3 ln 10/T60 = s0 + s1 beta^2(f), beta^2 as clamps weigh it
static bool losses(const sis_string_def* def, string_spec* f, sis_error* error) {
    f->s0 = isnan(def->sigma0) ? 0 : def->sigma0;
    f->s1 = isnan(def->sigma1) ? 0 : def->sigma1;
    if (!def->t60.count) return true;
    double beta2[2] = {0}, sigma[2] = {0};
    for (int32_t i = 0; i < def->t60.count; i++) {
        beta2[i] = sis_string_loss_weight(f, 2 * PI * def->t60.points[2 * i]);
        sigma[i] = 3 * sis_log(10) / def->t60.points[2 * i + 1];
    }
    f->s0 = sigma[0];
    if (def->t60.count == 1) return true;
    f->s1 = (sigma[1] - sigma[0]) / (beta2[1] - beta2[0]);
    f->s0 = sigma[0] - f->s1 * beta2[0];
    if (f->s0 >= 0 && f->s1 >= 0) return true;
    return sis_fail(
        error, SIS_REFUSED,
        "'t60' of %g s at %g Hz and %g s at %g Hz would need a negative loss (sigma0 = %g 1/s, "
        "sigma1 = %g m^2/s): high frequencies must decay faster, but not that much faster",
        def->t60.points[1], def->t60.points[0], def->t60.points[3], def->t60.points[2], f->s0,
        f->s1);
}

// The tension of a string whose first mode is at w rad/s without loss: rho w^2 = T b^2 + EI b^4
// with b = pi/L where the ends are supported. Clamps only raise the pitch, so that this T is too
// much for them, and the pitch grows with T. Negative: the stiffness alone rings higher.
static double tension_of(const string_spec* f, double w) {
    double b2 = square(PI / f->length);
    double T = f->density * square(w) / b2 - f->stiffness * b2;
    if (f->ends == SIS_ENDS_SUPPORTED || T < 0) return T;
    string_spec trial = *f;
    trial.tension = 0;
    if (sis_string_partial(&trial, 1) > w) return -1;
    double low = 0, high = T;
    for (int i = 0; i < 64 && low < high; i++) {
        trial.tension = 0.5 * (low + high);
        if (sis_string_partial(&trial, 1) < w)
            low = trial.tension;
        else
            high = trial.tension;
    }
    return 0.5 * (low + high);
}

// Loss of the first mode, 1/s.
static double first_loss(const string_spec* f, double w) {
    return f->s0 + f->s1 * sis_string_loss_weight(f, w);
}

static bool refuse_frequency(const sis_string_def* def, string_spec* f, double T,
                             sis_error* error) {
    if (T > 0)
        return sis_fail(error, SIS_REFUSED,
                        "'frequency' = %g Hz would need a tension of %.3g N, more than 1e9: take a "
                        "lighter or shorter string",
                        def->frequency, T);
    f->tension = 0;
    if (!losses(def, f, error)) return false;
    double w = sis_string_partial(f, 1), sigma = first_loss(f, w);
    return sis_fail(
        error, SIS_REFUSED,
        "'frequency' = %g Hz is too low: its stiffness alone rings at %.6g Hz, the lowest "
        "possible; take a longer or thinner string",
        def->frequency, sqrt(fmax(0, w * w - sigma * sigma)) / (2 * PI));
}

// The tension that makes it ring at the frequency given: sqrt(w^2 - sigma^2) with the loss sigma of
// the first mode. Where that follows from t60 it depends on the tension, a little: a few rounds.
static bool tune(const sis_string_def* def, string_spec* f, sis_error* error) {
    double ring = 2 * PI * def->frequency, sigma = 0;
    for (int i = 0; i < 50; i++) {
        double w = sqrt(ring * ring + sigma * sigma), T = tension_of(f, w), before = sigma;
        bool low = i == 0 && T < 0; // the loss, still unknown, may leave room for it
        if (low) T = 0;
        if (!(T >= 0 && T <= 1e9)) return refuse_frequency(def, f, T, error);
        f->tension = T;
        if (!losses(def, f, error)) return false;
        sigma = first_loss(f, w);
        if (!low && fabs(sigma - before) <= 1e-13 * w) break;
    }
    return true;
}

// Where an input takes the tension. Losses, like all that stays, are those of the tension that it
// begins with.
static bool read_range(const compile_plan* plan, const sis_string_def* def, string_spec* f,
                       sis_error* error) {
    const sis_binding* tension = sis_scene_bound(plan->scene, f->spec.id, "tension");
    const sis_binding* bend = sis_scene_bound(plan->scene, f->spec.id, "bend");
    const sis_binding* b = tension ? tension : bend;
    f->base = f->tension;
    f->tension = f->low = f->top = f->base * def->bend * def->bend;
    if (!b) return def->bend == 1 || losses(def, f, error);
    if (tension && bend)
        return sis_fail_key(error, SIS_REFUSED, "bend",
                            "'tension' and 'bend' both follow inputs: let one of them, 'bend' is a "
                            "factor of the frequency and 'tension' is in N");
    if (tension && !isnan(def->frequency))
        return sis_fail_key(error, SIS_REFUSED, "tension",
                            "'tension' follows an input and 'frequency' = %g Hz is given: let "
                            "'bend' follow it, from %.4g to %.4g say",
                            def->frequency, 0.9, 1.1);
    f->key = tension ? "tension" : "bend"; // the scene may be gone before the system is
    f->bends = !tension;
    f->low = sis_string_tension_at(f, b->low);
    f->top = sis_string_tension_at(f, b->high);
    if (f->low > 0 || f->stiffness > 0) return def->bend == 1 || losses(def, f, error);
    return sis_fail_key(error, SIS_REFUSED, b->key,
                        "'%s' reaches a tension of %g N, where nothing brings a string without "
                        "stiffness back: begin its range above that, at %.3g say, or give 'youngs' "
                        "(Pa) and 'radius' (m)",
                        b->key, f->low, 1e-3 * b->high);
}

static bool read_def(const compile_plan* plan, const sis_string_def* def, string_spec* f,
                     sis_error* error) {
    double area = isnan(def->radius) ? 0 : PI * square(def->radius);
    *f = (string_spec){.spec = f->spec,
                       .model = def->model,
                       .ends = def->ends,
                       .nonlinear = def->nonlinear,
                       .tuned = def->tuned,
                       .length = def->length,
                       .tension = def->tension,
                       .bend = def->bend};
    f->density = isnan(def->density) ? def->material_density * area : def->density;
    f->stiffness = def->youngs * area * area / (4 * PI); // E pi r^4/4
    f->area_stiffness = def->youngs * area;
    if (f->stiffness == 0) f->ends = SIS_ENDS_SUPPORTED; // nothing to clamp
    f->mirror = f->ends == SIS_ENDS_CLAMPED ? 1 : -1;
    const bool tuned = !isnan(def->frequency) && isnan(def->tension);
    if (!(tuned ? tune(def, f, error) : losses(def, f, error))) return false;
    return read_range(plan, def, f, error);
}

// The string when its tension is the highest of its range.
static string_spec at_top(const string_spec* f) {
    string_spec tight = *f;
    tight.tension = f->top;
    return tight;
}

// ---------------------------------------------------------------------------- amplitude

static double largest_of(sis_envelope curve) {
    double most = 0;
    for (int32_t i = 0; i < curve.count; i++)
        most = fmax(most, fabs(curve.points[2 * i + 1]));
    return most;
}

// Work that a force can do: into an infinite string of impedance Z, F^2/2Z; or a static pull in the
// middle.
static double work_of(const sis_force_def* def, const string_spec* f) {
    double Z = sqrt(f->tension * f->density), peak = isnan(def->peak) ? 1 : def->peak;
    double time = isnan(def->width) ? HUGE_VAL : def->width;
    double most = def->envelope.count ? largest_of(def->envelope) : 1;
    // One fiftieth of the string takes the momentum of an impulse.
    if (def->shape == SIS_FORCE_IMPULSE) return 25 * square(peak) / (f->density * f->length);
    if (def->shape == SIS_FORCE_ENVELOPE) time = HUGE_VAL;
    double passing = square(peak * most) * time / (2 * Z);
    double still = square(peak * most) * f->length / (8 * f->tension);
    return fmin(passing, 4 * still);
}

// What a moving mass can bring along, and how far a driven one can lift the string: S of the
// triangle under it, anywhere in the middle half.
static double brought_by(const sis_mass_def* def, const string_spec* f, double* slope) {
    *slope += largest_of(def->path) * sqrt(16 / (3 * f->length));
    return def->path.count ? 0 : 0.5 * def->mass * square(def->velocity);
}

// A bow at a place: the energy of the Helmholtz motion it asks for, twice.
static double bowed(const sis_bow_def* def, const string_spec* f) {
    double v = isnan(def->velocity) ? largest_of(def->velocity_curve) : fabs(def->velocity);
    double part = def->at / f->length;
    return f->density * f->length * square(v / (2 * part * (1 - part)));
}

// The integrals of u_x^2 (m) of a shape, or of v^2 (m^3/s^2) of a velocity, that is a function; a
// function that fails does so again when it is asked for the start itself.
static double function_square(const sis_profile* profile, const string_spec* f, bool slopes) {
    enum { SAMPLES = 1024 };
    double h = f->length / SAMPLES, before = 0, sum = 0;
    for (int32_t i = 1; i <= SAMPLES; i++) {
        double value = 0;
        bool good = i == SAMPLES || profile->value(profile->context, i * h, &value, NULL);
        if (!good || !(fabs(value) <= 1e6)) return 0;
        sum += slopes ? square(value - before) / h : square(value) * h;
        before = value;
    }
    return sum;
}

// Twice the kinetic energy that a pluck gives.
static double thrown(const sis_pluck_def* def, const string_spec* f) {
    if (def->velocity_profile.value)
        return f->density * function_square(&def->velocity_profile, f, false);
    return isnan(def->velocity) ? 0 : f->density * f->length * square(def->velocity);
}

static double slope_of(const sis_pluck_def* def, const string_spec* f) {
    if (def->profile.value) return sqrt(function_square(&def->profile, f, true));
    if (isnan(def->height)) return 0;
    double H2 = square(def->height), L = f->length;
    if (def->shape == SIS_PLUCK_TRIANGLE) return sqrt(H2 * L / (def->at * (L - def->at)));
    if (def->shape == SIS_PLUCK_RAISED_COSINE) return sqrt(square(PI) * H2 / (2 * def->width));
    return def->mode * PI * fabs(def->height) / sqrt(2 * L);
}

// The largest integral of u_x^2 the scene can bring about, m: from what plucks, forces, bows and
// masses store or bring.
static double largest_stretch(const compile_plan* plan, const string_spec* f) {
    sis_id id = f->spec.id;
    double slope = 0, work = 0; // slopes are norms: they add up at most like this
    for (sis_id other = 0; other < plan->scene->count; other++) {
        const void* def = sis_scene_def(plan->scene, other);
        switch (plan->scene->objects[other].kind) {
        case SIS_KIND_FORCE:
            if (((const sis_force_def*)def)->on == id && f->tension > 0) work += work_of(def, f);
            break;
        case SIS_KIND_BOW:
            if (((const sis_bow_def*)def)->on == id) work += bowed(def, f);
            break;
        case SIS_KIND_MASS:
            work += brought_by(def, f, &slope);
            break;
        case SIS_KIND_PLUCK:
            if (((const sis_pluck_def*)def)->on != id) break;
            slope += slope_of(def, f);
            work += thrown(def, f);
            break;
        default:
            break;
        }
    }
    double S = square(slope), EA = f->area_stiffness, T = f->tension, L = f->length;
    double energy = 0.5 * T * S + EA / (8 * L) * S * S + work;
    // T/2 S + EA/8L S^2 = energy
    return energy > 0 ? 4 * energy / (T + sqrt(T * T + 2 * EA / L * energy)) : 0;
}

// The same at any tension of its range; slack, the string yields more.
static double largest_stretch_in_range(const compile_plan* plan, const string_spec* f) {
    const string_spec tight = at_top(f);
    string_spec slack = *f;
    slack.tension = f->low;
    return fmax(largest_stretch(plan, f),
                fmax(largest_stretch(plan, &tight), largest_stretch(plan, &slack)));
}

// ---------------------------------------------------------------------------- the grid

// What a grid search needs to know.
typedef struct grid_problem {
    string_spec* f;
    const sis_string_def* def;
    double k, tension; // s; N, with what the amplitude adds
    double gamma;      // of implicit strings; NaN: by its rule
} grid_problem;

// gamma_* of Bilbao 2014: as many degrees of freedom as the string has modes in the band.
static double gamma_star(const string_spec* f, double k) {
    double c2 = f->tension / f->density * k * k, kappa2 = f->stiffness / f->density * k * k;
    double h2 = 0.5 * (c2 + sqrt(c2 * c2 + 4 * PI * PI * kappa2));
    return -1 + c2 / h2 + 4 * kappa2 / (h2 * h2);
}

// The gamma that cancels the detuning of order beta^6 as well, once the stiffness is corrected.
static double gamma_tuned(const string_spec* f, double k, double h) {
    double T = f->tension, EI = f->stiffness, r = f->density, h2 = h * h, k2 = k * k;
    double right = -h2 * EI / 6 + k2 * T * EI / (6 * r) - T * h2 * h2 / 90 +
                   T * T * k2 * h2 / (72 * r) - k2 * k2 * T * T * T / (360 * r * r);
    return right / (0.25 * h2 * (EI + T * h2 / 12 - k2 * T * T / (12 * r)));
}

// An ideal string whose waves go just one segment a step, as exactly as numbers can be given. Its
// grid has no error at all. lambda of its highest mode is 4 cos^2(pi/2N), so that its energy is
// positive still, by sin^2(pi/2N).
static bool is_exact(string_spec* f, double pull, int32_t n) {
    f->courant = f->model != SIS_STRING_TRAPEZOID && !f->key && f->stiffness == 0 &&
                 f->gamma == 0 && fabs(pull - 1) <= 16 * DBL_EPSILON;
    if (!f->courant) return false;
    f->used = 0;
    f->h_min = f->h;
    f->margin = square(sis_sin(0.5 * PI / n));
    return true;
}

// Sets gamma, EI', losses, margin and h_min of a grid of n segments.
static double try_grid(const grid_problem* g, int32_t n) {
    string_spec* f = g->f;
    double k = g->k, h = f->length / n, r = f->density, h2 = h * h;
    const string_spec tight = at_top(f);
    bool explicit = f->model == SIS_STRING_FD || f->model == SIS_STRING_MODAL;
    f->segments = n;
    f->h = h;
    f->gamma = 0;
    if (f->model == SIS_STRING_IMPLICIT)
        f->gamma = !isnan(g->gamma)                        ? g->gamma
                   : g->def->gamma_rule == SIS_GAMMA_TUNED ? gamma_tuned(&tight, k, h)
                                                           : gamma_star(&tight, k);
    sis_string_losses(f, g->def, k, 1, 1);
    bool stiff = sis_string_corrects(f, f->top, k);
    f->used = sis_string_stiffness(f, f->tension, k);
    double q = g->tension * k * k / r + (explicit ? 4 * f->s1_used * k : 0),
           kappa2 = sis_string_stiffness(f, f->top, k) * k * k / r;
    if (is_exact(f, q / h2, n)) return f->margin;
    double room = 1 + f->gamma;
    f->margin = room > 0 ? 1 - (q / h2 + 4 * kappa2 / (h2 * h2)) / room : -1;
    f->h_min = room > 0 ? sqrt((q + sqrt(q * q + 16 * kappa2 * room)) / (2 * room)) : HUGE_VAL;
    if (f->tuned && !stiff && (isnan(g->gamma) || f->key)) f->margin = -1;
    if (f->model != SIS_STRING_TRAPEZOID) return f->margin;
    f->h_min = h;
    return f->margin = 1;
}

// The largest stable grid, at most `most` segments; 0: there is none. Not the exact one, for which
// a string is cut to measure.
static int32_t largest_grid(const grid_problem* g, int32_t most) {
    for (int32_t n = most; n >= 2; n--)
        if (try_grid(g, n) > LEAST_MARGIN && !g->f->courant) return n;
    return 0;
}

// More segments than any grid of this string can have.
static double most_segments(const grid_problem* g) {
    const string_spec* f = g->f;
    double gamma = f->model == SIS_STRING_IMPLICIT && !isnan(g->gamma) ? g->gamma : 0;
    double room = 1 + fmax(gamma, 0), k = g->k, r = f->density;
    double q = g->tension * k * k / r, kappa2 = 0.25 * f->stiffness * k * k / r;
    double h2 = (q + sqrt(q * q + 16 * kappa2 * room)) / (2 * room);
    return ceil(1.2 * f->length / sqrt(h2)) + 2;
}

static bool refuse_grid(const string_spec* f, const sis_string_def* def, double rate, double wanted,
                        sis_error* error) {
    const char* key = isnan(def->tension) ? "frequency" : "tension";
    if (wanted > MOST_SEGMENTS)
        return sis_fail(
            error, SIS_REFUSED,
            "at %g steps per second its grid would have about %.3g segments, more than %d: "
            "lower the rate or give 'segments'",
            rate, wanted, MOST_SEGMENTS);
    if (def->model == SIS_STRING_TRAPEZOID)
        return sis_fail(
            error, SIS_REFUSED,
            "the grid of model = \"fd\", which this model takes, is not stable at %g steps "
            "per second: give 'segments', or raise 'rate' or 'oversample'",
            rate);
    if (f->key)
        return sis_fail_key(error, SIS_REFUSED, f->key,
                            "no grid is stable at %g steps per second with the %g N that '%s' "
                            "reaches: narrow the range of its input, or raise 'rate' or "
                            "'oversample'",
                            rate, f->top, f->key);
    return sis_fail_key(
        error, SIS_REFUSED, key,
        "no grid is stable at %g steps per second with this '%s': raise 'rate' or 'oversample', or "
        "lower tension, stiffness or sigma1%s",
        rate, key, def->nonlinear ? " (or the amplitude, which adds to the tension)" : "");
}

// The grid asked for, or the largest; 0: none. Trapezoid and modal strings take the grid of fd.
static int32_t find_grid(const grid_problem* g, int32_t most) {
    sis_string_model model = g->f->model;
    bool own = model == SIS_STRING_FD || model == SIS_STRING_IMPLICIT;
    int32_t asked = g->def->segments;
    if (asked) return try_grid(g, asked) > LEAST_MARGIN || g->f->courant || !own ? asked : 0;
    if (!own) g->f->model = SIS_STRING_FD;
    int32_t n = largest_grid(g, most);
    g->f->model = model;
    return n;
}

static bool choose_grid(grid_problem* g, double rate, sis_error* error) {
    const sis_string_def* def = g->def;
    double wanted = def->segments ? def->segments : most_segments(g);
    bool modal = g->f->model == SIS_STRING_MODAL, few = wanted <= 1.25 * MOST_SEGMENTS;
    if (!few && !modal) return refuse_grid(g->f, def, rate, wanted, error);
    int32_t most = (int32_t)fmin(wanted, MOST_SEGMENTS), n = few ? find_grid(g, most) : 0;
    if (n == 0 && modal) n = def->segments ? def->segments : 64; // only where contacts would sit
    if (n == 0 && g->f->model == SIS_STRING_IMPLICIT && isnan(g->gamma)) {
        g->gamma = 0; // none for a nearly ideal string: the corrected explicit grid
        n = find_grid(g, most);
    }
    if (n) {
        try_grid(g, n);
        return true;
    }
    if (!def->segments) return refuse_grid(g->f, def, rate, 0, error);
    g->gamma = def->gamma;
    wanted = most_segments(g);
    int32_t largest = (int32_t)fmin(wanted, MOST_SEGMENTS);
    if (wanted <= MOST_SEGMENTS) largest = largest_grid(g, largest);
    if (largest == 0) return refuse_grid(g->f, def, rate, 0, error);
    if (g->f->key)
        return sis_fail_key(error, SIS_REFUSED, g->f->key,
                            "'segments' = %d cannot be stable at %g steps per second with the %g N "
                            "that '%s' reaches: needs at most %d (or a higher rate, or a narrower "
                            "range)",
                            (int)def->segments, rate, g->f->top, g->f->key, (int)largest);
    return sis_fail(error, SIS_REFUSED,
                    "'segments' = %d cannot be stable at %g steps per second: needs at most %d "
                    "(or a higher rate)",
                    (int)def->segments, rate, (int)largest);
}

// ---------------------------------------------------------------------------- modes

// 1 - (w~ k/2)^2 of mode p in its model, with what the amplitude adds to the tension: a mode is
// stable while it is positive.
static double mode_margin(const grid_problem* g, int32_t p) {
    const string_spec* f = g->f;
    const string_spec tight = at_top(f);
    double turn = sis_string_partial(&tight, p) * g->k, beta = p * PI / f->length;
    double more = square(beta * g->k) * (g->tension - f->top) / f->density;
    double own = f->tuned ? 4 * square(sis_sin(0.5 * fmin(turn, PI))) : turn * turn;
    return 1 - 0.25 * (own + more);
}

static bool choose_modes(const grid_problem* g, double rate, sis_error* error) {
    const sis_string_def* def = g->def;
    string_spec* f = g->f;
    double limit = f->tuned ? 0.95 * PI * rate : 2 * rate;
    const string_spec tight = at_top(f);
    int32_t stable = 0;
    while (stable < MOST_MODES && sis_string_partial(&tight, stable + 1) < limit &&
           mode_margin(g, stable + 1) > 1e-9)
        stable++;
    f->modes = def->modes ? def->modes : stable;
    f->margin = mode_margin(g, f->modes);
    if (f->modes > MOST_STRETCHED && f->modes <= stable && f->nonlinear &&
        f->ends == SIS_ENDS_CLAMPED)
        return sis_fail(error, SIS_REFUSED,
                        "its %d clamped modes would all stretch it together: at most %d do; give "
                        "'modes', or take model = \"fd\"",
                        (int)f->modes, (int)MOST_STRETCHED);
    if (f->modes > 0 && f->modes <= stable) return true;
    return sis_modes_refuse(def->modes, stable, sis_string_partial(&tight, 1), rate, error);
}

static bool plan_string(compile_plan* plan, const sis_string_def* def, string_spec* f,
                        sis_error* error) {
    if (!read_def(plan, def, f, error)) return false;
    double k = plan->system->k, stretch = 0;
    if (f->nonlinear && !f->tuned) stretch = largest_stretch_in_range(plan, f);
    grid_problem g = {f, def, k, 0, def->gamma};
    // Waves of a stretched string are faster; without room for them near-Nyquist modes drain
    // energy, unless a filter keeps the stretch from them (body/string.c).
    g.tension = f->top + 1.5 * f->area_stiffness / (2 * f->length) * stretch;
    if (!choose_grid(&g, plan->system->rate, error)) return false;
    f->root = f->tuned ? 0.125 * f->gamma : 0;
    if (f->model == SIS_STRING_MODAL) return choose_modes(&g, plan->system->rate, error);
    return true;
}

// ---------------------------------------------------------------------------- plan

// Ends that make the grid ring as the string does; where they would not be stable, one segment
// fewer makes room for them.
static bool plan_clamps(compile_plan* plan, const sis_string_def* def, string_spec* f) {
    sis_string_def fewer = *def;
    string_spec trial = *f;
    sis_error unheard;
    for (int i = 0; i < 4; i++) {
        if (sis_string_clamp(&trial, def, plan->system->k, plan->system->rate)) {
            *f = trial;
            return true;
        }
        fewer.segments = trial.segments - 1;
        if (def->segments || fewer.segments < 2 || !plan_string(plan, &fewer, &trial, &unheard))
            return false;
    }
    return false;
}

// A coarse grid rings beside the string it stands for, a short string by many cents. One that was
// given by its frequency aims beside it until the grid rings there; its grid then stays as it is.
static bool plan_tuned(compile_plan* plan, const sis_string_def* def, string_spec* f,
                       sis_error* error) {
    if (!plan_string(plan, def, f, error)) return false;
    bool grid = f->tuned && f->model != SIS_STRING_MODAL;
    if (grid && f->ends == SIS_ENDS_CLAMPED && plan_clamps(plan, def, f)) return true;
    if (isnan(def->frequency) || !grid) return true;
    sis_string_def aim = *def;
    for (int i = 0; i < 20; i++) {
        string_spec plain = *f; // not bent
        plain.tension = f->base;
        if (f->base != f->tension) plain.used = sis_string_stiffness(f, f->base, plan->system->k);
        string_group bodies = sis_string_constants(&plain, plan->system->k, plan->system->rate);
        double rings = sis_string_first_turn(&plain, &bodies) * plan->system->rate / (2 * PI);
        double ratio = def->frequency / rings;
        if (!(fabs(ratio - 1) > 1e-10 && isfinite(ratio))) break;
        string_spec trial = *f;
        sis_error unheard;
        aim.frequency *= ratio;
        aim.segments = f->segments;
        bool fits = plan_string(plan, &aim, &trial, &unheard);
        // A little more tension may need a coarser grid.
        if (!fits && --aim.segments >= 2 && !def->segments)
            fits = plan_string(plan, &aim, &trial, &unheard);
        if (!fits) break;
        *f = trial;
    }
    return true;
}

bool sis_string_plan(compile_plan* plan, body_spec* spec, const void* def, sis_error* error) {
    string_spec* f = (string_spec*)spec;
    if (!plan_tuned(plan, def, f, error)) return false;
    spec->count = f->model == SIS_STRING_MODAL ? f->modes : f->segments - 1;
    spec->before = spec->behind = STRING_EDGE;
    spec->modulated = f->nonlinear;
    spec->modulation = f->area_stiffness / (4 * f->length);
    spec->meet = f->model != SIS_STRING_FD || f->nonlinear;
    spec->modes = f->modes;
    spec->nx = f->segments;
    spec->length = f->length;
    return true;
}
