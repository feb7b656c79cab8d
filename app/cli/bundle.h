/** @file bundle.h
 * A folder that appears complete or not at all: what `sistrum plugin` writes.
 */
#ifndef SISTRUM_CLI_BUNDLE_H
#define SISTRUM_CLI_BUNDLE_H

#include "fault.h"

#include <stddef.h>

/** One file of it. */
typedef struct bundle_part {
    const char* name;
    const char* text; // NULL: a copy of the file `from`
    size_t size;
    const char* from;
} bundle_part;

/** Writes the parts in this order into a hidden folder, which then takes the name FOLDER/NAME. What
 * is there and was written by this program is replaced; anything else of that name is refused.
 * Signals that end the program wait meanwhile. */
bool bundle_write(const char* folder, const char* name, const bundle_part* parts, int count,
                  sis_fault* fault);

#endif
