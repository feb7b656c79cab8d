"""Studies on the ranks of an MPI job: the same bytes for any number of them, whoever was killed meanwhile.
   python3 test/mpi/run.py PROGRAM MPI_PROGRAM FOLDER [COUNTS]
Runs are few; SISTRUM_LONG=1 makes the long form."""

import glob
import hashlib
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import unittest

PROGRAM, MPI_PROGRAM, FOLDER = (os.path.abspath(path) for path in sys.argv[1:4])
COUNTS = sys.argv[4] if len(sys.argv) > 4 else None
LONG = bool(os.environ.get("SISTRUM_LONG"))
ENVIRONMENT = dict(
    os.environ,
    OMPI_ALLOW_RUN_AS_ROOT="1",
    OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
    OMPI_MCA_rmaps_base_oversubscribe="1",
    OMPI_MCA_btl_vader_single_copy_mechanism="none",
    PATH=os.path.dirname(PROGRAM) + os.pathsep + os.path.dirname(MPI_PROGRAM) + os.pathsep + os.environ["PATH"],
)
PATIENCE = 120  # s

MASS = ["mass_barrier", "--random", "10000" if LONG else "2000", "--duration", "0.1", "--measure", "peak,max_force"]
TANPURA = ["tanpura", "--random", "400" if LONG else "40", "--duration", "0.2", "--sounds", "wav", "--shard", "4"]


def mpirun(ranks):
    return ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", str(ranks), MPI_PROGRAM]


def ranks_of(job):
    """Process ids of the ranks of a job that are alive, rank 0 first."""
    found = {}
    for folder in glob.glob("/proc/[0-9]*"):
        try:
            with open(folder + "/stat", encoding="utf-8") as f:
                name, rest = f.read().rsplit(")", 1)
            with open(folder + "/environ", "rb") as f:
                words = dict(word.split(b"=", 1) for word in f.read().split(b"\0") if b"=" in word)
        except (OSError, ValueError):
            continue
        state, parent = rest.split()[:2]
        if int(parent) == job.pid and "(sistrum-mpi" in name and state != "Z":
            found[int(words.get(b"OMPI_COMM_WORLD_RANK", b"-1"))] = int(folder[6:])
    return [found[rank] for rank in sorted(found)]


class Ranks(unittest.TestCase):
    def setUp(self):
        self.folder = os.path.join(FOLDER, self.id().rsplit(".", 1)[-1])
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)

    def run_words(self, words, code=0):
        done = subprocess.run(
            words, cwd=self.folder, env=ENVIRONMENT, capture_output=True, text=True, timeout=PATIENCE, check=False
        )
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def sweep(self, name, study, *more):
        self.run_words([PROGRAM, "sweep", *study, "-o", name + ".db", "--csv", name + ".csv", *more])
        return self.hash(name)

    def spread(self, name, study, ranks, *more):
        self.run_words([*mpirun(ranks), *study, "-o", name + ".db", "--csv", name + ".csv", *more])
        self.assertFalse(os.path.exists(self.path(name + ".db.parts")))
        return self.hash(name)

    def path(self, name):
        return os.path.join(self.folder, name)

    def hash(self, name):
        """SHA-256 of the rows of a study and of its shards."""
        hashes = {}
        for path in [self.path(name + ".csv")] + glob.glob(self.path(name + "-shards/*")):
            with open(path, "rb") as f:
                hashes[os.path.basename(path).replace(name + ".csv", "rows")] = hashlib.sha256(f.read()).hexdigest()
        return hashes

    def start(self, name, study, ranks, *more):
        return subprocess.Popen(
            [*mpirun(ranks), *study, "-o", name + ".db", "--csv", name + ".csv", *more],
            cwd=self.folder,
            env=ENVIRONMENT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def until(self, what, fact):
        began = time.monotonic()
        while not fact():
            self.assertLess(time.monotonic() - began, PATIENCE, "waited too long for " + what)
            time.sleep(0.005)

    def rows_of(self, pattern):
        """Rows in databases that may be being written."""
        count = 0
        for path in glob.glob(self.path(pattern)):
            try:
                base = sqlite3.connect("file:%s?mode=ro" % path, uri=True)
                count += base.execute("SELECT count(*) FROM runs").fetchone()[0]
                base.close()
            except sqlite3.Error:
                pass
        return count

    def stop_in_the_middle(self, job, name, ranks, halted):
        """Halts one rank while it makes its first block, so that the job cannot end, and waits until the others
        have committed rows."""
        self.until("all ranks", lambda: len(ranks_of(job)) == ranks)
        members = ranks_of(job)
        self.addCleanup(self.end_all, members)
        part = self.path("%s.db.parts/rank-%05d-00000.db" % (name, halted))
        self.until("the part of a rank", lambda: os.path.exists(part))
        os.kill(members[halted], signal.SIGSTOP)
        self.until("rows", lambda: self.rows_of(name + ".db.parts/*.db") > 0)
        return members

    def end_all(self, members):
        for process in members:
            if self.is_alive(process):
                os.kill(process, signal.SIGKILL)

    def end(self, job, members):
        """The job has gone, and so have its ranks."""
        job.wait(PATIENCE)
        self.assertNotEqual(job.returncode, 0)
        for process in members:
            self.until("the end of the ranks", lambda process=process: not self.is_alive(process))

    @staticmethod
    def is_alive(process):
        try:
            with open("/proc/%d/stat" % process, encoding="utf-8") as f:
                return f.read().rsplit(")", 1)[1].split()[0] != "Z"
        except OSError:
            return False

    def is_kept(self, name):
        """There are rows of a job that was killed, and it is not complete."""
        self.assertGreater(self.rows_of(name + ".db.parts/*.db"), 0)
        self.assertFalse(os.path.exists(self.path(name + ".csv")))


class SameBytes(Ranks):
    def any_number(self, study):
        expected = self.sweep("one", study, "--threads", "1")
        self.assertEqual(self.sweep("two", study, "--threads", "2"), expected)
        for ranks in (1, 2, 3):
            self.assertEqual(self.spread("ranks%d" % ranks, study, ranks), expected, ranks)

    def test_rows_of_masses(self):
        self.any_number(MASS)

    def test_rows_and_sounds_of_strings(self):
        self.any_number(TANPURA)

    def test_without_mpirun(self):
        expected = self.sweep("one", TANPURA, "--threads", "1")
        self.run_words([MPI_PROGRAM, *TANPURA, "-o", "alone.db", "--csv", "alone.csv", "--threads", "2"])
        self.assertEqual(self.hash("alone"), expected)

    def test_made_on_local_disks(self):
        expected = self.sweep("one", TANPURA, "--threads", "1")
        os.mkdir(self.path("local"))
        self.assertEqual(self.spread("far", TANPURA, 2, "--local", "local"), expected)
        self.assertEqual(os.listdir(self.path("local")), [])

    def test_parts_of_a_job_array_are_taken_on(self):
        expected = self.sweep("one", MASS, "--threads", "1")
        self.run_words([PROGRAM, "sweep", *MASS, "-o", "some.db", "--index", "2/3"])
        os.rename(self.path("some-2-of-3.db"), self.path("some.db"))
        done = self.run_words([*mpirun(2), *MASS, "-o", "some.db", "--csv", "some.csv"])
        made = int(done.stderr.split("runs; ")[1].split()[0])
        self.assertLess(made, int(MASS[2]) * 0.7)
        self.assertEqual(self.hash("some"), expected)

    def test_a_part_whose_journal_is_hot(self):
        """As on a network file system: a writer was killed in the middle of a transaction that had reached the disk."""
        expected = self.sweep("one", MASS, "--threads", "1")
        self.run_words([PROGRAM, "sweep", *MASS, "-o", "some.db", "--index", "2/3"])
        os.mkdir(self.path("some.db.parts"))
        part = self.path("some.db.parts/rank-00007-00000.db")
        base = sqlite3.connect(self.path("some-2-of-3.db"), isolation_level=None)
        base.executescript("PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1; BEGIN; UPDATE runs SET max_force = -1;")
        shutil.copy(self.path("some-2-of-3.db"), part)
        shutil.copy(self.path("some-2-of-3.db-journal"), part + "-journal")
        base.execute("ROLLBACK")
        base.close()
        self.assertEqual(self.spread("some", MASS, 2), expected)

    def test_again_there_is_nothing_to_do(self):
        expected = self.spread("one", MASS, 2)
        done = self.run_words([*mpirun(3), *MASS, "-o", "one.db", "--csv", "one.csv"])
        said = [line for line in done.stderr.splitlines() if ".db: " in line]  # OpenMPI may have words of its own
        self.assertEqual(said, ["one.db: %s runs" % MASS[2]], done.stderr)
        self.assertEqual(self.hash("one"), expected)


class Killed(Ranks):
    def killed(self, study, ranks, victims, again):
        """kill -9 of some ranks in the middle; with victims None: of the whole job."""
        expected = self.sweep("one", study, "--threads", "1")
        job = self.start("some", study, ranks)
        # Not rank 0: it hands out the work.
        members = self.stop_in_the_middle(job, "some", ranks, max(victims or [1]) or 1)
        if victims is None:
            job.kill()
        for rank in range(ranks) if victims is None else victims:
            os.kill(members[rank], signal.SIGKILL)
        self.end(job, members)
        self.is_kept("some")
        self.assertEqual(self.spread("some", study, again), expected)

    def test_one_rank_of_masses(self):
        self.killed(MASS, 3, [2], 2)

    def test_one_rank_of_strings(self):
        self.killed(TANPURA, 3, [1], 1)

    def test_rank_0(self):
        self.killed(TANPURA, 2, [0], 3)

    def test_all_ranks_of_masses(self):
        self.killed(MASS, 2, None, 3)

    def test_all_ranks_of_strings(self):
        self.killed(TANPURA, 3, None, 2)

    def test_terminated(self):
        expected = self.sweep("one", TANPURA, "--threads", "1")
        job = self.start("some", TANPURA, 3)
        members = self.stop_in_the_middle(job, "some", 3, 2)
        os.kill(members[2], signal.SIGCONT)
        job.send_signal(signal.SIGTERM)
        job.wait(PATIENCE)
        self.assertEqual(self.spread("some", TANPURA, 2), expected)


class Refused(Ranks):
    def refused(self, code, sentence, words, ranks=3):
        """One sentence, of one rank, and the exit code of sistrum sweep."""
        done = self.run_words([*mpirun(ranks), *words], code)
        said = [line for line in done.stderr.splitlines() if line.startswith("sistrum")]
        self.assertEqual(len(said), 1, done.stderr)
        self.assertIn(sentence, said[0])
        return said[0]

    def test_an_axis_that_is_not_there(self):
        self.refused(2, "has no param or input 'KK'", ["mass_barrier", "-o", "a.db", "--axis", "KK=1:2:3"])
        self.assertEqual(os.listdir(self.folder), [])

    def test_an_option_that_is_not_there(self):
        self.refused(2, "unknown option '--axes'", ["mass_barrier", "-o", "a.db", "--axes", "K=1:2:3"])

    def test_a_scene_that_is_not_there(self):
        self.refused(3, "no scene 'nosuch'", ["nosuch", "-o", "a.db", "--axis", "K=1:2:3"])

    def test_words_of_other_commands(self):
        self.refused(2, "sistrum sweep show does that", ["show", "a.db"])
        self.refused(2, "--index is for job arrays", ["mass_barrier", "-o", "a.db", "--random", "4", "--index", "1/2"])

    def test_help_is_about_what_it_takes(self):
        done = self.run_words([MPI_PROGRAM, "--help"])
        self.assertIn("runs at a time of each rank (default 1)", done.stdout)
        for option in "--index", "--best", "--lowest", "--rows", "one per core":
            self.assertNotIn(option, done.stdout)

    def test_a_database_of_another_study(self):
        before = self.sweep("a", [*MASS[:2], "20", *MASS[3:]])
        self.refused(2, "'a.db' holds another study", [*MASS, "-o", "a.db"])
        self.run_words([PROGRAM, "sweep", "show", "a.db", "--csv", "a.csv"])
        self.assertEqual(self.hash("a"), before)

    def test_a_folder_that_cannot_be_written(self):
        self.refused(1, "cannot write '/proc/a.db'", [*MASS, "-o", "/proc/a.db"])

    def test_a_local_folder_that_is_not_there(self):
        self.refused(1, "cannot make a folder in 'nowhere'", [*MASS, "-o", "a.db", "--local", "nowhere"])

    def test_sounds_that_cannot_be_written(self):
        os.mkdir(self.path("a-shards"))
        os.mkdir(self.path("a-shards/shard-000003.tar"))
        self.refused(1, "shard-000003.tar", [*TANPURA, "-o", "a.db"])
        os.rmdir(self.path("a-shards/shard-000003.tar"))
        self.assertEqual(self.spread("a", TANPURA, 2), self.sweep("one", TANPURA))

    def test_a_part_of_another_study(self):
        self.sweep("b", [*MASS[:2], "20", *MASS[3:]])
        os.mkdir(self.path("a.db.parts"))
        os.rename(self.path("b.db"), self.path("a.db.parts/rank-00000-00000.db"))
        self.refused(2, "holds another study", [*MASS, "-o", "a.db"])
        self.assertTrue(os.path.exists(self.path("a.db.parts/rank-00000-00000.db")))


class Slurm(Ranks):
    STUDY = [*MASS[:2], "64", *MASS[3:]]

    def script(self, *words):
        done = self.run_words([*words, *self.STUDY, "-o", "a.db", "--csv", "a.csv", "--slurm"])
        self.assertEqual(os.listdir(self.folder), [])
        with open(self.path("job.sh"), "w", encoding="utf-8") as f:
            f.write(done.stdout)
        return done.stdout

    def test_a_job_array(self):
        text = self.script(PROGRAM, "sweep")
        self.assertIn("\n#SBATCH --array=1-16\n", text)
        for task in "1", "2", "3":
            variables = {"SLURM_ARRAY_TASK_ID": task, "SLURM_ARRAY_TASK_COUNT": "3", "SLURM_CPUS_PER_TASK": "1"}
            subprocess.run(["sh", "job.sh"], cwd=self.folder, env={**ENVIRONMENT, **variables}, check=True, timeout=PATIENCE)
        merge = [line[4:] for line in text.splitlines() if line.startswith("#   sistrum sweep merge")]
        self.run_words(["sh", "-c", merge[0]])
        self.assertEqual(self.hash("a"), self.sweep("one", self.STUDY))

    def test_an_mpi_job(self):
        text = self.script(MPI_PROGRAM)
        self.assertIn("\n#SBATCH --ntasks=16\n", text)
        self.run_words(["sh", "job.sh"])
        self.assertEqual(self.hash("a"), self.sweep("one", self.STUDY))


def tests():
    """All of them, or those that SISTRUM_ONLY names."""
    loader = unittest.defaultTestLoader
    if os.environ.get("SISTRUM_ONLY"):
        loader.testNamePatterns = ["*%s*" % word for word in os.environ["SISTRUM_ONLY"].split()]
    return loader.loadTestsFromModule(sys.modules[__name__])


def main():
    result = unittest.TextTestRunner(verbosity=2).run(tests())
    bad = len(result.failures) + len(result.errors)
    line = "%d passed, %d failed" % (result.testsRun - bad - len(result.skipped), bad)
    print(line)
    if COUNTS:
        with open(COUNTS, "w", encoding="utf-8") as f:
            f.write(line + "\n")
    shutil.rmtree(FOLDER, ignore_errors=True)
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
