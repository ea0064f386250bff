/* Asks a trace's reader for records. */
#include "trace/record/record.h"

#include <stddef.h>

int record_next(struct record_reader *reader, int rank, struct record *record, struct sim_error *error)
{
    return reader->format->next(reader, rank, record, error);
}

int record_rewind(struct record_reader *reader, struct sim_error *error)
{
    return reader->format->rewind(reader, error);
}

void record_close(struct record_reader *reader)
{
    if (reader->format != NULL)
        reader->format->close(reader);
    reader->format = NULL;
}
