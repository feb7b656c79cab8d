/** @file picture.h
 * Pictures of a run: png, svg or pdf.
 */
#ifndef SISTRUM_OUT_PICTURE_H
#define SISTRUM_OUT_PICTURE_H

#include "canvas.h"
#include "curves.h"
#include "run.h"

/** What a picture shows. */
typedef enum sis_subject {
    SIS_SUBJECT_ENERGY,      ///< the energy balance and its residual
    SIS_SUBJECT_SIGNAL,      ///< every probe over time
    SIS_SUBJECT_PHASE,       ///< displacement against velocity of bodies
    SIS_SUBJECT_PENETRATION, ///< penetration and force of contacts over time
    SIS_SUBJECT_HYSTERESIS,  ///< force against penetration of contacts
    SIS_SUBJECT_CONTACT,   ///< which contacts are closed when, where along a string; sticking bows
    SIS_SUBJECT_SNAPSHOTS, ///< shapes of strings and what they touch at some times
    SIS_SUBJECT_PLATE,     ///< shapes of plates at some times, as colours
    SIS_SUBJECT_BOW,       ///< friction against relative velocity of bows
    SIS_SUBJECT_SPECTRUM,  ///< level over frequency of every probe
    SIS_SUBJECT_SPECTROGRAM, ///< level over time and frequency of the sound
    SIS_SUBJECT_COUNT
} sis_subject;

/** The word for a subject, "energy" ... [any] "" when there is none. */
const char* sis_subject_word(sis_subject subject);

#define SIS_SNAPSHOTS_MAX 24 // panels that still can be read

typedef struct sis_picture {
    sis_subject subject;
    sis_format format;
    const char* title; // heading
    const sis_system* system;
    sis_plan plan;
    double from, to;     // s, what is shown; 0 <= from < to <= duration
    const double* times; // s, of the snapshots, increasing; NULL: spread over the first period
    int32_t time_count;  // at most SIS_SNAPSHOTS_MAX
    double window;       // s, of a spectrum or spectrogram; 0: as the drawer finds right
    bool linear;         // the frequencies of a spectrum; false: logarithmic
    double a4;           // Hz, for the names of notes; 0: 440
    sis_input_curves* gestures; // curves of the inputs; NULL: they keep their values
    void (*progress)(void* self, uint64_t done, uint64_t steps);
    void* progress_self;
} sis_picture;

/** Adds to a scene the probes that a subject needs and the scene may lack: of every body for
 *  phase, of every contact for penetration and hysteresis, of every bow for bow and contact. To be
 * called before compiling with `how`. */
bool sis_picture_probes(sis_scene* scene, sis_subject subject, const sis_options* how,
                        sis_fault* fault);

/** Runs the system from its start as far as needed and draws onto a descriptor of sis_files_add.
 *  Memory does not grow with the duration. */
bool sis_picture_draw(const sis_picture* picture, int descriptor, sis_fault* fault);

#endif
