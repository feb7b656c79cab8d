"""What comes out of a run."""

from __future__ import annotations

import contextlib
import ctypes
import os
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Callable, ContextManager, Optional, SupportsFloat, SupportsIndex, Union

import numpy as np
import numpy.typing as npt

from . import _c
from .checkpoint import Checkpoint
from .errors import RunError
from .gestures import Curves
from .progress import Progress, Told
from .state import ENERGY, State

if TYPE_CHECKING:
    from .sound import Level
    from .system import System

Floats = npt.NDArray[np.float64]
CHUNK = 1 << 14  # steps between two looks at the keyboard: Ctrl-C ends a long run
MAKE_ENERGY = ("am1", "verlet", "heun", "rk4")  # schemes that may, little by little


def makes_energy(system: System) -> bool:
    """Whether a run has to be watched, as the program watches it, also where nobody asks for its energies."""
    return any(link.scheme in MAKE_ENERGY for link in system.links)


class Rendering:
    """A run from the start.

    data: [row][probe] as `sistrum render --data` writes it, rendering["name"] one column of it; time: of the rows, s.
    With energy: `energy`, a structured array with the columns of --energy, energy_time, and residual_max as in the
    report. state: after the run; links: what contacts have been through. In Jupyter it shows a player, the waveform and
    the energy; `wav` writes the sound, `plot` draws."""

    def __init__(self, system: System, rows: int, energy: bool, curves: Optional[Curves] = None, threads: SupportsIndex = 1,
                 progress: Union[bool, Told] = False, checkpoint: Union[str, os.PathLike[str], None] = None,
                 every: Optional[SupportsFloat] = None) -> None:
        """Makes the run; Scene.render and System.render are what calls it."""
        self.system, self.state = system, State(system)
        self.rate: float = system.rate
        self._curves: Optional[Curves] = curves
        self._threads = threads
        self._sound: Optional[Floats] = None
        o = system.oversample
        self.data: Floats = np.empty((rows, len(system.probes)))
        self.energy: Any = np.empty(rows, ENERGY) if energy else None
        balance = _c.Balance()
        start = _c.Energy(*self.state.energy)
        _c.lib.sis_balance_add(ctypes.byref(balance), ctypes.byref(start), 1)
        self._put_in: float = abs(start.total)

        def take(first: int, probes: Floats, energies: Any) -> None:
            row = first // o
            self._check(probes, energies, first)
            self.data[row:row + len(probes) // o] = probes[::o]
            if self.energy is not None:
                self.energy[row:row + len(probes) // o] = energies[(o - 1) // 2::o]
                _c.lib.sis_balance_add(ctypes.byref(balance), energies.ctypes.data, len(energies))

        keeps: ContextManager[Optional[Checkpoint]] = contextlib.nullcontext()
        if checkpoint is not None:
            keeps = Checkpoint(checkpoint, every, self, balance, max(1, CHUNK // o))
        with Progress(progress, rows, system.name, "samples") as told, keeps as going:
            self._run(self.state, energy or (system.audited and makes_energy(system)), take, told, going)
        self.residual_max: Optional[float] = _c.lib.sis_balance_residual(ctypes.byref(balance)) if energy else None

    def _run(self, state: State, energy: bool, take: Callable[[int, Floats, Any], None],
             told: Callable[[int], None] = lambda done: None, going: Optional[Checkpoint] = None) -> None:
        """Steps all rows in chunks: take(first step, probes of the steps, energies). With `going` from where that was."""
        o, rows = self.system.oversample, len(self.data)
        chunk = max(1, CHUNK // o)  # rows
        row = 0 if going is None else going.row
        if row:
            told(row)
        while row < rows:
            end = min(row + (chunk if going is None else going.rows), rows)
            steps = (end - row) * o
            inputs = self._curves.rows(row * o, steps, self.system.step_rate) if self._curves else None
            part = state.step(steps, energy, inputs, self._threads)
            probes, energies = part if energy else (part, None)
            take(row * o, probes, energies)
            row = end
            if going is not None:
                going.after(row)
            told(row)

    def _check(self, probes: Floats, energies: Any, first: int) -> None:
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

    def _check_made(self, energies: Any, first: int) -> None:
        """Methods that make energy little by little: more than four times all that was put in."""
        rough = [(report.drift_sum, i) for i, (link, report) in enumerate(zip(self.system.links, self.state.links.values()))
                 if link.scheme in MAKE_ENERGY]
        if energies is None or not rough:
            return
        put_in = np.maximum.accumulate(np.maximum(np.abs(energies["supplied"]), self._put_in))
        self._put_in = float(put_in[-1])
        steps = np.nonzero(energies["residual"] > 4 * put_in)[0]
        if len(steps):
            self.state._diverges(self.system.links[max(rough)[1]], first + steps[0],
                                 "where it has made more than 4 times the energy put in")

    # ------------------------------------------------------------------------ as arrays

    def __len__(self) -> int:
        return len(self.data)

    def __repr__(self) -> str:
        return "<Rendering of %s: %g s, %g samples a second, probes %s>" % (
            self.system.name, len(self) / self.rate, self.rate, ", ".join(p.name for p in self.system.probes) or "none")

    def __contains__(self, probe: object) -> bool:
        return any(p.name == probe for p in self.system.probes)

    __iter__ = None  # rows or probes: data has both

    def __getitem__(self, probe: Union[int, str]) -> Floats:
        return self.data[:, self.system.index(self.system.probes, probe)]

    @property
    def time(self) -> Floats:
        """When the rows are, s."""
        return np.arange(len(self.data)) / self.rate

    @property
    def energy_time(self) -> Floats:
        """When the energies are, s: half a step after a step."""
        o = self.system.oversample
        return (np.arange(len(self.data)) * o + (o - 1) // 2 + 0.5) / self.system.step_rate

    @property
    def links(self) -> dict[str, SimpleNamespace]:
        """What each contact, spring and bow has been through: {name: max_penetration, max_force, ...}."""
        return self.state.links

    # ------------------------------------------------------------------------ as sound and pictures

    @property
    def title(self) -> str:
        """What the scene calls itself, else its name."""
        scene = self.system.scene
        return scene.title if scene is not None and scene.title else self.system.name

    @property
    def channels(self) -> int:
        """How many channels its sound has; 0: no probe is heard."""
        return max((p.channel for p in self.system.probes), default=0)

    @property
    def sound(self) -> Floats:
        """The sound, [row][channel], as the probes give it with their gains, before any normalising. Of an oversampled run
        it is filtered as the program filters it, for which the run is made once more (with the same bits)."""
        from . import sound
        if self._sound is None:
            sound.refuse_silence(self)
            if self.system.oversample == 1:
                self._sound = sound.mixed(self.system.probes, self.data, self.channels)
            else:
                self._sound = sound.decimated(self)
        return self._sound

    def wav(self, path: Union[str, os.PathLike[str]], normalise: Optional[bool] = None, bits: Union[int, str, None] = None,
            gain: float = 0.0) -> Level:
        """Writes the sound with the bytes of `sistrum render -o`: a WAV, or a FLAC where the name ends so (that needs
        libsndfile). normalise: to -1 dBFS with a fade where it still sounds (None: as the scene says); bits: "32f", 16 or
        24 with dither (None: "32f", of a FLAC 24); gain: dB on top. Returns what became of the level. The file is there
        whole or not at all."""
        from . import sound
        return sound.write(self, path, normalise, bits, gain)

    def plot(self, path: Union[str, os.PathLike[str], None] = None, what: str = "all") -> Any:
        """A picture: what="signal", "energy" or "all" (the energy too, where there is one). With matplotlib its Figure,
        which is also written to `path` (.png, .svg, .pdf) if there is one. Without matplotlib the SVG that Jupyter shows,
        as text, or in `path`, which must end in .svg then."""
        from . import show
        return show.plot(self, path, what)

    def _repr_html_(self) -> str:
        from . import show
        return show.rendering_html(self)


__all__ = ["Rendering"]
