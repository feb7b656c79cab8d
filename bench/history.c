#include "history.h"

#include "sections.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HEADER "date,version,machine,workload,ns\n"
static const double SLOWER = 1.15;

const char* history_machine(void) {
    static char words[96];
    char line[256];
    if (*words) return words;
    snprintf(words, sizeof words, "unknown");
    FILE* file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file)) {
        const char* colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon) continue;
        colon += strspn(colon, ": \t");
        snprintf(words, sizeof words, "%.*s", (int)strcspn(colon, "\n"), colon);
        break;
    }
    if (file) fclose(file);
    for (char* w = words; *w; w++) // a field of a table
        if (*w == ',' || *w == '"') *w = ' ';
    return words;
}

/** Is this value the time of a workload? Those are named "workload/scheme". */
static bool is_time(const char* name) {
    for (int i = 0; i < workload_count(); i++) {
        size_t length = strlen(workload_name(i));
        if (strncmp(name, workload_name(i), length) == 0 && name[length] == '/') return true;
    }
    return false;
}

/** The last time of a workload on this machine; NaN: none. The file is read from its start. */
static double last_time(FILE* file, const char* workload) {
    char line[512];
    double found = (double)NAN;
    rewind(file);
    while (fgets(line, sizeof line, file)) {
        char* field[5];
        int count = 0;
        for (char* at = line; count < 5; count++) {
            field[count] = at;
            at += strcspn(at, ",\n");
            if (!*at) break;
            *at++ = '\0';
        }
        if (count == 5 && strcmp(field[2], history_machine()) == 0 &&
            strcmp(field[3], workload) == 0)
            found = strtod(field[4], NULL);
    }
    return found;
}

static int compare(const bench_report* r, FILE* file, FILE* say) {
    int slower = 0, known = 0;
    for (int i = 0; i < r->value_count; i++) {
        const report_value* v = &r->values[i];
        double last = is_time(v->name) ? last_time(file, v->name) : (double)NAN;
        if (!(last > 0) || !isfinite(v->value)) continue;
        known++;
        if (v->value <= SLOWER * last) continue;
        slower++;
        fprintf(say, "slower: %s takes %.0f ns, was %.0f (%+.0f %%)\n", v->name, v->value, last,
                100 * (v->value / last - 1));
    }
    if (!known)
        fprintf(say, "history: nothing of this machine yet\n");
    else if (!slower)
        fprintf(say, "history: none of %d workloads got slower by more than 15 %%\n", known);
    return slower;
}

int history_add(const bench_report* r, const char* path, const char* date, FILE* say) {
    FILE* file = fopen(path, "a+");
    if (!file) return -1;
    fseek(file, 0, SEEK_END);
    bool empty = ftell(file) == 0;
    fprintf(say, "\n");
    int slower = compare(r, file, say);
    fseek(file, 0, SEEK_END);
    if (empty) fputs(HEADER, file);
    for (int i = 0; i < r->value_count; i++)
        if (is_time(r->values[i].name) && isfinite(r->values[i].value))
            fprintf(file, "%s,%s,%s,%s,%.1f\n", date ? date : "", sis_version(), history_machine(),
                    r->values[i].name, r->values[i].value);
    bool lost = ferror(file) != 0;
    if (fclose(file) != 0 || lost) return -1;
    return slower;
}
