/* Asks the environment for the name of the run, and the processes above this one. PMIx names a run itself. Of
 * Hydra's variables (PMI_RANK, PMI_SIZE, PMI_FD) none differs between runs; but a proxy on each host starts the
 * ranks there, and its command line has the address of the one mpiexec that they all obey.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/record/launcher.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_ABOVE = 64, MAX_TEXT = 4096 };

static bool is_name(const char *name)
{
    return name != NULL && name[0] != '\0' && strlen(name) <= LAUNCHER_MAX_NAME && strchr(name, '/') == NULL;
}

/* The beginning of a file of a process; its length, and a null behind it. */
static size_t read_text(pid_t process, const char *what, char text[MAX_TEXT])
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/%s", (long)process, what);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = file < 0 ? 0 : read(file, text, MAX_TEXT - 1);
    if (file >= 0)
        close(file);
    text[n < 0 ? 0 : n] = '\0';
    return n < 0 ? 0 : (size_t)n;
}

/* 0 if there is none. Its own name, in parentheses, may have any byte in it. */
static pid_t parent_of(pid_t process)
{
    char text[MAX_TEXT];
    long parent = 0;
    read_text(process, "stat", text);
    const char *behind = strrchr(text, ')');
    if (behind == NULL || sscanf(behind + 1, " %*c %ld", &parent) != 1)
        return 0;
    return (pid_t)parent;
}

/* The word behind an option among the words of a command, each of which ends with a null; NULL if it is not there. */
static const char *option_of(const char *words, size_t n, const char *option)
{
    const char *end = words + n, *value;
    for (const char *word = words; word < end; word = value) {
        value = word + strlen(word) + 1;
        if (value < end && strcmp(word, option) == 0)
            return value;
    }
    return NULL;
}

static bool is_proxy(const char *program)
{
    const char *slash = strrchr(program, '/');
    return strcmp(slash == NULL ? program : slash + 1, "hydra_pmi_proxy") == 0;
}

/* The address of the mpiexec, and which of its process groups it is. */
static bool name_of_proxy(const char *words, size_t n, char name[LAUNCHER_MAX_NAME + 1])
{
    const char *port = option_of(words, n, "--control-port"), *group = option_of(words, n, "--pgid");
    if (!is_proxy(words) || port == NULL || group == NULL)
        return false;
    return snprintf(name, LAUNCHER_MAX_NAME + 1, "hydra-%s-%s", port, group) <= LAUNCHER_MAX_NAME && is_name(name);
}

static bool name_of_hydra(char name[LAUNCHER_MAX_NAME + 1])
{
    char words[MAX_TEXT];
    pid_t process = getppid();
    for (int i = 0; i < MAX_ABOVE && process > 0; i++, process = parent_of(process))
        if (name_of_proxy(words, read_text(process, "cmdline", words), name))
            return true;
    return false;
}

bool launcher_name(char name[LAUNCHER_MAX_NAME + 1])
{
    const char *given = secure_getenv("PMIX_NAMESPACE");
    if (is_name(given)) {
        snprintf(name, LAUNCHER_MAX_NAME + 1, "%s", given);
        return true;
    }
    return secure_getenv("PMI_RANK") != NULL && name_of_hydra(name);
}

bool launcher_is_first(void)
{
    const char *number = secure_getenv("OMPI_COMM_WORLD_RANK");
    if (number == NULL)
        number = secure_getenv("PMI_RANK");
    return number == NULL || strcmp(number, "0") == 0;
}
