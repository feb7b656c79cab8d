// The language of repro/: what its words compute, and what they refuse.

#include "check.h"
#include "study.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[64]; // a data folder with one paper "p" and one item "i"

static const char* in_root(const char* name) {
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", root, name);
    return path;
}

static void write_file(const char* name, const char* text) {
    FILE* file = fopen(in_root(name), "w");
    if (file) fputs(text, file);
    if (!file || fclose(file)) printf("cannot write %s\n", name);
}

/** Runs the script without pictures; NULL: failed, with the sentence in `fault`. */
static json_t* run_text(const char* text, sis_fault* fault) {
    write_file("repro/p/i.lua", text);
    sis_study study = {.root = root, .paper = "p", .item = "i", .seconds = 30};
    return sis_study_run(&study, fault);
}

static const char* field(const json_t* result, const char* list, size_t i, const char* key) {
    const char* text =
        json_string_value(json_object_get(json_array_get(json_object_get(result, list), i), key));
    return text ? text : "(absent)";
}

#define ABOUT "about { place = 'Fig. 1', title = 't' }\n"

/** The script states one claim whose measured text must be `expected`. */
static void measures(const char* before, const char* value, const char* expected) {
    char text[4096];
    sis_fault fault = {.text = ""};
    snprintf(text, sizeof text,
             ABOUT "%s\nclaim { 'x', published = false, measured = %s, digits = 9, holds = true }",
             before, value);
    json_t* result = run_text(text, &fault);
    if (check_that(result != NULL, __FILE__, __LINE__)) printf("%s: %s\n", value, fault.text);
    const char* measured = field(result, "claims", 0, "measured");
    if (check_that(!strcmp(measured, expected), __FILE__, __LINE__))
        printf("%s is %s, not %s\n", value, measured, expected);
    json_decref(result);
}

static void fails(const char* text, const char* sentence) {
    sis_fault fault = {.text = ""};
    json_t* result = run_text(text, &fault);
    CHECK(!result);
    CHECK_TEXT(fault.text, sentence);
    json_decref(result);
}

static void vecs_compute_like_numbers(void) {
    measures("", "(vec { 1, 2, 3 } + 1):sum()", "9.00000000");
    measures("", "(2 ^ vec { 1, 2, 3 }):sum()", "14.0000000");
    measures("", "{ (-vec { 1, -5, 3 }):max() }", "5.00000000, 2");
    measures("", "vec { 3, 4 }:dot(vec { 3, 4 })", "25.0000000");
    measures("", "vec { 3, 4, 5 }:rms()", "4.08248290");
    measures("", "{ #range(0, 1, 11), range(0, 1, 11)[4] }", "11, 0.300000000");
    measures("", "range(0, 1, 11):every(5):sum()", "1.50000000");
    measures("", "#vec { 1, 2, 3, 4 }:sub(2, -2)", "2");
    measures("local v = vec(3, function(i) return i * i end) v[2] = 5", "v:sum()", "15.0000000");
    measures("", "vec { 1, 4 }:map(math.sqrt):sum()", "3.00000000");
    fails(ABOUT "local v = vec { 1, 2 } + vec { 1 }", "do not go together");
    fails(ABOUT "local v = vec { 1, 2 } [3]", "no element 3 of 2");
    fails(ABOUT "local v = vec { 1, 2 } v:mean()", "there is no 'mean'");
    fails(ABOUT "local v = vec(-1)", "fewer than 0");
    fails(ABOUT "local v = vec(1e15 // 1 | 0)", "does not fit");
}

static void what_is_not_a_number_is_never_claimed(void) {
    static const char* const values[] = {
        "vec { 1, 0/0, 3 }:max()",     "vec { 0/0, 1 }:min()",
        "vec { 1, 0/0 }:absmax()",     "vec { 0/0, 1 }:absmax()",
        "math.max(1, 0/0, 2)",         "math.min(1, 0/0)",
        "vec { 1, 0/0 }:rms()",        "pitch(vec(100) * (0/0), 100, 10)",
        "string.format('%g %%', 0/0)", "{ 1, '-nan' }",
    };
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char text[256];
        snprintf(text, sizeof text,
                 ABOUT "claim { 'x', published = 1, measured = %s, holds = true }", values[i]);
        fails(text, "not a number");
    }
    fails(ABOUT "claim { string.format('a %f b', 0/0), published = 1, measured = 1, holds = true }",
          "not a number");
    measures("", "'nanometres'", "nanometres");
    measures("", "{ vec { 1, 5, 3 }:max() }", "5.00000000, 2");
    measures("", "{ math.max(1, 3, 2), math.min(2, 1), math.max(4) }", "3, 1, 4");
    fails(ABOUT "math.max()", "number expected");
}

static void spectra_find_sines(void) {
    const char* sine = "local v = vec(4000, function(i) return 0.3 * math.cos(0.7 + 2 * math.pi * "
                       "123.456 * (i - 1) / 4000) end)";
    measures(sine, "string.format('%.5f', pitch(v, 4000, 120))", "123.45600");
    measures(sine, "string.format('%.5f', select(2, pitch(v, 4000, 120)))", "0.30000");
    measures(sine, "#spectrum(v, 4000).f", "2049");
    measures("local v = vec(4096, function(i) return math.sin(2 * math.pi * i * 16 / 4096) end)",
             "string.format('%.9f', spectrum(v, 4096, { window = 'blackman' }).amplitude[17])",
             "1.000000000");
    measures(sine, "{ #spectrogram(v, 4000, { size = 256, hop = 64 }).t }", "59");
    measures("", "pitch(range(0, 1, 100), 100, 10) > 0 and 'ends'", "ends"); // there is no partial
    fails(ABOUT "pitch(vec(4), 100, 10)", "too short");
    fails(ABOUT "spectrum(vec(4), 100, { window = 'flat' })", "flat");
}

/** A free mass at 2 m/s and a wall, inside the script. */
#define SCENE                                                                                      \
    "local scene = [[\n"                                                                           \
    "local K = param { 'K', 1e6 }\n"                                                               \
    "local m = mass { name = 'm', mass = 1, position = -0.01, velocity = 2 }\n"                    \
    "local b = barrier { height = 0 }\n"                                                           \
    "contact { name = 'hit', above = b, below = m, K = K, alpha = 1.5 }\n"                         \
    "probe { on = m, quantity = 'velocity', name = 'v' }\n"                                        \
    "render { rate = 10000, duration = 0.1 } ]]\n"

static void runs_give_what_the_program_measures(void) {
    measures(SCENE "local r = run(scene, { energy = true })",
             "{ r.steps, #r.t, #r.probes.v, r.probes.v[1], r.probes[1][1000], r.energy.total[1] }",
             "1000, 1000, 1000, 2.00000000, -2.00000000, 2.00000000");
    measures(SCENE "local r = run(scene, { shapes = { 0, 0.002 } })",
             "{ r.shapes[2].t, r.shapes[2].bodies.m.u[1], r.shapes[1].contacts.hit.eta[1] }",
             "0.00200000000, -0.00600000000, -0.0100000000");
    measures(SCENE "local r = run(scene, { every = 10, oversample = 4, duration = 0.01 })",
             "{ r.rate, r.steps, #r.t, r.t[2] }", "40000.0000, 400, 40, 2.50000000e-4");
    measures(SCENE, "{ run(scene, { set = { K = 4e6 } }).links.hit.K, inspect(scene).links[1].K }",
             "4.00000000e6, 1.00000000e6");
    measures(SCENE, "run(scene, { scheme = 'newton' }).links.hit.scheme", "newton");
    sis_fault fault = {.text = ""};
    json_t* result = run_text(ABOUT SCENE "inspect(scene)", &fault);
    CHECK(result && json_is_true(json_object_get(result, "inside")));
    json_decref(result);
    measures(SCENE, "run(scene, { set = { Q = 1 }, may_fail = true }).failed:match('Q') or 'no'",
             "Q");
    measures("local h = impact { mass = 1, K = 1e6, alpha = 1, mu = 0, speed = 2 }",
             "{ h.exit_speed, h.max_depth, h.duration }",
             "2.00000000, 0.00200000000, 0.00314159265");
    fails(ABOUT SCENE "run(scene, { raet = 1 })", "unknown option 'raet'");
    fails(ABOUT SCENE "run(scene, { scheme = 'magic' })", "no scheme 'magic'");
    fails(ABOUT SCENE "run(scene, { shapes = { 7 } })", "after the end");
    fails(ABOUT "run('nowhere')", "nowhere.lua");
}

static void absurd_numbers_are_refused(void) {
    fails(ABOUT SCENE "run(scene, { every = 1e300 })", "every is 1e+300");
    fails(ABOUT SCENE "run(scene, { every = 0/0 })", "it must be a whole number");
    fails(ABOUT SCENE "run(scene, { every = 2.5 })", "it must be a whole number");
    fails(ABOUT SCENE "run(scene, { oversample = 1e300 })", "oversample is 1e+300");
    fails(ABOUT SCENE "run(scene, { rate = 1/0 })", "rate must be a finite number");
    fails(ABOUT SCENE "run(scene, { duration = 0/0 })", "duration must be a finite number");
    fails(ABOUT SCENE "run(scene, { shapes = { 1/0 } })", "after the end");
    fails(ABOUT SCENE "run(scene, { shapes = { 0/0 } })", "must be >= 0 and increase");
    fails(ABOUT "spectrum(vec(4), 100, { size = 1e300 })", "size is 1e+300");
    fails(ABOUT "spectrogram(vec(4), 100, { hop = 0/0 })", "hop is");
    measures("", "pitch(range(0, 1, 100), 100, 10, 1/0) > 0 and 'ends'", "ends");
}

/** Runs with small limits. */
static void is_stopped(const char* text, bool only_about, const char* sentence) {
    write_file("repro/p/i.lua", text);
    sis_study study = {.root = root,
                       .paper = "p",
                       .item = "i",
                       .only_about = only_about,
                       .seconds = 0.25,
                       .memory = (size_t)16 << 20};
    sis_fault fault = {.text = ""};
    json_t* result = sis_study_run(&study, &fault);
    CHECK(!result);
    CHECK_TEXT(fault.text, sentence);
    json_decref(result);
}

static void no_script_runs_for_ever(void) {
    static const char late[] = "p/i: repro/p/i.lua:2: the script runs for more than 0.25 s";
    static const char full[] = "p/i: the script needs more than 0.0156 GB of memory";
    is_stopped(ABOUT "while true do end", false, late);
    is_stopped(ABOUT "while true do pcall(function() while true do end end) end", false, late);
    is_stopped(ABOUT "string.rep('x', 1e4):gsub('x', function() while true do end end)", false,
               late);
    is_stopped("local a = 1\nwhile true do end " ABOUT, true, "more than 0.25 s before about{}");
    is_stopped(ABOUT "local t = {} while true do t[#t + 1] = {} end", false, full);
    is_stopped(ABOUT "local v = vec(1e7 // 1 | 0)", false, full);
    is_stopped("local s = string.rep('x', 1 << 28) " ABOUT, true, full);
    is_stopped(ABOUT "while true do choice { 'a', taken = 'b', why = 'c', otherwise = 'd' } end",
               false, "more than 1000 choices");
    // What the memory was needed for is free again: garbage does not count.
    sis_study study = {.root = root, .paper = "p", .item = "i", .memory = (size_t)16 << 20};
    sis_fault fault = {.text = ""};
    write_file("repro/p/i.lua", ABOUT "for i = 1, 50 do local v = vec(1000000) end");
    json_t* result = sis_study_run(&study, &fault);
    CHECK_TEXT(fault.text, "");
    CHECK(result != NULL);
    json_decref(result);
    // When scripts are listed nothing long is begun at all.
    fails("run('nowhere') " ABOUT, "run: about{} comes first");
    fails("inspect('nowhere') " ABOUT, "inspect: about{} comes first");
    fails("spectrum(vec(4), 1) " ABOUT, "spectrum: about{} comes first");
    fails("figure {} " ABOUT, "figure: about{} comes first");
}

static void what_is_too_long_is_told(void) {
    // The limit lies inside of a letter of two bytes.
    fails(ABOUT "claim { 'x', published = 1, measured = 'a' .. string.rep('\\u{e9}', 1200), "
                "holds = true }",
          "claim: measured is too long: 2401 bytes, at most 2047");
    fails(ABOUT "local t = {} for i = 1, 10 do t[i] = 'a' .. string.rep('\\u{e9}', 200) end\n"
                "claim { 'x', published = 1, measured = t, holds = true }",
          "claim: measured is too long: more than 2047 bytes");
    fails(ABOUT "choice { 'x', taken = string.rep('t', 3000), why = 'w', otherwise = 'o' }",
          "choice: taken is too long: 3000 bytes");
    fails("about { place = 'Fig. 1', title = string.rep('t', 160) }",
          "about: title is too long: at most 159 bytes");
    // A surprise quotes texts that are long enough by themselves: it is cut between letters.
    sis_fault fault = {.text = ""};
    json_t* result =
        run_text(ABOUT "local long = string.rep('\\u{e9}', 1000)\n"
                       "claim { long, published = long, measured = 'a' .. long, holds = false }",
                 &fault);
    CHECK_TEXT(fault.text, "");
    CHECK(result && json_array_size(json_object_get(result, "surprises")) == 1);
    json_decref(result);
}

static const json_t* only(const json_t* result, const char* list) {
    const json_t* entries = json_object_get(result, list);
    CHECK(json_array_size(entries) == 1);
    return json_array_get(entries, 0);
}

static void a_claim_is_judged_and_a_surprise_is_told(void) {
    static const struct {
        const char *claim, *verdict;
        int surprises;
    } cases[] = {
        {"published = 2, measured = 2.01, within = 0.02", "reproduced", 0},
        {"published = 2, measured = 2.03, within = 0.02", "does not reproduce", 1},
        {"published = 2, measured = 2.03, percent = 2", "reproduced", 0},
        {"published = 'low', measured = 3, holds = true", "reproduced", 0},
        {"published = 'low', measured = 3, holds = true, expect = 'reproduced with correction', "
         "why = 'w'",
         "reproduced with correction", 0},
        {"published = 'low', measured = 3, holds = false, expect = 'does not reproduce', why = 'w'",
         "does not reproduce", 0},
        {"published = 'low', measured = 3, holds = true, expect = 'does not reproduce', why = 'w'",
         "reproduced", 1},
        {"published = false, measured = 3, holds = false", "", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        sis_fault fault = {.text = ""};
        snprintf(text, sizeof text, ABOUT "claim { 'x', %s }", cases[i].claim);
        json_t* result = run_text(text, &fault);
        CHECK_TEXT(field(result, "claims", 0, "verdict"), cases[i].verdict);
        CHECK(json_array_size(json_object_get(result, "surprises")) == (size_t)cases[i].surprises);
        json_decref(result);
    }
    fails("claim { 'x' }", "about{} comes first");
    fails(ABOUT "claim { 'x', published = 1, measured = 1 }", "needs one of");
    fails(ABOUT "claim { 'x', published = 1, measured = 0/0, holds = true }", "NaN");
    fails(ABOUT "claim { 'x', published = 1, measured = 1, holds = true, expect = 'maybe' }",
          "expect must be");
    fails(ABOUT "claim { 'x', published = 1, measured = 1, holds = false, expect = "
                "'does not reproduce' }",
          "needs a why");
    fails(ABOUT "claim { 'x', publised = 1 }", "unknown key 'publised'");
    fails("x = 1", "no about{}");
}

static void misprints_and_choices_are_kept(void) {
    sis_fault fault = {.text = ""};
    json_t* result = run_text(
        ABOUT "misprint { '(1)', printed = 'a', right = 'b', measure = 'energy', printed_gives = "
              "2e77, right_gives = 1.25e-13, holds = true }\n"
              "choice { 'apex', taken = 'L/4', why = 'w', otherwise = 'same' }",
        &fault);
    CHECK_TEXT(fault.text, "");
    CHECK(only(result, "misprints") && only(result, "choices"));
    CHECK_TEXT(field(result, "misprints", 0, "printed_gives"), "2.00e77");
    CHECK_TEXT(field(result, "misprints", 0, "right_gives"), "1.25e-13");
    CHECK_TEXT(field(result, "choices", 0, "otherwise"), "same");
    json_decref(result);
}

static void scripts_reach_neither_files_nor_programs(void) {
    fails(ABOUT "io.open('x')", "global 'io'");
    fails(ABOUT "os.execute('x')", "global 'os'");
    fails(ABOUT "load('return 1')()", "global 'load'");
    fails(ABOUT "use '../x'", "not a place in repro/");
    fails(ABOUT "use 'lib/none'", "repro/lib/none.lua cannot be read");
    fails(ABOUT "local x = = 1", "repro/p/i.lua:2");
    write_file("repro/lib/twice.lua", "return function(x) return 2 * x end");
    measures("local twice = use 'lib/twice'", "twice(4.5)", "9.00000000");
}

static void about_alone_runs_nothing(void) {
    write_file("repro/p/i.lua", "about { place = 'Table 1', title = 't', slow = true } error('x')");
    sis_study study = {.root = root, .paper = "p", .item = "i", .only_about = true};
    sis_fault fault = {.text = ""};
    json_t* result = sis_study_run(&study, &fault);
    CHECK(result && json_is_true(json_object_get(result, "slow")));
    CHECK(result && json_is_false(json_object_get(result, "alone")));
    json_decref(result);
}

int main(void) {
    snprintf(root, sizeof root, "/tmp/sistrum-study-XXXXXX");
    if (!mkdtemp(root)) return 1;
    mkdir(in_root("repro"), 0700);
    mkdir(in_root("repro/p"), 0700);
    mkdir(in_root("repro/lib"), 0700);
    RUN(vecs_compute_like_numbers);
    RUN(what_is_not_a_number_is_never_claimed);
    RUN(spectra_find_sines);
    RUN(runs_give_what_the_program_measures);
    RUN(absurd_numbers_are_refused);
    RUN(no_script_runs_for_ever);
    RUN(what_is_too_long_is_told);
    RUN(a_claim_is_judged_and_a_surprise_is_told);
    RUN(misprints_and_choices_are_kept);
    RUN(scripts_reach_neither_files_nor_programs);
    RUN(about_alone_runs_nothing);
    unlink(in_root("repro/p/i.lua"));
    unlink(in_root("repro/lib/twice.lua"));
    rmdir(in_root("repro/lib"));
    rmdir(in_root("repro/p"));
    rmdir(in_root("repro"));
    rmdir(root);
    return CHECK_REPORT();
}
