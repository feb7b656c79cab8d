"""Schemes of single contacts: roots, impacts, and the schemes side by side."""

import json
import os
import re
import shutil
import unittest
import xml.dom.minidom

from cli_case import Case, IMPACT, ROOT, TONE, main, read_text


class Root(Case):
    def test_complex_root_stops_the_run(self):
        scene = self.scene("root.lua", ROOT.replace("CLAMP", ""))
        self.keep("root.lua")
        text = self.bad(1, ".lua:5: contact 'contact1': complex root at sample 13", "render", scene, "-o", "a.wav", "--data",
                        "a.npy", "--json", "r.json")
        for part in ("discriminant -", "s = 0.5", "try s = 1, a higher rate, or clamp = true"):
            self.assertIn(part, text)
        report = json.loads(self.good("render", scene, "--set", "s=3", "--json", "-").stdout)
        contact, = report["contacts"]
        self.assertEqual((contact["scheme"], contact["s"], contact["complex_roots"]), ("root", 3, 0))
        self.assertLess(contact["energy_bound"], contact["energy_min"])
        self.assertLess(contact["energy_min"], 0)
        self.assertNotIn("impacts", contact)
        self.assertIn("a run stops there", self.good("check", scene).stdout.decode())
        self.assertIn("real in the dry run", self.good("check", scene, "--set", "s=3").stdout.decode())
        if shutil.which("gnuplot"):
            self.bad(1, "complex root", "plot", scene, "-o", "a.png")

    def test_clamp_goes_on_and_says_so(self):
        scene = self.scene("root.lua", ROOT.replace("CLAMP", ", clamp = true"))
        done = self.good("render", scene, "--json", "r.json")
        self.assertRegex(done.stderr.decode(), r"contact1 +energy breaks at \d+ sample")
        contact, = json.loads(read_text(self.path("r.json")))["contacts"]
        self.assertGreater(contact["complex_roots"], 0)
        self.assertIn("energy breaks there", self.good("check", scene).stdout.decode())

    def test_limit_of_linear_contacts(self):
        scene = self.scene("linear.lua", """
            local q = param { "q", 0.1, min = 0, max = 100 }
            local m = mass { mass = 1, velocity = -1 }
            contact { above = m, below = barrier { height = 0 }, K = q * 1e6, alpha = 1, scheme = "root", s = 3 }
            render { rate = 1000, duration = 0.01 }""")
        self.assertIn("K k^2/M = 0.1: real up to 0.1667", self.good("check", scene).stdout.decode())
        self.assertIn("real up to 0.1667 only", self.good("check", scene, "--set", "q=1").stdout.decode())


class Impacts(Case):
    def test_report(self):
        scene = self.scene("impact.lua", IMPACT)
        exact, rough = (json.loads(self.good("render", scene, "--json", "-", "--scheme", s).stdout)
                        ["contacts"][0] for s in ("invariant", "am1"))
        for contact in (exact, rough):
            self.assertEqual(contact["impacts"], 1)
            self.assertNotIn("complex_roots", contact)
        self.assertLess(abs(exact["drift_mean"]), 1e-12)
        self.assertAlmostEqual(rough["drift_mean"], 1.02551 ** 2 - 1, 2)  # table 1 of the paper
        self.assertEqual(rough["drift_max"], abs(rough["drift_mean"]))

    def test_closed_forms(self):
        scene = self.scene("impact.lua", IMPACT)
        text = self.good("check", scene).stdout.decode()
        for part in ("impacts", "in at 1 m/s (initial)", "38.93 µm deep", "5.861 steps", "748.435 mm/s",
                     "fit 748.529 mm/s", "restitution 0.7484"):
            self.assertIn(part, text)
        away = self.scene("away.lua", IMPACT.replace("velocity = -v", "velocity = v"))
        self.assertIn("in at 1 m/s (assumed)", self.good("check", away).stdout.decode())
        self.assertNotIn("impacts ", self.good("check", self.tone).stdout.decode())

    def test_a_method_that_diverges_ends_the_run(self):
        hard = self.scene("hard.lua", """
            local m = mass { mass = 0.01, position = 1e-3, velocity = -2 }
            contact { above = m, below = barrier { height = 0 }, K = 1e12, alpha = 1.5, damping = 0.1, name = "hit" }
            probe { on = m, quantity = "displacement" }
            render { rate = 8000, duration = 0.01 }""")
        slow = self.scene("slow.lua", """
            local m = mass { mass = 0.01, frequency = 237.3, velocity = -1, name = "ball" }
            contact { above = m, below = barrier { height = 0 }, K = 0.01 * (math.pi * 8000 / 1.85) ^ 2, alpha = 1, name = "tap" }
            probe { on = m, quantity = "displacement" }
            render { rate = 8000, duration = 1 }""")
        self.keep("hard.lua", "slow.lua")
        for scheme in ("am1", "verlet", "heun", "rk4"):
            with self.subTest(scheme):
                text = self.bad(1, ".lua:3: contact 'hit': %s diverges at sample" % scheme, "render", hard, "--scheme", scheme,
                                "-o", "o.wav", "--data", "o.npy", "--energy", "e.csv", "--json", "r.json")
                self.assertEqual(text.count("\n"), 1)
                self.assertRegex(text, r"sample [1-9]\d? \(0\.00\d+ s\)")
                for part in ('"invariant"', '"ledger"', "rate"):
                    self.assertIn(part, text)
        self.assertIn("times the energy put in",  # little by little, a bounce at a time
                      self.bad(1, ".lua:3: contact 'tap': am1 diverges at sample", "render", slow, "--scheme", "am1", "-o", "o.wav"))
        for scheme in ("invariant", "ledger", "newton"):
            with self.subTest(scheme):
                done = self.good("render", hard, "--scheme", scheme, "--json", "r.json")
                self.assertNotIn("stiff", done.stderr.decode())
                self.assertLess(json.loads(read_text(self.path("r.json")))["contacts"][0]["trapped_max"], 1e-12)
        rows = self.good("compare", hard, "--schemes", "rk4,invariant").stdout.decode()
        self.assertIn("rk4 diverges at sample", " ".join(rows.split()))


class Compare(Case):
    def rows(self, *arguments):
        lines = self.good("compare", *arguments).stdout.decode().split("\n\n")[0].splitlines()
        for line in lines:
            self.assertLessEqual(len(line), 120)
            self.assertEqual(line, line.rstrip())
        return {line.split()[0]: line.split("  ") for line in lines if line[0] != " "}

    def test_a_row_for_each_scheme(self):
        rows = self.rows(self.bounce, "--schemes", "newton,ledger", "--duration", "0.02")
        self.assertEqual(list(rows), ["scheme", "newton", "ledger"])
        rows = self.rows(self.bounce, "--duration", "0.02")  # in one block with a spring
        self.assertEqual(list(rows), ["scheme", "ledger", "quadratised", "newton"])
        rows = self.rows(self.scene("impact.lua", IMPACT))
        for scheme in ("ledger", "quadratised", "newton", "am1", "verlet", "heun", "rk4", "invariant"):
            self.assertIn(scheme, rows)
        self.assertNotIn("exact", rows)  # no damping there

    def test_refused_schemes_say_why(self):
        scene = self.scene("impact.lua", IMPACT)
        rows = self.rows(scene, "--schemes", "exact,ledger")
        self.assertIn("no damping", " ".join(rows["exact"]))
        self.keep("impact.lua")
        self.bad(3, "no damping", "compare", scene, "--schemes", "exact")
        root = self.scene("root.lua", ROOT.replace("CLAMP", ""))
        self.keep("root.lua")
        self.assertIn("complex root", " ".join(self.rows(root, "--schemes", "root,newton")["root"]))
        self.bad(1, "complex root", "compare", root, "--schemes", "root", "--json", "a.json")

    def test_numbers(self):
        scene = self.scene("impact.lua", IMPACT)
        done = self.good("compare", scene, "--json", "-", "--reference", "64")
        report = json.loads(done.stdout)
        self.assertEqual((report["scene"], report["rate"], report["samples"]), ("impact.lua", 44100, 44))
        reference = report["reference"]
        self.assertEqual((reference["scheme"], reference["factor"]), ("invariant", 64))
        self.assertLess(reference["self_error"], 1e-3)
        self.assertEqual(reference["exit"]["body"], "ball")
        self.assertAlmostEqual(reference["exit"]["speed"], 0.748435, 6)  # the closed form
        schemes = {row["scheme"]: row for row in report["schemes"]}
        for scheme, error in (("am1", 2.563e-2), ("verlet", 0.851e-2), ("rk4", -0.093e-2),
                              ("invariant", 0)):  # against the exact speed
            self.assertAlmostEqual(schemes[scheme]["exit_error"], error, 4)
            self.assertEqual(schemes[scheme]["impacts"], 1)
        for row in report["schemes"]:
            self.assertTrue(row["ran"])
            self.assertGreater(row["ns_per_step"], 0)
            self.assertGreaterEqual(row["error_max"], 0)
            self.assertEqual([p["name"] for p in row["probes"]], ["u"])
        self.assertLess(schemes["ledger"]["residual_max"], 1e-12)
        self.assertLess(schemes["ledger"]["error_max"], 0.1)
        self.assertLess(schemes["ledger"]["exit_error"], 0.02)

    def test_gravity_is_no_error_of_the_exit_speed(self):
        fall = self.scene("fall.lua", IMPACT.replace("damping = 0.5, ", "").replace(
            "local wall", "gravity { g = 1000 }\nlocal wall"))
        report = json.loads(self.good("compare", fall, "--schemes", "exact,newton", "--json", "-").stdout)
        for row in report["schemes"]:
            self.assertLess(abs(row["exit_error"]), 1e-3)

    def test_window(self):
        flight = json.loads(self.good("compare", self.bounce, "--schemes", "ledger,quadratised", "--json",
                                      "-", "--to", "0.0005").stdout)
        for row in flight["schemes"]:
            self.assertLess(row["error_max"], 1e-3)
            self.assertIsNone(row["exit_speed"])
            self.assertIsNone(row["good_until"])
        self.assertEqual(flight["samples"], 23)
        later = json.loads(self.good("compare", self.bounce, "--schemes", "quadratised", "--json", "-",
                                     "--from", "0.01", "--to", "0.02").stdout)
        self.assertEqual((later["from"], later["samples"]), (0.01, 442))
        self.assertGreater(later["schemes"][0]["error_max"], 1e-3)

    def test_any_scene(self):
        for name, text in (("none.lua", "mass { mass = 1, velocity = 1 }\nrender { duration = 0.01 }"),
                           ("tone.lua", TONE.replace("duration = 1", "duration = 0.01")),
                           ("row.lua", """
                            local a = mass { mass = 1, velocity = 1 }
                            local b = mass { mass = 1, position = 1e-3 }
                            local c = mass { mass = 1, position = 2e-3 }
                            contact { above = b, below = a, K = 1e7, alpha = 1.5 }
                            contact { above = c, below = b, K = 1e7, alpha = 1.5 }
                            render { duration = 0.02 }""")):
            text = self.good("compare", self.scene(name, text), "--schemes", "ledger,newton").stdout.decode()
            self.assertEqual("the scene has none, so that all schemes are the same" in text, name != "row.lua")
            self.assertEqual("are compared" in text, name != "tone.lua")

    def test_refused(self):
        self.bad(2, "--schemes: unknown scheme 'newtn' (did you mean 'newton'?)", "compare", self.bounce,
                 "--schemes", "ledger,newtn")
        self.bad(2, "unknown scheme 'magic'; there are ledger", "compare", self.bounce, "--schemes", "magic")
        self.bad(2, "unknown scheme ''", "compare", self.bounce, "--schemes", "ledger,")
        self.bad(2, "named twice", "compare", self.bounce, "--schemes", "ledger,newton,ledger")
        self.bad(2, "did you mean '--schemes'", "compare", self.bounce, "--scheme", "ledger")
        self.bad(2, "--reference must be a whole number from 2 to 1024", "compare", self.bounce,
                 "--reference", "1")
        self.bad(2, ".png, .svg or .pdf", "compare", self.bounce, "-o", "a.jpg")
        self.bad(2, "is not before the end", "compare", self.bounce, "--from", "1")
        self.bad(2, "--to", "compare", self.bounce, "--duration", "1000")
        self.bad(3, "nowhere.lua", "compare", "nowhere.lua")
        self.bad(1, "no such directory", "compare", self.bounce, "--json", "none/a.json")
        self.bad(2, "named twice", "compare", self.bounce, "-o", "a.png", "--json", "a.png")

    @unittest.skipUnless(shutil.which("gnuplot"), "gnuplot is not installed")
    def test_picture(self):
        impact = self.scene("impact.lua", IMPACT)
        still = self.scene("still.lua", "probe { on = mass { mass = 1 } }\nrender { duration = 0.01 }")
        self.keep("impact.lua", "still.lua")
        for scene in (self.bounce, impact, still):
            for name in ("a.png", "a.svg", "a.pdf"):
                self.good("compare", scene, "-o", name, "--json", "a.json", "--duration", "0.01")
                self.assertGreater(os.path.getsize(self.path(name)), 4000)
            xml.dom.minidom.parse(self.path("a.svg"))
        self.assertEqual(self.new_files(), ["a.json", "a.pdf", "a.png", "a.svg"])
        self.good("compare", impact, "-o", "a.svg")
        text = read_text(self.path("a.svg"))
        for part in ("schemes side by side", "first contact of ball", "displacement of ball", "worst probe",
                     "ledger", "invariant", "reference"):
            self.assertIn(part, text)
        for name in self.new_files():
            os.remove(self.path(name))
        self.bad(1, "gnuplot is not installed", "compare", impact, "-o", "a.png", env={"PATH": ""})

    def test_curves_that_coincide_are_all_seen(self):
        """Each is drawn over the one before, narrower and with gaps; the reference under all."""
        fake = self.path("gnuplot")
        with open(fake, "w") as f:
            f.write("#!/bin/sh\nexec /bin/cat\n")
        os.chmod(fake, 0o755)
        for schemes in ("ledger,newton", "newton,quadratised,ledger,verlet,heun", None):
            self.good("compare", self.scene("impact.lua", IMPACT), "-o", "a.svg",
                      *(["--schemes", schemes] if schemes else []), env={"PATH": self.folder})
            for curve, panels in (("scheme", 2), ("error", 1)):
                pens = re.findall(r"\$%s\d+ with \w+ lw ([\d.]+) (?:dt (\S+))?" % curve, read_text(self.path("a.svg")))
                count = schemes.count(",") + 1 if schemes else 8
                count += curve == "error"  # of the reference
                self.assertEqual(len(pens), panels * count)
                for panel in range(panels):
                    own = pens[panel * count:(panel + 1) * count]
                    widths = [float(width) for width, _ in own]
                    dashes = [dash for _, dash in own][curve == "error":]
                    self.assertEqual(widths, sorted(widths, reverse=True))
                    self.assertEqual(len(set(widths)), len(widths))
                    self.assertEqual(dashes[0], "1")
                    self.assertTrue(all(d.startswith("(") for d in dashes[1:]), dashes)


if __name__ == "__main__":
    main()
