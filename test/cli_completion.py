"""What bash offers when TAB is pressed, asked of a bash that nobody sits at."""

import json
import os
import re
import subprocess

from cli_case import PROGRAM, SOURCE, Case, main

# Words as readline parts them ('=' is a word of its own); the last one is the one being typed.
ASK = """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_sistrum
printf '%s\\n' "${COMPREPLY[@]}"
"""


class Completion(Case):
    def offered(self, *words):
        done = subprocess.run(["bash", "-c", ASK, "bash", os.path.join(SOURCE, "completions/sistrum"), PROGRAM, *words],
                              capture_output=True, text=True, cwd=self.folder, timeout=60, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return [line for line in done.stdout.split("\n") if line]

    def commands(self):
        return re.findall(r"(?m)^  sistrum ([a-z]+)", self.good("--help").stdout.decode())

    def test_commands(self):
        offered = self.offered("")
        for command in self.commands():
            self.assertIn(command, offered)
        self.assertEqual(self.offered("rend"), ["render"])
        self.assertEqual(len(set(offered)), len(offered), "one is offered twice")
        words = self.offered("help", "")
        self.assertEqual(len(set(words)), len(words), "one is offered twice")
        self.assertEqual(sorted(self.offered("re")), ["render", "repro"])
        self.assertEqual(self.offered("zz"), [])

    def test_every_option_of_every_command(self):
        for command in self.commands():
            text = self.good("help", command).stdout.decode() if command != "help" else ""
            for option in re.findall(r"(?m)^  (?:-[a-z], )?(--[a-z0-9-]+)", text):
                self.assertIn(option, self.offered(command, option))
            if text:
                self.assertIn("--help", self.offered(command, "-"))

    def test_values_are_no_scenes(self):
        for command in self.commands():
            text = self.good("help", command).stdout.decode() if command != "help" else ""
            for option, _ in re.findall(r"(?m)^  (?:-[a-z], )?(--[a-z0-9-]+) ([A-Z]\S*|on\|off|16)  ?", text):
                if (command, option) != ("new", "--from"):
                    self.assertNotIn("tanpura", self.offered(command, "bounce", option, ""), (command, option))

    def test_flags_take_no_word(self):
        for command, flag in (("sweep", "--slurm"), ("render", "--quiet"), ("play", "--offline"), ("fit", "--level")):
            self.assertEqual(self.offered(command, flag, "bounce", "--set", ""), ["K="], (command, flag))

    def test_scenes(self):
        for command in ("render", "play", "check", "plot", "compare", "params"):
            offered = self.offered(command, "")
            self.assertIn("tanpura", offered)
            self.assertIn("bounce.lua", offered, "files of the folder as well")
        self.assertEqual(self.offered("render", "sita"), ["sitar"])
        self.assertIn("tanpura", self.offered("render", "--quiet", "tanp"))
        self.assertEqual(self.offered("new", "mine", "--from", "sita"), ["sitar"])

    def test_files_with_blanks(self):
        self.scene("two words.lua", "")
        self.assertIn("two words.lua", self.offered("check", "tw"))
        self.assertIn("two words.lua", self.offered("render", "bounce", "-o", "two"))

    def test_params(self):
        told = json.loads(self.good("params", "tanpura", "--json").stdout)
        knobs = told["params"] + told["inputs"]
        self.assertTrue(told["params"] and told["inputs"])
        self.assertEqual(self.offered("render", "tanpura", "--set", ""), [knob["name"] + "=" for knob in knobs])
        self.assertEqual(self.offered("render", "-o", "a.wav", "bounce", "--set", "K"), ["K="])
        self.assertEqual(self.offered("check", "bounce.lua", "--set", "=", "K"), ["K="])
        self.assertEqual(self.offered("check", self.bounce, "--set", ""), ["K="])
        self.assertEqual(self.offered("check", "tanpura", "--set", "K", "=", "5"), [])
        self.assertEqual(self.offered("check", "tanpura", "--set", "K", "=", "5", "--dura"), ["--duration"])
        self.assertEqual(self.offered("check", "--set", ""), [], "no scene, no params")
        self.assertEqual(self.offered("check", "nowhere", "--set", ""), [])

    def test_schemes(self):
        known = self.offered("render", "tanpura", "--scheme", "")
        for scheme in ("ledger", "quadratised", "newton", "exact", "root", "rk4", "invariant"):
            self.assertIn(scheme, known)
        self.assertEqual(self.offered("render", "tanpura", "--scheme", "=", "led"), ["ledger"])
        self.assertEqual(self.offered("compare", "tanpura", "--schemes", "ledger,new"), ["ledger,newton"])
        self.assertNotIn("ledger,ledger", self.offered("compare", "tanpura", "--schemes", "ledger,"))

    def test_subjects_and_sections(self):
        for subject in ("energy", "signal", "spectrogram", "bow"):
            self.assertIn(subject, self.offered("plot", "tanpura", "--what", ""))
        self.assertEqual(self.offered("plot", "tanpura", "--what", "spe"), ["spectrum", "spectrogram"])
        self.assertIn("scaling", self.offered("bench", "--only", ""))

    def test_playing(self):
        self.assertEqual(self.offered("play", "--no-view", "tanpura", "--driver", ""), ["jack", "portaudio", "null"])
        self.assertEqual(self.offered("play", "tanpura", "--connect", "a"), ["all"])
        self.assertEqual(self.offered("play", "tanpura", "--midi", ""), [], "a name of a port, no file")
        self.assertIn("K=", self.offered("play", "--no-view", "bounce", "--set", ""))

    def test_studies(self):
        self.scene("study.db", "")
        self.assertIn("tanpura", self.offered("sweep", "tanp"))
        self.assertEqual(self.offered("sweep", "sho"), ["show"])
        self.assertEqual(self.offered("sweep", "show", ""), ["study.db"])
        self.assertEqual(self.offered("sweep", "bounce", "--axis", ""), ["K="])
        self.assertEqual(self.offered("sweep", "bounce", "--measure", "peak,cen"), ["peak,centroid"])
        self.assertEqual(self.offered("sweep", "bounce", "--draw", "s"), ["sobol"])
        self.assertEqual(self.offered("sweep", "tanpura", "--free", "K,pl"), ["K,place"])
        self.assertEqual(self.offered("plot", "bounce", "--axis", "li"), ["linear"])
        self.assertEqual(self.offered("render", "bounce", "--instrument", "1", "=", "sita"), ["sitar"])
        self.assertEqual(self.offered("sweep", "bounce", "--sounds", ""), ["wav", "flac", "npy"])

    def test_fits(self):
        self.scene("sound.wav", "")
        self.assertIn("tanpura", self.offered("fit", "tanp"))
        self.assertEqual(self.offered("fit", "bounce", "--target", "so"), ["sound.wav"])
        self.assertEqual(self.offered("fit", "bounce", "--target", "cen"), ["centroid="])
        self.assertEqual(self.offered("fit", "bounce", "--level", "--axis", ""), ["K="])
        self.assertEqual(self.offered("fit", "bounce", "--tol"), ["--tolerance"])
        self.assertEqual(self.offered("plot", "study.db", "--pareto", "max"), ["max,min", "max,max"])

    def test_json_is_a_file_or_a_flag(self):
        self.assertIn("bounce.lua", self.offered("render", "tanpura", "--json", ""))
        self.assertIn("tanpura", self.offered("params", "--json", ""))

    def test_help_and_papers(self):
        self.assertEqual(self.offered("help", "cont"), ["contact"])
        self.assertEqual(self.offered("help", "scen"), ["scenes"])
        self.assertIn("ducceschi2019/fig5", self.offered("repro", "ducceschi2019/"))


if __name__ == "__main__":
    main()
