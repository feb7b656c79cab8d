"""Threads for one state: Python's, lent to sis_step_threads for a block."""

import ctypes
import operator
import os
import threading
from concurrent.futures import ThreadPoolExecutor

from . import _c

_pools, _lock = {}, threading.Lock()  # (process, count): a fork has the dictionary, but not the threads


def _pool(count):
    with _lock:
        key = os.getpid(), count
        if key not in _pools:
            _pools[key] = ThreadPoolExecutor(count, "sistrum")
        return _pools[key]


def checked(threads):
    """The number of threads, which must be one."""
    threads = operator.index(threads)
    if not 1 <= threads <= 1024:
        raise ValueError("threads is %d; it must be 1 to 1024" % threads)
    return threads


def step(system, state, block, threads):
    """sis_step_threads in so many threads. What is raised meanwhile (Ctrl-C) waits until all of them have ended: the state
    is theirs until then."""
    caught = []

    def run(_self, count, work, data):
        parts, tasks, most = iter(range(count)), [], min(count, threads)

        def take():
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
