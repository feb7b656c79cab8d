#!/usr/bin/env python3
"""Writes examples/song.mid, a short tune for a guitar: the melody on channel 1, broken chords on channel 2.
  tools/song.py [FILE]"""

import os
import struct
import sys

QUARTER = 480  # ticks
TEMPO = 92  # quarters a minute
NAMES = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}

# A bar of three quarters each: the bass, the two notes that break its chord, the melody with its lengths in quarters.
BARS = [
    ("E2", "B2 E3", "B4 1, E5 1, D5 0.5, B4 0.5"),
    ("C3", "E3 G3", "C5 1.5, B4 0.5, G4 1"),
    ("A2", "E3 C4", "A4 1, C5 1, B4 0.5, A4 0.5"),
    ("B2", "F#3 D#4", "F#4 2, D#4 1"),
    ("E2", "B2 G3", "E4 1, G4 1, B4 1"),
    ("A2", "E3 A3", "C5 1, A4 1, F#4 1"),
    ("B2", "F#3 A3", "G4 1, F#4 1, D#4 1"),
    ("E2", "B2 G3", "E4 3"),
]


def key(name):
    """The MIDI key of a name such as F#3; C4 is 60."""
    return NAMES[name[0]] + name.count("#") + 12 * (int(name[-1]) + 1)


def notes():
    """(start, end, channel, key, velocity) of all notes, in ticks; channels from 0 on."""
    for bar, (bass, chord, melody) in enumerate(BARS):
        begin, end = 3 * bar * QUARTER, 3 * (bar + 1) * QUARTER
        yield begin, end, 1, key(bass), 84
        for i, name in enumerate(chord.split(), 1):
            yield begin + i * QUARTER, end, 1, key(name), 52 + 6 * i
        at = begin
        for i, note in enumerate(melody.split(", ")):
            name, quarters = note.split()
            after = at + round(float(quarters) * QUARTER)
            yield at, after, 0, key(name), 104 if i == 0 else 92
            at = after


def length(n):
    """Seven bits a byte, the highest says that more follow."""
    out = [n & 127]
    while n > 127:
        n >>= 7
        out.insert(0, n & 127 | 128)
    return bytes(out)


def song():
    events = [(0, 0, b"\xff\x51\x03" + struct.pack(">I", round(60e6 / TEMPO))[1:])]
    for start, end, channel, note, velocity in notes():
        events.append((start, 2, bytes([0x90 | channel, note, velocity])))
        events.append((end, 1, bytes([0x80 | channel, note, 0])))  # before what begins then
    track, now = b"", 0
    for tick, _, data in sorted(events):
        track += length(tick - now) + data
        now = tick
    track += b"\0\xff\x2f\0"
    return b"MThd" + struct.pack(">IHHH", 6, 0, 1, QUARTER) + b"MTrk" + struct.pack(">I", len(track)) + track


if __name__ == "__main__":
    default = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "examples", "song.mid")
    with open(sys.argv[1] if len(sys.argv) > 1 else default, "wb") as file:
        file.write(song())
