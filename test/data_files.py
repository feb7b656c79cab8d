"""Data files of the program, read back: by sistrum.load_data, h5py, scipy, libmatio and Octave. Same numbers, names,
units and rate everywhere, the same bytes in every run, and memory that does not grow with the duration.

SISTRUM is the program, SISTRUM_LIBRARY the shared library, SISTRUM_SOURCE the source folder; SISTRUM_MATIO the program of
test/data/matio_read.c. Needs numpy; what else is not installed is skipped by name, and with SISTRUM_ALL=1 (make data-test)
that fails.
"""

import hashlib
import importlib.util
import io
import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys
from unittest import mock

from cli_case import PROGRAM, SANITIZED, SOURCE, Case, main, read_bytes, read_npy, read_text

sys.path.insert(0, os.path.join(SOURCE, "python"))
import numpy as np  # noqa: E402
import sistrum  # noqa: E402

DataError = sistrum.data.DataError
ENERGIES = ("kinetic", "elastic", "contact", "supplied", "dissipated", "total", "residual")
KINDS = ("npy", "csv", "mat", "h5")
ALL = os.environ.get("SISTRUM_ALL")

SCENE = """
local K = param { "K", 1e7, min = 1e3, max = 1e11 }
local m = mass { mass = 0.01, frequency = 200, position = 0.002, damping = 2, name = "ball" }
local wall = barrier { height = -0.001 }
local c = contact { above = m, below = wall, K = K, alpha = 1.5, name = "hit" }
probe { on = m, quantity = "displacement", name = "NAME" }
probe { on = m, quantity = "velocity", name = "v" }
probe { on = c, quantity = "force", name = "f, or \\"force\\"" }
render { rate = 8000, duration = 0.5, title = "TITLE" }
"""


def missing(module):
    """Whether a test is skipped for want of it."""
    if importlib.util.find_spec(module):
        return False
    if ALL:
        raise AssertionError("%s is not installed" % module)
    return True


class Data(Case):
    def setUp(self):
        super().setUp()
        self.dice = random.Random(os.environ.get("SISTRUM_SEED", "5"))
        self.name, self.title = "u", "Bounce"
        self.one = self.make("one.lua")
        self.can_hdf5 = self.run_program("render", self.one, "--data", "try.h5", "-q").returncode == 0
        if ALL:
            self.assertTrue(self.can_hdf5)

    def make(self, file):
        return self.scene(file, SCENE.replace("NAME", self.name).replace("TITLE", self.title))

    def kinds(self):
        return [kind for kind in KINDS if kind != "h5" or self.can_hdf5]

    def can_read(self, kind):
        return kind != "h5" or not missing("h5py")

    def random_run(self):
        rate = self.dice.choice((8000, 11025.5, 44100, 0.5 * self.dice.randrange(4000, 99999)))
        return ["--rate", "%.17g" % rate, "--oversample", str(self.dice.randrange(1, 6)), "--duration",
                "%.3g" % self.dice.uniform(0.001, 0.5), "--set", "K=%.3g" % 10 ** self.dice.uniform(5, 8), "-q"]

    def test_all_kinds_hold_the_same(self):
        for trial in range(4):
            if trial == 2:
                self.name, self.title = "Größe 位", "Æolian, \\\"Ω\\\""
                self.one = self.make("one.lua")
            arguments = self.random_run()
            files = [word for kind in self.kinds() for word in ("a." + kind,)]
            for file in files:
                more = ["--json", "a.json"] if file == "a.npy" else []
                self.good("render", self.one, *arguments, *more, "--data", file, "--energy", "e" + file[1:])
            report = json.loads(read_text(self.path("a.json")))
            data = np.array(read_npy(self.path("a.npy")))
            energies = sistrum.load_data(self.path("e.npy")).data
            self.assertEqual(energies.shape, (len(data), 7))
            for kind in filter(self.can_read, self.kinds()):
                self.check_probes(sistrum.load_data(self.path("a." + kind), report=self.path("a.json") if kind == "npy" else None),
                                  data, report)
                self.check_energies(sistrum.load_data(self.path("e." + kind)), energies, report, kind)

    def check_probes(self, a, data, report):
        self.assertTrue(np.array_equal(a.data, data))
        self.assertEqual((a.names, a.units), ((self.name, "v", 'f, or "force"'), ("m", "m/s", "N")))
        self.assertEqual((a.rate, a.start, a.oversample), (report["rate"], 0, report["oversample"]))
        self.assertEqual((a.scene, a.title, a.version), ("one.lua", self.title.replace("\\", ""), sistrum.__version__))
        self.assertTrue(np.array_equal(a.time, np.arange(len(data)) / report["rate"]))
        self.assertTrue(np.array_equal(a["v"], data[:, 1]))
        self.assertEqual(len(a), len(data))

    def check_energies(self, e, energies, report, kind):
        self.assertTrue(np.array_equal(e.data, energies), kind)
        if kind == "npy":
            return
        o = report["oversample"]
        self.assertEqual((e.names, set(e.units)), (ENERGIES, {"J"}))
        self.assertAlmostEqual(e.rate, report["rate"], delta=1e-6 * report["rate"])
        self.assertAlmostEqual(e.start, ((o - 1) // 2 + 0.5) / o / report["rate"], delta=1e-15)

    def test_same_bytes_in_every_run(self):
        for kind in self.kinds():
            sums = set()
            for name in ("a.", "b."):
                self.good("render", self.one, "-q", "--data", name + kind, "--energy", "e" + name + kind)
                sums.add(hashlib.sha256(read_bytes(self.path(name + kind)) + read_bytes(self.path("e" + name + kind))).digest())
            self.assertEqual(len(sums), 1, kind)

    def test_h5py_and_scipy(self):
        """Without load_data."""
        self.good("render", self.one, "-q", "--data", "a.npy")
        data = np.load(self.path("a.npy"))
        if self.can_hdf5 and self.can_read("h5"):
            import h5py
            self.good("render", self.one, "-q", "--data", "a.h5")
            with h5py.File(self.path("a.h5"), "r") as file:
                self.assertEqual(sorted(file), ["data", "names", "oversample", "rate", "scene", "start", "title", "units", "version"])
                self.assertTrue(np.array_equal(file["data"], data))
                self.assertEqual(file["data"].dtype, np.dtype("<f8"))
                self.assertEqual(list(file["units"].asstr()), ["m", "m/s", "N"])
                self.assertEqual(file["rate"][()], 8000)
                self.assertTrue(np.array_equal(np.memmap(self.path("a.h5"), "<f8", "r", file["data"].id.get_offset(), data.shape), data))
        if not missing("scipy"):
            import scipy.io
            self.good("render", self.one, "-q", "--data", "a.mat")
            file = scipy.io.loadmat(self.path("a.mat"), squeeze_me=True)
            self.assertTrue(np.array_equal(file["data"], data))
            self.assertEqual(list(file["units"]), ["m", "m/s", "N"])
            self.assertEqual(file["rate"], 8000)
            self.name, self.title = "big \U0001F600", "\U0001F600\u00e9\u4f4d"  # two units of UTF-16 are one character to scipy
            self.good("render", self.make("emoji.lua"), "-q", "--data", "a.mat")
            file = scipy.io.loadmat(self.path("a.mat"), squeeze_me=True)
            self.assertEqual((file["names"][0], file["title"]), ("big \ufffd", "\ufffd\u00e9\u4f4d"))

    def test_matio(self):
        reader = os.environ.get("SISTRUM_MATIO")
        if not reader:
            self.skipTest("libmatio is read by make data-test")
        self.good("render", self.one, "-q", "--data", "a.mat", "--rate", "44100")
        self.good("render", self.one, "-q", "--data", "a.npy", "--rate", "44100")
        said = subprocess.run([reader, self.path("a.mat")], capture_output=True, text=True, check=True).stdout.splitlines()
        self.assertEqual(said[:7], ["rate 44100", "names u", "names v", 'names f, or "force"', "units m", "units m/s", "units N"])
        self.assertEqual([float(line) for line in said[7:]], [x for row in read_npy(self.path("a.npy")) for x in row])

    def wrong_files(self):
        """What numpy.save or a table has otherwise than the program: read as if it were not, the numbers would be wrong."""
        def saved(array):
            file = io.BytesIO()
            np.save(file, array)
            return file.getvalue()
        good = np.arange(6.0).reshape(3, 2)
        for file, array in (("f4.npy", good.astype("<f4")), ("f8.npy", good.astype(">f8")), ("columns.npy", np.asfortranarray(good)),
                            ("line.npy", good[:, 0].copy())):
            yield file, saved(array), "it has no rows of float64"
        yield "cut.npy", saved(good)[:-8], "its size is wrong"
        yield "long.npy", saved(good) + bytes(8), "its size is wrong"
        for file, raw in (("empty.csv", b""), ("other.csv", b"a,b\n1,2\n"), ("text.csv", b"hello\n")):
            yield file, raw, "it does not begin with a time column"

    def test_octave(self):
        octave = shutil.which("octave-cli")
        if not octave and not ALL:
            self.skipTest("octave is not installed")
        kinds = self.kinds()
        for kind in kinds:
            self.good("render", self.one, "-q", "--data", "a." + kind, "--energy", "e." + kind)
        folder = os.path.join(os.path.abspath(SOURCE), "examples", "octave")
        lines = ["addpath('%s'); cd('%s');" % (folder, self.folder), "n = sistrum_data('a.npy'); e = sistrum_data('e.npy');"]
        for kind in kinds:
            lines.append("a = sistrum_data('a.%s'); b = sistrum_data('e.%s');" % (kind, kind))
            lines.append("assert(isequal(a.data, n.data)); assert(isequal(b.data, e.data));")
            if kind != "npy":
                lines.append("assert(isequal(a.names, {'u', 'v', 'f, or \"force\"'})); assert(isequal(a.units, {'m', 'm/s', 'N'}));"
                             "assert(a.rate == 8000); assert(abs(b.rate - 8000) < 1e-3); assert(isequal(a.time, (0:3999)' / 8000));"
                             "assert(isequal(b.names{7}, 'residual')); assert(abs(b.time(1) - 0.5 / 8000) < 1e-15);")
        lines += ["assert(size(n.data), [4000, 3]);",
                  "r = sistrum_render('one.lua', 'K', 1e7, '--duration', 0.25, '--energy', true);",
                  "assert(isequal(r.data, n.data(1:2000, :))); assert(isequal(r.energy.data, e.data(1:2000, :)));",
                  "said = ''; try; sistrum_render('one.lua', 'k', 1); catch why; said = why.message; end",
                  "assert(~isempty(strfind(said, 'sistrum: ')));",
                  "r = sistrum_render('one.lua', '--duration', 0.25, '--normalise', true);",
                  "assert(isequal(r.data, sistrum_render('one.lua', '--duration', single(0.25)).data));"]
        for arguments, said in (("5", "the scene is a text"), ("'one.lua', 'K'", "in pairs"), ("'one.lua', 'K', [1 2]", "no single number"),
                                ("'one.lua', 'K', {}", "no single number"), ("'one.lua', 1, 2", "name 1 is no text"),
                                ("'one.lua', '--energy', 'x'", "is true or false")):
            lines.append("said = ''; try; sistrum_render(%s); catch why; said = why.message; end" % arguments)
            lines.append("assert(~isempty(strfind(said, '%s')));" % said)
        lines += ["r = sistrum_render('one.lua', '--duration', 0.25, '--energy', 'off'); assert(~isfield(r, 'energy'));",
                  "save('-v6', 'other.mat', 'said');"]
        for file, raw, said in self.wrong_files():
            with open(self.path(file), "wb") as f:
                f.write(raw)
            lines.append("said = ''; try; sistrum_data('%s'); catch why; said = why.message; end" % file)
            lines.append("assert(~isempty(strfind(said, '%s')));" % said)
        lines.append("said = ''; try; sistrum_data('other.mat'); catch why; said = why.message; end")
        lines.append("assert(~isempty(strfind(said, 'is no data file of sistrum: it has no ')));")
        if self.can_hdf5:
            self.title = "\u00c6olian"
            self.good("render", self.make("aeolian.lua"), "-q", "--data", "ae.h5")
            lines.append("said = ''; try; sistrum_data('ae.h5'); catch why; said = why.message; end")
            lines.append("assert(~isempty(strfind(said, 'that are not ASCII: take .mat or .csv')));")
        lines.append("disp('all read')")
        with open(self.path("check.m"), "w") as file:
            file.write("\n".join(lines) + "\n")
        os.mkdir(self.path("it's a folder"))
        how = {**os.environ, "SISTRUM": os.path.abspath(PROGRAM), "TMPDIR": self.path("it's a folder")}
        for script, words in ((self.path("check.m"), "all read"), (os.path.join(folder, "hardness.m"), "touches for")):
            done = subprocess.run([octave, "--no-gui", script], capture_output=True, text=True, timeout=120, env=how)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(words, done.stdout)

    def test_a_libhdf5_that_cannot_be_loaded(self):
        """An empty one, one that is none, one without its functions: as if there were none."""
        name = re.search(rb"libhdf5[a-z_]*[.]so[.0-9]*", read_bytes(PROGRAM))
        if not name or SANITIZED:
            self.skipTest("built without HDF5" if not name else "the sanitizer loads libraries itself")
        os.mkdir(self.path("lib"))
        for content in (b"", b"no library\n" * 99):
            with open(self.path("lib/" + name.group().decode()), "wb") as file:
                file.write(content)
            done = self.run_program("render", self.one, "-q", "--data", "a.h5", env={**os.environ, "LD_LIBRARY_PATH": self.path("lib")})
            self.assertEqual(done.returncode, 1)
            self.assertIn("install the HDF5 library, or write .npy, .mat or .csv", done.stderr.decode())

    def test_limits_before_the_run(self):
        long = ("--rate", "100000", "--duration", "900")
        said = self.bad_run(2, "a.mat' would hold 2.16 GB in one variable", "--data", "a.mat", *long)
        self.assertIn("write .h5 or .npy", said)
        self.bad_run(2, "e.mat' would hold", "--energy", "e.mat", *long)

    def bad_run(self, code, part, *arguments):
        self.keep("one.lua", "try.h5")
        return self.bad(code, part, "render", self.one, *arguments)

    def test_full_disk(self):
        def little():
            resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))
        self.keep("one.lua", "try.h5")
        for kind in self.kinds():
            self.bad(1, "File too large", "render", self.one, "--data", "a." + kind, "--json", "a.json", preexec_fn=little)
            self.bad(1, "File too large", "render", self.one, "--energy", "a." + kind, preexec_fn=little)
            if os.path.exists("/dev/full"):
                os.symlink("/dev/full", self.path("full." + kind))
                self.keep("full." + kind)
                self.bad(1, "No space left", "render", self.one, "--data", "full." + kind)

    def test_pipes_and_names(self):
        for kind in self.kinds():
            os.mkfifo(self.path("pipe." + kind))
            reader = os.open(self.path("pipe." + kind), os.O_RDONLY | os.O_NONBLOCK)  # else it waits for a writer
            os.set_blocking(reader, True)
            with open(reader, "rb") as pipe:
                run = subprocess.Popen([PROGRAM, "render", self.one, "-q", "--data", "pipe." + kind], cwd=self.folder)
                got = b""
                while run.poll() is None:
                    got += pipe.read()
                got += pipe.read()
            self.assertEqual(run.returncode, 0)
            self.good("render", self.one, "-q", "--data", "A." + kind.upper())
            self.assertEqual(read_bytes(self.path("A." + kind.upper())), got)

    def test_memory_is_flat(self):
        if SANITIZED:
            self.skipTest("sanitizers take memory of their own")
        for kind in self.kinds():
            peaks = []
            for seconds in ("1", "25"):
                run = subprocess.Popen([PROGRAM, "render", self.one, "-q", "--rate", "48000", "--data", "a." + kind, "--duration",
                                        seconds], cwd=self.folder)
                peaks.append(os.wait4(run.pid, 0)[2].ru_maxrss)  # kB; 25 s are 29 MB of numbers
                run.returncode = 0
            self.assertLess(peaks[1] - peaks[0], 3000, (kind, peaks))

    def check_strange_hdf5(self, bad):
        """Everything is there and something is of another kind."""
        import h5py
        whole = {"rate": 1.0, "start": 0.0, "oversample": 1, "scene": "a", "title": "", "version": "1", "names": ["a"], "units": ["m"],
                 "data": np.zeros((3, 1))}
        for key in ("rate", "oversample", "names", "data"):
            for value in (None, "x", 1.5 if key in ("names", "data") else np.zeros((2, 2))):
                with h5py.File(self.path("b.h5"), "w") as file:
                    for each in whole:
                        if each == key and value is None:
                            file.create_group(each)
                        else:
                            file[each] = value if each == key else whole[each]
                bad("is no data file of sistrum", "b.h5")

    def test_damaged_files(self):
        """Anywhere, in any way: read, or refused. What libhdf5 does with its own is not ours."""
        for kind in ("npy", "csv", "mat"):
            self.good("render", self.one, "-q", "--data", "a." + kind, "--duration", "0.01")
            good, refused = read_bytes(self.path("a." + kind)), 0
            for _ in range(150):
                damaged = bytearray(good)
                at = self.dice.randrange(len(good))
                how = self.dice.randrange(3)
                if how == 0:
                    del damaged[at:]
                elif how == 1:
                    damaged[at:at + 8] = self.dice.randbytes(8)
                else:
                    damaged[self.dice.randrange(min(len(good), 400))] = self.dice.randrange(256)
                with open(self.path("b." + kind), "wb") as file:
                    file.write(damaged)
                try:
                    sistrum.load_data(self.path("b." + kind))
                except (DataError, MemoryError):
                    refused += 1
            self.assertGreater(refused, 20, kind)
        with open(self.path("b.npy"), "wb") as file:
            file.write(with_a_bracket_too_many(self.path("a.npy")))
        with self.assertRaises(DataError):
            sistrum.load_data(self.path("b.npy"))

    def test_matlab_files_that_others_have_written(self):
        """Compressed, in other types of numbers, with more variables."""
        if missing("scipy"):
            self.skipTest("no scipy")
        import scipy.io
        self.good("render", self.one, "-q", "--data", "a.mat")
        a, file = sistrum.load_data(self.path("a.mat")), scipy.io.loadmat(self.path("a.mat"))
        file = {key: value for key, value in file.items() if key[0] != "_"}
        for compressed in (False, True):
            scipy.io.savemat(self.path("b.mat"), {**file, "more": {"x": [1, "y"]}, "oversample": np.int8(1)}, do_compression=compressed)
            b = sistrum.load_data(self.path("b.mat"))
            self.assertEqual((a.names, a.units, a.rate, a.start, a.oversample, a.scene, a.title, a.version),
                             (b.names, b.units, b.rate, b.start, b.oversample, b.scene, b.title, b.version))
            self.assertTrue(np.array_equal(a.data, b.data))
        for key, value, said in (("data", "text", "of another kind"), ("rate", -1.0, "its rate is -1"), ("rate", np.zeros(2), ""),
                                 ("data", np.zeros((2, 3), complex), "complex"), ("names", np.zeros(3), "of another kind")):
            scipy.io.savemat(self.path("b.mat"), {**file, key: value})
            with self.assertRaisesRegex(DataError, "is no data file of sistrum: .*" + said):
                sistrum.load_data(self.path("b.mat"))
        scipy.io.savemat(self.path("b.mat"), {key: value for key, value in file.items() if key != "units"})
        with self.assertRaisesRegex(DataError, "it has no 'units'"):
            sistrum.load_data(self.path("b.mat"))

    def test_what_load_data_refuses(self):
        def bad(text, name, **how):
            with self.assertRaisesRegex(DataError, text):
                sistrum.load_data(self.path(name), **how)
        self.good("render", self.one, "-q", "--data", "a.npy", "--json", "a.json")
        self.good("render", self.one, "-q", "--data", "a.csv", "--duration", "0.1")
        bad("reads .npy, .csv, .h5 and .mat", "a.wav")
        plain = sistrum.load_data(self.path("a.npy"))
        self.assertIsNone(plain.names)
        self.assertIn("3 columns", repr(plain))
        with self.assertRaisesRegex(DataError, "holds no rate"):
            plain.time
        with self.assertRaisesRegex(DataError, "holds no names"):
            plain["u"]
        with self.assertRaisesRegex(KeyError, "no column .*x.*; there are u, v"):
            sistrum.load_data(self.path("a.csv"))["x"]
        bad("is the report of another run", "a.csv", report=self.path("a.json"))
        bad("is no report of sistrum", "a.npy", report=self.one)
        with self.assertRaises(FileNotFoundError):
            sistrum.load_data(self.path("none.h5"))
        for name in ("b.npy", "b.csv", "b.mat", "b.h5"):
            if not self.can_read(name[2:]):
                continue
            for content in (b"", b"nothing of this kind\n", read_bytes(self.path("a.npy"))[:100]):
                with open(self.path(name), "wb") as file:
                    file.write(content)
                bad("is no data file of sistrum", name)
        text = read_text(self.path("a.csv"))
        for line in ("# rate: ", "# start: ", "# oversample: "):
            with open(self.path("b.csv"), "w") as file:
                file.write(text.replace(line, line + "x"))
            bad("is no data file of sistrum", "b.csv")
        for content in ("time," + "a" * 200000 + "\n0,1\n", text.split("\n0,")[0] + "\n", text + "1,2\n"):
            with open(self.path("b.csv"), "w") as file:
                file.write(content)
            bad("is no data file of sistrum", "b.csv")
        for strange in (np.zeros((2, 2), complex), np.zeros(3, [("a", float)]), np.array([["a"]]), np.zeros(3)):
            np.save(self.path("b.npy"), strange)
            bad("is no data file of sistrum", "b.npy")
        if self.can_hdf5 and self.can_read("h5"):
            self.check_strange_hdf5(bad)
        report = json.loads(read_text(self.path("a.json")))
        for wrong in ([], {**report, "probes": 3}, {**report, "probes": [{}] * 3}, {**report, "rate": "x"}, {**report, "samples": "x"},
                      {key: value for key, value in report.items() if key != "oversample"}):
            with open(self.path("b.json"), "w") as file:
                json.dump(wrong, file)
            bad("is no report of sistrum", "a.npy", report=self.path("b.json"))
        self.assertEqual(["u" in sistrum.load_data(self.path(name)) for name in ("a.csv", "a.npy")], [True, False])
        with open(self.path("b.csv"), "w") as file:
            file.write("time,a\n0,1\n")
        bad("it has no line '# sistrum", "b.csv")
        with open(self.path("b.csv"), "w") as file:
            file.write(re.sub(r"\n0,.*\n", "\n0,what,1,2\n", text, count=1))
        bad("is no data file of sistrum", "b.csv")
        with open(self.path("b.h5"), "wb"):
            pass
        with mock.patch.dict(sys.modules, {"h5py": None}):
            bad("apt install python3-h5py", "b.h5")


def with_a_bracket_too_many(path):
    """numpy has an exception of its own for it."""
    return read_bytes(path).replace(b"(", b"((", 1)


if __name__ == "__main__":
    main()
