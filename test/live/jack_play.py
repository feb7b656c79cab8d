"""`sistrum play` under a sound server that nobody hears: jackd with its dummy driver, PipeWire, PortAudio through JACK.

Each line is one check; the last line counts them. Run by tools/live_test_play.sh, which sets SISTRUM (the program),
JACK_CLIENT (test/live/jack_client.c, compiled) and SISTRUM_SOURCE.
"""

import array
import os
import pty
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time

PROGRAM = os.environ["SISTRUM"]
CLIENT = os.environ["JACK_CLIENT"]
SERVER = "sistrum-test-%d" % os.getpid()
RATE = 48000
counts = {"passed": 0, "failed": 0}
skipped = []


def check(sentence, fine, why=""):
    counts["passed" if fine else "failed"] += 1
    print("%s  %s%s" % ("ok    " if fine else "FAILED", sentence, "" if fine else ": " + str(why)), flush=True)


def skip(what, why):
    skipped.append(what)
    print("skipped %s: %s" % (what, why), flush=True)


# ---------------------------------------------------------------------------- processes

class Server:
    """jackd -d dummy."""

    def __init__(self, rate=RATE, period=256):
        self.process = subprocess.Popen(["jackd", "-r", "-n", SERVER, "-d", "dummy", "-r", str(rate), "-p", str(period)],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        environment = dict(os.environ, JACK_DEFAULT_SERVER=SERVER)
        for _ in range(100):
            done = subprocess.run(["jack_lsp"], env=environment, capture_output=True, check=False)
            if done.returncode == 0 and b"playback_1" in done.stdout:
                break
            time.sleep(0.1)

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Play:
    """sistrum play --no-view, and a pair of pipes."""

    def __init__(self, *arguments, prefix=(), environment=None):
        self.process = subprocess.Popen([*prefix, PROGRAM, "play", *arguments, "--no-view"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1,
                                        env=dict(os.environ, JACK_DEFAULT_SERVER=SERVER, **(environment or {})))
        self.said, self.wrong = [], []
        self.threads = [threading.Thread(target=self.read, args=pair, daemon=True)
                        for pair in ((self.process.stdout, self.said), (self.process.stderr, self.wrong))]
        for thread in self.threads:
            thread.start()

    def read(self, stream, into):
        for line in stream:
            into.append(line.rstrip("\n"))

    def tell(self, *lines):
        try:
            for line in lines:
                self.process.stdin.write(line + "\n")
        except BrokenPipeError:
            pass

    def wait_for(self, pattern, seconds=15, wrong=False):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for line in self.wrong if wrong else self.said:
                if re.search(pattern, line):
                    return line
            time.sleep(0.02)
        return None

    def status(self):
        before = len(self.said)
        self.tell("status")
        end = time.monotonic() + 15
        while time.monotonic() < end:
            for line in self.said[before:]:
                if line.startswith("time="):
                    return dict(part.split("=", 1) for part in line.split())
            time.sleep(0.02)
        return {}

    def end(self):
        self.tell("quit")
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        for thread in self.threads:
            thread.join(5)
        return self.process.returncode


# ---------------------------------------------------------------------------- events

def song():
    """Chords, bends, pressure and pedals: (frame, bytes), at frames that no block begins with."""
    events = []

    def at(seconds, *message):
        events.append((round(seconds * RATE) + 37, bytes(message)))

    for i, key in enumerate((45, 52, 57, 60)): # a chord, broken
        at(0.1 + 0.013 * i, 0x90, key, 40 + 20 * i)
    at(0.4, 0xb0, 64, 127)
    for key in (45, 52, 57, 60):
        at(0.5, 0x80, key, 0)
    for i in range(20): # a bend on a note under the pedal
        value = 8192 + 300 * i
        at(0.55 + 0.01 * i, 0xe0, value & 127, value >> 7)
    at(0.6, 0x90, 64, 110)
    for i in range(16):
        at(0.7 + 0.01 * i, 0xd0, 8 * i)
    at(0.9, 0xb0, 64, 0)
    at(1.0, 0x80, 64, 0)
    at(1.05, 0xe0, 0, 64)
    at(1.1, 0xb0, 1, 90)
    at(1.2, 0x90, 48, 127)
    at(1.6, 0x80, 48, 0)
    return sorted(events, key=lambda event: event[0])


def write_events(path, events):
    with open(path, "w", encoding="ascii") as file:
        for frame, message in events:
            file.write("%d %s\n" % (frame, " ".join("%02x" % byte for byte in message)))


def number(value):
    parts = [value & 127]
    while value > 127:
        value >>= 7
        parts.insert(0, 128 | (value & 127))
    return bytes(parts)


def write_midi(path, events, rate=RATE):
    """A tick a frame: rate/2 ticks a quarter of half a second."""
    track, now = number(0) + b"\xff\x51\x03" + struct.pack(">I", 500000)[1:], 0
    for frame, message in events:
        track += number(frame - now) + message
        now = frame
    track += number(0) + b"\xff\x2f\x00"
    with open(path, "wb") as file:
        file.write(b"MThd" + struct.pack(">IHHH", 6, 0, 1, rate // 2) + b"MTrk" + struct.pack(">I", len(track)) + track)


def read_floats(path):
    values = array.array("f")
    with open(path, "rb") as file:
        values.frombytes(file.read())
    return values


def read_wav(path):
    with open(path, "rb") as file:
        raw = file.read()
    at = 12
    while raw[at:at + 4] != b"data":
        at += 8 + struct.unpack("<I", raw[at + 4:at + 8])[0]
    values = array.array("f")
    values.frombytes(raw[at + 8:at + 8 + struct.unpack("<I", raw[at + 4:at + 8])[0]])
    return values


def differ(heard, wanted):
    """None where they agree as far as both go, and what is beyond is silence; else where they part."""
    count = min(len(heard), len(wanted))
    if heard[:count].tobytes() == wanted[:count].tobytes():
        rest = max((abs(x) for x in heard[count:]), default=0)
        return None if rest == 0 or len(wanted) >= len(heard) else "sound goes on: %g" % rest
    where = next(i for i in range(count) if heard[i] != wanted[i])
    most = max(abs(a - b) for a, b in zip(heard, wanted))
    return "frame %d: %.9g, not %.9g; largest difference %.3g" % (where // 2, heard[where], wanted[where], most)


EXACT = ("--no-guard", "--no-limiter", "--no-dc", "--normalise", "off")


# ---------------------------------------------------------------------------- checks

def check_freewheel(folder, scene):
    events, frames = song(), 2 * RATE
    write_events(os.path.join(folder, "events"), events)
    midi, wav, heard = (os.path.join(folder, scene + end) for end in (".mid", ".wav", ".f32"))
    write_midi(midi, events)
    subprocess.run([PROGRAM, "render", scene, "--midi", midi, "-o", wav, "--normalise", "off", "--bits", "32f", "--rate",
                    str(RATE), "--quiet"], check=True)
    take, notes = os.path.join(folder, scene + "-take.wav"), os.path.join(folder, scene + "-take.mid")
    play = Play(scene, "--driver", "jack", *EXACT, "--record", take, "--record-notes", notes)
    ready = play.wait_for("^playing")
    done = subprocess.run([CLIENT, os.path.join(folder, "events"), heard, str(frames), "freewheel"],
                          env=dict(os.environ, JACK_DEFAULT_SERVER=SERVER), capture_output=True, check=False)
    status = play.status()
    code = play.end()
    check("%s: plays under jackd and ends" % scene, ready and code == 0, (ready, code, play.wrong))
    check("%s: nothing is said on standard error" % scene, not play.wrong, play.wrong)
    check("%s: the listener heard all frames in freewheel" % scene, done.returncode == 0, done.stderr)
    if done.returncode == 0:
        sound = read_floats(heard)
        check("%s: it sounds" % scene, max(map(abs, sound)) > 0)
        wrong = differ(sound, read_wav(wav))
        check("%s: chords, bends, pressure and pedal in freewheel are the offline render, bit by bit" % scene,
              wrong is None, wrong)
    check("%s: no event is wrong, no voice fails" % scene, status.get("wrong") == "0" and status.get("failed") == "0",
          status)
    again = os.path.join(folder, scene + "-again.wav")
    subprocess.run([PROGRAM, "render", scene, "--midi", notes, "-o", again, "--normalise", "off", "--bits", "32f",
                    "--rate", str(RATE), "--quiet"], check=True)
    wrong = differ(read_wav(take), read_wav(again))
    check("%s: the recorded sound is the render of the recorded notes, bit by bit" % scene, wrong is None, wrong)


# A ball on a spring that sound pushes against a wall: at rest until it comes.
EFFECT = """
local push = input { "push", 0, min = -2, max = 2, unit = "N" }
local m = mass { mass = 0.01, frequency = 300, damping = 30 }
contact { above = m, below = barrier { height = -1e-6 }, K = 1e6, alpha = 1.5 }
force { on = m, shape = "constant", peak = push }
probe { on = m, quantity = "velocity" }
render { rate = 48000, duration = 1 }
play { sound = "push" }
"""


def check_effect(folder, name):
    """Sound from another program through a scene, against render --sound."""
    own = name == "effect.lua"
    scene = os.path.join(folder, name) if own else name
    if own:
        with open(scene, "w", encoding="ascii") as file:
            file.write(EFFECT)
    # The first step of a render starts from rest, here it has been at rest: no sound at first.
    state, sung = 1, array.array("f", [0] * 100)
    for n in range(RATE // 2): # noise that decays, five times
        state = (state * 1103515245 + 12345) % 2**31
        sung.append((state / 2**30 - 1) * 0.5 * 0.9995 ** (n % 4800))
    raw, wav, heard, events = (os.path.join(folder, name) for name in ("in.f32", "in.wav", "effect.f32", "none"))
    with open(raw, "wb") as file:
        sung.tofile(file)
    with open(events, "w", encoding="ascii"):
        pass
    data = sung.tobytes()
    with open(wav, "wb") as file:
        file.write(b"RIFF" + struct.pack("<I", 36 + len(data)) + b"WAVEfmt " +
                   struct.pack("<IHHIIHH", 16, 3, 1, RATE, RATE * 4, 4, 32) + b"data" + struct.pack("<I", len(data)) + data)
    subprocess.run([PROGRAM, "render", scene, "--sound", wav, "-o", os.path.join(folder, "effect.wav"), "--normalise",
                    "off", "--bits", "32f", "--rate", str(RATE), "--duration", "1", "--quiet"], check=True)
    play = Play(scene, "--driver", "jack", *EXACT)
    play.wait_for("^playing")
    ports = subprocess.run(["jack_lsp"], env=dict(os.environ, JACK_DEFAULT_SERVER=SERVER), capture_output=True,
                           text=True, check=False).stdout
    check("%s: a scene that takes sound has inputs" % name, "sistrum:in_1" in ports, ports)
    done = subprocess.run([CLIENT, events, heard, str(RATE), "freewheel", raw],
                          env=dict(os.environ, JACK_DEFAULT_SERVER=SERVER), capture_output=True, check=False)
    play.end()
    sound = read_floats(heard) if done.returncode == 0 else array.array("f", [0])
    check("%s: sound from outside is heard through it" % name, max(map(abs, sound)) > 0, done.stderr)
    if not own: # it rings from its start
        return
    with open(os.path.join(folder, "effect.wav"), "rb") as file:
        channels = struct.unpack("<H", file.read()[22:24])[0]
    wanted = read_wav(os.path.join(folder, "effect.wav"))
    if channels == 1:
        wanted = array.array("f", [value for value in wanted for _ in range(2)])
    wrong = differ(sound, wanted)
    check("%s: and is that of render --sound, bit by bit" % name, wrong is None, wrong)


def check_rates(server, folder):
    """Servers that come and go: the scene has a grid that one of them is too slow for."""
    path = os.path.join(folder, "fine.lua")
    with open(path, "w", encoding="ascii") as file:
        file.write("local f0 = param{ 'f0', 220, min = 110, max = 440, unit = 'Hz' } local s = string{ length = 1, frequency = f0, density = 1e-3, "
                   "segments = 200 } pluck{ on = s, at = 0.3, height = 1e-3 } probe{ on = s, at = 0.4 } play{ pitch = 'f0' }\n")
    server.stop()
    server = Server(192000)
    play = Play(path, "--driver", "jack")
    play.wait_for("^playing")
    server.stop()
    server = Server(48000)
    play.wait_for("cannot be stable at 48000 steps per second", wrong=True)
    time.sleep(2)
    said = [line for line in play.wrong if "cannot be stable" in line]
    check("a rate that a scene cannot be played at is told once", len(said) == 1, play.wrong)
    server.stop()
    server = Server(192000)
    play.wait_for("jack is back")
    play.tell("note A3 100", "wait 0.5")
    status = play.status()
    check("it plays on when the server has another one", status.get("rate") == "192000" and float(status["peak"].split(",")[0]) > 1e-4, status)
    play.end()
    return server


def check_server(server):
    play = Play("guitar", "--driver", "jack", "--prepare", "100")
    play.wait_for("^playing")
    environment = dict(os.environ, JACK_DEFAULT_SERVER=SERVER)
    links = subprocess.run(["jack_lsp", "-c"], env=environment, capture_output=True, text=True, check=False).stdout
    check("outputs are joined to the device", "sistrum:out_1\n   system:playback_1" in links, links)
    play.tell("note C3 100", "wait 0.5")
    status = play.status()
    check("a note sounds in real time", float(status.get("peak", "0,0").split(",")[0]) > 1e-4, status)
    subprocess.run([CLIENT, "period", "1024"], env=environment, check=False)
    play.tell("note E3 100", "wait 1")
    status = play.status()
    check("the server changes its period and the sound goes on",
          status.get("period") == "1024" and float(status["peak"].split(",")[0]) > 1e-4, status)
    subprocess.run([CLIENT, "period", "64"], env=environment, check=False)
    play.tell("wait 0.5")
    check("and back to a short one", play.status().get("period") == "64")
    time_before, begun = float(play.status()["time"]), time.monotonic()
    server.stop()
    check("the server goes: it is told, and the program waits", play.wait_for("jack has gone", wrong=True), play.wrong)
    server = Server(16000, 512)
    check("the server is back, with another rate, for which the scene is compiled",
          play.wait_for("jack is back: 16000 Hz, 512 frames"), (play.said, play.wrong))
    play.tell("note G3 100", "wait 0.5")
    status = play.status()
    played, passed = float(status["time"]) - time_before, time.monotonic() - begun
    check("time goes on", 0.4 < played < passed, (played, passed))
    check("a note sounds again", status.get("rate") == "16000" and float(status["peak"].split(",")[0]) > 1e-4, status)
    links = subprocess.run(["jack_lsp", "-c"], env=environment, capture_output=True, text=True, check=False).stdout
    check("outputs are joined again", "sistrum:out_1\n   system:playback_1" in links, links)
    check("it ends as asked", play.end() == 0, play.wrong)
    done = subprocess.run([PROGRAM, "play", "guitar", "--rate", "48000"], env=environment, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, check=False)
    check("a rate that the server does not have is refused in one sentence",
          done.returncode == 2 and "16000 Hz" in done.stderr and done.stderr.count("\n") == 1, done)
    return server


def check_hotplug():
    """A MIDI port that comes while it plays, wanted by its name."""
    play = Play("guitar", "--driver", "jack", "--midi", "TEST_play")
    play.wait_for("^playing")
    with tempfile.TemporaryDirectory() as folder:
        events = os.path.join(folder, "events")
        write_events(events, [(20000, b"\x90\x30\x64")])
        done = subprocess.run([CLIENT, events, os.path.join(folder, "out"), "60000", "live"],
                              env=dict(os.environ, JACK_DEFAULT_SERVER=SERVER), capture_output=True, check=False)
        heard = read_floats(os.path.join(folder, "out")) if done.returncode == 0 else [0]
    check("a MIDI port that comes later is joined by its name, and its note is heard", max(map(abs, heard)) > 1e-4, done.stderr)
    play.end()
    environment = dict(os.environ, JACK_DEFAULT_SERVER=SERVER)
    play = Play("guitar", "--driver", "jack", "--connect", "no")
    play.wait_for("^playing")
    links = subprocess.run(["jack_lsp", "-c"], env=environment, capture_output=True, text=True, check=False).stdout
    check("--connect no joins nothing", "sistrum:out_1\n   system" not in links, links)
    play.end()


def check_stop():
    """Stopped for so long that the server gives it up, then let go on."""
    play = Play("guitar", "--driver", "jack")
    play.wait_for("^playing")
    play.process.send_signal(19)
    time.sleep(2)
    play.process.send_signal(18)
    play.tell("note C3 100", "wait 2", "note C3 100", "wait 0.5")
    status = play.status()
    check("stopped and continued, it plays on", float(status.get("peak", "0,0").split(",")[0]) > 1e-4,
          (status, play.said, play.wrong))
    play.end()


def check_stop_by_key():
    """Ctrl-Z: a server waits for a client that stands still, and so would every other client."""
    terminal, other = pty.openpty()
    process = subprocess.Popen([PROGRAM, "play", "guitar", "--driver", "jack"], stdin=other, stdout=other, stderr=other,
                               start_new_session=True, env=dict(os.environ, JACK_DEFAULT_SERVER=SERVER, TERM="xterm"))
    os.close(other)
    threading.Thread(target=drain, args=(terminal,), daemon=True).start()
    there = wait_for_port("sistrum:out_1", True)
    while process.poll() is None and termios.tcgetattr(terminal)[3] & termios.ICANON:
        time.sleep(0.02) # the view comes after the ports
    os.write(terminal, b"\x1a")
    gone = wait_for_port("sistrum:out_1", False)
    check("Ctrl-Z lets go of the server, and others do not wait", there and gone, (there, gone))
    process.send_signal(18)
    check("continued, it is there again", wait_for_port("sistrum:out_1", True))
    process.terminate()
    check("and ends by a signal", process.wait(20) == -15)
    os.close(terminal)


def drain(terminal):
    try:
        while os.read(terminal, 65536):
            pass
    except OSError:
        pass


def wait_for_port(name, wanted, seconds=10):
    """Whether a port comes, or goes; a server that does not answer is neither."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            done = subprocess.run(["jack_lsp"], env=dict(os.environ, JACK_DEFAULT_SERVER=SERVER), capture_output=True,
                                  text=True, timeout=5, check=False)
        except subprocess.TimeoutExpired:
            return False
        if done.returncode == 0 and (name in done.stdout) == wanted:
            return True
        time.sleep(0.1)
    return False


def check_portaudio(server):
    """Returns the server that runs afterwards."""
    listed = subprocess.run([PROGRAM, "play", "--list"], env=dict(os.environ, JACK_DEFAULT_SERVER=SERVER),
                            capture_output=True, text=True, check=False)
    check("--list names server, ports and devices in silence",
          "system:playback_1" in listed.stdout and not listed.stderr and listed.returncode == 0, listed)
    if "portaudio: not built in" in listed.stdout:
        skip("PortAudio", "not built in")
        return server
    if "no devices" in listed.stdout:
        skip("PortAudio through jackd", "PortAudio finds no device")
        return server
    play = Play("guitar", "--driver", "portaudio")
    ready = play.wait_for("^playing.*portaudio")
    play.tell("note C3 100", "wait 1")
    status = play.status()
    code = play.end()
    check("PortAudio plays through jackd", ready and float(status.get("peak", "0,0").split(",")[0]) > 1e-4,
          (status, play.said, play.wrong))
    check("PortAudio ends, and nothing is said on standard error", code == 0 and not play.wrong, (code, play.wrong))
    play = Play("guitar", "--driver", "portaudio")
    play.wait_for("^playing.*portaudio")
    server.process.kill()
    server.stop()
    check("PortAudio's server is killed: it is told", play.wait_for("portaudio has gone", wrong=True), play.wrong)
    server = Server(44100, 512)
    check("its server is back, and so is PortAudio", play.wait_for("portaudio is back", 30), (play.said, play.wrong))
    play.tell("note G3 100", "wait 0.5")
    status = play.status()
    check("a note sounds there", status.get("rate") == "44100" and float(status["peak"].split(",")[0]) > 1e-4, status)
    server.process.kill()
    server.stop()
    check("it ends at once though the server has gone", play.end() == 0, play.wrong)
    return Server()


def check_pipewire():
    if not shutil.which("pipewire") or not shutil.which("pw-jack"):
        return skip("PipeWire", "pipewire and pw-jack are not installed")
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o700)
        environment = {"XDG_RUNTIME_DIR": folder}
        server = subprocess.Popen(["pipewire"], env=dict(os.environ, **environment), stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL)
        for _ in range(50):
            if os.path.exists(os.path.join(folder, "pipewire-0")):
                break
            time.sleep(0.1)
        play = Play("guitar", "--driver", "jack", "--connect", "no", prefix=("pw-jack",), environment=environment)
        ready = play.wait_for("^playing")
        play.tell("note C3 100", "wait 1.5")
        status = play.status()
        code = play.end()
        server.terminate()
        server.wait()
    if not ready:
        return skip("PipeWire", "no server without a session: " + "; ".join(play.wrong))
    check("PipeWire serves as JACK", code == 0 and float(status.get("time", 0)) > 0.5 and not play.wrong,
          (code, status, play.said, play.wrong))
    return None


def main():
    if not shutil.which("jackd"):
        skip("JACK", "jackd is not installed")
        print("0 passed, 0 failed")
        return 0
    with tempfile.TemporaryDirectory(prefix="sistrum-live-") as folder:
        server = Server()
        try:
            for scene in sys.argv[1:] or ("guitar", "felt_piano", "slide_guitar", "tanpura"):
                check_freewheel(folder, scene)
            check_effect(folder, "effect.lua")
            check_effect(folder, "resonator")
            check_hotplug()
            check_stop()
            check_stop_by_key()
            server = check_portaudio(server)
            server = check_server(server)
            server = check_rates(server, folder)
        finally:
            server.stop()
        check_pipewire()
    print("%d passed, %d failed%s" % (counts["passed"], counts["failed"],
                                      "; skipped: " + ", ".join(skipped) if skipped else ""))
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
