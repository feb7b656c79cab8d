/** @file json.h
 * Building blocks of the JSON reports. Private to out/.
 *
 * The builders return NULL when memory runs out, and jansson takes NULL as a failed element, so
 * that failures need to be counted in one place only: `complete`.
 */
#ifndef SISTRUM_OUT_JSON_H
#define SISTRUM_OUT_JSON_H

#include "fault.h"

#include <jansson.h>
#include <stdint.h>

typedef struct sis_json {
    bool complete; // starts as true
} sis_json;

/** Sets a key of an object, or appends to a list; the value is given away. */
void sis_json_set(sis_json* json, json_t* object, const char* key, json_t* value);
void sis_json_append(sis_json* json, json_t* list, json_t* value);

/** null for what is not finite: JSON has no number for it. */
json_t* sis_json_number(double value);

/** A whole number without a point, as people write a rate; others as they are. */
json_t* sis_json_plain(double value);

json_t* sis_json_whole(uint64_t value);

/** Printable UTF-8; NULL is "". */
json_t* sis_json_text(const char* raw);

/** Writes a tree to a descriptor of sis_files_add and frees it. Every double reads back as itself.
 */
bool sis_json_write(const sis_json* json, json_t* root, int descriptor, sis_fault* fault);

#endif
