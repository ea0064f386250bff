/* Children that simulate, and what they send.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "experiment/workers.h"

#include "base/memory.h"
#include "experiment/serialized_run.h"
#include "os/child.h"
#include "os/exit_signals.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* A child takes the next free run from a counter that all share. So runs are begun in their order, and when one has
 * failed, those before it have been begun, too, and come to their end. */

struct worker {
    pid_t pid; /* 0: there is none */
    int socket;
    unsigned char *bytes; /* what has come of the next serialized run */
    size_t count, capacity;
};

struct pool {
    const struct workers_task *task;
    struct worker *workers;
    atomic_int *next; /* in memory that children share; an index into task->todo */
    int failed;       /* the first run that has failed, or INT32_MAX */
    sigset_t former;  /* the signals that were blocked before */
};

/* --- a child --- */

enum { OUT_OF_MEMORY = 3 }; /* exit status of a child; the parent says it */

static void end_without_memory(void)
{
    _exit(OUT_OF_MEMORY);
}

static bool write_all(int socket, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t written = write(socket, bytes, size);
        if (written < 0 && errno != EINTR)
            return false;
        bytes += written > 0 ? written : 0;
        size -= written > 0 ? (size_t)written : 0;
    }
    return true;
}

/* A serialized run behind the size of it all. */
static bool send_run(int socket, int index, struct study_run *run, struct sim_error *error)
{
    size_t length, size;
    char *bytes = serialized_run_write(&length, index, run, error);
    size = sizeof size + length;
    bool sent = write_all(socket, (const char *)&size, sizeof size) && write_all(socket, bytes, length);
    free(bytes);
    return sent;
}

/* Wait until the parent is done with all but some of the runs that were sent; false: it has gone. */
static bool await_confirmations(int socket, int *n_open, int but)
{
    char byte;
    while (*n_open > but) {
        ssize_t got = read(socket, &byte, 1);
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        *n_open -= got == 1;
    }
    return true;
}

static int simulate(const struct workers_task *task, bool *prepared, struct study_run *run, int index,
                    struct sim_error *error)
{
    if (!*prepared && task->prepare != NULL && task->prepare(task->self, error) != 0)
        return -1;
    *prepared = true;
    return task->simulate(task->self, run, index, error);
}

static void send_runs(int socket, const struct pool *pool)
{
    const struct workers_task *task = pool->task;
    bool prepared = false, sent = true;
    int n_open = 0; /* runs that are to be confirmed */
    for (int taken; sent && (taken = atomic_fetch_add(pool->next, 1)) < task->n_todo;) {
        struct study_run run = {0};
        struct sim_error error;
        if (simulate(task, &prepared, &run, task->todo[taken], &error) == 0)
            error.status = SIM_DONE;
        else
            atomic_store(pool->next, task->n_todo);
        sent = send_run(socket, task->todo[taken], &run, &error);
        n_open += task->confirms;
        result_dispose(&run.result);
        sent = sent && await_confirmations(socket, &n_open, 1);
    }
    if (sent)
        await_confirmations(socket, &n_open, 0);
}

static int start_worker(struct worker *worker, const struct pool *pool, struct sim_error *error)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return sim_error_set(error, SIM_UNFINISHED, NULL, 0, "cannot start a job: %s", strerror(errno));
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* no job outlives the program */
        exit_signals_handle(SIGTERM, SIG_DFL);
        exit_signals_handle(SIGINT, SIG_DFL);
        exit_signals_handle(SIGHUP, SIG_DFL);
        sigprocmask(SIG_SETMASK, &pool->former, NULL);
        memory_exhausted = end_without_memory;
        close(ends[0]);
        send_runs(ends[1], pool);
        _exit(0);
    }
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return sim_error_set(error, SIM_UNFINISHED, NULL, 0, "cannot start a job: %s", strerror(errno));
    }
    worker->pid = pid;
    worker->socket = ends[0];
    worker->count = 0;
    return 0;
}

/* --- the parent --- */

/* Read the runs that are complete. */
static int read_runs(struct pool *pool, struct worker *worker, struct study *report, struct sim_error *error)
{
    size_t begin = 0, size, head = sizeof size;
    int status = 0;
    while (status == 0 && worker->count - begin >= head) {
        memcpy(&size, worker->bytes + begin, head);
        if (size > worker->count - begin)
            break;
        status = size < head ? serialized_run_fail(error)
                             : serialized_run_read(&pool->failed, report, pool->task, worker->bytes + begin + head,
                                                   size - head, error);
        begin += size;
        if (status == 0 && pool->task->confirms)
            send(worker->socket, "", 1, MSG_NOSIGNAL); /* a child that has died is met with when it is read from */
    }
    memmove(worker->bytes, worker->bytes + begin, worker->count - begin);
    worker->count -= begin;
    return status;
}

/* A child that has closed its end: it is done, or dead. */
static int end_worker(struct worker *worker, struct sim_error *error)
{
    int how = -1;
    close(worker->socket);
    while (waitpid(worker->pid, &how, 0) < 0 && errno == EINTR)
        continue;
    worker->pid = 0;
    if (WIFEXITED(how) && WEXITSTATUS(how) == OUT_OF_MEMORY)
        return sim_error_set(error, SIM_UNFINISHED, NULL, 0, "out of memory in a job");
    if (WIFSIGNALED(how)) {
        char end[CHILD_END];
        child_describe(end, how);
        return sim_error_set(error, SIM_UNFINISHED, NULL, 0, "a job was %s before its runs were done", end);
    }
    return WEXITSTATUS(how) == 0 && worker->count == 0 ? 0 : serialized_run_fail(error);
}

static int receive(struct pool *pool, struct worker *worker, struct study *report, struct sim_error *error)
{
    enum { LEAST = 65536 };
    while (worker->capacity - worker->count < LEAST) {
        worker->capacity = worker->capacity < LEAST ? 2 * LEAST : 2 * worker->capacity;
        worker->bytes = xrealloc(worker->bytes, worker->capacity);
    }
    ssize_t got = read(worker->socket, worker->bytes + worker->count, worker->capacity - worker->count);
    if (got > 0) {
        worker->count += (size_t)got;
        return read_runs(pool, worker, report, error);
    }
    if (got < 0)
        return errno == EINTR ? 0 : serialized_run_fail(error);
    int status = end_worker(worker, error);
    if (status == 0 && atomic_load(pool->next) < pool->task->n_todo)
        status = start_worker(worker, pool, error);
    return status;
}

static int receive_all(struct pool *pool, struct study *report, struct sim_error *error)
{
    int jobs = pool->task->jobs, status = 0, n_open;
    struct pollfd *polls = xcalloc((size_t)jobs, sizeof *polls);
    do {
        n_open = 0;
        for (int w = 0; w < jobs; w++) {
            bool open = pool->workers[w].pid > 0;
            polls[w] = (struct pollfd){.fd = open ? pool->workers[w].socket : -1, .events = POLLIN};
            n_open += open;
        }
        if (n_open > 0 && ppoll(polls, (nfds_t)jobs, NULL, &pool->former) < 0 && errno != EINTR)
            status = sim_error_set(error, SIM_UNFINISHED, NULL, 0, "cannot wait for jobs: %s", strerror(errno));
        for (int w = 0; status == 0 && w < jobs; w++)
            if (polls[w].revents != 0)
                status = receive(pool, &pool->workers[w], report, error);
    } while (status == 0 && n_open > 0);
    free(polls);
    return status;
}

static void stop_worker(struct worker *worker)
{
    free(worker->bytes);
    if (worker->pid <= 0)
        return;
    kill(worker->pid, SIGKILL); /* it may ignore all others */
    close(worker->socket);
    waitpid(worker->pid, NULL, 0);
}

int workers_run(struct study *report, const struct workers_task *task, struct sim_error *error)
{
    struct pool pool = {.task = task, .failed = INT32_MAX};
    pool.next = mmap(NULL, sizeof *pool.next, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (pool.next == MAP_FAILED)
        return sim_error_set(error, SIM_UNFINISHED, NULL, 0, "cannot start jobs: %s", strerror(errno));
    atomic_init(pool.next, 0);
    exit_signals_block(&pool.former);
    pool.workers = xcalloc((size_t)task->jobs, sizeof *pool.workers);
    int status = 0;
    for (int w = 0; status == 0 && w < task->jobs; w++)
        status = start_worker(&pool.workers[w], &pool, error);
    if (status == 0)
        status = receive_all(&pool, report, error);
    for (int w = 0; w < task->jobs; w++)
        stop_worker(&pool.workers[w]);
    free(pool.workers);
    munmap(pool.next, sizeof *pool.next);
    sigprocmask(SIG_SETMASK, &pool.former, NULL); /* if one has ended a child, too, the program ends here */
    return status != 0 || pool.failed < INT32_MAX ? -1 : 0;
}
