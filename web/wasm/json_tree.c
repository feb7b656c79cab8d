// Trees of JSON, and their text as jansson 2 writes it.
#include "jansson.h"

#include <stdlib.h>
#include <string.h>

typedef enum json_kind { OBJECT, ARRAY, TEXT, REAL, INTEGER, TRUTH, NOTHING } json_kind;

// Members of a list or an object are a chain.
struct json_t {
    json_kind kind;
    char* key;  // of a member of an object
    char* text; // of TEXT
    double real;
    json_int_t integer;
    json_t *first, *last, *next;
};

// ---------------------------------------------------------------------------- values

static json_t* make(json_kind kind) {
    json_t* value = calloc(1, sizeof *value);
    if (value) value->kind = kind;
    return value;
}

static char* copy(const char* text) {
    char* own = malloc(strlen(text) + 1);
    return own ? strcpy(own, text) : NULL;
}

json_t* json_object(void) {
    return make(OBJECT);
}

json_t* json_array(void) {
    return make(ARRAY);
}

json_t* json_null(void) {
    return make(NOTHING);
}

json_t* json_string(const char* text) {
    json_t* value = make(TEXT);
    if (value && (value->text = copy(text))) return value;
    free(value);
    return NULL;
}

json_t* json_real(double number) {
    json_t* value = make(REAL);
    if (value) value->real = number;
    return value;
}

json_t* json_integer(json_int_t number) {
    json_t* value = make(INTEGER);
    if (value) value->integer = number;
    return value;
}

json_t* json_boolean(int truth) {
    json_t* value = make(TRUTH);
    if (value) value->integer = truth != 0;
    return value;
}

void json_decref(json_t* value) {
    if (!value) return;
    for (json_t *one = value->first, *next; one; one = next) {
        next = one->next;
        json_decref(one);
    }
    free(value->key);
    free(value->text);
    free(value);
}

// ---------------------------------------------------------------------------- members

int json_array_append_new(json_t* array, json_t* value) {
    if (!array || !value) return json_decref(value), -1;
    *(array->last ? &array->last->next : &array->first) = value;
    array->last = value;
    return 0;
}

int json_object_set_new(json_t* object, const char* key, json_t* value) {
    if (!object || !value || !(value->key = copy(key))) return json_decref(value), -1;
    return json_array_append_new(object, value); // no key is set twice
}

// ---------------------------------------------------------------------------- text

static void put_text(const char* text, FILE* stream) {
    static const char plain[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
    fputc('"', stream);
    for (; *text; text++) {
        const char* escaped = strchr(plain, *text);
        if (escaped)
            fprintf(stream, "\\%c", letters[escaped - plain]);
        else if ((unsigned char)*text < 0x20)
            fprintf(stream, "\\u%04X", (unsigned)*text);
        else
            fputc(*text, stream);
    }
    fputc('"', stream);
}

// 17 digits; a point or an exponent always, without + and zeros before it.
static void put_real(double value, FILE* stream) {
    char text[64];
    snprintf(text, sizeof text, "%.17g", value);
    char* power = strchr(text, 'e');
    if (!power) {
        fprintf(stream, "%s%s", text, strchr(text, '.') ? "" : ".0");
        return;
    }
    const char* digits = power + 1 + (power[1] == '-' || power[1] == '+');
    while (*digits == '0' && digits[1])
        digits++;
    fprintf(stream, "%.*se%s%s", (int)(power - text), text, power[1] == '-' ? "-" : "", digits);
}

static void put(const json_t* value, int depth, int indent, FILE* stream);

static void put_members(const json_t* list, int depth, int indent, FILE* stream) {
    const char* ends = list->kind == OBJECT ? "{}" : "[]";
    fputc(ends[0], stream);
    for (const json_t* one = list->first; one; one = one->next) {
        fprintf(stream, "\n%*s", (depth + 1) * indent, "");
        if (one->key) {
            put_text(one->key, stream);
            fputs(": ", stream);
        }
        put(one, depth + 1, indent, stream);
        if (one->next) fputc(',', stream);
    }
    if (list->first) fprintf(stream, "\n%*s", depth * indent, "");
    fputc(ends[1], stream);
}

static void put(const json_t* value, int depth, int indent, FILE* stream) {
    switch (value->kind) {
    case OBJECT:
    case ARRAY:
        put_members(value, depth, indent, stream);
        break;
    case TEXT:
        put_text(value->text, stream);
        break;
    case REAL:
        put_real(value->real, stream);
        break;
    case INTEGER:
        fprintf(stream, "%lld", value->integer);
        break;
    case TRUTH:
        fputs(value->integer ? "true" : "false", stream);
        break;
    case NOTHING:
        fputs("null", stream);
        break;
    }
}

int json_dumpf(const json_t* root, FILE* stream, size_t flags) {
    put(root, 0, (int)(flags & 31), stream);
    return ferror(stream) ? -1 : 0;
}
