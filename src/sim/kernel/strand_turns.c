/* The queues for processors, each a heap: whose turn is next, and which processors have something to do.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/kernel/strand_turns.h"

#include "sim/kernel/loggops.h"

/* The heap whose first has the processor's next turn; NULL: no strand has one. */
struct run_heap *turns_next_heap(const struct kernel *kernel, struct strand_processor *processor)
{
    if (!strand_is_free(kernel, processor))
        return run_heap_count(&processor->late) > 0 ? &processor->late : NULL;
    struct run_heap *ops = &processor->ops, *posts = &processor->posts;
    struct run_heap *best = run_heap_count(ops) > 0 ? ops : run_heap_count(posts) > 0 ? posts : NULL;
    if (run_heap_count(ops) > 0 && run_heap_count(posts) > 0 &&
        heap_is_before(run_heap_first(posts), run_heap_first(ops)))
        best = posts;
    return kernel->loggops == NULL ? best : loggops_next_heap(kernel, (int)(processor - kernel->processors), best);
}

void turns_make_due(struct kernel *kernel, int location)
{
    struct strand_processor *processor = &kernel->processors[location];
    const struct run_heap *heap = turns_next_heap(kernel, processor);
    if (heap == NULL && kernel->loggops != NULL && strand_is_free(kernel, processor))
        loggops_wake(kernel, location);
    if (heap == NULL || (processor->is_due && !heap_is_before(run_heap_first(heap), processor->due)))
        return;
    processor->is_due = true;
    processor->due = run_heap_first(heap);
    run_heap_push(
        &kernel->due,
        (struct heap_entry){.key = processor->due.key, .order = processor->due.order, .item = (uint32_t)location});
}

/* Number the turns in a heap anew, in their order. */
static void renumber(struct run_heap *heap)
{
    struct run_heap former = *heap;
    *heap = (struct run_heap){0};
    for (uint32_t i = 0; run_heap_count(&former) > 0; i++) {
        struct heap_entry entry = run_heap_pop(&former);
        entry.order = i;
        run_heap_push(heap, entry);
    }
    run_heap_dispose(&former);
}

/* There are no more numbers for turns. */
static void renumber_all(struct kernel *kernel)
{
    size_t most = 0;
    int n_locations = kernel->run->placement->n_ranks * kernel->run->program->n_processors;
    for (int i = 0; i < n_locations; i++) {
        struct strand_processor *processor = &kernel->processors[i];
        struct run_heap *heaps[5] = {&processor->ops, &processor->posts, &processor->late};
        if (kernel->loggops != NULL) {
            heaps[3] = &kernel->loggops->sends[i];
            heaps[4] = &kernel->loggops->comers[i];
        }
        for (int h = 0; h < (kernel->loggops != NULL ? 5 : 3); h++) {
            renumber(heaps[h]);
            most = run_heap_count(heaps[h]) > most ? run_heap_count(heaps[h]) : most;
        }
    }
    kernel->n_asked = (uint32_t)most;
}

/* Put a turn into one of the processor's heaps. */
void turns_queue(struct kernel *kernel, struct run_heap *heap, int64_t key, uint32_t item, int location)
{
    if (kernel->n_asked == UINT32_MAX)
        renumber_all(kernel);
    run_heap_push(heap, (struct heap_entry){.key = key, .order = kernel->n_asked++, .item = item});
    turns_make_due(kernel, location);
}

/* The strand waits for a turn. */
void strand_wait_for_turn(struct kernel *kernel, int strand, enum strand_turn turn, bool sends)
{
    struct strand_place *place = &kernel->places[strand];
    struct strand_processor *processor = &kernel->processors[place->location];
    enum strand_class class = turn == TURN_POST ? CLASS_RECEIVE : sends ? CLASS_SEND : CLASS_OTHER;
    struct run_heap *heap = turn == TURN_POST ? &processor->posts : &processor->ops;
    if (class == CLASS_SEND && kernel->loggops != NULL)
        heap = &kernel->loggops->sends[place->location];
    place->turn = (uint8_t)turn;
    turns_queue(kernel, heap, turn_key(place->begun, class), (uint32_t)strand, place->location);
}
