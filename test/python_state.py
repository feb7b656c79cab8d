"""States, systems and scenes that are copied, saved, pickled and sent to other processes go on with the same bits."""

import _thread
import copy
import hashlib
import json
import multiprocessing
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import unittest
from unittest import mock

from python_case import BOUNCE, Case, HAND, SANITIZED, SCENES, SOURCE, STRINGS, _c, main, np, sistrum
from sistrum import kept


def go_on(state, frames):
    """In another process."""
    return state.step(frames, energy=True)


def rendered(scene, K):
    """In another process."""
    return scene.set(K=K).render(0.02).data


IN_A_HANDLER = """
import signal, sys, time
import sistrum
state = sistrum.parse(open(sys.argv[1]).read()).compile().state()
saved = []
def save(*_):
    state.save(sys.argv[2])
    saved.append(sistrum.load_state(sys.argv[2]))
    state.copy(), state.energy, state.links
    signal.setitimer(signal.ITIMER_REAL, 0.02)  # not before this one is through, however slow the disk is
signal.signal(signal.SIGALRM, save)
signal.setitimer(signal.ITIMER_REAL, 0.02)
end = time.monotonic() + 30
while len(saved) < 3 and time.monotonic() < end:
    state.step(2000, threads=int(sys.argv[3]))
signal.setitimer(signal.ITIMER_REAL, 0)
assert len(saved) >= 3, saved
for other in saved:
    whole = other.system.state()
    whole.step(other.samples)
    assert bytes(whole) == bytes(other), other
"""


class Kept(Case):
    def files(self):
        """What is there beside the scenes."""
        return sorted(name for name in os.listdir(self.folder) if not name.endswith(".lua"))


class Copies(Kept):
    def check(self, make, energy=True):
        for name, text in {**SCENES, "strings": STRINGS, "hand": HAND}.items():
            for audited in (True, False):
                with self.subTest(name, audited=audited):
                    state = sistrum.parse(text).compile(audited=audited).state()
                    state.step(311)
                    if state.inputs:
                        state.set(x=0.3)
                    other = make(state)
                    self.assertIsNot(other, state)
                    self.assertEqual((other.samples, other.inputs), (311, state.inputs))
                    a, b = state.step(200, energy=True), other.step(200, energy=True)
                    for one, two in zip(a, b):
                        self.assertEqual(one.tobytes(), two.tobytes())

    def test_copies(self):
        self.check(copy.copy)
        self.check(lambda state: copy.deepcopy([state])[0])
        self.check(lambda state: sistrum.State(state.system, bytes(state)))

    def test_pickles(self):
        for protocol in (2, pickle.HIGHEST_PROTOCOL):
            self.check(lambda state, p=protocol: pickle.loads(pickle.dumps(state, p)))

    def test_files(self):
        def through_a_file(state):
            state.save(self.path("a.state"))
            return sistrum.load_state(self.path("a.state"))

        def of_the_same_system(state):
            state.save(self.path("a.state"))
            other = state.system.load_state(self.path("a.state"))
            self.assertIs(other.system, state.system)
            return other
        self.check(through_a_file)
        self.check(of_the_same_system)
        self.assertEqual(self.files(), ["a.state"])

    def test_flags_and_names_of_any_type(self):
        for audited in (1, 0, np.bool_(True), np.bool_(False), np.array(1)):
            for name in ("scene", b"sc\xffne", pathlib.Path("a") / "scene", np.str_("scene")):
                state = sistrum.parse(BOUNCE, name=name).compile(np.float32(8000), np.int64(2), audited=audited).state()
                state.step(np.int8(10))
                for other in pickle.loads(pickle.dumps(state)), kept.unpacked(kept.packed(state), "it", state.system):
                    self.assertEqual(bytes(other), bytes(state))
                    self.assertEqual((other.system.audited, other.system.name), (bool(audited), state.system.name))

    def test_scenes_and_systems(self):
        scene = sistrum.load(self.scene("bounce.lua", BOUNCE), K=3e8)
        os.remove(self.path("bounce.lua"))
        other = pickle.loads(pickle.dumps(scene))
        self.assertEqual((other.text, other.settings, other.name), (scene.text, {"K": 3e8}, scene.name))
        np.testing.assert_array_equal(other.render().data, scene.render().data)
        self.assertEqual(other.set(K=1e5).params["K"].value, 1e5)
        system = scene.compile(rate=32000, oversample=3, scheme="newton", audited=False)
        again = pickle.loads(pickle.dumps(system))
        self.assertEqual((again.rate, again.oversample, again.scheme, again.audited), (32000, 3, "newton", False))
        np.testing.assert_array_equal(again.render(0.02).data, system.render(0.02).data)
        self.assertIs(copy.deepcopy(system), system)
        self.assertIs(copy.copy(scene), scene)
        with self.assertRaises(sistrum.SettingError) as caught:
            other.set(K=-1)
        self.assertIn("K", str(caught.exception))

    def test_renderings(self):
        run = sistrum.parse(HAND).render(oversample=2, energy=True, inputs={"x": [(0, 0.1), (0.02, 0.7)], "knock": [(0.01, 2)]})
        other = pickle.loads(pickle.dumps(run))
        for name in ("data", "energy", "sound", "time"):
            np.testing.assert_array_equal(getattr(other, name), getattr(run, name))
        np.testing.assert_array_equal(other.state.step(100), run.state.step(100))
        self.assertEqual((other.residual_max, other.title), (run.residual_max, run.title))

    def test_every_width_takes_the_state_of_every_other(self):
        scene = sistrum.parse(STRINGS)
        expected = scene.compile(lanes=1).state().step(600)
        for lanes in (1, 2, 4, 8):
            state = scene.compile(lanes=lanes).state()
            np.testing.assert_array_equal(state.step(300), expected[:300])
            state.save(self.path("a.state"))
            for other in (0, 1, 2, 4, 8):
                going = scene.compile(lanes=other).load_state(self.path("a.state"))
                np.testing.assert_array_equal(going.step(300), expected[300:])

    @unittest.skipIf(SANITIZED, "the preloaded sanitizer ends programs of its own accord")
    def test_other_processes(self):
        state = sistrum.parse(SCENES["bridge"]).compile().state()
        state.step(500)
        scene = sistrum.parse(BOUNCE)
        with multiprocessing.get_context("spawn").Pool(2) as pool:
            going = pool.apply_async(go_on, (state, 300))
            runs = pool.starmap(rendered, [(scene, K) for K in (1e5, 1e6, 1e7)])
            probes, energies = going.get(60)
        own, joules = state.step(300, energy=True)
        np.testing.assert_array_equal(probes, own)
        np.testing.assert_array_equal(energies, joules)
        for K, data in zip((1e5, 1e6, 1e7), runs):
            np.testing.assert_array_equal(data, scene.set(K=K).render(0.02).data)

    @unittest.skipIf(SANITIZED, "the preloaded sanitizer ends programs of its own accord")
    def test_the_name_of_a_scene_where_files_have_no_such_names(self):
        sistrum.parse(BOUNCE, name="B\u00f6").compile().state().save(self.path("b.state"))
        how = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0",
               "PYTHONPATH": os.path.join(SOURCE, "python")}
        done = subprocess.run([sys.executable, "-c", "import sistrum, sys; print(ascii(sistrum.load_state(sys.argv[1])))", self.path("b.state")],
                              capture_output=True, text=True, env=how)
        self.assertEqual((done.stdout, done.stderr), ("<State of B\\xf6 after 0 steps>\n", ""))

    def test_a_checkpoint_in_the_middle_of_a_run(self):
        """A run that is killed and goes on in another process has the bits of one that was not."""
        scene = sistrum.parse(HAND)
        path = self.path("a.state")
        hand = {"x": [(0, 0), (0.05, 1)], "knock": [(0.01, 3), (0.04, 1)]}
        whole = np.concatenate(list(scene.compile().state().play(0.05, hand)))
        state, done = scene.compile().state(), []
        for block in state.play(0.05, hand, block=70):
            done.append(block)
            if state.samples >= 140:
                state.save(path)
                break
        program = "import sistrum, sys, numpy as np; s = sistrum.load_state(sys.argv[1]); " \
                  "np.save(sys.argv[2], np.concatenate(list(s.play(0.05 - s.time, %r))))" % hand
        subprocess.run([sys.executable, "-c", program, path, self.path("rest.npy")], check=True,
                       env={**os.environ, "PYTHONPATH": os.path.join(SOURCE, "python")})
        np.testing.assert_array_equal(np.concatenate([*done, np.load(self.path("rest.npy"))]), whole)


class Refused(Kept):
    def setUp(self):
        super().setUp()
        self.system = sistrum.parse(BOUNCE).compile()
        self.state = self.system.state()
        self.state.step(100)
        self.file = self.path("a.state")
        self.state.save(self.file)
        with open(self.file, "rb") as f:
            self.data = f.read()

    def refuse(self, data, said):
        with self.assertRaisesRegex(sistrum.StateError, said):
            kept.unpacked(data, "'a.state'")

    def test_saved_by_the_handler_of_a_signal(self):
        """Which comes while the state is stepped, as SIGTERM of a batch system does: it waited for itself."""
        for threads in "1", "2":
            done = subprocess.run([sys.executable, "-c", IN_A_HANDLER, self.scene("strings.lua", STRINGS), self.path("b.state"),
                                   threads], capture_output=True, timeout=60, text=True,
                                  env={**os.environ, "PYTHONPATH": os.path.join(SOURCE, "python")})
            self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_looked_at_before_a_thread_has_its_step(self):
        """By the handler of a signal that comes while a step is handed to a thread."""
        state, other = (sistrum.parse(STRINGS).compile().state() for _ in range(2))
        start, looked = _thread.start_new_thread, []

        def interrupted(*arguments):
            begun = start(*arguments) if len(looked) == 1 else None
            looked.append(state.copy())
            return begun or start(*arguments)
        signal.alarm(30)  # it waited for ever
        with mock.patch.object(_thread, "start_new_thread", interrupted):
            for _ in range(4):
                np.testing.assert_array_equal(state.step(100, threads=2), other.step(100))
                self.assertEqual(bytes(looked[-1]), bytes(other))
        signal.alarm(0)
        self.assertEqual(len(looked), 4)

    def test_looked_at_while_a_handler_looks(self):
        """By the handler of a signal that comes while that of another one makes the step, since no thread has it yet."""
        state, other = (sistrum.parse(STRINGS).compile().state() for _ in range(2))
        start, step, looked = _thread.start_new_thread, _c.lib.sis_step, []

        def interrupted(*arguments):
            looked.append(state.copy())
            return start(*arguments)

        def stepped(*arguments):
            if len(looked) == 1:
                raise KeyboardInterrupt
            step(*arguments)
            looked.append(state.copy())
        signal.alarm(30)  # it waited for ever
        with mock.patch.object(_thread, "start_new_thread", interrupted), mock.patch.object(_c.lib, "sis_step", stepped):
            state.step(100, threads=2)
            with self.assertRaises(KeyboardInterrupt):
                looked.clear()
                looked.append(None)
                state.step(100, threads=2)
        signal.alarm(0)
        other.step(100)
        self.assertEqual(bytes(state), bytes(other))

    def test_damage_anywhere(self):
        for n in list(range(0, len(self.data), max(1, len(self.data) // 300))) + [len(self.data) - 1]:
            damaged = bytearray(self.data)
            damaged[n] ^= 0x10
            self.refuse(bytes(damaged), "is damaged or incomplete|is no state that sistrum has saved")
            self.refuse(self.data[:n], "is damaged or incomplete|is no state that sistrum has saved")
        self.refuse(self.data + b"\0", "is damaged")
        self.refuse(b"", "is no state")
        with open(self.path("no.state"), "wb") as f:
            f.write(b"RIFF")
        with self.assertRaisesRegex(sistrum.StateError, "'no.state' is no state that sistrum has saved"):
            sistrum.load_state(self.path("no.state"))
        with self.assertRaises(FileNotFoundError):
            sistrum.load_state(self.path("none.state"))

    def test_another_version(self):
        with mock.patch.object(_c.lib, "sis_version", lambda: b"9.9.9"):
            self.refuse(self.data, "was saved by sistrum %s and this is 9.9.9" % sistrum.__version__)

    def test_another_system(self):
        for text, settings, compiled, said in (
                (HAND, {}, {}, "is of another scene: scene has another text"),
                (BOUNCE + "\n", {}, {}, "is of another scene"),
                (BOUNCE, {"K": 2e7}, {}, r"is of other settings: it has K = 10000000\.0 where this system has 20000000\.0"),
                (BOUNCE, {}, {"rate": 48000}, r"it has rate = 44100\.0 where this one has 48000"),
                (BOUNCE, {}, {"oversample": 2}, "it has oversample = 1 where this one has 2"),
                (BOUNCE, {}, {"scheme": "newton"}, "it has scheme = None where this one has 'newton'"),
                (BOUNCE, {}, {"audited": False}, "it has audited = True where this one has False")):
            with self.subTest(said), self.assertRaisesRegex(sistrum.StateError, said) as caught:
                sistrum.parse(text, settings).compile(**compiled).load_state(self.file)
            self.assertIsInstance(caught.exception, ValueError)
            self.assertEqual(caught.exception.code, 2)
        sistrum.parse(BOUNCE, K=1e7).compile().load_state(self.file)  # set to what it is anyway

    def test_bytes_of_another_system(self):
        other = sistrum.parse(HAND).compile()
        def summed(memory):
            return memory + hashlib.sha256(memory).digest()

        size = self.system.state_size
        for memory, said in ((bytes(3), "are no state of this system"), (bytes(size), "are no state of this system"),
                             (bytes(size + 32), "check sum is wrong"), (summed(bytes(size)), "belongs to another system"),
                             (summed(bytes(size - 1)), "no state of this system"), (bytes(other.state()), "")):
            with self.assertRaisesRegex(ValueError, said):
                sistrum.State(self.system, memory)
        for wrong in (5, "text", object()):
            with self.assertRaises(TypeError):
                sistrum.State(self.system, wrong)
            with self.assertRaises(TypeError):
                sistrum.State(wrong)

    def test_damaged_bytes(self):
        """They hold numbers of points: the library would look for these outside of the state."""
        good = bytes(self.state)
        for at in range(0, len(good), max(1, len(good) // 97)):
            with self.assertRaisesRegex(ValueError, "check sum is wrong"):
                sistrum.State(self.system, good[:at] + bytes([good[at] ^ 255]) + good[at + 1:])

    def test_a_folder_that_cannot_be_written(self):
        with self.assertRaises(OSError):
            self.state.save(self.path("none/a.state"))
        os.mkdir(self.path("folder"))
        with self.assertRaises(OSError):
            self.state.save(self.path("folder"))
        self.assertEqual(self.files(), ["a.state", "folder"])
        before = self.data
        with mock.patch("os.fsync", side_effect=OSError("the disk is full")), self.assertRaises(OSError):
            self.state.save(self.file)
        with open(self.file, "rb") as f:
            self.assertEqual(f.read(), before)
        self.assertEqual(self.files(), ["a.state", "folder"])
        with self.assertRaises(OSError) as caught, kept.Replacing(self.file):
            raise OSError(28, "No space left on device")  # of a write, which knows no name
        self.assertEqual((caught.exception.errno, caught.exception.filename), (28, self.file))
        self.assertEqual(self.files(), ["a.state", "folder"])

    def test_forged_headings(self):
        """Their check sum is right, but what wrote them is no sistrum."""
        begin = len(kept.MARK) + 8
        end = begin + int.from_bytes(self.data[len(kept.MARK):begin], "little")
        heading, rest = json.loads(self.data[begin:end]), self.data[end:-kept.SHA]

        def forged(raw):
            body = kept.MARK + len(raw).to_bytes(8, "little") + raw + rest
            return body + hashlib.sha256(body).digest()
        for raw in (b"", b"{", b"[]", b"null", b'"x"', b"\xff", b"[" * 100000):
            self.refuse(forged(raw), "'a.state' is no state that sistrum has saved: its heading has no version")
        count = 0
        for key in heading:
            for value in (None, -1, 0.5, "x", [], {}, [["a"]], [["K", "x"]], [[1, 2]], 2 ** 70, 10 ** 400, True):
                for other in ({k: v for k, v in heading.items() if k != key}, {**heading, key: value}):
                    for system in (None, self.system):
                        try:
                            kept.unpacked(forged(json.dumps(other).encode()), "'a.state'", system)
                        except sistrum.SistrumError:
                            count += 1
        self.assertGreater(count, 300)
        self.refuse(forged(json.dumps({**heading, "text_bytes": "x"}).encode()), "its heading has no text_bytes")

    def test_long_names(self):
        for name in ("\u00fc" * 124 + ".state", "x" * 249 + ".state"):
            self.state.save(self.path(name))
            self.assertEqual(sistrum.load_state(self.path(name)).samples, self.state.samples)
            self.assertIn(name, self.files())
        self.assertEqual(len(self.files()), 3)

    def test_links_pipes_and_permissions(self):
        """As in the program: a link is followed, a file keeps its permissions, a pipe stays one."""
        os.symlink("a.state", self.path("link"))
        os.symlink("new.state", self.path("nowhere"))
        os.chmod(self.file, 0o600)
        self.state.step(1)
        for name, file in (("link", "a.state"), ("nowhere", "new.state")):
            self.state.save(self.path(name))
            self.assertTrue(os.path.islink(self.path(name)))
            self.assertEqual(sistrum.load_state(self.path(file)).samples, self.state.samples)
        self.assertEqual(os.stat(self.file).st_mode & 0o777, 0o600)
        os.mkfifo(self.path("pipe"))
        reader = subprocess.Popen(["cat", self.path("pipe")], stdout=subprocess.PIPE)
        self.state.save(self.path("pipe"))
        heard, _ = reader.communicate(timeout=60)
        self.assertEqual(kept.unpacked(heard).samples, self.state.samples)
        self.assertTrue(os.path.exists(self.path("pipe")) and not os.path.isfile(self.path("pipe")))
        self.assertEqual(self.files(), ["a.state", "link", "new.state", "nowhere", "pipe"])

    def test_ctrl_c_just_after_a_file_got_its_name(self):
        """It comes out as what it is, not as a temporary file that is not there any more."""
        real = os.replace

        def replace(*names):
            real(*names)
            raise KeyboardInterrupt
        with mock.patch.object(os, "replace", replace), self.assertRaises(KeyboardInterrupt):
            self.state.save(self.path("b.state"))
        self.assertEqual(self.files(), ["a.state", "b.state"])


if __name__ == "__main__":
    main()
