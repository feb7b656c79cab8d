/** @file files.h
 * The files of one run: all of them appear when everything is done, or none does.
 *
 * Each output is written to a hidden temporary file beside its target and renamed at the end, so a
 * reader never meets half a file and a failed run leaves an older result in place. What cannot be
 * renamed onto ("-" for standard output, devices, pipes) is written to an anonymous file first and
 * copied when everything else is ready. A caller that writes into pipes must ignore SIGPIPE.
 */
#ifndef SISTRUM_OUT_FILES_H
#define SISTRUM_OUT_FILES_H

#include "fault.h"

#include <stdio.h>

typedef struct sis_files sis_files;

/** An empty set. NULL: no memory. */
sis_files* sis_files_new(void);

/** Frees the set and removes every file that was not committed; NULL is fine. */
void sis_files_free(sis_files* files);

/** Names a file that was read and must not be written, and what it is: "scene". What has no place
 *  in the file system, such as a pipe, needs no protection. Sixteen at most. */
void sis_files_protect(sis_files* files, const char* path, const char* what);

/** Whether an output is standard output: "-", or a name of its descriptor such as /dev/stdout. */
bool sis_path_is_standard(const char* path);

/** Whether a file is another one than those that standard output and standard error go into: it
 *  would be replaced, and what was printed lost. Pipes and devices may be shared. */
bool sis_path_is_free(const char* path, sis_fault* fault);

/** Opens the output `path` ("-" is standard output) and returns a descriptor for reading and
 *  writing, which the set owns; -1 when it cannot be written, is protected, is named twice
 *  or takes what is printed. */
int sis_files_add(sis_files* files, const char* path, sis_fault* fault);

/** Before the first output of a set for a run that may go on in another process: outputs are written
 *  to PATH.part, which stays when the set is freed before it is committed. Such a file must not be
 * there (SIS_PARTS_NEW), may be there and is emptied (SIS_PARTS_ANY), or must be there (SIS_PARTS_OLD).
 * What cannot be kept, such as a pipe, is refused. */
typedef enum sis_parts { SIS_PARTS_NONE, SIS_PARTS_NEW, SIS_PARTS_ANY, SIS_PARTS_OLD } sis_parts;
void sis_files_keep(sis_files* files, sis_parts parts);

/** A kept file for working data under that name, which goes when the set is committed. -1: the
 * sentence. The set owns the descriptor. */
int sis_files_add_working(sis_files* files, const char* path, sis_fault* fault);

/** Empties the output that was added last, if it is kept: it is written as a whole, at the end. */
bool sis_files_empty(sis_files* files, sis_fault* fault);

/** Waits until the disk has all that was written to kept files. */
bool sis_files_sync(const sis_files* files, sis_fault* fault);

/** Kept files are not to stay any more. */
void sis_files_drop(sis_files* files);

/** Where the output `path` is kept; the caller frees it. NULL: nowhere, or no memory. */
char* sis_files_part(const char* path, char** target);

/** A buffered stream onto a descriptor of sis_files_add. The caller closes it; the descriptor stays
 *  open. NULL: no memory. */
FILE* sis_files_stream(int descriptor, sis_fault* fault);

/** Closes such a stream; false when anything written to it did not reach the file. */
bool sis_files_close_stream(FILE* stream, sis_fault* fault);

/** An anonymous file for working data, where there is room for the outputs added so far (beside the
 *  last one). The caller closes the descriptor, and the file is gone. */
int sis_files_scratch(const sis_files* files, sis_fault* fault);

/** Writes and reads exactly `size` bytes of a working file. */
bool sis_files_put(int scratch, const void* bytes, size_t size, sis_fault* fault);
bool sis_files_fetch(int scratch, void* bytes, size_t size, sis_fault* fault);

/** Gives every output its name. On failure none of them is left, and every file that was there
 * before is there again. */
bool sis_files_commit(sis_files* files, sis_fault* fault);

/** Sets of files may be used in several threads, one thread a set. A thread that waits for signals
 *  on behalf of all calls this before sis_files_abandon: from then on no other thread makes or
 *  renames a file. There is no way back. */
void sis_files_settle(void);

/** Tells of a folder that this process has just made, one thread at a time: sis_files_abandon
 * removes it if it is empty then. */
void sis_files_new_folder(const char* path);

/** The signals after which a run cleans up and ends, up to a 0: what users, batch systems and
 * limits of time send. */
extern const int sis_ending_signals[];

/** Removes the temporary files of all sets of the process, and empty new folders.
 * Async-signal-safe: for a handler of SIGINT or SIGTERM that ends the process right after. */
void sis_files_abandon(void);

#endif
