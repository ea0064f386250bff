/* Removes the partial outputs of this process when it ends early.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "os/partial.h"

#include "base/memory.h"
#include "os/exit_signals.h"
#include "os/path.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_OPEN = 4 };

/* The partial files and folders of this process, for the signal handler. */
static char *volatile partial_files[MAX_OPEN];
static pid_t owner;

/* As many folders as are in each other, of which each is open while it is removed. */
enum { DEPTH = 2 };
static int reserved[DEPTH] = {-1, -1};

int partial_reserve(void)
{
    for (int i = 0; i < DEPTH; i++)
        if (reserved[i] < 0 && (reserved[i] = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0)
            return -1;
    return 0;
}

void partial_release(void)
{
    for (int i = 0; i < DEPTH; i++) {
        if (reserved[i] >= 0)
            close(reserved[i]);
        reserved[i] = -1;
    }
}

/* Remove a folder and all that is in it. Called from signal handlers: system calls only. */
void partial_remove_folder(int at, const char *folder)
{
    _Alignas(struct dirent64) char entries[4096];
    ssize_t length;
    int descriptor = openat(at, folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor < 0)
        return;
    for (bool removed = true; removed;) {
        removed = false;
        lseek(descriptor, 0, SEEK_SET);
        while ((length = getdents64(descriptor, entries, sizeof entries)) > 0)
            for (ssize_t at_byte = 0; at_byte < length;) {
                const struct dirent64 *entry = (const void *)(entries + at_byte);
                at_byte += entry->d_reclen;
                if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
                    continue;
                removed |= unlinkat(descriptor, entry->d_name, 0) == 0;
                if (entry->d_type == DT_DIR)
                    partial_remove_folder(descriptor, entry->d_name);
            }
    }
    close(descriptor);
    unlinkat(at, folder, AT_REMOVEDIR);
}

/* A child that was forked since must not remove its parent's files. */
static void remove_partial_files(void)
{
    if (getpid() != owner)
        return;
    partial_release();
    for (int i = 0; i < MAX_OPEN; i++)
        if (partial_files[i] != NULL && unlink(partial_files[i]) != 0)
            partial_remove_folder(AT_FDCWD, partial_files[i]);
}

void partial_end_by_signal(int signal_number)
{
    sigset_t own;
    remove_partial_files();
    signal(signal_number, SIG_DFL);
    raise(signal_number);
    sigemptyset(&own);
    sigaddset(&own, signal_number);
    sigprocmask(SIG_UNBLOCK, &own, NULL);
}

/* A file that may not grow is an error of its write; what else ends the program removes what is partial. */
void partial_catch_signals(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    signal(SIGXFSZ, SIG_IGN);
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        exit_signals_handle(signals[i], partial_end_by_signal);
}

void partial_remember(char *partial)
{
    owner = getpid();
    memory_exhausted = remove_partial_files;
    for (int i = 0; i < MAX_OPEN; i++)
        if (partial_files[i] == NULL) {
            partial_files[i] = partial;
            return;
        }
}

void partial_forget(const char *partial)
{
    for (int i = 0; i < MAX_OPEN; i++)
        if (partial_files[i] == partial)
            partial_files[i] = NULL;
}

/* --- names --- */

char *partial_beside(const char *file, const char *end)
{
    char *name = xformat("simrun.partial-%s", end), *partial = path_beside(file, name, strlen(name));
    free(name);
    return partial;
}
