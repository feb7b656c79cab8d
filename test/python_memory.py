"""The Python package leaks nothing."""

import contextlib
import gc
import os
import pickle

from python_case import BOUNCE, Case, HAND, LONG, SANITIZED, SCENES, SWEEPS, main, np, resident, sistrum
from sistrum import kept


class Memory(Case):
    def steady(self, cycle, count):
        """So many cycles after a few take no more memory: 100 bytes each would show."""
        count = count // 10 if SANITIZED else 10 * count if LONG else count
        for _ in range(max(count // 10, 3)):
            cycle()
        gc.collect()
        before, files = resident(), len(os.listdir("/proc/self/fd"))
        for _ in range(count):
            cycle()
        gc.collect()
        self.assertEqual(len(os.listdir("/proc/self/fd")), files)
        if not SANITIZED:  # which keeps what was freed
            self.assertLess(resident() - before, (2 << 20) + 100 * count)

    def failing(self, call):
        with contextlib.suppress(sistrum.SistrumError, ValueError):
            call()
            self.fail("it did not fail")

    def test_loads_and_failures_take_no_memory(self):
        def cycle():
            scene = sistrum.parse(SCENES["bridge"])
            scene.compile().state().step(10, energy=True)
            for bad in ("?", "mass { mass = 1, ", BOUNCE.replace("mass = 0.01", "mass = -1")):
                self.failing(lambda text=bad: sistrum.parse(text))
        self.steady(cycle, 1000)

    def test_failures_of_everything_else(self):
        scene = sistrum.parse(BOUNCE)
        system = scene.compile()
        packed = pickle.dumps(system.state())
        state = system.state()

        def cycle():
            for call in (lambda: scene.compile(rate=-1), lambda: scene.compile(rate=100), lambda: scene.set(K=-1),
                         lambda: scene.set(Q=1), lambda: state.step(5, inputs=np.zeros((4, 4))), lambda: state.set(x=1),
                         lambda: sistrum.State(system, b"none"), lambda: kept.unpacked(packed[:99]),
                         lambda: sistrum.Study(self.path("none.db")), lambda: sistrum.load("no/scene.lua")):
                self.failing(call)
        self.steady(cycle, 300)

    def test_states_that_are_pickled_and_played(self):
        scene = sistrum.parse(HAND)
        state = scene.compile().state()

        def cycle():
            other = pickle.loads(pickle.dumps(state))
            list(other.play(0.001, {"x": lambda t: 0.5}))
            scene.render(0.001, oversample=2).sound
        self.steady(cycle, 200)

    def test_checkpoints(self):
        scene = sistrum.parse(HAND)

        def stop(done, total):
            raise KeyError

        def cycle():
            file = self.path("run.ckpt")
            with self.assertRaises(KeyError):
                scene.render(0.3, energy=True, checkpoint=file, progress=stop)
            self.failing(lambda: scene.render(0.4, energy=True, checkpoint=file))
            scene.render(0.3, energy=True, checkpoint=file, every=0)
            with self.assertRaises(FileNotFoundError):
                scene.render(0.3, checkpoint=self.path("none/run.ckpt"))
            os.remove(file)
            self.failing(lambda: scene.render(0.3, checkpoint=file))
            os.remove(file + ".part")
        self.steady(cycle, 100)

    def test_sounds_pages_and_studies(self):
        run = sistrum.parse(BOUNCE).render(0.002, energy=True)

        def cycle():
            run.wav(self.path("a.wav"), bits=16)
            self.failing(lambda: run.wav(self.path("a.flac"), bits="32f"))
            run._repr_html_()
        self.steady(cycle, 100)

        def study():
            found = sistrum.sweep(run.system.scene, axes={"K": [1e5, 1e6]}, duration=0.002, threads=1,
                                  measures={"peak": None, "mean": lambda s, r: s.mean()})
            self.assertEqual(len(found), 2)
            self.failing(lambda: sistrum.sweep(run.system.scene, axes={"Q": [1]}))
        if SWEEPS:
            self.steady(study, 30)

    def test_states_outlive_what_they_came_from(self):
        state = sistrum.parse(SCENES["bridge"]).compile().state()
        gc.collect()
        self.assertEqual(state.step(100).shape, (100, 1))
        self.assertGreater(len(state.links), 0)


if __name__ == "__main__":
    main()
