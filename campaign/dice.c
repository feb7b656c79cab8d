// Random numbers with the same bits everywhere (splitmix64), and how errors are counted.
#include <math.h>

#include "campaign.h"

uint64_t dice_next(dice* d) {
    uint64_t z = d->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

double dice_unit(dice* d) {
    return (double)(dice_next(d) >> 11) * 0x1p-53;
}

double dice_even(dice* d, double low, double high) {
    return low + (high - low) * dice_unit(d);
}

double dice_log(dice* d, double low, double high) {
    return low * pow(high / low, dice_unit(d));
}

int dice_pick(dice* d, int count) {
    return (int)(dice_unit(d) * count);
}

bool dice_chance(dice* d, double probability) {
    return dice_unit(d) < probability;
}

// ---------------------------------------------------------------------------- errors

static const double ERROR_LEAST = 1e-18;

void histogram_add(histogram* h, double error) {
    int bin = 0;
    if (!(error <= 1e3))
        bin = ERROR_BINS - 1; // also what is not a number
    else if (error > ERROR_LEAST)
        bin = 1 + (int)(ERRORS_PER_DECADE * log10(error / ERROR_LEAST));
    h->count[bin < ERROR_BINS ? bin : ERROR_BINS - 1]++;
    h->total++;
    if (!(error <= h->worst)) h->worst = error;
}

void histogram_merge(histogram* into, const histogram* from) {
    for (int i = 0; i < ERROR_BINS; i++)
        into->count[i] += from->count[i];
    into->total += from->total;
    if (!(from->worst <= into->worst)) into->worst = from->worst;
}

double histogram_quantile(const histogram* h, double part) {
    uint64_t above = 0;
    const double most = (1 - part) * (double)h->total;
    int bin = ERROR_BINS - 1;
    while (bin > 0 && (double)(above + h->count[bin]) <= most)
        above += h->count[bin--];
    if (bin == 0) return 0;
    const double edge = ERROR_LEAST * pow(10, (double)bin / ERRORS_PER_DECADE);
    return edge < h->worst ? edge : h->worst;
}
