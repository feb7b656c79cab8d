"""The rows of a study: axes, draws, pairs, notes, curves, sounds, measures, also own ones."""

import json
import os
import re
import resource
import sqlite3
import subprocess
import tarfile
import time
import unittest
import warnings

from cli_case import BOUNCE, PROGRAM, SANITIZED, main, read_bytes, read_wav
from cli_sweep import PICKY, StudyCase


class Rows(StudyCase):
    def test_the_first_axis_is_slowest(self):
        rows = self.sweep("a", "--axis", "f0=200,300", "--axis", "hard=0.5:1.5:3", "--duration", "0.01", scene=self.bell)
        self.assertEqual([(row["f0"], row["hard"]) for row in rows],
                         [("200", "0.5"), ("200", "1"), ("200", "1.5"), ("300", "0.5"), ("300", "1"), ("300", "1.5")])
        self.assertEqual(list(rows[0]), ["index", "f0", "hard", "peak", "rms", "centroid", "error"])
        self.assertEqual([row["index"] for row in rows], list("012345"))

    def test_a_log_axis_ends_where_it_should_and_decimals_are_exact(self):
        rows = self.sweep("a", "--axis", "K=1e3:1e11:log:9", "--duration", "0.01")
        values = [float(row["K"]) for row in rows]
        self.assertEqual((values[0], values[-1]), (1e3, 1e11))
        for i, value in enumerate(values):
            self.assertAlmostEqual(value / 10 ** (3 + i), 1, 12)
        with sqlite3.connect(self.path("a.db")) as base:
            for row, kept in zip(rows, base.execute("SELECT rms, peak FROM runs ORDER BY idx")):
                self.assertEqual((float(row["rms"]), float(row["peak"])), kept)
                self.assertLessEqual(len(row["rms"]), len(repr(kept[0])))

    def test_rows_are_what_render_says(self):
        rows = self.sweep("a", "--random", "5", "--measure", "peak,rms,max_force,max_penetration@hit,contact_time,residual",
                          "--sounds", "wav")
        with tarfile.open(self.path("a-shards/shard-000000.tar")) as shard:
            names = shard.getnames()
            sounds = [shard.extractfile(name).read() for name in names if name.endswith(".wav")]
            told = [json.load(shard.extractfile(name)) for name in names if name.endswith(".json")]
        self.assertEqual(names[:4], ["000000000.json", "000000000.wav", "000000001.json", "000000001.wav"])
        for row, sound, about in zip(rows, sounds, told):
            done = self.good("render", self.bounce, "--set", "K=" + row["K"], "-o", "a.wav", "--json", "-", "--quiet")
            report = json.loads(done.stdout)
            self.assertEqual(sound, read_bytes(self.path("a.wav")))
            hit = report["contacts"][0]
            self.assertEqual(float(row["max_force"]), hit["max_force"])
            self.assertEqual(float(row["max_penetration@hit"]), hit["max_penetration"])
            self.assertAlmostEqual(float(row["contact_time"]), hit["contact_samples"] / 44100, 12)
            self.assertEqual(float(row["residual"]), report["energy"]["residual_max"])
            probe = report["probes"][0]
            self.assertEqual(float(row["peak"]), max(probe["max"], -probe["min"]))
            self.assertAlmostEqual(float(row["rms"]) / probe["rms"], 1, 12)
            self.assertEqual(about["params"]["K"], float(row["K"]))
            self.assertEqual(about["measures"]["peak"], float(row["peak"]))

    def test_exit_speed_and_energy(self):
        scene = self.scene("hit.lua", """
local v = param { "v", 1, min = 0.01, max = 10 }
local m = mass { mass = 0.01, velocity = -v, position = 1e-4, name = "ball" }
contact { above = m, below = barrier { height = 0 }, K = 1e8, alpha = 1.5, name = "hit" }
probe { on = m, quantity = "displacement", name = "u" }
render { duration = 0.02 }
""")
        for row in self.sweep("a", "--axis", "v=0.5:2:4", "--measure", "exit_speed,energy@0,energy@0.02", scene=scene):
            v = float(row["v"])
            self.assertAlmostEqual(float(row["exit_speed"]) / v, 1, 9)
            self.assertAlmostEqual(float(row["energy@0"]) / (0.005 * v * v), 1, 9)
            self.assertAlmostEqual(float(row["energy@0.02"]) / (0.005 * v * v), 1, 9)
        row = self.sweep("b", "--axis", "v=0.5", "--duration", "1e-4", "--measure", "exit_speed,peak", scene=scene)[0]
        self.assertEqual((row["exit_speed"], row["error"]), ("", "exit_speed: nothing is touched"))
        self.assertGreater(float(row["peak"]), 0)

    def test_an_energy_after_the_end_of_a_run_is_no_number(self):
        scene = self.scene("short.lua", """
local long = param { "long", 0.02, min = 0.001, max = 1 }
local m = mass { mass = 0.01, frequency = 100, damping = 20, position = 1e-3 }
render { rate = 8000, duration = long }
""")
        rows = self.sweep("short", "--axis", "long=0.005,0.01,0.02", "--measure", "energy@0,energy@0.01", scene=scene)
        self.assertEqual(rows[0]["error"], "energy@0.01: the run ends before")
        self.assertEqual([row["energy@0.01"] == "" for row in rows], [True, False, False])
        self.assertEqual(rows[1]["energy@0.01"], rows[2]["energy@0.01"])
        self.assertEqual(len({row["energy@0"] for row in rows} - {""}), 1)
        self.keep("short.db", "short.csv", "short.lua")

    def test_notes_and_velocities(self):
        rows = self.sweep("a", "--axis", "note=A3,C4,69.5", "--axis", "velocity=0:1:3", "--set", "push=0", "--measure",
                          "pitch,peak,t60", scene=self.bell)
        for row in rows:
            hz = 440 * 2 ** ((float(row["note"]) - 69) / 12)
            self.assertAlmostEqual(float(row["pitch"]) / hz, 1, 2)
            self.assertAlmostEqual(float(row["peak"]), 0.1 + 1.9 * float(row["velocity"]), 2)
            self.assertAlmostEqual(float(row["t60"]), 0.5, 1)
        self.assertEqual(len(rows), 9)

    def test_inputs_and_curves(self):
        rows = self.sweep("a", "--axis", "push=0,0.25,1", "--measure", "energy@0.4", scene=self.bell)
        self.assertEqual(len({row["energy@0.4"] for row in rows}), 3)
        for row in rows:
            report = json.loads(self.good("render", self.bell, "--set", "push=" + row["push"], "--json", "-", "--quiet").stdout)
            self.assertEqual(float(row["energy@0.4"]), report["energy"]["final"])
        self.scene("push.csv", "time,value\n0,0\n0.2,1\n")
        rows = self.sweep("b", "--axis", "hard=0.5,1", "--input", "push=push.csv", "--measure", "energy@0.4", scene=self.bell)
        for row in rows:
            report = json.loads(self.good("render", self.bell, "--set", "hard=" + row["hard"], "--input", "push=push.csv",
                                          "--json", "-", "--quiet").stdout)
            self.assertEqual(float(row["energy@0.4"]), report["energy"]["final"])

    def test_a_trigger_follows_an_axis_or_a_curve(self):
        scene = self.scene("struck.lua", """
local blow = input { "blow", min = 0, max = 1, trigger = true }
local m = mass { mass = 0.01, frequency = 200 }
force { on = m, shape = "half-cosine", peak = 10, width = 1e-3, trigger = blow }
probe { on = m, channel = 1 }
render { rate = 8000, duration = 0.02 }
""")
        self.scene("blow.csv", "time,value\n0.005,0.8\n")
        rows = self.sweep("a", "--axis", "blow=0.4,0.8", "--measure", "peak", scene=scene)
        self.assertAlmostEqual(float(rows[1]["peak"]) / float(rows[0]["peak"]), 2, 9)
        self.keep("a.db", "a.csv", "struck.lua", "blow.csv")
        self.bad(2, "--axis blow: the curve of --input sets it already", "sweep", scene, "-o", "b.db",
                 "--axis", "blow=0.4", "--input", "blow=blow.csv", "--measure", "peak")  # fmt: skip

    def test_pairs_and_draws(self):
        self.scene("pairs.csv", "# three\nf0, hard\n200,0.5\n250,1\n300,1.5\n")
        rows = self.sweep("a", "--pairs", "pairs.csv", "--axis", "rings=1,2", "--duration", "0.01", scene=self.bell)
        self.assertEqual([(row["f0"], row["hard"], row["rings"]) for row in rows[:3]],
                         [("200", "0.5", "1"), ("200", "0.5", "2"), ("250", "1", "1")])
        for how in "uniform", "sobol", "latin":
            rows = self.sweep(how, "--random", "64", "--draw", how, "--duration", "0.01", scene=self.bell)
            self.assertEqual(list(rows[0])[:4], ["index", "f0", "hard", "rings"])
            self.assertTrue(all(100 <= float(row["f0"]) <= 2000 for row in rows))
            self.assertAlmostEqual(sum(float(row["f0"]) < 447.2 for row in rows) / 64, 0.5, None, "on a log scale", 0.2)
        few = self.sweep("few", "--random", "8", "--duration", "0.01", scene=self.bell)
        more = self.sweep("more", "--random", "16", "--duration", "0.01", scene=self.bell)
        self.assertEqual(few, more[:8])
        rows = self.sweep("free", "--random", "8", "--axis", "f0=200:210", "--duration", "0.01", scene=self.bell)
        self.assertEqual(list(rows[0])[:2], ["index", "f0"])
        self.assertTrue(all(200 <= float(row["f0"]) <= 210 for row in rows))

    def test_pairs_as_spreadsheets_write_them(self):
        scene = self.scene("names.lua", BOUNCE.replace('"K"', '"K, the \\"hard\\" one"'))
        name = '"K, the ""hard"" one"'
        for text in ("\ufeff%s\r\n\r\n1e4\r\n2e4\r\n", "%s\n1e4\n\n2e4", ' %s \n "1e4" \n"2e4"\n'):
            with open(self.path("pairs.csv"), "w", encoding="utf-8", newline="") as f:
                f.write(text % name)
            rows = self.sweep("a", "--pairs", "pairs.csv", "--measure", "peak", "--duration", "0.01", scene=scene)
            self.assertEqual([row['K, the "hard" one'] for row in rows], ["10000", "20000"])
            os.remove(self.path("a.db"))
        self.keep("a.csv", "pairs.csv", "names.lua")
        for text, sentence in (("%s\n1e\0004\n", "is no text in UTF-8: it holds zero bytes"), ("%s\n1e4,2\n", "expected 1 column"),
                               ("%s\n\"1e4\"5x\n", "is not a number"), ("%s,\n1e4,\n", "has no param or input ''")):
            self.scene("pairs.csv", text % name)
            self.bad(2, sentence, "sweep", scene, "-o", "a.db", "--pairs", "pairs.csv")

    @unittest.skipIf(SANITIZED, "no larger than any other")
    def test_a_trillion_runs_are_begun_in_little_memory(self):
        for part in (), ("--index", "3/7"):
            command = [PROGRAM, "sweep", self.bounce, "-o", "a.db", "--random", "1000000000000", "--duration", "0.001", *part]
            with subprocess.Popen([*command, "--quiet"], cwd=self.folder, preexec_fn=lambda: resource.setrlimit(
                    resource.RLIMIT_AS, (1 << 30, 1 << 30))) as child:
                until = time.monotonic() + 30
                name = "a-3-of-7.db" if part else "a.db"
                while self.count(name) < 1 and child.poll() is None and time.monotonic() < until:
                    time.sleep(0.02)
                self.assertIsNone(child.poll())
                child.kill()
            self.assertGreater(self.count(name), 0)

    def test_an_axis_over_all_numbers(self):
        scene = self.scene("free.lua", BOUNCE.replace("local m =", 'param { "any", 1 }\nlocal m ='))
        rows = self.sweep("a", "--axis", "any=-1.5e308:1.5e308:5", "--measure", "peak", "--duration", "0.001", scene=scene)
        self.assertEqual([float(row["any"]) for row in rows], [-1.5e308, -0.75e308, 0, 0.75e308, 1.5e308])
        for ends in "1e-300:1e300", "1e300:1e-300":
            rows = self.sweep("b", "--axis", "any=%s:log:3" % ends, "--measure", "peak", "--duration", "0.001", scene=scene)
            self.assertAlmostEqual(float(rows[1]["any"]), 1, 9)
            os.remove(self.path("b.db"))

    def test_sobol_points_are_those_of_scipy(self):
        try:
            from scipy.stats import qmc
        except ImportError:
            self.skipTest("needs scipy")
        params = "".join('param { "p%d", 0.5, min = 0, max = 1 }\n' % i for i in range(21))
        rows = self.sweep("a", "--random", "1024", "--draw", "sobol", "--free", ",".join("p%d" % i for i in range(21)), "--measure",
                          "peak", "--duration", "0.001", scene=self.scene("cube.lua", params + BOUNCE))
        ours = [[int(float(row["p%d" % i]) * 2 ** 53) for i in range(21)] for row in rows]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            theirs = qmc.Sobol(21, scramble=False).random(1024)
        for n in range(1024):  # theirs are in the order of the Gray code
            row = [a ^ shift for a, shift in zip(ours[n ^ n >> 1], ours[0])]
            self.assertEqual(row, [int(u * 2 ** 53) for u in theirs[n]])

    def test_sounds(self):
        for kind, magic in ("wav", b"RIFF"), ("flac", b"fLaC"), ("npy", b"\x93NUMPY"):
            self.sweep(kind, "--axis", "hard=0.5,2", "--sounds", kind, "--normalise", "on", scene=self.bell)
            with tarfile.open(self.path(kind + "-shards/shard-000000.tar")) as shard:
                self.assertEqual([member.mtime for member in shard.getmembers()], [0] * 4)
                sound = shard.extractfile("000000001." + kind).read()
                self.assertEqual(sound[:len(magic)], magic)
                if kind == "wav":
                    self.assertAlmostEqual(max(map(abs, read_wav(sound)[1][0])), 10 ** -0.05, 4)

    def test_samples_that_are_clipped_are_told_in_their_row(self):
        scene = self.scene("loud.lua", """
local high = param { "high", 0.5, min = 0, max = 9 }
probe { on = mass { mass = 1, frequency = 100, position = high } }
render { rate = 8000, duration = 0.02 }
""")
        for kind, normalise, told in ("flac", "off", True), ("flac", "on", False), ("wav", "off", False):
            name = kind + normalise
            rows = self.sweep(name, "--axis", "high=0.9,3", "--sounds", kind, "--normalise", normalise, scene=scene)
            self.assertEqual(rows[0]["error"], "")
            self.assertEqual(bool(re.fullmatch("sound: [0-9]+ samples are beyond full scale and clipped", rows[1]["error"])), told)
            self.assertEqual(float(rows[1]["peak"]), 3)
            with tarfile.open(self.path(name + "-shards/shard-000000.tar")) as shard:
                self.assertEqual(len(shard.getnames()), 4, "the sound is there")

    def test_a_run_that_fails_is_a_row(self):
        rows = self.sweep("a", "--axis", "K=1e5,1e6,1e7", "--duration", "0.01", scene=self.scene("picky.lua", PICKY))
        self.assertEqual([bool(row["peak"]) for row in rows], [True, True, False])
        self.assertEqual(rows[2]["error"], "picky.lua:3: too hard for me")
        text = self.good("sweep", "show", "a.db").stdout.decode()
        self.assertIn("1 failed", text)
        self.assertIn("1 (index 2 on): picky.lua:3: too hard for me", text)


class OwnMeasures(StudyCase):
    def measure(self, text, *arguments):
        self.scene("mine.lua", text)
        for name in os.listdir(self.folder):
            if name.endswith(".db"):
                os.remove(self.path(name))
        return self.sweep("a", "--axis", "hard=0.5,1,2", "--measure-file", "mine.lua", *arguments, scene=self.bell)

    def test_a_function_of_the_samples(self):
        rows = self.measure("""
function loud(samples, rate)
  local sum = 0
  for i = 1, #samples do sum = sum + samples[i] ^ 2 end
  return math.sqrt(sum / #samples)
end
function seconds(samples, rate) return #samples / rate end
""")
        self.assertEqual(list(rows[0])[2:], ["peak", "rms", "centroid", "loud", "seconds", "error"])
        for row in rows:
            self.assertAlmostEqual(float(row["loud"]) / float(row["rms"]), 1, 12)
            self.assertEqual(float(row["seconds"]), 0.4)

    def test_nothing_is_carried_from_run_to_run(self):
        text = "n = 0\nfunction count(s) n = n + 1 return n end\nfunction dice() return math.random() end"
        rows = self.measure(text, "--measure", "count,dice")
        self.assertEqual({(row["count"], row["dice"]) for row in rows}, {(rows[0]["count"], rows[0]["dice"])})

    def test_what_goes_wrong_is_a_sentence_of_the_row(self):
        rows = self.measure("function f(s) return 0 / 0 end", "--measure", "f,peak")
        self.assertEqual({row["error"] for row in rows}, {"f: it returned no finite number"})
        self.assertTrue(all(row["peak"] for row in rows), "the others are kept")
        rows = self.measure("function f(s) return 0 / 0 end\nfunction g(s) error('no') end", "--measure", "f,peak,g")
        self.assertEqual({row["error"] for row in rows}, {"f: it returned no finite number; g: mine.lua:2: no"})
        rows = self.measure("function f(s) return nil end", "--measure", "f")
        self.assertIn("f() returned nil; it must return a number", rows[0]["error"])
        rows = self.measure("function f(s) while true do end end", "--measure", "f")
        self.assertIn("mine.lua:1: it takes too long and was stopped", rows[0]["error"])
        rows = self.measure("function f(s) local t = {} for i = 1, 1e9 do t[i] = i end end", "--measure", "f")
        self.assertIn("f: mine.lua:1: it needs more than 32 MB of memory", rows[0]["error"])
        rows = self.measure("function f(s) return os.time() end", "--measure", "f")
        self.assertIn("mine.lua:1: ", rows[0]["error"])

    def test_files_that_are_refused(self):
        command = ("sweep", self.bell, "-o", "a.db", "--axis", "hard=1", "--measure-file")
        self.keep("mine.lua", "none.lua")
        self.scene("mine.lua", "")
        self.scene("none.lua", "x = 1")
        self.bad(2, "it has no function", *command, "none.lua")
        self.scene("mine.lua", "function f(")
        self.bad(2, "mine.lua:1:", *command, "mine.lua")
        self.scene("mine.lua", 'mass { mass = 1 } function f() return 1 end')
        self.bad(2, "mine.lua:1:", *command, "mine.lua")
        self.bad(2, "cannot read 'nowhere.lua'", *command, "nowhere.lua")
        self.scene("mine.lua", "function peak(s) return 1 end\nfunction f(s) return 1 end")
        both = "'peak' is a measure and a function of --measure-file"
        self.bad(2, both, *command, "mine.lua")
        self.bad(2, both, *command, "mine.lua", "--measure", "peak,f")
        self.good(*command, "mine.lua", "--measure", "f", "--duration", "0.01", "-q")
        os.remove(self.path("a.db"))
        self.scene("mine.lua", "function brightness(s) return 1 end")
        self.bad(2, "did you mean 'brightness'", *command, "mine.lua", "--measure", "brightnes")


if __name__ == "__main__":
    main()
