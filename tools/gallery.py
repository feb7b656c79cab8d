#!/usr/bin/env python3
"""Plays every instrument of scenes/ and writes one page with their sounds and pictures that needs nothing else:

    tools/gallery.py                       gallery/index.html; make gallery builds what it needs first
    tools/gallery.py --all                 with the scenes of the papers, scenes/*/
    tools/gallery.py a.lua b.lua -o my.html
    tools/gallery.py --threads 4 --limit 25

Sounds are FLAC, 16 bits: lossless, every current browser plays it, and the same sound gives the same bytes (an Ogg
stream has a random serial number). A scene that fails is named on the page, and the program then ends with 1.
The program is $SISTRUM or build/release/sistrum. Needs numpy and flac.
"""

import argparse
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(HERE)
sys.path[:0] = [HERE, os.path.join(SOURCE, "python")]

import numpy as np  # noqa: E402

import gallery_draw as draw  # noqa: E402
import gallery_page as page  # noqa: E402
import sistrum  # noqa: E402

PROGRAM = os.environ.get("SISTRUM", os.path.join(SOURCE, "build", "release", "sistrum"))
PEAK = 10 ** (-1 / 20)  # -1 dBFS
AUDIBLE = 0.05  # s: a shorter sound is a click
COLUMNS = 400  # of the energy plot
SMOOTH = 0.04  # s
DEADLINE = 600  # s, for one scene


class Failure(Exception):
    """Why a scene is not on the page: one sentence."""


# ---------------------------------------------------------------------------- one scene


def program(*arguments):
    """What the program prints, or its sentence."""
    try:
        done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=DEADLINE, check=False)
    except subprocess.TimeoutExpired:
        raise Failure("it did not end within %d s" % DEADLINE) from None
    if done.returncode != 0:
        raise Failure(done.stderr.strip().removeprefix("sistrum: ") or "the program ended with %d" % done.returncode)
    return done.stdout


def comment(text):
    """The comment a scene begins with, as paragraphs; a line that ends without a stop and stands first is its headline."""
    lines = []
    for line in text.lstrip("\ufeff").splitlines():
        if not line.startswith("--"):
            break
        lines.append(re.sub(r"^-+ ?", "", line).rstrip())
    while lines and not lines[0]:
        del lines[0]
    # Lines for programs, such as "tuning: --set buzz=0", are no prose.
    lines = [line for line in lines if not re.match(r"^[a-z]+: --", line)]
    return [" ".join(part.split()) for part in "\n".join(lines).split("\n\n") if part.strip()], lines


def describe(name, title, text):
    """Title, headline and paragraphs of a scene."""
    paragraphs, lines = comment(text)
    plain = name.replace("_", " ")
    title = title or plain[:1].upper() + plain[1:]
    headline = ""
    named = re.match(r"^(?!(?:A|An|The) )([^:.]{2,40}): +(.+)$", lines[0]) if lines else None
    if named and not re.search(r"[.;,]$", lines[0]) and (len(lines) == 1 or re.match(r"^[A-Z(]|^$", lines[1])):
        title, headline = named.group(1), named.group(2)
        paragraphs = comment("\n".join("-- " + line for line in lines[1:]))[0]
    elif paragraphs:
        first = re.match(r"^(.+?[.:;])(?= [A-Z(]|$)", paragraphs[0])
        headline = (first.group(1) if first else paragraphs[0]).rstrip(".:;")
        paragraphs[0] = paragraphs[0][len(first.group(1)):].strip() if first else ""
    if headline.lower().startswith(title.lower() + ": "):
        headline = headline[len(title) + 2:]
    headline = headline[:1].upper() + headline[1:]
    return title, headline, [p for p in paragraphs if p]


def resample(sound, rate, wanted):
    """The sound at another rate, by its spectrum; a second of silence keeps its ends apart."""
    room = len(sound) + rate
    room += -room % rate  # a whole number of seconds, so that both lengths are whole
    spectrum = np.fft.rfft(sound, room, axis=0)
    other = room * wanted // rate
    kept = np.zeros((other // 2 + 1, sound.shape[1]), complex)
    count = min(len(spectrum), len(kept))
    kept[:count] = spectrum[:count]
    return np.fft.irfft(kept, other, axis=0)[:-(-len(sound) * wanted // rate)] * (wanted / rate)


def flac(sound, rate, folder):
    """The sound as a FLAC file, its peak at -1 dBFS."""
    if not 8000 <= rate <= 96000:
        sound, rate = resample(sound, rate, 48000), 48000
    if sound.shape[1] > 2:
        sound = np.stack([sound[:, 0::2].sum(axis=1), sound[:, 1::2].sum(axis=1)], axis=1)
    whole = np.round(sound / np.abs(sound).max() * (PEAK * 32767)).astype("<i2")
    path = os.path.join(folder, "sound.flac")
    subprocess.run(["flac", "--silent", "--force", "--best", "--no-padding", "--force-raw-format", "--endian=little",
                    "--sign=signed", "--bps=16", "--channels=%d" % whole.shape[1], "--sample-rate=%d" % rate, "-o", path, "-"],
                   input=whole.tobytes(), check=True)
    with open(path, "rb") as file:
        return file.read()


def smooth(curve, width):
    """Means over a raised cosine `width` columns wide; the ends take what there is."""
    window = np.hanning(2 * (width // 2) + 3)
    return np.convolve(curve, window, "same") / np.convolve(np.ones(len(curve)), window, "same")


def energies(system, rows):
    """Mean energies over columns of time. At audio rate kinetic and elastic energy change places all the time, so in all but
    the shortest runs they are smoothed over SMOOTH; every mean keeps the balance."""
    state, steps = system.state(), rows * system.oversample
    first, last = draw.edges(steps, min(4 * COLUMNS, steps))
    parts = (state.step(b - a, energy=True)[1] for a, b in zip(first, last))
    means = np.array([[part[k].mean() for k in sistrum.Energy._fields] for part in parts]).T
    seconds = rows / system.rate
    if seconds > 10 * SMOOTH:
        means = np.array([smooth(row, int(len(row) * SMOOTH / seconds)) for row in means])
    return dict(zip(sistrum.Energy._fields, means[:, ::max(1, means.shape[1] // COLUMNS)]))


def hear(scene_path, folder, exhibit, audible):
    """Renders the scene: report, sound, waveform and spectrogram."""
    wav = os.path.join(folder, "sound.wav")
    exhibit.report = json.loads(program("render", scene_path, "--json", "-", "--quiet", *(["-o", wav] if audible else [])))
    if not audible:
        return
    rate, sound = draw.read_wav(wav)
    if not np.isfinite(sound).all():
        raise Failure("its sound holds numbers that are not finite")
    exhibit.seconds = len(sound) / rate
    if not np.abs(sound).max() > 0:
        return
    exhibit.wave, exhibit.icon = draw.waveform(sound), draw.waveform(sound[:, :1], 110, 40)
    if exhibit.seconds >= AUDIBLE:
        exhibit.sound = flac(sound, rate, folder)
        exhibit.spectrum = draw.spectrogram_png(sound, rate)


def show(path, name):
    """Everything the page needs to know of one scene."""
    exhibit = page.Exhibit(name)
    folder = tempfile.mkdtemp(prefix="sistrum-gallery-")
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            exhibit.text = file.read()
        exhibit.title, exhibit.headline, exhibit.paragraphs = describe(os.path.basename(name), "", exhibit.text)
        scene = sistrum.load(path)
        exhibit.title, exhibit.headline, exhibit.paragraphs = describe(os.path.basename(name), scene.title, exhibit.text)
        system = scene.compile()
        exhibit.params, exhibit.play = list(scene.params.values()), scene.play
        hear(path, folder, exhibit, any(probe.channel > 0 for probe in system.probes))
        exhibit.energy, exhibit.joules = draw.energy_plot(energies(system, exhibit.report["samples"]))
    except (Failure, sistrum.SistrumError, OSError, ValueError, subprocess.CalledProcessError) as why:
        exhibit.failure = str(why).replace(os.path.dirname(path) + os.sep, "") or type(why).__name__
    finally:
        shutil.rmtree(folder)
    return exhibit


# ---------------------------------------------------------------------------- the page


def find(everything):
    """Names and paths of the scenes of the source tree; those of the papers after the instruments."""
    root, found = os.path.join(SOURCE, "scenes"), []
    for place, folders, files in os.walk(root):
        folders.sort()
        below = os.path.relpath(place, root)
        for file in sorted(files):
            if file.endswith(".lua") and (everything or below == "."):
                found.append((os.path.normpath(os.path.join(below, file[:-4])), os.path.join(place, file)))
    return found


def write(path, text):
    """All of the page or nothing."""
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    temporary = path + ".tmp"
    try:
        with open(temporary, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(temporary, path)
    finally:
        if os.path.exists(temporary):
            os.remove(temporary)


def read_arguments():
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("scenes", nargs="*", metavar="SCENE", help="files; default all of scenes/")
    reader.add_argument("-o", "--output", default=os.path.join(SOURCE, "gallery", "index.html"), metavar="PAGE.html")
    reader.add_argument("--all", action="store_true", help="the scenes of the papers too")
    reader.add_argument("--threads", type=int, default=os.cpu_count() or 1, metavar="N", help="scenes at a time")
    reader.add_argument("--limit", type=float, default=25, metavar="MB", help="fail when the page is larger")
    given = reader.parse_args()
    if given.threads < 1:
        reader.error("--threads is %d; it must be at least 1" % given.threads)
    if not shutil.which("flac"):
        reader.error("flac is not installed: apt install flac")
    if not shutil.which(PROGRAM):
        reader.error("there is no program %s: run make, or set SISTRUM" % PROGRAM)
    return given


def main():
    given = read_arguments()
    scenes = [(os.path.basename(s).removesuffix(".lua"), s) for s in given.scenes] or find(given.all)
    exhibits = []
    # Threads are enough: the work is done by other programs and by the library, outside of Python's lock.
    with concurrent.futures.ThreadPoolExecutor(given.threads) as pool:
        for exhibit in pool.map(lambda s: show(s[1], s[0]), scenes):
            exhibits.append(exhibit)
            said = exhibit.failure or "%s, %g s, residual %.1e" % (
                page.speed(exhibit.report), exhibit.report["duration"], exhibit.report["energy"]["residual_max"])
            print("%-24s %s" % (exhibit.name, "FAILED: " + said if exhibit.failure else said), flush=True)
    text = page.build(exhibits, sistrum.__version__)
    try:
        write(given.output, text)
    except OSError as why:
        sys.exit("gallery: cannot write %s: %s" % (given.output, why.strerror))
    size = len(text.encode()) / 1e6
    failed = [e.name for e in exhibits if e.failure]
    print("%s: %s, %.1f MB" % (os.path.relpath(given.output), page.counted(len(exhibits) - len(failed), "scene"), size))
    if size > given.limit:
        sys.exit("gallery: the page has %.1f MB, more than --limit %g: shorten scenes or name fewer" % (size, given.limit))
    if failed:
        sys.exit("gallery: %d of %s failed: %s" % (len(failed), page.counted(len(exhibits), "scene"), ", ".join(failed)))


if __name__ == "__main__":
    main()
