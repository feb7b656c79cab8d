#include "lv2_bundle.h"

#include "lv2_ports.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 1 << 24 }; // bytes of a file

/** A whole file, with a NUL behind it; NULL: errno says why. */
static char* read_file(const char* folder, const char* file, size_t* size) {
    size_t length = strlen(folder) + strlen(file) + 2, room = 1 << 14;
    char *path = malloc(length), *text = malloc(room);
    FILE* stream = NULL;
    *size = 0;
    if (path && text) {
        snprintf(path, length, "%s/%s", folder, file);
        stream = fopen(path, "rb");
    }
    while (stream && text) {
        size_t got = fread(text + *size, 1, room - *size - 1, stream);
        *size += got;
        if (got == 0) break;
        if (*size + 1 < room) continue;
        char* more = room < LARGEST ? realloc(text, 2 * room) : NULL;
        room *= 2;
        if (!more) free(text);
        text = more;
    }
    bool fine = stream && text && !ferror(stream);
    if (stream) fclose(stream);
    free(path);
    if (fine) {
        text[*size] = 0;
        return text;
    }
    if (!errno) errno = EIO;
    free(text);
    return NULL;
}

/** Two hexadecimal digits; -1: they are none. */
static int read_hex(const char* digits) {
    char pair[3] = {digits[0], digits[0] ? digits[1] : 0, 0};
    char* end = NULL;
    long value = strtol(pair, &end, 16);
    return pair[0] && pair[1] && !*end ? (int)value : -1;
}

/** %20 and the like, in place. */
static void decode(char* word) {
    char* to = word;
    for (const char* from = word; *from; from++) {
        int value = *from == '%' ? read_hex(from + 1) : -1;
        *to++ = value > 0 ? (char)value : *from;
        if (value > 0) from += 2;
    }
    *to = 0;
}

/** A number as the C locale writes it, whatever the locale of the host is. */
static double read_number(const char* word) {
    double mantissa = 0, sign = 1;
    int power = 0, exponent = 0, exponent_sign = 1;
    if (*word == '-') sign = -1, word++;
    for (bool point = false; (*word >= '0' && *word <= '9') || (*word == '.' && !point); word++) {
        if (*word == '.') {
            point = true;
            continue;
        }
        mantissa = 10 * mantissa + (*word - '0');
        power -= point;
    }
    if (*word == 'e' && word++ && (*word == '-' || *word == '+'))
        exponent_sign = *word++ == '-' ? -1 : 1;
    for (; *word >= '0' && *word <= '9' && exponent < 400; word++)
        exponent = 10 * exponent + (*word - '0');
    power += exponent_sign * exponent;
    return sign * (power < 0 ? mantissa / pow(10, -power) : mantissa * pow(10, power));
}

static bool add_knob(bundle* b, char* words) {
    char* blank = strchr(words, ' ');
    bundle_knob* more = realloc(b->knobs, ((size_t)b->knob_count + 1) * sizeof *more);
    if (more) b->knobs = more;
    if (!more || !blank) return false;
    *blank = 0;
    decode(blank + 1);
    b->knobs[b->knob_count++] = (bundle_knob){.symbol = words, .name = blank + 1};
    return true;
}

static bool read_line(bundle* b, char* line) {
    char* blank = strchr(line, ' ');
    if (!blank) return true; // lines of later versions
    *blank = 0;
    char* rest = blank + 1;
    if (!strcmp(line, "knob")) return add_knob(b, rest);
    if (!strcmp(line, "uri")) b->uri = rest;
    if (!strcmp(line, "peak")) b->peak = read_number(rest);
    if (!strcmp(line, "sound")) b->sound = *rest == '1' ? 1 : *rest == '2' ? 2 : 0;
    if (!strcmp(line, "name")) {
        decode(rest);
        b->name = rest;
    }
    return true;
}

bool bundle_read(bundle* b, const char* folder, bool with_scene, char* why, size_t room) {
    size_t size = 0;
    *b = (bundle){.name = "scene.lua"};
    errno = 0;
    b->text = read_file(folder, BUNDLE_TEXT, &size);
    if (b->text && with_scene) b->scene = read_file(folder, BUNDLE_SCENE, &b->scene_size);
    if (!b->text || (with_scene && !b->scene)) {
        snprintf(why, room, "cannot read %s of the bundle '%s': %s",
                 b->text ? BUNDLE_SCENE : BUNDLE_TEXT, folder, strerror(errno));
        return false;
    }
    bool fine = !strncmp(b->text, BUNDLE_MAGIC, strlen(BUNDLE_MAGIC));
    for (char *line = b->text, *next = NULL; fine && line && *line; line = next) {
        next = strchr(line, '\n');
        if (next) *next++ = 0;
        fine = read_line(b, line);
    }
    if (fine && b->uri) return true;
    snprintf(why, room, "%s of the bundle '%s' is not one that this plugin knows", BUNDLE_TEXT,
             folder);
    return false;
}

void bundle_free(bundle* b) {
    free(b->text);
    free(b->knobs);
    free(b->scene);
    *b = (bundle){0};
}
