/** @file sha256.h
 * SHA-256 (FIPS 180-4) of bytes as they come.
 */
#ifndef SISTRUM_PAGE_SHA256_H
#define SISTRUM_PAGE_SHA256_H

#include <stddef.h>
#include <stdint.h>

typedef struct page_sha256 {
    uint32_t state[8];
    uint64_t size; // bytes so far
    unsigned char block[64];
} page_sha256;

page_sha256 page_sha256_begin(void);
void page_sha256_take(page_sha256* hash, const void* bytes, size_t size);

/** Writes 64 hexadecimal digits and a NUL. */
void page_sha256_end(page_sha256* hash, char hex[65]);

#endif
