// Scenes in Lua: they reach what the sandbox holds and nothing else, the same text makes the same
// scene, and no text or file at all can hang, crash or leak.
#include "budget.h"
#include "check.h"
#include "scene/scene.h"
#include "script.h"
#include "script_help.h"
#include "sistrum/elementary.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

// ---------------------------------------------------------------------------- the sandbox

static void unknown_words_are_named_with_a_suggestion(void) {
    refused("\nmas{ mass = 1 }", "scene.lua:2: unknown word 'mas' (did you mean 'mass'?)", "");
    refused("contatc{}", "unknown word 'contatc' (did you mean 'contact'?)", "scene.lua:1:");
    refused("abracadabra{}", "scene.lua:1: unknown word 'abracadabra'", "");
    CHECK(!strstr(error.text, "did you mean"));
    refused("hammer = 1 mass{ mass = hamer * 2 }", "unknown word 'hamer' (did you mean 'hammer'?)",
            "");
    refused("mass = 3 mass{}", "'mass' is a word of scenes", "another meaning");
}

static void the_sandbox_holds_the_contracted_names_only(void) {
    CHECK(loads(
        "local allowed = {}\n"
        "for _, n in ipairs{ 'math', 'table', 'ipairs', 'pairs', 'next', 'select', 'tostring',\n"
        " 'tonumber', 'type', 'error', 'assert', 'string', 'param', 'mass', 'plate', 'modal',\n"
        " 'barrier', 'contact', 'spring', 'bow', 'force', 'pluck', 'gravity', 'probe', 'render',\n"
        " 'play', 'input', 'preset', 'use' } do assert(_ENV[n] ~= nil, n) allowed[n] = true end\n"
        "for name in pairs(_ENV) do assert(allowed[name], name) end\n"
        "for _, n in ipairs{ 'format', 'rep', 'sub', 'upper', 'lower', 'len', 'byte', 'char',\n"
        " 'reverse' } do assert(string[n], n) allowed['string.' .. n] = true end\n"
        "for name in pairs(string) do assert(allowed['string.' .. name], name) end\n"
        "assert(not io and not os and not debug and not require and not load and not dofile)\n"
        "assert(not pcall and not xpcall and not coroutine and not setmetatable)\n"
        "assert(not string.find and not ('x').gsub and not ('x').dump)\n"
        "mass{ mass = 1 }"));
    refused("os.execute('echo')", "scene.lua:1: 'os' is not available in a scene", "");
    refused("pcall(mass, {})", "'pcall' is not available in a scene", "");
    refused("local x = ('x'):gsub('x', 'y')", "'gsub' is not available in a scene", "");
    refused("string.find('x', 'x')", "'find' is not available in a scene", "");
}

static void errors_of_the_scene_become_one_line(void) {
    refused("x = = 1", "scene.lua:1: unexpected symbol near '='", "");
    refused("\nerror('no such\\nthing')", "scene.lua:2: no such thing", "");
    refused("error('short', 0)", "scene.lua:1: short", "");
    refused("\n\nerror(nil)", "scene.lua:3:", "no message");
    refused("error({})", "scene.lua:1:", "no message");
    refused("error(mass)", "scene.lua:1:", "no message");
    refused("error(42)", "scene.lua:1:", "42");
    refused("\nassert(1 > 2)", "scene.lua:2: assertion failed!", "");
    refused("assert(false, {})", "scene.lua:1:", "no message");
    refused("math.sqrt('x')", "scene.lua:1: bad argument #1 to 'sqrt'", "");
    refused("string.rep()", "scene.lua:1: bad argument #1 to 'rep'", "");
    refused("local n = #3", "scene.lua:1: attempt to get length of a number value", "");
    refused("local f, t = pairs({}) f(3)", "scene.lua:1:", "table expected, got number");
    refused("error(('x'):rep(5000))", "scene.lua:1: xxxx", "");
    CHECK(strlen(error.text) == sizeof error.text - 1);
}

static void addresses_do_not_reach_a_scene(void) {
    refused("local s = string.format('%p', {})", "scene.lua:1:", "differs from run to run");
    refused("local s = ('%-20p'):format(mass)", "scene.lua:1:", "differs from run to run");
    refused("local t = { [{}] = 1, [{}] = 2 }\nfor k in pairs(t) do end",
            "scene.lua:2:", "no fixed order");
    refused("local t = { [{}] = 1, [mass] = 2 }\nlocal k = next(t)",
            "scene.lua:2:", "no fixed order");
    CHECK(loads("local t = { [{}] = 1, a = 2 } local n = 0 for k, v in pairs(t) do n = n + v end\n"
                "assert(n == 3 and next(t) == 'a') mass{ mass = 1 }"));
    refused("local t = { a = 1 }\nlocal k = next(t, 'b')", "scene.lua:2:", "no such key");
}

static double mass_position(const sis_script* script, sis_id id) {
    return ((const sis_mass_def*)sis_scene_def(sis_script_scene(script), id))->position;
}

// math.* and ^ are the core's own, whose last digit is the same on every machine.
static void scenes_compute_with_our_elementary_functions(void) {
    static const double x[] = {0.1, 0.7, 1.3, 2.9, 11.7, 123.456};
    for (size_t i = 0; i < sizeof x / sizeof x[0]; i++) {
        char text[1000];
        snprintf(text, sizeof text,
                 "local x = %a\nfor _, v in ipairs{ math.sin(x), math.cos(x), math.tan(x),\n"
                 "math.exp(x), math.log(x), math.log(x, 2), math.log(x, 10), math.atan(x),\n"
                 "math.atan(x, 0.3), math.asin(x / 200), math.acos(x / 200), x ^ 1.37, x ^ -0.21,\n"
                 "x ^ x } do mass{ mass = 1, position = v < 1e6 and v or 0 } end",
                 x[i]);
        double a = x[i];
        double want[] = {sis_sin(a),          sis_cos(a),        sis_tan(a),
                         sis_exp(a),          sis_log(a),        sis_log2(a),
                         sis_log10(a),        sis_atan(a),       sis_atan2(a, 0.3),
                         sis_asin(a / 200),   sis_acos(a / 200), sis_power(a, 1.37),
                         sis_power(a, -0.21), sis_power(a, a)};
        sis_script* script = load(text);
        CHECK(script != NULL);
        for (size_t k = 0; script && k < sizeof want / sizeof want[0]; k++)
            CHECK(mass_position(script, (sis_id)k) == (want[k] < 1e6 ? want[k] : 0));
        sis_script_free(script);
    }
}

static void the_same_text_makes_the_same_scene(void) {
    static const char text[] =
        "local t = { 30, 10, 20, c = 3, a = 1, b = 2, [true] = 0, [-1] = 5 }\n"
        "local all = ''\n"
        "for k, v in pairs(t) do all = all .. tostring(k) .. ' ' end\n"
        "assert(all == '1 2 3 -1 a b c true ', all)\n"
        "for k in pairs(t) do t[k] = nil end\n"
        "assert(next(t) == nil)\n"
        "t = { 5, 6, z = 1, y = 2, [2.5] = 3 }\n"
        "local key, value, by_next = next(t), nil, ''\n"
        "while key do by_next = by_next .. tostring(key) .. ' ' key, value = next(t, key) end\n"
        "assert(by_next == '1 2 2.5 y z ', by_next)\n"
        "assert(tostring({}) == 'table' and tostring(print or next) == 'function')\n"
        "assert(string.format('%s %5.1f %d%%', {}, 2, 7) == 'table   2.0 7%')\n"
        "local r = {}\n"
        "for i = 1, 300 do r[i] = { i, i % 7 } end\n"
        "table.sort(r, function(x, y) return x[2] < y[2] end)\n"
        "for i = 2, 300 do local x, y = r[i - 1], r[i]\n"
        "assert(x[2] < y[2] or (x[2] == y[2] and x[1] < y[1])) end\n"
        "mass{ mass = math.random() }\n"
        "math.randomseed() mass{ mass = math.random() }\n"
        "math.randomseed(7) mass{ mass = math.random() }\n";
    double first[3] = {0};
    for (int run = 0; run < 3; run++) {
        sis_script* script = load(text);
        CHECK(script != NULL);
        if (!script) printf("%s\n", error.text);
        for (sis_id id = 0; script && id < 3; id++) {
            double mass = ((const sis_mass_def*)sis_scene_def(sis_script_scene(script), id))->mass;
            if (run == 0) first[id] = mass;
            CHECK(mass == first[id]);
        }
        sis_script_free(script);
    }
    CHECK(first[0] == first[1] && first[0] != first[2]);
}

// ---------------------------------------------------------------------------- limits

// Refused, and in time. The brief form allows a tenth of the work of a scene.
static void ends(const char* text) {
    sis_limits limits = sis_limits_default;
    const int part = check_count(10, 1);
    limits.work /= (uint64_t)part;
    limits.seconds /= part;
    const double start = check_seconds();
    sis_script* script =
        sis_script_load_limited(text, strlen(text), "scene.lua", NULL, 0, &limits, &error);
    CHECK(!script && error.status == SIS_SCRIPT_WRONG);
    CHECK(!strchr(error.text, '\n'));
    CHECK_TEXT(error.text, "scene.lua");
    sis_script_free(script);
    const double took = check_seconds() - start;
    if (took > 10) printf("%.3g s: %s\n", took, text);
    CHECK(took < 10);
}

static void nothing_runs_for_ever(void) {
    static const char* const texts[] = {
        "while true do end",
        "goto x ::x:: goto x",
        "repeat local t = {} until false",
        "local function f() return f() end f()",
        "local function f() return 1 + f() end f()",
        "local function f() table.sort({ 3, 2, 1 }, f) end f()",
        "local s = 'x' while true do s = s .. s end",
        "local t = {} while true do t[#t + 1] = {} end",
        "local s = ('x'):rep(1e6) while true do local a = s:upper() end",
        "local s = ('7'):rep(1e6) while true do local a = tonumber(s) end",
        "local s = ('%%'):rep(5e5) while true do string.format(s) end",
        "string.rep('x', 1e12)",
        "string.rep('x', 1e6, ('y'):rep(1e6))",
        "while true do string.rep('', 1e18) end",
        "table.move({}, 1, 1e18, 2)",
        "table.move({}, math.mininteger, math.maxinteger, 2)",
        "table.concat({}, '', 1, 1e18)",
        "table.unpack({}, 1, 1e18)",
        "local t = {} for i = 1, 1e5 do t[i] = i end while true do table.insert(t, 1, 0) end",
        "local t = {} for i = 1, 1e6 do t[i] = '' end while true do table.concat(t) end",
        "local t = {} for i = 1, 1e5 do t['k' .. i] = i end while true do pairs(t) end",
        "local t = {} for i = 1, 4e5 do t[i] = {} end while true do local s = ('x'):rep(9e3) end",
        "local s, t = ('x'):rep(1e6), {} for i = 1, 4e5 do t[i] = s end table.sort(t)",
        "table.sort({ 3, 2, 1 }, function() while true do end end)",
        "for i = 1, 1e9 do mass{ mass = 1 } end",
        "local p = {} for i = 1, 2e5 do p[i] = { i, 0 } end for j = 1, 20 do mass{ path = p } end",
        "local p, q = {}, { 0, 0 } for i = 1, 1000001 do p[i] = q end mass{ path = p }",
        "for i = 1, 1e9 do param{ 'p' .. i, 1 } end",
    };
    CHECK(loads("local t = {} for i = 1, 1e5 do t[i] = -i end table.sort(t) mass{ mass = 1 }"));
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        ends(texts[i]);
    refused("while true do end", "scene.lua:1: the scene runs too long", "endless loop");
    static const char many[] = "for i = 1, 1e9 do mass{ mass = 1 } end";
    sis_limits patient = sis_limits_default;
    patient.seconds = 1e3;
    CHECK(!sis_script_load_limited(many, strlen(many), "many.lua", NULL, 0, &patient, &error));
    CHECK_TEXT(error.text, "many.lua:1: a scene holds at most 100000 objects");
}

// `#t` may be any border of a table: here it is 2^62.
static void lengths_that_lie_are_refused(void) {
    static const char* const calls[] = {"table.insert(t, 1, 2)", "table.remove(t, 1)",
                                        "table.sort(t)", "mass{ path = t }"};
    for (int i = 0; i < 4; i++) {
        char text[2048] = "local t = { ";
        for (int k = 0; k < 63; k++)
            snprintf(text + strlen(text), sizeof text - strlen(text), "[1 << %d] = 1, ", k);
        snprintf(text + strlen(text), sizeof text - strlen(text), "} assert(#t > 1e15) %s",
                 calls[i]);
        refused(text, "scene.lua:1: ", i < 3 ? "elements are too many" : "with gaps or keys");
    }
}

static char* repeated(const char* head, const char* part, int count, const char* tail) {
    size_t room = strlen(head) + strlen(part) * (size_t)count + strlen(tail) + 1;
    char* text = malloc(room);
    if (!text) return NULL;
    char* end = text + sprintf(text, "%s", head);
    for (int i = 0; i < count; i++)
        end += sprintf(end, "%s", part);
    sprintf(end, "%s", tail);
    return text;
}

static void no_text_is_too_hard_to_parse(void) {
    static const struct {
        const char *head, *part;
        int count;
        const char* tail;
    } texts[] = {
        {"x = ", "(", 100000, ""},
        {"x = ", "{", 100000, ""},
        {"x = ", "'a' .. ", 100000, "1"},
        {"x = ", "not ", 100000, "1"},
        {"", "do ", 100000, ""},
        {"if x then ", "elseif x then ", 250000, "end"},
        {"", "goto a ", 400000, ""},
        {"", "::a", 100000, ""},
        {"x = { ", "1, ", 1300000, "}"},
        {"x = '", "abcdefgh", 200000, "'"},
        {"local function f() ", "local function f() ", 190, ""},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char* text = repeated(texts[i].head, texts[i].part, texts[i].count, texts[i].tail);
        CHECK(text != NULL);
        if (!text) continue;
        double start = check_seconds();
        refused(text, "scene.lua", "");
        CHECK(check_seconds() - start < 10);
        free(text);
    }
}

static void running_out_of_memory_is_an_error_at_any_point(void) {
    static const char text[] = BODIES "local K = param{ 'K', 5, min = 1, max = 9, label = 'k' }\n"
                                      "contact{ above = m, below = b, K = K, alpha = 1 }\n"
                                      "local t = {} for i = 1, 20 do t[i] = { i, i } end\n"
                                      "mass{ path = t } force{ on = m, shape = t }\n"
                                      "for k, v in pairs(t) do table.sort(v) end mass{ mas = 1 }";
    int refusals = 0;
    for (size_t memory = 0; memory < 100000; memory += memory < 40000 ? 97 : 997) {
        sis_limits limits = sis_limits_default;
        limits.memory = memory;
        sis_script* script =
            sis_script_load_limited(text, strlen(text), "scene.lua", NULL, 0, &limits, &error);
        CHECK(!script && error.status == SIS_SCRIPT_WRONG);
        refusals += strstr(error.text, "memory") != NULL;
        sis_script_free(script);
    }
    CHECK(refusals > 100);
    CHECK_TEXT(error.text, "scene.lua:6: mass: unknown key 'mas'");
}

static void stopping_at_any_instruction_leaves_nothing_behind(void) {
    static const char text[] = "for i = 1, 50 do local p = param{ 'p' .. i, i }\n"
                               "mass{ path = { { 0, p }, { 1, p } } }\n"
                               "local t = { 3, 2, 1, a = 1 } table.sort(t)\n"
                               "for k in pairs(t) do local s = ('x'):rep(i) end end";
    for (uint64_t work = 0; work < 12000; work += 113) {
        sis_limits limits = sis_limits_default;
        limits.work = work;
        sis_script* script =
            sis_script_load_limited(text, strlen(text), "scene.lua", NULL, 0, &limits, &error);
        CHECK(script || strstr(error.text, "runs too long"));
        sis_script_free(script);
    }
}

// ---------------------------------------------------------------------------- files

static void refused_file(const char* path, const char* part) {
    double start = check_seconds();
    CHECK(!sis_script_load(path, NULL, 0, &error) && error.status == SIS_SCRIPT_WRONG);
    CHECK_TEXT(error.text, part);
    CHECK(check_seconds() - start < 10);
}

static void write_file(const char* path, const char* text, size_t size) {
    FILE* file = fopen(path, "wb");
    CHECK(file && fwrite(text, 1, size, file) == size);
    if (file) fclose(file);
}

static void what_is_not_a_scene_file_is_refused(void) {
    char folder[] = "/tmp/sistrum-script-XXXXXX", path[64];
    CHECK(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/scene.lua", folder);
    refused_file(path, "cannot read the scene: No such file");
    refused_file(folder, "it is a directory");
    refused_file("", "cannot read the scene");
    refused_file(NULL, "cannot read the scene");
    refused_file("/dev/zero", "it is not a plain file");
    CHECK(mkfifo(path, 0600) == 0);
    refused_file(path, "it is not a plain file");
    unlink(path);

    static const char bytecode[] = "\x1bLua\x54", zero[] = "mass{ mass = 1 }\n\n x = '\0'";
    write_file(path, "", 0);
    refused_file(path, "scene.lua: the scene is empty");
    write_file(path, bytecode, sizeof bytecode - 1);
    refused_file(path, "it is compiled Lua");
    write_file(path, zero, sizeof zero - 1);
    refused_file(path, "scene.lua:3: there is a zero byte");
    write_file(path, "\nmas{}\r\n", 8);
    refused_file(path, "scene.lua:2: unknown word 'mas'");
    char* large = repeated("", "--------", (4 << 17) + 1, "");
    CHECK(large != NULL);
    if (large) write_file(path, large, strlen(large));
    free(large);
    refused_file(path, "it is larger than 4 MB");
    unlink(path);
    CHECK(rmdir(folder) == 0);
}

static void nothing_is_an_empty_scene(void) {
    refused("", "scene.lua: the scene is empty", "");
    refused("-- only a remark\n", "scene.lua: the scene is empty", "");
    refused("\xEF\xBB\xBF", "scene.lua: the scene is empty", "");
    refused("local K = param{ 'K', 1 }", "scene.lua: the scene is empty", "");
    CHECK(!sis_script_load_text(NULL, 0, NULL, NULL, 0, NULL));
    CHECK(!sis_script_load_text(NULL, 9, NULL, NULL, 9, &error));
    CHECK_TEXT(error.text, "scene: the scene is empty");
    sis_script_free(NULL);
}

int main(void) {
    RUN(unknown_words_are_named_with_a_suggestion);
    RUN(the_sandbox_holds_the_contracted_names_only);
    RUN(errors_of_the_scene_become_one_line);
    RUN(addresses_do_not_reach_a_scene);
    RUN(scenes_compute_with_our_elementary_functions);
    RUN(the_same_text_makes_the_same_scene);
    RUN(nothing_runs_for_ever);
    RUN(lengths_that_lie_are_refused);
    RUN(no_text_is_too_hard_to_parse);
    RUN(running_out_of_memory_is_an_error_at_any_point);
    RUN(stopping_at_any_instruction_leaves_nothing_behind);
    RUN(what_is_not_a_scene_file_is_refused);
    RUN(nothing_is_an_empty_scene);
    return CHECK_REPORT();
}
