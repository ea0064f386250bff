/* Pieces, sorted by location, that a simulation's intervals become in an OTF2 archive. Memory grows with the locations
 * and what they have begun. */
#ifndef TRACE_OTF2_INTERVAL_PIECES_H
#define TRACE_OTF2_INTERVAL_PIECES_H

#include "interval/interval.h"
#include "trace/otf2/pieces.h"
#include "trace/record/sorter.h"

struct interval_pieces {
    const struct interval_setup *setup; /* NULL: none has begun */
    struct sorter *sorter;              /* of packed pieces, by location; the failure of a write is its status */
    struct piece_maker *makers;         /* of each location */
    int *scope_regions;                 /* of each scope; -1: none, because it has no name */
};

/* Pieces are spooled beside `file`. */
void interval_pieces_init(struct interval_pieces *self, const char *file);
void interval_pieces_dispose(struct interval_pieces *self);

/* Once, before the first interval; `setup` stays the caller's. */
void interval_pieces_begin(struct interval_pieces *self, const struct interval_setup *setup);
void interval_pieces_add(struct interval_pieces *self, const struct interval *interval);
/* No interval comes any more: what is open ends. */
void interval_pieces_end(struct interval_pieces *self);

/* The regions besides those of enum piece_region: of categories and of scopes. */
void interval_pieces_define(const struct interval_pieces *self, struct archive_output *archive);

#endif
