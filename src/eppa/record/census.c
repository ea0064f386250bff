/* Counts the marks that ranks leave in a common directory, until all are there or the wait is over.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/record/census.h"

#include "eppa/archive/open.h"
#include "eppa/record/launcher.h"
#include "eppa/record/recorder.h"
#include "eppa/record/settings.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEFAULT_WAIT_S = 10, MAX_WAIT_S = 3600, MAX_PAUSE_NS = 20 * 1000 * 1000 };

static const char full[] = "full", broken[] = "broken"; /* answers */

/* BASE.eppa-RUN; of a base too long for that only the beginning, and what tells it from others. */
static bool directory_of(const char *base, const char *run, char *directory, size_t n)
{
    const char *slash = strrchr(base, '/');
    int length = (int)strlen(base), rest = slash == NULL ? length : length - (int)(slash + 1 - base);
    int most = NAME_MAX - (int)strlen(run) - (int)strlen(".eppa-");
    if (rest <= most)
        return snprintf(directory, n, "%s.eppa-%s", base, run) < (int)n;
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (const char *c = base; *c != '\0'; c++)
        hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001B3);
    int n_kept = most > 16 ? length - rest + most - 16 : length - rest;
    return snprintf(directory, n, "%.*s%016llx.eppa-%s", n_kept, base, (unsigned long long)hash, run) < (int)n;
}

/* As EPPA_WAIT says. */
static int64_t longest_wait_ns(bool speaks)
{
    const char *text = settings_text(SETTING_WAIT);
    long seconds = DEFAULT_WAIT_S;
    if (text != NULL && text[0] != '\0') {
        size_t digits = strspn(text, "0123456789");
        bool is_number = text[digits] == '\0' && digits < 9;
        seconds = is_number ? atol(text) : -1;
        if (seconds < 0 || seconds > MAX_WAIT_S) {
            if (speaks)
                eppa_say("EPPA_WAIT: '%s'; allowed: 0 to %d whole seconds; using %d", text, MAX_WAIT_S, DEFAULT_WAIT_S);
            seconds = DEFAULT_WAIT_S;
        }
    }
    return (int64_t)seconds * 1000000000;
}

static bool is_rank(const char *name)
{
    return name[0] != '\0' && name[strspn(name, "0123456789")] == '\0';
}

/* How many ranks are there; -1 if the directory is gone. */
static int count_ranks(const char *directory)
{
    int n = 0;
    DIR *entries = opendir(directory);
    if (entries == NULL)
        return -1;
    const struct dirent *entry;
    while ((entry = readdir(entries)) != NULL)
        n += is_rank(entry->d_name);
    closedir(entries);
    return n;
}

/* The answer is a link to nowhere, because only one process can make it. */
static bool read_answer(const char *directory, bool *is_full)
{
    char path[SPOOL_MAX_PATH + 8], text[16];
    snprintf(path, sizeof path, "%s/answer", directory);
    ssize_t n = readlink(path, text, sizeof text);
    *is_full = n == (ssize_t)sizeof full - 1 && memcmp(text, full, sizeof full - 1) == 0;
    return n > 0;
}

/* Does this process give the answer? Not if there is one already. */
static bool give_answer(const char *directory, const char *answer)
{
    char path[SPOOL_MAX_PATH + 8];
    snprintf(path, sizeof path, "%s/answer", directory);
    return symlink(answer, path) == 0;
}

static void remove_answer(const char *directory)
{
    char path[SPOOL_MAX_PATH + 8];
    snprintf(path, sizeof path, "%s/answer", directory);
    unlink(path);
    rmdir(directory);
}

static int enter(const char *directory, int rank)
{
    char name[32];
    if (mkdir(directory, 0777) != 0 && errno != EEXIST)
        return -1;
    int folder = open_folder(AT_FDCWD, directory);
    snprintf(name, sizeof name, "%d", rank);
    int file = folder < 0 ? -1 : open_regular(folder, name, O_WRONLY | O_CREAT);
    int error = errno;
    if (folder >= 0)
        close(folder);
    errno = error;
    return file < 0 ? -1 : close(file);
}

/* The last one to leave takes the answer with it. */
static void leave(const char *directory, int rank)
{
    char path[SPOOL_MAX_PATH + 16];
    snprintf(path, sizeof path, "%s/%d", directory, rank);
    unlink(path);
    if (count_ranks(directory) == 0)
        remove_answer(directory);
}

/* Rank 0 counts the others; a rank that has waited for too long gives up for all. */
static bool wait_for_answer(const char *directory, int rank, int n_ranks)
{
    bool is_full = false;
    int64_t end_ns = clock_now_ns() + longest_wait_ns(rank == 0);
    for (long pause_ns = 50 * 1000; !read_answer(directory, &is_full);
         pause_ns = pause_ns < MAX_PAUSE_NS ? 2 * pause_ns : pause_ns) {
        int n = rank == 0 ? count_ranks(directory) : 0;
        if (n == n_ranks) {
            give_answer(directory, full);
        } else if (clock_now_ns() > end_ns) {
            n = count_ranks(directory);
            if (n < 0 || give_answer(directory, broken))
                eppa_say("only %d of %d ranks run under libeppa with this EPPA_FILE; nothing is recorded",
                         n < 0 ? 0 : n, n_ranks);
            if (n < 0)
                return false;
        } else {
            nanosleep(&(struct timespec){.tv_nsec = pause_ns}, NULL);
        }
    }
    return is_full;
}

bool census_is_full(const char *base, int rank, int n_ranks)
{
    char directory[SPOOL_MAX_PATH], run[LAUNCHER_MAX_NAME + 1];
    if (n_ranks == 1 || !launcher_name(run))
        return true;
    if (!directory_of(base, run, directory, sizeof directory))
        return false;
    if (enter(directory, rank) != 0) {
        if (rank == 0)
            eppa_say("cannot make %s.eppa: %s; nothing is recorded", base, strerror(errno));
        return false;
    }
    bool is_full = wait_for_answer(directory, rank, n_ranks);
    leave(directory, rank);
    return is_full;
}
