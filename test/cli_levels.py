"""Levels and formats of sound: --normalise, --gain, --bits, .wav and .flac, and what the report says of them."""

import json
import math
import os
import resource
import shutil
import struct
import subprocess

from cli_case import SANITIZED, TONE, RunCase, main, read_bytes, read_text, read_wav

TUNE = """
local f0 = param { "f0", 220, min = 110, max = 880, unit = "Hz", scale = "log" }
local v = param { "v", 0.5, min = 0.05, max = 2, unit = "m/s", scale = "log" }
local m = mass { mass = 0.01, frequency = f0, damping = 12, velocity = v }
probe { on = m, quantity = "velocity", gain = (f0 / 880) ^ 0.5 }
render { rate = 22050, duration = 0.3, title = "Tune" NORMALISE }
play { pitch = "f0", velocity = "v" }
"""
CHORD = (b"MThd\0\0\0\6\0\0\0\1\1\xe0MTrk\0\0\0\x1b\0\x90\x45\x7f\0\x90\x51\x7f\0\x90\x4c\x7f\x83\x60\x80\x45\0\0\x51\0\0\x4c\0"
         b"\0\xff\x2f\0")


def read_whole(path):
    """Width in bytes and samples of a WAV of whole numbers."""
    raw = read_bytes(path)
    at = raw.index(b"fmt ")
    kind, channels, _, _, _, bits = struct.unpack("<HHIIHH", raw[at + 8:at + 24])
    at = raw.index(b"data")
    data = raw[at + 8:at + 8 + struct.unpack("<I", raw[at + 4:at + 8])[0]]
    assert kind in (1, 0xfffe), kind
    width = bits // 8
    return width, [int.from_bytes(data[i:i + width], "little", signed=True) for i in range(0, len(data), width)]


class LevelCase(RunCase):
    def setUp(self):
        super().setUp()
        self.tune = self.scene("tune.lua", TUNE.replace("NORMALISE", ", normalise = true"))
        self.plain = self.scene("plain.lua", TUNE.replace("NORMALISE", ""))
        self.before = set(os.listdir(self.folder))

    def sound(self, *arguments, out="a.wav"):
        self.good("render", *arguments, "-o", out, "--json", "a.json", "-q")
        return json.loads(read_text(self.path("a.json")))["sound"]

    def samples(self, *arguments):
        self.sound(*arguments)
        return read_wav(self.path("a.wav"))[1][0]


class Levels(LevelCase):
    def test_the_command_line_wins(self):
        raw = self.samples(self.plain)
        self.assertEqual(self.samples(self.plain, "--normalise", "off"), raw)
        self.assertEqual(self.samples(self.tune, "--normalise", "off"), raw)
        scaled = self.samples(self.tune)
        self.assertEqual(self.samples(self.plain, "--normalise", "on"), scaled)
        self.assertAlmostEqual(20 * math.log10(max(map(abs, scaled))), -1, 5)
        self.good("render", self.plain, "-o", "a.wav", "--data", "a.npy", "-q")
        data = read_bytes(self.path("a.npy"))
        self.good("render", self.plain, "-o", "a.wav", "--data", "a.npy", "-q", "--gain", "-6", "--normalise", "on")
        self.assertEqual(read_bytes(self.path("a.npy")), data, "data have no gain")

    def test_gain_acts_after_normalise_and_alone(self):
        raw = self.samples(self.plain)
        louder = self.samples(self.plain, "--gain", "12")
        for a, b in zip(raw, louder):
            self.assertAlmostEqual(b, a * 10 ** 0.6, delta=1e-6)
        softer = self.samples(self.tune, "--gain=-7.5")
        self.assertAlmostEqual(20 * math.log10(max(map(abs, softer))), -8.5, 5)
        self.assertEqual(self.samples(self.plain, "--gain", "0"), raw)

    def test_the_report_tells_gain_and_peak(self):
        for arguments in ([], ["--gain", "-3"], ["--normalise", "off"], ["--normalise", "off", "--gain", "9"],
                          ["--note", "A3", "--velocity", "0.3"]):
            level = self.sound(self.tune, *arguments)
            heard = max(map(abs, read_wav(self.path("a.wav"))[1][0]))
            self.assertAlmostEqual(level["peak"], heard, delta=1e-6)
            self.assertAlmostEqual(20 * math.log10(level["peak"]), level["peak_db"], 9)
            self.assertAlmostEqual(20 * math.log10(level["gain"]), level["gain_db"], 9)
            self.assertAlmostEqual(level["raw_peak"] * level["gain"], level["peak"], delta=1e-3 * level["peak"])
            self.assertEqual(level["normalise"], "off" not in arguments)
            self.assertEqual((level["format"], level["bits"], level["channels"], level["clipped"]), ("wav", "32f", 1, 0))
        self.assertIsNone(self.report(self.tune)["sound"])
        self.assertIsNone(json.loads(self.good("render", self.tune, "--json", "-", "-q").stdout)["sound"])

    def test_a_file_that_ends_while_it_sounds_fades(self):
        on, off = self.samples(self.tune), self.samples(self.tune, "--normalise", "off")
        gain, fade = on[100] / off[100], round(0.02 * 22050)
        self.assertEqual(len(on), len(off))
        for n, (a, b) in enumerate(zip(on, off)):
            part = min(1, (len(on) - 1 - n) / fade)
            self.assertAlmostEqual(a, b * gain * 0.5 * (1 - math.cos(math.pi * part)), delta=1e-6)
        self.assertTrue(self.sound(self.tune)["faded"])
        self.assertFalse(self.sound(self.tune, "--normalise", "off")["faded"])
        self.assertFalse(self.sound(self.tune, "--duration", "3")["faded"], "it has died away by then")

    def test_soft_notes_are_softer(self):
        gains, peaks = set(), []
        for velocity in ("0", "0.3", "0.7", "1"):
            level = self.sound(self.tune, "--note", "A4", "--velocity", velocity)
            gains.add(level["gain"])
            peaks.append(level["peak"])
        self.assertEqual(len(gains), 1)
        self.assertEqual(peaks, sorted(peaks))
        self.assertAlmostEqual(peaks[3] / peaks[0], 40, delta=1)
        for note, more in (("880Hz", []), ("C4", []), ("A3", ["--duration", "0.01"]), ("A5", ["--set", "v=1"])):
            self.assertEqual({self.sound(self.tune, "--note", note, *more)["gain"]}, gains)
        self.assertAlmostEqual(self.sound(self.tune, "--note", "880Hz", "--velocity", "1")["peak_db"], -1, delta=0.2)
        self.assertEqual(self.samples(self.plain, "--note", "A4"), self.samples(self.tune, "--note", "A4", "--normalise", "off"))
        self.assertEqual(self.sound(self.plain, "--note", "A4")["gain"], 1)

    def test_songs_too_and_for_any_number_of_threads(self):
        with open(self.path("chord.mid"), "wb") as f:
            f.write(CHORD)
        note = self.sound(self.tune, "--note", "A4", "--velocity", "1")
        files = set()
        for threads in ("1", "2", "3"):
            song = self.sound(self.tune, "--midi", "chord.mid", "--threads", threads, "--bits", "16")
            files.add(read_bytes(self.path("a.wav")))
            self.assertEqual(song["gain"], note["gain"])
        self.assertEqual(len(files), 1)
        self.assertGreater(song["peak"], 1, "three notes of full strength")
        self.assertGreater(song["clipped"], 0)
        self.assertEqual(self.sound(self.tune, "--midi", "chord.mid")["clipped"], 0, "32f is not clipped")
        told = self.good("render", self.tune, "--midi", "chord.mid", "--bits", "16", "-o", "a.wav", "-q").stderr.decode()
        self.assertIn("samples are clipped at 16 bits; --gain", told)
        gain = told.split("--gain ")[1].split(" ")[0]
        self.assertEqual(self.sound(self.tune, "--midi", "chord.mid", "--bits", "16", "--gain", gain)["clipped"], 0)

    def test_the_summary_says_what_was_done(self):
        for arguments, words in (([], b"-1.0 dBFS"), (["--normalise", "off"], b"sound     peak"),
                                 (["--normalise", "off", "--gain", "60"], b"players will clip it; see --normalise on")):
            self.assertIn(words, self.good("render", self.tune, "-o", "a.wav", *arguments).stderr)


class Formats(LevelCase):
    def test_bits(self):
        exact = self.samples(self.tune)
        for bits, width in (("16", 2), ("24", 3)):
            level = self.sound(self.tune, "--bits", bits)
            got, values = read_whole(self.path("a.wav"))
            self.assertEqual((got, len(values), level["bits"]), (width, len(exact), bits))
            scale = 2.0 ** (8 * width - 1)
            errors = [v - scale * x for v, x in zip(values, exact)]
            self.assertLessEqual(max(map(abs, errors)), 1.5 + scale * 2 ** -24)
            self.assertLess(abs(sum(errors) / len(errors)), 0.05)
            first = read_bytes(self.path("a.wav"))
            self.sound(self.tune, "--bits", bits)
            self.assertEqual(read_bytes(self.path("a.wav")), first)
        self.assertEqual(self.samples(self.tune, "--bits", "32f"), exact)

    def test_flac(self):
        self.assertEqual(self.sound(self.tune, out="a.flac")["bits"], "24")
        self.assertEqual(self.sound(self.tune, out="b.FLAC")["format"], "flac")
        self.assertEqual(read_bytes(self.path("a.flac")), read_bytes(self.path("b.FLAC")))
        self.assertIn(b"Tune", read_bytes(self.path("a.flac")))
        if not shutil.which("flac"):
            self.skipTest("no flac to decode with")
        for bits in ("16", "24"):
            self.sound(self.tune, "--bits", bits, out="a.flac")
            self.sound(self.tune, "--bits", bits)
            subprocess.run(["flac", "-s", "-f", "-d", "a.flac", "-o", "back.wav"], cwd=self.folder, check=True)
            self.assertEqual(read_whole(self.path("back.wav")), read_whole(self.path("a.wav")))

    def test_what_cannot_be_is_told(self):
        for path in ("a.ogg", "a.mp3", "a.aiff", "a.txt", "a.wav.bak"):
            self.bad(2, "-o writes .wav and .flac files, not '%s'" % path, "render", self.tune, "-o", path)
        self.bad(2, "FLAC file holds whole numbers, not 32f: take --bits 24", "render", self.tune, "-o", "a.flac", "--bits", "32f")
        self.bad(2, "multiples of 10", "render", self.tune, "-o", "a.flac", "--rate", "96001")
        self.bad(2, "--bits is 16, 24 or 32f, not '8'", "render", self.tune, "-o", "a.wav", "--bits", "8")
        self.bad(2, "--normalise is on or off, not 'yes'", "render", self.tune, "-o", "a.wav", "--normalise", "yes")
        for gain in ("loud", "nan", "inf", "1e9"):
            self.bad(2, "--gain must be a number from -200 to 200 dB", "render", self.tune, "-o", "a.wav", "--gain", gain)
        self.bad(2, "several scenes are written into a folder", "render", self.tune, self.tone, "-o", "a.flac")

    def test_names_without_an_ending_are_wav(self):
        self.sound(self.tune, out="take")
        self.sound(self.tune)
        self.assertEqual(read_bytes(self.path("take")), read_bytes(self.path("a.wav")))
        done = self.good("render", self.tune, "-o", "-", "-q")
        self.assertEqual(done.stdout, read_bytes(self.path("a.wav")))

    def test_a_failed_run_leaves_the_old_file(self):
        def little():
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
        for name in ("old.wav", "old.flac"):
            with open(self.path(name), "w", encoding="utf-8") as f:
                f.write("old")
            self.keep(name)
        for more in ([], ["--normalise", "off", "--bits", "24"], ["--note", "A3"]):
            for name in ("old.wav", "old.flac"):
                long = ["--duration", "20"]
                done = self.run_program("render", self.tune, "-o", name, "-q", *long, *more, preexec_fn=little)
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertEqual(read_text(self.path(name)), "old")
                self.assertEqual(self.new_files(), [])

    def test_several_scenes(self):
        self.good("render", self.tune, self.plain, "-o", "out/", "--bits", "16", "--normalise", "on", "--note", "A4", "-q")
        self.assertEqual(read_bytes(self.path("out/tune.wav")), read_bytes(self.path("out/plain.wav")))
        self.assertEqual(read_whole(self.path("out/tune.wav"))[0], 2)

    def test_a_silent_scene(self):
        rest = self.scene("rest.lua", TONE.replace("position = 0.25", "position = 0").replace("= 1 }", "= 0.1, normalise = true }"))
        level = self.sound(rest)
        self.assertEqual((level["peak"], level["gain"], level["peak_db"], level["faded"]), (0, 1, None, False))
        if not SANITIZED:
            self.assertLessEqual(max(map(abs, self.whole(rest))), 1, "dither alone")

    def whole(self, scene):
        self.sound(scene, "--bits", "16")
        return read_whole(self.path("a.wav"))[1]


if __name__ == "__main__":
    main()
