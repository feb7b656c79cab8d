/** @file decimal_point.h
 * Numbers in texts have a point in this thread, whatever locale a host has set: a scene, a study or
 * a table is the same in every country. Not installed.
 *
 *   sis_decimal_point before = sis_decimal_point_begin();
 *   ...
 *   sis_decimal_point_end(before);
 */
#ifndef SISTRUM_DECIMAL_POINT_H
#define SISTRUM_DECIMAL_POINT_H

#include <locale.h>

#ifdef _WIN32

#include <stdio.h>

typedef struct sis_decimal_point {
    int own;         // whether the thread had a locale of its own; -1: it cannot have one
    char locale[64]; // of numbers; "": as it was
} sis_decimal_point;

static inline sis_decimal_point sis_decimal_point_begin(void) {
    sis_decimal_point before = {_configthreadlocale(_ENABLE_PER_THREAD_LOCALE), ""};
    const char* locale = before.own == -1 ? NULL : setlocale(LC_NUMERIC, NULL);
    if (locale) snprintf(before.locale, sizeof before.locale, "%s", locale);
    if (locale) setlocale(LC_NUMERIC, "C");
    return before;
}

static inline void sis_decimal_point_end(sis_decimal_point before) {
    if (before.locale[0]) setlocale(LC_NUMERIC, before.locale);
    if (before.own != -1) _configthreadlocale(before.own);
}

#else

#ifdef __APPLE__
#include <xlocale.h>
#endif

typedef struct sis_decimal_point {
    locale_t plain, before; // 0: as it was
} sis_decimal_point;

static inline sis_decimal_point sis_decimal_point_begin(void) {
    sis_decimal_point point = {newlocale(LC_ALL_MASK, "C", (locale_t)0), (locale_t)0};
    if (point.plain) point.before = uselocale(point.plain);
    return point;
}

static inline void sis_decimal_point_end(sis_decimal_point point) {
    if (!point.plain) return;
    uselocale(point.before);
    freelocale(point.plain);
}

#endif

#endif
