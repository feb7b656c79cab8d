/** @file fault.h
 * How everything in out/ fails: by value, with one sentence for the user. Nothing here prints.
 */
#ifndef SISTRUM_OUT_FAULT_H
#define SISTRUM_OUT_FAULT_H

#include <sistrum/sistrum.h>
#include <stdbool.h>

/** Whose fault it is. The numbers are the exit codes of the program. */
typedef enum sis_fault_kind {
    SIS_FAULT_NONE = 0,
    SIS_FAULT_RUN = 1,     ///< the run failed: unwritable output, full disk, missing program
    SIS_FAULT_REQUEST = 2, ///< what was asked for cannot be
    SIS_FAULT_SCENE = 3,   ///< the scene lacks what was asked for
} sis_fault_kind;

typedef struct sis_fault {
    sis_fault_kind kind;
    char text[1024];
    bool starved;    ///< there was no memory
    sis_kind of;     ///< the kind of what it is about in the scene
    char object[64]; ///< and its name; "": nothing in particular
} sis_fault;

/** Fills `fault` (which may be NULL) and returns false, so that a failing function can end with
 *  `return sis_fault_set(...)`. */
bool sis_fault_set(sis_fault* fault, sis_fault_kind kind, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

/** The same for a failed allocation. */
bool sis_fault_no_memory(sis_fault* fault);

#endif
