"""Closed forms of one impact."""

import ctypes
from typing import NamedTuple

from . import _c


class Impact(NamedTuple):
    """A mass meets a wall: m x'' = -K x^alpha (1 + mu x'), x(0) = 0, x'(0) = speed (Hunt and Crossley)."""

    mass: float  # kg
    K: float  # N/m^alpha
    alpha: float = 1.5
    mu: float = 0.0  # s/m
    speed: float = 1.0  # m/s, > 0, at first touch

    def _call(self, function, *more):
        return function(ctypes.byref(_c.Impact(*self)), *more)

    def depth(self, velocity):
        """Compression at a velocity during the contact, m; NaN outside."""
        return self._call(_c.lib.sis_impact_depth, velocity)

    @property
    def max_depth(self):
        """The largest compression, m."""
        return self._call(_c.lib.sis_impact_max_depth)

    @property
    def exit_speed(self):
        """Speed at which it leaves the wall, m/s, exact to rounding."""
        return self._call(_c.lib.sis_impact_exit_speed)

    @property
    def restitution(self):
        """Exit speed over speed."""
        return self._call(_c.lib.sis_impact_restitution)

    @property
    def duration(self):
        """How long the contact lasts, s."""
        return self._call(_c.lib.sis_impact_duration)
