"""Inputs in Python: curves, values that are set, hands that play live."""

import os
import pty
import signal
import subprocess
import sys
import time
import unittest

from python_case import BOUNCE, Case, HAND, SANITIZED, SOURCE, main, np, sistrum


class Gestures(Case):
    def test_inputs_are_listed_with_what_follows_them(self):
        inputs = sistrum.parse(HAND).inputs
        self.assertEqual(list(inputs), ["x", "knock"])
        self.assertEqual(inputs["x"], sistrum.Input("x", "hand", "m", 0, 0, -1, 1, 0, False,
                                                    (("mass", "finger", "path"),)))
        self.assertEqual((inputs["knock"].trigger, inputs["knock"].follows), (True, (("force", "tap", "trigger"),)))
        self.assertEqual(sistrum.parse(HAND, x=0.5).inputs["x"][3:5], (0.5, 0))
        self.assertEqual([i.name for i in sistrum.parse(HAND).compile().inputs], ["x", "knock"])
        self.assertEqual(sistrum.parse(BOUNCE).inputs, {})
        with self.assertRaises(sistrum.SettingError):
            sistrum.parse(HAND, x=2)

    def test_a_value_that_is_set_holds(self):
        state = sistrum.parse(HAND).compile().state()
        state.step(10)
        state.set(x=0.5)
        self.assertEqual(state.inputs, {"x": 0.5, "knock": 0})
        self.assertEqual(state.step(10)[-1, 0], 0.25)
        state.set({"x": 3})
        self.assertEqual((state.inputs["x"], state.clamped), (1, {"x": 1, "knock": 0}))
        with self.assertRaises(sistrum.SettingError):
            state.set(y=1)

    def test_rows_are_what_values_one_by_one_are(self):
        system, wave = sistrum.parse(HAND).compile(), np.sin(np.arange(200) / 9)
        blows = np.zeros(200)
        blows[[20, 90]] = 3, 2
        alone = system.state()
        one_by_one = []
        for value, blow in zip(wave, blows):
            alone.set(x=value)
            if blow:
                alone.set(knock=blow)
            one_by_one.append(alone.step(1)[0])
        by_name = system.state().step(200, inputs={"x": wave, "knock": blows})
        np.testing.assert_array_equal(by_name, one_by_one)
        rows = system.state().step(200, inputs=np.column_stack([wave, blows]))
        np.testing.assert_array_equal(rows, one_by_one)
        halves = system.state()
        parts = [halves.step(77, inputs={"x": wave[:77], "knock": blows[:77]}),
                 halves.step(123, inputs={"x": wave[77:], "knock": blows[77:]})]
        np.testing.assert_array_equal(np.concatenate(parts), one_by_one)
        with self.assertRaises(ValueError):
            system.state().step(10, inputs=np.zeros((10, 3)))

    def test_curves_give_the_bits_of_the_program(self):
        path = self.scene("hand.lua", HAND)
        curve, blows = [(0, 0.1), (0.013, 0.7), (0.04, -2)], [(0.01, 3), (0.03, 1)]
        arguments = []
        for name, points in (("x", curve), ("knock", blows)):
            arguments += ["--input", "%s=%s" % (name, self.scene(name + ".csv", "".join("%r,%r\n" % p for p in points)))]
        npy = self.path("o.npy")
        for oversample in (1, 3):
            self.good("render", path, "--data", npy, "--oversample", str(oversample), *arguments)
            run = sistrum.load(path).render(oversample=oversample, energy=True, inputs={"x": curve, "knock": blows})
            np.testing.assert_array_equal(run.data, np.load(npy))
            self.assertLess(run.residual_max, 1e-12)
            self.assertGreater(run.state.clamped["x"], 0)

    def test_a_trigger_without_a_curve_is_struck_once(self):
        path, npy = self.scene("hand.lua", HAND), self.path("o.npy")
        self.good("render", path, "--data", npy)
        scene = sistrum.load(path)
        struck = scene.render().data
        np.testing.assert_array_equal(struck, np.load(npy))
        np.testing.assert_array_equal(struck, scene.render(inputs={"knock": [(1 / 8000, 1)]}).data)
        np.testing.assert_array_equal(struck, scene.compile().render().data)
        self.assertGreater(abs(struck[:, 1]).max(), 0)
        self.assertEqual(abs(scene.render(inputs={"knock": []}).data).max(), 0)
        self.assertEqual(abs(scene.compile().state().step(400)).max(), 0)  # step by step the caller strikes
        play = sistrum.parse(HAND + 'param { "p", 1, min = 0, max = 1 }\nplay { velocity = "p" }')
        self.assertEqual(abs(play.render().data).max(), 0)

    def test_wrong_curves_are_refused(self):
        scene = sistrum.parse(HAND)
        for curves in ({"y": [(0, 1)]}, {"x": []}, {"x": [(0, 1), (0, 2)]}, {"x": [(0, float("nan"))]}, {"x": [1, 2, 3]}):
            with self.assertRaises(sistrum.SettingError):
                scene.render(inputs=curves)
        for curves in ([], 3, np.zeros(3)):
            with self.assertRaisesRegex(TypeError, "inputs are"):
                scene.render(inputs=curves)
        with self.assertRaisesRegex(sistrum.SettingError, "no number"):
            scene.render(inputs={"x": np.ma.array([(0, 0), (1, 1)], mask=[(0, 0), (0, 1)])})
        state = scene.compile().state()
        state.step(4, inputs={"x": np.ma.array([0.1, 0.2, 0.3, 9], mask=[0, 0, 0, 1])})
        self.assertEqual((state.inputs["x"], state.clamped["x"]), (0.3, 1))


class Live(Case):
    """State.play: inputs that move while it sounds."""

    def setUp(self):
        super().setUp()
        self.system = sistrum.parse(HAND).compile()

    def play(self, *arguments, **more):
        return np.concatenate(list(self.system.state().play(*arguments, **more)))

    def test_functions_arrays_curves_and_numbers_are_the_same_hand(self):
        rate, count = self.system.step_rate, 400
        times, curve = np.arange(count) / rate, [(0.01, 0.2), (0.03, 0.9)]
        wave = np.interp(times, *np.transpose(curve))
        blows = np.zeros(count)
        blows[[80, 240]] = 3, 1.5
        expected = self.system.state().step(count, inputs={"x": wave, "knock": blows})
        for inputs in ({"x": lambda t: np.interp(t, *np.transpose(curve)), "knock": lambda t: blows[np.rint(t * rate).astype(int)]},
                       {"x": wave, "knock": blows}, {"x": list(wave), "knock": [(80 / rate, 3), (240 / rate, 1.5)]},
                       lambda t: {"x": np.interp(t, *np.transpose(curve)), "knock": blows[np.rint(t * rate).astype(int)]}):
            for block in (1, 7, 256, 1000):
                np.testing.assert_array_equal(self.play(0.05, inputs, block=block), expected)
        np.testing.assert_allclose(self.play(0.05, {"x": curve, "knock": blows}), expected, atol=1e-12)

    def test_a_function_is_called_once_a_block_just_before_it(self):
        state, calls = self.system.state(), []

        def hand(times):
            calls.append((len(times), times[0], state.samples))
            return 0.5

        for n, block in enumerate(state.play(0.0125, {"x": hand}, block=40), 1):
            self.assertEqual((len(calls), len(block)), (n, 40 if n < 3 else 20))
        self.assertEqual(calls, [(40, 0.0, 0), (40, 0.005, 40), (20, 0.01, 80)])
        self.assertEqual(state.inputs["x"], 0.5)

    def test_a_number_from_a_function_is_one_blow_at_the_start_of_its_block(self):
        blows = iter([0, 2.5, 0, 0])
        rows = np.zeros(100)
        rows[25] = 2.5
        expected = self.system.state().step(100, inputs={"knock": rows})
        np.testing.assert_array_equal(self.play(0.0125, {"knock": lambda t: next(blows)}, block=25), expected)
        rows = np.zeros(100)
        rows[0] = 4
        np.testing.assert_array_equal(self.play(0.0125, {"knock": 4}, block=10), self.system.state().step(100, inputs={"knock": rows}))

    def test_arrays_that_end_and_inputs_that_are_not_named(self):
        state = self.system.state()
        state.set(x=0.4)
        played = np.concatenate(list(state.play(0.01, {"knock": [0, 2]}, block=16)))
        rows = np.zeros(80)
        rows[1] = 2
        other = self.system.state()
        other.set(x=0.4)
        np.testing.assert_array_equal(played, other.step(80, inputs={"x": 0.4, "knock": rows}))
        self.assertEqual(self.play(0.01, {"x": [0.1, 0.6]})[-1, 0], 0.3)
        self.assertEqual(self.play(0.01, {"x": []})[-1, 0], 0)

    def test_strange_arrays(self):
        expected = self.play(0.001, {"x": [0.0, 0.5, 1.0, 0.5, 0.0, 0.5, 1.0, 0.5]})
        for values in (np.array([0, 9, .5, 9, 1, 9, .5, 9, 0, 9, .5, 9, 1, 9, .5])[::2], np.array([0, .5, 1, .5] * 2, np.float32),
                       np.array([.5, 1, .5, 0, .5, 1, .5, 0])[::-1], np.array([[0, .5, 1, .5] * 2]).T[:, 0]):
            np.testing.assert_array_equal(self.play(0.001, {"x": values}), expected)
        np.testing.assert_array_equal(self.play(0.001, {"x": np.array([0, 1], np.int8)}), self.play(0.001, {"x": [0.0, 1.0]}))

    def test_energy_threads_and_for_ever(self):
        probes, energies = zip(*self.system.state().play(0.01, {"x": 0.5}, energy=True, block=30))
        whole = self.system.state().step(80, energy=True, inputs={"x": 0.5})
        np.testing.assert_array_equal(np.concatenate(probes), whole[0])
        np.testing.assert_array_equal(np.concatenate(energies), whole[1])
        for n, block in enumerate(self.system.state().play(inputs={"x": lambda t: np.sin(t)}, block=64)):
            if n == 20:
                break
        self.assertEqual(list(self.system.state().play(0)), [])

    def test_what_a_function_raises_comes_out_and_the_state_goes_on(self):
        state = self.system.state()

        def hand(times):
            if times[0] >= 0.005:
                raise ZeroDivisionError
            return 0.25

        with self.assertRaises(ZeroDivisionError):
            list(state.play(0.1, {"x": hand}, block=40))
        self.assertEqual(state.samples, 40)
        self.assertEqual(state.step(1)[0, 0], 0.125)

    def test_wrong_hands(self):
        for error, said, call in (
                (sistrum.SettingError, "there is no input 'y': x, knock", {"y": 1}),
                (ValueError, r"shape \(3,\); it takes a number or 80 values", {"x": lambda t: [1, 2, 3]}),
                (TypeError, "must be real numbers, not text", {"x": "loud"}), (TypeError, "must be", {"x": lambda t: None and 1}),
                (TypeError, "must be real numbers, not complex128", {"x": np.zeros(3, complex)}),
                (sistrum.SettingError, "times of input 'x' must increase", {"x": [(1, 0), (0, 1)]}),
                (ValueError, r"has the shape \(1, 1, 1\)", {"x": [[[1]]]}), (TypeError, "inputs are", 5),
                (TypeError, "returns {name: number or array}", lambda t: 5),
                (sistrum.SettingError, "there is no input 'y'", lambda t: {"y": 5})):
            with self.subTest(said), self.assertRaisesRegex(error, said):
                list(self.system.state().play(0.01, call))
        for wrong in ({"block": 0}, {"block": 2 ** 40}, {"seconds": -1}, {"seconds": float("nan")}, {"seconds": 1e300}, {"threads": 0}):
            with self.subTest(wrong), self.assertRaises(ValueError):
                list(self.system.state().play(**{"seconds": 0.01, **wrong}))


class Progress(Case):
    def test_functions_are_told(self):
        for make, unit in ((lambda told: sistrum.parse(BOUNCE).render(1, oversample=2, progress=told), 44100),
                           (lambda told: list(sistrum.parse(HAND).compile().state().play(0.1, progress=told)), 800)):
            told = []
            make(lambda done, total: told.append((done, total)))
            self.assertEqual(told[-1], (unit, unit))
            self.assertEqual(told, sorted(told))
            self.assertGreater(len(told), 2)

    def test_what_it_raises_ends_the_run(self):
        def enough(done, total):
            raise KeyboardInterrupt
        with self.assertRaises(KeyboardInterrupt):
            sistrum.parse(BOUNCE).render(9, progress=enough)

    @unittest.skipIf(SANITIZED, "the preloaded sanitizer ends programs of its own accord")
    def test_a_line_on_a_terminal_and_nothing_in_a_pipe(self):
        program = [sys.executable, "-c", "import sistrum, sys; sistrum.parse(sys.argv[1], name='b.lua').render(1, progress=True)", BOUNCE]
        env = {**os.environ, "PYTHONPATH": os.path.join(SOURCE, "python")}
        piped = subprocess.run(program, capture_output=True, check=True, env=env)
        self.assertEqual((piped.stdout, piped.stderr), (b"", b""))
        master, slave = pty.openpty()
        subprocess.run(program, stdin=slave, stdout=slave, stderr=slave, check=True, env=env)
        os.close(slave)
        shown = os.read(master, 65536).decode()
        os.close(master)
        self.assertRegex(shown, r"\rb\.lua: 100% \[#+\] 44100/44100 samples, 0:0\d, 0:00 left\s*\r?\n$")

    @unittest.skipIf(SANITIZED, "the preloaded sanitizer ends programs of its own accord")
    def test_ctrl_c_ends_long_runs(self):
        """In a second, wherever it is: rendering, playing, a study, with threads."""
        for what in ("s.render(9999)", "list(s.compile().state().play(9999))", "s.render(9999, threads=2)",
                     "sistrum.sweep(s, axes={'K': '1e4:1e9:log:99999'})"):
            with self.subTest(what):
                child = subprocess.Popen([sys.executable, "-c", "import sistrum, sys; s = sistrum.parse(sys.argv[1]); print(1, flush=True)\n"
                                          "try:\n    %s\nexcept KeyboardInterrupt:\n    print('ended')" % what, BOUNCE],
                                         stdout=subprocess.PIPE, text=True,
                                         env={**os.environ, "PYTHONPATH": os.path.join(SOURCE, "python")})
                self.assertEqual(child.stdout.readline(), "1\n")
                time.sleep(0.2)
                child.send_signal(signal.SIGINT)
                self.assertEqual(child.communicate(timeout=20)[0], "ended\n")
                self.assertEqual(child.returncode, 0)



if __name__ == "__main__":
    main()
