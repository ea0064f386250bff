/* The JSON Schema of what --format json writes, from the tables that make it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIMRUN_JSON_SCHEMA_H
#define SIMRUN_JSON_SCHEMA_H

#include <stdio.h>

void json_schema_write(FILE *stream);

#endif
