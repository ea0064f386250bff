/* The JSON of a document, for the formats that are JSON or hold it. */
#ifndef REPORT_JSON_INTERNAL_H
#define REPORT_JSON_INTERNAL_H

#include "document/document.h"

#include <jansson.h>

#define JSON_STYLE (JSON_INDENT(1) | JSON_REAL_PRECISION(15))

/* What one audience reads of it: facts, and each table as an array of objects; to be released. */
json_t *json_of_document(const struct document *document, enum audience audience);

#endif
