// Kinds of constants that move while it sounds.
#ifndef SIS_LIVE_H
#define SIS_LIVE_H

#include "step/system.h"

// Contacts: stiffness and loss. Of the loss, `side` says whether impacts owe what the law takes
// beyond the scheme (contact/ledger.c). Springs: `target` is the position of the link, `side` tells
// which constant.
extern const live_class sis_live_K, sis_live_damping, sis_live_spring;
enum { SPRING_K1, SPRING_K3, SPRING_DAMPING };

// A point of a body that moves along it. Where it is, the weights there and their degrees of
// freedom are at `room` of the copies of a call: a place_room, then `most` of both.
typedef struct live_place {
    const body_spec* body;
    const double* Dinv; // m/N, of each degree of freedom of a diagonal body
    int32_t link;       // position; -1: a probe,
    int32_t probe;      // .. this one
    bool above;         // which end of the link
    int32_t order;      // of interpolation
    sis_sounding sounding;
    sis_place at;        // where it begins
    bool live_x, live_y; // which of both numbers moves
    int32_t hand;        // a driven degree of freedom that the end holds too; -1: none,
    double hand_weight;
    int32_t most; // weights
    size_t room, scratch;
} live_place;

typedef struct place_room {
    sis_place at;
} place_room;

// The points that one number moves: both sides of a contact, or one.
typedef struct live_axis {
    const live_place* place[2]; // NULL: none
    bool across;                // its y, else its x
} live_axis;

// Places of contacts, bows and probes: `spec` is a live_axis.
extern const live_class sis_live_place;

// D^-1 of the force of a link on what it holds, both over all degrees of freedom and 0 before;
// `clear`: makes them 0 again.
void sis_link_respond(const sis_system* system, const double* Dinv, const network_link* link,
                      bool clear, double* force, double* response);

// The energy of point i from where it is and was, by its law; returns what that adds, J.
double sis_remake_energy(const contact_law* law, const contact_memory* memory, int32_t i);

// Whether link i sleeps: where it is follows from the bodies.
bool sis_link_sleeps(const sis_system* system, const state_view* view, int32_t i);
// eta of a link at n and n - 1, by its bodies, which have not flown.
void sis_link_look(const sis_system* system, const state_view* view, int32_t i);

#endif
