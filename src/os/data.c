/* Finds simrun's own files by where the program is.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "os/data.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The folder that the program lies in. */
static char *program_folder(void)
{
    char program[4096];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length < 0 ? 0 : length] = '\0';
    char *slash = strrchr(program, '/');
    if (slash == NULL)
        return xstrdup(".");
    *slash = '\0';
    return xstrdup(program);
}

static bool is_build(const char *folder)
{
    char *cache = xformat("%s/CMakeCache.txt", folder);
    bool found = access(cache, F_OK) == 0;
    free(cache);
    return found;
}

char *data_folder(void)
{
    char *program = program_folder();
    char *data = xformat("%s/%s", program, is_build(program) ? SOURCES_FROM_BUILD : DATA_FROM_PROGRAMS);
    char *plain = realpath(data, NULL); /* on the heap of the C library, whose free() is ours */
    free(program);
    if (plain == NULL)
        return data;
    free(data);
    return plain;
}

bool data_is_build(void)
{
    char *program = program_folder();
    bool found = is_build(program);
    free(program);
    return found;
}

char *data_lack(void)
{
    char *data = data_folder(), *scenarios = xformat("%s/scenarios", data), *platforms = xformat("%s/platforms", data);
    bool is_whole = access(scenarios, R_OK) == 0 && access(platforms, R_OK) == 0;
    free(scenarios);
    free(platforms);
    if (!is_whole)
        return data;
    free(data);
    return NULL;
}

char *data_apps(void)
{
    char *data = data_folder(), *apps = xformat("%s/src/apps", data);
    free(data);
    return apps;
}

/* NAME.html, as it is installed; in a build it is in a folder. */
static char *find_made(const char *in, const char *name)
{
    char *program = program_folder();
    if (is_build(program)) {
        char *built = xformat("%s/%s/%s.html", program, in, name);
        free(program);
        return built;
    }
    free(program);
    char *data = data_folder(), *installed = xformat("%s/%s.html", data, name);
    free(data);
    return installed;
}

char *data_page(void)
{
    return find_made("page", "page");
}

char *data_lab(void)
{
    return find_made("lab", "lab");
}

char *data_engine(void)
{
    return find_made("lab", "engine");
}

char *data_solutions(void)
{
    return find_made("lab", "lab-solutions");
}

char *data_program(const char *name)
{
    char *program = program_folder(), *file = xformat("%s/%s", program, name);
    free(program);
    return file;
}

char *data_library(const char *name)
{
    char *program = program_folder();
    char *file = xformat("%s/%s/%s", program, is_build(program) ? "." : LIBRARIES_FROM_PROGRAMS, name);
    char *plain = realpath(file, NULL);
    free(program);
    if (plain == NULL)
        return file;
    free(file);
    return plain;
}
