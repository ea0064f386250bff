/* Opens a schedule of either form, and gives the steps of its ranks.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/goal/schedule.h"

#include "base/memory.h"
#include "base/transport.h"
#include "os/temporary.h"
#include "trace/goal/binary.h"
#include "trace/record/lines.h"
#include "trace/record/record.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- a text, rank by rank --- */

static int fail_temporary(struct sim_error *error)
{
    return sim_error_set(error, SIM_UNFINISHED, NULL, 0,
                         "the temporary file of a GOAL schedule (in $TMPDIR or /tmp) cannot be written: %s",
                         strerror(errno));
}

/* Begin the file that a text becomes. */
static int open_written(struct goal_schedule *schedule, struct sim_error *error)
{
    int descriptor = temporary_open(NULL);
    schedule->written = descriptor >= 0 ? fdopen(descriptor, "w+") : NULL;
    if (schedule->written != NULL)
        return 0;
    fail_temporary(error);
    if (descriptor >= 0)
        close(descriptor);
    return -1;
}

static int check_n_ranks(const char *file, int64_t n_ranks, long line, struct sim_error *error)
{
    if (n_ranks >= 1 && n_ranks <= GOAL_MAX_RANKS)
        return 0;
    return sim_error_set(error, SIM_BAD_INPUT, file, line, "a schedule of %" PRId64 " ranks; 1 to %d are allowed",
                         n_ranks, GOAL_MAX_RANKS);
}

int goal_schedule_set_ranks(struct goal_schedule *schedule, int64_t n_ranks, long line, struct sim_error *error)
{
    const char *name = schedule->file.name;
    if (schedule->file.n_ranks > 0)
        return sim_error_set(error, SIM_BAD_INPUT, name, line, "num_ranks is given a second time; once is allowed");
    if (check_n_ranks(name, n_ranks, line, error) != 0 || open_written(schedule, error) != 0)
        return -1;
    goal_file_init(&schedule->file, (int)n_ranks);
    schedule->is_read = xcalloc((size_t)n_ranks, sizeof *schedule->is_read);
    return 0;
}

int goal_schedule_begin(struct goal_schedule *schedule, int64_t rank, long line, struct sim_error *error)
{
    const char *name = schedule->file.name;
    int n_ranks = schedule->file.n_ranks;
    if (n_ranks == 0)
        return sim_error_set(error, SIM_BAD_INPUT, name, line,
                             "rank %" PRId64 " comes before num_ranks, which says how many there are", rank);
    if (rank < 0 || rank >= n_ranks)
        return sim_error_set(error, SIM_BAD_INPUT, name, line,
                             "rank %" PRId64 " of a schedule of %d ranks; 0 to %d are allowed", rank, n_ranks,
                             n_ranks - 1);
    if (schedule->is_read[rank])
        return sim_error_set(error, SIM_BAD_INPUT, name, line, "rank %" PRId64 " a second time; once is allowed", rank);
    schedule->is_read[rank] = true;
    goal_graph_begin(&schedule->graph, (int)rank);
    return 0;
}

int goal_schedule_add(struct goal_schedule *schedule, struct goal_op *op, struct sim_error *error)
{
    struct goal_graph *graph = &schedule->graph;
    if (graph->n_ops >= GOAL_MAX_OPS)
        return goal_fail(error, graph, op->position, "more than %zu operations in a rank", GOAL_MAX_OPS);
    op->any_tag = op->tag == GOAL_ANY;
    if (op->any_tag)
        op->tag = 0;
    if (goal_check_op(op, schedule->file.n_ranks, graph, error) != 0)
        return -1;
    goal_graph_add_op(graph, op);
    return 0;
}

/* Write it in the binary form, and its lines behind that. */
int goal_schedule_end(struct goal_schedule *schedule, struct sim_error *error)
{
    const struct goal_graph *graph = &schedule->graph;
    struct goal_place *place = &schedule->file.places[graph->rank];
    struct transport lines = {.to = schedule->written};
    int64_t begin = schedule->n_written, n_bytes = goal_write_rank(schedule->written, graph);
    for (size_t i = 0; i < graph->n_ops; i++)
        transport_int64(&lines, &graph->ops[i].position);
    goal_file_set_place(
        place, begin, begin + n_bytes, (uint32_t)graph->n_ops,
        (uint32_t)((n_bytes - GOAL_RANK_BYTES - (int64_t)graph->n_ops * GOAL_NODE_BYTES) / GOAL_INDEX_BYTES -
                   (int64_t)graph->n_edges));
    schedule->n_written = begin + n_bytes + 8 * (int64_t)graph->n_ops;
    return ferror(schedule->written) ? fail_temporary(error) : 0;
}

/* --- opening --- */

static int check_read(const struct goal_schedule *schedule, struct sim_error *error)
{
    const struct goal_file *file = &schedule->file;
    if (file->n_ranks == 0)
        return sim_error_set(error, SIM_BAD_INPUT, file->name, 0,
                             "is not a GOAL schedule: it has neither num_ranks nor the first bytes of the binary form");
    for (int r = 0; r < file->n_ranks; r++)
        if (!schedule->is_read[r])
            return sim_error_set(error, SIM_BAD_INPUT, file->name, 0,
                                 "has no operations of rank %d; a rank that does nothing is 'rank %d { }'", r, r);
    return 0;
}

/* Turn a text into the binary form. */
static int read_text(struct goal_schedule *schedule, int descriptor, int64_t size, struct sim_error *error)
{
    struct goal_file *file = &schedule->file;
    file->is_text = schedule->graph.is_text = true;
    if (goal_read_text(schedule, descriptor, size, error) != 0 || check_read(schedule, error) != 0)
        return -1;
    if (fflush(schedule->written) != 0)
        return fail_temporary(error);
    file->stream = schedule->written;
    schedule->written = NULL;
    goal_file_attach(file, fileno(file->stream), schedule->n_written);
    return 0;
}

static int open_binary(struct goal_schedule *schedule, int descriptor, int64_t size, struct sim_error *error)
{
    struct goal_file *file = &schedule->file;
    unsigned char head[GOAL_HEAD_BYTES];
    int64_t before = GOAL_COOKIE_BYTES + GOAL_HEAD_BYTES;
    file->descriptor = descriptor;
    if (size < before)
        return sim_error_set(error, SIM_BAD_INPUT, file->name, 0, "ends within the head of a binary GOAL schedule");
    if (lines_read_at(descriptor, head, sizeof head, GOAL_COOKIE_BYTES, file->name, error) != 0)
        return -1;
    int64_t n_ranks = head[0] | (int64_t)head[1] << 8 | (int64_t)head[2] << 16 | (int64_t)head[3] << 24;
    if (check_n_ranks(file->name, n_ranks, 0, error) != 0)
        return -1;
    if ((size - before) / GOAL_RANGE_BYTES < n_ranks)
        return sim_error_set(error, SIM_BAD_INPUT, file->name, 0, "ends within the table of its %" PRId64 " ranks",
                             n_ranks);
    goal_file_init(file, (int)n_ranks);
    goal_file_attach(file, descriptor, size);
    return goal_file_read_places(file, error);
}

static int open_either(struct goal_schedule *schedule, int descriptor, int64_t size, struct sim_error *error)
{
    int is_binary = goal_is_binary(descriptor, size, schedule->file.name, error);
    if (is_binary == 1)
        return open_binary(schedule, descriptor, size, error);
    int status = is_binary == 0 ? read_text(schedule, descriptor, size, error) : -1;
    close(descriptor);
    return status;
}

/* Free the parts that only a text needs. */
static void end_reading(struct goal_schedule *schedule)
{
    if (schedule->written != NULL)
        fclose(schedule->written);
    schedule->written = NULL;
    free(schedule->is_read);
    schedule->is_read = NULL;
    goal_graph_dispose(&schedule->graph);
    schedule->graph = (struct goal_graph){0};
}

int goal_schedule_read(struct goal_schedule *schedule, const char *name, struct sim_error *error)
{
    int64_t size;
    struct goal_file *file = &schedule->file;
    *schedule = (struct goal_schedule){.spool.descriptor = -1, .file = {.name = name, .descriptor = -1}};
    schedule->graph.file = name;
    int descriptor = lines_open_file(&size, name, error);
    if (descriptor < 0)
        return -1;
    int status = open_either(schedule, descriptor, size, error);
    end_reading(schedule);
    if (status == 0)
        status = goal_file_check(file, error);
    if (status == 0 && file->class == GOAL_CHAINS) {
        schedule->next = xcalloc((size_t)file->n_ranks, sizeof *schedule->next);
        schedule->is_begun = xcalloc((size_t)file->n_ranks, sizeof *schedule->is_begun);
    }
    return status;
}

void goal_schedule_dispose(struct goal_schedule *schedule)
{
    goal_file_dispose(&schedule->file);
    goal_spool_dispose(&schedule->spool);
    free(schedule->next);
    free(schedule->is_begun);
}

/* --- steps --- */

/* Order a rank's operations. */
static int order_rank(struct goal_graph *graph, struct goal_file *file, int rank, goal_take *take, void *self,
                      struct sim_error *error)
{
    if (goal_file_graph(graph, file, rank, error) != 0)
        return -1;
    return goal_order(graph, take, self, error);
}

static int make_spool(struct goal_schedule *schedule, struct sim_error *error)
{
    struct goal_spool *spool = &schedule->spool;
    struct goal_graph graph = {0};
    int status = goal_spool_open(spool, schedule->file.n_ranks, error);
    for (int rank = 0; status == 0 && rank < schedule->file.n_ranks; rank++) {
        goal_spool_begin(spool, rank);
        status = order_rank(&graph, &schedule->file, rank, goal_spool_take, spool, error);
        goal_spool_end(spool, rank);
    }
    goal_graph_dispose(&graph);
    if (status == 0)
        status = goal_spool_finish(spool, error);
    schedule->has_spool = status == 0;
    if (status != 0)
        goal_spool_dispose(spool);
    return status;
}

static int next_of_chain(struct goal_step *step, struct goal_schedule *schedule, int rank, struct sim_error *error)
{
    static const enum record_kind kinds[] = {
        [GOAL_SEND] = RECORD_SEND, [GOAL_RECV] = RECORD_RECV, [GOAL_CALC] = RECORD_COMPUTE};
    struct goal_file *file = &schedule->file;
    struct goal_node node;
    uint32_t op = schedule->next[rank] - 1;
    if (!schedule->is_begun[rank] && file->places[rank].n_ops > 0 && goal_file_root(&op, file, rank, error) != 0)
        return -1;
    if (op == UINT32_MAX)
        return 0;
    if (goal_file_node(&node, file, rank, op, error) != 0)
        return -1;
    int64_t position = file->is_text ? goal_file_position(file, rank, op) : node.op.position;
    *step = (struct goal_step){.amount = node.op.amount,
                               .position = position,
                               .peer = node.op.peer,
                               .tag = node.op.tag,
                               .kind = kinds[node.op.kind]};
    bool is_line = file->places[rank].is_line;
    uint32_t after = is_line && op + 1 < file->places[rank].n_ops ? op + 1 : UINT32_MAX;
    if (!is_line && node.on_end.count > 0 && goal_file_follower(&after, file, rank, node.on_end.first, error) != 0)
        return -1;
    schedule->next[rank] = after + 1;
    schedule->is_begun[rank] = true;
    return 1;
}

int goal_schedule_next(struct goal_step *step, struct goal_schedule *schedule, int rank, struct sim_error *error)
{
    if (schedule->file.class == GOAL_CHAINS)
        return next_of_chain(step, schedule, rank, error);
    if (!schedule->has_spool && make_spool(schedule, error) != 0)
        return -1;
    return goal_spool_next(&schedule->spool, rank, step, error);
}

void goal_schedule_rewind(struct goal_schedule *schedule)
{
    for (int r = 0; r < schedule->file.n_ranks; r++) {
        if (schedule->next != NULL)
            schedule->next[r] = 0;
        if (schedule->is_begun != NULL)
            schedule->is_begun[r] = false;
        if (schedule->has_spool)
            goal_spool_rewind(&schedule->spool, r);
    }
}

/* A goal_take() that does nothing. */
static int take_nothing(void *self, const struct goal_step *step, struct sim_error *error)
{
    (void)self;
    (void)step;
    (void)error;
    return 0;
}

int goal_schedule_check_circles(struct goal_file *file, struct sim_error *error)
{
    struct goal_graph graph = {0};
    int status = 0;
    for (int rank = 0; status == 0 && rank < file->n_ranks; rank++)
        status = order_rank(&graph, file, rank, take_nothing, NULL, error);
    goal_graph_dispose(&graph);
    return status;
}
