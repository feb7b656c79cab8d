"""States: what moves, step by step."""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import operator
import os
import threading
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Iterable, Iterator, List, Mapping, NamedTuple, Optional, Tuple, Union
from typing import SupportsFloat, SupportsIndex

import numpy as np
import numpy.typing as npt

from . import _c, kept, threads as _threads
from .errors import RunError, SettingError
from .gestures import Hands, block_rows
from .progress import Progress, Told

if TYPE_CHECKING:
    from .system import System

Floats = npt.NDArray[np.float64]


class Energy(NamedTuple):
    """Joules. stored + dissipated = supplied, up to `residual`."""

    kinetic: float
    elastic: float
    contact: float
    supplied: float
    dissipated: float
    total: float
    residual: float


SUM = hashlib.sha256().digest_size  # bytes
ENERGY = np.dtype([(name, np.float64) for name in Energy._fields])


def plain(info: ctypes.Structure, **words: Any) -> SimpleNamespace:
    """A structure of the library as an object with the same names; enums as words."""
    kept_names = {}
    for field in info._fields_:
        value = getattr(info, field[0])
        kept_names[field[0]] = _c.text(value) if field[1] is ctypes.c_char_p else value
    kept_names.update(words)
    return SimpleNamespace(**kept_names)


class State:
    """What moves. System.state() makes it; it advances by `step`.

    Two threads may step two states at once; a state of its own waits for the other thread. It can be copied, pickled
    (with its scene: it goes on in another process, with the same bits) and saved into a file."""

    def __init__(self, system: System, memory: Optional[Any] = None) -> None:
        """A new state, or with `memory`, the bytes of another one, one that goes on from there."""
        if not hasattr(system, "state_size"):
            raise TypeError("a state is of a System, not of %r; scene.compile() makes one" % (system,))
        self.system = system
        self._lock = threading.RLock()  # a signal handler may look at the state whose step it came into
        self._work = _threads.Work()
        self._room = np.empty(system.state_size + 64, dtype=np.uint8)
        start = -self._room.ctypes.data % 64
        self._memory = self._room[start:start + system.state_size]
        self._state = self._memory.ctypes.data
        _c.lib.sis_state_init(system._system, self._state)
        if memory is None:
            return
        given = np.frombuffer(memory, dtype=np.uint8)
        if len(given) != system.state_size + SUM:
            raise ValueError("these %d bytes are no state of this system: it takes %d" % (len(given), system.state_size + SUM))
        if hashlib.sha256(given[:-SUM].tobytes()).digest() != given[-SUM:].tobytes():
            raise ValueError("these bytes are no state, or damaged: their check sum is wrong")
        self._take(given[:-SUM])

    def __repr__(self) -> str:
        return "<State of %s after %d steps>" % (self.system.name, self.samples)

    # ------------------------------------------------------------------------ copies

    def _raw(self) -> bytes:
        with self._lock, self._work:
            return self._memory.tobytes()

    def _take(self, raw: Any) -> None:
        """What _raw has given, undamaged: the library finds its points by the numbers in it."""
        given = np.frombuffer(raw, dtype=np.uint8)
        if len(given) != len(self._memory):
            raise ValueError("%d bytes are no state of this system: it takes %d" % (len(given), len(self._memory)))
        self._memory[:] = given
        wrong = _c.lib.sis_state_foreign(self.system._system, self._state)
        if wrong:
            raise ValueError(wrong.decode())

    def __bytes__(self) -> bytes:
        """The state as bytes with their check sum, for State(system, bytes)."""
        raw = self._raw()
        return raw + hashlib.sha256(raw).digest()

    def copy(self) -> State:
        """Another state, equal to this one now."""
        other = State(self.system)
        with self._lock, self._work:
            other._memory[:] = self._memory
        return other

    def __copy__(self) -> State:
        return self.copy()

    def __deepcopy__(self, memo: Any) -> State:
        return self.copy()

    def __reduce__(self) -> Tuple[Any, ...]:
        return kept.unpacked, (kept.packed(self),)

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes the state with its scene into a file, from which `sistrum.load_state(path)` goes on with the same bits,
        on any machine with this version. The file is there whole or not at all."""
        kept.write(path, kept.packed(self))

    def restart(self) -> None:
        """Back to before the first sample."""
        with self._lock, self._work:
            _c.lib.sis_state_init(self.system._system, self._state)

    # ------------------------------------------------------------------------ looking

    @property
    def samples(self) -> int:
        """Steps done so far."""
        return int(_c.lib.sis_state_samples(self._state))

    @property
    def time(self) -> float:
        """Seconds done so far."""
        return self.samples / self.system.step_rate

    @property
    def energy(self) -> Energy:
        """The Energy now, half a step after the last one."""
        with self._lock, self._work:
            e = _c.lib.sis_state_energy(self.system._system, self._state)
        return Energy(*[getattr(e, name) for name in Energy._fields])

    @property
    def links(self) -> dict[str, SimpleNamespace]:
        """What each contact, spring and bow has been through so far: {name: max_penetration, max_force, ...}."""
        report = _c.lib.sis_state_link
        with self._lock, self._work:
            return {link.name: plain(report(self.system._system, self._state, i))
                    for i, link in enumerate(self.system.links)}

    @property
    def inputs(self) -> dict[str, float]:
        """What each input is held at: {name: the last value it was given}; 0 of triggers."""
        return {each.name: _c.lib.sis_state_input(self.system._system, self._state, i)
                for i, each in enumerate(self.system.inputs)}

    @property
    def clamped(self) -> dict[str, int]:
        """How many values of each input were no number or beyond its range: {name: count}."""
        return {each.name: _c.lib.sis_state_input_clamped(self.system._system, self._state, i)
                for i, each in enumerate(self.system.inputs)}

    def shape(self, body: Union[int, str]) -> Floats:
        """The displacement of every point of a body, m; of a plate [y][x]."""
        i = self.system.index(self.system.bodies, body)
        info = self.system.bodies[i]
        u = np.empty(info.points)
        with self._lock, self._work:
            _c.lib.sis_state_shape(self.system._system, self._state, i, u.ctypes.data)
        return u.reshape(info.segments_y + 1, info.segments + 1) if info.kind == "plate" else u

    def contact(self, link: Union[int, str]) -> Tuple[Floats, Floats]:
        """Penetration (m, negative: open) and force (N) at each point of a contact."""
        i = self.system.index(self.system.links, link)
        eta, force = np.empty(self.system.links[i].points), np.empty(self.system.links[i].points)
        with self._lock, self._work:
            _c.lib.sis_state_contact(self.system._system, self._state, i, eta.ctypes.data, force.ctypes.data)
        return eta, force

    # ------------------------------------------------------------------------ stepping

    def set(self, inputs: Optional[Mapping[str, SupportsFloat]] = None, **more: SupportsFloat) -> None:
        """Gives inputs values from the next step on; of a trigger, a blow. What is beyond the range of an input is held
        to it and counted."""
        from .scene import number
        values = [(self.system.index(self.system.inputs, name), number(value, "input '%s'" % name))
                  for name, value in {**(inputs or {}), **more}.items()]
        with self._lock, self._work:
            for i, value in values:
                _c.lib.sis_state_input_set(self.system._system, self._state, i, value)

    def _block(self, frames: SupportsIndex, energy: bool, inputs: Any = None) -> Tuple[Any, Floats, Any, Any]:
        """A block to step by, its arrays, and the rows of inputs, which must live as long."""
        frames = operator.index(frames)
        if not 0 <= frames <= 0x7FFFFFFF:
            raise ValueError("frames is %d; it must be 0 to 2147483647" % frames)
        probes = np.empty((frames, len(self.system.probes)))
        energies = np.empty(frames, ENERGY) if energy else None
        rows = None if inputs is None else block_rows(self, inputs, frames)
        block = _c.Block(frames, probes.ctypes.data, None if energies is None else energies.ctypes.data,
                         None if rows is None or not self.system.inputs else rows.ctypes.data)
        return block, probes, energies, rows

    def step(self, frames: SupportsIndex, energy: bool = False, inputs: Any = None, threads: SupportsIndex = 1) -> Any:
        """Advances by `frames` steps and returns the probes, [frames][probe]: row n is step n, row 0 of a new state
        the initial state. With `energy`: (probes, energies), half a step later each. How steps are cut into
        blocks changes no bit. `inputs`: an array [frames][input], or {name: a number or one a frame}; inputs that are
        left out keep their values. Of a trigger a row is a blow, or 0 for none. `threads`: so many at most step the
        parts of the system (System.parts) at the same time, with the same bits; worth it for long blocks."""
        block, probes, energies, _rows = self._block(frames, energy, inputs)
        threads = min(_threads.checked(threads), self.system.parts)
        with self._lock, self._work:
            if threads > 1:
                _threads.step(self.system._system, self._state, block, threads, self._work)
            else:
                _c.lib.sis_step(self.system._system, self._state, ctypes.byref(block))
        return (probes, energies) if energy else probes

    def blocks(self, frames: SupportsIndex, count: Optional[int] = None, energy: bool = False,
               threads: SupportsIndex = 1) -> Iterator[Any]:
        """Steps for ever, or `count` times, and yields what each step returns."""
        done = 0
        while count is None or done < count:
            yield self.step(frames, energy, threads=threads)
            done += 1

    def play(self, seconds: Optional[SupportsFloat] = None, inputs: Any = None, block: SupportsIndex = 256,
             energy: bool = False, threads: SupportsIndex = 1, progress: Union[bool, Told] = False) -> Iterator[Any]:
        """Plays for so many seconds (None: for ever) in blocks of steps, while inputs move, and yields what each `step`
        returns.

        `inputs` is {name: what it does}, each of them

        - a function of the times of the steps of a block (an array, s since the state began) that returns a number or one
          a step; called once a block, just before it is stepped;
        - a curve [(time s, value), ...] as of Scene.render, in the time of the state;
        - an array with one value a step of this call: when it ends, its last value stays (a trigger: no more blows);
        - a number, from the first step on.

        Or one function of the times that returns such a {name: number or one a step}. Of a trigger a number other than 0
        is a blow: a function that returns one number gives it at the first step of its block. What is not named keeps its
        value. `progress`: True writes how far it is on a terminal, a function is told (steps done, of how many)."""
        from .scene import number
        frames, rate = operator.index(block), self.system.step_rate
        if not 1 <= frames <= 0x7FFFFFFF:
            raise ValueError("block is %d; it must be 1 to 2147483647" % frames)
        total = None
        if seconds is not None:
            seconds = number(seconds, "seconds")
            if not 0 <= seconds * rate < 2.0 ** 52:
                raise SettingError("%g s cannot be played; it must be 0 to %g s" % (seconds, 2.0 ** 52 / rate))
            total = int(np.floor(seconds * rate + 0.5))
        hands = Hands(self.system, inputs) if inputs is not None else None
        return self._play(total, hands, frames, energy, threads, progress)

    def _play(self, total: Optional[int], hands: Optional[Hands], frames: int, energy: bool,
              threads: SupportsIndex, progress: Union[bool, Told]) -> Iterator[Any]:
        done = 0
        with Progress(progress, total, self.system.name, "steps") as told:
            while total is None or done < total:
                now = frames if total is None else min(frames, total - done)
                rows = hands.rows(self, done, now) if hands else None
                stepped = self.step(now, energy, rows, threads)
                done += now
                told(done)
                yield stepped

    def sleep(self, below: SupportsFloat) -> bool:
        """Puts the state to sleep if it holds at most `below` joules and nothing can give it any more: no force, bow,
        gravity or input. True: it sleeps. What it held counts as dissipated, probes are 0 from then on, and a step
        costs nothing; `restart` wakes it."""
        with self._lock, self._work:
            return bool(_c.lib.sis_state_sleep(self.system._system, self._state, float(below)))

    @property
    def asleep(self) -> bool:
        """Whether it sleeps."""
        return bool(_c.lib.sis_state_sleeps(self._state))

    # ------------------------------------------------------------------------ what went wrong

    def check(self) -> None:
        """Ends with a RunError where the run did: a contact with scheme "root" had no real root, or one of am1, verlet,
        heun and rk4 made several times the energy there was in one step."""
        for link, report in zip(self.system.links, self.links.values()):
            if link.scheme == "root" and not link.clamp and report.complex_roots:
                raise self._error(link, "contact '%s': complex root at sample %d (discriminant %.3g): s = %g has no real force there; "
                               "try s = 1, a higher rate, or clamp = true" %
                               (link.name, report.first_complex, report.discriminant, link.s))
            if report.diverged:
                self._diverges(link, report.first_diverged, "where one step leaves %.3g times the energy" % report.growth)

    def _error(self, link: SimpleNamespace, text: str) -> RunError:
        place, line = self.system._places.get(link.name, ("", 0))
        return RunError(place + ": " + text if place else text, line, "contact '%s'" % link.name)

    def _diverges(self, link: SimpleNamespace, step: int, how: str) -> None:
        raise self._error(link, "contact '%s': %s diverges at sample %d (%.6g s), %s: the contact is too short for it; try "
                       'scheme = "invariant", "ledger" or "newton", or a higher rate' %
                       (link.name, link.scheme, step, step / self.system.step_rate, how))


def step_batch(states: Iterable[State], frames: SupportsIndex, energy: bool = False) -> List[Any]:
    """Advances many states by `frames` steps each, one after the other in one call. Returns a list of what State.step
    returns."""
    states = list(states)
    for s in states:
        if not isinstance(s, State):
            raise TypeError("a batch is of states, not of %r" % (s,))
    if len({id(s) for s in states}) != len(states):
        raise ValueError("a state is in the batch twice")
    parts = [s._block(frames, energy) for s in states]
    count = len(states)
    systems = (ctypes.c_void_p * count)(*[s.system._system for s in states])
    pointers = (ctypes.c_void_p * count)(*[s._state for s in states])
    with contextlib.ExitStack() as held:
        for s in sorted(states, key=id):  # one order for all threads
            held.enter_context(s._lock)
            held.enter_context(s._work)
        _c.lib.sis_step_batch(systems, pointers, (_c.Block * count)(*[p[0] for p in parts]), count)
    return [(probes, energies) if energy else probes for _, probes, energies, _ in parts]


__all__ = ["ENERGY", "Energy", "State", "step_batch"]
