// What the page is told: texts, most of them JSON.
#include "page.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char* text;
static size_t used, room;

// False: no memory; what was said so far stays.
static bool has_room(size_t more) {
    if (used + more + 1 <= room) return true;
    size_t size = 2 * (used + more) + 1024;
    char* wider = realloc(text, size);
    if (!wider) return false;
    text = wider;
    room = size;
    return true;
}

void page_say_begin(void) {
    used = 0;
    if (has_room(0)) text[0] = '\0';
}

void page_say(const char* format, ...) {
    va_list values, again;
    va_start(values, format);
    va_copy(again, values);
    int length = vsnprintf(NULL, 0, format, values);
    if (length > 0 && has_room((size_t)length)) {
        vsnprintf(text + used, (size_t)length + 1, format, again);
        used += (size_t)length;
    }
    va_end(again);
    va_end(values);
}

void page_say_text(const char* raw) {
    size_t size = sis_clean(raw ? raw : "", NULL, 0) + 1;
    char* clean = malloc(size);
    if (!clean) return;
    sis_clean(raw ? raw : "", clean, size);
    page_say("\"");
    for (const char* at = clean; *at;) {
        size_t plain = strcspn(at, "\"\\");
        page_say("%.*s", (int)plain, at);
        at += plain;
        if (*at) page_say("\\%c", *at++);
    }
    page_say("\"");
    free(clean);
}

void page_say_number(double value) {
    if (isfinite(value))
        page_say("%.17g", value);
    else
        page_say("null");
}

void page_fail(const char* sentence, int line) {
    page_say_begin();
    page_say("{\"text\":");
    page_say_text(sentence);
    page_say(",\"line\":%d}", line);
}

const char* EXPORT(page_text)(void) {
    return text ? text : "";
}

size_t EXPORT(page_text_size)(void) {
    return used;
}

void* EXPORT(page_room)(size_t size) {
    return malloc(size);
}

void EXPORT(page_free)(void* memory) {
    free(memory);
}
