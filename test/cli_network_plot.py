"""Pictures of plates, modal bodies and bows."""

import re
import shutil
import struct
import unittest
import xml.dom.minidom

from cli_case import NetworkCase, main, read_bytes


@unittest.skipUnless(shutil.which("gnuplot"), "gnuplot is not installed")
class Plot(NetworkCase):
    SUBJECTS = ("energy", "signal", "phase", "penetration", "hysteresis", "contact", "snapshots", "plate", "bow",
                "spectrum", "spectrogram")

    def texts(self, *arguments):
        self.good("plot", *arguments, "-o", "a.svg")
        shown = xml.dom.minidom.parse(self.path("a.svg"))
        return " | ".join("".join(c.data for c in t.childNodes if c.nodeType == c.TEXT_NODE)
                          for t in shown.getElementsByTagName("text"))

    def size(self, name):
        raw = read_bytes(self.path(name))
        self.assertEqual(raw[:8], b"\x89PNG\r\n\x1a\n")
        return struct.unpack(">II", raw[16:24])

    def test_every_subject(self):
        for subject in self.SUBJECTS:
            self.good("plot", self.network, "-o", "a.png", "--what", subject)
            width, height = self.size("a.png")
            self.assertTrue(900 <= width <= 1800 and 380 <= height <= 1500, (subject, width, height))

    def test_formats(self):
        for subject in ("plate", "bow"):
            self.good("plot", self.network, "-o", "a.pdf", "--what", subject)
            self.assertTrue(read_bytes(self.path("a.pdf")).startswith(b"%PDF"))

    def test_plate(self):
        text = self.texts(self.network, "--what", "plate")
        self.assertEqual(text.count("t = "), 6)
        for part in ("board: 400 mm × 200 mm, edges supported", "displacement u (", "x (cm)", "y (cm)", "rattle",
                     "post", "contact, ", "spring"):
            self.assertIn(part, text)
        text = self.texts(self.network, "--what", "plate", "--times", "0,1e-3,0.0025")
        self.assertEqual(re.findall(r"t = ([\d.]+) ms", text), ["0", "0.9977", "2.494"])
        text = self.texts(self.plates, "--what", "plate", "--times", "0.002")
        for part in ("2 plates", "top: 300 mm × 200 mm, edges supported", "back: 300 mm × 200 mm, edges clamped (bold)"):
            self.assertIn(part, text)

    def test_aspect_ratios(self):
        for size, limits in (("{2, 0.02}", (900, 1400, 380, 700)), ("{0.02, 2}", (900, 1400, 380, 1300)),
                             ("{0.3, 0.3}", (900, 1400, 700, 1300))):
            plate = self.scene("p.lua", """
                local p = plate { size = %s, thickness = 1e-3, material_density = 2700, youngs = 7e10, segments = %s }
                force { on = p, at = { 0.01, 0.01 }, peak = 1, width = 1e-3 }
                render { rate = 96000, duration = 0.01 }""" % (size, {"{2, 0.02}": "{200, 2}", "{0.02, 2}": "{2, 200}",
                                                       "{0.3, 0.3}": "{12, 12}"}[size]))
            self.good("plot", plate, "-o", "a.png", "--what", "plate")
            width, height = self.size("a.png")
            self.assertTrue(limits[0] <= width <= limits[1] and limits[2] <= height <= limits[3], (size, width, height))

    def test_bow(self):
        text = self.texts(self.network, "--what", "bow")
        for part in ("stick on wire at 0.1 m", "grey: F_N up to 0.5 N, a = 100", "friction (", "relative to the bow ("):
            self.assertIn(part, text)
        text = self.texts(self.network, "--what", "contact")
        for part in ("foot (two-sided)", "rattle", "stick (sticks)"):
            self.assertIn(part, text)

    def test_names(self):
        text = self.texts(self.network, "--what", "phase")
        for part in ("wire at 0.9 L", "board at 0.4 lx, 0.45 ly", "bridge", "box at place 1"):
            self.assertIn(part, text)

    def test_names_are_only_names(self):
        scene = self.scene("evil.lua", """
            local p = plate { name = [[it's "a" plate {x} <&> $y `touch PWNED`]], size = { 0.4, 0.3 }, thickness = 2e-3,
                              material_density = 2700, youngs = 7e10, segments = { 10, 8 } }
            local m = mass { name = "%s", mass = 0.01, velocity = -2, position = 0.001 }
            contact { name = "'; system('touch PWNED')", above = m, below = p, at_below = { 0.1, 0.12 }, K = 1e8, alpha = 1.5 }
            bow { name = "%%s%%n", on = m, force = 1, velocity = 0.1 }
            bow { name = "'", on = p, at = { 0.2, 0.15 }, force = 0.5, velocity = 0.2 }
            render { duration = 0.005, title = "'start" }""" % ("long" * 15))
        self.keep("evil.lua", "a.svg")
        for subject, part in (("plate", "'; system('touch PWNED')"), ("bow", "%s%n on longlong"),
                              ("contact", "%s%n (sticks)"), ("phase", "longlong"), ("penetration", "system('touch PWNED')")):
            self.assertIn(part, self.texts(scene, "--what", subject))
        self.assertEqual(self.new_files(), [])

    def test_windows(self):
        for subject in ("plate", "bow", "contact"):
            self.good("plot", self.network, "-o", "a.png", "--what", subject, "--from", "0.01", "--to", "0.012")
            self.good("plot", self.network, "-o", "a.png", "--what", subject, "--duration", "5e-5")

    def test_refused(self):
        self.bad(3, "no plate to show", "plot", self.bounce, "-o", "a.png", "--what", "plate")
        self.bad(3, "no bow", "plot", self.bounce, "-o", "a.png", "--what", "bow")
        self.bad(3, "plates are shown by --what plate", "plot", self.plates, "-o", "a.png", "--what", "snapshots")
        self.bad(2, "is not before the end", "plot", self.network, "-o", "a.png", "--what", "plate", "--times", "9")


if __name__ == "__main__":
    main()
