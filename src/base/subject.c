/* The names of collectives by their subject, and phases that are one part.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/subject.h"

#include <stddef.h>
#include <string.h>

const char *const subject_names[N_SUBJECT_NAMES] = {
    [SUBJECT_NONE] = "",
    [SUBJECT_BROADCAST] = "broadcast",
    [SUBJECT_SCATTER] = "scatter",
    [SUBJECT_GATHER] = "gather",
    [SUBJECT_REDUCE] = "reduce",
    [SUBJECT_ALLREDUCE] = "allreduce",
    [SUBJECT_ALLGATHER] = "allgather",
    [SUBJECT_ALLTOALL] = "alltoall",
    [SUBJECT_BARRIER] = "barrier",
};

bool phase_same_part(const struct phase_spec *a, const struct phase_spec *b)
{
    return a != NULL && b != NULL && a->part != NULL && b->part != NULL && strcmp(a->part, b->part) == 0;
}
