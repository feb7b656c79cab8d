#!/usr/bin/env python3
"""Runs all campaigns of docs/campaigns.md and writes their tables into that page.

    tools/study.py                      runs build/release/campaign/campaign --full; the log goes to build/study/campaign.txt
    tools/study.py --log FILE           takes a log that there is
    tools/study.py --as 0.7.3           names the rows "0.7.3": figures of another version, which later runs keep

Ends with the status of the campaign: 1 where a law is broken. Needs python3 alone.
"""

import argparse
import os
import subprocess
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
PAGE = os.path.join(ROOT, "docs", "campaigns.md")
LOG = os.path.join(ROOT, "build", "study", "campaign.txt")
PROGRAM = os.path.join(ROOT, "build", "release", "campaign", "campaign")

# Word of the log, mark on the page, columns: how many of them name a row apart from the scheme, which comes last of those.
TABLES = {
    "ROW": (
        "laws",
        ["scenes", "scheme", "run", "burst", "deep", "swaps", "trapped", "pull", "residual", "force off", "law off"],
    ),
    "EXIT": ("restitution", ["mu v", "scheme", "exact e", "0.1", "0.3", "1", "3", "10"]),
}


def run(program, log):
    os.makedirs(os.path.dirname(log), exist_ok=True)
    with open(log, "w", encoding="utf-8") as file:
        status = subprocess.run([program, "--full", "--table"], stdout=file, check=False).returncode
    if status not in (0, 1):
        sys.exit(f"study: {program} ended with {status}")
    return status


def rows_of(log, word, version):
    """The rows of a log in its order: {(key, scheme): cells}."""
    found = {}
    for line in open(log, encoding="utf-8"):
        cells = line.rstrip("\n").split("\t")
        if cells[0] != word:
            continue
        if word == "EXIT":  # scheme before key
            cells[1], cells[2] = cells[2], cells[1]
        scheme = cells[2] if not version else f"{cells[2]} {version}"
        found[cells[1], scheme] = [cells[1], scheme] + cells[3:]
    return found


def kept(lines, mine):
    """Rows of the page that this run does not write."""
    found = {}
    for line in lines:
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("|") and len(cells) > 2 and not cells[0].startswith("--") and (cells[0], cells[1]) not in mine:
            found[cells[0], cells[1]] = cells
    return found


def table(columns, rows):
    keys = list(dict.fromkeys(key for key, _ in rows))
    lines = ["| " + " | ".join(columns) + " |", "|---|---" + "|--:" * (len(columns) - 2) + "|"]
    for key in keys:
        # another version's first, then the judged scheme, then newton
        own = sorted((scheme for k, scheme in rows if k == key), key=lambda s: (" " not in s, s.startswith("newton"), s))
        lines += ["| " + " | ".join(rows[key, scheme]) + " |" for scheme in own]
    return lines


def write(page, log, version):
    lines = open(page, encoding="utf-8").read().split("\n")
    for word, (mark, columns) in TABLES.items():
        first, last = lines.index(f"<!-- {mark} -->"), lines.index(f"<!-- end of {mark} -->")
        mine = rows_of(log, word, version)
        old = kept(lines[first + 1 : last], mine)
        old.pop((columns[0], columns[1]), None)
        order = dict.fromkeys(key for key, _ in list(mine) + list(old))
        rows = {where: cells for key in order for where, cells in {**old, **mine}.items() if where[0] == key}
        lines[first + 1 : last] = table(columns, rows)
    with open(page, "w", encoding="utf-8") as file:
        file.write("\n".join(lines))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--log")
    parser.add_argument("--as", dest="version", default="")
    parser.add_argument("--page", default=PAGE)
    wanted = parser.parse_args()
    status = 0 if wanted.log else run(PROGRAM, LOG)
    log = wanted.log or LOG
    write(wanted.page, log, wanted.version)
    for line in open(log, encoding="utf-8"):
        if not line.startswith(("ROW", "EXIT", "FAIL", "local", "  ")):
            print(line, end="")
    return status


if __name__ == "__main__":
    sys.exit(main())
