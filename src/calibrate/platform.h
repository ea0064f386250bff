/* A measured computer, or several that are connected, as a platform file.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef CALIBRATE_PLATFORM_H
#define CALIBRATE_PLATFORM_H

#include "base/error.h"
#include "calibrate/fit.h"
#include "calibrate/message_fit.h"
#include "calibrate/message_rows.h"
#include "calibrate/sharing.h"

#include <stdbool.h>

#define PLATFORM_KERNELS 3

struct platform_kernel {
    const char *name;    /* dgemm */
    const char *summary; /* what a call does, and by which library */
    const char *memory;  /* size of the operands, "mk=8B nk=8B mn=8B"; NULL: not known */
    struct fit fit;
    struct fit memory_fit; /* bytes that a call needs; without terms: not measured */
    struct sharing sharing;
};

struct platform {
    char processor[128]; /* as the operating system calls it */
    char date[32];
    char mpi[64]; /* name and version of the message-passing library */
    int n_hosts;
    int cores;            /* of each host; 0: of one computer each processor is a host */
    bool hosts_differ;    /* in processors; they are written as the first, with the fewest cores */
    int64_t memory_bytes; /* of a whole computer */
    double rate_flopps;   /* of one processor, the best that dgemm reached */
    double copy_Bps;      /* bytes copied per second, from large array to large array */
    struct platform_kernel kernels[PLATFORM_KERNELS];
    struct message_fit messages; /* one latency and one rate, which formulas and `fluid` need */
    struct message_rows rows;    /* the same by length, which is what runs take */
    struct message_rows local;   /* within a host with cores; count 0: not measured */
    bool sees_limit;             /* the eager limit was seen in the times; else it is Open MPI's documented default */
    bool buffers_sends;          /* whether a send of tried_bytes returned before its receiver looked for messages */
    int64_t tried_bytes;
    int64_t longest_message; /* of the ping-pong */
};

/* Write the platform to a file, whole or not at all. */
int platform_write(const struct platform *platform, const char *file, struct sim_error *error);

#endif
