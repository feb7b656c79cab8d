"""Presets of scenes and sound from outside, on the command line."""

import json
import struct
import wave

from cli_case import RunCase, main, read_bytes, read_npy

BELL = """
preset { "High", f = 880, level = -0.5 }
preset { "As written" }
local f = param { "f", 440, min = 100, max = 2000, unit = "Hz" }
local height = param { "height", 0.25, min = 0.1, max = 1 }
local level = input { "level", 0.5, min = -1, max = 1 }
local m = mass { mass = 0.1, frequency = f, position = height }
force { on = m, shape = "constant", peak = level }
probe { on = m, quantity = "displacement", name = "out" }
play { pitch = "f", velocity = "height" }
render { rate = 8000, duration = 0.05 }
"""

# Where the hand is, and nothing else: a driven mass shows every value of its input.
HANDS = """
local x = input { "x", 0, min = -3, max = 1 }
local y = input { "y", 0, min = -1, max = 0.5 }
probe { on = mass { path = x }, name = "u" }
probe { on = mass { path = y }, name = "v" }
play { sound = { "x", "y" } }
render { rate = 8000, duration = 0.01 }
"""


class Presets(RunCase):
    def setUp(self):
        super().setUp()
        self.bell = self.scene("bell.lua", BELL)
        self.keep("bell.lua")

    def values(self, *arguments):
        report = json.loads(self.good("render", *arguments, "--json", "-").stdout)
        return [each["value"] for each in report["params"] + report["inputs"]]

    def test_a_preset_sets_params_and_inputs(self):
        self.assertEqual(self.values(self.bell), [440, 0.25, 0.5])
        self.assertEqual(self.values(self.bell, "--preset", "High"), [880, 0.25, -0.5])
        self.assertEqual(self.values(self.bell, "--preset=As written"), [440, 0.25, 0.5])

    def test_set_note_and_curves_win_over_it(self):
        self.assertEqual(self.values(self.bell, "--preset", "High", "--set", "f=500"), [500, 0.25, -0.5])
        self.assertEqual(self.values(self.bell, "--set", "f=500", "--preset", "High"), [500, 0.25, -0.5])
        self.assertEqual(self.values(self.bell, "--preset", "High", "--note", "220Hz"), [220, 0.25, -0.5])
        curve = self.scene("curve.csv", "0,0.25\n0.01,0\n")
        self.assertEqual(self.values(self.bell, "--preset", "High", "--input", f"level={curve}")[2], 0.25)

    def test_a_preset_is_the_same_as_its_settings(self):
        self.good("render", self.bell, "--preset", "High", "-o", "a.wav", "--quiet")
        self.good("render", self.bell, "--set", "f=880", "--set", "level=-0.5", "-o", "b.wav", "--quiet")
        self.assertEqual(read_bytes(self.path("a.wav")), read_bytes(self.path("b.wav")))

    def test_songs_and_their_level_have_it(self):
        track = bytes([0, 0x90, 69, 100, 96, 0x80, 69, 0, 0, 0xFF, 0x2F, 0])
        with open(self.path("song.mid"), "wb") as f:
            f.write(b"MThd" + struct.pack(">IHHH", 6, 0, 1, 96) + b"MTrk" + struct.pack(">I", len(track)) + track)
        for how in (["--midi", "song.mid", "--duration", "0.2"], ["--note", "A4"]):
            self.good("render", self.bell, "--preset", "High", "--normalise", "on", "-o", "a.wav", "--quiet", *how)
            self.good("render", self.bell, "--set", "level=-0.5", "--normalise", "on", "-o", "b.wav", "--quiet", *how)
            self.good("render", self.bell, "--normalise", "on", "-o", "c.wav", "--quiet", *how)
            a, b, c = (read_bytes(self.path(name)) for name in ("a.wav", "b.wav", "c.wav"))
            self.assertEqual(a, b)
            self.assertNotEqual(a, c)

    def test_check_and_params_list_them(self):
        self.assertIn('preset "High"        f = 880 Hz, level = -0.5\n', self.good("params", self.bell).stdout.decode())
        self.assertIn("As written  as the scene has it\n", self.good("check", self.bell).stdout.decode())
        told = json.loads(self.good("params", self.bell, "--json").stdout)
        self.assertEqual(told["presets"], [{"name": "High", "values": {"f": 880, "level": -0.5}}, {"name": "As written", "values": {}}])
        self.assertIn("880 Hz", self.good("check", self.bell, "--preset", "High").stdout.decode())

    def test_wrong_names(self):
        self.bad(2, "--preset: bell.lua has no preset 'high' (did you mean 'High'?); it has: \"High\", \"As written\"", "render", self.bell, "--preset", "high",
                   "-o", "a.wav")
        self.bad(2, "--preset: bell.lua has no preset 'Nothing'; it has: \"High\"", "check", self.bell, "--preset", "Nothing")
        self.bad(2, "--preset: bounce.lua has no presets", "check", self.bounce, "--preset", "High")
        self.bad(2, "given twice", "check", self.bell, "--preset", "High", "--preset", "High")


class Sound(RunCase):
    def setUp(self):
        super().setUp()
        self.hands = self.scene("hands.lua", HANDS)
        self.keep("hands.lua")

    def sound(self, name, channels, rate, samples):
        with wave.open(self.path(name), "wb") as w:
            w.setnchannels(channels)
            w.setsampwidth(2)
            w.setframerate(rate)
            w.writeframes(struct.pack("<%dh" % len(samples), *samples))
        return self.path(name)

    def data(self, *arguments):
        self.good("render", *arguments, "--data", "data.npy", "--quiet")
        return read_npy(self.path("data.npy"))

    def test_channels_move_inputs_by_their_full_scale(self):
        left, right = [1000 * n for n in range(10)], [-2000 * n for n in range(10)]
        file = self.sound("two.wav", 2, 8000, [v for pair in zip(left, right) for v in pair])
        rows = self.data(self.hands, "--sound", file)
        self.assertEqual(len(rows), 10 + 80, "the file, then the duration of the scene")
        for n in range(10): # a place of row n is reached at (n + 1)/rate
            self.assertAlmostEqual(rows[n + 1][0], min(3 * left[n] / 32768, 1), delta=1e-12)
            self.assertAlmostEqual(rows[n + 1][1], right[n] / 32768, delta=1e-12)
        self.assertEqual(rows[12], (0, 0), "silence after its end")
        self.assertEqual(len(self.data(self.hands, "--sound", file, "--duration", "0.002")), 16)

    def test_mono_goes_to_both_and_stereo_into_one_is_the_mean(self):
        mono = self.sound("mono.wav", 1, 8000, [4096] * 10)
        self.assertEqual(self.data(self.hands, "--sound", mono)[5], (3 / 8, 1 / 8))
        one = self.scene("one.lua", HANDS.replace('{ "x", "y" }', '"y"'))
        stereo = self.sound("stereo.wav", 2, 8000, [4096, -8192] * 10)
        self.assertEqual(self.data(one, "--sound", stereo)[5][1], -1 / 16)

    def test_oversampled_it_goes_along_straight_lines(self):
        samples = [0, 3000, -6000, 9000, 0]
        file = self.sound("some.wav", 1, 8000, samples)
        self.good("render", self.hands, "--sound", file, "--oversample", "3", "--record", "played.csv", "--quiet")
        steps, last = {}, 0.0
        with open(self.path("played.csv"), encoding="ascii") as f:
            for time, name, value in (line.split(",") for line in list(f)[1:]):
                if name == "y":
                    steps[round(float(time) * 24000)] = float(value)
        for n, sample in enumerate(samples):
            now = sample / 32768
            for k in range(3):
                self.assertEqual(steps.get(3 * n + k, now), last + (now - last) * (k + 1) / 3)
            last = now

    def test_what_was_recorded_plays_again(self):
        file = self.sound("some.wav", 1, 8000, [100 * n for n in range(50)])
        self.good("render", self.hands, "--sound", file, "-o", "a.wav", "--record", "played.csv", "--quiet")
        self.good("render", self.hands, "--input", "played.csv", "-o", "b.wav", "--duration", str(130 / 8000), "--quiet")
        self.assertEqual(read_bytes(self.path("a.wav")), read_bytes(self.path("b.wav")))

    def test_refused(self):
        file = self.sound("fast.wav", 1, 16000, [0] * 10)
        many = self.sound("many.wav", 3, 8000, [0] * 12)
        fine = self.sound("fine.wav", 1, 8000, [0] * 12)
        curve = self.scene("curve.csv", "0,0.25\n")
        self.keep("fast.wav", "many.wav", "fine.wav", "curve.csv", "a.wav")
        self.good("render", self.hands, "--sound", file, "--rate", "16000", "-o", "a.wav")
        for code, words, arguments in (
                (2, "the file has 16000 Hz and the run 8000 Hz: give --rate 16000", [self.hands, "--sound", file]),
                (2, "has 3 channels; sound from outside has one or two", [self.hands, "--sound", many]),
                (2, "cannot read the sound 'nowhere.wav': No such file", [self.hands, "--sound", "nowhere.wav"]),
                (2, "cannot read the sound", [self.hands, "--sound", self.hands]),
                (3, "the scene takes no sound: add play{ sound = \"NAME\" }", [self.bounce, "--sound", fine]),
                (2, "--set x: --sound moves it already", [self.hands, "--sound", fine, "--set", "x=0"]),
                (2, "--input x: --sound moves it already", [self.hands, "--sound", fine, "--input", f"x={curve}"]),
                (2, "--sound is for one scene at a time", [self.hands, self.bounce, "--sound", fine]),
                (2, "--sound is for a run without --midi", [self.hands, "--midi", "song.mid", "--sound", fine]),
                (3, "the scene does not say how notes play it", [self.hands, "--note", "A3"])):
            with self.subTest(words):
                self.bad(code, words, "render", *arguments, "-o", "folder/" if self.bounce in arguments[1:] else "a.wav")
        self.bad(2, "the sound itself", "render", self.hands, "--sound", fine, "-o", fine)


if __name__ == "__main__":
    main()
