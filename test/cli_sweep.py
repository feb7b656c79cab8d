"""Studies: rows that depend on the study alone, work that is never lost, and what sweep refuses."""

import csv
import fcntl
import hashlib
import json
import os
import random
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import tarfile
import time
import unittest
import warnings

from cli_case import BOUNCE, PROGRAM, SANITIZED, Case, count_runs, main, read_bytes, read_text, read_wav

BELL = """
local f0 = param { "f0", 440, min = 100, max = 2000, scale = "log", unit = "Hz" }
local hard = param { "hard", 1, min = 0.1, max = 2 }
local rings = param { "rings", 0.5, min = 0.05, max = 5, unit = "s" }
local push = input { "push", 0.5, min = 0, max = 1 }
local m = mass { mass = 0.1, frequency = f0, velocity = hard, damping = 13.8155 / rings }
force { on = m, peak = 20 * push, shape = "constant" }
probe { on = m, quantity = "velocity", channel = 1 }
render { rate = 22050, duration = 0.4, normalise = true, title = "Bell" }
play { pitch = "f0", velocity = "hard" }
"""

PICKY = BOUNCE.replace("1e7", "1e5").replace("local m =", 'if K > 1e6 then error("too hard for me") end\nlocal m =')


class StudyCase(Case):
    def setUp(self):
        super().setUp()
        self.bell = self.scene("bell.lua", BELL)
        self.before = set(os.listdir(self.folder))

    def contents(self, folder=""):
        """The bytes of all files of a folder, by name."""
        found = {}
        for name in os.listdir(self.path(folder)):
            if os.path.isfile(self.path(os.path.join(folder, name))):
                with open(self.path(os.path.join(folder, name)), "rb") as file:
                    found[name] = file.read()
        return found

    def sweep(self, name, *arguments, scene=None, **how):
        """The rows of a study, as a list of dictionaries."""
        self.good("sweep", scene or self.bounce, "-o", name + ".db", "--csv", name + ".csv", "--quiet", *arguments, **how)
        return self.rows(name + ".csv")

    def rows(self, name):
        with open(self.path(name), newline="", encoding="utf-8") as f:
            return list(csv.DictReader(f))

    def hash(self, name):
        """SHA-256 of the CSV of a study, and of all its shards."""
        files = [self.path(name + ".csv")]
        folder = self.path(name + "-shards")
        if os.path.isdir(folder):
            files += [os.path.join(folder, shard) for shard in sorted(os.listdir(folder))]
        return [hashlib.sha256(read_bytes(file)).hexdigest() for file in files]

    def count(self, name):
        """Rows of a database that may be being written."""
        return count_runs(self.path(name))


BARRIER = ("mass_barrier", "--axis", "K=1e4:1e10:log:%d" % (500 if SANITIZED else 10000), "--duration", "0.01",
           "--measure", "peak,rms,max_force,contact_time,residual")
TANPURA = ("tanpura", "--random", "40" if SANITIZED else "400", "--seed", "5", "--draw", "sobol", "--duration", "0.05",
           "--measure", "centroid,pitch,rms,residual", "--sounds", "wav", "--shard", "25")


class NothingIsLost(StudyCase):
    def command(self, study, name, threads):
        return ("sweep", *study, "-o", name + ".db", "--csv", name + ".csv", "--quiet", "--threads", str(threads))

    def kill(self, study, name, threads, number):
        """Ends a study in its middle; the number of rows it had then."""
        with subprocess.Popen([PROGRAM, *self.command(study, name, threads)], cwd=self.folder,
                              stderr=subprocess.DEVNULL) as child:
            until = time.monotonic() + 50
            while self.count(name + ".db") < 20 and child.poll() is None and time.monotonic() < until:
                time.sleep(0.01)
            child.send_signal(number)
            code = child.wait()
        self.assertIn(code, (-number, 0))
        return self.count(name + ".db")

    def check(self, study, *signals):
        self.good(*self.command(study, "one", 1))
        self.good(*self.command(study, "two", 2))
        whole = self.hash("one")
        self.assertEqual(self.hash("two"), whole, "two threads")
        count = self.count("one.db")
        for number in signals:
            kept = self.kill(study, "killed", 2, number)
            self.assertGreater(kept, 0)
            if number == signal.SIGKILL:
                self.kill(study, "killed", 1, number)
                self.assertGreaterEqual(self.count("killed.db"), kept, "rows that were there are kept")
            self.good(*self.command(study, "killed", 2))
            self.assertEqual(self.hash("killed"), whole, "after signal %d" % number)
            self.assertEqual(self.count("killed.db"), count)
            self.good(*self.command(study, "killed", 1))
            self.assertEqual(self.hash("killed"), whole, "when there is nothing left to do")
            self.assertFalse(os.path.exists(self.path("killed.db-wal")), "one file")
            os.remove(self.path("killed.db"))
            shutil.rmtree(self.path("killed-shards"), ignore_errors=True)

    def test_ten_thousand_masses_on_a_barrier(self):
        self.check(BARRIER, signal.SIGKILL)
        self.assertEqual(len(self.rows("one.csv")), int(BARRIER[2].split(":")[-1]))

    def test_four_hundred_tanpuras(self):
        self.check(TANPURA, signal.SIGKILL, signal.SIGTERM)
        self.assertEqual(len(self.hash("one")), 1 + (int(TANPURA[2]) + 24) // 25)

    def test_parts_make_the_whole(self):
        study = ("--random", "300", "--duration", "0.01", "--measure", "peak,rms", "--sounds", "npy", "--shard", "32")
        self.sweep("whole", *study)
        for part in (3, 1, 2):
            self.good("sweep", self.bounce, "-o", "parted.db", "--quiet", "--index", "%d/3" % part, *study)
        self.assertFalse(os.path.exists(self.path("parted.db")))
        done = self.good("sweep", "merge", "parted.db", "parted-1-of-3.db", "parted-3-of-3.db")
        self.assertRegex(done.stderr.decode(), r"parted.db: (19\d|20\d) of 300 runs")
        self.good("sweep", "merge", "parted.db", "parted-2-of-3.db", "parted-1-of-3.db", "--csv", "parted.csv")
        self.assertEqual(self.hash("parted"), self.hash("whole"))
        # what was merged is a study like any other
        self.good("sweep", self.bounce, "-o", "parted.db", "--quiet", *study)
        self.sweep("other", "--random", "300", "--seed", "2", "--measure", "peak,rms")
        self.keep(*os.listdir(self.folder))
        self.bad(2, "holds another study", "sweep", "merge", "parted.db", "other.db")

    def test_parts_that_a_killed_mpi_job_left_are_taken(self):
        study = ("--random", "60", "--duration", "0.01", "--measure", "peak,rms")
        self.sweep("whole", *study)
        self.good("sweep", self.bounce, "-o", "a.db", "--quiet", *study, "--index", "1/2")
        os.mkdir(self.path("left.db.parts"))
        os.rename(self.path("a-1-of-2.db"), self.path("left.db.parts/rank-00001-00000.db"))
        self.scene("left.db.parts/rank-00002-00000.db", "")  # was killed before it had tables
        done = self.good("sweep", self.bounce, "-o", "left.db", "--csv", "left.csv", *study)
        self.assertRegex(done.stderr.decode(), r"^left.db: 60 runs; (29|30|31) in ")
        self.assertEqual(self.hash("left"), self.hash("whole"))
        self.assertFalse(os.path.exists(self.path("left.db.parts")))
        os.mkdir(self.path("left.db.parts"))
        self.sweep("other", "--random", "3", "--measure", "peak")
        os.rename(self.path("other.db"), self.path("left.db.parts/rank-00000-00000.db"))
        self.keep(*os.listdir(self.folder))
        self.bad(2, "holds another study than 'left.db'", "sweep", self.bounce, "-o", "left.db", *study)
        self.assertTrue(os.path.exists(self.path("left.db.parts/rank-00000-00000.db")))

    def test_a_file_that_may_not_grow(self):
        study = ("--random", "3000", "--duration", "0.002", "--measure", "peak,rms")
        self.sweep("whole", *study)
        done = self.run_program("sweep", self.bounce, "-o", "full.db", "--quiet", *study, preexec_fn=lambda:
                                resource.setrlimit(resource.RLIMIT_FSIZE, (60000, 60000)))
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr.decode(), r"^sistrum: cannot write 'full.db': .*\n$")
        self.sweep("full", *study)
        self.assertEqual(self.hash("full"), self.hash("whole"))

    def test_outputs_that_may_not_grow(self):
        self.sweep("a", "--random", "3000", "--duration", "0.002", "--measure", "peak,rms")
        small = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (60000, 60000))}
        self.keep("a.db", "a.csv")
        for words, sentence in ((("show", "a.db", "--csv", "b.csv"), "cannot write the CSV file: File too large"),
                                (("merge", "b.db", "a.db"), "cannot write 'b.db': ")):
            text = self.bad(1, sentence, "sweep", *words, **small)
            self.assertNotIn(".tmp", text)

    def test_a_batch_script_takes_the_threads_that_are_asked_for(self):
        for threads, cores in ((), 1), (("--threads", "6"), 6):
            text = self.good("sweep", self.bounce, "-o", "a.db", "--random", "9", *threads, "--slurm").stdout.decode()
            self.assertIn("\n#SBATCH --cpus-per-task=%d\n" % cores, text)
            self.assertEqual(text.count("--threads"), 1)

    def test_shards_that_may_not_grow(self):
        study = ("--random", "40", "--measure", "peak", "--sounds", "wav", "--shard", "20")
        self.sweep("whole", *study)
        done = self.run_program("sweep", self.bounce, "-o", "full.db", "--quiet", *study, preexec_fn=lambda:
                                resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000)))
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr.decode(), r"^sistrum: cannot write 'full-shards/shard-000000.tar': .*\n$")
        self.assertEqual(os.listdir(self.path("full-shards")), [])
        self.sweep("full", *study)
        self.assertEqual(self.hash("full"), self.hash("whole"))

    @unittest.skipIf(SANITIZED, "sanitizers take memory of their own")
    def test_memory_does_not_grow_with_shards(self):
        most = []
        for shard in "64", "6000":
            command = [PROGRAM, "sweep", self.bounce, "-o", "a.db", "--random", "6000", "--duration", "0.0005", "--measure", "peak",
                       "--sounds", "wav", "--shard", shard, "--quiet", "--threads", "1"]
            most.append(0)
            with subprocess.Popen(command, cwd=self.folder) as child:
                while child.poll() is None:
                    # Not of getrusage: it begins with the memory of whoever started the program.
                    found = re.search(r"VmHWM:\s+(\d+)", read_text("/proc/%d/status" % child.pid))
                    most[-1] = int(found[1]) if found else most[-1]
                    time.sleep(0.005)
            self.assertEqual((child.returncode, self.count("a.db")), (0, 6000))
            os.remove(self.path("a.db"))
            shutil.rmtree(self.path("a-shards"))
        self.assertLess(most[1] - most[0], 4000, "kB")

    def test_sounds_of_another_study_stay(self):
        study = ("--random", "20", "--measure", "peak", "--sounds", "npy", "--shard", "10", "--duration", "0.01", "--quiet")
        self.good("sweep", self.bounce, "-o", "a.db", *study, "--shards", "both", "--seed", "1")
        before = self.contents("both")
        self.assertEqual(len(before), 2)
        done = self.run_program("sweep", self.bounce, "-o", "b.db", *study, "--shards", "both", "--seed", "2")
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"'both/shard-000000.tar' holds sounds of another study: remove it, or give --shards", done.stderr)
        self.assertEqual(self.contents("both"), before)
        os.remove(self.path("a.db"))  # the same study once more: the same bytes
        self.good("sweep", self.bounce, "-o", "a.db", *study, "--shards", "both", "--seed", "1")
        self.good("sweep", self.bounce, "-o", "b.db", *study, "--shards", "other", "--seed", "2")

    def test_shards_that_were_moved_away_are_told(self):
        study = ("sweep", self.bounce, "-o", "a.db", "--axis", "K=1e4:1e8:log:20", "--duration", "0.01", "--sounds", "npy",
                 "--shard", "5")  # fmt: skip
        self.keep("a.db", "b.db", "a-shards", "b")
        self.assertNotIn(b"shards", self.good(*study).stderr)
        before = self.contents("a-shards")
        os.remove(self.path("a-shards/shard-000001.tar"))
        lost = b"sistrum: 1 of 4 shards is not in 'a-shards': the runs are done and not made again; "
        self.assertIn(lost, self.good(*study, "-q").stderr)
        self.assertIn(b"sistrum: 4 of 4 shards are not in 'b'", self.good(*study, "--shards", "b").stderr)
        study = [*study[:3], "b.db", *study[4:], "--shards", "a-shards"]
        self.assertNotIn(b" not in ", self.good(*study).stderr)
        self.assertEqual(self.contents("a-shards"), before)

    def test_merge_writes_no_part(self):
        study = ("--axis", "K=1e4,1e5", "--measure", "peak", "--duration", "0.01", "--quiet")
        for i in (1, 2):
            self.good("sweep", self.bounce, "-o", "m.db", *study, "--index", "%d/2" % i)
        part = self.contents()["m-2-of-2.db"]
        for name in ("m-2-of-2.db", "m.db"):
            self.run_program("sweep", "merge", "m.db", "m-1-of-2.db", "m-2-of-2.db", "--csv", name)
            done = self.run_program("sweep", "merge", "m.db", "m-1-of-2.db", "m-2-of-2.db", "--csv", name)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(name.encode(), done.stderr)
        self.assertEqual(self.contents()["m-2-of-2.db"], part)


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


class Refused(StudyCase):
    def test_command_line(self):
        sweep = ("sweep", self.bounce, "-o", "a.db")
        self.bad(2, "nothing is varied", *sweep)
        self.bad(2, "needs a scene", "sweep", "-o", "a.db")
        self.bad(2, "needs a database", "sweep", self.bounce, "--axis", "K=1e4")
        self.bad(3, "no scene 'nowhere'", "sweep", "nowhere", "-o", "a.db", "--axis", "K=1")
        text = self.bad(2, "100 is outside the range of 'K': 1000 .. 1e+11 N/m^alpha", *sweep, "--axis", "K=100:1e6:5")
        self.assertIn("--axis K=100:1e6:5", text)
        self.bad(2, "outside the range", *sweep, "--axis", "K=1e4,1e12")
        self.bad(2, ": 999.9999999999 is outside the range of 'K': 1000", *sweep, "--axis", "K=999.9999999999")
        self.bad(2, "outside the range", "sweep", self.bell, "-o", "a.db", "--axis", "velocity=0.5,1.5")
        self.bad(2, "outside the range", "sweep", self.bell, "-o", "a.db", "--axis", "note=C1,C4")
        self.bad(2, "(did you mean 'hard'?)", "sweep", self.bell, "-o", "a.db", "--axis", "hrad=1")
        self.bad(2, "it has: K", *sweep, "--axis", "speed=1")
        self.bad(2, "does not say how notes play it", *sweep, "--axis", "note=A3")
        for wrong in "K", "K=", "=1", "K=a", "K=1e4:1e5:x", "K=1e4:1e5:log:0", "K=1e4:1e5:log:2:3", "K=1e4:1e5:cubic:3":
            self.bad(2, "--axis", *sweep, "--axis", wrong)
        self.bad(2, "has no count", *sweep, "--axis", "K=1e4:1e5")
        self.bad(2, "above 0", "sweep", self.bell, "-o", "a.db", "--axis", "push=0:1:log:3")
        self.bad(2, "varied twice", *sweep, "--axis", "K=1e4", "--axis", "K=1e5")
        self.bad(2, "sets it already", *sweep, "--axis", "K=1e4", "--set", "K=1e5")
        self.bad(2, "too many", "sweep", self.bell, "-o", "a.db", "--axis", "f0=200:300:1000000000", "--random", "1e6")
        self.bad(2, "--draw is uniform, sobol or latin", *sweep, "--random", "3", "--draw", "dice")
        self.bad(2, "give --random N too", *sweep, "--axis", "K=1e4", "--seed", "3")
        self.bad(2, "--sounds is wav, flac or npy", *sweep, "--axis", "K=1e4", "--sounds", "mp3")
        self.bad(2, "give --sounds too", *sweep, "--axis", "K=1e4", "--shard", "3")
        for wrong in "0/3", "4/3", "1", "a/3", "1/0", "/3":
            self.bad(2, "--index must be I/N", *sweep, "--axis", "K=1e4", "--index", wrong)
        self.bad(2, "is for sistrum sweep show", *sweep, "--axis", "K=1e4", "--best", "peak")
        self.bad(2, "--set", *sweep, "--axis", "K=1e4", "--set", "K")

    def test_outputs_are_none_of_the_inputs(self):
        """What was read stays, and what cannot be written is said before the first run."""
        scene = self.scene("own.lua", BOUNCE)
        with open(self.path("pairs.csv"), "w", encoding="utf-8") as f:
            f.write("K\n1e4\n")
        self.scene("mine.lua", "function f() return 1 end")
        sweep = ("sweep", scene, "-o", "a.db", "--pairs", "pairs.csv", "--measure-file", "mine.lua", "--csv")
        self.keep("own.lua", "pairs.csv", "mine.lua")
        self.bad(2, "'own.lua' is the scene itself", *sweep, "own.lua")
        self.bad(2, "'pairs.csv' is the file of --pairs itself", *sweep, "pairs.csv")
        self.bad(2, "'mine.lua' is the file of --measure-file itself", *sweep, "mine.lua")
        self.bad(2, "'a.db' is named twice", *sweep, "a.db")
        self.bad(1, "'nowhere/a.csv': there is no such directory", *sweep, "nowhere/a.csv")

    def test_notes_that_are_not_played(self):
        """As sistrum render says it."""
        sweep = ("sweep", self.bell, "-o", "a.db", "--axis")
        self.bad(2, "--a4 is how notes are tuned", *sweep, "hard=1", "--a4", "415")
        self.bad(2, "--hold is how long the key", *sweep, "hard=1", "--hold", "0.1")
        self.bad(3, "names no input of gate", *sweep, "note=A3", "--hold", "0.1")

    def test_measures(self):
        sweep = ("sweep", self.bounce, "-o", "a.db", "--axis", "K=1e4", "--measure")
        self.bad(2, "(did you mean 'centroid'?)", *sweep, "centriod")
        self.bad(2, "there are centroid, pitch", *sweep, "zzz")
        self.bad(2, "named twice", *sweep, "peak,peak")
        self.bad(2, "no contact 'hits'", *sweep, "max_force@hits")
        self.bad(2, "energy needs a time", *sweep, "energy")
        self.bad(2, "the run ends at 0.1 s", *sweep, "energy@2")
        self.bad(2, "takes nothing after @", *sweep, "peak@hit")
        self.bad(3, "needs a mass that collides", "sweep", self.bell, "-o", "a.db", "--axis", "hard=1", "--measure",
                 "exit_speed")
        mute = self.scene("mute.lua", 'local v = param { "v", 1, min = 0, max = 2 }\nmass { mass = 1, velocity = v }')
        self.keep("mute.lua")
        self.bad(3, "no sound to measure", "sweep", mute, "-o", "a.db", "--axis", "v=1")

    def test_databases(self):
        study = ("--axis", "K=1e4:1e6:3", "--duration", "0.01")
        self.sweep("a", *study)
        rows = read_bytes(self.path("a.csv"))
        self.keep("a.db", "a.csv")
        again = ("sweep", self.bounce, "-o", "a.db")
        text = self.bad(2, "'a.db' holds another study", *again, "--axis", "K=1e4:1e6:4", "--duration", "0.01")
        self.assertIn("'axis K 10000:1000000:3' where this one has 'axis K 10000:1000000:4'", text)
        self.bad(2, "holds another study", *again, *study, "--measure", "peak")
        text = self.bad(2, "holds another study", *again, *study, "--rate", "48000")
        self.assertIn("this one has 'rate 48000', which it lacks", text)
        text = self.bad(2, "holds another study", *again, *study, "--sounds", "wav")
        self.assertIn("this one has 'sounds wav, 256 a shard', which it lacks", text)
        text = self.bad(2, "holds another study", *again, *study[:2])
        self.assertIn("it has 'duration 0.01', which this one lacks", text)
        self.scene("bounce.lua", BOUNCE + "-- changed\n")
        self.bad(2, "the scene has changed since 'a.db' was begun", *again, *study)
        self.scene("bounce.lua", BOUNCE)
        self.good("sweep", "show", "a.db", "--csv", "b.csv")
        self.assertEqual(read_bytes(self.path("b.csv")), rows, "nothing is lost")
        self.keep("b.csv", "text.db", "other.db")
        with sqlite3.connect(self.path("other.db")) as base:
            base.execute("CREATE TABLE cats (name TEXT)")
        base.close()
        self.scene("text.db", "This is no database at all, but quite some text in a file.\n" * 50)
        self.bad(2, "'text.db' is no database of a study", "sweep", self.bounce, "-o", "text.db", *study)
        self.bad(2, "'other.db' is no database of a study", "sweep", self.bounce, "-o", "other.db", *study)
        self.bad(2, "'other.db' is no database of a study", "sweep", "show", "other.db")
        self.bad(2, "cannot read 'nowhere.db'", "sweep", "show", "nowhere.db")
        self.bad(2, "it is no file", "sweep", self.bounce, "-o", ".", *study)
        self.bad(1, "cannot write 'none/a.db'", "sweep", self.bounce, "-o", "none/a.db", *study)
        self.bad(1, "cannot write '/proc/a.db'", "sweep", self.bounce, "-o", "/proc/a.db", *study)

    @unittest.skipIf(os.geteuid() == 0, "root may write anywhere")
    def test_a_folder_that_is_read_only(self):
        os.mkdir(self.path("shut"), 0o555)
        self.keep("shut")
        self.bad(1, "cannot write 'shut/a.db': Permission denied", "sweep", self.bounce, "-o", "shut/a.db", "--axis", "K=1e4")

    def test_one_writer_at_a_time(self):
        command = [PROGRAM, "sweep", self.bounce, "-o", "a.db", "--random", "100000", "--quiet", "--threads", "1"]
        with subprocess.Popen(command, cwd=self.folder) as child:
            until = time.monotonic() + 30
            while self.count("a.db") < 1 and time.monotonic() < until:
                time.sleep(0.02)
            done = self.run_program(*command[1:])
            shown = self.run_program("sweep", "show", "a.db")
            shutil.copy(self.path("a.db"), self.path("part.db"))
            merged = self.run_program("sweep", "merge", "a.db", "part.db")
            child.kill()
        self.assertEqual((done.returncode, done.stderr), (1, b"sistrum: another program is writing 'a.db'\n"))
        self.assertEqual((merged.returncode, merged.stderr), (1, b"sistrum: another program is writing 'a.db'\n"))
        self.assertEqual(shown.returncode, 0, "others may read meanwhile")

    def test_a_database_may_stand_among_its_parts(self):
        self.sweep("a", "--axis", "K=1e4,1e5", "--duration", "0.01")
        os.symlink("a.db", self.path("b.db"))
        for part in "a.db", "./a.db", "b.db":
            self.assertEqual(self.good("sweep", "merge", "a.db", part).stderr.decode(), "a.db: 2 of 2 runs\n")

    def test_names_that_sqlite_would_not_take_for_files(self):
        names = ":memory:", "file:b.db?mode=memory", "file:c.db"
        self.keep(*names)
        for name in names:
            self.good("sweep", self.bounce, "-o", name, "--axis", "K=1e4,1e5", "--duration", "0.01")
            self.assertTrue(os.path.isfile(self.path(name)), name)
            self.assertIn(b"2 of 2 runs", self.good("sweep", "show", name).stdout)
        self.assertEqual(self.good("sweep", "merge", *names[1:], names[0]).stderr.decode(), names[1] + ": 2 of 2 runs\n")

    def test_a_damaged_part_is_named(self):
        study = ("--axis", "K=1e4:1e5:log:600", "--duration", "0.01", "--quiet")
        for part in "1/2", "2/2":
            self.good("sweep", self.bounce, "-o", "a.db", *study, "--index", part)
        self.good("sweep", "merge", "a.db", "a-1-of-2.db")
        self.good("sweep", "show", "a.db", "--csv", "before.csv")
        os.truncate(self.path("a-2-of-2.db"), os.path.getsize(self.path("a-2-of-2.db")) // 8192 * 4096)
        self.keep(*os.listdir(self.folder))
        self.bad(1, "cannot read 'a-2-of-2.db': database disk image is malformed", "sweep", "merge", "a.db", "a-2-of-2.db")
        self.good("sweep", "show", "a.db", "--csv", "after.csv")
        self.assertEqual(read_bytes(self.path("before.csv")), read_bytes(self.path("after.csv")))

    def test_merge_is_a_writer_too(self):
        study = ("--random", "20", "--duration", "0.005")
        for part in "1/2", "2/2":
            self.good("sweep", self.bounce, "-o", "a.db", "--quiet", "--index", part, *study)
        self.keep("a-1-of-2.db", "a-2-of-2.db", "all.db", "new.db.tmp")
        merge = ("sweep", "merge", "all.db", "a-1-of-2.db", "a-2-of-2.db")
        self.good(*merge[:-1])
        before = time.monotonic()
        with open(self.path("all.db"), "rb") as f, open(self.path("new.db.tmp"), "wb") as g:
            fcntl.flock(f, fcntl.LOCK_EX)
            fcntl.flock(g, fcntl.LOCK_EX)
            self.bad(1, "another program is writing 'all.db'", *merge)
            self.bad(1, "another program is writing 'new.db'", "sweep", "merge", "new.db", *merge[3:])
        self.assertLess(time.monotonic() - before, 30)
        self.good(*merge)
        self.good("sweep", "merge", "new.db", *merge[3:])
        self.assertEqual([self.count(name) for name in ("all.db", "new.db")], [20, 20])


class Show(StudyCase):
    def test_show(self):
        self.sweep("a", "--axis", "f0=200:400:21", "--axis", "hard=0.5,1", "--measure", "pitch,peak", scene=self.bell)
        text = self.good("sweep", "show", "a.db").stdout.decode()
        self.assertIn("a.db: bell.lua, 42 of 42 runs\n", text)
        self.assertIn("sistrum sweep " + self.bell + " -o a.db", text)
        text = self.good("sweep", "show", "a.db", "--best", "peak", "--rows", "3").stdout.decode()
        self.assertEqual([line.split()[2] for line in text.split("highest peak\n")[1].splitlines()[1:]], ["1"] * 3)
        text = self.good("sweep", "show", "a.db", "--best", "F0", "--lowest", "--rows", "2").stdout.decode()
        self.assertEqual([line.split()[1] for line in text.split("lowest f0\n")[1].splitlines()[1:]], ["200"] * 2)
        self.keep("a.db", "a.csv")
        self.bad(2, "did you mean 'pitch'", "sweep", "show", "a.db", "--best", "pich")
        self.bad(2, "needs a database", "sweep", "show")
        self.bad(2, "needs a database and parts", "sweep", "merge", "a.db")
        self.bad(2, "--axis is for a run", "sweep", "show", "a.db", "--axis", "f0=1")
        self.bad(2, "--seed is for a run", "sweep", "merge", "a.db", "a.db", "--seed=3")

    def test_views_and_manifest(self):
        self.sweep("a", "--axis", "K=1e5,1e6,1e7", "--duration", "0.01", scene=self.scene("picky.lua", PICKY))
        with sqlite3.connect(self.path("a.db")) as base:
            study = base.execute("SELECT * FROM study")
            self.assertEqual([column[0] for column in study.description], ["index", "K", "peak", "rms", "centroid", "error"])
            self.assertEqual(len(study.fetchall()), 3)
            self.assertEqual(base.execute("SELECT count(*) FROM good").fetchone(), (2,))
            self.assertEqual(base.execute("SELECT \"index\" FROM failures").fetchall(), [(2,)])
            manifest = dict(base.execute("SELECT * FROM manifest"))
            sessions = base.execute("SELECT command, version, finished FROM sessions").fetchall()
        base.close()
        self.assertEqual(manifest["scene"], PICKY)
        self.assertEqual(manifest["scene_hash"], hashlib.sha256(PICKY.encode()).hexdigest())
        self.assertTrue(self.good("--version").stdout.decode().strip().endswith(manifest["version"]))
        self.assertTrue(manifest["host"] and manifest["machine"] and manifest["started"] and manifest["command"])
        self.assertEqual(len(sessions), 1)
        self.assertTrue(sessions[0][2])

    def test_names_that_columns_share(self):
        scene = self.scene("names.lua", """
local peak = param { "peak", 1, min = 0.5, max = 2 }
local error = param { "error", 1, min = 0.5, max = 2 }
local m = mass { mass = 0.1, frequency = 440, velocity = peak }
probe { on = m, quantity = "velocity", name = "out" }
render { duration = 0.01 }
""")
        rows = self.sweep("a", "--axis", "peak=1,2", "--axis", "error=1", "--measure", "peak", scene=scene)
        self.assertEqual(list(rows[0]), ["index", "peak", "param_error", "measured_peak", "error"])

    def test_csv_to_standard_output(self):
        done = self.good("sweep", self.bounce, "-o", "a.db", "--axis", "K=1e4,1e5", "--duration", "0.01", "--csv", "-")
        self.assertEqual(done.stdout.count(b"\n"), 3)
        self.assertRegex(done.stderr.decode(), r"^a.db: 2 runs; 2 in .* a second\n$")
        self.assertEqual(read_text(self.bounce), BOUNCE)


def may_mount():
    """Whether a small disk of its own can be made here: as root."""
    mount = ["unshare", "-m", "mount", "-t", "tmpfs", "-o", "size=100k", "tmpfs", "/mnt"]
    return shutil.which("unshare") and subprocess.run(mount, capture_output=True, check=False).returncode == 0


@unittest.skipUnless(may_mount(), "may not mount a disk")
class SmallDisks(StudyCase):
    """A disk that is full, then read only, then has room."""

    def check(self, *study):
        self.good(*study, "-o", "whole.db", "--csv", "whole.csv", "--quiet")
        command = " ".join("'%s'" % word for word in (PROGRAM, *study, "-o", "disk/a.db", "--csv", "a.csv", "--quiet"))
        done = subprocess.run(["unshare", "-m", "sh", "-c", f"""
mkdir disk && mount -t tmpfs -o size=120k tmpfs disk
{command}; echo "code $?"
mount -o remount,size=8m disk && mount -o remount,ro disk
{command}; echo "code $?"
mount -o remount,rw disk
{command}; echo "code $?"
"""], capture_output=True, text=True, timeout=60, cwd=self.folder, check=False)
        self.assertEqual(done.stdout, "code 1\ncode 1\ncode 0\n", done.stderr)
        self.assertRegex(done.stderr, r"^sistrum: cannot write 'disk/a.db': the disk is full; .*\n"
                                      r"sistrum: cannot write 'disk/a.db': .*[Rr]ead.only.*\n$")
        self.assertEqual(self.hash("a"), self.hash("whole"))

    def test_a_sweep(self):
        self.check("sweep", self.bounce, "--random", "5000", "--duration", "0.002", "--measure", "peak,rms")

    def test_a_fit(self):
        self.check("fit", self.bounce, "--target", "max_force=20", "--free", "K", "--measure", "peak,rms,max_force@hit",
                   "--tolerance", "0", "--duration", "0.01", "--runs", "1500")


@unittest.skipIf(SANITIZED or not shutil.which("gnuplot"), "draws with gnuplot")
class Pictures(StudyCase):
    def picture(self, *arguments):
        self.good("plot", "a.db", "-o", "a.svg", *arguments)
        return read_text(self.path("a.svg"))

    def test_a_grid_of_two_params_is_a_map(self):
        self.sweep("a", "--axis", "f0=200:800:5", "--axis", "hard=0.5:2:4", "--measure", "centroid,peak", "--duration",
                   "0.05", scene=self.bell)
        self.assertIn("<image", self.picture("--x", "f0", "--y", "hard", "--colour", "centroid"))
        text = self.picture("--x", "f0", "--y", "peak", "--colour", "hard")
        for name in ("hard 0.5", "hard 2", "f0 (Hz)"):
            self.assertIn(name, text)
        self.assertNotIn("<image", text)
        self.picture()
        for name in "a.png", "a.pdf":
            self.good("plot", "a.db", "-o", name)

    def test_draws_are_points_in_classes(self):
        self.sweep("a", "--random", "60", "--measure", "centroid,pitch", "--duration", "0.05", scene=self.bell)
        text = self.picture("--x", "f0", "--y", "centroid", "--colour", "rings")
        self.assertEqual(text.count(" to "), 6)
        self.assertIn("centroid (Hz)", text)

    def test_classes_are_told_apart_by_their_names(self):
        values = [440.000001, 440.000002] * 9 + [440.0625] * 9 + [440.125] * 9 + [440.1875] * 9 + [200 + i for i in range(9)]
        self.scene("pairs.csv", "f0,hard\n" + "\n".join("%r,%r" % (f, 0.2 + i / 99) for i, f in enumerate(values)) + "\n")
        self.sweep("a", "--pairs", "pairs.csv", "--measure", "peak", "--duration", "0.01", scene=self.bell)
        names = re.findall("f0 [0-9][^<]*", self.picture("--x", "hard", "--y", "peak", "--colour", "f0"))
        self.assertEqual(names, ["f0 200 to 208", "f0 440", "f0 440.06", "f0 440.12", "f0 440.19"])

    def test_inputs_have_units(self):
        self.scene("bell.lua", BELL.replace('"push", 0.5,', '"push", 0.5, unit = "kN",'))
        self.sweep("a", "--axis", "push=0:1:5", "--measure", "peak", "--duration", "0.01", scene=self.bell)
        self.assertIn("push (kN)", self.picture())

    def test_a_front_of_runs_that_no_other_beats(self):
        points = [(1, 5), (2, 3), (3, 4), (4, 1), (5, 2), (4, 1), (2, 5)]
        for seed in range(3):
            self.scene("pairs.csv", "hard,rings\n" + "\n".join("%r,%r" % (x / 4, y / 4) for x, y in points) + "\n")
            self.sweep("a", "--pairs", "pairs.csv", "--measure", "peak,rms", "--duration", "0.01", scene=self.bell)
            for senses in "min,min", "min,max", "max,min", "max,max":
                a, b = (1 if sense == "min" else -1 for sense in senses.split(","))
                front = {(x, y) for x, y in points if not any(
                    a * u <= a * x and b * v <= b * y and (u, v) != (x, y) for u, v in points)}
                text = self.picture("--x", "hard", "--y", "rings", "--pareto", senses)
                self.assertIn("Pareto front, %d run" % len(front), text)
                self.assertIn("all runs", text)
            if seed == 0:
                self.assertIn("Pareto front, 3 runs", self.picture("--x", "hard", "--y", "rings", "--pareto", "min,min"))
                text = self.picture("--pareto", "max,min", "--colour", "rings")
                for name in "peak", "rms", "rings 0.25", "Pareto front":
                    self.assertIn(name, text)
            os.remove(self.path("a.db"))
            chance = random.Random(seed)
            points = [(chance.randint(1, 8), chance.randint(1, 19)) for _ in range(40)]

    def test_refused(self):
        self.sweep("a", "--axis", "K=1e4,1e5", "--duration", "0.01")
        self.keep("a.db", "a.csv")
        self.bad(2, "(did you mean 'peak'?)", "plot", "a.db", "-o", "a.svg", "--y", "peek")
        self.bad(2, "needs an output", "plot", "a.db")
        self.bad(2, "a .png, .svg or .pdf file", "plot", "a.db", "-o", "a.gif")
        self.bad(2, "not 'lowest'", "plot", "a.db", "-o", "a.svg", "--pareto", "lowest")
        self.bad(2, "--x and --y are the same", "plot", "a.db", "-o", "a.svg", "--pareto", "min,min", "--x", "K", "--y", "K")
        self.bad(2, "--what is for a run", "plot", "a.db", "-o", "a.svg", "--what", "signal")
        self.bad(2, "--pareto is for a study", "plot", self.bounce, "-o", "a.svg", "--pareto", "min,min")
        self.bad(2, "--colour is for a study", "plot", self.bounce, "-o", "a.svg", "--colour", "peak")
        self.bad(2, "cannot read 'b.db': No such file", "plot", "b.db", "-o", "a.svg", "--colour", "peak")


if __name__ == "__main__":
    main()
