#include "desk.h"

#include <math.h>

bool sis_desk_resets(int number) {
    return number == 1 || number == 11 || (number >= 64 && number <= 67);
}

static void forget(sis_desk_channel* c, bool all) {
    c->wheel = 0;
    c->pressure = (double)NAN;
    for (int i = 0; i < SIS_PLAY_CONTROLLERS; i++)
        if (all || sis_desk_resets(i)) c->cc[i] = -1;
}

void sis_desk_open(sis_desk* desk) {
    for (int i = 0; i < SIS_CHANNELS; i++) {
        forget(&desk->channels[i], true);
        desk->channels[i].range = (double)NAN;
        desk->channels[i].program = SIS_NO_PROGRAM;
    }
}

void sis_desk_take(sis_desk* desk, const sis_song_event* e) {
    sis_desk_channel* c = &desk->channels[e->channel];
    switch ((sis_song_kind)e->kind) {
    case SIS_SONG_BEND:
        c->wheel = e->value;
        c->range = e->range;
        break;
    case SIS_SONG_PRESSURE:
        c->pressure = e->value / 127;
        break;
    case SIS_SONG_CONTROL:
        c->cc[e->number] = (int16_t)e->value;
        break;
    case SIS_SONG_PROGRAM:
        c->program = (uint8_t)e->value;
        break;
    case SIS_SONG_RESET:
        forget(c, false);
        break;
    case SIS_SONG_KEY_PRESSURE:
    case SIS_SONG_SILENCE:
    case SIS_SONG_TUNING:
        break;
    }
}

static double own_bend(const sis_desk_channel* c, double range) {
    return c->wheel * (isnan(c->range) ? range : c->range);
}

double sis_desk_bend(const sis_desk* desk, int channel, int master, double range) {
    double own = own_bend(&desk->channels[channel], range);
    return channel == master ? own : own + own_bend(&desk->channels[master], range);
}

double sis_desk_pressure(const sis_desk* desk, int channel, int master) {
    return fmax(desk->channels[channel].pressure, desk->channels[master].pressure); // NaN gives way
}

double sis_desk_control(const sis_desk* desk, int channel, int master, int number) {
    int own = desk->channels[channel].cc[number], value = own;
    if (own < 0) value = desk->channels[master].cc[number];
    return value < 0 ? (double)NAN : value / 127.0;
}
