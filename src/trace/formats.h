/* The formats that traces are written and read in: one line in writer_list.def or reader_list.def each.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_FORMATS_H
#define TRACE_FORMATS_H

#include "base/error.h"
#include "trace/record/record.h"
#include "trace/record/writer.h"

#include <stddef.h>

/* The i-th format that can be written, NULL after the last. */
const struct trace_format *trace_format_at(int i);

/* The format for a file name, or NULL with an error that lists the known extensions. Formats that this build is without
 * are found by their names, too: they refuse to be opened. */
const struct trace_format *trace_format_of(const char *file, struct sim_error *error);

/* The i-th format that can be read, NULL after the last. */
const struct record_format *record_format_at(int i);

/* The format that a file is of by its first bytes, or, where these say nothing, by the end of its name; or NULL;
 * likewise. */
const struct record_format *record_format_of(const char *file);

/* The length of the file's name without its format's extension. */
size_t record_stem_length(const char *file);

/* The extensions of those that can be read, each behind a blank. */
void record_formats_known(char *known, size_t size);

/* Open whichever format the file is of; what cannot be read is SIM_BAD_INPUT and says what it is, or else which
 * extensions are known. */
int record_open(struct record_reader *reader, const char *file, struct sim_error *error);

#endif
