// Barriers of a scene: they do not move, and have no degrees of freedom. Contacts ask for their
// height (links.c).
#include "compile/plan.h"

#include <math.h>

static bool check_barrier(const void* given, const char* object, sis_error* error) {
    const sis_barrier_def* def = given;
    bool range = !isnan(def->from) || !isnan(def->to) || !isnan(def->from_y) || !isnan(def->to_y);
    bool profile = sis_profile_given(&def->profile);
    if (isnan(def->height) == !profile)
        return refuse(error, SIS_BAD_VALUE, object,
                      profile ? "give 'height' or a profile, not both" : "'height' (m) is missing");
    if (def->at.count && range)
        return refuse(error, SIS_REFUSED, object,
                      "'at' makes points, 'from' and 'to' a range: give one of the two");
    if (def->to <= def->from || def->to_y <= def->from_y)
        return refuse(error, SIS_BAD_VALUE, object, "'from' must be less than 'to'");
    return true;
}

const body_class sis_barrier_class = {
    .called = "barrier", .fixed = true, .check = check_barrier, .spec_size = sizeof(body_spec)};
