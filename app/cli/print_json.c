#include "print_json.h"

#include "files.h"
#include "say.h"

int print_json(const sis_json* json, json_t* root) {
    sis_fault fault;
    sis_files* files = sis_files_new();
    int descriptor = files ? sis_files_add(files, "-", &fault) : -1;
    bool fine = files ? descriptor >= 0 : sis_fault_no_memory(&fault);
    if (fine)
        fine = sis_json_write(json, root, descriptor, &fault) && sis_files_commit(files, &fault);
    else
        json_decref(root);
    sis_files_free(files);
    return fine ? EXIT_DONE : complain_output(&fault);
}
