"""What a study shows: tables, views of its database, columns, pictures."""

import hashlib
import os
import random
import re
import shutil
import sqlite3
import unittest

from cli_case import BOUNCE, SANITIZED, main, read_text
from cli_sweep import BELL, PICKY, StudyCase


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
