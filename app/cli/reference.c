// sistrum help --reference: docs/scene-reference.md, every word and key of the scene language. The
// keys come from the schema; what it does not hold (param, the parts of a mode) and the examples
// stand here.

#include "reference.h"

#include "help.h"
#include "library.h"
#include "say.h"

#include <stdio.h>
#include <string.h>

typedef struct word_page {
    const char* group; // NULL: the same as before
    sis_kind kind;
    const char* what;    // after the word in the heading
    const char* example; // a scene that runs
} word_page;

static const word_page pages[] = {
    {"Bodies", SIS_KIND_MASS, "a point mass",
     "-- A mass on a 3 Hz spring, let go 10 mm above its rest.\n"
     "local m = mass { mass = 0.2, frequency = 3, damping = 0.5, position = 0.01 }\n"
     "probe { on = m, quantity = \"displacement\" }\n"},
    {NULL, SIS_KIND_STRING, "a stiff string with losses",
     "-- A steel string, plucked.\n"
     "local s = string { length = 0.65, tension = 70, material_density = 7850, radius = 2e-4,\n"
     "                   youngs = 2e11, t60 = { { 100, 4 }, { 2000, 1.5 } } }\n"
     "pluck { on = s, at = 0.52, height = 2e-3 }\n"
     "probe { on = s, at = 0.6, quantity = \"velocity\" }\n"},
    {NULL, SIS_KIND_PLATE, "a thin rectangular plate or membrane",
     "-- A steel plate, tapped by a force of one millisecond.\n"
     "local p = plate { size = { 0.4, 0.3 }, thickness = 1e-3, material_density = 7850,\n"
     "                  youngs = 2e11, sigma0 = 1.5, sigma1 = 2e-3 }\n"
     "force { on = p, at = { 0.13, 0.11 }, peak = 5, width = 1e-3 }\n"
     "probe { on = p, at = { 0.35, 0.05 }, quantity = \"velocity\" }\n"},
    {NULL, SIS_KIND_MODAL, "any body given by its modes",
     "-- A bar with two places: struck at the first, heard at the second.\n"
     "local bar = modal { modes = {\n"
     "  { frequency = 440, t60 = 1.5, mass = 0.03, shape = { 1, 0.7 } },\n"
     "  { frequency = 1213, sigma = 9, mass = 0.03, shape = { 1, -0.4 } },\n"
     "} }\n"
     "force { on = bar, at = 1, peak = 10, width = 5e-4 }\n"
     "probe { on = bar, at = 2, quantity = \"velocity\" }\n"},
    {NULL, SIS_KIND_BARRIER, "a rigid obstacle",
     "-- A bridge along a part of a string, as a function of the place.\n"
     "local s = string { length = 1, tension = 500, density = 0.063, sigma0 = 0.6 }\n"
     "local bridge = barrier { height = function(x) return -1e-4 - 1e-3 * x ^ 2 end, to = 0.4 }\n"
     "contact { above = s, below = bridge, K = 5e6, alpha = 1.4 }\n"
     "pluck { on = s, at = 0.75, height = 1e-3 }\n"
     "probe { on = s, at = 0.9, quantity = \"velocity\" }\n"},
    {"What joins them", SIS_KIND_CONTACT, "a collision",
     "-- A ball thrown against a wall.\n"
     "local ball = mass { mass = 0.01, position = -1e-3, velocity = 1 }\n"
     "local wall = barrier { height = 0 }\n"
     "contact { above = wall, below = ball, K = 1e7, alpha = 1.5, damping = 0.2 }\n"
     "probe { on = ball, quantity = \"force\" }\n"},
    {NULL, SIS_KIND_SPRING, "a permanent connection",
     "-- Two masses on a spring that gets stiffer as it stretches.\n"
     "local a, b = mass { mass = 0.1 }, mass { mass = 0.1, velocity = 1 }\n"
     "spring { between = { a, b }, K1 = 1e4, K3 = 1e9, damping = 0.5 }\n"
     "probe { on = b, quantity = \"velocity\" }\n"},
    {"What moves them", SIS_KIND_BOW, "friction",
     "-- A string bowed with a stroke that begins softly.\n"
     "local s = string { length = 0.65, tension = 70, density = 4e-3, sigma0 = 0.5, sigma1 = 1e-3 "
     "}\n"
     "bow { on = s, at = 0.08, force = { { 0, 0 }, { 0.05, 0.4 } }, velocity = 0.2 }\n"
     "probe { on = s, at = 0.6, quantity = \"velocity\" }\n"},
    {NULL, SIS_KIND_FORCE, "an external force",
     "-- A push of two milliseconds, and a second one that is drawn as a curve.\n"
     "local m = mass { mass = 0.05, frequency = 110, damping = 3 }\n"
     "force { on = m, peak = 4, width = 2e-3 }\n"
     "force { on = m, shape = { { 0, 0 }, { 0.01, 1 }, { 0.011, 0 } }, peak = 2, start = 0.4 }\n"
     "probe { on = m, quantity = \"velocity\" }\n"},
    {NULL, SIS_KIND_PLUCK, "how a string or plate starts",
     "-- The second mode, and a kick that falls off along the string.\n"
     "local s = string { length = 0.65, tension = 70, density = 4e-3, sigma0 = 0.5 }\n"
     "pluck { on = s, shape = \"mode\", mode = 2, height = 2e-3 }\n"
     "pluck { on = s, velocity = function(x) return 0.5 * (1 - x / 0.65) end }\n"
     "probe { on = s, at = 0.2, quantity = \"velocity\" }\n"},
    {NULL, SIS_KIND_GRAVITY, "constant acceleration",
     "-- A ball falls on the floor.\n"
     "local ball, floor = mass { mass = 0.01, position = 0.1 }, barrier { height = 0 }\n"
     "contact { above = ball, below = floor, K = 1e8, alpha = 1.5 }\n"
     "gravity { g = 1.62 } -- on the Moon\n"
     "probe { on = ball, quantity = \"displacement\" }\n"},
    {"What comes out", SIS_KIND_PROBE, "an output",
     "-- Left ear at one end of a string, right ear at the other.\n"
     "local s = string { length = 0.65, tension = 70, density = 4e-3, sigma0 = 0.5 }\n"
     "pluck { on = s, at = 0.2, height = 2e-3 }\n"
     "probe { on = s, at = 0.1, quantity = \"velocity\", channel = 1, name = \"left\" }\n"
     "probe { on = s, at = 0.55, quantity = \"velocity\", channel = 2, name = \"right\" }\n"},
    {NULL, SIS_KIND_RENDER, "defaults of the run",
     "-- Half a second at 48 kHz, two steps a sample.\n"
     "local m = mass { mass = 0.1, frequency = 440, position = 0.01, damping = 4 }\n"
     "probe { on = m, quantity = \"displacement\" }\n"
     "render { rate = 48000, oversample = 2, duration = 0.5, title = \"A\", normalise = true }\n"},
    {"What the player turns", SIS_KIND_INPUT, "a number that moves while it sounds",
     "-- sistrum render SCENE --input press=curve.csv --input knock=blows.csv plays it.\n"
     "local press = input { \"press\", 0.4, min = 0, max = 2, unit = \"N\", smooth = 0.01 }\n"
     "local knock = input { \"knock\", trigger = true, max = 5 }\n"
     "local s = string { length = 0.65, tension = 70, density = 4e-3, sigma0 = 0.5, sigma1 = 1e-3 "
     "}\n"
     "bow { on = s, at = 0.08, force = press, velocity = 0.1 + 0.05 * press }\n"
     "force { on = s, at = 0.3, peak = 2, width = 1e-3, trigger = knock }\n"
     "probe { on = s, at = 0.6, quantity = \"velocity\" }\n"},
};

static const char param_example[] =
    "-- sistrum render SCENE --set K=1e8 plays it harder.\n"
    "local K = param { \"K\", 1e7, min = 1e5, max = 1e9, scale = \"log\",\n"
    "                  unit = \"N/m^alpha\", label = \"hardness\" }\n"
    "local ball, floor = mass { mass = 0.01, position = 0.1 }, barrier { height = 0 }\n"
    "contact { above = ball, below = floor, K = K, alpha = 1.5 }\n"
    "gravity {}\n"
    "probe { on = ball, quantity = \"force\" }\n";

static const char play_example[] =
    "-- A string that takes notes: its pitch and how far it is plucked are what a note says.\n"
    "local f0 = param { \"f0\", 220, min = 55, max = 1760, unit = \"Hz\", scale = \"log\" }\n"
    "local pull = param { \"pull\", 1e-3, min = 1e-4, max = 3e-3, unit = \"m\", scale = \"log\" }\n"
    "local s = string { length = 140 / f0, frequency = f0, density = 1e-3, sigma0 = 1 }\n"
    "pluck { on = s, at = 30 / f0, height = pull }\n"
    "probe { on = s, at = 120 / f0, quantity = \"velocity\" }\n"
    "play { pitch = \"f0\", velocity = \"pull\", release = 0.3 }\n";

/** A key that no row of the schema stands for. */
typedef struct own_key {
    const char *key, *unit, *range, *fallback, *doc;
} own_key;

static const own_key param_keys[] = {
    {"1: the name", "", "text of 1 to 63 bytes without =", "needed",
     "what --set NAME=VALUE calls it; used once in a scene"},
    {"2: the value", "its own", "any finite number", "needed", "what it is when nothing is set"},
    {"min", "its own", "any finite number", "no bound", "least value that may be set"},
    {"max", "its own", "any finite number", "no bound", "largest value that may be set"},
    {"unit", "", "text of up to 31 bytes", "", "its unit, for people and messages"},
    {"scale", "", "\"linear\", \"log\"", "\"linear\"",
     "log: equal turns of a knob are equal ratios; needs min > 0"},
    {"label", "", "text of up to 127 bytes", "its name", "what it is called on a knob"},
};

static const char preset_example[] =
    "-- sistrum render SCENE --preset Stone plays it; --preset Stone --set drop=0.3 from higher "
    "up.\n"
    "local K = param { \"K\", 1e6, min = 1e4, max = 1e9, scale = \"log\" }\n"
    "local drop = param { \"drop\", 0.1, min = 0.01, max = 1, unit = \"m\" }\n"
    "local ball, floor = mass { mass = 0.01, position = drop }, barrier { height = 0 }\n"
    "contact { above = ball, below = floor, K = K, alpha = 1.5 }\n"
    "gravity {}\n"
    "probe { on = ball, quantity = \"force\" }\n"
    "preset { \"Rubber\", K = 2e4 }\n"
    "preset { \"Stone\", K = 1e8, drop = 0.05 }\n";

static const own_key preset_keys[] = {
    {"1: the name", "", "text of 1 to 63 bytes", "needed",
     "what --preset calls it; at most 64 in a scene"},
    {"NAME", "its own", "that of the param or input", "as the scene has it",
     "the value of the param or input of that name, which may be declared after it; no trigger"},
};

static const char use_example[] =
    "-- A string over the bridge of a guitar: the top is heard.\n"
    "local s = string { length = 0.66, frequency = 110, density = 4e-3, radius = 3e-4, youngs = "
    "5e9,\n"
    "                   t60 = { { 100, 6 }, { 3000, 1.5 } } }\n"
    "local body = use { \"bodies/guitar\", size = 0.9 } -- or: use \"bodies/guitar\"\n"
    "spring { between = { s, body }, at_a = 0.65, at_b = 1, K1 = 1e6 }\n"
    "pluck { on = s, at = 0.55, height = 2e-3 }\n"
    "probe { on = body, at = 2, quantity = \"velocity\" }\n";

static const own_key use_keys[] = {
    {"1: the file", "", NULL, "needed",
     "of the shipped library; sistrum help use tells their places"}, // its range: walk_use
    {"name", "", "text", "that of the file", "name of the body; used once in a scene"},
    {"size", "", "0.1 to 10", "1", "its lengths against the body as it is"},
    {"decay", "", "0.01 to 100", "1",
     "how long its modes ring against the body as it is; at least 1 ms"},
    {"highest", "Hz", "1000 to 90000", "5000", "modes above are left out"},
};

static const own_key play_keys[] = {
    {"name", "", "text", "", "name; accepted but unused"},
    {"pitch", "", "name of a param or an input", "",
     "with unit = \"Hz\": a note sets it to its frequency"},
    {"velocity", "", "name of a param or an input", "",
     "velocity 0 to 1 goes from its min to its max, along the scale of a param; an input with "
     "trigger = true is struck"},
    {"gate", "", "name of an input", "", "1 while the key is down, then 0"},
    {"pressure", "", "name of an input", "",
     "aftertouch of the channel or of the key, 0 to 127 from its min to its max"},
    {"bend", "", "name of an input", "",
     "the wheel: a factor of the frequency where 0 < min <= 1 <= max and it has no unit, else in "
     "its unit (\"semitones\", \"cents\") or over its range"},
    {"bend_range", "semitones", "0 to 96", "2",
     "what the whole wheel bends, unless the song says it"},
    {"pedal", "", "name of an input", "",
     "the sustain pedal, cc[64]: it then holds no gates any more"},
    {"cc", "", "{ [1] = name of an input, ... }", "",
     "controllers 0 to 119, 0 to 127 from its min to its max"},
    {"mode", "", "\"voices\", \"keys\", \"mono\"", "\"voices\"",
     "each note a state of its own; a key that sounds is struck again; one state for all, legato"},
    {"courses", "", "{ { lowest =, highest =, pitch =, velocity =, gate = }, ... }", "",
     "strings of one state, at most 32: notes that each reaches, \"E2\" or a MIDI key, and its "
     "inputs"},
    {"sound", "", "name of an input, or { left, right }", "",
     "sound from outside moves it: full scale is the larger of |min| and |max|, and 0 is in its "
     "range; with sound alone no notes play it"},
    {"voices", "", "1 to 256", "16",
     "how many notes sound at a time; one more fades the quietest in 5 ms"},
    {"tail", "dB", "1 to 300", "60",
     "a voice ends when its stored energy is so far below its maximum"},
    {"release", "s", "0.001 to 60", "",
     "after note-off the voice fades by 60 dB in this time; default it rings on"},
};

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

// ---------------------------------------------------------------------------- every word and key

static void walk_key(const reference_printer* to, const sis_field* field) {
    help_key k;
    if (!help_of_key(field, &k)) return;
    bool list_of_modes = k.range[0] == '{' && k.range[1] == '{';
    to->key(to->self, &(reference_key){.key = k.key,
                                       .unit = k.number && !list_of_modes ? k.unit : "",
                                       .range = k.range,
                                       .fallback = k.needed ? "needed" : k.fallback,
                                       .doc = k.doc,
                                       .words = k.word,
                                       .live = k.live});
}

static const sis_field* find_field(sis_kind kind, const char* key) {
    int32_t count = 0;
    const sis_field* schema = sis_schema(&count);
    for (int32_t i = 0; i < count; i++)
        if (schema[i].kind == kind && !strcmp(schema[i].key, key)) return &schema[i];
    return NULL;
}

/** What a scene writes inside `modes`: lists of the schema, one number a mode. */
static void walk_modes(const reference_printer* to) {
    static const struct {
        sis_kind kind; // a decay time has the range that those of strings have
        const char *key, *fallback, *doc;
    } parts[] = {
        {SIS_KIND_MODAL, "frequency", "needed", "of the mode without loss; 0: free to go"},
        {SIS_KIND_STRING, "t60", "no loss", "time to fall by 60 dB: sigma = 3 ln 10/T60; or"},
        {SIS_KIND_MODAL, "sigma", "0", "loss of the mode; by key only"},
        {SIS_KIND_MODAL, "mass", "needed", "modal mass"},
        {SIS_KIND_MODAL, "shape", "1",
         "how much the mode moves at each place: a number, or a list with one a place"},
    };
    to->parts(to->self, "modes");
    for (int i = 0; i < COUNT(parts); i++) {
        const sis_field* f = find_field(parts[i].kind, parts[i].key);
        help_key k = {.key = parts[i].key};
        if (!f) continue;
        help_range(&k, f);
        to->key(to->self, &(reference_key){.key = k.key,
                                           .unit = f->unit,
                                           .range = k.range,
                                           .fallback = parts[i].fallback,
                                           .doc = parts[i].doc});
    }
}

static void walk_page(const reference_printer* to, const word_page* page) {
    int32_t count = 0;
    const sis_field* schema = sis_schema(&count);
    to->word(to->self, page->group, sis_kind_word(page->kind), page->what);
    for (int32_t i = 0; i < count; i++)
        if (schema[i].kind == page->kind) walk_key(to, &schema[i]);
    if (page->kind == SIS_KIND_MODAL) walk_modes(to);
    to->example(to->self, page->example);
}

static void walk_own(const reference_printer* to, const char* word, const char* what,
                     const own_key* keys, int count, const char* example) {
    to->word(to->self, NULL, word, what);
    for (const own_key* k = keys; k < keys + count; k++)
        to->key(to->self, &(reference_key){.key = k->key,
                                           .unit = k->unit,
                                           .range = k->range,
                                           .fallback = k->fallback,
                                           .doc = k->doc});
    to->example(to->self, example);
}

static void walk_use(const reference_printer* to) {
    char files[256] = "";
    const sis_library_file* file;
    for (int32_t i = 0; (file = sis_library_at(i)); i++) {
        size_t length = strlen(files);
        snprintf(files + length, sizeof files - length, "%s\"%s\"", i ? ", " : "", file->name);
    }
    own_key keys[COUNT(use_keys)];
    memcpy(keys, use_keys, sizeof keys);
    keys[0].range = files;
    walk_own(to, "use", "a body of the shipped library", keys, COUNT(use_keys), use_example);
}

void reference_walk(const reference_printer* to) {
    for (int i = 0; i < COUNT(pages); i++) {
        walk_page(to, &pages[i]);
        if (pages[i].kind == SIS_KIND_MODAL) walk_use(to); // it adds such a body
    }
    walk_own(to, "param", "a number the user may change", param_keys, COUNT(param_keys),
             param_example);
    walk_own(to, "preset", "values of params and inputs under one name", preset_keys,
             COUNT(preset_keys), preset_example);
    walk_own(to, "play", "how notes play it", play_keys, COUNT(play_keys), play_example);
}

// ---------------------------------------------------------------------------- Markdown

/** Text inside a cell of a table. */
static void put_cell(const char* text) {
    for (; *text; text++) {
        if (*text == '|') putchar('\\');
        putchar(*text);
    }
}

/** a, b -> "a", "b" */
static void put_quoted(const char* words) {
    putchar('"');
    for (; *words; words++) {
        if (*words == ',') putchar('"');
        putchar(*words);
        if (*words == ' ') putchar('"');
    }
    putchar('"');
}

static void put_key(void* self, const reference_key* k) {
    (void)self;
    printf("| `%s` | %s%s| ", k->key, k->unit, *k->unit ? " " : "");
    (k->words ? put_quoted : put_cell)(k->range);
    printf(" | ");
    if (k->words)
        put_quoted(k->fallback);
    else
        printf("%s", k->fallback);
    printf("%s| %s", *k->fallback || k->words ? " " : "", k->live ? "*live*: " : "");
    put_cell(k->doc);
    printf(" |\n");
}

static void put_head(void) {
    printf("| key | unit | range | default | meaning |\n|---|---|---|---|---|\n");
}

static void put_word(void* self, const char* group, const char* word, const char* what) {
    (void)self;
    if (group) printf("\n## %s\n", group);
    printf("\n### `%s{}`: %s\n\n", word, what);
    put_head();
}

static void put_parts(void* self, const char* of) {
    (void)self;
    (void)of;
    printf("\nEach mode, by key or by position (`frequency`, `t60`, `mass`, `shape`):\n\n");
    put_head();
}

static void put_example(void* self, const char* scene) {
    (void)self;
    printf("\n```lua\n%s```\n", scene);
}

int help_reference(void) {
    printf(
        "# Scene reference: every word and every key\n\n"
        "Printed by `sistrum help --reference`; `tools/reference.sh` writes it here. "
        "[scenes.md](scenes.md) describes how\n"
        "words work together, what an envelope, a place and a list are, and what each method "
        "means; `sistrum help WORD`\n"
        "prints one of these tables.\n\n"
        "An empty unit is a number without a dimension, or no number. An empty default: not given "
        "unless you give it.\n"
        "Ranges include their ends. Of a list, an envelope or a function the range holds for each "
        "value.\n"
        "A key that is marked *live* may follow an "
        "[input](#input-a-number-that-moves-while-it-sounds) "
        "while it sounds;\n"
        "[gestures.md](gestures.md) describes how.\n");
    reference_walk(&(reference_printer){NULL, put_word, put_key, put_parts, put_example});
    return finish_output();
}
