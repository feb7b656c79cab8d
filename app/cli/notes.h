/** @file notes.h
 * --note, --velocity and the tunings: how the command line chooses a note of a scene.
 */
#ifndef SISTRUM_CLI_NOTES_H
#define SISTRUM_CLI_NOTES_H

#include "job.h"
#include "note.h"

/** Was one note asked for? */
bool notes_given(const options* o);

/** Whether notes play the scene; some have a play{} for sound from outside alone. */
bool notes_taken(const sis_script* script);

/** Whether notes of the scene end when a key is let go. */
bool notes_held(const sis_script* script);

/** Do the options on notes fit together? EXIT_DONE, or a complaint was made. */
int notes_check(const options* o);

/** Does the scene take notes, and does nothing else set what they set? EXIT_DONE, or a complaint
 *  was made. */
int notes_ready(const job* j, const options* o);

/** The tuning that the options ask for. EXIT_DONE, or a complaint was made. */
int notes_tuning(const options* o, sis_tuning* tuning);

/** What the note of the options sets. EXIT_DONE, or a complaint was made. */
int notes_settings(const job* j, const options* o, sis_note_settings* note);

/** What it moves while it sounds, into j->gestures: its blow, and its gate for as long as --hold
 * says. A curve of --input comes first. EXIT_DONE, or a complaint was made. */
int notes_play(job* j, const options* o);

/** A run without notes strikes what sis_script_strikes says, once with 1; a curve of --input comes
 * first. EXIT_DONE, or a complaint was made. */
int notes_strike(job* j);

#endif
