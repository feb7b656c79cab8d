"""The papers, reproduced without pictures: what does not take long must come out as docs/ say, all of it and nothing else.

Texts must be the same; numbers within 1 %, or, where they are rounding, within a factor of 20.
"""

import os
import re
import subprocess
import unittest

from cli_case import Case, PROGRAM, SOURCE, main, read_text
from laws import check_count

NUMBER = re.compile(r"(?<![\w.])[-+−]?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
ITEM = re.compile(r"\| `(\w+)` \|")
ROUNDING = 1e-9
# Headings of docs/reproduction.md and docs/beyond.md, and the folders of what they tell about.
FOLDERS = {"Ducceschi 2017": "ducceschi2017", "Bilbao 2014": "bilbao2014", "Ducceschi and Bilbao 2019": "ducceschi2019",
           "Willemsen 2019": "willemsen2019", "Papetti, Avanzini and Rocchesso 2011": "papetti2011",
           "Schemes compared": "beyond"}
# Items of more than a second: where SISTRUM_LONG is set.
LONG = {"bilbao2014/app_kirchhoff", "bilbao2014/fig5", "bilbao2014/sec33", "bilbao2014/sec34", "ducceschi2017/fig2",
        "ducceschi2017/fig6", "ducceschi2017/realness", "ducceschi2019/fig3", "ducceschi2019/fig8", "ducceschi2019/misprints",
        "papetti2011/fig8", "willemsen2019/eq72", "willemsen2019/misprints", "willemsen2019/sec7_tromba_connection",
        "willemsen2019/sec8_tromba"}

# Verdicts that were argued over: page, item, words of the claim, verdict. A new run of the papers must not change them unseen.
VERDICTS = (
    ("reproduction.md", "ducceschi2019/fig2", "over 64 arrivals", "reproduced"),
    ("reproduction.md", "ducceschi2019/fig3", "within 0.2 s, of its amplitude, over 24 starts", "reproduced"),
    ("reproduction.md", "ducceschi2019/fig3", "late panels: largest difference of u within 1 s, of its amplitude, over 24 starts",
     "does not reproduce"),
    ("reproduction.md", "ducceschi2019/fig3", "median of the starts within 1 s at 1, 5 and 20 times", "reproduced"),
    ("beyond.md", "ducceschi2019/speed", "the new schemes are much more efficient", "reproduced with correction"),
    ("reproduction.md", "bilbao2014/fig2", "effectively exact", "reproduced with correction"),
    ("reproduction.md", "bilbao2014/sec33", "l_unc unconditionally stable", "reproduced"),
    ("reproduction.md", "bilbao2014/sec33", "the same of this program", "reproduced"),
    ("reproduction.md", "bilbao2014/sec33", "h_min of (21)", "reproduced with correction"),
    ("reproduction.md", "bilbao2014/sec33", "a pulse of 1 mm, gamma = 0.7", "reproduced with correction"),
    ("reproduction.md", "bilbao2014/sec34", "the vector equation (25) has a unique solution", "reproduced"),
    ("beyond.md", "bilbao2014/efficiency", "great acceleration", "reproduced with correction"),
    ("reproduction.md", "willemsen2019/eq72", "part of the steps in which the contact of string and bridge acts",
     "reproduced with correction"),
    ("reproduction.md", "willemsen2019/eq72", "with ε put back into Eqs. 73 to 75", "reproduced with correction"),
    ("reproduction.md", "willemsen2019/eq72", "force of the contact with ε = 0.2 m", "reproduced"),
    ("reproduction.md", "papetti2011/sec3", "case 1, 156 impacts: energy after the impact above the exact one, Verlet, Heun",
     "reproduced with correction"),
)


def numbers_of(text):
    return [float(word.replace("−", "-")) for word in NUMBER.findall(text)]


def text_of(text):
    return NUMBER.sub("#", text)


def agree(a, b):
    if a == 0 or b == 0:
        return a == b
    if max(abs(a), abs(b)) < ROUNDING:
        low, high = sorted((abs(a), abs(b)))
        return high <= 20 * low
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


def item_of(place, row):
    """"paper/item" of a row; misprints have their place instead: they are all of the item misprints."""
    found = ITEM.match(row)
    return "%s/%s" % (FOLDERS.get(place[0].removeprefix("Times: "), place[0]), found.group(1) if found else "misprints")


def only(tables, wanted):
    """The rows of these items."""
    return {place: [row for row in rows if item_of(place, row) in wanted] for place, rows in tables.items()}


def differences(now, before, absent="docs have no such row"):
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
                found.append("%s, %s:\n  %s\n  %s" % (*place, row, "other numbers: " + known[same[0]] if same else absent))
    return found


def verdicts_of(text, item, words):
    """Verdicts of the claims of an item that contain these words."""
    found = []
    for place, rows in tables_of(text).items():
        for row in rows:
            cells = [cell.strip() for cell in row.replace("\\|", "").strip("|").split("|")]
            if place[1] == "Published and measured" and item_of(place, row) == item and words in cells[1].replace("\\", ""):
                found.append(cells[4].split(":")[0].strip("*"))
    return found


def docs_text(name):
    return read_text(os.path.join(SOURCE, "docs", name))


def items_in(text):
    """Items that the tables right below the papers' headings tell about."""
    return {item_of(place, row) for place, rows in tables_of(text).items() if place[0] in FOLDERS and not place[1]
            for row in rows}


def items_of_docs():
    return items_in(docs_text("reproduction.md")) | items_in(docs_text("beyond.md"))


def listed_items(text):
    """{"paper/item": whether --quick leaves it out} of what sistrum repro list tells."""
    found = {}
    for line in text.splitlines():
        if not line or line[0] == " ":
            continue  # the rest of a long title
        name, rest = line.split(None, 1)
        found[name] = bool(re.search(r" {2,}(slow|alone) {2,}", rest))
    return found


class Comparing(unittest.TestCase):
    """The comparison itself sees what it must."""

    DOCS = ("## Bilbao 2014\n\n| item | a |\n|---|---|\n| `x` | 1.00 m, 2e-14 |\n| `y` | -3 Hz |\n| `z` | u1 |\n\n"
            "### Misprints and gaps\n\n| where | printed |\n|---|---|\n| Eq. 1 | 0 |\n")

    def check(self, count, old, new):
        now = tables_of(self.DOCS.replace(old, new))
        self.assertEqual(len(differences(now, tables_of(self.DOCS))), count, new)

    def test_differences(self):
        self.assertEqual(len(tables_of(self.DOCS)[("Bilbao 2014", "")]), 3)
        for old, new in (("1.00", "1.009"), ("2e-14", "3.9e-13"), ("| `y` | -3 Hz |\n", "")):
            self.check(0, old, new)
        for old, new in (("1.00", "1.02"), ("2e-14", "5e-13"), ("2e-14", "1e-8"), ("2e-14", "0"), ("-3", "3"), ("Hz", "m"),
                         ("u1", "u2"), ("| 0 |", "| 1e-15 |"), ("`y`", "`w`"), ("1.00 m,", "1.00, 1.00 m,")):
            self.check(1, old, new)

    def test_missing_rows(self):
        docs = tables_of(self.DOCS)
        self.assertEqual(items_in(self.DOCS), {"bilbao2014/x", "bilbao2014/y", "bilbao2014/z"})
        for row in ("| `y` | -3 Hz |\n", "| Eq. 1 | 0 |\n"):
            now = tables_of(self.DOCS.replace(row, ""))
            ran = {"bilbao2014/x", "bilbao2014/y", "bilbao2014/misprints"}
            self.assertEqual(len(differences(only(docs, ran), now)), 1, row)
            self.assertEqual(len(differences(only(docs, {"bilbao2014/x"}), now)), 0, row)

    def test_verdicts(self):
        text = ("## Bilbao 2014\n\n### Published and measured\n\n| item | claim | published | measured | verdict |\n|---|---|---|---|---|\n"
                "| `x` | h_min \\| a | 0 | 1 | **reproduced with correction**: so: it is |\n| `x` | h_max | 0 | 0 | reproduced |\n")
        self.assertEqual(verdicts_of(text, "bilbao2014/x", "h_min"), ["reproduced with correction"])
        self.assertEqual(verdicts_of(text, "bilbao2014/x", "h_m"), ["reproduced with correction", "reproduced"])
        self.assertEqual(verdicts_of(text, "bilbao2014/y", "h_m"), [])

    def test_listed(self):
        text = "a/fig1  Fig. 1         how slow\n                       slow  it is\na/fig2  Fig. 2  slow   t\nb/fig10 Fig. 3  alone  t\n"
        self.assertEqual(listed_items(text), {"a/fig1": False, "a/fig2": True, "b/fig10": True})


class Verdicts(unittest.TestCase):
    def test_the_docs_have_them(self):
        for page, item, words, verdict in VERDICTS:
            self.assertEqual(verdicts_of(docs_text(page), item, words), [verdict], "%s: %s" % (item, words))


class Numbers(Case):
    def run_program(self, *arguments, **how):
        return subprocess.run([PROGRAM, *arguments], capture_output=True, timeout=500, cwd=self.folder,
                              env=dict(os.environ, SISTRUM_DATA=SOURCE), **how)

    def compare(self, name, ran):
        now, docs = tables_of(read_text(self.path("out/" + name))), tables_of(docs_text(name))
        return differences(now, docs) + differences(only(docs, ran), now, "this row of the docs does not come out")

    def test_the_papers(self):
        items = listed_items(self.good("repro", "list").stdout.decode())
        self.assertEqual(set(items), items_of_docs(), "docs/ tell of other items than there are; make repro writes them again")
        self.assertEqual(LONG - set(items), set(), "no such items")
        ran = {name for name, left_out in items.items() if not left_out} - check_count(LONG, set())
        self.good("repro", *sorted(ran), "--numbers", "--quiet", "-o", "out")
        self.assertEqual({name.split("/")[0] for name in ran} | {"beyond"}, set(FOLDERS.values()))
        found = self.compare("reproduction.md", ran)
        if os.path.exists(self.path("out/beyond.md")):
            found += self.compare("beyond.md", ran)
        self.assertEqual(found, [], "\n".join(["docs/ say otherwise; make repro writes them again"] + found))


if __name__ == "__main__":
    main()
