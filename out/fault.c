#include "fault.h"

#include <stdarg.h>
#include <stdio.h>

bool sis_fault_set(sis_fault* fault, sis_fault_kind kind, const char* format, ...) {
    if (!fault) return false;
    va_list values;
    va_start(values, format);
    vsnprintf(fault->text, sizeof fault->text, format, values);
    va_end(values);
    fault->kind = kind;
    fault->contact[0] = 0;
    return false;
}

bool sis_fault_no_memory(sis_fault* fault) {
    return sis_fault_set(fault, SIS_FAULT_RUN, "out of memory");
}
