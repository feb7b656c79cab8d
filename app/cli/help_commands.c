#include "help.h"

#include "sweep_measure.h"

#include <stdio.h>

/** What help says of a command before its options. */
typedef struct about {
    command command;
    const char* text;
} about;

// A line of text is a line here.
// clang-format off
static const about abouts[] = {
    {COMMAND_RENDER,
     "sistrum render SCENE [-o FILE] [OPTIONS]\n"
     "sistrum render SCENE SCENE ... -o DIR/ [OPTIONS]\n"
     "Runs a scene and writes what it is asked for; at least one output is needed.\n"
     "\"-\" is standard output. Either all files are written or none.\n"
     "Several scenes run at a time, in threads; outputs are then folders, and each\n"
     "scene writes DIR/SCENE.wav (.npy, .csv, .json). The files do not depend on the\n"
     "number of threads. A scene that fails does not stop the others; the exit code\n"
     "is that of the first scene that failed. One scene uses threads for bodies that\n"
     "nothing joins, such as many strings with a barrier each.\n"
     "sistrum render SCENE --note A3 --velocity 0.8 -o FILE\n"
     "sistrum render SCENE --midi SONG.mid -o FILE\n"
     "One note, or a song: play{} of the scene names the params that a note sets.\n"
     "sistrum render SCENE --input NAME=CURVE.csv -o FILE\n"
     "Inputs of the scene move along curves while it sounds: a line time,value a point,\n"
     "straight between, held at both ends; of a trigger each line is one blow. Lines that\n"
     "begin with # are comments. --record writes what was played as time,name,value;\n"
     "--input with that file alone plays it again and gives the same bytes.\n"
     "Without a note or a curve of its own, a trigger that play{} names as velocity (any\n"
     "trigger where there is no play{}) is struck once with 1 at the start; an empty\n"
     "curve leaves it silent.\n"
     "sistrum render SCENE --sound VOICE.wav -o FILE\n"
     "Sound from outside moves the inputs that play{ sound = } names. The run is as long\n"
     "as the file and then the duration of the scene.\n\n"},
    {COMMAND_PLAY,
     "sistrum play SCENE [OPTIONS]\n"
     "Plays a scene as an instrument: sound by JACK (or PipeWire in its place) or PortAudio,\n"
     "notes by MIDI and by the keys of the computer: z s x d c v g b h n j m is an octave,\n"
     "q 2 w 3 e r 5 t 6 y 7 u the next; ? in the view lists all keys. The scene is loaded\n"
     "again when its file changes; one with an error leaves the old one playing.\n"
     "sistrum play SCENE --no-view [OPTIONS]\n"
     "Reads commands from standard input, a line each: note 60 100, off 60, knob K 1e6,\n"
     "wait 0.5, panic, quit; help lists them. So does play where there is no terminal.\n"
     "sistrum play SCENE --driver null --offline --record FILE [OPTIONS]\n"
     "Plays them without a device, as fast as can be, always with the same bytes.\n"
     "sistrum play --list\n"
     "Drivers, devices and MIDI inputs.\n"
     "How notes play a scene is said by its play{}: sistrum help play{}\n\n"},
    {COMMAND_CHECK,
     "sistrum check SCENE [OPTIONS]\n"
     "Prints what would run: bodies with their stability margins, the network that they and\n"
     "their contacts make, grids, losses and first partials of strings and plates,\n"
     "contacts, whether they are resolved and how deep they can get, memory, and the\n"
     "speed measured in a short dry run.\n\n"},
    {COMMAND_PLOT,
     "sistrum plot SCENE -o FILE [OPTIONS]\n"
     "Runs a scene and draws a picture of it with gnuplot.\n"
     "sistrum plot study.db -o FILE [--x NAME] [--y NAME] [--colour NAME]\n"
     "Draws what a study of sistrum sweep has found: lines, points, or a map over two\n"
     "params; with --pareto min,max the runs that no other beats in both x and y. Of\n"
     "sistrum fit: its way, distances and params over the runs.\n\n"},
    {COMMAND_COMPARE,
     "sistrum compare SCENE [--schemes A,B,...] [-o FILE] [OPTIONS]\n"
     "Runs a scene once per scheme, all contacts with the same one, and prints a table of\n"
     "their exit speeds, errors against a reference run at a high rate, energies and costs.\n\n"},
    {COMMAND_SCENES,
     "sistrum scenes [--json]\n"
     "Lists the installed scenes, first instruments (they sound and have several knobs),\n"
     "then studies: name, title, whether notes set the pitch (--note, --midi), and the\n"
     "first line of the file. A name stands for its file: sistrum render NAME -o out.wav.\n"
     "Scenes are looked for in the folders of $SISTRUM_SCENES (separated by ':'), in scenes/\n"
     "beside the program, in share/sistrum/scenes of a folder above it, and in scenes/ of\n"
     "$SISTRUM_DATA or, where that is not set, of the source tree it was built in.\n"
     "NAME.lua in the current folder comes before all of them, a file NAME without an ending\n"
     "after them; ./NAME means that file.\n\n"},
    {COMMAND_PARAMS,
     "sistrum params SCENE [--json]\n"
     "Prints the knobs of a scene, which its param{} and input{} lines declare: name,\n"
     "default, unit, range, scale (input and trigger: they move while it sounds) and label.\n"
     "The other commands set params, and where inputs start, by --set NAME=VALUE.\n\n"},
    {COMMAND_NEW,
     "sistrum new NAME [--from SCENE]\n"
     "Writes NAME.lua, a scene that sounds and explains itself line by line, or a copy of\n"
     "another one. A file that exists is never overwritten.\n\n"},
    {COMMAND_PLUGIN,
     "sistrum plugin SCENE... -o DIR [OPTIONS]\n"
     "sistrum plugin --all -o DIR [OPTIONS]\n"
     "Writes one LV2 bundle a scene, DIR/NAME.lv2: an instrument, or an effect where play{}\n"
     "names an input for sound, for Ardour, Reaper, Qtractor and other hosts. Its controls\n"
     "are the params and inputs of the scene, its presets those of preset{}. The bundle\n"
     "holds the scene and a binary that is built already; where it is used neither a\n"
     "compiler nor Sistrum is needed. A bundle of that name that sistrum wrote is\n"
     "replaced, anything else is left alone. A scene that fails does not stop the others;\n"
     "the exit code is that of the first scene that failed.\n\n"},
    {COMMAND_SWEEP,
     "sistrum sweep SCENE -o study.db --axis NAME=from:to:count [OPTIONS]\n"
     "sistrum sweep SCENE -o study.db --random N [OPTIONS]\n"
     "Runs a scene for every combination of the axes, every line of --pairs and every\n"
     "draw, and writes what it measures into one SQLite database: table runs, views study,\n"
     "good and failures, table manifest. The same command again goes on where it was, also\n"
     "after a kill or a power cut, and exits with 0 when all is done. Rows depend on the\n"
     "study and their index alone, not on threads, machines or order. A run that fails is\n"
     "a row with its sentence. What can be measured (--measure):\n"},
    {COMMAND_FIT,
     "sistrum fit SCENE --target SOUND.wav --free A,B,... [-o FILE.db] [OPTIONS]\n"
     "sistrum fit SCENE --target MEASURE=NUMBER,... --axis NAME=from:to [OPTIONS]\n"
     "Seeks the values of params with which the scene comes closest to a sound, to values\n"
     "of measures (those of sistrum sweep), or to both. A sound is compared by its\n"
     "spectrograms, from the start until it or the scene ends; whatever its gain, unless\n"
     "--level is given. Its rate may be another than the scene's.\n"
     "Every run is a row of an SQLite database with its distance in dB. The same command\n"
     "goes on where it was, also after a kill, and reaches the same rows with any number\n"
     "of threads. It ends at --tolerance, after --runs, or when several descents in a row\n"
     "found nothing better. Prints the best values and the command that renders them.\n"
     "sistrum plot FILE.db -o way.png\n"
     "Draws the way: distances and params over the runs.\n\n"},
    {COMMAND_REPRO,
     "sistrum repro [list | all | PAPER | PAPER/ITEM ...] [OPTIONS]\n"
     "Reproduces figures, tables and equations of the papers: what they say beside what is\n"
     "measured here, with verdicts. Without a word, or with list, lists the items.\n"
     "Writes DIR/PAPER/ITEM.png, .svg and .csv, DIR/report.html, DIR/reproduction.md and\n"
     "DIR/results.json. Exit code 1: an item failed or its result differs from what\n"
     "its script expects.\n\n"},
    {COMMAND_BENCH,
     "sistrum bench [--only SECTION] [OPTIONS]\n"
     "Measures this machine's own limits (stencils, powers, banded solves, memory) and what\n"
     "a sample of the workloads costs on one core, with every scheme, audited and not; how\n"
     "time grows with size; whole renders of every playable scene, from the start of the\n"
     "program to the finished WAV, against the engine alone; real time, voices a core and\n"
     "the worst block of every scene; what threads gain; and prints what must hold beside\n"
     "what was measured. Ten minutes, five of them for whole scenes; other programs that run\n"
     "at the same time disturb it. docs/performance.md describes how it is measured.\n\n"},
};

static const char of_studies[] =
    "sistrum sweep show study.db [--best NAME] [--lowest] [--rows N] [--csv FILE]\n"
    "Prints what a study holds: counts, ranges of its measures, the best runs, failures.\n"
    "sistrum sweep merge study.db PART.db ...\n"
    "Adds the runs of parts, as --index makes them, to a database.\n\n";
// clang-format on

/** What can be measured, and what else the command does. */
static void help_sweep(void) {
    for (int i = 0; sis_measure_word(i); i++)
        printf("%s: %s.\n", sis_measure_word(i), sis_measure_doc(i));
    printf("%s", of_studies);
}

void help_command(command c) {
    for (size_t i = 0; i < sizeof abouts / sizeof *abouts; i++)
        if (abouts[i].command == c) printf("%s", abouts[i].text);
    if (c == COMMAND_SWEEP) help_sweep();
    options_help(c);
}
