/* A scenario's file as an XML document, and how what is wrong with it is said.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_SCENARIO_DOCUMENT_INTERNAL_H
#define SIM_SCENARIO_DOCUMENT_INTERNAL_H

#include "base/error.h"

#include <libxml/tree.h>
#include <stddef.h>

/* Where an error is put: the file's name and the caller's struct. */
struct xml_report {
    const char *label;
    struct sim_error *error;
};

#define FAIL(report, line, ...) sim_error_set((report)->error, SIM_BAD_INPUT, (report)->label, line, __VA_ARGS__)

static inline const char *chars(const xmlChar *text)
{
    return (const char *)text;
}

/* Parse, then have `take` read the root unless it is NULL, then check the schema. A document that is not well-formed,
 * has a DOCTYPE or is not valid is an error; so is what `take` returns other than 0. */
int scenario_document_read(const char *bytes, size_t size,
                           int (*take)(void *self, const xmlNode *root, const struct xml_report *report), void *self,
                           const struct xml_report *report);

/* The error of a platform file in place of a scenario. Returns -1. */
int scenario_refuse_platform(const struct xml_report *report, long line);

#endif
