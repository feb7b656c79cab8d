"""The man page says what the program says, and readers of man pages have nothing to complain about."""

import functools
import os
import re
import shutil
import subprocess
import unittest

from cli_case import PROGRAM, SOURCE, Case, main


@functools.cache
def make_page():
    done = subprocess.run([os.path.join(SOURCE, "tools/man.sh"), PROGRAM], capture_output=True, text=True, timeout=60,
                          check=False)
    return done.returncode, done.stderr, done.stdout


class Man(Case):
    def setUp(self):
        super().setUp()
        code, errors, page = make_page()
        self.assertEqual((code, errors), (0, ""))
        self.page = self.scene("sistrum.1", page)
        self.text = page.replace("\\-", "-").replace("\\(aq", "'").replace("\\fB", "").replace("\\fR", "")

    def test_nothing_is_left_out(self):
        top = self.good("--help").stdout.decode()
        commands = re.findall(r"(?m)^  sistrum ([a-z]+)", top)
        self.assertIn("render", commands)
        for command in commands:
            self.assertIn(f"\n.SS {command}\n", self.text)
        for command in set(commands) - {"help"}:
            part = self.text.split(f"\n.SS {command}\n")[1].split("\n.S")[0]
            for line in self.good("help", command).stdout.decode().splitlines():
                said = re.sub(r"  +", "\n", line.strip())
                self.assertIn(said, part)
        for code in "0123":
            self.assertIn(f"\n.TP\n.B {code}\n", self.text)
        self.assertIn(self.good("--version").stdout.decode().strip(), self.text)
        self.assertNotRegex(self.text, r"@[A-Z]+@")

    def test_every_call_is_a_line_of_its_own(self):
        part = self.text.split("\n.SS render\n")[1].split("\n.S")[0].split("\n")
        calls = [i for i, line in enumerate(part) if line.startswith("sistrum render ")]
        self.assertGreater(len(calls), 3)
        for i in calls:
            self.assertIn(part[i - 1] if i else ".br", (".br", ".PP"))
            self.assertIn(part[i + 1], (".br", ".PP"))

    def test_it_has_no_lines_that_would_be_requests(self):
        known = {"TH", "SH", "SS", "TP", "PP", "B", "BR", "BI", "I", "RI", "RB", "RS", "RE", "nf", "fi", "br", '\\"'}
        for request in re.findall(r"(?m)^[.'](\S+)", self.text):
            self.assertIn(request, known)

    @unittest.skipUnless(shutil.which("mandoc"), "no mandoc here")
    def test_mandoc(self):
        done = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", self.page], capture_output=True, text=True,
                              check=False)
        self.assertEqual((done.returncode, done.stdout), (0, ""))

    @unittest.skipUnless(shutil.which("man") and shutil.which("groff"), "no man here")
    def test_man(self):
        done = subprocess.run(["man", "--warnings", "-l", self.page], capture_output=True, text=True, check=False,
                              env=dict(os.environ, MANWIDTH="80", LC_ALL="C.UTF-8"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"--rate HZ")


if __name__ == "__main__":
    main()
