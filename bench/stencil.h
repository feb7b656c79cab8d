/** @file stencil.h
 * The machine's limit for an explicit stiff string: the bare two-level five-point stencil, compiled
 * twice from the same plain C (bench/CMakeLists.txt), once one number at a time and once as wide as
 * the machine is.
 */
#ifndef SISTRUM_STENCIL_H
#define SISTRUM_STENCIL_H

enum { STENCIL_PAD = 2 }; // zeros before the first and after the last point

/** Advances `points` points by `samples` (even) samples; both arrays are [points + 2 STENCIL_PAD]
 * and do not overlap. */
typedef void stencil(double* u, double* before, int points, int samples);

stencil stencil_scalar;
stencil stencil_wide; // with AVX2 and fused multiply-add on x86-64: ask the CPU before calling

#endif
