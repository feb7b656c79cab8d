"""sistrum.clap against `sistrum render --midi`: the same events, the same samples to the last bit, for several block sizes; half of
the scenes unless SISTRUM_LONG is set.

  clap_offline.py SISTRUM CLAP_PLAY PLUGIN [SCENE...]
"""

import os
import struct
import subprocess
import sys
import tempfile

RATE = 48000
TICKS = 480  # a quarter; 120 quarters a minute: a tick is 50 frames
FRAMES_A_TICK = 50
SCENES = ["tanpura", "felt_piano", "tromba", "sitar", "guitar", "snare", "slide_guitar", "timpani"]
BRIEF = 4


def tune():
    """(tick, bytes) of notes, bends, pressure, pedals."""
    events = []
    for i, key in enumerate([50, 57, 62, 50, 55, 59]):
        start = 40 * i
        events += [(start, (0x90, key, 40 + 15 * i)), (start + 60, (0x80, key, 64))]
        events += [(start + 10 + 2 * k, (0xE0, 0, 64 + 4 * k)) for k in range(5)]
        events += [(start + 22, (0xE0, 0, 64)), (start + 25, (0xD0, 20 * i, 0)), (start + 31, (0xB0, 1, 20 * i))]
        events += [(start + 35, (0xB0, 64, 127 if i % 2 else 0))]
    events += [(255, (0xB0, 64, 0))]
    return sorted(events, key=lambda event: event[0])


def variable(number):
    out = [number & 127]
    while number > 127:
        number >>= 7
        out.insert(0, 128 | (number & 127))
    return bytes(out)


def midi_file(events):
    track, last = b"", 0
    for tick, data in events:
        data = data[:2] if data[0] & 0xF0 in (0xC0, 0xD0) else data
        track += variable(tick - last) + bytes(data)
        last = tick
    track += variable(0) + b"\xff\x2f\x00"
    return b"MThd" + struct.pack(">IHHH", 6, 0, 1, TICKS) + b"MTrk" + struct.pack(">I", len(track)) + track


def samples_of(path):
    """Raw bytes of a float WAV, and its channels."""
    data = open(path, "rb").read()
    at, channels = 12, 0
    while at + 8 <= len(data):
        name, size = data[at : at + 4], struct.unpack("<I", data[at + 4 : at + 8])[0]
        if name == b"fmt ":
            channels = struct.unpack("<H", data[at + 10 : at + 12])[0]
        if name == b"data":
            return data[at + 8 : at + 8 + size], channels
        at += 8 + size + size % 2
    raise ValueError(path + " has no samples")


def render(program, scene, events, folder):
    midi, wav = os.path.join(folder, "tune.mid"), os.path.join(folder, scene + ".wav")
    open(midi, "wb").write(midi_file(events))
    command = [program, "render", scene, "--midi", midi, "-o", wav, "--rate", str(RATE), "--normalise", "off", "--bits",
               "32f", "--quiet"]
    subprocess.run(command, check=True)
    return samples_of(wav)


def play(player, plugin, scene, events, block, frames, folder):
    out = os.path.join(folder, "out.f32")
    lines = "".join("%d %x %x %x\n" % ((tick * FRAMES_A_TICK,) + data) for tick, data in events)
    command = [player, plugin, "org.sistrum." + scene, str(RATE), str(block), str(frames), out]
    subprocess.run(command, input=lines, text=True, check=True)
    return open(out, "rb").read()


def first_difference(a, b):
    for i in range(0, min(len(a), len(b)), 4):
        if a[i : i + 4] != b[i : i + 4]:
            return i // 8, struct.unpack("<f", a[i : i + 4])[0], struct.unpack("<f", b[i : i + 4])[0]
    return "none", len(a), len(b)


def check(program, player, plugin, scene, folder):
    events = tune()
    wav, channels = render(program, scene, events, folder)
    if channels == 1:  # the plugin has it on both
        wav = b"".join(wav[i : i + 4] * 2 for i in range(0, len(wav), 4))
    # Where a file ends, its filter of an oversampled scene is fed with zeros; the plugin plays on.
    frames = min(len(wav) // 8 - 64, 3 * RATE)
    if not any(wav[: frames * 8]):
        return scene + ": silence"
    for block in (64, 500, 1024):
        sound = play(player, plugin, scene, events, block, frames, folder)
        if sound != wav[: frames * 8]:
            return "%s, blocks of %d: first difference at frame %s: %s, offline %s" % (
                (scene, block) + first_difference(sound, wav))
    return None


def main():
    program, player, plugin = sys.argv[1:4]
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for scene in sys.argv[4:] or (SCENES if os.environ.get("SISTRUM_LONG") else SCENES[:BRIEF]):
            why = check(program, player, plugin, scene, folder)
            print("FAILED  " + why if why else "ok      %s: plugin and render --midi have the same samples" % scene)
            failed += why is not None
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
