"""The program from end to end, as a user types it.

SISTRUM is the program, SISTRUM_SOURCE the source folder. Python 3 and its standard library only.
"""

import json
import math
import os
import pty
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import xml.dom.minidom

PROGRAM = os.environ.get("SISTRUM", "sistrum")
SOURCE = os.environ.get("SISTRUM_SOURCE", os.path.join(os.path.dirname(__file__), ".."))
SANITIZED = "asan" in PROGRAM or "sanitize" in PROGRAM or "tsan" in PROGRAM

BOUNCE = """
local K = param { "K", 1e7, min = 1e3, max = 1e11, scale = "log", unit = "N/m^alpha", label = "hardness" }
local m = mass { mass = 0.01, frequency = 200, position = 0.002, damping = 2, name = "ball" }
local wall = barrier { height = -0.001 }
local c = contact { above = m, below = wall, K = K, alpha = 1.5, name = "hit" }
local s = spring { between = { m, "ground" }, K1 = 100 }
probe { on = m, quantity = "displacement", name = "u" }
probe { on = m, quantity = "velocity", name = "v" }
probe { on = c, quantity = "penetration", name = "eta" }
probe { on = c, quantity = "force", name = "f" }
render { rate = 44100, duration = 0.1, title = "Bounce" }
"""

TONE = """
local m = mass { mass = 0.1, frequency = 440, position = 0.25 }
probe { on = m, quantity = "displacement", name = "out" }
render { rate = 44100, duration = 1 }
"""

IMPACT = """
local v = param { "v", 1, min = 0.01, max = 10 }
local m = mass { mass = 0.01, velocity = -v, name = "ball" }
local wall = barrier { height = 0 }
contact { above = m, below = wall, K = 1e9, alpha = 1.5, damping = 0.5, name = "hit" }
probe { on = m, quantity = "displacement", name = "u" }
render { duration = 0.001 }
"""

ROOT = """
local s = param { "s", 0.5, min = 0.5, max = 10 }
local m = mass { mass = 1, position = -0.5, velocity = 20 }
local wall = barrier { height = 0.1 }
contact { above = wall, below = m, K = 5e9, alpha = 1.3, scheme = "root", s = s CLAMP }
probe { on = m, quantity = "displacement", name = "u" }
render { duration = 0.06 }
"""

ENERGY_HEADER = "time,kinetic,elastic,contact,supplied,dissipated,total,residual"


def read_bytes(path):
    with open(path, "rb") as f:
        return f.read()


def read_text(path):
    return read_bytes(path).decode()


def read_npy(path):
    raw = read_bytes(path)
    assert raw[:8] == b"\x93NUMPY\x01\x00"
    length = struct.unpack("<H", raw[8:10])[0]
    assert (10 + length) % 64 == 0
    header = raw[10:10 + length].decode()
    assert "'descr': '<f8'" in header and "'fortran_order': False" in header
    rows, columns = map(int, re.search(r"\((\d+), (\d+)\)", header).groups())
    values = struct.unpack("<%dd" % (rows * columns), raw[10 + length:])
    return [values[i * columns:(i + 1) * columns] for i in range(rows)]


def read_wav(source):
    raw = source if isinstance(source, bytes) else read_bytes(source)
    assert raw[:4] == b"RIFF" and raw[8:12] == b"WAVE"
    assert struct.unpack("<I", raw[4:8])[0] == len(raw) - 8
    chunks, at = {}, 12
    while at + 8 <= len(raw):
        size = struct.unpack("<I", raw[at + 4:at + 8])[0]
        chunks[raw[at:at + 4]] = raw[at + 8:at + 8 + size]
        at += 8 + size + size % 2
    kind, channels, rate, _, _, bits = struct.unpack("<HHIIHH", chunks[b"fmt "][:16])
    assert (kind, bits) == (3, 32)
    data = chunks[b"data"]
    values = struct.unpack("<%df" % (len(data) // 4), data)
    return rate, [values[i::channels] for i in range(channels)], chunks


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="sistrum-cli-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.bounce = self.scene("bounce.lua", BOUNCE)
        self.tone = self.scene("tone.lua", TONE)
        self.before = set(os.listdir(self.folder))

    def path(self, name):
        return os.path.join(self.folder, name)

    def scene(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as f:
            f.write(text)
        return self.path(name)

    def run_program(self, *arguments, **how):
        return subprocess.run([PROGRAM, *arguments], capture_output=True, timeout=60,
                              cwd=self.folder, **how)

    def good(self, *arguments, **how):
        done = self.run_program(*arguments, **how)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        return done

    def bad(self, code, part, *arguments, **how):
        """Fails with the code, one or two lines with `part` in them, and leaves no file."""
        done = self.run_program(*arguments, **how)
        text = done.stderr.decode()
        self.assertEqual(done.returncode, code, text)
        self.assertIn(part, text)
        self.assertIn(text.count("\n"), (1, 2), text)
        self.assertEqual(done.stdout, b"")
        self.assertEqual(set(os.listdir(self.folder)), self.before, "files were left behind")
        return text

    def new_files(self):
        return sorted(set(os.listdir(self.folder)) - self.before)

    def keep(self, *names):
        self.before |= set(names)


class Help(Case):
    def test_version(self):
        self.assertRegex(self.good("--version").stdout.decode(), r"^sistrum \d+\.\d+\.\d+\n$")

    def test_top(self):
        for arguments in (["--help"], ["-h"], ["help"], ["help", "--help"]):
            text = self.good(*arguments).stdout.decode()
            for word in ("render", "check", "plot", "compare", "help", "Exit codes"):
                self.assertIn(word, text)

    def test_every_command(self):
        for command, options in (("render", ["-o", "--data", "--energy", "--json", "--set", "--rate",
                                             "--duration", "--oversample", "--scheme", "--quiet"]),
                                 ("check", ["--set", "--rate", "--scheme"]),
                                 ("plot", ["-o", "--what", "--set", "--from", "--to", "hysteresis"]),
                                 ("compare", ["--schemes", "-o", "--json", "--reference", "--set",
                                              "--rate", "--duration", "--from", "--to"])):
            direct = self.good(command, "--help").stdout
            self.assertEqual(direct, self.good("help", command).stdout)
            self.assertEqual(direct, self.good(command, "nothing.lua", "-h", "--rate").stdout)
            for option in options:
                self.assertIn(option, direct.decode())

    def test_words_of_the_scene(self):
        text = self.good("help", "contact").stdout.decode()
        for word in ("alpha", "needed", "N/m^alpha", "ledger", "default"):
            self.assertIn(word, text)
        self.assertIn("--set", self.good("help", "param").stdout.decode())
        self.bad(2, "did you mean 'contact'", "help", "contcat")
        self.bad(2, "no help on", "help", "xylophone")
        self.bad(2, "one word", "help", "mass", "spring")

    def test_mistakes(self):
        self.bad(2, "no command")
        self.bad(2, "did you mean 'render'", "rendr")
        self.bad(2, "unknown command 'xyz'", "xyz")
        self.bad(2, "unknown option '--verion'", "--verion")
        self.bad(2, "did you mean '--energy'", "render", self.bounce, "--enrgy", "e.csv")
        self.bad(2, "did you mean '--duration'", "render", self.bounce, "--dur=1", "-o", "a.wav")
        self.bad(2, "unknown option '--zzz'", "check", self.bounce, "--zzz")
        self.bad(2, "--data needs a value", "render", self.bounce, "--data")
        self.bad(2, "takes no value", "render", self.bounce, "-o", "a.wav", "--quiet=yes")
        self.bad(2, "one scene at a time", "render", self.bounce, self.tone, "-o", "a.wav")
        self.bad(2, "needs a scene", "render", "-o", "a.wav")
        self.bad(2, "needs a scene", "check")
        self.bad(2, "needs a scene", "plot", "-o", "a.png")
        self.bad(2, "needs a scene", "compare", "--schemes", "ledger")


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


class Root(Case):
    def test_complex_root_stops_the_run(self):
        scene = self.scene("root.lua", ROOT.replace("CLAMP", ""))
        self.keep("root.lua")
        text = self.bad(1, "contact1: complex root at sample 13", "render", scene, "-o", "a.wav", "--data",
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


class Refused(Case):
    def test_command_line(self):
        out = ("-o", "a.wav")
        self.bad(2, "needs an output", "render", self.bounce)
        for value in ("0", "-1", "nan", "inf", "abc", "1e10", "1e-4", "", " 1", "44100Hz"):
            text = self.bad(2, "--rate must be a number from 0.001 to 1e+09 Hz", "render", self.bounce,
                            *out, "--rate=" + value)
            self.assertIn("'" + value + "'", text)
        for value in ("0", "1.5", "1025", "x"):
            self.bad(2, "--oversample must be a whole number from 1 to 1024", "render", self.bounce,
                     *out, "--oversample", value)
        self.bad(2, "--duration must be", "render", self.bounce, *out, "--duration", "-1")
        self.bad(2, "--duration must be", "render", self.bounce, *out, "--duration", "1e7")
        self.bad(2, "0 samples", "render", self.bounce, *out, "--duration", "0")
        self.bad(2, "0 samples", "render", self.bounce, *out, "--duration", "1e-6")
        self.bad(2, "given twice", "render", self.bounce, *out, "-o", "b.wav")
        self.bad(2, "did you mean 'newton'", "render", self.bounce, *out, "--scheme", "newtn")
        text = self.bad(2, "unknown scheme 'magic'", "render", self.bounce, *out, "--scheme", "magic")
        self.assertIn("ledger", text)

    def test_settings(self):
        out = ("-o", "a.wav")
        self.bad(2, "L", "render", self.bounce, *out, "--set", "L=1")
        self.bad(2, "1e11", "render", self.bounce, *out, "--set", "K=1e12")
        self.bad(2, "NAME=VALUE", "render", self.bounce, *out, "--set", "K")
        self.bad(2, "NAME=VALUE", "render", self.bounce, *out, "--set", "=1")
        self.bad(2, "not a number", "render", self.bounce, *out, "--set", "K=big")
        self.bad(2, "not a number", "render", self.bounce, *out, "--set", "K=")
        self.bad(2, "not a number", "render", self.bounce, *out, "--set", "K=inf")

    def test_outputs_in_one_another(self):
        self.bad(2, "named twice", "render", self.bounce, "--data", "a", "--energy", "./a")
        plain = self.scene("plain", BOUNCE)
        self.keep("plain")
        self.bad(2, "scene itself", "render", plain, "--data", "./plain")
        self.assertEqual(read_text(plain), BOUNCE)
        self.bad(2, "writes .wav files", "render", self.bounce, "-o", "a.flac")
        self.bad(2, "writes .npy files", "render", self.bounce, "--data", "a.csv")
        self.bad(2, "writes .json files", "render", self.bounce, "--json", "bounce.lua")

    def test_beyond_wav(self):
        self.bad(2, "1 Hz is the least", "render", self.scene_slow(), "-o", "a.wav", "--rate", "0.3",
                 "--duration", "100")
        self.bad(2, "4 GiB", "render", self.tone, "-o", "a.wav", "--duration", "100000")

    def scene_slow(self):
        self.keep("slow.lua")
        return self.scene("slow.lua", "local m = mass { mass = 1, velocity = 1 }\nprobe { on = m }\n")

    def test_slow_data(self):
        self.good("render", self.scene_slow(), "--data", "s.npy", "--rate", "0.5", "--duration", "100")
        self.assertEqual(len(read_npy(self.path("s.npy"))), 50)

    def test_scene(self):
        def scene(name, text):
            self.keep(name)
            return self.scene(name, text)
        out = ("-o", "a.wav")
        self.bad(3, "nowhere.lua", "render", "nowhere.lua", *out)
        self.bad(3, "nowhere.lua", "check", "nowhere.lua")
        self.bad(3, "wrong.lua:2:", "render", scene("wrong.lua", "\nmass {"), *out)
        self.bad(3, "did you mean", "render", scene("key.lua", "mass { mas = 1 }"), *out)
        self.bad(3, "none.lua", "render", scene("none.lua", ""), *out)
        self.bad(3, "nothing that moves", "check", scene("wall.lua", "barrier { height = 0 }"))
        mute = scene("mute.lua", "mass { mass = 1, velocity = 1 }")
        self.bad(3, "no probe has a channel", "render", mute, *out)
        self.bad(3, "no probe", "render", mute, "--data", "a.npy")
        self.good("render", mute, "--json", "-")
        fast = scene("fast.lua", "probe { on = mass { mass = 1, frequency = 30000 } }")
        self.bad(3, "fast.lua", "render", fast, *out)
        self.bad(3, "", "render", self.folder, *out)


class Unwritable(Case):
    def test_places(self):
        """Paths that also root cannot write."""
        with open(self.path("file"), "w"):
            pass
        os.mkdir(self.path("folder"))
        self.keep("file", "folder")
        for option, name in (("-o", "a.wav"), ("--data", "a.npy"), ("--energy", "a.csv"),
                             ("--json", "a.json")):
            self.bad(1, "Not a directory", "render", self.bounce, option, "file/" + name)
            self.bad(1, "no such directory", "render", self.bounce, option, "none/" + name)
            self.bad(1, "it is a directory", "render", self.bounce, option, "folder")
            self.bad(1, "it is a directory", "render", self.bounce, "--data", "x.npy", "--energy",
                     "x.csv", *(("-o", "folder") if option == "-o" else ("--json", "folder")))

    def test_full_disk(self):
        if os.path.exists("/dev/full"):
            for option in ("-o", "--data", "--energy", "--json"):
                self.bad(1, "No space left", "render", self.bounce, option, "/dev/full")

        def little():
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
        for option, name in (("-o", "a.wav"), ("--data", "a.npy"), ("--energy", "a.csv")):
            self.bad(1, "File too large", "render", self.bounce, "--json", "r.json", option, name,
                     preexec_fn=little)
        loud = self.scene("loud.lua", TONE.replace("duration = 1", "duration = 1, normalise = true"))
        self.keep("loud.lua")
        self.bad(1, "File too large", "render", loud, "-o", "a.wav", preexec_fn=little)

    def test_null_stays_null(self):
        self.good("render", self.bounce, "-o", "/dev/null", "--data", "/dev/null")
        self.assertFalse(os.path.isfile("/dev/null"))

    def test_closed_pipe(self):
        for arguments in (["render", self.bounce, "--json", "-", "-o", "a.wav"], ["check", self.bounce],
                          ["--help"], ["help", "mass"]):
            reading, writing = os.pipe()
            os.close(reading)
            done = subprocess.run([PROGRAM, *arguments], stdout=writing, stderr=subprocess.PIPE,
                                  cwd=self.folder, timeout=60)
            os.close(writing)
            self.assertEqual(done.returncode, 1, arguments)
            self.assertIn(b"standard output", done.stderr)
            self.assertEqual(self.new_files(), [])

    def test_closed_standard_output(self):
        for arguments in ("render bounce.lua --json -", "check bounce.lua", "--help"):
            done = self.run_program_in_shell(arguments + " >&-")
            self.assertEqual(done.returncode, 1, arguments)
            self.assertIn(b"standard output", done.stderr)
        done = self.run_program_in_shell("render bounce.lua -o a.wav <&- >&- 2>&-")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(len(read_wav(self.path("a.wav"))[1][0]), 4410)
        self.assertEqual(self.new_files(), ["a.wav"])

    def run_program_in_shell(self, line):
        return subprocess.run('"$SISTRUM" ' + line, shell=True, cwd=self.folder, capture_output=True,
                              timeout=60, env=dict(os.environ, SISTRUM=PROGRAM))

    def test_scene_from_a_pipe(self):
        with open(self.bounce, "rb") as f:
            done = self.run_program("render", "/dev/stdin", "--json", "-", "--quiet", stdin=f)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_signals(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            run = subprocess.Popen([PROGRAM, "render", self.bounce, "-o", "a.wav", "--data", "a.npy",
                                    "--energy", "a.csv", "--duration", "20000"], cwd=self.folder,
                                   stderr=subprocess.PIPE)
            for _ in range(500):
                if len(self.new_files()) >= 3:
                    break
                time.sleep(0.01)
            self.assertEqual(len(self.new_files()), 3)
            run.send_signal(number)
            run.communicate(timeout=20)
            self.assertEqual(run.returncode, -number)
            self.assertEqual(self.new_files(), [])

    def test_old_file_survives_a_failure(self):
        with open(self.path("a.wav"), "w") as f:
            f.write("old")
        self.keep("a.wav")
        self.bad(1, "Not a directory", "render", self.bounce, "-o", "a.wav", "--json", "bounce.lua/r")
        self.assertEqual(read_text(self.path("a.wav")), "old")


class Long(Case):
    def test_memory_does_not_grow(self):
        if SANITIZED:
            self.skipTest("sanitizers need memory of their own")
        loud = self.scene("loud.lua", TONE.replace("duration = 1", "duration = 1, normalise = true"))
        largest = []
        for duration in ("1", "100"):
            run = subprocess.Popen([PROGRAM, "render", loud, "-o", "a.wav", "--data", "a.npy",
                                    "--oversample", "2", "--duration", duration, "--quiet"],
                                   cwd=self.folder)
            _, status, usage = os.wait4(run.pid, 0)
            run.returncode = status
            self.assertEqual(status, 0)
            largest.append(usage.ru_maxrss)
        self.assertLess(largest[1], largest[0] + 4096)  # kB

    def test_progress_on_a_terminal_only(self):
        try:
            master, slave = pty.openpty()
        except OSError as error:  # a machine without terminals
            self.skipTest(str(error))
        run = subprocess.Popen([PROGRAM, "render", self.bounce, "--json", "r.json", "--duration",
                                "1e5"], cwd=self.folder, stderr=slave)
        os.close(slave)
        seen = b""
        while b"%, " not in seen:
            seen += os.read(master, 4096)
        self.assertIn(b"\r[", seen)
        run.terminate()
        run.wait(timeout=60)
        os.close(master)
        done = self.good("render", self.bounce, "--json", "r.json", "--duration", "20")
        self.assertNotIn(b"\r", done.stderr)


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
    SUBJECTS = ("energy", "signal", "phase", "penetration", "hysteresis", "contact", "spectrogram")

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
        for part in ("energy balance", "kinetic", "contact", "dissipated", "of max H", "time (ms)"):
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

    def test_names_are_only_names(self):
        names = ["it's", 'a"b', "_under^score_", "@at", "\\\\back", "{brace}", "`touch PWNED`", "$x",
                 "%s%n", "<&>", "ünï", "#no comment", "; system('touch PWNED')"]
        text = "".join("probe { on = mass { mass = 1, frequency = 100, position = 1, name = [[%s]] } }\n"
                       % name.replace("\\\\", "\\") for name in names)
        scene = self.scene("evil.lua", text + "render { duration = 0.01, title = [[" +
                           " ".join(names).replace("\\\\", "\\") + "]] }\n")
        self.keep("evil.lua")
        for subject in ("signal", "phase", "energy"):
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
        text = self.bad(2, "not available", "plot", self.bounce, "-o", "a.png", "--what", "snapshots")
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
    print("program:", PROGRAM, file=sys.stderr)
    unittest.main(verbosity=1)
