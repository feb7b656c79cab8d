"""sistrum.sweep and sistrum.Study: the rows and bytes of `sistrum sweep`, whoever makes them; and measures in Python."""

import hashlib
import os
import pickle
import signal
import sqlite3
import subprocess
import sys
import tracemalloc
import unittest
from unittest import mock

from python_case import BOUNCE, Case, HAND, SANITIZED, SOURCE, main, np, sistrum

STRUCK = BOUNCE.replace("frequency = 200", 'frequency = param { "f0", 200, min = 20, max = 2000, unit = "Hz" }') + \
    'play { pitch = "f0", velocity = "K" }'
LUA = "function crossings(samples, rate) local n = 0 for i = 2, #samples do if samples[i - 1] < 0 and samples[i] >= 0 " \
      "then n = n + 1 end end return n end"


COMMA = """
import locale, sys
import sistrum
if sys.argv[2]:
    locale.setlocale(locale.LC_NUMERIC, sys.argv[2])
    assert locale.localeconv()["decimal_point"] == ","
study = sistrum.sweep(sys.argv[1], None, {"K": "1.5e4:2.5e6:log:3"}, pairs={"f0": [150.5, 220.25]}, measure_file=sys.argv[3],
                      duration=0.0125, measures="peak,energy@0.0105,tenths", settings={"gap": 0.25})
study.csv(sys.argv[4])
print(study.manifest["spec"], study.failures, [name for _, name in study.scene(3).objects])
for text in ("mass { mass = 1.5e-20 }", "local s = mass{ mass = 'x' .. 1.5 }"):
    try:
        sistrum.parse(text)
    except sistrum.SceneError as why:
        print(why)
"""


def read(path):
    with open(path, "rb") as f:
        return f.read()


class Same(Case):
    """A study of the program and one of Python, byte by byte."""

    def check_same(self, scene, arguments, asked, shards=False):
        names = [self.path(n) for n in ("c.db", "c.csv", "p.db", "p.csv")]
        for name in names:
            if os.path.exists(name):
                os.remove(name)
        self.good("sweep", scene, "-o", names[0], "--csv", names[1], "--quiet", *arguments)
        study = sistrum.sweep(scene, names[2], **asked)
        study.csv(names[3])
        self.assertEqual(read(names[1]), read(names[3]))
        with sqlite3.connect(names[0]) as base:
            manifest = dict(base.execute("SELECT key, value FROM manifest"))
            rows = base.execute("SELECT * FROM runs ORDER BY idx").fetchall()
        for key in ("spec", "hash", "scene", "scene_name", "count", "params", "version", "format"):
            self.assertEqual(study.manifest[key], manifest[key], key)
        np.testing.assert_array_equal(study.data["index"], [r[0] for r in rows])
        for i, name in enumerate(study.columns, 1):
            np.testing.assert_array_equal(study[name], np.array([r[i] for r in rows], dtype=float))
        self.assertEqual(study.errors, {r[0]: r[-1] for r in rows if r[-1]})
        self.assertEqual((len(study), study.count), (len(rows), len(rows)))
        if shards:
            for name in sorted(os.listdir(self.path("c-shards"))):
                self.assertEqual(read(self.path("c-shards/" + name)), read(self.path("p-shards/" + name)), name)
        return study

    def test_axes_draws_pairs_measures_and_settings(self):
        bounce, struck, hand = (self.scene(n + ".lua", t) for n, t in (("bounce", BOUNCE), ("struck", STRUCK), ("hand", HAND)))
        pairs = self.scene("pairs.csv", "K,f0\n1e5,100\n2.5e7,333\n0.1e9,1000\n")
        lua = self.scene("mine.lua", LUA)
        curve = self.scene("x.csv", "0,0.1\n0.02,0.7\n")
        short = ["--duration", "0.05"]
        cases = [
            (bounce, ["--axis", "K=1e4:1e9:log:7", *short], {"axes": {"K": "1e4:1e9:log:7"}, "duration": 0.05}),
            (bounce, ["--axis", "K=10000.0,0.1e6,300000.00000000006", "--measure", "exit_speed,max_force@hit,energy@0.02,residual",
                      *short], {"axes": {"K": [1e4, 1e5, 300000.00000000006]}, "duration": 0.05,
                                "measures": ["exit_speed", "max_force@hit", "energy@0.02", "residual"]}),
            (struck, ["--random", "9", "--seed", "7", *short], {"random": 9, "seed": 7, "duration": 0.05}),
            (struck, ["--random", "8", "--draw", "sobol", "--free", "K", "--axis", "note=60,61.5", *short],
             {"random": 8, "draw": "sobol", "free": "K", "axes": {"note": np.array([60, 61.5])}, "duration": 0.05}),
            (struck, ["--random", "6", "--draw", "latin", "--axis", "K=1e5:1e6:log", "--axis", "f0=100,200", *short],
             {"random": 6, "draw": "latin", "axes": {"K": "1e5:1e6:log", "f0": (100, 200)}, "duration": 0.05}),
            (struck, ["--pairs", pairs, *short], {"pairs": pairs, "duration": 0.05}),
            (struck, ["--pairs", pairs, *short], {"pairs": {"K": [1e5, 2.5e7, 1e8], "f0": (100, 333, 1000)}, "duration": 0.05}),
            (struck, ["--axis", "note=50:70:5", "--axis", "velocity=0:1:3", "--a4", "442", "--measure", "pitch,peak", *short],
             {"axes": {"note": "50:70:5", "velocity": "0:1:3"}, "a4": 442, "measures": "pitch,peak", "duration": 0.05}),
            (bounce, ["--axis", "K=1e6,1e7", "--set", "K=1", "--rate", "32000", "--oversample", "2"], None),
            (bounce, ["--axis", "K=1e6,1e7", "--rate", "32000", "--oversample", "2", "--scheme", "newton", *short],
             {"axes": {"K": [1e6, 1e7]}, "rate": 32000, "oversample": 2, "scheme": "newton", "duration": 0.05}),
            (bounce, ["--axis", "K=1e6,1e8", "--measure-file", lua, *short],
             {"axes": {"K": [1e6, 1e8]}, "measure_file": lua, "duration": 0.05}),
            (hand, ["--axis", "knock=1,2,3", "--input", "x=" + curve], {"axes": {"knock": [1, 2, 3]},
                                                                       "inputs": {"x": [(0, 0.1), (0.02, 0.7)]}}),
        ]
        for scene, arguments, asked in cases:
            with self.subTest(arguments):
                if asked is not None:
                    self.assertGreater(len(self.check_same(scene, arguments, asked)), 1)
                    continue
                self.assertNotEqual(self.run_program("sweep", scene, "-o", self.path("x.db"), *arguments).returncode, 0)

    def test_settings_of_the_scene_come_first(self):
        struck = self.scene("struck.lua", STRUCK)
        self.check_same(struck, ["--set", "K=3e6", "--axis", "f0=100,200", "--duration", "0.02"],
                        {"settings": {"K": 3e6}, "axes": {"f0": [100, 200]}, "duration": 0.02})
        one, other = (sistrum.sweep(s, axes={"f0": [100]}, duration=0.02, **k).data for s, k in (
            (sistrum.load(struck, K=3e6), {}), (struck, {"settings": {"K": 3e6}})))
        self.assertEqual(one, other)

    def test_sounds_in_shards(self):
        struck = self.scene("struck.lua", STRUCK)
        for sounds, more, asked in (("wav", ["--shard", "2"], {"shard": 2}), ("npy", [], {}),
                                    ("flac", ["--normalise", "on"], {"normalise": True})):
            with self.subTest(sounds):
                for folder in ("c-shards", "p-shards"):
                    for name in os.listdir(self.path(folder)) if os.path.isdir(self.path(folder)) else []:
                        os.remove(self.path(folder + "/" + name))
                self.check_same(struck, ["--random", "5", "--duration", "0.02", "--sounds", sounds, *more],
                                {"random": 5, "duration": 0.02, "sounds": sounds, **asked}, shards=True)
                self.assertEqual(len(os.listdir(self.path("p-shards"))), 3 if sounds == "wav" else 1)

    def test_any_number_of_threads_and_two_parts_give_the_same_bytes(self):
        asked = {"axes": {"K": "1e4:1e9:log:40"}, "duration": 0.02}
        scene, sums = self.scene("bounce.lua", BOUNCE), set()
        for threads in (1, 2, 7):
            sistrum.sweep(scene, self.path("%d.db" % threads), threads=threads, **asked).csv(self.path("o.csv"))
            sums.add(hashlib.sha256(read(self.path("o.csv"))).hexdigest())
        parts = [sistrum.sweep(scene, self.path("b.db"), part=(i, 2), **asked) for i in (2, 1)]
        self.assertEqual([os.path.basename(p.path) for p in parts], ["b-2-of-2.db", "b-1-of-2.db"])
        self.assertEqual(sum(map(len, parts)), 40)
        whole = sistrum.merge(self.path("b.db"), [p.path for p in parts])
        whole.csv(self.path("o.csv"))
        sums.add(hashlib.sha256(read(self.path("o.csv"))).hexdigest())
        self.assertEqual(len(sums), 1)

    def test_each_goes_on_where_the_other_was_left(self):
        scene = self.scene("bounce.lua", BOUNCE)
        asked, typed = {"axes": {"K": "1e4:1e9:log:50"}, "duration": 0.02}, ["--axis", "K=1e4:1e9:log:50", "--duration", "0.02"]
        sistrum.sweep(scene, self.path("whole.db"), **asked).csv(self.path("whole.csv"))
        for first in ("python", "program"):
            with self.subTest(first):
                path = self.path(first + ".db")
                if first == "python":
                    sistrum.sweep(scene, path, part=(1, 2), **asked)
                    os.rename(self.path("python-1-of-2.db"), path)
                    self.good("sweep", scene, "-o", path, "--quiet", *typed)
                    study = sistrum.Study(path)
                else:
                    self.good("sweep", scene, "-o", path, "--quiet", "--index", "1/2", *typed)
                    os.rename(self.path("program-1-of-2.db"), path)
                    study = sistrum.sweep(scene, path, **asked)
                study.csv(self.path("o.csv"))
                self.assertEqual(read(self.path("o.csv")), read(self.path("whole.csv")))
        with self.assertRaisesRegex(sistrum.SettingError, "holds another study: it has 'axis K .*' where this one has"):
            sistrum.sweep(scene, self.path("whole.db"), axes={"K": "1e4:1e9:log:51"}, duration=0.02)


class Comma(Case):
    """A process whose locale has a decimal comma, as GUI toolkits and locale.setlocale(LC_ALL, "") set it."""

    def test_scenes_and_studies_are_the_same(self):
        scene = self.scene("struck.lua", STRUCK + """
local gap = param { "gap", 0.5 }
local named = mass { name = "at " .. gap, mass = gap, frequency = tonumber(string.format("%.1f", 10.5)) }
probe { on = named, quantity = "displacement", name = tostring(2.5) .. string.format("%g", 1.5) }
""")
        lua = self.scene("mine.lua", "function tenths(samples, rate) return tonumber(string.format('%.1f', 1.25e3 / rate)) end")
        with open(self.path("source"), "w", encoding="ascii") as f:
            f.write('LC_NUMERIC\ndecimal_point ","\nthousands_sep ""\ngrouping -1\nEND LC_NUMERIC\n')
        try:
            subprocess.run(["localedef", "-c", "-i", self.path("source"), "-f", "ANSI_X3.4-1968", self.path("comma")],
                           capture_output=True, check=False, timeout=60)
        except FileNotFoundError:
            self.skipTest("there is no localedef")
        said = []
        for name in "", "comma":
            done = subprocess.run([sys.executable, "-c", COMMA, scene, name, lua, self.path("o%s.csv" % name)],
                                  capture_output=True, text=True, timeout=60,
                                  env={**os.environ, "LOCPATH": self.folder, "PYTHONPATH": os.path.join(SOURCE, "python")})
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            said.append(done.stdout)
        self.assertEqual(*said)
        self.assertIn("mass = 1.5e-20 kg is outside", said[0])
        self.assertIn("'at 0.25'", said[0])
        self.assertEqual(read(self.path("o.csv")), read(self.path("ocomma.csv")))


class Ended(Case):
    """Studies that are ended before they are done."""

    ASKED = {"axes": {"K": "1e4:1e9:log:400"}, "duration": 0.05}

    def ended(self, error, progress):
        path, scene = self.path("s.db"), self.scene("bounce.lua", BOUNCE)
        with self.assertRaises(error):
            sistrum.sweep(scene, path, progress=progress, **self.ASKED)
        made = len(sistrum.Study(path))
        self.assertLess(made, 400)
        told = []
        study = sistrum.sweep(scene, path, progress=lambda done, count: told.append((done, count)), **self.ASKED)
        self.assertEqual(told[-1], (400, 400))
        self.assertGreaterEqual(told[0][0], made)
        study.csv(self.path("s.csv"))
        sistrum.sweep(scene, self.path("w.db"), **self.ASKED).csv(self.path("w.csv"))
        self.assertEqual(read(self.path("s.csv")), read(self.path("w.csv")))

    def test_by_an_exception_in_progress(self):
        def progress(done, count):
            raise RuntimeError("enough")
        self.ended(RuntimeError, progress)

    @unittest.skipIf(SANITIZED, "the sanitizer holds signals back")
    def test_by_ctrl_c(self):
        def progress(done, count):
            if done < count:
                os.kill(os.getpid(), signal.SIGINT)
        self.ended(KeyboardInterrupt, progress)
        self.assertIs(signal.getsignal(signal.SIGINT), signal.default_int_handler)

    @unittest.skipIf(SANITIZED, "the sanitizer holds signals back")
    def test_by_the_handler_of_another_signal(self):
        """What it raises ends the study; one that raises nothing changes nothing. It may put another in its place."""
        called = []

        def leave(number, _frame):
            called.append(number)
            raise SystemExit(5)

        def note(number, _frame):
            called.append(number)
            signal.signal(signal.SIGALRM, leave if len(called) > 2 else note)

        def last(done, count):  # on a machine that is through before the timer
            if done == count and not called:
                signal.setitimer(signal.ITIMER_REAL, 0)
                os.kill(os.getpid(), signal.SIGALRM)
        scene, old = sistrum.parse(BOUNCE), signal.signal(signal.SIGALRM, leave)
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.02)
            with self.assertRaises(SystemExit) as caught:
                sistrum.sweep(scene, None, progress=last, **self.ASKED)
            self.assertEqual(caught.exception.code, 5)
            self.assertIs(signal.getsignal(signal.SIGALRM), leave)
            called.clear()
            signal.signal(signal.SIGALRM, note)
            signal.setitimer(signal.ITIMER_REAL, 0.01)
            self.assertEqual(len(sistrum.sweep(scene, None, progress=last, **self.ASKED)), 400)
            self.assertEqual(called, [signal.SIGALRM])
            self.assertIs(signal.getsignal(signal.SIGALRM), note)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, old)


class Own(Case):
    """Measures that are Python functions."""

    def test_they_hear_what_the_scene_sounds_like_and_are_columns(self):
        scene = sistrum.parse(BOUNCE)
        heard = {}

        def crest(samples, rate):
            heard[len(heard)] = samples
            return np.abs(samples).max() / samples.std()

        study = sistrum.sweep(scene, self.path("s.db"), axes={"K": [1e5, 1e7]}, duration=0.05, threads=1,
                              measures={"peak": None, "crest": crest, "rate": lambda samples, rate: rate})
        self.assertEqual(study.measures, ("peak", "crest", "rate"))
        for i, K in enumerate((1e5, 1e7)):
            sound = scene.set(K=K).render(0.05).sound.mean(axis=1)
            np.testing.assert_array_equal(heard[i], sound)
            self.assertEqual(study["crest"][i], np.abs(sound).max() / sound.std())
        self.assertEqual(list(study["rate"]), [44100, 44100])
        self.assertEqual(study.errors, {})
        shown = self.good("sweep", "show", self.path("s.db"), "--best", "crest").stdout.decode()
        self.assertIn("highest crest", shown)
        other = sistrum.sweep(scene, self.path("n.db"), axes={"K": [1e5, 1e7]}, duration=0.05, measures="peak")
        np.testing.assert_array_equal(other["peak"], study["peak"])

    def test_what_they_raise_is_the_sentence_of_the_row(self):
        def picky(samples, rate):
            if abs(samples).max() > 0:
                raise ValueError("too\nloud \x1b[31m")
            return 1

        def wrong(samples, rate):
            return "seven"

        def none(samples, rate):
            return float("nan")

        def greedy(samples, rate):
            samples[:] = 0
            return len(samples)

        study = sistrum.sweep(sistrum.parse(BOUNCE), axes={"K": [1e5, 1e6]}, duration=0.01,
                              measures={"greedy": greedy, "picky": picky, "wrong": wrong, "rms": None})
        self.assertEqual(len(study.failures), 1)
        self.assertTrue(study.failures[0][0].startswith("picky: ValueError: too loud"), study.failures)
        self.assertIn("; wrong: ValueError: could not convert", study.failures[0][0])
        self.assertTrue(study.failures[0][0].isprintable())
        self.assertTrue(np.isnan(study["picky"]).all() and np.isnan(study["wrong"]).all())
        self.assertTrue((study["greedy"] == 441).all() and (study["rms"] > 0).all())
        class Mute(Exception):
            def __str__(self):
                raise RuntimeError

        def mute(samples, rate):
            raise Mute

        study = sistrum.sweep(sistrum.parse(BOUNCE), axes={"K": [1e5, 1e6]}, duration=0.01, measures={"mute": mute})
        self.assertEqual(study.failures, [("mute: Mute: it has no sentence", 2, 0)])
        study = sistrum.sweep(sistrum.parse(BOUNCE), axes={"K": [1e5]}, duration=0.01, measures={"none": none})
        self.assertEqual(study.failures, [("none: it returned no finite number", 1, 0)])
        study = sistrum.sweep(sistrum.parse(BOUNCE), axes={"K": [1e5]}, duration=0.01, measures={"mute": mute, "none": none})
        self.assertEqual(study.failures, [("mute: Mute: it has no sentence; none: it returned no finite number", 1, 0)])

    def test_what_ends_python_ends_the_study(self):
        def leave(samples, rate):
            raise SystemExit(3)
        with self.assertRaises(SystemExit):
            sistrum.sweep(sistrum.parse(BOUNCE), axes={"K": "1e5:1e6:50"}, duration=0.01, measures={"leave": leave})

    def test_other_functions_are_another_study(self):
        scene, asked = sistrum.parse(BOUNCE), {"axes": {"K": [1e5, 1e7]}, "duration": 0.01}
        sistrum.sweep(scene, self.path("s.db"), measures={"a": lambda s, r: s.max()}, **asked)
        sistrum.sweep(scene, self.path("s.db"), measures={"a": lambda s, r: s.max()}, **asked)
        with self.assertRaisesRegex(sistrum.SettingError, "holds another study: it has 'python "):
            sistrum.sweep(scene, self.path("s.db"), measures={"a": lambda s, r: s.min()}, **asked)
        with self.assertRaisesRegex(sistrum.SettingError, "'peak' is named twice"):
            sistrum.sweep(scene, measures="peak,peak", **asked)
        with self.assertRaisesRegex(sistrum.SettingError, "at most 64"):
            sistrum.sweep(scene, measures={"m%d" % i: len for i in range(65)}, **asked)

    def test_a_silent_scene_has_no_samples_to_measure(self):
        with self.assertRaisesRegex(sistrum.SceneError, "no sound to measure"):
            sistrum.sweep(sistrum.parse("mass { mass = 1 } param { 'p', 1, min = 0, max = 2 }"), axes={"p": [1]},
                          measures={"a": lambda s, r: 1})


class Reading(Case):
    def setUp(self):
        super().setUp()
        self.struck = self.scene("struck.lua", STRUCK)

    def test_columns_arrays_and_frames(self):
        study = sistrum.sweep(self.struck, self.path("s.db"), axes={"K": [1e5, 1e7], "f0": [100, 200, 300]}, duration=0.05,
                              measures="peak,pitch")
        self.assertEqual((study.params, study.measures, len(study)), (("K", "f0"), ("peak", "pitch"), 6))
        self.assertEqual(study.data.dtype.names, ("index", "K", "f0", "peak", "pitch"))
        np.testing.assert_array_equal(study["f0"], [100, 200, 300] * 2)
        np.testing.assert_array_equal(study["k"], study["K"])
        arrays = study.arrays()
        self.assertEqual(list(arrays), ["index", "K", "f0", "peak", "pitch", "error"])
        self.assertEqual(set(np.nonzero(arrays["error"] != "")[0]), set(study.errors))
        self.assertEqual(len(study.good) + len(study.errors), 6)
        with self.assertRaises(ValueError):
            study["K"][0] = 1
        with self.assertRaisesRegex(sistrum.SettingError, "the study has no 'loud': K, f0, peak, pitch"):
            study["loud"]
        copy = pickle.loads(pickle.dumps(study))
        self.assertEqual(copy.data.tobytes(), study.data.tobytes())
        self.assertIn("6 of 6 runs", repr(study))
        self.assertEqual(study.manifest["scene"], STRUCK)

    def test_frames_of_pandas(self):
        study = sistrum.sweep(self.struck, axes={"K": [1e5, 1e7]}, duration=0.02)
        with mock.patch.dict("sys.modules", pandas=None), self.assertRaisesRegex(ImportError, "needs pandas: apt install"):
            study.frame()
        try:
            import pandas
        except ImportError:
            self.skipTest("no pandas")
        frame = study.frame()
        self.assertEqual(list(frame.columns), ["K", "peak", "rms", "centroid", "error"])
        self.assertEqual((frame.index.name, list(frame.index)), ("index", [0, 1]))
        np.testing.assert_array_equal(frame["rms"].to_numpy(), study["rms"])
        again = sistrum.sweep(self.struck, pairs=pandas.DataFrame({"K": frame["K"]}), duration=0.02)
        np.testing.assert_array_equal(again["rms"], study["rms"])

    def test_best_rows(self):
        study = sistrum.sweep(self.struck, axes={"K": "1e4:1e9:log:12"}, duration=0.02)
        values = study["rms"]
        self.assertEqual(study.best("rms")["index"], int(values.argmax()))
        self.assertEqual(study.best("rms", lowest=True)["rms"], values.min())
        self.assertEqual([r["rms"] for r in study.best("rms", count=3)], sorted(values, reverse=True)[:3])
        self.assertEqual(study.best("K", count=0), [])
        with self.assertRaises(sistrum.SettingError):
            study.best("nothing")

    def test_a_run_can_be_heard_again(self):
        study = sistrum.sweep(self.struck, settings={"f0": 150}, axes={"K": "1e4:1e9:log:5"}, duration=0.02, measures="peak")
        notes = sistrum.sweep(self.struck, axes={"note": [60, 72.5], "velocity": [0.2, 1]}, a4=430, duration=0.02, measures="peak")
        for each in (study, notes):
            for row in each.data:
                run = each.scene(row["index"]).render(0.02)
                self.assertEqual(np.abs(run.sound).max(), row["peak"])
        with self.assertRaisesRegex(IndexError, "no run 99"):
            study.scene(99)

    def test_others_read_while_one_writes(self):
        path, seen = self.path("s.db"), []

        def progress(done, count):
            seen.append(len(sistrum.Study(path).refresh()))

        study = sistrum.sweep(self.struck, path, axes={"K": "1e4:1e9:log:300"}, duration=0.05, progress=progress)
        self.assertEqual(seen, sorted(seen))
        self.assertEqual((len(study), seen[-1]), (300, 300))

    def test_what_is_no_study_is_refused(self):
        with open(self.path("text.db"), "w", encoding="ascii") as f:
            f.write("no database at all, " * 99)
        sqlite3.connect(self.path("other.db")).execute("CREATE TABLE manifest (key, value)").connection.close()
        for name, said in (("none.db", "there is no database"), ("text.db", "is no database of a study"),
                           ("other.db", "is no database of a study"), ("", "there is no database")):
            with self.subTest(name), self.assertRaisesRegex(sistrum.SettingError, said):
                sistrum.Study(self.path(name))

    def test_names_and_texts_of_any_bytes(self):
        """Of the database, of the scene, in the scene; no page holds what is no text."""
        text = STRUCK.replace('title = "Bounce"', "normalise = true").encode() + b"\n-- caf\xe9\n"
        path = os.path.join(os.fsencode(self.folder), b"b\xff.db")
        study = sistrum.sweep(sistrum.parse(text, name="\udcff.lua"), path, axes={"K": [1e5]}, duration=0.01)
        self.assertEqual((len(study), study.name), (1, "\udcff.lua"))
        self.assertEqual(sistrum.Study(path).scene(0).text, text)
        study.csv(os.path.join(os.fsencode(self.folder), b"\xff.csv"))
        for shown in (study, study.scene(0), study.scene(0).render(0.01)):
            page = shown._repr_html_().encode()
        self.assertIn("\ufffd.lua".encode(), page)
        with open(self.path("l1.csv"), "wb") as f:
            f.write(b"K\n\xff1e5\n")
        with self.assertRaisesRegex(sistrum.SettingError, "l1.csv:2: .*is not a number"):
            sistrum.sweep(sistrum.parse(text), pairs=self.path("l1.csv"))

    def test_which_columns_it_has(self):
        study = sistrum.sweep(self.struck, axes={"K": [1e5]}, duration=0.01)
        self.assertEqual([name in study for name in ("K", "k", "peak", "index", "none", 0)], [True] * 4 + [False] * 2)
        with self.assertRaisesRegex(TypeError, "not iterable"):
            list(study)

    def test_many_rows_need_little_more_than_their_array(self):
        rows = 200000
        study = sistrum.sweep(self.struck, self.path("many.db"), axes={"K": [1e5]}, duration=0.01)
        base = sqlite3.connect(study.path)
        base.execute("DELETE FROM runs")
        base.executemany("INSERT INTO runs VALUES (?, ?, 1, 2, 3, ?)", ((i, i / 2, "odd" if i % 2 else "") for i in range(rows)))
        base.commit()
        base.close()
        tracemalloc.start()
        try:
            found = sistrum.Study(study.path).data
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        self.assertTrue((found["K"] == np.arange(rows) / 2).all() and (found["index"] == np.arange(rows)).all())
        self.assertLess(peak, 3 * found.nbytes + rows // 2 * 200)  # and a sentence for every other row
        self.assertEqual(sistrum.Study(study.path).failures, [("odd", rows // 2, 1)])

    def test_a_study_without_a_file_goes_away(self):
        study = sistrum.sweep(self.struck, axes={"K": [1e5]}, duration=0.01)
        folder = os.path.dirname(study.path)
        self.assertTrue(os.path.exists(study.path))
        with self.assertRaises(TypeError):
            pickle.dumps(study)
        child = os.fork()  # it has the same Study, and neither its end nor that of the process takes the file away
        if not child:
            try:
                del study
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        self.assertEqual(len(sistrum.Study(study.path)), 1)
        del study
        self.assertFalse(os.path.exists(folder))

    def test_pages_escape_what_they_show(self):
        path = os.path.join(self.folder, "<b>&.lua")
        with open(path, "w", encoding="ascii") as f:
            f.write(STRUCK)
        page = sistrum.sweep(path, axes={"K": [1e5, 1e6]}, duration=0.01, measures={"<i>": lambda s, r: 1})._repr_html_()
        self.assertNotIn("<b>&.lua", page)
        self.assertIn("&lt;b&gt;&amp;.lua", page)
        self.assertIn("&lt;i&gt;", page)
        self.assertIn("2 of 2 runs", page)


class Refused(Case):
    def test_wrong_studies_have_the_sentences_of_the_program(self):
        scene = self.scene("bounce.lua", BOUNCE)
        for arguments, asked in (
                (["--axis", "Q=1,2"], {"axes": {"Q": [1, 2]}}), (["--axis", "K=1"], {"axes": {"K": [1]}}),
                (["--axis", "K=1e4:1e5"], {"axes": {"K": "1e4:1e5"}}), (["--axis", "K=1e4:1e5:0"], {"axes": {"K": "1e4:1e5:0"}}),
                (["--axis", "K=1e5", "--measure", "loud"], {"axes": {"K": [1e5]}, "measures": "loud"}),
                (["--axis", "K=1e5", "--measure", "energy@9"], {"axes": {"K": [1e5]}, "measures": ["energy@9"]}),
                (["--axis", "note=60"], {"axes": {"note": [60]}}), ([], {}),
                (["--axis", "K=1e5", "--rate", "1e13"], None)):
            with self.subTest(arguments):
                done = self.run_program("sweep", scene, "-o", self.path("s.db"), *arguments)
                self.assertNotEqual(done.returncode, 0)
                if asked is None:
                    continue
                with self.assertRaises(sistrum.SistrumError) as caught:
                    sistrum.sweep(scene, self.path("s.db"), **asked)
                self.assertIn(str(caught.exception), done.stderr.decode())
                self.assertEqual(caught.exception.code, done.returncode)
                self.assertFalse(os.path.exists(self.path("s.db")))

    def test_wrong_arguments(self):
        scene, K = sistrum.parse(BOUNCE), {"K": [1e5]}
        for error, said, asked in (
                (TypeError, "must be real numbers, not text", {"axes": {"K": ["soft"]}}), (TypeError, "must be real", {"axes": {"K": [1j]}}),
                (sistrum.SettingError, "shape", {"axes": {"K": np.zeros((2, 2))}}), (sistrum.SettingError, "shape", {"axes": {"K": []}}),
                (sistrum.SettingError, "one length", {"pairs": {"K": [1e5, 1e6], "f0": [1]}}),
                (sistrum.SettingError, "cannot read", {"pairs": self.path("none.csv")}),
                (sistrum.SettingError, "no column", {"pairs": {}}), (TypeError, "pairs are", {"pairs": [[1e5, 1e6]]}),
                (sistrum.SettingError, "'nan' is not a number", {"axes": {"K": np.ma.array([1e5, 1e6], mask=[0, 1])}}),
                (sistrum.SettingError, "measures is empty", {"axes": K, "measures": []}),
                (sistrum.SettingError, "rate is 0 Hz; it must be 0.001", {"axes": K, "rate": 0}),
                (sistrum.SettingError, "rate is nan Hz", {"axes": K, "rate": float("nan")}),
                (sistrum.SettingError, "hold is -1 s; it must be 0 to 1e.06", {"axes": K, "hold": -1}),
                (sistrum.SettingError, "a4 is 0 Hz; it must be 100 to 1000", {"axes": K, "a4": 0}),
                (sistrum.SettingError, "cannot read", {"axes": K, "measure_file": self.path("none.lua")}),
                (sistrum.SettingError, "draw is uniform, sobol, latin", {"random": 3, "draw": "dice"}),
                (sistrum.SettingError, "sounds is wav, flac, npy", {"axes": K, "sounds": "ogg"}),
                (sistrum.SettingError, "give sounds", {"axes": K, "shard": 3}),
                (sistrum.SettingError, "part is 4; it must be 1 to 3", {"axes": K, "part": (4, 3)}),
                (sistrum.SettingError, "threads is 0", {"axes": K, "threads": 0}),
                (sistrum.SettingError, "random is -1", {"random": -1}),
                (sistrum.SettingError, "scheme is", {"axes": K, "scheme": "leger"}),
                (sistrum.SettingError, "no comma", {"axes": K, "measures": {"a,b": len}}),
                (sistrum.SettingError, "zero byte", {"axes": {"K\0": [1]}}),
                (sistrum.SettingError, "there is no input 'x'", {"axes": K, "inputs": {"x": [(0, 1)]}}),
                (TypeError, "is a function of", {"axes": K, "measures": {"a": 5}}),
                (TypeError, "progress is True, False or a function", {"axes": K, "progress": "yes"}),
                (TypeError, "", {"random": 2.5}), (TypeError, "axes are", {"axes": 5}), (TypeError, "axes are", {"axes": "K=1:2:3"})):
            with self.subTest(asked=str(asked)), self.assertRaisesRegex(error, said):
                sistrum.sweep(scene, duration=0.01, **asked)
        with self.assertRaisesRegex(sistrum.SettingError, "merge needs parts"):
            sistrum.merge(self.path("m.db"), [])
        with self.assertRaisesRegex(TypeError, "parts are a list"):
            sistrum.merge(self.path("m.db"), self.path("a-1-of-2.db"))
        with self.assertRaisesRegex(sistrum.SettingError, "duration is nan s"):
            sistrum.sweep(scene, axes=K, duration=float("nan"))
        with self.assertRaisesRegex(sistrum.SistrumError, "none.db"):
            sistrum.merge(self.path("m.db"), [self.path("none.db")])

    def test_a_folder_that_cannot_be_written(self):
        with self.assertRaises(sistrum.RunError):
            sistrum.sweep(sistrum.parse(BOUNCE), self.path("none/s.db"), axes={"K": [1e5]}, duration=0.01)


if __name__ == "__main__":
    main()
