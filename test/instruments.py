#!/usr/bin/env python3
"""Laws of the instruments in scenes/: they run, account for their energy, ring at their pitch without the obstacle and sound
brighter with it. Usage: instruments.py path/to/sistrum"""

import json
import math
import os
import subprocess
import tempfile

from laws import SCENES, check, end, program
import listen  # tools/listen.py


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


def every_scene_runs(folder):
    """Finite, in balance, never pulling (quadratised as published and two-sided laws may), and not clipped where it is
    normalised. Masses alone have tests of their own."""
    for place, _, files in sorted(os.walk(SCENES)):
        for file in sorted(files):
            path = os.path.join(place, file)
            with open(path, encoding="utf-8") as scene:
                text = scene.read()
            if not file.endswith(".lua") or not any(word in text for word in ("string {", "plate {", "modal {")):
                continue
            name = os.path.relpath(path, SCENES)
            report, _, channels = render(name, folder, "--duration", "0.03")
            if report is None:
                continue
            check(all(math.isfinite(channel.sum()) for channel in channels), f"{name}: not a number")
            check(report["energy"]["residual_max"] <= 1e-10, f"{name}: residual {report['energy']['residual_max']}")
            one_sided = "two-sided" not in text and "centre-limited" not in text
            for contact in report["contacts"]:
                if one_sided and contact["scheme"] != "quadratised":
                    check(contact["min_force"] >= 0, f"{name}: {contact['name']} pulls")
            if "normalise" in text:
                check(max(abs(channel).max() for channel in channels) <= 1, f"{name}: clips")


def as_bytes(channels):
    return [channel.tobytes() for channel in channels or ()]


def every_preset_plays(folder):
    """Each sounds, in balance, and differs from the scene as it is."""
    count = 0
    for scene in sorted(name for name in os.listdir(SCENES) if name.endswith(".lua")):
        told = subprocess.run([program, "params", os.path.join(SCENES, scene), "--json"], capture_output=True, text=True, check=True)
        presets = json.loads(told.stdout)["presets"]
        sounds = [as_bytes(render(scene, folder, "--duration", "0.2")[2])] if presets else []
        for preset in presets:
            report, _, channels = render(scene, folder, "--duration", "0.2", "--preset", preset["name"])
            if report is None:
                continue
            count += 1
            what = f"{scene} --preset '{preset['name']}'"
            check(report["energy"]["residual_max"] <= 1e-10, f"{what}: residual {report['energy']['residual_max']}")
            check(0 < max(abs(channel).max() for channel in channels) <= 1, f"{what}: silent, or it clips")
            check(as_bytes(channels) not in sounds, f"{what}: sounds as another one")
            sounds.append(as_bytes(channels))
    check(count >= 30, f"{count} presets only")
    print(f"{count} presets")


def mean_centroid(frames, start, end):
    heard = [centroid for time, _, centroid, _ in frames if start <= time < end]
    return sum(heard) / len(heard)


def instrument(folder, scene, off, f0, cents, window, brighter):
    """Without its obstacle it rings at f0 (None: no pitch to speak of); with it, it is `brighter` times as bright in the
    window."""
    sounds = []
    for more in ([], ["--set", off]):
        report, rate, channels = render(scene, folder, "--duration", f"{window[1] + 0.1}", *more)
        if report is None:
            return
        samples = channels[0]
        dc = abs(samples.mean()) / math.sqrt((samples**2).mean())
        check(dc < 0.01, f"{scene} {more}: DC {dc:.1e} of RMS")
        sounds.append(listen.listen(samples, rate))
    for time, _, _, pitch in sounds[1]:
        if f0 and window[0] <= time < window[1]:
            check(abs(1200 * math.log2(pitch / f0)) < cents, f"{scene} {off}: {pitch:.2f} Hz at {time:.1f} s")
    with_it, without = (mean_centroid(frames, *window) for frames in sounds)
    check(with_it > brighter * without, f"{scene}: centroid {with_it:.0f} Hz against {without:.0f} Hz without")
    print(f"{scene}: centroid {window[0]} to {window[1]} s: {with_it:.0f} Hz, {off}: {without:.0f} Hz")


def sounds_only_by_colliding(folder):
    """The sistrum shaken less than its rods have room: not one of them moves."""
    loud, rate, channels = render("sistrum.lua", folder, "--duration", "1.5")
    quiet, _, _ = render("sistrum.lua", folder, "--duration", "1.5", "--set", "play=0.01", "--set", "width=0.002")
    if loud is None or quiet is None:
        return
    rods, still = ([p["rms"] for p in report["probes"] if p["name"].startswith("rod")] for report in (loud, quiet))
    check(len(rods) == 4 and min(rods) > 0.01, f"sistrum.lua: rods ring at {rods} m/s")
    check(len(still) == 4 and max(still) == 0, f"sistrum.lua: rods ring at {still} m/s without a collision")
    bright = mean_centroid(listen.listen(channels[0], rate), 0.2, 1.5)
    check(1500 < bright < 12000, f"sistrum.lua: centroid {bright:.0f} Hz")
    print(f"sistrum.lua: centroid 0.2 to 1.5 s: {bright:.0f} Hz")


def bowed_string_plays(folder):
    """The tromba marina is bowed into the pitch of its string between nut and bridge, and rattles while it is played."""
    report, rate, channels = render("tromba_marina.lua", folder, "--duration", "1.2")
    if report is None:
        return
    nominal = 32 * 1.9 / 1.65
    pitches = [pitch for time, _, _, pitch in listen.listen(channels[0], rate) if time >= 0.5]
    for pitch in pitches:
        check(abs(1200 * math.log2(pitch / nominal)) < 10, f"tromba_marina.lua: {pitch:.2f} Hz, nominal {nominal:.2f} Hz")
    rattle = next(contact for contact in report["contacts"] if contact["name"] == "rattle")
    check(rattle["contact_samples"] > 500, f"tromba_marina.lua: closed in {rattle['contact_samples']} samples only")
    print(f"tromba_marina.lua: {pitches[-1]:.2f} Hz, nominal {nominal:.2f} Hz; rattle closed in {rattle['contact_samples']} of {report['samples']} samples")


with tempfile.TemporaryDirectory() as temporary:
    every_scene_runs(temporary)
    every_preset_plays(temporary)
    instrument(temporary, "sitar.lua", "bridge=0", 185, 10, (0.3, 0.8), 1.3)
    instrument(temporary, "slapped_bass.lua", "neck=0", 41.2, 15, (0.0, 0.3), 1.3)
    instrument(temporary, "prepared_piano.lua", "bolt=0", 130.8, 15, (0.1, 0.8), 1.3)
    instrument(temporary, "snare.lua", "snares=0", None, 0, (0.0, 0.3), 1.5)
    sounds_only_by_colliding(temporary)
    bowed_string_plays(temporary)
end()
