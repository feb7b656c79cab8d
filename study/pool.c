// A child runs one task and sends what it found through a pipe as JSON; the parent reads all pipes.
// Each child leads a process group of its own, which the programs that it starts belong to: none of
// them goes on when the child or the parent has ended, however that came about.

#include "pool.h"

#include "files.h"
#include "temporary.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

#define WORKERS_MAX 256
#define GRACE       10  // s of CPU time in which a script that takes too long can say so itself
#define TURN_MS     100 // how long a signal may wait

/** A child at work. */
typedef struct worker {
    pid_t child;
    int pipe;     // what it sends
    int32_t task; // index
    double start; // s
    char* text;   // what has come so far
    size_t length, room;
    bool lost; // no memory for what came
} worker;

/** The pool while it runs. */
typedef struct crew {
    sis_pool* pool;
    worker workers[WORKERS_MAX];
    int32_t count; // at work
    int32_t done;
    sigset_t usual;  // signals the caller had blocked
    sigset_t ending; // signals held back
} crew;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---------------------------------------------------------------------------- the child

static bool send_all(int descriptor, const char* text) {
    return sis_write_all(descriptor, text, strlen(text));
}

/** Ends the group of the child, and the child as the signal would have. */
static void end_group(int number) {
    sis_files_abandon();
    signal(number, SIG_DFL);
    const struct rlimit none = {0};
    if (number == SIGXCPU) setrlimit(RLIMIT_CORE, &none); // it has taken too long, not crashed
    if (getpgrp() == getpid()) {
        if (number != SIGTERM) signal(SIGTERM, SIG_IGN); // it ends by the signal that came
        kill(0, SIGTERM);
    }
    raise(number);
}

/** The child's own group; it ends with the parent, and when it takes too long. */
static void settle(pid_t parent) {
    setpgid(0, 0);
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU};
    struct sigaction action = {.sa_handler = end_group};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        struct sigaction before;
        sigaction(numbers[i], NULL, &before);
        // By SIGTERM the parent ends it, also when the parent itself is deaf to it.
        if (before.sa_handler != SIG_IGN || numbers[i] == SIGTERM)
            sigaction(numbers[i], &action, NULL);
    }
    struct rlimit time;
    const rlim_t most = (rlim_t)SIS_STUDY_SECONDS + GRACE;
    if (getrlimit(RLIMIT_CPU, &time) == 0 && time.rlim_cur > most) {
        time.rlim_cur = most;
        setrlimit(RLIMIT_CPU, &time);
    }
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGTERM); // a parent that is killed cannot do it
#endif
    if (getppid() != parent) _exit(EXIT_FAILURE); // it was faster
}

/** { kind, fault }: the sentence may quote anything, JSON takes UTF-8 only. */
static json_t* complaint(const sis_fault* fault) {
    char* clean = sis_text_clean(fault->text);
    json_t* letter = json_pack("{siss}", "kind", (int)fault->kind, "fault", clean ? clean : "?");
    free(clean);
    return letter;
}

/** The exit code of a child that had no memory for what it had to send. */
enum { STARVED = 12 };

/** The child: works, sends { result } or { kind, fault } and ends. */
static _Noreturn void be_child(const sis_pool* pool, const sis_task* task, int descriptor) {
    sis_fault fault = {.kind = SIS_FAULT_RUN, .text = "failed without a reason"};
    json_t* result = (pool->work ? pool->work : sis_study_run)(&task->study, &fault);
    json_t* letter = result ? json_pack("{so}", "result", result) : complaint(&fault);
    char* text = json_dumps(letter, JSON_COMPACT);
    bool starved = !text, sent = text && send_all(descriptor, text);
    free(text);
    json_decref(letter);
    // Not _exit: nothing unwritten was inherited, and what counts lines and leaks wants its say.
    exit(sent ? EXIT_SUCCESS : starved ? STARVED : EXIT_FAILURE);
}

static bool start(crew* c, int32_t index, sis_fault* fault) {
    sis_task* task = &c->pool->tasks[index];
    int ends[2];
    if (pipe(ends) != 0)
        return sis_fault_set(fault, SIS_FAULT_RUN, "cannot make a pipe: %s", strerror(errno));
    // Programs that the child starts, such as gnuplot, must not keep the pipe open.
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    fflush(NULL); // or the child would write it once more
    pid_t parent = getpid(), child = fork();
    if (child == 0) {
        settle(parent);
        sigprocmask(SIG_SETMASK, &c->usual, NULL);
        close(ends[0]);
        be_child(c->pool, task, ends[1]);
    }
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        return sis_fault_set(fault, SIS_FAULT_RUN, "cannot start a process: %s", strerror(errno));
    }
    setpgid(child, child); // both do it: whoever comes first
    c->workers[c->count++] =
        (worker){.child = child, .pipe = ends[0], .task = index, .start = now()};
    return true;
}

// ---------------------------------------------------------------------------- what it sends

/** Takes in what has arrived; false: the child has closed its end. */
static bool receive(worker* w) {
    char part[1 << 14];
    ssize_t came = read(w->pipe, part, sizeof part);
    if (came < 0 && errno == EINTR) return true;
    if (came <= 0) return false;
    size_t length = w->length + (size_t)came;
    if (length > w->room) {
        size_t room = 2 * length;
        char* more = realloc(w->text, room);
        w->lost |= !more;
        if (!more) return true;
        w->text = more;
        w->room = room;
    }
    memcpy(w->text + w->length, part, (size_t)came);
    w->length = length;
    return true;
}

/** Why a child that sent nothing ended. */
static void explain(sis_task* task, int status) {
    const char *paper = task->study.paper, *item = task->study.item;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
        sis_fault_set(&task->fault, SIS_FAULT_RUN,
                      "%s/%s: took more than %g s of CPU time and was stopped", paper, item,
                      SIS_STUDY_SECONDS);
    else if (WIFSIGNALED(status))
        sis_fault_set(&task->fault, SIS_FAULT_RUN, "%s/%s: ended by signal %d (%s)", paper, item,
                      WTERMSIG(status), strsignal(WTERMSIG(status)));
    else if (WEXITSTATUS(status) == STARVED)
        sis_fault_set(&task->fault, SIS_FAULT_RUN, "%s/%s: out of memory", paper, item);
    else
        sis_fault_set(&task->fault, SIS_FAULT_RUN, "%s/%s: ended without a result (exit code %d)",
                      paper, item, WEXITSTATUS(status));
}

static void open_letter(sis_task* task, const worker* w, int status) {
    json_error_t ignored;
    json_t* letter = NULL;
    bool whole = WIFEXITED(status) && WEXITSTATUS(status) == 0 && !w->lost && w->length;
    if (whole) letter = json_loadb(w->text, w->length, 0, &ignored);
    const char* text = json_string_value(json_object_get(letter, "fault"));
    json_t* result = json_object_get(letter, "result");
    if (w->lost || (whole && !letter)) // what a child has sent to its end can be read
        sis_fault_no_memory(&task->fault);
    else if (result)
        task->result = json_incref(result);
    else if (text)
        sis_fault_set(&task->fault,
                      (sis_fault_kind)json_integer_value(json_object_get(letter, "kind")), "%s",
                      text);
    else
        explain(task, status);
    json_decref(letter);
}

/** Waits for a child, ends what it has left running, and returns its status. */
static int bury(pid_t child) {
    siginfo_t ignored;
    int status = 0;
    // The group keeps its number as long as the child is not buried.
    while (waitid(P_PID, (id_t)child, &ignored, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
    }
    kill(-child, SIGTERM);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

/** Waits for a child that has closed its pipe, and keeps what it found. */
static void finish(crew* c, int32_t i) {
    worker w = c->workers[i];
    sis_task* task = &c->pool->tasks[w.task];
    int status = bury(w.child);
    close(w.pipe);
    task->seconds = now() - w.start;
    open_letter(task, &w, status);
    free(w.text);
    c->workers[i] = c->workers[--c->count];
    c->done++;
    if (c->pool->told)
        c->pool->told(c->pool->self, c->done, c->count ? c->workers[0].task : -1, w.task);
}

// ---------------------------------------------------------------------------- the parent

/** The signals that end the program. One that the caller ignores, as under nohup, is none of them.
 */
static void set_ending(sigset_t* ending) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    sigemptyset(ending);
    for (int i = 0; i < 3; i++) {
        struct sigaction usual;
        if (sigaction(numbers[i], NULL, &usual) == 0 && usual.sa_handler != SIG_IGN)
            sigaddset(ending, numbers[i]);
    }
}

/** Whether one of the signals waits for being let through. */
static bool is_over(const crew* c) {
    sigset_t pending;
    if (sigpending(&pending) != 0) return false;
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    for (int i = 0; i < 3; i++)
        if (sigismember(&pending, numbers[i]) == 1 && sigismember(&c->ending, numbers[i]) == 1)
            return true;
    return false;
}

/** Ends what runs, and waits for it: children that have gone leave no half-written file. */
static void end_all(crew* c) {
    for (int32_t i = 0; i < c->count; i++)
        kill(-c->workers[i].child, SIGTERM);
    while (c->count) {
        worker* w = &c->workers[--c->count];
        close(w->pipe); // first: a child that waits for a reader goes on
        bury(w->child);
        free(w->text);
    }
}

static void hear(crew* c) {
    struct pollfd pipes[WORKERS_MAX];
    for (int32_t i = 0; i < c->count; i++)
        pipes[i] = (struct pollfd){.fd = c->workers[i].pipe, .events = POLLIN};
    if (poll(pipes, (nfds_t)c->count, TURN_MS) > 0)
        for (int32_t i = c->count; i-- > 0;) // from the last: finish() fills gaps from there
            if (pipes[i].revents && !receive(&c->workers[i])) finish(c, i);
    if (c->pool->told)
        c->pool->told(c->pool->self, c->done, c->count ? c->workers[0].task : -1, -1);
}

/** Runs the tasks of `order`, at most `workers` at a time; false: a child could not be started, or
 * a signal came. */
static bool run_some(crew* c, const int32_t* order, int32_t count, int32_t workers,
                     sis_fault* fault) {
    for (int32_t next = 0; next < count || c->count;) {
        if (is_over(c)) return sis_fault_set(fault, SIS_FAULT_RUN, "interrupted");
        if (next < count && c->count < workers) {
            if (!start(c, order[next++], fault)) return false;
        } else {
            hear(c);
        }
    }
    return true;
}

/** The slow ones first, then the others; then those that run alone, of which the number is
 * returned. */
static int32_t arrange(const sis_pool* pool, int32_t* order) {
    int32_t count = 0, together = 0;
    for (int pass = 0; pass < 3; pass++) {
        if (pass == 2) together = count;
        for (int32_t i = 0; i < pool->count; i++) {
            const sis_task* task = &pool->tasks[i];
            if ((task->alone ? 2 : task->slow ? 0 : 1) == pass) order[count++] = i;
        }
    }
    return count - together;
}

bool sis_pool_run(sis_pool* pool, sis_fault* fault) {
    int32_t* order = calloc((size_t)pool->count + 1, sizeof *order);
    crew* c = calloc(1, sizeof *c);
    if (!order || !c) {
        free(order);
        free(c);
        return sis_fault_no_memory(fault);
    }
    set_ending(&c->ending);
    sigprocmask(SIG_BLOCK, &c->ending, &c->usual);
    c->pool = pool;
    int32_t alone = arrange(pool, order), together = pool->count - alone;
    int32_t workers = pool->workers < WORKERS_MAX ? pool->workers : WORKERS_MAX;
    bool fine = run_some(c, order, together, workers < 1 ? 1 : workers, fault) &&
                run_some(c, order + together, alone, 1, fault);
    end_all(c);
    sigprocmask(SIG_SETMASK, &c->usual, NULL);
    free(order);
    free(c);
    return fine;
}
