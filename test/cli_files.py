"""Files that cannot be written, signals, pipes and long runs."""

import os
import pty
import resource
import signal
import subprocess
import time

from cli_case import Case, PROGRAM, SANITIZED, TONE, main, read_text, read_wav

LONG = ("--oversample", "1024", "--duration", "20")  # takes long, but writes little: there must be room for it


class Unwritable(Case):
    def test_places(self):
        """Paths that also root cannot write."""
        with open(self.path("file"), "w"):
            pass
        os.mkdir(self.path("folder"))
        self.keep("file", "folder")
        for option, name in (("-o", "a.wav"), ("--data", "a.npy"), ("--energy", "a.csv"),
                             ("--json", "a.json")):
            self.bad(1, "Not a directory", "render", self.bounce, option, "file/" + name)
            self.bad(1, "no such directory", "render", self.bounce, option, "none/" + name)
            self.bad(1, "it is a directory", "render", self.bounce, option, "folder")
            self.bad(1, "it is a directory", "render", self.bounce, "--data", "x.npy", "--energy",
                     "x.csv", *(("-o", "folder") if option == "-o" else ("--json", "folder")))

    def test_full_disk(self):
        if os.path.exists("/dev/full"):
            for option in ("-o", "--data", "--energy", "--json"):
                self.bad(1, "No space left", "render", self.bounce, option, "/dev/full")

        def little():
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
        for option, name in (("-o", "a.wav"), ("--data", "a.npy"), ("--energy", "a.csv")):
            self.bad(1, "File too large", "render", self.bounce, "--json", "r.json", option, name,
                     preexec_fn=little)
        loud = self.scene("loud.lua", TONE.replace("duration = 1", "duration = 1, normalise = true"))
        self.keep("loud.lua")
        self.bad(1, "File too large", "render", loud, "-o", "a.wav", preexec_fn=little)

    def test_room(self):
        """A run that would write more than there is room for is not started."""
        other = self.scene("other.lua", read_text(self.bounce))
        self.keep("other.lua")
        for arguments in (("-o", "a.wav"), ("-o", "a.flac"), ("--data", "a.npy"), ("--energy", "a.csv"), ("-o", "-"),
                          ("-o", "/dev/null"), ("-o", "out/", other)):
            text = self.bad(1, "no room in '", "render", self.bounce, "--rate", "1e5", "--duration", "1e6", "--oversample",
                            "2", "--normalise", "on", *arguments)
            self.assertRegex(text, r"writes up to [0-9.]+ [GT]B there, and [0-9.]+ [kMGT]?B are free")
        self.good("render", self.bounce, "-o", "a.wav", "-q")
        self.keep("a.wav")
        self.bad(1, "no room", "render", self.bounce, "-o", "a.wav", "--rate", "1e5", "--duration", "1e6")
        self.assertEqual(len(read_wav(self.path("a.wav"))[1][0]), 4410)

    def test_null_stays_null(self):
        self.good("render", self.bounce, "-o", "/dev/null", "--data", "/dev/null")
        self.assertFalse(os.path.isfile("/dev/null"))

    def into_a_closed_pipe(self, arguments):
        reading, writing = os.pipe()
        os.close(reading)
        done = subprocess.run([PROGRAM, *arguments], stdout=writing, stderr=subprocess.PIPE, cwd=self.folder,
                              timeout=60)
        os.close(writing)
        self.assertEqual(self.new_files(), [])
        return done

    def test_closed_pipe(self):
        """A file that was asked for is lost: all are."""
        for arguments in (["render", self.bounce, "--json", "-", "-o", "a.wav"],
                          ["render", self.bounce, "--data", "-", "--energy", "e.csv"]):
            done = self.into_a_closed_pipe(arguments)
            self.assertEqual(done.returncode, 1, arguments)
            self.assertIn(b"standard output", done.stderr)

    def test_a_reader_that_leaves_is_no_error(self):
        """check | head: text that nobody reads to its end, less and more of it than a buffer holds."""
        for arguments in (["check", self.bounce], ["--help"], ["--version"], ["help", "mass"],
                          ["help", "--reference"], ["render", "--help"], ["scenes"], ["scenes", "--json"],
                          ["params", self.bounce], ["compare", self.bounce, "--schemes", "ledger,newton"],
                          ["compare", self.bounce, "--schemes", "ledger,newton", "--json", "-"],
                          ["repro", "list"], ["bench", "--count", "list"]):
            done = self.into_a_closed_pipe(arguments)
            self.assertEqual((done.returncode, done.stderr), (0, b""), arguments)
            with open("/dev/full", "w") as full:
                done = subprocess.run([PROGRAM, *arguments], stdout=full, stderr=subprocess.PIPE,
                                      cwd=self.folder, timeout=60)
            self.assertEqual(done.returncode, 1, arguments)
            self.assertRegex(done.stderr, b"cannot write (to )?'?standard output'?: No space left on device")
            self.assertEqual(done.stderr.count(b"\n"), 1)

    def test_closed_standard_output(self):
        for arguments in ("render bounce.lua --json -", "check bounce.lua", "--help"):
            done = self.run_program_in_shell(arguments + " >&-")
            self.assertEqual(done.returncode, 1, arguments)
            self.assertIn(b"standard output", done.stderr)
        done = self.run_program_in_shell("render bounce.lua -o a.wav <&- >&- 2>&-")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(len(read_wav(self.path("a.wav"))[1][0]), 4410)
        self.assertEqual(self.new_files(), ["a.wav"])

    def run_program_in_shell(self, line):
        return subprocess.run('"$SISTRUM" ' + line, shell=True, cwd=self.folder, capture_output=True,
                              timeout=60, env=dict(os.environ, SISTRUM=PROGRAM))

    def test_scene_from_a_pipe(self):
        with open(self.bounce, "rb") as f:
            done = self.run_program("render", "/dev/stdin", "--json", "-", "--quiet", stdin=f)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_signals(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGXCPU, signal.SIGUSR1,
                       signal.SIGALRM, signal.SIGUSR2, signal.SIGVTALRM, signal.SIGPROF):
            run = subprocess.Popen([PROGRAM, "render", self.bounce, "-o", "a.wav", "--data", "a.npy",
                                    "--energy", "a.csv", *LONG], cwd=self.folder,
                                   stderr=subprocess.PIPE)
            for _ in range(500):
                if len(self.new_files()) >= 3:
                    break
                time.sleep(0.01)
            self.assertEqual(len(self.new_files()), 3)
            run.send_signal(number)
            run.communicate(timeout=20)
            self.assertEqual(run.returncode, -number)
            self.assertEqual(self.new_files(), [])

    def test_old_file_survives_a_failure(self):
        with open(self.path("a.wav"), "w") as f:
            f.write("old")
        self.keep("a.wav")
        self.bad(1, "Not a directory", "render", self.bounce, "-o", "a.wav", "--json", "bounce.lua/r")
        self.assertEqual(read_text(self.path("a.wav")), "old")


class NothingIsLost(Case):
    def old(self, *names):
        for name in names:
            with open(self.path(name), "w") as f:
                f.write("old " + name)
        self.keep(*names)

    def start(self, *arguments):
        """A run that takes long, as soon as its temporary files are there."""
        run = subprocess.Popen([PROGRAM, "render", self.bounce, *LONG, *arguments], cwd=self.folder,
                               stderr=subprocess.PIPE)
        for _ in range(500):
            if len([n for n in os.listdir(self.folder) if n.startswith(".sistrum-%d-" % run.pid)]) == len(arguments) // 2:
                break
            time.sleep(0.01)
        return run

    def test_what_was_replaced_comes_back(self):
        """The folder of the last output goes while the run goes on: the first one had taken its place by then."""
        self.old("a.wav", "b.npy")
        os.mkdir(self.path("gone"))
        run = subprocess.Popen([PROGRAM, "render", self.bounce, "--duration", "30", "-o", "a.wav", "--data", "b.npy",
                                "--energy", "new.csv", "--json", "gone/r.json"], cwd=self.folder,
                               stderr=subprocess.PIPE)
        for _ in range(500):
            if os.listdir(self.path("gone")):
                break
            time.sleep(0.01)
        for name in os.listdir(self.path("gone")):
            os.unlink(self.path("gone/" + name))
        os.rmdir(self.path("gone"))
        _, said = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 1)
        self.assertIn(b"gone/r.json", said)
        self.assertEqual(read_text(self.path("a.wav")), "old a.wav")
        self.assertEqual(read_text(self.path("b.npy")), "old b.npy")
        self.assertEqual(self.new_files(), [])

    def test_what_a_killed_run_left_goes_with_the_next(self):
        self.old("a.wav")
        uncaught = [signal.SIGKILL, signal.SIGKILL, signal.SIGIO, signal.SIGRTMIN]
        for number in uncaught + [signal.SIGPWR] * hasattr(signal, "SIGPWR"):
            run = self.start("-o", "a.wav", "--data", "a.npy")
            run.send_signal(number)
            run.communicate(timeout=20)
            self.assertEqual(run.returncode, -number)
            self.assertEqual(len([n for n in self.new_files() if n.startswith(".sistrum-")]), 2)
        other = self.start("-o", "c.wav")  # one that is alive keeps its own
        alive = set(self.new_files())
        self.assertEqual(len(alive), 1, alive)
        self.good("render", self.bounce, "-o", "b.wav", "--quiet")
        self.assertEqual(set(self.new_files()), alive | {"b.wav"})
        other.terminate()
        other.communicate()
        self.assertEqual(self.new_files(), ["b.wav"])
        self.assertEqual(read_text(self.path("a.wav")), "old a.wav")

    def test_links_are_followed(self):
        os.symlink("there.wav", self.path("link.wav"))
        os.symlink("none/there.wav", self.path("far.wav"))
        os.symlink("circle.wav", self.path("circle.wav"))
        self.keep("link.wav", "far.wav", "circle.wav")
        self.bad(1, "no such directory", "render", self.bounce, "-o", "far.wav")
        self.bad(1, "symbolic links", "render", self.bounce, "-o", "circle.wav")
        self.good("render", self.bounce, "-o", "link.wav", "--quiet")
        self.assertTrue(os.path.islink(self.path("link.wav")))
        self.assertEqual(self.new_files(), ["there.wav"])

    def in_shell(self, line):
        return subprocess.run(line.replace("RENDER", '"$SISTRUM" render bounce.lua --quiet'), shell=True, cwd=self.folder,
                              capture_output=True, timeout=60, executable="/bin/bash", env=dict(os.environ, SISTRUM=PROGRAM))

    def test_names_of_standard_output(self):
        """They mean "-": what the file held before stays, and what comes after follows."""
        if not os.path.exists("/proc/self/fd/1"):
            self.skipTest("descriptors have no names here")
        os.symlink("/dev/stdout", self.path("link"))
        os.symlink("/proc/self/fd", self.path("descriptors"))
        self.keep("link", "descriptors", "log")
        report = self.in_shell("RENDER --json -").stdout
        self.assertIn(b"{", report)
        for name in ("-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "/proc/thread-self/fd/1", "link", "descriptors/1"):
            with open(self.path("log"), "wb") as f:
                f.write(b"precious\n")
            done = self.in_shell(f"(RENDER --json {name} && echo after) >>log")
            self.assertEqual((done.returncode, done.stderr), (0, b""), name)
            with open(self.path("log"), "rb") as f:
                told = f.read()
            self.assertTrue(told.startswith(b"precious\n{") and told.endswith(b"}\nafter\n"), (name, told))
            self.assertEqual(self.in_shell(f"RENDER --json {name} | cat").stdout[:1], b"{", name)
            self.assertEqual(self.new_files(), [])
        self.assertTrue(os.path.islink(self.path("link")))

    def test_standard_output_takes_one(self):
        if not os.path.exists("/proc/self/fd/1"):
            self.skipTest("descriptors have no names here")
        self.old("a.wav")
        for sound, report in (("-", "-"), ("-", "/dev/stdout"), ("/dev/fd/1", "-"), ("/dev/stdout", "/dev/stdout"),
                              ("/dev/stdout", "/proc/self/fd/1"), ("a.wav", "-"), ("a.wav", "/dev/stdout")):
            for where in (">>a.wav",) if sound == "a.wav" else (">>a.wav", "| cat"):
                done = self.in_shell(f"set -o pipefail; RENDER -o {sound} --json {report} {where}")
                self.assertEqual((done.returncode, done.stdout), (2, b""), (sound, report, where))
                self.assertIn(b"a.wav' is where standard output goes" if sound == "a.wav" else b"is named twice", done.stderr)
                self.assertEqual(read_text(self.path("a.wav")), "old a.wav")
                self.assertEqual(self.new_files(), [])

    def test_a_file_that_takes_what_is_printed(self):
        """It is no output, for no command and under no name: the words would be lost with the old file."""
        os.symlink("kept", self.path("symbolic"))
        self.old("kept")
        os.link(self.path("kept"), self.path("hard"))
        markers = "<!-- bench begin -->\n<!-- bench end -->\n"
        commands = ["render bounce.lua -o NAME", "render bounce.lua --data NAME", "render bounce.lua --energy NAME",
                    "render bounce.lua --json NAME", "compare bounce.lua --schemes ledger,newton --json NAME",
                    "bench --quick --only claims --history NAME", "bench --quick --only claims --docs NAME"]
        for command in commands:
            for name in ("./kept", "symbolic", "hard"):
                for where, stream in ((">>kept", "output"), ("2>>kept", "error")):
                    with open(self.path("kept"), "w") as f:
                        f.write(markers)
                    done = self.in_shell(f"'{PROGRAM}' {command.replace('NAME', name)} {where}")
                    sentence = "sistrum: '%s' is where standard %s goes: every output needs a file of its own\n" % (name, stream)
                    self.assertEqual(done.returncode, 2, (command, name, where))
                    told = read_text(self.path("kept")) if stream == "error" else markers + done.stderr.decode()
                    self.assertEqual(told, markers + sentence, (command, name, where))
                    if stream == "output":
                        self.assertEqual(read_text(self.path("kept")), markers)
        self.assertEqual(self.in_shell(f"'{PROGRAM}' render bounce.lua -o a.wav --json - >b.json 2>c").returncode, 0)

    def test_files_that_are_open_already(self):
        """Named by a descriptor they are refused; pipes and devices are written."""
        if not os.path.exists("/proc/self/fd/1"):
            self.skipTest("descriptors have no names here")
        self.old("log")
        os.symlink("/dev/fd/3", self.path("third"))
        self.keep("third")
        for name, how in (("/dev/stderr", "2>>log"), ("/dev/fd/2", "2>>log"), ("/dev/fd/3", "3>>log"), ("third", "3>>log"),
                          ("/proc/self/fd/3", "3<>log"), ("/dev/stdin", "<>log"), ("/proc/$$/fd/7", "")):
            done = self.in_shell(f"exec 7>>log; RENDER --json {name} {how}; exit $?")
            self.assertEqual(done.returncode, 2, name)
            with open(self.path("log")) as f:
                told = f.read()
            said = done.stderr.decode() + told[len("old log"):]
            self.assertTrue(told.startswith("old log"), (name, told))
            self.assertRegex(said, r"^sistrum: '\S+' is a file that is open already: give its name\n$")
            self.assertEqual(self.new_files(), [])
            with open(self.path("log"), "w") as f:
                f.write("old log")
        self.assertEqual(self.in_shell("RENDER --json /dev/stderr").stderr[:1], b"{")
        self.assertEqual(self.in_shell("RENDER --json >(cat) | cat").stdout[:1], b"{")
        self.assertEqual(self.in_shell("RENDER --json /dev/fd/3 3>/dev/null").returncode, 0)
        self.bad(1, "Bad file descriptor", "render", self.bounce, "--json", "/dev/fd/987")

    def test_new_folders_go_with_a_signal(self):
        other = self.scene("other.lua", read_text(self.bounce))
        self.keep("other.lua")
        run = subprocess.Popen([PROGRAM, "render", self.bounce, other, "-o", "out/", *LONG],
                               cwd=self.folder, stderr=subprocess.PIPE)
        for _ in range(500):
            if os.path.isdir(self.path("out")) and os.listdir(self.path("out")):
                break
            time.sleep(0.01)
        run.send_signal(signal.SIGTERM)
        run.communicate(timeout=20)
        self.assertEqual(self.new_files(), [])


class Long(Case):
    def test_memory_does_not_grow(self):
        if SANITIZED:
            self.skipTest("sanitizers need memory of their own")
        loud = self.scene("loud.lua", TONE.replace("duration = 1", "duration = 1, normalise = true"))
        largest = []
        waits = 128 * 1024 # kB of sound may wait in memory (out/aside.h)
        for duration in ("1", "500"): # of which the long one has more
            run = subprocess.Popen([PROGRAM, "render", loud, "-o", "a.wav", "--data", "a.npy",
                                    "--oversample", "2", "--duration", duration, "--quiet"],
                                   cwd=self.folder)
            _, status, usage = os.wait4(run.pid, 0)
            run.returncode = status
            self.assertEqual(status, 0)
            largest.append(usage.ru_maxrss)
        self.assertLess(largest[1], largest[0] + 4096 + waits)

    def test_progress_on_a_terminal_only(self):
        try:
            master, slave = pty.openpty()
        except OSError as error:  # a machine without terminals
            self.skipTest(str(error))
        run = subprocess.Popen([PROGRAM, "render", self.bounce, "--json", "r.json", "--duration",
                                "1e5"], cwd=self.folder, stderr=slave)
        os.close(slave)
        seen = b""
        while b"%, " not in seen:
            seen += os.read(master, 4096)
        self.assertIn(b"\r[", seen)
        run.terminate()
        run.wait(timeout=60)
        os.close(master)
        done = self.good("render", self.bounce, "--json", "r.json", "--duration", "20")
        self.assertNotIn(b"\r", done.stderr)


if __name__ == "__main__":
    main()
