"""What inputs do over time: curves as --input reads them, and the rows of a block."""

import numpy as np

from .errors import SettingError


def _points(name, curve, trigger):
    """[point][time, value], times increasing; of a trigger there may be none."""
    points = np.array(curve, dtype=float)
    if trigger and not points.size:
        return np.empty((0, 2))
    if points.ndim != 2 or points.shape[1] != 2 or not len(points):
        raise SettingError("the curve of input '%s' must be a list of points (time, value)" % name)
    if not np.isfinite(points).all():
        raise SettingError("the curve of input '%s' has a point that is no number" % name)
    if not (np.diff(points[:, 0]) > 0).all():
        raise SettingError("the times of input '%s' must increase" % name)
    return points


def _at(points, time):
    """Linear between the points, ends held; in the order of the program's operations, for the same bits."""
    t, v = points[:, 0], points[:, 1]
    after = np.searchsorted(t, time, side="right")
    value = np.where(after == 0, v[0], v[-1])
    inside = (after > 0) & (after < len(t))
    j = after[inside]
    value[inside] = v[j - 1] + (v[j] - v[j - 1]) * ((time[inside] - t[j - 1]) / (t[j] - t[j - 1]))
    return value


class Curves:
    """Curves of some inputs by their names, {name: [(time s, value), ...]}; of a trigger each point is one blow."""

    def __init__(self, inputs, curves):
        self._inputs = list(inputs)
        triggers = {i.name: i.trigger for i in self._inputs}
        for name in curves:
            if name not in triggers:
                raise SettingError("there is no input '%s': %s" % (name, ", ".join(triggers) or "the scene has none"))
        self._points = {name: _points(name, curve, triggers[name]) for name, curve in curves.items()}

    def strike(self, names, time):
        """One blow of 1 for the triggers among `names` that have no curve."""
        for i in self._inputs:
            if i.name in names and i.name not in self._points:
                self._points[i.name] = np.array([[time, min(max(1.0, i.min), i.max)]])
        return self

    def start(self):
        """Where the inputs begin that are no triggers, held to their range: settings."""
        moved = [i for i in self._inputs if i.name in self._points and not i.trigger]
        return {i.name: min(max(float(_at(self._points[i.name], np.zeros(1))[0]), i.min), i.max) for i in moved}

    def rows(self, first, frames, rate):
        """[frames][input]: the steps from `first` on."""
        rows = np.empty((frames, len(self._inputs)))
        for column, i in enumerate(self._inputs):
            points = self._points.get(i.name)
            rows[:, column] = 0 if i.trigger else i.value
            if points is None:
                continue
            if not i.trigger:
                rows[:, column] = _at(points, (first + np.arange(frames)) / rate)
                continue
            for time, blow in points:
                step = np.floor(time * rate + 0.5) - first
                if 0 <= step < frames:
                    rows[int(step), column] = blow
        return rows


def block_rows(state, inputs, frames):
    """Rows of a block from an array [frames][input], or from {name: number or array of `frames`}; the others keep their
    values."""
    known = state.system.inputs
    if not hasattr(inputs, "items"):
        rows = np.ascontiguousarray(inputs, dtype=float)
        if rows.shape != (frames, len(known)):
            raise ValueError("inputs have the shape %s; %d frames of %d inputs need (%d, %d)" %
                             (rows.shape, frames, len(known), frames, len(known)))
        return rows
    rows = np.empty((frames, len(known)))
    rows[:] = list(state.inputs.values())
    for name, values in inputs.items():
        rows[:, state.system.index(known, name)] = values
    return rows
