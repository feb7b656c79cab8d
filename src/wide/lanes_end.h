// Ends what wide/lanes_4.h or wide/lanes_8.h began; gcc goes on to the end of the file.
#if defined(__clang__)
#pragma clang attribute pop
#endif
