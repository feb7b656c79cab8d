/** @file study.h
 * Reproductions: scripts in Lua that run scenes, state what a paper says beside what was measured,
 * and draw its figures (repro/README.md). An item is one script, repro/PAPER/ITEM.lua.
 */
#ifndef SISTRUM_STUDY_H
#define SISTRUM_STUDY_H

#include "fault.h"

#include <jansson.h>
#include <stdint.h>

// clang-format off
// What an item finds out is a JSON object, all texts ready to be shown:
//   paper, item, place, title   strings
//   slow, alone                 booleans
//   seconds                     CPU time
//   claims    [{ text, published, measured, verdict, why }]     published "": a finding of ours
//   choices   [{ what, taken, why, otherwise }]
//   misprints [{ place, printed, right, measure, printed_gives, right_gives, note }]
//   figures   [{ name, caption }]       NAME.png, .svg, .csv lie in the folder of the output
//   drawn                               boolean: they do
//   scenes    [ "PAPER/NAME", ... ]     that were run, each once
//   inside                              boolean: a scene that is a text of the script was run
//   surprises [ sentence, ... ]         what did not turn out as the script expects
//   verdict                             the worst of its claims, "" when it has none
// clang-format on

/** How an item is to be run. Texts are the caller's. */
typedef struct sis_study {
    const char* root;  // folder that holds repro/ and scenes/
    const char* paper; // "ducceschi2019"
    const char* item;  // "fig5"
    const char* out;   // folder for figures; NULL: numbers only, nothing is written
    bool only_about;   // stop after about{}: place, title, slow, alone
    double seconds;    // of CPU time; 0: SIS_STUDY_SECONDS, of which before about{} a few
    size_t memory;     // bytes that Lua may hold; 0: SIS_STUDY_MEMORY
} sis_study;

#define SIS_STUDY_SECONDS 300.0
#define SIS_STUDY_MEMORY  ((size_t)2 << 30)

/** Runs an item in a Lua state of its own. NULL: the script is unreadable or failed, and where. The
 *  caller owns the result. */
json_t* sis_study_run(const sis_study* study, sis_fault* fault);

/** One script of the catalogue. */
typedef struct sis_study_entry {
    char paper[64], item[64];
    char place[64], title[160];
    bool slow, alone;
} sis_study_entry;

typedef struct sis_catalogue {
    sis_study_entry* entries; // [count], in the order of the papers and of their figures
    int32_t count;
} sis_catalogue;

/** A paper: its folder and how it is cited. */
typedef struct sis_paper {
    const char* folder;   // "ducceschi2017"
    const char* citation; // "Ducceschi 2017"
    const char* full;     // authors, title, where
} sis_paper;

/** The five papers and "beyond", in order. NULL when i is out of range. */
const sis_paper* sis_study_paper(int32_t i);

/** Finds the folder with repro/ and scenes/: $SISTRUM_DATA, then share/sistrum beside the program,
 * then the source tree the program was built in. False: there is none, and where it was looked for.
 */
bool sis_study_root(char* root, size_t room, sis_fault* fault);

/** Reads what there is: every repro/PAPER/ITEM.lua. A paper without a folder or without scripts is
 * a fault; what there is has been read then all the same. */
bool sis_catalogue_read(sis_catalogue* catalogue, const char* root, sis_fault* fault);
void sis_catalogue_free(sis_catalogue* catalogue);

#endif
