// Functions of a place that the caller gave: one value, checked.
#include "compile/plan.h"

#include <math.h>

bool sis_profile_value(const sis_profile* profile, sis_place at, profile_name called, double* value,
                       sis_error* error) {
    sis_error why = {.status = SIS_OK, .object = SIS_NONE};
    double got = 0;
    bool plate = !isnan(at.y);
    bool good = plate ? profile->over(profile->context, at.x, at.y, &got, &why)
                      : profile->value(profile->context, at.x, &got, &why);
    *value = got;
    if (good && fabs(got) <= called.most) return true;
    sis_label label = sis_label_of(called.kind, called.name);
    if (!good && why.text[0])
        return sis_fail_key(error, why.status, called.key, "%s", why.text);
    else if (plate)
        return sis_fail_key(error, SIS_BAD_VALUE, called.key,
                            "%s: '%s' at {%g, %g} m must be between %g and %g %s, got %g",
                            label.text, called.key, at.x, at.y, -called.most, called.most,
                            called.unit, got);
    else
        return sis_fail_key(error, SIS_BAD_VALUE, called.key,
                            "%s: '%s' at %g m must be between %g and %g %s, got %g", label.text,
                            called.key, at.x, -called.most, called.most, called.unit, got);
}
