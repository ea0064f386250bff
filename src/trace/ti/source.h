/* The lines of a TI trace, rank by rank, in memory that does not depend on the trace's length.
 *
 * A trace is a list of files, one for each rank; or one file with the lines of all ranks, named by a list or directly.
 * Where the lines of one file lie in few pieces, each of one rank, the pieces are remembered; where they are
 * interleaved, they are copied once, rank by rank, to a temporary file without a name.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_TI_SOURCE_H
#define TRACE_TI_SOURCE_H

#include "base/error.h"
#include "trace/ti/plain.h"

#include <stdbool.h>
#include <stdint.h>

#define TI_MAX_RANKS 65536

struct ti_source;

/* Open a trace by its list or its only file. The caller closes. */
int ti_source_open(struct ti_source **source, const char *file, struct sim_error *error);
void ti_source_close(struct ti_source *source);
int ti_source_ranks(const struct ti_source *source);

/* 1 if a line may name any source or any tag by SMPI's numbers for these, 0 if none does, or -1 with an error. */
int ti_source_has_any(const struct ti_source *source, struct sim_error *error);

/* The rank's next line that says something: 1 and where it begins, after the rank's number and blanks; it ends with the
 * first '\n', and holds until the rank's next line is asked for. 0 after the last one; -1 with an error. */
int ti_source_next(struct ti_source *source, int rank, const char **line, struct sim_error *error);
/* The rank's next line, if it is plain and whole in memory; it is still the next one then, until it is passed: the
 * number of the line. */
bool ti_source_plain(struct ti_source *source, int rank, struct ti_plain *line);
int64_t ti_source_pass(struct ti_source *source, int rank, const struct ti_plain *line);

void ti_source_rewind(struct ti_source *source, int rank);

/* Where the rank's last line stands. */
const char *ti_source_file(const struct ti_source *source, int rank);
long ti_source_line(const struct ti_source *source, int rank);

#endif
