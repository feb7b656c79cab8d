#!/usr/bin/env python3
"""Prints the coefficients of src/base/power_lanes.h: the polynomials whose largest error is least.

Remez' exchange in 60 digits; needs python3-mpmath. The core does not need this script: it is here
so that the numbers can be found again, for other intervals or degrees too.
"""
from mpmath import atanh, cos, exp, factorial, lu_solve, matrix, mp, mpf, nstr, pi, sqrt

mp.dps = 60
GRID = 2000  # points on which the largest errors are looked for


def alternating(errors):
    """Places of the largest errors, one for each run of one sign."""
    found = []
    for i, error in enumerate(errors):
        if found and (errors[found[-1]] > 0) == (error > 0):
            if abs(error) > abs(errors[found[-1]]):
                found[-1] = i
        else:
            found.append(i)
    return found


def minimax(f, low, high, degree, weight):
    """Coefficients from x^0 on, and the largest weighted error."""
    count = degree + 2
    at = [(low + high) / 2 - (high - low) / 2 * cos(pi * i / (count - 1)) for i in range(count)]
    grid = [low + (high - low) * i / GRID for i in range(GRID + 1)]
    for _ in range(40):
        rows, values = matrix(count, count), matrix(count, 1)
        for i, x in enumerate(at):
            for j in range(degree + 1):
                rows[i, j] = x**j
            rows[i, degree + 1] = (-1) ** i / weight(x)
            values[i] = f(x)
        solved = lu_solve(rows, values)
        c = [solved[j] for j in range(degree + 1)]
        errors = [(mp.polyval(c[::-1], x) - f(x)) * weight(x) for x in grid]
        peaks = alternating(errors)
        while len(peaks) > count:
            peaks.pop(0 if abs(errors[peaks[0]]) < abs(errors[peaks[-1]]) else -1)
        new = [grid[i] for i in peaks]
        if len(new) < count or new == at:
            break
        at = new
    return c, max(abs(e) for e in errors)


def atanh_tail(z):
    """(ln((1 + s)/(1 - s)) - 2 s)/s^3 over z = s^2."""
    if z < mpf(10) ** -12:
        return sum(2 * z**k / (2 * k + 3) for k in range(8))
    return (2 * atanh(sqrt(z)) - 2 * sqrt(z)) / sqrt(z) ** 3


def expm1_tail(r):
    """(e^r - 1 - r)/r^2."""
    if abs(r) < mpf(10) ** -6:
        return sum(r**k / factorial(k + 2) for k in range(12))
    return (exp(r) - 1 - r) / r**2


def main():
    widest = ((sqrt(mpf(2)) - 1) / (sqrt(mpf(2)) + 1)) ** 2 * mpf("1.0005")
    cases = (
        ("lanes_atanh_tail, of the logarithm", atanh_tail, 0, widest, 6, lambda z: z / 2 + mpf("1e-4")),
        ("lanes_expm1_small, of r", expm1_tail, mpf("-0.3475"), mpf("0.3475"), 9, lambda r: abs(r) + mpf("1e-3")),
    )
    for name, f, low, high, degree, weight in cases:
        c, error = minimax(f, mpf(low), mpf(high), degree, weight)
        print(f"{name}: error {nstr(error, 3)}")
        for x in c:
            print(f"  {float(x).hex()}")


if __name__ == "__main__":
    main()
