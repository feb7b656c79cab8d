// sistrum plot: a picture of a run.

#include "files.h"
#include "job.h"
#include "picture.h"
#include "plot_study.h"
#include "say.h"
#include "text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static int find_subject(const char* word, sis_subject* subject) {
    *subject = SIS_SUBJECT_ENERGY;
    if (!word) return EXIT_DONE;
    const char* words[SIS_SUBJECT_COUNT];
    char list[160] = "";
    for (int i = 0; i < SIS_SUBJECT_COUNT; i++) {
        words[i] = sis_subject_word((sis_subject)i);
        if (!strcmp(words[i], word)) {
            *subject = (sis_subject)i;
            return EXIT_DONE;
        }
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", words[i]);
    }
    const char* guess = closest(word, words, SIS_SUBJECT_COUNT);
    if (guess)
        return complain(EXIT_USAGE, "--what: unknown subject '%s' (did you mean '%s'?)", word,
                        guess);
    return complain(EXIT_USAGE, "--what: unknown subject '%s'; there are %s", word, list);
}

/** What is for spectra only. */
static int check_frequencies(const options* o, sis_picture* picture) {
    bool spectrum = picture->subject == SIS_SUBJECT_SPECTRUM;
    if (!isnan(o->window) && !spectrum && picture->subject != SIS_SUBJECT_SPECTROGRAM)
        return complain(EXIT_USAGE,
                        "--window is for --what spectrum and spectrogram, not for --what %s",
                        sis_subject_word(picture->subject));
    if (o->axis && !spectrum)
        return complain(EXIT_USAGE, "--axis is for --what spectrum, not for --what %s",
                        sis_subject_word(picture->subject));
    if (o->axis && strcmp(o->axis, "log") != 0 && strcmp(o->axis, "linear") != 0)
        return complain(EXIT_USAGE, "--axis must be log or linear, not '%s'", o->axis);
    if (!isnan(o->window) && !(o->window > 0))
        return complain(EXIT_USAGE, "--window must be longer than 0 s");
    picture->window = isnan(o->window) ? 0 : o->window;
    picture->linear = o->axis && !strcmp(o->axis, "linear");
    picture->a4 = isnan(o->a4) ? 440 : o->a4;
    return EXIT_DONE;
}

static int check_request(const options* o, sis_picture* picture) {
    if (!o->scene) return complain(EXIT_USAGE, "plot needs a scene: sistrum plot SCENE -o out.png");
    if (!o->out) return complain(EXIT_USAGE, "plot needs an output: -o out.png (or .svg, .pdf)");
    picture->format = sis_format_of(o->out);
    if (picture->format == SIS_FORMAT_NONE)
        return complain(EXIT_USAGE, "a picture is a .png, .svg or .pdf file, not '%s'", o->out);
    int code = find_subject(o->what, &picture->subject);
    if (!code) code = check_frequencies(o, picture);
    if (code || !o->time_count) return code;
    if (picture->subject != SIS_SUBJECT_SNAPSHOTS && picture->subject != SIS_SUBJECT_PLATE)
        return complain(EXIT_USAGE, "--times is for --what snapshots and plate, not for --what %s",
                        sis_subject_word(picture->subject));
    if (!isnan(o->from) || !isnan(o->to))
        return complain(EXIT_USAGE, "--times says when: leave out --from and --to");
    picture->times = o->times;
    picture->time_count = o->time_count;
    return EXIT_DONE;
}

static bool draw(sis_picture picture, const options* o, sis_fault* fault) {
    sis_files* files = sis_files_new();
    if (!files) return sis_fault_no_memory(fault);
    progress bar = progress_begin(o->quiet);
    picture.progress = progress_show;
    picture.progress_self = &bar;
    sis_files_protect(files, o->scene, "scene");
    if (o->sound) sis_files_protect(files, o->sound, "sound");
    int descriptor = sis_files_add(files, o->out, fault);
    bool fine = descriptor >= 0 && sis_picture_draw(&picture, descriptor, fault);
    progress_end(&bar);
    fine = fine && sis_files_commit(files, fault);
    sis_files_free(files);
    return fine;
}

int command_plot(const options* o) {
    sis_picture picture = {0};
    sis_fault fault;
    if (plot_is_study(o->scene)) return plot_study(o);
    if (o->x || o->y || o->colour || o->pareto) {
        FILE* study = o->scene ? fopen(o->scene, "rb") : NULL;
        if (o->scene && !study && strrchr(o->scene, '.'))
            return complain(EXIT_USAGE, "cannot read '%s': %s", o->scene, strerror(errno));
        if (study) fclose(study);
        return complain(EXIT_USAGE, "%s is for a study: sistrum plot study.db -o out.png",
                        o->x        ? "--x"
                        : o->y      ? "--y"
                        : o->colour ? "--colour"
                                    : "--pareto");
    }
    int code = check_request(o, &picture);
    if (code) return code;
    if (!sis_canvas_available(&fault)) return complain_fault(&fault);
    job j;
    code = job_load(&j, o);
    sis_options how = job_options(&j);
    if (!code && !sis_picture_probes(sis_script_scene(j.script), picture.subject, &how, &fault))
        code = job_complain(&j, &fault);
    if (!code) code = job_compile(&j);
    if (!code) code = job_window(&j, o, &picture.from, &picture.to);
    if (!code) {
        picture.title = job_title(&j);
        picture.system = j.system;
        picture.plan = j.plan;
        picture.gestures = job_gestures(&j);
        if (!draw(picture, o, &fault)) code = job_complain(&j, &fault);
    }
    job_close(&j);
    return code;
}
