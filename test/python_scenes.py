"""Scenes and systems in Python: params, presets, notes, names, and the sentences of what is wrong."""

import os
import re
from unittest import mock

from python_case import BOUNCE, Case, HAND, IMPACT, NETWORK, ROOT, SCENES, SWEEPS, TONE, main, np, sistrum


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

    def test_a_file_that_is_edited_changes_no_scene(self):
        """Runs with curves, notes, other params and studies are of the text that was read, also from another folder."""
        text = HAND + 'play { velocity = "K" }'
        text = text.replace("K1 = 100", 'K1 = param { "K", 100, min = 1, max = 1000 }')
        scene = sistrum.load(self.scene("hand.lua", text))
        curve = {"x": [(0, 0.5), (0.01, 1)]}
        def runs():
            return [run.data.tobytes() for run in (scene.render(), scene.render(inputs=curve), scene.set(K=200).render(inputs=curve),
                                                   scene.note(velocity=0.5).render(), scene.set(x=1).render())]
        before = runs()
        for other in text.replace("frequency = 100", "frequency = 200"), "mass {":
            self.scene("hand.lua", other)
            self.assertEqual(runs(), before)
        os.remove(self.path("hand.lua"))
        self.assertEqual(runs(), before)
        if SWEEPS:
            self.assertEqual(len(sistrum.sweep(scene, axes={"K": [10, 20]}, measures="peak")), 2)
        self.assertEqual(scene.set(K=200).path, scene.path)
        with self.assertRaisesRegex(sistrum.SceneError, "cannot read the scene"):
            sistrum.load(scene.path)

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
                if name.startswith("diverges"):  # also where nobody asks for energies
                    with self.assertRaises(kind) as unasked:
                        sistrum.load(path, settings).render()
                    self.assertEqual(str(unasked.exception), str(caught.exception))
                if name == "endless":  # it says how long it took
                    self.assertIn("bad.lua", str(caught.exception))
                else:
                    self.assertIn(str(caught.exception), sentence)
                if name != "no rows":
                    self.assertEqual(caught.exception.code, code)

    def test_which_probes_it_has(self):
        run = sistrum.parse(BOUNCE).render(0.01)
        self.assertEqual([name in run for name in ("u", "f", "x", "", 0, None)], [True, True] + [False] * 4)

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
                (sistrum.SettingError, "scene has no probe 'x': u, v, eta, f", lambda: scene.render()["x"]),
                (sistrum.SettingError, "scene has no input 'x': it has none", lambda: system.state().set(x=1)),
                (TypeError, "input 'x' must be a number, not None", lambda: sistrum.parse(HAND).compile().state().set(x=None)),
                (IndexError, "no body 9: there are 2, counted from 0", lambda: system.state().shape(9)),
                (IndexError, "no link -1: there are 2", lambda: system.state().contact(-1)),
                (TypeError, "not iterable", lambda: list(scene.render())),
                (TypeError, "", lambda: np.asarray(scene.render())),
                (TypeError, "comes from scene.compile", lambda: sistrum.System(0, 1, 1, 1, "x", True)),
                (TypeError, "sistrum.parse takes a text", lambda: sistrum.Scene(BOUNCE, "x", {})),
                (TypeError, "the name of a param is text, not 1", lambda: scene.set({1: 2})),
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


if __name__ == "__main__":
    main()
