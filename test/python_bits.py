"""The Python package gives the bits of the program: samples, energies, reports; in blocks, batches and threads."""

import _thread
import json
import threading
from unittest import mock

from python_case import BOUNCE, Case, NETWORK, SCENES, STRINGS, main, np, sistrum


class Bits(Case):
    def setUp(self):
        super().setUp()
        self.files = {name: self.scene(name + ".lua", text) for name, text in SCENES.items()}

    def rendered(self, path, *more):
        """Data, energies and report of the program."""
        npy, csv = self.path("o.npy"), self.path("o.csv")
        done = self.good("render", path, "--data", npy, "--energy", csv, "--json", "-", "--quiet", *more)
        return np.load(npy), np.loadtxt(csv, delimiter=",", skiprows=1, ndmin=2), json.loads(done.stdout)

    def same(self, run, data, energies, report):
        np.testing.assert_array_equal(run.data, data)
        np.testing.assert_array_equal(run.energy_time, energies[:, 0])
        for column, name in enumerate(sistrum.Energy._fields, 1):
            np.testing.assert_array_equal(run.energy[name], energies[:, column], name)
        self.assertEqual(run.residual_max, report["energy"]["residual_max"])
        self.assertEqual(len(run), report["samples"])

    def test_probes_and_energies_are_those_of_the_program(self):
        for name, path in self.files.items():
            if name == "plates":  # it has no probe
                continue
            with self.subTest(name):
                run = sistrum.load(path).render(energy=True)
                self.same(run, *self.rendered(path))
                np.testing.assert_array_equal(sistrum.load(path).render().data, run.data)

    def test_settings_rates_oversampling_and_schemes_too(self):
        run = sistrum.load(self.bounce, K=3e8).render(0.05, rate=32000, oversample=3, scheme="newton", energy=True)
        self.same(run, *self.rendered(self.bounce, "--set", "K=3e8", "--rate", "32000", "--oversample", "3",
                                      "--scheme", "newton", "--duration", "0.05"))
        self.assertEqual([link.scheme for link in run.system.links], ["newton", ""])

    def test_contacts_report_what_the_program_reports(self):
        run = sistrum.load(self.bounce).render(energy=True)
        told = self.rendered(self.bounce)[2]["contacts"][0]
        link = run.links["hit"]
        for key in ("max_penetration", "max_force", "min_force", "contact_samples", "iterations_max"):
            self.assertEqual(getattr(link, key), told[key], key)
        self.assertGreater(link.contact_samples, 10)

    def test_blocks_change_no_bit(self):
        for name, text in SCENES.items():
            system = sistrum.parse(text).compile()
            whole, energies = system.state().step(600, energy=True)
            self.assertEqual(whole.shape, (600, len(system.probes)))
            for size in (1, 7, 64, 200):
                parts = list(system.state().blocks(size, 600 // size, energy=True))
                n = 600 // size * size
                np.testing.assert_array_equal(np.concatenate([p for p, _ in parts]), whole[:n], name)
                np.testing.assert_array_equal(np.concatenate([e for _, e in parts]), energies[:n], name)

    def test_a_batch_is_one_after_the_other(self):
        scene = sistrum.parse(BOUNCE)
        systems = [scene.set(K=K).compile() for K in np.logspace(4, 10, 9)]
        systems.append(sistrum.parse(NETWORK).compile())
        alone = [system.state().step(500, energy=True) for system in systems]
        states = [system.state() for system in systems]
        halves = [sistrum.step_batch(states, n, energy=True) for n in (200, 300)]
        for i, (probes, energies) in enumerate(alone):
            np.testing.assert_array_equal(np.concatenate([h[i][0] for h in halves]), probes)
            np.testing.assert_array_equal(np.concatenate([h[i][1] for h in halves]), energies)
        self.assertEqual(len({tuple(p[-1]) for p, _ in alone}), len(alone), "every K gives another motion")
        self.assertEqual(sistrum.step_batch([], 5), [])
        with self.assertRaises(ValueError):
            sistrum.step_batch([states[0], states[0]], 5)

    def test_states_of_one_system_do_not_know_each_other(self):
        system = sistrum.parse(BOUNCE).compile()
        one, other = system.state(), system.state()
        one.step(777)
        saved = one.copy()
        rest = one.step(300)
        self.assertEqual((one.samples, saved.samples, other.samples), (1077, 777, 0))
        np.testing.assert_array_equal(saved.step(300), rest)
        np.testing.assert_array_equal(other.step(1077)[777:], rest)
        self.assertEqual(other.energy, one.energy)
        one.restart()
        np.testing.assert_array_equal(one.step(1077)[777:], rest)

    def test_threads_run_at_once_with_the_same_bits(self):
        system = sistrum.parse(SCENES["bridge"]).compile()
        expected, found = system.state().step(4000), {}

        def work(n):
            found[n] = np.concatenate(list(system.state().blocks(100, 40)))

        threads = [threading.Thread(target=work, args=(n,)) for n in range(6)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(len(found), 6)
        for data in found.values():
            np.testing.assert_array_equal(data, expected)

    def test_any_number_of_threads_gives_one_state_the_same_bits(self):
        system = sistrum.parse(STRINGS).compile()
        self.assertGreater(system.parts, 1)
        probes, energies = system.state().step(3000, energy=True)
        for threads in (2, 3, 64):
            state = system.state()
            parts = [state.step(n, energy=True, threads=threads) for n in (1, 999, 2000)]
            np.testing.assert_array_equal(np.concatenate([p for p, _ in parts]), probes)
            np.testing.assert_array_equal(np.concatenate([e for _, e in parts]), energies)
        run = sistrum.parse(STRINGS).render(duration=0.05, threads=4)
        np.testing.assert_array_equal(run.data, system.render(0.05).data)
        blocks = list(system.state().blocks(500, 6, threads=2))
        np.testing.assert_array_equal(np.concatenate(blocks), probes)
        for wrong in (0, -1, 5000):
            with self.assertRaisesRegex(ValueError, "threads is"):
                system.state().step(1, threads=wrong)

    def test_states_share_threads(self):
        system, found = sistrum.parse(STRINGS).compile(audited=False), {}
        expected = system.state().step(4000)

        def work(n):
            found[n] = np.concatenate(list(system.state().blocks(1000, 4, threads=2)))

        threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        for n in range(4):
            np.testing.assert_array_equal(found[n], expected)

    def test_what_is_raised_in_a_thread_waits_for_the_others(self):
        system = sistrum.parse(STRINGS).compile(audited=False)
        expected, state, start = system.state().step(2000), system.state(), _thread.start_new_thread
        interrupts = [KeyboardInterrupt(), KeyboardInterrupt()]

        def interrupted(*arguments):
            begun = start(*arguments)
            if interrupts:
                raise interrupts.pop()
            return begun

        with mock.patch.object(_thread, "start_new_thread", interrupted), self.assertRaises(KeyboardInterrupt):
            state.step(1000, threads=3)
        self.assertEqual(state.samples, 1000)
        np.testing.assert_array_equal(state.step(1000), expected[1000:])

    def test_a_state_sleeps_and_its_energy_is_accounted_for(self):
        system = sistrum.parse(STRINGS).compile()
        state, batch = system.state(), [system.state(), system.state()]
        state.step(2000)
        before = state.energy
        self.assertFalse(state.sleep(0.5 * before.total))
        self.assertFalse(state.asleep)
        self.assertTrue(state.sleep(2 * before.total))
        self.assertTrue(state.asleep)
        after = state.energy
        self.assertEqual(after.total, 0)
        self.assertEqual(after.dissipated, before.dissipated + before.total)
        for threads in (1, 2):
            self.assertFalse(state.step(100, threads=threads).any())
        self.assertEqual(state.samples, 2200)
        self.assertTrue(state.copy().asleep)
        sistrum.step_batch(batch, 2000)
        batch[0].sleep(1)
        slept, awake = sistrum.step_batch(batch, 500)
        self.assertFalse(slept.any())
        self.assertTrue(awake.any())
        state.restart()
        self.assertFalse(state.asleep)
        np.testing.assert_array_equal(state.step(2000), system.state().step(2000))

    def test_a_scene_may_be_compiled_by_many_threads(self):
        scene, found = sistrum.parse(SCENES["bridge"]), []
        threads = [threading.Thread(target=lambda r=r: found.append((r, scene.compile(rate=r).links[0].points)))
                   for r in (11025, 22050, 44100, 48000) * 3]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(len(found), 12)
        self.assertEqual(len(set(found)), 4)


if __name__ == "__main__":
    main()
