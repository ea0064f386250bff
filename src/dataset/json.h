/* JSON as a tree, which keeps the places in the file.
 *
 * Strict (RFC 8259): no comments, no NaN, no comma at the end; at most JSON_DEPTH levels.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef DATASET_JSON_H
#define DATASET_JSON_H

#include "dataset/internal.h"

enum { JSON_DEPTH = 32, JSON_NODES = 1 << 26 };
#define JSON_NONE UINT32_MAX /* no node */

enum json_kind { JSON_NULL, JSON_FLAG, JSON_NUMBER, JSON_TEXT, JSON_LIST, JSON_OBJECT };

struct json_node {
    enum json_kind kind;
    uint32_t first, next; /* the first of its members, and the one behind it; JSON_NONE */
    uint32_t line, column;
    size_t name; /* of a member of an object: where it is in `texts` */
    union {
        size_t text; /* likewise */
        double number;
    };
};

/* One of zeros is empty. */
struct json {
    struct json_node *nodes; /* the first is the root */
    size_t n_nodes, nodes_capacity;
    char *texts;
    size_t n_texts, texts_capacity;
    size_t longest; /* bytes of a text, at most; 0: DATASET_TEXT */
};

/* Read the value that comes next, instead of what has been there. */
int json_parse(struct json *json, struct input *input, struct sim_error *error);
void json_dispose(struct json *json);

static inline const struct json_node *json_at(const struct json *json, uint32_t place)
{
    return place == JSON_NONE ? NULL : &json->nodes[place];
}

static inline const char *json_name_of(const struct json *json, const struct json_node *node)
{
    return json->texts + node->name;
}

static inline const char *json_text_of(const struct json *json, const struct json_node *node)
{
    return json->texts + node->text;
}

/* A member of an object by its name; NULL: there is none, or it is no object. */
const struct json_node *json_member(const struct json *json, const struct json_node *object, const char *name);

/* "FILE:LINE: column COLUMN: PATH is X; Y is wanted"; -1. */
int json_fail(const struct json *json, const char *file, const struct json_node *node, const char *what,
              const char *wanted, struct sim_error *error);

#endif
