/* A text table: right-aligned columns under their heads, as wide as their widest cell. One that is wider than 120
 * columns takes heads of two lines, and, if that is not enough, several tables below each other. */
#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include <stdio.h>

struct table;

/* Heads are given one by one, then the cells row by row. */
struct table *table_new(void);
void table_head(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
void table_cell(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The columns so far say what a row is: each of several tables begins with them. */
void table_keys(struct table *table);
/* Write it, indented by two blanks, and free it. */
void table_print(struct table *table, FILE *stream);

#endif
