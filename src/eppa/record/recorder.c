/* Opens and closes the recording of this process, and decides which threads and calls are recorded.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/record/recorder.h"

#include "eppa/archive/files.h"
#include "eppa/archive/machine.h"
#include "eppa/archive/open.h"
#include "eppa/archive/say.h"
#include "eppa/profile/destination.h"
#include "eppa/profile/tally.h"
#include "eppa/record/settings.h"
#include "eppa/record/switch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

struct recorder recorder = {.spool.is_broken = true, .turn = PTHREAD_MUTEX_INITIALIZER};
_Thread_local struct thread_state thread_state;

void eppa_say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say_arguments("eppa", format, arguments);
    va_end(arguments);
}

/* A number for this thread, which calls MPI for the first time; false if there are too many. */
static bool take_number(void)
{
    uint32_t number = atomic_load(&recorder.n_threads) < SPOOL_MAX_THREADS ? atomic_fetch_add(&recorder.n_threads, 1)
                                                                           : SPOOL_MAX_THREADS;
    if (number >= SPOOL_MAX_THREADS)
        return false;
    thread_state.is_recorded = true;
    thread_state.number = number;
    return true;
}

bool recorder_wants_thread(void)
{
    if (recorder.all_threads || (recorder.several && take_number()))
        return true;
    atomic_fetch_add_explicit(&recorder.n_unrecorded, 1, memory_order_relaxed);
    return false;
}

void recorder_lock(void)
{
    pthread_mutex_lock(&recorder.turn);
    if (recorder.latest_thread == thread_state.number)
        return;
    polls_close();
    recorder.latest_thread = thread_state.number;
    put(SPOOL_THREAD, 0, thread_state.number, clock_now_ns(), 0, NULL);
    if (thread_state.born_ns != 0) /* its first turn */
        put(SPOOL_LIFE, LIFE_BEGINS, thread_state.life, thread_state.born_ns, 0, NULL);
    thread_state.born_ns = 0;
}

void recorder_use(uint16_t region)
{
    static bool is_defined[N_REGIONS];
    uint32_t used = region;
    if (switch_counts(region))
        switch_meet_call(region, clock_now_ns());
    recorder.is_used[region] = !switch_counts(region); /* else it is asked again */
    if (!is_defined[region])
        recorder_define(DEFINE_CALL, &(struct part){&used, sizeof used}, 1);
    is_defined[region] = true;
}

bool recorder_takes(int rank, int n_ranks)
{
    if (n_ranks > SPOOL_MAX_RANKS && rank == 0)
        eppa_say("%d ranks; at most %d are recorded; nothing is recorded", n_ranks, SPOOL_MAX_RANKS);
    return n_ranks <= SPOOL_MAX_RANKS;
}

enum { N_EXTENSIONS = 3 };
static const struct {
    const char *extension;
    enum outcome outcome;
} extensions[N_EXTENSIONS] = {{".otf2", OUTCOME_TRACE}, {".txt", OUTCOME_TEXT}, {".json", OUTCOME_JSON}};

/* The outcome that the name's extension asks for. The extension of an archive is taken off its length: it has several
 * files. */
static enum outcome outcome_of(const char *name, size_t *length)
{
    for (int i = 0; i < N_EXTENSIONS; i++) {
        size_t n = strlen(extensions[i].extension);
        if (*length <= n || strcmp(name + *length - n, extensions[i].extension) != 0)
            continue;
        *length -= extensions[i].outcome == OUTCOME_TRACE ? n : 0;
        return extensions[i].outcome;
    }
    return OUTCOME_TRACE;
}

/* A trace whose name seems to ask for something else. */
static void say_extension(const char *name, size_t length)
{
    const char *slash = strrchr(name, '/'), *file = slash == NULL ? name : slash + 1, *dot = strrchr(file, '.');
    if (recorder.outcome != OUTCOME_TRACE || name[length] != '\0' || dot == NULL || dot == file)
        return;
    eppa_say("EPPA_FILE: '%s' has none of the extensions %s %s %s; the trace is %s.otf2", name, extensions[0].extension,
             extensions[1].extension, extensions[2].extension, name);
}

int recorder_choose_file(char base[SPOOL_MAX_PATH - 64], bool speaks)
{
    const char *name = settings_text(SETTING_FILE);
    if (name == NULL || name[0] == '\0')
        name = "eppa.otf2";
    char directory[PATH_MAX] = "";
    if (name[0] != '/' && getcwd(directory, sizeof directory) == NULL) {
        if (speaks)
            eppa_say("the working directory: %s; nothing is recorded", strerror(errno));
        return -1;
    }
    size_t length = strlen(name);
    recorder.outcome = outcome_of(name, &length);
    int n = snprintf(base, SPOOL_MAX_PATH - 64, "%s%s%.*s", directory, name[0] == '/' ? "" : "/", (int)length, name);
    bool is_long = n >= SPOOL_MAX_PATH - 64;
    if (!is_long && length > 0 && name[length - 1] != '/') {
        if (speaks)
            say_extension(name, length);
        return 0;
    }
    if (speaks && is_long)
        eppa_say("EPPA_FILE: its path has %d bytes; %d are allowed; nothing is recorded", n, SPOOL_MAX_PATH - 65);
    else if (speaks)
        eppa_say("EPPA_FILE: '%s' is not the name of a file; nothing is recorded", name);
    return -1;
}

/* The lock says that the spool is in use; -1 if it is already, or cannot be opened. The archive of a run that was
 * killed may just be being made: that is waited for, a little. */
static int lock_spool(int folder, int how)
{
    int file = folder < 0 ? -1 : open_regular(folder, "lock", O_RDWR | O_CREAT);
    for (int i = 0; i < 100 && file >= 0; i++) {
        if (flock(file, how | LOCK_NB) == 0)
            return file;
        nanosleep(&(struct timespec){.tv_nsec = 20 * 1000 * 1000}, NULL);
    }
    int error = file < 0 ? errno : EWOULDBLOCK;
    if (file >= 0)
        close(file);
    errno = error;
    return -1;
}

int recorder_make_spool(const char *base)
{
    char directory[SPOOL_MAX_PATH - 32], message[SPOOL_MAX_PATH + 256];
    if (recorder.outcome != OUTCOME_TRACE) {
        int status = destination_check(base, message, sizeof message);
        if (status != 0)
            eppa_say("%s; nothing is recorded", message);
        return status;
    }
    snprintf(directory, sizeof directory, "%s.eppa", base);
    if (archive_check_destination(base, message, sizeof message) != 0 ||
        spool_check_destination(directory, message, sizeof message) != 0) {
        eppa_say("%s; nothing is recorded", message);
        return -1;
    }
    if (mkdir(directory, 0777) != 0 && errno != EEXIST) {
        eppa_say("cannot make %s: %s; nothing is recorded", directory, strerror(errno));
        return -1;
    }
    int folder = open_folder(AT_FDCWD, directory), lock = lock_spool(folder, LOCK_EX);
    if (lock < 0) {
        eppa_say("%s: %s; nothing is recorded", directory,
                 errno == EWOULDBLOCK ? "another run is writing there" : strerror(errno));
    } else {
        if (spool_has_events(folder))
            eppa_say("%s: the records of an unfinished run are discarded", directory);
        spool_empty(folder);
        recorder.lock = lock;
    }
    if (folder >= 0)
        close(folder);
    return lock < 0 ? -1 : flock(lock, LOCK_SH);
}

void recorder_remove_spool(void)
{
    if (recorder.outcome != OUTCOME_TRACE)
        return;
    int folder = open_folder(AT_FDCWD, recorder.directory);
    if (folder >= 0) {
        spool_remove(folder, recorder.directory);
        close(folder);
    }
    if (recorder.lock > 0)
        close(recorder.lock);
    recorder.lock = 0;
}

static void define_rank(void)
{
    struct timespec real;
    clock_gettime(CLOCK_REALTIME, &real);
    struct define_rank self = {recorder.rank,
                               recorder.n_ranks,
                               clock_now_ns(),
                               (int64_t)real.tv_sec * 1000000000 + real.tv_nsec,
                               machine_identity("pid"),
                               (int32_t)getpid(),
                               0};
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    const char *program = program_invocation_short_name;
    recorder_define(DEFINE_RANK,
                    (struct part[]){{&self, sizeof self}, {host, strlen(host) + 1}, {program, strlen(program) + 1}}, 3);
}

static void keep_part(void)
{
    struct define_keep part;
    if (!switch_keeps(&part, recorder.rank == 0))
        return;
    if (spool_keep_part(&recorder.spool, &part))
        recorder_define(DEFINE_KEEP, &(struct part){&part, sizeof part}, 1);
    else
        eppa_say("rank %d: no memory to keep a part of the records; all are kept", recorder.rank);
}

int recorder_open(const char *base, int rank, int n_ranks)
{
    recorder.rank = rank;
    recorder.n_ranks = n_ranks;
    snprintf(recorder.base, sizeof recorder.base, "%s", base);
    if (recorder.outcome != OUTCOME_TRACE) {
        tally_open(recorder.has_sites);
        spool_open_memory(&recorder.spool, tally_take);
        switch_keeps(&(struct define_keep){0}, rank == 0);
        return 0;
    }
    snprintf(recorder.directory, sizeof recorder.directory, "%s.eppa", base);
    int folder = open_folder(AT_FDCWD, recorder.directory);
    if (recorder.lock <= 0)
        recorder.lock = lock_spool(folder, LOCK_SH);
    recorder.definitions =
        recorder.lock < 0 ? -1 : open_of_rank(folder, rank, "defs", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND);
    bool is_open = recorder.definitions >= 0 && spool_open(&recorder.spool, folder, rank) == 0;
    int error = errno;
    if (folder >= 0)
        close(folder);
    if (!is_open) {
        eppa_say("rank %d: %s: %s; nothing is recorded", rank, recorder.directory, strerror(error));
        if (recorder.definitions >= 0)
            close(recorder.definitions);
        return -1;
    }
    define_rank();
    keep_part();
    return 0;
}

void recorder_start(bool all_threads, bool several)
{
    polls_prepare();
    switch_prepare(recorder.rank == 0);
    int64_t now_ns = clock_now_ns();
    put(SPOOL_BEGIN, 0, 0, now_ns, 0, NULL);
    switch_begin(now_ns);
    recorder.all_threads = all_threads;
    recorder.several = several;
    recorder.n_threads = 1;
    processor_start(clock_now_ns());
    thread_state = (struct thread_state){.is_recorded = true};
    recorder.on = true;
}

void recorder_stop(bool is_whole, int64_t time_ns)
{
    recorder_begin_turn();
    recorder_step(time_ns);
    switch_end(&time_ns);
    recorder.on = false;
    processor_stop();
    uint64_t n_unrecorded = atomic_load(&recorder.n_unrecorded);
    if (n_unrecorded > 0)
        recorder_define(DEFINE_UNRECORDED, &(struct part){&n_unrecorded, sizeof n_unrecorded}, 1);
    uint64_t n_cut = paths_n_cut();
    if (n_cut > 0)
        recorder_define(DEFINE_CUT, &(struct part){&n_cut, sizeof n_cut}, 1);
    if (is_whole)
        put(SPOOL_FINISH, 0, 0, time_ns, 0, NULL);
    recorder_end_turn();
    if (recorder.outcome != OUTCOME_TRACE) {
        spool_flush(&recorder.spool);
        return;
    }
    if (recorder.spool.is_broken)
        eppa_say("rank %d: %s: no room for more records; the trace ends there", recorder.rank, recorder.directory);
}

void recorder_close(void)
{
    spool_close(&recorder.spool);
    if (recorder.outcome != OUTCOME_TRACE)
        return;
    close(recorder.definitions);
}

void recorder_define(enum definition_kind kind, const struct part *parts, int n_parts)
{
    if (recorder.outcome != OUTCOME_TRACE) {
        tally_define(kind, parts[0].data, parts[0].length);
        return;
    }
    struct definition_head head = {(uint32_t)kind, 0};
    struct iovec pieces[4] = {{&head, sizeof head}};
    size_t length = 0;
    for (int i = 0; i < n_parts; i++) {
        memcpy(&pieces[i + 1].iov_base, &parts[i].data, sizeof(void *));
        pieces[i + 1].iov_len = parts[i].length;
        length += parts[i].length;
    }
    head.length = (uint32_t)length;
    if (writev(recorder.definitions, pieces, n_parts + 1) != (ssize_t)(length + sizeof head))
        recorder.spool.is_broken = true;
}
