/** @file parts.h
 * Files of the ranks of sistrum-mpi: each writes databases of its own, which rank 0 puts together.
 *
 *   study.db.parts/rank-00003-00000.db   what rank 3 made
 *   LOCAL/sistrum-XXXXXX/                with --local: where it was made, with its sounds
 */
#ifndef SISTRUM_CLI_PARTS_H
#define SISTRUM_CLI_PARTS_H

#include "sweep_base.h"

#include <stdint.h>

/** Names of files; begins as {0}. */
typedef struct part_list {
    char** paths;
    int32_t count, room;
} part_list;

/** False: no memory. */
bool part_list_add(part_list* list, const char* path);
void part_list_free(part_list* list);

/** "study.db.parts"; NULL: no memory. */
char* parts_folder(const char* database);

/** The database of a rank; NULL: no memory. */
char* parts_path(const char* folder, int rank, int32_t number);

/** Makes the folder, if there is none. */
bool parts_make_folder(const char* folder, sis_fault* fault);

/** Databases in the folder, which a job that was killed has left. */
bool parts_left(const char* folder, part_list* list, sis_fault* fault);

/** Opens the database of a study and takes the parts that a job which was killed has left. While it
 * is open no job can be at work on it. NULL: `fault` says why. */
sis_base* parts_open(const char* database, const char* folder, const sis_sweep* sweep,
                     const char* command, sis_fault* fault);

/** Removes these files and the folder, if it is empty then. */
void parts_remove(const char* folder, const part_list* list);

/** A new folder in `local` for this rank, with a folder "shards" in it. NULL: `fault` says why. */
char* parts_make_local(const char* local, sis_fault* fault);
void parts_remove_local(const char* own);

/** Copies a file, brings it to the disk, gives it its name, and removes the one it came from. */
bool parts_bring(const char* from, const char* to, sis_fault* fault);

/** The same for all files in a folder whose names end in `ending`. */
bool parts_bring_all(const char* from, const char* to, const char* ending, sis_fault* fault);

#endif
