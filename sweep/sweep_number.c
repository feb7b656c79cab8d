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

double sis_twelve_digits(double value) {
    char text[SIS_DECIMAL];
    snprintf(text, sizeof text, "%.11e", value);
    return strtod(text, NULL);
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
