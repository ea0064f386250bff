/* Starts eppa-recover in a session of its own, which waits for the end of the run.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/record/watch.h"

#include "eppa/record/recorder.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

extern char **environ;

/* eppa-recover lies beside the library, or where programs are installed; false if it does not. */
static bool find_program(char *program, size_t n_program)
{
    static const char *const places[] = {"eppa-recover", "../bin/eppa-recover", "../../bin/eppa-recover"};
    Dl_info info;
    if (dladdr(&recorder, &info) == 0 || info.dli_fname == NULL)
        return false;
    const char *slash = strrchr(info.dli_fname, '/');
    int length = slash == NULL ? 0 : (int)(slash - info.dli_fname) + 1;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        int n = snprintf(program, n_program, "%.*s%s", length, info.dli_fname, places[i]);
        if (n < (int)n_program && access(program, X_OK) == 0)
            return true;
    }
    return false;
}

/* Copy the environment without the variable that would load this library into eppa-recover. The strings are the
 * environment's own. */
static char **copy_environment(void)
{
    size_t n = 0, n_kept = 0;
    while (environ[n] != NULL)
        n++;
    char **copy = calloc(n + 1, sizeof *copy);
    for (size_t i = 0; copy != NULL && i < n; i++)
        if (strncmp(environ[i], "LD_PRELOAD=", 11) != 0)
            copy[n_kept++] = environ[i];
    return copy;
}

/* With no file of this process open, or mpirun would wait for it. */
static bool start(char *program, char **environment)
{
    char option[] = "--watch", *arguments[] = {program, option, recorder.directory, NULL};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none;
    pid_t child;
    sigemptyset(&none);
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    for (int i = 0; i < 3; i++)
        posix_spawn_file_actions_addopen(&files, i, "/dev/null", O_RDWR, 0);
    posix_spawn_file_actions_addclosefrom_np(&files, 3);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK);
    int status = posix_spawn(&child, program, &files, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return status == 0;
}

void watch_start(void)
{
    char program[SPOOL_MAX_PATH], **environment = copy_environment();
    if (environment == NULL || !find_program(program, sizeof program) || !start(program, environment))
        eppa_say("cannot start eppa-recover; the records of a run that is killed will stay in %s", recorder.directory);
    free(environment);
}
