#!/usr/bin/env python3
"""The fault campaign: memory that runs out, disks that are full, folders that vanish, signals at any moment, states of
another system. Nothing is lost, nothing is left, nothing crashes.

usage: run.py [--short] [--seed N] [--threads N] [--only PART] [--command WORDS]
"""

import argparse
import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import memory  # noqa: E402
from trial import Campaign, PROGRAM  # noqa: E402

PARTS = {"memory": memory.run}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="a few of each, for make test")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--only", choices=sorted(PARTS))
    parser.add_argument("--command", help="only commands with these words in their name")
    given = parser.parse_args()
    print("program: %s, seed %d" % (PROGRAM, given.seed), file=sys.stderr)
    campaign = Campaign(given.short, given.seed, given.threads)
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
