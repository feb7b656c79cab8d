#include "play_piano.h"

#include <string.h>

#define REPEAT_SECONDS 0.06 // characters of one key that come faster come from a key held down

const char play_piano_caps[PLAY_PIANO_KEYS + 1] = "zsxdcvgbhnjmq2w3er5t6y7ui9o0p";

play_piano play_piano_default(void (*send)(void* self, const uint8_t* bytes, size_t size),
                              void* self) {
    play_piano p = {.octave = 3, .velocity = 100, .hold = 0.4, .send = send, .self = self};
    for (int i = 0; i < PLAY_PIANO_KEYS; i++) {
        p.sounding[i] = -1;
        p.struck[i] = p.since[i] = -1e9;
    }
    return p;
}

int32_t play_piano_key(const play_piano* p, int i) {
    int32_t key = 12 * (p->octave + 1) + i;
    return key >= 0 && key < 128 ? key : -1;
}

static void begin(play_piano* p, int i, double now) {
    int32_t key = play_piano_key(p, i);
    if (key < 0) return;
    p->send(p->self, (uint8_t[]){0x90, (uint8_t)key, (uint8_t)p->velocity}, 3);
    p->sounding[i] = key;
    p->since[i] = now;
}

static void end(play_piano* p, int i) {
    if (p->sounding[i] < 0) return;
    p->send(p->self, (uint8_t[]){0x80, (uint8_t)p->sounding[i], 0}, 3);
    p->sounding[i] = -1;
}

static int find_cap(int32_t code) {
    if (code >= 'A' && code <= 'Z') code += 'a' - 'A';
    const char* cap = code > 0 && code < 128 ? strchr(play_piano_caps, (char)code) : NULL;
    return cap && *cap ? (int)(cap - play_piano_caps) : -1;
}

static void strike(play_piano* p, int i, double now) {
    bool sounds = p->sounding[i] >= 0;
    end(p, i);
    if (p->mode == PLAY_PIANO_TOGGLE && sounds) return;
    begin(p, i, now);
}

bool play_piano_take(play_piano* p, const play_key* key, double now) {
    int i = key->ctrl || key->alt ? -1 : find_cap(key->place ? key->place : key->code);
    if (i < 0) return false;
    if (key->up) {
        if (p->mode == PLAY_PIANO_HOLD) end(p, i);
        return true;
    }
    bool held = key->repeat || (!p->key_up && now - p->struck[i] < REPEAT_SECONDS);
    p->struck[i] = now;
    if (!held) strike(p, i, now);
    return true;
}

void play_piano_tick(play_piano* p, double now) {
    if (p->key_up || p->mode != PLAY_PIANO_HOLD) return;
    for (int i = 0; i < PLAY_PIANO_KEYS; i++) {
        double last = p->struck[i] > p->since[i] ? p->struck[i] : p->since[i];
        if (now - last > p->hold) end(p, i);
    }
}

void play_piano_up(play_piano* p) {
    for (int i = 0; i < PLAY_PIANO_KEYS; i++)
        end(p, i);
}

void play_piano_pedal(play_piano* p, bool down) {
    p->pedal = down;
    p->send(p->self, (uint8_t[]){0xb0, 64, down ? 127 : 0}, 3);
}
