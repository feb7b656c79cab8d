/** @file jansson.h
 * As much of jansson's interface as reports need (out/report.c), for the page: json_tree.c writes what jansson writes, byte by
 * byte. The program has jansson itself.
 */
#ifndef SISTRUM_WEB_JANSSON_H
#define SISTRUM_WEB_JANSSON_H

#include <stddef.h>
#include <stdio.h>

typedef struct json_t json_t;
typedef long long json_int_t;

#define JSON_INDENT(n)         (n)
#define JSON_REAL_PRECISION(n) 0 // always 17

/** NULL: out of memory. The caller owns them, until they are given to a list or an object. */
json_t* json_object(void);
json_t* json_array(void);
json_t* json_string(const char* text);
json_t* json_real(double value);
json_t* json_integer(json_int_t value);
json_t* json_boolean(int value);
json_t* json_null(void);

/** Takes the value, whatever happens; -1: out of memory. */
int json_object_set_new(json_t* object, const char* key, json_t* value);
int json_array_append_new(json_t* array, json_t* value);

int json_dumpf(const json_t* root, FILE* stream, size_t flags);
void json_decref(json_t* value);

#endif
