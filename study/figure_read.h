// Reading the tables of figure{}: each value by its key, and a sentence that names panel, line and
// key when it is wrong. Texts and vecs are not copied: the table holds them.
#ifndef SISTRUM_FIGURE_READ_H
#define SISTRUM_FIGURE_READ_H

#include "chart.h"
#include "lab.h"

/** A table of the figure, and what it is called: "figure, panel 2, line 3". */
typedef struct sis_spot {
    lua_State* L;
    int index;  // of the table
    int anchor; // index of a table that holds what is made while reading
    char text[120];
} sis_spot;

/** What a refusal begins with is the spot; raises. */
_Noreturn void sis_spot_refuse(const sis_spot* spot, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

/** Raises when the table has a key that is not among `keys`, which end with NULL. */
void sis_spot_keys(const sis_spot* spot, const char* const* keys);

const char* sis_spot_text(const sis_spot* spot, const char* key); // NULL: not there
double sis_spot_number(const sis_spot* spot, const char* key, double otherwise);
bool sis_spot_flag(const sis_spot* spot, const char* key);
bool sis_spot_has(const sis_spot* spot, const char* key);

/** The number of the text in `words`, which end with NULL; -1: the key is not there. */
int sis_spot_word(const sis_spot* spot, const char* key, const char* const* words);

/** Numbers: a vec or a table of numbers; must be there. */
const double* sis_spot_numbers(const sis_spot* spot, const char* key, size_t* count);

/** Zeroed memory that lives as long as the call. */
void* sis_spot_room(const sis_spot* spot, size_t count, size_t size);

/** The list under a key: pushes it and tells its length; 0: not there, and nil is pushed. */
size_t sis_spot_list(const sis_spot* spot, const char* key);

/** The table under a key; pushes it. False: not there, and nothing is pushed. */
bool sis_spot_table(const sis_spot* spot, const char* key, sis_spot* inner);

/** The i-th table of the list on top of the stack, i from 0; pushes it. */
sis_spot sis_spot_element(const sis_spot* spot, const char* what, size_t i);

/** figure_panel.c: the panel of a table. */
void sis_figure_panel(const sis_spot* spot, sis_chart_panel* panel);

#endif
