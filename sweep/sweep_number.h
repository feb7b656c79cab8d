/** @file sweep_number.h
 * Numbers and texts that are the same bytes wherever a study runs: shortest decimals, fields of CSV
 * and JSON, and SHA-256.
 */
#ifndef SISTRUM_SWEEP_NUMBER_H
#define SISTRUM_SWEEP_NUMBER_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { SIS_DECIMAL = 32, SIS_SHA256 = 65 }; // bytes of their texts, with the 0 at the end

/** The shortest decimal that reads back as the same number: 0.1, 1e7, 4.9e-324. "" where it is not
 * finite. Returns `text`. [any] */
const char* sis_decimal(double value, char text[SIS_DECIMAL]);

/** A field of CSV, in quotes where it needs them. */
void sis_csv_field(FILE* stream, const char* text);

/** Text in the quotes of JSON. */
void sis_json_quote(FILE* stream, const char* text);

/** SHA-256 that is fed piece by piece. Begins by sis_sha256_begin. */
typedef struct sis_sha256 {
    uint32_t state[8];
    uint64_t bytes;
    unsigned char block[64];
} sis_sha256;

void sis_sha256_begin(sis_sha256* sha);
void sis_sha256_add(sis_sha256* sha, const void* bytes, size_t size);

/** In 64 hexadecimal digits. Returns `text`. */
const char* sis_sha256_end(sis_sha256* sha, char text[SIS_SHA256]);

/** All at once. */
const char* sis_sha256_of(const void* bytes, size_t size, char text[SIS_SHA256]);

#endif
