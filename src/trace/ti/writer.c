/* The file of a TI trace, and how its lines count bytes.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/ti/writer.h"

#include "base/memory.h"
#include "os/output.h"

#include <stdlib.h>

static void *ti_open(const char *file, struct sim_error *error)
{
    struct output output;
    if (output_open(&output, file, error) != 0)
        return NULL;
    struct output *self = xmalloc(sizeof *self);
    *self = output;
    return self;
}

static int ti_close(void *self, int64_t end_ps, struct sim_error *error)
{
    (void)end_ps;
    int status = output_close(self, error);
    free(self);
    return status;
}

static void ti_abandon(void *self)
{
    output_abandon(self);
    free(self);
}

FILE *trace_ti_stream(const void *self)
{
    return ((const struct output *)self)->stream;
}

void trace_ti_elements(int64_t *count, int *datatype, int64_t bytes)
{
    static const struct {
        int datatype, bytes;
    } longer[] = {{0, 8}, {14, 16}, {27, 32}}; /* MPI_DOUBLE, MPI_LONG_DOUBLE, MPI_C_LONG_DOUBLE_COMPLEX */
    *count = bytes < 0 ? -1 : bytes;
    *datatype = 6; /* MPI_BYTE */
    for (size_t i = 0; i < sizeof longer / sizeof longer[0] && *count > INT32_MAX; i++)
        if (bytes % longer[i].bytes == 0) {
            *count = bytes / longer[i].bytes;
            *datatype = longer[i].datatype;
        }
}

const struct trace_format trace_ti = {
    .name = "ti",
    .extension = ".ti",
    .summary = "time-independent trace of the program, for SimGrid's smpirun -replay",
    .of_program = true,
    .open = ti_open,
    .close = ti_close,
    .abandon = ti_abandon,
};
