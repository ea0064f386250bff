/* A result as bytes (base/transport.h): how it goes from one process to another, and how the store keeps what is no
 * column of its own.
 *
 * A result is its measures, each a group, a name, a type and a value; the states of its processors; its tables; the
 * bins of links; and its timeline. A table is a name, columns in words, a number of rows, whether it is of a detail,
 * and cells. A time and a count take 128 bits, a ratio 64, a text in a cell a byte for its length. Values are read back
 * to the last bit.
 *
 * Bytes that are read may come from anybody. Those that are no result fail, and what memory they take is bounded by
 * their number. Texts are as they come, with any bytes but zeros.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef METRICS_RESULT_TRANSPORT_H
#define METRICS_RESULT_TRANSPORT_H

#include "base/transport.h"
#include "metrics/result.h"

/* By enum measure_type: time count ratio text. */
extern const char *const measure_type_names[];

/* The type of that name; -1 where there is none. */
int measure_type_find(enum measure_type *type, const char *name);

/* Write or read a result. All that is read becomes a part of the result, which is empty before; the caller disposes of
 * it, also on failure. */
void result_transport(struct transport *transport, struct result *result);

/* --- its parts --- */

/* 64 bits for each state of each processor; what is read are those of n_processors. */
void result_transport_states(struct transport *transport, struct result *result, size_t n_processors);
/* "rank:count wait_s:time": the columns that a table has; to be freed. */
char *result_format_columns(const struct result_table *table);
void result_write_cells(struct transport *transport, const struct result_table *table);
/* Add a table of that name with such columns, and read its cells. Unknown columns are skipped, and so is an unknown
 * table: NULL. Missing columns and unknown words are errors. */
struct result_table *result_read_table(struct transport *transport, struct result *result, const char *name,
                                       const char *columns, size_t n_rows);

#endif
