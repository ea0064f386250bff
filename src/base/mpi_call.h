/* MPI's functions by what they are for, told from their names: the one list of trace readers and the tracer.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef BASE_MPI_CALL_H
#define BASE_MPI_CALL_H

#include <stdbool.h>

enum mpi_call {
    MPI_CALL_MESSAGE, /* moves data between ranks, or waits for that */
    MPI_CALL_READ,    /* reads a file */
    MPI_CALL_WRITE,   /* writes one, also what is still in memory */
    MPI_CALL_LIBRARY, /* moves nothing of the program's: communicators, windows, types, files opened and closed, ... */
    MPI_CALL_START,   /* of these, the beginning and the end of MPI */
};

/* `moves`: the answer for a name that is on no list, whether its kind of function moves data. Capital letters do not
 * count. */
enum mpi_call mpi_call_of(const char *name, bool moves);

#endif
