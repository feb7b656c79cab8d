"""What check prints, and pictures."""

import os
import shutil
import unittest
import xml.dom.minidom

from cli_case import Case, IMPACT, main, read_bytes, read_text


class Check(Case):
    def test_text(self):
        text = self.good("check", self.bounce, "--set", "K=1e8").stdout.decode()
        for part in ("Bounce", "44100 Hz", "4410 samples", "ball", "200 Hz", "stable", "hit", "ledger",
                     "m/N", "spring1", "channel 1", "data only", "K = 1e+08 N/m^alpha",
                     "1000 to 1e+11", "hardness", "memory", "times real time"):
            self.assertIn(part, text)
        self.assertEqual(self.new_files(), [])
        self.assertNotRegex(text, r" +\n")

    def test_contacts_are_judged(self):
        self.assertIn("not resolved", self.good("check", self.bounce, "--set",
                                                "K=1e11").stdout.decode())
        text = self.good("check", self.bounce, "--set", "K=1e5").stdout.decode()
        self.assertRegex(text, r"closed \d+ times? in the first .*: resolved")
        apart = self.scene("apart.lua", """
            local m = mass { mass = 1, velocity = 1 }
            contact { above = m, below = barrier { height = -1 }, K = 1e6, alpha = 1 }""")
        self.assertIn("open during", self.good("check", apart).stdout.decode())

    def test_options(self):
        text = self.good("check", self.bounce, "--rate", "96000", "--duration", "2", "--oversample",
                         "2", "--scheme", "newton").stdout.decode()
        self.assertIn("2 s at 96000 Hz, 192000 samples, 2 steps each (192000 Hz)", text)
        self.assertIn("newton", text)
        self.bad(2, "unknown option '--json'", "check", self.bounce, "--json", "-")


@unittest.skipUnless(shutil.which("gnuplot"), "gnuplot is not installed")
class Plot(Case):
    SUBJECTS = ("energy", "signal", "phase", "penetration", "hysteresis", "contact", "spectrum", "spectrogram")

    def test_subjects_and_formats(self):
        for subject in self.SUBJECTS:
            for ending, magic in ((".png", b"\x89PNG\r\n\x1a\n"), (".svg", b"<?xml"), (".pdf", b"%PDF")):
                name = subject + ending
                done = self.good("plot", self.bounce, "-o", name, "--what", subject)
                self.assertEqual(done.stdout + done.stderr, b"")
                raw = read_bytes(self.path(name))
                self.assertTrue(raw.startswith(magic), name)
                self.assertGreater(len(raw), 4000)
                if ending == ".svg":
                    xml.dom.minidom.parseString(raw)
                    self.assertIn(b"Bounce", raw)
                if ending == ".png":
                    self.assertEqual(raw[-8:-4], b"IEND")
        self.assertEqual(len(self.new_files()), 3 * len(self.SUBJECTS))

    def test_energy_is_the_default(self):
        self.good("plot", self.bounce, "-o", "a.svg")
        text = read_text(self.path("a.svg"))
        for part in ("energy balance", "kinetic", "contact", "dissipated", "of what flowed", "time (ms)"):
            self.assertIn(part, text)

    def test_long_runs_draw_small_pictures(self):
        for subject in self.SUBJECTS:
            self.good("plot", self.bounce, "-o", "a.svg", "--what", subject, "--duration", "5")
            self.assertLess(os.path.getsize(self.path("a.svg")), 4000000, subject)

    def test_window(self):
        for subject in self.SUBJECTS:
            self.good("plot", self.bounce, "-o", "a.png", "--what", subject, "--from", "0.02", "--to",
                      "0.03")
        self.good("plot", self.bounce, "-o", "a.png", "--what", "signal", "--from", "0.05", "--to",
                  "0.05001")
        os.remove(self.path("a.png"))
        self.bad(2, "--from 0.5 s is not before the end", "plot", self.bounce, "-o", "a.png", "--from",
                 "0.5")
        self.bad(2, "must be before --to", "plot", self.bounce, "-o", "a.png", "--from", "0.05", "--to",
                 "0.01")
        self.bad(2, "--to must be", "plot", self.bounce, "-o", "a.png", "--to", "soon")

    def test_rest_and_single_samples(self):
        rest = self.scene("rest.lua", """
            local m = mass { mass = 1 }
            local c = contact { above = m, below = barrier { height = -1 }, K = 1e6, alpha = 1 }
            probe { on = m }
            probe { on = c, quantity = "penetration" }
            render { duration = 0.01 }""")
        for subject in self.SUBJECTS:
            self.good("plot", rest, "-o", "a.png", "--what", subject)
            self.good("plot", rest, "-o", "a.png", "--what", subject, "--duration", "1")
            self.good("plot", rest, "-o", "a.png", "--what", subject, "--duration", "2e-5")
        self.good("plot", rest, "-o", "a.svg", "--what", "hysteresis")
        self.assertIn("open all the time", read_text(self.path("a.svg")))

    def test_hysteresis(self):
        loss = self.scene("loss.lua", IMPACT)
        for scheme in ("ledger", "quadratised", "verlet", "invariant"):
            self.good("plot", loss, "-o", "h.svg", "--what", "hysteresis", "--scheme", scheme)
            text = read_text(self.path("h.svg"))
            for part in ("hit", "penetration (", "force (N)", "time (", "hysteresis, 44100 Hz"):
                self.assertIn(part, text)
        self.keep("loss.lua", "h.svg")
        self.bad(3, "no contact", "plot", self.tone, "-o", "a.png", "--what", "hysteresis")

    def texts(self, *arguments):
        self.good("plot", *arguments, "-o", "t.svg")
        shown = xml.dom.minidom.parse(self.path("t.svg"))
        return ["".join(c.data for c in t.childNodes if c.nodeType == c.TEXT_NODE)
                for t in shown.getElementsByTagName("text")]

    def test_spectrum_names_its_peaks(self):
        chord = self.scene("chord.lua", """
            probe { on = mass { mass = 1, frequency = 440, position = 2e-3, name = "a" }, name = "out" }
            render { rate = RATE, duration = 3, oversample = 2 }""".replace("RATE", "32000"))
        for more in ([], ["--axis", "linear", "--rate", "44100"], ["--window", "0.5"],
                     ["--from", "1", "--to", "2.5"]):
            texts = self.texts(chord, "--what", "spectrum", *more)
            found = [t for t in texts if t.endswith("A4 +0")]
            self.assertEqual(len(found), 1, texts)
            self.assertAlmostEqual(float(found[0].split()[0]), 440, delta=0.06)
            self.assertIn("0 dB is 2 mm", "|".join(texts))
            self.assertIn("frequency (Hz)", texts)
        self.assertTrue(any(t.endswith("A4 -8") for t in self.texts(chord, "--what", "spectrum", "--a4", "442")))
        self.assertIn("spectrum, a window of 3 s, 32000 Hz × 2",
                      self.texts(chord, "--what", "spectrum", "--window", "3"))
        self.assertIn("spectrum, mean of 5 windows of 1 s, 32000 Hz × 2", self.texts(chord, "--what", "spectrum"))

    def test_windows_of_spectra(self):
        self.assertIn("spectrogram, windows of 20 ms, 44100 Hz",
                      self.texts(self.tone, "--what", "spectrogram", "--window", "0.02"))
        os.remove(self.path("t.svg"))
        for subject in ("spectrum", "spectrogram"):
            for window, part in (("0", "longer than 0 s"), ("-1", "--window must be"),
                                 ("1e-4", "16 samples at 44100 Hz"), ("1.1", "longer than the 1 s that are shown"),
                                 ("long", "--window must be")):
                self.bad(2, part, "plot", self.tone, "-o", "a.png", "--what", subject, "--window", window)
            self.bad(2, "are the most", "plot", self.tone, "-o", "a.png", "--what", subject, "--duration", "20",
                     "--window", "15")
        self.bad(2, "not for --what signal", "plot", self.tone, "-o", "a.png", "--what", "signal", "--window", "1")
        self.bad(2, "not for --what spectrogram", "plot", self.tone, "-o", "a.png", "--what", "spectrogram",
                 "--axis", "log")
        self.bad(2, "log or linear", "plot", self.tone, "-o", "a.png", "--what", "spectrum", "--axis", "cubic")
        mute = self.scene("mute.lua", "mass { mass = 1, velocity = 1 }")
        self.keep("mute.lua")
        self.bad(3, "no probe", "plot", mute, "-o", "a.png", "--what", "spectrum")

    def test_names_are_only_names(self):
        names = ["it's", 'a"b', "_under^score_", "@at", "\\\\back", "{brace}", "`touch PWNED`", "$x",
                 "%s%n", "<&>", "ünï", "#no comment", "; system('touch PWNED')"]
        text = "".join("probe { on = mass { mass = 1, frequency = 100, position = 1, name = [[%s]] } }\n"
                       % name.replace("\\\\", "\\") for name in names)
        scene = self.scene("evil.lua", text + "render { duration = 0.01, title = [[" +
                           " ".join(names).replace("\\\\", "\\") + "]] }\n")
        self.keep("evil.lua")
        for subject in ("signal", "phase", "energy", "spectrum"):
            self.good("plot", scene, "-o", "e.svg", "--what", subject)
            shown = xml.dom.minidom.parse(self.path("e.svg"))
            texts = ["".join(c.data for c in t.childNodes if c.nodeType == c.TEXT_NODE)
                     for t in shown.getElementsByTagName("text")]
            self.assertIn(" ".join(names).replace("\\\\", "\\"), texts)
        self.assertEqual(self.new_files(), ["e.svg"])

    def test_refused(self):
        self.bad(2, ".png, .svg or .pdf", "plot", self.bounce, "-o", "a.jpg")
        self.bad(2, ".png, .svg or .pdf", "plot", self.bounce, "-o", "-")
        self.bad(2, "needs an output", "plot", self.bounce)
        self.bad(2, "did you mean 'signal'", "plot", self.bounce, "-o", "a.png", "--what", "signl")
        text = self.bad(2, "unknown subject 'xyz'", "plot", self.bounce, "-o", "a.png", "--what", "xyz")
        self.assertIn("energy, signal", text)
        self.bad(3, "nowhere.lua", "plot", "nowhere.lua", "-o", "a.png")
        self.bad(1, "no such directory", "plot", self.bounce, "-o", "none/a.png")

    def test_gnuplot_missing(self):
        self.bad(1, "gnuplot is not installed: apt install gnuplot-nox", "plot", self.bounce, "-o",
                 "a.png", env={"PATH": ""})

    def test_gnuplot_broken(self):
        fake = self.path("gnuplot")
        with open(fake, "w") as f:
            f.write("#!/bin/sh\necho 'line 1: font trouble' >&2\nexit 3\n")
        os.chmod(fake, 0o755)
        self.keep("gnuplot")
        self.bad(1, "font trouble", "plot", self.bounce, "-o", "a.png",
                 env={"PATH": self.folder + ":/usr/bin:/bin"})


if __name__ == "__main__":
    main()
