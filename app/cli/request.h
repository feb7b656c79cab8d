/** @file request.h
 * A study on its way from the command line to the database: for sistrum sweep and sistrum-mpi.
 */
#ifndef SISTRUM_CLI_REQUEST_H
#define SISTRUM_CLI_REQUEST_H

#include "job.h"
#include "sweep.h"

typedef struct request {
    job j;
    sis_sweep_spec spec;
    char *scene, *pairs, *functions; // texts of files
    char* database;
    char* shards;     // NULL: none
    bool made_shards; // their folder is new
    char* command;    // what was typed
    long part, parts; // of --index; part: 1 .. parts
    sis_sweep* sweep;
} request;

/** Whether the options are those of a study, before any file is read. EXIT_DONE, or a complaint was
 * made. */
int request_check(const options* o);

/** Reads all files and checks the study. `program` is what was typed before the options. EXIT_DONE, or
 * a complaint was made; request_close in any case. */
int request_open(request* r, const options* o, const char* program);

/** Whether the files that are written at the end can be, and are none that was read: before the
 * first run. Nothing is left of them. EXIT_DONE, or a complaint was made. */
int request_outputs(const request* r, const options* o);

void request_close(request* r);

/** Makes the folder of the sounds, if there is one. EXIT_DONE, or a complaint was made. */
int request_folder(request* r);

/** Where no run is begun: takes the folder away again, if it was not there before. */
void request_leave_folder(const request* r);

/** Says which part of the sounds of a study that is done is not in the folder: it was begun with
 * another one, or files were moved away. */
void request_tell_lost(const request* r);

/** Writes words so that a shell would take them again, a space before each. */
void request_words(FILE* out, int count, char** words);

#endif
