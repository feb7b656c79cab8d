"""States in files and in other processes: a state with the scene that it is of.

    sistrum-state 1\\n | length of the heading (8 bytes) | heading (JSON) | text of the scene | state | SHA-256 of all of it
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import secrets
import shutil
import stat
import tempfile
from typing import IO, TYPE_CHECKING, Any, Callable, Dict, Mapping, NamedTuple, Optional, Union

from . import _c
from .errors import StateError

if TYPE_CHECKING:
    from .state import State
    from .system import System

MARK = b"sistrum-state 1\n"
SHA = 32  # bytes


def is_text(value: Any) -> bool:
    """Of a heading: a text."""
    return isinstance(value, str)


def is_number(value: Any) -> bool:
    """Of a heading: a number."""
    return isinstance(value, float) or (isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2 ** 63)


def is_count(value: Any) -> bool:
    """Of a heading: a number of things."""
    return isinstance(value, int) and 0 <= value < 2 ** 63 and not isinstance(value, bool)


def is_flag(value: Any) -> bool:
    """Of a heading: true or false."""
    return isinstance(value, bool)


def _are_settings(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(pair, list) and len(pair) == 2 and is_text(pair[0]) and is_number(pair[1]) for pair in value)


HEADING = {"scene": is_text, "settings": _are_settings, "rate": is_number, "oversample": is_count, "audited": is_flag,
           "scheme": lambda value: value is None or is_text(value), "text_bytes": is_count}


def check(heading: Any, wanted: Mapping[str, Callable[[Any], bool]], name: str) -> None:
    """Ends with a sentence where a heading lacks something, or has it in another form: what wrote it is no sistrum."""
    for key, is_right in wanted.items():
        if not isinstance(heading, dict) or key not in heading or not is_right(heading[key]):
            raise StateError("%s is no state that sistrum has saved: its heading has no %s" % (name, key))


class Parts(NamedTuple):
    """What is in a file."""

    name: str  # of the file, for sentences
    heading: Dict[str, Any]
    text: bytes
    memory: bytes


def packed(state: State, run: Optional[Dict[str, Any]] = None) -> bytes:
    """The bytes of a file; `run` is what the checkpoint of a rendering adds to its heading."""
    system = state.system
    scene, memory = system.scene, state._raw()
    if scene is None:
        raise StateError("a state whose system was made without a scene cannot be kept: take scene.compile()")
    heading = json.dumps({
        "version": _c.text(_c.lib.sis_version()), "scene": scene.name, "settings": list(scene.settings.items()),
        "scene_sha256": hashlib.sha256(scene.text).hexdigest(), "rate": system.rate, "oversample": system.oversample,
        "scheme": system.scheme, "audited": system.audited, "text_bytes": len(scene.text), "state_bytes": len(memory),
        "steps": state.samples, **({} if run is None else {"run": run})}).encode()
    body = MARK + len(heading).to_bytes(8, "little") + heading + scene.text + memory
    return body + hashlib.sha256(body).digest()


def parts(data: bytes, name: str) -> Parts:
    """What the bytes of a file hold; whatever is wrong with them has a sentence."""
    if not data.startswith(MARK):
        raise StateError("%s is no state that sistrum has saved" % name)
    if len(data) < len(MARK) + 8 + SHA or hashlib.sha256(data[:-SHA]).digest() != data[-SHA:]:
        raise StateError("%s is damaged or incomplete: its check sum is wrong" % name)
    start = len(MARK) + 8
    end = start + int.from_bytes(data[len(MARK):start], "little")
    try:
        heading = json.loads(data[start:end])
    except (ValueError, RecursionError):
        heading = None
    check(heading, {"version": is_text}, name)
    version = _c.text(_c.lib.sis_version())
    if heading["version"] != version:
        raise StateError("%s was saved by sistrum %s and this is %s, whose states differ: run the scene again" %
                         (name, heading["version"], version))
    check(heading, HEADING, name)
    text = data[end:end + heading["text_bytes"]]
    return Parts(name, heading, text, data[end + len(text):-SHA])


def unpacked(data: bytes, name: str = "this state", system: Optional[System] = None) -> State:
    """The state that was packed; with a `system` it must be of that one."""
    return state_of(parts(data, name), system)


def state_of(found: Parts, system: Optional[System] = None) -> State:
    """The state in what was packed."""
    from .scene import Scene
    from .state import State
    name, heading, text, memory = found
    if system is None:
        scene = Scene(text, heading["scene"], dict(heading["settings"]))
        system = scene.compile(heading["rate"], heading["oversample"], heading["scheme"], heading["audited"])
    else:
        _same(system, heading, text, name)
    state = State(system)
    try:
        state._take(memory)
    except ValueError as why:
        raise StateError("%s does not fit the system: %s" % (name, why)) from None
    return state


def _same(system: System, heading: Any, text: bytes, name: str) -> None:
    """What differs first between the system of a state and the one it is to be of."""
    scene = system.scene
    known = {"rate": system.rate, "oversample": system.oversample, "scheme": system.scheme, "audited": system.audited}
    if scene is not None and scene.text != text:
        raise StateError("%s is of another scene: %s has another text than %s" % (name, heading["scene"], scene.name))
    if scene is not None and scene.values != _values(text, heading):
        now, then = scene.values, _values(text, heading)
        differ = [key for key in now if now[key] != then.get(key)]
        raise StateError("%s is of other settings: it has %s = %r where this system has %r" %
                         (name, differ[0], then.get(differ[0]), now[differ[0]]))
    for key, value in known.items():
        if value != heading[key]:
            raise StateError("%s is of another system: it has %s = %r where this one has %r" % (name, key, heading[key], value))


def _values(text: bytes, heading: Any) -> dict[str, float]:
    from .scene import Scene
    return Scene(text, heading["scene"], dict(heading["settings"])).values


def remove(folder: str, process: int) -> None:
    """Removes a temporary folder, if this is the process that made it: one that was forked has the same objects."""
    if os.getpid() == process:
        shutil.rmtree(folder, True)


class Replacing:
    """A file that is written under a temporary name beside its own, which it gets when all went well. `temporary` is
    that name where nobody else can be writing the file: what a killed process has left of it goes. As in the program
    links are followed, a file that is there keeps its permissions, and pipes and devices are written when all is there."""

    def __init__(self, path: Union[str, os.PathLike[str]], temporary: Optional[str] = None) -> None:
        self._path = os.fsdecode(path)
        self._temporary: Optional[str] = None  # of a pipe
        try:
            mode = self._mode()
            if mode is not None and not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
                self._file: IO[bytes] = tempfile.TemporaryFile()
                return
            self._target = os.path.realpath(self._path)
            folder, name = os.path.split(self._target)
            some = os.fsdecode(os.fsencode(name)[:200])  # a name has 255 bytes at most
            beside = temporary or os.path.join(folder, ".%s.%s" % (some, secrets.token_hex(6)))
            self._file = open(beside, "wb" if temporary else "xb")
            self._temporary = beside
            if mode is not None:
                with contextlib.suppress(OSError):  # a file system without permissions
                    os.fchmod(self._file.fileno(), mode & 0o777)
        except OSError as why:
            raise self._about(why) from None

    def _mode(self) -> Optional[int]:
        """Of the file that is there; None: there is none."""
        try:
            mode = os.stat(self._path).st_mode
        except FileNotFoundError:
            return None
        if not os.access(self._path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return mode

    def __enter__(self) -> IO[bytes]:
        return self._file

    def __exit__(self, kind: Any, why: Any, _trace: Any) -> None:
        if isinstance(why, OSError) and why.errno is not None and why.filename is None:
            self._give_up()
            raise self._about(why) from None
        try:
            if kind is None:
                self._file.flush()
                if self._temporary is None:
                    self._pass_on()
                    return
                os.fsync(self._file.fileno())
                self._file.close()
                os.replace(self._temporary, self._target)
                return
        except OSError as error:
            self._give_up()
            raise self._about(error) from None
        except BaseException:
            self._give_up()
            raise
        self._give_up()

    def _pass_on(self) -> None:
        """What was written, into a pipe or a device."""
        with self._file, open(self._path, "wb") as to:
            self._file.seek(0)
            shutil.copyfileobj(self._file, to)

    def _about(self, why: OSError) -> OSError:
        """What went wrong, with the name that was asked for."""
        return OSError(why.errno, why.strerror, self._path)

    def _give_up(self) -> None:
        with contextlib.suppress(OSError):  # a disk that is full is told of once
            self._file.close()
        if self._temporary is not None:
            with contextlib.suppress(FileNotFoundError):  # Ctrl-C just after it got its name
                os.unlink(self._temporary)


def write(path: Union[str, os.PathLike[str]], data: bytes) -> None:
    """A file that is there whole or not at all."""
    with Replacing(path) as f:
        f.write(data)


def load_state(path: Union[str, os.PathLike[str]], system: Optional[System] = None) -> State:
    """The state that State.save has written, with its scene compiled as it was: it goes on with the same bits. With a
    `system` it becomes a state of that one, which must be of the same scene, settings and rate."""
    with open(path, "rb") as f:
        return unpacked(f.read(), "'%s'" % os.path.basename(os.fsdecode(path)), system)
