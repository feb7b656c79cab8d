// sistrum bench: what a sample costs, measured by the library of bench/.

#include "bench.h"
#include "files.h"
#include "job.h"
#include "say.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

/** The file of this program; false: not to be found. */
static bool own_file(char* path, size_t size) {
    ssize_t length = readlink("/proc/self/exe", path, size - 1);
    if (length <= 0) return false;
    path[length] = '\0';
    return true;
}

int command_bench(const options* o) {
    bench_fault fault = {0};
    char program[PATH_MAX];
    if (o->date && (strchr(o->date, ',') || strchr(o->date, '\n')))
        return complain(EXIT_USAGE, "--date must fit into a table: no comma and no new line");
    if (o->date && !o->history) return complain(EXIT_USAGE, "--date needs --history");
    sis_fault taken;
    if ((o->history && !sis_path_is_free(o->history, &taken)) ||
        (o->docs && !sis_path_is_free(o->docs, &taken)))
        return complain_fault(&taken);
    bench_request request = {.quick = o->quick,
                             .json = o->as_json,
                             .only = o->only,
                             .history = o->history,
                             .date = o->date,
                             .docs = o->docs,
                             .counts = o->counts,
                             .program = own_file(program, sizeof program) ? program : NULL};
    bool done = o->count ? bench_count(o->count, &fault) : bench_run(&request, &fault);
    if (!done) return complain(fault.usage ? EXIT_USAGE : EXIT_RUN, "%s", fault.text);
    return finish_output();
}
