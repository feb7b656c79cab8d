"""Scenes by name: scenes, params, new, and every command that takes a scene."""

import json
import os
import shutil
import subprocess
import unittest

from cli_case import BOUNCE, PROGRAM, SOURCE, TONE, RunCase, main, read_bytes, read_text, read_wav


class Named(RunCase):
    """A folder of scenes of our own, and an empty one to work in."""

    def setUp(self):
        super().setUp()
        for folder in ("first", "second"):
            os.mkdir(self.path(folder))
        self.scene("first/bell.lua", "-- Bell: rings once\n" + TONE.replace("440", "param { \"f0\", 440, min = 1, max = 2000, unit = \"Hz\" }") + 'play { pitch = "f0" }')
        self.scene("first/knock.lua", "-- Knock: hits a wall\n" + BOUNCE)
        self.scene("second/bell.lua", "-- Other bell: is never seen\n" + BOUNCE)
        self.scene("second/gong.lua", "\n-- Gong: rings longer\n" + TONE)
        self.scene("second/notes.txt", "no scene")
        self.scene("second/.hidden.lua", TONE)
        os.mkdir(self.path("second/folder.lua"))
        self.before = set(os.listdir(self.folder))
        self.environment = dict(os.environ, SISTRUM_SCENES=f"{self.path('first')}::{self.path('second')}:/nowhere")

    def run_program(self, *arguments, **how):
        return super().run_program(*arguments, **{"env": self.environment, **how})

    def listed(self):
        return {scene["name"]: scene for scene in json.loads(self.good("scenes", "--json").stdout)["scenes"]}


class Scenes(Named):
    def test_a_line_each(self):
        lines = self.good("scenes").stdout.decode().splitlines()
        heads = [line for line in lines if not line.startswith("  ")]
        self.assertEqual(heads, ["Instruments", "Studies in a few lines"])
        rows = {line.split()[0]: line for line in lines if line.startswith("  ")}
        self.assertEqual(len(rows), len(lines) - 2, "a scene has more than one line")
        second = lines.index(heads[1])
        for part in (lines[1:second], lines[second + 1:]):
            names = [line.split()[0] for line in part]
            self.assertEqual(names, sorted(names))
        instruments = {line.split()[0] for line in lines[1:second]}
        self.assertTrue({"tanpura", "guitar", "newtons_cradle"} <= instruments)
        self.assertFalse({"bell", "knock", "two_masses"} & instruments)
        self.assertRegex(rows["bell"], "Bell +pitched +rings once$")
        self.assertRegex(rows["knock"], "Bounce +- +hits a wall$")
        self.assertRegex(rows["gong"], "Gong +- +rings longer$")
        for name in ("notes", "folder", ".hidden"):
            self.assertNotIn(name, rows)
        self.assertIn("tanpura", rows, "those of the source tree come last")

    def test_json(self):
        scenes = self.listed()
        self.assertEqual(scenes["bell"]["path"], self.path("first/bell.lua"))
        self.assertEqual(scenes["knock"]["title"], "Bounce")
        self.assertEqual(scenes["knock"]["about"], "hits a wall")
        self.assertEqual(scenes["knock"]["params"], 1)
        self.assertEqual([scenes[name]["kind"] for name in ("knock", "tanpura")], ["study", "instrument"])
        self.assertEqual([scenes[name]["pitched"] for name in ("bell", "knock")], [True, False])
        self.assertEqual(json.loads(self.good("scenes", "--json").stdout)["folders"][:3],
                         [self.path("first"), self.path("second"), "/nowhere"])
        for file in os.listdir(os.path.join(SOURCE, "scenes")):
            if file.endswith(".lua"):
                self.assertNotIn("error", scenes[file[:-4]], file)

    def test_a_broken_scene_does_not_hide_the_others(self):
        self.scene("first/broken.lua", "-- Broken: \x1b[31mred\nmas {")
        self.scene("first/empty.lua", "")
        text = self.good("scenes").stdout.decode()
        self.assertRegex(text, "broken +does not load +broken.lua:2:")
        self.assertNotIn("\x1b", text)
        self.assertIn("bell", text)
        self.assertIn("broken.lua:2:", self.listed()["broken"]["error"])

    def test_a_folder_that_does_not_exist_is_told(self):
        """Where it was searched: by scenes, and for names that no folder before it has."""
        told = b"sistrum: SISTRUM_SCENES names '/nowhere', which is no folder\n"
        self.assertEqual(self.good("scenes").stderr, told)
        self.assertEqual(self.good("scenes", "--json").stderr, told)
        self.assertEqual(self.good("check", "bell").stderr, b"")
        self.assertEqual(self.good("check", self.tone).stderr, b"")
        self.assertEqual(self.good("params", "tanpura").stderr, told)
        self.assertIn("; SISTRUM_SCENES names '/nowhere'", self.bad(3, "no scene 'bel'", "check", "bel"))
        self.environment["SISTRUM_SCENES"] = f"/nope:{self.path('first')}:/nada:/nil"
        told = b"SISTRUM_SCENES names '/nope', '/nada', '/nil', which are no folders"
        self.assertEqual(self.good("scenes").stderr, b"sistrum: " + told + b"\n")
        self.assertEqual(self.good("check", "bell").stderr, b"sistrum: SISTRUM_SCENES names '/nope', which is no folder\n")
        self.assertIn("; " + told.decode(), self.bad(3, "no scene 'bel'", "check", "bel"))
        self.environment["SISTRUM_SCENES"] = ":".join("/nope/%d/%s" % (i, "x" * 200) for i in range(30))
        self.assertRegex(self.good("scenes").stderr, b"^sistrum: SISTRUM_SCENES names '/nope/0/x.*' and [0-9]+ more, which are no folders\n$")
        self.environment["SISTRUM_SCENES"] = self.path("tone.lua")
        self.assertIn(b"tone.lua', which is no folder", self.good("check", "tanpura").stderr)

    def test_refused(self):
        self.bad(2, "scenes takes no name: 'bell'", "scenes", "bell")
        self.bad(2, "did you mean '--json'", "scenes", "--jsn")


class Found(Named):
    def test_every_command_finds_a_name(self):
        for word in ("bell", "bell.lua"):
            self.assertEqual(self.report(word)["scene"], "bell.lua")
        self.assertIn("ball", self.checked("knock"))
        self.good("render", "gong", "-o", "gong.wav", "--duration", "0.01")
        self.good("compare", "knock", "--schemes", "ledger,newton", "--duration", "0.002")
        self.assertEqual(self.report("tanpura", "--duration", "0.01")["scene"], "tanpura.lua")

    def test_several_names(self):
        self.good("render", "bell", "knock", self.tone, "-o", "out/", "--duration", "0.01")
        self.assertEqual(sorted(os.listdir(self.path("out"))), ["bell.wav", "knock.wav", "tone.wav"])

    def test_what_is_here_wins(self):
        self.scene("bell.lua", BOUNCE)
        self.assertEqual(self.report("bell")["title"], "Bounce")
        self.assertEqual(self.report("bell.lua")["title"], "Bounce")

    def test_a_file_without_ending_does_not_hide_a_scene(self):
        """Beside the program `sistrum` is a file, which is no scene."""
        self.scene("gong", BOUNCE)
        self.assertEqual(self.report("gong")["scene"], "gong.lua")
        self.assertEqual(self.report("./gong")["title"], "Bounce")
        self.scene("knack", BOUNCE)  # no scene has that name
        self.assertEqual(self.report("knack")["title"], "Bounce")
        shutil.copy(PROGRAM, self.path("sistrum"))
        self.assertEqual(self.report("sistrum", "--duration", "0.01")["scene"], "sistrum.lua")

    def test_a_folder_of_that_name_does_not(self):
        os.mkdir(self.path("gong"))
        self.assertEqual(self.report("gong")["scene"], "gong.lua")

    def test_not_found(self):
        text = self.bad(3, "no scene 'knok' (did you mean 'knock'?)", "render", "knok", "-o", "a.wav")
        for folder in ("first", "second"):
            self.assertIn(self.path(folder), text)
        self.bad(3, "did you mean 'knock'", "check", "knok.lua")
        self.bad(3, "did you mean 'tanpura'", "plot", "tanpra", "-o", "a.png")
        self.bad(3, "no scene 'xylophone'; looked in", "compare", "xylophone")
        self.bad(3, "no scene 'notes'", "params", "notes")
        # A path is a path: no guessing, no other folders.
        text = self.bad(3, "first/knok.lua", "check", "first/knok.lua")
        self.assertNotIn("did you mean", text)
        self.bad(3, "./knock.lua", "check", "./knock.lua")

    def test_one_that_is_not_found_does_not_stop_the_others(self):
        done = self.run_program("render", "knok", "bell", "-o", "out/", "--duration", "0.01")
        self.assertEqual(done.returncode, 3)
        self.assertEqual(os.listdir(self.path("out")), ["bell.wav"])

    def test_an_installed_scene_is_not_overwritten(self):
        before = read_bytes(self.path("first/bell.lua"))
        os.symlink(self.path("first/bell.lua"), self.path("link.wav"))
        self.keep("link.wav")
        done = self.run_program("render", "bell", "-o", "link.wav", "--duration", "0.01")
        self.assertEqual(read_bytes(self.path("first/bell.lua")), before, done.stderr)

    def test_an_installed_program_finds_its_own(self):
        """PREFIX/bin/sistrum looks into PREFIX/share/sistrum/scenes, wherever PREFIX is."""
        prefix = self.path("usr")
        os.makedirs(os.path.join(prefix, "bin"))
        shutil.copytree(self.path("second"), os.path.join(prefix, "share/sistrum/scenes"))
        program = shutil.copy(PROGRAM, os.path.join(prefix, "bin/sistrum"))
        environment = {key: value for key, value in os.environ.items()
                       if key not in ("SISTRUM_SCENES", "SISTRUM_DATA")}
        done = subprocess.run([program, "scenes"], capture_output=True, text=True, env=environment, cwd=prefix,
                              check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([line.split()[0] for line in done.stdout.splitlines()[1:]], ["bell", "gong"])
        shutil.rmtree(os.path.join(prefix, "share"))
        done = subprocess.run([program, "scenes"], capture_output=True, text=True, env=environment, cwd=prefix,
                              check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("no scenes are installed", done.stderr)


class Params(Named):
    def test_table(self):
        lines = self.good("params", "knock").stdout.decode().splitlines()
        self.assertEqual(lines[0].split(), ["name", "default", "unit", "range", "scale", "label"])
        self.assertRegex(lines[1], r"^K +1e\+07 +N/m\^alpha +1000 to 1e\+11 +log +hardness$")
        self.assertIn("nothing to set", self.good("params", "gong").stdout.decode())

    def test_json(self):
        found = json.loads(self.good("params", "knock", "--json").stdout)
        self.assertEqual(found["scene"], "knock.lua")
        self.assertEqual(found["title"], "Bounce")
        self.assertEqual(found["params"], [{"name": "K", "label": "hardness", "unit": "N/m^alpha", "default": 1e7,
                                            "min": 1e3, "max": 1e11, "scale": "log"}])

    def test_open_ranges(self):
        bare = self.scene("bare.lua", 'mass { mass = 1 }\nparam { "a", 0.1234567890123 }\nparam { "b", 2, min = 1 }\nparam { "c", 3, max = 4 }')
        lines = self.good("params", bare).stdout.decode().splitlines()
        self.assertRegex(lines[1], "0.1234567890123 +any +linear +a$")
        self.assertIn("1 and more", lines[2])
        self.assertIn("4 and less", lines[3])
        first = json.loads(self.good("params", bare, "--json").stdout)["params"][0]
        self.assertIsNone(first["min"])
        self.assertEqual(first["default"], 0.1234567890123)

    def test_refused(self):
        self.bad(2, "params needs a scene", "params")
        self.bad(2, "one scene at a time", "params", "bell", "knock")
        self.keep("wrong.lua")
        self.bad(3, "wrong.lua:1:", "params", self.scene("wrong.lua", "mas {"))


class New(Named):
    def test_starter_runs_and_explains_itself(self):
        self.assertIn("sistrum render drone.lua", self.good("new", "drone").stdout.decode())
        text = read_text(self.path("drone.lua"))
        self.assertTrue(text.startswith("-- drone: "))
        self.assertNotIn("NAME", text)
        for word in ("param", "string", "barrier", "contact", "mass", "modal", "spring", "probe", "render", "play"):
            self.assertRegex(text, rf"(?m)^-- (.*\. )?{word}: ", "a word without its line")
            self.assertRegex(text, rf"(?m)^[^-]*\b{word} {{", "a word that is explained and not used")
        self.good("render", "drone", "-o", "note.wav", "--duration", "0.01", "--note", "E2", "--velocity", "0.5")
        report = self.report("drone", "-o", "drone.wav", "--duration", "0.5")
        self.assertEqual(report["title"], "drone")
        self.assertLess(report["energy"]["residual_max"], 1e-12)
        self.assertTrue(all(contact["contact_samples"] > 0 for contact in report["contacts"]), "nothing collides")
        rate, channels, _ = read_wav(self.path("drone.wav"))
        self.assertEqual(len(channels), 2)
        for samples in channels:
            loud = max(abs(value) for value in samples)
            late = max(abs(value) for value in samples[-rate // 10:])
            self.assertGreater(late, 0.1 * loud, "it does not ring")

    def test_what_it_suggests_works(self):
        """The lines after "Try:" and the pitch it promises."""
        self.good("new", "try", "--quiet")
        text = read_text(self.path("try.lua"))
        for line in ('pluck { on = wire, shape = "triangle", at = 0.2 * L, height = 2e-3 }',
                     "bow { on = wire, at = 0.1 * L, force = 0.5, velocity = 0.2 }"):
            self.assertIn(line, text)
            self.report(self.scene("tried.lua", text + line), "--duration", "0.01")
        # Buzzing off: the pitch is the one of f0.
        quiet = text.replace("contact { above = wire, below = bridge", "_ = { above = wire, below = bridge")
        self.assertNotEqual(quiet, text)
        self.scene("quiet.lua", quiet)
        self.good("render", "quiet", "-o", "quiet.wav", "--duration", "1", "--set", "strike=0.3")
        rate, channels, _ = read_wav(self.path("quiet.wav"))
        tone = channels[0][rate // 10:]
        period = max(range(rate // 130, rate // 90), key=lambda lag: sum(
            tone[i] * tone[i + lag] for i in range(0, rate // 2, 3)))
        self.assertAlmostEqual(rate / period, 110, delta=1.5)

    def test_copy(self):
        self.good("new", "mine", "--from", "knock")
        self.assertEqual(read_bytes(self.path("mine.lua")), read_bytes(self.path("first/knock.lua")))
        self.good("new", "again.lua", "--from=mine")
        self.assertEqual(self.new_files(), ["again.lua", "mine.lua"])
        self.good("new", "first/deeper", "--from", self.tone)
        self.assertEqual(read_text(self.path("first/deeper.lua")), TONE)

    def test_nothing_is_overwritten(self):
        self.good("new", "drone", "--quiet")
        self.scene("drone.lua", "mine")
        self.keep("drone.lua")
        self.bad(1, "'drone.lua' exists already", "new", "drone")
        self.bad(1, "exists already", "new", "drone.lua", "--from", "bell")
        self.assertEqual(read_text(self.path("drone.lua")), "mine")
        os.symlink("nowhere", self.path("dangling.lua"))
        self.keep("dangling.lua")
        self.bad(1, "exists already", "new", "dangling")

    def test_refused(self):
        self.bad(2, "new needs a name", "new")
        for name in ("a b", "2fast", "-", "", ".lua", "ä", "a/", "x" * 61, "semi;colon", "a.b"):
            self.bad(2, "a scene is named by", "new", "--", name)
        self.bad(1, "nowhere", "new", "nowhere/scene")
        self.bad(3, "did you mean 'knock'", "new", "a", "--from", "knok")
        self.bad(3, "first", "new", "a", "--from", "first")
        self.bad(3, "second/notes.txt", "new", "a", "--from", "second/notes.txt")
        self.bad(2, "--from needs a value", "new", "a", "--from")

    @unittest.skipIf(os.getuid() == 0, "root may write anywhere")
    def test_a_folder_that_cannot_be_written(self):
        os.chmod(self.path("first"), 0o500)
        self.bad(1, "first/x.lua", "new", "first/x")


if __name__ == "__main__":
    main()
