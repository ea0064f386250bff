/* Lines as they are carried out: instructions with expressions, shared by the files of this folder. token.c and
 * parse.c read them, expression.c computes, messages.c carries out, delivery.c checks.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_USER_BROADCAST_INTERNAL_H
#define SIM_USER_BROADCAST_INTERNAL_H

#include "sim/user_broadcast/user_broadcast.h"

enum {
    OWN_MAX_NAME = 32,
    OWN_MAX_VARIABLES = 200,
    OWN_MAX_DEPTH = 64, /* of loops, and of brackets */
    OWN_RANKS = 0,      /* the variables that are there from the beginning */
    OWN_SEGMENTS = 1
};

enum user_broadcast_node_kind { NODE_NUMBER, NODE_VARIABLE, NODE_OPERATION };

/* A node of an expression; operands are the numbers of nodes. */
struct user_broadcast_node {
    uint8_t kind;
    uint8_t operation; /* expression.c */
    int32_t left, right;
    int64_t value; /* the number, or which variable */
};

/* A token of a line: a number, a name, or a sign of one or two characters; at the end of the line empty. */
struct user_broadcast_token {
    const char *text;
    size_t length;
};

/* The line that is read. */
struct user_broadcast_parser {
    struct user_broadcast_lines *lines;
    const char *at, *end; /* what is left of the line */
    struct user_broadcast_token token;
    long line;
    int depth;
    bool is_shown; /* messages may quote the words: the file has lines of this kind, and is not another by mistake */
    struct sim_error *error;
};

enum user_broadcast_kind {
    USER_BROADCAST_SET,      /* variable = a */
    OWN_UNLESS,              /* go to `target` unless a */
    OWN_GO,                  /* go to `target` */
    USER_BROADCAST_FOR_TEST, /* go to `target` where variable is beyond that after it, in steps of the next */
    USER_BROADCAST_FOR_NEXT, /* add the step, go to `target` */
    OWN_PASS,                /* a sends to b, which receives; segments c to d */
    OWN_SENDS,               /* a sends to b */
    USER_BROADCAST_RECEIVES, /* a receives from b */
};

/* Expressions are numbers of nodes, -1: not there. */
struct user_broadcast_instruction {
    uint8_t kind;
    int32_t line, variable, target;
    int32_t a, b, c, d;
};

struct user_broadcast_lines {
    char *label;
    struct user_broadcast_node *nodes;
    size_t n_nodes, nodes_capacity;
    struct user_broadcast_instruction *instructions;
    size_t n_instructions, instructions_capacity;
    char names[OWN_MAX_VARIABLES][OWN_MAX_NAME]; /* "" of those that a loop keeps for itself */
    int n_variables;
};

/* Move on to the next token. */
void user_broadcast_next_token(struct user_broadcast_parser *parser);
bool user_broadcast_token_is(const struct user_broadcast_parser *parser, const char *text);
bool user_broadcast_token_is_name(const struct user_broadcast_parser *parser); /* or a word of the lines */
/* An error of the line. Returns -1. */
int user_broadcast_fail(const struct user_broadcast_parser *parser, const char *why);
/* The error of the line at the token: "own.txt:3: ...". Returns -1. */
int user_broadcast_refuse(const struct user_broadcast_parser *parser, const char *allowed);
/* The variable of the token's name; a new one where it is to be set; or -1. */
int user_broadcast_variable(struct user_broadcast_parser *parser, bool is_set);
/* Another variable; without a name it is a loop's own. Or -1. */
int user_broadcast_add_variable(struct user_broadcast_parser *parser, const char *name, size_t length);

/* Read an expression: the number of its node, or -1 with an error. */
int user_broadcast_expression(struct user_broadcast_parser *parser);
/* Compute it. False where a number is divided by 0 or too large; `why` says so. */
bool user_broadcast_compute(int64_t *value, const struct user_broadcast_lines *lines, int node,
                            const int64_t *variables, const char **why);

/* Check what has been made. */
int user_broadcast_check_delivery(const struct user_broadcast_messages *messages, struct sim_error *error);

#endif
