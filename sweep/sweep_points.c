#include "sweep_points.h"

#include "sistrum/elementary.h"
#include "sweep_number.h"

#include <math.h>

static const double count_most = 1e12; // indices

// ---------------------------------------------------------------------------- counting

static bool is_counted(const sis_axis* axis) {
    return axis->form == SIS_AXIS_LIST || axis->form == SIS_AXIS_STEPS;
}

static bool check_draws(const sis_points* p, sis_fault* fault) {
    for (int32_t i = 0; i < p->axis_count && !p->random; i++)
        if (p->axes[i].form == SIS_AXIS_DRAWN)
            return sis_fault_set(fault, SIS_FAULT_REQUEST,
                                 "--axis %s has no count: write %s=from:to:count, or draw it with "
                                 "--random N",
                                 p->axes[i].name, p->axes[i].name);
    if (p->random && !p->drawn)
        return sis_fault_set(fault, SIS_FAULT_REQUEST,
                             "--random has nothing to draw: the scene has no param with a range "
                             "that is neither set nor an axis");
    if (p->random && p->draw == SIS_DRAW_SOBOL && p->drawn > SIS_SOBOL_DIMENSIONS)
        return sis_fault_set(fault, SIS_FAULT_REQUEST,
                             "--draw sobol takes at most %d params and this study has %d: name "
                             "them by --free, or take --draw latin",
                             SIS_SOBOL_DIMENSIONS, (int)p->drawn);
    return true;
}

bool sis_points_finish(sis_points* p, sis_fault* fault) {
    double count = 1;
    if (!p->axis_count && !p->random && !p->pairs)
        return sis_fault_set(fault, SIS_FAULT_REQUEST,
                             "nothing is varied: give --axis NAME=from:to:count, --random N or "
                             "--pairs FILE.csv");
    if (!check_draws(p, fault)) return false;
    if (p->pairs) count *= (double)p->pair_count;
    if (p->random) count *= (double)p->random;
    for (int32_t i = 0; i < p->axis_count; i++)
        if (is_counted(&p->axes[i])) count *= (double)p->axes[i].count;
    if (!(count <= count_most))
        return sis_fault_set(fault, SIS_FAULT_REQUEST,
                             "%.3g runs are too many: a study has at most %.0e", count, count_most);
    p->count = (uint64_t)count;
    return true;
}

// ---------------------------------------------------------------------------- values

/** As between() has it, where the whole way is no finite number. */
static double far_between(const sis_axis* a, double share) {
    if (!a->logarithmic) return a->from * (1 - share) + a->to * share;
    return sis_power(a->from, 1 - share) * sis_power(a->to, share);
}

/** At a share 0 .. 1 of the way from `from` to `to`. */
static double between(const sis_axis* a, double share) {
    double way = a->logarithmic ? a->to / a->from : a->to - a->from;
    double value = !isfinite(way) || (a->logarithmic && way == 0) ? far_between(a, share)
                   : a->logarithmic                               ? a->from * sis_power(way, share)
                                                                  : a->from + way * share;
    double low = fmin(a->from, a->to), high = fmax(a->from, a->to);
    return fmin(fmax(value, low), high); // rounding must not leave the range
}

/** The number of at most 12 digits that differs from the value by rounding alone, if there is one:
 * 100, not 99.99999999999997, so that a table can be asked for it. */
static double without_rounding(const sis_axis* a, double value) {
    const double eps = 2.220446049250313e-16;
    double error = a->logarithmic ? eps * fabs(value) * (2 + fabs(sis_log(a->to / a->from)))
                                  : 2 * eps * fmax(fabs(a->from), fabs(a->to));
    if (!isfinite(error)) return value;
    if (!a->logarithmic && fabs(value) <= error) return 0;
    double near = sis_twelve_digits(value);
    return fabs(near - value) <= error ? near : value;
}

static double step_value(const sis_axis* a, uint64_t i) {
    if (a->form == SIS_AXIS_LIST) return a->values[i];
    if (i == 0) return a->from;
    if (i + 1 == a->count) return a->to;
    return without_rounding(a, between(a, (double)i / (double)(a->count - 1)));
}

/** Keys are drawn whole. */
static double drawn_value(const sis_axis* a, double unit) {
    if (a->kind != SIS_AXIS_NOTE) return between(a, unit);
    double low = ceil(fmin(a->from, a->to)), high = floor(fmax(a->from, a->to));
    return high >= low ? low + floor(unit * (high - low + 1)) : a->from;
}

void sis_points_at(const sis_points* p, uint64_t index, double* values) {
    uint64_t rest = p->random ? index / p->random : index;
    for (int32_t i = p->axis_count; i-- > 0;) {
        const sis_axis* a = &p->axes[i];
        if (a->form == SIS_AXIS_DRAWN && p->sought) {
            const double* shares = p->sought + (index - p->sought_first) * (uint64_t)p->drawn;
            values[i] = between(a, shares[a->column]);
        } else if (a->form == SIS_AXIS_DRAWN) {
            values[i] = drawn_value(a, sis_draw_at(p->draw, p->seed, index, p->count, a->column));
        } else if (is_counted(a)) {
            values[i] = step_value(a, rest % a->count);
            rest /= a->count;
        }
    }
    for (int32_t i = 0; i < p->axis_count; i++)
        if (p->axes[i].form == SIS_AXIS_PAIRED)
            values[i] = p->pairs[rest * (uint64_t)p->pair_columns + (uint64_t)p->axes[i].column];
}

double sis_points_hz(const sis_points* p, double key) {
    return p->a4 * sis_exp2((key - 69) / 12.0);
}
