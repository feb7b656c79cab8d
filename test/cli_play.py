"""`sistrum play` with the null driver: commands, recordings, reloading, devices, and how it ends."""

import os
import re
import resource
import signal
import struct
import subprocess
import time
import unittest

from cli_case import PROGRAM, SANITIZED, Case, main, read_bytes, read_text, read_wav

# A damped ball on a spring that hits a wall: a key is compiled in no time.
BALL = """
local f0 = param { "f0", 220, min = 40, max = 4000, unit = "Hz", scale = "log" }
local v = param { "v", 1, min = 0.01, max = 2, unit = "m/s" }
local K = param { "K", 1e6, min = 1e3, max = 1e9, scale = "log", unit = "N/m^alpha", label = "hardness" }
local pull = input { "pull", 0, min = -1, max = 1, unit = "N" }
local m = mass { mass = 0.01, frequency = f0, velocity = v, damping = 12, name = "ball" }
local wall = barrier { height = -1e-4 }
contact { above = m, below = wall, K = K, alpha = 1.5 }
force { on = m, shape = "constant", peak = pull }
probe { on = m, quantity = "displacement", gain = 100 }
preset { "Soft one", K = 1e4 }
preset { "Hard", K = 1e8 }
play { pitch = "f0", velocity = "v", release = 0.2, voices = 8, cc = { [1] = "pull" } }
render { rate = 48000, duration = 1, title = "Ball" }
"""

SONG = """
note C4 100
wait 0.1003
note 64 30          # softer
wait 0.05
note G4 127
cc 1 90
wait 0.2
off C4
pedal down 1
off 64
off G4
wait 0.11117
note C#4 77
wait 0.01
off C#4
pedal up
bend 0.5
pressure 40
wait 0.3
silence 3
"""

OFFLINE = ("--driver", "null", "--offline")
EXACT = ("--no-guard", "--no-limiter", "--no-dc", "--normalise", "off")

# Where the system's sound libraries are asked for their devices: those lose memory of their own (ALSA's plugins do), and
# are gone again when a sanitizer looks for what was lost.
DEVICES = dict(os.environ, ASAN_OPTIONS="detect_leaks=0")


class PlayCase(Case):
    def setUp(self):
        super().setUp()
        self.ball = self.scene("ball.lua", BALL)
        self.before = set(os.listdir(self.folder))

    def play(self, song, *arguments):
        return self.good("play", self.ball, *OFFLINE, *arguments, input=song.encode())

    def sound(self, path):
        rate, channels, _ = read_wav(self.path(path))
        return rate, channels


class Recording(PlayCase):
    def same_as_render(self, rate, *arguments, song=SONG):
        self.play(song, *EXACT, "--rate", str(rate), "--record", "take.wav", "--record-notes", "take.mid", *arguments)
        self.good("render", self.ball, "--midi", "take.mid", "-o", "again.wav", "--normalise", "off", "--bits", "32f",
                  "--rate", str(rate), "--quiet")
        (_, take), (_, again) = self.sound("take.wav"), self.sound("again.wav")
        count = min(len(take[0]), len(again[0]))
        self.assertGreater(count, 0.6 * rate)
        self.assertGreater(max(map(abs, take[0])), 1e-4)
        for channel in range(2):
            where = [i for i in range(count) if take[channel][i] != again[channel][i]]
            self.assertEqual(where[:3], [], "frames that differ")
            self.assertFalse(any(take[channel][count:]), "sound behind the end of the render")

    def test_a_panic_is_the_same_in_the_render(self):
        zone = "midi b0 65 00\nmidi b0 64 06\nmidi b0 06 03\nmidi e1 00 50\ncc 74 100\nbend 0.4\npedal down\n"
        panic = "note 55\nnote 50\nwait 0.05\npanic\nwait 0.1\nmidi e1 00 50\nmidi 91 40 50\n"
        self.same_as_render(48000, song=zone + SONG + panic + SONG)

    def test_notes_give_the_sound_bit_by_bit(self):
        self.same_as_render(48000, "--prepare", "100")

    def test_without_play_a_key_starts_the_scene_as_it_is(self):
        scene = self.scene("alone.lua", """
local press = input { "press", 0.4, min = 0, max = 2, unit = "N", smooth = 0.01 }
local knock = input { "knock", trigger = true, min = 1.5, max = 5 }
local tap = input { "tap", trigger = true, max = 5 }
local m = mass { mass = 0.01, frequency = 200, damping = 0.5 }
force { on = m, shape = "constant", peak = press }
force { on = m, shape = "impulse", peak = 0.03, trigger = knock }
force { on = m, shape = "impulse", peak = 0.02, trigger = tap }
probe { on = m, quantity = "velocity" }
render { rate = 48000, duration = 0.3, oversample = 2 }
""")
        self.good("play", scene, *OFFLINE, *EXACT, "--record", "take.wav", input=b"note C4 60\nwait 0.3\n")
        self.good("render", scene, "-o", "plain.wav", "--normalise", "off", "--bits", "32f", "--quiet")
        (_, take), (_, plain) = self.sound("take.wav"), self.sound("plain.wav")
        count = min(len(take[0]), len(plain[0])) - 200 # its last samples know what comes after the end
        late = next(i for i in range(200) if take[0][i + 1:i + 1000] == plain[0][1:1000])
        self.assertEqual(take[0][late + 1:count], plain[0][1:count - late])
        # Its level is that of its blows: the loudest note is a third of full scale.
        said = self.good("play", scene, *OFFLINE, "--no-limiter", "--no-dc", input=b"note C4\nwait 0.3\nstatus\n").stdout.decode()
        self.assertAlmostEqual(float(re.search(r"peak=([0-9.]+)", said).group(1)), 1 / 3, delta=0.01)

    def test_a_key_that_the_scene_does_not_have_is_told(self):
        said = self.play("note 127\nwait 0.01\nnote 60\nwait 0.01\n")
        self.assertRegex(said.stderr.decode(), "note G9 .* is outside the range of 'f0'")
        self.assertNotIn("note C4", said.stderr.decode())

    def test_a_controller_moves_its_knob(self):
        said = self.good("play", "tanpura", *OFFLINE, input=b"note C4\nwait 0.05\ncc 1 127\nwait 0.05\nknobs\n").stdout.decode()
        self.assertIn("thread=0.0002 ", said)

    def test_status_tells_what_was_loud_while_silence_waited(self):
        said = self.play("note C4 100\nwait 0.01\nstatus\noff C4\nsilence 3\nstatus\nstatus\n").stdout.decode()
        peaks = [float(p) for p in re.findall(r"peak=([0-9.e+-]+)", said)]
        self.assertTrue(peaks[1] > 0.01 and peaks[2] == 0, peaks)

    def test_a_pedal_has_a_channel(self):
        for channel, held in (("2", 1), ("", 0)):
            said = self.play("pedal down %s\nnote C4 90 2\nwait 0.1\noff C4 2\nwait 0.1\nstatus\n" % channel).stdout.decode()
            self.assertIn(" keys=%d " % held, said)
        done = self.run_program("play", self.ball, *OFFLINE, input=b"pedal down 17\n")
        self.assertEqual(done.returncode, 2)
        self.assertIn("17", done.stderr.decode())

    def test_at_any_rate_and_period(self):
        self.same_as_render(44100, "--period", "1")
        self.same_as_render(47999, "--period", "1000") # no tick is a frame

    def test_same_commands_give_the_same_bytes(self):
        for name, period in (("a", "64"), ("b", "333")):
            self.play(SONG + "knob K 1e5\nwait 0.1\nnote 60\nwait 0.1\npreset Soft one\nnote 62\nwait 0.1\n",
                      "--record", name + ".wav", "--record-notes", name + ".mid", "--period", period)
        for end in ("wav", "mid", "csv"):
            self.assertEqual(read_bytes(self.path("a." + end)), read_bytes(self.path("b." + end)))

    def test_knobs_go_beside_the_notes(self):
        self.play("wait 0.5\nknob K 2e5\nwait 0.25\nknob pull 0.5\nwait 0.1\n", "--record-notes", "take.mid")
        self.assertEqual(read_text(self.path("take.csv")), "time,name,value\n0.5,K,200000\n0.75,pull,0.5\n")
        self.assertEqual(self.new_files(), ["take.csv", "take.mid"])

    def test_flac(self):
        self.play("note 60\nwait 0.2\n", "--record", "take.flac")
        self.assertEqual(read_bytes(self.path("take.flac"))[:4], b"fLaC")

    def test_a_disk_that_fills_up_keeps_what_it_holds(self):
        def fill():
            resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000))

        def play(song, *arguments):
            done = subprocess.run([PROGRAM, "play", self.ball, *OFFLINE, *arguments], cwd=self.folder, input=song.encode(),
                                  capture_output=True, preexec_fn=fill, check=False)
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stderr.decode(), r"^(sistrum: cannot record .*: File too large\n)+$")
        play("note C4\nwait 0.1\noff C4\nwait 5\n", "--record", "take.wav", "--record-notes", "take.mid")
        left = self.sound("take.wav")[1][0]
        self.assertTrue(11000 < len(left) <= (100000 - 92) // 8, len(left))
        self.assertGreater(max(map(abs, left)), 0)
        notes = read_bytes(self.path("take.mid"))
        self.assertEqual(notes[-3:], b"\xff\x2f\x00")
        self.assertEqual(int.from_bytes(notes[18:22], "big"), len(notes) - 22)
        self.assertEqual(notes.count(b"\x80\x3c\x00"), 1)
        play("cc 1 1\ncc 1 2\ncc 1 3\nwait 0.001\n" * 9000, "--record-notes", "more.mid")
        notes = read_bytes(self.path("more.mid"))
        self.assertEqual(notes[-3:], b"\xff\x2f\x00")
        self.assertEqual(int.from_bytes(notes[18:22], "big"), len(notes) - 22)
        self.assertGreater(len(notes), 90000)
        play("knob K 2e6\nknob K 3e6\nwait 0.001\n" * 4500, "--record-notes", "knobs.mid")
        self.assertGreater(len(read_bytes(self.path("knobs.csv"))), 90000)
        self.assertEqual(self.new_files(), ["knobs.csv", "knobs.mid", "more.mid", "take.mid", "take.wav"])

    def test_length_is_what_was_waited(self):
        self.play("wait 0.25\nwait 0.5\n", "--record", "take.wav")
        rate, channels = self.sound("take.wav")
        self.assertEqual((rate, len(channels), len(channels[0])), (48000, 2, 36000))

    def test_knobs_and_presets_are_heard(self):
        sounds = []
        for line in ("", "knob K 1e4\nwait 0.2\n", "preset Soft one\nwait 0.2\n"):
            self.play(line + "note 60\nwait 0.2\n", *EXACT, "--record", "take.wav")
            sounds.append(self.sound("take.wav")[1][0][-9600:])
        self.play("note 60\nwait 0.2\n", *EXACT, "--preset", "Soft one", "--record", "take.wav")
        sounds.append(self.sound("take.wav")[1][0][-9600:])
        self.play("note 60\nwait 0.2\n", *EXACT, "--set", "K=1e4", "--record", "take.wav")
        sounds.append(self.sound("take.wav")[1][0][-9600:])
        self.assertFalse(sounds[0] == sounds[1])
        for other in sounds[2:]:
            self.assertTrue(sounds[1] == other)


class Words(PlayCase):
    def test_help(self):
        text = self.good("play", "--help").stdout.decode()
        self.assertEqual(text, self.good("help", "play").stdout.decode())
        for word in ("--driver", "--device", "--rate", "--period", "--midi", "--connect", "--list", "--record",
                     "--record-notes", "--prepare", "--no-limiter", "--no-guard", "--no-dc", "--scale", "--keys", "--a4",
                     "--voices", "--gain", "--oversample", "--set", "--preset"):
            self.assertIn(word, text)
        self.assertIn("courses", self.good("help", "play{}").stdout.decode())

    def test_list(self):
        done = self.good("play", "--list", env=DEVICES)
        self.assertIn("null: ", done.stdout.decode())
        self.assertIn("jack: ", done.stdout.decode())
        self.assertEqual(done.stderr, b"")

    def test_mistakes(self):
        self.scene("wrong.lua", "mass { mas = 1 }")
        self.keep("wrong.lua")
        null = ("--driver", "null")
        self.bad(2, "play needs a scene", "play")
        self.bad(3, "no scene", "play", "nowhere", *null)
        self.bad(3, "wrong.lua:1:", "play", "wrong.lua", *null)
        self.bad(2, "unknown param", "play", self.ball, "--set", "X=1", *null)
        self.bad(2, "outside", "play", self.ball, "--set", "K=1", *null)
        self.bad(2, "preset", "play", self.ball, "--preset", "Loud", *null)
        self.bad(2, "there is no 'tape'", "play", self.ball, "--driver", "tape")
        self.bad(2, "--connect must be", "play", self.ball, "--connect", "maybe", *null)
        self.bad(2, "--normalise must be", "play", self.ball, "--normalise", "maybe", *null)
        self.bad(2, "--period must be", "play", self.ball, "--period", "0", *null)
        self.bad(2, "writes .wav or .flac", "play", self.ball, "--record", "a.ogg", *null)
        self.bad(2, "writes .mid", "play", self.ball, "--record-notes", "a.wav", *null)
        self.bad(1, "cannot write 'nowhere/a.wav'", "play", self.ball, "--record", "nowhere/a.wav", *null)
        self.bad(1, "cannot write 'nowhere/a.mid'", "play", self.ball, "--record", "a.wav", "--record-notes",
                 "nowhere/a.mid", *null)
        self.bad(3, "cannot read", "play", self.ball, "--scale", "nowhere.scl", *null)

    def test_no_device(self):
        done = self.run_program("play", self.ball, stdin=subprocess.DEVNULL,
                                env=dict(DEVICES, JACK_DEFAULT_SERVER="nobody-runs-this", JACK_NO_START_SERVER="1"))
        if done.returncode == 0:
            self.skipTest("there is a device here")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.count(b"\n"), 1, "one sentence, and nothing of the libraries")
        self.assertIn(b"--driver null", done.stderr)

    def test_wrong_lines_are_told_and_left_out(self):
        song = "note 60\nfly\nnote H4\nnote 60 200\nknob Q 1\nknob K x\nwait\nwait -1\npreset Nobody\nmidi f8\nwait 0.1\n"
        done = self.run_program("play", self.ball, *OFFLINE, "--record", "take.wav", input=song.encode())
        self.assertEqual(done.returncode, 2)
        told = done.stderr.decode().splitlines()
        self.assertEqual([re.match(r"sistrum: line (\d+): ", line).group(1) for line in told[:-1]],
                         [str(n) for n in range(2, 11)])
        self.assertEqual(len(self.sound("take.wav")[1][0]), 4800)

    def test_names_with_blanks_and_words_too_many(self):
        scene = self.scene("blank.lua", 'local f = param { "f 0", 200, min = 50, max = 2000, unit = "Hz" }\n'
                           'local m = mass { mass = 1e-3, frequency = f, velocity = 1 }\nprobe { on = m, quantity = "velocity" }\n'
                           'preset { "A b", ["f 0"] = 300 }\n')
        done = self.run_program("play", scene, *OFFLINE, input=b"knob  f 0  400 # so\nwait 0.1\nknobs\npreset A b\nwait 0.1\nknobs\npreset A\n"
                                b"note C4 100 1 1\nstatus now\ngain 1e9\nmidi 90 80 40\n")
        self.assertEqual(done.returncode, 2)
        self.assertIn("f 0=400 ", done.stdout.decode())
        self.assertIn("f 0=300 ", done.stdout.decode())
        wrong = done.stderr.decode()
        for number, words in ((7, "no preset 'A'; there are A b"), (8, "note KEY"), (9, "status"), (10, "a gain from"), (11, "one message of a channel")):
            self.assertIn("line %d: %s" % (number, words), wrong)
        self.assertEqual(wrong.count("line "), 5)

    def test_a_long_line_is_told_once_and_lines_keep_their_numbers(self):
        done = self.run_program("play", self.ball, *OFFLINE, input=b"x" * 5000 + b"\nnote 60 100 \0 1\nfly\nstatus\n")
        self.assertEqual(done.returncode, 2)
        told = done.stderr.decode().splitlines()
        self.assertEqual([re.match(r"sistrum: line (\d+): ", line).group(1) for line in told[:-1]], ["1", "2", "3"])
        self.assertIn("longer than", told[0])
        self.assertIn("zero byte", told[1])
        self.assertIn("voices=0", done.stdout.decode())

    def test_no_message_is_lost_unheard_of(self):
        song = "".join("note %d 100\n" % (50 + i % 20) for i in range(6000))
        done = self.run_program("play", self.ball, *OFFLINE, input=(song + "wait 0.1\n").encode())
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr.decode().splitlines()[0], r"line \d+: too many at a time")
        # In time they wait for their turn.
        done = self.good("play", self.ball, "--driver", "null", "--record-notes", "take.mid", input=(song + "wait 0.3\n").encode())
        self.assertEqual(done.stderr, b"")
        self.assertEqual(len(re.findall(rb"\x90.\x64", read_bytes(self.path("take.mid")))), 6000)

    def test_status_and_knobs(self):
        done = self.play("note 60\nwait 0.1\nstatus\nknob K 1e5\nwait 0.1\nknobs\nhelp\n").stdout.decode()
        self.assertIn("playing ball.lua: null, offline, 48000 Hz, 256 frames\n", done)
        self.assertRegex(done, r"\ntime=0.100000 voices=1 keys=1 .* wrong=0 ")
        self.assertIn("\nK=100000 min=1000 max=1e+09 unit=N/m^alpha param\n", done)
        self.assertIn("\npull=0 min=-1 max=1 unit=N input\n", done)
        self.assertIn("\npanic ", done)


def wait_until(condition, seconds=20):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.02)
    return condition()


class Talk:
    """A program that plays in real time, and what it says."""

    def __init__(self, case, *arguments, driver="null", **environment):
        self.out, self.wrong = open(case.path("out.txt"), "w+b"), open(case.path("wrong.txt"), "w+b")
        self.process = subprocess.Popen([PROGRAM, "play", case.ball, "--driver", driver, *arguments], cwd=case.folder,
                                        stdin=subprocess.PIPE, stdout=self.out, stderr=self.wrong,
                                        env={**os.environ, **environment})
        case.addCleanup(self.close)

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.out.close()
        self.wrong.close()

    def tell(self, text):
        self.process.stdin.write(text.encode())
        self.process.stdin.flush()

    def asked(self, part):
        """Asks until it says that."""
        def ask():
            self.tell("status\nknobs\nwait 0.05\n")
            time.sleep(0.1)
            return part in read_text(self.out.name)
        return wait_until(ask)

    def said(self, part, wrong=False):
        name = (self.wrong if wrong else self.out).name
        return wait_until(lambda: part in read_text(name))


class Reload(PlayCase):
    def test_an_error_leaves_the_old_scene_and_the_next_save_is_heard(self):
        talk = Talk(self)
        self.assertTrue(talk.said("playing"))
        talk.tell("knob pull 0.25\n")
        self.scene("ball.lua", BALL.replace("mass = 0.01", "mas = 0.01"))
        self.assertTrue(talk.said("ball.lua:6:", wrong=True))
        talk.tell("note 60\n")
        self.assertTrue(talk.asked("voices=1 "), "the old one plays on")
        self.assertTrue(talk.asked("loads=1"))
        # Editors write another file and rename it.
        self.scene("other.lua", BALL.replace('label = "hardness"', 'label = "felt"').replace("1e6, min", "1e5, min"))
        os.rename(self.path("other.lua"), self.ball)
        self.assertTrue(talk.said("loaded ball.lua"))
        self.assertTrue(talk.asked("K=100000 "), "what nobody turned is as the new scene has it")
        self.assertTrue(talk.asked("pull=0.25 "), "what was turned stays")
        self.assertTrue(talk.asked("loads=2"))
        talk.tell("quit\n")
        self.assertEqual(talk.process.wait(20), 0)


@unittest.skipUnless(os.environ.get("SISTRUM_FAKES") and not SANITIZED, "needs the PortAudio of the tests")
class Device(PlayCase):
    def plug(self, rate):
        with open(self.path("device"), "w", encoding="ascii") as file:
            file.write(str(rate))

    def pull(self):
        os.remove(self.path("device"))

    def start(self, *arguments, **environment):
        self.plug(44100)
        talk = Talk(self, *arguments, driver="portaudio", LD_LIBRARY_PATH=os.environ["SISTRUM_FAKES"], FAKE_DEVICE=self.path("device"),
                    **environment)
        self.assertTrue(talk.said("portaudio Fake"))
        talk.tell("note C4 100\n")
        self.assertTrue(talk.asked(" voices=1 "))
        return talk

    def test_a_device_that_is_pulled_out_and_plugged_in_again_plays_on(self):
        talk = self.start()
        self.pull()
        self.assertTrue(talk.said("portaudio has gone; waiting for it", wrong=True))
        time.sleep(1)
        self.plug(48000)
        self.assertTrue(talk.said("48000 Hz"))
        self.assertTrue(talk.said("portaudio is back"))
        talk.tell("knob K 1e9\nnote E4 100\n")
        self.assertTrue(talk.asked("K=1e+09 "))
        talk.tell("quit\n")
        self.assertEqual(talk.process.wait(20), 0)

    def test_a_recording_ends_where_the_rate_changes(self):
        talk = self.start("--record", "take.wav")
        self.pull()
        self.assertTrue(talk.said("portaudio has gone", wrong=True))
        time.sleep(0.7)
        self.plug(48000)
        self.assertTrue(talk.said("portaudio is back: 48000 Hz, 256 frames; the recording has ended, it has one rate"))
        talk.tell("quit\n")
        self.assertEqual(talk.process.wait(20), 0)
        self.assertEqual(self.sound("take.wav")[0], 44100)

    def test_through_a_jack_server_that_comes_back_twice(self):
        talk = self.start(FAKE_JACK="1")
        for turn, rate in ((1, 48000), (2, 44100)):
            self.pull()
            self.assertTrue(wait_until(lambda: read_text(talk.wrong.name).count("portaudio has gone") == turn))
            time.sleep(0.7)
            self.plug(rate)
            self.assertTrue(wait_until(lambda: read_text(talk.out.name).count("portaudio is back") == turn))
            talk.tell("knob pull 0.%d\n" % turn)
            self.assertTrue(talk.asked("pull=0.%d " % turn), "it plays on")
        talk.tell("quit\n")
        self.assertEqual(talk.process.wait(20), 0)

    def test_it_ends_at_once_when_the_jack_server_of_portaudio_has_just_gone(self):
        talk = self.start(FAKE_JACK="1")
        self.pull()
        time.sleep(0.1)
        talk.tell("quit\n")
        self.assertEqual(talk.process.wait(10), 0)


class Ending(PlayCase):
    def test_a_signal_completes_the_recording(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            talk = Talk(self, "--record", "take.wav", "--record-notes", "take.mid")
            talk.tell("note 60\nwait 0.3\nstatus\n")
            self.assertTrue(talk.said("time="))
            talk.process.send_signal(number)
            self.assertEqual(talk.process.wait(20), -number)
            self.assertGreater(len(self.sound("take.wav")[1][0]), 0)
            self.assertEqual(self.new_files(), ["out.txt", "take.mid", "take.wav", "wrong.txt"])
            talk.close()

    def test_a_signal_shows_though_a_line_was_wrong(self):
        talk = Talk(self)
        talk.tell("fly\n")
        self.assertTrue(talk.said("line 1", wrong=True))
        talk.process.send_signal(signal.SIGTERM)
        self.assertEqual(talk.process.wait(20), -signal.SIGTERM)

    def test_killed_it_leaves_a_file_that_plays(self):
        talk = Talk(self, "--record", "take.wav", "--record-notes", "take.mid")
        talk.tell("note 60\nknob K 1e5\nwait 0.5\noff 60\nwait 60\n")

        def recorded():
            raw = read_bytes(self.path("take.part.wav"))
            return struct.unpack("<I", raw[raw.index(b"data") + 4:][:4])[0]
        self.assertTrue(wait_until(lambda: os.path.exists(self.path("take.part.wav")) and recorded() > 48000 * 8, 60))
        self.assertTrue(wait_until(lambda: b"\x80\x3c" in read_bytes(self.path("take.part.mid")), 60))
        talk.process.kill()
        talk.process.wait()
        self.assertEqual(self.new_files(), ["out.txt", "take.part.csv", "take.part.mid", "take.part.wav", "wrong.txt"])
        raw = read_bytes(self.path("take.part.wav"))
        at = raw.index(b"data")
        self.assertGreater(struct.unpack("<I", raw[at + 4:at + 8])[0], 48000 * 8, "a second of sound is in its header")
        self.good("render", self.ball, "--midi", "take.part.mid", "-o", "again.wav", "--quiet")
        done = self.run_program("play", self.ball, "--driver", "null", "--record", "take.wav", stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"left of a recording that was killed", done.stderr)

    def test_offline_without_commands_ends(self):
        for how in ({"stdin": subprocess.DEVNULL}, {"preexec_fn": lambda: os.close(0)}):
            done = self.run_program("play", self.ball, *OFFLINE, **how)
            self.assertEqual(done.returncode, 2)
            self.assertEqual(done.stderr, b"sistrum: --offline plays the commands of standard input, and there are none\n")

    def test_nothing_to_read_is_no_end(self):
        process = subprocess.Popen([PROGRAM, "play", self.ball, "--driver", "null"], cwd=self.folder,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        self.addCleanup(process.stdout.close)
        self.assertIn(b"playing", process.stdout.readline())
        time.sleep(0.3)
        self.assertIsNone(process.poll())
        process.terminate()
        self.assertEqual(process.wait(20), -signal.SIGTERM)


if __name__ == "__main__":
    main()
