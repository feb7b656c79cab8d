#include "play_driver.h"

#include <string.h>

static const play_driver_class* const kinds[] = {
#ifdef SISTRUM_JACK
    &play_driver_jack,
#endif
#ifdef SISTRUM_PORTAUDIO
    &play_driver_portaudio,
#endif
    &play_driver_null,
    NULL,
};

const play_driver_class* play_driver_at(int i) {
    for (int k = 0; kinds[k]; k++)
        if (k == i) return kinds[k];
    return NULL;
}

const play_driver_class* play_driver_find(const char* name, bool* known) {
    *known = !strcmp(name, "jack") || !strcmp(name, "portaudio");
    for (int i = 0; kinds[i]; i++)
        if (!strcmp(kinds[i]->name, name)) return kinds[i];
    return NULL;
}

const char* play_driver_names(char* text, size_t room) {
    *text = 0;
    for (int i = 0; kinds[i]; i++) {
        size_t used = strlen(text);
        snprintf(text + used, room - used, "%s%s", i ? ", " : "", kinds[i]->name);
    }
    return text;
}

/** The first that works, of those that make sound. */
static play_driver* open_first(const play_driver_ask* ask, sis_fault* fault) {
    char why[640] = "";
    for (int i = 0; kinds[i]; i++) {
        if (kinds[i] == &play_driver_null) continue;
        play_driver* driver = kinds[i]->open(ask, fault);
        if (driver || fault->kind == SIS_FAULT_REQUEST) return driver;
        size_t used = strlen(why);
        snprintf(why + used, sizeof why - used, "%s%.300s", used ? ", and " : "", fault->text);
    }
    sis_fault_set(fault, SIS_FAULT_RUN, "%s; --driver null plays without a device",
                  *why ? why : "this program was built without sound drivers");
    return NULL;
}

play_driver* play_driver_open(const char* name, const play_driver_ask* ask, sis_fault* fault) {
    bool known;
    char names[64];
    if (!name && !ask->offline) return open_first(ask, fault);
    const play_driver_class* kind = play_driver_find(name ? name : "null", &known);
    if (kind && ask->offline && !kind->advance)
        sis_fault_set(fault, SIS_FAULT_REQUEST, "--offline is for --driver null, not %s", name);
    else if (kind)
        return kind->open(ask, fault);
    else
        sis_fault_set(fault, SIS_FAULT_REQUEST, "--driver: %s '%.40s'; there are %s",
                      known ? "this program was built without" : "there is no", name,
                      play_driver_names(names, sizeof names));
    return NULL;
}

void play_driver_list(FILE* to) {
    for (int i = 0; kinds[i]; i++) {
        fprintf(to, "%s: %s\n", kinds[i]->name, kinds[i]->about);
        kinds[i]->list(to);
    }
#ifndef SISTRUM_JACK
    fprintf(to, "jack: not built in\n");
#endif
#ifndef SISTRUM_PORTAUDIO
    fprintf(to, "portaudio: not built in\n");
#endif
}
