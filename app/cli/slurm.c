// Batch scripts for Slurm.

#include "slurm.h"

#ifdef SISTRUM_SWEEP

#include "say.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TASKS_USUAL = 16 };

/** How many words an option and its value take, if it is one of these; 0: it is none of them. */
static int length_of(char** words, int count, const char* const* names) {
    for (; *names; names++) {
        size_t length = strlen(*names);
        if (strncmp(words[0], *names, length) != 0) continue;
        if (words[0][length] == '=' || !strcmp(*names, "--slurm")) return 1;
        if (!words[0][length]) return count > 1 ? 2 : 1;
    }
    return 0;
}

/** The words that were typed, without some options. */
static void print_words(const options* o, const char* const* without) {
    for (int i = 0; i < o->argc;) {
        int length = length_of(o->argv + i, o->argc - i, without);
        if (!length) request_words(stdout, 1, o->argv + i);
        i += length ? length : 1;
    }
}

/** The name of the database without folders and ".db". */
static void print_name(const options* o) {
    const char* name = sis_text_file(o->out);
    size_t length = strlen(name);
    if (length > 3 && !strcmp(name + length - 3, ".db")) length -= 3;
    for (size_t i = 0; i < length; i++)
        putchar(strchr(" \t\n'\"\\$%`", name[i]) ? '_' : name[i]);
}

static unsigned tasks_of(const request* r) {
    uint64_t blocks = sis_sweep_blocks(r->sweep);
    return blocks < TASKS_USUAL ? (unsigned)blocks : TASKS_USUAL;
}

static void print_head(const request* r, const options* o, const char* tasks, const char* log) {
    printf("#SBATCH --job-name=");
    print_name(o);
    printf("\n#SBATCH --%s%u\n", tasks, tasks_of(r));
    printf("#SBATCH --cpus-per-task=%.0f\n#SBATCH --mem-per-cpu=1G\n#SBATCH --time=24:00:00\n"
           "#SBATCH --output=",
           isnan(o->threads) ? 1 : o->threads);
    print_name(o);
    printf("-%s.log\n", log);
}

/** -o without ".db", as parts are named after it. */
static void print_parts(const options* o) {
    size_t length = strlen(o->out);
    char stem[4096];
    if (length > 3 && !strcmp(o->out + length - 3, ".db")) length -= 3;
    snprintf(stem, sizeof stem, "%.*s", length < sizeof stem ? (int)length : 0, o->out);
    request_words(stdout, 1, (char*[]){stem});
    printf("-*-of-*.db");
}

int slurm_array(const request* r, const options* o) {
    static const char* const without[] = {"--slurm", "--index", "--threads", "--csv", NULL};
    printf("#!/bin/sh\n"
           "# A job array: each task makes one part of a study of %llu runs. Submit it from this\n"
           "# folder; --array=1-N on the command line of sbatch makes N parts. When all are done:\n"
           "#   sistrum sweep merge",
           (unsigned long long)sis_sweep_count(r->sweep));
    request_words(stdout, 1, (char*[]){(char*)o->out});
    print_parts(o);
    if (o->csv) printf(" --csv");
    if (o->csv) request_words(stdout, 1, (char*[]){(char*)o->csv});
    printf("\n# A task that was killed goes on where it was: submit the same again, with the same "
           "N.\n");
    print_head(r, o, "array=1-", "%A-%a");
    printf("set -eu\nexec sistrum sweep");
    print_words(o, without);
    printf(" \\\n  --index \"$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT\""
           " --threads \"${SLURM_CPUS_PER_TASK:-1}\"\n");
    return finish_output();
}

int slurm_mpi(const request* r, const options* o) {
    static const char* const without[] = {"--slurm", "--threads", NULL};
    printf(
        "#!/bin/sh\n"
        "# An MPI job: its ranks share the %llu runs of a study, one of them writes the\n"
        "# database. Submit it from this folder; --ntasks=N on the command line of sbatch takes\n"
        "# N ranks. A job that was killed goes on where it was: submit the same again, with any\n"
        "# N. --local DIR makes databases and sounds on a disk of each node first.\n",
        (unsigned long long)sis_sweep_count(r->sweep));
    print_head(r, o, "ntasks=", "%j");
    printf("set -eu\nexec mpirun sistrum-mpi");
    print_words(o, without);
    printf(" --threads \"${SLURM_CPUS_PER_TASK:-1}\"\n");
    return finish_output();
}

#endif
