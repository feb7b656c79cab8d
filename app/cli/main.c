// sistrum: the program. Reads the command, sets up signals, leaves the work to the commands.

#include "files.h"
#include "find.h"
#include "help.h"
#include "job.h"
#include "options.h"
#include "reference.h"
#include "say.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

/** What runs a command. */
static int (*find_command(command bit))(const options* o) {
    switch (bit) {
    case COMMAND_RENDER:
        return command_render;
    case COMMAND_PLAY:
        return command_play;
    case COMMAND_CHECK:
        return command_check;
    case COMMAND_PLOT:
        return command_plot;
    case COMMAND_COMPARE:
        return command_compare;
    case COMMAND_SCENES:
        return command_scenes;
    case COMMAND_PARAMS:
        return command_params;
    case COMMAND_NEW:
        return command_new;
    case COMMAND_PLUGIN:
        return command_plugin;
    case COMMAND_SWEEP:
        return command_sweep;
    case COMMAND_FIT:
        return command_fit;
    case COMMAND_REPRO:
        return command_repro;
    case COMMAND_BENCH:
        return command_bench;
    case COMMAND_MPI: // another program
        break;
    }
    return NULL;
}

/** Ends the process as the signal would have, but without leaving half a file behind. */
static void clean_up_and_end(int number) {
    sis_files_abandon();
    signal(number, SIG_DFL);
    raise(number);
}

static void set_signals(void) {
    struct sigaction action = {0};
    sigemptyset(&action.sa_mask);
    for (int i = 0; sis_ending_signals[i]; i++) {
        int number = sis_ending_signals[i];
        struct sigaction before;
        sigaction(number, NULL, &before);
        action.sa_handler = clean_up_and_end;
        // A program started in the background with nohup stays deaf.
        if (before.sa_handler != SIG_IGN) sigaction(number, &action, NULL);
    }
    // A closed pipe or a full quota is an error of a write, which is then reported and cleaned up.
    action.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &action, NULL);
    sigaction(SIGXFSZ, &action, NULL);
}

static int unknown_command(const char* word) {
    const char* words[32] = {"help"};
    char list[200] = "help";
    int count = 1;
    const command_word* row;
    for (; count < 32 && (row = command_at(count - 1)); count++) {
        words[count] = row->word;
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, ", %s", row->word);
    }
    bool dashed = word[0] == '-';
    const char* guess = dashed ? NULL : closest(word, words, count);
    const char* what = dashed ? "option" : "command";
    if (guess)
        return complain(EXIT_USAGE, "unknown %s '%s' (did you mean '%s'?)", what, word, guess);
    return complain(EXIT_USAGE, "unknown %s '%s'; the commands are %s", what, word, list);
}

static int run_command(command bit, int count, char** argv) {
    options o;
    int code = options_read(&o, bit, count, argv);
    if (!code && o.help) {
        help_command(bit);
        code = finish_output();
    } else if (!code && (bit & COMMANDS_ON_A_SCENE) && !find_words(&o)) {
        code = complain(EXIT_RUN, "out of memory");
    } else if (!code) {
        code = find_command(bit)(&o);
    }
    options_free(&o);
    return code;
}

static int help(int count, char** argv) {
    bool reference = count > 0 && !strcmp(argv[0], "--reference");
    if (reference && count == 2 && !strcmp(argv[1], "--json")) return help_reference_json();
    if (count > 1) return complain(EXIT_USAGE, "help takes one word, not '%s' as well", argv[1]);
    if (reference) return help_reference();
    bool itself = count == 1 && (!strcmp(argv[0], "help") || !strcmp(argv[0], "--help") ||
                                 !strcmp(argv[0], "-h"));
    return help_word(count == 1 && !itself ? argv[0] : NULL);
}

/** A closed standard descriptor would be given to the next file that is opened, and what is meant
 *  for the terminal would end up in it. Opened the wrong way round, it stays an error to use. */
static void keep_standard_descriptors(void) {
    for (int descriptor = 0; descriptor < 3; descriptor++)
        if (fcntl(descriptor, F_GETFD) < 0) open("/dev/null", descriptor ? O_RDONLY : O_WRONLY);
}

/** Under a limit of addresses (ulimit -v) threads share one heap, where each would reserve 64 MiB
 *  for a heap of its own, and what is freed goes back to the system at once. */
static void spare_addresses(void) {
#if defined(__GLIBC__)
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
    mallopt(M_ARENA_MAX, 1);
    mallopt(M_MMAP_THRESHOLD, 1 << 17); // else it grows with what is freed
#endif
}

int main(int argc, char** argv) {
    spare_addresses();
    keep_standard_descriptors();
    set_signals();
    if (argc < 2) return complain(EXIT_USAGE, "no command; sistrum --help lists the commands");
    const char* word = argv[1];
    if (!strcmp(word, "--help") || !strcmp(word, "-h")) return help(0, NULL);
    if (!strcmp(word, "help")) return help(argc - 2, argv + 2);
    if (!strcmp(word, "--version")) {
        printf("sistrum %s\n", sis_version());
        return finish_output();
    }
    const command_word* row;
    for (int i = 0; (row = command_at(i)); i++)
        if (!strcmp(word, row->word)) return run_command(row->bit, argc - 2, argv + 2);
    return unknown_command(word);
}
