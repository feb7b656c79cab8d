// What follows, up to base/avx2_end.h, is compiled for AVX2: for the X_4.c files only, once each.
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC target("avx2,fma")
#endif
