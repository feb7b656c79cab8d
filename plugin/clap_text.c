// Numbers as text: "5.2e+06 N/m", "-6 dB", "on". Hosts set the locale; here a point is a point.
#include "clap_player.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void clap_text_write(double number, int digits, char* text, size_t room) {
    if (!room) return;
    char raw[64];
    snprintf(raw, sizeof raw, "%.*g", digits, number);
    size_t used = 0;
    for (const char* at = raw; *at && used + 1 < room; at++) {
        bool plain =
            (*at >= '0' && *at <= '9') || (*at >= 'a' && *at <= 'z') || *at == '-' || *at == '+';
        // The decimal sign of a locale may be several bytes.
        if (plain)
            text[used++] = *at;
        else if (used && text[used - 1] != '.')
            text[used++] = '.';
    }
    text[used] = 0;
}

static const char* skip_digits(const char* at) {
    while (*at >= '0' && *at <= '9')
        at++;
    return at;
}

/** Behind the power of ten; `at` where there is none: "5 e" has a unit. */
static const char* skip_power(const char* at) {
    if (*at != 'e' && *at != 'E') return at;
    const char* next = at + 1;
    if (*next == '-' || *next == '+') next++;
    return skip_digits(next) > next ? skip_digits(next) : at;
}

const char* clap_text_number(const char* text, double* number) {
    while (*text == ' ' || *text == '\t')
        text++;
    const char* whole = *text == '-' || *text == '+' ? text + 1 : text;
    const char* point = skip_digits(whole);
    bool has_point = *point == '.' || *point == ',';
    const char* digits_end = has_point ? skip_digits(point + 1) : point;
    const char* end = skip_power(digits_end);
    char copy[128];
    if (digits_end - whole <= has_point || end - text > 100) return NULL;
    snprintf(copy, sizeof copy, "%.*s%s%.*s", (int)(point - text), text,
             has_point ? localeconv()->decimal_point : "",
             (int)(has_point ? end - point - 1 : end - point), has_point ? point + 1 : point);
    *number = strtod(copy, NULL);
    return isfinite(*number) ? end : NULL;
}

// ---------------------------------------------------------------------------- with units

static const char* const switched[] = {"off", "on"};

static bool is_switch(const clap_param* param) {
    return param->kind == PARAM_LIMITER || param->kind == PARAM_DC_BLOCKER ||
           param->kind == PARAM_NORMALISE;
}

static const char* preset_text(const clap_player* p, int32_t preset) {
    const char* name = preset > 0 ? sis_live_preset_name(p->live, preset - 1) : NULL;
    return name ? name : "none";
}

bool clap_param_write(const clap_player* p, const clap_param* param, double plain, char* text,
                      uint32_t room) {
    if (isnan(plain)) return false;
    double value = clap_param_value(param, plain);
    if (is_switch(param) || param->kind == PARAM_PRESET) {
        const char* name = is_switch(param) ? switched[value != 0] : preset_text(p, (int32_t)value);
        snprintf(text, room, "%s", name);
        return true;
    }
    char number[64];
    clap_text_write(value, 6, number, sizeof number);
    snprintf(text, room, "%s%s%s", number, *param->unit ? " " : "", param->unit);
    return true;
}

/** "k" of "5 kN": a factor, 1 without; 0: it is another unit. */
static double factor_of(const char* text, const char* unit) {
    while (*text == ' ' || *text == '\t')
        text++;
    size_t length = strlen(text);
    while (length && (text[length - 1] == ' ' || text[length - 1] == '\t'))
        length--;
    if (!length || (length == strlen(unit) && !strncmp(text, unit, length))) return 1;
    static const struct {
        const char* sign;
        double factor;
    } signs[] = {{"G", 1e9},  {"M", 1e6},         {"k", 1e3},  {"c", 1e-2},
                 {"m", 1e-3}, {"\xc2\xb5", 1e-6}, {"u", 1e-6}, {"n", 1e-9}};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        size_t sign = strlen(signs[i].sign);
        if (length < sign || strncmp(text, signs[i].sign, sign) != 0) continue;
        bool bare = length == sign && *unit;
        if (bare || (length == sign + strlen(unit) && !strncmp(text + sign, unit, strlen(unit))))
            return signs[i].factor;
    }
    return 0;
}

static bool parse_name(const clap_player* p, const clap_param* param, const char* text,
                       double* plain) {
    int32_t most = (int32_t)param->max;
    for (int32_t i = 0; i <= most; i++)
        if (!strcmp(text, is_switch(param) ? switched[i] : preset_text(p, i))) {
            *plain = i;
            return true;
        }
    return false;
}

bool clap_param_parse(const clap_player* p, const clap_param* param, const char* text,
                      double* plain) {
    bool named = is_switch(param) || param->kind == PARAM_PRESET;
    if (named && parse_name(p, param, text, plain)) return true;
    double number = 0;
    const char* rest = clap_text_number(text, &number);
    double factor = rest ? factor_of(rest, param->unit) : 0;
    if (factor == 0) return false;
    number *= factor;
    if (number < param->min) number = param->min;
    if (number > param->max) number = param->max;
    *plain = clap_param_plain(param, named ? trunc(number) : number);
    return true;
}
