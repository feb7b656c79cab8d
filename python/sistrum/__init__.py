"""Sistrum: sound made by collisions.

    import sistrum

    scene = sistrum.load("tanpura", K=1e7)      # a path or the name of an installed scene; sistrum.parse(text)
    run = scene.render(duration=1, energy=True) # run["out"], run.time, run.energy["total"], run.links
    state = scene.compile(rate=96000).state()   # or step by step:
    block = state.step(64)                      # [frame][probe]
    print(state.energy, state.links)

The library is found through $SISTRUM_LIBRARY, beside the package, in build/release of the source tree, or by the
dynamic linker. Calls into it release the interpreter: two threads run two states at once.
"""

try:
    import numpy as _numpy  # noqa: F401  the modules below need it: one sentence instead of their names
except ModuleNotFoundError as _why:
    if _why.name != "numpy":
        raise
    raise ImportError("sistrum needs numpy: apt install python3-numpy, or pip install numpy") from None

from . import _c
from .errors import LibraryError, RunError, SceneError, SettingError, SistrumError
from .impact import Impact
from .scene import Input, Param, Play, Scene, find_scene, load, parse, scene_folders, scenes
from .system import ENERGY, Energy, Rendering, State, System, step_batch

__version__ = _c.text(_c.lib.sis_version())
library_path = _c.library_path
schemes = tuple(_c.schemes())

__all__ = [
    "ENERGY", "Energy", "Impact", "Input", "LibraryError", "Param", "Play", "Rendering", "RunError", "Scene", "SceneError",
    "SettingError", "SistrumError", "State", "System", "find_scene", "library_path", "load", "parse",
    "scene_folders", "scenes", "schemes", "step_batch",
]
