/** @file compare_pass.h
 * The single runs of a comparison. Private to out/.
 */
#ifndef SISTRUM_OUT_COMPARE_PASS_H
#define SISTRUM_OUT_COMPARE_PASS_H

#include "compare.h"

typedef enum sis_pass_kind {
    SIS_PASS_DRAFT,     ///< the first run of the reference: its rows are kept
    SIS_PASS_REFERENCE, ///< the second: its rows are compared with the first and replace them
    SIS_PASS_SCHEME,    ///< a scheme: its rows are compared with the reference
} sis_pass_kind;

/** Runs `who` with `factor` steps for each step of the plan. A run that breaks off is told in
 *  who->why; false: out of memory. */
bool sis_compare_pass(sis_compare* c, sis_contender* who, const sis_system* system, int32_t factor,
                      sis_pass_kind kind, sis_fault* fault);

/** Measures who->nanoseconds. */
bool sis_compare_cost(const sis_compare* c, sis_contender* who, const sis_system* system,
                      sis_fault* fault);

void sis_contender_close(sis_contender* who);

#endif
