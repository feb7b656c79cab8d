#!/usr/bin/env python3
"""Are the instruments in tune? Plays notes of every pitched scene, measures their fundamentals and writes docs/tuning.md.

    tools/tuning.py                         every scene that has a line "-- tuning:", at notes over its range
    tools/tuning.py guitar sitar            these scenes only; prints the table and writes nothing
    tools/tuning.py --check                 the estimator itself against tones of known pitch

A scene says how its plain pitch is heard, without the collision that would bend it:

    -- tuning: --set buzz=0.05 after 0.2 s

that is: with these settings, listened to from this time on (when a hammer has left the string). Its play{ pitch = "f0" } names the
param that the note sets. The measured fundamental is the mean slope of the phase of the partial nearest to the nominal pitch,
found as in fundamental() below. Needs numpy. The program is $SISTRUM or build/release/sistrum.
"""

import argparse
import cmath
import json
import math
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import listen  # noqa: E402
from listen import numpy  # noqa: E402

ROOT = os.path.join(HERE, "..")
SCENES = os.path.join(ROOT, "scenes")
TABLE = os.path.join(ROOT, "docs", "tuning.md")
CENTS = 2.0  # what a scene may be off
NOTES = ("C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B")
# Candidates, lowest to highest; a scene is measured at those that its range holds, thinned to PER_SCENE.
STEPS = [33, 36, 40, 45, 50, 55, 57, 60, 64, 69, 74, 81, 84, 91, 96]  # MIDI: A1 to C7
PER_SCENE = 5


def note_name(midi):
    return f"{NOTES[midi % 12]}{midi // 12 - 1}"


def note_frequency(midi):
    return 440.0 * 2 ** ((midi - 69) / 12)


def window(size):
    """Blackman and Harris: partials four bins and more away are 92 dB down."""
    turn = 2 * math.pi / size * numpy.arange(size)
    return 0.35875 - 0.48829 * numpy.cos(turn) + 0.14128 * numpy.cos(2 * turn) - 0.01168 * numpy.cos(3 * turn)


def fundamental(samples, rate, nominal):
    """The frequency (Hz) of the partial nearest to `nominal`, NaN if there is not enough sound.

    Two windows of the sound, D apart, are turned back by e^{-i 2 pi f t}. A partial a e^{-s t} e^{i 2 pi g t} gives them the same
    sum but for a factor e^{-s D} e^{i 2 pi (g - f) D}: its angle is the difference g - f, whatever the decay s. f goes to g,
    and once more from there. Other partials are out of the windows' band: these are 16 periods
    or more long."""
    size = int(rate * max(0.12, 16 / nominal))
    longest = size // 2
    if len(samples) < size + longest:
        return math.nan
    taper, samples = window(size), numpy.asarray(samples)
    first = taper * samples[:size]
    if not math.sqrt(numpy.mean(first**2)) > 1e-7:
        return math.nan
    f = nominal
    # An angle is known but for whole turns: a short way first, which tells 16 bins apart, then long ones, which are precise.
    for shift in (size // 32, size // 8, longest, longest, longest):
        second = taper * samples[shift : shift + size]
        a, b = turned_back(first, f / rate), turned_back(second, f / rate)
        if abs(a) < 1e-9 * size or abs(b) < 1e-12 * size:
            return math.nan
        # b was turned back from its own start; the shift itself turns it by f D.
        step = cmath.phase(b / a * cmath.exp(-2j * math.pi * f / rate * shift)) * rate / (2 * math.pi * shift)
        f += step
        if abs(f / nominal - 1) > 0.06:
            return math.nan
    return f if abs(step) < 1e-5 * f else math.nan


def turned_back(values, turns_per_sample):
    """sum v_i e^{-2 pi i f t}: one line of a Fourier transform."""
    return complex((values * numpy.exp(-2j * math.pi * turns_per_sample * numpy.arange(len(values)))).sum())


def cents(measured, nominal):
    return 1200 * math.log2(measured / nominal) if measured > 0 else math.nan


class Scene:
    """What a scene file says about its notes: line `tuning`, params with their ranges, the param that a note sets."""

    def __init__(self, program, path):
        self.program, self.path = program, path
        self.name = os.path.basename(path)[:-4]
        with open(path, encoding="utf-8") as file:
            self.text = file.read()
        found = re.search(r"^-- tuning:(.*?) after ([0-9.]+) s$", self.text, re.M)
        self.settings, self.after = (found[1].split(), float(found[2])) if found else ([], 0.0)
        pitch = re.search(r'play \{[^}]*pitch = "(\w+)"', self.text)
        self.pitch = pitch[1] if found and pitch else None
        self.silent = re.search(r"^-- silent:(.*)$", self.text, re.M)
        self.silent = self.silent[1].split() if self.silent else []
        self.params = None

    def render(self, folder, *more):
        """Report, rate and channels; a text in place of the report if it failed."""
        wav = os.path.join(folder, f"{self.name}-{os.getpid()}.wav")
        command = [self.program, "render", self.path, "-o", wav, "--json", "-", "--quiet", *more]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return done.stderr.strip() or f"exit code {done.returncode}", 0, []
        rate, channels = listen.read_wav(wav)
        report = json.loads(done.stdout)
        self.params = {p["name"]: p for p in report["params"]}
        return report, rate, channels

    def notes(self, folder, most=PER_SCENE):
        """MIDI numbers within the range of the pitch, the lowest and highest of STEPS among them, `most` at most."""
        if self.params is None:
            self.render(folder, "--duration", "0.001")
        low, high = (self.params[self.pitch][end] for end in ("min", "max"))
        inside = [m for m in STEPS if low <= note_frequency(m) <= high]
        if len(inside) <= most:
            return inside
        return [inside[round(i * (len(inside) - 1) / (most - 1))] for i in range(most)]

    def measure(self, folder, midi, *more):
        """Nominal and measured frequency of a note (Hz); NaN: no such partial, or a text: it failed."""
        nominal = note_frequency(midi)
        duration = self.after + 1.5 * max(0.12, 16 / nominal) + 0.03  # the end fades
        report, rate, channels = self.render(
            folder, *self.settings, *more, "--set", f"{self.pitch}={nominal:.10g}", "--duration", f"{duration:.4f}"
        )
        if isinstance(report, str):
            return nominal, report
        loudest = max(channels, key=lambda channel: (channel**2).sum())
        return nominal, fundamental(loudest[int(self.after * rate) :], rate, nominal)


def program_path():
    return os.environ.get("SISTRUM") or os.path.join(ROOT, "build", "release", "sistrum")


def pitched_scenes(program, only=()):
    scenes = []
    for file in sorted(os.listdir(SCENES)):
        if file.endswith(".lua") and (not only or file[:-4] in only):
            scene = Scene(program, os.path.join(SCENES, file))
            if scene.pitch:
                scenes.append(scene)
    return scenes


def check_estimator():
    """Tones of known pitch with neighbours and decay: the largest error in cents."""
    worst, rate = 0.0, 48000
    for f in (32.7, 55.0, 110.3, 440.7, 2093.9):
        count = int(rate * (1.5 * max(0.12, 16 / f) + 0.01))
        t = numpy.arange(count) / rate
        tone = sum(
            numpy.exp(-sigma * t) / p * numpy.sin(2 * math.pi * f * p * math.sqrt(1 + 1e-4 * p * p) * t + p)
            for p, sigma in ((1, 3), (2, 5), (3, 9))
        )
        exact = f * math.sqrt(1 + 1e-4)
        for guess in (1, 2 ** (10 / 1200), 2 ** (-25 / 1200)):
            worst = max(worst, abs(cents(fundamental(tone, rate, exact * guess), exact)))
    return worst


def write_table(rows, worst):
    lines = [
        "# Tuning",
        "",
        "Written by `make tuning` (`tools/tuning.py`). Every pitched scene is played at notes over its range, with the collision",
        "that would bend its pitch moved away (the line `-- tuning:` of the scene says how), and the fundamental is measured from the",
        f"sound. The estimator is within {check_estimator():.0e} cents on tones of known pitch, decay and inharmonicity",
        f"(`tools/tuning.py --check`). The largest error below is {worst:.2f} cents; `test/tuning.py` fails above {CENTS:g}.",
        "",
        "| scene | note | nominal Hz | measured Hz | cents |",
        "|---|---|---|---|---|",
    ]
    lines += [f"| {s} | {note_name(m)} | {nominal:.3f} | {got:.3f} | {cents(got, nominal):+.2f} |" for s, m, nominal, got in rows]
    temporary = TABLE + ".new"
    with open(temporary, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    os.replace(temporary, TABLE)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenes", nargs="*", help="names of scenes; default all, and the table is written")
    parser.add_argument("--check", action="store_true", help="measure the estimator on tones of known pitch")
    chosen = parser.parse_args()
    if chosen.check:
        print(f"largest error of the estimator: {check_estimator():.1e} cents")
        return 0
    scenes = pitched_scenes(program_path(), chosen.scenes)
    unknown = set(chosen.scenes) - {scene.name for scene in scenes}
    if unknown:
        sys.exit(f"tuning: no pitched scene called {', '.join(sorted(unknown))} in scenes/")
    rows, bad = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for scene in scenes:
            for midi in scene.notes(folder):
                nominal, got = scene.measure(folder, midi)
                if isinstance(got, str):
                    sys.exit(f"tuning: {scene.name}: {got}")
                off = cents(got, nominal)
                bad += not abs(off) <= CENTS
                rows.append((scene.name, midi, nominal, got))
                print(f"{scene.name:16} {note_name(midi):3} {nominal:10.3f} {got:10.3f} {off:+8.3f} cents{'' if abs(off) <= CENTS else '   OFF'}")
    worst = max((abs(cents(got, nominal)) for _, _, nominal, got in rows), default=math.nan)
    print(f"{len(rows)} note{'' if len(rows) == 1 else 's'}, largest error {worst:.2f} cents, {bad} off by more than {CENTS:g}")
    if not chosen.scenes and not bad:
        write_table(rows, worst)
        print("docs/tuning.md is written")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
