/** @file job.h
 * What every command begins with: the scene is loaded, the run is planned, the system is compiled.
 */
#ifndef SISTRUM_CLI_JOB_H
#define SISTRUM_CLI_JOB_H

#include "curves.h"
#include "fault.h"
#include "options.h"
#include "run.h"
#include "script.h"

typedef struct job {
    char name[256]; // of the scene file, without its folders, clean
    sis_script* script;
    sis_render_def render;     // as the scene asks; texts live with the script
    sis_plan plan;             // after --rate, --duration and --oversample
    sis_scheme scheme;         // of all contacts, as --scheme asks
    sis_input_curves gestures; // curves of --input, and blows; none: all inputs keep their values
    sis_setting* settings;     // [setting_count]: those of --preset, then those of --set
    int32_t setting_count;
    sis_system* system;
} job;

/** EXIT_DONE, or a complaint was made. job_close in any case. job_open is job_load, then
 * job_compile; between the two more may be added to the scene. */
int job_open(job* j, const options* o);
int job_load(job* j, const options* o);
int job_compile(job* j);

void job_close(job* j);

/** Whether the scene has anything of that kind. */
bool job_has(const job* j, sis_kind kind);

/** Whether anything may supply energy after the start: forces, bows, gravity, driven bodies. Of a
 * job that is compiled. */
bool job_driven(const job* j);

/** Says what went wrong, with the scene and the line if it has to do with them; returns the code.
 */
int job_complain(const job* j, const sis_fault* fault);

/** What moves inputs in a run as it is planned: curves of --input, a note, or the blow that a scene
 *  without either gets; NULL: nothing does. */
sis_input_curves* job_gestures(job* j);

/** How the scene is compiled. */
sis_options job_options(const job* j);

/** --from and --to, or the whole run. EXIT_DONE, or a complaint was made. */
int job_window(const job* j, const options* o, double* from, double* to);

/** The heading of pictures: the title of the scene, or its file name. */
const char* job_title(const job* j);

// The commands. Each returns the exit code.
int command_render(const options* o);
int command_play(const options* o);
int command_check(const options* o);
int command_plot(const options* o);
int command_compare(const options* o);
int command_scenes(const options* o);
int command_params(const options* o);
int command_new(const options* o);
int command_plugin(const options* o);
int command_sweep(const options* o);
int command_fit(const options* o);
int command_repro(const options* o);
int command_bench(const options* o);

#endif
