"""Outputs of a run: sound, data, energies, report."""

import json
import math
import os
import re
import struct
import time

from cli_case import (BOUNCE, Case, ENERGY_HEADER, SOURCE, TONE, main, read_bytes, read_npy, read_text, read_wav)


class Render(Case):
    def test_all_outputs(self):
        done = self.good("render", self.bounce, "-o", "a.wav", "--data", "a.npy", "--energy", "e.csv",
                         "--json", "r.json")
        self.assertEqual(self.new_files(), ["a.npy", "a.wav", "e.csv", "r.json"])
        self.assertEqual(done.stdout, b"")
        for word in ("4410 samples", "residual", "real time", "peak"):
            self.assertIn(word, done.stderr.decode())
        self.assertNotIn("\r", done.stderr.decode())
        rate, channels, chunks = read_wav(self.path("a.wav"))
        rows = read_npy(self.path("a.npy"))
        self.assertEqual((rate, len(channels), len(channels[0])), (44100, 1, 4410))
        self.assertEqual((len(rows), len(rows[0])), (4410, 4))
        self.assertEqual(rows[0][:2], (0.002, 0.0))
        self.assertIn(b"Bounce", chunks[b"LIST"])
        self.assertNotIn(b"PEAK", chunks)
        narrow = [struct.unpack("<f", struct.pack("<f", row[0]))[0] for row in rows]
        self.assertEqual(list(channels[0]), narrow)
        # The velocity is the centred difference of the displacement.
        for n in (1, 17, 1000, 4000):
            self.assertAlmostEqual(rows[n][1], (rows[n + 1][0] - rows[n - 1][0]) * 44100 / 2, 9)

    def test_energy(self):
        self.good("render", self.bounce, "--energy", "e.csv", "--quiet")
        lines = read_text(self.path("e.csv")).splitlines()
        self.assertEqual(lines[0], ENERGY_HEADER)
        self.assertEqual(len(lines), 4411)
        table = [[float(x) for x in line.split(",")] for line in lines[1:]]
        initial = table[0][6] - table[0][4] + table[0][5]
        top = max(row[6] for row in table)
        for n, (t, kinetic, elastic, contact, supplied, lost, total, residual) in enumerate(table):
            self.assertAlmostEqual(t, (n + 0.5) / 44100, 15)
            self.assertAlmostEqual(kinetic + elastic + contact, total, delta=1e-14 * top)
            self.assertLess(abs(total + lost - supplied - initial), 1e-12 * top)
            self.assertLess(abs(residual), 1e-12 * top)
        self.assertGreater(max(row[3] for row in table), 0)
        self.assertGreater(table[-1][5], table[0][5])

    def test_report(self):
        done = self.good("render", self.bounce, "--json", "-", "--set", "K=2e7")
        self.assertNotIn(b"NaN", done.stdout)
        report = json.loads(done.stdout)
        self.assertEqual(report["scene"], "bounce.lua")
        self.assertEqual((report["rate"], report["oversample"], report["samples"]), (44100, 1, 4410))
        self.assertEqual((report["title"], report["duration"]), ("Bounce", 0.1))
        self.assertRegex(report["version"], r"\d+\.\d+\.\d+")
        self.assertEqual(report["params"][0]["name"], "K")
        self.assertEqual((report["params"][0]["value"], report["params"][0]["default"]), (2e7, 1e7))
        ball = report["bodies"][0]
        self.assertEqual((ball["name"], ball["kind"], ball["driven"]), ("ball", "mass", False))
        self.assertAlmostEqual(ball["frequency"], 200)
        self.assertTrue(0 < ball["margin"] < 1)
        contact, = report["contacts"]
        self.assertEqual((contact["name"], contact["scheme"], contact["points"]), ("hit", "ledger", 1))
        for key in ("max_penetration", "max_force", "contact_samples", "block_size"):
            self.assertGreater(contact[key], 0)
        self.assertGreaterEqual(contact["min_force"], 0)
        for key in ("trapped_max", "iterations_max", "iterations_mean"):
            self.assertIn(key, contact)
        self.assertEqual(len(report["springs"]), 1)
        self.assertEqual([p["name"] for p in report["probes"]], ["u", "v", "eta", "f"])
        for probe in report["probes"]:
            self.assertTrue(probe["min"] <= probe["max"])
            self.assertLessEqual(probe["rms"], max(-probe["min"], probe["max"]))
        energy = report["energy"]
        for key in ("initial", "final", "max", "supplied", "dissipated"):
            self.assertIn(key, energy)
        self.assertLess(energy["residual_max"], 1e-12)
        balance = energy["final"] + energy["dissipated"] - energy["supplied"] - energy["initial"]
        self.assertLess(abs(balance), 1e-12 * energy["max"])
        self.assertGreater(report["speed"]["realtime_factor"], 0)
        self.assertGreater(report["speed"]["seconds"], 0)

    def test_sleep(self):
        """A sound that has died away stops, with the same samples before and a closed energy balance."""
        scene = self.scene("fading.lua", """
            local s = string { length = 0.7, frequency = 200, material_density = 7850, radius = 2e-4, youngs = 2e11,
                               sigma0 = 20 }
            contact { above = s, below = barrier { height = -2e-4, from = 0.1, to = 0.6 }, K = 1e9, alpha = 1.5 }
            pluck { on = s, shape = "triangle", at = 0.2, height = 1e-3 }
            probe { on = s, at = 0.1, channel = 1 }
            render { rate = 44100, duration = 1, normalise = false }
        """)
        heard = {}
        for words in ((), ("--sleep", "60"), ("--sleep", "300")):
            self.good("render", scene, "--data", "f.npy", "--energy", "f.csv", "--json", "f.json", "--quiet", *words)
            rows = [row[0] for row in read_npy(self.path("f.npy"))]
            heard[words] = rows, json.loads(read_text(self.path("f.json")))["energy"]
        awake, never, (cut, energy) = heard[()], heard[("--sleep", "300")], heard[("--sleep", "60")]
        self.assertIsNone(awake[1]["sleeps_from"])
        self.assertIsNone(never[1]["sleeps_from"])
        self.assertEqual(list(never[0]), list(awake[0]))
        at = round(energy["sleeps_from"] * 44100)
        self.assertEqual(at % 256, 0)
        self.assertTrue(0 < at < 44100)
        self.assertEqual(list(cut[:at]), list(awake[0][:at]))
        self.assertFalse(any(cut[at:]))
        self.assertEqual(energy["final"], 0)
        self.assertAlmostEqual(energy["dissipated"] / energy["initial"], 1, delta=1e-12)
        self.assertLess(energy["residual_max"], 1e-12)

    def test_residual_is_relative_to_what_flowed(self):
        """residual_max is the largest |H - H(0) - supplied + dissipated| over S, the largest of H, |supplied| and dissipated."""
        scenes = {
            "bounce": BOUNCE,
            "bowed": """local m = mass { mass = 1, frequency = 5000 }
                        bow { on = m, force = 1, velocity = 0.2 }
                        render { duration = 0.2 }""",
            "pushed": """local m = mass { mass = 0.01 }
                         spring { between = { m, "ground" }, K1 = 1e11 }
                         force { on = m, shape = "raised-cosine", peak = 10, width = 0.01 }
                         render { duration = 0.05 }""",
            "damped": """local m = mass { mass = 0.01, frequency = 1, damping = 1e4 }
                         force { on = m, shape = "constant", peak = 100 }
                         render { duration = 0.05 }""",
        }
        for name, text in scenes.items():
            with self.subTest(name):
                path = self.scene(name + ".lua", text)
                done = self.good("render", path, "--energy", "e.csv", "--json", "r.json")
                table = [[float(x) for x in line.split(",")] for line in
                         read_text(self.path("e.csv")).splitlines()[1:]]
                energy = json.loads(read_text(self.path("r.json")))["energy"]
                flowed = max([energy["initial"]] + [max(row[6], abs(row[4]), row[5]) for row in table])
                self.assertEqual(energy["residual_max"], max(abs(row[7]) for row in table) / flowed)
                self.assertLess(energy["residual_max"], 1e-9 if name == "pushed" else 1e-12)
                self.assertNotIn("doubt", done.stderr.decode())

    def test_a_force_on_a_body_held_rigidly_raises_no_alarm(self):
        """All energies are rounding there: of the force that the rigid spring holds."""
        for body, at in (("mass { mass = 0.01 }", ""), ("string { length = 1, tension = 60, density = 1e-3 }", ", at = 0.3"),
                         ("string { length = 1, tension = 60, density = 1e-3, model = 'modal' }", ", at = 0.3")):
            for push in ('force { on = b%s, shape = "raised-cosine", peak = 10, width = 0.01 }',
                         "bow { on = b%s, force = 1, velocity = 0.2 }"):
                held = 'spring { between = { b, "ground" }, rigid = true%s }' % at.replace("at", "at_a")
                path = self.scene("held.lua", "local b = %s\n%s\n%s\nrender { duration = 0.05 }" % (body, held, push % at))
                self.assertNotIn("doubt", self.good("render", path, "--json", "r.json").stderr.decode())

    def test_report_agrees_with_data(self):
        self.good("render", self.bounce, "--json", "r.json", "--data", "a.npy", "--quiet")
        report = json.loads(read_text(self.path("r.json")))
        for i, probe in enumerate(report["probes"]):
            column = [row[i] for row in read_npy(self.path("a.npy"))]
            self.assertEqual((probe["min"], probe["max"]), (min(column), max(column)))
            rms = math.sqrt(sum(x * x for x in column) / len(column))
            self.assertAlmostEqual(probe["rms"], rms, delta=1e-12 * rms)
        eta = max(row[2] for row in read_npy(self.path("a.npy")))
        self.assertEqual(report["contacts"][0]["max_penetration"], eta)

    def test_same_bytes_twice(self):
        for name in ("a", "b"):
            self.good("render", self.bounce, "-o", name + ".wav", "--data", name + ".npy",
                      "--energy", name + ".csv", "--oversample", "3")
            time.sleep(1.1)  # a time stamp in a file would differ
        for ending in (".wav", ".npy", ".csv"):
            one, two = (read_bytes(self.path(n + ending)) for n in ("a", "b"))
            self.assertEqual(one, two)

    def test_pitch_and_level(self):
        self.good("render", self.tone, "-o", "t.wav", "--quiet")
        rate, (x,), _ = read_wav(self.path("t.wav"))
        crossings = [n + x[n] / (x[n] - x[n + 1]) for n in range(len(x) - 1) if x[n] < 0 <= x[n + 1]]
        pitch = (len(crossings) - 1) * rate / (crossings[-1] - crossings[0])
        self.assertLess(abs(1200 * math.log2(pitch / 440)), 1)  # cents
        self.assertAlmostEqual(max(map(abs, x)), 0.25, 4)

    def test_normalise(self):
        loud = self.scene("loud.lua", TONE.replace("duration = 1", "duration = 1, normalise = true"))
        self.keep("loud.lua")
        self.good("render", loud, "-o", "n.wav", "--data", "n.npy")
        _, (x,), _ = read_wav(self.path("n.wav"))
        self.assertAlmostEqual(20 * math.log10(max(map(abs, x))), -1, 5)
        self.assertAlmostEqual(max(row[0] for row in read_npy(self.path("n.npy"))), 0.25, 12)
        self.assertEqual(self.new_files(), ["n.npy", "n.wav"])

    def test_silence_can_be_normalised(self):
        rest = self.scene("rest.lua", TONE.replace("position = 0.25", "position = 0")
                          .replace("duration = 1", "duration = 0.1, normalise = true"))
        self.good("render", rest, "-o", "n.wav", "--json", "r.json")
        self.assertEqual(set(read_wav(self.path("n.wav"))[1][0]), {0.0})
        report = json.loads(read_text(self.path("r.json")))
        self.assertEqual(report["energy"]["residual_max"], 0)

    def test_channels(self):
        scene = self.scene("c.lua", """
            local a = mass { mass = 1, frequency = 100, position = 0.1 }
            local b = mass { mass = 1, frequency = 150, position = 0.2 }
            probe { on = a }
            probe { on = b }
            probe { on = b, channel = 3, gain = 2 }
            probe { on = a, channel = 3, gain = -1 }
            render { duration = 0.05, rate = 8000 }""")
        self.good("render", scene, "-o", "c.wav", "--data", "c.npy")
        _, channels, _ = read_wav(self.path("c.wav"))
        rows = read_npy(self.path("c.npy"))
        self.assertEqual((len(channels), len(rows[0])), (3, 4))
        for n in range(0, 400, 7):
            self.assertAlmostEqual(channels[0][n], rows[n][0], 7)
            self.assertEqual(channels[1][n], 0)
            self.assertAlmostEqual(channels[2][n], 2 * rows[n][2] - rows[n][3], 7)

    def test_oversampling(self):
        self.good("render", self.tone, "-o", "o.wav", "--data", "o.npy", "--energy", "o.csv",
                  "--json", "o.json", "--oversample", "4", "--duration", "0.2")
        self.good("render", self.tone, "--data", "fine.npy", "--energy", "fine.csv", "--rate",
                  "176400", "--duration", "0.2")
        rows, fine = read_npy(self.path("o.npy")), read_npy(self.path("fine.npy"))
        self.assertEqual(len(rows), 8820)
        self.assertEqual(rows, fine[::4])  # every fourth state, unfiltered
        _, (x,), _ = read_wav(self.path("o.wav"))
        self.assertEqual(len(x), 8820)
        for n in range(300, 8500, 41):  # a tone far below Nyquist passes the filter in time
            self.assertAlmostEqual(x[n], rows[n][0], 6)
        coarse = read_text(self.path("o.csv")).splitlines()
        every = read_text(self.path("fine.csv")).splitlines()
        self.assertEqual(len(coarse), 8821)
        self.assertEqual(coarse[1:], every[2::4])  # step 4 n + 1 at its own time
        report = json.loads(read_text(self.path("o.json")))
        self.assertEqual((report["rate"], report["oversample"], report["samples"]), (44100, 4, 8820))

    def test_any_rate(self):
        self.good("render", self.tone, "-o", "r.wav", "--data", "r.npy", "--rate", "22050.4",
                  "--duration", "0.1")
        rate, (x,), _ = read_wav(self.path("r.wav"))
        self.assertEqual((rate, len(x), len(read_npy(self.path("r.npy")))), (22050, 2205, 2205))

    def test_scheme_for_all_contacts(self):
        alone = self.scene("alone.lua", re.sub(r"local s = spring.*", "", BOUNCE))
        for scheme in ("ledger", "quadratised", "newton", "exact", "am1", "verlet", "heun", "rk4",
                       "invariant"):
            done = self.good("render", alone, "--json", "-", "--scheme", scheme, "--quiet")
            self.assertEqual(json.loads(done.stdout)["contacts"][0]["scheme"], scheme)
            self.assertEqual(done.stderr, b"")

    def test_standard_output(self):
        done = self.good("render", self.tone, "-o", "-", "--duration", "0.1", "--quiet")
        self.assertEqual(len(read_wav(done.stdout)[1][0]), 4410)
        self.bad(2, "named twice", "render", self.tone, "-o", "-", "--json", "-")

    def test_overwrites_whole(self):
        with open(self.path("a.wav"), "w") as f:
            f.write("old " * 1000000)
        self.good("render", self.tone, "-o", "a.wav", "--duration", "0.1")
        self.assertEqual(len(read_wav(self.path("a.wav"))[1][0]), 4410)

    def test_attached_values(self):
        self.good("render", "--rate=8000", "-oa.wav", "--duration=0.5", "--", self.tone)
        self.assertEqual(len(read_wav(self.path("a.wav"))[1][0]), 4000)

    def test_scenes_of_the_repository(self):
        folder = os.path.join(SOURCE, "scenes")
        names = [n for n in sorted(os.listdir(folder)) if n.endswith(".lua")] if os.path.isdir(
            folder) else []
        if not names:
            self.skipTest("no scenes here")
        for name in names:
            with self.subTest(name):
                self.good("check", os.path.join(folder, name))


if __name__ == "__main__":
    main()
