"""Strings from end to end: report, check and schemes side by side."""

import json
import re
import shutil
import unittest

from cli_case import BRIDGE, StringCase, main, read_npy, read_text


class Report(StringCase):
    def test_keys_of_a_string(self):
        report = self.report(self.bridge)
        wire = report["bodies"][0]
        self.assertEqual((wire["name"], wire["kind"], wire["model"]), ("wire", "string", "fd"))
        self.assertGreater(wire["segments"], 20)
        self.assertTrue(1 <= wire["h_over_hmin"] < 1.1)
        self.assertGreater(wire["margin"], 0)
        self.assertAlmostEqual(wire["frequency"], 203.5, delta=2)
        self.assertEqual((wire["ends"], wire["length"], wire["tuned"]), ("supported", 0.65, True))
        for key in ("gamma", "modes", "nonlinear"):
            self.assertNotIn(key, wire)

    def test_keys_of_its_models(self):
        for extra, key in ((', model = "implicit"', "gamma"), (', model = "modal"', "modes"),
                           (', model = "trapezoid"', "segments")):
            scene = self.scene("model.lua", BRIDGE.replace("EXTRA", extra))
            wire = self.report(scene)["bodies"][0]
            self.assertEqual(wire["model"], re.search('"(.*)"', extra).group(1))
            self.assertIn(key, wire)

    def test_keys_of_a_contact(self):
        report = self.report(self.bridge)
        buzz, = report["contacts"]
        self.assertEqual(buzz["points"], report["bodies"][0]["segments"] - 1)
        self.assertTrue(buzz["distributed"])
        self.assertTrue(0 < buzz["points_max"] <= buzz["points"])
        self.assertTrue(0 < buzz["contact_samples"] < report["samples"])
        self.assertTrue(0 < buzz["max_penetration"] <= buzz["penetration_bound"])
        spacing = 0.65 / report["bodies"][0]["segments"]
        bound = (2 * 2.5 * report["energy"]["max"] / (1e8 * spacing)) ** (1 / 2.5)
        self.assertAlmostEqual(buzz["penetration_bound"], bound, delta=1e-9 * bound)
        self.assertLess(report["energy"]["residual_max"], 1e-12)

    def test_a_driven_scene_has_a_bound_only_if_every_energy_was_asked_for(self):
        """What comes and goes between two energies must not be missed."""
        scene = self.scene("brief.lua", """
            local h = mass { path = { {0, .01}, {.001, .01}, {.003, -.001}, {.0031, .01}, {1, .01} } }
            local b = mass { mass = .1, frequency = 100, damping = 1000 }
            contact { above = h, below = b, K = 1e6, alpha = 1.5, scheme = "newton" }
            probe { on = b }
            render { duration = 0.1, rate = 44100 }""")
        self.assertNotIn("penetration_bound", self.report(scene)["contacts"][0])
        self.good("render", scene, "--energy", "e.csv", "--json", "all.json")
        contact, = json.loads(read_text(self.path("all.json")))["contacts"]
        self.assertTrue(0 < contact["max_penetration"] <= contact["penetration_bound"])

    def test_no_bound_at_the_midpoint(self):
        scene = self.scene("mid.lua", BRIDGE.replace("EXTRA", "").replace(
            "alpha = 1.5", 'alpha = 1.5, potential = "midpoint"'))
        self.assertNotIn("penetration_bound", self.report(scene)["contacts"][0])
        self.assertIn("no bound is known", self.checked(scene))

    def test_points(self):
        report = self.report(self.frets)
        frets, strike = report["contacts"]
        self.assertEqual((frets["points"], strike["points"]), (4, 1))
        self.assertFalse(frets["distributed"] or strike["distributed"])
        self.assertEqual([b["kind"] for b in report["bodies"]].count("string"), 1)

    def test_data(self):
        self.good("render", self.bridge, "-o", "a.wav", "--data", "a.npy", "--energy", "e.csv", "--quiet")
        rows = read_npy(self.path("a.npy"))
        self.assertEqual((len(rows), len(rows[0])), (1103, 1))
        self.assertGreater(max(abs(row[0]) for row in rows), 0)


class Check(StringCase):
    def test_text(self):
        text = self.checked(self.bridge)
        self.assertNotRegex(text, r" +\n")
        text = re.sub(r"\s+", " ", text)
        for part in ("wire", "model", "fd, ends supported, corrected stiffness", "N = ", "h/h_min = 1.",
                     "EI = ", "EI' = ", "sigma0 = 1 1/s", "T60 = ", "at 1 kHz", "partial", "cents", "buzz",
                     "along the string", "eq. 23", "memory", "times real time"):
            self.assertIn(part, text)
        self.assertEqual(self.new_files(), [])

    def test_ten_partials(self):
        rows = re.findall(r"(\d+) +([\d.]+) Hz +([\d.]+) Hz +([+-][\d.]+) cents", self.checked(self.bridge))
        self.assertEqual([int(row[0]) for row in rows], list(range(1, 11)))
        for p, rings, exact, cents in rows:
            self.assertAlmostEqual(float(exact) / (203.5 * int(p)), 1, delta=0.03)
            self.assertLess(abs(float(cents)), 2)
            self.assertAlmostEqual(float(rings), float(exact), delta=0.01 * float(exact))

    def test_models(self):
        for extra, part in ((', model = "implicit", gamma = -0.3', "gamma = -0.3"),
                            (', model = "modal", modes = 30', "30 modes"),
                            (", tuned = false", "as published")):
            scene = self.scene("model.lua", BRIDGE.replace("EXTRA", extra))
            self.assertIn(part, self.checked(scene))

    def test_bounds(self):
        self.assertRegex(self.checked(self.bridge), r"at most [\d.]+ .m with the [\d.]+ mJ of the start")
        driven = self.scene("driven.lua", BRIDGE.replace("EXTRA", "").replace(
            'pluck { on = s, shape = "triangle", at = 0.2, height = 3e-3 }',
            "force { on = s, at = 0.2, peak = 1, width = 1e-3 }"))
        self.assertIn("at rest at the start", self.checked(driven))

    def test_masses_and_strings(self):
        text = self.checked(self.frets)
        self.assertIn("K = 1e+07 N/m^1.3 each", text)
        self.assertNotIn("impacts ", text)  # closed forms are those of a mass on a wall


class Compare(StringCase):
    def test_schemes(self):
        text = self.good("compare", self.bridge, "--schemes", "ledger,newton", "--to", "0.005").stdout.decode()
        for part in ("ledger", "newton", "newton at 8 times the rate (176400 Hz)"):
            self.assertIn(part, text)

    def test_numbers(self):
        report = json.loads(self.good("compare", self.bridge, "--schemes", "ledger,quadratised", "--to", "0.004",
                                      "--json", "-").stdout)
        for row in report["schemes"]:
            self.assertTrue(row["ran"])
            self.assertLess(row["residual_max"], 1e-12)
            self.assertEqual([p["name"] for p in row["probes"]], ["out"])
        self.assertIsNone(report["schemes"][0]["exit_speed"])

    def test_without_probes(self):
        text = self.good("compare", self.two, "--schemes", "ledger,newton", "--to", "0.005").stdout.decode()
        self.assertIn("displacements of its bodies are compared", text)
        report = json.loads(self.good("compare", self.frets, "--schemes", "ledger", "--to", "0.005", "--json",
                                      "-").stdout)
        self.assertEqual([p["name"] for p in report["schemes"][0]["probes"]],
                         ["displacement of wire at 0.9 L", "displacement of hammer"])
        self.assertEqual(report["reference"]["exit"]["body"], "hammer")

    @unittest.skipUnless(shutil.which("gnuplot"), "gnuplot is not installed")
    def test_picture(self):
        self.good("compare", self.bridge, "--schemes", "ledger,quadratised", "-o", "a.svg", "--reference", "2")
        text = read_text(self.path("a.svg"))
        for part in ("out in the first 4 periods", "velocity of wire", "reference"):
            self.assertIn(part, text)


if __name__ == "__main__":
    main()
