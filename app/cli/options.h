/** @file options.h
 * The command line: one table of options for all commands, from which parsing and help are made.
 */
#ifndef SISTRUM_CLI_OPTIONS_H
#define SISTRUM_CLI_OPTIONS_H

#include "picture.h"
#include "script.h"

#include <sistrum/sistrum.h>

/** The commands that take options; each is a bit of the table. */
typedef enum command {
    COMMAND_RENDER = 1,
    COMMAND_CHECK = 2,
    COMMAND_PLOT = 4,
    COMMAND_COMPARE = 8,
    COMMAND_REPRO = 16,
    COMMAND_BENCH = 32,
    COMMAND_SCENES = 64,
    COMMAND_PARAMS = 128,
    COMMAND_NEW = 256,
    COMMAND_PLAY = 512,
    COMMAND_PLUGIN = 1024,
    COMMAND_SWEEP = 2048,
    COMMAND_MPI = 4096, // sistrum-mpi, a program by itself: its options are those of sweep too
    COMMAND_FIT = 8192
} command;

/** Those that run a scene, and may be given its name instead of its file. */
#define COMMANDS_ON_A_SCENE                                                                        \
    (COMMAND_RENDER | COMMAND_CHECK | COMMAND_PLOT | COMMAND_COMPARE | COMMAND_PARAMS |            \
     COMMAND_PLAY | COMMAND_PLUGIN)

/** The word that is typed for a command; NULL: there are no more. The order is that of --help. */
typedef struct command_word {
    const char* word;
    command bit;
} command_word;

const command_word* command_at(int i);

/** What was typed after the command. Numbers that were not given are NaN, texts NULL. */
typedef struct options {
    const char* scene;
    const char** words; // [word_count]: what repro is to run; all scenes of render and plugin; what
                        // follows sweep
    int32_t word_count;
    const char* out;
    const char* data;
    const char* energy;
    const char* json;
    const char* checkpoint; // file
    const char* resume;     // the same, of a run that goes on
    double every;           // s, between checkpoints
    const char* normalise_word;
    const char* bits_word;
    double gain; // dB
    const char* what;
    double rate;                // Hz
    double duration;            // s
    double oversample;          // a whole number
    double from, to;            // s
    double window;              // s, of a spectrum
    const char* axis;           // of its frequencies, as typed
    const char *x, *y, *colour; // plot: columns of a study
    const char* pareto;         // what is better of x and y
    double reference;           // a whole number
    const char* note;           // as typed
    double velocity;            // 0 .. 1
    double hold;                // s, that its key is down
    const char* midi;           // a song
    const char* instruments;    // scenes of its channels and programs
    char* first;                // of them, owned: the scene where no other is named, and
    bool no_scene;              // that it was not
    double channel;             // 1 .. 16: of the song, only that
    double transpose;           // semitones, a whole number
    double a4;                  // Hz
    const char* scale;          // Scala files
    const char* keys;
    const char* docs;
    double jobs;    // a whole number
    double threads; // a whole number
    double sleep;   // dB
    const char* time_list;
    double times[SIS_SNAPSHOTS_MAX]; // s, increasing
    int32_t time_count;              // 0: none were named
    const char* scheme_word;
    sis_scheme scheme;
    const char* scheme_list;
    sis_scheme schemes[SIS_SCHEME_COUNT];
    int32_t scheme_count;  // 0: none were named
    sis_setting* settings; // [setting_count]
    char** names;          // of the settings, owned
    int32_t setting_count;
    const char* preset;  // of the scene, by its name
    const char* sound;   // from outside, a file
    const char** inputs; // [input_count]: NAME=FILE or FILE, as typed
    int32_t input_count;
    const char* record;  // file for the gestures that were played
    const char* only;    // bench: one section
    const char* history; // bench: past runs
    const char* date;    // bench: of this run, as typed
    const char* counts;  // bench: instructions per sample
    const char* count;   // bench: what a profiler is to see
    const char* model;   // new: the scene to start from
    const char* driver;  // play: of sound
    const char* device;
    const char* connect_word;
    const char* midi_input;   // part of the names of MIDI inputs
    const char* record_notes; // file for the notes that were played
    double period;            // frames, a whole number
    double voices;            // a whole number
    double prepare;           // velocity, a whole number
    double load;              // percent
    double memory;            // MB
    bool plays;               // the command is play, where notes come by hand
    bool list;
    bool offline;
    bool no_view;
    bool no_limiter;
    bool no_guard;
    bool no_dc;
    bool no_audit;
    const char** axes; // [axis_count]: sweep, as typed
    int32_t axis_count;
    double random;            // sweep: draws, a whole number
    double seed;              // a whole number
    const char* draw_word;    //
    const char* free_list;    // names of what is drawn
    const char* pairs;        // a CSV file
    const char* measure_list; //
    const char* measure_file; // functions in Lua
    const char* csv;          // file of the rows
    const char* sounds_word;  //
    const char* shards;       // folder of the sounds
    double shard;             // runs of a shard, a whole number
    const char* index_word;   // I/N: one part of a study
    const char* local;        // mpi: folder on a disk of the node
    bool slurm;               // print a batch script
    const char** targets;     // [target_count]: fit, as typed
    int32_t target_count;
    double runs;       // fit: at most, a whole number
    double tolerance;  // dB
    bool level;        // that of the target counts
    const char* write; // sound of the best run
    const char* best;  // show: column by which runs are sorted
    bool lowest;       // from its lowest value on
    double row_count;  // show: rows that are printed
    char** argv;       // [argc]: the words after the command
    int argc;
    const char** given; // [given_count]: the options among them, by their long names
    int32_t given_count;
    char** found; // [found_count]: files of scenes that were named, owned
    int32_t found_count;
    bool all;        // plugin: every installed instrument
    bool properties; // plugin: knobs are patch:writable too
    bool as_json;
    bool numbers;
    bool quick;
    bool quiet;
    bool help;
} options;

/** Reads argv[0 .. count - 1], the words after the command. EXIT_DONE, or a complaint was made.
 *  options_free in any case. */
int options_read(options* o, command c, int count, char** argv);

void options_free(options* o);

/** Prints the options of a command. */
void options_help(command c);

#endif
