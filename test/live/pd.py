#!/usr/bin/env python3
"""sistrum~ in Pure Data, without a sound card: patches run by pd -batch, their sound compared with that of sistrum render.

  test/live/pd.py PROGRAM FOLDER_OF_THE_OBJECT        needs pd and nm"""

import os
import struct
import subprocess
import sys
import tempfile
import unittest
import wave

PROGRAM, OBJECT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
SOURCE = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
RATE = 48000

PATCH = """#N canvas 0 0 600 400 10;
#X obj 10 10 loadbang;
#X obj 10 40 t b b b b;
#X msg 300 60 \\; pd dsp 1;
#X obj 10 200 BOX;
#X obj 10 300 tabwrite~ pd-left;
#X obj 150 300 tabwrite~ pd-right;
#X obj 300 300 print info;
#X msg 10 100 FIRST;
#X obj 230 100 del LENGTH;
#X msg 230 130 write -wave -bytes 4 out.wav pd-left pd-right;
#X obj 230 160 soundfiler;
#X obj 230 190 t b;
#X msg 230 220 \\; pd quit;
#X obj 400 10 table pd-left FRAMES;
#X obj 400 40 table pd-right FRAMES;
#X obj 400 100 table pd-in IN;
#X obj 400 130 soundfiler;
#X msg 400 160 read in.wav pd-in;
#X obj 400 190 tabplay~ pd-in;
#X obj 500 190 sig~ SIGNAL;
#X connect 0 0 1 0;
#X connect 1 3 17 0;
#X connect 1 3 2 0;
#X connect 17 0 16 0;
#X connect 1 2 4 0;
#X connect 1 2 5 0;
#X connect 1 1 18 0;
#X connect 1 1 7 0;
#X connect 1 0 8 0;
#X connect 3 0 4 0;
#X connect 3 1 5 0;
#X connect 3 2 6 0;
#X connect 7 0 3 0;
#X connect 8 0 9 0;
#X connect 9 0 10 0;
#X connect 10 0 11 0;
#X connect 11 0 12 0;
"""


def read_floats(path):
    """Channels of a WAV file of floats."""
    with open(path, "rb") as file:
        raw = file.read()
    at, channels, data = 12, 0, b""
    while at + 8 <= len(raw):
        kind, size = raw[at:at + 4], struct.unpack("<I", raw[at + 4:at + 8])[0]
        if kind == b"fmt ":
            channels = struct.unpack("<H", raw[at + 10:at + 12])[0]
        if kind == b"data":
            data = raw[at + 8:at + 8 + size]
        at += 8 + size + (size & 1)
    values = struct.unpack("<%df" % (len(data) // 4), data)
    return [values[c::channels] for c in range(channels)]


def song(path, events):
    """(tick, bytes) at 480 ticks to a quarter of 0.5 s: a tick is 50 samples. The end is far away: it ends notes."""
    track, now = b"", 0
    for tick, data in sorted(events, key=lambda e: e[0]) + [(9600, b"\xff\x2f\x00")]:
        wait, now = tick - now, tick
        digits = [wait & 127]
        while wait > 127:
            wait >>= 7
            digits.append(wait & 127 | 128)
        track += bytes(reversed(digits)) + bytes(data)
    with open(path, "wb") as file:
        file.write(b"MThd" + struct.pack(">IHHH", 6, 0, 1, 480) + b"MTrk" + struct.pack(">I", len(track)) + track)


class Pd(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory(prefix="sistrum-pd-")
        self.addCleanup(self.temporary.cleanup)
        self.folder = self.temporary.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def play(self, box, first="status", later=(), seconds=0.5, sound=None, signal=None, scenes=True, outlets=(0, 1), probes=0, reblock=""):
        """The sound, and what Pd printed. `later` are messages (ms, text); `outlets` are those that are written, of a box with so many `probes`."""
        frames = int(seconds * RATE) // 64 * 64
        patch = PATCH.replace("BOX", box).replace("FIRST", first.replace(",", " \\,")).replace("LENGTH", str(seconds * 1000 + 20))
        patch = patch.replace("FRAMES", str(frames)).replace("IN;", "%d;" % (len(sound) if sound else 64)).replace("SIGNAL", str(signal or 0))
        if sound is not None:
            with wave.open(self.path("in.wav"), "wb") as w:
                w.setnchannels(1)
                w.setsampwidth(2)
                w.setframerate(RATE)
                w.writeframes(struct.pack("<%dh" % len(sound), *sound))
            patch += "#X connect 18 0 3 0;\n#X connect 18 0 3 1;\n"
        else:
            patch = patch.replace("#X connect 1 3 17 0;\n", "").replace("#X connect 1 1 18 0;\n", "")
        if signal is not None:
            patch += "#X connect 19 0 3 2;\n"
        for told, wanted in (("3 0 4 0", "3 %d 4 0" % outlets[0]), ("3 1 5 0", "3 %d 5 0" % outlets[1]), ("3 2 6 0", "3 %d 6 0" % (2 + probes))):
            patch = patch.replace("#X connect %s;" % told, "#X connect %s;" % wanted)
        objects, number = "", 20
        for ms, text in later:
            objects += "#X obj 500 300 del %s;\n#X msg 500 330 %s;\n" % (ms, text.replace(",", " \\,"))
            patch += "#X connect 1 1 %d 0;\n#X connect %d 0 %d 0;\n#X connect %d 0 3 0;\n" % (number, number, number + 1, number + 1)
            number += 2
        objects += "#X obj 10 10 block~ %s;\n" % reblock if reblock else ""
        head, tail = patch.split("#X connect", 1)
        with open(self.path("t.pd"), "w", encoding="ascii") as file:
            file.write(head + objects + "#X connect" + tail)
        environment = dict(os.environ, SISTRUM_SCENES=os.path.join(SOURCE, "scenes"))
        if not scenes:
            del environment["SISTRUM_SCENES"]
        done = subprocess.run(["pd", "-nogui", "-noaudio", "-batch", "-noprefs", "-r", str(RATE), "-path", OBJECT, "-stderr", "-open", "t.pd"],
                              cwd=self.folder, env=environment, capture_output=True, text=True, timeout=300, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("couldn't create", done.stderr)
        return read_floats(self.path("out.wav")), done.stderr

    def render(self, scene, *arguments):
        subprocess.run([PROGRAM, "render", os.path.join(SOURCE, "scenes", scene + ".lua"), "-o", self.path("offline.wav"), "--normalise", "off", "--rate", str(RATE),
                        "--quiet", *arguments], check=True, timeout=300)
        return read_floats(self.path("offline.wav"))

    def same(self, live, offline, what, late=0):
        for channel in range(2):
            other = offline[channel if len(offline) > 1 else 0]
            count = min(len(live[channel]) - late, len(other))
            first = next((i for i in range(count) if live[channel][i + late] != other[i]), None)
            self.assertIsNone(first, "%s: channel %d differs from sample %s on" % (what, channel + 1, first))
        self.assertGreater(max(map(abs, live[0])), 1e-6, "silent")

    def test_notes_sound_as_those_of_a_song_offline(self):
        song(self.path("song.mid"), [(0, (0x90, 38, 100)), (120, (0x90, 45, 64)), (240, (0x80, 38, 0)), (300, (0xB0, 1, 90)), (360, (0x90, 50, 127))])
        live, _ = self.play("sistrum~ tanpura -raw -offline", "note 38 100", ((125, "note 45 64"), (250, "note 38 0"), (312.5, "midi 176 1 90"), (375, "144 50 127")))
        self.same(live, self.render("tanpura", "--midi", self.path("song.mid")), "tanpura")

    def test_knobs_in_the_box_are_settings(self):
        song(self.path("song.mid"), [(0, (0x90, 50, 100))])
        live, said = self.play("sistrum~ sitar -raw -offline curve 1.5 decay 4", "note 50 100, status", seconds=0.25)
        late = int(said.split("info: latency ")[1].split()[0])  # it has three steps a sample
        self.assertGreater(late, 0)
        self.same(live, self.render("sitar", "--midi", self.path("song.mid"), "--set", "curve=1.5", "--set", "decay=4"), "sitar", late)

    def test_sound_from_outside(self):
        sound = [(7919 * n * n + 31 * n) % 20001 - 10000 for n in range(9600)]
        live, _ = self.play("sistrum~ resonator -raw -offline", sound=sound)
        self.same(live, self.render("resonator", "--sound", self.path("in.wav")), "resonator")

    def column(self, scene, *arguments):
        """Columns of `render --data`."""
        subprocess.run([PROGRAM, "render", scene, "--data", self.path("offline.npy"), "--rate", str(RATE), "--quiet", *arguments], check=True, timeout=300)
        with open(self.path("offline.npy"), "rb") as file:
            raw = file.read()
        start = 10 + struct.unpack("<H", raw[8:10])[0]
        width = int(raw[10:start].decode().split("'shape': (")[1].split(",")[1].split(")")[0])
        values = struct.unpack("<%dd" % ((len(raw) - start) // 8), raw[start:])
        as_float = struct.unpack("<%df" % len(values), struct.pack("<%df" % len(values), *values))
        return [as_float[c::width] for c in range(width)]

    def test_probes_are_outlets_with_the_numbers_of_data_files(self):
        scene = os.path.join(SOURCE, "scenes", "bouncing_marble.lua")
        offline = self.column(scene)
        for box, order in (("-probes 1 2", (0, 1)), ("-probes 2 1", (1, 0)), ("-probes 2 2", (1, 1))):
            live, said = self.play("sistrum~ bouncing_marble -offline " + box, "note 60 100, probes", outlets=(2, 3), probes=2)
            self.same(live, [offline[order[0]], offline[order[1]]], "bouncing_marble " + box)  # neither level nor limiter nor DC blocker
            self.assertIn("info: probe ", said)
        live, _ = self.play("sistrum~ newtons_cradle -offline -probes x2 'first\\ click'".replace("'", ""), "note 60 127", outlets=(2, 3), probes=2)
        offline = self.column(os.path.join(SOURCE, "scenes", "newtons_cradle.lua"), "--duration", "0.5", "--velocity", "1")
        self.same(live, [offline[3], offline[0]], "newtons_cradle")

    def test_probes_of_all_voices_add_up_and_are_filtered_as_the_sound(self):
        with open(self.path("over.lua"), "w", encoding="ascii") as file:
            file.write('render{ duration = 1, oversample = 3 }\nlocal f = param{ "f", 200, min = 50, max = 2000, unit = "Hz" }\nlocal m = mass{ mass = 1e-3, frequency = f, velocity = 1 }\n'
                       'probe{ on = m, quantity = "velocity", name = "m" }\nplay{ pitch = "f" }\n')
        for scene in ("tanpura -probes out", "over -probes m"):
            live, _ = self.play("sistrum~ %s -raw -offline" % scene, "note 50 100", ((125, "note 53 64"), (250, "note 50 0")), outlets=(0, 2), probes=1)
            self.same(live, [live[1]], scene)

    def test_probes_that_the_scene_does_not_have_are_told_and_silent(self):
        live, said = self.play("sistrum~ tanpura -offline -probes nothing out", "note 50 100", ((200, "open guitar"),), outlets=(2, 3), probes=2)
        self.assertIn("-probes nothing: the scene has no probe of that name", said)
        self.assertEqual(max(map(abs, live[0])), 0)
        self.assertGreater(max(map(abs, live[1])), 1e-3)

    def test_another_scene_is_loaded_while_pd_plays_on(self):
        live, said = self.play("sistrum~ tanpura", "note 50 100", ((100, "open marimba"), (100, "open timpani"), (100, "open sitar")), seconds=60)
        self.assertIn("info: opened sitar", said)
        self.assertNotIn("opened marimba", said)
        self.assertGreater(max(map(abs, live[0])), 1e-3)

    def test_without_notes_it_is_silent_and_after_a_panic(self):
        live, said = self.play("sistrum~ guitar", "knobs, presets, status")
        self.assertEqual(max(map(abs, live[0] + live[1])), 0)
        for words in ("info: knob action", "info: preset Palm", "info: voices 0"):
            self.assertIn(words, said)
        live, _ = self.play("sistrum~ guitar -offline", "note 50 100", ((200, "panic"),))
        middle = len(live[0]) // 2
        self.assertGreater(max(map(abs, live[0][:middle])), 1e-3)
        self.assertLess(max(map(abs, live[0][middle:])), 1e-4)  # the DC blocker forgets slowly
        self.assertLessEqual(max(map(abs, live[0])), 1)

    def test_signals_move_inputs(self):
        message, _ = self.play("sistrum~ guitar -raw -offline mute 1", "note 50 100")
        signal, _ = self.play("sistrum~ guitar -raw -offline -signals mute", "note 50 100", signal=1)
        plain, _ = self.play("sistrum~ guitar -raw -offline -signals mute", "note 50 100")
        energy = [sum(v * v for v in sound[0][9600:]) for sound in (message, signal, plain)]
        self.assertLess(energy[1], 0.1 * energy[2])
        self.assertLess(abs(energy[1] - energy[0]), 0.5 * energy[0])

    def onset(self, reblock):
        live, _ = self.play("sistrum~ tanpura -raw -offline", "status", ((30.5, "note 50 100"),), reblock=reblock)
        return next(i for i, value in enumerate(live[0]) if value)

    def test_messages_keep_their_frame_where_a_patch_is_oversampled(self):
        self.assertAlmostEqual(self.onset("4096 1 4") - 4 * self.onset("1024"), 0, delta=8)  # the grid differs

    def test_a_rate_that_cannot_be_is_told_and_silent(self):
        live, said = self.play("sistrum~ guitar -offline", "note 50 100", reblock="64 1 16")
        self.assertIn("the rate must be 8000 .. 384000 Hz, not 768000", said)
        self.assertEqual(max(map(abs, live[0])), 0)

    def test_presets(self):
        tone = [self.play("sistrum~ marimba -raw -offline", first, ((100, "note 57 100"),))[0] for first in ("preset Soft yarn", "status")]
        self.assertNotEqual(tone[0][0], tone[1][0])

    def test_what_cannot_be_is_told_and_the_scene_plays_on(self):
        with open(self.path("wrong.lua"), "w", encoding="ascii") as file:
            file.write("\nmass{ mas = 1 }\n")
        live, said = self.play("sistrum~ guitar -offline", "open wrong, open nowhere, open wrong.lua, nothing 3, knob nothing 3, preset Nothing, note 50 100")
        for words in ("wrong.lua:2: mass: unknown key 'mas' (did you mean 'mass'?)", "there is no scene 'nowhere'", "'nothing' is neither a message",
                      "the scene has no knob 'nothing'", "the scene has no preset 'Nothing'"):
            self.assertIn("error: sistrum~: ", said)
            self.assertIn(words, said)
        self.assertGreater(max(map(abs, live[0])), 1e-3)
        _, said = self.play("sistrum~ nowhere -colour")
        self.assertIn("there is no scene 'nowhere'", said)
        self.assertIn("'-colour' is neither", said)

    def test_what_is_no_note_is_told_and_not_played(self):
        for message in ("note x 100", "note 60 x", "note 60", "note 128 1", "note 60 100 0", "midi 144 x 100", "midi 144 300 100", "144 60 256"):
            sound, said = self.play("sistrum~ guitar -offline -raw", message)
            self.assertIn("note needs" if message[0] == "n" else "midi needs", said, message)
            self.assertEqual(max(map(abs, sound[0])), 0, message)

    def test_the_scenes_of_its_own_tree_are_found(self):
        _, said = self.play("sistrum~ -offline", "open guitar", scenes=False)
        self.assertIn("info: opened guitar", said)

    def test_it_exports_its_setup_only(self):
        listed = subprocess.run(["nm", "-D", "--defined-only", os.path.join(OBJECT, "sistrum~.pd_linux")], capture_output=True, text=True, check=True)
        self.assertEqual([line.split()[-1] for line in listed.stdout.splitlines()], ["sistrum_tilde_setup"])

    def test_the_help_patch_opens(self):
        for file in ("sistrum~-help.pd",):
            done = subprocess.run(["pd", "-nogui", "-noaudio", "-batch", "-noprefs", "-r", str(RATE), "-path", OBJECT, "-stderr", "-open", os.path.join(SOURCE, "pd", file),
                                   "-send", "pd quit"], env=dict(os.environ, SISTRUM_SCENES=os.path.join(SOURCE, "scenes")), capture_output=True, text=True, timeout=60, check=False)
            self.assertNotIn("couldn't create", done.stderr)
            self.assertNotIn("connection failed", done.stderr)
            self.assertNotIn("error", done.stderr)


if __name__ == "__main__":
    done = unittest.main(argv=sys.argv[:1] + sys.argv[3:], exit=False, verbosity=1).result
    failed = len(done.failures) + len(done.errors)
    print("pd: %d passed, %d failed" % (done.testsRun - failed, failed))
    sys.exit(failed > 0)
