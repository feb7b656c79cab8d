#!/usr/bin/env python3
"""The fault campaign: memory that runs out, disks that are full, folders that vanish, signals at any moment, states of
another system. Nothing is lost, nothing is left, nothing crashes.

usage: run.py [--short] [--seed N] [--threads N] [--only PART] [--command WORDS]
"""

import argparse
import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import files  # noqa: E402
import memory  # noqa: E402
import library  # noqa: E402
import signals  # noqa: E402
import sweep  # noqa: E402
from trial import Campaign, PROGRAM  # noqa: E402

PARTS = {"memory": memory.run, "files": files.run, "signals": signals.run, "sweep": sweep.run, "library": library.run}


def go_inside():
    """The same in a name space of mounts of its own, where small disks can be made, if the machine allows it."""
    again = [sys.executable, os.path.abspath(__file__), *sys.argv[1:], "--inside"]
    for way in ["unshare", "-m"], ["unshare", "-r", "-m"]:
        try:
            able = subprocess.run([*way, "sh", "-c", "mount -t tmpfs sistrum /mnt"], capture_output=True).returncode == 0
        except OSError:
            able = False
        if able:
            return subprocess.run([*way, *again, "root"]).returncode
    print("no disks can be mounted here: full disks are left out", file=sys.stderr)
    return subprocess.run([*again, "plain"]).returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="a few of each, for make test")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--only", choices=sorted(PARTS))
    parser.add_argument("--command", help="only commands with these words in their name")
    parser.add_argument("--inside", choices=("root", "plain"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if not given.inside:
        return go_inside()
    print("program: %s, seed %d" % (PROGRAM, given.seed), file=sys.stderr)
    campaign = Campaign(given.short, given.seed, given.threads)
    campaign.mounts = given.inside == "root"
    try:
        for name, part in PARTS.items():
            if given.only in (None, name):
                start = time.monotonic()
                part(campaign, given.command)
                print("%s: %.1f s" % (name, time.monotonic() - start), file=sys.stderr)
    finally:
        campaign.close()
    return 0 if campaign.table() else 1


if __name__ == "__main__":
    sys.exit(main())
