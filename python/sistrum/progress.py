"""How far something is: a line on a terminal, nothing in a pipe, or a function of the caller."""

from __future__ import annotations

import sys
import time
from typing import Any, Callable, Optional, Union

Told = Callable[[int, Optional[int]], Any]  # done, of how many (None: for ever)
WIDTH = 24  # characters of the bar


def _clock(seconds: float) -> str:
    whole = int(seconds)
    return "%d:%02d:%02d" % (whole // 3600, whole // 60 % 60, whole % 60) if whole >= 3600 else "%d:%02d" % divmod(whole, 60)


class Progress:
    """progress=True: a line of text on standard error where that is a terminal, ten times a second at most; a function is
    called with (done, of how many) each time; False is silent."""

    def __init__(self, how: Union[bool, Told], total: Optional[int], name: str, unit: str) -> None:
        if not callable(how) and not isinstance(how, bool) and how is not None:
            raise TypeError("progress is True, False or a function of (done, total), not %r" % (how,))
        self._how, self._total, self._name, self._unit = how, total, name, unit
        self._shows = how is True and sys.stderr is not None and sys.stderr.isatty()
        self._began = self._told = time.monotonic()
        self._length = 0

    def __enter__(self) -> Progress:
        return self

    def __call__(self, done: int, total: Optional[int] = None) -> None:
        if total is not None:
            self._total = total
        if callable(self._how):
            self._how(done, self._total)
        elif self._shows:
            now = time.monotonic()
            if now - self._told >= 0.1 or done == self._total:
                self._told = now
                self._show(done, now - self._began)

    def _show(self, done: int, seconds: float) -> None:
        speed = done / seconds if seconds > 0 else 0.0
        line = "%s: %d %s, %s" % (self._name, done, self._unit, _clock(seconds))
        if self._total:
            part = min(done / self._total, 1.0)
            full = int(part * WIDTH)
            left = (self._total - done) / speed if speed > 0 else 0.0
            line = "%s: %3d%% [%s%s] %d/%d %s, %s, %s left" % (
                self._name, int(100 * part), "#" * full, "." * (WIDTH - full), done, self._total, self._unit,
                _clock(seconds), _clock(left))
        sys.stderr.write("\r" + line.ljust(self._length))
        sys.stderr.flush()
        self._length = len(line)

    def __exit__(self, *_why: Any) -> None:
        if self._length:
            sys.stderr.write("\n")
            sys.stderr.flush()
