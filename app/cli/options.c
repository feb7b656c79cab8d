#include "options.h"

#include "cast.h"
#include "say.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const command_word command_words[] = {
    {"render", COMMAND_RENDER}, {"play", COMMAND_PLAY},       {"check", COMMAND_CHECK},
    {"plot", COMMAND_PLOT},     {"compare", COMMAND_COMPARE}, {"scenes", COMMAND_SCENES},
    {"params", COMMAND_PARAMS}, {"new", COMMAND_NEW},         {"plugin", COMMAND_PLUGIN},
    {"sweep", COMMAND_SWEEP},   {"fit", COMMAND_FIT},         {"repro", COMMAND_REPRO},
    {"bench", COMMAND_BENCH},
};

const command_word* command_at(int i) {
    bool exists = i >= 0 && i < (int)(sizeof command_words / sizeof *command_words);
    return exists ? &command_words[i] : NULL;
}

typedef enum option_kind { TEXT, NUMBER, WHOLE, SETTING, CURVE, AXIS, TARGET, FLAG } option_kind;

/** One option: where it is valid, what it takes, where it goes, what it says of itself. */
typedef struct option {
    const char* name;  // with two dashes
    const char* brief; // with one dash, or NULL
    const char* value; // in the help, NULL: none
    option_kind kind;
    int commands;
    size_t offset; // in options
    double min, max;
    const char* unit;
    const char* doc;
} option;

#define AT(member) offsetof(options, member)
#define ONE        (COMMAND_RENDER | COMMAND_CHECK | COMMAND_PLOT) // run at a time
#define ALL        (ONE | COMMAND_COMPARE)
#define TUNED      (ALL | COMMAND_PLAY)
#define STUDY      (COMMAND_SWEEP | COMMAND_FIT)
#define RUN        (ALL | STUDY)
#define ALONE      (1 << 30) // not shown by sistrum-mpi, which reads the options of sweep

static const option table[] = {
    {"--out", "-o", "FILE", TEXT, COMMAND_RENDER, AT(out), 0, 0, "",
     "sound: .wav or .flac; of several scenes: a folder"},
    {"--normalise", NULL, "on|off", TEXT, COMMAND_RENDER, AT(normalise_word), 0, 0, "",
     "peak at -1 dBFS; notes: loudest key at velocity 1 (default as the scene has it)"},
    {"--gain", NULL, "DB", NUMBER, COMMAND_RENDER, AT(gain), -200, 200, "dB",
     "louder or softer, after normalising (default 0)"},
    {"--bits", NULL, "16|24|32f", TEXT, COMMAND_RENDER, AT(bits_word), 0, 0, "",
     "of a sample; 16 and 24 are dithered (default 32f, FLAC: 24)"},
    {"--out", "-o", "FILE", TEXT, COMMAND_PLOT, AT(out), 0, 0, "", "picture: .png, .svg or .pdf"},
    {"--schemes", NULL, "A,B,...", TEXT, COMMAND_COMPARE, AT(scheme_list), 0, 0, "",
     "schemes to compare (default: all that the scene takes)"},
    {"--out", "-o", "FILE", TEXT, COMMAND_COMPARE, AT(out), 0, 0, "",
     "picture of the runs: .png, .svg or .pdf"},
    {"--data", NULL, "FILE", TEXT, COMMAND_RENDER, AT(data), 0, 0, "",
     "all probes, float64 [sample][probe]: .npy (NumPy), .h5 (HDF5), .mat (Matlab) or .csv"},
    {"--energy", NULL, "FILE", TEXT, COMMAND_RENDER, AT(energy), 0, 0, "",
     "energy balance of every sample as CSV, or .npy, .h5 or .mat"},
    {"--checkpoint", NULL, "FILE", TEXT, COMMAND_RENDER, AT(checkpoint), 0, 0, "",
     "from time to time puts down where the run is, so that it can go on after it was killed"},
    {"--resume", NULL, "FILE", TEXT, COMMAND_RENDER, AT(resume), 0, 0, "",
     "goes on with the run of that checkpoint, to the same bytes; all else as it was typed then"},
    {"--every", NULL, "SECONDS", NUMBER, COMMAND_RENDER, AT(every), 0, 1e6, "s",
     "of time between checkpoints (default 60)"},
    {"--json", NULL, "FILE", TEXT, COMMAND_RENDER, AT(json), 0, 0, "",
     "report of the run; max and residual_max of every 256th step and the last, with --energy of "
     "all"},
    {"--json", NULL, "FILE", TEXT, COMMAND_COMPARE, AT(json), 0, 0, "",
     "the numbers of the table; \"-\" prints them instead of it"},
    {"--reference", NULL, "N", WHOLE, COMMAND_COMPARE, AT(reference), 2, 1024, "",
     "steps of the reference run per step of the others (default 32; strings: "
     "8, plates: 4)"},
    {"--from", NULL, "SECONDS", NUMBER, COMMAND_COMPARE, AT(from), 0, 1e6, "s",
     "first time compared (default 0)"},
    {"--to", NULL, "SECONDS", NUMBER, COMMAND_COMPARE, AT(to), 0, 1e6, "s",
     "last time compared (default the duration)"},
    {"--what", NULL, "SUBJECT", TEXT, COMMAND_PLOT, AT(what), 0, 0, "",
     "energy (default), signal, phase, penetration, hysteresis, contact, snapshots, plate, "
     "bow, spectrum or spectrogram"},
    {"--times", NULL, "T,T,...", TEXT, COMMAND_PLOT, AT(time_list), 0, 0, "",
     "snapshots and plate: seconds (default: six in the first period of the string or plate)"},
    {"--window", NULL, "SECONDS", NUMBER, COMMAND_PLOT, AT(window), 0, 1e6, "s",
     "spectrum and spectrogram: length of the windows that are analysed (default 1 s; spectrogram: "
     "45 ms, or six periods of the lowest string)"},
    {"--axis", NULL, "AXIS", TEXT, COMMAND_PLOT, AT(axis), 0, 0, "",
     "spectrum: log (default) or linear frequencies"},
    {"--x", NULL, "NAME", TEXT, COMMAND_PLOT, AT(x), 0, 0, "",
     "of a study: param or measure to the right (default its first param)"},
    {"--y", NULL, "NAME", TEXT, COMMAND_PLOT, AT(y), 0, 0, "",
     "of a study: param or measure upwards (default its first measure)"},
    {"--colour", NULL, "NAME", TEXT, COMMAND_PLOT, AT(colour), 0, 0, "",
     "of a study: lines or points of other colours, or a map over two params"},
    {"--pareto", NULL, "X,Y", TEXT, COMMAND_PLOT, AT(pareto), 0, 0, "",
     "of a study: the front of its runs; of x and of y min or max is better: min,max"},
    {"--from", NULL, "SECONDS", NUMBER, COMMAND_PLOT, AT(from), 0, 1e6, "s",
     "first time shown (default 0)"},
    {"--to", NULL, "SECONDS", NUMBER, COMMAND_PLOT, AT(to), 0, 1e6, "s",
     "last time shown (default the duration)"},
    {"--out", "-o", "FILE.db", TEXT, COMMAND_SWEEP, AT(out), 0, 0, "",
     "database of the study; the same command goes on where it was"},
    {"--out", "-o", "FILE.db", TEXT, COMMAND_FIT, AT(out), 0, 0, "",
     "database of the fit (default SCENE-fit.db); the same command goes on where it was"},
    {"--target", NULL, "WHAT", TARGET, COMMAND_FIT, 0, 0, 0, "",
     "a sound (.wav or .flac), or measures: centroid=1200,t60=1.5; may be repeated"},
    {"--free", NULL, "A,B,...", TEXT, COMMAND_FIT, AT(free_list), 0, 0, "",
     "what is sought, over its whole range: params, inputs, note, velocity"},
    {"--axis", NULL, "NAME=from:to", AXIS, COMMAND_FIT, 0, 0, 0, "",
     "a range to seek in, from:to or from:to:log; NAME=VALUE holds for all runs"},
    {"--level", NULL, NULL, FLAG, COMMAND_FIT, AT(level), 0, 0, "",
     "the level of the sound counts too (default: a gain does not matter)"},
    {"--runs", NULL, "N", WHOLE, COMMAND_FIT, AT(runs), 1, 1e6, "",
     "end after so many runs (default 2000); more of them may be asked for later"},
    {"--tolerance", NULL, "DB", NUMBER, COMMAND_FIT, AT(tolerance), 0, 1000, "dB",
     "end when the distance is no larger (default 0.00001)"},
    {"--write", NULL, "FILE", TEXT, COMMAND_FIT, AT(write), 0, 0, "",
     "sound of the best run, as sistrum render writes it: .wav or .flac"},
    {"--seed", NULL, "S", WHOLE, COMMAND_FIT, AT(seed), 0, 9007199254740991, "",
     "of the search (default 1)"},
    {"--measure", NULL, "A,B,...", TEXT, COMMAND_FIT, AT(measure_list), 0, 0, "",
     "what is measured of each run beside its distance"},
    {"--axis", NULL, "NAME=VALUES", AXIS, COMMAND_SWEEP, 0, 0, 0, "",
     "a param, an input, note or velocity: from:to:count, from:to:log:count or a,b,c; the first is "
     "slowest; with --random also from:to"},
    {"--random", NULL, "N", WHOLE, COMMAND_SWEEP, AT(random), 1, 1e12, "",
     "draw N runs from the ranges of the params, along their scales"},
    {"--seed", NULL, "S", WHOLE, COMMAND_SWEEP, AT(seed), 0, 9007199254740991, "",
     "of what is drawn (default 1)"},
    {"--draw", NULL, "HOW", TEXT, COMMAND_SWEEP, AT(draw_word), 0, 0, "",
     "uniform (default), sobol or latin"},
    {"--free", NULL, "A,B,...", TEXT, COMMAND_SWEEP, AT(free_list), 0, 0, "",
     "what --random draws (default: all params with a range)"},
    {"--pairs", NULL, "FILE.csv", TEXT, COMMAND_SWEEP, AT(pairs), 0, 0, "",
     "a run for each line; the first line names the params"},
    {"--measure", NULL, "A,B,...", TEXT, COMMAND_SWEEP, AT(measure_list), 0, 0, "",
     "what is measured of each run (default peak,rms,centroid)"},
    {"--measure-file", NULL, "FILE", TEXT, STUDY, AT(measure_file), 0, 0, "",
     "own measures in Lua: function NAME(samples, rate) return ... end"},
    {"--csv", NULL, "FILE", TEXT, STUDY, AT(csv), 0, 0, "",
     "the rows as a table: index, params, measures, error; \"-\" is standard output"},
    {"--sounds", NULL, "FORMAT", TEXT, COMMAND_SWEEP, AT(sounds_word), 0, 0, "",
     "keep the sounds in tar files: wav, flac or npy"},
    {"--shards", NULL, "DIR", TEXT, COMMAND_SWEEP, AT(shards), 0, 0, "",
     "folder of these files (default beside the database, FILE-shards)"},
    {"--shard", NULL, "N", WHOLE, COMMAND_SWEEP, AT(shard), 1, 1e6, "",
     "runs of one such file (default 256)"},
    {"--normalise", NULL, "on|off", TEXT, COMMAND_SWEEP, AT(normalise_word), 0, 0, "",
     "sounds: each with its peak at -1 dBFS (default off, flac: on); measures never are"},
    {"--index", NULL, "I/N", TEXT, COMMAND_SWEEP | ALONE, AT(index_word), 0, 0, "",
     "do only part I of N, 1/N to N/N, into FILE-I-of-N.db; sweep merge puts them together"},
    {"--threads", NULL, "N", WHOLE, COMMAND_MPI, AT(threads), 1, 1024, "",
     "runs at a time of each rank (default 1)"},
    {"--threads", NULL, "N", WHOLE, STUDY | ALONE, AT(threads), 1, 1024, "",
     "runs at a time (default: one per core)"},
    {"--local", NULL, "DIR", TEXT, COMMAND_MPI, AT(local), 0, 0, "",
     "folder on a disk of each node, where databases and sounds are made before they are copied"},
    {"--slurm", NULL, NULL, FLAG, COMMAND_SWEEP, AT(slurm), 0, 0, "",
     "print a batch script for Slurm that runs this command, and do nothing else"},
    {"--best", NULL, "NAME", TEXT, COMMAND_SWEEP | ALONE, AT(best), 0, 0, "",
     "show: the runs with the highest values of this measure or param"},
    {"--lowest", NULL, NULL, FLAG, COMMAND_SWEEP | ALONE, AT(lowest), 0, 0, "",
     "show: --best takes the lowest"},
    {"--rows", NULL, "N", WHOLE, COMMAND_SWEEP | ALONE, AT(row_count), 0, 1e6, "",
     "show: how many rows are printed (default 10)"},
    {"--set", NULL, "NAME=VALUE", SETTING, TUNED | STUDY, 0, 0, 0, "",
     "change a param of the scene, or where an input starts; may be repeated"},
    {"--preset", NULL, "NAME", TEXT, TUNED | STUDY, AT(preset), 0, 0, "",
     "the values that a preset{} of the scene has; --set changes single ones of them"},
    {"--input", NULL, "NAME=FILE.csv", CURVE, COMMAND_RENDER | COMMAND_PLOT | STUDY, 0, 0, 0, "",
     "move an input along a curve, a line time,value a point; FILE.csv alone: as --record wrote "
     "it"},
    {"--record", NULL, "FILE.csv", TEXT, COMMAND_RENDER, AT(record), 0, 0, "",
     "what every input did, time,name,value, for --input to play again"},
    {"--sound", NULL, "FILE.wav", TEXT, COMMAND_RENDER | COMMAND_PLOT, AT(sound), 0, 0, "",
     "sound from outside, for a scene that takes it: play{ sound = \"NAME\" }"},
    {"--note", NULL, "NOTE", TEXT, ALL, AT(note), 0, 0, "",
     "play one note: A3, C#4, Bb2, a MIDI key or 220Hz; the scene needs play{}"},
    {"--velocity", NULL, "V", NUMBER, ALL, AT(velocity), 0, 1, "",
     "how hard the note is played, 0 to 1 (default as the scene has it)"},
    {"--hold", NULL, "SECONDS", NUMBER, RUN, AT(hold), 0, 1e6, "s",
     "how long the key of the note is down, for scenes with a gate (default: to the end)"},
    {"--midi", NULL, "SONG.mid", TEXT, COMMAND_RENDER, AT(midi), 0, 0, "",
     "play a standard MIDI file, in stereo, until the last note has died away"},
    {"--instrument", NULL, "N=SCENE", TEXT, COMMAND_RENDER, AT(instruments), 0, 0, "",
     "scenes of channels and programs of the song: 1=guitar,2=snare,program:25=sitar"},
    {"--channel", NULL, "N", WHOLE, COMMAND_RENDER, AT(channel), 1, 16, "",
     "play only this channel of the song (10 is drums in most files)"},
    {"--transpose", NULL, "SEMITONES", WHOLE, COMMAND_RENDER, AT(transpose), -127, 127, "",
     "move the song up or down: -12 is an octave lower"},
    {"--a4", NULL, "HZ", NUMBER, TUNED | STUDY, AT(a4), 100, 1000, "Hz",
     "notes: frequency of A4 (default 440)"},
    {"--scale", NULL, "FILE.scl", TEXT, TUNED, AT(scale), 0, 0, "",
     "notes: a Scala scale (default 12 equal steps)"},
    {"--keys", NULL, "FILE.kbm", TEXT, TUNED, AT(keys), 0, 0, "",
     "notes: a Scala keyboard map (default degree 0 on middle C, A4 as --a4 says)"},
    {"--rate", NULL, "HZ", NUMBER, RUN, AT(rate), 1e-3, 1e9, "Hz", "samples per second"},
    {"--duration", NULL, "SECONDS", NUMBER, RUN, AT(duration), 0, 1e6, "s", "length of the run"},
    {"--oversample", NULL, "N", WHOLE, RUN, AT(oversample), 1, 1024, "", "steps per sample"},
    {"--scheme", NULL, "NAME", TEXT, ONE | STUDY, AT(scheme_word), 0, 0, "",
     "one scheme for all contacts; sistrum help contact lists them"},
    {"--out", "-o", "DIR", TEXT, COMMAND_REPRO, AT(out), 0, 0, "",
     "folder for figures and reports (default repro-out)"},
    {"--out", "-o", "DIR", TEXT, COMMAND_PLUGIN, AT(out), 0, 0, "",
     "folder for the bundles; hosts look in ~/.lv2"},
    {"--all", NULL, NULL, FLAG, COMMAND_PLUGIN, AT(all), 0, 0, "",
     "every installed scene that notes or sound play"},
    {"--properties", NULL, NULL, FLAG, COMMAND_PLUGIN, AT(properties), 0, 0, "",
     "offer the knobs as patch:writable properties too; most hosts then show them twice"},
    {"--threads", NULL, "N", WHOLE, COMMAND_PLUGIN, AT(threads), 1, 256, "",
     "notes at a time when the level is measured (default: one per core)"},
    {"--numbers", NULL, NULL, FLAG, COMMAND_REPRO, AT(numbers), 0, 0, "",
     "no pictures: print what was measured; with -o also reproduction.md and results.json"},
    {"--quick", NULL, NULL, FLAG, COMMAND_REPRO, AT(quick), 0, 0, "",
     "leave out what takes long or measures time"},
    {"--threads", NULL, "N", WHOLE, COMMAND_RENDER, AT(threads), 1, 256, "",
     "scenes, voices of a song, or parts of a scene at a time (default: one per core)"},
    {"--sleep", NULL, "DB", NUMBER, COMMAND_RENDER, AT(sleep), 1, 300, "dB",
     "stop a scene, a note or the voices of a song when so far below the largest energy"},
    {"--jobs", "-j", "N", WHOLE, COMMAND_REPRO, AT(jobs), 1, 256, "",
     "items at a time (default: one per core)"},
    {"--docs", NULL, "DIR", TEXT, COMMAND_REPRO, AT(docs), 0, 0, "",
     "with all: also write DIR/reproduction.md and DIR/beyond.md"},
    {"--json", NULL, NULL, FLAG, COMMAND_BENCH, AT(as_json), 0, 0, "",
     "print everything as JSON instead of tables"},
    {"--quick", NULL, NULL, FLAG, COMMAND_BENCH, AT(quick), 0, 0, "",
     "short runs, to see that it works; timings are not reliable"},
    {"--only", NULL, "SECTION", TEXT, COMMAND_BENCH, AT(only), 0, 0, "",
     "limits, workloads, contacts, scaling, accuracy, masses, strings, bodies, renders, "
     "instruments, threads, gestures, live, studies or claims"},
    {"--history", NULL, "FILE.csv", TEXT, COMMAND_BENCH, AT(history), 0, 0, "",
     "compare with the last run on this machine, name what is 15 % slower, append this run"},
    {"--date", NULL, "TEXT", TEXT, COMMAND_BENCH, AT(date), 0, 0, "",
     "date that the history records for this run (default none)"},
    {"--docs", NULL, "FILE", TEXT, COMMAND_BENCH, AT(docs), 0, 0, "",
     "write the tables between <!-- bench begin --> and <!-- bench end -->"},
    {"--counts", NULL, "FILE.csv", TEXT, COMMAND_BENCH, AT(counts), 0, 0, "",
     "instructions per sample to show, as tools/bench.sh counts them"},
    {"--count", NULL, "NAME", TEXT, COMMAND_BENCH, AT(count), 0, 0, "",
     "only step one workload, for a profiler; \"list\" names them"},
    {"--json", NULL, NULL, FLAG, COMMAND_SCENES | COMMAND_PARAMS, AT(as_json), 0, 0, "",
     "print it as JSON instead of a table"},
    {"--from", NULL, "SCENE", TEXT, COMMAND_NEW, AT(model), 0, 0, "",
     "start from a copy of this scene, an installed one or a file"},
    {"--quiet", "-q", NULL, FLAG,
     COMMAND_RENDER | COMMAND_PLOT | COMMAND_COMPARE | COMMAND_REPRO | COMMAND_PLUGIN | STUDY,
     AT(quiet), 0, 0, "", "no summary and no progress bar"},
    {"--quiet", "-q", NULL, FLAG, COMMAND_NEW, AT(quiet), 0, 0, "", "do not say what to do next"},
    {"--driver", NULL, "NAME", TEXT, COMMAND_PLAY, AT(driver), 0, 0, "",
     "jack, portaudio or null (default: jack if its server runs, else portaudio)"},
    {"--device", NULL, "NAME", TEXT, COMMAND_PLAY, AT(device), 0, 0, "",
     "portaudio: part of the name of an output, or its number; jack: name of the server"},
    {"--rate", NULL, "HZ", NUMBER, COMMAND_PLAY, AT(rate), 8000, 384000, "Hz",
     "samples per second (default as the device has it)"},
    {"--period", NULL, "FRAMES", WHOLE, COMMAND_PLAY, AT(period), 1, 8192, "",
     "frames of a block (default as the server has it; portaudio and null: 256)"},
    {"--midi", NULL, "NAME", TEXT, COMMAND_PLAY, AT(midi_input), 0, 0, "",
     "connect MIDI inputs with this in their names (default: all of the hardware)"},
    {"--connect", NULL, "WHAT", TEXT, COMMAND_PLAY, AT(connect_word), 0, 0, "",
     "outputs (default; MIDI inputs too), all or no; all: sound inputs too, for scenes that take "
     "sound"},
    {"--list", NULL, NULL, FLAG, COMMAND_PLAY, AT(list), 0, 0, "",
     "the drivers that are built in, devices and MIDI inputs"},
    {"--gain", NULL, "DB", NUMBER, COMMAND_PLAY, AT(gain), -200, 200, "dB",
     "louder or softer (default 0)"},
    {"--normalise", NULL, "on|off", TEXT, COMMAND_PLAY, AT(normalise_word), 0, 0, "",
     "off: values of the probes as they are (default on: the loudest key is full scale)"},
    {"--voices", NULL, "N", WHOLE, COMMAND_PLAY, AT(voices), 1, SIS_PLAY_MOST_VOICES, "",
     "notes at a time, at most (default as play{} says)"},
    {"--oversample", NULL, "N", WHOLE, COMMAND_PLAY, AT(oversample), 1, 1024, "",
     "steps per sample (default as the scene has it)"},
    {"--prepare", NULL, "VELOCITY", WHOLE, COMMAND_PLAY, AT(prepare), 0, 127, "",
     "compile all keys at this velocity before playing, so that no note is late; 0: at all"},
    {"--load", NULL, "PERCENT", NUMBER, COMMAND_PLAY, AT(load), 1, 100, "%",
     "how much of the time the guard allows before it fades voices (default 80)"},
    {"--memory", NULL, "MB", NUMBER, COMMAND_PLAY, AT(memory), 1, 1e6, "MB",
     "for compiled notes (default 256)"},
    {"--no-limiter", NULL, NULL, FLAG, COMMAND_PLAY, AT(no_limiter), 0, 0, "",
     "peaks may go beyond full scale"},
    {"--no-guard", NULL, NULL, FLAG, COMMAND_PLAY, AT(no_guard), 0, 0, "",
     "no voice is faded for want of time"},
    {"--no-dc", NULL, NULL, FLAG, COMMAND_PLAY, AT(no_dc), 0, 0, "",
     "what is below 5 Hz stays in the sound"},
    {"--no-audit", NULL, NULL, FLAG, COMMAND_PLAY, AT(no_audit), 0, 0, "",
     "no energy balance, for some more voices"},
    {"--record", NULL, "FILE", TEXT, COMMAND_PLAY, AT(record), 0, 0, "",
     "sound that was played: .wav (32-bit float) or .flac (24 bits)"},
    {"--record-notes", NULL, "FILE", TEXT, COMMAND_PLAY, AT(record_notes), 0, 0, "",
     "notes that were played: .mid, for render --midi; knobs into a .csv beside it"},
    {"--no-view", NULL, NULL, FLAG, COMMAND_PLAY, AT(no_view), 0, 0, "",
     "read commands line by line instead of keys"},
    {"--offline", NULL, NULL, FLAG, COMMAND_PLAY, AT(offline), 0, 0, "",
     "null: time passes only while a command waits, as fast as can be"},
    {"--help", "-h", NULL, FLAG, ~ALONE, AT(help), 0, 0, "", "this text"},
};

#define OPTION_COUNT ((int)(sizeof table / sizeof *table))

void options_help(command c) {
    for (int i = 0; i < OPTION_COUNT; i++) {
        const option* o = &table[i];
        if (!(o->commands & (int)c)) continue;
        if (c & COMMAND_MPI && o->commands & ALONE) continue;
        char left[64];
        // -o is the name everybody knows; the others are known by their long names.
        if (o->brief && !strcmp(o->brief, "-o"))
            snprintf(left, sizeof left, "-o, --out %s", o->value);
        else
            snprintf(left, sizeof left, "%s%s%s%s%s", o->brief ? o->brief : "",
                     o->brief ? ", " : "", o->name, o->value ? " " : "", o->value ? o->value : "");
        printf("  %-22s %s\n", left, o->doc);
    }
}

// ---------------------------------------------------------------------------- values

/** Where the value of an option goes. */
static void* place(options* o, const option* which) {
    return (char*)o + which->offset;
}

static int set_number(options* o, const option* which, const char* text) {
    double value = 0;
    bool whole = which->kind == WHOLE;
    bool fine = sis_text_number(text, &value) && value >= which->min && value <= which->max &&
                (!whole || value == floor(value));
    if (!fine)
        return complain(EXIT_USAGE, "%s must be a %snumber from %g to %g%s%s, not '%s'",
                        which->name, whole ? "whole " : "", which->min, which->max,
                        *which->unit ? " " : "", which->unit, text);
    double* number = place(o, which);
    *number = value;
    return EXIT_DONE;
}

static int add_setting(options* o, const char* text) {
    const char* equals = strchr(text, '=');
    double value = 0;
    if (!equals || equals == text)
        return complain(EXIT_USAGE, "--set needs NAME=VALUE, not '%s'", text);
    if (!sis_text_number(equals + 1, &value))
        return complain(EXIT_USAGE, "--set %.*s: '%s' is not a number", (int)(equals - text), text,
                        equals + 1);
    char* name = strndup(text, (size_t)(equals - text));
    if (!name) return complain(EXIT_RUN, "out of memory");
    o->names[o->setting_count] = name;
    o->settings[o->setting_count++] = (sis_setting){.name = name, .value = value};
    return EXIT_DONE;
}

static int add_curve(options* o, const char* text) {
    const char* equals = strchr(text, '=');
    const char* file = equals ? equals + 1 : text;
    if (equals == text || !*file)
        return complain(EXIT_USAGE, "--input needs NAME=FILE.csv or FILE.csv, not '%s'", text);
    o->inputs[o->input_count++] = text;
    return EXIT_DONE;
}

static int add_axis(options* o, const char* text) {
    o->axes[o->axis_count++] = text;
    return EXIT_DONE;
}

static int set_text(options* o, const option* which, const char* text) {
    const char** member = place(o, which);
    if (*member) return complain(EXIT_USAGE, "%s is given twice", which->name);
    if (!*text)
        return complain(EXIT_USAGE, "%s needs a %s, not an empty text", which->name, which->value);
    *member = text;
    return EXIT_DONE;
}

static int set_value(options* o, const option* which, const char* text) {
    switch (which->kind) {
    case TEXT:
        return set_text(o, which, text);
    case NUMBER:
    case WHOLE:
        return set_number(o, which, text);
    case SETTING:
        return add_setting(o, text);
    case CURVE:
        return add_curve(o, text);
    case AXIS:
        return add_axis(o, text);
    case TARGET:
        o->targets[o->target_count++] = text;
        return EXIT_DONE;
    case FLAG:
        break;
    }
    bool* flag = place(o, which);
    *flag = true;
    return EXIT_DONE;
}

/** The scheme of that name, or a complaint about the option `from`. */
static int find_scheme(const char* from, const char* word, sis_scheme* scheme) {
    const char* words[SIS_SCHEME_COUNT];
    char list[160] = "";
    for (int i = 0; i < SIS_SCHEME_COUNT; i++) {
        words[i] = sis_scheme_word((sis_scheme)i);
        if (!strcmp(words[i], word)) {
            *scheme = (sis_scheme)i;
            return EXIT_DONE;
        }
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", words[i]);
    }
    const char* guess = closest(word, words, SIS_SCHEME_COUNT);
    if (guess)
        return complain(EXIT_USAGE, "%s: unknown scheme '%s' (did you mean '%s'?)", from, word,
                        guess);
    return complain(EXIT_USAGE, "%s: unknown scheme '%s'; there are %s", from, word, list);
}

static int set_scheme(options* o) {
    o->scheme = SIS_SCHEME_AS_GIVEN;
    return o->scheme_word ? find_scheme("--scheme", o->scheme_word, &o->scheme) : EXIT_DONE;
}

static int set_schemes(options* o) {
    const char* rest = o->scheme_list;
    while (rest) {
        char word[64];
        size_t length = strcspn(rest, ",");
        snprintf(word, sizeof word, "%.*s", length < 60 ? (int)length : 60, rest);
        sis_scheme scheme = SIS_SCHEME_AS_GIVEN;
        int code = find_scheme("--schemes", word, &scheme);
        if (code) return code;
        for (int32_t i = 0; i < o->scheme_count; i++)
            if (o->schemes[i] == scheme)
                return complain(EXIT_USAGE, "--schemes: '%s' is named twice", word);
        o->schemes[o->scheme_count++] = scheme;
        rest = rest[length] ? rest + length + 1 : NULL;
    }
    return EXIT_DONE;
}

/** Seconds, each after the one before. */
static int set_times(options* o) {
    const char* rest = o->time_list;
    while (rest) {
        char word[64];
        size_t length = strcspn(rest, ",");
        double time = 0;
        snprintf(word, sizeof word, "%.*s", length < 60 ? (int)length : 60, rest);
        if (length >= 60 || !sis_text_number(word, &time) || time < 0)
            return complain(EXIT_USAGE,
                            "--times must be seconds from 0 on, separated by commas: '%s' is none",
                            word);
        if (o->time_count && !(time > o->times[o->time_count - 1]))
            return complain(EXIT_USAGE, "--times must increase: %g s comes after %g s", time,
                            o->times[o->time_count - 1]);
        if (o->time_count == SIS_SNAPSHOTS_MAX)
            return complain(EXIT_USAGE, "--times: at most %d fit into a picture",
                            SIS_SNAPSHOTS_MAX);
        o->times[o->time_count++] = time;
        rest = rest[length] ? rest + length + 1 : NULL;
    }
    return EXIT_DONE;
}

// ---------------------------------------------------------------------------- words

/** The option that `word` names, or NULL. `*attached` is what follows "=" in the same word. */
static const option* find(const char* word, command c, const char** attached) {
    size_t length = strcspn(word, "=");
    *attached = word[length] ? word + length + 1 : NULL;
    for (int i = 0; i < OPTION_COUNT; i++) {
        const option* o = &table[i];
        if (!(o->commands & (int)c)) continue;
        if (strlen(o->name) == length && !strncmp(o->name, word, length)) return o;
        if (o->brief && !strcmp(o->brief, word)) return o;
    }
    // -oFILE
    for (int i = 0; i < OPTION_COUNT; i++) {
        const option* o = &table[i];
        bool fits = (o->commands & (int)c) && o->brief && o->value;
        if (!fits || strncmp(word, o->brief, 2) != 0) continue;
        *attached = word + 2;
        return o;
    }
    return NULL;
}

static int unknown(const char* word, command c) {
    const char* names[OPTION_COUNT];
    int count = 0;
    for (int i = 0; i < OPTION_COUNT; i++)
        if (table[i].commands & (int)c) names[count++] = table[i].name;
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    const char* guess = closest(name, names, count);
    if (guess) return complain(EXIT_USAGE, "unknown option '%s' (did you mean '%s'?)", name, guess);
    return complain(EXIT_USAGE, "unknown option '%s'; --help lists them", name);
}

static int read_option(options* o, command c, int count, char** argv, int* i) {
    const char* attached = NULL;
    const option* which = find(argv[*i], c, &attached);
    if (!which) return unknown(argv[*i], c);
    o->given[o->given_count++] = which->name;
    if (!which->value && attached) return complain(EXIT_USAGE, "%s takes no value", which->name);
    if (!which->value) return set_value(o, which, "");
    if (!attached && *i + 1 >= count)
        return complain(EXIT_USAGE, "%s needs a value: %s %s", which->name, which->name,
                        which->value);
    return set_value(o, which, attached ? attached : argv[++*i]);
}

int options_read(options* o, command c, int count, char** argv) {
    double none = nan("");
    *o = (options){.rate = none,
                   .duration = none,
                   .oversample = none,
                   .from = none,
                   .to = none,
                   .window = none,
                   .reference = none,
                   .jobs = none,
                   .threads = none,
                   .sleep = none,
                   .every = none,
                   .velocity = none,
                   .hold = none,
                   .channel = none,
                   .transpose = none,
                   .gain = none,
                   .a4 = none,
                   .period = none,
                   .voices = none,
                   .prepare = none,
                   .load = none,
                   .memory = none,
                   .random = none,
                   .seed = none,
                   .shard = none,
                   .row_count = none,
                   .runs = none,
                   .tolerance = none,
                   .argv = argv,
                   .argc = count};
    o->plays = c == COMMAND_PLAY;
    o->settings = calloc((size_t)count + 1, sizeof *o->settings);
    o->names = calloc((size_t)count + 1, sizeof *o->names);
    o->inputs = calloc((size_t)count + 1, sizeof *o->inputs);
    o->words = calloc((size_t)count + 1, sizeof *o->words);
    o->axes = calloc((size_t)count + 1, sizeof *o->axes);
    o->targets = calloc((size_t)count + 1, sizeof *o->targets);
    o->given = calloc((size_t)count + 1, sizeof *o->given);
    if (!o->given || !o->targets || !o->settings || !o->names || !o->inputs || !o->words ||
        !o->axes)
        return complain(EXIT_RUN, "out of memory");
    // Help is help even beside a mistake.
    for (int i = 0; i < count && strcmp(argv[i], "--") != 0; i++)
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) o->help = true;
    bool only_names = false;
    for (int i = 0; i < count && !o->help; i++) {
        const char* word = argv[i];
        if (!only_names && !strcmp(word, "--")) {
            only_names = true;
        } else if (!only_names && word[0] == '-' && word[1]) {
            int code = read_option(o, c, count, argv, &i);
            if (code) return code;
        } else if (c == COMMAND_REPRO || c == COMMAND_RENDER || c == COMMAND_PLUGIN ||
                   (c & COMMAND_SWEEP)) {
            o->words[o->word_count++] = word;
            if (c != COMMAND_REPRO && !o->scene) o->scene = word;
        } else if (c == COMMAND_BENCH) {
            return complain(EXIT_USAGE, "bench takes no scene: '%s'; --only names a section", word);
        } else if (c == COMMAND_SCENES) {
            return complain(EXIT_USAGE,
                            "scenes takes no name: '%s'; sistrum params %s says more about it",
                            word, word);
        } else if (o->scene) {
            return complain(EXIT_USAGE, "one scene at a time: '%s' or '%s'", o->scene, word);
        } else {
            o->scene = word;
        }
    }
    if (o->help) return EXIT_DONE;
    // The first scene of a song that names no other.
    o->no_scene = o->instruments && o->midi && !o->word_count;
    if (o->no_scene && (o->first = cast_first(o->instruments))) {
        o->scene = o->first;
        o->words[o->word_count++] = o->first;
    }
    int code = set_scheme(o);
    if (!code) code = set_schemes(o);
    return code ? code : set_times(o);
}

void options_free(options* o) {
    for (int32_t i = 0; o->names && i < o->setting_count; i++)
        free(o->names[i]);
    for (int32_t i = 0; i < o->found_count; i++)
        free(o->found[i]);
    free(o->found);
    free(o->first);
    free(o->names);
    free(o->settings);
    free(o->inputs);
    free(o->axes);
    free(o->targets);
    free(o->given);
    free(o->words);
}
