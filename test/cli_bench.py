"""sistrum bench: that it runs, what it writes, and what it is refused for. No time is judged."""

import csv
import json

from cli_case import Case, main, read_text

DOC = "# Title\n\nBefore.\n\n<!-- bench begin -->\nold\n<!-- bench end -->\n\nAfter.\n"


class Bench(Case):
    def test_one_section_as_tables(self):
        text = self.good("bench", "--quick", "--only", "workloads").stdout.decode()
        for word in ("Workloads on one core", "tromba-marina", "hammer-string", "hunt-crossley", "modes-32",
                     "quadratised", "newton", "Plain scalar C"):
            self.assertIn(word, text)

    def test_json(self):
        found = json.loads(self.good("bench", "--quick", "--json").stdout.decode())
        self.assertRegex(found["version"], r"^\d+\.\d+\.\d+$")
        for name in ("A/ledger", "A/newton", "A5/ledger", "B/ledger", "C/ledger", "tromba-marina/ledger",
                     "hammer-string/ledger", "hunt-crossley/ledger", "modes-1/ledger", "modes-32/quadratised",
                     "A/ledger/audited", "A/scalar", "limit/string/223", "limit/plate/134x17", "equal/A",
                     "limit/interleaved/223", "render"):
            self.assertGreater(found["values"][name], 0, name)
        titles = [table["title"] for table in found["tables"]]
        self.assertEqual(titles[-1], "What must hold")
        for table in found["tables"]:
            self.assertGreater(len(table["rows"]), 0, table["title"])
            for row in table["rows"]:
                self.assertLessEqual(len(row), len(table["columns"]))
        claims = found["tables"][-1]
        self.assertEqual(claims["columns"], ["claim", "measured", "holds"])
        for row in claims["rows"]:
            self.assertIn(row[2], ("yes", "no", "-"))

    def test_whole_renders(self):
        found = json.loads(self.good("bench", "--quick", "--only", "renders", "--json").stdout.decode())
        (table,) = found["tables"]
        self.assertIn("Whole renders", table["title"])
        for row in table["rows"]:
            self.assertGreater(found["values"]["render/" + row[0]], 0, row[0])
        self.assertEqual(found["values"]["render"], min(found["values"]["render/" + row[0]] for row in table["rows"]))

    def test_instruments(self):
        found = json.loads(self.good("bench", "--quick", "--only", "instruments", "--json").stdout.decode())
        scenes, peers = found["tables"]
        self.assertIn("SHORT WINDOW", scenes["note"])
        self.assertIn("another run on another machine", peers["note"])
        self.assertEqual(found["values"]["instrument/short_window"], 1)
        for row in scenes["rows"]:
            for what in ("engine", "render", "voices", "chord", "block_p50", "block_p99", "block_p999", "block_max",
                         "deadline"):
                self.assertGreater(found["values"]["instrument/%s/%s" % (row[0], what)], 0, row[0])

    def test_studies(self):
        found = json.loads(self.good("bench", "--quick", "--only", "studies", "--json").stdout.decode())
        for name in ("mass_barrier", "tanpura", "base/append", "base/read", "base/csv", "base/bytes", "base/show", "base/show_memory"):
            self.assertGreater(found["values"]["study/" + name], 0, name)

    def test_threads(self):
        found = json.loads(self.good("bench", "--quick", "--only", "threads", "--json").stdout.decode())
        self.assertGreater(found["values"]["threads/2/work"], 1)
        self.assertGreater(found["values"]["threads/1/wall"], 0)

    def test_plain_twin_agrees(self):
        # The scalar baseline computes the same as the core, so that comparing their times is fair.
        found = json.loads(self.good("bench", "--only", "workloads", "--quick", "--json").stdout.decode())
        for name in ("A", "A5", "B", "C"):
            self.assertLess(found["values"]["agree/" + name], 1e-9, name)

    def test_docs(self):
        path = self.path("page.md")
        self.keep("page.md")
        with open(path, "w") as file:
            file.write(DOC)
        self.good("bench", "--quick", "--only", "limits", "--docs", path)
        text = read_text(path)
        self.assertTrue(text.startswith("# Title\n\nBefore.\n\n<!-- bench begin -->\n"))
        self.assertTrue(text.endswith("<!-- bench end -->\n\nAfter.\n"))
        self.assertNotIn("old", text)
        self.assertIn("| segments |", text)
        with open(path, "w") as file:
            file.write("no markers")
        self.bad(2, "bench begin", "bench", "--quick", "--only", "limits", "--docs", path)
        self.assertEqual(read_text(path), "no markers")

    def test_history(self):
        path = self.path("history.csv")
        arguments = ("bench", "--quick", "--only", "workloads", "--history", path)
        first = self.good(*arguments, "--date", "2020-01-02").stdout.decode()
        self.assertIn("nothing of this machine yet", first)
        with open(path) as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(list(rows[0]), ["date", "version", "machine", "workload", "ns"])
        self.assertIn("A/ledger", [row["workload"] for row in rows])
        for row in rows:
            self.assertRegex(row["workload"], r"^[\w-]+/(ledger|quadratised|newton|exact|scalar)(/audited|/open)?$")
            self.assertGreater(float(row["ns"]), 0)
        self.assertEqual({row["date"] for row in rows}, {"2020-01-02"})
        # A past in which everything took no time at all, and one in which it took for ever.
        for ns, expected in (("0.001", "slower: A/ledger takes"), ("1e12", "got slower by more than 15 %")):
            with open(path, "w") as file:
                file.write("date,version,machine,workload,ns\n")
                for row in rows:
                    file.write(",".join(["", row["version"], row["machine"], row["workload"], ns]) + "\n")
            text = self.good(*arguments).stdout.decode()
            self.assertIn(expected, text)
            self.assertEqual("slower: " in text, ns == "0.001")
        self.assertEqual(len(read_text(path).splitlines()), 1 + 2 * len(rows))

    def test_other_machines_do_not_count(self):
        path = self.path("other.csv")
        with open(path, "w") as file:
            file.write("date,version,machine,workload,ns\n,0.0.1,an abacus,A/ledger,0.001\n")
        text = self.good("bench", "--quick", "--only", "workloads", "--history", path).stdout.decode()
        self.assertIn("nothing of this machine yet", text)

    def test_counting(self):
        names = self.good("bench", "--count", "list").stdout.decode().split()
        self.assertIn("A/ledger", names)
        self.assertGreater(int(self.good("bench", "--count", "hunt-crossley/ledger").stdout), 0)
        path = self.path("counts.csv")
        with open(path, "w") as file:
            file.write("A/ledger,123456\n")
        text = self.good("bench", "--quick", "--only", "workloads", "--counts", path).stdout.decode()
        self.assertIn("123456", text)

    def test_mistakes(self):
        self.bad(2, "no section 'limts'", "bench", "--only", "limts")
        self.bad(2, "takes no scene", "bench", "some.lua")
        self.bad(2, "no workload", "bench", "--count", "Z/ledger")
        self.bad(2, "--date needs --history", "bench", "--date", "today")
        self.bad(2, "no comma", "bench", "--date", "a,b", "--history", "h.csv")
        self.bad(1, "cannot write", "bench", "--quick", "--only", "claims", "--history", "/nonexistent/h.csv")
        self.bad(1, "cannot read", "bench", "--quick", "--only", "claims", "--docs", "/nonexistent/page.md")
        self.assertIn("--history", self.good("help", "bench").stdout.decode())


if __name__ == "__main__":
    main()
