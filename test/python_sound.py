"""Renderings as sound and on a page: WAV and FLAC with the bytes of the program, players and pictures that are valid."""

import base64
import os
import pickle
import re
import shutil
import subprocess
import sys
import unittest
import xml.dom.minidom
from unittest import mock

from python_case import BOUNCE, Case, HAND, NETWORK, SANITIZED, STRINGS, main, np, sistrum

STEREO = BOUNCE + """
probe { on = m, channel = 3, gain = 0.25, name = "third" }
probe { on = m, quantity = "velocity", channel = 1, gain = -0.5, name = "first" }
"""


def read(path):
    with open(path, "rb") as f:
        return f.read()


class Bytes(Case):
    def same(self, text, arguments, how, asked, ending=".wav"):
        scene = self.scene("s.lua", text)
        theirs, ours = self.path("theirs" + ending), self.path("ours" + ending)
        self.good("render", scene, "-o", theirs, "--quiet", *arguments)
        run = sistrum.load(scene).render(**how)
        level = run.wav(ours, **asked)
        self.assertEqual(read(theirs), read(ours))
        self.assertEqual(len(read(ours)) > 44, True)
        return run, level

    def test_bits_normalising_and_gain(self):
        titled = BOUNCE.replace("render {", "render { normalise = true,")
        for text in (titled, STEREO, NETWORK):
            for arguments, asked in (([], {}), (["--bits", "16"], {"bits": 16}), (["--bits", "24", "--gain", "-6"], {"bits": 24, "gain": -6}),
                                     (["--normalise", "on", "--gain", "3.5"], {"normalise": True, "gain": 3.5}),
                                     (["--normalise", "on", "--bits", "16"], {"normalise": True, "bits": "16"}),
                                     (["--normalise", "off", "--bits", "32f"], {"normalise": False, "bits": "32f"})):
                with self.subTest(arguments):
                    self.same(text, arguments, {}, asked)

    def test_oversampled_runs_are_filtered_as_the_program_does(self):
        for text in (BOUNCE, STEREO, HAND):
            for n in (2, 3, 8):
                run, _ = self.same(text, ["--oversample", str(n), "--duration", "0.03"], {"oversample": n, "duration": 0.03}, {})
                self.assertEqual(run.sound.shape, (len(run), run.channels))
        curve = [(0, 0.1), (0.013, 0.7)]
        file = self.scene("x.csv", "".join("%r,%r\n" % p for p in curve))
        self.same(HAND, ["--oversample", "4", "--input", "x=" + file], {"oversample": 4, "inputs": {"x": curve}}, {})
        self.same(STRINGS, ["--oversample", "2", "--duration", "0.02", "--rate", "48000", "--bits", "16"],
                  {"oversample": 2, "duration": 0.02, "rate": 48000, "threads": 2, "energy": True}, {"bits": 16})

    def test_flac(self):
        self.same(BOUNCE, [], {}, {}, ".flac")
        self.same(BOUNCE, ["--bits", "16", "--normalise", "on"], {}, {"bits": 16, "normalise": True}, ".flac")

    def test_shipped_scenes(self):
        for name in ("tanpura", "sitar"):
            theirs, ours = self.path("t.wav"), self.path("o.wav")
            self.good("render", name, "-o", theirs, "--duration", "0.3", "--quiet")
            level = sistrum.load(name).render(0.3).wav(ours)
            self.assertEqual(read(theirs), read(ours))
            self.assertLessEqual(level.peak, 1)

    def test_level(self):
        run = sistrum.parse(BOUNCE).render()
        level = run.wav(self.path("a.wav"), normalise=True)
        self.assertEqual(level.raw_peak, np.abs(run.sound).max())
        self.assertAlmostEqual(level.peak, 10 ** (-1 / 20))
        self.assertEqual(run.wav(self.path("a.wav"), normalise=False).gain, 1)
        self.assertGreater(run.wav(self.path("a.wav"), bits=16, normalise=True, gain=20).clipped, 0)

    def test_what_cannot_be_written(self):
        run = sistrum.parse(BOUNCE).render(0.01)
        for error, said, path, asked in (
                (sistrum.SettingError, "bits is 16, 24 or '32f', not 8", "a.wav", {"bits": 8}),
                (sistrum.SettingError, "gain is 999", "a.wav", {"gain": 999}), (sistrum.SettingError, "gain is nan", "a.wav", {"gain": float("nan")}),
                (sistrum.SettingError, "FLAC file holds whole numbers", "a.flac", {"bits": "32f"}),
                (sistrum.SettingError, r"sounds are \.wav and \.flac files, not 'a\.ogg'", "a.ogg", {}),
                (TypeError, "normalise is True, False or None", "a.wav", {"normalise": "on"}),
                (FileNotFoundError, "", "none/a.wav", {})):
            with self.subTest(said), self.assertRaisesRegex(error, said):
                run.wav(self.path(path), **asked)
        for write in (run.wav, lambda path: run.plot(path[:-4] + ".svg"), run.state.save):  # the name that was asked for, and no other
            with self.assertRaises(FileNotFoundError) as caught:
                write(self.path("none/a.wav"))
            self.assertEqual(os.path.splitext(caught.exception.filename)[0], self.path("none/a"))
        run.wav(os.fsencode(self.path("bytes.wav")))
        run.wav(self.path("text.wav"))
        self.assertEqual(read(self.path("bytes.wav")), read(self.path("text.wav")))
        silent = sistrum.parse("mass { mass = 1 } render { duration = 0.1 }").render()
        with self.assertRaisesRegex(sistrum.SceneError, "no sound: no probe has a channel"):
            silent.wav(self.path("a.wav"))
        with self.assertRaisesRegex(sistrum.SceneError, "no sound"):
            silent.sound
        with open(self.path("a.wav"), "wb") as f:
            f.write(b"before")
        with self.assertRaisesRegex(sistrum.RunError, "beyond what a 32-bit float can hold"):
            run._sound = np.full((len(run), 1), 1e200)  # no scene may be so loud
            run.wav(self.path("a.wav"), normalise=False)
        self.assertEqual(read(self.path("a.wav")), b"before")
        self.assertEqual([n for n in os.listdir(self.folder) if n.startswith(".")], [])
        slow = sistrum.parse("probe { on = mass { mass = 1, position = 1 } }").render(10, rate=0.5)
        with self.assertRaisesRegex(sistrum.SettingError, "a sound file cannot have a rate of 0.5 Hz"):
            slow.wav(self.path("a.wav"))


class Pages(Case):
    def test_a_player_the_waveform_and_the_energy(self):
        run = sistrum.parse(BOUNCE).render(energy=True)
        page = run._repr_html_()
        data = base64.b64decode(re.search(r'src="data:audio/wav;base64,([^"]*)"', page).group(1))
        run.wav(self.path("a.wav"), bits=16, normalise=True)
        self.assertEqual(data, read(self.path("a.wav")))
        xml.dom.minidom.parseString(page.replace("<audio controls", '<audio controls=""'))
        svg = re.search(r"<svg.*</svg>", page, re.S).group(0)
        for name in ("u", "v", "total", "dissipated"):
            self.assertIn(">%s</text>" % name, svg)
        self.assertNotIn("NaN", svg + page)
        self.assertIn("currentColor", svg)
        self.assertNotRegex(svg, "black|white|#fff|#000|background")
        self.assertIn("energy balance closed to", page)

    def test_names_are_escaped(self):
        evil = '<script>alert("1")</script>&'
        text = BOUNCE.replace('title = "Bounce"', "title = '%s'" % evil) + "probe { on = m, name = '%s' }" % evil
        scene = sistrum.parse(text, name=evil)
        self.assertEqual(scene.title, evil)
        for page in (scene.render(0.01, energy=True)._repr_html_(), scene._repr_html_(), scene.render(0.01).plot(what="all")
                     if not has_matplotlib() else ""):
            self.assertNotIn("<script", page)
            self.assertNotIn('"1"', page)

    def test_what_is_not_played_is_said(self):
        for text, how, said in (("mass { mass = 1 } render { duration = 0.1 }", {}, "No probe has a channel"),
                                ("probe { on = mass { mass = 1, position = 1 } }", {"rate": 100, "duration": 1}, "Browsers do not play 100 samples a second")):
            page = sistrum.parse(text).render(**how)._repr_html_()
            self.assertIn(said, page)
            self.assertNotIn("<audio", page)
        with mock.patch("sistrum.show.PLAYER_BYTES", 1000):
            self.assertIn("are too much for a page", sistrum.parse(BOUNCE).render()._repr_html_())

    def test_short_long_and_strange_runs_are_drawn(self):
        for how in ({"duration": 3e-5}, {"duration": 1e-3}, {"duration": 0.2}, {"energy": True, "oversample": 5, "duration": 0.05}):
            page = sistrum.parse(BOUNCE).render(**how)._repr_html_()
            xml.dom.minidom.parseString(re.search(r"<svg.*</svg>", page, re.S).group(0))
        still = sistrum.parse("probe { on = mass { mass = 1 } } render { duration = 0.01 }").render(energy=True)
        self.assertNotRegex(still._repr_html_(), "[Nn]a[Nn]\\b|inf\\b")

    def test_pictures_without_matplotlib(self):
        run = sistrum.parse(BOUNCE).render(0.01, energy=True)
        with mock.patch.dict("sys.modules", {"matplotlib": None, "matplotlib.figure": None}):
            self.assertTrue(run.plot().startswith("<svg"))
            run.plot(self.path("a.svg"), what="energy")
            xml.dom.minidom.parse(self.path("a.svg"))
            with self.assertRaisesRegex(sistrum.SettingError, "need matplotlib, which is not there: apt install"):
                run.plot(self.path("a.png"))
        for error, call in (("what is", lambda: run.plot(what="sound")), ("pictures are", lambda: run.plot(self.path("a.gif"))),
                            ("energy=True", lambda: sistrum.parse(BOUNCE).render(0.01).plot(what="energy"))):
            with self.assertRaisesRegex(sistrum.SettingError, error):
                call()
        self.assertEqual(sorted(n for n in os.listdir(self.folder) if n.startswith("a")), ["a.svg"])

    def test_pictures_with_matplotlib(self):
        if not has_matplotlib():
            self.skipTest("no matplotlib")
        run = sistrum.parse(BOUNCE.replace('title = "Bounce"', 'title = "$x^"')).render(0.01, energy=True)
        figure = run.plot(self.path("a.png"))
        self.assertEqual(read(self.path("a.png"))[:8], b"\x89PNG\r\n\x1a\n")
        self.assertGreaterEqual(len(figure.axes), 2)
        named = sistrum.parse("probe { on = mass { mass = 1, velocity = 1 }, name = '$no{$ formula' } render { duration = 0.1 }").render()
        named.plot(self.path("b.png"))
        self.assertEqual(figure._repr_png_()[:8], b"\x89PNG\r\n\x1a\n")  # Jupyter shows it, with pyplot or without
        self.assertEqual(len(pickle.loads(pickle.dumps(figure)).axes), len(figure.axes))
        run.plot(self.path("a.pdf"), what="signal")
        self.assertEqual(read(self.path("a.pdf"))[:5], b"%PDF-")

    def test_lines_that_have_no_room_are_counted(self):
        probes = "".join("probe { on = m, name = 'p%d' } " % i for i in range(7))
        run = sistrum.parse("local m = mass { mass = 1, velocity = 1 } %s render { duration = 0.01 }" % probes).render()
        self.assertIn(">and 2 more<", run._repr_html_())
        self.assertNotIn("more<", sistrum.parse(BOUNCE).render(0.01, energy=True)._repr_html_())
        if has_matplotlib():
            self.assertEqual([line.get_label() for line in run.plot().axes[0].lines][-2:], ["p4", "and 2 more"])

    def test_a_figure_of_a_long_run_is_drawn_soon_and_looks_the_same(self):
        """The lowest and the highest value of every part are in it, where they are."""
        if not has_matplotlib():
            self.skipTest("no matplotlib")
        run = sistrum.parse("probe { on = mass { mass = 1, position = 1, frequency = 100, damping = 0.2 } } render { rate = 48000 }").render(20)
        rows, data = run.plot(what="signal").axes[0].lines[0].get_xydata(), run.data[:, 0]
        self.assertLess(len(rows), len(data) // 10)
        self.assertTrue((rows[:, 1] == data[np.round(rows[:, 0] * 48000).astype(int)]).all())
        for start in range(0, len(data), len(data) // 100):
            part = slice(start, start + len(data) // 100)
            inside = rows[(rows[:, 0] * 48000 >= part.start - 0.5) & (rows[:, 0] * 48000 < part.stop - 0.5), 1]
            self.assertAlmostEqual(np.ptp(inside), np.ptp(data[part]), delta=0.02 * np.ptp(data))
        self.assertEqual((rows[:, 1].min(), rows[:, 1].max()), (data.min(), data.max()))


def has_matplotlib():
    try:
        import matplotlib.figure
    except ImportError:
        return False
    return bool(matplotlib.figure)


@unittest.skipIf(SANITIZED or not shutil.which("readelf"), "needs a plain build")
class Late(Case):
    def test_a_missing_libsndfile_is_one_sentence(self):
        """Only FLAC needs it: a program that finds none still writes WAV."""
        program = "import sistrum, sys\nrun = sistrum.parse(sys.argv[1]).render(0.01)\nrun.wav('a.wav')\n" \
                  "try:\n    run.wav('a.flac')\nexcept sistrum.RunError as why:\n    print(why)"
        source = self.path("no.c")
        with open(source, "w", encoding="ascii") as f:
            f.write("#define _GNU_SOURCE\n#include <dlfcn.h>\n#include <string.h>\nvoid* dlopen(const char* name, int how) {\n"
                    "if (name && strstr(name, \"sndfile\")) return 0;\n"
                    "void* (*real)(const char*, int); *(void**)&real = dlsym(RTLD_NEXT, \"dlopen\"); return real(name, how); }\n")
        subprocess.run(["cc", "-shared", "-fPIC", "-o", self.path("no.so"), source], check=True)
        done = subprocess.run([sys.executable, "-c", program, BOUNCE], capture_output=True, text=True, cwd=self.folder, check=True,
                              env={**os.environ, "PYTHONPATH": os.path.dirname(os.path.dirname(sistrum.__file__)),
                                   "LD_PRELOAD": self.path("no.so")})
        self.assertIn("FLAC needs libsndfile, which is not installed", done.stdout)
        self.assertTrue(os.path.exists(self.path("a.wav")))
        self.assertFalse(os.path.exists(self.path("a.flac")))


if __name__ == "__main__":
    main()
