/** @file say.h
 * What the program says: complaints and progress on stderr, suggestions for misspelt words.
 */
#ifndef SISTRUM_CLI_SAY_H
#define SISTRUM_CLI_SAY_H

#include "fault.h"
#include "script.h"

#include <stdint.h>
#include <stdio.h>

enum { EXIT_DONE = 0, EXIT_RUN = 1, EXIT_USAGE = 2, EXIT_SCENE = 3 };

/** Where the words of this thread go: stderr, or what say_into was given. */
FILE* say_stream(void);

/** From now on the words of this thread go there, without progress bars; NULL: to stderr again. */
void say_into(FILE* stream);

/** Whether a complaint did not fit into the memory of that stream. */
bool say_lost(void);

/** Notes that the next complaint of this thread is for want of memory, and whether one was since
 *  say_into. */
void say_starve(void);
bool say_starved(void);

/** The name of the program in all complaints from now on, which begins as "sistrum". */
void say_as(const char* program);
const char* say_name(void);

/** Prints "sistrum: ..." as one line on the stream and returns `code`. */
int complain(int code, const char* format, ...) __attribute__((format(printf, 2, 3)));

/** The same for a scene that does not load: the code follows from its status. */
int complain_script(const sis_script_error* error);

/** The same for a fault of out/. */
int complain_fault(const sis_fault* fault);

/** Notes that what was to be printed is not complete: finish_output will complain. */
void output_lost(void);

/** Completes what was printed on standard output; EXIT_RUN and a complaint when it got lost.
 *  A reader that closes its end of a pipe, as head does, has what it wanted: that is no loss. */
int finish_output(void);

/** complain_fault about what could not be written to standard output, with the same exception. */
int complain_output(const sis_fault* fault);

/** The closest of `count` words to a wrong one, or NULL when none is close. */
const char* closest(const char* wrong, const char* const* words, int count);

/** A progress bar for long work: only on a terminal and not before a third of a second. */
typedef struct progress {
    bool wanted;
    double start, shown; // s
} progress;

progress progress_begin(bool quiet);

/** For sis_run and sis_picture: `self` is a progress. */
void progress_show(void* self, uint64_t done, uint64_t steps);

/** Wipes the bar. */
void progress_end(progress* bar);

#endif
