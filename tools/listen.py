#!/usr/bin/env python3
"""What a sound does over time, in numbers: level, spectral centroid and pitch of every tenth of a second.

    tools/listen.py scenes/sitar.lua                        renders the scene and listens to it
    tools/listen.py scenes/sitar.lua --versus bridge=0      the same beside the scene with other parameters
    tools/listen.py one.wav other.wav                       sounds that exist already

A level is that of the frame's RMS against full scale. The centroid is the mean frequency weighted by
amplitude, sum f |X| / sum |X|, from 20 Hz to 16 kHz: what the ear calls bright. The pitch is the first high peak of the
autocorrelation. Below the table: peak, DC (mean over the RMS) and whether anything clips.
Needs numpy. The program is $SISTRUM or build/release/sistrum.
"""

import argparse
import math
import os
import struct
import subprocess
import sys
import tempfile

try:
    import numpy
except ImportError:
    sys.exit("listen: numpy is missing; on Debian: apt install python3-numpy")

FRAME = 0.1  # s
LOW, HIGH = 20.0, 16000.0  # Hz, of the centroid
PITCH_LOW, PITCH_HIGH = 28.0, 1500.0  # Hz
SILENCE = -100.0  # dB: nothing to say about a frame below


def read_wav(path):
    """Rate and channels of a WAV of 32-bit floats or 16-bit integers."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:4] != b"RIFF" or data[8:12] != b"WAVE":
        sys.exit(f"listen: {path} is not a WAV file")
    place, form, samples = 12, None, None
    while place + 8 <= len(data):
        name, size = data[place : place + 4], struct.unpack_from("<I", data, place + 4)[0]
        body = data[place + 8 : place + 8 + size]
        if name == b"fmt ":
            form = struct.unpack_from("<HHIIHH", body)
        elif name == b"data":
            samples = body
        place += 8 + size + size % 2
    if form is None or samples is None:
        sys.exit(f"listen: {path} has no sound in it")
    _, channels, rate, _, _, bits = form
    if bits == 32:
        values = numpy.frombuffer(samples[: len(samples) // 4 * 4], "<f4").astype(float)
    elif bits == 16:
        values = numpy.frombuffer(samples[: len(samples) // 2 * 2], "<i2") / 32768
    else:
        sys.exit(f"listen: {path} has {bits} bits a sample; 32-bit floats or 16-bit integers are read")
    return rate, [values[c::channels] for c in range(channels)]


def pitch_of(powers, size, rate):
    """The first peak of the autocorrelation that is nearly as high as the highest, between samples."""
    correlation = numpy.fft.fft(powers).real
    first, last = int(rate / PITCH_HIGH), min(int(rate / PITCH_LOW), size // 4)
    # The taper and the end of the frame make longer lags weaker; they are made up for.
    level = correlation[: last + 2] / (1 - 2 * numpy.arange(last + 2) / size)
    while first < last and level[first] > 0:
        first += 1  # off the peak at lag 0
    highest = level[first : last + 1].max(initial=0)
    if highest < 0.2 * level[0]:
        return math.nan
    for lag in range(max(first, 1), last + 1):
        if level[lag] > 0.9 * highest and level[lag - 1] < level[lag] >= level[lag + 1]:
            bend = level[lag - 1] - 2 * level[lag] + level[lag + 1]
            return rate / (lag + 0.5 * (level[lag - 1] - level[lag + 1]) / bend)
    return math.nan


def listen(samples, rate):
    """[(time, level dB, centroid Hz, pitch Hz)] of every frame."""
    hop = int(FRAME * rate)
    size = 1
    while size < 2 * hop:  # zeros behind the frame, so that the correlation does not wrap around
        size *= 2
    taper = 0.5 - 0.5 * numpy.cos(2 * math.pi * (numpy.arange(hop) + 0.5) / hop)
    band = slice(int(LOW * size / rate), min(int(HIGH * size / rate), size // 2))
    bins = numpy.arange(size)[band]
    frames = []
    for start in range(0, len(samples) - hop + 1, hop):
        frame = numpy.asarray(samples[start : start + hop], float)
        rms = math.sqrt(numpy.mean(frame**2))
        level = 20 * math.log10(rms) if rms > 0 else -math.inf
        if level < SILENCE:
            frames.append((start / rate, level, math.nan, math.nan))
            continue
        amplitudes = numpy.abs(numpy.fft.fft(taper * (frame - frame.mean()), size))
        total = amplitudes[band].sum()
        centroid = (bins * amplitudes[band]).sum() * rate / size / total if total > 0 else math.nan
        frames.append((start / rate, level, centroid, pitch_of(amplitudes**2, size, rate)))
    return frames


def render(scene, sets, folder, name):
    program = os.environ.get("SISTRUM") or os.path.join(
        os.path.dirname(os.path.abspath(__file__)), "..", "build", "release", "sistrum"
    )
    path = os.path.join(folder, name + ".wav")
    command = [program, "render", scene, "-o", path, "--quiet"]
    for one in sets:
        command += ["--set", one]
    try:
        done = subprocess.run(command, check=False)
    except FileNotFoundError:
        sys.exit(f"listen: no program {program}; build it with make, or name it in SISTRUM")
    if done.returncode != 0:
        sys.exit(done.returncode)
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sounds", nargs="+", help="scenes (.lua) or sound files (.wav)")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="for every scene")
    parser.add_argument("--versus", action="append", default=[], metavar="NAME=VALUE", help="once more with this")
    parser.add_argument("--channel", type=int, default=1, help="which channel to listen to (1)")
    chosen = parser.parse_args()

    columns = []
    with tempfile.TemporaryDirectory() as folder:
        for i, sound in enumerate(chosen.sounds):
            if not sound.endswith(".lua"):
                columns.append((os.path.basename(sound), read_wav(sound)))
                continue
            word = os.path.basename(sound)[:-4]
            columns.append((word, read_wav(render(sound, chosen.set, folder, f"{i}"))))
            for j, versus in enumerate(chosen.versus):
                path = render(sound, chosen.set + [versus], folder, f"{i}-{j}")
                columns.append((versus, read_wav(path)))

    heard = []
    for name, (rate, channels) in columns:
        if not 1 <= chosen.channel <= len(channels):
            sys.exit(f"listen: {name} has {len(channels)} channel{'' if len(channels) == 1 else 's'}")
        heard.append((name, channels[chosen.channel - 1], listen(channels[chosen.channel - 1], rate)))

    print("       " + "".join(f" | {name:^28.28}" for name, _, _ in heard))
    print("time s " + " | level dB  centroid   pitch Hz" * len(heard))
    for row in range(max(len(frames) for _, _, frames in heard)):
        cells, time = "", 0.0
        for _, _, frames in heard:
            if row < len(frames):
                time, level, centroid, pitch = frames[row]
                cells += f" | {level:8.1f} {centroid:9.0f} {pitch:10.2f}"
            else:
                cells += " |" + " " * 29
        print(f"{time:6.1f} {cells}")
    for name, samples, _ in heard:
        peak = numpy.abs(samples).max(initial=0)
        rms = math.sqrt((samples**2).sum() / max(len(samples), 1))
        mean = samples.sum() / max(len(samples), 1)
        print(f"{name}: peak {peak:.4f}, DC {mean / rms if rms else 0:+.1e} of RMS, {'CLIPS' if peak > 1 else 'no clipping'}")


if __name__ == "__main__":
    main()
