"""Plates, modal bodies, bows and springs from end to end: report, check, schemes, probes and help."""

import json
import re

from cli_case import NETWORK, NetworkCase, main


class Report(NetworkCase):
    def test_bodies(self):
        report = self.report(self.network)
        bodies = {body["name"]: body for body in report["bodies"]}
        board, box = bodies["board"], bodies["box"]
        self.assertEqual((board["kind"], board["model"], board["edge"]), ("plate", "fd", "supported"))
        self.assertEqual((board["segments"], board["size"]), ([16, 8], [0.4, 0.2]))
        self.assertGreater(board["margin"], 0)
        self.assertNotIn("modes", board)
        self.assertEqual((box["kind"], box["modes"], box["places"]), ("modal", 2, 2))
        self.assertLess(report["energy"]["residual_max"], 1e-12)

    def test_models_of_a_plate(self):
        bodies = {body["name"]: body for body in self.report(self.plates)["bodies"]}
        self.assertEqual((bodies["top"]["model"], bodies["top"]["modes"]), ("modal", 30))
        self.assertEqual((bodies["back"]["model"], bodies["back"]["edge"]), ("fd", "clamped"))

    def test_links(self):
        report = self.report(self.network)
        self.assertEqual([c["name"] for c in report["contacts"]], ["foot", "rattle"])
        self.assertEqual([s["name"] for s in report["springs"]], ["post"])
        bow, = report["bows"]
        self.assertEqual((bow["name"], bow["on"]), ("stick", "wire"))
        self.assertTrue(0.1 < max(bow["max_force"], -bow["min_force"]) <= 0.5 + 1e-9)
        self.assertEqual(self.report(self.bounce)["bows"], [])

    def test_a_wave_that_has_not_arrived(self):
        """Its foot is smaller than any number; no force has to be sought there."""
        scene = self.scene("wave.lua", """
            local s = string { length = 0.65, tension = 60, density = 1.57e-3, sigma0 = 0.5, sigma1 = 1e-3 }
            local bridge, foot = mass { mass = 1e-3, frequency = 300 }, mass { mass = 2e-3, frequency = 200 }
            contact { above = s, below = bridge, at_above = 0.3, K = 1e6, alpha = 1.5, law = "two-sided", damping = 20 }
            contact { above = bridge, below = foot, K = 1e7, alpha = 1.3, law = "two-sided" }
            spring { between = { foot, s }, at_b = 0.5, K1 = 1e5, damping = 1 }
            force { on = s, at = 0.074, peak = 5, width = 1e-3 }
            probe { on = bridge }
            render { rate = 192000, duration = 0.01 }""")
        for scheme in "ledger", "newton":
            for contact in self.report(scene, "--scheme", scheme)["contacts"]:
                self.assertEqual(contact["unconverged"], 0, scheme)
                self.assertLess(contact["iterations_max"], 20)

    def test_a_bow_begins_softly_where_all_is_at_rest(self):
        """Nothing is stored yet and nothing moves by itself: what the bow does is all that flows."""
        scene = self.scene("bowed.lua", """
            local b = use { "bodies/guitar", highest = 3000 }
            local s = string { length = 0.65, tension = 66.5, density = 6.9e-4, radius = 2e-4, youngs = 2e11,
                               sigma0 = 0.5, model = "trapezoid" }
            contact { above = b, below = s, at_above = 3, at_below = 0.35, K = 1e8, alpha = 2, law = "two-sided", damping = 3 }
            spring { between = { b, s }, at_a = 3, at_b = 0.14, K1 = 3828, damping = 20 }
            bow { on = s, at = 0.26, force = { { 0, 0 }, { 0.02, 0.1 } }, velocity = 0.1 }
            probe { on = b, at = 1 }
            render { rate = 48000, duration = 0.02 }""")
        report = self.report(scene)
        self.assertEqual(report["contacts"][0]["unconverged"], 0)
        self.assertLess(report["energy"]["residual_max"], 1e-12)


class Check(NetworkCase):
    def test_network(self):
        text = self.checked(self.network)
        self.assertNotRegex(text, r" +\n")
        self.assertRegex(text, r"network   wire \(fd, \d+\) --foot \(two-sided, 1 point\)-- bridge "
                               r"--rattle \(1 point, gap 1 µm\)-- board \(fd, 16 x 8\)\s+"
                               r"--post \(spring\)-- box \(2 modes\)\n +stick on wire at 0.1 m\n")
        self.assertIn("2 points together: foot, rattle\n", text)
        self.assertIn("alone: post, stick", text)

    def test_bodies(self):
        text = re.sub(r"\s+", " ", self.checked(self.network))
        for part in ("fd, edges supported", "16 x 8 segments, hx = 25 mm, hy = 25 mm", "margin 0.",
                     "D = 6.41", "2.7 kg/m^2", "T60 = ", "110 Hz to 260 Hz 2 places", "F_N up to 500 mN",
                     "a = 100 s^2/m^2", "rattle points 1, board at {0.3, 0.15} m"):
            self.assertIn(part, text)
        rows = re.findall(r"(\d+) ([\d.]+) Hz ([\d.]+) Hz [+-][\d.]+ cents", text)
        self.assertEqual([int(row[0]) for row in rows], 2 * list(range(1, 11)))

    def test_clamped_and_rigid(self):
        text = self.checked(self.plates)
        for part in ("clamped edges have no closed form", "not known", "spring, rigid", "modal, 30 modes, edges supported"):
            self.assertIn(part, text)

    def test_small_networks(self):
        self.assertIn("ball --hit-- barrier1 (barrier)", self.checked(self.bounce))
        self.assertIn("ball --spring1 (spring)-- ground", self.checked(self.bounce))
        self.assertIn("mass1, alone", self.checked(self.tone))

    def test_many_bodies(self):
        many = self.scene("many.lua", """
            local wall = barrier { height = -1 }
            for n = 1, 300 do contact { above = mass { mass = 1, velocity = -1 }, below = wall, K = 1e6, alpha = 1 } end
            local last = mass { mass = 1 }
            for n = 1, 300 do
              local next = mass { mass = 1 }
              spring { between = { last, next }, K1 = 1000 }
              last = next
            end
            render { duration = 0.001 }""")
        text = self.checked(many)
        self.assertRegex(text, r"and \d+ more")
        self.assertLess(text[:text.index("solved")].count("--"), 300)


class Compare(NetworkCase):
    def test_without_probes(self):
        report = json.loads(self.good("compare", self.plates, "--schemes", "ledger,newton", "--to", "0.003", "--json",
                                      "-").stdout)
        self.assertEqual([p["name"] for p in report["schemes"][0]["probes"]],
                         ["displacement of top at 0.4 lx, 0.45 ly", "displacement of back at 0.4 lx, 0.45 ly",
                          "displacement of mallet"])
        self.assertEqual(report["reference"]["factor"], 4)
        for row in report["schemes"]:
            self.assertLess(row["residual_max"], 1e-12)

    def test_bowed(self):
        text = self.good("compare", self.network, "--schemes", "ledger,quadratised", "--to", "0.004").stdout.decode()
        self.assertIn("newton at 4 times the rate", text)


class Probes(NetworkCase):
    def test_a_bow_has_a_force_and_a_velocity(self):
        scene = self.scene("b.lua", NETWORK + """
            probe { on = b, quantity = "force", name = "friction" }
            probe { on = b, quantity = "velocity", name = "slip" }""")
        probes = {p["name"]: p for p in self.report(scene)["probes"]}
        self.assertEqual((probes["friction"]["unit"], probes["slip"]["unit"]), ("N", "m/s"))
        self.assertLess(probes["slip"]["min"], -0.19)
        self.keep("b.lua")
        wrong = self.scene("w.lua", NETWORK + 'probe { on = b, quantity = "penetration" }')
        self.keep("w.lua")
        self.bad(3, "no penetration", "check", wrong)


class Help(NetworkCase):
    def test_keys_are_those_of_a_scene(self):
        for kind, there, absent in (
                ("plate", ("size", "segments", "{lx, ly}"), ("length", "width", "segments_x", "segments_y")),
                ("modal", ("modes", "t60"), ("points",)), ("spring", ("between", "rigid"), ("a", "b", "at_a_y", "at_b_y")),
                ("bow", ("force", "velocity", "curve"), ("force_curve", "velocity_curve", "at_y")),
                ("force", ("shape",), ("envelope", "at_y")), ("probe", ("at",), ("at_y",)),
                ("barrier", ("height",), ("profile",)), ("string", ("gamma",), ("gamma_rule",))):
            text = self.good("help", kind).stdout.decode()
            keys = re.findall(r"^(?:\w+{}|) +(\w+)  ", text, re.M)
            for key in there:
                self.assertIn(key, text)
            for key in absent:
                self.assertNotIn(key, keys, kind)
            self.assertGreater(len(keys), 1)

    def test_subjects(self):
        text = self.good("help", "plot").stdout.decode()
        for word in ("plate", "bow", "snapshots"):
            self.assertIn(word, text)


if __name__ == "__main__":
    main()
