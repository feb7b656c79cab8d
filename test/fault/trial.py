"""What the trials of the fault campaign share: scenes, commands, a folder for each trial, and what must hold after it.

SISTRUM is the program, SISTRUM_LIBRARY libsistrum-scene, SISTRUM_SOURCE the source folder. Python 3 and its standard
library only.
"""

import collections
import concurrent.futures
import json
import os
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading

SOURCE = os.path.abspath(os.environ.get("SISTRUM_SOURCE", os.path.join(os.path.dirname(__file__), "..", "..")))
PROGRAM = os.path.abspath(os.environ.get("SISTRUM", os.path.join(SOURCE, "build/release/sistrum")))
BUILD = os.path.dirname(PROGRAM)
LIBRARY = os.environ.get("SISTRUM_LIBRARY", os.path.join(BUILD, "libsistrum-scene.so"))
SANITIZED = os.path.basename(BUILD) == "asan"
TIMEOUT = 120 if SANITIZED else 60

BOUNCE = """
-- Bounce: a ball on a wall
local K = param { "K", 1e7, min = 1e3, max = 1e11, scale = "log", unit = "N/m^alpha", label = "hardness" }
local m = mass { mass = 0.01, frequency = 200, position = 0.002, damping = 2, name = "ball" }
local wall = barrier { height = -0.001 }
local c = contact { above = m, below = wall, K = K, alpha = 1.5, name = "hit" }
probe { on = m, quantity = "displacement", name = "u" }
probe { on = c, quantity = "force", name = "f" }
render { rate = 8000, duration = DURATION, title = "Bounce" }
"""

BELL = """
-- Bell: rings
local f0 = param { "f0", 440, min = 300, max = 600, unit = "Hz" }
local hard = param { "hard", 1, min = 0.1, max = 2 }
local m = mass { mass = 0.1, frequency = f0, velocity = hard, damping = 9 }
probe { on = m, quantity = "velocity", channel = 1 }
render { rate = 8000, duration = DURATION, oversample = 2, normalise = true, title = "Bell" }
play { pitch = "f0", velocity = "hard" }
"""

NETWORK = """
local wire = string { length = 0.5, tension = 40, density = 4e-3, sigma0 = 1, sigma1 = 1e-3, name = "wire" }
local bridge = mass { mass = 1e-3, frequency = 500, name = "bridge" }
local board = plate { size = { 0.4, 0.2 }, thickness = 1e-3, material_density = 2700, youngs = 7e10, sigma0 = 2,
                      segments = { 8, 4 }, name = "board" }
local box = modal { modes = { { 110, 1, 0.2, { 1, 0.5 } }, { 260, 0.8, 0.1, { 1, -0.8 } } }, name = "box" }
local bed = barrier { height = function(x) return -3e-4 - 1e-3 * x * x end, name = "bed" }
contact { above = wire, below = bed, K = 1e8, alpha = 1.5, name = "buzz" }
contact { above = wire, below = bridge, at_above = 0.42, K = 5e6, alpha = 1.3, law = "two-sided", name = "foot" }
contact { above = bridge, below = board, at_below = { 0.3, 0.15 }, K = 5e8, alpha = 1.3, name = "rattle" }
spring { between = { board, box }, at_a = { 0.1, 0.05 }, at_b = 2, K1 = 1e5, name = "post" }
bow { on = wire, at = 0.1, force = 0.5, velocity = 0.2, name = "stick" }
pluck { on = wire, shape = "triangle", at = 0.2, height = 3e-3 }
probe { on = board, at = { 0.2, 0.1 }, quantity = "velocity", name = "out" }
render { rate = 8000, duration = DURATION, title = "Network" }
"""


def song():
    """A MIDI file of three notes, one of them beyond the range of the bell."""
    events = b""
    for tick, byte, key in ((0, 0x90, 69), (10, 0x90, 67), (0, 0x90, 30), (30, 0x80, 69), (0, 0x80, 67), (0, 0x80, 30)):
        events += bytes((tick, byte, key, 90))
    track = events + b"\x00\xff\x2f\x00"
    return b"MThd" + struct.pack(">IHHH", 6, 0, 1, 480) + b"MTrk" + struct.pack(">I", len(track)) + track


# A command: its name, its arguments, the files it writes, and whether it takes long: fewer trials.
Command = collections.namedtuple("Command", "name arguments outputs slow", defaults=((), False))

COMMANDS = [
    Command("render", "render bounce.lua -o a.wav --data a.npy --energy a.csv --json a.json --quiet",
            ("a.wav", "a.npy", "a.csv", "a.json")),
    Command("render, normalised FLAC", "render bell.lua -o a.flac --bits 16", ("a.flac",)),
    Command("render, a Matlab file", "render bounce.lua --data a.mat --energy e.npy --quiet", ("a.mat", "e.npy")),
    Command("render, HDF5", "render bounce.lua --data a.h5 --energy e.csv --quiet", ("a.h5", "e.csv")),
    Command("render, a network", "render network.lua --data a.npy", ("a.npy",)),
    Command("render by name, a note", "render bell -o a.wav --note A4 --velocity 0.5 --threads 1", ("a.wav",)),
    Command("render, several scenes", "render bounce.lua network.lua bell -o out/ --data out/ --threads 2",
            ("out/bounce.wav", "out/bounce.npy", "out/network.wav", "out/network.npy", "out/bell.wav", "out/bell.npy")),
    Command("render --midi", "render bell --midi song.mid -o a.wav --json a.json --threads 2", ("a.wav", "a.json")),
    Command("render --json -", "render bounce.lua --json - --quiet"),
    Command("check", "check bounce.lua"),
    Command("check, a network", "check network.lua"),
    Command("scenes", "scenes"),
    Command("scenes --json", "scenes --json"),
    Command("params", "params bounce.lua"),
    Command("params --json", "params bell --json"),
    Command("compare", "compare bounce.lua --schemes ledger,newton --reference 2 --json a.json", ("a.json",), True),
    Command("compare, all schemes", "compare bounce.lua --reference 2", (), True),
    Command("plot", "plot bounce.lua -o a.png", ("a.png",), True),
    Command("plot, a spectrum", "plot bounce.lua --what spectrum -o a.svg", ("a.svg",), True),
    Command("plot, snapshots", "plot network.lua --what snapshots -o a.svg", ("a.svg",), True),
    Command("help --reference", "help --reference"),
    Command("new", "new mine", ("mine.lua",)),
    Command("new --from", "new mine --from bell", ("mine.lua",)),
    Command("repro", "repro papetti2011/eq9 --out r", (), True),
    Command("bench", "bench --count list"),
]
PLUGIN = [os.path.join(BUILD, name) for name in ("sistrum-lv2.so", "sistrum-lv2.txt")]
if all(map(os.path.exists, PLUGIN)):
    COMMANDS.append(Command("plugin", "plugin bell -o lv2 --threads 1",
                            tuple("lv2/bell.lv2/" + name for name in ("LICENSE.txt", "bell.ttl", "bundle.txt", "manifest.ttl",
                                                                      "scene.lua", "sistrum.so"))))


class Campaign:
    """Counts trials by kind, and says what failed."""

    def __init__(self, short, seed, threads):
        self.short, self.threads = short, threads
        self.random = random.Random(seed)
        self.counts = collections.OrderedDict()  # kind -> [passed, failed]
        self.failures = []
        self.lock = threading.Lock()
        self.work = tempfile.mkdtemp(prefix="sistrum-fault-")
        self.shim = os.path.join(self.work, "shim.so")
        subprocess.run([os.environ.get("CC", "cc"), "-O1", "-shared", "-fPIC", "-o", self.shim,
                        os.path.join(os.path.dirname(os.path.abspath(__file__)), "shim.c"), "-ldl"], check=True)
        # Away from its build folder the program finds no scenes but those of a trial.
        self.program = os.path.join(self.work, "bin", "sistrum")
        os.mkdir(os.path.dirname(self.program))
        for file in [PROGRAM, *filter(os.path.exists, PLUGIN)]:
            shutil.copy2(file, os.path.dirname(self.program))

    def close(self):
        shutil.rmtree(self.work, ignore_errors=True)

    def count(self, kind, wrong, about):
        """Notes one trial; `wrong` is None or says what does not hold."""
        with self.lock:
            row = self.counts.setdefault(kind, [0, 0])
            row[1 if wrong else 0] += 1
            if wrong:
                self.failures.append("%s: %s: %s" % (kind, about, wrong))
                if row[1] <= 20:
                    print("failed: " + self.failures[-1], file=sys.stderr, flush=True)

    def each(self, work, things):
        with concurrent.futures.ThreadPoolExecutor(self.threads) as pool:
            for done in [pool.submit(work, thing) for thing in things]:
                done.result()

    def table(self):
        passed = failed = 0
        print("%-44s %8s %8s" % ("faults", "passed", "failed"))
        for kind, (good, bad) in self.counts.items():
            print("%-44s %8d %8d" % (kind, good, bad))
            passed, failed = passed + good, failed + bad
        print("%d passed, %d failed" % (passed, failed))
        return failed == 0 and passed > 0


class Trial:
    """A folder with scenes in it, and with old files under the names of all outputs if wanted."""

    def __init__(self, campaign, command, old=True, place=None, duration="0.02"):
        self.campaign, self.command = campaign, command
        self.folder = tempfile.mkdtemp(prefix="t-", dir=place or campaign.work)
        self.scenes = self.folder + "-scenes" if not place else tempfile.mkdtemp(dir=campaign.work)
        os.makedirs(self.scenes, exist_ok=True)
        for name, text in (("bounce.lua", BOUNCE), ("network.lua", NETWORK), ("bell.lua", BELL)):
            self.write(os.path.join(self.scenes if name == "bell.lua" else self.folder, name),
                       text.replace("DURATION", duration).encode())
        self.write(self.path("bell.lua.txt"), BELL.replace("DURATION", duration).encode())
        self.write(self.path("song.mid"), song())
        if "bell.lua" in command.arguments:
            os.rename(self.path("bell.lua.txt"), self.path("bell.lua"))
        self.old = {}
        if old and not command.name.startswith("new"):
            for name in command.outputs:
                os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
                self.old[name] = (b"sistrum bundle 0 " if name.endswith("bundle.txt") else b"old ") + name.encode()
                self.write(self.path(name), self.old[name])
        self.before = self.listing()

    def path(self, name):
        return os.path.join(self.folder, name)

    @staticmethod
    def write(path, content):
        with open(path, "wb") as f:
            f.write(content)

    def listing(self):
        """Every file and folder below, with its content."""
        found = {}
        for folder, folders, files in os.walk(self.folder):
            for name in folders:
                found[os.path.relpath(os.path.join(folder, name), self.folder) + "/"] = None
            for name in files:
                path = os.path.join(folder, name)
                with open(path, "rb") as f:
                    found[os.path.relpath(path, self.folder)] = f.read()
        return found

    def environment(self, **faults):
        given = {"SISTRUM_FAULT_" + key: str(value) for key, value in faults.items()}
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("SISTRUM", "LD_PRELOAD"))}
        options = clean.get("ASAN_OPTIONS", "")
        if "FLAC" in self.command.name:  # whose memory is leaked shows only behind calls without frame pointers
            options += ":fast_unwind_on_malloc=0"
        return dict(clean, SISTRUM_SCENES=self.scenes, SISTRUM_DATA=SOURCE if "repro" in self.command.name else "/nowhere",
                    LD_PRELOAD=self.campaign.shim, LC_ALL="C.UTF-8", TMPDIR=self.campaign.work,
                    ASAN_OPTIONS="verify_asan_link_order=0:handle_segv=1:exitcode=99:" + options,
                    UBSAN_OPTIONS="halt_on_error=1", **given)

    def start(self, **faults):
        how = {"preexec_fn": faults.pop("before_exec")} if "before_exec" in faults else {}
        return subprocess.Popen([self.campaign.program, *self.command.arguments.split()], cwd=self.folder,
                                env=self.environment(**faults), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                stdin=subprocess.DEVNULL, **how)

    def run(self, **faults):
        """Exit code, standard output and standard error; code None: it hangs."""
        run = self.start(**faults)
        try:
            out, said = run.communicate(timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            run.kill()
            run.communicate()
            return None, b"", b"it hangs"
        return run.returncode, out, said

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.rmtree(self.scenes, ignore_errors=True)


# ---------------------------------------------------------------------------- what a command does without a fault

def plain(name, content):
    """A file without what differs from run to run."""
    if content is None or not name.endswith((".json", ".png", ".svg", ".html")):
        return content
    if name.endswith(".json"):
        return re.sub(rb'"(seconds|realtime_factor|nanoseconds|ns_per_step|cost)[a-z_]*": [^,\n]*', b"", content)
    return bool(content)  # a picture: it is there


def words(text):
    """The lines of a text without their numbers and units."""
    return [re.sub(rb"[-+0-9.e,%]+( ?[a-z\xc2\xb5]+)?\b|\s+", b" ", line) for line in text.splitlines()]


class Reference:
    """What comes out when nothing fails; found by running a few times."""

    def __init__(self, campaign, command, duration="0.02"):
        self.command = command
        self.report = os.path.join(campaign.work, "report-%d" % id(self))
        runs = []
        for _ in range(3 if not command.slow else 1):
            trial = Trial(campaign, command, duration=duration)
            code, out, said = trial.run(REPORT=self.report)
            if code != 0:
                raise SystemExit("%s does not work at all: %s %s" % (command.name, code, said.decode(errors="replace")))
            runs.append((out, {n: plain(n, c) for n, c in trial.listing().items()}))
            self.before = trial.before
            trial.close()
        with open(self.report) as f:
            self.allocations, self.calls = map(int, f.read().split())
        self.out = words(runs[0][0])
        self.vary = {i for out, _ in runs for i, line in enumerate(words(out)) if line != self.out[i]}
        self.files = runs[0][1]

    def differs(self, out, listing):
        """None, or how a run that claims success differs from one without a fault."""
        said = words(out)
        if len(said) != len(self.out):
            return "printed %d lines, not %d" % (len(said), len(self.out))
        for i, line in enumerate(said):
            if line != self.out[i] and i not in self.vary:
                return "printed '%s', not '%s'" % (line.decode(), self.out[i].decode())
        if set(listing) != set(self.files):
            return "files are %s, not %s" % (sorted(listing), sorted(self.files))
        for name, content in listing.items():
            if plain(name, content) != self.files[name]:
                return "%s has another content" % name
        return None


# ---------------------------------------------------------------------------- what must hold

def is_hidden(name):
    return os.path.basename(name.rstrip("/")).startswith(".sistrum-")


def lost_or_left(trial, listing, whole, partly=False):
    """None, or which file is lost, left or changed. Each output is old or `whole`, all of them alike unless `partly`."""
    new = set()
    for name, content in trial.before.items():
        if name not in listing:
            return "%s is lost" % name
        if listing[name] != content:
            if name not in trial.old or plain(name, listing[name]) != whole.get(name):
                return "%s is neither old nor whole" % name
            new.add(name)
    for name in listing:
        if name in trial.before:
            continue
        if name not in trial.command.outputs and name.rstrip("/") not in {os.path.dirname(o) for o in trial.command.outputs}:
            return "%s is left behind" % name
        if name in trial.command.outputs:
            if plain(name, listing[name]) != whole.get(name):
                return "%s is not whole" % name
            new.add(name)
    several = "several" in trial.command.name
    if new and not partly and not several and new != set(trial.command.outputs):
        return "only %s are new" % sorted(new)
    if several:
        for name in new:
            pair = {os.path.splitext(name)[0] + end for end in (".wav", ".npy")}
            if not partly and not pair <= new:
                return "only %s is new" % name
    return None


def one_sentence(said, several=False):
    """None, or what is wrong with what was said."""
    lines = said.decode(errors="replace").splitlines()
    complaints = [line for line in lines if line.startswith("sistrum: ") and "skipped" not in line]
    if "ERROR: " in said.decode(errors="replace") or "runtime error" in said.decode(errors="replace"):
        return "the sanitizer says: " + next(l for l in lines if "ERROR: " in l or "runtime error" in l)
    if not complaints:
        return "it fails without a sentence: %r" % said[-300:]
    if len(complaints) > 1 and not several:
        return "it says more than one sentence: %r" % said[-600:]
    return None


SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGXCPU, signal.SIGALRM, signal.SIGUSR1,
           signal.SIGUSR2, signal.SIGVTALRM, signal.SIGPROF]
