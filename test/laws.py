"""What tests of sounds share: the program, checks that are counted, and how long a study is. After it, `import levels`
finds tools/levels.py, also in test/levels.py.

The program is the first argument of the test, or that of the release build."""

import os
import sys
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
SCENES = os.path.join(HERE, "..", "scenes")
sys.path.insert(0, os.path.join(HERE, "..", "tools"))
program = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "..", "build", "release", "sistrum"))
checks, failures = 0, 0
one_at_a_time = threading.Lock()


def check_count(brief, full):
    """As in check.h: `brief` in make test, `full` where SISTRUM_LONG is set, as make study does."""
    return full if os.environ.get("SISTRUM_LONG") else brief


def check(good, words):
    global checks, failures
    with one_at_a_time:
        checks += 1
        if not good:
            failures += 1
            print("FAILED", words)


def end(words=""):
    """The closing line; fails where a check failed, and where there was none."""
    print(f"{words}{checks} checks, {failures} failed")
    sys.exit(1 if failures or not checks else 0)
