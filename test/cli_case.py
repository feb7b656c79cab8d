"""What the tests of the program share: scenes, readers of its files, and the case they derive from.

SISTRUM is the program, SISTRUM_SOURCE the source folder. Python 3 and its standard library only.
"""

import json
import os
import re
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.environ.get("SISTRUM", "sistrum")
SOURCE = os.environ.get("SISTRUM_SOURCE", os.path.join(os.path.dirname(__file__), ".."))
SANITIZED = os.path.basename(os.path.dirname(os.path.abspath(PROGRAM))) in ("asan", "tsan")

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

STRING = """
local s = string { length = 0.65, tension = 70, density = 1e-3, radius = 2e-4, youngs = 2e11, sigma0 = 1,
                   sigma1 = 1e-3, name = "wire" EXTRA }
"""

# Plucked, and falling onto a bridge that bends away from it.
BRIDGE = STRING + """
local b = barrier { height = function(x) return -3e-4 - 1e-3 * x * x end, name = "bridge" }
contact { above = s, below = b, K = 1e8, alpha = 1.5, name = "buzz" }
pluck { on = s, shape = "triangle", at = 0.2, height = 3e-3 }
probe { on = s, at = 0.55, quantity = "velocity", name = "out" }
render { rate = 22050, duration = 0.05, title = "Bridge" }
"""

# Struck by a mass, over frets.
FRETS = STRING + """
local neck = barrier { height = -5e-4, at = { 0.1, 0.2, 0.3, 0.4 }, name = "neck" }
local hammer = mass { mass = 2e-3, position = 1e-4, velocity = -2, name = "hammer" }
contact { above = s, below = neck, K = 1e7, alpha = 1.3, name = "frets" }
contact { above = hammer, below = s, at_below = 0.5, K = 1e8, alpha = 2, name = "strike" }
render { rate = 22050, duration = 0.05, title = "Frets" }
"""

TWO = """
local function wire(T, name)
  return string { length = 1, tension = T, density = 0.01, sigma0 = 0.5, segments = 40, name = name }
end
local upper, lower = wire(160, "upper"), wire(120, "lower")
contact { above = upper, below = lower, K = 5e8, alpha = 1.5, gap = 1e-3, name = "clash" }
pluck { on = upper, shape = "raised-cosine", at = 0.3, height = 4e-3, width = 0.2 }
render { rate = 22050, duration = 0.05 }
"""

# A bowed string on a bridge that rattles on a board, which is tied to a box.
NETWORK = """
local wire = string { length = 0.5, tension = 40, density = 4e-3, sigma0 = 1, sigma1 = 1e-3, name = "wire" }
local bridge = mass { mass = 1e-3, frequency = 500, name = "bridge" }
local board = plate { size = { 0.4, 0.2 }, thickness = 1e-3, material_density = 2700, youngs = 7e10, sigma0 = 2,
                      sigma1 = 1e-3, segments = { 16, 8 }, name = "board" }
local box = modal { modes = { { 110, 1, 0.2, { 1, 0.5 } }, { 260, 0.8, 0.1, { 1, -0.8 } } }, name = "box" }
contact { above = wire, below = bridge, at_above = 0.42, K = 5e6, alpha = 1.3, law = "two-sided", name = "foot" }
contact { above = bridge, below = board, at_below = { 0.3, 0.15 }, K = 5e8, alpha = 1.3, gap = 1e-6, name = "rattle" }
spring { between = { board, box }, at_a = { 0.1, 0.05 }, at_b = 2, K1 = 1e5, name = "post" }
local b = bow { on = wire, at = 0.1, force = 0.5, velocity = 0.2, name = "stick" }
probe { on = board, at = { 0.2, 0.1 }, quantity = "velocity", name = "out" }
render { rate = 22050, duration = 0.06, title = "Network" }
"""

# Two plates that are tied together, one of them struck.
PLATES = """
local top = plate { size = { 0.3, 0.2 }, thickness = 1e-3, material_density = 2700, youngs = 7e10, sigma0 = 2,
                    model = "modal", modes = 30, name = "top" }
local back = plate { size = { 0.3, 0.2 }, thickness = 1e-3, material_density = 2700, youngs = 7e10, sigma0 = 2,
                     edge = "clamped", segments = { 15, 10 }, name = "back" }
local mallet = mass { mass = 5e-3, velocity = -1, name = "mallet" }
contact { above = mallet, below = top, at_below = { 0.1, 0.05 }, K = 1e8, alpha = 1.5, name = "blow" }
spring { between = { top, back }, at_a = { 0.2, 0.1 }, at_b = { 0.2, 0.1 }, rigid = true, name = "post" }
render { rate = 22050, duration = 0.03, title = "Plates" }
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


def count_runs(path):
    """Rows of a database that may be being written."""
    try:
        base = sqlite3.connect("file:%s?mode=ro" % path, uri=True)
    except sqlite3.Error:
        return 0
    try:
        return base.execute("SELECT count(*) FROM runs").fetchone()[0]
    except sqlite3.Error:
        return 0
    finally:
        base.close()


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


class RunCase(Case):
    def report(self, *arguments):
        done = self.good("render", *arguments, "--json", "-", "--quiet")
        self.assertNotIn(b"NaN", done.stdout)
        return json.loads(done.stdout)

    def checked(self, *arguments):
        return self.good("check", *arguments).stdout.decode()


class StringCase(RunCase):
    def setUp(self):
        super().setUp()
        self.bridge = self.scene("bridge.lua", BRIDGE.replace("EXTRA", ""))
        self.frets = self.scene("frets.lua", FRETS.replace("EXTRA", ""))
        self.two = self.scene("two.lua", TWO)
        self.before = set(os.listdir(self.folder))


class NetworkCase(RunCase):
    def setUp(self):
        super().setUp()
        self.network = self.scene("network.lua", NETWORK)
        self.plates = self.scene("plates.lua", PLATES)
        self.before = set(os.listdir(self.folder))


def main():
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell ignores it for what it starts in the background
    print("program:", PROGRAM, file=sys.stderr)
    unittest.main(module="__main__", verbosity=1)
