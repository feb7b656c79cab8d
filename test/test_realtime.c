// The [audio] promise of sistrum.h, kept by force: sis_step and its companions take no memory, make
// no system call, stay inside their state, and give the same bits however the samples are cut.
#define _DEFAULT_SOURCE // mmap flags, MAP_ANONYMOUS

#include "check.h"
#include "examples.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

// ---------------------------------------------------------------------------- counted memory

// Our own malloc family in front of the one of the C library. Defined in the program it serves
// every library as well, so that an allocation hidden in, say, printf would count too.
#if defined(__GLIBC__) && !SANITIZED
#define COUNTING 1
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* old, size_t size);
void* __libc_memalign(size_t alignment, size_t size);
void __libc_free(void* memory);
void* memalign(size_t alignment, size_t size);

static long memory_calls;

void* malloc(size_t size) {
    memory_calls++;
    return __libc_malloc(size);
}
void* calloc(size_t count, size_t size) {
    memory_calls++;
    return __libc_calloc(count, size);
}
void* realloc(void* old, size_t size) {
    memory_calls++;
    return __libc_realloc(old, size);
}
void* memalign(size_t alignment, size_t size) {
    memory_calls++;
    return __libc_memalign(alignment, size);
}
void* aligned_alloc(size_t alignment, size_t size) {
    memory_calls++;
    return __libc_memalign(alignment, size);
}
int posix_memalign(void** memory, size_t alignment, size_t size) {
    memory_calls++;
    *memory = __libc_memalign(alignment, size);
    return *memory ? 0 : 12; // ENOMEM
}
void free(void* memory) {
    memory_calls++;
    __libc_free(memory);
}
#else
#define COUNTING 0
#endif

// ---------------------------------------------------------------------------- what is run

enum { MOST_SAMPLES = 2500, PROBES = 8 };
#define RATE 44100.0

static int32_t samples(void) {
    return check_count(1000, MOST_SAMPLES);
}

/** The named example as a system; NULL when its scheme is refused, which those of networks may not
 * be. */
static sis_system* named(int i, char name[64]) {
    sis_error error = {0};
    sis_system* system = example_system(example_named(i, name), RATE, &error);
    if (!system && !example_may_refuse(i)) {
        printf("%s: %s\n", name, error.text);
        CHECK(system != NULL);
    }
    return system;
}

/** Everything marked [audio] that there is. */
static void run_audio(const sis_system* system, void* memory, double* probes, sis_energy* energy,
                      int32_t frames, int32_t step) {
    sis_state* state = sis_state_init(system, memory);
    int32_t columns = sis_system_probe_count(system);
    for (int32_t n = 0; n < frames; n += step) {
        int32_t now = frames - n < step ? frames - n : step;
        sis_block block = {now, probes + (size_t)n * (size_t)columns, energy + n, NULL};
        sis_step(system, state, &block);
    }
    sis_energy end = sis_state_energy(system, state);
    (void)end;
    for (int32_t i = 0; i < sis_system_link_count(system); i++) {
        sis_link_report report = sis_state_link(system, state, i);
        (void)report;
    }
}

static double probes[MOST_SAMPLES * PROBES], again[MOST_SAMPLES * PROBES];
static sis_energy energies[MOST_SAMPLES], energies_again[MOST_SAMPLES];

/** Bits are compared, not values: -0 is not 0 and NaN may be NaN. */
static bool same_bits(const void* a, const void* b, size_t size) {
    return memcmp(a, b, size) == 0;
}

// ---------------------------------------------------------------------------- laws

static void stepping_takes_no_memory(void) {
#if COUNTING
    long before = memory_calls;
    void* volatile deliberate = malloc(16);
    free(deliberate);
    CHECK(memory_calls - before == 2); // the counter counts
    for (int i = 0; i < example_count(); i++) {
        char name[64];
        sis_system* system = named(i, name);
        if (!system) continue;
        void* memory = aligned_alloc(64, sis_state_size(system));
        before = memory_calls;
        run_audio(system, memory, probes, energies, samples(), 64);
        long during = memory_calls - before;
        if (during) printf("%s: %ld calls\n", name, during);
        CHECK(during == 0);
        free(memory);
        sis_system_free(system);
    }
#else
    CHECK_SKIP("memory calls cannot be counted here: a sanitizer or another C library has its own");
#endif
}

#if defined(__linux__) && !SANITIZED
enum { CHILD_CALLS = 1, CHILD_STEPS, CHILD_NO_SECCOMP = 77 };

/** Does one thing in a process that the kernel kills at any system call but read, write and exit.
 *  0: lived; CHILD_NO_SECCOMP: this kernel offers no such process; -signal: killed by it. */
static int in_sealed_child(int what, const sis_system* system, void* memory) {
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT, 0, 0, 0)) _exit(CHILD_NO_SECCOMP);
        if (what == CHILD_CALLS) syscall(SYS_getpid);
        if (what == CHILD_STEPS) run_audio(system, memory, probes, energies, samples(), 64);
        syscall(SYS_exit, 0); // _exit is exit_group, which is not one of the three
    }
    if (child < 0) return CHILD_NO_SECCOMP;
    int status = 0;
    if (waitpid(child, &status, 0) != child) return CHILD_NO_SECCOMP;
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}
#endif

static void stepping_makes_no_system_call(void) {
#if defined(__linux__) && !SANITIZED
    int sealed = in_sealed_child(CHILD_CALLS, NULL, NULL);
    if (sealed == CHILD_NO_SECCOMP) {
        CHECK_SKIP("this kernel refuses strict seccomp");
        return;
    }
    CHECK(sealed == -SIGKILL); // the seal holds
    // Pages are touched before, so that the child needs the kernel for nothing but copies of them.
    memset(probes, 0, sizeof probes);
    memset(energies, 0, sizeof energies);
    for (int i = 0; i < example_count(); i++) {
        char name[64];
        sis_system* system = named(i, name);
        if (!system) continue;
        void* memory = aligned_alloc(64, sis_state_size(system));
        memset(memory, 0, sis_state_size(system));
        int end = in_sealed_child(CHILD_STEPS, system, memory);
        if (end) printf("%s: ended with %d\n", name, end);
        CHECK(end == 0);
        free(memory);
        sis_system_free(system);
    }
#else
    CHECK_SKIP("no sealed process here: a sanitizer makes system calls of its own, or no Linux");
#endif
}

static void results_do_not_depend_on_the_block_size(void) {
    static const int32_t sizes[] = {1, 7, 64, 4096};
    for (int i = 0; i < example_count(); i++) {
        char name[64];
        sis_system* system = named(i, name);
        if (!system) continue;
        CHECK(sis_system_probe_count(system) <= PROBES);
        void* memory = aligned_alloc(64, sis_state_size(system));
        memset(memory, 0, sis_state_size(system));
        void* memory_again = aligned_alloc(64, sis_state_size(system));
        memset(memory_again, 0, sis_state_size(system));
        memset(probes, 0, sizeof probes);
        run_audio(system, memory, probes, energies, samples(), samples());
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
            memset(again, 0, sizeof again);
            run_audio(system, memory_again, again, energies_again, samples(), sizes[s]);
            bool same = same_bits(probes, again, sizeof probes) &&
                        same_bits(energies, energies_again, sizeof energies) &&
                        same_bits(memory, memory_again, sis_state_size(system));
            if (!same) printf("%s: blocks of %d differ\n", name, (int)sizes[s]);
            CHECK(same);
        }
        free(memory);
        free(memory_again);
        sis_system_free(system);
    }
}

/** Outputs that nobody asks for change nothing, and no frames are no step. */
static void results_do_not_depend_on_what_is_asked_for(void) {
    for (int i = 0; i < example_count(); i++) {
        char name[64];
        sis_system* system = named(i, name);
        if (!system) continue;
        sis_state* full = example_state(system);
        sis_state* bare = example_state(system);
        sis_step(system, full, &(sis_block){samples(), probes, energies, NULL});
        sis_step(system, bare, &(sis_block){samples() / 2, NULL, NULL, NULL});
        sis_step(system, bare, &(sis_block){0, NULL, NULL, NULL});
        sis_step(system, bare, &(sis_block){samples() - samples() / 2, NULL, NULL, NULL});
        CHECK(sis_state_samples(bare) == (uint64_t)samples());
        sis_energy now = sis_state_energy(system, bare);
        bool same = same_bits(&now, &energies[samples() - 1], sizeof now);
        // The next rows tell whether the motion itself is the same.
        sis_step(system, full, &(sis_block){100, probes, NULL, NULL});
        sis_step(system, bare, &(sis_block){100, again, NULL, NULL});
        size_t rows = 100 * (size_t)sis_system_probe_count(system) * sizeof(double);
        same = same && same_bits(probes, again, rows);
        if (!same) printf("%s: what is asked for changes the result\n", name);
        CHECK(same);
        free(full);
        free(bare);
        sis_system_free(system);
    }
}

static void a_saved_state_continues_with_the_same_bits(void) {
    for (int i = 0; i < example_count(); i++) {
        char name[64];
        sis_system* system = named(i, name);
        if (!system) continue;
        size_t size = sis_state_size(system);
        CHECK(size % 64 == 0);
        sis_state* state = example_state(system);
        void* saved = aligned_alloc(64, size);
        sis_step(system, state, &(sis_block){samples() / 3, NULL, NULL, NULL});
        memcpy(saved, state, size);
        CHECK(sis_state_samples(state) == (uint64_t)samples() / 3);
        sis_step(system, state, &(sis_block){samples(), probes, energies, NULL});
        // In place, and at another address: the state holds no pointer.
        memcpy(state, saved, size);
        sis_step(system, state, &(sis_block){samples(), again, energies_again, NULL});
        size_t rows = (size_t)samples() * (size_t)sis_system_probe_count(system) * sizeof(double);
        bool same =
            same_bits(probes, again, rows) && same_bits(energies, energies_again, sizeof energies);
        memset(state, 0xA5, size);
        sis_step(system, (sis_state*)saved, &(sis_block){samples(), again, energies_again, NULL});
        same = same && same_bits(probes, again, rows) &&
               same_bits(energies, energies_again, sizeof energies);
        if (!same) printf("%s: a restored state goes elsewhere\n", name);
        CHECK(same);
        free(state);
        free(saved);
        sis_system_free(system);
    }
}

static void a_state_forgets_what_its_memory_held(void) {
    char name[64];
    for (int i = 0; i < example_count(); i++) {
        sis_system* system = named(i, name);
        if (!system) continue;
        void* memory = aligned_alloc(64, sis_state_size(system));
        memset(memory, 0, sis_state_size(system));
        run_audio(system, memory, probes, energies, 1000, 64);
        memset(memory, 0xFF, sis_state_size(system)); // NaNs everywhere
        run_audio(system, memory, again, energies_again, 1000, 64);
        size_t rows = 1000 * (size_t)sis_system_probe_count(system) * sizeof(double);
        CHECK(same_bits(probes, again, rows));
        CHECK(same_bits(energies, energies_again, 1000 * sizeof energies[0]));
        free(memory);
        sis_system_free(system);
    }
}

/** Canary bytes before, and behind the state a page that may not be touched at all. */
static void a_state_stays_inside_its_memory(void) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    for (int i = 0; i < example_count(); i++) {
        char name[64];
        sis_system* system = named(i, name);
        if (!system) continue;
        size_t size = sis_state_size(system);
        size_t pages =
            (size + 2 * page - 1) / page * page; // room for the state and a zone before it
        unsigned char* map =
            mmap(NULL, pages + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        CHECK(map != MAP_FAILED);
        if (map == MAP_FAILED) return;
        CHECK(mprotect(map + pages, page, PROT_NONE) == 0);
        size_t zone = pages - size; // a multiple of 64, as page and size are
        memset(map, 0xC3, zone);
        run_audio(system, map + zone, probes, energies, samples(), 64);
        bool whole = true;
        for (size_t b = 0; b < zone; b++)
            whole = whole && map[b] == 0xC3;
        if (!whole) printf("%s: wrote before its state\n", name);
        CHECK(whole);
        munmap(map, pages + page);
        sis_system_free(system);
    }
}

int main(void) {
    RUN(stepping_takes_no_memory);
    RUN(stepping_makes_no_system_call);
    RUN(results_do_not_depend_on_the_block_size);
    RUN(results_do_not_depend_on_what_is_asked_for);
    RUN(a_saved_state_continues_with_the_same_bits);
    RUN(a_state_forgets_what_its_memory_held);
    RUN(a_state_stays_inside_its_memory);
    return CHECK_REPORT();
}
