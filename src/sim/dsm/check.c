/* The check of what the protocol delivers: every word that is written gets a number, copies and diffs carry the numbers
 * along, and every word that is read must have the number of the last write.
 *
 * In a program without data races that is the last write in the order of simulated time, too: what happens before a
 * read is simulated before it, and no other write of the word goes on meanwhile.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/dsm/internal.h"

#include "base/memory.h"

#include <stdlib.h>

void dsm_check_open(struct dsm *dsm)
{
    size_t n_words = (size_t)dsm->n_pages * (size_t)dsm->page_words;
    if (!dsm->options->check)
        return;
    dsm->shadow = xcalloc(n_words, sizeof *dsm->shadow);
    dsm->writer_of = xcalloc(n_words, sizeof *dsm->writer_of);
}

void dsm_check_close(struct dsm *dsm)
{
    free(dsm->shadow);
    free(dsm->writer_of);
}

void dsm_check_write(struct dsm *dsm, struct node *node, int page, int from, int to)
{
    for (int word = from; word < to; word++) {
        size_t place = (size_t)page * (size_t)dsm->page_words + (size_t)word;
        dsm->shadow[place] = ++dsm->version;
        dsm->writer_of[place] = node->id;
        node->copies[page].versions[word] = dsm->version;
    }
}

void dsm_check_read(struct dsm *dsm, struct node *node, int page, int from, int to)
{
    for (int word = from; word < to; word++) {
        size_t place = (size_t)page * (size_t)dsm->page_words + (size_t)word;
        if (node->copies[page].versions[word] == dsm->shadow[place]) {
            dsm->stats.checked_reads++;
            continue;
        }
        dsm_fail(dsm,
                 "check: rank %d reads word %d of page %d as of write %u, but the last one before it was write %u, by "
                 "rank %d",
                 node->id, word, page, node->copies[page].versions[word], dsm->shadow[place], dsm->writer_of[place]);
        return;
    }
}
