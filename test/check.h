/** @file check.h
 * Checks for test programs, small enough to read before use:
 *
 *   #include "check.h"
 *   static void pushing_is_never_pulling(void) {
 *       CHECK(force >= 0);                  // a condition
 *       CHECK_NEAR(energy, 1.5, 1e-12);     // two numbers; NaN is a failure
 *       CHECK_TEXT(error.text, "alpha");    // a text that must contain another
 *   }
 *   int main(void) {
 *       RUN(pushing_is_never_pulling);
 *       return CHECK_REPORT();
 *   }
 *
 * A case is a law and its name says the law. A failed check is printed with its place and its
 * values and the case goes on, because the other values often tell why. A case that checks nothing
 * fails: a loop that ran zero times must not look like a proof. Where a check cannot run (say, a
 * system call is missing), CHECK_SKIP says so aloud. Only the main thread may check.
 */
#ifndef SISTRUM_TEST_CHECK_H
#define SISTRUM_TEST_CHECK_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Sanitizers make programs several times slower: long runs are cut short under them.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

/** How many trials a study takes: `brief` of them in `make test`, `full` of them where SISTRUM_LONG
 * is set, as `make study` does. The laws and their tolerances are the same. */
static inline int check_count(int brief, int full) {
    const char* wish = getenv("SISTRUM_LONG");
    return wish && *wish ? full : brief;
}

/** Seconds that this program has worked. What else the machine does is not counted, so limits hold
 * on busy machines too. */
static inline double check_seconds(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

typedef struct check_counts {
    long checks, failures, skips; // of the running case
    long passed, failed, skipped; // cases
} check_counts;

static check_counts check_now;

#define CHECK_SHOWN 10 // failures printed per case: a broken loop should not bury the first one

#define CHECK(cond)                                                                                \
    do {                                                                                           \
        if (check_that((cond) ? 1 : 0, __FILE__, __LINE__)) printf("%s\n", #cond);                 \
    } while (0)

/** |a - b| <= tol, which no NaN fulfils. */
#define CHECK_NEAR(a, b, tol)                                                                      \
    check_near((double)(a), (double)(b), (double)(tol), #a, #b, __FILE__, __LINE__)

/** The text `have` contains `part`. */
#define CHECK_TEXT(have, part) check_text((have), (part), #have, __FILE__, __LINE__)

/** Says that something is not checked here, and why. */
#define CHECK_SKIP(why) check_skip(__FILE__, __LINE__, (why))

#define RUN(law) check_run((law), #law)

/** The closing line; the value for main to return. */
#define CHECK_REPORT() check_report()

/** Counts one check; true when it failed and there is still room to say so. */
static inline int check_that(int holds, const char* file, int line) {
    check_now.checks++;
    if (holds) return 0;
    if (++check_now.failures > CHECK_SHOWN) return 0;
    printf("%s:%d: ", file, line);
    return 1;
}

static inline void check_near(double a, double b, double tol, const char* a_text,
                              const char* b_text, const char* file, int line) {
    // Equal infinities are near each other, though their difference is NaN.
    int holds = fabs(a - b) <= tol || (isinf(a) && a == b);
    if (check_that(holds, file, line))
        printf("%s = %.17g is not within %.3g of %s = %.17g (off by %.3g)\n", a_text, a, tol,
               b_text, b, a - b);
}

static inline void check_text(const char* have, const char* part, const char* have_text,
                              const char* file, int line) {
    int holds = have && part && strstr(have, part);
    if (check_that(holds, file, line))
        printf("%s = \"%s\" does not contain \"%s\"\n", have_text, have ? have : "(null)",
               part ? part : "(null)");
}

static inline void check_skip(const char* file, int line, const char* why) {
    check_now.skips++;
    printf("%s:%d: skipped: %s\n", file, line, why);
}

static inline void check_run(void (*law)(void), const char* name) {
    check_now.checks = check_now.failures = check_now.skips = 0;
    fflush(stdout); // so that a crash or a fork inside the case leaves the lines before it whole
    law();
    if (check_now.failures > CHECK_SHOWN)
        printf("... and %ld more\n", check_now.failures - CHECK_SHOWN);
    if (check_now.failures) {
        check_now.failed++;
        printf("FAILED  %s (%ld of %ld checks)\n", name, check_now.failures, check_now.checks);
    } else if (check_now.checks) {
        check_now.passed++;
        printf("ok      %s (%ld checks)\n", name, check_now.checks);
    } else if (check_now.skips) {
        check_now.skipped++;
        printf("skipped %s\n", name);
    } else {
        check_now.failed++;
        printf("FAILED  %s: checked nothing\n", name);
    }
}

static inline int check_report(void) {
    if (check_now.passed + check_now.failed == 0) {
        printf("FAILED  no case checked anything\n");
        check_now.failed++;
    }
    if (check_now.skipped) printf("%ld skipped, ", check_now.skipped);
    printf("%ld passed, %ld failed\n", check_now.passed, check_now.failed);
    return check_now.failed ? 1 : 0;
}

#endif
