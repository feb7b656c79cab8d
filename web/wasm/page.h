/** @file page.h
 * What the page's engine is in WebAssembly: two instruments of the live library in one memory.
 *
 *   notes   the scene as it is, played by keys
 *   hand    the same scene at rest, touched by fingers
 *
 * There is one of each in a memory, so what belongs to them is static: a Worker compiles the scene,
 * and the worklet goes on with a copy of the whole memory. Functions that JavaScript calls begin
 * with page_; numbers come back in `page_numbers`, texts in `page_text`.
 */
#ifndef SISTRUM_PAGE_H
#define SISTRUM_PAGE_H

#include "script.h"
#include "sistrum/live.h"
#include "sistrum/sistrum.h"

#define EXPORT(name) __attribute__((export_name(#name))) name

enum {
    PAGE_FRAMES = 128, // of a block
    PAGE_EVENTS = 256, // that wait for the next block
    PAGE_FINGERS = 4,
    PAGE_NUMBERS = 32,
};

extern sis_live* page_notes;
extern sis_live* page_hand; // NULL: the scene cannot be touched

/** The voice that is shown, of the hand or of notes. */
bool page_shown(bool hand, const sis_system** system, const sis_state** state);

/** Bodies and links of the scene itself, without those of fingers. */
void page_own(bool hand, const sis_system* system, int32_t* bodies, int32_t* links);

/** Settings from `count` names, each ended by NUL, and their values; free() it. NULL: no memory. */
sis_setting* page_settings(const char* names, const double* values, int32_t count);

/** What the last call has to say: one text, which grows as it is written. */
void page_say_begin(void);
void page_say(const char* format, ...) __attribute__((format(printf, 1, 2)));
void page_say_text(const char* text); // as a JSON string
void page_say_number(double value);   // as a JSON number; null where it is not finite
void page_fail(const char* text, int line);

#endif
