// What the reports share: counting verdicts, telling formulas from sentences.

#include "study_report.h"

#include <ctype.h>
#include <string.h>

static const char* const verdicts[SIS_VERDICTS] = {"reproduced", "reproduced with correction",
                                                   "does not reproduce"};

const char* sis_report_verdict(int i) {
    return i >= 0 && i < SIS_VERDICTS ? verdicts[i] : NULL;
}

const char* sis_report_text(const json_t* object, const char* key) {
    const char* text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

bool sis_report_is_of(const json_t* item, const char* paper) {
    return strcmp(sis_report_text(item, "paper"), paper) == 0;
}

static void count_claims(sis_report_counts* counts, const json_t* claims) {
    size_t i;
    json_t* claim;
    json_array_foreach(claims, i, claim) {
        if (!*sis_report_text(claim, "published")) {
            counts->findings++;
            continue;
        }
        counts->claims++;
        for (int v = 0; v < SIS_VERDICTS; v++)
            counts->verdicts[v] += !strcmp(sis_report_text(claim, "verdict"), verdicts[v]);
    }
}

sis_report_counts sis_report_count(const json_t* results, const char* paper) {
    sis_report_counts counts = {.items = 0};
    size_t i;
    json_t* item;
    json_array_foreach(results, i, item) {
        if (paper ? !sis_report_is_of(item, paper) : sis_report_is_of(item, "beyond")) continue;
        counts.items++;
        counts.failed += json_object_get(item, "failed") != NULL;
        counts.surprises += (int)json_array_size(json_object_get(item, "surprises"));
        counts.choices += (int)json_array_size(json_object_get(item, "choices"));
        counts.misprints += (int)json_array_size(json_object_get(item, "misprints"));
        count_claims(&counts, json_object_get(item, "claims"));
    }
    return counts;
}

// ---------------------------------------------------------------------------- formulas

/** Names that occur in formulas although they are words. */
static bool is_name(const char* word, size_t length) {
    static const char* const names[] = {
        "alpha",  "beta",  "gamma", "delta", "epsilon", "zeta", "theta", "eta",   "kappa",
        "lambda", "sigma", "rho",   "tau",   "phi",     "psi",  "chi",   "omega", "sqrt",
        "log",    "exp",   "sin",   "cos",   "tan",     "sgn",  "sign",  "abs",   "min",
        "max",    "diag",  "sum",   "kron",  "out",     "lim",  "int",   "cot",   "sinh"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == length && !strncmp(names[i], word, length)) return true;
    return false;
}

bool sis_report_is_formula(const char* text) {
    if (strchr(text, '`')) return false; // the script says itself what is code
    if (!strpbrk(text, "=^*/_+<>[|") && !strstr(text, " - ")) return false;
    int words = 0;
    for (const char* at = text; *at;) {
        size_t length = 0;
        while (isalpha((unsigned char)at[length]))
            length++;
        bool inside = at > text && (at[-1] == '_' || isalnum((unsigned char)at[-1]));
        if (length >= 3 && !inside && at[length] != '_' && !is_name(at, length)) words++;
        at += length ? length : 1;
    }
    return words < 2;
}
