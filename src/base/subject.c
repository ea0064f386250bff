/* The names of collectives by their subject, and phases that are one part. */
#include "base/subject.h"

#include <stddef.h>
#include <string.h>

enum subject subject_of_collective(const char *name)
{
    static const char *const names[] = {"broadcast", "scatter",   "gather",   "reduce",
                                        "allreduce", "allgather", "alltoall", "barrier"};
    for (int i = 0; i <= SUBJECT_BARRIER - SUBJECT_BROADCAST; i++)
        if (strcmp(names[i], name) == 0)
            return (enum subject)(SUBJECT_BROADCAST + i);
    return SUBJECT_NONE;
}

bool phase_same_part(const struct phase_spec *a, const struct phase_spec *b)
{
    return a != NULL && b != NULL && a->part != NULL && b->part != NULL && strcmp(a->part, b->part) == 0;
}
