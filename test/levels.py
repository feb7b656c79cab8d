#!/usr/bin/env python3
"""Laws of the levels of instruments in scenes/: their keys are about equally loud, their channels are not out of phase, hard notes are
louder than soft ones, and no key clips with the gain of the scene. Usage: levels.py path/to/sistrum"""

import math
import tempfile
from concurrent.futures import ThreadPoolExecutor

from laws import check, check_count, end, program
import levels  # tools/levels.py

KEYS = check_count(3, 5)  # of each instrument; tools/levels.py plays them all
SECONDS = 0.6


def instrument(one, folder):
    keys = one.keys(KEYS)
    peaks, louds, sides = zip(*(one.key(folder, key, 1, SECONDS) for key in keys))
    check(all(map(math.isfinite, peaks)), f"{one.name}: silent keys")
    check(levels.spread(peaks) <= levels.SPREAD, f"{one.name}: peaks differ by {levels.spread(peaks):.1f} dB")
    check(levels.spread(louds) <= levels.SPREAD, f"{one.name}: keys differ by {levels.spread(louds):.1f} LU")
    check(min(sides) >= levels.OPPOSED, f"{one.name}: correlation of the channels {min(sides):.2f}")
    loudest = max(peaks) + one.gain(folder)
    check(loudest <= levels.OVER - 1, f"{one.name}: a key reaches {loudest:+.2f} dBFS")
    check(loudest >= -1 - levels.SPREAD, f"{one.name}: the loudest of these keys is at {loudest:+.2f} dBFS")
    middle = keys[len(keys) // 2]
    soft = [one.key(folder, middle, velocity, SECONDS) for velocity in (0.2, 0.6)]
    check(soft[0][1] < soft[1][1] < louds[len(keys) // 2], f"{one.name}: harder is not louder")
    return f"{one.name:16} peaks within {levels.spread(peaks):.1f} dB, {levels.spread(louds):.1f} LU, loudest {loudest:+.2f} dBFS"


check(levels.check_meter() < 0.05, f"the loudness meter is off by {levels.check_meter():.3f} LU")
with tempfile.TemporaryDirectory() as temporary, ThreadPoolExecutor(2) as pool:
    played = levels.instruments(program)
    check(len(played) >= 19, f"{len(played)} instruments")
    for told in pool.map(lambda one: instrument(one, temporary), played):
        print(told)
end(f"{len(played)} instruments, ")
