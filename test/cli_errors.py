#!/usr/bin/env python3
"""What the program says of wrong scenes, odd names and numbers that are none: one clean line with its place, the exit code,
and no file left behind. The scenes are those of wrong_scenes.py; thousands of them are tried there without the program."""

import json
import os
import random
import unittest

import wrong_scenes
from cli_case import SANITIZED, Case, main

ODD = "a\u202eb\u200b\x9bc\u2066\ufeff"  # right-to-left, no width, C1, isolate, byte order mark


class Errors(Case):
    def is_clean(self, raw):
        text = raw.decode("utf-8")
        for line in text.split("\n"):
            self.assertEqual(wrong_scenes.unclean(line), "", line)
        return text

    def test_random_wrong_scenes_in_every_command(self):
        scenes = wrong_scenes.read_scenes()
        dice = random.Random(7)
        path = self.path("wrong.lua")
        self.before.add("wrong.lua")
        tried = 0
        for i in range(24 if SANITIZED else 60):
            wrong = wrong_scenes.make("cli/%d" % i, scenes)
            if not wrong.sure or wrong.settings or "memory" in wrong.what:
                continue
            with open(path, "wb") as file:
                file.write(wrong.text if isinstance(wrong.text, bytes) else wrong.text.encode("utf-8", "surrogatepass"))
            command = dice.choice([["render", path, "-o", "out.wav", "--data", "out.npy", "--json", "out.json", "--energy", "e.csv"], ["check", path],
                                   ["plot", path, "-o", "out.svg"], ["compare", path, "--duration", "0.001"]])
            with self.subTest(seed="cli/%d" % i, what=wrong.what, command=command[0]):
                done = self.run_program(*command)
                if done.returncode == 0 and command[0] == "compare":
                    continue  # another scheme runs
                tried += 1
                text = self.is_clean(done.stderr)
                self.assertEqual(done.returncode, 3, text)
                self.assertIn(text.count("\n"), (1, 2), text)
                place = path + (":%d: " % wrong.line if wrong.line else ":")
                self.assertIn(place, text)
                if wrong.object and wrong.object[0] != "?":
                    self.assertIn(wrong.object, text)
                if wrong.key:
                    self.assertIn(wrong.key, text)
                if command[0] != "compare":
                    self.assertEqual(done.stdout, b"")
                self.assertEqual(set(os.listdir(self.folder)) - {"folder"}, self.before, "files were left behind")
        self.assertGreater(tried, 10)

    def test_settings_name_the_param_and_its_line(self):
        scene = self.scene("set.lua", "\nlocal K = param{ 'K', 5, min = 1, max = 9, unit = 'N/m' }\nmass{ mass = 1, stiffness = K }\n")
        self.before.add("set.lua")
        self.bad(2, scene + ":2: param 'K': K = 10 N/m is outside 1 .. 9", "check", scene, "--set", "K=10")
        self.bad(2, scene + ": unknown param 'Q'", "check", scene, "--set", "Q=10")

    def test_numbers_are_plain_decimals(self):
        for number in ("0x10", "0x1p3", "inf", "INF", "nan", "infinity", " 1", "1 ", "1s", "", "1e", "e5", ".", "+", "-", "--1", "1,5", "1_000", "1e999", "1\n"):
            with self.subTest(number=number):
                self.bad(2, "--duration must be a number", "check", self.tone, "--duration", number)
                self.bad(2, "--set K", "check", self.bounce, "--set", "K=" + number)
        self.bad(2, "--oversample must be a whole number", "check", self.tone, "--oversample", "0x2")
        self.bad(2, "--times must be seconds", "plot", self.tone, "-o", "a.svg", "--times", "0.1,0x1")
        for number in ("0.01", "+.01", "1.e-2", "1E-2"):
            self.good("render", self.tone, "-o", "ok.wav", "--duration", number, "--quiet")
            self.keep("ok.wav")

    def test_odd_file_names_are_shown_clean(self):
        odd = "x\x1b[31m\n" + ODD + ".lua"
        for arguments in (["check", odd], ["render", odd, "-o", "a.wav"], ["render", self.tone, "-o", "no\x1bfolder/a.wav"], ["check", self.tone, "--set", odd],
                          ["plot", self.tone, "-o", "a\x1b.svgx"], [odd], ["help", odd], ["check", self.tone, "--" + odd], ["render", self.tone, "-o", "a.wav", "--midi", odd],
                          ["check", self.tone, "--note", odd], ["new", odd + "/" + odd], ["check", os.fsencode(self.tone), b"--scheme", b"\xff\x1b"]):
            done = self.run_program(*arguments)
            self.assertNotEqual(done.returncode, 0)
            self.assertEqual(self.is_clean(done.stderr).count("\n"), 1, done.stderr)
        wrong = self.scene(odd, "mass{ mass = -1 }")
        self.assertIn(":1: mass: mass = -1", self.is_clean(self.run_program("check", wrong).stderr))

    def test_odd_names_are_shown_clean_when_all_is_well(self):
        name = wrong_scenes.lua(ODD)
        text = ("local k = param{ %(n)s, 1e5, min = 1e3, max = 1e7, unit = %(n)s, label = %(n)s }\n"
                "local m = mass{ mass = 0.01, position = 1e-3, name = %(n)s }\n"
                "local s = string{ length = 0.6, tension = 60, density = 1e-3, name = %(n)s }\n"
                "local w = barrier{ height = -1e-4, name = %(n)s }\n"
                "local c = contact{ above = m, below = w, K = k, alpha = 1.5, name = %(n)s }\n"
                "pluck{ on = s, at = 0.2, height = 1e-3, name = %(n)s }\n"
                "probe{ on = m, name = %(n)s }\nprobe{ on = c, quantity = 'penetration' }\nrender{ duration = 0.01, title = %(n)s }\n") % {"n": name}
        scene = self.scene(ODD + ".lua", text)
        for arguments in (["check", scene], ["params", scene], ["params", scene, "--json"], ["scenes"], ["render", scene, "-o", "a.wav", "--energy", "e.csv", "--json", "r.json"],
                          ["compare", scene, "--schemes", "ledger,newton", "--json", "c.json"], ["plot", scene, "-o", "p.svg", "--what", "signal"]):
            done = self.run_program(*arguments, env={**os.environ, "SISTRUM_SCENES": self.folder})
            self.assertEqual(done.returncode, 0, done.stderr)
            self.is_clean(done.stdout)
            self.is_clean(done.stderr)
        for file in ("r.json", "c.json"):
            with open(self.path(file), "rb") as report:
                raw = report.read()
            json.loads(self.is_clean(raw))
        for file in ("e.csv", "p.svg"):
            with open(self.path(file), "rb") as made:
                self.is_clean(made.read().replace(b"\t", b" "))
        with open(self.path("a.wav"), "rb") as sound:
            self.assertNotIn("\u202e".encode(), sound.read())

    def test_a_run_that_breaks_off_names_its_contact(self):
        scene = self.scene("root.lua", "local m = mass{ mass = 1, position = -0.5, velocity = 20 }\nlocal w = barrier{ height = 0.1 }\n"
                           "contact{ above = w, below = m, K = 5e9, alpha = 1.3, scheme = 'root', name = 'hit' }\nprobe{ on = m }\nrender{ duration = 0.06 }\n")
        self.before.add("root.lua")
        self.bad(1, scene + ":3: contact 'hit': complex root at sample", "render", scene, "-o", "a.wav")


if __name__ == "__main__":
    main()
