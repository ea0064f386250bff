/* Inside parts: pieces of the time of runs, each of one kind in one function or scope. */
#ifndef STUDY_PIECES_H
#define STUDY_PIECES_H

#include "study/models/parts.h"

enum { PIECE_NAME_SIZE = 38 }; /* with a kind behind it a name is that of a measure */

/* Time of all ranks of a run. */
struct piece {
    char name[PIECE_NAME_SIZE];
    enum part_kind kind;
    int run;
    wide_int ps;
};

struct pieces {
    struct piece *list; /* on the heap */
    size_t count, capacity;
};

/* Append those of a run, whose index is `run`. They add up to its states: what waits are for is taken off DOING_WAITING
 * in pieces of less than 0. */
void pieces_find_functions(struct pieces *pieces, int run, const struct study_run *from);
void pieces_find_scopes(struct pieces *pieces, int run, const struct study_run *from);

/* Sort, and add up what is of the same name, kind and run. */
void pieces_merge(struct pieces *pieces);
/* The end of a name in sorted pieces: behind the last piece with the name that the one at `first` has. */
size_t pieces_end_of_name(const struct pieces *pieces, size_t first);

#endif
