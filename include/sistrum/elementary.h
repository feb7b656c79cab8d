/** @file
 * Elementary functions with the same bits on every CPU, with every compiler and in WebAssembly.
 *
 * The C library's own differ in the last digit: glibc takes another way on a CPU with fused
 * multiply-add, and other libraries have other tables. These are built from + - * / and sqrt, which
 * IEEE 754 fixes to the last bit. Off by at most 0.8 units of the last digit (sin, cos, exp, log);
 * the others are the nearest double (measured against MPFR in test/test_elementary.c). Special
 * values as in C: NaN for what is not defined, infinities and signed zeros as Annex F has them, no
 * floating-point flags promised.
 *
 * Scenes in Lua take them for math.* and ^, the core for everything it sets up. A program that
 * computes its scene in C and wants the same sound everywhere takes them too.
 *
 * Every function is [any]: no memory, no globals, no failure. A call takes 20 to 60 ns (sin, cos,
 * exp, log) or about a microsecond (the others): they are for setting up, not for the audio thread.
 */
#ifndef SISTRUM_ELEMENTARY_H
#define SISTRUM_ELEMENTARY_H

#ifdef __cplusplus
extern "C" {
#endif

double sis_sin(double x); ///< any finite x, reduced exactly
double sis_cos(double x);
double sis_tan(double x);
double sis_asin(double x);
double sis_acos(double x);
double sis_atan(double x);
double sis_atan2(double y, double x); ///< angle of the point (x, y)
double sis_exp(double x);
double sis_exp2(double x);
double sis_log(double x); ///< natural logarithm
double sis_log2(double x);
double sis_log10(double x);
double sis_power(double x, double y); ///< x^y with all the special cases of pow()
double sis_sinh(double x);
double sis_cosh(double x);
double sis_tanh(double x);

#ifdef __cplusplus
}
#endif

#endif
