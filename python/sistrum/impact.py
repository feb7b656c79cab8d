"""Closed forms of one impact."""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple, SupportsFloat

from . import _c


class Impact(NamedTuple):
    """A mass meets a wall: m x'' = -K x^alpha (1 + mu x'), x(0) = 0, x'(0) = speed (Hunt and Crossley)."""

    mass: float  # kg
    K: float  # N/m^alpha
    alpha: float = 1.5
    mu: float = 0.0  # s/m
    speed: float = 1.0  # m/s, > 0, at first touch

    def _call(self, function: Any, *more: SupportsFloat) -> float:
        return float(function(ctypes.byref(_c.Impact(*self)), *more))

    def depth(self, velocity: SupportsFloat) -> float:
        """Compression at a velocity during the contact, m; NaN outside."""
        return self._call(_c.lib.sis_impact_depth, velocity)

    @property
    def max_depth(self) -> float:
        """The largest compression, m."""
        return self._call(_c.lib.sis_impact_max_depth)

    @property
    def exit_speed(self) -> float:
        """Speed at which it leaves the wall, m/s, exact to rounding."""
        return self._call(_c.lib.sis_impact_exit_speed)

    @property
    def restitution(self) -> float:
        """Exit speed over speed."""
        return self._call(_c.lib.sis_impact_restitution)

    @property
    def duration(self) -> float:
        """How long the contact lasts, s."""
        return self._call(_c.lib.sis_impact_duration)
