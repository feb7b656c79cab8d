#!/usr/bin/python3
"""Pictures of the view of `sistrum play`, for docs/live.md: runs a command in a terminal of its own, types keys, and
draws what the screen shows. Needs python3-pyte and python3-pil.

  tools/terminal.py OUT.png [--size 80x24] [--keys "z|wait 0.5|\\x1b[C"] [--shows TEXT] -- COMMAND ...
"""

import argparse
import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time

FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSansMono%s.ttf"
COLOURS = {"default": "#d8dee9", "red": "#e06c75", "green": "#98c379", "brown": "#e5c07b", "yellow": "#e5c07b",
           "cyan": "#56b6c2", "black": "#21252b", "blue": "#61afef", "magenta": "#c678dd", "white": "#ffffff"}
PAPER, FAINT = "#1b1e24", "#868c98"


def run(command, columns, rows, keys, environment):
    """What the screen shows after the keys, as a pyte screen, and every byte that came."""
    import pyte
    screen = pyte.Screen(columns, rows)
    stream = pyte.ByteStream(screen)
    child, master = pty.fork()
    if child == 0:
        os.environ.update(environment)
        os.execvp(command[0], command)
    fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    said = b""

    def read_for(seconds):
        nonlocal said
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if select.select([master], [], [], 0.02)[0]:
                try:
                    data = os.read(master, 65536)
                except OSError:
                    return
                said += data
                # pyte knows no faint characters: italics stand for them.
                stream.feed(data.replace(b"\033[0;2m", b"\033[0;3m").replace(b"\033[?2026h", b"")
                            .replace(b"\033[?2026l", b"").replace(b"\033[?u", b""))
    read_for(1.0)
    for key in keys:
        if key.startswith("wait "):
            read_for(float(key[5:]))
        else:
            os.write(master, key.encode().decode("unicode_escape").encode("latin-1"))
            read_for(0.1)
    read_for(0.2)
    os.kill(child, signal.SIGTERM)
    lines = {row: dict(screen.buffer[row]) for row in range(rows)}
    try:
        os.waitpid(child, 0)
    except ChildProcessError:
        pass
    os.close(master)
    return lines, said


def draw(lines, columns, rows, path):
    from PIL import Image, ImageDraw, ImageFont
    size = 15
    plain = ImageFont.truetype(FONT % "", size)
    bold = ImageFont.truetype(FONT % "-Bold", size)
    width, height, edge = plain.getlength("M"), 19, 10
    picture = Image.new("RGB", (int(columns * width) + 2 * edge, rows * height + 2 * edge), PAPER)
    pen = ImageDraw.Draw(picture)
    for row in range(rows):
        for column, cell in lines[row].items():
            ink = COLOURS.get(cell.fg, COLOURS["default"])
            paper = PAPER
            if cell.italics:
                ink = FAINT
            if cell.reverse:
                ink, paper = PAPER, ink
            x, y = edge + column * width, edge + row * height
            if paper != PAPER:
                pen.rectangle([x, y, x + width, y + height], fill=paper)
            eighths = 0x2590 - ord(cell.data)
            if 1 <= eighths <= 8: # blocks without seams
                pen.rectangle([x, y + 2, x + width * eighths / 8, y + height - 3], fill=ink)
                continue
            pen.text((x, y), cell.data, fill=ink, font=bold if cell.bold else plain)
    picture.quantize(32).save(path, optimize=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("--size", default="80x24")
    parser.add_argument("--keys", default="")
    parser.add_argument("--set", action="append", default=[], help="NAME=VALUE of the environment")
    parser.add_argument("--shows", action="append", default=[], help="what the screen must have: else it is tried again")
    parser.add_argument("--tries", type=int, default=8)
    parser.add_argument("command", nargs="+")
    ask = parser.parse_args()
    columns, rows = map(int, ask.size.split("x"))
    environment = {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
    environment.update(one.split("=", 1) for one in ask.set)
    for _ in range(ask.tries):
        lines, _ = run(ask.command, columns, rows, [k for k in ask.keys.split("|") if k], environment)
        text = "\n".join("".join(lines[row][c].data if c in lines[row] else " " for c in range(columns)).rstrip() for row in range(rows))
        if all(part in text for part in ask.shows):
            break
    else:
        sys.exit("%s: the screen does not show %s; the machine may be busy\n%s" % (ask.out, " and ".join(ask.shows), text))
    if ask.out == "-":
        print(text)
    else:
        draw(lines, columns, rows, ask.out)


if __name__ == "__main__":
    main()
