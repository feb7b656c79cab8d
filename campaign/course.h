// One run of a trial, sample by sample, and what it shows.
#ifndef SISTRUM_CAMPAIGN_COURSE_H
#define SISTRUM_CAMPAIGN_COURSE_H

#include "campaign.h"

enum { LINKS_MOST = PAIRS_MOST };

typedef struct course {
    const trial* t;
    sis_system* system;
    sis_state* state;
    size_t size;
    int32_t links, points;         // points of all links
    int32_t first[LINKS_MOST + 1]; // point of each link
    sis_link_info info[LINKS_MOST];
    double *eta, *force;   // [points] eta^n, f^n
    double *eta1, *force1; // of the sample before
    double* eta2;          // and of the one before that
    double row[PROBES_MOST], row1[PROBES_MOST];
    sis_energy e, e1;           // after this sample, and after the one before
    double initial;             // J
    double scale;               // J, largest of stored, |supplied| and dissipated so far
    double stored;              // J, largest so far
    double rounding;            // J, of the work of all contact forces so far
    double largest[LINKS_MOST]; // N, largest force of each contact so far
    int64_t touching;           // samples
    showing* show;
} course;

/** False: no memory, or too large. */
bool course_open(course* c, const trial* t, sis_system* system, showing* show);
void course_close(course* c);

/** Steps to sample n, looks at it, and counts how far forces of n - 1 are from their law. */
void course_step(course* c, int64_t n);
/** What is known at the end only. */
void course_end(course* c);

/** Did a lossy contact open by itself in the sample before? Exact restitution acts there. */
bool course_opens_alone(const course* c, int32_t link, int32_t point);

/** A force is weighed against its own size, or against this part of the largest of its contact. */
extern const double FORCE_LEAST;

#endif
