"""Pictures of strings."""

import re
import shutil
import struct
import unittest
import xml.dom.minidom

from cli_case import StringCase, main, read_bytes


@unittest.skipUnless(shutil.which("gnuplot"), "gnuplot is not installed")
class Plot(StringCase):
    SUBJECTS = ("energy", "signal", "phase", "penetration", "hysteresis", "contact", "snapshots", "spectrum",
                "spectrogram")

    def size(self, name):
        raw = read_bytes(self.path(name))
        self.assertEqual(raw[:8], b"\x89PNG\r\n\x1a\n")
        self.assertGreater(len(raw), 4000)
        return struct.unpack(">II", raw[16:24])

    def texts(self, *arguments):
        self.good("plot", *arguments, "-o", "a.svg")
        shown = xml.dom.minidom.parse(self.path("a.svg"))
        return " | ".join("".join(c.data for c in t.childNodes if c.nodeType == c.TEXT_NODE)
                          for t in shown.getElementsByTagName("text"))

    def test_every_subject(self):
        for subject in self.SUBJECTS:
            self.good("plot", self.bridge, "-o", "a.png", "--what", subject)
            width, height = self.size("a.png")
            self.assertTrue(1000 <= width <= 1800 and 400 <= height <= 1400, (subject, width, height))
        for scene in (self.frets, self.two):
            for subject in self.SUBJECTS:
                if subject not in ("signal", "spectrum", "spectrogram"):  # they have no probe
                    self.good("plot", scene, "-o", "a.png", "--what", subject)
                    self.size("a.png")

    def test_snapshots(self):
        text = self.texts(self.bridge, "--what", "snapshots")
        self.assertEqual(text.count("t = "), 6)
        for part in ("wire", "bridge", "touching", "u (mm)", "x (cm)", "t = 0 ", "Bridge"):
            self.assertIn(part, text)
        text = self.texts(self.frets, "--what", "snapshots", "--times", "0,1e-3,0.0025")
        self.assertEqual(re.findall(r"t = ([\d.]+) ms", text), ["0", "0.9977", "2.494"])
        for part in ("hammer", "neck"):
            self.assertIn(part, text)
        text = self.texts(self.two, "--what", "snapshots", "--times", "0.01")
        for part in ("upper", "lower", "t = 10.02 ms", "x (m)"):
            self.assertIn(part, text)

    def test_contact_map(self):
        text = self.texts(self.bridge, "--what", "contact")
        for part in ("buzz: wire above bridge", "x along wire (cm)", "force per point (", "time (ms)"):
            self.assertIn(part, text)
        text = self.texts(self.frets, "--what", "contact")
        for part in ("frets: wire above neck, 4 points", "strike"):
            self.assertIn(part, text)

    def test_penetration(self):
        text = self.texts(self.bridge, "--what", "penetration")
        for part in ("penetration of buzz, at most", "deepest point", "eq. 23", "force of buzz"):
            self.assertIn(part, text)

    def test_added_probes_have_names(self):
        self.assertIn("wire at 0.9 L", self.texts(self.bridge, "--what", "phase"))
        for subject in ("phase", "penetration", "hysteresis"):
            self.assertNotRegex(self.texts(self.frets, "--what", subject), r"probe\d")

    def test_windows(self):
        for subject in ("contact", "penetration", "snapshots", "spectrogram"):
            self.good("plot", self.bridge, "-o", "a.png", "--what", subject, "--from", "0.01", "--to", "0.012")
            self.good("plot", self.bridge, "-o", "a.png", "--what", subject, "--duration", "5e-5")

    def test_times(self):
        def refuse(part, times, *more):
            self.bad(2, part, "plot", self.bridge, "-o", "a.png", "--what", "snapshots", "--times=" + times,
                     *more)
        for times in ("0,soon", ",", "0,,1e-3", "-1e-3", "nan", "1e-3 ", "0;1", "inf", "x" * 100):
            refuse("--times must be seconds from 0 on, separated by commas", times)
        refuse("--times needs a", "")
        refuse("--times must increase: 0.001 s comes after 0.002 s", "0,2e-3,1e-3")
        refuse("--times must increase", "1e-3,1e-3")
        refuse("is not before the end of the run", "0,0.05")
        refuse("at most 24", ",".join(str(n * 1e-3) for n in range(25)))
        refuse("leave out --from and --to", "0", "--from", "0.01")
        self.bad(2, "--times is for --what snapshots", "plot", self.bridge, "-o", "a.png", "--times", "0")
        self.bad(2, "unknown option '--times'", "render", self.bridge, "-o", "a.wav", "--times", "0")
        self.good("plot", self.bridge, "-o", "a.png", "--what", "snapshots", "--times",
                  ",".join(str(n * 1e-3) for n in range(24)))

    def test_refused(self):
        self.bad(3, "no string to show", "plot", self.bounce, "-o", "a.png", "--what", "snapshots")
        self.bad(3, "no plate to show", "plot", self.bridge, "-o", "a.png", "--what", "plate")


if __name__ == "__main__":
    main()
