"""Runs what the pages say: every command of README.md and docs/, in the order of the page, in a copy of the tree.

  test/docs.py [PAGE ...]      SISTRUM is the program, SISTRUM_SOURCE the source folder

A fence is what its first word says:

  ```sh               commands, a line each; `#` begins a comment, a backslash at the end goes on in the next line
  ```console          `$ command`, then all that it prints. `...` stands for any text, alone on a line for any lines.
  ```console ~1e-6    the same, but numbers may differ by this, relative
  ```lua              a scene that must run; one that begins with `-- NAME.lua` is kept under that name for the page
  ```lua +            goes on with the scene above, which must run with it
  ```lua + NAME.lua   the same, and now the scene is the file NAME.lua beside the page
  ```text ```c ...    shown, not run; no line may look like a command

In running text, `sistrum ...` in backquotes is run as well, unless a word in capitals or `...` shows that it is a pattern, and
`--set NAME=VALUE` is tried on the scene that the page has written last.

A command that cannot be run in a test stands in NOT_RUN with the reason and the test that covers it. Runs whose
output is not shown are shortened. Relative links must lead somewhere, and lines of pages written by hand have at most
100 columns, but for tables, pictures, formulas and what cannot be broken.
"""

import bisect
import fnmatch
import glob
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

PROGRAM = os.path.abspath(os.environ.get("SISTRUM", "build/release/sistrum"))
SOURCE = os.path.abspath(os.environ.get("SISTRUM_SOURCE", os.path.join(os.path.dirname(__file__), "..")))
LIMIT = 30  # s, of one command
SHORT = 0.25  # s of sound, where no output is shown

# Commands by pattern: why they are not run here, and the test (a file in test/) that runs them or what they do.
NOT_RUN = [
    ("sistrum play tanpura*", "needs a sound device and a player", "cli_play.py"),
    ("sistrum render tanpura --midi take.mid*", "plays what a player has played", "cli_play.py"),
    ("tools/install.sh *", "writes to the system", "install.sh"),
    ("make test", "runs the tests", "CMakeLists.txt"),
    ("make slow-test", "runs this test", "CMakeLists.txt"),
    ("make mpi-test*", "needs OpenMPI", "mpi/run.py"),
    ("mpirun *", "needs OpenMPI", "mpi/run.py"),
    ("sistrum-mpi *", "needs OpenMPI", "mpi/run.py"),
    ("sbatch *", "needs a cluster", "mpi/run.py"),
    ("make demo*", "builds the program", "cli_render.py"),
    ("make bench*", "measures for minutes", "cli_bench.py"),
    ("make repro*", "runs for minutes", "repro_numbers.py"),
    ("make install*", "builds and writes to the system", "install.sh"),
    ("make gallery*", "renders every scene", "gallery.py"),
    ("make tuning*", "renders every scene at many notes", "tuning.py"),
    ("make study*", "runs for minutes", "CMakeLists.txt"),
    ("build/*/campaign/*", "runs for minutes; its short form is a test", "CMakeLists.txt"),
    ("make wheel*", "installs packages and builds the package", "wheel.py"),
    ("make web*", "installs packages and builds for minutes", "web/engine.sh"),
    ("make deb*", "builds the package", "install.sh"),
    ("make", "builds the program", "install.sh"),
    ("export PATH=*", "is for the shell of the reader", "docs.py"),
    ("export PYTHONPATH=*", "is for the shell of the reader", "python_install.py"),
    ("sistrum plugin * -o ~/.lv2", "writes into the home folder", "cli_plugin.py"),
    ("jalv*", "needs a sound server", "live/lv2_host.c"),
    ("lv2ls", "needs a package", "live/lv2_host.c"),
    ("sudo *", "writes to the system", "install.sh"),
    ("apt*", "writes to the system", "install.sh"),
    ("git clone *", "needs the network", "install.sh"),
    ("cmake *", "builds and installs", "install.sh"),
    ("cc -std=c17 -Iinclude *", "builds the core", "plain_cc.sh"),
    ("cc *", "builds what a library user builds", "embed.sh"),
    ("ctest *", "runs the tests", "CMakeLists.txt"),
    ("build/*/test/*", "is a test", "CMakeLists.txt"),
    ("python3 *", "needs the shared library", "python_examples.py"),
    ("aplay *", "needs a loudspeaker", "cli_render.py"),
    ("play *", "needs a loudspeaker", "cli_render.py"),
    ("man *", "is installed", "install.sh"),
    ("*tools/listen.py *", "takes a minute", "instruments.py"),
    ("tools/*", "takes long or writes into the tree", "CMakeLists.txt"),
    ("sistrum repro *", "takes long; `list` is run", "cli_repro.py"),
    ("sistrum bench*", "measures for minutes", "cli_bench.py"),
]
RUN_ANYWAY = ["sistrum repro list*"]
# Files that a page makes and others speak of.
BORROWED = {"lute.lua": "docs/notes.md", "song.mid": "docs/notes.md"}
MAY_RUN = {"sistrum", "cd", "cp", "mkdir", "cat", "head", "tail", "ls", "cut", "printf", "echo", "diff"}
SYNTAX = {"text", "c", "cmake", "json", "python", "pycon", "csv", "make", "xml", "diff", "js", "matlab"}
# Pages that programs write, wholly or in large parts: their lines are as long as they come.
WRITTEN = {"docs/%s.md" % name for name in ("beyond", "campaigns", "hashes", "levels", "reproduction", "scene-reference",
                                            "tuning")}
WIDTH = 100
LOOKS_LIKE_A_COMMAND = re.compile(r"^(\$ |sistrum |make [a-z]+$|cmake |apt |tools/\w+\.(sh|py)\b)")


class Wrong(Exception):
    pass


# ---------------------------------------------------------------------------- reading a page

def fences(path):
    """(line, info, text lines) of each fenced block, and the lines outside of all."""
    found, outside, block = [], [], None
    for number, line in enumerate(open(path, encoding="utf-8").read().split("\n"), 1):
        mark = re.match(r"^ {0,3}```(.*)$", line)
        if mark and block is None:
            block = (number, mark.group(1).strip(), [])
        elif mark:
            found.append(block)
            block = None
        elif block is not None:
            block[2].append(line)
        else:
            outside.append((number, line))
    if block:
        raise Wrong("%d: the fence has no end" % block[0])
    return found, outside


def without_comment(line):
    return re.sub(r"(^|\s+)#\s.*$", "", line).strip()


def commands_of(first, lines):
    """(line, command) of a sh block; a here-document belongs to its command."""
    found, kept, end = [], "", None
    for number, line in enumerate(lines, first + 1):
        if end is not None:
            found[-1] = (found[-1][0], found[-1][1] + "\n" + line)
            end = None if line == end else end
            continue
        line = kept + line.strip()
        kept = ""
        if line.endswith("\\"):
            kept = line[:-1]
        elif without_comment(line):
            found.append((number, without_comment(line)))
            here = re.search(r"<<\s*['\"]?(\w+)['\"]?$", line)
            end = here.group(1) if here else None
    return found


def shown_of(first, lines):
    """(line, command, expected lines) of a console block."""
    found = []
    for number, line in enumerate(lines, first + 1):
        if line.startswith("$ "):
            found.append((number, without_comment(line[2:]), []))
        elif not found:
            raise Wrong("%d: a console block begins with `$ command`" % number)
        else:
            found[-1][2].append(line)
    return found


# ---------------------------------------------------------------------------- comparing what came out

NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


def agrees(expected, got, tolerance):
    expected, got = " ".join(expected.split()), " ".join(got.split())
    if expected == got:
        return True
    pattern, numbers, at = "", [], 0
    for part in re.finditer(NUMBER.pattern + r"|\.\.\.", expected):
        pattern += re.escape(expected[at:part.start()])
        at = part.end()
        if part.group() == "...":
            pattern += ".*?"
        elif tolerance:
            pattern += "(" + NUMBER.pattern + ")"
            numbers.append(float(part.group()))
        else:
            pattern += re.escape(part.group())
    match = re.fullmatch(pattern + re.escape(expected[at:]), got)
    return bool(match) and all(abs(float(g) - n) <= tolerance * max(abs(n), abs(float(g)), 1e-300)
                               for g, n in zip(match.groups(), numbers))


def compare(expected, got, tolerance):
    """The first expected line that does not come, or None."""
    got = list(got)
    while expected and not expected[-1].strip():
        expected = expected[:-1]
    skipping = False
    for line in expected:
        if line.strip() == "...":
            skipping = True
            continue
        while got and skipping and not agrees(line, got[0], tolerance):
            got.pop(0)
        if not got or not agrees(line, got.pop(0), tolerance):
            return line
        skipping = False
    return None if skipping or not any(line.strip() for line in got) else "(nothing after that)"


# ---------------------------------------------------------------------------- running

class Page:
    def __init__(self, name, work):
        self.name, self.work, self.cwd = name, work, None
        self.scene, self.named = [], None  # what the page has written so far, and the file it is
        self.counts = {"run": 0, "compared": 0, "scenes": 0, "listed": 0}

    def root(self):
        """A copy of the tree, made when the first command needs it."""
        if self.cwd is None:
            self.top = self.cwd = tempfile.mkdtemp(dir=self.work)
            for entry in ("scenes", "docs", "repro", "examples", "python", "README.md"):
                source, target = os.path.join(SOURCE, entry), os.path.join(self.cwd, entry)
                if os.path.isdir(source):
                    shutil.copytree(source, target)
                elif os.path.exists(source):
                    shutil.copy(source, target)
            for name in os.listdir(os.path.join(self.cwd, "scenes")):  # a page may call a scene by its name alone
                if name.endswith(".lua"):
                    shutil.copy(os.path.join(self.cwd, "scenes", name), self.cwd)
        return self.cwd

    def shell(self, command):
        self.root()
        bin_dir = os.path.join(self.work, "bin")
        environment = dict(os.environ, PATH=bin_dir + os.pathsep + os.environ.get("PATH", ""), LC_ALL="C.UTF-8",
                           SISTRUM_DATA=SOURCE, SISTRUM_SCENES=os.path.join(SOURCE, "scenes"))
        try:
            done = subprocess.run(["bash", "-c", command], cwd=self.cwd, env=environment, timeout=LIMIT,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        except subprocess.TimeoutExpired:
            raise Wrong("takes longer than %d s" % LIMIT)
        return done.returncode, done.stdout.decode("utf-8", "replace").rstrip("\n").split("\n")

    def may_run(self, command):
        """False: it is listed as one that is covered elsewhere."""
        if any(fnmatch.fnmatch(command, p) for p in RUN_ANYWAY):
            return True
        for pattern, _, covered in NOT_RUN:
            if fnmatch.fnmatch(command, pattern):
                if not os.path.exists(os.path.join(SOURCE, "test", covered)):
                    raise Wrong("is said to be covered by test/%s, which is not there" % covered)
                return False
        if command.split()[0] not in MAY_RUN:
            raise Wrong("is neither run nor listed in NOT_RUN of test/docs.py")
        return True

    def run(self, command):
        """Runs a command as it stands, or returns None when it is covered elsewhere."""
        if not self.may_run(command):
            self.counts["listed"] += 1
            return None
        if command.startswith("cd "):
            self.cwd = os.path.join(self.root(), shlex.split(command)[1])
            if not os.path.isdir(self.cwd):
                raise Wrong("there is no such folder")
            return 0, []
        self.counts["run"] += 1
        self.root()
        for file, page in BORROWED.items():
            if file in command.split() and page != self.name and not os.path.exists(os.path.join(self.cwd, file)):
                self.borrow(file, page)
        return self.shell(command)

    def borrow(self, file, page):
        """Makes a file by what another page says about it."""
        for first, info, lines in fences(os.path.join(SOURCE, page))[0]:
            if info == "lua" and re.match(r"-- %s\b" % re.escape(file), lines[0]):
                with open(os.path.join(self.cwd, file), "w", encoding="utf-8") as scene:
                    scene.write("\n".join(lines) + "\n")
            elif info == "sh":
                for _, command in commands_of(first, lines):
                    if re.search(r">> ?%s$|> ?%s$" % (re.escape(file), re.escape(file)), command):
                        self.shell(command)

    def check_sh(self, command):
        done = self.run(shortened(command))
        if done and done[0]:
            raise Wrong("ends with code %d: %s" % (done[0], " / ".join(done[1])[-400:]))

    def check_setting(self, options):
        if self.named:
            self.check_sh("sistrum render %s --json - --quiet --duration 0.02 %s" % (self.named, options))

    def check_console(self, command, expected, tolerance):
        done = self.run(command)
        if done is None:
            return
        if done[0] and not any(line.startswith("sistrum: ") for line in expected):
            raise Wrong("ends with code %d: %s" % (done[0], " / ".join(done[1])[-400:]))
        missing = compare(expected, done[1], tolerance)
        self.counts["compared"] += 1
        if missing is not None:
            raise Wrong("does not print\n          %s\n        but\n          %s" % (missing, "\n          ".join(done[1][:60])))

    def check_lua(self, first, words, lines):
        goes_on = words[:1] == ["+"]
        self.scene = (self.scene if goes_on else []) + lines
        named = words[-1] if words[-1:] not in ([], ["+"]) else None
        begins = re.match(r"^-- (?:\S*/)?(\w+\.lua)\b", lines[0] if lines else "")
        if named:
            kept = os.path.join(os.path.dirname(os.path.join(SOURCE, self.name)), named)
            if code_of(open(kept, encoding="utf-8").read().split("\n")) != code_of(self.scene):
                raise Wrong("the scene, as far as the page has written it, is not %s" % os.path.relpath(kept, SOURCE))
        elif begins and not goes_on:
            named = begins.group(1)
        self.named = named or self.named
        path = os.path.join(self.root(), named or "block%d.lua" % first)
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(self.scene) + "\n")
        code, said = self.shell("sistrum render %s --duration 0.001 --json - --quiet" % shlex.quote(path))
        self.counts["scenes"] += 1
        if code and "the scene is empty" not in said[-1]:
            raise Wrong("the scene does not run: %s" % said[-1])


def code_of(lines):
    """What counts in a scene: no empty lines, and no first line that tells what it is."""
    found = [line for line in lines if line.strip()]
    return found[1:] if found and found[0].startswith("-- ") else found


def shortened(command):
    """A run whose output nobody sees need not last as long as the page wants it to."""
    words = command.split()
    if words[0] != "sistrum" or words[1] not in ("render", "plot", "compare") or re.search(r"[|>&;]", command):
        return command
    if words[1] == "plot" and words[2].endswith(".db"):
        return command  # a study has run already
    if re.search(r"--(duration|midi|note|from|times)\b", command):
        times = re.search(r"--times[ =](\S+)", command)
        return command + " --duration %g" % SHORT if times and max(map(float, times.group(1).split(","))) < SHORT else command
    to = re.search(r"--to[ =](\S+)", command)
    if to:
        return command.replace(to.group(), "--to %g" % min(float(to.group(1)), SHORT / 2))
    return command + (" --to %g" % (SHORT / 4) if words[1] == "compare" else " --duration %g" % SHORT)


# ---------------------------------------------------------------------------- pages

def anchor(heading):
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.strip().lower())
    return "".join(c for c in text if c.isalnum() or c in " -_").replace(" ", "-")


def anchors(path):
    found = set()
    for _, line in fences(path)[1]:
        if re.match(r"^#+ ", line):
            found.add(anchor(re.sub(r"^#+ ", "", line)))
    return found


def check_links(name, outside):
    base = os.path.dirname(os.path.join(SOURCE, name))
    for number, line in outside:
        for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", line)):
            if re.match(r"^[a-z]+:", target):
                continue
            file, _, mark = target.partition("#")
            path = os.path.normpath(os.path.join(base, file)) if file else os.path.join(SOURCE, name)
            if not os.path.exists(path):
                yield number, "leads to %s, which is not there" % target
            elif mark and path.endswith(".md") and mark not in anchors(path):
                yield number, "leads to %s, where there is no such heading" % target


def check_width(name, outside):
    """Lines that should have been wrapped; what a program writes between `<!-- x begin -->` and its end may be long."""
    written = name in WRITTEN
    for number, line in outside:
        mark = re.match(r"<!-- \w+ (begin|end) -->", line)
        written = mark.group(1) == "begin" if mark else written
        if written or len(line) <= WIDTH or re.match(r"\s*\||!\[|    ", line):
            continue
        whole = re.sub(r"`[^`]*`|\[[^\]]*\]\([^)]*\)", lambda part: part.group().replace(" ", "_"), line)
        if len(re.sub(r"^\s*([-*]|\d+\.) ", "", whole).split()) > 1:
            yield number, "has %d columns: wrap at %d" % (len(line), WIDTH)


def check_tests(outside):
    """Tests that a page calls by their name must be there."""
    for number, line in outside:
        for name in re.findall(r"`(?:build/release/test/|test/)?(test_\w+)(?:\.c)?`", line):
            if not glob.glob(os.path.join(SOURCE, "test", name + ".c*")):
                yield number, "there is no test %s" % name


def inline(page, outside):
    """The same of commands in running text, which may go on in the next line."""
    starts = [0]
    for _, line in outside:
        starts.append(starts[-1] + len(line) + 1)
    text = "\n".join(line for _, line in outside)
    for span in re.finditer(r"`(sistrum [^`]+|--set [^`]+)`", text):
        command = " ".join(span.group(1).split())
        number = outside[bisect.bisect_right(starts, span.start()) - 1][0]
        words = command.split()
        if any(re.fullmatch(r"[\[(]*[A-Z]{2,}[]):,/.A-Z]*|\S*=VALUE", w) for w in words) or "..." in command:
            continue
        if words[0] == "--set":
            yield number, command, lambda c=command: page.check_setting(c)
        elif len(words) == 2 and not words[1].startswith("-"):
            yield number, command, lambda c=command: page.check_sh("sistrum help " + c.split()[1])
        else:
            yield number, command, lambda c=command: page.check_sh(c)


def fenced(page, blocks):
    """(line, what, function) of what is to be done with fences."""
    for first, info, lines in blocks:
        words = info.split() or [""]
        if words[0] in ("sh", "bash"):
            for number, command in commands_of(first, lines):
                yield number, command, lambda c=command: page.check_sh(c)
        elif words[0] == "console":
            tolerance = float(words[1].lstrip("~")) if len(words) > 1 else 0
            for number, command, expected in shown_of(first, lines):
                yield number, command, lambda c=command, e=expected, t=tolerance: page.check_console(c, e, t)
        elif words[0] == "lua":
            yield first, "lua", lambda f=first, w=words, l=lines: page.check_lua(f, w[1:], l)
        else:
            yield first, info or "fence", lambda w=words[0], l=lines: check_shown(w, l)


def check_shown(word, lines):
    if word and word not in SYNTAX:
        raise Wrong("```%s is not known to test/docs.py" % word)
    for line in lines:
        if word != "text" and LOOKS_LIKE_A_COMMAND.match(line.strip()):
            raise Wrong("'%s' looks like a command: begin the fence with ```sh or ```console (```text: only shown)" %
                        line.strip())


def unlisted(names):
    """Pages that nobody finds: a README.md names those of its folder, docs/README.md also the folders."""
    for name in names:
        folder, file = os.path.split(name)
        if file == "README.md":
            file = os.path.join(os.path.basename(folder), file)
            folder = os.path.dirname(folder)
        if not folder.startswith("docs"):
            continue
        if "](%s)" % file not in open(os.path.join(SOURCE, folder, "README.md"), encoding="utf-8").read():
            yield "%s: %s/README.md does not lead to it" % (name, folder)


def check_page(name, work):
    page, failures, began = Page(name, work), [], time.monotonic()
    try:
        blocks, outside = fences(os.path.join(SOURCE, name))
    except Wrong as why:
        blocks, outside, failures = [], [], ["%s:%s" % (name, why)]
    failures += ["%s:%d: link %s" % (name, number, why) for number, why in check_links(name, outside)]
    failures += ["%s:%d: %s" % (name, number, why) for number, why in check_tests(outside)]
    failures += ["%s:%d: %s" % (name, number, why) for number, why in check_width(name, outside)]
    failures += ["%s:%d: '%s' stands outside of a fence and is not run" % (name, number, line.strip())
                 for number, line in outside if line.startswith("    ") and LOOKS_LIKE_A_COMMAND.match(line.strip())]
    steps = sorted([*fenced(page, blocks), *inline(page, outside)], key=lambda step: step[0])
    for number, what, do in steps:
        try:
            do()
        except Wrong as why:
            failures.append("%s:%d: %s: %s" % (name, number, what, why))
    if page.cwd:
        shutil.rmtree(page.top)
    print("%-34s %4.1f s  %s" % (name, time.monotonic() - began,
                                 ", ".join("%d %s" % (n, what) for what, n in page.counts.items() if n)), flush=True)
    return failures, page.counts


def all_pages():
    found = ["README.md"]
    for folder, _, files in sorted(os.walk(os.path.join(SOURCE, "docs"))):
        found += [os.path.relpath(os.path.join(folder, f), SOURCE) for f in sorted(files) if f.endswith(".md")]
    return found


def test_itself():
    """A test that cannot fail is none: what the comparison and the reader must tell apart."""
    assert compare(["a 1", "...", "z"], ["a 1", "b", "c", "z"], 0) is None
    assert compare(["a 1", "z"], ["a 1", "b", "z"], 0) == "z"
    assert compare(["a 1"], ["a 1", "b"], 0) is not None
    assert compare(["a 1.0000 m"], ["a 1.0001 m"], 0) is not None
    assert compare(["a 1.0000 m"], ["a   1.0001 m"], 1e-3) is None
    assert compare(["a 1.0000 m"], ["a 1.0001 s"], 1e-3) is not None
    assert compare(["x nan"], ["x 1"], 1e-3) is not None
    assert compare(["speed ... times"], ["speed 12.5 times"], 0) is None
    assert commands_of(1, ["a b \\", "  c   # why", "# no"]) == [(3, "a b c")]
    assert commands_of(1, ["cat > f <<'END'", "# x", "END", "ls"]) == [(2, "cat > f <<'END'\n# x\nEND"), (5, "ls")]
    assert shortened("sistrum render a.lua -o b.wav").endswith("--duration 0.25")
    assert "duration" not in shortened("sistrum plot a.lua --what plate --times 0.1,0.9")
    assert shortened("sistrum plot a.db -o a.png") == "sistrum plot a.db -o a.png"
    assert shortened("sistrum compare a.lua --to 3 -o b.png") == "sistrum compare a.lua --to 0.125 -o b.png"
    assert list(unlisted(["README.md", "docs/README.md", "docs/models.md", "docs/tutorial/README.md"])) == []
    assert len(list(unlisted(["docs/nobody.md", "docs/tutorial/7-nobody.md"]))) == 2
    long = "a " * WIDTH
    lines = [(1, long), (2, "| %s |" % long), (3, "    " + long), (4, "- `%s`" % long), (5, "<!-- x begin -->"), (6, long)]
    assert [number for number, _ in check_width("README.md", lines)] == [1]
    assert list(check_width("docs/levels.md", lines)) == []
    for command in ("rm -rf x", "curl x", "sistrumx"):
        try:
            Page("", "").may_run(command)
        except Wrong:
            continue
        raise AssertionError(command + " may not run")


def main():
    test_itself()
    names = sys.argv[1:] or all_pages()
    work = tempfile.mkdtemp()
    failures, total = [], {}
    try:
        os.mkdir(os.path.join(work, "bin"))
        os.symlink(PROGRAM, os.path.join(work, "bin", "sistrum"))
        for name in names:
            found, counts = check_page(name, work)
            failures += found
            for what, n in counts.items():
                total[what] = total.get(what, 0) + n
    finally:
        shutil.rmtree(work)
    failures += [] if sys.argv[1:] else unlisted(names)
    for failure in failures:
        print("FAILED  " + failure)
    print("%d pages: %s; %d failed" % (len(names), ", ".join("%d %s" % (n, w) for w, n in total.items()), len(failures)))
    if not sys.argv[1:] and not (total["run"] and total["compared"] and total["scenes"]):
        sys.exit("nothing was checked")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
