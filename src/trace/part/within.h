/* The records of a part of a run, for a replay: those that begin in the part, computation and other calls as much as
 * lies in it.
 *
 * A message is in the part if its send and its receive begin there, on two of its ranks; a collective if it does for
 * all its members of the part. Others are left out, with their waits. Scopes that the part begins in are entered at its
 * beginning. Non-blocking collectives stand where they are waited for.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_PART_WITHIN_H
#define TRACE_PART_WITHIN_H

#include "trace/part/part.h"

/* Make of the reader, which stands at its beginning, one of the part, for which it goes through the records once. Its
 * info.part then says which, and how many messages are left out. record_close() closes both. -1 with an error: the
 * reader is then as before. Memory grows with what is under way at the borders. */
int part_within(struct record_reader *reader, const struct part_request *request, struct sim_error *error);

#endif
