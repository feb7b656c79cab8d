"""Studies: a scene for many values of its params, measured, in one database. The work is that of `sistrum sweep`."""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import math
import operator
import os
import shlex
import shutil
import signal
import sqlite3
import tempfile
import threading
import urllib.parse
import weakref
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, SupportsFloat, SupportsIndex, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import _c, _data, kept
from .errors import RunError, SettingError
from .gestures import Curves, numbers
from .progress import Progress, Told
from .scene import Path, Scene, in_range, load, number

Floats = npt.NDArray[np.float64]
Measure = Callable[[Floats, float], float]  # of the samples (the mean of the channels) and their rate in Hz

DRAWS = ("uniform", "sobol", "latin")  # in the order of sis_draw
SOUNDS = ("none", "wav", "flac", "npy")  # of sis_sounds
CHUNK = 1 << 12  # rows read at a time: a million of them need little more than their array


# ---------------------------------------------------------------------------- texts for the library


def _decimal(value: float) -> str:
    text = repr(float(value))
    return text[:-2] if text.endswith(".0") else text


def _axis(name: str, values: Any) -> str:
    """NAME=from:to:count as it is, else the numbers of a list or an array."""
    if isinstance(values, str):
        return "%s=%s" % (name, values)
    array = numbers(values, "the values of axis '%s'" % name)
    if array.ndim > 1 or not array.size:
        raise SettingError("axis '%s' has the shape %s; it is a text such as '1e4:1e8:log:9', or a list of numbers" %
                           (name, array.shape))
    return "%s=%s" % (name, ",".join(map(_decimal, np.atleast_1d(array))))


def _table(pairs: Any) -> Tuple[str, str]:
    """Lines of values that belong together, as CSV and the name of its file: of a path, of columns by their names (also a
    DataFrame), of a structured array."""
    if isinstance(pairs, (str, os.PathLike)):
        try:
            with open(pairs, encoding="utf-8", errors="surrogateescape", newline="") as f:
                return f.read(), os.path.basename(os.fsdecode(pairs))
        except OSError as why:
            raise SettingError("pairs: cannot read '%s': %s" % (os.fsdecode(pairs), why.strerror)) from None
    dtype = getattr(pairs, "dtype", None)
    if not hasattr(pairs, "keys") and (dtype is None or not dtype.names):
        raise TypeError("pairs are a CSV file, {name: values}, a structured array or a DataFrame, not %.60r" % (pairs,))
    names = dtype.names if dtype is not None and dtype.names else list(pairs)
    if not len(names):
        raise SettingError("pairs: there is no column; give {name: values}")
    columns = [np.atleast_1d(numbers(pairs[name], "the values of '%s' in pairs" % name)) for name in names]
    if len({column.shape for column in columns}) != 1 or columns[0].ndim != 1:
        raise SettingError("pairs: all columns must have one length; they have %s" %
                           ", ".join("%s %s" % (n, len(c)) for n, c in zip(names, columns)))
    lines = [",".join('"%s"' % str(n).replace('"', '""') for n in names)]
    lines += [",".join(map(_decimal, row)) for row in zip(*columns)]
    return "\n".join(lines) + "\n", "pairs"


def _code_hash(functions: Mapping[str, Measure]) -> str:
    """What the functions are, as far as their code tells: not what they refer to."""
    sha = hashlib.sha256()

    def add(code: Any) -> None:
        sha.update(code.co_code + repr((code.co_names, code.co_varnames, code.co_argcount)).encode())
        for constant in code.co_consts:
            if hasattr(constant, "co_code"):
                add(constant)
            else:
                sha.update(repr(constant).encode())

    for name, function in functions.items():
        sha.update(name.encode() + b"\n")
        code = getattr(function, "__code__", None)
        if code is not None:
            add(code)
        else:
            sha.update(("%s.%s" % (getattr(function, "__module__", ""),
                                   getattr(function, "__qualname__", type(function).__qualname__))).encode())
    return sha.hexdigest()


def _measures(measures: Any) -> Tuple[Optional[str], Dict[str, Measure]]:
    """The list for the library (None: its own choice), and functions by their names."""
    if measures is None or isinstance(measures, str):
        return measures, {}
    if not hasattr(measures, "items"):
        measures = {name: None for name in measures}
    if not measures:
        raise SettingError("measures is empty: name one, or leave it out for those there are")
    known, own = [], {}
    for name, function in measures.items():
        if not isinstance(name, str) or not name:
            raise TypeError("a measure has a name, not %r" % (name,))
        if function is None:
            known.append(name)
        elif callable(function):
            if any(c in name for c in ",@\0\n"):
                raise SettingError("a measure of your own has no comma, @ or line break in its name: %r" % name)
            own[name] = function
        else:
            raise TypeError("measure '%s' is a function of (samples, rate), or None for the one of that name, not %r" %
                            (name, function))
    return ",".join(known), own


class _Words:
    """Texts and arrays of texts for C, kept as long as the call takes."""

    def __init__(self) -> None:
        self.kept: List[Any] = []

    def text(self, value: Optional[str]) -> Optional[bytes]:
        """One text."""
        if value is None:
            return None
        raw = value.encode("utf-8", "surrogateescape")
        if b"\0" in raw:
            raise SettingError("there is no zero byte in %r" % value)
        self.kept.append(raw)
        return raw

    def settings(self, values: Mapping[str, float]) -> Any:
        """An array of settings."""
        return (_c.Setting * max(len(values), 1))(*[_c.Setting(self.text(name), value) for name, value in values.items()])

    def texts(self, values: Sequence[str]) -> Any:
        """An array of them."""
        array = (ctypes.c_char_p * max(len(values), 1))(*[self.text(v) for v in values])
        self.kept.append(array)
        return array


# ---------------------------------------------------------------------------- making one


def _told(error: Exception) -> str:
    """The sentence of an exception, whatever its class."""
    try:
        return str(error)
    except Exception:
        return "it has no sentence"


class _Watch:
    """Progress, signals and own measures while the library works. It calls back in the thread that called it, and for the
    measures in its own."""

    def __init__(self, own: Mapping[str, Measure], tell: Progress) -> None:
        self._own, self._tell = list(own.items()), tell
        self.caught: Optional[BaseException] = None

    def told(self, _self: Any, progress: Any) -> None:
        """Of the library: how far it is."""
        try:
            self._tell(progress[0].done, progress[0].count)
        except BaseException as why:
            self.caught = self.caught or why

    def stop(self, _self: Any) -> bool:
        """Of the library: whether to end."""
        return self.caught is not None

    def make(self, _self: Any, _index: int, samples: Any, rows: int, rate: float, values: Any, why: Any) -> bool:
        """Of the library: the own measures of one sound. A sentence for each that fails."""
        said: List[str] = []
        try:
            for i, (name, function) in enumerate(self._own):
                values[i] = math.nan
                heard = np.ctypeslib.as_array(samples, (rows,)).copy() if rows else np.empty(0)
                try:
                    values[i] = float(function(heard, rate))
                    if not math.isfinite(values[i]):
                        said.append("%s: it returned no finite number" % name)
                except Exception as error:
                    said.append("%s: %s: %s" % (name, type(error).__name__, _told(error)))
        except BaseException as error:
            self.caught = self.caught or error
            said.append(type(error).__name__)
        if said:
            raw = "; ".join(said).encode("utf-8", "replace")[:1000] + b"\0"
            ctypes.memmove(why, raw, len(raw))
        return not said


@contextlib.contextmanager
def _holding_signals(watch: _Watch) -> Iterator[None]:
    """Handlers of signals are called as ever. What they raise (Ctrl-C, SystemExit of SIGTERM) ends the work first, and
    then comes out: where a callback begins it would be lost."""
    before: Dict[int, Any] = {}
    if threading.current_thread() is threading.main_thread():
        known = {number: signal.getsignal(number) for number in signal.valid_signals()}
        before = {number: handler for number, handler in known.items() if callable(handler)}

    def handle(number: int, frame: Any) -> None:
        try:
            before[number](number, frame)
        except BaseException as why:
            watch.caught = watch.caught or why

    try:
        for number in before:
            signal.signal(number, handle)
        yield
    finally:
        for number, handler in before.items():
            while signal.getsignal(number) is handle:  # not one that a handler has put there
                try:
                    signal.signal(number, handler)
                except BaseException as why:  # another signal, just now
                    watch.caught = watch.caught or why


def _curve_files(scene: Scene, inputs: Optional[Mapping[str, Any]], folder: str) -> List[str]:
    """Curves as files: NAME=FILE.csv."""
    words = []
    for n, (name, points) in enumerate(Curves(scene.inputs.values(), inputs or {}).points.items()):
        path = os.path.join(folder, "%d.csv" % n)
        with open(path, "w", encoding="ascii") as f:
            f.writelines("%s,%s\n" % (_decimal(t), _decimal(v)) for t, v in points)
        words.append("%s=%s" % (name, path))
    return words


def _beside(database: str, added: str) -> str:
    return (database[:-3] if database.lower().endswith(".db") and len(database) > 3 else database) + added


def _whole(value: Any, what: str, least: int, most: int = 2 ** 53) -> int:
    whole = operator.index(value)
    if not least <= whole <= most:
        raise SettingError("%s is %d; it must be %d to %d" % (what, whole, least, most))
    return whole


def _choice(word: Optional[str], words: Sequence[str], what: str) -> int:
    if word not in words:
        raise SettingError("%s is %s, not %r" % (what, ", ".join(w for w in words if w != "none"), word))
    return words.index(word)


def _in_render(key: str, value: Optional[SupportsFloat]) -> float:
    """A value of render{}; NaN: the scene decides."""
    return math.nan if value is None else in_range(key, value)


def _within(value: SupportsFloat, what: str, least: float, most: float, unit: str) -> float:
    given = number(value, what)
    if not least <= given <= most:
        raise SettingError("%s is %g %s; it must be %g to %g" % (what, given, unit, least, most))
    return given


def _lua(path: Optional[Path]) -> Tuple[Optional[bytes], str]:
    """A file with measures in Lua, and its name."""
    if path is None:
        return None, ""
    try:
        with open(path, "rb") as f:
            return f.read(), os.path.basename(os.fsdecode(os.fspath(path)))
    except OSError as why:
        raise SettingError("measure_file: cannot read '%s': %s" % (os.fspath(path), why.strerror)) from None


class _Place:
    """Where a study goes."""

    def __init__(self, named: str, part: Optional[Tuple[SupportsIndex, SupportsIndex]], sounds: Optional[str],
                 shards: Optional[Path]) -> None:
        self.named, self.part, self.parts, self.database = named, 1, 1, named
        if part is not None:
            self.parts = _whole(part[1], "parts", 1, 10 ** 6)
            self.part = _whole(part[0], "part", 1, self.parts)
            self.database = _beside(named, "-%d-of-%d.db" % (self.part, self.parts))
        self.shards = None
        if sounds is not None:
            self.shards = _beside(named, "-shards") if shards is None else os.fsdecode(os.fspath(shards))


def _work(spec: Any, words: _Words, place: _Place, command: str, threads: int, watch: _Watch) -> None:
    """Makes the runs that the database lacks."""
    job = _data.Job(words.text(place.database), words.text(place.shards), words.text(command), threads, place.part - 1,
                    place.parts, _data.TOLD(watch.told), _data.STOP(watch.stop), None)
    lib, done, fault = _data.lib(studies=True), _data.WorkProgress(), _data.Fault()
    with _holding_signals(watch):
        fine = lib.sis_data_sweep(ctypes.byref(spec), ctypes.byref(job), ctypes.byref(done), ctypes.byref(fault))
    if watch.caught is not None:
        raise watch.caught
    if not fine:
        raise _data.refuse(fault)


def sweep(scene: Union[Scene, Path], database: Optional[Path] = None, axes: Optional[Mapping[str, Any]] = None, *,
          random: SupportsIndex = 0, draw: str = "uniform", seed: SupportsIndex = 1,
          free: Union[str, Sequence[str], None] = None, pairs: Any = None, measures: Any = None, measure_file: Optional[Path] = None,
          settings: Optional[Mapping[str, SupportsFloat]] = None, inputs: Optional[Mapping[str, Any]] = None,
          hold: Optional[SupportsFloat] = None, a4: SupportsFloat = 440.0, rate: Optional[SupportsFloat] = None,
          duration: Optional[SupportsFloat] = None, oversample: Optional[SupportsIndex] = None,
          scheme: Optional[str] = None, sounds: Optional[str] = None, shards: Optional[Path] = None,
          shard: Optional[SupportsIndex] = None, normalise: Optional[bool] = None, threads: Optional[SupportsIndex] = None,
          part: Optional[Tuple[SupportsIndex, SupportsIndex]] = None, progress: Union[bool, Told] = False) -> Study:
    """Runs a scene for many values of its params and returns a Study: the rows and bytes of `sistrum sweep`.

    scene       a Scene, or what sistrum.load takes
    database    the file; one that is there goes on where it was left. None: one that goes away with the Study
    axes        {name: "1e4:1e8:log:9", or a list or an array of numbers}; with `random` also "from:to", which is drawn.
                Names are params, inputs, "note" and "velocity"; all combinations are run
    random      how many draws for each combination; `draw` is "uniform", "sobol" or "latin", `seed` their seed,
                `free` names params that are drawn over their whole range (None: all where nothing else is drawn)
    pairs       values that go together: a CSV file, {name: values}, a structured array or a DataFrame
    measures    "peak,t60" or a list of names; or {name: None (that measure) or a function (samples, rate) -> number}.
                The samples are the mean of the channels. Functions are called in Python, one at a time; an exception
                is the sentence of its row. None: "peak,rms,centroid" and the functions of `measure_file`, a file in Lua
    settings    {name: value}, on top of those of the scene
    inputs      curves as of Scene.render; hold: s that keys of notes are down; a4: Hz
    rate, duration, oversample, scheme: of all runs, where the scene should not decide
    sounds      "wav", "flac" or "npy" keeps the sounds in tar files in the folder `shards` (None: DATABASE-shards), `shard`
                runs in each (256), `normalise` each to -1 dBFS (None: of FLAC)
    threads     None: as many as there are cores; the rows are the same for any number
    part        (3, 16): the third of 16 parts, in DATABASE-3-of-16.db; see sistrum.merge
    progress    True: a line on a terminal; a function is told (runs done, of how many)

    Ctrl-C, an exception in `progress`: what is committed stays, and the same call goes on from there."""
    loaded = (scene if isinstance(scene, Scene) else load(scene)).set(settings)
    words, (choice, own) = _Words(), _measures(measures)
    with contextlib.ExitStack() as failing, Progress(progress, None, "sweep", "runs") as tell:
        temporary = None
        if database is None:
            temporary = tempfile.mkdtemp(prefix="sistrum-")
            failing.callback(shutil.rmtree, temporary, True)
            database = os.path.join(temporary, "study.db")
        kind = _choice("none" if sounds is None else sounds, SOUNDS, "sounds")
        place = _Place(os.fsdecode(os.fspath(database)), part, sounds, shards)
        if sounds is None and (shards is not None or shard is not None or normalise is not None):
            raise SettingError("shards, shard and normalise are for sounds: give sounds=\"wav\" too")
        if axes is not None and not hasattr(axes, "items"):
            raise TypeError("axes are {name: \"1e4:1e8:log:9\", or numbers}, not %.60r" % (axes,))
        axis_words = [_axis(name, values) for name, values in (axes or {}).items()]
        table = (None, "") if pairs is None else _table(pairs)
        functions, functions_name = _lua(measure_file)
        watch = _Watch(own, tell)
        curves = tempfile.mkdtemp(prefix="sistrum-")
        with contextlib.ExitStack() as ending:
            ending.callback(shutil.rmtree, curves, True)
            input_words = _curve_files(loaded, inputs, curves)
            spec = _data.SweepSpec(
                loaded.text, len(loaded.text), words.text(os.path.basename(loaded.name)), words.settings(loaded.settings),
                len(loaded.settings), _in_render("rate", rate), _in_render("duration", duration),
                0 if oversample is None else _whole(oversample, "oversample", 1, 1024),
                _c.AS_GIVEN if scheme is None else _choice(scheme, _c.schemes(), "scheme"), words.texts(axis_words),
                len(axis_words), words.text(table[0]), words.text(table[1]), _whole(random, "random", 0),
                _whole(seed, "seed", 0, 2 ** 64 - 1), _choice(draw, DRAWS, "draw"),
                words.text(free if free is None or isinstance(free, str) else ",".join(free)), words.texts(input_words),
                len(input_words), math.nan if hold is None else _within(hold, "hold", 0, 1e6, "s"),
                _within(a4, "a4", 100, 1000, "Hz"), words.text(choice), functions, len(functions or b""),
                words.text(functions_name), kind, sounds == "flac" if normalise is None else bool(normalise),
                0 if shard is None else _whole(shard, "shard", 1), None,
                _data.CallerMeasures(words.texts(list(own)), len(own), words.text("python %s" % _code_hash(own)),
                                     _data.MAKE(watch.make), None))
            typed = ["sistrum", "sweep", loaded.name, "-o", place.named, *["--axis=" + word for word in axis_words]]
            if random:
                typed += ["--random", str(random), "--draw", draw, "--seed", str(seed)]
            _work(spec, words, place, "sistrum.sweep: " + shlex.join(typed),
                  os.cpu_count() or 1 if threads is None else _whole(threads, "threads", 1, 1024), watch)
        study = Study(place.database, _temporary=temporary)
        failing.pop_all()
    return study


def merge(database: Path, parts: Sequence[Path]) -> Study:
    """Puts parts of a study together in `database`, as `sistrum sweep merge` does: in any order, twice, or before all are
    done."""
    words, fault = _Words(), _data.Fault()
    if isinstance(parts, (str, bytes, os.PathLike)):
        raise TypeError("parts are a list of databases, not %r" % (parts,))
    names = [os.fsdecode(os.fspath(part)) for part in parts]
    if not names:
        raise SettingError("merge needs parts: sistrum.merge(\"study.db\", [\"study-1-of-2.db\", \"study-2-of-2.db\"])")
    if not _data.lib(studies=True).sis_data_merge(words.text(os.fsdecode(os.fspath(database))), words.texts(names), len(names),
                                                  ctypes.byref(fault)):
        raise _data.refuse(fault)
    return Study(database)


# ---------------------------------------------------------------------------- reading one


class Study:
    """A database that `sistrum sweep`, `sistrum-mpi` or sistrum.sweep has made, read by Python's own sqlite3, also while
    another process writes it.

    path; params, measures, columns: names; name: of the scene; count: runs that there are to be. `study["K"]` is a column,
    `len(study)` its rows; `refresh` reads them again."""

    def __init__(self, path: Path, _temporary: Optional[str] = None) -> None:
        """Opens the database at `path` for reading."""
        self.path = os.fsdecode(os.fspath(path))
        self._temporary = _temporary  # the folder of a study that is not kept
        if _temporary is not None:
            weakref.finalize(self, kept.remove, _temporary, os.getpid())
        with self._open() as base:
            try:
                self.manifest: Dict[str, str] = dict(base.execute("SELECT key, value FROM manifest"))
                names = [row[1] for row in base.execute("PRAGMA table_info(runs)")]
            except sqlite3.DatabaseError as why:
                if "no such table" not in str(why) and "not a database" not in str(why):
                    raise RunError("%s: %s" % (self.path, why)) from None
                names = []
        if not names or self.manifest.get("format") != "1":
            raise SettingError("'%s' is no database of a study" % self.path)
        self.columns: Tuple[str, ...] = tuple(names[1:-1])
        count = int(self.manifest["params"])
        self.params: Tuple[str, ...] = self.columns[:count]
        self.measures: Tuple[str, ...] = self.columns[count:]
        self.name: str = self.manifest["scene_name"]
        self.count: int = int(self.manifest["count"])
        self._rows: Optional[npt.NDArray[np.void]] = None
        self._errors: Dict[int, str] = {}
        self._lock = threading.RLock()

    @contextlib.contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        if not os.path.isfile(self.path):
            raise SettingError("there is no database '%s'" % self.path)
        place = urllib.parse.quote(os.fsencode(os.path.abspath(self.path)))  # names need not be UTF-8
        base = sqlite3.connect("file:%s?mode=ro" % place, uri=True, timeout=10)
        base.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")  # scenes may hold any bytes
        try:
            yield base
        finally:
            base.close()

    def __reduce__(self) -> Tuple[Any, ...]:
        if self._temporary is not None:
            raise TypeError("a study without a file of its own cannot be pickled: give sistrum.sweep a database")
        return Study, (self.path,)

    def _read(self) -> npt.NDArray[np.void]:
        with self._lock:
            if self._rows is None:
                errors: Dict[int, str] = {}
                parts = [self._array([])]
                with self._open() as base:
                    try:
                        found = base.execute("SELECT * FROM runs ORDER BY idx")
                        while some := found.fetchmany(CHUNK):
                            parts.append(self._array(some))
                            errors.update((row[0], row[-1]) for row in some if row[-1])
                    except sqlite3.DatabaseError as why:
                        raise RunError("%s: %s" % (self.path, why)) from None
                rows = np.concatenate(parts)
                rows.setflags(write=False)
                self._rows, self._errors = rows, errors
            return self._rows

    def _array(self, found: List[Tuple[Any, ...]]) -> npt.NDArray[np.void]:
        """Rows of the table as a structured array."""
        rows = np.empty(len(found), [("index", np.int64)] + [(name, np.float64) for name in self.columns])
        rows["index"] = [row[0] for row in found]
        values = np.array([row[1:-1] for row in found], dtype=float).reshape(len(found), len(self.columns))
        for i, name in enumerate(self.columns):
            rows[name] = values[:, i]
        return rows

    def refresh(self) -> Study:
        """Reads the rows again when they are asked for next: of a study that others work on."""
        with self._lock:
            self._rows = None
        return self

    @property
    def data(self) -> npt.NDArray[np.void]:
        """All rows by index: a structured array of `index`, params and measures. NaN: there is no number."""
        return self._read()

    def __len__(self) -> int:
        return len(self.data)

    def __repr__(self) -> str:
        return "<Study %s: %s, %d of %d runs, %s -> %s>" % (os.path.basename(self.path), self.name, len(self), self.count,
                                                            ", ".join(self.params), ", ".join(self.measures))

    def _column(self, name: str) -> str:
        folded = {column.lower(): column for column in ("index", *self.columns)}
        if str(name).lower() not in folded:
            raise SettingError("the study has no '%s': %s" % (name, ", ".join(self.columns)))
        return folded[str(name).lower()]

    def __contains__(self, name: object) -> bool:
        return str(name).lower() in map(str.lower, ("index", *self.columns))

    __iter__ = None  # rows or columns: data has both

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        column: npt.NDArray[Any] = self.data[self._column(name)]
        return column

    @property
    def errors(self) -> Dict[int, str]:
        """The sentences of runs that failed, or have a measure without a number: {index: sentence}."""
        self._read()
        return dict(self._errors)

    @property
    def failures(self) -> List[Tuple[str, int, int]]:
        """The sentences, the most frequent first: [(sentence, how many runs, the first index)]."""
        groups: Dict[str, List[int]] = {}
        for index, sentence in self.errors.items():
            groups.setdefault(sentence, []).append(index)
        return sorted(((s, len(i), min(i)) for s, i in groups.items()), key=lambda each: (-each[1], each[2]))

    @property
    def good(self) -> npt.NDArray[np.void]:
        """The rows without an error."""
        data = self._read()
        return data[~np.isin(data["index"], list(self._errors))]

    def arrays(self) -> Dict[str, Any]:
        """{name: column}: `index`, params, measures, and `error`, texts."""
        data, errors = self._read(), self._errors
        return {**{name: data[name] for name in data.dtype.names or ()},
                "error": np.array([errors.get(int(i), "") for i in data["index"]], dtype=object)}

    def frame(self) -> Any:
        """A DataFrame of pandas with the index of the runs, params, measures and `error`."""
        try:
            import pandas  # type: ignore[import]
        except ImportError:
            raise ImportError("Study.frame needs pandas: apt install python3-pandas, or pip install pandas; "
                              "Study.data and Study.arrays() do not") from None
        columns = self.arrays()
        return pandas.DataFrame({k: v for k, v in columns.items() if k != "index"},
                                index=pandas.Index(columns["index"], name="index"))

    def best(self, measure: str, lowest: bool = False, count: Optional[SupportsIndex] = None) -> Any:
        """The row with the highest (or the lowest) number of a measure: {name: value}. With a `count` a list of so many.
        Of rows with the same number the first comes first; those without one are left out."""
        name, data = self._column(measure), self.data
        values = data[name]
        known = np.nonzero(np.isfinite(values))[0]
        order = known[np.argsort(values[known] if lowest else -values[known], kind="stable")]
        if count is None and not len(order):
            raise SettingError("no run has a number for '%s'" % name)
        rows = [{key: data[key][i].item() for key in data.dtype.names or ()}
                for i in order[:1 if count is None else _whole(count, "count", 0)]]
        return rows[0] if count is None else rows

    def scene(self, index: SupportsIndex) -> Scene:
        """The scene of a run, to be heard again: the text in the manifest with its settings, params and note."""
        index = operator.index(index)
        place = np.nonzero(self.data["index"] == index)[0]
        if not len(place):
            raise IndexError("the study has no run %d" % index)
        row, settings = self.data[place[0]], {}
        for line in self.manifest.get("spec", "").splitlines():
            word, _, rest = line.partition(" ")
            if word == "set":
                settings[rest.rpartition(" ")[0]] = float(rest.rpartition(" ")[2])
        scene = Scene(self.manifest["scene"].encode("utf-8", "surrogateescape"), self.name, settings)
        inputs, note = scene.inputs, {}
        for name in self.params:
            if name in scene.params or (name in inputs and not inputs[name].trigger):
                settings[name] = float(row[name])
            elif name in ("note", "velocity"):
                note[name] = float(row[name])
            else:
                raise SettingError("run %d is struck by '%s': give the blow to render(inputs=...) yourself" % (index, name))
        scene = scene.set(settings)
        if not note:
            return scene
        a4 = [float(line.split()[1]) for line in self.manifest["spec"].splitlines() if line.startswith("a4 ")]
        hz = (a4[0] if a4 else 440.0) * 2 ** ((note["note"] - 69) / 12) if "note" in note else None
        return scene.note(hz, note.get("velocity"))

    def csv(self, path: Path) -> None:
        """Writes the rows as `sistrum sweep --csv` does, with the same bytes. The file is there whole or not at all."""
        lib, fault = _data.lib(studies=True), _data.Fault()
        with kept.Replacing(path) as f:
            if not lib.sis_data_csv(os.fsencode(self.path), os.dup(f.fileno()), ctypes.byref(fault)):
                raise _data.refuse(fault)

    def _repr_html_(self) -> str:
        from . import show
        return show.study_html(self)


__all__ = ["Study", "merge", "sweep"]
