// Kinds of constants that move while it sounds.
#ifndef SIS_LIVE_H
#define SIS_LIVE_H

#include "step/system.h"

// Contacts: stiffness and loss. Of the loss, `side` says whether impacts owe what the law takes
// beyond the scheme (contact/ledger.c). Springs: `target` is the position of the link, `side` tells
// which constant.
extern const live_class sis_live_K, sis_live_damping, sis_live_spring;
enum { SPRING_K1, SPRING_K3, SPRING_DAMPING };

// The energy of point i from where it is and was, by its law; returns what that adds, J.
double sis_remake_energy(const contact_law* law, const contact_memory* memory, int32_t i);

// Whether link i sleeps: where it is follows from the bodies.
bool sis_link_sleeps(const sis_system* system, const state_view* view, int32_t i);

#endif
