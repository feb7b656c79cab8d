#!/usr/bin/env python3
"""Laws of the string instruments in scenes/: they run, account for their energy, ring at their pitch without the obstacle
and sound brighter with it. Usage: instruments.py path/to/sistrum"""

import importlib.util
import json
import math
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SCENES = os.path.join(HERE, "..", "scenes")
spec = importlib.util.spec_from_file_location("listen", os.path.join(HERE, "..", "tools", "listen.py"))
listen = importlib.util.module_from_spec(spec)
spec.loader.exec_module(listen)

program = sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "..", "build", "release", "sistrum")
checks, failures = 0, 0


def check(good, words):
    global checks, failures
    checks += 1
    if not good:
        failures += 1
        print("FAILED", words)


def render(scene, folder, *more):
    """The report and the sound of a scene."""
    wav = os.path.join(folder, "out.wav")
    command = [program, "render", os.path.join(SCENES, scene), "-o", wav, "--json", "-", "--quiet", *more]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        check(False, f"{scene} {' '.join(more)}: {done.stderr.strip()}")
        return None, None, None
    rate, channels = listen.read_wav(wav)
    return json.loads(done.stdout), rate, channels


def every_scene_with_strings_runs(folder):
    """Finite, in balance, never pulling (quadratised as published may), and not clipped where it is normalised."""
    for place, _, files in sorted(os.walk(SCENES)):
        for file in sorted(files):
            path = os.path.join(place, file)
            with open(path, encoding="utf-8") as scene:
                text = scene.read()
            if not file.endswith(".lua") or "string {" not in text or "plate {" in text or "bow {" in text:
                continue
            name = os.path.relpath(path, SCENES)
            report, _, channels = render(name, folder, "--duration", "0.03")
            if report is None:
                continue
            check(all(math.isfinite(v) for channel in channels for v in channel), f"{name}: not a number")
            check(report["energy"]["residual_max"] <= 1e-10, f"{name}: residual {report['energy']['residual_max']}")
            for contact in report["contacts"]:
                if contact["scheme"] != "quadratised":
                    check(contact["min_force"] >= 0, f"{name}: {contact['name']} pulls")
            if "normalise" in text:
                check(max(abs(v) for channel in channels for v in channel) <= 1, f"{name}: clips")


def mean_centroid(frames, start, end):
    heard = [centroid for time, _, centroid, _ in frames if start <= time < end]
    return sum(heard) / len(heard)


def instrument(folder, scene, off, f0, cents, window, brighter):
    """Without its obstacle it rings at f0; with it, it is `brighter` times as bright in the window."""
    sounds = []
    for more in ([], ["--set", off]):
        report, rate, channels = render(scene, folder, "--duration", f"{window[1] + 0.1}", *more)
        if report is None:
            return
        samples = channels[0]
        rms = math.sqrt(sum(v * v for v in samples) / len(samples))
        dc = abs(sum(samples) / len(samples)) / rms
        check(dc < 0.01, f"{scene} {more}: DC {dc:.1e} of RMS")
        sounds.append(listen.listen(samples, rate))
    for time, _, _, pitch in sounds[1]:
        if window[0] <= time < window[1]:
            check(abs(1200 * math.log2(pitch / f0)) < cents, f"{scene} {off}: {pitch:.2f} Hz at {time:.1f} s")
    with_it, without = (mean_centroid(frames, *window) for frames in sounds)
    check(with_it > brighter * without, f"{scene}: centroid {with_it:.0f} Hz against {without:.0f} Hz without")
    print(f"{scene}: centroid {window[0]} to {window[1]} s: {with_it:.0f} Hz, {off}: {without:.0f} Hz")


with tempfile.TemporaryDirectory() as temporary:
    every_scene_with_strings_runs(temporary)
    instrument(temporary, "sitar.lua", "bridge=0", 185, 10, (0.3, 0.8), 1.3)
    instrument(temporary, "slapped_bass.lua", "neck=0", 41.2, 15, (0.0, 0.3), 1.3)
print(f"{checks} checks, {failures} failed")
sys.exit(1 if failures or not checks else 0)
