"""What the tests of the Python package share.

SISTRUM is the program, SISTRUM_LIBRARY the shared library, SISTRUM_SOURCE the source folder. Needs numpy."""

import os
import sys

from cli_case import (BOUNCE, BRIDGE, IMPACT, NETWORK, PLATES, ROOT, SANITIZED, SOURCE, TONE, Case, main,
                      read_text)

sys.path.insert(0, os.path.join(SOURCE, "python"))
import numpy as np  # noqa: E402
import sistrum  # noqa: E402
from sistrum import _c, _data  # noqa: E402

LONG = bool(os.environ.get("SISTRUM_LONG"))
SWEEPS = _data.lib().sis_data_sweeps()  # False: built without SQLite
SCENES = {"bounce": BOUNCE, "bridge": BRIDGE.replace("EXTRA", ""), "network": NETWORK, "plates": PLATES,
          "clamped": ROOT.replace("CLAMP", ", clamp = true")}

STRINGS = """
for n = 1, 6 do
  local s = string { length = 0.6, frequency = 100 + 10 * n, material_density = 7850, radius = 2e-4, youngs = 2e11, sigma0 = 1,
                     segments = 80 + n }
  local b = barrier { height = function(x) return -1e-4 - 1e-2 * x * x end, from = 0.05, to = 0.5 }
  contact { above = s, below = b, K = 1e8, alpha = 1.3 }
  pluck { on = s, shape = "triangle", at = 0.2, height = 1e-3 }
  probe { on = s, at = 0.4, quantity = "velocity" }
end
render { rate = 44100, duration = 0.1 }
"""

HAND = """
local x = input { "x", 0, min = -1, max = 1, unit = "m", label = "hand" }
local knock = input { "knock", trigger = true, max = 10 }
local finger = mass { path = 0.5 * x, name = "finger" }
local m = mass { mass = 0.01, frequency = 100 }
spring { between = { finger, m }, K1 = 100, damping = 0.1 }
force { on = m, peak = 1, width = 2e-3, trigger = knock, name = "tap" }
probe { on = finger, name = "hand" }
probe { on = m, name = "ball" }
render { rate = 8000, duration = 0.05 }
"""


def resident():
    """Bytes of memory in use."""
    with open("/proc/self/statm", encoding="ascii") as f:
        return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

__all__ = ["BOUNCE", "BRIDGE", "Case", "HAND", "IMPACT", "LONG", "NETWORK", "PLATES", "ROOT", "SANITIZED", "SCENES", "SOURCE",
           "STRINGS", "SWEEPS", "TONE", "_c", "main", "np", "read_text", "resident", "sistrum"]
