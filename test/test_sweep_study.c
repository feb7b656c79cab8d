// A study: its points, its rows whoever makes them, and its database.

#include "check.h"
#include "run.h"
#include "sweep_work.h"

#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const char scene[] =
    "local K = param { 'K', 1e6, min = 1e3, max = 1e9, scale = 'log', unit = 'N/m' }\n"
    "local v = param { 'v', 1, min = 0.1, max = 3, unit = 'm/s' }\n"
    "if K > 5e8 then error('too hard') end\n"
    "local m = mass { mass = 0.01, frequency = 100, velocity = -v }\n"
    "contact { above = m, below = barrier { height = -1e-4 }, K = K, alpha = 1.5, name = 'hit' }\n"
    "probe { on = m, quantity = 'velocity', name = 'out' }\n"
    "render { rate = 8000, duration = 0.05 }\n";

static sis_sweep_spec spec_of(const char* const* axes, int32_t count) {
    return (sis_sweep_spec){.scene = scene,
                            .scene_size = sizeof scene - 1,
                            .scene_name = "test.lua",
                            .rate = (double)NAN,
                            .duration = (double)NAN,
                            .scheme = SIS_SCHEME_AS_GIVEN,
                            .axes = axes,
                            .axis_count = count,
                            .seed = 4,
                            .hold = (double)NAN,
                            .a4 = 440,
                            .measures = "peak,rms,max_force,residual,energy@0.02"};
}

static sis_sweep* study_of(uint64_t random) {
    sis_fault fault = {.text = ""};
    sis_sweep_spec spec = spec_of(NULL, 0);
    spec.random = random;
    sis_sweep* sweep = sis_sweep_new(&spec, &fault);
    CHECK(sweep);
    if (!sweep) printf("%s\n", fault.text);
    return sweep;
}

// ---------------------------------------------------------------------------- points

static void indices_count_all_combinations_with_the_last_axis_fastest(void) {
    static const char* const axes[] = {"K=1e4:1e6:log:3", "v=1,2"};
    static const double K[] = {1e4, 1e4, 1e5, 1e5, 1e6, 1e6}, v[] = {1, 2, 1, 2, 1, 2};
    sis_fault fault;
    sis_sweep_spec spec = spec_of(axes, 2);
    sis_sweep* sweep = sis_sweep_new(&spec, &fault);
    CHECK(sweep && sis_sweep_count(sweep) == 6);
    for (uint64_t i = 0; sweep && i < 6; i++) {
        double values[SIS_AXES_MOST];
        sis_points_at(&sweep->points, i, values);
        CHECK_NEAR(values[0] / K[i], 1, 1e-15);
        CHECK(values[1] == v[i]);
    }
    sis_sweep_free(sweep);
}

/** Values of one axis alone. */
static void check_steps(const char* axis, const double* expected, uint64_t count) {
    sis_fault fault;
    sis_sweep_spec spec = spec_of(&axis, 1);
    sis_sweep* sweep = sis_sweep_new(&spec, &fault);
    CHECK(sweep && sis_sweep_count(sweep) == count);
    for (uint64_t i = 0; sweep && i < count; i++) {
        double values[SIS_AXES_MOST];
        sis_points_at(&sweep->points, i, values);
        CHECK(values[0] == expected[i]);
    }
    sis_sweep_free(sweep);
}

static void steps_are_the_decimals_that_are_meant(void) {
    static const double K[] = {1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};
    static const double down[] = {3e8, 3e7, 3e6, 3e5, 3e4, 3e3};
    static const double v[] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1};
    static const double close[] = {1, 1 + 2.220446049250313e-16, 1 + 2 * 2.220446049250313e-16};
    check_steps("K=1e3:1e9:log:7", K, 7);
    check_steps("K=3e8:3e3:log:6", down, 6);
    check_steps("v=0.1:1:10", v, 10);
    check_steps("v=1,1.0000000000000002,1.0000000000000004", close, 3); // what is listed stays
}

static void draws_stay_in_the_range_and_follow_the_scale(void) {
    for (int draw = 0; draw < 3; draw++) {
        sis_fault fault;
        sis_sweep_spec spec = spec_of(NULL, 0);
        spec.random = 1000;
        spec.draw = (sis_draw)draw;
        sis_sweep* sweep = sis_sweep_new(&spec, &fault);
        int low = 0, slow = 0;
        for (uint64_t i = 0; sweep && i < 1000; i++) {
            double values[SIS_AXES_MOST];
            sis_points_at(&sweep->points, i, values);
            CHECK(values[0] >= 1e3 && values[0] <= 1e9 && values[1] >= 0.1 && values[1] <= 3);
            low += values[0] < 1e6;
            slow += values[1] < 1.55;
        }
        CHECK_NEAR(low, 500, 80);
        CHECK_NEAR(slow, 500, 80);
        sis_sweep_free(sweep);
    }
}

static void a_study_is_another_one_when_anything_of_it_changes(void) {
    static const char *const axes[] = {"K=1e4,1e5"}, *const others[] = {"K=1e4,2e5"};
    sis_sweep_spec specs[6];
    char hashes[6][SIS_SHA256];
    for (int i = 0; i < 6; i++)
        specs[i] = spec_of(axes, 1);
    specs[1].axes = others;
    specs[2].duration = 0.04;
    specs[3].measures = "peak";
    specs[4].scene_size--; // the last line break
    specs[5].scheme = SIS_SCHEME_NEWTON;
    for (int i = 0; i < 6; i++) {
        sis_fault fault;
        sis_sweep* sweep = sis_sweep_new(&specs[i], &fault);
        CHECK(sweep);
        snprintf(hashes[i], sizeof hashes[i], "%s", sweep ? sweep->hash : "");
        for (int j = 0; j < i; j++)
            CHECK(strcmp(hashes[i], hashes[j]) != 0);
        sis_sweep_free(sweep);
    }
}

// ---------------------------------------------------------------------------- rows

static bool same_rows(const sis_row* a, const sis_row* b, int32_t columns) {
    for (int32_t i = 0; i < columns; i++)
        if (a->values[i] != b->values[i] && !(isnan(a->values[i]) && isnan(b->values[i])))
            return false;
    return a->index == b->index && !strcmp(a->error, b->error);
}

static void rows_do_not_depend_on_the_runs_before_them(void) {
    enum { COUNT = 40 };
    sis_sweep* sweep = study_of(COUNT);
    sis_fault fault;
    sis_runner *up = sis_runner_new(sweep, NULL, &fault),
               *down = sis_runner_new(sweep, NULL, &fault);
    static sis_row forwards[COUNT], backwards[COUNT];
    int failed = 0;
    for (uint64_t i = 0; i < COUNT; i++) {
        CHECK(sis_runner_run(up, i, &forwards[i], &fault));
        CHECK(sis_runner_run(down, COUNT - 1 - i, &backwards[COUNT - 1 - i], &fault));
        failed += forwards[i].failed;
    }
    for (uint64_t i = 0; i < COUNT; i++)
        CHECK(same_rows(&forwards[i], &backwards[i], sweep->column_count));
    CHECK(failed > 0 && failed < COUNT / 2); // those that are too hard
    sis_runner_free(up);
    sis_runner_free(down);
    sis_sweep_free(sweep);
}

#ifdef SISTRUM_SWEEP

// ---------------------------------------------------------------------------- the database

static char folder[] = "/tmp/sistrum-study-XXXXXX";

static const char* path_of(const char* name) {
    static char paths[4][128];
    static int next;
    char* path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

/** The CSV of a database, which the caller frees. */
static char* csv_of(const char* name) {
    char* text = NULL;
    size_t size = 0;
    sis_fault fault = {.text = ""};
    FILE* stream = open_memstream(&text, &size);
    sis_base* base = sis_base_read(path_of(name), &fault);
    CHECK(base && sis_base_csv(base, stream, &fault));
    fclose(stream);
    sis_base_close(base, NULL);
    return text;
}

static bool ends_at_once(void* self) {
    int* calls = self;
    return --*calls < 0;
}

/** Works on a study; after `looks` it is to stop. */
static bool work(const sis_sweep* sweep, const char* name, int32_t threads, int looks) {
    sis_fault fault = {.text = ""};
    sis_base* base = sis_base_open(path_of(name), sweep, "test", &fault);
    sis_work work = {.sweep = sweep, .base = base, .threads = threads, .parts = 1};
    work.stop = ends_at_once;
    work.stop_self = &looks;
    bool done = base && sis_work_go(&work, &fault);
    CHECK(sis_base_close(base, &fault));
    return done;
}

static void a_study_goes_on_where_it_was(void) {
    sis_sweep* sweep = study_of((uint64_t)check_count(SANITIZED ? 300 : 2000, 20000));
    CHECK(work(sweep, "whole.db", 1, 1 << 30));
    bool done = false;
    int stops = 0;
    while (!done && stops < 1000) {
        done = work(sweep, "pieces.db", 1 + stops % 3, stops % 2);
        stops += !done;
    }
    char *whole = csv_of("whole.db"), *pieces = csv_of("pieces.db");
    CHECK(done);
    CHECK(whole && pieces && !strcmp(whole, pieces));
    free(whole);
    free(pieces);
    sis_sweep_free(sweep);
}

/** Hands out blocks as ranks would ask for them. */
static bool next_of_rank(void* self, uint64_t* block) {
    uint64_t* rank = self; // number, ranks, next, blocks
    if (rank[2] >= rank[3]) return false;
    *block = rank[2];
    rank[2] += rank[1];
    return true;
}

static void ranks_with_databases_of_their_own_are_merged_into_the_same_rows(void) {
    sis_sweep* sweep = study_of(SANITIZED ? 100 : 500);
    CHECK(work(sweep, "alone.db", 2, 1 << 30));
    static const char* const names[] = {"rank0.db", "rank1.db", "rank2.db"};
    char parts[3][128];
    for (uint64_t r = 0; r < 3; r++) {
        sis_fault fault = {.text = ""};
        uint64_t rank[] = {r, 3, r, sis_sweep_blocks(sweep)};
        snprintf(parts[r], sizeof parts[r], "%s", path_of(names[r]));
        sis_base* base = sis_base_open(parts[r], sweep, "test", &fault);
        sis_work w = {.sweep = sweep, .base = base, .threads = 2};
        w.next_block = next_of_rank;
        w.next_self = rank;
        CHECK(base && sis_work_go(&w, &fault));
        CHECK(sis_base_close(base, &fault));
    }
    sis_fault fault = {.text = ""};
    const char* const list[] = {parts[2], parts[0], parts[1], parts[0]};
    CHECK(sis_base_merge(path_of("merged.db"), list, 4, &fault));
    char *alone = csv_of("alone.db"), *merged = csv_of("merged.db");
    CHECK(alone && merged && !strcmp(alone, merged));
    free(alone);
    free(merged);
    sis_sweep_free(sweep);
}

static void parts_that_were_killed_before_they_had_tables_may_come_first(void) {
    sis_sweep* sweep = study_of(10);
    sis_fault fault = {.text = ""};
    char parts[2][128];
    snprintf(parts[0], sizeof parts[0], "%s", path_of("rank0.db"));
    snprintf(parts[1], sizeof parts[1], "%s", path_of("mine.db"));
    unlink(parts[0]);
    FILE* empty = fopen(parts[0], "wb");
    CHECK(empty && fclose(empty) == 0);
    CHECK(work(sweep, "mine.db", 1, 1 << 30));
    unlink(path_of("merged.db"));
    const char* const list[] = {parts[0], parts[0], parts[1], parts[0]};
    CHECK(!sis_base_merge(path_of("merged.db"), list, 2, &fault));
    CHECK_TEXT(fault.text, "is no database of a study");
    CHECK(access(path_of("merged.db"), F_OK) != 0);
    CHECK(sis_base_merge(path_of("merged.db"), list, 4, &fault));
    char *mine = csv_of("mine.db"), *merged = csv_of("merged.db");
    CHECK(mine && merged && !strcmp(mine, merged));
    free(mine);
    free(merged);
    unlink(parts[1]);
    sis_sweep_free(sweep);
}

/** The clock of the machine, set back an hour before the last look at it. */
static atomic_bool set_back;

extern long syscall(long number, ...);

int clock_gettime(clockid_t clock, struct timespec* now) {
    int failed = (int)syscall(SYS_clock_gettime, clock, now);
    if (clock == CLOCK_REALTIME && atomic_load(&set_back)) now->tv_sec += 3600;
    return failed;
}

/** Seconds that a study of one run takes that is so long; ended after `looks`. */
static double seconds_of(double duration, int looks) {
    static const char* const axes[] = {"K=1e4"};
    sis_fault fault = {.text = ""};
    sis_sweep_spec spec = spec_of(axes, 1);
    spec.measures = "residual";
    spec.duration = duration;
    sis_sweep* sweep = sis_sweep_new(&spec, &fault);
    double began = sis_run_clock();
    CHECK(sweep && work(sweep, "mine.db", 1, looks) == (looks > 0));
    double took = sis_run_clock() - began;
    unlink(path_of("mine.db"));
    sis_sweep_free(sweep);
    return took;
}

static void a_clock_that_is_set_back_delays_nothing(void) {
    double whole = seconds_of(200, 1 << 30); // with the disk's, as slow as it may be
    atomic_store(&set_back, true);
    CHECK(seconds_of(2e4, 0) < 30 * whole);
    atomic_store(&set_back, false);
}

static void a_database_of_another_study_is_refused_and_kept(void) {
    sis_sweep *one = study_of(10), *other = study_of(11);
    sis_fault fault = {.text = ""};
    CHECK(work(one, "mine.db", 1, 1 << 30));
    char* before = csv_of("mine.db");
    CHECK(!sis_base_open(path_of("mine.db"), other, "test", &fault));
    CHECK(fault.kind == SIS_FAULT_REQUEST);
    CHECK_TEXT(fault.text, "holds another study: it has 'random 10 uniform seed 4'");
    char* after = csv_of("mine.db");
    CHECK(before && after && !strcmp(before, after));
    free(before);
    free(after);
    sis_sweep_free(one);
    sis_sweep_free(other);
}

static void remove_files(void) {
    static const char* const names[] = {"whole.db", "pieces.db", "alone.db",  "rank0.db",
                                        "rank1.db", "rank2.db",  "merged.db", "mine.db"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlink(path_of(names[i]));
    rmdir(folder);
}

#endif

int main(void) {
    RUN(indices_count_all_combinations_with_the_last_axis_fastest);
    RUN(steps_are_the_decimals_that_are_meant);
    RUN(draws_stay_in_the_range_and_follow_the_scale);
    RUN(a_study_is_another_one_when_anything_of_it_changes);
    RUN(rows_do_not_depend_on_the_runs_before_them);
#ifdef SISTRUM_SWEEP
    if (!mkdtemp(folder)) return 1;
    RUN(a_study_goes_on_where_it_was);
    RUN(ranks_with_databases_of_their_own_are_merged_into_the_same_rows);
    RUN(parts_that_were_killed_before_they_had_tables_may_come_first);
    RUN(a_clock_that_is_set_back_delays_nothing);
    RUN(a_database_of_another_study_is_refused_and_kept);
    remove_files();
#endif
    return CHECK_REPORT();
}
