// A scene for the page: its knobs, presets, keys, bodies, links and probes.
#include "page.h"

#include "script.h"

#include <stdlib.h>

size_t page_layout_of(const sis_system* system);

static void say_knob(int32_t i) {
    sis_live_knob k = sis_live_knob_at(page_notes, i);
    page_say("%s{\"name\":", i ? "," : "");
    page_say_text(k.name);
    page_say(",\"label\":");
    page_say_text(k.label);
    page_say(",\"unit\":");
    page_say_text(k.unit);
    const struct {
        const char* key;
        double value;
    } list[] = {{"value", k.value}, {"fallback", k.fallback}, {"min", k.min}, {"max", k.max}};
    for (size_t j = 0; j < sizeof list / sizeof *list; j++) {
        page_say(",\"%s\":", list[j].key);
        page_say_number(list[j].value);
    }
    page_say(",\"logarithmic\":%s,\"input\":%s,\"trigger\":%s,\"cc\":%d}",
             k.logarithmic ? "true" : "false", k.input ? "true" : "false",
             k.trigger ? "true" : "false", (int)k.cc);
}

static void say_instrument(void) {
    int32_t lowest = 0, highest = 0;
    page_say("\"knobs\":[");
    for (int32_t i = 0; i < sis_live_knob_count(page_notes); i++)
        say_knob(i);
    page_say("],\"presets\":[");
    for (int32_t i = 0; i < sis_live_preset_count(page_notes); i++) {
        page_say(i ? "," : "");
        page_say_text(sis_live_preset_name(page_notes, i));
    }
    page_say("],\"takesNotes\":%s,\"pitched\":%s,\"keys\":",
             sis_live_takes_notes(page_notes) ? "true" : "false",
             sis_live_is_pitched(page_notes) ? "true" : "false");
    if (sis_live_keys(page_notes, &lowest, &highest))
        page_say("{\"lowest\":%d,\"highest\":%d}", (int)lowest, (int)highest);
    else
        page_say("null");
    page_say(",\"voices\":%d,\"soundInputs\":%d,\"latency\":%d,\"touchable\":%s",
             (int)sis_live_voices(page_notes), (int)sis_live_sound_inputs(page_notes),
             (int)sis_live_latency(page_notes), page_hand ? "true" : "false");
}

static void say_render(const sis_scene* scene) {
    sis_render_def r = sis_scene_render(scene);
    page_say(",\"title\":");
    page_say_text(r.title);
    page_say(",\"oversample\":%d,\"sceneRate\":", (int)r.oversample);
    page_say_number(r.rate);
    page_say(",\"duration\":");
    page_say_number(r.duration);
}

static void say_probes(const sis_system* system) {
    static const char* const words[] = {"displacement", "velocity", "force", "penetration"};
    page_say(",\"probes\":[");
    for (int32_t i = 0; i < sis_system_probe_count(system); i++) {
        sis_probe_info p = sis_system_probe(system, i);
        page_say("%s{\"name\":", i ? "," : "");
        page_say_text(p.name);
        page_say(",\"on\":");
        page_say_text(p.on);
        page_say(",\"quantity\":\"%s\",\"unit\":", words[p.quantity]);
        page_say_text(p.unit);
        page_say(",\"channel\":%d}", (int)p.channel);
    }
    page_say("]");
}

// Names in the order of the layout, which has all else.
static void say_names(const sis_system* system) {
    page_say(",\"bodyNames\":[");
    for (int32_t i = 0; i < sis_system_body_count(system); i++) {
        page_say(i ? "," : "");
        page_say_text(sis_system_body(system, i).name);
    }
    page_say("],\"linkNames\":[");
    for (int32_t i = 0; i < sis_system_link_count(system); i++) {
        page_say(i ? "," : "");
        page_say_text(sis_system_link(system, i).name);
    }
    page_say("],\"linkEnds\":[");
    for (int32_t i = 0; i < sis_system_link_count(system); i++) {
        sis_link_info l = sis_system_link(system, i);
        page_say(i ? ",[" : "[");
        page_say_text(l.above);
        page_say(",");
        page_say_text(l.below);
        page_say("]");
    }
    page_say("]");
}

static void say_system(const sis_scene* scene, double rate, sis_error* error) {
    sis_options how = sis_options_default(scene);
    how.rate = rate * sis_scene_render(scene).oversample;
    how.unaudited = true;
    sis_system* system = sis_compile(scene, &how, error);
    if (!system) return;
    say_probes(system);
    say_names(system);
    page_say(",\"layout\":%lu", (unsigned long)page_layout_of(system));
    sis_system_free(system);
}

// The scene that plays, once more.
static sis_script* load_again(const sis_setting* settings, int32_t count) {
    size_t size;
    const char* text = sis_live_text(page_notes, &size);
    sis_script_error wrong = {.text = "there is no scene"};
    sis_script* script = NULL;
    if (text)
        script =
            sis_script_load_text(text, size, sis_live_name(page_notes), settings, count, &wrong);
    if (!script) page_fail(wrong.text, wrong.line);
    return script;
}

/** The scene that plays as JSON in page_text; what is where is in page_layout_numbers. Settings as of
 * page_load. */
int EXPORT(page_describe)(double rate, const char* names, const double* values, int32_t count) {
    sis_error error = {.text = ""};
    sis_setting* settings = page_settings(names, values, count);
    sis_script* script = settings ? load_again(settings, count) : NULL;
    free(settings);
    if (!script) return 0;
    page_say_begin();
    page_say("{");
    say_instrument();
    say_render(sis_script_scene(script));
    say_system(sis_script_scene(script), rate, &error);
    page_say("}");
    sis_script_free(script);
    return 1;
}

// A name and its range, as JSON; numbers without a bound have null.
static void say_range(bool first, const char* name, double min, double max) {
    page_say(first ? "" : ",");
    page_say_text(name);
    page_say(":[");
    page_say_number(min);
    page_say(",");
    page_say_number(max);
    page_say("]");
}

/** What may be set in a scene, with its ranges, as JSON in page_text; 0: the sentence. */
int EXPORT(page_settable)(const char* text, size_t size, const char* name) {
    sis_script_error wrong;
    sis_script* script = sis_script_load_text(text, size, name, NULL, 0, &wrong);
    if (!script) return page_fail(wrong.text, wrong.line), 0;
    int said = 0;
    page_say_begin();
    page_say("{");
    for (int32_t i = 0; i < sis_script_param_count(script); i++) {
        sis_param p = sis_script_param(script, i);
        say_range(said++ == 0, p.name, p.min, p.max);
    }
    for (int32_t i = 0; i < sis_script_input_count(script); i++) {
        sis_input p = sis_script_input(script, i);
        if (!p.trigger) say_range(said++ == 0, p.name, p.min, p.max);
    }
    page_say("}");
    sis_script_free(script);
    return 1;
}
