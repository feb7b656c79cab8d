"""sistrum repro from end to end, with small scripts of its own: what it lists, runs, writes and refuses.

The papers themselves are run by repro_numbers.py.
"""

import base64
import html.parser
import json
import os
import pty
import shutil
import signal
import subprocess
import time

from cli_case import Case, PROGRAM, SOURCE, main, read_bytes, read_text
from repro_numbers import items_of_docs, listed_items

PAPERS = ("ducceschi2017", "bilbao2014", "ducceschi2019", "willemsen2019", "papetti2011", "beyond")

ABOUT = "about { place = '%s', title = '%s' }\n"

SMALL = ABOUT % ("Fig. 1", "A small one") + """
claim { "one and one", published = 2, measured = 1 + 1, unit = "m", within = 0 }
claim { "a | bar & <b>", published = "less", measured = 0.25, holds = true, expect = "reproduced with correction",
        why = "u_tt was *printed* twice" }
claim { "by the way", published = false, measured = 3, holds = true }
choice { "the rate", taken = "44100 Hz", why = "usual", otherwise = "48 kHz gives the same" }
"""

MISPRINTS = ABOUT % ("errata", "What is wrong") + """
misprint { "Eq. 3", printed = "|u|_+ = u", right = "[u]_+ = u", measure = "energy", printed_gives = 1.5, right_gives = 0,
           unit = "J", holds = true, note = "a slip" }
misprint { "Sec. 2", printed = "the sign is wrong here", right = "the sign turns round" }
"""

DRAWN = ABOUT % ("Fig. 2", "A drawn one & a scene") + """
local r = run("bounce", { duration = 0.01 })
claim { "it moves", published = "it moves", measured = r.probes.u:absmax(), unit = "m", holds = r.probes.u:absmax() > 0 }
figure { caption = "A ball < a wall", panels = { { x = { label = "t", unit = "s" }, y = { label = "u", unit = "m" },
         lines = { { x = r.t, y = r.probes.u, scheme = "ledger" } } } } }
"""

SCENE = """
local m = mass { mass = 0.01, frequency = 200, position = 0.002 }
local wall = barrier { height = -0.001 }
contact { above = m, below = wall, K = 1e7, alpha = 1.5 }
probe { on = m, quantity = "displacement", name = "u" }
render { rate = 44100, duration = 0.1 }
"""

FOREVER = ABOUT % ("Fig. 9", "Does not end") + "while true do end\n"


class Balanced(html.parser.HTMLParser):
    """Collects ids, links and pictures, and fails where tags do not close in order."""
    VOID = ("meta", "img", "br")

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links, self.pictures, self.text = [], [], [], [], ""

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if "id" in given:
            self.ids.append(given["id"])
        if tag == "a":
            self.links.append(given["href"])
        if tag == "img":
            self.pictures.append(given)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, "</%s> closes %s" % (tag, self.open[-3:])
        self.open.pop()

    def handle_data(self, data):
        self.text += data


class Repro(Case):
    """A data folder with one small script a paper."""

    def setUp(self):
        super().setUp()
        os.makedirs(self.path("data/scenes"))
        for paper in PAPERS:
            os.makedirs(self.path("data/repro/" + paper))
            self.script(paper + "/fig1", SMALL)
        self.scene("data/scenes/bounce.lua", SCENE)
        self.before = set(os.listdir(self.folder))
        self.environment = dict(os.environ, SISTRUM_DATA=self.path("data"))

    def script(self, name, text):
        return self.scene("data/repro/%s.lua" % name, text)

    def repro(self, *arguments):
        return self.good("repro", *arguments, env=self.environment)

    def fails(self, code, part, *arguments):
        return self.bad(code, part, "repro", *arguments, env=self.environment)

    def breaks(self, *arguments):
        """Exit code 1, but the reports are there: the sentences."""
        done = self.run_program("repro", *arguments, env=self.environment)
        self.assertEqual(done.returncode, 1, done.stderr.decode())
        return done.stderr.decode().splitlines()


class Words(Repro):
    def test_help(self):
        text = self.good("repro", "--help").stdout.decode()
        for word in ("list", "all", "PAPER/ITEM", "-o, --out DIR", "--numbers", "--quick", "--jobs N", "--docs DIR", "--quiet"):
            self.assertIn(word, text)
        self.assertIn("sistrum repro", self.good("help").stdout.decode())

    def test_unknown(self):
        self.fails(2, "did you mean 'bilbao2014/fig1'", "bilbao2014/fig7")
        self.fails(2, "did you mean 'bilbao2014'", "bilbao2015")
        self.fails(2, "did you mean 'ducceschi2017/fig1'", "fig1")
        self.fails(2, "sistrum repro list", "xylophone")
        self.fails(2, "did you mean '--numbers'", "all", "--number")
        self.fails(2, "--jobs must be a whole number from 1 to 256", "all", "--jobs", "0")
        self.fails(2, "--docs", "bilbao2014", "--docs", "docs")
        self.fails(2, "--docs", "all", "--quick", "--docs", "docs")
        self.fails(2, "--docs needs the pictures", "all", "--numbers", "--docs", "docs")
        self.fails(2, "list comes first", "bilbao2014", "list")

    def test_list_in_order(self):
        for item in ("fig10", "fig2", "table1", "eq3", "sec2", "app1", "conclusion"):
            self.script("bilbao2014/" + item, ABOUT % (item, "t"))
        self.script("bilbao2014/misprints", MISPRINTS)
        self.script("bilbao2014/fig2", "about { place = 'Fig. 2', title = 'long', slow = true }")
        self.script("bilbao2014/fig10", "about { place = 'Fig. 10', title = 'timed', alone = true }")
        text = self.repro("list", "bilbao2014").stdout.decode()
        items = [line.split()[0].split("/")[1] for line in text.splitlines()]
        self.assertEqual(items, ["fig1", "fig2", "fig10", "table1", "eq3", "sec2", "app1", "conclusion", "misprints"])
        self.assertRegex(text, r"fig2 +Fig\. 2 +slow +long\n")
        self.assertRegex(text, r"fig10 +Fig\. 10 +alone +timed\n")
        text = self.repro("list", "--quick").stdout.decode()
        self.assertNotIn("timed", text)
        papers = [line.split("/")[0] for line in self.repro("list").stdout.decode().splitlines()]
        self.assertEqual(sorted(set(papers), key=papers.index), list(PAPERS))
        self.assertIn("sistrum repro all", self.repro().stdout.decode())

    def test_the_papers_are_there(self):
        text = self.good("repro", "list", env=dict(os.environ, SISTRUM_DATA=SOURCE)).stdout.decode()
        names = [line.split()[0] for line in text.splitlines() if line and line[0] != " "]
        for paper in PAPERS:
            self.assertTrue(any(name.startswith(paper + "/") for name in names), paper)
        self.assertEqual(set(listed_items(text)), items_of_docs(), "docs/ tell of other items than there are")

    def test_no_data(self):
        self.environment["SISTRUM_DATA"] = self.path("nowhere")
        self.fails(1, "does not hold repro/ and scenes/", "list")

    def test_a_missing_paper(self):
        shutil.rmtree(self.path("data/repro/willemsen2019"))
        self.fails(1, "repro/willemsen2019 cannot be read", "all", "--numbers")
        self.repro("bilbao2014/fig1", "--numbers")
        os.makedirs(self.path("data/repro/willemsen2019"))
        self.fails(1, "repro/willemsen2019 has no scripts", "all", "--numbers")


class Numbers(Repro):
    def test_prints(self):
        self.script("papetti2011/misprints", MISPRINTS)
        text = self.repro("papetti2011", "--numbers").stdout.decode()
        for part in ("papetti2011/fig1  Fig. 1: A small one", "one and one", "2 m", "reproduced with correction",
                     "u_tt was *printed* twice", "finding", "48 kHz gives the same", "Eq. 3", "1.50 J",
                     "2 items; claims: 1 reproduced, 1 with correction, 0 not reproduced; misprints: 2"):
            self.assertIn(part, text)
        self.assertLess(text.index("papetti2011/fig1"), text.index("papetti2011/misprints"))
        self.assertNotRegex(text, r" +\n")
        self.assertEqual(self.new_files(), [])
        self.assertEqual(self.repro("all", "--numbers", "--quiet").stdout, b"")

    def test_order_does_not_depend_on_jobs(self):
        texts = [self.repro("all", "--numbers", "--jobs", jobs).stdout for jobs in ("1", "3", "64")]
        self.assertEqual(texts[0], texts[1])
        self.assertEqual(texts[0], texts[2])

    def test_reports(self):
        self.script("papetti2011/misprints", MISPRINTS)
        self.script("beyond/speed", "about { place = 'speed', title = 'Times', alone = true }\n"
                    "claim { 'step', published = false, measured = 7, unit = 'ns', holds = true }")
        self.repro("all", "--numbers", "-o", "deep/out")
        self.assertEqual(sorted(os.listdir(self.path("deep/out"))), ["beyond.md", "reproduction.md", "results.json"])
        self.repro("all", "-o", "drawn", "--docs", "docs")
        text = read_text(self.path("docs/reproduction.md"))
        self.assertEqual(text, read_text(self.path("deep/out/reproduction.md")))
        for part in ("| Bilbao 2014 | 1 | 2 | 1 | 1 | 0 | 1 | 0 |", "| all | 6 | 10 | 5 | 5 | 0 | 5 | 2 |",
                     "| `fig1` | one and one | 2 m | 2 m | reproduced |",
                     "| `fig1` | a \\| bar &amp; &lt;b&gt; | less | 0.250 | **reproduced with correction**: "
                     "u_tt was \\*printed\\* twice |",
                     "| `fig1` | by the way | 3 |",
                     "| `fig1` | the rate | 44100 Hz | usual | 48 kHz gives the same |",
                     "| Eq. 3 | `\\|u\\|_+ = u` | `[u]_+ = u` | energy; a slip | 1.50 J | 0 J |",
                     "| Sec. 2 | the sign is wrong here | the sign turns round | | | |",
                     "S. Papetti, F. Avanzini and D. Rocchesso"):
            self.assertIn(part, text)
        self.assertNotIn("7 ns", text)
        self.assertNotIn("speed", text)
        self.assertIn("| `speed` | step | 7 ns |", read_text(self.path("docs/beyond.md")))
        # Every row of a table has as many cells as its head.
        cells = lambda row: row.replace("\\|", "").count("|")
        rows = text.splitlines()
        for i, row in enumerate(rows):
            if row.startswith("|") and rows[i - 1].startswith("|"):
                self.assertEqual(cells(row), cells(rows[i - 1]), row)
        results = json.loads(read_text(self.path("deep/out/results.json")))
        self.assertEqual([r["paper"] for r in results],
                         ["ducceschi2017", "bilbao2014", "ducceschi2019", "willemsen2019", "papetti2011", "papetti2011",
                          "beyond", "beyond"])
        again = self.path("again")
        self.repro("all", "--numbers", "-o", again)
        self.assertEqual(text, read_text(again + "/reproduction.md"))

    def test_quick(self):
        self.script("bilbao2014/fig2", "about { place = 'Fig. 2', title = 'long', slow = true } error('ran')")
        self.script("bilbao2014/fig3", "about { place = 'Fig. 3', title = 'timed', alone = true } error('ran')")
        self.assertIn("1 item;", self.repro("bilbao2014", "--numbers", "--quick").stdout.decode())
        self.fails(2, "--quick leaves nothing", "bilbao2014/fig2", "--numbers", "--quick")

    def test_a_claim_that_does_not_hold(self):
        self.script("bilbao2014/fig2", ABOUT % ("Fig. 2", "t") + "claim { 'two', published = 2, measured = 3, within = 0.5 }")
        said = self.breaks("all", "-o", "out", "--docs", "docs")
        self.assertEqual(len(said), 1)
        self.assertRegex(said[0], r'^sistrum: bilbao2014/fig2: "two": published 2, measured 3: does not reproduce')
        self.assertIn("| `fig2` | two | 2 | 3 | **does not reproduce** |", read_text(self.path("out/reproduction.md")))

    def test_scripts_that_fail(self):
        self.script("bilbao2014/fig2", ABOUT % ("Fig. 2", "t") + "\nlocal x = nil + 1\n")
        self.script("bilbao2014/fig3", "about {\n")
        self.script("bilbao2014/fig4", ABOUT % ("Fig. 4", "t") + "run('nothing')")
        said = self.breaks("all", "-o", "out", "--docs", "docs")
        self.assertEqual(len(said), 3, said)
        self.assertIn("repro/bilbao2014/fig2.lua:3:", said[0])
        self.assertIn("repro/bilbao2014/fig3.lua:2:", said[1])
        self.assertIn("nothing", said[2])
        text = read_text(self.path("out/reproduction.md"))
        self.assertIn("**failed**", text)
        self.assertIn("| `fig1` | one and one |", text)
        self.assertFalse(os.path.exists(self.path("docs")), "the docs are for complete runs, and a new folder goes with them")
        self.assertIn("fig3.lua:2:", self.repro("list", "bilbao2014").stdout.decode())

    def test_scripts_without_an_end(self):
        self.script("bilbao2014/fig2", "\nwhile true do end\n" + SMALL)
        self.script("bilbao2014/fig3", ABOUT % ("Fig. 3", "t") + "\nlocal s = string.rep('x', 2147483000)")
        text = self.repro("list", "bilbao2014").stdout.decode()
        self.assertRegex(text, r"fig2 .*fig2\.lua:2: the script runs for more than 2 s before\s+about\{\}")
        said = self.breaks("bilbao2014/fig3", "--numbers")
        self.assertEqual(said, ["sistrum: bilbao2014/fig3: the script needs more than 2 GB of memory and was stopped"])

    def test_a_place_that_cannot_be_written(self):
        self.fails(1, "cannot make the folder", "all", "--numbers", "-o", "bounce.lua/out")


class Pictures(Repro):
    def test_one_item(self):
        self.script("bilbao2014/fig2", DRAWN)
        text = self.repro("bilbao2014/fig2").stdout.decode()
        self.assertIn("it moves", text)
        self.assertIn("repro-out/report.html", text)
        out = self.path("repro-out")
        self.assertEqual(sorted(os.listdir(out)), ["bilbao2014", "report.html", "reproduction.md", "results.json"])
        self.assertEqual(sorted(os.listdir(out + "/bilbao2014")), ["fig2.csv", "fig2.png", "fig2.svg"])
        page = Balanced()
        page.feed(read_text(out + "/report.html"))
        page.close()
        self.assertEqual(page.open, [])
        self.assertEqual(len(page.ids), len(set(page.ids)), "an id is there twice")
        for link in page.links:
            if link.startswith("#"):
                self.assertIn(link[1:], page.ids)
            else:
                self.assertTrue(os.path.exists(os.path.join(out, link)), link)
        self.assertEqual(len(page.pictures), 1)
        start = "data:image/png;base64,"
        self.assertTrue(page.pictures[0]["src"].startswith(start))
        self.assertEqual(base64.b64decode(page.pictures[0]["src"][len(start):]), read_bytes(out + "/bilbao2014/fig2.png"))
        self.assertIn("A drawn one & a scene", page.pictures[0]["alt"])
        for part in ("A ball < a wall", "sistrum repro bilbao2014/fig2", "claim { \"it moves\"", "K = 1e7, alpha = 1.5"):
            self.assertIn(part, page.text)
        self.assertIn("scene-bounce", page.ids)

    def test_a_line_an_item(self):
        text = self.repro("all", "-o", "out").stdout.decode()
        for paper in PAPERS:
            self.assertRegex(text, paper + r"/fig1 +reproduced with correction +\d+\.\d s\n")
        self.assertEqual(self.repro("all", "-o", "out", "--quiet").stdout, b"")


    def test_pictures_for_the_docs(self):
        self.script("beyond/fig2", DRAWN)
        os.makedirs(self.path("docs/beyond/folder.png"))
        for name in ("old.png", "notes.txt", ".png", "fig2.png.txt"):
            self.scene("docs/beyond/" + name, "old")
        self.repro("all", "-o", "out", "--docs", "docs")
        self.assertEqual(sorted(os.listdir(self.path("docs/beyond"))),
                         [".png", "fig2.png", "fig2.png.txt", "folder.png", "notes.txt"])
        self.assertEqual(read_bytes(self.path("docs/beyond/fig2.png")), read_bytes(self.path("out/beyond/fig2.png")))
        self.assertIn("](beyond/fig2.png)", read_text(self.path("docs/beyond.md")))
        # A run that is not complete leaves all as it is.
        self.script("beyond/fig2", "error('x')")
        self.breaks("all", "-o", "out", "--docs", "docs")
        self.assertTrue(os.path.exists(self.path("docs/beyond/fig2.png")))

    def test_a_scene_inside_the_script(self):
        self.script("bilbao2014/fig2", DRAWN.replace('"bounce"', "[[" + SCENE + "]]"))
        self.repro("bilbao2014/fig2")
        self.assertRegex(read_text(self.path("repro-out/report.html")).split("<kbd>")[-1], "; scene inside the script</p>")


class Signals(Repro):
    def start(self, *arguments, **how):
        return subprocess.Popen([PROGRAM, "repro", *arguments], cwd=self.folder, env=self.environment, **how)

    def children(self, pid):
        found = []
        for name in os.listdir("/proc"):
            try:
                if name.isdigit() and int(read_text("/proc/%s/stat" % name).rsplit(")", 1)[1].split()[1]) == pid:
                    found.append(int(name))
            except (OSError, ValueError):
                pass
        return found

    def wait_for_children(self, pid, count):
        for _ in range(200):
            found = self.children(pid)
            if len(found) == count:
                return found
            time.sleep(0.05)
        self.fail("no %d children" % count)

    def test_interrupted(self):
        for name in ("fig2", "fig3"):
            self.script("bilbao2014/" + name, FOREVER)
        for number in (signal.SIGINT, signal.SIGTERM):
            program = self.start("bilbao2014/fig2", "bilbao2014/fig3", "--jobs", "2", stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE)
            children = self.wait_for_children(program.pid, 2)
            program.send_signal(number)
            program.communicate(timeout=20)
            self.assertEqual(program.returncode, -number)
            for child in children:
                self.assertFalse(os.path.exists("/proc/%d" % child), "a child goes on")
            left = [name for _, _, files in os.walk(self.path("repro-out")) for name in files]
            self.assertEqual(left, [])

    def slow_gnuplot(self):
        """A gnuplot that does not end, and leaves its number in a file a process."""
        os.makedirs(self.path("bin"))
        os.makedirs(self.path("numbers"))
        name = self.scene("bin/gnuplot", "#!/bin/sh\n: > \"%s/$$\"\nexec sleep 300\n" % self.path("numbers"))
        os.chmod(name, 0o755)
        self.environment["PATH"] = self.path("bin") + ":" + os.environ["PATH"]
        for item in ("fig2", "fig3"):
            self.script("bilbao2014/" + item, DRAWN)

    def drawing(self):
        """Starts two items that draw; the program, and its gnuplot processes."""
        for name in os.listdir(self.path("numbers")):
            os.remove(self.path("numbers/" + name))
        program = self.start("bilbao2014/fig2", "bilbao2014/fig3", "--jobs", "2", stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE)
        for _ in range(200):
            numbers = [int(name) for name in os.listdir(self.path("numbers"))]
            if len(numbers) == 2:
                return program, numbers
            time.sleep(0.05)
        self.fail("gnuplot was not started twice")

    def runs(self, pid):
        try:
            return read_text("/proc/%d/stat" % pid).rsplit(")", 1)[1].split()[0] not in "ZX"
        except OSError:
            return False

    def end_soon(self, numbers):
        for _ in range(40):
            left = [pid for pid in numbers if self.runs(pid)]
            if not left:
                return
            time.sleep(0.05)
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        self.fail("%d processes go on" % len(left))

    def test_nothing_that_was_started_goes_on(self):
        self.slow_gnuplot()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL):
            program, drawing = self.drawing()
            children = self.children(program.pid)
            self.assertEqual(len(children), 2)
            program.send_signal(number)  # to the program alone
            program.communicate(timeout=20)
            self.assertEqual(program.returncode, -number)
            self.end_soon(drawing + children)
            left = [name for _, _, files in os.walk(self.path("repro-out")) for name in files]
            self.assertEqual(left, [], "signal %d" % number)

    def test_a_child_that_is_killed_leaves_nothing_running(self):
        self.slow_gnuplot()
        program, drawing = self.drawing()
        for child in self.children(program.pid):
            os.kill(child, signal.SIGKILL)
        program.communicate(timeout=20)
        self.assertEqual(program.returncode, 1)
        self.end_soon(drawing)

    def test_a_child_that_is_killed(self):
        self.script("bilbao2014/fig2", FOREVER)
        program = self.start("bilbao2014", "--numbers", "-o", "out", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(200):
            children = self.children(program.pid)
            if len(children) == 1 and self.busy(children[0]):
                break
            time.sleep(0.05)
        os.kill(children[0], signal.SIGKILL)
        _, said = program.communicate(timeout=20)
        self.assertEqual(program.returncode, 1)
        self.assertEqual(said.decode(), "sistrum: bilbao2014/fig2: ended by signal 9 (Killed)\n")
        self.assertIn("one and one", read_text(self.path("out/reproduction.md")))

    def busy(self, pid):
        """Whether a process has worked for a while: the short item is done by then."""
        fields = read_text("/proc/%d/stat" % pid).rsplit(")", 1)[1].split()
        return int(fields[11]) > 30

    def test_bar_on_a_terminal_only(self):
        self.script("bilbao2014/fig2", ABOUT % ("Fig. 2", "t") + "local t = clock() while clock() - t < 1 do end")
        self.assertEqual(self.repro("bilbao2014/fig2", "--numbers").stderr, b"")
        main_end, other_end = pty.openpty()
        program = self.start("bilbao2014/fig2", "--numbers", stdout=subprocess.DEVNULL, stderr=other_end)
        os.close(other_end)
        shown = b""
        try:
            while True:
                part = os.read(main_end, 4096)
                if not part:
                    break
                shown += part
        except OSError:
            pass
        os.close(main_end)
        self.assertEqual(program.wait(timeout=20), 0)
        self.assertIn(b"] 0/1 bilbao2014/fig2", shown)
        self.assertTrue(shown.endswith(b"\r"), shown)


if __name__ == "__main__":
    main()
