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

/** How many numbers say where on a body: of a mass none, along a string or for the place of a modal
 *  body one, on a plate two. */
static int place_size(sis_kind kind) {
    sis_places places = sis_kind_places(kind);
    return places == SIS_PLACES_AREA ? 2 : places == SIS_PLACES_NONE ? 0 : 1;
}

static int32_t find_body(const sis_system* system, const char* name, int size) {
    for (int32_t i = 0; name && i < sis_system_body_count(system); i++) {
        sis_body_info body = sis_system_body(system, i);
        if (place_size(body.kind) == size && strcmp(body.name, name) == 0) return i;
    }
    return -1;
}

int32_t sis_fact_side(const sis_system* system, int32_t link, bool above) {
    sis_link_info info = sis_system_link(system, link);
    sis_contact_point first = sis_system_contact_point(system, link, 0);
    double x = above ? first.at_above : first.at_below, y = above ? first.y_above : first.y_below;
    return find_body(system, above ? info.above : info.below, isnan(x) ? 0 : isnan(y) ? 1 : 2);
}

static bool is_along(const sis_system* system, int32_t link, bool above) {
    int32_t side = sis_fact_side(system, link, above);
    return side >= 0 && sis_kind_places(sis_system_body(system, side).kind) == SIS_PLACES_LINE;
}

double sis_fact_place(const sis_system* system, int32_t link, int32_t point) {
    sis_contact_point p = sis_system_contact_point(system, link, point);
    if (is_along(system, link, true)) return p.at_above;
    return is_along(system, link, false) ? p.at_below : nan("");
}

bool sis_fact_is_area(const sis_system* system, int32_t link) {
    sis_contact_point p = sis_system_contact_point(system, link, 0);
    return sis_system_link(system, link).distributed && !(isnan(p.y_above) && isnan(p.y_below));
}

bool sis_fact_spread(const sis_system* system, int32_t link) {
    sis_link_info info = sis_system_link(system, link);
    return info.kind == SIS_KIND_CONTACT && info.points > 1;
}

const char* sis_fact_where(const sis_system* system, int32_t link, int32_t point, bool above,
                           char* text, size_t size) {
    sis_contact_point p = sis_system_contact_point(system, link, point);
    double x = above ? p.at_above : p.at_below, y = above ? p.y_above : p.y_below;
    *text = 0;
    if (isnan(x)) return text;
    if (!isnan(y))
        snprintf(text, size, " at {%.4g, %.4g} m", x, y);
    else if (is_along(system, link, above))
        snprintf(text, size, " at %.4g m", x);
    else
        snprintf(text, size, " at place %.4g", x);
    return text;
}

/** The segment of a place, from 0 to segments - 1, and how far into it the place is. */
static int32_t segment_of(double share, int32_t segments, double* rest) {
    double at = fmin(1, fmax(0, share)) * segments;
    int32_t segment = (int32_t)fmin(floor(at), segments - 1);
    *rest = at - segment;
    return segment;
}

double sis_fact_read(const sis_body_info* body, const double* u, double x, double y) {
    double right, far;
    sis_places places = sis_kind_places(body->kind);
    if (places == SIS_PLACES_NUMBER) return x >= 1 && x <= body->points ? u[(int32_t)x - 1] : 0;
    if (places == SIS_PLACES_NONE) return u[0];
    int32_t i = segment_of(x / body->length, body->segments, &right);
    double near_row = u[i] + right * (u[i + 1] - u[i]);
    if (places == SIS_PLACES_LINE) return near_row;
    int32_t j = segment_of(y / body->width, body->segments_y, &far);
    const double* row = u + (size_t)j * ((size_t)body->segments + 1);
    const double* next = row + body->segments + 1;
    near_row = row[i] + right * (row[i + 1] - row[i]);
    double far_row = next[i] + right * (next[i + 1] - next[i]);
    return near_row + far * (far_row - near_row);
}

// f = F_N Phi(v), Phi(v) = sqrt(2a) v exp(-a v^2 + 1/2): 1 at v = 1/sqrt(2a), where it is largest.
double sis_fact_friction(const sis_link_info* bow, double velocity) {
    double a = bow->alpha;
    return bow->K * sqrt(2 * a) * velocity * exp(0.5 - a * velocity * velocity);
}

double sis_fact_grip(const sis_link_info* bow) {
    return 1 / sqrt(2 * bow->alpha);
}

// The energy of a point is w (phi(eta+) + phi(eta))/2 and every other part of H is at least 0, so
// w K eta^t/t <= 2 H with t = alpha + 1. With potential = "midpoint" it is phi of the mean of two
// depths, and either of them alone may be deeper. Schemes that hold their energy in a variable of
// its own follow the bound as closely as they follow the law; those of single impacts hold none.
double sis_fact_bound(const sis_link_info* link, double energy) {
    bool mean = link->potential == SIS_POTENTIAL_MEAN && link->scheme != SIS_SCHEME_ROOT &&
                link->scheme < SIS_SCHEME_AM1;
    bool power = link->kind == SIS_KIND_CONTACT && sis_law_sides(link->law) == link->law;
    if (!power || !mean || !(link->K > 0) || !(energy > 0)) return nan("");
    double t = link->alpha + 1;
    return pow(2 * t * energy / (link->K * link->weight), 1 / t);
}

// sigma(f) = sigma0 + sigma1 beta^2, where w^2 = c^2 beta^2 + kappa^2 beta^4, T60 = 3 ln 10/sigma.
double sis_fact_t60(const sis_body_info* body, double frequency) {
    double w = TAU * frequency;
    double c2 = body->tension / body->density, kappa2 = body->stiffness / body->density;
    // The root without cancellation, which also holds for kappa = 0.
    double beta2 = 2 * w * w / (c2 + sqrt(c2 * c2 + 4 * kappa2 * w * w));
    double sigma = body->sigma0 + body->sigma1 * beta2;
    return sigma > 0 ? 3 * log(10) / sigma : (double)INFINITY;
}

int32_t sis_fact_bodies(const sis_system* system, sis_kind kind) {
    int32_t count = 0;
    for (int32_t i = 0; i < sis_system_body_count(system); i++)
        count += sis_system_body(system, i).kind == kind;
    return count;
}

int32_t sis_fact_links(const sis_system* system, sis_kind kind) {
    int32_t count = 0;
    for (int32_t i = 0; i < sis_system_link_count(system); i++)
        count += sis_system_link(system, i).kind == kind;
    return count;
}
