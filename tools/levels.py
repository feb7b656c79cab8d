#!/usr/bin/env python3
"""How loud are the keys of the instruments? Plays every playable scene over its range at velocity 1, measures and writes docs/levels.md.

    tools/levels.py                         every scene with play{}, all its keys
    tools/levels.py guitar sitar            these scenes only; prints the table and writes nothing
    tools/levels.py --check                 the loudness meter itself against sines of known loudness

Of each key: its peak; its loudness, the largest of any 0.4 s with the weighting of ITU-R BS.1770 (momentary, in LU); the correlation
of its two channels, 1 in phase, -1 out of phase. Of each scene: the gain of --note and --midi, and what it leaves of the loudest key.
Needs numpy. The program is $SISTRUM or build/release/sistrum.
"""

import argparse
import json
import math
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import numpy

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..")
SCENES = os.path.join(ROOT, "scenes")
TABLE = os.path.join(ROOT, "docs", "levels.md")
SPREAD = 8.0  # dB, LU: between the loudest and the softest key
OVER = 1.0  # dB that a key may be above the -1 dBFS of the loudest key tried: full scale
OPPOSED = -0.2  # correlation of the channels, at least
SECONDS = 1.5  # of each key


def read_wav(path):
    """Rate and samples [frame][channel] of a WAV of 32-bit floats."""
    with open(path, "rb") as file:
        raw = file.read()
    form, data = raw.index(b"fmt "), raw.index(b"data")
    channels, rate = int.from_bytes(raw[form + 10 : form + 12], "little"), int.from_bytes(raw[form + 12 : form + 16], "little")
    size = int.from_bytes(raw[data + 4 : data + 8], "little")
    return rate, numpy.frombuffer(raw[data + 8 : data + 8 + size], "<f4").reshape(-1, channels).astype(float)


def weighted(sound, rate):
    """The two filters of BS.1770 at any rate: a shelf above 1.7 kHz (+4 dB) and a high-pass at 38 Hz, as bilinear transforms."""
    size = 1 << (2 * len(sound) - 1).bit_length()
    z = numpy.exp(-2j * numpy.pi * numpy.arange(size // 2 + 1) / size)
    k, q, high = math.tan(math.pi * 1681.974450955533 / rate), 0.7071752369554196, 10 ** (3.999843853973347 / 20)
    band = high**0.4996667741545416
    shelf = (high + band * k / q + k * k) + 2 * (k * k - high) * z + (high - band * k / q + k * k) * z**2
    shelf /= (1 + k / q + k * k) + 2 * (k * k - 1) * z + (1 - k / q + k * k) * z**2
    k, q = math.tan(math.pi * 38.13547087602444 / rate), 0.5003270373238773
    cut = (1 - z) ** 2 * (1 + k / q + k * k) / ((1 + k / q + k * k) + 2 * (k * k - 1) * z + (1 - k / q + k * k) * z**2)
    return numpy.fft.irfft(numpy.fft.rfft(sound, size) * shelf * cut, size)[: len(sound)]


def loudness(sound, rate):
    """Largest momentary loudness (0.4 s, moved by a tenth of that), in LU above full scale."""
    power = sum(weighted(sound[:, c], rate) ** 2 for c in range(sound.shape[1]))
    size = int(0.4 * rate)
    total = numpy.concatenate([[0], numpy.cumsum(power)])
    starts = range(0, max(1, len(power) - size + 1), size // 10)
    most = max((total[min(i + size, len(power))] - total[i]) / size for i in starts)
    return -0.691 + 10 * math.log10(most) if most > 0 else -math.inf


def correlation(sound):
    if sound.shape[1] < 2:
        return 1.0
    left, right = sound[:, 0], sound[:, 1]
    both = math.sqrt((left @ left) * (right @ right))
    return left @ right / both if both > 0 else 1.0


def decibels(value):
    return 20 * math.log10(value) if value > 0 else -math.inf


class Instrument:
    """A scene with play{}, and the range of the param that a note sets."""

    def __init__(self, program, name):
        self.program, self.name, self.path = program, name, os.path.join(SCENES, name + ".lua")
        with open(self.path, encoding="utf-8") as file:
            text = file.read()
        self.plays = re.search(r"^play \{[^}]*(pitch|velocity|courses) =", text, re.M) is not None  # sound alone: no notes
        pitch = re.search(r'^play \{[^}]*pitch = "(\w+)"', text, re.M)
        self.low = self.high = None
        if pitch:
            shown = subprocess.run([program, "params", self.path, "--json"], capture_output=True, check=True)
            params = json.loads(shown.stdout)
            param = next(p for p in (params if isinstance(params, list) else params["params"]) if p["name"] == pitch[1])
            self.low, self.high = param["min"], param["max"]

    def keys(self, most=None):
        """Frequencies, a semitone apart or further, both ends among them; [None] where there is no pitch."""
        if self.low is None:
            return [None]
        steps = max(1, round(12 * math.log2(self.high / self.low)))
        steps = min(steps, most - 1) if most else steps
        return [min(self.high, self.low * (self.high / self.low) ** (i / steps)) for i in range(steps + 1)]

    def render(self, folder, key, velocity, *more):
        """What the report says of the sound, its rate and samples."""
        wav = os.path.join(folder, f"{self.name}-{key}-{velocity}.wav")
        note = [] if key is None else ["--note", f"{key:.9f}Hz"]
        command = [self.program, "render", self.path, *note, "--velocity", str(velocity), "-o", wav, "--json", "-", "--quiet", *more]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"levels: {self.name}: {done.stderr.strip()}")
        rate, sound = read_wav(wav)
        os.remove(wav)
        return json.loads(done.stdout)["sound"], rate, sound

    def gain(self, folder):
        """The gain (dB) of its notes."""
        return self.render(folder, self.keys(2)[0], 1, "--normalise", "on", "--duration", "0.05")[0]["gain_db"]

    def key(self, folder, key, velocity, seconds=SECONDS):
        """Peak (dB), loudness (LU) and correlation of one key."""
        _, rate, sound = self.render(folder, key, velocity, "--normalise", "off", "--duration", f"{seconds}")
        return decibels(numpy.abs(sound).max()), loudness(sound, rate), correlation(sound)


def instruments(program, only=()):
    names = sorted(file[:-4] for file in os.listdir(SCENES) if file.endswith(".lua"))
    every = [Instrument(program, name) for name in names if not only or name in only]
    return [one for one in every if one.plays]


def spread(values):
    return max(values) - min(values)


def survey(instrument, folder, pool):
    """One row of the table."""
    keys = instrument.keys()
    measured = list(pool.map(lambda key: instrument.key(folder, key, 1), keys))
    gain = instrument.gain(folder)
    peaks, louds, sides = zip(*measured)
    return instrument.name, len(keys), spread(peaks), spread(louds), min(sides), max(sides), gain, max(peaks) + gain


def check_meter():
    """A sine of 997 Hz at full scale in one channel has -3.01 LU; the largest error, at four rates."""
    worst = 0.0
    for rate in (22050, 44100, 48000, 96000):
        tone = numpy.sin(2 * numpy.pi * 997 * numpy.arange(rate) / rate)[:, None]
        worst = max(worst, abs(loudness(tone, rate) + 3.01))
    return worst


def write_table(rows):
    lines = [
        "# Levels",
        "",
        "Written by `make levels` (`tools/levels.py`). Every playable scene is played at velocity 1 on each of its keys, for",
        f"{SECONDS:g} s. *Peak* and *loudness* are the differences between its loudest and its softest key: of the largest",
        "absolute value, in dB; of the largest momentary loudness of ITU-R BS.1770 (0.4 s), in LU. *Correlation* is that of left",
        "and right, lowest and highest of all keys. *Gain* is that of `--note` and `--midi`",
        "([one gain a scene](notes.md#levels)), and *loudest* what it makes of the loudest key of all: -1 dBFS, if the program has",
        f"found that key. `test/levels.py` fails above {SPREAD:g} dB, above full scale, and below a correlation of {OPPOSED:g}.",
        "",
        "| scene | keys | peak dB | loudness LU | correlation | gain dB | loudest dBFS |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, keys, peak, loud, low, high, gain, top in rows:
        lines.append(f"| {name} | {keys} | {peak:.1f} | {loud:.1f} | {low:.2f} to {high:.2f} | {gain:+.1f} | {top:.1f} |")
    temporary = TABLE + ".new"
    with open(temporary, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    os.replace(temporary, TABLE)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenes", nargs="*", help="names of scenes; default all, and the table is written")
    parser.add_argument("--check", action="store_true", help="measure the loudness meter")
    chosen = parser.parse_args()
    if chosen.check:
        print(f"largest error of the meter: {check_meter():.3f} LU")
        return 0
    program = os.environ.get("SISTRUM") or os.path.join(ROOT, "build", "release", "sistrum")
    rows, bad = [], 0
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        for one in instruments(program, chosen.scenes):
            row = survey(one, folder, pool)
            name, keys, peak, loud, low, high, gain, top = row
            fine = peak <= SPREAD and loud <= SPREAD and low >= OPPOSED and top <= OVER - 1
            bad += not fine
            rows.append(row)
            print(f"{name:16} {keys:3} keys: peak {peak:4.1f} dB, loudness {loud:4.1f} LU, correlation {low:5.2f} to {high:.2f}, "
                  f"gain {gain:+6.1f} dB, loudest {top:5.2f} dBFS{'' if fine else '   OFF'}", flush=True)
    if not chosen.scenes and not bad:
        write_table(rows)
        print("docs/levels.md is written")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
