// Powers, logarithms and cosines of the audio path, built from + - * / and sqrt only: libm's own
// give other last bits on other CPUs. Relative error at most 1e-14 (measured in test/test_base.c).
#ifndef SIS_BASE_POWER_H
#define SIS_BASE_POWER_H

double sis_pow(double x, double y); // x^y for x >= 0; 0^y = 0 for y > 0
double sis_log1p(double x);         // ln(1 + x) for x > -1
double sis_expm1(double x);         // e^x - 1
double sis_cos_turns(double turns); // cos(2 pi turns)
// Places to start from:
double sis_root_guess(double x, double inverse);     // x^inverse to about 1 %, x > 0
double sis_power_roughly(double x, double exponent); // x^exponent to better than 1e-3, normal x > 0

#endif
