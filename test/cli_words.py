"""Help, and what the command line and the scene are refused for."""

from cli_case import BOUNCE, Case, main, read_npy, read_text


class Help(Case):
    def test_version(self):
        self.assertRegex(self.good("--version").stdout.decode(), r"^sistrum \d+\.\d+\.\d+\n$")

    def test_top(self):
        for arguments in (["--help"], ["-h"], ["help"], ["help", "--help"]):
            text = self.good(*arguments).stdout.decode()
            for word in ("render", "check", "plot", "compare", "help", "Exit codes"):
                self.assertIn(word, text)

    def test_every_command(self):
        for command, options in (("render", ["-o", "--data", "--energy", "--json", "--set", "--rate",
                                             "--duration", "--oversample", "--scheme", "--quiet"]),
                                 ("check", ["--set", "--rate", "--scheme"]),
                                 ("plot", ["-o", "--what", "--set", "--from", "--to", "hysteresis",
                                           "snapshots", "plate", "bow", "--times"]),
                                 ("compare", ["--schemes", "-o", "--json", "--reference", "--set",
                                              "--rate", "--duration", "--from", "--to"]),
                                 ("scenes", ["--json", "SISTRUM_SCENES"]), ("params", ["--json"]),
                                 ("new", ["--from", "--quiet"])):
            direct = self.good(command, "--help").stdout
            self.assertEqual(direct, self.good("help", command).stdout)
            self.assertEqual(direct, self.good(command, "nothing.lua", "-h", "--rate").stdout)
            for option in options:
                self.assertIn(option, direct.decode())

    def test_words_of_the_scene(self):
        text = self.good("help", "contact").stdout.decode()
        for word in ("alpha", "needed", "N/m^alpha", "ledger", "default"):
            self.assertIn(word, text)
        for kind in ("mass", "string", "plate", "modal", "barrier", "contact", "spring", "bow", "force", "pluck", "gravity",
                     "probe"):
            text = self.good("help", kind).stdout.decode()
            self.assertIn(kind + "{}", text)
            self.assertNotIn("(null)", text)
        self.assertIn("--set", self.good("help", "param").stdout.decode())
        self.bad(2, "did you mean 'contact'", "help", "contcat")
        self.bad(2, "no help on", "help", "xylophone")
        self.bad(2, "one word", "help", "mass", "spring")

    def test_mistakes(self):
        self.bad(2, "no command")
        self.bad(2, "did you mean 'render'", "rendr")
        self.bad(2, "unknown command 'xyz'", "xyz")
        self.bad(2, "unknown option '--verion'", "--verion")
        self.bad(2, "did you mean '--energy'", "render", self.bounce, "--enrgy", "e.csv")
        self.bad(2, "did you mean '--duration'", "render", self.bounce, "--dur=1", "-o", "a.wav")
        self.bad(2, "unknown option '--zzz'", "check", self.bounce, "--zzz")
        self.bad(2, "--data needs a value", "render", self.bounce, "--data")
        self.bad(2, "takes no value", "render", self.bounce, "-o", "a.wav", "--quiet=yes")
        self.bad(2, "one scene at a time", "check", self.bounce, self.tone)
        self.bad(2, "needs a scene", "render", "-o", "a.wav")
        self.bad(2, "needs a scene", "check")
        self.bad(2, "needs a scene", "plot", "-o", "a.png")
        self.bad(2, "needs a scene", "compare", "--schemes", "ledger")


class Refused(Case):
    def test_command_line(self):
        out = ("-o", "a.wav")
        self.bad(2, "needs an output", "render", self.bounce)
        for value in ("0", "-1", "nan", "inf", "abc", "1e10", "1e-4", "", " 1", "44100Hz"):
            text = self.bad(2, "--rate must be a number from 0.001 to 1e+09 Hz", "render", self.bounce,
                            *out, "--rate=" + value)
            self.assertIn("'" + value + "'", text)
        for value in ("0", "1.5", "1025", "x"):
            self.bad(2, "--oversample must be a whole number from 1 to 1024", "render", self.bounce,
                     *out, "--oversample", value)
        self.bad(2, "--duration must be", "render", self.bounce, *out, "--duration", "-1")
        self.bad(2, "--duration must be", "render", self.bounce, *out, "--duration", "1e7")
        self.bad(2, "0 samples", "render", self.bounce, *out, "--duration", "0")
        self.bad(2, "0 samples", "render", self.bounce, *out, "--duration", "1e-6")
        self.bad(2, "given twice", "render", self.bounce, *out, "-o", "b.wav")
        self.bad(2, "did you mean 'newton'", "render", self.bounce, *out, "--scheme", "newtn")
        text = self.bad(2, "unknown scheme 'magic'", "render", self.bounce, *out, "--scheme", "magic")
        self.assertIn("ledger", text)

    def test_settings(self):
        out = ("-o", "a.wav")
        self.bad(2, "L", "render", self.bounce, *out, "--set", "L=1")
        self.bad(2, "1e11", "render", self.bounce, *out, "--set", "K=1e12")
        self.bad(2, "NAME=VALUE", "render", self.bounce, *out, "--set", "K")
        self.bad(2, "NAME=VALUE", "render", self.bounce, *out, "--set", "=1")
        self.bad(2, "not a number", "render", self.bounce, *out, "--set", "K=big")
        self.bad(2, "not a number", "render", self.bounce, *out, "--set", "K=")
        self.bad(2, "not a number", "render", self.bounce, *out, "--set", "K=inf")

    def test_outputs_in_one_another(self):
        self.bad(2, "named twice", "render", self.bounce, "--data", "a", "--energy", "./a")
        plain = self.scene("plain", BOUNCE)
        self.keep("plain")
        self.bad(2, "scene itself", "render", plain, "--data", "./plain")
        self.assertEqual(read_text(plain), BOUNCE)
        self.bad(2, "-o writes .wav and .flac files, not 'a.ogg'", "render", self.bounce, "-o", "a.ogg")
        for name in ("a.dat", "a.npz", "a.npy.gz", "a.wav"):
            self.bad(2, "--data writes .npy, .h5, .mat and .csv files, not '%s'" % name, "render", self.bounce, "--data", name)
        for name in ("a.wav", "a.json", "a.npz"):
            self.bad(2, "--energy writes .csv, .npy, .h5 and .mat files, not '%s'" % name, "render", self.bounce, "--energy",
                     name)
        self.bad(2, "writes .json files", "render", self.bounce, "--json", "bounce.lua")

    def test_beyond_wav(self):
        self.bad(2, "1 Hz is the least", "render", self.scene_slow(), "-o", "a.wav", "--rate", "0.3",
                 "--duration", "100")

    def scene_slow(self):
        self.keep("slow.lua")
        return self.scene("slow.lua", "local m = mass { mass = 1, velocity = 1 }\nprobe { on = m }\n")

    def test_slow_data(self):
        self.good("render", self.scene_slow(), "--data", "s.npy", "--rate", "0.5", "--duration", "100")
        self.assertEqual(len(read_npy(self.path("s.npy"))), 50)

    def test_scene(self):
        def scene(name, text):
            self.keep(name)
            return self.scene(name, text)
        out = ("-o", "a.wav")
        self.bad(3, "nowhere.lua", "render", "nowhere.lua", *out)
        self.bad(3, "nowhere.lua", "check", "nowhere.lua")
        self.bad(3, "wrong.lua:2:", "render", scene("wrong.lua", "\nmass {"), *out)
        self.bad(3, "did you mean", "render", scene("key.lua", "mass { mas = 1 }"), *out)
        self.bad(3, "none.lua", "render", scene("none.lua", ""), *out)
        self.bad(3, "nothing that moves", "check", scene("wall.lua", "barrier { height = 0 }"))
        mute = scene("mute.lua", "mass { mass = 1, velocity = 1 }")
        self.bad(3, "no probe has a channel", "render", mute, *out)
        self.bad(3, "no probe", "render", mute, "--data", "a.npy")
        self.good("render", mute, "--json", "-")
        fast = scene("fast.lua", "probe { on = mass { mass = 1, frequency = 30000 } }")
        self.bad(3, "fast.lua", "render", fast, *out)
        self.bad(3, "", "render", self.folder, *out)


if __name__ == "__main__":
    main()
