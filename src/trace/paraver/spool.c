/* Parts of a temporary file, each of one location: a head that says where its next part stands, and items.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/paraver/spool.h"

#include "base/memory.h"
#include "os/temporary.h"
#include "os/write_at.h"
#include "trace/record/lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TEMPORARY "the temporary file for a Paraver trace"

enum { PART_ITEMS = 64 };

struct part {
    int64_t next; /* offset of the location's next part; -1: there is none */
    int64_t n_items;
    struct prv_item items[PART_ITEMS];
};

struct place {
    struct part *part; /* that is written, or was read last; NULL: none */
    int64_t first, offset;
    int64_t at; /* of what is read */
};

struct prv_spool {
    int descriptor;
    int n_locations;
    int64_t end; /* where the next part goes */
    struct place *places;
};

struct prv_spool *prv_spool_new(int n_locations)
{
    struct prv_spool *spool = xmalloc(sizeof *spool);
    *spool = (struct prv_spool){.descriptor = -1, .n_locations = n_locations};
    spool->places = xcalloc((size_t)n_locations, sizeof *spool->places);
    for (int i = 0; i < n_locations; i++)
        spool->places[i].first = -1;
    return spool;
}

void prv_spool_free(struct prv_spool *spool)
{
    if (spool == NULL)
        return;
    for (int i = 0; i < spool->n_locations; i++)
        free(spool->places[i].part);
    free(spool->places);
    if (spool->descriptor >= 0)
        close(spool->descriptor);
    free(spool);
}

static int64_t new_offset(struct prv_spool *spool)
{
    int64_t offset = spool->end;
    spool->end += (int64_t)sizeof(struct part);
    return offset;
}

static int write_part(struct prv_spool *spool, struct place *place, int64_t next, struct sim_error *error)
{
    place->part->next = next;
    int status = write_at(spool->descriptor, place->part, sizeof *place->part, place->offset, TEMPORARY, error);
    place->part->n_items = 0;
    place->offset = next;
    return status;
}

int prv_spool_add(struct prv_spool *spool, const struct prv_item *item, struct sim_error *error)
{
    struct place *place = &spool->places[item->location];
    if (spool->descriptor < 0 && (spool->descriptor = temporary_open(NULL)) < 0)
        return sim_error_set(error, SIM_UNFINISHED, NULL, 0, TEMPORARY " (in $TMPDIR or /tmp) cannot be made: %s",
                             strerror(errno));
    if (place->part == NULL) {
        place->part = xcalloc(1, sizeof *place->part);
        place->first = place->offset = new_offset(spool);
    } else if (place->part->n_items == PART_ITEMS && write_part(spool, place, new_offset(spool), error) != 0) {
        return -1;
    }
    place->part->items[place->part->n_items++] = *item;
    return 0;
}

int prv_spool_finish(struct prv_spool *spool, struct sim_error *error)
{
    int status = 0;
    for (int i = 0; status == 0 && i < spool->n_locations; i++)
        if (spool->places[i].part != NULL)
            status = write_part(spool, &spool->places[i], -1, error);
    prv_spool_rewind(spool);
    return status;
}

int prv_spool_next(struct prv_spool *spool, int location, struct prv_item *item, struct sim_error *error)
{
    struct place *place = &spool->places[location];
    if (place->part == NULL || (place->at == place->part->n_items && place->offset < 0))
        return 0;
    if (place->at == place->part->n_items) {
        if (lines_read_at(spool->descriptor, place->part, sizeof *place->part, place->offset, TEMPORARY, error) != 0)
            return -1;
        place->offset = place->part->next;
        place->at = 0;
    }
    *item = place->part->items[place->at++];
    return 1;
}

void prv_spool_rewind(struct prv_spool *spool)
{
    for (int i = 0; i < spool->n_locations; i++) {
        struct place *place = &spool->places[i];
        place->offset = place->first;
        place->at = 0;
        if (place->part != NULL)
            place->part->n_items = 0;
    }
}
