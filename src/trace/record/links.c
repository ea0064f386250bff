/* Links of a trace that are kept until its file is written.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/record/links.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void trace_links_add(struct trace_links *links, const struct trace_link *link)
{
    double *busy = xcalloc(link->n_bins + 1, sizeof *busy);
    memcpy(busy, link->busy, link->n_bins * sizeof *busy);
    links->links = xgrow(links->links, links->n_links, &links->capacity, sizeof *links->links);
    links->links[links->n_links] = *link;
    links->links[links->n_links].name = xstrdup(link->name);
    links->links[links->n_links++].busy = busy;
}

void trace_links_dispose(struct trace_links *links)
{
    for (size_t i = 0; i < links->n_links; i++) {
        free((char *)links->links[i].name);
        free((double *)links->links[i].busy);
    }
    free(links->links);
    *links = (struct trace_links){.links = NULL};
}
