#include "facts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define TAU 6.283185307179586

const char* sis_fact_word(sis_kind kind, const char* key, int value, char* text, size_t size) {
    int32_t count = 0;
    const sis_field* schema = sis_schema(&count);
    *text = 0;
    for (int32_t i = 0; i < count; i++) {
        if (schema[i].kind != kind || strcmp(schema[i].key, key) != 0) continue;
        const char* word = schema[i].words;
        for (; value > 0 && *word; value--) {
            word += strcspn(word, "|");
            word += *word == '|';
        }
        snprintf(text, size, "%.*s", (int)strcspn(word, "|"), word);
    }
    return text;
}

static int32_t find_body(const sis_system* system, const char* name, bool string) {
    for (int32_t i = 0; name && i < sis_system_body_count(system); i++) {
        sis_body_info body = sis_system_body(system, i);
        if ((body.kind == SIS_KIND_STRING) == string && strcmp(body.name, name) == 0) return i;
    }
    return -1;
}

int32_t sis_fact_side(const sis_system* system, int32_t link, bool above) {
    sis_link_info info = sis_system_link(system, link);
    sis_contact_point first = sis_system_contact_point(system, link, 0);
    bool string = !isnan(above ? first.at_above : first.at_below);
    return find_body(system, above ? info.above : info.below, string);
}

double sis_fact_place(const sis_system* system, int32_t link, int32_t point) {
    sis_contact_point p = sis_system_contact_point(system, link, point);
    return isnan(p.at_above) ? p.at_below : p.at_above;
}

bool sis_fact_spread(const sis_system* system, int32_t link) {
    sis_link_info info = sis_system_link(system, link);
    return info.kind == SIS_KIND_CONTACT && info.points > 1 &&
           !isnan(sis_fact_place(system, link, 0));
}

// The energy of a point is w (phi(eta+) + phi(eta))/2 and every other part of H is at least 0, so
// w K eta^t/t <= 2 H with t = alpha + 1. With potential = "midpoint" it is phi of the mean of two
// depths, and either of them alone may be deeper. Schemes that hold their energy in a variable of
// its own follow the bound as closely as they follow the law; those of single impacts hold none.
double sis_fact_bound(const sis_link_info* link, double energy) {
    bool mean = link->potential == SIS_POTENTIAL_MEAN && link->scheme != SIS_SCHEME_ROOT &&
                link->scheme < SIS_SCHEME_AM1;
    if (link->kind != SIS_KIND_CONTACT || !mean || !(link->K > 0) || !(energy > 0)) return nan("");
    double t = link->alpha + 1;
    return pow(2 * t * energy / (link->K * link->weight), 1 / t);
}

// sigma(f) = sigma0 + sigma1 beta^2, where w^2 = c^2 beta^2 + kappa^2 beta^4, T60 = 6 ln 10/sigma.
double sis_fact_t60(const sis_body_info* string, double frequency) {
    double w = TAU * frequency;
    double c2 = string->tension / string->density, kappa2 = string->stiffness / string->density;
    // The root without cancellation, which also holds for kappa = 0.
    double beta2 = 2 * w * w / (c2 + sqrt(c2 * c2 + 4 * kappa2 * w * w));
    double sigma = string->sigma0 + string->sigma1 * beta2;
    return sigma > 0 ? 6 * log(10) / sigma : (double)INFINITY;
}

int32_t sis_fact_strings(const sis_system* system) {
    int32_t count = 0;
    for (int32_t i = 0; i < sis_system_body_count(system); i++)
        count += sis_system_body(system, i).kind == SIS_KIND_STRING;
    return count;
}
