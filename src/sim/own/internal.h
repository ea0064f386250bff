/* Lines as they are carried out: instructions with expressions, shared by the files of this folder. token.c and
 * parse.c read them, expression.c computes, messages.c carries out, delivery.c checks. */
#ifndef SIM_OWN_INTERNAL_H
#define SIM_OWN_INTERNAL_H

#include "sim/own/own.h"

enum {
    OWN_MAX_NAME = 32,
    OWN_MAX_VARIABLES = 200,
    OWN_MAX_DEPTH = 64, /* of loops, and of brackets */
    OWN_RANKS = 0,      /* the variables that are there from the beginning */
    OWN_SEGMENTS = 1
};

enum own_node_kind { NODE_NUMBER, NODE_VARIABLE, NODE_OPERATION };

/* Of an expression; operands are the numbers of nodes. */
struct own_node {
    uint8_t kind;
    uint8_t operation; /* expression.c */
    int32_t left, right;
    int64_t value; /* the number, or which variable */
};

/* A token of a line: a number, a name, or a sign of one or two characters; at the end of the line empty. */
struct own_token {
    const char *text;
    size_t length;
};

/* The line that is read. */
struct own_parser {
    struct own_lines *lines;
    const char *at, *end; /* what is left of the line */
    struct own_token token;
    long line;
    int depth;
    bool is_shown; /* messages may quote the words: the file has lines of this kind, and is not another by mistake */
    struct sim_error *error;
};

enum own_kind {
    OWN_SET,      /* variable = a */
    OWN_UNLESS,   /* go to `target` unless a */
    OWN_GO,       /* go to `target` */
    OWN_FOR_TEST, /* go to `target` where variable is beyond that after it, in steps of the next */
    OWN_FOR_NEXT, /* add the step, go to `target` */
    OWN_PASS,     /* a sends to b, which receives; segments c to d */
    OWN_SENDS,    /* a sends to b */
    OWN_RECEIVES, /* a receives from b */
};

/* Expressions are numbers of nodes, -1: not there. */
struct own_instruction {
    uint8_t kind;
    int32_t line, variable, target;
    int32_t a, b, c, d;
};

struct own_lines {
    char *label;
    struct own_node *nodes;
    size_t n_nodes, nodes_capacity;
    struct own_instruction *instructions;
    size_t n_instructions, instructions_capacity;
    char names[OWN_MAX_VARIABLES][OWN_MAX_NAME]; /* "" of those that a loop keeps for itself */
    int n_variables;
};

/* Move on to the next token. */
void own_next_token(struct own_parser *parser);
bool own_token_is(const struct own_parser *parser, const char *text);
bool own_token_is_name(const struct own_parser *parser); /* or a word of the lines */
/* An error of the line. Returns -1. */
int own_fail(const struct own_parser *parser, const char *why);
/* The error of the line at the token: "own.txt:3: ...". Returns -1. */
int own_refuse(const struct own_parser *parser, const char *allowed);
/* The variable of the token's name; a new one where it is to be set; or -1. */
int own_variable(struct own_parser *parser, bool is_set);
/* Another variable; without a name it is a loop's own. Or -1. */
int own_add_variable(struct own_parser *parser, const char *name, size_t length);

/* Read an expression: the number of its node, or -1 with an error. */
int own_expression(struct own_parser *parser);
/* Compute it. False where a number is divided by 0 or too large; `why` says so. */
bool own_compute(int64_t *value, const struct own_lines *lines, int node, const int64_t *variables, const char **why);

/* Check what has been made. */
int own_check_delivery(const struct own_messages *messages, struct sim_error *error);

#endif
