// Lua's mathematics is ours, where Lua is compiled from its source: included before every file of it.
#ifndef SISTRUM_LUA_MATH_H
#define SISTRUM_LUA_MATH_H

#include <math.h>

#include "sistrum/elementary.h"

#define sin   sis_sin
#define cos   sis_cos
#define tan   sis_tan
#define asin  sis_asin
#define acos  sis_acos
#define atan2 sis_atan2
#define exp   sis_exp
#define log   sis_log
#define log2  sis_log2
#define log10 sis_log10
#define sinh  sis_sinh
#define cosh  sis_cosh
#define tanh  sis_tanh
#define pow   sis_power

#endif
