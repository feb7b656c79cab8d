"""The notebooks run from top to bottom. Here by a runner of a few lines; make wheel-test runs them in Jupyter."""

import ast
import contextlib
import glob
import io
import json
import os
import sys
import unittest
from unittest import mock

from python_case import Case, SANITIZED, SOURCE, main, read_text

FOLDER = os.path.join(SOURCE, "python", "notebooks")


def cells(path):
    return json.loads(read_text(path))["cells"]


def run(path):
    """What is printed and what each cell shows last, as Jupyter would."""
    names, shown = {"__name__": "__main__"}, []
    for n, cell in enumerate(cells(path)):
        if cell["cell_type"] != "code":
            continue
        lines = "".join(cell["source"])
        tree = ast.parse(lines)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        name = "%s, cell %d" % (os.path.basename(path), n)
        with contextlib.redirect_stdout(io.StringIO()) as out:
            exec(compile(tree, name, "exec"), names)  # pylint: disable=exec-used
            value = eval(compile(ast.Expression(last.value), name, "eval"), names) if last is not None else None
        if out.getvalue():
            shown.append(out.getvalue())
        if value is not None:
            shown.append(value._repr_html_() if hasattr(value, "_repr_html_") else repr(value))
    return shown


@unittest.skipIf(SANITIZED, "slow")
class Notebooks(Case):
    def run_one(self, name):
        # The same on every machine, with matplotlib or without; make wheel-test draws.
        plots = mock.MagicMock()
        plots.subplots.side_effect = lambda rows, *a, **k: (mock.MagicMock(), [mock.MagicMock() for _ in range(rows)])
        plots.show.return_value = None
        with mock.patch.dict(sys.modules, {"matplotlib": mock.MagicMock(pyplot=plots), "matplotlib.pyplot": plots}):
            return run(os.path.join(FOLDER, name))

    def test_hardness(self):
        shown = self.run_one("hardness.ipynb")
        self.assertIn("<audio", shown[1])
        self.assertIn("200 of 200 runs", shown[2])
        self.assertRegex(shown[3], r"^K = \S+ N/m\^2\.5: \d{3,5} Hz\n$")
        self.assertIn("<audio", shown[4])

    def test_figure(self):
        lines = self.run_one("figure.ipynb")[-1].splitlines()
        self.assertEqual([line.split()[0] for line in lines], ["default", "optimal", "unconditional"])
        reproduced = read_text(os.path.join(SOURCE, "docs", "reproduction.md"))
        numbers = [[float(x) for x in line.split()[1:]] for line in lines]
        self.assertTrue(all(n[0] > n[1] > n[2] for n in (numbers[0], numbers[2])))
        published = [line for line in reproduced.splitlines() if "the default scheme, modes 10, 20, 40, 60, 80" in line][0]
        for number in numbers[0]:
            self.assertIn("%.3g" % number, published.replace("−", "-"))

    def test_instrument(self):
        shown = self.run_one("instrument.ipynb")
        self.assertEqual(sum("<audio" in each for each in shown), 3)
        self.assertRegex(shown[-2], r"^plucked \d+ times; loudest \d")
        self.assertTrue(shown[-1].startswith("True "), shown[-1])

    def test_they_are_kept_without_outputs(self):
        files = sorted(glob.glob(os.path.join(FOLDER, "*.ipynb")))
        self.assertEqual(len(files), 3)
        for path in files:
            text = read_text(path)
            self.assertEqual(json.dumps(json.loads(text), indent=1, ensure_ascii=False) + "\n", text)
            for cell in cells(path):
                self.assertEqual(cell.get("outputs", []), [])
                self.assertIsNone(cell.get("execution_count"))


if __name__ == "__main__":
    main()
