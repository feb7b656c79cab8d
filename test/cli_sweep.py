"""Studies: work that is never lost, whatever ends, and what sweep refuses."""

import csv
import fcntl
import hashlib
import os
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import time
import unittest

from cli_case import BOUNCE, PROGRAM, SANITIZED, Case, count_runs, main, read_bytes, read_text

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


if __name__ == "__main__":
    main()
