/** @file suggest.h
 * "did you mean ...?": the likeliest of several words for one that nobody knows. The one place
 * where that is decided, for scenes and for the command line alike.
 */
#ifndef SISTRUM_SUGGEST_H
#define SISTRUM_SUGGEST_H

/** Candidates are fed one by one; `best` is the likeliest so far. */
typedef struct sis_suggestion {
    const char* wrong; // as the user wrote it
    const char* best;  // NULL: nothing is close
    int badness;
} sis_suggestion;

sis_suggestion sis_suggest(const char* wrong);

/** Keeps `candidate` (not copied) if it is close to the wrong word and closer than those before. */
void sis_suggest_from(sis_suggestion* suggestion, const char* candidate);

#endif
