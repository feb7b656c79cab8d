#!/usr/bin/env python3
"""A mass hits a wall: how fast does it leave? The exact answer (Hunt and Crossley) does not depend on the hardness K,
an integrator's does, once the contact is shorter than a few samples.  exit_speed.py [picture.png]"""
import subprocess
import sys
import numpy as np
import sistrum

scene = sistrum.parse("""
local K = param { "K", 1e7, min = 1, max = 1e15, scale = "log" }
local ball = mass { mass = 0.01, position = 1e-3, velocity = -1 }
contact { above = ball, below = barrier { height = 0 }, K = K, alpha = 1.5, damping = 0.5 }
probe { on = ball, quantity = "velocity", name = "v" }""")
hardness, schemes = np.logspace(4, 12, 65), ["ledger", "invariant", "heun", "rk4"]
exact = sistrum.Impact(mass=0.01, K=1e7, alpha=1.5, mu=0.5, speed=1).exit_speed
speed = []
for scheme in schemes:
    states = [scene.set(K=K).compile(scheme=scheme, audited=False).state() for K in hardness]
    speed.append([probes[-1, 0] for probes in sistrum.step_batch(states, 2000)])
table = "\n".join(" ".join("%.17g" % x for x in row) for row in zip(hardness, *speed))
lines = ", ".join("$d using 1:%d with linespoints lw 2 pt 7 ps 0.4 lc rgb '%s' title '%s'" % (i + 2, colour, s) for i, (s, colour)
                  in enumerate(zip(schemes, ["#0072B2", "#009E73", "#E69F00", "#CC3311"])))
subprocess.run(["gnuplot"], input=f"""set terminal pngcairo size 900,560; set output '{(sys.argv + ["exit_speed.png"])[1]}'
$d << EOD\n{table}\nEOD
set logscale x; set format x '10^{{%T}}'; set xlabel 'K (N/m^{{3/2}})'; set ylabel 'exit speed (m/s)'; set key left bottom
set yrange [0:1.5]; plot {exact} lw 6 lc rgb '#cccccc' title 'exact', {lines}""", text=True, check=True)
print("exact %.6f m/s; largest error:" % exact, *["%s %.1e" % (s, np.abs(np.array(v) - exact).max()) for s, v in zip(schemes, speed)])
