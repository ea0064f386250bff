/* Output formats: documents, printed.
 *
 * One file src/report/<name>.c, one line in report/list.def. A format prints every document, whatever it is about, and
 * computes nothing. It writes to a stream that its caller opens, checks and closes.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "document/document.h"

#include <stdio.h>

/* The bytes with this name are what a page that simulates is made of: JSON, see simrun/lab_live.h. */
#define LIVE_BLOCK "live-scenario"

struct report_spec {
    const char *name;
    const char *summary;
    unsigned audience;  /* for whom it is: which documents it wants, as a sum of enum audience */
    int most_drawn;     /* it shows what is drawn of so many runs at most: it wants all details of these */
    bool compares_rows; /* it looks at several rows of a table at a time, which are not to be made one by one */
    /* Tells what it lacks on this computer; NULL, or without this member: nothing. Static, or for as long as the
     * program. */
    const char *(*find_lack)(void);
    /* Why it cannot say a document; NULL: it can. Without this member it says all. */
    const char *(*find_obstacle)(const struct document *document);
    void (*write)(FILE *stream, const struct document *document);
};

/* All formats, NULL-terminated; the first is the default. */
extern const struct report_spec *const report_specs[];
const struct report_spec *report_find(const char *name);

#endif
