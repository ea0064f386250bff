/* Machines: what is not the platform file's doing, and what a platform must not do to others.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "sim/machine/machine.h"
#include "sim/platform/platform.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PLATFORM SOURCE_DIR "/platforms/icluster-loaded.xml"
#define HEAD "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
#define HOSTS "<host id=\"n0\" speed=\"1Mf\"/>\n<host id=\"n1\" speed=\"1Mf\"/>\n"
#define WIRE "<link id=\"wire\" bandwidth=\"10MBps\" latency=\"10us\"/>\n"
#define ROUTE "<route src=\"n0\" dst=\"n1\"><link_ctn id=\"wire\"/></route>\n"
#define PLATFORM_OF(zone) "<platform version=\"4.1\">\n<zone id=\"z\" routing=\"Full\">\n" zone "</zone>\n</platform>\n"

/* ---- Loading in a child, since a process holds one platform ---- */

struct loaded {
    int result;
    struct sim_error error;
    int n_hosts, hops;
};

typedef int loader(struct machine *machine, const char *file, struct sim_error *error);

/* Load after `prepare`; what became of the child is returned as waitpid() has it. */
static int load(struct loaded *loaded, loader *function, const char *file, void (*prepare)(void))
{
    int ends[2], status = 0;
    if (pipe(ends) != 0)
        abort();
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        struct machine machine = {.name = NULL};
        memset(loaded, 0, sizeof *loaded);
        if (prepare != NULL)
            prepare();
        loaded->result = function(&machine, file, &loaded->error);
        loaded->n_hosts = loaded->result == 0 ? machine.net->n_hosts : 0;
        if (loaded->result == 0 && machine.net->routes != NULL && machine.net->n_hosts > 1)
            loaded->hops = machine_route(&machine, 0, 1)->hops;
        _exit(write(ends[1], loaded, sizeof *loaded) == (ssize_t)sizeof *loaded ? 0 : 1);
    }
    close(ends[1]);
    memset(loaded, 0, sizeof *loaded);
    loaded->result = read(ends[0], loaded, sizeof *loaded) == (ssize_t)sizeof *loaded ? loaded->result : -2;
    close(ends[0]);
    waitpid(child, &status, 0);
    return status;
}

/* The message of a load that must fail in this way, without the file's name. */
static void check_failure(loader *function, const char *file, void (*prepare)(void), enum sim_status status,
                          const char *message)
{
    struct loaded loaded;
    char *expected = xformat("%s%s", file, message);
    CU_ASSERT_EQUAL(load(&loaded, function, file, prepare), 0);
    CU_ASSERT_EQUAL(loaded.result, -1);
    CU_ASSERT_EQUAL(loaded.error.status, status);
    if (strcmp(loaded.error.message, expected) != 0)
        fprintf(stderr, "\n  expected: %s\n  found:    %s\n", expected, loaded.error.message);
    CU_ASSERT_STRING_EQUAL(loaded.error.message, expected);
    free(expected);
}

/* A file of this text. The caller unlinks it and frees its name. */
static char *write_file(const char *text, size_t size)
{
    char *name = xstrdup(P_tmpdir "/test-machine-XXXXXX");
    int descriptor = mkstemp(name);
    if (descriptor < 0 || write(descriptor, text, size) != (ssize_t)size)
        abort();
    close(descriptor);
    return name;
}

/* ---- What is not the file's doing ---- */

static void end_by_kill(void)
{
    raise(SIGKILL);
}

static void kill_children(void)
{
    pthread_atfork(NULL, NULL, end_by_kill);
}

static void test_killed(void)
{
    check_failure(machine_load, PLATFORM, kill_children, SIM_UNFINISHED,
                  ": the trial load was ended by signal 9 (Killed)");
    check_failure(machine_load_base, PLATFORM, kill_children, SIM_UNFINISHED,
                  ": the process that loads it was ended by signal 9 (Killed)");
}

static int n_files; /* that may be open */

static void limit_files(void)
{
    setrlimit(RLIMIT_NOFILE, &(struct rlimit){(rlim_t)n_files, (rlim_t)n_files});
}

/* With however few files it is loaded, or told to be unfinished. */
static void test_few_files(void)
{
    bool any_failed = false, any_loaded = false;
    for (n_files = 4; n_files < 24 && !any_loaded; n_files++) {
        struct loaded loaded;
        CU_ASSERT_EQUAL(load(&loaded, machine_load, PLATFORM, limit_files), 0);
        any_loaded = loaded.result == 0;
        any_failed = any_failed || loaded.result == -1;
        bool wrong = loaded.result == -1 && loaded.error.status != SIM_UNFINISHED;
        if (wrong)
            fprintf(stderr, "\n  with %d files: %s\n", n_files, loaded.error.message);
        CU_ASSERT_FALSE(wrong);
    }
    CU_ASSERT_TRUE(any_failed && any_loaded);
}

/* More of what RLIMIT_DATA counts than there is already. */
static void limit_memory(void)
{
    unsigned long pages = 0;
    FILE *sizes = fopen("/proc/self/statm", "r");
    if (sizes == NULL || fscanf(sizes, "%*u %*u %*u %*u %*u %lu", &pages) != 1)
        abort();
    fclose(sizes);
    rlim_t limit = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + (32 << 20);
    setrlimit(RLIMIT_DATA, &(struct rlimit){limit, limit});
}

static void test_little_memory(void)
{
#ifdef __SANITIZE_ADDRESS__ /* which ends the process where memory is at its end */
    return;
#endif
    static const char text[] = HEAD PLATFORM_OF("<cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"0-99999\" "
                                                "speed=\"1Mf\" bw=\"1MBps\" lat=\"1us\"/>\n");
    char *file = write_file(text, sizeof text - 1);
    check_failure(machine_load, file, limit_memory, SIM_UNFINISHED, ": the trial load was out of memory");
    unlink(file);
    free(file);
}

/* ---- Signals ---- */

static int load_and_interrupt(struct machine *machine, const char *file, struct sim_error *error)
{
    int result = machine_load(machine, file, error);
    raise(SIGINT);
    return result;
}

static volatile sig_atomic_t caught;

static void catch_signal(int number)
{
    caught = number;
}

static void set_handler(void)
{
    signal(SIGINT, catch_signal);
}

static int load_and_catch(struct machine *machine, const char *file, struct sim_error *error)
{
    int result = load_and_interrupt(machine, file, error);
    return caught == SIGINT ? result : -1;
}

/* SimGrid has a handler of its own, which must not take the place of ours, nor of none. */
static void test_interrupt(void)
{
    struct loaded loaded;
    int status = load(&loaded, load_and_interrupt, PLATFORM, NULL);
    CU_ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
    status = load(&loaded, load_and_catch, PLATFORM, set_handler);
    CU_ASSERT_TRUE(status == 0 && loaded.result == 0);
}

/* ---- Pipes ---- */

/* Nobody writes into it, and nobody may wait for that. */
static void test_pipes(void)
{
    static const struct {
        const char *zone, *message;
    } rows[] = {
        {"<prop id=\"costs_from\" value=\"%s\"/>\n" HOSTS WIRE ROUTE, "is not a regular file"},
        {"<host id=\"n2\" speed=\"1Mf\" speed_file=\"%s\"/>\n" HOSTS WIRE ROUTE, "is not a regular file"},
        {"<link id=\"x\" bandwidth=\"1MBps\" bandwidth_file=\"%s\"/>\n" HOSTS WIRE ROUTE, "is not a regular file"},
        {"<link id=\"x\" bandwidth=\"1MBps\" latency_file=\"%s\"/>\n" HOSTS WIRE ROUTE, "is not a regular file"},
        {HOSTS WIRE ROUTE "<trace id=\"t\" file=\"%s\" periodicity=\"0\"/>\n"
                          "<trace_connect trace=\"t\" element=\"n0\" kind=\"SPEED\"/>\n",
         "is not a regular file"},
    };
    char folder[] = P_tmpdir "/test-machine-XXXXXX";
    if (mkdtemp(folder) == NULL)
        abort();
    char *pipe_name = xformat("%s/pipe", folder);
    if (mkfifo(pipe_name, 0600) != 0)
        abort();
    check_failure(machine_load, pipe_name, NULL, SIM_BAD_INPUT, ": is not a regular file");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct loaded loaded;
        const char *place = strstr(rows[i].zone, "%s");
        char *text =
            xformat(HEAD PLATFORM_OF("%.*s%s%s"), (int)(place - rows[i].zone), rows[i].zone, pipe_name, place + 2);
        char *file = write_file(text, strlen(text));
        char *expected = xformat("%s: %s", pipe_name, rows[i].message);
        CU_ASSERT_EQUAL(load(&loaded, machine_load, file, NULL), 0);
        CU_ASSERT_STRING_EQUAL(loaded.error.message, expected);
        unlink(file);
        free(expected);
        free(file);
        free(text);
    }
    unlink(pipe_name);
    rmdir(folder);
    free(pipe_name);
}

/* ---- What SimGrid sees ---- */

/* It is what has been checked, and not the file: so one that only SimGrid's parser would refuse is loaded, and lines
 * are those of the file. */
static void test_document(void)
{
    static const char utf16[] =
        "\xff\xfe<\0p\0l\0a\0t\0f\0o\0r\0m\0 \0v\0e\0r\0s\0i\0o\0n\0=\0\"\0004\0.\0001\0\"\0>\0<\0"
        "z\0o\0n\0e\0 \0i\0d\0=\0\"\0z\0\"\0 \0r\0o\0u\0t\0i\0n\0g\0=\0\"\0F\0u\0l\0l\0\"\0>\0<\0"
        "h\0o\0s\0t\0 \0i\0d\0=\0\"\0a\0\"\0 \0s\0p\0e\0e\0d\0=\0\"\0001\0f\0\"\0/\0>\0<\0/\0z\0o\0"
        "n\0e\0>\0<\0/\0p\0l\0a\0t\0f\0o\0r\0m\0>";
    static const char
        plain[] = PLATFORM_OF(HOSTS WIRE ROUTE),
        named[] = HEAD PLATFORM_OF(
            "<host id=\"&#228;&amp;&lt;&quot;&gt;\" speed\n=\n'1Mf'></host><host id=\"n1\" speed=\"1Mf\"/>" WIRE
            "<route src='&#xe4;&#38;&lt;\"&gt;' dst='n1'><link_ctn id=\"wire\"/></route>");
    static const char attribute[] = HEAD "<!-- a\n\n\ncomment -->\n" PLATFORM_OF(
        HOSTS "<?instruction of\ntwo lines?>\n<link\n id='wire'\n bandwidth='1MBps'\n colour='red'/>\n" ROUTE);
    static const char end[] = HEAD PLATFORM_OF(HOSTS WIRE "<route src='n0'\n dst='n2'><link_ctn id='wire'/></route>\n");
    static const struct {
        const char *text;
        size_t size;
        int n_hosts;
        const char *message;
    } rows[] = {
        {utf16, sizeof utf16, 1, NULL},
        {plain, sizeof plain - 1, 2, NULL},
        {named, sizeof named - 1, 2, NULL},
        {attribute, sizeof attribute - 1, 0,
         ":16: SimGrid rejects it: Bad attribute `colour' in `link' element start tag."},
        {end, sizeof end - 1, 0, ":9: SimGrid rejects it: Route dst='n2' names no node"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct loaded loaded;
        char *file = write_file(rows[i].text, rows[i].size);
        if (rows[i].message != NULL) {
            check_failure(machine_load, file, NULL, SIM_BAD_INPUT, rows[i].message);
        } else {
            CU_ASSERT_EQUAL(load(&loaded, machine_load, file, NULL), 0);
            CU_ASSERT_STRING_EQUAL(loaded.error.message, "");
            CU_ASSERT_EQUAL(loaded.n_hosts, rows[i].n_hosts);
        }
        unlink(file);
        free(file);
    }
}

/* A Full zone keeps a table of all pairs. */
static void test_full_zone(void)
{
    enum { N_ROUTERS = 24000 };
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    fputs(HEAD "<platform version=\"4.1\">\n<zone id=\"z\" routing=\"Full\">\n", stream);
    for (int i = 0; i < N_ROUTERS; i++)
        fprintf(stream, "<router id=\"r%d\"/>\n", i);
    fputs("</zone>\n</platform>\n", stream);
    fclose(stream);
    char *file = write_file(text, size);
    check_failure(machine_load, file, NULL, SIM_BAD_INPUT,
                  ":4: <zone>: with this, the hosts and links take 4.3 GiB of memory in SimGrid; allowed: 4 GiB");
    unlink(file);
    free(file);
    free(text);
}

int main(void)
{
    static const struct test tests[] = {
        {"a killed trial", test_killed},
        {"few files", test_few_files},
        {"little memory", test_little_memory},
        {"interrupts", test_interrupt},
        {"pipes", test_pipes},
        {"what SimGrid sees", test_document},
        {"the table of a zone", test_full_zone},
        {NULL, NULL},
    };
    return testing_run("machine faults", tests);
}
