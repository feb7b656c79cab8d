"""Compiled scenes."""

from __future__ import annotations

import ctypes
import operator
import os
import weakref
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Iterable, List, Mapping, Optional, Sequence, SupportsFloat, SupportsIndex, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import _c, kept
from .errors import SettingError
from .gestures import Curves
from .progress import Told
from .rendering import Rendering
from .state import State, plain

if TYPE_CHECKING:
    from .scene import Scene


def _counted(items: Sequence[Any], one: str, many: str) -> str:
    return "%d %s" % (len(items), one if len(items) == 1 else many)


def _probe(info: ctypes.Structure) -> SimpleNamespace:
    return plain(info, quantity=_c.word("probe", "quantity", info.quantity))


def _body(info: ctypes.Structure) -> SimpleNamespace:
    kind = _c.text(_c.lib.sis_kind_word(info.kind))
    body = plain(info, kind=kind, model=_c.word("string", "model", info.model) if kind == "string" else "",
                 ends=_c.word("string", "ends", info.ends), nonlinear=_c.word("string", "nonlinear", info.nonlinear))
    if kind == "plate":
        body.model = _c.word("plate", "model", info.plate_model)
    del body.plate_model
    return body


def _link(info: ctypes.Structure) -> SimpleNamespace:
    kind = _c.text(_c.lib.sis_kind_word(info.kind))
    return plain(info, kind=kind, scheme=_c.text(_c.lib.sis_scheme_word(info.scheme)) if kind == "contact" else "",
                 law=_c.word("contact", "law", info.law), potential=_c.word("contact", "potential", info.potential))


def _compiled(scene: Scene, rate: float, oversample: int, scheme: Optional[str], audited: bool, lanes: int) -> System:
    return scene.compile(rate, oversample, scheme, audited, lanes)


class System:
    """A compiled scene: constant, may be used by many threads. Scene.compile makes it. Pickled, it is compiled again.

    probes, bodies, links, inputs: lists with what the library tells about each; rate: rows a second; oversample: steps to
    a row; step_rate: steps a second; parts: how many threads can step one state at once; scene: what was compiled."""

    def __init__(self, system: ctypes.c_void_p, rate: float, oversample: int, duration: float, name: str, audited: bool,
                 places: Optional[Mapping[str, Tuple[str, int]]] = None, strikes: Iterable[str] = (),
                 scene: Optional[Scene] = None, scheme: Optional[str] = None, lanes: int = 0) -> None:
        """Takes a system of the library; Scene.compile is what calls it."""
        if not isinstance(system, ctypes.c_void_p) or not system.value:
            raise TypeError("a System comes from scene.compile()")
        self._system: int = system.value
        self._free = weakref.finalize(self, _c.lib.sis_system_free, self._system)
        self._free.atexit = False  # a thread may still be stepping when Python ends
        self.rate, self.oversample, self.duration = float(rate), oversample, float(duration)
        self.name, self.audited, self.scene, self.scheme, self.lanes = name, bool(audited), scene, scheme, lanes
        self._places = dict(places or {})
        self._strikes = tuple(strikes)  # triggers that a rendering strikes where no curve does
        self.step_rate: float = _c.lib.sis_system_rate(self._system)
        lib, own = _c.lib, self._system
        self.size: int = lib.sis_system_size(own)
        self.state_size: int = lib.sis_state_size(own)
        self.parts: int = lib.sis_system_parts(own)
        self.probes = [_probe(lib.sis_system_probe(own, i)) for i in range(lib.sis_system_probe_count(own))]
        self.bodies = [_body(lib.sis_system_body(own, i)) for i in range(lib.sis_system_body_count(own))]
        self.inputs = [plain(lib.sis_system_input(own, i)) for i in range(lib.sis_system_input_count(own))]
        self.links = [_link(lib.sis_system_link(own, i)) for i in range(lib.sis_system_link_count(own))]

    def __repr__(self) -> str:
        return "<System %s: %s, %s, %g steps a second>" % (self.name, _counted(self.bodies, "body", "bodies"),
                                                           _counted(self.links, "link", "links"), self.step_rate)

    def __reduce__(self) -> Tuple[Any, ...]:
        if self.scene is None:
            raise TypeError("a system that was made without a scene cannot be pickled")
        return _compiled, (self.scene, self.rate, self.oversample, self.scheme, self.audited, self.lanes)

    def __copy__(self) -> System:
        return self  # it never changes

    def __deepcopy__(self, memo: Any) -> System:
        return self

    def state(self) -> State:
        """A new state, before the first sample. A system may have any number of them."""
        return State(self)

    def load_state(self, path: Union[str, os.PathLike[str]]) -> State:
        """The state that State.save has written, as one of this system. It must be of the same scene, settings and rate;
        what differs is named. `sistrum.load_state` brings the scene along."""
        return kept.load_state(path, self)

    def index(self, things: Sequence[SimpleNamespace], which: Union[int, str]) -> int:
        """The number of a body, link, probe or input given by number or name."""
        lists = {"body": self.bodies, "link": self.links, "probe": self.probes, "input": self.inputs}
        word = next((word for word, its in lists.items() if its is things), "thing")
        if isinstance(which, str):
            names = [thing.name for thing in things]
            if which in names:
                return names.index(which)
            raise SettingError("%s has no %s '%s': %s" % (self.name, word, which, ", ".join(names) or "it has none"))
        number = operator.index(which)
        if not 0 <= number < len(things):
            raise IndexError("%s has no %s %d: there are %d, counted from 0" % (self.name, word, number, len(things)))
        return number

    def places(self, body: Union[int, str]) -> npt.NDArray[np.float64]:
        """Where the points of a body are, m; of a plate along x, row by row."""
        i = self.index(self.bodies, body)
        return np.array([_c.lib.sis_system_place(self._system, i, j) for j in range(self.bodies[i].points)])

    def partials(self, body: Union[int, str], count: int) -> npt.NDArray[np.float64]:
        """[(what the model rings at, what the body itself would), ...] of the first partials, Hz."""
        i = self.index(self.bodies, body)
        rings, exact, found = ctypes.c_double(), ctypes.c_double(), []
        for p in range(1, operator.index(count) + 1):
            if not _c.lib.sis_system_partial(self._system, i, p, ctypes.byref(rings), ctypes.byref(exact)):
                break
            found.append((rings.value, exact.value))
        return np.array(found).reshape(-1, 2)

    def contact_points(self, link: Union[int, str]) -> List[SimpleNamespace]:
        """Where the points of a contact are: a list with at_above, at_below, y_above, y_below, height in m."""
        i = self.index(self.links, link)
        return [plain(_c.lib.sis_system_contact_point(self._system, i, j)) for j in range(self.links[i].points)]

    def render(self, duration: Optional[SupportsFloat] = None, energy: bool = False, inputs: Optional[Mapping[str, Any]] = None,
               threads: SupportsIndex = 1, progress: Union[bool, Told] = False,
               checkpoint: Union[str, os.PathLike[str], None] = None, every: Optional[SupportsFloat] = None) -> Rendering:
        """Runs a new state for `duration` seconds: a Rendering. `inputs` are curves, and triggers are struck, as of
        Scene.render; where an input starts was settled when the scene was compiled. `threads` as of State.step,
        `progress` as of State.play, `checkpoint` and `every` as of Scene.render."""
        from .scene import in_range
        if every is not None and checkpoint is None:
            raise SettingError("every is for a run with a checkpoint: name its file with checkpoint=")
        if energy and not self.audited:
            raise SettingError("this system was compiled without its energy: compile it with audited=True")
        duration = self.duration if duration is None else in_range("duration", duration)
        rows = int(np.floor(self.rate * duration + 0.5))  # round half up: C's round for what is positive
        if rows < 1:
            raise SettingError("nothing to run: %g s at %g Hz are 0 samples; the duration must be at least %g s" %
                               (duration, self.rate, 0.5 / self.rate))
        curves = None
        if inputs is not None or self._strikes:
            curves = Curves(self.inputs, {} if inputs is None else inputs).strike(self._strikes, 1 / self.step_rate)
        return Rendering(self, rows, energy, curves, threads, progress, checkpoint, every)


__all__ = ["System"]
