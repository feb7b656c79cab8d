#!/usr/bin/env python3
"""Hands on sounding bodies: blows on a ringing string, a bow along a curve, sound from outside, contacts of a game.
gestures.py [strike|bow|effect|game]"""
import sys
import numpy as np
import sistrum

RATE, BLOCK = 48000, 64


def strike():
    """Two blows; the second meets the ringing string."""
    system = sistrum.parse("""
local blow = input{ "blow", trigger = true, max = 2 }
local s = string{ length = 0.62, frequency = 220, density = 6.3e-3, sigma0 = 0.5 }
force{ on = s, at = 0.07, peak = 2, width = 1e-3, trigger = blow }
probe{ on = s, at = 0.57, quantity = "velocity" }""").compile(rate=RATE)
    run = system.render(1, energy=True, inputs={"blow": [(0, 1), (0.5, 1.5)]})
    return run[0], run.residual_max


def bow():
    """Force and velocity along curves, as --input reads them."""
    scene = sistrum.parse("""
local press = input{ "press", 0, max = 2, unit = "N", smooth = 0.01 }
local speed = input{ "speed", 0, min = -0.3, max = 0.3, unit = "m/s", smooth = 0.01 }
local s = string{ length = 0.7, frequency = 98, density = 5e-3, sigma0 = 1, sigma1 = 2e-3 }
bow{ on = s, at = 0.08, force = press, velocity = speed }
probe{ on = s, at = 0.65, quantity = "velocity" }""")
    run = scene.compile(rate=RATE).render(1, energy=True, inputs={
        "press": [(0, 0), (0.25, 0.8), (0.75, 0.8), (1, 0)], "speed": [(0, 0.2), (0.49, 0.2), (0.51, -0.2)]})
    return run[0], run.residual_max


def effect():
    """A saw of 110 Hz from outside, as a force: rows of inputs, block by block."""
    state = sistrum.parse("""
local sound = input{ "sound", 0, min = -1, max = 1 }
local s = string{ length = 0.6, frequency = 147, density = 4e-3, sigma0 = 2, sigma1 = 1e-3 }
force{ on = s, at = 0.11, shape = "constant", peak = 0.5 * sound }
probe{ on = s, at = 0.5, quantity = "velocity" }""").compile(rate=RATE).state()
    saw = 2 * (np.arange(RATE) * 110 / RATE % 1) - 1
    heard = [state.step(BLOCK, inputs={"sound": saw[n:n + BLOCK]})[:, 0] for n in range(0, RATE, BLOCK)]
    return np.concatenate(heard), relative(state)


def game():
    """What an engine knows of a contact, mass, velocity, place and material, becomes inputs."""
    state = sistrum.parse("""
local blow = input{ "momentum", trigger = true, max = 1, unit = "N s" }
local x = input{ "x", 0.2, min = 0.05, max = 0.35, unit = "m" }
local y = input{ "y", 0.15, min = 0.05, max = 0.25, unit = "m" }
local hard = input{ "K", 1e7, min = 1e4, max = 1e9 }
local pane = plate{ size = { 0.4, 0.3 }, thickness = 3e-3, material_density = 2500, youngs = 7e10, poisson = 0.22,
    sigma0 = 3, sigma1 = 0.01, model = "modal", modes = 150 }
local thing = mass{ mass = 0.02, position = -2e-3, frequency = 3, damping = 20 }
force{ on = thing, shape = "impulse", peak = 1, trigger = blow }
contact{ above = pane, below = thing, at_above = { x, y }, K = hard, alpha = 1.5, gap = -2e-3 }
probe{ on = pane, at = { 0.1, 0.08 }, quantity = "velocity" }""").compile(rate=RATE).state()
    events = {0.1: (0.02, 1.5, 0.2, 0.15, 3e7), 0.5: (0.05, 0.4, 0.3, 0.1, 2e5)}  # s: kg, m/s, m, m, stiffness
    heard = []
    for n in range(0, RATE, BLOCK):
        for time, (mass, velocity, x, y, hard) in events.items():
            if int(time * RATE) // BLOCK == n // BLOCK:
                state.set(x=x, y=y, K=hard, momentum=mass * velocity)
        heard.append(state.step(BLOCK)[:, 0])
    return np.concatenate(heard), relative(state)


def relative(state):
    e = state.energy
    return abs(e.residual) / max(e.total, abs(e.supplied), e.dissipated)


for use in [globals()[name] for name in sys.argv[1:]] or [strike, bow, effect, game]:
    sound, residual = use()
    print("%s: loudest %.4f m/s, later %.4f m/s; the energy balance %s" % (
        use.__name__, np.abs(sound[:RATE // 2]).max(), np.abs(sound[RATE // 2:]).max(),
        "closes" if residual < 1e-11 else "is open"))
