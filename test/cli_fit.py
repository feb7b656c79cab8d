"""sistrum fit: it finds params that nobody told it, goes on after a kill, and refuses what is no target.

SISTRUM_LONG=1 hides many values instead of a few and prints how many were found.
"""

import csv
import hashlib
import os
import random
import resource
import shlex
import shutil
import signal
import sqlite3
import struct
import subprocess
import time
import unittest

from cli_case import PROGRAM, SANITIZED, Case, count_runs, main, read_bytes, read_text, read_wav

LONG = bool(os.environ.get("SISTRUM_LONG"))

# A mass strikes a body that rings: what one hears depends on both numbers of the contact.
HIT = """
local K = param { "K", 1e6, min = 1e3, max = 1e9, scale = "log", unit = "N/m^alpha" }
local alpha = param { "alpha", 2, min = 1, max = 4 }
local decay = param { "decay", 0.3, min = 0.05, max = 2, scale = "log", unit = "s" }
local speed = param { "speed", 2, min = 0.2, max = 10, scale = "log", unit = "m/s" }
local wild = param { "wild", 1 }
local body = modal { modes = { { frequency = 440, t60 = decay, mass = 0.05, shape = 1 },
                               { frequency = 1213, t60 = decay / 2, mass = 0.05, shape = 0.8 },
                               { frequency = 2377, t60 = decay / 4, mass = 0.05, shape = 0.6 } } }
local hammer = mass { mass = 0.02, position = 0.001, velocity = -speed }
contact { above = hammer, below = body, K = K, alpha = alpha, name = "hit" }
probe { on = body, quantity = "velocity", channel = 1 }
render { rate = 44100, duration = 0.1 }
"""

BELL = """
local f0 = param { "f0", 440, min = 100, max = 2000, scale = "log", unit = "Hz" }
local rings = param { "rings", 0.5, min = 0.05, max = 5, unit = "s" }
local loud = param { "loud", 1, min = 0.01, max = 10, scale = "log" }
local m = mass { mass = 0.1, frequency = f0, velocity = loud, damping = 13.8155 / rings }
probe { on = m, quantity = "velocity", channel = 1 }
render { rate = 22050, duration = 0.5 }
play { pitch = "f0", velocity = "loud" }
"""


def wav(path, samples, rate=44100, channels=1):
    """Writes floats as they are."""
    data = struct.pack("<%df" % len(samples), *samples)
    with open(path, "wb") as f:
        f.write(b"RIFF" + struct.pack("<I", 36 + len(data)) + b"WAVEfmt " +
                struct.pack("<IHHIIHH", 16, 3, channels, rate, 4 * channels * rate, 4 * channels, 32) +
                b"data" + struct.pack("<I", len(data)) + data)


class FitCase(Case):
    def setUp(self):
        super().setUp()
        self.hit = self.scene("hit.lua", HIT)
        self.bell = self.scene("bell.lua", BELL)
        self.before = set(os.listdir(self.folder))

    def hide(self, scene, name, *arguments, **values):
        sets = [word for key, value in values.items() for word in ("--set", "%s=%r" % (key, value))]
        self.good("render", scene, *sets, "-o", name, "--quiet", *arguments)

    def fit(self, scene, name, *arguments):
        """The closest row, as a dictionary of numbers."""
        self.good("fit", scene, "-o", name + ".db", "--csv", name + ".csv", "--quiet", *arguments)
        rows = [row for row in self.rows(name) if row["distance"]]
        return {key: float(value) for key, value in min(rows, key=lambda row: float(row["distance"])).items() if value}

    def rows(self, name):
        with open(self.path(name + ".csv"), newline="", encoding="utf-8") as f:
            return list(csv.DictReader(f))

    def near(self, best, share=0.01, **values):
        for key, value in values.items():
            self.assertLess(abs(best[key] / value - 1), share, (key, best, values))


class Found(FitCase):
    def test_k_and_alpha_of_a_hidden_impact(self):
        chance = random.Random(20 if LONG else 7)
        count, found = 50 if LONG else 3, 0
        for i in range(count):
            hidden = {"K": 10 ** chance.uniform(4, 8), "alpha": chance.uniform(1.1, 3.5)}
            self.hide(self.hit, "hidden%d.wav" % i, **hidden)
            best = self.fit(self.hit, "a%d" % i, "--target", "hidden%d.wav" % i, "--free", "K,alpha", "--seed",
                            str(1000 + i))
            good = all(abs(best[key] / value - 1) < 0.01 for key, value in hidden.items())
            found += good
            if LONG and not good:
                print("not found:", hidden, best)
        if LONG:
            print("K and alpha within 1 %%: %d of %d" % (found, count))
        self.assertGreaterEqual(found, 0.9 * count)

    @unittest.skipUnless(LONG, "long")
    def test_four_numbers_of_a_hidden_impact(self):
        chance, found, count = random.Random(30), 0, 30
        for i in range(count):
            hidden = {"K": 10 ** chance.uniform(4, 8), "alpha": chance.uniform(1.1, 3.5),
                      "decay": 10 ** chance.uniform(-1.2, 0.2), "speed": 10 ** chance.uniform(-0.5, 0.9)}
            self.hide(self.hit, "hidden%d.wav" % i, **hidden)
            best = self.fit(self.hit, "a%d" % i, "--target", "hidden%d.wav" % i, "--free", "K,alpha,decay,speed",
                            "--runs", "5000")
            found += all(abs(best[key] / value - 1) < 0.01 for key, value in hidden.items())
        print("K, alpha, decay and speed within 1 %%: %d of %d" % (found, count))
        self.assertGreaterEqual(found, 0.8 * count)

    @unittest.skipUnless(LONG, "long")
    def test_hidden_tanpuras(self):
        chance, found, count = random.Random(40), 0, 10
        for i in range(count):
            hidden = {"K": 10 ** chance.uniform(5, 8.5), "place": chance.uniform(0.55, 0.92)}
            self.hide("tanpura", "hidden%d.wav" % i, "--duration", "0.3", **hidden)
            best = self.fit("tanpura", "a%d" % i, "--target", "hidden%d.wav" % i, "--free", "K,place", "--runs", "1000")
            found += all(abs(best[key] / value - 1) < 0.01 for key, value in hidden.items())
        print("K and place of a tanpura within 1 %%: %d of %d" % (found, count))
        self.assertGreaterEqual(found, 0.8 * count)

    def test_a_hard_hammer_whose_sound_hardly_follows_it(self):
        hammer = self.scene("hammer.lua", """
local K = param { "K", 1e8, min = 1e6, max = 1e11, scale = "log" }
local alpha = param { "alpha", 2.3, min = 1.2, max = 3.5 }
local s = string { frequency = 196, length = 0.9, radius = 4e-4, material_density = 7850, t60 = {{100, 3}, {4000, 1}} }
local h = mass { mass = 0.006, position = 0.0005, velocity = -2.5 }
contact { above = h, below = s, at_below = 0.11, K = K, alpha = alpha, damping = 0.3 }
probe { on = s, at = 0.7, quantity = "velocity" }
render { rate = 44100, duration = 0.3 }
""")
        self.hide(hammer, "hidden.wav", K=4.089e10, alpha=1.267)
        best = self.fit(hammer, "a", "--target", "hidden.wav", "--free", "K,alpha", "--seed", "488240")
        self.near(best, K=4.089e10, alpha=1.267)

    def test_a_gain_does_not_matter_unless_it_is_asked_for(self):
        self.hide(self.bell, "hidden.wav", "--gain", "-26", f0=523.25, rings=0.8)
        target = ("--target", "hidden.wav", "--free", "f0,rings", "--axis", "f0=400:700")
        self.near(self.fit(self.bell, "a", *target), f0=523.25, rings=0.8)
        best = self.fit(self.bell, "b", "--level", "--target", "hidden.wav", "--axis", "f0=523.25", "--axis", "rings=0.8",
                        "--free", "loud")
        self.near(best, loud=10 ** (-26 / 20))

    def test_sounds_of_16_bits_and_with_a_faded_end(self):
        self.hide(self.hit, "hidden.wav", "--bits", "16", "--normalise", "on", K=4.4e5, alpha=1.7)
        self.near(self.fit(self.hit, "a", "--target", "hidden.wav", "--free", "K,alpha", "--runs", "1500"), K=4.4e5,
                  alpha=1.7)

    def test_flac_of_another_rate(self):
        for rate in "32000", "96000":
            self.hide(self.bell, rate + ".flac", "--normalise", "on", "--rate", rate, f0=311.13, rings=0.3)
            best = self.fit(self.bell, "a" + rate, "--target", rate + ".flac", "--axis", "f0=250:400", "--free", "rings",
                            "--runs", "300")
            self.near(best, f0=311.13, share=0.002)
            self.near(best, rings=0.3, share=0.02)

    def test_measures(self):
        best = self.fit(self.bell, "a", "--target", "pitch=587.33,t60=0.9", "--free", "f0,rings", "--measure", "peak")
        self.near(best, f0=587.33, rings=0.9)
        self.near(best, pitch=587.33, t60=0.9)
        self.assertEqual(list(self.rows("a")[0]), ["index", "f0", "rings", "distance", "pitch", "t60", "peak", "error"])
        best = self.fit(self.hit, "b", "--target", "max_force@hit=40", "--axis", "K=1e4:1e8:log")
        self.near(best, **{"max_force@hit": 40})

    def test_own_measures_are_targets(self):
        """All functions of the file are columns, once each; that of the target stands beside the distance."""
        self.scene("mine.lua", """
            function count(samples) return #samples end
            function most(samples)
              local m = 0
              for i = 1, #samples do m = math.max(m, math.abs(samples[i])) end
              return m
            end""")
        best = self.fit(self.bell, "a", "--target", "most=0.3", "--free", "loud", "--measure-file", "mine.lua", "--duration",
                        "0.05")
        self.near(best, most=0.3)
        self.assertEqual(list(self.rows("a")[0]), ["index", "loud", "distance", "most", "count", "error"])

    def test_a_sound_and_a_measure(self):
        self.hide(self.bell, "hidden.wav", f0=440, rings=0.5)
        best = self.fit(self.bell, "a", "--target", "hidden.wav", "--target", "peak=0.25", "--free", "f0,rings,loud", "--axis",
                        "f0=400:500", "--runs", "1500")
        self.near(best, f0=440, rings=0.5)
        self.near(best, peak=0.25)

    def test_notes_and_velocities(self):
        self.good("render", self.bell, "--note", "A4", "--velocity", "0.5", "-o", "hidden.wav", "--quiet")
        best = self.fit(self.bell, "a", "--target", "hidden.wav", "--free", "velocity", "--axis", "note=65:73", "--level",
                        "--write", "best.wav")
        self.assertLess(abs(best["note"] - 69), 0.01)
        self.near(best, velocity=0.5)
        samples = [read_wav(self.path(name))[1][0] for name in ("hidden.wav", "best.wav")]
        self.assertEqual(len(samples[0]), len(samples[1]))

    def test_the_sound_of_the_best_is_what_render_makes(self):
        self.hide(self.hit, "hidden.wav", K=3e5, alpha=1.5)
        bell = self.scene("a bell.lua", BELL + 'input { "push", 0 }\n')
        with open(self.path("push.csv"), "w", encoding="utf-8") as f:
            f.write("0,0\n0.1,1\n")
        how = ("--rate", "48000", "--duration", "0.0625", "--oversample", "2")
        for number, study in enumerate(((self.hit, "--free", "K,alpha"),
                                        (self.hit, "--free", "K,alpha", "--scheme", "quadratised", *how),
                                        (bell, "--free", "note,velocity", "--a4", "415", "--input", "push=push.csv", *how))):
            done = self.good("fit", *study, "-o", "%d.db" % number, "--target", "hidden.wav", "--runs", "60", "--write",
                             "best.wav")
            command = [shlex.split(line) for line in done.stderr.decode().splitlines() if "sistrum render" in line][0]
            self.good(*command[1:-1], "again.wav", "--quiet")
            self.assertEqual(read_bytes(self.path("best.wav")), read_bytes(self.path("again.wav")), study)


class NothingIsLost(FitCase):
    def setUp(self):
        super().setUp()
        self.hide(self.hit, "hidden.wav", K=5e6, alpha=1.9)
        self.study = ("--target", "hidden.wav", "--free", "K,alpha,decay", "--tolerance", "0", "--measure", "peak",
                      "--runs", "200" if SANITIZED else "500")

    def hash(self, name):
        return hashlib.sha256(read_bytes(self.path(name + ".csv"))).hexdigest()

    def test_threads_and_kills(self):
        self.fit(self.hit, "one", *self.study, "--threads", "1")
        self.fit(self.hit, "two", *self.study, "--threads", "3")
        self.assertEqual(self.hash("one"), self.hash("two"))
        for number, least in (signal.SIGKILL, 30), (signal.SIGKILL, 120), (signal.SIGTERM, 160):
            command = [PROGRAM, "fit", self.hit, "-o", "killed.db", "--quiet", *self.study]
            with subprocess.Popen(command, cwd=self.folder) as child:
                until = time.monotonic() + 50
                while self.count("killed.db") < least and child.poll() is None and time.monotonic() < until:
                    time.sleep(0.002)
                child.send_signal(number)
                self.assertIn(child.wait(), (-number, 0))
            self.assertGreaterEqual(self.count("killed.db"), least)
        self.fit(self.hit, "killed", *self.study)
        self.assertEqual(self.hash("killed"), self.hash("one"))

    def count(self, name):
        return count_runs(self.path(name))

    def test_more_runs_may_be_asked_for_later(self):
        study = self.study[:-1]
        self.fit(self.hit, "whole", *study, "90")
        for runs in "7", "50", "90", "20":
            self.fit(self.hit, "parted", *study, runs)
        self.assertEqual(self.hash("parted"), self.hash("whole"))
        self.assertEqual(len(self.rows("whole")), 90)
        text = self.good("sweep", "show", "whole.db").stdout.decode()
        self.assertIn("whole.db: hit.lua, a fit, 90 runs\n", text)
        self.assertIn("\nlowest distance\n", text)

    def test_a_database_that_was_changed(self):
        self.fit(self.hit, "a", *self.study[:-1], "40")
        with sqlite3.connect(self.path("a.db")) as base:
            base.execute("UPDATE runs SET K = K * 2 WHERE idx = 20")
        base.close()
        self.keep("a.db", "a.csv", "hidden.wav")
        self.bad(1, "run 20 of the database is not what the search makes", "fit", self.hit, "-o", "a.db", *self.study)

    def test_other_studies_and_changed_scenes(self):
        study = self.study[:-1] + ("20",)
        self.fit(self.hit, "a", *study)
        rows = read_bytes(self.path("a.csv"))
        self.good("sweep", self.hit, "-o", "s.db", "--axis", "K=1e4", "--quiet")
        self.hide(self.hit, "other.wav", K=5e6, alpha=1.8)
        self.keep("a.db", "a.csv", "hidden.wav", "s.db", "other.wav")
        again = ("fit", self.hit, "-o", "a.db")
        self.bad(2, "'a.db' holds another study", *again, *study, "--seed", "2")
        self.bad(2, "'a.db' holds another study", *again, *study, "--axis", "K=1e4:1e6")
        self.bad(2, "'s.db' holds another study", "fit", self.hit, "-o", "s.db", *study)
        self.bad(2, "'a.db' holds another study", "sweep", self.hit, "-o", "a.db", "--axis", "K=1e4")
        self.bad(2, "'a.db' holds another study", *again, "--target", "other.wav", *study[2:])
        self.scene("hit.lua", HIT + "-- changed\n")
        self.bad(2, "the scene has changed since 'a.db' was begun", *again, *study)
        self.scene("hit.lua", HIT)
        self.good("sweep", "show", "a.db", "--csv", "a.csv")
        self.assertEqual(read_bytes(self.path("a.csv")), rows, "nothing is lost")

    def test_a_file_that_may_not_grow(self):
        self.fit(self.hit, "whole", *self.study)
        done = self.run_program("fit", self.hit, "-o", "full.db", "--quiet", *self.study, preexec_fn=lambda:
                                resource.setrlimit(resource.RLIMIT_FSIZE, (40000, 40000)))
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr.decode(), r"^sistrum: cannot write 'full.db': .*\n$")
        self.fit(self.hit, "full", *self.study)
        self.assertEqual(self.hash("full"), self.hash("whole"))

    @unittest.skipIf(os.geteuid() == 0, "root may write anywhere")
    def test_a_folder_that_is_read_only(self):
        os.mkdir(self.path("shut"), 0o555)
        self.keep("shut", "hidden.wav")
        self.bad(1, "cannot write 'shut/a.db': Permission denied", "fit", self.hit, "-o", "shut/a.db", *self.study)


class Refused(FitCase):
    def setUp(self):
        super().setUp()
        self.hide(self.hit, "good.wav")
        wav(self.path("empty.wav"), [])
        wav(self.path("silent.wav"), [0.0] * 44100)
        wav(self.path("short.wav"), [0.5] * 100)
        wav(self.path("against.wav"), [0.5, -0.5] * 4410, channels=2)
        wav(self.path("late.wav"), [0.0] * 44100 + [0.5] * 100)
        wav(self.path("nan.wav"), [0.1] * 4410 + [float("nan")] * 10)
        self.scene("text.wav", "This is no sound at all.\n" * 100)
        self.before = set(os.listdir(self.folder))

    def refuse(self, part, *arguments, code=2):
        self.bad(code, part, "fit", self.hit, "-o", "a.db", *arguments)

    def test_targets(self):
        free = ("--free", "K")
        self.refuse("needs a target", *free)
        self.refuse("cannot read the sound 'none.wav': No such file", "--target", "none.wav", *free)
        self.refuse("cannot read the sound '.': Is a directory", "--target", ".", *free)
        self.refuse("cannot read the sound 'text.wav'", "--target", "text.wav", *free)
        self.refuse("'empty.wav' has no sound in it", "--target", "empty.wav", *free)
        self.refuse("'silent.wav' is silent", "--target", "silent.wav", *free)
        self.refuse("the first 0.1 s of the sound are silent", "--target", "late.wav", *free)
        self.refuse("'nan.wav' holds a sample that is no finite number, at 0.1 s", "--target", "nan.wav", *free)
        self.refuse("one sound at a time: 'good.wav' or 'late.wav'", "--target", "good.wav", "--target", "late.wav", *free)
        self.refuse("(did you mean 'centroid'?)", "--target", "centriod=100", *free)
        self.refuse("write MEASURE=NUMBER", "--target", "centroid=high", *free)
        self.refuse("ratios to the goal", "--target", "centroid=0", *free)
        self.refuse("named twice", "--target", "peak=1,peak=2", *free)
        self.refuse("are too short to be compared", "--target", "short.wav", *free)
        self.refuse("the sound, all channels mixed, are silent", "--target", "against.wav", *free)
        self.refuse("the distance is what a fit makes small", "--target", "distance=1", *free)
        self.refuse("--level is about a sound", "--target", "peak=1", "--level", *free)

    def test_outputs(self):
        """What was read stays, and what cannot be written is said before the first run."""
        fit = ("--target", "good.wav", "--free", "K")
        self.refuse("'good.wav' is the target itself", *fit, "--write", "good.wav")
        self.refuse("'a.wav' is named twice", *fit, "--write", "a.wav", "--csv", "a.wav")
        self.refuse("'nowhere/a.wav': there is no such directory", *fit, "--write", "nowhere/a.wav", code=1)
        self.bad(2, "'a.wav' is named twice", "fit", self.hit, "-o", "a.wav", *fit, "--write", "a.wav")

    def test_what_is_sought(self):
        target = ("--target", "good.wav")
        self.refuse("nothing is sought", *target)
        self.refuse("no param or input 'Q'", *target, "--free", "Q")
        self.refuse("it has no range to draw from: give --axis wild=from:to", *target, "--free", "wild")
        self.refuse("is outside the range of 'K'", *target, "--axis", "K=1:1e6")
        self.refuse("a fit seeks between two values", *target, "--axis", "K=1e4:1e6:5")
        self.refuse("a fit seeks between two values", *target, "--axis", "K=1e4,1e6")
        self.refuse("'K' is varied twice", *target, "--free", "K,K")
        self.refuse("--set or --preset sets it already", *target, "--free", "K", "--set", "K=1e5")
        self.refuse("does not say how notes play it", *target, "--free", "note")
        self.refuse("--runs must be a whole number", *target, "--free", "K", "--runs", "0")
        self.refuse("--write writes .wav or .flac", *target, "--free", "K", "--write", "best.mp3")
        self.refuse("unknown option '--random'", *target, "--free", "K", "--random", "5")
        self.bad(2, "needs a scene", "fit")
        self.bad(3, "nowhere.lua", "fit", "nowhere.lua", *target, "--free", "K")
        mute = self.scene("mute.lua", 'local v = param { "v", 1, min = 0, max = 2 }\nmass { mass = 1, velocity = v }')
        self.keep("mute.lua")
        self.bad(3, "no sound to measure", "fit", mute, *target, "--free", "v")

    def test_runs_that_fail_are_rows_and_the_worst(self):
        picky = HIT.replace("local body", 'if K > 2e6 then error("too hard for me") end\nlocal body')
        best = self.fit(self.scene("picky.lua", picky), "a", "--target", "good.wav", "--free", "K,alpha")
        self.near(best, K=1e6, alpha=2)
        failed = [row for row in self.rows("a") if row["error"]]
        self.assertTrue(failed)
        self.assertTrue(all("too hard for me" in row["error"] and not row["distance"] for row in failed))
        never = self.scene("never.lua", HIT.replace("local body", 'if alpha ~= 2 then error("no") end\nlocal body'))
        done = self.good("fit", never, "-o", "b.db", "--target", "good.wav", "--free", "alpha", "--runs", "100")
        self.assertIn(b"no run had a distance", done.stderr)

    def test_without_a_name(self):
        self.good("fit", self.hit, "--target", "good.wav", "--free", "K", "--quiet", "--runs", "20")
        self.assertEqual(self.new_files(), ["hit-fit.db"])

    @unittest.skipIf(SANITIZED or not shutil.which("gnuplot"), "draws with gnuplot")
    def test_picture_of_the_way(self):
        self.fit(self.hit, "a", "--target", "good.wav", "--free", "K,alpha", "--runs", "60")
        self.good("plot", "a.db", "-o", "a.svg")
        text = read_text(self.path("a.svg"))
        for name in "closest so far", "every run", "distance (dB)", "alpha":
            self.assertIn(name, text)
        self.good("plot", "a.db", "-o", "a.png", "--x", "K", "--y", "alpha", "--colour", "distance")


if __name__ == "__main__":
    main()
