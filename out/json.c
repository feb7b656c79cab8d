#include "json.h"

#include "files.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>

void sis_json_set(sis_json* json, json_t* object, const char* key, json_t* value) {
    if (json_object_set_new(object, key, value) != 0) json->complete = false;
}

void sis_json_append(sis_json* json, json_t* list, json_t* value) {
    if (json_array_append_new(list, value) != 0) json->complete = false;
}

json_t* sis_json_number(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

json_t* sis_json_plain(double value) {
    bool whole_number = value == floor(value) && fabs(value) < 1e15;
    return whole_number ? json_integer((json_int_t)value) : sis_json_number(value);
}

json_t* sis_json_whole(uint64_t value) {
    return json_integer((json_int_t)value);
}

json_t* sis_json_text(const char* raw) {
    char* clean = sis_text_clean(raw ? raw : "");
    json_t* value = clean ? json_string(clean) : NULL;
    free(clean);
    return value;
}

bool sis_json_write(const sis_json* json, json_t* root, int descriptor, sis_fault* fault) {
    FILE* stream = json->complete ? sis_files_stream(descriptor, fault) : NULL;
    if (!json->complete) sis_fault_no_memory(fault);
    bool fine = stream != NULL;
    if (fine) {
        int failed = json_dumpf(root, stream, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
        fputc('\n', stream);
        fine = sis_files_close_stream(stream, fault);
        if (fine && failed) fine = sis_fault_no_memory(fault); // all that went to the file is there
    }
    json_decref(root);
    return fine;
}
