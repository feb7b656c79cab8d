"""`sistrum play` in a terminal: what its view shows, its keys, and how it leaves the terminal."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time

from cli_case import PROGRAM, SANITIZED, main, read_bytes, read_text
from cli_play import BALL, PlayCase, wait_until


class Screen:
    """What a terminal shows: cursor moves and characters, no more."""

    def __init__(self):
        self.rows, self.row, self.column, self.rest = {}, 0, 0, ""

    def feed(self, data):
        text = self.rest + data.decode(errors="replace")
        cut = text.rfind("\033")
        self.rest = text[cut:] if cut >= 0 and not re.match(r"\033\[[0-9;?<>=]*[@-~]", text[cut:]) else ""
        text = text[:len(text) - len(self.rest)]
        for part in re.findall(r"\033\[[0-9;?<>=]*[@-~]|[^\033]", text):
            if part[0] != "\033":
                line = self.rows.setdefault(self.row, {})
                line[self.column] = part
                self.column += 1
            elif part[-1] == "H":
                self.row, self.column = (int(number) - 1 for number in part[2:-1].split(";"))
            elif part == "\033[2J":
                self.rows = {}

    def text(self):
        return "\n".join("".join(line.get(column, " ") for column in range(max(line) + 1))
                         for _, line in sorted(self.rows.items()))


class Terminal:
    """A terminal with the program in it."""

    def __init__(self, case, *arguments, columns=80, rows=24, **environment):
        self.master, self.slave = pty.openpty()
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.before = termios.tcgetattr(self.slave)
        self.bytes, self.screen = b"", Screen()
        self.process = subprocess.Popen([PROGRAM, "play", case.ball, "--driver", "null", *arguments], cwd=case.folder,
                                        stdin=self.slave, stdout=self.slave, stderr=self.slave,
                                        preexec_fn=self.take,
                                        env={**os.environ, "TERM": "xterm", "LC_ALL": "C.UTF-8", **environment})
        case.addCleanup(self.close)

    def take(self):
        os.setsid()
        fcntl.ioctl(self.slave, termios.TIOCSCTTY, 0)

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.master)
        os.close(self.slave)

    def read(self):
        while select.select([self.master], [], [], 0.01)[0]:
            try:
                data = os.read(self.master, 65536)
            except OSError:
                return
            self.bytes += data
            self.screen.feed(data)

    def shows(self, text, seconds=20):
        return wait_until(lambda: (self.read(), text in self.screen.text())[1], seconds)

    def sees(self, part, seconds=20):
        def look():
            self.read()
            return part in self.bytes
        return wait_until(look, seconds)

    def type(self, text):
        os.write(self.master, text)

    def is_raw(self):
        return not termios.tcgetattr(self.slave)[3] & termios.ICANON

    def restored(self):
        self.read()
        last = max(self.bytes.rfind(b"\033[?1049h"), 0)
        end = self.bytes[last:]
        same = termios.tcgetattr(self.slave) == self.before
        return same and b"\033[?25h" in end and b"\033[?1049l" in end

    def wait(self):
        wait_until(lambda: (self.read(), self.process.poll() is not None)[1])
        return self.process.poll()


class View(PlayCase):
    def start(self, *arguments, **how):
        terminal = Terminal(self, *arguments, **how)
        self.assertTrue(terminal.shows("Ctrl-C"), terminal.bytes)
        return terminal

    def test_it_shows_title_knobs_and_meters(self):
        terminal = self.start("--preset", "Hard")
        for word in ("Ball", "left", "right", "load", "voice", "residual", "contact", "limit", "hardness", "pull", "Hard"):
            self.assertTrue(terminal.shows(word), word)
        self.assertIn("█".encode(), terminal.bytes)
        self.assertIn(b"\033[0;3", terminal.bytes)

    def test_no_colour_no_unicode(self):
        terminal = self.start(NO_COLOR="1", LC_CTYPE="C", LC_ALL="C")
        self.assertIsNone(re.search(rb"\033\[[0-9;]*3[0-7]m", terminal.bytes))
        self.assertTrue(all(byte < 128 for byte in terminal.bytes))

    def test_any_size_and_resizing(self):
        for columns, rows in ((1, 1), (5, 3), (20, 8), (300, 90)):
            terminal = Terminal(self, columns=columns, rows=rows)
            self.assertTrue(terminal.sees(b"\033[1;1H"))
            terminal.type(b"z?")
            fcntl.ioctl(terminal.slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
            self.assertTrue(terminal.shows("panic"))
            terminal.type(b"\x03")
            self.assertEqual(terminal.wait(), 0)

    def test_keys_play_and_turn_knobs(self):
        terminal = self.start("--record-notes", "take.mid")
        terminal.type(b"z")
        self.assertTrue(terminal.shows("note C3"))
        self.assertTrue(terminal.shows("end of C3"), "it ends by itself")
        terminal.type(b".+q")
        self.assertTrue(terminal.shows("note C5, velocity 109"))
        terminal.type(b" ")
        self.assertTrue(terminal.shows("pedal down"))
        self.assertTrue(terminal.shows("▸ K"))
        terminal.type(b"\r2.5e5\r")
        self.assertTrue(terminal.shows("2.5e5"))
        terminal.type(b"\x1b[B\x1b[C")
        terminal.type(b"\x1b[6~")
        self.assertTrue(terminal.shows("preset Soft one"))
        terminal.type(b"\x1b")
        self.assertTrue(terminal.shows("all sound ends"))
        terminal.type(b"?")
        self.assertTrue(terminal.shows("Backspace"))
        terminal.type(b"\x03")
        self.assertEqual(terminal.wait(), 0)
        self.assertTrue(terminal.restored())
        notes, knobs = read_bytes(self.path("take.mid")), read_text(self.path("take.csv"))
        self.assertIn(b"\x90\x30\x64", notes)
        self.assertIn(b"\x80\x30\x00", notes)
        self.assertIn(b"\x90\x48\x6d", notes)
        self.assertIn(",K,250000\n", knobs)
        self.assertIn(",pull,0.04", knobs)

    def test_key_up_of_terminals_that_tell(self):
        terminal = self.start("--record-notes", "take.mid")
        self.assertIn(b"\033[?u", terminal.bytes, "it asks")
        terminal.type(b"\033[?0u")
        self.assertTrue(terminal.sees(b"\033[>15u"), "it uses it")
        terminal.type(b"\033[122;1:1u")
        self.assertTrue(terminal.shows("note C3"))
        time.sleep(0.8)
        terminal.read()
        self.assertNotIn("end of C3", terminal.screen.text())
        terminal.type(b"\033[122;1:2u\033[122;1:3u")
        self.assertTrue(terminal.shows("end of C3"))
        terminal.type(b"\033[121::122;1:1u") # the key where z is on a US keyboard
        self.assertTrue(terminal.shows("note C3"))
        terminal.type(b"\033[99;5u") # Ctrl-C
        self.assertEqual(terminal.wait(), 0)
        self.assertIn(b"\033[<u", terminal.bytes)
        self.assertTrue(terminal.restored())
        self.assertEqual(read_bytes(self.path("take.mid")).count(b"\x90\x30\x64"), 2)

    def test_the_terminal_is_restored_however_it_ends(self):
        ends = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT]
        if not SANITIZED:
            ends += [signal.SIGSEGV, signal.SIGABRT, signal.SIGFPE]
        for number in ends:
            terminal = self.start()
            self.assertTrue(terminal.is_raw())
            terminal.process.send_signal(number)
            self.assertEqual(terminal.wait(), -number)
            self.assertTrue(terminal.restored(), number)
            terminal.process.wait()

    def test_stopped_and_continued(self):
        terminal = self.start()
        for way in ("key", "signal"):
            if way == "key":
                terminal.type(b"\x1a")
            else:
                terminal.process.send_signal(signal.SIGTSTP)
            self.assertTrue(wait_until(terminal.restored), way)
            terminal.bytes, terminal.screen = b"", Screen()
            terminal.process.send_signal(signal.SIGCONT)
            self.assertTrue(terminal.shows("Ctrl-C"), "it is drawn again")
            self.assertTrue(terminal.is_raw())
        terminal.type(b"\x11")
        self.assertEqual(terminal.wait(), 0)

    def test_an_error_of_a_reload_is_shown(self):
        terminal = self.start()
        self.scene("ball.lua", BALL.replace("mass = 0.01", "mas = 0.01"))
        self.assertTrue(terminal.shows("ball.lua:6:"))
        self.scene("ball.lua", BALL.replace("Ball", "Marble"))
        self.assertTrue(terminal.shows("Marble"))

    def test_letters_beyond_ascii_take_one_column_each(self):
        self.scene("ball.lua", BALL + 'param { "h\u00e4rte", 1 }\nparam { "%s", 1 }\n' % ("\u00f6" * 20))
        terminal = self.start()
        self.assertTrue(terminal.shows("  " + "\u00f6" * 16 + " "), "a name is cut at a letter")
        self.assertTrue(terminal.shows("  h\u00e4rte" + 12 * " "))
        self.scene("ball.lua", 'error("x%s")' % ("\u00e9" * 200))
        self.assertTrue(terminal.shows("ball.lua:1: x\u00e9"))
        self.assertTrue(wait_until(lambda: (terminal.read(), terminal.screen.text().count("\u00e9") == 200)[1]))

    def test_it_stays_quiet_in_a_file(self):
        with open(self.path("typed"), "wb") as script:
            script.write(b"wait 0.05\n")
        with open(self.path("typed"), "rb") as script:
            done = self.run_program("play", self.ball, "--driver", "null", stdin=script)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertNotIn(b"\033", done.stdout)


if __name__ == "__main__":
    main()
