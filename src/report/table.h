/* A text table: right-aligned columns under their heads, as wide as their widest cell. */
#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include <stdio.h>

struct table;

/* Heads are given one by one, then the cells row by row. */
struct table *table_new(void);
void table_head(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
void table_cell(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Write it, indented by two blanks, and free it. */
void table_print(struct table *table, FILE *stream);

#endif
