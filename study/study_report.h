/** @file study_report.h
 * What the items found, written for people: Markdown for docs/, HTML with the pictures in it.
 *
 * `results` is an array of what sis_study_run returned, in the order of the catalogue. An item that
 * failed is { paper, item, place, title, slow, alone, failed } with its sentence in `failed`.
 * Writers write to the end; whether it reached the file is what closing the stream tells.
 */
#ifndef SISTRUM_STUDY_REPORT_H
#define SISTRUM_STUDY_REPORT_H

#include "study.h"

#include <stdio.h>

/** reproduction.md: the papers. Nothing in it changes from run to run: no times, no dates. */
void sis_report_papers(FILE* file, const json_t* results);

/** beyond.md: what lies beyond the papers, and every item that measures time. */
void sis_report_beyond(FILE* file, const json_t* results);

/** report.html: everything in one file, to be put beside the folders of the figures in `out`. The
 *  texts of scripts and scenes come from `root`. */
void sis_report_html(FILE* file, const json_t* results, const char* root, const char* out);

// ---------------------------------------------------------------------------- what they share

enum { SIS_VERDICTS = 3 };

/** "reproduced", "reproduced with correction", "does not reproduce"; NULL out of range. */
const char* sis_report_verdict(int i);

typedef struct sis_report_counts {
    int items, failed, surprises;
    int claims, verdicts[SIS_VERDICTS]; // of the paper's own
    int findings;                       // ours
    int choices, misprints;
} sis_report_counts;

/** Counts what belongs to a paper; NULL: to all of the five papers, without what is beyond them. */
sis_report_counts sis_report_count(const json_t* results, const char* paper);

/** A text of an object, "" when there is none. */
const char* sis_report_text(const json_t* object, const char* key);

/** Whether an item lies in the folder of a paper. */
bool sis_report_is_of(const json_t* item, const char* paper);

/** Whether a text is a formula and no sentence: it is then shown as code. */
bool sis_report_is_formula(const char* text);

#endif
