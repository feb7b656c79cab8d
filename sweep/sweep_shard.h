/** @file sweep_shard.h
 * Sounds of a study in tar files of the WebDataset layout: KEY.json and KEY.wav (.flac, .npy) of each
 * run, in the order of their indices, the same bytes always. A shard holds the runs of one block; it
 * is written under a temporary name, brought to the disk, and renamed.
 */
#ifndef SISTRUM_SWEEP_SHARD_H
#define SISTRUM_SWEEP_SHARD_H

#include "sweep.h"
#include "sweep_sound.h"

// ---------------------------------------------------------------------------- what is in one

/** Memory for writing sounds, kept from run to run. Begins as {-1, -1, 0}. */
typedef struct sis_packer {
    int scratch;      // a file in memory, which sounds are written to
    int aside;        // another one, for those that are normalised and very long
    uint64_t clipped; // samples of the last sound that were beyond full scale
} sis_packer;

void sis_packer_close(sis_packer* packer);

/** Fills row->files with the entries of a run: its numbers as JSON, its sound. */
bool sis_packer_pack(sis_packer* packer, const sis_sweep* sweep, const sis_heard* heard,
                     const char* title, sis_row* row, sis_fault* fault);

// ---------------------------------------------------------------------------- the file

/** A shard that is being written. Begins as {.descriptor = -1}. */
typedef struct sis_shard {
    int descriptor;
    char *path, *temporary;
} sis_shard;

/** "FOLDER/shard-000012.tar"; the caller frees it. NULL: no memory. */
char* sis_shard_path(const char* folder, uint64_t block);

bool sis_shard_open(sis_shard* shard, const char* folder, uint64_t block, sis_fault* fault);

/** Appends the files of a row. */
bool sis_shard_put(sis_shard* shard, const sis_row* row, sis_fault* fault);

/** Completes it and gives it its name. */
bool sis_shard_finish(sis_shard* shard, sis_fault* fault);

/** Gives a complete file its name. One of that name with other bytes stays, and is refused. */
bool sis_shard_place(const char* temporary, const char* path, sis_fault* fault);

/** Brings the folder of a file to the disk: what was renamed stays renamed, also after a power cut. */
void sis_shard_settle(const char* path);

/** Gives it up; one that is not open is fine. */
void sis_shard_abandon(sis_shard* shard);

#endif
