// The sum that masses are advanced by, over lanes.
#ifndef SIS_BODY_MASS_KEEPING_H
#define SIS_BODY_MASS_KEEPING_H

#include "base/lanes.h"
#include "body/mass.h"

// d + change with the rounding error of the sum kept for the next sample (Knuth's two-sum): a
// steady kick far smaller than d would otherwise round the same way every time and drift.
LANES_FN lanes lanes_add_keeping(lanes d, lanes change, lanes* rest) {
    lanes next = d + change, part = next - d, farthest = lanes_all(MASS_FARTHEST);
    lanes_mask near = lanes_less(next, farthest) & lanes_less(-farthest, next);
    *rest = lanes_pick(near, (d - (next - part)) + (change - part), lanes_all(0));
    return lanes_pick(near, next, lanes_all(0));
}

#endif
