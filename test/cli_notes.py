"""Notes and songs: sistrum render --note and --midi, tunings, and every command of docs/notes.md."""

import cmath
import json
import math
import os
import re
import struct
import subprocess
import sys

from cli_case import PROGRAM, SANITIZED, SOURCE, RunCase, main, read_bytes, read_text, read_wav

LUTE = """
local f0 = param { "f0", 220, min = 55, max = 2093, unit = "Hz", scale = "log", label = "pitch" }
local peak = param { "peak", 0.2, min = 0.02, max = 1, unit = "N", scale = "log" }
local bright = param { "bright", 1e-3, min = 2e-4, max = 5e-3, unit = "s" }
local s = string { length = 60 / f0, frequency = f0, material_density = 7850, radius = 1.5e-4, youngs = 2e11,
                   t60 = { { 100, 3 }, { 3000, 1 } }, name = "wire" EXTRA }
force { on = s, at = 9 / f0, peak = peak, width = bright }
probe { on = s, at = 53 / f0, quantity = "velocity", name = "out" }
render { rate = 44100, duration = 0.6, normalise = true, title = "Lute" }
play { pitch = "f0", velocity = "peak", release = 0.2, voices = 4 }
"""

DRUM = """
local hit = input { "hit", trigger = true }
local hold = input { "hold", 0 }
local m = mass { mass = 0.01, frequency = 200, damping = 20 }
force { on = m, shape = "impulse", peak = 0.01, trigger = hit }
spring { between = { m, "ground" }, damping = 2 - 2 * hold }
probe { on = m, quantity = "velocity" }
render { rate = 44100, duration = 0.5, normalise = true }
play { velocity = "hit", gate = "hold", mode = "keys" }
"""


def length(n):
    out = [n & 127]
    while n > 127:
        n >>= 7
        out.insert(0, n & 127 | 128)
    return bytes(out)


def midi(events, division=480, form=0, tracks=1, head=b""):
    """A file of one track with [(delta, bytes), ...]; `head` are whole chunks before it."""
    data = b"".join(length(d) + e for d, e in events) + b"\0\xff\x2f\0"
    return (b"MThd" + struct.pack(">IHHH", 6, form, tracks, division) + head + b"MTrk" +
            struct.pack(">I", len(data)) + data)


def on(key, velocity=100):
    return bytes([0x90, key, velocity])


def off(key):
    return bytes([0x80, key, 0])


SONG = midi([(0, on(57)), (480, off(57)), (0, on(61, 40)), (0, on(64)), (480, off(61)), (0, off(64))])


def turning(x, near, rate):
    """Frequency from how far the phase at about `near` turns between two windowed pieces of the sound."""
    size, apart = len(x) // 2, int(round(5 * rate / near))
    window = [math.sin(math.pi * (n + 0.5) / size) ** 4 for n in range(size)]
    phase = []
    for first in (0, apart):
        turn, spin, total = cmath.exp(-2j * math.pi * near * first / rate), cmath.exp(-2j * math.pi * near / rate), 0
        for n in range(size):
            total += window[n] * x[n + first] * turn
            turn *= spin
        phase.append(cmath.phase(total))
    turned = math.remainder(phase[1] - phase[0], 2 * math.pi)
    return near + turned * rate / (2 * math.pi * apart)


class NotesCase(RunCase):
    def setUp(self):
        super().setUp()
        self.lute = self.scene("lute.lua", LUTE.replace("EXTRA", ""))
        self.song = self.binary("song.mid", SONG)
        self.before = set(os.listdir(self.folder))

    def binary(self, name, data):
        with open(self.path(name), "wb") as f:
            f.write(data)
        return self.path(name)

    def sound(self, *arguments):
        """What the report says of the sound."""
        self.good("render", *arguments, "-o", "level.wav", "--json", "level.json", "-q")
        return json.loads(read_text(self.path("level.json")))["sound"]

    def params(self, *arguments):
        return {p["name"]: p["value"] for p in self.report(*arguments)["params"]}


class Notes(NotesCase):
    def test_a_note_is_a_choice_of_settings(self):
        self.good("render", self.lute, "--note", "A2", "--velocity", "0.5", "-o", "a.wav", "--data", "a.npy",
                  "--energy", "a.csv", "-q", "--normalise", "off")
        peak = 0.02 * 50 ** 0.5
        self.good("render", self.lute, "--set", "f0=110", "--set", "peak=%.17g" % peak, "-o", "b.wav", "--data",
                  "b.npy", "--energy", "b.csv", "-q", "--normalise", "off")
        for end in ("wav", "npy", "csv"):
            self.assertEqual(read_bytes(self.path("a." + end)), read_bytes(self.path("b." + end)))

    def test_all_ways_to_write_a_note(self):
        for text, hz in (("A3", 220), ("57", 220), ("220Hz", 220), ("C#4", 440 * 2 ** (-8 / 12)),
                         ("Db4", 440 * 2 ** (-8 / 12)), ("bb2", 440 * 2 ** (-23 / 12)), ("C7", 2093)):
            self.assertAlmostEqual(self.params(self.lute, "--note", text)["f0"], hz, delta=1e-9)
        values = self.params(self.lute, "--note", "A4", "--a4", "415")
        self.assertEqual((values["f0"], values["peak"]), (415, 0.2))
        self.assertEqual(self.params(self.lute, "--velocity", "1")["peak"], 1)
        self.assertEqual(self.params(self.lute, "--velocity", "0")["f0"], 220)

    def test_every_command_on_a_scene_takes_a_note(self):
        self.assertIn("f0 = 110 Hz", self.checked(self.lute, "--note", "A2"))
        told = self.good("compare", self.bounce_with_notes(), "--note", "A5", "--json", "-").stdout
        self.assertIn(b"schemes", told)

    def bounce_with_notes(self):
        return self.scene("bounce2.lua", read_text(self.bounce) +
                          'param { "f", 200, min = 1, max = 1e4, unit = "Hz" } play { pitch = "f" }')

    def test_tunings(self):
        just = self.scene("just.scl", "! just.scl\nJust\n12\n16/15\n9/8\n6/5\n5/4\n4/3\n45/32\n3/2\n8/5\n5/3\n9/5\n"
                                      "15/8\n2/1\n")
        keys = self.scene("c256.kbm", "0\n0\n127\n60\n60\n256.0\n0\n")
        self.keep("just.scl", "c256.kbm")
        self.assertAlmostEqual(self.params(self.lute, "--note", "C4", "--scale", just)["f0"], 264, delta=1e-9)
        values = self.params(self.lute, "--note", "G4", "--scale", just, "--keys", keys)
        self.assertAlmostEqual(values["f0"], 384, delta=1e-9)
        self.assertAlmostEqual(self.params(self.lute, "--note", "C5", "--keys", keys)["f0"], 512, delta=1e-9)
        self.bad(2, "give one of them", "render", self.lute, "--note", "C4", "--keys", keys, "--a4", "430", "-o", "x.wav")
        self.bad(2, "give --note or --midi", "render", self.lute, "--scale", just, "-o", "x.wav")
        self.bad(3, "cannot read the scale", "render", self.lute, "--note", "C4", "--scale", "none.scl", "-o", "x.wav")
        wrong = self.scene("wrong.scl", "title\n2\n9/8\nfifth\n")
        self.keep("wrong.scl")
        self.bad(3, "wrong.scl:4: 'fifth' is not a pitch", "render", self.lute, "--note", "C4", "--scale", wrong, "-o",
                 "x.wav")
        black = self.scene("white.kbm", "12\n0\n127\n60\n69\n440\n12\n0\nx\n2\nx\n4\n5\nx\n7\nx\n9\nx\n11\n")
        self.keep("white.kbm")
        self.bad(2, "key 61 is silent", "render", self.lute, "--note", "C#4", "--keys", black, "-o", "x.wav")

    def test_what_cannot_be_is_told(self):
        self.bad(2, "'H3' is not a note", "render", self.lute, "--note", "H3", "-o", "x.wav")
        self.bad(2, "(did you mean '220Hz'?)", "render", self.lute, "--note", "220", "-o", "x.wav")
        self.bad(2, "is outside the range of 'f0': 55 .. 2093 Hz, notes A1 .. C7", "render", self.lute, "--note", "C8",
                 "-o", "x.wav")
        self.bad(2, "must be a number from 0 to 1", "render", self.lute, "--note", "A3", "--velocity", "80", "-o", "x.wav")
        self.bad(2, "--set f0: --note sets it already", "render", self.lute, "--note", "A3", "--set", "f0=220", "-o",
                 "x.wav")
        self.bad(2, "--set peak: --velocity sets it", "render", self.lute, "--velocity", "1", "--set", "peak=1", "-o",
                 "x.wav")
        self.bad(3, "add play{ pitch =", "render", self.bounce, "--note", "A3", "-o", "x.wav")
        self.bad(3, "add play{ pitch =", "check", self.bounce, "--note", "A3")
        pitched = self.bounce_with_notes()
        self.keep("bounce2.lua")
        self.bad(3, "names no param of velocity", "render", pitched, "--velocity", "1", "-o", "x.wav")
        self.assertIn("--midi", self.good("render", "--help").stdout.decode())
        self.assertIn("release", self.good("help", "play{}").stdout.decode())

    def test_the_fundamental_is_within_a_cent_from_A1_to_C7(self):
        keys = (33, 96) if SANITIZED else range(33, 97, 7)
        for extra in ("", ', model = "implicit"', ', ends = "clamped"', ', model = "modal"'):
            scene = self.scene("law.lua", LUTE.replace("EXTRA", extra))
            worst = 0
            for key in keys:
                hz = 440 * 2 ** ((key - 69) / 12)
                self.good("render", scene, "--note", str(key), "-o", "law.wav", "-q")
                rate, channels, _ = read_wav(self.path("law.wav"))
                sound = channels[0][2000:]  # the blow is over
                worst = max(worst, abs(1200 * math.log2(turning(sound, hz, rate) / hz)))
            print("  A1 to C7%s: within %.4f cents" % (extra, worst))
            self.assertLess(worst, 1)


    def test_instruments_play_over_their_range(self):
        scenes = os.path.join(SOURCE, "scenes")
        played = 0
        for name in sorted(os.listdir(scenes)):
            text = read_text(os.path.join(scenes, name)) if name.endswith(".lua") else ""
            pitch = re.search(r'^play *{[^}]*pitch *= *"(\w+)"', text, re.M)
            if not pitch:
                continue
            params = self.report(os.path.join(scenes, name), "--duration", "0.01")["params"]
            param = [p for p in params if p["name"] == pitch.group(1)][0]
            low, high = (69 + 12 * math.log2(param[end] / 440) for end in ("min", "max"))
            for key in (math.ceil(low - 1e-3), math.floor(high + 1e-3)):
                report = self.report(os.path.join(scenes, name), "--note", str(key), "--duration", "0.02")
                got = [p["value"] for p in report["params"] if p["name"] == pitch.group(1)][0]
                self.assertAlmostEqual(12 * math.log2(got / 440) + 69, key, delta=1e-3)
            played += 1
        if not played:
            self.skipTest("no scene takes notes")


class Songs(NotesCase):
    def test_a_song(self):
        told = self.good("render", self.lute, "--midi", self.song, "-o", "s.wav", "--json", "s.json")
        self.assertIn(b"3 notes of song.mid", told.stderr)
        report = json.loads(read_text(self.path("s.json")))
        self.assertEqual((report["notes"], report["notes_played"], report["voices_max"]), (3, 3, 3))
        self.assertEqual((report["systems"], report["voices"], report["voices_stolen"]), (3, 4, 0))
        rate, channels, _ = read_wav(self.path("s.wav"))
        self.assertEqual((rate, len(channels), len(channels[0])), (44100, 2, report["samples"]))
        self.assertEqual(channels[0], channels[1])
        self.assertAlmostEqual(max(map(abs, channels[0])), report["sound"]["peak"], delta=1e-6)
        self.assertAlmostEqual(report["peak"] * report["sound"]["gain"], report["sound"]["peak"], delta=1e-9)
        self.assertAlmostEqual(report["seconds"], report["samples"] / 44100, delta=1e-9)
        self.assertGreater(report["seconds"], 1)
        self.assertLess(report["seconds"], 1.4)

    def test_a_song_of_one_note_is_that_note(self):
        one = self.binary("one.mid", midi([(480, on(57, 127)), (960, off(57))]))
        plain = self.scene("plain.lua", LUTE.replace("EXTRA", "").replace("normalise = true", "normalise = false"))
        self.good("render", plain, "--midi", one, "-o", "s.wav", "-q")
        self.good("render", plain, "--note", "A3", "--velocity", "1", "--duration", "0.9", "-o", "n.wav", "-q")
        song, note = read_wav(self.path("s.wav"))[1][0], read_wav(self.path("n.wav"))[1][0]
        self.assertEqual(song[:22050], (0,) * 22050)
        self.assertEqual(song[22050:22050 + len(note)], note)

    def test_threads_change_no_byte(self):
        many = self.binary("many.mid", midi([(60, on(45 + 5 * i % 40, 30 + 7 * i % 90)) for i in range(40)]))
        for extra in ([], ["--oversample", "2"]):
            sounds = set()
            for threads in ("1", "2", "3"):
                self.good("render", self.lute, "--midi", many, "-o", "s.wav", "--threads", threads, "-q", *extra)
                sounds.add(read_bytes(self.path("s.wav")))
            self.assertEqual(len(sounds), 1)

    def test_oversampling_keeps_time_and_level(self):
        self.good("render", self.lute, "--midi", self.song, "-o", "a.wav", "-q")
        self.good("render", self.lute, "--midi", self.song, "-o", "b.wav", "-q", "--oversample", "2")
        a, b = read_wav(self.path("a.wav"))[1][0], read_wav(self.path("b.wav"))[1][0]
        self.assertLess(abs(len(a) - len(b)), 1100)
        n = min(len(a), len(b), 22050)
        product = sum(x * y for x, y in zip(a[:n], b[:n]))
        self.assertGreater(product / math.sqrt(sum(x * x for x in a[:n]) * sum(y * y for y in b[:n])), 0.95)

    def test_duration_cuts_and_set_sets(self):
        report = self.report(self.lute, "--midi", self.song, "--duration", "0.7", "--set", "bright=2e-3")
        self.assertEqual(report["samples"], 30870)
        self.bad(2, "--set f0: every note of --midi sets it", "render", self.lute, "--midi", self.song, "--set", "f0=220",
                 "-o", "x.wav")
        self.bad(2, "unknown param", "render", self.lute, "--midi", self.song, "--set", "brigt=1", "-o", "x.wav")

    def test_notes_by_velocity_alone(self):
        drum = self.scene("drum.lua", """
            local v = param { "v", 1, min = 0.1, max = 3, unit = "m/s" }
            local m = mass { mass = 0.01, frequency = 150, damping = 60, velocity = v }
            probe { on = m, quantity = "velocity" }
            play { velocity = "v" }""")
        report = self.report(drum, "--midi", self.song)
        self.assertEqual((report["notes_played"], report["systems"]), (3, 2))

    def test_what_a_tuning_leaves_out_is_silent(self):
        white = self.scene("white.kbm", "12\n0\n127\n60\n69\n440\n12\n0\nx\n2\nx\n4\n5\nx\n7\nx\n9\nx\n11\n")
        report = self.report(self.lute, "--midi", self.song, "--keys", white)
        self.assertEqual((report["notes"], report["notes_played"], report["notes_silent"]), (3, 2, 1))

    def test_what_is_out_of_range_is_skipped(self):
        drums = self.binary("drums.mid", midi([(0, on(57)), (0, bytes([0x99, 20, 90])), (0, bytes([0x99, 20, 0])),
                                               (240, off(57)), (9600, bytes([0x99, 21, 90]))]))
        told = self.good("render", self.lute, "--midi", drums, "-o", "a.wav", "--json", "a.json", "-q").stderr.decode()
        self.assertEqual(told.count("\n"), 1)
        self.assertIn("drums.mid: note G#0 at 0 s (25.9565 Hz) is outside the range of 'f0'", told)
        self.assertIn("; 2 of its 3 notes are skipped", told)
        report = json.loads(read_text(self.path("a.json")))
        self.assertEqual((report["notes"], report["notes_played"], report["skipped"]), (3, 1, 2))
        self.assertLess(report["seconds"], 2, "the song ends with its last note that sounds")
        done = self.good("render", self.lute, "--midi", drums, "--channel", "1", "-o", "b.wav", "--json", "b.json", "-q")
        self.assertEqual(done.stderr, b"")
        self.assertEqual(json.loads(read_text(self.path("b.json")))["notes"], 1)
        self.assertEqual(read_bytes(self.path("a.wav")), read_bytes(self.path("b.wav")))
        self.before = set(os.listdir(self.folder))
        self.bad(3, "none of its 2 notes can be played: --transpose", "render", self.lute, "--midi", drums, "--channel",
                 "10", "-o", "x.wav")
        self.bad(3, "there is no note on channel 3; there are some on 1, 10", "render", self.lute, "--midi", drums,
                 "--channel", "3", "-o", "x.wav")
        self.bad(2, "--channel must be a whole number from 1 to 16", "render", self.lute, "--midi", drums, "--channel",
                 "17", "-o", "x.wav")
        self.bad(2, "--channel chooses notes of a song", "render", self.lute, "--channel", "1", "-o", "x.wav")

    def test_transposed_is_as_written_there(self):
        lower = midi([(0, on(45)), (480, off(45)), (0, on(49, 40)), (0, on(52)), (480, off(49)), (0, off(52))])
        self.good("render", self.lute, "--midi", self.song, "--transpose", "-12", "-o", "a.wav", "-q")
        self.good("render", self.lute, "--midi", self.binary("lower.mid", lower), "-o", "b.wav", "-q")
        self.assertEqual(read_bytes(self.path("a.wav")), read_bytes(self.path("b.wav")))
        told = self.good("render", self.lute, "--midi", self.song, "--transpose", "66", "--keys",
                         self.scene("all.kbm", "0\n0\n127\n60\n69\n20.0\n0\n"), "-o", "c.wav", "-q").stderr.decode()
        self.assertIn("--transpose 66 takes notes beyond the MIDI keys 0 .. 127; 1 of its 3 notes is skipped", told)
        self.before = set(os.listdir(self.folder))
        self.bad(3, "--transpose 99 takes all notes beyond", "render", self.lute, "--midi", self.song, "--transpose", "99",
                 "-o", "x.wav")
        self.bad(2, "--transpose chooses notes of a song", "render", self.lute, "--transpose", "1", "-o", "x.wav")
        self.bad(2, "--instrument gives scenes to channels of a song: give --midi too", "render", self.lute, "--instrument", f"2={self.lute}",
                 "-o", "x.wav")

    def test_songs_and_notes_keep_levels(self):
        """One gain for the scene, whatever is played."""
        two = self.binary("two.mid", midi([(0, on(57, 20)), (240, off(57)), (1200, on(57, 127)), (240, off(57))]))
        plain = self.scene("plain.lua", LUTE.replace("EXTRA", "").replace("normalise = true", "normalise = false"))
        ratios = []
        for scene in (self.lute, plain):
            self.good("render", scene, "--midi", two, "-o", "s.wav", "-q")
            sound = read_wav(self.path("s.wav"))[1][0]
            ratios.append(max(map(abs, sound[:44100])) / max(map(abs, sound[60000:])))
        self.assertAlmostEqual(ratios[0], ratios[1], delta=1e-5)
        self.assertLess(ratios[0], 0.2)
        gains = {self.sound(self.lute, "--midi", two)["gain"]}
        for note, velocity in (("A3", "0.2"), ("A3", "1"), ("C6", "0.5")):
            gains.add(self.sound(self.lute, "--note", note, "--velocity", velocity)["gain"])
        self.assertEqual(len(gains), 1)
        peaks = [self.sound(self.lute, "--note", "A3", "--velocity", str(v / 4))["peak"] for v in range(5)]
        self.assertEqual(peaks, sorted(peaks))
        self.assertGreater(peaks[4], 8 * peaks[0])
        loudest = max(self.sound(self.lute, "--note", str(key), "--velocity", "1")["peak_db"] for key in range(33, 97, 3))
        self.assertAlmostEqual(loudest, -1, delta=0.3)

    def test_the_song_of_the_examples_is_its_script(self):
        done = subprocess.run([sys.executable, os.path.join(SOURCE, "tools/song.py"), self.path("made.mid")], check=False)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(read_bytes(self.path("made.mid")), read_bytes(os.path.join(SOURCE, "examples/song.mid")))

    def test_what_no_scene_takes_is_told_once(self):
        bent = self.binary("bent.mid", midi([(0, b"\xe0\x00\x50"), (0, b"\xb0\x07\x50"), (0, b"\xb0\x0a\x50"), (0, on(57)),
                                             (0, b"\xd0\x50"), (0, b"\xc0\x05"), (240, off(57))]))
        told = self.good("render", self.lute, "--midi", bent, "-o", "s.wav", "--json", "s.json").stderr.decode()
        self.assertEqual(told.count("bent.mid: left out, for want of inputs and scenes: 1 pitch bend, 1 pressure, "
                                    "2 controllers (7, 10), 1 program change\n"), 1)
        report = json.loads(read_text(self.path("s.json")))
        self.assertEqual([report[kind + "_ignored"] for kind in ("bends", "pressures", "controllers", "programs")],
                         [1, 1, 2, 1])
        self.assertEqual(self.good("render", self.lute, "--midi", bent, "-o", "s.wav", "-q").stderr, b"")

    def test_scenes_of_channels_and_programs(self):
        drum = self.scene("drum.lua", DRUM)
        song = self.binary("two.mid", midi([(0, on(57)), (0, b"\x91\x39\x64"), (480, off(57)), (0, b"\x81\x39\x00"),
                                            (0, b"\xc2\x18"), (0, b"\x92\x39\x64"), (480, b"\x82\x39\x00")]))
        alone = self.report(self.lute, "--midi", song)
        self.assertEqual((alone["notes_played"], alone["programs_ignored"], alone["voices"]), (3, 1, 4))
        both = self.report(self.lute, "--midi", song, "--instrument", "2=%s,program:25=%s" % (drum, drum))
        self.assertEqual((both["notes_played"], both["programs_ignored"], both["voices"]), (3, 0, 20))
        told = self.good("render", "--midi", song, "--instrument", "2=" + drum, "-o", "s.wav").stderr.decode()
        self.assertIn("is on channel 1, for which there is no scene; 2 of its 3 notes are skipped", told)
        self.keep("drum.lua", "two.mid", "s.wav")
        self.bad(3, "two.mid: its notes are on channels 1, 2, 3, for which --instrument names no scene: give 1=SCENE there", "render",
                 "--midi", song, "--instrument", "5=" + drum, "-o", "x.wav")
        self.bad(3, "its notes are on channel 2, for which", "render", "--midi", song, "--channel", "2", "--instrument", "1=" + drum,
                 "-o", "x.wav")
        self.bad(2, "CHANNEL=SCENE or program:NUMBER=SCENE", "render", self.lute, "--midi", song, "--instrument", "17=" + drum,
                 "-o", "x.wav")
        self.bad(2, "not 'guitar'", "render", self.lute, "--midi", song, "--instrument", "guitar", "-o", "x.wav")
        self.bad(2, "gives '2' two scenes", "render", self.lute, "--midi", song, "--instrument",
                 "2=%s,2=%s" % (drum, self.lute), "-o", "x.wav")
        self.bad(3, "no scene 'gitar' (did you mean 'guitar'?)", "render", self.lute, "--midi", song, "--instrument", "2=gitar",
                 "-o", "x.wav")
        self.bad(3, "does not say how notes play it", "render", self.lute, "--midi", song, "--instrument", "2=" + self.bounce,
                 "-o", "x.wav")

    def test_one_note_strikes_and_holds(self):
        drum = self.scene("drum.lua", DRUM)
        self.good("render", drum, "--velocity", "0.5", "-o", "a.wav", "--normalise", "off", "--record", "a.csv", "-q")
        recorded = read_text(self.path("a.csv"))
        self.assertRegex(recorded, r"e-05,hit,0\.5\n")
        self.assertNotRegex(recorded, r",hold,0\n.*,hold,0\n")
        self.good("render", drum, "--velocity", "0.5", "-o", "b.wav", "--hold", "0.25", "--record", "b.csv", "-q")
        self.assertIn("\n0.25,hold,0", read_text(self.path("b.csv")))
        self.keep("a.wav", "a.csv", "b.wav", "b.csv", "drum.lua")
        self.bad(2, "--hold is how long the key", "render", drum, "--hold", "1", "-o", "x.wav")
        self.bad(3, "names no input of gate, so --hold", "render", self.lute, "--note", "A3", "--hold", "1", "-o", "x.wav")

    def test_broken_songs_are_refused_with_the_byte(self):
        files = {"cut.mid": SONG[:-3], "text.mid": b"hello", "two.mid": SONG[:9] + b"\2" + SONG[10:],
                 "status.mid": SONG[:23] + b"\x12" + SONG[24:], "empty.mid": midi([]),
                 "high.mid": midi([(0, on(120)), (9, off(120))])}
        words = {"cut.mid": "byte 18: a chunk of 30 bytes", "text.mid": "byte 0: it is not a MIDI file",
                 "two.mid": "byte 8: it is of format 2", "status.mid": "byte 23: an event begins with the data byte",
                 "empty.mid": "there is no note in it", "high.mid": "note C9 at 0 s (8372.02 Hz) is outside the range"}
        for name, data in files.items():
            song = self.binary(name, data)
            self.keep(name)
            text = self.bad(3, words[name], "render", self.lute, "--midi", song, "-o", "x.wav")
            self.assertIn(name + ": ", text)
        self.bad(3, "cannot read the song", "render", self.lute, "--midi", "none.mid", "-o", "x.wav")
        self.bad(3, "it is a directory", "render", self.lute, "--midi", self.folder, "-o", "x.wav")

    def test_what_a_song_cannot_do_is_told(self):
        self.bad(2, "--data is of one run", "render", self.lute, "--midi", self.song, "--data", "x.npy")
        self.bad(2, "give one of the two", "render", self.lute, "--midi", self.song, "--note", "A3", "-o", "x.wav")
        self.bad(2, "one scene at a time", "render", self.lute, self.tone, "--midi", self.song, "-o", "x.wav")
        self.bad(2, "needs an output", "render", self.lute, "--midi", self.song)
        self.bad(3, "add play{ pitch =", "render", self.tone, "--midi", self.song, "-o", "x.wav")
        self.bad(1, "song.mid", "render", self.lute, "--midi", self.song, "-o", self.song + "/x.wav")
        before = read_bytes(self.song)
        self.bad(2, "-o writes .wav and .flac files", "render", self.lute, "--midi", self.song, "-o", self.song)
        tune = self.binary("tune", SONG)
        self.keep("tune")
        self.bad(2, "tune' is the song itself", "render", self.lute, "--midi", tune, "-o", tune)
        just = self.scene("just", "j\n12\n" + "".join("%d.0\n" % (100 * i) for i in range(1, 13)))
        self.keep("just")
        for file, what in ((just, "scale"), (tune, "song")):
            self.bad(2, "is the %s itself" % what, "render", self.lute, "--midi", tune, "--scale", just, "-o", file)
        self.assertEqual(read_bytes(self.song), before)
        # A scene that only fails for one note says which.
        picky = self.scene("picky.lua", LUTE.replace("EXTRA", "").replace("force", "assert(f0 < 300, 'too high')\nforce"))
        self.keep("picky.lua")
        self.bad(3, "note E4 at 0.5 s: ", "render", picky, "--midi", self.song, "-o", "x.wav")


class Manual(NotesCase):
    def test_every_command_of_the_manual_runs(self):
        os.mkdir(self.path("bin"))
        os.symlink(os.path.abspath(PROGRAM), self.path("bin/sistrum"))
        text = read_text(os.path.join(SOURCE, "docs/notes.md"))
        commands = 0
        for kind, block in re.findall(r"```(lua|sh)\n(.*?)```", text, re.S):
            if kind == "lua":
                name = re.match(r"-- (\w+\.lua)", block)
                self.assertTrue(name, block)
                self.scene(name.group(1), block)
                continue
            done = subprocess.run(["bash", "-e", "-c", block], cwd=self.folder, capture_output=True, timeout=120,
                                  env=dict(os.environ, PATH=self.path("bin") + ":" + os.environ["PATH"]))
            self.assertEqual(done.returncode, 0, block + done.stderr.decode())
            commands += block.count("sistrum ")
        self.assertGreater(commands, 8)
        # Its sentences are those of the program.
        for scene, arguments in (("bouncing_marble", ("--note", "A3")), ("lute.lua", ("--note", "C8")),
                                 ("lute.lua", ("--note", "A3", "--set", "f0=220")), ("lute.lua", ("--note", "220"))):
            done = self.run_program("render", scene, *arguments, "-o", "x.wav")
            self.assertIn("\n" + done.stderr.decode(), text)


if __name__ == "__main__":
    main()
