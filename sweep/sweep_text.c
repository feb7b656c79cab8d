// What a study is, as text: a line for everything that its rows follow from. Two commands are the
// same study where these texts are the same.

#include "sweep.h"

#include <math.h>
#include <stdlib.h>

static void put_number(FILE* out, const char* before, double value) {
    char text[SIS_DECIMAL];
    fprintf(out, "%s%s", before, sis_decimal(value, text));
}

static void put_hash(FILE* out, const char* word, const void* bytes, size_t size) {
    char text[SIS_SHA256];
    fprintf(out, "%s %s\n", word, sis_sha256_of(bytes, size, text));
}

static void put_run(FILE* out, const sis_sweep* s) {
    const sis_sweep_spec* spec = &s->spec;
    fprintf(out, "sistrum %s\nscene %s\n", sis_version(), s->scene_hash);
    for (int32_t i = 0; i < spec->setting_count; i++) {
        fprintf(out, "set %s", spec->settings[i].name);
        put_number(out, " ", spec->settings[i].value);
        fputc('\n', out);
    }
    if (!isnan(spec->rate)) put_number(out, "rate ", spec->rate), fputc('\n', out);
    if (!isnan(spec->duration)) put_number(out, "duration ", spec->duration), fputc('\n', out);
    if (spec->oversample) fprintf(out, "oversample %d\n", (int)spec->oversample);
    if (spec->scheme != SIS_SCHEME_AS_GIVEN)
        fprintf(out, "scheme %s\n", sis_scheme_word(spec->scheme));
    if (!isnan(spec->hold)) put_number(out, "hold ", spec->hold), fputc('\n', out);
    for (int32_t i = 0; i < s->curves.count; i++) {
        const sis_input_curve* curve = &s->curves.curves[i];
        if (!curve->given) continue;
        fprintf(out, "input %s", curve->name);
        put_hash(out, "", curve->points, 2 * curve->count * sizeof *curve->points);
    }
}

static void put_axis(FILE* out, const sis_axis* a) {
    fprintf(out, "axis %s", a->name);
    switch (a->form) {
    case SIS_AXIS_LIST:
        for (uint64_t i = 0; i < a->count; i++)
            put_number(out, i ? "," : " ", a->values[i]);
        break;
    case SIS_AXIS_PAIRED:
        fputs(" pairs", out);
        break;
    case SIS_AXIS_STEPS:
    case SIS_AXIS_DRAWN:
        put_number(out, " ", a->from);
        put_number(out, ":", a->to);
        fputs(a->logarithmic ? ":log" : "", out);
        if (a->form == SIS_AXIS_STEPS) fprintf(out, ":%llu", (unsigned long long)a->count);
        break;
    }
    fputc('\n', out);
}

static void put_points(FILE* out, const sis_sweep* s) {
    const sis_points* p = &s->points;
    for (int32_t i = 0; i < p->axis_count; i++) {
        put_axis(out, &p->axes[i]);
        if (p->axes[i].kind == SIS_AXIS_NOTE) put_number(out, "a4 ", p->a4), fputc('\n', out);
    }
    if (p->pairs)
        put_hash(out, "pairs", p->pairs,
                 (size_t)p->pair_count * (size_t)p->pair_columns * sizeof *p->pairs);
    if (p->random && !s->spec.fit)
        fprintf(out, "random %llu %s seed %llu\n", (unsigned long long)p->random,
                sis_draw_word(p->draw), (unsigned long long)p->seed);
}

/** How far a fit goes, it may be told later: its rows do not follow from it. */
static void put_target(FILE* out, const sis_sweep* s) {
    const sis_fit_spec* fit = s->spec.fit;
    const sis_heard* sound = &fit->sound;
    if (sound->frames) {
        size_t numbers = (size_t)sound->rows * (size_t)sound->channels;
        put_hash(out, "target", sound->frames, numbers * sizeof *sound->frames);
        fprintf(out, "of %d channels%s", (int)sound->channels, fit->level ? ", its level too" : "");
        put_number(out, " at ", sound->rate);
        fputc('\n', out);
    }
    for (int32_t i = 0; i < s->target.goal_count; i++) {
        fprintf(out, "target %s", s->measures.list[1 + i].name);
        put_number(out, " ", s->target.goals[i]);
        fputc('\n', out);
    }
    fprintf(out, "fit seed %llu\n", (unsigned long long)s->points.seed);
}

static void put_outputs(FILE* out, const sis_sweep* s) {
    fputs("measure ", out);
    for (int32_t i = 0; i < s->measures.count; i++)
        fprintf(out, "%s%s", i ? "," : "", s->measures.list[i].name);
    fputc('\n', out);
    if (s->spec.functions) put_hash(out, "measure-file", s->spec.functions, s->spec.functions_size);
    if (s->spec.caller.count) fprintf(out, "%s\n", s->spec.caller.mark);
    if (s->spec.sounds != SIS_SOUNDS_NONE)
        fprintf(out, "sounds %s%s, %llu a shard\n", sis_sounds_word(s->spec.sounds),
                s->spec.normalise ? " normalised" : "", (unsigned long long)s->spec.shard);
}

bool sis_sweep_describe(sis_sweep* s, sis_fault* fault) {
    size_t size = 0;
    sis_sha256_of(s->spec.scene, s->spec.scene_size, s->scene_hash);
    FILE* out = open_memstream(&s->text, &size);
    if (!out) return sis_fault_no_memory(fault);
    put_run(out, s);
    put_points(out, s);
    if (s->spec.fit) put_target(out, s);
    put_outputs(out, s);
    bool lost = ferror(out) != 0;
    if (fclose(out) != 0 || lost) return sis_fault_no_memory(fault);
    sis_sha256_of(s->text, size, s->hash);
    return true;
}
