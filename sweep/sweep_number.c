#include "sweep_number.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------- decimals

/** "1e+07" becomes 1e7, "1e-07" becomes 1e-7. */
static void tidy_exponent(char* text) {
    char* e = strchr(text, 'e');
    if (!e) return;
    char* to = e + 1;
    const char* from = e + 1;
    if (*from == '-') to++;
    from++; // there always is a sign
    while (*from == '0' && from[1])
        from++;
    memmove(to, from, strlen(from) + 1);
}

/** With so many digits; whether it reads back as the same number. */
static bool try_digits(double value, int digits, char text[SIS_DECIMAL]) {
    snprintf(text, SIS_DECIMAL, "%.*g", digits, value);
    return digits == 17 || strtod(text, NULL) == value;
}

// Every decimal of 15 digits is one double, so what has a shorter one shows it at 15 digits, where
// trailing zeros are left out; but below DBL_MIN doubles have fewer digits. Most numbers need 16 or
// 17: those come first.
const char* sis_decimal(double value, char text[SIS_DECIMAL]) {
    char shorter[SIS_DECIMAL];
    text[0] = '\0';
    if (!isfinite(value)) return text;
    int digits = 16, least = fabs(value) < DBL_MIN ? 1 : 15;
    if (!try_digits(value, 16, text)) try_digits(value, digits = 17, text);
    while (digits <= 16 && digits > least && try_digits(value, digits - 1, shorter)) {
        strcpy(text, shorter);
        digits--;
    }
    // 12345678901234568 is shorter than 1.2345678901234568e16
    if (fabs(value) >= 1e15 && fabs(value) < 1e17) {
        snprintf(shorter, sizeof shorter, "%.17g", value);
        if (strlen(shorter) <= strlen(text)) strcpy(text, shorter);
    }
    tidy_exponent(text);
    return text;
}

// ---------------------------------------------------------------------------- fields

void sis_csv_field(FILE* stream, const char* text) {
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, stream);
        return;
    }
    fputc('"', stream);
    for (; *text; text++) {
        if (*text == '"') fputc('"', stream);
        fputc(*text, stream);
    }
    fputc('"', stream);
}

void sis_json_quote(FILE* stream, const char* text) {
    fputc('"', stream);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(stream, "\\%c", c);
        else if (c < 0x20)
            fprintf(stream, "\\u%04x", c);
        else
            fputc(c, stream);
    }
    fputc('"', stream);
}

// ---------------------------------------------------------------------------- SHA-256, FIPS 180-4

static const uint32_t rounds[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turn(uint32_t x, int by) {
    return x >> by | x << (32 - by);
}

static void schedule(const unsigned char block[64], uint32_t w[64]) {
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
               (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        uint32_t a = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ w[i - 15] >> 3;
        uint32_t b = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + a + w[i - 7] + b;
    }
}

static void mix(sis_sha256* sha) {
    uint32_t w[64], s[8];
    schedule(sha->block, w);
    memcpy(s, sha->state, sizeof s);
    for (int i = 0; i < 64; i++) {
        uint32_t e = turn(s[4], 6) ^ turn(s[4], 11) ^ turn(s[4], 25);
        uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
        uint32_t first = s[7] + e + choice + rounds[i] + w[i];
        uint32_t a = turn(s[0], 2) ^ turn(s[0], 13) ^ turn(s[0], 22);
        uint32_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += first;
        s[0] = first + a + majority;
    }
    for (int i = 0; i < 8; i++)
        sha->state[i] += s[i];
}

void sis_sha256_begin(sis_sha256* sha) {
    *sha = (sis_sha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
                                  0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void sis_sha256_add(sis_sha256* sha, const void* bytes, size_t size) {
    const unsigned char* from = bytes;
    for (size_t i = 0; i < size; i++) {
        sha->block[sha->bytes++ % 64] = from[i];
        if (sha->bytes % 64 == 0) mix(sha);
    }
}

const char* sis_sha256_end(sis_sha256* sha, char text[SIS_SHA256]) {
    uint64_t bits = 8 * sha->bytes;
    unsigned char length[8];
    for (int i = 0; i < 8; i++)
        length[i] = (unsigned char)(bits >> (56 - 8 * i));
    sis_sha256_add(sha, "\x80", 1);
    while (sha->bytes % 64 != 56)
        sis_sha256_add(sha, "", 1);
    sis_sha256_add(sha, length, 8);
    for (int i = 0; i < 8; i++)
        snprintf(text + 8 * i, 9, "%08x", (unsigned)sha->state[i]);
    return text;
}

const char* sis_sha256_of(const void* bytes, size_t size, char text[SIS_SHA256]) {
    sis_sha256 sha;
    sis_sha256_begin(&sha);
    sis_sha256_add(&sha, bytes, size);
    return sis_sha256_end(&sha, text);
}
