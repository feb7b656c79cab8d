// What the files of the database share.
#ifndef SISTRUM_SWEEP_BASE_INSIDE_H
#define SISTRUM_SWEEP_BASE_INSIDE_H

#include "sweep_base.h"

#include <sqlite3.h>

struct sis_base {
    sqlite3* db;
    char* path;
    int lock; // descriptor; -1: none
    sqlite3_stmt* insert;
    bool writes, pending; // pending: a transaction is open
    bool starved;         // there was no memory to read a value
    int64_t session;
    char columns[SIS_AXES_MOST + SIS_MEASURES_MOST][SIS_COLUMN_NAME];
    int32_t column_count, param_count;
    uint64_t count; // runs of the study
    uint64_t done;  // of them in the table
    uint8_t* bits;  // which were there when it was opened
    uint64_t known; // bits: beyond the last that was there all are missing
    char* manifest; // the value that was asked for last
};

/** Runs SQL without results. */
bool sis_base_do(sis_base* base, const char* sql, sis_fault* fault);

/** The sentence of what SQLite has just failed of. Returns false. */
bool sis_base_fail(const sis_base* base, sis_fault* fault);

/** The path as SQLite takes it for a file: it reads ":memory:" and "file:..." otherwise. The caller
 * frees it; NULL: no memory. */
char* sis_base_file(const char* path);

/** Opens a file; `create`: it may be new. False: base->db may still have to be closed. */
bool sis_base_attach(sis_base* base, const char* path, bool writes, bool create, sis_fault* fault);

/** One process writes it at a time. */
bool sis_base_lock(sis_base* base, sis_fault* fault);

/** Reads which columns there are. */
bool sis_base_learn(sis_base* base, sis_fault* fault);

/** Reads which runs it has. */
bool sis_base_count_done(sis_base* base, sis_fault* fault);

/** Sets and reads a value of the manifest. */
bool sis_base_note(sis_base* base, const char* key, const char* value, size_t size,
                   sis_fault* fault);

/** Frees without completing. */
void sis_base_drop(sis_base* base);

#endif
