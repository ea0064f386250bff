#include "experiment/workers.h"

#include "base/memory.h"
#include "os/child.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* A child takes the next run that nobody has taken from a counter that all share. So runs are begun in their order, and
 * when one has failed, those before it have been begun, too, and come to their end. */

struct worker {
    pid_t pid; /* 0: there is none */
    int socket;
    char *bytes; /* what has come of the next parcel */
    size_t count, capacity;
};

struct pool {
    const struct workers_task *task;
    struct worker *workers;
    atomic_int *next; /* in memory that children share; an index into task->todo */
    int failed;       /* the first run that has failed, or INT32_MAX */
    sigset_t former;  /* the signals that were blocked before */
};

/* What a child sends ahead of the measures, the processes' states and the tables; the pointers that are used hold in the
 * parent as well, since they point into what both had before the fork. */
struct parcel {
    size_t size; /* with all that follows */
    int index, status;
    char platform[256]; /* its name, since the child may have loaded it */
    struct sim_error error;
    struct report_run run;
};

static int fail_early(struct sim_error *error)
{
    return sim_error_set(error, SIM_UNFINISHED, NULL, 0, "a job ended before its runs were done");
}

/* --- a child --- */

enum { OUT_OF_MEMORY = 3 }; /* exit status of a child; the parent says it */

static void end_without_memory(void)
{
    _exit(OUT_OF_MEMORY);
}

static void write_tables(FILE *stream, const struct result *result)
{
    if (result->n_tables > 0)
        fwrite(result->tables, sizeof *result->tables, result->n_tables, stream);
    for (size_t i = 0; i < result->n_tables; i++) {
        const struct result_table *table = &result->tables[i];
        if (table->n_rows > 0)
            fwrite(table->cells, sizeof *table->cells, table->n_rows * table->n_columns, stream);
    }
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

static bool send_parcel(int socket, struct parcel *parcel)
{
    char *bytes = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&bytes, &size);
    const struct result *result = &parcel->run.result;
    if (parcel->status == 0 && parcel->run.platform != NULL)
        snprintf(parcel->platform, sizeof parcel->platform, "%s", parcel->run.platform);
    fwrite(parcel, sizeof *parcel, 1, stream);
    if (parcel->status == 0 && result->n_measures > 0) { /* a run that is discarded has none */
        fwrite(result->measures, sizeof *result->measures, result->n_measures, stream);
        fwrite(result->state_ps, sizeof *result->state_ps, (size_t)result->n_ranks, stream);
        write_tables(stream, result);
    }
    fclose(stream);
    memcpy(bytes, &size, sizeof size); /* the parcel's first member */
    bool sent = write_all(socket, bytes, size);
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

static void send_runs(int socket, const struct pool *pool)
{
    const struct workers_task *task = pool->task;
    bool prepared = task->prepare == NULL, sent = true, left = false;
    int n_open = 0; /* runs that are to be confirmed */
    for (int taken; sent && !left && (taken = atomic_fetch_add(pool->next, 1)) < task->n_todo;) {
        struct parcel parcel;
        memset(&parcel, 0, sizeof parcel);
        parcel.index = task->todo[taken];
        if (!prepared)
            parcel.status = task->prepare(task->self, &parcel.error);
        prepared = true;
        if (parcel.status == 0)
            parcel.status = task->simulate(task->self, &parcel.run, parcel.index, &parcel.error);
        if (parcel.status != 0)
            atomic_store(pool->next, task->n_todo);
        sent = send_parcel(socket, &parcel);
        n_open += task->confirms;
        result_dispose(&parcel.run.result);
        left = task->leaves != NULL && task->leaves(task->self);
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
        prctl(PR_SET_PDEATHSIG, SIGTERM); /* no job outlives the program */
        signal(SIGTERM, SIG_DFL);
        signal(SIGINT, SIG_DFL);
        signal(SIGHUP, SIG_DFL);
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

/* What is left of a parcel. */
struct rest {
    const char *bytes;
    size_t size;
};

static bool take(void *into, size_t size, struct rest *rest)
{
    if (size > rest->size)
        return false;
    memcpy(into, rest->bytes, size);
    rest->bytes += size;
    rest->size -= size;
    return true;
}

static bool take_tables(struct result *result, size_t n_tables, struct rest *rest)
{
    struct result_table *tables = xcalloc(n_tables, sizeof *tables);
    bool good = take(tables, n_tables * sizeof *tables, rest);
    result->tables = tables;
    for (size_t i = 0; good && i < n_tables; i++) {
        size_t n_cells = tables[i].n_rows * tables[i].n_columns;
        tables[i].capacity = tables[i].n_rows;
        tables[i].cells = xmalloc(n_cells * sizeof *tables[i].cells);
        result->n_tables = result->tables_capacity = i + 1;
        good = take(tables[i].cells, n_cells * sizeof *tables[i].cells, rest);
    }
    return good;
}

static int unpack_run(struct report_run *run, const struct parcel *parcel, struct rest *rest, struct sim_error *error)
{
    struct report_parameter *parameters = run->parameters;
    int n_parameters = run->n_parameters;
    *run = parcel->run;
    run->platform = xintern(parcel->platform);
    run->parameters = parameters;
    run->n_parameters = n_parameters;
    struct result *result = &run->result;
    size_t n_tables = result->n_tables;
    result->tables = NULL;
    result->n_tables = 0;
    if (result->n_measures == 0)
        return 0;
    result->capacity = result->n_measures;
    result->measures = xmalloc(result->n_measures * sizeof *result->measures);
    result->state_ps = xmalloc((size_t)result->n_ranks * sizeof *result->state_ps);
    if (!take(result->measures, result->n_measures * sizeof *result->measures, rest) ||
        !take(result->state_ps, (size_t)result->n_ranks * sizeof *result->state_ps, rest) ||
        !take_tables(result, n_tables, rest))
        return fail_early(error);
    return 0;
}

/* A run's failure is kept, not returned: the others that have been begun come to their end. */
static int open_parcel(struct pool *pool, struct report *report, struct rest rest, struct sim_error *error)
{
    struct parcel parcel;
    struct sim_error own;
    if (!take(&parcel, sizeof parcel, &rest))
        return fail_early(error);
    if (parcel.status != 0) {
        if (parcel.index < pool->failed)
            *error = parcel.error;
        pool->failed = parcel.index < pool->failed ? parcel.index : pool->failed;
        return 0;
    }
    struct report_run *run = &report->runs[parcel.index];
    if (unpack_run(run, &parcel, &rest, &own) == 0 && pool->task->done(pool->task->self, run, &own) == 0)
        return 0;
    *error = own;
    return -1;
}

/* Open the parcels that are complete. */
static int open_parcels(struct pool *pool, struct worker *worker, struct report *report, struct sim_error *error)
{
    size_t begin = 0, size;
    int status = 0;
    while (status == 0 && worker->count - begin >= sizeof size) {
        memcpy(&size, worker->bytes + begin, sizeof size);
        if (size > worker->count - begin)
            break;
        status = open_parcel(pool, report, (struct rest){worker->bytes + begin, size}, error);
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
    return WEXITSTATUS(how) == 0 && worker->count == 0 ? 0 : fail_early(error);
}

static int receive(struct pool *pool, struct worker *worker, struct report *report, struct sim_error *error)
{
    enum { LEAST = 65536 };
    while (worker->capacity - worker->count < LEAST) {
        worker->capacity = worker->capacity < LEAST ? 2 * LEAST : 2 * worker->capacity;
        worker->bytes = xrealloc(worker->bytes, worker->capacity);
    }
    ssize_t got = read(worker->socket, worker->bytes + worker->count, worker->capacity - worker->count);
    if (got > 0) {
        worker->count += (size_t)got;
        return open_parcels(pool, worker, report, error);
    }
    if (got < 0)
        return errno == EINTR ? 0 : fail_early(error);
    int status = end_worker(worker, error);
    if (status == 0 && atomic_load(pool->next) < pool->task->n_todo)
        status = start_worker(worker, pool, error);
    return status;
}

static int receive_all(struct pool *pool, struct report *report, struct sim_error *error)
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
    kill(worker->pid, SIGTERM);
    close(worker->socket);
    waitpid(worker->pid, NULL, 0);
}

static void block_signals(sigset_t *former)
{
    sigset_t ending;
    sigemptyset(&ending);
    sigaddset(&ending, SIGINT);
    sigaddset(&ending, SIGTERM);
    sigaddset(&ending, SIGHUP);
    sigprocmask(SIG_BLOCK, &ending, former);
}

int workers_run(struct report *report, const struct workers_task *task, struct sim_error *error)
{
    struct pool pool = {.task = task, .failed = INT32_MAX};
    pool.next = mmap(NULL, sizeof *pool.next, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (pool.next == MAP_FAILED)
        return sim_error_set(error, SIM_UNFINISHED, NULL, 0, "cannot start jobs: %s", strerror(errno));
    atomic_init(pool.next, 0);
    block_signals(&pool.former);
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
