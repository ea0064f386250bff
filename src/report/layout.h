/* A text table: right-aligned columns under their heads, as wide as their widest cell. One that is wider than 120
 * columns takes heads of two lines, and, if that is not enough, several tables below each other. */
#ifndef REPORT_LAYOUT_H
#define REPORT_LAYOUT_H

#include <stdio.h>

struct layout;

/* Heads are given one by one, then the cells row by row. */
struct layout *layout_new(void);
void layout_head(struct layout *layout, const char *format, ...) __attribute__((format(printf, 2, 3)));
void layout_cell(struct layout *layout, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The columns so far say what a row is: each of several tables begins with them. */
void layout_keys(struct layout *layout);
/* Write it, indented by two blanks, and free it. */
void layout_print(struct layout *layout, FILE *stream);

#endif
