/** @file print_json.h
 * Data on standard output.
 */
#ifndef SISTRUM_CLI_PRINT_JSON_H
#define SISTRUM_CLI_PRINT_JSON_H

#include "json.h"

/** Prints a tree on standard output and frees it; the exit code. */
int print_json(const sis_json* json, json_t* root);

#endif
