"""The Python package says what the program says: same bits, same energies, same sentences; and it leaks nothing.

SISTRUM is the program, SISTRUM_LIBRARY the shared library, SISTRUM_SOURCE the source folder. Needs numpy."""

import contextlib
import ctypes
import ctypes.util
import doctest
import gc
import io
import json
import os
import re
import shutil
import site
import subprocess
import sys
import threading
import unittest
from concurrent.futures import Future
from unittest import mock

from cli_case import (BOUNCE, BRIDGE, IMPACT, NETWORK, PLATES, ROOT, SANITIZED, SOURCE, TONE, Case, main,
                      read_text)

sys.path.insert(0, os.path.join(SOURCE, "python"))
import numpy as np  # noqa: E402
import sistrum  # noqa: E402
from sistrum import _c  # noqa: E402

HEADERS = [os.path.join(SOURCE, "include", "sistrum", name) for name in ("sistrum.h", "elementary.h", "downsample.h")] + [
    os.path.join(SOURCE, "script", "script.h")]
SCENES = {"bounce": BOUNCE, "bridge": BRIDGE.replace("EXTRA", ""), "network": NETWORK, "plates": PLATES,
          "clamped": ROOT.replace("CLAMP", ", clamp = true")}


def without_comments(path):
    return re.sub(r"//[^\n]*", "", re.sub(r"/\*.*?\*/", "", read_text(path), flags=re.S))


class Interface(Case):
    """ctypes believes what it is told: so what it is told is compared with the headers."""

    def test_layouts_are_those_of_the_c_compiler(self):
        lines = []
        for name, kind in _c.STRUCTURES.items():
            lines.append('printf("%s %%zu\\n", sizeof(%s));' % (name, name))
            for field, _ in kind._fields_:
                lines.append('printf("%s.%s %%zu %%zu\\n", offsetof(%s, %s), sizeof(((%s*)0)->%s));' %
                             (name, field, name, field, name, field))
        source = "#include <stdio.h>\n#include \"script.h\"\nint main(void) {\n%s\n}\n" % "\n".join(lines)
        program = self.path("layout")
        subprocess.run(["cc", "-std=c17", "-I" + os.path.join(SOURCE, "include"), "-I" + os.path.join(SOURCE, "script"),
                        "-x", "c", "-", "-o", program], input=source, text=True, check=True)
        said = subprocess.run([program], capture_output=True, text=True, check=True).stdout
        known = []
        for name, kind in _c.STRUCTURES.items():
            known.append("%s %d" % (name, ctypes.sizeof(kind)))
            for field, _ in kind._fields_:
                place = getattr(kind, field)
                known.append("%s.%s %d %d" % (name, field, place.offset, place.size))
        self.assertEqual(said.split("\n")[:-1], known)

    def test_structures_have_every_field_of_the_headers(self):
        text = "".join(map(without_comments, HEADERS))
        for name, kind in _c.STRUCTURES.items():
            inside = re.search(r"typedef struct %s \{(.*?)\} %s;" % (name, name), text, re.S).group(1)
            inside = re.sub(r"\(\*(\w+)\)\([^;]*\)", r"*\1", inside)  # a pointer to a function
            fields = [re.sub(r"\[.*", "", part.split()[-1].lstrip("*"))
                      for line in inside.split(";") if line.strip() for part in line.split(",")]
            self.assertEqual(fields, [field for field, _ in kind._fields_], name)

    def test_the_library_exports_the_public_interface_and_nothing_else(self):
        declared = set(re.findall(r"\b(sis_\w+)\(", "".join(map(without_comments, HEADERS))))
        listed = subprocess.run(["nm", "-D", "--defined-only", sistrum.library_path], capture_output=True, text=True,
                                check=True).stdout
        exported = {line.split()[-1] for line in listed.splitlines()}
        if SANITIZED:
            exported = {name for name in exported if name.startswith("sis_")}
        self.assertEqual(exported, declared)
        self.assertGreater(len(declared), 70)
        self.assertEqual(set(_c.FUNCTIONS) - declared, set())

    def test_every_function_takes_as_many_arguments_as_in_c(self):
        text = "".join(map(without_comments, HEADERS))
        for name, (_, arguments) in _c.FUNCTIONS.items():
            inside = re.search(r"\b%s\(([^)]*)\)" % name, text).group(1)
            count = 0 if inside == "void" else inside.count(",") + 1
            self.assertEqual(len(arguments), count, name)
            self.assertEqual(list(getattr(_c.lib, name).argtypes), arguments)

    def test_version(self):
        header = re.search(r'#define SIS_VERSION "(.*)"', read_text(HEADERS[0])).group(1)
        self.assertEqual(sistrum.__version__, header)
        self.assertEqual(_c.INTERFACE, header.rsplit(".", 1)[0],
                         "python/sistrum/_c.py: compare the structures with the headers, then set INTERFACE")

    def loading(self, library, **more):
        return subprocess.run([sys.executable, "-c", "import sistrum"], capture_output=True, text=True, env={
            **os.environ, "PYTHONPATH": os.path.join(SOURCE, "python"), "SISTRUM_LIBRARY": library, **more})

    @unittest.skipIf(SANITIZED, "the preloaded sanitizer ends programs of its own accord")
    def test_a_wrong_library_is_refused_by_name(self):
        self.assertIn("cannot be used", self.loading(self.path("none.so")).stderr)
        old = self.path("old.so")
        subprocess.run(["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", old], text=True, check=True,
                       input='const char* sis_version(void);const char* sis_version(void) { return "0.1.7"; }')
        self.assertIn("old.so is version 0.1.7, this package needs " + _c.INTERFACE, self.loading(old).stderr)

    @unittest.skipIf(SANITIZED, "the preloaded sanitizer ends programs of its own accord")
    @unittest.skipIf(ctypes.util.find_library("sistrum-scene"), "the linker knows one")
    def test_what_is_missing_is_named_with_the_command_that_brings_it(self):
        tree = self.path("tree")
        shutil.copytree(os.path.join(SOURCE, "python"), os.path.join(tree, "python"))
        here = {"PYTHONPATH": os.path.join(tree, "python")}
        self.assertIn("libsistrum-scene.so was not found", self.loading("", **here).stderr.splitlines()[-1])
        with open(os.path.join(tree, "CMakeLists.txt"), "w"):
            pass
        self.assertTrue(self.loading("", **here).stderr.splitlines()[-1].endswith(
            "libsistrum-scene.so is not built yet: run make in " + tree))
        without = subprocess.run([sys.executable, "-c", "import sys; sys.modules['numpy'] = None; import sistrum"],
                                 capture_output=True, text=True, env={**os.environ, **here})
        self.assertEqual(without.stderr.splitlines()[-1],
                         "ImportError: sistrum needs numpy: apt install python3-numpy, or pip install numpy")


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
        expected, state, result = system.state().step(2000), system.state(), Future.result
        interrupts = [KeyboardInterrupt(), KeyboardInterrupt()]

        def interrupted(self, timeout=None):
            if interrupts:
                raise interrupts.pop()
            return result(self, timeout)

        with mock.patch.object(Future, "result", interrupted), self.assertRaises(KeyboardInterrupt):
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


STRINGS = """
for n = 1, 6 do
  local s = string { length = 0.6, frequency = 100 + 10 * n, material_density = 7850, radius = 2e-4, youngs = 2e11, sigma0 = 1,
                     segments = 80 + n }
  local b = barrier { height = function(x) return -1e-4 - 1e-2 * x * x end, from = 0.05, to = 0.5 }
  contact { above = s, below = b, K = 1e8, alpha = 1.3 }
  pluck { on = s, shape = "triangle", at = 0.2, height = 1e-3 }
  probe { on = s, at = 0.4, quantity = "velocity" }
end
render { rate = 44100, duration = 0.1 }
"""

HAND = """
local x = input { "x", 0, min = -1, max = 1, unit = "m", label = "hand" }
local knock = input { "knock", trigger = true, max = 10 }
local finger = mass { path = 0.5 * x, name = "finger" }
local m = mass { mass = 0.01, frequency = 100 }
spring { between = { finger, m }, K1 = 100, damping = 0.1 }
force { on = m, peak = 1, width = 2e-3, trigger = knock, name = "tap" }
probe { on = finger, name = "hand" }
probe { on = m, name = "ball" }
render { rate = 8000, duration = 0.05 }
"""


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


class Objects(Case):
    def test_params(self):
        scene = sistrum.parse(BOUNCE)
        p = scene.params["K"]
        self.assertEqual(p, sistrum.Param("K", "hardness", "N/m^alpha", 1e7, 1e7, 1e3, 1e11, "log"))
        other = scene.set(K=2e8)
        self.assertEqual((other.params["K"].value, other.params["K"].default), (2e8, 1e7))
        self.assertEqual(scene.params["K"].value, 1e7, "the scene itself does not change")
        self.assertEqual(scene.set({"K": 5e4}).set().params["K"].value, 5e4)
        self.assertEqual((scene.title, scene.rate, scene.duration, scene.oversample), ("Bounce", 44100, 0.1, 1))
        self.assertIn(("mass", "ball"), scene.objects)

    def test_presets_are_settings(self):
        scene = sistrum.parse(BOUNCE + "preset { 'Stone', K = 1e9 } preset { 'As it is' }")
        self.assertEqual(scene.presets, {"Stone": {"K": 1e9}, "As it is": {}})
        self.assertEqual(scene.set(scene.presets["Stone"]).params["K"].value, 1e9)
        self.assertEqual(sistrum.parse(BOUNCE).presets, {})
        with self.assertRaisesRegex(sistrum.SceneError, "preset 'Soft': K = 1 N/m"):
            sistrum.parse(BOUNCE + "preset { 'Soft', K = 1 }")

    def test_notes_set_params(self):
        text = BOUNCE.replace("frequency = 200", 'frequency = param { "f0", 200, min = 20, max = 2000, unit = "Hz" }')
        scene = sistrum.parse(text + 'play { pitch = "f0", velocity = "K", voices = 3 }')
        self.assertEqual(scene.play[:3], ("f0", "K", 3))
        note = scene.note(330, 0.25)
        self.assertEqual(note.params["f0"].value, 330)
        self.assertAlmostEqual(note.params["K"].value / 1e5, 1)  # a quarter of the way from 1e3 to 1e11, by ratios
        self.assertEqual(scene.note(100).params["K"].value, 1e7)
        self.assertEqual([scene.note(100, v).params["K"].value for v in (0, 1)], [1e3, 1e11])
        self.assertIsNone(sistrum.parse(BOUNCE).play)
        for error, call in ((sistrum.SettingError, lambda: scene.note(9000)), (sistrum.SettingError, lambda: scene.note(99, 2)),
                            (sistrum.SceneError, lambda: sistrum.parse(BOUNCE).note(99)), (TypeError, scene.note)):
            with self.assertRaises(error):
                call()
        self.assertEqual(scene.note(2000.0001).params["f0"].value, 2000, "a rounding beyond the end is the end")

    def test_errors_know_their_place(self):
        """Line, object and key of what is wrong when a scene is read, compiled, set and run."""
        string = "\nlocal s = string{ length = 1, tension = 50, density = 1e-3, name = 's'%s }\n"
        cases = [(lambda: sistrum.parse("\n\nmass{ mass = 'x' }"), 3, "mass", "mass"),
                 (lambda: sistrum.parse(string % ", segments = 90000").compile(), 2, "string 's'", "segments"),
                 (lambda: sistrum.parse((string % "") + "local b = barrier{ height = function(x)\nreturn y.z end }\n"
                                        "contact{ above = s, below = b, K = 1, alpha = 1 }").compile(), 4, "barrier 'barrier1'", "height"),
                 (lambda: sistrum.parse("\nparam{ 'K', 1, max = 2 }\nmass{ mass = 1 }", K=3), 2, "param 'K'", "")]
        for call, line, thing, key in cases:
            with self.assertRaises(sistrum.SistrumError) as caught:
                call()
            self.assertEqual((caught.exception.line, caught.exception.object, caught.exception.key), (line, thing, key))
            self.assertTrue(str(caught.exception).startswith("scene:%d: %s" % (line, thing)), str(caught.exception))
        with self.assertRaises(sistrum.SceneError) as caught:
            sistrum.load("no\x1b\u202e scene")
        self.assertTrue(str(caught.exception).isprintable())

    def test_notes_that_a_scene_has_no_param_for_are_refused_as_the_program_does(self):
        text = BOUNCE.replace("frequency = 200", 'frequency = param { "f0", 200, min = 20, max = 2000, unit = "Hz" }')
        for plays, note, option, said in (("pitch", (None, 0.5), ("--velocity", "0.5"), "play{} names no param of velocity, so "),
                                          ("velocity", (220, None), ("--note", "220Hz"), "play{} names no param of pitch, so "),
                                          ("velocity", (220, 0.5), ("--note", "220Hz"), "play{} names no param of pitch, so "),
                                          ("", (220, 0.5), ("--note", "220Hz"), "the scene does not say how notes play it: add play{ ")):
            with self.subTest(plays=plays, note=note):
                param = {"pitch": "f0", "velocity": "K"}.get(plays)
                path = self.scene("half.lua", text + ('play { %s = "%s" }' % (plays, param) if param else ""))
                done = self.run_program("render", path, "--json", "-", *option)
                with self.assertRaises(sistrum.SceneError) as caught:
                    sistrum.load(path).note(*note)
                self.assertEqual(caught.exception.code, done.returncode)
                self.assertIn("half.lua: " + said, str(caught.exception))
                self.assertIn("half.lua: " + said, done.stderr.decode())
        scene = sistrum.parse(text + 'play { velocity = "K" }')
        self.assertEqual(scene.note(velocity=1).params["K"].value, 1e11)

    def test_softest_and_hardest_note_of_every_scene_are_the_ends_of_its_knob(self):
        played = 0
        for name, path in sistrum.scenes().items():
            scene = sistrum.load(path)
            if not scene.play or not scene.play.velocity:
                continue
            with self.subTest(name):
                p = scene.params[scene.play.velocity]
                for v, end in ((0, p.min), (1, p.max)):
                    self.assertAlmostEqual(scene.note(velocity=v).params[p.name].value / end if end else 1, 1, delta=1e-14)
                if scene.play.pitch:
                    f = scene.params[scene.play.pitch]
                    for hz in (f.min, f.max, f.min / 1.00001, f.max * 1.00001):
                        self.assertTrue(f.min <= scene.note(hz, 1).params[f.name].value <= f.max)
                played += 1
        self.assertGreater(played, 15)

    def test_what_a_system_tells(self):
        system = sistrum.parse(SCENES["network"]).compile()
        self.assertEqual([b.kind for b in system.bodies], ["string", "mass", "plate", "modal"])
        self.assertEqual([b.model for b in system.bodies], ["fd", "", "fd", ""])
        self.assertEqual([link.kind for link in system.links], ["contact", "contact", "spring", "bow"])
        self.assertEqual((system.links[0].law, system.links[1].law), ("two-sided", "one-sided"))
        self.assertEqual((system.probes[0].name, system.probes[0].quantity, system.probes[0].unit),
                         ("out", "velocity", "m/s"))
        state = system.state()
        state.step(200)
        self.assertEqual(state.shape("board").shape, (9, 17))
        self.assertGreater(np.abs(state.shape("wire")).max(), 0)
        self.assertAlmostEqual(system.places("wire")[-1], 0.5)
        eta, force = state.contact("foot")
        self.assertEqual((len(eta), len(force)), (1, 1))
        self.assertNotEqual(force[0], 0)
        rings = system.partials("wire", 5)
        self.assertEqual(rings.shape, (5, 2))
        np.testing.assert_allclose(rings[:, 0], rings[:, 1], rtol=1e-3)
        self.assertAlmostEqual(system.contact_points("foot")[0].at_above, 0.42)

    def test_energy_is_accounted_for(self):
        state = sistrum.parse(NETWORK).compile().state()
        start = state.energy.total
        state.step(1000)
        e = state.energy
        self.assertGreater(min(e.supplied, e.dissipated), 0)
        self.assertAlmostEqual(e.total, e.kinetic + e.elastic + e.contact, delta=1e-15 * e.total)
        self.assertLess(abs(e.total - start - e.supplied + e.dissipated), 1e-12 * e.supplied)
        deaf = sistrum.parse(NETWORK).compile(audited=False).state()
        deaf.step(1000)
        self.assertTrue(np.isnan(deaf.energy.supplied))

    def test_closed_forms_agree_with_a_run(self):
        scene = sistrum.parse(IMPACT + 'probe { on = mass { mass = 1 } }')
        system = scene.compile(rate=1e6, scheme="invariant")
        state = system.state()
        impact = sistrum.Impact(mass=0.01, K=1e9, alpha=1.5, mu=0.5, speed=1)
        u = state.step(int(2 * impact.duration * 1e6))[:, 0]
        self.assertAlmostEqual((u[-1] - u[-2]) * 1e6 / impact.exit_speed, 1, delta=1e-6)
        self.assertAlmostEqual(-u.min() / impact.max_depth, 1, delta=1e-4)
        self.assertAlmostEqual(impact.restitution, impact.exit_speed)
        self.assertAlmostEqual(impact.depth(0), impact.max_depth)

    def test_installed_scenes_by_name(self):
        self.assertIn("tanpura", sistrum.scenes())
        here = self.scene("mine.lua", TONE)
        os.environ["SISTRUM_SCENES"] = os.pathsep.join(["/nowhere", self.folder])
        try:
            self.assertEqual(sistrum.find_scene("mine"), here)
            self.assertEqual(sistrum.find_scene("mine.lua"), here)
            with self.assertRaisesRegex(sistrum.SceneError, "no scene 'mime'.*did you mean 'mine'.*looked here and in"):
                sistrum.load("mime")
        finally:
            del os.environ["SISTRUM_SCENES"]
        self.assertEqual(sistrum.load("tanpura").title, "Tanpura")

    def test_names_are_found_in_one_order(self):
        """WORD.lua here, then installed ones in the order of their folders, then the file WORD; never a folder."""
        first, second, root, here = (self.path(name) for name in ("first", "second", "root", "here"))
        for folder in (first, second, os.path.join(root, "scenes"), os.path.join(root, "repro"), here,
                       os.path.join(here, "tone"), os.path.join(here, "tone.lua"), os.path.join(first, "only.lua")):
            os.makedirs(folder)
        places = [os.path.join(here, "a.lua"), os.path.join(first, "a.lua"), os.path.join(second, "a.lua"),
                  os.path.join(root, "scenes", "a.lua"), os.path.join(here, "a")]
        for path in [*places, os.path.join(first, "tone.lua"), os.path.join(first, ".hidden.lua")]:
            with open(path, "w", encoding="utf-8") as f:
                f.write(TONE)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(here)
        with mock.patch.dict(os.environ, SISTRUM_SCENES=first + ":" + second, SISTRUM_DATA=root):
            self.assertEqual(sistrum.scene_folders()[:2], [first, second])
            self.assertNotIn("only", sistrum.scenes())
            self.assertNotIn(".hidden", sistrum.scenes())
            self.assertEqual(sistrum.find_scene("tone"), os.path.join(first, "tone.lua"))
            self.assertEqual(sistrum.find_scene("tone.lua"), os.path.join(first, "tone.lua"))
            self.assertEqual(sistrum.find_scene("./a"), "./a")
            for path in places:
                self.assertEqual(os.path.abspath(sistrum.find_scene("a")), path)
                os.remove(path)
            with self.assertRaisesRegex(sistrum.SceneError, "no scene 'a'"):
                sistrum.load("a")
            os.mkdir("b")
            with self.assertRaisesRegex(sistrum.SceneError, "it is a directory"):
                sistrum.load("b")


class Sentences(Case):
    def said(self, *arguments):
        done = self.run_program(*arguments)
        self.assertNotEqual(done.returncode, 0)
        return done.returncode, re.sub(r"^sistrum: (error: )?", "", done.stderr.decode().strip())

    def test_the_sentence_and_the_kind_are_those_of_the_program(self):
        cases = [
            ("unknown word", "mas { mass = 1 }", {}, sistrum.SceneError),
            ("bad key", "mass { mas = 1 }", {}, sistrum.SceneError),
            ("out of range", "mass { mass = -1 }", {}, sistrum.SceneError),
            ("endless", "while true do end", {}, sistrum.SceneError),
            ("empty", "", {}, sistrum.SceneError),
            ("zero byte", "mass { mass = 1 }\0", {}, sistrum.SceneError),
            ("nothing moves", "barrier { height = 0 }", {}, sistrum.SceneError),
            ("refused", 'local s = string { length = 1, tension = 1, density = 1 } '
                        'contact { above = s, below = barrier { height = 0 }, K = 1, alpha = 1, scheme = "root" }', {},
             sistrum.SceneError),
            ("height", 'local s = string { length = 1, tension = 1, density = 1 } contact { above = s, '
                       'below = barrier { height = function(x) return nil end }, K = 1, alpha = 1 }', {},
             sistrum.SceneError),
            ("no such param", BOUNCE, {"Q": 1.0}, sistrum.SettingError),
            ("param too small", BOUNCE, {"K": -1.0}, sistrum.SettingError),
            ("complex root", ROOT.replace("CLAMP", ""), {}, sistrum.RunError),
            ("diverges", IMPACT.replace('name = "hit"', 'name = "hit", scheme = "rk4"').replace("K = 1e9", "K = 1e14"), {},
             sistrum.RunError),
            ("diverges little by little", """
                local m = mass { mass = 0.01, frequency = 237.3, velocity = -1 }
                contact { above = m, below = barrier { height = 0 }, K = 0.01 * (math.pi * 8000 / 1.85) ^ 2, alpha = 1,
                          scheme = "am1" }
                render { rate = 8000, duration = 0.1 }""", {}, sistrum.RunError),
            ("no rows", TONE.replace("duration = 1 ", "duration = 0 "), {}, sistrum.SistrumError),
        ]
        for name, text, settings, kind in cases:
            with self.subTest(name):
                path = self.scene("bad.lua", text)
                sets = [part for key, value in settings.items() for part in ("--set", "%s=%g" % (key, value))]
                code, sentence = self.said("render", path, "--json", "-", *sets)
                with self.assertRaises(kind) as caught:
                    sistrum.load(path, settings).render(energy=True)
                if name == "endless":  # it says how long it took
                    self.assertIn("bad.lua", str(caught.exception))
                else:
                    self.assertIn(str(caught.exception), sentence)
                if name != "no rows":
                    self.assertEqual(caught.exception.code, code)

    def test_wrong_arguments(self):
        scene = sistrum.parse(BOUNCE)
        system = scene.compile()
        for error, part, call in [
                (sistrum.SettingError, "rate is -1 Hz; it must be 0.001 to 1e", lambda: scene.compile(rate=-1)),
                (sistrum.SettingError, "rate is nan", lambda: scene.compile(rate=float("nan"))),
                (sistrum.SettingError, "oversample is 1.5; it must be a whole number, 1 to 1024",
                 lambda: scene.compile(oversample=1.5)),
                (sistrum.SettingError, "no scheme 'leger' .did you mean 'ledger'", lambda: scene.compile(scheme="leger")),
                (sistrum.SettingError, "duration is -1 s", lambda: scene.render(-1)),
                (sistrum.SettingError, "audited=True", lambda: scene.compile(audited=False).render(energy=True)),
                (sistrum.SettingError, "has no 'x' there: u, v, eta, f", lambda: scene.render()["x"]),
                (IndexError, "number 9 of 2", lambda: system.state().shape(9)),
                (IndexError, "number -1 of 2", lambda: system.state().contact(-1)),
                (TypeError, "integer", lambda: system.state().shape(0.5)),
                (TypeError, "integer", lambda: system.state().contact(0.0)),
                (TypeError, "integer", lambda: system.places(None)),
                (ValueError, "frames is -1", lambda: system.state().step(-1)),
                (ValueError, "frames is", lambda: system.state().step(2**40)),
                (TypeError, "integer", lambda: system.state().step(1.5)),
                (TypeError, "a scene is text, not 5", lambda: sistrum.parse(5)),
                (sistrum.SceneError, "no zero byte", lambda: sistrum.load("a\0b/c")),
                (TypeError, "param 'K' must be a number", lambda: scene.set(K="soft")),
                (sistrum.SceneError, "cannot read the scene", lambda: sistrum.load(self.path("none.lua"))),
                (sistrum.SceneError, "cannot read the scene: it is a directory", lambda: sistrum.load(self.folder)),
                (sistrum.SceneError, "a.lua:1: ", lambda: sistrum.parse("?", name="a.lua"))]:
            with self.subTest(part), self.assertRaisesRegex(error, part):
                call()


@unittest.skipIf(SANITIZED or "SISTRUM_BUILD" not in os.environ, "needs a plain build to install from")
class Installed(Case):
    def test_an_installed_package_finds_its_library_and_scenes(self):
        prefix = self.path("prefix")
        said = self.install("--prefix", prefix)
        package = os.path.join(prefix, "lib", "python3", "dist-packages")
        self.assertIn("export PYTHONPATH=" + package, said)
        self.assert_works(prefix, package)

    def test_below_usr_and_usr_local_it_is_where_python_looks(self):
        for prefix in ("/usr", "/usr/local"):
            with self.subTest(prefix):
                below = [f for f in site.getsitepackages() if re.match(prefix + "/lib/[^/]+/[a-z]+-packages$", f)]
                if not below:
                    self.skipTest("this Python reads nothing below " + prefix)
                root = self.path("root" + prefix.replace("/", "-"))
                self.assertNotIn("PYTHONPATH", self.install("--prefix", prefix, DESTDIR=root))
                found = [os.path.join(folder, name) for folder, names, _ in os.walk(root) for name in names
                         if folder.endswith("-packages")]
                self.assertEqual(found, [root + below[0] + "/sistrum"])
                self.assert_works(root + prefix, root + below[0])

    def install(self, *arguments, **more):
        return subprocess.run(["cmake", "--install", os.environ["SISTRUM_BUILD"], *arguments], check=True, text=True,
                              stdout=subprocess.PIPE, env={**os.environ, **more}).stdout

    def assert_works(self, prefix, package):
        """The package below a prefix takes library and scenes from there, also when it is started in the source tree."""
        env = {key: value for key, value in os.environ.items() if not key.startswith("SISTRUM")}
        for cwd in ("/", os.path.join(SOURCE, "test")):
            done = subprocess.run([sys.executable, "-c", "import sistrum; print(sistrum.library_path); "
                                   "print(sistrum.find_scene('tanpura')); sistrum.load('tanpura').render(0.01)"],
                                  capture_output=True, text=True, cwd=cwd, env={**env, "PYTHONPATH": package})
            self.assertEqual(done.returncode, 0, done.stderr)
            library, scene = done.stdout.split("\n")[:2]
            self.assertTrue(library.startswith(os.path.join(prefix, "lib")), library)
            self.assertEqual(scene, os.path.join(prefix, "share", "sistrum", "scenes", "tanpura.lua"))


def resident():
    """Bytes of memory in use."""
    with open("/proc/self/statm", encoding="ascii") as f:
        return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Memory(Case):
    def test_a_thousand_loads_take_no_memory(self):
        def cycle():
            scene = sistrum.parse(SCENES["bridge"])
            scene.compile().state().step(10, energy=True)
            for bad in ("?", "mass { mass = 1, ", BOUNCE.replace("mass = 0.01", "mass = -1")):
                try:
                    sistrum.parse(bad)
                except sistrum.SceneError:
                    pass

        count = 100 if SANITIZED else 1000
        for _ in range(count // 10):
            cycle()
        gc.collect()
        before = resident()
        for _ in range(count):
            cycle()
        gc.collect()
        if not SANITIZED:  # which keeps what was freed
            self.assertLess(resident() - before, 2 << 20)

    def test_states_outlive_what_they_came_from(self):
        state = sistrum.parse(SCENES["bridge"]).compile().state()
        gc.collect()
        self.assertEqual(state.step(100).shape, (100, 1))
        self.assertGreater(len(state.links), 0)


class Examples(Case):
    def example(self, name, *arguments):
        return subprocess.run([sys.executable, os.path.join(SOURCE, "python", "examples", name), *arguments],
                              capture_output=True, text=True, cwd=self.folder,
                              env={**os.environ, "PYTHONPATH": os.path.join(SOURCE, "python")})

    def test_exit_speed(self):
        done = self.example("exit_speed.py", "speed.png")
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.path("speed.png"), "rb") as f:
            picture = f.read()
        self.assertEqual(picture[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(picture[16:24], (900).to_bytes(4, "big") + (560).to_bytes(4, "big"))
        self.assertGreater(len(picture), 8000)
        self.assertLess(float(re.search(r"invariant (\S+)", done.stdout).group(1)), 1e-12)

    @unittest.skipIf(SANITIZED, "slow")
    def test_gestures(self):
        done = self.example("gestures.py")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([line.split(":")[0] for line in done.stdout.splitlines()], ["strike", "bow", "effect", "game"])
        self.assertEqual(done.stdout.count("the energy balance closes"), 4)

    @unittest.skipIf(SANITIZED, "slow")
    def test_chord(self):
        done = self.example("chord.py", "chord.wav")
        self.assertEqual(done.returncode, 0, done.stderr)
        left = [float(x) for x in re.findall(r"(\S+) J left", done.stdout)]
        off = [abs(float(x)) for x in re.findall(r"unexplained (\S+) J", done.stdout)]
        self.assertEqual(len(off), 3)
        self.assertLess(max(off), 1e-10 * min(left))
        self.assertEqual(os.path.getsize(self.path("chord.wav")), 44 + 2 * 256 * 700)

    @unittest.skipIf(SANITIZED, "slow")
    def test_docs(self):
        """Every block of docs/python.md runs, in order, in one session; what is shown is what comes out."""
        blocks = re.findall(r"^```(python|pycon)\n(.*?)^```", read_text(os.path.join(SOURCE, "docs", "python.md")), re.S | re.M)
        self.assertGreater(len(blocks), 4)
        names = {}
        for kind, text in blocks:
            with contextlib.redirect_stdout(io.StringIO()) as out:
                if kind == "python":
                    exec(compile(text, "docs/python.md", "exec"), names)  # pylint: disable=exec-used
                    continue
                test = doctest.DocTestParser().get_doctest(text, names, "python.md", "docs/python.md", 0)
                runner = doctest.DocTestRunner(verbose=False)
                runner.run(test, clear_globs=False)
                names.update(test.globs)
            self.assertEqual(runner.failures, 0, out.getvalue())
            self.assertGreater(runner.tries, 0)

    def test_readme(self):
        """The scene of the README and the Python below it."""
        text = read_text(os.path.join(SOURCE, "README.md"))
        self.scene("marble.lua", re.search(r"^```lua\n(.*?)^```", text, re.S | re.M).group(1))
        block = re.search(r"^```python\n(.*?)^```", text, re.S | re.M).group(1)
        done = subprocess.run([sys.executable, "-c", block], capture_output=True, text=True, cwd=self.folder,
                              env={**os.environ, "PYTHONPATH": os.path.join(SOURCE, "python")})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"^\(88200, 1\) \S+e-1\d \d+\.\d+\n$")


if __name__ == "__main__":
    main()
