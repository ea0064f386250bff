/* The dimensions of a topology as a scenario gives them: numbers joined by "x", such as 4x4x8, and for fat trees a
 * second list behind a colon, 4x4x8:1x4x4. Their meaning depends on the topology (topology.h).
 *
 * A parameter's value is one integer, so the lists that have been read are kept, each once, for the life of the
 * process, and the value is the place of one among them; 0 is "auto". All threads share what is kept, and may add to
 * it. Which value stands for which list depends on their order: no result may.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_TOPOLOGY_DIMENSIONS_H
#define SIM_TOPOLOGY_DIMENSIONS_H

#include <stddef.h>
#include <stdint.h>

#define DIMENSIONS_MAX 16
#define DIMENSIONS_MAX_SIDE 65536

struct dimensions {
    int n, n_up;              /* how many of each; n_up 0: no second list */
    int side[DIMENSIONS_MAX]; /* each 1 ... DIMENSIONS_MAX_SIDE */
    int up[DIMENSIONS_MAX];
};

/* The form that a text must have. */
#define DIMENSIONS_FORM "numbers joined by x such as 16x8 (1 to 16 of them, each 1 ... 65536)"

/* Parse; -1 and a message in why, what was found and what is allowed, where the text is something else. */
int dimensions_parse(struct dimensions *dimensions, const char *text, char *why, size_t why_size);

/* Write the text that dimensions_parse() reads back. */
void dimensions_format(char *text, size_t text_size, const struct dimensions *dimensions);

/* The product of the sides; -1 where it is more than `most`. */
int64_t dimensions_product(const int *side, int n, int64_t most);

/* The value that stands for the dimensions, the same for equal ones, above 0; and back: {0} for 0. */
int64_t dimensions_value(const struct dimensions *dimensions);
struct dimensions dimensions_of(int64_t value);

/* The smallest mesh that holds n nodes, of the best shape that there is room for; of equal ones the squarest.
 * Reproduces 1x1, 2x1, 2x2, 4x2, 4x4, 8x4, 8x8, 16x8 for the powers of two. */
void dimensions_choose_mesh(int n, int max_width, int max_height, int *width, int *height);

#endif
