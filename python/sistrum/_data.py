"""libsistrum-data as ctypes sees it: python/library/data.h, sweep/sweep.h, out/sound_file.h. Loaded when the first sound
is written or the first study is made. test/python_interface.py compares the structures with what the C compiler makes of them."""

from __future__ import annotations

import ctypes
import os
import threading
from ctypes import CFUNCTYPE, POINTER, Structure, c_bool, c_char, c_char_p, c_double, c_int, c_int32
from ctypes import c_size_t, c_uint64, c_void_p
from typing import Any, Optional

from . import _c
from .errors import LibraryError, RunError, SceneError, SettingError, SistrumError

NAMES = ["libsistrum-data.so." + _c.INTERFACE, "libsistrum-data.so"]


class Fault(Structure):
    _fields_ = [("kind", c_int), ("text", c_char * 1024), ("starved", c_bool), ("of", c_int), ("object", c_char * 64)]


class SoundSpec(Structure):
    _fields_ = [("rate", c_double), ("channels", c_int32), ("frames", c_uint64), ("title", c_char_p), ("format", c_int),
                ("bits", c_int), ("normalise", c_bool), ("reference", c_double), ("gain_db", c_double), ("kept", c_bool)]


class SoundLevel(Structure):
    _fields_ = [("raw_peak", c_double), ("gain", c_double), ("peak", c_double), ("faded", c_bool), ("clipped", c_uint64)]


MAKE = CFUNCTYPE(c_bool, c_void_p, c_uint64, POINTER(c_double), c_size_t, c_double, POINTER(c_double), c_void_p)


class CallerMeasures(Structure):
    _fields_ = [("names", POINTER(c_char_p)), ("count", c_int32), ("mark", c_char_p), ("make", MAKE), ("self", c_void_p)]


class SweepSpec(Structure):
    _fields_ = [("scene", c_char_p), ("scene_size", c_size_t), ("scene_name", c_char_p), ("settings", POINTER(_c.Setting)),
                ("setting_count", c_int32), ("rate", c_double), ("duration", c_double), ("oversample", c_int32),
                ("scheme", c_int), ("axes", POINTER(c_char_p)), ("axis_count", c_int32), ("pairs", c_char_p),
                ("pairs_name", c_char_p), ("random", c_uint64), ("seed", c_uint64), ("draw", c_int), ("free", c_char_p),
                ("inputs", POINTER(c_char_p)), ("input_count", c_int32), ("hold", c_double), ("a4", c_double),
                ("measures", c_char_p), ("functions", c_char_p), ("functions_size", c_size_t),
                ("functions_name", c_char_p), ("sounds", c_int), ("normalise", c_bool), ("shard", c_uint64),
                ("fit", c_void_p), ("caller", CallerMeasures)]


class WorkProgress(Structure):
    _fields_ = [("done", c_uint64), ("count", c_uint64), ("made", c_uint64), ("failed", c_uint64), ("seconds", c_double)]


TOLD = CFUNCTYPE(None, c_void_p, POINTER(WorkProgress))
STOP = CFUNCTYPE(c_bool, c_void_p)


class Job(Structure):
    _fields_ = [("database", c_char_p), ("shards", c_char_p), ("command", c_char_p), ("threads", c_int32),
                ("part", c_uint64), ("parts", c_uint64), ("told", TOLD), ("stop", STOP), ("self", c_void_p)]


STRUCTURES = {"sis_fault": Fault, "sis_sound_spec": SoundSpec, "sis_sound_level": SoundLevel,
              "sis_caller_measures": CallerMeasures, "sis_sweep_spec": SweepSpec, "sis_work_progress": WorkProgress,
              "sis_data_job": Job}

_fault = POINTER(Fault)
SOUNDS = {
    "sis_data_version": (c_char_p, []),
    "sis_data_sweeps": (c_bool, []),
    "sis_data_sound_open": (c_void_p, [c_int, c_int, POINTER(SoundSpec), c_int32, _fault]),
    "sis_data_sound_take": (c_bool, [c_void_p, c_void_p, c_int32, _fault]),
    "sis_data_sound_close": (c_bool, [c_void_p, POINTER(SoundLevel), _fault]),
    "sis_data_sound_free": (None, [c_void_p]),
    "sis_data_decimate": (c_bool, [c_void_p, c_uint64, c_int32, c_int32, c_void_p, _fault]),
}
STUDIES = {
    "sis_data_sweep": (c_bool, [POINTER(SweepSpec), POINTER(Job), POINTER(WorkProgress), _fault]),
    "sis_data_csv": (c_bool, [c_char_p, c_int, _fault]),
    "sis_data_merge": (c_bool, [c_char_p, POINTER(c_char_p), c_int32, _fault]),
}

_lock = threading.RLock()
_loaded: Optional[Any] = None


def _find() -> str:
    """Beside the library of scenes, then where that one is looked for."""
    folders = [os.path.dirname(os.path.realpath(_c.library_path))] if os.path.isabs(_c.library_path) else []
    for folder in [*folders, *_c.folders()]:
        for name in NAMES:
            path = os.path.join(folder, name)
            if os.path.exists(path):
                return path
    if not folders:
        return NAMES[0]  # as the dynamic linker has found the other one
    raise LibraryError("libsistrum-data.so was not found beside %s: studies and sound files need it; %s" % (
        _c.library_path, "run make in " + _c.SOURCE if _c.IN_SOURCE else "install it"))


def _open(path: str) -> Any:
    try:
        loaded = ctypes.CDLL(path)
        loaded.sis_data_version.restype, loaded.sis_data_version.argtypes = c_char_p, []
        version, own = loaded.sis_data_version().decode(), _c.text(_c.lib.sis_version())
        if version != own:
            raise LibraryError("%s is version %s, %s is %s: install both from one build" % (path, version, _c.library_path, own))
        sweeps = loaded.sis_data_sweeps()
        for name, (result, arguments) in {**SOUNDS, **(STUDIES if sweeps else {})}.items():
            function = getattr(loaded, name)
            function.restype, function.argtypes = result, arguments
    except (OSError, AttributeError) as why:
        raise LibraryError("%s cannot be used: %s" % (path, why)) from None
    return loaded


def lib(studies: bool = False) -> Any:
    """The library; with `studies` one that makes them."""
    global _loaded
    with _lock:
        if _loaded is None:
            _loaded = _open(_find())
    if studies and not _loaded.sis_data_sweeps():
        raise LibraryError("this library was built without SQLite, which studies need")
    return _loaded


def refuse(fault: Fault) -> SistrumError:
    """The exception that a fault is."""
    said = _c.text(fault.text)
    if fault.starved:
        raise MemoryError(said or "out of memory")
    return {2: SettingError, 3: SceneError}.get(fault.kind, RunError)(said)
