"""Compiled scenes, states that move, and what comes out of a run."""

import contextlib
import ctypes
import operator
import threading
import weakref
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np

from . import _c, threads as _threads
from .errors import RunError, SettingError
from .gestures import Curves, block_rows

CHUNK = 1 << 14  # steps between two looks at the keyboard: Ctrl-C ends a long run


def _counted(items, one, many):
    return "%d %s" % (len(items), one if len(items) == 1 else many)


class Energy(NamedTuple):
    """Joules. stored + dissipated = supplied, up to `residual`."""

    kinetic: float
    elastic: float
    contact: float
    supplied: float
    dissipated: float
    total: float
    residual: float


ENERGY = np.dtype([(name, np.float64) for name in Energy._fields])


def _plain(info, **words):
    """A structure of the library as an object with the same names; enums as words."""
    kept = {}
    for name, kind in info._fields_:
        value = getattr(info, name)
        kept[name] = _c.text(value) if kind is ctypes.c_char_p else value
    kept.update(words)
    return SimpleNamespace(**kept)


def _probe(info):
    return _plain(info, quantity=_c.word("probe", "quantity", info.quantity))


def _body(info):
    kind = _c.text(_c.lib.sis_kind_word(info.kind))
    body = _plain(info, kind=kind, model=_c.word("string", "model", info.model) if kind == "string" else "",
                  ends=_c.word("string", "ends", info.ends), nonlinear=_c.word("string", "nonlinear", info.nonlinear))
    if kind == "plate":
        body.model = _c.word("plate", "model", info.plate_model)
    del body.plate_model
    return body


def _link(info):
    kind = _c.text(_c.lib.sis_kind_word(info.kind))
    return _plain(info, kind=kind, scheme=_c.text(_c.lib.sis_scheme_word(info.scheme)) if kind == "contact" else "",
                  law=_c.word("contact", "law", info.law), potential=_c.word("contact", "potential", info.potential))


class System:
    """A compiled scene: constant, may be used by many threads. Scene.compile makes it.

    probes, bodies, links, inputs: lists with what the library tells about each; rate: rows a second; oversample: steps to
    a row; step_rate: steps a second; parts: how many threads can step one state at once."""

    def __init__(self, system, rate, oversample, duration, name, audited, places=None, strikes=()):
        self._system = system
        self._free = weakref.finalize(self, _c.lib.sis_system_free, system)
        self._free.atexit = False  # a thread may still be stepping when Python ends
        self.rate, self.oversample, self.duration = rate, oversample, duration
        self.name, self.audited = name, audited
        self._places = places or {}
        self._strikes = strikes  # triggers that a rendering strikes where no curve does
        self.step_rate = _c.lib.sis_system_rate(system)
        self.size, self.state_size = _c.lib.sis_system_size(system), _c.lib.sis_state_size(system)
        self.parts = _c.lib.sis_system_parts(system)
        self.probes = [_probe(_c.lib.sis_system_probe(system, i)) for i in range(_c.lib.sis_system_probe_count(system))]
        self.bodies = [_body(_c.lib.sis_system_body(system, i)) for i in range(_c.lib.sis_system_body_count(system))]
        self.inputs = [_plain(_c.lib.sis_system_input(system, i)) for i in range(_c.lib.sis_system_input_count(system))]
        self.links = [_link(_c.lib.sis_system_link(system, i)) for i in range(_c.lib.sis_system_link_count(system))]

    def __repr__(self):
        return "<System %s: %s, %s, %g steps a second>" % (self.name, _counted(self.bodies, "body", "bodies"),
                                                           _counted(self.links, "link", "links"), self.step_rate)

    def state(self):
        """A new state, before the first sample. A system may have any number of them."""
        return State(self)

    def index(self, things, which):
        """The number of a body, link, probe or input given by number or name."""
        if isinstance(which, str):
            names = [thing.name for thing in things]
            if which in names:
                return names.index(which)
            raise SettingError("%s has no '%s' there: %s" % (self.name, which, ", ".join(names) or "nothing at all"))
        number = operator.index(which)
        if not 0 <= number < len(things):
            raise IndexError("number %d of %d" % (number, len(things)))
        return number

    def places(self, body):
        """Where the points of a body are, m; of a plate along x, row by row."""
        i = self.index(self.bodies, body)
        return np.array([_c.lib.sis_system_place(self._system, i, j) for j in range(self.bodies[i].points)])

    def partials(self, body, count):
        """[(what the model rings at, what the body itself would), ...] of the first partials, Hz."""
        i = self.index(self.bodies, body)
        rings, exact, found = ctypes.c_double(), ctypes.c_double(), []
        for p in range(1, count + 1):
            if not _c.lib.sis_system_partial(self._system, i, p, ctypes.byref(rings), ctypes.byref(exact)):
                break
            found.append((rings.value, exact.value))
        return np.array(found).reshape(-1, 2)

    def contact_points(self, link):
        """Where the points of a contact are: a list with at_above, at_below, y_above, y_below, height in m."""
        i = self.index(self.links, link)
        return [_plain(_c.lib.sis_system_contact_point(self._system, i, j)) for j in range(self.links[i].points)]

    def render(self, duration=None, energy=False, inputs=None, threads=1):
        """Runs a new state for `duration` seconds: a Rendering. `inputs` are curves, and triggers are struck, as of
        Scene.render; where an input starts was settled when the scene was compiled. `threads` as of State.step."""
        from .scene import in_range
        if energy and not self.audited:
            raise SettingError("this system was compiled without its energy: compile it with audited=True")
        duration = self.duration if duration is None else in_range("duration", duration)
        rows = int(np.floor(self.rate * duration + 0.5))  # round half up: C's round for what is positive
        if rows < 1:
            raise SettingError("nothing to run: %g s at %g Hz are 0 samples; the duration must be at least %g s" %
                               (duration, self.rate, 0.5 / self.rate))
        moved = inputs or self._strikes
        curves = Curves(self.inputs, inputs or {}).strike(self._strikes, 1 / self.step_rate) if moved else None
        return Rendering(self, rows, energy, curves, threads)


class State:
    """What moves. System.state() makes it; it advances by `step`.

    Two threads may step two states at once; a state of its own waits for the other thread."""

    def __init__(self, system, memory=None):
        self.system = system
        self._lock = threading.Lock()
        self._room = np.empty(system.state_size + 64, dtype=np.uint8)
        start = -self._room.ctypes.data % 64
        self._memory = self._room[start:start + system.state_size]
        self._state = self._memory.ctypes.data
        if memory is None:
            _c.lib.sis_state_init(system._system, self._state)
            return
        bytes_given = np.frombuffer(memory, dtype=np.uint8)
        if len(bytes_given) != system.state_size:
            raise ValueError("these %d bytes are no state of this system: it takes %d"
                             % (len(bytes_given), system.state_size))
        self._memory[:] = bytes_given
        wrong = _c.lib.sis_state_foreign(system._system, self._state)
        if wrong:
            raise ValueError(wrong.decode())

    def copy(self):
        """Another state, equal to this one now."""
        with self._lock:
            return State(self.system, self._memory)

    __copy__ = copy

    def __deepcopy__(self, memo):
        return self.copy()

    def __reduce__(self):
        raise TypeError("a State cannot be pickled: keep its scene and its bytes, and make it again with State(system, bytes)")

    def restart(self):
        """Back to before the first sample."""
        with self._lock:
            _c.lib.sis_state_init(self.system._system, self._state)

    @property
    def samples(self):
        """Steps done so far."""
        return _c.lib.sis_state_samples(self._state)

    @property
    def energy(self):
        """The Energy now, half a step after the last one."""
        with self._lock:
            e = _c.lib.sis_state_energy(self.system._system, self._state)
        return Energy(*[getattr(e, name) for name in Energy._fields])

    @property
    def links(self):
        """What each contact, spring and bow has been through so far: {name: max_penetration, max_force, ...}."""
        report = _c.lib.sis_state_link
        with self._lock:
            return {link.name: _plain(report(self.system._system, self._state, i))
                    for i, link in enumerate(self.system.links)}

    @property
    def inputs(self):
        """What each input is held at: {name: the last value it was given}; 0 of triggers."""
        return {each.name: _c.lib.sis_state_input(self.system._system, self._state, i)
                for i, each in enumerate(self.system.inputs)}

    def set(self, inputs=None, **more):
        """Gives inputs values from the next step on; of a trigger, a blow. What is beyond the range of an input is held
        to it and counted."""
        with self._lock:
            for name, value in {**(inputs or {}), **more}.items():
                i = self.system.index(self.system.inputs, name)
                _c.lib.sis_state_input_set(self.system._system, self._state, i, float(value))

    @property
    def clamped(self):
        """How many values of each input were no number or beyond its range: {name: count}."""
        return {each.name: _c.lib.sis_state_input_clamped(self.system._system, self._state, i)
                for i, each in enumerate(self.system.inputs)}

    def _block(self, frames, energy, inputs=None):
        """A block to step by, its arrays, and the rows of inputs, which must live as long."""
        frames = operator.index(frames)
        if not 0 <= frames <= 0x7FFFFFFF:
            raise ValueError("frames is %d; it must be 0 to 2147483647" % frames)
        probes = np.empty((frames, len(self.system.probes)))
        energies = np.empty(frames, ENERGY) if energy else None
        rows = None if inputs is None or not self.system.inputs else block_rows(self, inputs, frames)
        block = _c.Block(frames, probes.ctypes.data, energies.ctypes.data if energy else None,
                         None if rows is None else rows.ctypes.data)
        return block, probes, energies, rows

    def step(self, frames, energy=False, inputs=None, threads=1):
        """Advances by `frames` steps and returns the probes, [frames][probe]: row n is step n, row 0 of a new state
        the initial state. With `energy`: (probes, energies), half a step later each. How steps are cut into
        blocks changes no bit. `inputs`: an array [frames][input], or {name: a number or one a frame}; inputs that are
        left out keep their values. Of a trigger a row is a blow, or 0 for none. `threads`: so many at most step the
        parts of the system (System.parts) at the same time, with the same bits; worth it for long blocks."""
        block, probes, energies, _rows = self._block(frames, energy, inputs)
        threads = min(_threads.checked(threads), self.system.parts)
        with self._lock:
            if threads > 1:
                _threads.step(self.system._system, self._state, block, threads)
            else:
                _c.lib.sis_step(self.system._system, self._state, ctypes.byref(block))
        return (probes, energies) if energy else probes

    def blocks(self, frames, count=None, energy=False, threads=1):
        """Steps for ever, or `count` times, and yields what each step returns."""
        done = 0
        while count is None or done < count:
            yield self.step(frames, energy, threads=threads)
            done += 1

    def sleep(self, below):
        """Puts the state to sleep if it holds at most `below` joules and nothing can give it any more: no force, bow,
        gravity or input. True: it sleeps. What it held counts as dissipated, probes are 0 from then on, and a step
        costs nothing; `restart` wakes it."""
        with self._lock:
            return _c.lib.sis_state_sleep(self.system._system, self._state, float(below))

    @property
    def asleep(self):
        """Whether it sleeps."""
        return _c.lib.sis_state_sleeps(self._state)

    def shape(self, body):
        """The displacement of every point of a body, m; of a plate [y][x]."""
        i = self.system.index(self.system.bodies, body)
        info = self.system.bodies[i]
        u = np.empty(info.points)
        with self._lock:
            _c.lib.sis_state_shape(self.system._system, self._state, i, u.ctypes.data)
        return u.reshape(info.segments_y + 1, info.segments + 1) if info.kind == "plate" else u

    def contact(self, link):
        """Penetration (m, negative: open) and force (N) at each point of a contact."""
        i = self.system.index(self.system.links, link)
        eta, force = np.empty(self.system.links[i].points), np.empty(self.system.links[i].points)
        with self._lock:
            _c.lib.sis_state_contact(self.system._system, self._state, i, eta.ctypes.data, force.ctypes.data)
        return eta, force

    def check(self):
        """Ends with a RunError where the run did: a contact with scheme "root" had no real root, or one of am1, verlet,
        heun and rk4 made several times the energy there was in one step."""
        for link, report in zip(self.system.links, self.links.values()):
            if link.scheme == "root" and not link.clamp and report.complex_roots:
                raise self._error(link, "contact '%s': complex root at sample %d (discriminant %.3g): s = %g has no real force there; "
                               "try s = 1, a higher rate, or clamp = true" %
                               (link.name, report.first_complex, report.discriminant, link.s))
            if report.diverged:
                self._diverges(link, report.first_diverged, "where one step leaves %.3g times the energy" % report.growth)

    def _error(self, link, text):
        place, line = self.system._places.get(link.name, ("", 0))
        return RunError(place + ": " + text if place else text, line, "contact '%s'" % link.name)

    def _diverges(self, link, step, how):
        raise self._error(link, "contact '%s': %s diverges at sample %d (%.6g s), %s: the contact is too short for it; try "
                       'scheme = "invariant", "ledger" or "newton", or a higher rate' %
                       (link.name, link.scheme, step, step / self.system.step_rate, how))


def step_batch(states, frames, energy=False):
    """Advances many states by `frames` steps each, one after the other in one call. Returns a list of what State.step
    returns."""
    states = list(states)
    if len({id(s) for s in states}) != len(states):
        raise ValueError("a state is in the batch twice")
    parts = [s._block(frames, energy) for s in states]
    count = len(states)
    systems = (ctypes.c_void_p * count)(*[s.system._system for s in states])
    pointers = (ctypes.c_void_p * count)(*[s._state for s in states])
    with contextlib.ExitStack() as held:
        for s in sorted(states, key=id):  # one order for all threads
            held.enter_context(s._lock)
        _c.lib.sis_step_batch(systems, pointers, (_c.Block * count)(*[p[0] for p in parts]), count)
    return [(probes, energies) if energy else probes for _, probes, energies, _ in parts]


class Rendering:
    """A run from the start.

    data: [row][probe] as `sistrum render --data` writes it, rendering["name"] one column of it; time: of the rows, s.
    With energy: `energy`, a record array with the columns of --energy, energy_time, and residual_max as in the
    report. state: after the run; links: what contacts have been through."""

    def __init__(self, system, rows, energy, curves=None, threads=1):
        self.system, self.rate, self.state = system, system.rate, State(system)
        o = system.oversample
        self.data = np.empty((rows, len(system.probes)))
        self.energy = np.empty(rows, ENERGY) if energy else None
        balance = _c.Balance()
        start = _c.Energy(*self.state.energy)
        _c.lib.sis_balance_add(ctypes.byref(balance), ctypes.byref(start), 1)
        self._put_in = abs(start.total)
        chunk = max(1, CHUNK // o)  # rows
        for row in range(0, rows, chunk):
            end = min(row + chunk, rows)
            steps = (end - row) * o
            inputs = curves.rows(row * o, steps, system.step_rate) if curves else None
            part = self.state.step(steps, energy, inputs, threads)
            probes, energies = part if energy else (part, None)
            self.data[row:end] = probes[::o]
            self._check(probes, energies, row * o)
            if energy:
                self.energy[row:end] = energies[(o - 1) // 2::o]
                _c.lib.sis_balance_add(ctypes.byref(balance), energies.ctypes.data, len(energies))
        self.residual_max = _c.lib.sis_balance_residual(ctypes.byref(balance)) if energy else None

    def _check(self, probes, energies, first):
        """Says what is wrong and where, in the words of the program."""
        self.state.check()
        self._check_made(energies, first)
        steps, columns = np.nonzero(~np.isfinite(probes))
        if len(steps):
            step = first + steps[0]
            raise RunError("probe '%s' is not a finite number at step %d (%.6g s)" %
                           (self.system.probes[columns[0]].name, step, step / self.system.step_rate))
        if energies is not None:
            steps = np.nonzero(~(np.isfinite(energies["total"]) & np.isfinite(energies["residual"])))[0]
            if len(steps):
                step = first + steps[0]
                raise RunError("the energy is not a finite number after step %d (%.6g s)" %
                               (step, step / self.system.step_rate))

    def _check_made(self, energies, first):
        """Methods that make energy little by little: more than four times all that was put in."""
        rough = [(report.drift_sum, i) for i, (link, report) in enumerate(zip(self.system.links, self.state.links.values()))
                 if link.scheme in ("am1", "verlet", "heun", "rk4")]
        if energies is None or not rough:
            return
        put_in = np.maximum.accumulate(np.maximum(np.abs(energies["supplied"]), self._put_in))
        self._put_in = put_in[-1]
        steps = np.nonzero(energies["residual"] > 4 * put_in)[0]
        if len(steps):
            self.state._diverges(self.system.links[max(rough)[1]], first + steps[0],
                                 "where it has made more than 4 times the energy put in")

    def __len__(self):
        return len(self.data)

    def __getitem__(self, probe):
        return self.data[:, self.system.index(self.system.probes, probe)]

    @property
    def time(self):
        return np.arange(len(self.data)) / self.rate

    @property
    def energy_time(self):
        o = self.system.oversample
        return (np.arange(len(self.data)) * o + (o - 1) // 2 + 0.5) / self.system.step_rate

    @property
    def links(self):
        return self.state.links
