/* Tables of the text report: units, digits, and which rows and columns are shown.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include "document/document.h"

#include <stdio.h>

/* A table with its title. If brief, with the rows that matter and as many columns as a line has room for; a note below
 * it says what else there is. */
void table_write(FILE *stream, const struct table *table, bool is_brief);

#endif
