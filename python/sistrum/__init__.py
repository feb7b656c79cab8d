"""Sistrum: sound made by collisions.

    import sistrum

    scene = sistrum.load("tanpura", K=1e7)      # a path or the name of an installed scene; sistrum.parse(text)
    run = scene.render(duration=1, energy=True) # run["out"], run.time, run.energy["total"], run.links
    state = scene.compile(rate=96000).state()   # or step by step:
    block = state.step(64)                      # [frame][probe]
    print(state.energy, state.links)
    study = sistrum.sweep(scene, axes={"K": "1e5:1e9:log:5"})   # many runs, measured: study["centroid"], study.frame()

The library is found through $SISTRUM_LIBRARY, beside the package, in build/release of the source tree, or by the
dynamic linker. Calls into it release the interpreter: two threads run two states at once.
"""

try:
    import numpy as _numpy  # the modules below need it: one sentence instead of their names
except ModuleNotFoundError as _why:
    if _why.name != "numpy":
        raise
    raise ImportError("sistrum needs numpy: apt install python3-numpy, or pip install numpy") from None

from typing import Tuple

from . import _c
from .data import Data, DataError, load_data
from .errors import LibraryError, RunError, SceneError, SettingError, SistrumError, StateError
from .impact import Impact
from .kept import load_state
from .rendering import Rendering
from .scene import Input, Param, Play, Scene, find_scene, load, parse, scene_folders, scenes
from .sound import Level
from .state import ENERGY, Energy, State, step_batch
from .study import Study, merge, sweep
from .system import System

__version__: str = _c.text(_c.lib.sis_version())
library_path: str = _c.library_path
schemes: Tuple[str, ...] = tuple(_c.schemes())

__all__ = [
    "Data", "DataError", "ENERGY", "Energy", "Impact", "Input", "Level", "LibraryError", "Param", "Play",
    "Rendering", "RunError", "Scene", "SceneError", "SettingError", "SistrumError", "State", "StateError", "Study",
    "System", "find_scene", "library_path", "load", "load_data", "load_state", "merge", "parse", "scene_folders",
    "scenes", "schemes", "step_batch", "sweep",
]
