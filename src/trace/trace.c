/* A trace that is being written, in whichever format its name asks for.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/trace.h"
#include "trace/formats.h"

#include "base/memory.h"
#include "base/range.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int trace_open(struct trace *trace, const char *file, struct sim_error *error)
{
    *trace = (struct trace){.format = trace_format_of(file, error)};
    if (trace->format == NULL)
        return -1;
    trace->self = trace->format->open(file, error);
    return trace->self != NULL ? 0 : -1;
}

/* NULL-terminated, as it is. */
static char **copy_texts(const char *const *texts)
{
    size_t count = 0;
    while (texts != NULL && texts[count] != NULL)
        count++;
    char **copies = xcalloc(count + 1, sizeof *copies);
    for (size_t i = 0; i < count; i++)
        copies[i] = xstrdup(texts[i]);
    return copies;
}

/* Copy the names of processors, of which some are NULL. */
static void copy_processors(struct trace *trace, const struct interval_setup *setup)
{
    if (setup->processor_names == NULL)
        return;
    trace->processors = xcalloc((size_t)interval_processors(setup), sizeof *trace->processors);
    for (int i = 0; i < interval_processors(setup); i++)
        trace->processors[i] = setup->processor_names[i] != NULL ? xstrdup(setup->processor_names[i]) : NULL;
    trace->setup.processor_names = (const char *const *)trace->processors;
}

void trace_begin(struct trace *trace, const struct interval_setup *setup)
{
    assert(!trace->begun);
    trace->begun = true;
    trace->setup = *setup;
    trace->scopes = xcalloc((size_t)setup->n_scopes + 1, sizeof *trace->scopes);
    for (int i = 0; i < setup->n_scopes; i++)
        trace->scopes[i] = xstrdup(setup->scopes[i]);
    trace->setup.scopes = (const char *const *)trace->scopes;
    trace->parameters = copy_texts(setup->parameters);
    trace->setup.parameters = (const char *const *)trace->parameters;
    copy_processors(trace, setup);
    if (!trace->format->of_program)
        trace->format->begin(trace->self, &trace->setup);
}

void trace_take(void *self, const struct interval *interval)
{
    struct trace *trace = self;
    if (interval->end_ps > trace->end_ps)
        trace->end_ps = interval->end_ps;
    if (!trace->format->of_program)
        trace->format->write(trace->self, interval);
}

bool trace_has_links(const struct trace *trace)
{
    return trace->format->add_link != NULL;
}

void trace_add_link(struct trace *trace, const struct trace_link *link)
{
    trace->format->add_link(trace->self, link);
}

int trace_copy(struct trace *trace, struct record_reader *reader, struct sim_error *error)
{
    const struct record_info *info = &reader->info;
    trace_begin(trace, &(struct interval_setup){.n_ranks = info->n_ranks,
                                                .n_locations = record_locations(info),
                                                .n_more_processors = int_max(info->n_processors - 1, 0),
                                                .processor_names = (const char *const *)info->processor_names,
                                                .scopes = (const char *const *)info->scopes,
                                                .n_scopes = info->n_scopes,
                                                .parameters = (const char *const *)info->parameters});
    return trace->format->copy(trace->self, reader, error);
}

static void dispose(struct trace *trace)
{
    for (int i = 0; i < trace->setup.n_scopes; i++)
        free(trace->scopes[i]);
    free(trace->scopes);
    for (size_t i = 0; trace->parameters != NULL && trace->parameters[i] != NULL; i++)
        free(trace->parameters[i]);
    free(trace->parameters);
    for (int i = 0; trace->processors != NULL && i < interval_processors(&trace->setup); i++)
        free(trace->processors[i]);
    free(trace->processors);
    free(trace->remark);
    *trace = (struct trace){0};
}

int trace_close(struct trace *trace, struct sim_error *error)
{
    if (!trace->begun)
        trace_begin(trace, &(struct interval_setup){0});
    int status = trace->format->close(trace->self, trace->end_ps, error);
    dispose(trace);
    return status;
}

void trace_abandon(struct trace *trace)
{
    trace->format->abandon(trace->self);
    dispose(trace);
}
