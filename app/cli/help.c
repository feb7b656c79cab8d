#include "help.h"

#include "library.h"
#include "say.h"
#include "table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void help_all(void) {
    printf(
        "Sistrum: sound made by collisions.\n"
        "\n"
        "  sistrum render SCENE -o out.wav   run a scene: sound, data, energies, report\n"
        "  sistrum play SCENE                a live instrument: sound, MIDI, computer keyboard\n"
        "  sistrum check SCENE               what would run: stability, contacts, memory, speed\n"
        "  sistrum plot SCENE -o out.png     a picture of a run\n"
        "  sistrum compare SCENE             the schemes side by side: a table and a picture\n"
        "  sistrum scenes                    the installed scenes, a line each\n"
        "  sistrum params SCENE              the knobs of a scene, for --set\n"
        "  sistrum new NAME                  writes NAME.lua, a scene to start from\n"
        "  sistrum plugin SCENE... -o DIR    scenes as LV2 plugins; no compiler is needed\n"
        "  sistrum sweep SCENE -o study.db   studies of params, data sets: thousands of runs\n"
        "  sistrum fit SCENE --target S.wav  the params that come closest to a sound or to "
        "measures\n"
        "  sistrum repro [WHAT]              figures and tables of the papers, reproduced\n"
        "  sistrum bench                     what a sample costs, against the machine's limits\n"
        "  sistrum help [WORD]               help on a command or on a word of the scene language\n"
        "  sistrum help --reference          every word and key of the scene language, in "
        "Markdown;\n"
        "                                    with --json as data, for editors\n"
        "  sistrum --version\n"
        "\n"
        "SCENE is a file, or the name of an installed scene: sistrum render tanpura -o out.wav.\n"
        "A scene is a Lua file made of the words ");
    for (int k = 0; k < SIS_KIND_COUNT; k++)
        printf("%s, ", sis_kind_word((sis_kind)k));
    printf("param, preset, play, use.\n"
           "Exit codes: 0 done, 1 the run failed, 2 bad command line, 3 bad scene.\n");
}

// ---------------------------------------------------------------------------- scene words

/** Keys that a scene writes in another way than the definitions of the library. */
typedef struct spelling {
    sis_kind kind;
    const char* key;   // of the schema
    const char* shown; // NULL: it is part of another one
    const char* range;
    const char* doc;
} spelling;

static const spelling spellings[] = {
    {SIS_KIND_STRING, "gamma", "gamma", "-0.999 to 100, \"optimal\", \"tuned\"",
     "implicit only: free parameter of the scheme; default \"optimal\""},
    {SIS_KIND_STRING, "gamma_rule", NULL, "", ""},
    {SIS_KIND_PLATE, "length", "size", "{lx, ly}, each 0.001 to 1000 m", "extent along x and y"},
    {SIS_KIND_PLATE, "width", NULL, "", ""},
    {SIS_KIND_PLATE, "segments_x", "segments", "{nx, ny}, each 2 to 10000",
     "intervals of the grid along x and y; default as many as are stable"},
    {SIS_KIND_PLATE, "segments_y", NULL, "", ""},
    {SIS_KIND_MODAL, "frequency", "modes", "{{...}, ...}",
     "one table a mode: frequency (Hz), t60 (s) or sigma (1/s), mass (kg), shape: a number, or one "
     "for each place 1, 2, ..."},
    {SIS_KIND_MODAL, "sigma", NULL, "", ""},
    {SIS_KIND_MODAL, "mass", NULL, "", ""},
    {SIS_KIND_MODAL, "shape", NULL, "", ""},
    {SIS_KIND_MODAL, "points", NULL, "", ""},
    {SIS_KIND_BARRIER, "height", "height", "-1e6 to 1e6 m, or a function",
     "where it stands: a number, or along a string function(x) ... end, under a plate function(x, "
     "y) ... end"},
    {SIS_KIND_BARRIER, "profile", NULL, "", ""},
    {SIS_KIND_BARRIER, "from", "from", "0 to 10000 m, or {x, y}",
     "left end of a distributed barrier; under a plate a corner of an area. Default the whole "
     "string or plate"},
    {SIS_KIND_BARRIER, "to", "to", "0 to 10000 m, or {x, y}", "right end, or the opposite corner"},
    {SIS_KIND_BARRIER, "from_y", NULL, "", ""},
    {SIS_KIND_BARRIER, "to_y", NULL, "", ""},
    {SIS_KIND_SPRING, "a", "between", "{a, b}",
     "its two ends: masses, strings, plates, modal bodies, or \"ground\" for one of them"},
    {SIS_KIND_SPRING, "b", NULL, "", ""},
    {SIS_KIND_SPRING, "at_a", "at_a", "0 to 10000 m",
     "place of end a: metres along a string, {x, y} on a plate, the number of a modal body's "
     "place"},
    {SIS_KIND_SPRING, "at_b", "at_b", "0 to 10000 m", "the same of end b"},
    {SIS_KIND_SPRING, "at_a_y", NULL, "", ""},
    {SIS_KIND_SPRING, "at_b_y", NULL, "", ""},
    {SIS_KIND_BOW, "at_y", NULL, "", ""},
    {SIS_KIND_BOW, "force", "force", "0 to 1e9 N, or {{t, v}, ...}",
     "force of the bow on the body; an input may multiply its envelope"},
    {SIS_KIND_BOW, "force_curve", NULL, "", ""},
    {SIS_KIND_BOW, "velocity", "velocity", "-1e6 to 1e6 m/s, or {{t, v}, ...}",
     "velocity of the bow; an input may multiply its envelope"},
    {SIS_KIND_BOW, "velocity_curve", NULL, "", ""},
    {SIS_KIND_FORCE, "at_y", NULL, "", ""},
    {SIS_KIND_FORCE, "shape", "shape",
     "\"raised-cosine\", \"half-cosine\", \"impulse\", \"constant\", or {{t, v}, ...}",
     "time course"},
    {SIS_KIND_FORCE, "envelope", NULL, "", ""},
    {SIS_KIND_PLUCK, "at_y", NULL, "", ""},
    {SIS_KIND_PLUCK, "shape", "shape", "\"triangle\", \"raised-cosine\", \"mode\", or a function",
     "initial shape: a word, function(x) ... end or on a plate function(x, y) ... end, in m; "
     "plucks of one body add up"},
    {SIS_KIND_PLUCK, "profile", NULL, "", ""},
    {SIS_KIND_PLUCK, "mode", "mode", "1 to 20000, or {m, n}",
     "which mode shape; on a plate its number, or its half waves along x and y"},
    {SIS_KIND_PLUCK, "mode_y", NULL, "", ""},
    {SIS_KIND_PLUCK, "velocity", "velocity", "-1e6 to 1e6 m/s, or a function",
     "initial velocity: a number (thrown flat) or a function of the place; without shape and "
     "height it starts flat"},
    {SIS_KIND_PLUCK, "velocity_profile", NULL, "", ""},
    {SIS_KIND_GRAVITY, "on", "on", "bodies, or \"all\"",
     "a mass, string or plate, a list of them, or \"all\"; default all masses"},
    {SIS_KIND_PROBE, "at_y", NULL, "", ""},
};

/** How a scene writes a field; NULL: as the schema does. */
static const spelling* find_spelling(const sis_field* f) {
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++)
        if (spellings[i].kind == f->kind && !strcmp(spellings[i].key, f->key)) return &spellings[i];
    return NULL;
}

/** What the schema leaves open because it may be given in two ways, both of one key in a scene. */
static bool is_needed(const sis_field* f) {
    static const struct {
        sis_kind kind;
        const char* key;
    } needed[] = {{SIS_KIND_MODAL, "frequency"},
                  {SIS_KIND_BARRIER, "height"},
                  {SIS_KIND_BOW, "force"},
                  {SIS_KIND_BOW, "velocity"}};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (needed[i].kind == f->kind && !strcmp(needed[i].key, f->key)) return true;
    return false;
}

/** 1e12 for what %g writes as 1e+12. */
static void put_number(char* text, size_t room, double value) {
    char digits[32];
    snprintf(digits, sizeof digits, "%g", value);
    char* e = strchr(digits, 'e');
    char* from = e ? e + 1 + (e[1] == '+' || e[1] == '-') : NULL;
    while (from && from[0] == '0' && from[1])
        from++;
    const char* sign = e && e[1] == '-' ? "-" : "";
    if (e) *e = 0;
    snprintf(text, room, e ? "%se%s%s" : "%s", digits, sign, e ? from : "");
}

static bool is_number(const sis_field* f) {
    return f->type == SIS_FIELD_NUMBER || f->type == SIS_FIELD_INTEGER ||
           f->type == SIS_FIELD_ENVELOPE || f->type == SIS_FIELD_LIST ||
           f->type == SIS_FIELD_PROFILE;
}

void help_range(help_key* k, const sis_field* f) {
    const char* what = f->type == SIS_FIELD_FLAG   ? "true or false"
                       : f->type == SIS_FIELD_TEXT ? "text"
                                                   : "object";
    if (f->type == SIS_FIELD_WORD) {
        size_t n = 0;
        for (const char* w = f->words; *w && n + 3 < sizeof k->range; w++) {
            k->range[n++] = *w == '|' ? ',' : *w;
            if (*w == '|') k->range[n++] = ' ';
        }
        k->range[n] = 0;
    } else if (is_number(f)) {
        char min[32], max[32];
        put_number(min, sizeof min, f->min);
        put_number(max, sizeof max, f->max);
        snprintf(k->range, sizeof k->range, "%s to %s", min, max);
    } else {
        snprintf(k->range, sizeof k->range, "%s", what);
    }
}

static void put_fallback(help_key* k, const sis_field* f) {
    bool number =
        f->type == SIS_FIELD_NUMBER || (f->type == SIS_FIELD_INTEGER && f->fallback >= f->min);
    if (k->needed) return;
    if (number && !isnan(f->fallback))
        put_number(k->fallback, sizeof k->fallback, f->fallback);
    else if (f->type == SIS_FIELD_FLAG)
        snprintf(k->fallback, sizeof k->fallback, "%s", f->fallback != 0 ? "true" : "false");
    else if (f->type == SIS_FIELD_WORD)
        snprintf(k->fallback, sizeof k->fallback, "%.*s", (int)strcspn(f->words, "|"), f->words);
}

bool help_of_key(const sis_field* f, help_key* k) {
    const spelling* own = find_spelling(f);
    if (own && !own->shown) return false;
    *k = (help_key){.key = own ? own->shown : f->key,
                    .unit = f->unit,
                    .doc = own ? own->doc : f->doc,
                    .number = is_number(f),
                    .word = f->type == SIS_FIELD_WORD && !own,
                    .spelled = own != NULL,
                    .needed = f->required || is_needed(f),
                    .live = sis_field_live(f)};
    if (own)
        snprintf(k->range, sizeof k->range, "%s", own->range);
    else
        help_range(k, f);
    put_fallback(k, f);
    return true;
}

static void help_kind(sis_kind kind) {
    int32_t count = 0;
    const sis_field* schema = sis_schema(&count);
    table t = {0};
    for (int32_t i = 0; i < count; i++) {
        help_key k;
        if (schema[i].kind != kind || !help_of_key(&schema[i], &k)) continue;
        bool unit = k.number && !k.spelled && *k.unit;
        table_row(&t);
        table_cell(&t, 0, "%s", k.key);
        table_cell(&t, 1, "%s%s%s", k.range, unit ? " " : "", unit ? k.unit : "");
        if (k.needed)
            table_cell(&t, 2, "needed");
        else if (*k.fallback)
            table_cell(&t, 2, "default %s", k.fallback);
        table_cell(&t, 3, "%s%s", k.live ? "live: " : "", k.doc);
    }
    char heading[32];
    snprintf(heading, sizeof heading, "%s{}", sis_kind_word(kind));
    table_print(&t, heading);
}

/** A form that the table of its keys does not show, before the table. */
static void help_form(sis_kind kind) {
    if (kind != SIS_KIND_INPUT) return;
    printf(
        "input{ \"NAME\", VALUE, min =, max =, unit =, label =, smooth = }\n"
        "input{ \"NAME\", trigger = true }\n"
        "A number that the player moves while it sounds. Returns a value that may be scaled and\n"
        "shifted (2 * press + 0.1) and given to any key that sistrum help WORD marks as live;\n"
        "a trigger is given to 'trigger' of force{}, mass{} and bow{}. The force and the velocity\n"
        "of a bow may be an envelope times such a value: press * {{0, 0}, {0.05, 1}}.\n"
        "--set NAME=VALUE says where it starts, --input NAME=FILE.csv how it moves.\n\n");
}

static void help_play(void) {
    printf(
        "play{ pitch = \"NAME\", velocity = \"NAME\", gate = \"NAME\", ... }\n"
        "How notes play the scene: names of params that a note sets, and of inputs that it moves.\n"
        "  pitch       a param or an input with unit = \"Hz\"\n"
        "  velocity    a param with min and max, or an input: 0 .. 1 goes from one to the other; "
        "an\n"
        "              input with trigger = true is struck\n"
        "  gate        an input: 1 while the key is down, then 0\n"
        "  pressure    an input: aftertouch of channels and keys\n"
        "  bend        an input: the wheel; a plain number around 1 is a factor of the frequency\n"
        "  bend_range  semitones of the whole wheel, 0 to 96; default 2\n"
        "  pedal       an input: the sustain pedal, the same as cc = { [64] = \"NAME\" }\n"
        "  cc          { [1] = \"NAME\", [74] = \"NAME\" }: inputs that controllers move\n"
        "  mode        \"voices\" (default), \"keys\": a key that sounds is struck again, or "
        "\"mono\"\n"
        "  courses     { { lowest = \"E2\", highest = \"E4\", pitch =, velocity =, gate = }, ... "
        "}:\n"
        "              strings of one state\n"
        "  voices      how many states sound at a time, 1 to 256; default 16\n"
        "  tail        dB, 1 to 300; default 60: a voice ends when its energy is so far below its\n"
        "              maximum\n"
        "  sound       an input, or { \"LEFT\", \"RIGHT\" }: sound from outside moves it; full "
        "scale\n"
        "              is the larger end of its range\n"
        "  release     s, 0.001 to 60: after its end a note fades by 60 dB in this time; not "
        "given:\n"
        "              it rings on\n");
}

static void help_use(void) {
    printf("use \"FILE\", use{ \"FILE\", name =, size =, decay =, highest = }\n"
           "Adds a body of the shipped library to the scene and returns it:\n");
    const sis_library_file* file;
    for (int32_t i = 0; (file = sis_library_at(i)); i++)
        printf("  %-18s %s\n", file->name, file->what);
    printf("The numbers are places, as in spring{ between = { s, body }, at_b = 1 }.\n"
           "  name     of the body in this scene\n"
           "  size     0.1 to 10; default 1: its lengths against the body as it is\n"
           "  decay    0.01 to 100; default 1: how long its modes ring against the body as it is\n"
           "  highest  Hz, 1000 to 90000; default 5000: modes above are left out\n");
}

/** Help on a command; false: there is none of that name. Its words go into `all`. */
static bool help_on_command(const char* word, const char** all, int* count) {
    const command_word* row;
    for (int i = 0; (row = command_at(i)); i++) {
        all[(*count)++] = row->word;
        if (strcmp(word, row->word) != 0) continue;
        help_command(row->bit);
        return true;
    }
    return false;
}

/** The same for the words of a scene. render{} is also a command, which is found first. */
static bool help_on_word(const char* word, const char** all, int* count) {
    for (int k = 0; k < SIS_KIND_COUNT; k++) {
        all[(*count)++] = sis_kind_word((sis_kind)k);
        if (strcmp(word, sis_kind_word((sis_kind)k)) != 0) continue;
        help_form((sis_kind)k);
        help_kind((sis_kind)k);
        return true;
    }
    all[(*count)++] = "param";
    all[(*count)++] = "play";
    all[(*count)++] = "preset";
    all[(*count)++] = "use";
    if (!strcmp(word, "use")) {
        help_use();
        return true;
    }
    if (!strcmp(word, "preset")) {
        printf("preset{ \"NAME\", K = 1e7, press = 2, ... }\n"
               "A set of values of params and inputs under one name: --preset NAME takes them.\n");
        return true;
    }
    if (!strcmp(word, "play")) {
        help_play();
        return true;
    }
    if (strcmp(word, "param") != 0) return false;
    printf("param{ \"NAME\", VALUE, min =, max =, unit =, scale = \"log\", label = }\n"
           "A number the user may change with --set NAME=VALUE. Returns its value.\n");
    return true;
}

int help_word(const char* word) {
    const char* all[32 + SIS_KIND_COUNT];
    int count = 0;
    if (!word) {
        help_all();
        return finish_output();
    }
    // render{} and play{} are words of a scene, render and play are commands.
    char bare[64];
    size_t length = strlen(word);
    bool scene_word = length > 2 && length < sizeof bare && !strcmp(word + length - 2, "{}");
    snprintf(bare, sizeof bare, "%.*s", (int)(length - (scene_word ? 2 : 0)), word);
    if (scene_word && help_on_word(bare, all, &count)) return finish_output();
    if (help_on_command(word, all, &count) || help_on_word(word, all, &count))
        return finish_output();
    const char* guess = closest(word, all, count);
    if (guess) return complain(EXIT_USAGE, "no help on '%s' (did you mean '%s'?)", word, guess);
    return complain(EXIT_USAGE, "no help on '%s'; sistrum help lists the words", word);
}
