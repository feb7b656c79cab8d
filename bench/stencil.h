/** @file stencil.h
 * The machine's limit for explicit stiff strings and plates: the bare two-level stencils of five
 * and of thirteen points, compiled twice from the same plain C (bench/CMakeLists.txt), once one
 * number at a time and once as wide as the machine is.
 */
#ifndef SISTRUM_STENCIL_H
#define SISTRUM_STENCIL_H

enum { STENCIL_PAD = 2 }; // zeros around the points: before, after, and rows of them

/** Advances `points` points by `samples` (even) samples; both arrays are [points + 2 STENCIL_PAD]
 * and do not overlap. */
typedef void stencil(double* u, double* before, int points, int samples);

stencil stencil_scalar;
stencil stencil_wide; // with AVX2 and fused multiply-add on x86-64: ask the CPU before calling

/** STENCIL_SIDE strings of the same stencil, point by point beside each other: what stepping equal
 * strings together could be at best. Both arrays are [points + 2 STENCIL_PAD][STENCIL_SIDE]. */
enum { STENCIL_SIDE = 4 };
stencil stencil_side_wide;

enum { STENCIL_LEFT = 8 }; // numbers before the points of a row of a plate: they begin a cache line

/** How far apart the rows of a plate are. */
static inline int stencil_pitch(int columns) {
    return (STENCIL_LEFT + columns + STENCIL_PAD + 7) / 8 * 8;
}

/** The same for `rows` rows of `columns` points; both arrays are [rows + 2
 * STENCIL_PAD][stencil_pitch(columns)], aligned to 64. */
typedef void stencil_plate(double* u, double* before, int columns, int rows, int samples);

stencil_plate stencil_plate_scalar;
stencil_plate stencil_plate_wide;

#endif
