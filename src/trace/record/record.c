/* Asks a trace's reader for records.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/record/record.h"

#include "base/memory.h"
#include "trace/record/holes.h"

#include <stddef.h>
#include <stdlib.h>

int record_next(struct record_reader *reader, int location, struct record *record, struct sim_error *error)
{
    int status = reader->format->next(reader, location, record, error);
    if (status == 1 && reader->holes != NULL)
        record_holes_leave_out(reader->holes, record);
    return status;
}

int record_rewind(struct record_reader *reader, struct sim_error *error)
{
    return reader->format->rewind(reader, error);
}

void record_close(struct record_reader *reader)
{
    if (reader->format != NULL)
        reader->format->close(reader);
    record_holes_free(reader->holes);
    reader->holes = NULL;
    reader->format = NULL;
}

bool record_is_shared(const struct record_reader *reader)
{
    return reader->format->is_shared != NULL && reader->format->is_shared(reader);
}

int record_count(struct record_reader *reader, struct counters *counters, struct sim_error *error)
{
    return reader->format->count == NULL ? 0 : reader->format->count(reader, counters, error);
}

void record_info_world(struct record_info *info, int n_ranks)
{
    info->n_ranks = n_ranks;
    info->n_groups = info->n_scopes = 1;
    info->groups = xcalloc(1, sizeof *info->groups);
    info->groups[0] = (struct record_group){n_ranks, xmalloc((size_t)n_ranks * sizeof(int))};
    for (int r = 0; r < n_ranks; r++)
        info->groups[0].members[r] = r;
    info->scopes = xmalloc(sizeof *info->scopes);
    info->scopes[0] = xstrdup("");
}

void record_info_dispose_world(struct record_info *info)
{
    free(info->groups[0].members);
    free(info->groups);
    free(info->scopes[0]);
    free(info->scopes);
    *info = (struct record_info){0};
}
