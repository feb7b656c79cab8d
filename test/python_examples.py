"""The examples, and every block of docs/python.md and of the README."""

import contextlib
import doctest
import io
import os
import re
import shlex
import subprocess
import sys
import unittest

from python_case import Case, SANITIZED, SOURCE, main, read_text


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
        blocks = re.findall(r"^```(python|pycon|sh)\n(.*?)^```", read_text(os.path.join(SOURCE, "docs", "python.md")), re.S | re.M)
        self.assertGreater(len(blocks), 4)
        self.assertIn("load_data", "".join(text for kind, text in blocks if kind == "python"))
        names = {}
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        for kind, text in blocks:
            if kind == "sh":
                for line in text.splitlines():
                    self.good(*shlex.split(line)[1:])
                continue
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
