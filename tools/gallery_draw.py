"""What the gallery draws: waveform, spectrogram and energy as small pictures without text. The page puts the numbers
beside them, so that they stay readable at any width."""

import struct
import zlib

import numpy as np

WIDTH = 800  # columns: more than a phone has, enough for a screen

# ---------------------------------------------------------------------------- sound


def read_wav(path):
    """Rate and samples [frame][channel] of a WAV of 32-bit floats."""
    with open(path, "rb") as file:
        raw = file.read()
    if raw[:4] != b"RIFF" or raw[8:12] != b"WAVE":
        raise ValueError(path + " is not a WAV file")
    place, form, data = 12, None, None
    while place + 8 <= len(raw):
        name, size = raw[place:place + 4], struct.unpack_from("<I", raw, place + 4)[0]
        if name == b"fmt ":
            form = struct.unpack_from("<HHIIHH", raw, place + 8)
        if name == b"data":
            data = raw[place + 8:place + 8 + size]
        place += 8 + size + size % 2
    if not form or data is None or form[0] != 3 or form[5] != 32:
        raise ValueError(path + " does not hold 32-bit floats")
    return form[2], np.frombuffer(data, "<f4").reshape(-1, form[1]).astype(float)


def edges(count, columns):
    """Where `columns` columns begin and end among `count` samples: at least one sample each."""
    first = np.arange(columns) * count // columns
    return first, np.maximum(first + 1, (np.arange(columns) + 1) * count // columns)


def outline(signal, columns=WIDTH):
    """Lowest and highest sample of every column."""
    columns = min(columns, len(signal))
    first, last = edges(len(signal), columns)
    low = np.array([signal[a:b].min() for a, b in zip(first, last)])
    high = np.array([signal[a:b].max() for a, b in zip(first, last)])
    return low, high


def area(x, upper, lower):
    """The path of an area between two curves."""
    def points(xs, ys):
        return "L".join("%g,%g" % (round(a, 1), round(b, 1)) for a, b in zip(xs, ys))
    return "M%sL%sZ" % (points(x, upper), points(x[::-1], lower[::-1]))


def waveform(sound, columns=WIDTH, height=100):
    """One SVG: the channels below each other, each scaled by the largest of all."""
    peak = np.abs(sound).max() or 1.0
    room = height / sound.shape[1]
    parts = []
    for c in range(sound.shape[1]):
        low, high = outline(sound[:, c], columns)
        x = (np.arange(len(low)) + 0.5) * (WIDTH / len(low))
        middle = (c + 0.5) * room
        top, bottom = middle - high / peak * room * 0.48, middle - low / peak * room * 0.48
        parts.append('<path d="%s"/>' % area(x, top - 0.2, bottom + 0.2))  # silence is a line too
    return ('<svg class="wave" viewBox="0 0 %d %d" preserveAspectRatio="none" aria-hidden="true">%s</svg>' %
            (WIDTH, height, "".join(parts)))


# ---------------------------------------------------------------------------- spectrogram

LOW, HIGH = 40.0, 16000.0  # Hz, of the logarithmic axis
RANGE = 84.0  # dB below the loudest
ROWS = 200


def levels(signal, size, columns):
    """|X| of windows of `size` samples around the middle of every column: [frequency][column]. At the ends the window stays
    inside: that the sound is cut there is not part of it."""
    if len(signal) < size:
        signal = np.pad(signal, (size - len(signal) + 1) // 2)
    starts = ((np.arange(columns) + 0.5) * len(signal) / columns).astype(int) - size // 2
    window = np.hanning(size)
    frames = np.lib.stride_tricks.sliding_window_view(signal, size)
    starts = np.clip(starts, 0, len(signal) - size)
    found = [np.abs(np.fft.rfft(frames[starts[i:i + 50]] * window)) for i in range(0, columns, 50)]  # fits the cache
    return np.concatenate(found).T / window.sum()


def spectrogram(sound, rate, columns=WIDTH, rows=ROWS):
    """dB below the loudest, [row][column], the top row the highest pitch. Low pitches are seen through long windows and high
    ones through short ones, as the ear does."""
    signal = sound.sum(axis=1)
    signal = signal - signal.mean()
    pitch = np.geomspace(HIGH, LOW, rows)
    picture = np.zeros((rows, columns))
    for octave in range(7):
        size = 64 * max(1, round(0.19 * 2 ** (-octave / 2) * rate / 64))  # s: 0.19 at 100 Hz, 0.024 at 6400 Hz
        found = levels(signal, size, columns)
        place = np.minimum(pitch * size / rate, len(found) - 1.001)
        below = place.astype(int)
        part = (place - below)[:, None]
        away = np.clip(np.log2(pitch / 100.0), 0, 6) - octave
        share = np.maximum(0, 1 - np.abs(away))[:, None]
        picture += share * ((1 - part) * found[below] + part * found[below + 1])
    picture[pitch > rate / 2] = 0
    loudest = picture.max()
    return 20 * np.log10(np.maximum(picture / loudest, 1e-9)) if loudest > 0 else np.full(picture.shape, -180.0)


# From nothing to loud on paper; a dark page turns it round.
RAMP = [(0, (255, 253, 248, 0)), (0.25, (250, 224, 178, 150)), (0.5, (233, 155, 66, 255)), (0.72, (184, 73, 32, 255)),
        (0.88, (104, 24, 38, 255)), (1, (28, 8, 24, 255))]


def png(indices, ramp=None, count=48):
    """A PNG with a palette of `count` steps of the ramp; few steps pack well and cannot be told from many."""
    at, colours = zip(*(ramp or RAMP))
    steps = np.linspace(0, 1, count)
    table = np.stack([np.interp(steps, at, [c[i] for c in colours]) for i in range(4)], axis=1).round().astype(np.uint8)
    height, width = indices.shape
    lines = np.zeros((height, width + 1), np.uint8)
    lines[:, 1:] = indices

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)) +
            chunk(b"PLTE", table[:, :3].tobytes()) + chunk(b"tRNS", table[:, 3].tobytes()) +
            chunk(b"IDAT", zlib.compress(lines.tobytes(), 9)) + chunk(b"IEND", b""))


def spectrogram_png(sound, rate, count=48):
    level = np.clip(1 + spectrogram(sound, rate) / RANGE, 0, 1)
    return png((level * (count - 1)).round().astype(np.uint8), count=count)


def pitch_marks():
    """(label, fraction from the top) of the lines beside a spectrogram."""
    span = np.log(HIGH / LOW)
    return [(name, float(np.log(HIGH / f) / span)) for f, name in ((10000, "10 kHz"), (1000, "1 kHz"), (100, "100 Hz"))]


# ---------------------------------------------------------------------------- energy

STACK = ("kinetic", "elastic", "contact", "dissipated")


def energy_plot(energies, height=120):
    """One SVG and the largest number on its axis, J: where the energy is, stacked, and above it the line of what was there or
    was supplied. `energies` is a dict of equally long means over columns; they must meet."""
    count = len(energies["total"])
    x = (np.arange(count) + 0.5) * (WIDTH / count)
    given = energies["total"][0] + energies["dissipated"][0] - energies["supplied"][0] + energies["supplied"]
    top = max(given.max(), sum(energies[k] for k in STACK).max())
    if not top > 0:
        return '<svg class="energy" viewBox="0 0 %d %d"></svg>' % (WIDTH, height), 0.0
    base, parts = np.zeros(count), []
    for name in STACK:
        upper = base + np.maximum(energies[name], 0)
        parts.append('<path class="%s" d="%s"/>' % (name, area(x, height * (1 - upper / top), height * (1 - base / top))))
        base = upper
    line = "L".join("%g,%g" % (round(a, 1), round(b, 1)) for a, b in zip(x, height * (1 - given / top)))
    parts.append('<path class="given" d="M%s"/>' % line)
    return ('<svg class="energy" viewBox="0 -2 %d %d" preserveAspectRatio="none" aria-hidden="true">%s</svg>' %
            (WIDTH, height + 2, "".join(parts))), float(top)
