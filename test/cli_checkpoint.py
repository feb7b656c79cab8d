"""Runs that are killed at any moment and go on from their checkpoint to the same bytes."""

import hashlib
import json
import os
import random
import resource
import signal
import struct
import subprocess
import time

from cli_case import BOUNCE, Case, NETWORK, PROGRAM, main, read_bytes, read_text

# A string over a bridge, pushed by hand, and a ball that is struck, both at two steps a sample.
PLAYED = """
local push = input { "push", 0, min = -1, max = 1, unit = "N", smooth = 0.01 }
local blow = input { "blow", trigger = true }
local wire = string { length = 0.5, tension = 40, density = 4e-3, sigma0 = 1, sigma1 = 1e-3, name = "wire" }
local ball = mass { mass = 1e-3, frequency = 500, damping = 5, name = "ball" }
local bed = barrier { height = function(x) return -3e-4 - 1e-3 * x * x end, name = "bed" }
contact { above = wire, below = bed, K = 1e8, alpha = 1.5, name = "buzz" }
contact { above = wire, below = ball, at_above = 0.42, K = 5e6, alpha = 1.3, law = "two-sided", name = "foot" }
force { on = ball, shape = "constant", peak = push }
force { on = wire, at = 0.1, width = 2e-3, peak = 0.3, trigger = blow }
pluck { on = wire, shape = "triangle", at = 0.2, height = 3e-3 }
probe { on = ball, quantity = "velocity", name = "out", channel = 1 }
probe { on = wire, at = 0.1, quantity = "displacement", name = "w", channel = 2 }
render { rate = 16000, duration = 1.5, oversample = 2, normalise = true, title = "Played" }
"""

BELL = """
local f0 = param { "f0", 440, min = 300, max = 600, unit = "Hz" }
local hard = param { "hard", 1, min = 0.1, max = 2 }
local m = mass { mass = 0.1, frequency = f0, velocity = hard, damping = 9 }
probe { on = m, quantity = "velocity", channel = 1 }
render { rate = 8000, duration = 60, oversample = 3, normalise = true, title = "Bell" }
play { pitch = "f0", velocity = "hard" }
"""

EARS = """
local ear = input { "ear", 0, min = -1, max = 1, unit = "N" }
local m = mass { mass = 0.1, frequency = 440, damping = 9 }
force { on = m, shape = "constant", peak = ear }
probe { on = m, quantity = "velocity", channel = 1 }
play { sound = "ear" }
render { rate = 8000, oversample = 4 }
"""


def wav(seconds):
    """Noise of 16 bits at 8000 Hz."""
    dice = random.Random(7)
    frames = b"".join(struct.pack("<h", dice.randrange(-9000, 9000)) for _ in range(int(8000 * seconds)))
    return (b"RIFF" + struct.pack("<I", 36 + len(frames)) + b"WAVEfmt " +
            struct.pack("<IHHIIHH", 16, 1, 1, 8000, 16000, 2, 16) + b"data" + struct.pack("<I", len(frames)) + frames)


class Checkpoint(Case):
    def setUp(self):
        super().setUp()
        self.dice = random.Random(os.environ.get("SISTRUM_SEED", "11"))

    def write(self, name, content):
        with open(self.path(name), "wb") as f:
            f.write(content if isinstance(content, bytes) else content.encode())
        self.keep(name)
        return name

    def results(self, names):
        """What is in the files; of a report all but what depends on the clock."""
        found = {}
        for name in names:
            found[name] = hashlib.sha256(read_bytes(self.path(name))).hexdigest()
            if name.endswith(".json"):
                report = json.loads(read_text(self.path(name)))
                del report["speed"]
                found[name] = report
        return found

    def forget(self, names):
        for name in names:
            os.unlink(self.path(name))

    def once(self, arguments, after, number=signal.SIGKILL):
        """Starts or goes on, and is killed after so many seconds unless it is over before. Its code."""
        how = "--resume" if os.path.exists(self.path("c")) else "--checkpoint"
        run = subprocess.Popen([PROGRAM, "render", *arguments, "--quiet", how, "c", "--every", "0.005"], cwd=self.folder,
                               stderr=subprocess.PIPE)
        try:
            run.wait(after)
        except subprocess.TimeoutExpired:
            run.send_signal(number)
        _, said = run.communicate(timeout=60)
        self.assertIn(run.returncode, (0, -number), said)
        return run.returncode

    def has_state(self):
        return os.path.exists(self.path("c")) and os.path.getsize(self.path("c")) > 4096

    def kill_and_go_on(self, arguments, names, kills):
        start = time.monotonic()
        self.good("render", *arguments, "--quiet")
        seconds = time.monotonic() - start
        found = self.results(names)
        self.forget(names)
        for _ in range(200):
            if not self.once(arguments, seconds * self.dice.uniform(0.1, 1) if kills > 0 else 60):
                self.assertEqual(self.results(names), found)
                if kills <= 0:
                    break
                self.forget(names + ["c"])  # was over too soon: from the start again
            kills -= self.has_state()
        self.assertLessEqual(kills, 0)
        self.assertEqual(sorted(self.new_files()), sorted(names + ["c"]))
        self.assertIn(b"was over already", self.good("render", *arguments, "--resume", "c").stderr)
        self.assertEqual(self.results(names), found)
        self.forget(names + ["c"])

    def test_inputs_oversampled_normalised(self):
        self.write("played.lua", PLAYED)
        self.write("push.csv", "time,value\n0,0\n0.5,0.5\n0.7,-0.5\n1.4,1\n")
        self.write("blow.csv", "time,value\n0.2,1\n0.8,0.4\n1.4,1\n")
        arguments = ["played.lua", "--input", "push=push.csv", "--input", "blow=blow.csv", "-o", "a.wav", "--data", "a.mat",
                     "--energy", "a.csv", "--json", "a.json", "--record", "r.csv"]
        self.kill_and_go_on(arguments, ["a.wav", "a.mat", "a.csv", "a.json", "r.csv"], 4)

    def test_every_kind_of_file(self):
        """Dithered, not normalised, asleep at the end; a network with all kinds of bodies."""
        self.write("bounce.lua", BOUNCE.replace("duration = 0.1", "duration = 10"))
        kinds = ["npy", "csv", "mat"] + ["h5"] * self.has_hdf5()
        for kind in kinds:
            arguments = ["bounce.lua", "-o", "a.wav", "--bits", "16", "--data", "a." + kind, "--json", "a.json", "--sleep", "200"]
            self.kill_and_go_on(arguments, ["a.wav", "a." + kind, "a.json"], 1)
        self.write("network.lua", NETWORK.replace("duration = 0.06", "duration = 0.6"))
        arguments = ["network.lua", "-o", "a.flac", "--energy", "e.npy", "--json", "a.json"]
        self.kill_and_go_on(arguments, ["a.flac", "e.npy", "a.json"], 2)

    def test_notes_and_sound_from_outside(self):
        self.write("bell.lua", BELL)
        self.kill_and_go_on(["bell.lua", "--note", "A4", "--velocity", "0.5", "-o", "a.wav"], ["a.wav"], 1)
        self.write("ears.lua", EARS)
        self.write("noise.wav", wav(12))
        self.kill_and_go_on(["ears.lua", "--sound", "noise.wav", "-o", "a.wav", "--data", "a.npy"], ["a.wav", "a.npy"], 2)

    def has_hdf5(self):
        done = self.run_program("render", self.bounce, "--data", "x.h5", "--quiet")
        if os.path.exists(self.path("x.h5")):
            os.unlink(self.path("x.h5"))
        return done.returncode == 0

    def long_run(self):
        self.write("bounce.lua", BOUNCE.replace("duration = 0.1", "duration = 15"))
        return ["bounce.lua", "--oversample", "4", "-o", "a.wav", "--data", "a.npy"]

    def test_signals_leave_a_checkpoint(self):
        """One that can be caught ends the run at once, with what it has done."""
        arguments = self.long_run()
        run = subprocess.Popen([PROGRAM, "render", *arguments, "--quiet", "--checkpoint", "c", "--every", "1000"],
                               cwd=self.folder, stderr=subprocess.PIPE)
        self.wait_for_rows("a.npy.part")
        run.terminate()
        _, said = run.communicate(timeout=60)
        self.assertEqual(run.returncode, -signal.SIGTERM)
        self.assertRegex(said.decode(), r"ended by a signal; 'c' keeps the run as it was after [0-9.]+ s, for --resume")
        self.assertEqual(sorted(self.new_files()), ["a.npy.part", "a.wav.part", "c", "c.sound"])
        self.good("render", *arguments, "--quiet", "--resume", "c")
        found = self.results(["a.wav", "a.npy"])
        self.good("render", *arguments, "--quiet")
        self.assertEqual(self.results(["a.wav", "a.npy"]), found)

    def wait_for_rows(self, name):
        for _ in range(2000):
            if os.path.exists(self.path(name)) and os.path.getsize(self.path(name)) > 1000:
                return
            time.sleep(0.005)
        self.fail("nothing was written")

    def stopped(self, arguments):
        """A run that has come some way, and its checkpoint."""
        run = subprocess.Popen([PROGRAM, "render", *arguments, "--quiet", "--checkpoint", "c", "--every", "1000"],
                               cwd=self.folder, stderr=subprocess.PIPE)
        self.wait_for_rows("a.npy.part")
        run.send_signal(signal.SIGINT)
        run.communicate(timeout=60)
        return read_bytes(self.path("c"))

    def test_what_is_refused_changes_nothing(self):
        arguments = self.long_run()
        good = self.stopped(arguments)
        self.keep(*self.new_files())
        parts = self.results(["a.wav.part", "a.npy.part", "c.sound", "c"])
        other = [(["--rate", "8000"], "'rate: 44100 Hz', this one 'rate: 8000 Hz'"),
                 (["--set", "K=2e7"], "param K: 10000000"), (["--duration", "39"], "samples"),
                 (["--scheme", "newton"], "'scheme: as given', this one 'scheme: newton'"), (["--normalise", "on"], "--normalise: off"),
                 (["--bits", "16"], "--bits: 32f"), (["--gain", "3"], "--gain"), (["--sleep", "90"], "no more"),
                 (["--energy", "e.csv"], "--energy: e.csv")]
        for more, text in other:
            said = self.bad(2, text, "render", *arguments, *more, "--resume", "c")
            self.assertIn("nothing was changed", said)
        self.bad(2, "-o: a.wav", "render", "bounce.lua", "--oversample", "4", "-o", "b.wav", "--data", "a.npy", "--resume", "c")
        scene = read_text(self.path("bounce.lua"))
        self.write("bounce.lua", scene + "-- changed\n")
        self.bad(2, "scene: bounce.lua, SHA-256", "render", *arguments, "--resume", "c")
        self.write("bounce.lua", scene)
        self.bad(2, "is not over: go on", "render", *arguments, "--checkpoint", "c")
        self.bad(1, "is no checkpoint", "render", *arguments, "--resume", "bounce.lua")
        self.bad(1, "is no checkpoint", "render", *arguments, "--checkpoint", "bounce.lua")
        self.bad(1, "No such file", "render", *arguments, "--resume", "none")
        self.bad(1, "Is a directory", "render", *arguments, "--resume", ".")
        self.bad(1, "a.wav.part' is there already", "render", *arguments, "--checkpoint", "d")
        for broken in self.broken(good):
            self.write("c", broken)
            said = self.bad(1, "'c' ", "render", *arguments, "--resume", "c")
            self.assertIn("nothing was changed", said)
        self.write("c", self.sealed(good, b"version: ", b"version: 9"))
        self.bad(2, "'version: 9", "render", *arguments, "--resume", "c")
        self.write("c", self.another_state(good))
        self.bad(1, "'c' cannot be used here: the state belongs to another system", "render", *arguments, "--resume", "c")
        self.write("c", good)
        self.assertEqual(self.results(list(parts)), parts)
        self.keep("aside")
        os.rename(self.path("a.npy.part"), self.path("aside"))
        self.before.discard("a.npy.part")
        said = self.bad(1, "a.npy.part' is not there", "render", *arguments, "--resume", "c")
        self.assertIn("; 'c' stays as it was, for --resume", said)
        with open(self.path("a.npy.part"), "wb") as f:
            f.write(b"short")
        self.keep("a.npy.part")
        self.bad(1, "is shorter than it was", "render", *arguments, "--resume", "c")
        os.rename(self.path("aside"), self.path("a.npy.part"))
        self.before.discard("aside")
        self.assertEqual(self.results(list(parts)), parts)
        self.good("render", *arguments, "--resume", "c", "--quiet")

    def broken(self, good):
        yield b""
        yield good[:10]
        yield good[:60]
        for _ in range(4):
            yield good[:self.dice.randrange(len(good))]
            at = self.dice.randrange(len(good))
            yield good[:at] + bytes([good[at] ^ 1 << self.dice.randrange(8)]) + good[at + 1:]

    def sealed(self, good, old, new):
        """Changed, with the right check sum and length."""
        head, body = good[:len(b"sistrum checkpoint 1\n")], good[len(b"sistrum checkpoint 1\n") + 65:]
        length = struct.unpack("<Q", body[:8])[0] + len(new) - len(old)
        body = struct.pack("<Q", length) + body[8:].replace(old, new, 1)
        return head + hashlib.sha256(body).hexdigest().encode() + b"\n" + body

    def another_state(self, good):
        """Of a machine whose state looks different: its mark stands at the beginning of the state."""
        body = good[len(b"sistrum checkpoint 1\n") + 65:]
        length = struct.unpack("<Q", body[:8])[0]
        at = 8 + length + 8 + 5 * 8
        body = body[:at] + bytes(b ^ 255 for b in body[at:at + 64]) + body[at + 64:]
        return good[:len(b"sistrum checkpoint 1\n")] + hashlib.sha256(body).hexdigest().encode() + b"\n" + body

    def test_two_do_not_go_on_at_once(self):
        arguments = self.long_run()
        self.stopped(arguments)
        run = subprocess.Popen([PROGRAM, "render", *arguments, "--quiet", "--resume", "c"], cwd=self.folder,
                               stderr=subprocess.PIPE)
        os.kill(run.pid, signal.SIGSTOP)
        time.sleep(0.05)
        os.kill(run.pid, signal.SIGCONT)
        time.sleep(0.15)
        os.kill(run.pid, signal.SIGSTOP)
        before = self.run_program("render", *arguments, "--quiet", "--resume", "c")
        os.kill(run.pid, signal.SIGCONT)
        _, said = run.communicate(timeout=60)
        if before.returncode:
            self.assertIn(b"another run is writing", before.stderr)
            self.assertEqual(run.returncode, 0, said)
        self.keep("a.wav", "a.npy", "c")

    def test_names_only(self):
        """Killed when every file was complete and some had their names."""
        arguments = self.long_run()
        self.good("render", *arguments, "--quiet", "--checkpoint", "c")
        found = self.results(["a.wav", "a.npy"])
        over = read_bytes(self.path("c"))
        body = over[len(b"sistrum checkpoint 1\n") + 65:]
        self.assertEqual(struct.unpack("<Q", body[-8:])[0], 3)
        body = body[:-8] + struct.pack("<Q", 2)
        self.write("c", over[:len(b"sistrum checkpoint 1\n")] + hashlib.sha256(body).hexdigest().encode() + b"\n" + body)
        os.rename(self.path("a.npy"), self.path("a.npy.part"))
        self.write("c.sound", "")
        said = self.good("render", *arguments, "--resume", "c").stderr
        self.assertIn(b"done but for the names of its files", said)
        self.assertEqual(self.results(["a.wav", "a.npy"]), found)
        self.assertEqual(sorted(self.new_files()), ["a.npy", "a.wav"])
        self.assertEqual(read_bytes(self.path("c")), over)
        self.assertFalse(os.path.exists(self.path("c.sound")))
        self.good("render", *arguments, "--resume", "c")
        os.rename(self.path("a.npy"), self.path("b.npy"))
        self.before = set(os.listdir(self.folder))
        self.bad(1, "was over already, but 'a.npy' is not there any more: remove 'c'", "render", *arguments, "--resume", "c")
        os.rename(self.path("b.npy"), self.path("a.npy"))
        self.good("render", *arguments, "--quiet", "--checkpoint", "c")  # one that is over may be replaced

    def test_killed_when_over(self):
        """The checkpoint says that the run is over when nothing but its files is left."""
        self.write("bell.lua", BELL)
        arguments = ["bell.lua", "--duration", "0.2", "-o", "a.wav"]
        for _ in range(20):
            run = subprocess.Popen([PROGRAM, "render", *arguments, "--quiet", "--checkpoint", "c"], cwd=self.folder)
            while run.poll() is None:
                if self.is_over():
                    run.kill()
            run.wait()
            self.assertTrue(self.is_over())
            self.assertEqual(sorted(self.new_files()), ["a.wav", "c"])
            self.forget(["a.wav", "c"])

    def is_over(self):
        try:
            return read_bytes(self.path("c"))[-8:] == struct.pack("<Q", 3)
        except FileNotFoundError:
            return False

    def test_requests(self):
        self.write("bell.lua", BELL)
        self.write("song.mid", b"MThd")
        out = ("bell.lua", "-o", "a.wav")
        self.bad(2, "--checkpoint is for a run without --midi", "render", *out, "--midi", "song.mid", "--checkpoint", "c")
        self.bad(2, "--every is for a run with", "render", *out, "--every", "3")
        self.bad(2, "leave out --checkpoint", "render", *out, "--checkpoint", "c", "--resume", "c")
        self.bad(2, "one scene at a time", "render", "bell.lua", self.bounce, "-o", "out/", "--checkpoint", "c")
        self.bad(2, "cannot be kept", "render", "bell.lua", "--data", "-", "--checkpoint", "c")
        self.bad(2, "is the checkpoint itself", "render", *out, "--checkpoint", "a.wav")
        self.bad(1, "cannot write the checkpoint", "render", *out, "--checkpoint", "none/c")
        for working in "c.sound", "c.new":
            self.bad(2, "'%s' is a working file of the checkpoint 'c'" % working, "render", *out, "--json", working,
                     "--checkpoint", "c")
        self.bad(2, "--checkpoint: name a file, not '-'", "render", *out, "--checkpoint", "-")
        os.mkfifo(self.path("pipe"))
        self.keep("pipe")
        self.bad(1, "it is no regular file", "render", *out, "--checkpoint", "pipe")

    def test_full_disk(self):
        """Nothing is left when nothing was kept; what was kept goes on when there is room."""
        arguments = self.long_run()

        def little():
            resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 12, 1 << 12))
        self.bad(1, "File too large", "render", *arguments, "--checkpoint", "c", preexec_fn=little)
        self.stopped(arguments)
        size = os.path.getsize(self.path("a.npy.part"))
        self.keep(*self.new_files())

        def no_more():
            resource.setrlimit(resource.RLIMIT_FSIZE, (size + 4096, size + 4096))
        said = self.bad(1, "File too large", "render", *arguments, "--resume", "c", preexec_fn=no_more)
        self.assertIn("'c' keeps the run as it was after", said)
        self.good("render", *arguments, "--quiet", "--resume", "c")
        found = self.results(["a.wav", "a.npy"])
        self.good("render", *arguments, "--quiet")
        self.assertEqual(self.results(["a.wav", "a.npy"]), found)


if __name__ == "__main__":
    main()
