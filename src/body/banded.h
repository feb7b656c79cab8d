// A symmetric positive definite band of one or two diagonals beside the main one, the same read
// from either end, factored once and solved in every sample.
//
// Elimination along a string is one long chain: each point waits for the one before. So there are
// four, two that start at the ends and two that start at the points which part the string in the
// middle, and pairs of them meet:
//
//   x[0]  outer -->  | rest | <--  inner  | rest |  inner -->  | rest |  <-- outer  x[count - 1]
//
// It is still Cholesky's factor, of the same matrix with its points in another order: A = R^T D R.
// Row k of an outer chain has R_{k,k+1} and R_{k,k+2} as ever; an inner one also keeps what ties it
// to the parting points behind it. That fades by a constant factor from point to point and is
// dropped where it is far below rounding. The rest, at most 9 points, is solved by its inverse.
#ifndef SIS_BANDED_H
#define SIS_BANDED_H

#include "body/body.h"

// Most points of the rest: three times two, and three that four chains cannot share; a row of its
// inverse is padded with zeros.
enum { BANDED_REST = 9, BANDED_ROW = 12 };

// Step k of the outer chains, which are mirrors of each other, and of the inner ones.
typedef struct banded_step {
    double inverse[2];    // 1/D
    double next[2];       // R_{k,k+1}
    double after_next[2]; // R_{k,k+2}
} banded_step;

// What ties step k of an inner chain to the parting points, the nearest one first.
typedef struct banded_tie {
    double R[2];
    double DR[2];
} banded_tie;

typedef struct banded {
    int32_t count, width;  // points, diagonals above the main one: 1 or 2
    int32_t steps;         // of each chain
    int32_t meeting, part; // points of the rest where two chains meet; that part the string
    int32_t reach;         // steps that are tied
    const banded_step* step;
    const banded_tie* tie;
    const double* diagonal[3];               // A itself: A_{i,i}, A_{i,i+1}, A_{i,i+2}
    double inverse[BANDED_REST][BANDED_ROW]; // of the rest
} banded;

// A string and its band; the string stands first.
typedef struct banded_string {
    string_group string;
    banded band;
} banded_string;

// Steps of each chain for so many points: the room that a factor needs.
int32_t sis_banded_steps(int32_t count, int32_t width);

// Factors the band A_{i,i} = main[i], A_{i,i+1} = off1[i], A_{i,i+2} = off2[i], which it keeps.
void sis_banded_factor(int32_t count, int32_t width, const double* main, const double* off1,
                       const double* off2, banded_step* step, banded_tie* tie, banded* out);

// x <- A^-1 x
void sis_banded_solve(const banded* A, double* x);

#endif
