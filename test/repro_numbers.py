"""The papers, reproduced without pictures: what does not take long must come out as docs/reproduction.md says.

Texts must be the same; numbers within 1 %, or, where they are rounding, within a factor of 20.
"""

import os
import re
import subprocess
import unittest

from cli_case import Case, PROGRAM, SOURCE, main, read_text

NUMBER = re.compile(r"(?<![\w.])[-+−]?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
ROUNDING = 1e-9


def numbers_of(text):
    return [float(word.replace("−", "-")) for word in NUMBER.findall(text)]


def text_of(text):
    return NUMBER.sub("#", text)


def agree(a, b):
    if max(abs(a), abs(b)) < ROUNDING:
        low, high = sorted((abs(a), abs(b)))
        return low == 0 or high <= 20 * low
    return abs(a - b) <= 0.01 * max(abs(a), abs(b))


def tables_of(text):
    """{(paper, heading): [row, ...]}, without heads and rules of tables."""
    tables, paper, heading, inside = {}, "", "", False
    for line in text.splitlines():
        if line.startswith("## "):
            paper, heading = line[3:], ""
        elif line.startswith("### "):
            heading = line[4:]
        elif line.startswith("|") and paper:
            if inside and not line.startswith("|---"):
                tables.setdefault((paper, heading), []).append(line)
            inside = True
            continue
        inside = False
    return tables


def differences(now, before):
    """What is in `now` and not in `before`: rows may be missing there, but not change their order."""
    found = []
    for place, rows in now.items():
        known, at = before.get(place, []), 0
        for row in rows:
            same = [i for i in range(at, len(known)) if text_of(known[i]) == text_of(row)]
            fits = [i for i in same if all(map(agree, numbers_of(known[i]), numbers_of(row)))]
            if fits:
                at = fits[0] + 1
            else:
                found.append("%s, %s:\n  now  %s\n  docs %s" % (*place, row, known[same[0]] if same else "have no such row"))
    return found


class Comparing(unittest.TestCase):
    """The comparison itself sees what it must."""

    DOCS = "## P\n\n| item | a |\n|---|---|\n| `x` | 1.00 m, 2e-14 |\n| `y` | -3 Hz |\n| `z` | u1 |\n"

    def check(self, count, old, new):
        now = tables_of(self.DOCS.replace(old, new))
        self.assertEqual(len(differences(now, tables_of(self.DOCS))), count, new)

    def test_differences(self):
        self.assertEqual(len(tables_of(self.DOCS)[("P", "")]), 3)
        for old, new in (("1.00", "1.009"), ("2e-14", "3.9e-13"), ("2e-14", "0"), ("| `y` | -3 Hz |\n", "")):
            self.check(0, old, new)
        for old, new in (("1.00", "1.02"), ("2e-14", "5e-13"), ("2e-14", "1e-8"), ("-3", "3"), ("Hz", "m"), ("u1", "u2"),
                         ("`y`", "`w`"), ("1.00 m,", "1.00, 1.00 m,")):
            self.check(1, old, new)


class Numbers(Case):
    def run_program(self, *arguments, **how):
        return subprocess.run([PROGRAM, *arguments], capture_output=True, timeout=500, cwd=self.folder, **how)

    def test_the_papers(self):
        self.good("repro", "all", "--numbers", "--quick", "--quiet", "-o", "out", env=dict(os.environ, SISTRUM_DATA=SOURCE))
        now = tables_of(read_text(self.path("out/reproduction.md")))
        self.assertEqual(len({paper for paper, _ in now}), 5)
        self.assertGreater(sum(map(len, now.values())), 200)
        docs = tables_of(read_text(os.path.join(SOURCE, "docs/reproduction.md")))
        found = differences(now, docs)
        self.assertEqual(found, [], "\n".join(["docs/reproduction.md says otherwise; make repro writes it again"] + found))


if __name__ == "__main__":
    main()
