// What an output reads before the step of its sample, and after it.
#include "step/system.h"

#include <math.h>

double sis_probe_before(const sis_system* system, const probe_reader* probe,
                        const state_view* view) {
    if (probe->quantity == SIS_QUANTITY_DISPLACEMENT)
        return probe->end.count ? network_read(&probe->end, view->motion.u) : probe->height;
    if (probe->quantity != SIS_QUANTITY_PENETRATION) return 0;
    double largest = -HUGE_VAL;
    for (int32_t i = 0; i < probe->link_count; i++) {
        const contact_law* law = system->links[probe->links[i]].contact;
        double eta = sis_eta_before(system, view, probe->links[i]);
        if (law && law->power.limited) eta = fabs(eta) - law->power.play;
        if (eta > largest) largest = eta;
    }
    return largest;
}

double sis_probe_after(const sis_system* system, const probe_reader* probe,
                       const state_view* view) {
    if (probe->quantity == SIS_QUANTITY_VELOCITY && probe->link_count) // under a bow
        return view->work.travel[*probe->links] / (2 * system->k) -
               view->work.bow[system->links[*probe->links].bow].velocity;
    if (probe->quantity == SIS_QUANTITY_VELOCITY) {
        network_pair moved = network_read_two(&probe->end, view->motion.next, view->motion.d);
        return (moved.a + moved.b) / (2 * system->k);
    }
    if (probe->quantity != SIS_QUANTITY_FORCE) return 0;
    double sum = 0;
    for (int32_t i = 0; i < probe->link_count; i++)
        sum += sis_shown_force(&system->links[probe->links[i]], view, probe->links[i]);
    return sum;
}
