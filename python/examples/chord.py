#!/usr/bin/env python3
"""Three strings of the sitar, one after the other, on one time line: each is a state of its own, stepped in blocks of
256 samples as an audio thread would, and all the energy is accounted for.  chord.py [sound.wav]"""
import sys
import wave
from concurrent.futures import ThreadPoolExecutor
import numpy as np
import sistrum

RATE, BLOCK, BLOCKS = 44100, 256, 700
NOTES = [(138.59, 0.0), (207.65, 0.25), (277.18, 0.5)]  # Hz, s

sitar = sistrum.load("sitar")
states = [sitar.set(f0=f0).compile(rate=RATE).state() for f0, _ in NOTES]


def play(state, start):
    """Silence until `start`, then block after block; probe 0 is the sound."""
    sound = np.zeros(BLOCK * BLOCKS)
    for n, block in enumerate(state.blocks(BLOCK, BLOCKS - int(start * RATE) // BLOCK), int(start * RATE) // BLOCK):
        sound[n * BLOCK:(n + 1) * BLOCK] = block[:, 0]
    return sound


with ThreadPoolExecutor() as threads:  # the library runs outside of Python's lock: as many at once as there are cores
    mix = sum(threads.map(play, states, [start for _, start in NOTES]))
for (f0, _), state in zip(NOTES, states):
    e = state.energy
    print("%6.2f Hz: %.3g J left, %.3g J lost, unexplained %.1e J" % (f0, e.total, e.dissipated, e.residual))
with wave.open((sys.argv + ["chord.wav"])[1], "wb") as file:
    file.setnchannels(1), file.setsampwidth(2), file.setframerate(RATE)
    file.writeframes((mix / np.abs(mix).max() * 0.89 * 32767).astype("<i2").tobytes())
