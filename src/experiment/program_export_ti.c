/* Writes a program as TI. Computation is written as the operations that a rank's host does meanwhile, with so many
 * digits that the time on that host is the same to the picosecond; I/O, links and what takes the same time on any host
 * as sleep. Synchronous sends and control of parallelism are words at the end of a line, which SimGrid passes over.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "experiment/program_export.h"

#include "base/units.h"
#include "trace/ti/writer.h"

#include <inttypes.h>
#include <stdio.h>

/* A double gives a time back exactly up to 2^51 ps. */
#define MAX_PIECE_PS (1000 * PS_PER_S)

static FILE *stream_of(struct export_position *position)
{
    return trace_ti_stream(position->trace);
}

/* TI has no tags below 0, which are those of collectives. */
static int32_t tag_of(int32_t tag)
{
    return tag < 0 ? INT32_MAX + (tag + 1) : tag;
}

static void begin_rank(void *state, struct export_position *position)
{
    (void)state;
    fprintf(stream_of(position), "%d init\n", position->rank);
}

static void flops(void *state, struct export_position *position, double count, uint8_t role)
{
    (void)state;
    fprintf(stream_of(position), "%d compute %.17g%s\n", position->rank, count, role == ROLE_CONTROL ? " control" : "");
}

static void work(void *state, struct export_position *position, int64_t ps, uint8_t role)
{
    do {
        int64_t piece = ps < MAX_PIECE_PS ? ps : MAX_PIECE_PS;
        flops(state, position, (double)((long double)piece * (long double)position->speed / 1e12L), role);
        ps -= piece;
    } while (ps > 0);
}

static void write_sleep(void *state, struct export_position *position, int64_t ps)
{
    (void)state;
    fprintf(stream_of(position), "%d sleep %" PRId64 ".%012" PRId64 "\n", position->rank, ps / PS_PER_S, ps % PS_PER_S);
}

static uint32_t message(void *state, struct export_position *position, const struct op *op)
{
    static const char *const names[] = {
        [OP_SEND] = "send", [OP_RECV] = "recv", [OP_ISEND] = "isend", [OP_IRECV] = "irecv"};
    bool sends = op->kind == OP_SEND || op->kind == OP_ISEND;
    int64_t count;
    int datatype;
    (void)state;
    trace_ti_elements(&count, &datatype, op->bytes);
    fprintf(stream_of(position), "%d %s %d %d %" PRId64 " %d%s%s%s\n", position->rank, names[op->kind], op->peer,
            tag_of(op->tag), count, datatype, sends && op->mode == SEND_SYNCHRONOUS ? " synchronous" : "",
            op->kind == OP_ISEND && op->exchanges ? " exchanges" : "",
            !sends && op->mode == RECV_COMBINES ? " combines" : "");
    return 0;
}

static void wait_for(void *state, struct export_position *position, const struct export_request *begun)
{
    int from = begun->receives ? begun->peer : position->rank, to = begun->receives ? position->rank : begun->peer;
    (void)state;
    fprintf(stream_of(position), "%d wait %d %d %d\n", position->rank, from, to, tag_of(begun->tag));
}

static void wait_for_all(void *state, struct export_position *position)
{
    (void)state;
    fprintf(stream_of(position), "%d waitall\n", position->rank);
}

static int end_rank(void *state, struct export_position *position, struct sim_error *error)
{
    (void)state, (void)error;
    fprintf(stream_of(position), "%d finalize\n", position->rank);
    return 0;
}

const struct export_writer export_writer_ti = {
    .format = &trace_ti,
    .says_prices = true,
    .says_synchronous = true,
    .begin_rank = begin_rank,
    .flops = flops,
    .work = work,
    .sleep = write_sleep,
    .message = message,
    .wait = wait_for,
    .wait_for_all = wait_for_all,
    .end_rank = end_rank,
};
