// sistrum bench: what a sample costs, measured by the library of bench/.

#include "bench.h"
#include "job.h"
#include "say.h"

#include <string.h>

int command_bench(const options* o) {
    bench_fault fault = {0};
    if (o->date && (strchr(o->date, ',') || strchr(o->date, '\n')))
        return complain(EXIT_USAGE, "--date must fit into a table: no comma and no new line");
    if (o->date && !o->history) return complain(EXIT_USAGE, "--date needs --history");
    bench_request request = {.quick = o->quick,
                             .json = o->as_json,
                             .only = o->only,
                             .history = o->history,
                             .date = o->date,
                             .docs = o->docs,
                             .counts = o->counts};
    bool done = o->count ? bench_count(o->count, &fault) : bench_run(&request, &fault);
    if (!done) return complain(fault.usage ? EXIT_USAGE : EXIT_RUN, "%s", fault.text);
    return finish_output();
}
