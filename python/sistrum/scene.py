"""Scenes: text to something that can be compiled, with params that can be set."""

from __future__ import annotations

import ctypes
import difflib
import math
import operator
import os
import threading
import weakref
from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, SupportsFloat, SupportsIndex, Tuple, Union

from . import _c
from .errors import SceneError, SettingError
from .gestures import Curves
from .progress import Told
from .rendering import Rendering, makes_energy
from .system import System

Path = Union[str, "os.PathLike[str]"]


class Param(NamedTuple):
    """A number the scene lets its user change."""

    name: str
    label: str
    unit: str
    value: float  # in this scene
    default: float  # what it is when nothing is set
    min: float  # inclusive; -inf, inf where the scene gives no bound
    max: float
    scale: str  # "linear" or "log": how a knob should turn


class Input(NamedTuple):
    """A number that moves while the scene sounds."""

    name: str
    label: str
    unit: str
    value: float  # where it starts in this scene; 0 of a trigger
    default: float  # where it starts when nothing is set
    min: float  # inclusive; what it is given beyond is held to it
    max: float
    smooth: float  # s in which it reaches a new value
    trigger: bool  # its values are blows
    follows: Tuple[Tuple[str, str, str], ...]  # what follows it: (word, name of the object, key), ...


class Play(NamedTuple):
    """How notes play a scene: what its play{} says."""

    pitch: str  # the param that a note sets to its pitch in Hz; "": none
    velocity: str  # the param it sets to where its velocity falls between min and max; "": none
    voices: int  # how many notes sound at a time
    tail: float  # dB: a voice ends when its stored energy is so far below its maximum
    release: float  # s: after its end a note fades by 60 dB in this time; NaN: it rings on


# ---------------------------------------------------------------------------- installed scenes


def _climb(folder: str) -> str:
    """The folder at or above `folder` that holds repro/ and scenes/; "": there is none."""
    while True:
        if all(os.path.isdir(os.path.join(folder, part)) for part in ("repro", "scenes")):
            return folder
        folder, below = os.path.dirname(folder), folder
        if folder == below:
            return ""


def _prefixes() -> Iterator[str]:
    """Prefixes in which the package or its library may be installed; a wheel is one by itself."""
    yield _c.HERE
    if _c.INSTALLED:
        yield os.path.join(_c.HERE, "..", "..", "..", "..")  # lib/python3/dist-packages/sistrum
    if os.path.isabs(_c.library_path):  # else the dynamic linker found it
        library = os.path.dirname(os.path.realpath(_c.library_path))
        yield os.path.join(library, "..")
        yield os.path.join(library, "..", "..")  # lib/x86_64-linux-gnu


def scene_folders() -> List[str]:
    """Where scenes are looked for by name, as the program does: $SISTRUM_SCENES (a path list), share/sistrum/scenes of
    the prefix, $SISTRUM_DATA or the source tree; then /usr/local and /usr."""
    folders = os.environ.get("SISTRUM_SCENES", "").split(os.pathsep)
    shared = [os.path.join(prefix, "share", "sistrum") for prefix in _prefixes()]
    data = os.environ.get("SISTRUM_DATA") or _climb(_c.HERE)
    for root in [*shared, data, "/usr/local/share/sistrum", "/usr/share/sistrum"]:
        folders.append(os.path.normpath(os.path.join(root, "scenes")) if root else "")
    return list(dict.fromkeys(folder for folder in folders if folder))


def _is_file(path: str) -> bool:
    """Anything that can be opened but a folder: the loader says what is wrong with a pipe."""
    return os.path.exists(path) and not os.path.isdir(path)


def scenes() -> Dict[str, str]:
    """Installed scenes: {name: path}."""
    found: Dict[str, str] = {}
    for folder in scene_folders():
        for file in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
            path = os.path.join(folder, file)
            if file.endswith(".lua") and not file.startswith(".") and _is_file(path):
                found.setdefault(file[:-4], path)
    return found


def find_scene(name: Path) -> str:
    """The file that `name` stands for, by the rule of the program. With a '/' in it, it is a path. A bare word is WORD.lua
    in the current folder, else an installed scene, else the file WORD; with .lua or without."""
    path = os.fsdecode(name)
    if "\0" in path:
        raise SceneError("the name of a scene has no zero byte in it: %r" % path)
    if "/" in path:
        return path
    word = path[:-4] if path.endswith(".lua") else path
    if word and _is_file(word + ".lua"):
        return word + ".lua"
    installed = scenes()
    if word in installed:
        return installed[word]
    if os.path.exists(path):  # of a folder the loader says that it is one
        return path
    near = difflib.get_close_matches(word, installed, 1)
    missing = [f for f in os.environ.get("SISTRUM_SCENES", "").split(os.pathsep) if f and not os.path.isdir(f)]
    raise SceneError("there is no scene '%s'%s; looked here and in %s%s" %
                     (path, " (did you mean '%s'?)" % near[0] if near else "",
                      ", ".join(f for f in scene_folders() if os.path.isdir(f)) or "no other folder",
                      "; SISTRUM_SCENES names '%s', which is no folder" % missing[0] if missing else ""))


# ---------------------------------------------------------------------------- a scene


def number(value: Any, what: str) -> float:
    """`value` as a float; what is no number at all is the caller's mistake, as anywhere in Python."""
    try:
        return float(value)
    except (TypeError, ValueError):
        raise TypeError("%s must be a number, not %r" % (what, value)) from None


def in_range(key: str, value: Any) -> float:
    """A value of render{}, checked by the row of the schema."""
    row = _c.SCHEMA["render", key]
    value = number(value, key)
    if not row.min <= value <= row.max or (key == "oversample" and value != math.floor(value)):
        raise SettingError("%s is %g%s; it must be %s%g to %g" %
                           (key, value, (" " + _c.text(row.unit)).rstrip(),
                            "a whole number, " if key == "oversample" else "", row.min, row.max))
    return float(value)


def _pitch(param: Param, hz: float) -> float:
    """`hz`, moved to the end of the range when it is beyond by less than a rounding of it, 0.1 cent."""
    rounding = 2 ** (0.1 / 1200)
    inside = hz * rounding >= param.min and hz <= param.max * rounding
    return min(max(hz, param.min), param.max) if inside else hz  # if not, the scene says so


def _velocity(param: Param, v: float) -> float:
    """Where a velocity falls between the ends of its param, on the scale of the param."""
    if not 0 <= v <= 1:
        raise SettingError("velocity is %g; it must be 0 to 1" % v)
    value: float = param.min * (param.max / param.min) ** v if param.scale == "log" else param.min + (param.max - param.min) * v
    return min(max(value, param.min), param.max)  # rounding must not leave the range


class Scene:
    """A scene that was read and run. It does not change: `set` gives another one.

    sistrum.load(...) and sistrum.parse(...) make scenes. text: its bytes; settings: what was set; rate, oversample,
    duration, title, normalise: what its render{} says. Pickled, it is its text and its settings."""

    def __init__(self, text: Optional[bytes], name: str, settings: Mapping[str, SupportsFloat], path: Optional[str] = None) -> None:
        """Runs `text`, or where it is None reads the file at `path`; sistrum.load and sistrum.parse are what calls it."""
        self.name, self.path = os.fsdecode(name), path
        self.settings: Dict[str, float] = {key: number(value, "param '%s'" % key) for key, value in settings.items()}
        for key in self.settings:
            if not isinstance(key, str):
                raise TypeError("the name of a param is text, not %r" % (key,))
            if "\0" in key:
                raise SettingError("a param has no zero byte in its name: %r" % key)
        array = (_c.Setting * len(self.settings))(
            *[_c.Setting(key.encode("utf-8", "surrogateescape"), value) for key, value in self.settings.items()])
        error = _c.ScriptError()
        if text is None and path is not None:
            script = _c.lib.sis_script_load(os.fsencode(path), array, len(array), ctypes.byref(error))
            text = _read(path) if script else b""
        else:
            if not isinstance(text, bytes):
                raise TypeError("a Scene has its text as bytes; sistrum.parse takes a text, sistrum.load a file")
            said = self.name.encode("utf-8", "surrogateescape")  # a text, of any machine: not a file of this one
            script = _c.lib.sis_script_load_text(text, len(text), said, array, len(array), ctypes.byref(error))
        if not script:
            if error.status == _c.SCRIPT_NO_MEMORY:
                raise MemoryError(_c.text(error.text))
            kind = SettingError if error.status == _c.SCRIPT_SETTING else SceneError
            raise kind(_c.text(error.text), error.line, _c.text(error.object), _c.text(error.key))
        self.text: bytes = text
        self._script = script
        self._free = weakref.finalize(self, _c.lib.sis_script_free, script)
        self._free.atexit = False
        self._compiling = threading.RLock()  # heights of barriers are functions in one Lua state
        self._scene = _c.lib.sis_script_scene(script)
        render = _c.lib.sis_scene_render(self._scene)
        self.rate: float = render.rate
        self.oversample: int = render.oversample
        self.duration: float = render.duration
        self.title: str = _c.text(render.title)
        self.normalise: bool = render.normalise

    def __reduce__(self) -> Tuple[Any, ...]:
        return Scene, (self.text, self.name, self.settings)

    def __copy__(self) -> Scene:
        return self  # it never changes

    def __deepcopy__(self, memo: Any) -> Scene:
        return self

    def __repr__(self) -> str:
        return "<Scene %s: %s>" % (self.name, ", ".join("%s=%g" % (p.name, p.value) for p in self.params.values()))

    @property
    def values(self) -> Dict[str, float]:
        """What params and inputs have in this scene: {name: value}, all of them."""
        return {**{p.name: p.value for p in self.params.values()}, **{i.name: i.value for i in self.inputs.values()}}

    @property
    def params(self) -> Dict[str, Param]:
        """The params in order of appearance: {name: Param}."""
        rows = [_c.lib.sis_script_param(self._script, i) for i in range(_c.lib.sis_script_param_count(self._script))]
        return {_c.text(p.name): Param(_c.text(p.name), _c.text(p.label), _c.text(p.unit), p.value, p.fallback,
                                       p.min, p.max, "log" if p.logarithmic else "linear") for p in rows}

    @property
    def inputs(self) -> Dict[str, Input]:
        """The inputs in order of appearance: {name: Input}."""
        objects, found = self.objects, {}
        followers: Dict[int, List[Tuple[str, str, str]]] = {}
        for i in range(_c.lib.sis_script_follower_count(self._script)):
            f = _c.lib.sis_script_follower(self._script, i)
            word, follower = objects[f.object]
            followers.setdefault(f.input, []).append((word, follower, _c.text(f.key)))
        for i in range(_c.lib.sis_script_input_count(self._script)):
            p = _c.lib.sis_script_input(self._script, i)
            name = _c.text(p.name)
            found[name] = Input(name, _c.text(p.label), _c.text(p.unit), p.value, p.fallback, p.min, p.max, p.smooth,
                                p.trigger, tuple(followers.get(i, ())))
        return found

    @property
    def presets(self) -> Dict[str, Dict[str, float]]:
        """The presets in order of appearance, {name: {param or input: value}}: scene.set(scene.presets["Bright"])."""
        rows = [_c.lib.sis_script_preset(self._script, i) for i in range(_c.lib.sis_script_preset_count(self._script))]
        return {_c.text(p.name): {_c.text(s.name): s.value for s in p.settings[:p.count]} for p in rows}

    @property
    def play(self) -> Optional[Play]:
        """How notes play it, a Play; None: it has no play{}."""
        found = _c.lib.sis_script_play(self._script)
        if not found:
            return None
        names = list(self.params) + [""]  # -1: none
        p = found.contents
        return Play(names[p.pitch], names[p.velocity], p.voices, p.tail, p.release)

    def note(self, frequency: Optional[SupportsFloat] = None, velocity: Optional[SupportsFloat] = None) -> Scene:
        """The same scene set for one note: `frequency` in Hz, `velocity` 0 to 1 along the scale of its param. What is
        None stays as it is; what the scene has no param for is refused."""
        play, params, settings = self.play, self.params, {}
        name = os.path.basename(self.name)
        if frequency is None and velocity is None:
            raise TypeError("a note has a frequency, a velocity or both")
        if play is None:
            raise SceneError("%s: the scene does not say how notes play it: add play{ pitch = \"NAME\", velocity = \"NAME\" } "
                             "with the names of params" % name)
        for given, param, what, other in ((frequency, play.pitch, "pitch", "a frequency"),
                                          (velocity, play.velocity, "velocity", "a velocity")):
            if given is not None and not param:
                blows = [i.name for i in self.inputs.values() if i.trigger] if what == "velocity" else []
                raise SceneError("%s: play{} names no param of %s, so %s sets nothing: leave it out (None) or add %s = "
                                 "\"NAME\" to it%s" % (name, what, other, what, "; blows of its input '%s' are given to "
                                                       "render(inputs=)" % blows[0] if blows else ""))
        if frequency is not None:
            settings[play.pitch] = _pitch(params[play.pitch], number(frequency, "frequency"))
        if velocity is not None:
            settings[play.velocity] = _velocity(params[play.velocity], number(velocity, "velocity"))
        return self.set(settings)

    @property
    def objects(self) -> List[Tuple[str, str]]:
        """Everything in the scene in order of appearance: [(word, name)]."""
        count = _c.lib.sis_scene_count(self._scene)
        return [(_c.text(_c.lib.sis_kind_word(_c.lib.sis_scene_kind(self._scene, i))),
                 _c.text(_c.lib.sis_scene_name(self._scene, i))) for i in range(count)]

    def set(self, settings: Optional[Mapping[str, SupportsFloat]] = None, **params: SupportsFloat) -> Scene:
        """The same scene with other params, or inputs that start elsewhere, as --set: of the text that was read, whatever
        its file holds now. Names that are no Python words go into a dict."""
        return Scene(self.text, self.name, {**self.settings, **(settings or {}), **params}, self.path)

    def compile(self, rate: Optional[SupportsFloat] = None, oversample: Optional[SupportsIndex] = None,
                scheme: Optional[str] = None, audited: bool = True, lanes: SupportsIndex = 0) -> System:
        """Compiles the scene at `rate` rows a second with `oversample` steps to a row (default: what the scene asks
        for), with one `scheme` for all contacts if given. Not `audited`: work is not recorded, which is faster, and
        supplied, dissipated and residual are NaN. `lanes`: how many numbers are computed side by side, 1, 2, 4 or 8 (0: as
        many as the machine can), with the same bits."""
        if not any(word in ("mass", "string", "plate", "modal") for word, _ in self.objects):
            raise SceneError("%s: the scene has nothing that moves: add mass{}, string{}, plate{} or modal{}" %
                             os.path.basename(self.name))
        rate = self.rate if rate is None else in_range("rate", rate)
        oversample = self.oversample if oversample is None else int(in_range("oversample", oversample))
        choice = _c.AS_GIVEN
        if scheme is not None:
            if not isinstance(scheme, str) or scheme not in _c.schemes():
                near = difflib.get_close_matches(str(scheme), _c.schemes(), 1)
                raise SettingError("there is no scheme '%s'%s; the schemes are %s" %
                                   (scheme, " (did you mean '%s'?)" % near[0] if near else "",
                                    ", ".join(_c.schemes())))
            choice = _c.schemes().index(scheme)
        lanes = operator.index(lanes)
        if lanes not in (0, 1, 2, 4, 8):
            raise SettingError("lanes is %r; it must be 0, 1, 2, 4 or 8" % (lanes,))
        options = _c.Options(rate * oversample, choice, not audited, lanes)
        error = _c.Error()
        with self._compiling:
            system = _c.lib.sis_compile(self._scene, ctypes.byref(options), ctypes.byref(error))
            located = _c.ScriptError()
            if not system:
                _c.lib.sis_script_locate(self._script, ctypes.byref(error), ctypes.byref(located))
        if system:
            return System(ctypes.c_void_p(system), rate, oversample, self.duration, os.path.basename(self.name), audited, self._places(),
                          self._strikes(), self, scheme, lanes)
        if error.status == _c.NO_MEMORY:
            raise MemoryError(_c.text(located.text))
        raise SceneError(_c.text(located.text), located.line, _c.text(located.object), _c.text(located.key))

    def _places(self) -> Dict[str, Tuple[str, int]]:
        """Where each contact stands, for what goes wrong while it runs: {name: ("scene.lua:7", 7)}."""
        file = _c.text(_c.lib.sis_script_name(self._script))
        lines = {name: _c.lib.sis_script_line(self._script, i) for i, (word, name) in enumerate(self.objects)
                 if word == "contact"}
        return {name: ("%s:%d" % (file, line), line) for name, line in lines.items()}

    def _strikes(self) -> Tuple[str, ...]:
        """Triggers that a run strikes once where no curve does."""
        return tuple(name for i, name in enumerate(self.inputs) if _c.lib.sis_script_strikes(self._script, i))

    def render(self, duration: Optional[SupportsFloat] = None, rate: Optional[SupportsFloat] = None,
               oversample: Optional[SupportsIndex] = None, scheme: Optional[str] = None, energy: bool = False,
               inputs: Optional[Mapping[str, Any]] = None, threads: SupportsIndex = 1, progress: Union[bool, Told] = False,
               checkpoint: Optional[Path] = None, every: Optional[SupportsFloat] = None) -> Rendering:
        """The run that `sistrum render` makes: a Rendering. `inputs` are curves {name: [(time s, value), ...]} as --input
        reads them: linear between the points, ends held; of a trigger each point is one blow. A trigger without a curve
        that play{} names as velocity, or any where there is no play{}, is struck once with 1 at the start; [] leaves it
        silent. `threads` as of State.step, `progress` as of State.play.

        `checkpoint` is a file for a long run: every so many seconds of time (`every`, 60) it is replaced by where the run
        is, and new rows are added to the file of its name with `.part`. However the process ended, the same call goes on
        from there, to the same bits; when all is done it returns the run at once, until both files are removed. The
        checkpoint of another run, or a damaged one, is refused with a StateError, and stays as it is."""
        scene = self if inputs is None else self.set(Curves(self.inputs.values(), inputs).start())
        system = scene.compile(rate, oversample, scheme, audited=energy)
        if not energy and makes_energy(system):
            system = scene.compile(rate, oversample, scheme)
        return system.render(duration, energy, inputs, threads, progress, checkpoint, every)

    def _repr_html_(self) -> str:
        from . import show
        return show.scene_html(self)


def _read(path: str) -> bytes:
    """The text of a scene that was just read."""
    try:
        with open(path, "rb") as f:
            return f.read()
    except OSError as why:
        raise SceneError("%s: cannot read the scene: %s" % (path, why.strerror)) from None


def load(scene: Path, settings: Optional[Mapping[str, SupportsFloat]] = None, **params: SupportsFloat) -> Scene:
    """Loads a scene by its path or by the name of an installed one, with params set."""
    path = find_scene(scene)
    return Scene(None, path, {**(settings or {}), **params}, path)


def parse(text: Union[str, bytes], settings: Optional[Mapping[str, SupportsFloat]] = None, name: str = "scene",
          **params: SupportsFloat) -> Scene:
    """Loads a scene from its text; `name` stands for the file in sentences."""
    if not isinstance(text, (str, bytes)):
        raise TypeError("a scene is text, not %r" % (text,))
    raw = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text
    return Scene(raw, name, {**(settings or {}), **params})
