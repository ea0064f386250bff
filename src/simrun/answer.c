/* Writes documents to the output, and opens and closes what is written beside them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/answer.h"

#include "base/message.h"
#include "os/output.h"

#include <stdlib.h>

int answer_write(FILE *stream, const struct options *options, answer_make *make, void *self, struct sim_error *error)
{
    const struct report_spec *format = options->format;
    struct document document;
    document_init(&document, format->audience);
    document.panel = options->panel;
    document.width_mm = options->width_mm;
    int status = make(&document, self, error);
    if (status == 0 && format->compares_rows)
        document_make_rows(&document);
    const char *obstacle = status == 0 && format->find_obstacle != NULL ? format->find_obstacle(&document) : NULL;
    if (obstacle != NULL)
        status =
            sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "%s%s: %s", options->panel != NULL ? "figure " : "--format ",
                          options->panel != NULL ? options->panel : format->name, obstacle);
    if (status == 0)
        format->write(stream, &document);
    document_dispose(&document);
    return status;
}

int answer_output(const struct options *options, answer_make *make, void *self, struct sim_error *error)
{
    struct output output;
    if (output_open(&output, options->output, error) != 0)
        return -1;
    if (answer_write(output.stream, options, make, self, error) == 0)
        return output_close(&output, error);
    output_abandon(&output);
    return -1;
}

/* The trace is whole; its remark is said. */
static int close_trace(struct trace *trace, const struct options *options, struct sim_error *error)
{
    char *remark = trace->remark;
    trace->remark = NULL;
    int status = trace_close(trace, error);
    if (status == 0 && remark != NULL && !options->quiet)
        message_print("%s: %s", options->trace, remark);
    free(remark);
    return status;
}

int answer_traced(struct trace **trace, const struct options *options, int (*run)(void *self, struct sim_error *error),
                  void *self, struct sim_error *error)
{
    struct trace opened;
    if (options->trace == NULL)
        return run(self, error);
    if (trace_open(&opened, options->trace, error) != 0)
        return -1;
    *trace = &opened;
    if (run(self, error) == 0)
        return close_trace(&opened, options, error);
    trace_abandon(&opened);
    return -1;
}
