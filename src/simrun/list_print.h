/* Prints lists in lines of at most 120 columns, for the kinds of simrun list.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIMRUN_LIST_PRINT_H
#define SIMRUN_LIST_PRINT_H

#include "base/builder.h"
#include "simrun/list_kinds.h"

/* Print words in lines that all begin at a column, which has been reached; the same of what a builder has, which is
 * empty then, and of names. */
void list_words(int column, const char *text);
void list_taken(int column, struct builder *words);
void list_names(int column, const char *const *names, int count);

/* Print a thing: its name, a sentence, and in brackets where that is from. */
void list_line(struct list_row row);

/* The rows of the kind `platforms`, simrun/list_platforms.c. */
struct list_row list_platform_row(const struct list *list, int i);
void list_platform(const struct list *list, int i, enum list_detail detail);
void list_platforms_end(enum list_detail detail);

/* Those of the kinds `metrics`, `measures`, `tables` and `details`, simrun/list_results.c. */
void list_metric(const struct list *list, int i, enum list_detail detail);
struct list_row list_measure_row(const struct list *list, int i);
void list_measure(const struct list *list, int i, enum list_detail detail);
struct list_row list_table_row(const struct list *list, int i);
void list_table(const struct list *list, int i, enum list_detail detail);
struct list_row list_detail_row(const struct list *list, int i);

#endif
