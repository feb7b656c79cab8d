#include "fault.h"

#include <stdarg.h>
#include <stdio.h>

bool sis_fault_set(sis_fault* fault, sis_fault_kind kind, const char* format, ...) {
    if (!fault) return false;
    va_list values;
    va_start(values, format);
    char raw[2 * sizeof fault->text];
    vsnprintf(raw, sizeof raw, format, values);
    va_end(values);
    sis_clean(raw, fault->text, sizeof fault->text); // names of files may hold anything
    fault->kind = kind;
    fault->starved = false;
    fault->object[0] = 0;
    return false;
}

bool sis_fault_no_memory(sis_fault* fault) {
    sis_fault_set(fault, SIS_FAULT_RUN, "out of memory");
    if (fault) fault->starved = true;
    return false;
}
