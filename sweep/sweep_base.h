/** @file sweep_base.h
 * The results of a study in one SQLite database: a table of runs, a manifest, views for other programs.
 *
 *   runs      idx, a column for each param, a column for each measure, error ("": none)
 *   manifest  key, value: what the study is (its text, scene, seed, version, ...)
 *   sessions  a line for each call that worked on it: command, host, machine, times
 *   study     view: "index", params, measures, error
 *   good      view: the runs without an error; failures: those with one
 *
 * One process writes. Where the file is on a local disk the journal is a write-ahead log, and others
 * may read meanwhile; on network file systems, where such a log is not safe, it is a plain one. When
 * a study is closed the database is one file.
 */
#ifndef SISTRUM_SWEEP_BASE_H
#define SISTRUM_SWEEP_BASE_H

#include "sweep.h"

typedef struct sis_base sis_base;

// ---------------------------------------------------------------------------- writing

/** Opens the database of a study, or makes it. One that holds another study is refused. `command`
 * is kept in its manifest. [setup] NULL: `fault` says why. */
sis_base* sis_base_open(const char* path, const sis_sweep* sweep, const char* command,
                        sis_fault* fault);

/** All runs from here on were missing when it was opened or last took parts. [any] */
uint64_t sis_base_known(const sis_base* base);

/** Whether run `index` was in it when it was opened or last took parts, and how many runs are now, each put once. [any]
 */
bool sis_base_has(const sis_base* base, uint64_t index);
uint64_t sis_base_done(const sis_base* base);

/** How many runs in it failed. [setup] */
uint64_t sis_base_failed(sis_base* base);

/** Adds a row; it is kept for good with the next commit. [setup] */
bool sis_base_put(sis_base* base, const sis_row* row, sis_fault* fault);
bool sis_base_commit(sis_base* base, sis_fault* fault);

/** Completes the file and closes it; NULL is fine. [setup] */
bool sis_base_close(sis_base* base, sis_fault* fault);

// ---------------------------------------------------------------------------- reading

/** Opens a database of a study for reading only, also while another process writes. [setup] */
sis_base* sis_base_read(const char* path, sis_fault* fault);

/** A value of the manifest. [any] "": there is none. */
const char* sis_base_manifest(sis_base* base, const char* key);

/** The columns of its runs: params, then measures. [any] */
int32_t sis_base_columns(const sis_base* base);
int32_t sis_base_params(const sis_base* base);
const char* sis_base_column(const sis_base* base, int32_t i);

/** The number of the column of that name, whatever its case; -1: there is none. [any] */
int32_t sis_base_find(const sis_base* base, const char* name);

/** Calls `row` for the runs of a query in SQL that selects idx, all columns and error: "" takes all of
 * them by index, else it is what follows FROM runs. [setup] False: `row` returned false, or the
 * query failed. */
bool sis_base_each(sis_base* base, const char* query, bool (*row)(void* self, const sis_row* row),
                   void* self, sis_fault* fault);

/** One number that a query in SQL returns; NaN: none. [setup] */
double sis_base_number(sis_base* base, const char* sql);

/** Calls `line` for each line of a query in SQL, with its values as text. [setup] */
bool sis_base_query(sis_base* base, const char* sql,
                    void (*line)(void* self, int32_t count, const char* const* values), void* self,
                    sis_fault* fault);

/** All rows by index as CSV: index, params, measures, error; shortest exact decimals. [setup] */
bool sis_base_csv(sis_base* base, FILE* stream, sis_fault* fault);

// ---------------------------------------------------------------------------- merging

/** Adds the runs of other databases of the same study to one that is open for writing; what is in it
 * already stays. When it returns true they are on the disk: the parts may go. A part whose writer was
 * killed is put in order first. [setup] */
bool sis_base_take(sis_base* base, const char* const* parts, int32_t count, sis_fault* fault);

/** Adds the runs of other databases of the same study to the one at `path`, which is made if there is
 * none; what is in it already stays. [setup] */
bool sis_base_merge(const char* path, const char* const* parts, int32_t count, sis_fault* fault);

#endif
