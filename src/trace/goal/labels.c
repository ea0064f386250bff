/* Labels by their hash; those of the same hash are a chain.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/goal/labels.h"

#include "base/hash.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

struct goal_label {
    size_t offset; /* in text */
    uint32_t length, op;
    uint32_t next; /* of the same hash; MAP_NOTHING: none */
};

static uint32_t find(const struct goal_labels *labels, uint32_t first, const char *name, size_t length)
{
    for (uint32_t i = first; i != MAP_NOTHING; i = labels->labels[i].next) {
        const struct goal_label *label = &labels->labels[i];
        if (label->length == length && memcmp(labels->text + label->offset, name, length) == 0)
            return i;
    }
    return MAP_NOTHING;
}

bool goal_labels_add(struct goal_labels *labels, const char *name, size_t length, uint32_t op)
{
    struct map_entry *entry = map_add(&labels->map, map_key_64(hash_bytes(HASH_START, name, length)));
    uint32_t first = entry->index;
    if (find(labels, first, name, length) != MAP_NOTHING)
        return false;
    entry->index = (uint32_t)labels->n_labels;
    while (labels->text_capacity < labels->length + length)
        labels->text = xgrow(labels->text, labels->text_capacity, &labels->text_capacity, 1);
    memcpy(labels->text + labels->length, name, length);
    labels->labels = xgrow(labels->labels, labels->n_labels, &labels->labels_capacity, sizeof *labels->labels);
    labels->labels[labels->n_labels++] = (struct goal_label){labels->length, (uint32_t)length, op, first};
    labels->length += length;
    return true;
}

bool goal_labels_find(const struct goal_labels *labels, const char *name, size_t length, uint32_t *op)
{
    uint32_t first;
    if (!map_get(&labels->map, map_key_64(hash_bytes(HASH_START, name, length)), &first))
        return false;
    uint32_t found = find(labels, first, name, length);
    if (found != MAP_NOTHING)
        *op = labels->labels[found].op;
    return found != MAP_NOTHING;
}

void goal_labels_dispose(struct goal_labels *labels)
{
    map_dispose(&labels->map);
    free(labels->labels);
    free(labels->text);
    *labels = (struct goal_labels){0};
}
