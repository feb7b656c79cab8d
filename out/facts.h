/** @file facts.h
 * What follows from what a system says of its bodies and contacts, for reports and pictures alike.
 */
#ifndef SISTRUM_OUT_FACTS_H
#define SISTRUM_OUT_FACTS_H

#include <sistrum/sistrum.h>

/** A word of the scene language: the `value`-th of a key that takes words. Returns `text`; "" when
 *  there is none. */
const char* sis_fact_word(sis_kind kind, const char* key, int value, char* text, size_t size);

/** The body on one side of a link; -1: the ground. Points of strings, plates and modal bodies know
 *  their place, which tells them from a mass of the same name. */
int32_t sis_fact_side(const sis_system* system, int32_t link, bool above);

/** Where along a string a point of a link is, m; NaN: it touches no string. */
double sis_fact_place(const sis_system* system, int32_t link, int32_t point);

/** Whether the points of a link fill an area of a plate. */
bool sis_fact_is_area(const sis_system* system, int32_t link);

/** Whether there is a contact of several points. */
bool sis_fact_spread(const sis_system* system, int32_t link);

/** " at 1.65 m", " at {1.08, 0.135} m", " at place 2": where on its body one side of a point of a
 *  link is; "" where there are no places. Returns `text`. */
const char* sis_fact_where(const sis_system* system, int32_t link, int32_t point, bool above,
                           char* text, size_t size);

/** The displacement of a body at a place, m, from what sis_state_shape wrote: linear between the
 *  points of strings and plates. A mass has no places, a modal body those of number 1, 2, ... */
double sis_fact_read(const sis_body_info* body, const double* u, double x, double y);

/** The friction of a bow at a relative velocity, N: F_N sqrt(2a) v exp(-a v^2 + 1/2). */
double sis_fact_friction(const sis_link_info* bow, double velocity);

/** The relative velocity with the largest friction, m/s: below it the bow sticks, above it slips.
 */
double sis_fact_grip(const sis_link_info* bow);

/** How deep a contact can get while the total energy is at most `energy` J, m (Bilbao, Torin and
 *  Chatziioannou 2014, eq. 23). NaN: there is no such bound. */
double sis_fact_bound(const sis_link_info* link, double energy);

/** How long a string or plate needs to decay by 60 dB at a frequency, s; infinity without losses.
 */
double sis_fact_t60(const sis_body_info* body, double frequency);

/** How many bodies, or links, of a kind there are. */
int32_t sis_fact_bodies(const sis_system* system, sis_kind kind);
int32_t sis_fact_links(const sis_system* system, sis_kind kind);

#endif
