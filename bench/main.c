// What a sample costs, as a program of its own: the same as `sistrum bench`, with fewer words.
//
//   bench [--quick] [--only SECTION]
//   bench --count list | WORKLOAD/SCHEME     one run for a profiler (tools/bench.sh)
#include "bench.h"

#include <stdio.h>
#include <string.h>

int main(int count, char** words) {
    bench_request request = {0};
    bench_fault fault = {0};
    const char* counted = NULL;
    for (int i = 1; i < count; i++) {
        if (strcmp(words[i], "--quick") == 0) {
            request.quick = true;
        } else if (strcmp(words[i], "--only") == 0 && i + 1 < count) {
            request.only = words[++i];
        } else if (strcmp(words[i], "--count") == 0 && i + 1 < count) {
            counted = words[++i];
        } else {
            fprintf(stderr, "usage: bench [--quick] [--only SECTION] [--count NAME]\n");
            return 2;
        }
    }
    if (counted ? bench_count(counted, &fault) : bench_run(&request, &fault)) return 0;
    fprintf(stderr, "bench: %s\n", fault.text);
    return fault.usage ? 2 : 1;
}
