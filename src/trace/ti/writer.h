/* TI as a format to write. A TI trace is what the program does, not what happens to it: the intervals that the format
 * is given say nothing to it, and the lines come from who exports the program.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_TI_WRITER_H
#define TRACE_TI_WRITER_H

#include "trace/record/writer.h"

#include <stdint.h>
#include <stdio.h>

extern const struct trace_format trace_ti;

/* Where the lines go; `self` is that of the open trace. */
FILE *trace_ti_stream(const void *self);

/* The numbers of elements and of their datatype that make up so many bytes: bytes, or, since SMPI counts with an int,
 * something longer. Less than 0 bytes, a length that the receiver does not know, are -1 of them. */
void trace_ti_elements(int64_t *count, int *datatype, int64_t bytes);

#endif
