#!/usr/bin/env python3
"""Laws of instruments in scenes/ that follow the player: in balance with every input at its ends and in a restless hand; keys struck
again, dampers, pedals, Bebung, vowels, the strainer of a snare and a glissando do what players expect. Usage: played.py path/to/sistrum"""

import math
import os
import random
import re
import tempfile
from concurrent.futures import ThreadPoolExecutor

from laws import check, check_count, end, program
import tuning  # tools/tuning.py

RESTS, MOVES = 1e-12, 1e-11  # residual of the energy, relative
SECONDS = check_count(0.15, 0.6)


def curve(folder, name, points):
    """A file for --input."""
    path = os.path.join(folder, name + ".csv")
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(f"{time:.9f},{value:.12g}\n" for time, value in points)
    return path


def restless(one, chance):
    """Anywhere in its range, fast and slow, a blow now and then."""
    time, points = 0.002, []
    if not one["trigger"]:
        points.append((0, one["value"]))
    while time < 0.8 * SECONDS:
        points.append((time, chance.uniform(one["min"], one["max"])))
        time += chance.choice((0.02, 0.05) if one["trigger"] else (2e-4, 1e-3, 0.01, 0.04))
    return points


def hold(name, report, channels, most):
    if isinstance(report, str):
        check(False, f"{name}: {report}")
        return False
    check(report["energy"]["residual_max"] <= most, f"{name}: residual {report['energy']['residual_max']}")
    check(all(math.isfinite(c.sum()) for c in channels), f"{name}: not a number")
    return True


def in_balance(scene, folder):
    """At both ends of every input, and while all of them move at once."""
    report, _, channels = scene.render(folder, "--duration", "0.01")
    if not hold(scene.name, report, channels, RESTS):
        return
    inputs, chance, all_of_them = report["inputs"], random.Random(scene.name), []
    for one in inputs:
        check(one["label"] != one["name"], f"{scene.name}: input {one['name']} has no label")
        for end_of in () if one["trigger"] else ("min", "max"):
            setting = f"{one['name']}={one[end_of]:.17g}"
            report, _, channels = scene.render(folder, "--set", setting, "--duration", str(SECONDS))
            hold(f"{scene.name} {setting}", report, channels, RESTS)
        path = curve(folder, f"{scene.name}-{one['name']}", restless(one, chance))
        all_of_them += ["--input", f"{one['name']}={path}"]
    report, _, channels = scene.render(folder, *all_of_them, "--duration", str(SECONDS))
    if hold(f"{scene.name} in a restless hand", report, channels, MOVES):
        print(f"{scene.name}: {len(inputs)} inputs, residual {report['energy']['residual_max']:.1e} while all move")


class Play:
    """A scene, played along curves."""

    def __init__(self, folder, name):
        self.folder, self.name = folder, name
        self.scene = tuning.Scene(program, os.path.join(tuning.SCENES, name + ".lua"))

    def __call__(self, duration, *more, **curves):
        """Left channel and rate; [] where it failed."""
        for name, points in curves.items():
            more += ("--input", f"{name}={curve(self.folder, f'{self.name}-law-{name}', points)}")
        report, self.rate, channels = self.scene.render(self.folder, *more, "--duration", str(duration), "--normalise", "off")
        self.sound = channels[0] if hold(f"{self.name} {' '.join(more)}", report, channels, MOVES) else []
        return self

    def level(self, start, length=0.1):
        """dB of a stretch."""
        part = self.sound[int(start * self.rate) : int((start + length) * self.rate)]
        return 10 * math.log10((part**2).mean() + 1e-30) if len(part) else math.nan

    def pitch(self, start, stop, nominal):
        return tuning.fundamental(self.sound[int(start * self.rate) : int(stop * self.rate)], self.rate, nominal)

    def centroid(self, start, stop):
        frames = tuning.listen.listen(self.sound[int(start * self.rate) : int(stop * self.rate)], self.rate)
        heard = [centroid for _, _, centroid, _ in frames if centroid > 0]
        return sum(heard) / len(heard) if heard else math.nan


def piano(folder):
    """A key is struck again and again; felt falls when it goes up, unless the pedal is down. A note strikes once."""
    play = Play(folder, "felt_piano")
    alone, note = play(1).level(0.1), play(1, "--note", "130.81Hz").level(0.1)
    check(abs(alone - note) < 0.5, f"felt_piano: {note:.1f} dB as a note, {alone:.1f} dB by itself")
    twice = play(1, key=[(0, 1)], blow=[(0, 1), (0.5, 1)])
    first, before, after = (twice.level(start) for start in (0.1, 0.4, 0.52))
    check(abs(first - note) < 0.5, f"felt_piano: {first:.1f} dB by a blow, {note:.1f} dB as a note")
    check(after > before + 2, f"felt_piano: a second blow takes {before:.1f} to {after:.1f} dB")
    up = [(0, 1), (0.4, 1), (0.401, 0)]
    damped = play(1, key=up, blow=[(0, 1)]).level(0.8)
    held = play(1, key=up, blow=[(0, 1)], pedal=[(0, 0), (0.3, 1)]).level(0.8)
    check(damped < note - 40, f"felt_piano: {damped:.1f} dB under the damper")
    check(held > note - 10, f"felt_piano: {held:.1f} dB with the pedal")
    print(f"felt_piano: {note:.1f} dB, struck again {before:.1f} to {after:.1f}, damped {damped:.1f}, with the pedal {held:.1f}")
    for name in ("piano_chord", "prepared_piano"):
        play = Play(folder, name)
        rings, ends = play(0.9, "--note", "D3").level(0.7), play(0.9, "--note", "D3", "--hold", "0.3").level(0.7)
        check(ends < rings - 25, f"{name}: {rings:.1f} dB held, {ends:.1f} dB let go")
        print(f"{name}: {rings:.1f} dB held, {ends:.1f} dB let go")


def bebung(folder):
    """Pressing raises the pitch, by more the shorter the string; let go it is silent."""
    play, risen = Play(folder, "clavichord"), []
    for f0 in (220, 880):
        sound = play(1.4, "--set", f"f0={f0}", "--set", "bebung=0", deeper=[(0, 0), (0.6, 0), (0.7, 2.5e-3)])
        risen.append(tuning.cents(sound.pitch(0.8, 1.4, 1.02 * f0), sound.pitch(0.2, 0.6, f0)))
    check(15 < risen[0] < risen[1] < 80, f"clavichord: pressing raises the pitch by {risen} cents")
    rings, ends = (play(1, "--set", "bebung=0", *more).level(0.7) for more in ((), ("--note", "A3", "--hold", "0.5")))
    check(ends < rings - 30, f"clavichord: {rings:.1f} dB held, {ends:.1f} dB let go")
    print(f"clavichord: pressing raises the pitch by {risen[0]:.1f} and {risen[1]:.1f} cents; held {rings:.1f} dB, let go {ends:.1f}")


def vowel(folder):
    """The tongue moves the second formant while it sounds: brighter in front."""
    play = Play(folder, "jaw_harp")
    sound = play(1.2, front=[(0, 0), (0.5, 0), (0.6, 1)])
    back, front = sound.centroid(0.2, 0.5), sound.centroid(0.7, 1)
    check(front > 1.1 * back, f"jaw_harp: centroid {back:.0f} Hz, in front {front:.0f} Hz")
    print(f"jaw_harp: centroid {back:.0f} Hz, {front:.0f} Hz with the tongue in front")


def strainer(folder):
    """Wires that are let down no longer rattle; where the stick lands matters."""
    play = Play(folder, "snare")
    on, off = play(0.25).centroid(0.05, 0.25), play(0.25, lift=[(0, 4e-3)]).centroid(0.05, 0.25)
    check(on > 1.5 * off, f"snare: centroid {on:.0f} Hz, with the wires let down {off:.0f} Hz")
    inner, edge = (play(0.25, "--set", "snares=0", place=[(0, x)]).level(0, 0.25) for x in (0.3, 0.1))
    check(inner > edge + 2, f"snare: {inner:.1f} dB struck well inside, {edge:.1f} dB near the edge")
    print(f"snare: centroid {on:.0f} Hz, wires let down {off:.0f} Hz; {inner:.1f} dB struck well inside, {edge:.1f} dB near the edge")


def glissando(folder):
    """The pedal takes what rings a fourth up; blows of a roll add up; a hand ends it."""
    play, f0 = Play(folder, "timpani"), 98
    report, _, _ = play.scene.render(folder, "--duration", "0.001")
    pedal = next(one for one in report["inputs"] if one["name"] == "pedal")
    sound = play(1.6, pedal=[(0, pedal["value"]), (0.5, pedal["value"]), (0.8, pedal["max"])])
    fourth = tuning.cents(sound.pitch(0.9, 1.6, f0 * 2 ** (5 / 12)), f0)
    check(abs(fourth - 500) < 2, f"timpani: the pedal raises the pitch by {fourth:.1f} cents")
    once, roll = play(0.8, blow=[(0, 1)]), [(0.05 * i, 1) for i in range(10)]
    single = once.level(0.1)
    rolled = play(0.8, blow=roll).level(0.4)
    check(rolled > single + 2, f"timpani: {single:.1f} dB of one blow, {rolled:.1f} dB of a roll")
    muted = play(0.8, mute=[(0, 0), (0.3, 0), (0.32, 1)]).level(0.6)
    check(muted < single - 20, f"timpani: {muted:.1f} dB under the hand")
    print(f"timpani: the pedal raises the pitch by {fourth:.1f} cents; one blow {single:.1f} dB, a roll {rolled:.1f}, muted {muted:.1f}")


def bow(folder):
    """Strokes that the hand scales: harder is brighter, slower is softer, and a key that goes up stops the bow."""
    play = Play(folder, "tromba")
    plain, slower = play(0.9).level(0.6), play(0.9, hold=[(0, 1), (0.4, 1), (0.45, 0.8)]).level(0.6)
    check(slower < plain - 1, f"tromba: {plain:.1f} dB, {slower:.1f} dB drawn slower")
    soft, hard = (play(0.9, lean=[(0, 0), (0.4, 0), (0.45, x)]).centroid(0.5, 0.9) for x in (0, 3))
    check(hard > 1.02 * soft, f"tromba: centroid {soft:.0f} Hz, {hard:.0f} Hz pressed harder")
    near, far = (play(0.9, place=[(0, 0.13), (0.4, 0.13), (0.5, x)]).centroid(0.55, 0.9) for x in (0.08, 0.25))
    check(abs(near / far - 1) > 0.02, f"tromba: centroid {near:.0f} Hz near the bridge, {far:.0f} Hz far from it")
    for name, note in (("tromba", ("--note", "C2")), ("tromba_marina", ("--velocity", "0.6"))):
        play = Play(folder, name)
        held, ends = (play(1.1, *note, *more).level(1) for more in ((), ("--hold", "0.5")))
        check(ends < held - 25, f"{name}: {held:.1f} dB held, {ends:.1f} dB let go")
        print(f"{name}: {held:.1f} dB held, {ends:.1f} dB let go")
    print(f"tromba: {plain:.1f} dB, {slower:.1f} drawn slower; centroid {soft:.0f} Hz, pressed {hard:.0f}; near the nut {near:.0f}, further {far:.0f}")


def with_inputs():
    scenes = (tuning.Scene(program, os.path.join(tuning.SCENES, file)) for file in sorted(os.listdir(tuning.SCENES)) if file.endswith(".lua"))
    return [one for one in scenes if re.search(r"\binput ?\{", one.text)]


with tempfile.TemporaryDirectory() as temporary, ThreadPoolExecutor(2) as pool:
    played = with_inputs()
    check(len(played) >= 7, f"{len(played)} scenes with inputs")
    own = os.path.join(temporary, "laws")  # files of the two kinds have the same names
    os.mkdir(own)
    laws = [pool.submit(law, own) for law in (piano, bebung, vowel, strainer, glissando, bow)]
    for done in laws + [pool.submit(in_balance, one, temporary) for one in played]:
        done.result()
end(f"{len(played)} scenes with inputs, ")
