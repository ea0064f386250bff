/* Labels in a row, or else by their hash; those of the same hash are a chain.
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

/* --- in a row --- */

/* The stem before the number at the end of the name; false if there is no number that is written in one way only. */
static bool split(uint64_t *number, size_t *stem, const char *name, size_t length)
{
    enum { MOST_DIGITS = 9 };
    uint64_t unit = 1;
    size_t at = length;
    *number = 0;
    for (; at > 0 && length - at < MOST_DIGITS && name[at - 1] >= '0' && name[at - 1] <= '9'; at--) {
        *number += unit * (uint64_t)(name[at - 1] - '0');
        unit *= 10;
    }
    *stem = at;
    return at < length && (name[at] != '0' || length - at == 1);
}

/* True if the name is one of the row, or the next one: its place there. */
static bool is_in_row(uint64_t *place, const struct goal_labels *labels, const char *name, size_t length)
{
    uint64_t number;
    size_t stem;
    if (!split(&number, &stem, name, length) || stem != labels->stem_length || memcmp(name, labels->stem, stem) != 0 ||
        number < labels->first || number - labels->first > labels->n_row)
        return false;
    *place = number - labels->first;
    return true;
}

static void begin_row(struct goal_labels *labels, const char *name, size_t length)
{
    if (!split(&labels->first, &labels->stem_length, name, length))
        return;
    labels->stem = xmalloc(labels->stem_length + 1);
    memcpy(labels->stem, name, labels->stem_length);
}

/* --- in the table --- */

static uint32_t find(const struct goal_labels *labels, uint32_t first, const char *name, size_t length)
{
    for (uint32_t i = first; i != MAP_NOTHING; i = labels->labels[i].next) {
        const struct goal_label *label = &labels->labels[i];
        if (label->length == length && memcmp(labels->text + label->offset, name, length) == 0)
            return i;
    }
    return MAP_NOTHING;
}

static bool add(struct goal_labels *labels, const char *name, size_t length, uint32_t op)
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

static void move_row_to_table(struct goal_labels *labels)
{
    for (size_t i = 0; i < labels->n_row; i++) {
        char *name = xformat("%.*s%llu", (int)labels->stem_length, labels->stem, (unsigned long long)labels->first + i);
        add(labels, name, strlen(name), labels->row[i]);
        free(name);
    }
}

/* --- both --- */

bool goal_labels_add(struct goal_labels *labels, const char *name, size_t length, uint32_t op)
{
    uint64_t place;
    if (labels->n_labels == 0) {
        if (labels->stem == NULL)
            begin_row(labels, name, length);
        if (labels->stem != NULL && is_in_row(&place, labels, name, length)) {
            if (place < labels->n_row)
                return false;
            labels->row = xgrow(labels->row, labels->n_row, &labels->row_capacity, sizeof *labels->row);
            labels->row[labels->n_row++] = op;
            return true;
        }
        move_row_to_table(labels);
    }
    return add(labels, name, length, op);
}

bool goal_labels_find(const struct goal_labels *labels, const char *name, size_t length, uint32_t *op)
{
    uint64_t place;
    uint32_t first;
    if (labels->n_labels == 0) {
        bool is_there = labels->stem != NULL && is_in_row(&place, labels, name, length) && place < labels->n_row;
        if (is_there)
            *op = labels->row[place];
        return is_there;
    }
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
    free(labels->row);
    free(labels->stem);
    free(labels->labels);
    free(labels->text);
    *labels = (struct goal_labels){0};
}
