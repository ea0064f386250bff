/* The program of a node, op by op.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/dsm/internal.h"

#include "base/memory.h"
#include "base/units.h"

#include <string.h>

/* ---- the program ---- */

static bool do_compute(struct dsm *dsm, struct node *node, const struct op *op)
{
    int64_t work[N_WORK_COMPONENTS];
    int64_t ps = machine_kernel_ps(&dsm->kernel_costs[op->kernel], op->times, op->m, op->n, op->k, work);
    char why[300];
    if (ps < 0 &&
        machine_explain_law(why, sizeof why, &dsm->kernel_costs[op->kernel], op->times, op->m, op->n, op->k)) {
        dsm_fail(dsm, "rank %d %s", node->id, why);
        return false;
    }
    if (dsm->run->change != NULL && ps > 0)
        ps = engine_change_work(dsm->run, node->id, node->step, op, work);
    if (ps < 0 || ps > PS_MAX - dsm->now_ps) {
        engine_fail_clock(dsm->error, &dsm->failed, node->id);
        return false;
    }
    node->left_ps = ps;
    memcpy(node->left_work_ps, work, sizeof work);
    node->control = op->role == ROLE_CONTROL;
    node->operations = op->times;
    dsm_compute(dsm, node);
    return false;
}

/* The words of a page that a piece covers: bytes from <= b < to of the page. */
static void touch(struct dsm *dsm, struct node *node, int page, int64_t from, int64_t to, bool write)
{
    int first = (int)(from / DSM_WORD_BYTES), last = (int)((to - 1) / DSM_WORD_BYTES) + 1;
    struct copy *copy = &node->copies[page];
    if (!copy->referenced)
        dsm_history_note(dsm, node, page);
    copy->referenced = 1;
    if (write && copy->state == COPY_WRITE)
        dsm_note_write(node, page, first, last);
    if (!dsm->options->check)
        return;
    if (write)
        dsm_check_write(dsm, node, page, first, last);
    else
        dsm_check_read(dsm, node, page, first, last);
}

/* Go on in a page op, piece by piece and page by page; false when a page is not there. */
static bool do_pages(struct dsm *dsm, struct node *node, const struct op *op)
{
    bool write = op->kind == OP_PAGE_WRITE;
    int64_t pieces = op->pieces > 0 ? op->pieces : 1, page_bytes = dsm->costs->page_bytes;
    if (op->address < 0 || op->bytes < 1 ||
        op->address + (pieces - 1) * op->stride + op->bytes > dsm->options->shared_bytes) {
        dsm_fail(dsm, "rank %d accesses shared memory from byte %lld on, beyond its end at %lld", node->id,
                 (long long)op->address, (long long)dsm->options->shared_bytes);
        return false;
    }
    int64_t piece = node->page_at / op->bytes, done = node->page_at % op->bytes; /* bytes of the piece */
    int64_t page_begin = 0, page_end = 0;                                        /* of the page of the last access */
    int page = 0;
    for (; piece < pieces; piece++, done = 0) {
        int64_t begin = op->address + piece * op->stride, end = begin + op->bytes;
        while (done < op->bytes) {
            int64_t from = begin + done;
            if (from < page_begin || from >= page_end) {
                page = (int)(from / page_bytes);
                page_begin = page * page_bytes;
                page_end = page_begin + page_bytes;
            }
            int64_t to = end < page_end ? end : page_end;
            if (!dsm_access(dsm, node, page, write)) {
                node->page_at = piece * op->bytes + done;
                return false;
            }
            touch(dsm, node, page, from - page_begin, to - page_begin, write);
            done = to - begin;
        }
    }
    node->page_at = 0;
    return true;
}

/* Counters and stacks are outside of shared memory: what a task queue decides, without what deciding costs. */
static bool do_counter(struct dsm *dsm, struct node *node, const struct op *op)
{
    if (op->counter < 0 || op->counter >= dsm->options->n_counters) {
        dsm_fail(dsm, "rank %d uses counter %d; the program has counters 0 to %d", node->id, op->counter,
                 dsm->options->n_counters - 1);
        return false;
    }
    int64_t *counter = &dsm->counters[op->counter];
    struct stack *stack = &dsm->stacks[op->counter];
    if (op->kind == OP_FETCH_ADD) {
        node->seen = *counter;
        *counter += op->value;
    } else if (op->kind == OP_PUSH) {
        stack->items = xgrow(stack->items, (size_t)*counter, &stack->capacity, sizeof *stack->items);
        stack->items[(*counter)++] = op->value;
    } else {
        node->seen = *counter > 0 ? stack->items[--*counter] : -1;
    }
    return true;
}

/* True when the op is done; else the node is busy, waits, or the run has failed. */
static bool do_op(struct dsm *dsm, struct node *node, const struct op *op)
{
    dsm_set_scope(dsm, node, op->scope);
    switch ((enum op_kind)op->kind) {
    case OP_COMPUTE:
        return do_compute(dsm, node, op);
    case OP_PAGE_READ:
    case OP_PAGE_WRITE:
        return do_pages(dsm, node, op);
    case OP_ACQUIRE:
        return dsm_acquire(dsm, node, op);
    case OP_RELEASE:
        return dsm_release(dsm, node, op);
    case OP_BARRIER:
        return dsm_barrier(dsm, node);
    case OP_FETCH_ADD:
    case OP_PUSH:
    case OP_POP:
        return do_counter(dsm, node, op);
    default:
        dsm_fail(dsm, "rank %d: a program that shares memory has no op %d", node->id, op->kind);
        return false;
    }
}

static bool list_step(struct dsm *dsm, struct node *node)
{
    const struct program *program = dsm->run->program;
    dsm->list.count = 0;
    return program->app->emit_shared(program->config, node->id, node->step, node->seen, &dsm->list);
}

static void end_program(struct dsm *dsm, struct node *node)
{
    node->status = NODE_DONE;
    dsm->n_done++;
    dsm->stats.end_ps = dsm->now_ps;
    if (dsm->n_done == dsm->n_nodes)
        network_end_run(dsm->network, dsm->now_ps);
    dsm_set_scope(dsm, node, 0);
    dsm_set_main(dsm, node, CATEGORY_WAIT, OPERATION_NONE);
    dsm_poll_main(dsm, node);
}

void dsm_continue(struct dsm *dsm, struct node *node)
{
    node->status = NODE_READY;
    while (!dsm->failed && list_step(dsm, node)) {
        while (node->op < dsm->list.count) {
            if (!do_op(dsm, node, &dsm->list.ops[node->op]))
                return;
            node->op++;
        }
        node->op = 0;
        node->step++;
    }
    if (!dsm->failed)
        end_program(dsm, node);
}
