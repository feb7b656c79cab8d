// Colours, dashes and marks of everything that has its own in all figures. Schemes that often
// coincide (ledger and newton, verlet and heun, rk4 and invariant) are told apart by dashes on a
// line. No two schemes share a mark; the colours are Okabe and Ito's and shades between them.

#include "chart.h"

#include <string.h>

typedef struct style {
    const char* word;
    sis_chart_stroke stroke;
} style;

#define BARRIER "#D4D4D4"
#define NAVY    "#00385C" // a shade of ledger's blue
#define BROWN   "#8A3A00" // a shade of quadratised's vermillion
#define OLIVE   "#807600"
#define VIOLET  "#6A4FB3"

static const style styles[] = {
    // schemes
    {"ledger", {SIS_BLUE, "1", 2.2, 7, SIS_CURVE_LINE}},
    {"midpoint", {NAVY, "1", 1.2, 12, SIS_CURVE_LINE}}, // ledger with the midpoint potential
    {"quadratised", {SIS_VERMILLION, "1", 1.2, 5, SIS_CURVE_LINE}},
    {"release", {BROWN, "1", 1.2, 14, SIS_CURVE_LINE}}, // quadratised with the release rule
    {"newton", {SIS_ORANGE, "(5,6)", 1.4, 8, SIS_CURVE_LINE}},
    {"exact", {SIS_GREEN, "1", 1.4, 6, SIS_CURVE_LINE}},
    {"root", {SIS_PURPLE, "1", 1.2, 11, SIS_CURVE_LINE}},
    {"root 1/2", {"#E3A9C8", "1", 1.4, 11, SIS_CURVE_LINE}},
    {"root 1", {"#B5568A", "(8,3)", 1.4, 10, SIS_CURVE_LINE}},
    {"root 3", {"#6B1F4D", "(2,3)", 1.6, 9, SIS_CURVE_LINE}},
    {"am1", {SIS_SKY, "1", 1.4, 13, SIS_CURVE_LINE}},
    {"verlet", {OLIVE, "(8,3)", 1.6, 4, SIS_CURVE_LINE}},
    {"heun", {"black", "(2,5)", 1.2, 1, SIS_CURVE_LINE}},
    {"rk4", {VIOLET, "(8,3)", 1.6, 3, SIS_CURVE_LINE}},
    {"invariant", {SIS_GREEN, "(2,4)", 1.8, 2, SIS_CURVE_LINE}},
    // what they are compared with, and how bodies are put into numbers
    {"reference", {"black", "1", 1.0, 6, SIS_CURVE_LINE}},
    {"modal", {SIS_BLUE, "1", 1.4, 7, SIS_CURVE_LINE}},
    {"fd", {SIS_VERMILLION, "(7,4)", 1.4, 4, SIS_CURVE_LINE}},
    {"implicit", {SIS_GREEN, "(7,3,2,3)", 1.4, 8, SIS_CURVE_LINE}},
    {"trapezoid", {SIS_ORANGE, "(3,3)", 1.6, 12, SIS_CURVE_LINE}},
    {"barrier", {BARRIER, "1", 1.0, 7, SIS_CURVE_FILL}},
    // energies, as in the pictures of a run
    {"total", {"black", "(6,4)", 1.2, 6, SIS_CURVE_LINE}},
    {"kinetic", {SIS_BLUE, "1", 1.4, 7, SIS_CURVE_LINE}},
    {"potential", {SIS_SKY, "1", 1.4, 5, SIS_CURVE_LINE}},
    {"elastic", {SIS_SKY, "1", 1.4, 5, SIS_CURVE_LINE}},
    {"contact", {SIS_VERMILLION, "1", 1.4, 9, SIS_CURVE_LINE}},
    {"dissipated", {SIS_ORANGE, "1", 1.4, 11, SIS_CURVE_LINE}},
    {"supplied", {SIS_GREEN, "1", 1.4, 13, SIS_CURVE_LINE}},
};

#define STYLES ((int)(sizeof styles / sizeof *styles))

bool sis_chart_style(const char* word, sis_chart_stroke* stroke) {
    for (int i = 0; i < STYLES; i++)
        if (strcmp(word, styles[i].word) == 0) {
            *stroke = styles[i].stroke;
            return true;
        }
    return false;
}

const char* sis_chart_style_word(int i) {
    return i >= 0 && i < STYLES ? styles[i].word : NULL;
}

sis_chart_stroke sis_chart_style_plain(int i) {
    static const sis_chart_stroke plain[] = {
        {SIS_BLUE, "1", 1.4, 7, SIS_CURVE_LINE},    {SIS_VERMILLION, "1", 1.4, 5, SIS_CURVE_LINE},
        {SIS_GREEN, "1", 1.4, 9, SIS_CURVE_LINE},   {SIS_ORANGE, "1", 1.4, 13, SIS_CURVE_LINE},
        {SIS_PURPLE, "1", 1.4, 11, SIS_CURVE_LINE}, {SIS_SKY, "1", 1.4, 6, SIS_CURVE_LINE},
        {SIS_INK, "1", 1.4, 4, SIS_CURVE_LINE},
    };
    int count = (int)(sizeof plain / sizeof *plain);
    sis_chart_stroke stroke = plain[i % count];
    if (i / count % 2) { // a second round: dashed, and hollow where it was filled
        stroke.dash = "(6,3)";
        stroke.mark ^= 1;
    }
    return stroke;
}

const char* sis_chart_colour(const char* name) {
    static const char* const named[][2] = {
        {"blue", SIS_BLUE},      {"sky", SIS_SKY},         {"vermillion", SIS_VERMILLION},
        {"red", SIS_VERMILLION}, {"green", SIS_GREEN},     {"orange", SIS_ORANGE},
        {"purple", SIS_PURPLE},  {"grey", "#909090"},      {"ink", SIS_INK},
        {"black", "black"},      {"lightgrey", "#CFCFCF"},
    };
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (strcmp(name, named[i][0]) == 0) return named[i][1];
    bool digits =
        name[0] == '#' && strlen(name) == 7 && strspn(name + 1, "0123456789abcdefABCDEF") == 6;
    return digits ? name : NULL;
}
