"""The library: states of another system in C and in Python, and failing allocations inside libsistrum-scene."""

import os
import subprocess
import sys

from trial import BELL, BOUNCE, BUILD, LIBRARY, NETWORK, SANITIZED, SOURCE

# Loads, compiles and runs a scene again and again, with allocations of the library failing in turn.
SCENE = """
import ctypes, random, sys
import sistrum
shim = ctypes.CDLL(None)
def attempt(n, more):
    shim.sistrum_fault_arm(ctypes.c_long(n), more)
    try:
        run = sistrum.load(sys.argv[1]).render(energy=True)
        said = "done %d %.17g" % (len(run.data), float(abs(run.data).sum()))
    except MemoryError as error:
        said = "memory" if "memory" in str(error) else "MemoryError without a sentence: %r" % str(error)
    except Exception as error:
        said = "%s: %s" % (type(error).__name__, error)
    return said, shim.sistrum_fault_disarm()
plain, count = attempt(0, 0)
print(plain, flush=True)
numbers = list(range(1, count + 1))
most = int(sys.argv[2])
if len(numbers) > most:
    numbers = sorted(random.Random(int(sys.argv[3])).sample(numbers, most))
for n in numbers:
    for more in (0, 1):
        print("ALLOC=%d%s" % (n, "+" if more else ""), end=": ", flush=True)
        said = attempt(n, more)[0]
        print("fine" if said in ("memory", plain) else said, flush=True)
"""

STATES = """
import hashlib, random, sys
import numpy as np
import sistrum
draw = random.Random(int(sys.argv[1]))
systems = []
for path in sys.argv[3:]:
    scene = sistrum.load(path)
    systems += [scene.compile(rate=rate) for rate in (8000, 11025, 16000)]
for _ in range(int(sys.argv[2])):
    one, other = draw.sample(systems, 2)
    state = sistrum.State(one) if draw.random() < 0.5 else one.state()
    state.step(draw.randrange(1, 50))
    memory = bytes(state._memory)
    size = draw.choice([len(memory), other.state_size, draw.randrange(0, 4096)])
    memory = (memory + bytes(size))[:size]
    try:
        sistrum.State(other, memory + hashlib.sha256(memory).digest())
        print("taken: a state of another system")
        continue
    except ValueError as error:
        good = bool(str(error))
    twin = sistrum.State(one, bytes(state))
    state.step(5)
    twin.step(5)
    print("refused" if good and bytes(twin._memory) == bytes(state._memory) else "another state after it")
"""


def python_environment(campaign, **faults):
    """Python with the library of this build; a sanitizer must be there before Python is."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("SISTRUM", "LD_PRELOAD"))}
    preload = [campaign.shim]
    for part in ("asan", "ubsan") if SANITIZED else ():
        found = subprocess.run([os.environ.get("CC", "cc"), "-print-file-name=lib%s.so" % part], capture_output=True)
        preload.append(found.stdout.decode().strip())
    given = {"SISTRUM_FAULT_" + key: str(value) for key, value in faults.items()}
    return dict(clean, PYTHONPATH=os.path.join(SOURCE, "python"), SISTRUM_LIBRARY=LIBRARY, LD_PRELOAD=" ".join(preload),
                PYTHONDONTWRITEBYTECODE="1",
                ASAN_OPTIONS="verify_asan_link_order=0:detect_leaks=0:exitcode=99", **given)


def run_python(campaign, text, *arguments, **faults):
    return subprocess.run([sys.executable, "-c", text, *arguments], env=python_environment(campaign, **faults),
                          capture_output=True, timeout=300)


def has_numpy():
    return subprocess.run([sys.executable, "-c", "import numpy"], capture_output=True).returncode == 0


def write_scenes(campaign):
    paths = []
    for name, text in (("bounce", BOUNCE), ("network", NETWORK), ("bell", BELL)):
        paths.append(os.path.join(campaign.work, name + ".lua"))
        with open(paths[-1], "w") as f:
            f.write(text.replace("DURATION", "0.02"))
    return paths


def allocations(campaign, path):
    most = (20 if SANITIZED else 60) if campaign.short else (300 if SANITIZED else 10000)
    done = run_python(campaign, SCENE, path, str(most), str(campaign.random.randrange(1 << 30)), FROM="libsistrum-scene",
                      LATER=1)
    kind = "allocations: the library, " + os.path.basename(path)
    for line in done.stdout.decode(errors="replace").splitlines()[1:]:
        way, _, said = line.partition(": ")
        campaign.count(kind, None if said == "fine" else said or "it crashes", way)
    if done.returncode != 0:
        campaign.count(kind, "exit code %d: %r" % (done.returncode, done.stderr[-500:]), "the end")


def foreign_states(campaign, paths):
    program = os.path.join(BUILD, "test", "test_foreign")
    if os.path.exists(program):
        done = subprocess.run([program], capture_output=True, timeout=600)
        campaign.count("states of another system, in C", None if done.returncode == 0 else
                       (done.stdout + done.stderr)[-300:].decode(errors="replace"), "test_foreign")
    if not has_numpy():
        print("there is no numpy: Python is left out", file=sys.stderr)
        return
    count = 30 if campaign.short else 1000
    done = run_python(campaign, STATES, str(campaign.random.randrange(1 << 30)), str(count), *paths)
    for line in done.stdout.decode().splitlines():
        campaign.count("states of another system, in Python", None if line == "refused" else line, "a pair")
    if done.returncode != 0:
        campaign.count("states of another system, in Python", "exit code %d: %r" % (done.returncode, done.stderr[-500:]),
                       "all")


def run(campaign, only=None):
    if only:
        return
    paths = write_scenes(campaign)
    foreign_states(campaign, paths)
    for path in paths if has_numpy() else ():
        allocations(campaign, path)
