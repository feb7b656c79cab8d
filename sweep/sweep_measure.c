#include "sweep_measure.h"

#include "suggest.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

static const struct row {
    const char *word, *doc;
} rows[] = {
    {"centroid", "Hz, mean frequency of the spectrum, weighted by magnitude"},
    {"pitch", "Hz, of the first partial"},
    {"t60", "s, in which the sound falls by 60 dB"},
    {"peak", "largest absolute value of the sound, before any normalising"},
    {"rms", "root mean square of the sound"},
    {"loudness", "LUFS, integrated (ITU-R BS.1770-4), full scale is 1"},
    {"contact_time", "s, in which a contact is touched (the longest, or contact_time@NAME)"},
    {"exit_speed", "m/s, of the first mass that collides, when it leaves its first contact"},
    {"max_penetration", "m, of a point of contact (the deepest, or max_penetration@NAME)"},
    {"max_force", "N, of a point of contact (the largest, or max_force@NAME)"},
    {"residual", "of the energy balance, relative to what flowed"},
    {"energy", "J, stored at a time: energy@0.5 is after half a second"},
};

enum { WORDS = sizeof rows / sizeof rows[0] };

const char* sis_measure_word(int32_t i) {
    return i >= 0 && i < WORDS ? rows[i].word : NULL;
}

const char* sis_measure_doc(int32_t i) {
    return i >= 0 && i < WORDS ? rows[i].doc : NULL;
}

bool sis_measure_hears(const sis_measure* m) {
    return m->kind <= SIS_MEASURE_LOUDNESS || m->kind >= SIS_MEASURE_OWN;
}

bool sis_measures_mix(const sis_measures* measures) {
    return sis_measures_have(measures, SIS_MEASURE_CENTROID) ||
           sis_measures_have(measures, SIS_MEASURE_PITCH) ||
           sis_measures_have(measures, SIS_MEASURE_T60) ||
           sis_measures_have(measures, SIS_MEASURE_OWN) ||
           sis_measures_have(measures, SIS_MEASURE_CALLER);
}

bool sis_measures_have(const sis_measures* measures, sis_measure_kind kind) {
    for (int32_t i = 0; i < measures->count; i++)
        if (measures->list[i].kind == kind) return true;
    return false;
}

// ---------------------------------------------------------------------------- reading

static bool no_such(const char* word, const sis_functions* own, sis_fault* fault) {
    sis_suggestion suggestion = sis_suggest(word);
    char list[400] = "";
    for (int i = 0; i < WORDS; i++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", rows[i].word);
        sis_suggest_from(&suggestion, rows[i].word);
    }
    for (int32_t i = 0; own && i < sis_functions_count(own); i++)
        sis_suggest_from(&suggestion, sis_functions_name(own, i));
    if (suggestion.best)
        return sis_fault_set(fault, SIS_FAULT_REQUEST,
                             "--measure: there is no '%.60s' (did you mean '%s'?)", word,
                             suggestion.best);
    return sis_fault_set(fault, SIS_FAULT_REQUEST,
                         "--measure: there is no '%.60s'; there are %s, and the functions of "
                         "--measure-file",
                         word, list);
}

static bool is_own(const sis_functions* own, const char* name) {
    for (int32_t i = 0; own && i < sis_functions_count(own); i++)
        if (!strcmp(sis_functions_name(own, i), name)) return true;
    return false;
}

/** What follows the @. */
static bool read_place(sis_measure* m, const char* place, sis_fault* fault) {
    bool contact = m->kind == SIS_MEASURE_CONTACT_TIME || m->kind == SIS_MEASURE_MAX_PENETRATION ||
                   m->kind == SIS_MEASURE_MAX_FORCE;
    if (m->kind == SIS_MEASURE_ENERGY)
        return (place && sis_text_number(place, &m->time) && m->time >= 0) ||
               sis_fault_set(fault, SIS_FAULT_REQUEST,
                             "--measure energy needs a time in s, such as energy@0.5, not '%.60s'",
                             m->name);
    if (place && (!contact || !*place))
        return sis_fault_set(fault, SIS_FAULT_REQUEST, "--measure %.60s: %s", m->name,
                             contact ? "the name of a contact comes after @"
                                     : "it takes nothing after @");
    snprintf(m->of, sizeof m->of, "%.63s", place ? place : "");
    return true;
}

/** Whether there is room for one of that name. */
static bool may_add(const sis_measures* measures, const char* word, sis_fault* fault) {
    for (int32_t i = 0; i < measures->count; i++)
        if (!strcmp(measures->list[i].name, word))
            return sis_fault_set(fault, SIS_FAULT_REQUEST, "--measure: '%s' is named twice", word);
    if (measures->count == SIS_MEASURES_MOST)
        return sis_fault_set(fault, SIS_FAULT_REQUEST, "--measure: at most %d are measured",
                             SIS_MEASURES_MOST);
    return true;
}

bool sis_measures_add(sis_measures* measures, const char* name, sis_fault* fault) {
    if (!may_add(measures, name, fault)) return false;
    sis_measure* m = &measures->list[measures->count++];
    *m = (sis_measure){.kind = SIS_MEASURE_CALLER};
    snprintf(m->name, sizeof m->name, "%.90s", name);
    return true;
}

static bool read_one(sis_measures* measures, const char* word, const sis_functions* own,
                     sis_fault* fault) {
    sis_measure m = {.kind = SIS_MEASURE_OWN};
    char plain[96];
    snprintf(m.name, sizeof m.name, "%s", word);
    snprintf(plain, sizeof plain, "%.*s", (int)strcspn(word, "@"), word);
    for (int i = 0; i < WORDS; i++)
        if (!strcmp(word, rows[i].word) && is_own(own, word))
            return sis_fault_set(fault, SIS_FAULT_REQUEST,
                                 "--measure: '%s' is a measure and a function of --measure-file: "
                                 "give the function another name, or make it local",
                                 word);
    if (!may_add(measures, word, fault)) return false;
    const char* place = strchr(word, '@');
    for (int i = 0; i < WORDS; i++)
        if (!strcmp(plain, rows[i].word)) m.kind = (sis_measure_kind)i;
    if (m.kind == SIS_MEASURE_OWN && !is_own(own, word)) return no_such(word, own, fault);
    if (m.kind != SIS_MEASURE_OWN && !read_place(&m, place ? place + 1 : NULL, fault)) return false;
    measures->list[measures->count++] = m;
    return true;
}

bool sis_measures_read(sis_measures* measures, const char* list, const sis_functions* own,
                       sis_fault* fault) {
    while (list) {
        char word[96];
        size_t length = strcspn(list, ",");
        snprintf(word, sizeof word, "%.*s", length < 90 ? (int)length : 90, list);
        if (!read_one(measures, word, own, fault)) return false;
        list = list[length] ? list + length + 1 : NULL;
    }
    return true;
}
