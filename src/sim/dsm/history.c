/* Prefetching by history: a phase is what a node does between two of its synchronizations, and its pages are those that
 * it accesses for the first time since they were invalidated.
 *
 * When a phase ends that is like an earlier one, and the one before it like the one before that, the pages of what
 * followed then are asked for, as far as they are invalid. Two phases are alike if at least half of the pages of
 * both are in both. Of several earlier ones the last counts. So repeated phases are found without knowing the
 * program, in the way of Adaptive++ (Bianchini, Pinto, Amorim 1998); its other mode, constant strides, is left out.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/dsm/internal.h"

#include "base/memory.h"
#include "base/sort.h"

#include <stdlib.h>

static struct dsm_phase *phase_of(struct dsm_history *history, int64_t number)
{
    return &history->phases[number % DSM_PHASES];
}

void dsm_history_note(struct dsm *dsm, struct node *node, int page)
{
    if (dsm->options->policy != DSM_PREFETCH_HISTORY)
        return;
    struct dsm_phase *phase = phase_of(&node->history, node->history.number);
    phase->pages = xgrow(phase->pages, phase->count, &phase->capacity, sizeof *phase->pages);
    phase->pages[phase->count++] = page;
}

void dsm_history_close(struct dsm_history *history)
{
    for (int i = 0; i < DSM_PHASES; i++)
        free(history->phases[i].pages);
}

static int by_page(const void *a, const void *b)
{
    return (*(const int32_t *)a > *(const int32_t *)b) - (*(const int32_t *)a < *(const int32_t *)b);
}

/* In order, each once: over a collection a phase may access a page twice. */
static void end_phase(struct dsm_phase *phase)
{
    size_t count = 0;
    if (phase->count > 1)
        sort_stable(phase->pages, phase->count, sizeof *phase->pages, by_page);
    for (size_t i = 0; i < phase->count; i++)
        if (count == 0 || phase->pages[i] != phase->pages[count - 1])
            phase->pages[count++] = phase->pages[i];
    phase->count = count;
}

static bool are_alike(const struct dsm_phase *a, const struct dsm_phase *b)
{
    size_t both = 0;
    for (size_t i = 0, j = 0; i < a->count && j < b->count;) {
        int32_t x = a->pages[i], y = b->pages[j];
        both += x == y;
        i += x <= y;
        j += y <= x;
    }
    return 3 * both >= a->count + b->count; /* twice as many as in both and in one */
}

/* The phase that followed the last earlier phase like the present one; NULL if there was none. */
static const struct dsm_phase *find_next(struct dsm_history *history)
{
    int64_t now = history->number, first = now - DSM_PHASES + 1 > 0 ? now - DSM_PHASES + 1 : 0;
    for (int64_t then = now - 1; then > first; then--)
        if (are_alike(phase_of(history, then), phase_of(history, now)) &&
            are_alike(phase_of(history, then - 1), phase_of(history, now - 1)))
            return phase_of(history, then + 1);
    return NULL;
}

void dsm_history_predict(struct dsm *dsm, struct node *node)
{
    struct dsm_history *history = &node->history;
    struct dsm_news *news = &node->news;
    if (dsm->options->policy != DSM_PREFETCH_HISTORY)
        return;
    end_phase(phase_of(history, history->number));
    const struct dsm_phase *next = find_next(history);
    for (size_t i = 0; next != NULL && i < next->count; i++) {
        const struct copy *copy = &node->copies[next->pages[i]];
        if (copy->state == COPY_INVALID && copy->fetch == NULL)
            news->lost[news->n_lost++] = next->pages[i];
    }
    phase_of(history, ++history->number)->count = 0;
}
