"""The wheel in a fresh environment: installed without a network, away from the sources, with nothing set. By make wheel-test.

    wheel.py WHEEL FOLDER       FOLDER is where the environment is made"""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WHEEL, WORK = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
ENVIRONMENT = {key: value for key, value in os.environ.items()
               if not key.startswith(("SISTRUM", "PYTHON", "LD_")) and key not in ("VIRTUAL_ENV",)}
FAILED = []

PROGRAM = """
import os, sys, multiprocessing, tempfile
import numpy as np
import sistrum

def rendered(state):
    return state.step(500)

if __name__ == "__main__":
    os.chdir(tempfile.mkdtemp())
    package = os.path.dirname(sistrum.__file__)
    assert package.startswith(sys.prefix), package
    assert os.path.dirname(sistrum.library_path) == package, sistrum.library_path
    assert len(sistrum.scenes()) > 25 and all(p.startswith(package) for p in sistrum.scenes().values())
    run = sistrum.load("tanpura", K=1e7).render(0.2, energy=True)
    assert run.residual_max < 1e-12
    run.wav("a.wav", bits=16)
    assert "<audio" in run._repr_html_()
    study = sistrum.sweep("mass_barrier", "s.db", {"K": "1e4:1e8:log:9"}, duration=0.05,
                          measures={"exit_speed": None, "crest": lambda s, r: abs(s).max() / s.std()})
    assert len(study.good) == 9, study.failures
    study.csv("s.csv")
    state = sistrum.load("sitar").compile().state()
    state.step(300)
    state.save("a.state")
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        other = pool.apply(rendered, (state,))
    assert np.array_equal(other, sistrum.load_state("a.state").step(500))
    maps = open("/proc/self/maps").read()
    ours = sorted({line.split()[-1] for line in maps.splitlines() if "sistrum" in line})
    assert all(path.startswith(package) for path in ours), ours
    print("libraries:", *[os.path.basename(path) for path in ours])
    import hashlib
    print("samples:", hashlib.sha256(run.data.tobytes()).hexdigest()[:16])
"""


def check(what, holds, why=""):
    print("  %s %s%s" % ("ok " if holds else "FAILED", what, "" if holds or not why else ":\n" + str(why)))
    if not holds:
        FAILED.append(what)


def look_inside():
    """What is in it, and what is not."""
    name = os.path.basename(WHEEL)
    machine = sysconfig.get_platform().split("-")[-1]
    check("its tag says what it runs on: " + name, re.match(r"sistrum-[\d.]+-py3-none-manylinux_2_\d+_%s\.whl$" % machine, name))
    with zipfile.ZipFile(WHEEL) as wheel:
        names = wheel.namelist()
        metadata = wheel.read([n for n in names if n.endswith("METADATA")][0]).decode()
        notices = wheel.read("sistrum/NOTICES.txt").decode()
        folder = os.path.join(WORK, "inside")
        wheel.extractall(folder)
    check("type hints, scenes, notices", {"sistrum/py.typed", "sistrum/share/sistrum/scenes/tanpura.lua"} <= set(names))
    check("nothing of the builder's machine", not any("__pycache__" in n or n.startswith("/") for n in names))
    check("licences of Sistrum, Lua and SQLite", all(w in notices for w in ("MIT License", "Lua.org", "public domain")), notices)
    check("it asks for numpy alone", re.findall(r"^Requires-Dist: (\w+)(?!.*extra)", metadata, re.M) == ["numpy"], metadata[:900])
    allowed = {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "ld-linux-x86-64.so.2", "libsqlite3.so.0"}
    glibc = tuple(int(x) for x in re.search(r"manylinux_(\d+)_(\d+)", name).groups())
    for library in sorted(n for n in names if ".so" in n):
        path = os.path.join(folder, library)
        told = subprocess.run(["readelf", "-d", path], capture_output=True, text=True, check=True).stdout
        needs = set(re.findall(r"NEEDED.*\[(.*)\]", told))
        check(library + " needs libc, libm and SQLite at most", needs <= allowed, needs)
        paths = re.findall(r"(?:RPATH|RUNPATH).*\[(.*)\]", told)
        check(library + " looks beside itself at most", set(paths) <= {"$ORIGIN"}, paths)
        symbols = subprocess.run(["objdump", "-T", path], capture_output=True, text=True, check=True).stdout
        newest = max((int(a), int(b)) for a, b in re.findall(r"GLIBC_(\d+)\.(\d+)", symbols))
        check(library + " runs with the glibc of the tag", newest <= glibc, newest)
        with open(path, "rb") as f:
            check(library + " has no path of the sources in it", SOURCE.encode() not in f.read())


def run(command, **more):
    return subprocess.run(command, capture_output=True, text=True, cwd="/", env=ENVIRONMENT, **more)


def install():
    """A fresh environment; numpy is Debian's."""
    venv = os.path.join(WORK, "venv")
    shutil.rmtree(venv, ignore_errors=True)
    made = run([sys.executable, "-m", "venv", "--system-site-packages", venv])
    check("an environment", made.returncode == 0, made.stderr)
    python = os.path.join(venv, "bin", "python")
    done = run([python, "-m", "pip", "install", "--disable-pip-version-check", "--no-index", WHEEL])
    check("pip install --no-index", done.returncode == 0, done.stdout + done.stderr)
    return python


def use(python):
    """As a user does; then with the sources hidden, if this machine allows that."""
    script = os.path.join(WORK, "use.py")
    with open(script, "w", encoding="utf-8") as f:
        f.write(PROGRAM)
    done = run([python, script])
    check("it loads, plays, writes, studies, goes on in another process", done.returncode == 0, done.stderr)
    here = done.stdout
    moved = os.path.join("/var/tmp", "sistrum-wheel-%d" % os.getpid())
    shutil.copytree(WORK, moved, symlinks=True)
    try:
        hide = "mount -t tmpfs none %s && exec %s %s" % (SOURCE, os.path.join(moved, "venv/bin/python"), os.path.join(moved, "use.py"))
        done = run(["unshare", "--mount", "sh", "-c", hide])
        if "unshare" in done.stderr or "mount" in done.stderr:
            print("  --  hiding the sources is not allowed here:", done.stderr.strip().splitlines()[0])
        else:
            check("the same without the sources", done.returncode == 0 and done.stdout == here, done.stderr)
    finally:
        shutil.rmtree(moved)
    print("  " + here.replace("\n", "\n  ").rstrip())
    tree = subprocess.run([sys.executable, "-c", "import sistrum, hashlib; print(hashlib.sha256(sistrum.load('tanpura', K=1e7)"
                           ".render(0.2, energy=True).data.tobytes()).hexdigest()[:16])"], capture_output=True, text=True, cwd="/",
                          env={**ENVIRONMENT, "PYTHONPATH": os.path.join(SOURCE, "python")})
    check("the samples of the source tree", tree.stdout.strip() and tree.stdout.strip() in here, tree.stderr)
    gone = run([python, "-m", "pip", "uninstall", "-y", "sistrum"])
    left = run([python, "-c", "import sistrum"])
    check("pip uninstall leaves nothing", gone.returncode == 0 and left.returncode != 0, gone.stderr)


if __name__ == "__main__":
    os.makedirs(WORK, exist_ok=True)
    print("wheel")
    look_inside()
    use(install())
    if FAILED:
        raise SystemExit("%d failed" % len(FAILED))
