/** @file slurm.h
 * Batch scripts for Slurm that run the command which was typed.
 */
#ifndef SISTRUM_CLI_SLURM_H
#define SISTRUM_CLI_SLURM_H

#include "request.h"

/** Prints a script of a job array, a part of the study for each task. Returns the exit code. */
int slurm_array(const request* r, const options* o);

/** Prints a script of an MPI job. Returns the exit code. */
int slurm_mpi(const request* r, const options* o);

#endif
