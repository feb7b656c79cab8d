// Text that can be printed anywhere: on a terminal, into a file, a picture or a report.
#include "base/base.h"

#include <string.h>

// The UTF-8 character at `s` and its bytes; 0: it is broken (overlong forms and surrogates too).
static size_t read_character(const unsigned char* s, uint32_t* code) {
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = s[0] < 0x80 ? 1 : s[0] < 0xC2 ? 0 : s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : 4;
    *code = length == 1 ? s[0] : s[0] & (0x7Fu >> length);
    if (length == 0 || s[0] > 0xF4) return 0;
    for (size_t i = 1; i < length; i++) { // the NUL at the end is no continuation
        if ((s[i] & 0xC0) != 0x80) return 0;
        *code = *code << 6 | (s[i] & 0x3Fu);
    }
    bool surrogate = *code >= 0xD800 && *code <= 0xDFFF;
    return *code >= smallest[length] && *code <= 0x10FFFF && !surrogate ? length : 0;
}

static bool is_break(uint32_t code) {
    return (code >= 0x09 && code <= 0x0D) || code == 0x85 || code == 0x2028 || code == 0x2029;
}

// What no reader sees, but a terminal or the order of the letters obeys.
static bool is_hidden(uint32_t code) {
    static const uint32_t ranges[][2] = {
        {0x00, 0x1F},       {0x7F, 0x9F},     {0x061C, 0x061C}, // controls; Arabic letter mark
        {0x180E, 0x180E},   {0x200B, 0x200F}, {0x202A, 0x202E}, // no width; marks; embeddings
        {0x2060, 0x206F},   {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}, // isolates; byte order mark
        {0xE0000, 0xE0FFF},                                     // tags
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (code >= ranges[i][0] && code <= ranges[i][1]) return true;
    return (code & 0xFFFE) == 0xFFFE; // no characters at all, which XML refuses
}

size_t sis_clean(const char* text, char* clean, size_t room) {
    const unsigned char* from = (const unsigned char*)text;
    size_t all = 0, used = 0;
    bool fits = room > 0;
    while (*from) {
        uint32_t code = 0;
        size_t length = read_character(from, &code), size = length;
        const char* letter = (const char*)from;
        if (length && is_break(code)) {
            letter = " ";
            size = 1;
        } else if (!length || is_hidden(code)) {
            letter = "\xEF\xBF\xBD";
            size = 3;
        }
        fits = fits && used + size < room;
        if (fits) {
            memcpy(clean + used, letter, size);
            used += size;
        }
        all += size;
        from += length ? length : 1;
    }
    if (room) clean[used] = 0;
    return all;
}
