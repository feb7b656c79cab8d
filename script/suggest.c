// "did you mean ...?": the candidate at the smallest edit distance, if it is close at all.
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "suggest.h"

enum { LONGEST = 63 }; // bytes: longer words are not worth a guess

static int smaller(int a, int b) {
    return a < b ? a : b;
}

static bool same_letter(char a, char b) {
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

// Optimal string alignment: d(i, j) is the cheapest way to turn the first i letters of a into the
// first j of b by inserting, deleting or changing one letter or swapping two neighbours.
// Upper and lower case count as the same letter. Only three rows of d are ever needed.
static int distance(const char* a, int a_length, const char* b, int b_length) {
    int row[3][LONGEST + 1];
    for (int j = 0; j <= b_length; j++)
        row[0][j] = j;
    for (int i = 1; i <= a_length; i++) {
        int* now = row[i % 3];
        const int* last = row[(i + 2) % 3];
        const int* before = row[(i + 1) % 3];
        now[0] = i;
        for (int j = 1; j <= b_length; j++) {
            int change = last[j - 1] + !same_letter(a[i - 1], b[j - 1]);
            now[j] = smaller(change, 1 + smaller(last[j], now[j - 1]));
            if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) &&
                same_letter(a[i - 2], b[j - 1]))
                now[j] = smaller(now[j], before[j - 2] + 1);
        }
    }
    return row[a_length % 3][b_length];
}

sis_suggestion sis_suggest(const char* wrong) {
    return (sis_suggestion){.wrong = wrong};
}

// Half a distance is one unit of badness. One mistake in three letters is close, and so is an
// abbreviation of three letters or more (freq for frequency).
void sis_suggest_from(sis_suggestion* suggestion, const char* candidate) {
    size_t wrong_length = strlen(suggestion->wrong), length = strlen(candidate);
    if (wrong_length == 0 || wrong_length > LONGEST || length == 0 || length > LONGEST) return;
    int mistakes = distance(suggestion->wrong, (int)wrong_length, candidate, (int)length);
    int allowed = wrong_length < 6 ? 1 : (int)wrong_length / 3;
    bool abbreviation =
        wrong_length >= 3 && strncmp(suggestion->wrong, candidate, wrong_length) == 0;
    if (!abbreviation && (mistakes > allowed || mistakes >= (int)wrong_length)) return;
    int badness = abbreviation ? smaller(2 * mistakes, 3) : 2 * mistakes;
    // Equal candidates: the first in the alphabet, since tables of Lua come in any order.
    bool better = !suggestion->best || badness < suggestion->badness ||
                  (badness == suggestion->badness && strcmp(candidate, suggestion->best) < 0);
    if (!better) return;
    suggestion->best = candidate;
    suggestion->badness = badness;
}
