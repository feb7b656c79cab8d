/** @file facts.h
 * What follows from what a system says of its bodies and contacts, for reports and pictures alike.
 */
#ifndef SISTRUM_OUT_FACTS_H
#define SISTRUM_OUT_FACTS_H

#include <sistrum/sistrum.h>

/** A word of the scene language: the `value`-th of a key that takes words. Returns `text`; "" when
 *  there is none. */
const char* sis_fact_word(sis_kind kind, const char* key, int value, char* text, size_t size);

/** The body on one side of a link; -1: the ground. Points of a string know their place on it, which
 *  tells a string from a mass of the same name. */
int32_t sis_fact_side(const sis_system* system, int32_t link, bool above);

/** Where along a string a point of a link is, m; NaN: it touches no string. */
double sis_fact_place(const sis_system* system, int32_t link, int32_t point);

/** Whether there is a contact of several points along a string. */
bool sis_fact_spread(const sis_system* system, int32_t link);

/** How deep a contact can get while the total energy is at most `energy` J, m (Bilbao, Torin and
 *  Chatziioannou 2014, eq. 23). NaN: there is no such bound. */
double sis_fact_bound(const sis_link_info* link, double energy);

/** How long a string needs to decay by 60 dB at a frequency, s; infinity without losses. */
double sis_fact_t60(const sis_body_info* string, double frequency);

/** How many strings there are. */
int32_t sis_fact_strings(const sis_system* system);

#endif
