/** @file outputs.h
 * The files of one run of a scene, and the sinks that write them.
 */
#ifndef SISTRUM_CLI_OUTPUTS_H
#define SISTRUM_CLI_OUTPUTS_H

#include "csv.h"
#include "data_file.h"
#include "files.h"
#include "job.h"
#include "record.h"
#include "sound.h"
#include "sound_file.h"
#include "tally.h"

/** Everything a run is poured into. */
typedef struct outputs {
    sis_files* files;
    sis_parts parts;      // files are kept for another process
    const char* kept_for; // the checkpoint, or NULL
    sis_state* state;
    sis_tally tally;
    sis_sound* sound;
    sis_sound_spec spec; // of its file
    sis_sound_file* file;
    sis_sound_level level;
    int scratch;        // where sound waits
    sis_data_file data; // of probes
    sis_data_file energies;
    sis_csv csv; // energies as text
    sis_record record;
    int json; // descriptor
    sis_sink sinks[6];
    int32_t sink_count;
    double seconds; // spent stepping
    int32_t threads;
    double slept; // s, when it fell asleep; 0: it did not
} outputs;

/** Whether some file has the energies of every step. */
bool outputs_every_energy(const outputs* u);

/** Opens all files, or says which cannot be. With `kept_for` they are kept beside that checkpoint, as
 *  `parts` says. outputs_close in any case. */
bool outputs_open(outputs* u, const job* j, const options* o, const char* kept_for, sis_parts parts,
                  sis_fault* fault);

/** Puts down what the sinks and the state remember, or takes it up. */
bool outputs_keep(outputs* u, const job* j, sis_store* store, sis_fault* fault);

/** Completes every file; outputs_commit then gives them their names. */
bool outputs_complete(outputs* u, const job* j, sis_fault* fault);
bool outputs_commit(outputs* u, sis_fault* fault);

void outputs_close(outputs* u);

/** The file of working data that is kept beside a checkpoint; the caller frees it. NULL: no memory.
 */
char* outputs_working(const char* kept_for);

#endif
