#include "presets.h"

#include "say.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 64 }; // names that are listed

static int complain_unknown(const job* j, const char* name) {
    const char* names[MOST];
    char list[600] = "";
    int count = 0;
    for (; count < sis_script_preset_count(j->script) && count < MOST; count++) {
        names[count] = sis_script_preset(j->script, count).name;
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s\"%s\"", count ? ", " : "", names[count]);
    }
    if (!count)
        return complain(EXIT_USAGE,
                        "--preset: %s has no presets; preset{ \"NAME\", K = 1e7 } adds one",
                        j->name);
    const char* guess = closest(name, names, count);
    if (guess)
        return complain(EXIT_USAGE,
                        "--preset: %s has no preset '%s' (did you mean '%s'?); it has: %s", j->name,
                        name, guess, list);
    return complain(EXIT_USAGE, "--preset: %s has no preset '%s'; it has: %s", j->name, name, list);
}

int preset_find(const job* j, const char* name, sis_preset* preset) {
    *preset = (sis_preset){.count = 0};
    if (!name) return EXIT_DONE;
    for (int32_t i = 0; i < sis_script_preset_count(j->script); i++) {
        *preset = sis_script_preset(j->script, i);
        if (!strcmp(preset->name, name)) return EXIT_DONE;
    }
    return complain_unknown(j, name);
}

static const char* unit_of(const sis_script* script, const char* name) {
    for (int32_t i = 0; i < sis_script_param_count(script); i++)
        if (!strcmp(sis_script_param(script, i).name, name))
            return sis_script_param(script, i).unit;
    for (int32_t i = 0; i < sis_script_input_count(script); i++)
        if (!strcmp(sis_script_input(script, i).name, name))
            return sis_script_input(script, i).unit;
    return "";
}

void preset_print(const sis_script* script, const sis_preset* preset, char* text, size_t size) {
    size_t used = 0;
    snprintf(text, size, "as the scene has it");
    for (int32_t i = 0; i < preset->count && used < size; i++) {
        const sis_setting* s = &preset->settings[i];
        const char* unit = unit_of(script, s->name);
        used += (size_t)snprintf(text + used, size - used, "%s%s = %.6g%s%s", i ? ", " : "",
                                 s->name, s->value, *unit ? " " : "", unit);
    }
}
