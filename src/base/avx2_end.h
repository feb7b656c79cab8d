// Ends what base/avx2_begin.h began; gcc goes on to the end of the file.
#if defined(__clang__)
#pragma clang attribute pop
#endif
