/** @file sweep_number.h
 * Numbers and texts that are the same bytes wherever a study runs: shortest decimals, fields of CSV
 * and JSON.
 */
#ifndef SISTRUM_SWEEP_NUMBER_H
#define SISTRUM_SWEEP_NUMBER_H

#include "sha256.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { SIS_DECIMAL = 32 }; // bytes of its text, with the 0 at the end

/** The shortest decimal that reads back as the same number: 0.1, 1e7, 4.9e-324. "" where it is not
 * finite. Returns `text`. [any] */
const char* sis_decimal(double value, char text[SIS_DECIMAL]);

/** The nearest number of 12 decimal digits. [any] */
double sis_twelve_digits(double value);

/** A field of CSV, in quotes where it needs them. */
void sis_csv_field(FILE* stream, const char* text);

/** Text in the quotes of JSON. */
void sis_json_quote(FILE* stream, const char* text);

#endif
