/* Writes operations and dependencies. Text is written as it comes. In the binary form, each rank is kept until it is
 * complete, and all of them in a temporary file, since the table of ranks comes first.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/goal/writer.h"

#include "base/memory.h"
#include "base/range.h"
#include "os/output.h"
#include "os/temporary.h"
#include "trace/goal/binary.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct writer {
    struct output output;
    FILE *ranks; /* of the binary form; NULL: it is text */
    int64_t *ends;
    size_t n_ranks;
    int last_cpu, last_nic;  /* the largest numbers */
    struct goal_graph graph; /* of a text the operations are only counted */
};

static int fail_temporary(struct sim_error *error)
{
    return sim_error_set(error, SIM_UNFINISHED, NULL, 0,
                         "the temporary file of a binary GOAL schedule (in $TMPDIR or /tmp) cannot be written: %s",
                         strerror(errno));
}

static int open_ranks(struct writer *self, struct sim_error *error)
{
    int descriptor = temporary_open(NULL);
    self->ranks = descriptor >= 0 ? fdopen(descriptor, "w+") : NULL;
    if (self->ranks != NULL)
        return 0;
    fail_temporary(error);
    if (descriptor >= 0)
        close(descriptor);
    return -1;
}

static void *goal_open(const char *file, struct sim_error *error)
{
    struct writer *self = xcalloc(1, sizeof *self);
    if (output_open(&self->output, file, error) != 0) {
        free(self);
        return NULL;
    }
    self->graph.is_text = strcmp(file + strlen(file) - strlen(".goal"), ".goal") == 0;
    if (self->graph.is_text || open_ranks(self, error) == 0)
        return self;
    output_abandon(&self->output);
    free(self);
    return NULL;
}

/* --- operations --- */

void trace_goal_begin(void *data, int n_ranks)
{
    struct writer *self = data;
    self->ends = xcalloc((size_t)n_ranks + 1, sizeof *self->ends);
    if (self->graph.is_text)
        fprintf(self->output.stream, "num_ranks %d\n", n_ranks);
}

void trace_goal_begin_rank(void *data)
{
    struct writer *self = data;
    goal_graph_begin(&self->graph, (int)self->n_ranks);
    if (self->graph.is_text)
        fprintf(self->output.stream, "\nrank %zu {\n", self->n_ranks);
}

static void write_op(FILE *stream, size_t number, const struct goal_op *op)
{
    if (op->kind == GOAL_CALC)
        fprintf(stream, "l%zu: calc %" PRId64, number, op->amount);
    else
        fprintf(stream, "l%zu: %s %" PRId64 "b %s %" PRId64 " tag %" PRId64, number,
                op->kind == GOAL_SEND ? "send" : "recv", op->amount, op->kind == GOAL_SEND ? "to" : "from",
                op->peer == GOAL_ANY ? INT64_C(-1) : (int64_t)op->peer, op->any_tag ? INT64_C(-1) : (int64_t)op->tag);
    if (op->cpu != 0)
        fprintf(stream, " cpu %d", op->cpu);
    if (op->nic != 0)
        fprintf(stream, " nic %d", op->nic);
    fputc('\n', stream);
}

uint32_t trace_goal_add(void *data, const struct goal_op *op)
{
    struct writer *self = data;
    uint32_t number = (uint32_t)self->graph.n_ops;
    self->last_cpu = int_max(self->last_cpu, op->cpu);
    self->last_nic = int_max(self->last_nic, op->nic);
    if (self->graph.is_text)
        write_op(self->output.stream, ++self->graph.n_ops, op);
    else
        goal_graph_add_op(&self->graph, op);
    return number;
}

void trace_goal_depend(void *data, uint32_t before, bool start)
{
    struct writer *self = data;
    size_t last = self->graph.n_ops - 1;
    if (self->graph.is_text)
        fprintf(self->output.stream, "l%zu %s l%zu\n", last + 1, start ? "irequires" : "requires", (size_t)before + 1);
    else
        goal_graph_add_edge(&self->graph, (struct goal_edge){before, (uint32_t)last, start});
}

/* In a text, an operation's dependencies may stand after all operations of its rank. */
static int write_graph(struct writer *self, const struct goal_graph *graph, struct sim_error *error)
{
    trace_goal_begin_rank(self);
    for (size_t i = 0; i < graph->n_ops; i++)
        trace_goal_add(self, &graph->ops[i]);
    for (size_t i = 0; i < graph->n_edges; i++) {
        const struct goal_edge *edge = &graph->edges[i];
        if (self->graph.is_text)
            fprintf(self->output.stream, "l%" PRIu32 " %s l%" PRIu32 "\n", edge->after + 1,
                    edge->start ? "irequires" : "requires", edge->before + 1);
        else
            goal_graph_add_edge(&self->graph, *edge);
    }
    return trace_goal_end_rank(self, error);
}

int trace_goal_write(void *data, struct goal_file *file, struct sim_error *error)
{
    struct goal_graph graph = {0};
    int status = 0;
    trace_goal_begin(data, file->n_ranks);
    for (int r = 0; status == 0 && r < file->n_ranks; r++) {
        status = goal_file_graph(&graph, file, r, error);
        if (status == 0)
            status = write_graph(data, &graph, error);
    }
    goal_graph_dispose(&graph);
    return status;
}

int trace_goal_end_rank(void *data, struct sim_error *error)
{
    struct writer *self = data;
    size_t rank = self->n_ranks++;
    if (self->graph.n_ops >= GOAL_MAX_OPS || self->graph.n_edges >= GOAL_MAX_OPS)
        return sim_error_set(error, SIM_UNFINISHED, NULL, 0,
                             "rank %zu does more than a GOAL schedule can hold, %zu "
                             "operations and dependencies",
                             rank, GOAL_MAX_OPS);
    if (self->graph.is_text) {
        fputs("}\n", self->output.stream);
        return 0;
    }
    self->ends[rank] = (rank > 0 ? self->ends[rank - 1] : 0) + goal_write_rank(self->ranks, &self->graph);
    return ferror(self->ranks) ? fail_temporary(error) : 0;
}

/* --- the file --- */

static void dispose(struct writer *self)
{
    if (self->ranks != NULL)
        fclose(self->ranks);
    free(self->ends);
    goal_graph_dispose(&self->graph);
    free(self);
}

/* The table, then the ranks. */
static int write_binary(struct writer *self, struct sim_error *error)
{
    char bytes[16 * 1024];
    size_t n;
    if (fflush(self->ranks) != 0 || fseeko(self->ranks, 0, SEEK_SET) != 0)
        return fail_temporary(error);
    goal_write_head(self->output.stream, (int)self->n_ranks, self->last_cpu, self->last_nic, self->ends);
    while ((n = fread(bytes, 1, sizeof bytes, self->ranks)) > 0)
        fwrite(bytes, 1, n, self->output.stream);
    return ferror(self->ranks) ? fail_temporary(error) : 0;
}

static void goal_abandon(void *data)
{
    struct writer *self = data;
    output_abandon(&self->output);
    dispose(self);
}

static int goal_close(void *data, int64_t end_ps, struct sim_error *error)
{
    struct writer *self = data;
    (void)end_ps;
    if (self->ranks != NULL && write_binary(self, error) != 0) {
        goal_abandon(self);
        return -1;
    }
    int status = output_close(&self->output, error);
    dispose(self);
    return status;
}

const struct trace_format trace_goal = {
    .name = "goal",
    .extension = ".goal",
    .also = ".bin",
    .summary = "schedule of the program for LogGOPSim and ATLAHS; .bin: its binary form",
    .of_program = true,
    .open = goal_open,
    .close = goal_close,
    .abandon = goal_abandon,
};
