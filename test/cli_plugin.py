"""sistrum plugin: bundles that are complete or not there, and Turtle that holds whatever a scene is called."""

import os
import re
import shutil
import subprocess
import unittest

from cli_case import PROGRAM, SANITIZED, Case, main, read_bytes, read_text

BINARY = os.path.join(os.path.dirname(PROGRAM), "sistrum-lv2.so")

# A string that notes play, with knobs whose names and labels are hard to write down.
ODD = "-- Odd: \"quotes\" \\ a\ttab \1 and more\n" + r"""
local f0 = param { "f0", 220, min = 80, max = 1000, unit = "Hz" }
local K = param { "K", 1e6, min = 1e4, max = 1e8, scale = "log", unit = "N/m^2", label = "hard \"ness\" \\ and more" }
local gain = param { "gain", 0.5, min = 0, max = 1, unit = "%", label = "1: loud; 0: silent" }
local two = param { "2nd", 1, min = 0, max = 2, label = "größer, in °" }
local a = input { "a b", 0, min = -1, max = 1, label = "one step" }
local b = input { "a_b", 0, min = -1, max = 1, unit = "s", label = "→" }
local s = string { length = 0.6, frequency = f0, density = 1e-3, sigma0 = 1 + two, segments = 40 }
local wall = barrier { height = -1e-3 }
contact { above = s, below = wall, K = K, alpha = 1, gap = 1e-3 + 1e-4 * a }
force { on = s, at = 0.1, peak = gain, width = 1e-3 }
probe { on = s, at = 0.5, quantity = "velocity", gain = 1 + 0.1 * b }
preset { "Soft \"and\" <long>", K = 1e4, a_b = 0.5 }
preset { "é", gain = 1 }
render { rate = 48000, duration = 0.1, title = "An \"odd\" \\ scene" }
play { pitch = "f0" }
"""

TOKEN = re.compile(r"""\s+ | <[^<>"{}|^`\\\x00-\x20]*> | "(?:[^"\\\n\r]|\\["\\nrt]|\\u[0-9A-F]{4})*"
                   | @prefix | [a-z0-9]+:[A-Za-z0-9_]* | [-+]?[0-9]+(?:\.[0-9]+)?(?:e[-+]?[0-9]+)? | [][.,;] | a\b """, re.X)


def tokens(text):
    """All tokens of a Turtle file; fails on what is none."""
    at, found = 0, []
    while at < len(text):
        match = TOKEN.match(text, at)
        assert match and match.end() > at, f"no Turtle: {text[at:at + 60]!r}"
        found.append(match.group())
        at = match.end()
    return [token for token in found if token.strip()]


@unittest.skipUnless(os.path.exists(BINARY), "the LV2 plugin is not built here")
class Plugin(Case):
    def setUp(self):
        super().setUp()
        self.odd = self.scene("odd.lua", ODD)
        self.before = set(os.listdir(self.folder))

    def bundle(self, name):
        return sorted(os.listdir(self.path(name)))

    def test_a_bundle_is_complete(self):
        done = self.good("plugin", self.odd, "-o", "lv2")
        self.assertIn("odd.lv2: An \"odd\" \\ scene, 5 knobs, 2 presets, played by notes", done.stdout.decode())
        self.assertEqual(os.listdir(self.path("lv2")), ["odd.lv2"])
        self.assertEqual(self.bundle("lv2/odd.lv2"), sorted(["LICENSE.txt", "bundle.txt", "manifest.ttl", "odd.ttl",
                                                             "presets.ttl", "scene.lua", "sistrum.so"]))
        self.assertEqual(read_bytes(self.path("lv2/odd.lv2/sistrum.so")), read_bytes(BINARY))
        self.assertEqual(read_text(self.path("lv2/odd.lv2/scene.lua")), ODD)
        self.assertIn("Lua.org", read_text(self.path("lv2/odd.lv2/LICENSE.txt")))
        self.assertRegex(read_text(self.path("lv2/odd.lv2/bundle.txt")), r"(?m)^peak [0-9.e-]+$")

    def test_the_turtle_holds_any_name(self):
        with open(self.path("two words \u00e9.lua"), "wb") as f:
            f.write(ODD.encode().replace(b"and more\n", b"and \xff\xc3 more\n", 1))
        self.good("plugin", "two words \u00e9.lua", "-o", "lv2", "--properties", "--quiet")
        folder = "lv2/two words \u00e9.lv2/"
        for file in ("manifest.ttl", "two words \u00e9.ttl", "presets.ttl"):
            self.assertTrue(tokens(read_text(self.path(folder + file))))
        manifest = read_text(self.path(folder + "manifest.ttl"))
        self.assertIn("<urn:sistrum:two%20words%20%C3%A9>", manifest)
        self.assertIn("<two%20words%20%C3%A9.ttl>", manifest)
        self.assertIn(r'"Soft \"and\" <long>"', manifest)
        text = read_text(self.path(folder + "two words \u00e9.ttl"))
        self.assertIn(r'rdfs:comment "\"quotes\" \\ a\u0009tab \u0001 and \uFFFD\uFFFD more"', text)
        self.assertIn(r'rdfs:comment "hard \"ness\" \\ and more"', text)
        self.assertIn("patch:writable <urn:sistrum:two%20words%20%C3%A9#K>", text)

    def test_ports(self):
        self.good("plugin", self.odd, "-o", "lv2", "--quiet")
        text = read_text(self.path("lv2/odd.lv2/odd.ttl"))
        indices = [int(i) for i in re.findall(r"lv2:index (\d+)", text)]
        self.assertEqual(indices, list(range(len(indices))))
        ports = text.split("\n\n<")[1]
        symbols = re.findall(r'lv2:symbol "(.*)"', ports)
        self.assertEqual(len(symbols), len(indices))
        self.assertEqual(len(set(symbols)), len(symbols))
        for symbol in symbols:
            self.assertRegex(symbol, r"^[A-Za-z_][A-Za-z0-9_]*$")
        self.assertEqual(symbols[-5:], ["K", "gain", "_2nd", "a_b", "a_b_2"])
        knob = dict((part.split('lv2:symbol "')[1].split('"')[0], part) for part in ports.split("lv2:index")[1:])
        self.assertIn("pprops:logarithmic", knob["K"])
        self.assertNotIn("pprops:logarithmic", knob["gain"])
        self.assertIn('units:render "%f N/m^2"', knob["K"])
        self.assertIn("units:unit units:pc", knob["gain"])
        self.assertIn('lv2:name "Gain"', knob["gain"])
        self.assertIn("#gestures>", knob["a_b"])
        self.assertNotIn("patch:writable", text)

    def test_ports_are_floats_whatever_the_range(self):
        scene = self.scene("far.lua", """
local K = param { "K", 1, min = 1e-300, max = 1e300, scale = "log" }
local n = param { "n", 0, min = -1e-60, max = 1e308 }
local m = mass { mass = 1, velocity = 1, frequency = 200 }
probe { on = m, quantity = "velocity" }
preset { "Far", K = 1e299, n = 1e-60 }
""")
        self.good("plugin", scene, "-o", "lv2")
        for file in ("far.ttl", "presets.ttl"):
            text = read_text(self.path("lv2/far.lv2/" + file))
            numbers = [abs(float(n)) for n in re.findall(r"(?:default|minimum|maximum|pset:value) (-?[0-9.e+-]+)", text)]
            self.assertGreater(len(numbers), 1)
            for number in numbers:
                self.assertTrue(number == 0 or 1.17e-38 < number < 3.41e38, number)

    def test_presets_are_values_of_all_knobs(self):
        self.good("plugin", self.odd, "-o", "lv2", "--quiet")
        first, second = read_text(self.path("lv2/odd.lv2/presets.ttl")).split("pset:Preset")[1:]
        self.assertIn('"K" ; pset:value 10000.0', first)
        self.assertIn('"a_b_2" ; pset:value 0.5', first)
        self.assertIn('"gain" ; pset:value 0.5', first)
        self.assertIn('"K" ; pset:value 1000000.0', second)
        self.assertIn('"gain" ; pset:value 1.0', second)

    def test_it_replaces_its_own_bundle(self):
        self.good("plugin", self.odd, "-o", "lv2", "--quiet")
        self.scene("odd.lua", ODD.replace("preset {", "-- preset {"))
        self.scene("lv2/odd.lv2/edited.txt", "by hand")
        self.assertEqual(self.good("plugin", self.odd, "-o", "lv2", "--quiet").stdout, b"")
        self.assertEqual(os.listdir(self.path("lv2")), ["odd.lv2"])
        self.assertNotIn("presets.ttl", self.bundle("lv2/odd.lv2"))
        self.assertNotIn("edited.txt", self.bundle("lv2/odd.lv2"))

    def test_what_is_not_its_own_stays(self):
        self.keep("lv2")
        os.makedirs(self.path("lv2/odd.lv2"))
        self.scene("lv2/odd.lv2/manifest.ttl", "another")
        self.bad(1, "is no bundle of sistrum", "plugin", self.odd, "-o", "lv2")
        self.assertEqual(self.bundle("lv2/odd.lv2"), ["manifest.ttl"])
        shutil.rmtree(self.path("lv2/odd.lv2"))
        self.scene("lv2/odd.lv2", "a file")
        self.bad(1, "is no bundle of sistrum", "plugin", self.odd, "-o", "lv2")
        os.remove(self.path("lv2/odd.lv2"))
        self.good("plugin", self.odd, "-o", "lv2", "--quiet")
        os.mkdir(self.path("lv2/odd.lv2/own"))
        self.bad(1, "is no bundle of sistrum", "plugin", self.odd, "-o", "lv2")
        self.assertIn("own", self.bundle("lv2/odd.lv2"))

    def test_what_a_killed_run_left_is_removed(self):
        ended = subprocess.Popen(["true"])
        ended.wait()
        os.makedirs(self.path(f"lv2/.sistrum-{ended.pid}.lv2"))
        self.scene(f"lv2/.sistrum-{ended.pid}.lv2/scene.lua", "")
        self.good("plugin", self.odd, "-o", "lv2", "--quiet")
        self.assertEqual(os.listdir(self.path("lv2")), ["odd.lv2"])

    def test_mistakes(self):
        self.bad(2, "needs a scene", "plugin", "-o", "lv2")
        self.bad(2, "-o DIR", "plugin", self.odd)
        self.bad(2, "leave out", "plugin", self.odd, "--all", "-o", "lv2")
        self.bad(2, "odd.lv2", "plugin", self.odd, "./odd.lua", "-o", "lv2")
        self.bad(2, "did you mean '--properties'", "plugin", self.odd, "-o", "lv2", "--propertis")
        self.bad(3, "no scene 'tanpurra' (did you mean 'tanpura'?)", "plugin", "tanpurra", "-o", "lv2")
        self.bad(1, "cannot make the folder", "plugin", self.odd, "-o", "bounce.lua/lv2")
        self.bad(1, "cannot make the folder", "plugin", self.odd, "-o", "no/such/folder")
        self.keep("wrong.lua")
        wrong = self.scene("wrong.lua", "mass { mas = 1 }")
        self.bad(3, "wrong.lua:1: mass", "plugin", wrong, "-o", "lv2")
        self.keep("silent.lua")
        silent = self.scene("silent.lua", "mass { mass = 1, frequency = 100 }")
        self.bad(3, "silent.lua", "plugin", silent, "-o", "lv2")

    def test_names_that_hosts_do_not_find_are_refused(self):
        for name in ("new\nline", "bell\a", "delete\x7f"):
            self.keep(name + ".lua")
            self.scene(name + ".lua", ODD)
            self.bad(3, "control character", "plugin", name + ".lua", "-o", "lv2")

    def test_one_that_fails_does_not_stop_the_others(self):
        wrong = self.scene("wrong.lua", "mass { mas = 1 }")
        done = self.run_program("plugin", wrong, self.odd, "-o", "lv2")
        self.assertEqual(done.returncode, 3)
        self.assertEqual(done.stderr.decode().count("\n"), 1)
        self.assertEqual(os.listdir(self.path("lv2")), ["odd.lv2"])

    def test_all_are_those_that_are_played(self):
        os.mkdir(self.path("mine"))
        for name in ("odd.lua", "bounce.lua"):
            os.rename(self.path(name), self.path("mine/" + name))
        done = subprocess.run([PROGRAM, "plugin", "--all", "-o", "lv2"], capture_output=True, cwd=self.folder,
                              env=dict(os.environ, SISTRUM_SCENES=self.path("mine"), SISTRUM_DATA="/nowhere"),
                              timeout=100, check=True)
        bundles = os.listdir(self.path("lv2"))
        self.assertIn("odd.lv2", bundles)
        self.assertNotIn("bounce.lv2", bundles)
        self.assertEqual(len(bundles), len(done.stdout.decode().splitlines()))

    def test_without_its_binary_it_says_so(self):
        self.keep("bin")
        os.mkdir(self.path("bin"))
        shutil.copy(PROGRAM, self.path("bin/sistrum"))
        done = subprocess.run([self.path("bin/sistrum"), "plugin", self.odd, "-o", "lv2"], capture_output=True,
                              cwd=self.folder, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("sistrum-lv2.so", done.stderr.decode())
        self.assertEqual(done.stderr.decode().count("\n"), 1)
        self.assertEqual(self.new_files(), [])
        # Where it is installed, it is found.
        os.makedirs(self.path("lib/sistrum"))
        for file in ("sistrum-lv2.so", "sistrum-lv2.txt"):
            shutil.copy(os.path.join(os.path.dirname(PROGRAM), file), self.path("lib/sistrum/" + file))
        subprocess.run([self.path("bin/sistrum"), "plugin", self.odd, "-o", "lv2"], capture_output=True,
                       cwd=self.folder, check=True)
        self.assertIn("sistrum.so", self.bundle("lv2/odd.lv2"))

    def test_the_binary_needs_little_and_shows_little(self):
        if not shutil.which("readelf") or SANITIZED:
            self.skipTest("no readelf, or a sanitizer")
        text = subprocess.run(["readelf", "-d", "--dyn-syms", "-W", BINARY], capture_output=True, text=True,
                              check=True).stdout
        needed = set(re.findall(r"NEEDED.*\[(.*?)\.so", text))
        self.assertLessEqual(needed, {"libc", "libm", "libpthread", "ld-linux-x86-64", "ld-linux-aarch64"})
        self.assertNotIn("TEXTREL", text)
        shown = [line.split()[-1] for line in text.splitlines()
                 if re.search(r" (GLOBAL|WEAK) +DEFAULT +\d+ ", line)]
        self.assertEqual(shown, ["lv2_descriptor"])


if __name__ == "__main__":
    main()
