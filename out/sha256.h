/** @file sha256.h
 * SHA-256 (FIPS 180-4) of bytes as they come.
 */
#ifndef SISTRUM_OUT_SHA256_H
#define SISTRUM_OUT_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { SIS_SHA256 = 65 }; // bytes of its text, with the 0 at the end

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
