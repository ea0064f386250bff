/* What a simulation's events become in an OTF2 archive: pieces, sorted by location. Memory grows with the locations and
 * what they have begun. */
#ifndef TRACE_OTF2_EVENT_PIECES_H
#define TRACE_OTF2_EVENT_PIECES_H

#include "event/event.h"
#include "trace/otf2/pieces.h"
#include "trace/record/sorter.h"

struct event_pieces {
    const struct event_setup *setup; /* NULL: none has begun */
    struct sorter *sorter;           /* of packed pieces, by location; the failure of a write is its status */
    struct piece_maker *makers;      /* of each location */
    int *scope_regions;              /* of each scope; -1: none, because it has no name */
};

/* Pieces are spooled beside `file`. */
void event_pieces_init(struct event_pieces *self, const char *file);
void event_pieces_dispose(struct event_pieces *self);

/* Once, before the first event; `setup` stays the caller's. */
void event_pieces_begin(struct event_pieces *self, const struct event_setup *setup);
void event_pieces_add(struct event_pieces *self, const struct event *event);
/* No event comes any more: what is open ends. */
void event_pieces_end(struct event_pieces *self);

/* The regions besides those of enum piece_region: of categories and of scopes. */
void event_pieces_define(const struct event_pieces *self, struct archive_output *archive);

#endif
