/* Answers: documents, written in the format and to the place that the options name.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIMRUN_ANSWER_H
#define SIMRUN_ANSWER_H

#include "base/error.h"
#include "document/document.h"
#include "simrun/options.h"
#include "trace/trace.h"

/* Make the document; its strings live as long as `self`. -1 with an error. */
typedef int answer_make(struct document *document, void *self, struct sim_error *error);

int answer_write(FILE *stream, const struct options *options, answer_make *make, void *self, struct sim_error *error);

/* The same to the output of the options, which is opened first, so that nothing is done in vain. */
int answer_output(const struct options *options, answer_make *make, void *self, struct sim_error *error);

/* Call `run`, with the trace that --trace asks for open in *trace; it is kept if all goes well. */
int answer_traced(struct trace **trace, const struct options *options, int (*run)(void *self, struct sim_error *error),
                  void *self, struct sim_error *error);

#endif
