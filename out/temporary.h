/** @file temporary.h
 * Hidden files beside an output: where it is written until it is complete, and the old file while a
 * set of new ones takes its place. What a killed run left behind is removed by the next one that
 * writes into the same folder.
 */
#ifndef SISTRUM_OUT_TEMPORARY_H
#define SISTRUM_OUT_TEMPORARY_H

#include "fault.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/** Holds back the signals that end a run, and other threads, while files and their names are out of
 *  step; and lets them go again. */
void sis_hold_signals(sigset_t* before);
void sis_release_signals(const sigset_t* before);

/** A new hidden file in `folder`, open for reading and writing; to be called with signals held.
 *  Its path, which the caller frees, is known to sis_files_abandon from then on under *slot. -1:
 * see errno. */
int sis_temporary_create(const char* folder, char** path, int* slot);

/** A file in `folder` that has no name. -1: see errno. */
int sis_temporary_anonymous(const char* folder);

/** The file is no temporary any more: it was renamed or removed. */
void sis_temporary_release(int slot);

/** Keeps the file `target` under a second, hidden name in its folder, so that a rename onto it can
 *  be taken back. *backup, which the caller frees, is NULL where there is nothing to keep. */
bool sis_backup_make(const char* target, char** backup);

/** Puts it back in place; or removes it when it is not needed any more. */
void sis_backup_restore(const char* target, const char* backup);
void sis_backup_drop(const char* backup);

/** `folder` and a name in it; NULL: no memory. */
char* sis_path_join(const char* folder, const char* name);

/** The folder of a path, without the last part: "." when there is no slash. NULL: no memory. */
char* sis_path_folder(const char* path);

const char* sis_path_last(const char* path);

/** Finds where the output `path` leads, through links: *target, which the caller frees, is NULL
 * when it cannot be replaced by a rename, and *mode is that of a file which is there. Refuses files
 * that are named by an open descriptor other than standard output. */
bool sis_path_resolve(const char* path, char** target, mode_t* mode, sis_fault* fault);

/** Writes all of it; false: see errno. */
bool sis_write_all(int descriptor, const char* bytes, size_t size);

/** The folder for working files of outputs that have none: $TMPDIR, or /tmp. */
const char* sis_path_scratch(void);

#endif
