/* Common declarations of the fuzz targets. A target is one file, fuzz_<name>.c, with LLVMFuzzerTestOneInput(): any
 * bytes are either read or give an error of one line; nothing is printed, nothing leaks, and what was read can be used.
 *
 * tools/fuzz runs the targets under libFuzzer. In the other builds replay.c hands them the files that it is given.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_FUZZ_FUZZING_H
#define TESTS_FUZZ_FUZZING_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The function that a target defines; always returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* End the process unless it holds. Unlike an assert, it is there in every build. */
void fuzz_check(bool holds);

/* The error of a reader that has failed: SIM_BAD_INPUT or SIM_UNFINISHED, and one line of UTF-8 without control
 * characters. */
void fuzz_check_error(const struct sim_error *error);

/* The status of a reader and its error: whether it has read. */
bool fuzz_has_read(int status, const struct sim_error *error);

/* Nothing has been written to standard output or standard error since the last call. The first one begins to watch
 * them: a target calls it first and last. */
void fuzz_check_quiet(void);

/* Child processes end by themselves, without a report or a finding: for readers that try in one what a library may not
 * survive. */
void fuzz_let_children_crash(void);

/* A name in a folder of this process, which lies in memory if there is such a place; to be freed. */
char *fuzz_path(const char *name);

/* Write a file of that folder; data NULL: there is none. */
void fuzz_write(const char *name, const uint8_t *data, size_t size);

/* Read a file of which there is no more than `most`; how much there is. */
size_t fuzz_read(const char *path, uint8_t *data, size_t most);

/* Inputs that stand for several files: their contents, with FUZZ_SEPARATOR between them. */
#define FUZZ_SEPARATOR "\n--8<--\n"
enum { FUZZ_MAX_PARTS = 16 };

struct fuzz_parts {
    int count; /* 1 at least; the items behind it are NULL */
    struct {
        const uint8_t *data;
        size_t size;
    } items[FUZZ_MAX_PARTS];
};

void fuzz_split(struct fuzz_parts *parts, const uint8_t *data, size_t size);

/* A copy with a zero byte behind it; to be freed. */
char *fuzz_text(const uint8_t *data, size_t size);

#endif
