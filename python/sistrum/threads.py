"""Threads for one state: Python's, lent to sis_step_threads for a block."""

from __future__ import annotations

import ctypes
import operator
import os
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Dict, List, Tuple

from . import _c

_lock = threading.Lock()
_pools: Dict[Tuple[int, int], ThreadPoolExecutor] = {}  # (process, count): a fork has the dictionary, but not the threads


def _pool(count: int) -> ThreadPoolExecutor:
    with _lock:
        key = os.getpid(), count
        if key not in _pools:
            _pools[key] = ThreadPoolExecutor(count, "sistrum")
        return _pools[key]


def checked(threads: int) -> int:
    """The number of threads, which must be one."""
    threads = operator.index(threads)
    if not 1 <= threads <= 1024:
        raise ValueError("threads is %d; it must be 1 to 1024" % threads)
    return threads


def step(system: Any, state: Any, block: Any, threads: int) -> None:
    """sis_step_threads in so many threads. What is raised meanwhile (Ctrl-C) waits until all of them have ended: the state
    is theirs until then."""
    caught: List[BaseException] = []

    def run(_self: Any, count: int, work: Any, data: Any) -> None:
        tasks: List[Future[None]] = []
        parts, most = iter(range(count)), min(count, threads)

        def take() -> None:
            for i in parts:
                work(data, i)

        while len(tasks) < most:
            try:
                tasks.append(_pool(threads).submit(take))
            except RuntimeError:  # Python ends: no more threads
                take()
                break
            except BaseException as why:
                caught.append(why)
        while tasks:
            try:
                tasks[-1].result()
                tasks.pop()
            except BaseException as why:
                caught.append(why)

    lent = _c.Threads(None, _c.RUN(run))
    _c.lib.sis_step_threads(system, state, ctypes.byref(block), ctypes.byref(lent))
    if caught:
        raise caught[0]
