#!/usr/bin/env python3
"""Laws of the playable instruments in scenes/: in tune, no DC, not clipped, not silent, in balance at both ends of
every knob and at several rates, brighter with their collision than without and when played harder, hammers at rest in
the end. The starter of `sistrum new` is in tune, too. Usage: tuning.py path/to/sistrum"""

import math
import os
import re
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

from laws import check, check_count, end, program
import tuning  # tools/tuning.py

BALANCE = 1e-10  # residual of the energy, relative
DC = 1e-3  # mean over peak
SILENT = -70.0  # dB below full scale, of normalised sound from 50 ms on
WHOLE, END, PATIENT = 1.2, 0.1, 1.0  # s: how long defaults and ends of knobs are heard, and ends that begin late
NOTES = check_count(2, 3)  # of each pitched scene; make tuning measures more
RATES, BRIEF = check_count(("44100", "48000"), ("44100", "48000", "96000")), "0.002"  # Hz; s: long enough to see that it runs
GRIDS = ("clash", "clavichord", "tromba", "snare", "timpani")  # choose their grids themselves: in tune at every rate?
# Struck by something heavy, which must come to rest: energy at the end over the largest.
STRUCK, REST = ("clavichord", "dulcimer", "felt_piano", "marimba", "piano_chord", "prepared_piano", "snare", "timpani"), 0.05
LET_GO = {"clavichord": ("--set", "held=2.2")}  # a key that is held lifts its string


def level(samples):
    return 10 * math.log10((samples**2).mean() + 1e-24)


def hold(name, report, rate, channels):
    """Did it run, in balance, finite and within full scale?"""
    if isinstance(report, str):
        check(False, f"{name}: {report}")
        return False
    check(report["energy"]["residual_max"] <= BALANCE, f"{name}: residual {report['energy']['residual_max']}")
    peak = max((abs(c).max() for c in channels), default=math.nan)
    check(peak <= 1, f"{name}: peak {peak}")  # a NaN fails
    check(all(math.isfinite(c.sum()) for c in channels), f"{name}: not a number")
    return True


def sounds(channels, rate):
    return max(level(c[int(0.05 * rate) :]) for c in channels) > SILENT


def as_it_stands(scene, folder):
    """The scene with its defaults."""
    report, rate, channels = scene.render(folder, "--duration", str(WHOLE))
    if not hold(scene.name, report, rate, channels):
        return None
    peak = max(abs(c).max() for c in channels)
    for number, channel in enumerate(channels, 1):
        mean = abs(channel.mean())
        check(mean < DC * peak, f"{scene.name}: channel {number} has a mean of {mean:.1e}, the peak is {peak:.1e}")
    check(sounds(channels, rate), f"{scene.name}: silent after 50 ms")
    check(report["title"], f"{scene.name}: no title")
    check(len(report["params"]) >= 3, f"{scene.name}: fewer than three knobs")
    for param in report["params"]:
        known = param.get("min") is not None and param.get("max") is not None and param["label"] != param["name"]
        check(known, f"{scene.name}: param {param['name']} lacks a range or a label")
    return report


def in_tune(scene, folder, notes, *settings):
    for midi in notes:
        nominal, got = scene.measure(folder, midi, *settings)
        name = " ".join((scene.name, tuning.note_name(round(midi)), *settings))
        if isinstance(got, str):
            check(False, f"{name}: {got}")
            continue
        off = tuning.cents(got, nominal)
        check(abs(off) <= tuning.CENTS, f"{name}: {got:.3f} Hz, {off:+.2f} cents")


def at_every_rate(scene, folder):
    """It runs at the usual rates, as it stands and at both ends of every knob, and one that chooses its grid is in tune at them."""
    ends = [["--set", f"{p['name']}={p[end]:.17g}"] for p in scene.params.values() for end in ("min", "max")]
    own = re.search(r"render \{ rate = (\d+)", scene.text)[1]  # the other tests run at this one
    for rate in RATES:
        for settings in [[], *ends] if rate != own else []:
            report, _, _ = scene.render(folder, *settings, "--rate", rate, "--duration", BRIEF)
            check(not isinstance(report, str), f"{scene.name} {' '.join(settings)} at {rate} Hz: {report}")
        if scene.name in GRIDS:
            pitch = scene.params[scene.pitch]
            numbers = [69 + 12 * math.log2(f / 440) for f in (pitch["min"], pitch["default"], pitch["max"])]
            in_tune(scene, folder, numbers, "--rate", rate)


def comes_to_rest(scene, folder):
    """A hammer is caught after the blow: nothing falls or flies on for ever with most of the energy."""
    report, _, _ = scene.render(folder, *LET_GO.get(scene.name, ()))
    if isinstance(report, str):
        check(False, f"{scene.name}: {report}")
        return
    left = report["energy"]["final"] / report["energy"]["max"]
    check(left < REST, f"{scene.name}: {left:.2g} of the energy is left in the end")


def ends_of_the_knobs(scene, folder):
    """One param at its least or most, the others as they are; a scene says which of these are silent by nature."""
    silent = dict(one.split("=") for one in scene.silent)
    for number, param in enumerate(scene.params.values()):
        for end in check_count((("min", "max")[number % 2],), ("min", "max")):  # in turns
            setting = f"{param['name']}={param[end]:.17g}"
            quiet = param["name"] in silent and math.isclose(float(silent[param["name"]]), param[end])
            for duration in (PATIENT,) if quiet else (END, PATIENT):
                report, rate, channels = scene.render(folder, "--set", setting, "--duration", str(duration))
                if isinstance(report, str) or sounds(channels, rate):
                    break
            if not hold(f"{scene.name} {setting}", report, rate, channels):
                continue
            check(sounds(channels, rate) != quiet, f"{scene.name} {setting}: {'should be silent' if quiet else 'silent'}")


def ends_of_the_inputs(scene, report, folder):
    """What a player moves has a range and a label, and balances at both ends. A hand on the string may silence it."""
    for one in report["inputs"]:
        check(one["label"] != one["name"], f"{scene.name}: input {one['name']} lacks a label")
        for end in () if one.get("trigger") else ("min", "max"):
            setting = f"{one['name']}={one[end]:.17g}"
            hold(f"{scene.name} {setting}", *scene.render(folder, "--set", setting, "--duration", str(END)))


# How far an input bends the pitch, semitones.
BENDS = {"guitar": ("bend", -1, 3), "sitar": ("meend", -1, 5), "slapped_bass": ("bend", -1, 3), "slide_guitar": ("slide", -5, 5)}
# On every key, however softly it is struck: the setting without buzz, and how much brighter it must be than that.
BUZZES = {"tanpura": (("buzz=0.05",), (), 1.5), "tanpura_drone": (("jiva=0.02",), ("--set", "only=2"), 1.5)}


def bends(scene, report, folder):
    """Both ends of its bend are in tune, too."""
    name, low, high = BENDS[scene.name]
    one = next(i for i in report["inputs"] if i["name"] == name)
    nominal = scene.params[scene.pitch]["default"]
    for semitones, end in ((low, "min"), (high, "max")):
        wanted = nominal * 2 ** (semitones / 12)
        _, rate, channels = scene.render(folder, *scene.settings, "--set", f"{name}={one[end]:.17g}", "--duration", f"{scene.after + 0.7}")
        loudest = max(channels, key=lambda c: (c**2).sum())
        got = tuning.fundamental(loudest[int(scene.after * rate) :], rate, wanted)
        off = tuning.cents(got, wanted)
        check(abs(off) <= tuning.CENTS, f"{scene.name} bent by {semitones} semitones: {got:.3f} Hz, {off:+.2f} cents")
        print(f"{scene.name}: bent by {semitones} semitones, off by {off:+.2f} cents")


def buzzes(scene, folder):
    """Lowest and highest key, soft and hard: brighter than without its bridge, in the beginning and later."""
    off, settings, ratio = BUZZES[scene.name]
    pitch, knob = (scene.params[re.search(rf'{key} = "(\w+)"', scene.text)[1]] for key in ("pitch", "velocity"))
    for key in (pitch["min"], pitch["max"]):
        for strength in (knob["min"], knob["max"]):
            note = [*settings, "--set", f"{pitch['name']}={key:.10g}", "--set", f"{knob['name']}={strength:.10g}"]
            with_it, without = brightness(scene, folder, 0.8, *note), brightness(scene, folder, 0.8, *note, "--set", *off)
            check(with_it > ratio * without, f"{scene.name} {note}: centroid {with_it:.0f} Hz, {without:.0f} Hz with {off}")
            print(f"{scene.name} {key:.0f} Hz, {strength:g} {knob['unit']}: centroid {with_it:.0f} Hz, without its bridge {without:.0f} Hz")


def instrument(scene, folder):
    report = as_it_stands(scene, folder)
    if report and report.get("inputs"):
        ends_of_the_inputs(scene, report, folder)
    if report and scene.name in BENDS:
        bends(scene, report, folder)
    if report and scene.name in BUZZES:
        buzzes(scene, folder)
    if scene.params:
        if scene.pitch:
            in_tune(scene, folder, scene.notes(folder, NOTES))
        ends_of_the_knobs(scene, folder)
        at_every_rate(scene, folder)
        alive(scene, folder)
    if scene.name in STRUCK:
        comes_to_rest(scene, folder)


# Without their collision they are duller: the setting that takes it away, and by how much they must be brighter with it.
COLLISIONS = {
    "clash": ("distance=0.05", 1.5),
    "guitar": ("action=0.05", 1.5),
    "jaw_harp": ("gap=0.01", 3),
    "marimba": ("buzz=0", 1.05),
    "sitar": ("bridge=0", 1.3),
    "tanpura_drone": ("jiva=0.02", 2),
    "tromba": ("toe=1e-3", 1.02),
}
# Played harder they are brighter, not only louder: the felt hardens, the contact is shorter, the swing reaches further.
HARDER = ("clash", "dulcimer", "felt_piano", "guitar", "marimba", "newtons_cradle", "piano_chord", "slapped_bass", "tanpura",
          "tanpura_drone", "timpani")
LATE = {"newtons_cradle": 0.3}  # s: how long until it has sounded, if not 0.1


def brightness(scene, folder, duration, *settings):
    """Mean centroid (Hz) from the start, weighted by loudness."""
    report, rate, channels = scene.render(folder, *settings, "--duration", str(duration))
    if isinstance(report, str):
        check(False, f"{scene.name} {settings}: {report}")
        return math.nan
    mix = sum(channels)
    heard = [(10 ** (decibels / 20), centroid) for _, decibels, centroid, _ in tuning.listen.listen(mix, rate) if centroid > 0]
    return sum(a * c for a, c in heard) / sum(a for a, _ in heard) if heard else math.nan


def bowed(scene, folder):
    """A bow, too, finds the pitch of its string, with the bridge slapping the board, at any speed a note may ask for."""
    for speed in (0.1, 0.4, 0.6):
        report, rate, channels = scene.render(folder, "--set", f"speed={speed}", "--duration", "1.3")
        if not hold(f"{scene.name} speed={speed}", report, rate, channels):
            continue
        nominal = scene.params[scene.pitch]["value"]
        got = tuning.fundamental(channels[0][int(0.9 * rate) :], rate, nominal)
        check(abs(tuning.cents(got, nominal)) < 15, f"{scene.name} speed={speed}: bowed into {got:.2f} Hz, nominal {nominal:.2f}")
        print(f"{scene.name}: bowed at {speed} m/s into {got:.2f} Hz, nominal {nominal:.2f} Hz")


def alive(scene, folder):
    if scene.name == "tromba":
        bowed(scene, folder)
    if scene.name in COLLISIONS:
        off, ratio = COLLISIONS[scene.name]
        with_it, without = brightness(scene, folder, 0.3), brightness(scene, folder, 0.3, "--set", off)
        check(with_it > ratio * without, f"{scene.name}: centroid {with_it:.0f} Hz, {without:.0f} Hz with {off}")
        print(f"{scene.name}: centroid {with_it:.0f} Hz, with {off} {without:.0f} Hz")
    if scene.name in HARDER:
        name = re.search(r'velocity = "(\w+)"', scene.text)[1]
        knob = scene.params.get(name) or scene.params["strike"]  # what a blow of 1 is, where notes give blows
        low, high = knob["min"], knob["max"]
        soft, hard = (brightness(scene, folder, LATE.get(scene.name, 0.1), "--set", f"{knob['name']}={low * (high / low) ** v:.6g}") for v in (0.25, 0.9))
        check(hard > 1.05 * soft, f"{scene.name}: centroid {soft:.0f} Hz played softly, {hard:.0f} Hz played hard")
        print(f"{scene.name}: centroid {soft:.0f} Hz played softly, {hard:.0f} Hz played hard")


def starter(folder):
    """What `sistrum new` writes is in tune from A1 to A4, with its bridge taken away, and its hammer comes to rest."""
    done = subprocess.run([program, "new", "starter", "--quiet"], cwd=folder, capture_output=True, text=True, check=False)
    path = os.path.join(folder, "starter.lua")
    if done.returncode != 0 or not os.path.exists(path):
        check(False, f"sistrum new: {done.stderr.strip()}")
        return
    comes_to_rest(tuning.Scene(program, path), folder)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    free = text.replace("contact { above = wire, below = bridge", "_ = { above = wire, below = bridge")
    check(free != text, "the starter has no bridge to take away")
    with open(path, "w", encoding="utf-8") as file:
        file.write("-- tuning: after 0.4 s\n" + free)
    scene = tuning.Scene(program, path)
    for midi in check_count((33, 45, 69), (33, 40, 45, 50, 57, 69)):
        nominal, got = scene.measure(folder, midi)
        off = math.nan if isinstance(got, str) else tuning.cents(got, nominal)
        check(abs(off) <= tuning.CENTS, f"starter {tuning.note_name(midi)}: {got}, {off:+.2f} cents")


def instruments():
    """Scenes with play{}: those that can be played."""
    scenes = []
    for file in sorted(os.listdir(tuning.SCENES)):
        if file.endswith(".lua"):
            scene = tuning.Scene(program, os.path.join(tuning.SCENES, file))
            check(re.match(r"-- [^:\n]{3,30}: [^\n]{10,90}\n", scene.text), f"{file}: no first line '-- Name: what it is'")
            if re.search(r"^play \{", scene.text, re.M):
                scenes.append(scene)
    return scenes


error = tuning.check_estimator()
check(error < 0.1, f"the estimator is off by {error:.1e} cents on tones of known pitch")
with tempfile.TemporaryDirectory() as temporary:
    played = instruments()
    check(len(played) >= 14, f"{len(played)} instruments")
    check(sum(scene.pitch is not None for scene in played) >= 10, "fewer than ten pitched instruments")
    with ThreadPoolExecutor(2) as pool:
        for done in [pool.submit(starter, temporary), *(pool.submit(instrument, one, temporary) for one in played)]:
            done.result()
end(f"{len(played)} instruments, ")
