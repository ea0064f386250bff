/* The JSON of a document, for the formats that are JSON or hold it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORT_JSON_INTERNAL_H
#define REPORT_JSON_INTERNAL_H

#include "document/document.h"
#include "report/json_writer.h"

/* Write what one audience reads: facts, and each table as an array of objects; for programs the sentences, too. */
void json_write_document(struct json_writer *writer, const struct document *document, enum audience audience);

#endif
