"""Several scenes in one call: the same files for any number of threads, one failure stops no other."""

import glob
import json
import os
import resource
import signal
import subprocess
import time

from cli_case import (BOUNCE, BRIDGE, Case, FRETS, IMPACT, NETWORK, PROGRAM, SANITIZED, SOURCE, main,
                      read_bytes, read_wav)

OVERSAMPLED = """
local m = mass { mass = 0.01, frequency = 200, position = 0.002 }
contact { above = m, below = barrier { height = -0.001 }, K = 1e8, alpha = 1.3 }
probe { on = m, quantity = "velocity", channel = 1 }
render { rate = 22050, oversample = 4, duration = 0.2, normalise = true }
"""

STRINGS = """
for i = 1, 24 do
    local s = string { length = 0.7, frequency = 100 + 7 * i, material_density = 7850, radius = 2e-4, youngs = 2e11,
                       sigma0 = 1 }
    local hammer = mass { mass = 3e-3, position = 1e-4, velocity = -1 }
    contact { above = s, below = barrier { height = -2e-4, from = 0.1, to = 0.6 }, K = 1e9, alpha = 1.5 }
    contact { above = hammer, below = s, at = 0.08, K = 1e8, alpha = 2.5 }
    pluck { on = s, shape = "triangle", at = 0.2, height = 1e-3 }
    probe { on = s, at = 0.1, channel = 1 + i % 2 }
end
render { rate = 44100, duration = 0.1, normalise = true }
"""


class Several(Case):
    def setUp(self):
        super().setUp()
        texts = {"bridge": BRIDGE.replace("EXTRA", ""), "network": NETWORK, "impact": IMPACT,
                 "frets": FRETS.replace("EXTRA", "") + 'probe { on = hammer, quantity = "velocity" }',
                 "over": OVERSAMPLED, "over 2": OVERSAMPLED.replace("4", "8")}
        self.scenes = [self.bounce, self.tone] + [self.scene(n + ".lua", t) for n, t in texts.items()]
        self.names = [os.path.basename(s)[:-4] for s in self.scenes]
        self.before = set(os.listdir(self.folder))

    def listing(self, folder):
        return sorted(os.listdir(self.path(folder)))

    def contents(self, folder):
        return {name: read_bytes(self.path(folder + "/" + name)) for name in self.listing(folder)}

    def test_the_files_do_not_depend_on_the_threads(self):
        alone = {}
        for scene, name in zip(self.scenes, self.names):
            self.good("render", scene, "-o", "a.wav", "--data", "a.npy", "--energy", "a.csv", "--quiet")
            for ending in ("wav", "npy", "csv"):
                alone[name + "." + ending] = read_bytes(self.path("a." + ending))
        for threads in ("1", "2", "7", "64"):
            folder = "out" + threads
            self.good("render", *self.scenes, "-o", folder + "/", "--data", folder, "--energy", folder,
                      "--threads", threads, "--quiet")
            self.assertEqual(self.contents(folder), alone)
        self.good("render", *self.scenes, "-o", "cores/", "--quiet")
        for name, content in self.contents("cores").items():
            self.assertEqual(content, alone[name])
        self.assertEqual(len(self.listing("cores")), len(self.scenes))
        self.assertEqual(read_wav(self.path("cores/tone.wav"))[0], 44100)

    def test_the_parts_of_one_scene_in_threads(self):
        strings = self.scene("strings.lua", STRINGS)
        alone = {}
        for threads in ("1", "2", "3", "7"):
            said = self.good("render", strings, "-o", "s.wav", "--data", "s.npy", "--energy", "s.csv",
                             "--json", "s.json", "--threads", threads).stderr.decode()
            self.assertEqual("in %s threads" % threads in said, threads != "1", said)
            files = {ending: read_bytes(self.path("s." + ending)) for ending in ("wav", "npy", "csv")}
            report = json.loads(read_bytes(self.path("s.json")))
            del report["speed"]
            files["json"] = report
            alone = alone or files
            self.assertEqual(files, alone)
            self.assertLess(report["energy"]["residual_max"], 1e-12)
        self.good("render", strings, self.tone, "-o", "several/", "--quiet")
        self.assertEqual(read_bytes(self.path("several/strings.wav")), alone["wav"])

    def test_words_come_in_the_order_of_the_scenes(self):
        said = [self.good("render", *self.scenes, "-o", "w%s/" % n, "--threads", n).stderr.decode()
                for n in ("1", "4")]
        for text in said:
            heads = [line.split(": ")[0] for line in text.splitlines() if not line.startswith(" ")]
            self.assertEqual(heads, [name + ".lua" for name in self.names])
        plain = [[line for line in text.splitlines() if "  speed" not in line] for text in said]
        self.assertEqual(plain[0], plain[1])

    def test_reports(self):
        self.good("render", self.bounce, self.tone, "--json", "r/", "--quiet")
        self.assertEqual(self.listing("r"), ["bounce.json", "tone.json"])

    def test_one_failure_stops_no_other(self):
        broken = self.scene("broken.lua", "mass { mass = -1 }")
        silent = self.scene("silent.lua", "mass { mass = 1, velocity = 1 }\nrender { duration = 0.01 }")
        for threads in ("1", "3"):
            folder = "some" + threads
            done = self.run_program("render", self.tone, broken, silent, self.bounce, "none.lua", "-o",
                                    folder + "/", "--threads", threads, "--quiet")
            text = done.stderr.decode()
            self.assertEqual(done.returncode, 3, text)
            self.assertEqual(self.listing(folder), ["bounce.wav", "tone.wav"])
            lines = text.splitlines()
            self.assertEqual(len(lines), 3, text)
            self.assertIn("broken.lua:1:", lines[0])
            self.assertIn("silent.lua: the scene has no sound", lines[1])
            self.assertIn("none.lua", lines[2])

    def test_the_first_failure_gives_the_code(self):
        broken = self.scene("broken.lua", "mass { mass = -1 }")
        done = self.run_program("render", self.tone, broken, "-o", "x/", "--set", "K=2", "-q")
        self.assertEqual(done.returncode, 2, done.stderr.decode()) # tone has no K
        done = self.run_program("render", broken, self.tone, "-o", "x/", "--set", "K=2", "-q")
        self.assertEqual(done.returncode, 3, done.stderr.decode())
        self.assertFalse(os.path.exists(self.path("x"))) # nothing was written

    def test_one_scene_into_a_folder(self):
        self.good("render", self.tone, "-o", "one/", "-q")
        self.assertEqual(self.listing("one"), ["tone.wav"])

    def test_older_files_stay_when_a_run_fails(self):
        os.mkdir(self.path("old"))
        with open(self.path("old/silent.wav"), "w") as f:
            f.write("old")
        silent = self.scene("silent.lua", "mass { mass = 1, velocity = 1 }\nrender { duration = 0.01 }")
        self.assertEqual(self.run_program("render", silent, self.tone, "-o", "old", "-q").returncode, 3)
        self.assertEqual(self.listing("old"), ["silent.wav", "tone.wav"])
        self.assertEqual(read_bytes(self.path("old/silent.wav")), b"old")


class Refused(Case):
    def test_requests(self):
        two = (self.bounce, self.tone)
        self.bad(2, "-o DIR/, not 'a.wav'", "render", *two, "-o", "a.wav")
        self.bad(2, "--json DIR/, not '-'", "render", *two, "--json", "-")
        self.bad(2, "same file: 'tone'", "render", self.tone, *two, "-o", "a/")
        self.bad(2, "has no '/'", "render", self.tone, "-o", "a/", "--data", "b.dat")
        self.bad(2, "needs an output", "render", *two)
        self.bad(1, "cannot make the folder 'none/deep/'", "render", *two, "-o", "none/deep/")
        for count in ("0", "1.5", "300", "many"):
            self.bad(2, "--threads must be", "render", *two, "-o", "a/", "--threads", count)
        self.bad(2, "one scene at a time", "plot", *two, "-o", "a.png")


class Ended(Case):
    def test_signals_leave_nothing_behind(self):
        slow = [self.scene("slow%d.lua" % i, BOUNCE.replace("0.1,", "2, oversample = 1024,"))
                for i in range(5)]
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            run = subprocess.Popen([PROGRAM, "render", self.tone, *slow, "-o", "out/", "--data", "out/",
                                    "--threads", "4", "-q"], cwd=self.folder, stderr=subprocess.PIPE)
            end = time.monotonic() + 30
            while time.monotonic() < end:
                if len(glob.glob(self.path("out/.sistrum-*"))) >= 6:
                    break
                time.sleep(0.01)
            run.send_signal(number)
            run.communicate(timeout=30)
            self.assertEqual(run.returncode, -number)
            left = os.listdir(self.path("out")) if os.path.isdir(self.path("out")) else []
            self.assertTrue(set(left) <= {"tone.wav", "tone.npy"}, left)

    def test_nohup_is_respected(self):
        def deaf():
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
        run = subprocess.Popen([PROGRAM, "render", self.tone, self.bounce, "-o", "out/", "-q"],
                               cwd=self.folder, preexec_fn=deaf)
        run.send_signal(signal.SIGHUP)
        self.assertEqual(run.wait(timeout=60), 0)
        self.assertEqual(sorted(os.listdir(self.path("out"))), ["bounce.wav", "tone.wav"])


class Instruments(Case):
    def test_instruments_of_the_house(self):
        """Scenes as they are, twice at once, give the same bytes."""
        scenes = sorted(glob.glob(os.path.join(SOURCE, "scenes", "*.lua")))[:3 if SANITIZED else 20]
        self.assertTrue(scenes)
        for threads in ("1", "4"):
            self.run_program("render", *scenes, "-o", "i%s/" % threads, "--threads", threads, "--duration",
                             "0.05", "-q")
        one, four = (sorted(os.listdir(self.path("i" + n))) for n in "14")
        self.assertEqual(one, four)
        self.assertTrue(one)
        for name in one:
            self.assertEqual(read_bytes(self.path("i1/" + name)), read_bytes(self.path("i4/" + name)))


class Starved(Case):
    """Under a limit of addresses (ulimit -v): what is written by one thread is written by many."""

    def written(self, scenes, limit, threads):
        def limited():
            resource.setrlimit(resource.RLIMIT_AS, (limit << 20, limit << 20))
        folder = "m%d-%s" % (limit, threads)
        done = subprocess.run([PROGRAM, "render", *scenes, "-o", folder + "/", "--threads", threads, "--duration", "0.1",
                               "-q"], cwd=self.folder, preexec_fn=limited, capture_output=True, timeout=300)
        names = os.listdir(self.path(folder)) if os.path.isdir(self.path(folder)) else []
        self.assertIn(done.returncode, (0, 1, 127), done.stderr)  # 127: not even its libraries can be loaded
        self.assertEqual(done.returncode == 0, len(names) == len(scenes), (limit, threads, done.stderr))
        return {name: read_bytes(self.path(folder + "/" + name)) for name in names}

    def test_many_threads_write_what_one_does(self):
        if SANITIZED:
            self.skipTest("sanitizers reserve more addresses than any limit here")
        names = ("rattle", "snare", "guitar", "piano_chord", "sistrum", "marimba", "sitar", "tanpura_drone")
        scenes = [os.path.join(SOURCE, "scenes", name + ".lua") for name in names]
        for limit in (12, 15, 16, 17, 18, 20, 24, 32, 48, 60, 80, 100, 130, 160, 200, 300):  # MiB
            alone = self.written(scenes, limit, "1")
            if limit >= 32:
                self.assertEqual(len(alone), len(scenes), limit)
            for threads in ("2", "8"):
                self.assertEqual(self.written(scenes, limit, threads), alone, (limit, threads))


if __name__ == "__main__":
    main()
