/* A process holds one platform, so each machine is loaded in a child process, which writes what it finds to a pipe.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SIM_PLATFORM_CHILD_H
#define TESTS_SIM_PLATFORM_CHILD_H

#include "base/memory.h"
#include "sim/machine/machine.h"
#include "sim/platform/platform.h"

#include <CUnit/Basic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef void child_body(FILE *out, const char *file);

static inline char *read_to_end(FILE *stream)
{
    char *text = NULL;
    size_t size = 0;
    ssize_t length = getdelim(&text, &size, '\0', stream);
    if (length >= 0)
        return text;
    free(text);
    return xstrdup("");
}

/* The output of the body; "died" if the child did not end by itself. The caller frees it. */
static inline char *in_child(child_body *body, const char *file)
{
    int ends[2];
    if (pipe(ends) != 0)
        abort();
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        FILE *out = fdopen(ends[1], "w");
        body(out, file);
        fclose(out);
        _exit(0);
    }
    close(ends[1]);
    FILE *in = fdopen(ends[0], "r");
    char *text = read_to_end(in);
    fclose(in);
    int status = 0;
    if (waitpid(child, &status, 0) == child && status == 0)
        return text;
    free(text);
    return xstrdup("died");
}

static inline void check_child(child_body *body, const char *file, const char *expected)
{
    char *found = in_child(body, file);
    if (strcmp(found, expected) != 0)
        fprintf(stderr, "\n  expected: %s\n  found:    %s\n", expected, found);
    CU_ASSERT_STRING_EQUAL(found, expected);
    free(found);
}

/* Load or say why not. */
static inline bool load(struct machine *machine, const char *file, FILE *out)
{
    struct sim_error error;
    if (machine_load(machine, file, &error) == 0)
        return true;
    fputs(error.message, out);
    return false;
}

/* A platform made for one test; `body` is what stands in its zone. The caller unlinks the file and frees its name. */
static inline char *write_platform(const char *body)
{
    char *name = xstrdup(P_tmpdir "/test-machine-XXXXXX.xml");
    int descriptor = mkstemps(name, 4);
    FILE *file = fdopen(descriptor, "w");
    fprintf(file,
            "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
            "<platform version=\"4.1\">\n<zone id=\"z\" routing=\"Full\">\n%s</zone>\n</platform>\n",
            body);
    fclose(file);
    return name;
}

static inline void check_platform(child_body *body, const char *text, const char *expected)
{
    char *file = write_platform(text);
    check_child(body, file, expected);
    unlink(file);
    free(file);
}

#endif
