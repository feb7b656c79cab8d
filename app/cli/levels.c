#include "levels.h"

#include "level.h"
#include "notes.h"
#include "say.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

// ---------------------------------------------------------------------------- asking

/** Places of `word` in the list, -1: none. */
static int find(const char* word, const char* const* list, int count) {
    for (int i = 0; i < count; i++)
        if (!strcmp(word, list[i])) return i;
    return -1;
}

static const char* const switches[] = {"off", "on"};
static const char* const depths[] = {"32f", "16", "24"}; // in the order of sis_sound_bits

static const char* ending(const char* path) {
    const char* dot = path ? strrchr(sis_text_file(path), '.') : NULL;
    return dot ? dot : "";
}

static bool is_flac(const options* o) {
    return !strcasecmp(ending(o->out), ".flac");
}

int levels_check(const options* o) {
    const char* end = ending(o->out);
    bool folder = o->out && *o->out && o->out[strlen(o->out) - 1] == '/';
    if (o->normalise_word && find(o->normalise_word, switches, 2) < 0)
        return complain(EXIT_USAGE, "--normalise is on or off, not '%s'", o->normalise_word);
    if (o->bits_word && find(o->bits_word, depths, 3) < 0)
        return complain(EXIT_USAGE, "--bits is 16, 24 or 32f, not '%s'", o->bits_word);
    if (*end && !folder && strcasecmp(end, ".wav") != 0 && !is_flac(o) && o->word_count <= 1)
        return complain(EXIT_USAGE, "-o writes .wav and .flac files, not '%s'", o->out);
    if (is_flac(o) && !folder && o->word_count <= 1 && o->bits_word && !strcmp(o->bits_word, "32f"))
        return complain(EXIT_USAGE,
                        "a FLAC file holds whole numbers, not 32f: take --bits 24 or 16, or write "
                        "a .wav");
    return EXIT_DONE;
}

sis_sound_spec levels_spec(const job* j, const options* o, int32_t channels, uint64_t frames) {
    bool flac = is_flac(o);
    sis_sound_bits bits = flac ? SIS_SOUND_24 : SIS_SOUND_32F;
    if (o->bits_word) bits = (sis_sound_bits)find(o->bits_word, depths, 3);
    return (sis_sound_spec){.rate = j->plan.rate,
                            .channels = channels,
                            .frames = frames,
                            .title = j->render.title,
                            .format = flac ? SIS_SOUND_FLAC : SIS_SOUND_WAV,
                            .bits = bits,
                            .normalise = o->normalise_word ? !strcmp(o->normalise_word, "on")
                                                           : j->render.normalise,
                            .gain_db = isnan(o->gain) ? 0 : o->gain,
                            .kept = o->checkpoint || o->resume};
}

int32_t levels_threads(const options* o) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return isnan(o->threads) ? (cores > 0 ? (int32_t)fmin((double)cores, 64) : 1)
                             : (int32_t)o->threads;
}

bool levels_reference(const job* j, const options* o, sis_sound_spec* spec, sis_fault* fault) {
    if (!spec->normalise || !(o->midi || notes_given(o))) return true;
    sis_performance p = {.scene = o->scene,
                         .script = j->script,
                         .settings = j->settings,
                         .setting_count = j->setting_count,
                         .plan = j->plan,
                         .scheme = j->scheme,
                         .threads = o->word_count > 1 ? 1 : levels_threads(o)};
    return sis_level_measure(&p, j->render.duration, &spec->reference, fault);
}

// ---------------------------------------------------------------------------- telling

void levels_tell(const sis_sound_spec* spec, const sis_sound_level* level) {
    if (!(level->raw_peak > 0)) {
        fprintf(say_stream(), "  sound     silent\n");
        return;
    }
    fprintf(say_stream(), "  sound     peak %.4g", level->raw_peak);
    if (level->gain != 1) fprintf(say_stream(), ", gain %+.1f dB", 20 * log10(level->gain));
    fprintf(say_stream(), ", %+.1f dBFS", 20 * log10(level->peak));
    if (spec->bits == SIS_SOUND_32F && level->peak > 1)
        fprintf(say_stream(), ": players will clip it; %s",
                spec->normalise ? "see --gain" : "see --normalise on");
    fprintf(say_stream(), "\n");
}

void levels_warn(const sis_sound_spec* spec, const sis_sound_level* level, const options* o) {
    if (!level->clipped) return;
    // A tenth of a dB below full scale, with one decimal.
    double less = spec->gain_db - 20 * log10(level->peak) - 0.1;
    fprintf(
        say_stream(),
        "sistrum: %s: %llu sample%s clipped at %s bits; --gain %.1f or %s--bits 32f avoids it\n",
        o->out, (unsigned long long)level->clipped, level->clipped == 1 ? " is" : "s are",
        sis_sound_bits_word(spec->bits), floor(10 * less) / 10,
        spec->format == SIS_SOUND_FLAC ? "a .wav with " : "");
}
