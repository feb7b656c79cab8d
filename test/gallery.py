"""The gallery is one page that needs nothing else, and what it plays and draws is what the program computed.

SISTRUM is the program, SISTRUM_LIBRARY the shared library, SISTRUM_SOURCE the source folder. Needs numpy and flac."""

import base64
import html.parser
import os
import re
import subprocess
import sys
import tempfile
import unittest

from cli_case import BOUNCE, SOURCE, Case, main, read_bytes, read_text

sys.path[:0] = [os.path.join(SOURCE, "tools"), os.path.join(SOURCE, "python")]
import numpy as np  # noqa: E402
import gallery  # noqa: E402
import gallery_draw as draw  # noqa: E402
import gallery_page as page  # noqa: E402
import sistrum  # noqa: E402

# The head of a scene as instruments have it; a title that is no HTML.
TUNE = """-- Tuning fork: one mode, struck & left <alone>
-- It rings at 440 Hz and loses its energy.
--
-- Nothing else happens.
-- tuning: --set loss=0
local loss = param { "loss", 2, min = 0.1, max = 40, scale = "log", unit = "1/s", label = "how fast it <dies>" }
local fork = mass { mass = 0.1, frequency = 440, damping = loss, velocity = 1 } -- "kg"
probe { on = fork, quantity = "velocity", name = "out" }
render { rate = 44100, duration = 0.3, title = "Fork </title>" }
"""
PAIR = BOUNCE.replace('name = "u" }', 'name = "u", channel = 1 }').replace('name = "v" }', 'name = "v", channel = 2 }')
CLICK = BOUNCE.replace("duration = 0.1", "duration = 0.01")
MUTE = "mass { mass = 1, frequency = 50, position = 1 }\nrender { duration = 0.1 }\n"
VOID = {"meta", "link", "img", "path", "br"}


class Reader(html.parser.HTMLParser):
    """Tags must close in order; collects what the page refers to, its articles and its scenes."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.links, self.ids, self.sources, self.texts = [], [], [], [], {}
        self.sounds, self.pictures = {}, {}

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.links += [given[k] for k in ("src", "href") if k in given]
        if tag == "article":
            self.ids.append(given["id"])
        if tag == "audio":
            self.sounds[self.ids[-1]] = given["src"]
        if tag == "img":
            self.pictures[self.ids[-1]] = given["src"]
        if tag == "pre":
            self.sources.append("")
        if tag not in VOID:
            self.open.append(tag)

    handle_startendtag = handle_starttag

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        assert self.open and self.open[-1] == tag, (tag, self.open)
        self.open.pop()

    def handle_data(self, data):
        if "pre" in self.open:
            self.sources[-1] += data
        elif self.ids:
            self.texts[self.ids[-1]] = self.texts.get(self.ids[-1], "") + data + " "


def payload(address):
    return base64.b64decode(address.split(",", 1)[1], validate=True)


class Gallery(Case):
    def setUp(self):
        super().setUp()
        self.fork = self.scene("fork.lua", TUNE)
        self.pair = self.scene("pair.lua", PAIR)

    def build(self, *arguments, code=0):
        done = subprocess.run([sys.executable, os.path.join(SOURCE, "tools", "gallery.py"), *arguments,
                               "-o", self.path("page.html")], capture_output=True, text=True, cwd=self.folder)
        self.assertEqual(done.returncode, code, done.stderr + done.stdout)
        return done

    def read(self):
        reader = Reader()
        reader.feed(read_text(self.path("page.html")))
        reader.close()
        self.assertEqual(reader.open, [])
        return reader

    def test_the_page_needs_nothing_else_and_plays_what_the_program_renders(self):
        self.build(self.fork, self.pair)
        text, reader = read_text(self.path("page.html")), self.read()
        self.assertEqual(reader.ids, ["fork", "pair"])
        for link in reader.links:
            self.assertTrue(link.startswith(("data:", "#")), link[:60])
            if link.startswith("#"):
                self.assertIn(link[1:], reader.ids)
        self.assertNotIn("://", re.sub(r'"data:[^"]*"', "", text))
        self.assertNotIn(self.folder, text)
        self.assertEqual([s.rstrip() for s in reader.sources], [TUNE.rstrip(), PAIR.rstrip()])
        about = reader.texts["fork"]
        for part in ("Tuning fork", "One mode, struck & left <alone>", "Nothing else happens.", "how fast it <dies>", "real time"):
            self.assertIn(part, about)
        self.assertNotIn("--set loss=0", about, "a line for programs is not prose")
        self.assertEqual(self.new_files(), ["fork.lua", "page.html", "pair.lua"])
        self.sounds_are_those_of_the_program(reader)
        first = dict(reader.sounds)
        self.build(self.fork, self.pair, "--threads", "1")
        self.assertEqual(self.read().sounds, first, "the same scene gives the same bytes")

    def sounds_are_those_of_the_program(self, reader):
        for name, channels in (("fork", 1), ("pair", 2)):
            self.good("render", self.path(name + ".lua"), "-o", self.path("o.wav"), "--quiet")
            rate, sound = draw.read_wav(self.path("o.wav"))
            heard = subprocess.run(["flac", "--silent", "--decode", "--stdout", "--force-raw-format", "--endian=little",
                                    "--sign=signed", "-"], input=payload(reader.sounds[name]), capture_output=True, check=True)
            heard = np.frombuffer(heard.stdout, "<i2").reshape(-1, channels)
            self.assertEqual(heard.shape, sound.shape)
            self.assertAlmostEqual(np.abs(heard).max(), 10 ** (-1 / 20) * 32767, delta=1)
            scaled = sound * (np.abs(heard).max() / np.abs(sound).max())
            self.assertLess(np.abs(heard - scaled).max(), 1.01)

    def test_a_bad_scene_is_named_and_fails_and_what_cannot_be_heard_is_told(self):
        done = self.build(self.scene("wrong.lua", "-- A slip\nmass { mas = 1 }"), self.scene("click.lua", CLICK),
                          self.path("none.lua"), self.scene("mute.lua", MUTE), code=1)
        self.assertIn("2 of 4 scenes failed: wrong, none", done.stderr)
        reader = self.read()
        self.assertEqual(reader.ids, ["wrong", "click", "none", "mute"])
        self.assertIn("It failed: wrong.lua:2: mass: unknown key 'mas'", reader.texts["wrong"])
        self.assertEqual(reader.sounds, {})
        self.assertIn("Too short to hear", reader.texts["click"])
        self.assertIn("It has no sound", reader.texts["mute"])

    def test_refusals(self):
        self.fork = self.scene("fork.lua", CLICK)
        self.assertIn("more than --limit 0.01", self.build(self.fork, "--limit", "0.01", code=1).stderr)
        self.assertIn("--threads is 0", self.build(self.fork, "--threads", "0", code=2).stderr)
        os.remove(self.path("page.html"))
        os.mkdir(self.path("page.html"))
        self.assertIn("cannot write", self.build(self.fork, code=1).stderr)
        self.assertEqual(self.new_files(), ["fork.lua", "page.html", "pair.lua"])


class Drawing(unittest.TestCase):
    def test_a_tone_is_brightest_at_its_pitch_and_time(self):
        rate, t = 44100, np.arange(44100) / 44100
        for f in (60.0, 440.0, 5000.0):
            sound = (np.sin(2 * np.pi * f * t) * (t > 0.5))[:, None]
            level = draw.spectrogram(sound, rate, columns=160)
            row = level[:, 140].argmax()
            found = draw.HIGH * (draw.LOW / draw.HIGH) ** (row / (draw.ROWS - 1))
            self.assertLess(abs(np.log2(found / f)), 0.1, f)
            self.assertLess(level[:, :60].max(), -60, "nothing before it begins")

    def test_other_sizes_and_rates(self):
        for rate, count in ((96000, 10000), (8000, 500), (44100, 3000)):
            sound = np.random.default_rng(1).normal(size=(count, 2))
            level = draw.spectrogram(sound, rate, columns=100)
            self.assertEqual(level.shape, (draw.ROWS, 100))
            self.assertTrue(np.isfinite(level).all())
        self.assertLess(draw.spectrogram(np.zeros((5000, 1)), 44100).max(), -100)

    def test_the_png_is_one(self):
        raw = draw.png(np.tile(np.arange(48, dtype=np.uint8), (4, 1)))
        self.assertEqual(raw[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual((int.from_bytes(raw[16:20], "big"), int.from_bytes(raw[20:24], "big")), (48, 4))

    def test_no_peak_is_lost(self):
        signal = np.zeros(100000)
        signal[54321], signal[7] = 1, -0.5
        low, high = draw.outline(signal)
        self.assertEqual((high.max(), low.min(), len(low)), (1, -0.5, draw.WIDTH))
        self.assertEqual(len(draw.outline(np.ones(5))[0]), 5)

    def test_means_of_energies_keep_the_balance(self):
        for duration in (0.02, 0.6):
            system = sistrum.parse(BOUNCE).compile()
            means = gallery.energies(system, round(duration * system.rate))
            held = sum(means[k] for k in draw.STACK)
            given = means["total"][0] + means["dissipated"][0] - means["supplied"][0] + means["supplied"]
            self.assertGreater(means["dissipated"][-1], 0)
            np.testing.assert_allclose(held, given, rtol=1e-12)
            self.assertGreaterEqual(len(held), 399)
            self.assertLess(len(held), 900)

    def test_silence_between_channels_and_rare_numbers(self):
        with tempfile.TemporaryDirectory() as folder:
            for sound in (np.full((9000, 1), 1e-42), np.random.default_rng(2).normal(size=(9000, 5)) * 1e30):
                raw = gallery.flac(sound, 44100, folder)
                back = subprocess.run(["flac", "--silent", "-dc", "--force-raw-format", "--endian=little", "--sign=signed", "-"],
                                      input=raw, capture_output=True, check=True).stdout
                back = np.frombuffer(back, "<i2").reshape(9000, -1)
                self.assertEqual((back.shape[1], np.abs(back).max()), (min(2, sound.shape[1]), 29204))

    def test_resampling_keeps_tone_and_length(self):
        t = np.arange(200000) / 200000
        sound = np.sin(2 * np.pi * 1000 * t)[:, None]
        other = gallery.resample(sound, 200000, 48000)
        self.assertEqual(other.shape, (48000, 1))
        exact = np.sin(2 * np.pi * 1000 * np.arange(48000) / 48000)
        self.assertLess(np.abs(other[2000:-2000, 0] - exact[2000:-2000]).max(), 1e-2)


class Words(unittest.TestCase):
    def test_instruments_come_first(self):
        def exhibit(name, knobs, failure=""):
            e = page.Exhibit(name)
            e.params = [sistrum.Param("k%d" % i, "", "", 1, 1, 0, 2, "linear") for i in range(knobs)]
            e.sound, e.failure = b"" if failure else b"fLaC", failure
            e.report = {"duration": 1, "rate": 8000, "oversample": 1, "contacts": [], "bodies": [],
                        "speed": {"seconds": 1, "realtime_factor": 1}, "energy": {"residual_max": 0}}
            return e
        rough = exhibit("rk4", 0)
        rough.report = {**rough.report, "energy": {"residual_max": 0.07}}
        self.assertIn("In every one of them", page.summary([exhibit("a", 0)]))
        self.assertIn("In 1 of them", page.summary([exhibit("a", 0), rough]))
        self.assertIn("1 uses integrators that do not promise it", page.summary([exhibit("a", 0), rough]))
        text = page.build([exhibit("paper/fig", 5), exhibit("a", 0), exhibit("z", 3), exhibit("b", 4, "no"), exhibit("z", 2)], "1")
        self.assertEqual(re.findall(r'<article id="([^"]*)"', text), ["z", "z-2", "a", "b", "paper-fig"])
        self.assertEqual(re.findall(r"<h3>([^<]*)", text), ["Instruments", "Studies in a few lines", "Scenes of the papers"])

    def test_head_of_a_scene(self):
        for text, expected in [
                ("-- Clavichord: a tangent stays\n-- The key.\nmass", ("Clavichord", "A tangent stays", ["The key."])),
                ("-- A marble falls: Hunt and\n-- Crossley.\n", ("X", "A marble falls", ["Hunt and Crossley."])),
                ("-- X: five balls, almost touching. They swing;\n-- again.\n", ("X", "Five balls, almost touching",
                                                                            ["They swing; again."])),
                ("mass {}", ("X", "", []))]:
            self.assertEqual(gallery.describe("x", "X", text), expected)
        self.assertEqual(gallery.describe("a_b", "", "")[0], "A b")

    def test_numbers(self):
        self.assertEqual(page.number(5e6), "5·10<sup>6</sup>")
        self.assertEqual(page.number(1e-5), "10<sup>−5</sup>")
        self.assertEqual((page.number(0.04), page.number(0), page.number(float("inf"))), ("0.04", "0", "∞"))
        self.assertEqual((page.with_unit(3.2e-3, "J"), page.with_unit(0, "J"), page.with_unit(1e3, "N")),
                         ("3.2 mJ", "0 J", "1 kN"))
        self.assertEqual(page.unit_html("N/m^(alpha+1)"), "N/m<sup>α+1</sup>")

    def test_highlighting_changes_no_character(self):
        for text in (TUNE, 'x = "a\\"b" -- c\n--[[ long\n]] y = 0x1F + .5e-3 < 2', "'", "--[==[ never closed"):
            self.assertEqual(html.unescape(re.sub(r"<[^>]*>", "", page.lua(text))), text)


if __name__ == "__main__":
    main()
