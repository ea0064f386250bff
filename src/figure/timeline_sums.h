/* An encoded timeline (timeline/timeline.h) as sums: how long the locations of each row were in each state, by column
 * of a picture; and its messages.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef FIGURE_TIMELINE_SUMS_H
#define FIGURE_TIMELINE_SUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TIMELINE_STATES = 16 };

struct timeline_message {
    int64_t from, to;   /* locations */
    double sent, taken; /* parts of the run's time */
};

struct timeline_sums {
    size_t n_rows, n_columns, n_states, per_row; /* per_row: how many locations a row has */
    bool are_ranks;                              /* each location is a rank */
    double end_s;
    char states[TIMELINE_STATES][24]; /* their names */
    double *sums;                     /* [row][column][state] */
    struct timeline_message *messages;
    size_t n_messages; /* 0 also where there are more than were asked for */
};

/* Read it with at most so many rows. False if the bytes are no timeline. */
bool timeline_sums_read(struct timeline_sums *sums, const unsigned char *bytes, size_t length, size_t most_rows,
                        size_t n_columns, size_t most_messages);
void timeline_sums_dispose(struct timeline_sums *sums);

#endif
