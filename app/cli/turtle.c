#include "turtle.h"

#include "lv2_ports.h"
#include "sistrum/sistrum.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------- words of Turtle

/** Bytes of the character of UTF-8 that begins here; 0: none does. */
static int character(const unsigned char* at) {
    int more = at[0] < 0x80                     ? 0
               : at[0] >= 0xc2 && at[0] < 0xe0  ? 1
               : (at[0] & 0xf0) == 0xe0         ? 2
               : at[0] >= 0xf0 && at[0] <= 0xf4 ? 3
                                                : -1;
    for (int i = 1; i <= more; i++)
        if ((at[i] & 0xc0) != 0x80) return 0;
    // What would be longer than it need be, surrogates, and what is beyond the last one.
    if ((at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xed && at[1] > 0x9f) ||
        (at[0] == 0xf0 && at[1] < 0x90) || (at[0] == 0xf4 && at[1] > 0x8f))
        return 0;
    return more + 1;
}

/** A literal: any bytes become a valid one. */
static void put_text(FILE* to, const char* text) {
    fputc('"', to);
    for (const unsigned char* at = (const unsigned char*)text; *at;) {
        int size = character(at);
        if (*at == '"' || *at == '\\')
            fprintf(to, "\\%c", *at);
        else if (*at == '\n')
            fputs("\\n", to);
        else if (*at < 0x20 || *at == 0x7f)
            fprintf(to, "\\u%04X", *at);
        else if (size)
            fwrite(at, 1, (size_t)size, to);
        else
            fputs("\\uFFFD", to);
        at += size ? size : 1;
    }
    fputc('"', to);
}

/** Part of a URI. */
static void put_encoded(FILE* to, const char* text) {
    for (const unsigned char* at = (const unsigned char*)text; *at; at++) {
        if ((*at < 0x80 && isalnum(*at)) || strchr("-_.~", *at))
            fputc(*at, to);
        else
            fprintf(to, "%%%02X", *at);
    }
}

static void put_uri(FILE* to, const plugin_about* about, const char* part) {
    fputs("<" URI_PREFIX, to);
    put_encoded(to, about->stem);
    fprintf(to, "%s%s>", *part ? "#" : "", part);
}

static void put_preset_uri(FILE* to, const plugin_about* about, int32_t i) {
    fputs("<" URI_PREFIX, to);
    put_encoded(to, about->stem);
    fputs("#preset-", to);
    put_encoded(to, sis_live_preset_name(about->live, i));
    fputs(">", to);
}

/** A number that is seen to be one with a fraction. Ports are floats: what is larger than any is held
 * to the largest, and what is smaller to the smallest, which a logarithmic scale needs. */
static void put_number(FILE* to, double value) {
    char text[40];
    if (value != 0)
        value = copysign(fmin(fmax(fabs(value), (double)FLT_MIN), (double)FLT_MAX), value);
    snprintf(text, sizeof text, "%.9g", value);
    fprintf(to, "%s%s", text, strpbrk(text, ".e") ? "" : ".0");
}

// ---------------------------------------------------------------------------- symbols

static const char* const fixed_symbols[PORT_FIXED] = {
    "control",           "notify",          "out_left",           "out_right",
    "sistrum_gain",      "sistrum_limiter", "sistrum_dc_blocker", "sistrum_guard",
    "sistrum_freewheel", "sistrum_latency", "sistrum_voices",     "sistrum_load"};
static const char* const sound_symbols[] = {"in_left", "in_right", "in"};

static bool is_taken(const plugin_about* about, const char* symbol, int32_t before) {
    for (int i = 0; i < PORT_FIXED; i++)
        if (!strcmp(symbol, fixed_symbols[i])) return true;
    for (size_t i = 0; i < sizeof sound_symbols / sizeof *sound_symbols; i++)
        if (!strcmp(symbol, sound_symbols[i])) return true;
    for (int32_t i = 0; i < before; i++)
        if (!strcmp(symbol, about->symbols[i])) return true;
    return false;
}

bool turtle_symbols(plugin_about* about) {
    about->knob_count = sis_live_knob_count(about->live);
    about->symbols = calloc((size_t)about->knob_count + 1, sizeof *about->symbols);
    if (!about->symbols) return false;
    for (int32_t i = 0; i < about->knob_count; i++) {
        const char* name = sis_live_knob_at(about->live, i).name;
        char plain[SYMBOL_ROOM - 16];
        bool digit = name[0] >= '0' && name[0] <= '9';
        snprintf(plain, sizeof plain, "%s%s", digit || !*name ? "_" : "", name);
        for (char* at = plain; *at; at++)
            if (!((unsigned char)*at < 0x80 && isalnum((unsigned char)*at))) *at = '_';
        snprintf(about->symbols[i], SYMBOL_ROOM, "%s", plain);
        for (int n = 2; is_taken(about, about->symbols[i], i); n++)
            snprintf(about->symbols[i], SYMBOL_ROOM, "%s_%d", plain, n);
    }
    return true;
}

// ---------------------------------------------------------------------------- units

/** The words of LV2 for units; a scene may say the same in several ways. */
static const struct {
    const char *text, *word;
} units[] = {{"Hz", "hz"},
             {"kHz", "khz"},
             {"MHz", "mhz"},
             {"s", "s"},
             {"ms", "ms"},
             {"min", "min"},
             {"m", "m"},
             {"cm", "cm"},
             {"mm", "mm"},
             {"km", "km"},
             {"dB", "db"},
             {"%", "pc"},
             {"degree", "degree"},
             {"degrees", "degree"},
             {"\xc2\xb0", "degree"},
             {"deg", "degree"},
             {"cent", "cent"},
             {"cents", "cent"},
             {"semitone", "semitone12TET"},
             {"semitones", "semitone12TET"},
             {"octave", "oct"},
             {"octaves", "oct"},
             {"bpm", "bpm"},
             {"beats", "beat"}};

static void put_unit(FILE* to, const char* unit) {
    if (!*unit) return;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (!strcmp(unit, units[i].text)) {
            fprintf(to, " ;\n    units:unit units:%s", units[i].word);
            return;
        }
    char format[128] = "%f ";
    size_t used = 3;
    for (const char* at = unit; *at && used + 3 < sizeof format; at++) {
        format[used++] = *at;
        if (*at == '%') format[used++] = '%';
    }
    format[used] = 0;
    fputs(" ;\n    units:unit [ a units:Unit ; rdfs:label ", to);
    put_text(to, unit);
    fputs(" ; units:symbol ", to);
    put_text(to, unit);
    fputs(" ; units:render ", to);
    put_text(to, format);
    fputs(" ]", to);
}

// ---------------------------------------------------------------------------- knobs

/** What stands over a knob: the label up to its first stop, with a capital; the name where that
 * says nothing, as of "1: the key is down". */
static void make_title(const sis_live_knob* knob, char* title, size_t room) {
    size_t length = strcspn(knob->label, ";:,(\n");
    while (length && knob->label[length - 1] == ' ')
        length--;
    bool says = length > 2 && isalpha((unsigned char)knob->label[0]);
    snprintf(title, room, "%.*s", (int)(says ? length : strlen(knob->name)),
             says ? knob->label : knob->name);
    // A symbol such as K or f0 stays as the scene has it.
    if (strlen(title) > 2 && islower((unsigned char)title[0]))
        title[0] = (char)toupper((unsigned char)title[0]);
}

/** What a port of a knob and its property have in common. */
static void put_range(FILE* to, const sis_live_knob* knob) {
    double fallback = knob->trigger ? 0 : knob->fallback;
    double least = knob->trigger ? fmin(knob->min, 0) : knob->min;
    fputs(" ;\n    lv2:default ", to);
    put_number(to, fallback);
    fputs(" ;\n    lv2:minimum ", to);
    put_number(to, least);
    fputs(" ;\n    lv2:maximum ", to);
    put_number(to, knob->max);
    put_unit(to, knob->unit);
}

static void put_comment(FILE* to, const sis_live_knob* knob) {
    fputs(" ;\n    rdfs:comment ", to);
    put_text(to, knob->label);
}

static void put_property(FILE* to, const plugin_about* about, int32_t i) {
    sis_live_knob knob = sis_live_knob_at(about->live, i);
    char title[160];
    make_title(&knob, title, sizeof title);
    fputs("\n", to);
    put_uri(to, about, about->symbols[i]);
    fputs("\n    a lv2:Parameter ;\n    rdfs:label ", to);
    put_text(to, title);
    put_comment(to, &knob);
    fputs(" ;\n    rdfs:range atom:Float", to);
    put_range(to, &knob);
    fputs(" .\n", to);
}

static void put_knob(FILE* to, const plugin_about* about, int32_t i) {
    sis_live_knob knob = sis_live_knob_at(about->live, i);
    int32_t sound = sis_live_sound_inputs(about->live);
    char title[160], brief[17];
    make_title(&knob, title, sizeof title);
    snprintf(brief, sizeof brief, "%s", about->symbols[i]);
    fprintf(to,
            " , [\n    a lv2:InputPort , lv2:ControlPort ;\n    lv2:index %d ;\n    lv2:symbol "
            "\"%s\" ;\n    lv2:name ",
            PORT_FIXED + sound + i, about->symbols[i]);
    put_text(to, title);
    fprintf(to, " ;\n    lv2:shortName \"%s\"", brief);
    put_comment(to, &knob);
    put_range(to, &knob);
    fputs(" ;\n    lv2:designation ", to);
    put_uri(to, about, about->symbols[i]);
    if (knob.logarithmic && knob.min > 0) fputs(" ;\n    lv2:portProperty pprops:logarithmic", to);
    if (knob.trigger) fputs(" ;\n    lv2:portProperty pprops:trigger", to);
    if (!knob.input) fputs(" ;\n    lv2:portProperty pprops:expensive", to);
    fputs(" ;\n    pg:group ", to);
    put_uri(to, about, knob.input ? "gestures" : "instrument");
    fputs("\n  ]", to);
}

// ---------------------------------------------------------------------------- other ports

static void begin_port(FILE* to, const char* kind, int index, const char* symbol,
                       const char* name) {
    fprintf(to,
            "%s [\n    a %s ;\n    lv2:index %d ;\n    lv2:symbol \"%s\" ;\n    lv2:name \"%s\"",
            index ? " ," : "", kind, index, symbol, name);
}

static void end_port(FILE* to, const plugin_about* about, const char* group) {
    if (group) {
        fputs(" ;\n    pg:group ", to);
        put_uri(to, about, group);
    }
    fputs("\n  ]", to);
}

static void put_messages(FILE* to, const plugin_about* about) {
    begin_port(to, "lv2:InputPort , atom:AtomPort", PORT_CONTROL, fixed_symbols[PORT_CONTROL],
               sis_live_takes_notes(about->live) ? "Notes and messages" : "Messages");
    fputs(" ;\n    atom:bufferType atom:Sequence ;\n    lv2:designation lv2:control", to);
    // Controllers move inputs of every scene.
    fputs(" ;\n    atom:supports midi:MidiEvent , patch:Message", to);
    end_port(to, about, NULL);
    begin_port(to, "lv2:OutputPort , atom:AtomPort", PORT_NOTIFY, fixed_symbols[PORT_NOTIFY],
               "Answers");
    fputs(" ;\n    atom:bufferType atom:Sequence ;\n    lv2:designation lv2:control ;\n"
          "    atom:supports patch:Message ;\n    lv2:portProperty lv2:connectionOptional",
          to);
    end_port(to, about, NULL);
}

static void put_sound(FILE* to, const plugin_about* about) {
    for (int c = 0; c < 2; c++) {
        int port = PORT_LEFT + c;
        begin_port(to, "lv2:OutputPort , lv2:AudioPort", port, fixed_symbols[port],
                   c ? "Right" : "Left");
        fprintf(to, " ;\n    lv2:designation pg:%s", c ? "right" : "left");
        end_port(to, about, "out");
    }
}

/** A number in a control port that every bundle has. */
static void put_control(FILE* to, const plugin_about* about, enum lv2_port port, const char* name,
                        const char* rest) {
    bool out = port >= PORT_LATENCY;
    begin_port(to, out ? "lv2:OutputPort , lv2:ControlPort" : "lv2:InputPort , lv2:ControlPort",
               (int)port, fixed_symbols[port], name);
    fputs(" ;\n    ", to);
    fputs(rest, to);
    end_port(to, about, port == PORT_FREEWHEEL || port == PORT_LATENCY ? NULL : "sound");
}

static void put_controls(FILE* to, const plugin_about* about) {
    char gain[160];
    snprintf(gain, sizeof gain,
             "lv2:default 0.0 ;\n    lv2:minimum %d.0 ;\n    lv2:maximum %d.0 ;\n    units:unit "
             "units:db",
             GAIN_LEAST, GAIN_MOST);
    const char* on =
        "lv2:default 1 ;\n    lv2:minimum 0 ;\n    lv2:maximum 1 ;\n    lv2:portProperty "
        "lv2:toggled";
    put_control(to, about, PORT_GAIN, "Gain", gain);
    put_control(to, about, PORT_LIMITER, "Limiter", on);
    put_control(to, about, PORT_DC, "DC blocker", on);
    put_control(to, about, PORT_GUARD, "CPU guard", on);
    put_control(to, about, PORT_FREEWHEEL, "Freewheel",
                "lv2:default 0 ;\n    lv2:minimum 0 ;\n    lv2:maximum 1 ;\n"
                "    lv2:designation lv2:freeWheeling ;\n"
                "    lv2:portProperty lv2:toggled , lv2:connectionOptional , pprops:notOnGUI");
    put_control(to, about, PORT_LATENCY, "Latency",
                "lv2:default 0 ;\n    lv2:minimum 0 ;\n    lv2:maximum 65536 ;\n"
                "    lv2:designation lv2:latency ;\n    units:unit units:frame ;\n"
                "    lv2:portProperty lv2:reportsLatency , lv2:integer , lv2:connectionOptional , "
                "pprops:notOnGUI");
    put_control(to, about, PORT_VOICES, "Voices",
                "lv2:default 0 ;\n    lv2:minimum 0 ;\n    lv2:maximum 256 ;\n"
                "    lv2:portProperty lv2:integer , lv2:connectionOptional");
    put_control(to, about, PORT_LOAD, "Load",
                "lv2:default 0.0 ;\n    lv2:minimum 0.0 ;\n    lv2:maximum 100.0 ;\n"
                "    units:unit units:pc ;\n    lv2:portProperty lv2:connectionOptional");
}

static void put_sound_inputs(FILE* to, const plugin_about* about) {
    int32_t count = sis_live_sound_inputs(about->live);
    for (int32_t c = 0; c < count; c++) {
        const char* place = count == 1 ? "center" : c ? "right" : "left";
        begin_port(to, "lv2:InputPort , lv2:AudioPort", PORT_FIXED + c,
                   count == 1 ? "in" : sound_symbols[c],
                   count == 1 ? "In"
                   : c        ? "In right"
                              : "In left");
        fprintf(to, " ;\n    lv2:designation pg:%s", place);
        end_port(to, about, "in");
    }
}

// ---------------------------------------------------------------------------- files

static void put_prefixes(FILE* to) {
    fputs("@prefix atom: <http://lv2plug.in/ns/ext/atom#> .\n"
          "@prefix bufsz: <http://lv2plug.in/ns/ext/buf-size#> .\n"
          "@prefix doap: <http://usefulinc.com/ns/doap#> .\n"
          "@prefix foaf: <http://xmlns.com/foaf/0.1/> .\n"
          "@prefix log: <http://lv2plug.in/ns/ext/log#> .\n"
          "@prefix lv2: <http://lv2plug.in/ns/lv2core#> .\n"
          "@prefix midi: <http://lv2plug.in/ns/ext/midi#> .\n"
          "@prefix opts: <http://lv2plug.in/ns/ext/options#> .\n"
          "@prefix patch: <http://lv2plug.in/ns/ext/patch#> .\n"
          "@prefix pg: <http://lv2plug.in/ns/ext/port-groups#> .\n"
          "@prefix pprops: <http://lv2plug.in/ns/ext/port-props#> .\n"
          "@prefix pset: <http://lv2plug.in/ns/ext/presets#> .\n"
          "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
          "@prefix state: <http://lv2plug.in/ns/ext/state#> .\n"
          "@prefix units: <http://lv2plug.in/ns/extensions/units#> .\n"
          "@prefix urid: <http://lv2plug.in/ns/ext/urid#> .\n\n",
          to);
}

void turtle_manifest(FILE* to, const plugin_about* about) {
    put_prefixes(to);
    put_uri(to, about, "");
    fputs("\n  a lv2:Plugin ;\n  lv2:binary <" BUNDLE_BINARY "> ;\n  rdfs:seeAlso <", to);
    put_encoded(to, about->stem);
    fputs(".ttl> .\n", to);
    for (int32_t i = 0; i < sis_live_preset_count(about->live); i++) {
        fputs("\n", to);
        put_preset_uri(to, about, i);
        fputs("\n  a pset:Preset ;\n  lv2:appliesTo ", to);
        put_uri(to, about, "");
        fputs(" ;\n  rdfs:label ", to);
        put_text(to, sis_live_preset_name(about->live, i));
        fputs(" ;\n  rdfs:seeAlso <presets.ttl> .\n", to);
    }
}

static void put_group(FILE* to, const plugin_about* about, const char* symbol, const char* kind,
                      const char* name) {
    fputs("\n", to);
    put_uri(to, about, symbol);
    fprintf(to, "\n  a %s ;\n  lv2:symbol \"%s\" ;\n  lv2:name \"%s\" .\n", kind, symbol, name);
}

static void put_groups(FILE* to, const plugin_about* about) {
    int32_t sound = sis_live_sound_inputs(about->live);
    bool params = false, inputs = false;
    for (int32_t i = 0; i < about->knob_count; i++) {
        bool input = sis_live_knob_at(about->live, i).input;
        params = params || !input;
        inputs = inputs || input;
    }
    put_group(to, about, "out", "pg:StereoGroup , pg:OutputGroup", "Out");
    if (sound)
        put_group(to, about, "in",
                  sound == 1 ? "pg:MonoGroup , pg:InputGroup" : "pg:StereoGroup , pg:InputGroup",
                  "In");
    put_group(to, about, "sound", "pg:Group", "Sound");
    if (params) put_group(to, about, "instrument", "pg:InputGroup", "Instrument");
    if (inputs) put_group(to, about, "gestures", "pg:InputGroup", "Gestures");
}

static void put_head(FILE* to, const plugin_about* about) {
    int minor = 0, patch = 0;
    int32_t sound = sis_live_sound_inputs(about->live);
    sscanf(sis_version(), "%*d.%d.%d", &minor, &patch);
    put_uri(to, about, "");
    fprintf(to, "\n  a %s , lv2:Plugin , doap:Project ;\n  doap:name ",
            sound                               ? "lv2:SimulatorPlugin"
            : sis_live_takes_notes(about->live) ? "lv2:InstrumentPlugin"
                                                : "lv2:GeneratorPlugin");
    put_text(to, about->title);
    // Even numbers are releases.
    fprintf(to,
            " ;\n  doap:maintainer [ foaf:name \"Sistrum\" ] ;\n  lv2:minorVersion %d ;\n"
            "  lv2:microVersion %d ;\n  rdfs:comment ",
            2 * minor, 2 * patch);
    put_text(to, about->line);
    fputs(" ;\n  lv2:requiredFeature urid:map ;\n"
          "  lv2:optionalFeature lv2:hardRTCapable , bufsz:boundedBlockLength , opts:options , "
          "log:log ;\n"
          "  opts:supportedOption bufsz:maxBlockLength ;\n"
          "  lv2:extensionData state:interface ;\n  pg:mainOutput ",
          to);
    put_uri(to, about, "out");
    if (sound) {
        fputs(" ;\n  pg:mainInput ", to);
        put_uri(to, about, "in");
    }
    for (int32_t i = 0; about->properties && i < about->knob_count; i++) {
        fputs(i ? " , " : " ;\n  patch:writable ", to);
        put_uri(to, about, about->symbols[i]);
    }
}

void turtle_plugin(FILE* to, const plugin_about* about) {
    put_prefixes(to);
    put_head(to, about);
    fputs(" ;\n  lv2:port", to);
    put_messages(to, about);
    put_sound(to, about);
    put_controls(to, about);
    put_sound_inputs(to, about);
    for (int32_t i = 0; i < about->knob_count; i++)
        put_knob(to, about, i);
    fputs(" .\n", to);
    for (int32_t i = 0; i < about->knob_count; i++)
        put_property(to, about, i);
    put_groups(to, about);
}

void turtle_presets(FILE* to, const plugin_about* about) {
    put_prefixes(to);
    for (int32_t i = 0; i < sis_live_preset_count(about->live); i++) {
        if (!sis_live_preset_take(about->live, i)) continue;
        put_preset_uri(to, about, i);
        fputs("\n  a pset:Preset ;\n  lv2:appliesTo ", to);
        put_uri(to, about, "");
        fputs(" ;\n  rdfs:label ", to);
        put_text(to, sis_live_preset_name(about->live, i));
        const char* before = " ;\n  lv2:port";
        for (int32_t k = 0; k < about->knob_count; k++) {
            sis_live_knob knob = sis_live_knob_at(about->live, k);
            if (knob.trigger) continue;
            fprintf(to, "%s [ lv2:symbol \"%s\" ; pset:value ", before, about->symbols[k]);
            put_number(to, knob.value);
            fputs(" ]", to);
            before = " ,\n           ";
        }
        fputs(" .\n\n", to);
    }
}

void turtle_bundle(FILE* to, const plugin_about* about) {
    fputs(BUNDLE_MAGIC "uri " URI_PREFIX, to);
    put_encoded(to, about->stem);
    fputs("\nname ", to);
    put_encoded(to, about->file);
    fprintf(to, "\npeak %.15g\nsound %d\n", about->peak, (int)sis_live_sound_inputs(about->live));
    for (int32_t i = 0; i < about->knob_count; i++) {
        fprintf(to, "knob %s ", about->symbols[i]);
        put_encoded(to, sis_live_knob_at(about->live, i).name);
        fputs("\n", to);
    }
}
