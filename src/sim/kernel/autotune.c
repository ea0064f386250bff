/* The algorithm `fastest`: simulates a collective alone with each algorithm, and remembers which was fastest.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/kernel/autotune.h"

#include "base/memory.h"
#include "sim/kernel/kernel.h"
#include "sim/machine/hop_tree.h"

#include <stdlib.h>
#include <string.h>

void autotune_dispose(struct autotune *autotune)
{
    free(autotune->items);
    *autotune = (struct autotune){0};
}

/* --- one collective alone, as a program --- */

struct alone {
    struct op op;
    const struct groups *groups;
};

static const char *const no_scopes[] = {"", NULL};

static bool alone_emit(const void *config, int rank, int64_t step, struct op_list *list)
{
    const struct alone *alone = config;
    if (step > 0 || groups_group_rank(alone->groups, alone->op.group, rank) < 0)
        return false;
    *op_list_add(list, (enum op_kind)alone->op.kind, 0) = alone->op;
    return true;
}

static const struct app_spec alone_app = {.name = "collective alone", .scopes = no_scopes, .emit = alone_emit};

/* The time of the op, done in one way; -1 if it does not come to an end. */
static int64_t time_of(const struct coll_spec *spec, enum coll_family family, const struct kernel_run *run,
                       const struct alone *alone)
{
    struct program program = {.app = &alone_app,
                              .config = (void *)(uintptr_t)alone,
                              .collectives = run->program->collectives,
                              .groups = run->program->groups,
                              .n_groups = run->program->n_groups};
    const struct kernel_run trial = {.program = &program,
                                     .machine = run->machine,
                                     .placement = run->placement,
                                     .network = run->network,
                                     .without_receipts = true};
    struct kernel_stats stats;
    struct sim_error error;
    if (family == COLL_BROADCAST)
        program.collectives.broadcast = spec;
    else
        program.collectives.others[family] = spec;
    return kernel_run(&stats, &trial, &error) == 0 ? stats.end_ps : -1;
}

/* --- what has been decided --- */

static int64_t size_of(const struct op *op)
{
    bool dealt = op->kind == OP_SCATTER || op->kind == OP_GATHER;
    return dealt ? op->bytes * op->blocks : op->bytes;
}

static const struct autotune_decision *find(const struct autotune *autotune, enum coll_family family, int n_ranks,
                                            int64_t bytes)
{
    for (size_t i = 0; i < autotune->count; i++) {
        const struct autotune_decision *decision = &autotune->items[i];
        if (decision->family == family && decision->n_ranks == n_ranks && bytes >= decision->from_bytes &&
            bytes <= decision->to_bytes)
            return decision;
    }
    return NULL;
}

static bool is_candidate(const struct coll_spec *spec, const struct kernel_run *run, const struct op *op)
{
    int64_t segment = run->program->collectives.segment_bytes;
    if (spec->next == NULL || spec->choose != NULL || spec->of_all_ranks || spec->imitates ||
        (spec->is_segmented && coll_segment_count(op->bytes, segment) > AUTOTUNE_MAX_SEGMENTS))
        return false;
    return !spec->asks_placement || (op->group == 0 && run->placement->hosts == NULL &&
                                     (run->placement->height > 0 || run->placement->n_slots <= HOP_TREE_MAX_HOSTS));
}

static void decide(struct autotune_decision *decision, const struct kernel_run *run, const struct groups *groups,
                   const struct op *op)
{
    struct alone alone = {*op, groups};
    const struct coll_spec *const *specs = coll_families[decision->family].specs;
    alone.op.scope = 0;
    decision->spec = specs[0];
    decision->time_ps = decision->slowest_ps = -1;
    for (int i = 0; specs[i] != NULL; i++) {
        int64_t time_ps = is_candidate(specs[i], run, op) ? time_of(specs[i], decision->family, run, &alone) : -1;
        if (time_ps >= 0 && (decision->time_ps < 0 || time_ps < decision->time_ps)) {
            decision->spec = specs[i];
            decision->time_ps = time_ps;
        }
        decision->slowest_ps = time_ps > decision->slowest_ps ? time_ps : decision->slowest_ps;
    }
}

/* --- what has been tried --- */

/* All that the outcome depends on, besides the machine. */
struct autotune_trial {
    const struct network_spec *network;
    struct placement placement;
    enum flat_order order;
    int64_t segment_bytes, radix;
    enum send_mode mode;
    int64_t bytes, blocks;
    int root;
    int *members; /* NULL: all ranks */
    struct autotune_decision decision;
    struct autotune_trial *next;
};

struct autotune_trials {
    struct autotune_trial *first;
    size_t count;
};

static void autotune_trials_free(void *data)
{
    struct autotune_trials *trials = data;
    while (trials->first != NULL) {
        struct autotune_trial *trial = trials->first;
        trials->first = trial->next;
        free(trial->members);
        free(trial);
    }
    free(trials);
}

/* The trials that the machine remembers. */
static struct autotune_trials *trials_of(struct machine *machine)
{
    if (machine->memo.data == NULL)
        machine->memo =
            (struct machine_memo){.data = xcalloc(1, sizeof(struct autotune_trials)), .free = autotune_trials_free};
    return machine->memo.data;
}

size_t autotune_trials_count(const struct machine *machine)
{
    const struct autotune_trials *trials = machine->memo.data;
    return trials != NULL ? trials->count : 0;
}

static bool same_trial(const struct autotune_trial *a, const struct autotune_trial *b)
{
    int n = b->decision.n_ranks;
    return a->decision.family == b->decision.family && a->decision.n_ranks == n && a->bytes == b->bytes &&
           a->blocks == b->blocks && a->root == b->root && a->network == b->network && a->order == b->order &&
           a->segment_bytes == b->segment_bytes && a->radix == b->radix && a->mode == b->mode &&
           placement_same(&a->placement, &b->placement) && (a->members == NULL) == (b->members == NULL) &&
           (a->members == NULL || memcmp(a->members, b->members, (size_t)n * sizeof *a->members) == 0);
}

static int *members_of(const struct groups *groups, int group)
{
    int n = groups_size(groups, group);
    int *members = group == 0 ? NULL : xmalloc((size_t)n * sizeof *members);
    for (int group_rank = 0; group != 0 && group_rank < n; group_rank++)
        members[group_rank] = groups_rank(groups, group, group_rank);
    return members;
}

/* As decide(), unless the machine remembers the outcome. */
static void recall_or_decide(struct autotune_decision *decision, const struct kernel_run *run,
                             const struct groups *groups, const struct op *op)
{
    struct autotune_trials *trials = trials_of(run->machine);
    const struct coll_options *options = &run->program->collectives;
    struct autotune_trial *trial = xmalloc(sizeof *trial);
    *trial = (struct autotune_trial){.network = run->network,
                                     .placement = *run->placement,
                                     .order = options->order,
                                     .segment_bytes = options->segment_bytes,
                                     .radix = options->radix,
                                     .mode = options->mode,
                                     .bytes = op->bytes,
                                     .blocks = op->blocks,
                                     .root = op->peer,
                                     .members = members_of(groups, op->group),
                                     .decision = *decision};
    struct autotune_trial *known = trials->first;
    while (known != NULL && !same_trial(known, trial))
        known = known->next;
    if (known != NULL) {
        *decision = known->decision;
        free(trial->members);
        free(trial);
        return;
    }
    decide(decision, run, groups, op);
    trial->decision = *decision;
    trial->next = trials->first;
    trials->first = trial;
    trials->count++;
}

const struct coll_spec *autotune_find(struct autotune *autotune, const struct kernel_run *run,
                                      const struct groups *groups, const struct op *op)
{
    enum coll_family family = coll_family_of((enum op_kind)op->kind);
    int n_ranks = groups_size(groups, op->group);
    int64_t bytes = size_of(op), from = bytes > 0;
    const struct autotune_decision *known = find(autotune, family, n_ranks, bytes);
    if (known != NULL || n_ranks == 1)
        return known != NULL ? known->spec : coll_families[family].specs[0];
    while (from > 0 && from <= bytes / 2)
        from *= 2;
    struct autotune_decision decision = {.family = family,
                                         .n_ranks = n_ranks,
                                         .from_bytes = from,
                                         .to_bytes = from > 0 ? 2 * (from - 1) + 1 : 0,
                                         .bytes = bytes};
    recall_or_decide(&decision, run, groups, op);
    autotune->items = xgrow(autotune->items, autotune->count, &autotune->capacity, sizeof *autotune->items);
    autotune->items[autotune->count++] = decision;
    return decision.spec;
}

const struct coll_spec *autotune_look_up(const struct autotune *autotune, const struct groups *groups,
                                         const struct op *op)
{
    enum coll_family family = coll_family_of((enum op_kind)op->kind);
    const struct autotune_decision *known =
        autotune != NULL ? find(autotune, family, groups_size(groups, op->group), size_of(op)) : NULL;
    return known != NULL ? known->spec : coll_families[family].specs[0];
}
