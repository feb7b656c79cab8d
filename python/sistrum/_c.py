"""The C interface as ctypes sees it: sistrum.h and script.h, in their order. test/python_interface.py compares the
structures with what the C compiler makes of the headers."""

from __future__ import annotations

import ctypes
import ctypes.util
import os
from ctypes import CFUNCTYPE, POINTER, Structure, c_bool, c_char, c_char_p, c_double, c_int, c_int32
from ctypes import c_size_t, c_uint32, c_uint64, c_void_p
from typing import Any, Dict, Iterator, List, Optional, Tuple

from .errors import LibraryError

INTERFACE = "0.14"  # major.minor of the headers below; before 1.0 a new minor may change them

AS_GIVEN = -1  # SIS_SCHEME_AS_GIVEN
BAD_VALUE, REFUSED, NO_MEMORY = 1, 2, 3  # sis_status
SCRIPT_WRONG, SCRIPT_SETTING, SCRIPT_NO_MEMORY = 1, 2, 3  # sis_script_status


class Error(Structure):
    _fields_ = [("status", c_int), ("text", c_char * 512), ("object", c_int32), ("key", c_char * 32)]


class RenderDef(Structure):
    _fields_ = [("name", c_char_p), ("rate", c_double), ("oversample", c_int32), ("duration", c_double),
                ("title", c_char_p), ("normalise", c_bool)]


class Field(Structure):
    _fields_ = [("kind", c_int), ("key", c_char_p), ("type", c_int), ("offset", c_size_t), ("required", c_bool),
                ("fallback", c_double), ("min", c_double), ("max", c_double), ("unit", c_char_p),
                ("words", c_char_p), ("doc", c_char_p)]


class Options(Structure):
    _fields_ = [("rate", c_double), ("scheme", c_int), ("unaudited", c_bool), ("lanes", c_int32)]


class ProbeInfo(Structure):
    _fields_ = [("name", c_char_p), ("on", c_char_p), ("quantity", c_int), ("unit", c_char_p),
                ("channel", c_int32), ("gain", c_double)]


class BodyInfo(Structure):
    _fields_ = [("name", c_char_p), ("kind", c_int), ("driven", c_bool), ("frequency", c_double),
                ("margin", c_double), ("points", c_int32), ("model", c_int), ("ends", c_int),
                ("nonlinear", c_int), ("tuned", c_bool), ("segments", c_int32), ("modes", c_int32),
                ("length", c_double), ("h_over_hmin", c_double), ("gamma", c_double), ("tension", c_double),
                ("density", c_double), ("stiffness", c_double), ("used", c_double), ("sigma0", c_double),
                ("sigma1", c_double), ("plate_model", c_int), ("width", c_double), ("segments_y", c_int32),
                ("mirror", c_double), ("sigma0_used", c_double), ("sigma1_used", c_double)]


class LinkInfo(Structure):
    _fields_ = [("name", c_char_p), ("kind", c_int), ("above", c_char_p), ("below", c_char_p), ("scheme", c_int),
                ("points", c_int32), ("distributed", c_bool), ("weight", c_double), ("block", c_int32),
                ("block_size", c_int32), ("compliance", c_double), ("mass", c_double), ("law", c_int),
                ("potential", c_int), ("gap", c_double), ("K", c_double), ("alpha", c_double), ("mu", c_double),
                ("s", c_double), ("clamp", c_bool)]


class ContactPoint(Structure):
    _fields_ = [("at_above", c_double), ("at_below", c_double), ("y_above", c_double), ("y_below", c_double),
                ("height", c_double)]


class InputInfo(Structure):
    _fields_ = [("name", c_char_p), ("unit", c_char_p), ("label", c_char_p), ("value", c_double), ("min", c_double),
                ("max", c_double), ("smooth", c_double), ("trigger", c_bool)]


class Energy(Structure):
    _fields_ = [("kinetic", c_double), ("elastic", c_double), ("contact", c_double), ("supplied", c_double),
                ("dissipated", c_double), ("total", c_double), ("residual", c_double)]


class Balance(Structure):
    _fields_ = [("highest", c_double), ("flowed", c_double), ("off", c_double)]


class Block(Structure):
    _fields_ = [("frames", c_int32), ("probes", c_void_p), ("energy", c_void_p), ("inputs", c_void_p)]


class LinkReport(Structure):
    _fields_ = [("max_penetration", c_double), ("max_force", c_double), ("min_force", c_double),
                ("trapped_max", c_double), ("contact_samples", c_uint64), ("points_max", c_uint32),
                ("iterations", c_uint64), ("iterated_samples", c_uint64), ("unconverged", c_uint64), ("iterations_max", c_uint32),
                ("powers_max", c_uint32), ("lowest", c_double), ("lowest_bound", c_double),
                ("complex_roots", c_uint64), ("first_complex", c_uint64), ("discriminant", c_double),
                ("impacts", c_uint64), ("drift_max", c_double), ("drift_sum", c_double),
                ("diverged", c_uint64), ("first_diverged", c_uint64), ("growth", c_double)]


class Impact(Structure):
    _fields_ = [("mass", c_double), ("K", c_double), ("alpha", c_double), ("mu", c_double), ("speed", c_double)]


class Setting(Structure):
    _fields_ = [("name", c_char_p), ("value", c_double)]


class ScriptError(Structure):
    _fields_ = [("status", c_int), ("text", c_char * 1024), ("line", c_int32), ("object", c_char * 128),
                ("key", c_char * 64)]


class Param(Structure):
    _fields_ = [("name", c_char_p), ("label", c_char_p), ("unit", c_char_p), ("value", c_double),
                ("fallback", c_double), ("min", c_double), ("max", c_double), ("logarithmic", c_bool)]


class Input(Structure):
    _fields_ = [("name", c_char_p), ("label", c_char_p), ("unit", c_char_p), ("value", c_double),
                ("fallback", c_double), ("min", c_double), ("max", c_double), ("smooth", c_double),
                ("trigger", c_bool), ("id", c_int32)]


class Follower(Structure):
    _fields_ = [("object", c_int32), ("key", c_char_p), ("input", c_int32), ("scale", c_double), ("offset", c_double)]


class Play(Structure):
    _fields_ = [("pitch", c_int32), ("velocity", c_int32), ("voices", c_int32), ("tail", c_double),
                ("release", c_double)]


class Preset(Structure):
    _fields_ = [("name", c_char_p), ("settings", POINTER(Setting)), ("count", c_int32)]


WORK = CFUNCTYPE(None, c_void_p, c_int32)  # of sis_threads: work(data, i), and run(self, count, work, data)
RUN = CFUNCTYPE(None, c_void_p, c_int32, WORK, c_void_p)


class Threads(Structure):
    _fields_ = [("self", c_void_p), ("run", RUN)]


STRUCTURES = {
    "sis_error": Error, "sis_render_def": RenderDef, "sis_field": Field, "sis_options": Options,
    "sis_probe_info": ProbeInfo, "sis_body_info": BodyInfo, "sis_link_info": LinkInfo,
    "sis_contact_point": ContactPoint, "sis_input_info": InputInfo, "sis_energy": Energy, "sis_balance": Balance, "sis_block": Block,
    "sis_threads": Threads,
    "sis_link_report": LinkReport, "sis_impact": Impact, "sis_setting": Setting, "sis_script_error": ScriptError,
    "sis_param": Param, "sis_input": Input, "sis_follower": Follower, "sis_play": Play,
    "sis_preset": Preset,
}

# name: (what it returns, what it takes). Objects whose inside is not public are c_void_p.
_object, _many = c_void_p, POINTER(c_void_p)
FUNCTIONS: Dict[str, Tuple[Any, List[Any]]] = {
    "sis_version": (c_char_p, []),
    "sis_schema": (POINTER(Field), [POINTER(c_int32)]),
    "sis_kind_word": (c_char_p, [c_int]),
    "sis_scheme_word": (c_char_p, [c_int]),
    "sis_scene_count": (c_int32, [_object]),
    "sis_scene_kind": (c_int, [_object, c_int32]),
    "sis_scene_name": (c_char_p, [_object, c_int32]),
    "sis_scene_render": (RenderDef, [_object]),
    "sis_options_default": (Options, [_object]),
    "sis_compile": (_object, [_object, POINTER(Options), POINTER(Error)]),
    "sis_system_free": (None, [_object]),
    "sis_system_rate": (c_double, [_object]),
    "sis_system_probe_count": (c_int32, [_object]),
    "sis_system_probe": (ProbeInfo, [_object, c_int32]),
    "sis_system_body_count": (c_int32, [_object]),
    "sis_system_body": (BodyInfo, [_object, c_int32]),
    "sis_system_link_count": (c_int32, [_object]),
    "sis_system_link": (LinkInfo, [_object, c_int32]),
    "sis_system_place": (c_double, [_object, c_int32, c_int32]),
    "sis_system_partial": (c_bool, [_object, c_int32, c_int32, POINTER(c_double), POINTER(c_double)]),
    "sis_system_contact_point": (ContactPoint, [_object, c_int32, c_int32]),
    "sis_system_input_count": (c_int32, [_object]),
    "sis_system_input": (InputInfo, [_object, c_int32]),
    "sis_system_parts": (c_int32, [_object]),
    "sis_system_size": (c_size_t, [_object]),
    "sis_state_size": (c_size_t, [_object]),
    "sis_state_init": (_object, [_object, c_void_p]),
    "sis_step": (None, [_object, _object, POINTER(Block)]),
    "sis_step_threads": (None, [_object, _object, POINTER(Block), POINTER(Threads)]),
    "sis_step_batch": (None, [_many, _many, POINTER(Block), c_int32]),
    "sis_state_input": (c_double, [_object, _object, c_int32]),
    "sis_state_input_set": (None, [_object, _object, c_int32, c_double]),
    "sis_state_input_clamped": (c_uint64, [_object, _object, c_int32]),
    "sis_state_samples": (c_uint64, [_object]),
    "sis_state_foreign": (c_char_p, [_object, c_void_p]),
    "sis_state_energy": (Energy, [_object, _object]),
    "sis_state_sleep": (c_bool, [_object, _object, c_double]),
    "sis_state_sleeps": (c_bool, [_object]),
    "sis_balance_add": (None, [POINTER(Balance), c_void_p, c_int32]),
    "sis_balance_residual": (c_double, [POINTER(Balance)]),
    "sis_state_shape": (None, [_object, _object, c_int32, c_void_p]),
    "sis_state_contact": (None, [_object, _object, c_int32, c_void_p, c_void_p]),
    "sis_state_link": (LinkReport, [_object, _object, c_int32]),
    "sis_impact_depth": (c_double, [POINTER(Impact), c_double]),
    "sis_impact_max_depth": (c_double, [POINTER(Impact)]),
    "sis_impact_exit_speed": (c_double, [POINTER(Impact)]),
    "sis_impact_restitution": (c_double, [POINTER(Impact)]),
    "sis_impact_duration": (c_double, [POINTER(Impact)]),
    "sis_script_load_text": (_object, [c_char_p, c_size_t, c_char_p, POINTER(Setting), c_int32,
                                       POINTER(ScriptError)]),
    "sis_script_load": (_object, [c_char_p, POINTER(Setting), c_int32, POINTER(ScriptError)]),
    "sis_script_free": (None, [_object]),
    "sis_script_scene": (_object, [_object]),
    "sis_script_name": (c_char_p, [_object]),
    "sis_script_line": (c_int32, [_object, c_int32]),
    "sis_script_locate": (None, [_object, POINTER(Error), POINTER(ScriptError)]),
    "sis_script_param_count": (c_int32, [_object]),
    "sis_script_param": (Param, [_object, c_int32]),
    "sis_script_input_count": (c_int32, [_object]),
    "sis_script_input": (Input, [_object, c_int32]),
    "sis_script_follower_count": (c_int32, [_object]),
    "sis_script_follower": (Follower, [_object, c_int32]),
    "sis_script_preset_count": (c_int32, [_object]),
    "sis_script_preset": (Preset, [_object, c_int32]),
    "sis_script_play": (POINTER(Play), [_object]),
    "sis_script_strikes": (c_bool, [_object, c_int32]),
}

# ---------------------------------------------------------------------------- finding the library

HERE = os.path.dirname(os.path.abspath(__file__))
INSTALLED = os.path.basename(os.path.dirname(HERE)) in ("dist-packages", "site-packages")
SOURCE = os.path.normpath(os.path.join(HERE, "..", ".."))
IN_SOURCE = not INSTALLED and os.path.exists(os.path.join(SOURCE, "CMakeLists.txt"))
NAMES = ["libsistrum-scene.so." + INTERFACE, "libsistrum-scene.so"]


def folders() -> Iterator[str]:
    """Beside the package; the libdir of the prefix it is installed in; the build of the source tree."""
    up = os.path.normpath(os.path.join(HERE, "..", "..", ".."))  # PREFIX/lib of PREFIX/lib/python3*/dist-packages
    yield HERE
    if INSTALLED:
        yield up
        if os.path.isdir(up):
            for name in sorted(os.listdir(up)):
                if name.count("-") >= 2:  # x86_64-linux-gnu
                    yield os.path.join(up, name)
        yield up + "64"
    yield os.path.join(SOURCE, "build", "release")


def find_library() -> str:
    """The path of libsistrum-scene: $SISTRUM_LIBRARY, folders(), then wherever the dynamic linker looks."""
    given = os.environ.get("SISTRUM_LIBRARY")
    if given:
        return given
    looked = []
    for folder in folders():
        looked.append(os.path.normpath(folder))
        for name in NAMES:
            path = os.path.normpath(os.path.join(folder, name))
            if os.path.exists(path):
                return path
    found = ctypes.util.find_library("sistrum-scene")
    if found:
        return found
    if IN_SOURCE:
        raise LibraryError("libsistrum-scene.so is not built yet: run make in " + SOURCE)
    raise LibraryError("libsistrum-scene.so was not found: neither in " + ", ".join(looked) +
                       " nor by the dynamic linker; install it or set SISTRUM_LIBRARY to its path")


def open_library(path: str) -> Any:
    """Loads the library, checks its version and declares its functions."""
    try:
        loaded = ctypes.CDLL(path)
        loaded.sis_version.restype, loaded.sis_version.argtypes = FUNCTIONS["sis_version"]
        version = loaded.sis_version().decode()
        if version.rsplit(".", 1)[0] != INTERFACE:
            built = IN_SOURCE and path.startswith(os.path.join(SOURCE, "build"))
            raise LibraryError("%s is version %s, this package needs %s%s" %
                               (path, version, INTERFACE, ": run make in " + SOURCE if built else ""))
        for name, (result, arguments) in FUNCTIONS.items():
            function = getattr(loaded, name)
            function.restype, function.argtypes = result, arguments
    except (OSError, AttributeError) as why:
        raise LibraryError("%s cannot be used: %s" % (path, why)) from None
    return loaded


library_path = find_library()
lib = open_library(library_path)


def text(raw: Optional[bytes]) -> str:
    """Text of the library; names in a scene may hold any bytes."""
    return raw.decode("utf-8", "replace") if raw else ""


def fields() -> Dict[Tuple[str, str], Any]:
    """The schema as {(word, key): row}."""
    count = c_int32()
    rows = lib.sis_schema(ctypes.byref(count))
    return {(text(lib.sis_kind_word(rows[i].kind)), text(rows[i].key)): rows[i] for i in range(count.value)}


SCHEMA = fields()


def word(kind: str, key: str, value: int) -> str:
    """The word of an enum, as a scene spells it."""
    row = SCHEMA.get((kind, key))
    words = text(row.words).split("|") if row else []
    return words[value] if 0 <= value < len(words) else ""


def schemes() -> List[str]:
    """Every scheme in the order of its number."""
    return text(SCHEMA["contact", "scheme"].words).split("|")
