/** @file subject.h
 * What the drawers of the single subjects share. Private to out/.
 */
#ifndef SISTRUM_OUT_SUBJECT_H
#define SISTRUM_OUT_SUBJECT_H

#include "picture.h"

/** The steps that a picture shows. */
sis_window sis_picture_window(const sis_picture* picture);

/** The same in samples of the output, and the plan of a run up to their end. */
sis_window sis_picture_rows(const sis_picture* picture, sis_plan* plan);

/** Sets *window, in samples, to the window that the picture asks for, if it does; false: it is too
 *  short, longer than what is shown, or longer than `most`. */
bool sis_picture_span(const sis_picture* picture, const sis_window* rows, uint64_t most,
                      uint64_t* window, sis_fault* fault);

/** Runs from the start to the end of the window into one sink. */
bool sis_picture_run(const sis_picture* picture, sis_sink sink, sis_fault* fault);

/** "44100 Hz, 8 times oversampled". Returns `text`. */
const char* sis_picture_rate(const sis_picture* picture, char* text, size_t size);

bool sis_draw_energy(const sis_picture* picture, int descriptor, sis_fault* fault);
bool sis_draw_signal(const sis_picture* picture, int descriptor, sis_fault* fault);
bool sis_draw_phase(const sis_picture* picture, int descriptor, sis_fault* fault);
bool sis_draw_penetration(const sis_picture* picture, int descriptor, sis_fault* fault);
bool sis_draw_hysteresis(const sis_picture* picture, int descriptor, sis_fault* fault);
bool sis_draw_contact(const sis_picture* picture, int descriptor, sis_fault* fault);
bool sis_draw_snapshots(const sis_picture* picture, int descriptor, sis_fault* fault);
bool sis_draw_plate(const sis_picture* picture, int descriptor, sis_fault* fault);
bool sis_draw_bow(const sis_picture* picture, int descriptor, sis_fault* fault);
bool sis_draw_spectrum(const sis_picture* picture, int descriptor, sis_fault* fault);
bool sis_draw_spectrogram(const sis_picture* picture, int descriptor, sis_fault* fault);

#endif
