// The public header is the first include here, twice: it needs nothing before it and guards itself.
#include "sistrum/sistrum.h"

#include "sistrum/sistrum.h"

#include "check.h"

#include <stdlib.h>

static void the_linked_library_is_the_one_of_the_header(void) {
    CHECK(strcmp(sis_version(), SIS_VERSION) == 0);
}

/** A definition starts as its rows in the schema say; a number that must be given starts as NaN. */
static void defaults_are_those_of_the_schema(void) {
    int32_t count = 0;
    const sis_field* rows = sis_schema(&count);
    CHECK(count > 0);
    for (int32_t i = 0; i < count; i++) {
        const sis_field* row = &rows[i];
        unsigned char* def = calloc(1, sis_def_size(row->kind));
        if (!def) {
            CHECK(def != NULL);
            return;
        }
        sis_def_default(row->kind, def);
        const void* field = def + row->offset;
        double number = 0;
        switch (row->type) {
        case SIS_FIELD_NUMBER:
            memcpy(&number, field, sizeof number);
            break;
        case SIS_FIELD_INTEGER:
            number = *(const int32_t*)field;
            break;
        case SIS_FIELD_FLAG:
            number = *(const bool*)field;
            break;
        case SIS_FIELD_WORD:
            number = *(const int*)field;
            break;
        case SIS_FIELD_TEXT:
        case SIS_FIELD_OBJECT:
        case SIS_FIELD_ENVELOPE:
        case SIS_FIELD_LIST:
        case SIS_FIELD_PROFILE:
        case SIS_FIELD_OBJECTS:
            free(def);
            continue;
        }
        bool as_told =
            row->required || isnan(row->fallback) ? isnan(number) != 0 : number == row->fallback;
        if (!as_told) printf("%s.%s starts as %g\n", sis_kind_word(row->kind), row->key, number);
        CHECK(as_told);
        free(def);
    }
}

int main(void) {
    RUN(the_linked_library_is_the_one_of_the_header);
    RUN(defaults_are_those_of_the_schema);
    return CHECK_REPORT();
}
