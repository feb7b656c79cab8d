#include "fourier.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/** Puts the input into the order of reversed bits. */
static void reorder(double* re, double* im, size_t size) {
    for (size_t i = 1, j = 0; i < size; i++) {
        size_t bit = size >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i >= j) continue;
        double a = re[i], b = im[i];
        re[i] = re[j];
        im[i] = im[j];
        re[j] = a;
        im[j] = b;
    }
}

/** Even and odd halves are joined by a factor of rotation, c + i s. */
static inline void join(double* re, double* im, size_t i, size_t j, double c, double s) {
    double a = re[j] * c - im[j] * s, b = re[j] * s + im[j] * c;
    re[j] = re[i] - a;
    im[j] = im[i] - b;
    re[i] += a;
    im[i] += b;
}

// Ours because what needs it is offline and small: it does not justify a library of its own.
void sis_fourier(double* re, double* im, size_t size) {
    reorder(re, im, size);
    for (size_t half = 1; half < size; half *= 2)
        for (size_t k = 0; k < half; k++) {
            double c = cos(pi * (double)k / (double)half), s = -sin(pi * (double)k / (double)half);
            for (size_t i = k; i < size; i += 2 * half)
                join(re, im, i, i + half, c, s);
        }
}

void sis_fourier_by(double* re, double* im, size_t size, const double* cosine, const double* sine,
                    size_t turns) {
    reorder(re, im, size);
    for (size_t half = 1; half < size; half *= 2) {
        size_t stride = turns / (2 * half);
        for (size_t start = 0; start < size; start += 2 * half)
            for (size_t k = 0; k < half; k++)
                join(re, im, start + k, start + k + half, cosine[k * stride], -sine[k * stride]);
    }
}

size_t sis_fourier_size(size_t count, size_t least) {
    size_t size = least;
    while (size < count)
        size *= 2;
    return size;
}

double sis_taper(size_t i, size_t count) {
    double x = 2 * pi * ((double)i + 0.5) / (double)count;
    return 0.35875 - 0.48829 * cos(x) + 0.14128 * cos(2 * x) - 0.01168 * cos(3 * x);
}
