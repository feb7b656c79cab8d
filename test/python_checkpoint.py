"""Renderings with checkpoint=: killed at any moment, the same call goes on to the bits and the report of one that was not."""

import contextlib
import errno
import fcntl
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from unittest import mock

from python_case import BOUNCE, Case, HAND, LONG, SANITIZED, SOURCE, STRINGS, main, np, resident, sistrum

MOVED = {"x": [(0, 0.1), (0.3, 0.9), (0.5, 3.0)], "knock": [(0.01, 2), (0.44, 1)]}  # 3 is beyond its range
ROUGH = """
local push = input { "push", 0, min = -5, max = 5, unit = "N" }
local m = mass { mass = 0.01, frequency = 200, damping = 2, name = "ball" }
local K = param { "K", 1e7, min = 1e3, max = 1e11, scale = "log" }
contact { above = m, below = barrier { height = -0.001 }, K = K, alpha = 1.5, scheme = "verlet", name = "hit" }
force { on = m, shape = "constant", peak = push }
probe { on = m, quantity = "displacement", name = "u" }
render { rate = 44100, duration = 0.1 }
"""
PUSHED = {"push": [(0, 5), (0.1, 5), (0.11, -5), (0.2, -5), (0.21, 0)]}
SILENT = "local m = mass { mass = 0.1, frequency = 440, position = 0.25 } render { rate = 8000, duration = 1 }"
CASES = {
    "bounce": (BOUNCE, dict(duration=1.3, energy=True)),
    "rough": (ROUGH, dict(duration=0.5, energy=True, rate=96000, inputs=PUSHED)),
    "samples alone": (BOUNCE, dict(duration=1.3, scheme="newton")),
    "hand": (HAND, dict(duration=0.7, energy=True, inputs=MOVED)),
    "oversampled": (HAND, dict(duration=0.7, energy=True, inputs=MOVED, oversample=3)),
    "threads": (STRINGS, dict(duration=0.1, energy=True, threads=2)),
    "no probe": (SILENT, dict(energy=True)),
    "nothing at all": (SILENT, {}),
}

PROGRAM_TEXT = """
import json, os, signal, sys
import numpy as np
import sistrum
text, how, checkpoint, out = sys.argv[1:]
run = sistrum.parse(open(text).read()).render(checkpoint=checkpoint, every=0, **json.loads(how))
np.savez(out, data=run.data, energy=[] if run.energy is None else run.energy,
         more=repr((run.residual_max, run.links, run.state.clamped, run.state.inputs, run.state.energy, run.state.samples)))
"""


class Killed(BaseException):
    """What nobody catches."""


class Checkpoint(Case):
    def setUp(self):
        super().setUp()
        self.file = self.path("run.ckpt")

    def files(self):
        return sorted(name for name in os.listdir(self.folder) if not name.endswith((".lua", ".npz", ".py")))

    def bytes_of(self, *names):
        found = []
        for name in names or ("run.ckpt", "run.ckpt.part"):
            with open(self.path(name), "rb") as f:
                found.append(f.read())
        return found

    def same(self, run, whole):
        self.assertEqual(run.data.tobytes(), whole.data.tobytes())
        self.assertEqual(run.data.shape, whole.data.shape)
        self.assertEqual(run.energy is None, whole.energy is None)
        if run.energy is not None:
            self.assertEqual(run.energy.tobytes(), whole.energy.tobytes())
        for of in (lambda r: r.residual_max, lambda r: r._put_in, lambda r: r.links, lambda r: r.state.clamped,
                   lambda r: r.state.inputs, lambda r: r.state.energy, lambda r: r.state.samples, lambda r: r.state.copy().step(100).tobytes()):
            self.assertEqual(repr(of(run)), repr(of(whole)))

    def stopped(self, scene, after, how, why=Killed, **more):
        """A run that ends after so many rows."""
        def stop(done, total):
            if done >= after:
                raise why
        with self.assertRaises(why):
            scene.render(checkpoint=self.file, progress=stop, **{"every": 0, **how, **more})


class GoesOn(Checkpoint):
    @unittest.skipIf(SANITIZED, "the preloaded sanitizer ends programs of its own accord")
    def test_killed_at_random_moments(self):
        """kill -9, again and again, until one comes through."""
        dice = random.Random(26)
        program = self.scene("program.py", PROGRAM_TEXT)
        env = {**os.environ, "PYTHONPATH": os.path.join(SOURCE, "python")}
        kills = 0
        for name in ("bounce", "hand", "oversampled", "threads"):
            text, how = CASES[name]
            how = {**how, "duration": how["duration"] * (60 if name != "threads" else 12)}
            whole = sistrum.parse(text).render(**how)
            places = []
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                checkpoint, out = os.path.join(folder, "run.ckpt"), os.path.join(folder, "out.npz")
                for n in range(200):
                    child = subprocess.Popen([sys.executable, program, self.scene("a.lua", text), json.dumps(how), checkpoint, out],
                                             env=env)
                    wait = dice.uniform(0.05, 0.35) if n < (20 if LONG else 6) else 60
                    with contextlib.suppress(subprocess.TimeoutExpired):
                        child.wait(wait)
                    if child.poll() is None:
                        child.kill()
                        child.wait()
                        kills += 1
                    if child.returncode == 0:
                        break
                    self.assertEqual(child.returncode, -signal.SIGKILL)
                    if os.path.exists(checkpoint):
                        places.append(sistrum.load_state(checkpoint).samples)
                self.assertEqual(sorted(places), places)
                self.assertEqual(sorted(os.listdir(folder)), ["out.npz", "run.ckpt", "run.ckpt.part"])
                found = np.load(out)
                self.assertEqual(found["data"].tobytes(), whole.data.tobytes())
                self.assertEqual(found["energy"].tobytes(), whole.energy.tobytes())
                self.assertEqual(str(found["more"]), repr((whole.residual_max, whole.links, whole.state.clamped,
                                                           whole.state.inputs, whole.state.energy, whole.state.samples)))
        self.assertGreater(kills, 3)  # a fast machine is through before some of them

    @unittest.skipIf(SANITIZED, "the preloaded sanitizer does not like forks")
    def test_killed_before_and_after_every_call_of_the_system(self):
        text, how = CASES["hand"]
        scene = sistrum.parse(text)
        whole = scene.render(**how)
        pwrite, calls = os.pwrite, ("open", "pwrite", "fsync", "replace", "close", "pread")

        def dying(at, after):
            """The run in another process, which ends at its call number `at`."""
            child = os.fork()
            if child == 0:
                count = [0]

                def instead(real):
                    def call(*arguments):
                        count[0] += 1
                        if count[0] != at:
                            return real(*arguments)
                        try:
                            if after:
                                real(*arguments)
                            elif real is pwrite:  # half of it
                                real(arguments[0], arguments[1][:len(arguments[1]) // 2], arguments[2])
                        finally:
                            os._exit(9)
                    return call
                with contextlib.ExitStack() as stack:
                    for name in calls:
                        stack.enter_context(mock.patch.object(os, name, instead(getattr(os, name))))
                    try:
                        scene.render(checkpoint=self.file, every=0, **how)
                    except BaseException:
                        os._exit(3)
                    os._exit(0)
            code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            self.assertIn(code, (0, 9))
            return code == 9

        for after in (False, True):
            died = 0
            for at in range(1, 1000):
                if not dying(at, after):
                    break
                died += 1
                if at % 3 == 0:
                    dying(at // 2 + 1, after)  # a second time while it goes on
                self.same(scene.render(checkpoint=self.file, every=0, **how), whole)
                for file in self.files():
                    self.assertIn(file, ("run.ckpt", "run.ckpt.part"))
                    os.remove(self.path(file))
            self.assertGreater(died, 10)
            for file in self.files():
                os.remove(self.path(file))

    def test_ended_anywhere(self):
        """By an exception: it finds a checkpoint of the moment before."""
        for name, (text, how) in CASES.items():
            with self.subTest(name):
                scene = sistrum.parse(text)
                whole = scene.render(**how)
                rows = len(whole)
                for after in (1, rows // 3, rows // 2):
                    self.stopped(scene, after, how)
                    told = []
                    self.assertGreaterEqual(sistrum.load_state(self.file).samples, after * whole.system.oversample)
                run = scene.render(checkpoint=self.file, progress=lambda done, total: told.append((done, total)), **how)
                self.assertGreaterEqual(told[0][0], rows // 2)
                self.assertEqual(told[-1], (rows, rows))
                self.same(run, whole)
                for file in self.files():
                    os.remove(self.path(file))

    def test_interrupted_in_the_middle_of_anything(self):
        """As Ctrl-C does it: an exception between any two lines."""
        text, how = CASES["oversampled"]
        how = {**how, "duration": 60}
        scene = sistrum.parse(text)
        whole = scene.render(**how)
        dice = random.Random(1)

        def ring(*_):
            raise Killed
        before = signal.signal(signal.SIGALRM, ring)
        try:
            ended = 0
            for n in range(400):
                try:
                    signal.setitimer(signal.ITIMER_REAL, dice.uniform(0.001, 0.04))
                    run = scene.render(checkpoint=self.file, every=0.01, **how)
                    signal.setitimer(signal.ITIMER_REAL, 0)
                    break
                except Killed:
                    ended += 1
                    if n >= 40:
                        dice = random.Random()
                        dice.uniform = lambda a, b: 60.0
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        self.assertGreater(ended, 3)
        self.same(run, whole)
        self.assertEqual(self.files(), ["run.ckpt", "run.ckpt.part"])

    def test_it_is_written_every_so_many_seconds(self):
        text, how = CASES["hand"]
        scene = sistrum.parse(text)
        clock = [0.0]
        written = []
        real = os.replace

        def replace(*names):
            written.append(clock[0])
            real(*names)

        def told(done, total):
            clock[0] += 0.1
        with mock.patch("time.monotonic", lambda: clock[0]), mock.patch.object(os, "replace", replace):
            scene.render(checkpoint=self.file, every=0.25, progress=told, **{**how, "duration": 20})
        self.assertEqual(written[0], 0)
        self.assertGreater(len(written), 4)
        np.testing.assert_allclose(np.diff(written[:-1]), 0.3)

    def test_every_row_is_written_once(self):
        """And a run that is over is not made again."""
        text, how = CASES["oversampled"]
        scene = sistrum.parse(text)
        sizes = []
        real = os.pwrite

        def pwrite(descriptor, part, offset):
            sizes.append(len(part))
            return real(descriptor, part, offset)
        with mock.patch.object(os, "pwrite", pwrite):
            run = scene.render(checkpoint=self.file, every=0, **how)
        self.assertGreater(len(sizes), 3)
        self.assertEqual(sum(sizes), run.data.nbytes + run.energy.nbytes)
        self.assertEqual(os.path.getsize(self.file + ".part"), run.data.nbytes + run.energy.nbytes)
        files = self.bytes_of()
        with mock.patch.object(sistrum.State, "step", None):
            again = scene.render(checkpoint=self.file, **how)
        self.same(again, run)
        self.assertEqual(self.bytes_of(), files)
        np.testing.assert_array_equal(again.sound, run.sound)
        for file in self.files():
            os.remove(self.path(file))
        self.same(scene.render(checkpoint=self.file, **how), scene.render(**how))

    def test_memory_is_flat(self):
        scene = sistrum.parse(HAND)
        scene.render(duration=1, checkpoint=self.path("small"), every=0)
        before = resident()
        run = scene.render(duration=200, energy=True, checkpoint=self.file, every=0)
        own = run.data.nbytes + run.energy.nbytes
        self.assertGreater(own, 100e6)
        if not SANITIZED:
            self.assertLess(resident() - before - own, 0.15 * own)

    def test_any_width_and_any_number_of_threads(self):
        scene = sistrum.parse(STRINGS)
        whole = scene.render(energy=True)
        for lanes, threads, others, other_threads in ((1, 1, 8, 3), (8, 2, 1, 1), (4, 1, 2, 2)):
            def stop(done, total):
                if done > total // 2:
                    raise Killed
            with self.assertRaises(Killed):
                scene.compile(lanes=lanes).render(energy=True, threads=threads, progress=stop, checkpoint=self.file)
            self.same(scene.compile(lanes=others).render(energy=True, threads=other_threads, checkpoint=self.file, every=1), whole)
            for file in self.files():
                os.remove(self.path(file))

    def test_it_is_a_state(self):
        """Which can be looked at while the run goes on."""
        text, how = CASES["hand"]
        self.stopped(sistrum.parse(text), 100, how)
        state = sistrum.load_state(self.file)
        whole = sistrum.parse(text).render(**how)
        self.assertGreaterEqual(state.samples, 100)
        self.assertEqual(state.energy.kinetic, whole.energy["kinetic"][state.samples - 1])

    def test_another_call_than_the_first(self):
        """Scenes by file, by text and pickled are the same, and what is set to what it is anyway."""
        import pickle
        how = CASES["bounce"][1]
        scene = sistrum.load(self.scene("bounce.lua", BOUNCE))
        self.stopped(scene, 1000, how)
        self.stopped(pickle.loads(pickle.dumps(scene)), 20000, how)
        self.stopped(scene.set(K=1e7), 30000, how)
        system = sistrum.parse(BOUNCE).compile()
        self.same(system.render(how["duration"], True, checkpoint=self.file), scene.render(**how))

    def test_processes_that_are_forked_meanwhile_do_not_hold_it(self):
        """Such as the workers of a pool, which live on when the run has ended."""
        text, how = CASES["hand"]
        whole, forked, (begun, begins) = sistrum.parse(text).render(**how), [], os.pipe()

        def fork(done, _total):
            if done < len(whole) and not forked:
                forked.append(os.fork())
                if not forked[0]:
                    os.write(begins, b"x")
                    time.sleep(60)
                    os._exit(0)
                os.read(begun, 1)  # it is there, however busy the machine is
                raise InterruptedError
        with self.assertRaises(InterruptedError):
            sistrum.parse(text).render(checkpoint=self.file, progress=fork, **how)
        try:
            self.same(sistrum.parse(text).render(checkpoint=self.file, **how), whole)
        finally:
            os.kill(forked[0], signal.SIGKILL)
            os.waitpid(forked[0], 0)
            os.close(begun)
            os.close(begins)

    def test_links_are_followed(self):
        os.mkdir(self.path("disk"))
        os.symlink("disk/run.ckpt", self.file)
        text, how = CASES["hand"]
        self.stopped(sistrum.parse(text), 100, how)
        self.assertEqual(sorted(os.listdir(self.path("disk"))), ["run.ckpt", "run.ckpt.part"])
        self.assertTrue(os.path.islink(self.file))
        self.same(sistrum.parse(text).render(checkpoint=self.file, **how), sistrum.parse(text).render(**how))

    def test_states_that_sleep(self):
        state = sistrum.parse(BOUNCE.replace("damping = 2", "damping = 2000")).compile().state()
        state.step(44100)
        self.assertTrue(state.sleep(1e-6))
        state.save(self.file)
        other = sistrum.load_state(self.file)
        self.assertTrue(other.asleep)
        self.assertEqual(repr(other.step(100, energy=True)), repr(state.step(100, energy=True)))


class Refused(Checkpoint):
    def setUp(self):
        super().setUp()
        self.text, self.how = CASES["hand"]
        self.whole = sistrum.parse(self.text).render(**self.how)
        self.stopped(sistrum.parse(self.text), 1000, self.how)
        self.files_before = self.bytes_of()

    def refused(self, said, text=None, settings=None, kind=sistrum.StateError, **how):
        with self.assertRaisesRegex(kind, said) as caught:
            sistrum.parse(text or self.text, settings or {}).render(checkpoint=self.file, **{**self.how, **how})
        self.assertIn("run.ckpt", str(caught.exception))
        return caught.exception

    def test_another_run(self):
        for said, how in (("has another text", dict(text=self.text + "\n")), ("another text", dict(text=BOUNCE, inputs=None)),
                          ("rate = 8000.0 where this one has 16000", dict(rate=16000)),
                          ("it has 5600 samples where this one has 5608", dict(duration=0.701)),
                          ("oversample = 1 where this one has 2", dict(oversample=2)),
                          ("scheme = None where this one has 'newton'", dict(scheme="newton")),
                          ("energy=True where this one has False", dict(energy=False)),
                          ("its input 'knock' has another curve", dict(inputs={**MOVED, "knock": [(0.01, 2)]})),
                          ("its input 'knock' has another curve", dict(inputs={"x": MOVED["x"], "knock": []})),
                          ("its input 'x' has another curve", dict(inputs={**MOVED, "x": [(0, 0.1), (0.3, 0.8)]})),
                          ("x = 0.1 where this system has 0", dict(inputs={"knock": MOVED["knock"]})),
                          ("x = 0.1 where this system has 0.2", dict(inputs={**MOVED, "x": [(0, 0.2), (0.3, 0.8)]}))):
            with self.subTest(said):
                self.assertEqual(self.refused(said, **how).code, 2)
                self.assertEqual((self.bytes_of(), self.files()), (self.files_before, ["run.ckpt", "run.ckpt.part"]))
        with mock.patch.object(sistrum._c.lib, "sis_version", lambda: b"9.9.9"):
            self.refused("was saved by sistrum %s and this is 9.9.9" % sistrum.__version__)
        knob = sistrum.parse(BOUNCE)
        os.remove(self.file)
        os.remove(self.file + ".part")
        self.stopped(knob, 1000, {"duration": 1})
        self.refused(r"K = 10000000\.0 where this system has 20000000", text=BOUNCE, settings={"K": 2e7}, inputs=None,
                     duration=1, energy=False)

    def test_damage_anywhere(self):
        head, rows = self.files_before
        for name, data in (("run.ckpt", head), ("run.ckpt.part", rows)):
            for n in [*range(0, len(data), max(1, len(data) // 60)), len(data) - 1]:
                damaged = bytearray(data)
                damaged[n] ^= 0x10
                for wrong in (bytes(damaged), data[:n]):
                    with open(self.path(name), "wb") as f:
                        f.write(wrong)
                    if wrong == b"" and name == "run.ckpt":
                        self.refused("is no state")
                        continue
                    self.refused("is damaged or incomplete|is no state that sistrum has saved")
                    with open(self.path(name), "rb") as f:
                        self.assertEqual(f.read(), wrong)
            with open(self.path(name), "wb") as f:
                f.write(data)
        os.rename(self.file + ".part", self.path("elsewhere"))
        self.refused("'.*run.ckpt.part' is damaged or incomplete: it has 0 bytes")
        self.assertEqual(self.files(), ["elsewhere", "run.ckpt"])
        os.rename(self.path("elsewhere"), self.file + ".part")
        self.same(sistrum.parse(self.text).render(checkpoint=self.file, **self.how), self.whole)

    def test_other_files(self):
        os.rename(self.file, self.path("elsewhere"))
        self.refused("'.*run.ckpt.part' is there already, without '.*run.ckpt'")
        with open(self.file, "w") as f:
            f.write("my notes")
        self.refused("is no state that sistrum has saved")
        self.whole.state.save(self.file)
        self.refused("is a state that was saved, and the checkpoint of no run")
        os.remove(self.file)
        os.mkfifo(self.file)
        self.refused("is no regular file")
        os.remove(self.file)
        os.mkdir(self.file)
        self.refused("is no regular file")
        os.rmdir(self.file)
        scene = self.scene("bounce.lua", BOUNCE)
        self.good("render", scene, "--checkpoint", self.file, "--data", self.path("a.npy"), "-q")
        self.refused("is a checkpoint of the program: go on with it by sistrum render --resume")
        os.replace(self.path("elsewhere"), self.file)
        self.keep(*os.listdir(self.folder))
        self.bad(1, "is no checkpoint of this version of sistrum", "render", scene, "--resume", self.file,
                 "--data", self.path("a.npy"))
        self.same(sistrum.parse(self.text).render(checkpoint=self.file, **self.how), self.whole)

    def test_wrong_arguments(self):
        scene = sistrum.parse(self.text)
        for kind, how in ((sistrum.SettingError, dict(every=1)), (sistrum.SettingError, dict(checkpoint="")),
                          (sistrum.SettingError, dict(checkpoint=self.folder + "/")), (TypeError, dict(checkpoint=5)),
                          (TypeError, dict(checkpoint=self.file, every="often")), (ValueError, dict(checkpoint="a\0b")),
                          (sistrum.SettingError, dict(checkpoint=self.file, every=-1)),
                          (sistrum.SettingError, dict(checkpoint=self.file, every=float("nan"))),
                          (sistrum.SettingError, dict(checkpoint=self.file, every=float("inf")))):
            with self.subTest(how), self.assertRaises(kind):
                scene.render(**self.how, **how)
        self.assertEqual((self.bytes_of(), self.files()), (self.files_before, ["run.ckpt", "run.ckpt.part"]))

    def test_folders_that_cannot_be_written(self):
        scene = sistrum.parse(self.text)
        for path, why in ((self.path("none/run.ckpt"), errno.ENOENT), (self.file + "/run.ckpt", errno.ENOTDIR),
                          (self.path("n" * 300), errno.ENAMETOOLONG)):
            with self.assertRaises(OSError) as caught:
                scene.render(checkpoint=path, **self.how)
            self.assertEqual((caught.exception.errno, caught.exception.filename), (why, path))
        self.assertEqual(self.files(), ["run.ckpt", "run.ckpt.part"])

    def test_files_that_cannot_be_written_any_more(self):
        """A run that is over needs no more than to be read."""
        scene = sistrum.parse(self.text)
        real = os.open

        def reading(path, flags, *more):
            if flags & os.O_RDWR:
                raise OSError(errno.EROFS, "Read-only file system", path)
            return real(path, flags, *more)
        with mock.patch.object(os, "open", reading), self.assertRaises(OSError) as caught:
            scene.render(checkpoint=self.file, **self.how)
        self.assertEqual((caught.exception.errno, caught.exception.filename), (errno.EROFS, self.file + ".part"))
        self.assertEqual(self.bytes_of(), self.files_before)
        scene.render(checkpoint=self.file, **self.how)
        with mock.patch.object(os, "open", reading):
            self.same(scene.render(checkpoint=self.file, **self.how), self.whole)

    def test_one_run_at_a_time(self):
        scene = sistrum.parse(self.text)

        def told(done, total):
            with self.assertRaisesRegex(sistrum.RunError, "another run is writing '.*run.ckpt'"):
                scene.render(checkpoint=self.file, **self.how)
        self.same(scene.render(checkpoint=self.file, progress=told, every=0, **self.how), self.whole)
        with open(self.file + ".part", "rb") as f:
            fcntl.flock(f, fcntl.LOCK_EX | fcntl.LOCK_NB)  # it was let go

    def test_a_run_that_diverges(self):
        scene = sistrum.parse(ROUGH.replace("damping = 2", "position = 0.002, damping = 2"), K=1e11)
        with self.assertRaises(sistrum.RunError) as caught:
            scene.render(duration=5, rate=8000, energy=True, inputs=PUSHED)
        file = self.path("other.ckpt")
        for _ in range(2):
            with self.assertRaises(sistrum.RunError) as again:
                scene.render(duration=5, rate=8000, energy=True, inputs=PUSHED, checkpoint=file, every=0)
            self.assertEqual(str(again.exception), str(caught.exception))


@unittest.skipIf(SANITIZED, "the preloaded sanitizer does not like forks")
class Full(Checkpoint):
    def test_a_disk_that_is_full(self):
        """The old checkpoint stays good, and the run goes on from it where there is room again."""
        scene = sistrum.parse(HAND)
        how = dict(duration=20, energy=True, inputs=MOVED)
        whole = scene.render(**how)
        places = []
        for room in (10, 10000, 100000, 3000000, 9000000):
            child = os.fork()
            if child == 0:
                code = 1
                try:
                    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
                    resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))
                    scene.render(checkpoint=self.file, every=0, **how)
                except OSError as why:
                    code = 7 if (why.errno, why.filename) == (errno.EFBIG, self.file) else 2
                finally:
                    os._exit(code)
            self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 7)
            if room > 10:
                places.append(sistrum.load_state(self.file).samples)
                self.assertEqual(self.files(), ["run.ckpt", "run.ckpt.part"])
            else:
                self.assertEqual(self.files(), [])
        self.assertEqual(sorted(places), places)
        self.assertGreater(places[-1], 0)
        self.same(scene.render(checkpoint=self.file, **how), whole)


if __name__ == "__main__":
    main()
