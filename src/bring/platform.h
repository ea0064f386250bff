/* A platform made of a model: its props and hosts, written as a file or as text for simrun_read_machine().
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef BRING_PLATFORM_H
#define BRING_PLATFORM_H

#include "bring/model.h"
#include "fabric/fabric.h"
#include "measurement/benchmark.h"

#include <stdio.h>

/* A prop with the comment that stands above it; NULL: none. */
struct made_prop {
    char *comment, *id, *value;
};

struct made_platform {
    struct made_prop *props;
    size_t n_props, capacity;
    int n_hosts, cores;
    double wire_Bps, wire_latency_s;    /* of a host */
    char topology[32], dimensions[128]; /* "": not known, or the graph of `fabric` */
    const struct fabric *fabric;
    char name[64]; /* letters, digits and hyphens */
};

/* `n_hosts` and `cores` are at least what the benchmarks need; fabric is borrowed. */
void platform_make(struct made_platform *platform, const struct model *model, const struct benchmarks *benchmarks,
                   const struct fabric *fabric, const char *name);
void platform_dispose(struct made_platform *platform);

/* Write it as a platform file, which `head` describes: lines for its first comment. */
void platform_write_file(const struct made_platform *platform, const char *head, FILE *stream);

/* The text of so many hosts around a switch, whose routes cross wires of that latency in all; to be freed. With
 * `levels`, wires are as the levels say, and latency_s is that of one. */
char *platform_text(const struct made_platform *platform, int n_hosts, double latency_s, bool levels);

#endif
