"""What inputs do over time: curves as --input reads them, the rows of a block, and hands that play live."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Dict, Iterable, Mapping, Tuple

import numpy as np
import numpy.typing as npt

from .errors import SettingError

if TYPE_CHECKING:
    from .state import State
    from .system import System

Floats = npt.NDArray[np.float64]


def numbers(values: Any, what: str) -> Floats:
    """An array of floats; what holds no numbers (texts, complex numbers, objects) is the caller's mistake."""
    try:
        masked = isinstance(values, np.ma.MaskedArray)  # what is masked is no number
        array = np.where(values.mask, np.nan, values.data) if masked else np.asarray(values)
        if array.dtype.kind == "O":
            if any(value is None for value in array.ravel()):
                raise TypeError
            array = array.astype(float)
    except (TypeError, ValueError):
        raise TypeError("%s must be numbers, not %.60r" % (what, values)) from None
    if array.dtype.kind not in "buif":
        raise TypeError("%s must be real numbers, not %s" % (what, "text" if array.dtype.kind in "US" else array.dtype))
    return np.ascontiguousarray(array, dtype=float).reshape(array.shape)


def _points(name: str, curve: Any, trigger: bool) -> Floats:
    """[point][time, value], times increasing; of a trigger there may be none."""
    points = numbers(curve, "the points of input '%s'" % name)
    if trigger and not points.size:
        return np.empty((0, 2))
    if points.ndim != 2 or points.shape[1] != 2 or not len(points):
        raise SettingError("the curve of input '%s' must be a list of points (time, value)" % name)
    if not np.isfinite(points).all():
        raise SettingError("the curve of input '%s' has a point that is no number" % name)
    if not (np.diff(points[:, 0]) > 0).all():
        raise SettingError("the times of input '%s' must increase" % name)
    return points


def _at(points: Floats, time: Floats) -> Floats:
    """Linear between the points, ends held; in the order of the program's operations, for the same bits."""
    t, v = points[:, 0], points[:, 1]
    after = np.searchsorted(t, time, side="right")
    value = np.where(after == 0, v[0], v[-1])
    inside = (after > 0) & (after < len(t))
    j = after[inside]
    value[inside] = v[j - 1] + (v[j] - v[j - 1]) * ((time[inside] - t[j - 1]) / (t[j] - t[j - 1]))
    return value


def _blows(points: Floats, first: int, frames: int, rate: float) -> Floats:
    """The blows of a trigger in the steps from `first` on; 0: none."""
    row = np.zeros(frames)
    for time, blow in points:
        step = np.floor(time * rate + 0.5) - first
        if 0 <= step < frames:
            row[int(step)] = blow
    return row


def refuse_unknown(names: Iterable[str], inputs: Iterable[Any]) -> None:
    """Ends with a sentence where a name is that of no input."""
    known = [i.name for i in inputs]
    for name in names:
        if name not in known:
            raise SettingError("there is no input '%s': %s" % (name, ", ".join(known) or "the scene has none"))


class Curves:
    """Curves of some inputs by their names, {name: [(time s, value), ...]}; of a trigger each point is one blow."""

    def __init__(self, inputs: Iterable[Any], curves: Mapping[str, Any]) -> None:
        self._inputs = list(inputs)
        if not hasattr(curves, "items"):
            raise TypeError("inputs are {name: [(time s, value), ...]}, not %.60r" % (curves,))
        refuse_unknown(curves, self._inputs)
        triggers = {i.name: i.trigger for i in self._inputs}
        self.points: Dict[str, Floats] = {name: _points(name, curve, triggers[name]) for name, curve in curves.items()}

    def strike(self, names: Iterable[str], time: float) -> Curves:
        """One blow of 1 for the triggers among `names` that have no curve."""
        for i in self._inputs:
            if i.name in names and i.name not in self.points:
                self.points[i.name] = np.array([[time, min(max(1.0, i.min), i.max)]])
        return self

    def start(self) -> Dict[str, float]:
        """Where the inputs begin that are no triggers, held to their range: settings."""
        moved = [i for i in self._inputs if i.name in self.points and not i.trigger]
        return {i.name: min(max(float(_at(self.points[i.name], np.zeros(1))[0]), i.min), i.max) for i in moved}

    def rows(self, first: int, frames: int, rate: float) -> Floats:
        """[frames][input]: the steps from `first` on."""
        rows = np.empty((frames, len(self._inputs)))
        for column, i in enumerate(self._inputs):
            points = self.points.get(i.name)
            if points is None:
                rows[:, column] = 0 if i.trigger else i.value
            elif i.trigger:
                rows[:, column] = _blows(points, first, frames, rate)
            else:
                rows[:, column] = _at(points, (first + np.arange(frames)) / rate)
        return rows


class Hands:
    """What State.play is given for inputs: rows for one block after another."""

    def __init__(self, system: System, inputs: Any) -> None:
        self._system = system
        self._all = inputs if callable(inputs) else None
        if self._all is None and not hasattr(inputs, "items"):
            raise TypeError("inputs are {name: function, curve, array or number}, or one function, not %.60r" % (inputs,))
        self._parts: Dict[str, Tuple[SimpleNamespace, Any]] = {}
        if self._all is None:
            refuse_unknown(inputs, system.inputs)
            known = {i.name: i for i in system.inputs}
            self._parts = {name: (known[name], self._understood(known[name], does)) for name, does in inputs.items()}

    @staticmethod
    def _understood(info: SimpleNamespace, does: Any) -> Any:
        if callable(does):
            return does
        values = numbers(does, "input '%s'" % info.name)
        if values.ndim > 2:
            raise ValueError("input '%s' has the shape %s; it is a number, an array with one a step, or a curve [(time s, "
                             "value), ...]" % (info.name, values.shape))
        return _points(info.name, values, info.trigger) if values.ndim == 2 else values

    def rows(self, state: State, done: int, frames: int) -> Floats:
        """[frames][input] of the next steps of the state; `done` steps of this call were before."""
        times = (state.samples + np.arange(frames)) / self._system.step_rate
        if self._all is not None:
            asked = self._all(times)
            if not hasattr(asked, "items"):
                raise TypeError("the function of all inputs returns {name: number or array}, not %.60r" % (asked,))
            refuse_unknown(asked, self._system.inputs)
            known = {i.name: i for i in self._system.inputs}
            values = {name: self._spread(known[name], value, frames) for name, value in asked.items()}
        else:
            values = {name: self._of(info, does, state, times, done) for name, (info, does) in self._parts.items()}
        return block_rows(state, values, frames)

    @staticmethod
    def _spread(info: SimpleNamespace, value: Any, frames: int) -> Floats:
        """One value a step; a single blow falls on the first of them."""
        values = numbers(value, "what input '%s' is given" % info.name)
        if values.ndim == 0 and info.trigger:
            row = np.zeros(frames)
            row[:1] = values
            return row
        if values.shape not in ((), (frames,)):
            raise ValueError("input '%s' was given the shape %s; it takes a number or %d values" %
                             (info.name, values.shape, frames))
        return np.broadcast_to(values, (frames,))

    def _of(self, info: SimpleNamespace, does: Any, state: State, times: Floats, done: int) -> Floats:
        frames = len(times)
        if callable(does):
            return self._spread(info, does(times), frames)
        if does.ndim == 2:
            return _blows(does, state.samples, frames, self._system.step_rate) if info.trigger else _at(does, times)
        if does.ndim == 0:
            return self._spread(info, does if not info.trigger or done == 0 else 0.0, frames)
        part = does[done:done + frames]
        rest = 0.0 if info.trigger or not len(does) else does[-1]
        return np.concatenate([part, np.full(frames - len(part), rest)])


def block_rows(state: State, inputs: Any, frames: int) -> Floats:
    """Rows of a block from an array [frames][input], or from {name: number or array of `frames`}; the others keep their
    values."""
    known = state.system.inputs
    if not hasattr(inputs, "items"):
        rows = numbers(inputs, "inputs")
        if rows.shape != (frames, len(known)):
            raise ValueError("inputs have the shape %s; %d frames of %d inputs need (%d, %d)" %
                             (rows.shape, frames, len(known), frames, len(known)))
        return rows
    rows = np.empty((frames, len(known)))
    rows[:] = list(state.inputs.values())
    for name, values in inputs.items():
        column = numbers(values, "input '%s'" % name)
        if column.shape not in ((), (frames,)):
            raise ValueError("input '%s' has the shape %s; it takes a number or %d values" % (name, column.shape, frames))
        rows[:, state.system.index(known, name)] = column
    return rows


__all__ = ["Curves", "Hands", "block_rows", "numbers", "refuse_unknown"]
