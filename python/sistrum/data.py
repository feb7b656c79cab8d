"""Files of `sistrum render --data` and `--energy`, read back."""

from __future__ import annotations

import csv
import itertools
import json
import math
import os
import tokenize
from typing import Any, List, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import matfile
from .errors import SistrumError
from .gestures import numbers

Floats = npt.NDArray[np.float64]


class DataError(SistrumError, ValueError):
    """A file that is no data file of the program, or cannot be read here."""


class Data:
    """Rows of a data file: what `sistrum.load_data` returns.

    data: [row][column], float64; names and units of the columns; rate, Hz; start, s: row n is the time start + n/rate;
    time, s, of all rows; oversample; scene, title, version. data["NAME"] is one column.

    A NumPy file holds the numbers alone: names, units and rate are those of the report, or None."""

    def __init__(self, path: str, data: Floats, names: Optional[Sequence[str]] = None,
                 units: Optional[Sequence[str]] = None, rate: Optional[float] = None, start: float = 0.0,
                 oversample: Optional[float] = None, scene: Optional[str] = None, title: Optional[str] = None,
                 version: Optional[str] = None) -> None:
        self.path, self.data = path, data
        self.names: Optional[Tuple[str, ...]] = None if names is None else tuple(names)
        self.units: Optional[Tuple[str, ...]] = None if units is None else tuple(units)
        self.rate, self.start = rate, start
        self.oversample = None if oversample is None else int(oversample)
        self.scene, self.title, self.version = scene, title, version

    @property
    def time(self) -> Floats:
        """s, of every row."""
        if self.rate is None:
            raise DataError("'%s' holds no rate: read it with report=, the file of --json" % self.path)
        return self.start + np.arange(len(self.data)) / self.rate

    def __len__(self) -> int:
        return len(self.data)

    def __contains__(self, name: object) -> bool:
        return self.names is not None and name in self.names

    __iter__ = None  # rows or columns: data has both

    def __getitem__(self, name: str) -> Floats:
        if self.names is None:
            raise DataError("'%s' holds no names: read it with report=, the file of --json" % self.path)
        if name not in self.names:
            raise KeyError("no column '%s'; there are %s" % (name, ", ".join(self.names)))
        return self.data[:, self.names.index(name)]

    def __repr__(self) -> str:
        columns = "%d columns" % self.data.shape[1] if self.names is None else ", ".join(self.names)
        rate = "" if self.rate is None else ", %g Hz" % self.rate
        return "<sistrum data '%s': %d rows of %s%s>" % (self.path, len(self.data), columns, rate)


def load_data(path: Union[str, os.PathLike[str]], report: Union[None, str, os.PathLike[str]] = None) -> Data:
    """Reads a file that `sistrum render --data` or `--energy` has written: .npy, .csv, .h5 or .mat, by its ending.

    `report` is the file of `--json` of the same run; a NumPy array has its names, units and rate from there. HDF5 needs
    h5py. Raises DataError, or OSError where there is no such file."""
    path = os.fsdecode(path)
    ending = os.path.splitext(path)[1].lower()
    read = READERS.get(ending)
    if read is None:
        raise DataError("cannot read '%s': load_data reads .npy, .csv, .h5 and .mat files of the program" % path)
    with open(path, "rb"):
        pass  # says why it cannot be read; not all of the readers do
    try:
        data = read(path)
    except WRONG as why:
        raise why if isinstance(why, DataError) else _no_data(path, why) from None
    if report is not None:
        _add_report(data, os.fsdecode(report))
    if data.rate is not None and not (math.isfinite(data.rate) and data.rate >= 1e-9):
        raise _no_data(path, "its rate is %g Hz" % data.rate)
    if data.names is not None and len(data.names) != data.data.shape[1]:
        raise DataError("'%s' has %d columns and %d names" % (path, data.data.shape[1], len(data.names)))
    return data


WRONG = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError, EOFError, csv.Error,
         tokenize.TokenError)  # of a damaged file


def _no_data(path: str, why: object) -> DataError:
    return DataError("'%s' is no data file of sistrum: %s" % (path, why))


def _columns(path: str, values: Any) -> Floats:
    data = numbers(values, "data")
    if data.ndim != 2:
        raise _no_data(path, "its data have %d dimensions, not 2" % data.ndim)
    return data


def _read_npy(path: str) -> Data:
    return Data(path, _columns(path, np.load(path, allow_pickle=False)))


COMMENTS = ("sistrum", "scene", "title", "rate", "start", "oversample", "units")
ENERGIES = ["time", "kinetic", "elastic", "contact", "supplied", "dissipated", "total", "residual"]


def _read_csv(path: str) -> Data:
    said = {}
    with open(path, encoding="utf-8", errors="replace", newline="") as file:
        line = file.readline()
        while line.startswith("# "):
            key, _, value = line[2:].rstrip("\r\n").partition(": ")
            said[key.rstrip(":")] = value
            line = file.readline()
        names: List[str] = next(csv.reader([line]), [])
        first = file.readline()
        rows = np.loadtxt(itertools.chain([first], file), delimiter=",", ndmin=2) if first and names[:1] == ["time"] else None
    if rows is None or not rows.size or rows.shape[1] != len(names):
        raise _no_data(path, "it does not begin with a time column")
    if names == ENERGIES:
        seconds = rows[-1, 0] - rows[0, 0]
        rate = float("%.10g" % ((len(rows) - 1) / seconds)) if seconds > 0 else None  # the times are rounded
        return Data(path, _columns(path, rows[:, 1:]), names[1:], ["J"] * 7, rate, rows[0, 0])
    missing = [key for key in COMMENTS if key not in said]
    if missing:
        raise _no_data(path, "it has no line '# %s: ...'" % missing[0])
    units = next(csv.reader([said["units"]]))[1:]
    return Data(path, _columns(path, rows[:, 1:]), names[1:], units, float(said["rate"]), float(said["start"]),
                int(said["oversample"]), said["scene"], said["title"], said["sistrum"])


def _read_hdf5(path: str) -> Data:
    try:
        import h5py  # type: ignore[import]
    except ModuleNotFoundError:
        raise DataError("cannot read '%s': HDF5 files need h5py: apt install python3-h5py, or pip install h5py; .npy and "
                        ".csv need nothing" % path) from None

    def text(value: Any) -> str:
        return value.decode() if isinstance(value, bytes) else str(value)

    try:
        with h5py.File(path, "r") as file:
            plain = {key: file[key][()] for key in ("rate", "start", "oversample")}
            words = {key: text(file[key][()]) for key in ("scene", "title", "version")}
            lists = {key: [text(value) for value in file[key][:]] for key in ("names", "units")}
            data = _columns(path, file["data"][()])
    except KeyError as why:
        raise _no_data(path, "it has no '%s'" % _key(why)) from None
    except OSError as why:
        raise _no_data(path, why) from None
    return Data(path, data, lists["names"], lists["units"], float(plain["rate"]), float(plain["start"]), plain["oversample"],
                **words)


def _key(why: KeyError) -> str:
    """The name of what a file lacks, of the sentence that h5py makes of it."""
    return str(why.args[0]).split("'")[1] if "'" in str(why.args[0]) else str(why.args[0])


def _read_mat(path: str) -> Data:
    words, plain, lists = ("scene", "title", "version"), ("rate", "start", "oversample"), ("names", "units")
    file = matfile.read(path, [*words, *plain, *lists, "data"])
    for keys, kind in ((words, str), (lists, list), ((*plain, "data"), np.ndarray)):
        for key in keys:
            if key not in file:
                raise _no_data(path, "it has no '%s'" % key)
            if not isinstance(file[key], kind):
                raise _no_data(path, "its '%s' is of another kind" % key)
    numbers_of = {key: float(file[key].item()) for key in plain}
    return Data(path, _columns(path, file["data"]), file["names"], file["units"], numbers_of["rate"], numbers_of["start"],
                numbers_of["oversample"], **{key: file[key] for key in words})


READERS = {".npy": _read_npy, ".csv": _read_csv, ".mat": _read_mat, ".h5": _read_hdf5, ".hdf5": _read_hdf5, ".hdf": _read_hdf5,
           ".he5": _read_hdf5}


def _add_report(data: Data, path: str) -> None:
    """What the report of the same run says of the columns."""
    with open(path, encoding="utf-8") as file:
        try:
            report = json.load(file)
            probes = [(probe["name"], probe["unit"]) for probe in report["probes"]]
            rate, samples, oversample = float(report["rate"]), int(report["samples"]), int(report["oversample"])
            scene, title, version = report["scene"], report["title"] or "", report["version"]
        except WRONG:
            raise DataError("'%s' is no report of sistrum render --json" % path) from None
    if data.data.shape != (samples, len(probes)):
        raise DataError("'%s' is the report of another run: it has %d rows of %d probes, and '%s' %d of %d" %
                        (path, samples, len(probes), data.path, data.data.shape[0], data.data.shape[1]))
    data.names, data.units = tuple(name for name, _ in probes), tuple(unit for _, unit in probes)
    data.rate, data.oversample = rate, oversample
    data.scene, data.title, data.version = scene, title, version
