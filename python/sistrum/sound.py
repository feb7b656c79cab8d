"""Sound files: the program's bytes, by its code in libsistrum-data."""

from __future__ import annotations

import ctypes
import io
import os
import tempfile
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, List, NamedTuple, Optional, Union

import numpy as np
import numpy.typing as npt

from . import _data, kept
from .errors import SceneError, SettingError

if TYPE_CHECKING:
    from .rendering import Rendering

Floats = npt.NDArray[np.float64]
FORMATS = {".wav": 0, ".flac": 2}  # sis_sound_format
BITS = {"32f": 0, "16": 1, "24": 2}  # sis_sound_bits
CHUNK = 1 << 14  # frames handed over at a time


class Level(NamedTuple):
    """What became of the level of a sound that was written."""

    raw_peak: float  # largest absolute value that came
    gain: float  # the factor it was multiplied by
    peak: float  # largest absolute value in the file; 1 is full scale
    faded: bool  # the end sounded, and fades
    clipped: int  # samples beyond full scale, of 16 and 24 bits


def refuse_silence(run: Rendering) -> None:
    """Ends with the sentence of the program where no probe is heard."""
    if run.channels < 1:
        raise SceneError("the scene has no sound: no probe has a channel; add probe{ on = ..., channel = 1 }")


def mixed(probes: List[SimpleNamespace], data: Floats, channels: int) -> Floats:
    """From probes to channels, in the order of the program's operations."""
    out = np.zeros((len(data), channels))
    for p, probe in enumerate(probes):
        if probe.channel:
            out[:, probe.channel - 1] += probe.gain * data[:, p]
    return out


def decimated(run: Rendering) -> Floats:
    """The sound of an oversampled run, made once more: its steps, filtered to rows."""
    from .state import State
    system, o, channels = run.system, run.system.oversample, run.channels
    steps = np.empty((len(run.data) * o, channels))

    def take(first: int, probes: Floats, _energies: Any) -> None:
        steps[first:first + len(probes)] = mixed(system.probes, probes, channels)

    run._run(State(system), False, take)
    sound, fault = np.empty((len(run.data), channels)), _data.Fault()
    if not _data.lib().sis_data_decimate(steps.ctypes.data, len(run.data), o, channels, sound.ctypes.data,
                                         ctypes.byref(fault)):
        raise _data.refuse(fault)
    return sound


def _spec(run: Rendering, ending: str, normalise: Optional[bool], bits: Union[int, str, None], gain: float) -> Any:
    word = ("24" if ending == ".flac" else "32f") if bits is None else str(bits)
    if word not in BITS:
        raise SettingError("bits is 16, 24 or '32f', not %r" % (bits,))
    if normalise not in (None, False, True):
        raise TypeError("normalise is True, False or None (as the scene says), not %r" % (normalise,))
    if not -200 <= float(gain) <= 200:
        raise SettingError("gain is %g dB; it must be -200 to 200" % gain)
    scene = run.system.scene
    if normalise is None:
        normalise = scene is not None and scene.normalise
    title = scene.title if scene is not None else ""
    return _data.SoundSpec(run.rate, run.channels, len(run), title.encode("utf-8", "surrogateescape"), FORMATS[ending],
                           BITS[word], bool(normalise), 0.0, float(gain))


def _fill(run: Rendering, descriptor: int, spec: Any) -> Level:
    """Writes the sound into a descriptor."""
    lib, fault, sound, level = _data.lib(), _data.Fault(), run.sound, _data.SoundLevel()
    with tempfile.TemporaryFile() as scratch:
        file = lib.sis_data_sound_open(descriptor, scratch.fileno(), ctypes.byref(spec), 1, ctypes.byref(fault))
        if not file:
            raise _data.refuse(fault)
        try:
            for first in range(0, len(sound), CHUNK):
                part = np.ascontiguousarray(sound[first:first + CHUNK])
                if not lib.sis_data_sound_take(file, part.ctypes.data, len(part), ctypes.byref(fault)):
                    raise _data.refuse(fault)
        except BaseException:
            lib.sis_data_sound_free(file)
            raise
        if not lib.sis_data_sound_close(file, ctypes.byref(level), ctypes.byref(fault)):
            raise _data.refuse(fault)
    return Level(level.raw_peak, level.gain, level.peak, level.faded, level.clipped)


def write(run: Rendering, path: Union[str, os.PathLike[str]], normalise: Optional[bool], bits: Union[int, str, None],
          gain: float) -> Level:
    """Rendering.wav."""
    refuse_silence(run)
    ending = os.path.splitext(os.fsdecode(path))[1].lower()
    if ending not in FORMATS:
        raise SettingError("sounds are .wav and .flac files, not '%s'" % os.path.basename(os.fsdecode(path)))
    spec = _spec(run, ending, normalise, bits, gain)
    with kept.Replacing(path) as f:
        return _fill(run, f.fileno(), spec)


def embedded(run: Rendering) -> bytes:
    """A WAV of 16 bits, normalised, for a page."""
    spec = _spec(run, ".wav", True, 16, 0.0)
    with tempfile.TemporaryFile() as f:
        _fill(run, f.fileno(), spec)
        f.seek(0, io.SEEK_SET)
        return f.read()


__all__ = ["Level"]
