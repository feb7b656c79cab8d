"""Everything public has a docstring and type hints; and whatever is passed to it, the answer is an exception at most."""

import ast
import inspect
import os
import random
import subprocess
import sys
import typing
import warnings

from python_case import BOUNCE, Case, HAND, LONG, SOURCE, STRINGS, main, np, sistrum

PACKAGE = os.path.join(SOURCE, "python", "sistrum")


def public_names():
    """(name, object) of everything in __all__, and what is public in its classes."""
    for name in sistrum.__all__:
        thing = getattr(sistrum, name)
        if not callable(thing):
            continue
        yield name, thing
        if not inspect.isclass(thing):
            continue
        for part, value in vars(thing).items():
            if not part.startswith("_") and (inspect.isfunction(value) or isinstance(value, (property, staticmethod))):
                yield "%s.%s" % (name, part), value.fget if isinstance(value, property) else value


# Numbers of numpy go where numbers go, and what comes back has a type.
USE = """
import numpy as np
import sistrum

scene = sistrum.load("tanpura", {"K": np.float64(1e7)}, peak=np.float32(5)).set(buzz=np.int64(0))
run = scene.render(np.float32(0.1), rate=np.int64(48000), oversample=np.int64(2), threads=np.int8(1))
rate: float = scene.rate + run.system.rate
count: int = scene.oversample + run.system.state_size
state = scene.compile(np.float32(44100)).state()
state.step(np.int64(64))
state.set(press=np.float64(1))
state.sleep(np.float32(0))
for block in state.play(np.float32(1), block=np.int32(256)):
    pass
sistrum.sweep(scene, random=np.int64(8), duration=np.float64(0.1), threads=np.int64(2)).scene(np.int64(0))
"""


class Hints(Case):
    def test_every_public_name_has_a_docstring_and_hints(self):
        seen = 0
        for name, thing in public_names():
            with self.subTest(name):
                self.assertGreater(len(inspect.getdoc(thing) or ""), 15, "no docstring")
                if inspect.isclass(thing):
                    if "__init__" not in vars(thing):
                        continue
                    thing = thing.__init__
                signature = inspect.signature(thing)
                for parameter in list(signature.parameters.values()):
                    if parameter.name != "self":
                        self.assertIsNot(parameter.annotation, inspect.Parameter.empty, parameter.name)
                self.assertIsNot(signature.return_annotation, inspect.Signature.empty, "no type of what it returns")
                seen += 1
        self.assertGreater(seen, 60)
        self.assertEqual(sorted(sistrum.__all__), sistrum.__all__)

    def test_hints_are_in_every_module(self):
        """Also of what is not public, so that a checker follows them through; py.typed says that they are there."""
        self.assertTrue(os.path.exists(os.path.join(PACKAGE, "py.typed")))
        for file in sorted(os.listdir(PACKAGE)):
            if not file.endswith(".py"):
                continue
            with open(os.path.join(PACKAGE, file), encoding="utf-8") as f:
                tree = ast.parse(f.read())
            self.assertIsNotNone(ast.get_docstring(tree), file)
            for node in ast.walk(tree):
                if isinstance(node, ast.FunctionDef):
                    self.assertIsNotNone(node.returns, "%s:%d %s" % (file, node.lineno, node.name))
                    for a in node.args.args + node.args.kwonlyargs:
                        self.assertTrue(a.annotation or a.arg == "self", "%s:%d %s" % (file, node.lineno, a.arg))

    def test_the_hints_can_be_read(self):
        """By tools that evaluate them."""
        for name, thing in public_names():
            if inspect.isfunction(thing):
                with self.subTest(name):
                    scope = vars(sys.modules[thing.__module__])
                    typing.get_type_hints(thing, {**vars(sistrum), **scope, "System": sistrum.System, "State": sistrum.State,
                                                  "Scene": sistrum.Scene, "Level": sistrum.Level})

    def test_mypy(self):
        try:
            import mypy  # noqa: F401
        except ImportError:
            self.skipTest("no mypy")
        with open(self.path("use.py"), "w", encoding="ascii") as f:
            f.write(USE)
        done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", self.path("cache"), PACKAGE, self.path("use.py")],
                              capture_output=True, text=True, env={**os.environ, "MYPYPATH": os.path.dirname(PACKAGE)})
        self.assertEqual(done.returncode, 0, done.stdout)


GARBAGE = [None, True, -1, 0, 2 ** 80, 1.5, float("nan"), float("inf"), -1e300, 1j, "", "x", "K", "\0", "\udcff", b"", b"\0\xff", [], [1],
           [[]], [[1, 2], [3]], [None], ["a"], (), {}, {"x": 1}, {"x": "y"}, {"x": None}, {"knock": [[1, 2, 3]]}, {1: 2}, object(), len,
           lambda *a: None, lambda *a: "x", lambda *a: [1, 2], np.zeros(0), np.zeros((3, 2)), np.zeros((2, 3))[:, ::2], np.zeros(5)[::-1],
           np.zeros(4, np.int8), np.zeros(4, complex), np.array(["a"]), np.array([object()]), np.array(None), np.float32(1), np.int64(-3),
           np.zeros((64, 2), order="F"), np.ma.array([1, 2], mask=[0, 1]), np.zeros(3, [("a", "f8")]), np.datetime64("2020-01-01"),
           memoryview(b"abc"), range(3), slice(1), Ellipsis, NotImplemented, type, sys]

NO_TEXTS = [value for value in GARBAGE if not isinstance(value, (str, bytes))]  # a text is the name of a file


class Garbage(Case):
    """Any value in any place: an exception of Python, never a crash."""

    def test_whatever_is_passed(self):
        warnings.simplefilter("ignore")  # numpy's, of comparisons with arrays
        draw = random.Random(1)
        scenes = [sistrum.parse(BOUNCE), sistrum.parse(HAND), sistrum.parse(STRINGS)]
        raised = calls = 0
        state = run = None

        def pick():
            return draw.choice(GARBAGE)

        for n in range(20000 if LONG else 1500):
            scene = draw.choice(scenes)
            if n % 20 == 0:
                state = scene.compile(audited=draw.random() < 0.5).state()
                run = state.system.render(0.002)
            system = state.system
            path = self.path("out.wav") if draw.random() < 0.5 else pick()
            call = draw.choice([
                lambda: sistrum.load(pick(), pick()), lambda: sistrum.parse(pick(), pick()), lambda: sistrum.find_scene(pick()),
                lambda: scene.set(pick()), lambda: scene.set(K=pick()), lambda: scene.compile(pick()), lambda: scene.compile(None, pick()),
                lambda: scene.compile(scheme=pick()), lambda: scene.compile(lanes=pick()), lambda: scene.note(pick(), pick()),
                lambda: scene.render(pick() if draw.random() < 0.1 else 0.001, inputs=pick()), lambda: system.render(0.001, inputs={"x": pick()}),
                lambda: system.render(0.001, threads=pick()), lambda: system.render(0.001, progress=pick()),
                lambda: system.render(0.001, checkpoint=self.path("g.ckpt"), every=pick()),
                lambda: system.render(0.001, checkpoint=draw.choice(NO_TEXTS), inputs=pick()),
                lambda: state.step(64, inputs=pick()), lambda: state.step(64, inputs={"x": pick()}), lambda: state.step(pick_small(pick())),
                lambda: state.step(1, threads=pick()), lambda: state.set(pick()), lambda: state.set(x=pick()),
                lambda: list(state.play(0.01, pick())), lambda: list(state.play(0.01, {"x": pick(), "knock": pick()})),
                lambda: list(state.play(0.01, block=pick())), lambda: list(state.play(0.01, lambda t: pick())),
                lambda: list(state.play(pick_small(pick()) or 0)), lambda: state.shape(pick()), lambda: state.contact(pick()),
                lambda: state.sleep(pick()), lambda: sistrum.State(system, pick()), lambda: sistrum.State(pick()),
                lambda: sistrum.step_batch(pick(), 5), lambda: sistrum.step_batch([state], pick_small(pick())), lambda: system.places(pick()),
                lambda: system.partials(pick(), pick_small(pick())), lambda: system.contact_points(pick()), lambda: run[pick()],
                lambda: run.wav(path, pick(), pick()), lambda: run.wav(self.path("out.wav"), gain=pick()), lambda: run.plot(None, pick()),
                lambda: sistrum.sweep(scene, self.path("g.db"), {"K": pick()}, duration=0.001), lambda: sistrum.sweep(pick()),
                lambda: sistrum.sweep(scene, self.path("g.db"), measures=pick(), axes={"K": [1e5]}, duration=0.001),
                lambda: sistrum.sweep(scene, self.path("g.db"), pairs=pick(), duration=0.001), lambda: sistrum.sweep(scene, random=pick_small(pick()) or 0,
                                                                                                    seed=pick(), duration=0.001),
                lambda: sistrum.Study(pick()), lambda: sistrum.merge(pick(), pick()), lambda: sistrum.load_state(pick()),
                lambda: sistrum.load_data(pick(), pick()), lambda: system.load_state(pick()),
                lambda: sistrum.System(pick(), pick(), pick(), pick(), pick(), pick()), lambda: sistrum.Scene(pick(), pick(), pick()),
                lambda: sistrum.Rendering(pick(), pick(), pick()), lambda: sistrum.Rendering(system, pick_small(pick()), pick(), pick()),
                lambda: sistrum.Data(pick(), pick(), pick()).time, lambda: sistrum.Impact(pick(), pick()).exit_speed])
            calls += 1
            try:
                call()
            except Exception:
                raised += 1
        self.assertGreater(raised, calls // 2)
        np.testing.assert_array_equal(scenes[0].render(0.01).data, sistrum.parse(BOUNCE).render(0.01).data)


def pick_small(value):
    """Not so much that it takes long."""
    try:
        return value if not value > 1000 else 3
    except Exception:
        return value


if __name__ == "__main__":
    main()
