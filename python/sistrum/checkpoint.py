"""Renderings that go on: where one is, in a file, and its rows in FILE.part beside it.

FILE is a state as State.save writes it, whose heading says of which run it is and how many rows FILE.part holds: one
after the other what the probes gave, then the energies, as float64. New rows are added and brought to the disk before
FILE is replaced; what lies beyond them is written over when the run goes on. FILE.part is locked meanwhile.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import stat
import time
import weakref
from typing import IO, TYPE_CHECKING, Any, Dict, NamedTuple, Optional, SupportsFloat, Union

import numpy as np
import numpy.typing as npt

from . import _c, kept
from .errors import RunError, SettingError, StateError

if TYPE_CHECKING:
    from .gestures import Curves
    from .rendering import Rendering
    from .state import State

EVERY = 60.0  # s, as in the program
PIECE = 1 << 14  # rows that are written or read at a time
PROGRAM = b"sistrum checkpoint "  # how those of `sistrum render --checkpoint` begin


def _is_balance(value: Any) -> bool:
    names = [name for name, _ in _c.Balance._fields_]
    return isinstance(value, dict) and sorted(value) == sorted(names) and all(map(kept.is_number, value.values()))


RUN = {"rows": kept.is_count, "energy": kept.is_flag, "inputs": lambda value: isinstance(value, dict), "row": kept.is_count,
       "rows_sha256": kept.is_text, "balance": _is_balance, "put_in": kept.is_number}  # what a run adds to a heading


class Place(NamedTuple):
    """Where a run is, between two chunks of steps."""

    row: int
    state: State
    balance: Dict[str, float]
    put_in: float


def checked_every(every: Optional[SupportsFloat]) -> float:
    """Seconds between two checkpoints."""
    from .scene import number
    seconds = EVERY if every is None else number(every, "every")
    if not 0 <= seconds <= 1e6:
        raise SettingError("every is %g s; it must be 0 to 1000000" % seconds)
    return seconds


def _curves(curves: Optional[Curves]) -> Dict[str, str]:
    """What inputs do, to be compared."""
    points = {} if curves is None else curves.points
    return {name: hashlib.sha256(np.asarray(its, "<f8").tobytes()).hexdigest() for name, its in sorted(points.items())}


_writing: weakref.WeakSet[Checkpoint] = weakref.WeakSet()


def _after_fork() -> None:
    """The lock of a run is not that of processes that fork meanwhile (multiprocessing): they may live longer."""
    for each in list(_writing):
        each._file.close()
        each._descriptor = -1


os.register_at_fork(after_in_child=_after_fork)


class Checkpoint:
    """The checkpoint of one rendering while it is made, a context. `row`: where it goes on from; `rows`: how many to do
    until `after` is called again, some tenths of a second of work."""

    def __init__(self, path: Union[str, os.PathLike[str]], every: Optional[SupportsFloat], run: Rendering, balance: _c.Balance,
                 most: int) -> None:
        """`balance` is the energy balance of `run` so far, `most` the largest number of rows to do at a time."""
        self._name = os.fsdecode(path)
        if not os.path.basename(self._name):
            raise SettingError("checkpoint: name a file, not '%s'" % self._name)
        self._every = checked_every(every)
        self._run, self._balance, self._most = run, balance, most
        self.row, self.rows = 0, max(1, most // 16)
        self._path = os.path.realpath(self._name)
        self._part = self._path + ".part"
        self._part_name = self._part if os.path.islink(self._name) else self._name + ".part"
        self._file: IO[bytes]  # a file that Python closes, and so unlocks, whatever comes between
        self._refused: Optional[OSError] = None  # why rows cannot be added
        self._bytes = 8 * (run.data.shape[1] + (0 if run.energy is None else len(run.energy.dtype)))  # of a row
        self._sum, self._written = hashlib.sha256(), 0  # of the rows that are in the file
        self._failed = False
        self._place = self._now(0)
        self._last = self._stepped = time.monotonic()

    def __enter__(self) -> Checkpoint:
        new = self._open()
        try:
            data = self._read()
            if data is not None:
                self._take_up(data)
            if self._refused is not None and (data is None or self.row < len(self._run.data)):
                raise self._refused
            if data is None and os.fstat(self._descriptor).st_size:
                raise StateError("'%s' is there already, without '%s': remove it, or name another checkpoint" %
                                 (self._part_name, self._name))
            if data is None:
                self._write(self._place)
        except BaseException:
            if new:
                os.unlink(self._part)
            self._file.close()
            raise
        self._last = self._stepped = time.monotonic()
        return self

    def __exit__(self, kind: Any, _why: Any, _trace: Any) -> None:
        """What ended it, such as Ctrl-C, finds a checkpoint of now, unless it was the checkpoint itself."""
        try:
            if kind is not None and not self._failed and self._place.row > self._written:
                with contextlib.suppress(OSError):
                    self._write(self._place)
        finally:
            self._file.close()

    def after(self, row: int) -> None:
        """Rows are done up to `row`: writes a checkpoint where it is time, and when all are done."""
        self._place = self._now(row)
        now = time.monotonic()
        took, self._stepped = now - self._stepped, now
        slow = max(0.1, min(self._every, 1.0))
        if took > slow:
            self.rows = max(1, self.rows // 2)
        elif took < slow / 4:
            self.rows = min(2 * self.rows, self._most)
        if row == len(self._run.data) or now - self._last >= self._every:
            self._write(self._place)
            self._last = self._stepped = time.monotonic()

    # ------------------------------------------------------------------------ the files

    def _open(self) -> bool:
        """Opens the file of the rows for this run alone. True: it was not there."""
        new = not os.path.lexists(self._part)
        try:
            self._file = open(self._part, "r+b", 0, opener=lambda path, flags: os.open(path, flags | os.O_CREAT, 0o666))
        except OSError as why:
            self._refused = OSError(why.errno, why.strerror, self._name if new else self._part_name)
            if new:
                raise self._refused from None
            try:  # a run that is over needs no more
                self._file = open(self._part, "rb", 0)
            except OSError:
                raise self._refused from None
        self._descriptor = self._file.fileno()
        _writing.add(self)
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            free = os.fstat(self._descriptor).st_nlink > 0
        except BlockingIOError:
            free = False
        except OSError:
            free = True  # a file system without locks
        if not free:
            self._file.close()
            raise RunError("another run is writing '%s'" % self._name)
        return new

    def _read(self) -> Optional[bytes]:
        """The checkpoint that is there; None: there is none."""
        try:
            descriptor = os.open(self._path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)  # a pipe would wait
        except FileNotFoundError:
            return None
        except OSError as why:
            raise OSError(why.errno, why.strerror, self._name) from None
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise StateError("'%s' is no regular file" % self._name)
        with open(descriptor, "rb") as f:
            return f.read()

    def _write(self, place: Place) -> None:
        """Adds the rows that are new, then replaces the checkpoint in one step."""
        sum_ = self._sum.copy()
        try:
            for first in range(self._written, place.row, PIECE):
                rows = self._packed(first, min(first + PIECE, place.row))
                sum_.update(rows)
                self._put(rows, first * self._bytes)
            os.fsync(self._descriptor)
            run = {**self._identity(), "row": place.row, "rows_sha256": sum_.hexdigest(), "balance": place.balance,
                   "put_in": place.put_in}
            with kept.Replacing(self._path, self._path + ".new") as f:
                f.write(kept.packed(place.state, run))
            self._sync_folder()
        except OSError as why:
            self._failed = True
            raise OSError(why.errno, why.strerror, self._name) from None
        self._sum, self._written = sum_, place.row

    def _put(self, rows: bytes, offset: int) -> None:
        left = memoryview(rows)
        while left:
            done = os.pwrite(self._descriptor, left, offset)
            left, offset = left[done:], offset + done

    def _sync_folder(self) -> None:
        """The name of a file is on the disk when its folder is."""
        with contextlib.suppress(OSError):  # not all of them can
            folder = os.open(os.path.dirname(self._path), os.O_RDONLY | os.O_CLOEXEC)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)

    # ------------------------------------------------------------------------ what is in them

    def _now(self, row: int) -> Place:
        balance = {name: getattr(self._balance, name) for name, _ in _c.Balance._fields_}
        return Place(row, self._run.state.copy(), balance, self._run._put_in)

    def _identity(self) -> Dict[str, Any]:
        """What the rows depend on, beside what every state says of its system."""
        return {"rows": len(self._run.data), "energy": self._run.energy is not None, "inputs": _curves(self._run._curves)}

    def _energies(self, first: int, end: int) -> npt.NDArray[np.float64]:
        energies: npt.NDArray[np.float64] = self._run.energy[first:end].view(np.float64).reshape(end - first, -1)
        return energies

    def _packed(self, first: int, end: int) -> bytes:
        """Some rows as the file has them."""
        rows = [self._run.data[first:end]]
        if self._run.energy is not None:
            rows.append(self._energies(first, end))
        return bytes(np.concatenate(rows, axis=1).astype("<f8", copy=False).tobytes())

    def _unpack(self, first: int, end: int, rows: bytes) -> None:
        values = np.frombuffer(rows, "<f8").reshape(end - first, -1)
        probes = self._run.data.shape[1]
        self._run.data[first:end] = values[:, :probes]
        if self._run.energy is not None:
            self._energies(first, end)[:] = values[:, probes:]

    def _same(self, run: Dict[str, Any]) -> None:
        """What differs first between the run of a checkpoint and this one, of one system."""
        own = self._identity()
        if run["rows"] != own["rows"]:
            raise StateError("'%s' is the checkpoint of another run: it has %d samples where this one has %d" %
                             (self._name, run["rows"], own["rows"]))
        for name in sorted({*run["inputs"], *own["inputs"]}):
            if run["inputs"].get(name) != own["inputs"].get(name):
                raise StateError("'%s' is the checkpoint of another run: its input '%s' has another curve" %
                                 (self._name, name))

    def _take_up(self, data: bytes) -> None:
        """Goes on from where the checkpoint was written."""
        if data.startswith(PROGRAM):
            raise StateError("'%s' is a checkpoint of the program: go on with it by sistrum render --resume" % self._name)
        parts = kept.parts(data, "'%s'" % self._name)
        run = parts.heading.get("run")
        if run is None:
            raise StateError("'%s' is a state that was saved, and the checkpoint of no run" % self._name)
        kept.check(run, RUN, "'%s'" % self._name)
        if run["energy"] != self._identity()["energy"]:
            raise StateError("'%s' is the checkpoint of another run: it has energy=%r where this one has %r" %
                             (self._name, run["energy"], not run["energy"]))
        state = kept.state_of(parts, self._run.system)
        self._same(run)
        if run["row"] > run["rows"]:
            raise StateError("'%s' is damaged: it is at sample %d of %d" % (self._name, run["row"], run["rows"]))
        self._take_rows(run)
        for name, value in run["balance"].items():
            setattr(self._balance, name, value)
        self._run.state, self._run._put_in = state, run["put_in"]
        self.row = self._written = run["row"]
        self._place = self._now(self.row)

    def _take_rows(self, run: Dict[str, Any]) -> None:
        size, needed = os.fstat(self._descriptor).st_size, run["row"] * self._bytes
        if size < needed:
            raise StateError("'%s' is damaged or incomplete: it has %d bytes where '%s' asks for %d" %
                             (self._part_name, size, self._name, needed))
        for first in range(0, run["row"] if self._bytes else 0, PIECE):
            end = min(first + PIECE, run["row"])
            rows = self._get((end - first) * self._bytes, first * self._bytes)
            self._sum.update(rows)
            self._unpack(first, end, rows)
        if self._sum.hexdigest() != run["rows_sha256"]:
            raise StateError("'%s' is damaged or incomplete: its check sum is wrong" % self._part_name)

    def _get(self, size: int, offset: int) -> bytes:
        got = bytearray()
        while len(got) < size:
            part = os.pread(self._descriptor, size - len(got), offset + len(got))
            if not part:
                raise StateError("'%s' is damaged or incomplete: it ends too early" % self._part_name)
            got += part
        return bytes(got)


__all__ = ["Checkpoint"]
