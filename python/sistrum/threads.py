"""Threads for one state: Python's, lent to sis_step_threads for a block."""

from __future__ import annotations

import _thread
import ctypes
import operator
import os
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Callable, Dict, List, Optional, SupportsIndex, Tuple

from . import _c

_lock = threading.RLock()  # a signal handler may step a state too
_pools: Dict[Tuple[int, int], ThreadPoolExecutor] = {}  # (process, count): a fork has the dictionary, but not the threads


def _pool(count: int) -> ThreadPoolExecutor:
    with _lock:
        key = os.getpid(), count
        if key not in _pools:
            _pools[key] = ThreadPoolExecutor(count, "sistrum")
        return _pools[key]


def checked(threads: SupportsIndex) -> int:
    """The number of threads, which must be one."""
    threads = operator.index(threads)
    if not 1 <= threads <= 1024:
        raise ValueError("threads is %d; it must be 1 to 1024" % threads)
    return threads


class Work:
    """What threads do with a state: entered, it has ended. A signal handler may come in between, and look at the state."""

    end: Optional[Callable[[], None]] = None  # of the step that is on its way

    def __enter__(self) -> None:
        end = self.end
        if end is not None:
            end()

    def __exit__(self, *_why: Any) -> None:
        pass


def _lend(system: Any, state: Any, block: Any, threads: int, caught: List[BaseException]) -> None:
    """sis_step_threads in so many threads, of which this one is the first."""
    def run(_self: Any, count: int, work: Any, data: Any) -> None:
        parts = iter(range(count))

        def take() -> None:
            for i in parts:
                work(data, i)

        tasks: List[Future[None]] = []
        try:
            for _ in range(min(count, threads) - 1):
                tasks.append(_pool(threads).submit(take))
        except RuntimeError:  # Python ends: no more threads
            pass
        except BaseException as why:
            caught.append(why)
        take()
        for task in tasks:
            if not task.cancel():  # what has not begun has nothing left to do
                task.result()

    lent = _c.Threads(None, _c.RUN(run))
    _c.lib.sis_step_threads(system, state, ctypes.byref(block), ctypes.byref(lent))


def step(system: Any, state: Any, block: Any, threads: int, work: Work) -> None:
    """sis_step_threads in so many threads. What is raised meanwhile (Ctrl-C) waits until all of them have ended: the state
    is theirs until then."""
    caught: List[BaseException] = []
    begun = False
    claims: List[Tuple[int, object]] = []  # (thread, it): the first of them makes the step
    ended: List[bool] = []
    running = threading.Lock()  # until the step has ended
    running.acquire()

    def go(alone: bool = False) -> None:
        mine = threading.get_ident(), object()
        try:
            claims.append(mine)
            if claims[0] is not mine:
                return
            if alone:
                _c.lib.sis_step(system, state, ctypes.byref(block))
            else:
                _lend(system, state, block, threads, caught)
        except BaseException as why:
            caught.append(why)
        finally:
            if claims and claims[0] is mine:
                ended.append(True)
                running.release()

    def wait() -> None:  # not by a Future: a handler that waits too, in between, takes its wakening away
        while not ended:
            running.acquire()
            running.release()

    def end() -> None:
        go(alone=True)  # where no thread has it yet
        if claims[0][0] != threading.get_ident():  # else it came into one that makes the step, and is not within it
            wait()

    work.end = end
    while not ended:
        try:
            try:
                if not begun:  # not by the pool: what a signal raises may leave its locks taken
                    _thread.start_new_thread(go, ())
                    begun = True
                wait()
            except RuntimeError:
                if begun:
                    raise
                go(alone=True)  # Python ends: no more threads
        except BaseException as why:
            caught.append(why)
    work.end = None
    if caught:
        raise caught[0]
