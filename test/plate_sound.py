#!/usr/bin/env python3
"""Plates and modal bodies as they sound: partials of clamped plates against the Ritz method, and the time in which partials fall
by 60 dB, from rendered sounds of plates that nobody chose. Usage: plate_sound.py path/to/sistrum"""

import math
import os
import subprocess
import tempfile

import numpy as np

from laws import check, end, program

chance = np.random.default_rng(20)


def between(low, high):
    return low * (high / low) ** chance.random()


def listen(folder, scene, rate, seconds):
    """What the first probe of a scene reads."""
    path, data = os.path.join(folder, "plate.lua"), os.path.join(folder, "out.npy")
    with open(path, "w", encoding="utf-8") as file:
        file.write(scene + f"render {{ rate = {rate}, duration = {seconds} }}\n")
    done = subprocess.run([program, "render", path, "--data", data, "--quiet"], capture_output=True, text=True, check=False)
    check(done.returncode == 0, done.stderr.strip())
    return np.load(data)[:, 0]


# ---------------------------------------------------------------------------- pitch


def ritz(size, kappa2, c2, order=16):
    """Frequencies of a clamped plate, Hz: (1 - x^2)^2 times Legendre polynomials along both sides."""
    legendre, polynomial = np.polynomial.legendre, np.polynomial.polynomial
    x, w = legendre.leggauss(48)
    held = polynomial.polymul([1, 0, -1], [1, 0, -1])
    shapes = [polynomial.polymul(held, legendre.leg2poly([0] * i + [1])) for i in range(order)]
    of = [np.array([polynomial.polyval(x, polynomial.polyder(s, d)) for s in shapes]) for d in range(3)]
    mass, slopes, bends = [(v * w) @ v.T for v in of]
    straight = np.linalg.inv(np.linalg.cholesky(mass))
    slopes, bends, one = straight @ slopes @ straight.T, straight @ bends @ straight.T, np.eye(order)
    a, b = 4 / size[0] ** 2, 4 / size[1] ** 2
    stiffness = kappa2 * (a * a * np.kron(bends, one) + 2 * a * b * np.kron(slopes, slopes) + b * b * np.kron(one, bends))
    stiffness += c2 * (a * np.kron(slopes, one) + b * np.kron(one, slopes))
    return np.sqrt(np.linalg.eigvalsh(stiffness)) / (2 * math.pi)


def peak_near(signal, rate, hz):
    """The frequency of the partial nearest to hz, from the phase that two windows differ by."""
    n, lag = len(signal) - 2048, 2048
    window = np.hanning(n)
    for _ in range(6):
        turn = np.exp(-2j * math.pi * hz * np.arange(n) / rate)
        one, two = np.sum(window * turn * signal[:n]), np.sum(window * turn * signal[lag:lag + n])
        hz += np.angle(two / one * np.exp(-2j * math.pi * hz * lag / rate)) * rate / (2 * math.pi * lag)
    return hz


def clamped_plates_ring_where_ritz_says(folder):
    worst = 0
    for rate in (44100, 48000):
        size = (between(0.35, 0.7), between(0.3, 0.6))
        thick, density, poisson = between(1e-3, 2.5e-3), between(600, 8000), 0.3
        youngs = density * between(1e7, 3e7)
        kappa2 = youngs * thick**2 / (12 * (1 - poisson**2) * density)
        exact = ritz(size, kappa2, 0)[:12]
        scene = (f"local p = plate {{ size = {{ {size[0]}, {size[1]} }}, thickness = {thick}, material_density = {density}, youngs = {youngs}, "
                 f"poisson = {poisson}, edge = \"clamped\" }}\n"
                 f"force {{ on = p, at = {{ {0.23 * size[0]}, {0.31 * size[1]} }}, peak = 1, width = 3e-4 }}\n"
                 f"probe {{ on = p, at = {{ {0.37 * size[0]}, {0.41 * size[1]} }}, quantity = \"velocity\" }}\n")
        signal = listen(folder, scene, rate, 1.5)[1000:]
        for i, hz in enumerate(exact[:10]):
            gaps = [abs(hz - other) for j, other in enumerate(exact) if j != i]
            if min(gaps) < 6:
                continue  # two partials in one window
            off = 1200 * math.log2(peak_near(signal, rate, hz) / hz)
            worst = max(worst, abs(off))
            check(abs(off) < (1 if i < 4 else 3.5), f"clamped {size[0]:.3f} x {size[1]:.3f} m, partial {i + 1}: {off:+.2f} cents")
    print(f"  clamped plates: worst of the first ten partials {worst:.2f} cents")


# ---------------------------------------------------------------------------- losses


def fall_of(signal, rate, hz, wide):
    """T60 of the partial near hz: the slope of its level, heard through a window that shuts out what is `wide` Hz away."""
    n = int(4 * rate / wide)
    window = np.hanning(n) * np.exp(-2j * math.pi * hz * np.arange(n) / rate)
    starts = np.arange(0, len(signal) - n, n // 4)
    level = np.array([abs(np.sum(window * signal[s:s + n])) for s in starts])
    keep = level > 1e-3 * level.max()
    keep &= np.cumprod(keep).astype(bool)
    slope = np.polyfit(starts[keep] / rate, 20 * np.log10(level[keep]), 1)[0]
    return -60 / slope


def plates_fall_by_60_db_in_time(folder):
    worst = {}
    for model in ("fd", "modal", "fd"):
        size, thick, density = (between(0.4, 0.7), between(0.2, 0.4)), between(1e-3, 2e-3), between(600, 8000)
        youngs, sigma0, sigma1 = density * between(1e7, 3e7), between(1, 4), between(2e-3, 2e-2)
        scene = (f"local p = plate {{ size = {{ {size[0]}, {size[1]} }}, thickness = {thick}, material_density = {density}, youngs = {youngs}, "
                 f"sigma0 = {sigma0}, sigma1 = {sigma1}, model = \"{model}\" }}\n"
                 f"force {{ on = p, at = {{ {0.23 * size[0]}, {0.31 * size[1]} }}, peak = 1, width = 3e-4 }}\n"
                 f"probe {{ on = p, at = {{ {0.37 * size[0]}, {0.41 * size[1]} }}, quantity = \"velocity\" }}\n")
        signal = listen(folder, scene, 44100, 1.5)[500:]
        kappa = math.sqrt(youngs * thick**2 / (12 * (1 - 0.3**2) * density))
        beta2 = sorted((m * math.pi / size[0]) ** 2 + (q * math.pi / size[1]) ** 2 for m in range(1, 8) for q in range(1, 8))
        hertz = [kappa * b / (2 * math.pi) for b in beta2]
        for i in range(4):
            wide = min(abs(hertz[i] - hertz[j]) for j in range(12) if j != i)
            if wide < 12:
                continue
            asked = 3 * math.log(10) / (sigma0 + sigma1 * beta2[i])
            off = fall_of(signal, 44100, hertz[i], wide) / asked - 1
            worst[model] = max(worst.get(model, 0), abs(off))
            check(abs(off) < 0.01, f"{model} plate, partial {i + 1}: T60 off by {100 * off:+.2f} %")
    print("  T60 of plates off by at most", ", ".join(f"{model} {100 * off:.2f} %" for model, off in sorted(worst.items())))


def modal_bodies_fall_by_60_db_in_time(folder):
    worst = 0
    hertz, t60 = [], []
    for i in range(5):
        hertz.append(between(150 * 1.9**i, 170 * 1.9**i))
        t60.append(between(0.4, 4))
    modes = ", ".join(f"{{ frequency = {f}, t60 = {t}, mass = 0.01 }}" for f, t in zip(hertz, t60))
    scene = (f"local b = modal {{ modes = {{ {modes} }} }}\n"
             "force { on = b, peak = 1, width = 2e-4 }\nprobe { on = b, quantity = \"velocity\" }\n")
    signal = listen(folder, scene, 44100, 1.5)[500:]
    for f, t in zip(hertz, t60):
        wide = min(abs(f - other) for other in hertz if other != f)
        off = fall_of(signal, 44100, f, wide) / t - 1
        worst = max(worst, abs(off))
        check(abs(off) < 0.01, f"modal body, {f:.0f} Hz: T60 off by {100 * off:+.2f} %")
    print(f"  T60 of modal bodies off by at most {100 * worst:.2f} %")


with tempfile.TemporaryDirectory() as place:
    clamped_plates_ring_where_ritz_says(place)
    plates_fall_by_60_db_in_time(place)
    modal_bodies_fall_by_60_db_in_time(place)
end()
