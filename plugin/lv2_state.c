// What a project of the host keeps: the scene itself, its knobs, and where the ports stood.
//
// A knob may have been moved by a message, so that its port tells another value. What is stored of
// the ports says which values are old news when the project is opened again.

#include "lv2_plugin.h"

#include <lv2/state/state.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t bits_of(float value) {
    uint32_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float float_of(uint32_t bits) {
    float value = 0;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/** "symbol 3f800000" a line: bits, which no locale touches. NULL: no memory. */
static char* write_ports(const plugin* p, size_t* size) {
    char* text = NULL;
    FILE* stream = open_memstream(&text, size);
    if (!stream) return NULL;
    for (int32_t i = 0; i < p->bundle.knob_count; i++)
        fprintf(stream, "%s %08lx\n", p->bundle.knobs[i].symbol,
                (unsigned long)bits_of(p->knobs[i].seen));
    bool lost = ferror(stream) != 0;
    if (fclose(stream) == 0 && !lost) return text;
    free(text);
    return NULL;
}

static LV2_State_Status save(LV2_Handle handle, LV2_State_Store_Function store,
                             LV2_State_Handle state, uint32_t flags,
                             const LV2_Feature* const* features) {
    const plugin* p = handle;
    const uint32_t plain = LV2_STATE_IS_POD | LV2_STATE_IS_PORTABLE;
    size_t size = 0, ports_size = 0;
    (void)flags;
    (void)features;
    char* text = sis_live_save(p->live, &size);
    char* ports = write_ports(p, &ports_size);
    LV2_State_Status status = text && ports ? LV2_STATE_SUCCESS : LV2_STATE_ERR_UNKNOWN;
    if (!status) status = store(state, p->words.state, text, size + 1, p->words.string, plain);
    if (!status)
        status = store(state, p->words.ports, ports, ports_size + 1, p->words.string, plain);
    free(text);
    free(ports);
    return status;
}

/** A text that was stored, without the NUL at its end; NULL: none. */
static const char* fetch(const plugin* p, LV2_State_Retrieve_Function retrieve,
                         LV2_State_Handle state, LV2_URID key, size_t* size) {
    uint32_t type = 0, flags = 0;
    const char* text = retrieve(state, key, size, &type, &flags);
    if (!text || type != p->words.string || !*size) return NULL;
    if (!text[*size - 1]) --*size;
    return text;
}

/** One line of such a text; `symbol` is not terminated. */
static void take_line(plugin* p, const char* symbol, size_t length, const char* digits) {
    char number[9] = "";
    char* end = NULL;
    memcpy(number, digits, 8);
    unsigned long bits = strtoul(number, &end, 16);
    float value = float_of((uint32_t)bits);
    if (end != number + 8 || !isfinite(value)) return;
    for (int32_t i = 0; i < p->bundle.knob_count; i++) {
        const char* name = p->bundle.knobs[i].symbol;
        if (strlen(name) == length && !strncmp(name, symbol, length))
            p->knobs[i].seen = value, p->knobs[i].restored = true;
    }
}

static void take_ports(plugin* p, const char* text, size_t size) {
    const char *end = text + size, *line = text;
    while (line < end) {
        const char* stop = memchr(line, '\n', (size_t)(end - line));
        const char* blank = memchr(line, ' ', (size_t)((stop ? stop : end) - line));
        if (!stop) return;
        if (blank && stop - blank == 9) take_line(p, line, (size_t)(blank - line), blank + 1);
        line = stop + 1;
    }
}

static LV2_State_Status restore(LV2_Handle handle, LV2_State_Retrieve_Function retrieve,
                                LV2_State_Handle state, uint32_t flags,
                                const LV2_Feature* const* features) {
    plugin* p = handle;
    size_t size = 0;
    sis_live_error why = {.text = ""};
    (void)flags;
    (void)features;
    const char* text = fetch(p, retrieve, state, p->words.state, &size);
    if (!text) return LV2_STATE_ERR_NO_PROPERTY;
    if (!sis_live_restore(p->live, text, size, &why)) {
        plugin_say(p, why.text);
        return LV2_STATE_ERR_UNKNOWN;
    }
    plugin_find_knobs(p);
    const char* ports = fetch(p, retrieve, state, p->words.ports, &size);
    if (ports) take_ports(p, ports, size);
    return LV2_STATE_SUCCESS;
}

const void* state_extension(void) {
    static const LV2_State_Interface extension = {.save = save, .restore = restore};
    return &extension;
}
